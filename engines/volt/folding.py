"""Words folded into a draft of a program: whole words set, short ones change."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import IllegalAction, InvalidAction, Words, msg
from engines.volt.draft import Draft, Ground, Part, named
from engines.volt.modules import in_order, name_of
from engines.volt.notation import COLOURS, PROGRAM_KINDS, Kind, Word, parse, swapped_in
from engines.volt.program_errors import check, together_fault, use_fault
from engines.volt.view import UNITS, View


def fold(view: View, words: Words) -> Draft:
    """Return the draft of words; raises :class:`InvalidAction` or :class:`IllegalAction`."""
    ground = Ground.of(view)
    draft = Draft(ground, ground.active)
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


def _fold_unit(draft: Draft, word: Word) -> Draft:
    """A whole word replaces its unit; a die or an arrow alone changes it, and drops what no longer fits."""
    unit = UNITS.index(word.parts[0])
    _, colour, number, arrow, uses = word.parts
    old = draft.parts[unit]
    new = Part(COLOURS.get(colour, ""), int(number or 0), arrow, _sorted(tuple(uses.split("+")[1:])))
    if new.full or new.uses:
        return draft.with_part(unit, new)
    if new.colour:
        return tidy(draft.with_part(unit, replace(old, colour=new.colour, number=new.number)))
    return draft.with_part(unit, replace(old, arrow=arrow))


def _sorted(uses: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted(uses))


def _fold_unit_edit(draft: Draft, word: Word) -> Draft:
    unit = UNITS.index(word.parts[0])
    _, sign, use = word.parts
    old = draft.parts[unit]
    others = tuple(other for other in old.uses if name_of(other) != name_of(use))
    if sign == "+":
        return draft.with_part(unit, replace(old, uses=_sorted((*others, use))))
    if len(others) == len(old.uses):
        raise IllegalAction(msg("error.use_absent", unit=UNITS[unit], module=named(name_of(use))))
    return draft.with_part(unit, replace(old, uses=others))


def _fold_swap(draft: Draft, word: Word) -> Draft:
    """Take a whole swap, which counts from the modules that are active now."""
    ground = draft.ground
    swaps = tuple(word.parts[0].split(","))
    came, went = swapped_in(swaps)
    for name in in_order(came & went):
        raise IllegalAction(msg("error.swap_both", module=named(name)))
    if len(came) + len(went) < len(swaps):
        raise IllegalAction(msg("error.swap_twice"))
    for name in in_order(came):
        _check_spare(name, ground.active, ground.spare)
    for name in in_order(went - frozenset(ground.active)):
        raise IllegalAction(msg("error.swap_not_active", module=named(name)))
    return replace(draft, active=in_order((frozenset(ground.active) | came) - went))


def _check_spare(name: str, active: tuple[str, ...], spare: tuple[str, ...]) -> None:
    if name in active:
        raise IllegalAction(msg("error.swap_active", module=named(name)))
    if name not in spare:
        raise IllegalAction(msg("error.swap_not_owned", module=named(name)))


def _fold_swap_edit(draft: Draft, word: Word) -> Draft:
    came, went = word.parts
    if went and went not in draft.active:
        raise IllegalAction(msg("error.swap_not_active", module=named(went)))
    active = frozenset(draft.active) - {went}
    if came:
        owned = draft.ground.active + draft.ground.spare
        _check_spare(came, in_order(active), owned)
        active |= {came}
    return tidy(replace(draft, active=in_order(active)))


def _fold_order(draft: Draft, word: Word) -> Draft:
    names = tuple(word.parts[0].split(","))
    if len(set(names)) < len(names):
        raise IllegalAction(msg("error.order_twice"))
    return replace(draft, orders=in_order(names))


def _fold_order_edit(draft: Draft, word: Word) -> Draft:
    sign, name = word.parts
    others = tuple(other for other in draft.orders if other != name)
    if sign == "+":
        return replace(draft, orders=in_order((*others, name)))
    if len(others) == len(draft.orders):
        raise IllegalAction(msg("error.order_absent", module=named(name)))
    return replace(draft, orders=others)


def _fold_tile(draft: Draft, word: Word) -> Draft:
    return replace(draft, tile=int(word.parts[0]))


_FOLDS = {
    Kind.UNIT: _fold_unit,
    Kind.UNIT_EDIT: _fold_unit_edit,
    Kind.SWAP: _fold_swap,
    Kind.SWAP_EDIT: _fold_swap_edit,
    Kind.ORDER: _fold_order,
    Kind.ORDER_EDIT: _fold_order_edit,
    Kind.TILE: _fold_tile,
}


def tidy(draft: Draft) -> Draft:
    """Return the draft without what a change of a die or of the modules has made impossible."""
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
