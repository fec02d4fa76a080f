/* Stands between SQLite and the disk: counts syncs of the database, and spoils them on request.
 *
 * Preloaded into a process; `shim_*` is called through ctypes, the environment is read at start.
 */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static volatile int syncs;        /* of database files so far */
static volatile int syncs_failed; /* of those, how many were answered with EIO */
static volatile int kill_at;      /* number of the sync at which the process dies; 0 is never */
static volatile int kill_after;   /* whether it dies after the sync, not before */
static volatile int fail_at;      /* number of the sync that fails with EIO; 0 is never */
static volatile int is_full;      /* whether writes fail with ENOSPC */
static volatile int delay_us;     /* how long every sync takes at least */

void shim_arm(int number, int after) { syncs = 0; kill_at = number; kill_after = after; }
void shim_fail(int number) { syncs = 0; syncs_failed = 0; fail_at = number; }
void shim_fill(int full) { is_full = full; }
void shim_delay(int microseconds) { delay_us = microseconds; }
int shim_syncs(void) { return syncs; }
int shim_failed(void) { return syncs_failed; }

static int is_database(int handle) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", handle);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    return strstr(path, "skat.db") != NULL;
}

/* Whether the file that SKAT_SHIM_EIO names is there: from then on every sync fails. */
static int is_failing(void) {
    const char *path = getenv("SKAT_SHIM_EIO");
    return (fail_at && syncs == fail_at) || (path && access(path, F_OK) == 0);
}

static int spoiled(int handle, int (*sync_it)(int)) {
    if (!is_database(handle)) return sync_it(handle);
    syncs++;
    if (delay_us) usleep(delay_us);
    if (kill_at && syncs == kill_at && !kill_after) raise(SIGKILL);
    if (is_failing()) {
        syncs_failed++;
        errno = EIO;
        return -1;
    }
    int result = sync_it(handle);
    if (kill_at && syncs == kill_at) raise(SIGKILL);
    return result;
}

int fsync(int handle) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    return spoiled(handle, real);
}

int fdatasync(int handle) {
    static int (*real)(int);
    if (!real) real = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    return spoiled(handle, real);
}

typedef ssize_t (*write_at)(int, const void *, size_t, off64_t);

static ssize_t written(int handle, const void *data, size_t size, off64_t place, write_at real) {
    if (is_full && is_database(handle)) {
        errno = ENOSPC;
        return -1;
    }
    return real(handle, data, size, place);
}

ssize_t pwrite64(int handle, const void *data, size_t size, off64_t place) {
    static write_at real;
    if (!real) real = (write_at)dlsym(RTLD_NEXT, "pwrite64");
    return written(handle, data, size, place, real);
}

ssize_t pwrite(int handle, const void *data, size_t size, off_t place) {
    static write_at real;
    if (!real) real = (write_at)dlsym(RTLD_NEXT, "pwrite64");
    return written(handle, data, size, place, real);
}
