"""A program in the making: units, swaps, orders and a tile, as far as they are given."""

from __future__ import annotations

from dataclasses import dataclass, replace

from engines.core.contract import Msg, Words, msg
from engines.volt.arena import Arena, arena
from engines.volt.modules import MODULES
from engines.volt.notation import swap_word
from engines.volt.view import UNITS, View

DICE = 2
"""Dice of each colour."""


@dataclass(frozen=True, slots=True)
class Ground:
    """What a seat's program depends on, from its own view alone."""

    arena: Arena
    side: str
    active: tuple[str, ...]
    spare: tuple[str, ...]
    free: tuple[int, ...]
    tiled: bool
    playing: int

    @classmethod
    def of(cls, view: View) -> Ground:
        """Return the ground of the viewer's seat."""
        seat = view.viewer
        assert seat is not None
        modules = view.modules[seat]
        return cls(
            arena(view.arena),
            view.robots[seat].side,
            tuple(card.name for card in modules.active if card.name),
            tuple(card.name for card in modules.spare if card.name),
            view.free,
            not view.draw_tiles,
            sum(not robot.gone for robot in view.robots),
        )


@dataclass(frozen=True, slots=True)
class Part:
    """A unit: its die, its arrow, the modules named with it; each may be missing yet."""

    colour: str = ""
    number: int = 0
    arrow: str = ""
    uses: tuple[str, ...] = ()

    @property
    def full(self) -> bool:
        """Return whether it has a die and an arrow."""
        return bool(self.colour and self.arrow)

    def word(self, unit: int) -> str:
        """Return the unit as it is written; ``""`` where nothing is on it."""
        die = f"{self.colour[:1]}{self.number}" if self.colour else ""
        uses = "".join(f"+{use}" for use in self.uses)
        return f"{UNITS[unit]}:{die}{self.arrow}{uses}" if die or self.arrow else ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A program in the making. ``active``: the modules that it makes active, after its swaps."""

    ground: Ground
    active: tuple[str, ...]
    parts: tuple[Part, Part, Part] = (Part(), Part(), Part())
    orders: tuple[str, ...] = ()
    tile: int | None = None

    @property
    def swaps(self) -> tuple[str, ...]:
        """Return the swaps that lead to its active modules."""
        had, has = frozenset(self.ground.active), frozenset(self.active)
        return swap_word(has - had, had - has)

    @property
    def ready(self) -> bool:
        """Return whether all three units are complete."""
        return all(part.full for part in self.parts)

    @property
    def complete(self) -> bool:
        """Return whether it is a whole sentence."""
        return self.ready and (self.tile is not None or not self.ground.tiled)

    def words(self) -> Words:
        """Return the normal form."""
        said = [part.word(unit) for unit, part in enumerate(self.parts)]
        words = [
            f"swap:{','.join(self.swaps)}" if self.swaps else "",
            *said,
            f"order:{','.join(self.orders)}" if self.orders else "",
            "" if self.tile is None else f"tile:{self.tile}",
        ]
        found = tuple(word for word in words if word)
        return ("program", *found) if found else ()

    def with_part(self, unit: int, part: Part) -> Draft:
        """Return the draft with another unit."""
        parts = list(self.parts)
        parts[unit] = part
        return replace(self, parts=(parts[0], parts[1], parts[2]))

    def dice_left(self, colour: str, unit: int) -> int:
        """Return how many dice of a colour the other units leave for one."""
        return DICE - sum(p.colour == colour for n, p in enumerate(self.parts) if n != unit)

    def may_point(self, part: Part, arrow: str) -> bool:
        """Return whether the unit's die may lie on an arrow: blue on a diagonal with Diagonal Drive only."""
        if len(arrow) < 2 or part.colour != "blue":
            return True
        return "diagonal" in self.active and MODULES["diagonal"].fits("blue", part.number)


def listed(items: tuple[str, ...] | tuple[int, ...]) -> str:
    """Return items in a row."""
    return ", ".join(map(str, items))


def named(name: str) -> Msg:
    """Return a module's name as a text."""
    return msg(f"module.{name}")
