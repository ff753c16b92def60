from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from bot.domain.jobs import JobKind, Shown
from bot.domain.refusals import Refusal
from bot.domain.tables import DEFAULT_THEME, Preferences, Status
from bot.store.sqlite_units import SqliteTransaction
from bot.workers.thinker import ThinkRequest, answer
from engines.core.contract import Menu, Setup, Words, msg
from engines.core.match import AnyGame, Entry, EntryKind, Match
from engines.core.rng import Rng, mixed_seed, part_hash
from tests.bot.conftest import PEOPLE, PLACE, Room
from tests.kit.services import COMPUTER
from tests.kit.tables import open_table, sit_down

SHORTER = {"volo": {"board": "small"}}
"""Options that make for a shorter match."""


async def play_out(room: Room, table_id: str) -> list[object]:
    """Play to the end: computers by the use case, Anna by the panel; return all that anybody was given."""
    given: list[object] = []
    anna = PEOPLE[0]
    for _ in range(2_000):
        await room.play_computers(table_id)
        board = await room.services.queries.board(table_id)
        if board.outcome is not None:
            return given
        panel = await room.services.drafts.panel(table_id, anna)
        assert panel.asked
        words = await room.sentence(panel.table, panel.seat)
        receipt = await room.services.actions.submit(
            table_id, panel.seat, panel.decision, words, room.request
        )
        given += [board, panel, receipt, *(await room.services.queries.log(table_id, anna))]
    raise AssertionError("the match does not end")


async def test_a_whole_match_through_the_use_cases(room: Room, any_game: str) -> None:
    info = await room.begin_alone(any_game, options=SHORTER.get(any_game))
    given = await play_out(room, info.id)
    board = await room.services.queries.board(info.id)
    assert board.table.status is Status.OVER
    assert board.seed is not None
    assert board.outcome is not None
    assert board.waiting == ()
    kinds = {job.kind for job in await room.services.outbox.next_jobs(99)}
    assert {JobKind.LOBBY, JobKind.BOARD, JobKind.END} <= kinds
    assert_no_secret(given, board.seed)
    replay = await room.services.queries.replay_file(info.id)
    check_replay(room, replay)
    room = await room.again()
    assert (await room.services.queries.board(info.id)) == board
    assert await room.services.queries.replay_file(info.id) == replay


def check_replay(room: Room, replay: dict[str, Any]) -> None:
    """Play the file again with the engine alone: same digests, same end."""
    game = room.games[replay["game"]]
    seed = bytes.fromhex(replay["seed"])
    setup = Setup(replay["game"], replay["ruleset"], len(replay["seats"]), tuple(replay["options"].items()))
    match = Match.start(game, setup, seed)
    for row in replay["log"]:
        words = game.read(row["sentence"]) if row["sentence"] else ()
        match = match.apply(Entry(EntryKind(row["kind"]), row["seat"], words))
        assert match.digest() == row["digest"]
    assert match.outcome is not None
    assert [list(rank) for rank in match.outcome.ranks] == replay["outcome"]["ranks"]
    part = bytes.fromhex(replay["part"])
    assert replay["commitment"] == part_hash(part)
    assert mixed_seed(part, replay["ids"]) == seed
    assert tuple(replay["seating"]) == Rng(seed).child("seating").stream("seats").shuffled(range(setup.seats))
    assert all(person.name not in str(replay) and str(person.id) not in str(replay) for person in PEOPLE)


def assert_no_secret(given: list[object], seed: bytes) -> None:
    assert given
    for text in (repr(item) for item in given):
        assert seed.hex() not in text
        assert repr(seed) not in text


async def test_reprs_hold_no_secret(room: Room) -> None:
    """What tracebacks print: no seed, no words, no cards, no names."""
    info = await room.begin()
    cards = [*(await room.hand(info, 0)), *(await room.hand(info, 1))]
    await room.draft(info, 0, "lay", cards[1])
    live = await room.services.cache.get(info.id)
    seed, part = live.row.seed, live.row.part
    assert seed is not None
    assert part is not None
    receipt = await room.lay(info, 1)
    await room.lay(info, 0)
    await room.draft(info, 0, "note", cards[1])
    live = await room.services.cache.get(info.id)
    things: list[object] = [
        receipt,
        live,
        live.row,
        live.require_log(),
        live.require_log().match,
        live.require_log().public,
        live.drafts,
        *live.require_log().rows,
        live.seat_view(0),
        await room.panel(info, 0),
        await room.services.queries.board(info.id),
        *(await room.services.queries.log(info.id, PEOPLE[0])),
        *(await room.services.outbox.next_jobs(99)),
    ]
    secrets = [form for key in (seed, part) for form in (key.hex(), repr(key))]
    secrets += [*cards, "Anna", live.require_log().rows[0].digest]
    for thing in things:
        for secret in secrets:
            assert secret not in repr(thing), type(thing)


