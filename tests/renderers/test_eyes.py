"""The safe theme is as clear to eyes without red or green cones: measured on what is really painted."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import fields
from functools import cache
from importlib import import_module
from itertools import combinations
from typing import Any

import pytest
from PIL import Image

from renderers.core.contract import Table
from renderers.core.encode import colours_of
from renderers.core.registry import renderer, renderers_by_game
from renderers.core.theme import rgb
from tests.kit.samples import MORE
from tests.renderers.catalogue import all_states
from tests.renderers.eyes import EYES, distance, seen
from tests.renderers.looks import LOOKS, TABLE, Look, named

SAFE = "clear"
APART = 25.0
"""ΔE*ab between the colours that tell the sides: ten times what an eye can tell side by side."""

KEPT = 0.6
"""The share of the distance that a normal eye sees which the others see at least."""

SHOWN = 0.001
"""The share of a picture's pixels that a colour must have to count as its side's."""

LIKE = 24
"""The difference in each channel up to which a pixel counts as a colour: light is painted over it."""

EVERY = max(1, 24 // MORE)
"""Every third state is painted by night: each shows its sides."""

SMALL = 8
"""How many times smaller a picture is made before its pixels are counted."""

Colour = tuple[int, int, int]


@cache
def side_colours(key: str) -> tuple[frozenset[Colour], ...]:
    """Return the colours that the safe theme gives to each side alone, and that its pictures really show."""
    theme: Any = import_module(f"renderers.{key}.theme").THEMES.choose(SAFE)
    counted: Counter[Colour | str] = Counter()
    sides = [{rgb(colour) for colour in colours_of(side)} for side in theme.sides]
    known = set().union(*sides)
    for one in _shown(key):
        with Image.open(io.BytesIO(one.paint(Table(TABLE.names, theme=SAFE)).data)) as image:
            small = image.convert("RGB").reduce(SMALL)
        for number, pixel in small.getcolors(small.width * small.height) or ():
            counted["all"] += number
            counted.update({colour: number for colour in known if _alike(pixel, colour)})
    edge = SHOWN * counted["all"]
    shared = {colour for colour in known if sum(colour in side for side in sides) > 1}
    return tuple(frozenset(c for c in side - shared if counted[c] > edge) for side in sides)


def _shown(key: str) -> list[Look]:
    """Return what is painted: by day some of the tests' looks, by night states of whole matches too."""
    looks = [named(name) for name in LOOKS if name.startswith(f"{key}_")]
    return looks[::4] if looks and MORE == 1 else list(all_states(key).values())[::EVERY]


def _alike(pixel: object, colour: Colour) -> bool:
    assert isinstance(pixel, tuple)
    return all(abs(one - other) <= LIKE for one, other in zip(pixel, colour, strict=True))


@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("key", renderers_by_game())
def test_what_tells_the_sides_is_far_apart_to_every_eye(key: str, eye: str) -> None:
    theme: Any = import_module(f"renderers.{key}.theme").THEMES.choose(SAFE)
    for one, two in combinations(range(len(theme.sides)), 2):
        shown = side_colours(key)
        pairs = list(_pairs(theme.sides[one], theme.sides[two], shown[one], shown[two]))
        problem = collision(pairs, eye)
        assert not problem, f"renderers.{key}.theme, {SAFE!r}: sides {one} and {two}: {problem}"


def collision(pairs: Sequence[tuple[Colour, Colour]], eye: str) -> str:
    """Return which two colours an eye cannot tell apart; empty if some pair is far enough apart."""
    if not pairs:
        return "no colour that only one of them has is seen in its pictures"
    normal = max(distance(one, two, "normal") for one, two in pairs)
    first, second = max(pairs, key=lambda pair: distance(pair[0], pair[1], eye))
    found, least = distance(first, second, eye), max(APART, KEPT * normal)
    if found >= least:
        return ""
    names = " and ".join("#" + bytes(colour).hex().upper() for colour in (first, second))
    return f"even {names} are only {found:.0f} apart to a {eye} eye; at least {least:.0f} is needed"


def test_a_collision_names_the_pair_and_the_eye() -> None:
    red, green, blue = (200, 60, 40), (110, 120, 30), (30, 60, 200)
    told = collision([(red, green)], "deuteranope")
    assert "#C83C28 and #6E781E" in told
    assert "deuteranope" in told
    assert collision([(red, green), (red, blue)], "deuteranope") == ""
    assert "no colour" in collision([], "normal")


def _pairs(
    one: Any, two: Any, ones: frozenset[Colour], twos: frozenset[Colour]
) -> Iterator[tuple[Colour, Colour]]:
    """Yield the colours of the same part of two sides, where each is shown and its side's alone."""
    for part in fields(one):
        pair = rgb(getattr(one, part.name)), rgb(getattr(two, part.name))
        if pair[0] in ones and pair[1] in twos:
            yield pair


def test_the_simulated_eyes_are_those_of_the_paper() -> None:
    grey = (128, 128, 128)
    for eye in EYES:
        assert seen(grey, eye) == pytest.approx(seen(grey, "normal"), abs=1e-3), "greys stay grey"
    assert distance((255, 255, 255), (0, 0, 0), "normal") == pytest.approx(100, abs=0.01)
    red, green = (200, 60, 40), (110, 120, 30)
    for eye in ("protanope", "deuteranope"):
        assert distance(red, green, eye) < 0.5 * distance(red, green, "normal")


@pytest.mark.parametrize("key", renderers_by_game())
def test_every_game_has_the_safe_theme(key: str) -> None:
    assert SAFE in renderer(key).themes
