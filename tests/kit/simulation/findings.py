"""What an audit says, and what it needs of the world."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from tests.kit.simulation.database import Database
from tests.kit.simulation.discord import Discord
from tests.kit.simulation.ledger import Ledger
from tests.kit.simulation.people import Told

KNOWN_LIMITS = frozenset({"late table", "late board", "late panel", "late question", "late motion",
                          "late seat offer", "late reminder", "late hash"})  # fmt: skip
"""What may be left: a message or an edit that a dead house had sent, or one that a living house had given up,
and that Discord carried out only after it had been looked for. For a panel that means: buttons that redraw it
and commit nothing."""

JUDGED_WITHIN = 60.0
"""Seconds after a deadline within which it is judged: the loop sleeps for half a minute at most."""


BELATED = 600.0
"""Seconds of an outage up to which boards go on to show the deadlines from before it."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What must not be, and where."""

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
