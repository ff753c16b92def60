"""What is done once after a backup was restored, before the bot serves again.

Everything shown since the backup was made is still on Discord. So:

- each table that is open or running gets a job that announces the restore, and the later draws of a match are
  keyed with the restore id, since those of the lost hours were seen;
- each table whose match has not begun, open or reopenable, gets a new shuffle part with its own hash;
- drafts get revisions that no panel of the lost hours can have;
- messages get nonces with the new restore id, since Discord would answer an old nonce with the old message.
"""

from __future__ import annotations

import logging
import secrets
from dataclasses import replace
from itertools import product

from bot.domain.jobs import JobKind, NewJob
from bot.domain.match import Draft, DraftRow
from bot.domain.tables import Status
from bot.matches.lobby import HASH_SURFACE
from bot.store import Store
from bot.store.backup import RESTORED_KEY
from engines.core.rng import SEED_BYTES
from engines.core.shuffle import part_hash

log = logging.getLogger(__name__)

RESTORE_ID = "era"
"""Key of the stored value that changes with every restore. Older versions use this key too, so it stays."""

JUMP = 100_000
"""Added to draft revisions: more than any draft changes between a backup and its restore."""

_ON = (Status.OPEN, Status.RUNNING, Status.FROZEN)


async def begin_after_restore(store: Store, now: float) -> bool:
    """Prepare the store if a backup was restored since the last start; return whether one was."""
    async with store.transaction() as transaction:
        restore_id = await transaction.value(RESTORED_KEY)
        if not restore_id:
            return False
        rows = [row for row in await transaction.tables_in(_ON, now) if row.info.status in _ON]
        for row in rows:
            stored = {(one.seat, one.aside): one.draft for one in await transaction.drafts(row.info.id)}
            seats = [c.seat for c in row.info.chairs if c.seat is not None and c.person is not None]
            for seat, aside in product(seats, (False, True)):
                draft = stored.get((seat, aside), Draft())
                moved = replace(draft, revision=draft.revision + JUMP)
                await transaction.save_draft(row.info.id, DraftRow(seat, aside, moved))
            await transaction.advance(row.info.id, await transaction.version(row.info.id) + 1)
        await transaction.set_restore_id(restore_id)
        for table_id in await transaction.unbegun():
            # A match that is void now may have revealed the old part at its end, and so the deal.
            part = secrets.token_bytes(SEED_BYTES)
            await transaction.replace_part(table_id, part, part_hash(part), HASH_SURFACE)
        # The records of shown messages are as old as the backup: the messages may have changed since.
        await transaction.mark_stale([row.info.id for row in rows])
        # Due before the jobs of every start, so that void messages are handled first.
        await transaction.enqueue(NewJob(row.info.id, JobKind.SET_BACK, due=now - 1.0) for row in rows)
        await transaction.enqueue(NewJob(row.info.id, JobKind.LOBBY, due=now) for row in rows)
        await transaction.set_value(RESTORE_ID, restore_id)
        await transaction.set_value(RESTORED_KEY, "")
    log.warning("backup restored: %d tables continue from it", len(rows))
    return True
