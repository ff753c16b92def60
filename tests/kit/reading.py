"""Texts of messages, for tests that do not concern names."""

from __future__ import annotations

from typing import Any

from engines.core.names import without_isolates
from tests.kit import components


def text_of(message: dict[str, Any]) -> str:
    """Return a message's text without the characters that isolate names."""
    return without_isolates(components.text_of(message))
