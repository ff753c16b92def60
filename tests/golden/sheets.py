"""Score sheets: what was said, a sentence a line with its seat's name, and what everybody learned of it.

A sheet is played again from its own head and sentences, and must come out as it stands. After a wanted
change ``BAUTA_REMASTER=1`` writes the sheets anew; read the difference before keeping it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engines.core.match import AnyGame, Entry, EntryKind, Match
from engines.core.texts import load

_SAID = {EntryKind.WITHDRAW: "resigns", EntryKind.AGREE: "agrees to a draw"}
_KINDS = {said: kind for kind, said in _SAID.items()}


@dataclass(frozen=True, slots=True)
class Clerk:
    """Reads and writes the sheets of a game; ``names`` are its seats' as they stand in them."""

    game: AnyGame
    names: Sequence[str]

    def entries(self, sheet: str) -> Iterator[Entry]:
        """Yield what was said, line by line of a sheet."""
        line = re.compile(rf" *\d+\. (?P<seat>{'|'.join(self.names)}): (?P<said>.+)")
        for found in filter(None, map(line.fullmatch, sheet.splitlines())):
            kind = _KINDS.get(found["said"], EntryKind.ACT)
            seat = None if kind is EntryKind.AGREE else self.names.index(found["seat"])
            words = self.game.read(found["said"]) if kind is EntryKind.ACT else ()
            yield Entry(kind, seat, words)

    def line(self, number: int, seat: int, entry: Entry) -> str:
        """Return the line of what a seat said."""
        return f"{number:3}. {self.names[seat]}: {_SAID.get(entry.kind) or self.game.write(entry.words)}"

    def story(self, match: Match) -> Iterator[str]:
        """Yield what everybody learned in the last step, a fact a line."""
        texts = load(f"engines.{self.game.manifest.key}")
        for _, fact in match.facts(None, len(match.log)):
            told = self.game.narrate(fact)
            assert told is not None
            yield f"       {texts.render(told, self.names.__getitem__)}"

    def score(
        self,
        title: str,
        match: Match,
        log: Iterable[Entry],
        *,
        standing: Callable[[Match], str],
        ends_part: Callable[[Any, Any], bool],
        ending: Callable[[Match], str] | None = None,
    ) -> str:
        """Return the sheet of a match that begins with ``match``.

        ``standing`` says how things are wherever ``ends_part`` says of the public views before and after
        a sentence that a turn or a round ended with it; ``ending`` how the match ended, else its ranks.
        """
        lines = [title, "", *self.story(match), ""]
        for number, entry in enumerate(log, 1):
            before = match.view(None)
            seat = min(match.waiting) if entry.seat is None else entry.seat
            match = match.apply(entry)
            lines += [self.line(number, seat, entry), *self.story(match)]
            if ends_part(before, match.view(None)):
                lines += [standing(match), ""]
        return "\n".join([*lines, (ending or self.ranks)(match), ""])

    def ranks(self, match: Match) -> str:
        """Return how the match ended."""
        if match.outcome is None:
            return "still open"
        return " before ".join(
            " and ".join(self.names[seat] for seat in rank) for rank in match.outcome.ranks
        )


def approve(path: Path, played: str) -> None:
    """Compare a sheet with what was played, after writing it anew where that is wanted."""
    if os.environ.get("BAUTA_REMASTER") == "1":
        path.write_text(played, "utf-8")
    assert path.read_text("utf-8") == played
