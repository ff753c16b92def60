"""One person who does all that can be done a hundred times: for :mod:`bench.load` and :mod:`bench.spam`."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from bot.domain.tables import Person, Place
from bot.matches.limits import NO_LIMITS
from bot.matches.table_cache import TableCache
from bot.pages.custom_ids import HOUSE, Action, Button, ButtonId, PanelId, pack, parse
from bot.store import open_store
from engines.core.registry import games
from sandbox import user_actions
from sandbox.errors import InputError
from sandbox.model import Channel, Message, User
from sandbox.server import Sandbox
from sandbox.validation import components
from tests.kit.services import COMPUTER
from tests.kit.tables import open_table
from tests.kit.thinking_here import services_over

TABLES = 120
"""Tables that the person has opened before the bot starts; half have begun, against computer players."""

FOREIGN_TABLES = 30
"""Tables that others have opened, and at which the person sits down and gets up."""

PAUSE_S = 0.05
"""Seconds between two things that the person does."""

TEXT_INPUT = 4
"""The type of the component in which a modal's text is typed."""

SEEN = 12
"""Messages of a channel's end in which the person looks for something to press."""

FORGED = [button for button in Button if button is not Button.DELETE_ALL]
"""Buttons that are pressed whether a message shows them or not. Deleted data would end the matches."""

OF_TABLES = (Button.JOIN, Button.RULES)
"""Buttons by which a table is known."""

Act: TypeAlias = Callable[["Spammer"], Awaitable[None]]


