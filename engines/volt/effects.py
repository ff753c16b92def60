"""What dice do, and the modules named with them: one small function each, found by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from engines.core.contract import Seat
from engines.volt import facts
from engines.volt.arena import STRAIGHT, beside, turned
from engines.volt.modules import MODULES, Use, name_of
from engines.volt.table import Shot, Table
from engines.volt.view import ARROWS, UNITS, Arrow, DieView, Space


@dataclass(slots=True, repr=False)
class Action:
    """A die in action. ``origin``: where its robot stood before; ``hits``: whom its shots hit, and how."""

    table: Table
    seat: Seat
    die: DieView
    origin: Space
    choices: dict[str, str]
    saw: bool
    hits: list[tuple[Seat, Arrow]] = field(default_factory=list)

    @property
    def on_board(self) -> bool:
        """Return whether the own robot is still on the board."""
        return self.table.pos(self.seat) is not None

    def shot(self, damage: int = 1, *, piercing: bool = False) -> Shot:
        """Return a shot from where the robot stood, though it may be destroyed meanwhile."""
        return Shot(self.seat, self.origin, damage, piercing)

    def walk(self, arrow: Arrow) -> bool:
        """Move the own robot one space, pushing; return whether it moved and may go on."""
        table, seat = self.table, self.seat
        space = table.pos(seat)
        if space is None or not self._cuts(table.arena.step(space, arrow)):
            chain: tuple[Seat, ...] = ()
        else:
            chain = table.chain(seat, arrow, seat)
        if not chain:
            if space is not None and self.on_board:
                table.say(facts.blocked(seat, space, arrow))
            return False
        table.shift(chain, arrow, seat)
        return self.on_board

    def _cuts(self, ahead: str) -> bool:
        """Saw Blade: cut the first robot that would be pushed; return whether the step may go on.

        An Anchor directly ahead stops the blade; any other robot directly ahead is cut.
        """
        victim = self.table.at.get(ahead)
        if victim is None or not self.saw:
            return True
        if self.table.holds(victim, self.seat):
            return False
        self.saw = False
        self.table.hurt(victim, 1, self.seat)
        return self.on_board


Effect = Callable[[Action], None]


def activate(table: Table, seat: Seat, die: DieView) -> None:
    """Activate a die of a robot on the board. Raises :class:`table.Won`."""
    origin = table.pos(seat)
    assert origin is not None
    table.say(facts.die(seat, UNITS[die.unit], die.colour, die.number, die.arrow, die.modules))
    choices = {name_of(use): use.partition("-")[2] for use in die.modules}
    for name in choices:
        table.turn_up(seat, name)
    action = Action(table, seat, die, origin, choices, saw="saw" in choices)
    instead = [name for name in choices if MODULES[name].use is Use.INSTEAD]
    effect = INSTEAD[instead[0]] if instead else (_move if die.colour == "blue" else _shoot)
    effect(action)
    for name, after in AFTER.items():
        if name in choices and action.on_board:
            after(action)
    table.anchored.clear()


def _move(action: Action) -> None:
    """Move exactly that many spaces; Turbo adds some, Brakes stop before."""
    steps = action.die.number + int(action.choices.get("turbo", "0"))
    steps = int(action.choices.get("brakes", str(steps)))
    for _ in range(steps):
        if not action.walk(action.die.arrow):
            return


def _shoot(action: Action) -> None:
    """Fire along the arrow; Swivel Head turns it, Overcharge doubles it, Piercing Beam goes through."""
    eighths = {"left": -1, "right": 1}.get(action.choices.get("swivel", ""), 0)
    damage = 2 if "overcharge" in action.choices else 1
    shot = action.shot(damage, piercing="piercing" in action.choices)
    action.hits += action.table.fire(shot, turned(action.die.arrow, eighths))


# --- instead --------------------------------------------------------------------------------------


def _crossfire(action: Action) -> None:
    for quarter in range(4):
        action.hits += action.table.fire(action.shot(), turned(action.die.arrow, 2 * quarter))


def _bomb(action: Action) -> None:
    table, arrow = action.table, action.die.arrow
    count = table.arena.lands(action.origin, arrow, action.die.number)
    space = beside(action.origin, arrow, count) or action.origin
    if space in table.arena.pits:
        table.say(facts.dud(action.seat, space))
        return
    table.say(facts.blast(action.seat, space, "bomb"))
    for target in (space, *(table.arena.step(space, side) for side in STRAIGHT)):
        victim = table.at.get(target)
        if victim is not None:
            table.hurt(victim, 1, action.seat)


def _shockwave(action: Action) -> None:
    table = action.table
    table.say(facts.blast(action.seat, action.origin, "wave"))
    for arrow in ARROWS:
        victim = table.at.get(table.arena.step(action.origin, arrow))
        if victim is not None and not table.push(victim, arrow, action.seat):
            table.hurt(victim, 1, action.seat)


def _jump(action: Action) -> None:
    """Leap; where a robot on the landing does not move, land shorter, down to the own space."""
    table, arrow = action.table, action.die.arrow
    count = table.arena.lands(action.origin, arrow, action.die.number)
    while count:
        target = beside(action.origin, arrow, count)
        assert target is not None
        if target in table.arena.pits and table.uses(action.seat, "pit"):
            break
        victim = table.at.get(target)
        if victim is None or table.push(victim, arrow, action.seat):
            if action.on_board:
                table.say(facts.leapt(action.seat, action.origin, target))
                table.enter(action.seat, target, action.seat)
            return
        count = table.arena.lands(action.origin, arrow, count - 1)
    table.say(facts.stayed(action.seat, action.origin))


def _recall(action: Action) -> None:
    table, target = action.table, action.choices["recall"]
    if target in table.at:
        table.say(facts.stayed(action.seat, action.origin))
        return
    table.say(facts.leapt(action.seat, action.origin, target))
    table.enter(action.seat, target, action.seat)


def _tractor(action: Action) -> None:
    """Pull the first robot on the line, until it is adjacent or blocked."""
    table, arrow = action.table, action.die.arrow
    victim = next((table.at[s] for s in table.line(action.origin, arrow) if s in table.at), None)
    if victim is None:
        return
    back = turned(arrow, 4)
    for _ in range(action.die.number):
        space = table.pos(victim)
        if space is None or table.arena.step(space, back) == action.origin:
            return
        if not table.pull(victim, back, action.seat):
            return


def _repair(action: Action) -> None:
    piece = action.table.pieces[action.seat]
    if piece.damage:
        piece.damage -= 1
        action.table.say(facts.repaired(action.seat, 1, piece.damage))


INSTEAD: dict[str, Effect] = {
    "crossfire": _crossfire,
    "bomb": _bomb,
    "shockwave": _shockwave,
    "jump": _jump,
    "recall": _recall,
    "tractor": _tractor,
    "repair": _repair,
}


# --- after ----------------------------------------------------------------------------------------


def _strafe(action: Action) -> None:
    action.walk(turned(action.die.arrow, -2 if action.choices["strafe"] == "left" else 2))


def _mine(action: Action) -> None:
    table, space = action.table, action.origin
    free = space in table.arena.plain and space not in table.at and space not in table.mines
    if free and table.mines_left[action.seat]:
        table.mines_left[action.seat] -= 1
        table.mines[space] = action.seat
        table.say(facts.mine_laid(action.seat, space))


def _knockback(action: Action) -> None:
    """Push in the order of the hits whoever is still in the arena."""
    for victim, arrow in action.hits:
        if action.table.pos(victim) is not None:
            action.table.push(victim, arrow, action.seat)


AFTER: dict[str, Effect] = {"strafe": _strafe, "mine": _mine, "knockback": _knockback}
"""In this order: Strafe before Mine Layer."""

assert set(INSTEAD) | set(AFTER) <= set(MODULES)
