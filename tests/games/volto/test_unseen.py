"""A mask that has left unseen reaches nobody but its owner: whole matches in two truths, channel by channel.

Two matches have the same moves, and the mask that took a Lady is another one in each. Whatever those reach
who cannot tell the two apart is compared byte by byte; each channel has a leak planted that turns it red.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any, TypeAlias

import pytest
from PIL import Image

from engines.core.canonical_json import canonical
from engines.core.contract import EVERYONE, Event, Viewer, Words
from engines.core.match import Match
from engines.core.optional_methods import Level, Skill
from engines.core.rng import Rng
from engines.volto import GAME, beliefs, events, game, rules, thinking
from engines.volto import state as states
from engines.volto.beliefs import Reading, Weights
from engines.volto.board import KINDS, SEATS, Kind, rival
from engines.volto.state import State
from engines.volto.view import Mask, Ply, View
from renderers.core.painter import Order
from renderers.volto import VoltoPainter
from tests.contract.checks.sampling import plain, viewers
from tests.games.volto.unseen import Pair, in_another_truth, matches
from tests.kit.samples import MORE
from tests.renderers.looks import TABLE

MATCHES = 12 * MORE
NAMES = {Kind.NOBLE: "Noble", Kind.ADVISOR: "Advisor", Kind.SOLDIER: "Soldier"}

READING = Reading(setup=1.0, moves=1.0, deeds=1.0)
SKILL = 0.02


# --- matches in two truths ------------------------------------------------------------------------


@cache
def pairs() -> tuple[Pair, ...]:
    """Return matches in which the rival of a mask's owner cannot tell which one has left unseen."""
    found = []
    for number in range(MATCHES):
        for match in matches(number):
            [owner, *_] = (mask.seat for mask in match.view(None).unseen if len(mask.may_be) > 1)
            other = in_another_truth(match, rival(owner), Rng(match.seed))
            if other is not None:
                found.append(Pair(match, other, owner))
    return tuple(found)


# --- what somebody reaches ------------------------------------------------------------------------

Channel: TypeAlias = Callable[[Match, Viewer], object]


def seen(match: Match, viewer: Viewer) -> object:
    return canonical(GAME.describe(match.view(viewer)))


def whole_view(match: Match, viewer: Viewer) -> object:
    """Return the view itself: a description may leave something out."""
    return match.view(viewer)


def order_of(match: Match, viewer: Viewer) -> Order[View]:
    return Order(match.view(viewer), "board", TABLE, (), None if viewer is None else match.menu(viewer))


def alt_text(match: Match, viewer: Viewer) -> object:
    return VoltoPainter().describe(order_of(match, viewer))


def picture(match: Match, viewer: Viewer) -> object:
    return VoltoPainter().image(order_of(match, viewer)).tobytes()


def board_as_text(match: Match, viewer: Viewer) -> object:
    return VoltoPainter().text(match.view(viewer), TABLE)


def film(match: Match, viewer: Viewer) -> object:
    """Return the moving picture of the capture and of the present, as the viewer saw them."""
    captured = next(n for n, ply in enumerate(match.view(None).plies) if ply.left)
    then = Match.replay(GAME, match.setup, match.seed, match.log[: len(SEATS) + captured + 1])
    return VoltoPainter().film([then.view(viewer), match.view(viewer)], TABLE).data


def log(match: Match, viewer: Viewer) -> object:
    """Return all that somebody was told, as facts and in words."""
    again = Match.replay(GAME, match.setup, match.seed, match.log)
    told = [(found, GAME.narrate(found)) for _, found in again.facts(viewer)]
    return [(found, None if said is None else plain(GAME).text(said)) for found, said in told]


def believed(match: Match, viewer: Viewer) -> object:
    return [belief.shares() for belief in beliefs.beliefs(match.view(viewer), READING)]


def chosen(match: Match, viewer: Viewer) -> object:
    """Return what computer players of all levels would do, and what they say for it."""
    if viewer not in match.waiting or viewer is None:
        return None
    words = [match.computer(viewer, Skill(level, SKILL)) for level in Level]
    return [(one, GAME.reason(match.view(viewer), one)) for one in words]


def imagined(match: Match, viewer: Viewer) -> object:
    """Return truths that somebody would draw."""
    drawn = [GAME.imagine(match.view(viewer), Rng(match.seed).child("draw", n)) for n in range(4)]
    return [canonical(GAME.record(state)) for state in drawn]


def answers(match: Match, viewer: Viewer) -> object:
    """Return the menu, and the summary of all moves."""
    return None if viewer is None else (match.menu(viewer), sorted(GAME.legal(match.view(viewer)) or ()))


