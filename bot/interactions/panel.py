"""What the components of a private panel do."""

from __future__ import annotations

from collections.abc import Iterable

from bot.domain.match import Click, Panel, Receipt, StalePanel
from bot.domain.refusals import Refusal
from bot.domain.tables import MatchLine, Person
from bot.interactions.context import Context
from bot.interactions.drawing import Drawing, edited, focus_of
from bot.interactions.reply import Reply
from bot.pages.controls import NO_FOCUS, Focus
from bot.pages.custom_ids import Action, PanelId
from bot.pages.panel import PanelPage, panel_page, typing_modal
from bot.pages.texts import TableTexts, Texts
from engines.core.contract import msg
from engines.core.registry import game


class Panels:
    """Carries out clicks on panels, wherever they are shown."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._drafts = context.services.drafts
        self._queries = context.services.queries
        self._drawing = Drawing(context, panel_page)

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
        async with self._drawing.redrawing(reply):
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
        panel = self._drafts.peek_panel(place.match, reply.person)
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

    async def click(self, reply: Reply, place: PanelId, values: list[str]) -> None:
        """Carry out a click on a panel's component, and redraw the panel."""
        # A click that timed out on Discord must not be carried out: acknowledge it before a sentence is
        # confirmed. The same before waiting for a computer player's hint.
        acknowledged = place.action in (Action.CONFIRM, Action.HINT)
        async with self._drawing.redrawing(reply, acknowledged=acknowledged):
            try:
                if place.action is Action.CONFIRM:
                    await self._confirm(reply, _click(place))
                elif not await self._say_at_once(reply, place, values):
                    panel = await self._edit(place, values, reply.person)
                    await self._draw(reply, panel, focus=focus_of(place, values))
            except StalePanel as stale:
                await self._draw(reply, stale.panel, notice=f"⚠️ {reply.texts.refusal(stale)}")
            except Refusal as refusal:
                await self._draw_refusal(reply, place.match, refusal)

    async def submit_typed(self, reply: Reply, place: PanelId, text: str) -> None:
        """Put what was typed in the modal into the draft, and redraw the panel."""
        async with self._drawing.redrawing(reply):
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
        click = _click(place)
        if place.action is Action.PRESET:
            return await self._drafts.use_preset(click, person)
        if place.action is Action.HINT:
            return await self._context.services.hints.fill_in(click, person)
        changed = await edited(self._drafts, click, place, values, person)
        return changed or await self._drafts.panel(place.match, person)

    async def _confirm(self, reply: Reply, click: Click) -> None:
        receipt = await self._context.services.actions.confirm(click, reply.person, reply.id)
        await self._draw_receipt(reply, receipt)

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

    async def _draw_receipt(self, reply: Reply, receipt: Receipt) -> None:
        panel = await self._drafts.panel(receipt.table.id, reply.person)
        words = game(receipt.table.game).write(receipt.words)
        # The outbox worker also removes the buttons from a direct message once its turn is taken: whichever
        # comes last, they stay away. A person who must act again continues in the same message.
        done = reply.edits_lasting_message and not panel.asked
        await self._draw(reply, panel, notice="✅ " + reply.texts.house("panel.done", words=words), done=done)

    async def _draw_refusal(self, reply: Reply, match: str, refusal: Refusal) -> None:
        panel = await self._drafts.panel(match, reply.person)
        await self._draw(reply, panel, notice=f"⚠️ {reply.texts.refusal(refusal)}")

    async def _draw(
        self, reply: Reply, panel: Panel, *, focus: Focus = NO_FOCUS, notice: str = "", done: bool = False
    ) -> None:
        """Show ``panel`` in the deferred message, unless a newer edit overtakes it there.

        ``done``: nothing more is decided in this message, and it is shown without controls.
        """
        problem = self._context.problems.get(panel.table.id)
        if problem is not None:
            notice = f"{notice}\n🔧 {problem.text(reply.texts)}".strip()
            self._context.look_after(panel.table.id)

        shown = PanelPage(
            panel,
            reply.texts,
            focus=focus,
            notice=notice,
            drawing=reply.mark,
            others_wait=await self._others_wait(reply, panel),
        )
        await self._drawing.draw(reply, shown, done=done)

    async def _others_wait(self, reply: Reply, panel: Panel) -> bool:
        # A panel in direct messages always shows the same match: others have messages of their own.
        lines = () if reply.edits_lasting_message else await self._queries.listed(reply.person)
        return any(line.asked and line.table.id != panel.table.id for line in lines)


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
