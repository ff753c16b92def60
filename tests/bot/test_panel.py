from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import replace

import pytest

from bot.domain.match import Click, Panel
from bot.domain.refusals import Refusal
from bot.matches.drafts import TEXT_LIMIT
from engines.core.contract import msg
from tests.bot.conftest import PEOPLE, PLACE, Room, click
from tests.bot.toy import ORDERS

STALE = (msg("note.stale"),)


async def refused(key: str, work: Awaitable[object]) -> None:
    with pytest.raises(Refusal) as caught:
        await work
    assert caught.value.msg.key == f"no.{key}"


def same(one: Panel, two: Panel) -> bool:
    """Return whether two panels differ in their notes at most."""
    return replace(one, notes=(), refusal=None) == replace(two, notes=(), refusal=None)


async def test_a_draft_grows_and_is_taken_back(room: Room) -> None:
    info = await room.begin()
    anna = room.person(info, 0)
    first = await room.panel(info, 0)
    assert (first.draft, first.revision, first.asked) == ((), 0, True)
    assert first.menu is not None
    one = await room.services.drafts.choose(click(first), anna, "lay")
    two = await room.services.drafts.choose(click(one), anna, "bca")
    assert (two.draft, two.revision) == (("lay", "bca"), 2)
    assert two.menu is not None
    assert two.menu.closing
    assert two.view.mine == "bca"
    assert two.decision == first.decision
    three = await room.services.drafts.back(click(two), anna)
    assert (three.draft, three.revision, three.view.mine) == (("lay",), 3, "")
    four = await room.services.drafts.clear(click(three), anna)
    assert (four.draft, four.revision) == ((), 4)
    assert (await room.services.drafts.clear(click(four), anna)).revision == 4
    assert await room.services.drafts.panel(info.id, anna.id) == four
    assert room.services.drafts.peek_panel(info.id, anna) == four


async def test_every_game_shows_a_panel_to_every_seat(room: Room, any_game: str) -> None:
    info = await room.begin(any_game)
    for seat in range(2):
        panel = await room.panel(info, seat)
        assert (panel.seat, panel.draft, panel.revision, panel.notes) == (seat, (), 0, ())
        assert panel.asked is (seat in (await room.services.cache.get(info.id)).row.asked)
        if panel.asked and panel.menu is not None and panel.menu.choices():
            word = panel.menu.choices()[0].word
            after = await room.services.drafts.choose(click(panel), room.person(info, seat), word)
            assert after.revision == 1
            assert after.draft
            back = await room.services.drafts.back(click(after), room.person(info, seat))
            assert (back.draft, back.revision) == ((), 2)


async def test_a_click_twice_counts_once(room: Room) -> None:
    info = await room.begin()
    panel = await room.panel(info, 0)
    first, second = await asyncio.gather(
        *(room.services.drafts.choose(click(panel), room.person(info, 0), "lay") for _ in range(2))
    )
    assert sorted([first.notes, second.notes]) == [(), STALE]
    assert same(first, second)
    assert (first.draft, first.revision) == (("lay",), 1)


async def test_stale_clicks_change_nothing(room: Room) -> None:
    info = await room.begin()
    anna = room.person(info, 0)
    old = click(await room.panel(info, 0))
    now = await room.draft(info, 0, "lay")
    for work in (
        room.services.drafts.choose(old, anna, "lay"),
        room.services.drafts.shuffle(old, anna, "random"),
        room.services.drafts.back(old, anna),
        room.services.drafts.clear(old, anna),
        room.services.drafts.use_preset(old, anna),
        room.services.drafts.type_in(info.id, anna, "lay abc", old),
    ):
        panel = await work
        assert panel.notes == STALE
        assert same(panel, now)


async def test_words_that_are_not_offered_change_nothing(room: Room) -> None:
    info = await room.begin()
    panel = await room.draft(info, 0, "lay")
    for word in ("abd", "", "lay", "x" * 500, "abc mark"):
        after = await room.services.drafts.choose(click(panel), room.person(info, 0), word)
        assert after.notes == STALE
        assert same(after, panel)
    for key in ("lay", "nowhere"):
        after = await room.services.drafts.shuffle(click(panel), room.person(info, 0), key)
        assert after.notes == STALE
        assert same(after, panel)


async def test_a_secret_commit_makes_no_panel_stale(room: Room) -> None:
    info = await room.begin(seats=3)
    before = [await room.draft(info, seat, "lay") for seat in range(3)]
    board = await room.services.queries.board(info.id)
    await room.say(info, 0, "lay cab")
    assert await room.services.queries.board(info.id) == board
    for seat in (1, 2):
        assert await room.panel(info, seat) == before[seat]
        after = await room.services.drafts.choose(click(before[seat]), room.person(info, seat), "abc")
        assert after.notes == ()
        assert after.draft == ("lay", "abc")


