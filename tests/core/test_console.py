"""The console, with the toy game: every command, and every way to ask wrongly."""

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
from engines.core.match import Match
from engines.core.rng import Rng, commitment
from tests.core.toy import GAME
from tests.core.toy.game import Toy
from tests.core.toy.state import State

SEED = "5a" * 32


def console(game: Toy = GAME) -> Console:
    return Console({"toy": game}, lambda key: texts.load(f"tests.core.{key}"), lambda: b"d" * 32)


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
    before = None if table._match is None else table._match.digest()
    text = refusal(table, json.dumps({"cmd": cmd, **fields}), kind)
    assert before == (None if table._match is None else table._match.digest())
    return text


def begin(table: Console) -> None:
    """Begin at a position in which two seats guess a number up to 6, which is 4."""
    assert ask(table, "position", game="toy", text="2 6 4") == "2 6 4"


# --- beginning ------------------------------------------------------------------------------------


def test_games_are_the_manifests(table: Console) -> None:
    (game,) = ask(table, "games")
    assert game["key"] == "toy"
    assert game["seats"] == [2, 3]
    assert game["seat_labels"] == ["Red", "Green", "Blue"]
    assert game["options"] == [
        {
            "key": "top",
            "label": "Highest number",
            "choices": [{"key": "6", "label": "Six"}, {"key": "30", "label": "Thirty"}],
            "default": "6",
        }
    ]
    assert game["position"] is game["situation"] is True


def test_new_says_how_it_began(table: Console) -> None:
    begun = ask(table, "new", game="toy", seats=3, options={"top": "30"}, seed=SEED)
    assert begun == {
        "game": "toy",
        "ruleset": "1",
        "seats": 3,
        "options": {"top": "30"},
        "seed": SEED,
        "commitment": commitment(bytes.fromhex(SEED)),
    }
    setup = Setup("toy", "1", 3, (("top", "30"),))
    answer = json.loads(table.answer(b'{"cmd":"state"}'))
    assert answer["digest"] == Match.start(GAME, setup, bytes.fromhex(SEED)).digest()


def test_new_draws_a_seed_and_defaults(table: Console) -> None:
    begun = ask(table, "new", game="toy")
    assert begun["seed"] == (b"d" * 32).hex()
    assert (begun["seats"], begun["options"]) == (2, {"top": "6"})


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "'game' is missing"),
        ({"game": "chess"}, "the games: toy"),
        ({"game": 7}, "must be a text"),
        ({"game": "toy", "seats": 4}, "2 or 3 seats, not 4"),
        ({"game": "toy", "seats": "2"}, "whole number"),
        ({"game": "toy", "seats": True}, "whole number"),
        ({"game": "toy", "seats": 2.0}, "whole number"),
        ({"game": "toy", "options": []}, "must be an object"),
        ({"game": "toy", "options": {"size": "6"}}, "no option 'size'; its options: top"),
        ({"game": "toy", "options": {"top": "7"}}, "6 or 30, not '7'"),
        ({"game": "toy", "options": {"top": 6}}, "must be a text"),
        ({"game": "toy", "seed": "5a"}, "64 hexadecimal digits"),
        ({"game": "toy", "seed": "zz" * 32}, "64 hexadecimal digits"),
        ({"game": "toy", "seed": "5a " * 21 + "5"}, "64 hexadecimal digits"),
        ({"game": "toy", "seed": None}, "must be a text"),
        ({"game": "toy", "sead": SEED}, "no field 'sead'"),
    ],
)
def test_new_says_what_is_wrong(table: Console, fields: dict[str, Any], words: str) -> None:
    begin(table)
    assert words in refused(table, "request", "new", **fields)


def test_position_begins_without_a_log(table: Console) -> None:
    begin(table)
    assert ask(table, "events", seat=None) == []
    answer = json.loads(table.answer(b'{"cmd":"state"}'))
    assert answer["position"] == "2 6 4"
    assert answer["state"]["hidden"] == 4
    assert "position" in refused(table, "invalid", "position", game="toy", text="2 6 9")


def test_a_refused_position_needs_no_match(table: Console) -> None:
    assert refused(table, "invalid", "position", game="toy", text="") == "That is no position."


def test_situation_deals_what_it_leaves_out(table: Console) -> None:
    ask(table, "situation", game="toy", value={"hidden": 5})
    assert ask(table, "state")["hidden"] == 5
    begun = ask(table, "situation", game="toy", value={}, seats=3, options={"top": "30"}, seed=SEED)
    assert (begun["seats"], begun["seed"]) == (3, SEED)
    dealt = ask(table, "state")["hidden"]
    assert dealt == Rng.of_match(bytes.fromhex(SEED)).stream("hidden").below(30) + 1
    refused(table, "invalid", "situation", game="toy", value={"hidden": 31})
    refused(table, "request", "situation", game="toy", value=[])


