"""Matches, set-ups and the registry."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import engines
from engines.core import registry, setups, texts
from engines.core.contract import IllegalAction, Menu, Outcome, Setup, Words
from engines.core.match import Entry, EntryKind, Match
from engines.core.optional_methods import Skill
from engines.core.rng import Rng
from engines.core.to_json import Plain
from tests.kit.odds.engine import GAME
from tests.kit.vault.eager import GAME as EAGER
from tests.kit.vault.eager import Eager
from tests.kit.vault.state import View

SEED = bytes(range(32))
SETUP = setups.complete(GAME.manifest, 2)


def played(moves: int) -> Match:
    match = Match.start(GAME, SETUP, SEED)
    for _ in range(moves):
        seat = min(match.waiting)
        match = match.act(seat, match.computer(seat))
    return match


def test_a_log_gives_the_match_again() -> None:
    match = played(6)
    again = Match.replay(GAME, SETUP, SEED, match.log)
    assert again.digest() == match.digest()
    assert again.batches == match.batches
    assert len(match.batches) == len(match.log) + 1 == 7


def test_digests_depend_on_the_seed() -> None:
    one, two = (Match.at(GAME, SETUP, seed, played(1).state) for seed in (SEED, bytes(32)))
    assert one.state == two.state
    assert one.digest() != two.digest()
    assert len(one.digest()) == 64


def test_a_refused_entry_changes_nothing() -> None:
    match = played(1)
    before = match.digest()
    with pytest.raises(IllegalAction):
        match.act(0, ("1",))
    assert match.digest() == before
    assert len(match.log) == 1


def test_facts_are_numbered_by_batches() -> None:
    match = played(2)
    assert [(batch, fact.kind) for batch, fact in match.facts(None)] == [
        (0, "opened"),
        (1, "ready"),
        (2, "ready"),
        (2, "round"),
    ]
    assert match.facts(None, 2) == match.facts(None)[2:]
    assert match.facts(None, 3) == ()


def test_a_match_at_a_position_has_no_past() -> None:
    match = Match.at(GAME, SETUP, SEED, played(2).state)
    assert match.facts(None) == ()
    assert match.log == ()
    after = match.act(0, ("2",))
    assert [batch for batch, _ in after.facts(None)] == [1]


def test_a_seat_without_a_menu_has_no_computer_player() -> None:
    over = played(0).apply(Entry(EntryKind.AGREE))
    with pytest.raises(ValueError, match="nothing is asked"):
        over.computer(0)


def test_an_entry_needs_its_seat() -> None:
    with pytest.raises(ValueError, match="needs a seat"):
        played(0).apply(Entry(EntryKind.WITHDRAW))


def test_computer_players_do_not_follow_what_is_hidden() -> None:
    """Their randomness is their own: what another seat has chosen cannot be read from their sentences."""
    match, other = (played(0).act(1, (word,)) for word in ("1", "3"))
    assert match.computer(0) == other.computer(0)
    assert match.lapse(0) == other.lapse(0)
    drawn = {Match.at(GAME, SETUP, bytes([i]) * 32, match.state).computer(0) for i in range(20)}
    assert drawn == {("1",), ("2",), ("3",)}


def test_who_wins_or_loses_together_has_not_drawn() -> None:
    speaker = Plain(GAME, texts.load("tests.kit.odds.engine"))
    ends = {won: Outcome(((0, 1),), (), won=won) for won in (None, True, False)}
    assert [end.drawn for end in ends.values()] == [True, False, False]
    told = {won: speaker.outcome(end) or {} for won, end in ends.items()}
    assert "won" not in told[None]
    assert [told[won]["won"] for won in (True, False)] == [True, False]


OPEN = setups.complete(EAGER.manifest, 3, {"pledges": "open"})


def laid(match: Match, seat: int) -> Match:
    return match.act(seat, ("lay", match.view(seat).own.hand[0]))


def test_a_computer_player_may_interrupt() -> None:
    match = Match.start(EAGER, OPEN, SEED)
    assert match.interrupt(0) is None
    match = laid(match, 1)
    assert match.waiting == {0, 2}
    assert match.interrupt(0) == ("return", "1")
    assert match.interrupt(1) is None, "only others' cards are sent back"
    following = match.play_on()
    assert following is not None
    after, seat = following
    assert (seat, after.log[-1].words) == (0, ("return", "1"))
    assert after.waiting == {0, 1, 2}
    assert after.interrupt(0) is None


def test_who_has_interrupted_waits_until_the_public_learns_something() -> None:
    """What an interrupt shows nobody must not be said for ever."""

    class Endless(Eager):
        def interrupt(self, view: View, menu: Menu, skill: Skill | None, rng: Rng) -> Words | None:
            return ("sort", "".join(view.own.hand if view.own is not None else ()))

    match = Match.start(Endless(), OPEN, SEED)
    said = []
    for _ in range(5):
        following = match.play_on()
        assert following is not None
        match, seat = following
        said.append((seat, match.log[-1].words[0]))
    assert said == [(0, "sort"), (1, "sort"), (2, "sort"), (0, "lay"), (0, "sort")]


def test_a_note_stops_no_interrupt_and_shifts_none() -> None:
    match = laid(laid(Match.start(EAGER, OPEN, SEED), 1), 2)
    noted = match.act(0, ("note", match.view(0).own.hand[0]))
    assert noted.interrupt(0) == match.interrupt(0) is not None


def test_nobody_interrupts_in_other_games_or_after_the_end() -> None:
    assert played(1).interrupt(0) is None
    match = laid(Match.start(EAGER, OPEN, SEED), 1)
    over = match.apply(Entry(EntryKind.AGREE))
    assert over.interrupt(0) is None
    assert over.play_on() is None


def test_setups_are_completed_in_the_order_of_the_manifest() -> None:
    assert setups.complete(GAME.manifest) == Setup("odds", "1", 2, (("goal", "3"),))
    assert setups.complete(GAME.manifest, 2, {"goal": "5"}) == Setup("odds", "1", 2, (("goal", "5"),))


@pytest.mark.parametrize(
    ("seats", "options", "words"),
    [(1, {}, "2 seats"), (2, {"goal": "4"}, "3 or 5"), (2, {"size": "6"}, "no option 'size'")],
)
def test_setups_that_are_not_offered_are_refused(seats: int, options: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        setups.complete(GAME.manifest, seats, options)


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a folder whose packages count as games; the real ones are out of sight."""
    monkeypatch.setattr(engines, "__path__", [str(tmp_path)])
    registry.games.cache_clear()
    yield tmp_path
    registry.games.cache_clear()
    for name in [name for name in sys.modules if name.startswith("engines.planted")]:
        del sys.modules[name]


def plant(folder: Path, name: str, text: str) -> None:
    (folder / name).mkdir()
    (folder / name / "__init__.py").write_text(text)


def test_a_package_with_a_game_is_installed(packages: Path) -> None:
    game = "from dataclasses import replace\nfrom tests.kit.odds.engine.game import Odds\nGAME = Odds()\n"
    plant(packages, "planted_b", game + "GAME.manifest = replace(Odds.manifest, key='planted_b')")
    plant(packages, "planted_a", game + "GAME.manifest = replace(Odds.manifest, key='planted_a')")
    plant(packages, "planted_c", "")
    assert list(registry.games()) == ["planted_a", "planted_b"]
    assert registry.game("planted_a").manifest.key == "planted_a"


def test_a_game_with_another_name_than_its_package_is_refused(packages: Path) -> None:
    plant(packages, "planted_d", "from tests.kit.odds.engine import GAME")
    with pytest.raises(RuntimeError, match="odds"):
        registry.games()


def test_no_packages_no_games(packages: Path) -> None:
    assert registry.games() == {}
    with pytest.raises(KeyError):
        registry.game("planted_a")
