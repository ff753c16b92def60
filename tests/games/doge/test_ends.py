"""How a match ends: last guesses, each loss, the agreed end. Rules page, *Loss*."""

from __future__ import annotations

from engines.core.match import Entry, EntryKind, Match
from tests.games.doge.support import (
    DEAL,
    SPENT,
    asides,
    asked,
    at,
    facts,
    hands,
    offered,
    pair,
    play,
    prompt,
    public,
    refusal,
    story,
    view,
)


def reason(match: Match) -> str:
    """Return why all have lost."""
    outcome = match.outcome
    assert outcome is not None
    assert outcome.won is False
    assert outcome.ranks == (tuple(range(match.setup.seats)),)
    (found,) = outcome.reasons
    return found.key.removeprefix("end.")


def last(active: str = "blue", pawns: str = "2455") -> Match:
    """Return a match in which the last false card has just been given, in the turn of ``active``."""
    giver = "yellow" if active == "blue" else "blue"
    left = {**SPENT, giver: "ascia"}
    own = {"blue": "sovrintendenza", "yellow": "comune"}[giver]
    match = at(pawns, turn=active, die=2, left=left)
    return play(match, f"{active} {'cw' if active == 'blue' else 'ccw'}", f"{giver} show {own} ascia 7")


# --- last guesses -----------------------------------------------------------------------------------


def test_when_no_false_card_is_left_each_may_guess_once_more_or_pass() -> None:
    match = last()
    assert hands(match) == [0, 0, 0, 0]
    last_line = "The players still in have no false cards left. Each can guess once more or pass."
    assert story(match)[-1] == last_line
    assert (asked(match), offered(match, "blue")) == ("last blue", "pass")
    assert prompt(match, "blue") == "No clues are left. Guess the treasure now, or pass."
    assert "guess" in asides(match, "blue")
    assert refusal(match, "blue roll") == "not_now"


def test_last_guesses_go_once_round_from_the_active_player() -> None:
    match = last()
    for colour, following in (("blue", "yellow"), ("yellow", "red"), ("red", "green")):
        match = play(match, f"{colour} pass")
        assert asked(match) == f"last {following}"
    assert reason(play(match, "green pass")) == "cards"


def test_the_round_begins_with_whoever_is_active() -> None:
    match = last("yellow", pawns="2455")
    assert asked(match) == "last yellow"
    match = play(match, "yellow pass", "red pass", "green pass")
    assert asked(match) == "last blue"
    assert reason(play(match, "blue pass")) == "cards"


def test_who_passes_out_of_order_is_refused() -> None:
    match = play(last(), "blue pass")
    assert refusal(match, "red pass") == "not_asked"
    assert refusal(match, "blue pass") == "not_asked"
    assert refusal(at("1357"), "blue pass") == "not_now"


def test_a_wrong_last_guess_passes_the_question_on() -> None:
    match = play(last(), "blue guess peril favro")
    assert asked(match) == "last yellow"
    match = play(match, "yellow pass", "red guess marina ascia", "green pass")
    assert reason(match) == "cards", "yellow and green are still in"


def test_a_right_last_guess_wins() -> None:
    match = play(last(), "blue pass", "yellow guess peril ascia")
    assert match.outcome is not None
    assert match.outcome.won


def test_somebody_may_guess_out_of_order_in_the_last_round() -> None:
    match = play(last(), "red guess peril favro")
    assert asked(match) == "last blue"
    match = play(match, "blue pass", "yellow pass")
    assert asked(match) == "last green", "who is out is not asked"
    win = play(match, "blue guess peril ascia")
    assert win.outcome is not None
    assert win.outcome.won, "who has passed may still think again"
    match = play(match, "blue guess marina favro")
    assert asked(match) == "last green"
    assert reason(play(match, "green guess marina favro")) == "cards", "yellow has passed, and is in"


def test_when_all_have_guessed_wrong_all_are_out() -> None:
    match = play(last(), "blue guess peril favro", "yellow guess peril favro", "red guess peril favro")
    assert reason(play(match, "green guess peril favro")) == "out"


def test_piles_no_longer_help() -> None:
    match = last()
    assert any(public(match).piles)
    assert refusal(match, "blue look") == "not_now"


