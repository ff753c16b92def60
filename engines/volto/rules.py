"""The course of a match: into play, moves and captures, the ends. Rules page, *Set-up*, *Turn*, *End*."""

from __future__ import annotations

from dataclasses import replace

from engines.core.contract import EVERYONE, Event, InvalidAction, Seat, Step, fact, msg, only
from engines.core.rng import Rng
from engines.volto.board import SEATS, SQUARES, Kind, Square, can_move, fits_after, homes, palace, rival
from engines.volto.candidates import Kinds
from engines.volto.events import end_events, move_events
from engines.volto.notation import Mat, check_arrangement, read_position
from engines.volto.rulesets import Ruleset
from engines.volto.state import State, position_text
from engines.volto.view import (
    QUIET_LIMIT,
    STANDINGS_LIMIT,
    Mask,
    Phase,
    Ply,
    Public,
    Reason,
    Result,
    new_mask,
)

# --- into play ------------------------------------------------------------------------------------


def no_masks(ruleset: Ruleset) -> State:
    """Return a match before anybody has arranged anything."""
    return State(Public(ruleset, 0, Phase.SETUP, ()), ((), ()))


def arrange(state: State, seat: Seat, kinds: Kinds) -> State:
    """Return the state with the ten masks of ``seat`` set up, in the order of :func:`board.homes`."""
    mine = tuple(new_mask(seat, square) for square in homes(seat))
    public = state.public
    masks = mine + public.masks if seat == 0 else public.masks + mine
    own = (kinds, state.own[1]) if seat == 0 else (state.own[0], kinds)
    seats = tuple(sorted((*public.arranged, seat)))
    return State(replace(public, step=public.step + 1, masks=masks, arranged=seats), own)


def set_up(state: State, seat: Seat, letters: str, rng: Rng) -> Step[State]:
    """Set up the masks of ``seat``; with the second side the lot falls and play begins."""
    after = arrange(state, seat, check_arrangement(letters))
    # That a side has arranged is public, how it has is its own secret.
    events = [
        Event(fact("arranged", seat=seat), EVERYONE),
        Event(fact("arrangement", letters=letters), only(seat)),
    ]
    if after.public.arranged == SEATS:
        first = rng.stream(state.public.step, "first").choice(SEATS)
        after = begin(after, first)
        events.append(Event(fact("begins", seat=first), EVERYONE))
    return Step(after, tuple(events))


def begin(state: State, first: Seat) -> State:
    """Return the state with play begun: ``first`` is to move."""
    public = replace(state.public, phase=Phase.PLAY, first=first, to_move=first)
    return _stand(State(public, state.own))


def load(text: str, ruleset: Ruleset) -> State:
    """Return the state that a position text describes; masks that are missing have left the mat, openly.

    The match may be over there: then the side that is not to move has made the last move.
    Raises :class:`InvalidAction`.
    """
    mat, turn = read_position(text)
    placed = [[square for square in SQUARES if mat.get(square, (None,))[0] == seat] for seat in SEATS]
    masks = tuple(new_mask(seat, square) for seat in SEATS for square in placed[seat])
    kinds = tuple(tuple(mat[square][1] for square in placed[seat]) for seat in SEATS)
    arranged = tuple(seat for seat in SEATS if placed[seat])
    state = begin(State(Public(ruleset, 0, Phase.SETUP, masks, arranged), (kinds[0], kinds[1])), turn)
    # A loaded position counts as if the side that is not to move had just brought it about.
    ways = ways_to_win(mat, rival(turn))
    if len(ways) > 1:
        raise InvalidAction(msg("error.position_decided"))
    for winner, reasons in ways.items():
        return finish(state, Result(winner, reasons))
    return state


# --- a move ---------------------------------------------------------------------------------------


def play(state: State, origin: Square, target: Square) -> Step[State]:
    """Return the step of the side to move from ``origin`` to ``target``.

    The move must be legal. Source of every effect: the rules page, *Turn* and *End*.
    """
    public = state.public
    standing = {mask.square: (mask, kind) for mask, kind in state.kinds()}
    mover = standing[origin]
    ply = ply_of(mover, target, standing.get(target), public.ruleset)
    concerned = (ply.mask, ply.taken)
    masks = tuple([mask_after(mask, ply) if mask.id in concerned else mask for mask in public.masks])
    moved = replace(
        public,
        step=public.step + 1,
        masks=masks,
        to_move=rival(ply.seat),
        plies=(*public.plies, ply),
        quiet=0 if ply.taken else public.quiet + 1,
    )
    # After a capture no earlier position can come again.
    after = _stand(State(moved, state.own, () if ply.taken else state.standings))
    result = judge(after, ply)
    if result is not None:
        after = finish(after, result)
    events = move_events(after.public.plies[-1], mover[1])
    unseen = () if result is None else unseen_before(state)
    return Step(after, (*events, *end_events(after, unseen)))


