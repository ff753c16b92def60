"""A panel that is tried out: a person who presses in a match of their own, without a browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.touches.aim import Aim
from bench.touches.controls import Json, Step, steps_of, undrawn
from bench.touches.turns import Position
from bench.touches.ways import NoWay, Shown, Way, cheapest
from bot.pages.custom_ids import Action, PanelId
from bot.store.checks import open_read_only
from engines.core.contract import Setup, Words
from engines.core.match import Entry, EntryKind, Match
from engines.core.registry import game
from tests.e2e.stage import Player, places
from tests.kit.person import PersonError

OPEN = Step(Action.REFRESH, "open")
"""*Open your panel* below the board, which is on no panel."""

AGAIN = 3
"""How often a click is tried that gets no answer."""

OPENINGS = 20
"""Panels that are opened for one turn at most."""


@dataclass(frozen=True, slots=True)
class Table:
    """A match in the bot's database, which is only read here."""

    database: Path
    id: str

    def match(self) -> Match:
        """Return the match as it is committed."""
        with closing(open_read_only(self.database)) as connection:
            connection.execute("BEGIN")
            [(key, ruleset, seats, options, seed)] = connection.execute(
                "SELECT game, ruleset, seats, options, seed FROM match WHERE id = ?", (self.id,)
            )
            rows = connection.execute(
                "SELECT kind, seat, words FROM log WHERE match = ? ORDER BY seq", (self.id,)
            ).fetchall()
        setup = Setup(key, ruleset, seats, tuple((k, v) for k, v in json.loads(options)))
        log = [Entry(EntryKind(kind), seat, tuple(json.loads(words))) for kind, seat, words in rows]
        return Match.replay(game(key), setup, seed, log)

    def draft(self, seat: int) -> Words:
        """Return what a seat has drafted."""
        with closing(open_read_only(self.database)) as connection:
            rows = connection.execute(
                "SELECT words FROM draft WHERE match = ? AND seat = ? AND aside = 0", (self.id, seat)
            ).fetchall()
        return tuple(json.loads(rows[0][0])) if rows else ()

    def rows(self) -> int:
        """Return how many rows its log has."""
        with closing(open_read_only(self.database)) as connection:
            [(rows,)] = connection.execute("SELECT count(*) FROM log WHERE match = ?", (self.id,))
        return int(rows)

    def thread(self) -> int | None:
        """Return the id of the match's thread, once there is one."""
        with closing(open_read_only(self.database)) as connection:
            [(thread,)] = connection.execute("SELECT thread FROM match WHERE id = ?", (self.id,))
        return None if thread is None else int(thread)


@dataclass(slots=True)
class Trial:
    """A turn that is being said in a panel; ``said``: how many of its parts are said for good."""

    table: Table
    position: Position
    player: Player
    said: int = 0
    _aim: Aim = field(init=False)
    _rows: int = field(init=False)

    def __post_init__(self) -> None:
        self._look_anew()

    def _look_anew(self) -> None:
        match = self.table.match()
        view = match.view(self.position.seat)
        self._rows = len(match.log)
        self._aim = Aim(match.game, view, self.position.parts[self.said :])

    async def open(self) -> None:
        """Press *Open your panel* below the newest board."""
        await self.player.open(str(self.table.thread()))

    async def reset(self) -> Shown:
        """Take the draft back, or whatever is in focus; return the panel."""
        if not self.table.draft(self.position.seat):
            await self._press(lambda place: place.action is Action.REFRESH)
        while self.table.draft(self.position.seat):
            clears = any(place.action is Action.CLEAR for place in places(self._panel))
            back = Action.CLEAR if clears else Action.BACK
            await self._press(lambda place: place.action is back)  # noqa: B023
        return self._shown()

    async def _press(self, fits: Callable[[PanelId], bool], values: list[str] | None = None) -> None:
        """Touch the first control that fits; again in a new panel where the bot was too busy to answer."""
        for _ in range(AGAIN):
            before = self._committed()
            place = next(filter(fits, places(self._panel)), None)
            if place is None:
                raise NoWay("a control is no longer there")
            try:
                await self.player.touch(place, values)
            except PersonError:
                await self.open()
                if self._committed() == before:
                    continue
            return
        raise NoWay("the bot does not answer")

    def _committed(self) -> tuple[Words, int]:
        return self.table.draft(self.position.seat), self.table.rows()

    @property
    def _panel(self) -> Json:
        return self.player.panel or {"components": [], "flags": 0}

    async def take(self, step: Step) -> Shown:
        """Touch a control, and return the panel after it."""
        await self._press(step.is_at, None if step.value is None else [step.value])
        return self._shown()

    def _shown(self) -> Shown:
        """Return the panel, its parts that are said since the last sentence with it."""
        if self.table.rows() > self._rows:
            log = self.table.match().log[self._rows :]
            last = log[-1].words
            said = self._aim.said_by(self._aim.normal(last) or last)
            if len(log) > 1 or not said:
                raise NoWay(f"{last} was said")
            self.said += said
            self._look_anew()
            return Shown((), (), said=said)
        draft = self.table.draft(self.position.seat)
        steps = self.useful_steps()
        early = {step for step in steps if step.action is Action.CONFIRM and not self._aim.is_longest(draft)}
        return Shown((draft, _drawn(self._panel)), steps, self._aim.left(draft) or 0, early=frozenset(early))

    def useful_steps(self) -> Way:
        """Return what leads on from the panel as it is."""
        return tuple(self._aim.useful(steps_of(self._panel), self.table.draft(self.position.seat)))

    async def play(self) -> Way:
        """Say the whole turn, each sentence with as few touches as can be; return all steps."""
        way: list[Step] = []
        for _ in range(OPENINGS):
            if not self.useful_steps():
                await self.open()
                way.append(OPEN)
            way += (await cheapest(self))[0]
            if self.said == len(self.position.parts):
                return tuple(way)
        raise NoWay("it comes to no end")


def _drawn(panel: Json) -> frozenset[tuple[Any, ...]]:
    """Return what is offered on a panel, whatever the drawing."""
    return frozenset((place.action, undrawn(place.word)) for place in places(panel)) | {
        (step.action, step.word, step.value) for step in steps_of(panel)
    }
