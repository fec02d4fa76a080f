/* A wall clock that is wrong by as many seconds as a file says; the monotonic clock is left alone.
 *
 * Preloaded into a process. SKAT_WALL_CLOCK names a file of eight bytes, which is mapped and may be
 * written to at any time.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const int64_t right = 0;

static int64_t wrong_by(void) {
    static volatile const int64_t *seconds;
    if (!seconds) {
        const char *path = getenv("SKAT_WALL_CLOCK");
        int file = path ? open(path, O_RDONLY) : -1;
        void *map = file < 0 ? MAP_FAILED : mmap(NULL, sizeof right, PROT_READ, MAP_SHARED, file, 0);
        seconds = map == MAP_FAILED ? &right : map;
        if (file >= 0) close(file);
    }
    return *seconds;
}

int clock_gettime(clockid_t clock, struct timespec *at) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, at);
    if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        at->tv_sec += wrong_by();
    return result;
}

int gettimeofday(struct timeval *at, void *zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now)) return -1;
    at->tv_sec = now.tv_sec;
    at->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *at) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now)) return (time_t)-1;
    if (at) *at = now.tv_sec;
    return now.tv_sec;
}
