"""The blind reading: perfect answers are perfect, each planted mistake counts, and the truth stays apart."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest

from bench.reading import games, volo, volto
from bench.reading.scoring import (
    LISTED,
    NOTHING,
    Misreading,
    Normal,
    Score,
    UnreadableAnswerError,
    compare,
    facts_of,
    load,
)
from bench.reading.sets import NAMES
from engines.core.contract import Fact
from tests.bench.forms import example
from tests.renderers.looks import LOOKS, named

VOLTO: Mapping[str, Any] = {
    "names": {"sun": "Alba", "moon": "Bruno"},
    "bottom": "sun",
    "masks": {"a1": "sun N", "b2": "sun C", "c5": "moon LC", "d6": "moon ?", "e7": "moon NLCS"},
    "lost": {"sun": "NN", "moon": "A"},
    "turn": "sun",
    "won": None,
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
    "last": None,
    "draft": {
        "turn": {"kind": "fly", "from": ["c4"], "to": ["c3"], "gone": []},
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
        (lambda f: f["draft"]["turn"].update(kind="add"), 1, 0, "draft turn kind"),
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


def test_the_only_thing_of_a_list_may_be_written_without_the_list() -> None:
    true = {"quests train e1": LISTED, "stock": "3"}
    assert compare({"quests train": "e1", "stock": "3"}, true)[0].share == 1
    score, errors = compare({"quests train": "e2", "stock": "3"}, true)
    assert (score.right, score.wrong, score.missing) == (1, 1, 1)
    assert errors[1] == Misreading("quests train", "e2", NOTHING)


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


CLUE = "clues r 2. meeting remer sovrintendenza"
CLOSE_UPS = {"corto_groups", "corto_siberia", "corto_strip", "volt_modules"}
SHEETED = [name for name in LOOKS if name.partition("_")[0] in games.SHEETS]
"""Looks of games that have a form; a new game needs none."""

READ = [name for name in SHEETED if name not in CLOSE_UPS | {"volto_setup"}]
"""Looks that a form asks about: pictures that messages show, and no close-ups."""


def test_close_ups_are_what_no_message_shows() -> None:
    # Told by name above: to play to all looks takes seconds, and every process collects all tests.
    keys = {name: named(name).key for name in SHEETED}
    others = {name for name, key in keys.items() if key in ("controller", "groups", "page")}
    assert others | {name for name, key in keys.items() if key.startswith("strip.")} == CLOSE_UPS


def true(name: str) -> dict[str, Any]:
    """Return the key of a look."""
    look = named(name)
    seats = len(getattr(look.view, "robots", ())) or len(getattr(look.view, "colours", ()))
    return games.SHEETS[look.game].truth(look, NAMES[: seats or getattr(look.view, "seats", 2)])


# --- the truth of looks ---------------------------------------------------------------------------


def test_the_truth_of_a_private_look_hides_what_its_viewer_does_not_know() -> None:
    truth = volto.truth(named("volto_private"), NAMES[:2])
    kinds = {square: text for square, text in truth["masks"].items() if text.startswith("moon ")}
    assert truth["bottom"] == "moon"
    assert all(len(text) == len("moon N") for text in kinds.values())
    public = volto.truth(named("volto_board"), NAMES[:2])
    assert set(public["masks"].values()) == {"sun", "moon"}


def test_the_truth_of_masks_that_have_left_unseen() -> None:
    public, own = (volto.truth(named(name), NAMES[:2]) for name in ("volto_board", "volto_private"))
    assert public["lost"] == {"sun": "?L", "moon": "?L"}
    assert own["lost"] == {"sun": "?L", "moon": "AL"}, "one's own are known"
    assert public["last"]["taker_lost"] == own["last"]["taker_lost"] == "?"
    assert volto.normal(public)["lost"]["sun"] == ["?", "L"]


def test_the_truth_of_drafts() -> None:
    chosen = volto.truth(named("volto_chosen"), NAMES[:2])["draft"]
    assert chosen["chosen"] == "b5"
    assert chosen["quiet"] or chosen["captures"]
    regions = volo.truth(named("volo_regions"), NAMES[:2])
    assert regions["last"] is None
    assert regions["draft"]["turn"]["from"] == ["h2", "i2"]
    assert len(regions["draft"]["regions"]) == len(regions["draft"]["water"]) + 1
    assert len(volo.truth(named("volo_board"), NAMES[:2])["last"]["gone"]) == 10


@pytest.mark.parametrize("name", READ)
def test_a_form_says_how_to_write_all_that_the_truth_has(name: str) -> None:
    truth, page = true(name), games.form(named(name).game)
    assert set(example(named(name).game)) == set(truth)
    for part in ("last", "draft", "plan"):
        assert all(f'"{key}"' in page for key in truth.get(part) or ())


@pytest.mark.parametrize("name", READ)
def test_the_key_of_a_look_answers_its_own_form(name: str) -> None:
    normal = games.SHEETS[named(name).game].normal
    truth = json.loads(json.dumps(true(name)))
    score, errors = compared(truth, truth, normal)
    assert errors == []
    assert score.facts == score.right >= 5


@pytest.mark.parametrize("name", READ)
def test_every_fact_of_a_key_can_be_read_wrongly(name: str) -> None:
    facts = facts_of(true(name), games.SHEETS[named(name).game].normal)
    for fact in facts:
        score, errors = compare(facts | {fact: "wrong"}, facts)
        assert (score.wrong, score.right) == (1, len(facts) - 1)
        assert [error.fact for error in errors] == [fact]


@pytest.mark.parametrize(
    ("name", "change", "wrong", "missing", "fact"),
    [
        ("volt_board", lambda f: f["robots"]["N"].update(damage=2), 1, 0, "robots n damage"),
        ("volt_board", lambda f: f["robots"]["S"].update(at="e6"), 1, 0, "robots s at"),
        ("volt_board", lambda f: f["tokens"].pop("e4"), 0, 1, "tokens e4"),
        ("volt_board", lambda f: f["tokens"].update(d5=5), 1, 0, "tokens d5"),
        ("volt_board", lambda f: f["mines"].update(d6="N"), 1, 0, "mines d6"),
        ("volt_board", lambda f: f["arena"]["pits"].remove("c2"), 0, 1, "arena pits c2"),
        ("volt_board", lambda f: f["arena"].update(walls=["b5 c5"]), 0, 3, "arena walls e2 e3"),
        ("volt_board", lambda f: f["modules"]["N"].update(hidden=["blue"]), 1, 1, "modules n hidden red"),
        ("volt_private", lambda f: f["plan"]["ends"].update(III="h7"), 1, 0, "plan ends iii"),
        ("volt_private", lambda f: f["plan"].update(hits=[]), 0, 1, "plan hits b6"),
        ("volt_private", lambda f: f["program"].update(I="blue 1 N"), 1, 0, "program i"),
        ("corto_board", lambda f: f["figurines"].update(corto="a3"), 1, 0, "figurines corto"),
        ("corto_board", lambda f: f["quests"].update(leopards=5), 1, 0, "quests leopards"),
        ("corto_board", lambda f: f["quests"].update(tiles=["c6"]), 0, 1, "quests tiles c7"),
        ("corto_board", lambda f: f["players"]["red"].update(stock=5), 1, 0, "players red stock"),
        ("corto_board", lambda f: f["players"]["red"]["won"].pop("crow"), 0, 1, "players red won crow"),
        (
            "corto_board",
            lambda f: f["characters"].update(a1="Harbour pilot; both; red 1 blue 1"),
            2,
            1,
            "characters a1 signs friend",
        ),
        ("corto_private", lambda f: f["marks"].update(a4="aim"), 1, 1, "marks a4 place"),
        (
            "corto_private",
            lambda f: f["hand"].update(A08="Mutineer; character; add C"),
            1,
            1,
            "hand a08 signs hit",
        ),
        ("corto_scoring", lambda f: f["scoring"]["total"].update(red=16), 1, 0, "scoring total red"),
        ("doge_board", lambda f: f["pawns"].update(Y=5), 1, 0, "pawns y"),
        ("doge_board", lambda f: f["piles"].update({"3": ["1. R"]}), 0, 1, "piles 3 2. r"),
        ("doge_private", lambda f: f["piles"].update({"1": ["1. G"]}), 1, 1, "piles 1 1. g biennale"),
        ("doge_board", lambda f: f["targets"].update({"9": "ccw look"}), 1, 0, "targets 9"),
        ("doge_sheet", lambda f: f["sure"]["Y"].update(favro="0"), 1, 0, "sure y favro"),
        ("doge_sheet", lambda f: f["players"]["Y"].update(name="Elio"), 1, 0, "players y name"),
        ("doge_sheet", lambda f: f["clues"].update(R=f["clues"]["R"][:1]), 0, 1, CLUE),
        ("doge_sheet", lambda f: f["treasures"].pop(), 0, 1, "treasures biennale impiraressa"),
        ("doge_hand", lambda f: f["cards"].update(corder="true"), 1, 0, "cards corder"),
        ("doge_clue", lambda f: f.update(source="look"), 1, 0, "source"),
    ],
)
def test_each_misreading_of_a_look_counts(
    name: str, change: Callable[[Any], Any], wrong: int, missing: int, fact: str
) -> None:
    key = true(name)
    score, errors = compared(changed(key, change), key, games.SHEETS[named(name).game].normal)
    assert (score.wrong, score.missing) == (wrong, missing)
    assert fact in {error.fact for error in errors}


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("volt_board", lambda f: f["arena"].update(walls=["c5|b5", "e3-e2", "E8 e7", "g5 h5"])),
        ("volt_board", lambda f: f["modules"]["N"].update(open=["Refle…"])),
        ("doge_board", lambda f: f["wrong"].update(B="favro marina")),
        ("corto_board", lambda f: f["characters"].update(a1="harbourpilot;white  friend;blue 1 red 2")),
        ("corto_private", lambda f: f["characters"].update(c1=f["characters"]["c1"].lstrip("; "))),
    ],
)
def test_what_may_be_written_in_several_ways_is_the_same_in_a_look(
    name: str, change: Callable[[Any], Any]
) -> None:
    key = true(name)
    assert compared(changed(key, change), key, games.SHEETS[named(name).game].normal)[1] == []


# --- what is asked --------------------------------------------------------------------------------


def kinds(view: type, prefix: str = "") -> set[str]:
    """Return the names of all that a view holds, those of its parts after a dot."""
    found: set[str] = set()
    for name, hint in get_type_hints(view).items():
        parts = [
            one for one in leaves(hint) if isinstance(one, type) and is_dataclass(one) and one is not Fact
        ]
        if name in {field.name for field in fields(view)}:
            found |= set().union(*(kinds(part, f"{prefix}{name}.") for part in parts)) or {prefix + name}
    return found


def leaves(hint: Any) -> Iterator[Any]:
    """Yield the types that a hint is made of."""
    if get_args(hint):
        for part in get_args(hint):
            yield from leaves(part)
    else:
        yield hint


@pytest.mark.parametrize("key", list(games.SHEETS))
def test_every_fact_of_a_view_is_asked_or_said_by_the_message(key: str) -> None:
    sheet = games.SHEETS[key]
    sorted_out = [*sheet.asked, *sheet.said]
    for kind in kinds(sheet.view):
        names = [kind[: len(name)] for name in sorted_out if f"{kind}.".startswith(f"{name}.")]
        assert len(names) == 1, kind
    for name in sorted_out:
        assert any(f"{kind}.".startswith(f"{name}.") for kind in kinds(sheet.view)), name


@pytest.mark.parametrize("key", list(games.SHEETS))
def test_a_form_asks_for_what_is_asked_and_names_what_is_said(key: str) -> None:
    sheet, page = games.SHEETS[key], games.form(key)
    said = " ".join(page.partition("## What the message says")[2].partition("\n## ")[0].split())
    assert set(sheet.asked.values()) <= set(example(key))
    assert [words for words in set(sheet.said.values()) if words not in said] == []
