"""A journal of all that happens in a sandbox, one JSON object per line, from which a run can be judged later.

It contains the secrets of all people: private panels, direct messages, clicks and typed text. Only its owner
can read the file (mode 0600); do not give it to players. It contains no token and no key.

Each line has ``t``, its kind, and ``at``, its time by the sandbox's clock; README.md lists the kinds. Lines
are written immediately, so the journal of a killed run ends with the last event.
"""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO

from sandbox.model import DM, Channel, Interaction, Message

VERSION = 1


class Journal:
    """Appends lines to a file; without a path, it does nothing."""

    def __init__(self, path: Path | None, now: Callable[[], float]) -> None:
        self._path = path
        self._now = now
        self._file: TextIO | None = None

    def note(self, kind: str, /, **what: Any) -> None:
        """Write a line; `what` are JSON values."""
        if self._path is None:
            return
        line = json.dumps({"t": kind, "at": self._now(), **what}, separators=(",", ":"))
        self._opened(self._path).write(line + "\n")

    def interaction(self, interaction: Interaction, person: str) -> None:
        """Write a person's action: a click, a choice, a submitted modal, or a command."""
        self.note(
            "interaction",
            id=interaction.id,
            person=interaction.user_id,
            name=person,
            kind=interaction.kind,
            channel=interaction.channel_id,
            guild=interaction.guild_id,
            command=interaction.name,
            data=interaction.data,
            message=interaction.source_id,
        )

    def answer(self, interaction: Interaction, how: str, message: int | None) -> None:
        """Write a response to an interaction, and the message that it created, changed or deleted."""
        self.note("answer", id=interaction.id, how=how, type=interaction.answer, message=message)

    def message(
        self, kind: str, message: Message, channel: Channel, notified: Iterable[int] | None = None
    ) -> None:
        """Write a message in its current state; `notified`: the people that a new one notifies."""
        if self._path is None:
            return
        extra = {} if notified is None else {"notified": list(notified)}
        direct = [user for user in channel.recipients if user != message.author_id]
        self.note(
            kind,
            id=message.id,
            channel=message.channel_id,
            direct=direct[0] if channel.kind == DM and direct else None,
            author=message.author_id,
            only_for=message.only_for,
            flags=message.flags,
            content=message.content,
            components=message.components,
            files=[{"name": each.filename, "alt": each.description} for each in message.attachments],
            **extra,
        )

    def close(self) -> None:
        """Close the file; later lines open it again."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _opened(self, path: Path) -> TextIO:
        if self._file is None:
            # Nobody else may read the secrets, not even briefly, and not in an existing file either.
            number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            path.chmod(0o600)
            self._file = os.fdopen(number, "a", buffering=1, encoding="ascii")
        return self._file
