"""What a picture of VOLT shows, as a reader writes it down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from bench.reading.positions import Moment, Play, Slot, computers_words
from engines.core.contract import Words, msg
from engines.core.languages import FALLBACK
from engines.core.texts import load
from engines.volt.view import UNITS, Phase, View
from renderers.volt.arena import ghosts, planned_ends
from renderers.volt.board import is_private
from renderers.volt.highlights import Highlights, Unit, highlights
from renderers.volt.panels import is_lit
from renderers.volt.public_data import DELTA, plan
from renderers.volt.traces import loss, shot, traces
from tests.renderers.looks import Look

PLAY = Play({"arena": ("C", "B", "D", "A")}, seats=(4, 3, 4, 2, 3), whims=True)

ASKED: Mapping[str, str] = {
    "viewer": "private",
    "arena": "arena",
    "target": "target",
    "robots.side": "robots",
    "robots.pos": "robots",
    "robots.damage": "robots",
    "robots.score": "robots",
    "robots.gone": "robots",
    "modules.active.deck": "modules",
    "modules.active.name": "modules",
    "modules.spare.name": "modules",
    "done": "ready",
    "asked": "tiles",
    "tiles": "tiles",
    "taken": "tiles",
    "tokens": "tokens",
    "mines": "mines",
    "own.dice": "program",
    "own.orders": "in_use",
    "own.tile": "tiles",
    "own.swaps": "modules",
    "last": "program",
    "choices": "choices",
    "answer": "chosen",
    "forecast": "plan",
    "ranks": "tiles",
}
SAID: Mapping[str, str] = {
    "ruleset": "the options",
    "training": "the options",
    "draw_tiles": "the options",
    "step": "the log",
    "round": "which round it is",
    "phase": "what is asked",
    "robots.seat": "the log",
    "robots.lost": "what every unit did in the last round",
    "modules.active.face_up": "the close-up of the modules",
    "modules.spare.deck": "the close-up of the modules",
    "modules.spare.face_up": "the close-up of the modules",
    "face_up": "the close-up of the modules",
    "listed": "the log",
    "mines_left": "the close-up of the modules",
    "free": "which number tiles are left",
    "supply": "the log",
    "decks": "the log",
    "revealed": "what every unit did in the last round",
    "recap": "what every unit did in the last round",
    "news": "what every unit did in the last round",
    "reason": "why it ended",
    "left": "who has left",
}


# --- the positions --------------------------------------------------------------------------------


def _asks(phase: Phase, *, rounds: int = 0) -> Callable[[Moment], bool]:
    return lambda moment: moment.view.phase is phase and moment.view.round >= rounds


def _early(moment: Moment) -> bool:
    return moment.view.phase is Phase.PROGRAM and moment.view.round <= 2


def _battered(moment: Moment) -> bool:
    robots = moment.view.robots
    return moment.mover is not None and sum(1 for one in robots if one.damage and one.pos is not None) > 1


def _fallen(moment: Moment) -> bool:
    return moment.view.phase is Phase.REBOOT and moment.view.round > 2


def _standing_on_a_token(moment: Moment) -> bool:
    held = {robot.pos for robot in moment.view.robots}
    ground = plan(moment.view.arena)
    return moment.view.phase is Phase.REPAIR or any(
        ground.token_space(token) in held for token in moment.view.tokens
    )


def _wrecked(moment: Moment) -> bool:
    return moment.view.phase is Phase.PROGRAM and bool(traces(moment.view.recap).lost)


def _committed(moment: Moment) -> bool:
    return moment.view.phase is Phase.PROGRAM and moment.view.round > 2 and bool(moment.view.done)


def _program(moment: Moment) -> Iterator[Words]:
    yield computers_words(moment)


def _half_program(moment: Moment) -> Iterator[Words]:
    yield computers_words(moment)[:2]


def _start(moment: Moment) -> Iterator[Words]:
    yield computers_words(moment)[:2]


SLOTS = (
    Slot("public", _early),
    Slot("public", _battered),
    Slot("public", _fallen),
    Slot("public", _standing_on_a_token),
    Slot("public", _asks(Phase.OVER)),
    Slot("mover", _asks(Phase.PROGRAM, rounds=3), _program),
    Slot("mover", _wrecked, _program),
    Slot("mover", _asks(Phase.PROGRAM, rounds=2), _half_program),
    Slot("mover", _asks(Phase.REBOOT, rounds=2), _start),
    Slot("other", _committed),
)


# --- what a look shows ----------------------------------------------------------------------------


def truth(look: Look, names: Sequence[str]) -> dict[str, Any]:
    """Return the form filled in with all that the picture is meant to show."""
    view: View = look.view
    marks = highlights(view, look.draft, look.menu)
    private = is_private(view)
    sides = [robot.side for robot in view.robots]
    return {
        "private": private,
        "names": None if private else dict(zip(sides, names, strict=True)),
        "target": view.target,
        "robots": {side: _robot(view, seat, private=private) for seat, side in enumerate(sides)},
        "ready": [side for seat, side in enumerate(sides) if is_lit(view, seat)],
        "tiles": _own_tile(view, marks) if private else _tiles(view),
        "modules": _modules(view, marks)
        if private
        else {side: _panel(view, seat) for seat, side in enumerate(sides)},
        "in_use": _in_use(marks) if private else [],
        "arena": _arena(view),
        "tokens": {plan(view.arena).token_space(token): token for token in view.tokens},
        "mines": {mine.space: sides[mine.seat] for mine in view.mines},
        "choices": list(marks.targets),
        "chosen": marks.chosen,
        "program": _units(marks) if private else {},
        "active": UNITS[marks.active] if private and marks.active is not None else None,
        "plan": _plan(view),
    }


def _robot(view: View, seat: int, *, private: bool) -> dict[str, Any]:
    robot = view.robots[seat]
    # Off the board damage is counted in the panels alone.
    counted = not robot.gone and not (private and robot.pos is None)
    return {
        "at": robot.pos or "off",
        "damage": robot.damage if counted else None,
        "points": robot.score,
    }


def _tiles(view: View) -> dict[str, Any]:
    """Return what the status beside each score says: a place, a tile's number, or that it is awaited."""
    if view.ranks is not None:
        places = enumerate(view.ranks, 1)
        return {view.robots[seat].side: place for place, seats in places for seat in seats}
    return {robot.side: _status(view, robot.seat) for robot in view.robots}


