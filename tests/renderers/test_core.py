"""The painters' tools: caches, themes, type, texts, encoding, registry."""

from __future__ import annotations

import ast
import io
import logging
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from PIL import Image

from engines.core.contract import SeatName
from engines.core.names import isolated
from engines.core.texts import load
from renderers.core.caches import (
    SCENES,
    SPRITES,
    Bounded,
    ImageCache,
    for_everybody,
    image_bytes,
    remembered,
    remembered_together,
    shrink_caches,
    sprite,
)
from renderers.core.canvas import Canvas, Pen, painted, reduced
from renderers.core.captions import Captions, description
from renderers.core.contract import Table
from renderers.core.disk_cache import DiskCache
from renderers.core.encode import (
    SLAB,
    SLABS,
    colours_of,
    commonest_colours,
    encode,
    palette_of,
)
from renderers.core.geometry import mirrored, moved, path, polar, star, towards
from renderers.core.registry import renderer, renderers_by_game
from renderers.core.theme import Themes, mix, rgb
from renderers.core.type import (
    Face,
    Family,
    Weight,
    fitted,
    has_glyph,
    paintable,
    sans,
    serif,
    shrunk,
)
from tests.renderers.comparing import palette

FACE = serif(40)
ROOM = 300


def test_registry_finds_every_painter_by_its_game() -> None:
    folder = Path(__file__).parents[2] / "renderers"
    packages = {item.name for item in folder.iterdir() if (item / "__init__.py").is_file()} - {"core"}
    assert set(renderers_by_game()) == packages
    assert renderer("volto") is renderers_by_game()["volto"]
    with pytest.raises(KeyError):
        renderer("no such game")


def test_painters_import_the_contract_names_texts_and_their_games_view_alone() -> None:
    for module in sorted((Path(__file__).parents[2] / "renderers").rglob("*.py")):
        package = module.parent.name
        allowed = {f"engines.core.{name}" for name in ("contract", "languages", "names", "texts")}
        if package != "core":
            allowed.add(f"engines.{package}.view")
        tree = ast.parse(module.read_text("utf-8"))
        named = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        named += [a.name for node in ast.walk(tree) if isinstance(node, ast.Import) for a in node.names]
        assert {name for name in named if name.startswith("engines")} <= allowed, module
        assert not [name for name in named if name.partition(".")[0] in {"bot", "sandbox", "discord"}], module


# --- caches ---------------------------------------------------------------------------------------


def test_a_cache_keeps_within_its_bytes_and_drops_the_least_recent() -> None:
    cache: Bounded[bytes] = Bounded(10, len)
    cache.get("a", lambda: b"1234")
    cache.get("b", lambda: b"1234")
    cache.get("a", lambda: b"never made")
    cache.get("c", lambda: b"1234")
    assert (len(cache), cache.bytes) == (2, 8)
    assert cache.get("a", lambda: b"new") == b"1234"
    assert cache.get("b", lambda: b"new") == b"new"
    cache.clear()
    assert (len(cache), cache.bytes) == (0, 0)


def test_what_is_larger_than_a_cache_is_made_but_not_kept() -> None:
    cache: Bounded[bytes] = Bounded(3, len)
    assert cache.get("a", lambda: b"1234") == b"1234"
    assert len(cache) == 0


def _spotted(mode: str, size: int = 20) -> Image.Image:
    image = Image.new(mode, (size, size))
    if mode == "P":
        image.putpalette([9, 8, 7, 6, 5, 4])
    image.paste(1, (3, 4, 9, 7))
    return image


def _noted(made: list[str], key: str, mode: str) -> Image.Image:
    made.append(key)
    return _spotted(mode)


