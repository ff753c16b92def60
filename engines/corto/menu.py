"""What a seat may say next, as data: the choices after a draft, side by side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engines.core.contract import Choice, Field, Group, Menu, Msg, SeatName, Style, Widget, Words, msg
from engines.corto import acting, advantages, playing
from engines.corto.cards import Card, Kind
from engines.corto.course import Course, Duty, decks, duty_of, starts
from engines.corto.draft import Draft, fold
from engines.corto.effects import by_place, own_elsewhere
from engines.corto.files import CARDS
from engines.corto.notation import Kind as Sort
from engines.corto.notation import Word
from engines.corto.openings import playable
from engines.corto.steps import Step, Verb
from engines.corto.table import Table
from engines.corto.tables import public_of
from engines.corto.view import Square, View

SHOWN = 25
"""Choices that a field shows at once; more are asked in groups."""


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
        yield from _open_fields(draft)
        return
    match course.duty:
        case Duty.START:
            yield _start_field(course.table)
        case Duty.TURN:
            yield from _turn_fields(course)
        case Duty.TOSS:
            yield from _toss_fields(draft)
        case Duty.HAND | Duty.DRAWS:
            yield from _draw_fields(course)


def _turn_fields(course: Course) -> Iterator[Field]:
    table, turn = course.table, course.table.turn
    yield from _shot_fields(table)
    yield from _action_fields(table)
    if course.half:
        return
    hand = tuple(_card_choice(card) for card in playable(course))
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


def _card_choice(card: Card) -> Choice:
    return Choice(card.id, msg("choice.card", card=card.name, id=card.id), _said_on(card))


def _said_on(card: Card) -> Msg:
    return msg("choice.card.detail", text=card.text)


def _action_fields(table: Table) -> Iterator[Field]:
    """Yield what the card in hand may do: adds, hits, moves, sailing, Corto's gold."""
    card = acting.card_in_hand(table)
    if card is None:
        return
    turn = table.turn
    if card.effect == "transfer":
        yield _place_field(
            "from", (_square_choice(table, at, "choice.move_from") for at in _movable(table)), table
        )
        return
    found: list[Choice] = []
    if turn.gold:
        friends = len(acting.friends_earn(table))
        label = msg("choice.gold", n=friends) if friends else msg("choice.gold.none")
        found.append(Choice("gold", label))
    if turn.adds:
        squares = acting.adds_to(table, acting.squares_in_reach(table, card))
        found += (_square_choice(table, at, "choice.add", f"+{at}") for at in squares)
    if found:
        yield Field("add", msg("field.add"), tuple(found))
    aim = acting.aim(table)
    if aim is not None:
        yield from _hit_fields(table, aim)
    sides = tuple(
        Choice(word, msg(f"choice.sail.{word}"), msg("choice.sail.detail", column=column))
        for word, column in acting.sides(table).items()
    )
    if sides:
        yield Field("sail", msg("field.sail"), sides, Widget.BUTTONS)


def _movable(table: Table) -> tuple[Square, ...]:
    return advantages.own_squares(table) if len(table.board) > 1 else ()


def _hit_fields(table: Table, aim: acting.Aim, short: str = "") -> Iterator[Field]:
    """Yield whom a hit may meet, grouped by square; ``short`` is what single words begin with."""
    found = [
        Choice(
            f"{short}-{square}:{table.colours[owner]}",
            msg("choice.take", square=square, owner=SeatName(owner)),
            msg("choice.take.detail", colour=table.colours[owner], card=_name_at(table, square)),
            square,
        )
        for square, owner in acting.takes(table, aim)
    ]
    found += (
        Choice(
            f"{short or 'kill:'}{square}",
            msg("choice.kill", square=square, card=_name_at(table, square)),
            group=square,
            style=Style.DANGER,
        )
        for square in acting.kills(table, aim)
    )
    if acting.train_of(table, aim) is not None:
        found.append(Choice("train", msg("choice.train"), msg("choice.reveals"), "train", reveals=True))
    key = "shot" if short else "hit"
    if found:
        yield _grouped(Field(key, msg(f"field.{key}"), tuple(found)))


def _shot_fields(table: Table) -> Iterator[Field]:
    aim = acting.aim(table, shot=True)
    if aim is not None:
        yield from _hit_fields(table, aim, "shot:")


def _grouped(part: Field) -> Field:
    """Return a field with the groups that its choices name, and without groups where they are few."""
    if len(part.choices) <= SHOWN:
        bare = tuple(Choice(c.word, c.label, c.detail, "", c.reveals, c.aside, c.style) for c in part.choices)
        return Field(part.key, part.label, bare, part.widget)
    names = dict.fromkeys(choice.group for choice in part.choices)
    groups = tuple(
        Group(name, msg("group.train") if name == "train" else msg("group", name=name)) for name in names
    )
    return Field(part.key, part.label, part.choices, part.widget, groups)


def _place_field(key: str, choices: Iterable[Choice], table: Table) -> Field:
    """Return a field of squares, grouped by strip where they are many."""
    del table
    return _grouped(Field(key, msg(f"field.{key}"), tuple(choices)))


def _name_at(table: Table, square: Square) -> str:
    return CARDS[table.board[square].card].name


