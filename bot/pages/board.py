"""The thread's board message: what everybody sees of a match, and whom it waits for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import discord

from bot.domain.jobs import Shown
from bot.domain.match import Board
from bot.domain.tables import ClosedBy, PersonId, Status
from bot.pages.clocks import absence_lines, clock_lines
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.page import (
    UNPAINTED,
    Block,
    FoundMessage,
    Page,
    Painting,
    button,
    gallery,
    page,
    rows,
    text,
    upload,
)
from bot.pages.push import board_words, unmarked
from bot.pages.questions import draw_buttons, motion_lines, overdue_buttons, undone_lines
from bot.pages.shuffle import shuffle_lines
from bot.pages.texts import TableTexts, Texts, match_heading, match_link, mention
from engines.core.contract import Outcome, Seat
from renderers.core.contract import Picture

NEWS_LIMIT = 1_200
"""Maximum characters of narration in one board message."""

SENTENCES = 6
"""Maximum sentences of it: people read no more before they look at the board."""

# The names are the same for every board: they must not identify a file.
STEM = "board"
REEL, FILM = "round", "film"
"""File names of moving pictures: of the previous epoch, and of the whole match."""


@dataclass(frozen=True, slots=True)
class BoardPictures:
    """The pictures of a board: the position and, if there are any, moving ones."""

    position: Painting = UNPAINTED
    reel: Picture | None = None
    """What happened in the previous epoch, moving."""
    film: Picture | None = None
    """The whole match."""


NO_PICTURES = BoardPictures()

CLOSED_BY = {
    ClosedBy.SERVER: "closed.server",
    ClosedBy.AGREED: "closed.agreed",
    ClosedBy.IDLE: "closed.idle",
}

MARKER = 1_000
"""Component ids from here on mark a board message: this number plus the board's epoch.

Earlier versions counted the boards instead: compare messages only by :attr:`Shown.reach`."""

GOODBYE_MARKER = 970
"""The component id that marks the direct message that says how a match ended."""

VERSION_MARKER = 10_000_000
"""The same for the text in a board: this number plus the version that it shows."""


def shown_by(channel_id: int, found: FoundMessage) -> Shown | None:
    """Return what a message found in a thread shows; ``None`` if it is no board.

    Its version is 0 while the message is not laid out: it has only words, and shows no version yet.
    """
    epoch = (found.marker or 0) - MARKER
    version = max(found.texts, default=VERSION_MARKER) - VERSION_MARKER
    return Shown(channel_id, found.message_id, epoch, version) if epoch > 0 and version >= 0 else None


def board_page(
    board: Board, texts: Texts, pictures: BoardPictures = NO_PICTURES, *, current: bool = True
) -> Page:
    """Return the page of a board; ``current``: it is the newest one and has its buttons."""
    table_texts = TableTexts(texts, board.table)
    state = _state(board, texts, table_texts)
    body = text(
        # The current board is in its thread and needs no link; others are read anywhere.
        f"### {match_heading(board.table, texts) if current else match_link(board.table, texts)}",
        pictures.position.fenced(),
        *table_texts.news(board.told, NEWS_LIMIT, SENTENCES, state),
        *state,
        # After a crash this tells which version the message shows: see `shown_by`.
        marker=VERSION_MARKER + board.version,
    )
    still = pictures.position.uploads(STEM)
    moving = ((REEL, pictures.reel), (FILM, pictures.film))
    films = [upload(stem, each) for stem, each in moving if each is not None]
    blocks: list[Block] = [*map(gallery, still), body, *map(gallery, films)]
    if current:
        blocks += _buttons(board, texts)
    return page(
        blocks,
        [*still, *films],
        marker=MARKER + board.epoch,
        words=board_words(board, texts, pinged_people(board)) if current else "",
        buttons=_first_buttons(board, texts),
    )


def has_film(page: Page) -> bool:
    """Return whether a board's page includes the film of its match."""
    return any(one.filename.partition(".")[0] == FILM for one in page.uploads)


def pinged_people(board: Board) -> list[PersonId]:
    """Return the people whom the board mentions when it is posted."""
    people = map(board.table.person_at, board.called)
    return [person for person in people if person is not None]


