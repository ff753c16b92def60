"""Final actions: sentences, resignations, draw offers, computer players' decisions, moves of a match."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from bot.domain.jobs import JobKind, NewJob, Shown
from bot.domain.match import Click, DrawState, LogRow, Preset, Receipt, RowKind, StalePanel
from bot.domain.refusals import Act, GameRefusal, Refusal, refusal
from bot.domain.surfaces import thread_surface
from bot.domain.tables import (
    MEMBER,
    HandledRequest,
    Opener,
    Place,
    RequestId,
    Status,
    TableInfo,
    Who,
    person_id,
)
from bot.matches.drafts import build_panel
from bot.matches.limits import Admission, AdmissionRequest, Creation, Limits
from bot.matches.loaded_table import FoldedDraft, LoadedTable, SeatDrafts, SeatView
from bot.matches.match_log import MatchLog
from bot.matches.table_cache import TableCache
from bot.matches.thoughts import Quiet, Thinkers
from bot.store import Transaction
from engines.core.contract import ActionError, IllegalAction, Seat, Style, Words, msg


class Actions:
    """The use cases that add rows to the log. Each takes effect once per request."""

    def __init__(self, cache: TableCache, thinkers: Thinkers, limits: Limits) -> None:
        self._cache = cache
        self._limits = limits
        self._thinkers = thinkers

    async def confirm(self, click: Click, person: Who, request_id: RequestId) -> Receipt:
        """Commit the draft; raises ``Refusal``, or :class:`StalePanel` if the panel is out of date.

        A second click on the same Confirm commits nothing and returns the first one's receipt.
        """
        request = str(request_id)

        async def work(table: LoadedTable) -> Receipt:
            # Discord may deliver an interaction twice: the second returns the first one's receipt.
            seat = table.seat_of(person_id(person))
            view = table.seat_view(seat)
            before = view.log.row_of(request)
            if before is not None:
                return _receipt_again(table, seat, before, RowKind.ACT)
            if (confirmed := _confirmed_at(table, seat, click)) is not None:
                return confirmed
            table.require_present(seat)
            drafts = table.drafts_of(seat)
            if click.revision != drafts.revision:
                raise self._stale(table, seat)
            draft = view.fold(drafts.shown.words)
            if not draft.words:
                raise refusal("empty_draft")
            if draft.menu is None or not draft.menu.complete:
                raise _unfinished(table.info, view, draft.words)
            said = drafts.said(aside=bool(drafts.aside.words), confirmed=click.revision)
            return await self._act(table, view, said, draft.words, request)

        return await self._cache.attempt(click.table_id, work)

    async def say_at_once(
        self, click: Click, person: Who, word: str, request_id: RequestId
    ) -> Receipt | None:
        """Commit the draft with one more word, if that simply completes it; raises ``Refusal``.

        ``None``: it does not, or the panel is out of date; nothing was committed. A word that reveals
        something hidden, that the game marks as dangerous, or that others may follow, waits for Confirm.
        """
        request = str(request_id)

        async def work(table: LoadedTable) -> Receipt | None:
            seat = table.seat_of(person_id(person))
            view = table.seat_view(seat)
            before = view.log.row_of(request)
            if before is not None:
                return _receipt_again(table, seat, before, RowKind.ACT)
            confirmed = _confirmed_at(table, seat, click)
            if confirmed is not None and confirmed.words[-1:] == (word,):
                return confirmed
            table.require_present(seat)
            drafts = table.drafts_of(seat)
            draft = _simply_completed(view, drafts.shown.words, word)
            if click.revision != drafts.revision or draft is None:
                return None
            said = drafts.said(aside=drafts.is_aside(draft), confirmed=click.revision)
            return await self._act(table, view, said, draft.words, request)

        return await self._cache.attempt(click.table_id, work)

    async def submit(
        self, table_id: str, seat: Seat, decision: str | None, words: Words, request_id: RequestId
    ) -> Receipt:
        """Commit a seat's complete sentence; ``decision`` ``None``: for whatever it must decide now.

        Repeating a request returns the same receipt. Raises ``GameRefusal`` if the game refuses the sentence,
        :class:`StalePanel` if the seat's decision has changed, ``Refusal`` otherwise.
        """

        def stands(view: SeatView) -> bool:
            return decision is None or decision == view.decision

        return await self._submit(table_id, seat, words, str(request_id), stands)

    async def _submit(
        self, table_id: str, seat: Seat, words: Words, request: str, stands: Callable[[SeatView], bool]
    ) -> Receipt:
        async def work(table: LoadedTable) -> Receipt:
            before = table.require_log().row_of(request)
            if before is not None:
                return _receipt_again(table, seat, before, RowKind.ACT)
            if not 0 <= seat < len(table.info.chairs):
                raise refusal("not_seated")
            table.require_playing(seat)
            view = table.seat_view(seat)
            if not stands(view):
                raise self._stale(table, seat)
            said = table.drafts_of(seat).said(aside=view.is_aside(words))
            return await self._act(table, view, said, words, request)

        return await self._cache.attempt(table_id, work)

    async def resign(self, table_id: str, person: Who, request_id: RequestId) -> Receipt:
        """Leave the match for good; the game decides how it continues. Raises ``Refusal``."""
        request = str(request_id)

        async def work(table: LoadedTable) -> Receipt:
            seat = table.seat_of(person_id(person))
            before = table.require_log().row_of(request)
            if before is not None:
                return _receipt_again(table, seat, before, RowKind.WITHDRAW)
            table.require_playing(seat)
            new = table.with_chair(seat, withdrawn=True, stand_in=False)
            new = new.with_row(RowKind.WITHDRAW, seat, (), request, self._cache.clock())
            new = await self._cache.settle(table, new, actor=seat)
            log = new.require_log()
            return _receipt(new.info, log, seat, log.rows[-1])

        return await self._cache.attempt(table_id, work)

    async def offer_draw(self, table_id: str, person: Who, request_id: RequestId) -> DrawState:
        """Offer a draw, or agree to one: it is agreed when all have offered. Raises ``Refusal``."""
        who, request = person_id(person), str(request_id)

        async def work(table: LoadedTable) -> DrawState:
            if (done := await self._cache.handled(request, table_id, who, "offer_draw")) is not None:
                return DrawState(done.answer)
            seat, playing, now = table.playing_seat(who), table.playing(), self._cache.clock()
            if any(chair.by_computer for chair in playing):
                raise refusal("draw_computer")
            if seat in table.require_log().offers:
                return DrawState.ALREADY
            if not table.require_log().offers:  # otherwise this is an answer
                self._limits.check_question(table.require_log().rows, seat, now)
            # Prefixed, since this interaction may write two rows and each needs a unique request.
            new = table.with_row(RowKind.OFFER, seat, (), f"offer:{request}", now)
            answer = DrawState.OFFERED
            if {chair.seat for chair in playing} <= set(new.require_log().offers):
                new = new.with_row(RowKind.AGREE, None, (), f"agree:{request}", now)
                answer = DrawState.AGREED
            note = HandledRequest(request, table_id, who, "offer_draw", answer.value)
            await self._cache.settle(table, new, actor=seat, request=note)
            return answer

        return await self._cache.attempt(table_id, work)

    async def decline_draw(self, table_id: str, person: Who, request_id: RequestId) -> DrawState:
        """Decline all draw offers, including one's own. Raises ``Refusal`` if there is none."""
        who, request = person_id(person), str(request_id)

        async def work(table: LoadedTable) -> DrawState:
            if (done := await self._cache.handled(request, table_id, who, "decline_draw")) is not None:
                return DrawState(done.answer)
            seat = table.playing_seat(who)
            if not table.require_log().offers:
                raise refusal("no_offer")
            new = table.with_row(RowKind.DECLINE, seat, (), f"decline:{request}", self._cache.clock())
            note = HandledRequest(request, table_id, who, "decline_draw", DrawState.DECLINED.value)
            await self._cache.settle(table, new, actor=seat, request=note)
            return DrawState.DECLINED

        return await self._cache.attempt(table_id, work)

    async def play_computer(self, table_id: str) -> bool:
        """Let a computer player think and act, because it is its turn or to interrupt.

        Return whether one has acted; if so, there may be more to do. Raises ``Refusal`` if there is no
        match, ``GameRefusal`` if the game refuses its own player's sentence.
        """
        quiet: Quiet = {}
        while True:
            table = await self._cache.get(table_id)
            if table.info.status is not Status.RUNNING:
                return False
            log = table.require_log()
            # If the match has moved on meanwhile, think again.
            thought = await self._thinkers.think(table, quiet)
            if thought is None:
                return False
            try:
                await self._submit(table_id, thought.seat, thought.words, thought.request, thought.stands)
            except StalePanel:
                continue
            except GameRefusal:
                # The computer player is at fault only if the match has not changed since.
                if (await self._cache.get(table_id)).log is log:
                    raise
            else:
                return True

    async def _act(
        self,
        table: LoadedTable,
        view: SeatView,
        said: SeatDrafts,
        words: Words,
        request: str,
    ) -> Receipt:
        info, seat = table.row.info, view.seat
        if view.root is None:
            raise refusal("nothing_asked")
        lag = self._cache.lag(info.place.guild_id)
        new = table.with_row(RowKind.ACT, seat, words, request, self._cache.clock(), lag)
        chair, preset = info.chair_at(seat), None
        if chair.person is not None and not chair.stand_in:
            new = new.with_drafts(seat, said)
            kept = _preset(info.setup.game, view, words)
            preset = None if kept is None else (chair.person.id, kept)
        new = await self._cache.settle(table, new, actor=seat, preset=preset)
        log = new.require_log()
        return _receipt(new.row.info, log, seat, log.rows[-1])

    def _stale(self, table: LoadedTable, seat: Seat) -> StalePanel:
        note = msg("note.stale")
        return StalePanel(note, build_panel(table, seat, self._cache.presets, notes=(note,)))


