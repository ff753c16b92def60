"""Messages with pictures, of every game, as they are sent: each alone in its gallery, and in few requests."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.domain.tables import Status
from bot.pages.custom_ids import Action, Button, ButtonId, pack
from renderers.core.contract import Picture
from renderers.core.registry import renderer
from tests.kit.painting import Inline
from tests.leaks.house import house
from tests.leaks.wire import Sent
from tests.ui.limits import walk
from tests.ui.positions import PAINTED

FILE, GALLERY = 13, 12


class QuickPainter(Inline):
    """Paints nothing, at once, and counts."""

    def __init__(self) -> None:
        super().__init__(paint_with=self._paint)
        self.painted = 0

    def _paint(self, packed: bytes) -> Picture:
        self.painted += 1
        return Picture(packed[:64], "image/png", 4, 3, f"picture {self.painted}")

    async def reel(self, request: Any) -> Picture:
        return Picture(b"moving", "image/webp", 4, 3, request.game)

    async def film(self, replay: Any, table: Any) -> Picture:
        return Picture(b"film", "image/webp", 4, 3, f"{replay['game']}, {len(table.names)} players")


@pytest.mark.parametrize("key", PAINTED)
async def test_every_picture_has_a_gallery_of_its_own(key: str, tmp_path: Path) -> None:
    async with house(key, tmp_path, painter=QuickPainter()) as made:
        seat = made.asked()[0]
        who, all_of_a_seat = made.person_at(seat), renderer(key).pictures(made.match.view(seat))
        await made.open(who)
        for name in ("board", "hand"):
            await made.command(who, name)
        assert len(made.wire.sent[-1].files) == len(all_of_a_seat)
        await made.command(who, "resign")
        await made.press(who, made.newest(who), pack(ButtonId(made.table.id, Button.RESIGN)))
        await made.settle()
        await made.command(who, "log")
        kinds = {name for sent in made.wire.sent for name in shown_by(sent)}
        assert {"board.png", "view1.png", "log.txt"} <= kinds
        assert ("film.webp" in kinds) is (made.live.info.status is Status.OVER)


def shown_by(sent: Sent) -> Iterator[str]:
    """Yield the files of a message, each of which is shown once, and alone in its gallery."""
    everything = list(walk(json.loads(sent.body).get("components") or []))
    galleries = [item["items"] for item in everything if item["type"] == GALLERY]
    assert all(len(items) == 1 for items in galleries), "several of one gallery would be small, cropped tiles"
    media = [items[0]["media"]["url"] for items in galleries]
    media += [item["file"]["url"] for item in everything if item["type"] == FILE]
    uploaded = [f"attachment://{name}" for name, _, _ in sent.files]
    assert sorted(uploaded) == sorted(url for url in media if url.startswith("attachment://")), sent.act
    yield from (name for name, _, _ in sent.files)


@pytest.mark.parametrize("key", PAINTED)
async def test_a_click_on_a_panel_whose_picture_is_kept_is_answered_by_one_request(
    key: str, tmp_path: Path
) -> None:
    painter = QuickPainter()
    async with house(key, tmp_path, painter=painter) as made:
        who = made.person_at(made.asked()[0])
        panel = await made.open(who)
        before, painted = len(made.wire.sent), painter.painted
        await made.act(who, panel, Action.REFRESH)
        # "answer 7" changes the clicked message; an acknowledgement, and an edit later, would be two.
        assert [sent.act for sent in made.wire.sent[before:]] == ["answer 7"]
        assert painter.painted == painted
