"""VOLTO in words: what stands on a plate, the description of a picture, the board as text."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.contract import SeatName
from engines.volto.view import QUIET_LIMIT, MaskView, Phase, Ply, Reason, View
from renderers.core.captions import Voice, description
from renderers.volto.layout import FILES, ROWS
from renderers.volto.marking import Marking
from renderers.volto.masks import KINDS

TEXT_LIMIT = 1800
_UNKNOWN = "X"


def near_seat(view: View) -> int:
    """Return whose palace is shown below: the viewer's, seat 0's for the public."""
    return 0 if view.viewer is None else view.viewer


def still_open(view: View, mask: MaskView) -> tuple[str, ...]:
    """Return what a mask may be; nothing where that is every kind that its side still hides."""
    kinds = list(view.kinds[mask.seat])
    for other in view.masks:
        if other.seat == mask.seat and other.kind is not None:
            kinds.remove(other.kind)
    may_be = tuple(kind.value for kind in mask.may_be)
    return () if set(may_be) == {kind.value for kind in kinds} and len(may_be) > 2 else may_be


# --- plates ---------------------------------------------------------------------------------------


def status(voice: Voice, view: View, seat: int) -> str:
    """Return what a seat's plate says: its part in the set-up, its last move, or how it ended."""
    if view.phase is Phase.SETUP:
        return voice.say("status.ready" if seat in view.arranged else "status.arranging")
    if view.result is not None:
        if view.result.winner is None:
            return voice.say("status.draw", reason=reasons(voice, view.result.reasons))
        if view.result.winner != seat:
            return voice.say("status.lost")
        return voice.say("status.win", reason=reasons(voice, view.result.reasons))
    if view.turn == seat:
        return voice.say("status.turn")
    return "" if view.last is None else move(voice, view.last)


def move(voice: Voice, ply: Ply) -> str:
    """Return a move: squares, and what it took."""
    if ply.kind is None:
        return voice.say("status.moved", origin=ply.origin, target=ply.target)
    if ply.lost is not None:
        lost = voice.say(f"kind.{ply.lost.value}")
        return voice.say("status.both", origin=ply.origin, target=ply.target, lost=lost)
    taken = voice.say(f"taken.{ply.kind.value}")
    return voice.say("status.took", origin=ply.origin, target=ply.target, taken=taken)


def reasons(voice: Voice, found: tuple[Reason, ...]) -> str:
    """Return all reasons of an end, joined."""
    text = ""
    for reason in found:
        one = voice.say(f"reason.{reason.value}", n=QUIET_LIMIT)
        text = voice.say("reasons", first=text, rest=one) if text else one
    return text


# --- descriptions ---------------------------------------------------------------------------------


def alt(voice: Voice, view: View, marks: Marking) -> str:
    """Return the description of the board's picture."""
    return description(_sentences(voice, view, marks))


def _sentences(voice: Voice, view: View, marks: Marking) -> Iterator[str]:
    near = near_seat(view)
    yield voice.say("alt.public" if view.viewer is None else "alt.own", who=_who(voice, near))
    yield from _stage(voice, view)
    yield from _drafted(voice, marks)
    if view.last is not None:
        ply = view.last
        yield voice.say("alt.last", who=_who(voice, ply.seat), move=move(voice, ply))
    for seat in (near, 1 - near):
        if any(mask.seat == seat for mask in view.masks):
            yield voice.say("alt.masks", side=voice.side(seat), masks=_masks(voice, view, seat))
    for seat in (near, 1 - near):
        lost = " ".join(mask.kind.value for mask in view.gone if mask.seat == seat and mask.kind)
        if lost:
            yield voice.say("alt.gone", side=voice.side(seat), kinds=lost)
    if any(mask.kind is not None for mask in view.masks):
        yield voice.say("alt.letters")


def _who(voice: Voice, seat: int) -> str:
    return voice.say("who", name=SeatName(seat), side=voice.side(seat))


def _stage(voice: Voice, view: View) -> Iterator[str]:
    if view.result is not None:
        found = reasons(voice, view.result.reasons)
        if view.result.winner is None:
            yield voice.say("alt.draw", reason=found)
        else:
            yield voice.say("alt.win", who=_who(voice, view.result.winner), reason=found)
    elif view.phase is Phase.SETUP:
        for seat in (0, 1):
            key = "alt.arranged" if seat in view.arranged else "alt.arranging"
            yield voice.say(key, who=_who(voice, seat))
    elif view.turn is not None:
        yield voice.say("alt.turn", who=_who(voice, view.turn))


def _drafted(voice: Voice, marks: Marking) -> Iterator[str]:
    if marks.move is not None:
        yield voice.say("alt.goes", origin=marks.move[0], target=marks.move[1])
        return
    if marks.chosen is not None:
        yield voice.say("alt.chosen", square=marks.chosen)
    if marks.quiet:
        yield voice.say("alt.targets", squares=" ".join(marks.quiet))
    if marks.captures:
        yield voice.say("alt.captures", squares=" ".join(marks.captures))


def _masks(voice: Voice, view: View, seat: int) -> str:
    found = sorted(
        (mask for mask in view.standing().values() if mask.seat == seat), key=lambda mask: mask.square or ""
    )
    return ", ".join(_mask(voice, view, mask) for mask in found) or voice.say("alt.none")


def _mask(voice: Voice, view: View, mask: MaskView) -> str:
    square = mask.square or ""
    if mask.kind is not None:
        return voice.say("alt.known", square=square, kind=mask.kind.value)
    may_be = still_open(view, mask)
    if view.viewer is None or not may_be:
        return square
    return voice.say("alt.maybe", square=square, kinds="".join(kind for kind in KINDS if kind in may_be))


# --- the board as text ----------------------------------------------------------------------------


def plain(voice: Voice, view: View) -> str:
    """Return the board in letters, the viewer's palace below, and what the picture would say."""
    near = near_seat(view)
    files = FILES if near == 0 else FILES[::-1]
    rows = ROWS[::-1] if near == 0 else ROWS
    head = "   " + " ".join(files)
    lines = [head]
    held = view.standing()
    for row in rows:
        signs = " ".join(_sign(held.get(file + row)) for file in files)
        lines.append(f"{row}  {signs}  {row}")
    legend = voice.say("text.legend", first=voice.side(0), second=voice.side(1))
    board = "\n".join([*lines, head, legend])
    rest = description(_sentences(voice, view, Marking()), TEXT_LIMIT - len(board) - 2)
    return f"{board}\n\n{rest}"


def _sign(mask: MaskView | None) -> str:
    if mask is None:
        return "."
    letter = _UNKNOWN if mask.kind is None else mask.kind.value
    return letter if mask.seat == 0 else letter.lower()
