"""A person's own pages: their matches, as a page and as choices of an option, and their settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord.ui import ActionRow, Select

from bot.domain.tables import DEFAULT_THEME, MatchLine, Preferences, Status
from bot.pages.custom_ids import HOUSE, Button, ButtonId, pack
from bot.pages.languages import language_lines, language_rows
from bot.pages.page import OPTION, Block, Page, button, page, rows, text
from bot.pages.texts import TableTexts, Texts, last_lines, match_link, match_name, match_numbers, shorten
from bot.workers.painter import theme_label, theme_names

_STATES = {
    Status.OPEN: "games.open",
    Status.RUNNING: "games.waiting",
    Status.OVER: "games.over",
    Status.CLOSED: "games.closed",
    Status.FROZEN: "games.frozen",
}

_SIGNS = {
    Status.OPEN: "◻️",
    Status.RUNNING: "⏳",
    Status.OVER: "🏁",
    Status.CLOSED: "🚪",
    Status.FROZEN: "🧊",
}

_SHORT_STATES = {
    Status.OPEN: "match.open",
    Status.RUNNING: "match.running",
    Status.OVER: "match.over",
    Status.CLOSED: "match.closed",
    Status.FROZEN: "match.frozen",
}
"""The same in a word or two, for labels."""

_LANGUAGE = ("settings.language", "settings.language_discord")

_BOARDS = (Status.RUNNING, Status.OVER)
"""States of matches that can be opened: the others have no board to look at."""

OPTIONS = 25
"""Maximum choices in one select."""

LIST_LIMIT = 3_500
"""Maximum characters of the shown list."""


def games_page(lines: Sequence[MatchLine], texts: Texts) -> Page:
    """Return a person's matches, given with the urgent ones first, and a select that opens one."""
    if not lines:
        return page([text(texts.house("games.none"))])
    number = _numbers(lines, texts)
    entries = [_entry(line, number[line.table.id], texts) for line in lines]
    # `last_lines` drops the first ones, so reverse the list to drop the least urgent.
    shown = last_lines(entries[::-1], LIST_LIMIT)[::-1]
    more = [texts.house("games.more", n=len(entries) - len(shown))] if len(shown) < len(entries) else []
    blocks: list[Block] = [text(f"### {texts.house('games.title')}", *shown, *more)]
    if openable := [line for line in lines if line.table.status in _BOARDS][:OPTIONS]:
        blocks.append(_open_select(openable, number, texts))
    return page(blocks)


def match_labels(lines: Sequence[MatchLine], texts: Texts) -> list[str]:
    """Return matches as plain lines of a list to choose from: each one's name and state."""
    number = _numbers(lines, texts)
    named = [(line, match_name(line.table, texts, number[line.table.id])) for line in lines]
    return [
        shorten(f"{'➡️ ' if line.asked else ''}{name} · {_short_state(line, texts)}", OPTION)
        for line, name in named
    ]


def _open_select(lines: Sequence[MatchLine], number: Mapping[str, int], texts: Texts) -> ActionRow[Any]:
    options = [
        discord.SelectOption(
            label=shorten(match_name(line.table, texts, number[line.table.id]), OPTION),
            value=line.table.id,
            description=_short_state(line, texts)[:OPTION],
            emoji="➡️" if line.asked else None,
        )
        for line in lines
    ]
    custom_id = pack(ButtonId(HOUSE, Button.OPEN))
    return ActionRow(Select(custom_id=custom_id, placeholder=texts.house("games.open_one"), options=options))


def _entry(line: MatchLine, number: int, texts: Texts) -> str:
    sign = "➡️" if line.asked else _SIGNS[line.table.status]
    return f"{sign} {match_link(line.table, texts, number)} · {_state(line, texts)}"


def _state(line: MatchLine, texts: Texts) -> str:
    ago = f"<t:{int(line.since)}:R>"
    if line.asked:
        since = f"<t:{int(line.since)}:f>"
        if line.deadline is None:
            return texts.house("games.asked", when=since)
        return texts.house("games.asked_until", when=since, until=f"<t:{int(line.deadline)}:R>")
    if line.waiting:
        names = texts.listing(map(TableTexts(texts, line.table).seat_name, line.waiting))
        return texts.house("games.waiting_for", n=len(line.waiting), names=names, when=ago)
    return texts.house(_STATES[line.table.status], when=ago)


def _short_state(line: MatchLine, texts: Texts) -> str:
    return texts.house("match.asked" if line.asked else _SHORT_STATES[line.table.status])


def _numbers(lines: Sequence[MatchLine], texts: Texts) -> Mapping[str, int]:
    return match_numbers((line.table for line in lines), texts)


def settings_page(settings: Preferences, locale: str, texts: Texts, *, manages: bool = False) -> Page:
    """Return a person's settings with their controls.

    ``locale``: the person's at Discord. ``manages``: with a button for the server's rules.
    """
    dms = texts.house("settings.dms_on" if settings.dms else "settings.dms_off")
    theme = texts.house("settings.theme", theme=theme_label(settings.theme, texts.language))
    confirm = texts.house("settings.confirm_always" if settings.always_confirm else "settings.confirm_final")
    title = f"### {texts.house('settings.title')}"
    small = f"-# {texts.house('settings.public')}"
    language = language_lines(_LANGUAGE, settings.language, locale, texts)
    said = text(title, f"✉️ {dms}", f"✅ {confirm}", f"🎨 {theme}", *language, small)
    reminders = button(texts.house("settings.reminders"), ButtonId(HOUSE, Button.REMINDERS))
    server = [button(texts.house("settings.server"), ButtonId(HOUSE, Button.SERVER))] if manages else []
    switches = rows([_dms_switch(settings, texts), _confirm_switch(settings, texts), reminders, *server])
    choice = language_rows(Button.LANGUAGE, settings.language, texts)
    return page([said, *switches, ActionRow(_theme_select(settings, texts)), *choice])


def _dms_switch(settings: Preferences, texts: Texts) -> discord.ui.Button[Any]:
    # Its id contains the new state: a second tap changes nothing.
    label = texts.house("settings.switch_off" if settings.dms else "settings.switch_on")
    return button(label, ButtonId(HOUSE, Button.DMS, int(not settings.dms)))


def _confirm_switch(settings: Preferences, texts: Texts) -> discord.ui.Button[Any]:
    label = texts.house("settings.ask_final" if settings.always_confirm else "settings.ask_always")
    return button(label, ButtonId(HOUSE, Button.CONFIRMING, int(not settings.always_confirm)))


def _theme_select(settings: Preferences, texts: Texts) -> Select[Any]:
    names = theme_names()
    chosen = settings.theme if settings.theme in names else DEFAULT_THEME
    return Select(
        custom_id=pack(ButtonId(HOUSE, Button.THEME)),
        placeholder=texts.house("settings.choose_theme"),
        options=[
            discord.SelectOption(
                label=shorten(theme_label(name, texts.language), OPTION), value=name, default=name == chosen
            )
            for name in names
        ],
    )
