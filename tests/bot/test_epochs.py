"""A new board is posted where the turn passes to somebody new, or the match ends; until then it is edited."""

from __future__ import annotations

import itertools
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

import pytest

from bot.domain.jobs import Shown
from bot.domain.match import RowKind
from bot.domain.tables import Status
from bot.matches.handovers import PublicSnapshot
from bot.matches.match_log import MatchLog
from engines.core.contract import Outcome, Seat
from engines.core.match import AnyGame
from engines.core.registry import game, games
from engines.core.setups import complete
from tests.bot.conftest import PEOPLE, Room

ENDED = Outcome(((0,), (1,)), ())


class Circle:
    """A game whose view says who is asked; ``None``: it is over."""

    def waiting(self, view: frozenset[Seat] | None) -> frozenset[Seat]:
        return view or frozenset()

    def outcome(self, view: frozenset[Seat] | None) -> Outcome | None:
        return ENDED if view is None else None


CIRCLE = cast("AnyGame", Circle())


@dataclass(frozen=True)
class Story:
    """Who is asked, step by step, with ``.`` for the end; and the versions with which boards are posted."""

    name: str
    people: str
    steps: str
    posted: list[int]

    def epochs(self) -> list[int]:
        people = frozenset(map(int, self.people))
        first, *others = [None if step == "." else frozenset(map(int, step)) for step in self.steps.split()]
        public = PublicSnapshot.first(first, CIRCLE)
        found = [public.epoch]
        for view in others:
            public = public.then(view, CIRCLE, people)
            found.append(public.epoch)
        return found


STORIES = [
    Story("turn by turn", "01", "0 1 0 1", [1, 2, 3, 4]),
    Story("a turn of several steps", "01", "0 0 0 0 1 1 0", [1, 5, 7]),
    Story("all at once, round after round", "012", "012 12 2 012 01 1 012", [1, 4, 7]),
    Story("somebody is asked alone after a round", "01", "01 1 0 01", [1, 3, 4]),
    Story("who is done last goes on alone", "01", "01 1 1 01", [1, 4]),
    Story("one more is asked", "012", "0 01 012", [1, 2, 3]),
    Story("somebody leaves the circle for good", "012", "012 01 1", [1]),
    Story("a computer answers", "0", "0 1 1 0 1 0", [1, 4, 6]),
    Story("two computers between two people", "02", "0 1 2 3 0", [1, 3, 5]),
    Story("one person and a computer, at once", "0", "01 0 01 1 01", [1, 3, 5]),
    Story("a computer joins somebody's turn", "0", "0 01 0 01", [1, 4]),
    Story("computers alone", "", "0 1 01 0 .", [1, 5]),
    Story("the end", "01", "0 0 .", [1, 3]),
    Story("after the end", "01", "0 . .", [1, 2]),
]


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)
def test_when_a_board_is_posted(story: Story) -> None:
    epochs = story.epochs()
    assert sorted(set(epochs)) == story.posted
    assert epochs == sorted(epochs), "an epoch's number never goes back"
    # Each begins with the version whose number it bears.
    assert all(epochs[number - 1] == number for number in story.posted)


@pytest.mark.parametrize(
    ("steps", "turns"),
    [
        ("0 1 0 1", [1, 2, 3, 4]),
        ("0 0 0 1 1 0", [1, 1, 1, 2, 2, 3]),
        ("012 12 2 012 01 1 012", [1, 1, 1, 2, 2, 2, 3]),
        ("0 0 . .", [1, 1, 2, 2]),
    ],
)
@pytest.mark.parametrize("people", ["", "0", "012"])
def test_turns_are_counted_whoever_plays_them(steps: str, turns: list[int], people: str) -> None:
    first, *others = [None if step == "." else frozenset(map(int, step)) for step in steps.split()]
    public = PublicSnapshot.first(first, CIRCLE)
    found = [public.turn]
    for view in others:
        public = public.then(view, CIRCLE, frozenset(map(int, people)))
        found.append(public.turn)
    assert found == turns


@cache
def played(key: str, acts: int = 60) -> Sequence[MatchLog]:
    """Return a match of people after each of its acts; each is played once."""
    log = MatchLog.begin(game(key), complete(game(key).manifest), bytes(32))
    found = [log]
    for number in range(acts):
        if not log.public.waiting:
            break
        seat = min(log.match.waiting)
        log = log.write(RowKind.ACT, seat, log.match.computer(seat), str(number), float(number))
        found.append(log)
    return found


@pytest.mark.parametrize(("key", "datum"), [("corto", "card"), ("volt", "name")])
def test_a_log_that_is_over_tells_a_draw_once_with_its_face(key: str, datum: str) -> None:
    log = played(key)[-1]
    told = [fact for _, facts in log.everything() for fact in facts if fact.kind == "drew"]
    known = [fact for _, facts in log.known(None) for fact in facts if fact.kind == "drew"]
    assert len(told) == len(known) > 3
    assert all(fact[datum] is not None for fact in told)


@pytest.mark.parametrize("key", games())
def test_a_replay_counts_the_same(key: str) -> None:
    for log in played(key)[::7]:
        match = log.match
        again = MatchLog.replay(match.game, match.setup, match.seed, log.rows)
        assert (again.public, again.handovers, again.headers) == (log.public, log.handovers, log.headers)


