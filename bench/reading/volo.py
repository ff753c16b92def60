"""What a picture of Volo shows, as a reader writes it down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bench.reading.positions import Moment, Play, Slot, sentences
from engines.core.contract import Words
from engines.volo.view import LastTurn, Region, VoloView
from renderers.volo.highlights import Highlights, highlights
from tests.renderers.looks import Look

SIDES = ("orange", "blue")
PLAY = Play({"board": ("standard", "standard", "small")})

ASKED: Mapping[str, str] = {
    "viewer": "private",
    "birds": "birds",
    "flocks": "flocks",
    "supply": "supply",
    "mover": "turn",
    "last.seat": "last",
    "last.kind": "last",
    "last.origins": "last",
    "last.landings": "last",
    "last.gone": "last",
    "ending.winner": "won",
    "regions": "draft",
}
SAID: Mapping[str, str] = {
    "board": "the size of the board",
    "passed": "whether somebody passed",
    "ply": "the log",
    "position": "the log",
    "last.words": "the turn in short",
    "last.path": "the turn in short",
    "last.direction": "the turn in short",
    "last.steps": "the turn in short",
    "last.kept": "the turn in short",
    "ending.reason": "why it ended",
    "history": "the log",
}


# --- the positions --------------------------------------------------------------------------------


def _running(low: int, high: int = 120) -> Callable[[Moment], bool]:
    """Return what finds running matches with so many birds on the board."""
    return lambda moment: moment.mover is not None and low <= sum(map(len, moment.view.birds)) <= high


def _flown(moment: Moment) -> bool:
    last = moment.view.last
    return _running(14)(moment) and last.kind == "fly" and len(last.origins) > 1


def _cleared(moment: Moment) -> bool:
    return _running(14)(moment) and bool(moment.view.last.gone)


def _over(moment: Moment) -> bool:
    return moment.view.ending is not None and sum(map(len, moment.view.birds)) > 20


def _singles(moment: Moment) -> Iterator[Words]:
    yield from (words[:1] for words in sentences(moment) if len(words) > 1 and ":" not in words[0])


def _rows(moment: Moment) -> Iterator[Words]:
    yield from (words[:1] for words in sentences(moment) if len(words) > 1 and ":" in words[0])


def _flights(moment: Moment) -> Iterator[Words]:
    yield from (words for words in sentences(moment) if len(words) == 2)


def _cuts(moment: Moment) -> Iterator[Words]:
    yield from (words[:2] for words in sentences(moment) if len(words) > 2)


SLOTS = (
    Slot("public", _running(8, 16)),
    Slot("mover", _running(14, 30)),
    Slot("public", _flown),
    Slot("mover", _running(18, 50), _singles),
    Slot("mover", _running(26), _rows),
    Slot("mover", _running(20), _flights),
    Slot("public", _cleared),
    Slot("mover", _running(34), _cuts),
    Slot("other", _running(60)),
    Slot("public", _over),
)


# --- what a look shows ----------------------------------------------------------------------------


def truth(look: Look, names: Sequence[str]) -> dict[str, Any]:
    """Return the form filled in with all that the picture is meant to show."""
    view: VoloView = look.view
    ending = view.ending
    marks = highlights(view, look.draft, look.menu)
    drafted = marks.drafted or bool(view.regions)
    hidden = marks.asking or bool(marks.unit) or drafted
    return {
        "names": dict(zip(SIDES, names, strict=True)),
        "private": view.viewer is not None,
        "birds": {side: list(view.birds[seat]) for seat, side in enumerate(SIDES)},
        "flocks": {side: len(view.flocks[seat]) for seat, side in enumerate(SIDES)},
        "supply": {side: view.supply[seat] for seat, side in enumerate(SIDES)},
        "turn": SIDES[view.mover] if ending is None else None,
        "won": None if ending is None else "draw" if ending.winner is None else SIDES[ending.winner],
        # Of a pass there is nothing to be seen.
        "last": None
        if hidden or view.last is None or view.last.kind == "pass"
        else {"side": SIDES[view.last.seat], **_turn(view.last)},
        "draft": _draft(view, marks, _turn(view.last) if drafted and view.last is not None else None),
    }


def _turn(last: LastTurn) -> dict[str, Any]:
    return {
        "kind": last.kind,
        "from": list(last.origins),
        "to": list(last.landings),
        "gone": list(last.gone),
    }


def _draft(view: VoloView, marks: Highlights, turn: dict[str, Any] | None) -> dict[str, Any] | None:
    if turn is not None:
        regions = {region.word: list(region.birds) for region in view.regions}
        return {"turn": turn, "regions": regions, "water": _water(view.regions)}
    if marks.unit:
        others = {name: word.lstrip("NESW") for _, name, word in marks.others}
        return {"unit": list(marks.unit), "landings": dict(marks.landings), "beside": others}
    if marks.asking:
        return {"adds": list(marks.adds), "flyers": list(marks.flyers), "rows": list(marks.rows)}
    return None


def _water(regions: Sequence[Region]) -> dict[str, list[str]]:
    """Return the vacant points of all regions but the largest, which nobody wants to write down."""
    if not regions:
        return {}
    largest = max(regions, key=lambda region: len(region.points))
    return {
        region.word: [point for point in region.points if point not in region.birds]
        for region in regions
        if region is not largest
    }


# --- one way to write it --------------------------------------------------------------------------


def normal(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form with every bird, whatever its side, under its point."""
    found = dict(form)
    if isinstance(birds := found.get("birds"), Mapping):
        found["birds"] = _by_point(birds)
    draft = found.get("draft")
    if isinstance(draft, Mapping):
        draft = dict(draft)
        for part in ("regions", "water"):
            if isinstance(listed := draft.get(part), Mapping):
                draft[part] = {"names": list(listed), "points": _by_point(listed)}
        found["draft"] = draft
    return found


def _by_point(listed: Mapping[str, Any]) -> dict[str, str]:
    """Return the owners of points from the points of owners; a point that is listed twice has both."""
    found: dict[str, str] = {}
    for owner, points in listed.items():
        for point in points if isinstance(points, Sequence) and not isinstance(points, str) else ():
            name = str(point).strip().lower()
            found[name] = f"{found[name]} and {owner}" if name in found else str(owner)
    return found
