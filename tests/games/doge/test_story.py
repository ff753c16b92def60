"""What the house tells of one act: what belongs together in one sentence, and nothing twice."""

from __future__ import annotations

from engines.core.match import Entry, EntryKind, Match
from engines.core.texts import story
from engines.doge import GAME
from tests.games.doge.support import at, english, facts, play, seat_of, start


def told(match: Match, colour: str = "") -> list[str]:
    """Return what the house tells a seat, or the public, of the last step."""
    learned = facts(match, seat_of(colour) if colour else None)
    return [english(text) for text in story(GAME, learned)]


def test_a_move_and_its_meeting_are_one_sentence() -> None:
    match = play(at("2455", die=2), "blue cw")
    assert told(match) == ["Blue goes clockwise to Comune and meets Yellow."]


def test_a_meeting_that_was_chosen_stands_alone() -> None:
    match = play(at("2333", die=1), "blue cw", "blue meet red")
    assert told(match) == ["Blue meets Red."]


def test_the_ghost_and_whom_it_finds_are_one_sentence() -> None:
    match = play(at("1477", die=1, ghosts="comune peril"), "blue cw")
    assert told(match) == [
        "Blue goes clockwise to Biennale.",
        "Blue summons the ghost. At Comune it finds Yellow, who owes a false card. Ghost cards left: 1.",
    ]
    match = play(at("1448", die=1, ghosts="comune"), "blue cw", "blue haunt red")
    assert told(match) == ["The ghost finds Red, who owes Blue a false card."]


def test_a_turn_is_told_in_two_sentences_though_it_is_several_acts() -> None:
    before = at("2555")
    match = play(before, "blue roll 2", "blue cw")
    assert told_since(before, match) == [
        "Blue rolls 2 and goes clockwise to Comune.",
        "Blue summons the ghost, which goes to Marina. Ghost cards left: 9.",
    ]
    before = at("2455")
    match = play(before, "blue roll 2", "blue cw", "yellow show comune favro 7")
    laid = "Yellow puts a false card on square 7."
    assert told_since(before, match) == ["Blue rolls 2, goes clockwise to Comune and meets Yellow.", laid]
    before = at("2444")
    match = play(before, "blue roll 2", "blue cw", "blue meet red", "red show biennale favro 7")
    assert told_since(before, match)[0] == "Blue rolls 2, goes clockwise to Comune and meets Red."


def test_where_all_stand_is_one_sentence() -> None:
    match = start(3)
    before = match
    for text in ("blue place 0", "yellow place 3", "red place 4"):
        match = play(match, text)
    assert told_since(before, match)[0] == ("Pawns: Blue on Marina, Yellow on square 3 and Red on Comune.")


def told_since(before: Match, match: Match) -> list[str]:
    """Return what the house tells the public of all that happened after ``before``."""
    learned = [fact for _, fact in match.facts(None)][len(before.facts(None)) :]
    return [english(text) for text in story(GAME, learned)]


def test_each_is_told_a_gift_in_advance_in_its_own_words() -> None:
    match = play(at("2455", die=2, ahead={"yellow": "comune favro 7"}), "blue cw")
    moved = "Blue goes clockwise to Comune and meets Yellow."
    laid = "Yellow puts a false card on square 7."
    assert told(match) == told(match, "red") == [moved, laid]
    shown = "Yellow shows Comune and Favro: one true, one false."
    assert told(match, "blue") == [moved, shown, laid]
    assert told(match, "yellow") == [
        moved,
        "Blue sees Comune and Favro, but Favro is false.",
        laid,
    ]


WERE = (
    "Identities: Blue (Sovrintendenza and Favro), Yellow (Comune and Remer), "
    "Red (Biennale and Corder) and Green (Marina and Impiraressa)."
)


def test_a_right_guess_has_named_the_treasure() -> None:
    match = play(at("1357"), "red guess peril ascia")
    assert told(match) == ["Red guesses Venice in Peril and Maestro d’ascia: that’s the treasure!", WERE]


def test_every_other_end_tells_the_treasure() -> None:
    treasure = "The treasure was Venice in Peril and Maestro d’ascia."
    lost = play(at("1777", die=1, ghosts=""), "blue cw")
    assert told(lost)[1:] == ["Blue summons the ghost, but its deck is empty.", treasure, WERE]
    agreed = at("1357").apply(Entry(EntryKind.AGREE))
    assert told(agreed) == [treasure, WERE]
    out = play(at("1---"), "blue guess peril favro")
    assert told(out) == [
        "Blue guesses Venice in Peril and Favro. That’s wrong, so Blue is out.",
        treasure,
        WERE,
    ]
    assert "The treasure is Venice in Peril and Maestro d’ascia." in told(out, "blue")
