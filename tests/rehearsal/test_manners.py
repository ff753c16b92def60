"""How a rehearsal behaves: towards who presses, towards strangers, and when it ends before its time."""

from __future__ import annotations

import asyncio

import pytest

from bot.config import StartError
from bot.gateway.permissions import permissions
from bot.rehearsal.cleaning import THREAD
from bot.rehearsal.desk import NOTHING_ARRIVED
from bot.rehearsal.stage import State
from sandbox import commands
from tests.kit.person import Person
from tests.kit.reading import text_of
from tests.kit.waiting import eventually
from tests.rehearsal.rehearsing import PLACE, SKIP, Json, by_state, saying, theatre
from tests.rehearsal.rehearsing import VAIN as NOTHING_HAPPENS

PRESSED = ("operator", "select", "modal", "click in thread", "command", "direct message")


async def test_what_is_skipped_or_said_to_fail_is_told_so() -> None:
    async with theatre() as here:
        instead = {"select": saying(SKIP), "modal": saying(NOTHING_HAPPENS)}
        done = await here.rehearse("select", "modal", instead=instead)
        assert by_state(done, State.SKIPPED) == {"select": "skipped by the operator"}
        assert by_state(done, State.DIFFERS) == {"modal": NOTHING_ARRIVED}


async def test_where_nobody_comes_nothing_more_is_asked() -> None:
    async with theatre() as here:
        done = await here.rehearse(*PRESSED, instead={"operator": _nothing}, patience=0.05)
        skipped = by_state(done, State.SKIPPED)
        assert skipped.pop("operator").startswith("nobody did it within")
        assert skipped.keys() == {*PRESSED} - {"operator"}
        assert by_state(done, State.DIFFERS) == {}
        # One question, and no more of them.
        assert sum(": Press" in told or ": Choose" in told for told in here.told) == 1


async def _nothing(_: Person, __: Json) -> None:
    """Leave it."""


async def test_without_presses_nobody_is_asked() -> None:
    async with theatre() as here:
        done = await here.rehearse("thread", *PRESSED, press=False)
        assert set(by_state(done, State.SKIPPED).values()) == {"left out by --no-press"}
        assert [*by_state(done, State.OK)] == ["thread", "commands", "cleaning up"]


async def test_a_stranger_is_asked_to_leave_it_to_the_operator() -> None:
    async with theatre() as here, await Person.connect(here.sandbox.entrance, "Bruno") as bruno:

        async def after_bruno(alba: Person, message: Json) -> None:
            answer = await bruno.select(message, "Choose an island", "Murano")
            assert "Somebody else rehearses" in text_of(answer.message or {})
            await alba.select(message, "Choose an island", "Burano")

        done = await here.rehearse("select", instead={"select": after_bruno})
        assert by_state(done, State.OK).keys() == {"operator", "select", "cleaning up"}
        assert here.troubles == []


async def test_closed_direct_messages_are_skipped_with_a_word() -> None:
    async with theatre() as here:
        here.sandbox.set_dms("Alba", is_open=False)
        done = await here.rehearse("click in direct message")
        skipped = by_state(done, State.SKIPPED)
        assert skipped["direct message"] == "their direct messages are closed to us"
        assert skipped["click in direct message"] == "there are no direct messages"
        assert by_state(done, State.DIFFERS) == {}


async def test_commands_of_a_server_that_are_not_ours_are_left_alone() -> None:
    async with theatre() as here:
        state = here.sandbox.state
        commands.overwrite(
            state, state.records.guild.id, [{"name": "other", "description": "Of another use"}]
        )
        done = await here.rehearse("commands")
        assert "left alone" in by_state(done, State.SKIPPED)["commands"]
        assert here.remains() == ["other"]


async def test_a_thread_that_cannot_be_deleted_is_archived_and_told() -> None:
    async with theatre() as here:
        here.sandbox.set_permissions(permissions().value)
        done = await here.rehearse("thread", press=False)
        assert by_state(done, State.DIFFERS) == {}
        assert done.left_over == [THREAD]
        [thread] = here.sandbox.records.threads()
        assert thread.thread is not None
        assert thread.thread.archived


