"""Volo, by Dieter Stein: bring all your birds together into one flock. For two."""

from engines.volo.game import Volo

GAME = Volo()
