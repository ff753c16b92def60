"""The guard: only the sandbox's own page can read or do anything, by whatever kind of request."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import pytest
from aiohttp import ClientSession, FormData, WSServerHandshakeError

from sandbox.guard import REFUSAL, SECURITY_HEADERS
from sandbox.server import Sandbox
from tests.kit.person import Person

ROUTES = (
    ("GET", "/"),
    ("GET", "/static/app.js"),
    ("GET", "/nowhere"),
    ("GET", "/people"),
    ("POST", "/people"),
    ("GET", "/people/Alba/channels/1/messages"),
    ("POST", "/people/Alba/message"),
    ("GET", "/people/Alba/socket"),
    ("GET", "/control/state"),
    ("GET", "/control/audit/Alba"),
    ("POST", "/control/kick"),
    ("DELETE", "/control/faults"),
    ("GET", "/gateway"),
    ("GET", "/api/v10/users/@me"),
    ("POST", "/api/v10/interactions/1/x/callback"),
    ("OPTIONS", "/people/Alba/message"),
    ("GET", "/attachments/x/y.png"),
)
Headers = dict[str, str]


def foreign(sandbox: Sandbox) -> list[Headers]:
    """Return the headers by which browsers declare requests of foreign pages."""
    port, other = sandbox.port, sandbox.port + 1
    return [
        {"Origin": "https://example.org"},
        {"Origin": "null"},
        {"Origin": f"http://127.0.0.1:{other}"},
        # Other origins: another name, another scheme.
        {"Origin": f"http://localhost:{port}"},
        {"Origin": f"https://127.0.0.1:{port}"},
        {"Origin": f"http://127.0.0.1:{port}.example.org"},
        # A foreign name that resolves to this computer: the page is its own origin.
        {"Host": f"example.org:{port}", "Origin": f"http://example.org:{port}"},
        {"Host": f"example.org:{port}", "Sec-Fetch-Site": "same-origin"},
        {"Host": f"127.0.0.1.example.org:{port}"},
        {"Host": f"127.0.0.1:{other}"},
        {"Host": "127.0.0.1"},
        {"Host": f"[::ffff:10.0.0.1]:{port}"},
        {"Host": "127.0.0.1:x"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "image"},
        {"Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe"},
        {"Sec-Fetch-Site": "something new"},
    ]


async def test_nothing_comes_in_from_elsewhere() -> None:
    async with Sandbox() as sandbox, ClientSession(sandbox.url, headers=sandbox.credentials) as http:
        answers = set()
        for headers in foreign(sandbox):
            for method, path in ROUTES:
                async with http.request(method, path, headers=headers) as reply:
                    answers.add(
                        (reply.status, await reply.text(), reply.headers.get("Access-Control-Allow-Origin"))
                    )
                    assert reply.headers["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answers == {(403, REFUSAL, None)}, "a foreign page can tell routes apart"
        assert len(sandbox.guard.refused) == len(foreign(sandbox)) * len(ROUTES)
        assert sandbox.requests == []


async def test_the_page_itself_and_programs_come_in() -> None:
    async with Sandbox() as sandbox, ClientSession(sandbox.url, headers=sandbox.credentials) as http:
        host = f"127.0.0.1:{sandbox.port}"
        welcome: tuple[Headers, ...] = (
            {},
            {"Origin": f"http://{host}"},
            {"Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"},
            {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"},
            {"Host": f"localhost:{sandbox.port}", "Origin": f"http://localhost:{sandbox.port}"},
        )
        for headers in welcome:
            async with http.get("/people", headers=headers) as reply:
                assert reply.status == 200, headers
                assert SECURITY_HEADERS.items() <= dict(reply.headers).items()
        assert not sandbox.guard.refused


async def test_a_link_opens_the_page_under_its_own_address_and_nothing_else() -> None:
    async with Sandbox() as sandbox, ClientSession(sandbox.url, headers=sandbox.credentials) as http:
        link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"}
        for path, status in (
            ("/", 200),
            ("/people", 403),
            ("/control/state", 403),
            ("/attachments/x/y", 403),
        ):
            async with http.get(path, headers=link) as reply:
                assert reply.status == status, path
        named = {"Host": f"localhost:{sandbox.port}"}
        async with http.get("/?person=Alba", headers=named, allow_redirects=False) as reply:
            assert (reply.status, reply.headers["Location"]) == (302, f"{sandbox.url}/?person=Alba")


@pytest.mark.parametrize(
    "request_line",
    ["GET /?key={key} HTTP/1.1\r\nHost {key}", "GET /?key={key}\x01 HTTP/1.1", "G(T /?key={key} HTTP/1.1"],
)
async def test_no_line_of_the_log_quotes_a_malformed_request(
    request_line: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    async with Sandbox() as sandbox:
        reader, writer = await asyncio.open_connection("127.0.0.1", sandbox.port)
        writer.write(f"{request_line.format(key=sandbox.guard.access.key)}\r\n\r\n".encode())
        answer = await reader.read()
        writer.close()
        assert b"400" in answer
        assert "malformed" in caplog.text
        assert sandbox.guard.access.key not in caplog.text


async def test_sockets_are_opened_by_the_page_alone() -> None:
    async with (
        Sandbox(page=False) as sandbox,
        ClientSession(sandbox.url, headers=sandbox.credentials) as http,
    ):
        for path in ("/people/Alba/socket", "/gateway"):
            for origin in ("https://example.org", f"http://localhost:{sandbox.port}", "null"):
                with pytest.raises(WSServerHandshakeError) as refused:
                    await http.ws_connect(path, origin=origin)
                assert refused.value.status == 403
            async with http.ws_connect(path, origin=sandbox.url) as socket:
                assert json.loads((await socket.receive()).data)
        assert [entry.t for entry in sandbox.audit("Alba")] == ["HELLO"]


async def test_what_people_do_is_sent_as_json_alone() -> None:
    async with (
        Sandbox(page=False) as sandbox,
        ClientSession(sandbox.url, headers=sandbox.credentials) as http,
    ):
        body = json.dumps({"channel_id": str(sandbox.channel("games").id), "content": "forged"})
        kinds: tuple[Any, ...] = (
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data; boundary=b",
            "application/jsonp",
        )
        for kind in kinds:
            for path in ("/people/Alba/message", "/people", "/control/kick", "/control/clock"):
                async with http.post(path, data=body, headers={"Content-Type": kind}) as reply:
                    assert reply.status == 415, (kind, path)
        assert sandbox.records.history(sandbox.channel("games").id, sandbox.records.bot.id) == []
        assert sandbox.records.has_bot(sandbox.records.guild)
        json_kind = {"Content-Type": "application/json; charset=utf-8"}
        async with http.post("/people/Alba/message", data=body, headers=json_kind) as reply:
            assert reply.status == 200


async def test_the_bots_side_opens_with_the_token_of_this_run_alone() -> None:
    async with Sandbox(page=False) as one, Sandbox(page=False) as other:
        assert one.token != other.token
        assert len(one.token) > 30
        assert one.token not in repr(one.state)
        async with ClientSession(one.url) as http:
            for token, status in ((one.token, 200), (other.token, 401), ("sandbox.token", 401), ("", 401)):
                async with http.get("/api/v10/users/@me", headers={"Authorization": f"Bot {token}"}) as reply:
                    assert reply.status == status


async def test_a_picture_is_shown_by_the_page_alone() -> None:
    """A foreign page gets no picture, even if it knows the address and a person who may see it."""
    async with (
        Sandbox(page=False) as sandbox,
        ClientSession(sandbox.url, headers=sandbox.credentials) as http,
    ):
        form = FormData({"payload_json": json.dumps({"attachments": [{"id": 0, "filename": "hand.png"}]})})
        form.add_field("files[0]", b"not seen by others", filename="hand.png", content_type="image/png")
        channel, bot = sandbox.channel("games").id, {"Authorization": f"Bot {sandbox.token}"}
        async with http.post(f"/api/v10/channels/{channel}/messages", data=form, headers=bot) as reply:
            assert reply.status == 200, await reply.text()
        async with await Person.connect(sandbox.entrance, "Alba") as alba:
            address = (await alba.messages("games"))[-1]["attachments"][0]["url"]
            assert await alba.fetch(address) == b"not seen by others"
        for headers in foreign(sandbox):
            async with http.get(address.removeprefix(sandbox.url), headers=headers) as reply:
                assert (reply.status, await reply.text()) == (403, REFUSAL)