async def test_an_own_commit_changes_decision_and_revision(room: Room) -> None:
    info = await room.begin()
    before = await room.draft(info, 0, "lay", "abc")
    await room.services.actions.confirm(click(before), room.person(info, 0), room.request)
    after = await room.panel(info, 0)
    assert after.decision != before.decision
    assert after.revision > before.revision
    assert after.draft == ()


async def test_a_click_counts_where_only_other_choices_changed(room: Room) -> None:
    info = await room.begin()
    await room.lay_all(info)
    before = await room.draft(info, 1, "mark")
    await room.say(info, 0, "call low")
    now = await room.panel(info, 1)
    assert now.decision != before.decision
    assert now.revision == before.revision
    after = await room.services.drafts.choose(click(before), room.person(info, 1), "x")
    assert (after.notes, after.draft) == ((), ("mark", "x"))


async def test_what_falls_away_of_a_draft_is_said(room: Room) -> None:
    info = await room.begin()
    await room.lay_all(info)
    before = await room.draft(info, 1, "mark", "y")
    await room.say(info, 0, "call high")
    now = await room.panel(info, 1)
    assert now.draft == ("mark",)
    assert now.revision > before.revision
    assert now.notes == (msg("note.cut", n=1),)
    assert (await room.panel(info, 1)) == now
    assert (await room.services.drafts.choose(click(before), room.person(info, 1), "x")).notes[0] == STALE[0]
    after = await room.services.drafts.choose(click(now), room.person(info, 1), "x")
    assert (after.draft, after.notes) == (("mark", "x"), ())


async def test_back_after_a_cut_takes_the_last_word(room: Room) -> None:
    info = await room.begin()
    await room.lay_all(info)
    await room.draft(info, 1, "mark", "y")
    await room.say(info, 0, "call high")
    panel = await room.services.drafts.back(click(await room.panel(info, 1)), room.person(info, 1))
    assert (panel.draft, panel.notes) == ((), ())


async def test_an_aside_leaves_the_other_draft_alone(room: Room) -> None:
    info = await room.begin()
    anna = room.person(info, 0)
    panel = await room.draft(info, 0, "lay", "abc")
    aside = await room.services.drafts.type_in(info.id, anna, "mark x", click(panel))
    assert aside.draft == ("mark", "x")
    assert aside.revision > panel.revision
    await room.services.actions.confirm(click(aside), anna, room.request)
    after = await room.panel(info, 0)
    assert after.draft == ("lay", "abc")
    assert after.revision > aside.revision
    receipt = await room.services.actions.confirm(click(after), anna, room.request)
    assert receipt.words == ("lay", "abc")


async def test_a_new_own_draft_puts_the_aside_away(room: Room) -> None:
    info = await room.begin()
    await room.draft(info, 0, "mark", "x")
    panel = await room.services.drafts.type_in(info.id, room.person(info, 0), "lay abc", None)
    assert panel.draft == ("lay", "abc")
    assert (await room.services.drafts.clear(click(panel), room.person(info, 0))).draft == ()


async def test_revisions_never_go_back(room: Room) -> None:
    info = await room.begin()
    anna, seen = room.person(info, 0), [0]
    for text in ("mark x", "lay abc", "mark y", "lay bca"):
        panel = await room.services.drafts.type_in(info.id, anna, text, None)
        seen.append(panel.revision)
    await room.services.actions.confirm(click(panel), anna, room.request)
    seen.append((await room.panel(info, 0)).revision)
    await room.draft(info, 0, "mark")
    seen.append((await room.panel(info, 0)).revision)
    assert seen == sorted(set(seen))


async def test_the_house_shuffles_and_writes_the_word_out(room: Room) -> None:
    info = await room.begin()
    drawn = set()
    for _ in range(40):
        panel = await room.draft(info, 0, "lay")
        panel = await room.services.drafts.shuffle(click(panel), room.person(info, 0), "random")
        assert panel.draft[1] in ORDERS
        drawn.add(panel.draft[1])
        await room.services.drafts.clear(click(panel), room.person(info, 0))
    assert len(drawn) > 3


async def test_back_undoes_the_last_change_where_words_are_folded_in(room: Room) -> None:
    info = await room.begin()
    anna = room.person(info, 0)
    seen = []
    for text in ("lay abc", "lay bca", "lay cab"):
        panel = await room.services.drafts.type_in(info.id, anna, text, None)
        seen.append(panel.draft)
    room = await room.again()
    panel = await room.services.drafts.panel(info.id, anna)
    for expected in (seen[1], seen[0], (), ()):
        panel = await room.services.drafts.back(click(panel), anna)
        assert panel.draft == expected


