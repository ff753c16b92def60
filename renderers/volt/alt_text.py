"""Alt texts of VOLT's pictures, and the arena as plain text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engines.core.contract import Fact, Msg, SeatName, msg
from engines.volt.view import UNITS, Phase, View
from renderers.core.captions import Captions, description, plain_text
from renderers.volt.board import is_private
from renderers.volt.highlights import Highlights, Unit
from renderers.volt.public_data import COLUMNS, ROWS, module_name, plan, use_name
from renderers.volt.traces import traces

_STEPS = 8
"""So many shots and losses of a round are told in a description; films and logs tell all."""


def alt(captions: Captions, view: View, marks: Highlights, key: str) -> str:
    """Return the alt text of a picture."""
    if key == "controller":
        title = captions.text("alt.controller", player=_player(captions, view, view.viewer or 0))
        return description((title, *_names(captions, view)))
    return description(_sentences(captions, view, marks))


def film_alt(captions: Captions, view: View, facts: Iterable[Fact]) -> str:
    """Return the alt text of an action replay."""
    return description(
        (captions.text("alt.film", round=view.round), *_recap(captions, view, tuple(facts), "alt.last"))
    )


def _sentences(captions: Captions, view: View, marks: Highlights) -> Iterator[str]:
    if view.viewer is None:
        yield captions.text("alt.public", arena=view.arena, points=view.target)
    else:
        yield captions.text("alt.own", player=_player(captions, view, view.viewer), arena=view.arena)
    yield from _stage(captions, view)
    if marks.targets:
        yield captions.text("alt.choices", spaces=marks.targets)
    if marks.chosen is not None:
        yield captions.text("alt.chosen", space=marks.chosen)
    if view.viewer is not None and view.phase is Phase.PROGRAM:
        yield from _program(captions, view, marks)
    elif is_private(view) and marks.old:
        yield captions.text("alt.old")
        yield from _program(captions, view, marks)
    for robot in view.robots:
        yield _robot(captions, view, robot.seat)
    ground = plan(view.arena)
    if view.tokens:
        tokens = tuple(msg("alt.token", number=n, space=ground.token_space(n)) for n in view.tokens)
        yield captions.text("alt.tokens", tokens=tokens)
    if view.mines:
        mines = tuple(msg("alt.mine", space=m.space, model=_model(view, m.seat)) for m in view.mines)
        yield captions.text("alt.mines", mines=mines)
    if view.viewer is not None:
        yield from _names(captions, view)
    yield from _open(captions, view)
    yield from _recap(captions, view, view.recap, "alt.last")


def _player(captions: Captions, view: View, seat: int) -> str:
    side = msg(f"side.{view.robots[seat].side}")
    return captions.text_with_side("who", player=SeatName(seat), model=_model(view, seat), side=side)


def _model(view: View, seat: int) -> Msg:
    return msg(f"model.{view.robots[seat].side}")


def _stage(captions: Captions, view: View) -> Iterator[str]:
    if view.ranks is not None:
        if len(view.ranks[0]) == 1:
            yield captions.text("alt.win", player=_player(captions, view, view.ranks[0][0]))
        else:
            yield captions.text("alt.over")
    elif view.round:
        yield captions.text("alt.round", round=view.round)


def _robot(captions: Captions, view: View, seat: int) -> str:
    robot = view.robots[seat]
    if robot.gone:
        place = msg("alt.gone")
    else:
        place = msg("alt.off") if robot.pos is None else msg("alt.place", space=robot.pos)
    details = (place, msg("alt.damage", n=robot.damage), msg("alt.points", n=robot.score))
    return captions.text(
        "alt.robot", player=_player(captions, view, seat), details=(*details, *_done(view, seat))
    )


def _done(view: View, seat: int) -> Iterator[Msg]:
    """Yield whether a seat that is asked has answered."""
    if view.phase is Phase.OVER or seat not in view.asked:
        return
    tile = view.taken[seat]
    if seat not in view.done:
        yield msg("alt.thinking")
    else:
        yield msg("alt.done") if tile is None else msg("alt.done_tile", tile=tile)


def _open(captions: Captions, view: View) -> Iterator[str]:
    for robot in view.robots:
        cards = view.modules[robot.seat].active
        names = tuple(module_name(captions, card.name) for card in cards if card.name and card.face_up)
        if names and robot.seat != view.viewer:
            yield captions.text("alt.open", model=_model(view, robot.seat), modules=names)


# --- programs -------------------------------------------------------------------------------------


def _names(captions: Captions, view: View) -> Iterator[str]:
    modules = view.modules[view.viewer or 0]
    for key, found in (("alt.active", modules.active), ("alt.spare", modules.spare)):
        names = tuple(module_name(captions, card.name) for card in found if card.name)
        if names:
            yield captions.text(key, n=len(names), modules=names)


def _program(captions: Captions, view: View, marks: Highlights) -> Iterator[str]:
    for number, unit in enumerate(marks.units):
        if unit.colour or unit.arrow:
            modules = tuple(use_name(captions, use) for use in unit.uses)
            key = "alt.unit.with" if modules else "alt.unit"
            yield captions.text(key, unit=UNITS[number], die=_die(unit), modules=modules)
    if marks.orders:
        orders = tuple(module_name(captions, name) for name in marks.orders)
        yield captions.text("alt.orders", modules=orders)
    if marks.tile is not None:
        yield captions.text("alt.tile", tile=marks.tile)
    if view.forecast is not None:
        found = tuple(_recap(captions, view, view.forecast.facts, "alt.forecast"))
        yield from found or (captions.text("alt.forecast.stays"),)


def _die(unit: Unit) -> Msg:
    if not unit.colour:
        return msg("alt.die.none", arrow=unit.arrow)
    colour = msg(f"alt.{unit.colour}")
    if not unit.arrow:
        return msg("alt.die.open", colour=colour, number=unit.number)
    return msg("alt.die", colour=colour, number=unit.number, arrow=unit.arrow)


def _recap(captions: Captions, view: View, facts: tuple[Fact, ...], key: str) -> Iterator[str]:
    found = traces(facts)
    # Only where a way begins and ends: all its spaces would fill the description.
    ways: dict[int, tuple[str, str]] = {}
    for step in found.strides:
        # The first origin stays, the target is the latest.
        ways[step.seat] = (ways.get(step.seat, (step.origin, ""))[0], step.target)
    told = [
        msg("alt.went", model=_model(view, seat), origin=origin, target=target)
        for seat, (origin, target) in ways.items()
        if origin != target
    ]
    for beam in found.shots:
        model = _model(view, beam.seat)
        if beam.hit:
            told.append(msg("alt.shot_hit", model=model, origin=beam.origin, target=beam.target))
        else:
            told.append(msg("alt.shot", model=model, origin=beam.origin, arrow=beam.arrow))
    told += [msg("alt.lost", model=_model(view, one.seat), space=one.space) for one in found.lost]
    if told:
        yield captions.text(key, steps=tuple(told[: len(ways) + _STEPS]))


# --- the arena as text ----------------------------------------------------------------------------


def plain(captions: Captions, view: View) -> str:
    """Return the arena as plain text, north above, then the alt text."""
    ground = plan(view.arena)
    # What stands on a space hides what lies there.
    signs = dict.fromkeys(ground.pits, "o") | dict.fromkeys(ground.solid, "#")
    signs |= dict.fromkeys(ground.repair, "+") | dict.fromkeys(ground.shock, "z")
    signs |= {ground.token_space(number): str(number) for number in view.tokens}
    signs |= {mine.space: "*" for mine in view.mines}
    signs |= {robot.pos: robot.side for robot in view.robots if robot.pos is not None}
    head = "   " + " ".join(COLUMNS)
    lines = [head]
    lines += [f"{row}  {' '.join(signs.get(column + row, '.') for column in COLUMNS)}  {row}" for row in ROWS]
    walls = [f"{space}|" for space in ground.tall] + [f"{space}_" for space in ground.wide]
    legend = captions.text("text.legend", walls=" ".join(walls) or "-")
    told = _sentences(captions, view, Highlights(targets=view.choices))
    return plain_text([*lines, head, legend], told)
