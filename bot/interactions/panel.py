"""Private panels: what their components do, in matches and in lessons, and how they are drawn.

A panel is drawn into the message that was clicked: in one request if possible, the newest drawing last.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace

from bot.domain.lessons import Practice, lesson_at
from bot.domain.match import Click, Panel, Receipt, StalePanel
from bot.domain.refusals import Refusal
from bot.domain.tables import MatchLine, Person
from bot.interactions.buttons import Handler, new_message
from bot.interactions.context import Context
from bot.interactions.reply import FIRST_RESPONSE_S, Reply
from bot.pages.controls import NO_FOCUS, PART, Focus
from bot.pages.custom_ids import Action, Button, PanelId
from bot.pages.lessons import lesson_page
from bot.pages.page import Page, without_controls
from bot.pages.panel import PanelPage, panel_page, receipt_lines, typing_modal
from bot.pages.texts import TableTexts, Texts
from bot.store import StoreError
from engines.core.contract import msg

log = logging.getLogger(__name__)

MAX_DIRECT_CLICKS = 4
"""Maximum clicks in progress for the panel itself to be a click's first response."""


class Panels:
    """Carries out clicks on panels, wherever they are shown."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._drafts = context.services.drafts
        self._lessons = context.services.lessons
        self._queries = context.services.queries
        self._clicks = 0
        """Clicks that are being answered."""

    def buttons(self) -> Mapping[Button, Handler]:
        """Return the handlers of the buttons that lead to panels."""
        return {
            Button.TURN: new_message(self.open),
            Button.NEXT: Handler(lambda reply, place, _: self.show_next(reply, place.match), None),
        }

    async def open(self, reply: Reply, match: str) -> None:
        """Show the asker's panel of a match in the deferred message."""
        await self._draw(reply, await self._drafts.panel(match, reply.person))

    async def open_most_urgent(self, reply: Reply) -> None:
        """Show the panel of the match that waits longest for the asker.

        If none waits, show that of the match that changed last, and whom it waits for. Raises
        :class:`Refusal` if the asker plays in none.
        """
        playing = [line for line in await self._queries.matches(reply.person) if line.playing]
        if not playing:
            raise Refusal(msg("error.no_match"))
        panel = await self._drafts.panel(playing[0].table.id, reply.person)
        several = len(playing) > 1 and not panel.asked
        await self._draw(reply, panel, notice=_none_waits(panel, reply.texts) if several else "")

    async def show_next(self, reply: Reply, match: str) -> None:
        """Show the panel of the next match after ``match`` that waits for the asker, in a cycle."""
        async with self._redrawing(reply):
            found = _after(match, await self._queries.matches(reply.person))
            if found is not None:
                await self._draw(reply, await self._drafts.panel(found, reply.person))
                return
            alone = reply.texts.house("panel.no_other")
            try:
                panel = await self._drafts.panel(match, reply.person)
            except Refusal:
                # The current match cannot be shown either: they may have no seat in it any more.
                await reply.say(alone)
            else:
                await self._draw(reply, panel, notice=alone)

    async def type(self, reply: Reply, place: PanelId) -> None:
        """Open the modal to type a turn, from memory: nothing is awaited before it is sent."""
        panel = self._drafts.peek_panel(_click(place), reply.person)
        if panel is not None:
            await reply.open_modal(typing_modal(panel, reply.texts))
        elif self._queries.loaded(place.match):
            await reply.say(reply.texts.house("error.stale"))
        else:
            self.load(reply, place.match)
            await reply.say(reply.texts.house("error.one_moment"))

    def load(self, reply: Reply, match: str) -> None:
        """Load a match into memory in the background."""
        self._context.background.spawn(self._load(match, reply.person), "loading a match")

    async def _load(self, match: str, person: Person) -> None:
        try:
            await self._drafts.panel(match, person)
        except Refusal:
            return  # the next press shows the refusal

    # --- clicks -----------------------------------------------------------------------------------

    async def click(self, reply: Reply, place: PanelId, values: list[str]) -> None:
        """Carry out a click on a panel's component, and redraw the panel."""
        # A click that timed out on Discord must not be carried out: acknowledge it before a sentence is
        # confirmed. The same before waiting for a computer player's hint.
        is_match = lesson_at(place.match) is None
        acknowledged = is_match and place.action in (Action.CONFIRM, Action.HINT)
        async with self._redrawing(reply, acknowledged=acknowledged):
            try:
                if place.action is Action.CONFIRM:
                    await (self._confirm if is_match else self._judge)(reply, _click(place))
                elif not (is_match and await self._say_at_once(reply, place, values)):
                    panel = await self._edit(place, values, reply.person)
                    await self._draw(reply, panel, focus=_focus_of(place, values))
            except StalePanel as stale:
                await self._draw(reply, stale.panel)
            except Refusal as refusal:
                await self._draw_refusal(reply, place.match, refusal)

    async def submit_typed(self, reply: Reply, place: PanelId, text: str) -> None:
        """Put what was typed in the modal into the draft, and redraw the panel."""
        async with self._redrawing(reply):
            await self.take_typed(reply, place.match, text, _click(place))

    async def take_typed(self, reply: Reply, match: str, text: str, click: Click | None) -> None:
        """Put typed words into the asker's draft, and redraw the panel, with the refusal if there is one."""
        try:
            panel = await self._drafts.type_in(match, reply.person, text, click)
        except Refusal as refusal:
            await self._draw_refusal(reply, match, refusal)
        else:
            await self._draw(reply, panel)

    async def _edit(self, place: PanelId, values: list[str], person: Person) -> Panel:
        """Apply a component's action to the draft, if it changes it; raises :class:`Refusal`."""
        drafts, click, word = self._drafts, _click(place), values[0] if values else place.word
        match place.action:
            case Action.PICK if len(values) != 1:
                raise Refusal(msg("error.stale"))
            case Action.WORD:
                return await drafts.choose(click, person, place.word)
            case Action.PICK:
                return await drafts.choose(click, person, word)
            case Action.INSTEAD:
                return await drafts.choose_instead(click, person, word)
            case Action.SHUFFLE:
                return await drafts.shuffle(click, person, place.word)
            case Action.BACK:
                return await drafts.back(click, person)
            case Action.CLEAR:
                return await drafts.clear(click, person)
            case Action.PRESET:
                return await drafts.use_preset(click, person)
            case Action.HINT:
                return await self._context.services.hints.fill_in(click, person)
            case _:
                return await drafts.panel(place.match, person)

    async def _confirm(self, reply: Reply, click: Click) -> None:
        receipt = await self._context.services.actions.confirm(click, reply.person, reply.id)
        await self._draw_receipt(reply, receipt)

    async def _judge(self, reply: Reply, click: Click) -> None:
        panel, practice = await self._lessons.confirm(click, reply.person)
        await self._draw(reply, panel, practice=practice)

    async def _say_at_once(self, reply: Reply, place: PanelId, values: list[str]) -> bool:
        """Commit a choice that completes a simple turn, unless the person always confirms; return if so."""
        if place.action not in (Action.WORD, Action.PICK) or len(values) > 1:
            return False
        if (await self._context.services.settings.preferences(reply.person)).always_confirm:
            return False
        await reply.defer_edit()
        word = values[0] if values else place.word
        actions = self._context.services.actions
        receipt = await actions.say_at_once(_click(place), reply.person, word, reply.id)
        if receipt is not None:
            await self._draw_receipt(reply, receipt)
        return receipt is not None

    # --- drawing ----------------------------------------------------------------------------------

    @asynccontextmanager
    async def _redrawing(self, reply: Reply, *, acknowledged: bool = False) -> AsyncIterator[None]:
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

    async def _draw_receipt(self, reply: Reply, receipt: Receipt) -> None:
        panel = await self._drafts.panel(receipt.table.id, reply.person)
        # The outbox worker also removes the buttons from a direct message once its turn is taken: whichever
        # comes last, they stay away. A person who must act again continues in the same message.
        done = reply.edits_lasting_message and not panel.asked
        notice = "\n".join(receipt_lines(panel, receipt, reply.texts))
        await self._draw(reply, panel, notice=notice, done=done)

    async def _draw_refusal(self, reply: Reply, match: str, refusal: Refusal) -> None:
        panel = await self._drafts.panel(match, reply.person)
        await self._draw(reply, panel, notice=f"⚠️ {reply.texts.refusal(refusal)}")

    async def _draw(
        self,
        reply: Reply,
        panel: Panel,
        *,
        focus: Focus = NO_FOCUS,
        notice: str = "",
        practice: Practice | None = None,
        done: bool = False,
    ) -> None:
        """Show ``panel`` in the deferred message, unless a newer edit overtakes it there.

        ``practice``: what a lesson says, if that is not just its task. ``done``: nothing more is decided in
        this message, and it is shown without controls.
        """
        match = panel.table.id
        problem = self._context.problems.get(match)
        if problem is not None:
            notice = f"{notice}\n🔧 {problem.text(reply.texts)}".strip()
            self._context.look_after(match)
        if practice is None and lesson_at(match) is not None:
            practice = await self._lessons.practice(match, reply.person)
        others_wait = practice is None and await self._others_wait(reply, panel)
        shown = PanelPage(
            panel,
            reply.texts,
            focus=focus,
            notice=notice,
            drawing=reply.mark,
            others_wait=others_wait,
            practice=practice,
        )
        await draw_panel(self._context, reply, shown, done=done)

    async def _others_wait(self, reply: Reply, panel: Panel) -> bool:
        # A panel in direct messages always shows the same match: others have messages of their own.
        lines = () if reply.edits_lasting_message else await self._queries.listed(reply.person)
        return any(line.asked and line.table.id != panel.table.id for line in lines)


