"""A small Discord for discord.py's client: messages, threads, direct messages, clicks, and faults.

It replaces the session of ``aiohttp``: discord.py's retries, waits and readers are the real ones. It keeps
the visible parts of a message. The world executes sent requests: late, twice, or after the bot that sent
them was killed.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, count
from typing import Any

import aiohttp

from tests.kit.simulation.faults import CALM
from tests.kit.simulation.guild import Members, guild_json
from tests.kit.simulation.loop import LIFE, WORLD, SeededLoop
from tests.kit.simulation.messages import (
    COMMANDS,
    EPHEMERAL,
    RESPONSE_TIMEOUT_S,
    V2,
    Answer,
    Channel,
    Click,
    Json,
    Message,
    Refused,
    nested,
    recognize,
)

APPLICATION = 900_000_000_000_000_001
GUILD = 10
INVALID_FORM = 50035
NONCE_LIFETIME_S = 300.0
"""Seconds for which Discord remembers a nonce."""

AT_ONCE_S = 1.0
"""Seconds within which a response counts as normal."""

NEXT_TRY_S = 10.0
"""Seconds after which discord.py has certainly retried."""

WRITES = ("POST", "PATCH", "DELETE", "PUT")


class Discord:
    """Discord's servers with one guild, and what happened there."""

    def __init__(self, loop: SeededLoop, tell: Callable[..., None], wall: Callable[[], float]) -> None:
        self._loop = loop
        self._random = loop.random
        self._tell = tell
        self._wall = wall
        self.faults = CALM
        self.channels: dict[int, Channel] = {}
        self.members = Members(loop.time)
        self.troubles: list[tuple[float, float]] = []
        """The spans of slow or failed requests, including the next attempt."""
        self.closed_dms: set[int] = set()  # people who refuse direct messages
        self.writes: list[str] = []
        """All changes by the bot, in order."""
        self.on_sent: Callable[[int], None] = lambda _: None
        """Called with the id of each message once it is being sent."""
        self.on_refused: Callable[[str], None] = lambda _: None
        """Called with each request whose body is refused."""
        self.is_away = False
        """Whether every request fails with a server error, while the gateway works."""
        self.on_request: Callable[[str, str], Callable[[bool | None], None]] = lambda *_: lambda _: None
        """Called with each request; the result is called at its end: answered, failed, aborted (``None``)."""
        self._sent = 0
        self._late = self._given_up = False
        self.on_posted: Callable[[Message, Channel], None] = lambda *_: None
        """Called with each new message and its channel."""
        self.clicks: dict[str, Click] = {}  # by token, those that can still be answered
        self._ids = count(1_000)
        self._dms: dict[int, int] = {}
        self._nonces: dict[tuple[int, str], tuple[int, float]] = {}
        self.gone_lives: set[int] = set()
        self.asking: Counter[int] = Counter()
        """By life: unanswered requests."""

    def new_id(self) -> int:
        """Return a new snowflake of the current time."""
        return (int((self._wall() - 1_420_070_400) * 1000) << 22) + next(self._ids)

    def message(self, channel: int, message: int) -> Message | None:
        """Return a message, if it exists."""
        place = self.channels.get(channel)
        return None if place is None else place.messages.get(message)

    def all_messages(self) -> Iterator[Message]:
        """Yield all messages."""
        yield from chain.from_iterable(place.messages.values() for place in self.channels.values())

    # --- moderators -------------------------------------------------------------------------------

    def delete_message(self, message: Message) -> None:
        """Delete a message, but not its thread."""
        del self.channels[message.channel].messages[message.id]

    def delete_thread(self, thread: Channel) -> None:
        """Delete a thread with its messages."""
        del self.channels[thread.id]

    # --- requests ---------------------------------------------------------------------------------

    async def exchange(
        self, method: str, path: str, params: Json, body: Json, files: dict[int, str]
    ) -> Answer:
        """Execute a request of the current life, and answer it; raises the errors of a connection."""
        begun, status = self._loop.time(), 500
        try:
            answer = await self._exchange(method, path, params, body, files)
            status = answer.status
            return answer
        finally:
            if status >= 429 or self._loop.time() - begun > AT_ONCE_S:
                self.troubles.append((begun, self._loop.time() + NEXT_TRY_S))

    async def _exchange(
        self, method: str, path: str, params: Json, body: Json, files: dict[int, str]
    ) -> Answer:
        faults, chance, life = self.faults, self._random.random, LIFE.get()
        outcome: asyncio.Future[Answer] = self._loop.create_future()
        if chance() < faults.lost_before:
            await self._loop.rest(chance() * 2)
            raise aiohttp.ServerDisconnectedError
        if chance() < faults.limited:
            await asyncio.sleep(0)
            wait = round(chance() * 8, 3)
            return Answer(429, {"message": "slow down", "retry_after": wait, "global": False})
        if chance() < faults.error_before:
            await self._loop.rest(chance())
            return Answer(500, {"message": "no", "code": 0})
        way = chance() * (30.0 if chance() < faults.slow else 0.3)
        self._loop.call_later(
            way, self._carry_out, life, outcome, method, path, params, body, files,
            context=self._loop.in_life(WORLD),
        )  # fmt: skip
        if method == "POST" and path.endswith("/messages"):
            self._sent += 1
            self.on_sent(self._sent)
        answer = await outcome
        if chance() < faults.slow:
            await self._loop.rest(chance() * 100)
        if chance() < faults.lost_after:
            raise aiohttp.ClientOSError(104, "Connection reset by peer")
        if chance() < faults.error_after and answer.status < 300:
            return Answer(500, {"message": "no", "code": 0})
        return answer

    def _carry_out(
        self,
        life: int,
        outcome: asyncio.Future[Answer],
        method: str,
        path: str,
        params: Json,
        body: Json,
        files: dict[int, str],
    ) -> None:
        late = ""
        if life in self.gone_lives:
            # Nobody waits for the response any more, but the request was sent.
            if self._random.random() >= self.faults.late:
                return
            late = " (late)"
            if self._random.random() < 0.6:
                wait = self._random.random() * 8  # possibly until after the restart
                self._loop.call_later(wait, self._carry_out_now, method, path, params, body, files, late)
                return
        self._given_up = outcome.cancelled()
        answer = self._carry_out_now(method, path, params, body, files, late)
        if not outcome.done():
            outcome.set_result(answer)

    def _carry_out_now(
        self, method: str, path: str, params: Json, body: Json, files: dict[int, str], late: str
    ) -> Answer:
        self._late = bool(late)
        try:
            answer = Answer(200, self._dispatch(method, path, params, body, files))
        except Refused as refused:
            answer = Answer(refused.status, refused.body)
            if answer.code == INVALID_FORM:
                self.on_refused(f"{method} {path}")
        self._tell("http", f"{method} {path} {answer.status} {answer.code or ''}{late}")
        return answer

    def _dispatch(self, method: str, path: str, params: Json, body: Json, files: dict[int, str]) -> Any:
        for verb, pattern, handler in _ROUTES:
            if verb == method and (found := pattern.fullmatch(path)) is not None:
                if method in WRITES:
                    self.writes.append(f"{method} {path}")
                return handler(self, *found.groups(), params=params, body=body, files=files)
        raise AssertionError(f"the simulated Discord knows no {method} {path}")

    def _place(self, channel: str | int) -> Channel:
        place = self.channels.get(int(channel))
        if place is None:
            raise Refused(404, 10003)
        return place

    def _find(self, channel: str, message: str) -> Message:
        found = self._place(channel).messages.get(int(message))
        if found is None:
            raise Refused(404, 10008)
        return found

    # --- messages ---------------------------------------------------------------------------------

    def _post(self, channel: str, *, params: Json, body: Json, files: dict[int, str]) -> Json:
        place = self._place(channel)
        if place.person in self.closed_dms:
            raise Refused(403, 50007)
        nonce = body.get("nonce")
        if nonce is not None and body.get("enforce_nonce"):
            known = self._nonces.get((place.id, nonce))
            if known is not None and known[1] > self._wall() - NONCE_LIFETIME_S:
                earlier = place.messages.get(known[0])
                if earlier is None:
                    # Deleted objects are answered as they were; the bot cannot tell.
                    return {**self._ghost, "id": str(known[0]), "channel_id": channel}
                return self._json(earlier)
        place.archived = False
        message = self._written(place.id, body, files)
        message.came_late = self._late or self._given_up
        place.messages[message.id] = message
        if nonce is not None:
            self._nonces[place.id, nonce] = (message.id, self._wall())
        self.on_posted(message, place)
        return self._json(message)

    def _written(self, channel: int, body: Json, files: dict[int, str], flags: int = 0) -> Message:
        mentions = body.get("allowed_mentions") or {}
        wanted = {int(person) for person in mentions.get("users", [])}
        message = Message(self.new_id(), channel, flags, "", [], {}, frozenset())
        self._put(message, body, files)
        texts = message.content + "".join(str(item.get("content", "")) for item in message.parts())
        message.pinged = frozenset(person for person in wanted if f"<@{person}>" in texts)
        return message

    def _put(self, message: Message, body: Json, files: dict[int, str]) -> None:
        """Apply a request's body to a message; raises :class:`Refused` without changing anything."""
        kept = dict(message.files)
        if "attachments" in body:
            kept = {}
            for item in body["attachments"] or []:
                number = int(item["id"])
                if number in files:
                    kept[self.new_id()] = (item["filename"], files[number])
                elif number in message.files:
                    kept[number] = message.files[number]
                else:
                    raise Refused(400, INVALID_FORM, "Invalid Form Body")
        components = body.get("components")
        if components is not None:
            names = {name: number for number, (name, _) in kept.items()}
            components = self._resolved(message, components, names)
            message.components = components
        message.files = kept
        message.content = body.get("content", message.content) or ""
        message.late = self._late
        message.flags |= body.get("flags") or 0
        recognize(message)

    def _resolved(self, message: Message, components: list[Json], names: Mapping[str, int]) -> list[Json]:
        numbers = count(1)
        taken = {item["id"] for item in nested(components) if item.get("id")}

        def resolve(item: Any) -> Any:
            if isinstance(item, list):
                return [resolve(one) for one in item]
            if not isinstance(item, dict):
                return item
            made = {key: resolve(one) for key, one in item.items()}
            if "type" in item and not item.get("id"):
                made["id"] = next(number for number in numbers if number not in taken)
            url = item.get("url", "")
            if url.startswith("attachment://"):
                name = url.removeprefix("attachment://")
                if name not in names:
                    raise Refused(400, INVALID_FORM, "Invalid Form Body")
                made["url"] = f"https://cdn.invalid/attachments/{message.channel}/{names[name]}/{name}?ex=1"
                made["proxy_url"] = made["url"]
                made["attachment_id"] = str(names[name])
            return made

        found: list[Json] = resolve(components)
        return found

    def _edit(self, channel: str, message: str, *, params: Json, body: Json, files: dict[int, str]) -> Json:
        if self._place(channel).archived:
            raise Refused(400, 50083)
        found = self._find(channel, message)
        if self._place(channel).person in self.closed_dms:
            raise Refused(403, 50007)
        self._put(found, body, files)
        found.edits += 1
        return self._json(found)

    def _get(self, channel: str, message: str, *, params: Json, body: Json, files: dict[int, str]) -> Json:
        return self._json(self._find(channel, message))

    def _delete(self, channel: str, message: str, *, params: Json, body: Json, files: dict[int, str]) -> Json:
        self.delete_message(self._find(channel, message))
        return {}

    def _history(self, channel: str, *, params: Json, body: Json, files: dict[int, str]) -> list[Json]:
        found = sorted(self._place(channel).messages.values(), key=lambda message: -message.id)
        before = int(params.get("before") or 1 << 63)
        after = int(params.get("after") or 0)
        found = [message for message in found if after < message.id < before]
        return [self._json(message) for message in found[: int(params.get("limit", 50))]]

    def _json(self, message: Message) -> Json:
        attachments = [
            {"id": str(number), "filename": name, "size": len(data), "url": self._url(message, number, name),
             "proxy_url": self._url(message, number, name)}
            for number, (name, data) in message.files.items()
        ]  # fmt: skip
        return {
            **self._ghost,
            "id": str(message.id),
            "channel_id": str(message.channel),
            "content": message.content,
            "components": message.components,
            "attachments": attachments,
            "flags": message.flags,
        }

    def _url(self, message: Message, number: int, name: str) -> str:
        return f"https://cdn.invalid/attachments/{message.channel}/{number}/{name}?ex=1"

    @property
    def _ghost(self) -> Json:
        bot = {"id": str(APPLICATION), "username": "Bauta", "discriminator": "0", "avatar": None, "bot": True}
        return {
            "author": bot, "content": "", "timestamp": "2026-11-01T00:00:00+00:00", "edited_timestamp": None,
            "tts": False, "mention_everyone": False, "mentions": [], "mention_roles": [], "attachments": [],
            "embeds": [], "pinned": False, "type": 0, "flags": V2, "components": [],
        }  # fmt: skip

    # --- threads and direct messages --------------------------------------------------------------

    def _thread(self, channel: str, message: str, *, params: Json, body: Json, files: dict[int, str]) -> Json:
        self._find(channel, message)
        number = int(message)
        if number in self.channels:
            raise Refused(400, 160004)
        self.channels[number] = Channel(number, parent=int(channel))
        return self.thread_json(self.channels[number])

    def thread_json(self, thread: Channel) -> Json:
        """Return a thread as JSON of gateway and REST."""
        return {
            "id": str(thread.id), "type": 11, "guild_id": str(GUILD), "parent_id": str(thread.parent),
            "owner_id": str(APPLICATION), "name": "a thread", "last_message_id": None,
            "message_count": 0, "member_count": 1, "rate_limit_per_user": 0,
            "thread_metadata": {
                "archived": thread.archived, "locked": False, "auto_archive_duration": thread.archived_after,
                "archive_timestamp": "2026-11-01T00:00:00+00:00",
            },
        }  # fmt: skip

    def _change(self, channel: str, *, params: Json, body: Json, files: dict[int, str]) -> Json:
        place = self._place(channel)
        place.archived = bool(body.get("archived", place.archived))
        place.archived_after = int(body.get("auto_archive_duration", place.archived_after))
        return self.thread_json(place)

    def _channel(self, channel: str, *, params: Json, body: Json, files: dict[int, str]) -> Json:
        return self.thread_json(self._place(channel))

    def _archived(self, channel: str, *, params: Json, body: Json, files: dict[int, str]) -> Json:
        self._place(channel)
        found = [one for one in self.threads() if one.archived and str(one.parent) == channel]
        return {"threads": [self.thread_json(one) for one in found], "members": [], "has_more": False}

    def _member(self, guild: str, person: str, *, params: Json, body: Json, files: dict[int, str]) -> Json:
        if int(person) in self.members.gone:
            raise Refused(404, 10007)
        user = {"id": person, "username": "a person", "discriminator": "0", "avatar": None}
        return {"user": user, "roles": [], "communication_disabled_until": None, "deaf": False, "mute": False}

    def _dm(self, *, params: Json, body: Json, files: dict[int, str]) -> Json:
        person = int(body["recipient_id"])
        if person not in self._dms:
            self._dms[person] = self.new_id()
            self.channels[self._dms[person]] = Channel(self._dms[person], person=person)
        user = {"id": str(person), "username": "a person", "discriminator": "0", "avatar": None}
        return {"id": str(self._dms[person]), "type": 1, "recipients": [user], "last_message_id": None}

    def dm_of(self, person: int) -> Channel | None:
        """Return the DM channel of a person, if there is one."""
        number = self._dms.get(person)
        return None if number is None else self.channels.get(number)

    def threads(self) -> list[Channel]:
        """Return all threads."""
        return [channel for channel in self.channels.values() if channel.parent is not None]

    def guild_json(self) -> Json:
        """Return the guild as JSON for a new session."""
        threads = [self.thread_json(thread) for thread in self.threads() if not thread.archived]
        channels = [each.id for each in self.channels.values() if each.parent is None and each.person is None]
        return guild_json(GUILD, channels, threads, self._ghost["author"])

    # --- clicks -----------------------------------------------------------------------------------

    def press(self, person: int, message: Message, custom_id: str, values: tuple[str, ...] = ()) -> Click:
        """Return a person's click on a message, to be delivered to a bot."""
        number = self.new_id()
        click = Click(number, f"token{number}", message, self._wall())
        self.clicks[click.token] = click
        place = self.channels[message.channel]
        user = {"id": str(person), "username": "a person", "discriminator": "0", "avatar": None}
        kind = next((item["type"] for item in message.parts() if item.get("custom_id") == custom_id), 2)
        channel = {"id": str(place.id), "type": 1} if place.person else self.thread_json(place)
        click.event = {
            "id": str(number), "application_id": str(APPLICATION), "type": 3, "token": click.token,
            "version": 1, "channel_id": str(place.id), "channel": channel, "locale": "en-US",
            "message": self._json(message), "user": user, "entitlements": [], "app_permissions": "0",
            "authorizing_integration_owners": {}, "context": 1, "attachment_size_limit": 10_000_000,
            "data": {"custom_id": custom_id, "component_type": kind, "values": list(values)},
        }  # fmt: skip
        return click

    def _callback(self, number: str, token: str, *, params: Json, body: Json, files: dict[int, str]) -> Json:
        click = self.clicks.get(token)
        if click is None or self._wall() > click.at + RESPONSE_TIMEOUT_S:
            raise Refused(404, 10062)
        if click.acknowledged:
            raise Refused(400, 40060)
        click.acknowledged = True
        if body["type"] in (4, 7) and body.get("data"):
            self._put(self._answer_of(click, fresh=body["type"] == 4), body["data"], files)
        return {"interaction": {"id": number, "type": 3, "response_message_id": str(click.message.id)}}

    def _answer_of(self, click: Click, *, fresh: bool) -> Message:
        if fresh or self.channels[click.message.channel].person is None:
            if click.answer is None:
                click.answer = Message(
                    self.new_id(), click.message.channel, EPHEMERAL, "", [], {}, frozenset()
                )
            return click.answer
        return click.message

    def _original(
        self, application: str, token: str, *, params: Json, body: Json, files: dict[int, str]
    ) -> Json:
        click = self.clicks.get(token)
        if click is None or not click.acknowledged:
            raise Refused(404, 10015)
        message = self._answer_of(click, fresh=False)
        if message is click.message and self.message(message.channel, message.id) is None:
            raise Refused(404, 10008)
        self._put(message, body, files)
        message.edits += 1
        click.answered = True
        return self._json(message)

    def _followup(
        self, application: str, token: str, *, params: Json, body: Json, files: dict[int, str]
    ) -> Json:
        click = self.clicks.get(token)
        if click is None:
            raise Refused(404, 10015)
        click.answered = True
        return self._json(self._written(click.message.channel, body, files, EPHEMERAL))


