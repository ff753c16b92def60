"""In which order dice are activated. Source: the rules page, *Activation*."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from engines.core.contract import Seat
from engines.volt import facts
from engines.volt.effects import activate
from engines.volt.table import Table
from engines.volt.view import UNITS, DieView, ProgramView

Turn = tuple[Seat, DieView]
Key = tuple[int, int, int]

_LAST = len(UNITS) - 1


def run(table: Table) -> dict[Seat, set[int]]:
    """Activate all dice; return the units of each seat whose dice were. Raises :class:`table.Won`."""
    shown: dict[Seat, set[int]] = {seat: set() for seat in table.programs}
    turns = [
        (key(die, program), (seat, die)) for seat, program in table.programs.items() for die in program.dice
    ]
    turns.sort(key=lambda item: (item[0], _tile(table, item[1])))
    for _, group in groupby(turns, key=lambda item: item[0]):
        for seat, die in tied(table, [turn for _, turn in group]):
            shown[seat].add(die.unit)
            activate(table, seat, die)
    return shown


def key(die: DieView, program: ProgramView) -> Key:
    """Return the place of a die: unit, number, blue before red. Reverse Gear turns the units round."""
    unit = _LAST - die.unit if "reverse" in program.orders else die.unit
    return unit, die.number, 0 if die.colour == "blue" else 1


def tied(table: Table, group: list[Turn]) -> Iterator[Turn]:
    """Yield dice alike in unit, number and colour, each as it is to be activated: by tile, Chips first.

    The dice of robots off the board are skipped where the tile alone would have put them, so that a
    Chip which changed nothing stays unseen; it turns up when its die goes before one, of a robot on
    the board, that the tile would have put first.
    """
    left = list(group)
    while left:
        standing = [turn for turn in left if table.pos(turn[0]) is not None]
        chips = [turn for turn in standing if "priority" in table.orders[turn[0]]]
        first = chips or standing
        chosen = first[0] if first else None
        for turn in left[: len(left) if chosen is None else left.index(chosen)]:
            if table.pos(turn[0]) is None:
                table.say(facts.skipped(turn[0], UNITS[turn[1].unit]))
                left.remove(turn)
        if chosen is None:
            return
        if left[0] is not chosen:
            table.uses(chosen[0], "priority")
        left.remove(chosen)
        yield chosen


def _tile(table: Table, turn: Turn) -> int:
    return table.programs[turn[0]].tile or 0


def forecast(table: Table, seat: Seat, program: ProgramView) -> None:
    """Activate the dice of one seat alone, as far as they are given. Raises :class:`table.Won`."""
    for die in sorted(program.dice, key=lambda die: key(die, program)):
        if table.pos(seat) is None:
            return
        activate(table, seat, die)