@pytest.mark.parametrize("mode", ["L", "P", "RGB", "RGBA"])
def test_an_image_that_has_no_room_as_pixels_comes_back_the_same(mode: str) -> None:
    made: list[str] = []
    cache = ImageCache(image_bytes(_spotted(mode)), 1_000)

    def wanted(key: str) -> Image.Image:
        return remembered(cache, key, lambda: _noted(made, key, mode))

    for key in ("a", "b", "a", "b"):
        image = wanted(key)
        assert (image.mode, image.getpalette()) == (mode, _spotted(mode).getpalette())
        assert image.tobytes() == _spotted(mode).tobytes()
        assert len(cache) == 1
    assert made == ["a", "b"]
    cache.clear()
    wanted("a")
    assert made == ["a", "b", "a"]


def test_what_fits_nowhere_is_made_again() -> None:
    cache = ImageCache(10, 10)
    images = [remembered(cache, "a", lambda: _spotted("L")) for _ in range(2)]
    assert images[0] is not images[1]
    assert (len(cache), len(cache.packed)) == (0, 0)


def test_a_process_aside_keeps_little(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("renderers.core.caches._image_caches", [])
    cache = ImageCache(8 * 400, 1_000)
    for number in range(8):
        cache.put(number, Image.new("RGB", (10, 10)))
    assert len(cache) == 8
    shrink_caches(4)
    cache.put("one more", Image.new("RGB", (10, 10)))
    assert (len(cache), cache.bytes, cache.packed.limit) == (2, 800, 250)


def test_a_process_aside_compresses_nothing_that_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("renderers.core.caches._image_caches", [])
    monkeypatch.setattr("renderers.core.caches._disk_caches", [DiskCache(tmp_path)])
    cache = ImageCache(4 * 400, 4 * 800)
    shrink_caches(4)
    for number in range(4):
        cache.put(number, Image.new("RGB", (10, 10)))
    assert (len(cache), cache.bytes, len(cache.packed)) == (3, 1_200, 0)


def test_a_cache_without_room_for_compressed_images_compresses_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("renderers.core.caches.zlib", None)
    cache = ImageCache(400, 0)
    for number in range(3):
        cache.put(number, Image.new("RGB", (10, 10)))
    assert (len(cache), len(cache.packed)) == (1, 0)


@pytest.mark.parametrize("height", [1, SLAB - 1, SLAB, 2 * SLAB + 1])
def test_a_slab_that_follows_other_rows_is_compressed_anew(height: int) -> None:
    # A slab refers to the rows before it: taken from another picture, it would unpack to other rows.
    holder = palette_of([(0, 0, 0), (255, 255, 255), (255, 0, 0)])
    low = Image.effect_noise((300, SLAB), 90).point([number % 3 for number in range(256)])
    for seed in (0, 1, 2, 0):
        image = Image.new("P", (300, height + SLAB), seed)
        image.putpalette(holder.getpalette() or ())
        image.paste(low, (0, height))
        with Image.open(io.BytesIO(encode(image, holder))) as shown:
            assert shown.tobytes() == image.tobytes()


def test_an_act_leaves_most_slabs_as_they_were() -> None:
    image, holder = Image.new("RGB", (100, 10 * SLAB)), palette_of([(0, 0, 0), (255, 0, 0)])
    encode(image, holder)
    known = len(SLABS)
    image.paste((255, 0, 0), (10, 10, 20, 20))
    encode(image, holder)
    # What has changed, and what may refer to it.
    assert known < len(SLABS) <= known + 2


def test_what_one_viewer_needed_is_made_anew_for_everybody_compressed_or_not() -> None:
    made: list[str] = []
    cache = ImageCache(400, 1_000)

    def wanted(key: str) -> None:
        remembered(cache, key, lambda: _noted(made, key, "L"))

    wanted("own")
    wanted("other")  # there is room for one
    with for_everybody():
        wanted("own")
        wanted("own")
    assert made == ["own", "other", "own"]
    wanted("third")
    with for_everybody():
        wanted("own")
    assert made == ["own", "other", "own", "third"]


def test_images_that_are_wanted_together_are_made_together_and_for_everybody() -> None:
    asked: list[list[int]] = []
    cache = ImageCache(400, 0)

    def make(numbers: Sequence[int]) -> list[Image.Image]:
        asked.append(list(numbers))
        return [Image.new("L", (10, 10), number) for number in numbers]

    def wanted(*keys: str) -> list[int]:
        found = remembered_together(cache, keys, make)
        return [image.getpixel((0, 0)) for image in found]  # type: ignore[misc]

    assert wanted("a", "b") == [0, 1]
    assert wanted("b", "c", "a", "d") == [1, 1, 0, 3]
    with for_everybody():
        assert wanted("c", "e") == [0, 1]
        assert wanted("e", "c") == [1, 0]
    assert wanted("d", "c") == [3, 0]
    assert asked == [[0, 1], [1, 3], [0, 1]]


def test_pictures_are_the_same_without_the_faster_library() -> None:
    script = (
        "import sys; sys.modules['zlib_ng'] = None\n"
        "import zlib; from PIL import Image\n"
        "from renderers.core import deflate, encode\n"
        "assert deflate.zlib is zlib\n"
        "image = Image.radial_gradient('L').convert('RGB')\n"
        "holder = image.quantize(16)\n"
        "sys.stdout.buffer.write(encode.encode(image, holder))"
    )
    plain = subprocess.run(
        [sys.executable, "-c", script], cwd=Path(__file__).parents[2], capture_output=True, check=True
    ).stdout
    image = Image.radial_gradient("L").convert("RGB")
    fast = encode(image, image.quantize(16))
    shown = [Image.open(io.BytesIO(data)).convert("RGB").tobytes() for data in (plain, fast)]
    assert shown[0] == shown[1]


def test_the_caches_stay_within_their_limits_and_say_nothing_of_what_they_hold() -> None:
    for cache in (SPRITES, SCENES):
        assert "items" in repr(cache)
        assert "0x" not in repr(cache)


def test_a_sprite_is_painted_once_for_equal_arguments() -> None:
    made: list[int] = []

    @sprite
    def dot(size: int) -> Image.Image:
        made.append(size)
        return Image.new("RGBA", (size, size))

    assert dot(3) is dot(3)
    assert dot(4) is not dot(3)
    assert made == [3, 4]
    assert image_bytes(dot(3)) == 36


# --- themes ---------------------------------------------------------------------------------------


def test_an_unknown_theme_falls_back_with_one_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    themes = Themes("some game", {"default": "night", "clear": "day"})
    with caplog.at_level(logging.WARNING):
        assert [themes.choose(name) for name in ("clear", "default")] == ["day", "night"]
        assert not caplog.records
        assert [themes.choose("never heard of") for _ in range(3)] == ["night"] * 3
    assert len(caplog.records) == 1
    assert "never heard of" in caplog.text


def test_themes_need_a_default() -> None:
    with pytest.raises(ValueError, match="default"):
        Themes("some game", {"clear": "day"})


def test_colours_mix() -> None:
    assert rgb("#102030") == (16, 32, 48)
    assert mix("#000000", "#ffffff", 0.5) == "#808080"
    assert mix("#102030", "#ffffff", 0) == "#102030"


# --- geometry and drawing -------------------------------------------------------------------------


def test_paths_have_lines_and_curves_and_nothing_else() -> None:
    assert path((0, 0), (4, 0))[-1] == (4, 0)
    assert path((0, 0), (0, 4, 4, 4, 4, 0))[-1] == (4, 0)
    assert mirrored([(1, 2)]) == [(1, 2), (-1, 2)]
    with pytest.raises(ValueError, match="two or six"):
        path((0, 0), (1, 2, 3))


def test_angles_turn_clockwise_from_the_top() -> None:
    assert polar(90, 2) == pytest.approx((2, 0))
    assert moved([(0, -1)], 10, 10, scale=2, turn=90)[0] == pytest.approx((12, 10))
    assert star(4, 2, 1)[0] == pytest.approx((0, -2))
    assert towards((0, 0), (10, 0), 3) == (3, 0)
    assert towards((1, 1), (1, 1), 3) == (1, 1)


def test_a_pen_reduces_and_keeps_the_colour_at_soft_edges() -> None:
    image = painted(20, lambda pen: pen.disc((0, 0), 8, "#ff0000"))
    assert image.size == (20, 20)
    assert image.getpixel((10, 10)) == (255, 0, 0, 255)
    flat = image.tobytes()
    soft = [p for p in zip(*(flat[band::4] for band in range(4)), strict=True) if 0 < p[3] < 255]
    assert soft
    assert all(p[0] > 240 and p[1] == p[2] == 0 for p in soft)


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA"])
def test_what_is_reduced_strip_by_strip_is_as_if_at_once(mode: str) -> None:
    noise = Image.effect_noise((8, 4 * 600), 90)
    large = Image.merge(mode, [noise.rotate(turn) for turn in (0, 180, 0, 180)[: len(mode)]])
    assert reduced(large, 4).tobytes() == large.reduce(4).tobytes()


def test_a_canvas_cuts_what_lies_outside() -> None:
    canvas = Canvas(Pen(10, 10, ground="#000000").finish())
    canvas.put(painted(8, lambda pen: pen.disc((0, 0), 4, "#ffffff")), (0, 0))
    assert canvas.image.size == (10, 10)
    assert canvas.image.getpixel((0, 0)) == (255, 255, 255)
    assert canvas.image.getpixel((9, 9)) == (0, 0, 0)


# --- type -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Beatrice", "Łukasz Żółć", "Ольга", "Ñandú 7", "Zoe\u0301", "A.-B. (c)"])
def test_names_that_the_fonts_have_are_painted(name: str) -> None:
    shown = _captions(name).painted_name(0, FACE, 600)
    assert shown not in {"Sun", ""}
    assert "\u0301" not in shown


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "漢字",
        "שלום",
        "مرحبا",
        "🎭🎭",
        "🎭-🎭",
        "\u0301\u0301",
    ],
)
def test_names_of_which_nothing_can_be_painted_are_the_seat(name: str) -> None:
    assert _captions(name).painted_name(0, FACE, 600) == "Sun"


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Zoë ✨", "Zoë"),
        ("✨ Zoë ✨ Fox", "Zoë Fox"),
        ("Bea 🎭", "Bea"),
        ("a\u202eb", "ab"),
        ("a\u200bb", "ab"),
        ("\u2068Bea\u2069", "Bea"),
        ("\x00\x1b[31m", "[31m"),
        ("ⒷⒺⒶ", "BEA"),
        ("𝓑𝓮𝓪", "Bea"),
        ("Ｂｅａ", "Bea"),
        ("x̧̛", "x"),
        ("Bea 漢字", "Bea"),
    ],
)
def test_what_cannot_be_painted_of_a_name_is_left_out(name: str, shown: str) -> None:
    assert _captions(name, "Ben").painted_name(0, FACE, 600) == shown


