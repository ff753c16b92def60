"""A program being built: its units, swaps, orders and tile; and what is wrong with it.

All stands on the seat's own view, so no message tells more than that view does. Source: the rules page,
*Round*, phase 1 (programming errors are refused here), and *Modules*.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engines.core.contract import Arg, IllegalAction, Msg, Words, msg
from engines.volt.arena import Arena, arena
from engines.volt.modules import ACTIVE, MODULES, Use, choices, goes_together, name_of, named
from engines.volt.notation import COLOURS, swap_word
from engines.volt.view import UNITS, View

DICE = 2
"""Dice of each colour."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What a seat's program depends on, from its own view alone."""

    arena: Arena
    side: str
    active: tuple[str, ...]
    spare: tuple[str, ...]
    free: tuple[int, ...]
    tiled: bool
    playing: int

    @classmethod
    def of(cls, view: View) -> Basis:
        """Return the basis of the viewer's seat."""
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
            len(view.playing),
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

    @property
    def die(self) -> str:
        """Return its die as it is written; ``""`` where there is none."""
        return f"{self.colour[:1]}{self.number}" if self.colour else ""

    def word(self, unit: int) -> str:
        """Return the unit as it is written; ``""`` where nothing is on it."""
        uses = "".join(f"+{use}" for use in self.uses)
        return f"{UNITS[unit]}:{self.die}{self.arrow}{uses}" if self.die or self.arrow else ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A program being built. ``active``: the modules that are active after its swaps."""

    basis: Basis
    active: tuple[str, ...]
    parts: tuple[Part, Part, Part] = (Part(), Part(), Part())
    orders: tuple[str, ...] = ()
    tile: int | None = None

    @property
    def swaps(self) -> tuple[str, ...]:
        """Return the swaps that lead to its active modules."""
        had, has = frozenset(self.basis.active), frozenset(self.active)
        return swap_word(has - had, had - has)

    @property
    def ready(self) -> bool:
        """Return whether all three units are complete."""
        return all(part.full for part in self.parts)

    @property
    def complete(self) -> bool:
        """Return whether it is a whole sentence."""
        return self.ready and (self.tile is not None or not self.basis.tiled)

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
        first, second, third = (part if unit == number else old for number, old in enumerate(self.parts))
        return Draft(self.basis, self.active, (first, second, third), self.orders, self.tile)

    def dice_left(self, colour: str, unit: int) -> int:
        """Return how many dice of a colour the other units leave for one."""
        return DICE - sum(p.colour == colour for n, p in enumerate(self.parts) if n != unit)

    def may_point(self, part: Part, arrow: str) -> bool:
        """Return whether the unit's die may lie on an arrow: blue on a diagonal with Diagonal Drive only."""
        if len(arrow) < 2 or part.colour != "blue":
            return True
        return "diagonal" in self.active and MODULES["diagonal"].fits("blue", part.number)


# --- what is wrong with it ------------------------------------------------------------------------


def check(draft: Draft) -> None:
    """Raise :class:`IllegalAction` for the first thing that is wrong with a draft."""
    for fault in _faults(draft):
        raise IllegalAction(fault)


def _faults(draft: Draft) -> Iterator[Msg]:
    if not goes_together(draft.active):
        yield msg("error.swap_many" if len(draft.active) > ACTIVE else "error.swap_colours")
    for colour in COLOURS.values():
        if sum(part.colour == colour for part in draft.parts) > DICE:
            yield msg("error.dice", colour=msg(f"colour.{colour}"))
    for unit, part in enumerate(draft.parts):
        yield from _unit_faults(draft, unit, part)
    for name in draft.orders:
        if MODULES[name].use is not Use.STANDING:
            yield msg("error.order_die", module=named(name))
        elif name not in draft.active:
            yield msg("error.order_inactive", module=named(name))
    if draft.tile is not None:
        yield from _tile_faults(draft.basis, draft.tile)


def _unit_faults(draft: Draft, unit: int, part: Part) -> Iterator[Msg]:
    if not draft.may_point(part, part.arrow):
        key = "error.diagonal_number" if "diagonal" in draft.active else "error.diagonal"
        yield msg(key, unit=UNITS[unit], arrow=part.arrow)
    faults = (*(use_fault(draft, unit, part, use) for use in part.uses), together_fault(unit, part))
    yield from (fault for fault in faults if fault is not None)


def _tile_faults(basis: Basis, tile: int) -> Iterator[Msg]:
    if not basis.tiled:
        yield msg("error.tiles_dealt")
    elif tile not in basis.free:
        key = "error.tile_gone" if 1 <= tile <= basis.playing else "error.tile_unknown"
        yield msg(key, tile=tile, tiles=basis.free)


def use_fault(draft: Draft, unit: int, part: Part, use: str) -> Msg | None:
    """Return what is wrong with one use of a module on a unit, or ``None``."""
    name, _, choice = use.partition("-")
    module = MODULES[name]
    where: dict[str, Arg] = {"unit": UNITS[unit], "module": named(name)}
    if module.use is Use.ARROW:
        return msg("error.use_arrow", **where)
    if module.use is Use.STANDING:
        return msg("error.use_standing", word=f"order:{name}", **where)
    if name not in draft.active:
        return msg("error.use_inactive", **where)
    if not part.colour:
        return msg("error.use_no_die", **where)
    if not module.fits(part.colour, part.number):
        return msg("error.use_misfit", colour=msg(f"colour.{module.die}"), span=module.span, **where)
    possible = choices(name, part.number, draft.basis.arena, draft.basis.side)
    if choice in possible:
        return None
    if possible == ("",):
        return msg("error.use_no_choice", word=name, **where)
    return msg("error.use_choice", words=tuple(f"{name}-{one}" for one in possible), **where)


def together_fault(unit: int, part: Part) -> Msg | None:
    """Return what is wrong with the uses on a unit together, or ``None``."""
    names = [name_of(use) for use in part.uses]
    if len(set(names)) < len(names):
        return msg("error.use_twice", unit=UNITS[unit])
    kinds = [MODULES[name].use for name in names]
    if kinds.count(Use.INSTEAD) > 1:
        return msg("error.two_insteads", unit=UNITS[unit])
    if Use.INSTEAD in kinds and Use.MODIFIER in kinds:
        return msg("error.instead_modifier", unit=UNITS[unit])
    return None


def unfinished(draft: Draft) -> Msg:
    """Return what a draft lacks to be a whole program."""
    for unit, part in enumerate(draft.parts):
        if not part.colour:
            return msg("error.unit_empty", unit=UNITS[unit])
        if not part.arrow:
            return msg("error.unit_no_arrow", unit=UNITS[unit])
    return msg("error.no_tile", tiles=draft.basis.free)
