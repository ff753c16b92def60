"""Proof that nobody chose a shuffle: the hash first, then the ids, and the bot's part at the end."""

from __future__ import annotations

from bot.domain.tables import TableInfo
from bot.pages.page import Page, page, text
from bot.pages.texts import Texts, title_of

HASH_MARKER = 901
"""The component id that marks the message with a table's hash."""


def hash_page(table: TableInfo, texts: Texts) -> Page:
    """Return the message with the hash of the bot's part. It pings nobody, and is never edited."""
    title = texts.house("shuffle.title", game=title_of(table.game))
    lines = [f"🎲 {title}", f"`{table.commitment}`", f"-# {texts.house('shuffle.promise')}"]
    return page([text(*lines)], marker=HASH_MARKER)


def shuffle_lines(table: TableInfo, texts: Texts, *, part: bytes | None = None) -> list[str]:
    """Return hash, part and ids as small lines, if they exist; ``part``: once the match is over.

    The list is empty for a match that began before the bot drew parts.
    """
    if not table.is_mixed:
        return []
    lines = [texts.house("shuffle.hash", hash=table.commitment)]
    if part is not None:
        lines.append(texts.house("shuffle.part", part=part.hex()))
    ids = texts.listing(f"`{each}`" for each in table.join_ids)
    lines.append(texts.house("shuffle.joins", n=len(table.join_ids), ids=ids))
    if table.start_id:
        lines.append(texts.house("shuffle.start", id=table.start_id))
    return [f"-# {line}" for line in lines]


def join_receipt(table: TableInfo, person: int, texts: Texts) -> str:
    """Return a line with a person's id in a table's shuffle; empty if they have none."""
    sitting = (chair for chair in table.chairs if chair.person is not None and chair.person.id == person)
    found = next((chair.join_id for chair in sitting), "")
    return f"-# {texts.house('shuffle.your_join', id=found)}" if found else ""


def start_receipt(table: TableInfo, texts: Texts) -> str:
    """Return a line with the id of *Start*; empty if the table has none."""
    return f"-# {texts.house('shuffle.your_start', id=table.start_id)}" if table.start_id else ""
