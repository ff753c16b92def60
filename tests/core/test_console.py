"""The console: every command, and every way to ask wrongly."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engines.core import registry, texts
from engines.core.console import Console
from engines.core.contract import Setup, Step, Words
from engines.core.match import MAX_SENTENCE_CHARS, AnyGame, Match
from engines.core.request import MAX_LINE_BYTES
from engines.core.rng import Rng, commitment
from tests.core.variants import GAME
from tests.kit.odds.engine.game import Odds
from tests.kit.odds.engine.view import State

SEED = "5a" * 32
POSITION = "4c/5/5/5/5/5/C4 0"
"""Of VOLTO: seat 0 has three sentences."""


def console(game: AnyGame = GAME) -> Console:
    packages = {"odds": "tests.kit.odds.engine"}
    games = {"odds": game, "volto": registry.game("volto"), "volt": registry.game("volt")}
    return Console(games, lambda key: texts.load(packages.get(key, f"engines.{key}")), lambda: b"d" * 32)


@pytest.fixture
def table() -> Console:
    return console()


def ask(table: Console, cmd: str, **fields: Any) -> Any:
    """Return the payload under the command's name."""
    answer = json.loads(table.answer(json.dumps({"cmd": cmd, **fields}).encode()))
    assert answer.pop("ok") is True, answer
    return answer[cmd]


def refusal(table: Console, line: bytes | str, kind: str) -> str:
    answer = json.loads(table.answer(line if isinstance(line, bytes) else line.encode()))
    assert answer["ok"] is False
    assert set(answer) == {"ok", "error"}
    assert answer["error"]["kind"] == kind
    text = answer["error"]["text"]
    assert isinstance(text, str)
    assert text
    return text


def refused(table: Console, kind: str, cmd: str, **fields: Any) -> str:
    before = table.answer(b'{"cmd":"state"}')
    text = refusal(table, json.dumps({"cmd": cmd, **fields}), kind)
    assert table.answer(b'{"cmd":"state"}') == before
    return text


def begin(table: Console) -> None:
    ask(table, "new", game="odds", seed=SEED)


def begin_at_a_position(table: Console) -> None:
    assert ask(table, "position", game="volto", text=POSITION) == POSITION


# --- beginning ------------------------------------------------------------------------------------


def test_games_are_the_manifests(table: Console) -> None:
    odds, volto, volt = ask(table, "games")
    assert (odds["key"], odds["title"], odds["ruleset"]) == ("odds", "Odds and Evens", "1")
    assert odds["rulesets"] == ["1"]
    assert odds["seats"] == [2]
    assert odds["seat_labels"] == ["Even", "Odd"]
    assert odds["options"] == [
        {
            "key": "goal",
            "label": "Rounds to win",
            "choices": [
                {"key": "3", "label": "Three", "settles": {}},
                {"key": "5", "label": "Five", "settles": {}},
            ],
            "default": "3",
            "before": None,
        }
    ]
    able = [(game["position"], game["situation"]) for game in (odds, volto, volt)]
    assert able == [(False, False), (True, False), (False, True)]


def test_new_says_how_it_began(table: Console) -> None:
    begun = ask(table, "new", game="odds", seats=2, options={"goal": "5"}, seed=SEED)
    assert begun == {
        "game": "odds",
        "ruleset": "1",
        "seats": 2,
        "options": {"goal": "5"},
        "seed": SEED,
        "commitment": commitment(bytes.fromhex(SEED)),
    }
    setup = Setup("odds", "1", 2, (("goal", "5"),))
    answer = json.loads(table.answer(b'{"cmd":"state"}'))
    assert answer["digest"] == Match.start(GAME, setup, bytes.fromhex(SEED)).digest()


