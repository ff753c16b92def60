"""One run: a bot, people, moderators, faults and kills, and the findings at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

from bot.domain.tables import Status, TableInfo
from bot.store import BrokenRecord
from tests.kit.simulation.audit import audit
from tests.kit.simulation.database import Database
from tests.kit.simulation.discord import Discord
from tests.kit.simulation.faults import CALM
from tests.kit.simulation.findings import Finding
from tests.kit.simulation.gateway import Gateway
from tests.kit.simulation.house import House, close_house
from tests.kit.simulation.ledger import Ledger
from tests.kit.simulation.loop import BUSY, LIFE, SeededLoop
from tests.kit.simulation.messages import Channel, Message
from tests.kit.simulation.outlook import CALM_FOR, LONGEST, Outlook
from tests.kit.simulation.people import CHANNELS, NAMES, Player, Told
from tests.kit.simulation.plan import Plan
from tests.kit.simulation.processes import Processes
from tests.kit.simulation.recorder import Recorder
from tests.kit.simulation.weather import Moderator, Weather
from tests.kit.witness import Patience, Transcript, verdict

START = 1_790_000_000.0
"""The wall clock at the start of every run."""

MOST_STEPS = 1_000_000
"""Steps of the loop after which a run is given up: some of hours take 400,000."""

AWAKE = 60.0
"""Seconds without leaps after the machine's clock was set, so that the bot notices."""

NOTED = 3.0
"""Seconds after a leap for the bot's heartbeat, before which it is not killed."""

SLOW_DATABASE_S = 60.0
"""The total seconds for which a slow database may count as unavailable."""

LATE_ANSWER_S = 10.0
"""Seconds within which every commit is acknowledged, and its connection returned."""

MOST_CALMS = 20
"""The maximum waits for a time without expiring clocks, which a bot that enforces none may never reach."""


