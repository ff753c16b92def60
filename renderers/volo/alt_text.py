"""Volo's status lines and captions, the alt text of its picture, the board as plain text."""

from __future__ import annotations

from collections.abc import Iterator

from engines.core.contract import Arg, SeatName, msg
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


# --- descriptions ---------------------------------------------------------------------------------


def alt(captions: Captions, view: VoloView, marks: Highlights) -> str:
    """Return the alt text of the board's picture."""
    return description(_sentences(captions, view, marks))


def _sentences(captions: Captions, view: VoloView, marks: Highlights) -> Iterator[str]:
    yield captions.text("alt.title", row=layout(view.board).rows[-1])
    yield _stage(captions, view)
    if view.last is not None:
        yield _turn(captions, view.last, drafted=marks.drafted)
        if view.last.gone:
            yield captions.text("alt.left", n=len(view.last.gone), points=view.last.gone)
    if view.regions:
        regions = tuple(msg("alt.region.birds", point=each.word, n=len(each.birds)) for each in view.regions)
        yield captions.text("alt.region", regions=regions)
    if marks.unit:
        landings = tuple(point for point, _ in marks.landings)
        yield captions.text("alt.unit", points=marks.unit, landings=landings)
    for seat in (0, 1):
        yield captions.text(
            "alt.count", player=_player(captions, seat), n=len(view.flocks[seat]), supply=view.supply[seat]
        )
    for seat in (0, 1):
        flocks = tuple("+".join(flock) for flock in view.flocks[seat])
        yield captions.text("alt.flocks", side=captions.seat_name(seat), flocks=flocks)
    if marks.flyers:
        yield captions.text("alt.flyers", points=marks.flyers)
    if marks.adds:
        yield captions.text("alt.adds", points=marks.adds)


def _player(captions: Captions, seat: int) -> str:
    return captions.text_with_side("who", player=SeatName(seat), side=captions.seat_name(seat))


def _stage(captions: Captions, view: VoloView) -> str:
    if view.ending is None:
        return captions.text("alt.turn", player=_player(captions, view.mover))
    winner = view.ending.winner
    named = {} if winner is None else {"player": _player(captions, winner)}
    return captions.text(f"alt.{view.ending.reason}", **named)


def _turn(captions: Captions, last: LastTurn, *, drafted: bool) -> str:
    """Return what a turn did, and whose it was unless it is the viewer's own draft."""
    named: dict[str, Arg] = {"side": captions.seat_name(last.seat)}
    if last.kind == "add":
        named["point"] = last.landings[0]
    elif last.kind == "fly":
        named |= {"unit": _unit(last.origins), "landing": _unit(last.landings)}
    return captions.text(f"alt.{'draft' if drafted else 'last'}.{last.kind}", **named)


def _unit(points: tuple[str, ...]) -> str:
    return points[0] if len(points) == 1 else f"{points[0]}–{points[-1]}"


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
