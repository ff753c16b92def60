"""After a backup was restored: what is done once, before the bot serves again.

What people were shown after the backup was made is still on Discord. So every match that is on gets a job
that tells its thread, and its draws are keyed with the restore from then on, since those of the lost hours
were seen; a table whose match has not begun gets another part of its shuffle, with a hash of its own, whether
it is open or can be opened again; drafts get revisions that no panel of the lost hours can have; and messages
get nonces with a new restore id, since Discord would answer an old nonce with the old message.
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
from bot.store.backup import SET_BACK
from engines.core.rng import SEED_BYTES
from engines.core.shuffle import part_hash

log = logging.getLogger(__name__)

RESTORE_ID = "era"
"""The house's value that is new after every restore. The key is older than its name, and stays."""

JUMP = 100_000
"""More changes than any draft sees between a backup and its return."""

_ON = (Status.OPEN, Status.RUNNING, Status.FROZEN)


async def begin_after_restore(store: Store, now: float) -> bool:
    """Prepare all of this if a backup was restored since the last start; return whether one was."""
    async with store.transaction() as transaction:
        restore_id = await transaction.value(SET_BACK)
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
            # It may have been shown, at the end of a match that is void now: the deal would be known.
            part = secrets.token_bytes(SEED_BYTES)
            await transaction.replace_part(table_id, part, part_hash(part), HASH_SURFACE)
        # What is noted of messages is as old as the backup: they may have shown more since then.
        await transaction.doubt([row.info.id for row in rows])
        # These jobs are due before those of every start: what is void goes first.
        await transaction.enqueue(NewJob(row.info.id, JobKind.SET_BACK, due=now - 1.0) for row in rows)
        await transaction.enqueue(NewJob(row.info.id, JobKind.LOBBY, due=now) for row in rows)
        await transaction.set_value(RESTORE_ID, restore_id)
        await transaction.set_value(SET_BACK, "")
    log.warning("a backup was put back: %d matches go on from it", len(rows))
    return True
