"""From memory to the store: what differs between two versions of a table."""

from __future__ import annotations

from bot.domain.drafts import DraftRow
from bot.matches.loaded_table import LoadedTable
from bot.matches.seat_drafts import SeatDrafts
from bot.store import Transaction


async def save_changes(transaction: Transaction, old: LoadedTable | None, new: LoadedTable) -> None:
    """Write what ``new`` has and ``old`` has not; ``old`` ``None``: all of it.

    Raises :class:`Conflict` where the log has grown meanwhile.
    """
    await _save_row(transaction, old, new)
    if new.log is not None:
        known = old.rows if old is not None else 0
        for row in new.log.rows[known:]:
            await transaction.append(new.id, row)
    for draft in _changed_drafts(old, new):
        await transaction.save_draft(new.id, draft)


async def _save_row(transaction: Transaction, old: LoadedTable | None, new: LoadedTable) -> None:
    # Most acts change nothing here, or only who is asked.
    row, before = new.row, None if old is None else old.row
    if row == before:
        return
    await transaction.save_table(row)
    if before is None or row.info.chairs != before.info.chairs or row.invited != before.invited:
        await transaction.save_chairs(row)
    elif row.asked != before.asked:
        await transaction.save_asked(row)


def _changed_drafts(old: LoadedTable | None, new: LoadedTable) -> list[DraftRow]:
    changed: list[DraftRow] = []
    for seat, drafts in new.drafts.items():
        before = SeatDrafts() if old is None else old.drafts_of(seat)
        changed += [row for row, was in zip(drafts.rows(seat), before.rows(seat), strict=True) if row != was]
    return changed
