"""``zlib``: the faster zlib-ng if there is one for the machine; otherwise Python's own.

Each reads what the other wrote, but they produce different bytes from the same input.
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
