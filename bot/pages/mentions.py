"""Commands in texts: mentions that a click makes into the command, once Discord has named their ids.

Catalogues name a command as people type it, ``/turn``. Only templates become mentions, never what fills their
gaps: a player may be called /turn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from engines.core.texts import CHOSEN_BY, Catalogue, Template, load

SLASH_COMMAND = 1
"""The type of a slash command, among other kinds of commands."""

SUBCOMMAND = 1
"""The type of a command's option that is a subcommand."""

COMMAND = re.compile(r"(?<![\w/<`])(`?)/([a-z_]+)\1(?![\w/`])")
"""A command in a template, as code or not; its second group is the name."""

_MENTION = re.compile(r"</([^:<>\n]+):\d+>")


class CommandMentions:
    """How texts mention commands; as plain words until :meth:`learn` is told their ids."""

    def __init__(self) -> None:
        self._known: dict[str, str] = {}
        self._made: dict[str, str] = {}
        """Templates with mentions, by those without."""
        self.catalogue = Catalogue(_Changed(load("bot").languages, self._in_language))
        """The bot's own texts with mentions."""

    def learn(self, listed: Iterable[Mapping[str, Any]]) -> None:
        """Take in commands as Discord lists them; raises ``KeyError`` and ``TypeError`` if it is no list.

        A command with subcommands cannot be mentioned, only each of these.
        """
        known = {
            path: f"</{path}:{int(each['id'])}>"
            for each in listed
            if each.get("type", SLASH_COMMAND) == SLASH_COMMAND
            for path in _paths(each)
        }
        self._known, self._made = known, {}

    def of(self, path: str) -> str:
        """Return how a text mentions a command, by its name and that of its subcommand."""
        return self._known.get(path, f"/{path}")

    def _in_language(self, texts: Mapping[str, Template]) -> Mapping[str, Template]:
        return _Changed(texts, self._mentioning)

    def _mentioning(self, template: Template) -> Template:
        if isinstance(template, str):
            if "/" not in template:
                return template
            if template not in self._made:
                self._made[template] = COMMAND.sub(lambda found: self.of(found[2]), template)
            return self._made[template]
        return {key: form if key == CHOSEN_BY else self._mentioning(form) for key, form in template.items()}


class _Changed(Mapping[str, Any]):
    """A mapping whose values are changed when they are read."""

    def __init__(self, source: Mapping[str, Any], change: Callable[[Any], Any]) -> None:
        self._source = source
        self._change = change

    def __getitem__(self, key: str) -> Any:
        return self._change(self._source[key])

    def __iter__(self) -> Iterator[str]:
        return iter(self._source)

    def __len__(self) -> int:
        return len(self._source)


NO_MENTIONS = CommandMentions()
"""Names all commands in plain words."""


def without_mentions(text: str) -> str:
    """Return a text with its commands in plain words: labels and notifications show no mentions."""
    return _MENTION.sub(r"/\1", text)


def _paths(command: Mapping[str, Any]) -> list[str]:
    name, options = command["name"], command.get("options") or ()
    subcommands = [each["name"] for each in options if each.get("type") == SUBCOMMAND]
    return [f"{name} {each}" for each in subcommands] or [name]
