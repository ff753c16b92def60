"""People's acts about time: reminders, holidays and motions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from random import Random
from typing import Any, Protocol

from bot.domain.clocks import Reminding
from bot.domain.match import MotionKind
from bot.domain.tables import Person
from tests.kit.simulation.discord import Discord
from tests.kit.simulation.house import House
from tests.kit.simulation.messages import Message

ZONES = ("Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland")
QUIET = ((22, 8), (22, 8), (0, 12), (9, 17))
MOTIONS = (MotionKind.PAUSE, MotionKind.PAUSE, MotionKind.UNDO, MotionKind.UNDO, MotionKind.ABANDON)


class Somebody(Protocol):
    """A person, as others know them."""

    person: Person


class Surroundings(Protocol):
    """What a person with habits needs of the world."""

    seed: int
    discord: Discord

    @property
    def players(self) -> Sequence[Somebody]: ...


class Actor(Somebody, Protocol):
    """A person with habits, who can send requests to the bot."""

    random: Random

    @property
    def world(self) -> Surroundings: ...

    async def ask(self, what: str, work: Callable[[House], Coroutine[Any, Any, Any]]) -> Any: ...

    async def once(self, what: str, work: Callable[[House, int], Coroutine[Any, Any, Any]]) -> Any: ...

    def sits_in(self, match: str) -> None: ...


class Habits:
    """The random habits of one player."""

    def __init__(self, player: Actor) -> None:
        self.player = player
        self.random: Random = player.random
        self._tries = Random(f"tries {player.world.seed} {player.person.id}")
        """A separate source of chance for shared decisions, so that runs without them are unchanged."""

    async def answer(self) -> bool:
        """Answer a question that mentions this person, or try to; return whether there was one."""
        if await self._try_seat():
            return True
        asked = [one for one in self._questions() if one.kind in ("motion", "seat offer")]
        if not asked or self.random.random() < 0.4:
            return False
        message = self.random.choice(asked)
        if message.kind == "seat offer":
            await self._answer_offer(message.match)
        else:
            await self._answer_motion(message.match)
        return True

    async def act(self, match: str) -> None:
        """Do something in a match, or for oneself."""
        acts: tuple[tuple[float, Callable[[str], Awaitable[None]]], ...] = (
            (0.14, self._remind), (0.30, self._hours), (0.36, self._mute), (0.46, self._holiday),
            (0.56, self._nudge), (0.64, self._grant), (0.80, self._propose), (0.84, self._answer_motion),
            (0.90, self._resume), (1.0, self._offer_seat),
        )  # fmt: skip
        chance = self.random.random()
        await next(act for up_to, act in acts if chance <= up_to)(match)

    def _questions(self) -> list[Message]:
        me = self.player.person.id
        found = self.player.world.discord.all_messages()
        return [one for one in found if one.custom_ids and me in one.pinged]

    # --- for oneself ------------------------------------------------------------------------------

    async def _remind(self, _: str) -> None:
        await self.choose_reminders(self.random)

    async def choose_reminders(self, chance: Random) -> None:
        """Choose reminders."""
        how = chance.choice(tuple(Reminding))
        await self.player.ask(
            f"is reminded by {how.value}",
            lambda house: house.services.settings.set_reminders(self.player.person, how),
        )

    async def _hours(self, _: str) -> None:
        zone, (begin, end) = self.random.choice(ZONES), self.random.choice(QUIET)
        none, me = self.random.random() < 0.2, self.player.person

        async def work(house: House) -> None:
            await house.services.settings.set_zone(me, zone)
            if none:
                await house.services.settings.set_quiet(me)
            else:
                await house.services.settings.set_quiet(me, begin, end)

        await self.player.ask(f"sets quiet hours {zone} {'none' if none else (begin, end)}", work)

    async def _mute(self, match: str) -> None:
        me = self.player.person
        await self.player.ask(f"mutes {match}", lambda house: house.client.clocks.reminders.mute(match, me))

    async def _holiday(self, _: str) -> None:
        me, begins = self.player.person, self.random.random() < 0.5

        async def work(house: House) -> None:
            holidays = house.client.clocks.holidays
            await (holidays.begin(me) if begins else holidays.end(me))

        await self.player.ask("goes on holiday" if begins else "comes back from holiday", work)

    # --- for a match ------------------------------------------------------------------------------

    async def _nudge(self, match: str) -> None:
        me = self.player.person
        await self._once(
            f"nudges in {match}",
            lambda house, request: house.client.clocks.reminders.nudge(match, me, request),
        )

    async def _grant(self, match: str) -> None:
        me = self.player.person
        await self._once(
            f"grants time in {match}", lambda house, request: house.services.motions.grant(match, me, request)
        )

    async def take_back(self, match: str) -> None:
        """Propose to take the last turn back."""
        await self._propose_kind(match, MotionKind.UNDO)

    async def _propose(self, match: str) -> None:
        await self._propose_kind(match, self.random.choice(MOTIONS))

    async def _propose_kind(self, match: str, kind: MotionKind) -> None:
        me = self.player.person
        await self._once(
            f"proposes {kind.value} in {match}",
            lambda house, request: house.services.motions.propose(match, me, kind, request),
        )

    async def _answer_motion(self, match: str) -> None:
        me, agrees = self.player.person, self.random.random() < 0.8
        await self._once(
            f"{'agrees' if agrees else 'objects'} in {match}",
            lambda house, request: house.services.motions.answer(match, me, request, agrees=agrees),
        )

    async def _resume(self, match: str) -> None:
        me = self.player.person
        await self._once(
            f"ends the pause of {match}",
            lambda house, request: house.services.motions.resume(match, me, request),
        )

    async def _offer_seat(self, match: str) -> None:
        world, me = self.player.world, self.player.person
        to = world.players[-1] if self.random.random() < 0.8 else self.random.choice(world.players)
        await self._once(
            f"offers a seat of {match} to {to.person.name}",
            lambda house, request: house.services.motions.offer_seat(match, me, to.person, request),
        )

    async def _answer_offer(self, match: str) -> None:
        me = self.player.person
        if self.random.random() < 0.2:
            await self._once(
                f"wants no seat of {match}",
                lambda house, request: house.services.motions.refuse_seat(match, me, request),
            )
            return
        await self._once(
            f"takes a seat of {match}",
            lambda house, request: house.services.motions.take_seat(match, me, request),
        )
        self.player.sits_in(match)

    async def _try_seat(self) -> bool:
        """Press *Take the seat* of another's offer now and then; return whether that was all."""
        me, found = self.player.person, self.player.world.discord.all_messages()
        offers = [one for one in found if one.kind == "seat offer" and one.custom_ids]
        others = [one.match for one in offers if me.id not in one.pinged]
        if not others or self._tries.random() < 0.5:
            return False
        match = self._tries.choice(others)
        await self._once(
            f"takes a seat of {match} that is offered to somebody else",
            lambda house, request: house.services.motions.take_seat(match, me, request),
        )
        self.player.sits_in(match)
        return True

    async def _once(self, what: str, work: Callable[[House, int], Coroutine[Any, Any, Any]]) -> None:
        async def done(house: House, request: int) -> bool:
            await work(house, request)
            return True

        await self.player.once(what, done)
