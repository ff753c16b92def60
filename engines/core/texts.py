"""Catalogues of texts: one JSON file per language, keys to templates.

A template has gaps in braces, ``{name}``. A template may be an object ``{"one": …, "other": …}``:
the form is chosen by the argument ``n``. A missing language falls back to English; English must be
complete: a key that is missing there raises.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from engines.core.contract import Fact, Game, Msg, Seat, SeatName
from engines.core.optional_methods import Storyteller, Summarizing

Template: TypeAlias = "str | Mapping[str, str]"
NameOf: TypeAlias = Callable[[Seat], str]

_GAP = re.compile(r"\{(\w+)\}")
FALLBACK = "en"


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """The texts of one package in every language that it has."""

    languages: Mapping[str, Mapping[str, Template]] = field(repr=False)

    def render(self, message: Msg, name_of: NameOf, language: str = FALLBACK) -> str:
        """Return ``message`` in ``language``.

        Raises ``KeyError`` for a key that English lacks, and for a gap that no argument fills.
        """
        template, arguments = self._template(message, language), dict(message.args)

        def fill(gap: re.Match[str]) -> str:
            if gap[1] not in arguments:
                raise KeyError(f"nothing fills {gap[0]} in the text {message.key!r}")
            value = arguments[gap[1]]
            if isinstance(value, SeatName):
                return name_of(value.seat)
            return self.render(value, name_of, language) if isinstance(value, Msg) else str(value)

        # In one pass: a player called {seat} must not be read as a gap.
        return _GAP.sub(fill, template)

    def _template(self, message: Msg, language: str) -> str:
        texts = self.languages.get(language, {})
        found = texts[message.key] if message.key in texts else self.languages[FALLBACK][message.key]
        if isinstance(found, str):
            return found
        return found["one" if dict(message.args).get("n") == 1 else "other"]


@cache
def load(package: str) -> Catalogue:
    """Return the catalogue in ``package``'s folder ``locale``; raises if English is missing."""
    folder = files(package) / "locale"
    languages = {
        item.name.removesuffix(".json"): json.loads(item.read_text("utf-8"))
        for item in folder.iterdir()
        if item.name.endswith(".json")
    }
    if FALLBACK not in languages:
        raise FileNotFoundError(f"{package}/locale/{FALLBACK}.json")
    return Catalogue(languages)


@cache
def rules(game: str) -> str:
    """Return the game's ``RULES.md``, which is written for players."""
    return (files(f"engines.{game}") / "RULES.md").read_text("utf-8")


def story(game: Game[Any, Any], facts: Sequence[Fact]) -> tuple[Msg, ...]:
    """Return sentences for consecutive facts: the game's own summary, or one for each fact that has one."""
    if isinstance(game, Storyteller):
        return game.retell(facts)
    told = (game.narrate(fact) for fact in facts)
    return tuple(message for message in told if message is not None)


def summary(game: Game[Any, Any], view: Any) -> Msg | None:
    """Return the line that says how a match stands; ``None`` if its game has none."""
    return game.summary(view) if isinstance(game, Summarizing) else None
