"""All tables of the database, one description each: what is stored, exported, deleted or kept.

A new column is added here and in both folders of ``migrations``; a new table is also listed below.
"""

from __future__ import annotations

from typing import Any

from bot.store.schema import Table
from bot.store.tables.matches import (
    CHAIR,
    DRAFT,
    FIRST_JOIN,
    FORMER_HOLDER,
    HELD_SEAT,
    INVITATION,
    LOG,
    MATCH,
    SEAT_OFFER,
)
from bot.store.tables.people import COUNTED_ACT, DM_CHANNEL, HOLIDAY, LESSON, PERSON, PRESET, SERVER
from bot.store.tables.results import ENDING, RESULT
from bot.store.tables.work import HOUSE, JOB, LEASE, MIGRATION, REQUEST, RETIRED, SHOWN

TABLES: tuple[Table[Any], ...] = (
    PERSON,
    DM_CHANNEL,
    PRESET,
    LESSON,
    MATCH,
    CHAIR,
    FIRST_JOIN,
    HOLIDAY,
    FORMER_HOLDER,
    SEAT_OFFER,
    INVITATION,
    LOG,
    DRAFT,
    ENDING,
    RESULT,
    COUNTED_ACT,
    REQUEST,
    SHOWN,
    JOB,
    HELD_SEAT,
    SERVER,
    RETIRED,
    HOUSE,
    LEASE,
    MIGRATION,
)
"""All tables; topics of the export have their order."""
