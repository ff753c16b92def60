"""The page in a browser, with the sandbox and a bot of the real library: what two people see and do.

Every run tests commands and responses, components, hostile text, notifications, a lost connection, guilds.
"""

from __future__ import annotations

import re
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TypedDict, cast

import pytest
from selenium.webdriver.common.keys import Keys

from tests.sandbox_web.painter import ALT, HOSTILE, House
from tests.sandbox_web.window import Window

Windows = tuple[Window, Window]
PRIVATE = ".message.ephemeral"
CHOSEN = "return performance.getEntriesByType('resource').filter(e => e.name.endsWith('/select')).length"
"""The number of choices that the page has sent."""


def paint(window: Window, *keys: str) -> None:
    """Run /paint with the keyboard only; the bot completes the option `colour`."""
    window.click("#text")
    window.type("/pai")
    window.see(".help [role=option]", "/paint")
    window.type(Keys.TAB)
    window.see(".slot", "colour")
    window.see(".help [role=option]", "red")
    window.type(*keys)


def test_a_command_is_completed_and_answered_in_private(windows: Windows) -> None:
    alba, bruno = windows
    paint(alba, "r")
    alba.wait(lambda: alba.texts(".help [role=option] .label") == ["red", "rust"], "completion of r")
    alba.type(Keys.ARROW_DOWN, Keys.TAB)
    alba.click(".extra", "times")
    alba.type("three", Keys.ENTER)
    alba.see(".help .status", "whole number")
    alba.type(Keys.BACKSPACE * 5, "3", Keys.ENTER)
    row = alba.see(PRIVATE, "Paint RUST, 3 times.")
    assert "Only you can see this" in row.text
    assert "Alba used /paint" in row.text.replace("\n", " ")
    alba.click("#text")
    alba.type("seen by all", Keys.ENTER)
    bruno.see(".message", "seen by all")
    assert bruno.all(PRIVATE) == []
    assert "Paint RUST" not in bruno.focus().page_source
    alba.click(f"{PRIVATE} .link", "Dismiss message")
    alba.wait(lambda: alba.all(PRIVATE) == [], "dismissed message")


def test_buttons_selects_and_modals(windows: Windows) -> None:
    alba, bruno = windows
    # Faster than the bot responds: a stale choice must not replace the typed text.
    paint(alba, "gr", Keys.ENTER, Keys.ENTER)
    alba.see(PRIVATE, "Paint GREEN, 1 times.")
    alba.click(f"{PRIVATE} .btn", "Press")
    alba.see(PRIVATE, "The button was pressed.")
    alba.click(f"{PRIVATE} .select", "A shape")
    assert alba.see(".popup [role=option]", "Circle").text.endswith("has no corner")
    alba.type(Keys.ARROW_DOWN, Keys.ENTER)
    alba.see(PRIVATE, "The shape is q.")
    # Discord's client does not send a choice that is chosen already.
    alba.click(f"{PRIVATE} .select", "Square")
    assert alba.see(".popup [role=option][aria-selected=true]").text == "Square"
    alba.type(Keys.ENTER)
    alba.click(f"{PRIVATE} .select", "Square")
    alba.click(".popup [role=option]", "Circle")
    alba.see(PRIVATE, "The shape is o.")
    alba.click(f"{PRIVATE} .select", "Brushes")
    alba.type(Keys.ENTER, Keys.ARROW_DOWN, Keys.ENTER, Keys.TAB)
    alba.see(PRIVATE, "The brushes are ['fine', 'broad'].")
    # Removing and adding an option again changes nothing.
    alba.click(f"{PRIVATE} .select", "fine")
    alba.type(Keys.ENTER, Keys.ENTER, Keys.TAB)
    alba.wait(lambda: alba.run(CHOSEN) == 3, "three choices")
    alba.click(f"{PRIVATE} .btn", "Write")
    alba.see("dialog.modal", "A word, please")
    alba.type("x", Keys.ENTER)
    alba.see("dialog .field-note", "At least 2 characters")
    alba.type("yz", Keys.ENTER)
    alba.see(".message", "The word is xyz.")
    assert alba.all("dialog") == []
    bruno.see(".message", "The word is xyz.")
    assert "The shape" not in bruno.focus().page_source
    alba.click(f"{PRIVATE} .btn", "Write")
    alba.see("dialog.modal")
    alba.type(Keys.ESCAPE)
    alba.wait(lambda: alba.all("dialog") == [], "closed dialog")


