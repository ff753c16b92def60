"""The state of a match, which never leaves the engine; and each viewer's view, built field by field."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engines.core.contract import Fact, Seat, Viewer, Words
from engines.volt.arena import arena
from engines.volt.modules import deck_of, in_order
from engines.volt.notation import program_of
from engines.volt.rulesets import Ruleset
from engines.volt.view import (
    DECKS,
    CardView,
    MineView,
    ModulesView,
    Phase,
    ProgramView,
    RobotView,
    Space,
    View,
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

    ruleset: Ruleset
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

    def free_starts(self, seat: Seat) -> tuple[Space, ...]:
        """Return the start spaces of a seat's side on which no robot stands."""
        standing = {robot.pos for robot in self.robots}
        side = self.robots[seat].side
        return tuple(space for space in arena(self.arena).start[side] if space not in standing)


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


def look(state: State, viewer: Viewer) -> View:
    """Return all that ``viewer`` knows of ``state``."""
    public = state.public
    own = None if viewer is None else state.own[viewer]
    red, blue, yellow = (len(cards) for cards in state.decks)
    # A committed program is known to its own seat alone until the reveal.
    committed = own is not None and public.phase is Phase.PROGRAM and bool(own.answer)
    return View(
        viewer=viewer,
        ruleset=public.ruleset,
        arena=public.arena,
        target=public.target,
        training=public.training,
        draw_tiles=public.draw_tiles,
        step=public.step,
        round=public.round,
        phase=public.phase,
        robots=public.robots,
        modules=tuple(_modules(public, seat, state.own[seat], viewer) for seat in public.seats),
        asked=public.asked,
        done=public.done,
        tiles=public.tiles,
        taken=public.taken,
        free=public.free,
        tokens=public.tokens,
        supply=public.supply,
        decks=(red, blue, yellow),
        mines=public.mines,
        revealed=public.revealed,
        recap=public.recap,
        news=public.news,
        own=program_of(own.answer) if own is not None and committed else None,
        answer=() if own is None else own.answer,
        choices=() if viewer is None else _choices(public, viewer),
        forecast=None,
        ranks=public.ranks,
        reason=public.reason,
        last=None if own is None else own.program,
        left=public.left,
    )


def _modules(public: Public, seat: Seat, own: Own, viewer: Viewer) -> ModulesView:
    face_up = public.face_up[seat]
    known = viewer == seat or public.phase is Phase.OVER
    down = in_order(frozenset(own.active) - frozenset(face_up))
    active = [CardView(deck_of(name), name, face_up=True) for name in face_up]
    active += _cards(down, known=known)
    return ModulesView(
        active=tuple(sorted(active, key=lambda c: (DECKS.index(c.deck), not c.face_up, c.name or ""))),
        spare=tuple(_cards(own.spare, known=known)),
        listed=public.listed[seat],
        mines=public.mines_left[seat],
    )


def _cards(names: tuple[str, ...], *, known: bool) -> list[CardView]:
    if known:
        return [CardView(deck_of(name), name, face_up=False) for name in names]
    # Backs go by deck, never in the order of the names: that would tell something of them.
    return [CardView(deck, None, face_up=False) for deck in DECKS for name in names if deck_of(name) == deck]


def _choices(public: Public, seat: Seat) -> tuple[Space, ...]:
    if seat not in public.asked or seat in public.done:
        return ()
    if public.phase is Phase.START and public.ruleset.space_first:
        return arena(public.arena).start[public.robots[seat].side]
    if public.phase is not Phase.REBOOT:
        return ()
    free = public.free_starts(seat)
    return free if len(free) > 1 else ()  # an only space is taken unasked


def record(state: State) -> dict[str, Any]:
    """Return the whole state as plain JSON data, for digests."""
    public = state.public
    return {
        **public.ruleset.data,
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
        "recap": _recorded(public.recap),
        "news": _recorded(public.news),
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


_UNRECORDED = {"blocked": {"why", "who"}}
"""What facts tell besides. Digests of stored matches know nothing of it, and all else implies it."""


def _recorded(facts: tuple[Fact, ...]) -> list[dict[str, Any]]:
    return [
        {name: value for name, value in data.items() if name not in _UNRECORDED.get(fact.kind, ())}
        for fact, data in zip(facts, facts_data(facts), strict=True)
    ]
