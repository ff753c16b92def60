"""What can be looked at: tables, boards, lists, logs, the replay file of a match that is over."""

from __future__ import annotations

from typing import Any

from bot.domain import replay_file
from bot.domain.match import Board, LogLine, LogRow, RowKind
from bot.domain.tables import MatchLine, Status, TableInfo
from bot.matches.completion import completions
from bot.matches.drafts import Drafting
from bot.matches.loaded_table import LoadedTable, no
from bot.matches.table_cache import RECENT_SECONDS, Who, line_of, person_id
from engines.core.rng import commitment

BOARD_SURFACE = "board"
"""The surface whose shown message says how much of a board's news is new."""


class Looking(Drafting):
    """The use cases that change nothing."""

    async def table(self, table_id: str) -> TableInfo:
        """Return a table; raises ``Refusal`` for one that does not exist."""
        return (await self._get(table_id)).info

    async def table_of_thread(self, thread_id: int) -> TableInfo | None:
        """Return the table whose match has this thread."""
        async with self._store.read() as reader:
            table_id = await reader.table_of_thread(thread_id)
        return None if table_id is None else await self.table(table_id)

    async def board(self, table_id: str) -> Board:
        """Return the match as the public sees it; raises ``Refusal`` where there is none."""
        live = await self._get(table_id)
        chronicle = live.play
        async with self._store.read() as reader:
            shown = await reader.shown(table_id, BOARD_SURFACE)
        public, since = chronicle.public, 0
        if shown is not None:
            since = shown.version if shown.epoch < public.epoch else shown.since
        return Board(
            table=live.info,
            view=public.view,
            epoch=public.epoch,
            version=public.version,
            waiting=tuple(sorted(public.waiting)),
            told=chronicle.told_since(since),
            draw_offers=chronicle.offers,
            outcome=public.outcome,
            seed=live.row.seed if live.info.status is Status.OVER else None,
            before=public.before,
            opening=chronicle.opening(),
        )

    async def matches(self, person: Who) -> list[MatchLine]:
        """Return a person's matches that are not over, and those of the last days: the urgent ones first."""
        who = person_id(person)
        async with self._store.read() as reader:
            rows = await reader.tables_of(who, self._clock() - RECENT_SECONDS)
        return sorted((line_of(row, who) for row in rows), key=_urgency)

    def peek_matches(self, person: Who) -> tuple[MatchLine, ...]:
        """Return the same from memory alone."""
        edge = self._clock() - RECENT_SECONDS
        lines = self._lines.get(person_id(person), {}).values()
        recent = (line for line in lines if line.table.status is not Status.OVER or line.since > edge)
        return tuple(sorted(recent, key=_urgency))

    def peek_completions(self, table_id: str, person: Who, typed: str) -> tuple[str, ...]:
        """Return what may be typed next, from memory alone: at most 25 texts that begin with ``typed``."""
        live = self._peek(table_id)
        if live is None or live.info.status is not Status.RUNNING or live.chronicle is None:
            return ()
        seat = live.info.seat_of(person_id(person))
        if seat is None or live.info.chair_at(seat).withdrawn:
            return ()
        return completions(live.desk(seat), live.drafts_of(seat).shown.words, typed)

    async def log(self, table_id: str, person: Who | None) -> list[LogLine]:
        """Return what the asker may know of what happened; everything, once the match is over.

        The lines are numbered as the asker can count them. Raises ``Refusal``.
        """
        live = await self._get(table_id)
        chronicle = live.play
        if live.info.status is Status.OVER:
            batches = chronicle.everything()
        else:
            batches = chronicle.known(None if person is None else live.info.seat_of(person_id(person)))
        told = [(mark, facts) for mark, facts in batches if facts]
        start = live.row.started_at or live.row.opened_at
        return [
            LogLine(number, mark.at if mark.row else start, facts)
            for number, (mark, facts) in enumerate(told, 1)
        ]

    async def replay_file(self, table_id: str) -> dict[str, Any]:
        """Return all that it takes to play a match again and to check its seed, as JSON data.

        It names nobody. Texts are keys of the game's catalogue. Raises ``Refusal`` until it is over.
        """
        live = await self._get(table_id)
        chronicle, seed = live.play, live.row.seed
        if live.info.status is not Status.OVER or seed is None:
            raise no("not_over")
        match, setup = chronicle.match, live.info.setup
        labels = match.game.manifest.seat_labels
        return {
            "format": replay_file.FORMAT,
            "game": setup.game,
            "ruleset": setup.ruleset,
            "data": dict(live.row.data_hashes),
            "options": dict(setup.options),
            "seed": seed.hex(),
            "commitment": commitment(seed),
            "seats": [
                {"seat": seat, "label": labels[seat].key, "computer": live.info.chair_at(seat).person is None}
                for seat in range(setup.seats)
            ],
            "seating": [chair.seat for chair in live.info.chairs],
            "log": [_replay_row(live, row) for row in chronicle.rows if row.kind.value in _ENGINE_ROWS],
            "outcome": replay_file.as_json(chronicle.public.outcome),
            "theme": live.info.theme,
        }


_ENGINE_ROWS = frozenset(kind.value for kind in (RowKind.ACT, RowKind.WITHDRAW, RowKind.AGREE))


def _replay_row(live: LoadedTable, row: LogRow) -> dict[str, Any]:
    sentence = live.play.match.game.write(row.words) if row.kind is RowKind.ACT else None
    return {"kind": row.kind.value, "seat": row.seat, "sentence": sentence, "digest": row.digest}


def _urgency(line: MatchLine) -> tuple[int, float, str]:
    """Sort by what a person has to do: asked, running, open, frozen, over; the longest wait first."""
    order = [Status.RUNNING, Status.OPEN, Status.FROZEN, Status.OVER, Status.CLOSED]
    rank = 0 if line.asked else 1 + order.index(line.table.status)
    since = -line.since if line.table.status is Status.OVER else line.since
    return rank, since, line.table.id
