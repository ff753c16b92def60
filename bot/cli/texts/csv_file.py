"""Texts as a CSV file for a spreadsheet: a row for each form."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from bot.cli.texts.catalogues import Row, TextsError

COLUMNS = ("package", "key", "form", "english", "note", "translation")

NEEDED = ("package", "key", "form", "translation")
"""The columns that an import reads; with ``english``, it tells what has changed since."""

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
"""How a cell begins that a spreadsheet could take for a formula, and one that had to be marked as text."""

_MARK = "'"
"""Before a cell: it is text, whatever it begins with."""


def write(path: Path, language: str, rows: Iterable[Row]) -> None:
    """Write rows to a file; raises ``OSError``."""
    del language
    # Spreadsheets take a file for UTF-8 by its first bytes.
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for row in rows:
            cells = (row.package, row.key, row.form, row.english, row.note, row.translation)
            table.writerow([as_text(cell) for cell in cells])


def read(path: Path, language: str, known: Sequence[Row]) -> list[Row]:
    """Return the rows of a file; raises :class:`TextsError` if it is no such file, and ``OSError``."""
    del language, known
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            table = csv.DictReader(file, strict=True)
            missing = [name for name in NEEDED if name not in (table.fieldnames or ())]
            if missing:
                raise TextsError([f"{path} has no column {', '.join(missing)}."])
            return [_row(cells) for cells in table]
    except (csv.Error, UnicodeDecodeError):
        raise TextsError([f"{path} is no CSV file in UTF-8."]) from None


def _row(cells: dict[str, str | None]) -> Row:
    package, key, form, english, translation = (
        as_read(cells.get(name) or "") for name in ("package", "key", "form", "english", "translation")
    )
    return Row(package, key, tuple(form.split("/")) if form else (), english, translation)


def as_text(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"{_MARK}{cell}" if _FORMULA.match(cell) else cell


def as_read(cell: str) -> str:
    """Return what :func:`as_text` was given."""
    return cell[len(_MARK) :] if cell.startswith(_MARK) and _FORMULA.match(cell) else cell
