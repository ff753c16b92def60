"""A server's own rules: who may open tables there, where, how many, and at which pace."""

from __future__ import annotations

from collections.abc import Awaitable
from dataclasses import replace

import pytest

from bot.domain.clocks import Pace
from bot.domain.refusals import Refusal
from bot.domain.tables import Opener, Opening, Place, ServerRules, Status
from tests.bot.conftest import PEOPLE, PLACE, Room
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT
from tests.kit.tables import show_hash

pytestmark = BOTH_STORES_BY_NIGHT

MEMBER = Opener(frozenset({11}), manages=False)
MANAGER = Opener(frozenset(), manages=True)
ELSEWHERE = Place(PLACE.guild_id + 1, PLACE.channel_id)
ANNA = PEOPLE[0]


async def refused(work: Awaitable[object]) -> str:
    with pytest.raises(Refusal) as caught:
        await work
    return caught.value.msg.key


async def opened(
    room: Room, opener: Opener, pace: Pace | None, place: Place = PLACE, former: Pace | None = None
) -> Pace:
    """Open a table, and give it back; return its pace."""
    lobby = room.services.lobby
    table = await lobby.open(
        "vault", {}, 3, ANNA, place, room.request, pace=pace, former_pace=former, opener=opener
    )
    await lobby.leave(table.id, ANNA, room.request)
    return table.pace


async def choose(room: Room, **changes: object) -> ServerRules:
    servers = room.services.servers
    return await servers.change(PLACE.guild_id, lambda rules: replace(rules, **changes))  # type: ignore[arg-type]


async def test_as_long_as_nobody_has_chosen_all_is_allowed(room: Room) -> None:
    assert await room.services.servers.rules(PLACE.guild_id) == ServerRules()
    for pace in (*Pace, None):
        assert await opened(room, MEMBER, pace) is (pace or Pace.NONE)


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"opening": Opening.MANAGERS}, "no.server_managers"),
        ({"opening": Opening.ROLES, "roles": (12,)}, "no.server_roles"),
        ({"opening": Opening.ROLES}, "no.server_roles"),
        ({"channels": (PLACE.channel_id + 1,)}, "no.server_channels"),
        ({"most": 1}, "no.server_most"),
        ({"paces": (Pace.DAY,), "pace": Pace.DAY}, "no.server_pace"),
    ],
)
async def test_what_is_forbidden_is_for_members_alone(
    room: Room, changes: dict[str, object], why: str
) -> None:
    await room.begin("volo")
    await choose(room, **changes)
    assert await refused(opened(room, MEMBER, Pace.LIVE)) == why
    assert await opened(room, MANAGER, Pace.LIVE) is Pace.LIVE
    assert await opened(room, MEMBER, Pace.LIVE, ELSEWHERE) is Pace.LIVE
    await room.again()
    assert await refused(opened(room, MEMBER, Pace.LIVE)) == why


async def test_what_is_allowed_goes_on(room: Room) -> None:
    await choose(
        room, opening=Opening.ROLES, roles=(11, 12), channels=(PLACE.channel_id,), most=5,
        paces=(Pace.DAY, Pace.SLOW), pace=Pace.SLOW,
    )  # fmt: skip
    assert await opened(room, MEMBER, None) is Pace.SLOW
    assert await opened(room, MEMBER, Pace.DAY) is Pace.DAY
    # A rematch has the pace of its match, where that is still allowed.
    assert await opened(room, MEMBER, None, former=Pace.DAY) is Pace.DAY
    assert await opened(room, MEMBER, None, former=Pace.LIVE) is Pace.SLOW
    assert await opened(room, MANAGER, None, former=Pace.LIVE) is Pace.LIVE


def test_the_pace_of_who_names_none_is_an_allowed_one() -> None:
    rules = ServerRules().with_paces({Pace.SLOW, Pace.LIVE})
    assert rules.paces == (Pace.LIVE, Pace.SLOW)
    assert rules.pace is Pace.LIVE
    with pytest.raises(ValueError, match="no pace"):
        ServerRules().with_paces(())


async def test_broken_rules_lock_nobody_out(room: Room, caplog: pytest.LogCaptureFixture) -> None:
    await choose(room, opening=Opening.MANAGERS)
    async with room.store.transaction() as transaction:
        await transaction._do("UPDATE server SET roles = 'x'")  # noqa: SLF001 - nobody else writes it so
    assert await opened(room, MEMBER, None) is Pace.NONE
    assert "cannot be read" in caplog.text


@pytest.mark.parametrize(
    "changes", [{"opening": Opening.ROLES, "roles": (12,)}, {"opening": Opening.MANAGERS}]
)
async def test_nobody_becomes_host_unasked_where_not_everybody_may(
    room: Room, changes: dict[str, object]
) -> None:
    lobby, (_, ben, clara, *_) = room.services.lobby, PEOPLE
    await choose(room, **changes)
    allowed = Opener(frozenset({12}), manages="roles" not in changes)
    table = await lobby.open("vault", {}, 3, ANNA, PLACE, room.request, opener=allowed)
    await show_hash(room.services, table.id)
    for guest in (ben, clara):
        await lobby.join(table.id, guest, room.request)
    left = await lobby.leave(table.id, ANNA, room.request)
    assert left.status is Status.CLOSED
    assert await refused(lobby.start(table.id, ben, room.request)) == "no.closed"
    why = "no.server_roles" if "roles" in changes else "no.server_managers"
    assert await refused(lobby.reopen(table.id, ben, room.request, MEMBER)) == why
    again = await lobby.reopen(table.id, clara, room.request, allowed)
    assert (again.status, again.host) == (Status.OPEN, clara)
    assert [chair.person for chair in again.chairs] == [ben, clara]
