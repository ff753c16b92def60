"""The slash commands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from discord import app_commands
from discord.app_commands import Choice

from bot.domain.refusals import Refusal
from bot.domain.tables import MatchLine, Status
from bot.interactions.answers import Answers
from bot.interactions.command_factory import Handler, Option, Values, command, house_text, theme_choices
from bot.interactions.context import Context
from bot.interactions.panel import Panels
from bot.interactions.play import Play
from bot.interactions.reply import Reply
from bot.matches.queries import Queries
from bot.pages.person import label_of, settings_page
from bot.pages.privacy import privacy_page
from bot.rendering.themes import known_theme
from engines.core.contract import msg
from engines.core.registry import games

MATCH = "match"
IN_WORDS = "text"
THEME = "theme"
COMPLETIONS = 25
"""Choices in one answer to a completion."""

VALUE = 100
"""Characters of a choice's name and value."""


class WhichMatch:
    """Finds the match that a command means."""

    def __init__(self, queries: Queries) -> None:
        self._queries = queries

    async def match(self, reply: Reply, named: str | None) -> str:
        """Return the id of the match; raises :class:`Refusal` where none or several could be meant.

        A match can be named by who plays in it; in its own server anybody may look at it.
        """
        if named is not None:
            table = await self._queries.table(named)
            ours = table.place.guild_id == reply.interaction.guild_id
            if not ours and table.seat_of(reply.person.id) is None:
                raise Refusal(msg("error.unknown_match"))
            return table.id
        channel = reply.interaction.channel_id
        here = await self._queries.table_of_thread(channel) if channel is not None else None
        return here.id if here is not None else _only_running(await self._queries.matches(reply.person))

    def match_in_memory(self, reply: Reply) -> str | None:
        """Return the id of the match, from memory alone: nothing is awaited while somebody types."""
        lines = self._queries.peek_matches(reply.person)
        named = reply.interaction.namespace.match
        here = reply.interaction.channel_id
        for line in lines:
            if line.table.id == named or (named is None and line.table.thread_id == here):
                return line.table.id
        try:
            return _only_running(lines)
        except Refusal:
            return None


def _only_running(lines: Iterable[MatchLine]) -> str:
    """Return the only running match of a person, or the only one that waits for them."""
    running = [line for line in lines if line.table.status is Status.RUNNING]
    for some in (running, [line for line in running if line.asked]):
        if len(some) == 1:
            return some[0].table.id
    raise Refusal(msg("error.which_match" if running else "error.no_match"))


