"""The computer player: the best of a few dozen random turns by present gold, on its own view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from engines.core.contract import Words
from engines.core.rng import Rng, Stream
from engines.corto import scoring
from engines.corto.cards import Card, Kind
from engines.corto.menu import Draft
from engines.corto.state import HAND
from engines.corto.table import Table
from engines.corto.turn import Duty, Progress
from engines.corto.verbs import (
    ADD,
    ADV,
    CORTO,
    GOLD,
    KILL,
    MOVE,
    PLAY,
    RASPUTIN,
    SAIL,
    TAKE,
    TRAIN,
    USE,
    playable,
)
from engines.corto.verbs.advantages import opposing_markers, victims
from engines.corto.verbs.base import Step
from engines.corto.verbs.characters import places_of, sides
from engines.corto.verbs.draws import starts
from engines.corto.verbs.figurines import destinations
from engines.corto.verbs.objects import Aim, adds_to, aim, squares_in_reach
from engines.corto.view import View, table_of

TURNS = 48
"""Random turns that are looked at."""
OWN_GOLD, RIVALS_GOLD, CARD = 12, 5, 3
"""What own gold, the best rival's gold, and a card in hand are worth."""
STOP = (1, 8)
"""How often a random turn ends though a card could be played."""
WAIVE = (1, 12)
"""How often it waives what a card has left."""


def sentence(view: View, rng: Rng) -> Words:
    """Return a whole sentence for the viewer's seat, thought of with its own view alone."""
    stream = rng.stream("player")
    progress = Progress.of(table_of(view))
    table = progress.table
    if progress.duty is Duty.START:
        # Where the fewest markers are, by chance among equals.
        best = max(starts(table), key=lambda at: (-sum(table.board[at].markers), stream.below(8)))
        return ("start", best, *_draws(table, progress.owed, stream))
    if progress.duty is Duty.HAND:
        return _draws(table, progress.owed, stream)
    if progress.duty is Duty.DRAWS:
        return _draws(table, table.turn.draws, stream)
    # Ties are broken by the words themselves, so that the order in which turns are drawn does not matter.
    return max(
        (_turn(view, stream) for _ in range(TURNS)), key=lambda found: (found[0], -len(found[1]), found[1])
    )[1]


def _draws(table: Table, number: int, stream: Stream) -> Words:
    sizes = dict(table.deck_sizes)
    found: list[str] = []
    while len(found) < number and any(sizes.values()):
        at = stream.below(sum(sizes.values()))  # fuller decks more often
        for deck in table.strips:
            at -= sizes[deck]
            if at < 0:
                sizes[deck] -= 1
                found.append(deck)
                break
    return ("draw", *found) if found else ()


def _turn(view: View, stream: Stream) -> tuple[int, Words]:
    draft = Draft(Progress.of(table_of(view)))
    progress = draft.progress
    while progress.duty is Duty.TURN and not progress.revealed:
        step = _next(progress, stream)
        if step is None:
            break
        draft.steps.append(step)
        if step.verb.reveals(progress.table, step):
            progress.revealed = True  # no player can think beyond what nobody knows
        else:
            step.verb.do(progress, step)
    worth = _worth(progress.table)
    if progress.revealed:
        return worth, draft.words()
    closing = _closing(progress, stream)
    drawn = len(closing[closing.index("draw") + 1 :]) if "draw" in closing else 0
    cards = min(HAND, len(progress.table.hand) + drawn)
    return worth + CARD * cards, (*draft.words(), *closing)


def _closing(progress: Progress, stream: Stream) -> Words:
    table = progress.table
    if table.turn.played:
        return ("end", *_draws(table, progress.draws_after(), stream))
    able = playable(progress)
    tossed = tuple(sorted(card for card in table.hand if card not in {face.id for face in able}))
    number = min(HAND - len(table.hand) + len(tossed), sum(table.deck_sizes.values()))
    if not number:
        return ("discard",)
    return ("discard", *tossed, *_draws(table, number, stream))


def _worth(table: Table) -> int:
    totals = [line.total for line in scoring.gold(table.after(table.public))]
    rivals = [total for seat, total in enumerate(totals) if seat != table.seat]
    controlled = sum(found.controller == table.seat for found in table.board.values())
    return OWN_GOLD * totals[table.seat] - RIVALS_GOLD * max(rivals) + controlled


# --- random steps ---------------------------------------------------------------------------------


def _next(progress: Progress, stream: Stream) -> Step | None:
    actions = tuple(_actions(progress.table))
    if actions and (progress.half or not stream.chance(*WAIVE)):
        return stream.choice(actions)
    cards = playable(progress)
    if not cards or stream.chance(*STOP):
        return None
    steps = tuple(_plays(progress.table, stream.choice(cards), stream))
    return stream.choice(steps) if steps else None


def _actions(table: Table) -> Iterator[Step]:
    shot, open_hit = aim(table, shot=True), aim(table)
    if shot is not None:
        yield from (replace(step, shot=True) for step in _hits(table, shot))
    card = table.card_in_hand()
    if card is None:
        return
    turn = table.turn
    if card.effect == "transfer":
        pairs = product(table.own_elsewhere(), table.squares())
        yield from (Step(MOVE, square=one, other=other) for one, other in pairs if one != other)
    elif turn.gold:
        yield Step(GOLD)
    elif turn.adds:
        stocked = table.stock[table.seat] > 0
        for square in adds_to(table, squares_in_reach(table, card)):
            origins = ("",) if stocked else table.own_elsewhere(square)
            yield from (Step(ADD, square=square, origin=at) for at in origins)
    if open_hit is not None:
        yield from _hits(table, open_hit)
    yield from (Step(SAIL, word=side) for side in sides(table))


def _hits(table: Table, found: Aim) -> Iterator[Step]:
    takes = [Step(TAKE, square=at, colour=table.colours[owner]) for at, owner in found.markers(table)]
    others = [step for step in takes if step.colour != table.colours[table.seat]]
    others += (Step(KILL, square=square) for square in found.kills(table))
    if found.train(table) is not None:
        others.append(Step(TRAIN))
    # One's own markers are hit only where an object in hand must hit and finds nothing else.
    yield from others or takes


def _plays(table: Table, card: Card, stream: Stream) -> Iterator[Step]:
    match card.kind:
        case Kind.CHARACTER:
            for square in places_of(table, card):
                origins = () if table.stock[table.seat] else table.own_elsewhere(square)
                origin = stream.choice(origins) if origins else ""
                yield Step(PLAY, card=card.id, square=square, origin=origin)
        case Kind.OBJECT:
            yield Step(USE, card=card.id)
        case Kind.ADVANTAGE:
            yield from _advantages(table, card)
        case kind:
            verb = CORTO if kind is Kind.CORTO else RASPUTIN
            yield from (Step(verb, card=card.id, square=square) for square in destinations(table, card))


def _advantages(table: Table, card: Card) -> Iterator[Step]:
    step = Step(ADV, card=card.id)
    match card.effect:
        case "swap":
            squares = table.squares()
            for number, square in enumerate(squares):
                yield from (replace(step, square=square, other=other) for other in squares[:number])
        case "bribe":
            for square, owner in opposing_markers(table):
                yield replace(step, square=square, colour=table.colours[owner])
        case "pickpocket":
            yield from (replace(step, colour=table.colours[seat]) for seat in victims(table))
        case _:
            yield step
