"""The private panel of one seat, and the clicks on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from bot.domain.match import Told
from bot.domain.refusals import Refusal
from bot.domain.tables import TableInfo
from engines.core.contract import Menu, Msg, Outcome, Seat, Words


@dataclass(frozen=True, slots=True)
class Panel:
    """All that a seat's private panel shows."""

    table: TableInfo
    seat: Seat
    view: Any = field(repr=False)
    """The preview of the draft, or the seat's view where nothing is drafted."""
    menu: Menu | None = field(repr=False)
    """What may be said next; ``None``: nothing is asked of the seat and nothing open to it."""
    draft: Words = field(repr=False)
    decision: str
    revision: int
    waiting: tuple[Seat, ...]
    told: tuple[Told, ...] = field(repr=False)
    """What the seat learned since its own last act."""
    preset: Words | None = field(repr=False)
    """The last sentence that this person kept for this menu, where it may be said now."""
    notes: tuple[Msg, ...] = field(default=(), repr=False)
    """What changed under the person's hands (the house's own texts): stale click, cut draft, refusal."""
    refusal: Msg | None = field(default=None, repr=False)
    """Why the game refused the last word, a text of the game's catalogue."""
    reveals: bool = False
    """The draft's last word lets the seat learn something hidden: once confirmed, it stands."""
    draw_offers: tuple[Seat, ...] = ()
    outcome: Outcome | None = None
    learned: tuple[Told, ...] = field(default=(), repr=False)
    """What the seat learned by its own last act, and the public did not; it stands until its next act."""

    @property
    def asked(self) -> bool:
        """Return whether the match waits for this seat."""
        return self.seat in self.waiting


@dataclass(frozen=True, slots=True)
class Click:
    """Where a click on a panel came from: what the panel showed when it was drawn."""

    table_id: str
    decision: str
    revision: int


class StalePanel(Refusal):
    """The panel was out of date: nothing was committed. ``panel`` is how it looks now."""

    def __init__(self, msg: Msg, panel: Panel) -> None:
        super().__init__(msg)
        self.panel = panel
