"""Private answers to read: the log, one's matches, one's settings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import discord

from bot.domain.match import LogLine
from bot.domain.people import Preferences
from bot.domain.tables import MatchLine, Status, TableInfo
from bot.pages.board import FILM
from bot.pages.page import Block, Page, Upload, gallery, page, text, upload
from bot.pages.texts import Texts, safe, tail
from bot.rendering.themes import theme_label
from engines.core.registry import game
from renderers.core.contract import Picture

LOG_LIMIT = 3_200
"""Characters of the log that are shown in the message; the file beside it has all."""

LIST_LIMIT = 3_500

LOG_FILE = "log.txt"
REPLAY_FILE = "replay.json"


def log_page(
    table: TableInfo,
    lines: Sequence[LogLine],
    replay: Mapping[str, Any] | None,
    speech: Texts,
    film: Picture | None = None,
) -> Page:
    """Return what the asker may know of a match's past; ``replay`` and ``film`` once the match is over."""
    said = [f"{line.number}. {sentence}" for line in lines for sentence in speech.narration(table, line.told)]
    title = f"### {speech.house('log.title', title=game(table.game).manifest.title)}"
    body = tail(said, LOG_LIMIT) or [speech.house("log.empty")]
    cut = [speech.house("log.cut")] if len(body) < len(said) else []
    blocks: list[Block] = [text(title, *cut, *body)]
    uploads: list[Upload] = []
    if said:
        plain = "\n".join(discord.utils.remove_markdown(sentence) for sentence in said)
        uploads.append(Upload(LOG_FILE, plain.encode()))
    if replay is not None:
        uploads.append(Upload(REPLAY_FILE, json.dumps(replay, indent=1, ensure_ascii=False).encode()))
    blocks += [discord.ui.File(one.uri) for one in uploads]
    if film is not None:
        uploads.append(upload(FILM, film))
        blocks.append(gallery(uploads[-1:]))
    return page(blocks, uploads)


def games_page(lines: Sequence[MatchLine], speech: Texts) -> Page:
    """Return a person's matches: those that wait for the person first."""
    if not lines:
        return page([text(speech.house("games.none"))])
    ordered = sorted(lines, key=lambda line: (not line.asked, -line.since))
    entries = [_entry(line, speech) for line in ordered]
    shown = tail(entries[::-1], LIST_LIMIT)[::-1]
    more = [speech.house("games.more", n=len(entries) - len(shown))] if len(shown) < len(entries) else []
    return page([text(f"### {speech.house('games.title')}", *shown, *more)])


def settings_page(settings: Preferences, speech: Texts) -> Page:
    """Return what a person has chosen, and how to change it."""
    dms = speech.house("settings.dms_on" if settings.dms else "settings.dms_off")
    theme = speech.house("settings.theme", theme=theme_label(settings.theme, speech.language))
    title = f"### {speech.house('settings.title')}"
    small = [f"-# {speech.house(key)}" for key in ("settings.public", "settings.change")]
    return page([text(title, f"✉️ {dms}", f"🎨 {theme}", *small)])


def label_of(line: MatchLine) -> str:
    """Return a match in one plain line, for a list to choose from."""
    table = line.table
    names = " – ".join(chair.name for chair in table.chairs)
    mark = "➡️ " if line.asked else ""
    return f"{mark}{game(table.game).manifest.title}: {names}"[:100]


def _entry(line: MatchLine, speech: Texts) -> str:
    table = line.table
    where = f"<#{table.thread_id or table.place.channel_id}>"
    names = speech.listing(safe(chair.name) for chair in table.chairs)
    sign = "➡️" if line.asked else "⏳"
    state = "games.asked" if line.asked else _STATES[table.status]
    since = f"<t:{int(line.since)}:R>"
    return f"{sign} **{game(table.game).manifest.title}** · {names} · {where} · {speech.house(state)} {since}"


_STATES = {
    Status.OPEN: "games.open",
    Status.RUNNING: "games.waiting",
    Status.OVER: "games.over",
    Status.CLOSED: "games.closed",
    Status.FROZEN: "games.frozen",
}