def _status(view: View, seat: int) -> int | str:
    if view.phase is Phase.OVER or seat not in view.asked:
        return view.tiles[seat] or "tick"
    if seat not in view.done:
        return "dots"
    return view.taken[seat] or "tick"


def _own_tile(view: View, marks: Highlights) -> dict[str, Any]:
    assert view.viewer is not None
    tile = marks.tile or view.taken[view.viewer]
    return {} if tile is None else {view.robots[view.viewer].side: tile}


def _panel(view: View, seat: int) -> dict[str, Any]:
    modules = view.modules[seat]
    return {
        "open": [_name(card.name) for card in modules.active if card.name is not None],
        "hidden": [card.deck for card in modules.active if card.name is None],
        "spare": len(modules.spare) or None,
    }


def _name(module: str) -> str:
    return load("engines.volt").render(msg(f"module.{module}"), str, FALLBACK)


def _modules(view: View, marks: Highlights) -> dict[str, Any]:
    """Return the viewer's modules as the drafted swaps leave them."""
    assert view.viewer is not None
    modules = view.modules[view.viewer]
    names = {card.name for card in modules.active if card.name}
    names |= {swap[1:] for swap in marks.swaps if swap[0] == "+"}
    names -= {swap[1:] for swap in marks.swaps if swap[0] == "-"}
    spare = len(modules.active) + len(modules.spare) - len(names)
    found = {"open": [_name(name) for name in sorted(names)], "hidden": [], "spare": spare or None}
    return {view.robots[view.viewer].side: found}


