"""From memory to the store: what differs between two versions of a table."""

from __future__ import annotations

from bot.domain.tables import TableRow
from bot.matches.loaded_table import LoadedTable
from bot.matches.seat_drafts import NO_DRAFTS
from bot.store import Transaction


async def save_changes(transaction: Transaction, old: LoadedTable | None, new: LoadedTable) -> None:
    """Write what ``new`` has and ``old`` has not; ``old`` ``None``: all of it.

    Raises :class:`Conflict` where the log has grown meanwhile.
    """
    table_id = new.row.info.id
    if old is None or new.row != old.row:
        await _save_row(transaction, None if old is None else old.row, new.row)
    if new.log is not None:
        known = 0 if old is None or old.log is None else len(old.log.rows)
        for row in new.log.rows[known:]:
            await transaction.append(table_id, row)
    for seat, drafts in new.drafts.items():
        before = NO_DRAFTS if old is None else old.drafts.get(seat, NO_DRAFTS)
        if drafts is not before:
            for draft in drafts.changed_rows(seat, before):
                await transaction.save_draft(table_id, draft)


async def _save_row(transaction: Transaction, old: TableRow | None, new: TableRow) -> None:
    await transaction.save_table(new)
    if old is None or new.info.chairs != old.info.chairs or new.invited != old.invited:
        await transaction.save_chairs(new)
    elif new.asked != old.asked:
        # By far the most frequent change of a chair.
        await transaction.save_asked(new)