@pytest.mark.parametrize("key", games())
def test_who_is_called(key: str) -> None:
    logs = played(key)
    assert len(logs[-1].handovers) > 1, "nothing has happened"
    for before, log in itertools.pairwise(logs):
        posted = log.public.epoch > before.public.epoch
        entered = log.public.waiting - before.public.waiting
        assert posted is (bool(entered) or log.public.outcome is not None)
        if posted:
            assert log.entered_since(before.public.epoch) == entered
        assert log.entered_since(0) == log.public.waiting, "whoever is asked was called by some board"
        assert log.entered_since(log.public.epoch) == frozenset()


@pytest.mark.parametrize("key", games())
def test_a_version_belongs_to_the_epoch_in_which_it_came(key: str) -> None:
    logs = played(key)
    assert logs[-1].epoch_at(0) == 0
    for log in logs:
        assert logs[-1].epoch_at(log.public.version) == log.public.epoch


async def counts(room: Room, match: str) -> tuple[int, int]:
    board = await room.services.queries.board(match)
    return board.epoch, board.version


async def show(room: Room, match: str) -> None:
    """Note the board as shown, as if it had been sent."""
    board = await room.services.queries.board(match)
    await room.services.outbox.set_shown(match, "board", Shown(5, 6, board.epoch, board.version))


async def test_an_offer_of_a_draw_hands_nothing_over(room: Room) -> None:
    info = await room.begin(options={"pledges": "open"})
    await room.services.actions.offer_draw(info.id, PEOPLE[0], room.request)
    assert await counts(room, info.id) == (1, 2)
    await room.services.actions.decline_draw(info.id, PEOPLE[1], room.request)
    assert await counts(room, info.id) == (1, 3)
    for person in PEOPLE[:2]:
        await room.services.actions.offer_draw(info.id, person, room.request)
    epoch, version = await counts(room, info.id)
    assert epoch == version == 6, "the end is a board of its own"
    room = await room.again()
    assert await counts(room, info.id) == (epoch, version)


async def test_who_resigns_hands_nothing_over_while_the_same_are_asked(room: Room) -> None:
    info = await room.begin(seats=3, options={"pledges": "open"})
    await room.services.actions.resign(info.id, room.person(info, 2), room.request)
    epoch, version = await counts(room, info.id)
    assert (epoch, version > 1) == (1, True)
    await room.services.actions.resign(info.id, room.person(info, 1), room.request)
    table = await room.services.queries.table(info.id)
    assert table.status is Status.OVER
    epoch, version = await counts(room, info.id)
    assert epoch == version


async def test_a_secret_act_moves_no_count(room: Room) -> None:
    info = await room.begin(seats=3)
    await show(room, info.id)
    before = await room.services.queries.board(info.id)
    await room.lay(info, 0)
    assert await room.services.queries.board(info.id) == before


async def test_with_a_computer_each_round_is_one_board(room: Room) -> None:
    info = await room.begin_alone()
    epochs: set[int] = set()
    rounds = 0
    me = info.seat_of(PEOPLE[0].id)
    assert me is not None
    while (await room.services.queries.table(info.id)).status is Status.RUNNING and rounds < 9:
        epochs.add((await counts(room, info.id))[0])
        await room.play_computers(info.id)
        panel = await room.panel(info, me)
        if panel.asked:
            await room.services.actions.submit(info.id, me, None, await room.sentence(info, me), room.request)
            rounds += 1
    epochs.add((await counts(room, info.id))[0])
    assert 1 < len(epochs) <= rounds + 1


async def test_a_row_of_an_earlier_version_is_taken_for_what_it_shows(room: Room) -> None:
    """Earlier versions counted the boards from one on: their rows name another epoch for the same message."""
    info = await room.begin(seats=3, options={"pledges": "open"})
    await room.lay_all(info)
    await room.lay(info, 0)
    board = await room.services.queries.board(info.id)
    assert (board.epoch, board.version) == (4, 5)
    await room.services.outbox.set_shown(info.id, "board", Shown(5, 7, 2, 4))
    # Their second board, of the same hand-over as ours; the one before it came to version 3.
    with closing(sqlite3.connect(room.path)) as database, database:
        database.execute("UPDATE shown SET since = 3")
    stored = await room.services.queries.board(info.id)
    assert [told.fact.kind for told in stored.told] == ["ready", "ready", "ready", "shown", "ready"]
    assert stored.called == (1,), "whom that board has called, and who is asked still"
    await show(room, info.id)
    again = await room.services.queries.board(info.id)
    assert (again.told, again.called) == (stored.told, stored.called), "the same message, edited"


async def test_an_old_row_of_an_earlier_hand_over_gets_a_new_board(room: Room) -> None:
    info = await room.begin(seats=3, options={"pledges": "open"})
    await room.services.outbox.set_shown(info.id, "board", Shown(5, 6, 1, 1))
    await room.lay_all(info)
    board = await room.services.queries.board(info.id)
    assert [told.fact.kind for told in board.told] == ["ready", "ready", "ready", "shown"]
    assert board.called == (0, 1), "seat 2 was the last to lay, and is asked again without a pause"
    assert board.waiting == (0, 1, 2)


def test_a_snapshot_shows_nothing_in_a_trace() -> None:
    public: Any = played("volto", 3)[-1].public
    assert "Masks" not in repr(public)
    assert "view" not in repr(public)
