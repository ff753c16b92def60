"""The rules of a match in play: moves, captures, the ends. All ways into play lead through here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from engines.core.contract import Fact, InvalidAction, Seat, fact, msg
from engines.volto.board import (
    SEATS,
    SQUARES,
    Kind,
    Owners,
    Square,
    fits_after,
    fits_at,
    homes,
    palace,
    rival,
    targets,
)
from engines.volto.notation import Mat, read_position
from engines.volto.record import QUIET_LIMIT, STANDINGS_LIMIT, Phase, Ply, Reason, Result
from engines.volto.state import Mask, Public, State, position_text

Kinds = tuple[Kind, ...]

NO_MASKS = State(Public(0, Phase.SETUP, ()), ((), ()))
"""A match before anybody has arranged anything."""


# --- into play ------------------------------------------------------------------------------------


def new_mask(seat: Seat, square: Square) -> Mask:
    """Return a mask of which nobody but its owner knows more than where it stands."""
    return Mask(f"{seat}{square}", seat, (square,), fits_at(seat, square))


def arrange(state: State, seat: Seat, kinds: Kinds) -> State:
    """Return the state with the ten masks of ``seat`` set up, in the order of :func:`board.homes`."""
    mine = tuple(new_mask(seat, square) for square in homes(seat))
    public = state.public
    masks = mine + public.masks if seat == 0 else public.masks + mine
    own = (kinds, state.own[1]) if seat == 0 else (state.own[0], kinds)
    return State(replace(public, step=public.step + 1, masks=masks), own)


def begin(state: State, first: Seat) -> State:
    """Return the state with play begun: ``first`` is to move."""
    public = replace(state.public, phase=Phase.PLAY, first=first, turn=first)
    return _stand(State(public, state.own))


def load(text: str) -> State:
    """Return the state that a position text describes; masks that are missing have left the mat.

    The match may be over there: then the side that is not to move has made the last move.
    Raises :class:`InvalidAction`.
    """
    mat, turn = read_position(text)
    placed = [[square for square in SQUARES if mat.get(square, (None,))[0] == seat] for seat in SEATS]
    masks = tuple(new_mask(seat, square) for seat in SEATS for square in placed[seat])
    kinds = tuple(tuple(mat[square][1] for square in placed[seat]) for seat in SEATS)
    state = begin(State(Public(0, Phase.SETUP, masks), (kinds[0], kinds[1])), turn)
    ways = ways_to_win(mat, rival(turn))
    if len(ways) > 1:
        raise InvalidAction(msg("error.position_decided"))
    for winner, reasons in ways.items():
        return finish(state, Result(winner, reasons))
    return state


# --- a move ---------------------------------------------------------------------------------------


def play(state: State, origin: Square, target: Square) -> tuple[State, tuple[Fact, ...]]:
    """Return the state after the side to move has gone from ``origin`` to ``target``, and what all saw.

    The move must be legal. Source of every effect: the rules page, *Turn* and *End*.
    """
    public = state.public
    mover = _at(state, origin)
    taken = _at(state, target)
    ply = _ply(mover, origin, target, taken)
    masks = tuple(_after(mask, ply) for mask in public.masks)
    moved = replace(
        public,
        step=public.step + 1,
        masks=masks,
        turn=rival(ply.seat),
        plies=(*public.plies, ply),
        quiet=0 if ply.taken else public.quiet + 1,
    )
    after = _stand(State(moved, state.own, () if ply.taken else state.standings))
    result = _judge(after, ply)
    if result is not None:
        after = finish(after, result)
    return after, (_move_fact(ply), *_end_facts(after))


def _at(state: State, square: Square) -> tuple[Mask, Kind] | None:
    return next((pair for pair in state.kinds() if pair[0].square == square), None)


def _ply(
    mover: tuple[Mask, Kind] | None, origin: Square, target: Square, taken: tuple[Mask, Kind] | None
) -> Ply:
    if mover is None:
        raise ValueError("a mask that is not there cannot move")
    mask, kind = mover
    if taken is None:
        return Ply(mask.seat, mask.id, origin, target)
    lost = kind if taken[1] is Kind.LADY else None
    return Ply(mask.seat, mask.id, origin, target, taken[0].id, taken[1], lost)


def _after(mask: Mask, ply: Ply) -> Mask:
    """Return ``mask`` as all know it after the ply."""
    if mask.id == ply.taken and ply.kind is not None:
        return replace(mask, gone=True, shown=ply.kind, fits=(ply.kind,))
    if mask.id != ply.mask:
        return mask
    track = (*mask.track, ply.target)
    if ply.lost is not None:
        return replace(mask, track=track, gone=True, shown=ply.lost, fits=(ply.lost,))
    captures = ply.taken is not None
    return replace(
        mask, track=track, fits=fits_after(mask.fits, mask.seat, ply.origin, ply.target, captures=captures)
    )


def _stand(state: State) -> State:
    return replace(state, standings=(*state.standings, position_text(state)))


# --- the end --------------------------------------------------------------------------------------


def ways_to_win(mat: Mat, mover: Seat, lady_of: Seat | None = None) -> dict[Seat, tuple[Reason, ...]]:
    """Return who has won at the end of ``mover``'s turn, and by which of the ways.

    ``lady_of``: whose Lady was captured on it. A turn that leaves the rival without a move wins
    only where the rival has not won by that turn.
    """
    ways = {seat: _ways(mat, seat, lady_taken=lady_of == seat) for seat in SEATS}
    other = rival(mover)
    owners = {square: owner for square, (owner, _) in mat.items()}
    own = {square: kind for square, (owner, kind) in mat.items() if owner == other}
    if not ways[other] and not can_move(other, own, owners):
        ways[mover] = (*ways[mover], Reason.IMMOBILE)
    return {seat: reasons for seat, reasons in ways.items() if reasons}


def _ways(mat: Mat, seat: Seat, *, lady_taken: bool) -> tuple[Reason, ...]:
    standing = mat.values()
    ways: list[Reason] = []
    if (rival(seat), Kind.CANDIDATE) not in standing:
        ways.append(Reason.CANDIDATE)
    if lady_taken and (seat, Kind.LADY) not in standing:
        ways.append(Reason.LADIES)
    if any(mat.get(square) == (seat, Kind.CANDIDATE) for square in palace(rival(seat))):
        ways.append(Reason.PALACE)
    return tuple(ways)


def moves(seat: Seat, own: Mapping[Square, Kind], owners: Owners) -> Iterator[tuple[Square, Square]]:
    """Yield all legal moves of ``seat``, whose symbols are ``own``, in the order of ``own``'s squares."""
    for origin, kind in own.items():
        for target in targets(kind, seat, origin, owners):
            yield origin, target


