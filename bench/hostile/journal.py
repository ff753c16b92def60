"""What is written to the database, as the database itself sees it: temporary triggers on the writer."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import Any

from bot.store.sqlite import SqliteStore

_TRIGGERS = """
CREATE TEMP TABLE journal (n INTEGER PRIMARY KEY, what TEXT, at TEXT, told TEXT);
CREATE TEMP TRIGGER j1 AFTER INSERT ON main.match BEGIN
  INSERT INTO journal (what, at, told) VALUES ('opened', new.id, json_array(new.host)); END;
CREATE TEMP TRIGGER j2 AFTER UPDATE ON main.match
WHEN (old.status, old.host, old.seats, old.seed, old.commitment)
  IS NOT (new.status, new.host, new.seats, new.seed, new.commitment)
  OR (old.started_at, old.ended_at) IS NOT (new.started_at, new.ended_at)
BEGIN INSERT INTO journal (what, at, told) VALUES ('match', new.id, json_array(
  old.status, new.status, old.host, new.host, old.seed IS NULL, old.seed IS new.seed,
  old.seats IS new.seats)); END;
CREATE TEMP TRIGGER j3 AFTER INSERT ON main.chair BEGIN INSERT INTO journal (what, at, told) VALUES
  ('chair+', new.match, json_array(new.person, new.withdrawn)); END;
CREATE TEMP TRIGGER j4 AFTER DELETE ON main.chair BEGIN INSERT INTO journal (what, at, told) VALUES
  ('chair-', old.match, json_array(old.person, old.withdrawn)); END;
CREATE TEMP TRIGGER j5 AFTER INSERT ON main.log BEGIN INSERT INTO journal (what, at, told) VALUES
  ('log', new.match, json_array(new.seq, new.kind, new.seat, json(new.words), new.digest, new.request)); END;
CREATE TEMP TRIGGER j6 AFTER INSERT ON main.draft WHEN new.revision > 0 BEGIN
  INSERT INTO journal (what, at, told) VALUES ('draft', new.match, json_array(new.seat)); END;
CREATE TEMP TRIGGER j7 AFTER UPDATE ON main.draft
WHEN (new.words, new.revision) IS NOT (old.words, old.revision) BEGIN
  INSERT INTO journal (what, at, told) VALUES ('draft', new.match, json_array(new.seat)); END;
CREATE TEMP TRIGGER j8 AFTER INSERT ON main.invitation BEGIN
  INSERT INTO journal (what, at, told) VALUES ('invitation+', new.match, json_array(new.person)); END;
CREATE TEMP TRIGGER j9 AFTER DELETE ON main.invitation BEGIN
  INSERT INTO journal (what, at, told) VALUES ('invitation-', old.match, json_array(old.person)); END;
CREATE TEMP TRIGGER j10 AFTER INSERT ON main.person BEGIN
  INSERT INTO journal (what, at, told) VALUES ('person', '', json_array(new.id)); END;
CREATE TEMP TRIGGER j11 AFTER INSERT ON main.preset BEGIN
  INSERT INTO journal (what, at, told) VALUES ('preset', '', json_array(new.person)); END;
CREATE TEMP TRIGGER j12 AFTER INSERT ON main.request BEGIN INSERT INTO journal (what, at, told) VALUES
  ('request', new.match, json_array(new.id, new.person, new.act)); END
"""


@dataclass(frozen=True, slots=True)
class Written:
    """A row that was written: ``what`` and where, and what is told of it."""

    what: str
    match: str
    told: list[Any]


class Journal:
    """Notes what is committed from now on; what is rolled back takes its notes with it."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store

    async def begin(self) -> None:
        """Put the triggers in."""
        await self._store.writer.run(_put_triggers)

    async def take(self) -> list[Written]:
        """Return what was written since the last time."""
        writer = self._store.writer
        async with writer.lock:
            rows = await writer.run(_take)
        return [Written(what, at, json.loads(told)) for what, at, told in rows]


def _put_triggers(writer: sqlite3.Connection) -> None:
    for statement in _TRIGGERS.split(";\nCREATE"):
        writer.execute(statement if statement.lstrip().startswith("CREATE") else f"CREATE{statement}")


def _take(writer: sqlite3.Connection) -> list[tuple[str, str, str]]:
    rows = writer.execute("SELECT what, at, told FROM journal ORDER BY n").fetchall()
    if rows:
        writer.execute("DELETE FROM journal")
    return rows
