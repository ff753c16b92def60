"""The audit of questions in threads: each has buttons exactly while it is open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.domain.match import Board
from bot.pages.questions import people_to_agree, people_to_answer_draw, person_to_sit
from tests.kit.simulation.findings import Finding
from tests.kit.simulation.screen import Screen


@dataclass(frozen=True, slots=True)
class _Question:
    kind: str
    is_open: bool
    asks: str


def questions(screen: Screen, board: Board) -> Iterator[Finding]:
    """Yield settled questions with buttons, duplicate questions, and missing ones."""
    on = board.outcome is None and board.closed is None
    found = (
        _Question("offer", bool(board.draw_offers and people_to_answer_draw(board)), "the offer of a draw"),
        _Question("question", bool(board.overdue), "what becomes of a seat whose time is up"),
        _Question("motion", bool(people_to_agree(board)), "what somebody proposes"),
        _Question("seat offer", bool(person_to_sit(board)), "the offer of a seat"),
    )
    for each in found:
        yield from _question(screen, each, is_open=each.is_open and on)


def _question(screen: Screen, question: _Question, *, is_open: bool) -> Iterator[Finding]:
    match, kind = screen.table.id, question.kind
    live = screen.live([one for one in screen.messages if one.kind == kind])
    late = any(one.late or one.came_late for one in live)
    if len(live) > 1:
        yield Finding(f"late {kind}" if late else f"two {kind}s", f"{match} asks {len(live)} times")
    elif live and not is_open:
        yield Finding(f"late {kind}" if late else f"stale {kind}", f"{match} asks what is settled")
    # In a restarted thread, only the board has the buttons.
    elif is_open and not live and not (screen.deleted(kind, "thread") or screen.begun_anew()):
        yield Finding(f"no {kind}", f"{match} asks nobody about {question.asks}")
