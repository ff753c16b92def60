"""Notes: what a seat writes down for itself, nobody else can notice, and nothing follows from it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from engines.core.contract import Menu, Seat, Words
from engines.core.match import EntryKind, Match, is_note
from engines.core.player import walk
from engines.core.rng import Rng
from tests.contract.checks.parts import is_noted, parts_apart
from tests.contract.checks.sampling import Line, viewers
from tests.contract.checks.secrets import attempt, reach, truth, twin
from tests.kit.samples import MORE

EACH = MORE
"""Notes that are tried of each kind of aside."""

NOTED = (1, 2)
"""How often somebody notes something down between two sentences of a match."""


def notes_of(match: Match, seat: Seat, rng: Rng) -> Iterator[Words]:
    """Yield notes that a seat may take now: some for each aside that may become one."""
    game, view, menu = match.game, match.view(seat), match.menu(seat)
    for choice in () if menu is None else menu.choices():
        begun = game.menu(view, (choice.word,)) if choice.aside else None
        for number in range(EACH):
            if begun is not None:
                words = walk(game, view, begun, rng.child("note", choice.word, number))
                if is_note(game, words):
                    yield words


def check_notes(match: Match, seat: Seat, rng: Rng) -> int:
    """Check all that may be noticed of some notes of a seat; return how many were taken."""
    found = tuple(notes_of(match, seat, rng))
    for words in found:
        after = match.act(seat, words)
        assert after.batches[-1] == (), "a note is told"
        assert after.digest() == match.digest(), "a note is in the digest"
        assert after.public_count == match.public_count, "a note is counted"
        changed = parts_apart(match.state, after.state)
        assert all(map(is_noted, changed)), "a note changes more than notes"
        for viewer in viewers(match):
            if viewer != seat:
                assert after.view(viewer) == match.view(viewer), f"viewer {viewer} sees a note"
                child = rng.child("reach", str(viewer))
                assert reach(after, viewer, child) == reach(match, viewer, child), (
                    f"viewer {viewer} sees a note"
                )
        _check_own(match, after, seat)
        _check_twins(match, seat, words, rng)
    return len(found)


def _check_own(match: Match, after: Match, seat: Seat) -> None:
    """What is asked of the noting seat, and what is done in its place, stays as it is."""
    game = match.game
    assert game.waiting(after.view(seat)) == game.waiting(match.view(seat)), (
        "a note changes who is waited for"
    )
    one, two = match.menu(seat), after.menu(seat)
    assert one is not None
    assert two is not None
    assert _question(one) == _question(two), "a note changes the question"
    assert after.lapse(seat) == match.lapse(seat), "a note changes what a deadline brings"
    if seat in match.waiting and seat in game.waiting(match.view(seat)):
        assert after.computer(seat) == match.computer(seat), "a note changes what a computer player does"


def _question(menu: Menu) -> object:
    choices = [(choice.word, choice.aside, choice.reveals) for choice in menu.choices()]
    return menu.key, menu.prompt, choices, [part.shuffle for part in menu.fields]


def _check_twins(match: Match, seat: Seat, words: Words, rng: Rng) -> None:
    """A note is taken in every truth that its seat cannot tell apart, and hidden from the others in each."""
    other = twin(match, seat, rng.child("mine", len(match.log), *words), tries=4)
    assert other is None or not isinstance(attempt(other, seat, words), str), "a note is refused by the truth"
    for viewer in viewers(match):
        other = (
            twin(match, viewer, rng.child("theirs", len(match.log), *words), tries=4)
            if viewer != seat
            else None
        )
        noted = None if other is None else attempt(other, seat, words)
        if other is not None and noted is not None and not isinstance(noted, str):
            assert match.game.view(noted.state, viewer) == match.view(viewer), f"viewer {viewer} sees a note"


def check_without_notes(line: Line, rng: Rng) -> int:
    """Play a match again with notes in between: all later moments are as they were; return how many."""
    start = line.moments[0]
    noted, taken, quiet = Match.start(start.game, start.setup, start.seed), 0, set(viewers(start))
    for number, (before, after) in enumerate(pairwise(line.moments)):
        stream = rng.stream("between", number)
        seat = stream.below(start.setup.seats)
        if stream.chance(*NOTED):
            for words in notes_of(noted, seat, rng.child("between", number)):
                noted, taken = noted.act(seat, words), taken + 1
                quiet.discard(seat)
        noted = noted.apply(after.log[len(before.log)])
        assert noted.digest() == after.digest(), "a note changes what follows"
        assert noted.batches[-1] == after.batches[-1], "a note changes what is told"
        for viewer in quiet:
            assert noted.view(viewer) == after.view(viewer), f"viewer {viewer} sees a note"
    return taken


def check_logged(line: Line) -> None:
    """Check that what counts as a note was one, among all that was said; any words at all may be asked."""
    game, said = line.end.game, [entry.words for entry in line.end.log]
    for words in ((), *said, *(words[:-1] for words in said), *(words[::-1] for words in said)):
        assert isinstance(is_note(game, words), bool)
    for before, after in pairwise(line.moments):
        entry = after.log[-1]
        if entry.kind is EntryKind.ACT and is_note(game, entry.words):
            assert after.batches[-1] == (), "a note is told"
            assert truth(game, after.state) == truth(game, before.state), "a note is in the record"
            menu = before.menu(entry.seat or 0)
            first = None if menu is None else menu.find(entry.words[0])
            assert first is not None, "a note begins with no choice"
            assert first.aside, "a note is no aside"
