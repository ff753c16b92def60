"""Storage of matches: SQLite, a file for one process, or PostgreSQL, shared by several."""

from bot.store.errors import BrokenRecord, Conflict, DatabaseReplaced, StoreError, Unreachable
from bot.store.opening import open_store
from bot.store.personal import SCRUB
from bot.store.protocol import Store
from bot.store.reader import WITHOUT_RESULT, Reader
from bot.store.sharing import Change, Sharing
from bot.store.transaction import Transaction

__all__ = [
    "SCRUB",
    "WITHOUT_RESULT",
    "BrokenRecord",
    "Change",
    "Conflict",
    "DatabaseReplaced",
    "Reader",
    "Sharing",
    "Store",
    "StoreError",
    "Transaction",
    "Unreachable",
    "open_store",
]