def test_long_names_are_cut_to_the_room_there_is() -> None:
    shown = _captions("Bartholomea of the Thousand Lagoons").painted_name(0, FACE, ROOM)
    assert shown.startswith("Barth")
    assert shown.endswith("…")
    assert FACE.width(shown) <= ROOM
    assert FACE.width(shown) > ROOM - 60
    assert _captions("two\n  lines").painted_name(0, FACE, ROOM) == "two lines"


def test_text_that_fits_is_not_cut_and_no_room_leaves_the_ellipsis() -> None:
    assert fitted("Bea", FACE, ROOM) == "Bea"
    assert fitted("Beatrice", FACE, 1) == "…"


@pytest.mark.parametrize("family", [Family.SANS, Family.SERIF])
def test_a_cut_text_has_its_dots_within_its_width(family: Family) -> None:
    face = Face(family, Weight.BOLD, 34)
    shown = fitted("Bartolomea", face, 150)
    assert shown.endswith("…")
    assert face.font.getbbox(shown, anchor="ls")[2] <= face.width(shown) <= 150


def test_a_line_shrinks_before_it_is_cut() -> None:
    assert shrunk("Bea", FACE, ROOM, 28) == ("Bea", FACE)
    text, face = shrunk("Bartholomea of", FACE, ROOM - 40, 28)
    assert (text, face.width(text) <= ROOM - 40) == ("Bartholomea of", True)
    assert 28 <= face.size < FACE.size
    text, face = shrunk("Bartholomea of the Lagoons", FACE, 150, 28)
    assert (text[-1], face.size, face.width(text) <= 150) == ("…", 28, True)
    assert _captions("Bartholomea of").shrunk_name(0, FACE, ROOM - 40, 28)[0] == "Bartholomea of"
    assert _captions("漢字").shrunk_name(0, FACE, ROOM, 28) == ("Sun", FACE)


