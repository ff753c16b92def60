"""Stepping back shows each turn as the asker's seat saw it then, whatever it has learned or lost since."""

from __future__ import annotations

import asyncio
import threading
from dataclasses import dataclass, replace
from typing import Any

import pytest

from bot.domain.match import Moment
from bot.domain.refusals import Refusal
from bot.domain.tables import Person, Status, TableInfo
from bot.matches import history
from bot.matches.history import MAX_CACHED_MATCHES, TURNS
from bot.matches.loaded_table import LoadedTable
from bot.matches.match_log import MatchLog, applied
from engines.core.contract import Fact, Seat, Viewer, facts_for
from engines.core.match import Match
from engines.core.rng import Rng
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room
from tests.contract.checks.sampling import viewers
from tests.contract.checks.secrets import random_sentence
from tests.kit.samples import MORE

STRANGER = Person(700000000000000099, "Zoe")

SENTENCES = 40 if MORE > 1 else 20


@dataclass(frozen=True)
class Seen:
    """What a viewer saw when a turn was over, and what it had learned in it."""

    view: Any
    facts: tuple[Fact, ...]


class Diary:
    """What every viewer saw at the end of every turn, written down while the match was played."""

    def __init__(self, match: Match) -> None:
        self.turns: list[dict[Viewer, Seen]] = [
            {each: Seen(match.view(each), facts_for(match.batches[0], each)) for each in viewers(match)}
        ]
        self._since: dict[Viewer, tuple[Fact, ...]] = dict.fromkeys(viewers(match), ())

    def note(self, before: Match, match: Match) -> None:
        """Note a sentence that was said; a turn is over where somebody is asked who was not just before."""
        for each in self._since:
            self._since[each] += facts_for(match.batches[-1], each)
        if match.waiting - before.waiting or match.outcome is not None:
            self.turns.append({each: Seen(match.view(each), facts) for each, facts in self._since.items()})
            self._since = dict.fromkeys(self._since, ())

    def unfinished(self) -> dict[Viewer, tuple[Fact, ...]]:
        return self._since


async def live(room: Room, info: TableInfo) -> LoadedTable:
    return await room.services.cache.get(info.id)


async def match_of(room: Room, info: TableInfo) -> Match:
    return (await live(room, info)).require_log().match


def eyes(info: TableInfo, viewer: Viewer) -> Person:
    """Return who looks for a viewer."""
    person = STRANGER if viewer is None else info.chair_at(viewer).person
    assert person is not None
    return person


async def say_something(room: Room, info: TableInfo, number: int) -> bool:
    """Let whoever is asked say a random sentence; return whether the match goes on."""
    match = await match_of(room, info)
    asked = (await live(room, info)).row.asked
    if not asked:
        return False
    rng = Rng(bytes(32)).child(info.game, number)
    seat = rng.stream("seat").choice(asked)
    words = random_sentence(match, seat, rng)
    await room.services.actions.submit(info.id, seat, None, words, room.request)
    return True


async def steps(room: Room, info: TableInfo, viewer: Viewer) -> list[Moment]:
    """Step back from the present as far as that goes; return the moments, the oldest first."""
    person = eyes(info, viewer)
    found = [await room.services.history.now(info.id, person)]
    assert found[0].present
    while found[0].number > found[0].oldest:
        found.insert(0, await room.services.history.after(info.id, person, found[0].number - 1))
    assert not any(moment.older_asked for moment in found)
    return found


def check(moments: list[Moment], diary: Diary, viewer: Viewer) -> None:
    """Compare moments with what was written down."""
    numbers = [moment.number for moment in moments]
    assert numbers == list(range(moments[0].oldest, moments[0].newest + 1))
    over = len(diary.turns) - 1
    assert moments[0].oldest == max(0, over - TURNS)
    for moment in moments[: over - moments[0].oldest]:
        then = diary.turns[moment.number][viewer]
        assert moment.view == then.view
        assert tuple(told.fact for told in moment.told) == then.facts


