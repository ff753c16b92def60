"""VOLT's pictures and replays: what they tell, what they keep to themselves, how large they are."""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from PIL import Image

from engines.core.contract import Fact, fact
from engines.core.match import Match
from engines.volt.view import View
from renderers.core.contract import ALT_LIMIT, Table
from renderers.core.film import REEL_LIMIT, Frame, reel
from renderers.core.registry import animator, renderer
from renderers.volt.board import held
from renderers.volt.highlights import Unit, highlights
from renderers.volt.public_data import along, plan
from renderers.volt.replay import MOST, shown
from renderers.volt.traces import Stride, runs, traces
from tests.kit.samples import MORE
from tests.renderers.looks import TABLE, look, named
from tests.renderers.looks import volt as volt_looks

PAINTER: Any = renderer("volt")
ROUNDS = 8


def _news(before: Match, after: Match) -> tuple[Fact, ...]:
    """Return what everybody learnt between two moments of a match."""
    return tuple(told for _, told in after.facts(None)[len(before.facts(None)) :])


def _rounds(match: Match) -> Iterator[tuple[View, tuple[Fact, ...], View]]:
    """Yield activations as computer players make them: the view before, what all learn, the view after."""
    found = 0
    while match.waiting and found < ROUNDS:
        seat = min(match.waiting)
        after = match.act(seat, match.computer(seat))
        facts = _news(match, after)
        if any(one.kind == "die" for one in facts):
            found += 1
            yield match.view(None), facts, after.view(None)
        match = after


@cache
def _rounds_of_four() -> tuple[tuple[View, tuple[Fact, ...], View], ...]:
    return tuple(_rounds(volt_looks.started()))


@cache
def _scripted() -> tuple[View, tuple[Fact, ...]]:
    """Return the view before the scripted round, and its facts."""
    return volt_looks.foundry_before().view(None), volt_looks.foundry().view(None).recap


# --- what pictures tell ---------------------------------------------------------------------------


def test_the_public_picture_says_who_stands_where_and_who_is_done() -> None:
    alt = named("volt_board").told()
    for part in (
        "Beatrice (Dozer, north): on d4, damage 1, 3 points and done (tile 1)",
        "Old Tiepolo (Roller, east): on h5, damage 0, 2 points and still deciding",
        "Tokens: 1 on e4, 3 on g7 and 6 on c3",
        "Mines: d6 (Saw)",
        "Dozer hit b6 from d4",
    ):
        assert part in alt


def test_the_public_picture_names_no_module_that_lies_face_down() -> None:
    view = volt_looks.foundry().view(None)
    told = PAINTER.paint(view, "board", TABLE).alt + PAINTER.text(view, TABLE)
    assert "Piercing Beam" in told
    assert not any(name in told for name in ("Strafe", "Turbo", "Shield", "Crossfire", "Bomb"))


def test_an_own_picture_tells_program_forecast_and_modules() -> None:
    alt = named("volt_private").told()
    for part in (
        "Unit I: blue 1 S.",
        "Unit III: blue 1 W + Strafe left.",
        "If nobody else moves: Roller h5–g7, Roller hit b6 from h6 and Saw was destroyed on b6.",
        "Your active modules: Piercing Beam and Strafe. Your spare modules: Turbo and Pit Clamps.",
    ):
        assert part in alt
    assert "Your active modules: Piercing Beam and Strafe." in named("volt_modules").told()


def test_a_plan_over_an_open_edge_says_what_is_lost() -> None:
    assert "Dozer was destroyed on i2" in named("volt_fall").told()


def test_choices_are_told_and_drawn() -> None:
    chosen = named("volt_start").paint()
    assert "Spaces you can choose: c9, e9 and g9. Chosen: e9." in chosen.alt
    other = look(volt_looks.started(), 2, "start", "c9").paint()
    assert other.data != chosen.data


def test_the_text_shows_every_robot_pit_and_wall() -> None:
    text = PAINTER.text(volt_looks.foundry().view(None), TABLE)
    assert "\n4  . . . N 1 . . . .  4\n" in text
    assert "\n7  . # + . S . 3 o .  7\n" in text
    assert "e2_" in text


# --- what a draft marks ---------------------------------------------------------------------------


def test_a_die_without_an_arrow_is_kept_on_its_unit() -> None:
    one = named("volt_chosen")
    marks = highlights(one.view, one.draft, one.menu)
    assert marks.units[0] == Unit("blue", 3, "")
    assert marks.active == 0
    assert marks.arrows == ("N", "E", "S", "W")


def test_swaps_change_which_modules_are_active() -> None:
    one = look(volt_looks.foundry(), 1, "swap+turbo-strafe")
    found = {item.name: item.active for item in held(one.view, highlights(one.view, one.draft, one.menu))}
    assert found == {"piercing": True, "turbo": True, "strafe": False, "pit": False}


