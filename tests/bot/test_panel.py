from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import permutations

import pytest

from bot.domain.match import Click, Panel
from bot.domain.tables import TableInfo
from bot.matches.limits import LIMITS
from engines.core.contract import Msg, msg
from tests.bot.conftest import PEOPLE, PLACE, Room, click, refused

STALE = (msg("note.stale"),)


def same(one: Panel, two: Panel) -> bool:
    """Return whether two panels differ in their notes at most."""
    return replace(one, notes=(), refusal=None) == replace(two, notes=(), refusal=None)


async def test_a_draft_grows_and_is_taken_back(room: Room) -> None:
    info = await room.begin()
    anna = room.person(info, 0)
    first = await room.panel(info, 0)
    assert (first.draft, first.revision, first.asked) == ((), 0, True)
    assert first.menu is not None
    card = first.view.own.hand[2]
    one = await room.services.drafts.choose(click(first), anna, "lay")
    two = await room.services.drafts.choose(click(one), anna, card)
    assert (two.draft, two.revision) == (("lay", card), 2)
    assert two.menu is not None
    assert two.menu.closing
    assert two.view.own.laid == card
    assert two.decision == first.decision
    three = await room.services.drafts.back(click(two), anna)
    assert (three.draft, three.revision, three.view.own.laid) == (("lay",), 3, "")
    four = await room.services.drafts.clear(click(three), anna)
    assert (four.draft, four.revision) == ((), 4)
    assert (await room.services.drafts.clear(click(four), anna)).revision == 4
    assert await room.services.drafts.panel(info.id, anna.id) == four
    assert room.services.drafts.peek_panel(Click(info.id, 0), anna) == four


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
    now = await room.draft(info, 0, "sort")
    for work in (
        room.services.drafts.choose(old, anna, "sort"),
        room.services.drafts.shuffle(old, anna, "order"),
        room.services.drafts.back(old, anna),
        room.services.drafts.clear(old, anna),
        room.services.drafts.use_preset(old, anna),
        room.services.drafts.type_in(info.id, anna, f"lay {now.view.own.hand[0]}", old),
    ):
        panel = await work
        assert panel.notes == STALE
        assert same(panel, now)


async def test_words_that_are_not_offered_change_nothing(room: Room) -> None:
    info = await room.begin()
    panel = await room.draft(info, 0, "lay")
    card, theirs = panel.view.own.hand[0], (await room.hand(info, 1))[0]
    for word in (theirs, "", "lay", "x" * 500, f"{card} note"):
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
    await room.lay(info, 0)
    assert await room.services.queries.board(info.id) == board
    for seat in (1, 2):
        assert await room.panel(info, seat) == before[seat]
        card = before[seat].view.own.hand[0]
        after = await room.services.drafts.choose(click(before[seat]), room.person(info, seat), card)
        assert after.notes == ()
        assert after.draft == ("lay", card)


async def test_an_own_commit_changes_decision_and_revision(room: Room) -> None:
    info = await room.begin()
    before = await room.draft(info, 0, "lay", (await room.hand(info, 0))[0])
    await room.services.actions.confirm(click(before), room.person(info, 0), room.request)
    after = await room.panel(info, 0)
    assert after.decision != before.decision
    assert after.revision > before.revision
    assert after.draft == ()


async def test_a_click_counts_where_only_other_choices_changed(room: Room) -> None:
    info = await room.begin()
    laid, other, *_ = await room.hand(info, 1)
    await room.say(info, 1, f"lay {laid}")
    before = await room.draft(info, 1, "note")
    await room.lay(info, 0)
    now = await room.panel(info, 1)
    assert now.decision != before.decision
    assert now.revision == before.revision
    after = await room.services.drafts.choose(click(before), room.person(info, 1), other)
    assert (after.notes, after.draft) == ((), ("note", other))


async def note_of_a_card_that_goes(room: Room) -> tuple[TableInfo, Panel]:
    """Let Ben draft a note of his card on the table; when the cards are turned, he holds it no more."""
    info = await room.begin()
    card = (await room.hand(info, 1))[0]
    await room.say(info, 1, f"lay {card}")
    panel = await room.draft(info, 1, "note", card)
    await room.lay(info, 0)
    return info, panel


async def test_what_falls_away_of_a_draft_is_said(room: Room) -> None:
    info, before = await note_of_a_card_that_goes(room)
    now = await room.panel(info, 1)
    card = now.view.own.hand[0]
    assert now.draft == ("note",)
    assert now.revision > before.revision
    assert now.notes == (msg("note.cut", n=1),)
    assert (await room.panel(info, 1)) == now
    assert (await room.services.drafts.choose(click(before), room.person(info, 1), card)).notes[0] == STALE[0]
    after = await room.services.drafts.choose(click(now), room.person(info, 1), card)
    assert (after.draft, after.notes) == (("note", card), ())


