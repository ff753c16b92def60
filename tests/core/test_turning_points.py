"""Turning points: which decisions are looked at, how closely, and which of them count."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engines.core.contract import Menu, Words
from engines.core.match import Entry, EntryKind, Match
from engines.core.optional_methods import Judgement
from engines.core.registry import game
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.core.turning_points import (
    FIRST_LOOKS,
    MAX_SECOND_LOOKS,
    MAX_TURNING_POINTS,
    MIN_COST,
    SECOND_LOOK,
    Decision,
    JudgedDecision,
    Look,
    decisions,
    first_look,
    second_look,
    turning_points,
)
from tests.games.volo.support import at
from tests.kit.vault import GAME as VAULT

SEED = bytes(range(32))
VOLO = game("volo")
WIN = at("c3 c4 c6", "h2 h5 j4")
"""The side to move can win at once."""

BLUNDER, BEST = ("k2",), ("c6", "W1")


def found_in(start: Match, *said: Words) -> tuple[JudgedDecision, ...]:
    """Return the turning points of the first seat, which has said all of it."""
    log = [Entry(EntryKind.ACT, 0, words) for words in said]
    made = decisions(start, log, 0, range(len(log)))
    glanced = [look.judged(start.game) for look in first_look(made)]
    return turning_points([look.judged(start.game) for look in second_look(glanced)])


def match_at_win() -> Match:
    return Match.at(VOLO, complete(VOLO.manifest), SEED, WIN)


def test_a_blunder_is_found_with_what_was_better() -> None:
    [point] = found_in(match_at_win(), BLUNDER)
    assert (point.decision.number, point.decision.words) == (0, BLUNDER)
    assert (point.judgement.better, point.judgement.best) == (BEST, 1.0)
    assert point.cost >= MIN_COST


def test_it_is_found_again_just_so() -> None:
    first, again = found_in(match_at_win(), BLUNDER), found_in(match_at_win(), BLUNDER)
    assert [each.judgement for each in first] == [each.judgement for each in again]


def test_where_all_was_played_well_there_is_none() -> None:
    assert found_in(match_at_win(), BEST) == ()
    assert found_in(match_at_win()) == ()


# --- decisions ------------------------------------------------------------------------------------


def vault_log(match: Match) -> tuple[Match, list[Entry]]:
    """Return a match of two, and a log with asides, secret sentences and somebody else's."""
    log: list[Entry] = []

    def say(seat: int, text: str) -> None:
        nonlocal match
        log.append(Entry(EntryKind.ACT, seat, VAULT.read(text)))
        match = match.apply(log[-1])

    hands = [match.view(seat).own.hand for seat in (0, 1)]
    say(0, f"note {hands[0][1]}")
    say(0, f"lay {hands[0][0]}")
    say(1, f"lay {hands[1][0]}")
    say(0, f"lay {hands[0][1]}")
    say(1, f"lay {hands[1][1]}")
    return match, log


def test_a_seats_own_choices_are_looked_at_as_it_saw_them() -> None:
    start = Match.start(VAULT, complete(VAULT.manifest), SEED)
    end, log = vault_log(start)
    assert end.outcome is not None
    made = decisions(start, log, 0, range(len(log)))
    assert [each.number for each in made] == [1, 3], "no notes, and nobody else's"
    for each in made:
        before = Match.replay(VAULT, start.setup, SEED, log[: each.number])
        assert each.view == before.view(0)
        assert each.menu == before.menu(0)
        assert each.words == log[each.number].words


def test_only_those_entries_count_that_are_asked_for() -> None:
    start = Match.start(VAULT, complete(VAULT.manifest), SEED)
    _, log = vault_log(start)
    assert [each.number for each in decisions(start, log, 0, {3})] == [3]
    assert decisions(start, log, 0, {0, 2, 4}) == ()


def test_each_decision_draws_from_randomness_of_its_own() -> None:
    start = Match.start(VAULT, complete(VAULT.manifest), SEED)
    _, log = vault_log(start)
    made = [each for seat in (0, 1) for each in decisions(start, log, seat, range(len(log)))]
    looks = first_look(made)
    again = second_look([judged(each, 0.5) for each in made])
    assert len({look.rng.secret("x") for look in (*looks, *again)}) == 2 * len(made)


def test_who_could_say_one_thing_alone_has_decided_nothing() -> None:
    only_pass = VOLO.position(  # type: ignore[attr-defined]  # it is Positional
        "...bbb.b...bb..b...b.b..b.......b.b........b...b.bb....bbb..b....oobb..b......b.bbb......ob........ob"
        ".......bb.......... o"
    )
    start = Match.at(VOLO, complete(VOLO.manifest), SEED, only_pass)
    assert decisions(start, [Entry(EntryKind.ACT, 0, ("pass",))], 0, {0}) == ()


# --- which count ----------------------------------------------------------------------------------


def decision(number: int) -> Decision:
    return Decision(number, None, Menu("", VAULT.manifest.tagline, (), (), False, False), (), Rng(SEED))


def judged(seen: Decision, cost: float) -> JudgedDecision:
    return JudgedDecision(seen, Judgement(0.5 - cost / 2, 0.5 + cost / 2, ("better",)))


def costs(*each: float) -> list[JudgedDecision]:
    return [judged(decision(number), cost) for number, cost in enumerate(each)]


def numbers(found: Sequence[JudgedDecision | Look]) -> list[int]:
    return [each.decision.number for each in found]


def test_there_are_three_at_most_in_the_order_of_the_match() -> None:
    found = turning_points(costs(0.2, 0.9, 0.3, 0.8, 0.7))
    assert numbers(found) == [1, 3, 4]
    assert len(found) == MAX_TURNING_POINTS


def test_what_is_not_clearly_worse_does_not_count() -> None:
    assert numbers(turning_points(costs(MIN_COST - 0.01, MIN_COST + 0.01, 0.0))) == [1]


def test_the_second_look_is_for_what_seems_to_have_cost_most() -> None:
    assert numbers(second_look(costs(0.0, 0.1, 0.0, 0.4))) == [3, 1]
    assert len(second_look(costs(*[0.1] * 40))) == MAX_SECOND_LOOKS


@pytest.mark.parametrize("many", [0, 1, 10, 40, 1_000])
def test_the_effort_has_a_bound_however_long_the_match(many: int) -> None:
    made = [decision(number) for number in range(many)]
    looks = [*first_look(made), *second_look([judged(each, 0.3) for each in made])]
    assert len(first_look(made)) == many, "every decision is looked at"
    assert sum(look.effort for look in looks) <= FIRST_LOOKS + MAX_SECOND_LOOKS * SECOND_LOOK + 1e-9


def test_a_game_that_cannot_judge_is_never_asked() -> None:
    [look] = first_look([decision(0)])
    with pytest.raises(TypeError):
        look.judged(VAULT)
