"""What people do in the search while somebody else is waited for: by clicks, through the real client."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.pages.custom_ids import Action, PanelId, pack
from bot.pages.texts import Texts
from engines.core.contract import Words, msg
from engines.doge.components import COLOURS, CRAFTS, INSTITUTIONS
from engines.doge.view import Phase
from tests.e2e.four import PEOPLE, confirm, typed
from tests.e2e.searching import Search, who_saw_what
from tests.e2e.stage import Player, Stage, action, choices, places
from tests.kit.reading import text_of

QUIET = 0.4
"""Seconds in which nothing may come; what is public comes within some hundredths."""

TEXTS = Texts()


@pytest.mark.nightly
async def test_asides_while_somebody_chooses_what_to_show(tmp_path: Path) -> None:
    async with Stage(tmp_path) as stage:
        people = [await stage.player(name) for name in PEOPLE]
        search = Search(stage, people, people[3:], gifts="ahead")
        await search.begin()
        await _until(search, lambda: search.public.phase is Phase.SHOW)
        public = search.public
        assert public.owes is not None
        giver = search.at(public.owes)
        # The direct message to who is asked comes after the board.
        giver.panel = await search.panel(giver)
        one, two = (search.at(seat) for seat in range(4) if seat not in (public.owes, public.turn))
        await _notes(search, one, public.owes)
        guess = _wrong_guess(search)
        for player in (one, two):
            await _guess_has_to_wait(search, player, guess)
        await _shows(search, giver)
        await _both_guess(search, one, two, guess)
        await _gifts_in_advance(search)
        assert (await who_saw_what(search))["shown"] > 0
        assert stage.sandbox.violations == []
        assert "incident" not in stage.logged()


async def _until(search: Search, fits: Callable[[], bool]) -> None:
    while not fits():
        await search.round(await search.waited_for())
    await search.waited_for()


async def _notes(search: Search, player: Player, about: int) -> None:
    """A pencil mark and less help: the player's own, and nobody receives anything of it."""
    async with _unnoticed(search, player):
        await search.unasked(player)
        assert await _choose(player, "mark", COLOURS[about], "remer", "X") == 4
        await confirm(player)
        await _choose(player, "auto")
        await confirm(player)
    notes = search.adviser.match().view(search.adviser.seat(player.id)).notes
    assert [(mark.seat, mark.card, mark.mark) for mark in notes.marks] == [(about, "remer", "X")]
    assert not notes.auto


async def _guess_has_to_wait(search: Search, player: Player, guess: Words) -> None:
    """A guess is drafted; Confirm is not offered, and refused where somebody presses it all the same."""
    owes = search.public.owes
    before = search.adviser.match().digest()
    async with _unnoticed(search, player):
        await typed(player, await search.unasked(player), " ".join(guess))
        for _ in range(2):
            panel = player.panel
            assert panel is not None
            first = places(panel)[0]
            assert all(place.action is not Action.CONFIRM for place in places(panel))
            assert " ".join(guess) in text_of(panel), "the draft is lost"
            wanted = PanelId(first.match, first.decision, first.revision, Action.CONFIRM)
            mark = len(player.window.received)
            await player.window.forge(panel, pack(wanted))
            player.panel = await player.window.updated(panel, since=mark)
            assert _says(search, "error.cards_owed", owes) in text_of(player.panel)
    assert search.adviser.match().digest() == before


async def _shows(search: Search, giver: Player) -> None:
    """A gift is four touches at most: the true card, the false one, if need be the square, and Confirm."""
    before, view = len(search.public.gifts), search.adviser.match().view(search.adviser.seat(giver.id))
    false = next(card for card in view.false_hand if card in CRAFTS)
    await _choose(giver, view.own.institution, false)
    await confirm(giver)
    [gift] = search.public.gifts[before:]
    for seat in (gift.receiver, gift.giver):
        await search.looks(seat)
    await search.waited_for()


async def _both_guess(search: Search, one: Player, two: Player, guess: Words) -> None:
    """The same guess by two at once: the first counts, the second is told so and keeps its draft."""
    for player in (one, two):
        assert " ".join(guess) in text_of(await player.touch(action(player.panel or {}, Action.REFRESH)))
    await asyncio.gather(*(confirm(player) for player in (one, two)))
    [made] = search.public.guesses
    assert ("guess", *made.pair.cards) == guess
    late = one if search.adviser.seat(two.id) == made.seat else two
    shown = text_of(late.panel or {})
    assert "⚠️" in shown
    assert " ".join(guess) in shown
    refuted = TEXTS.game("doge", msg("prompt.refuted", pair="§", seat="§")).rpartition("§")[2]
    assert refuted in shown, shown
    await late.touch(action(late.panel or {}, Action.REFRESH))  # it shows the buttons that are left out
    await late.touch(action(late.panel or {}, Action.CLEAR))
    assert len(search.public.guesses) == 1
    await search.waited_for()


async def _gifts_in_advance(search: Search) -> None:
    """A gift that was left in advance is used, and its giver is not asked; nobody notices that it is left."""
    for seat in search.public.still_in:
        player = search.at(seat)
        view = search.adviser.match().view(seat)
        false = next(card for card in view.false_hand if card in INSTITUTIONS)
        async with _unnoticed(search, player):
            await search.unasked(player)
            await _choose(player, "ahead", view.own.craft, false)
            await confirm(player)
        assert search.adviser.match().view(seat).ahead is not None
    before, asked = len(search.public.gifts), len(_said(search, "show", "give"))
    await _until(search, lambda: len(search.public.gifts) > before)
    assert len(_said(search, "show", "give")) == asked, "somebody was asked for a gift that was left"
    gift = search.public.gifts[-1]
    assert search.adviser.match().view(gift.giver).ahead is None


# --- helpers ----------------------------------------------------------------------------------------


@asynccontextmanager
async def _unnoticed(search: Search, player: Player) -> AsyncIterator[None]:
    """Check that within the block nobody else receives anything, and no message is sent or edited."""
    others = [other for other in search.people if other is not player]

    def counts() -> tuple[list[int], int]:
        return [len(other.window.received) for other in others], len(search.stage.said("/channels/"))

    # What came before must have arrived.
    before = await _settled(counts)
    yield
    await asyncio.sleep(QUIET)
    late = [other.window.received[n:] for other, n in zip(others, before[0], strict=True)]
    assert not any(late), [(event.t, event.d) for events in late for event in events]
    assert counts() == before, "a message was sent or edited"


async def _settled(counts: Callable[[], tuple[list[int], int]]) -> tuple[list[int], int]:
    while True:
        before = counts()
        await asyncio.sleep(QUIET)
        if counts() == before:
            return before


async def _choose(player: Player, *words: str) -> int:
    """Choose words by the panel's buttons and selects; return how many touches that took."""
    for number, word in enumerate(words):
        ways = choices(player.panel or {})
        found = [(place, values) for place, values in ways if (values or [place.word]) == [word]]
        assert found, f"{words[: number + 1]} is not offered"
        await player.touch(*found[0])
    return len(words)


def _wrong_guess(search: Search) -> Words:
    match = search.adviser.match()
    treasure = match.state.treasure
    institution = next(card for card in INSTITUTIONS if card != treasure.institution)
    return "guess", institution, next(card for card in CRAFTS if card != treasure.craft)


def _says(search: Search, key: str, seat: int | None) -> str:
    assert seat is not None
    name = search.at(seat).window.name
    return TEXTS.game("doge", msg(key, seat=name))


def _said(search: Search, *heads: str) -> list[Words]:
    return [entry.words for entry in search.adviser.match().log if entry.words and entry.words[0] in heads]
