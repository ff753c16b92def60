"""Turns that were taken back, in words."""

from __future__ import annotations

from collections.abc import Sequence

from bot.pages.texts import TableTexts, Texts
from engines.core.contract import Seat


def undone_lines(seats: Sequence[Seat], texts: Texts, table_texts: TableTexts) -> list[str]:
    """Return a line for each seat that has taken back its last turn."""
    return [texts.house("undo.undone", name=table_texts.seat_name(seat)) for seat in seats]
