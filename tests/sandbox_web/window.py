"""A window of a headless browser, used like a person: keys, clicks, and visible elements."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import pytest
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

from tests.kit.waiting import PATIENCE

T = TypeVar("T")
SWITCHES = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


def start_browser(profile: Path) -> Chrome:
    """Start Chromium with a fresh profile; skips the test if it is not installed."""
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        pytest.skip("chromium or chromedriver is not installed")
    options = ChromeOptions()
    options.binary_location = binary
    for switch in (*SWITCHES, f"--user-data-dir={profile}"):
        options.add_argument(switch)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return Chrome(options=options, service=Service(driver))


class Window:
    """One window. Every method brings it to the front first."""

    def __init__(self, driver: Chrome, handle: str) -> None:
        self.driver = driver
        self.handle = handle

    def focus(self) -> Chrome:
        self.driver.switch_to.window(self.handle)
        return self.driver

    def open(self, address: str, width: int = 1280, height: int = 800) -> None:
        driver = self.focus()
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        driver.get(address)

    def all(self, selector: str) -> list[WebElement]:
        return self.focus().find_elements(By.CSS_SELECTOR, selector)

    def wait(self, found: Callable[[], T | None], what: str) -> T:
        """Wait until `found` returns something true."""
        self.focus()
        waiting = WebDriverWait(self.driver, PATIENCE, 0.05, [StaleElementReferenceException, IndexError])
        return waiting.until(lambda _: found() or False, f"no {what}")

    def see(self, selector: str, text: str = "") -> WebElement:
        """Wait for a visible element that contains a text."""

        def found() -> WebElement | None:
            fitting = (e for e in self.all(selector) if e.is_displayed() and text in e.text)
            return next(fitting, None)

        return self.wait(found, f"{selector} with {text!r}")

    def click(self, selector: str, text: str = "") -> None:
        element = self.see(selector, text)
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        element.click()

    def type(self, *keys: str) -> None:
        """Type into the focused element."""
        self.focus().switch_to.active_element.send_keys(*keys)

    def texts(self, selector: str) -> list[str]:
        return [element.text for element in self.all(selector)]

    def run(self, script: str) -> object:
        result: object = self.focus().execute_script(script)
        return result

    def complaints(self) -> list[str]:
        """Return the browser's logged errors: exceptions, refused resources, policy violations."""
        entries = self.focus().get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in entries if entry["level"] == "SEVERE"]
