"""What is one person's own: their matches, as a page and as choices of an option, and their settings."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.tables import MatchLine, Preferences, Status
from bot.pages.page import Page, page, text
from bot.pages.texts import Texts, last_lines, safe, title_of
from bot.rendering.themes import theme_label

_STATES = {
    Status.OPEN: "games.open",
    Status.RUNNING: "games.waiting",
    Status.OVER: "games.over",
    Status.CLOSED: "games.closed",
    Status.FROZEN: "games.frozen",
}

LIST_LIMIT = 3_500
"""Characters of the list that are shown."""


def games_page(lines: Sequence[MatchLine], texts: Texts) -> Page:
    """Return a person's matches: those that wait for the person first."""
    if not lines:
        return page([text(texts.house("games.none"))])
    ordered = sorted(lines, key=lambda line: (not line.asked, -line.since))
    entries = [_entry(line, texts) for line in ordered]
    # `last_lines` drops the first ones: turned round, the least urgent.
    shown = last_lines(entries[::-1], LIST_LIMIT)[::-1]
    more = [texts.house("games.more", n=len(entries) - len(shown))] if len(shown) < len(entries) else []
    return page([text(f"### {texts.house('games.title')}", *shown, *more)])


def label_of(line: MatchLine) -> str:
    """Return a match in one plain line, for a list to choose from."""
    table = line.table
    names = " – ".join(chair.name for chair in table.chairs)
    mark = "➡️ " if line.asked else ""
    return f"{mark}{title_of(table.game)}: {names}"[:100]


def _entry(line: MatchLine, texts: Texts) -> str:
    table = line.table
    where = f"<#{table.thread_id or table.place.channel_id}>"
    names = texts.listing(safe(chair.name) for chair in table.chairs)
    sign = "➡️" if line.asked else "⏳"
    state = "games.asked" if line.asked else _STATES[table.status]
    said = texts.house(state, when=f"<t:{int(line.since)}:R>")
    return f"{sign} **{title_of(table.game)}** · {names} · {where} · {said}"


def settings_page(settings: Preferences, texts: Texts) -> Page:
    """Return what a person has chosen, and how to change it."""
    dms = texts.house("settings.dms_on" if settings.dms else "settings.dms_off")
    theme = texts.house("settings.theme", theme=theme_label(settings.theme, texts.language))
    title = f"### {texts.house('settings.title')}"
    small = [f"-# {texts.house(key)}" for key in ("settings.public", "settings.change")]
    return page([text(title, f"✉️ {dms}", f"🎨 {theme}", *small)])
