"""The truth of a match. It never leaves the engine except to be handed back to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.core.contract import Fact, Seat, Words
from engines.volt.modules import deck_of, in_order
from engines.volt.view import (
    DECKS,
    MineView,
    Phase,
    ProgramView,
    RobotView,
    facts_data,
    mine_data,
    program_data,
    robot_data,
)

Deck = tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Public:
    """What everybody knows.

    Names are those of the view. ``face_up``: names of active modules that lie face up, by seat;
    ``listed``: names that did so at some time. ``revealed``: last round's programs, what did not turn
    up left out; the orders in it are those that have been used.
    """

    arena: str
    target: int
    training: bool
    draw_tiles: bool
    step: int
    round: int
    phase: Phase
    robots: tuple[RobotView, ...]
    face_up: tuple[tuple[str, ...], ...]
    listed: tuple[tuple[str, ...], ...]
    mines_left: tuple[int, ...]
    asked: tuple[Seat, ...]
    done: tuple[Seat, ...]
    tiles: tuple[int | None, ...]
    taken: tuple[int | None, ...]
    free: tuple[int, ...]
    tokens: tuple[int, ...]
    supply: tuple[int, int, int, int, int, int]
    mines: tuple[MineView, ...]
    revealed: tuple[ProgramView | None, ...]
    recap: tuple[Fact, ...] = ()
    news: tuple[Fact, ...] = ()
    left: tuple[Seat, ...] = ()
    ranks: tuple[tuple[Seat, ...], ...] | None = None
    reason: str | None = None

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Return all seats, those that have left too."""
        return tuple(range(len(self.robots)))

    @property
    def playing(self) -> tuple[Seat, ...]:
        """Return the seats that are still in the match."""
        return tuple(robot.seat for robot in self.robots if not robot.gone)

    @property
    def in_tile_order(self) -> tuple[Seat, ...]:
        """Return the seats in the match by their number tiles."""
        return tuple(sorted(self.playing, key=lambda seat: (self.tiles[seat] or 0, seat)))

    @property
    def owed(self) -> tuple[Seat, ...]:
        """Return the seats whose robots were destroyed: each may draw a module as it reboots."""
        return tuple(robot.seat for robot in self.robots if robot.lost is not None and not robot.gone)


@dataclass(frozen=True, slots=True, repr=False)
class Own:
    """A seat's part: its modules, what it has said in this phase, and its whole last program."""

    active: Deck = ()
    spare: Deck = ()
    answer: Words = ()
    program: ProgramView | None = None

    @property
    def names(self) -> frozenset[str]:
        """Return all modules that the seat owns."""
        return frozenset(self.active + self.spare)


@dataclass(frozen=True, slots=True, repr=False)
class State:
    """A match: the public part, each seat's, and the decks in the order of :data:`DECKS`, top first."""

    public: Public
    own: tuple[Own, ...]
    decks: tuple[Deck, Deck, Deck]


def record(state: State) -> dict[str, Any]:
    """Return the whole truth as plain JSON data."""
    public = state.public
    return {
        "arena": public.arena,
        "target": public.target,
        "training": public.training,
        "draw_tiles": public.draw_tiles,
        "step": public.step,
        "round": public.round,
        "phase": public.phase.value,
        "robots": [robot_data(robot) for robot in public.robots],
        "gone": [robot.seat for robot in public.robots if robot.gone],
        "left": list(public.left),
        "asked": list(public.asked),
        "done": list(public.done),
        "tiles": list(public.tiles),
        "taken": list(public.taken),
        "free": list(public.free),
        "tokens": list(public.tokens),
        "supply": list(public.supply),
        "mines": [mine_data(mine) for mine in public.mines],
        "mines_left": list(public.mines_left),
        "face_up": [list(names) for names in public.face_up],
        "listed": [list(names) for names in public.listed],
        "revealed": [program_data(program) for program in public.revealed],
        "recap": facts_data(public.recap),
        "news": facts_data(public.news),
        "own": [
            {
                "active": list(own.active),
                "spare": list(own.spare),
                "answer": list(own.answer),
                "program": program_data(own.program),
            }
            for own in state.own
        ],
        "decks": {deck: list(cards) for deck, cards in zip(DECKS, state.decks, strict=True)},
        "ranks": None if public.ranks is None else [list(rank) for rank in public.ranks],
        "reason": public.reason,
    }


def by_deck(names: Deck) -> tuple[int, int, int]:
    """Return how many of the names are of each deck."""
    red, blue, yellow = (sum(deck_of(name) == deck for name in names) for deck in DECKS)
    return red, blue, yellow


def hidden(own: Own, face_up: Deck) -> Deck:
    """Return the active modules that lie face down, in order."""
    return in_order(frozenset(own.active) - frozenset(face_up))
