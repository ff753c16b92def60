"""Names that nobody chose, in each language: of computer players, and of people who deleted their data.

Tables store no words for them: a computer player has a number, and a person who deleted their data no name.
"""

from __future__ import annotations

from bot.domain.tables import Chair, Person, is_former
from engines.core import texts
from engines.core.contract import msg
from engines.core.languages import FALLBACK
from engines.core.match import AnyGame
from engines.core.optional_methods import Level, Thinking


def chair_name(game: AnyGame | None, chair: Chair, language: str = FALLBACK) -> str:
    """Return the name on a chair; empty for a computer player without number, who is called by its side.

    ``game`` ``None``: it is not installed.
    """
    if chair.person is None:
        return computer_name(game, chair.level, chair.computer_number, language) if chair.name else ""
    return chair.name or person_name(chair.person, language)


def person_name(person: Person, language: str = FALLBACK) -> str:
    """Return a person's name, or what stands for one who has deleted their data; empty in lessons."""
    return person.name or (_former_player(language) if is_former(person.id) else "")


def computer_name(game: AnyGame | None, level: Level | None, number: int, language: str = FALLBACK) -> str:
    """Return a computer player's name: that of its level in the game, or a generic one.

    ``number`` is shown from 2 on after the name of a level, and from 1 on after the generic one.
    """
    house = texts.load("bot")
    if game is None or level is None or not isinstance(game, Thinking):
        return house.render(msg("computer.name", n=number), str, language)
    name = texts.load(f"engines.{game.manifest.key}").render(game.level_names[level], str, language)
    if number == 1:
        return name
    return house.render(msg("computer.another", level_name=name, n=number), str, language)


def _former_player(language: str) -> str:
    return texts.load("bot").render(msg("former.name"), str, language)
