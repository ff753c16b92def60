"""Computer players of VOLT: they look ahead for a round, against programs that rivals may have in mind.

The first level looks at its own programs alone. The middle one tries them against programs that look good to
its rivals, with modules as it guesses them. The best one lets both sides learn to answer each other
(:mod:`engines.volt.contest`), look for new programs that do, and learn on; it plays what nobody can foresee.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import isqrt

from engines.core.contract import Seat, Words
from engines.core.optional_methods import Judgement, Level, Skill
from engines.core.rng import Rng
from engines.volt import player
from engines.volt.answers import fold as fold_answer
from engines.volt.contest import Contest, Encounter, Pool, World, drawn, shares
from engines.volt.draft import Basis
from engines.volt.imagine import imagine
from engines.volt.outlook import Outlook, weighed_answers
from engines.volt.plans import Plan, Planner, Shortlist, Worth
from engines.volt.program import fold
from engines.volt.state import look
from engines.volt.view import Phase, View

BUDGETS = {Level.FIRST: 4_000, Level.MIDDLE: 24_000, Level.BEST: 100_000}
"""Programs that are carried out: ten thousand take half a second or less."""

FANCIED, FANCIED_SHARE = 6, 0.97
"""The first level takes one of so many programs that seem worth at least this share of the best one."""

WORLDS = 8
"""Guesses at what is hidden: rivals' modules, and tiles that are not taken."""

OWN_LOOKS, RIVAL_LOOKS = 0.12, 0.16
"""The shares of a budget for finding good programs of the own seat, and of all rivals in all worlds."""

LEAST_PLANS, PLANS_LESS = 10, 2
"""Plans that a seat has in mind: the root of the budget, divided by the seats and this; rivals have half.

A contest of two can then meet about all of them with each other.
"""

BEST_LOOKS, BEST_PLANS_LESS = 0.5, 4
"""The best level spends this share of those looks, and divides by this: it finds more plans later."""

ENCOUNTERS = 24
"""Programs of the rivals that a plan is tried against; half as many where it is a rival's."""

ROUNDS = 1_000
"""Rounds of a contest at most: by then it changes little."""

ANSWERINGS, ANSWERED = 3, 100
"""How often all look for new plans in a contest, and the rounds before each time."""

ANSWER_LOOKS = 0.08
"""The share of a budget for that, each time: for the own seat, and once more for all rivals in all worlds."""

KEPT = 4
"""New plans that a seat keeps each time; a rival in a world keeps half."""

FINALISTS, EQUAL = 6, 0.97
"""The plans most leaned to are tried once more; those with this share of the best one's chances stay."""


def sentence(view: View, skill: Skill, rng: Rng) -> Words:
    """Return the sentence of a computer player in the viewer's seat."""
    if view.phase is Phase.PROGRAM:
        tile = min(view.free, default=None)
        return Thinker(view, skill.playouts(BUDGETS), tile, rng).chosen(skill.level).draft.words()
    if skill.level is Level.FIRST:
        return player.sentence(view, rng)
    answers = weighed_answers(view)
    most = max(chance for _, chance in answers)
    return rng.stream("answer").choice([words for words, chance in answers if chance >= EQUAL * most])


def judgement(view: View, words: Words, skill: Skill, rng: Rng) -> Judgement:
    """Return how good an answer was beside the best one."""
    if view.phase is Phase.PROGRAM:
        draft = fold(view, words)
        return Thinker(view, skill.playouts(BUDGETS), draft.tile, rng).judgement(Plan.of(draft))
    answers = dict(weighed_answers(view))
    said = fold_answer(view, words).words()
    best = max(answers.values())
    better = said if answers[said] == best else max(answers, key=answers.__getitem__)
    return Judgement(answers[said], best, better)


