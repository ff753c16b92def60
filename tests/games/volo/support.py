"""Positions by the names of points, and what may be said in them."""

from __future__ import annotations

from engines.core import texts
from engines.core.contract import ActionError, Event, Msg
from engines.core.rng import Rng
from engines.volo import GAME
from engines.volo.board import BOARDS
from engines.volo.notation import position_text
from engines.volo.state import State

RNG = Rng(bytes(32))

ADDS_AT_HOME = (
    "o.o.ooobbb.oo.booobo.oobo...bb.obb.obbbobbb..b.o...ob...boo...o.o..bb.b.b.oob...bb.b.o....b..obobo..b."
    "o.bb...b.obo..bbb. b"
)
"""Blue has no flight, and five places to add that Orange cannot reach."""

ONLY_PASS = (
    "...bbb.b...bb..b...b.b..b.......b.b........b...b.bb....bbb..b....oobb..b......b.bbb......ob........ob"
    ".......bb.......... o"
)
"""Orange has neither a flight nor a place to add."""


def text_of(
    orange: str, blue: str, mover: str = "o", *, board: str = "standard", passed: bool = False
) -> str:
    """A position text of the birds on these points."""
    sky = BOARDS[board]
    sides = [sum(sky.points[name] for name in names.split()) for names in (orange, blue)]
    return position_text(sky, (sides[0], sides[1]), "ob".index(mover), passed=passed)


def at(orange: str, blue: str, mover: str = "o", *, board: str = "standard", passed: bool = False) -> State:
    """A match that begins there."""
    return GAME.position(text_of(orange, blue, mover, board=board, passed=passed))


def legal(state: State) -> set[str]:
    """Every turn of the side to move, in notation."""
    found = [GAME.write(words) for words in GAME.legal(GAME.view(state, state.mover))]
    assert len(found) == len(set(found))
    return set(found)


def flights(state: State, unit: str) -> set[str]:
    """What may follow the unit in its turns."""
    return {line.removeprefix(f"{unit}-") for line in legal(state) if line.startswith(f"{unit}-")}


def adds(state: State) -> set[str]:
    return {line for line in legal(state) if "-" not in line and line != "pass"}


def played(state: State, *lines: str) -> State:
    """The match after these turns."""
    for line in lines:
        state = GAME.act(state, state.mover, GAME.read(line), RNG).state
    return state


def events(state: State, line: str) -> tuple[Event, ...]:
    return GAME.act(state, state.mover, GAME.read(line), RNG).events


def kinds(state: State, line: str) -> list[str]:
    return [event.fact.kind for event in events(state, line)]


def said(message: Msg) -> str:
    """A message in English."""
    return texts.load("engines.volo").render(message, lambda seat: ("Orange", "Blue")[seat])


def refusal(state: State, line: str) -> str:
    """Why a turn is refused; the generator must not list it either."""
    assert line not in legal(state)
    try:
        GAME.act(state, state.mover, GAME.read(line), RNG)
    except ActionError as error:
        return said(error.msg)
    raise AssertionError(f"{line} is taken")


def ending(state: State) -> tuple[str, int | None] | None:
    return None if state.ending is None else (state.ending.reason, state.ending.winner)
