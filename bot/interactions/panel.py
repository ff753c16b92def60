"""What the components of a private panel do."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.domain.match import Click, Panel, StalePanel
from bot.domain.refusals import Refusal
from bot.domain.tables import Person
from bot.interactions.context import Context
from bot.interactions.reply import HASTE, Reply
from bot.pages.controls import NO_FOCUS, Focus
from bot.pages.custom_ids import Action, PanelId
from bot.pages.page import without_controls
from bot.pages.panel import typing_modal
from engines.core.contract import msg
from engines.core.registry import game

QUIET = 4
"""Clicks answered at the same time up to which one may be answered by its panel itself."""


class Panels:
    """Carries out clicks on panels, wherever the panel stands."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._drafts = context.services.drafts
        self._clicks = 0
        """Clicks that are being answered."""

    async def open(self, reply: Reply, match: str) -> None:
        """Show the asker's panel of a match in the message that was deferred."""
        await self._draw(reply, await self._drafts.panel(match, reply.person))

    async def type(self, reply: Reply, place: PanelId) -> None:
        """Open the modal to type a turn, from memory: nothing is awaited before it is sent."""
        panel = self._drafts.peek_panel(place.match, reply.person)
        if panel is not None:
            await reply.open_modal(typing_modal(panel, reply.texts))
        elif self._context.services.queries.loaded(place.match):
            await reply.say(reply.texts.house("error.stale"))
        else:
            self.load(reply, place.match)
            await reply.say(reply.texts.house("error.one_moment"))

    def load(self, reply: Reply, match: str) -> None:
        """Bring a match into memory without anybody waiting for it."""
        self._context.background.spawn(self._load(match, reply.person), "loading a match")

    async def _load(self, match: str, person: Person) -> None:
        try:
            await self._drafts.panel(match, person)
        except Refusal:
            return  # the next press says so to the person

    async def click(self, reply: Reply, place: PanelId, values: list[str]) -> None:
        """Carry out a click on a panel's component, and draw the panel anew."""
        # What Discord gave up must not be carried out: a sentence waits until the click is acknowledged.
        async with self._redrawing(reply, acknowledged=place.action is Action.CONFIRM):
            try:
                if place.action is Action.CONFIRM:
                    await self._confirm(reply, _click(place))
                else:
                    panel = await self._edit(place, values, reply.person)
                    await self._draw(reply, panel, focus=_focus(place, values))
            except StalePanel as stale:
                await self._draw(reply, stale.panel, notice=f"⚠️ {reply.texts.refusal(stale)}")
            except Refusal as refusal:
                await self._draw_refusal(reply, place.match, refusal)

    @asynccontextmanager
    async def _redrawing(self, reply: Reply, *, acknowledged: bool = False) -> AsyncIterator[None]:
        """Redraw a panel: in one request, or acknowledged first of all, as where many click at once.

        Discord waits three seconds, and the database or a painter may take longer.
        """
        self._clicks += 1
        try:
            hurried = self._clicks <= QUIET and not acknowledged
            async with reply.redrawing(HASTE if hurried else 0.0):
                yield
        finally:
            self._clicks -= 1

    async def submit_typed(self, reply: Reply, place: PanelId, text: str) -> None:
        """Take what was typed into the modal."""
        async with self._redrawing(reply):
            await self.take_typed(reply, place.match, text, _click(place))

    async def take_typed(self, reply: Reply, match: str, text: str, click: Click | None) -> None:
        """Take typed words into the asker's draft, and draw the panel; a refusal stands in it."""
        try:
            panel = await self._drafts.type_in(match, reply.person, text, click)
        except Refusal as refusal:
            await self._draw_refusal(reply, match, refusal)
        else:
            await self._draw(reply, panel)

    async def _edit(self, place: PanelId, values: list[str], person: Person) -> Panel:
        click = _click(place)
        match place.action:
            case Action.WORD:
                return await self._drafts.choose(click, person, place.word)
            case Action.PICK if len(values) == 1:
                return await self._drafts.choose(click, person, values[0])
            case Action.PICK:
                raise Refusal(msg("error.stale"))
            case Action.SHUFFLE:
                return await self._drafts.shuffle(click, person, place.word)
            case Action.BACK:
                return await self._drafts.back(click, person)
            case Action.CLEAR:
                return await self._drafts.clear(click, person)
            case Action.PRESET:
                return await self._drafts.use_preset(click, person)
            case _:
                return await self._drafts.panel(place.match, person)

    async def _confirm(self, reply: Reply, click: Click) -> None:
        receipt = await self._context.services.actions.confirm(click, reply.person, reply.id)
        panel = await self._drafts.panel(click.table_id, reply.person)
        words = game(receipt.table.game).write(receipt.words)
        # The outbox worker takes the buttons from a direct message once its turn is taken: whichever
        # of the two comes last, they stay away. Who must act again goes on in the same message.
        done = reply.edits_lasting_message and not panel.asked
        await self._draw(reply, panel, notice="✅ " + reply.texts.house("panel.done", words=words), done=done)

    async def _draw_refusal(self, reply: Reply, match: str, refusal: Refusal) -> None:
        panel = await self._drafts.panel(match, reply.person)
        await self._draw(reply, panel, notice=f"⚠️ {reply.texts.refusal(refusal)}")

    async def _draw(
        self, reply: Reply, panel: Panel, *, focus: Focus = NO_FOCUS, notice: str = "", done: bool = False
    ) -> None:
        """Show ``panel`` in the message that was deferred, unless a newer edit overtakes it there.

        ``done``: nothing more is decided in this message, and it is shown without controls.
        """
        problem = self._context.problems.get(panel.table.id)
        if problem is not None:
            notice = f"{notice}\n🔧 {problem.text(reply.texts)}".strip()
            self._context.look_after(panel.table.id)
        async with self._context.edits.begin(reply.target) as edit:
            preferences = await self._context.services.settings.preferences(reply.person)
            async with self._context.paintings.turn(reply.person.id, never_refused=True) as painted:
                page = await self._context.pictures.panel(
                    panel,
                    reply.texts,
                    preferences.theme,
                    focus=focus,
                    notice=notice,
                    drawing=reply.mark,
                    wanted=edit.is_newest,
                    painted=painted,
                )
            async with edit.turn() as newest:
                # Where the outbox worker has taken the buttons meanwhile, they stay away.
                done = done or (reply.edits_lasting_message and self._context.edits.retired(reply.target))
                if newest:
                    await reply.show(without_controls(page) if done else page)


def _click(place: PanelId) -> Click:
    return Click(place.match, place.revision)


def _focus(place: PanelId, values: list[str]) -> Focus:
    # A place that does not exist any more shows nothing more.
    value = values[0] if values else ""
    if place.action is Action.FIELD:
        return Focus(field=value)
    if place.action is Action.GROUP and value.startswith("@"):
        return Focus(field=place.word.partition("/")[0], part=value[1:])
    return NO_FOCUS
