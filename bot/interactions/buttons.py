"""What the buttons outside panels do. Each is answered privately."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from bot.domain.match import DrawState
from bot.domain.refusals import Refusal
from bot.domain.tables import Person, Place, Status
from bot.interactions.answers import Answers
from bot.interactions.context import Context
from bot.interactions.panel import Panels
from bot.interactions.reply import Reply
from bot.pages.custom_ids import Button, ButtonId
from engines.core.contract import msg
from engines.core.registry import games


class Buttons:
    """Carries out the buttons of tables, boards and private answers."""

    def __init__(self, context: Context, panels: Panels, answers: Answers) -> None:
        self._lobby = context.services.lobby
        self._actions = context.services.actions
        self._queries = context.services.queries
        self._panels = panels
        self._answers = answers
        self._lobby_acts = {
            Button.JOIN: (self._lobby.join, "said.joined", {Status.RUNNING: "said.begins"}),
            Button.LEAVE: (self._lobby.leave, "said.left", {Status.CLOSED: "said.closed"}),
            Button.COMPUTER: (self._lobby.add_computer, "said.computer", {Status.RUNNING: "said.begins"}),
            Button.START: (self._lobby.start, "said.begins", {}),
            Button.REOPEN: (self._lobby.reopen, "said.reopened", {}),
        }
        self._acts: dict[Button, Callable[[Reply, str], Awaitable[None]]] = {
            Button.RULES: self._rules,
            Button.TURN: panels.open,
            Button.LOG: answers.log,
            Button.ACCEPT: partial(self._answer_draw, self._actions.offer_draw),
            Button.DECLINE: partial(self._answer_draw, self._actions.decline_draw),
            Button.RESIGN: self._resign,
            Button.REMATCH: self._rematch,
            Button.EXPORT: lambda reply, _: answers.export(reply),
            Button.DELETE: lambda reply, _: answers.ask_to_delete(reply),
            Button.DELETE_ALL: lambda reply, _: answers.delete(reply),
        }

    async def press(self, reply: Reply, place: ButtonId, values: list[str]) -> None:
        """Carry out a press of a button, or a choice of a page of rules."""
        if place.button is Button.PAGE:
            # Its id names a game where others name a match: rules are read without one.
            await reply.defer_edit()
            if place.match not in games() or not (values and values[0].isdecimal()):
                raise Refusal(msg("error.stale"))
            await self._answers.rules(reply, place.match, int(values[0][:3]))
            return
        await reply.defer()
        if place.button in self._lobby_acts:
            act, said, by_status = self._lobby_acts[place.button]
            table = await act(place.match, reply.person, reply.id)
            # That the table begins or closes by it says more than the act itself.
            await reply.say(reply.texts.house(by_status.get(table.status, said)))
        else:
            await self._acts[place.button](reply, place.match)

    async def _rules(self, reply: Reply, match: str) -> None:
        table = await self._queries.table(match)
        await self._answers.rules(reply, table.game)

    async def _answer_draw(
        self, act: Callable[[str, Person, int], Awaitable[DrawState]], reply: Reply, match: str
    ) -> None:
        await self._answers.draw(reply, await act(match, reply.person, reply.id))

    async def _resign(self, reply: Reply, match: str) -> None:
        await self._actions.resign(match, reply.person, reply.id)
        await reply.say(reply.texts.house("said.resigned"))

    async def _rematch(self, reply: Reply, match: str) -> None:
        table = await self._queries.table(match)
        place = Place(table.place.guild_id, table.place.channel_id)
        new = await self._lobby.rematch(match, reply.person, reply.id, place)
        await reply.say(reply.texts.house("said.rematch", channel=f"<#{new.place.channel_id}>"))
