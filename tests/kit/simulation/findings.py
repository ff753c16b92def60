"""Findings of audits, and the evidence that they need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from tests.kit.simulation.database import Database
from tests.kit.simulation.discord import Discord
from tests.kit.simulation.ledger import Ledger
from tests.kit.simulation.people import Told

KNOWN_LIMITS = frozenset({"late table", "late board", "late panel", "late question", "late motion",
                          "late seat offer", "late reminder", "late hash"})  # fmt: skip
"""A known limit: a message or edit that a killed bot had sent, or a running one had given up, and that was
executed only after the bot had searched for it. For a panel, this leaves buttons that redraw it and commit
nothing."""

JUDGED_WITHIN = 60.0
"""Seconds after a deadline within which it is enforced: the loop sleeps for at most half a minute."""


BELATED = 600.0
"""Boards keep their deadlines after outages of up to so many seconds."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A violation, and where it was found."""

    kind: str
    text: str


class Evidence(Protocol):
    """What an audit needs of the world."""

    database: Database
    discord: Discord
    told: Told
    deleted: set[tuple[str, str]]
    tables_gone: dict[int, str]
    ledger: Ledger

    def wall(self) -> float: ...

    def ask_database(self, sql: str) -> list[tuple[Any, ...]]: ...
