"""Slash commands from descriptions: signatures made at run time, texts from the catalogues."""

from __future__ import annotations

import inspect
import logging
import re
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import discord
from discord import app_commands
from discord.app_commands import Choice, locale_str

from bot.domain.refusals import Refusal
from bot.gateway.discord_errors import UNREACHED
from bot.interactions.reply import Reply, guarded, note_untaken_completion
from bot.pages.texts import Texts, shorten
from bot.workers.painter import theme_label, theme_names, theme_text
from engines.core.contract import Msg, msg
from engines.core.languages import FALLBACK, language_of
from engines.core.texts import load

log = logging.getLogger(__name__)

_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character: JSON can contain it, but no database accepts it."""

DESCRIPTION = 100
"""Maximum characters of a command's or an option's description, and of a choice's name."""

Values: TypeAlias = Mapping[str, Any]
Handler: TypeAlias = Callable[[Reply, Values], Awaitable[None]]
Completer: TypeAlias = Callable[[Reply, str], Awaitable[list[Choice[str]]]]
"""Returns the choices for what was typed so far, from memory alone."""

EVERYWHERE = app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False)
SERVERS = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)
INSTALLS = app_commands.AppInstallationType(guild=True, user=False)


@dataclass(frozen=True, slots=True)
class Option:
    """One option of a command. Its value reaches the handler under ``name``, if it was given."""

    name: str
    description: locale_str
    kind: Any = str
    """The annotation: a type, or a range of ``app_commands``."""
    required: bool = False
    choices: Sequence[Choice[Any]] = field(default=(), repr=False)
    completer: Completer | None = None


def house_text(key: str) -> locale_str:
    """Return a text of the bot's own catalogue, to be translated where it is shown."""
    return locale_str(shorten(Texts().house(key), DESCRIPTION), package="bot", key=key)


def game_text(game: str, message: Msg) -> locale_str:
    """Return a text of a game's catalogue, to be translated where it is shown."""
    said = shorten(Texts().game(game, message), DESCRIPTION)
    return locale_str(said, package=f"engines.{game}", key=message.key, args=message.args)


def theme_choices() -> list[Choice[str]]:
    """Return the themes as the choices of an option, their names to be translated where they are shown."""
    found: list[Choice[str]] = []
    for theme in theme_names():
        label, text = shorten(theme_label(theme, FALLBACK), DESCRIPTION), theme_text(theme)
        extras = {} if text is None else {"package": text[0], "key": text[1]}
        found.append(Choice(name=locale_str(label, **extras), value=theme))
    return found


def command(
    name: str,
    description: locale_str,
    handler: Handler,
    options: Sequence[Option] = (),
    *,
    contexts: app_commands.AppCommandContext | None = EVERYWHERE,
) -> app_commands.Command[Any, ..., None]:
    """Return a slash command. ``contexts`` is ``None`` for a subcommand: its group defines them."""

    async def callback(interaction: discord.Interaction[Any], **values: Any) -> None:
        given = {key: value for key, value in values.items() if value is not None}
        fits = all(_fits(option, given.get(option.name)) for option in options)
        await guarded(Reply(interaction), (lambda reply: handler(reply, given)) if fits else _refuse)

    shape: Any = callback
    shape.__signature__ = _signature(options)
    app_commands.describe(**{option.name: option.description for option in options})(shape)
    app_commands.choices(**{option.name: list(option.choices) for option in options if option.choices})(shape)
    completers = {o.name: _completer(o.completer) for o in options if o.completer is not None}
    app_commands.autocomplete(**completers)(shape)
    return _Command(
        name=name,
        description=description,
        callback=shape,
        allowed_contexts=contexts,
        allowed_installs=INSTALLS if contexts is not None else None,
    )


class _Command(app_commands.Command[Any, ..., None]):
    """A command that logs late completions in one line: discord.py would log an error with a traceback."""

    async def _invoke_autocomplete(
        self, interaction: discord.Interaction[Any], name: str, namespace: app_commands.Namespace
    ) -> None:
        try:
            await super()._invoke_autocomplete(interaction, name, namespace)
        except UNREACHED as error:
            note_untaken_completion(error)


async def _refuse(reply: Reply) -> None:
    await reply.defer()
    raise Refusal(msg("error.command"))


def _fits(option: Option, value: Any) -> bool:
    # discord.py checks neither the type nor the choices of what Discord sends.
    if value is None:
        return not option.required
    kind = option.kind
    if isinstance(kind, app_commands.Transformer):
        kind = {discord.AppCommandOptionType.integer: int}.get(kind.type, str)
    if kind is discord.User:
        return isinstance(value, discord.abc.User)
    if type(value) is not kind or (isinstance(value, str) and _SURROGATE.search(value)):
        return False
    return not option.choices or value in [choice.value for choice in option.choices]


def _completer(
    find: Completer,
) -> Callable[[discord.Interaction[Any], str], Coroutine[Any, Any, list[Choice[str]]]]:

    async def completions(interaction: discord.Interaction[Any], typed: str) -> list[Choice[str]]:
        text: Any = typed  # nothing checks a focused option's value until the command is sent
        try:
            return await find(Reply(interaction), text) if isinstance(text, str) else []
        except Refusal:
            return []
        except Exception as error:  # as in `guarded`: nothing escapes
            log.error("completion failed", exc_info=error)
            return []

    return completions


def _signature(options: Sequence[Option]) -> inspect.Signature:
    # discord.py reads the options of a command from its signature.
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    parameters = [inspect.Parameter("interaction", kind, annotation=discord.Interaction)]
    for option in sorted(options, key=lambda option: not option.required):
        default = inspect.Parameter.empty if option.required else None
        annotation = option.kind if option.required else option.kind | None
        parameters.append(inspect.Parameter(option.name, kind, default=default, annotation=annotation))
    return inspect.Signature(parameters)


class Translator(app_commands.Translator):
    """Translates texts that the catalogues have in a language; English is sent anyway."""

    async def translate(
        self,
        string: locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return the text in ``locale``'s language; ``None`` if there is none."""
        package, key = string.extras.get("package"), string.extras.get("key")
        language = language_of(str(locale))
        if package is None or key is None or language == FALLBACK:
            return None
        if key not in load(package).languages.get(language, {}):
            return None
        message = msg(key, **dict(string.extras.get("args", ())))
        return shorten(load(package).render(message, str, language), DESCRIPTION)