def test_new_draws_a_seed_and_defaults(table: Console) -> None:
    begun = ask(table, "new", game="odds")
    assert begun["seed"] == (b"d" * 32).hex()
    assert (begun["seats"], begun["options"]) == (2, {"goal": "3"})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "'game' is missing"),
        ({"game": "chess"}, "the games: odds, volto, volt"),
        ({"game": 7}, "must be a text"),
        ({"game": "volt", "seats": 5}, "2 or 3 or 4 seats, not 5"),
        ({"game": "odds", "seats": "2"}, "whole number"),
        ({"game": "odds", "seats": True}, "whole number"),
        ({"game": "odds", "seats": 2.0}, "whole number"),
        ({"game": "odds", "options": []}, "must be an object"),
        ({"game": "odds", "options": {"size": "6"}}, "no option 'size'; its options: goal"),
        ({"game": "odds", "options": {"goal": "7"}}, "3 or 5, not '7'"),
        ({"game": "odds", "options": {"goal": 3}}, "must be a text"),
        ({"game": "odds", "ruleset": "0"}, "odds is played by ruleset 1, not '0'"),
        ({"game": "odds", "ruleset": 1}, "'ruleset' must be a text"),
        ({"game": "odds", "seed": "5a"}, "64 hexadecimal digits"),
        ({"game": "odds", "seed": "zz" * 32}, "64 hexadecimal digits"),
        ({"game": "odds", "seed": "5a " * 21 + "5"}, "64 hexadecimal digits"),
        ({"game": "odds", "seed": None}, "must be a text"),
        ({"game": "odds", "sead": SEED}, "no field 'sead'"),
    ],
)
def test_new_says_what_is_wrong(table: Console, fields: dict[str, Any], words: str) -> None:
    begin(table)
    assert words in refused(table, "request", "new", **fields)


def test_position_begins_without_a_log(table: Console) -> None:
    begin_at_a_position(table)
    assert ask(table, "events", seat=None) == []
    assert json.loads(table.answer(b'{"cmd":"state"}'))["position"] == POSITION
    refused(table, "invalid", "position", game="volto", text="4c/5/5/5/5/5/C4 9")


def test_a_refused_position_needs_no_match(table: Console) -> None:
    assert refused(table, "invalid", "position", game="volto", text="")


ROBOTS = [
    {"seat": 0, "side": "N", "pos": "d2", "active": ["turbo"], "mines": 4},
    {"seat": 1, "side": "S", "pos": "h5", "active": ["shield"]},
]


def test_situation_deals_what_it_leaves_out(table: Console) -> None:
    value = {"arena": "B", "target": 5, "seats": ROBOTS}
    begun = ask(table, "situation", game="volt", value=value)
    assert (begun["seats"], begun["seed"]) == (2, "00" * 32)
    zeros = ask(table, "state")
    begun = ask(table, "situation", game="volt", value=value, seats=2, options={"training": "off"}, seed=SEED)
    assert (begun["seats"], begun["seed"]) == (2, SEED)
    assert ask(table, "state") != zeros
    refused(table, "invalid", "situation", game="volt", value={**value, "arena": "Z"})
    refused(table, "request", "situation", game="volt", value=[])


def test_games_without_positions_and_situations_say_so(table: Console) -> None:
    assert "no positions" in refused(table, "request", "position", game="odds", text=POSITION)
    assert "no situations" in refused(table, "request", "situation", game="odds", value={})
    begin(table)
    assert "position" not in json.loads(table.answer(b'{"cmd":"state"}'))


# --- looking --------------------------------------------------------------------------------------


def test_all_but_the_beginnings_need_a_match(table: Console) -> None:
    for cmd in ("waiting", "agree", "outcome", "state"):
        assert "no match yet" in refused(table, "request", cmd)
    for cmd in ("view", "menu", "legal", "withdraw", "lapse", "events"):
        assert "no match yet" in refused(table, "request", cmd, seat=0)


