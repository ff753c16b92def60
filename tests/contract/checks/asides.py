"""Asides: said while others are asked, two at once, and drafts of them that have to wait."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum

from engines.core.contract import ActionError, Seat, Words, facts_for
from engines.core.match import Match, is_note
from engines.core.player import walk
from engines.core.rng import Rng
from tests.contract.checks.menus import attempt_kind
from tests.contract.checks.sampling import Line, viewers
from tests.contract.checks.secrets import attempt

TRACKED = 12
"""Drafts of asides that are followed through a match."""


def asides_of(match: Match, seat: Seat, rng: Rng) -> Iterator[Words]:
    """Yield a whole aside of each kind that a seat may say now; notes are checked by themselves."""
    game, view, menu = match.game, match.view(seat), match.menu(seat)
    for choice in () if menu is None else menu.choices():
        begun = game.menu(view, (choice.word,)) if choice.aside else None
        if begun is not None:
            words = walk(game, view, begun, rng.child("aside", choice.word), asides=True)
            if not is_note(game, words):
                yield words


def is_asked(match: Match, seat: Seat) -> bool:
    return seat in match.game.waiting(match.view(seat))


def check_while_others_are_asked(match: Match, rng: Rng) -> int:
    """Check asides of seats that nobody waits for; return how many were said.

    What tells the others nothing leaves them with what they had: asked, with the same views, and with the
    drafts that they had begun.
    """
    said = 0
    for seat in range(match.setup.seats):
        if is_asked(match, seat):
            continue
        for words in asides_of(match, seat, rng.child(seat)):
            step = attempt(match, seat, words)
            assert not isinstance(step, str), "an aside is refused while others are asked"
            after, said = match.act(seat, words), said + 1
            for other in viewers(match):
                told = facts_for(step.events, other)
                if other != seat and not told and after.view(other) == match.view(other):
                    same = match.game.waiting(after.view(other)) == match.game.waiting(match.view(other))
                    assert same, f"viewer {other} waits for others, and learned of nothing"
            if not facts_for(step.events, None):
                assert after.waiting == match.waiting, "somebody is asked, or no longer, and nobody was told"
                assert after.view(None) == match.view(None), "the public sees an aside that it is not told of"
    return said


def check_two_at_once(match: Match, rng: Rng) -> int:
    """Check pairs of asides of two seats, in either order; return how many pairs both count.

    The second is judged by its seat's menu as it is after the first. Of two that the public learns nothing
    of, the order does not matter.
    """
    both = 0
    seats = [seat for seat in range(match.setup.seats) if match.menu(seat) is not None]
    for one, two in zip(seats, seats[1:] + seats[:1], strict=True):
        for first in asides_of(match, one, rng.child("first", one)):
            for second in asides_of(match, two, rng.child("second", two)) if one != two else ():
                ends = [_both(match, (one, first), (two, second)), _both(match, (two, second), (one, first))]
                both += any(end is not None for end in ends)
                _check_order(match, *ends)
    return both


def _both(match: Match, *said: tuple[Seat, Words]) -> Match | None:
    """Return the match after two asides; ``None`` where the second is refused."""
    (one, first), (two, second) = said
    after = match.act(one, first)
    if attempt_kind(after, two, second) is None:
        assert _fate(after, two, second) is _Fate.COUNTS, "act takes what its menu does not call complete"
        return after.act(two, second)
    over = after.menu(two) is None
    assert over or _fate(after, two, second) is not _Fate.COUNTS, "the second is refused, and offered"
    return None


def _check_order(match: Match, one: Match | None, two: Match | None) -> None:
    if one is not None and two is not None and one.public_count == two.public_count == match.public_count:
        assert one.digest() == two.digest(), "the order of two asides matters that nobody learns of"


def check_kept(line: Line, seat: Seat, rng: Rng) -> int:
    """Follow drafts of asides through a match; return how many had to wait and counted again.

    An aside that counts, is refused and counts again, with no act of its own seat between, stays a draft
    all the while: its menu is there, not complete, and none of its words is lost.
    """
    waited = 0
    drafts: dict[Words, _Fate] = {}
    for number, match in enumerate(line.moments):
        if match.log and match.log[-1].seat == seat:
            drafts.clear()
        if match.menu(seat) is None:
            continue
        for words, before in drafts.items():
            drafts[words] = fate = _fate(match, seat, words)
            assert before is not _Fate.LOST or fate is not _Fate.COUNTS, "a draft is lost on the way"
            waited += before is _Fate.WAITS and fate is _Fate.COUNTS
            if before is _Fate.LOST:
                drafts[words] = before
        if len(drafts) < TRACKED:
            for words in asides_of(match, seat, rng.child(number)):
                drafts.setdefault(words, _Fate.COUNTS)
    return waited


class _Fate(Enum):
    """What becomes of a draft while others act."""

    COUNTS = "counts"
    WAITS = "waits"
    LOST = "lost"


def _fate(match: Match, seat: Seat, words: Words) -> _Fate:
    try:
        menu = match.menu(seat, words)
    except ActionError:
        return _Fate.LOST
    assert menu is not None
    return _Fate.COUNTS if menu.complete else _Fate.WAITS
