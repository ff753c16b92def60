"""The baseline player: a random walk of the menu, which plays every game from its first day."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from engines.core.contract import Choice, Field, Menu, Words
from engines.core.match import AnyGame
from engines.core.rng import Rng, Stream

STOP = (1, 2)
"""How often the player stops where the menu offers to confirm."""

ASIDE = (1, 4)
"""How often it begins with an aside, if it may and there is one."""

PATIENCE = 32
"""Words after which it stops at the first complete draft."""

LOOKS = 2_000
"""Menus after which it gives up: a menu that leads on for ever is the game's mistake."""


@dataclass(slots=True, repr=False)
class _Place:
    """A draft on the way, and the words already tried from it. ``ended``: its last word reveals."""

    menu: Menu
    tried: set[str] = field(default_factory=set)
    ended: bool = False


def walk(game: AnyGame, view: Any, menu: Menu, rng: Rng, *, asides: bool = False) -> Words:
    """Return a whole sentence, drawn word by word from ``menu`` and those that follow it.

    It stops at a complete draft: always where nothing can be added or the last word reveals
    something, by chance where the menu offers to confirm. Out of a dead end it steps back, and it
    never visits a draft twice, so that it ends. Asides are left alone unless ``asides`` is set:
    then it takes one now and then, and always where there is nothing else.
    Raises ``ValueError`` where no whole sentence begins with ``menu.draft``.
    """
    stream = rng.stream("walk")
    path = [_Place(menu)]
    seen = {menu.draft}
    for _ in range(LOOKS):
        place = path[-1]
        fields = _open_fields(place, stream, asides=asides)
        if _stops(place, fields, stream, len(path)):
            return place.menu.draft
        if not fields:
            path.pop()
            if not path:
                raise ValueError("no sentence begins here")
            continue
        word, choice = _draw(fields, stream)
        if choice is not None:
            place.tried.add(word)
        following = game.menu(view, (*place.menu.draft, word))
        if following is not None and following.draft not in seen:
            seen.add(following.draft)
            path.append(_Place(following, ended=choice is not None and choice.reveals))
    raise ValueError("the menu leads on and on")


def _stops(place: _Place, fields: tuple[Field, ...], stream: Stream, length: int) -> bool:
    menu = place.menu
    if not menu.complete:
        return False
    return not fields or length > PATIENCE or (menu.closing and stream.chance(*STOP))


def _open_fields(place: _Place, stream: Stream, *, asides: bool) -> tuple[Field, ...]:
    """Return the fields that still lead somewhere, with the choices left in them."""
    if place.ended:
        return ()
    menu = place.menu
    fields = _without(menu.fields, place.tried)
    if menu.draft:
        return fields
    duties = tuple(_only(part, aside=False) for part in fields)
    duties = tuple(part for part in duties if part.choices or part.shuffle)
    if not asides:
        return duties
    extras = tuple(_only(part, aside=True) for part in fields if any(c.aside for c in part.choices))
    if extras and (not duties or stream.chance(*ASIDE)):
        return extras
    return duties


def _without(fields: tuple[Field, ...], tried: set[str]) -> tuple[Field, ...]:
    left = (_keep(part, tuple(c for c in part.choices if c.word not in tried)) for part in fields)
    return tuple(part for part in left if part.choices or part.shuffle)


def _only(part: Field, *, aside: bool) -> Field:
    return _keep(part, tuple(choice for choice in part.choices if choice.aside is aside))


def _keep(part: Field, choices: tuple[Choice, ...]) -> Field:
    return part if len(choices) == len(part.choices) else replace(part, choices=choices)


def _draw(fields: tuple[Field, ...], stream: Stream) -> tuple[str, Choice | None]:
    """Return the next word, and the choice that it comes from; a shuffle has none."""
    part = stream.choice(fields)
    if part.shuffle:
        return "".join(stream.shuffled(part.shuffle)), None
    choice = stream.choice(part.choices)
    return choice.word, choice
