"""Guesses at The Secret of the Doge that meet: two at once, and one while somebody chooses cards to show."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.match import Panel, StalePanel
from bot.domain.refusals import GameRefusal, Refusal
from bot.domain.tables import Status, TableInfo
from engines.core.contract import Seat, Words
from engines.core.match import Match
from tests.bot.conftest import Room, click
from tests.bot.test_whole_matches import play_out

STEPS = 60
"""Sentences within which somebody owes cards."""


MATCHES = 12
"""Matches in which a computer player guesses out of turn."""


async def match_of(room: Room, info: TableInfo) -> Match:
    return (await room.services.cache.get(info.id)).require_log().match


async def begin(room: Room) -> TableInfo:
    """Begin a match of four, and play on until guesses are open to all."""
    info = await room.begin("doge", 4, {"gifts": "asked"})
    for _ in range(STEPS):
        public = (await match_of(room, info)).view(None)
        if public.turns > 1 and public.owes is None:
            return info
        await room.play_some(info, 1)
    raise AssertionError("nobody may ever guess")


async def wrong(room: Room, info: TableInfo, number: int = 0) -> Words:
    """Return a wrong guess, one for each number."""
    match = await match_of(room, info)
    public, treasure = match.view(None), match.state.treasure
    pairs = [(i, c) for i in public.institutions for c in public.crafts]
    pairs = [pair for pair in pairs if pair != (treasure.institution, treasure.craft)]
    return ("guess", pairs[number][0].value, pairs[number][1].value)


async def draft(room: Room, info: TableInfo, seat: Seat, words: Words) -> Panel:
    panel = await room.services.drafts.type_in(info.id, room.person(info, seat), " ".join(words), None)
    assert panel.refusal is None
    assert panel.draft == words
    return panel


async def confirm(room: Room, info: TableInfo, panel: Panel) -> Words:
    person = room.person(info, panel.seat)
    return (await room.services.actions.confirm(click(panel), person, room.request)).words


async def guessers(room: Room, info: TableInfo) -> list[Seat]:
    """Return the seats that nobody waits for."""
    asked = (await room.services.cache.get(info.id)).row.asked
    return [seat for seat in range(4) if seat not in asked]


async def test_of_two_guesses_at_once_both_count_if_the_first_is_wrong(room: Room) -> None:
    info = await begin(room)
    seats = (await guessers(room, info))[:2]
    panels = [await draft(room, info, seat, await wrong(room, info, n)) for n, seat in enumerate(seats)]
    said = await asyncio.gather(*(confirm(room, info, panel) for panel in panels))
    assert said == [panel.draft for panel in panels]
    public = (await match_of(room, info)).view(None)
    assert [guess.seat for guess in public.guesses] == seats
    assert (await room.panel(info, seats[1])).learned, "it has seen the treasure"


async def test_a_second_guess_of_the_same_pair_is_asked_again(room: Room) -> None:
    info = await begin(room)
    words = await wrong(room, info)
    one, two = [await draft(room, info, seat, words) for seat in (await guessers(room, info))[:2]]
    first, second = await asyncio.gather(
        confirm(room, info, one), confirm(room, info, two), return_exceptions=True
    )
    assert first == words
    assert isinstance(second, StalePanel)
    fresh = second.panel
    assert (fresh.draft, fresh.revision > two.revision) == (words, True), "nothing of it is lost"
    assert fresh.menu is not None
    assert fresh.menu.prompt.key == "prompt.refuted", "it says why"
    assert len((await match_of(room, info)).view(None).guesses) == 1
    assert await confirm(room, info, fresh) == words, "whoever means it may name it again"


async def test_after_a_right_guess_the_match_is_won_and_no_other_counts(room: Room) -> None:
    info = await begin(room)
    treasure = (await match_of(room, info)).state.treasure
    one, two = (await guessers(room, info))[:2]
    right = await draft(room, info, one, ("guess", treasure.institution.value, treasure.craft.value))
    late = await draft(room, info, two, await wrong(room, info))
    first, second = await asyncio.gather(
        confirm(room, info, right), confirm(room, info, late), return_exceptions=True
    )
    assert first == right.draft
    assert isinstance(second, Refusal)
    assert second.msg.key == "no.over"
    board = await room.services.queries.board(info.id)
    assert board.table.status is Status.OVER
    assert board.outcome is not None
    assert board.outcome.won


@pytest.mark.parametrize("before", [True, False])
async def test_a_guess_while_a_giver_chooses_is_refused_and_kept(room: Room, *, before: bool) -> None:
    """Whether it was drafted before the giver was asked, or meanwhile."""
    info = await begin(room)
    words, old = await wrong(room, info), dict[Seat, Panel]()
    while (public := (await match_of(room, info)).view(None)).owes is None:
        old = {s: await draft(room, info, s, words) for s in await guessers(room, info)} if before else {}
        await room.play_some(info, 1)
    seat = next(seat for seat in range(4) if seat not in (public.owes, public.turn))
    if before:
        with pytest.raises(StalePanel):
            await confirm(room, info, old[seat])
        held = await room.panel(info, seat)
    else:
        held = await draft(room, info, seat, words)
    assert held.menu is not None
    assert (held.draft, held.menu.complete, held.menu.prompt.key) == (words, False, "prompt.guess_waits")
    with pytest.raises(GameRefusal) as caught:
        await confirm(room, info, held)
    assert caught.value.msg.key == "error.cards_owed"
    room = await room.again()
    await room.play_some(info, 1)
    now = await room.panel(info, seat)
    assert now.draft == words
    assert await confirm(room, info, now) == words
    assert (await match_of(room, info)).view(None).guesses[-1].seat == seat
    assert (await room.panel(info, seat)).draft == (), "it is said, and no draft any more"


@pytest.mark.nightly  # several whole matches; that the end of a search comes so is tried in every run
async def test_a_computer_player_guesses_out_of_turn(room: Room) -> None:
    """Sooner or later one of them knows the treasure by what somebody else does, and waits for nobody."""
    for _ in range(MATCHES):
        info = await room.begin_alone("doge", 4)
        await play_out(room, info.id)
        match = await match_of(room, info)
        before = Match.start(match.game, match.setup, match.seed)
        for entry in match.log:
            if entry.words[:1] == ("guess",) and entry.seat not in before.waiting:
                assert match.outcome is not None
                return
            before = before.apply(entry)
    raise AssertionError("nobody ever guesses unasked")
