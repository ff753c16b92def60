"""The computer player: the best of a few dozen random turns by present gold, on its own view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engines.core.contract import Words
from engines.core.rng import Rng, Stream
from engines.corto import advantages, aims, playing, scoring
from engines.corto.cards import Card, Kind
from engines.corto.course import Course, Duty, starts
from engines.corto.dispatch import do, reveals
from engines.corto.draft import Draft
from engines.corto.effects import by_place, own_elsewhere
from engines.corto.openings import playable
from engines.corto.steps import Step, Verb
from engines.corto.table import Table
from engines.corto.tables import public_after, public_of, table_of_view
from engines.corto.view import HAND, View

TURNS = 48
"""Random turns that are looked at."""
GOLD, RIVAL, CARD = 12, 5, 3
"""What own gold, the best rival's gold, and a card in hand are worth."""
STOP = (1, 8)
"""How often a random turn ends though a card could be played."""
WAIVE = (1, 12)
"""How often it waives what a card has left."""


def sentence(view: View, rng: Rng) -> Words:
    """Return a whole sentence for the viewer's seat, thought of with its own view alone."""
    stream = rng.stream("player")
    course = _course(view)
    if course.duty is Duty.START:
        best = max(starts(course.table), key=lambda square: (-_marked(course.table, square), stream.below(8)))
        return ("start", best, *_draws(course.table, course.owed, stream))
    if course.duty is Duty.HAND:
        return _draws(course.table, course.owed, stream)
    if course.duty is Duty.DRAWS:
        return _draws(course.table, course.table.turn.draws, stream)
    return max(
        (_turn(view, stream) for _ in range(TURNS)), key=lambda found: (found[0], -len(found[1]), found[1])
    )[1]


def _course(view: View) -> Course:
    return Course.of(public_of(view), table_of_view(view))


def _marked(table: Table, square: str) -> int:
    return sum(table.board[square].markers)


def _draws(table: Table, number: int, stream: Stream) -> Words:
    """Return draws from decks at random, the fuller ones more often."""
    sizes = dict(table.deck_sizes)
    found: list[str] = []
    while len(found) < number and any(sizes.values()):
        at = stream.below(sum(sizes.values()))
        for deck in table.strips:
            at -= sizes[deck]
            if at < 0:
                sizes[deck] -= 1
                found.append(deck)
                break
    return ("draw", *found) if found else ()


def _turn(view: View, stream: Stream) -> tuple[int, Words]:
    """Return a random turn, up to the first thing that it turns up: what it is worth, and its words."""
    draft = Draft(_course(view))
    course = draft.course
    while course.duty is Duty.TURN and not course.revealed:
        step = _next(course, stream)
        if step is None:
            break
        _take(draft, step)
    worth = _worth(view, course.table)
    if course.revealed:
        return worth, draft.words()
    closing = _closing(course, stream)
    return worth + CARD * _cards_after(course, closing), (*draft.words(), *closing)


def _take(draft: Draft, step: Step) -> None:
    course = draft.course
    if reveals(course, step):
        course.revealed = True
    else:
        do(course, step)
    draft.steps.append(step)


def _closing(course: Course, stream: Stream) -> Words:
    """Return how the turn ends: with draws after its cards, or by discarding what cannot be played."""
    table = course.table
    if table.turn.played:
        return ("end", *_draws(table, course.draws_after(), stream))
    able = playable(course)
    tossed = tuple(sorted(card for card in table.hand if card not in {face.id for face in able}))
    number = min(HAND - len(table.hand) + len(tossed), sum(table.deck_sizes.values()))
    if not number:
        return ("discard",)
    return ("discard", *tossed, *_draws(table, number, stream))


def _cards_after(course: Course, closing: Words) -> int:
    drawn = len(closing[closing.index("draw") + 1 :]) if "draw" in closing else 0
    return min(HAND, len(course.table.hand) + drawn)


