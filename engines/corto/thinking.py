"""Computer players of CORTO: a search over the steps of a turn, and for the best what rivals may answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, log

from engines.core.contract import Seat, Words
from engines.core.optional_methods import Judgement, Level, Skill
from engines.core.rng import Rng, Stream
from engines.corto.imagine import imagine, unseen
from engines.corto.menu import Draft, fold
from engines.corto.outlook import BALANCED, GREED, KEEN, SURE, Outlook, Weights
from engines.corto.planning import STRETCH, Line, Planner
from engines.corto.state import CardId, State, TurnView
from engines.corto.table import Table
from engines.corto.turn import Duty, Progress
from engines.corto.verbs import DRAW, END, ENOUGH, START
from engines.corto.verbs.base import Step
from engines.corto.verbs.draws import starts
from engines.corto.view import View, table_of


@dataclass(frozen=True, slots=True)
class Style:
    """How a level plays: what it weighs, and how far it looks.

    ``weights``: as in :class:`~engines.corto.outlook.Outlook`. ``lines``: turns of its own that it looks at.
    ``candidates``: the best of those for which it thinks of answers, in each of so many imagined ``worlds``;
    ``answers``: rivals' turns that it looks at in each, or fewer.
    ``most``: lines that it looks at in all, for answers too; 0: it thinks of none.
    """

    weights: Sequence[Weights]
    lines: int
    candidates: int = 0
    worlds: int = 0
    answers: int = 0
    most: int = 0

    def at(self, effort: float) -> Style:
        """Return the style with a share of its budget."""
        return replace(
            self,
            lines=max(1, round(self.lines * effort)),
            worlds=max(1, round(self.worlds * effort**0.5)),
            answers=max(1, round(self.answers * effort**0.5)),
            most=round(self.most * effort),
        )


STYLES: Mapping[Level, Style] = {
    Level.FIRST: Style((GREED,), lines=400),
    Level.MIDDLE: Style((BALANCED,), lines=8_000),
    Level.BEST: Style(KEEN, lines=12_000, candidates=6, worlds=8, answers=400, most=30_000),
}

PRIOR = 3.0
"""Imagined worlds for which a turn's worth before any answer counts.

Few worlds are a small sample: turns that are about as good are told apart by chance in them. Where all lose
to an answer, there is the hope that it is overlooked.
"""

ALIKE = 0.05
"""Gold by which a deck may be worse than the best and be drawn from instead."""

AS_GOOD = 0.05
"""Logits of winning by which a turn may be worse than the best and be played instead.

