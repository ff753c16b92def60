"""Surfaces and nonces: no record and no message is taken for another."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from bot.domain import surfaces
from bot.domain.jobs import CallWay
from bot.domain.surfaces import Nonce
from bot.sync.questions import QUESTIONS

FIRST_LETTERS = {
    Nonce.CALL: [way.value for way in (CallWay.MENTION, CallWay.MESSAGE, CallWay.ANSWER)],
    Nonce.UNREACHED: ["c", "p", "o"],
}
"""Nonces that begin with one of several letters. Calls in other ways are no messages of their own."""

EXTENDED = (Nonce.LOBBY, Nonce.BOARD, Nonce.PANEL)
"""Nonces to which a number may be appended."""

HARMLESS = {
    # A call's number is a checksum of nine digits; versions are small.
    frozenset({Nonce.CALL, Nonce.MOTION}),
    # The same, beside the end of a message's id: of a million.
    frozenset({Nonce.LOBBY, Nonce.INVITATION}),
    # The first is used before the start, the second when an allowance is over: at least ten minutes later.
    frozenset({Nonce.HOST_CALL, Nonce.OVERDUE}),
}
"""Nonces that look alike, but do not meet within the minutes for which Discord remembers them."""


def _surfaces() -> list[str]:
    """Return one surface of each kind, or its prefix."""
    named = [str(value) for name, value in vars(surfaces).items() if name.isupper()]
    notices = [surfaces.unreached_surface(why, 1) for why in ("closed", "paused", "off")]
    others = [surfaces.written_to_surface(1), surfaces.resting_surface(1), surfaces.thread_surface(1)]
    return [*named, *notices, *others, *(question.surface for question in QUESTIONS)]


def _shapes(nonce: Nonce) -> Iterator[str]:
    """Yield what a nonce can look like, with ``#`` for a match or a number."""
    template: str = nonce.value
    for letter in FIRST_LETTERS.get(nonce, [""]):
        shape = re.sub(r"\{\w+\}", "#", re.sub(r"^\{(way|why)\}", letter, template))
        yield shape
        if nonce in EXTENDED:
            yield f"{shape}.#"


def test_no_surface_begins_as_another_does() -> None:
    found = _surfaces()
    assert {"board", "dm:", "dm_off:1", "offer"} <= {*found}
    assert len(found) == len({*found})
    assert not [(one, other) for one in found for other in found if one != other and other.startswith(one)]


def test_nonces_that_could_meet_differ() -> None:
    alike = defaultdict[str, set[Nonce]](set)
    for nonce in Nonce:
        for shape in _shapes(nonce):
            alike[shape].add(nonce)
    assert {frozenset(nonces) for nonces in alike.values() if len(nonces) > 1} == HARMLESS
