"""How colours look to eyes that lack one kind of cone, and how far apart two colours are to an eye.

The matrices for a complete lack are those of G. M. Machado, M. M. Oliveira and L. A. F. Fernandes, "A
Physiologically-based Model for Simulation of Color Vision Deficiency" (2009), severity 1.0, on linear sRGB.
Distances are CIE 1976 ΔE*ab under D65: 2.3 can just be told apart side by side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TypeAlias

Rgb: TypeAlias = tuple[float, float, float]
"""Red, green and blue, 0 to 1."""

Matrix: TypeAlias = Sequence[Rgb]

EYES: Mapping[str, Matrix] = {
    "protanope": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranope": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "normal": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}

_TO_XYZ: Matrix = (
    (0.4124564, 0.3575761, 0.1804375),
    (0.2126729, 0.7151522, 0.0721750),
    (0.0193339, 0.1191920, 0.9503041),
)
_WHITE = (0.95047, 1.0, 1.08883)


def seen(colour: tuple[int, int, int], eye: str) -> Rgb:
    """Return a colour (0 to 255) as an eye sees it, in linear light."""
    linear = [_linear(part / 255) for part in colour]
    red, green, blue = (min(1.0, max(0.0, part)) for part in _times(EYES[eye], linear))
    return red, green, blue


def distance(first: tuple[int, int, int], second: tuple[int, int, int], eye: str) -> float:
    """Return ΔE*ab between two colours (0 to 255) as an eye sees them."""
    one, two = _lab(seen(first, eye)), _lab(seen(second, eye))
    return math.dist(one, two)


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def _times(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _lab(linear: Rgb) -> Rgb:
    xyz = _times(_TO_XYZ, linear)
    x, y, z = (_curve(part / white) for part, white in zip(xyz, _WHITE, strict=True))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def _curve(part: float) -> float:
    return part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116
