"""The readers answer any body with Discord's errors, and never fail."""

from typing import Any

from aiohttp import ClientSession
from hypothesis import given, settings
from hypothesis import strategies as st

from sandbox.errors import ApiError
from sandbox.server import Sandbox
from sandbox.validation.commands import read_command
from sandbox.validation.forms import form
from sandbox.validation.messages import Upload, read_draft
from sandbox.validation.modals import list_fields, read_modal, read_value
from tests.kit.samples import MORE

EXAMPLES = 300 if MORE > 1 else 96

KEYS = st.sampled_from(
    [
        *("content", "embeds", "components", "attachments", "flags", "type", "style", "label", "custom_id"),
        *("options", "value", "accessory", "media", "url", "items", "file", "emoji", "name", "id", "title"),
        *("description", "component", "min_values", "max_values", "choices", "required", "autocomplete"),
        *(
            "allowed_mentions",
            "parse",
            "users",
            "nonce",
            "message_reference",
            "message_id",
            "fields",
            "image",
        ),
        *("name_localizations", "contexts", "min_length", "max_length", "default", "max_value", "footer"),
    ]
)
LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 30),
    st.integers(),
    st.floats(),
    st.sampled_from(["", "x", "a" * 101, "attachment://f.txt", "https://a.b", "7", "\ud800"]),
    st.text(max_size=5),
)
BODIES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(KEYS, inner, max_size=6),
        st.builds(
            lambda d, kind: d | {"type": kind}, st.dictionaries(KEYS, inner, max_size=6), st.integers(1, 24)
        ),
    ),
    max_leaves=25,
)


def read(reader: Any, body: Any) -> Any:
    try:
        opened = form(body)
        made = reader(opened)
        opened.errors.check()
    except ApiError:
        return None
    return made


@settings(max_examples=EXAMPLES, deadline=None)
@given(BODIES, st.booleans())
def test_readers_refuse_and_never_break(body: Any, v2: bool) -> None:
    if v2 and isinstance(body, dict):
        body["flags"] = 1 << 15
    read(lambda opened: read_draft(opened, {0: Upload("f.txt", "text/plain", b"x")}), body)
    read(read_command, body)


@settings(max_examples=EXAMPLES, deadline=None)
@given(BODIES, BODIES)
def test_modals_are_refused_or_can_be_filled_in(body: Any, value: Any) -> None:
    modal = read(read_modal, {"custom_id": "m", "title": "t", "components": body})
    for field in list_fields(modal["components"]) if modal is not None else []:
        found, problem = read_value(field, value)
        assert found is not None or problem is not None or field["type"] == 21


@settings(max_examples=EXAMPLES // 12, deadline=None)
@given(st.lists(BODIES, min_size=12, max_size=12))
async def test_the_server_answers_nonsense_with_an_error(bodies: list[Any]) -> None:
    async with Sandbox(page=False, rate_limits=False) as sandbox:
        games = sandbox.channel("games").id
        application = sandbox.records.bot.id
        paths = [
            ("POST", f"/channels/{games}/messages"),
            ("POST", f"/channels/{games}/threads"),
            ("PATCH", f"/channels/{games}"),
            ("PUT", f"/applications/{application}/commands"),
            ("POST", f"/applications/{application}/commands"),
            ("POST", "/users/@me/channels"),
            ("POST", "/interactions/1/x/callback"),
            ("POST", f"/webhooks/{application}/x"),
            ("PATCH", "/guilds/x/members/@me"),
        ]
        headers = {"Authorization": f"Bot {sandbox.token}"}
        async with ClientSession(headers=headers) as http:
            for (method, path), body in zip(paths, bodies, strict=False):
                async with http.request(method, sandbox.api + path, json=body) as reply:
                    assert reply.status < 500, await reply.text()
            for path, body in zip(
                ("command", "press", "select", "modal", "forge", "message"), bodies, strict=False
            ):
                address = f"{sandbox.url}/people/Alba/{path}"
                async with http.post(address, json=body, headers=sandbox.credentials) as reply:
                    assert reply.status < 500, await reply.text()
        assert [v for v in sandbox.violations if v.kind == "broken"] == []
