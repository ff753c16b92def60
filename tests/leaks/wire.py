"""A Discord that answers the real client within the process, and notes who receives what.

Ids count within one audience, so that what one person is told shifts no number of another's.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import discord
from discord.http import Route

from tests.kit.copied import copied

Json: TypeAlias = dict[str, Any]
Reader: TypeAlias = int | None
"""Who receives something: a person's id, or ``None`` for everybody in the server."""

BOT: Json = {
    "id": "3",
    "username": "bauta",
    "discriminator": "0",
    "avatar": None,
    "global_name": None,
    "bot": True,
}
GUILD, CHANNEL = 1, 500
EPHEMERAL = 1 << 6
DMS = 9_000_000
"""What is added to a person's id to make the id of their direct messages."""


@dataclass(frozen=True, slots=True)
class Sent:
    """One thing that the bot sent to Discord: what it did, where, with which body and files."""

    reader: Reader
    act: str
    body: str
    files: tuple[tuple[str, str, bytes], ...] = field(repr=False)
    """Name, description, bytes."""

    def blobs(self) -> Iterator[bytes]:
        """Yield all of it as bytes, to search in."""
        yield f"{self.act}\n{self.body}".encode()
        for name, alt, data in self.files:
            yield f"{name}\n{alt}".encode()
            yield data