@pytest.mark.nightly
def test_an_option_is_named_by_keyboard(windows: Windows) -> None:
    alba, _ = windows
    paint(alba, "gr")
    alba.wait(lambda: alba.texts(".help [role=option] .label") == ["green"], "completion of gr")
    alba.type(Keys.TAB, Keys.TAB, "ti")
    alba.wait(lambda: alba.texts(".help [role=option] .label") == ["times"], "the options that are left")
    alba.type("mes:2", Keys.ENTER)
    alba.see(PRIVATE, "Paint GREEN, 2 times.")
    paint(alba, "gr")
    alba.wait(lambda: alba.texts(".help [role=option] .label") == ["green"], "completion of gr")
    alba.type(Keys.TAB, Keys.TAB, Keys.ENTER)
    alba.see(PRIVATE, "Paint GREEN, 1 times.")


@pytest.mark.nightly
def test_silence_is_told(windows: Windows, house: House) -> None:
    alba, _ = windows
    paint(alba, "green", Keys.ENTER)
    alba.click(f"{PRIVATE} .btn", "Silence")
    alba.wait(lambda: len(alba.all(f"{PRIVATE} .btn.danger[aria-busy=true]")) == 1, "waiting button")
    house.advance(3)
    alba.see(f"{PRIVATE} .failed", "This interaction failed")
    assert alba.all("[aria-busy=true]") == []


def test_markup_in_messages_stays_text(windows: Windows, tmp_path: Path) -> None:
    alba, bruno = windows
    alba.click("#text")
    alba.type(HOSTILE, Keys.ENTER)
    bruno.see(".message p", "<img src=x")
    alba.type("/show board", Keys.ENTER)
    bruno.see(".container .h2", "The board")
    assert HOSTILE in bruno.see(".container .rich", "onerror").text
    for window in windows:
        assert window.run("return window.hit") is None
        assert window.run("return document.querySelectorAll('.rich img, .rich script, .rich a').length") == 0
    img = bruno.all(".container img")[0]
    assert img.get_attribute("alt") == ALT
    bruno.wait(
        lambda: bruno.run("return document.querySelector('.container img').naturalWidth") == 320, "picture"
    )
    bruno.focus().save_screenshot(str(tmp_path / "board.png"))
    bruno.click(".container .open")
    assert ALT in bruno.see("dialog.lightbox").text
    bruno.type(Keys.ESCAPE)
    bruno.wait(lambda: bruno.all("dialog") == [], "closed picture")


LAID_OUT = """
const row = document.querySelector(".mosaic.n10").closest(".message");
const box = (node) => { const r = node.getBoundingClientRect(); return [r.left, r.top, r.width, r.height]; };
const boxes = (selector) => [...row.querySelectorAll(selector)].map(box);
return { single: boxes(".single .picture"), mosaics: [...row.querySelectorAll(".mosaic")].map(
    (mosaic) => ({ box: box(mosaic), tiles: [...mosaic.querySelectorAll(".tile")].map(box) })),
  marks: boxes(".alt") };
"""
Box = list[float]


class LaidOut(TypedDict):
    """The boxes of the page's pictures: left, top, width and height in CSS pixels."""

    single: list[Box]
    mosaics: list[Mosaic]
    marks: list[Box]


class Mosaic(TypedDict):
    """A gallery of several pictures."""

    box: Box
    tiles: list[Box]


def laid_out(window: Window) -> LaidOut:
    """Return the boxes of all pictures, once the last gallery is visible."""
    window.wait(lambda: len(window.all(".mosaic.n10 .tile")) == 10, "last gallery")
    return cast("LaidOut", window.run(LAID_OUT))


