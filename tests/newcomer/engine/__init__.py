"""Odds and evens: the smallest game with a secret, and the example of docs/adding-a-game.md."""

from tests.newcomer.engine.game import GAME as GAME