def test_glyphs_are_told_from_the_box_for_missing_ones() -> None:
    assert has_glyph(Family.SERIF, "ő")
    assert not has_glyph(Family.SERIF, "漢")
    assert has_glyph(Family.COMIC, "ő")
    assert not has_glyph(Family.COMIC, "漢")
    assert not paintable("", Family.SANS)
    assert sans(20).font.getbbox("x") == sans(20).font.getbbox("x")


# --- texts ----------------------------------------------------------------------------------------


def _captions(*names: str) -> Captions:
    return Captions(load("renderers.volto"), Table(names))


def test_spoken_names_are_one_plain_line() -> None:
    captions = _captions("a\x00b\u202e\n`c`", "\u200b", "W" * 90)
    assert captions.plain_name(0) == isolated("ab 'c'")
    assert captions.plain_name(1) == isolated("Moon")
    assert captions.text_with_side("who", player=SeatName(0), side="Sun") == isolated("ab 'c'") + " (Sun)"


def test_spoken_names_are_not_too_long() -> None:
    assert _captions("W" * 90).plain_name(0) == isolated("W" * 31 + "…")


def test_a_description_stops_before_its_limit() -> None:
    assert description(["one.", "two.", "three."], 9) == "one. two."
    assert description([], 9) == ""


# --- encoding -------------------------------------------------------------------------------------


