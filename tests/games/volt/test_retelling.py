"""A round of VOLT in a line for each unit."""

from __future__ import annotations

import pytest

from engines.core.contract import Fact
from engines.core.match import Match
from engines.core.setups import complete
from engines.core.texts import load
from engines.core.to_json import Plain
from engines.volt import GAME, events

ONE, TWO = 0, 1
DIE = events.die(ONE, "I", "blue", 3, "N")
BOT = events.die(ONE, "I", "blue", 1, "N", ("repair",))
RED = events.die(ONE, "II", "red", 4, "NE", ("swivel-left",))


def told(*happened: Fact) -> list[str]:
    speaker = Plain(GAME, load("engines.volt"))
    return [speaker.text(message) for message in GAME.retell(happened)]


ROWS: list[tuple[tuple[Fact, ...], list[str]]] = [
    (
        (DIE, events.moved(ONE, "e9", "e8"), events.blocked(ONE, "e8", "N", "wall", ONE)),
        ["**I** · Robot 1 blue 3 N: e9 → e8 and is stopped by a wall"],
    ),
    (
        (DIE, events.moved(ONE, "e9", "e8"), events.blocked(ONE, "e8", "N", "pillar", TWO)),
        ["**I** · Robot 1 blue 3 N: e9 → e8 and is stopped by Robot 2 against a pillar"],
    ),
    (
        (DIE, events.blocked(ONE, "e9", "N", "rim", ONE)),
        ["**I** · Robot 1 blue 3 N: is stopped on e9 by the rim"],
    ),
    (
        (DIE, events.moved(ONE, "e9", "e8"), events.blocked(TWO, "c8", "N", "corner", TWO)),
        ["**I** · Robot 1 blue 3 N: e9 → e8 and Robot 2 is stopped on c8 by a corner"],
    ),
    (
        (
            DIE,
            events.moved(ONE, "e9", "e8"),
            events.turned_up(TWO, "anchor"),
            events.blocked(ONE, "e8", "N", "anchor", TWO),
        ),
        ["**I** · Robot 1 blue 3 N: e9 → e8 and is stopped by Robot 2 with an Anchor"],
    ),
    (
        (DIE, events.took_effect(TWO, "anchor"), events.blocked(ONE, "e9", "N", "anchor", TWO)),
        ["**I** · Robot 1 blue 3 N: is stopped on e9 by Robot 2 with an Anchor"],
    ),
    (
        (RED, events.took_effect(TWO, "anchor"), events.blocked(TWO, "c8", "N", "anchor", TWO)),
        ["**II** · Robot 1 red 4 NE + Swivel Head (left): Robot 2 is stopped on c8 by its Anchor"],
    ),
    (
        (DIE, events.took_effect(ONE, "pit"), events.blocked(ONE, "e9", "N", "pit", ONE)),
        ["**I** · Robot 1 blue 3 N: is stopped on e9 by its Pit Clamps"],
    ),
    (
        (DIE, events.took_effect(TWO, "pit"), events.blocked(ONE, "e9", "N", "anchor", TWO)),
        ["**I** · Robot 1 blue 3 N: Robot 2 uses Pit Clamps and is stopped on e9 by Robot 2 with an Anchor"],
    ),
    (
        (
            DIE,
            events.moved(ONE, "e9", "e8"),
            events.took_effect(ONE, "pit"),
            events.took_effect(TWO, "anchor"),
        ),
        ["**I** · Robot 1 blue 3 N: e9 → e8, uses Pit Clamps and Robot 2 uses Anchor"],
    ),
    (
        (
            DIE,
            events.pushed(TWO, "e8", "e7", ONE),
            events.moved(ONE, "e9", "e8"),
            events.pushed(TWO, "e7", "e6", ONE),
            events.moved(ONE, "e8", "e7"),
        ),
        ["**I** · Robot 1 blue 3 N: e9 → e7 and pushes Robot 2 e8 → e6"],
    ),
    (
        (
            RED,
            events.shot(ONE, "c5", "e3", "NE", TWO, reflected=False),
            events.damaged(TWO, ONE, 1, 3),
            events.destroyed(TWO, "e3", "damage", ONE),
            events.scored(ONE, "kill", 2),
        ),
        ["**II** · Robot 1 red 4 NE + Swivel Head (left): Robot 2 is destroyed and Robot 1 reaches 2 points"],
    ),
    (
        (RED, events.shot(ONE, "c5", "e3", "NE", TWO, reflected=False), events.damaged(TWO, ONE, 1, 2)),
        ["**II** · Robot 1 red 4 NE + Swivel Head (left): hits Robot 2 (damage now 2)"],
    ),
    (
        (events.die(TWO, "I", "red", 1, "S"), events.shot(TWO, "a1", "a9", "S", None, reflected=False)),
        ["**I** · Robot 2 red 1 S: misses"],
    ),
    (
        (
            events.die(ONE, "I", "red", 4, "N", ("crossfire",)),
            events.shot(ONE, "c5", "c1", "N", None, reflected=False),
            events.shot(ONE, "c5", "e5", "E", TWO, reflected=False),
            events.damaged(TWO, ONE, 1, 1),
            events.shot(ONE, "c5", "c9", "S", None, reflected=False),
        ),
        ["**I** · Robot 1 red 4 N + Crossfire: hits Robot 2 (damage now 1)"],
    ),
    ((DIE, events.turned_up(ONE, "diagonal")), ["**I** · Robot 1 blue 3 N + Diagonal Drive: no effect"]),
    (
        (DIE, events.token_taken(ONE, 4, "e9"), events.scored(ONE, "token", 1), events.token_laid(2, "a5")),
        ["**I** · Robot 1 blue 3 N: no effect", "**Then** · Robot 1 takes token 4 (now 1 point)"],
    ),
    (
        (BOT, events.turned_up(ONE, "repair"), events.repaired(ONE, 1, 1), events.repaired(ONE, 1, 0)),
        [
            "**I** · Robot 1 blue 1 N + Repair Bot: Robot 1 repairs 1 damage",
            "**Then** · Robot 1 repairs 1 damage",
        ],
    ),
    (
        (BOT, events.repaired(TWO, 1, 0)),
        ["**I** · Robot 1 blue 1 N + Repair Bot: no effect", "**Then** · Robot 2 repairs 1 damage"],
    ),
    ((events.done(ONE, 2), events.done(TWO, None)), ["Robot 1 is done (tile 2) and Robot 2 is done."]),
    (
        (events.done(ONE, 2), events.revealed(ONE, ("I:b3N",), 2), DIE),
        ["**I** · Robot 1 blue 3 N: no effect"],
    ),
    (
        (events.done(ONE, None), events.placed(ONE, "c1"), events.drew(ONE, "red", None)),
        ["Robot 1 enters on c1 and Robot 1 draws a Red module."],
    ),
    (
        (DIE, events.round_begins(2), events.done(ONE, 1), events.revealed(ONE, ("I:b3N",), 1), DIE, RED),
        [
            "**I** · Robot 1 blue 3 N: no effect",
            "**I** · Robot 1 blue 3 N: no effect",
            "**II** · Robot 1 red 4 NE + Swivel Head (left): no effect",
        ],
    ),
    (
        (DIE, events.round_begins(2), events.done(TWO, 1)),
        ["**I** · Robot 1 blue 3 N: no effect", "Robot 2 is done (tile 1)."],
    ),
    ((events.skipped(ONE, "I"), events.round_begins(2)), []),
    ((), []),
]


