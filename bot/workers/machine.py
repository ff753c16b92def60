"""Default numbers of worker processes for this machine, used unless the operator sets them."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

MIN_TWO_PAINTERS_BYTES = 1_500 << 20
"""Bytes of memory needed for a second painter: each takes about 150 MiB."""

CGROUP = Path("/sys/fs/cgroup/memory.max")
"""The container's memory limit; a number of bytes, or ``max``."""


def usual_painters(cgroup: Path = CGROUP) -> int:
    """Return how many painters to start: two if there are two cores and enough memory, else one."""
    return 2 if _cores() > 1 and memory(cgroup) >= MIN_TWO_PAINTERS_BYTES else 1


def usual_thinkers() -> int:
    """Return how many thinking processes to start: one per two cores, at least one."""
    return max(1, _cores() // 2)


def memory(cgroup: Path = CGROUP) -> int:
    """Return the memory of this machine or container in bytes; a huge number if it is unknown."""
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
