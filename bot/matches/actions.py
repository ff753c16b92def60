"""What is said for good: sentences, resignations, computer players, agreed draws."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from bot.domain.drafts import Kept
from bot.domain.match import DrawState, LogRow, Receipt, RowKind
from bot.domain.panels import Click, Panel, StalePanel
from bot.domain.people import PersonId
from bot.domain.refusals import GameRefusal
from bot.domain.requests import HandledRequest
from bot.domain.tables import Chair, Status
from bot.matches.drafts import Drafting, must_play
from bot.matches.loaded_table import LoadedTable, no
from bot.matches.match_log import MatchLog
from bot.matches.table_cache import RequestId, Who, person_id
from engines.core.contract import ActionError, Seat, Words, msg


class Committing(Drafting):
    """The use cases that add rows to the log. Each happens once for a request."""

    async def confirm(self, click: Click, person: Who, request_id: RequestId) -> Receipt:
        """Say the draft; raises ``Refusal``, :class:`StalePanel` where the panel is out of date."""
        request = str(request_id)

        async def work(live: LoadedTable) -> Receipt:
            seat = live.seat_of(person_id(person))
            before = live.play.row_of(request)
            if before is not None:
                return _receipt_again(live, seat, before, RowKind.ACT)
            _may_say(live, seat)
            drafts = live.drafts_of(seat)
            if click.revision != drafts.revision:
                raise StalePanel(msg("note.stale"), self._stale(live, seat))
            if not drafts.shown.words:
                raise no("empty_draft")
            menu = live.desk(seat).menu(drafts.shown.words)
            if menu is None or not menu.complete:
                raise no("incomplete")
            return await self._say(live, seat, click.decision, drafts.shown.words, request)

        return await self._attempt(click.table_id, work)

    async def submit(
        self, table_id: str, seat: Seat, decision: str | None, words: Words, request_id: RequestId
    ) -> Receipt:
        """Commit a seat's whole sentence; ``decision`` ``None``: whatever is asked of it now.

        The same request gives the same receipt again. Raises ``GameRefusal`` where the game says no,
        :class:`StalePanel` where another decision is open meanwhile, ``Refusal`` for all else.
        """
        request = str(request_id)

        async def work(live: LoadedTable) -> Receipt:
            before = live.play.row_of(request)
            if before is not None:
                return _receipt_again(live, seat, before, RowKind.ACT)
            if not 0 <= seat < len(live.info.chairs):
                raise no("not_seated")
            return await self._say(live, seat, decision, words, request)

        return await self._attempt(table_id, work)

    async def resign(self, table_id: str, person: Who, request_id: RequestId) -> Receipt:
        """Leave the match for good; the game says how it goes on. Raises ``Refusal``."""
        request = str(request_id)

        async def work(live: LoadedTable) -> Receipt:
            seat = live.seat_of(person_id(person))
            before = live.play.row_of(request)
            if before is not None:
                return _receipt_again(live, seat, before, RowKind.WITHDRAW)
            _may_say(live, seat)
            chronicle = self._write(live, RowKind.WITHDRAW, seat, (), request)
            chairs = tuple(replace(c, withdrawn=c.withdrawn or c.seat == seat) for c in live.info.chairs)
            new = replace(live.with_info(chairs=chairs), chronicle=chronicle)
            return _receipt(await self._settle(live, new, actor=seat), seat, chronicle.rows[-1])

        return await self._attempt(table_id, work)

    async def offer_draw(self, table_id: str, person: Who, request_id: RequestId) -> DrawState:
        """Offer a draw, or agree to one: it is agreed once all have offered. Raises ``Refusal``."""
        who, request = person_id(person), str(request_id)

        async def work(live: LoadedTable) -> DrawState:
            if (done := await self._repeated(request, table_id, who, "offer_draw")) is not None:
                return DrawState(done.answer)
            chronicle, seat = _may_talk(live, who)
            if any(chair.person is None for chair in live.playing()):
                raise no("draw_computer")
            if seat in chronicle.offers:
                return DrawState.ALREADY
            chronicle = self._write(live, RowKind.OFFER, seat, (), f"offer:{request}")
            agreed = {chair.seat for chair in live.playing()} <= set(chronicle.offers)
            new = replace(live, chronicle=chronicle)
            if agreed:
                new = replace(new, chronicle=self._write(new, RowKind.AGREE, None, (), f"agree:{request}"))
            answer = DrawState.AGREED if agreed else DrawState.OFFERED
            await self._settle(live, new, actor=seat, request=_note(request, live, who, "offer_draw", answer))
            return answer

        return await self._attempt(table_id, work)

    async def decline_draw(self, table_id: str, person: Who, request_id: RequestId) -> DrawState:
        """Turn down the offers of a draw, one's own too. Raises ``Refusal`` where there is none."""
        who, request = person_id(person), str(request_id)

        async def work(live: LoadedTable) -> DrawState:
            if (done := await self._repeated(request, table_id, who, "decline_draw")) is not None:
                return DrawState(done.answer)
            chronicle, seat = _may_talk(live, who)
            if not chronicle.offers:
                raise no("no_offer")
            chronicle = self._write(live, RowKind.DECLINE, seat, (), f"decline:{request}")
            note = _note(request, live, who, "decline_draw", DrawState.DECLINED)
            await self._settle(live, replace(live, chronicle=chronicle), actor=seat, request=note)
            return DrawState.DECLINED

        return await self._attempt(table_id, work)

    async def play_computers(self, table_id: str) -> None:
        """Let computer players think and say what they decide, until only persons are asked.

        Raises ``Refusal`` where there is no match, ``GameRefusal`` if the game refuses its own player.
        """
        while True:
            live = await self._get(table_id)
            chair = _computer_asked(live)
            if chair is None or chair.seat is None:
                return
            chronicle, seat = live.play, chair.seat
            words = await asyncio.to_thread(chronicle.match.computer, seat)
            request = f"computer:{table_id}:{seat}:{chronicle.sentences(seat)}"
            try:
                await self.submit(table_id, seat, live.desk(seat).decision, words, request)
            except StalePanel:
                continue
            except GameRefusal:
                if (await self._get(table_id)).chronicle is chronicle:
                    raise

    # --- parts ------------------------------------------------------------------------------------

    async def _say(
        self, live: LoadedTable, seat: Seat, decision: str | None, words: Words, request: str
    ) -> Receipt:
        """Commit a sentence under the table's lock."""
        _may_say(live, seat)
        desk = live.desk(seat)
        if decision is not None and decision != desk.decision:
            raise StalePanel(msg("note.stale"), self._stale(live, seat))
        if desk.root is None:
            raise no("nothing_asked")
        chronicle = self._write(live, RowKind.ACT, seat, words, request)
        new = replace(live, chronicle=chronicle)
        person, kept = live.info.chair_at(seat).person, None
        if person is not None:
            drafts = live.drafts_of(seat).said(aside=desk.is_aside(words))
            new = new.with_drafts(seat, drafts)
            kept = _kept(live, seat, person.id, words)
        return _receipt(await self._settle(live, new, actor=seat, kept=kept), seat, chronicle.rows[-1])

    def _write(
        self, live: LoadedTable, kind: RowKind, seat: Seat | None, words: Words, request: str
    ) -> MatchLog:
        """Return the match with one more row; raises ``GameRefusal``."""
        try:
            return live.play.write(kind, seat, words, request, self._clock())
        except ActionError as error:
            raise GameRefusal(live.info, error.msg) from None

    def _stale(self, live: LoadedTable, seat: Seat) -> Panel:
        return self._panel(live, seat, notes=(msg("note.stale"),))


