"""What every painter promises: same pixels, no secret, limits kept, in every phase of a match."""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engines.core import registry
from engines.core.contract import Setup, Words
from engines.core.match import Entry, EntryKind, Match
from engines.core.rng import Rng
from engines.core.setups import varieties
from engines.core.texts import load
from renderers.core import caches
from renderers.core.caches import MIB, SCENES, SPRITES, ImageCache, image_bytes
from renderers.core.contract import ALT_LIMIT, BOARD, Picture, Table
from renderers.core.registry import renderer, renderers_by_game
from renderers.corto.page import BANDS
from tests.kit.samples import FIVE, MORE, some
from tests.renderers.looks import LOOKS, SAMPLE, TABLE, Look, look, named
from tests.renderers.looks.volo import volo_cut
from tests.renderers.looks.volto import volto

BYTES = 120 * 1024
TEXT_LIMIT = 1800
TURNS = 90 if MORE > 1 else 45
FIRST_TURNS = TURNS if MORE > 1 else 12
"""Turns of a match with another set-up than the first."""
EVERY = max(1, 60 // MORE)
EARLY = 2 if MORE > 1 else 0
"""Turns at the start after each of which a match is looked at."""
STEPS = 4 if MORE > 1 else 2
"""Words of a draft, each of which is painted."""
SEED = bytes(range(32))
ROOT = Path(__file__).parents[2]
LOOK_NAMES = tuple(LOOKS)


def _moments(setup: Setup, turns: int = TURNS) -> Iterator[Match]:
    """Yield a match of the baseline player: its start, now and then on the way, and its end."""
    match = Match.start(registry.game(setup.game), setup, SEED)
    yield match
    for turn in range(turns):
        if not match.waiting:
            break
        seat = min(match.waiting)
        match = match.apply(Entry(EntryKind.ACT, seat, match.computer(seat)))
        if turn % EVERY == 0 or turn < EARLY or turn == turns - 1:
            yield match
    if match.waiting:
        match = match.apply(Entry(EntryKind.WITHDRAW, 0))
    yield match


def _drafts(match: Match, seat: int) -> Iterator[Words]:
    """Yield the empty draft and one growing draft of a seat, word by word."""
    draft: Words = ()
    yield draft
    for step in range(STEPS):
        menu = match.menu(seat, draft)
        words = [] if menu is None else [choice.word for choice in menu.choices()]
        shuffled = [] if menu is None else ["".join(part.shuffle) for part in menu.fields if part.shuffle]
        if menu is None or menu.closing or not words + shuffled:
            return
        found = words or shuffled
        draft = (*draft, found[(7 * step + len(match.log)) % len(found)])
        yield draft


def _check(picture: Picture) -> None:
    assert picture.media_type in {"image/png", "image/jpeg"}
    assert len(picture.data) <= BYTES
    assert 0 < len(picture.alt) <= ALT_LIMIT
    with Image.open(io.BytesIO(picture.data)) as image:
        assert image.size == (picture.width, picture.height)
        assert 1000 <= image.width <= 1100


@pytest.mark.parametrize("name", some(LOOK_NAMES, 9))
def test_the_sprites_of_a_picture_have_room_in_memory(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # A painter keeps 13 MiB of them as pixels, for all games: what has no room there is unpacked each time.
    needed: dict[Any, int] = {}
    remembered = caches.remembered

    def noted(cache: ImageCache, key: Any, make: Any) -> Image.Image:
        image = remembered(cache, key, make)
        if cache is SPRITES:
            needed[key] = image_bytes(image)
        return image

    named(name).image()
    BANDS.clear()
    monkeypatch.setattr(caches, "remembered", noted)
    named(name).image()
    assert needed or named(name).game not in FIVE
    assert sum(needed.values()) <= 6 * MIB


@pytest.mark.parametrize("key", renderers_by_game())
def test_all_pictures_of_all_viewers_are_painted_in_every_phase(key: str) -> None:
    painter = renderer(key)
    for number, setup in enumerate(varieties(registry.game(key).manifest)):
        moments = list(_moments(setup, TURNS if number == 0 else FIRST_TURNS))
        # The first kind of set-up often from its start to its end, the others by their middle.
        for match in moments if number == 0 else moments[len(moments) // 2 :][:MORE]:
            everybody = (None, *range(setup.seats))
            for viewer in everybody if number == 0 or MORE > 1 else (None, number % setup.seats):
                view = match.view(viewer)
                keys = [name for name, _ in painter.pictures(view)]
                first = keys if number == 0 or MORE > 1 else keys[:2]
                assert BOARD in keys
                assert keys[0] == BOARD or viewer is not None or match.outcome is not None, (
                    "play is told by the board"
                )
                assert 0 < len(painter.text(view, TABLE)) <= TEXT_LIMIT
                for draft in _drafts(match, viewer) if viewer is not None else ((),):
                    shown = look(match, viewer, *draft)
                    # With a draft the first picture is what people see; the others once, in the first set-up,
                    # by night.
                    for name in first if (number == 0 and MORE > 1) or not draft else keys[:1]:
                        _check(replace(shown, key=name).paint())


@pytest.mark.parametrize("key", renderers_by_game())
def test_labels_are_in_the_painters_own_catalogue(key: str) -> None:
    match = next(_moments(varieties(registry.game(key).manifest)[0]))
    for viewer in (None, 0):
        for _, label in renderer(key).pictures(match.view(viewer)):
            assert load(f"renderers.{key}").render(label, str)


@pytest.mark.parametrize("key", renderers_by_game())
def test_a_key_that_is_not_offered_raises(key: str) -> None:
    match = next(_moments(varieties(registry.game(key).manifest)[0]))
    for name in ("hand", "", "Board"):
        with pytest.raises(KeyError):
            renderer(key).paint(match.view(None), name, TABLE)


# --- same arguments, same pixels ------------------------------------------------------------------


@pytest.mark.parametrize("name", some(LOOK_NAMES, 9))
def test_equal_views_give_equal_pixels(name: str) -> None:
    look = named(name)
    first = look.paint()
    copy = replace(look, view=pickle.loads(pickle.dumps(look.view)))
    assert copy.view is not look.view
    assert copy.painted() == first


@pytest.mark.nightly
def test_the_same_pixels_in_another_process_with_another_hash_seed() -> None:
    code = (
        "import hashlib, json\n"
        "from tests.renderers.looks import SAMPLE, named\n"
        "print(json.dumps({n: hashlib.sha256(named(n).paint().data).hexdigest() for n in reversed(SAMPLE)}))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "4711"}
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    here = {name: hashlib.sha256(named(name).paint().data).hexdigest() for name in SAMPLE}
    assert json.loads(run.stdout) == here


@pytest.mark.nightly
def test_many_threads_paint_the_same() -> None:
    alone = {name: named(name).paint().data for name in SAMPLE}
    for cache in (SPRITES, SCENES):
        cache.clear()
    with ThreadPoolExecutor(8) as pool:
        jobs = [(name, pool.submit(named(name).painted)) for name in SAMPLE * 2]
        assert all(job.result().data == alone[name] for name, job in jobs)


# --- secrets --------------------------------------------------------------------------------------


def _twin(match: Match, viewer: int | None) -> Any:
    """Return another truth that ``viewer`` could not tell from the real one."""
    for number in range(50):
        state = match.game.imagine(match.view(viewer), Rng(SEED).child("twin", number))
        if match.game.record(state) != match.game.record(match.state):
            return state
    raise AssertionError("no other truth")


@pytest.mark.parametrize("moves", [0, 17, 44])
@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_a_picture_tells_nothing_that_its_viewer_does_not_know(moves: int, viewer: int | None) -> None:
    match = volto(moves)
    twin = _twin(match, viewer)
    view = match.game.view(twin, viewer)
    menu = None if viewer is None else match.game.menu(view)
    real = look(match, viewer).paint()
    assert Look("volto", view, (), menu).painted() == real
    painter = renderer("volto")
    assert painter.text(view, TABLE) == painter.text(match.view(viewer), TABLE)


def test_the_twin_is_told_apart_by_who_knows() -> None:
    match = volto(17)
    twin = _twin(match, None)
    pictures = [look(match, seat).paint().data for seat in (0, 1)]
    others = [Look("volto", match.game.view(twin, seat)).paint().data for seat in (0, 1)]
    assert all(one != other for one, other in zip(pictures, others, strict=True))


def test_the_description_of_a_running_match_names_no_hidden_kind() -> None:
    match = volto(17)
    painter = renderer("volto")
    public = painter.paint(match.view(None), "board", TABLE)
    assert "Sun on the mat: a1, " in public.alt
    assert "a1 A" in painter.paint(match.view(0), "board", TABLE).alt
    assert "X" in painter.text(match.view(None), TABLE)
    assert "<Order board>" in repr(_order(match))


def _order(match: Match) -> object:
    from renderers.core.painter import Order

    return Order(match.view(0), "board", TABLE, ("secret",), None)


# --- tables ---------------------------------------------------------------------------------------

NAMES = (
    "",
    "   ",
    "m" * 5000,
    "Bartholomea of the Thousand Lagoons and One",
    "שלום לך",
    "مرحبا",
    "🎭🎭🎭",
    "漢字",
    "\x00\x1b[31m\u202e",
    "a\n\nb",
    "W" * 32,
)


@pytest.mark.parametrize("name", some(NAMES))
@pytest.mark.parametrize(
    "look",
    [
        "volto_private",
        "volto_end",
        "volo_board",
        "volt_board",
        "volt_modules",
        "doge_board",
        "doge_private",
        "doge_hand",
        "doge_sheet_full",
        "doge_clue",
    ],
)
def test_any_name_is_painted_and_told(look: str, name: str) -> None:
    picture = named(look).paint(Table((name,) * 4))
    _check(picture)
    assert not any(ord(c) < 32 for c in picture.alt)


@pytest.mark.parametrize("name", ["שלום לך", "🎭🎭🎭", "", "\u202e\u0301"])
def test_a_name_that_cannot_be_painted_is_painted_as_its_seat(name: str) -> None:
    for shown, seats in (
        ("volto_board", ("Sun", "Moon")),
        ("volo_board", ("Orange", "Blue")),
        ("volt_board", ("Robot 1", "Robot 2", "Robot 3", "Robot 4")),
        ("doge_board", ("Blue", "Yellow", "Red", "Green")),
        ("doge_sheet_full", ("Blue", "Yellow", "Red", "Green")),
    ):
        assert named(shown).paint(Table((name,) * len(seats))).data == named(shown).paint(Table(seats)).data


def test_themes_change_pixels_and_an_unknown_one_is_the_default() -> None:
    for name in ("volo_board", "volto_board", "volt_board", "doge_board")[: 2 * MORE]:
        default = named(name).paint(Table(TABLE.names))
        assert named(name).paint(Table(TABLE.names, theme="no such theme")).data == default.data
        clear = named(name).paint(Table(TABLE.names, theme="clear"))
        assert clear.data != default.data
        assert clear.alt == default.alt
        _check(clear)


def test_a_missing_language_is_english() -> None:
    look = named("volo_board")
    assert look.told(Table(TABLE.names, language="xx")) == look.told()


# --- what the descriptions say --------------------------------------------------------------------


def test_volto_says_turn_last_move_positions_and_what_is_known() -> None:
    alt = named("volto_private").told()
    for part in (
        "Old Tiepolo (Moon) to move",
        "a3 to b4, taking a Lady. She’s gone, and the mask that took her left unseen.",
        "e7 C",
        "d1 S?",
        "Sun has lost: L.",
        "Sun lost an unseen mask: A?",
        "Your Advisor left unseen, so your rival",
    ):
        assert part in alt
    assert "It can go to: a5, b4 and c5" in named("volto_chosen").told()
    assert "Moon lost an unseen mask." in named("volto_board").told()
    assert "has won. Both of the winner’s Ladies were taken." in named("volto_end").told()
    assert "unseen" not in named("volto_end").told(), "all is shown"


def test_volto_turns_the_board_for_its_viewer() -> None:
    match = volto(44)
    painter = renderer("volto")
    assert painter.text(match.view(0), TABLE).startswith("   a b c d e\n7  ")
    assert painter.text(match.view(1), TABLE).startswith("   e d c b a\n1  ")


def test_volo_says_turn_last_flight_flocks_and_choices() -> None:
    alt = named("volo_board").told()
    for part in (
        "Beatrice (Orange) moves next",
        "flew from h2–i2 to k2–l2. 10 birds flew away: a2, ",
        "5 flocks",
        "l4+m4",
    ):
        assert part in alt
    assert "a2 with 9 birds" in named("volo_regions").told()
    assert "Chosen to fly: h2 and i2. Possible landings: j2, k2 and " in named("volo_chosen").told()
    text = renderer("volo").text(volo_cut().view(None), TABLE)
    assert "\ng  x o . b . o x . . o o . x  13\n" in text


@pytest.mark.parametrize("game", ["volto", "volo"])
def test_a_draft_changes_the_picture_and_the_words(game: str) -> None:
    plain, chosen = named(f"{game}_private").paint(), named(f"{game}_chosen").paint()
    assert plain.data != chosen.data
    assert plain.alt != chosen.alt
    without = Look(game, named(f"{game}_private").view).paint()
    assert without.data not in {plain.data, chosen.data}
