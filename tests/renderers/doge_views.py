"""Views of The Secret of the Doge as tests of its private pictures need them: sheets with any contents."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PIL import Image, ImageChops

from engines.core.texts import load
from engines.doge.view import (
    Card,
    Clue,
    Discard,
    Gift,
    Source,
    View,
)
from renderers.core.captions import Captions
from renderers.doge.highlights import Focus
from renderers.doge.theme import THEMES
from tests.renderers.looks import TABLE
from tests.renderers.looks.base import start

THEME = THEMES.choose("default")
CAPTIONS = Captions(load("renderers.doge"), TABLE)
NOWHERE = Focus()
"""No draft."""
SEAT = 2
"""Whose pictures they are: Noor's, Red."""
MARKED = (Card.FAVRO, Card.MARINA)
"""A craft and an institution."""


def fresh(seats: int = 4, seat: int = SEAT) -> View:
    """Return a seat's view of a match at its start."""
    view: View = start("doge", seats).view(seat)
    return view


def with_clues(view: View, *clues: tuple[int, Source, tuple[Card, ...]], square: int = 3) -> View:
    """Return a view whose sheet has these clues: whom they are about, their source, their cards.

    The last one's cards lay on ``square``, all others on 9.
    """
    gifts, discards, found = list(view.gifts), list(view.discards), []
    for step, (seat, source, cards) in enumerate(clues, 1):
        place = square if step == len(clues) else 9
        gifts.append(Gift(Source.MEETING if source is Source.LOOK else source, seat, SEAT, place, step))
        if source is Source.LOOK:
            discards.append(Discard(len(gifts) - 1, SEAT, place, step))
        found.append((seat, Clue(source, cards, len(gifts) - 1, step)))
    gone = {discard.gift for discard in discards}
    piles = tuple(
        tuple(n for n, gift in enumerate(gifts) if gift.square == pile and n not in gone)
        for pile in range(10)
    )
    assert view.sheet is not None
    sections = tuple(
        replace(part, clues=tuple(one for seat, one in found if seat == part.seat))
        for part in view.sheet.sections
    )
    return replace(
        view,
        gifts=tuple(gifts),
        discards=tuple(discards),
        piles=piles,
        sheet=replace(view.sheet, sections=sections),
    )


def with_section(view: View, number: int, **changes: Any) -> View:
    """Return a view with other contents in one section of its sheet."""
    assert view.sheet is not None
    sections = list(view.sheet.sections)
    sections[number] = replace(sections[number], **changes)
    return replace(view, sheet=replace(view.sheet, sections=tuple(sections)))


def unaided(view: View) -> View:
    """Return a view whose sheet does not show what follows."""
    assert view.sheet is not None
    plain = tuple(replace(part, sure=None, pairs=None) for part in view.sheet.sections)
    return replace(view, sheet=replace(view.sheet, sections=plain, deals=None, treasures=None))


def changed(first: Image.Image, second: Image.Image) -> tuple[int, int, int, int]:
    """Return the box of what differs between two pictures; fails if nothing does."""
    box = ImageChops.difference(first, second).getbbox()
    assert box is not None, "nothing has changed"
    return box
