"""A small game for the tests of the core: guess a hidden number, in secret and all at once.

First every seat arranges three letters in secret (a shuffle field, swaps that fold). Then, round by
round, each guesses in secret; a seat may peek at the number's parity once (a word that reveals) and
mark numbers for itself at any time (an aside). Whoever names the number wins.
"""

from tests.core.toy.game import Toy

GAME = Toy()