def can_move(seat: Seat, own: Mapping[Square, Kind], owners: Owners) -> bool:
    """Return whether ``seat`` has a legal move."""
    return next(moves(seat, own, owners), None) is not None


def _judge(state: State, ply: Ply) -> Result | None:
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
    """Return the state with the match over."""
    return replace(state, public=replace(state.public, phase=Phase.OVER, result=result))


def stop(state: State, result: Result) -> tuple[State, tuple[Fact, ...]]:
    """Return the state and what all learn when the match ends by something else than a move."""
    counted = replace(state, public=replace(state.public, step=state.public.step + 1))
    after = finish(counted, result)
    return after, tuple(_end_facts(after))


# --- what is told ---------------------------------------------------------------------------------


def _move_fact(ply: Ply) -> Fact:
    if ply.kind is None:
        return fact("moved", seat=ply.seat, origin=ply.origin, target=ply.target)
    if ply.lost is None:
        return fact("captured", seat=ply.seat, origin=ply.origin, target=ply.target, symbol=ply.kind.value)
    return fact("lady_taken", seat=ply.seat, origin=ply.origin, target=ply.target, capturer=ply.lost.value)


def _end_facts(state: State) -> Iterator[Fact]:
    result = state.public.result
    if result is None:
        return
    if Reason.PALACE in result.reasons and result.winner is not None:
        mat = state.mat()
        square = next(s for s in mat if mat[s] == (result.winner, Kind.CANDIDATE))
        yield fact("unmasked", seat=result.winner, square=square)
    for reason in result.reasons:
        yield fact("ended", reason=reason.value, winner=result.winner)