def test_the_close_up_is_offered_to_who_holds_modules() -> None:
    offered = {
        name: [key for key, _ in PAINTER.pictures(named(name).view)]
        for name in ("volt_board", "volt_private", "volt_training", "volt_start")
    }
    both, arena = ["board", "controller"], ["board"]
    assert offered == {
        "volt_board": arena, "volt_private": both, "volt_training": arena, "volt_start": both,
    }  # fmt: skip


# --- traces ---------------------------------------------------------------------------------------


def test_strides_along_a_line_are_one_run() -> None:
    steps = [Stride(0, "a1", "b1", True), Stride(0, "b1", "c1", True), Stride(0, "c1", "c2", True)]
    assert runs(steps) == (Stride(0, "a1", "c1", True), Stride(0, "c1", "c2", True))
    back = [Stride(0, "a1", "b1", True), Stride(0, "b1", "a1", True)]
    assert runs(back) == tuple(back)
    assert len(runs([Stride(0, "a1", "b1", True), Stride(1, "b1", "c1", True)])) == 2


@pytest.mark.parametrize(
    ("origin", "target", "found"),
    [("a1", "c3", ("SE", 2)), ("e5", "e2", ("N", 3)), ("e5", "e5", ("", 0)), ("a1", "b3", ("", 0))],
)
def test_lines_between_spaces(origin: str, target: str, found: tuple[str, int]) -> None:
    assert along(origin, target) == found


def test_traces_of_a_round() -> None:
    found = traces(_scripted()[1])
    assert Stride(0, "d1", "d4", True) in found.strides
    assert ("d4", "b6", True) in {(beam.origin, beam.target, beam.hit) for beam in found.shots}


def test_all_arenas_have_a_plan() -> None:
    for key in "ABCD":
        ground = plan(key)
        assert len(ground.tokens) == 6
        assert len(ground.start) == 12
    assert len(plan("D").open) == 8
    assert plan("C").wide == ("e2", "e7")


# --- replays --------------------------------------------------------------------------------------


def test_a_replay_ends_where_the_round_did() -> None:
    for before, facts, after in _rounds_of_four():
        told = shown(before, facts)
        last = told[-1].view
        assert [robot.score for robot in last.robots] == [robot.score for robot in after.robots]
        back = {one["seat"] for one in facts if one.kind in ("placed", "mended")}
        for ours, theirs in zip(last.robots, after.robots, strict=True):
            if ours.seat not in back:
                assert (ours.pos, ours.damage) == (theirs.pos, theirs.damage)
        assert last.mines == after.mines
        assert 3 <= len(told) <= MOST


def test_replays_are_small_moving_pictures_with_words() -> None:
    for before, facts, _ in _rounds_of_four()[: min(MORE, 3)]:
        picture = PAINTER.animate(before, facts, TABLE)
        assert picture.media_type == "image/webp"
        assert len(picture.data) <= REEL_LIMIT
        assert 0 < len(picture.alt) <= ALT_LIMIT
        with Image.open(io.BytesIO(picture.data)) as image:
            assert image.size == (picture.width, picture.height)
            assert getattr(image, "n_frames", 1) > 3


def test_equal_facts_make_equal_replays() -> None:
    before, facts = _scripted()
    assert PAINTER.animate(before, facts, TABLE) == PAINTER.animate(before, facts, TABLE)


@pytest.mark.nightly
def test_themes_make_other_replays_that_say_the_same() -> None:
    before, facts = _scripted()
    first = PAINTER.animate(before, facts, TABLE)
    assert first is not None
    clear = PAINTER.animate(before, facts, Table(TABLE.names, theme="clear"))
    assert clear is not None
    assert clear.data != first.data
    assert clear.alt == first.alt


def test_nothing_moves_where_no_die_was_activated() -> None:
    before, _ = _scripted()
    assert PAINTER.animate(before, (), TABLE) is None
    assert PAINTER.animate(before, (fact("done", seat=0, tile=1),), TABLE) is None


def test_a_long_round_is_thinned_but_loses_no_shot_and_no_loss() -> None:
    before, facts = _scripted()
    told = shown(before, facts)
    long = shown(before, facts * 12)
    assert len(long) < 12 * len(told)
    shots = sum(one.kind == "shot" for one in facts)
    assert sum(one.beam is not None for one in long) == 12 * shots


def test_replays_are_found_by_their_method() -> None:
    found: object = animator(renderer("volt"))
    assert found is renderer("volt")
    assert animator(renderer("volo")) is None


def test_a_reel_keeps_to_its_limit_and_has_frames() -> None:
    picture = Image.effect_noise((96, 96), 90).convert("RGB")
    frames = [Frame(picture.rotate(90 * turn), 100) for turn in range(4)]
    free = reel(frames)
    tight = reel(frames, len(free) // 2)
    assert len(tight) <= len(free) // 2
    with pytest.raises(ValueError, match="frames"):
        reel([])