class World:
    """Everything in one run. Built and run by :func:`simulate`."""

    def __init__(self, seed: int, plan: Plan, database: Database) -> None:
        self.seed = seed
        self.plan = plan
        self.database = database
        self.random = Random(f"bauta {seed}")
        self.loop = SeededLoop(self.random, MOST_STEPS)  # type: ignore[abstract] # no sockets, no signals
        self.loop.is_polling = database.is_polled
        if database.is_polled:
            database.processes = self.plan.processes
        self.trace: list[str] = []
        self.tally = Counter[str]()
        """The number of each kind of fault."""
        self._awake_until = 0.0
        self._set_by = 0.0
        """Seconds by which the machine's clock has been set since the start."""
        self.ledger = Ledger(self.loop.time, self.wall, database)
        self.recorder = Recorder(self)
        self._outlook = Outlook(database.ask, self.wall)
        self.discord = Discord(self.loop, self.tell, self.others_wall)
        for channel in CHANNELS:
            self.discord.channels[channel] = Channel(channel)
        self.entropy = Random(f"entropy {seed}")
        self.has_trouble = True
        """Whether faults of the database and its processes are still injected."""
        self.gateway = Gateway(self)
        self.processes = Processes(self)
        self._patience = LONGEST
        self.players = [Player(self, number) for number in range(self.plan.people)]
        if self.plan.days:
            self.players.append(Player(self, len(NAMES) - 1, newcomer=True))
            self.loop.leap = self._leap
        self.tables: list[str] = []
        self.running: set[str] = set()
        self.told = Told()
        self.deleted: set[tuple[str, str]] = set()
        """By match and kind: deletions by moderators."""
        self.tables_gone: dict[int, str] = {}
        """The matches of deleted table messages, by message id."""
        self.findings: list[Finding] = []
        self.transcript: Transcript | None = None
        """The transcript that the witness has read."""
        self._requests = 900_000_000
        self._kills: list[int] = []
        self._mid_post = [self.random.randrange(14) for _ in range(self.plan.mid_post)]
        most = 4 * self.plan.acts
        self._after_commit = {self.random.randrange(1, most) for _ in range(self.plan.after_commit)}
        self._commits = 0
        self.discord.on_sent = self._on_sent
        self.discord.on_posted = self.ledger.posted
        self.discord.on_request = lambda *request: self.processes.on_request(LIFE.get(), *request)
        self.discord.on_refused = self._on_refused
        self._refused_edits: set[str] = set()

    def _on_refused(self, request: str) -> None:
        # Another process may have replaced the picture that an edit keeps: the edit is then tried once more.
        if self.plan.processes > 1 and request.startswith("PATCH") and request not in self._refused_edits:
            self._refused_edits.add(request)
            return
        self.found("refused", request)

    @property
    def life(self) -> int:
        """Return the life of the process that has the server."""
        return self.processes.lives[0]

    @property
    def house(self) -> House | None:
        """Return the bot in the process that has the server, if it serves."""
        return self.processes.house

    async def interaction(
        self, what: str, work: Callable[[House], Coroutine[Any, Any, Any]], *, lasts: bool = False
    ) -> Any:
        """Let the bot handle an interaction, and return its response: see :class:`Processes`."""
        return await self.processes.interaction(what, work, lasts=lasts)

    # --- clocks, trace ----------------------------------------------------------------------------

    def wall(self) -> float:
        """Return the machine's Unix time."""
        return START + self.loop.time() + self._set_by

    def others_wall(self) -> float:
        """Return the Unix time of clocks that are never set: Discord's and a database server's."""
        return START + self.loop.time()

    def set_clock(self, seconds: float) -> None:
        """Set the machine's clock forward, or back."""
        self.tell("machine", f"its clock is set by {seconds:.0f} s")
        self.tally["clock sets"] += 1
        self._set_by += seconds
        self._awake_until = self.loop.time() + AWAKE
        self.ledger.clock_is_set()

    def _leap(self, now: float) -> float | None:
        """Return until when an idle bot may sleep; ``None``: it is not idle."""
        is_due = bool(self._kills) and self.loop.steps >= self._kills[0]
        if self.loop.time() < self._awake_until or is_due or self.processes.asked:
            return None
        if self._is_waiting() or self._busy():
            return None
        wall = self.wall() + now - self.loop.time()
        found = self._outlook.next_after(wall)
        return None if found is None else now + found - wall

    def _is_waiting(self) -> bool:
        """Return whether a polling bot waits for a response, over which time must not leap."""
        asks = any(self.discord.asking[life] for life in self.processes.lives)
        return self.database.is_polled and (self.database.is_busy or asks)

    def tell(self, what: str, text: str) -> None:
        """Add a line to the trace."""
        self.trace.append(f"{self.loop.time():10.3f} {self.loop.steps:6d} life {LIFE.get()} {what} {text}")

    def new_request(self) -> int:
        """Return the id of a new interaction."""
        self._requests += 1
        return self._requests

    def found(self, kind: str, text: str) -> None:
        """Add a finding."""
        if self.over:
            return  # errors of killed tasks when they are dropped
        self.findings.append(Finding(kind, text))

    def note_table(self, table: TableInfo) -> None:
        """Note what people know about a table."""
        if table.id not in self.tables:
            self.tables.append(table.id)
        if table.status is Status.RUNNING:
            self.running.add(table.id)
            for player in self.players:
                if table.seat_of(player.person.id) is not None and table.id not in player.matches:
                    player.matches.append(table.id)

    # --- moderators -------------------------------------------------------------------------------

    def delete_message(self, message: Message) -> None:
        """Delete a message; the bot is not notified."""
        self.tell("moderator", f"deletes {message.kind or 'notice'} {message.id} of {message.match}")
        self.tally["deletions"] += 1
        self.deleted.add((message.match, message.kind))
        if message.kind == "table":
            self.tables_gone[message.id] = message.match
        self.discord.delete_message(message)

    def delete_thread(self, thread: Channel) -> None:
        """Delete a thread; the bot is notified if connected."""
        matches = {message.match for message in thread.messages.values()}
        # A thread has the id of the table's message from which it was started.
        matches |= {match for message, match in self.tables_gone.items() if message == thread.id}
        self.tell("moderator", f"deletes the thread {thread.id} of {sorted(matches)}")
        self.deleted |= {(match, "thread") for match in matches} | {(str(thread.id), "thread")}
        self.tally["deletions"] += 1
        event = {"id": str(thread.id), "guild_id": "10", "parent_id": str(thread.parent), "type": 11}
        self.discord.delete_thread(thread)
        if self.house is not None and self.random.random() < 0.4:
            self.gateway.go_away(0, self.random.random() * 10, resumes=False)
        self.gateway.tell(0, "THREAD_DELETE", event)

    # --- the course of a run ----------------------------------------------------------------------

    def play(self) -> None:
        """Play the run, and audit the result."""
        self.processes.start()
        self.discord.faults, self.loop.pauses = self.plan.faults, self.plan.pauses
        people = [self.loop.create_task(player.live(self.plan.acts)) for player in self.players]
        people.append(self.loop.create_task(Moderator(self).live(self.plan.deletions)))
        people.append(self.loop.create_task(Weather(self).live()))
        self.loop.on_written = self._committed
        self._kills = sorted(
            self.random.randrange(50, 400 + 250 * self.plan.acts) for _ in range(self.plan.kills)
        )
        self.loop.run_until(lambda: self._killed_when_due() and all(task.done() for task in people))
        for task in people:
            if (error := task.exception()) is not None:
                raise error
        self._let_time_pass()
        self.discord.faults = CALM
        self.has_trouble = False
        self.database.fail(is_failing=False)
        self._mid_post = []
        self._after_commit = set()
        self._settle()
        self._let_clocks_run_out()
        for match in sorted(self._to_look_after()):
            if self.house is not None:
                self.loop.call(self.life, self.house.client.worker.look_after, match)
        self._settle()
        self._audit()
        if self._restart(may_mend=bool(self.deleted)):
            self._restart(may_mend=False)
            self._audit()
        self._bear_witness()
        self._stop()
        self.processes.kill()

    def _committed(self) -> None:
        self.ledger.committed()
        self.recorder.committed()

    def _bear_witness(self) -> None:
        """Let the witness judge the run."""
        if self.house is None:
            return  # the failed start is a finding already
        kept: dict[tuple[str, int, str], Any] = {}

        async def ask() -> None:
            for player in self.players:
                kept.update(await self._kept(player.person.id))

        task = self.loop.create_task(ask(), context=self.loop.in_life(self.life))
        self.loop.run_until(task.done)
        task.result()
        # Writing for more than a few seconds is an outage, too: see `bot.clocks.outages`.
        patience = Patience(database_s=SLOW_DATABASE_S if self.plan.pauses is BUSY else 0.0)
        self.transcript = self.recorder.transcript(kept)
        for each in verdict(self.transcript, patience):
            self.findings.append(Finding(each.kind, each.text))

    async def _kept(self, person: int) -> dict[tuple[str, int, str], Any]:
        """Return a person's settings, and those of their matches."""
        house = self.house
        assert house is not None
        chosen = await house.services.settings.preferences(person)
        holiday, _ = await house.client.clocks.holidays.of(person)
        # A seat with a new holder is not muted any more.
        muted = self.ask_database(
            f"SELECT chair.match, muted FROM chair WHERE person = {person} AND NOT EXISTS (SELECT 1 FROM log"
            " WHERE log.match = chair.match AND log.seat = chair.seat AND kind = 'replace')"
        )
        return {
            **{("muted", person, match): bool(each) for match, each in muted},
            ("direct messages", person, ""): chosen.dms,
            ("reminders", person, ""): chosen.reminders.value,
            ("zone", person, ""): chosen.zone,
            ("quiet hours", person, ""): chosen.quiet,
            ("holiday", person, ""): holiday is not None,
        }

    def _stop(self) -> None:
        """Stop the bot like an operator; it must leave nothing open."""
        for life, house in self.processes.houses.items():
            self.tell("house", "is stopped")
            task = self.loop.create_task(close_house(house), context=self.loop.in_life(life))
            self.loop.run_until(task.done)
            task.result()
        # A unit whose commit is acknowledged only now returns its connection to a closed pool.
        late = self.loop.create_task(self.loop.rest(LATE_ANSWER_S))
        self.loop.run_until(late.done)
        if self.processes.houses and self.database.is_connected:
            self.found("left open", "connections to the database, after a stop")

    def _let_time_pass(self) -> None:
        """Let the bot restart, and let nobody act for a while."""
        if self.plan.days:
            rest = self.random.random() * 1.5 * self.plan.pace.allowance
            rest += max(0.0, self.processes.down_until - self.loop.time())
            task = self.loop.create_task(self.loop.rest(rest))
            self.loop.run_until(task.done)

    def _restart(self, *, may_mend: bool) -> bool:
        """Restart the bot without changes; return whether it has written anything.

        ``may_mend``: a bot that was away may learn of a deletion at its start, and repair it once.
        """
        self.processes.kill()
        before = len(self.discord.writes)
        self.processes.start()
        self._settle(at_least=40.0)
        writes = self.discord.writes[before:]
        if writes and not may_mend:
            posts = [each for each in writes if each.startswith("POST /channels")]
            text = f"{len(writes)} writes after a restart with nothing changed: {(posts or writes)[:4]}"
            self.found("restart posts" if posts else "restart edits", text)
        return bool(writes)

    def _to_look_after(self) -> set[str]:
        return {
            match for match in self.tables if any(match == gone for gone, _ in self.deleted)
        } | self._threadless()

    def _threadless(self) -> set[str]:
        threads = {gone for gone, kind in self.deleted if kind == "thread"}
        rows = self.ask_database("SELECT id, thread FROM match")
        return {match for match, thread in rows if str(thread) in threads}

    def _on_sent(self, number: int) -> None:
        if number in self._mid_post:
            self._kills.insert(0, self.loop.steps)

    def committed(self) -> None:
        """Cancel a request or kill the bot at random, before the commit is acknowledged."""
        self._commits += 1
        if self._commits in self._after_commit:
            self.tally["kills after a commit"] += 1
            self._kills.insert(0, self.loop.steps)
        if self.has_trouble and self.random.random() < self.plan.cancelled:
            self.processes.cancel_one()

    def _killed_when_due(self) -> bool:
        if not self._kills or self.loop.steps < self._kills[0]:
            return True
        if self.loop.time() < self.loop.landed_at + NOTED:
            return True
        self._kills.pop(0)
        if self.processes.is_whole() and self.processes.count > 1 and self.random.random() < 0.5:
            self.processes.lose(1, self.random.random() * 20)
        elif self.loop.time() >= self.processes.down_until:
            self.processes.kill_for(self.random.random() * self.random.choice(self.plan.down))
        return True

    def _settle(self, at_least: float = 3.0) -> None:
        """Run until the bot has been idle for a while, or report what keeps it busy."""
        begun = self.loop.time()

        async def watch() -> None:
            quiet_since = begun
            while self.loop.time() - quiet_since < at_least:
                await self.loop.rest(0.7)
                if self._busy():
                    quiet_since = self.loop.time()
                if self.loop.time() - begun > self._patience:
                    self.found("never idle", f"jobs: {self._outlook.jobs()[:5]}")
                    self._patience = 60.0  # find everything else without waiting as long again
                    return

        task = self.loop.create_task(watch())
        self.loop.run_until(task.done)
        task.result()

    def _let_clocks_run_out(self) -> None:
        """Continue to a time at which no clock expires during the check of screens."""
        for _ in range(MOST_CALMS):
            if not self._outlook.is_eventful():
                return
            task = self.loop.create_task(self.loop.rest(CALM_FOR))
            self.loop.run_until(task.done)
            self._settle()

    def _busy(self) -> bool:
        clients = [house.client for house in self.processes.houses.values()]
        # After an outage, a kind of requests that none is made of counts as failing for another minute.
        idle = all(client.worker.idle and client.clocks.outages.served() for client in clients)
        return not self.processes.is_whole() or not idle or bool(self._outlook.jobs())

    def ask_database(self, sql: str) -> list[tuple[Any, ...]]:
        """Return committed rows."""
        return self.database.ask(sql)

    over = False

    def _audit(self) -> None:
        """Compare what Discord shows with the committed data."""
        self.recorder.look()
        done: list[Finding] = []

        async def look() -> None:
            try:
                done.extend(await audit(self))
            except BrokenRecord as error:
                done.append(Finding("broken", str(error)))

        task = self.loop.create_task(look())
        self.loop.run_until(task.done)
        task.result()
        self.findings.extend(finding for finding in done if finding not in self.findings)

    def close(self) -> None:
        """Drop everything."""
        self.over = True
        self.loop.bury_all()