CHANNELS: Mapping[str, Channel] = {
    "view": seen,
    "fields": whole_view,
    "alt text": alt_text,
    "picture": picture,
    "text": board_as_text,
    "film": film,
    "log": log,
    "beliefs": believed,
    "computer": chosen,
    "imagine": imagined,
    "menu": answers,
}


FEW: Mapping[str, int] = {"picture": 5, "film": 2, "computer": 5}
"""Matches that are looked at where it takes long; else all of them."""


def check(name: str) -> int:
    """Compare what strangers reach through a channel; return how often there was something."""
    found = 0
    for pair in pairs()[: FEW.get(name)]:
        for viewer in pair.strangers:
            one, two = (CHANNELS[name](match, viewer) for match in (pair.real, pair.other))
            same = one == two  # pytest would print all of it
            assert same, f"viewer {viewer} learns by the {name} what has left unseen"
            found += one is not None
    return found


def test_there_are_matches_to_look_at() -> None:
    assert len(pairs()) >= 12
    for pair in pairs():
        [gone] = [mask for mask in pair.real.view(None).unseen if mask.seat == pair.owner]
        assert gone.kind is None
        assert gone.may_be == (Kind.NOBLE, Kind.SOLDIER)


@pytest.mark.parametrize("name", CHANNELS)
def test_others_reach_the_same(name: str) -> None:
    assert check(name)


def test_its_owner_sees_and_is_told_what_it_was() -> None:
    for pair in pairs():
        for match in (pair.real, pair.other):
            [gone] = [mask for mask in match.view(pair.owner).unseen if mask.seat == pair.owner]
            true = next(kind for mask, kind in match.state.kinds() if mask.id == gone.id)
            assert (gone.kind, gone.may_be, gone.revealed) == (true, (true,), False)
            told = [found for _, found in match.facts(pair.owner) if found.kind == "left_in_secret"]
            assert [found["capturer"] for found in told] == [true.value]
            assert f"Your {NAMES[true]} left unseen, so your rival" in str(alt_text(match, pair.owner))


def test_everybody_sees_all_once_the_match_is_over() -> None:
    for pair in pairs():
        over = GAME.agree(pair.real.state, Rng(pair.real.seed)).state
        true = {mask.id: kind for mask, kind in over.kinds()}
        for viewer in viewers(pair.real):
            view = GAME.view(over, viewer)
            assert all((mask.kind, mask.revealed) == (true[mask.id], True) for mask in view.masks)
            assert all(ply.lost is true[ply.mask] for ply in view.plies if ply.left)


# --- planted leaks --------------------------------------------------------------------------------


Change: TypeAlias = Callable[[View, "Truth"], View]


class Truth:
    """What leaks tell: the symbols in the state that was looked at last."""

    def __init__(self, patch: pytest.MonkeyPatch, change: Change | None = None) -> None:
        self.state: State | None = None
        honest = states.look

        def look(state: State, viewer: Viewer) -> View:
            self.state = state
            view = honest(state, viewer)
            return view if change is None or not view.unseen else change(view, self)

        patch.setattr(game.Volto, "view", staticmethod(look))

    def kind(self, mask: str) -> Kind:
        assert self.state is not None
        return next(kind for each, kind in self.state.kinds() if each.id == mask)

    @property
    def unseen(self) -> Kind | None:
        """Return the first one that has left unseen."""
        plies = () if self.state is None else self.state.public.plies
        return next((self.kind(ply.mask) for ply in plies if ply.left), None)

    @property
    def number(self) -> int:
        """Return a number that tells its symbol: 0 where none has."""
        return 0 if self.unseen is None else 1 + KINDS.index(self.unseen)


def symbol_shown(patch: pytest.MonkeyPatch) -> None:
    """The view holds the symbol of the mask that has left."""

    def change(view: View, truth: Truth) -> View:
        masks = (m if m not in view.unseen else replace(m, kind=truth.kind(m.id)) for m in view.masks)
        return replace(view, masks=tuple(masks))

    Truth(patch, change)


def symbol_in_the_move(patch: pytest.MonkeyPatch) -> None:
    """The list of moves says what was lost."""

    def told(ply: Ply, truth: Truth) -> Ply:
        return replace(ply, lost=truth.kind(ply.mask)) if ply.left else ply

    Truth(patch, lambda view, truth: replace(view, plies=tuple(told(ply, truth) for ply in view.plies)))


def symbol_of_the_track(patch: pytest.MonkeyPatch) -> None:
    """What the mask's own track allows is what it is."""

    def change(view: View, truth: Truth) -> View:
        masks = (m if m not in view.unseen else replace(m, fits=(truth.kind(m.id),)) for m in view.masks)
        return replace(view, masks=tuple(masks))

    Truth(patch, change)


