"""Steps that may be taken back: they have shown nothing that was hidden, and chance had no part in them."""

from __future__ import annotations

from engines.core.contract import Seat, Viewer, facts_for
from engines.core.match import EntryKind, Match
from engines.core.optional_methods import Undoing
from engines.core.rng import Label, Rng, Stream
from tests.contract.checks.sampling import viewers
from tests.contract.checks.secrets import attempt, twin

TRIES = 4
"""Draws after which a seat counts as knowing all."""


class WatchedRng(Rng):
    """Randomness of a match that notes down whether it was drawn from, its children's too."""

    __slots__ = ("drawn",)

    def __init__(self, key: bytes, drawn: list[Label] | None = None) -> None:
        super().__init__(key)
        self.drawn: list[Label] = [] if drawn is None else drawn

    def child(self, *labels: Label) -> Rng:
        return WatchedRng(self._digest(b"child", labels), self.drawn)

    def stream(self, *labels: Label) -> Stream:
        return WatchedStream(self._digest(b"stream", labels), labels, self.drawn)

    def secret(self, *labels: Label) -> bytes:
        self.drawn.extend(labels)
        return super().secret(*labels)


class WatchedStream(Stream):
    """A stream that notes down when it is drawn from: all draws are made of numbers below others."""

    __slots__ = ("_drawn", "_labels")

    def __init__(self, key: bytes, labels: tuple[Label, ...], drawn: list[Label]) -> None:
        super().__init__(key)
        self._labels, self._drawn = labels, drawn

    def below(self, n: int) -> int:
        self._drawn.extend(self._labels or ("",))
        return super().below(n)


def undoable(after: Match) -> bool:
    """Return whether the last step of a match may be taken back."""
    game = after.game
    return isinstance(game, Undoing) and game.can_be_undone(facts_for(after.batches[-1], None))


def check_start(match: Match) -> None:
    """Check that neither the start of a match nor what nobody has noticed is ever taken back."""
    if isinstance(match.game, Undoing):
        assert not match.game.can_be_undone(facts_for(match.batches[0], None)), "the start is no turn"
        assert not match.game.can_be_undone(()), "what the public has not noticed is taken back"


def check_step(before: Match, after: Match, rng: Rng) -> bool:
    """Check what the last step of a match has shown, if it may be taken back; return whether it may."""
    if not undoable(after):
        return False
    entry = after.log[-1]
    assert entry.kind is EntryKind.ACT, "what is no sentence is taken back"
    assert entry.seat is not None
    assert after.outcome is None, "the end is taken back"
    public = facts_for(after.batches[-1], None)
    for viewer in viewers(after):
        assert facts_for(after.batches[-1], viewer) == public, f"viewer {viewer} alone was told something"
    watched = WatchedRng(after.seed)
    step = after.game.act(before.state, entry.seat, entry.words, watched.child("match"))
    assert not watched.drawn, f"chance decides: {watched.drawn}"
    assert step.state == after.state, "chance decides"
    _check_own(before, after, entry.seat, rng)
    return True


def _check_own(before: Match, after: Match, seat: Seat, rng: Rng) -> None:
    """Whoever said it has learned nothing by it: it looks the same in every truth that they had in mind."""
    other = twin(before, seat, rng, TRIES)
    step = None if other is None else attempt(other, seat, after.log[-1].words)
    if step is None:
        return
    assert not isinstance(step, str), "a sentence is refused by the truth"
    assert facts_for(step.events, seat) == facts_for(after.batches[-1], seat), f"seat {seat} learns something"
    assert after.game.view(step.state, seat) == after.view(seat), f"seat {seat} learns something"


def check_gone_back(before: Match) -> None:
    """Check that everybody sees again what they saw, where the log is followed up to before a step."""
    again = Match.replay(before.game, before.setup, before.seed, before.log)
    assert again.digest() == before.digest()
    found: list[Viewer] = [viewer for viewer in viewers(before) if again.view(viewer) != before.view(viewer)]
    assert not found, f"viewers {found} see something else"
