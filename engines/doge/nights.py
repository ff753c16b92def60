"""The option *nights*: how many ghost cards there are (``data/nights.json``, by night and seats)."""

from __future__ import annotations

from engines.core.base import read_data
from engines.core.contract import Option, OptionChoice, msg

PRINTED = "printed"

GHOST_CARDS: dict[str, dict[int, int]] = {
    night: {int(seats): cards for seats, cards in by_seats.items()}
    for night, by_seats in read_data("engines.doge", "nights.json").items()
}
"""Cards in the ghost deck, by night and seats; of the ten the rest is set aside unseen."""

NIGHTS = Option(
    key="nights",
    label=msg("option.nights"),
    choices=tuple(OptionChoice(night, msg(f"option.{night}")) for night in GHOST_CARDS),
    default=PRINTED,
    before=PRINTED,
)
