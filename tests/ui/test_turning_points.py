"""The private message that shows turning points: its words, where its buttons lead, and who is offered it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.hostile.house import DATABASE, house_in
from bot.domain.match import TurningPoint, TurningPoints
from bot.domain.tables import Status
from bot.pages.custom_ids import Button, ButtonId, pack, parse
from bot.pages.page import Painting
from bot.pages.texts import Texts, match_link
from bot.pages.turning_points import no_turning_point_page, turning_point_page
from engines.core.contract import Words
from engines.core.match import Match
from engines.core.optional_methods import Judgement
from engines.core.registry import game
from engines.core.texts import sentence
from renderers.core.contract import Picture
from tests.duel import DUEL
from tests.kit.prepared import made
from tests.ui.limits import Json, check, sent, walk
from tests.ui.positions import KEYS, played, table_of
from tests.ui.test_moment import board_of, some_turns, step
from tests.ui.test_several_matches import ALBA, BRUNO, CLARA, Room, buttons, text_of

ENGLISH = Texts()
PICTURE = Picture(b"\x89PNG", "image/png", 400, 400, "a board")


def point_of(match: Match, **changes: Any) -> TurningPoint:
    """Return a turning point of whoever is asked: what a computer player says there is better."""
    found, seat = match.game, min(match.waiting)
    seen, words = match.view(seat), match.computer(seat)
    view, menu = found.preview(seen, words), found.menu(seen, words)
    told = sentence(found, seen, words)
    return replace(TurningPoint(7, told, told, words, view, menu, None, 0.254, 0.75), **changes)


def points_of(match: Match, many: int = 3) -> TurningPoints:
    return TurningPoints(table_of(match, Status.OVER), 0, (point_of(match),) * many)


def steps(points: TurningPoints, number: int) -> list[tuple[ButtonId, bool]]:
    """Return where the buttons of a page lead, and which of them can be pressed."""
    page = sent(turning_point_page(points, number, ENGLISH, Painting(PICTURE)))
    check(page)
    items = [item for item in walk(page) if "custom_id" in item]
    assert [item["label"] for item in items] == ["◀ Before", "Next ▶"]
    found = []
    for item in items:
        place = parse(item["custom_id"])
        assert isinstance(place, ButtonId)
        found.append((place, not item.get("disabled", False)))
    return found


def said(page: Any) -> str:
    return "\n".join(item["content"] for item in walk(sent(page)) if "content" in item)


@pytest.mark.parametrize("key", KEYS)
def test_every_turning_point_fits_into_a_message(key: str) -> None:
    for match in played(key, 5, 40):
        if match.outcome is not None:
            continue
        points = points_of(match)
        for picture, words in ((PICTURE, ""), (None, "x" * 9_000)):
            page = turning_point_page(points, 1, ENGLISH, Painting(picture, words))
            check(sent(page))
            assert len(page.uploads) == (picture is not None)
            assert "\n**Better**\n" in said(page)
            assert words or "`" not in said(page), "notation, where nobody types"
            assert len(said(page).splitlines()) < 14


def test_its_buttons_lead_to_the_one_before_and_the_next() -> None:
    [match, *_] = played(DUEL, 0, 1)
    table = table_of(match).id

    def place(number: int) -> ButtonId:
        return ButtonId(table, Button.TURNING_POINT, number)

    assert steps(points_of(match), 1) == [(place(0), True), (place(2), True)]
    assert [pressable for _, pressable in steps(points_of(match), 0)] == [False, True]
    assert [pressable for _, pressable in steps(points_of(match), 2)] == [True, False]
    assert [pressable for _, pressable in steps(points_of(match, 1), 0)] == [False, False]
    assert [pressable for _, pressable in steps(points_of(match, 2), 0)] == [False, True]


def test_it_says_what_was_played_what_was_better_and_what_it_is_worth() -> None:
    [match, *_] = played(DUEL, 0, 1)
    seat = min(match.waiting)
    [one, other] = [match.game.read(text) for text in ("b5", "b6")]
    reason = match.game.reason(match.view(seat), other)  # type: ignore[attr-defined]  # it is Thinking
    [told, better] = [sentence(match.game, match.view(seat), each) for each in (one, other)]
    point = point_of(match, played=told, better=better, draft=other, reason=reason)
    points = replace(points_of(match), found=(point, point))
    words = said(turning_point_page(points, 1, ENGLISH, Painting(PICTURE))).splitlines()
    assert words[0] == f"### {match_link(points.table, ENGLISH)} · turning point 2 of 2"
    assert words[1].startswith("-# Turn 7, as you saw it then.")
    assert words[2:4] == ["**You played**", "You add a bird on b5."]
    assert words[4:6] == ["**Better**", "You add a bird on b6."]
    assert words[6].startswith("💡 ")
    assert words[7] == ENGLISH.house("turning.chances", played=25, better=75)


def test_where_there_is_none_it_says_so_honestly() -> None:
    [match, *_] = played(DUEL, 0, 1)
    page = no_turning_point_page(points_of(match, 0), ENGLISH)
    check(sent(page))
    assert ENGLISH.house("turning.none") in said(page)


# --- through the house ------------------------------------------------------------------------------


@pytest.fixture
async def room(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> AsyncIterator[Room]:
    made(tmp_path / DATABASE)
    async with house_in(tmp_path, 1) as house:
        yield Room(house)
        assert house.wire.strange == []
    assert [record for record in caplog.records if record.levelno >= 40] == []


@pytest.fixture
def costly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every turn have cost a half of the chances, beside what the player without levels says."""

    def judge(self: Any, view: Any, menu: Any, words: Words, skill: Any, rng: Any) -> Judgement:
        return Judgement(0.25, 0.75, self.player(view, menu, rng))

    monkeypatch.setattr(type(game(DUEL)), "judge", judge)


