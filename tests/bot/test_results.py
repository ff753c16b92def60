"""Results: how a match ended, and what became of each seat, is stored with its end or found by a replay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.domain.clocks import HOUR, Pace
from bot.domain.match import MotionKind
from bot.domain.results import Ending, EndingKind, Fate, SeatResult
from bot.domain.tables import ClosedBy, Status, TableInfo
from bot.matches.loading import stored_table
from bot.matches.older_results import OlderResults
from bot.matches.results import result_of
from bot.store import WITHOUT_RESULT
from bot.store.backup import back_up, restore
from bot.store.tables.results import ENDING, RESULT
from engines.core.contract import Outcome
from engines.core.optional_methods import Level
from tests.bot.conftest import PEOPLE, PLACE, Room, refused
from tests.bot.raw import ask, change
from tests.bot.test_deadlines import judge, overdue
from tests.bot.test_privacy import ZOE, sit_down
from tests.kit.postgresql import BOTH_STORES_BY_NIGHT
from tests.kit.tables import open_table

pytestmark = BOTH_STORES_BY_NIGHT


async def stored(room: Room, info: TableInfo) -> tuple[Ending, dict[int, SeatResult]] | None:
    """Return the stored result of a match, by seat."""
    endings = await ask(room.store, ENDING.select("WHERE match = ?"), info.id)
    results = [RESULT.decode(row) for row in await ask(room.store, RESULT.select("WHERE match = ?"), info.id)]
    assert bool(endings) is bool(results)
    return (ENDING.decode(endings[0]), {each.seat: each for each in results}) if endings else None


async def fates(room: Room, info: TableInfo) -> Mapping[int, Fate]:
    found = await stored(room, info)
    assert found is not None
    return {seat: each.fate for seat, each in found[1].items()}


async def kind(room: Room, info: TableInfo) -> EndingKind:
    found = await stored(room, info)
    assert found is not None
    return found[0].kind


async def play_out(room: Room, info: TableInfo) -> None:
    assert await room.play_some(info, 2_000) < 2_000
    assert (await room.services.queries.table(info.id)).status is Status.OVER


# --- with the end of a match --------------------------------------------------------------------------


async def test_a_match_that_its_rules_end(room: Room) -> None:
    info = await room.begin("vault", 3)
    await room.play_some(info, 2)
    assert await stored(room, info) is None, "nothing is written before the end"
    await play_out(room, info)
    found = await stored(room, info)
    assert found is not None
    ending, results = found
    assert ending == Ending(
        info.id, PLACE.guild_id, "vault", 3, 3, rated=False, kind=EndingKind.RULES, ended_at=room.now
    )
    board = await room.services.queries.board(info.id)
    assert board.outcome is not None
    assert [seat for seat in range(3) if results[seat].place == 1] == sorted(board.outcome.ranks[0])
    assert {each.fate for each in results.values()} == {Fate.HELD}
    rows = await room.log_rows(info.id)
    assert {seat: each.sentences for seat, each in results.items()} == {
        seat: sum(row.seat == seat for row in rows) for seat in range(3)
    }
    assert {each.person for each in results.values()} == {person.id for person in PEOPLE[:3]}


async def test_a_resignation(room: Room) -> None:
    info = await room.begin("vault")
    await room.services.actions.resign(info.id, room.person(info, 1), room.request)
    assert await kind(room, info) is EndingKind.RESIGNED
    assert await fates(room, info) == {0: Fate.HELD, 1: Fate.RESIGNED}


async def test_an_agreed_draw(room: Room) -> None:
    info = await room.begin("volo")
    for seat in (0, 1):
        await room.services.actions.offer_draw(info.id, room.person(info, seat), room.request)
    found = await stored(room, info)
    assert found is not None
    assert found[0].kind is EndingKind.AGREED
    assert {(each.place, each.tied, each.fate) for each in found[1].values()} == {(1, True, Fate.HELD)}


async def test_a_claim(room: Room) -> None:
    info, late = await overdue(room)
    await room.clocks.absences.claim(info.id, room.person(info, 1 - late), room.request)
    assert await kind(room, info) is EndingKind.CLAIMED
    assert await fates(room, info) == {late: Fate.LATE, 1 - late: Fate.HELD}


async def test_a_stand_in_counts_at_the_end_alone(room: Room) -> None:
    info, late = await overdue(room)
    other = room.person(info, 1 - late)
    await room.clocks.absences.let_computer_play(info.id, other, room.request)
    await room.play_computers(info.id)
    again = await room.begin("volo", pace=Pace.EVENING)
    room.now += HOUR
    await judge(room)
    [away] = (await room.services.cache.get(again.id)).row.asked
    await room.clocks.absences.let_computer_play(again.id, room.person(again, 1 - away), room.request)
    await room.clocks.absences.come_back(again.id, room.person(again, away), room.request)
    await room.services.actions.resign(info.id, other, room.request)
    await room.services.actions.resign(again.id, room.person(again, 1 - away), room.request)
    found = await stored(room, info)
    assert found is not None
    assert {seat: each.fate for seat, each in found[1].items()} == {
        late: Fate.STOOD_IN,
        1 - late: Fate.RESIGNED,
    }
    assert found[1][late].sentences == 0, "the computer player's is not the person's"
    assert await fates(room, again) == {away: Fate.HELD, 1 - away: Fate.RESIGNED}


async def test_a_seat_that_is_passed_on(room: Room) -> None:
    info = await room.begin("vault", 3)
    await room.lay_all(info)
    seat, newcomer = info.seat_of(PEOPLE[0].id), PEOPLE[3]
    assert seat is not None
    await room.services.motions.offer_seat(info.id, PEOPLE[0], newcomer, room.request)
    await room.services.motions.take_seat(info.id, newcomer, room.request)
    await play_out(room, info)
    found = await stored(room, info)
    assert found is not None
    result = found[1].pop(seat)
    assert (result.person, result.fate) == (newcomer.id, Fate.PASSED_ON)
    assert {each.fate for each in found[1].values()} == {Fate.HELD}


async def test_a_computer_player(room: Room) -> None:
    info = await open_table(
        room.services, "volo", {}, 2, PEOPLE[0], PLACE, room.request, computers=[Level.BEST]
    )
    await room.services.actions.resign(info.id, PEOPLE[0], room.request)
    found = await stored(room, info)
    assert found is not None
    [result] = [each for each in found[1].values() if each.person is None]
    assert (result.fate, result.level, result.place, found[0].people) == (Fate.COMPUTER, Level.BEST, 1, 1)


async def test_those_who_play_together_share_the_first_place(room: Room) -> None:
    info = await room.begin("doge", 2)
    for seat in (0, 1):
        if (await room.services.queries.table(info.id)).status is Status.RUNNING:
            await room.services.actions.resign(info.id, room.person(info, seat), room.request)
    found = await stored(room, info)
    assert found is not None
    assert {(each.place, each.tied) for each in found[1].values()} == {(1, True)}


async def test_places_leave_gaps_and_points_are_kept(room: Room) -> None:
    info = await room.begin("vault", 3)
    await play_out(room, info)
    table = await room.services.cache.get(info.id)
    log = table.require_log()
    outcome = Outcome(((2, 0), (1,)), (), ((0, 7), (1, -3), (2, 7)))
    result = result_of(replace(table, log=replace(log, public=replace(log.public, outcome=outcome))))
    assert result is not None
    assert [(each.place, each.tied, each.score) for each in result[1]] == [
        (1, True, 7),
        (3, False, -3),
        (1, True, 7),
    ]


async def test_a_match_without_a_result_has_none(room: Room) -> None:
    closed, frozen = await room.begin("vault"), await room.begin("vault")
    await room.services.closing.close(closed.id, ClosedBy.SERVER)
    await change(room.store, "UPDATE match SET ruleset = 'gone' WHERE id = ?", frozen.id)
    room.services.cache.forget_all()
    assert (await room.services.cache.get(frozen.id)).info.status is Status.FROZEN
    await OlderResults(room.services.cache).recover_all(pause=0.0)
    assert await stored(room, closed) is None
    assert await stored(room, frozen) is None


async def test_after_the_end_nothing_is_taken_back(room: Room) -> None:
    info = await room.begin("volo")
    await room.play_some(info, 4)
    first, second = (room.person(info, seat) for seat in (0, 1))
    log = (await room.services.cache.get(info.id)).require_log()
    [(asker, other)] = [
        (one, two) for one, two, seat in ((first, second, 0), (second, first, 1)) if log.undoable(seat)
    ]
    await room.services.motions.propose(info.id, asker, MotionKind.UNDO, room.request)
    await room.services.actions.resign(info.id, other, room.request)
    before = await stored(room, info)
    assert before is not None
    await refused("over", room.services.motions.answer(info.id, other, room.request, agrees=True))
    await refused("over", room.services.motions.propose(info.id, asker, MotionKind.UNDO, room.request))
    assert await stored(room, info) == before


# --- older matches ------------------------------------------------------------------------------------


async def forget(room: Room, *infos: TableInfo) -> None:
    """Let matches be as an earlier version has left them."""
    for info in infos:
        for table in ("result", "ending"):
            await change(room.store, f"DELETE FROM {table} WHERE match = ?", info.id)


async def recover(room: Room) -> None:
    await OlderResults(room.services.cache).recover_all(pause=0.0)


async def test_older_matches_get_what_they_would_have_got(room: Room) -> None:
    ended = [await room.begin("vault", 3), await room.begin("volo"), (await overdue(room))[0]]
    rules, agreed, claimed = ended
    await play_out(room, rules)
    for seat in (0, 1):
        await room.services.actions.offer_draw(agreed.id, room.person(agreed, seat), room.request)
    [late] = (await room.services.cache.get(claimed.id)).row.asked
    await room.clocks.absences.claim(claimed.id, room.person(claimed, 1 - late), room.request)
    running = await room.begin("vault")
    before = [await stored(room, info) for info in ended]
    assert None not in before
    await forget(room, *ended)
    room.now += HOUR
    await room.again()
    await recover(room)
    assert [await stored(room, info) for info in ended] == before
    assert await stored(room, running) is None
    await recover(room)
    assert [await stored(room, info) for info in ended] == before


async def test_what_is_recovered_twice_is_stored_once(room: Room) -> None:
    info = await room.begin("vault")
    await room.services.actions.resign(info.id, PEOPLE[0], room.request)
    before = await stored(room, info)
    assert before is not None
    ending, results = before
    async with room.store.transaction() as unit:
        await unit.save_result(replace(ending, kind=EndingKind.RULES), results.values())
    assert await stored(room, info) == before


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE match SET ruleset = 'gone' WHERE id = ?",
        'UPDATE match SET data_hashes = \'[["cards", "other"]]\' WHERE id = ?',
        "UPDATE match SET options = 'broken' WHERE id = ?",
        "DELETE FROM log WHERE seq = 1 AND match = ?",
    ],
)
async def test_a_match_that_cannot_be_replayed_is_skipped_for_good(
    room: Room, damage: str, caplog: pytest.LogCaptureFixture
) -> None:
    lost, other = await room.begin("vault"), await room.begin("vault")
    for info in (lost, other):
        await room.lay(info, 0)
        await room.services.actions.resign(info.id, PEOPLE[0], room.request)
    before = await stored(room, other)
    await forget(room, lost, other)
    for trigger in ("log_stands", "log_stays"):
        of_table = " ON log" if room.store.sharing else ""
        await change(room.store, f"DROP TRIGGER {trigger}{of_table}")
    await change(room.store, damage, lost.id)
    room.services.cache.forget_all()
    await recover(room)
    assert await stored(room, lost) is None
    assert await stored(room, other) == before
    assert f"match {lost.id}: its result cannot be recovered" in caplog.text
    assert await room.services.settings.get_value(f"{WITHOUT_RESULT}{lost.id}") == ""
    caplog.clear()
    await recover(room)
    assert caplog.text == "", "it is not tried again"


async def test_a_deletion_meanwhile_leaves_no_name(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    info = await sit_down(room, PEOPLE[1])
    await room.services.actions.resign(info.id, ZOE, room.request)
    await forget(room, info)

    async def deleted_meanwhile(*given: Any) -> Any:
        found = await stored_table(*given)
        await room.services.privacy.delete(ZOE)
        return found

    with monkeypatch.context() as patch:
        patch.setattr("bot.matches.older_results.stored_table", deleted_meanwhile)
        await recover(room)
    assert await stored(room, info) is None
    await recover(room)
    found = await stored(room, info)
    assert found is not None
    people = {each.person for each in found[1].values()}
    assert PEOPLE[1].id in people
    assert ZOE.id not in people


# --- people, and files --------------------------------------------------------------------------------


async def test_a_person_gets_theirs_and_leaves_a_pseudonym(room: Room) -> None:
    info = await sit_down(room, PEOPLE[1])
    seat = info.seat_of(ZOE.id)
    assert seat is not None
    await room.services.actions.resign(info.id, ZOE, room.request)
    [row] = (await room.services.privacy.export(ZOE))["results"]
    assert (row["match"], row["kind"], row["fate"], row["place"]) == (info.id, "resigned", "resigned", 2)
    assert str(PEOPLE[1].id) not in str(row)
    before = await stored(room, info)
    assert before is not None
    assert await room.services.privacy.delete(ZOE) == []
    found = await stored(room, info)
    assert found is not None
    assert found[0] == before[0]
    assert found[1] == {**before[1], seat: replace(before[1][seat], person=seat + 1)}


async def test_a_restored_file_has_the_results_of_its_time(room: Room, tmp_path: Path) -> None:
    if room.store.sharing is not None:
        pytest.skip("PostgreSQL has its own backups")
    ended, running = await room.begin("vault"), await room.begin("vault")
    await room.services.actions.resign(ended.id, PEOPLE[0], room.request)
    before = await stored(room, ended)
    saved = tmp_path / "saved.db"
    back_up(room.path, saved)
    await room.services.actions.resign(running.id, PEOPLE[0], room.request)
    assert await stored(room, running) is not None
    await room.store.close()
    restore(saved, room.path)
    await room.enter()
    assert await stored(room, ended) == before
    assert await stored(room, running) is None
    await room.services.actions.resign(running.id, PEOPLE[1], room.request)
    found = await stored(room, running)
    assert found is not None
    assert found[1][running.seat_of(PEOPLE[1].id) or 0].fate is Fate.RESIGNED
