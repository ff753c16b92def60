"""What goes on with a step that is begun: the rest of its words."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.contract import Choice, Field, SeatName, Widget, msg
from engines.corto import acting, advantages, aims, playing
from engines.corto.cards import Card, Kind
from engines.corto.choices import (
    action_fields,
    card_choice,
    deck_field,
    hit_fields,
    name_at,
    place_field,
    square_choice,
    start_field,
)
from engines.corto.course import Course
from engines.corto.draft import Draft
from engines.corto.effects import by_place, own_elsewhere
from engines.corto.files import CARDS
from engines.corto.notation import Kind as Sort
from engines.corto.notation import Word
from engines.corto.openings import playable
from engines.corto.steps import Step, Verb
from engines.corto.table import Table


def open_fields(draft: Draft) -> Iterator[Field]:
    """Yield what goes on with the open words."""
    course, words = draft.course, draft.open
    table, first, last = course.table, words[0], words[-1]
    if last.kind in (Sort.SQUARE, Sort.ADD) and first.text not in ("move", "adv"):
        yield place_field("from", _origins(course, words))
    elif last.kind is Sort.CARD:
        yield from _card_fields(course, CARDS[last.text])
    elif first.text in ("move", "adv") and last.kind is Sort.SQUARE:
        key = "choice.move_to" if first.text == "move" else "choice.swap"
        others = (at for at in by_place(table) if at != last.one)
        yield place_field("to", (square_choice(table, at, key) for at in others))
    else:
        yield from _verb_fields(draft, first.text, last.text)


def _origins(course: Course, words: list[Word]) -> Iterator[Choice]:
    """Yield where a marker may come from, for the character or the square that the open words name."""
    table, last = course.table, words[-1]
    placed = words[0].text == "play"
    reveals = placed and playing.turns_up(table, Step(Verb.PLAY, square=last.one))
    for square in own_elsewhere(table, last.one):
        yield square_choice(table, square, "choice.from", f"<{square}", reveals=reveals)


def _card_fields(course: Course, card: Card) -> Iterator[Field]:
    """Yield what is asked of a card that is taken up."""
    table = course.table
    match card.kind:
        case Kind.CHARACTER:
            yield place_field("place", _placings(table, card))
        case Kind.CORTO | Kind.RASPUTIN:
            places = (square_choice(table, at, "choice.go") for at in playing.figurine_places(table, card))
            yield place_field("go", places)
        case _ if card.effect == "swap":
            yield place_field("swap", (square_choice(table, at, "choice.swap") for at in by_place(table)))
        case _ if card.effect == "bribe":
            yield place_field("bribe", _bribes(table))
        case _:
            yield Field("victim", msg("field.victim"), tuple(_victims(table)), Widget.BUTTONS)


def _placings(table: Table, card: Card) -> Iterator[Choice]:
    for square in playing.character_places(table, card):
        step = Step(Verb.PLAY, card=card.id, square=square)
        reveals = not playing.asks_origin(table, square) and playing.turns_up(table, step)
        yield square_choice(table, square, "choice.place", reveals=reveals)


def _bribes(table: Table) -> Iterator[Choice]:
    for square, owner in advantages.opposing_markers(table):
        label = msg("choice.take", square=square, owner=SeatName(owner))
        colour = table.colours[owner]
        detail = msg("choice.take.detail", colour=colour, card=name_at(table, square))
        yield Choice(f"{square}:{colour}", label, detail, square[0].upper())


def _victims(table: Table) -> Iterator[Choice]:
    for seat in advantages.victims(table):
        cards = msg("choice.victim.detail", n=len(table.backs[seat]))
        yield Choice(table.colours[seat], msg("choice.victim", seat=SeatName(seat)), cards, reveals=True)


def _verb_fields(draft: Draft, verb: str, last: str) -> Iterator[Field]:
    """Yield what may follow a verb that was typed alone."""
    course = draft.course
    table = course.table
    match verb:
        case "start":
            yield start_field(table)
        case "draw":
            yield deck_field(table)
        case "move":
            yield from action_fields(table)
        case "kill" | "shot":
            aim = acting.check_aim(table, shot=verb == "shot")
            kills = (square_choice(table, at, "choice.kill_at") for at in aims.kills(table, aim))
            if verb == "shot" and last == "shot":
                yield from hit_fields(table, aim, "shot:")
            else:
                yield place_field("kill", kills)
        case "hit":
            train = Choice("train", msg("choice.train"), reveals=True)
            yield Field("hit", msg("field.hit"), (train,), Widget.BUTTONS)
        case "sail":
            yield from (part for part in action_fields(table) if part.key == "sail")
        case _:
            cards = tuple(card_choice(card) for card in playable(course) if playing.verb_of(card) == verb)
            yield Field("hand", msg("field.hand"), cards, Widget.BUTTONS)