async def test_a_running_match_shows_no_seed(room: Room, any_game: str) -> None:
    info = await room.begin(any_game)
    board = await room.services.queries.board(info.id)
    assert (board.seed, board.part) == (None, None)
    with pytest.raises(Refusal):
        await room.services.queries.replay_file(info.id)


async def test_computers_at_work_at_once_say_each_sentence_once(room: Room) -> None:
    info = await room.begin_alone(seats=3)
    await asyncio.gather(*(room.play_computers(info.id) for _ in range(3)))
    rows = await room.log_rows(info.id)
    assert sorted(row.seat for row in rows if row.words[0] == "lay") == sorted(
        chair.seat for chair in info.chairs if chair.person is None and chair.seat is not None
    )
    assert {row.request.partition(":")[0] for row in rows} == {"computer"}


async def test_computers_play_on_alone(room: Room) -> None:
    info = await room.begin_alone(seats=3)
    await room.services.actions.resign(info.id, PEOPLE[0], room.request)
    await room.play_computers(info.id)
    assert (await room.services.queries.table(info.id)).status is Status.OVER


async def test_computers_think_beside_the_loop(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    info = await room.begin_alone(seats=2)
    threads: list[bool] = []

    def watched(game: AnyGame, request: ThinkRequest, effort: float) -> Words | None:
        try:
            asyncio.get_running_loop()
            threads.append(False)
        except RuntimeError:
            threads.append(True)
        return answer(game, request, effort)

    monkeypatch.setattr("tests.kit.thinking_here.answer", watched)
    await room.play_computers(info.id)
    assert set(threads) == {True}


async def test_no_computer_plays_where_there_is_no_match(room: Room) -> None:
    info = await open_table(room.services, "vault", {}, 3, PEOPLE[0], PLACE, room.request, computers=COMPUTER)
    await room.play_computers(info.id)
    assert await room.log_rows(info.id) == []


async def jobs(room: Room) -> list[tuple[JobKind, str]]:
    """Return the jobs that are due, and strike them off."""
    found = await room.services.outbox.next_jobs(99)
    for job in found:
        await room.services.outbox.done(job)
    return [(job.kind, job.target) for job in found]


async def test_jobs_follow_from_what_happened(room: Room) -> None:
    info = await room.begin(seats=3)
    assert await jobs(room) == [
        (JobKind.LOBBY, ""),
        (JobKind.THREAD, ""),
        (JobKind.BOARD, ""),
        (JobKind.TURN, "0"),
        (JobKind.TURN, "1"),
        (JobKind.TURN, "2"),
    ]
    woken = room.woken
    await room.lay(info, 0)
    assert await jobs(room) == []
    assert room.woken == woken
    await room.lay(info, 1)
    await room.lay(info, 2)
    assert await jobs(room) == [(JobKind.BOARD, ""), (JobKind.TURN, "0"), (JobKind.TURN, "1")], "2 was asked"
    assert room.woken > woken
    assert await room.services.outbox.next_due() is None


async def test_jobs_follow_from_what_all_may_see(room: Room) -> None:
    info = await room.begin(seats=3, options={"pledges": "open"})
    await jobs(room)
    await room.say(info, 0, "peek")
    assert await jobs(room) == []
    await room.lay(info, 0)
    assert await jobs(room) == [(JobKind.BOARD, "")]
    await room.say(info, 1, "return 0")
    assert await jobs(room) == [(JobKind.BOARD, ""), (JobKind.TURN, "0")]


async def test_who_is_asked_something_else_by_anothers_act_is_told(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault: Any = type(room.games["vault"])
    menu_for = vault.menu_for

    def counting(self: object, view: Any, draft: Words) -> Menu:
        """Return the vault's menu, with a question that says how many are ready."""
        menu: Menu = menu_for(self, view, draft)
        return replace(menu, prompt=msg("lay", n=sum(view.public.ready)))

    monkeypatch.setattr(vault, "menu_for", counting)
    info = await room.begin(seats=3, options={"pledges": "open"})
    await jobs(room)
    await room.lay(info, 0)
    assert await jobs(room) == [(JobKind.BOARD, ""), (JobKind.TURN, "1"), (JobKind.TURN, "2")]


async def test_who_may_merely_choose_something_else_is_not_told(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault: Any = type(room.games["vault"])
    menu_for = vault.menu_for

    def dwindling(self: object, view: Any, draft: Words) -> Menu:
        """Return the vault's menu, without its asides, and without the last duty once anybody is ready."""
        menu: Menu = menu_for(self, view, draft)
        if draft or not any(view.public.ready):
            return menu
        fields = [part for part in menu.fields if part.key == "duty"]
        return replace(menu, fields=tuple(replace(part, choices=part.choices[:1]) for part in fields))

    monkeypatch.setattr(vault, "menu_for", dwindling)
    info = await room.begin(seats=3, options={"pledges": "open"})
    await jobs(room)
    before = (await room.panel(info, 1)).decision
    await room.lay(info, 0)
    assert (await room.panel(info, 1)).decision != before
    assert await jobs(room) == [(JobKind.BOARD, "")]


async def test_a_board_tells_what_the_message_before_it_did_not(room: Room) -> None:
    async def told(*, show: bool = True) -> list[str]:
        board = await room.services.queries.board(info.id)
        if show:
            await room.services.outbox.set_shown(info.id, "board", Shown(5, 6, board.epoch, board.version))
        return [item.fact.kind for item in board.told]

    info = await room.begin(options={"pledges": "open"})
    assert await told() == ["dealt"]
    await room.lay(info, 0)
    assert await told() == ["dealt", "ready"], "the same message, edited"
    await room.lay(info, 1)
    await room.lay(info, 0)
    await room.say(info, 1, "return 0")
    unposted = ["ready", "ready", "shown", "ready", "unready"]
    assert await told(show=False) == unposted, "one epoch was never posted"
    assert await told() == unposted
    assert await told() == unposted
    await room.services.outbox.drop_shown(info.id, "board")
    assert await room.services.outbox.shown(info.id, "board") is None
    assert await told() == unposted
    await room.lay(info, 0)
    await room.lay(info, 1)
    assert await told() == ["ready", "ready", "shown", "ended"]


async def test_settings_and_values(room: Room) -> None:
    assert not (await room.services.settings.preferences(PEOPLE[0].id)).dms
    assert (await room.services.settings.set_dms(PEOPLE[0], dms=True)).dms
    assert (await room.services.settings.preferences(PEOPLE[0])).dms
    assert await room.services.settings.get_value("commands") is None
    await room.services.settings.set_value("commands", "one")
    await room.services.settings.set_value("commands", "two")
    room = await room.again()
    assert await room.services.settings.get_value("commands") == "two"
    assert (await room.services.settings.preferences(PEOPLE[0].id)).dms


async def test_preferences_are_read_once_and_never_out_of_date(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, anna = room.services.settings, PEOPLE[0]
    assert await settings.preferences(anna) == Preferences()
    with monkeypatch.context() as patch:
        patch.setattr(type(room.store), "read", _no_reading)
        assert await settings.preferences(anna.id) == Preferences()
    await settings.set_theme(anna, "clear")
    assert (await settings.preferences(anna)).theme == "clear"


async def test_preferences_that_a_change_overtakes_are_not_remembered(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings, anna = room.services.settings, PEOPLE[0]
    has_read, changed = asyncio.Event(), asyncio.Event()
    store: Any = type(room.store)
    read = store.read

    @asynccontextmanager
    async def slow(self: object) -> AsyncIterator[Any]:
        async with read(self) as reader:
            yield reader
        has_read.set()
        await changed.wait()

    monkeypatch.setattr(store, "read", slow)
    asked = asyncio.create_task(settings.preferences(anna))
    await has_read.wait()
    await settings.set_dms(anna, dms=True)
    changed.set()
    assert not (await asked).dms
    assert (await settings.preferences(anna)).dms


async def test_whoever_sees_a_change_committed_reads_what_was_chosen(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job that it enqueues may be carried out before whoever has committed it goes on."""
    settings, anna = room.services.settings, PEOPLE[0]
    assert not (await settings.preferences(anna)).dms
    commit = SqliteTransaction.commit

    async def asked_at_once(self: SqliteTransaction) -> None:
        await commit(self)
        assert (await settings.preferences(anna)).dms

    monkeypatch.setattr(SqliteTransaction, "commit", asked_at_once)
    await settings.set_dms(anna, dms=True)


async def test_not_everybodys_preferences_are_remembered(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.matches.settings.MOST_KNOWN", 2)
    await room.services.settings.set_theme(PEOPLE[0], "clear")
    for person in PEOPLE:
        await room.services.settings.preferences(person)
    with monkeypatch.context() as patch:
        patch.setattr(type(room.store), "read", _no_reading)
        with pytest.raises(AssertionError, match="read again"):
            await room.services.settings.preferences(PEOPLE[0])
    assert (await room.services.settings.preferences(PEOPLE[0])).theme == "clear"


def _no_reading(_: object) -> None:
    raise AssertionError("read again")


async def test_themes_last_and_the_public_one_is_the_tables(room: Room) -> None:
    anna = PEOPLE[0]
    assert (await room.services.settings.preferences(anna)).theme == DEFAULT_THEME
    assert (await room.services.settings.set_theme(anna, "clear")).theme == "clear"
    plain = await room.begin()
    assert plain.theme == DEFAULT_THEME, "the host's own setting shows in public"
    info = await room.services.lobby.open("vault", {}, 2, anna, PLACE, room.request, theme="clear")
    info = await sit_down(room.services, info.id, PEOPLE[1], room.request)
    await room.services.settings.set_dms(anna, dms=True)
    room = await room.again()
    assert await room.services.settings.preferences(anna) == Preferences(dms=True, theme="clear")
    assert (await room.services.queries.table(info.id)).theme == "clear"
    await room.services.actions.resign(info.id, anna, room.request)
    assert (await room.services.queries.replay_file(info.id))["theme"] == "clear"
    again = await room.services.lobby.rematch(info.id, PEOPLE[1], room.request, PLACE)
    assert again.theme == "clear"


@pytest.mark.parametrize("name", ["", "Clear", "1", "a b", "a" * 33, "../x", "ä", "clear\n"])
async def test_a_theme_without_a_proper_name_is_refused(room: Room, name: str) -> None:
    with pytest.raises(Refusal, match=r"no\.unknown_theme"):
        await room.services.settings.set_theme(PEOPLE[0], name)
    with pytest.raises(Refusal, match=r"no\.unknown_theme"):
        await room.services.lobby.open("vault", {}, 2, PEOPLE[0], PLACE, room.request, theme=name)
    assert (await room.services.settings.preferences(PEOPLE[0])).theme == DEFAULT_THEME
    assert await room.services.queries.matches(PEOPLE[0]) == []


async def test_direct_messages_that_are_switched_on_bring_the_turns_that_are_open(room: Room) -> None:
    info = await room.begin()
    await room.begin_alone()
    await room.lay(info, 0)
    ended = await room.begin()
    await room.services.actions.resign(ended.id, PEOPLE[0], room.request)

    async def emptied() -> list[tuple[str, str]]:
        jobs = await room.services.outbox.next_jobs(50)
        for job in jobs:
            await room.services.outbox.done(job)
        return [(job.table_id, job.target) for job in jobs if job.kind is JobKind.TURN]

    seen: list[tuple[str, str]] = []
    for seat in range(2):
        person = room.person(info, seat)
        lines = await room.services.queries.matches(person)
        open_turns = [(line.table.id, str(line.seat)) for line in lines if line.asked]
        await emptied()
        woken = room.woken
        await room.services.settings.set_dms(person, dms=True)
        assert sorted(await emptied()) == sorted(open_turns)
        assert (room.woken > woken) is bool(open_turns)
        await room.services.settings.set_dms(person, dms=False)
        assert await emptied() == []
        seen += open_turns
    assert (info.id, "1") in seen
    assert (info.id, "0") not in seen


async def test_a_thread_leads_to_its_match(room: Room) -> None:
    info = await room.begin()
    assert await room.services.queries.table_of_thread(77) is None
    await room.services.outbox.bind_thread(info.id, 77)
    await room.services.outbox.bind_thread(info.id, 77)
    found = await room.services.queries.table_of_thread(77)
    assert found is not None
    assert (found.id, found.thread_id) == (info.id, 77)
