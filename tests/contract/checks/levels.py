"""Computer players of a level, and hints: whole sentences, the same again, nothing that is hidden."""

from __future__ import annotations

from typing import Any

from engines.core import texts
from engines.core.contract import Seat
from engines.core.match import Match
from engines.core.optional_methods import Judging, Level, Skill, Thinking
from engines.core.rng import Rng
from tests.contract.checks.sampling import package, plain
from tests.contract.checks.secrets import attempt, twin

TINY = 0.004
"""The share of a level's budget that is used here: a look or two."""

LONGEST = 300
"""Characters of a reason."""


def check_level(match: Match, seat: Seat, level: Level, rng: Rng) -> None:
    """Check what a computer player of a level says in a seat that is asked, and what speaks for it."""
    game: Any = match.game
    assert isinstance(game, Thinking)
    answer = said(match, seat, level)
    assert said(match, seat, level) == answer, "asked twice, answered differently"
    assert not isinstance(attempt(match, seat, answer[0]), str), f"{level} says what is refused"
    assert 0 < len(answer[1]) <= LONGEST
    other = twin(match, seat, rng, tries=6)
    if other is not None:
        assert said(other, seat, level) == answer, "what a seat cannot know makes a difference"


def said(match: Match, seat: Seat, level: Level) -> tuple[Any, ...]:
    """Return all that is worked out for a seat from what it sees: sentence, reason, judgement, interrupt."""
    game: Any = match.game
    skill, view, menu = Skill(level, TINY), match.view(seat), match.menu(seat)
    assert menu is not None
    words = match.computer(seat, skill)
    reason = plain(game).text(game.reason(view, words))
    judged = None
    if isinstance(game, Judging):
        judged = game.judge(view, menu, words, skill, match.player_rng("judge", seat))
        assert 0 <= judged.played <= 1
        assert 0 <= judged.best <= 1
        assert not isinstance(attempt(match, seat, judged.better), str), "what is better is refused"
    return words, reason, judged, match.interrupt(seat, skill)


def check_names(game: Any) -> None:
    """Check what the levels of a game are called."""
    catalogue = texts.load(package(game))
    names = [catalogue.render(game.level_names[level], str) for level in Level]
    assert len(set(names)) == len(names)
    assert all(0 < len(name) <= 20 for name in names), "a name of a chair"