def _square_choice(
    table: Table, square: Square, key: str, word: str = "", *, reveals: bool = False
) -> Choice:
    """Return the choice of a square; who stands there is named."""
    who = _name_at(table, square) if square in table.board else ""
    detail = msg("choice.reveals") if reveals else msg("choice.who", card=who) if who else None
    return Choice(word or square, msg(key, square=square), detail, square[0].upper(), reveals=reveals)


# --- the set-up, discards, draws ------------------------------------------------------------------


def _start_field(table: Table) -> Field:
    choices = tuple(_square_choice(table, square, "choice.start") for square in starts(table))
    return _grouped(Field("start", msg("field.start"), choices, Widget.BUTTONS))


def _toss_fields(draft: Draft) -> Iterator[Field]:
    course = draft.course
    hand = tuple(_card_choice(CARDS[card]) for card in course.table.hand)
    if hand:
        yield Field("toss", msg("field.toss"), hand, Widget.BUTTONS)
    if course.draws_after():
        yield _deck_field(course.table)


def _draw_fields(course: Course) -> Iterator[Field]:
    yield _deck_field(course.table)
    if course.duty is Duty.DRAWS and course.table.turn.played:
        yield Field("enough", msg("field.enough"), (Choice("enough", msg("choice.enough")),), Widget.BUTTONS)


def _deck_field(table: Table) -> Field:
    choices = tuple(
        Choice(
            deck,
            msg("choice.deck", deck=deck),
            msg("choice.deck.detail", n=table.deck_sizes[deck]),
            reveals=True,
        )
        for deck in decks(table)
    )
    return Field("deck", msg("field.deck"), choices, Widget.BUTTONS)


# --- a step that is begun -------------------------------------------------------------------------


def _open_fields(draft: Draft) -> Iterator[Field]:
    """Yield what goes on with the open words."""
    course, words = draft.course, draft.open
    table, first, last = course.table, words[0], words[-1]
    if last.kind in (Sort.SQUARE, Sort.ADD) and first.text not in ("move", "adv"):
        yield _place_field("from", _origins(course, words), table)
    elif last.kind is Sort.CARD:
        yield from _card_fields(course, CARDS[last.text])
    elif first.text in ("move", "adv") and last.kind is Sort.SQUARE:
        key = "choice.move_to" if first.text == "move" else "choice.swap"
        others = (at for at in by_place(table) if at != last.one)
        yield _place_field("to", (_square_choice(table, at, key) for at in others), table)
    else:
        yield from _verb_fields(draft, first.text, last.text)


def _origins(course: Course, words: list[Word]) -> Iterator[Choice]:
    """Yield where a marker may come from, for the character or the square that the open words name."""
    table, last = course.table, words[-1]
    placed = words[0].text == "play"
    reveals = placed and playing.turns_up(table, Step(Verb.PLAY, square=last.one))
    for square in own_elsewhere(table, last.one):
        yield _square_choice(table, square, "choice.from", f"<{square}", reveals=reveals)


def _card_fields(course: Course, card: Card) -> Iterator[Field]:
    """Yield what is asked of a card that is taken up."""
    table = course.table
    match card.kind:
        case Kind.CHARACTER:
            yield _place_field("place", _placings(table, card), table)
        case Kind.CORTO | Kind.RASPUTIN:
            places = (_square_choice(table, at, "choice.go") for at in playing.figurine_places(table, card))
            yield _place_field("go", places, table)
        case _ if card.effect == "swap":
            yield _place_field(
                "swap", (_square_choice(table, at, "choice.swap") for at in by_place(table)), table
            )
        case _ if card.effect == "bribe":
            yield _place_field("bribe", _bribes(table), table)
        case _:
            yield Field("victim", msg("field.victim"), tuple(_victims(table)), Widget.BUTTONS)


def _placings(table: Table, card: Card) -> Iterator[Choice]:
    for square in playing.character_places(table, card):
        step = Step(Verb.PLAY, card=card.id, square=square)
        reveals = not playing.asks_origin(table, square) and playing.turns_up(table, step)
        yield _square_choice(table, square, "choice.place", reveals=reveals)


def _bribes(table: Table) -> Iterator[Choice]:
    for square, owner in advantages.opposing_markers(table):
        label = msg("choice.take", square=square, owner=SeatName(owner))
        colour = table.colours[owner]
        detail = msg("choice.take.detail", colour=colour, card=_name_at(table, square))
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
            yield _start_field(table)
        case "draw":
            yield _deck_field(table)
        case "move":
            yield from _action_fields(table)
        case "kill" | "shot":
            aim = acting.check_aim(table, shot=verb == "shot")
            kills = (_square_choice(table, at, "choice.kill_at") for at in acting.kills(table, aim))
            if verb == "shot" and last == "shot":
                yield from _hit_fields(table, aim, "shot:")
            else:
                yield _place_field("kill", kills, table)
        case "hit":
            yield Field("hit", msg("field.hit"), (Choice("train", msg("choice.train"), reveals=True),))
        case "sail":
            yield from (part for part in _action_fields(table) if part.key == "sail")
        case _:
            cards = tuple(_card_choice(card) for card in playable(course) if playing.verb_of(card) == verb)
            yield Field("hand", msg("field.hand"), cards, Widget.BUTTONS)