def _worth(view: View, table: Table) -> int:
    """Return what a table is worth for its seat: its gold, less some of the best rival's."""
    totals = [line.total for line in scoring.gold(public_after(public_of(view), table))]
    rivals = [total for seat, total in enumerate(totals) if seat != table.seat]
    controlled = sum(standing.controller == table.seat for standing in table.board.values())
    return GOLD * totals[table.seat] - RIVAL * max(rivals) + controlled


# --- random steps ---------------------------------------------------------------------------------


def _next(course: Course, stream: Stream) -> Step | None:
    """Return a random legal step; ``None`` to end the turn."""
    actions = tuple(_actions(course.table))
    if actions and (course.half or not stream.chance(*WAIVE)):
        return stream.choice(actions)
    cards = playable(course)
    if not cards or stream.chance(*STOP):
        return None
    steps = tuple(_plays(course.table, stream.choice(cards), stream))
    return stream.choice(steps) if steps else None


def _actions(table: Table) -> Iterator[Step]:
    """Yield what the card in hand, or an armed carriage, may do next."""
    shot, aim = aims.aim(table, shot=True), aims.aim(table)
    if shot is not None:
        yield from (replace(step, shot=True) for step in _hits(table, shot))
    card = aims.card_in_hand(table)
    if card is None:
        return
    turn = table.turn
    if card.effect == "transfer":
        yield from _moves(table)
    elif turn.gold:
        yield Step(Verb.GOLD)
    elif turn.adds:
        for square in aims.adds_to(table, aims.squares_in_reach(table, card)):
            yield from _adds(table, square)
    if aim is not None:
        yield from _hits(table, aim)
    yield from (Step(Verb.SAIL, word=side) for side in aims.sides(table))


def _adds(table: Table, square: str) -> Iterator[Step]:
    if table.stock[table.seat]:
        yield Step(Verb.ADD, square=square)
    else:
        yield from (Step(Verb.ADD, square=square, origin=at) for at in own_elsewhere(table, square))


def _hits(table: Table, aim: aims.Aim) -> Iterator[Step]:
    """Yield hits; on its own markers only where there is nothing else."""
    found = [
        Step(Verb.TAKE, square=square, colour=table.colours[owner])
        for square, owner in aims.takes(table, aim)
    ]
    others = [step for step in found if step.colour != table.colours[table.seat]]
    others += (Step(Verb.KILL, square=square) for square in aims.kills(table, aim))
    if aims.train_of(table, aim) is not None:
        others.append(Step(Verb.TRAIN))
    yield from others or found


def _moves(table: Table) -> Iterator[Step]:
    for square in advantages.own_squares(table):
        for other in by_place(table):
            if other != square:
                yield Step(Verb.MOVE, square=square, other=other)


def _plays(table: Table, card: Card, stream: Stream) -> Iterator[Step]:
    """Yield the ways to play a card."""
    match card.kind:
        case Kind.CHARACTER:
            for square in playing.character_places(table, card):
                origins = () if table.stock[table.seat] else own_elsewhere(table, square)
                origin = stream.choice(origins) if origins else ""
                yield Step(Verb.PLAY, card=card.id, square=square, origin=origin)
        case Kind.OBJECT:
            yield Step(Verb.USE, card=card.id)
        case Kind.ADVANTAGE:
            yield from _advantages(table, card)
        case kind:
            verb = Verb.CORTO if kind is Kind.CORTO else Verb.RASPUTIN
            yield from (
                Step(verb, card=card.id, square=square) for square in playing.figurine_places(table, card)
            )


def _advantages(table: Table, card: Card) -> Iterator[Step]:
    step = Step(Verb.ADV, card=card.id)
    match card.effect:
        case "swap":
            squares = by_place(table)
            for number, square in enumerate(squares):
                yield from (replace(step, square=square, other=other) for other in squares[:number])
        case "bribe":
            for square, owner in advantages.opposing_markers(table):
                yield replace(step, square=square, colour=table.colours[owner])
        case "pickpocket":
            yield from (replace(step, colour=table.colours[seat]) for seat in advantages.victims(table))
        case _:
            yield step