class Plainer(Toy):
    """The toy without positions and situations."""

    def __getattribute__(self, name: str) -> Any:
        if name in ("position", "situation"):
            raise AttributeError(name)
        return super().__getattribute__(name)


def test_games_without_positions_and_situations_say_so() -> None:
    table = console(Plainer())
    assert "no positions" in refused(table, "request", "position", game="toy", text="2 6 4")
    assert "no situations" in refused(table, "request", "situation", game="toy", value={})
    ask(table, "new", game="toy")
    assert "position" not in json.loads(table.answer(b'{"cmd":"state"}'))


# --- looking --------------------------------------------------------------------------------------


def test_all_but_the_beginnings_need_a_match(table: Console) -> None:
    for cmd in ("waiting", "agree", "outcome", "state"):
        assert "no match yet" in refused(table, "request", cmd)
    for cmd in ("view", "menu", "legal", "withdraw", "lapse", "events"):
        assert "no match yet" in refused(table, "request", cmd, seat=0)


def test_views_are_their_viewers(table: Console) -> None:
    begin(table)
    ask(table, "act", seat=0, words="guess 2")
    assert ask(table, "view", seat=0)["own"]["guess"] == 2
    assert ask(table, "view", seat=None)["own"] is None
    assert ask(table, "waiting") == ask(table, "waiting", seat=1) == [1]
    assert "'seat' is missing" in refused(table, "request", "view")
    assert "no seat 2" in refused(table, "request", "view", seat=2)
    refused(table, "request", "view", seat=-1)
    refused(table, "request", "menu", seat=None)


def test_menus_are_plain_data(table: Console) -> None:
    begin(table)
    menu = ask(table, "menu", seat=0)
    assert (menu["prompt"], menu["draft"], menu["complete"], menu["sentence"]) == (
        "What do you do?",
        [],
        False,
        None,
    )
    duty, note = menu["fields"]
    assert [choice["word"] for choice in duty["choices"]] == ["guess", "peek"]
    peek = duty["choices"][1]
    assert peek == {
        "word": "peek",
        "label": "Peek",
        "detail": "Learn whether the number is odd",
        "group": None,
        "reveals": True,
        "aside": False,
        "style": "plain",
    }
    assert note["choices"][0]["aside"] is True
    numbers = ask(table, "menu", seat=0, draft=["guess"])["fields"][0]
    assert [group["label"] for group in numbers["groups"]] == ["Low", "High"]
    assert {choice["group"] for choice in numbers["choices"]} == {"low", "high"}
    done = ask(table, "menu", seat=0, draft="guess 3")
    assert (done["complete"], done["closing"], done["sentence"]) == (True, True, "guess 3")
    refused(table, "illegal", "menu", seat=0, draft=["guess", "7"])
    refused(table, "invalid", "menu", seat=0, draft=["jump"])
    refused(table, "request", "menu", seat=0, draft=[1])


def test_shuffles_and_normal_forms_are_told(table: Console) -> None:
    ask(table, "new", game="toy", seed=SEED)
    assert ask(table, "menu", seat=0, draft=["order"])["fields"][0]["shuffle"] == ["a", "b", "c"]
    assert ask(table, "menu", seat=0, draft=["order", "abc", "a/c"])["draft"] == ["order", "cba"]
    assert "too many" in refused(table, "unlistable", "legal", seat=0)
    assert "too many" in refused(table, "unlistable", "perft", depth=1)


def test_legal_lists_every_sentence(table: Console) -> None:
    begin(table)
    listed = ask(table, "legal", seat=0)
    assert sorted(listed) == sorted(
        ["peek", *(f"{verb} {number}" for verb in ("guess", "mark") for number in range(1, 7))]
    )
    assert len(ask(table, "legal", seat=0, limit=13)) == 13
    assert "more than 12" in refused(table, "unlistable", "legal", seat=0, limit=12)
    ask(table, "act", seat=0, words="guess 2")
    assert ask(table, "legal", seat=0) == [f"mark {number}" for number in range(1, 7)]


def test_perft_counts_lines_of_play(table: Console) -> None:
    begin(table)
    # Seat 0 guesses (6) or peeks; asides are not counted.
    assert ask(table, "perft", depth=0) == 1
    assert ask(table, "perft", depth=1) == 7
    # After a guess seat 1 has 7 sentences; after a peek seat 0 has its 6 guesses.
    assert ask(table, "perft", depth=2) == 6 * 7 + 6
    # Both have guessed: 25 pairs miss the number and go on with 7; a peek of seat 1 leaves 6 guesses;
    # after seat 0's peek and guess, seat 1 has 7.
    assert ask(table, "perft", depth=3) == 25 * 7 + 6 * 6 + 6 * 7
    refused(table, "request", "perft")


