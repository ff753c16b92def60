"""Discord at the level of requests: it answers what discord.py is about to send, and keeps what was said."""

from __future__ import annotations

import json
import re
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import discord
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter

from bench.hostile.payloads import CHANNEL, EPHEMERAL, V2, Json, message, user

KEPT = 400
"""Messages that are kept; older ones are gone, as if deleted."""

REMEMBERED = 1_500
"""Interactions that can still be answered; older ones are unknown, as if their time had run out."""

PRIVATE_DEFER, DEFER_UPDATE, UPDATE, CHOICES, OPEN_MODAL, MESSAGE = 5, 6, 7, 8, 9, 4

_DM = 500_000_000_000_000_000


@dataclass(slots=True)
class Sent:
    """A request that changes what somebody reads. ``act``: the interaction that it answers, if any."""

    path: str
    body: Json
    act: str | None = None
    place: int = 0


@dataclass(slots=True)
class Exchange:
    """An interaction, and how it was answered so far."""

    payload: Json
    begun: float
    acks: list[Json] = field(default_factory=list)
    seconds: float = 0.0
    edits: int = 0
    arrived: bool = True
    """Whether discord.py could read it at all."""
    target: int = 0
    """The message that the answer goes into."""


class Wire:
    """Stands in for Discord. ``person_of`` of a DM channel is known by its number."""

    def __init__(self, ids: Iterator[int]) -> None:
        self._ids = ids
        self.messages: OrderedDict[int, Json] = OrderedDict()
        self.owners: dict[int, int] = {}
        """By private message: who reads it."""
        self.threads: set[int] = set()
        self.exchanges: OrderedDict[str, Exchange] = OrderedDict()
        self.sent: list[Sent] = []
        self.commands: list[Json] = []
        self.strange: list[str] = []
        """What Discord would have refused, or nobody foresaw."""
        self._routes: list[tuple[re.Pattern[str], Callable[..., Any]]] = [
            (re.compile(r"POST /interactions/(\d+)/(\w+)/callback"), self._callback),
            (re.compile(r"PATCH /webhooks/\d+/(\w+)/messages/(@original)"), self._edit_answer),
            (re.compile(r"POST /webhooks/\d+/(\w+)"), self._follow_up),
            (re.compile(r"POST /channels/(\d+)/messages"), self._post),
            (re.compile(r"PATCH /channels/(\d+)/messages/(\d+)"), self._edit),
            (re.compile(r"DELETE /channels/(\d+)/messages/(\d+)"), self._delete),
            (re.compile(r"GET /channels/(\d+)/messages/(\d+)"), self._get),
            (re.compile(r"GET /channels/(\d+)/messages"), self._history),
            (re.compile(r"POST /channels/(\d+)/messages/(\d+)/threads"), self._thread),
            (re.compile(r"PATCH /channels/(\d+)"), self._channel),
            (re.compile(r"POST /users/@me/channels"), self._dm),
            (re.compile(r"GET /guilds/\d+/members/(\d+)"), self._member),
            (re.compile(r"(GET|PUT) /applications/\d+/commands"), self._commands),
        ]

    # --- the seams --------------------------------------------------------------------------------

    def adapter(self) -> AsyncWebhookAdapter:
        """Return the adapter that discord.py answers interactions with."""
        wire = self

        class Adapter(AsyncWebhookAdapter):
            async def request(self, route: Route, *_: Any, **given: Any) -> Any:
                return wire.answer(route, given.get("payload"), given.get("multipart"))

        return Adapter()  # type: ignore[no-untyped-call] # discord.py's class says nothing

    async def request(self, route: Route, *, form: Any = None, **given: Any) -> Any:
        """Stand in for ``discord.http.HTTPClient.request``."""
        return self.answer(route, given.get("json"), form)

    def answer(self, route: Route, body: Any, form: Iterable[Json] | None) -> Any:
        """Answer a request as Discord would; raises discord.py's errors."""
        if form is not None:
            body = next((json.loads(part["value"]) for part in form if part["name"] == "payload_json"), body)
        else:
            body = json.loads(json.dumps(body))
        path = route.url.removeprefix(Route.BASE).partition("?")[0]
        for pattern, handler in self._routes:
            found = pattern.fullmatch(f"{route.method} {path}")
            if found is not None:
                return handler(body if body is not None else {}, *found.groups())
        self.strange.append(f"no answer to {route.method} {path}")
        raise _error(404, 0)

    def _member(self, _: Any, person: str) -> Json:
        return {"user": {"id": person}, "roles": [], "communication_disabled_until": None}

    # --- interactions -----------------------------------------------------------------------------

    def expect(self, payload: Json) -> Exchange:
        """Take note of an interaction that is about to be delivered; a repeated one is the first again."""
        exchange = self.exchanges.get(payload["id"])
        if exchange is None:
            exchange = self.exchanges[payload["id"]] = Exchange(payload, time.perf_counter())
            while len(self.exchanges) > REMEMBERED:
                self.exchanges.popitem(last=False)
        return exchange

    def _callback(self, body: Json, number: str, _token: str) -> Json:
        exchange = self.exchanges.get(number)
        if exchange is None:
            raise _error(404, 10062)
        if exchange.acks:
            raise _error(400, 40060)
        exchange.acks.append(body)
        exchange.seconds = time.perf_counter() - exchange.begun
        kind, data = body["type"], body.get("data") or {}
        self._note("callback", body, number)
        answer: Json = {"interaction": {"id": number, "type": 3}}
        if kind in (DEFER_UPDATE, UPDATE):
            exchange.target = int((exchange.payload.get("message") or {}).get("id", 0))
            if kind == UPDATE:
                answer["resource"] = {"type": kind, "message": self._change(exchange.target, data)}
        elif kind in (MESSAGE, PRIVATE_DEFER):
            exchange.target = self._private(exchange.payload, data)
            answer["interaction"]["response_message_id"] = str(exchange.target)
            made = self.messages[exchange.target]
            answer["resource"] = {"type": kind, "message": made}
        return answer

    def _private(self, payload: Json, data: Json) -> int:
        number = next(self._ids)
        place = int(payload.get("channel_id") or 0)
        self._keep(number, message(number, place, data, flags=data.get("flags", 0) | V2))
        self.owners[number] = reader(payload)
        return number

    def _edit_answer(self, body: Json, token: str, _which: str) -> Json:
        exchange = self.exchanges.get(token[1:])
        if exchange is None or not exchange.acks:
            raise _error(404, 10015)
        exchange.edits += 1
        self._note("edit", body, token[1:])
        return self._change(exchange.target, body)

    def _follow_up(self, body: Json, token: str) -> Json:
        exchange = self.exchanges.get(token[1:])
        if exchange is None or not exchange.acks:
            raise _error(404, 10015)
        exchange.edits += 1
        self._note("follow-up", body, token[1:])
        return self.messages[self._private(exchange.payload, body)]

    # --- channels ---------------------------------------------------------------------------------

    def knows(self, place: int) -> bool:
        """Return whether there is a channel of this id."""
        return place in (CHANNEL, *self.threads) or bool(place_of_dm(place))

    def _post(self, body: Json, place: str) -> Json:
        if not self.knows(int(place)):
            raise _error(404, 10003)
        number = next(self._ids)
        self._note("post", body, None, int(place))
        self._keep(number, message(number, int(place), body, flags=body.get("flags", 0)))
        if place_of_dm(int(place)):
            self.owners[number] = place_of_dm(int(place))
        return self.messages[number]

    def _edit(self, body: Json, place: str, number: str) -> Json:
        self._note("patch", body, None, int(place))
        return self._change(int(number), body)

    def _delete(self, _body: Json, _place: str, number: str) -> None:
        if int(number) not in self.messages:
            raise _error(404, 10008)
        self.delete(int(number))

    def _get(self, _body: Json, _place: str, number: str) -> Json:
        if int(number) not in self.messages:
            raise _error(404, 10008)
        return self.messages[int(number)]

    def _history(self, _body: Json, place: str) -> list[Json]:
        return [one for one in reversed(self.messages.values()) if one["channel_id"] == place][:50]

    def _thread(self, body: Json, place: str, number: str) -> Json:
        if int(number) not in self.messages:
            raise _error(404, 10008)
        self._note("thread", body, None, int(place))
        self.threads.add(int(number))
        return {"id": number, "type": 11}

    def _channel(self, _body: Json, number: str) -> Json:
        return {"id": number}

    def _dm(self, body: Json) -> Json:
        person = int(body["recipient_id"])
        return {"id": str(_DM + person % 10**15), "type": 1, "recipients": [user(person, "x")]}

    def _commands(self, body: Any, method: str) -> list[Json]:
        if method == "PUT":
            self.commands = [
                {"id": str(n + 1), "application_id": "1", "version": "1", "type": 1, **item}
                for n, item in enumerate(body)
            ]
        return self.commands

    def _note(self, path: str, body: Json, act: str | None, place: int = 0) -> None:
        self.sent.append(Sent(path, body, act, place))

    def _change(self, number: int, body: Json) -> Json:
        old = self.messages.get(number)
        if old is None:
            raise _error(404, 10008)
        new = message(number, int(old["channel_id"]), body, flags=old["flags"] | body.get("flags", 0))
        self._keep(number, new)
        return new

    def _keep(self, number: int, made: Json) -> None:
        self.messages[number] = made
        self.messages.move_to_end(number)
        while len(self.messages) > KEPT:
            self.delete(next(iter(self.messages)))

    def delete(self, number: int) -> None:
        """Delete a message, as people and moderators do."""
        self.messages.pop(number, None)
        self.owners.pop(number, None)

    def mine(self) -> dict[int, list[Json]]:
        """Return the private messages of each person, the oldest first."""
        found: dict[int, list[Json]] = defaultdict(list)
        for number, made in self.messages.items():
            if number in self.owners:
                found[self.owners[number]].append(made)
        return found

    def public(self) -> list[Json]:
        """Return the public messages, the oldest first."""
        return [made for number, made in self.messages.items() if number not in self.owners]


def dm_of(person: int) -> int:
    """Return the channel of direct messages with a person."""
    return _DM + person % 10**15


def place_of_dm(place: int) -> int:
    """Return whose direct messages a channel holds, 0 for any other."""
    return 100_000_000_000_000_000 + place - _DM if _DM <= place < _DM + 10**15 else 0


def reader(payload: Json) -> int:
    """Return who reads the answer to an interaction; 0: nobody is named."""
    found = (payload.get("member") or {}).get("user") if "guild_id" in payload else payload.get("user")
    return int(found["id"]) if found else 0


def is_private(payload: Json) -> bool:
    """Return whether the message that was clicked is seen by one person alone."""
    clicked = payload.get("message")
    return clicked is not None and (bool(clicked["flags"] & EPHEMERAL) or "guild_id" not in payload)


def _error(status: int, code: int) -> discord.HTTPException:
    kind = discord.NotFound if status == 404 else discord.HTTPException
    response: Any = SimpleNamespace(status=status, reason="")
    return kind(response, {"code": code, "message": ""})