def _in_use(marks: Highlights) -> list[str]:
    uses = () if marks.old else (use for unit in marks.units for use in unit.uses)
    return [_name(name) for name in sorted({*marks.orders, *(use.partition("-")[0] for use in uses)})]


def _arena(view: View) -> dict[str, Any]:
    ground = plan(view.arena)
    playing = {robot.side for robot in view.robots}
    # What is printed on a plate is hidden by whoever stands there.
    held = {robot.pos for robot in view.robots}
    return {
        "pits": list(ground.pits),
        "blocks": list(ground.solid),
        "repair": list(ground.repair),
        "shock": list(ground.shock),
        "walls": [
            f"{space} {_beside(space, side)}"
            for spaces, side in ((ground.tall, "E"), (ground.wide, "S"))
            for space in spaces
        ],
        "gaps": [f"{space} {side}" for space, side in ground.open],
        "places": {
            space: token for space, token in ground.tokens if token not in view.tokens and space not in held
        },
        "starts": {space: side for space, side in ground.start if side in playing and space not in held},
    }


def _beside(space: str, arrow: str) -> str:
    dx, dy = DELTA[arrow]
    return f"{chr(ord(space[0]) + dx)}{int(space[1]) + dy}"


def _units(marks: Highlights) -> dict[str, str]:
    return {UNITS[place]: _unit(unit) for place, unit in enumerate(marks.units) if unit != Unit()}


def _unit(unit: Unit) -> str:
    die = f"{unit.colour} {unit.number}" if unit.colour else ""
    return " ".join(filter(None, (die, unit.arrow, *(_choice(use) for use in unit.uses))))


def _choice(use: str) -> str:
    """Return what a unit's chip says of a module's choice: a letter, a number, a space; or nothing."""
    name, _, choice = use.partition("-")
    if choice in ("left", "right"):
        return choice[0].upper()
    return f"+{choice}" if name == "turbo" else choice


def _plan(view: View) -> dict[str, Any] | None:
    """Return where a drafted program leads if nobody else moves."""
    if view.forecast is None:
        return None
    beams = [beam for beam in map(shot, view.forecast.facts) if beam is not None]
    return {
        "ends": planned_ends(view)[0],
        "pushed": {
            space: view.robots[seat].side for space, seat in ghosts(view).items() if seat != view.viewer
        },
        "hits": list(dict.fromkeys(beam.target for beam in beams if beam.hit)),
        "lost": list(dict.fromkeys(one.space for one in map(loss, view.forecast.facts) if one is not None)),
    }


# --- one way to write it --------------------------------------------------------------------------


def normal(form: Mapping[str, Any]) -> dict[str, Any]:
    """Return a form with modules by the beginnings of their names, and walls by two spaces in order."""
    found = dict(form)
    if isinstance(modules := found.get("modules"), Mapping):
        found["modules"] = {
            side: {**held, "open": _each(held.get("open"), _short)} if isinstance(held, Mapping) else held
            for side, held in modules.items()
        }
    found["in_use"] = _each(found.get("in_use"), _short)
    if isinstance(ground := found.get("arena"), Mapping):
        found["arena"] = {**ground, "walls": _each(ground.get("walls"), _in_order)}
    return found


def _each(items: Any, change: Callable[[str], str]) -> Any:
    return [change(str(item)) for item in items] if isinstance(items, list) else items


def _short(name: str) -> str:
    """Return four letters: a picture may have no room for more than the beginning of a name."""
    return name.strip().lower().partition(" ")[0].rstrip("….")[:4]


def _in_order(wall: str) -> str:
    return " ".join(sorted(wall.lower().replace("|", " ").replace("-", " ").split()))