class Spammer:
    """One person who wants everything, in channels of their own; ``kinds``: of what, all if left out."""

    def __init__(
        self,
        sandbox: Sandbox,
        person: User,
        victim: User,
        others: Sequence[User],
        places: Sequence[Channel],
        rng: Random,
        kinds: Sequence[str] = (),
    ) -> None:
        self._state = sandbox.state
        self._person = person
        self._victim = victim
        self._others = others
        self._channels = places
        self._rng = rng
        self._matches: list[str] = []
        self._foreign: list[str] = []
        self._kinds = list(kinds or KINDS)
        self.asked: Counter[str] = Counter()
        """How often each kind was done."""

    async def open_tables(self, database: Path) -> None:
        """Fill a database with their tables, and with some of others, before anybody limits them."""
        store = await open_store(database)
        services = services_over(TableCache(store, wake=lambda: None), limits=NO_LIMITS)
        host = Person(self._person.id, self._person.name)
        place = Place(self._channels[0].guild_id or 0, self._channels[0].id)
        requests, known = (f"spam{number}" for number in count()), list(games().values())
        for number in range(TABLES):
            game = known[number % len(known)].manifest
            seats = min(size for size in game.seats if size > 1)
            computers = seats - 1 if number % 2 else 0
            info = await open_table(
                services, game.key, {}, seats, host, place, next(requests), computers=COMPUTER * computers
            )
            self._matches.append(info.id)
        for number in range(FOREIGN_TABLES):
            other = self._others[number % len(self._others)]
            info = await services.lobby.open(
                "corto", {}, None, Person(other.id, other.name), place, next(requests)
            )
            self._foreign.append(info.id)
        await store.close()

    async def go_on(self) -> None:
        """Do something else again and again, until cancelled."""
        async with asyncio.TaskGroup() as group:
            while True:
                kind = self._rng.choice(self._kinds)
                self.asked[kind] += 1
                group.create_task(self._do(kind))
                await asyncio.sleep(PAUSE_S)

    async def _do(self, kind: str) -> None:
        with suppress(InputError):  # such as a button that has gone
            await KINDS[kind](self)

    # --- what is done -----------------------------------------------------------------------------

    async def play(self) -> None:
        """Open a table: alone, with a computer player, or with an invitation."""
        game = self._rng.choice(list(games().values())).manifest
        options: dict[str, Any] = self._rng.choice(({}, {"computers": 1}, {"opponent": str(self._victim.id)}))
        self._command(f"play {game.key}", options, self._channels[0])

    async def press(self) -> None:
        """Press or choose anything that stands in front of them, and submit what opens."""
        message = self._message(lambda _: True)
        if message is None:
            return
        shown = [item for item in components.walk(message.components) if item.get("custom_id")]
        item = self._rng.choice(shown)
        if item["type"] != components.BUTTON:
            offered = [option["value"] for option in item.get("options", ())]
            if offered:
                chosen = [self._rng.choice(offered)]
                user_actions.select(self._state, self._person, message.id, item["custom_id"], chosen)
            return
        act = user_actions.press(self._state, self._person, message.id, item["custom_id"])
        await act.settled.wait()
        if (form := self._state.records.modals.get(act.id)) is not None:
            inputs = [each for each in components.walk(form["components"]) if each["type"] == TEXT_INPUT]
            fields = [each["custom_id"] for each in inputs]
            user_actions.modal(self._state, self._person, act.id, dict.fromkeys(fields, "c4"))

    async def forge(self) -> None:
        """Press any button of the bot's on any of their matches, whether a message shows it or not."""
        message = self._message(lambda _: True)
        if message is None:
            return
        about = self._rng.choice([self._match(), self._match(), HOUSE, self._rng.choice(list(games()))])
        number = self._rng.choice((None, 0, 1))
        custom_id = pack(ButtonId(about, self._rng.choice(FORGED), number))
        user_actions.forge(self._state, self._person, message.id, custom_id, components.BUTTON, None)

    async def look(self) -> None:
        """Ask for pictures."""
        self._command(self._rng.choice(("board", "hand", "log", "turn")), {}, self._thread())

    async def look_back(self) -> None:
        """Step back in a match, and ask for turning points."""
        await self._forged(self._rng.choice((Button.BEFORE, Button.MOMENT, Button.TURNING_POINTS)))

    async def read(self) -> None:
        """Ask for lists and texts."""
        name = self._rng.choice(("games", "help", "rules", "settings", "holiday", "privacy"))
        self._command(name, {}, self._thread())

    async def complete(self) -> None:
        """Type into an option that is completed, a key after the other."""
        name, option = self._rng.choice((("move", "words"), ("board", "match"), ("turn", "match")))
        typed = "".join(self._rng.choice("abcdefgh12345 ") for _ in range(self._rng.randrange(4)))
        await user_actions.autocomplete(
            self._state, self._person, self._thread().id, name, {option: typed}, option
        )

    async def type(self) -> None:
        """Type a turn, or something as long as a turn may be."""
        words = self._rng.choice(("c4", "a1 b2", "x" * 400))
        self._command("move", {"words": words}, self._thread())

    async def end(self) -> None:
        """Resign, so that a film is made."""
        await self._forged(Button.RESIGN)

    async def begin_again(self) -> None:
        """Ask for a rematch, open a table again, and leave."""
        buttons = (Button.REMATCH, Button.REOPEN, Button.LEAVE, Button.JOIN, Button.START, Button.COMPUTER)
        await self._forged(self._rng.choice(buttons))

    async def join(self) -> None:
        """Sit down at somebody else's table, or get up, which has its message edited."""
        await self._forged(self._rng.choice((Button.JOIN, Button.LEAVE)), self._rng.choice(self._foreign))

    async def resize(self) -> None:
        """Add and remove seats, which has the table's message edited."""
        seats = (Button.ADD_SEAT, Button.REMOVE_SEAT)
        await self._forged(self._rng.choice(seats), number=self._rng.randrange(2, 5))

    async def move(self) -> None:
        """Move a match to another channel."""
        options = {"move_here": True, "match": self._match()}
        self._command("board", options, self._rng.choice(self._channels))

    async def ask(self) -> None:
        """Ask the other players something, or somebody to take a seat."""
        name = self._rng.choice(("draw", "pause", "undo", "abandon", "nudge", "grant", "replace"))
        options = {"player": str(self._victim.id)} if name == "replace" else {}
        self._command(name, options, self._thread())
        await self._forged(self._rng.choice((Button.OBJECT, Button.DECLINE, Button.REFUSE_SEAT)))

    async def learn(self) -> None:
        """Go through lessons."""
        self._command("learn", {"game": self._rng.choice(list(games()))}, self._channels[0])
        await self._forged(Button.LESSON, self._rng.choice(list(games())), number=1)

    async def export(self) -> None:
        """Ask for all that is stored about them."""
        await self._forged(Button.EXPORT, HOUSE)

    async def hint(self) -> None:
        """Ask for a hint in a panel."""
        message = self._message(lambda place: isinstance(place, PanelId) and place.action is Action.HINT)
        if message is not None:
            ids = [item["custom_id"] for item in components.walk(message.components) if "custom_id" in item]
            for each in ids:
                place = parse(each)
                if isinstance(place, PanelId) and place.action is Action.HINT:
                    user_actions.press(self._state, self._person, message.id, each)

    # --- what stands in front of them -------------------------------------------------------------

    def _command(self, name: str, options: Mapping[str, Any], place: Channel) -> None:
        user_actions.command(self._state, self._person, place.id, name, dict(options))

    async def _forged(self, button: Button, about: str = "", number: int | None = None) -> None:
        message = self._message(lambda _: True)
        if message is not None:
            custom_id = pack(ButtonId(about or self._match(), button, number))
            user_actions.forge(self._state, self._person, message.id, custom_id, components.BUTTON, None)

    def _match(self) -> str:
        return self._rng.choice(self._matches or ["nowhere"])

    def _thread(self) -> Channel:
        ours = {place.id for place in self._channels}
        found = [each for each in self._state.records.threads() if each.parent_id in ours]
        return self._rng.choice(found[-40:] or list(self._channels))

    def _message(self, fits: Callable[[object], bool]) -> Message | None:
        """Return a message that they see, with a component that fits; newer tables become known by it."""
        place = self._rng.choice((self._thread(), *self._channels))
        found: list[Message] = []
        for message in self._state.records.history(place.id, self._person.id)[-SEEN:]:
            ids = [parse(i["custom_id"]) for i in components.walk(message.components) if i.get("custom_id")]
            if any(map(fits, ids)):
                found.append(message)
            tables = (each for each in ids if isinstance(each, ButtonId) and each.button in OF_TABLES)
            self._matches += [each.match for each in tables if each.match not in self._matches]
        return self._rng.choice(found) if found else None


KINDS: Mapping[str, Act] = {
    "tables": Spammer.play,
    "buttons": Spammer.press,
    "forged buttons": Spammer.forge,
    "pictures": Spammer.look,
    "looking back": Spammer.look_back,
    "lists": Spammer.read,
    "completions": Spammer.complete,
    "typed turns": Spammer.type,
    "films": Spammer.end,
    "rematches": Spammer.begin_again,
    "joins": Spammer.join,
    "seats": Spammer.resize,
    "moves": Spammer.move,
    "questions": Spammer.ask,
    "lessons": Spammer.learn,
    "exports": Spammer.export,
    "hints": Spammer.hint,
}
"""What one person can make a hundred of."""
