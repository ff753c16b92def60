"""The house's use cases: the one face that Discord, or any other surface, talks to.

No Discord and no SQL in here. What people do wrong raises :class:`bot.model.Refusal` and changes
nothing; a database that cannot be used raises :class:`bot.store.StoreError`.
"""

from __future__ import annotations

from bot.domain.jobs import Job, JobKind, Shown
from bot.domain.match import DrawState
from bot.domain.panels import StalePanel
from bot.domain.people import Preferences
from bot.matches.actions import Committing
from bot.matches.lobby import Lobby
from bot.matches.outbox import Outbox
from bot.matches.queries import Looking

__all__ = ["DrawState", "Job", "JobKind", "Preferences", "Shown", "StalePanel", "Tables"]


class Tables(Lobby, Looking, Committing, Outbox):
    """All use cases over one store. One instance serves a process; call :meth:`resume` first."""
