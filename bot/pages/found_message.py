"""Our own messages, read back from Discord by the component ids and custom ids that we put there."""

from __future__ import annotations

from dataclasses import dataclass

import discord


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """One of our messages, by the ids of its components."""

    message_id: int
    marker: int | None
    """The component id of its container; ``None``: it has none."""
    texts: tuple[int, ...]
    """The component ids of the texts in the container."""
    custom_ids: tuple[str, ...]
    """The custom ids of the buttons and selects in the container."""

    @classmethod
    def read(cls, message: discord.Message) -> FoundMessage:
        """Return what identifies a message. Only its first container counts."""
        container = next((item for item in message.components if isinstance(item, discord.Container)), None)
        if container is None:
            return cls(message.id, None, (), ())
        texts = (item for item in container.children if isinstance(item, discord.TextDisplay))
        rows = [item for item in container.children if isinstance(item, discord.ActionRow)]
        custom_ids = tuple(getattr(item, "custom_id", None) or "" for row in rows for item in row.children)
        return cls(
            message.id, container.id, tuple(item.id for item in texts if item.id is not None), custom_ids
        )

    def carries(self, part: str) -> bool:
        """Return whether ``part`` occurs in one of the custom ids."""
        return any(part in custom_id for custom_id in self.custom_ids)
