"""One round: a sandbox, a database, people at several tables, and kills until it is enough."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from bot.domain.address import Address
from bot.domain.tables import Status
from engines.core.registry import games
from tests.e2e.kills import books, secrets, truth
from tests.e2e.kills.books import Books
from tests.e2e.kills.people import INCIDENT, Guest, Record, ack
from tests.e2e.kills.points import POINTS
from tests.e2e.kills.tables import Chain
from tests.e2e.kills.truth import Truth
from tests.e2e.kills.windows import Eye
from tests.e2e.stage import TABLES, Stage, know_nobody
from tests.kit.waiting import PATIENCE, PAUSE, eventually

log = logging.getLogger(__name__)

NAMES = ("Alba", "Bruno", "Carla", "Dario")
READER = "Zeno"
"""Somebody who sits at no table and sees all that is public."""

CHAINS = 4
"""Tables at the same time, or one a game where there are more games."""

LATEST = PATIENCE
"""Seconds that a process has to be online, and as many more until everything has to be true again.

On a machine with nothing else to do, a few are enough.
"""

STARTING, RECOVERING, MIGRATING = "the bot is starting", "it is recovering", "the first migration"
MOST, UNDISTURBED = 4, 8.0
"""Sentences that are said at most before a kill is prepared, and the seconds that are left for them."""

MEANWHILE = 1.5
"""Seconds that people play on at most while the bot recovers, before anybody looks for the truth."""

AGAIN = 1.0
"""Seconds after which people who are to stop are told so again."""

OFTEN = 0.25
"""How often the bot is killed once more while it starts or recovers."""


@dataclass(slots=True)
class Report:
    """What a round, or several, came to."""

    kills: Counter[str] = field(default_factory=Counter)
    missed: int = 0
    """Kills whose moment had not come in time: they were kills at any moment."""
    matches: int = 0
    ended: int = 0
    said: int = 0
    acknowledged: int = 0
    doubtful: int = 0
    lost: int = 0
    doubled: int = 0
    lying: int = 0
    """Restarts after which something shown was not true in time."""
    secrets: int = 0
    canaries: int = 0
    probes: int = 0
    faults: list[str] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    """From the start of a process until everything was true, though people played on meanwhile."""

    def add(self, other: Report) -> None:
        """Take another report in."""
        self.kills += other.kills
        for name in ("missed", "matches", "ended", "said", "acknowledged", "doubtful", "lost", "doubled"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("lying", "secrets", "canaries", "probes"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.faults += other.faults
        self.seconds += other.seconds

    @property
    def clean(self) -> bool:
        """Return whether nothing is wrong."""
        return not (self.faults or self.lost or self.doubled or self.lying or self.secrets)


_ORPHAN = re.compile(
    r"Traceback \(most recent call last\):\n"
    r"  File \"<string>\", line 1, in <module>\n(?:  .*\n)*"
    r"EOFError: .*\n"
)
"""What a painting process says that was just beginning when the bot was killed: it gets no work."""


class Round:
    """Plays and kills. A round's seed says who does what when; how far each comes is the machine's."""

    def __init__(self, folder: Path, seed: int, kills: int, address: Address | None = None) -> None:
        self.stage = Stage(folder, address=address, limit_windows=1.0)
        self.sandbox = self.stage.sandbox
        self.record = Record()
        self.report = Report()
        self.rng = Random(seed)
        self.chains: list[Chain] = []
        self.places: dict[str, str] = {}
        self._seed = seed
        self._wanted = kills
        self._deck: list[str] = []
        self._guests: list[Guest] = []

    async def read(self) -> Books:
        """Read the database."""
        return await books.read(self.stage.address)

    async def run(self) -> Report:
        """Play the round; what is wrong stands in the report."""
        await self.sandbox.start()
        try:
            await self._begin()
            while self.report.kills.total() < self._wanted:
                await self._kill()
            await self._end()
        except Exception as error:  # whatever it is, the report says so, and the log where it came from
            self._fault(f"{type(error).__name__}: {error}")
            log.warning("seed %s broke off", self._seed, exc_info=True)
            raise
        finally:
            await self.stage.close()
        return self.report

    # --- the beginning ----------------------------------------------------------------------------

    async def _begin(self) -> None:
        reader = (await self.stage.player(READER)).window
        for name in NAMES:
            window = (await self.stage.player(name)).window
            self._guests.append(Guest(window, Eye(window)))
        tables = reader.channel_id(TABLES)
        self._truth = Truth(Eye(reader), tables, self._guests)
        direct: list[str] = []
        await self._migrations()
        await self.stage.start_bot(LATEST)
        for guest in self._guests[:2]:
            direct.append((await guest.window.dm())["id"])
            await guest.window.command(TABLES, "settings", dms="on")
            guest.dms = True
        self.places = {"TABLES": tables, "DIRECT": f"(?:{'|'.join(direct)})"}
        self.chains = list(self._seated())

    async def _migrations(self) -> None:
        """Kill the very first starts while the database is being made."""
        for _ in range(2):
            await self.stage.launch_bot()
            if isinstance(self.stage.address, Path):
                with contextlib.suppress(TimeoutError):
                    await eventually(self.stage.address.exists, 10.0)
            await asyncio.sleep(self.rng.uniform(0.0, 0.02))
            await self._killed(MIGRATING)

    def _seated(self) -> list[Chain]:
        """Return the chains: every game of the registry, and nobody hosts two chains of one game."""
        found: list[Chain] = []
        every = list(games().values())
        for game in every:
            free = self._guests.copy()
            self.rng.shuffle(free)
            for _ in range(max(1, CHAINS // len(every))):
                sizes = [size for size in game.manifest.seats if size <= len(free)]
                if sizes:
                    size = self.rng.choice(sizes)
                    found.append(Chain(game.manifest, free[:size], self.record, self.read, self.rng))
                    del free[:size]
        return found

    # --- kills ------------------------------------------------------------------------------------

    async def _kill(self) -> None:
        """Let the people play until the next point is reached, kill, start again, look."""
        if not self._deck:
            self._deck = list(POINTS)
            self.rng.shuffle(self._deck)
        name = self._deck.pop()
        async with self._playing():
            await self._some_sentences()
            self.report.missed += not await POINTS[name](self)
            self.stage.kill_now()
        await self._killed(name)
        await self._restart()

    async def _some_sentences(self) -> None:
        """Let the people say something first, so that there is something to lose."""
        wanted = len(self.record.sayings) + self.rng.randint(0, MOST)
        with contextlib.suppress(TimeoutError):
            await eventually(lambda: len(self.record.sayings) >= wanted, UNDISTURBED)

    @contextlib.asynccontextmanager
    async def _playing(self) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(chain.run()) for chain in self.chains]
        try:
            yield
        finally:
            for outcome in await ended(tasks):
                if isinstance(outcome, Exception):
                    self._fault(f"a chain broke: {outcome!r}")

    async def _restart(self) -> None:
        """Start the bot, which is killed once more now and then, until all that is shown is true.

        As soon as it is online people press what was open when it died, and play on while it recovers.
        """
        while self.rng.random() < OFTEN:
            await self.stage.launch_bot()
            await asyncio.sleep(self.rng.uniform(0.1, 1.5))
            await self._killed(STARTING)
        while self.rng.random() < OFTEN:
            await self.stage.start_bot(LATEST)
            async with self._playing():
                await asyncio.sleep(self.rng.uniform(0.0, 0.6))
                self.stage.kill_now()
            await self._killed(RECOVERING)
        begun = time.monotonic()
        await self.stage.start_bot(LATEST)
        await asyncio.gather(*(seat.probe() for chain in self.chains for seat in chain.seats))
        async with self._playing():
            await asyncio.sleep(self.rng.uniform(0.0, MEANWHILE))
        await self._true_again(begun)

    async def _killed(self, name: str) -> None:
        """Kill the bot, if it is not dead yet, and look at what it left behind."""
        await self.stage.kill_bot()
        self.sandbox.state.faults.clear()
        if self.record.posting:
            await asyncio.wait(set(self.record.posting), timeout=PATIENCE)
        self.report.kills[name] += 1
        for found in books.damage(self.stage.address):
            self._fault(f"the database after a kill ({name}): {found}")

    async def _true_again(self, begun: float) -> None:
        lies = ["nothing was looked at"]
        while time.monotonic() < begun + 2 * LATEST:
            before = await self.read()
            lies = self._truth.lies(before)
            if not lies:
                self.report.seconds.append(time.monotonic() - begun)
                return
            await asyncio.sleep(PAUSE)
        self.report.lying += 1
        for lie in lies:
            self._fault(f"after kill {self.report.kills.total()}: {lie}")

    def _fault(self, what: str) -> None:
        self.report.faults.append(f"seed {self._seed}: {what}")
        # A round goes on for long after it.
        log.warning("seed %s: %s", self._seed, what)

    # --- the end ----------------------------------------------------------------------------------

    async def _end(self) -> None:
        """Wait until all is shown, films too, and look through everything."""
        final = await self.read()
        for guest in self._guests:
            for saying in self.record.sayings:
                if saying.person == guest.id:
                    ack(saying, guest.window)
        self._judge(final)
        await self._films(final)
        await self._leaks(final)
        for violation in self.sandbox.violations:
            self._fault(f"{violation.kind} {violation.method} {violation.route}: {violation.text}")
        for text in self.record.unanswered:
            self._fault(f"not answered: {text}")
        if "Traceback" in _ORPHAN.sub("", self.stage.logged()):
            self._fault("the bot's log has a traceback")
        if isinstance(self.stage.address, Path):
            for line in await self.stage.witness():
                self._fault(line)

    def _judge(self, final: Books) -> None:
        result_lines = truth.judged(final, self.record)
        report = self.report
        report.matches = sum(1 for row in final.tables.values() if row.seed is not None)
        report.ended = sum(1 for row in final.tables.values() if row.info.status is Status.OVER)
        report.said = sum(len(log) for log in final.logs.values())
        report.acknowledged, report.doubtful = result_lines.acknowledged, result_lines.doubtful
        report.lost, report.doubled = result_lines.lost, result_lines.doubled
        report.probes = self.record.probes
        for fault in result_lines.faults:
            self._fault(fault)

    async def _films(self, final: Books) -> None:
        """Wait for the film of every match that is over."""

        def missing() -> list[str]:
            over = [row for row in final.tables.values() if row.info.status is Status.OVER]
            boards = ((row, self._guests[0].eye.board(str(row.info.thread_id))) for row in over)
            return [row.info.id for row, board in boards if board is None or len(board.alts) < 2]

        try:
            await eventually(lambda: not missing(), PATIENCE + 5.0 * self.report.ended)
        except TimeoutError:
            self._fault(f"no film of {missing()}")

    async def _leaks(self, final: Books) -> None:
        birds = secrets.canaries(final, self._truth.chronicles, self._guests)
        names = (*NAMES, READER)
        received = {int(self.stage.people[name].window.id): self.sandbox.audit(name) for name in names}
        leaks = await asyncio.to_thread(secrets.shown, birds, received, self.record)
        self.report.canaries, self.report.secrets = len(birds), len(leaks)
        for leak in leaks:
            self._fault(leak)
        if any(INCIDENT in str(entry.d) for entries in received.values() for entry in entries):
            self._fault("somebody was told that something went wrong")


async def ended(tasks: Sequence[asyncio.Task[None]]) -> list[BaseException | None]:
    """Cancel tasks until all have ended; return what came of them."""
    while True:
        for task in tasks:
            task.cancel()
        # Who meets an error of its own at that moment goes on, and is cancelled once more.
        _, going_on = await asyncio.wait(tasks, timeout=AGAIN)
        if not going_on:
            return await asyncio.gather(*tasks, return_exceptions=True)


async def play_round(folder: Path, seed: int, kills: int, address: Address | None = None) -> Report:
    """Play one round in a folder of its own and return its report, broken off or not.

    ``address``: of its database, elsewhere.
    """
    know_nobody()
    round_ = Round(folder, seed, kills, address)
    with contextlib.suppress(Exception):  # it stands in the report
        await round_.run()
    return round_.report
