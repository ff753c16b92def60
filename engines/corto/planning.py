"""Ways to play a turn: a search over its steps, the most promising first.

What a step would turn up is unknown: its mean gold is counted, and the turn goes on. Whoever plays it says
only the steps up to there, and thinks again once it has seen what came up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from itertools import combinations
from math import inf
from typing import TypeAlias

from engines.core.contract import Seat
from engines.corto.board import column_of, strip_of
from engines.corto.cards import ADVENTURES, CARDS, Kind
from engines.corto.outlook import BLUNT, Outlook
from engines.corto.quests import quest_of
from engines.corto.state import CharacterView, PieceView, Square
from engines.corto.steps import actions, origins, plays
from engines.corto.table import Reveals, Table
from engines.corto.turn import Duty, Progress
from engines.corto.verbs import ADD, DISCARD, MOVE, TOSS, TRAIN, playable
from engines.corto.verbs.base import Step
from engines.corto.verbs.objects import aim

LONGEST = 14
"""Steps of a turn that are looked at: four cards, each with all that it does."""

PATH = 6
"""The share of lines that the steps at one depth may use is one part in so many."""

STRETCH = 1.5
"""How many lines are made at most for each of a budget, beside the first steps and the discards."""

KEPT = 48
"""Lines that are gone on with at most, and that are remembered as whole turns."""

PROMISE = 0.7
"""Gold that an add or a hit still open, or Corto's for his friends, is thought to bring."""

ARMED = 0.7
"""Gold that an armed carriage's hit is thought to bring."""

PICKED = 1.0
"""Gold that a card out of an opponent's hand is thought to bring, and cost."""

SPARE = 3
"""Characters from which a marker is taken, where one must be: those that miss it least."""

Luck: TypeAlias = "tuple[float, ...]"


@dataclass(slots=True)
class Line:
    """A turn, or the beginning of one: the mover's steps, and where they lead to as it can tell.

    ``luck``: gold of each seat from what was turned up unseen. ``said``: how many steps there are up to the
    first that turns something up, 0: none does. ``odds``: logits of winning if the turn ends here; ``hope``:
    with what is still open.
    """

    progress: Progress
    luck: Luck
    steps: tuple[Step, ...] = ()
    said: int = 0
    odds: float = 0.0
    hope: float = 0.0

    @property
    def whole(self) -> bool:
        """Return whether the turn may end here."""
        return not self.progress.bound

    def ended(self) -> Progress:
        """Return where the turn leads to once it ends here, before any draw."""
        found = self.progress.copy()
        if not found.table.turn.played:
            found.duty = Duty.TOSS
        if found.duty in (Duty.TURN, Duty.TOSS):
            found.end_of_cards()
        public = found.table.public
        staying = len(public.seats) - len(public.left)
        found.over = found.over or (found.passed and public.passes + 1 >= staying)
        return found


