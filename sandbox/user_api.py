"""The people API over HTTP, for the page and for tests. README.md describes it."""

import json
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web
from aiohttp.typedefs import Handler

from sandbox import commands, events, serialize, serialize_message, user_actions
from sandbox.errors import ApiError, InputError
from sandbox.model import Interaction, Json, User
from sandbox.snowflake import parse
from sandbox.state import State
from sandbox.validation.commands import LOCALES

Action = Callable[[User, Json], Awaitable[Json]]
MAX_NAME_CHARS = 32


def find_person(state: State, text: str) -> User:
    """Return a person by id or by name. InputError 404."""
    number = parse(text)
    for user in state.records.people():
        if user.id == number or user.name.casefold() == text.casefold():
            return user
    raise InputError("There is no such person.", 404)


@web.middleware
async def errors_as_json(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Turn an InputError or ApiError into a response `{"error": text}` with its status."""
    try:
        return await handler(request)
    except InputError as problem:
        return web.json_response({"error": str(problem)}, status=problem.status)
    except ApiError as problem:
        return web.json_response({"error": problem.message}, status=problem.status)


async def read_object(request: web.Request) -> Json:
    """Read a JSON object; an empty body counts as one. InputError: the body is not a JSON object."""
    text = await request.text()
    try:
        body = json.loads(text) if text else {}
    except ValueError:
        raise InputError("The body is not JSON.") from None
    if not isinstance(body, dict):
        raise InputError("The body is not a JSON object.")
    return body


class UserApi:
    """Serves /people. Raises InputError and ApiError, which `errors_as_json` turns into responses."""

    def __init__(self, state: State) -> None:
        self.state = state

    def routes(self) -> list[web.RouteDef]:
        """Return the routes."""
        actions: dict[str, Action] = {
            "command": self.command,
            "autocomplete": self.autocomplete,
            "press": self.press,
            "select": self.select,
            "modal": self.modal,
            "forge": self.forge,
            "message": self.say,
            "dm": self.dm,
            "dms": self.dms,
            "dismiss": self.dismiss,
            "typing": self.typing,
        }
        return [
            web.get("/people", self.people),
            web.post("/people", self.new_person),
            web.get("/people/{person}/socket", self.socket),
            web.get("/people/{person}/channels/{channel}/messages", self.messages),
            web.get("/people/{person}/notifications", self.notifications),
            *(web.post(f"/people/{{person}}/{name}", self._handler(act)) for name, act in actions.items()),
        ]

    def _person(self, request: web.Request) -> User:
        return find_person(self.state, request.match_info["person"])

    def _handler(self, act: Action) -> Handler:
        async def handle(request: web.Request) -> web.StreamResponse:
            return web.json_response(await act(self._person(request), await read_object(request)))

        return handle

    async def people(self, _request: web.Request) -> web.Response:
        """GET /people."""
        return web.json_response([_summary(user) for user in self.state.records.people()])

    async def new_person(self, request: web.Request) -> web.Response:
        """POST /people."""
        body = await read_object(request)
        name, locale = str(body.get("name", "")).strip(), str(body.get("locale", "en-US"))
        if not 1 <= len(name) <= MAX_NAME_CHARS:
            raise InputError(f"A name has 1 to {MAX_NAME_CHARS} characters.")
        if locale not in LOCALES:
            raise InputError("Discord does not know this locale.")
        if any(user.name.casefold() == name.casefold() for user in self.state.records.users.values()):
            raise InputError("This name is taken.")
        member = self.state.records.add_person(name, locale)
        events.member_added(self.state, self.state.records.guild, member)
        return web.json_response(_summary(member.user))

    async def notifications(self, request: web.Request) -> web.Response:
        """GET /people/{person}/notifications."""
        person = self._person(request)
        shown = [notification.json() for notification in self.state.notifications.get(person.id, [])]
        self.state.audit.note(person.id, "reply", "notifications", shown)
        return web.json_response(shown)

    async def socket(self, request: web.Request) -> web.StreamResponse:
        """GET /people/{person}/socket."""
        person = self._person(request)
        return await self.state.sockets.serve(request, person.id, self.hello(person))

    def hello(self, person: User) -> Json:
        """Return the first event of a new window: all that it needs to know."""
        records = self.state.records
        guilds = [g for g in records.guilds.values() if g is records.guild or person.id in g.members]
        members = {number: member for guild in guilds for number, member in guild.members.items()}
        offered = commands.list_visible(self.state, records.guild)
        seen = [channel for channel in records.channels.values() if records.sees(person.id, channel)]
        return {
            "ahead": self.state.clock.offset,
            "me": serialize.user(person) | {"locale": person.locale, "dms_open": person.dms_open},
            "guild": {"id": str(records.guild.id), "name": records.guild.name},
            "guilds": [{"id": str(guild.id), "name": guild.name} for guild in guilds],
            "channels": [serialize.channel(records, channel, person.id) for channel in seen],
            "members": [serialize.user(member.user) for member in members.values()],
            "commands": [commands.to_json(self.state, command) for command in offered],
            "bot": serialize.user(records.bot) | {"online": self.state.gateway.online},
        }

    async def messages(self, request: web.Request) -> web.Response:
        """GET /people/{person}/channels/{channel}/messages."""
        person, records = self._person(request), self.state.records
        channel = user_actions.visible_channel(self.state, person, parse(request.match_info["channel"]))
        limit, before = parse(request.query.get("limit", "50")), parse(request.query.get("before"))
        if limit is None or not 1 <= limit <= 200:
            raise InputError("A limit is 1 to 200.")
        found = [m for m in records.history(channel.id, person.id) if before is None or m.id < before]
        shown = [serialize_message.event(records, message, person.id) for message in found[-limit:]]
        self.state.audit.note(person.id, "reply", "messages", shown)
        return web.json_response(shown)

    async def command(self, person: User, body: Json) -> Json:
        """POST …/command."""
        channel, name, options = parse(body.get("channel_id")), _text(body, "name"), _object(body, "options")
        return _started(user_actions.command(self.state, person, channel, name, options))

    async def autocomplete(self, person: User, body: Json) -> Json:
        """POST …/autocomplete."""
        channel, name, options = parse(body.get("channel_id")), _text(body, "name"), _object(body, "options")
        focused = _text(body, "focused")
        choices = await user_actions.autocomplete(self.state, person, channel, name, options, focused)
        self.state.audit.note(person.id, "reply", "autocomplete", choices)
        return {"choices": choices}

    async def press(self, person: User, body: Json) -> Json:
        """POST …/press."""
        message, custom_id = parse(body.get("message_id")), _text(body, "custom_id")
        return _started(user_actions.press(self.state, person, message, custom_id))

    async def select(self, person: User, body: Json) -> Json:
        """POST …/select."""
        message, custom_id = parse(body.get("message_id")), _text(body, "custom_id")
        return _started(user_actions.select(self.state, person, message, custom_id, _values(body) or []))

    async def modal(self, person: User, body: Json) -> Json:
        """POST …/modal."""
        interaction, values = parse(body.get("interaction_id")), _object(body, "values")
        return _started(user_actions.modal(self.state, person, interaction, values))

    async def forge(self, person: User, body: Json) -> Json:
        """POST …/forge."""
        kind = body.get("component_type")
        if not isinstance(kind, int):
            raise InputError("component_type is a number.")
        custom_id, message = _text(body, "custom_id"), parse(body.get("message_id"))
        return _started(user_actions.forge(self.state, person, message, custom_id, kind, _values(body)))

    async def say(self, person: User, body: Json) -> Json:
        """POST …/message."""
        message = user_actions.say(self.state, person, parse(body.get("channel_id")), _text(body, "content"))
        return serialize_message.event(self.state.records, message, person.id)

    async def dm(self, person: User, _body: Json) -> Json:
        """POST …/dm."""
        channel, new = self.state.records.dm(person.id)
        if new:
            events.channel_changed(self.state, "CHANNEL_CREATE", channel)
        return serialize.channel(self.state.records, channel, person.id)

    async def dms(self, person: User, body: Json) -> Json:
        """POST …/dms."""
        if not isinstance(body.get("open"), bool):
            raise InputError("open is true or false.")
        person.dms_open = body["open"]
        self.state.journal.note("dms", person=person.id, open=person.dms_open)
        return {"open": person.dms_open}

    async def dismiss(self, person: User, body: Json) -> Json:
        """POST …/dismiss."""
        user_actions.dismiss(self.state, person, parse(body.get("message_id")))
        return {}

    async def typing(self, person: User, body: Json) -> Json:
        """POST …/typing."""
        channel = user_actions.visible_channel(self.state, person, parse(body.get("channel_id")))
        events.typing(self.state, channel, person.id)
        return {}


def _summary(user: User) -> Json:
    return {"id": str(user.id), "name": user.name, "locale": user.locale}


def _started(interaction: Interaction) -> Json:
    return {"interaction_id": str(interaction.id)}


def _text(body: Json, key: str) -> str:
    value = body.get(key)
    if not isinstance(value, str) or not value:
        raise InputError(f"{key} is a text.")
    return value


def _object(body: Json, key: str) -> Json:
    value: Any = body.get(key, {})
    if value is not None and not isinstance(value, dict):
        raise InputError(f"{key} is an object.")
    return value or {}


def _values(body: Json) -> list[str] | None:
    values = body.get("values")
    if values is None:
        return None
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise InputError("values is a list of texts.")
    return values
