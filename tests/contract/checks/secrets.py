"""What a viewer reaches may not depend on what it does not know.

A *twin* is a truth that a viewer could not tell from the real one: everything that the viewer
reaches is compared between the two, byte for byte.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engines.core import texts
from engines.core.canonical_json import canonical
from engines.core.contract import ActionError, Fact, Seat, Setup, Step, Viewer, Words, facts_for
from engines.core.match import AnyGame, Match
from engines.core.optional_methods import TakesNotes
from engines.core.player import walk
from engines.core.rng import Rng
from tests.contract.checks.parts import is_noted, parts_apart
from tests.contract.checks.sampling import baseline, plain, seed, tables, viewers
from tests.kit.samples import MORE

TRIES = 50
"""Draws after which a view counts as having no twin."""

STARTS = 30 if MORE > 1 else 12
"""Starts of each kind of table that are compared with one another."""

END_TRIES = 5
"""Draws after which an ended match counts as revealed: any draw would differ, were anything hidden."""


def truth(game: AnyGame, state: object) -> str:
    return canonical(game.record(state))


def twin(match: Match, viewer: Viewer, rng: Rng, tries: int = TRIES) -> Match | None:
    """Return the match in another truth that ``viewer`` cannot tell apart, or ``None``."""
    game, view = match.game, match.view(viewer)
    for number in range(tries):
        state = game.imagine(view, rng.child("twin", number))
        assert_same_view(match, replace(match, state=state), viewer)
        if _differs(game, state, match.state):
            return replace(match, state=state)
    return None


def _differs(game: AnyGame, one: Any, two: Any) -> bool:
    """Return whether two states differ in more than notes, which stay hidden for good."""
    if not isinstance(game, TakesNotes):
        return bool(one != two)
    return not all(map(is_noted, parts_apart(one, two)))


def shown(value: object) -> str:
    """Return the repr, without the addresses that tell objects apart."""
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))


def assert_same_view(match: Match, other: Match, viewer: Viewer) -> None:
    game = match.game
    view, another = match.view(viewer), other.view(viewer)
    assert view == another, f"viewer {viewer} can tell its imagined truth from the real one"
    assert canonical(game.describe(view)) == canonical(game.describe(another)), "describe tells more than =="
    assert shown(view) == shown(another), "repr tells more than =="


def check_twin(match: Match, viewer: Viewer, rng: Rng) -> bool:
    """Compare all that ``viewer`` reaches in a twin; return whether there is one."""
    other = twin(match, viewer, rng)
    if other is None:
        return False
    assert reach(match, viewer, rng) == reach(other, viewer, rng), f"viewer {viewer} reaches hidden truth"
    if viewer is not None:
        _check_answers(match, other, viewer, rng)
    for seat in sorted(match.waiting):
        _check_others(match, other, viewer, seat, rng)
    for seat in range(match.setup.seats):
        one, two = leaving(match, seat), leaving(other, seat)
        if one is None or two is None:
            assert one is two is None, f"viewer {viewer} learns hidden truth from who may leave"
        else:
            assert_equal_facts(match.game, one, two, viewer)
    return True


def leaving(match: Match, seat: Seat) -> Step[object] | None:
    """Return the step of a seat that leaves for good; ``None``: it cannot."""
    try:
        return match.game.withdraw(match.state, seat, Rng.of_match(match.seed))
    except ActionError:
        return None


def reach(match: Match, viewer: Viewer, rng: Rng) -> list[str]:
    """Return, as text, all that the viewer gets from its view: menus, previews, outcome and so on."""
    game, view, speaker = match.game, match.view(viewer), plain(match.game)
    found = [
        canonical(game.describe(view)),
        repr(sorted(game.waiting(view))),
        repr(speaker.outcome(game.outcome(view))),
        repr(texts.summary(game, view)),
        repr(game.lapse(view, rng.child("lapse"))),
    ]
    for draft in ((), *prefixes(random_sentence(match, viewer, rng))):
        found.append(_answer_of_menu(match, view, draft))
        if game.menu(view) is not None:
            preview = game.preview(view, draft)
            found += [canonical(game.describe(preview)), repr(texts.drafted(game, preview))]
    return found


def _answer_of_menu(match: Match, view: object, draft: Words) -> str:
    try:
        menu = match.game.menu(view, draft)
    except ActionError as error:
        return f"{error.kind} {error.msg}"
    return repr(None if menu is None else plain(match.game).menu(menu))


def random_sentence(match: Match, viewer: Viewer, rng: Rng) -> Words:
    """Return a random sentence of the viewer's seat; none where nothing is open to it."""
    view = match.view(viewer)
    menu = match.game.menu(view)
    return () if menu is None else walk(match.game, view, menu, rng.child("sentence"), asides=True)


def prefixes(words: Words) -> tuple[Words, ...]:
    """Return all beginnings of ``words``, the whole included and the empty one not."""
    return tuple(words[: n + 1] for n in range(len(words)))


