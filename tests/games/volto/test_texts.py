"""Texts: every message has its English, and the rules page tells every ruling."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import engines.volto
from engines.core.contract import fact
from engines.core.texts import load, rules
from engines.volto import GAME
from engines.volto.board import KINDS
from engines.volto.record import Reason

PACKAGE = Path(engines.volto.__file__).parent
ENGLISH = load("engines.volto").languages["en"]


def named_keys() -> set[str]:
    """Return every key that the code names; where it fills in a part, as a pattern."""
    found: set[str] = set()
    for path in sorted(PACKAGE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(re.escape(node.value))
            if isinstance(node, ast.JoinedStr):
                parts = (p.value if isinstance(p, ast.Constant) else None for p in node.values)
                found.add("".join("[^.]+" if part is None else re.escape(str(part)) for part in parts))
    return found


def test_every_english_text_is_used() -> None:
    patterns = [re.compile(key) for key in named_keys()] + [re.compile("help")]
    assert [key for key in ENGLISH if not any(pattern.fullmatch(key) for pattern in patterns)] == []


@pytest.mark.parametrize(
    "key", sorted(key for key in named_keys() if re.fullmatch(r"(error|prompt|field|choice)\\\.\w+", key))
)
def test_every_key_in_the_code_has_its_english(key: str) -> None:
    assert key.replace("\\", "") in ENGLISH


def test_every_symbol_and_every_end_has_its_texts() -> None:
    assert all(f"{part}.{kind.value}" in ENGLISH for part in ("kind", "kinds", "moves") for kind in KINDS)
    assert all(f"end.{reason.value}" in ENGLISH for reason in Reason)


def test_how_to_play_fits_one_screen() -> None:
    assert len(str(ENGLISH["help"])) <= 1_500


def test_other_facts_are_not_told() -> None:
    assert GAME.narrate(fact("weather")) is None


@pytest.mark.parametrize(
    "part",
    [
        "The palace border is no obstacle",
        "nobody moves before both are done",
        "The capturer of a Lady is shown",
        "has no legal move wins at once",
        "third time is a draw",
        "100 moves in a row",
        "A win comes before a draw",
        "both are told",
        "agree a draw",
    ],
)
def test_the_rules_page_has_every_ruling(part: str) -> None:
    page = rules("volto")
    rulings = page[page.index("## Rulings") : page.index("## Reconstructions")]
    assert part in rulings


def test_the_arrangement_in_the_texts_can_be_typed() -> None:
    for page in (rules("volto"), str(ENGLISH["help"])):
        assert GAME.read(str(re.findall(r"`(setup [A-Z]+)`", page)[0])) == ("setup", "NALANCSNLA")
    position = re.findall(r"`(\S+/\S+ 0)`", rules("volto"))[0]
    assert GAME.position_text(GAME.position(position)) == position
