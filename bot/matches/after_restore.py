"""After a backup was put back: what the house must do once, before it serves again.

What people were shown after the backup was made is still on Discord. So every match that is on gets a job
that tells its thread; drafts get numbers that no panel of the lost hours can carry; and messages are sent
under nonces of a new era, since Discord would answer an old nonce with the old message.
"""

from __future__ import annotations

import logging
from dataclasses import replace

from bot.domain.drafts import Draft, DraftRow
from bot.domain.jobs import JobKind, NewJob
from bot.domain.tables import Status, TableRow
from bot.store import Store, Transaction
from bot.store.copying import SET_BACK

log = logging.getLogger(__name__)

RESTORE_ID = "era"
"""The house's value that is new after every backup that was put back."""

JUMP = 100_000
"""More changes than any draft sees between a backup and its return."""

_ON = (Status.OPEN, Status.RUNNING, Status.FROZEN)


async def begin_after_restore(store: Store, now: float) -> bool:
    """Prepare what follows from a backup that was put back; return whether one was."""
    async with store.transaction() as transaction:
        era = await transaction.value(SET_BACK)
        if not era:
            return False
        rows = [row for row in await transaction.tables_in(_ON, now) if row.info.status in _ON]
        for row in rows:
            await _renumber(transaction, row)
        # They are due before what every start looks after: what is void goes first.
        await transaction.enqueue(NewJob(row.info.id, JobKind.SET_BACK, due=now - 1.0) for row in rows)
        await transaction.set_value(RESTORE_ID, era)
        await transaction.set_value(SET_BACK, "")
    log.warning("a backup was put back: %d matches go on from it", len(rows))
    return True


async def _renumber(transaction: Transaction, row: TableRow) -> None:
    """Let the revisions of a match's drafts begin beyond all that was ever shown."""
    stored = {(one.seat, one.aside): one.draft for one in await transaction.drafts(row.info.id)}
    for chair in row.info.chairs:
        if chair.seat is not None and chair.person is not None:
            for aside in (False, True):
                draft = stored.get((chair.seat, aside), Draft())
                moved = replace(draft, revision=draft.revision + JUMP)
                await transaction.save_draft(row.info.id, DraftRow(chair.seat, aside, moved))
