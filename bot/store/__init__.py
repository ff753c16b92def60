"""Where matches are kept: a small protocol, and SQLite behind it."""

from bot.store.protocol import Conflict, Reader, Store, StoreError, Transaction
from bot.store.sqlite import open_store

__all__ = ["Conflict", "Reader", "Store", "StoreError", "Transaction", "open_store"]
