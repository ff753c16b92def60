"""Other users of this computer, who know the port, read command lines, and may have a browser's cookie."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest
from aiohttp import ClientSession, CookieJar, FormData, WSServerHandshakeError

from sandbox import access
from sandbox.server import Sandbox
from tests.kit.person import Person, PersonError

PEOPLES = (
    ("GET", "/people"),
    ("POST", "/people"),
    ("GET", "/people/Alba/channels/1/messages"),
    ("GET", "/people/Alba/notifications"),
    ("POST", "/people/Alba/message"),
    ("POST", "/people/Alba/forge"),
    ("GET", "/people/Alba/socket"),
    ("GET", "/people/Nobody/socket"),
    ("HEAD", "/people"),
    ("GET", "/%70eople"),
    ("GET", "/static/../people"),
    ("GET", "/control/audit/Alba"),
    ("GET", "/control/requests"),
    ("POST", "/control/clock"),
    ("DELETE", "/control/faults"),
    ("GET", "/nowhere"),
)
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="only Linux says whose a connection is")
AS_ROOT = pytest.mark.skipif(
    sys.platform != "linux" or os.getuid() != 0, reason="only root can be another user"
)


def browser() -> CookieJar:
    """Return a session that keeps cookies like a browser, also for IP addresses."""
    return CookieJar(unsafe=True)


async def enter(http: ClientSession, address: str) -> str:
    """Open an address; return the resulting cookie as a header."""
    async with http.get(address, allow_redirects=False) as reply:
        found = reply.cookies
    return "; ".join(f"{name}={morsel.value}" for name, morsel in found.items())


async def test_nothing_of_people_is_told_or_done_without_the_key() -> None:
    async with Sandbox() as sandbox, Sandbox() as other, ClientSession(sandbox.url) as http:
        ticket = other.opened.rpartition("=")[2]
        name = sandbox.guard.access.cookie
        attempts: tuple[dict[str, str], ...] = (
            {},
            {"Authorization": "Bearer "},
            {"Authorization": f"Bearer {sandbox.token}"},
            {"Authorization": f"Bot {sandbox.token}"},
            {"Authorization": f"bearer {sandbox.guard.access.key}"},
            other.credentials,
            {"Cookie": f"{name}="},
            {"Cookie": f"{name}={ticket}"},
            {"Cookie": f"{name}={sandbox.guard.access.key}"},
            {"Cookie": f"{name}=0.{'0' * 64}"},
            {"Cookie": f"{name}=²."},
            {"Cookie": f"{name}={'9' * 5000}.x"},
        )
        answers = set()
        for headers in attempts:
            for method, path in PEOPLES:
                async with http.request(method, path, headers=headers, json={"content": "forged"}) as reply:
                    answers.add((reply.status, "" if method == "HEAD" else await reply.text()))
                    assert "Set-Cookie" not in reply.headers
            with pytest.raises(WSServerHandshakeError) as refused:
                await http.ws_connect("/people/Alba/socket", headers=headers)
            assert refused.value.status == 401
        assert {status for status, _ in answers} == {401}
        assert len({text for _, text in answers if text}) == 1, "they can tell what there is"
        assert sandbox.audit("Alba") == []
        with pytest.raises(PersonError, match="another key"):
            await Person.connect(f"{sandbox.url}/?key={other.guard.access.key}", "Alba")


async def test_the_printed_address_gives_a_browser_its_cookie() -> None:
    async with Sandbox() as sandbox, ClientSession(cookie_jar=browser()) as http:
        async with http.get(f"{sandbox.entrance}&person=Alba", allow_redirects=False) as reply:
            assert (reply.status, reply.headers["Location"]) == (302, "/?person=Alba")
            assert (reply.headers["Cache-Control"], reply.headers["Referrer-Policy"]) == (
                "no-store",
                "no-referrer",
            )
            [cookie] = reply.headers.getall("Set-Cookie")
        told, *attributes = cookie.split("; ")
        assert set(attributes) == {"HttpOnly", "Path=/", "SameSite=Strict"}
        assert told.startswith(f"sandbox-{sandbox.port}=")
        assert sandbox.guard.access.key not in cookie
        async with http.get(f"{sandbox.url}/") as reply:
            assert "app.js" in await reply.text()
        async with http.get(f"{sandbox.url}/people") as reply:
            assert [each["name"] for each in await reply.json()] == ["Alba", "Bruno"]
        async with http.ws_connect(f"{sandbox.url}/people/Alba/socket") as socket:
            assert json.loads((await socket.receive()).data)["t"] == "HELLO"


async def test_an_address_of_another_start_says_what_to_do() -> None:
    async with Sandbox() as sandbox, ClientSession(sandbox.url, cookie_jar=browser()) as http:
        for address in ("/", "/?key=", "/?key=x", "/?ticket=x", "/?ticket=0.x", "/?key=%C2%B2&person=Alba"):
            async with http.get(address) as reply:
                assert reply.status == 403
                assert "Open the whole address" in await reply.text()
                assert not reply.cookies
        # A valid cookie still works with an outdated key in a bookmark.
        await enter(http, sandbox.entrance)
        async with http.get("/?key=old&person=Alba", allow_redirects=False) as reply:
            assert reply.headers["Location"] == "/?person=Alba"
            assert not reply.cookies


async def test_two_sandboxes_in_one_browser() -> None:
    async with Sandbox() as one, Sandbox() as two, ClientSession(cookie_jar=browser()) as http:
        for sandbox in (one, two):
            await enter(http, sandbox.entrance)
        for sandbox in (one, two):
            async with http.get(f"{sandbox.url}/people") as reply:
                assert reply.status == 200


async def test_a_key_is_long_and_new_at_each_start() -> None:
    keys = {Sandbox().guard.access.key for _ in range(20)}
    assert len(keys) == 20
    assert all(len(key) * 6 >= 128 for key in keys)
    assert not any(key in repr(Sandbox().state) for key in keys)


@pytest.mark.parametrize(("owner", "status"), [(1234, 200), (0, 200), (4321, 401), (None, 401)])
async def test_a_ticket_works_for_its_user(
    owner: int | None, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with Sandbox() as sandbox, ClientSession(sandbox.url) as http:
        ticket = sandbox.guard.access.ticket(1234)
        monkeypatch.setattr(access, "peer_user", lambda _: owner)
        cookie = {"Cookie": f"{sandbox.guard.access.cookie}={ticket}"}
        async with http.get("/people", headers=cookie) as reply:
            assert reply.status == status
        assert bool(await enter(http, f"/?ticket={ticket}")) == (status == 200)


async def test_where_nobody_says_whose_a_connection_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(access, "TCP_TABLES", (tmp_path / "tcp", tmp_path / "tcp6"))
    async with Sandbox() as sandbox, ClientSession(cookie_jar=browser()) as http:
        # On all other systems, other users can read the opened address.
        monkeypatch.setattr(sys, "platform", "freebsd14")
        assert sandbox.opened == f"{sandbox.url}/"
        monkeypatch.setattr(sys, "platform", "darwin")
        for address in (sandbox.opened, sandbox.entrance):
            assert await enter(http, address)
            async with http.get(f"{sandbox.url}/people") as reply:
                assert reply.status == 200


@ON_LINUX
@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "127.0.0.7"])
async def test_the_own_browser_gets_in_by_the_opened_address(host: str) -> None:
    async with Sandbox(host) as sandbox, ClientSession(cookie_jar=browser()) as http:
        assert await enter(http, sandbox.opened)
        async with http.get(f"{sandbox.url}/people") as reply:
            assert reply.status == 200


BY_ANOTHER_USER = """
import encodings.idna, json, os, socket, struct, sys
# As root it may read where Python is installed.
os.setgroups([])
os.setgid(65534)
os.setuid(65534)
port, lines = int(sys.argv[1]), sys.argv[2:]