def _confirmed_at(table: LoadedTable, seat: Seat, click: Click) -> Receipt | None:
    """Return the receipt of the seat's last sentence, if its person confirmed it on the clicked panel."""
    if click.revision != table.drafts_of(seat).confirmed:
        return None
    own = (row for row in reversed(table.require_log().rows) if row.seat == seat)
    row = next(own, None)
    # A sentence that was undone does not count as confirmed.
    if row is None or row.kind is not RowKind.ACT or row.seq in table.require_log().undone_rows:
        return None
    return _receipt(table.info, table.require_log(), seat, row, repeated=True)


def _simply_completed(view: SeatView, words: Words, word: str) -> FoldedDraft | None:
    """Return the draft with ``word`` if that completes it and it needs no Confirm; else ``None``."""
    try:
        menu = view.fold(words).menu
        choice = None if menu is None else menu.find(word)
        if choice is None or choice.reveals or choice.style is Style.DANGER:
            return None
        draft = view.fold((*words, word))
    except ActionError:
        return None
    after = draft.menu
    if after is None or after.fields or after.reveals or not after.closing:
        return None
    return draft


def _unfinished(info: TableInfo, view: SeatView, words: Words) -> Refusal:
    """Return the refusal of an incomplete draft: the game's own reason if it gives one."""
    try:
        view.log.match.act(view.seat, words)
    except IllegalAction as error:
        return GameRefusal(info, error.msg)
    except ActionError:
        pass
    return refusal("incomplete")


