"""From memory to the store: what differs between two versions of a table."""

from __future__ import annotations

from bot.matches.loaded_table import LoadedTable
from bot.matches.seat_drafts import NO_DRAFTS
from bot.store import Transaction


async def save_changes(transaction: Transaction, old: LoadedTable | None, new: LoadedTable) -> None:
    """Write what ``new`` has and ``old`` has not; ``old`` ``None``: all of it.

    Raises :class:`Conflict` where the log has grown meanwhile.
    """
    row, before = new.row, None if old is None else old.row
    if row != before:
        await transaction.save_table(row)
        if before is None or row.info.chairs != before.info.chairs or row.invited != before.invited:
            await transaction.save_chairs(row)
        elif row.asked != before.asked:
            # By far the most frequent change of a chair.
            await transaction.save_asked(row)
    if new.log is not None:
        known = 0 if old is None or old.log is None else len(old.log.rows)
        for entry in new.log.rows[known:]:
            await transaction.append(row.info.id, entry)
    for seat, drafts in new.drafts.items():
        former = NO_DRAFTS if old is None else old.drafts.get(seat, NO_DRAFTS)
        if drafts is not former:
            for draft in drafts.changed_rows(seat, former):
                await transaction.save_draft(row.info.id, draft)
