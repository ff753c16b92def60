"""What speaks for an arrangement or a move, from all that its seat sees."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from engines.core.contract import Arg, Msg, Seat, Words, msg
from engines.volto.board import FILES, ROWS, Kind, Owners, Square, homes, palace, rival, targets
from engines.volto.candidates import Kinds, possible
from engines.volto.notation import SETUP
from engines.volto.rules import mask_after
from engines.volto.view import MaskView, Ply, View


@dataclass(frozen=True, slots=True, repr=False)
class Move:
    """A move of the viewer's seat: what makes it, what it takes, and who stands where before and after it."""

    view: View
    seat: Seat
    mask: MaskView
    kind: Kind
    target: Square
    taken: MaskView | None
    before: Owners
    after: Owners

    @classmethod
    def of(cls, view: View, words: Words) -> Move:
        """Return the move that two squares say; it must be legal."""
        origin, target = words
        standing = view.standing()
        mask = standing[origin]
        assert mask.kind is not None  # it is the viewer's own
        before = view.owners()
        after = {square: seat for square, seat in before.items() if square != origin} | {target: mask.seat}
        return cls(view, mask.seat, mask, mask.kind, target, standing.get(target), before, after)

    @property
    def origin(self) -> Square:
        """Return the square that the mask leaves."""
        return self.mask.track[-1]

    def threats(self, square: Square, owners: Owners) -> list[MaskView]:
        """Return the rival masks that may be able to take a mask of the seat on ``square``."""
        others = (mask for mask in self.view.masks if mask.seat != self.seat and mask is not self.taken)
        return [mask for mask in others if can_take(mask, mask.may_be, square, owners)]

    def own(self) -> Iterator[tuple[Square, MaskView]]:
        """Yield the other masks of the seat that stand on the mat, by their squares."""
        for square, mask in self.view.standing().items():
            if mask.seat == self.seat and mask is not self.mask:
                yield square, mask

    def rows_gained(self) -> int:
        """Return how many rows nearer to the rival palace it leads."""
        gained = ROWS.index(self.target[1]) - ROWS.index(self.origin[1])
        return gained if self.seat == 0 else -gained


def can_take(mask: MaskView, kinds: Collection[Kind], square: Square, owners: Owners) -> bool:
    """Return whether a mask could take one on ``square``, if it has one of these symbols."""
    origin = mask.square
    return origin is not None and any(
        square in targets(kind, mask.seat, origin, owners) for kind in kinds if kind is not Kind.LADY
    )


def reason(view: View, words: Words) -> Msg:
    """Return what speaks for a whole sentence of the viewer's seat."""
    if words[0] == SETUP:
        assert view.viewer is not None
        return _of_arrangement(view.viewer, words[1])
    move = Move.of(view, words)
    return next(found for told in _TOLD if (found := told(move)) is not None)


def _of_arrangement(seat: Seat, letters: str) -> Msg:
    place = letters.index(Kind.CANDIDATE)
    square = homes(seat)[place]
    if place >= len(FILES):
        return msg("reason.setup.front", square=square)
    ahead = place + len(FILES)
    before = msg(f"kind.{letters[ahead]}")
    return msg("reason.setup.back", square=square, kind=before, front_square=homes(seat)[ahead])


# --- what a move may have for it, the weightiest first ------------------------------------------------


def _palace(move: Move) -> Msg | None:
    if move.kind is not Kind.CANDIDATE or move.target not in palace(rival(move.seat)):
        return None
    sure = move.taken is None or Kind.LADY not in move.taken.may_be
    return msg("reason.palace" if sure else "reason.palace.unless_lady", target=move.target)


