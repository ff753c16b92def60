"""Situations: the beginning of a match, or a position in it, as data; docs/notation.md describes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.contract import Setup
from engines.core.rng import Rng
from engines.corto.cards import ADVENTURES, CARDS, Kind
from engines.corto.quests import quest_of
from engines.corto.setup import opening
from engines.corto.situation.position import position
from engines.corto.situation.reader import Reader, reader_of
from engines.corto.situation.values import items, mapping, only, refuse
from engines.corto.state import Cards, State

_KEYS = ("seats", "strips", "start", "decks", "tiles", "carriages", "first")
_HIDDEN = ("tiles", "carriages")
"""Keys of the hidden faces of quests; each names its quest by :attr:`Quest.hidden`."""


def load(value: Mapping[str, Any], setup: Setup, rng: Rng) -> State:
    """Return the state that ``value`` describes; what it leaves out is dealt from ``rng``.

    With ``board`` it is a position, at the beginning of a turn; without, the beginning of a match. Raises
    :class:`~engines.core.contract.InvalidAction` for anything that describes no state.
    """
    found = reader_of(value, setup, rng)
    return position(value, found) if "board" in value else _beginning(value, found)


def _beginning(value: Mapping[str, Any], found: Reader) -> State:
    only("situation", value, _KEYS)
    given = _by_strip("start", value.get("start", {}), found)
    listed = _by_strip("decks", value.get("decks", {}), found)
    starts = {strip: found.character(f"start.{strip}", card).id for strip, card in given.items()}
    tops = {strip: found.claim_all(f"decks.{strip}", cards) for strip, cards in listed.items()}
    for strip in found.strips:
        if strip in starts and starts[strip][0] != strip:
            refuse(f"start.{strip}", "own_deck", starts[strip], strip=strip)
        for card in tops.get(strip, []):  # a deck holds cards of its own adventure only
            if card[0] != strip:
                refuse(f"decks.{strip}", "own_deck", card, strip=strip)
        if strip not in starts:
            starts[strip] = _turned_up(found, strip)
    decks = tuple((*tops.get(strip, []), *found.rest(strip)) for strip in found.strips)
    drawn = found.stream("first").choice(tuple(found.seats))
    first = found.seat("first", value["first"]) if "first" in value else drawn
    return opening(
        colours=found.colours,
        strips=found.strips,
        starts=tuple(starts[strip] for strip in found.strips),
        decks=decks,
        faces=_faces(value, found),
        first=first,
    )


def _by_strip(where: str, value: object, found: Reader) -> dict[str, Any]:
    return {found.strip(where, key): item for key, item in mapping(where, value).items()}


def _turned_up(found: Reader, strip: str) -> str:
    characters = [card for card in found.rest(strip) if CARDS[card].kind is Kind.CHARACTER]
    if not characters:
        refuse(f"decks.{strip}", "character_left", strip)
    found.used.add(characters[0])
    return characters[0]


def _faces(value: Mapping[str, Any], found: Reader) -> tuple[Cards, ...]:
    hiding = {quest_of(strip).hidden for strip in found.strips}
    for key in _HIDDEN:
        if value.get(key) is not None and key not in hiding:
            refuse(key, "no_quest", value[key])
    return tuple(_faces_of(strip, value.get(quest_of(strip).hidden), found) for strip in found.strips)


def _faces_of(strip: str, given: object, found: Reader) -> Cards:
    quest, adventure = quest_of(strip), ADVENTURES[strip]
    if given is None:
        return quest.faces(adventure, found.stream("quest", strip))
    wanted = quest.unseen(adventure, quest.begin(adventure))
    faces = tuple(str(face) for face in items(quest.hidden, given))
    if tuple(sorted(faces)) != wanted:
        refuse(quest.hidden, "faces", given, faces=", ".join(wanted))
    return faces
