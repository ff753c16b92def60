"""Where things are on a Volo picture, in pixels: the points of either board by their names.

The board is as wide as the picture, and as high: all else lies in the corners that a hexagon leaves. The
lower left one stays empty, for a client lays a badge over it, 200 × 94 pixels at most.
"""

from __future__ import annotations

from functools import cache

from engines.volo.view import Geometry, geometry
from renderers.core.geometry import Point

WIDTH, HEIGHT = 1100, 964
HORIZON = 62.0
CENTRE: Point = (550, 482)
PLAQUE_EDGE = 10
"""Pixels between a plaque and the edges of the picture."""
PLAQUE = ((262, 62), (165, 154), (100, 216))
"""Widths and heights of a plaque's steps, which follow the board: its name, two figures, its bird."""
STATUS_X, STATUS_YS = WIDTH - 24.0, (HEIGHT - 82.0, HEIGHT - 36.0)
"""Right edge and middles of the two lines in the lower right corner."""
STATUS_WIDTH = 244
HEADINGS = {"E": 90, "NE": 30, "NW": -30, "W": -90, "SW": -150, "SE": 150}
"""Directions, in degrees clockwise from north."""
AHEAD = {"E": (2, 1), "NE": (1, -1), "NW": (-1, -2), "W": (-2, -1), "SW": (-1, 1), "SE": (1, 2)}
"""Weights of the axial coordinates whose sum grows in each direction, two a step."""
REST = (15, -15)
"""Where each seat's birds head while they sit."""
EDGE_STEPS = [min(255, (value + 64) // 128 * 128) for value in range(256)]
"""Three steps of opacity for edges: the eye does not miss the others, and the file is smaller."""
STEPS = {"E": (2, 0), "SE": (1, 1), "SW": (-1, 1), "W": (-2, 0), "NW": (-1, -1), "NE": (1, -1)}
"""Directions in half spacings across and rows down."""
_SPACING = {7: 84, 6: 98}
_ROW = {7: 73, 6: 85}
"""Whole pixels, both of them: all points lie alike on the pixels, and what is painted for one fits all."""
UNIT = 80
"""Pixels between two points at zoom 1."""


class Layout:
    """The points of one board. Names sort by row, then number."""

    def __init__(self, key: str) -> None:
        self.geometry: Geometry = geometry(key)
        self.key = key
        self.edge = self.geometry.edge
        self.spacing = _SPACING[self.edge]
        self.zoom = self.spacing / UNIT
        self.row_height = _ROW[self.edge]
        everywhere = {**self.geometry.axial, **self.geometry.absent}
        self._near = {name: self._neighbours(q, r) for name, (q, r) in self.geometry.axial.items()}
        self._at: dict[str, Point] = {
            name: (CENTRE[0] + (q + r / 2) * self.spacing, CENTRE[1] + r * self.row_height)
            for name, (q, r) in everywhere.items()
        }
        self.points = tuple(sorted(self.geometry.axial, key=rank))
        self.corners = tuple(name for name, at in sorted(self.geometry.absent.items()) if at != (0, 0))
        self.rows = tuple(sorted({name[0] for name in self.points}))

    def __repr__(self) -> str:
        return f"<Layout {self.key}>"

    def at(self, name: str) -> Point:
        """Return where a place is, absent ones too; raises ``KeyError`` for no place of this board."""
        return self._at[name]

    def places(self, row: str) -> tuple[str, ...]:
        """Return the places of a row, absent ones too."""
        return tuple(sorted((name for name in self._at if name[0] == row), key=rank))

    @property
    def widest(self) -> int:
        """Return how many places the longest row has."""
        return 2 * self.edge - 1

    def step(self, direction: str) -> tuple[int, int]:
        """Return how many pixels a step in a direction goes to the right and down."""
        # Half spacings across are whole pixels, since spacings are even.
        across, down = STEPS[direction]
        return across * self.spacing // 2, down * self.row_height

    def beside(self, name: str, among: frozenset[str]) -> tuple[str, ...]:
        """Return the directions in which a point has a neighbour that is ``among`` some points."""
        return tuple([way for way, other in self._near[name] if other in among])

    def lead(self, direction: str, name: str) -> int:
        """Return how far ahead a place lies in a direction, in half steps."""
        q, r = self.geometry.axial[name]
        return AHEAD[direction][0] * q + AHEAD[direction][1] * r

    def _neighbours(self, q: int, r: int) -> tuple[tuple[str, str], ...]:
        names = {at: name for name, at in self.geometry.axial.items()}
        found = (
            (way, names.get((q + (across - down) // 2, r + down))) for way, (across, down) in STEPS.items()
        )
        return tuple((way, name) for way, name in found if name is not None)


def rank(name: str) -> tuple[str, int]:
    """Return what orders points: row a first, then number."""
    return name[0], int(name[1:])


@cache
def layout(key: str) -> Layout:
    """Return the layout of the board ``key``; raises ``KeyError``."""
    return Layout(key)
