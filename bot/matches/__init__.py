"""The use cases, as services over one shared cache of tables. Discord, or any other surface, calls them.

There is no Discord and no SQL here. A refused action raises :class:`bot.domain.refusals.Refusal` and changes
nothing; an unusable database raises :class:`bot.store.StoreError`.
"""

from __future__ import annotations

from dataclasses import dataclass

from bot.matches.actions import Actions, Moving
from bot.matches.drafts import Drafts
from bot.matches.hints import Hints
from bot.matches.history import History
from bot.matches.lessons import Lessons
from bot.matches.limits import LIMITS, Admission, Limits
from bot.matches.lobby import Lobby
from bot.matches.looking_back import LookingBack
from bot.matches.motions import Closing, Motions
from bot.matches.older_results import OlderResults
from bot.matches.outbox import Outbox
from bot.matches.practice import PracticeMatches
from bot.matches.privacy import Privacy
from bot.matches.queries import Queries
from bot.matches.settings import Languages, Servers, Settings
from bot.matches.table_cache import TableCache
from bot.matches.thoughts import NO_FLOOR, Floor, Thinkers
from bot.workers.looking_back import AnyThinker


@dataclass(frozen=True, slots=True)
class Services:
    """One of each service, over the same tables. Call ``outbox.resume`` before serving anything."""

    cache: TableCache
    lobby: Lobby
    drafts: Drafts
    actions: Actions
    queries: Queries
    hints: Hints
    history: History
    looking_back: LookingBack
    older_results: OlderResults
    moving: Moving
    outbox: Outbox
    motions: Motions
    closing: Closing
    servers: Servers
    settings: Settings
    languages: Languages
    lessons: Lessons
    privacy: Privacy
    thinkers: Thinkers


def build_services(
    cache: TableCache, *, thinker: AnyThinker, floor: Floor = NO_FLOOR, limits: Limits = LIMITS
) -> Services:
    """Build the services over a cache. Create one instance per process.

    ``thinker``: thinks for computer players and looks back. ``floor``: the minimum time computer players
    take. ``limits``: what one person may do.
    """
    admission = Admission(limits)
    practice = PracticeMatches(cache.store)
    lobby, drafts = Lobby(cache, admission), Drafts(cache, practice)
    settings, servers = Settings(cache), Servers(cache)
    thinkers = Thinkers(thinker, cache.peek, floor)
    lessons = Lessons(practice)
    return Services(
        cache,
        lobby,
        drafts,
        Actions(cache, thinkers, limits),
        Queries(cache),
        Hints(cache, drafts, thinkers),
        History(cache),
        LookingBack(cache, thinker),
        OlderResults(cache),
        Moving(cache, admission),
        Outbox(cache),
        Motions(cache, admission),
        Closing(cache),
        servers,
        settings,
        Languages(cache, settings, servers),
        lessons,
        Privacy(cache, lobby, settings, lessons, admission),
        thinkers,
    )