async def test_typed_words_go_on_or_begin_anew(room: Room) -> None:
    info = await room.begin()
    anna = room.person(info, 0)
    assert (await room.services.drafts.type_in(info.id, anna, " lay ", None)).draft == ("lay",)
    assert (await room.services.drafts.type_in(info.id, anna, "CAB", None)).draft == ("lay", "cab")
    assert (await room.services.drafts.type_in(info.id, anna, "lay abc", None)).draft == ("lay", "abc")


@pytest.mark.parametrize(
    ("text", "key"), [("fly", "error.word"), ("call low", "error.now"), ("lay abx", "error.which")]
)
async def test_what_the_game_refuses_changes_nothing(room: Room, text: str, key: str) -> None:
    info = await room.begin()
    panel = await room.panel(info, 0)
    after = await room.services.drafts.type_in(info.id, room.person(info, 0), text, None)
    assert after.refusal == msg(key)
    assert same(after, panel)


async def test_the_refusal_is_of_the_reading_that_came_further(room: Room) -> None:
    info = await room.begin()
    await room.draft(info, 0, "lay")
    panel = await room.services.drafts.type_in(info.id, room.person(info, 0), "abx", None)
    assert panel.refusal == msg("error.which")
    assert not panel.reveals


async def test_draws_typed_in_one_line_say_that_they_reveal(room: Room) -> None:
    info = await room.begin("corto")
    while (asked := (await room.services.queries.board(info.id)).view.place) is not None:
        [square, *_] = [found.square for found in (await room.panel(info, asked)).view.board]
        panel = await room.services.drafts.type_in(info.id, room.person(info, asked), f"start {square}", None)
        assert not panel.reveals
        panel = await room.services.drafts.type_in(
            info.id, room.person(info, asked), "draw " + " ".join(panel.view.strips), None
        )
        assert panel.menu is not None
        assert panel.menu.closing
        assert panel.reveals
        await room.services.actions.submit(info.id, asked, None, panel.draft, room.request)


async def test_what_follows_a_word_that_reveals_waits(room: Room) -> None:
    info = await room.begin()
    await room.lay_all(info)
    panel = await room.services.drafts.type_in(info.id, room.person(info, 0), "draw 2 call low", None)
    assert panel.draft == ("draw", "2")
    assert panel.notes == (msg("note.rest", text="call low"),)
    assert panel.view.hand == ()
    assert panel.reveals


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("x" * (TEXT_LIMIT + 1), "too_long"),
        ("lay\nabc", "control"),
        ("lay \u202eabc", "control"),
        ("lay\x00", "control"),
        ("\ud800", "control"),
        ("   ", "empty_text"),
        ("", "empty_text"),
    ],
)
async def test_texts_that_are_not_read(room: Room, text: str, key: str) -> None:
    info = await room.begin()
    panel = await room.panel(info, 0)
    await refused(key, room.services.drafts.type_in(info.id, room.person(info, 0), text, None))
    assert await room.panel(info, 0) == panel


async def test_who_has_no_panel(room: Room) -> None:
    info = await room.services.lobby.open("toy", {}, 2, PEOPLE[0], PLACE, room.request)
    await refused("not_started", room.services.drafts.panel(info.id, PEOPLE[0]))
    assert room.services.drafts.peek_panel(info.id, PEOPLE[0]) is None
    await room.services.lobby.leave(info.id, PEOPLE[0], room.request)
    await refused("closed", room.services.drafts.panel(info.id, PEOPLE[0]))
    info = await room.begin()
    stranger = PEOPLE[3]
    somebody = click(await room.panel(info, 0))
    await refused("not_seated", room.services.drafts.panel(info.id, stranger))
    await refused("not_seated", room.services.drafts.choose(somebody, stranger, "lay"))
    await refused("unknown_match", room.services.drafts.choose(Click("nope", "", 0), stranger, "lay"))
    assert room.services.drafts.peek_panel(info.id, stranger) is None
    assert room.services.drafts.peek_panel("nope", stranger) is None


async def test_a_foreign_click_draws_on_the_presser_alone(room: Room) -> None:
    """The seat comes from who pressed: another's click id is but a stale one, or one's own."""
    info = await room.begin()
    await room.draft(info, 0, "lay")
    theirs = click(await room.panel(info, 0))
    mine = await room.services.drafts.choose(theirs, room.person(info, 1), "abc")
    assert (mine.seat, mine.draft, mine.notes) == (1, (), STALE)
    assert (await room.panel(info, 0)).draft == ("lay",)


