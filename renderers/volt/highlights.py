"""What a draft and its menu mark: spaces that may be named, the one that is, units as they are set."""

from __future__ import annotations

from dataclasses import dataclass

from engines.core.contract import Menu, Words
from engines.volt.view import UNITS, DieView, Phase, Space, View
from renderers.volt.public_data import COLUMNS, DELTA, ROWS

_DIAGONAL = "diagonal"
SPACES = frozenset(column + row for column in COLUMNS for row in ROWS)


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit as it is drawn: ``colour`` and ``arrow`` are ``""`` while they are not chosen."""

    colour: str = ""
    number: int = 0
    arrow: str = ""
    uses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Highlights:
    """``targets``: spaces that may be named now; ``chosen``: the one that is.

    ``units`` are the three units as drafted, committed, or as they were last round (``old``). ``active``
    is the unit that is set next; ``arrows`` those that its die may lie on, ``None``: any. ``orders`` are the
    standing orders that are on, ``tile`` the tile that is taken, ``swaps`` as the program says them.
    """

    targets: tuple[Space, ...] = ()
    chosen: Space | None = None
    units: tuple[Unit, ...] = (Unit(), Unit(), Unit())
    old: bool = False
    active: int | None = None
    arrows: tuple[str, ...] | None = None
    orders: tuple[str, ...] = ()
    tile: int | None = None
    swaps: tuple[str, ...] = ()
    diagonal: bool = False
    """Whether Diagonal Drive lets blue dice of low numbers lie on diagonal arrows."""


def highlights(view: View, draft: Words, menu: Menu | None) -> Highlights:
    """Return the marks of ``draft``, of what is committed, and of the next words that ``menu`` offers."""
    if view.phase is Phase.PROGRAM:
        return _program(view, draft, menu)
    said = draft or view.answer
    chosen = next((word for word in said if word in SPACES), None)
    last = view.last
    units = (Unit(), Unit(), Unit()) if last is None else _units(last.dice)
    return Highlights(targets=view.choices, chosen=chosen, units=units, old=last is not None)


def _units(dice: tuple[DieView, ...]) -> tuple[Unit, Unit, Unit]:
    found = [Unit(), Unit(), Unit()]
    for die in dice:
        found[die.unit] = Unit(die.colour, die.number, die.arrow, die.modules)
    return found[0], found[1], found[2]


def _program(view: View, draft: Words, menu: Menu | None) -> Highlights:
    own, committed = view.own, view.viewer in view.done
    units = list((Unit(), Unit(), Unit()) if own is None else _units(own.dice))
    for number, unit in enumerate(units):
        # A view's program has whole units only; halves stand in the draft alone.
        if not unit.colour or not unit.arrow:
            units[number] = _half_set_unit(draft, UNITS[number]) or unit
    waiting = [n for n, unit in enumerate(units) if not unit.arrow or not unit.colour]
    swaps = () if own is None else own.swaps
    # A committed program waits for nothing, whatever is missing in it.
    active = waiting[0] if menu is not None and waiting and not committed else None
    return Highlights(
        units=tuple(units),
        active=active,
        arrows=None if active is None or menu is None or not units[active].colour else _arrows(menu, active),
        orders=() if own is None else own.orders,
        tile=None if own is None else own.tile,
        swaps=swaps,
        diagonal=_DIAGONAL in _active(view, swaps),
    )


def _active(view: View, swaps: tuple[str, ...]) -> set[str]:
    """Return the names of the seat's modules that are active after the swaps."""
    cards = () if view.viewer is None else view.modules[view.viewer].active
    had = {card.name for card in cards if card.name}
    came, went = ({swap[1:] for swap in swaps if swap[0] == sign} for sign in "+-")
    return (had | came) - went


def _half_set_unit(draft: Words, unit: str) -> Unit | None:
    """Return a unit of which only the die or only the arrow is chosen; a view's program omits it."""
    found = Unit()
    for word in draft:
        name, _, rest = word.partition(":")
        if name != unit or not rest:
            continue
        if rest in DELTA:
            found = Unit(found.colour, found.number, rest)
        elif rest[0] in "br" and rest[1:].isdigit():
            found = Unit("blue" if rest[0] == "b" else "red", int(rest[1:]), found.arrow)
    return found if found != Unit() else None


def _arrows(menu: Menu, unit: int) -> tuple[str, ...] | None:
    """Return the arrows that the menu offers for a unit; ``None`` if it asks for no arrow."""
    prefix = f"{UNITS[unit]}:"
    words = [choice.word.removeprefix(prefix) for choice in menu.choices() if choice.word.startswith(prefix)]
    return tuple(arrow for arrow in DELTA if arrow in words) or None
