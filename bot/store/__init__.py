"""Where matches are kept: SQLite, in a file that one process serves."""

from bot.store.errors import Conflict, StoreError
from bot.store.protocol import Store
from bot.store.reader import Reader
from bot.store.sqlite import open_store
from bot.store.transaction import Transaction

__all__ = ["Conflict", "Reader", "Store", "StoreError", "Transaction", "open_store"]