def test_views_are_their_viewers(table: Console) -> None:
    begin(table)
    ask(table, "act", seat=0, words="2")
    assert ask(table, "view", seat=0)["fingers"]["own"] == 2
    assert ask(table, "view", seat=None)["fingers"]["own"] is None
    assert ask(table, "waiting") == ask(table, "waiting", seat=1) == [1]
    assert "'seat' is missing" in refused(table, "request", "view")
    assert "no seat 2" in refused(table, "request", "view", seat=2)
    refused(table, "request", "view", seat=-1)
    refused(table, "request", "menu", seat=None)


def test_menus_are_plain_data(table: Console) -> None:
    begin(table)
    menu = ask(table, "menu", seat=0)
    assert (menu["prompt"], menu["draft"], menu["complete"], menu["sentence"]) == (
        "How many fingers do you show?",
        [],
        False,
        None,
    )
    duty, note = menu["fields"]
    assert [choice["word"] for choice in duty["choices"]] == ["1", "2", "3", "peek"]
    peek = duty["choices"][3]
    assert peek == {
        "word": "peek",
        "label": "How many fingers do you show?",
        "detail": "Show one to three fingers at once: even or odd?",
        "group": None,
        "reveals": True,
        "aside": False,
        "style": "plain",
    }
    assert note["choices"][0]["aside"] is True
    assert ask(table, "menu", seat=0, draft="peek")["reveals"] is True
    numbers = ask(table, "menu", seat=0, draft=["mark"])["fields"][0]
    assert [group["label"] for group in numbers["groups"]] == ["Three", "Five"]
    assert [choice["group"] for choice in numbers["choices"]] == ["few", "few", "many"]
    done = ask(table, "menu", seat=0, draft="mark 3")
    assert (done["complete"], done["closing"], done["sentence"]) == (True, True, "mark 3")
    assert done["reveals"] is False
    refused(table, "invalid", "menu", seat=0, draft=["jump"])
    refused(table, "request", "menu", seat=0, draft=[1])


def test_shuffles_and_normal_forms_are_told(table: Console) -> None:
    ask(table, "new", game="volto", seed=SEED)
    shuffle = ask(table, "menu", seat=0, draft=["setup"])["fields"][0]["shuffle"]
    assert sorted(shuffle) == sorted("NALANCSNLA")
    swapped = ask(table, "menu", seat=0, draft=["setup", "NALANCSNLA", "a1", "b1"])
    assert swapped["draft"] == ["setup", "ANLANCSNLA"]
    refused(table, "unlistable", "legal", seat=0)
    refused(table, "unlistable", "perft", depth=1)


def test_legal_lists_every_sentence(table: Console) -> None:
    begin(table)
    assert ask(table, "legal", seat=0) == ["1", "2", "3", "peek", "mark 1", "mark 2", "mark 3"]
    assert len(ask(table, "legal", seat=0, limit=7)) == 7
    assert "more than 6" in refused(table, "unlistable", "legal", seat=0, limit=6)
    ask(table, "act", seat=0, words="2")
    assert ask(table, "legal", seat=0) == ["mark 1", "mark 2", "mark 3"]


def test_perft_counts_lines_of_play(table: Console) -> None:
    begin(table)
    # A seat shows 1, 2 or 3 fingers or peeks; asides are not counted.
    assert [ask(table, "perft", depth=depth) for depth in (0, 1, 2, 3)] == [1, 4, 16, 64]
    begin_at_a_position(table)
    assert ask(table, "perft", depth=1) == 3
    refused(table, "request", "perft")


# --- playing --------------------------------------------------------------------------------------