Nobody meets the same match again.
"""


class Mind:
    """A computer player that sees a view: what it thinks of turns."""

    def __init__(self, view: View, style: Style, rng: Rng) -> None:
        self._view = view
        self._style = style
        self._rng = rng
        self._pools = unseen(view)
        self.progress = Progress.of(table_of(view))
        self.outlook = Outlook.of(self.progress.table, self._pools, style.weights)
        self._hands = [
            sum(
                self.outlook.decks[card.deck] if card.card is None else self.outlook.cards[card.card]
                for card in hand
            )
            for hand in view.hands
        ]
        self._planner = Planner(self.outlook, self.progress, self._hands)

    # --- turns ------------------------------------------------------------------------------------

    def turns(self) -> list[Line]:
        """Return turns that seem good, the best first."""
        return self._by_answers(self._planner.lines(self._style.lines))

    def beside(self, played: Line) -> tuple[Line, Line]:
        """Return the best turn that is found, and ``played``, both weighed alike."""
        best = self.turns()[0]
        self._by_answers([played])
        return best, played

    def _by_answers(self, found: Sequence[Line]) -> list[Line]:
        """Return lines in the order of what they are worth once the rivals have answered.

        A style without candidates thinks of no answers.
        """
        if not self._style.candidates:
            return list(found)
        lines = found[: self._style.candidates]
        worlds = [imagine(self._view, self._rng.child("world", n)) for n in range(self._style.worlds)]
        rivals = len(self._view.seats) - 1
        left = max(0, self._style.most - self._planner.looked_at)
        budget = min(self._style.answers // rivals, int(left / (STRETCH * len(lines) * len(worlds) * rivals)))
        for line in lines:
            share = sum(self.answered(line, world, budget) for world in worlds) / len(worlds)
            line.odds = (PRIOR * line.odds + len(worlds) * _logit(share)) / (PRIOR + len(worlds))
        return sorted(lines, key=lambda line: -line.odds)

    def answered(self, line: Line, world: State, budget: int) -> float:
        """Return the chance of winning after the rivals' answers, each found with a budget, in a world."""
        own = self.progress.table.seat
        ended, luck, hands = line.ended(), line.luck, self._planner.hands(line.ended())
        mover = own
        while not ended.over:
            mover = _next(ended.table, mover)
            if mover == own:
                break
            planner = Planner(self.outlook, _turn_of(ended, mover, world.hands[mover]), hands, luck)
            answer = planner.lines(budget)[0]
            ended, luck = answer.ended(), answer.luck
            hands = planner.hands(ended)
        return chance(self.outlook.odds(ended, hands, luck, own))

    def said(self, line: Line, stream: Stream) -> Words:
        """Return the words of a turn: up to what it turns up first, or to its last draw."""
        if line.said:
            return Draft(self.progress, list(line.steps[: line.said])).words()
        words = Draft(self.progress, list(line.steps)).words()
        ended = line.ended().table
        closing = "end" if ended.turn.played else "discard"
        begun = words if words[:1] == (closing,) else (*words, closing)
        return (*begun, *self.draws(ended, ended.turn.draws, stream))

    def played(self, steps: Sequence[Step]) -> Line:
        """Return the turn that begins with these steps.

        It is gone on with where they turn something up, or where a turn cannot end with them.
        """
        line = self._planner.root
        for step in steps:
            if step.verb not in (END, DRAW, ENOUGH):
                line = self._planner.then(line, step)
        if line.whole and not line.said:
            return self._planner.weighed(line)
        return self._planner.lines(self._style.lines, line)[0]

    # --- set-up and draws -------------------------------------------------------------------------

    def start(self, stream: Stream) -> Words:
        """Return the first marker, and the draws of the first hand."""
        found = []
        for square in starts(self.progress.table):
            line = self._planner.then(self._planner.root, Step(START, square=square))
            found.append((self._planner.weighed(line).odds, square))
        best = max(odds for odds, _ in found)
        square = stream.choice([square for odds, square in found if odds >= best - AS_GOOD])
        return ("start", square, *self.draws(self.progress.table, self.progress.owed, stream))

    def draws(self, table: Table, number: int, stream: Stream) -> Words:
        """Return so many draws, each from the deck that may help the hand most; of equals by chance."""
        sizes, hand, found = dict(table.deck_sizes), list(table.hand), list[str]()
        while len(found) < number and any(sizes.values()):
            gains = {deck: self._gain(hand, deck) for deck in table.strips if sizes[deck]}
            best = max(gains.values())
            deck = stream.choice([deck for deck, gain in gains.items() if gain >= best - ALIKE])
            sizes[deck] -= 1
            found.append(deck)
        return ("draw", *found) if found else ()

    def _gain(self, hand: Sequence[CardId], deck: str) -> float:
        """Return by how much a card of a deck makes a hand better, on the mean."""
        pool, before = self._pools[deck], self.outlook.hand(hand)
        return sum(self.outlook.hand((*hand, card)) - before for card in pool) / max(1, len(pool))


def _next(table: Table, mover: Seat) -> Seat:
    """Return whose turn comes after a seat's."""
    seats = len(table.colours)
    order = ((mover + step) % seats for step in range(1, seats + 1))
    return next(seat for seat in order if seat not in table.public.left)


def _turn_of(ended: Progress, mover: Seat, hand: Sequence[CardId]) -> Progress:
    """Return the beginning of a rival's turn, with a hand that it may have."""
    table = ended.table.copy()
    passes = table.public.passes + 1 if ended.passed else 0
    table.public = replace(table.public, passes=passes)
    table.seat, table.turn = mover, TurnView(mover)
    table.hand = list(hand)
    return Progress(table, Duty.TURN)


def chance(odds: float) -> float:
    """Return the chance of winning, from 0 to 1, of its logits."""
    return 1 / (1 + exp(-odds))


def _logit(share: float) -> float:
    """Return the logits of a chance."""
    least = chance(-SURE)
    inside = min(1 - least, max(least, share))
    return log(inside / (1 - inside))


def sentence(view: View, skill: Skill, rng: Rng) -> Words:
    """Return the sentence of a computer player in the viewer's seat."""
    mind, stream = Mind(view, STYLES[skill.level].at(skill.effort), rng), rng.stream("thinking")
    progress = mind.progress
    match progress.duty:
        case Duty.START:
            return mind.start(stream)
        case Duty.HAND:
            return mind.draws(progress.table, progress.owed, stream)
        case Duty.DRAWS:
            return mind.draws(progress.table, progress.table.turn.draws, stream)
        case _:
            lines = mind.turns()
            good = [line for line in lines if line.odds >= lines[0].odds - AS_GOOD]
            return mind.said(stream.choice(good), stream)


def judgement(view: View, words: Words, skill: Skill, rng: Rng) -> Judgement:
    """Return how good words were beside the best turn that is found, both weighed alike.

    First markers and draws are luck, and no turning points: of those nothing better is known.
    """
    mind = Mind(view, STYLES[skill.level].at(skill.effort), rng)
    played = mind.played(fold(view, words).steps)
    if mind.progress.duty is not Duty.TURN:
        share = chance(played.odds)
        return Judgement(share, share, words)
    best, played = mind.beside(played)
    if played.odds >= best.odds:
        return Judgement(chance(played.odds), chance(played.odds), words)
    return Judgement(chance(played.odds), chance(best.odds), mind.said(best, rng.stream("thinking")))