class Planner:
    """Looks for turns of a table's seat.

    ``hands``: what each other seat's cards may bring; ``luck``: as in :class:`Line`. ``looked_at`` counts the
    lines that it has made, the same position twice too: what a turn takes goes by that.
    """

    def __init__(
        self, outlook: Outlook, progress: Progress, hands: Sequence[float], luck: Luck | None = None
    ) -> None:
        self._outlook = outlook
        self.root = Line(progress, luck or (0.0,) * len(hands))
        self._hands = list(hands)
        self._seat: Seat = progress.table.seat
        self.looked_at = 0

    def lines(self, budget: int, start: Line | None = None) -> list[Line]:
        """Return turns that seem good, the best first, ``budget`` of them or so having been looked at.

        ``start``: a beginning to go on from.
        """
        root = self.root if start is None else start
        begun = self.looked_at
        whole = [self.weighed(line) for line in (root, *self._discards(root)) if line.whole]
        front, seen = [root], {_position(root)}
        for depth in range(LONGEST):
            most = begun + round(STRETCH * budget) if depth else inf
            found = self._after(front, seen, budget // PATH, most) if len(seen) <= budget else []
            if not found:
                break
            front = nlargest(KEPT, found, key=lambda line: line.hope)
            ends = nlargest(KEPT, (line for line in found if line.whole), key=lambda line: line.odds)
            whole = nlargest(KEPT, (*whole, *ends), key=lambda line: line.odds)
        return whole

    def weighed(self, line: Line) -> Line:
        """Weigh a line as if the turn ended with it, and return it."""
        ended = line.ended()
        if line.progress.table.turn.must_free:  # its next step keeps the match going
            ended.over = False
        line.odds = self._outlook.odds(ended, self.hands(ended), line.luck, self._seat)
        turn = line.progress.table.turn
        line.hope = line.odds
        if not ended.over:
            line.hope += PROMISE * (turn.adds + turn.hits + turn.gold) / BLUNT
        return line

    def hands(self, ended: Progress) -> list[float]:
        """Return what each seat's cards may bring at the end of a turn, the draws to come counted in."""
        table, found = ended.table, list(self._hands)
        draws = table.turn.draws
        found[self._seat] = self._outlook.hand(table.hand) + self._outlook.draws(table, draws)
        return found

    # --- steps ------------------------------------------------------------------------------------

    def _after(self, front: Sequence[Line], seen: set[object], budget: int, most: float) -> list[Line]:
        found: list[Line] = []
        for line in front:
            for step in next_steps(line.progress):
                if self.looked_at >= most:
                    return found
                child = self.then(line, step)
                key = _position(child)
                if key not in seen:
                    seen.add(key)
                    found.append(self.weighed(child))
            if len(found) >= budget:
                break
        return found

    def then(self, line: Line, step: Step) -> Line:
        """Return a line with one more step."""
        self.looked_at += 1
        progress, steps = line.progress.copy(), (*line.steps, step)
        if not step.verb.reveals(progress.table, step):
            step.verb.do(progress, step)
            return Line(progress, line.luck, steps, line.said)
        found, seat = turned_up(progress, step), self._seat
        luck = (*line.luck[:seat], line.luck[seat] + found, *line.luck[seat + 1 :])
        return Line(progress, luck, steps, line.said or len(steps))

    def _discards(self, root: Line) -> Iterator[Line]:
        """Yield the discard turns."""
        progress = root.progress
        if root.steps or progress.table.turn.played or progress.duty is not Duty.TURN:
            return
        hand = progress.table.hand
        for number in range(1, len(hand) + 1):
            for cards in combinations(sorted(hand), number):
                line = self.then(root, Step(DISCARD))
                for card in cards:
                    line = self.then(line, Step(TOSS, card=card))
                yield line


def next_steps(progress: Progress) -> Iterator[Step]:
    """Yield the steps that are worth a look: of those that differ only in the marker they move, few."""
    table = progress.table
    spare = spared_by(table)
    for step in actions(table):
        if step.verb is MOVE and step.square not in spare[:SPARE]:
            continue
        if step.verb is ADD and step.origin and step.origin not in spare[: SPARE + 1]:
            continue
        yield step
    for card in playable(progress):
        for step in plays(table, card):
            found = origins(table, step)
            if found:
                best = [at for at in spare if at in found]
                yield from (replace(step, origin=at) for at in best[:SPARE])
            else:
                yield step


def spared_by(table: Table) -> tuple[Square, ...]:
    """Return the characters with markers of the acting seat, first those that miss one least."""
    return tuple(sorted(table.own_elsewhere(), key=lambda at: _loss(table.board[at], table.seat)))


def _loss(found: CharacterView, seat: Seat) -> int:
    """Return how much a marker fewer matters: not in the minority, little in a large majority, else much."""
    own = found.markers[seat]
    lead = own - max(count for other, count in enumerate(found.markers) if other != seat)
    if lead <= -1:
        return 0
    return {0: 2, 1: 3}.get(lead, 1)


def turned_up(progress: Progress, step: Step) -> float:
    """Carry out a step that turns something up, but for what that is, and return its mean gold."""
    table = progress.table
    strip = strip_of(step.square) if step.square else ""
    if step.verb is TRAIN:
        found = aim(table)
        strip = (found and found.train(table)) or ""
    try:
        step.verb.do(progress, step)
    except Reveals:
        table.tidy()
    if not strip:
        return PICKED
    hoped = _mean_gold(table, strip)
    square = step.square
    table.pieces[strip] = [
        left for piece in table.pieces[strip] if (left := _without(piece, square)) is not None
    ]
    return hoped


def _mean_gold(table: Table, strip: str) -> float:
    adventure = ADVENTURES[strip]
    faces = quest_of(strip).unseen(adventure, tuple(table.pieces[strip]))
    values = dict(adventure.values)
    golds = [float(face) if face.isdigit() else values.get(face, ARMED) for face in faces]
    return sum(golds) / len(golds) if golds else 0.0


def _without(piece: PieceView, square: Square) -> PieceView | None:
    """Return what is left of a quest's piece once the tile on ``square``, or the top carriage, is taken."""
    if piece.kind == "train":
        return replace(piece, number=piece.number - 1) if piece.number > 1 else None
    lies_here = piece.kind == "tile" and square and piece.column == column_of(square)
    return None if lies_here else piece


def _position(line: Line) -> object:
    """Return what two lines have alike that lead to the same position, whatever the order of their steps."""
    table = line.progress.table
    turn = table.turn
    return (
        frozenset(table.board.values()),
        tuple(table.figurines.values()),
        tuple(table.stock),
        frozenset(table.hand),
        tuple(table.corto_gold),
        tuple(map(tuple, table.pieces.values())),
        (turn.card, turn.origin, turn.adds, turn.hits, turn.sail, turn.gold, turn.shot),
        (turn.drop_in, turn.refill, turn.must_free),
        any(CARDS[card].stands for card in turn.played),
        table.last_standing() if _has_object(table) else None,
    )


def _has_object(table: Table) -> bool:
    """Return whether an object is in hand or under way: it matters to it whom it comes with."""
    cards = table.hand if table.turn.card is None else (*table.hand, table.turn.card)
    return any(CARDS[card].kind is Kind.OBJECT for card in cards)
