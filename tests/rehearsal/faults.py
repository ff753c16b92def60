"""A Discord that behaves otherwise: for every line of the rehearsal a fault that only it should notice."""

from __future__ import annotations

import copy
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from bot.rehearsal import perform
from bot.rehearsal.stage import Line, Result, Stage
from sandbox.errors import ApiError
from sandbox.rest import api, messages
from sandbox.rest.call import Call, Route
from sandbox.server import Sandbox
from sandbox.validation.components import walk

Json = dict[str, Any]
Handler = Callable[[Call], Awaitable[Any]]
Twist = Callable[[Call, Handler], Awaitable[Any]]
"""Carries out a request otherwise: gets the request, and what would carry it out."""

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = MESSAGES + "/{message_id}"
CHANNEL = "/channels/{channel_id}"
ORIGINAL = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
GUILD_COMMANDS = "/applications/{application_id}/guilds/{guild_id}/commands"


@dataclass(frozen=True, slots=True)
class Fault:
    """How Discord behaves otherwise while a line is tried: at requests, and in the events it sends.

    ``event`` changes an interaction on its way to the bot, or loses it by returning ``None``. ``in_vain``:
    somebody presses something then, nothing comes of it, and they say so.
    """

    requests: Mapping[tuple[str, str], Twist] = field(default_factory=dict)
    event: Callable[[Json], Json | None] | None = None
    in_vain: bool = False