@pytest.mark.nightly
def test_pictures_are_shown_as_large_as_discord_shows_them(windows: Windows, house: House) -> None:
    alba, bruno = windows
    alba.click("#text")
    alba.type("/show pictures", Keys.ENTER)
    shown = laid_out(bruno)
    # Fitted into 550 × 350, and never enlarged.
    assert [box[2:] for box in shown["single"]] == [[350, 350], [550, 250], [90, 60]]
    for mosaic, count in zip(shown["mosaics"], range(2, 11), strict=True):
        tiles = mosaic["tiles"]
        assert (len(tiles), mosaic["box"][2]) == (count, 550)
        covered = sum(width * height for _, _, width, height in tiles)
        # Tiles do not overlap, and leave only gaps.
        assert 0.96 < covered / (mosaic["box"][2] * mosaic["box"][3]) < 1
    rows = [[len(list(row)) for _, row in groupby(round(t[1]) for t in m["tiles"])] for m in shown["mosaics"]]
    whole = [[2], [2, 1], [2, 2], [2, 3], [3, 3], [1, 3, 3], [2, 3, 3], [3, 3, 3], [1, 3, 3, 3]]
    assert rows == whole
    for box, mark in zip(shown["single"], shown["marks"], strict=False):
        assert mark[0] - box[0] == box[1] + box[3] - mark[1] - mark[3] == 8, "the mark is lower left"
    assert not any(text.is_displayed() for text in bruno.all(".alt-text"))
    bruno.click(".alt", "ALT")
    assert bruno.see(".alt-text").text == ALT
    bruno.click(".alt-text", ALT)
    assert not any(text.is_displayed() for text in bruno.all(".alt-text"))
    bruno.open(house.url)
    bruno.open(f"{house.url}/?person=bruno", width=390, height=844)
    narrow = laid_out(bruno)
    assert max(box[2] for box in narrow["single"]) <= 330
    assert max(mosaic["box"][2] for mosaic in narrow["mosaics"]) <= 330
    assert bruno.run("return document.documentElement.scrollWidth") == 390


def test_a_locked_phone_shows_what_arrives_until_its_channel_is_opened(
    windows: Windows, house: House
) -> None:
    alba, bruno = windows
    bruno.click(".channel", "games")
    bruno.click("#open-phone")
    bruno.see("#pings", "No notifications")
    alba.click("#text")
    alba.type("/call Bruno", Keys.ENTER)
    bruno.see(".ping .wordless", "No text")
    said = bruno.see(".ping", HOSTILE)
    assert said.text.splitlines()[2:] == ["Bauta (#general, The Carnival)", f"@Bruno, {HOSTILE}"]
    assert bruno.see("#open-phone .badge").text == "2"
    assert bruno.run(
        "return [window.hit, document.querySelectorAll('#phone img, #phone script').length]"
    ) == [
        None,
        0,
    ]
    # A tap opens the message.
    bruno.run("document.querySelector('.ping').focus()")
    bruno.type(Keys.ENTER)
    bruno.see("#channel-name", "general")
    bruno.see("#cleared", "Cleared (2)")
    assert bruno.texts("#pings") == ["No notifications"]
    assert "notifications" in {got.t for got in house.sandbox.audit("Bruno") if got.kind == "reply"}
    # In narrow windows it covers the page, and nothing below can be reached.
    bruno.open(house.url)
    bruno.open(f"{house.url}/?person=bruno", width=390, height=844)
    bruno.click("#open-phone")
    bruno.see("#cleared", "Cleared (2)")
    state = "return [document.querySelector('#main').inert, document.documentElement.scrollWidth]"
    assert bruno.run(state) == [True, 390]
    bruno.type(Keys.ESCAPE)
    assert bruno.run("return [document.querySelector('#main').inert, document.activeElement.id]") == [
        False,
        "open-phone",
    ]


@pytest.mark.nightly
def test_a_slip_in_a_command_is_sent_to_nobody(windows: Windows) -> None:
    alba, bruno = windows
    alba.click("#text")
    alba.type("/pant red", Keys.ENTER)
    alba.see("#notice", "no such command")
    alba.type(Keys.BACKSPACE * 9, "all well", Keys.ENTER)
    bruno.see(".message", "all well")
    assert "/pant" not in bruno.focus().page_source


