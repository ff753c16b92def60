"""The house's use cases: the one face that Discord, or any other surface, talks to.

No Discord and no SQL in here. What people do wrong raises :class:`bot.model.Refusal` and changes
nothing; a database that cannot be used raises :class:`bot.store.StoreError`.
"""

from __future__ import annotations

from bot.committing import Committing
from bot.lobby import Lobby
from bot.looking import Looking
from bot.outbox import Outbox
from bot.records import DrawState, Job, JobKind, Settings, Shown, StalePanel

__all__ = ["DrawState", "Job", "JobKind", "Settings", "Shown", "StalePanel", "Tables"]


class Tables(Lobby, Looking, Committing, Outbox):
    """All use cases over one store. One instance serves a process; call :meth:`resume` first."""
