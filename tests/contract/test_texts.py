"""Manifests, catalogues, rules pages and data files, for every game."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from engines.core import texts
from engines.core.contract import Msg, msg
from engines.core.match import AnyGame, Match
from engines.core.optional_methods import Thinking
from engines.core.text_notes import Kind, notes
from tests.contract.checks.sampling import Line, package, plain, viewers

STANDS = 120
"""Characters of the line that says how a match stands, with short names."""

HELP = 1_500
"""Characters of the one-screen *how to play*."""


def folder(game: AnyGame) -> Traversable:
    return files(package(game))


def test_the_manifest_renders(game: AnyGame) -> None:
    manifest = game.manifest
    data = plain(game).manifest()
    assert data["tagline"]
    assert len(data["tagline"]) <= 100, "a command's description has 100 characters at most"
    assert re.fullmatch(r"[a-z][a-z0-9]{0,31}", manifest.key)
    assert manifest.seats == tuple(sorted(set(manifest.seats)))
    assert manifest.seats
    assert manifest.rulesets
    assert len(set(manifest.rulesets)) == len(manifest.rulesets)
    assert manifest.usual_seats in (None, *manifest.seats)
    assert data["usual_seats"] in manifest.seats
    assert len(data["seat_labels"]) >= manifest.seats[-1]
    assert len(set(data["seat_labels"])) == len(data["seat_labels"])
    for option in data["options"]:
        keys = [choice["key"] for choice in option["choices"]]
        assert option["default"] in keys
        assert option["before"] is None or option["before"] in keys
        assert len(keys) == len(set(keys)) <= 25
        assert all(0 < len(choice["label"]) <= 100 for choice in option["choices"])


def test_how_to_play_fits_one_screen(game: AnyGame) -> None:
    text = plain(game).text(msg("help"))
    assert 40 < len(text) <= HELP


def test_how_a_match_stands_is_one_short_line(moments: tuple[Match, ...]) -> None:
    for match in moments:
        for viewer in (None, *range(match.setup.seats)):
            found = texts.summary(match.game, match.view(viewer))
            if found is not None:
                assert match.waiting, "what is over is told by its outcome"
                assert 0 < len(line := plain(match.game).text(found)) <= STANDS
                assert "\n" not in line


def test_there_is_a_rules_page(game: AnyGame) -> None:
    page = (folder(game) / "RULES.md").read_text("utf-8")
    assert page.startswith("#")
    assert game.manifest.title.casefold() in page.casefold()


THINGS = (
    *("adventure.", "arena.", "arrow.", "card", "colour.", "deck.", "direction.", "figurine.", "goes_with."),
    *("kind.", "kinds.", "module.", "one.", "pair", "seat.", "side.", "space", "square", "stop.", "turn."),
    *("unit", "use."),
)
"""Beginnings of the keys of texts that may stand in another one: names of what is played with."""

ITEMS = (
    "choice.marker",
    "fact.began.",
    "fact.earned_part",
    "gold.player",
    "stand",
    "swapped_",
    "ticked",
    "tile",
    "were",
)
"""The same of texts that may stand in a list, since each can be read by itself."""

NAMES = {Kind.TERM, Kind.TERMS, Kind.SIDE, Kind.SQUARE, Kind.SQUARES, Kind.PART, Kind.PARTS}
"""Kinds of gaps that hold names, or texts that can each be read by itself: so says the game."""

STEPS = ("ahead.", "clue.", "told.")
"""The same of fragments in a row, each of which can be read by itself."""


def test_no_text_stands_in_another_but_names_and_lists(
    game: AnyGame, moments: tuple[Match, ...], played: tuple[Line, ...]
) -> None:
    """What is glued from clauses cannot be translated."""
    kinds = notes(package(game)).gaps
    for message in (
        message for match in (*moments, *(line.end for line in played)) for message in said(match)
    ):
        for gap, inner, listed in nested(message):
            allowed = (*THINGS, *STEPS, *(ITEMS if listed else ()))
            known = kinds.get(gap) in NAMES or inner.key.startswith(allowed)
            assert known, f"{inner.key} stands in the gap {gap} of {message.key}: a name, by en.notes.json?"


def said(match: Match) -> Iterator[Msg]:
    """Yield what a match tells everybody and each seat, what it asks, and computer players' reasons."""
    game = match.game
    for viewer in viewers(match):
        facts = [fact for _, fact in match.facts(viewer)]
        yield from filter(None, (*map(game.narrate, facts), *texts.story(game, facts)))
        yield from filter(None, [texts.summary(game, match.view(viewer))])
        menu = None if viewer is None else match.menu(viewer)
        if viewer is None or menu is None:
            continue
        yield menu.prompt
        for part in menu.fields:
            yield part.label
            yield from filter(
                None, (text for choice in part.choices for text in (choice.label, choice.detail))
            )
        if viewer in match.waiting and isinstance(game, Thinking):
            yield game.reason(match.view(viewer), match.computer(viewer))


def nested(message: Msg) -> Iterator[tuple[str, Msg, bool]]:
    """Yield the texts in a text: the gap, the text, and whether it stands in a list there."""
    for gap, value in message.args:
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Msg):
                yield gap, item, isinstance(value, tuple)
                yield from nested(item)


def test_data_files_are_those_of_the_manifest(game: AnyGame) -> None:
    data = folder(game) / "data"
    found = {}
    if data.is_dir():
        for item in data.iterdir():
            if item.is_file() and not item.name.endswith((".py", ".pyc")):
                found[item.name] = hashlib.sha256(item.read_bytes()).hexdigest()
    assert {**dict(game.manifest.data_hashes), **dict(game.manifest.earlier_data)} == found
