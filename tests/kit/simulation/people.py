"""People and moderators: their random acts, and the bot's acknowledgements."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

import discord

from bot.domain.clocks import Pace, TimeUp
from bot.domain.match import Click, Panel, Receipt, StalePanel
from bot.domain.refusals import Refusal
from bot.domain.tables import Person, Place, Status, TableInfo
from bot.pages.custom_ids import Action, Button, ButtonId, PanelId, parse
from tests.kit.services import COMPUTER
from tests.kit.simulation.discord import GUILD, Discord
from tests.kit.simulation.habits import Habits
from tests.kit.simulation.house import House
from tests.kit.simulation.loop import SeededLoop
from tests.kit.simulation.messages import Message
from tests.kit.simulation.plan import Plan
from tests.kit.unconnected import state_of

CHANNELS = (2, 3)
TWO_CHOICES = 0.3
"""The probability of two simultaneous choices in two windows."""

NAMES = ("Anna", "Ben", "Clara", "Dora", "Frida", "Georg", "Emil")


class NoAnswer(Exception):  # noqa: N818 - what a person sees
    """The bot did not respond, so the outcome of the click is unknown."""


@dataclass(slots=True)
class Told:
    """Acknowledgements on which people may rely."""

    rows: dict[tuple[str, int, int], tuple[str, ...]] = field(default_factory=dict)
    """By match, person and draft revision: the confirmed words."""
    tried: dict[tuple[str, int, int], set[str]] = field(default_factory=dict)
    """By the same: the requests that tried to confirm them."""
    seated: dict[tuple[str, int], bool] = field(default_factory=dict)
    """By table and person: the last acknowledgement; absent: unknown."""
    opened: set[str] = field(default_factory=set)
    resigned: set[tuple[str, int]] = field(default_factory=set)
    dms: dict[int, bool] = field(default_factory=dict)


class Stage(Protocol):
    """What people need of the world."""

    seed: int
    loop: SeededLoop
    random: Random
    plan: Plan
    discord: Discord
    players: list[Player]
    tables: list[str]
    running: set[str]
    told: Told
    deleted: set[tuple[str, str]]

    def found(self, kind: str, text: str) -> None: ...

    def new_request(self) -> int: ...

    def note_table(self, table: TableInfo) -> None: ...

    async def interaction(
        self, what: str, work: Callable[[House], Coroutine[Any, Any, Any]], *, lasts: bool = False
    ) -> Any: ...


class Player:
    """A person who plays at random, and knows only what the bot said."""

    def __init__(self, world: Stage, number: int, *, newcomer: bool = False) -> None:
        self.world = world
        self.random = world.random
        self.person = Person(700_000_000_000_000_000 + number, NAMES[number])
        self.matches: list[str] = []
        self._newcomer = newcomer
        """Whether the person joins no tables, but takes offered seats."""
        self._habits = Habits(self)
        self._reads = Random(f"reads {world.seed} {number}")
        """Decides about reading alone."""
        self._seats = Random(f"seats {world.seed} {number}")
        """A separate source of chance for seats, so that runs without such acts are unchanged."""

    async def live(self, acts: int) -> None:
        """Do a number of random acts."""
        if self._seats.random() < self.world.plan.by_message:
            await self._asked_for_messages()
        for number in range(acts):
            chance = self.random.random()
            usual = chance * (0.3 if chance < 0.6 else 3.0 if chance < 0.95 else 40.0)
            await self.world.loop.rest(usual * self.world.plan.haste)
            if self.world.plan.beat:
                await self.world.loop.rest_until_beat(self.world.plan.beat)
            # At first all people are present, or no match would ever start.
            if self.world.plan.days and number > acts // 3 and self.random.random() < 0.4:
                await self.world.loop.rest(self.random.random() * 0.4 * self.world.plan.pace.allowance)
            if self.timed and self.random.random() < (
                0.2 if self.world.plan.days and number > acts // 3 else 0.1
            ):
                await self.world.loop.rest(self.random.uniform(0.5, 1.6) * self.world.plan.pace.allowance)
            if self.person.id in self.world.discord.members.gone:
                continue
            try:
                await self._act()
                if self._reads.random() < self.world.plan.reading:
                    await self._read()
            except (NoAnswer, Refusal):
                await self.world.loop.rest(self.random.random() * 3)
        if self._seats.random() < self.world.plan.resigning:
            await self._resign_all()

    async def _read(self) -> None:
        """Read one's list of matches, or the log of a match, perhaps one of others."""
        begun = [each for each in self.world.tables if each in self.world.running or each in self.matches]
        if not begun or self._reads.random() < 0.5:
            await self.ask("reads the list", lambda house: house.read_list(self.person))
            return
        match = self._reads.choice(begun)
        await self.ask(f"reads the log of {match}", lambda house: house.read_log(match, self.person))

    async def _resign_all(self) -> None:
        for match in [each for each in self.matches if each in self.world.running]:
            with suppress(NoAnswer, Refusal):
                await self._give_up(match)

    @property
    def timed(self) -> bool:
        """Return whether the tables of this run have clocks."""
        return self.world.plan.pace is not Pace.NONE

    async def _act(self) -> None:
        world, chance = self.world, self.random.random()
        if world.plan.days and await self._keep_time():
            return
        if world.plan.resizing and world.tables and self._seats.random() < 0.2:
            await self._resize(self._seats.choice(world.tables))
            return
        if self.timed and self.matches and self.random.random() < 0.25:
            await self._settle_absence(self.random.choice(self.matches))
            return
        running = [match for match in self.matches if match in world.running]
        if not world.tables or (len(world.tables) < world.plan.tables and chance < 0.3):
            await self._open()
        elif running and chance < 0.85:
            await self._play(self.random.choice(running))
        else:
            await self._aside(self.random.choice(world.tables), self.random.random())

    async def _keep_time(self) -> bool:
        """Do something about time; return whether that was the whole act."""
        if await self._habits.answer():
            return True
        running = [match for match in self.matches if match in self.world.running]
        if running and self.random.random() < 0.4:
            await self._habits.act(self.random.choice(running))
            return True
        return self._newcomer and not self.matches

    def sits_in(self, match: str) -> None:
        """Note that this person's seat was acknowledged."""
        self.world.told.seated[match, self.person.id] = True
        if match not in self.matches:
            self.matches.append(match)

    async def _aside(self, table: str, chance: float) -> None:
        lobby = (
            (0.40, self._join), (0.46, self._leave), (0.56, self._computer), (0.68, self.start),
            (0.72, self._resign), (0.78, self._draw), (0.88, self._dms), (0.94, self._rematch),
            (1.0, self._look),
        )  # fmt: skip
        await next(act for up_to, act in lobby if chance <= up_to)(table)

    # --- requests to the bot ----------------------------------------------------------------------

    async def ask(
        self, what: str, work: Callable[[House], Coroutine[Any, Any, Any]], *, lasts: bool = False
    ) -> Any:
        """Return the bot's response; raises ``Refusal`` and :class:`NoAnswer`.

        ``lasts``: the request may reach the bot long after the person has stopped waiting.
        """
        return await self.world.interaction(f"{self.person.name} {what}", work, lasts=lasts)

    async def once(self, what: str, work: Callable[[House, int], Coroutine[Any, Any, Any]]) -> Any:
        """Press something; Discord may deliver the click twice, and the person may press again."""
        request = self.world.new_request()
        if self.random.random() < self.world.plan.doubles:
            both = (self.ask(what, lambda house: work(house, request)) for _ in range(2))
            found = await asyncio.gather(*both, return_exceptions=True)
            return next((one for one in found if not isinstance(one, BaseException)), None) or _raised(found)
        try:
            return await self.ask(what, lambda house: work(house, request))
        except NoAnswer:
            if self.random.random() < 0.4:
                raise
            await self.world.loop.rest(self.random.random() * 5)
            if self.random.random() < 0.5:
                request = self.world.new_request()
            return await self.ask(f"{what} again", lambda house: work(house, request))

    # --- tables -----------------------------------------------------------------------------------

    async def _open(self) -> None:
        world = self.world
        key, options, size = self.random.choice(world.plan.games)
        seats = None if world.plan.resizing else size
        place = Place(GUILD, self.random.choice(CHANNELS))
        others = [one.person for one in world.players if one is not self]
        invited = self.random.sample(others, 1) if others and self.random.random() < 0.2 else ()
        computers = 1 if self.random.random() < 0.25 else 0
        timed: dict[str, Any] = {}
        if self.timed:
            timed = {"pace": world.plan.pace, "time_up": self.random.choice((TimeUp.PASS, TimeUp.COMPUTER))}
        table: TableInfo = await self.once(
            f"opens a table of {key}",
            lambda house, request: house.services.lobby.open(
                key,
                options,
                seats,
                self.person,
                place,
                request,
                invited=invited,
                computers=COMPUTER * computers,
                **timed,
            ),
        )
        world.told.opened.add(table.id)
        self._seat(table, told=True)
        await self._filled(table)

    def _seat(self, table: TableInfo, *, told: bool) -> None:
        world = self.world
        world.note_table(table)
        seat = (table.id, self.person.id)
        world.told.seated[seat] = told
        if told and table.id not in self.matches:
            self.matches.append(table.id)

    async def _join(self, table: str) -> None:
        self.world.told.seated.pop((table, self.person.id), None)
        joined = await self._lobby_act("joins", table, "join")
        self._seat(joined, told=True)
        self._has_seen_hash(joined)
        await self._filled(joined)

    def _has_seen_hash(self, table: TableInfo) -> None:
        """Report a Join that counted before the table's hash was posted."""
        world = self.world
        posted = any(one.match == table.commitment for one in world.discord.all_messages())
        if not posted and (table.commitment, "hash") not in world.deleted:
            world.found("early join", f"{self.person.name} has joined {table.id} before its hash was posted")

    async def _filled(self, table: TableInfo) -> None:
        """Usually let the host of a full table press Start, if there is a button."""
        world = self.world
        host = next((one for one in world.players if one.person.id == table.host.id), None)
        if host is None or table.status is not Status.OPEN or not table.full or self.random.random() < 0.1:
            return
        for _ in range(20):
            await world.loop.rest(self.random.random())
            if any(one.kind == "table" and one.match == table.id for one in world.discord.all_messages()):
                await host.start(table.id)
                return

    async def _leave(self, table: str) -> None:
        known = self.world.told.seated.pop((table, self.person.id), None)
        if known is None or table in self.world.running:
            return
        self._seat(await self._lobby_act("leaves", table, "leave"), told=False)

    def _lobby_act(self, what: str, table: str, name: str) -> Awaitable[TableInfo]:
        return self.once(
            f"{what} {table}",
            lambda house, request: getattr(house.services.lobby, name)(table, self.person, request),
        )

    async def _computer(self, table: str) -> None:
        found = await self._lobby_act("adds a computer to", table, "add_computer")
        self.world.note_table(found)
        await self._filled(found)

    async def _resize(self, table: str) -> None:
        """Press a button of the table's messages for one more or one fewer seat."""
        found = [
            place
            for message in self.world.discord.all_messages()
            for place in map(parse, message.custom_ids)
            if isinstance(place, ButtonId) and place.match == table and place.number is not None
        ]
        acts = {Button.ADD_SEAT: "add_seat", Button.REMOVE_SEAT: "remove_seat"}
        ways = [(acts[place.button], place.number) for place in found if place.button in acts]
        if not ways:
            return
        act, seats = self._seats.choice(ways)
        changed: TableInfo = await self.once(
            f"presses {act} {seats} at {table}",
            lambda house, request: getattr(house.services.lobby, act)(table, self.person, request, seats),
        )
        self.world.note_table(changed)
        await self._filled(changed)

    async def start(self, table: str) -> None:
        self.world.note_table(await self._lobby_act("starts", table, "start"))

    async def _rematch(self, table: str) -> None:
        place = Place(GUILD, CHANNELS[0])
        if len(self.world.tables) > self.world.plan.tables + 2:
            return
        found: TableInfo = await self.once(
            f"wants a rematch of {table}",
            lambda house, request: house.services.lobby.rematch(table, self.person, request, place),
        )
        self._seat(found, told=True)
        await self._filled(found)

    async def _asked_for_messages(self) -> None:
        with suppress(NoAnswer, Refusal):
            await self._set_dms(wanted=True)

    async def _dms(self, _: str) -> None:
        choices = [self._set_dms(wanted=self.random.random() < 0.8)]
        if self._seats.random() < TWO_CHOICES:
            choices.append(self._habits.choose_reminders(self._seats))
        done = await asyncio.gather(*choices, return_exceptions=True)
        if (error := next((each for each in done if each is not None), None)) is not None:
            raise error

    async def _set_dms(self, *, wanted: bool) -> None:
        self.world.told.dms.pop(self.person.id, None)
        await self.ask(
            f"sets direct messages {wanted}",
            lambda house: house.services.settings.set_dms(self.person, wanted),
        )
        self.world.told.dms[self.person.id] = wanted

    async def _look(self, table: str) -> None:
        """Use /turn, which restores a deleted board."""

        async def look(house: House) -> None:
            house.client.worker.look_after(table)

        await self.ask(f"looks for {table}", look)

    # --- in a match -------------------------------------------------------------------------------

    async def _play(self, match: str) -> None:
        pressed = self._pressable(match)
        if pressed and self.random.random() < 0.7:
            confirms = [each for each in pressed if each[1].split(":")[4] == Action.CONFIRM.value]
            chosen = self.random.choice(pressed)
            await self._press(*(self._reads.choice([chosen, *confirms[:1]])))
            return
        panel: Panel = await self.ask("looks", lambda house: house.services.drafts.panel(match, self.person))
        for _ in range(6):
            if panel.outcome is not None or panel.table.status is Status.CLOSED:
                self.world.running.discard(match)
                return
            menu = panel.menu
            if menu is None or (not panel.asked and self.random.random() < 0.7):
                return
            if menu.complete and (not menu.fields or self.random.random() < 0.7):
                await self._confirm(match, panel)
                return
            panel = await self._choose(match, panel)

    async def _choose(self, match: str, panel: Panel) -> Panel:
        menu, me = panel.menu, self.person
        assert menu is not None
        click, part = Click(match, panel.revision), None
        if menu.fields and self.random.random() > 0.04:
            part = self.random.choice(menu.fields)
        word = self.random.choice(part.choices).word if part is not None and part.choices else ""

        def work(house: House) -> Coroutine[Any, Any, Panel]:
            drafts = house.services.drafts
            if part is None:
                return drafts.back(click, me)
            return drafts.shuffle(click, me, part.key) if part.shuffle else drafts.choose(click, me, word)

        chosen: Panel = await self.ask(f"chooses in {match}", work)
        return chosen

    async def _confirm(self, match: str, panel: Panel) -> None:
        told, click = self.world.told, Click(match, panel.revision)
        key = (match, self.person.id, panel.revision)
        tried = told.tried.setdefault(key, set())

        def work(house: House, request: int) -> Coroutine[Any, Any, Receipt]:
            tried.add(str(request))
            return house.services.actions.confirm(click, self.person, request)

        try:
            receipt: Receipt = await self.once(f"confirms in {match}", work)
        except StalePanel:
            return
        told.rows[key] = receipt.words
        if self._seats.random() < self.world.plan.takebacks:
            await self._habits.take_back(match)

    async def _resign(self, match: str) -> None:
        if self.random.random() >= 0.6:
            await self._give_up(match)

    async def _give_up(self, match: str) -> None:
        await self.once(
            f"resigns {match}",
            lambda house, request: house.services.actions.resign(match, self.person, request),
        )
        self.world.told.resigned.add((match, self.person.id))

    async def _draw(self, match: str) -> None:
        act = self.random.choice(("offer_draw", "offer_draw", "decline_draw"))
        await self.once(
            f"{act} in {match}",
            lambda house, request: getattr(house.services.actions, act)(match, self.person, request),
        )

    async def _settle_absence(self, match: str) -> None:
        act = self.random.choice(("come_back", "wait_longer", "let_computer_play", "claim"))

        async def work(house: House, request: int) -> bool:
            await getattr(house.client.clocks.absences, act)(match, self.person, request)
            return True

        await self.once(f"{act} in {match}", work)

    # --- in direct messages -----------------------------------------------------------------------

    def _pressable(self, match: str) -> list[tuple[Message, str, tuple[str, ...]]]:
        place = self.world.discord.dm_of(self.person.id)
        found = []
        for message in place.messages.values() if place is not None else ():
            if message.match != match:
                continue
            for item in message.parts():
                custom_id = str(item.get("custom_id"))
                # Skip links, placeholders, and buttons that open a modal.
                control = parse(custom_id)
                if not isinstance(control, PanelId) or control.action in (Action.NONE, Action.TYPE):
                    continue
                values = tuple(option["value"] for option in item.get("options", ()))
                found.append((message, custom_id, values))
        return found

    async def _press(self, message: Message, custom_id: str, values: tuple[str, ...]) -> None:
        """Press or choose in a direct message, through the router like an event of the gateway."""
        chosen = (self.random.choice(values),) if values else ()
        click = self.world.discord.press(self.person.id, message, custom_id, chosen)

        async def work(house: House) -> None:
            interaction: Any = discord.Interaction(data=click.event, state=state_of(house.client))  # type: ignore[arg-type]
            await house.client.on_interaction(interaction)

        kind = custom_id.split(":")[4]
        await self.ask(f"presses {kind} of {message.match} in a direct message", work, lasts=True)


def _raised(found: list[Any]) -> Any:
    raise next(one for one in found if isinstance(one, BaseException))
