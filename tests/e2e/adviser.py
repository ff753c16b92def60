"""What a good player would say: the game's own computer player, asked on the truth in the bot's database.

For people of the tests who shall come to the end of a match that chance alone would not end soon.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import Connection
from typing import Any

from bot.store.checks import open_read_only
from engines.core.contract import Seat, Setup
from engines.core.match import Entry, EntryKind, Match
from engines.core.registry import game, games

LOGGED = ("act", "withdraw", "agree")
"""Rows that are the match's own; offers of a draw are the house's."""


class Adviser:
    """Reads the one match of a database, anew for each question."""

    def __init__(self, database: Path) -> None:
        self._database = database

    def public(self) -> Any:
        """Return what everybody sees; how many sentences were said, for a game that is not installed here."""
        with closing(open_read_only(self._database)) as connection:
            [(key,)] = connection.execute("SELECT game FROM match")
            if key not in games():
                return sum(1 for _ in _entries(connection))
        return self.match().view(None)

    def match(self) -> Match:
        """Return the match as it is committed."""
        with closing(open_read_only(self._database)) as connection:
            connection.execute("BEGIN")
            [(key, ruleset, seats, options, seed)] = connection.execute(
                "SELECT game, ruleset, seats, options, seed FROM match"
            )
            entries = list(_entries(connection))
        setup = Setup(key, ruleset, seats, tuple((k, v) for k, v in json.loads(options)))
        return Match.replay(game(key), setup, seed, entries)

    def seat(self, person: str) -> Seat:
        """Return where a person sits."""
        with closing(open_read_only(self._database)) as connection:
            [(seat,)] = connection.execute("SELECT seat FROM chair WHERE person = ?", (int(person),))
        return int(seat)

    def sentence(self, person: str) -> str:
        """Return what the computer player would say in a person's place, as it is written."""
        match = self.match()
        return match.game.write(match.computer(self.seat(person)))

    def interruption(self, person: str) -> str:
        """Return what the computer player would say although nobody asks it; empty: it keeps quiet."""
        match = self.match()
        return match.game.write(match.interrupt(self.seat(person)) or ())


def _entries(connection: Connection) -> Iterator[Entry]:
    rows = connection.execute("SELECT kind, seat, words FROM log ORDER BY seq").fetchall()
    for kind, seat, words in rows:
        if kind in LOGGED:
            yield Entry(EntryKind(kind), seat, tuple(json.loads(words)))
