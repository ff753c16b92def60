"""Which mask of VOLTO took a Lady: through the whole house, nobody but its owner finds a trace of it."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engines.core.contract import EVERYONE, Viewer
from engines.core.match import Match
from engines.core.rng import Rng
from engines.core.texts import load
from engines.volto import events, game, menu
from engines.volto import state as states
from engines.volto.board import KINDS
from engines.volto.state import State
from engines.volto.view import View
from renderers.core.contract import Picture
from renderers.volto import VoltoPainter
from tests.contract.checks.sampling import seed, viewers
from tests.contract.checks.secrets import twin
from tests.games.volto.unseen import drawn, in_another_truth, in_doubt
from tests.kit.samples import some
from tests.leaks.checks.looking import look_around, script
from tests.leaks.checks.twins import Tables, check_truths
from tests.leaks.house import House, house
from tests.leaks.hunt import traces
from tests.leaks.planted_outside import public_pictures

NUMBER, LONG = 8, 40
"""A match, and sentences within which a mask leaves unseen in it."""


def other(match: Match, viewer: Viewer, rng: Rng) -> Match | None:
    """Return another truth: for all but its owner, another mask has left."""
    owners = {mask.seat for mask in match.view(None).unseen}
    return twin(match, viewer, rng) if viewer in owners else in_another_truth(match, viewer, rng)


TABLES = Tables("volto", NUMBER, before=LONG, until=in_doubt, says=drawn, other=other)


async def test_no_trace_of_what_has_left_unseen(tmp_path: Path) -> None:
    assert await check_truths(TABLES, tmp_path, short=True) == 3


# --- canaries -------------------------------------------------------------------------------------

CANARIES = (
    ("engines.volto", "fact.left_in_secret", "{player} {origin} {target} {capturer} kingfisher"),
    ("renderers.volto", "alt.unseen.own", "{kind} nightingale"),
)
"""Texts that only the owner may ever get, with a word in each that stands nowhere else."""

WORDS = (b"kingfisher", b"nightingale")


async def test_what_its_owner_is_told_reaches_nobody_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await check_owner_alone(tmp_path, monkeypatch)


async def check_owner_alone(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Play until a mask has left, let everybody look at everything, and search what each has got."""
    for package, key, text in CANARIES:
        patch.setitem(load(package).languages["en"], key, text)
    async with house("volto", folder, NUMBER, dms=True) as each:
        await _play_on(each)
        [owner] = {mask.seat for mask in each.match.view(None).unseen}
        for viewer in viewers(each.match):
            rng = Rng(seed("owner alone", str(viewer)))
            await look_around(each, script(each.match, viewer, rng, short=True))
        got: dict[int | None, set[bytes]] = {}
        for sent in each.wire.sent:
            texts = [sent.body, *(alt for _, alt, _ in sent.files)]
            found = {word for word in WORDS for text in texts if traces(text.encode(), [word])}
            got.setdefault(sent.reader, set()).update(found)
        assert got.pop(each.person_at(owner)) == set(WORDS), "its owner is not told"
        assert not any(got.values()), "others are told"


async def _play_on(each: House) -> None:
    for _ in range(LONG):
        if in_doubt(each.match):
            return
        seat = min(each.asked())
        await each.say(seat, drawn(each.match, seat))
        await each.settle()
    raise AssertionError("this moment never came")


# --- planted leaks --------------------------------------------------------------------------------


class Truth:
    """What leaks tell: the mask that left unseen in the state that was looked at last."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.number = 0
        honest = states.look

        def look(state: State, viewer: Viewer) -> View:
            kinds = {mask.id: kind for mask, kind in state.kinds()}
            found = [kinds[ply.mask] for ply in state.public.plies if ply.left]
            self.number = 1 + KINDS.index(found[0]) if found else 0
            return honest(state, viewer)

        patch.setattr(game.Volto, "view", staticmethod(look))


def seen_by_all(patch: pytest.MonkeyPatch) -> None:
    """Everybody sees the mask as its owner does."""
    honest = states.look

    def look(state: State, viewer: Viewer) -> View:
        view = honest(state, viewer)
        shown = {mask.id: mask for one in view.unseen for mask in honest(state, one.seat).unseen}
        masks = (replace(m, kind=shown[m.id].kind) if m.id in shown else m for m in view.masks)
        return replace(view, masks=tuple(masks))

    patch.setattr(game.Volto, "view", staticmethod(look))


def told_by_text(patch: pytest.MonkeyPatch) -> None:
    truth, honest = Truth(patch), VoltoPainter.text
    patch.setattr(VoltoPainter, "text", lambda *given: honest(*given) + "." * truth.number)


def told_by_alt_text(patch: pytest.MonkeyPatch) -> None:
    truth = Truth(patch)
    public_pictures(patch, lambda picture: replace(picture, alt=picture.alt + "." * truth.number))


def told_by_pixels(patch: pytest.MonkeyPatch) -> None:
    truth = Truth(patch)

    def spoil(picture: Picture) -> Picture:
        image = Image.open(io.BytesIO(picture.data)).convert("RGB")
        image.putpixel((31, 31), (40 * truth.number, 0, 0))
        out = io.BytesIO()
        image.save(out, "PNG")
        return replace(picture, data=out.getvalue())

    public_pictures(patch, spoil)


def offered_by_truth(patch: pytest.MonkeyPatch) -> None:
    """In which order moves are offered goes by the truth."""
    truth, honest = Truth(patch), menu.menu_after

    def menu_after(view: View, draft: Any) -> Any:
        found = honest(view, draft)
        turn = truth.number
        fields = tuple(
            replace(each, choices=each.choices[turn:] + each.choices[:turn]) for each in found.fields
        )
        return replace(found, fields=fields)

    patch.setattr(game.Volto, "menu_for", staticmethod(menu_after))


@pytest.mark.parametrize(
    "leak", some([seen_by_all, told_by_text, told_by_alt_text, told_by_pixels, offered_by_truth])
)
async def test_a_planted_leak_is_seen(
    leak: Callable[[pytest.MonkeyPatch], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leak(monkeypatch)
    with pytest.raises(AssertionError, match=r"hidden truth|== 3"):
        assert await check_truths(TABLES, tmp_path, short=True) == 3


async def test_a_text_that_reaches_others_is_seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "only", lambda *_: EVERYONE)
    with pytest.raises(AssertionError, match="others are told"):
        await check_owner_alone(tmp_path, monkeypatch)
