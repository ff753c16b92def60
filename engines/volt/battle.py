"""The battle while dice are activated: where robots stand, what moves and pushes, what is hit. Mutable.

Every change adds a fact at once. Source: the rules page, *Activation* and *Where effects meet*.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from engines.core.contract import Fact, Seat
from engines.volt import events
from engines.volt.arena import DIAGONAL, OUT, WALL, Arena, arena, turned
from engines.volt.view import ARROWS, Arrow, Lost, MineView, ProgramView, Public, RobotView, Space

LIMIT = 3
"""Damage that destroys a robot."""


class Won(Exception):  # noqa: N818 - no error: the match is over in the middle of a step
    """A seat has the points that win: nothing more happens."""

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat


@dataclass(frozen=True, slots=True)
class Stop:
    """What stops a movement, as :func:`events.blocked` has it, and the robot that stands there."""

    why: str
    who: Seat


@dataclass(slots=True, repr=False)
class Piece:
    """A robot on the way."""

    side: str
    pos: Space | None
    lost: Lost | None
    damage: int
    score: int
    gone: bool


class Battle:
    """Robots, mines and standing orders of one round."""

    def __init__(
        self,
        place: Arena,
        target: int,
        robots: Sequence[RobotView],
        mines: Sequence[MineView],
        mines_left: Sequence[int],
        face_up: Sequence[Sequence[str]],
        programs: Mapping[Seat, ProgramView],
    ) -> None:
        self.arena = place
        self.target = target
        self.pieces = [Piece(r.side, r.pos, r.lost, r.damage, r.score, r.gone) for r in robots]
        self.at: dict[Space, Seat] = {r.pos: r.seat for r in robots if r.pos is not None}
        self.mines: dict[Space, Seat] = {mine.space: mine.seat for mine in mines}
        self.mines_left = list(mines_left)
        self.face_up = [set(names) for names in face_up]
        self.programs = programs
        self.orders = [set(programs[r.seat].orders) if r.seat in programs else set() for r in robots]
        self.used: list[set[str]] = [set() for _ in robots]
        self.anchored: set[Seat] = set()
        """Whose Anchor holds for the die in action."""
        self.facts: list[Fact] = []

    @classmethod
    def of(cls, public: Public, programs: Mapping[Seat, ProgramView]) -> Battle:
        """Return the battle as everybody sees it, with the standing orders of ``programs``.

        To think ahead, a view will do for the public record, and ``programs`` as they are thought to be.
        """
        return cls(
            arena(public.arena),
            public.target,
            public.robots,
            public.mines,
            public.mines_left,
            public.face_up,
            programs,
        )

    # --- the battle as data ------------------------------------------------------------------------

    def robots(self) -> tuple[RobotView, ...]:
        """Return the robots as they stand."""
        return tuple(
            RobotView(seat, p.side, p.pos, p.lost, p.damage, p.score, p.gone)
            for seat, p in enumerate(self.pieces)
        )

    def mine_views(self) -> tuple[MineView, ...]:
        """Return the mines, sorted by space."""
        return tuple(MineView(space, self.mines[space]) for space in sorted(self.mines))

    def pos(self, seat: Seat) -> Space | None:
        """Return where a robot stands; ``None`` off the board."""
        return self.pieces[seat].pos

    def say(self, fact: Fact) -> None:
        """Tell what happened."""
        self.facts.append(fact)

    # --- modules ----------------------------------------------------------------------------------

    def turn_up(self, seat: Seat, name: str) -> bool:
        """Turn a module face up; return whether it lay face down."""
        if name in self.face_up[seat]:
            return False
        self.face_up[seat].add(name)
        self.say(events.turned_up(seat, name))
        return True

    def uses(self, seat: Seat, name: str) -> bool:
        """Use a standing order if it is on and still unused; return whether it was."""
        if name not in self.orders[seat] or name in self.used[seat]:
            return False
        self.used[seat].add(name)
        if not self.turn_up(seat, name):
            self.say(events.took_effect(seat, name))
        return True

    def holds(self, seat: Seat, by: Seat) -> bool:
        """Return whether a robot is a wall by its Anchor, which is used for it."""
        if seat == by:
            return False
        if seat not in self.anchored and self.uses(seat, "anchor"):
            self.anchored.add(seat)
        return seat in self.anchored

    # --- damage, destruction, credit --------------------------------------------------------------

    def hurt(self, victim: Seat, amount: int, by: Seat | None) -> None:
        """Deal damage; by whom it is credited, ``None`` for plates. Raises :class:`Won`."""
        piece = self.pieces[victim]
        if piece.pos is None:
            return
        if self.uses(victim, "shield"):
            amount -= 1
        # More than three damage is ignored.
        amount = min(amount, LIMIT - piece.damage)
        if amount <= 0:
            return
        piece.damage += amount
        self.say(events.damaged(victim, by, amount, piece.damage))
        if piece.damage == LIMIT:
            space = self._destroy(victim, Lost.DAMAGE, by)
            # Explosive Core: after the kill's point, before what caused it goes on (*Where effects meet*).
            if self.uses(victim, "explosive"):
                self._explode(victim, space)

    def fall(self, victim: Seat, by: Seat | None, arrow: Arrow | None = None) -> None:
        """Destroy a robot by a pit, or over the open edge along ``arrow``. Raises :class:`Won`."""
        self._destroy(victim, Lost.FALL, by, arrow)

    def _destroy(self, victim: Seat, cause: Lost, by: Seat | None, arrow: Arrow | None = None) -> Space:
        piece = self.pieces[victim]
        space = piece.pos
        assert space is not None
        del self.at[space]
        piece.pos, piece.lost = None, cause
        # Nobody scores for the own robot, nor for what a plate or an open edge did.
        credited = None if by == victim else by
        self.say(events.destroyed(victim, space, cause.value, credited, arrow))
        if credited is not None:
            self.score(credited, "kill")
        return space

    def _explode(self, victim: Seat, space: Space) -> None:
        self.say(events.blast(victim, space, "core"))
        for arrow in ARROWS:
            other = self.at.get(self.arena.step(space, arrow))
            if other is not None:
                self.hurt(other, 1, victim)

    def score(self, seat: Seat, why: str) -> None:
        """Give a point. Raises :class:`Won` if it was the last one needed."""
        piece = self.pieces[seat]
        piece.score += 1
        self.say(events.scored(seat, why, piece.score))
        if piece.score >= self.target:
            raise Won(seat)

    # --- movement ---------------------------------------------------------------------------------

    def enter(self, seat: Seat, target: Space, by: Seat) -> None:
        """Stand a robot on a space and let it take effect: a pit, or a mine. Raises :class:`Won`."""
        piece = self.pieces[seat]
        if piece.pos is not None:
            del self.at[piece.pos]
        piece.pos = target
        self.at[target] = seat
        # Whoever moves the robot gets the credit, for every robot of a chain; a mine counts for its owner.
        if target in self.arena.pits:
            self.fall(seat, by)
        elif target in self.mines:
            owner = self.mines.pop(target)
            self.mines_left[owner] += 1
            self.say(events.mine_hit(owner, target, seat))
            self.hurt(seat, 1, owner)

    def chain(self, seat: Seat, arrow: Arrow, by: Seat) -> tuple[Seat, ...] | Stop:
        """Return the robots that move when ``seat`` does, it first; what stops them where one of them cannot.

        Read from the pusher outward: the first unused Anchor is a wall, whatever lies beyond.
        """
        found = [seat]
        space = self.pieces[seat].pos
        assert space is not None
        while True:
            front, space = space, self.arena.step(space, arrow)
            if space == WALL:
                return Stop(self.arena.obstacle(front, arrow), found[-1])
            ahead = self.at.get(space)
            if ahead is None:
                break
            if self.holds(ahead, by):
                return Stop("anchor", ahead)
            found.append(ahead)
        # Pit Clamps of the front robot hold the whole chain (*Where effects meet*).
        if (space == OUT or space in self.arena.pits) and self.uses(found[-1], "pit"):
            return Stop("pit", found[-1])
        return tuple(found)

    def shift(self, chain: Sequence[Seat], arrow: Arrow, by: Seat) -> None:
        """Move a chain one space, the front robot first. Raises :class:`Won`."""
        for seat in reversed(chain):
            origin = self.pieces[seat].pos
            if origin is None:  # an Explosive Core of the chain has destroyed it meanwhile
                continue
            target = self.arena.step(origin, arrow)
            if target == OUT:
                self.fall(seat, by, arrow)
                continue
            told = events.moved(seat, origin, target)
            self.say(told if seat == by else events.pushed(seat, origin, target, by))
            self.enter(seat, target, by)

    def push(self, seat: Seat, arrow: Arrow, by: Seat) -> bool:
        """Push a robot one space, and those behind it; return whether it moved. Raises :class:`Won`."""
        space = self.pieces[seat].pos
        assert space is not None
        chain = Stop("anchor", seat) if self.holds(seat, by) else self.chain(seat, arrow, by)
        if isinstance(chain, Stop):
            self.say(events.blocked(seat, space, arrow, chain.why, chain.who))
            return False
        self.shift(chain, arrow, by)
        return True

    def pull(self, seat: Seat, arrow: Arrow, by: Seat) -> bool:
        """Pull a robot one space along a clear line; return whether it may go on. Raises :class:`Won`."""
        origin = self.pieces[seat].pos
        assert origin is not None
        target = self.arena.step(origin, arrow)
        # Nothing stands on the line of a pull but the robot itself.
        why = self._held_by(seat, target, by)
        if why is not None:
            self.say(events.blocked(seat, origin, arrow, why, seat))
            return False
        self.say(events.pulled(seat, origin, target, by))
        self.enter(seat, target, by)
        return self.pieces[seat].pos is not None

    def _held_by(self, seat: Seat, target: Space, by: Seat) -> str | None:
        if self.holds(seat, by):
            return "anchor"
        return "pit" if target in self.arena.pits and self.uses(seat, "pit") else None

    # --- shots ------------------------------------------------------------------------------------

    def line(self, origin: Space, arrow: Arrow) -> Iterator[Space]:
        """Yield the spaces of a line of fire up to the first wall; robots don't stop it."""
        space = self.arena.step(origin, arrow)
        while space not in (WALL, OUT):
            yield space
            space = self.arena.step(space, arrow)

    def fire(self, shot: Shot, arrow: Arrow) -> list[tuple[Seat, Arrow]]:
        """Fire along a line; return whom it hit, nearest first. Raises :class:`Won`.

        A robot that reflected it does not count, nor whom the reflected shot hits.
        """
        hits: list[tuple[Seat, Arrow]] = []
        space, told = shot.origin, ""
        for space in self.line(shot.origin, arrow):
            victim = self.at.get(space)
            if victim is None:
                continue
            self._tell(shot, space, arrow, victim)
            # Reflector goes before Shield; what comes back is a plain shot of the Reflector's owner.
            if arrow in DIAGONAL and self.uses(victim, "reflector"):
                back = replace(shot, by=victim, origin=space, piercing=False, reflected=True)
                self.fire(back, turned(arrow, 4))
                return hits
            hits.append((victim, arrow))
            self.hurt(victim, shot.damage, shot.by)
            if not shot.piercing:
                return hits
            told = space
        if told != space or space == shot.origin:
            self._tell(shot, space, arrow, None)
        return hits

    def _tell(self, shot: Shot, target: Space, arrow: Arrow, hit: Seat | None) -> None:
        self.say(events.shot(shot.by, shot.origin, target, arrow, hit, reflected=shot.reflected))


@dataclass(frozen=True, slots=True)
class Shot:
    """A shot from a space: credited ``by``, with its damage; ``piercing`` ends at walls alone."""

    by: Seat
    origin: Space
    damage: int = 1
    piercing: bool = False
    reflected: bool = False
