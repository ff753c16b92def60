"""The Secret of the Doge's computer players: what they see, what they guess, and what is said for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from engines.core.contract import Msg, Seat, Words
from engines.core.match import Match
from engines.core.optional_methods import Level, Skill
from engines.core.rng import Rng
from engines.core.setups import complete
from engines.doge import GAME
from engines.doge.outlook import Board
from engines.doge.player import Mind
from engines.doge.playout import World
from engines.doge.thinking import MEMORY, UNLIKELY, likelihood
from tests.games.doge.support import (
    BLUE,
    RED,
    SEED,
    SPENT,
    YELLOW,
    at,
    english,
    play,
    public,
    seat_of,
    start,
    twins,
    view,
)

TINY = 0.002
"""An effort of two playouts."""

SURE = [
    *(f"{colour} gives red {card} 7" for colour, card in (("blue", "peril"), ("yellow", "peril"))),
    *(f"{colour} gives red {card} 5" for colour, card in (("blue", "ascia"), ("yellow", "ascia"))),
    "green gives red peril 9",
    "green gives red ascia 9",
]
"""What tells red that nobody has the treasure: six clues."""


def said(match: Match, level: Level, colour: str, effort: float = TINY) -> Words:
    return match.computer(seat_of(colour), Skill(level, effort))


def unasked(match: Match, level: Level, colour: str) -> Words | None:
    return match.interrupt(seat_of(colour), Skill(level, TINY))


def reason(match: Match, colour: str, *words: str) -> str:
    return english(GAME.reason(view(match, colour), words))


def moments(level: Level, match: Match) -> Iterator[tuple[Match, Seat, Words]]:
    """Yield what each seat says in a whole match, and before what."""
    skill = Skill(level, TINY)
    while match.waiting:
        unasked = ((seat, match.interrupt(seat, skill)) for seat in range(match.setup.seats))
        seat, words = next((each for each in unasked if each[1] is not None), (min(match.waiting), None))
        words = words or match.computer(seat, skill)
        yield match, seat, words
        match = match.act(seat, words)


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("seats", GAME.manifest.seats)
def test_whole_matches_are_legal_repeatable_and_sensible(level: Level, seats: int) -> None:
    match = Match.start(GAME, complete(GAME.manifest, seats, {"gifts": "asked"}), SEED)
    for before, seat, words in moments(level, match):
        assert english(GAME.reason(before.view(seat), words))
        if words[0] == "guess":
            assert GAME.reason(before.view(seat), words).key != "reason.guess.impossible"
        elif before.public_count % 5 == 0:
            assert before.computer(seat, Skill(level, TINY)) == words


@pytest.mark.parametrize("level", Level)
def test_what_only_the_truth_tells_changes_nothing(level: Level) -> None:
    for die in (None, 3):
        match = at("1357", turn="red", die=die, told=SURE[:3])
        assert {said(twin, level, "red") for twin in twins(match, RED, 4)} == {said(match, level, "red")}


def test_other_randomness_gives_other_sentences() -> None:
    match = start()
    menu = match.menu(BLUE)
    assert menu is not None
    for level in Level:
        found = {
            GAME.think(match.view(BLUE), menu, Skill(level, TINY), Rng(bytes([n]) * 32)) for n in range(8)
        }
        assert len(found) > 1


def test_each_level_has_a_name() -> None:
    names = {english(GAME.level_names[level]) for level in Level}
    assert names == {"Apprentice", "Caulker", "Admiral"}


# --- guesses --------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [Level.MIDDLE, Level.BEST])
def test_the_treasure_is_named_once_it_is_certain(level: Level) -> None:
    match = at("1357", told=SURE)
    assert unasked(match, level, "red") == ("guess", "peril", "ascia")
    assert unasked(at("1357", told=SURE[:5]), level, "red") is None
    assert said(at("1357", turn="red", told=SURE), level, "red") == ("guess", "peril", "ascia")


def test_the_first_level_forgets_its_oldest_clues() -> None:
    assert len(SURE) > MEMORY
    match = at("135", told=[line for line in SURE if "green" not in line], turn="red")
    assert unasked(match, Level.FIRST, "red") == ("guess", "peril", "ascia")
    later = [f"blue gives red {card} 5" for card in ("biennale", "corder", "comune", "remer")]
    forgotten = at("135", told=[*(line for line in SURE if "green" not in line), *later], turn="red")
    assert unasked(forgotten, Level.MIDDLE, "red") == ("guess", "peril", "ascia")
    assert unasked(forgotten, Level.FIRST, "red") is None


@pytest.mark.parametrize("level", Level)
def test_a_guess_comes_before_a_way_that_loses(level: Level) -> None:
    lost = at("0357", die=2, ghosts="")
    assert said(lost, level, "blue")[0] == "guess"


@pytest.mark.parametrize("level", Level)
def test_nobody_summons_the_ghost_without_a_card_where_there_is_another_way(level: Level) -> None:
    match = at("1057", die=1, ghosts="")
    assert {said(replace(match, seed=bytes([n]) * 32), level, "blue") for n in range(48)} == {("ccw",)}


@pytest.mark.parametrize("level", Level)
def test_a_last_guess_is_made(level: Level) -> None:
    last = at("1357", die=1, ghosts="comune marina", left=SPENT)
    last = last.act(BLUE, ("cw",))
    assert said(last, level, "blue")[0] == "guess"


LATE = "sovrintendenza favro"
DEAL_LATE = ("peril ascia", "comune remer", "biennale corder", "marina impiraressa")
"""Blue and yellow play for a treasure that comes after blue's pair in every list."""


