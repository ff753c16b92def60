"""The load bench's own verdict, and what its figures and those of whole matches stand on: Discord's limits.

A crowd that hardly plays is no evidence, however quick its clicks are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from bench.load import SAID, Bot, report
from bench.matches import MIB
from bench.traffic import CHANNELS, SERVERS, Traffic, Waits, spread
from bot.domain.shards import Shards
from sandbox.server import Sandbox
from sandbox.state import Request
from tests.e2e.sharded import ShardedStage
from tests.e2e.stage import Stage


class _Crowd:
    acknowledged = [0.01] * 100
    shown = [0.02] * 100
    failed = withheld = confirmed = 0


@pytest.mark.parametrize(("said", "kept"), [(round(SAID), True), (round(SAID) - 1, False), (99, False)])
def test_a_crowd_that_says_too_little_fails(
    said: int, kept: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = Bot(cast("Any", None), Path(), Path(), sizes=[MIB, MIB], worked=[0.0, 1.0], painted=[0.0, 1.0])
    others = {"volo": 0 if said == 99 else 1}
    assert (
        report(cast("Any", _Crowd()), bot, Waits(Path(), frozenset()), {"volto": said - 1} | others) is kept
    )
    assert ("MISSED" in capsys.readouterr().out) is not kept


WITHOUT_LIMITS = {
    "tests/rehearsal/test_rehearsal.py": "that answers without limits are noticed",
    "tests/sandbox/test_faults.py": "the limits themselves",
    "tests/sandbox/test_fuzz.py": "hundreds of requests, each of which must be read rather than refused",
    "tests/sandbox/test_messages.py": "many messages in one channel, of which Discord's pages are asked",
    "tests/sandbox/test_permissions.py": "every route with every permission, in one channel",
    "tests/ui/surfaces/test_rate_limits.py": "that a client gets on with answers without limits",
}
"""The files in which a sandbox has no rate limits, and for what."""


def without_limits(file: Path) -> Iterator[int]:
    """Yield the lines in which limits are switched off, or left to a variable."""
    text = file.read_text("utf-8")
    if not {"rate_limits", "enabled"} & set(re.findall(r"\w+", text)):
        return  # to parse all files would take seconds
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.keyword(arg="rate_limits", value=value):
                if not (isinstance(value, ast.Constant) and value.value is True):
                    yield value.lineno
            case ast.Assign(targets=[ast.Attribute(attr="enabled", value=ast.Attribute(attr="limits"))]):
                yield node.lineno
            case ast.Assign(targets=[ast.Attribute(attr="enabled", value=ast.Name(id="limits"))]):
                yield node.lineno


def test_benches_and_matches_have_discords_limits(repository: Path, tmp_path: Path) -> None:
    files = [file for folder in ("bench", "tests") for file in (repository / folder).rglob("*.py")]
    found = {str(file.relative_to(repository)) for file in files if any(without_limits(file))}
    assert found == set(WITHOUT_LIMITS)
    assert Stage(tmp_path).sandbox.state.limits.enabled
    assert ShardedStage(tmp_path, tmp_path / "bauta.db", (Shards(0, 0, 1),)).sandbox.state.limits.enabled


def test_switching_them_off_is_seen(tmp_path: Path) -> None:
    for text in ("Sandbox(rate_limits=False)", "x.state.limits.enabled = False", "Stage(rate_limits=it)"):
        (tmp_path / "planted.py").write_text(text)
        assert [*without_limits(tmp_path / "planted.py")] == [1]


def test_matches_are_spread_over_servers_and_people() -> None:
    sandbox = Sandbox(page=False)
    people = [sandbox.records.add_person(f"Person {number}").user for number in range(120)]
    places = spread(sandbox, people)
    assert len({place.guild_id for place, _ in places}) == SERVERS
    assert len({place.channel_id for place, _ in places}) == len(places) == SERVERS * CHANNELS
    assert {here[0].id for _, here in places} == {user.id for user in people[::2]}
    assert all(len({user.id for user in here}) == len(people) for _, here in places)


def test_what_answers_clicks_is_not_owed() -> None:
    traffic = Traffic(Sandbox(page=False))
    traffic.begin()
    for at, path, status in (
        (-1.0, "/channels/1/messages", 200),
        (1.0, "/channels/1/messages", 200),
        (2.0, "/channels/1/messages", 429),
        (3.0, "/webhooks/1/…/messages/@original", 429),
        (4.0, "/interactions/1/…/callback", 204),
    ):
        traffic.sandbox.state.requests.append(Request(traffic.begun + at, "POST", path, status))
    assert (len(traffic.seen()), traffic.done(), traffic.refused()) == (2, 1, 2)


@pytest.mark.parametrize(("failed", "kept"), [(0, True), (1, False)])
def test_an_overloaded_house_may_be_late_and_must_answer(failed: int, kept: bool) -> None:
    crowd = _Crowd()
    crowd.failed, crowd.acknowledged = failed, [2.5] * 100
    bot = Bot(cast("Any", None), Path(), Path(), sizes=[MIB, MIB], worked=[0.0, 1.0], painted=[0.0, 1.0])
    waits = Waits(Path(), frozenset(), most=400)
    assert report(cast("Any", crowd), bot, waits, {"volo": 99}, overload=True) is kept
    assert report(cast("Any", crowd), bot, waits, {"volo": 99}) is False
