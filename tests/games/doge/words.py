"""Sentences of The Secret of the Doge, and what is none."""

from __future__ import annotations

from tests.games.doge.reference_sheet import COLOURS, CRAFTS, INSTITUTIONS

VERBS = ("place", "roll", "cw", "ccw", "meet", "look", "leave", "haunt", "show", "give", "pass")
"""The words that begin an answer to what a seat is asked."""


def notation(squares: range, colours: list[str]) -> list[str]:
    """Return the sentences of the rules page, legal or not."""
    cards = [*INSTITUTIONS, *CRAFTS]
    pairs = [f"{institution} {craft}" for institution in INSTITUTIONS for craft in CRAFTS]
    found = [*(f"place {square}" for square in squares), "roll", "cw", "ccw", "look", "leave", "pass"]
    found += [f"{verb} {colour}" for verb in ("meet", "haunt") for colour in colours]
    found += [f"{verb} {pair} {square}" for verb in ("show", "ahead") for pair in pairs for square in squares]
    found += [f"give {card} {square}" for card in cards for square in squares]
    found += [f"guess {pair}" for pair in pairs]
    found += [f"mark {colour} {card} {mark}" for colour in colours for card in cards for mark in "X0?-"]
    return [*found, "auto on", "auto off", "ahead -"]


NOTATION = frozenset(notation(range(10), COLOURS))
"""Every sentence that a match may know."""

ALIKE = {verb: [text for text in sorted(NOTATION) if text.split()[0] == verb] for verb in VERBS}
"""The same, by the first word."""

NONSENSE = [
    *(
        "",
        "roll roll",
        "roll cw",
        "place",
        "place 3 4",
        "place x",
        "place -1",
        "place 03",
        "meet",
        "meet pink",
    ),
    *("show biennale favro", "show favro biennale 7", "show biennale favro 4", "show favro remer 3"),
    *("show biennale comune 3", "give 5", "give remer", "give remer 6", "give remer x", "guess favro marina"),
    *("guess marina", "guess marina marina", "guess", "pass pass", "auto", "auto maybe", "mark", "mark red"),
    *("mark red remer", "mark red remer Y", "mark red remer x", "mark pink remer X", "mark red harbour X"),
    *("ahead", "ahead - -", "ahead favro biennale 7", "ahead biennale favro", "ahead biennale favro 4"),
    *("haunt", "haunt harbour", "stay", "cw cw", "cw meet red", "look look", "CW", "Roll"),
]
"""What is no sentence of this game."""


def vocabulary(seats: int, rare: int = 20) -> list[str]:
    """Return sentences to try: each of the notation, the short ones ``rare`` times, and nonsense."""
    found = notation(range(12), COLOURS[: min(seats + 1, 4)])
    return [*found, *NONSENSE * 3, *[text for text in found if len(text.split()) < 3] * rare]