def ply_of(
    mover: tuple[Mask, Kind], target: Square, taken: tuple[Mask, Kind] | None, ruleset: Ruleset
) -> Ply:
    """Return the move of a mask to ``target``, where a rival mask may be taken."""
    mask, kind = mover
    origin = mask.track[-1]
    if taken is None:
        return Ply(mask.seat, mask.id, origin, target)
    # Whoever takes a Lady leaves the mat with her.
    lost = kind if taken[1] is Kind.LADY and ruleset.shows_capturer else None
    return Ply(mask.seat, mask.id, origin, target, taken[0].id, taken[1], lost)


def mask_after(mask: Mask, ply: Ply) -> Mask:
    """Return ``mask`` as all know it after the ply."""
    if mask.id == ply.taken and ply.kind is not None:
        return replace(mask, gone=True, shown=ply.kind, fits=(ply.kind,))
    if mask.id != ply.mask:
        return mask
    track = (*mask.track, ply.target)
    if ply.lost is not None:
        return replace(mask, track=track, gone=True, shown=ply.lost, fits=(ply.lost,))
    fits = fits_after(mask.fits, mask.seat, ply.origin, ply.target, ply.kind)
    return replace(mask, track=track, gone=ply.left, fits=fits)


def _stand(state: State) -> State:
    return replace(state, standings=(*state.standings, position_text(state)))


# --- the end --------------------------------------------------------------------------------------


def ways_to_win(mat: Mat, mover: Seat, lady_of: Seat | None = None) -> dict[Seat, tuple[Reason, ...]]:
    """Return who has won at the end of ``mover``'s turn, and by which of the ways.

    ``lady_of``: whose Lady was captured on it. A turn that leaves the rival without a move wins
    only where the rival has not won by that turn.
    """
    ways = {seat: ways_of(mat, seat, lady_taken=lady_of == seat) for seat in SEATS}
    other = rival(mover)
    # A rival that has won by this very turn needs no move any more.
    if not ways[other]:
        owners = {square: owner for square, (owner, _) in mat.items()}
        own = {square: kind for square, (owner, kind) in mat.items() if owner == other}
        if not can_move(other, own, owners):
            ways[mover] = (*ways[mover], Reason.IMMOBILE)
    return {seat: reasons for seat, reasons in ways.items() if reasons}


def ways_of(mat: Mat, seat: Seat, *, lady_taken: bool) -> tuple[Reason, ...]:
    """Return by which ways ``seat`` has won; ``lady_taken``: it has just captured a Lady."""
    standing = mat.values()
    ways: list[Reason] = []
    if (rival(seat), Kind.CANDIDATE) not in standing:
        ways.append(Reason.CANDIDATE)
    # Only the capture of the last Lady wins: a loaded position may have none from the start.
    if lady_taken and (seat, Kind.LADY) not in standing:
        ways.append(Reason.LADIES)
    candidate = (seat, Kind.CANDIDATE)
    if candidate in [mat.get(square) for square in palace(rival(seat))]:
        ways.append(Reason.PALACE)
    return tuple(ways)


def judge(state: State, ply: Ply) -> Result | None:
    """Return how the turn that ended with ``ply`` ended the match: a win comes before a draw."""
    lady_of = rival(ply.seat) if ply.kind is Kind.LADY else None
    ways = ways_to_win(state.mat(), ply.seat, lady_of)
    for winner, reasons in ways.items():
        return Result(winner, reasons)
    draws: list[Reason] = []
    if state.standings.count(state.standings[-1]) >= STANDINGS_LIMIT:
        draws.append(Reason.REPETITION)
    if state.public.quiet >= QUIET_LIMIT:
        draws.append(Reason.QUIET)
    return Result(None, tuple(draws)) if draws else None


def finish(state: State, result: Result) -> State:
    """Return the state with the match over: now everybody sees what has left unseen, too."""
    kinds = {mask.id: kind for mask, kind in state.kinds()}
    plies = tuple(replace(ply, lost=kinds[ply.mask]) if ply.left else ply for ply in state.public.plies)
    return replace(state, public=replace(state.public, phase=Phase.OVER, plies=plies, result=result))


def unseen_before(state: State) -> tuple[Ply, ...]:
    """Return the moves of the masks that have left unseen so far."""
    return tuple(ply for ply in state.public.plies if ply.left and ply.lost is None)


def stop(state: State, result: Result) -> Step[State]:
    """End the match for a reason that is not on the mat."""
    # The count is public: everybody knows of a resignation or an agreed draw.
    counted = replace(state, public=replace(state.public, step=state.public.step + 1))
    after = finish(counted, result)
    return Step(after, tuple(end_events(after, unseen_before(state))))