def _preset(game: str, view: SeatView, words: Words) -> Preset | None:
    try:
        menu = view.fold(words).menu
    except ActionError:
        return None
    if menu is None or not menu.keep:
        return None
    return Preset(game, menu.key, view.game.write(menu.draft))


def _receipt(info: TableInfo, log: MatchLog, seat: Seat, row: LogRow, *, repeated: bool = False) -> Receipt:
    last = log.headers[-1].row
    return Receipt(
        table=info,
        seat=seat,
        # Count only the seat's own rows: the number of others' rows may be secret.
        seq=sum(1 for other in log.rows[: row.seq] if other.seat == seat),
        words=row.words,
        told=log.told_by(row, seat),
        repeated=repeated,
        outcome=log.public.outcome if row.seq == last else None,
    )


def _receipt_again(table: LoadedTable, seat: Seat, row: LogRow, kind: RowKind) -> Receipt:
    if row.seat != seat or row.kind is not kind:
        raise refusal("request")
    return _receipt(table.info, table.require_log(), seat, row, repeated=True)


class Moving:
    """The use case of moving."""

    def __init__(self, cache: TableCache, admission: Admission) -> None:
        self._cache = cache
        self._admission = admission

    async def move(
        self, table_id: str, person: Who, place: Place, request_id: RequestId, opener: Opener = MEMBER
    ) -> TableInfo:
        """Move a match to another channel, into the thread that it left there or a new one.

        Allowed for its players and for managers of its server, within the server's rules. Raises ``Refusal``
        for anybody else, for a place on another server, and unless the match is running.
        """
        who, request = person_id(person), str(request_id)

        async def work(table: LoadedTable) -> TableInfo:
            if await self._cache.handled(request, table_id, who, "move") is not None:
                return table.info
            # Managing one server gives no rights on another.
            if place.guild_id != table.info.place.guild_id:
                raise refusal("move_elsewhere")
            chair = table.chair_of(who)
            if (chair is None or chair.withdrawn) and not opener.manages:
                raise refusal("move")
            table.require_running()
            if place == table.info.place:
                raise refusal("moved")
            now, left = self._cache.clock(), table.info
            async with self._cache.store.read() as reader:
                there = await reader.shown(table_id, thread_surface(place.channel_id))
            older = None if there is None or there.message is None else there.message.message_id
            acts = (Act.MOVE,) if older is not None else (Act.MOVE, Act.THREAD)
            wish = AdmissionRequest(Creation.MOVE, request, who, place, opener, table_id, acts=acts)

            async def note_thread(unit: Transaction) -> None:
                if left.thread_id is not None:
                    channel = left.place.channel_id
                    await unit.set_shown(table_id, thread_surface(channel), Shown(channel, left.thread_id))

            jobs = [NewJob(table_id, kind, due=now) for kind in (JobKind.LOBBY, JobKind.BOARD)]
            moved = await self._cache.commit(
                table,
                table.with_info(place=place, thread_id=older),
                jobs=jobs,
                request=HandledRequest(request, table_id, who, "move"),
                admit=partial(self._admission.admit, wish=wish, now=now),
                also=note_thread,
            )
            return moved.info

        return await self._cache.attempt(table_id, work)
