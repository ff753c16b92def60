"""What must be shown once the bot is up again, and what must stand in the logs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from bot.domain.match import LogRow, RowKind
from bot.domain.names import chair_name
from bot.domain.tables import Status, TableRow
from bot.matches.loaded_table import SeatView
from bot.matches.match_log import MatchLog
from bot.pages.board import NEWS_LIMIT, SENTENCES
from bot.pages.custom_ids import Button
from bot.pages.texts import TableTexts, Texts, painted_names
from engines.core.contract import Seat
from engines.core.registry import game, games
from renderers.core.contract import ALT_LIMIT, Table
from renderers.core.registry import renderer
from tests.e2e.kills.books import Books, Chronicles
from tests.e2e.kills.people import Guest, Record, Saying
from tests.e2e.kills.windows import Eye, Shown, repeated
from tests.e2e.stage import asked

HOUSE = Texts()


class Truth:
    """Compares what is shown with what is committed."""

    def __init__(self, eye: Eye, channel: str, guests: Sequence[Guest]) -> None:
        self.chronicles = Chronicles()
        self._eye = eye
        self._channel = channel
        self._guests = guests
        self._alts: dict[tuple[str, int], str] = {}

    def lies(self, books: Books) -> list[str]:
        """Return what is not shown as it is, in words; nothing in them is secret to the reader of a test."""
        found = books.urgent()
        for match, row in books.tables.items():
            found += [f"{match}: {lie}" for lie in self._of_table(row)]
            if row.info.status in (Status.RUNNING, Status.OVER):
                chronicle = self.chronicles.of(books, match)
                found += [f"{match}: {lie}" for lie in self._of_thread(row, chronicle)]
                found += [f"{match}: {lie}" for lie in self._of_messages(row, chronicle)]
        return found + self._strays(books)

    # --- tables -----------------------------------------------------------------------------------

    def _of_table(self, row: TableRow) -> Iterator[str]:
        found = [each for each in self._eye.messages(self._channel) if row.info.id in each.matches]
        if row.info.status is Status.CLOSED:
            return
        # The message that tells the host that the match can start has that button alone.
        calls = [each for each in found if each.buttons == {Button.START}]
        mine = [each for each in found if each not in calls]
        if len(calls) > (row.info.status is Status.OPEN):
            yield f"{len(calls)} messages tell its host to start"
        if len(mine) != 1:
            yield f"{len(mine)} messages of this table"
            return
        may_join = Button.JOIN in mine[0].buttons
        if may_join is not (row.info.status is Status.OPEN):
            yield "its message is not as far as the table"
        said = "\n".join(mine[0].lines)
        if not all(chair_name(games().get(row.info.game), chair) in said for chair in row.info.chairs):
            yield "its message does not name all who sit there"
        if row.info.commitment and row.info.status is Status.RUNNING and row.info.commitment not in said:
            yield "its message does not promise the seed"

    def _strays(self, books: Books) -> list[str]:
        """Return threads that belong to no match, or that hold what is no board."""
        threads = {str(row.info.thread_id): row for row in books.tables.values()}
        found = []
        for channel in self._eye.window.channels.values():
            if channel["type"] != 11:
                continue
            if channel["id"] not in threads:
                found.append(f"thread {channel['id']} belongs to nothing")
            others = [each for each in self._eye.messages(channel["id"]) if each.epoch is None and each.lines]
            found += [f"a message that is no board: {each.lines}" for each in others]
        return found

    # --- threads ----------------------------------------------------------------------------------

    def _of_thread(self, row: TableRow, chronicle: MatchLog) -> Iterator[str]:
        if row.info.thread_id is None:
            yield "it has no thread"
            return
        boards = [each for each in self._eye.messages(str(row.info.thread_id)) if each.epoch is not None]
        current = [each for each in boards if each.buttons]
        if len(current) != 1 or current[0] is not boards[-1]:
            yield f"{len(current)} current boards of {len(boards)}"
            return
        twice = repeated([str(each.epoch) for each in boards])
        if twice:
            yield f"more than one board of epoch {twice}"
        yield from self._of_board(row, chronicle, current[0])
        yield from _of_story(row, chronicle, boards)

    def _of_board(self, row: TableRow, chronicle: MatchLog, board: Shown) -> Iterator[str]:
        match = chronicle.match
        if (board.epoch, board.version) != (chronicle.public.epoch, chronicle.public.version):
            yield f"the board is of epoch {board.epoch}, not {chronicle.public.epoch}"
        if (board.alts or ("",))[0] != self._alt(row, chronicle):
            yield "the board shows another position"
        over = match.outcome is not None
        waited = [] if over else sorted(match.waiting)
        people = [row.info.chair_at(seat).person for seat in waited]
        if asked(board.message) != [str(person.id) for person in people if person is not None]:
            yield f"the board asks {asked(board.message)}, not seats {waited}"
        if not {Button.TURN, Button.RULES, Button.LOG} <= board.buttons:
            yield "the board lacks a button"
        if over is not (Button.REMATCH in board.buttons):
            yield "the board does not say whether the match is over"
        if over and row.seed is not None and row.seed.hex() not in "\n".join(board.lines):
            yield "the seed is not published"

    def _alt(self, row: TableRow, chronicle: MatchLog) -> str:
        key = row.info.id, len(chronicle.rows)
        if key not in self._alts:
            painter, view = renderer(row.info.game), chronicle.match.view(None)
            names, _ = painted_names(Texts(), row.info)
            picture = painter.paint(view, painter.pictures(view)[0][0], Table(names))
            self._alts[key] = picture.alt[:ALT_LIMIT]
        return self._alts[key]

    # --- direct messages --------------------------------------------------------------------------

    def _of_messages(self, row: TableRow, chronicle: MatchLog) -> Iterator[str]:
        """Check that who asked for direct messages has one panel where asked, and none otherwise.

        Who has just spoken and is asked again is at a panel already, here or elsewhere, and gets no other.
        A panel that was sent is not pushed again where what may be chosen changes meanwhile.
        """
        last = chronicle.rows[-1].seat if chronicle.rows else None
        for guest in self._guests:
            seat = row.info.seat_of(guest.id)
            if not guest.dms or seat is None:
                continue
            desk = SeatView(chronicle, seat)
            wanted = [desk.decision] if seat in desk.waiting and row.info.status is Status.RUNNING else []
            panels = (each.panel for channel in _dms(guest) for each in guest.eye.messages(channel))
            shown = [each.decision for each in panels if each is not None and each.match == row.info.id]
            if shown == wanted or (wanted and seat == last and len(shown) <= 1):
                continue
            if not wanted or len(shown) != 1 or shown[0] not in _decisions(chronicle, seat):
                yield f"{guest.window.name} has {len(shown)} panels in direct messages, not {len(wanted)}"


def _dms(guest: Guest) -> list[str]:
    return [key for key, channel in guest.window.channels.items() if channel["type"] == 1]


def _of_story(row: TableRow, chronicle: MatchLog, boards: Sequence[Shown]) -> Iterator[str]:
    """Check that each board tells what happened from the hand-over before its own on, and nothing else."""
    texts, since = TableTexts(HOUSE, row.info), 0
    for number, board in enumerate(boards):
        until = boards[number + 1].epoch or 0 if number + 1 < len(boards) else chronicle.public.version + 1
        if not (board.epoch or 0) <= board.version < until:
            yield f"the board of epoch {board.epoch} shows version {board.version}"
        headers = [header for header in chronicle.headers if since < header.version <= board.version]
        rows = {header.row for header in headers}
        told = [each for header, each in chronicle.told(None) if header.row in rows]
        news = [part for line in texts.news(told, NEWS_LIMIT, SENTENCES) for part in line.splitlines()]
        if not _stands_in(news, board.lines):
            yield f"the board of epoch {board.epoch} does not tell {news}"
        since = board.epoch or 0


def _stands_in(lines: Sequence[str], text: Sequence[str]) -> bool:
    """Return whether lines stand in a text, in a row."""
    return any(list(text[at : at + len(lines)]) == list(lines) for at in range(len(text) + 1))


# --- logs -----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Verdict:
    """What became of all that was said."""

    acknowledged: int = 0
    doubtful: int = 0
    """Sentences that nobody was told of, in the log or not."""
    lost: int = 0
    doubled: int = 0
    faults: tuple[str, ...] = ()


def judged(books: Books, record: Record) -> Verdict:
    """Compare the logs with what people said and were told."""
    by_press = {press: saying for saying in record.sayings for press in saying.presses}
    rows: dict[int, list[tuple[str, LogRow]]] = {}
    faults: list[str] = []
    for match, log in books.logs.items():
        for row in log:
            saying = by_press.get(row.request)
            if row.kind is RowKind.ACT and saying is None:
                faults.append(f"{match} has row {row.seq} that nobody said")
            elif row.kind is RowKind.ACT and saying is not None:
                rows.setdefault(id(saying), []).append((match, row))
                faults += _unlike(books.tables[match], row, saying)
            elif row.kind is RowKind.WITHDRAW and row.request not in record.leaving:
                faults.append(f"{match} has row {row.seq} in which nobody resigned")
    counts = {id(saying): len(rows.get(id(saying), ())) for saying in record.sayings}
    told = [saying for saying in record.sayings if saying.told is not None]
    result_lines = Verdict(
        acknowledged=len(told),
        doubtful=len(record.sayings) - len(told),
        lost=sum(1 for saying in told if counts[id(saying)] == 0),
        doubled=sum(1 for count in counts.values() if count > 1),
    )
    result_lines.faults = (*faults, *_out_of_order(record, rows))
    return result_lines


def _unlike(table: TableRow, row: LogRow, saying: Saying) -> Iterator[str]:
    same = game(table.info.game).write(row.words) == saying.text
    seat: Seat | None = table.info.seat_of(saying.person)
    if not same or row.seat != seat or table.info.id != saying.match:
        yield f"{table.info.id} has row {row.seq} otherwise than it was said"


def _out_of_order(record: Record, rows: dict[int, list[tuple[str, LogRow]]]) -> Iterator[str]:
    """Yield what stands before a sentence that was acknowledged before this one was begun."""
    placed = defaultdict[str, list[tuple[int, Saying]]](list)
    for saying in record.sayings:
        for match, row in rows.get(id(saying), ()):
            placed[match].append((row.seq, saying))
    for match, said in placed.items():
        for (seq, saying), (other_seq, other) in product(said, repeat=2):
            if saying.told is not None and saying.told < other.begun and seq > other_seq:
                yield f"{match} has rows {other_seq} and {seq} in another order than they were said"


def _decisions(chronicle: MatchLog, seat: Seat) -> set[str]:
    """Return the decisions that a seat has stood before since it was asked, its own sentences in between."""
    match = chronicle.match
    followed = MatchLog.begin(match.game, match.setup, match.seed)
    found = {SeatView(followed, seat).decision}
    for each in chronicle.rows:
        followed = followed.then(each)
        desk = SeatView(followed, seat)
        if seat not in desk.waiting:
            found.clear()
        found.add(desk.decision)
    return found
