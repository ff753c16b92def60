"""Catalogues of texts: one JSON file per language, keys to templates.

A template has gaps in braces, ``{name}``. It may be an object instead: ``{"one": …, "other": …}`` has a form
for each plural category of the language, and the argument ``n`` chooses; ``{"by": "piece", "guard": …,
"other": …}`` has a form for each value of the argument ``piece``. Both can be nested.

A missing language or text falls back to English, which must be complete.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from engines.core.contract import Arg, Fact, Game, Msg, Seat, SeatName, Words
from engines.core.languages import FALLBACK, LANGUAGES
from engines.core.optional_methods import Storyteller, Summarizing, Telling
from engines.core.text_notes import NOTES_SUFFIX

Template: TypeAlias = "str | Mapping[str, Template]"
NameOf: TypeAlias = Callable[[Seat], str]

CHOSEN_BY = "by"
"""In an object: the argument that chooses between its forms."""

OTHER = "other"
"""The form for everything that has none of its own."""

_GAP = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True, eq=False)
class Catalogue:
    """The texts of one package in every language that it has."""

    languages: Mapping[str, Mapping[str, Template]] = field(repr=False)

    def render(self, message: Msg, name_of: NameOf, language: str = FALLBACK) -> str:
        """Return ``message`` in ``language``.

        Raises ``KeyError`` for a key that English lacks, and for a gap or a choice of forms that no argument
        fills.
        """
        arguments = dict(message.args)
        spoken = language if message.key in self.languages.get(language, {}) else FALLBACK
        template = _form(self.languages[spoken][message.key], message.key, arguments, spoken)

        def fill(gap: re.Match[str]) -> str:
            if gap[1] not in arguments:
                raise KeyError(f"nothing fills {gap[0]} in the text {message.key!r}")
            return self._shown(arguments[gap[1]], name_of, language)

        # In one pass: a player called {seat} must not be read as a gap.
        return _GAP.sub(fill, template)

    def _shown(self, value: Arg, name_of: NameOf, language: str) -> str:
        if isinstance(value, Msg):
            return self.render(value, name_of, language)
        if isinstance(value, tuple):
            return listing([self._shown(item, name_of, language) for item in value], language)
        return name_of(value.seat) if isinstance(value, SeatName) else str(value)


def listing(items: Sequence[str], language: str = FALLBACK) -> str:
    """Return a list as it stands in a sentence, such as “a, b and c”."""
    return LANGUAGES.get(language, LANGUAGES[FALLBACK]).join(list(items))


def forms(template: Template) -> list[str]:
    """Return all forms of a text."""
    if isinstance(template, str):
        return [template]
    return [said for name, form in template.items() if name != CHOSEN_BY for said in forms(form)]


def _form(template: Template, key: str, arguments: Mapping[str, Arg], language: str) -> str:
    if isinstance(template, str):
        return template
    chooser = template.get(CHOSEN_BY, "n")
    if not isinstance(chooser, str) or chooser not in arguments:
        raise KeyError(f"nothing chooses the form of the text {key!r}")
    value = arguments[chooser]
    if CHOSEN_BY in template:
        chosen = value.key if isinstance(value, Msg) else str(value)
    elif isinstance(value, int):
        chosen = LANGUAGES[language].plural(value)
    else:
        raise KeyError(f"n is no number in the text {key!r}")
    form = template[chosen] if chosen in template else template[OTHER]
    return _form(form, key, arguments, language)


@cache
def load(package: str) -> Catalogue:
    """Return the catalogue in ``package``'s folder ``locale``; raises if English is missing."""
    folder = files(package) / "locale"
    names = [item.name.removesuffix(".json") for item in folder.iterdir() if item.name.endswith(".json")]
    languages = {
        name: json.loads((folder / f"{name}.json").read_text("utf-8"))
        for name in names
        if not name.endswith(NOTES_SUFFIX)
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


def drafted(game: Game[Any, Any], preview: Any) -> tuple[Msg, ...]:
    """Return what the draft of a preview does, if its menu's prompt does not tell that."""
    return game.tell(preview) if isinstance(game, Telling) else ()


def sentence(game: Game[Any, Any], view: Any, words: Words) -> tuple[Msg, ...]:
    """Return what a whole sentence of the viewer's seat does; raises as :meth:`Game.menu` does."""
    found, menu = drafted(game, game.preview(view, words)), game.menu(view, words)
    # A prompt with nothing left to choose asks nothing: it tells.
    return found if menu is None or (found and menu.fields) else (*found, menu.prompt)