async def test_what_cannot_be_deleted_is_listed() -> None:
    async with theatre() as here:
        here.sandbox.fault("DELETE /channels/.*/messages/", times=99, status=403)
        here.sandbox.fault("PUT /applications/.*/guilds/", times=1, status=403)
        done = await here.rehearse("post", "nonce", press=False)
        assert [*by_state(done, State.DIFFERS)] == ["cleaning up"]
        assert len(done.left_over) == 3


async def test_cleaning_waits_for_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    async with theatre() as here:
        loop, ahead = asyncio.get_running_loop(), 0.0
        clock = loop.time
        monkeypatch.setattr(loop, "time", lambda: clock() + ahead)

        async def passing(seconds: float) -> None:
            # A route's limit is waited for by the loop's clock.
            nonlocal ahead
            ahead += seconds

        # Longer than discord.py is told to wait.
        here.sandbox.fault("DELETE /channels/.*/messages/", times=1, status=429, retry_after=40.0)
        done = await here.rehearse("nonce", press=False, sleep=passing)
        assert ahead >= 40.0
        assert by_state(done, State.DIFFERS) == {}
        assert here.remains() == []


async def test_a_message_that_nobody_noted_is_deleted_too() -> None:
    async with theatre() as here:

        async def losing(seconds: float) -> None:
            # From the roll call on: what is sent arrives, and its answer is lost every time.
            here.sandbox.fault("POST /channels/.*/messages$", times=9, drop=True, after=True)

        done = await here.rehearse("history", press=False, sleep=losing)
        assert by_state(done, State.DIFFERS).keys() == {"history"}
        assert here.remains() == []


async def test_an_interrupted_rehearsal_cleans_up() -> None:
    async with theatre() as here:
        rehearsing = asyncio.create_task(here.rehearse("command", instead={"command": _nothing}))
        await eventually(lambda: any(told.startswith("command: ") for told in here.told))
        assert here.remains() != []
        rehearsing.cancel()
        done = await rehearsing
        assert done.interrupted
        assert here.remains() == []
        assert by_state(done, State.OK).keys() == {"commands", "operator", "cleaning up"}


async def test_an_interrupted_cleaning_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    async with theatre() as here:
        here.sandbox.fault("DELETE /channels/.*", slow=3_600.0)
        rehearsing = asyncio.create_task(here.rehearse("nonce", press=False))
        await eventually(lambda: "cleaning up" in here.told)
        rehearsing.cancel()
        done = await rehearsing
        assert by_state(done, State.DIFFERS) == {"cleaning up": "it was interrupted"}
        assert done.left_over


async def test_a_line_that_fails_otherwise_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async with theatre() as here:
        monkeypatch.setattr("bot.rehearsal.acts.messages.pictures", lambda _: 1 / 0)
        done = await here.rehearse("post", "nonce", press=False)
        assert by_state(done, State.DIFFERS) == {"post": "it failed: ZeroDivisionError"}
        assert by_state(done, State.OK).keys() == {"nonce", "cleaning up"}


async def test_somebody_who_answers_first_is_noticed() -> None:
    async with theatre() as here:

        async def answered_elsewhere(alba: Person, message: Json) -> None:
            interactions = here.sandbox.records.interactions
            known = set(interactions)
            await alba.press(message, "I am here", wait=False)
            for number in interactions.keys() - known:
                interactions[number].answer = 6

        done = await here.rehearse("operator", instead={"operator": answered_elsewhere})
        assert "another process serves" in by_state(done, State.DIFFERS)["operator"]


async def test_a_channel_that_is_none_for_it_is_refused() -> None:
    async with theatre() as here:
        here.sandbox.set_permissions(0, here.sandbox.channel(PLACE))
        with pytest.raises(StartError, match="does not see this channel"):
            await here.rehearse("post")
        assert here.remains() == []
