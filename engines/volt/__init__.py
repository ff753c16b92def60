"""VOLT: robots programmed in secret, for two to four."""

from engines.volt.game import Volt

GAME = Volt()
"""VOLT behind the house's contract."""
