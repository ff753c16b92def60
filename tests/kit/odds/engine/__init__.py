"""Odds and Evens: rules, view and texts."""

from tests.kit.odds.engine.game import GAME as GAME
