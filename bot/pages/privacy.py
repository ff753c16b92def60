"""The pages of ``/privacy``: what is stored, the export, and the confirmation before deleting all of it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from typing import Any

import discord

from bot.domain.tables import TableInfo
from bot.pages.custom_ids import HOUSE, Button, ButtonId
from bot.pages.page import Page, Upload, button, page, rows, text
from bot.pages.texts import Texts, match_link, match_numbers

EXPORT_FILE = "my-data.json"

PLAIN_LIMIT = 8 << 20
"""Bytes up to which the export is sent uncompressed: a message takes about ten MiB."""

LISTED = 20
"""Maximum blocking matches that are listed."""


def privacy_page(texts: Texts) -> Page:
    """Return a plain description of what is stored, with buttons to export and delete one's own data."""
    export = button(texts.house("privacy.export"), ButtonId(HOUSE, Button.EXPORT))
    delete = button(texts.house("privacy.delete"), ButtonId(HOUSE, Button.DELETE), discord.ButtonStyle.danger)
    return page([text(texts.house("privacy.text")), *rows([export, delete])])


def export_page(data: Mapping[str, Any], texts: Texts) -> Page:
    """Return the page with the file of everything that is stored about a person."""
    content = json.dumps(data, indent=1, ensure_ascii=False).encode()
    upload = Upload(EXPORT_FILE, content)
    if len(content) > PLAIN_LIMIT:
        upload = Upload(f"{EXPORT_FILE}.gz", gzip.compress(content))
    return page([text(texts.house("privacy.exported")), discord.ui.File(upload.uri)], [upload])


def delete_page(texts: Texts) -> Page:
    """Return the question before everything is deleted."""
    sure = button(texts.house("privacy.sure"), ButtonId(HOUSE, Button.DELETE_ALL), discord.ButtonStyle.danger)
    return page([text(texts.house("privacy.ask", name=texts.house("former.name"))), *rows([sure])])


def blocked_page(tables: Iterable[TableInfo], texts: Texts) -> Page:
    """Return the list of running matches that block the deletion, and how to leave them."""
    listed = list(tables)
    number = match_numbers(listed, texts)
    lines = [f"- {match_link(table, texts, number[table.id])}" for table in listed]
    more = [texts.house("games.more", n=len(lines) - LISTED)] if len(lines) > LISTED else []
    return page([text(texts.house("privacy.blocked"), *lines[:LISTED], *more)])
