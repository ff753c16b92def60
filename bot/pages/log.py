"""The log of a match, limited to what its reader may know."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import discord

from bot.domain.match import LogLine
from bot.domain.tables import Status, TableInfo
from bot.pages.board import FILM
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import Block, Page, Upload, button, gallery, page, rows, text, upload
from bot.pages.questions import undone_lines
from bot.pages.shuffle import shuffle_lines
from bot.pages.texts import TableTexts, Texts, last_lines, match_link
from renderers.core.contract import Picture

LOG_LIMIT = 3_000
"""Maximum characters of the log in the message; the attached file has all of it."""

# Plain text, without markup: nothing would render it.
LOG_FILE = "log.txt"
REPLAY_FILE = "replay.json"


def log_page(
    table: TableInfo,
    lines: Sequence[LogLine],
    replay: Mapping[str, Any] | None,
    texts: Texts,
    film: Picture | None = None,
    *,
    turning_points: bool = False,
) -> Page:
    """Return a match's log as its reader may know it, with ``replay`` and ``film`` once the match is over.

    ``turning_points``: whether they can be found, and the reader may see them.
    """
    table_texts = TableTexts(texts, table)
    said = [
        f"{line.number}. {sentence}" for line in lines for sentence in _sentences(line, texts, table_texts)
    ]
    title = f"### {texts.house('log.title', match=match_link(table, texts))}"
    body = last_lines(said, LOG_LIMIT) or [texts.house("log.empty")]
    cut = [texts.house("log.cut")] if len(body) < len(said) else []
    blocks: list[Block] = [text(title, *cut, *body, *_proof(table, replay, texts))]
    uploads: list[Upload] = []
    if said:
        plain = "\n".join(discord.utils.remove_markdown(sentence) for sentence in said)
        uploads.append(Upload(LOG_FILE, plain.encode()))
    if replay is not None:
        uploads.append(Upload(REPLAY_FILE, json.dumps(replay, indent=1, ensure_ascii=False).encode()))
    blocks += [discord.ui.File(one.uri) for one in uploads]
    if film is not None:
        uploads.append(upload(FILM, film))
        blocks.append(gallery(uploads[-1]))
    buttons = []
    if len(lines) > 1:
        buttons.append(button(texts.house("board.before"), ButtonId(table.id, Button.BEFORE)))
    if turning_points:
        buttons.append(button(texts.house("turning.button"), ButtonId(table.id, Button.TURNING_POINTS)))
    return page([*blocks, *rows(buttons)], uploads)


def _sentences(line: LogLine, texts: Texts, table_texts: TableTexts) -> list[str]:
    names = texts.listing(map(table_texts.seat_name, line.lapsed))
    lapsed = [texts.house("clock.lapsed", names=names)] if line.lapsed else []
    undone = undone_lines(() if line.undone is None else (line.undone,), texts, table_texts)
    return [*undone, *lapsed, *table_texts.narration(line.told)]


def _proof(table: TableInfo, replay: Mapping[str, Any] | None, texts: Texts) -> list[str]:
    """Return how to check that nobody has influenced the randomness."""
    over = replay is not None
    if table.is_mixed:
        lines = shuffle_lines(table, texts, part=None if replay is None else bytes.fromhex(replay["part"]))
        # A closed match never shows its part.
        if table.status is not Status.CLOSED:
            lines.append(texts.house("log.shuffle_over" if over else "log.shuffle"))
        return lines
    return [texts.house("log.seed", commitment=table.commitment) if over else texts.house("log.hash")]
