"""The whole rehearsal against the sandbox: all is well there, and every fault turns its own line."""

from __future__ import annotations

import re

import pytest

from bot.gateway.permissions import permissions
from bot.rehearsal.perform import written
from bot.rehearsal.stage import State
from sandbox.validation.components import walk
from tests.kit.person import Person
from tests.kit.samples import some
from tests.rehearsal.faults import (
    FAULTS,
    MESSAGE,
    MESSAGES,
    Fault,
    Json,
    Planted,
    answered,
    asked,
    lists_every_file,
)
from tests.rehearsal.rehearsing import KEYS, PLACE, Doing, by_state, in_vain, theatre

ALONE = {"permissions", "old message", "autocomplete", "rate limits"}
"""Lines whose faults are no single answer or event, or leave another line without what it needs."""


async def test_all_that_we_rely_on_holds_in_the_sandbox() -> None:
    async with theatre() as here:
        done = await here.rehearse()
        report = written(done.results, done.left_over, seconds=1.0, secret=here.sandbox.token)
        assert by_state(done, State.DIFFERS) == {}, report
        assert [*by_state(done, State.OK)] == [*KEYS, "cleaning up"], report
        assert (here.remains(), done.left_over, here.troubles) == ([], [], [])
        assert here.sandbox.violations == []
        _tells_nothing(report, here.sandbox.token, here.alba.name)


def _tells_nothing(report: str, token: str, name: str) -> None:
    assert report.count("\n| ") == len(KEYS) + 2
    assert token not in report
    assert name not in report
    # Ids of people, messages and channels have so many digits; nothing else does.
    assert re.search(r"\d{15}", report) is None
    assert "http" not in report


def test_every_line_has_its_fault() -> None:
    assert FAULTS.keys() | ALONE == {*KEYS}


@pytest.mark.parametrize("half", some([0, 1]))
async def test_every_fault_turns_its_own_line_and_no_other(
    half: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults = {key: FAULTS[key] for key in list(FAULTS)[half::2]}
    planted = Planted(faults)
    planted.plant(monkeypatch)
    instead: dict[str, Doing] = dict.fromkeys(planted.in_vain, in_vain)
    async with theatre(planted) as here:
        done = await here.rehearse(instead=instead)
        found = by_state(done, State.DIFFERS)
        assert found.keys() == faults.keys(), found
        assert here.remains() == []


async def test_missing_permissions_are_named() -> None:
    async with theatre() as here:
        here.sandbox.set_permissions(permissions().value & ~(1 << 15), here.sandbox.channel(PLACE))
        done = await here.rehearse("permissions")
        assert by_state(done, State.DIFFERS) == {"permissions": "missing: attach_files"}


async def test_a_message_that_is_refused_is_noticed() -> None:
    async with theatre() as here:
        here.sandbox.fault("POST /channels/.*/messages", status=403, times=10)
        done = await here.rehearse("old message")
        assert by_state(done, State.DIFFERS) == {"old message": "it was refused: 403, code 0"}


async def _typed_in_full(person: Person, _: Json) -> None:
    await person.command(PLACE, "rehearse", word="lagoon")


async def test_a_command_that_is_not_completed_is_noticed() -> None:
    async with theatre() as here:
        done = await here.rehearse("autocomplete", instead={"command": _typed_in_full})
        assert [*by_state(done, State.DIFFERS)] == ["autocomplete"]


async def test_answers_without_limits_are_noticed() -> None:
    async with theatre() as here:
        here.sandbox.state.limits.enabled = False
        done = await here.rehearse("rate limits")
        assert by_state(done, State.DIFFERS) == {"rate limits": "no answer said so"}


async def test_a_kept_file_is_named_once_whatever_attachments_lists(monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[list[str]] = []
    listing = Fault(
        {
            ("GET", MESSAGE): answered(lists_every_file),
            ("PATCH", MESSAGE): asked(
                lambda body: named.append([str(each["id"]) for each in body["attachments"]])
            ),
        }
    )
    planted = Planted({"attachments": listing, "strip": listing})
    planted.plant(monkeypatch)
    async with theatre(planted) as here:
        done = await here.rehearse("attachments", "strip", press=False)
    assert by_state(done, State.DIFFERS) == {}
    assert "lists 1 of 1 files" in by_state(done, State.OK)["attachments"]
    assert [len(ids) for ids in named] == [1]


async def test_a_message_that_comes_back_otherwise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    planted = Planted({"post": Fault({("POST", MESSAGES): answered(_in_capitals)})})
    planted.plant(monkeypatch)
    async with theatre(planted) as here:
        done = await here.rehearse("post", press=False)
    assert "edited at once" in by_state(done, State.DIFFERS)["post"]


def _in_capitals(message: Json) -> None:
    for item in walk(message["components"]):
        if "content" in item:
            item["content"] = item["content"].upper()
