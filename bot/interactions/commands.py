"""The slash commands, and which match each of them means."""

from __future__ import annotations

from typing import Any

from discord import app_commands
from discord.app_commands import Choice

from bot.domain.people import Person
from bot.domain.refusals import Refusal
from bot.domain.tables import MatchLine, Status
from bot.interactions.answers import Answers
from bot.interactions.buttons import DRAWS
from bot.interactions.command_factory import Option, Values, command, house_text, theme_choices
from bot.interactions.context import Context
from bot.interactions.panel import Panels
from bot.interactions.play import Play
from bot.interactions.reply import Reply
from bot.pages.games import label_of
from bot.pages.settings import settings_page
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


class Commands:
    """All commands but ``/play``, which :class:`Play` makes from the manifests."""

    def __init__(self, context: Context, panels: Panels, answers: Answers) -> None:
        self._context = context
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
            ("turn", self._turn, [match]),
            ("hand", self._hand, [match]),
            ("board", self._board, [in_words, match]),
            ("move", self._move, [words, match]),
            ("games", self._games, []),
            ("rules", self._rules, [which]),
            ("log", self._log, [match]),
            ("resign", self._resign, [match]),
            ("draw", self._draw, [match]),
            ("help", self._help, []),
            ("settings", self._settings, [dms, theme]),
        ):
            tree.add_command(command(name, house_text(f"command.{name}"), handler, options))

    # --- which match is meant ---------------------------------------------------------------------

    async def _meant(self, ask: Reply, values: Values) -> str:
        """Return the id of the match that is meant: the named one, the thread's, the only one.

        A match can be named by who plays in it; in its own server anybody may look at it.
        Raises :class:`Refusal` where none or several could be meant.
        """
        named = values.get(MATCH)
        if named is not None:
            table = await self._context.services.queries.table(named)
            ours = table.place.guild_id == ask.interaction.guild_id
            if not ours and table.seat_of(ask.person.id) is None:
                raise Refusal(msg("error.unknown_match"))
            return table.id
        here = ask.interaction.channel_id
        table_here = await self._context.services.queries.table_of_thread(here) if here is not None else None
        return table_here.id if table_here is not None else self._only(await self._running(ask.person))

    async def _running(self, person: Person) -> list[MatchLine]:
        lines = await self._context.services.queries.matches(person)
        return [line for line in lines if line.table.status is Status.RUNNING]

    @staticmethod
    def _only(lines: list[MatchLine]) -> str:
        """Return the one match of ``lines``: the only one, or the only one that waits for the person."""
        asked = [line for line in lines if line.asked]
        for some in (lines, asked):
            if len(some) == 1:
                return some[0].table.id
        raise Refusal(msg("error.which_match" if lines else "error.no_match"))

    # --- handlers: acknowledged first, answered privately -----------------------------------------

    async def _turn(self, ask: Reply, values: Values) -> None:
        await ask.hold()
        await self._panels.open(ask, await self._meant(ask, values))

    async def _hand(self, ask: Reply, values: Values) -> None:
        await ask.hold()
        await self._answers.hand(ask, await self._meant(ask, values))

    async def _board(self, ask: Reply, values: Values) -> None:
        await ask.hold()
        match = await self._meant(ask, values)
        await self._answers.board(ask, match, in_words=values.get(IN_WORDS, False))
        table = await self._context.services.queries.table(match)
        if table.status is Status.RUNNING and table.seat_of(ask.person.id) is not None:
            # A player who asks for the board may miss the public one.
            self._context.look_after(match)

    async def _move(self, ask: Reply, values: Values) -> None:
        await ask.hold()
        await self._panels.take_typed(ask, await self._meant(ask, values), values["words"], None)

    async def _games(self, ask: Reply, _: Values) -> None:
        await ask.hold()
        await self._answers.games(ask)

    async def _rules(self, ask: Reply, values: Values) -> None:
        await ask.hold()
        key = values.get("game")
        if key is None:
            key = (await self._context.services.queries.table(await self._meant(ask, {}))).game
        if key not in games():
            raise Refusal(msg("error.unknown_game"))
        await self._answers.rules(ask, key)

    async def _log(self, ask: Reply, values: Values) -> None:
        await ask.hold()
        await self._answers.log(ask, await self._meant(ask, values))

    async def _resign(self, ask: Reply, values: Values) -> None:
        await ask.hold()
        await self._answers.ask_to_resign(ask, await self._meant(ask, values))

    async def _draw(self, ask: Reply, values: Values) -> None:
        await ask.hold()
        state = await self._context.services.actions.offer_draw(
            await self._meant(ask, values), ask.person, ask.id
        )
        await ask.say(ask.speech.house(DRAWS[state]))

    async def _help(self, ask: Reply, _: Values) -> None:
        await ask.hold()
        titles = ask.speech.listing(f"**{game.manifest.title}**" for game in games().values())
        await ask.say(ask.speech.house("help.text", games=titles))

    async def _settings(self, ask: Reply, values: Values) -> None:
        await ask.hold()
        services = self._context.services
        theme = known_theme(values[THEME]) if THEME in values else None
        if "dms" in values:
            await services.settings.set_dms(ask.person.id, values["dms"] == "on")
        if theme is not None:
            await services.settings.set_theme(ask.person.id, theme)
        await ask.show(settings_page(await services.settings.preferences(ask.person.id), ask.speech))

    # --- completions: from memory, nothing is awaited ---------------------------------------------

    def _complete_match(self, ask: Reply, typed: str) -> list[Choice[str]]:
        lines = self._context.services.queries.peek_matches(ask.person)
        wanted = typed.casefold()
        return [
            Choice(name=label, value=line.table.id)
            for line in lines
            if wanted in (label := label_of(line)).casefold()
        ][:COMPLETIONS]

    def _complete_words(self, ask: Reply, typed: str) -> list[Choice[str]]:
        match = self._meant_in_memory(ask)
        if match is None:
            return []
        if not self._context.services.queries.loaded(match):
            self._panels.load(ask, match)
            return []
        found = self._context.services.queries.peek_completions(match, ask.person, typed)
        return [Choice(name=text, value=text) for text in found if len(text) <= VALUE][:COMPLETIONS]

    def _meant_in_memory(self, ask: Reply) -> str | None:
        lines = self._context.services.queries.peek_matches(ask.person)
        named = ask.interaction.namespace.match
        here = ask.interaction.channel_id
        for line in lines:
            if line.table.id == named or (named is None and line.table.thread_id == here):
                return line.table.id
        try:
            return self._only([line for line in lines if line.table.status is Status.RUNNING])
        except Refusal:
            return None