async def test_no_drafting_where_nothing_may_be_said(room: Room) -> None:
    info = await room.begin(seats=3)
    panel = await room.panel(info, 0)
    await room.services.actions.resign(info.id, room.person(info, 0), room.request)
    await refused("withdrawn", room.services.drafts.choose(click(panel), room.person(info, 0), "lay"))
    await room.services.actions.resign(info.id, room.person(info, 1), room.request)
    await refused("over", room.services.drafts.choose(click(panel), room.person(info, 2), "lay"))
    final = await room.panel(info, 0)
    assert final.menu is None
    assert final.outcome is not None


async def test_the_last_kept_sentence_is_offered(room: Room) -> None:
    first = await room.begin()
    assert (await room.panel(first, 0)).preset is None
    anna = room.person(first, 0)
    await room.say(first, 0, "lay cba")
    await room.say(first, 0, "mark x")
    again = await room.begin()
    seat = again.seat_of(anna.id)
    assert seat is not None
    assert (await room.panel(again, 1 - seat)).preset is None
    panel = await room.panel(again, seat)
    assert panel.preset == ("lay", "cba")
    panel = await room.services.drafts.use_preset(click(panel), anna)
    assert (panel.draft, panel.preset) == (("lay", "cba"), None)
    room = await room.again()
    panel = await room.services.drafts.back(click(await room.services.drafts.panel(again.id, anna)), anna)
    assert panel.preset == ("lay", "cba")
    await room.lay_all(again)
    panel = await room.services.drafts.panel(again.id, anna)
    assert panel.preset is None
    assert (await room.services.drafts.use_preset(click(panel), anna)).notes == STALE


async def test_completions(room: Room, any_game: str) -> None:
    info = await room.begin(any_game)
    game = room.games[any_game]
    seat = (await room.services.cache.get(info.id)).row.asked[0]
    anna = room.person(info, seat)
    offered = room.services.queries.peek_completions(info.id, anna, "")
    menu = (await room.panel(info, seat)).menu
    assert menu is not None
    assert bool(menu.choices() or any(field.shuffle for field in menu.fields)) is bool(offered)
    assert len(offered) <= 25
    for text in offered:
        panel = await room.services.drafts.type_in(info.id, anna, text, None)
        assert panel.refusal is None
        assert panel.draft
        await room.services.drafts.clear(click(panel), anna)
    words = await room.sentence(info, seat)
    whole = game.write(words)
    for length in range(len(whole)):
        found = room.services.queries.peek_completions(info.id, anna, whole[:length])
        assert all(text.casefold().startswith(whole[:length].strip().casefold()) for text in found)
        assert all(len(text) <= 100 for text in found)


async def test_completions_go_on_with_the_draft(room: Room) -> None:
    info = await room.begin()
    anna = room.person(info, 0)
    assert room.services.queries.peek_completions(info.id, anna, "") == ("mark", "lay")
    assert room.services.queries.peek_completions(info.id, anna, "lay c") == ("lay cab", "lay cba")
    assert room.services.queries.peek_completions(info.id, anna, "LAY  ca") == ("lay cab",)
    await room.draft(info, 0, "lay")
    assert room.services.queries.peek_completions(info.id, anna, "")[:6] == ORDERS
    assert room.services.queries.peek_completions(info.id, anna, "c") == ("cab", "cba")
    assert room.services.queries.peek_completions(info.id, anna, "zzz") == ()
    assert room.services.queries.peek_completions(info.id, PEOPLE[3], "") == ()
    assert room.services.queries.peek_completions("nope", anna, "") == ()


async def test_what_may_be_shuffled_is_completed_with_random_orders(room: Room, any_game: str) -> None:
    info = await room.begin(any_game)
    tried = 0
    for seat in range(info.setup.seats):
        panel = await room.panel(info, seat)
        parts = next((f.shuffle for f in panel.menu.fields if f.shuffle), ()) if panel.menu else ()
        if not parts:
            continue
        tried += 1
        person = room.person(info, seat)
        offered = room.services.queries.peek_completions(info.id, person, "")
        assert 1 < len(offered) == len(set(offered))
        assert room.services.queries.peek_completions(info.id, person, "") == offered, (
            "they change at every key"
        )
        for text in offered:
            assert room.games[any_game].read(text)
            for length in range(len(text) + 1):
                found = room.services.queries.peek_completions(info.id, person, text[:length].lower())
                assert found
                assert all(one.lower().startswith(text[:length].strip().lower()) for one in found)
            assert room.services.queries.peek_completions(info.id, person, text) == (text,)
        assert room.services.queries.peek_completions(info.id, person, offered[0] + parts[0]) == ()
    assert any_game != "volto" or tried == 2