class Thinker:
    """Thinks of a program for the viewer's seat. ``tile``: what it takes; ``None`` where tiles are dealt."""

    def __init__(self, view: View, budget: int, tile: int | None, rng: Rng) -> None:
        assert view.viewer is not None
        self._view, self._seat = view, view.viewer
        self._budget, self._tile = budget, tile
        self._rng, self._stream = rng, rng.stream("thinking")
        self._outlook = Outlook(view)
        self._planner = Planner(Basis.of(view), tile, self._stream)
        self._playing = [robot.seat for robot in view.robots if not robot.gone]

    def chosen(self, level: Level) -> Plan:
        """Return a plan as a level would choose it."""
        if level is Level.FIRST:
            return self._greedy()
        return self._wary() if level is Level.MIDDLE else self._cunning()

    def judgement(self, played: Plan) -> Judgement:
        """Return how good a plan was beside the best one that is found.

        The rivals answer as the best level expects them to. The best plan is chosen by some encounters, and
        both are measured in others: chosen and measured by the same ones it would seem better than it is.
        """
        contest = self._learned()
        best = self._finalists(contest).plans[0]
        encounters = contest.encounters(2 * ENCOUNTERS, self._stream)
        chances = [contest.mean(plan, encounters) for plan in (played, best)]
        if chances[0] >= chances[1]:
            return Judgement(chances[0], chances[0], played.draft.words())
        return Judgement(chances[0], chances[1], best.draft.words())

    # --- levels -----------------------------------------------------------------------------------

    def _greedy(self) -> Plan:
        planner = replace(self._planner, forgetful=True)
        found = planner.best(self._alone(self._seat), self._budget, FANCIED)
        return self._stream.choice(found.close(FANCIED_SHARE))

    def _wary(self) -> Plan:
        contest = self._contest(1.0, PLANS_LESS)
        encounters = contest.encounters(ENCOUNTERS, self._stream)
        found = self._tried(contest, contest.own.plans, encounters)
        left = self._budget - self._outlook.looked_at
        for _ in range(left // (ENCOUNTERS * len(self._playing))):
            found.add(self._planner.changed(self._stream.choice(found.plans)))
        return self._stream.choice(found.close(EQUAL))

    def _cunning(self) -> Plan:
        contest = self._learned()
        # By how much it leans to each: what is chosen in these shares cannot be foreseen.
        plans = self._finalists(contest).close(EQUAL)
        return plans[drawn(shares([contest.own.leaning(plan) for plan in plans]), self._stream)]

    def _learned(self) -> Contest:
        """Return a contest in which all have learned, and have looked for answers to each other."""
        contest = self._contest(BEST_LOOKS, BEST_PLANS_LESS)
        rounds = 0
        for _ in range(ANSWERINGS):
            rounds = self._learn(contest, rounds, rounds + ANSWERED)
            if self._outlook.looked_at < self._budget:
                self._answer(contest)
        self._learn(contest, rounds, ROUNDS)
        return contest

    def _learn(self, contest: Contest, begun: int, until: int) -> int:
        """Play rounds up to a number; returns how many were played in all."""
        for number in range(begun, until):
            if self._outlook.looked_at >= self._budget:
                return number
            contest.play(number, self._stream)
        return until

    def _answer(self, contest: Contest) -> None:
        """Let all look for plans that answer what the others lean to: the first ones seemed good alone."""
        programs = int(ANSWER_LOOKS * self._budget) // len(self._playing)
        met = contest.encounters(ENCOUNTERS, self._stream)
        own = partial(contest.mean, encounters=met)
        self._improve(contest.own, self._planner, own, programs // ENCOUNTERS, KEPT)
        rivals = [(world, *each) for world in contest.worlds for each in world.rivals.items()]
        for world, seat, pool in rivals:
            worth = contest.worth_to(seat, world, ENCOUNTERS // 2, self._stream)
            tries = programs // (len(rivals) * (ENCOUNTERS // 2))
            self._improve(pool, world.planners[seat], worth, tries, KEPT // 2)

    def _improve(self, pool: Pool, planner: Planner, worth: Worth, tries: int, kept: int) -> None:
        """Let a seat look for plans near those that it leans to, and keep the best of them."""
        found = Shortlist(worth, FINALISTS)
        for plan in pool.favourites(kept):
            found.add(plan)
        for _ in range(tries):
            found.add(planner.changed(self._stream.choice(found.plans)))
        for plan in found.plans[:kept]:
            pool.add(plan)

    def _finalists(self, contest: Contest) -> Shortlist:
        """Return the plans that the own seat leans to, tried once more."""
        plans = contest.own.favourites(FINALISTS)
        return self._tried(contest, plans, contest.encounters(ENCOUNTERS, self._stream))

    def _tried(self, contest: Contest, plans: Sequence[Plan], encounters: Sequence[Encounter]) -> Shortlist:
        found = Shortlist(lambda plan: contest.mean(plan, encounters), FINALISTS)
        for plan in plans:
            found.add(plan)
        return found

    # --- what all may have in mind ----------------------------------------------------------------

    def _alone(self, seat: Seat) -> Worth:
        return lambda plan: self._outlook.alone(seat, plan.program)

    def _contest(self, share: float, less: int) -> Contest:
        looks = share * self._budget
        size = max(LEAST_PLANS, isqrt(self._budget) // (less + len(self._playing)))
        own = Pool(self._planner.best(self._alone(self._seat), int(OWN_LOOKS * looks), size).plans)
        worlds = [self._world(number, RIVAL_LOOKS * looks / WORLDS, size // 2) for number in range(WORLDS)]
        return Contest(self._outlook, self._seat, own, worlds)

    def _world(self, number: int, looks: float, size: int) -> World:
        state = imagine(self._view, self._rng.child("world", number))
        tiles = self._tiles()
        rivals = [seat for seat in self._playing if seat != self._seat]
        pools: dict[Seat, Pool] = {}
        planners: dict[Seat, Planner] = {}
        for rival in rivals:
            planner = planners[rival] = Planner(Basis.of(look(state, rival)), tiles[rival], self._stream)
            pools[rival] = Pool(planner.best(self._alone(rival), int(looks / len(rivals)), size).plans)
        return World(tiles[self._seat], pools, planners)

    def _tiles(self) -> dict[Seat, int]:
        """Return everybody's number tile: as they are taken, the others drawn."""
        known = {seat: tile for seat in self._playing if (tile := self._view.taken[seat]) is not None}
        if self._tile is not None:
            known[self._seat] = self._tile
        left = [tile for tile in range(1, len(self._playing) + 1) if tile not in known.values()]
        dealt = iter(self._stream.shuffled(left))
        return {seat: known[seat] if seat in known else next(dealt) for seat in self._playing}
