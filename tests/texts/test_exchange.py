"""``bauta texts``: what is exported comes back the same, and what is wrong is refused with a sentence."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.__main__ import main
from bot.cli import texts as command
from bot.cli.texts import catalogues, csv_file, i18next
from bot.cli.texts.catalogues import Row, TextsError, exported, packages, translations
from engines.core.languages import LANGUAGES
from engines.core.text_notes import Notes
from engines.core.texts import load
from tests.kit.pseudo import installed

EN: dict[str, Any] = {
    "plain": "Hello, {player}.",
    "left": "{n} left in {square}",
    "won": {"one": "{players} wins.", "other": "{players} win."},
    "hit": {"by": "piece", "guard": {"one": "one guard", "other": "{n} guards"}, "other": "{piece}"},
    "goes": {"by": "way", "cw": "goes on", "ccw": "goes back"},
}


@pytest.fixture
def book(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, Any]:
    """A package with four texts and a Polish translation, instead of all packages."""
    languages: dict[str, Any] = {"en": EN}
    monkeypatch.setattr(catalogues, "packages", lambda: ["book"])
    monkeypatch.setattr(command, "packages", lambda: ["book"])
    for module in (catalogues, i18next):
        monkeypatch.setattr(module, "load", lambda _: type("Book", (), {"languages": languages}))
    monkeypatch.setattr(catalogues, "notes", lambda _: Notes({}, frozenset(), {}, {}))
    (tmp_path / "locale").mkdir()
    monkeypatch.setattr(command, "files", lambda _: tmp_path)
    return languages


@pytest.fixture
def pseudo_language() -> Iterator[str]:
    with installed() as code:
        yield code


@pytest.mark.parametrize("form", ["csv", "i18next"])
def test_what_is_exported_comes_back_the_same(form: str, pseudo_language: str, tmp_path: Path) -> None:
    rows = [row for package in packages() for row in exported(package, pseudo_language)]
    assert len(rows) > 2_000
    path = tmp_path / "texts"
    command.FORMATS[form].write(path, pseudo_language, rows)
    found = command.FORMATS[form].read(path, pseudo_language, rows)
    made = translations(found, pseudo_language)
    assert made == {package: load(package).languages[pseudo_language] for package in packages()}


def test_no_two_texts_have_one_name_for_i18next(pseudo_language: str) -> None:
    for language in (*LANGUAGES, pseudo_language):
        if language != "en":
            names = [(row.package, i18next.name_of(row)) for p in packages() for row in exported(p, language)]
            assert len(names) == len(set(names))


POLISH: dict[tuple[str, str], str] = {
    ("plain", ""): "Cześć, {player}.",
    ("left", "one"): "{n} w {square}",
    ("left", "few"): "{n} w {square}!",
    ("left", "many"): "{n} w {square}!!",
    ("left", "other"): "{n} w {square}!!!",
    ("won", "one"): "{players} wygrywa.",
    ("won", "few"): "{players} wygrywają.",
    ("won", "many"): "{players} wygrywają!",
    ("won", "other"): "{players} wygrywa!",
    ("hit", "piece=guard/one"): "strażnik",
    ("hit", "piece=guard/few"): "{n} strażnicy",
    ("hit", "piece=guard/many"): "{n} strażników",
    ("hit", "piece=guard/other"): "{n} strażnika",
    ("hit", "piece=other"): "{piece}",
    ("goes", "way=cw"): "idzie dalej",
    ("goes", "way=ccw"): "wraca",
}


def rows_of(filled: dict[tuple[str, str], str]) -> list[Row]:
    return [
        Row("book", key, tuple(form.split("/")) if form else (), "", text)
        for (key, form), text in filled.items()
    ]


def test_a_language_has_its_own_forms(book: dict[str, Any]) -> None:
    made = translations(rows_of(POLISH), "pl")["book"]
    assert [*made] == [*EN]
    assert made["hit"] == {
        "by": "piece",
        "guard": {
            "one": "strażnik",
            "few": "{n} strażnicy",
            "many": "{n} strażników",
            "other": "{n} strażnika",
        },
        "other": "{piece}",
    }
    book["pl"] = made
    assert {(row.key, row.form): row.translation for row in exported("book", "pl")} == POLISH


def test_what_is_not_translated_stays_english(book: dict[str, Any]) -> None:
    rows = [*exported("book", "pl")]
    assert [(row.key, row.form, row.english) for row in rows][:6] == [
        ("plain", "", "Hello, {player}."),
        ("left", "", "{n} left in {square}"),
        ("won", "one", "{players} wins."),
        ("won", "few", "{players} win."),
        ("won", "many", "{players} win."),
        ("won", "other", "{players} win."),
    ]
    assert translations(rows, "pl") == {"book": {}}


def test_a_text_without_a_row_keeps_its_translation(book: dict[str, Any]) -> None:
    book["pl"] = {"plain": "Cześć, {player}.", "left": "{n} w {square}"}
    rows = rows_of({("left", ""): "", ("hit", "piece=other"): "{piece}"})
    assert translations(rows, "pl") == {
        "book": {"plain": "Cześć, {player}.", "hit": {"by": "piece", "other": "{piece}"}}
    }


def test_a_translation_may_choose_its_forms_by_another_gap(book: dict[str, Any]) -> None:
    filled = {("plain", "player=Anna"): "Droga {player}", ("plain", "player=other"): "Drogi {player}"}
    assert translations(rows_of(filled), "pl")["book"]["plain"] == {
        "by": "player",
        "Anna": "Droga {player}",
        "other": "Drogi {player}",
    }


WRONG: dict[str, tuple[dict[tuple[str, str], str], str]] = {
    "a key": ({("plane", ""): "x"}, "There is no text book plane."),
    "a gap": ({("plain", ""): "{player} {who}"}, "book plain: English has no gap {who}."),
    "no gap": ({("plain", ""): "Hej"}, "book plain: the gap {player} is missing."),
    "a brace": ({("plain", ""): "{player} }"}, "book plain: a brace stands alone."),
    "both": (
        {("left", ""): "{n} {square}", ("left", "one"): "{n} {square}"},
        "book left: a text has either forms or none.",
    ),
    "few forms": (
        {("won", "one"): "{players}", ("won", "other"): "{players}"},
        "book won: pl needs the forms one, few, many, other; the file has one, other.",
    ),
    "no form": ({**POLISH, ("won", "few"): ""}, "book won (few): this form is empty."),
    "no count": (
        {("plain", form): "{player}" for form in ("one", "few", "many", "other")},
        "book plain: English has no gap {n} that could choose a form.",
    ),
    "no other": (
        {("plain", "player=Anna"): "{player}"},
        "book plain: the form player=other is missing.",
    ),
    "no value": ({("goes", "way=cw"): "x"}, "book goes: the form way=ccw is missing."),
    "two choosers": (
        {("left", "one"): "{n} {square}", ("left", "square=a1"): "{n} {square}"},
        "book left: one argument chooses between forms that stand beside each other.",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_said_in_a_sentence(book: dict[str, Any], name: str) -> None:
    filled, sentence = WRONG[name]
    with pytest.raises(TextsError) as refused:
        translations(rows_of(filled), "pl")
    assert sentence in refused.value.reasons


def test_a_row_that_stands_twice_and_a_package_that_is_none(book: dict[str, Any]) -> None:
    rows = [*rows_of({("plain", ""): "{player}"})] * 2 + [Row("shelf", "plain", (), "", "x")]
    with pytest.raises(TextsError) as refused:
        translations(rows, "pl")
    assert refused.value.reasons == ["book plain stands twice.", "There is no package shelf."]


@pytest.mark.parametrize(
    ("cell", "written"),
    [
        ("=1+1", "'=1+1"),
        ("-# small", "'-# small"),
        ("+x", "'+x"),
        ("@x", "'@x"),
        ("'=x", "''=x"),
        ("'quoted'", "'quoted'"),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_no_cell_is_a_formula(cell: str, written: str) -> None:
    assert csv_file.as_text(cell) == written
    assert csv_file.as_read(written) == cell
    # What a translator types without the mark is meant as it is.
    assert csv_file.as_read(cell.removeprefix("'")) == cell.removeprefix("'")


def test_the_whole_way_with_a_spreadsheet(
    book: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pl.csv"
    assert main(["texts", "export", "pl", str(path)]) == 0
    assert path.read_bytes().startswith(b"\xef\xbb\xbf")
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[0]["translation"] = "Cześć, {player}."
    rows[0]["english"] = "Hi, {player}."
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, csv_file.COLUMNS)
        table.writeheader()
        table.writerows(rows)
    assert main(["texts", "import", "pl", str(path)]) == 0
    written = (tmp_path / "locale" / "pl.json").read_text("utf-8")
    assert json.loads(written) == {"plain": "Cześć, {player}."}
    assert "English has changed since the export: book plain" in capsys.readouterr().out


def test_the_whole_way_with_a_translation_tool(book: dict[str, Any], tmp_path: Path) -> None:
    folder = tmp_path / "tool"
    assert main(["texts", "export", "pl", str(folder), "--format", "i18next"]) == 0
    english, polish = (folder / name / "book.json" for name in ("en", "pl"))
    assert json.loads(english.read_text("utf-8"))["hit_guard_few"] == "{{n}} guards"
    texts = json.loads(polish.read_text("utf-8"))
    assert [*texts][-4:] == ["hit_guard_other", "hit", "goes_cw", "goes_ccw"]
    texts |= {f"left_{form}": "{{n}} {{square}}" for form in ("one", "few", "many", "other")}
    polish.write_text(json.dumps(texts), "utf-8")
    assert main(["texts", "import", "pl", str(folder), "--format", "i18next"]) == 0
    made = json.loads((tmp_path / "locale" / "pl.json").read_text("utf-8"))
    assert made == {"left": dict.fromkeys(("one", "few", "many", "other"), "{n} {square}")}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "en", "x.csv"), "English is the source: edit locale/en.json."),
        (("export", "xx", "x.csv"), "does not know the language xx"),
        (("import", "pl", "none.csv"), "none.csv: No such file or directory."),
        (("import", "pl", "none", "--format", "i18next"), "There are no files none/pl/*.json."),
    ],
)
def test_refusals(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str], book: dict[str, Any]
) -> None:
    assert main(["texts", *arguments]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"key,form\nplain,\n", "has no column package, translation."),
        (b"\xff\xfe\x00", "is no CSV file in UTF-8."),
        (b'package,key,form,translation\n"book', "is no CSV file in UTF-8."),
    ],
)
def test_files_that_are_none(
    content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], book: dict[str, Any]
) -> None:
    (tmp_path / "x.csv").write_bytes(content)
    assert main(["texts", "import", "pl", str(tmp_path / "x.csv")]) == 1
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("content", "said"), [("{", "is no JSON."), ('{"a": {"b": "c"}}', "has to be one object of texts")]
)
def test_json_that_is_none(
    content: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], book: dict[str, Any]
) -> None:
    (tmp_path / "pl").mkdir()
    (tmp_path / "pl" / "book.json").write_text(content)
    assert main(["texts", "import", "pl", str(tmp_path), "--format", "i18next"]) == 1
    assert said in capsys.readouterr().err


def test_an_installed_copy_is_left_alone(
    book: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "pl.csv"
    assert main(["texts", "export", "pl", str(path)]) == 0

    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "write_text", refuse)
    assert main(["texts", "import", "pl", str(path)]) == 1
    assert "cannot be written (Permission denied). Run this command in a checkout" in capsys.readouterr().err
