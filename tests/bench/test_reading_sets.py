"""Sets of the blind reading: pictures and a form, the truth apart, and how answers to them are told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from bench.reading import games
from bench.reading.__main__ import main
from bench.reading.sets import NAMES, SIZES, Choice, UsedFolderError, paint, shown, truth_folder
from tests.bench.forms import example
from tests.renderers.looks import named

BY_NIGHT = pytest.mark.nightly  # two matches are played, and thirty pictures painted


@pytest.fixture(scope="module")
def painted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reading") / "set"
    assert main(["paint", "--out", str(folder), "--seed", "5", "--theme", "clear", "--size", "phone"]) == 0
    return folder


def truths(folder: Path) -> list[Path]:
    return sorted(truth_folder(folder).glob("*/*.json"))


@BY_NIGHT
def test_a_set_has_pictures_and_a_form_and_nothing_else(painted: Path) -> None:
    wanted = {"FORM.md", *(f"{number:02}.png" for number in range(1, 11))}
    for key in games.SHEETS:
        assert {path.name for path in (painted / f"{key}-clear-phone").iterdir()} == wanted
        for path in (painted / f"{key}-clear-phone").glob("*.png"):
            with Image.open(path) as image:
                assert image.width == SIZES["phone"][0]
                assert image.info == {}


@BY_NIGHT
def test_the_truth_is_never_among_the_pictures(painted: Path) -> None:
    assert len(truths(painted)) == 10 * len(games.SHEETS)
    assert painted not in truth_folder(painted).parents
    told = {path.read_bytes() for path in painted.rglob("*") if path.is_file()}
    for path in truths(painted):
        truth = json.loads(path.read_text("utf-8"))
        assert truth != example(path.parent.name.partition("-")[0])
        for part in PLACES:
            assert not any(json.dumps(truth).encode() in data for data in told if part in truth)
    assert [path for path in painted.rglob("*") if path.is_symlink()] == []


PLACES = ("masks", "birds", "robots", "characters", "picture")
"""A part of each game's form that no other game's has."""


@BY_NIGHT
def test_a_set_is_of_many_sorts(painted: Path) -> None:
    found = [json.loads(path.read_text("utf-8")) for path in truths(painted)]
    for part in PLACES:
        some = [truth for truth in found if part in truth]
        assert len(some) == 10
        assert len({json.dumps(truth) for truth in some}) == 10
    for part in ("masks", "birds"):
        some = [truth for truth in found if part in truth]
        assert sum(1 for truth in some if truth["won"] is not None) == 1
        assert sum(1 for truth in some if truth["draft"]) >= 4
    private = [truth["private"] for truth in found if "robots" in truth or "characters" in truth]
    assert private.count(True) == 5 + 4
    doge = [truth["picture"] for truth in found if "picture" in truth]
    assert {kind: doge.count(kind) for kind in doge} == {"board": 6, "hand": 1, "sheet": 2, "clue": 1}


@BY_NIGHT
def test_a_seed_paints_the_same_again_and_another_one_does_not(painted: Path, tmp_path: Path) -> None:
    for seed in (5, 6):
        paint(tmp_path / str(seed), seed, Choice(("volto",), ("clear",), ("phone",)))
    again, other = ([path.read_bytes() for path in truths(tmp_path / str(seed))] for seed in (5, 6))
    assert again == [path.read_bytes() for path in truths(painted) if path.parent.name == "volto-clear-phone"]
    assert not set(again) & set(other)


@BY_NIGHT
def test_no_set_is_painted_over_another(painted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsedFolderError):
        paint(painted, 7, Choice(("volto",)))
    assert not (painted / "volto-default-phone").exists()
    assert main(["paint", "--out", str(painted), "--seed", "7", "--game", "volo", "--theme", "clear"]) == 2
    assert "there already" in capsys.readouterr().err


@pytest.fixture
def answered(painted: Path, tmp_path: Path) -> Path:
    """Return a set with perfect answers."""
    folder = tmp_path / "set"
    shutil.copytree(painted, folder)
    shutil.copytree(truth_folder(painted), truth_folder(folder))
    shutil.copytree(truth_folder(painted), folder, dirs_exist_ok=True)
    return folder


@BY_NIGHT
def test_perfect_answers_are_told(answered: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(answered)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == sorted(f"{key}-clear-phone" for key in games.SHEETS)
    assert all("0 wrong, 0 missing, 100.0 % right" in line for line in lines)


@BY_NIGHT
def test_a_misreading_is_told_with_its_picture(answered: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = answered / "volto-clear-phone" / "03.json"
    form = json.loads(path.read_text("utf-8"))
    true = form["bottom"]
    form["bottom"] = read = "sun" if true == "moon" else "moon"
    path.write_text(json.dumps(form))
    assert main(["score", str(answered)]) == 0
    assert f"  03  bottom: read {read}, true {true}" in capsys.readouterr().out.splitlines()


@BY_NIGHT
def test_answers_below_the_bound_fail(answered: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (answered / "volo-clear-phone" / "04.json").unlink()
    (answered / "volo-clear-phone" / "05.json").write_text("{")
    assert main(["score", str(answered)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "  04  no answer 04.json" in lines
    assert any(line.startswith("  05  05.json is no JSON") for line in lines)
    assert "100.0 % right" in lines[-1]


def test_without_truth_nothing_is_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(tmp_path / "nowhere")]) == 2
    assert "no truth" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "size", "width", "height"),
    [
        ("volo_board", "phone", 330, None),
        ("volo_board", "desktop", None, 350),
        ("volt_board", "desktop", None, 350),
    ],
)
def test_a_picture_is_the_houses_own_made_small(
    name: str, size: str, width: int | None, height: int | None
) -> None:
    small, picture = shown(named(name), NAMES, "default", size), named(name).paint()
    share = width / picture.width if width is not None else (height or 0) / picture.height
    assert small.size == (round(picture.width * share), round(picture.height * share))
    assert small.mode == "RGB"


def test_a_dense_screen_shows_as_many_pixels_more_and_never_more_than_there_are() -> None:
    look, picture = named("volo_board"), named("volo_board").paint()
    assert shown(look, NAMES, "default", "phone", 2).width == 2 * 330
    assert shown(look, NAMES, "default", "desktop", 9).size == (picture.width, picture.height)
