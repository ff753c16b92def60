"""The rulebook's worked turn, step by step: see the seed's *Example of a game turn*."""

from __future__ import annotations

from engines.corto.state import State
from engines.corto.view import Phase
from tests.games.corto.turns import at, empty, given, say, step

RED_BEGINS = {
    "d4": "D01",
    "e3": "E02 red",
    "e7": "E08 blue blue",
    "a4": "A02 blue",
}


def begun() -> State:
    """Red holds a white character, a knife, a double cannon with long range; above e4 nobody guards d4."""
    quests = {"E": {"train": 2, "left": 9, "faces": [*"211122", "armed", "armed", "armed"]}}
    return given(RED_BEGINS, "E01 D14 E15 A04", strips="DEA", quests=quests)


def test_the_worked_turn_of_the_rulebook() -> None:
    state = begun()
    one = say(state, "play E01 e4")
    assert at(one, "e4").card == "E01"
    assert at(one, "e4").markers == (1, 0), "2: a marker on it"
    two = say(one, "+e3")
    assert at(two, "e3").markers == (2, 0), "3: a white border adds one beside"
    three = say(two, "use D14 kill d4")
    assert empty(three, "d4"), "4: the knife eliminates who stands above without a marker"
    assert three.public.seal[0] == ("D01",)
    four = say(three, "use E15 -e7:blue")
    assert at(four, "e7").markers == (0, 1), "5, 6: the double cannon hits from a distance"
    five = say(four, "hit train")
    train = next(quest for quest in five.public.quests if quest.strip == "E")
    assert [(piece.holder, piece.number) for piece in train.pieces if piece.kind == "carriage"] == [(0, 2)]
    drawing = say(five, "end")
    assert drawing.public.phase is Phase.DRAWS
    done = say(drawing, "draw A E")
    assert len(done.hands[0]) == 3, "one was left, two are drawn"
    assert done.public.turn is not None
    assert done.public.turn.seat == 1


def test_the_worked_turn_in_one_line_up_to_the_train() -> None:
    state = begun()
    line = step(state, "play E01 e4 +e3 use D14 kill d4 use E15 -e7:blue hit train").state
    steps = say(state, "play E01 e4", "+e3", "use D14 kill d4", "use E15 -e7:blue", "hit train")
    assert line.public.board == steps.public.board
    assert line.public.quests == steps.public.quests
    assert line.hands == steps.hands
