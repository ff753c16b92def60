"""The blind reading: perfect answers are perfect, each planted mistake counts, and the truth stays apart."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from bench.reading import games, volo, volto
from bench.reading.__main__ import main
from bench.reading.scoring import (
    Misreading,
    Normal,
    Score,
    UnreadableAnswerError,
    compare,
    facts_of,
    load,
)
from bench.reading.sets import NAMES, WIDTH, UsedFolderError, paint, shown, truth_folder
from tests.renderers.looks import LOOKS, named

VOLTO: Mapping[str, Any] = {
    "names": {"sun": "Alba", "moon": "Bruno"},
    "bottom": "sun",
    "masks": {"a1": "sun N", "b2": "sun C", "c5": "moon LC", "d6": "moon ?", "e7": "moon NLCS"},
    "lost": {"sun": "NN", "moon": "A"},
    "turn": "sun",
    "won": None,
    "because": [],
    "last": {"from": "c6", "to": "c5", "took": "N", "taker_lost": None},
    "draft": {"chosen": "b2", "quiet": ["b3", "c2"], "captures": []},
}
VOLO: Mapping[str, Any] = {
    "names": {"orange": "Alba", "blue": "Bruno"},
    "private": True,
    "birds": {"orange": ["b2", "c3"], "blue": ["l7"]},
    "flocks": {"orange": 2, "blue": 1},
    "supply": {"orange": 58, "blue": 59},
    "turn": "orange",
    "won": None,
    "because": [],
    "last": None,
    "draft": {
        "turn": {"kind": "fly", "from": ["c4"], "to": ["c3"], "keep": None, "gone": []},
        "regions": {"a2": ["l7"], "f1": []},
        "water": {"f1": ["f1"]},
    },
}


def changed(form: Mapping[str, Any], change: Callable[[Any], Any]) -> dict[str, Any]:
    """Return a copy of a form after a change."""
    copy: dict[str, Any] = json.loads(json.dumps(form))
    change(copy)
    return copy


def compared(
    read: Mapping[str, Any], true: Mapping[str, Any], normal: Normal
) -> tuple[Score, list[Misreading]]:
    return compare(facts_of(read, normal), facts_of(true, normal))


@pytest.mark.parametrize(("form", "normal"), [(VOLTO, volto.normal), (VOLO, volo.normal)])
def test_a_perfect_answer_is_perfect(form: Mapping[str, Any], normal: Normal) -> None:
    score, errors = compared(form, form, normal)
    assert errors == []
    assert score.facts == score.right > 15
    assert score.share == 1.0


@pytest.mark.parametrize(
    ("change", "wrong", "missing", "fact"),
    [
        (lambda f: f["masks"].update(a1="sun A"), 1, 0, "masks a1 shows"),
        (lambda f: f["masks"].update(a1="moon N"), 1, 0, "masks a1 side"),
        (lambda f: f["masks"].update(c5="moon LCS"), 1, 0, "masks c5 shows"),
        (lambda f: f["masks"].update(d6="moon"), 0, 1, "masks d6 shows"),
        (lambda f: f["masks"].pop("a1"), 0, 2, "masks a1 side"),
        (lambda f: f["masks"].update(e1="sun"), 1, 0, "masks e1 side"),
        (lambda f: f["lost"].update(sun="N"), 0, 1, "lost sun n #2"),
        (lambda f: f["lost"].update(moon="AA"), 1, 0, "lost moon a #2"),
        (lambda f: f["lost"].update(moon="S"), 1, 1, "lost moon a"),
        (lambda f: f.update(bottom="moon"), 1, 0, "bottom"),
        (lambda f: f.update(turn=None), 0, 1, "turn"),
        (lambda f: f.update(won="moon"), 1, 0, "won"),
        (lambda f: f["last"].update(to="c4"), 1, 0, "last to"),
        (lambda f: f["last"].update(taker_lost="A"), 1, 0, "last taker_lost"),
        (lambda f: f.update(last=None), 0, 3, "last from"),
        (lambda f: f["draft"].update(quiet=["b3"]), 0, 1, "draft quiet c2"),
        (lambda f: f["draft"].update(captures=["c3"]), 1, 0, "draft captures c3"),
        (lambda f: f["names"].update(sun="Bruno", moon="Alba"), 2, 0, "names sun"),
    ],
)
def test_each_misreading_of_volto_counts(
    change: Callable[[Any], Any], wrong: int, missing: int, fact: str
) -> None:
    score, errors = compared(changed(VOLTO, change), VOLTO, volto.normal)
    assert (score.wrong, score.missing) == (wrong, missing)
    assert fact in {error.fact for error in errors}
    assert score.right + missing + sum(
        1 for error in errors if "nothing" not in (error.read, error.true)
    ) == (score.facts)


@pytest.mark.parametrize(
    ("change", "wrong", "missing", "fact"),
    [
        (lambda f: f["birds"].update(blue=["l7", "c3"], orange=["b2"]), 1, 0, "birds c3"),
        (lambda f: f["birds"].update(blue=["l7", "c3"]), 1, 0, "birds c3"),
        (lambda f: f["birds"].update(orange=["b2", "c4"]), 1, 1, "birds c4"),
        (lambda f: f.update(private=False), 1, 0, "private"),
        (lambda f: f["supply"].update(blue=58), 1, 0, "supply blue"),
        (lambda f: f["draft"]["turn"].update(keep="a2"), 1, 0, "draft turn keep"),
        (lambda f: f["draft"]["turn"].update(gone=["l7"]), 1, 0, "draft turn gone l7"),
        (lambda f: f["draft"].update(regions={"f1": ["l7"], "a2": []}), 1, 0, "draft regions points l7"),
        (lambda f: f["draft"].update(regions={"a2": ["l7"]}), 0, 1, "draft regions names f1"),
        (lambda f: f["draft"].update(water={}), 0, 2, "draft water points f1"),
        (lambda f: f.update(draft=None), 0, 8, "draft turn kind"),
    ],
)
def test_each_misreading_of_volo_counts(
    change: Callable[[Any], Any], wrong: int, missing: int, fact: str
) -> None:
    score, errors = compared(changed(VOLO, change), VOLO, volo.normal)
    assert (score.wrong, score.missing) == (wrong, missing)
    assert fact in {error.fact for error in errors}


def test_what_may_be_written_in_several_ways_is_the_same() -> None:
    other = changed(
        VOLTO, lambda f: f["masks"].update(c5="Moon c l", e7="moon not A", B2=f["masks"].pop("b2"))
    )
    assert compared(other, VOLTO, volto.normal)[1] == []
    assert compared(changed(VOLTO, lambda f: f["masks"].update(e7="moon ≠A")), VOLTO, volto.normal)[1] == []
    assert compared(changed(VOLO, lambda f: f["supply"].update(blue="59")), VOLO, volo.normal)[1] == []


@pytest.mark.parametrize(
    "form", [{"masks": 3, "lost": [], "draft": "b2"}, {"birds": {"orange": None}, "draft": {"water": 1}}]
)
def test_a_strange_answer_is_wrong_and_no_error(form: dict[str, Any]) -> None:
    for true, normal in ((VOLTO, volto.normal), (VOLO, volo.normal)):
        assert compared(form, true, normal)[0].right == 0


@pytest.mark.parametrize("text", ["[1]", "{", "\xff"])
def test_an_answer_that_is_no_object_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "01.json"
    path.write_text(text, "latin-1")
    with pytest.raises(UnreadableAnswerError):
        load(path)


# --- the truth of looks ---------------------------------------------------------------------------


def test_the_truth_of_a_private_look_hides_what_its_viewer_does_not_know() -> None:
    truth = volto.truth(named("volto_private"), NAMES)
    kinds = {square: text for square, text in truth["masks"].items() if text.startswith("moon ")}
    assert truth["bottom"] == "moon"
    assert all(len(text) == len("moon N") for text in kinds.values())
    public = volto.truth(named("volto_board"), NAMES)
    assert set(public["masks"].values()) == {"sun", "moon"}


def test_the_truth_of_drafts() -> None:
    chosen = volto.truth(named("volto_chosen"), NAMES)["draft"]
    assert chosen["chosen"] == "b5"
    assert chosen["quiet"] or chosen["captures"]
    regions = volo.truth(named("volo_regions"), NAMES)
    assert regions["last"] is None
    assert regions["draft"]["turn"]["from"] == ["h2", "i2"]
    assert len(regions["draft"]["regions"]) == len(regions["draft"]["water"]) + 1
    assert volo.truth(named("volo_board"), NAMES)["last"]["keep"] == "a5"


@pytest.mark.parametrize(
    "name", [n for n in LOOKS if n.partition("_")[0] in games.SHEETS and n != "volto_setup"]
)
def test_a_form_says_how_to_write_all_that_the_truth_has(name: str) -> None:
    look = named(name)
    truth, page = games.SHEETS[look.game].truth(look, NAMES), games.form(look.game)
    assert list(example(look.game)) == list(truth)
    for part in ("last", "draft"):
        assert all(f'"{key}"' in page for key in truth[part] or ())


def example(key: str) -> dict[str, Any]:
    """Return the made-up position of a form."""
    found = re.search(r"```json\n(.*?)```", games.form(key), re.DOTALL)
    assert found is not None
    form: dict[str, Any] = json.loads(found[1])
    return form


BY_NIGHT = pytest.mark.nightly  # two matches are played, and thirty pictures painted


# --- sets -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def painted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reading") / "set"
    assert main(["paint", "--out", str(folder), "--seed", "5", "--theme", "clear"]) == 0
    return folder


def truths(folder: Path) -> list[Path]:
    return sorted(truth_folder(folder).glob("*/*.json"))


@BY_NIGHT
def test_a_set_has_pictures_and_a_form_and_nothing_else(painted: Path) -> None:
    wanted = {"FORM.md", *(f"{number:02}.png" for number in range(1, 11))}
    for key in games.SHEETS:
        assert {path.name for path in (painted / f"{key}-clear").iterdir()} == wanted
        for path in (painted / f"{key}-clear").glob("*.png"):
            with Image.open(path) as image:
                assert image.width == WIDTH
                assert image.info == {}


@BY_NIGHT
def test_the_truth_is_never_among_the_pictures(painted: Path) -> None:
    assert len(truths(painted)) == 20
    assert painted not in truth_folder(painted).parents
    told = {path.read_bytes() for path in painted.rglob("*") if path.is_file()}
    for path in truths(painted):
        truth = json.loads(path.read_text("utf-8"))
        assert truth != example(path.parent.name.partition("-")[0])
        for part in ("masks", "birds"):
            assert not any(json.dumps(truth[part]).encode() in data for data in told if part in truth)
    assert [path for path in painted.rglob("*") if path.is_symlink()] == []


@BY_NIGHT
def test_a_set_is_of_many_sorts(painted: Path) -> None:
    found = [json.loads(path.read_text("utf-8")) for path in truths(painted)]
    for part in ("masks", "birds"):
        some = [truth for truth in found if part in truth]
        assert len(some) == 10
        assert sum(1 for truth in some if truth["won"] is not None) == 1
        assert sum(1 for truth in some if truth["draft"]) >= 4
        assert len({json.dumps(truth[part]) for truth in some}) == 10


@BY_NIGHT
def test_a_seed_paints_the_same_again_and_another_one_does_not(painted: Path, tmp_path: Path) -> None:
    for seed in (5, 6):
        paint(tmp_path / str(seed), seed, ("volto",), ("clear",))
    again, other = ([path.read_bytes() for path in truths(tmp_path / str(seed))] for seed in (5, 6))
    assert again == [path.read_bytes() for path in truths(painted) if path.parent.name == "volto-clear"]
    assert not set(again) & set(other)


@BY_NIGHT
def test_no_set_is_painted_over_another(painted: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UsedFolderError):
        paint(painted, 7, ("volto",), ("default", "clear"))
    assert not (painted / "volto-default").exists()
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
    assert [line.partition(":")[0] for line in lines] == ["volo-clear", "volto-clear"]
    assert all("0 wrong, 0 missing, 100.0 % right" in line for line in lines)


@BY_NIGHT
def test_a_misreading_is_told_with_its_picture(answered: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = answered / "volto-clear" / "03.json"
    form = json.loads(path.read_text("utf-8"))
    true = form["bottom"]
    form["bottom"] = read = "sun" if true == "moon" else "moon"
    path.write_text(json.dumps(form))
    assert main(["score", str(answered)]) == 0
    assert f"  03  bottom: read {read}, true {true}" in capsys.readouterr().out.splitlines()


@BY_NIGHT
def test_answers_below_the_bound_fail(answered: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (answered / "volo-clear" / "04.json").unlink()
    (answered / "volo-clear" / "05.json").write_text("{")
    assert main(["score", str(answered)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert "  04  no answer 04.json" in lines
    assert any(line.startswith("  05  05.json is no JSON") for line in lines)
    assert "100.0 % right" in lines[-1]


def test_without_truth_nothing_is_scored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(tmp_path / "nowhere")]) == 2
    assert "no truth" in capsys.readouterr().err


def test_a_picture_is_the_houses_own_made_small() -> None:
    small = shown(named("volto_board"), NAMES, "default")
    picture = named("volto_board").paint()
    assert small.size == (WIDTH, round(picture.height * WIDTH / picture.width))
    assert small.mode == "RGB"
