"""Guesses, in turn and out of turn. Rules page, *Guess*."""

from __future__ import annotations

from tests.games.doge.support import (
    COLOURS,
    asides,
    asked,
    at,
    hands,
    offered,
    pair,
    piles,
    play,
    prompt,
    public,
    refusal,
    sheet,
    start,
    story,
    view,
)

# --- when and what --------------------------------------------------------------------------------


def test_nobody_guesses_before_the_first_roll() -> None:
    match = start(2)
    assert refusal(match, "blue guess peril ascia") == "too_early"
    match = play(match, "blue place 0", "yellow place 1")
    first, other = sorted(COLOURS[:2], key=lambda colour: colour != COLOURS[public(match).turn or 0])
    assert refusal(match, f"{first} guess peril ascia") == "too_early"
    assert "guess" not in asides(match, other)
    match = play(match, f"{first} roll")
    assert "guess" in asides(match, first)
    assert "guess" in asides(match, other)


def test_anybody_still_in_may_guess_at_any_moment() -> None:
    moments = [
        at("1357"),
        at("1357", die=2),
        play(at("2333", die=1), "blue cw"),
        play(at("1448", die=1, ghosts="comune"), "blue cw"),
    ]
    assert [public(match).phase for match in moments] == ["roll", "move", "choose", "haunt"]
    for match in moments:
        for colour in COLOURS:
            assert play(match, f"{colour} guess peril ascia").outcome is not None


def test_nobody_guesses_while_cards_are_owed() -> None:
    for match in (
        play(at("2455", die=2), "blue cw"),
        play(at("1477", die=1, ghosts="comune"), "blue cw"),
    ):
        for colour in COLOURS:
            assert refusal(match, f"{colour} guess peril ascia") == "cards_owed"


def test_a_guess_is_kept_as_a_draft_while_cards_are_owed() -> None:
    match = play(at("2455", die=2), "blue cw")
    assert asides(match, "red") == "ahead mark auto", "it cannot be begun"
    menu = match.menu(2, ("guess", "peril", "ascia"))
    assert menu is not None
    assert (menu.complete, menu.closing, menu.draft) == (False, False, ("guess", "peril", "ascia"))
    assert prompt(match, "red", "guess", "peril", "ascia").startswith(
        "Yellow has to show cards before you can guess."
    )
    match = play(match, "yellow show comune favro 7")
    menu = match.menu(2, ("guess", "peril", "ascia"))
    assert menu is not None
    assert menu.complete


def test_any_pair_in_play_may_be_named_own_cards_and_refuted_pairs_too() -> None:
    match = at("1357")
    assert public(play(match, "red guess biennale corder")).out == (2,), "both cards are red's own"
    match = play(match, "red guess peril favro", "yellow guess peril favro")
    assert public(match).out == (2, 1)
    assert [(found.seat, found.right) for found in public(match).guesses] == [(2, False), (1, False)]


def test_cards_that_lie_face_up_cannot_be_named() -> None:
    match = at("135")
    assert refusal(match, "blue guess marina ascia") == "laid_out"
    assert refusal(match, "blue guess peril impiraressa") == "laid_out"
    assert "marina" not in offered(match, "blue", "guess")
    assert play(match, "blue guess peril ascia").outcome is not None


def test_the_cards_are_named_in_any_order() -> None:
    assert public(play(at("1357"), "red guess ascia peril")).guesses[0].pair == pair("peril ascia")


def test_half_a_pair_is_no_guess() -> None:
    for words in ("guess", "guess marina", "guess marina biennale", "guess favro corder"):
        assert refusal(at("1357"), f"red {words}") == "unfinished.guess"


# --- right ----------------------------------------------------------------------------------------


def test_a_right_guess_wins_for_all_those_who_are_out_too() -> None:
    match = play(at("1357"), "red guess peril favro", "green guess peril ascia")
    outcome = match.outcome
    assert outcome is not None
    assert (outcome.won, outcome.ranks) == (True, ((0, 1, 2, 3),))
    assert [reason.key for reason in outcome.reasons] == ["end.found"]
    assert story(match)[:2] == [
        "Green guesses Venice in Peril and Maestro d’ascia: that’s the treasure!",
        "The treasure was Venice in Peril and Maestro d’ascia.",
    ]
    assert refusal(match, "blue roll") == "over"
    assert public(match).pawns == (1, 3, None, None), "green's pawn has gone to the slot"


# --- wrong ----------------------------------------------------------------------------------------


def test_a_wrong_guess_out_of_turn_does_not_touch_the_turn() -> None:
    match = play(at("1357", die=2), "red guess peril favro")
    assert asked(match) == "move blue"
    assert public(match).out == (2,)
    assert public(match).pawns == (1, 3, None, 7)
    assert match.outcome is None


def test_all_learn_that_the_pair_is_wrong_and_not_which_half() -> None:
    match = play(at("1357"), "red guess peril favro")
    assert story(match) == story(match, "yellow") == story(match, "red")[:1]
    assert story(match) == ["Red guesses Venice in Peril and Favro. That’s wrong, so Red is out."]
    treasures = sheet(match, "yellow").treasures
    assert treasures is not None
    assert pair("peril favro") not in treasures
    assert {pair("peril ascia"), pair("marina favro")} <= set(treasures), "a half may be right"


