"""The router: every click and every submitted modal, by custom id alone.

See ``docs/adr/0004`` for why discord.py's own dispatch is not used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import discord

from bot.domain.refusals import Refusal
from bot.interactions.buttons import Buttons
from bot.interactions.panel import Panels
from bot.interactions.reply import Reply, SeenInteractions, guarded
from bot.pages.custom_ids import Action, ButtonId, PanelId, parse
from bot.pages.panel import TYPED
from engines.core.contract import msg


class Router:
    """Dispatches clicks and submitted modals to their handlers."""

    def __init__(self, panels: Panels, buttons: Buttons, seen: SeenInteractions) -> None:
        self._panels = panels
        self._buttons = buttons
        self._seen = seen

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a component or a modal; the command tree handles commands and their completions."""
        if interaction.type is discord.InteractionType.component:
            handler = self._click
        elif interaction.type is discord.InteractionType.modal_submit:
            handler = self._submit
        else:
            return
        if self._seen.is_new(interaction.id):
            await guarded(Reply(interaction), handler)

    async def _click(self, reply: Reply) -> None:
        data = _data(reply)
        place = parse(data.get("custom_id"))
        chosen = data.get("values")
        # Discord has not checked the values: they may be anything.
        values = [one for one in chosen if isinstance(one, str)] if isinstance(chosen, list) else []
        if isinstance(place, ButtonId):
            await self._buttons.press(reply, place, values)
        elif isinstance(place, PanelId) and place.action is Action.TYPE:
            await self._panels.type(reply, place)
        elif isinstance(place, PanelId):
            await self._panels.click(reply, place, values)
        else:
            await _unknown(reply)

    async def _submit(self, reply: Reply) -> None:
        data = _data(reply)
        place = parse(data.get("custom_id"))
        typed = next((value for key, value in _inputs(data.get("components")) if key == TYPED), None)
        if isinstance(place, PanelId) and place.action is Action.TYPE and typed is not None:
            await self._panels.submit_typed(reply, place, typed)
        else:
            await _unknown(reply)


async def _unknown(reply: Reply) -> None:
    await reply.defer()
    raise Refusal(msg("error.stale"))


def _data(reply: Reply) -> Mapping[str, Any]:
    data: Any = reply.interaction.data
    return data if isinstance(data, Mapping) else {}


def _inputs(components: object) -> Iterator[tuple[str, str]]:
    # Inputs may be wrapped in rows or in labels.
    for item in components if isinstance(components, list) else []:
        if not isinstance(item, Mapping):
            continue
        yield from _inputs(item.get("components"))
        yield from _inputs([item.get("component")])
        key, value = item.get("custom_id"), item.get("value")
        if isinstance(key, str) and isinstance(value, str):
            yield key, value
