"""Messages as they read, for tests that are about something else than names."""

from __future__ import annotations

from typing import Any

from engines.core.names import without_isolates
from tests.kit import components


def text_of(message: dict[str, Any]) -> str:
    """Return a message's texts, without what isolates names."""
    return without_isolates(components.text_of(message))