def test_exact_colours_survive_encoding() -> None:
    image = Image.radial_gradient("L").convert("RGB")
    image.putpixel((3, 3), rgb("#123456"))
    holder = palette([image], ["#123456", "#abcdef"])
    back = Image.open(io.BytesIO(encode(image, holder)))
    assert back.mode == "P"
    assert back.convert("RGB").getpixel((3, 3)) == rgb("#123456")
    assert encode(image, holder) == encode(image.copy(), holder)


def test_the_commonest_colours_keep_apart_and_the_exact_ones_stay() -> None:
    sample = Image.new("RGB", (10, 10), (200, 0, 0))
    sample.paste((202, 1, 0), (0, 0, 10, 4))
    sample.paste((0, 0, 90), (0, 0, 10, 1))
    exact = [(1, 2, 3)]
    assert commonest_colours([sample], exact, 4, 100) == [(1, 2, 3), (200, 0, 0), (0, 0, 90)]
    assert commonest_colours([sample], exact, 4, 1) == [(1, 2, 3), (200, 0, 0), (202, 1, 0), (0, 0, 90)]
    assert commonest_colours([sample], exact, 2, 1) == [(1, 2, 3), (200, 0, 0)]


def test_colours_are_found_at_any_depth() -> None:
    from renderers.volto.theme import THEMES

    theme = THEMES.choose("default")
    found = colours_of(theme)
    assert theme.ink in found
    assert theme.sides[1].wall in found
    assert colours_of(3) == ()
