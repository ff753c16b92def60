"""Requests to the REST API, parsed for their handlers."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from aiohttp import BodyPartReader, web

from sandbox.attachments import safe_name
from sandbox.errors import ApiError, api_error, invalid_field
from sandbox.model import Channel, Json
from sandbox.snowflake import parse
from sandbox.state import State
from sandbox.validation.messages import Upload

# All files of a request together; each may have MAX_FILE_BYTES.
MAX_REQUEST_BYTES = 25 * 1024 * 1024


@dataclass(slots=True)
class Call:
    """A request: path parameters, query, JSON body (multipart unwrapped) and uploaded files by number."""

    state: State
    params: Mapping[str, str]
    query: Mapping[str, str]
    body: Any = None
    uploads: dict[int, Upload] = field(default_factory=dict, repr=False)

    def id(self, name: str) -> int:
        """Return an id from the path. ApiError 50035: it is not an id."""
        number = parse(self.params[name])
        if number is None:
            raise invalid_field(
                (name,), "NUMBER_TYPE_COERCE", f'Value "{self.params[name]}" is not snowflake.'
            )
        return number

    def channel(self) -> Channel:
        """Return the path's channel. ApiError 10003."""
        return self.state.records.channel(self.id("channel_id"))

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """Return a number from the query. ApiError 50035: it is not a number, or out of bounds."""
        text = self.query.get(name)
        if text is None:
            return default
        if not text.isdigit() or not low <= int(text) <= high:
            raise invalid_field((name,), "NUMBER_TYPE_MAX", f"int value should be between {low} and {high}.")
        return int(text)


@dataclass(frozen=True, slots=True)
class Reply:
    """A response whose status is not 200."""

    status: int
    body: Any = None


@dataclass(frozen=True, slots=True)
class Route:
    """A route of the API. `open`: it needs no bot token."""

    method: str
    path: str
    handler: Callable[[Call], Any]
    open: bool = False


async def read(state: State, request: web.Request, params: Mapping[str, str]) -> Call:
    """Parse a request. ApiError 50109: invalid JSON. 40005: too large."""
    call = Call(state, params, dict(request.query))
    # Allow for JSON and part boundaries beside the files.
    if (request.content_length or 0) > MAX_REQUEST_BYTES + (1 << 16):
        raise api_error(40005)
    if request.content_type.startswith("multipart/"):
        await _read_parts(call, request)
    elif request.can_read_body:
        try:
            call.body = _json(await request.read())
        except web.HTTPRequestEntityTooLarge:
            raise api_error(40005) from None
    return call


def _json(data: bytes) -> Any:
    if not data:
        return None
    try:
        return json.loads(data)
    except ValueError:
        raise api_error(50109) from None


async def _read_parts(call: Call, request: web.Request) -> None:
    total = 0
    fields: Json = {}
    async for part in await request.multipart():
        if not isinstance(part, BodyPartReader):
            raise ApiError(400, 50035, "Invalid Form Body")
        data = bytes(await part.read())
        total += len(data)
        if total > MAX_REQUEST_BYTES:
            raise api_error(40005)
        name = part.name or ""
        # "Uploading Files": the JSON is in payload_json, and the files are named files[n].
        if name == "payload_json":
            call.body = _json(data)
        elif part.filename is not None:
            kind = part.headers.get("Content-Type", "application/octet-stream")
            digits = name.removeprefix("files[").removesuffix("]")
            number = int(digits) if digits.isdigit() else len(call.uploads)
            call.uploads[number] = Upload(safe_name(part.filename), kind, data)
        else:
            fields[name] = data.decode("utf-8", "replace")
    if call.body is None:
        call.body = fields