# --- playing --------------------------------------------------------------------------------------


def test_act_tells_what_its_seat_learns(table: Console) -> None:
    begin(table)
    done = ask(table, "act", seat=1, words="peek")
    assert done == {
        "batch": 1,
        "events": [{"batch": 1, "kind": "parity", "odd": 0, "text": "Odd: 0."}],
        "waiting": [0, 1],
        "over": False,
    }
    assert ask(table, "events", seat=0) == [
        {"batch": 1, "kind": "peeked", "seat": 1, "text": "Green peeked."}
    ]
    assert ask(table, "events", seat=0, since=2) == []
    assert ask(table, "events", seat=0, since=99) == []
    assert refused(table, "illegal", "act", seat=1, words="peek") == "You have peeked already."
    assert refused(table, "invalid", "act", seat=1, words="guess") == "That sentence is not finished."
    refused(table, "invalid", "act", seat=1, words="\ud800")
    refused(table, "request", "act", seat=1, words=5)
    refused(table, "request", "act", seat=1)


def test_a_match_is_played_to_its_outcome(table: Console) -> None:
    begin(table)
    assert ask(table, "outcome") is None
    ask(table, "act", seat=0, words="guess 4")
    assert ask(table, "act", seat=1, words=["guess", "1"])["over"] is True
    assert ask(table, "outcome") == {
        "ranks": [[0], [1]],
        "reasons": ["The number was found."],
        "scores": {"0": 1, "1": 0},
    }
    assert ask(table, "menu", seat=0) is None
    assert ask(table, "legal", seat=0) == []
    assert ask(table, "waiting") == []
    assert ask(table, "perft", depth=1) == 0
    refused(table, "illegal", "act", seat=0, words="guess 4")
    refused(table, "illegal", "withdraw", seat=0)
    refused(table, "illegal", "agree")


def test_leaving_and_agreeing(table: Console) -> None:
    begin(table)
    left = ask(table, "withdraw", seat=0)
    assert left["over"] is True
    assert [event["text"] for event in left["events"]] == ["Red left.", "Only one is left."]
    begin(table)
    assert ask(table, "agree")["over"] is True
    assert ask(table, "outcome")["ranks"] == [[0, 1]]


def test_lapse_is_told_and_not_carried_out(table: Console) -> None:
    ask(table, "new", game="toy", seed=SEED)
    assert ask(table, "lapse", seat=0) is None
    begin(table)
    words = ask(table, "lapse", seat=0)
    assert words == ask(table, "lapse", seat=0)
    assert words.startswith("guess ")
    assert ask(table, "events", seat=None) == []
    ask(table, "act", seat=0, words=words)


def test_random_plays_for_all_seats(table: Console) -> None:
    ask(table, "new", game="toy", seats=3, seed=SEED)
    answer = json.loads(table.answer(b'{"cmd":"random","moves":4}'))
    assert len(answer["random"]) == len(answer["seats"]) == 4
    assert answer["seats"][:3] == [0, 1, 2]
    rest = ask(table, "random", moves=1000)
    assert ask(table, "outcome") is not None
    assert ask(table, "random", moves=10) == []

    again = console()
    ask(again, "new", game="toy", seats=3, seed=SEED)
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


class Broken(Toy):
    """A game that fails after it has carried out a guess."""

    def act(self, state: State, seat: int, words: Words, rng: Rng) -> Step[State]:
        raise ZeroDivisionError("secret")


def test_a_failing_game_changes_nothing_and_tells_no_secret() -> None:
    table = console(Broken())
    begin(table)
    text = refused(table, "internal", "act", seat=0, words="guess 2")
    assert "secret" not in text
    assert ask(table, "waiting") == [0, 1]


class Unsayable(Toy):
    """A game whose facts cannot be told."""

    def narrate(self, fact: object) -> Any:
        raise KeyError("text")


def test_an_answer_that_cannot_be_given_changes_nothing() -> None:
    table = console(Unsayable())
    begin(table)
    refused(table, "internal", "act", seat=0, words="guess 2")
    assert ask(table, "waiting") == [0, 1]


# --- the process ----------------------------------------------------------------------------------


def run(text: bytes, repository: Path) -> list[dict[str, Any]]:
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(repository)!r});{START}"]
    done = subprocess.run(command, input=text, capture_output=True, env={}, check=True, timeout=60)
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
