"""A person's window, driven by a program over HTTP and a socket, like the page."""
# ruff: noqa: ASYNC109 - these methods exist to wait with a timeout

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

import aiohttp

from sandbox.model import LOADING, Json
from sandbox.responses import DEFERRED, OPEN_MODAL
from tests.kit import components
from tests.kit.waiting import PATIENCE

Target = Json | str | int


class PersonError(Exception):
    """A person's action was refused, failed or timed out; the text is what the person would read."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event that a window received."""

    t: str
    d: Any = field(repr=False)


@dataclass(frozen=True, slots=True)
class Outcome:
    """The response to an interaction.

    `answer` is its kind (4 to 9), `message` the message that it created or changed in its current state,
    `modal` the modal that it opened, `mark` the number of events that the window had received before.
    """

    interaction_id: str
    answer: int
    mark: int
    message: Json | None = None
    modal: Json | None = None


class Person:
    """A person with an open window. Use `connect`, or `create` for a new person, and close it."""

    def __init__(self, entrance: str, who: str) -> None:
        self._session, self._url = _enter(entrance)
        self._path = f"{self._url}/people/{who}"
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._reader: asyncio.Task[None] | None = None
        self._changed = asyncio.Condition()
        self.patience = PATIENCE
        """The default timeout for events, in seconds."""
        self.received: list[Event] = []
        self.seen: dict[str, Json] = {}
        self.channels: dict[str, Json] = {}
        self.commands: list[Json] = []
        self.me: Json = {}
        self.bot: Json = {}

    @classmethod
    async def connect(cls, entrance: str, who: str | int) -> Self:
        """Open the window of a person, by id or name, at a sandbox's address with its key.

        PersonError: there is no such person, or the key is wrong.
        """
        person = cls(entrance, str(who))
        try:
            # The heartbeat detects a sandbox that was killed.
            person._socket = await person._session.ws_connect(f"{person._path}/socket", heartbeat=30.0)
        except aiohttp.WSServerHandshakeError as error:
            await person.close()
            msg = "the sandbox has another key" if error.status == 401 else f"there is no person {who!r}"
            raise PersonError(msg) from error
        except BaseException:
            await person.close()
            raise
        person._reader = asyncio.create_task(person._read(person._socket))
        try:
            await person.wait_for(lambda event: event.t == "HELLO")
        except BaseException:
            await person.close()
            raise
        return person

    @classmethod
    async def create(cls, entrance: str, name: str, locale: str = "en-US") -> Self:
        """Create a person and open their window. PersonError: the name is taken or too long."""
        session, url = _enter(entrance)
        async with session:
            made = await _post(session, f"{url}/people", {"name": name, "locale": locale})
        return await cls.connect(entrance, made["id"])

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the window."""
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            self._reader.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._reader
        await self._session.close()

    @property
    def id(self) -> str:
        """The person's id."""
        return str(self.me["id"])

    @property
    def name(self) -> str:
        """The person's name."""
        return str(self.me["global_name"])

    @property
    def notifications(self) -> list[Json]:
        """What the person's phone has shown since the window opened: `{"title", "text", …}`."""
        return [event.d for event in self.received if event.t == "NOTIFICATION"]

    # Receiving

    async def _read(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        async for message in socket:
            event = Event(**message.json())
            kind, _, change = event.t.partition("_")
            if event.t == "HELLO":
                self.me, self.bot, self.commands = event.d["me"], event.d["bot"], event.d["commands"]
                self.channels = {channel["id"]: channel for channel in event.d["channels"]}
            elif event.t == "COMMANDS_UPDATE":
                self.commands = event.d["commands"]
            elif event.t == "BOT_STATUS":
                self.bot["online"] = event.d["online"]
            elif kind in ("MESSAGE", "CHANNEL", "THREAD"):
                known = self.seen if kind == "MESSAGE" else self.channels
                known |= {event.d["id"]: event.d}
                if change == "DELETE":
                    del known[event.d["id"]]
            # Last, so that waiters for the event find its effect.
            async with self._changed:
                self.received.append(event)
                self._changed.notify_all()

    async def wait_for(
        self, predicate: Callable[[Event], bool], timeout: float | None = None, *, since: int = 0
    ) -> Event:
        """Return the first matching event from number `since` on. PersonError: timeout."""
        at, timeout = since, self.patience if timeout is None else timeout
        try:
            async with asyncio.timeout(timeout), self._changed:
                while True:
                    while at < len(self.received):
                        if predicate(self.received[at]):
                            return self.received[at]
                        at += 1
                    await self._changed.wait()
        except TimeoutError:
            recent = [event.t for event in self.received[since:]]
            msg = f"{self._path.rsplit('/', 1)[-1]} waited {timeout} s in vain; received {recent}"
            raise PersonError(msg) from None

    async def message(
        self,
        predicate: Callable[[Json], bool],
        timeout: float | None = None,
        *,
        since: int = 0,
    ) -> Json:
        """Return the first matching new or changed message. PersonError: timeout."""
        kinds = ("MESSAGE_CREATE", "MESSAGE_UPDATE")
        event = await self.wait_for(lambda e: e.t in kinds and predicate(e.d), timeout, since=since)
        return dict(event.d)

    async def updated(self, message: Target, timeout: float | None = None, *, since: int = 0) -> Json:
        """Return a message after its next change. PersonError: timeout."""
        wanted = _id(message)
        event = await self.wait_for(
            lambda e: e.t == "MESSAGE_UPDATE" and e.d["id"] == wanted, timeout, since=since
        )
        return dict(event.d)

    # Reading

    async def messages(self, channel: Target, limit: int = 50, before: Target | None = None) -> list[Json]:
        """Read a channel, newest last. PersonError: it is not visible."""
        query = {"limit": str(limit)} | ({} if before is None else {"before": _id(before)})
        address = f"{self._path}/channels/{self.channel_id(channel)}/messages"
        async with self._session.get(address, params=query) as response:
            body = await response.json()
            _check(response.status, body)
            for message in body:
                self.seen[message["id"]] = message
            return list(body)

    async def fetch(self, picture: Json | str) -> bytes:
        """Load an attachment or a picture by its `url`. PersonError: it is not visible."""
        address = picture if isinstance(picture, str) else picture["url"]
        async with self._session.get(address) as response:
            data = await response.read()
            if response.status != 200:
                raise PersonError(data.decode("utf-8", "replace"))
            return data

    def channel_id(self, channel: Target) -> str:
        """Return a channel's id by id, object or name. PersonError: no visible channel has the name."""
        if isinstance(channel, dict):
            return str(channel["id"])
        text = str(channel).removeprefix("#")
        if text.isdigit():
            return text
        for found in self.channels.values():
            if found.get("name") == text:
                return str(found["id"])
        msg = f"{self.name} sees no channel {text!r}"
        raise PersonError(msg)

    # Acting

    async def command(self, channel: Target, command: str, /, **options: Any) -> Outcome:
        """Send a slash command and wait for the response; if deferred, until it is complete."""
        body = {"channel_id": self.channel_id(channel), "name": command, "options": options}
        return await self._act("command", body)

    async def autocomplete(
        self, channel: Target, command: str, /, focused: str, **options: Any
    ) -> list[Json]:
        """Return the completions of an option. PersonError: the bot did not respond in time."""
        body = {
            "channel_id": self.channel_id(channel),
            "name": command,
            "options": options,
            "focused": focused,
        }
        return list((await self._post("autocomplete", body))["choices"])

    async def press(self, message: Target, wanted: str, *, wait: bool = True) -> Outcome:
        """Press the button with a custom_id or label."""
        found = self._find(message, lambda body: components.button(body, wanted))
        return await self._act(
            "press", {"message_id": _id(message), "custom_id": found["custom_id"]}, wait=wait
        )

    async def select(
        self, message: Target, wanted: str, values: str | list[str], *, wait: bool = True
    ) -> Outcome:
        """Choose values or labels in the select with a custom_id or placeholder."""
        menu = self._find(message, lambda body: components.select(body, wanted))
        chosen = components.option_values(menu, [values] if isinstance(values, str) else values)
        body = {"message_id": _id(message), "custom_id": menu["custom_id"], "values": chosen}
        return await self._act("select", body, wait=wait)

    async def modal(self, opened: Outcome | Json, values: Json, *, wait: bool = True) -> Outcome:
        """Submit a modal; fields are named by custom_id or by label."""
        modal = opened.modal if isinstance(opened, Outcome) else opened
        if modal is None:
            msg = "no modal was opened"
            raise PersonError(msg)
        try:
            named = {components.field(modal, key)["custom_id"]: value for key, value in values.items()}
        except LookupError as error:
            raise PersonError(str(error)) from error
        body = {"interaction_id": modal["interaction_id"], "values": named}
        return await self._act("modal", body, wait=wait)

    async def forge(
        self,
        message: Target,
        custom_id: str,
        component_type: int = 2,
        values: Sequence[str] | None = None,
        *,
        wait: bool = True,
    ) -> Outcome:
        """Send a click that no official client would send."""
        body: Json = {
            "message_id": _id(message),
            "custom_id": custom_id,
            "component_type": component_type,
        }
        return await self._act("forge", body | ({} if values is None else {"values": values}), wait=wait)

    async def say(self, channel: Target, content: str) -> Json:
        """Write a message."""
        return await self._post("message", {"channel_id": self.channel_id(channel), "content": content})

    async def dm(self) -> Json:
        """Open the DM channel with the bot."""
        channel = await self._post("dm", {})
        self.channels[channel["id"]] = channel
        return channel

    async def set_dms(self, *, is_open: bool) -> None:
        """Allow or refuse direct messages."""
        await self._post("dms", {"open": is_open})

    async def dismiss(self, message: Target) -> None:
        """Delete an own ephemeral message."""
        await self._post("dismiss", {"message_id": _id(message)})

    def _find(self, message: Target, look: Callable[[Json], Json]) -> Json:
        body = self.seen.get(_id(message), message if isinstance(message, dict) else None)
        if body is None:
            msg = f"{self.name} does not see this message"
            raise PersonError(msg)
        try:
            return look(body)
        except LookupError as error:
            raise PersonError(str(error)) from error

    async def _post(self, what: str, body: Json) -> Json:
        return await _post(self._session, f"{self._path}/{what}", body)

    async def _act(self, what: str, body: Json, *, wait: bool = True) -> Outcome:
        # The response may arrive before the request returns, so search the events from here on.
        mark = len(self.received)
        number = (await self._post(what, body))["interaction_id"]
        if not wait:
            return Outcome(number, 0, mark)
        return await self.outcome(number, mark)

    async def outcome(self, interaction_id: str, mark: int = 0) -> Outcome:
        """Wait for the response to an interaction. PersonError: there was none."""

        def ends(event: Event) -> bool:
            ending = event.t in ("INTERACTION_DONE", "INTERACTION_FAILED")
            return ending and event.d["interaction_id"] == interaction_id

        end = await self.wait_for(ends, since=mark)
        if end.t == "INTERACTION_FAILED":
            raise PersonError(end.d["reason"])
        answer, message_id = end.d["type"], end.d.get("message_id")
        if answer == OPEN_MODAL:
            opened = await self.wait_for(
                lambda e: e.t == "MODAL" and e.d["interaction_id"] == interaction_id, since=mark
            )
            return Outcome(interaction_id, answer, mark, modal=opened.d)
        if answer == DEFERRED and message_id is not None:
            # The bot is only thinking: the message is completed or deleted later.
            await self.wait_for(
                lambda e: (
                    e.t in ("MESSAGE_UPDATE", "MESSAGE_DELETE")
                    and e.d["id"] == message_id
                    and not e.d.get("flags", 0) & LOADING
                ),
                since=mark,
            )
        return Outcome(interaction_id, answer, mark, message=self.seen.get(message_id or ""))


def _id(target: Target) -> str:
    return str(target["id"] if isinstance(target, dict) else target)


def _enter(entrance: str) -> tuple[aiohttp.ClientSession, str]:
    """Return a session that sends the key of an address, and the address without it."""
    parts = urlsplit(entrance)
    key = parse_qs(parts.query).get("key", [""])[0]
    headers = {"Authorization": f"Bearer {key}"}
    return aiohttp.ClientSession(headers=headers), f"{parts.scheme}://{parts.netloc}"


async def _post(session: aiohttp.ClientSession, address: str, body: Json) -> Json:
    async with session.post(address, json=body) as response:
        answer = await response.json()
        _check(response.status, answer)
        return dict(answer)


def _check(status: int, body: Any) -> None:
    if status != 200:
        raise PersonError(body["error"] if isinstance(body, dict) and "error" in body else str(body))