def _route(method: str, pattern: str, handler: Callable[..., Any]) -> tuple[str, re.Pattern[str], Any]:
    return method, re.compile(pattern), handler


_ROUTES = (
    _route("PATCH", r"/channels/(\d+)/messages/(\d+)", Discord._edit),  # noqa: SLF001
    _route("POST", r"/channels/(\d+)/messages", Discord._post),  # noqa: SLF001
    _route("GET", r"/channels/(\d+)/messages/(\d+)", Discord._get),  # noqa: SLF001
    _route("GET", r"/channels/(\d+)/messages", Discord._history),  # noqa: SLF001
    _route("DELETE", r"/channels/(\d+)/messages/(\d+)", Discord._delete),  # noqa: SLF001
    _route("POST", r"/channels/(\d+)/messages/(\d+)/threads", Discord._thread),  # noqa: SLF001
    _route("PATCH", r"/channels/(\d+)", Discord._change),  # noqa: SLF001
    _route("GET", r"/channels/(\d+)", Discord._channel),  # noqa: SLF001
    _route("GET", r"/channels/(\d+)/threads/archived/public", Discord._archived),  # noqa: SLF001
    _route("GET", r"/users/@me", lambda discord, **_: discord._ghost["author"]),  # noqa: SLF001
    _route("GET", r"/applications/(\d+)/commands", lambda *_, **__: COMMANDS),
    _route("POST", r"/users/@me/channels", Discord._dm),  # noqa: SLF001
    _route("GET", r"/guilds/(\d+)/members/(\d+)", Discord._member),  # noqa: SLF001
    _route("POST", r"/interactions/(\d+)/([^/]+)/callback", Discord._callback),  # noqa: SLF001
    _route("PATCH", r"/webhooks/(\d+)/([^/]+)/messages/@original", Discord._original),  # noqa: SLF001
    _route("POST", r"/webhooks/(\d+)/([^/]+)", Discord._followup),  # noqa: SLF001
)
