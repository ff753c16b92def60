"""Clocks: deadlines, what happens when one is past, and people who are away. No Discord in here."""

from __future__ import annotations

from dataclasses import dataclass

from bot.clocks.absences import Absences
from bot.clocks.deadlines import Deadlines
from bot.clocks.loop import ClockLoop
from bot.clocks.outages import Outages
from bot.matches import Services


@dataclass(frozen=True, slots=True)
class Clocks:
    """One of each, over the same tables."""

    deadlines: Deadlines
    absences: Absences
    loop: ClockLoop


def build_clocks(services: Services) -> Clocks:
    """Return the clocks of one bot."""
    deadlines = Deadlines(services.cache, services.thinkers)
    loop = ClockLoop(deadlines, Outages(services.cache, services.settings))
    return Clocks(deadlines, Absences(services.cache), loop)
