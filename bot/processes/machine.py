"""How many processes a machine takes, where its operator does not say."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

ROOMY = 1_500 << 20
"""Bytes of memory from which on a second painter has room: each takes about 150 MiB."""

CGROUP = Path("/sys/fs/cgroup/memory.max")
"""What a container may take; a number, or ``max``."""


def usual_painters(cgroup: Path = CGROUP) -> int:
    """Return how many painters to start: two where there are two cores and memory for them, else one."""
    return 2 if _cores() > 1 and memory(cgroup) >= ROOMY else 1


def usual_thinkers() -> int:
    """Return how many thinking processes to start: one for every two cores, one at least."""
    return max(1, _cores() // 2)


def memory(cgroup: Path = CGROUP) -> int:
    """Return the bytes of memory that this machine, or this container, has; much where nobody says."""
    found = [1 << 62]
    with suppress(OSError, ValueError, AttributeError):
        found.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    with suppress(OSError, ValueError):
        found.append(int(cgroup.read_text("ascii")))
    return min(found)


def _cores() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1
