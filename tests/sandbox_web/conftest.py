"""A sandbox with a small bot, and a browser with one window each for Alba and Bruno."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from tests.sandbox_web.painter import House
from tests.sandbox_web.window import Window, start_browser


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    """One headless Chromium for all tests, because starting it takes as long as several of them."""
    profile: Path = tmp_path_factory.mktemp("profile")
    driver = start_browser(profile)
    try:
        yield driver
    finally:
        driver.quit()


@pytest.fixture(scope="session")
def house(browser: Chrome) -> Iterator[House]:
    """A running sandbox and its bot; depends on the browser, so that nothing starts without one."""
    del browser
    with House() as running:
        yield running


@pytest.fixture
def windows(browser: Chrome, house: House) -> Iterator[tuple[Window, Window]]:
    """Windows of Alba and Bruno, both in #general with the bot online. The browser must log no errors."""
    first = browser.current_window_handle
    browser.get_log("browser")  # type: ignore[no-untyped-call] # what others have tried there
    browser.switch_to.new_window("window")
    alba, bruno = Window(browser, first), Window(browser, browser.current_window_handle)
    for window, name in ((alba, "alba"), (bruno, "Bruno")):
        window.open(f"{house.entrance}&person={name}")
        window.see("#bot", "online")
        window.see(".beginning", "general")
    yield alba, bruno
    complaints = [*alba.complaints(), *bruno.complaints()]
    bruno.focus().close()
    browser.switch_to.window(first)
    assert complaints == []