def test_act_tells_what_its_seat_learns(table: Console) -> None:
    begin(table)
    done = ask(table, "act", seat=1, words="peek")
    assert done == {
        "batch": 1,
        "events": [{"batch": 1, "kind": "opened", "n": 3, "text": "Who first wins 3 rounds wins."}],
        "waiting": [0, 1],
        "over": False,
    }
    assert ask(table, "events", seat=0) == [
        {"batch": 0, "kind": "opened", "n": 3, "text": "Who first wins 3 rounds wins."},
        {"batch": 1, "kind": "ready", "seat": 1, "text": "Odd is ready."},
    ]
    assert ask(table, "events", seat=0, since=2) == []
    assert ask(table, "events", seat=0, since=99) == []
    assert refused(table, "invalid", "act", seat=1, words="mark") == "Say 1, 2 or 3."
    ask(table, "act", seat=1, words="2")
    assert ask(table, "act", seat=1, words="mark 1")["events"][0]["text"] is None
    refused(table, "invalid", "act", seat=1, words="\ud800")
    refused(table, "request", "act", seat=1, words=5)
    refused(table, "request", "act", seat=1)


def test_a_match_is_played_to_its_outcome(table: Console) -> None:
    begin(table)
    assert ask(table, "outcome") is None
    for over in (False, False, True):
        ask(table, "act", seat=0, words="1")
        assert ask(table, "act", seat=1, words=["1"])["over"] is over
    assert ask(table, "outcome") == {
        "ranks": [[0], [1]],
        "reasons": ["Enough rounds are won."],
        "scores": {"0": 3, "1": 0},
    }
    assert ask(table, "menu", seat=0) is None
    assert ask(table, "legal", seat=0) == []
    assert ask(table, "waiting") == []
    assert ask(table, "perft", depth=1) == 0
    refused(table, "illegal", "act", seat=0, words="1")
    refused(table, "illegal", "withdraw", seat=0)
    refused(table, "illegal", "agree")


def test_leaving_and_agreeing(table: Console) -> None:
    begin(table)
    left = ask(table, "withdraw", seat=0)
    assert left["over"] is True
    assert [event["text"] for event in left["events"]] == ["A player has left."]
    begin(table)
    assert ask(table, "agree")["over"] is True
    assert ask(table, "outcome")["ranks"] == [[0, 1]]


def test_lapse_is_told_and_not_carried_out(table: Console) -> None:
    begin(table)
    words = ask(table, "lapse", seat=0)
    assert words == ask(table, "lapse", seat=0)
    assert words in ("1", "2", "3")
    assert ask(table, "events", seat=None, since=1) == []
    ask(table, "act", seat=0, words=words)
    assert ask(table, "lapse", seat=0) is None


def test_random_plays_for_all_seats(table: Console) -> None:
    begin(table)
    answer = json.loads(table.answer(b'{"cmd":"random","moves":4}'))
    assert len(answer["random"]) == len(answer["seats"]) == 4
    assert set(answer["seats"]) == {0, 1}
    rest = ask(table, "random", moves=1000)
    assert ask(table, "outcome") is not None
    assert ask(table, "random", moves=10) == []

    again = console()
    begin(again)
    for text, seat in zip(answer["random"], answer["seats"], strict=True):
        ask(again, "act", seat=seat, words=text)
    assert ask(again, "random", moves=1000) == rest
    assert ask(again, "state") == ask(table, "state")


# --- bad input ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        b"hello",
        b"{",
        b'{"cmd":"games"} x',
        b"\xff\xfe",
        b'{"cmd":"new","seats":NaN}',
        b'{"cmd":"new","seats":' + b"9" * 5000 + b"}",
        b"[" * 200_000,
    ],
)
def test_what_is_no_json_is_refused(table: Console, line: bytes) -> None:
    refusal(table, line, "json")


@pytest.mark.parametrize(
    "line", ["[]", "null", '"games"', "{}", '{"cmd":1}', '{"cmd":"dance"}', '{"cmd":null}']
)
def test_what_is_no_request_is_refused(table: Console, line: str) -> None:
    refusal(table, line, "request")


def test_an_unknown_command_is_told_the_commands(table: Console) -> None:
    assert "games, new, position" in refused(table, "request", "dance")


