"""Matches in which a mask has left unseen, and the same matches with another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engines.core.contract import Seat, Viewer, Words
from engines.core.match import Match
from engines.core.rng import Rng
from engines.volto import GAME
from engines.volto.board import Kind, Square, rival
from engines.volto.notation import SETUP as SETUP_WORD
from engines.volto.state import State
from tests.contract.checks.sampling import seed
from tests.games.volto.support import SETUP

LONGEST = 120
TRIES = 60
LATER = 3
"""Moves after which it is looked again."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A match as it is, and as it may be for all but the ``owner`` of a mask that has left unseen."""

    real: Match
    other: Match
    owner: Seat

    @property
    def strangers(self) -> tuple[Viewer, ...]:
        """Return who cannot tell the two apart."""
        return rival(self.owner), None


def in_doubt(match: Match) -> bool:
    """Return whether a mask has left unseen of which others do not know what it was.

    That is a Noble or the Soldier: who takes a Lady is no other, unless it has gone another way than ahead.
    """
    return any(len(mask.may_be) > 1 for mask in match.view(None).unseen)


def matches(number: int) -> Iterator[Match]:
    """Yield a match while others are in doubt: at once, and now and then later."""
    match, since = Match.start(GAME, SETUP, seed("unseen", number)), 0
    for _ in range(LONGEST):
        if not match.waiting:
            return
        if in_doubt(match):
            if since % LATER == 0:
                yield match
            since += 1
        seat = min(match.waiting)
        match = match.act(seat, drawn(match, seat))


def drawn(match: Match, seat: Seat) -> Words:
    """Return something to say: most masks go straight ahead, and take a Lady wherever they can."""
    moves, true = sorted(GAME.legal(match.view(seat)) or ()), match.state.mat()
    stream = match.player_rng("unseen", seat).stream()
    quiet = [move for move in moves if true[move[0]][1] is not Kind.CANDIDATE] or moves
    ahead = [move for move in quiet if goes_ahead(seat, *move)]
    ladies = [move for move in ahead if move[1] in true and true[move[1]][1] is Kind.LADY]
    for some, often in ((ladies, 9), (ahead, 7), (quiet, 9)):
        if some and stream.chance(often, 10):
            return stream.choice(some)
    return stream.choice(moves) if moves else match.computer(seat)


def goes_ahead(seat: Seat, origin: Square, target: Square) -> bool:
    """Return whether a move leads one square straight ahead."""
    return origin[0] == target[0] and int(target[1]) - int(origin[1]) == (1 if seat == 0 else -1)


def in_another_truth(match: Match, viewer: Viewer, rng: Rng) -> Match | None:
    """Return the match as it may be for a viewer, with another mask that has left unseen.

    ``None``: there is only one that it may be.
    """
    view = match.view(viewer)
    gone = {mask.id for mask in view.unseen}
    real = {mask.id: kind for mask, kind in match.state.kinds()}
    for number in range(TRIES):
        state = GAME.imagine(view, rng.child("other", number))
        kinds = {mask.id: kind for mask, kind in state.kinds()}
        if any(kinds[one] is not real[one] for one in gone):
            return played_again(match, state)
    return None


def played_again(match: Match, state: State) -> Match:
    """Return a match with the same moves as ``match`` and the symbols of ``state``."""
    again = Match.start(GAME, match.setup, match.seed)
    for entry in match.log:
        words = entry.words
        if words[0] == SETUP_WORD and entry.seat is not None:
            words = SETUP_WORD, "".join(state.own[entry.seat])
        again = again.apply(replace(entry, words=words))
    assert again.state == state
    assert again.state.public == match.state.public
    return again
