"""A sandbox, the bot in a process of its own, and people who play by what their windows show."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from bot.domain.address import Address, PostgresqlAddress
from bot.pages.custom_ids import Action, Button, ButtonId, PanelId, pack, parse
from bot.pages.panel import TYPED
from bot.pages.texts import Texts
from engines.core.rng import Stream
from sandbox.server import Sandbox
from sandbox.validation.components import walk
from tests.e2e.adviser import Adviser
from tests.kit.components import button, field
from tests.kit.environment import environment
from tests.kit.nursery import Program
from tests.kit.openapi import openapi
from tests.kit.person import Outcome, Person, PersonError
from tests.kit.reading import text_of
from tests.kit.waiting import PATIENCE, eventually, until
from tests.kit.witness.journal import SETTLED
from tests.kit.witness.report import judge

Json = dict[str, Any]

TABLES = "games"
EPHEMERAL = 1 << 6
LAID_OUT = 1 << 15
WAITING = re.compile(r"^➡️ (.*)$", re.MULTILINE)
ASKED = re.compile(r"(?:^|, | and )(?:<@(\d+)>|([^,(<]+)) \(")
_EVERYBODY: dict[str, str] = {}
_WORLD: ContextVar[dict[str, str]] = ContextVar("world", default=_EVERYBODY)
WINDOWS = 0.2
"""How long a route's limit lasts, beside what bots commonly see: as many requests, and shorter waits."""

STEPS = 60
"""Touches after which a player who has not said anything yet gives up: far more than any turn takes."""


