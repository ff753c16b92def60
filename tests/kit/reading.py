"""Texts of messages, for tests that concern neither names nor mentions of commands."""

from __future__ import annotations

from typing import Any

from bot.pages.mentions import without_mentions
from engines.core.names import FIRST_STRONG, POP
from tests.kit import components


def without_isolates(text: str) -> str:
    """Return a text without isolates, as it is typed and compared."""
    return text.replace(FIRST_STRONG, "").replace(POP, "")


def text_of(message: dict[str, Any]) -> str:
    """Return a message's text without the characters that isolate names, and with commands in plain words."""
    return without_mentions(without_isolates(components.text_of(message)))
