"""Nothing that is hidden is forgotten: at every kind of table, in matches that somebody leaves, too."""

from __future__ import annotations

from engines.core.contract import Setup
from engines.core.match import Match
from engines.core.rng import Rng
from tests.contract.checks import hidden, menus
from tests.contract.checks.parts import parts_apart
from tests.contract.checks.sampling import seed, tables
from tests.contract.conftest import moments_at, open_at, secretive, words_at
from tests.kit.odds.engine import GAME as ODDS


def test_the_games_with_secrets_are_known_as_such() -> None:
    assert secretive() >= {"volto", "volt", "corto", "vault"}
    assert "volo" not in secretive()


def test_what_may_be_otherwise_is_imagined_otherwise(secret_table: tuple[str, Setup], rng_at: Rng) -> None:
    key, setup = secret_table
    found, moments = open_at(key, setup)
    assert found, "nothing is hidden at this table"
    hidden.check_imagine(found, moments, rng_at)


def test_a_choice_of_few_is_not_taken_for_one_that_is_always_alike() -> None:
    """One of three numbers of fingers is hidden, at a single moment."""
    match = Match.start(ODDS, tables(ODDS)[0], seed("few")).act(0, ("2",))
    [path] = parts_apart(match.state, Match.start(ODDS, match.setup, match.seed).act(0, ("1",)).state)
    for number in range(40):
        rng = Rng(seed("few", number))
        hidden.check_imagine(hidden.Hidden({(None, path): hidden.OFTEN}), [match], rng)


def test_records_tell_every_hidden_part(secret_table: tuple[str, Setup], rng_at: Rng) -> None:
    assert hidden.check_records(moments_at(*secret_table), rng_at)


def test_no_seat_may_say_what_its_menus_do_not_lead_to(table: tuple[str, Setup], rng_at: Rng) -> None:
    menus.check_strange_words(moments_at(*table), words_at(*table), rng_at)
