"""All legal turns of a position, and the position after each: the fast inside of the game."""

from __future__ import annotations

from collections.abc import Iterable

from engines.volo.board import BOARDS, Board, bits
from engines.volo.flights import Finds, lone_flights, part_flights, row_flights
from engines.volo.regions import is_cut, may_close, may_cut, reachable, regions_to_choose, risky_points
from engines.volo.sides import Side, Turn, side_of

SUPPLY = 60
"""Birds of each seat."""

PASS = Turn(0, 0, "pass", 0, 0)
"""The turn that changes nothing."""

_CHUNK = 8


def _add_table(board: Board) -> tuple[tuple[tuple[Turn, ...], ...], ...]:
    # For every byte of a set of points: turns() then adds whole bytes instead of single points.

    def adds(place: int, byte: int) -> tuple[Turn, ...]:
        return tuple(Turn(0, bit, "", 0, 0) for bit in bits(byte << place & board.full))

    places = range(0, board.full.bit_length(), _CHUNK)
    return tuple(tuple(adds(place, byte) for byte in range(1 << _CHUNK)) for place in places)


_ADDS = {key: _add_table(board) for key, board in BOARDS.items()}


class Position:
    """Birds of both seats, from the mover's side. Never changed: :meth:`after` makes a new one.

    ``loose``: whether the mover's birds, the other's birds may lie in several regions. In play they
    never do when a turn begins; a position that was set up may be so, and is then checked in full.
    """

    __slots__ = ("board", "loose", "other", "own", "passed")

    def __init__(self, board: Board, own: Side, other: Side, passed: bool, loose: tuple[bool, bool]) -> None:
        self.board = board
        self.own = own
        self.other = other
        self.passed = passed
        self.loose = loose

    @classmethod
    def of(cls, board: Board, own: int, other: int, *, passed: bool = False) -> Position:
        """Return the position of any birds, the mover's first."""
        loose = is_cut(board, other, own), is_cut(board, own, other)
        return cls(board, side_of(board, own), side_of(board, other), passed, loose)

    @property
    def vacant(self) -> int:
        """Return the vacant points."""
        return self.board.full ^ self.own.birds ^ self.other.birds

    def turns(self) -> list[Turn]:
        """Return every legal turn once: adds by point, then flights, then the pass."""
        found: list[Turn] = []
        vacant = self.vacant
        adds = self._adds(vacant)
        if adds:
            table = _ADDS[self.board.key]
            for turns, byte in zip(table, adds.to_bytes(len(table), "little"), strict=True):
                if byte:
                    found += turns[byte]
        before = len(found)
        self._add_flights(vacant, found)
        # Without a flight one may pass if the opponent reaches none of the adds (rules page, Turn).
        if len(found) == before and not adds & reachable(self.board, self.other.birds, self.own.birds):
            found.append(PASS)
        return found

    def _adds(self, vacant: int) -> int:
        own = self.own
        free = vacant & ~own.once
        # Points are reached from the own birds, a step at a time, only until all free ones are.
        if not free or own.birds.bit_count() >= SUPPLY:
            return 0
        _, longer, row = self.board.up
        room = vacant | own.birds
        seen, last = own.birds | own.once & vacant, 0
        while seen & free != free and seen != last:
            last = seen
            east = seen | seen << 1
            seen = (east | seen >> 1 | east << row | east >> longer) & room
        return free & seen

    def _add_flights(self, vacant: int, found: list[Turn]) -> None:
        board, own, loose = self.board, self.own, self.loose[1]
        once, twice = own.once & vacant, own.twice & vacant
        if not once:
            return
        finds = Finds(found, board.full if loose else risky_points(board, own))
        if own.singles:
            lone_flights(board, own.singles, vacant, (once, twice), finds)
        for flock in own.flocks:
            other = once & ~flock.beside | twice
            if other:
                flights = part_flights(board, flock, vacant, other)
                if flights:
                    self._sort(flights, finds)
                if flock.row and (flights := row_flights(board, flock.birds, vacant, other)):
                    self._sort(flights, finds)
        for turn in finds.doubtful:
            self._settle(turn, found)

    def _sort(self, turns: Iterable[Turn], finds: Finds) -> None:
        # Flights that cannot cut anything are found; the others stay doubtful until they are checked.
        board, own, loose = self.board, self.own, self.loose[1]
        risky, found, doubtful = finds.risky, finds.found, finds.doubtful
        for turn in turns:
            landing = turn.landing
            if landing & (landing - 1):
                cuts = loose or may_close(board, own, turn.unit, landing)
            else:
                cuts = landing & risky != 0
            (doubtful if cuts else found).append(turn)

    def _settle(self, turn: Turn, found: list[Turn]) -> None:
        # Where a flight cuts the other's birds apart, there is a turn for each region that may be kept.
        unit, landing, word, _, _ = turn
        board, other = self.board, self.other.birds
        own = self.own.birds ^ unit | landing
        choices: tuple[int, ...] = ()
        if self.loose[1] or may_cut(board, own, landing, other):
            choices = regions_to_choose(board, own, landing, other)
        if choices:
            found += [Turn(unit, landing, word, region & -region, other & ~region) for region in choices]
        else:
            found.append(turn)

    def after(self, turn: Turn) -> Position:
        """Return the position after a legal turn, the other seat to move."""
        unit, landing, _, _, gone = turn
        board, other = self.board, self.other
        mine, others = self.loose
        if unit:
            own = self.own.flown(board, unit, landing)
            if gone:
                other = other.without(board, gone)
            return Position(board, other, own, False, (False, mine))
        if landing:
            return Position(board, other, self.own.added(board, landing), False, (others, mine))
        return Position(board, other, self.own, True, (others, mine))

    def won(self) -> bool | None:
        """Return whether a turn has won the match: for who took it (true), for the other (false), or not."""
        if self.other.united:
            return True
        return False if self.own.united else None
