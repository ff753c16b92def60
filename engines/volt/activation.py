"""The activation: in which order dice take effect, and what they and their modules do.

Source: the rules page, *Activation* (round, phase 2) and *Modules*. Each module with a die is one function
here, which :data:`INSTEAD` and :data:`AFTER` find by its name; modifiers are read by the move or the shot.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

from engines.core.contract import Seat
from engines.volt import events
from engines.volt.arena import STRAIGHT, beside, turned
from engines.volt.battle import Battle, Shot, Stop
from engines.volt.modules import MODULES, Use, name_of
from engines.volt.view import ARROWS, UNITS, Arrow, DieView, ProgramView, Space

Turn = tuple[Seat, DieView]
Key = tuple[int, int, int]

# --- the order of dice ----------------------------------------------------------------------------


def run(battle: Battle) -> dict[Seat, set[int]]:
    """Activate all dice; return each seat's units that were activated. Raises :class:`battle.Won`."""
    shown: dict[Seat, set[int]] = {seat: set() for seat in battle.programs}
    turns = [
        (key(die, program), (seat, die)) for seat, program in battle.programs.items() for die in program.dice
    ]
    turns.sort(key=lambda item: (item[0], tile_of(battle, item[1][0])))
    for _, group in groupby(turns, key=lambda item: item[0]):
        for seat, die in tied(battle, [turn for _, turn in group]):
            shown[seat].add(die.unit)
            activate(battle, seat, die)
    return shown


def key(die: DieView, program: ProgramView) -> Key:
    """Return the place of a die: unit, number, blue before red. Reverse Gear turns the units round."""
    unit = len(UNITS) - 1 - die.unit if "reverse" in program.orders else die.unit
    return unit, die.number, 0 if die.colour == "blue" else 1


def tied(battle: Battle, group: list[Turn]) -> Iterator[Turn]:
    """Yield dice that tie in unit, number and colour, in the order of activation: Chips first, then by tile.

    The dice of robots off the board are skipped where the tile alone would have put them, so that a
    Chip which changed nothing stays unseen; it turns up when its die goes before one, of a robot on
    the board, that the tile would have put first.
    """
    left = list(group)
    while left:
        standing = [turn for turn in left if battle.pos(turn[0]) is not None]
        chips = [turn for turn in standing if "priority" in battle.orders[turn[0]]]
        first = chips or standing
        chosen = first[0] if first else None
        for turn in left[: len(left) if chosen is None else left.index(chosen)]:
            if battle.pos(turn[0]) is None:
                battle.say(events.skipped(turn[0], UNITS[turn[1].unit]))
                left.remove(turn)
        if chosen is None:
            return
        # Only now has the Chip changed something, and turns up.
        if left[0] is not chosen:
            battle.uses(chosen[0], "priority")
        left.remove(chosen)
        yield chosen


def tile_of(battle: Battle, seat: Seat) -> int:
    """Return the number tile by which ties are broken."""
    return battle.programs[seat].tile or 0


def forecast(battle: Battle, seat: Seat, program: ProgramView) -> None:
    """Activate the dice of one seat alone, as far as they are given. Raises :class:`battle.Won`."""
    for die in sorted(program.dice, key=lambda die: key(die, program)):
        if battle.pos(seat) is None:
            return
        activate(battle, seat, die)


# --- one die --------------------------------------------------------------------------------------


@dataclass(slots=True, repr=False)
class Action:
    """A die in action. ``origin``: where its robot stood before; ``hits``: whom its shots hit, and how."""

    battle: Battle
    seat: Seat
    die: DieView
    origin: Space
    choices: dict[str, str]
    saw: bool
    hits: list[tuple[Seat, Arrow]] = field(default_factory=list)

    @property
    def on_board(self) -> bool:
        """Return whether the own robot is still on the board."""
        return self.battle.pos(self.seat) is not None

    def shot(self, damage: int = 1, *, piercing: bool = False) -> Shot:
        """Return a shot from where the robot stood, though it may be destroyed meanwhile."""
        return Shot(self.seat, self.origin, damage, piercing)

    def walk(self, arrow: Arrow) -> bool:
        """Move the own robot one space, pushing; return whether it moved and may go on."""
        battle, seat = self.battle, self.seat
        space = battle.pos(seat)
        if space is None:
            return False
        stop = self._cut(battle.arena.step(space, arrow))
        if not self.on_board:  # the Explosive Core of the robot that was cut
            return False
        chain = stop or battle.chain(seat, arrow, seat)
        if isinstance(chain, Stop):
            battle.say(events.blocked(seat, space, arrow, chain.why, chain.who))
            return False
        battle.shift(chain, arrow, seat)
        return self.on_board

    def _cut(self, ahead: str) -> Stop | None:
        # Saw Blade (*Where effects meet*): an Anchor directly ahead stops it; any other robot there is cut.
        victim = self.battle.at.get(ahead)
        if victim is None or not self.saw:
            return None
        if self.battle.holds(victim, self.seat):
            return Stop("anchor", victim)
        self.saw = False
        self.battle.hurt(victim, 1, self.seat)
        return None


Effect = Callable[[Action], None]


def activate(battle: Battle, seat: Seat, die: DieView) -> None:
    """Activate a die of a robot on the board. Raises :class:`battle.Won`."""
    origin = battle.pos(seat)
    assert origin is not None
    battle.say(events.die(seat, UNITS[die.unit], die.colour, die.number, die.arrow, die.modules))
    choices = {name_of(use): use.partition("-")[2] for use in die.modules}
    # A module named with a die turns face up when that die is activated, whatever comes of it.
    for name in choices:
        battle.turn_up(seat, name)
    action = Action(battle, seat, die, origin, choices, saw="saw" in choices)
    instead = [name for name in choices if MODULES[name].use is Use.INSTEAD]
    effect = INSTEAD[instead[0]] if instead else (move if die.colour == "blue" else shoot)
    effect(action)
    # "After" goes with a move or shot and with an "instead", if the robot is still on the board.
    for name, after in AFTER.items():
        if name in choices and action.on_board:
            after(action)
    # An Anchor holds for one die's action.
    battle.anchored.clear()


