"""The course of matches, for every game."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from itertools import islice

import pytest

from engines.core import setups
from engines.core.match import AnyGame, Entry, EntryKind, Match
from engines.core.rng import Rng
from tests.contract.checks import play
from tests.contract.checks.sampling import Line, on_from, package, seed, tables
from tests.contract.conftest import GAMES
from tests.contract.fingerprint import in_fresh_process, lines_to_compare
from tests.kit.samples import MORE

LEFT = 6 if MORE > 1 else 2
"""Moments of a game at which a player leaves; the others play on to the end."""


def test_every_moment_of_every_match(played: tuple[Line, ...]) -> None:
    for line in played:
        for match in line.moments:
            play.check_moment(match)
            play.check_last_sentence(match)


def test_what_options_settle_applies(game: AnyGame) -> None:
    play.check_settled(game, seed("settled", game.manifest.key))


def test_every_option_is_for_every_table_size(game: AnyGame) -> None:
    """Seats come and go after the options were chosen, and free ones fall away at the start."""
    for chosen in setups.varieties(game.manifest):
        for seats in game.manifest.seats:
            setup = replace(chosen, seats=seats)
            assert Match.start(game, setup, seed("resized", game.manifest.key)).waiting


def test_matches_come_to_an_end(played: tuple[Line, ...]) -> None:
    assert all(line.end.outcome is not None for line in played)


def test_the_manifest_knows_whether_there_is_chance_or_a_secret(
    game: AnyGame, played: tuple[Line, ...]
) -> None:
    assert game.manifest.combinatorial is all(map(play.is_combinatorial, played))


def test_every_table_is_played(game: AnyGame, played: tuple[Line, ...]) -> None:
    assert {line.end.setup for line in played} == set(tables(game))


def test_the_end_is_final(played: tuple[Line, ...]) -> None:
    for line in played:
        play.check_end(line.end, earlier=line.moments[-2])


def test_replay_gives_the_same_digests(played: tuple[Line, ...]) -> None:
    for line in played:
        play.check_replay(line)


def test_reprs_show_nothing(played: tuple[Line, ...]) -> None:
    for line in played:
        play.check_reprs(line)


def test_nothing_changes_by_asking(moments: tuple[Match, ...], rng: Rng) -> None:
    for match in moments:
        play.check_pure(match, rng)


def test_views_travel(moments: tuple[Match, ...], played: tuple[Line, ...]) -> None:
    for match in (*moments, played[0].end):
        play.check_views_travel(match)


def test_deadlines(moments: tuple[Match, ...]) -> None:
    for match in moments:
        play.check_lapse(match)


def test_any_seat_may_leave_at_any_moment(moments: tuple[Match, ...]) -> None:
    for match in moments:
        for seat in range(match.setup.seats):
            play.check_withdraw(match, seat)


def test_matches_go_on_without_who_left(moments: tuple[Match, ...]) -> None:
    for match in moments[:LEFT]:
        leaving = Entry(EntryKind.WITHDRAW, match.setup.seats - 1)
        after = match if leaving in match.log else match.apply(leaving)
        for later in islice(on_from(after), 4_000):
            play.check_moment(later)


def test_a_draw_may_be_agreed_at_any_moment(moments: tuple[Match, ...]) -> None:
    for match in moments:
        play.check_agree(match)


@pytest.mark.parametrize("hash_seed", [pytest.param("0", marks=pytest.mark.nightly), "4242"])
def test_a_fresh_process_plays_the_same(game: AnyGame, hash_seed: str) -> None:
    assert in_fresh_process(f"{package(game)}:GAME", hash_seed) == tuple(lines_to_compare(game))


@pytest.mark.parametrize("version", ["3.12", "3.13", "3.14"])
def test_other_pythons_play_the_same(version: str) -> None:
    """The engines need nothing but the standard library, and mean the same on each."""
    python = shutil.which(f"python{version}")
    if python is None or subprocess.run([python, "-V"], capture_output=True, check=False).returncode:
        pytest.skip(f"no Python {version} here")
    for game in GAMES.values():
        assert in_fresh_process(f"{package(game)}:GAME", "0", python) == tuple(lines_to_compare(game))