class Stage:
    """Everything that a match needs, as an asynchronous context manager. ``bot`` is killed at the end."""

    program: tuple[str, ...] = ()
    """What the interpreter runs in the place of this tree's bot."""

    def __init__(
        self,
        folder: Path,
        *,
        moves_clock: bool = False,
        address: Address | None = None,
        limit_windows: float = WINDOWS,
        **sandbox: Any,
    ) -> None:
        """``moves_clock``: the bot goes by the sandbox's clock. ``address``: of its database, elsewhere."""
        self.time_file = folder / "time" if moves_clock else None
        self.transcript = folder / "transcript"
        self.sandbox = Sandbox(
            page=False,
            openapi=openapi(),
            time_file=self.time_file,
            limit_windows=limit_windows,
            transcript=self.transcript,
            **sandbox,
        )
        self.address: Address = folder / "bauta.db" if address is None else address
        self.database = self.address if isinstance(self.address, Path) else folder / "bauta.db"
        self.log = folder / "bot.log"
        self.people: dict[str, Player] = {}
        self._bot: asyncio.subprocess.Process | Program | None = None
        self._killed = False
        self.judged: list[str] = []
        """What the witness has said, once it was asked."""

    async def __aenter__(self) -> Self:
        await self.sandbox.start()
        for name in ("Alba", "Bruno"):
            await self.player(name)
        await self.start_bot()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
        if error is not None:
            sys.stderr.write(self.logged()[-6_000:])

    async def close(self) -> None:
        """Kill the bot and close everything."""
        if self._bot is not None:
            self.kill_now()
            await self._bot.wait()
        for player in self.people.values():
            await player.window.close()
        await self.sandbox.stop()

    async def player(self, name: str) -> Player:
        """Return the player of that name, made where there is none."""
        if name not in self.people:
            known = name in ("Alba", "Bruno")
            make = Person.connect if known else Person.create
            self.people[name] = Player(await make(self.sandbox.entrance, name))
        return self.people[name]

    @property
    def pid(self) -> int:
        """Return the number of the bot's process; it must have been started."""
        assert self._bot is not None
        return self._bot.pid

    @property
    def alba(self) -> Player:
        return self.people["Alba"]

    @property
    def bruno(self) -> Player:
        return self.people["Bruno"]

    def environment(self) -> dict[str, str]:
        """Return the environment of a bot that talks to the sandbox."""
        time = {} if self.time_file is None else {"BAUTA_TIME_FILE": str(self.time_file)}
        return environment(
            DISCORD_TOKEN=self.sandbox.token,
            BAUTA_API_URL=self.sandbox.api,
            BAUTA_GATEWAY_URL=self.sandbox.gateway,
            BAUTA_DATABASE=written(self.address),
            **time,
        )

    async def launch_bot(self) -> None:
        """Start the bot's process and wait for nothing. It ends when this process does."""
        self._killed = False
        if not self.program:
            self._bot = Program(("serve", "--until-eof"), self.environment(), self.log, self.log)
            return
        with self.log.open("ab") as log:
            self._bot = await asyncio.create_subprocess_exec(
                sys.executable,
                *self.program,
                env=self.environment(),
                stdin=asyncio.subprocess.PIPE,
                stdout=log,
                stderr=log,
            )

    async def start_bot(self, patience: float = PATIENCE) -> None:
        """Start the bot and wait until it is online and its commands are there."""
        await self.launch_bot()
        await eventually(lambda: self.alba.window.bot.get("online") and self.alba.window.commands, patience)

    def kill_now(self) -> None:
        """Kill the bot as a power cut would, and wait for nothing."""
        assert self._bot is not None
        # A second signal to a process that is dying would take its return code from who waits for it.
        if self._bot.returncode is None and not self._killed:
            self._killed = True
            self._bot.kill()

    async def kill_bot(self) -> None:
        """Kill the bot, and wait until everybody sees that it is gone."""
        self.kill_now()
        assert self._bot is not None
        await self._bot.wait()
        await eventually(lambda: not self.alba.window.bot.get("online"))

    async def stop_bot(self) -> int:
        """Ask the bot to stop, and return its exit code."""
        assert self._bot is not None
        self._bot.terminate()
        return await asyncio.wait_for(self._bot.wait(), PATIENCE)

    async def all_is_shown(self) -> bool:
        """Return whether the bot has done whatever follows from what was said so far."""
        now = self.sandbox.state.clock.now()
        with closing(sqlite3.connect(self.database)) as connection:
            [(due,)] = connection.execute("SELECT count(*) FROM job WHERE due <= ?", (now,))
        return bool(due == 0)

    async def witness(self) -> list[str]:
        """Wait until all is shown, kill the bot, and return the witness's report; empty: it found nothing."""
        await until(self.all_is_shown)
        self.sandbox.mark(SETTLED)
        await self.kill_bot()
        findings, lines = await asyncio.to_thread(judge, self.database, self.transcript)
        self.judged = lines
        return lines if findings else []

    def logged(self) -> str:
        """Return what the bot has logged so far."""
        return self.log.read_text("utf-8", "replace")

    def said(self, path: str) -> list[Any]:
        """Return the bot's requests whose ``METHOD path`` fits a regular expression."""
        return [r for r in self.sandbox.requests if re.search(path, f"{r.method} {r.path}")]

    async def begin(self, game: str, **options: Any) -> str:
        """Let Alba open a table and Bruno join it; return the thread's id."""
        # Of the table before, Join may not have been taken away yet.
        latest = max(map(int, self.alba.window.seen), default=0)
        await self.alba.window.command(TABLES, f"play {game}", **options)
        table = await self.alba.table(after=latest)
        await self.bruno.window.press(await self.bruno.table(after=latest), "Join")
        await self.alba.start(table)
        await self.alba.board(table["id"])
        return str(table["id"])


