"""VOLT in words: the description of a picture, the arena as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engines.core.contract import Fact, SeatName
from engines.volt.view import UNITS, Phase, View
from renderers.core.captions import Voice, description
from renderers.volt.marking import Marking, Unit
from renderers.volt.plan import COLUMNS, ROWS, Plan, plan
from renderers.volt.traces import traces
from renderers.volt.words import module_name, use_name

TEXT_LIMIT = 1800
_STEPS = 8
"""So many shots and losses of a round are told in a description; films and logs tell all."""


def alt(voice: Voice, view: View, marks: Marking, key: str) -> str:
    """Return the description of a picture."""
    if key == "controller":
        return description(_modules_first(voice, view, marks))
    return description(_sentences(voice, view, marks))


def film_alt(voice: Voice, view: View, facts: Iterable[Fact]) -> str:
    """Return the description of an action replay."""
    return description(
        (voice.say("alt.film", round=view.round), *_recap(voice, view, tuple(facts), "alt.last"))
    )


def _modules_first(voice: Voice, view: View, marks: Marking) -> Iterator[str]:
    yield voice.say("alt.controller", who=_who(voice, view, view.viewer or 0))
    yield from _own(voice, view, marks)


def _sentences(voice: Voice, view: View, marks: Marking) -> Iterator[str]:
    if view.viewer is None:
        yield voice.say("alt.public", arena=view.arena, target=view.target)
    else:
        yield voice.say("alt.own", who=_who(voice, view, view.viewer), arena=view.arena)
    yield from _stage(voice, view)
    if marks.targets:
        yield voice.say("alt.choices", spaces=" ".join(marks.targets))
    if marks.chosen is not None:
        yield voice.say("alt.chosen", space=marks.chosen)
    if view.viewer is not None and view.phase is Phase.PROGRAM:
        yield from _program(voice, view, marks)
    for robot in view.robots:
        yield _robot(voice, view, robot.seat)
    yield from _things(voice, view)
    if view.viewer is not None:
        yield from _names(voice, view)
    yield from _open(voice, view)
    yield from _recap(voice, view, view.recap, "alt.last")


def _who(voice: Voice, view: View, seat: int) -> str:
    return voice.say(
        "who", name=SeatName(seat), model=_model(voice, view, seat), side=_side(voice, view, seat)
    )


def _model(voice: Voice, view: View, seat: int) -> str:
    return voice.say(f"model.{view.robots[seat].side}")


def _side(voice: Voice, view: View, seat: int) -> str:
    return voice.say(f"side.{view.robots[seat].side}")


def _stage(voice: Voice, view: View) -> Iterator[str]:
    if view.ranks is not None:
        if len(view.ranks[0]) == 1:
            yield voice.say("alt.win", who=_who(voice, view, view.ranks[0][0]))
        else:
            yield voice.say("alt.over")
    elif view.round:
        yield voice.say("alt.round", round=view.round)


def _robot(voice: Voice, view: View, seat: int) -> str:
    robot = view.robots[seat]
    if robot.gone:
        place = voice.say("alt.gone")
    else:
        place = voice.say("alt.off") if robot.pos is None else voice.say("alt.place", space=robot.pos)
    points = voice.say("alt.points", n=robot.score)
    who = _who(voice, view, seat)
    return voice.say(
        "alt.robot", who=who, place=place, damage=robot.damage, points=points, done=_done(voice, view, seat)
    )


def _done(voice: Voice, view: View, seat: int) -> str:
    if view.phase is Phase.OVER or seat not in view.asked:
        return ""
    if seat not in view.done:
        return voice.say("alt.thinking")
    tile = view.taken[seat]
    return voice.say("alt.done") if tile is None else voice.say("alt.done_tile", tile=tile)


def _things(voice: Voice, view: View) -> Iterator[str]:
    ground = plan(view.arena)
    if view.tokens:
        tokens = [voice.say("alt.token", number=n, space=ground.token_space(n)) for n in view.tokens]
        yield voice.say("alt.tokens", tokens=", ".join(tokens))
    if view.mines:
        mines = [voice.say("alt.mine", space=m.space, model=_model(voice, view, m.seat)) for m in view.mines]
        yield voice.say("alt.mines", mines=", ".join(mines))


def _open(voice: Voice, view: View) -> Iterator[str]:
    for robot in view.robots:
        cards = view.modules[robot.seat].active
        names = [module_name(voice, card.name) for card in cards if card.name and card.face_up]
        if names and robot.seat != view.viewer:
            yield voice.say("alt.open", model=_model(voice, view, robot.seat), names=", ".join(names))


# --- programs -------------------------------------------------------------------------------------


def _own(voice: Voice, view: View, marks: Marking) -> Iterator[str]:
    yield from _names(voice, view)
    if marks.old:
        yield voice.say("alt.old")
    yield from _program(voice, view, marks)


def _names(voice: Voice, view: View) -> Iterator[str]:
    modules = view.modules[view.viewer or 0]
    names = [
        voice.say(key, name=module_name(voice, card.name))
        for key, found in (("alt.active", modules.active), ("alt.spare", modules.spare))
        for card in found
        if card.name
    ]
    if names:
        yield voice.say("alt.modules", names="; ".join(names))


def _program(voice: Voice, view: View, marks: Marking) -> Iterator[str]:
    for number, unit in enumerate(marks.units):
        if unit.colour or unit.arrow:
            yield voice.say("alt.unit", unit=UNITS[number], die=_die(voice, unit), uses=_uses(voice, unit))
    if marks.orders:
        names = ", ".join(module_name(voice, name) for name in marks.orders)
        yield voice.say("alt.orders", names=names)
    if marks.tile is not None:
        yield voice.say("alt.tile", tile=marks.tile)
    if view.forecast is not None:
        found = tuple(_recap(voice, view, view.forecast.facts, "alt.forecast"))
        yield from found or (voice.say("alt.forecast", steps=voice.say("alt.stays")),)


def _die(voice: Voice, unit: Unit) -> str:
    colour = voice.say(f"alt.{unit.colour}") if unit.colour else ""
    arrow = unit.arrow or voice.say("alt.no_arrow")
    return voice.say("alt.die", colour=colour, number=unit.number or "", arrow=arrow).strip()


def _uses(voice: Voice, unit: Unit) -> str:
    return "".join(f" + {use_name(voice, use)}" for use in unit.uses)


def _recap(voice: Voice, view: View, facts: tuple[Fact, ...], key: str) -> Iterator[str]:
    """Yield in one sentence who went from where to where, the shots, the losses."""
    found = traces(facts)
    ways: dict[int, tuple[str, str]] = {}
    for step in found.strides:
        ways[step.seat] = (ways.get(step.seat, (step.origin, ""))[0], step.target)
    told = [
        voice.say("alt.went", model=_model(voice, view, seat), origin=origin, target=target)
        for seat, (origin, target) in ways.items()
        if origin != target
    ]
    for beam in found.shots:
        model = _model(voice, view, beam.seat)
        if beam.hit:
            told.append(voice.say("alt.shot_hit", model=model, origin=beam.origin, target=beam.target))
        else:
            told.append(voice.say("alt.shot", model=model, origin=beam.origin, arrow=beam.arrow))
    told += [
        voice.say("alt.lost", model=_model(voice, view, one.seat), space=one.space) for one in found.lost
    ]
    if told:
        yield voice.say(key, steps=", ".join(told[: len(ways) + _STEPS]))


# --- the arena as text ----------------------------------------------------------------------------


def plain(voice: Voice, view: View) -> str:
    """Return the arena in letters, north above, and what the picture would say."""
    ground = plan(view.arena)
    signs = _signs(view, ground)
    head = "   " + " ".join(COLUMNS)
    lines = [head]
    lines += [f"{row}  {' '.join(signs.get(column + row, '.') for column in COLUMNS)}  {row}" for row in ROWS]
    walls = [f"{space}|" for space in ground.tall] + [f"{space}_" for space in ground.wide]
    legend = voice.say("text.legend", walls=" ".join(walls) or "-")
    board = "\n".join([*lines, head, legend])
    rest = description(_sentences(voice, view, Marking(targets=view.choices)), TEXT_LIMIT - len(board) - 2)
    return f"{board}\n\n{rest}"


def _signs(view: View, ground: Plan) -> dict[str, str]:
    """Return the letter of every space that has one; what stands hides what lies."""
    found = dict.fromkeys(ground.pits, "o") | dict.fromkeys(ground.solid, "#")
    found |= dict.fromkeys(ground.repair, "+") | dict.fromkeys(ground.shock, "z")
    found |= {ground.token_space(number): str(number) for number in view.tokens}
    found |= {mine.space: "*" for mine in view.mines}
    found |= {robot.pos: robot.side for robot in view.robots if robot.pos is not None}
    return found
