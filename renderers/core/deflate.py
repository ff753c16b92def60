"""``zlib``: zlib-ng where there is one for the machine, which is faster; otherwise Python's own.

Both read what the other wrote, but give other bytes for the same input.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import zlib
else:
    try:
        from zlib_ng import zlib_ng as zlib
    except ImportError:
        import zlib

__all__ = ["zlib"]
