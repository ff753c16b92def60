"""What a picture of VOLTO shows, as a reader writes it down."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bench.reading.positions import Moment, Play, Slot, sentences
from engines.core.contract import Words
from engines.volto.view import MaskView, Phase, View
from renderers.volto.alt_text import near_seat, still_open
from renderers.volto.highlights import Highlights, highlights
from tests.renderers.looks import Look

SIDES = ("sun", "moon")
KINDS = "NALCS"
UNSEEN = "?"
"""A mask that has left unseen."""
PLAY = Play({})

ASKED: Mapping[str, str] = {
    "viewer": "bottom",
    "to_move": "turn",
    "masks.seat": "masks",
    "masks.track": "masks",
    "masks.gone": "masks",
    "masks.kind": "masks",
    "masks.may_be": "masks",
    "plies.origin": "last",
    "plies.target": "last",
    "plies.kind": "last",
    "plies.lost": "last",
    "result.winner": "won",
}
SAID: Mapping[str, str] = {
    "step": "the log",
    "phase": "whether the match is over",
    "arranged": "who still arranges",
    "first": "the log",
    "masks.id": "the log",
    "masks.revealed": "the log",
    "masks.fits": "the log",
    "masks.shown": "the log",
    "kinds": "the rules",
    "plies.seat": "who moved last",
    "plies.mask": "the log",
    "plies.taken": "the log",
    "quiet": "the log",
    "arrangement": "who still arranges",
    "position": "the log",
    "ruleset": "the rules",
    "result.reasons": "why it ended",
}


# --- the positions --------------------------------------------------------------------------------


def _plies(low: int, high: int) -> Any:
    return lambda moment: moment.mover is not None and low <= len(moment.view.plies) <= high


def _lost(low: int) -> Any:
    return lambda moment: moment.mover is not None and len(moment.view.gone) >= low


def _both_gone(moment: Moment) -> bool:
    last = moment.view.last
    return moment.mover is not None and last is not None and last.left


def _taken(moment: Moment) -> bool:
    last = moment.view.last
    return moment.mover is not None and last is not None and last.taken is not None


def _over(moment: Moment) -> bool:
    return moment.view.phase is Phase.OVER


def _captures(moment: Moment) -> Iterator[Words]:
    held = moment.view.standing()
    yield from (words for words in sentences(moment) if words[1] in held)


def _moves(moment: Moment) -> Iterator[Words]:
    held = moment.view.standing()
    yield from (words for words in sentences(moment) if words[1] not in held)


def _choices(moment: Moment) -> Iterator[Words]:
    """Yield chosen masks that can both take and go."""
    goes = {words[0] for words in _moves(moment)}
    yield from ((words[0],) for words in _captures(moment) if words[0] in goes)


SLOTS = (
    Slot("public", _plies(1, 8)),
    Slot("mover", _plies(6, 16)),
    Slot("other", _taken),
    Slot("public", _both_gone),
    Slot("mover", _plies(14, 40), _choices),
    Slot("mover", _plies(20, 60), _moves),
    Slot("mover", _lost(4), _captures),
    Slot("other", _lost(7)),
    Slot("public", _lost(7)),
    Slot("public", _over),
)


# --- what a look shows ----------------------------------------------------------------------------


def truth(look: Look, names: Sequence[str]) -> dict[str, Any]:
    """Return the form filled in with all that the picture is meant to show."""
    view: View = look.view
    result = view.result
    return {
        "names": dict(zip(SIDES, names, strict=True)),
        "bottom": SIDES[near_seat(view)],
        "masks": {square: _mask(view, mask) for square, mask in sorted(view.standing().items())},
        "lost": {side: _gone(view, seat) for seat, side in enumerate(SIDES)},
        "turn": None if view.turn is None else SIDES[view.turn],
        "won": None if result is None else "draw" if result.winner is None else SIDES[result.winner],
        "last": _last(view),
        "draft": _draft(highlights(view, look.draft, look.menu)),
    }


def _mask(view: View, mask: MaskView) -> str:
    side = SIDES[mask.seat]
    if mask.kind is not None:
        return f"{side} {mask.kind.value}"
    if view.viewer is None or view.phase is not Phase.PLAY:
        return side
    return f"{side} {''.join(still_open(view, mask)) or '?'}"


def _gone(view: View, seat: int) -> str:
    gone = (mask for mask in view.gone if mask.seat == seat)
    return "".join(sorted(UNSEEN if mask.kind is None else mask.kind.value for mask in gone))


def _last(view: View) -> dict[str, Any] | None:
    last = view.last
    if last is None:
        return None
    took, lost = (None if kind is None else kind.value for kind in (last.kind, view.lost_by(last)))
    if last.left and lost is None:
        lost = UNSEEN
    return {"from": last.origin, "to": last.target, "took": took, "taker_lost": lost}


def _draft(marks: Highlights) -> dict[str, Any] | None:
    if marks.move is not None:
        origin, target = marks.move
        return {"move": {"from": origin, "to": target, "capture": bool(marks.captures)}}
    if marks.chosen is not None:
        return {"chosen": marks.chosen, "quiet": list(marks.quiet), "captures": list(marks.captures)}
    return {"ready": list(marks.ready)} if marks.ready else None


# --- one way to write it --------------------------------------------------------------------------


def normal(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form with what may be written in several ways written in one."""
    found = dict(form)
    if isinstance(masks := found.get("masks"), Mapping):
        found["masks"] = {square: _parted(str(text)) for square, text in masks.items()}
    if isinstance(lost := found.get("lost"), Mapping):
        found["lost"] = {
            side: [sign for sign in str(kinds or "") if sign.isalpha() or sign == UNSEEN]
            for side, kinds in lost.items()
        }
    return found


def _parted(text: str) -> dict[str, str]:
    side, _, shows = text.strip().lower().partition(" ")
    ruled_out = shows.removeprefix("not ").removeprefix("≠")
    if ruled_out != shows:
        shows = "".join(kind for kind in KINDS.lower() if kind not in ruled_out)
    return {"side": side, "shows": "".join(sorted(set(shows.replace(" ", ""))))}
