"""The page without a key, with an old one, and with the one printed in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.kit.samples import some
from tests.sandbox_web.painter import House
from tests.sandbox_web.test_foreign_page import website
from tests.sandbox_web.window import Window

SENTENCE = "Open the whole address"


@pytest.fixture
def window(browser: Chrome) -> Iterator[Window]:
    """Return a window of a browser without cookies and history."""
    browser.delete_all_cookies()
    browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
    yield Window(browser, browser.current_window_handle)
    browser.get("about:blank")
    browser.execute_cdp_cmd("Network.clearBrowserCookies", {})


@pytest.mark.parametrize(("width", "height"), some([(1280, 800), (390, 844)]))
def test_the_way_in(window: Window, house: House, width: int, height: int) -> None:
    window.open(house.url, width, height)
    assert SENTENCE in window.see(".start-card").text
    card = window.see(".start-card").rect
    assert card["x"] >= 0
    assert card["x"] + card["width"] <= width
    window.open(house.entrance, width, height)
    window.see(".start-card", "Alba")
    # The key is neither in the address nor in the referrer.
    assert window.driver.current_url.rstrip("/") == house.url
    assert window.run("return document.referrer") == ""
    assert window.run("return document.cookie") == ""
    window.click(".start-card a", "Alba")
    window.see("#bot", "online")
    window.driver.refresh()
    window.see("#bot", "online")
    window.driver.switch_to.new_window("window")
    second = Window(window.driver, window.driver.current_window_handle)
    second.open(f"{house.url}/?person=bruno", width, height)
    second.see("#bot", "online")
    second.focus().close()
    window.focus()
    # A second time, like a bookmark with the key.
    window.open(f"{house.entrance}&person=alba", width, height)
    window.see("#bot", "online")


def test_the_opened_address_leads_in(window: Window, house: House) -> None:
    window.open(house.sandbox.opened)
    window.see(".start-card", "Alba")
    assert window.driver.current_url.rstrip("/") == house.url


@pytest.mark.nightly
def test_a_link_from_elsewhere_leads_in(window: Window, house: House, tmp_path: Path) -> None:
    """Such a link is sent without the cookie; the locked page notices that the browser has it."""
    with website(tmp_path) as port:
        for address in (house.entrance, f"{house.url}/", f"{house.url}/?person=alba"):
            (tmp_path / "link.html").write_text(
                f"<!doctype html><title>x</title><a id=a href='{address}'>in</a>"
            )
            # Another site for the browser, which another port of the same host is not.
            window.open(f"http://localhost:{port}/link.html")
            window.click("#a")
            window.see(*("#bot", "online") if "person" in address else (".start-card", "Alba"))
            window.run("sessionStorage.clear()")  # nobody follows two links within two seconds
        # Without the cookie, such a link opens the locked page.
        window.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
        window.open(f"http://localhost:{port}/link.html")
        window.click("#a")
        assert SENTENCE in window.see(".start-card").text


def test_a_window_of_an_earlier_start_says_what_to_do(window: Window, house: House) -> None:
    window.open(f"{house.entrance}&person=alba")
    window.see("#bot", "online")
    access = house.sandbox.guard.access
    before, access.key = access.key, "another start's"
    try:
        house.drop_windows()
        assert SENTENCE in window.see(".start-card", SENTENCE).text
        # The window recovers once another one has opened the new address.
        window.driver.switch_to.new_window("window")
        other = Window(window.driver, window.driver.current_window_handle)
        other.open(house.entrance)
        other.see(".start-card", "Alba")
        other.focus().close()
        window.focus().refresh()
        window.see("#bot", "online")
    finally:
        access.key = before
