"""VOLTO's plates, the alt text of its picture, the board as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.contract import Arg, Msg, SeatName, msg
from engines.volto.view import QUIET_LIMIT, MaskView, Phase, Ply, View
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


# --- descriptions ---------------------------------------------------------------------------------


def alt(captions: Captions, view: View, marks: Highlights) -> str:
    """Return the alt text of the board's picture."""
    return description(_sentences(captions, view, marks))


def _sentences(captions: Captions, view: View, marks: Highlights) -> Iterator[str]:
    near = near_seat(view)
    yield captions.text("alt.public" if view.viewer is None else "alt.own", player=_player(captions, near))
    yield from _stage(captions, view)
    if marks.move is not None:
        yield captions.text("alt.goes", origin=marks.move[0], target=marks.move[1])
    else:
        yield from _choices(captions, marks)
    if view.last is not None:
        yield _last(captions, view, view.last)
    for seat in (near, 1 - near):
        if any(mask.seat == seat for mask in view.masks):
            masks = _masks(view, seat)
            key = "alt.masks" if masks else "alt.masks.none"
            yield captions.text(key, side=captions.seat_name(seat), masks=masks)
    for seat in (near, 1 - near):
        lost = tuple(mask.kind.value for mask in view.gone if mask.seat == seat and mask.kind)
        if lost:
            yield captions.text("alt.gone", side=captions.seat_name(seat), kinds=lost)
        yield from (_unseen(captions, view, mask) for mask in view.unseen if mask.seat == seat)
    if any(mask.kind is not None for mask in view.masks):
        yield captions.text("alt.letters")


def _player(captions: Captions, seat: int) -> str:
    return captions.text_with_side("who", player=SeatName(seat), side=captions.seat_name(seat))


def _stage(captions: Captions, view: View) -> Iterator[str]:
    if view.result is not None:
        if view.result.winner is None:
            yield captions.text("alt.draw")
        else:
            yield captions.text("alt.win", player=_player(captions, view.result.winner))
        for reason in view.result.reasons:
            yield captions.text(f"alt.end.{reason.value}", n=QUIET_LIMIT)
        yield captions.text("alt.revealed")
    elif view.phase is Phase.SETUP:
        for seat in (0, 1):
            key = "alt.arranged" if seat in view.arranged else "alt.arranging"
            yield captions.text(key, player=_player(captions, seat))
    elif view.turn is not None:
        yield captions.text("alt.turn", player=_player(captions, view.turn))


def _last(captions: Captions, view: View, ply: Ply) -> str:
    """Return the last move: whose, its squares, and what it took."""
    named: dict[str, Arg] = {
        "player": _player(captions, ply.seat),
        "origin": ply.origin,
        "target": ply.target,
    }
    if ply.kind is None:
        return captions.text("alt.last.moved", **named)
    if not ply.left:
        return captions.text("alt.last.took", mask=msg(f"one.{ply.kind.value}"), **named)
    lost = view.lost_by(ply)
    if lost is None:
        return captions.text("alt.last.unseen", **named)
    return captions.text("alt.last.both", kind=msg(f"kind.{lost.value}"), **named)


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
        yield captions.text("alt.targets", squares=marks.quiet)
    if marks.captures:
        yield captions.text("alt.captures", squares=marks.captures)


def _masks(view: View, seat: int) -> tuple[Arg, ...]:
    found = sorted(
        (mask for mask in view.standing().values() if mask.seat == seat), key=lambda mask: mask.square or ""
    )
    return tuple(_mask(view, mask) for mask in found)


def _mask(view: View, mask: MaskView) -> Msg | str:
    square = mask.square or ""
    if mask.kind is not None:
        return msg("alt.known", square=square, kind=mask.kind.value)
    may_be = still_open(view, mask)
    if view.viewer is None or not may_be:
        return square
    return msg("alt.maybe", square=square, kinds=_in_order(may_be))


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
