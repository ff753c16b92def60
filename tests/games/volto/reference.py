"""A second, slow VOLTO, written from the rules page alone; it shares no code with ``engines.volto``.

A :class:`Table` knows every symbol, plays moves, and says what each viewer has seen. What masks may be is
found by trying every way of giving a side's symbols to its masks, each from the start: :class:`Truths`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import TypeAlias

Viewer: TypeAlias = int | None
Told: TypeAlias = tuple[str, ...]

FILES, ROWS = "abcde", "1234567"
STRAIGHT = [(0, 1), (0, -1), (1, 0), (-1, 0)]
SLANTED = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
STEPS = {"N": STRAIGHT, "A": SLANTED, "L": STRAIGHT + SLANTED, "C": STRAIGHT + SLANTED}
PALACE_ROWS = ("1", "7")
VIEWERS: tuple[Viewer, ...] = (0, 1, None)


class Refused(Exception):  # noqa: N818 - no fault
    """A move that cannot be made."""


@dataclass
class Table:
    """A match. Masks are named by their seat and the square where they began; ``symbols`` are the truth.

    ``seen``: the names of masks that everybody has seen; ``gone``: of those that left the mat, in order.
    ``told``: what each viewer learned of the last move. ``won``: who has won by one of the three ways.
    ``over``: the match has ended, by these or otherwise; ``went_on``: it had not before the last move.
    """

    ruleset: str
    symbols: Mapping[str, str]
    mover: int
    where: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    gone: list[str] = field(default_factory=list)
    told: dict[Viewer, list[Told]] = field(default_factory=dict)
    stood: list[str] = field(default_factory=list)
    quiet: int = 0
    won: frozenset[int] = frozenset()
    over: bool = False
    went_on: bool = True

    def __post_init__(self) -> None:
        self.where = {name[1:]: name for name in self.symbols}
        self.stood = [self.position()]
        self._judge(lady=False)

    def owner(self, square: str) -> int | None:
        return int(self.where[square][0]) if square in self.where else None

    # --- moves ------------------------------------------------------------------------------------

    def moves(self) -> Iterator[tuple[str, str]]:
        """Yield the moves of the side to move."""
        for origin, name in sorted(self.where.items()):
            if int(name[0]) == self.mover:
                for target in self.targets(origin, self.symbols[name]):
                    yield origin, target

    def targets(self, origin: str, symbol: str) -> Iterator[str]:
        if symbol == "S":
            ahead = beside(origin, 0, 1 if self.mover == 0 else -1)
            while ahead is not None:
                if self.owner(ahead) != self.mover:
                    yield ahead
                if self.owner(ahead) is not None:
                    return
                ahead = beside(ahead, 0, 1 if self.mover == 0 else -1)
            return
        for across, along in STEPS[symbol]:
            target = beside(origin, across, along)
            # A Lady goes to empty squares only.
            allowed = (None,) if symbol == "L" else (None, 1 - self.mover)
            if target is not None and self.owner(target) in allowed:
                yield target

    def move(self, origin: str, target: str) -> Table:
        """Return the table after a move; raises :class:`Refused`."""
        if (origin, target) not in set(self.moves()):
            raise Refused
        after = copy(self)
        after.where, after.seen, after.gone = dict(self.where), set(self.seen), list(self.gone)
        after.told = {}
        after.went_on = self.went_on and not self.over
        after.carry_out(origin, target)
        return after

    def carry_out(self, origin: str, target: str) -> None:
        """Change the table by a move."""
        seat, name, taken = self.mover, self.where.pop(origin), self.where.get(target)
        self.where[target] = name
        self.mover = 1 - seat
        self.quiet = 0 if taken else self.quiet + 1
        unseen = [one for one in self.gone if one not in self.seen]
        if taken is not None:
            self.gone.append(taken)
            self.seen.add(taken)
        lady = taken is not None and self.symbols[taken] == "L"
        if lady:
            # She and the mask that captured her both leave the mat.
            del self.where[target]
            self.gone.append(name)
            if self.ruleset == "1":
                self.seen.add(name)
        self.stood = [*([] if taken else self.stood), self.position()]
        self._judge(lady=lady)
        self._tell(seat, origin, target, name, taken)
        if self.over:
            for one in unseen:
                for told in self.told.values():
                    told.append(("was", one, self.symbols[one]))

    def _judge(self, *, lady: bool) -> None:
        standing = {(int(name[0]), self.symbols[name], square[1]) for square, name in self.where.items()}
        won = set()
        for seat in (0, 1):
            if not any((owner, symbol) == (1 - seat, "C") for owner, symbol, _ in standing):
                won.add(seat)
            # The owner of the last Lady wins when she is captured.
            if lady and seat == self.mover and not any((o, s) == (seat, "L") for o, s, _ in standing):
                won.add(seat)
            if (seat, "C", PALACE_ROWS[1 - seat]) in standing:
                won.add(seat)
        self.won = frozenset(won)
        stuck = next(self.moves(), None) is None
        self.over = bool(won) or stuck or self.stood.count(self.stood[-1]) >= 3 or self.quiet >= 100

    def _tell(self, seat: int, origin: str, target: str, name: str, taken: str | None) -> None:
        for viewer in VIEWERS:
            words = [str(seat), origin, target]
            if taken is not None:
                words.append(self.symbols[taken])
                if self.symbols[taken] == "L":
                    words.append(self.symbols[name] if self.knows(viewer, name) else "?")
            self.told[viewer] = [tuple(words)]

    # --- what is seen -----------------------------------------------------------------------------

    def knows(self, viewer: Viewer, name: str) -> bool:
        """Return whether a viewer knows what a mask is without any thought."""
        return self.over or name in self.seen or name[0] == str(viewer)

    def sees(self, viewer: Viewer) -> dict[str, tuple[str | None, str | None, bool]]:
        """Return where each mask is, its symbol as far as the viewer knows it, and whether everybody does."""
        squares = {name: square for square, name in self.where.items()}
        return {
            name: (
                squares.get(name),
                symbol if self.knows(viewer, name) else None,
                self.over or name in self.seen,
            )
            for name, symbol in self.symbols.items()
        }

    def position(self, viewer: Viewer | str = "all") -> str:
        """Return the position as text, as somebody sees it or as it is."""
        rows = []
        for row in reversed(ROWS):
            text, empty = "", 0
            for file in FILES:
                name = self.where.get(file + row)
                if name is None:
                    empty += 1
                    continue
                symbol = self.symbols[name] if viewer == "all" or self._shown(viewer, name) else "X"
                text += (str(empty) if empty else "") + (symbol if name[0] == "0" else symbol.lower())
                empty = 0
            rows.append(text + (str(empty) if empty else ""))
        return f"{'/'.join(rows)} {self.mover}"

    def _shown(self, viewer: Viewer | str, name: str) -> bool:
        return not isinstance(viewer, str) and self.knows(viewer, name)


def beside(square: str, across: int, along: int) -> str | None:
    file, row = FILES.index(square[0]) + across, ROWS.index(square[1]) + along
    return FILES[file] + ROWS[row] if 0 <= file < 5 and 0 <= row < 7 else None


# --- what may be true -----------------------------------------------------------------------------


@dataclass
class Truths:
    """Every way of giving the masks their symbols that a viewer cannot tell from the real one.

    ``loose``: as far as moves, captures and the three ways to win tell, which is what masks seem to be. A
    side that could not move or a position for the third time would have ended the match, too: :meth:`strict`.
    """

    viewer: Viewer
    loose: list[Table]

    @classmethod
    def of(cls, table: Table, viewer: Viewer) -> Truths:
        """Return all ways at the start of a match, of which ``table`` is the real one."""
        sides = []
        for seat in "01":
            names = [name for name in table.symbols if name[0] == seat]
            real = tuple(table.symbols[name] for name in names)
            # The symbols of a side are public, and which mask has which is its secret.
            ways = {real} if seat == str(viewer) else set(permutations(real))
            sides.append([dict(zip(names, way, strict=True)) for way in sorted(ways)])
        found = [Table(table.ruleset, {**sun, **moon}, table.mover) for sun, moon in product(*sides)]
        return cls(viewer, [each for each in found if not each.won])

    def after(self, move: tuple[str, str], real: Table) -> Truths:
        """Return those that are left after a move that led to ``real``, which goes on."""
        left = []
        for table in self.loose:
            try:
                after = table.move(*move)
            except Refused:
                continue
            if not after.won and _seen_alike(after, real, self.viewer):
                left.append(after)
        return Truths(self.viewer, left)

    def strict(self) -> list[Table]:
        """Return those in which the match has gone on to this moment, and goes on."""
        return [table for table in self.loose if table.went_on and not table.over]

    def may_be(self, name: str) -> set[str]:
        return {table.symbols[name] for table in self.loose}

    def share(self, name: str, symbol: str) -> float:
        """Return in what share of all ways a mask has a symbol."""
        return sum(table.symbols[name] == symbol for table in self.loose) / len(self.loose)


def _seen_alike(table: Table, real: Table, viewer: Viewer) -> bool:
    """Return whether a viewer has been shown the same, if both matches go on."""
    known = {name for name in real.symbols if name in real.seen or name[0] == str(viewer)}
    return (
        table.where == real.where
        and table.seen == real.seen
        and table.gone == real.gone
        and all(table.symbols[name] == real.symbols[name] for name in known)
    )