class Broken(Odds):
    """A game that fails."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        raise ZeroDivisionError("secret")


def test_a_failing_game_changes_nothing_and_tells_no_secret() -> None:
    table = console(Broken())
    begin(table)
    text = refused(table, "internal", "act", seat=0, words="2")
    assert "secret" not in text
    assert ask(table, "waiting") == [0, 1]


class Unsayable(Odds):
    """A game whose facts cannot be told."""

    def narrate(self, fact: object) -> Any:
        raise KeyError("text")


def test_an_answer_that_cannot_be_given_changes_nothing() -> None:
    table = console(Unsayable())
    begin(table)
    refused(table, "internal", "act", seat=0, words="2")
    assert ask(table, "waiting") == [0, 1]


# --- the process ----------------------------------------------------------------------------------


def run(text: bytes, repository: Path) -> list[dict[str, Any]]:
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(repository)!r});{START}"]
    done = subprocess.run(command, input=text, capture_output=True, env={}, check=True)
    assert done.stderr == b""
    return [json.loads(line) for line in done.stdout.splitlines()]


START = "import runpy; runpy.run_module('engines', run_name='__main__')"


def test_the_process_answers_line_by_line_and_ends_with_its_input(repository: Path) -> None:
    answers = run(b'{"cmd":"games"}\n\n  \nnonsense\n{"cmd":"state"}', repository)
    assert [answer["ok"] for answer in answers] == [True, False, False]
    assert [game["key"] for game in answers[0]["games"]] == list(registry.games())


def test_the_process_flushes_each_answer(repository: Path) -> None:
    command = [sys.executable, "-m", "engines"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=repository) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(b'{"cmd":"games"}\n')
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["ok"] is True
        process.stdin.close()
        assert process.wait(20) == 0


def test_what_is_too_long_is_refused_unread(table: Console) -> None:
    begin(table)
    long = "I:" + "+a-b" * MAX_SENTENCE_CHARS
    most = f"at most {MAX_SENTENCE_CHARS}"
    assert most in refused(table, "request", "act", seat=0, words=long)
    assert most in refused(table, "request", "act", seat=0, words=[long])
    assert most in refused(table, "request", "menu", seat=0, draft=["a"] * MAX_SENTENCE_CHARS)
    assert most in refused(table, "request", "position", game="volto", text=long)
    assert str(MAX_LINE_BYTES) in refusal(table, b" " * (MAX_LINE_BYTES + 1), "json")


def test_the_process_reads_no_line_that_is_too_long(repository: Path) -> None:
    long = b'{"cmd":"' + b"x" * (3 * MAX_LINE_BYTES) + b'"}\n'
    asked = long + b'{"cmd":"games"}\n' + long.rstrip()
    command = [sys.executable, "-m", "engines"]
    done = subprocess.run(command, input=asked, stdout=subprocess.PIPE, cwd=repository, check=True)
    assert [json.loads(line)["ok"] for line in done.stdout.splitlines()] == [False, True, False]


def test_the_process_survives_a_reader_that_is_gone(repository: Path) -> None:
    command = [sys.executable, "-m", "engines"]
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        command,
        input=b'{"cmd":"games"}\n' * 50,
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=repository,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 0
    assert done.stderr == b""


@pytest.mark.parametrize("key", list(registry.games()))
def test_every_game_is_played_through_the_process(key: str, repository: Path) -> None:
    lines = [
        {"cmd": "new", "game": key, "seed": SEED},
        {"cmd": "waiting"},
        {"cmd": "view", "seat": None},
        {"cmd": "menu", "seat": 0},
        {"cmd": "random", "moves": 10_000},
        {"cmd": "outcome"},
        {"cmd": "state"},
        {"cmd": "events", "seat": None},
    ]
    answers = run(b"".join(json.dumps(line).encode() + b"\n" for line in lines), repository)
    assert all(answer["ok"] for answer in answers)
    assert answers[5]["outcome"]["ranks"]
    assert len(answers[6]["digest"]) == 64
    assert all(event["kind"] for event in answers[7]["events"])
