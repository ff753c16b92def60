"""The choice of a language, of a person or a server; it is shown if the bot speaks several."""

from __future__ import annotations

from typing import Any

import discord
from discord.ui import ActionRow, Select

from bot.pages.custom_ids import HOUSE, Button, ButtonId, pack
from bot.pages.page import OPTION
from bot.pages.texts import Texts, shorten, texts_in
from engines.core.languages import language_of
from engines.core.texts import load

AS_DISCORD = "discord"
"""The value of the choice that follows Discord."""


def languages() -> tuple[str, ...]:
    """Return the languages that the bot speaks."""
    return tuple(sorted(load("bot").languages))


def language_name(language: str) -> str:
    """Return what a language calls itself."""
    return texts_in(language).house("language.name")


def language_lines(keys: tuple[str, str], chosen: str, locale: str, texts: Texts) -> list[str]:
    """Return the line that says which language is spoken; empty if there is only one.

    ``keys``: the text for a chosen language, and for the one that follows from a locale at Discord.
    """
    if len(languages()) == 1:
        return []
    discords = language_of(locale)
    key = keys[0] if chosen or discords not in languages() else keys[1]
    return [f"🌐 {texts.house(key, language=language_name(chosen or discords))}"]


def language_rows(which: Button, chosen: str, texts: Texts) -> list[ActionRow[Any]]:
    """Return the select of a language in a row of its own; empty if there is only one."""
    if len(languages()) == 1:
        return []
    options = [(AS_DISCORD, texts.house("language.discord"))]
    options += [(each, language_name(each)) for each in languages()]
    now = chosen if chosen in languages() else AS_DISCORD
    select: Select[Any] = Select(
        custom_id=pack(ButtonId(HOUSE, which)),
        placeholder=texts.house("language.choose"),
        options=[
            discord.SelectOption(label=shorten(label, OPTION), value=value, default=value == now)
            for value, label in options
        ],
    )
    return [ActionRow(select)]
