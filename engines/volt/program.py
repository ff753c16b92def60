"""Programs: the words of one folded into a draft, and the words that may follow.

Whole words set (``I:b3E``, ``swap:+shield,-turbo``); short ones change
what is there (``I:E``, ``swap-turbo``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache

from engines.core.contract import (
    Choice,
    Field,
    Group,
    IllegalAction,
    InvalidAction,
    Menu,
    Msg,
    Style,
    Widget,
    Words,
    msg,
)
from engines.volt.activation import forecast
from engines.volt.battle import Battle, Won
from engines.volt.draft import Basis, Draft, Part, check, together_fault, use_fault
from engines.volt.modules import (
    MODULES,
    Use,
    choices,
    deck_of,
    goes_together,
    in_order,
    name_of,
    named,
    use_text,
    worded,
)
from engines.volt.notation import COLOURS, PROGRAM_KINDS, Kind, Word, parse, program_of, swapped_in
from engines.volt.view import ARROWS, DECKS, UNITS, Forecast, View

# --- units: dice, arrows, modules --------------------------------------------------------------------


def _fold_unit(draft: Draft, word: Word) -> Draft:
    unit = UNITS.index(word.parts[0])
    old = draft.parts[unit]
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


def _dice(draft: Draft) -> Iterator[Field]:
    for unit, part in enumerate(draft.parts):
        chosen = f"{UNITS[unit]}:{part.colour[:1]}{part.number}" if part.colour else ""
        yield _die_field(unit, chosen, *(draft.dice_left(colour, unit) > 0 for colour in COLOURS.values()))


@lru_cache(maxsize=256)
def _die_field(unit: int, chosen: str, *left: bool) -> Field:
    found = tuple(
        Choice(
            f"{UNITS[unit]}:{sign}{number}",
            msg(f"choice.{colour}", unit=UNITS[unit], number=number),
            msg(f"choice.{colour}.detail", n=number),
        )
        for (sign, colour), there in zip(COLOURS.items(), left, strict=True)
        if there
        for number in range(1, 7)
    )
    return Field(f"die{unit}", msg("field.die", unit=UNITS[unit]), found, chosen=chosen)


def _arrows(draft: Draft) -> Iterator[Field]:
    # The first unit without an arrow is asked with a ring; those that have one only need a short list.
    waiting = next((unit for unit, part in enumerate(draft.parts) if not part.arrow), None)
    for unit, part in enumerate(draft.parts):
        if part.arrow or unit == waiting:
            yield _arrow_field(unit, part.arrow, draft.may_point(part, "NE"), unit == waiting)


@lru_cache(maxsize=128)
def _arrow_field(unit: int, arrow: str, diagonals: bool, ring: bool) -> Field:
    found = tuple(
        Choice(f"{UNITS[unit]}:{one}", msg(f"arrow.{one}"), at=one if ring else "")
        for one in ARROWS
        if diagonals or len(one) == 1
    )
    widget = Widget.RING if ring else Widget.SELECT
    chosen = f"{UNITS[unit]}:{arrow}" if arrow else ""
    return Field(f"arrow{unit}", msg("field.arrow", unit=UNITS[unit]), found, widget, chosen=chosen)


def _modules(draft: Draft) -> Iterator[Field]:
    found: list[Choice] = []
    for unit, part in enumerate(draft.parts):
        found += _unit_uses(draft, unit, part)
    for name in draft.active:
        if MODULES[name].use is Use.STANDING:
            on = name in draft.orders
            label = msg("choice.order_off" if on else "choice.order_on", module=named(name))
            detail = msg(f"module.{name}.short")
            found.append(Choice(f"order{'-' if on else '+'}{name}", label, detail, "orders"))
    groups = tuple(
        Group(key, msg("group.orders") if key == "orders" else msg("group.unit", unit=key))
        for key in (*UNITS, "orders")
        if any(choice.group == key for choice in found)
    )
    if found:
        yield Field("modules", msg("field.modules"), tuple(found), groups=groups)


def _unit_uses(draft: Draft, unit: int, part: Part) -> Iterator[Choice]:
    key = UNITS[unit]
    on = {name_of(use): use for use in part.uses}
    for name, use in on.items():
        label = msg("choice.use_off", unit=key, module=named(name))
        yield Choice(f"{key}-{name}", label, msg("choice.use_off.detail", use=use), key)
    for name in draft.active:
        if name in on or not part.colour or not MODULES[name].fits(part.colour, part.number):
            continue
        for choice in choices(name, part.number, draft.basis.arena, draft.basis.side):
            use = worded(name, choice)
            trial = Part(part.colour, part.number, part.arrow, (*part.uses, use))
            if use_fault(draft, unit, trial, use) or together_fault(unit, trial):
                continue
            label = msg("choice.use_on", unit=key, module=use_text(use))
            yield Choice(f"{key}+{use}", label, msg(f"module.{name}.short"), key)


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


def _swaps(draft: Draft) -> Iterator[Field]:
    yield from _swap_fields(draft.active, draft.basis.active + draft.basis.spare, bool(draft.swaps))


@lru_cache(maxsize=256)
def _swap_fields(active: tuple[str, ...], owned: tuple[str, ...], swapped: bool) -> tuple[Field, ...]:
    # Kept, since nearly all menus of a draft offer the same swaps, and there can be eighty of them.
    out = tuple(
        Choice(
            f"swap-{name}",
            msg("choice.swap_out", module=named(name)),
            msg(f"module.{name}.short"),
            deck_of(name),
        )
        for name in active
    )
    into = tuple(choice for name in owned if name not in active for choice in _puts_in(active, name))
    # With nothing to swap in there is no point in swapping out, unless it takes back a drafted swap.
    if not into and not swapped:
        return ()
    groups = tuple(
        Group(deck, msg(f"deck.{deck}")) for deck in DECKS if any(c.group == deck for c in (*into, *out))
    )
    return (Field("swap", msg("field.swap"), (*into, *out), groups=groups),)


def _puts_in(active: tuple[str, ...], name: str) -> Iterator[Choice]:
    detail, deck = msg(f"module.{name}.short"), deck_of(name)
    if goes_together((*active, name)):
        yield Choice(f"swap+{name}", msg("choice.swap_in", module=named(name)), detail, deck)
    for other in active:
        if goes_together((*(kept for kept in active if kept != other), name)):
            label = msg("choice.swap_for", module=named(name), other=named(other))
            yield Choice(f"swap+{name}-{other}", label, detail, deck)


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


# --- number tiles ------------------------------------------------------------------------------------


def _tiles(draft: Draft) -> Iterator[Field]:
    if draft.ready and draft.basis.tiled:
        found = tuple(
            Choice(f"tile:{tile}", msg("choice.tile", tile=tile), style=Style.PRIMARY)
            for tile in draft.basis.free
        )
        yield Field("tile", msg("field.tile"), found, Widget.BUTTONS)


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
    Kind.SWAP: _fold_swap,
    Kind.SWAP_EDIT: _fold_swap,
    Kind.ORDER: _fold_order,
    Kind.ORDER_EDIT: _fold_order,
    Kind.TILE: lambda draft, word: replace(draft, tile=int(word.parts[0])),
}


def menu_after(view: View, words: Words) -> Menu:
    """Return what may follow ``words``; raises as :func:`fold`."""
    draft = fold(view, words)
    fields = [*_dice(draft), *_arrows(draft), *_modules(draft), *_swaps(draft), *_tiles(draft)]
    return Menu("program", _prompt(draft), draft.words(), tuple(fields), draft.complete, draft.complete)


def _prompt(draft: Draft) -> Msg:
    if draft.complete:
        return msg("prompt.program_done")
    for unit, part in enumerate(draft.parts):
        if not part.full:
            return msg("prompt.unit", unit=UNITS[unit])
    return msg("prompt.tile")


def preview(view: View, words: Words) -> View:
    """Return the view with the drafted program, and where its dice lead if nobody else moves."""
    seat = view.viewer
    assert seat is not None
    program = program_of(fold(view, words).words())
    battle = Battle.of_view(view, {seat: program})
    _, went = swapped_in(program.swaps)
    battle.face_up[seat] -= went
    # A preview shows the own dice only: what the others do is not known, and not guessed.
    with suppress(Won):
        forecast(battle, seat, program)
    return replace(view, own=program, forecast=Forecast(tuple(battle.facts)))
