"""Where matches are kept: SQLite, in a file that one process serves."""

from bot.store.prepare import StoreError
from bot.store.reader import Reader
from bot.store.records import BrokenRecord
from bot.store.sqlite import Store, open_store
from bot.store.transaction import Transaction
from bot.store.writer import Conflict

__all__ = ["BrokenRecord", "Conflict", "Reader", "Store", "StoreError", "Transaction", "open_store"]
