"""What the short answers come to: a start space, a deck, a repair."""

from __future__ import annotations

from dataclasses import replace
from math import exp

from engines.core.contract import Seat, Words
from engines.volt.answers import Answer, Question, fold, sentences
from engines.volt.modules import ACTIVE
from engines.volt.outlook import Outlook
from engines.volt.view import View

MODULE, SPARE = 0.1, 0.03
"""What a module is worth that can be active beside the others, and one that could replace another: logits."""


def weighed(view: View) -> list[tuple[Words, float]]:
    """Return all answers to what the viewer's seat is asked, each with how likely it then is to win."""
    outlook = Outlook(view)
    answers = (fold(view, words) for words in sentences(Question.of(view)))
    return [(answer.words(), _chance(view, outlook, answer)) for answer in answers]


def _chance(view: View, outlook: Outlook, answer: Answer) -> float:
    seat = view.viewer
    assert seat is not None
    robot = view.robots[seat]
    if answer.space:
        robot = replace(robot, pos=answer.space, lost=None)
    if answer.other == "repair":
        robot = replace(robot, damage=0)
    robots = (*view.robots[:seat], robot, *view.robots[seat + 1 :])
    chance = outlook.chances(robots, view.tokens)[seat]
    if not answer.deck:
        return chance
    odds = exp(MODULE if is_missing(view, seat, answer.deck) else SPARE)
    return chance * odds / (chance * odds + 1 - chance)


def is_missing(view: View, seat: Seat, deck: str) -> bool:
    """Return whether one more module of a deck could be active beside all that a seat owns of it."""
    modules = view.modules[seat]
    owned = [card.deck for card in (*modules.active, *modules.spare)]
    # Never two red, never two blue (rules page, Round, phase 0).
    return owned.count(deck) < (ACTIVE if deck == "yellow" else 1)
