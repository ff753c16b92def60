"""Acts of people, and the scripts of whole evenings: driven by what panels offer, whatever the game.

A script is written over a :class:`World` alone, so that it is the same for both opinions.
"""

from __future__ import annotations

from typing import Any

from bot.pages.custom_ids import Action, Button
from engines.core.rng import Stream
from tests.e2e.stage import (
    STEPS,
    action,
    asked,
    choices,
    components_of,
    has,
    id_in,
    known,
    over,
    places,
    press_id,
)
from tests.kit.components import selects
from tests.nightly.referee.story import EPHEMERAL, Story
from tests.nightly.referee.world import TABLES, Answer, Json, World

SAID = ("text", "words", "match", "theme", "dms", "board")
"""Options whose values both worlds take alike, and so are told."""


class Scene:
    """People in one world, and the story of what they see. Every act is noted in it."""

    def __init__(self, world: World, story: Story) -> None:
        self.world = world
        self.story = story

    async def command(self, who: str, place: str, name: str, **options: Any) -> Json:
        """Send a command, and return the private answer."""
        answer = await self.world.command(who, place, name, **options)
        shown = {key: value for key, value in options.items() if key in SAID}
        await self.story.note(f"{who}: /{name} {shown or ''}", answer)
        assert answer.message is not None
        message = self.seen(who, answer.message)
        assert message["flags"] & EPHEMERAL
        return message

    async def complete(self, who: str, place: str, name: str, option: str, typed: str) -> list[Json]:
        found = await self.world.complete(who, place, name, option, typed)
        await self.story.note(f"{who}: /{name} {option}: {typed!r} is completed to {found}")
        return found

    async def press(self, who: str, message: Json, custom_id: str) -> Answer:
        answer = await self.world.press(who, message["id"], custom_id)
        await self.story.note(f"{who} presses {custom_id} of {message['id']}", answer)
        return answer

    async def push(self, who: str, message: Json, button: Button) -> Json:
        """Press a public button, and return the private answer."""
        answer = await self.press(who, message, press_id(message, button))
        assert answer.message is not None
        return self.seen(who, answer.message)

    async def select(self, who: str, message: Json, custom_id: str, values: list[str]) -> Answer:
        answer = await self.world.select(who, message["id"], custom_id, values)
        await self.story.note(f"{who} chooses {values} in {custom_id} of {message['id']}", answer)
        return answer

    async def type(self, who: str, panel: Json, text: str) -> Json:
        """Open a panel's form and submit it; return the panel as it is then."""
        if not any(place.action is Action.TYPE for place in places(panel)):
            panel = await self.touch(who, panel, action(panel, Action.REFRESH))
        opened = await self.press(who, panel, id_in(panel, action(panel, Action.TYPE)))
        assert opened.modal is not None
        answer = await self.world.submit(who, opened, {"text": text})
        await self.story.note(f"{who} types {text!r}", answer)
        return self.seen(who, panel["id"])

    def seen(self, who: str, message: str) -> Json:
        return self.story.windows[who][message]

    def newest(self, who: str, button: Button, channel: str | None = None) -> Json:
        found = [
            message
            for message in self.story.windows[who].values()
            if not message["flags"] & EPHEMERAL
            and has(message, button)
            and channel in (None, message["channel_id"])
        ]
        return max(found, key=lambda message: int(message["id"]))

    def asked(self, thread: str) -> list[str]:
        names = {self.world.person_id(who): who for who in ("Alba", "Bruno")}
        known().update({who: person for person, who in names.items()})
        return sorted(names[person] for person in asked(self.board(thread)))

    def board(self, thread: str) -> Json:
        return self.newest("Alba", Button.LOG, thread)

    def over(self, thread: str) -> bool:
        return over(self.board(thread))

    async def later(self, seconds: float) -> None:
        """Let time pass for the bot."""
        house = self.world.house
        house.clock.ahead += seconds
        house.client.worker.wake()
        await self.world.settle()
        await self.story.note(f"{seconds:.0f} seconds later")

    async def begin(self, game: str, **options: Any) -> str:
        """Let Alba open a table and Bruno join it; return the thread's id."""
        await self.command("Alba", TABLES, f"play {game}", **options)
        table = self.newest("Bruno", Button.JOIN)
        await self.push("Bruno", table, Button.JOIN)
        if has(self.seen("Alba", table["id"]), Button.START):
            await self.push("Alba", self.seen("Alba", table["id"]), Button.START)
        return str(table["id"])

    async def open(self, who: str, thread: str) -> Json:
        return await self.push(who, self.board(thread), Button.TURN)

    async def touch(self, who: str, panel: Json, place: Any, values: list[str] | None = None) -> Json:
        """Press or choose one component of a panel, and return the panel as it is then."""
        custom_id = id_in(panel, place)
        if values is None:
            await self.press(who, panel, custom_id)
        else:
            await self.select(who, panel, custom_id, values)
        return self.seen(who, panel["id"])

    async def blank(self, who: str, panel: Json) -> Json:
        """Take every word of a panel's draft back; return the panel then."""
        while Action.BACK in {place.action for place in places(panel)}:
            panel = await self.touch(who, panel, action(panel, Action.BACK))
        return panel

    async def draft(self, who: str, panel: Json, rng: Stream) -> Json:
        """Choose until a word stands in a panel's draft; return the panel then."""
        while Action.BACK not in {place.action for place in places(panel)}:
            place, values = rng.choice(choices(panel))
            panel = await self.touch(who, panel, place, values)
        return panel

    async def turn(self, who: str, panel: Json, rng: Stream) -> Json:
        """Walk a panel to a whole sentence, and confirm it; return the panel then."""
        for _ in range(STEPS):
            ready = [place for place in places(panel) if place.action is Action.CONFIRM]
            ways = choices(panel)
            if ready and (not ways or rng.chance(1, 2)):
                return await self.touch(who, panel, ready[0])
            if ways:
                place, values = rng.choice(ways)
            else:
                place, values = action(panel, Action.BACK), None
            panel = await self.touch(who, panel, place, values)
        raise AssertionError(f"{who} has not come to an end in {STEPS} touches")

    async def move(self, thread: str, rng: Stream) -> str:
        """Let the first who is asked say a sentence; return who it was."""
        who = self.asked(thread)[0]
        await self.turn(who, await self.open(who, thread), rng)
        return who

    async def agree(self, who: str, question: Json) -> None:
        [button] = components_of(question)
        await self.press(who, question, button["custom_id"])

    async def turn_page(self, who: str, leaf: Json) -> None:
        """Choose the last page in a private answer, if it has more than one."""
        for menu in selects(leaf):
            await self.select(who, leaf, menu["custom_id"], [menu["options"][-1]["value"]])
