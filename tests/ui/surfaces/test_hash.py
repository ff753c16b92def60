"""The hash of a table's shuffle: in a message of its own, before anybody joins, and never edited."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import discord
import pytest

from bot.domain.refusals import Refusal
from bot.domain.tables import Place, Status, TableInfo
from bot.pages.log import log_page
from bot.pages.page import Page
from bot.pages.shuffle import HASH_MARKER, hash_page, join_receipt, shuffle_lines, start_receipt
from bot.pages.texts import Texts
from engines.core.rng import part_hash
from tests.duel import DUEL
from tests.ui.limits import sent, walk
from tests.ui.surfaces.room import ANNA, BEN, CHANNEL, Room, entered, refusal


async def opened(room: Room) -> TableInfo:
    return await room.services.lobby.open(DUEL, {}, None, ANNA, Place(1, CHANNEL), 1)


def hashes(room: Room) -> list[int]:
    """Return the messages that carry the mark of a hash."""
    return [
        message
        for message, (_, page) in room.notes.messages.items()
        if any(item.get("id") == HASH_MARKER for item in walk(sent(page)))
    ]


def said(room: Room, message: int) -> str:
    return "\n".join(str(item.get("content", "")) for item in walk(sent(room.notes.messages[message][1])))


async def test_it_comes_before_the_table_and_stays_as_it_is(tmp_path: Path) -> None:
    edited: list[int] = []
    async with entered(tmp_path) as room:
        edit = room.notes.edit

        async def noted(channel_id: int, message_id: int, page: Page) -> bool:
            edited.append(message_id)
            return await edit(channel_id, message_id, page)

        room.notes.edit = noted  # type: ignore[method-assign]
        table = await opened(room)
        await room.surfaces.lobby.update(table.id)
        [posted], (lobby,) = hashes(room), [m for m in room.notes.messages if m not in hashes(room)]
        assert posted < lobby
        assert table.commitment in said(room, posted)
        assert table.commitment in said(room, lobby)
        assert room.notes.mentioned[posted] == []
        first = said(room, posted)
        await room.services.lobby.join(table.id, BEN, 2)
        await room.surfaces.lobby.update(table.id)
        assert "`1`" in said(room, lobby)
        assert "`2`" in said(room, lobby)
        room.table = await room.services.lobby.start(table.id, ANNA, 3)
        assert room.table.status is Status.RUNNING
        for surfaces in (room.surfaces, room.new_surfaces()):
            await surfaces.lobby.update(table.id)
            await surfaces.board.update(table.id)
        board = (await room.shown("board")).message_id
        assert table.commitment in said(room, board)
        await room.services.actions.resign(table.id, ANNA, 4)
        await room.surfaces.lobby.update(table.id)
        await room.surfaces.board.update(table.id)
        row = (await room.services.cache.get(table.id)).row
        assert row.part is not None
        end = said(room, (await room.shown("board")).message_id)
        for proof in (table.commitment, row.part.hex(), "`1`", "`2`", "`3`"):
            assert proof in end
        assert row.part.hex() not in said(room, lobby)
        assert hashes(room) == [posted]
        assert said(room, posted) == first
        assert posted not in edited


async def test_one_that_was_posted_before_a_crash_is_found_again(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room)
        posted = await room.unnoted(room.surfaces.lobby.update(table.id))
        # Of a longer outage: Discord knows the nonce no more.
        room.notes.nonces.clear()
        await room.new_surfaces().lobby.update(table.id)
        assert hashes(room) == [posted]
        room.table = table
        assert (await room.shown("hash")).message_id == posted


async def test_another_tables_hash_is_none_of_its_own(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        tables = [await room.services.lobby.open(DUEL, {}, None, ANNA, Place(1, CHANNEL), n) for n in (1, 2)]
        for table in tables:
            await room.surfaces.lobby.update(table.id)
        assert len(hashes(room)) == 2
        assert len({table.commitment for table in tables}) == 2


async def test_without_it_there_is_no_table_to_join(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room)
        room.notes.trouble.append(("post", refusal(50013, 403)))
        with pytest.raises(discord.Forbidden):
            await room.surfaces.lobby.update(table.id)
        assert room.notes.messages == {}
        with pytest.raises(Refusal) as refused:
            await room.services.lobby.join(table.id, BEN, 2)
        assert refused.value.msg.key == "no.hash_pending"
        await room.surfaces.lobby.update(table.id)
        await room.services.lobby.join(table.id, BEN, 2)


async def test_a_table_of_before_has_none(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room)
        async with room.services.cache.store.transaction() as transaction:
            for change in (
                "UPDATE match SET part = NULL, commitment = '' WHERE id = ?",
                "UPDATE chair SET join_id = '' WHERE match = ?",
                "DELETE FROM first_join WHERE match = ?",
            ):
                await transaction._do(change, table.id)  # noqa: SLF001
        room.services.cache.forget(table.id)
        await room.surfaces.lobby.update(table.id)
        assert hashes(room) == []
        await room.services.lobby.join(table.id, BEN, 2)
        table = await room.services.lobby.start(table.id, ANNA, 3)
        await room.surfaces.lobby.update(table.id)
        [lobby] = [each for each in room.notes.messages if table.commitment in said(room, each)]
        assert Texts().house("lobby.commitment", commitment=table.commitment) in said(room, lobby)
        await room.services.actions.resign(table.id, ANNA, 4)
        await room.surfaces.lobby.update(table.id)
        # Its hash stays too.
        assert table.commitment in said(room, lobby)


async def test_receipts_say_the_id_that_counts(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room)
        await room.surfaces.lobby.update(table.id)
        await room.services.lobby.join(table.id, BEN, 2)
        await room.services.lobby.leave(table.id, BEN, 3)
        table = await room.services.lobby.join(table.id, BEN, 4)
        texts = Texts()
        assert "`2`" in join_receipt(table, BEN.id, texts)
        assert start_receipt(table, texts) == ""
        table = await room.services.lobby.start(table.id, ANNA, 5)
        assert "`5`" in start_receipt(table, texts)
        assert [line.count("`") for line in shuffle_lines(table, texts)] == [2, 4, 2]
        assert hash_page(table, texts).push is None


async def test_the_log_shows_it_from_the_start(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room)
        await room.surfaces.lobby.update(table.id)
        await room.services.lobby.join(table.id, BEN, 2)
        table = await room.services.lobby.start(table.id, ANNA, 3)
        row, texts = (await room.services.cache.get(table.id)).row, Texts()
        assert row.part is not None
        running = str(sent(log_page(table, (), None, texts)))
        assert table.commitment in running
        assert row.part.hex() not in running
        assert texts.house("log.shuffle") in running
        # A match that is closed never shows its part, and the log promises nothing.
        closed = str(sent(log_page(replace(table, status=Status.CLOSED), (), None, texts)))
        assert table.commitment in closed
        assert texts.house("log.shuffle") not in closed
        await room.services.actions.resign(table.id, ANNA, 4)
        table = await room.services.queries.table(table.id)
        over = str(sent(log_page(table, (), await room.services.queries.replay_file(table.id), texts)))
        for proof in (table.commitment, row.part.hex(), "`1`", "`2`", "`3`", texts.house("log.shuffle_over")):
            assert proof in over


async def test_a_new_part_after_a_restore_has_a_message_of_its_own(tmp_path: Path) -> None:
    async with entered(tmp_path) as room:
        table = await opened(room)
        await room.surfaces.lobby.update(table.id)
        async with room.services.cache.store.transaction() as transaction:
            await transaction.replace_part(table.id, bytes(32), part_hash(bytes(32)), "hash")
        room.services.cache.forget(table.id)
        # With a restore's id the nonces are new ones, too.
        room.notes.nonces.clear()
        await room.new_surfaces().lobby.update(table.id)
        first, second = hashes(room)
        assert table.commitment in said(room, first)
        assert part_hash(bytes(32)) in said(room, second)
        room.table = table
        assert part_hash(bytes(32)) in said(room, (await room.shown("lobby")).message_id)
