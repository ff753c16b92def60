"""Private answers that buttons and commands share."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from functools import partial

import discord

from bot.domain.match import DrawState, Moment
from bot.domain.refusals import Refusal
from bot.domain.tables import Person, Status, TableInfo
from bot.interactions.buttons import Handler, new_message, same_message
from bot.interactions.context import Context
from bot.interactions.reply import Reply
from bot.pages.board import board_page
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.how_to_play import help_page, how_to_play_page
from bot.pages.log import log_page
from bot.pages.moment import moment_page
from bot.pages.page import Block, Page, button, fenced, gallery, page, rows, text
from bot.pages.person import games_page
from bot.pages.privacy import blocked_page, delete_page, export_page
from bot.pages.rules import rules_page, which_rules_page
from bot.pages.texts import Texts, match_link
from bot.pages.turning_points import no_turning_point_page, turning_point_page
from bot.workers.painting_pool import Wanted
from engines.core.contract import msg
from engines.core.registry import games

DRAWS = {
    DrawState.OFFERED: "draw.offered",
    DrawState.AGREED: "draw.agreed",
    DrawState.ALREADY: "draw.already",
    DrawState.DECLINED: "draw.declined",
}


class Answers:
    """Shows what the use cases return. The interaction was deferred before."""

    def __init__(self, context: Context) -> None:
        self._services = context.services
        self._pictures = context.pictures
        self._slow_work = context.slow_work
        self._edits = context.edits

    def buttons(self) -> Mapping[Button, Handler]:
        """Return the handlers of buttons that lead to these answers."""
        actions = self._services.actions
        return {
            Button.RULES: new_message(self._rules_of),
            Button.PAGE: same_message(self._turn_page),
            Button.HOW_TO_PLAY: new_message(self.how_to_play),
            Button.LOG: new_message(self.log),
            Button.LOOK: new_message(self.hand),
            Button.BEFORE: new_message(self.step_back),
            Button.MOMENT: same_message(self._look_at_moment),
            Button.PRESENT: same_message(lambda reply, place, _: self.present(reply, place.match)),
            Button.TURNING_POINTS: new_message(self.turning_points),
            Button.TURNING_POINT: same_message(self._look_at_turning_point),
            Button.ACCEPT: new_message(partial(self._answer_draw, actions.offer_draw)),
            Button.DECLINE: new_message(partial(self._answer_draw, actions.decline_draw)),
            Button.RESIGN: new_message(self._resign),
            Button.EXPORT: new_message(lambda reply, _: self.export(reply)),
            Button.DELETE: new_message(lambda reply, _: self.ask_to_delete(reply)),
            Button.DELETE_ALL: new_message(lambda reply, _: self.delete(reply)),
        }

    async def rules(self, reply: Reply, key: str, number: int = 0) -> None:
        """Show one page of a game's rules."""
        await reply.show(rules_page(key, number, reply.texts))

    async def which_rules(self, reply: Reply) -> None:
        """Ask which game's rules to show."""
        await reply.show(which_rules_page(reply.texts))

    async def how_to_play(self, reply: Reply, key: str) -> None:
        """Show a game's introduction, with pictures of a demonstration match; raises :class:`Refusal`."""
        if key not in games():
            raise Refusal(msg("error.unknown_game"))
        settings = await self._services.settings.preferences(reply.person)
        board = seat = None
        async with self._slow_work.place(reply.person.id, never_refused=True) as painted:
            if painted:
                board, seat = await self._pictures.demonstration(key, reply.texts, settings.theme)
        await reply.show(how_to_play_page(key, reply.texts, board=board, seat=seat))

    async def help(self, reply: Reply) -> None:
        """Show the help page."""
        await reply.show(help_page(reply.texts))

    async def log(self, reply: Reply, match: str) -> None:
        """Show a match's log as the asker may know it; all of it, with the replay, once it is over."""
        queries = self._services.queries
        table = await queries.table(match)
        lines = await queries.log(match, reply.person.id)
        # The replay contains the seed: give it only when there is nothing left to hide.
        replay = await queries.replay_file(match) if table.status is Status.OVER else None
        film = self._pictures.film_of(table)
        offered = await self._services.looking_back.is_offered(match, reply.person)
        await reply.show(log_page(table, lines, replay, reply.texts, film, turning_points=offered))

    async def games(self, reply: Reply) -> None:
        """Show the asker's matches."""
        async with self._slow_work.place(reply.person.id):
            # Each may have to be replayed.
            lines = await self._services.queries.matches_in_detail(reply.person)
        await reply.show(games_page(lines, reply.texts))

    async def board(self, reply: Reply, match: str, *, in_words: bool) -> None:
        """Show the public board, privately; ``in_words``: as text, for a screen reader."""
        board = await self._services.queries.board(match)
        if in_words:
            words = self._pictures.text(board.table, board.view, reply.texts)
            await reply.show(_words_page(board.table, words, reply.texts))
        else:
            settings = await self._services.settings.preferences(reply.person)

            async def paint(_: Wanted) -> Page:
                pictures = await self._pictures.board(board, reply.texts, settings.theme)
                return board_page(board, reply.texts, pictures, current=False)

            await self._show_painted(reply, paint)

    async def hand(self, reply: Reply, match: str) -> None:
        """Show every picture that the asker's seat can look at."""
        panel = await self._services.drafts.panel(match, reply.person)
        settings = await self._services.settings.preferences(reply.person)
        async with self._slow_work.place(reply.person.id):
            found = await self._pictures.all_of(panel.table, panel.view, reply.texts, settings.theme)
        if not found:
            words = self._pictures.text(panel.table, panel.view, reply.texts)
            await reply.show(_words_page(panel.table, words, reply.texts))
            return
        blocks: list[Block] = [text(f"### {match_link(panel.table, reply.texts)}")]
        for label, upload in found:
            blocks += [text(label), gallery(upload)]
        await reply.show(page(blocks, [upload for _, upload in found]))

    async def step_back(self, reply: Reply, match: str) -> None:
        """Show the match as the asker's seat saw it one step back from the present."""
        await self._show_moment(reply, partial(self._services.history.before, match, reply.person))

    async def present(self, reply: Reply, match: str) -> None:
        """Show the present state of the match in the message that showed its past."""
        await self._show_moment(reply, partial(self._services.history.now, match, reply.person))

    async def moment(self, reply: Reply, match: str, turns: int) -> None:
        """Show the match as the asker's seat saw it after a number of turns."""
        await self._show_moment(reply, partial(self._services.history.after, match, reply.person, turns))

    async def _show_moment(self, reply: Reply, find: Callable[[], Awaitable[Moment]]) -> None:
        settings = await self._services.settings.preferences(reply.person)

        async def paint(wanted: Wanted) -> Page:
            # Replays run one at a time per person: the second one waits for the first.
            moment = await find()
            painting = await self._pictures.moment(moment, reply.texts, settings.theme, wanted)
            return moment_page(moment, reply.texts, painting)

        await self._show_painted(reply, paint)

    async def turning_points(self, reply: Reply, match: str, number: int = 0) -> None:
        """Show a turning point of the asker's own seat, or that there is none; raises :class:`Refusal`.

        It takes some seconds if they have to be searched for.
        """
        points = await self._services.looking_back.turning_points(match, reply.person)
        if not points.found:
            await reply.show(no_turning_point_page(points, reply.texts))
            return
        if number >= len(points.found):
            raise Refusal(msg("error.stale"))
        settings = await self._services.settings.preferences(reply.person)

        async def paint(wanted: Wanted) -> Page:
            point = points.found[number]
            painting = await self._pictures.turning_point(
                points.table, point, reply.texts, settings.theme, wanted
            )
            return turning_point_page(points, number, reply.texts, painting)

        await self._show_painted(reply, paint)

    async def _show_painted(self, reply: Reply, paint: Callable[[Wanted], Awaitable[Page]]) -> None:
        """Show a page that has to be painted, unless another is requested in the same message meanwhile."""
        async with self._edits.begin(reply.target) as edit:
            async with self._slow_work.place(reply.person.id):
                page = await paint(edit.is_newest)
            async with edit.turn() as newest:
                # After several quick steps, only the last one is shown.
                if newest:
                    await reply.show(page)

    async def draw(self, reply: Reply, state: DrawState) -> None:
        """Say what became of a draw offer."""
        await reply.say(reply.texts.house(DRAWS[state]))

    async def ask_to_resign(self, reply: Reply, match: str) -> None:
        """Ask for confirmation before the asker resigns; raises :class:`Refusal` if they cannot."""
        table = await self._services.queries.table(match)
        if table.seat_of(reply.person.id) is None or table.status is not Status.RUNNING:
            raise Refusal(msg("error.nothing_to_resign"))
        question = text(reply.texts.house("resign.ask", match=match_link(table, reply.texts)))
        sure = button(
            reply.texts.house("resign.sure"), ButtonId(match, Button.RESIGN), discord.ButtonStyle.danger
        )
        await reply.show(page([question, *rows([sure])]))

    async def export(self, reply: Reply) -> None:
        """Give the asker a file with everything that is stored about them."""
        privacy = self._services.privacy
        await privacy.count_export(reply.person, reply.id)
        async with self._slow_work.place(reply.person.id):
            data = await privacy.export(reply.person)
            # Serializing years of matches takes a while: answer others' clicks meanwhile.
            answer = await asyncio.to_thread(export_page, data, reply.texts)
        await reply.show(answer)

    async def ask_to_delete(self, reply: Reply) -> None:
        """Ask for confirmation before the asker's data are deleted, or list the matches that block it."""
        blocked = await self._services.privacy.blocking_matches(reply.person.id)
        await reply.show(blocked_page(blocked, reply.texts) if blocked else delete_page(reply.texts))

    async def delete(self, reply: Reply) -> None:
        """Delete the asker's data, or list the matches that block it."""
        blocked = await self._services.privacy.delete(reply.person)
        if blocked:
            await reply.show(blocked_page(blocked, reply.texts))
            return
        self._pictures.forget()
        await reply.say(reply.texts.house("privacy.deleted"))

    # --- buttons ----------------------------------------------------------------------------------

    async def _rules_of(self, reply: Reply, match: str) -> None:
        table = await self._services.queries.table(match)
        await self.rules(reply, table.game)

    async def _turn_page(self, reply: Reply, place: ButtonId, values: list[str]) -> None:
        chosen = values[0] if values else None
        # Its id names a game instead of a match: rules can be read without one.
        number = int(chosen[:3]) if chosen is not None and chosen.isdecimal() else place.number
        if place.match not in games() or number is None:
            raise Refusal(msg("error.stale"))
        await self.rules(reply, place.match, number)

    async def _look_at_moment(self, reply: Reply, place: ButtonId, _: list[str]) -> None:
        if place.number is None:
            raise Refusal(msg("error.stale"))
        await self.moment(reply, place.match, place.number)

    async def _look_at_turning_point(self, reply: Reply, place: ButtonId, _: list[str]) -> None:
        if place.number is None:
            raise Refusal(msg("error.stale"))
        await self.turning_points(reply, place.match, place.number)

    async def _answer_draw(
        self, act: Callable[[str, Person, int], Awaitable[DrawState]], reply: Reply, match: str
    ) -> None:
        await self.draw(reply, await act(match, reply.person, reply.id))

    async def _resign(self, reply: Reply, match: str) -> None:
        await self._services.actions.resign(match, reply.person, reply.id)
        await reply.say(reply.texts.house("said.resigned"))


def _words_page(table: TableInfo, words: str, texts: Texts) -> Page:
    return page([text(f"### {match_link(table, texts)}", fenced(words))])
