"""Commands that Discord refuses are named, and not sent again and again."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import discord
import pytest

from bot.gateway.connection import UNREADABLE
from bot.interactions.command_tree import CONDITION, RETRY_DELAY_S, Registered, Registration
from bot.runtime.heartbeat import Conditions


def error(status: int, code: int, message: str) -> discord.HTTPException:
    response: Any = SimpleNamespace(status=status, reason="")
    return discord.HTTPException(response, {"code": code, "message": message})


class Desk:
    """A registration and its clock."""

    def __init__(self) -> None:
        self.now = 0.0
        self.conditions = Conditions()
        self.registration = Registration(self.conditions, clock=lambda: self.now)


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.mark.parametrize(("status", "code"), [(400, 50035), (400, 50240), (403, 50001), (404, 10002)])
def test_a_refused_set_is_named_and_not_sent_again(
    status: int, code: int, desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    assert desk.registration.may_send("a")
    desk.registration.note_refusal("a", error(status, code, "Invalid\nForm Body"))
    said = f"{status}, code {code}: Invalid Form Body"
    assert said in desk.conditions.present()[CONDITION]
    assert said in caplog.text
    assert desk.registration.again_in() is None
    desk.now += 1e9
    assert not desk.registration.may_send("a")
    assert desk.registration.may_send("b")
    desk.registration.note_success()
    assert desk.conditions.present() == {}


def test_trouble_of_discord_is_waited_for(desk: Desk) -> None:
    desk.registration.note_refusal("a", error(503, 0, "unavailable"))
    assert not desk.registration.may_send("a")
    assert desk.registration.again_in() == RETRY_DELAY_S
    desk.now += RETRY_DELAY_S
    assert desk.registration.may_send("a")


def test_a_limit_is_waited_for(desk: Desk) -> None:
    desk.registration.note_refusal("a", discord.RateLimited(7_000.0))
    desk.now += 6_999.0
    assert not desk.registration.may_send("a")
    desk.now += 1.0
    assert desk.registration.may_send("a")


@pytest.mark.parametrize(
    "listed", [None, 7, [7], {"message": "well"}, [{"id": "1"}], [{"name": 7, "type": "x"}, []]]
)
def test_a_list_of_commands_is_read_or_not_at_all(listed: Any) -> None:
    with pytest.raises(UNREADABLE):
        Registered.read(listed)


def test_an_entry_point_is_kept_as_it_was() -> None:
    launch = {"id": "5", "name": "launch", "type": 4, "handler": 2, "contexts": [0], "integration_types": [0]}
    more = {"version": "6", "application_id": "7", "nsfw": False, "description_localizations": None}
    read = Registered.read([{"id": "1", "name": "play"}, launch | more])
    assert read == Registered(frozenset({"play"}), (launch,))


def test_a_wrong_token_is_no_refusal_of_commands(desk: Desk) -> None:
    with pytest.raises(discord.HTTPException):
        desk.registration.note_refusal("a", error(401, 0, "Unauthorized"))
    assert desk.conditions.present() == {}