async def over(room: Room, turns: int = 6) -> str:
    match = await some_turns(room, turns)
    await room.resign(match, BRUNO)
    assert (await room.info(match)).status is Status.OVER
    return match


async def log_of(room: Room, who: int) -> Json:
    return await room.press(who, Button.LOG, board_of(room))


@pytest.mark.usefixtures("costly")
async def test_the_log_of_a_match_that_is_over_leads_there(room: Room) -> None:
    match = await over(room)
    log = await log_of(room, ALBA)
    assert [place.button for place in buttons(log)] == [Button.BEFORE, Button.TURNING_POINTS]
    message = await room.press(ALBA, Button.TURNING_POINTS, log)
    assert message["id"] != log["id"], "the log is still there"
    assert "turning point 1 of 3" in text_of(message)
    message = await step(room, ALBA, "Next ▶", message)
    assert "turning point 2 of 3" in text_of(message)
    message = await step(room, ALBA, "◀ Before", message)
    assert "turning point 1 of 3" in text_of(message)
    assert match in {place.match for place in buttons(message)}


@pytest.mark.usefixtures("costly")
async def test_its_picture_is_the_seats_view_with_the_better_words_drafted(room: Room) -> None:
    match = await over(room)
    painted = room.house.brush.asked
    await room.press(BRUNO, Button.TURNING_POINTS, await log_of(room, BRUNO))
    seat = (await room.info(match)).seat_of(BRUNO)
    points = await room.services.looking_back.turning_points(match, BRUNO)
    assert painted[-1].view.viewer == seat
    assert (painted[-1].view, painted[-1].draft) == (points.found[0].view, points.found[0].draft)


async def test_it_is_offered_to_nobody_while_the_match_runs_and_to_no_onlooker(room: Room) -> None:
    match = await some_turns(room, 4)
    assert [place.button for place in buttons(await log_of(room, ALBA))] == [Button.BEFORE]
    forged = room.pressed(ALBA, pack(ButtonId(match, Button.TURNING_POINTS)), board_of(room))
    assert "once the match is over" in text_of(room.shown(await room.send(forged)))
    await room.resign(match, BRUNO)
    assert [place.button for place in buttons(await log_of(room, CLARA))] == [Button.BEFORE]
    forged = room.pressed(CLARA, pack(ButtonId(match, Button.TURNING_POINTS)), board_of(room))
    assert ENGLISH.house("no.not_seated") in text_of(room.shown(await room.send(forged)))


@pytest.mark.usefixtures("costly")
async def test_a_forged_number_leads_nowhere(room: Room) -> None:
    match = await over(room)
    message = await room.press(ALBA, Button.TURNING_POINTS, await log_of(room, ALBA))
    before = text_of(message)
    for forged in (f"b1:{match}:turning_point", f"b1:{match}:turning_point:3"):
        await room.send(room.pressed(ALBA, forged, message))
        newest = room.house.wire.messages[max(room.house.wire.owners)]
        assert ENGLISH.house("error.stale") in text_of(newest)
        assert text_of(message) == before
