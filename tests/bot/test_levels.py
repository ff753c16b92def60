"""Levels of computer players at the table, and the hints that they give."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.domain.jobs import JobKind
from bot.domain.match import Click, Panel
from bot.domain.names import chair_name
from bot.domain.tables import Person, TableInfo
from bot.matches.thoughts import has_no_choice
from bot.sync.backlog import ORDER
from bot.workers.thinker import Said
from engines.core.match import Match
from engines.core.optional_methods import Level
from engines.core.player import walk
from engines.core.registry import games
from engines.core.rng import Rng
from engines.core.setups import complete
from tests.bot.conftest import ALL_GAMES, PEOPLE, PLACE, Room, refused
from tests.kit.tables import open_table, sit_down
from tests.kit.thinking_here import ThinkingHere

ANNA, BEN, CLARA, _ = PEOPLE


@pytest.fixture
async def room(tmp_path: Path) -> Any:
    room = await Room(tmp_path / "room.db", ALL_GAMES).enter()
    yield room
    await room.store.close()


async def alone(room: Room, level: Level = Level.MIDDLE, game: str = "volo") -> TableInfo:
    """Seat Anna among computer players of a level."""
    seats = ALL_GAMES[game].manifest.seats[0]
    return await open_table(
        room.services, game, {}, seats, ANNA, PLACE, room.request, computers=[level] * (seats - 1)
    )


def names(info: TableInfo) -> list[str]:
    return [chair_name(games().get(info.game), chair) for chair in info.chairs]


async def panel_of(room: Room, info: TableInfo) -> Panel:
    """Let computers play until Anna is asked; return her panel."""
    await room.play_computers(info.id)
    return await room.services.drafts.panel(info.id, ANNA)


def click(panel: Panel) -> Click:
    return Click(panel.table.id, panel.revision)


async def test_a_level_has_a_name_and_outlives_a_restart(room: Room) -> None:
    info = await alone(room, Level.BEST)
    assert names(info) == ["Anna", "Falcon"]
    await room.again()
    again = await room.services.queries.table(info.id)
    assert [chair.level for chair in again.chairs] == [None, Level.BEST]


async def test_a_table_may_have_several_levels(room: Room) -> None:
    info = await room.services.lobby.open("corto", {}, 4, ANNA, PLACE, room.request)
    for level in (Level.FIRST, Level.BEST, Level.FIRST):
        info = await room.services.lobby.add_computer(info.id, ANNA, room.request, level)
    assert [chair.level for chair in info.chairs] == [None, Level.FIRST, Level.BEST, Level.FIRST]
    found = names(info)
    assert len(set(found)) == 4
    assert found[3] == f"{found[1]} 2"


async def test_a_computer_has_no_name_that_somebody_has(room: Room) -> None:
    info = await room.services.lobby.open("volo", {}, 2, type(ANNA)(ANNA.id, "Magpie"), PLACE, room.request)
    info = await room.services.lobby.add_computer(info.id, ANNA, room.request)
    assert names(info) == ["Magpie", "Magpie 2"]


async def test_a_rematch_has_the_same_levels(room: Room) -> None:
    info = await alone(room, Level.FIRST)
    await room.services.actions.resign(info.id, ANNA, room.request)
    again = await room.services.lobby.rematch(info.id, ANNA, room.request, PLACE)
    assert [chair.level for chair in again.chairs if chair.person is None] == [Level.FIRST]


async def test_levels_are_asked_for_by_those_who_may_seat_somebody_alone(room: Room) -> None:
    info = await room.services.lobby.open("volo", {}, 2, ANNA, PLACE, room.request)
    assert (await room.services.lobby.check_company(info.id, ANNA)).id == info.id
    await refused("not_host", room.services.lobby.check_company(info.id, BEN))
    await sit_down(room.services, info.id, BEN, room.request)
    await refused("started", room.services.lobby.check_company(info.id, ANNA))


async def test_each_chair_thinks_as_well_as_its_level_says(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Level | None] = []
    think = ThinkingHere.think

    async def noted(self: ThinkingHere, request: Any, *given: Any, **options: Any) -> Said:
        asked.append(request.level)
        return await think(self, request, *given, **options)

    monkeypatch.setattr(ThinkingHere, "think", noted)
    info = await alone(room, Level.BEST)
    hinted = await room.services.hints.fill_in(click(await panel_of(room, info)), ANNA)
    await room.services.actions.confirm(click(hinted), ANNA, room.request)
    await room.play_computers(info.id)
    assert set(asked) == {Level.MIDDLE, Level.BEST}, "hints are the middle level's"


async def test_who_thinks_for_a_while_does_so_once_the_board_is_shown(room: Room) -> None:
    assert ORDER.index(JobKind.COMPUTER) < ORDER.index(JobKind.BOARD) < ORDER.index(JobKind.THINK)
    for game, kind in (("volo", JobKind.THINK), ("vault", JobKind.COMPUTER)):
        info = await alone(room, game=game)
        if info.seat_of(ANNA.id) == 0:
            await room.play_some(info, 1)
        kinds = {job.kind for job in await room.services.outbox.next_jobs(99) if job.table_id == info.id}
        assert kinds & {JobKind.COMPUTER, JobKind.THINK} == {kind}


@pytest.mark.parametrize(("key", "word"), [("doge", "roll"), ("volo", ""), ("volto", ""), ("corto", "")])
def test_that_a_seat_has_no_choice_is_told_by_what_all_see(key: str, word: str) -> None:
    game = ALL_GAMES[key]
    match = Match.start(game, complete(game.manifest), bytes(32))
    alike: set[bool] = set()
    for _ in range(12):
        seat = min(seat for seat in match.waiting if seat in game.waiting(match.view(seat)))
        words = match.computer(seat)
        free = has_no_choice(match, seat)
        assert free is (words == (word,)), words
        twin = replace(match, state=game.imagine(match.view(None), Rng(bytes(32)).child("twin")))
        assert has_no_choice(twin, seat) is free, "what is hidden makes a difference"
        alike.add(free)
        match = match.act(seat, words)
    assert alike == ({True, False} if word else {False})


# --- hints ----------------------------------------------------------------------------------------


async def test_a_hint_is_a_draft_with_a_reason_and_says_nothing(room: Room) -> None:
    info = await alone(room)
    panel = await panel_of(room, info)
    assert panel.offers_hint
    rows = await room.log_rows(info.id)
    hinted = await room.services.hints.fill_in(click(panel), ANNA)
    assert hinted.menu is not None
    assert hinted.menu.complete
    assert hinted.hint is not None
    assert await room.log_rows(info.id) == rows, "nothing is said by it"
    back = await room.services.drafts.back(click(hinted), ANNA)
    assert back.draft == panel.draft
    assert back.hint is None


async def test_a_hint_is_the_same_again_and_thought_of_once(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = await panel_of(room, await alone(room))
    first = await room.services.hints.fill_in(click(panel), ANNA)
    monkeypatch.setattr(ThinkingHere, "think", None)
    again = await room.services.hints.fill_in(click(first), ANNA)
    assert (again.draft, again.hint) == (first.draft, first.hint)


async def test_hints_are_for_who_plays_alone_or_where_the_table_allows_them(room: Room) -> None:
    other = await room.begin("volo")
    for person in (ANNA, BEN):
        panel = await room.services.drafts.panel(other.id, person)
        assert not panel.offers_hint
        await refused("hints", room.services.hints.fill_in(click(panel), person))
    await refused("not_seated", room.services.hints.fill_in(Click(other.id, 0), CLARA))
    info = await room.services.lobby.open("volo", {}, 2, ANNA, PLACE, room.request, hints=True)
    info = await sit_down(room.services, info.id, BEN, room.request)
    await room.again()
    asked = [person for person in (ANNA, BEN) if (await room.services.drafts.panel(info.id, person)).asked]
    for person in (ANNA, BEN):
        panel = await room.services.drafts.panel(info.id, person)
        assert panel.offers_hint is (person in asked)
        if person in asked:
            assert (await room.services.hints.fill_in(click(panel), person)).draft
        else:
            await refused("no_hint", room.services.hints.fill_in(click(panel), person))


async def test_nobody_waits_for_two_hints_at_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    panel = await panel_of(room, await alone(room))
    think, held = ThinkingHere.think, asyncio.Event()

    async def slowly(self: ThinkingHere, request: Any, *given: Any, **options: Any) -> Said:
        await held.wait()
        return await think(self, request, *given, **options)

    monkeypatch.setattr(ThinkingHere, "think", slowly)
    first = asyncio.create_task(room.services.hints.fill_in(click(panel), ANNA))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    await refused("hint_asked", room.services.hints.fill_in(click(panel), ANNA))
    held.set()
    assert (await first).draft


async def test_a_hint_that_comes_late_changes_nothing(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    info = await alone(room)
    panel = await panel_of(room, info)
    think = ThinkingHere.think

    async def meanwhile(self: ThinkingHere, request: Any, *given: Any, **options: Any) -> Said:
        word = panel.menu.choices()[0].word if panel.menu is not None else ""
        await room.services.drafts.choose(click(panel), ANNA, word)
        return await think(self, request, *given, **options)

    monkeypatch.setattr(ThinkingHere, "think", meanwhile)
    late = await room.services.hints.fill_in(click(panel), ANNA)
    assert [note.key for note in late.notes] == ["note.stale"]
    assert late.hint is None


async def test_a_hint_is_thought_of_anew_where_others_have_done_something(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = await room.services.lobby.open("volt", {}, 2, ANNA, PLACE, room.request, hints=True)
    info = await sit_down(room.services, opened.id, BEN, room.request)
    await room.play_some(info, 2)  # both choose a module
    think, seen = ThinkingHere.think, []

    async def meanwhile(self: ThinkingHere, request: Any, *given: Any, **options: Any) -> Said:
        seen.append(request.view)
        if len(seen) == 1:
            await say(room, info, BEN)
        return await think(self, request, *given, **options)

    monkeypatch.setattr(ThinkingHere, "think", meanwhile)
    panel = await room.services.drafts.panel(info.id, ANNA)
    hinted = await room.services.hints.fill_in(click(panel), ANNA)
    assert len(seen) == 2
    assert seen[0] != seen[1]
    assert hinted.hint is not None
    assert hinted.view == seen[1]


async def say(room: Room, info: TableInfo, person: Person) -> None:
    """Let somebody say a sentence at random."""
    panel = await room.services.drafts.panel(info.id, person)
    assert panel.menu is not None
    words = walk(ALL_GAMES[info.game], panel.view, panel.menu, Rng(bytes(32)))
    typed = await room.services.drafts.type_in(info.id, person, ALL_GAMES[info.game].write(words), None)
    await room.services.actions.confirm(click(typed), person, room.request)


async def test_a_hint_and_a_computer_player_draw_apart(room: Room) -> None:
    info = await alone(room)
    await panel_of(room, info)
    match = (await room.services.cache.get(info.id)).require_log().match
    seat = info.seat_of(ANNA.id)
    assert seat is not None
    draws = [match.player_rng(use, seat).secret("x") for use in ("hint", "computer", "interrupt", "lapse")]
    assert len(set(draws)) == len(draws)
