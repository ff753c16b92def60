"""The quests of the adventures, by the names that the data files give them.

A seventh adventure is an entry of the data files and one more module here, added to :data:`QUESTS`.
"""

from __future__ import annotations

from collections.abc import Mapping

from engines.corto.cards import ADVENTURES, Adventure, BadData
from engines.corto.quests.base import Quest
from engines.corto.quests.face_up import Aces, BigGold, Leopards, Vessel
from engines.corto.quests.tiles import Tiles
from engines.corto.quests.train import Train

QUESTS: dict[str, Quest] = {
    "vessel": Vessel(),
    "aces": Aces(),
    "tiles": Tiles(),
    "leopards": Leopards(),
    "train": Train(),
    "gold": BigGold(),
}
"""Each quest's rules by the name that an adventure's ``quest`` says."""


def quest_of(strip: str) -> Quest:
    """Return the rules of a strip's quest."""
    return QUESTS[ADVENTURES[strip].quest]


def check(adventures: Mapping[str, Adventure]) -> None:
    """Raise :class:`~engines.corto.cards.BadData` where an adventure has no quest, or not what that needs."""
    for adventure in adventures.values():
        if adventure.quest not in QUESTS:
            known = ", ".join(QUESTS)
            raise BadData(f"adventure {adventure.key}: quest must be one of {known}, not {adventure.quest}")
        QUESTS[adventure.quest].check(adventure)


check(ADVENTURES)
