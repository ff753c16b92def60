"""The table as it is set up: pieces in place, decks shuffled, starting characters on column 1."""

from __future__ import annotations

from engines.core.contract import Seat
from engines.corto import facts
from engines.corto.board import square_at
from engines.corto.files import ADVENTURES
from engines.corto.quests import quest_of
from engines.corto.state import Cards, Public, State
from engines.corto.view import HAND, MARKERS, CharacterView, Phase, QuestView


def opening(
    colours: tuple[str, ...],
    strips: tuple[str, ...],
    starts: tuple[str, ...],
    decks: tuple[Cards, ...],
    faces: tuple[Cards, ...],
    first: Seat,
) -> State:
    """Return a match that waits for the first marker.

    ``starts``: each strip's starting character; ``decks``, ``faces``: by strip, as :class:`State` has them.
    """
    none: tuple[Cards, ...] = ((),) * len(colours)
    blank = (0,) * len(colours)
    began = facts.began(strips, starts, first)
    public = Public(
        step=0,
        phase=Phase.START,
        colours=colours,
        strips=strips,
        board=tuple(
            CharacterView(square_at(strip, 1), card, blank)
            for strip, card in zip(strips, starts, strict=True)
        ),
        corto=None,
        rasputin=None,
        stock=(MARKERS,) * len(colours),
        seal=none,
        corto_gold=blank,
        kept=none,
        to_draw=(HAND,) * len(colours),
        discards=((),) * len(strips),
        quests=tuple(QuestView(strip, quest_of(strip).begin(ADVENTURES[strip])) for strip in strips),
        first=first,
        place=first,
        turn=None,
        recap=(began,),
        news=(began,),
    )
    return State(public, decks, none, faces, none, none)
