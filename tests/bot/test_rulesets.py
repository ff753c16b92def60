"""Matches end by the ruleset and the options that they began with; new ones begin with the newest."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from bot.domain import replay_file
from bot.domain.replay_file import ReplayError, replayed
from bot.domain.tables import Status, TableInfo
from engines.core import texts
from engines.core.console import Console
from engines.core.contract import Setup
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room, refused
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT
from tests.kit.tables import sit_down
from tests.kit.vault.later import GAME as LATER

pytestmark = BOTH_STORES_BY_NIGHT

OLD = Setup("vault", "1", 2, (("pledges", "secret"),))
"""What the vault's tables were before it had a second ruleset and a lamp."""


@pytest.fixture
async def old(room: Room) -> TableInfo:
    """Return a match that was begun and left in its middle, before the rules changed."""
    info = await room.begin()
    await room.lay(info, 0)
    return info


async def update(room: Room) -> None:
    """Restart the house with the rules as they are now."""
    room.games = {**ALL_GAMES, "vault": LATER}
    await room.again()


async def play_out(room: Room, info: TableInfo) -> dict[str, Any]:
    """Play a match to its end, and return its replay file as it is written."""
    await room.play_some(info, 99)
    assert (await room.services.queries.table(info.id)).status is Status.OVER
    found: dict[str, Any] = json.loads(json.dumps(await room.services.queries.replay_file(info.id)))
    return found


async def digest(room: Room, info: TableInfo) -> str:
    return (await room.services.cache.get(info.id)).require_log().digest


async def test_a_stored_match_ends_as_it_began(room: Room, old: TableInfo) -> None:
    before = await digest(room, old)
    await update(room)
    assert await digest(room, old) == before
    replay = await play_out(room, old)
    await room.again()
    assert (await room.services.queries.table(old.id)).setup == OLD, "nothing was rewritten"
    assert (replay["ruleset"], replay["options"]) == ("1", dict(OLD.options))


async def test_its_replay_file_plays_again(
    room: Room, old: TableInfo, monkeypatch: pytest.MonkeyPatch
) -> None:
    await update(room)
    replay = await play_out(room, old)
    monkeypatch.setattr(replay_file, "game", room.games.__getitem__)
    assert replayed(replay)[-1].digest() == await digest(room, old)
    brighter = {"lamp": "bright", **replay["options"]}
    for change, said in (
        ({"ruleset": "2"}, "row 1 is refused (not_yours)"),
        ({"options": brighter}, "after row 1 the match differs from the one that was played"),
        ({"ruleset": "3"}, "Vault does not offer ruleset '3' here, only 2 or 1"),
    ):
        with pytest.raises(ReplayError, match=f"^{re.escape(said)}$"):
            replayed({**replay, **change})


async def test_the_console_plays_it_again(room: Room, old: TableInfo) -> None:
    await update(room)
    replay = await play_out(room, old)
    console = Console({"vault": LATER}, lambda _: texts.load("tests.kit.vault"), lambda: bytes(32))

    def ask(cmd: str, **fields: Any) -> Any:
        answer = json.loads(console.answer(json.dumps({"cmd": cmd, **fields}).encode()))
        assert answer["ok"], answer
        return answer

    # A program that was written before knows the ruleset it was written for, and nothing of a lamp.
    begun = ask("new", game="vault", ruleset="1", options=replay["options"], seed=replay["seed"])["new"]
    assert (begun["ruleset"], begun["options"]["lamp"]) == ("1", "dark")
    for row in replay["log"]:
        ask("act", seat=row["seat"], words=row["sentence"])
        assert ask("state")["digest"] == row["digest"]
    assert ask("outcome")["outcome"] is not None
    assert ask("new", game="vault")["new"]["ruleset"] == "2"


async def test_a_new_table_has_the_newest_ruleset_and_the_defaults(room: Room) -> None:
    await update(room)
    info = await room.begin()
    assert info.setup == Setup("vault", "2", 2, (("lamp", "bright"), *OLD.options))
    await play_out(room, info)


async def test_a_rematch_is_a_new_match_with_the_options_of_the_old_one(room: Room, old: TableInfo) -> None:
    await update(room)
    await play_out(room, old)
    again = await room.services.lobby.rematch(old.id, PEOPLE[0], room.request, PLACE)
    assert again.setup == Setup("vault", "2", 2, (("lamp", "dark"), *OLD.options))


async def test_a_table_that_was_open_begins_with_the_newest_ruleset(room: Room) -> None:
    opened = await room.services.lobby.open("vault", {}, 2, PEOPLE[0], PLACE, room.request)
    await update(room)
    info = await sit_down(room.services, opened.id, PEOPLE[1], room.request)
    assert info.setup == Setup("vault", "2", 2, OLD.options), "its options are those that it was opened with"
    await room.lay(info, 0)
    before = await digest(room, info)
    await room.again()
    assert await digest(room, info) == before
    assert (await play_out(room, info))["ruleset"] == "2"


async def test_a_match_of_a_ruleset_that_is_unknown_is_frozen(room: Room) -> None:
    await update(room)
    info = await room.begin()
    room.games = ALL_GAMES
    await room.again()
    await refused("frozen", room.services.queries.board(info.id))
    await update(room)
    await play_out(room, info)