async def test_back_after_a_cut_takes_the_last_word(room: Room) -> None:
    info, _before = await note_of_a_card_that_goes(room)
    panel = await room.services.drafts.back(click(await room.panel(info, 1)), room.person(info, 1))
    assert (panel.draft, panel.notes) == ((), ())


async def test_an_aside_leaves_the_other_draft_alone(room: Room) -> None:
    info = await room.begin()
    anna = room.person(info, 0)
    card, noted, *_ = await room.hand(info, 0)
    panel = await room.draft(info, 0, "lay", card)
    aside = await room.services.drafts.type_in(info.id, anna, f"note {noted}", click(panel))
    assert aside.draft == ("note", noted)
    assert aside.revision > panel.revision
    await room.services.actions.confirm(click(aside), anna, room.request)
    after = await room.panel(info, 0)
    assert after.draft == ("lay", card)
    assert after.revision > aside.revision
    receipt = await room.services.actions.confirm(click(after), anna, room.request)
    assert receipt.words == ("lay", card)


async def test_a_new_own_draft_puts_the_aside_away(room: Room) -> None:
    info = await room.begin()
    card = (await room.hand(info, 0))[0]
    await room.draft(info, 0, "note", card)
    panel = await room.services.drafts.type_in(info.id, room.person(info, 0), f"lay {card}", None)
    assert panel.draft == ("lay", card)
    assert (await room.services.drafts.clear(click(panel), room.person(info, 0))).draft == ()


async def test_revisions_never_go_back(room: Room) -> None:
    info = await room.begin()
    anna, seen = room.person(info, 0), [0]
    one, two, *_ = await room.hand(info, 0)
    for text in (f"note {one}", f"lay {one}", f"note {two}", f"lay {two}"):
        panel = await room.services.drafts.type_in(info.id, anna, text, None)
        seen.append(panel.revision)
    await room.services.actions.confirm(click(panel), anna, room.request)
    seen.append((await room.panel(info, 0)).revision)
    await room.draft(info, 0, "note")
    seen.append((await room.panel(info, 0)).revision)
    assert seen == sorted(set(seen))


async def test_the_house_shuffles_and_writes_the_word_out(room: Room) -> None:
    info = await room.begin()
    drawn = set()
    orders = {"".join(order) for order in permutations(await room.hand(info, 0))}
    for _ in range(40):
        panel = await room.draft(info, 0, "sort")
        panel = await room.services.drafts.shuffle(click(panel), room.person(info, 0), "order")
        assert panel.draft[1] in orders
        drawn.add(panel.draft[1])
        await room.services.drafts.clear(click(panel), room.person(info, 0))
    assert len(drawn) > 3


async def test_the_house_draws_as_many_as_the_game_asks_for(room: Room) -> None:
    info = await room.begin("corto")
    seat = (await room.services.queries.board(info.id)).view.place
    panel = await room.panel(info, seat)
    [square, *_] = [found.square for found in panel.view.board]
    decks, drawn = set(panel.view.strips), set()
    for _ in range(20):
        panel = await room.draft(info, seat, square)
        panel = await room.services.drafts.shuffle(click(panel), room.person(info, seat), "deal")
        assert panel.draft[:3] == ("start", square, "draw")
        assert len(panel.draft[3:]) == 4
        assert set(panel.draft[3:]) <= decks
        assert panel.reveals
        drawn.add(panel.draft)
        await room.services.drafts.clear(click(panel), room.person(info, seat))
    assert len(drawn) > 3


async def test_back_undoes_the_last_change_where_words_are_folded_in(room: Room) -> None:
    info = await room.begin()
    anna = room.person(info, 0)
    seen = []
    for card in (await room.hand(info, 0))[:3]:
        panel = await room.services.drafts.type_in(info.id, anna, f"lay {card}", None)
        seen.append(panel.draft)
    room = await room.again()
    panel = await room.services.drafts.panel(info.id, anna)
    for expected in (seen[1], seen[0], (), ()):
        panel = await room.services.drafts.back(click(panel), anna)
        assert panel.draft == expected


async def test_typed_words_go_on_or_begin_anew(room: Room) -> None:
    info = await room.begin()
    anna = room.person(info, 0)
    one, two, *_ = await room.hand(info, 0)
    assert (await room.services.drafts.type_in(info.id, anna, " lay ", None)).draft == ("lay",)
    assert (await room.services.drafts.type_in(info.id, anna, one.upper(), None)).draft == ("lay", one)
    assert (await room.services.drafts.type_in(info.id, anna, f"lay {two}", None)).draft == ("lay", two)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("fly", msg("no_sentence")),
        ("return 0", msg("not_now")),
        ("lay bbbbbbbbb", msg("not_yours", word="bbbbbbbbb")),
    ],
)
async def test_what_the_game_refuses_changes_nothing(room: Room, text: str, why: Msg) -> None:
    info = await room.begin()
    panel = await room.panel(info, 0)
    after = await room.services.drafts.type_in(info.id, room.person(info, 0), text, None)
    assert after.refusal == why
    assert same(after, panel)