def test_the_best_level_infers_from_a_wrong_guess() -> None:
    """Blue can only have named the Sovrintendenza because it is not its own: then it is the treasure's."""
    told = ["yellow gives blue sovrintendenza 5", "blue guesses sovrintendenza remer"]
    match = at("-0", turn="yellow", die=2, ghosts="", told=told, deal=DEAL_LATE, treasure=LATE)
    assert said(match, Level.MIDDLE, "yellow", effort=0.05)[1] == "peril"
    assert said(match, Level.BEST, "yellow", effort=0.05)[1] == "sovrintendenza"


def test_a_truth_is_unlikely_in_which_somebody_keeps_quiet_who_is_certain() -> None:
    quiet, certain = (at("1357", told=told) for told in (SURE[:5], SURE))
    assert likelihood(World.of(quiet.state), view(quiet, "blue")) == 1
    assert likelihood(World.of(certain.state), view(certain, "blue")) == UNLIKELY
    assert likelihood(World.of(certain.state), view(certain, "red")) == 1


def test_a_truth_is_the_likelier_the_more_speaks_for_what_was_guessed() -> None:
    """Blue knows the institution, and that it is no other; two crafts are as likely to it."""
    told = ["yellow gives blue sovrintendenza 5"]
    guesses = [f"blue guesses {pair}" for pair in ("sovrintendenza remer", "comune remer", "peril ascia")]
    matches = [at("-1", told=[*told, guess], deal=DEAL_LATE, treasure=LATE) for guess in guesses]
    found = [likelihood(World.of(match.state), view(match, "yellow")) for match in matches]
    assert found == [1 / 2, UNLIKELY, UNLIKELY]


# --- gifts ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", [Level.MIDDLE, Level.BEST])
def test_a_gift_is_one_that_its_receiver_can_resolve(level: Level) -> None:
    """Both know the other's craft by the ghost: with red's, blue proves its institution."""
    crafts = ("ascia", "remer", "impiraressa")
    told = [line for card in crafts for line in (f"blue gives red {card} 5", f"red gives blue {card} 9")]
    match = play(at("1237", turn="red", die=2, told=told), "red ccw")
    assert public(match).owes == BLUE
    assert said(match, level, "blue", effort=0.05)[:3] == ("show", "sovrintendenza", "corder")


# --- what the next round promises -----------------------------------------------------------------


DRAWS = 24
"""How often a seat is asked, each time with other randomness, to find all that it holds as good."""


def all_said(match: Match, level: Level, colour: str) -> set[str]:
    """Return the last words of what a level may say."""
    return {said(replace(match, seed=bytes([n]) * 32), level, colour)[-1] for n in range(DRAWS)}


@pytest.mark.parametrize("level", [Level.MIDDLE, Level.BEST])
@pytest.mark.parametrize(("blue", "yellow"), [(3, {"0", "6"}), (4, {"2", "6"})])
def test_pawns_begin_where_they_may_meet_soon(level: Level, blue: int, yellow: set[str]) -> None:
    """Both may meet with two faces two or three squares apart. Fewest others summon the ghost there."""
    assert all_said(play(start(2), f"blue place {blue}"), level, "yellow") == yellow


@pytest.mark.parametrize("level", [Level.MIDDLE, Level.BEST])
def test_a_gift_is_laid_where_most_rolls_find_it(level: Level) -> None:
    """Both stand on 3, and two of six faces lead from there to 1 or 5."""
    met = play(at("13", die=2), "blue cw")
    assert all_said(met, level, "yellow") == {"1", "5"}
    assert all_said(met, Level.FIRST, "yellow") > {"1", "5"}


