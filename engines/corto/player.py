"""The computer player: the best of a few dozen random turns by present gold, on its own view."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engines.core.contract import Words
from engines.core.rng import Rng, Stream
from engines.corto import scoring
from engines.corto.cards import Card
from engines.corto.menu import Draft
from engines.corto.state import HAND
from engines.corto.steps import actions, origins, plays
from engines.corto.table import Table
from engines.corto.turn import Duty, Progress
from engines.corto.verbs import playable
from engines.corto.verbs.base import Step
from engines.corto.verbs.draws import starts
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
    found = tuple(actions(progress.table))
    if found and (progress.bound or not stream.chance(*WAIVE)):
        return stream.choice(found)
    cards = playable(progress)
    if not cards or stream.chance(*STOP):
        return None
    steps = tuple(_plays(progress.table, stream.choice(cards), stream))
    return stream.choice(steps) if steps else None


def _plays(table: Table, card: Card, stream: Stream) -> Iterator[Step]:
    for step in plays(table, card):
        found = origins(table, step)
        yield replace(step, origin=stream.choice(found)) if found else step
