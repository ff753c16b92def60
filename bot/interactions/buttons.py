"""Buttons outside panels: each page says what its own do, and a press is carried out by its button alone."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol, TypeAlias

from bot.interactions.reply import Reply
from bot.pages.custom_ids import Button, ButtonId

Act: TypeAlias = Callable[[Reply, ButtonId, list[str]], Awaitable[None]]
"""Carries out a press; it gets all that was chosen in a select. Raises ``Refusal``."""


@dataclass(frozen=True, slots=True)
class Handler:
    """What a press does, and how it is acknowledged before; ``None``: the act does that itself."""

    act: Act
    acknowledge: Callable[[Reply], Awaitable[None]] | None


def new_message(act: Callable[[Reply, str], Awaitable[None]]) -> Handler:
    """Answer a press in a private message of its own; ``act`` gets the match that the button names."""
    return Handler(lambda reply, place, _: act(reply, place.match), Reply.defer)


def same_message(act: Act) -> Handler:
    """Answer a press by changing the private message that was clicked."""
    return Handler(act, Reply.defer_edit)


class HasButtons(Protocol):
    """What has buttons, such as a page."""

    def buttons(self) -> Mapping[Button, Handler]:
        """Return the handlers of its buttons."""


class Buttons:
    """The handlers of all buttons. Raises ``ValueError`` if one has none, or several."""

    def __init__(self, *pages: HasButtons) -> None:
        found = [each for page in pages for each in page.buttons().items()]
        self._handlers = dict(found)
        if len(found) != len(Button) or len(self._handlers) != len(Button):
            raise ValueError("each button needs one handler")

    async def press(self, reply: Reply, place: ButtonId, values: list[str]) -> None:
        """Carry out a press of a button, or a choice in a select; raises ``Refusal``."""
        handler = self._handlers[place.button]
        if handler.acknowledge is not None:
            await handler.acknowledge(reply)
        await handler.act(reply, place, values)