@pytest.mark.parametrize("key", ALL_GAMES)
@pytest.mark.parametrize("seats", ["fewest", "most"])
async def test_each_turn_is_shown_as_its_viewer_saw_it_then(key: str, seats: str, tmp_path: Any) -> None:
    room = await Room(tmp_path / "bauta.db", ALL_GAMES).enter()
    try:
        manifest = ALL_GAMES[key].manifest
        number = min(manifest.seats) if seats == "fewest" else max(manifest.seats)
        info = await room.begin(key, number)
        before = await match_of(room, info)
        diary, looked = Diary(before), 0
        for step in range(SENTENCES):
            if not await say_something(room, info, step):
                break
            match = await match_of(room, info)
            diary.note(before, match)
            before = match
            if step % 5 == 4:
                # Who looks again and again follows what was kept; it must be the same as seen anew.
                viewer = viewers(match)[step % len(viewers(match))]
                check(await steps(room, info, viewer), diary, viewer)
                looked += 1
        assert looked
        assert len(diary.turns) > 1
        for anew in (False, True):
            if anew:
                room = await room.again()
            for viewer in viewers(before):
                moments = await steps(room, info, viewer)
                check(moments, diary, viewer)
                assert moments[-1].view == before.view(viewer)
    finally:
        await room.store.close()


async def diary_of(room: Room, info: TableInfo, sentences: int) -> Diary:
    """Say so many sentences in a new match, and keep a diary of it."""
    before = await match_of(room, info)
    diary = Diary(before)
    for number in range(sentences):
        assert await say_something(room, info, number)
        match = await match_of(room, info)
        diary.note(before, match)
        before = match
    return diary


@pytest.fixture
async def played(room: Room) -> tuple[TableInfo, Diary]:
    """A match in its tenth turn, of a game in which everybody sees everything."""
    info = await room.begin("volo")
    return info, await diary_of(room, info, 10)


async def test_the_button_of_the_board_leads_one_step_back(
    room: Room, played: tuple[TableInfo, Diary]
) -> None:
    info, diary = played
    now = await room.services.history.now(info.id, PEOPLE[0])
    moment = await room.services.history.before(info.id, PEOPLE[0])
    assert (moment.number, moment.newest) == (now.number - 1, now.number)
    assert not moment.present
    assert moment.view == diary.turns[moment.number][info.seat_of(PEOPLE[0].id)].view
    assert moment.view != now.view


async def test_nothing_is_before_the_start(room: Room) -> None:
    info = await room.begin("volo")
    moment = await room.services.history.before(info.id, PEOPLE[0])
    assert (moment.number, moment.oldest, moment.newest) == (0, 0, 0)
    assert moment.present
    assert not moment.older_asked


async def test_only_the_last_turns_can_be_shown(room: Room) -> None:
    info = await room.begin("volo")
    for number in range(TURNS + 5):
        assert await say_something(room, info, number)
    now = await room.services.history.now(info.id, PEOPLE[0])
    assert now.oldest == now.newest - TURNS > 0
    old = await room.services.history.after(info.id, PEOPLE[0], 0)
    assert (old.number, old.older_asked) == (now.oldest, True)
    last = await room.services.history.after(info.id, PEOPLE[0], 10**8)
    assert (last.number, last.older_asked) == (now.newest, False)


async def test_what_was_shown_stays_where_the_match_goes_on(
    room: Room, played: tuple[TableInfo, Diary]
) -> None:
    info, _ = played
    shown = await room.services.history.before(info.id, PEOPLE[0])
    assert await say_something(room, info, 10)
    again = await room.services.history.after(info.id, PEOPLE[0], shown.number)
    assert again == replace(shown, newest=again.newest, oldest=again.oldest)
    assert again.newest == shown.newest + 1


async def test_a_replay_takes_nothing_from_the_loop_and_happens_once(
    room: Room, played: tuple[TableInfo, Diary], monkeypatch: pytest.MonkeyPatch
) -> None:
    info, _ = played
    rows: list[int] = []

    def counted(*given: Any) -> Match:
        rows.append(threading.get_ident())
        return applied(*given)

    monkeypatch.setattr("bot.matches.history.applied", counted)
    people = [PEOPLE[0], PEOPLE[1], STRANGER] * 4
    await asyncio.gather(*(room.services.history.before(info.id, person) for person in people))
    followed = (await live(room, info)).require_log()
    assert len(rows) == followed.headers[followed.turn_began(followed.public.turn)].row
    assert threading.get_ident() not in rows
    assert await say_something(room, info, 10)
    rows.clear()
    await steps(room, info, None)
    assert len(rows) == 1, "what is kept goes on where it ended"