def test_last_guesses_come_at_the_end_of_a_turn_only() -> None:
    # Yellow alone has false cards, and goes out while blue is on its way.
    match = play(at("1577", left={**SPENT, "yellow": "ascia favro"}), "yellow guess peril favro")
    assert asked(match) == "roll blue"
    match = play(match, "blue roll 2")
    assert asked(match) == "move blue"
    assert asked(play(match, "blue cw")) == "last blue"


def test_cards_of_players_who_are_out_do_not_count() -> None:
    match = at("1577", turn="yellow", left={**SPENT, "yellow": "ascia favro"})
    match = play(match, "yellow guess peril favro")
    assert hands(match)[1] == 2
    assert asked(match) == "last red", "yellow's turn is over; red is the first still in"
    assert reason(play(match, "red pass", "green pass", "blue pass")) == "cards"


def test_as_long_as_anybody_has_a_false_card_the_match_goes_on() -> None:
    match = at("1577", die=2, left={**SPENT, "green": "ascia"})
    assert asked(play(match, "blue cw")) == "roll yellow"


def test_the_ghosts_last_card_ends_the_cards_too() -> None:
    match = at("1477", die=1, ghosts="comune marina", left={**SPENT, "yellow": "ascia"})
    assert asked(play(match, "blue cw", "yellow give ascia 3")) == "last blue"


def test_a_look_ends_its_turn_before_the_cards_are_counted() -> None:
    match = at("3777", die=2, told=["red shows green comune 5"], left=SPENT)
    match = play(match, "blue cw", "blue look")
    assert [fact.kind for fact in facts(match, None)] == ["looked", "last_guesses"]


# --- losses -----------------------------------------------------------------------------------------


def test_all_lose_when_all_are_out() -> None:
    lines = [f"{colour} guess peril favro" for colour in ("red", "blue", "green", "yellow")]
    match = play(at("1357"), *lines)
    assert reason(match) == "out"
    assert match.waiting == frozenset()


def test_all_lose_when_the_ghost_is_summoned_once_too_often() -> None:
    assert reason(play(at("1777", die=1, ghosts=""), "blue cw")) == "ghost"


def test_one_player_may_still_find_the_treasure() -> None:
    match = play(at("1--7"), "blue guess peril favro")
    assert match.outcome is None
    won = play(match, "green guess peril ascia").outcome
    assert won is not None
    assert won.won


# --- the end ----------------------------------------------------------------------------------------


def test_after_the_end_all_is_revealed_but_pencil_marks() -> None:
    before = at("1357", told=["yellow shows red ascia 3"], ahead={"red": "biennale favro 7"})
    before = play(before, "red mark blue ascia X")
    match = play(before, "green guess peril ascia")
    for viewer in (None, 0, 1, 2, 3):
        seen = match.view(viewer)
        assert seen.treasure == pair("peril ascia")
        assert seen.truth is not None
        assert seen.truth.pairs == tuple(map(pair, DEAL))
        assert [card.value for card in seen.truth.faces] == ["ascia"]
        assert seen.truth.ghosts == match.state.ghosts
        assert seen.truth.ahead[2] is not None
    assert story(match)[2] == "Blue was Sovrintendenza and Favro."
    own = view(match, "red").notes
    assert own is not None
    assert len(own.marks) == 1, "one's own stay"
    assert view(match, "blue").notes != own
    assert match.view(None).notes is None


def test_nothing_may_be_said_once_it_is_over() -> None:
    match = play(at("1357"), "green guess peril ascia")
    for line in ("blue roll", "green guess peril favro", "red mark blue ascia X", "red auto off"):
        assert refusal(match, line) == "over"
    assert refusal(match, "red ahead biennale favro 7") == "over"
    assert match.menu(0) is None


def test_players_may_agree_to_end_the_search() -> None:
    match = play(at("1357"), "red guess peril favro").apply(Entry(EntryKind.AGREE))
    outcome = match.outcome
    assert outcome is not None
    assert outcome.won is None
    assert outcome.drawn
    assert [found.key for found in outcome.reasons] == ["end.agreed"]
    assert view(match, "blue").treasure == pair("peril ascia")
    assert match.waiting == frozenset()
