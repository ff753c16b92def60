"""CORTO: six adventures, their characters, and gold."""

from engines.corto.game import Corto

GAME = Corto()
