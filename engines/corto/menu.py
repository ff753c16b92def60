"""What a seat may say next, as data: the choices after a draft, side by side."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.contract import Choice, Field, Menu, Msg, Style, Widget, Words, msg
from engines.corto import playing
from engines.corto.asking import open_fields
from engines.corto.choices import action_fields, card_choice, deck_field, shot_fields, start_field
from engines.corto.course import Course, Duty, duty_of
from engines.corto.draft import Draft, fold
from engines.corto.files import CARDS
from engines.corto.notation import Kind as Sort
from engines.corto.openings import playable
from engines.corto.tables import public_of
from engines.corto.view import View


def is_asked(view: View) -> bool:
    """Return whether the viewer's seat must or may decide."""
    return view.viewer is not None and view.viewer in view.asked


def menu_after(view: View, words: Words) -> Menu | None:
    """Return the menu after a draft, ``None`` if nothing is asked; raises :class:`ActionError`."""
    if not is_asked(view):
        return None
    draft = fold(view, words)
    fields = () if draft.before is not None else tuple(_fields(draft))
    key = duty_of(public_of(view), draft.course.table.seat).value
    return Menu(key, _prompt(draft), draft.words(), fields, draft.complete, draft.closing)


def _prompt(draft: Draft) -> Msg:
    course, turn = draft.course, draft.course.table.turn
    if draft.before is not None:
        return msg("prompt.reveals")
    if draft.open:
        return _open_prompt(draft)
    if course.half:
        return msg("prompt.half", card=_name(turn.card))
    match course.duty:
        case Duty.TURN if turn.card is not None:
            return msg("prompt.card", card=_name(turn.card))
        case Duty.TURN if turn.played:
            return msg("prompt.turn_more", n=playing.MOST_CARDS - len(turn.played))
        case Duty.HAND:
            return msg("prompt.hand", n=course.owed)
        case Duty.DRAWS:
            return msg("prompt.draws" if turn.played else "prompt.draws_all", n=turn.draws)
        case duty:
            return msg(f"prompt.{duty.value}")


def _open_prompt(draft: Draft) -> Msg:
    last = draft.open[-1]
    if last.kind is Sort.CARD:
        return msg(
            f"prompt.card.{CARDS[last.text].effect or CARDS[last.text].kind.value}", card=_name(last.text)
        )
    if last.kind in (Sort.SQUARE, Sort.ADD) and draft.open[0].text not in ("move", "adv"):
        return msg("prompt.from", square=last.one)
    return msg("prompt.go_on")


def _name(card: str | None) -> str:
    return "" if card is None else CARDS[card].name


# --- fields ---------------------------------------------------------------------------------------


def _fields(draft: Draft) -> Iterator[Field]:
    """Yield the fields after a draft that has revealed nothing."""
    course = draft.course
    if draft.open:
        yield from open_fields(draft)
        return
    match course.duty:
        case Duty.START:
            yield start_field(course.table)
        case Duty.TURN:
            yield from _turn_fields(course)
        case Duty.TOSS:
            yield from _toss_fields(draft)
        case Duty.HAND | Duty.DRAWS:
            yield from _draw_fields(course)


def _turn_fields(course: Course) -> Iterator[Field]:
    table, turn = course.table, course.table.turn
    yield from shot_fields(table)
    yield from action_fields(table)
    if course.half:
        return
    hand = tuple(card_choice(card) for card in playable(course))
    if hand:
        yield Field("hand", msg("field.hand"), hand, Widget.BUTTONS)
    if turn.played:
        end = Choice(
            "end", msg("choice.end"), msg("choice.end.detail", n=course.draws_after()), style=Style.PRIMARY
        )
        yield Field("end", msg("field.end"), (end,), Widget.BUTTONS)
    else:
        discard = Choice("discard", msg("choice.discard"), msg("choice.discard.detail"))
        yield Field("end", msg("field.end"), (discard,), Widget.BUTTONS)


# --- the set-up, discards, draws ------------------------------------------------------------------


def _toss_fields(draft: Draft) -> Iterator[Field]:
    course = draft.course
    hand = tuple(card_choice(CARDS[card]) for card in course.table.hand)
    if hand:
        yield Field("toss", msg("field.toss"), hand, Widget.BUTTONS)
    if course.draws_after():
        yield deck_field(course.table)


def _draw_fields(course: Course) -> Iterator[Field]:
    yield deck_field(course.table)
    if course.duty is Duty.DRAWS and course.table.turn.played:
        yield Field("enough", msg("field.enough"), (Choice("enough", msg("choice.enough")),), Widget.BUTTONS)