def _capture(move: Move) -> Msg | None:
    if move.taken is None:
        return None
    may_be = move.taken.may_be
    named: dict[str, Arg] = {"kind": _name(move.kind), "target": move.target}
    if may_be == (Kind.CANDIDATE,):
        return msg("reason.takes.candidate", **named)
    for square, mask in move.own():
        if mask.kind is Kind.CANDIDATE and can_take(move.taken, may_be, square, move.before):
            return msg("reason.takes.guard", square=square, target=move.target)
    if len(may_be) == 1:
        key = "reason.takes.lady" if may_be == (Kind.LADY,) else "reason.takes.known"
        return msg(key, symbol=_one(may_be[0]), **named)
    if Kind.LADY not in may_be:
        return msg("reason.takes.no_lady", **named)
    if Kind.CANDIDATE in may_be:
        return msg("reason.takes.perhaps", **named)
    return msg("reason.takes.one_of", target=move.target, kinds=_names(may_be))


def _away(move: Move) -> Msg | None:
    if move.kind is Kind.LADY or move.threats(move.target, move.after):
        return None
    threats = move.threats(move.origin, move.before)
    if not threats:
        return None
    return msg("reason.away", kind=_name(move.kind), square=threats[0].square or "")


def _candidate(move: Move) -> Msg | None:
    if move.kind is not Kind.CANDIDATE or move.rows_gained() <= 0:
        return None
    goal = palace(rival(move.seat))[0][1]
    left = abs(ROWS.index(goal) - ROWS.index(move.target[1]))
    return msg("reason.candidate", n=left)


def _offer(move: Move) -> Msg | None:
    threats = move.threats(move.target, move.after) if move.kind is Kind.LADY else []
    if not threats:
        return None
    last = not any(mask.kind is Kind.LADY for _, mask in move.own())
    return msg("reason.offer.last" if last else "reason.offer", square=threats[0].square or "")


def _threat(move: Move) -> Msg | None:
    if move.kind in (Kind.LADY, Kind.CANDIDATE):
        return None
    near = targets(move.kind, move.seat, move.target, move.after)
    already = targets(move.kind, move.seat, move.origin, move.before)
    for square, mask in move.view.standing().items():
        if mask.seat != move.seat and square in near and square not in already:
            key = "reason.threat.candidate" if Kind.CANDIDATE in mask.may_be else "reason.threat"
            return msg(key, kind=_name(move.kind), square=square)
    return None


def _guard(move: Move) -> Msg | None:
    if move.kind is Kind.LADY:
        return None
    for square, mask in move.own():
        for threat in move.threats(square, move.after):
            stands = {one: seat for one, seat in move.after.items() if one != threat.square}
            back = targets(move.kind, move.seat, move.target, stands | {square: rival(move.seat)})
            if square in back and mask.kind is not None:
                return msg(
                    "reason.guard", kind=_name(mask.kind), square=square, rival_square=threat.square or ""
                )
    return None


def _mystery(move: Move) -> Msg | None:
    seems = _seems(move)
    if len(seems) == 1:
        return None
    key = "reason.forward.mystery" if move.rows_gained() > 0 else "reason.mystery"
    return msg(key, kinds=_names(seems), target=move.target)


def _forward(move: Move) -> Msg | None:
    return msg("reason.forward", kind=_name(move.kind)) if move.rows_gained() > 0 else None


def _quiet(move: Move) -> Msg:
    safe = not move.threats(move.target, move.after)
    return msg("reason.safe" if safe else "reason.wait", kind=_name(move.kind), target=move.target)


_TOLD: tuple[Callable[[Move], Msg | None], ...] = (
    *(_palace, _capture, _away, _candidate, _offer, _threat, _guard, _mystery, _forward),
    _quiet,
)


def _seems(move: Move) -> Kinds:
    """Return what the mask may be after the move, as far as the rival can tell."""
    ply = Ply(move.seat, move.mask.id, move.origin, move.target)
    masks = [mask_after(mask, ply) for mask in move.view.masks if mask.seat == move.seat]
    allowed = possible(tuple(mask.fits for mask in masks), move.view.kinds[move.seat])
    return next(kinds for mask, kinds in zip(masks, allowed, strict=True) if mask.id == move.mask.id)


def _name(kind: Kind) -> Msg:
    return msg(f"kind.{kind.value}")


def _one(kind: Kind) -> Msg:
    return msg(f"one.{kind.value}")


def _names(kinds: Kinds) -> tuple[Arg, ...]:
    return tuple(map(_one, kinds))
