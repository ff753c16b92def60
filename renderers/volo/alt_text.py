"""Volo's status lines and captions, the alt text of its picture, the board as plain text."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

from engines.core.contract import SeatName
from engines.volo.view import LastTurn, VoloView
from renderers.core.captions import Captions, description, plain_text
from renderers.volo.highlights import Highlights
from renderers.volo.layout import layout, rank


def status(captions: Captions, view: VoloView) -> tuple[str, ...]:
    """Return in a line or two whose turn it is, what is asked for, or how the match ended."""
    if view.ending is not None:
        won = view.ending.winner
        side = "" if won is None else captions.seat_name(won)
        return _lines(captions.text("status.draw" if won is None else "status.win", side=side))
    if view.regions:
        return _lines(captions.text("status.keep"))
    key = "status.yours" if view.viewer == view.mover else "status.turn"
    return _lines(captions.text(key, side=captions.seat_name(view.mover)))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.split("\n"))


def reason(captions: Captions, view: VoloView) -> str:
    """Return why the match ended; nothing while it runs."""
    return "" if view.ending is None else captions.text(f"reason.{view.ending.reason}")


def turn(captions: Captions, last: LastTurn) -> str:
    """Return a turn in the game's notation, with who took it and how many birds flew away."""
    side = captions.seat_name(last.seat)
    text = captions.text(f"turn.{last.kind}", side=side, words=_notation(last))
    return captions.text("turn.gone", turn=text, n=len(last.gone)) if last.gone else text


def _notation(last: LastTurn) -> str:
    return "".join(mark + word for mark, word in zip(("", "-", "/"), last.words, strict=False))


# --- descriptions ---------------------------------------------------------------------------------


def alt(captions: Captions, view: VoloView, marks: Highlights) -> str:
    """Return the alt text of the board's picture."""
    return description(_sentences(captions, view, marks))


def _sentences(captions: Captions, view: VoloView, marks: Highlights) -> Iterator[str]:
    yield captions.text("alt.title", row=layout(view.board).rows[-1])
    yield _stage(captions, view)
    if view.last is not None:
        yield captions.text("alt.draft" if marks.drafted else "alt.last", turn=turn(captions, view.last))
        if view.last.gone:
            yield captions.text("alt.left", points=" ".join(view.last.gone))
    if view.regions:
        told = [captions.text("region", name=each.word, n=len(each.birds)) for each in view.regions]
        text = reduce(lambda first, rest: captions.text("joined", first=first, rest=rest), told)
        yield captions.text("alt.region", regions=text)
    if marks.unit:
        landings = " ".join(word for _, word in marks.landings)
        yield captions.text("alt.unit", unit=" ".join(marks.unit), landings=landings)
    for seat in (0, 1):
        yield captions.text(
            "alt.count", who=_who(captions, seat), n=len(view.flocks[seat]), supply=view.supply[seat]
        )
    for seat in (0, 1):
        flocks = ", ".join("+".join(flock) for flock in view.flocks[seat])
        yield captions.text("alt.flocks", side=captions.seat_name(seat), flocks=flocks)
    if marks.flyers:
        yield captions.text("alt.flyers", points=" ".join(marks.flyers))
    if marks.adds:
        yield captions.text("alt.adds", points=" ".join(marks.adds))


def _who(captions: Captions, seat: int) -> str:
    return captions.text_with_side("who", name=SeatName(seat), side=captions.seat_name(seat))


def _stage(captions: Captions, view: VoloView) -> str:
    if view.ending is None:
        return captions.text("alt.turn", who=_who(captions, view.mover))
    why = reason(captions, view)
    if view.ending.winner is None:
        return captions.text("alt.draw", reason=why)
    return captions.text("alt.win", who=_who(captions, view.ending.winner), reason=why)


# --- the board as text ----------------------------------------------------------------------------


def plain(captions: Captions, view: VoloView) -> str:
    """Return the board as plain text, row by row from the top, then the alt text."""
    board = layout(view.board)
    signs = dict.fromkeys(board.points, ".")
    for letter, birds in zip("ob", view.birds, strict=True):
        signs.update(dict.fromkeys(birds, letter))
    lines = [_row(board.places(row), signs, board.widest) for row in reversed(board.rows)]
    legend = captions.text("text.legend", first=captions.seat_name(0), second=captions.seat_name(1))
    return plain_text([*lines, legend], _sentences(captions, view, Highlights()))


def _row(names: tuple[str, ...], signs: dict[str, str], widest: int) -> str:
    shown = " ".join(signs.get(name, "x") for name in names)
    return f"{' ' * (widest - len(names))}{names[0][0]}  {shown}  {rank(names[-1])[1]}"
