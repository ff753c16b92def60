"""VOLTO's status lines, the alt text of its picture, the board as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from engines.core.contract import SeatName
from engines.volto.view import QUIET_LIMIT, MaskView, Phase, Ply, Reason, View
from renderers.core.captions import Captions, description, plain_text
from renderers.volto.highlights import Highlights
from renderers.volto.layout import FILES, ROWS
from renderers.volto.masks import KINDS

_UNKNOWN = "X"


def near_seat(view: View) -> int:
    """Return whose palace is shown below: the viewer's, seat 0's for the public."""
    return 0 if view.viewer is None else view.viewer


def still_open(view: View, mask: MaskView) -> tuple[str, ...]:
    """Return the kinds that a mask may be; none if that is every kind that its side still hides."""
    kinds = list(view.kinds[mask.seat])
    for other in view.masks:
        if other.seat == mask.seat and other.kind is not None:
            kinds.remove(other.kind)
    # A mask that may be anything its side still hides is no news, unless only two kinds are left.
    may_be = tuple(kind.value for kind in mask.may_be)
    return () if set(may_be) == {kind.value for kind in kinds} and len(may_be) > 2 else may_be


# --- plates ---------------------------------------------------------------------------------------


def plate(captions: Captions, view: View, seat: int) -> str:
    """Return what a seat's plate says: its part in the set-up, its last move, or how it ended."""
    if view.phase is Phase.SETUP:
        return captions.text("plate.ready" if seat in view.arranged else "plate.arranging")
    if view.result is not None:
        if view.result.winner is None:
            return captions.text("plate.draw")
        return captions.text("plate.win") if view.result.winner == seat else ""
    if view.turn == seat:
        return captions.text("plate.turn")
    if view.last is None:
        return ""
    key = "plate.moved" if view.last.kind is None else "plate.took"
    return captions.text(key, origin=view.last.origin, target=view.last.target)


def move(captions: Captions, view: View, ply: Ply) -> str:
    """Return a move: squares, and what it took."""
    if ply.kind is None:
        return captions.text("status.moved", origin=ply.origin, target=ply.target)
    if ply.left:
        lost = view.lost_by(ply)
        if lost is None:
            return captions.text("status.unseen", origin=ply.origin, target=ply.target)
        named = captions.text(f"kind.{lost.value}")
        return captions.text("status.both", origin=ply.origin, target=ply.target, lost=named)
    taken = captions.text(f"taken.{ply.kind.value}")
    return captions.text("status.took", origin=ply.origin, target=ply.target, taken=taken)


def reasons(captions: Captions, found: tuple[Reason, ...]) -> str:
    """Return all reasons of an end, joined."""
    told = [captions.text(f"reason.{reason.value}", n=QUIET_LIMIT) for reason in found]
    return reduce(lambda first, rest: captions.text("reasons", first=first, rest=rest), told)


# --- descriptions ---------------------------------------------------------------------------------


def alt(captions: Captions, view: View, marks: Highlights) -> str:
    """Return the alt text of the board's picture."""
    return description(_sentences(captions, view, marks))


def _sentences(captions: Captions, view: View, marks: Highlights) -> Iterator[str]:
    near = near_seat(view)
    yield captions.text("alt.public" if view.viewer is None else "alt.own", who=_who(captions, near))
    yield from _stage(captions, view)
    if marks.move is not None:
        yield captions.text("alt.goes", origin=marks.move[0], target=marks.move[1])
    else:
        yield from _choices(captions, marks)
    if view.last is not None:
        ply = view.last
        yield captions.text("alt.last", who=_who(captions, ply.seat), move=move(captions, view, ply))
    for seat in (near, 1 - near):
        if any(mask.seat == seat for mask in view.masks):
            yield captions.text(
                "alt.masks", side=captions.seat_name(seat), masks=_masks(captions, view, seat)
            )
    for seat in (near, 1 - near):
        lost = " ".join(mask.kind.value for mask in view.gone if mask.seat == seat and mask.kind)
        if lost:
            yield captions.text("alt.gone", side=captions.seat_name(seat), kinds=lost)
        yield from (_unseen(captions, view, mask) for mask in view.unseen if mask.seat == seat)
    if any(mask.kind is not None for mask in view.masks):
        yield captions.text("alt.letters")


def _who(captions: Captions, seat: int) -> str:
    return captions.text_with_side("who", name=SeatName(seat), side=captions.seat_name(seat))


def _stage(captions: Captions, view: View) -> Iterator[str]:
    if view.result is not None:
        found = reasons(captions, view.result.reasons)
        if view.result.winner is None:
            yield captions.text("alt.draw", reason=found)
        else:
            yield captions.text("alt.win", who=_who(captions, view.result.winner), reason=found)
    elif view.phase is Phase.SETUP:
        for seat in (0, 1):
            key = "alt.arranged" if seat in view.arranged else "alt.arranging"
            yield captions.text(key, who=_who(captions, seat))
    elif view.turn is not None:
        yield captions.text("alt.turn", who=_who(captions, view.turn))


def _unseen(captions: Captions, view: View, mask: MaskView) -> str:
    side = captions.seat_name(mask.seat)
    if mask.kind is not None:
        return captions.text("alt.unseen.own", kind=captions.text(f"kind.{mask.kind.value}"))
    may_be = still_open(view, mask)
    if view.viewer is None or not may_be:
        return captions.text("alt.unseen", side=side)
    return captions.text("alt.unseen.maybe", side=side, kinds=_in_order(may_be))


def _in_order(kinds: tuple[str, ...]) -> str:
    return "".join(kind for kind in KINDS if kind in kinds)


def _choices(captions: Captions, marks: Highlights) -> Iterator[str]:
    if marks.chosen is not None:
        yield captions.text("alt.chosen", square=marks.chosen)
    if marks.quiet:
        yield captions.text("alt.targets", squares=" ".join(marks.quiet))
    if marks.captures:
        yield captions.text("alt.captures", squares=" ".join(marks.captures))


def _masks(captions: Captions, view: View, seat: int) -> str:
    found = sorted(
        (mask for mask in view.standing().values() if mask.seat == seat), key=lambda mask: mask.square or ""
    )
    return ", ".join(_mask(captions, view, mask) for mask in found) or captions.text("alt.none")


def _mask(captions: Captions, view: View, mask: MaskView) -> str:
    square = mask.square or ""
    if mask.kind is not None:
        return captions.text("alt.known", square=square, kind=mask.kind.value)
    may_be = still_open(view, mask)
    if view.viewer is None or not may_be:
        return square
    return captions.text("alt.maybe", square=square, kinds=_in_order(may_be))


# --- the board as text ----------------------------------------------------------------------------


def plain(captions: Captions, view: View) -> str:
    """Return the board as plain text, the viewer's palace below, then the alt text."""
    near = near_seat(view)
    files = FILES if near == 0 else FILES[::-1]
    rows = ROWS[::-1] if near == 0 else ROWS
    head = "   " + " ".join(files)
    lines = [head]
    held = view.standing()
    for row in rows:
        signs = " ".join(_sign(held.get(file + row)) for file in files)
        lines.append(f"{row}  {signs}  {row}")
    legend = captions.text("text.legend", first=captions.seat_name(0), second=captions.seat_name(1))
    return plain_text([*lines, head, legend], _sentences(captions, view, Highlights()))


def _sign(mask: MaskView | None) -> str:
    if mask is None:
        return "."
    letter = _UNKNOWN if mask.kind is None else mask.kind.value
    return letter if mask.seat == 0 else letter.lower()