def attempts(match: Match, seat: Seat, rng: Rng) -> Iterator[Words]:
    """Yield sentences to try: legal, cut short, mixed up, another seat's."""
    for number in range(3):
        words = random_sentence(match, seat, rng.child("attempt", number))
        yield words
        yield words[:-1]
        yield words[::-1]
        yield (*words, *words[-1:])
    for other in range(match.setup.seats):
        yield random_sentence(match, other, rng.child("attempt"))
    for entry in match.log[-3:]:
        yield entry.words


def attempt(match: Match, seat: Seat, words: Words) -> Step[object] | str:
    """Return the step of a sentence, or its refusal as text."""
    try:
        return match.game.act(match.state, seat, words, Rng.of_match(match.seed))
    except ActionError as error:
        return f"{error.kind} {plain(match.game).text(error.msg)} {error}"


def _check_answers(match: Match, other: Match, seat: Seat, rng: Rng) -> None:
    """The seat's own sentences: refused alike, and equal views after them come with equal facts."""
    for words in attempts(match, seat, rng):
        one, two = attempt(match, seat, words), attempt(other, seat, words)
        if isinstance(one, str) or isinstance(two, str):
            assert one == two, f"seat {seat} learns hidden truth from a refusal"
        else:
            assert_equal_facts(match.game, one, two, seat)


def _check_others(match: Match, other: Match, viewer: Viewer, seat: Seat, rng: Rng) -> None:
    """Another seat's sentences: where they leave the viewer with equal views, its facts are equal."""
    for number in range(2):
        words = random_sentence(match, seat, rng.child("other", number))
        one, two = attempt(match, seat, words), attempt(other, seat, words)
        if seat != viewer and not isinstance(one, str) and not isinstance(two, str):
            assert_equal_facts(match.game, one, two, viewer, by_another=True)


def check_revealed(match: Match, rng: Rng) -> None:
    """Check that a match that is over keeps nothing hidden from anybody."""
    for viewer in viewers(match):
        other = twin(match, viewer, rng.child("revealed"), END_TRIES)
        assert other is None, "something stays hidden after the end"


def assert_equal_facts(
    game: AnyGame, one: Step[object], two: Step[object], viewer: Viewer, *, by_another: bool = False
) -> None:
    """Equal views, equal facts: a view holds all that its viewer was told.

    And the other way round for the public, which has nothing of its own, and for a seat where another has
    acted (``by_another``): while the match runs, they see nothing untold. The viewer's views before the two
    steps are equal.
    """
    view, another = game.view(one.state, viewer), game.view(two.state, viewer)
    told_alike = told(game, one, viewer) == told(game, two, viewer)
    if view == another:
        assert told_alike, f"viewer {viewer} is told more than it sees"
    elif (viewer is None or by_another) and game.outcome(view) is None:
        who = "the public" if viewer is None else f"viewer {viewer}"
        assert not told_alike, f"{who} sees more than it was told"


def told(game: AnyGame, step: Step[object], viewer: Viewer) -> list[tuple[Fact, str | None]]:
    speaker = plain(game)
    found = []
    for fact in facts_for(step.events, viewer):
        message = game.narrate(fact)
        found.append((fact, None if message is None else speaker.text(message)))
    return found


def check_secret_choices(match: Match, rng: Rng) -> None:
    """Two sentences of a seat that leave another viewer with equal views tell it the same."""
    for seat in sorted(match.waiting):
        steps = [
            step
            for number in range(4)
            if not isinstance(
                step := attempt(match, seat, random_sentence(match, seat, rng.child("choice", number))), str
            )
        ]
        for viewer in viewers(match):
            for step in steps[1:]:
                assert_equal_facts(match.game, steps[0], step, viewer)


def check_start(game: AnyGame, setup: Setup, number: int = STARTS) -> None:
    """Compare starts of different seeds: who sees the same was told the same."""
    steps = [game.start(setup, Rng.of_match(seed("start", i))) for i in range(number)]
    for viewer in (*range(setup.seats), None):
        for i, step in enumerate(steps):
            for other in steps[:i]:
                assert_equal_facts(game, step, other, viewer)


def keeps_secrets(game: AnyGame) -> bool:
    """Return whether at some moment of a match its viewers know different things."""
    return any(map(has_secrets, baseline(game, tables(game)[0], seed("secret"))))


def has_secrets(match: Match) -> bool:
    """Return whether the viewers of this moment know different things.

    Views are compared as described, without the entries that merely say who is looking.
    """
    game = match.game
    described = {viewer: game.describe(match.view(viewer)) for viewer in viewers(match)}
    public = described[None]
    who = {name for name in public if all(data.get(name) == viewer for viewer, data in described.items())}
    known = {canonical({k: v for k, v in data.items() if k not in who}) for data in described.values()}
    return len(known) > 1