def _state(board: Board, texts: Texts, table_texts: TableTexts) -> list[str]:
    if board.table.status is Status.FROZEN:
        return [f"🧊 {texts.house('board.frozen')}"]
    if board.closed is not None:
        return ["", texts.house(CLOSED_BY[board.closed]), f"-# {texts.house('closed.hidden')}"]
    absences = [
        *undone_lines(board.undone, texts, table_texts),
        *absence_lines(board, texts, table_texts),
        *motion_lines(board, texts, table_texts),
    ]
    if board.outcome is not None:
        lines = ["", *absences, *_result(board, board.outcome, texts, table_texts)]
        if board.seed is not None:
            lines += shuffle_lines(board.table, texts, part=board.part)
            lines.append(f"-# {texts.house('end.seed', seed=board.seed.hex())}")
        return lines
    lines = [*absences, *table_texts.summary(board.view)]
    if board.waiting:
        who = texts.listing(
            f"{_name(board, seat, table_texts)} ({table_texts.side(seat)})" for seat in board.waiting
        )
        lines.append("➡️ " + texts.house("board.waiting", n=len(board.waiting), names=who))
    lines += clock_lines(board, texts, table_texts)
    if board.draw_offers:
        names = texts.listing(table_texts.seat_name(seat) for seat in board.draw_offers)
        lines.append(f"🤝 {texts.house('board.draw_offered', n=len(board.draw_offers), names=names)}")
    if board.table.is_mixed:
        lines.append(f"-# {texts.house('shuffle.hash', hash=board.table.commitment)}")
    return lines


def _result(board: Board, outcome: Outcome, texts: Texts, table_texts: TableTexts) -> list[str]:
    """Return how a match ended; if a player ended it, that is the reason, and not what the game says."""
    lines = []
    if board.claimed is not None:
        lines.append(texts.house("clock.claimed", player=table_texts.seat_name(board.claimed)))
    if board.resigned is not None:
        lines.append(texts.house("end.resigned", player=table_texts.seat_name(board.resigned)))
    return [*lines, *table_texts.result(outcome, with_reasons=not lines)]


def _name(board: Board, seat: Seat, table_texts: TableTexts) -> str:
    """Return a mention if the board pings this seat, else a name: any mention in a text may notify."""
    person = board.table.person_at(seat) if seat in board.called else None
    return table_texts.bare_name(seat) if person is None else mention(person)


def _buttons(board: Board, texts: Texts) -> list[Block]:
    match = board.table.id
    blocks: list[Block] = [*rows(_first_buttons(board, texts))]
    if board.draw_offers and not _over(board):
        blocks += rows(draw_buttons(match, texts))
    if board.overdue and not _over(board):
        blocks += rows(overdue_buttons(match, texts))
    return blocks


def _over(board: Board) -> bool:
    return board.outcome is not None or board.table.status in (Status.OVER, Status.FROZEN, Status.CLOSED)


def _first_buttons(board: Board, texts: Texts) -> list[discord.ui.Button[Any]]:
    """Return the first row of a current board's buttons; a ping in words has them too."""
    match, over = board.table.id, _over(board)
    plain = discord.ButtonStyle.secondary
    first = [
        button(
            texts.house("board.panel"),
            ButtonId(match, Button.TURN),
            plain if over else discord.ButtonStyle.primary,
        ),
        button(texts.house("board.rules"), ButtonId(match, Button.RULES)),
        button(texts.house("board.log"), ButtonId(match, Button.LOG)),
    ]
    if board.version > 1 and board.table.status is not Status.FROZEN:
        first.append(button(texts.house("board.before"), ButtonId(match, Button.BEFORE)))
    if board.outcome is not None:
        label = texts.house("board.rematch")
        first.append(button(label, ButtonId(match, Button.REMATCH), discord.ButtonStyle.success))
    return first


def goodbye_page(board: Board, texts: Texts) -> Page:
    """Return the last message of a match that is over; it links to the thread, which shows everything."""
    table = board.table
    outcome = board.outcome
    result = [] if outcome is None else _result(board, outcome, texts, TableTexts(texts, table))
    place = table.thread_id or table.place.channel_id
    over = texts.house("goodbye.over", match=match_heading(table, texts))
    # The button also serves to find the message again.
    log = button(texts.house("board.log"), ButtonId(table.id, Button.LOG))
    return page(
        [text(f"### {over}", *result, texts.house("goodbye.thread", thread=f"<#{place}>")), *rows([log])],
        marker=GOODBYE_MARKER,
        words="\n".join(map(unmarked, [over, *result])),
        buttons=[button(texts.house("board.log"), ButtonId(table.id, Button.LOG))],
    )
