"""Names on pictures: what of them is painted, in which fonts, and who is told from whom."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.workers.painter import PaintRequest
from bot.workers.painting_pool import PaintingPool
from engines.core.names import FIRST_STRONG, POP
from engines.core.texts import load
from renderers.core import canvas, fonts
from renderers.core.captions import Captions
from renderers.core.contract import Table
from renderers.core.type import Face, Family, Weight, extent, sans, serif, use_fonts
from tests.kit.reading import without_isolates
from tests.kit.samples import some
from tests.renderers.looks import named
from tests.renderers.tiny_font import write_font

FACE, ROOM = serif(40), 600
HAN, ARABIC = "漢字花子", "محمدعلي"


def captions(*names: str, game: str = "corto", marked: frozenset[int] = frozenset()) -> Captions:
    return Captions(load(f"renderers.{game}"), Table(names, marked=marked))


def painted(*names: str, game: str = "corto", width: int = ROOM, face: Face = FACE) -> list[str]:
    found = captions(*names, game=game)
    return [found.painted_name(seat, face, width) for seat in range(len(names))]


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    write_font(tmp_path / "TinyHan.ttf", HAN)
    write_font(tmp_path / "TinyArabic.ttf", ARABIC)
    yield tmp_path
    use_fonts(None)


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("Anna", "Ben"), ["Anna", "Ben"]),
        (("Anna", "Anna"), ["Anna (Red)", "Anna (Blue)"]),
        (("Blue", "Ben"), ["Blue (Red)", "Ben"]),
        (("Zoë ✨", "Ben"), ["Zoë", "Ben"]),
        (("Zoë ✨", "Zoë"), ["Zoë (Red)", "Zoë (Blue)"]),
        (("Anna 漢", "Anna"), ["Anna (Red)", "Anna (Blue)"]),
        (("B漢lue", "Ben"), ["Blue (Red)", "Ben"]),
        (("✨", "Red"), ["Red", "Red (Blue)"]),
        (("漢字", "🎲"), ["Red", "Blue"]),
    ],
)
def test_who_is_told_from_whom(names: tuple[str, ...], shown: list[str]) -> None:
    assert painted(*names) == shown


def test_a_narrow_place_keeps_the_side() -> None:
    one, other = "Bartholomea of the Lagoons", "Bartholomea of the Palazzo"
    for width in range(60, 700, 20):
        first, second = painted(one, other, width=width)
        assert first != second
        assert FACE.width(first) <= width or first == "Red"
    width = int(FACE.width("Anna (Red)")) - 1
    assert painted("Anna", "Anna", width=width) == ["Anna (R)", "Anna (B)"]
    assert painted("Anna", "Anna", game="volt", width=width) == ["Anna (1)", "Anna (2)"]


def test_what_texts_mark_is_marked_on_pictures() -> None:
    assert captions("Seat 2", "Ben", marked=frozenset({0})).painted_name(0, FACE, ROOM) == "Seat 2 (Red)"


def test_a_smaller_face_comes_before_a_cut() -> None:
    found = captions("Anna", "Anna")
    name, face = found.shrunk_name(0, FACE, 170, 30)
    assert name == "Anna (Red)"
    assert 30 <= face.size < FACE.size


@pytest.mark.parametrize(
    "look",
    some(
        [
            "volo_board",
            "corto_scoring",
            "doge_board",
            "doge_showing",
            "doge_sheet_full",
            "volt_end",
            "volto_end",
        ]
    ),
)
def test_pictures_have_no_isolates_and_descriptions_have(look: str, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    words = canvas.Canvas.words

    def noted(self: canvas.Canvas, text: str, *args: object, **more: object) -> None:
        written.append(text)
        words(self, text, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(canvas.Canvas, "words", noted)
    alt = named(look).painted(Table(("Anna", "Ben", "Clara", "Dora"))).alt
    assert written
    assert not any(mark in text for text in written for mark in (FIRST_STRONG, POP))
    assert any(name in "".join(written) for name in ("Anna", "Ben", "Clara", "Dora"))
    assert alt.count(FIRST_STRONG) == alt.count(POP) > 0


def test_descriptions_say_the_side_once() -> None:
    alt = without_isolates(named("doge_board").painted(Table(("Anna",) * 4)).alt)
    assert "Anna (Blue)" in alt
    assert "(Blue) (Blue)" not in alt
    told = captions("Anna", "Anna").plain_name(0)
    assert told == f"{FIRST_STRONG}Anna{POP} (Red)"


# --- further fonts ------------------------------------------------------------------------------------


def test_a_folder_of_fonts_paints_what_the_others_lack(folder: Path) -> None:
    assert painted("花子", "Ben") == ["Red", "Ben"]
    assert use_fonts(folder) == (2, ())
    assert painted("花子", "Ben") == ["花子", "Ben"]
    assert painted("Hana 花子 ✨", "Ben") == ["Hana 花子", "Ben"]
    assert painted("花子", "花子") == ["花子 (Red)", "花子 (Blue)"]
    assert [run.text for run in FACE.runs("Hana 花子 (Red)")] == ["Hana ", "花子", " (Red)"]
    assert FACE.width("花子") == pytest.approx(2 * 0.9 * FACE.size, abs=2)
    use_fonts(None)
    assert painted("花子", "Ben") == ["Red", "Ben"]


def test_plain_names_look_alike_with_and_without_further_fonts(folder: Path) -> None:
    names = Table(("Beatrice", "Old Tiepolo", "Noor", "Sunniva"))
    before = named("doge_board").painted(names).data
    use_fonts(folder)
    assert named("doge_board").painted(names).data == before


@pytest.mark.parametrize(
    "look", ["corto_scoring", "doge_sheet_full", "volt_end", "volto_board", "volo_board"]
)
def test_every_game_paints_them(look: str, folder: Path) -> None:
    table = Table(("花子", "Ben", "漢字", "Dora"))
    before = named(look).painted(table)
    use_fonts(folder)
    after = named(look).painted(table)
    assert after.data != before.data
    assert after.alt == before.alt


def test_a_script_that_needs_shaping_takes_raqm(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use_fonts(folder)
    for raqm, name, shown in ((True, "محمد", "محمد"), (False, "علي", "Red")):
        monkeypatch.setattr(fonts, "has_raqm", lambda raqm=raqm: raqm)
        assert painted(name, "Ben") == [shown, "Ben"]
    # Without its letters in any font, what is left of it is painted; without Raqm, nothing.
    use_fonts(None)
    for raqm, name, shown in ((True, "Ali محمد", "Ali"), (False, "Ali علي", "Red")):
        monkeypatch.setattr(fonts, "has_raqm", lambda raqm=raqm: raqm)
        assert painted(name, "Ben") == [shown, "Ben"]


@pytest.mark.skipif(not fonts.has_raqm(), reason="this machine cannot shape text")
def test_a_side_stands_after_a_name_that_runs_to_the_left(folder: Path) -> None:
    use_fonts(folder)
    parts = [run.text for run in FACE.runs("محمد علي (Red)")]
    assert parts == ["محمد علي", " (Red)"] or "".join(parts) == "محمد علي (Red)"
    assert parts[-1].endswith("(Red)")
    assert not parts[0].endswith(" ")


def test_what_is_no_font_is_named_and_left_out(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "broken.ttf").write_bytes(b"no font")
    (tmp_path / "notes.txt").write_text("no font either")
    try:
        assert use_fonts(tmp_path) == (0, (tmp_path / "broken.ttf",))
        assert "broken.ttf" in caplog.text
        assert painted("花子", "Ben") == ["Red", "Ben"]
    finally:
        use_fonts(None)


def test_a_bold_face_takes_the_bold_font(folder: Path) -> None:
    write_font(folder / "TinyHan-Bold.ttf", HAN, style="Bold")
    use_fonts(folder)
    for weight, name in ((Weight.BOLD, "Bold"), (Weight.REGULAR, "Regular")):
        (run,) = Face(Family.SANS, weight, 40).runs("花")
        assert run.font.getname()[1] == name


@pytest.mark.usefixtures("forked")
async def test_painting_processes_have_them_too(folder: Path) -> None:
    look = named("volo_board")
    request = PaintRequest("volo", "board", Table(("花子", "Ben")), look.view)
    found = []
    for given in (None, folder):
        async with PaintingPool(workers=1, hurry=120.0, fonts=given) as painter:
            found.append(await asyncio.wait_for(painter.paint(request), 120))
    without, with_fonts = found
    assert without is not None
    assert with_fonts is not None
    assert without.data != with_fonts.data
    use_fonts(folder)
    assert look.painted(Table(("花子", "Ben"))).data == with_fonts.data


def test_anchors_of_texts_in_several_fonts_agree(folder: Path) -> None:
    use_fonts(folder)
    face = sans(40)
    assert face.is_enough("Hana")
    assert not face.is_enough("花子")
    for anchor in ("lm", "mm", "rm", "ls", "ms"):
        left, _, right, _ = extent("Hana 花", face, anchor)
        width = face.width("Hana 花")
        middle = {"l": width / 2, "m": 0, "r": -width / 2}[anchor[0]]
        assert (left + right) / 2 == pytest.approx(middle, abs=6)