def move(action: Action) -> None:
    """Move exactly that many spaces; Turbo adds some, Brakes stop before."""
    steps = action.die.number + int(action.choices.get("turbo", "0"))
    steps = int(action.choices.get("brakes", str(steps)))
    for _ in range(steps):
        if not action.walk(action.die.arrow):
            return


def shoot(action: Action) -> None:
    """Fire along the arrow; Swivel Head turns it, Overcharge doubles it, Piercing Beam goes through."""
    eighths = {"left": -1, "right": 1}.get(action.choices.get("swivel", ""), 0)
    damage = 2 if "overcharge" in action.choices else 1
    shot = action.shot(damage, piercing="piercing" in action.choices)
    action.hits += action.battle.fire(shot, turned(action.die.arrow, eighths))


# --- instead --------------------------------------------------------------------------------------


def crossfire(action: Action) -> None:
    """Shoot in all four directions of the arrow's class, clockwise from the arrow."""
    for quarter in range(4):
        action.hits += action.battle.fire(action.shot(), turned(action.die.arrow, 2 * quarter))


def bomb(action: Action) -> None:
    """Land exactly that many spaces away, over everything; hit the space and its unwalled neighbours."""
    battle, arrow = action.battle, action.die.arrow
    count = battle.arena.lands(action.origin, arrow, action.die.number)
    space = beside(action.origin, arrow, count) or action.origin
    if space in battle.arena.pits:
        battle.say(events.dud(action.seat, space))
        return
    battle.say(events.blast(action.seat, space, "bomb"))
    for target in (space, *(battle.arena.step(space, side) for side in STRAIGHT)):
        victim = battle.at.get(target)
        if victim is not None:
            battle.hurt(victim, 1, action.seat)


def shockwave(action: Action) -> None:
    """Push all neighbours away, clockwise from north; who does not move takes damage."""
    battle = action.battle
    battle.say(events.blast(action.seat, action.origin, "wave"))
    for arrow in ARROWS:
        victim = battle.at.get(battle.arena.step(action.origin, arrow))
        if victim is not None and not battle.push(victim, arrow, action.seat):
            battle.hurt(victim, 1, action.seat)


def jump(action: Action) -> None:
    """Leap; where a robot on the landing does not move, land shorter, down to the own space."""
    battle, arrow = action.battle, action.die.arrow
    count = battle.arena.lands(action.origin, arrow, action.die.number)
    while count:
        target = beside(action.origin, arrow, count)
        assert target is not None
        if target in battle.arena.pits and battle.uses(action.seat, "pit"):
            break
        victim = battle.at.get(target)
        if victim is None or battle.push(victim, arrow, action.seat):
            if action.on_board:
                battle.say(events.leapt(action.seat, action.origin, target))
                battle.enter(action.seat, target, action.seat)
            return
        count = battle.arena.lands(action.origin, arrow, count - 1)
    battle.say(events.stayed(action.seat, action.origin))


def recall(action: Action) -> None:
    """Go to the named start space of the own side, if it is free."""
    battle, target = action.battle, action.choices["recall"]
    if target in battle.at:
        battle.say(events.stayed(action.seat, action.origin))
        return
    battle.say(events.leapt(action.seat, action.origin, target))
    battle.enter(action.seat, target, action.seat)


def tractor(action: Action) -> None:
    """Pull the first robot on the line, until it is adjacent or blocked."""
    battle, arrow = action.battle, action.die.arrow
    victim = next((battle.at[s] for s in battle.line(action.origin, arrow) if s in battle.at), None)
    if victim is None:
        return
    back = turned(arrow, 4)
    for _ in range(action.die.number):
        space = battle.pos(victim)
        if space is None or battle.arena.step(space, back) == action.origin:
            return
        if not battle.pull(victim, back, action.seat):
            return


def repair(action: Action) -> None:
    """Take one damage off the own robot."""
    piece = action.battle.pieces[action.seat]
    if piece.damage:
        piece.damage -= 1
        action.battle.say(events.repaired(action.seat, 1, piece.damage))


INSTEAD: dict[str, Effect] = {
    "crossfire": crossfire,
    "bomb": bomb,
    "shockwave": shockwave,
    "jump": jump,
    "recall": recall,
    "tractor": tractor,
    "repair": repair,
}


# --- after ----------------------------------------------------------------------------------------


def strafe(action: Action) -> None:
    """Move one space to the left or the right of the arrow."""
    action.walk(turned(action.die.arrow, -2 if action.choices["strafe"] == "left" else 2))


def mine(action: Action) -> None:
    """Lay a mine where the robot stood before the die, if that space is plain and empty now."""
    battle, space = action.battle, action.origin
    free = space in battle.arena.plain and space not in battle.at and space not in battle.mines
    if free and battle.mines_left[action.seat]:
        battle.mines_left[action.seat] -= 1
        battle.mines[space] = action.seat
        battle.say(events.mine_laid(action.seat, space))


def knockback(action: Action) -> None:
    """Push in the order of the hits whoever is still in the arena."""
    for victim, arrow in action.hits:
        if action.battle.pos(victim) is not None:
            action.battle.push(victim, arrow, action.seat)


AFTER: dict[str, Effect] = {"strafe": strafe, "mine": mine, "knockback": knockback}
"""In this order: Strafe before Mine Layer."""

assert set(INSTEAD) | set(AFTER) <= set(MODULES)
