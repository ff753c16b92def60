"""What may be taken back, for every game: in every step of many matches."""

from __future__ import annotations

from itertools import pairwise

import pytest

from engines.core.contract import facts_for
from engines.core.match import AnyGame, Match
from engines.core.optional_methods import Undoing
from engines.core.rng import Rng
from tests.contract import planted_undoing
from tests.contract.checks import undoing
from tests.contract.checks.sampling import WAYS, Line, seed, tables
from tests.contract.conftest import GAMES, lines_of
from tests.kit.vault import GAME as VAULT
from tests.kit.vault.game import Vault

UNDOING = [key for key, game in GAMES.items() if isinstance(game, Undoing)]

EVERY = 40
"""Of so many steps that may be taken back, one is gone back from by following the whole log."""

TAKEN_BACK = {
    "volto": {"moved"},
    "volo": {"added", "flew", "kept", "gone"},
    "doge": {"placed", "moved", "left_pile"},
    "corto": {"started", "turn", "played", "added", "removed", "killed", "discarded", "ended_turn"},
    "volt": {"done"},
}
"""By game: facts of steps that were taken back, so that nobody makes a list of what never happens alone."""


def check(lines: tuple[Line, ...]) -> tuple[int, set[str]]:
    """Check all steps; return how many may be taken back, and the kinds of facts that they had."""
    found, kinds, rng = 0, set[str](), Rng(bytes(32))
    for number, line in enumerate(lines):
        undoing.check_start(line.moments[0])
        for before, after in pairwise(line.moments):
            if undoing.check_step(before, after, rng.child(number, len(before.log))):
                kinds |= {fact.kind for fact in facts_for(after.batches[-1], None)}
                found += 1
                if found % EVERY == 0:
                    undoing.check_gone_back(before)
    return found, kinds


def test_each_game_that_lets_something_be_taken_back_says_what() -> None:
    assert set(UNDOING) == set(TAKEN_BACK), "add the game, and what was taken back in it, to TAKEN_BACK"


@pytest.mark.parametrize("key", UNDOING)
def test_what_is_taken_back_has_shown_nothing(key: str) -> None:
    found, kinds = check(lines_of(key))
    assert found > 30
    assert kinds >= TAKEN_BACK[key]


@pytest.mark.parametrize("key", UNDOING)
def test_a_fact_that_is_not_listed_stands(key: str) -> None:
    game = GAMES[key]
    assert isinstance(game, Undoing)
    for line in lines_of(key):
        for match in line.moments[1:]:
            facts = facts_for(match.batches[-1], None)
            if facts and game.can_be_undone(facts):
                strange = type(facts[0])("strange")
                assert not game.can_be_undone((*facts, strange))
                return
    raise AssertionError("nothing may be taken back")


def planted_lines(game: AnyGame) -> tuple[Line, ...]:
    """Return matches whose sentences are those of the sound game, played by the broken one."""
    found = []
    for number, setup in enumerate(tables(VAULT) * 3):
        *_, end = WAYS[number % len(WAYS)](VAULT, setup, seed("undoing", number))
        moments = [Match.start(game, end.setup, end.seed)]
        for entry in end.log:
            moments.append(moments[-1].apply(entry))
        found.append(Line(tuple(moments)))
    return tuple(found)


def test_the_vault_takes_nothing_back() -> None:
    assert check(planted_lines(VAULT)) == (0, set())


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        (planted_undoing.UndoneLay, "alone was told"),
        (planted_undoing.UndoneNothing, "not noticed"),
        (planted_undoing.UndoneLeave, "no sentence"),
        (planted_undoing.UndoneEnd, "the end"),
        (planted_undoing.DrawnPeek, "chance decides"),
        (planted_undoing.ShownPeek, "learns something"),
        (planted_undoing.SeenPeek, "learns something"),
    ],
)
def test_a_game_that_lies_is_seen(broken: type[Vault], why: str) -> None:
    with pytest.raises(AssertionError, match=why):
        check(planted_lines(broken()))
