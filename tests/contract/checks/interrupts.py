"""Computer players that interrupt: with asides that are taken, the same ones if they are asked again."""

from __future__ import annotations

from engines.core.contract import Seat
from engines.core.match import Match, is_note
from engines.core.optional_methods import Skill
from tests.contract.checks.secrets import attempt


def check_interrupt(match: Match, seat: Seat, skill: Skill | None = None) -> bool:
    """Check what a computer player says unasked; return whether it says anything."""
    words = match.interrupt(seat, skill)
    assert match.interrupt(seat, skill) == words, "asked twice, answered differently"
    if words is None:
        return False
    assert match.outcome is None, "an interrupt after the end"
    menu = match.menu(seat)
    first = None if menu is None else menu.find(words[0])
    assert first is not None, "an interrupt begins with no choice"
    assert first.aside, "an interrupt is no aside"
    assert not is_note(match.game, words), "a computer player takes notes"
    assert not isinstance(attempt(match, seat, words), str), "an interrupt is refused"
    after = match.act(seat, words)
    if after.public_count == match.public_count:
        assert after.interrupt(seat, skill) is None, "who interrupts goes on and on"
    return True
