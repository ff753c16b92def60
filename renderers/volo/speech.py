"""Volo in words: status and captions, the description of a picture, the board as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from engines.core.contract import Seat, SeatName
from engines.volo.view import LastTurn, Region, VoloView
from renderers.core.captions import Voice, description
from renderers.volo.layout import layout, rank
from renderers.volo.marking import Marking

TEXT_LIMIT = 1800
NAMED = 10
"""How many birds that flew away a caption names; of more it tells the number."""


def status(voice: Voice, view: VoloView) -> str:
    """Return whose turn it is, or how the match ended."""
    if view.ending is None:
        key = "status.yours" if view.viewer == view.mover else "status.turn"
        return voice.say(key, side=voice.side(view.mover))
    if view.ending.winner is None:
        return voice.say("status.draw")
    return voice.say("status.win", side=voice.side(view.ending.winner))


def reason(voice: Voice, view: VoloView) -> str:
    """Return why the match ended; nothing while it runs."""
    return "" if view.ending is None else voice.say(f"reason.{view.ending.reason}")


@dataclass(frozen=True, slots=True)
class Run:
    """A part of the caption: ``style`` is ``side``, ``word`` (of the game), ``gold`` or ``say``."""

    style: str
    text: str
    seat: Seat = 0


def caption(voice: Voice, view: VoloView, marks: Marking) -> tuple[Run, ...]:
    """Return the line below the lagoon: what is asked or drafted, or the last turn and why it ended all."""
    last = view.last
    if view.regions and last is not None:
        return (
            Run("gold", _notation(last)),
            Run("say", voice.say("keep")),
            *(Run("word", f"{region.word}\u202f:\u202f{len(region.birds)}") for region in view.regions),
        )
    if marks.unit:
        return Run("say", voice.say("fly")), Run("gold", _unit(marks.unit)), Run("say", voice.say("where"))
    if marks.asking:
        return (Run("say", voice.say("ask.both" if marks.adds else "ask.fly")),)
    if last is None:
        return ()
    if marks.drafted:
        return Run("say", voice.say("drafted")), Run("gold", _notation(last)), *_away(voice, last)
    ended = reason(voice, view)
    because = (Run("say", ended),) if ended else ()
    return *_told(voice, last), *(because or _away(voice, last))


def _unit(points: tuple[str, ...]) -> str:
    return points[0] if len(points) == 1 else f"{points[0]}:{points[-1]}"


def _told(voice: Voice, last: LastTurn) -> tuple[Run, ...]:
    side = Run("side", voice.side(last.seat), last.seat)
    if last.kind == "pass":
        return side, Run("say", voice.say("passed"))
    return side, Run("word", _notation(last))


def _away(voice: Voice, last: LastTurn) -> tuple[Run, ...]:
    if not last.gone:
        return ()
    if len(last.gone) <= NAMED:
        return Run("say", voice.say("gone.these", n=len(last.gone))), Run("word", " ".join(last.gone))
    side = voice.say(f"adjective.{1 - last.seat}")
    return (Run("say", voice.say("gone", n=len(last.gone), side=side)),)


def turn(voice: Voice, last: LastTurn) -> str:
    """Return a turn in the game's notation, with who took it and how many birds flew away."""
    side = voice.side(last.seat)
    text = voice.say(f"turn.{last.kind}", side=side, words=_notation(last))
    return voice.say("turn.gone", turn=text, n=len(last.gone)) if last.gone else text


def _notation(last: LastTurn) -> str:
    return "".join(mark + word for mark, word in zip(("", "-", "/"), last.words, strict=False))


def _regions(voice: Voice, regions: Iterable[Region]) -> str:
    text = ""
    for region in regions:
        one = voice.say("region", name=region.word, n=len(region.birds))
        text = voice.say("joined", first=text, rest=one) if text else one
    return text


# --- descriptions ---------------------------------------------------------------------------------


def alt(voice: Voice, view: VoloView, marks: Marking) -> str:
    """Return the description of the board's picture."""
    return description(_sentences(voice, view, marks))


def _sentences(voice: Voice, view: VoloView, marks: Marking) -> Iterator[str]:
    yield voice.say("alt.title", row=layout(view.board).rows[-1])
    yield _stage(voice, view)
    if view.last is not None:
        yield voice.say("alt.draft" if marks.drafted else "alt.last", turn=turn(voice, view.last))
        if view.last.gone:
            yield voice.say("alt.left", points=" ".join(view.last.gone))
    if view.regions:
        yield voice.say("alt.region", regions=_regions(voice, view.regions))
    if marks.unit:
        landings = " ".join(word for _, word in marks.landings)
        yield voice.say("alt.unit", unit=" ".join(marks.unit), landings=landings)
    for seat in (0, 1):
        yield voice.say(
            "alt.count", who=_who(voice, seat), n=len(view.flocks[seat]), supply=view.supply[seat]
        )
    for seat in (0, 1):
        flocks = ", ".join("+".join(flock) for flock in view.flocks[seat])
        yield voice.say("alt.flocks", side=voice.side(seat), flocks=flocks)
    if marks.flyers:
        yield voice.say("alt.flyers", points=" ".join(marks.flyers))
    if marks.adds:
        yield voice.say("alt.adds", points=" ".join(marks.adds))


def _who(voice: Voice, seat: int) -> str:
    return voice.say("who", name=SeatName(seat), side=voice.side(seat))


def _stage(voice: Voice, view: VoloView) -> str:
    if view.ending is None:
        return voice.say("alt.turn", who=_who(voice, view.mover))
    why = reason(voice, view)
    if view.ending.winner is None:
        return voice.say("alt.draw", reason=why)
    return voice.say("alt.win", who=_who(voice, view.ending.winner), reason=why)


# --- the board as text ----------------------------------------------------------------------------


def plain(voice: Voice, view: VoloView) -> str:
    """Return the board in letters, row by row from the top, and what the picture would say."""
    board = layout(view.board)
    signs = dict.fromkeys(board.points, ".")
    for letter, birds in zip("ob", view.birds, strict=True):
        signs.update(dict.fromkeys(birds, letter))
    lines = [_row(board.places(row), signs, board.widest) for row in reversed(board.rows)]
    legend = voice.say("text.legend", first=voice.side(0), second=voice.side(1))
    drawn = "\n".join([*lines, legend])
    rest = description(_sentences(voice, view, Marking()), TEXT_LIMIT - len(drawn) - 2)
    return f"{drawn}\n\n{rest}"


def _row(names: tuple[str, ...], signs: dict[str, str], widest: int) -> str:
    shown = " ".join(signs.get(name, "x") for name in names)
    return f"{' ' * (widest - len(names))}{names[0][0]}  {shown}  {rank(names[-1])[1]}"
