"""What the C library keeps of a process, asked in a process of its own."""

from __future__ import annotations

import subprocess
import sys

import pytest

from bot.runtime import memory

COUNT = """
import ctypes
from bot.runtime import memory

class Info(ctypes.Structure):
    _fields_ = [(name, ctypes.c_size_t) for name in
                ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks",
                 "fordblks", "keepcost")]

library = ctypes.CDLL(None)
if not hasattr(library, "mallinfo2"):
    raise SystemExit(77)
library.mallinfo2.restype = Info
{first}
# Once a few large blocks have gone, the library would take such from among the small ones.
for _ in range(3):
    gone = bytes(1 << 20)
    del gone
before = library.mallinfo2().hblks
kept = [bytes(100_000) for _ in range(100)]
print(library.mallinfo2().hblks - before)
"""


def apart(first: str) -> int:
    """Return how many of a hundred pictures got pages of their own."""
    done = subprocess.run(
        [sys.executable, "-c", COUNT.format(first=first)], capture_output=True, text=True, check=False
    )
    if done.returncode == 77:
        pytest.skip("another C library")
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


def test_a_picture_has_pages_of_its_own() -> None:
    assert apart("memory.unmap_large_blocks()") > 90, "some find room that is free"
    assert apart("") < 10, "the library does so by itself"


def test_it_can_be_asked_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in (None, object()):
        monkeypatch.setattr(memory, "_library", lambda library=library: library)
        memory.unmap_large_blocks()
        memory.trim_heap()


@pytest.mark.parametrize("kind", ["painter", "thinker"])
def test_a_worker_loads_no_event_loop(kind: str) -> None:
    check = f"import sys, bot.workers.{kind}; sys.exit('asyncio' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", check], check=False).returncode == 0
