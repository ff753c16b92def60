"""Situations: what one holds, and what is none. docs/notation.md."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engines.core import registry, texts
from engines.core.console import Console
from engines.volt.modules import MODULES

SEATS: list[dict[str, Any]] = [
    {"seat": 0, "side": "N", "pos": "d2", "damage": 1, "score": 3, "active": ["turbo"], "mines": 4},
    {
        "seat": 1,
        "side": "S",
        "pos": "h5",
        "active": ["shield", "mine"],
        "face_up": ["shield"],
        "spare": ["saw"],
    },
    {"seat": 2, "side": "W", "pos": None, "lost": "fall", "damage": 2},
    {"seat": 3, "side": "E", "pos": "i4"},
]


def console() -> Console:
    return Console(registry.games(), lambda key: texts.load(f"engines.{key}"), lambda: bytes(32))


def ask(table: Console, **request: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(table.answer(json.dumps(request).encode()))
    return answer


def load(**value: Any) -> dict[str, Any]:
    given = {"arena": "B", "target": 5, "seats": SEATS, **value}
    table = console()
    answer = ask(table, cmd="situation", game="volt", value=given)
    return ask(table, cmd="view", seat=None) if answer["ok"] else answer


def test_the_table_is_as_large_as_its_seats() -> None:
    table = console()
    answer = ask(table, cmd="situation", game="volt", value={"arena": "B", "seats": SEATS})
    assert answer["situation"]["seats"] == 4
    assert ask(table, cmd="waiting")["waiting"] == [0, 1, 2, 3]


def test_the_view_holds_robots_and_mines() -> None:
    view = load(mines=[{"space": "f5", "seat": 1}], tokens=[2])["view"]
    assert view["robots"] == [
        {"seat": 0, "side": "N", "pos": "d2", "lost": None, "damage": 1, "score": 3},
        {"seat": 1, "side": "S", "pos": "h5", "lost": None, "damage": 0, "score": 0},
        {"seat": 2, "side": "W", "pos": None, "lost": "fall", "damage": 2, "score": 0},
        {"seat": 3, "side": "E", "pos": "i4", "lost": None, "damage": 0, "score": 0},
    ]
    assert view["mines"] == [{"space": "f5", "seat": 1}]
    assert view["tokens"] == [2]
    assert view["phase"] == "program"
    assert view["modules"][1]["listed"] == ["shield"]
    assert [modules["mines"] for modules in view["modules"]] == [4, 3, 4, 4]


def test_the_round_runs_after_one_act_a_seat() -> None:
    table = console()
    ask(table, cmd="situation", game="volt", value={"arena": "B", "seats": SEATS})
    answers = [
        ask(table, cmd="act", seat=seat, words=f"program I:r1N II:r1S III:b1N tile:{seat + 1}")
        for seat in range(4)
    ]
    assert all(answer["ok"] for answer in answers)
    last = answers[-1]["act"]
    assert {"revealed", "die", "skipped", "shot"} <= {event["kind"] for event in last["events"]}
    assert last["waiting"] == [2], "the robot off the board reboots"


def with_seat(**fields: Any) -> dict[str, Any]:
    return {"seats": [{**SEATS[0], **fields}, *SEATS[1:]]}


@pytest.mark.parametrize(
    "value",
    [
        {"arena": "Z"},
        {"arena": None},
        {"target": 0},
        {"target": "5"},
        {"round": 61},
        {"weather": "rain"},
        {"tokens": [7]},
        {"tokens": [1, 1]},
        {"tokens": [1, 2, 3, 4]},
        {"mines": [{"space": "d3", "seat": 0}]},
        {"mines": [{"space": "h5", "seat": 0}]},
        {"mines": [{"space": "b8", "seat": 9}]},
        {"mines": ["b8"]},
        {"mines": [{"space": s, "seat": 1} for s in ("b8", "c8", "d8", "e8", "f8")]},
        {"seats": "all"},
        {"seats": [*SEATS[:3], 4]},
        {"seats": [*SEATS[:3], SEATS[0]]},
        with_seat(side="S"),
        with_seat(side="Q"),
        with_seat(pos="d3"),
        with_seat(pos="a1"),
        with_seat(pos="z9"),
        with_seat(pos="h5"),
        with_seat(damage=3),
        with_seat(score=5),
        with_seat(score=True),
        with_seat(lost="damage"),
        with_seat(active=["turbo", "brakes"]),
        with_seat(active=["turbo", "shield", "mine"]),
        with_seat(active=["warp"]),
        with_seat(active=["turbo", "turbo"]),
        with_seat(spare=["turbo"]),
        with_seat(face_up=["anchor"]),
        with_seat(mines=5),
        with_seat(colour="red"),
    ],
)
def test_what_is_no_situation_is_refused(value: dict[str, Any]) -> None:
    answer = load(**value)
    assert answer["ok"] is False
    assert answer["error"]["kind"] == "invalid"
    assert len(answer["error"]["text"]) > 10


def test_each_design_is_there_twice_only() -> None:
    seats = [{**seat, "active": ["anchor"], "face_up": []} for seat in SEATS[:3]]
    answer = load(seats=seats)
    assert answer["error"]["kind"] == "invalid"
    assert len(MODULES) == 24


def test_a_table_that_volt_does_not_have_is_no_request() -> None:
    answer = load(seats=SEATS[:1])
    assert answer["error"]["kind"] == "request"
