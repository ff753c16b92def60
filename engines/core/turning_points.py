"""Turning points of a finished match: where a seat had a clearly better sentence.

All decisions of the seat get a short look, and those that seem to have cost most get a second, closer one. A
search is never certain: only the second look counts, and only a clear loss. The caller requests the
:class:`Look` objects of each step, has them judged one by one, in any process, and goes on:
:func:`first_look`, :func:`second_look`, :func:`turning_points`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from engines.core.contract import Menu, Seat, Words
from engines.core.listing import is_aside, whole_sentences
from engines.core.match import AnyGame, Entry, EntryKind, Match
from engines.core.optional_methods import Judgement, Judging, Level, Skill
from engines.core.rng import Rng

MAX_TURNING_POINTS = 3
"""Turning points at most: as many as one can learn from."""

MIN_COST = 0.15
"""How much of the chance of winning a decision must have cost, by the second look, to be a turning point.

Two looks at one decision differ by some hundredths, and good play is often a few hundredths from the best
that is found: of less than this, a search cannot be sure."""

FIRST_LOOKS = 1.5
"""Budgets of the best level's decision that all first looks have together, however long the match was."""

FIRST_LOOK = 0.1
"""The share of such a budget for one first look, at most."""

MAX_SECOND_LOOKS = 6
"""Decisions that get a second look, at most."""

SECOND_LOOK = 0.3
"""The share of such a budget for each of them."""

MAX_MENUS = 100
"""Menus that are searched for a second sentence; without one, the seat had no real choice."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A real choice that a seat has made, with everything that it was based on."""

    number: int
    """How many entries of the log came before it."""
    view: Any = field(repr=False)
    menu: Menu = field(repr=False)
    """The first menu that the seat had."""
    words: Words = field(repr=False)
    rng: Rng = field(repr=False)


@dataclass(frozen=True, slots=True)
class JudgedDecision:
    """A decision, and how good it seems compared with the best one found."""

    decision: Decision
    judgement: Judgement

    @property
    def cost(self) -> float:
        """Return how much of the chance of winning it cost."""
        return self.judgement.best - self.judgement.played


@dataclass(frozen=True, slots=True)
class Look:
    """A decision to judge, and the share of the best level's budget for it."""

    decision: Decision
    effort: float
    rng: Rng = field(repr=False)

    def judged(self, game: AnyGame) -> JudgedDecision:
        """Judge the decision by what its seat saw; raises ``TypeError`` if the game is not ``Judging``."""
        if not isinstance(game, Judging):
            raise TypeError("this game cannot judge")
        seen = self.decision
        skill = Skill(Level.BEST, self.effort)
        return JudgedDecision(seen, game.judge(seen.view, seen.menu, seen.words, skill, self.rng))


def decisions(start: Match, log: Iterable[Entry], seat: Seat, own: Collection[int]) -> tuple[Decision, ...]:
    """Return the real choices that a seat has made, in order; asides, such as notes, are none.

    ``start``: the match before its log. ``own``: the numbers of those entries that count, each as in
    :attr:`Decision.number`. It takes as long as replaying the match.
    """
    match, found = start, list[Decision]()
    for number, entry in enumerate(log):
        if number in own and entry.kind is EntryKind.ACT and entry.seat == seat:
            view, menu = match.view(seat), match.menu(seat)
            if menu is not None and _is_choice(match.game, view, menu, entry.words):
                rng = match.player_rng("judge", seat).child(number)
                found.append(Decision(number, view, menu, entry.words, rng))
        match = match.apply(entry)
    return tuple(found)


def _is_choice(game: AnyGame, view: Any, menu: Menu, words: Words) -> bool:
    if is_aside(menu, words):
        return False
    offered = (each for each in whole_sentences(game, view, menu, MAX_MENUS) if not is_aside(menu, each))
    return len([*islice(offered, 2)]) > 1


def first_look(made: Sequence[Decision]) -> list[Look]:
    """Return a look at every decision: all get the same share of the budget."""
    effort = min(FIRST_LOOK, FIRST_LOOKS / max(1, len(made)))
    return [Look(decision, effort, decision.rng.child("first look")) for decision in made]


def second_look(judged: Sequence[JudgedDecision]) -> list[Look]:
    """Return a closer look at the decisions that seem to have cost most; none at those that cost nothing."""
    costly = [each.decision for each in _by_cost(judged) if each.cost > 0][:MAX_SECOND_LOOKS]
    return [Look(decision, SECOND_LOOK, decision.rng.child("second look")) for decision in costly]


def turning_points(judged: Sequence[JudgedDecision]) -> tuple[JudgedDecision, ...]:
    """Return those decisions with a second look that clearly cost most, in the order of the match."""
    clear = [each for each in _by_cost(judged) if each.cost >= MIN_COST][:MAX_TURNING_POINTS]
    return tuple(sorted(clear, key=lambda each: each.decision.number))


def _by_cost(judged: Sequence[JudgedDecision]) -> list[JudgedDecision]:
    """Return the decisions, the most costly first; equals in the order of the match."""
    return sorted(judged, key=lambda each: -each.cost)
