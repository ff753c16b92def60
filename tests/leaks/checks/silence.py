"""What is done in secret is not to be counted: nothing is posted, edited, numbered or put off by it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from bot.domain.jobs import JobKind
from bot.pages.custom_ids import Button, ButtonId, pack
from engines.core.contract import Seat, Viewer, Words, facts_for
from engines.core.match import Match, is_note
from engines.core.rng import Rng
from tests.contract.checks.sampling import seed
from tests.contract.checks.secrets import random_sentence
from tests.leaks.checks.twins import Tables, assert_alike
from tests.leaks.house import House, house
from tests.leaks.wire import Sent

PRIVATE_JOBS = {kind.value for kind in (JobKind.TURN, JobKind.COMPUTER, JobKind.THINK, JobKind.INTERRUPT)}
"""Jobs that show nothing to everybody."""


def unmoved(before: Match, after: Match, viewer: Viewer) -> bool:
    """Return whether a viewer learned nothing between two moments."""
    told = any(facts_for(batch, viewer) for batch in after.batches[len(before.batches) :])
    return bool(before.view(viewer) == after.view(viewer)) and not told


async def check_silence(tables: Tables, folder: Path, *, sentences: int = 7, closed: bool = False) -> int:
    """Play a match at random, asides too; return how many sentences the public learned nothing of.

    ``closed``: from the first sentence on, nobody takes direct messages.
    """
    silent = 0
    async with _house(tables, folder) as each:
        for number in range(sentences):
            if not each.asked():
                break
            if closed:
                each.wire.closed = set(map(each.person_at, each.people()))
            rng = Rng(seed("silence", tables.key, tables.number, number))
            open_to = [s for s in each.people() if each.match.menu(s) is not None]
            seat = rng.stream("seat").choice(open_to)
            silent += await say_and_count(each, seat, random_sentence(each.match, seat, rng))
    return silent


async def check_sentences(
    tables: Tables, folder: Path, sentences: Sequence[tuple[Seat, str]], *, closed: bool = False
) -> None:
    """Play these sentences; ``{card}`` stands for the seat's first card. Each is silent or done in place."""
    async with _house(tables, folder) as each:
        for seat, text in sentences:
            if closed:
                each.wire.closed = set(map(each.person_at, each.people()))
            hand = getattr(each.match.view(seat).own, "hand", ("",))
            await say_and_count(each, seat, each.game.read(text.format(card=hand[0])))


def _house(tables: Tables, folder: Path) -> AbstractAsyncContextManager[House]:
    return house(
        tables.key,
        folder,
        tables.number,
        seats=tables.seats,
        options=dict(tables.options),
        dms=tables.dms,
        computers=tables.computers,
    )


async def say_and_count(each: House, seat: Seat, words: Words) -> bool:
    """Let a seat say a sentence, and check what all receive; return whether the public learned nothing."""
    match = each.match
    others: list[Viewer] = [None, *(other for other in each.people() if other != seat)]
    before = {viewer: await _looks(each, viewer) for viewer in others}
    since = len(each.wire.sent)
    rows = public_rows(each)
    each.entropy.now += 3_600
    await each.say(seat, words)
    jobs = {kind for kind, _ in _jobs(each)}
    assert not (jobs and is_note(each.game, words)), "a note asks for something"
    await each.settle()
    after, sent = each.match, each.wire.sent[since:]
    for viewer in others:
        if unmoved(match, after, viewer):
            got = [one for one in sent if one.reader is not None and one.reader == each.reader(viewer)]
            assert_alike(got, [], f"viewer {viewer} can count what is secret")
            if unmoved(match, after, None):
                assert_alike(before[viewer], await _looks(each, viewer), f"viewer {viewer} sees a secret act")
    posted = [one for one in sent if one.reader is None]
    if unmoved(match, after, None):
        assert jobs <= PRIVATE_JOBS, "a secret act asks for something public"
        assert_alike(posted, [], "the public can count what is secret")
        assert public_rows(each) == rows, "a secret act changes what everybody may know of the table"
        return True
    _check_done(match, after, posted)
    return False


def _check_done(before: Match, after: Match, posted: list[Sent]) -> None:
    """Where a seat is merely done, the board is edited in place."""
    waited, waiting = before.waiting, after.waiting
    if waiting and waiting < waited:
        assert [one.act.partition(" ")[0] for one in posted] == ["PATCH"], (
            "done is more than one edit in place"
        )


async def _looks(each: House, viewer: Viewer) -> list[Sent]:
    """Return what a viewer gets for the asking."""
    who, since = each.reader(viewer), len(each.wire.sent)
    await each.press(who, each.board_id(), pack(ButtonId(each.table.id, Button.TURN)))
    for name in ("log", "games", "board"):
        await each.command(who, name)
    await each.complete(who, "move", "words", "")
    await each.complete(who, "log", "match", "")
    return each.wire.received(who, since)


def _jobs(each: House) -> list[tuple[str, str]]:
    with sqlite3.connect(each.database) as connection:
        return connection.execute("SELECT kind, target FROM job").fetchall()


def public_rows(each: House) -> list[tuple[object, ...]]:
    """Return what the database says of the table to everybody: its row, its chairs, its public messages."""
    found: list[tuple[object, ...]] = []
    with sqlite3.connect(each.database) as connection:
        # The table's version counts what happens in secret too: it stands in no message.
        columns = [row[1] for row in connection.execute("PRAGMA table_info(match)") if row[1] != "version"]
        for query in (
            f"SELECT {', '.join(columns)} FROM match",
            "SELECT ord, name, seat, withdrawn FROM chair ORDER BY ord",
            "SELECT * FROM shown WHERE surface NOT LIKE 'dm:%' ORDER BY surface",
        ):
            found += connection.execute(query).fetchall()
    connection.close()
    return found
