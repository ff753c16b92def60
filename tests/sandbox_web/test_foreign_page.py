"""A foreign page in the same browser tries everything that pages can do, and gets nothing."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from selenium.webdriver import Chrome

from tests.kit import components
from tests.kit.person import Person
from tests.sandbox_web.painter import House

TRIES = """
const [base, channel, picture, wanted, done] = arguments;
const socketBase = base.replace("http", "ws");
const json = { "content-type": "application/json" };
const words = (text) => JSON.stringify({ channel_id: channel, content: text });
const fetched = async (path, init) => {
  const answer = await fetch(base + path, init);
  return (await answer.text()) || answer.type;
};
const element = (name, attributes, events = ["load"]) => new Promise((got, failed) => {
  const made = Object.assign(document.createElement(name), attributes);
  for (const event of events) made.addEventListener(event, () => got(event));
  made.addEventListener("error", () => failed(new Error("error")));
  document.body.append(made);
});
const socket = (path) => new Promise((got, failed) => {
  const opened = new WebSocket(socketBase + path);
  opened.onmessage = (event) => got(event.data);
  opened.onclose = () => failed(new Error("closed"));
});
const stream = (path) => new Promise((got, failed) => {
  const source = new EventSource(base + path);
  source.onopen = source.onmessage = () => got("open");
  source.onerror = () => { source.close(); failed(new Error("error")); };
});
const form = async (enctype) => {
  const frame = Object.assign(document.createElement("iframe"), { name: enctype });
  const made = Object.assign(document.createElement("form"), {
    method: "post", action: `${base}/people/Alba/message`, enctype, target: enctype });
  // A text that is JSON: {"content": "…=…"} is what enctype text/plain makes of it.
  const input = Object.assign(document.createElement("input"), {
    name: words("by a form").replace("form\\"}", "form "), value: '"}' });
  made.append(input);
  document.body.append(frame, made);
  made.submit();
  await new Promise((got) => frame.addEventListener("load", got));
  return frame.contentDocument ? frame.contentDocument.body.textContent : "";
};
const framed = async (path) => {
  const frame = Object.assign(document.createElement("iframe"), { src: base + path });
  document.body.append(frame);
  await new Promise((got) => frame.addEventListener("load", got));
  return frame.contentDocument ? frame.contentDocument.body.textContent : "";
};
const post = (path, body, more) => fetched(path, { method: "POST", body, ...more });
const tries = {
  "fetch people": () => fetched("/people"),
  "fetch messages": () => fetched(`/people/Alba/channels/${channel}/messages`),
  "fetch no-cors": () => fetched("/people", { mode: "no-cors" }),
  "fetch audit": () => fetched("/control/audit/Alba"),
  "fetch API": () => fetched("/api/v10/gateway"),
  "post JSON": () => post("/people/Alba/message", words("by JSON"), { headers: json }),
  "post text": () => post("/people/Alba/message", words("by text"), { mode: "no-cors" }),
  "post control": () => post("/control/kick", "{}", { mode: "no-cors" }),
  "delete": () => fetched("/control/faults", { method: "DELETE" }),
  "form": () => form("text/plain"),
  "form of files": () => form("multipart/form-data"),
  "beacon": async () => void navigator.sendBeacon(`${base}/people/Alba/message`, words("by beacon")),
  "person's socket": () => socket("/people/Alba/socket"),
  "gateway": () => socket("/gateway"),
  "picture": () => element("img", { src: picture }),
  "picture with CORS": () => element("img", { src: picture, crossOrigin: "anonymous" }),
  "fetch picture": () => fetch(picture, { mode: "no-cors" }).then(() => "opaque"),
  "icon": () => element("img", { src: `${base}/static/icon.svg` }),
  "script": () => element("script", { src: `${base}/static/app.js` }),
  "module": () => element("script", { src: `${base}/static/markdown.js`, type: "module" }),
  "style": () => element("link", { href: `${base}/static/base.css`, rel: "stylesheet" }),
  "data as script": () => element("script", { src: `${base}/people` }),
  "object": () => element("object", { data: picture }),
  "stream": () => stream("/people"),
  "page in a frame": () => framed("/?person=Alba"),
  "data in a frame": () => framed("/people"),
};
const attempt = async (work) => {
  try { return Boolean(await work()); } catch (error) { return false; }
};
const names = wanted ?? Object.keys(tries);
Promise.all(names.map(async (name) => [name, await attempt(tries[name])])).then(done);
"""


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder without logging."""

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class calls it so
        """Log nothing."""


@contextmanager
def website(folder: Path) -> Iterator[int]:
    """Serve another website on loopback; yields its port."""
    (folder / "index.html").write_text("<!doctype html><title>Elsewhere</title><body>")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


OWN = (
    "fetch people",
    "fetch messages",
    "fetch audit",
    "post JSON",
    "person's socket",
    "gateway",
    "picture",
    "fetch picture",
    "icon",
    "script",
    "style",
)
"""Requests that must succeed from the sandbox's own page: otherwise the attempts prove nothing."""

ARRIVES = {
    "/people",
    "/people/Alba/message",
    "/people/Alba/socket",
    "/gateway",
    "/control/audit/Alba",
    "/control/kick",
    "/static/icon.svg",
    "/static/app.js",
    "/",
}
"""Some requests of a foreign page that must reach the sandbox: those blocked by the browser prove little."""


async def _ready(house: House) -> tuple[str, str]:
    """Let the bot send a picture; return its channel, and its address in Alba's window."""
    async with await Person.connect(house.entrance, "Alba") as alba:
        await alba.command("games", "show board")
        message = await alba.message(lambda m: bool(m["components"]))
        return message["channel_id"], components.pictures(message)[0]["url"]


def test_a_foreign_page_gets_nothing(browser: Chrome, house: House, tmp_path: Path) -> None:
    channel, picture = asyncio.run(_ready(house))
    records, guard = house.sandbox.records, house.sandbox.guard

    def got(names: tuple[str, ...] | None = None) -> set[str]:
        browser.set_script_timeout(60)
        tried: list[tuple[str, bool]] = browser.execute_async_script(
            TRIES, house.url, channel, picture, names
        )
        assert len(tried) >= len(OWN)
        return {name for name, something in tried if something}

    def happened() -> tuple[int, bool, int]:
        messages = records.history(int(channel), records.bot.id)
        return len(messages), records.has_bot(records.guild), len(house.sandbox.audit("Alba"))

    before = happened()
    with website(tmp_path) as port:
        for host in ("127.0.0.1", "localhost"):
            guard.refused.clear()
            browser.get(f"http://{host}:{port}/")
            assert got() == set(), host
            asked = {line.split()[1] for line in guard.refused}
            assert asked >= ARRIVES | {urlsplit(picture).path}, host
        assert happened() == before
        browser.get(house.entrance)
        assert got(OWN) == set(OWN)
        assert happened() > before
        # Now the browser's cache contains what the page has shown.
        browser.get(f"http://127.0.0.1:{port}/")
        assert got() == set()
    browser.get("about:blank")
