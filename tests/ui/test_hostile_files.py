"""Files that somebody hands to the house: whatever stands in them, they are refused soon, and in one line."""

from __future__ import annotations

import io
import json
from random import Random
from typing import Any

import pytest

from bot.domain import replay_file
from bot.domain.replay_file import ReplayError, parsed, public_views, replayed
from engines.core.match import MAX_SENTENCE_CHARS
from tests.kit.replays import replay_of
from tests.kit.steps import TooManyStepsError, at_most
from tests.ui.positions import KEYS, PAINTED
from tests.ui.test_replays import finished

STEPS = 400_000
"""Calls that a hostile file may take beyond those of the match in it."""

ROUNDS = 60


def hostile(rng: Random) -> Any:
    """Return something that no replay holds, small or large."""
    size = rng.choice((1, 100, 5_000))
    deep: Any = 0
    for _ in range(300):
        deep = [deep]
    return rng.choice(
        (
            None,
            True,
            -1,
            10 ** (size % 4_000),
            1.5,
            "",
            "I:" + "+a-b" * size,
            "a1" * size,
            "setup " + "N" * size,
            "\0\u202e\ud800" * size,
            [],
            [0] * size,
            [{"kind": "act", "seat": 0, "sentence": "x" * 40, "digest": "0" * 64}] * size,
            {},
            {f"k{n}": n for n in range(size)},
            deep,
        )
    )


def spoilt(replay: Any, rng: Random) -> Any:
    """Return a replay with one part, somewhere, exchanged for something hostile."""
    data = json.loads(json.dumps(replay))
    part: Any = data
    while True:
        keys = list(part) if isinstance(part, dict) else list(range(len(part)))
        key = rng.choice(keys)
        inner = part[key]
        if isinstance(inner, (dict, list)) and inner and rng.random() < 0.6:
            part = inner
            continue
        part[key] = hostile(rng)
        return data


@pytest.mark.parametrize("key", KEYS)
def test_a_hostile_replay_takes_no_more_than_a_true_one(key: str) -> None:
    replay, rng = replay_of(finished(key)), Random(f"hostile {key}")
    with at_most(1 << 30) as own:
        public_views(replayed(replay))
    refusals: list[str] = []
    for _ in range(ROUNDS if key in PAINTED else 10):
        data = json.dumps(spoilt(replay, rng)).encode()
        with at_most(own.taken + STEPS):
            try:
                public_views(replayed(parsed(data)))
            except ReplayError as error:
                refusals.append(str(error))
    assert all(len(refusal) < 300 and refusal.isprintable() for refusal in refusals)
    # What only names somebody, such as a seat's label, may be anything.
    assert len(refusals) > 3


def test_the_limits_are_said() -> None:
    replay = replay_of(finished(PAINTED[0]))
    row = replay["log"][0]
    long = {**replay, "log": [{**row, "sentence": "I:" + "+a-b" * (7 << 18)}]}
    with pytest.raises(ReplayError, match="larger than 4 MiB"):
        parsed(json.dumps(long).encode())
    for sentence in ("I:" + "+a-b" * MAX_SENTENCE_CHARS, 3, ["a1"]):
        with pytest.raises(ReplayError, match="row 1 is not a row"):
            replayed({**replay, "log": [{**row, "sentence": sentence}]})
    rows = [row] * (replay_file.ROWS_LIMIT + 1)
    with at_most(5_000), pytest.raises(ReplayError, match="more than 10000 rows"):
        replayed({**replay, "log": rows})


def test_no_moment_of_a_replay_holds_those_before_it() -> None:
    moments = replayed(replay_of(finished(PAINTED[0])))
    assert len(moments) > 5
    assert all(moment.log == () for moment in moments)


def test_steps_are_counted() -> None:
    with at_most(50) as steps:
        io.StringIO("few")
    assert 1 <= steps.taken < 10
    with pytest.raises(TooManyStepsError), at_most(50):
        json.dumps([[[number]] for number in range(100)], indent=1)
