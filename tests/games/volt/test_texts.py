"""Texts: every message has its English, and every fact is told."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import engines.volt
from engines.core.contract import fact
from engines.core.texts import load, rules
from engines.volt import GAME, facts, tell
from engines.volt.answers import Ask, asked
from engines.volt.modules import MODULES, Use
from engines.volt.view import Phase

PACKAGE = Path(engines.volt.__file__).parent
ENGLISH = load("engines.volt").languages["en"]


def named_keys() -> set[str]:
    """Return every key that the code names; where it fills in a part, as a pattern."""
    found: set[str] = set()
    for path in sorted(PACKAGE.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(re.escape(node.value))
            if isinstance(node, ast.JoinedStr):
                parts = (p.value if isinstance(p, ast.Constant) else None for p in node.values)
                found.add("".join(".+" if part is None else re.escape(str(part)) for part in parts))
    return found


def test_every_english_text_is_used() -> None:
    wild = {".+", ".+ .+"}
    patterns = [re.compile(key) for key in named_keys() - wild if key.strip(".+\\")]
    asking = {asked(ask).key for ask in asks()}
    unused = [key for key in ENGLISH if not any(pattern.fullmatch(key) for pattern in patterns)]
    assert [key for key in unused if key not in {"help", *asking}] == []


def asks() -> list[Ask]:
    """Return every shape that a short question has."""
    spaces, decks = ("c1", "e1"), ("red",)
    return [
        Ask(spaces, decks),
        Ask((), decks),
        Ask(spaces, decks, "pass"),
        Ask((), decks, "pass"),
        Ask(spaces),
        Ask((), decks, "repair"),
    ]


def test_every_question_can_be_named() -> None:
    assert all(asked(ask).key in ENGLISH for ask in asks())
    assert all(f"prompt.{phase.value}" in ENGLISH for phase in (Phase.START, Phase.SECOND, Phase.REBOOT))
    assert all(f"field.deck.{phase}" in ENGLISH for phase in ("start", "second", "reboot", "repair"))


@pytest.mark.parametrize(
    "key",
    sorted(key for key in named_keys() if re.fullmatch(r"(error|prompt|field|choice)\\\.\w*[a-z]", key)),
)
def test_every_key_in_the_code_has_its_english(key: str) -> None:
    assert key.replace("\\", "") in ENGLISH


@pytest.mark.parametrize("name", sorted(MODULES))
def test_every_module_has_its_texts(name: str) -> None:
    assert f"module.{name}" in ENGLISH
    assert len(str(ENGLISH[f"module.{name}.short"])) <= 100
    title = str(ENGLISH[f"module.{name}"])
    assert title.lower().split()[0] == name, "the word is the first word of the name"
    assert f"| {title} |" in rules("volt")


def test_the_decks_are_those_of_the_rules_page() -> None:
    for deck in ("red", "blue", "yellow"):
        assert sum(module.deck == deck for module in MODULES.values()) == 8
    standing = {name for name, module in MODULES.items() if module.use is Use.STANDING}
    assert standing == {"explosive", "anchor", "shield", "reflector", "reverse", "priority", "pit"}


def test_every_fact_is_told() -> None:
    built = inspect.getsource(facts)
    kinds = set(re.findall(r'fact\("(\w+)"', built))
    assert kinds == set(tell._PLAIN) | set(tell._SPECIAL)
    assert GAME.narrate(fact("weather")) is None