def _may_say(live: LoadedTable, seat: Seat) -> None:
    live.running()
    must_play(live, seat)


def _may_talk(live: LoadedTable, person: PersonId) -> tuple[MatchLog, Seat]:
    chronicle, seat = live.running(), live.seat_of(person)
    must_play(live, seat)
    return chronicle, seat


def _computer_asked(live: LoadedTable) -> Chair | None:
    """Return the first computer player that is asked, by its own view."""
    if live.info.status is not Status.RUNNING:
        return None
    asked = (live.info.chair_at(seat) for seat in live.row.asked)
    return next((chair for chair in asked if chair.person is None), None)


def _kept(live: LoadedTable, seat: Seat, person: PersonId, words: Words) -> tuple[PersonId, Kept] | None:
    """Return the sentence as one worth keeping, where its menu says so."""
    desk = live.desk(seat)
    try:
        menu = desk.menu(words)
    except ActionError:
        return None
    if menu is None or not menu.keep:
        return None
    return person, Kept(live.info.game, menu.key, desk.game.write(menu.draft))


def _note(request: str, live: LoadedTable, person: PersonId, act: str, answer: DrawState) -> HandledRequest:
    return HandledRequest(request, live.id, person, act, answer.value)


def _receipt(live: LoadedTable, seat: Seat, row: LogRow, *, repeated: bool = False) -> Receipt:
    """Return what a seat is told of its row. ``seq`` counts the seat's own rows, not those of others."""
    chronicle = live.play
    last = max(mark.row for mark in chronicle.marks)
    return Receipt(
        table=live.info,
        seat=seat,
        seq=sum(1 for other in chronicle.rows[: row.seq] if other.seat == seat),
        words=row.words,
        told=chronicle.told_by(row, seat),
        repeated=repeated,
        outcome=chronicle.public.outcome if row.seq == last else None,
    )


def _receipt_again(live: LoadedTable, seat: Seat, row: LogRow, kind: RowKind) -> Receipt:
    """Return the receipt of a request that was carried out before; raises ``Refusal`` if it was another's."""
    if row.seat != seat or row.kind is not kind:
        raise no("request")
    return _receipt(live, seat, row, repeated=True)
