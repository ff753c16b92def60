"""The OpenAPI check distinguishes valid bodies from invalid ones."""

from typing import Any

import pytest

from tests.kit.openapi import OfEachShape, OpenApiChecker, description

MESSAGES = "/channels/{channel_id}/messages"
MESSAGE = "/channels/{channel_id}/messages/{message_id}"
CALLBACK = "/interactions/{interaction_id}/{interaction_token}/callback"
FOLLOW_UP = "/webhooks/{webhook_id}/{webhook_token}"


@pytest.fixture
def checker() -> OpenApiChecker:
    found = description()
    if found is None:
        pytest.skip("the API's description is not beside the repository")
    return found


@pytest.mark.parametrize(
    ("method", "route", "body"),
    [
        ("POST", MESSAGES, {"content": "x", "tts": False, "nonce": "n", "enforce_nonce": True}),
        ("POST", MESSAGES, {"allowed_mentions": {"users": [5]}, "attachments": [{"id": 0, "filename": "a"}]}),
        ("PATCH", MESSAGE, {"content": "x", "tts": False}),
        ("PATCH", "/channels/{channel_id}", {"archived": True, "locked": False}),
        ("POST", CALLBACK, {"type": 5, "data": {"flags": 64}}),
        ("POST", CALLBACK, {"type": 6}),
        ("POST", CALLBACK, {"type": 8, "data": {"choices": [{"name": "a", "value": "b"}]}}),
        ("POST", FOLLOW_UP, {"content": "x", "flags": 64}),
        ("POST", "/users/@me/channels", {"recipient_id": 5}),
        ("DELETE", MESSAGE, None),
    ],
)
def test_what_clients_rightly_send_is_taken(
    checker: OpenApiChecker, method: str, route: str, body: Any
) -> None:
    assert checker.request(method, route, body) is None


@pytest.mark.parametrize(
    ("method", "route", "body", "where"),
    [
        ("POST", MESSAGES, {"content": 5}, "/content"),
        ("POST", MESSAGES, {"contents": "x"}, "contents"),
        ("POST", MESSAGES, {"components": [{"type": 1, "components": []}]}, "/components/0"),
        ("PATCH", "/channels/{channel_id}", {"archived": "yes"}, "archived"),
        ("PATCH", "/channels/{channel_id}", {"archive": True}, "archive"),
        ("POST", CALLBACK, {"type": 99}, "type"),
        ("POST", CALLBACK, {"type": 9, "data": {"title": "T", "custom_id": "x"}}, "components"),
        ("POST", CALLBACK, {"type": 4, "data": {"embeds": [{"colour": 5}]}}, "colour"),
        ("POST", "/users/@me/channels", {"recipient_id": "abc"}, "recipient_id"),
        ("POST", "/nowhere", {}, "no POST /nowhere"),
        ("DELETE", MESSAGE, {"content": "x"}, "no body"),
    ],
)
def test_errors_say_where(checker: OpenApiChecker, method: str, route: str, body: Any, where: str) -> None:
    verdict = checker.request(method, route, body)
    assert verdict is not None
    assert where in verdict


def test_replies_are_judged_too(checker: OpenApiChecker) -> None:
    assert checker.reply("GET", "/gateway", 200, {"url": "ws://x"}) is None
    assert checker.reply("GET", "/gateway", 200, {}) is not None
    assert checker.reply("GET", "/gateway", 201, {}) is not None
    assert checker.reply("GET", MESSAGE, 200, {"id": 5}) is not None
    assert checker.reply("GET", "/users/@me", 200, {"id": 5, "username": "x"}) is not None


class Asked:
    """Records its calls, and returns a different text each time."""

    def __init__(self) -> None:
        self.bodies: list[Any] = []

    def request(self, method: str, route: str, body: Any) -> str | None:
        self.bodies.append(body)
        return str(len(self.bodies))

    def reply(self, method: str, route: str, status: int, body: Any) -> str | None:
        return self.request(method, f"{status} {route}", body)


def test_bodies_that_differ_in_words_alone_are_asked_about_once() -> None:
    asked = Asked()
    checker = OfEachShape(asked)
    alike = [{"content": "a word", "components": [{"type": 2, "id": n}] * (1 + n % 3)} for n in (100, 200)]
    for body in alike:
        assert checker.request("POST", MESSAGES, body) == "1"
        assert checker.reply("POST", MESSAGES, 200, body) == "2"
    others = [
        {"content": "a word", "components": [{"type": 3, "id": 100}]},
        {"content": "a word", "components": [{"type": 2, "id": "100"}]},
        {"content": "a word", "components": [{"type": 2}]},
        {"content": 7, "components": [{"type": 2, "id": 100}]},
        {"content": "a word", "components": []},
        {"content": "a word" * 400, "components": [{"type": 2, "id": 100}]},
    ]
    said = {checker.request("POST", MESSAGES, body) for body in others}
    assert len(said | {"1", "2"}) == len(others) + 2
    assert checker.request("PATCH", MESSAGE, alike[0]) not in said