async def test_the_refusal_is_of_the_reading_that_came_further(room: Room) -> None:
    info = await room.begin()
    await room.draft(info, 0, "lay")
    panel = await room.services.drafts.type_in(info.id, room.person(info, 0), "bbbbbbbbb", None)
    assert panel.refusal == msg("not_yours", word="bbbbbbbbb")
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
    lay = f"lay {(await room.hand(info, 0))[0]}"
    panel = await room.services.drafts.type_in(info.id, room.person(info, 0), f"peek {lay}", None)
    assert panel.draft == ("peek",)
    assert panel.notes == (msg("note.rest", rest=lay),)
    assert not panel.view.own.clue
    assert panel.reveals


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("x" * (LIMITS.typed_characters + 1), "too_long"),
        ("lay\nabc", "control"),
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
    info = await room.services.lobby.open("vault", {}, 2, PEOPLE[0], PLACE, room.request)
    await refused("not_started", room.services.drafts.panel(info.id, PEOPLE[0]))
    assert room.services.drafts.peek_panel(Click(info.id, 0), PEOPLE[0]) is None
    await room.services.lobby.leave(info.id, PEOPLE[0], room.request)
    await refused("closed", room.services.drafts.panel(info.id, PEOPLE[0]))
    info = await room.begin()
    stranger = PEOPLE[3]
    somebody = click(await room.panel(info, 0))
    await refused("not_seated", room.services.drafts.panel(info.id, stranger))
    await refused("not_seated", room.services.drafts.choose(somebody, stranger, "lay"))
    await refused("unknown_match", room.services.drafts.choose(Click("nope", 0), stranger, "lay"))
    assert room.services.drafts.peek_panel(Click(info.id, 0), stranger) is None
    assert room.services.drafts.peek_panel(Click("nope", 0), stranger) is None


async def test_a_foreign_click_draws_on_the_presser_alone(room: Room) -> None:
    """The seat comes from who pressed: another's click id is but a stale one, or one's own."""
    info = await room.begin()
    await room.draft(info, 0, "lay")
    theirs = click(await room.panel(info, 0))
    mine = await room.services.drafts.choose(theirs, room.person(info, 1), (await room.hand(info, 1))[0])
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
    kept, theirs = ("setup", "CSLLAAANNN"), ("setup", "NNNAAALLSC")
    first = await room.begin("volto")
    assert (await room.panel(first, 0)).preset is None
    anna = room.person(first, 0)
    await room.say(first, 0, " ".join(kept))
    await room.say(first, 1, " ".join(theirs))
    await room.play_some(first, 2)
    again = await room.begin("volto")
    seat = again.seat_of(anna.id)
    assert seat is not None
    assert (await room.panel(again, 1 - seat)).preset == theirs
    panel = await room.panel(again, seat)
    assert panel.preset == kept
    panel = await room.services.drafts.use_preset(click(panel), anna)
    assert (panel.draft, panel.preset) == (kept, None)
    room = await room.again()
    panel = await room.services.drafts.back(click(await room.services.drafts.panel(again.id, anna)), anna)
    assert panel.preset == kept
    for each in range(2):
        await room.say(again, each, " ".join(kept))
    while not (panel := await room.services.drafts.panel(again.id, anna)).asked:
        await room.play_some(again, 1)
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
    hand = await room.hand(info, 0)
    first = hand[0]
    alike = tuple(card for card in hand if card[0] == first[0])
    peek = room.services.queries.peek_completions
    heads = ("lay", "peek", "note", "sort", "return")
    assert peek(info.id, anna, "") == heads
    assert peek(info.id, anna, "lay ") == ("lay", *(f"lay {card}" for card in hand))
    assert peek(info.id, anna, f"lay {first[0]}") == tuple(f"lay {card}" for card in alike)
    assert peek(info.id, anna, f"LAY  {first[:5]}") == (f"lay {first}",)
    await room.draft(info, 0, "lay")
    assert peek(info.id, anna, "")[:4] == hand
    assert peek(info.id, anna, first[0]) == (*alike, *(head for head in heads if head[0] == first[0]))
    assert peek(info.id, anna, "aaa") == ()
    assert peek(info.id, PEOPLE[3], "") == ()
    assert peek("nope", anna, "") == ()


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
