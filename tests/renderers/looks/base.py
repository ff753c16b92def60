"""What a picture shows, and how a test gets there: the same few steps for every game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PIL import Image

from engines.core import registry
from engines.core.contract import Seat, Setup, Words
from engines.core.match import Match
from engines.core.rng import Rng
from renderers.core.caches import MIB, Bounded
from renderers.core.contract import Key, Picture, Table
from renderers.core.painter import Order
from renderers.core.registry import renderer
from tests.kit.reading import without_isolates

TABLE = Table(("Beatrice", "Old Tiepolo", "Noor", "Sunniva"))
SEED = bytes([81] * 32)


PICTURES: Bounded[Picture] = Bounded(32 * MIB, lambda picture: len(picture.data))
"""Those that tests have asked for."""


@dataclass(frozen=True, slots=True)
class Look:
    """One viewer's picture of a position: what a painter is given, and the key of its game."""

    game: str
    view: Any
    draft: Words = ()
    menu: Any = None
    key: Key = "board"

    def paint(self, table: Table = TABLE) -> Picture:
        """Return the picture, painted once for all tests that ask."""
        return PICTURES.get((self, table), lambda: self.painted(table))

    def told(self, table: Table = TABLE) -> str:
        """Return the picture's description, without what isolates names."""
        return without_isolates(self.paint(table).alt)

    def painted(self, table: Table = TABLE) -> Picture:
        """Paint the picture, whether it was painted before or not."""
        return renderer(self.game).paint(self.view, self.key, table, self.draft, self.menu)

    def image(self, table: Table = TABLE) -> Image.Image:
        """Paint the picture without encoding it."""
        painter: Any = renderer(self.game)
        image: Image.Image = painter.image(Order(self.view, self.key, table, self.draft, self.menu))
        return image


def look(match: Match, viewer: Seat | None, *draft: str, key: Key = "board") -> Look:
    """Return what ``viewer`` sees of a match with a draft."""
    game, view = match.game, match.view(viewer)
    menu = None if viewer is None else match.menu(viewer, draft)
    shown = game.preview(view, draft) if draft else view
    return Look(game.manifest.key, shown, draft if menu is None else menu.draft, menu, key)


def setup(key: str, seats: int | None = None, **options: str) -> Setup:
    """Return a set-up with default options but for those given, at the smallest table by default."""
    manifest = registry.game(key).manifest
    chosen = {option.key: option.default for option in manifest.options} | options
    return Setup(key, manifest.ruleset, seats or manifest.seats[0], tuple(chosen.items()))


def start(key: str, seats: int | None = None, **options: str) -> Match:
    """Return a match at its start."""
    return Match.start(registry.game(key), setup(key, seats, **options), SEED)


def at_position(key: str, text: str, **options: str) -> Match:
    """Return a match at a position in the game's notation."""
    game: Any = registry.game(key)
    return Match.at(game, setup(key, None, **options), SEED, game.position(text))


def at_situation(key: str, value: Mapping[str, Any], **options: str) -> Match:
    """Return a match in a situation, as the console takes it."""
    game: Any = registry.game(key)
    chosen = setup(key, len(value["seats"]), **options)
    return Match.at(game, chosen, SEED, game.situation(value, chosen, Rng(SEED)))


def play(match: Match, *sentences: str) -> Match:
    """Return a match after some sentences, each of the first seat that is waited for."""
    for text in sentences:
        match = match.act(min(match.waiting), match.game.read(text))
    return match
