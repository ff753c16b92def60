"""What all handlers of interactions share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from bot.clocks import Clocks
from bot.gateway.edit_order import EditOrder
from bot.interactions.per_person_queue import PerPersonQueue
from bot.matches import Services
from bot.runtime.background import BackgroundTasks
from bot.sync.pictures import Pictures
from bot.sync.problems import Problem


@dataclass(frozen=True, slots=True)
class Context:
    """Everything that the handlers of one bot need."""

    services: Services
    clocks: Clocks
    pictures: Pictures
    background: BackgroundTasks
    problems: Mapping[str, Problem] = field(repr=False)
    """By match: what keeps the bot from showing it, such as a permission that it lacks."""
    look_after: Callable[[str], None]
    """Check a match's public messages now: somebody looks for them, or a problem may be solved."""
    edits: EditOrder = field(default_factory=EditOrder)
    paintings: PerPersonQueue = field(default_factory=PerPersonQueue)