class Wire:
    """What the bot sent, in order; the messages that stand; doors that are closed; troubles to come."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.messages: dict[int, Json] = {}
        self.readers: dict[int, Reader] = {}
        self.answers: dict[str, Json] = {}
        """By the token of an interaction: the message that answers it."""
        self.closed: set[int] = set()
        """People who take no direct messages."""
        self.trouble: list[tuple[str, Exception]] = []
        """What goes wrong next: part of an act, and what is raised instead of an answer."""
        self.watchers: list[Callable[[], None]] = []
        """Called whenever something is sent, within the task that sends it."""
        self._counts: Counter[Reader] = Counter()

    def received(self, reader: Reader, since: int = 0) -> list[Sent]:
        """Return what a person received, what everybody received included."""
        return [sent for sent in self.sent[since:] if sent.reader is None or sent.reader == reader]

    def note(self, reader: Reader, act: str, body: object, files: object = None) -> None:
        """Note what was sent; raises the trouble that was to come."""
        self.sent.append(
            Sent(reader, act, json.dumps(body, sort_keys=True, default=str), tuple(_read(files)))
        )
        for watch in self.watchers:
            watch()
        for item in list(self.trouble):
            if item[0] in act:
                self.trouble.remove(item)
                raise item[1]

    def new_message(self, reader: Reader, channel: int, body: Json, files: object) -> Json:
        """Let a message stand."""
        self._counts[reader] += 1
        number = (0 if reader is None else reader * 1_000) + self._counts[reader] + 10_000
        flags = EPHEMERAL if body.get("flags", 0) & EPHEMERAL else 0
        message = {
            "id": str(number), "channel_id": str(channel), "author": BOT, "content": "", "tts": False,
            "timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None, "mention_everyone": False,
            "mentions": [], "mention_roles": [], "attachments": [], "embeds": [], "pinned": False, "type": 0,
            "flags": body.get("flags", 0) & (1 << 15) | flags, "components": [],
        }  # fmt: skip
        self.messages[number], self.readers[number] = message, reader
        return self.changed(number, body, files)

    def changed(self, number: int, body: Json, files: object) -> Json:
        """Change a message."""
        message = self.messages[number]
        message["flags"] |= body.get("flags", 0) & (1 << 15)
        message["content"] = (body["content"] or "") if "content" in body else message["content"]
        if "components" in body:
            message["components"] = _shown(body["components"])
        if "attachments" in body or files:
            message["attachments"] = [
                {"id": str(n), "filename": name, "size": 1, "url": f"https://cdn/{name}", "proxy_url": ""}
                for n, (name, _, _) in enumerate(_read(files))
            ]
        return copied(message)

    # --- the REST API -----------------------------------------------------------------------------

    async def request(self, route: Route, *, files: Any = None, form: Any = None, **given: Any) -> Any:
        """Answer a request of ``discord.http.HTTPClient``."""
        path = route.url.partition(route.BASE)[2]
        body = given.get("json") or {}
        for part in form or ():
            if part["name"] == "payload_json":
                body = json.loads(part["value"])
        body = body if isinstance(body, dict) else {"list": body}
        params = given.get("params")
        if route.method == "GET":
            return self._get(path)
        self.note(self._reader(path, body), f"{route.method} {path} {params or ''}", body, files)
        return self._done(route.method, path, body, files)

    def _reader(self, path: str, body: Json) -> Reader:
        found = re.match(r"/channels/(\d+)", path)
        if found is not None and int(found[1]) >= DMS:
            return int(found[1]) - DMS
        return int(body["recipient_id"]) if "recipient_id" in body else None

    def _get(self, path: str) -> Any:
        found = re.fullmatch(r"/channels/\d+/messages/(\d+)", path)
        if found is not None:
            return copied(self.messages[int(found[1])])
        if re.fullmatch(r"/guilds/\d+/members/\d+", path) is not None:
            return {"communication_disabled_until": None}
        return []

    def _done(self, method: str, path: str, body: Json, files: object) -> Any:
        if path == "/users/@me/channels":
            person = int(body["recipient_id"])
            return {"id": str(DMS + person), "type": 1, "recipients": [user(person)], "last_message_id": None}
        found = re.match(r"/channels/(\d+)(?:/messages(?:/(\d+))?)?", path)
        assert found is not None, path
        channel, message = int(found[1]), found[2]
        if method == "POST" and path.endswith("/messages"):
            if channel - DMS in self.closed:
                raise refusal(403, 50007)
            return self.new_message(self._reader(path, body), channel, body, files)
        return self.changed(int(message), body, files) if method == "PATCH" and message else {}

    # --- answers to interactions: an adapter as discord.py's webhooks want it ---------------------

    async def create_interaction_response(self, number: int, token: str, *, params: Any, **_: Any) -> Any:
        """Take the first answer to an interaction."""
        # An answer with files has its JSON in the first part.
        payload = params.payload or json.loads(params.multipart[0]["value"])
        kind, data = payload["type"], payload.get("data") or {}
        asker, clicked = _parts(token)
        message: Json | None = None
        if kind in (4, 5):
            reader = asker if data.get("flags", 0) & EPHEMERAL else None
            self.note(reader, f"answer {kind}", data, params.files)
            message = self.new_message(reader, CHANNEL, data, params.files)
            self.answers[token] = message
        elif kind in (6, 7):
            assert clicked is not None
            self.note(self.readers[clicked], f"answer {kind}", data, params.files)
            self.answers[token] = message = self.changed(clicked, data, params.files)
        else:
            self.note(asker, f"answer {kind}", data)
        resource = {"type": kind, "message": message} if message is not None else {"type": kind}
        return {"interaction": {"id": str(number), "type": 3}, "resource": resource}

    async def edit_original_interaction_response(
        self, _: int, token: str, *, payload: Any = None, multipart: Any = None, files: Any = None, **__: Any
    ) -> Any:
        """Change the message that answers an interaction."""
        number, body = int(self.answers[token]["id"]), _body(payload, multipart)
        self.note(self.readers[number], "answer edit", body, files)
        return self.changed(number, body, files)

    async def execute_webhook(
        self, _: int, token: str, *, payload: Any = None, multipart: Any = None, files: Any = None, **__: Any
    ) -> Any:
        """Take one more answer."""
        body = _body(payload, multipart)
        reader = _parts(token)[0] if body.get("flags", 0) & EPHEMERAL else None
        self.note(reader, "answer more", body, files)
        return self.new_message(reader, CHANNEL, body, files)


def user(person: int) -> Json:
    """Return a person as Discord describes them."""
    name = f"Person {person}"
    return {
        "id": str(person), "username": f"p{person}", "discriminator": "0", "avatar": None, "global_name": name
    }  # fmt: skip


def refusal(status: int, code: int, text: str = "") -> discord.HTTPException:
    """Return the error that discord.py raises for an answer of Discord."""
    kinds: dict[int, type[discord.HTTPException]] = {403: discord.Forbidden, 404: discord.NotFound}
    response: Any = type("Response", (), {"status": status, "reason": ""})()
    return kinds.get(status, discord.HTTPException)(response, {"code": code, "message": text})


def token_of(asker: int, number: int, clicked: int | None) -> str:
    """Return an interaction's token, which says whose it is and what was clicked."""
    return f"{asker}-{number}-{clicked or ''}"


def _parts(token: str) -> tuple[int, int | None]:
    asker, _, clicked = token.split("-")
    return int(asker), int(clicked) if clicked else None


def _body(payload: Json | None, multipart: list[Json] | None) -> Json:
    for part in multipart or ():
        if part["name"] == "payload_json":
            found: Json = json.loads(part["value"])
            return found
    return payload or {}


def _read(files: Any) -> Iterator[tuple[str, str, bytes]]:
    for file in files or ():
        file.fp.seek(0)
        yield file.filename, file.description or "", file.fp.read()
        file.fp.seek(0)


def _shown(components: list[Json]) -> list[Json]:
    """Return components as Discord hands them back: files have addresses, every item a number."""
    shown: list[Json] = copied(components)

    def complete(items: list[Json]) -> None:
        for item in items:
            item.setdefault("id", 1)
            complete(item.get("components", []))
            media = [part["media"] for part in item.get("items", [])] + [
                item[k] for k in ("file",) if k in item
            ]
            for one in media:
                one["url"] = one["url"].replace("attachment://", "https://cdn/")

    complete(shown)
    return shown
