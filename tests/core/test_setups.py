"""Set-ups: what a host chose, and one of each kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engines.core.contract import Manifest, Option, OptionChoice, Setup, msg
from engines.core.setups import (
    check,
    complete,
    fewer_seats,
    filled,
    more_seats,
    seats_for,
    settled,
    usual_seats,
    varieties,
)


def option(key: str, label: str, *choices: str) -> Option:
    return Option(
        key, msg(key), tuple(OptionChoice(one, msg(f"{label}.{one}")) for one in choices), choices[0]
    )


GAME = Manifest(
    "toy",
    "Toy",
    ("2", "1"),
    (2, 4),
    (msg("a"), msg("b"), msg("c"), msg("d")),
    msg("tagline"),
    (
        option("slot1", "slot", "any", "x", "y"),
        option("slot2", "slot", "any", "x", "y"),
        option("fog", "fog", "any", "x", "y"),
    ),
)


def test_what_is_left_out_has_its_default() -> None:
    setup = complete(GAME, None, {"slot2": "x"})
    assert (setup.seats, setup.ruleset) == (2, "2")
    assert setup.options == (("slot1", "any"), ("slot2", "x"), ("fog", "any"))


@pytest.mark.parametrize(
    ("seats", "options"), [(3, {}), (None, {"slot3": "x"}), (None, {"slot1": "z"}), (None, {"slot1": ""})]
)
def test_what_is_not_offered_is_refused(seats: int | None, options: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"toy|option"):
        complete(GAME, seats, options)


def test_a_set_up_can_name_an_earlier_ruleset_and_no_unknown_one() -> None:
    assert complete(GAME, ruleset="1") == replace(complete(GAME), ruleset="1")
    for unknown in ("3", ""):
        with pytest.raises(ValueError, match=rf"^toy is played by ruleset 2 or 1, not '{unknown}'$"):
            complete(GAME, ruleset=unknown)


def test_a_table_opens_with_the_usual_seats_or_as_many_as_are_needed() -> None:
    assert [usual_seats(GAME, people) for people in (1, 2, 3, 4, 5)] == [4] * 5
    for_two = replace(GAME, usual_seats=2)
    assert usual_seats(for_two) == 2
    assert [usual_seats(for_two, people) for people in (1, 2, 3, 4, 5)] == [2, 2, 4, 4, 4]


def test_table_sizes_are_passed_through_one_by_one() -> None:
    assert [seats_for(GAME, people) for people in range(6)] == [2, 2, 2, 4, 4, None]
    assert [more_seats(GAME, seats) for seats in (2, 4)] == [4, None]
    assert [fewer_seats(GAME, seats) for seats in (2, 4)] == [None, 2]


def test_a_choice_settles_other_options() -> None:
    quick = OptionChoice("quick", msg("quick"), (("slot1", "x"), ("fog", "y")))
    pace = Option("pace", msg("pace"), (OptionChoice("slow", msg("slow")), quick), "slow")
    manifest = replace(GAME, options=(*GAME.options, pace))
    slow = complete(manifest, None, {"slot1": "y"})
    assert settled(manifest, slow) == slow
    chosen = complete(manifest, 4, {"slot1": "y", "slot2": "y", "pace": "quick"})
    expected = (("slot1", "x"), ("slot2", "y"), ("fog", "y"), ("pace", "quick"))
    assert settled(manifest, chosen) == replace(chosen, options=expected)
    check(manifest, settled(manifest, chosen))


def test_one_of_each_kind_and_slots_of_one_kind_once() -> None:
    found = [{key: value for key, value in setup.options if value != "any"} for setup in varieties(GAME)]
    assert found == [{}, {"slot1": "x"}, {"slot1": "y"}, {"fog": "x"}, {"fog": "y"}]
    assert {setup.seats for setup in varieties(GAME)} == {2}


ANY = (("slot1", "any"), ("slot2", "any"), ("fog", "any"))


@pytest.mark.parametrize("ruleset", GAME.rulesets)
def test_a_whole_set_up_is_one_of_the_manifests(ruleset: str) -> None:
    check(GAME, Setup("toy", ruleset, 4, ANY))


@pytest.mark.parametrize(
    "setup",
    [
        Setup("other", "1", 2, ANY),
        Setup("toy", "3", 2, ANY),
        Setup("toy", "1", 3, ANY),
        Setup("toy", "1", 2, ANY[:2]),
        Setup("toy", "1", 2, ANY[::-1]),
        Setup("toy", "1", 2, (*ANY, ("fog", "x"))),
        Setup("toy", "1", 2, (*ANY[:2], ("fog", "z"))),
        Setup("toy", "1", 2, (*ANY, ("snow", "x"))),
    ],
)
def test_any_other_is_refused(setup: Setup) -> None:
    with pytest.raises(ValueError, match=r"toy|Toy|option"):
        check(GAME, setup)


# --- options that were added later ----------------------------------------------------------------

SNOW = replace(option("snow", "snow", "deep", "none"), before="none")
LATER = replace(GAME, options=(SNOW, *GAME.options))
"""The game after an option was added before the others: ``none`` means as before."""


def test_a_set_up_from_before_an_option_means_the_value_as_before() -> None:
    old, first = Setup("toy", "1", 2, ANY), (("snow", "none"),)
    check(LATER, old)
    assert filled(LATER, old) == settled(LATER, old) == replace(old, options=first + ANY)
    check(LATER, filled(LATER, old))
    assert complete(LATER).option("snow") == "deep", "a new table has the default"
    assert filled(LATER, complete(LATER)) == complete(LATER)


@pytest.mark.parametrize(
    "options",
    [ANY[:2], ANY[1:], (), (*ANY, ("snow", "deep")), (*ANY, ("snow", "wet")), (*ANY, ("ice", "none"))],
)
def test_nothing_else_may_be_missing_or_out_of_order(options: tuple[tuple[str, str], ...]) -> None:
    with pytest.raises(ValueError, match="option"):
        check(LATER, Setup("toy", "1", 2, options))


def test_what_is_filled_in_can_be_settled_too() -> None:
    quick = OptionChoice("quick", msg("quick"), (("snow", "deep"),))
    pace = Option("pace", msg("pace"), (OptionChoice("slow", msg("slow")), quick), "slow")
    manifest = replace(LATER, options=(*LATER.options, pace))
    for value, snow in (("slow", "none"), ("quick", "deep")):
        assert settled(manifest, Setup("toy", "2", 2, (*ANY, ("pace", value)))).option("snow") == snow


def test_an_option_that_is_gone_stays_where_it_is_and_is_refused() -> None:
    gone = Setup("toy", "1", 2, (("ice", "thin"), *ANY))
    assert filled(LATER, gone).option("ice") == "thin"
    with pytest.raises(ValueError, match="no option 'ice'"):
        check(LATER, gone)
