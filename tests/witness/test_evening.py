"""How the journal of a sandbox is read: lines of any kind, cut ones, several runs, kills, leaps."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.kit.witness.journal import Standing, read_journal, recognized
from tests.kit.witness.pressed import Known, presses_of

BEGUN: dict[str, Any] = {"t": "begun", "at": 0.0, "version": 1, "bot": 1}


def connected(at: float, *, resumes: bool = False) -> dict[str, Any]:
    return {"t": "connected", "at": at, "shard": 0, "shards": 1, "resumes": resumes}


def disconnected(at: float, code: int | None) -> dict[str, Any]:
    return {"t": "disconnected", "at": at, "shard": 0, "shards": 1, "code": code}


def written(*lines: dict[str, Any]) -> list[str]:
    return [json.dumps(line) for line in lines]


@pytest.mark.parametrize(
    ("code", "resumes", "kills"), [(None, False, [5.0]), (1000, False, []), (None, True, [])]
)
def test_who_comes_back_anew_after_a_cut_line_was_killed(
    code: int | None, resumes: bool, kills: list[float]
) -> None:
    lines = written(BEGUN, connected(2.0), disconnected(5.0, code), connected(9.0, resumes=resumes))
    found = read_journal(lines)
    assert found.kills == kills
    assert found.outages == [(5.0, 9.0)]
    assert (found.begun_at, found.ended_at) == (2.0, 9.0)


def test_a_run_ends_where_its_bot_has_gone() -> None:
    mark = {"t": "mark", "at": 8.0, "name": "settled"}
    assert read_journal(written(BEGUN, connected(2.0), disconnected(5.0, None), mark)).ended_at == 5.0


def test_a_line_that_was_cut_and_kinds_that_are_not_known_are_left_out() -> None:
    lines = [*written(BEGUN, connected(2.0), {"t": "weather", "at": 4.0}), '{"t": "conn']
    assert read_journal(lines).ended_at == 4.0


def test_of_several_runs_the_last_is_read() -> None:
    lines = written(BEGUN, connected(2.0), disconnected(5.0, None), {**BEGUN, "bot": 7}, connected(30.0))
    found = read_journal(lines)
    assert (found.bot, found.begun_at, found.kills) == (7, 30.0, [])


def test_time_that_leaps_is_known_and_whether_the_bot_could_follow() -> None:
    clock = {"t": "clock", "at": 3_602.0, "seconds": 3_600.0, "told": False}
    found = read_journal(written(BEGUN, connected(1.0), clock))
    assert found.leaps == [(2.0, 3_602.0)]
    assert not found.is_one_time


@pytest.mark.parametrize(
    ("custom_ids", "match", "kind"),
    [
        (("b1:m:turn", "b1:m:rules", "b1:m:log"), "m", "board"),
        (("b1:m:d:3:w:e4",), "m", "panel"),
        (("b1:m:turn", "b1:m:mute:4"), "m", "reminder"),
        (("b1:m:log",), "m", "goodbye"),
        (("b1:m:join", "b1:volo:how"), "m", "table"),
        (("b1:house:dms:1",), "", ""),
        (("l1:volo:first:0:w:e4",), "", ""),
        ((), "", ""),
    ],
)
def test_a_message_is_recognized_by_its_buttons(custom_ids: tuple[str, ...], match: str, kind: str) -> None:
    assert recognized(custom_ids, None) == (match, kind)


def test_a_message_that_has_lost_its_buttons_stays_what_it_was() -> None:
    before = Standing(1, 2, None, True, False, "", ("b1:m:turn",), (), 0.0, 0.0, False, "m", "board")
    assert recognized((), before) == ("m", "board")


@pytest.mark.parametrize(("custom_id", "value"), [("dms:1", True), ("dms:0", False), ("dms", False)])
def test_a_forged_press_is_read_as_the_bot_reads_it(custom_id: str, value: bool) -> None:
    press = {
        "t": "interaction", "at": 2.0, "id": 5, "person": 7, "name": "Anna", "kind": 3, "channel": 9,
        "command": None, "data": {"custom_id": f"b1:house:{custom_id}"}, "message": 3,
    }  # fmt: skip
    journal = read_journal(written(BEGUN, connected(1.0), press))
    [found] = presses_of(journal, Known({}, {}, {}, {}, {}, {})).presses
    assert (found.act, found.given["value"]) == ("direct messages", value)
