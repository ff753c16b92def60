"""VOLTO: a duel of hidden masks on St Mark's Square, for two."""

from engines.volto.game import Volto

GAME = Volto()
