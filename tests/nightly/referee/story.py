"""What people saw, in words that two Discords can share: ids are names, addresses are files."""

from __future__ import annotations

import copy
import hashlib
import json
import re
from itertools import zip_longest

from sandbox.validation.components import walk
from tests.kit.components import files as files_of
from tests.nightly.referee.rulings import Ruling
from tests.nightly.referee.world import PEOPLE, Answer, Json, World

TIME = re.compile(r"<t:\d+")
SNOWFLAKE = re.compile(r"(?<!\d)\d{17,20}(?!\d)")
DRAWING = re.compile(r"/~[0-9a-f]+")
"""The mark of one drawing of a select, made of the interaction's id, which differs between the two."""
EPHEMERAL = 1 << 6

SHOWN, PARTINGS = 300, 8
"""Characters of a line, and lines, that are shown where two stories part."""


class Story:
    """Notes after every act what is new in whose window."""

    def __init__(self, world: World, rulings: tuple[Ruling, ...]) -> None:
        self._world = world
        self._rulings = [ruling for ruling in rulings if ruling.world == world.name]
        self.ruled: set[str] = set()
        """The rulings that were needed."""
        self.lines: list[str] = []
        self.calls = True
        """Whether it is noted whom messages mention: an edit leaves nobody, so it must be the same edits."""
        self._names: dict[str, str] = {world.person_id(who): who for who in (*PEOPLE, "bot")}
        self._known: dict[tuple[str, str], str] = {}
        self._files: dict[str, str] = {}
        self.windows: dict[str, dict[str, Json]] = {}
        """By person, the messages in their window by id, as they are now."""

    async def note(self, what: str, answer: Answer | None = None) -> None:
        """Note an act, how it was answered, and what changed in every window since the act before."""
        self.lines.append(self._named(f"# {what}"))
        if answer is not None and answer.refused:
            self.lines.append("  the client refuses")
        if answer is not None and answer.modal is not None:
            self.lines.append(f"  a form opens: {self._modal(answer.modal)}")
        channels = await self._world.channels()
        for who in PEOPLE:
            await self._look(who, channels)

    async def _look(self, who: str, channels: dict[str, str]) -> None:
        self.windows[who] = {m["id"]: m for m in await self._world.window(who)}
        shown = []
        for message in self.windows[who].values():
            written = await self._write(who, message, channels)
            if written is not None and self._known.get((who, message["id"])) != _without_names(written):
                new = (who, message["id"]) not in self._known
                self._known[who, message["id"]] = _without_names(written)
                shown.append((_without_names(written), message["id"], "new" if new else "changed", written))
        for _, number, kind, written in sorted(shown, key=lambda each: (each[0], int(each[1]))):
            self._names.setdefault(number, f"message {len(self._names)}")
            self.lines.append(self._named(f"  {who} sees {number} {kind}: {written}"))
        gone = [key for key in self._known if key[0] == who and key[1] not in self.windows[who]]
        for key in gone:
            del self._known[key]
            self.lines.append(self._named(f"  {who} sees {key[1]} no more"))

    async def _write(self, who: str, message: Json, channels: dict[str, str]) -> str | None:
        """Write a message in one line; ``None`` where a ruling says that it is not compared."""
        for ruling in self._rulings:
            changed = ruling.read(copy.deepcopy(message))
            if changed != message:
                self.ruled.add(ruling.what)
            if changed is None:
                return None
            message = changed
        # simcord lists a shown file among the attachments too; Discord and the sandbox do not.
        files = {file["filename"]: await self._hash(who, file) for file in files_of(message)}
        shown = {
            "in": channels[message["channel_id"]],
            "by": message["author"]["id"],
            "type": message["type"],
            "flags": message["flags"],
            "private": bool(message["flags"] & EPHEMERAL),
            "content": message["content"],
            "mentions": sorted(str(self._names.get(p["id"])) for p in message["mentions"] if self.calls),
            "embeds": message["embeds"],
            "files": list(files.values()),
            "components": [self._component(item, message) for item in message["components"]],
        }
        return json.dumps(shown, ensure_ascii=False, sort_keys=True)

    async def _hash(self, who: str, file: Json) -> str:
        if file["url"] not in self._files:
            data = await self._world.file(who, file)
            self._files[file["url"]] = hashlib.sha256(data).hexdigest()[:12]
        return self._files[file["url"]]

    def _component(self, item: Json, message: Json) -> Json:
        """Write a component as it was sent: without what Discord adds, media by the name of their file."""
        names = {file["url"]: file["filename"] for file in files_of(message)}
        made = copy.deepcopy(item)
        for each in walk([made]):
            for holder in [each, *each.get("items", [])]:
                for key in ("media", "file"):
                    if key in holder:
                        holder[key] = f"attachment://{names.get(holder[key]['url'])}"
            _strip(each)
        return made

    def _modal(self, modal: Json) -> str:
        found = {"title": modal["title"], "custom_id": modal["custom_id"], "components": modal["components"]}
        made = copy.deepcopy(found)
        for each in walk(made["components"]):
            _strip(each)
        return self._named(json.dumps(made, ensure_ascii=False, sort_keys=True))

    def _named(self, text: str) -> str:
        """Put names for ids, in the order in which they turn up, and no time of day."""

        def name(found: re.Match[str]) -> str:
            return self._names.setdefault(found[0], f"message {len(self._names)}")

        return SNOWFLAKE.sub(name, TIME.sub("<t:…", DRAWING.sub("/~", text)))


ADDED = {"spoiler": False, "disabled": False, "required": True, "min_values": 1, "max_values": 1}
"""What Discord writes out where it was left out, with what it then means."""


def _strip(item: Json) -> None:
    """Leave out what is the default, what Discord adds, and component ids that nobody chose."""
    for holder in [item, *item.get("items", []), *item.get("options", [])]:
        for key, value in list(holder.items()):
            if (
                value in (None, "")
                or (key in ADDED and ADDED[key] == value)
                or (key == "default" and value is False)
                or key in ("name", "size")
            ):
                del holder[key]
        if isinstance(emoji := holder.get("emoji"), dict):
            holder["emoji"] = {key: value for key, value in emoji.items() if value is not None}
    if not isinstance(item.get("id"), int) or item["id"] < CHOSEN:
        item.pop("id", None)


CHOSEN = 900
"""The bot's own component ids are larger; smaller ones number the components that have none."""


def _without_names(text: str) -> str:
    return SNOWFLAKE.sub("…", TIME.sub("<t:…", text))


def difference(one: list[str], other: list[str]) -> str:
    """Return where two stories part, for a reader: empty where they are the same."""
    found: list[str] = []
    act = ""
    for left, right in zip_longest(one, other, fillvalue=""):
        if left != right:
            found += [act, *(f"  {name}: …{part}" for name, part in _parting(left, right))]
        elif left.startswith("#"):
            act = left
    return "\n".join(found[: 3 * PARTINGS])


def _parting(left: str, right: str) -> list[tuple[str, str]]:
    """Return the places of two lines where they begin to differ."""
    same = next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
    start = max(0, same - SHOWN // 4)
    return [("one", left[start : start + SHOWN]), ("other", right[start : start + SHOWN])]
