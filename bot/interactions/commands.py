"""The slash commands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Choice

from bot.domain.refusals import Refusal
from bot.interactions.answers import Answers
from bot.interactions.command_factory import Handler, Option, Values, command, house_text, theme_choices
from bot.interactions.context import Context
from bot.interactions.lessons import Courses, learn_option
from bot.interactions.motions import MotionAnswers
from bot.interactions.panel import Panels
from bot.interactions.play import Play, table_place
from bot.interactions.reply import Reply
from bot.interactions.server import opener_of
from bot.interactions.settings import SettingsPages
from bot.interactions.which_match import WhichMatch
from bot.matches.limits import LIMITS
from bot.pages.person import match_labels
from bot.pages.privacy import privacy_page
from bot.workers.painter import known_theme
from engines.core.contract import msg
from engines.core.names import as_read
from engines.core.registry import games

MATCH = "match"
PLAYER = "player"
IN_WORDS = "text"
MOVE_HERE = "move_here"
THEME = "theme"
COMPLETIONS = 25
"""Maximum choices in one answer to a completion."""

VALUE = 100
"""Maximum characters of a choice's name and value."""


class Commands:
    """All commands but ``/play``, which :class:`Play` makes from the manifests."""

    def __init__(
        self,
        context: Context,
        panels: Panels,
        answers: Answers,
        settings_pages: SettingsPages,
        motions: MotionAnswers,
        courses: Courses,
    ) -> None:
        self._settings_pages = settings_pages
        self._courses = courses
        self._motions = motions
        self._context = context
        self._services = context.services
        self._which = WhichMatch(context.services.queries)
        self._panels = panels
        self._answers = answers

    def add_to(self, tree: app_commands.CommandTree[Any]) -> None:
        """Put every command into ``tree``."""
        match = Option(MATCH, house_text("option.match"), completer=self._complete_match)
        in_words = Option(IN_WORDS, house_text("option.board"), kind=bool)
        move_here = Option(MOVE_HERE, house_text("option.move_here"), kind=bool)
        words = Option(
            "words",
            house_text("option.move"),
            kind=app_commands.Range[str, 1, LIMITS.typed_characters],
            required=True,
            completer=self._complete_words,
        )
        titles = [Choice(name=game.manifest.title, value=key) for key, game in games().items()]
        rules_of = Option("game", house_text("option.rules"), choices=titles[:COMPLETIONS])
        switch = [Choice(name=house_text(f"option.dms.{value}"), value=value) for value in ("on", "off")]
        dms = Option("dms", house_text("option.dms"), choices=switch)
        confirm_choices = [
            Choice(name=house_text(f"option.confirm.{key}"), value=key) for key in ("always", "final")
        ]
        confirm = Option("confirm", house_text("option.confirm"), choices=confirm_choices)
        theme = Option(THEME, house_text("option.theme"), choices=theme_choices())
        player = Option(PLAYER, house_text("option.replace"), kind=discord.User, required=True)
        tree.add_command(Play(self._context).group())
        for name, handler, options in (
            ("turn", self._turn, [match]),
            ("hand", self._of_match(self._answers.hand), [match]),
            ("board", self._board, [in_words, match, move_here]),
            ("move", self._move, [words, match]),
            ("games", self._games, []),
            ("rules", self.rules, [rules_of]),
            ("log", self._of_match(self._answers.log), [match]),
            ("nudge", self._of_match(self._settings_pages.nudge), [match]),
            ("grant", self._of_match(self._motions.grant), [match]),
            ("pause", self._of_match(self._motions.pause), [match]),
            ("undo", self._of_match(self._motions.undo), [match]),
            ("abandon", self._of_match(self._motions.abandon), [match]),
            ("replace", self._replace, [player, match]),
            ("holiday", self._holiday, []),
            ("resign", self._of_match(self._answers.ask_to_resign), [match]),
            ("draw", self._draw, [match]),
            ("learn", self._courses.learn, [learn_option(COMPLETIONS)]),
            ("help", self._help, []),
            ("settings", self.settings, [dms, theme, confirm]),
            ("privacy", self._privacy, []),
        ):
            tree.add_command(command(name, house_text(f"command.{name}"), handler, options))

    # --- handlers: acknowledged first, answered privately -----------------------------------------

    def _of_match(self, answer: Callable[[Reply, str], Awaitable[None]]) -> Handler:
        async def handle(reply: Reply, values: Values) -> None:
            await reply.defer()
            await answer(reply, await self._which.match(reply, values.get(MATCH)))

        return handle

    async def _turn(self, reply: Reply, values: Values) -> None:
        await reply.defer()
        match = await self._which.named_or_here(reply, values.get(MATCH))
        if match is not None:
            await self._panels.open(reply, match)
        else:
            await self._panels.open_most_urgent(reply)

    async def _board(self, reply: Reply, values: Values) -> None:
        await reply.defer()
        match = await self._which.match(reply, values.get(MATCH))
        if values.get(MOVE_HERE, False):
            await self._move_here(reply, match)
            return
        await self._answers.board(reply, match, in_words=values.get(IN_WORDS, False))
        table = await self._services.queries.table(match)
        if table.seat_of(reply.person.id) is not None:
            # The player may ask because the public board is missing.
            self._context.look_after(match)

    async def _move_here(self, reply: Reply, match: str) -> None:
        place = table_place(reply.interaction, reply.texts)
        opener = opener_of(reply.interaction)
        await self._services.moving.move(match, reply.person, place, reply.id, opener)
        await reply.say(reply.texts.house("said.moved"))

    async def _move(self, reply: Reply, values: Values) -> None:
        await reply.defer()
        await self._panels.take_typed(
            reply, await self._which.match(reply, values.get(MATCH)), values["words"], None
        )

    async def _games(self, reply: Reply, _: Values) -> None:
        await reply.defer()
        await self._answers.games(reply)

    async def rules(self, reply: Reply, values: Values) -> None:
        """Show the rules of the named game, or of the one played here; if there is neither, ask which."""
        await reply.defer()
        here = await self._which.here(reply)
        key = values.get("game", here.game if here is not None else None)
        if key is None:
            await self._answers.which_rules(reply)
        elif key in games():
            await self._answers.rules(reply, key)
        else:
            raise Refusal(msg("error.unknown_game"))

    async def _draw(self, reply: Reply, values: Values) -> None:
        await reply.defer()
        state = await self._services.actions.offer_draw(
            await self._which.match(reply, values.get(MATCH)), reply.person, reply.id
        )
        await self._answers.draw(reply, state)

    async def _replace(self, reply: Reply, values: Values) -> None:
        await reply.defer()
        match = await self._which.match(reply, values.get(MATCH))
        await self._motions.replace(reply, match, values[PLAYER])

    async def _holiday(self, reply: Reply, _: Values) -> None:
        await reply.defer()
        await self._settings_pages.show_holiday(reply)

    async def _help(self, reply: Reply, _: Values) -> None:
        await reply.defer()
        await self._answers.help(reply)

    async def _privacy(self, reply: Reply, _: Values) -> None:
        await reply.defer()
        await reply.show(privacy_page(reply.texts))

    async def settings(self, reply: Reply, values: Values) -> None:
        """Change those of a person's settings that are given, and show all; raises :class:`Refusal`."""
        await reply.defer()
        settings = self._services.settings
        # Refused before anything is set: a command is carried out as a whole, or not at all.
        theme = known_theme(values[THEME]) if THEME in values else None
        if "dms" in values:
            await settings.set_dms(reply.person.id, values["dms"] == "on")
        if "confirm" in values:
            await settings.set_always_confirm(reply.person.id, values["confirm"] == "always")
        if theme is not None:
            await settings.set_theme(reply.person.id, theme)
        await self._settings_pages.show_settings(reply)

    # --- completions: they never wait for a replay --------------------------------------------------

    async def _complete_match(self, reply: Reply, typed: str) -> list[Choice[str]]:
        lines = await self._services.queries.listed(reply.person)
        wanted = as_read(typed).casefold()
        return [
            Choice(name=label, value=line.table.id)
            for line, label in zip(lines, match_labels(lines, reply.texts), strict=True)
            if wanted in as_read(label).casefold()
        ][:COMPLETIONS]

    async def _complete_words(self, reply: Reply, typed: str) -> list[Choice[str]]:
        match = await self._which.match_to_complete(reply)
        if match is None:
            return []
        if not self._services.queries.loaded(match):
            # For the next keystroke: this answer cannot wait for it.
            self._panels.load(reply, match)
            return []
        found = self._services.queries.peek_completions(match, reply.person, typed)
        return [Choice(name=text, value=text) for text in found if len(text) <= VALUE][:COMPLETIONS]
