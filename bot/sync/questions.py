"""Questions to some of a match's players: messages in the thread that ping those who must answer."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import discord

from bot.domain.jobs import Call, CallWay, JobKind, Shown, Work
from bot.domain.match import Board, ClosedQuestion, Closing
from bot.domain.surfaces import Nonce
from bot.domain.tables import PersonId
from bot.gateway.discord_errors import GONE
from bot.matches import Services
from bot.pages import questions
from bot.pages.page import Page
from bot.pages.texts import Texts
from bot.sync.client import MessageClient
from bot.sync.lobby import LobbyMessages
from bot.sync.shown import ShownMessages


@dataclass(frozen=True, slots=True)
class Question:
    """A kind of question: its job, its pages and who must answer."""

    job: JobKind
    nonce: Nonce
    marker: int
    people_to_answer: Callable[[Board], list[PersonId]]
    """Who must answer; empty if there is nothing to ask."""
    page: Callable[[Board, Texts], Page]
    closed_page: Callable[[Board, ClosedQuestion, Texts], Page]
    """The page that replaces it once there is nothing to answer: it tells how the question was closed."""

    @property
    def surface(self) -> str:
        """Return its surface, which is called as its job."""
        return self.job.value


OFFER = Question(
    JobKind.OFFER,
    Nonce.DRAW,
    questions.DRAW_MARKER,
    questions.people_to_answer_draw,
    questions.draw_page,
    questions.draw_closed_page,
)
"""Draw offers."""

OVERDUE = Question(
    JobKind.OVERDUE,
    Nonce.OVERDUE,
    questions.OVERDUE_MARKER,
    questions.people_to_answer_overdue,
    questions.overdue_page,
    questions.overdue_closed_page,
)
"""What to do about a seat whose time is up."""

MOTION = Question(
    JobKind.MOTION,
    Nonce.MOTION,
    questions.MOTION_MARKER,
    questions.people_to_agree,
    questions.motion_page,
    questions.motion_closed_page,
)
"""A motion."""

SEAT_OFFER = Question(
    JobKind.SEAT_OFFER,
    Nonce.SEAT_OFFER,
    questions.SEAT_OFFER_MARKER,
    questions.person_to_sit,
    questions.seat_offer_page,
    questions.seat_offer_closed_page,
)
"""A seat that is offered to somebody."""


QUESTIONS = (OFFER, OVERDUE, MOTION, SEAT_OFFER)


def asked_people(board: Board) -> list[PersonId]:
    """Return the people who must answer a question of a match, of any kind."""
    return (
        []
        if board.outcome is not None
        else [person for question in QUESTIONS for person in question.people_to_answer(board)]
    )


@dataclass(eq=False)
class QuestionMessages:
    """Keeps one kind of question up to date, for all matches; every call can be repeated."""

    question: Question
    services: Services
    messages: MessageClient
    shown: ShownMessages
    lobby: LobbyMessages

    def jobs(self) -> dict[JobKind, Work]:
        """Return the work for its job."""
        return {self.question.job: lambda job: self.update(job.table_id)}

    async def update(self, match: str) -> None:
        """Ask those who must answer, once; remove the buttons when there is nothing left to answer."""
        board = await self.services.queries.board(match)
        open_ = board.outcome is None and bool(self.question.people_to_answer(board))
        channel = await self.lobby.thread(match)
        asked = await self._asked(match, channel)
        if asked is not None and asked.channel_id == channel:
            texts = await self.shown.texts(board.table)
            if open_:
                page = self.question.page(board, texts)
            else:
                page = self.question.closed_page(board, await self._closed(board, asked), texts)
            if await self.messages.edit(channel, asked.message_id, page) and open_:
                return
        if open_:
            await self._post(board, channel)
        elif asked is not None:
            await self.services.outbox.drop_shown(match, self.question.surface)

    async def _post(self, board: Board, channel: int) -> None:
        match, question = board.table.id, self.question
        page = question.page(board, await self.shown.texts(board.table))
        nonce = question.nonce.of(match=match, version=board.version)
        people = question.people_to_answer(board)
        awake = await self._awake(match, people)
        try:
            message = await self.shown.post(match, question.surface, channel, page, nonce, awake)
        except discord.NotFound as error:
            if error.code not in GONE:
                raise
            return  # the thread was deleted: the board in its new thread asks too
        # Its version tells later whether a seat was handed over since; 0 in records of earlier versions.
        shown = Shown(channel, message, version=1 + len(board.table.former))
        await self.shown.note(match, question.surface, shown, page)

    async def _closed(self, board: Board, asked: Shown) -> ClosedQuestion:
        """Return how the question of a message was closed."""
        if self.question is not SEAT_OFFER:
            return await self.services.queries.closed_question(board.table.id, self.question.job)
        former = board.table.former[asked.version - 1 :] if asked.version else ()
        return ClosedQuestion(Closing.TAKEN, former[0].seat) if former else ClosedQuestion(Closing.MOVED_ON)

    async def _awake(self, match: str, people: list[PersonId]) -> list[PersonId]:
        """Return the people who may be pinged now; call the others at the end of their quiet hours."""
        now, settings = self.services.cache.clock(), self.services.settings
        free = {person: (await settings.preferences(person)).free_from(now) for person in people}
        later = {person: at for person, at in free.items() if at > now}
        calls = [Call(CallWay.ANSWER, math.ceil(at), (person,)) for person, at in later.items()]
        await self.services.outbox.call(match, calls)
        return [person for person in people if person not in later]

    async def _asked(self, match: str, channel: int) -> Shown | None:
        surface = self.question.surface
        shown = await self.services.outbox.shown(match, surface)
        if shown is not None or self.shown.certain(match, surface):
            return shown
        # It may have been posted just before a crash, without being recorded.
        found = await self.shown.find(match, channel)
        messages = [each.message_id for each in found if each.marker == self.question.marker]
        asked = Shown(channel, messages[0]) if messages else None
        if asked is not None:
            await self.services.outbox.set_shown(match, surface, asked)
        self.shown.mark_certain(match, surface)
        return asked