@pytest.mark.parametrize(("happened", "lines"), ROWS)
def test_what_a_round_comes_to(happened: tuple[Fact, ...], lines: list[str]) -> None:
    assert told(*happened) == lines


def test_every_fact_of_dice_has_its_words() -> None:
    """Whatever a die brings about has a text, in a unit's line as well as by itself."""
    facts = (
        events.leapt(ONE, "a1", "a4"),
        events.stayed(ONE, "a1"),
        events.dud(ONE, "a1"),
        events.mine_laid(ONE, "a1"),
        events.mine_hit(ONE, "a1", TWO),
        events.blast(ONE, "a1", "bomb"),
        events.blast(ONE, "a1", "wave"),
        events.blast(ONE, "a1", "core"),
        events.took_effect(TWO, "shield"),
        events.pulled(TWO, "a1", "a2", ONE),
        events.destroyed(ONE, "a1", "fall", None),
        events.destroyed(TWO, "a1", "fall", ONE, "N"),
        events.shot(TWO, "a1", "a9", "S", ONE, reflected=True),
        events.shot(TWO, "a1", "a9", "S", None, reflected=True),
    )
    for fact in facts:
        [line] = told(DIE, fact)
        assert "{" not in line
        assert "no effect" not in line


def test_a_round_of_two_is_told_in_few_sentences() -> None:
    """From when both are asked to when both are asked anew, whatever acts there are in between."""
    told_of: list[int] = []
    for number in range(3):
        match = Match.start(GAME, complete(GAME.manifest, 2), bytes([number] * 32))
        batch: list[Fact] = []
        while match.outcome is None and len(told_of) < 12 * (number + 1):
            known, asked = len(match.facts(None)), match.waiting
            match = match.act(min(asked), match.computer(min(asked)))
            batch += [fact for _, fact in match.facts(None)[known:]]
            if not match.waiting < asked:
                told_of.append(len(GAME.retell(batch)))
                batch = []
    assert len(told_of) >= 30
    assert sum(told_of) <= 4 * len(told_of)
    assert max(told_of) <= 6
