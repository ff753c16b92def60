"""What the buttons outside panels do. Each is answered privately."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.domain.match import DrawState
from bot.domain.people import Place
from bot.domain.refusals import Refusal
from bot.domain.tables import Status
from bot.interactions.answers import Answers
from bot.interactions.context import Context
from bot.interactions.panel import Panels
from bot.interactions.reply import Reply
from bot.pages.custom_ids import Button, ButtonId
from engines.core.contract import msg
from engines.core.registry import games

DRAWS = {
    DrawState.OFFERED: "draw.offered",
    DrawState.AGREED: "draw.agreed",
    DrawState.ALREADY: "draw.already",
    DrawState.DECLINED: "draw.declined",
}


class Buttons:
    """Carries out the buttons of tables, boards and private answers."""

    def __init__(self, context: Context, panels: Panels, answers: Answers) -> None:
        self._context = context
        self._panels = panels
        self._answers = answers
        self._acts: dict[Button, Callable[[Reply, str], Awaitable[None]]] = {
            Button.JOIN: self._join,
            Button.LEAVE: self._leave,
            Button.COMPUTER: self._add_computer,
            Button.START: self._start,
            Button.RULES: self._rules,
            Button.TURN: panels.open,
            Button.LOG: answers.log,
            Button.ACCEPT: self._accept,
            Button.DECLINE: self._decline,
            Button.RESIGN: self._resign,
            Button.REMATCH: self._rematch,
        }

    async def press(self, ask: Reply, place: ButtonId, values: list[str]) -> None:
        """Carry out a press of a button, or a choice of a page of rules."""
        if place.button is Button.PAGE:
            await self._turn_page(ask, place.match, values)
            return
        await ask.hold()
        await self._acts[place.button](ask, place.match)

    async def _join(self, ask: Reply, match: str) -> None:
        table = await self._context.services.lobby.join(match, ask.person, ask.id)
        await ask.say(ask.speech.house("said.begins" if table.status is Status.RUNNING else "said.joined"))

    async def _leave(self, ask: Reply, match: str) -> None:
        table = await self._context.services.lobby.leave(match, ask.person, ask.id)
        await ask.say(ask.speech.house("said.closed" if table.status is Status.CLOSED else "said.left"))

    async def _add_computer(self, ask: Reply, match: str) -> None:
        table = await self._context.services.lobby.add_computer(match, ask.person, ask.id)
        await ask.say(ask.speech.house("said.begins" if table.status is Status.RUNNING else "said.computer"))

    async def _start(self, ask: Reply, match: str) -> None:
        await self._context.services.lobby.start(match, ask.person, ask.id)
        await ask.say(ask.speech.house("said.begins"))

    async def _rules(self, ask: Reply, match: str) -> None:
        table = await self._context.services.queries.table(match)
        await self._answers.rules(ask, table.game)

    async def _turn_page(self, ask: Reply, game: str, values: list[str]) -> None:
        await ask.hold_message()
        if game not in games() or not (values and values[0].isdecimal()):
            raise Refusal(msg("error.stale"))
        await self._answers.rules(ask, game, int(values[0][:3]))

    async def _accept(self, ask: Reply, match: str) -> None:
        state = await self._context.services.actions.offer_draw(match, ask.person, ask.id)
        await ask.say(ask.speech.house(DRAWS[state]))

    async def _decline(self, ask: Reply, match: str) -> None:
        state = await self._context.services.actions.decline_draw(match, ask.person, ask.id)
        await ask.say(ask.speech.house(DRAWS[state]))

    async def _resign(self, ask: Reply, match: str) -> None:
        await self._context.services.actions.resign(match, ask.person, ask.id)
        await ask.say(ask.speech.house("said.resigned"))

    async def _rematch(self, ask: Reply, match: str) -> None:
        table = await self._context.services.queries.table(match)
        place = Place(table.place.guild_id, table.place.channel_id)
        new = await self._context.services.lobby.rematch(match, ask.person, ask.id, place)
        await ask.say(ask.speech.house("said.rematch", channel=f"<#{new.place.channel_id}>"))