class Player:
    """A person who reads the thread's board and plays by the components of the own panel."""

    def __init__(self, window: Person) -> None:
        self.window = window
        known()[window.name] = window.id
        self.panel: Json | None = None

    @property
    def id(self) -> str:
        return self.window.id

    async def table(self, channel: str = TABLES, *, after: int = 0) -> Json:
        """Return the newest open table in the channel, once there is one after a message's id."""

        def found() -> Json | None:
            table = self._newest(channel, Button.JOIN)
            return table if table is not None and int(table["id"]) > after else None

        return await eventually(found)

    async def start(self, table: Json) -> None:
        """Begin the match of a table as its host."""
        await self.window.press(table, press_id(table, Button.START))

    async def board(self, thread: str, fits: Callable[[Json], object] = lambda _: True) -> Json:
        """Return the newest board in a thread, once it fits."""

        def found() -> Json | None:
            board = self._newest(thread, Button.LOG)
            return board if board is not None and fits(board) else None

        return await eventually(found)

    def _newest(self, channel: str, button: Button) -> Json | None:
        place = self.window.channel_id(channel)
        found = [
            message
            for message in self.window.seen.values()
            if message["channel_id"] == place and not message["flags"] & EPHEMERAL and has(message, button)
        ]
        return max(found, key=lambda message: int(message["id"]), default=None)

    async def open(self, thread: str) -> Json:
        """Press the newest board's button and return the private panel."""
        outcome = await self.press(lambda: self.board(thread), Button.TURN)
        assert outcome.message is not None
        self.panel = outcome.message
        return outcome.message

    async def press(self, look: Callable[[], Awaitable[Json]], wanted: Button) -> Outcome:
        """Press a button of the message that ``look`` finds, or of its successor if that comes between."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await look()
                try:
                    return await self.window.press(message, press_id(message, wanted))
                except PersonError as error:
                    if "no such control" not in str(error):
                        raise

    async def touch(self, place: PanelId, values: list[str] | None = None) -> Json:
        """Press or choose one component of the panel, and return the panel as it is then."""
        assert self.panel is not None
        custom_id = id_in(self.panel, place)
        mark = len(self.window.received)
        if values is None:
            await self.window.press(self.panel, custom_id)
        else:
            await self.window.select(self.panel, custom_id, values)
        self.panel = await self.window.updated(self.panel, since=mark)
        return self.panel

    async def turn(self, thread: str, rng: Stream) -> bool:
        """Say one whole sentence, drawn from what the panel offers; ``False`` where nothing is asked."""
        panel = await self.open(thread)
        touches = 0
        while touches < STEPS:
            touches += 1
            confirm = [place for place in places(panel) if place.action is Action.CONFIRM]
            ways = choices(panel)
            if confirm and (not ways or rng.chance(1, 2)):
                await self.touch(confirm[0])
                return True
            if not ways:
                back = [place for place in places(panel) if place.action is Action.BACK]
                if not back:
                    return False
                panel = await self.touch(back[0])
                continue
            place, values = rng.choice(ways)
            panel = await self.touch(place, values)
        raise AssertionError(f"{self.window.name} has not come to an end in {STEPS} touches")


def written(address: Address) -> str:
    """Return an address as the environment has it."""
    return address.url if isinstance(address, PostgresqlAddress) else str(address)


def components_of(message: Json) -> list[Json]:
    """Return the controls of a message; what arrives in words first has none before it is laid out."""
    if not message.get("flags", LAID_OUT) & LAID_OUT:
        return []
    return [item for item in walk(message["components"]) if "custom_id" in item]


def has(message: Json, button: Button) -> bool:
    """Return whether a message has that button and is no panel: those have buttons of boards too."""
    found = [parse(item["custom_id"]) for item in components_of(message)]
    is_panel = any(isinstance(place, PanelId) for place in found)
    return not is_panel and any(isinstance(place, ButtonId) and place.button is button for place in found)


def press_id(message: Json, button: Button) -> str:
    """Return the custom id of a public button."""
    for item in components_of(message):
        place = parse(item["custom_id"])
        if isinstance(place, ButtonId) and place.button is button:
            return str(item["custom_id"])
    raise LookupError(button)


def places(panel: Json) -> list[PanelId]:
    """Return what the components of a panel are, in their order."""
    found = (parse(item["custom_id"]) for item in components_of(panel))
    return [place for place in found if isinstance(place, PanelId)]


def id_in(panel: Json, wanted: PanelId) -> str:
    return next(str(i["custom_id"]) for i in components_of(panel) if parse(i["custom_id"]) == wanted)


def action(panel: Json, wanted: Action) -> PanelId:
    """Return the first component of a panel with that action."""
    return next(place for place in places(panel) if place.action is wanted)


async def draft_behind(window: Person, panel: Json) -> str | None:
    """Return a panel's draft in notation, with which the modal of *Type…* is prefilled.

    The button need not be shown: a panel with a draft has it behind *More…*. ``None``: no modal came, as
    from a bot that has just started and loads the match first.
    """
    typing = replace(places(panel)[0], action=Action.TYPE, word="")
    modal = (await window.forge(panel, pack(typing))).modal
    return None if modal is None else str(field(modal, TYPED).get("value", ""))


BLUE = 1
"""The style of a button of what is chosen already."""


def choices(panel: Json) -> list[tuple[PanelId, list[str] | None]]:
    """Return every touch that leads to a word, or on the way to one."""
    found: list[tuple[PanelId, list[str] | None]] = []
    opened = {place.word for place in places(panel) if place.action is Action.PICK}
    for item in components_of(panel):
        place = parse(item["custom_id"])
        if not isinstance(place, PanelId):
            continue
        if place.action in (Action.WORD, Action.SHUFFLE):
            found.append((place, None))
        elif place.action is Action.GROUP and "options" not in item:
            if item["style"] != BLUE:
                found.append((place, None))
        elif place.action is Action.PICK or (place.action is Action.GROUP and place.word not in opened):
            # No client sends what it shows as chosen.
            found += [(place, [option["value"]]) for option in item["options"] if not option["default"]]
    return found


def known() -> dict[str, str]:
    """Return people's ids by their names: boards mention only who is newly asked, and name the others."""
    return _WORLD.get()


