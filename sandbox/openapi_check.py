"""Checks bodies against the published OpenAPI description of Discord's API.

Needs `jsonschema` and `referencing`, which only tests install. The description is taken as it is, but for:
ids may be numbers too, as the documentation says ("snowflake or number") and clients send; and objects are
closed, so that a wrong field is noticed where everything is optional. In replies, objects stay open, as
Discord itself answers with more than it describes.
"""

import copy
import json
from importlib import import_module
from pathlib import Path
from typing import Any

from sandbox.model import Json

_BASE = "urn:discord"
# Fields that the documentation has, or clients send and Discord takes, and the description lacks.
_TOLERATED = {
    "RichEmbed": ("flags",),
    "ApplicationCommandUpdateRequest": ("nsfw",),
    "ApplicationCommandCreateRequest": ("nsfw",),
    "MessageEditRequestPartial": ("tts",),
    # An edit lists kept attachments as the whole objects that Discord gave.
    "MessageAttachmentRequest": (
        *("url", "proxy_url", "size", "width", "height", "content_type", "spoiler", "ephemeral"),
    ),
    "IncomingWebhookUpdateRequestPartial": ("tts",),
    "IncomingWebhookUpdateForInteractionCallbackRequestPartial": ("tts",),
}
_ERRORS_SHOWN = 3


class OpenApiChecker:
    """Judges request and reply bodies; every verdict is None or a text that says where it is wrong."""

    def __init__(self, description: Json) -> None:
        # Imported here: only tests have these, and the rest of the sandbox runs without.
        self._draft: Any = import_module("jsonschema").Draft202012Validator
        referencing = import_module("referencing")
        dialect = import_module("referencing.jsonschema").DRAFT202012
        self._validators: dict[str, Any] = {}
        self._paths: Json = description["paths"]
        registries = []
        for closed in (True, False):
            patched = _patched(description, closed=closed)
            resource = referencing.Resource.from_contents(patched, default_specification=dialect)
            registries.append(referencing.Registry().with_resource(_BASE, resource))
        self._closed, self._open = registries

    @classmethod
    def load(cls, path: Path) -> "OpenApiChecker":
        """Read a description. OSError, ValueError: it is not there, or no JSON. ImportError: a library."""
        return cls(json.loads(path.read_text("utf-8")))

    def request(self, method: str, route: str, body: Any) -> str | None:
        """Judge a request's body (multipart unwrapped)."""
        operation = self._operation(method, route)
        if operation is None:
            return f"the description has no {method} {route}"
        content = operation.get("requestBody", {}).get("content", {})
        if "application/json" not in content:
            return None if not body else "this request takes no body"
        pointer = ("paths", route, method.lower(), "requestBody", "content", "application/json", "schema")
        return self._judge(pointer, body, closed=True)

    def reply(self, method: str, route: str, status: int, body: Any) -> str | None:
        """Judge a successful reply's body."""
        operation = self._operation(method, route)
        found = None if operation is None else operation["responses"].get(str(status))
        if operation is None or found is None:
            return f"the description has no {status} for {method} {route}"
        if "application/json" not in found.get("content", {}):
            return None if body is None else "this reply has no body"
        pointer = ("paths", route, method.lower(), "responses", str(status))
        return self._judge((*pointer, "content", "application/json", "schema"), body, closed=False)

    def _operation(self, method: str, route: str) -> Json | None:
        found: Json | None = self._paths.get(route, {}).get(method.lower())
        return found

    def _judge(self, pointer: tuple[str, ...], body: Any, *, closed: bool) -> str | None:
        reference = "/".join(step.replace("~", "~0").replace("/", "~1") for step in pointer)
        key = f"{closed} {reference}"
        if key not in self._validators:
            registry = self._closed if closed else self._open
            self._validators[key] = self._draft({"$ref": f"{_BASE}#/{reference}"}, registry=registry)
        errors = list(self._validators[key].iter_errors(body))
        if not errors:
            return None
        return "; ".join(_say(error) for error in errors[:_ERRORS_SHOWN])


def _say(error: Any) -> str:
    """Say the mistake that lies deepest: at the top of a union there is only "fits none of them"."""
    deepest = _deepest(error)
    where = "/".join(str(step) for step in deepest.absolute_path)
    return f"/{where}: {deepest.message[:200]}"


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
    """Let unions whose members differ in `type` look at it first.

    It is the same to a body, as no two members share a value, but a tree of components is judged much faster
    than by trying every member at every node; and what is said of a mistake is said of the member meant.
    """
    if isinstance(node, list):
        for item in node:
            _decide_by_type(item, schemas)
    if not isinstance(node, dict):
        return
    for item in node.values():
        _decide_by_type(item, schemas)
    for union in ("oneOf", "anyOf"):
        kinds = [_kinds(member, schemas) for member in node.get(union, [])]
        every = [kind for found in kinds for kind in found]
        if len(kinds) > 1 and all(kinds) and len(set(every)) == len(every):
            members = node.pop(union)
            node["allOf"] = [*node.get("allOf", []), *map(_when, kinds, members)]
            node |= {"type": "object", "required": ["type"], "properties": {"type": {"enum": every}}}


def _kinds(member: Any, schemas: Json) -> list[Any]:
    """Return the values of `type` that a member of a union asks for; none if it asks for nothing."""
    name = str(member.get("$ref", "")).removeprefix("#/components/schemas/")
    schema = schemas.get(name, {})
    return list(schema.get("properties", {}).get("type", {}).get("enum", []))


def _when(kinds: list[Any], member: Json) -> Json:
    return {"if": {"required": ["type"], "properties": {"type": {"enum": kinds}}}, "then": member}
