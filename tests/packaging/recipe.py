"""A Dockerfile as data: enough of its language to ask what an image is made of, and as whom it runs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

IGNORED = re.compile(r"^\s*(#.*)?$")


@dataclass(frozen=True, slots=True)
class Step:
    """One instruction: its word, and the rest of its lines as one."""

    word: str
    rest: str

    @property
    def command(self) -> list[str]:
        """Return the JSON array in the rest; raises ``ValueError`` where there is none."""
        return [str(part) for part in json.loads(self.rest[self.rest.index("[") :])]


def steps(text: str) -> list[Step]:
    """Return the instructions of a Dockerfile in order."""
    lines = [line for line in text.splitlines() if not IGNORED.match(line)]
    whole = re.sub(r"\\\n", " ", "\n".join(lines))
    found = [line.partition(" ") for line in whole.splitlines()]
    return [Step(word.upper(), " ".join(rest.split())) for word, _, rest in found]


def stages(all_steps: list[Step]) -> list[list[Step]]:
    """Return the steps stage by stage; what stands before the first one is its arguments' defaults."""
    found: list[list[Step]] = []
    arguments: dict[str, str] = {}
    for step in all_steps:
        if step.word == "FROM":
            image = re.sub(r"\$\{(\w+)\}", lambda name: arguments[name[1]], step.rest)
            found.append([Step(step.word, image)])
        elif found:
            found[-1].append(step)
        else:
            name, _, value = step.rest.partition("=")
            arguments[name] = value
    return found


def copied(stage: list[Step]) -> Iterator[str]:
    """Yield what a stage copies from the folder that it is built in."""
    for step in stage:
        if step.word in ("COPY", "ADD") and "--from=" not in step.rest:
            yield from step.rest.split()[:-1]


class Ignore:
    """A ``.dockerignore``: the last rule that fits a path, or a folder above it, decides."""

    def __init__(self, text: str) -> None:
        self._rules = [line.strip() for line in text.splitlines() if not IGNORED.match(line)]

    def hides(self, path: str) -> bool:
        """Return whether ``path`` stays outside."""
        hidden = False
        parts = Path(path).parts
        above = ["/".join(parts[: i + 1]) for i in range(len(parts))]
        for rule in self._rules:
            pattern = rule.removeprefix("!")
            if any(_fits(one, pattern) for one in above):
                hidden = not rule.startswith("!")
        return hidden


def _fits(path: str, pattern: str) -> bool:
    if pattern.startswith("**/"):
        return any(fnmatchcase(part, pattern[3:]) for part in path.split("/"))
    return path.count("/") == pattern.count("/") and fnmatchcase(path, pattern)
