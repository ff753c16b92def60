"""Texts as JSON of i18next 4, for a translation tool: ``<language>/<package>.json``, keys without nesting.

A plural form is ``key_few``, a form for a value of an argument ``key_value``: i18next's contexts. Gaps have
two braces there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from bot.cli.texts.catalogues import COUNT, Row, TextsError, gaps_of
from engines.core.languages import FALLBACK, LANGUAGES
from engines.core.texts import OTHER, load


def write(path: Path, language: str, rows: Iterable[Row]) -> None:
    """Write English and a language below a folder; raises ``OSError``."""
    by_package: dict[str, list[Row]] = {}
    for row in rows:
        by_package.setdefault(row.package, []).append(row)
    for package, group in by_package.items():
        _write(path / language / f"{package}.json", {name_of(row): row.translation for row in group})
        _write(path / FALLBACK / f"{package}.json", {name_of(row): row.english for row in group})


def _write(file: Path, texts: Mapping[str, str]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    doubled = {name: re.sub(r"\{(\w+)\}", r"{{\1}}", text) for name, text in texts.items()}
    file.write_text(json.dumps(doubled, ensure_ascii=False, indent=2) + "\n", "utf-8")


def read(path: Path, language: str, known: Sequence[Row]) -> list[Row]:
    """Return the rows of a language below a folder; raises :class:`TextsError`, and ``OSError``."""
    rows: list[Row] = []
    wrong: list[str] = []
    names = _names(known, language)
    files = sorted((path / language).glob("*.json"))
    if not files:
        raise TextsError([f"There are no files {path / language / '*.json'}."])
    for file in files:
        package = file.name.removesuffix(".json")
        for name, text in _texts(file).items():
            row = names.get((package, name))
            if row is None:
                wrong.append(f"There is no text {package} {name}.")
            else:
                single = re.sub(r"\{\{(\w+)\}\}", r"{\1}", text)
                rows.append(Row(package, row.key, row.path, row.english, single))
    if wrong:
        raise TextsError(wrong)
    return rows


def _texts(file: Path) -> Mapping[str, str]:
    try:
        found = json.loads(file.read_text("utf-8"))
    except ValueError:
        raise TextsError([f"{file} is no JSON."]) from None
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise TextsError([f"{file} has to be one object of texts, as i18next writes it without nesting."])
    return found


def _names(known: Sequence[Row], language: str) -> Mapping[tuple[str, str], Row]:
    """Return every row that a file may have, by package and name."""
    found = {(row.package, name_of(row)): row for row in known}
    for row in known:
        # A count may need forms where English needs none.
        english = load(row.package).languages[FALLBACK][row.key]
        if isinstance(english, str) and COUNT in gaps_of(english):
            for category in LANGUAGES[language].categories:
                more = Row(row.package, row.key, (category,), row.english, "")
                found.setdefault((row.package, name_of(more)), more)
            plain = Row(row.package, row.key, (), row.english, "")
            found.setdefault((row.package, name_of(plain)), plain)
    return found


def name_of(row: Row) -> str:
    """Return a row's key in a file."""
    parts = [row.key]
    for step in row.path:
        chooser, _, value = step.rpartition("=")
        # Without a context, i18next takes the key alone.
        if not (chooser and value == OTHER):
            parts.append(value)
    return "_".join(parts)
