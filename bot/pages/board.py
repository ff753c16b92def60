"""The thread's board message: what everybody sees of a match, and whom it waits for."""

from __future__ import annotations

from collections.abc import Mapping

import discord

from bot.domain.jobs import Shown
from bot.domain.match import Board
from bot.domain.people import PersonId
from bot.domain.tables import Status, TableInfo
from bot.pages.custom_ids import Button, ButtonId
from bot.pages.found_message import FoundMessage
from bot.pages.outcome import verdict
from bot.pages.page import Block, Page, button, fenced, gallery, page, rows, text, upload
from bot.pages.texts import Texts, mention, tail, unsaid
from engines.core.contract import Seat
from engines.core.registry import game
from renderers.core.contract import Picture

TOLD_LIMIT = 1_200
"""Characters of narration in one board message."""

STEM = "board"
REEL, FILM = "round", "film"
"""Files of moving pictures: what has just happened, and the whole match."""

NOTHING: Mapping[str, Picture | None] = {}

MARKER = 1_000
"""Component ids from here on mark a board message: this number plus the board's epoch."""

VERSION_MARKER = 10_000_000
"""The same for the text in it: this number plus the version that the board shows."""


def shown_by(channel_id: int, found: FoundMessage) -> Shown | None:
    """Return what a message that was found in a thread shows, if it is a board."""
    epoch = (found.marker or 0) - MARKER
    version = max(found.texts, default=0) - VERSION_MARKER
    return Shown(channel_id, found.message_id, epoch, version) if epoch > 0 and version > 0 else None


def board_page(
    board: Board,
    speech: Texts,
    *,
    picture: Picture | None,
    words: str = "",
    current: bool = True,
    moving: Mapping[str, Picture | None] = NOTHING,
) -> Page:
    """Return the page of a board; ``current``: it is the newest one and has its buttons.

    ``moving``: moving pictures by the names of their files.
    """
    pictures = {STEM: picture, **moving}
    shown = [upload(stem, each) for stem, each in pictures.items() if each is not None]
    blocks: list[Block] = []
    if shown:
        blocks.append(gallery(shown))
    fence = fenced(words) if words else ""
    state = _state(board, speech)
    told = tail(unsaid(speech.told(board.table, board.told), state), TOLD_LIMIT)
    lines = (_title(board.table, speech), fence, *told, *state)
    blocks.append(text(*lines, marker=VERSION_MARKER + board.version))
    if current:
        blocks += _buttons(board, speech)
    return page(blocks, shown, marker=MARKER + board.epoch)


def has_film(page: Page) -> bool:
    """Return whether a board's page brings the film of its match."""
    return any(one.filename.partition(".")[0] == FILM for one in page.uploads)


def asked_people(board: Board) -> list[PersonId]:
    """Return who must act, and so is mentioned where a new board is posted."""
    people = (_person_at(board.table, seat) for seat in board.waiting)
    return [person for person in people if person is not None]


def _person_at(table: TableInfo, seat: Seat) -> PersonId | None:
    chair = table.chair_at(seat)
    return chair.person.id if chair.person is not None and not chair.withdrawn else None


def _title(table: TableInfo, speech: Texts) -> str:
    names = " – ".join(speech.seat_name(table, seat) for seat in range(len(table.chairs)))
    return f"### {game(table.game).manifest.title} · {names}"


def _state(board: Board, speech: Texts) -> list[str]:
    """Return whose turn it is, or how the match ended."""
    table = board.table
    if table.status is Status.FROZEN:
        return [f"🧊 {speech.house('board.frozen')}"]
    if board.outcome is not None:
        return ["", *verdict(table, board.outcome, speech), *_proof(board, speech)]
    lines = [_waiting(board, speech)]
    if board.draw_offers:
        names = speech.listing(speech.seat_name(table, seat) for seat in board.draw_offers)
        lines.append(f"🤝 {speech.house('board.draw_offered', n=len(board.draw_offers), names=names)}")
    return lines


def _waiting(board: Board, speech: Texts) -> str:
    if not board.waiting:
        return ""
    who = speech.listing(_called(board.table, seat, speech) for seat in board.waiting)
    return "➡️ " + speech.house("board.waiting", n=len(board.waiting), names=who)


def _called(table: TableInfo, seat: Seat, speech: Texts) -> str:
    """Return a seat as the board calls it: who sits there, mentioned, and the side they play."""
    person = _person_at(table, seat)
    name = mention(person) if person is not None else speech.seat_name(table, seat)
    return f"{name} ({speech.side(table, seat)})"


def _proof(board: Board, speech: Texts) -> list[str]:
    if board.seed is None:
        return []
    seed = board.seed.hex()
    return [f"-# {speech.house('end.seed', seed=seed, commitment=board.table.commitment)}"]


def _buttons(board: Board, speech: Texts) -> list[Block]:
    match = board.table.id
    over = board.outcome is not None or board.table.status in (Status.OVER, Status.FROZEN)
    plain = discord.ButtonStyle.secondary
    first = [
        button(
            speech.house("board.view" if over else "board.turn"),
            ButtonId(match, Button.TURN),
            plain if over else discord.ButtonStyle.primary,
        ),
        button(speech.house("board.rules"), ButtonId(match, Button.RULES)),
        button(speech.house("board.log"), ButtonId(match, Button.LOG)),
    ]
    if board.outcome is not None:
        label = speech.house("board.rematch")
        first.append(button(label, ButtonId(match, Button.REMATCH), discord.ButtonStyle.success))
    blocks: list[Block] = [*rows(first)]
    if board.draw_offers and not over:
        answers = [
            button(speech.house("board.accept"), ButtonId(match, Button.ACCEPT), discord.ButtonStyle.success),
            button(speech.house("board.decline"), ButtonId(match, Button.DECLINE), plain),
        ]
        blocks += rows(answers)
    return blocks
