"""What a seat may say next, as data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from engines.core.contract import Choice, Field, Group, Menu, Msg, Style, Widget, Words, msg
from engines.volt import answers
from engines.volt.answers import Answer
from engines.volt.draft import Draft, Part, named
from engines.volt.folding import fold
from engines.volt.look import with_program
from engines.volt.modules import MODULES, Use, choices, deck_of, goes_together, name_of, worded
from engines.volt.notation import COLOURS, program_of
from engines.volt.program_errors import together_fault, use_fault
from engines.volt.view import ARROWS, DECKS, UNITS, Phase, View


def is_asked(view: View) -> bool:
    """Return whether the viewer's seat must decide."""
    return view.viewer is not None and view.viewer in view.asked and view.viewer not in view.done


def menu_after(view: View, draft: Words) -> Menu | None:
    """Return the menu after ``draft``, ``None`` if nothing is asked; raises :class:`ActionError`."""
    if not is_asked(view):
        return None
    if view.phase is Phase.PROGRAM:
        return _program_menu(fold(view, draft))
    return _answer_menu(view.phase, answers.fold(view, draft))


def preview_of(view: View, draft: Words) -> View:
    """Return the view of ``draft``: the program, and its dice if nobody else moves."""
    seat = view.viewer
    if seat is None or not draft or not is_asked(view) or view.phase is not Phase.PROGRAM:
        return view
    return with_program(view, seat, program_of(fold(view, draft).words()))


# --- short answers --------------------------------------------------------------------------------


def _answer_menu(phase: Phase, answer: Answer) -> Menu:
    ask = answer.ask
    fields: list[Field] = []
    if ask.spaces:
        spaces = tuple(Choice(space, msg("choice.space", space=space)) for space in ask.spaces)
        fields.append(Field("space", msg("field.space"), spaces, Widget.BUTTONS))
    if ask.decks:
        decks = tuple(Choice(deck, msg(f"deck.{deck}"), msg(f"deck.{deck}.detail")) for deck in ask.decks)
        other = (Choice(ask.other, msg(f"choice.{ask.other}")),) if ask.other else ()
        fields.append(Field("deck", msg(f"field.deck.{phase.value}"), (*other, *decks), Widget.BUTTONS))
    training = phase is Phase.START and not ask.decks
    prompt = msg("prompt.start_training" if training else f"prompt.{phase.value}")
    words = answer.words()
    return Menu(phase.value, prompt, words, tuple(fields), answer.complete, answer.complete)


# --- programs -------------------------------------------------------------------------------------


def _program_menu(draft: Draft) -> Menu:
    fields = [*_dice(draft), *_arrows(draft), *_modules(draft), *_swaps(draft), *_tiles(draft)]
    return Menu("program", _prompt(draft), draft.words(), tuple(fields), draft.complete, draft.complete)


def _prompt(draft: Draft) -> Msg:
    if draft.complete:
        return msg("prompt.program_done")
    for unit, part in enumerate(draft.parts):
        if not part.full:
            return msg("prompt.unit", unit=UNITS[unit])
    return msg("prompt.tile")


def _dice(draft: Draft) -> Iterator[Field]:
    """Yield a field for each unit: colour and number of its die."""
    for unit, part in enumerate(draft.parts):
        field = _die_field(unit, *(draft.dice_left(colour, unit) > 0 for colour in COLOURS.values()))
        yield replace(field, chosen=f"{UNITS[unit]}:{part.colour[:1]}{part.number}" if part.colour else "")


@lru_cache(maxsize=16)
def _die_field(unit: int, *left: bool) -> Field:
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
    return Field(f"die{unit}", msg("field.die", unit=UNITS[unit]), found)


def _arrows(draft: Draft) -> Iterator[Field]:
    """Yield the ring of the first unit that has no arrow, and short fields to change those that have."""
    waiting = next((unit for unit, part in enumerate(draft.parts) if not part.arrow), None)
    for unit, part in enumerate(draft.parts):
        if part.arrow or unit == waiting:
            field = _arrow_field(unit, draft.may_point(part, "NE"), unit == waiting)
            yield replace(field, chosen=f"{UNITS[unit]}:{part.arrow}" if part.arrow else "")


@lru_cache(maxsize=16)
def _arrow_field(unit: int, diagonals: bool, ring: bool) -> Field:
    found = tuple(
        Choice(f"{UNITS[unit]}:{arrow}", msg(f"arrow.{arrow}"), at=arrow if ring else "")
        for arrow in ARROWS
        if diagonals or len(arrow) == 1
    )
    widget = Widget.RING if ring else Widget.SELECT
    return Field(f"arrow{unit}", msg("field.arrow", unit=UNITS[unit]), found, widget)


def _modules(draft: Draft) -> Iterator[Field]:
    """Yield one field with all uses and standing orders that are possible now, and those to take off."""
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
        for choice in choices(name, part.number, draft.ground.arena, draft.ground.side):
            use = worded(name, choice)
            trial = Part(part.colour, part.number, part.arrow, (*part.uses, use))
            if use_fault(draft, unit, trial, use) or together_fault(unit, trial):
                continue
            label = msg("choice.use_on", unit=key, module=_chosen(name, choice))
            yield Choice(f"{key}+{use}", label, msg(f"module.{name}.short"), key)


def _chosen(name: str, choice: str) -> Msg:
    """Return a module with its choice, as a label says it."""
    if not choice:
        return named(name)
    said = msg(f"turn.{choice}") if choice in ("left", "right") else choice
    return msg(f"use.{name}", module=named(name), choice=said)


def _swaps(draft: Draft) -> Iterator[Field]:
    """Yield one field with all single swaps that keep the modules legal."""
    owned = draft.ground.active + draft.ground.spare
    out = tuple(
        Choice(
            f"swap-{name}",
            msg("choice.swap_out", module=named(name)),
            msg(f"module.{name}.short"),
            deck_of(name),
        )
        for name in draft.active
    )
    into = tuple(choice for name in owned if name not in draft.active for choice in _puts_in(draft, name))
    if not into and not draft.swaps:
        return
    groups = tuple(
        Group(deck, msg(f"deck.{deck}")) for deck in DECKS if any(c.group == deck for c in (*into, *out))
    )
    yield Field("swap", msg("field.swap"), (*into, *out), groups=groups)


def _puts_in(draft: Draft, name: str) -> Iterator[Choice]:
    detail, deck = msg(f"module.{name}.short"), deck_of(name)
    if goes_together((*draft.active, name)):
        yield Choice(f"swap+{name}", msg("choice.swap_in", module=named(name)), detail, deck)
    for other in draft.active:
        if goes_together((*(kept for kept in draft.active if kept != other), name)):
            label = msg("choice.swap_for", module=named(name), other=named(other))
            yield Choice(f"swap+{name}-{other}", label, detail, deck)


def _tiles(draft: Draft) -> Iterator[Field]:
    """Yield the free number tiles once all units are complete."""
    if draft.ready and draft.ground.tiled:
        found = tuple(
            Choice(f"tile:{tile}", msg("choice.tile", tile=tile), style=Style.PRIMARY)
            for tile in draft.ground.free
        )
        yield Field("tile", msg("field.tile"), found, Widget.BUTTONS)
