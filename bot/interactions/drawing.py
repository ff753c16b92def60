"""Draws panels into the clicked message: in one request if possible, the newest drawing last."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Generic, TypeVar

from bot.domain.lessons import LessonPanel
from bot.domain.match import Panel
from bot.domain.refusals import Refusal
from bot.domain.tables import Person
from bot.interactions.context import Context
from bot.interactions.reply import FIRST_RESPONSE_S, Reply
from bot.matches.draft_edits import DraftEditor
from bot.pages.controls import NO_FOCUS, PART, Focus
from bot.pages.custom_ids import Action, LessonId, PanelId
from bot.pages.page import Page, without_controls
from bot.pages.panel import PanelPage
from bot.store import StoreError
from engines.core.contract import msg

log = logging.getLogger(__name__)

MAX_DIRECT_CLICKS = 4
"""Maximum clicks in progress for the panel itself to be a click's first response."""

PlaceT = TypeVar("PlaceT")
PanelT = TypeVar("PanelT", Panel, LessonPanel)


class Drawing(Generic[PanelT]):
    """Draws the panels of one kind, as ``lay_out`` does it."""

    def __init__(self, context: Context, lay_out: Callable[[PanelPage[PanelT]], Page]) -> None:
        self._context = context
        self._lay_out: Callable[[PanelPage[PanelT]], Page] = lay_out
        self._clicks = 0
        """Clicks that are being answered."""

    @asynccontextmanager
    async def redrawing(self, reply: Reply, *, acknowledged: bool = False) -> AsyncIterator[None]:
        """Redraw a panel: in one request or, such as if many click at once, after an acknowledgement.

        Discord waits three seconds, and the database or the painting may take longer.
        """
        self._clicks += 1
        try:
            hurried = self._clicks <= MAX_DIRECT_CLICKS and not acknowledged
            async with reply.redrawing(FIRST_RESPONSE_S if hurried else 0.0):
                yield
        finally:
            self._clicks -= 1

    async def draw(self, reply: Reply, shown: PanelPage[PanelT], *, done: bool = False) -> None:
        """Paint a panel and show it in the deferred message, unless a newer edit overtakes it there.

        ``done``: nothing more is decided in this message, and it is shown without controls.
        """
        async with self._context.edits.begin(reply.target) as edit:
            context, panel, texts = self._context, shown.panel, shown.texts
            theme = (await context.services.settings.preferences(reply.person)).theme
            async with context.paintings.turn(reply.person.id, never_refused=True) as is_free:
                if is_free:
                    painting = await context.pictures.panel(panel, texts, theme, edit.is_newest)
                else:
                    painting = context.pictures.panel_in_words(panel, texts)
            async with edit.turn() as newest:
                if newest:
                    await self._show(reply, self._lay_out(replace(shown, painting=painting)), done=done)

    async def _show(self, reply: Reply, page: Page, *, done: bool) -> None:
        await reply.show(without_controls(page) if done else page)
        if done or not reply.edits_lasting_message:
            return
        try:
            await self._agree_with_notes(reply, page)
        except StoreError as error:
            # The click was carried out and answered: report no failure to the user.
            log.warning("panel: its buttons could not be checked: %s", error)

    async def _agree_with_notes(self, reply: Reply, page: Page) -> None:
        # If an outbox worker, maybe of another process, has removed the buttons meanwhile, they stay away.
        # It records that first: either the record is found here, or they are removed after this answer.
        bare = False
        while await self._context.services.outbox.is_retired(reply.target) is not bare:
            bare = not bare
            await reply.show(without_controls(page) if bare else page)


async def edited(
    drafts: DraftEditor[PlaceT, PanelT],
    click: PlaceT,
    place: PanelId | LessonId,
    values: list[str],
    person: Person,
) -> PanelT | None:
    """Apply a component's action to a draft; return ``None`` if it changes no draft. Raises ``Refusal``."""
    match place.action:
        case Action.WORD:
            return await drafts.choose(click, person, place.word)
        case Action.PICK if len(values) == 1:
            return await drafts.choose(click, person, values[0])
        case Action.PICK:
            raise Refusal(msg("error.stale"))
        case Action.INSTEAD:
            return await drafts.choose_instead(click, person, values[0] if values else place.word)
        case Action.SHUFFLE:
            return await drafts.shuffle(click, person, place.word)
        case Action.BACK:
            return await drafts.back(click, person)
        case Action.CLEAR:
            return await drafts.clear(click, person)
        case _:
            return None


def focus_of(place: PanelId | LessonId, values: list[str]) -> Focus:
    """Return the focus that a component sets; one that does not exist any more has no effect."""
    value = values[0] if values else ""
    if place.action is Action.REFRESH:
        return Focus(more=True)
    if place.action is Action.FIELD:
        return Focus(field=value)
    if place.action is Action.GROUP and value.startswith(PART):
        return Focus(field=place.word.partition("/")[0], part=value.removeprefix(PART))
    if place.action is Action.GROUP and not values:
        field, _, part = place.word.partition(PART)
        return Focus(field, part)
    return NO_FOCUS