def test_the_guesser_alone_sees_the_treasure() -> None:
    match = play(at("1357"), "red guess peril favro")
    assert story(match, "red")[1] == "The treasure is Venice in Peril and Maestro d’ascia."
    assert view(match, "red").treasure == pair("peril ascia")
    assert sheet(match, "red").treasures == (pair("peril ascia"),)
    for viewer in (None, 0, 1, 3):
        assert match.view(viewer).treasure is None


def test_who_is_out_has_no_more_turns_meetings_or_ghost() -> None:
    match = play(at("1357"), "yellow guess peril favro")
    assert asked(play(match, "blue roll 2", "blue cw")) == "roll red"
    match = play(at("1557", die=4), "yellow guess peril favro", "blue cw")
    assert asked(match) == "show red", "yellow is not there any more"
    match = play(at("1447", die=1, ghosts="comune"), "yellow guess peril favro", "blue cw")
    assert asked(match) == "give red"
    match = play(at("1277", die=1, ghosts="peril"), "yellow guess peril favro", "blue cw")
    assert public(match).ghost == 8, "the location has become empty"


def test_who_is_out_does_nothing_more_but_its_notes() -> None:
    match = play(at("1357"), "red guess peril favro")
    assert asides(match, "red") == "mark auto"
    assert refusal(match, "red guess peril ascia") == "out"
    assert refusal(match, "red ahead biennale favro 7") == "out"
    assert refusal(match, "red ahead -") == "out"
    assert refusal(match, "red roll") == "out"
    assert prompt(match, "red") == "You’re out, but you still have your sheet."
    play(match, "red mark blue ascia X", "red auto off")


def test_the_hand_leaves_unseen_and_the_cards_on_the_board_stay() -> None:
    before = at("1357", told=["red shows green comune 5"], ahead={"red": "biennale favro 7"})
    match = play(before, "red guess peril favro")
    assert piles(match) == {5: "red"}
    assert match.state.ahead[2] is None
    assert public(match).discards == ()
    match = play(match, "blue roll 4", "blue cw", "blue look")
    assert story(match, "blue")[1] == "It’s Comune, so Red isn’t Comune."


# --- in one's own turn ------------------------------------------------------------------------------


def test_a_wrong_guess_of_the_active_player_ends_the_turn() -> None:
    for match in (
        at("1357"),
        at("1357", die=2),
        play(at("2333", die=1), "blue cw"),
        play(at("1448", die=1, ghosts="comune"), "blue cw"),
        play(at("3777", die=2, told=["red shows green comune 5"]), "blue cw"),
    ):
        after = play(match, "blue guess peril favro")
        assert asked(after) == "roll yellow"
        assert public(after).die is None


def test_a_meeting_that_a_guess_empties_falls_away() -> None:
    choice = play(at("2338", die=1), "blue cw")
    match = play(choice, "yellow guess peril favro")
    assert asked(match) == "show red", "one answer is left: it is not asked"
    match = play(at("2338", die=1, left={"red": ""}), "blue cw")
    assert asked(match) == "show yellow"


def test_the_last_choice_of_a_meeting_may_be_left_in_advance() -> None:
    choice = play(at("2338", die=1, ahead={"red": "biennale favro 7"}), "blue cw")
    match = play(choice, "yellow guess peril favro")
    assert asked(match) == "roll red"
    assert piles(match) == {7: "red"}
    assert story(match, "blue")[-2] == "Red shows Biennale and Favro: one true, one false."


def test_beside_a_pile_the_pile_is_left_of_the_choice() -> None:
    choice = play(at("3577", die=2, told=["red shows green comune 5"]), "blue cw")
    assert offered(choice, "blue") == "yellow look"
    match = play(choice, "yellow guess peril favro")
    assert (asked(match), offered(match, "blue")) == ("choose blue", "look leave")


def test_the_ghosts_choice_that_a_guess_empties_falls_away() -> None:
    choice = play(at("1448", die=1, ghosts="comune"), "blue cw")
    assert asked(play(choice, "yellow guess peril favro")) == "give red"
    assert asked(play(choice, "green guess peril favro")) == "haunt blue", "green does not stand there"


def test_a_choice_that_a_guess_does_not_touch_stays() -> None:
    choice = play(at("2333", die=1), "blue cw")
    match = play(choice, "yellow guess peril favro")
    assert (asked(match), offered(match, "blue")) == ("choose blue", "red green")
    assert hands(match) == [8, 8, 8, 8]


# --- what is at stake -------------------------------------------------------------------------------


def test_the_question_says_what_is_at_stake() -> None:
    match = at("1357", told=["yellow gives blue peril 3"])
    assert prompt(match, "red", "guess", "peril", "ascia") == (
        "You name Venice in Peril and Maestro d’ascia. If you’re right, everyone wins. "
        "If you’re wrong, you’re out."
    )
    assert "can’t include your own identity" in prompt(match, "red", "guess", "biennale", "ascia")
    met = at("1357", told=["green shows red comune 3", "yellow shows red ascia 3"])
    impossible = prompt(met, "red", "guess", "comune", "impiraressa")
    assert "your sheet rules that out" in impossible
    wrong = play(match, "green guess peril favro")
    assert prompt(wrong, "red", "guess", "peril", "favro").startswith("Green already guessed Venice in Peril")


def test_without_help_the_sheet_is_not_quoted() -> None:
    met = at("1357", told=["green shows red comune 3", "yellow shows red ascia 3"])
    met = play(met, "red auto off")
    assert prompt(met, "red", "guess", "comune", "impiraressa").endswith(
        "If you’re right, everyone wins. If you’re wrong, you’re out."
    )