def matched_too_well(patch: pytest.MonkeyPatch) -> None:
    """What the mask may be is what it is."""

    def change(view: View, truth: Truth) -> View:
        masks = (m if m not in view.unseen else replace(m, may_be=(truth.kind(m.id),)) for m in view.masks)
        return replace(view, masks=tuple(masks))

    Truth(patch, change)


def a_field_that_nobody_describes(patch: pytest.MonkeyPatch) -> None:
    """What its track allows is what it is."""

    def change(view: View, truth: Truth) -> View:
        masks = (m if m not in view.unseen else replace(m, fits=(truth.kind(m.id),)) for m in view.masks)
        return replace(view, masks=tuple(masks))

    Truth(patch, change)


def spelt_out(patch: pytest.MonkeyPatch) -> None:
    """The alt text has a blank more for some truths."""
    truth, honest = Truth(patch), VoltoPainter.describe
    patch.setattr(VoltoPainter, "describe", lambda *given: honest(*given) + " " * truth.number)


def spelt_out_in_the_text(patch: pytest.MonkeyPatch) -> None:
    truth, honest = Truth(patch), VoltoPainter.text
    patch.setattr(VoltoPainter, "text", lambda *given: honest(*given) + str(truth.number))


def painted(patch: pytest.MonkeyPatch) -> None:
    """A corner of the picture is a little lighter for some truths."""
    truth, honest = Truth(patch), VoltoPainter.image

    def image(painter: VoltoPainter, order: Any) -> Image.Image:
        found = honest(painter, order).convert("RGB")
        found.paste((40 * truth.number,) * 3, (0, 0, 16, 16))
        return found

    patch.setattr(VoltoPainter, "image", image)


def told_to_everybody(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(events, "only", lambda *_: EVERYONE)


def told_in_another_datum(patch: pytest.MonkeyPatch) -> None:
    """What all others are told has a datum that its sentence does not say."""
    honest = events.move_events

    def move_events(ply: Ply, mover: Kind) -> Iterator[Event]:
        for each in honest(ply, mover):
            told = replace(each.fact, data=(*each.fact.data, ("odd", mover.value)))
            yield replace(each, fact=told) if each.fact.kind == "left_unseen" else each

    patch.setattr(rules, "move_events", move_events)


def believed_by_truth(patch: pytest.MonkeyPatch) -> None:
    """Beliefs go by the truth."""
    truth, honest = Truth(patch), Reading.weights

    def weights(self: Reading, mask: Mask, done: Sequence[Weights]) -> Weights:
        is_unseen = mask.gone and mask.shown is None
        return honest(self, replace(mask, fits=(truth.kind(mask.id),)) if is_unseen else mask, done)

    patch.setattr(Reading, "weights", weights)


def thought_by_truth(patch: pytest.MonkeyPatch) -> None:
    """Which of its moves a computer player makes goes by the truth."""
    truth = Truth(patch)

    def sentence(view: View, *_: object) -> Words:
        moves = sorted(GAME.legal(view) or ())
        return moves[truth.number % len(moves)]

    patch.setattr(thinking, "sentence", sentence)


def imagined_by_truth(patch: pytest.MonkeyPatch) -> None:
    """What is imagined is the truth itself."""
    truth = Truth(patch)
    patch.setattr(game.Volto, "imagine", lambda *_: truth.state)


LEAKS: Sequence[tuple[Callable[[pytest.MonkeyPatch], None], str]] = [
    (symbol_shown, "view"),
    (symbol_shown, "alt text"),
    (symbol_shown, "picture"),
    (symbol_shown, "film"),
    (symbol_in_the_move, "view"),
    (symbol_of_the_track, "beliefs"),
    (symbol_of_the_track, "fields"),
    (matched_too_well, "view"),
    (matched_too_well, "alt text"),
    (a_field_that_nobody_describes, "fields"),
    (spelt_out, "alt text"),
    (spelt_out_in_the_text, "text"),
    (painted, "picture"),
    (painted, "film"),
    (told_to_everybody, "log"),
    (told_in_another_datum, "log"),
    (believed_by_truth, "beliefs"),
    (thought_by_truth, "computer"),
    (imagined_by_truth, "imagine"),
]


@pytest.mark.parametrize(("leak", "name"), LEAKS, ids=lambda item: getattr(item, "__name__", item))
def test_a_planted_leak_is_seen(
    leak: Callable[[pytest.MonkeyPatch], None], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert pairs()  # before anything is planted
    leak(monkeypatch)
    with pytest.raises(AssertionError, match=f"learns by the {name} what has left unseen"):
        check(name)