def asked(line, headers="", body="", leave=None):
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall((f"{line} HTTP/1.1\\r\\n"
            f"Host: 127.0.0.1:{port}\\r\\nConnection: close\\r\\n{headers}"
            f"Content-Type: application/json\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n{body}").encode())
        if leave == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        if leave == "half":
            connection.shutdown(socket.SHUT_WR)
        if leave:
            return 0  # it is gone before the answer
        return int(connection.makefile().readline().split()[1])

channel, opened, cookie = lines
said = json.dumps({"channel_id": channel, "content": "forged"})
found = [
    asked("GET /people"),
    asked("GET /people/Alba/channels/1/messages"),
    asked(f"GET {opened}"),
    asked("GET /people", f"Cookie: {cookie}\\r\\n"),
    asked("POST /people/Alba/message", f"Cookie: {cookie}\\r\\n", said),
]
# Who has closed a connection is nobody, or root, to the kernel.
for leave in ("half", "close", "reset"):
    for _ in range(40):
        asked("POST /people/Alba/message", f"Cookie: {cookie}\\r\\n", said, leave)
print(json.dumps(found))
"""


@AS_ROOT
async def test_another_user_gets_in_by_nothing_that_they_can_know() -> None:
    """They know the port and the opened address, and received the browser's cookie on a port of their own."""
    async with Sandbox() as sandbox, ClientSession(cookie_jar=browser()) as http:
        cookie = await enter(http, sandbox.opened)
        channel = str(sandbox.channel("games").id)
        opened = sandbox.opened.removeprefix(sandbox.url)
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", BY_ANOTHER_USER, str(sandbox.port), channel, opened, cookie),
            stdout=asyncio.subprocess.PIPE,
        )
        said, _ = await process.communicate()
        assert json.loads(said) == [401, 401, 403, 401, 401]
        # Once this is answered, everything before it has been handled.
        async with http.get(f"{sandbox.url}/people/Alba/channels/{channel}/messages") as reply:
            assert await reply.json() == []


async def test_a_private_picture_needs_more_than_its_address() -> None:
    async with Sandbox(page=False) as sandbox, await Person.connect(sandbox.entrance, "Alba") as alba:
        form = FormData({"payload_json": json.dumps({"attachments": [{"id": 0, "filename": "hand.png"}]})})
        form.add_field("files[0]", b"a hand", filename="hand.png", content_type="image/png")
        bot, channel = {"Authorization": f"Bot {sandbox.token}"}, sandbox.channel("games").id
        async with ClientSession() as http:
            async with http.post(
                f"{sandbox.api}/channels/{channel}/messages", data=form, headers=bot
            ) as reply:
                assert reply.status == 200
            address = (await alba.messages("games"))[-1]["attachments"][0]["url"]
            assert await alba.fetch(address) == b"a hand"
            async with http.get(address) as reply:
                assert (reply.status, b"a hand" in await reply.read()) == (403, False)
