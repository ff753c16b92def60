"""Drafts that others interrupt: Confirm counts where it means what its panel showed, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.domain.match import Panel, StalePanel
from bot.domain.refusals import GameRefusal
from bot.domain.tables import TableInfo
from engines.core.contract import msg
from tests.bot.conftest import Room, click, refused
from tests.kit.vault.game import Vault
from tests.kit.vault.shifting import Shifting
from tests.kit.vault.state import View

STALE = (msg("note.stale"),)


@pytest.fixture
async def shifting(tmp_path: Path) -> AsyncIterator[Room]:
    room = await Room(tmp_path / "house.db", {"vault": Shifting()}).enter()
    yield room
    await room.store.close()


async def confirm(room: Room, info: TableInfo, panel: Panel) -> tuple[str, ...]:
    """Confirm a panel as it was drawn; return what was said."""
    return (
        await room.services.actions.confirm(click(panel), room.person(info, panel.seat), room.request)
    ).words


async def stale(room: Room, info: TableInfo, panel: Panel) -> Panel:
    """Expect a panel to be out of date; return how it is drawn anew."""
    rows = await room.log_rows(info.id)
    with pytest.raises(StalePanel) as caught:
        await confirm(room, info, panel)
    assert caught.value.panel.notes[:1] == STALE
    assert await room.log_rows(info.id) == rows
    return caught.value.panel


async def open_table(room: Room, seats: int = 3) -> TableInfo:
    return await room.begin(seats=seats, options={"pledges": "open"})


async def test_what_others_do_in_public_takes_no_confirm_away(room: Room) -> None:
    info = await open_table(room)
    laid, other, *_ = await room.hand(info, 2)
    mine = await room.draft(info, 0, "lay", (await room.hand(info, 0))[0])
    await room.say(info, 2, f"lay {laid}")
    aside = await room.draft(info, 2, "note", other)
    await room.lay(info, 1)
    assert (await room.panel(info, 0)).waiting != mine.waiting, "something has happened"
    assert await confirm(room, info, mine) == mine.draft
    assert len((await room.panel(info, 2)).view.public.shown) == 1, "the cards were turned"
    assert await confirm(room, info, aside) == ("note", other)


async def test_a_draft_counts_although_its_seat_is_asked_something_new(room: Room) -> None:
    """The aside that somebody drafted before the cards were turned is the same one afterwards."""
    info = await room.begin()
    laid, other, *_ = await room.hand(info, 1)
    await room.say(info, 1, f"lay {laid}")
    panel = await room.draft(info, 1, "note", other)
    await room.lay(info, 0)
    now = await room.panel(info, 1)
    assert (now.decision != panel.decision, now.asked, panel.asked) == (True, True, False)
    assert await confirm(room, info, panel) == ("note", other)


@pytest.mark.parametrize("again", [False, True])
async def test_a_draft_that_means_something_else_is_asked_again(shifting: Room, *, again: bool) -> None:
    """The act of somebody else that changes the question raises the revision, for good."""
    room, info = shifting, await shifting.begin()
    panel = await room.draft(info, 0, "return", "1")
    assert panel.menu is not None
    await room.lay_all(info)
    if again:
        room = await room.again()
    now = await room.panel(info, 0)
    assert now.menu is not None
    assert now.menu.prompt != panel.menu.prompt
    assert (now.draft, now.revision) == (panel.draft, panel.revision + 2), (
        "by its own act, and by the other's"
    )
    fresh = await stale(room, info, panel)
    assert (fresh.draft, fresh.revision, fresh.menu) == (now.draft, now.revision, now.menu)
    assert await confirm(room, info, fresh) == ("return", "1")


async def test_the_draft_that_is_not_shown_takes_no_confirm_away(shifting: Room) -> None:
    room, info = shifting, await open_table(shifting)
    mine, noted, *_ = await room.hand(info, 0)
    laying = await room.draft(info, 0, "lay", mine)
    aside = await room.services.drafts.type_in(info.id, room.person(info, 0), f"note {noted}", click(laying))
    await room.lay(info, 1)
    assert await confirm(room, info, aside) == ("note", noted)
    fresh = await stale(room, info, laying)
    assert fresh.draft == ("lay", mine)
    await room.lay(info, 2)
    again = await stale(room, info, fresh)
    assert await confirm(room, info, again) == ("lay", mine)


async def test_back_still_leads_to_what_was_before(shifting: Room) -> None:
    room, info = shifting, await shifting.begin(seats=3)
    hand = await room.hand(info, 0)
    await room.say(info, 0, f"lay {hand[0]}")
    await room.draft(info, 0, "return", "1")
    await room.lay(info, 1)
    await room.lay(info, 2)
    panel = await room.services.drafts.back(click(await room.panel(info, 0)), room.person(info, 0))
    assert panel.draft == ("return",)


async def test_an_aside_survives_while_somebody_else_is_asked(shifting: Room) -> None:
    """It is refused for as long, with the game's own reason, and then it counts."""
    room, info = shifting, await open_table(shifting)
    await room.lay(info, 0)
    panel = await room.draft(info, 0, "return", "1")
    await room.lay(info, 1)
    held = await stale(room, info, panel)
    assert held.menu is not None
    assert (held.draft, held.menu.complete, held.menu.closing) == (("return", "1"), False, False)
    with pytest.raises(GameRefusal) as caught:
        await confirm(room, info, held)
    assert caught.value.msg == msg("not_now")
    room = await room.again()
    assert (await room.panel(info, 0)).draft == held.draft
    # Whoever is done takes the card back, so that two are asked again.
    await room.say(info, 2, f"lay {(await room.hand(info, 2))[0]}")
    after = await room.panel(info, 0)
    assert after.draft == ("return", "1")
    assert after.menu is not None
    assert after.menu.closing
    assert await confirm(room, info, after) == ("return", "1")
    assert (await room.panel(info, 0)).draft == ()