async def draw_panel(context: Context, reply: Reply, shown: PanelPage, *, done: bool = False) -> None:
    """Paint a panel and show it in the deferred message, unless a newer edit overtakes it there.

    ``done``: nothing more is decided in this message, and it is shown without controls.
    """
    async with context.edits.begin(reply.target) as edit:
        panel, texts = shown.panel, shown.texts
        theme = (await context.services.settings.preferences(reply.person)).theme
        async with context.slow_work.place(reply.person.id, never_refused=True) as is_free:
            if is_free:
                painting = await context.pictures.panel(panel, texts, theme, edit.is_newest)
            else:
                painting = context.pictures.panel_in_words(panel, texts)
        async with edit.turn() as newest:
            if newest:
                await _show(context, reply, _laid_out(replace(shown, painting=painting)), done=done)


def _laid_out(shown: PanelPage) -> Page:
    return panel_page(shown) if shown.practice is None else lesson_page(shown, shown.practice)


async def _show(context: Context, reply: Reply, page: Page, *, done: bool) -> None:
    await reply.show(without_controls(page) if done else page)
    if done or not reply.edits_lasting_message:
        return
    try:
        await _agree_with_notes(context, reply, page)
    except StoreError as error:
        # The click was carried out and answered: report no failure to the user.
        log.warning("panel: its buttons could not be checked: %s", error)


async def _agree_with_notes(context: Context, reply: Reply, page: Page) -> None:
    # If an outbox worker, maybe of another process, has removed the buttons meanwhile, they stay away.
    # It records that first: either the record is found here, or they are removed after this answer.
    bare = False
    while await context.services.outbox.is_retired(reply.target) is not bare:
        bare = not bare
        await reply.show(without_controls(page) if bare else page)


def _focus_of(place: PanelId, values: list[str]) -> Focus:
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


def _after(match: str, lines: Iterable[MatchLine]) -> str | None:
    """Return the match that waits after ``match``, the longest wait first; ``None``: no other waits."""
    waiting = [line.table.id for line in lines if line.asked]
    at = waiting.index(match) + 1 if match in waiting else 0
    return next((found for found in (*waiting[at:], *waiting[:at]) if found != match), None)


def _none_waits(panel: Panel, texts: Texts) -> str:
    said = [texts.house("panel.none_waits")]
    # Only what the seat itself can know.
    if panel.waiting:
        names = texts.listing(map(TableTexts(texts, panel.table).seat_name, panel.waiting))
        said.append(texts.house("panel.waits_for", names=names))
    return " ".join(said)


def _click(place: PanelId) -> Click:
    return Click(place.match, place.revision)
