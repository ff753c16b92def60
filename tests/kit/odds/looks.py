"""Odds and Evens: a board in the middle of a match, and what a player sees beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tests.renderers.looks.base import Look, look, play, start

LOOKS: Mapping[str, Callable[[], Look]] = {
    "board": lambda: look(play(start("odds"), "1", "2", "3"), None),
    "private": lambda: look(play(start("odds"), "1", "2"), 0, "3"),
}
