"""A journal of what happens in a sandbox, one JSON object a line: a run can be judged by it from outside.

It holds nothing that the sandbox does not show, and that is all secrets of all its people: private panels,
direct messages, what was pressed and typed. Its owner alone may read the file (mode 0600); give it to nobody
who plays. It holds no token and no key.

Each line has ``t``, its kind, and ``at``, when it was by the sandbox's clock; README.md lists the kinds. A
line is written at once: the journal of a run that was killed ends with what happened last.
"""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, TextIO

from sandbox.model import DM, Channel, Interaction, Message

VERSION = 1


class Journal:
    """Appends lines to a file; without one, it does nothing."""

    def __init__(self, path: Path | None, now: Callable[[], float]) -> None:
        self._path = path
        self._now = now
        self._file: TextIO | None = None

    def note(self, kind: str, /, **what: Any) -> None:
        """Write a line; `what` is JSON."""
        if self._path is None:
            return
        line = json.dumps({"t": kind, "at": self._now(), **what}, separators=(",", ":"))
        self._opened(self._path).write(line + "\n")

    def interaction(self, interaction: Interaction, person: str) -> None:
        """Note what somebody did: pressed, chose, typed, or a command."""
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
        """Note an answer to an interaction, and the message that it has made, changed or deleted."""
        self.note("answer", id=interaction.id, how=how, type=interaction.answer, message=message)

    def message(
        self, kind: str, message: Message, channel: Channel, notified: Iterable[int] | None = None
    ) -> None:
        """Note a message as it stands; `notified`: of a new one, whose phones show it."""
        if self._path is None:
            return
        told = {} if notified is None else {"notified": list(notified)}
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
            **told,
        )

    def close(self) -> None:
        """Close the file; what is noted later is appended."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _opened(self, path: Path) -> TextIO:
        if self._file is None:
            # Secrets: nobody else may read the file, not even for a moment, nor one that was there before.
            number = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            path.chmod(0o600)
            self._file = os.fdopen(number, "a", buffering=1, encoding="ascii")
        return self._file
