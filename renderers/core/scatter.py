"""Scattering: places that look thrown and are evenly spread, and the same in every process."""

from __future__ import annotations

from collections.abc import Iterator

_FIRST = 0.8191725133961645
_SECOND = 0.6710436067037893
_THIRD = 0.5497004779019703
"""Powers of the inverse of the root of x⁴ = x + 1: the additive sequence that fills a cube most evenly."""


def scatter(count: int, start: int = 1) -> Iterator[tuple[float, float, float]]:
    """Yield ``count`` triples in [0, 1); another ``start`` gives another throw."""
    for i in range(start, start + count):
        yield i * _FIRST % 1, i * _SECOND % 1, i * _THIRD % 1
