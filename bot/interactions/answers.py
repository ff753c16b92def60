"""Private answers that buttons and commands have in common."""

from __future__ import annotations

import discord

from bot.domain.refusals import Refusal
from bot.domain.tables import Status, TableInfo
from bot.interactions.context import Context
from bot.interactions.reply import Reply
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.games import games_page
from bot.pages.log import log_page
from bot.pages.page import Page, button, fenced, gallery, page, rows, text
from bot.pages.rules import rules_page
from engines.core.contract import msg
from engines.core.registry import game


class Answers:
    """Reads from the use cases and answers privately. The ask is held before."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def rules(self, ask: Reply, key: str, number: int = 0) -> None:
        """Show a leaf of a game's rules."""
        await ask.show(rules_page(key, number, ask.speech))

    async def log(self, ask: Reply, match: str) -> None:
        """Show what the asker may know of a match's past; all of it, with the replay, once it is over."""
        services = self._context.services
        table = await services.queries.table(match)
        lines = await services.queries.log(match, ask.person.id)
        replay = await services.queries.replay_file(match) if table.status is Status.OVER else None
        film = self._context.pictures.film_of(table)
        await ask.show(log_page(table, lines, replay, ask.speech, film))

    async def games(self, ask: Reply) -> None:
        """Show the asker's matches."""
        await ask.show(games_page(await self._context.services.queries.matches(ask.person), ask.speech))

    async def board(self, ask: Reply, match: str, *, in_words: bool) -> None:
        """Show the public board, privately; ``in_words``: as text, for a screen reader."""
        board = await self._context.services.queries.board(match)
        if in_words:
            words = self._context.pictures.text(board.table, board.view, ask.speech)
            await ask.show(_words_page(board.table, words))
        else:
            settings = await self._context.services.settings.preferences(ask.person)
            page = await self._context.pictures.board(board, ask.speech, current=False, theme=settings.theme)
            await ask.show(page)

    async def hand(self, ask: Reply, match: str) -> None:
        """Show every picture that the asker's seat can look at."""
        panel = await self._context.services.drafts.panel(match, ask.person)
        settings = await self._context.services.settings.preferences(ask.person)
        found = await self._context.pictures.all_of(panel.table, panel.view, ask.speech, settings.theme)
        if not found:
            words = self._context.pictures.text(panel.table, panel.view, ask.speech)
            await ask.show(_words_page(panel.table, words))
            return
        title = " · ".join(label for label, _ in found)
        uploads = [upload for _, upload in found]
        await ask.show(page([text(f"### {_title(panel.table)}", title), gallery(uploads)], uploads))

    async def ask_to_resign(self, ask: Reply, match: str) -> None:
        """Reply whether the asker really wants to leave the match for good."""
        table = await self._context.services.queries.table(match)
        if table.seat_of(ask.person.id) is None or table.status is not Status.RUNNING:
            raise Refusal(msg("error.nothing_to_resign"))
        question = text(ask.speech.house("resign.ask", title=_title(table)))
        sure = button(
            ask.speech.house("resign.sure"), ButtonId(match, Button.RESIGN), discord.ButtonStyle.danger
        )
        await ask.show(page([question, *rows([sure])]))


def _title(table: TableInfo) -> str:
    return game(table.game).manifest.title


def _words_page(table: TableInfo, words: str) -> Page:
    return page([text(f"### {_title(table)}", fenced(words))])
