"""The Secret of the Doge: a treasure hunt in the dark, together, for two to four."""

from engines.doge.game import Doge

GAME = Doge()
