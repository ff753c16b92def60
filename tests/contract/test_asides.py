"""Sentences that are open to seats at any time: asides, alone and two at once, for all games with any."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice

import pytest

from engines.core import setups
from engines.core.contract import IllegalAction, Seat, Words
from engines.core.match import AnyGame, Match
from engines.core.rng import Rng
from tests.contract import planted_asides as planted
from tests.contract.checks import asides
from tests.contract.checks.sampling import Line, baseline, seed, tables, wild
from tests.contract.conftest import GAMES, lines_of, moments_of
from tests.kit.samples import FIVE, MORE
from tests.kit.vault import GAME as VAULT
from tests.kit.vault.game import Vault
from tests.kit.vault.shifting import GAME as SHIFTING

RNG = Rng(seed("asides"))

FEW = 4 * MORE if MORE > 1 else 6
"""Moments of a game at which pairs of asides are tried."""

LINES = 2 * MORE
"""Matches of a game in which drafts are followed."""

MATCHES = 12
"""Matches in which a planted fault must show, and in which a moment is looked for."""


EARLY = 12
"""Moments of a match by which it has shown whether its game has asides."""


@cache
def has_asides(key: str) -> bool:
    """Return whether a first menu of a game offers an aside that is no note."""
    game = GAMES[key]
    return any(
        any(asides.asides_of(match, seat, RNG))
        for match in islice(wild(game, tables(game)[0], seed("early")), EARLY)
        for seat in range(match.setup.seats)
    )


@pytest.fixture
def key(game: AnyGame) -> str:
    """Return each game in turn that has asides."""
    found = game.manifest.key
    if not has_asides(found):
        pytest.skip("this game has no asides")
    return found


def test_the_games_with_asides_are_known_as_such() -> None:
    assert [key for key in (*FIVE, "vault") if has_asides(key)] == ["doge", "vault"]


def test_asides_while_others_are_asked(key: str) -> None:
    found = (asides.check_while_others_are_asked(m, RNG.child(n)) for n, m in enumerate(moments_of(key)))
    assert sum(found), "nobody may say anything unasked"


def test_two_asides_at_once(key: str) -> None:
    found = (asides.check_two_at_once(m, RNG.child(n)) for n, m in enumerate(moments_of(key)[:FEW]))
    assert sum(found), "no two asides count"


def test_what_has_to_wait_is_not_lost(key: str) -> None:
    for number, line in enumerate(lines_of(key)[:LINES]):
        asides.check_kept(line, number % line.end.setup.seats, RNG.child(number))


# --- the checks see what they are there for -------------------------------------------------------


def played_by(game: AnyGame, sound: AnyGame) -> Iterator[Line]:
    """Yield matches of the sound game at open tables, with the broken one in its place."""
    setup = next(each for each in tables(VAULT) if ("pledges", "open") in each.options)
    setup = replace(setup, seats=3)
    for number in range(MATCHES):
        how = wild if number % 2 else baseline
        line = how(sound, setup, seed("asides", number))
        yield Line(tuple(Match(game, m.setup, m.seed, m.state, m.log, m.batches) for m in line))


def unasked(game: AnyGame, sound: AnyGame = VAULT) -> int:
    lines = played_by(game, sound)
    moments = [match for line in lines for match in line.moments if match.waiting]
    return sum(asides.check_while_others_are_asked(m, RNG.child(n)) for n, m in enumerate(moments))


def in_pairs(game: AnyGame, sound: AnyGame = VAULT) -> int:
    lines = played_by(game, sound)
    moments = [match for line in lines for match in line.moments if match.waiting]
    return sum(asides.check_two_at_once(m, RNG.child(n)) for n, m in enumerate(moments))


def followed(game: AnyGame, sound: AnyGame = SHIFTING) -> int:
    lines = played_by(game, sound)
    return sum(
        asides.check_kept(line, seat, RNG.child(n)) for n, line in enumerate(lines) for seat in range(3)
    )


@pytest.mark.parametrize("check", [unasked, in_pairs, followed])
def test_sound_games_pass(check: Callable[..., int]) -> None:
    assert check(SHIFTING if check is followed else VAULT)


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (planted.Waits, unasked),
        (planted.Unasks, unasked),
        (planted.Ordered, in_pairs),
        (planted.FirstOnly, in_pairs),
        (planted.Forgets, followed),
    ],
)
def test_a_planted_fault_is_seen(broken: type[Vault], check: Callable[..., int]) -> None:
    with pytest.raises(AssertionError):
        check(broken())


# --- The Secret of the Doge -----------------------------------------------------------------------


def doge(*, owes: bool) -> Match:
    """Return a match of four after its first rolls, in which a seat owes cards, or none does."""
    game = GAMES["doge"]
    setup = setups.complete(game.manifest, 4, {"gifts": "asked"})
    for number in range(MATCHES):
        for match in islice(baseline(game, setup, seed("doge", number)), 60):
            public = match.view(None)
            if public.turns > 1 and (public.owes is not None) is owes and match.waiting and not public.out:
                return match
    raise AssertionError("nobody ever owes cards" if owes else "somebody always does")


def wrong(match: Match, number: int = 0) -> Words:
    """Return a guess that is wrong."""
    public, treasure = match.view(None), match.state.treasure
    pairs = [(i.value, c.value) for i in public.institutions for c in public.crafts]
    pairs.remove((treasure.institution.value, treasure.craft.value))
    return ("guess", *pairs[number])


def right(match: Match) -> Words:
    return ("guess", match.state.treasure.institution.value, match.state.treasure.craft.value)


def two_guessers(match: Match) -> tuple[Seat, Seat]:
    """Return two seats that nobody waits for and that may guess."""
    one, two = [seat for seat in range(4) if seat not in match.waiting][:2]
    return one, two


def question(match: Match, seat: Seat, words: Words) -> tuple[object, ...]:
    """Return what a seat confirms with these words."""
    menu = match.menu(seat, words)
    assert menu is not None
    return menu.complete, menu.closing, menu.draft, menu.key, menu.prompt


def test_of_two_guesses_at_once_the_second_counts_after_a_wrong_one() -> None:
    match = doge(owes=False)
    one, two = two_guessers(match)
    drafted = question(match, two, wrong(match, 1))
    after = match.act(one, wrong(match))
    assert question(after, two, wrong(match, 1)) == drafted, "what it has drafted means the same"
    assert set(after.act(two, wrong(match, 1)).view(None).out) == {one, two}
    won = after.act(two, right(match)).outcome
    assert won is not None
    assert won.won


def test_of_two_guesses_of_the_same_pair_the_second_is_asked_again() -> None:
    match = doge(owes=False)
    one, two = two_guessers(match)
    drafted = question(match, two, wrong(match))
    now = question(match.act(one, wrong(match)), two, wrong(match))
    assert drafted != now
    assert now[:2] == (True, True), "it may be named again, by who knows"


def test_after_a_right_guess_no_other_counts() -> None:
    match = doge(owes=False)
    one, two = two_guessers(match)
    over = match.act(one, right(match))
    assert over.outcome is not None
    assert over.outcome.won
    with pytest.raises(IllegalAction) as caught:
        over.act(two, wrong(match))
    assert caught.value.msg.key == "error.over"


def test_a_guess_while_a_giver_chooses_is_refused_and_kept() -> None:
    match = doge(owes=True)
    (giver,) = match.waiting
    seat, words = next(seat for seat in range(4) if seat != giver), wrong(match)
    menu = match.menu(seat, words)
    assert menu is not None
    assert (menu.complete, menu.closing, menu.draft) == (False, False, words), "a draft, and none that counts"
    with pytest.raises(IllegalAction) as caught:
        match.act(seat, words)
    assert caught.value.msg.key == "error.cards_owed"
    after = match.act(giver, match.computer(giver))
    assert question(after, seat, words)[:3] == (True, True, words)
    assert after.act(seat, words).view(None).guesses[-1].seat == seat
