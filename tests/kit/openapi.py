"""Checks bodies against the published OpenAPI description of Discord's API, if it lies beside the repository.

The description is taken as it is, with two changes: ids may be numbers too, as the documentation says
("snowflake or number") and clients send; and objects are closed, so that a wrong field is noticed even though
all fields are optional. In replies, objects stay open, as Discord itself answers with more than it describes.
"""

from __future__ import annotations

import copy
import json
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012

from sandbox.model import Json
from sandbox.state import BodyChecker
from tests.conftest import ROOT
from tests.kit.samples import MORE

# Imported by name, because jsonschema has no type hints.
_VALIDATOR: Any = import_module("jsonschema").Draft202012Validator
_BASE = "urn:discord"
# Fields that are documented, or that clients send and Discord accepts, but missing in the description.
_TOLERATED = {
    "RichEmbed": ("flags",),
    "ApplicationCommandUpdateRequest": ("nsfw",),
    "ApplicationCommandCreateRequest": ("nsfw",),
    "MessageEditRequestPartial": ("tts",),
    # An edit lists kept attachments as the complete objects that Discord sent.
    "MessageAttachmentRequest": (
        *("url", "proxy_url", "size", "width", "height", "content_type", "spoiler", "ephemeral"),
    ),
    "IncomingWebhookUpdateRequestPartial": ("tts",),
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": ("tts",),
}
_ERRORS_SHOWN = 3

ENUMERATED = 64
"""Numbers below this one may name a kind; larger ones are amounts or ids."""


class OpenApiChecker:
    """Checks bodies of requests and responses; each check returns None, or what is wrong and where."""

    def __init__(self, description: Json) -> None:
        self._validators: dict[str, Any] = {}
        self._paths: Json = description["paths"]
        registries = []
        for closed in (True, False):
            patched = _patched(description, closed=closed)
            resource = Resource.from_contents(patched, default_specification=DRAFT202012)
            registries.append(Registry().with_resource(_BASE, resource))
        self._closed, self._open = registries

    @classmethod
    def load(cls, path: Path) -> OpenApiChecker:
        """Load a description. OSError, ValueError: no such file, or not JSON."""
        return cls(json.loads(path.read_text("utf-8")))

    def request(self, method: str, route: str, body: Any) -> str | None:
        """Check a request's body (multipart unwrapped)."""
        operation = self._operation(method, route)
        if operation is None:
            return f"the description has no {method} {route}"
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" not in content:
            return None if not body else "this request takes no body"
        pointer = ("paths", route, method.lower(), "requestBody", "content", "application/json", "schema")
        return self._check(pointer, body, closed=True)

    def reply(self, method: str, route: str, status: int, body: Any) -> str | None:
        """Check the body of a successful response."""
        operation = self._operation(method, route)
        found = None if operation is None else operation["responses"].get(str(status))
        if operation is None or found is None:
            return f"the description has no {status} for {method} {route}"
        if "application/json" not in found.get("content", {}):
            return None if body is None else "this reply has no body"
        pointer = ("paths", route, method.lower(), "responses", str(status))
        return self._check((*pointer, "content", "application/json", "schema"), body, closed=False)

    def _operation(self, method: str, route: str) -> Json | None:
        found: Json | None = self._paths.get(route, {}).get(method.lower())
        return found

    def _check(self, pointer: tuple[str, ...], body: Any, *, closed: bool) -> str | None:
        reference = "/".join(step.replace("~", "~0").replace("/", "~1") for step in pointer)
        key = f"{closed} {reference}"
        if key not in self._validators:
            registry = self._closed if closed else self._open
            self._validators[key] = _VALIDATOR({"$ref": f"{_BASE}#/{reference}"}, registry=registry)
        errors = list(self._validators[key].iter_errors(body))
        # The deepest error is the useful one: at the top of a union, it only says that no member fits.
        found = [_deepest(error) for error in errors[:_ERRORS_SHOWN]]
        said = [f"/{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}" for error in found]
        return "; ".join(said) or None


