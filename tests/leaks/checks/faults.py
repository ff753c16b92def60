"""Everything that can go wrong, going wrong with a secret on its lips: logs, answers and jobs keep it."""

from __future__ import annotations

import asyncio
import gc
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest.mock import patch

from bot.domain.jobs import JobKind, NewJob
from bot.matches import queries
from bot.pages.custom_ids import Button, ButtonId, pack
from bot.runtime import log_setup
from bot.store.reader import Reader
from bot.store.transaction import Transaction
from tests.kit.vault import GAME, RENDERER
from tests.kit.vault.install import KEY
from tests.kit.waiting import let_others_run
from tests.leaks.checks.canaries import search
from tests.leaks.checks.inside import assert_clean, logged, rows_of
from tests.leaks.house import NOW, House, house
from tests.leaks.knowledge import Knowledge
from tests.leaks.wire import refusal

Plan = tuple[object, str, Callable[[str], Exception]]


class _OddError(Exception):
    """An error that says the secret in every way there is."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.add_note(f"it was {word}")
        self.__cause__ = KeyError(word)


PLANS: tuple[Plan, ...] = (
    (type(GAME), "menu", KeyError),
    (type(GAME), "preview", _OddError),
    (type(GAME), "narrate", LookupError),
    (type(GAME), "write", UnicodeError),
    (type(RENDERER), "paint", ValueError),
    (type(RENDERER), "text", OSError),
    (queries, "completions", RuntimeError),
    (Transaction, "save_draft", sqlite3.OperationalError),
    (Reader, "shown", sqlite3.DatabaseError),
)
"""What breaks, and how: each raises an error whose text is another seat's card."""

TROUBLES = ("POST", "PATCH", "answer edit", "answer 5")
"""What Discord refuses, quoting what it was sent."""


async def check_faults(folder: Path) -> int:
    """Break one thing after the other; return how many lines were logged."""
    lines: list[str] = []
    async with house(KEY, folder, 11, seats=2, dms=True) as each:
        knowledge = Knowledge.of(each.match)
        secret = each.match.view(1).own.hand[0]
        with logged(lines), _watched():
            for plan in PLANS:
                with _broken(*plan, secret):
                    await _try(each)
            for act in TROUBLES:
                each.wire.trouble = [
                    (act, refusal(400, 50035, f"Value {secret} is not allowed")) for _ in range(6)
                ]
                await _try(each)
            each.wire.trouble = []
            await _unseen(each, secret)
        search(each, knowledge, 0, each.match.seed)
        assert_clean("\n".join(lines), knowledge, each.match.seed, "the log")
        assert_clean(rows_of(each.database), knowledge, each.match.seed, "the outbox")
    said = "\n".join(lines)
    for sign in ("incident", "failed", "never retrieved", "picture hand of", "Exception in callback"):
        assert sign in said, f"nothing went wrong: no {sign!r} in the log"
    return len(lines)


@contextmanager
def _broken(owner: object, name: str, error: Callable[[str], Exception], secret: str) -> Iterator[None]:
    def fail(*_: object, **__: object) -> object:
        raise error(secret)

    with ExitStack() as stack:
        stack.enter_context(patch.object(owner, name, fail))
        yield


@contextmanager
def _watched() -> Iterator[None]:
    """Watch the loop as the bot's own process does."""
    loop = asyncio.get_running_loop()
    before = loop.get_exception_handler()
    log_setup.watch(loop)
    try:
        yield
    finally:
        loop.set_exception_handler(before)


async def _try(each: House) -> None:
    """Let a person do a little of everything, and the outbox too."""
    who = each.person_at(0)
    each.live.seat_views.clear()
    each.client.context.pictures.painter.finished.clear()
    for name, options in (("turn", {}), ("hand", {}), ("board", {"text": True}), ("log", {}), ("move", {})):
        typed = {"words": f"note {each.match.view(0).own.hand[1]}"} if name == "move" else options
        await each.command(who, name, **typed)
    await each.complete(who, "move", "words", "")
    await each.press(who, each.board_id(), pack(ButtonId(each.table.id, Button.TURN)))
    async with each.store.transaction() as transaction:
        jobs = (JobKind.LOBBY, JobKind.BOARD, JobKind.TURN)
        due = NOW
        await transaction.enqueue(
            [NewJob(each.table.id, k, "0" if k is JobKind.TURN else "", due) for k in jobs]
        )
    await each.settle()


async def _unseen(each: House, secret: str) -> None:
    """Let things go wrong that nobody waits for."""

    async def fails() -> None:
        await asyncio.sleep(0)
        raise KeyError(secret)

    def called(word: str) -> None:
        raise KeyError(word)

    loop = asyncio.get_running_loop()
    each.client.background.spawn(fails(), "a task of the house")
    loop.call_soon(called, secret)
    task = loop.create_task(fails())
    await let_others_run()
    del task
    gc.collect()
    await each.client.on_error("interaction")