class Planted:
    """A sandbox with faults by line; each is there only while its line is tried."""

    def __init__(self, faults: Mapping[str, Fault]) -> None:
        self._faults = faults
        self._line = ""

    def plant(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let sandboxes that are made from now on have the faults."""
        attempt = perform.attempt

        async def noted(stage: Stage, line: Line) -> Result:
            self._line = line.key
            try:
                return await attempt(stage, line)
            finally:
                self._line = ""

        monkeypatch.setattr(perform, "attempt", noted)
        monkeypatch.setattr(api, "ROUTES", [self._twisted(route) for route in api.ROUTES])

    def _twisted(self, route: Route) -> Route:
        async def handler(call: Call) -> Any:
            fault = self._faults.get(self._line)
            twist = fault.requests.get((route.method, route.path)) if fault is not None else None
            return await (route.handler(call) if twist is None else twist(call, route.handler))

        return replace(route, handler=handler)

    def listen(self, sandbox: Sandbox) -> None:
        """Let the events of a sandbox pass through the faults."""
        gateway = sandbox.state.gateway
        dispatch = gateway.dispatch

        def sent(event: str, data: Json, **given: Any) -> None:
            fault = self._faults.get(self._line)
            said: Json | None = copy.deepcopy(data)
            asked = str(data.get("data", {}).get("custom_id", ""))
            own = not asked.endswith((":skip", ":vain"))
            if event == "INTERACTION_CREATE" and own and fault is not None and fault.event is not None:
                said = fault.event(data)
            if said is not None:
                dispatch(event, said, **given)

        gateway.dispatch = sent  # type: ignore[method-assign]

    @property
    def in_vain(self) -> set[str]:
        """Return the lines where what is pressed gets lost."""
        return {key for key, fault in self._faults.items() if fault.in_vain}


def answered(change: Callable[[Any], Any]) -> Twist:
    """Return a twist that changes the answer: ``change`` does so, or returns another one."""

    async def twist(call: Call, handler: Handler) -> Any:
        found = copy.deepcopy(await handler(call))
        other = change(found)
        return found if other is None else other

    return twist


def asked(change: Callable[[Json], object]) -> Twist:
    """Return a twist that changes the body of the request before it is carried out."""

    async def twist(call: Call, handler: Handler) -> Any:
        change(call.body)
        return await handler(call)

    return twist


def refused(status: int, code: int) -> Twist:
    """Return a twist that refuses the request."""

    async def twist(_: Call, __: Handler) -> Any:
        raise ApiError(status, code, "otherwise")

    return twist


def _without_galleries(body: Json) -> None:
    for item in walk(body.get("components", [])):
        if "components" in item:
            item["components"] = [each for each in item["components"] if each["type"] != 12]
    body["attachments"] = []


def _one_gallery(body: Json) -> None:
    for item in walk(body["components"]):
        galleries = [each for each in item.get("components", []) if each["type"] == 12]
        if galleries:
            galleries[0]["items"] = [entry for each in galleries for entry in each["items"]]
            item["components"] = [each for each in item["components"] if each not in galleries[1:]]


def _no_alt_text(message: Json) -> None:
    for item in walk(message["components"]):
        for entry in item.get("items", []):
            entry["description"] = None


def _no_attachment_id(message: Json) -> None:
    for item in walk(message["components"]):
        for entry in item.get("items", []):
            del entry["media"]["attachment_id"]


def lists_every_file(message: Json) -> None:
    """Let a message's attachments be all of its files, those too that its components show."""
    shown = [entry["media"] for item in walk(message["components"]) for entry in item.get("items", [])]
    message["attachments"] = [
        {"id": m["attachment_id"], "filename": "first.png", "size": 1, "url": m["url"], "proxy_url": m["url"]}
        for m in shown
    ]


def _no_name(message: Json) -> None:
    for item in walk(message["components"]):
        if "file" in item:
            item["name"] = "file"


def _no_count(answer: Json) -> None:
    del answer["session_start_limit"]["remaining"]


def _no_options(found: list[Json]) -> None:
    for each in found:
        del each["options"]


def _thread_says(**other: object) -> Callable[[Json], None]:
    return lambda answer: answer["thread_metadata"].update(other)


def _still_words(body: Json) -> None:
    for key in ("components", "attachments", "flags", "content"):
        body.pop(key, None)


def _no_words(body: Json) -> None:
    words = {"type": 10, "content": body.pop("content")}
    body |= {"components": [words], "flags": 1 << 15}


def _escaped(body: Json) -> None:
    for item in walk(body["components"]):
        if "](" in item.get("content", ""):
            item["content"] = re.sub(r"(?=[\uff01-\uff5e])", r"\\\\", item["content"])


def _in_public(body: Json) -> None:
    body["data"]["flags"] = 0


async def _not_deleted(_: Call, __: Handler) -> None:
    return None


async def _edited_while_archived(call: Call, handler: Handler) -> Any:
    call.channel().thread.archived = False  # type: ignore[union-attr]
    return await handler(call)


async def _asleep(call: Call, handler: Handler) -> Any:
    found = await handler(call)
    call.channel().thread.archived = True  # type: ignore[union-attr]
    return found


async def _begun_again(call: Call, handler: Handler) -> Any:
    return {"id": call.params["message_id"]}


async def _patient(call: Call, handler: Handler) -> Any:
    interaction = call.state.records.interactions[call.id("interaction_id")]
    interaction.dead, interaction.created_at = False, call.state.clock.now()
    return await handler(call)


async def _forgetful(call: Call, _: Handler) -> Any:
    # It says that the edit was taken, and shows what was there before.
    get = next(route for route in messages.ROUTES if (route.method, route.path) == ("GET", MESSAGE))
    return await get.handler(call)


def _lost(_: Json) -> None:
    return None


def _changed(*path: str, to: Any) -> Callable[[Json], Json]:
    def change(event: Json) -> Json:
        found = copy.deepcopy(event)
        place = found
        for key in path[:-1]:
            place = place[key]
        if path[-1] in place:
            place[path[-1]] = to
        return found

    return change


def _nothing_typed(event: Json) -> Json:
    found = copy.deepcopy(event)
    for item in found["data"].get("components", []):
        item["component"]["value"] = ""
    return found


def _no_option(event: Json) -> Json:
    completes = event["type"] == 4
    return event if completes else _changed("data", "options", to=[])(event)


def _another_choice(event: Json) -> Json:
    again = ":2:s" in event["data"]["custom_id"]
    return _changed("data", "values", to=["Torcello"])(event) if again else event


FAULTS: dict[str, Fault] = {
    "session": Fault({("GET", "/gateway/bot"): answered(_no_count)}),
    "post": Fault({("GET", MESSAGE): answered(_no_alt_text)}),
    "attachments": Fault({("GET", MESSAGE): answered(_no_attachment_id)}),
    "strip": Fault({("PATCH", MESSAGE): asked(_without_galleries)}),
    "keep": Fault({("PATCH", MESSAGE): asked(_without_galleries)}),
    "new file": Fault({("PATCH", MESSAGE): refused(400, 50035)}),
    # What comes back otherwise than it was sent is edited once.
    "galleries": Fault({("POST", MESSAGES): asked(_one_gallery), ("PATCH", MESSAGE): asked(_one_gallery)}),
    "file": Fault({("GET", MESSAGE): answered(_no_name)}),
    "nonce": Fault({("POST", MESSAGES): asked(lambda body: body.pop("enforce_nonce"))}),
    "mentions": Fault({("PATCH", MESSAGE): asked(lambda body: body.update(allowed_mentions={"parse": []}))}),
    "push": Fault({("PATCH", MESSAGE): asked(_still_words)}),
    "history": Fault({("GET", MESSAGES): answered(lambda _: [])}),
    "gone": Fault({("DELETE", MESSAGE): _not_deleted}),
    "thread": Fault({("GET", CHANNEL): answered(_thread_says(auto_archive_duration=60))}),
    "thread twice": Fault({("POST", MESSAGE + "/threads"): _begun_again}),
    "archive": Fault({("GET", CHANNEL): answered(_thread_says(locked=True))}),
    "edit archived": Fault({("PATCH", MESSAGE): _edited_while_archived}),
    "post archived": Fault({("POST", MESSAGES): _asleep}),
    "commands": Fault({("GET", GUILD_COMMANDS): answered(_no_options)}),
    "operator": Fault({("POST", CALLBACK): asked(_in_public)}),
    "app permissions": Fault(event=_changed("app_permissions", to="0")),
    "select": Fault(event=_changed("data", "values", to=[])),
    "notification": Fault({("POST", MESSAGES): asked(_no_words)}),
    "link text": Fault({("POST", MESSAGES): asked(_escaped), ("PATCH", MESSAGE): asked(_escaped)}),
    "panel": Fault({("PATCH", ORIGINAL): asked(_without_galleries)}),
    "refused choice": Fault(event=_another_choice),
    "modal": Fault(event=_nothing_typed),
    "after a restart": Fault(event=_lost, in_vain=True),
    "late answer": Fault({("POST", CALLBACK): _patient}),
    "click in thread": Fault(event=_lost, in_vain=True),
    "command": Fault(event=_no_option),
    "edited answer": Fault({("PATCH", ORIGINAL): asked(_without_galleries)}),
    "direct message": Fault({("PATCH", MESSAGE): asked(_without_galleries)}),
    "click in direct message": Fault(event=_lost, in_vain=True),
    "edit after an hour": Fault({("PATCH", MESSAGE): _forgetful}),
    "archive soon": Fault({("GET", CHANNEL): answered(_thread_says(auto_archive_duration=10_080))}),
}