def test_of_ways_that_teach_nothing_one_goes_where_others_may_come() -> None:
    """Between 7 and 9 the 2 leads, which two faces show; between 5 and 9 only the 4."""
    assert all_said(at("69", die=1), Level.MIDDLE, "blue") == {"cw"}


def test_playouts_follow_what_each_seat_knows() -> None:
    match = at("1357", told=["blue shows red biennale 7", "green gives red remer 5", "yellow looks 7"])
    world = World.of(match.state)
    for seat in range(4):
        mind = Mind.of(match.view(seat))
        assert world.knows[seat].bit_count() == mind.deals.bit_count()
        numbers = {
            pair: number for pair, number in world.clues[seat].treasures(world.knows[seat]).items() if number
        }
        assert numbers == {
            pair: (mind.deals & mind.table.with_pair(mind.table.treasure, pair)).bit_count()
            for pair in mind.table.pairs_of(mind.table.treasure, mind.deals)
        }


def test_playouts_see_the_board_as_everybody_does() -> None:
    told = ["blue shows red biennale 7", "green gives red remer 5", "red guesses marina favro"]
    match = at("13-7", told=told, left={"yellow": ""}, ghosts="comune marina")
    world = World.of(match.state)
    assert world.board() == Board.of(public(match))
    copy = world.copy()
    copy.go(BLUE, 5)
    assert copy.board() != world.board() == Board.of(public(match))


def test_a_playout_goes_on_while_anybody_is_in() -> None:
    world = World.of(at("13", deal=DEAL_LATE, treasure=LATE).state)
    world.guess(YELLOW)
    assert world.pawns == [1, None]
    assert world.won is None
    world.guess(BLUE)
    assert world.won is False


def test_a_playout_ends_and_changes_no_state() -> None:
    match = start()
    for colour, square in zip(("blue", "yellow", "red", "green"), "1357", strict=True):
        match = match.act(seat_of(colour), ("place", square))
    before = match.digest()
    ends = {World.of(match.state).play_on(YELLOW, Rng(SEED).stream(n)) for n in range(20)}
    assert ends == {True, False}
    assert match.digest() == before


# --- hints ----------------------------------------------------------------------------------------


def test_hints_say_what_a_step_teaches() -> None:
    match = at("3357", die=2, told=["yellow shows blue biennale 1", "blue shows red comune 5"])
    assert reason(match, "blue", "cw").startswith("Red could still be any of 1")
    assert "Yellow showed you Biennale and Remer" in reason(match, "blue", "ccw")
    empty = at("1357", die=1, ghosts="")
    assert reason(empty, "blue", "cw") == "The ghost’s deck is empty, so if you go this way, you all lose."
    either = at("1357", die=1, ghosts="comune marina")
    assert reason(either, "blue", "cw") == (
        "Whichever way you go, you summon the ghost. Its deck will then have 1 card left."
    )


def test_hints_say_what_a_gift_proves() -> None:
    match = at("1137", turn="red", die=2, told=["blue shows red comune 7"]).act(RED, ("ccw",))
    match = match.act(RED, ("meet", "blue"))
    assert "proves to Red that you’re Favro" in reason(match, "blue", "show", "marina", "favro", "5")
    assert "from 8 pairs to 2" in reason(match, "blue", "show", "sovrintendenza", "corder", "5")


def test_hints_say_how_sure_a_guess_is() -> None:
    sure = at("1357", told=SURE)
    assert reason(sure, "red", "guess", "peril", "ascia").startswith("Your clues leave only this treasure")
    assert reason(sure, "red", "guess", "marina", "ascia") == "Your clues rule out this pair."
    match = at("1357")
    assert "in 6% of cases" in reason(match, "red", "guess", "peril", "ascia")


def test_hints_know_no_more_than_the_seat() -> None:
    match = at("3357", die=2, told=["yellow shows blue biennale 1", "red shows green comune 5"])
    for words in (("cw",), ("ccw",), ("guess", "peril", "ascia")):
        told: set[Msg] = {GAME.reason(twin.view(BLUE), words) for twin in twins(match, BLUE)}
        assert len(told) == 1


@pytest.mark.parametrize(
    "words", ["ahead -", "ahead marina favro 5", "mark red remer X", "auto off", "pass", "roll"]
)
def test_every_sentence_has_a_reason(words: str) -> None:
    assert reason(at("1357"), "blue", *words.split())


def test_a_hint_says_who_can_come_where_there_is_nothing_to_find() -> None:
    match = at("1468", die=2)
    assert reason(match, "blue", "cw") == (
        "You learn nothing there, but 2 pawns can reach you with one roll. Meetings keep the ghost away."
    )