def know_nobody() -> None:
    """Begin to know people anew, in this task alone: another sandbox has others of the same names."""
    _WORLD.set({})


def asked(board: Json) -> list[str]:
    """Return the ids of who must act, as the board says it."""
    line = WAITING.search(text_of(board))
    found = ASKED.findall(line[1]) if line is not None else []
    return [person for person in (mentioned or known().get(name) for mentioned, name in found) if person]


def over(board: Json) -> bool:
    return has(board, Button.REMATCH)


async def play(
    stage: Stage,
    thread: str,
    rng: Stream,
    between: Callable[[int], Awaitable[object]] | None = None,
    sentences: int = 10_000,
) -> int:
    """Let both play by their windows until the match is over; return how many sentences were said.

    They stop before the next turn once they have said ``sentences``.
    """
    said, adviser = 0, Adviser(stage.database)
    players = {player.id: player for player in (stage.alba, stage.bruno)}
    while True:
        board = await stage.alba.board(thread)
        if over(board) or said >= sentences:
            return said
        before = adviser.public()
        turns = [players[person] for person in asked(board)]
        for player in turns:
            if between is not None:
                await between(said)
            said += await player.turn(thread, rng)
        # Some sentences are for nobody else to notice, such as a note.
        if turns and adviser.public() != before:
            await changed(stage.alba, thread, board)


async def resign(player: Player, thread: str) -> None:
    """Resign, and say that it is meant."""
    question = await player.window.command(thread, "resign")
    assert question.message is not None
    sure = button(question.message, Texts().house("resign.sure"))
    await player.window.press(question.message, sure["custom_id"])


async def leave(stage: Stage, thread: str) -> None:
    """Let as many resign as end the match: who stays alone has won, or goes on without the other."""
    adviser = Adviser(stage.database)
    for player in (stage.alba, stage.bruno):
        match = adviser.match()
        # The board may not show yet what the last sentence did: what is committed says whether it ended.
        if match.outcome is None:
            before = match.view(None)
            await resign(player, thread)
            await eventually(lambda: adviser.public() != before)  # noqa: B023
    await stage.alba.board(thread, over)


async def changed(player: Player, thread: str, old: Json) -> None:
    """Wait until the board is another one, or says something else."""
    before = (old["id"], text_of(old))
    await player.board(thread, lambda new: (new["id"], text_of(new)) != before)


async def no_finding(stage: Stage) -> None:
    """Have the witness judge all that has happened, which ends with it: the bot is killed."""
    assert not await stage.witness(), "\n".join(stage.judged)


def refused(outcome: Outcome) -> str:
    """Return the private text of an answer."""
    assert outcome.message is not None
    assert outcome.message["flags"] & EPHEMERAL
    return text_of(outcome.message)
