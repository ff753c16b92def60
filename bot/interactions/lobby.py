"""The buttons of tables: who sits there, how many can, and what follows a match."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import TypeAlias

from bot.domain.refusals import Refusal
from bot.domain.tables import Person, Place, Status, TableInfo
from bot.interactions.answers import Answers
from bot.interactions.buttons import Handler, new_message, same_message
from bot.interactions.context import Context
from bot.interactions.panel import Panels
from bot.interactions.reply import Reply
from bot.interactions.server import opener_of
from bot.interactions.which_match import WhichMatch
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.lobby import BY_NUMBER, company_page, has_levels, invitation_receipt
from bot.pages.shuffle import join_receipt, start_receipt
from engines.core.contract import msg
from engines.core.registry import game

Resize: TypeAlias = Callable[[str, Person, int, int], Awaitable[object]]


class Tables:
    """Carries out the buttons of tables, and opens a match from a list."""

    def __init__(self, context: Context, panels: Panels, answers: Answers) -> None:
        self._lobby = context.services.lobby
        self._queries = context.services.queries
        self._panels = panels
        self._answers = answers
        self._which = WhichMatch(context.services.queries)

    def buttons(self) -> Mapping[Button, Handler]:
        """Return the handlers of its buttons."""
        return {
            Button.JOIN: new_message(self._join),
            Button.LEAVE: new_message(self._leave),
            Button.START: new_message(self._start),
            Button.COMPUTER: new_message(self._add_computer),
            Button.SEAT_COMPUTER: same_message(self._seat_computer),
            Button.ADD_SEAT: Handler(partial(self._resize, self._lobby.add_seat), Reply.accept),
            Button.REMOVE_SEAT: Handler(partial(self._resize, self._lobby.remove_seat), Reply.accept),
            Button.REMATCH: new_message(self._rematch),
            Button.REOPEN: new_message(self._reopen),
            Button.OPEN: same_message(self._open),
        }

    async def _join(self, reply: Reply, match: str) -> None:
        table = await self._lobby.join(match, reply.person, reply.id)
        receipt = join_receipt(table, reply.person.id, reply.texts)
        await reply.say(reply.texts.house("said.joined"), receipt)

    async def _leave(self, reply: Reply, match: str) -> None:
        is_invited = reply.person.id in {guest.id for guest in await self._queries.invited(match)}
        table = await self._lobby.leave(match, reply.person, reply.id)
        key = "said.uninvited" if is_invited else _left(table)
        await reply.say(reply.texts.house(key))

    async def _start(self, reply: Reply, match: str) -> None:
        table = await self._lobby.start(match, reply.person, reply.id)
        await reply.say(reply.texts.house("said.begins"), start_receipt(table, reply.texts))

    async def _add_computer(self, reply: Reply, match: str) -> None:
        """Seat a computer player, or ask which one if there are levels."""
        table = await self._lobby.check_company(match, reply.person)
        if has_levels(game(table.game)):
            await reply.show(company_page(table, reply.texts))
            return
        table = await self._lobby.add_computer(match, reply.person, reply.id)
        await reply.say(reply.texts.house("said.computer"))

    async def _resize(self, resize: Resize, reply: Reply, place: ButtonId, _: list[str]) -> None:
        """Add or remove a seat, as the table's message offered it."""
        if place.number is None:
            raise Refusal(msg("error.stale"))
        await resize(place.match, reply.person, reply.id, place.number)

    async def _seat_computer(self, reply: Reply, place: ButtonId, _: list[str]) -> None:
        if place.number is None or place.number >= len(BY_NUMBER):
            raise Refusal(msg("error.stale"))
        level = BY_NUMBER[place.number]
        table = await self._lobby.add_computer(place.match, reply.person, reply.id, level)
        await reply.show(company_page(table, reply.texts, reply.texts.house("said.computer")))

    async def _rematch(self, reply: Reply, match: str) -> None:
        table = await self._queries.table(match)
        place = Place(table.place.guild_id, table.place.channel_id)
        new = await self._lobby.rematch(match, reply.person, reply.id, place, opener_of(reply.interaction))
        said = reply.texts.house("said.rematch", channel=f"<#{new.place.channel_id}>")
        unpinged = invitation_receipt(await self._queries.unpinged(new.id), reply.texts)
        await reply.say(said, unpinged, join_receipt(new, reply.person.id, reply.texts))

    async def _reopen(self, reply: Reply, match: str) -> None:
        await self._lobby.reopen(match, reply.person, reply.id, opener_of(reply.interaction))
        await reply.say(reply.texts.house("said.reopened"))

    async def _open(self, reply: Reply, _: ButtonId, values: list[str]) -> None:
        """Replace a list by one of its matches: the asker's panel, or else the board."""
        if not values:
            raise Refusal(msg("error.stale"))
        table = await self._queries.table(await self._which.match(reply, values[0]))
        if table.status is Status.RUNNING and table.seat_of(reply.person.id) is not None:
            await self._panels.open(reply, table.id)
        else:
            await self._answers.board(reply, table.id, in_words=False)


def _left(table: TableInfo) -> str:
    """Return the text that tells a player who left a table what became of it."""
    if table.status is not Status.CLOSED:
        return "said.left"
    return "said.closed" if table.deserted else "said.left_hostless"