class OfEachShape:
    """Checks only one body of each shape: most bodies of a match differ only in texts and amounts."""

    def __init__(self, checker: BodyChecker) -> None:
        self._checker = checker
        self._said: dict[object, str | None] = {}

    def request(self, method: str, route: str, body: Any) -> str | None:
        """Check a request's body."""
        key = (method, route, shape(body))
        if key not in self._said:
            self._said[key] = self._checker.request(method, route, body)
        return self._said[key]

    def reply(self, method: str, route: str, status: int, body: Any) -> str | None:
        """Check a reply's body."""
        key = (method, route, status, shape(body))
        if key not in self._said:
            self._said[key] = self._checker.reply(method, route, status, body)
        return self._said[key]


def shape(body: Any) -> object:
    """Return a key that is equal for bodies that differ only in texts and amounts; equal items count once."""
    match body:
        case dict():
            return tuple((key, shape(value)) for key, value in sorted(body.items()))
        case list():
            return (list, *dict.fromkeys(map(shape, body)))
        case str():
            return (str, body.isdecimal(), len(body).bit_length())
        case int() if not 0 <= body < ENUMERATED:
            return int
    return (type(body), body)


@cache
def description() -> OpenApiChecker | None:
    """Return the checker, loaded once per process; ``None``: there is no description."""
    path = ROOT.parent / "shared" / "discord-openapi.json"
    return OpenApiChecker.load(path) if path.is_file() else None


@cache
def openapi() -> BodyChecker | None:
    """Return the checker for sandboxes: of one body per shape, or of all bodies in nightly runs."""
    checker = description()
    return checker if checker is None or MORE > 1 else OfEachShape(checker)


def _deepest(error: Any) -> Any:
    leaves = [_deepest(inner) for inner in error.context or ()]
    return max(leaves, key=lambda leaf: len(leaf.absolute_path), default=error)


def _patched(description: Json, *, closed: bool) -> Json:
    patched = copy.deepcopy(description)
    schemas = patched["components"]["schemas"]
    schemas["SnowflakeType"] |= {"type": ["string", "integer"], "minimum": 0}
    if closed:
        for name, fields in _TOLERATED.items():
            for field in fields:
                schemas.get(name, {}).get("properties", {}).setdefault(field, {})
        for schema in schemas.values():
            if schema.get("type") == "object" and "properties" in schema:
                schema.setdefault("additionalProperties", False)
    _decide_by_type(patched, schemas)
    return patched


def _decide_by_type(node: Any, schemas: Json) -> None:
    """Let unions whose members differ in `type` choose the member by it.

    The verdicts are the same, because no two members share a value. But trees of components are checked much
    faster than by trying every member at every node, and errors are those of the intended member.
    """
    if isinstance(node, list):
        for item in node:
            _decide_by_type(item, schemas)
    if not isinstance(node, dict):
        return
    for item in node.values():
        _decide_by_type(item, schemas)
    for union in ("oneOf", "anyOf"):
        members = node.get(union, [])
        kinds = [_types(member, schemas) for member in members]
        every = [kind for found in kinds for kind in found]
        if len(kinds) > 1 and all(kinds) and len(set(every)) == len(every):
            del node[union]
            node["allOf"] = [
                *node.get("allOf", []),
                *(
                    {"if": {"required": ["type"], "properties": {"type": {"enum": found}}}, "then": member}
                    for found, member in zip(kinds, members, strict=True)
                ),
            ]
            node |= {"type": "object", "required": ["type"], "properties": {"type": {"enum": every}}}


def _types(member: Json, schemas: Json) -> list[Any]:
    """Return the values of `type` that a member of a union requires; empty: it requires none."""
    name = str(member.get("$ref", "")).removeprefix("#/components/schemas/")
    return list(schemas.get(name, {}).get("properties", {}).get("type", {}).get("enum", []))