class Commands:
    """All commands but ``/play``, which :class:`Play` makes from the manifests."""

    def __init__(self, context: Context, panels: Panels, answers: Answers) -> None:
        self._context = context
        self._services = context.services
        self._which = WhichMatch(context.services.queries)
        self._panels = panels
        self._answers = answers

    def add_to(self, tree: app_commands.CommandTree[Any]) -> None:
        """Put every command into ``tree``."""
        match = Option(MATCH, house_text("option.match"), completer=self._complete_match)
        in_words = Option(IN_WORDS, house_text("option.board"), kind=bool)
        words = Option(
            "words",
            house_text("option.move"),
            kind=app_commands.Range[str, 1, 400],
            required=True,
            completer=self._complete_words,
        )
        titles = [Choice(name=game.manifest.title, value=key) for key, game in games().items()]
        which = Option("game", house_text("option.rules"), choices=titles[:COMPLETIONS])
        switch = [Choice(name=house_text(f"option.dms.{value}"), value=value) for value in ("on", "off")]
        dms = Option("dms", house_text("option.dms"), choices=switch)
        theme = Option(THEME, house_text("option.theme"), choices=theme_choices())
        tree.add_command(Play(self._context).group())
        for name, handler, options in (
            ("turn", self._of_match(self._panels.open), [match]),
            ("hand", self._of_match(self._answers.hand), [match]),
            ("board", self._board, [in_words, match]),
            ("move", self._move, [words, match]),
            ("games", self._games, []),
            ("rules", self._rules, [which]),
            ("log", self._of_match(self._answers.log), [match]),
            ("resign", self._of_match(self._answers.ask_to_resign), [match]),
            ("draw", self._draw, [match]),
            ("help", self._help, []),
            ("settings", self.settings, [dms, theme]),
            ("privacy", self._privacy, []),
        ):
            tree.add_command(command(name, house_text(f"command.{name}"), handler, options))

    # --- handlers: acknowledged first, answered privately -----------------------------------------

    def _of_match(self, answer: Callable[[Reply, str], Awaitable[None]]) -> Handler:
        async def handle(reply: Reply, values: Values) -> None:
            await reply.defer()
            await answer(reply, await self._which.match(reply, values.get(MATCH)))

        return handle

    async def _board(self, reply: Reply, values: Values) -> None:
        await reply.defer()
        match = await self._which.match(reply, values.get(MATCH))
        await self._answers.board(reply, match, in_words=values.get(IN_WORDS, False))
        table = await self._services.queries.table(match)
        if table.status is Status.RUNNING and table.seat_of(reply.person.id) is not None:
            # A player who asks for the board may miss the public one.
            self._context.look_after(match)

    async def _move(self, reply: Reply, values: Values) -> None:
        await reply.defer()
        await self._panels.take_typed(
            reply, await self._which.match(reply, values.get(MATCH)), values["words"], None
        )

    async def _games(self, reply: Reply, _: Values) -> None:
        await reply.defer()
        await self._answers.games(reply)

    async def _rules(self, reply: Reply, values: Values) -> None:
        await reply.defer()
        key = values.get("game")
        if key is None:
            key = (await self._services.queries.table(await self._which.match(reply, None))).game
        if key not in games():
            raise Refusal(msg("error.unknown_game"))
        await self._answers.rules(reply, key)

    async def _draw(self, reply: Reply, values: Values) -> None:
        await reply.defer()
        state = await self._services.actions.offer_draw(
            await self._which.match(reply, values.get(MATCH)), reply.person, reply.id
        )
        await self._answers.draw(reply, state)

    async def _help(self, reply: Reply, _: Values) -> None:
        await reply.defer()
        titles = reply.texts.listing(f"**{game.manifest.title}**" for game in games().values())
        await reply.say(reply.texts.house("help.text", games=titles))

    async def _privacy(self, reply: Reply, _: Values) -> None:
        await reply.defer()
        await reply.show(privacy_page(reply.texts))

    async def settings(self, reply: Reply, values: Values) -> None:
        """Change the person's settings where values are given, and show them; raises :class:`Refusal`."""
        await reply.defer()
        settings = self._services.settings
        # Refused before anything is set: a command is carried out as a whole, or not at all.
        theme = known_theme(values[THEME]) if THEME in values else None
        if "dms" in values:
            await settings.set_dms(reply.person.id, values["dms"] == "on")
        if theme is not None:
            await settings.set_theme(reply.person.id, theme)
        await reply.show(settings_page(await settings.preferences(reply.person.id), reply.texts))

    # --- completions: from memory, nothing is awaited ---------------------------------------------

    def _complete_match(self, reply: Reply, typed: str) -> list[Choice[str]]:
        lines = self._services.queries.peek_matches(reply.person)
        wanted = typed.casefold()
        return [
            Choice(name=label, value=line.table.id)
            for line in lines
            if wanted in (label := label_of(line)).casefold()
        ][:COMPLETIONS]

    def _complete_words(self, reply: Reply, typed: str) -> list[Choice[str]]:
        match = self._which.match_in_memory(reply)
        if match is None:
            return []
        if not self._services.queries.loaded(match):
            # For the next key that is pressed: this answer cannot wait for it.
            self._panels.load(reply, match)
            return []
        found = self._services.queries.peek_completions(match, reply.person, typed)
        return [Choice(name=text, value=text) for text in found if len(text) <= VALUE][:COMPLETIONS]
