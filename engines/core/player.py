"""The baseline player: a random walk of the menus, which can play every game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from engines.core.contract import Choice, Field, Menu, Words
from engines.core.match import AnyGame
from engines.core.rng import Rng, Stream

STOP = (1, 2)
"""How often the player stops when the menu offers to confirm."""

ASIDE = (1, 4)
"""How often it begins with an aside, if it may and there is one."""

PATIENCE = 32
"""Words after which it stops at the first complete draft, though more could be added."""

LOOKS = 2_000
"""Menus after which it gives up: a menu that leads on endlessly is a bug of the game."""


@dataclass(slots=True, repr=False)
class _Place:
    """A draft on the way, and the words already tried from it."""

    menu: Menu
    tried: set[str] = field(default_factory=set)


def walk(game: AnyGame, view: Any, menu: Menu, rng: Rng, *, asides: bool = False) -> Words:
    """Return a whole sentence, drawn word by word from ``menu`` and those that follow it.

    It stops at a complete draft: always if nothing can be added or the last word reveals something,
    by chance if the menu offers to confirm. It steps back out of dead ends and never visits a draft
    twice, so it ends. Asides are left out unless ``asides`` is set: then it takes one now and then,
    and always if there is nothing else.
    Raises ``ValueError`` if no whole sentence begins with ``menu.draft``.
    """
    stream = rng.stream("walk")
    path = [_Place(menu)]
    seen = {menu.draft}
    for _ in range(LOOKS):
        place = path[-1]
        menu, fields = place.menu, _open_fields(place, stream, asides=asides)
        has_enough = not fields or len(path) > PATIENCE
        if menu.complete and (has_enough or (menu.closing and stream.chance(*STOP))):
            return menu.draft
        if not fields:
            path.pop()
            if not path:
                raise ValueError("no sentence begins here")
            continue
        part = stream.choice(fields)
        if part.shuffle:
            word = "".join(part.drawn(stream))
        else:
            word = stream.choice(part.choices).word
            place.tried.add(word)
        following = game.menu(view, (*menu.draft, word))
        # Words in another order may fold into a draft that was visited already: never visit it again.
        if following is not None and following.draft not in seen:
            seen.add(following.draft)
            path.append(_Place(following))
    raise ValueError("the menu leads on and on")


def _open_fields(place: _Place, stream: Stream, *, asides: bool) -> tuple[Field, ...]:
    """Return the fields that still lead somewhere, with the choices left in them."""
    menu = place.menu
    if menu.reveals:
        return ()
    fields = menu.fields
    if place.tried:
        fields = _with_choices(fields, lambda choice: choice.word not in place.tried)
    if menu.draft:  # only the first word of a sentence is an aside or a duty
        return fields
    duties = _with_choices(fields, lambda choice: not choice.aside)
    if not asides:
        return duties
    extras = tuple(part for part in _with_choices(fields, lambda choice: choice.aside) if part.choices)
    if extras and (not duties or stream.chance(*ASIDE)):
        return extras
    return duties


def _with_choices(fields: tuple[Field, ...], wanted: Callable[[Choice], bool]) -> tuple[Field, ...]:
    """Return the fields with their wanted choices only, without those that have none left."""
    left: list[Field] = []
    for part in fields:
        choices = tuple(filter(wanted, part.choices))
        if choices or part.shuffle:
            # Usually all are wanted, and a copy would cost more than the rest of the walk's step.
            left.append(part if len(choices) == len(part.choices) else replace(part, choices=choices))
    return tuple(left)
