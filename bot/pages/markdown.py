"""Markdown files reformatted for Discord on a phone: paragraphs flow, tables become lists."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum

LEVELS = 3
"""Levels of headings that Discord supports."""

FENCE = "```"

_ITEM = re.compile(r"\s*(?:[-*]|\d+\.)\s")
_BAR = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r":?-+:?")
"""A cell of the line between a table's head and its rows."""


class Kind(Enum):
    """The kind of a part of a text."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    ITEM = "item"
    """An item of a list, or a row of a table."""
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a text that is never split; its lines are those that a reader sees."""

    kind: Kind
    text: str


def flow(lines: Iterable[str]) -> list[Part]:
    """Return the parts of a Markdown text, in order; no word is lost."""
    reader = _Reader()
    for line in lines:
        reader.take(line.rstrip())
    reader.finish()
    return reader.parts


def joined(parts: Sequence[Part]) -> str:
    """Return parts as one text, with a blank line between paragraphs."""
    found = ""
    for i, part in enumerate(parts):
        before = parts[i - 1].kind if i else None
        close = before is Kind.HEADING or (part.kind is Kind.ITEM and before is not Kind.CODE)
        found += ("" if before is None else "\n" if close else "\n\n") + part.text
    return found


class _Reader:
    """Reads line by line: a part ends at a blank line, or at a line that cannot belong to it."""

    def __init__(self) -> None:
        self.parts: list[Part] = []
        self._kind = Kind.PARAGRAPH
        self._lines: list[str] = []
        self._table: list[list[str]] = []

    def take(self, line: str) -> None:
        if self._kind is Kind.CODE:
            self._lines.append(line)
            if line == FENCE:
                self.finish()
        elif line.startswith("|"):
            self._finish_lines()
            self._table.append([cell.strip().replace("\\|", "|") for cell in _BAR.split(line)[1:-1]])
        elif not line:
            self.finish()
        elif line.startswith("#"):
            self.finish()
            self.parts.append(Part(Kind.HEADING, _heading(line)))
        else:
            self._take_text(line)

    def _take_text(self, line: str) -> None:
        self._finish_table()
        kind = Kind.CODE if line.startswith(FENCE) else Kind.ITEM if _ITEM.match(line) else None
        if kind is not None:
            self.finish()
            self._kind = kind
        # An item's indentation is its depth in the list.
        self._lines.append(line if kind is not None else line.strip())

    def finish(self) -> None:
        self._finish_lines()
        self._finish_table()

    def _finish_lines(self) -> None:
        if self._lines:
            gap = "\n" if self._kind is Kind.CODE else " "
            self.parts.append(Part(self._kind, gap.join(self._lines)))
        self._kind, self._lines = Kind.PARAGRAPH, []

    def _finish_table(self) -> None:
        if self._table:
            self.parts += _list(self._table)
        self._table = []


def _heading(line: str) -> str:
    marks, _, words = line.partition(" ")
    return line if len(marks) <= LEVELS else f"**{words.strip()}**"


def _list(table: list[list[str]]) -> list[Part]:
    """Return a table as a list: each item begins with its row's first cell, and the others are labelled."""
    head, rows = table[0], [row for row in table[1:] if not all(map(_RULE.fullmatch, row))]
    parts: list[Part] = []
    if len(head) == 2:
        # Two columns need no labels in every row.
        caption, labels = " · ".join(filter(None, head)), ["", ""]
    else:
        caption, labels = head[0], head
    if caption:
        parts.append(Part(Kind.HEADING, f"**{caption[0].upper()}{caption[1:]}**"))
    for first, *others in rows:
        named = [
            f"{label}: {cell}" if label and cell else cell
            for label, cell in zip(labels[1:], others, strict=True)
        ]
        told = [f"**{first}**" if first else "", *named]
        parts.append(Part(Kind.ITEM, "- " + " · ".join(each for each in told if each)))
    return parts
