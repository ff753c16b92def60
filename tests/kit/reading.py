"""Texts of messages, for tests that do not concern names."""

from __future__ import annotations

from typing import Any

from engines.core.names import FIRST_STRONG, POP
from tests.kit import components


def without_isolates(text: str) -> str:
    """Return a text without isolates, as it is typed and compared."""
    return text.replace(FIRST_STRONG, "").replace(POP, "")


def text_of(message: dict[str, Any]) -> str:
    """Return a message's text without the characters that isolate names."""
    return without_isolates(components.text_of(message))
