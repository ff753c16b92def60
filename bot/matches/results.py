"""Results of matches, derived from their logs when they are over."""

from __future__ import annotations

from bot.domain.match import RowKind
from bot.domain.results import Ending, EndingKind, Fate, SeatResult
from bot.domain.tables import Chair, Status, TableRow
from bot.matches.loaded_table import LoadedTable
from bot.matches.match_log import MatchLog
from engines.core.contract import Outcome, Seat
from engines.core.match import is_note

_KINDS = {
    RowKind.WITHDRAW: EndingKind.RESIGNED,
    RowKind.AGREE: EndingKind.AGREED,
    RowKind.CLAIM: EndingKind.CLAIMED,
}
"""By the row that ended the match; all others end it by the rules."""


def result_of(table: LoadedTable) -> tuple[Ending, list[SeatResult]] | None:
    """Return how a match ended, and the result of each seat; ``None``: it has no result.

    A match has none before it is over, if it was closed, and if it cannot be replayed.
    """
    row, log = table.row, table.log
    if log is None or row.info.status is not Status.OVER or (outcome := log.public.outcome) is None:
        return None
    info, last = row.info, next(each for each in reversed(log.rows) if each.kind.entry is not None)
    ending = Ending(
        match=info.id,
        guild=info.place.guild_id,
        game=info.game,
        seats=info.setup.seats,
        people=len(info.seats_of_people()),
        rated=False,
        kind=_KINDS.get(last.kind, EndingKind.RULES),
        ended_at=last.at if row.ended_at is None else row.ended_at,
    )
    return ending, [_seat_result(row, log, outcome, seat) for seat in range(info.setup.seats)]


def _seat_result(row: TableRow, log: MatchLog, outcome: Outcome, seat: Seat) -> SeatResult:
    chair = row.info.chair_at(seat)
    game, entries = log.match.game, log.match.log
    rank = next(number for number, seats in enumerate(outcome.ranks) if seat in seats)
    return SeatResult(
        seat=seat,
        person=None if chair.person is None else chair.person.id,
        level=chair.level,
        place=1 + sum(map(len, outcome.ranks[:rank])),
        tied=len(outcome.ranks[rank]) > 1,
        score=dict(outcome.scores).get(seat),
        fate=_fate(row, log, chair),
        sentences=sum(not is_note(game, entries[number].words) for number in own_entries(log, seat)),
    )


def _fate(row: TableRow, log: MatchLog, chair: Chair) -> Fate:
    if chair.person is None:
        return Fate.COMPUTER
    if any(former.seat == chair.seat for former in row.info.former):
        return Fate.PASSED_ON
    if chair.stand_in:
        return Fate.STOOD_IN
    if chair.withdrawn:
        return Fate.LATE if log.ended_by(RowKind.CLAIM) == chair.seat else Fate.RESIGNED
    return Fate.HELD


def own_entries(log: MatchLog, seat: Seat) -> frozenset[int]:
    """Return the numbers, from 0, of the entries that the seat's current person decided.

    Decisions of stand-ins and of earlier holders of the seat are left out: nobody learns from these.
    """
    own: set[int] = set()
    present = True
    for row in log.rows:
        if row.seat != seat:
            continue
        if row.kind is RowKind.ACT and present:
            own.add(row.seq)
        elif row.kind is RowKind.STAND_IN:
            present = False
        elif row.kind is RowKind.BACK:
            present = True
        elif row.kind is RowKind.REPLACE:
            own.clear()
            present = True
    return frozenset(number for number, header in enumerate(log.headers[1:]) if header.row in own)
