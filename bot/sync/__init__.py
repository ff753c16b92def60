"""The surfaces of matches: our messages on Discord, kept up to date by the outbox worker."""

from __future__ import annotations

from dataclasses import dataclass

import discord

from bot.clocks.absences import Absences
from bot.domain.jobs import JobKind, Work
from bot.matches import Services
from bot.pages.mentions import NO_MENTIONS, CommandMentions
from bot.sync.board import BoardMessages
from bot.sync.calls import Absentees, Calls
from bot.sync.client import MessageClient
from bot.sync.direct_messages import DirectMessages, Goodbyes
from bot.sync.lobby import LobbyMessages
from bot.sync.pictures import Pictures
from bot.sync.questions import QUESTIONS, QuestionMessages
from bot.sync.shown import ShownMessages


@dataclass(frozen=True, slots=True)
class Surfaces:
    """One of each surface, on the same messages."""

    shown: ShownMessages
    lobby: LobbyMessages
    board: BoardMessages
    direct_messages: DirectMessages
    goodbyes: Goodbyes
    offers: QuestionMessages
    overdue: QuestionMessages
    calls: Calls
    absentees: Absentees
    motions: QuestionMessages
    seat_offers: QuestionMessages

    def jobs(self) -> dict[JobKind, Work]:
        """Return the work of all surfaces for their jobs."""
        messages = (self.lobby, self.board, self.direct_messages, self.goodbyes, self.calls, self.absentees)
        questions = (self.offers, self.overdue, self.motions, self.seat_offers)
        return {kind: work for each in (*messages, *questions) for kind, work in each.jobs().items()}


def build_surfaces(
    services: Services,
    pictures: Pictures,
    messages: MessageClient,
    client: discord.Client,
    mentions: CommandMentions = NO_MENTIONS,
) -> Surfaces:
    """Return the surfaces of one bot; ``mentions``: how their texts mention commands."""
    shown = ShownMessages(services, messages, client, mentions)
    lobby = LobbyMessages(services, messages, shown)
    board = BoardMessages(services, pictures, messages, shown, lobby)
    direct_messages = DirectMessages(services, pictures, messages, shown, board)
    goodbyes = Goodbyes(services, messages, shown)
    offers, overdue, motions, seat_offers = (
        QuestionMessages(question, services, messages, shown, lobby) for question in QUESTIONS
    )
    absentees = Absentees(services, messages, Absences(services.cache))
    calls = Calls(services, messages, shown, lobby, direct_messages, goodbyes)
    return Surfaces(
        shown,
        lobby,
        board,
        direct_messages,
        goodbyes,
        offers,
        overdue,
        calls,
        absentees,
        motions,
        seat_offers,
    )
