"""Programs: the words of one folded into a draft, and what the board would show of it.

Whole words set (``I:b3E``, ``swap:+shield,-turbo``); short ones change
what is there (``I:E``, ``I-``, ``swap-turbo``). The menus: :mod:`engines.volt.program_menu`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from engines.core.contract import Fact, IllegalAction, InvalidAction, Words, msg
from engines.volt.activation import forecast
from engines.volt.battle import Battle, Won
from engines.volt.draft import Basis, Draft, Part, check, together_fault, use_fault
from engines.volt.modules import in_order, name_of, named
from engines.volt.notation import COLOURS, PROGRAM_KINDS, Kind, Word, parse, program_of, swapped_in
from engines.volt.view import UNITS, Forecast, ProgramView, View

# --- units: dice, arrows, modules --------------------------------------------------------------------


def _fold_unit(draft: Draft, word: Word) -> Draft:
    unit = UNITS.index(word.parts[0])
    old = draft.parts[unit]
    if word.kind is Kind.UNIT_OPEN:
        if not old.arrow:
            raise IllegalAction(msg("error.unit_open", unit=UNITS[unit]))
        return draft.with_part(unit, replace(old, arrow=""))
    if word.kind is Kind.UNIT_EDIT:
        return draft.with_part(unit, replace(old, uses=_edited(UNITS[unit], old.uses, *word.parts[1:])))
    _, colour, number, arrow, uses = word.parts
    new = Part(COLOURS.get(colour, ""), int(number or 0), arrow, tuple(sorted(uses.split("+")[1:])))
    # A whole word replaces its unit; a die or an arrow alone changes it, and drops what no longer fits.
    if new.full or new.uses:
        return draft.with_part(unit, new)
    if new.colour:
        return _tidy(draft.with_part(unit, replace(old, colour=new.colour, number=new.number)))
    return draft.with_part(unit, replace(old, arrow=arrow))


def _edited(unit: str, uses: tuple[str, ...], sign: str, use: str) -> tuple[str, ...]:
    others = tuple(other for other in uses if name_of(other) != name_of(use))
    if sign == "+":
        return tuple(sorted((*others, use)))
    if len(others) == len(uses):
        raise IllegalAction(msg("error.use_absent", unit=unit, module=named(name_of(use))))
    return others


def _tidy(draft: Draft) -> Draft:
    # A change of a die or of the modules takes along what it has made impossible, instead of being refused.
    for unit, part in enumerate(draft.parts):
        arrow = part.arrow if draft.may_point(part, part.arrow) else ""
        if arrow == part.arrow and not part.uses:
            continue
        uses: tuple[str, ...] = ()
        for use in part.uses:
            trial = replace(part, arrow=arrow, uses=(*uses, use))
            if use_fault(draft, unit, trial, use) is None and together_fault(unit, trial) is None:
                uses = trial.uses
        draft = draft.with_part(unit, replace(part, arrow=arrow, uses=uses))
    return replace(draft, orders=tuple(name for name in draft.orders if name in draft.active))


# --- swaps -------------------------------------------------------------------------------------------


def _fold_swap(draft: Draft, word: Word) -> Draft:
    basis = draft.basis
    if word.kind is Kind.SWAP_EDIT:
        into, out = word.parts
        if out and out not in draft.active:
            raise IllegalAction(msg("error.swap_not_active", module=named(out)))
        active = frozenset(draft.active) - {out}
        if into:
            _check_spare(into, in_order(active), basis.active + basis.spare)
            active |= {into}
        return _tidy(replace(draft, active=in_order(active)))
    # A whole swap counts from the modules that are active now, not from the draft's.
    swaps = tuple(word.parts[0].split(","))
    came, went = swapped_in(swaps)
    for name in in_order(came & went):
        raise IllegalAction(msg("error.swap_both", module=named(name)))
    if len(came) + len(went) < len(swaps):
        raise IllegalAction(msg("error.swap_twice"))
    for name in in_order(came):
        _check_spare(name, basis.active, basis.spare)
    for name in in_order(went - frozenset(basis.active)):
        raise IllegalAction(msg("error.swap_not_active", module=named(name)))
    return replace(draft, active=in_order((frozenset(basis.active) | came) - went))


def _check_spare(name: str, active: tuple[str, ...], spare: tuple[str, ...]) -> None:
    if name in active:
        raise IllegalAction(msg("error.swap_active", module=named(name)))
    if name not in spare:
        raise IllegalAction(msg("error.swap_not_owned", module=named(name)))


# --- standing orders ---------------------------------------------------------------------------------


def _fold_order(draft: Draft, word: Word) -> Draft:
    if word.kind is Kind.ORDER:
        names = tuple(word.parts[0].split(","))
        if len(set(names)) < len(names):
            raise IllegalAction(msg("error.order_twice"))
        return replace(draft, orders=in_order(names))
    sign, name = word.parts
    others = tuple(other for other in draft.orders if other != name)
    if sign == "+":
        return replace(draft, orders=in_order((*others, name)))
    if len(others) == len(draft.orders):
        raise IllegalAction(msg("error.order_absent", module=named(name)))
    return replace(draft, orders=others)


# --- the whole program -------------------------------------------------------------------------------


def fold(view: View, words: Words) -> Draft:
    """Return the draft of words; raises :class:`InvalidAction` or :class:`IllegalAction`."""
    basis = Basis.of(view)
    draft = Draft(basis, basis.active)
    for number, word in enumerate(map(parse, words)):
        if word.kind not in PROGRAM_KINDS:
            raise IllegalAction(msg("error.program_asked"))
        if word.kind is Kind.PROGRAM:
            if number:
                raise InvalidAction(msg("error.program_first"))
            continue
        draft = _FOLDS[word.kind](draft, word)
    check(draft)
    return draft


_FOLDS: dict[Kind, Callable[[Draft, Word], Draft]] = {
    Kind.UNIT: _fold_unit,
    Kind.UNIT_EDIT: _fold_unit,
    Kind.UNIT_OPEN: _fold_unit,
    Kind.SWAP: _fold_swap,
    Kind.SWAP_EDIT: _fold_swap,
    Kind.ORDER: _fold_order,
    Kind.ORDER_EDIT: _fold_order,
    Kind.TILE: lambda draft, word: replace(draft, tile=int(word.parts[0])),
}


def preview(view: View, words: Words) -> View:
    """Return the view with the drafted program, and where its dice lead if nobody else moves."""
    program = program_of(fold(view, words).words())
    return replace(view, own=program, forecast=Forecast(forecast_of(view, program)))


def forecast_of(view: View, program: ProgramView) -> tuple[Fact, ...]:
    """Return what a program of the viewer's seat comes to if nobody else moves."""
    seat = view.viewer
    assert seat is not None
    battle = Battle.of(view, {seat: program})
    _, went = swapped_in(program.swaps)
    battle.face_up[seat] -= went
    # A preview shows the own dice only: what the others do is not known, and not guessed.
    with suppress(Won):
        forecast(battle, seat, program)
    return tuple(battle.facts)
