"""What may be said next of a program: the first unit that is not set is asked, others can be opened again.

A die is asked first, as a grid, then its arrow, as a ring. Then the next unit is asked, and last the tile.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from engines.core.contract import Arg, Choice, Field, Group, Menu, Msg, Widget, Words, msg
from engines.volt.draft import Draft, Part, together_fault, use_fault
from engines.volt.modules import (
    MODULES,
    Use,
    choices,
    deck_of,
    goes_together,
    name_of,
    named,
    use_text,
    worded,
)
from engines.volt.notation import COLOURS, program_of
from engines.volt.program import fold, forecast_of
from engines.volt.retelling import dice_outcomes
from engines.volt.view import ARROWS, DECKS, UNITS, View


def menu_after(view: View, words: Words) -> Menu:
    """Return what may follow ``words``; raises as :func:`engines.volt.program.fold`."""
    draft = fold(view, words)
    swaps = _swap_fields(draft.active, draft.basis.active + draft.basis.spare, draft.swaps)
    fields = (*_open_unit(draft), *_tiles(draft), *_modules(draft), *_set_units(view, draft), *swaps)
    return Menu("program", _prompt(draft), draft.words(), fields, draft.complete, draft.complete)


def _open(draft: Draft) -> int | None:
    """Return the unit that is asked: the first that is not set."""
    return next((unit for unit, part in enumerate(draft.parts) if not part.full), None)


def _prompt(draft: Draft) -> Msg:
    unit = _open(draft)
    if unit is None:
        return msg("prompt.program_done", parts=tuple(_told(draft))) if draft.complete else msg("prompt.tile")
    part, name = draft.parts[unit], UNITS[unit]
    if part.colour:
        return msg(f"prompt.arrow.{part.colour}", unit=name, n=part.number)
    with_dice = tuple(_goes_with(module) for module in draft.active if MODULES[module].die)
    if with_dice:
        return msg("prompt.die_modules", unit=name, modules=with_dice)
    return msg("prompt.die", unit=name)


def _told(draft: Draft) -> Iterator[Msg]:
    """Yield what a program is of, in its order."""
    for swap in draft.swaps:
        yield msg("swapped_in" if swap[0] == "+" else "swapped_out", module=named(swap[1:]))
    for unit, part in enumerate(draft.parts):
        yield _named_unit("unit", UNITS[unit], part)
    yield from map(named, draft.orders)
    if draft.tile is not None:
        yield msg("tile", tile=draft.tile)


def _goes_with(name: str) -> Msg:
    """Return a module with the dice that it goes with, or as a standing order."""
    module = MODULES[name]
    if not module.die:
        return msg("goes_with.orders", module=named(name))
    return msg("goes_with.die", module=named(name), colour=msg(f"colour.{module.die}"), span=module.span)


# --- the unit that is asked ---------------------------------------------------------------------------


def _open_unit(draft: Draft) -> Iterator[Field]:
    unit = _open(draft)
    if unit is None:
        return
    part = draft.parts[unit]
    left = tuple(colour for colour in COLOURS.values() if draft.dice_left(colour, unit) > 0)
    if part.colour:
        yield _arrow_field(unit, part, draft.may_point(part, "NE"))
        yield _other_die_field(unit, f"{UNITS[unit]}:{part.die}", left)
    else:
        yield _die_field(unit, left)


@lru_cache(maxsize=16)
def _die_field(unit: int, colours: tuple[str, ...]) -> Field:
    found = tuple(
        Choice(word, msg(f"choice.die.{colour}", number=number))
        for word, colour, number in _dice(unit, colours)
    )
    both = colours[0] if len(colours) == 1 else "both"
    return Field(f"die{unit}", msg(f"field.die.{both}", unit=UNITS[unit]), found, Widget.GRID)


@lru_cache(maxsize=128)
def _other_die_field(unit: int, chosen: str, colours: tuple[str, ...]) -> Field:
    found = tuple(
        Choice(
            word,
            msg(f"choice.{colour}", unit=UNITS[unit], number=number),
            msg(f"choice.{colour}.detail", n=number),
        )
        for word, colour, number in _dice(unit, colours)
    )
    return Field(f"die{unit}", msg("field.die", unit=UNITS[unit]), found, chosen=chosen)


def _dice(unit: int, colours: Iterable[str]) -> Iterator[tuple[str, str, int]]:
    """Yield the dice of some colours: word, colour and number of each."""
    for sign, colour in COLOURS.items():
        if colour in colours:
            yield from ((f"{UNITS[unit]}:{sign}{number}", colour, number) for number in range(1, 7))


@lru_cache(maxsize=128)
def _arrow_field(unit: int, part: Part, diagonals: bool) -> Field:
    found = tuple(
        Choice(f"{UNITS[unit]}:{one}", msg(f"arrow.{one}"), at=one)
        for one in ARROWS
        if diagonals or len(one) == 1
    )
    return Field(f"arrow{unit}", _named_unit("field.arrow", UNITS[unit], part), found, Widget.RING)


# --- the units that are set ---------------------------------------------------------------------------


def _set_units(view: View, draft: Draft) -> Iterator[Field]:
    units = [unit for unit, part in enumerate(draft.parts) if part.full]
    if not units:
        return
    ahead = dice_outcomes(forecast_of(view, program_of(draft.words())))
    found = tuple(
        Choice(f"{UNITS[unit]}-", _set_unit(draft.parts[unit], UNITS[unit], ahead.get(UNITS[unit])))
        for unit in units
    )
    yield Field("units", msg("field.units"), found, Widget.GRID)


def _set_unit(part: Part, unit: str, effects: tuple[Msg, ...] | None) -> Msg:
    """Return a unit in a line: its die and modules, and what they come to if nobody else moves."""
    named_unit = _named_unit("unit", unit, part)
    return named_unit if effects is None else msg("choice.unit", unit=named_unit, effects=effects)


def _named_unit(key: str, unit: str, part: Part) -> Msg:
    """Return a unit with its die, and with its modules if it has any."""
    gaps: dict[str, Arg] = {"unit": unit, "colour": msg(f"colour.{part.colour}"), "number": part.number}
    if part.arrow:
        gaps["arrow"] = msg(f"arrow.{part.arrow}")
    modules = tuple(map(use_text, part.uses))
    return msg(f"{key}.with", modules=modules, **gaps) if modules else msg(key, **gaps)


# --- modules ------------------------------------------------------------------------------------------


def _modules(draft: Draft) -> Iterator[Field]:
    found = [use for unit, part in enumerate(draft.parts) for use in _unit_uses(draft, unit, part)]
    found += [(name, _order(draft, name)) for name in draft.active if MODULES[name].use is Use.STANDING]
    if not found:
        return
    offered = tuple(choice for _, choice in found)
    groups = tuple(
        Group(key, msg("group.orders") if key == "orders" else msg("group.unit", unit=key))
        for key in (*UNITS, "orders")
        if any(choice.group == key for choice in offered)
    )
    names = tuple(_ticked(draft, name) for name in dict.fromkeys(name for name, _ in found))
    yield Field("modules", msg("field.modules", modules=names), offered, groups=groups)


def _ticked(draft: Draft, name: str) -> Msg:
    """Return a module's name, with a tick where it is used."""
    used = {name_of(use) for part in draft.parts for use in part.uses} | set(draft.orders)
    return msg("ticked", module=named(name)) if name in used else named(name)


