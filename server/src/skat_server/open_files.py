"""How many files this process may have open: every connection is one."""

import resource


def raise_file_limit(wanted: int) -> int:
    """Ask the machine for so many open files, where it allows fewer.

    Returns:
        How many it allows now; fewer where it does not allow more.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return wanted
    soft = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    return soft
