"""Who plays while the bot is killed: they read their windows, press, and write down what they have said."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from bot.pages.custom_ids import Action, Button, ButtonId, PanelId, pack
from bot.pages.texts import Texts
from sandbox.model import Json
from tests.e2e.kills.windows import Eye, Shown
from tests.e2e.stage import STEPS, Player, action, asked, choices, draft_behind, id_in, known, places
from tests.kit.person import Outcome, Person, PersonError
from tests.kit.reading import text_of

HOUSE = Texts()
RECEIPT = re.compile("^✅ ", re.MULTILINE)
"""The sign of what was confirmed, in a panel."""

INCIDENT = HOUSE.house("error.incident", incident="§").partition("§")[0][:40]
BLINK = 0.03
"""Seconds between two looks at a window."""

AGAIN = 1.5
"""Seconds after which who has spoken looks again, though the board says nothing new."""

PASSING = ("there is no button", "there is no select", "does not see this message", "no such control")
"""What a person reads who pressed what a newer message has just replaced."""


@dataclass(slots=True)
class Saying:
    """A sentence that somebody confirmed, and what became of it as far as they know."""

    match: str
    person: int
    text: str = field(repr=False)
    begun: float
    panel: Json = field(repr=False)
    confirm: str
    mark: int
    presses: list[str] = field(default_factory=list)
    told: float | None = None
    """When the answer that it is said was seen, on the clock of ``begun``."""


@dataclass(slots=True)
class Record:
    """What all have done so far."""

    sayings: list[Saying] = field(default_factory=list)
    leaving: dict[str, bool] = field(default_factory=dict)
    """The presses that resigned: whether the answer came."""
    unanswered: list[str] = field(default_factory=list)
    probes: int = 0
    """How often something was used that had been opened before a kill."""
    posting: set[asyncio.Task[Outcome]] = field(default_factory=set)
    before_confirm: Callable[[], object] | None = None
    """Called once when the next sentence is about to be confirmed."""

    def about_to_confirm(self) -> None:
        call, self.before_confirm = self.before_confirm, None
        if call is not None:
            call()


@dataclass(slots=True)
class Guest:
    """A person with a window."""

    window: Person
    eye: Eye
    dms: bool = False

    def __post_init__(self) -> None:
        known()[self.window.name] = self.window.id

    @property
    def id(self) -> int:
        return int(self.window.id)


def ack(saying: Saying, window: Person) -> bool:
    """Return whether the person has seen the answer that their sentence is said."""
    if saying.told is None:
        for event in window.received[saying.mark :]:
            if (
                event.t == "MESSAGE_UPDATE"
                and event.d["id"] == saying.panel["id"]
                and RECEIPT.search(text_of(event.d))
            ):
                saying.told = time.monotonic()
                return True
    return saying.told is not None


class Seat:
    """One person at one match. It outlives the kills; what it does is cancelled and begun again."""

    def __init__(self, guest: Guest, match: str, thread: str, record: Record, rng: Random) -> None:
        self.guest = guest
        self.match = match
        self.thread = thread
        self._record = record
        self._rng = rng
        self._player = Player(guest.window)
        self._modal: tuple[Json, Json] | None = None
        """A modal that is open, and the panel that it belongs to."""
        self._doubt: Saying | None = None

    async def play(self) -> None:
        """Say whatever is asked, until the match is over."""
        while True:
            board = self.guest.eye.board(self.thread)
            if board is not None and Button.REMATCH in board.buttons:
                return
            if board is not None and self.guest.window.id in asked(board.message):
                await self._tried(board)
            await asyncio.sleep(BLINK)

    async def _tried(self, board: Shown) -> None:
        """Take a turn; what came too late by a moment is tried again, what got no answer is noted."""
        try:
            await self._turn(board)
        except PersonError as error:
            if not any(text in str(error) for text in PASSING):
                self._record.unanswered.append(f"{self.guest.window.name} in {self.match}: {error}")
            return
        until = time.monotonic() + AGAIN
        before = (board.id, board.lines)
        while time.monotonic() < until:
            now = self.guest.eye.board(self.thread)
            if now is not None and (now.id, now.lines) != before:
                return
            await asyncio.sleep(BLINK)

    async def _turn(self, board: Shown) -> None:
        """Draft a sentence in a panel of one's own, and confirm it."""
        turn = pack(ButtonId(self.match, Button.TURN))
        outcome = await self.guest.window.press(board.message, turn)
        assert outcome.message is not None
        panel = self._player.panel = outcome.message
        if HOUSE.house("panel.not_asked") in text_of(panel):
            return
        for _ in range(STEPS):
            confirm = [place for place in places(panel) if place.action is Action.CONFIRM]
            ways = choices(panel)
            if confirm and (not ways or self._rng.random() < 0.5):
                await self._confirm(panel, confirm[0])
                return
            back = [(place, None) for place in places(panel) if place.action is Action.BACK]
            if not ways and not back:
                return
            place, values = self._rng.choice(ways or back)
            panel = await self._player.touch(place, values)
            if self._rng.random() < 0.05:
                await self._open_modal(panel)

    async def _open_modal(self, panel: Json) -> None:
        typing = [place for place in places(panel) if place.action is Action.TYPE]
        if typing:
            opened = (await self.guest.window.press(panel, id_in(panel, typing[0]))).modal
            self._modal = (opened, panel) if opened is not None else None

    async def _confirm(self, panel: Json, place: PanelId) -> None:
        window = self.guest.window
        custom_id, text = id_in(panel, place), await draft_behind(window, panel)
        if text is None:
            return
        self._doubt = Saying(
            self.match, self.guest.id, text, time.monotonic(), panel, custom_id, len(window.received)
        )
        self._record.sayings.append(self._doubt)
        self._record.about_to_confirm()
        await self._press(self._doubt)
        self._doubt = None

    async def _press(self, saying: Saying) -> None:
        """Press Confirm and wait for the panel's answer. However this ends, the press is written down."""
        window = self.guest.window
        mark = len(window.received)
        posting = asyncio.create_task(window.forge(saying.panel, saying.confirm, wait=False))
        self._record.posting.add(posting)
        posting.add_done_callback(self._record.posting.discard)
        posting.add_done_callback(lambda task: _note(task, saying.presses))
        made = await asyncio.shield(posting)
        await window.outcome(made.interaction_id, mark)
        self._player.panel = await window.updated(saying.panel, since=mark)
        ack(saying, window)

    # --- after a kill -----------------------------------------------------------------------------

    async def probe(self) -> None:
        """Use what was open when the bot was killed: everything must be answered."""
        panel, modal, doubt = self._player.panel, self._modal, self._doubt
        self._modal, self._doubt = None, None
        try:
            if doubt is not None:
                self._record.probes += 1
                await self._press(doubt)
            if modal is not None:
                await self._submit(*modal)
            elif panel is not None and doubt is None:
                await self._refresh(panel)
            await self._press_old_board()
        except PersonError as error:
            if not any(text in str(error) for text in PASSING):
                self._record.unanswered.append(f"{self.guest.window.name}, opened before: {error}")

    async def _submit(self, modal: Json, panel: Json) -> None:
        self._record.probes += 1
        mark = len(self.guest.window.received)
        await self.guest.window.modal(modal, {"text": "no sentence of this game"})
        self._player.panel = await self.guest.window.updated(panel, since=mark)
        if "⚠️" not in text_of(self._player.panel):
            self._record.unanswered.append("a modal from before the kill was not answered as it should be")

    async def _refresh(self, panel: Json) -> None:
        custom_id = id_in(panel, action(panel, Action.REFRESH))
        self._record.probes += 1
        mark = len(self.guest.window.received)
        await self.guest.window.forge(panel, custom_id)
        self._player.panel = await self.guest.window.updated(panel, since=mark)

    async def _press_old_board(self) -> None:
        """Press a button that an older board has lost meanwhile, as a window that is behind would."""
        boards = [each for each in self.guest.eye.messages(self.thread) if each.epoch is not None]
        if len(boards) > 1 and self._rng.random() < 0.3:
            self._record.probes += 1
            pressed = pack(ButtonId(self.match, Button.TURN))
            await self.guest.window.forge(boards[0].message, pressed)

    async def resign(self) -> None:
        """Give the match up, and wait for no answer."""
        window = self.guest.window
        try:
            question = (await window.command(self.thread, "resign")).message
            assert question is not None
            pressed = pack(ButtonId(self.match, Button.RESIGN))
            made = await window.press(question, pressed, wait=False)
        except (PersonError, AssertionError):
            return
        self._record.leaving[made.interaction_id] = False


def _note(task: asyncio.Task[Outcome], presses: list[str]) -> None:
    if not task.cancelled() and task.exception() is None:
        presses.append(task.result().interaction_id)