@pytest.mark.nightly
def test_a_phone_shows_all_without_scrolling_sideways(windows: Windows, house: House) -> None:
    alba, _ = windows
    alba.open(f"{house.url}/?person=alba", width=380)
    alba.see(".beginning", "general")
    assert not alba.all(".drawer")[0].is_displayed()
    assert alba.run("return document.documentElement.scrollWidth") == 380
    alba.click("#open-drawer")
    alba.click(".channel", "games")
    alba.see("#channel-name", "games")
    alba.wait(lambda: not alba.all(".drawer")[0].is_displayed(), "closed drawer")


@pytest.mark.nightly
def test_unread_channels_and_direct_messages(windows: Windows) -> None:
    alba, bruno = windows
    bruno.click(".channel", "games")
    bruno.see("#channel-name", "games")
    alba.click("#text")
    alba.type("a line for general", Keys.ENTER)
    bruno.see(".channel.unread", "general")
    bruno.click(".channel", "general")
    bruno.see(".message", "a line for general")
    bruno.wait(lambda: bruno.all(".channel.unread") == [], "read channel")
    bruno.click("button.channel", "Message")
    bruno.see(".beginning", "Nobody else sees it")


NO_SOCKETS = """
window.Real = WebSocket;
window.WebSocket = class extends EventTarget {
  constructor() { super(); setTimeout(() => this.dispatchEvent(new Event("close")), 20); }
  close() {}
};
"""


def test_a_lost_connection_comes_back_with_what_was_missed(windows: Windows, house: House) -> None:
    alba, bruno = windows
    alba.run(NO_SOCKETS)
    house.drop_windows()
    alba.see("#banner", "connection to the sandbox is lost")
    bruno.click("#text")
    bruno.type("said meanwhile", Keys.ENTER)
    bruno.see(".message", "said meanwhile")
    assert not any("said meanwhile" in text for text in alba.texts(".message"))
    alba.run("window.WebSocket = window.Real")
    alba.see(".message", "said meanwhile")
    alba.wait(lambda: not alba.all("#banner")[0].is_displayed(), "connection")


@pytest.mark.nightly
def test_one_chooses_who_to_be(windows: Windows, house: House) -> None:
    alba, bruno = windows
    alba.open(house.url)
    alba.see(".start", "Who are you?")
    alba.see(".start", "nothing leaves this computer")
    alba.click(".start input")
    alba.type("Carla <b>", Keys.ENTER)
    alba.see(".me-button", "Carla <b>")
    bruno.click(".me-button")
    bruno.see(".me-menu .person", "Carla <b>")
    bruno.click(".me-menu a.person-link", "Carla <b>")
    bruno.see(".me-button", "Carla <b>")


@pytest.mark.nightly
def test_the_clock_is_moved_for_all_windows(windows: Windows) -> None:
    alba, bruno = windows
    alba.see("#timeshift summary").click()
    for step in ("+ 1 day", "+ 10 minutes"):
        before = _ahead(alba)
        alba.see("#timeshift button", step).click()
        after = alba.wait(partial(_moved, alba, before), "clock that was moved")
        bruno.see("#timeshift summary", after)
    assert re.fullmatch(r"Clock: \d+ d (\d+ h )?\d+ min ahead", _ahead(alba))


def test_the_channels_of_another_guild_stand_below_its_name(windows: Windows, house: House) -> None:
    alba, bruno = windows
    house.add_guild("Far Away", ["Alba"])
    alba.wait(lambda: len(alba.all("#channels a[title=general]")) == 2, "second #general")
    headings = [text.casefold() for text in alba.texts("#channels h2")]
    assert headings == ["the carnival", "far away", "direct messages"]
    alba.all("#channels a[title=games]")[-1].click()
    paint(alba, "gr", Keys.ENTER, Keys.ENTER)
    alba.see(PRIVATE, "Paint GREEN, 1 times.")
    alba.type("far from the others", Keys.ENTER)
    alba.see(".message", "far from the others")
    assert "Far Away" not in bruno.focus().page_source
    assert "far from the others" not in bruno.focus().page_source
    # A reload shows the same.
    alba.open(f"{house.url}/?person=alba")
    alba.see("#bot", "online")
    assert [text.casefold() for text in alba.texts("#channels h2")] == headings


def _ahead(window: Window) -> str:
    return window.see("#timeshift summary").text


def _moved(window: Window, before: str) -> str | None:
    now = _ahead(window)
    return now if now != before else None