async def test_few_matches_are_kept(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    assert MAX_CACHED_MATCHES > 2
    monkeypatch.setattr(history, "MAX_CACHED_MATCHES", 2)
    begun: list[MatchLog] = []
    begin = history.Past.begin

    def noted(log: MatchLog) -> history.Past:
        begun.append(log)
        return begin(log)

    monkeypatch.setattr(history.Past, "begin", noted)
    infos = [await room.begin("volo") for _ in range(3)]
    for info in (*infos, *infos[1:], infos[0]):
        await room.services.history.now(info.id, STRANGER)
    assert [log.match.seed for log in begun] == [
        (await match_of(room, info)).seed for info in (*infos, infos[0])
    ]


async def test_what_is_done_in_secret_counts_for_nobody(room: Room) -> None:
    info = await room.begin("vault", options={"pledges": "secret"})
    before = {viewer: await room.services.history.now(info.id, eyes(info, viewer)) for viewer in (None, 0, 1)}
    match = await match_of(room, info)
    seat, words = _secret_sentence(match)
    await room.services.actions.submit(info.id, seat, None, words, room.request)
    for viewer in (None, 0, 1):
        now = await room.services.history.now(info.id, eyes(info, viewer))
        assert (now.number, now.newest) == (before[viewer].number, before[viewer].newest)
        if viewer != seat:
            assert now == before[viewer]


def _secret_sentence(match: Match) -> tuple[Seat, tuple[str, ...]]:
    """Return a sentence of which the others learn nothing."""
    for number in range(200):
        for seat in range(2):
            words = random_sentence(match, seat, Rng(bytes(32)).child(seat, number))
            if words and not any(
                facts_for(match.act(seat, words).batches[-1], viewer) for viewer in (None, 1 - seat)
            ):
                return seat, words
    raise AssertionError("this game has no secret sentence")


# --- tables that are not simply running -------------------------------------------------------------


async def refused(room: Room, info: TableInfo, person: Person) -> str:
    with pytest.raises(Refusal) as caught:
        await room.services.history.before(info.id, person)
    return caught.value.msg.key


async def test_before_a_match_there_is_nothing_to_look_at(room: Room) -> None:
    info = await room.services.lobby.open("volo", {}, 2, PEOPLE[0], PLACE, room.request)
    assert await refused(room, info, PEOPLE[0]) == "no.not_started"


async def test_a_frozen_match_says_so(room: Room, played: tuple[TableInfo, Diary]) -> None:
    info, _ = played
    table = await live(room, info)
    room.services.cache.put(replace(table, log=None).with_info(status=Status.FROZEN))
    assert await refused(room, info, PEOPLE[0]) == "no.frozen"


async def test_who_has_left_still_sees_what_their_seat_saw(room: Room) -> None:
    info = await room.begin("volt", seats=3)
    for number in range(8):
        assert await say_something(room, info, number)
    seat = info.seat_of(PEOPLE[0].id)
    before = await steps(room, info, seat)
    await room.services.actions.resign(info.id, PEOPLE[0], room.request)
    info = (await live(room, info)).info
    assert info.status is Status.RUNNING
    after = await room.services.history.after(info.id, PEOPLE[0], before[-2].number)
    assert (after.seat, after.view) == (seat, before[-2].view)


async def test_a_match_that_is_over_tells_of_its_past_no_more_than_was_known(room: Room) -> None:
    info = await room.begin("volto")
    diary = await diary_of(room, info, 6)
    before = await match_of(room, info)
    await room.services.actions.resign(info.id, PEOPLE[0], room.request)
    diary.note(before, await match_of(room, info))
    assert (await live(room, info)).info.status is Status.OVER
    for viewer in (None, 0, 1):
        moments = await steps(room, info, viewer)
        check(moments, diary, viewer)
        assert moments[-1].outcome is not None
        assert all(moment.outcome is None for moment in moments[:-1])
