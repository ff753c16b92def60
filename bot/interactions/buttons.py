"""What the buttons outside panels do. Each is answered privately."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from bot.domain.match import DrawState
from bot.domain.refusals import Refusal
from bot.domain.tables import Person, Place, Status
from bot.interactions.answers import Answers
from bot.interactions.context import Context
from bot.interactions.lessons import Courses
from bot.interactions.motions import MotionAnswers
from bot.interactions.panel import Panels
from bot.interactions.reminders import ReminderPages
from bot.interactions.reply import Reply
from bot.interactions.server import ServerPages, opener_of
from bot.interactions.which_match import WhichMatch
from bot.pages.company import BY_NUMBER, company_page, has_levels
from bot.pages.custom_ids import HOUSE, Button, ButtonId
from bot.pages.lobby import invitation_receipt
from bot.pages.shuffle import join_receipt, start_receipt
from bot.workers.painter import known_theme
from engines.core.contract import msg
from engines.core.registry import game, games


class Buttons:
    """Carries out the buttons of tables, boards and private answers."""

    def __init__(self, context: Context, panels: Panels, answers: Answers) -> None:
        reminders, lessons = ReminderPages(context), Courses(context, panels)
        self._lobby = context.services.lobby
        self._actions = context.services.actions
        self._queries = context.services.queries
        self._settings = context.services.settings
        self._of_server = ServerPages(context).redrawing()
        """Handlers that change the page about a server; they get all that was chosen in a select."""
        absences = context.clocks.absences
        self._panels = panels
        self._answers = answers
        self._which = WhichMatch(context.services.queries)
        self._lobby_acts = {
            Button.JOIN: (self._lobby.join, "said.joined"),
            Button.LEAVE: (self._lobby.leave, "said.left"),
            Button.START: (self._lobby.start, "said.begins"),
        }
        self._resizing = {Button.ADD_SEAT: self._lobby.add_seat, Button.REMOVE_SEAT: self._lobby.remove_seat}
        self._acts: dict[Button, Callable[[Reply, str], Awaitable[None]]] = {
            Button.COMPUTER: self._add_computer,
            Button.RULES: self._rules,
            Button.TURN: panels.open,
            Button.LOG: answers.log,
            Button.LOOK: answers.hand,
            Button.BEFORE: answers.step_back,
            Button.TURNING_POINTS: answers.turning_points,
            Button.ACCEPT: partial(self._answer_draw, self._actions.offer_draw),
            Button.DECLINE: partial(self._answer_draw, self._actions.decline_draw),
            Button.RESIGN: self._resign,
            Button.REMATCH: self._rematch,
            Button.REOPEN: self._reopen,
            Button.EXPORT: lambda reply, _: answers.export(reply),
            Button.DELETE: lambda reply, _: answers.ask_to_delete(reply),
            Button.DELETE_ALL: lambda reply, _: answers.delete(reply),
            Button.HOW_TO_PLAY: answers.how_to_play,
            Button.CLAIM: partial(self._settle_absence, absences.claim, "said.claimed"),
            Button.LET_COMPUTER_PLAY: partial(
                self._settle_absence, absences.let_computer_play, "said.stand_in"
            ),
            Button.WAIT: partial(self._settle_absence, absences.wait_longer, "said.waiting"),
            Button.MUTE: reminders.mute,
            Button.FIRST_MATCH: lessons.first_match,
            **MotionAnswers(context).buttons(),
            Button.I_AM_BACK: partial(self._settle_absence, absences.come_back, "said.back"),
        }
        self._redrawing: dict[Button, Callable[[Reply, ButtonId, str | None], Awaitable[None]]] = {
            Button.PAGE: self._turn_page,
            Button.SEAT_COMPUTER: self._seat_computer,
            Button.DMS: self._switch_dms,
            Button.CONFIRMING: self._switch_confirming,
            Button.THEME: self._choose_theme,
            Button.OPEN: self._open,
            Button.MOMENT: self._look_at_moment,
            Button.TURNING_POINT: self._look_at_turning_point,
            Button.PRESENT: lambda reply, place, _: answers.present(reply, place.match),
            Button.SETTINGS: lambda reply, _, __: answers.settings(reply),
            **reminders.redrawing(),
            **lessons.redrawing(),
        }
        """Handlers that change the clicked private message; they get what was chosen in a select."""

    async def press(self, reply: Reply, place: ButtonId, values: list[str]) -> None:
        """Carry out a press of a button, or a choice in a select."""
        if place.button in self._redrawing:
            await reply.defer_edit()
            await self._redrawing[place.button](reply, place, values[0] if values else None)
            return
        if place.button in self._of_server:
            await reply.defer_edit()
            await self._of_server[place.button](reply, place, values)
            return
        if place.button is Button.NEXT:
            await self._panels.show_next(reply, place.match)
            return
        if place.button in self._resizing:
            await reply.accept()
            await self._resize(reply, place)
            return
        await reply.defer()
        if place.button in self._lobby_acts:
            act, said = self._lobby_acts[place.button]
            table = await act(place.match, reply.person, reply.id)
            # If this closed the table, that matters more than the act itself.
            lines = [reply.texts.house("said.closed" if table.deserted else said)]
            if place.button is Button.JOIN:
                lines.append(join_receipt(table, reply.person.id, reply.texts))
            elif place.button is Button.START:
                lines.append(start_receipt(table, reply.texts))
            await reply.say(*lines)
        else:
            await self._acts[place.button](reply, place.match)

    async def _open(self, reply: Reply, _: ButtonId, chosen: str | None) -> None:
        """Replace a list by one of its matches: the asker's panel, or else the board."""
        if chosen is None:
            raise Refusal(msg("error.stale"))
        table = await self._queries.table(await self._which.match(reply, chosen))
        if table.status is Status.RUNNING and table.seat_of(reply.person.id) is not None:
            await self._panels.open(reply, table.id)
        else:
            await self._answers.board(reply, table.id, in_words=False)

    async def _add_computer(self, reply: Reply, match: str) -> None:
        """Seat a computer player, or ask which one if there are levels."""
        table = await self._lobby.check_company(match, reply.person)
        if has_levels(game(table.game)):
            await reply.show(company_page(table, reply.texts))
            return
        table = await self._lobby.add_computer(match, reply.person, reply.id)
        await reply.say(reply.texts.house("said.computer"))

    async def _resize(self, reply: Reply, place: ButtonId) -> None:
        """Add or remove a seat, as the table's message offered it."""
        if place.number is None:
            raise Refusal(msg("error.stale"))
        await self._resizing[place.button](place.match, reply.person, reply.id, place.number)

    async def _seat_computer(self, reply: Reply, place: ButtonId, _: str | None) -> None:
        if place.number is None or place.number >= len(BY_NUMBER):
            raise Refusal(msg("error.stale"))
        level = BY_NUMBER[place.number]
        table = await self._lobby.add_computer(place.match, reply.person, reply.id, level)
        await reply.show(company_page(table, reply.texts, reply.texts.house("said.computer")))

    async def _rules(self, reply: Reply, match: str) -> None:
        table = await self._queries.table(match)
        await self._answers.rules(reply, table.game)

    async def _turn_page(self, reply: Reply, place: ButtonId, chosen: str | None) -> None:
        # Its id names a game instead of a match: rules can be read without one.
        number = int(chosen[:3]) if chosen is not None and chosen.isdecimal() else place.number
        if place.match not in games() or number is None:
            raise Refusal(msg("error.stale"))
        await self._answers.rules(reply, place.match, number)

    async def _look_at_moment(self, reply: Reply, place: ButtonId, _: str | None) -> None:
        if place.number is None:
            raise Refusal(msg("error.stale"))
        await self._answers.moment(reply, place.match, place.number)

    async def _look_at_turning_point(self, reply: Reply, place: ButtonId, _: str | None) -> None:
        if place.number is None:
            raise Refusal(msg("error.stale"))
        await self._answers.turning_points(reply, place.match, place.number)

    async def _switch_dms(self, reply: Reply, place: ButtonId, _: str | None) -> None:
        if place.match != HOUSE or place.number not in (0, 1):
            raise Refusal(msg("error.stale"))
        await self._settings.set_dms(reply.person, bool(place.number))
        await self._answers.settings(reply)

    async def _switch_confirming(self, reply: Reply, place: ButtonId, _: str | None) -> None:
        if place.match != HOUSE or place.number not in (0, 1):
            raise Refusal(msg("error.stale"))
        await self._settings.set_always_confirm(reply.person, bool(place.number))
        await self._answers.settings(reply)

    async def _choose_theme(self, reply: Reply, place: ButtonId, chosen: str | None) -> None:
        if place.match != HOUSE or chosen is None:
            raise Refusal(msg("error.stale"))
        await self._settings.set_theme(reply.person, known_theme(chosen))
        await self._answers.settings(reply)

    async def _answer_draw(
        self, act: Callable[[str, Person, int], Awaitable[DrawState]], reply: Reply, match: str
    ) -> None:
        await self._answers.draw(reply, await act(match, reply.person, reply.id))

    async def _settle_absence(
        self, act: Callable[[str, Person, int], Awaitable[None]], said: str, reply: Reply, match: str
    ) -> None:
        await act(match, reply.person, reply.id)
        await reply.say(reply.texts.house(said))

    async def _resign(self, reply: Reply, match: str) -> None:
        await self._actions.resign(match, reply.person, reply.id)
        await reply.say(reply.texts.house("said.resigned"))

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