def _order(draft: Draft, name: str) -> Choice:
    on = name in draft.orders
    label = msg("choice.order_off" if on else "choice.order_on", module=named(name))
    return Choice(f"order{'-' if on else '+'}{name}", label, _effect(name), "orders")


def _unit_uses(draft: Draft, unit: int, part: Part) -> Iterator[tuple[str, Choice]]:
    """Yield what can be taken off a unit and what can be named with it, each with its module's name."""
    key = UNITS[unit]
    on = {name_of(use): use for use in part.uses}
    for name, use in on.items():
        label = msg("choice.use_off", unit=key, module=use_text(use))
        yield name, Choice(f"{key}-{name}", label, _effect(name), key)
    for name in draft.active:
        if name in on or not part.colour or not MODULES[name].fits(part.colour, part.number):
            continue
        for choice in choices(name, part.number, draft.basis.arena, draft.basis.side):
            use = worded(name, choice)
            trial = Part(part.colour, part.number, part.arrow, (*part.uses, use))
            if not (use_fault(draft, unit, trial, use) or together_fault(unit, trial)):
                label = msg("choice.use_on", unit=key, module=use_text(use))
                yield name, Choice(f"{key}+{use}", label, _effect(name), key)


def _effect(name: str) -> Msg:
    return msg(f"module.{name}.effect")


# --- swaps --------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def _swap_fields(
    active: tuple[str, ...], owned: tuple[str, ...], swaps: tuple[str, ...]
) -> tuple[Field, ...]:
    # Kept, since nearly all menus of a draft offer the same swaps, and there can be eighty of them.
    out = tuple(
        Choice(f"swap-{name}", msg("choice.swap_out", module=_goes_with(name)), _effect(name), deck_of(name))
        for name in active
    )
    into = tuple(choice for name in owned if name not in active for choice in _puts_in(active, name))
    # With nothing to swap in there is no point in swapping out, unless it takes back a drafted swap.
    if not into and not swaps:
        return ()
    groups = tuple(
        Group(deck, msg("group.deck", deck=msg(f"deck.{deck}")))
        for deck in DECKS
        if any(c.group == deck for c in (*into, *out))
    )
    return (Field("swap", _swapped(swaps), (*into, *out), groups=groups),)


def _swapped(swaps: tuple[str, ...]) -> Msg:
    """Return what is swapped already, or what can be done."""
    if not swaps:
        return msg("field.swap")
    came, went = (tuple(named(swap[1:]) for swap in swaps if swap[0] == sign) for sign in "+-")
    key = "both" if came and went else "in" if came else "out"
    return msg(f"field.swapped.{key}", modules_in=came, modules_out=went)


def _puts_in(active: tuple[str, ...], name: str) -> Iterator[Choice]:
    module, detail, deck = _goes_with(name), _effect(name), deck_of(name)
    if goes_together((*active, name)):
        yield Choice(f"swap+{name}", msg("choice.swap_in", module=module), detail, deck)
    for other in active:
        if goes_together((*(kept for kept in active if kept != other), name)):
            label = msg("choice.swap_for", module=module, other_module=named(other))
            yield Choice(f"swap+{name}-{other}", label, detail, deck)


# --- number tiles -------------------------------------------------------------------------------------


def _tiles(draft: Draft) -> Iterator[Field]:
    if draft.ready and draft.basis.tiled:
        found = tuple(Choice(f"tile:{tile}", msg("choice.tile", tile=tile)) for tile in draft.basis.free)
        chosen = "" if draft.tile is None else f"tile:{draft.tile}"
        yield Field("tile", msg("field.tile"), found, Widget.BUTTONS, chosen=chosen)