async def test_a_draft_that_is_held_is_taken_back_like_any_other(shifting: Room) -> None:
    room, info = shifting, await open_table(shifting)
    lay = await room.draft(info, 0, "lay")
    typed = await room.services.drafts.type_in(info.id, room.person(info, 0), "return 1", click(lay))
    await room.lay(info, 1)
    await room.lay(info, 2)
    held = await room.panel(info, 0)
    assert held.draft == typed.draft == ("return", "1")
    begun = await room.services.drafts.back(click(held), room.person(info, 0))
    assert begun.draft == ("lay",), "the draft of its turn was there all the while"


async def test_two_at_once_count_both_where_they_say_other_things(room: Room) -> None:
    info = await open_table(room)
    panels = [await room.draft(info, seat, "return", str(2 - seat)) for seat in (0, 2)]
    panels.append(await room.draft(info, 1, "note", (await room.hand(info, 1))[1]))
    said = await asyncio.gather(*(confirm(room, info, panel) for panel in panels))
    assert said == [panel.draft for panel in panels]
    assert len(await room.log_rows(info.id)) == 3


async def test_of_two_at_once_the_first_may_change_what_the_second_means(shifting: Room) -> None:
    """Two confirm together: the first is committed; the second asks something else then, and is redrawn."""
    room, info = shifting, await open_table(shifting)
    await room.lay(info, 0)
    aside = await room.draft(info, 0, "return", "2")
    laying = await room.draft(info, 1, "lay", (await room.hand(info, 1))[0])
    first, second = await asyncio.gather(
        confirm(room, info, laying), confirm(room, info, aside), return_exceptions=True
    )
    assert first == laying.draft
    assert isinstance(second, StalePanel)
    assert second.panel.draft == ("return", "2")
    assert [row.seat for row in await room.log_rows(info.id)] == [0, 1]


async def test_a_double_click_says_an_interrupt_once(room: Room) -> None:
    info = await open_table(room)
    await room.lay(info, 1)
    panel = await room.draft(info, 0, "return", "1")
    answers = await asyncio.gather(*(confirm(room, info, panel) for _ in range(2)), return_exceptions=True)
    assert answers == [("return", "1")] * 2, "the second is told what the first has done"
    assert [row.words for row in await room.log_rows(info.id)][1:] == [("return", "1")]


async def test_what_others_do_in_secret_changes_no_revision(shifting: Room) -> None:
    room, info = shifting, await shifting.begin(seats=3)
    panel = await room.draft(info, 0, "return", "1")
    await room.lay(info, 1)
    await room.say(info, 2, "return 1")
    assert await room.panel(info, 0) == panel
    assert await confirm(room, info, panel) == panel.draft


async def test_nothing_is_worked_out_where_nothing_is_seen(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A secret act folds nobody's draft anew."""
    info = await room.begin(seats=3)
    await room.draft(info, 0, "lay", (await room.hand(info, 0))[0])
    asked: list[object] = []
    menu_for = Vault.menu_for

    def counted(self: Vault, view: View, draft: tuple[str, ...]) -> object:
        asked.append((view.viewer, draft)) if draft and view.viewer == 0 else None
        return menu_for(self, view, draft)

    monkeypatch.setattr(Vault, "menu_for", counted)
    await room.lay(info, 1)
    assert asked == []


async def test_an_empty_draft_confirms_nothing(room: Room) -> None:
    info = await open_table(room)
    panel = await room.panel(info, 0)
    await room.lay(info, 1)
    await refused("empty_draft", confirm(room, info, panel))
