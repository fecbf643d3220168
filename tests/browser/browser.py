"""A headless Chromium that shows pages from disk, and tells what they logged and asked for."""

from __future__ import annotations

import base64
import json
import os
import shutil
from collections.abc import Iterable
from itertools import count
from pathlib import Path
from time import monotonic
from typing import Any, Literal

from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.wait import WebDriverWait

from tests.support import HANG

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
DRIVER = shutil.which("chromedriver")
AXE = Path(os.environ.get("NLPEVAL_AXE") or Path(__file__).parent / "node_modules/axe-core/axe.min.js")
"""`make axe` puts it there."""

WIDE, NARROW = 1280, 380
"""Widths of a window, in pixels."""

_NUMBERS = count()


def missing() -> str:
    """Return why there is no browser; "" if there is one."""
    absent = [name for name, path in (("Chromium", CHROMIUM), ("chromedriver", DRIVER)) if path is None]
    return f"needs {' and '.join(absent)} (Debian: apt-get install chromium chromium-driver)" if absent else ""


class Browser:
    """One window, and the page in it."""

    def __init__(self, folder: Path) -> None:
        """Open a window; pages are written into the folder."""
        options = ChromeOptions()
        options.binary_location = CHROMIUM or ""
        for argument in ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage"):  # the pages are our own
            options.add_argument(f"--{argument}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = Chrome(options=options, service=Service(DRIVER))
        connection: Any = self.driver.command_executor
        connection._client_config.timeout = HANG  # which is 120 seconds otherwise, whatever the next two say
        self.driver.set_page_load_timeout(HANG)
        self.driver.set_script_timeout(HANG)  # which is 30 seconds otherwise: axe-core may need more on a busy machine
        self.folder = folder
        self.width(WIDE)

    def close(self) -> None:
        """Close the window."""
        self.driver.quit()

    def do(self, command: str, **parameters: Any) -> Any:
        """Give a command of the Chrome DevTools Protocol."""
        return self.driver.execute_cdp_cmd(command, parameters)

    def script(self, text: str, *arguments: Any) -> Any:
        """Run a script in the page, whatever its policy, and return what it returns."""
        return self.driver.execute_script(text, *arguments)

    def width(self, pixels: int) -> None:
        """Make the window so wide."""
        self.do("Emulation.setDeviceMetricsOverride", width=pixels, height=1000, deviceScaleFactor=1, mobile=False)

    def look(self, scheme: Literal["light", "dark"] = "light", medium: Literal["", "print"] = "") -> None:
        """Let the reader want light or dark pages, and show what a printer would."""
        self.do("Emulation.setEmulatedMedia", media=medium, features=[{"name": "prefers-color-scheme", "value": scheme}])

    def stop_scripts(self) -> None:
        """Let no script of a page run in this window from now on: what tests themselves run still does."""
        self.do("Emulation.setScriptExecutionDisabled", value=True)

    def open(self, page: str) -> None:
        """Show a page, which is written to disk first."""
        path = self.folder / "page.html"
        path.write_text(page, encoding="utf-8")
        self.visit(path.as_uri())

    def visit(self, address: str) -> None:
        """Show the page at an address; what the page before logged and asked for is forgotten.

        An empty page comes between the two: what the page before still had to say is there before the empty page has loaded.
        """
        self._load("about:blank")
        self.logged()
        self.requests()
        self._load(address)

    def _load(self, address: str) -> None:
        """Load a page, and wait until it is there: on a busy machine the driver takes the end of an earlier load for the end."""
        is_there = "return document.readyState === 'complete' && location.href.split('#')[0] === arguments[0]"
        self.driver.get(address)
        WebDriverWait(self.driver, HANG, 0.05).until(lambda _: self.script(is_there, address.partition("#")[0]))

    def milliseconds(self) -> float:
        """Return how long the page took to load, script included, once it has."""
        found: float = self.driver.execute_async_script(
            """
            const tell = arguments[0];
            const look = () => {
              const took = performance.getEntriesByType("navigation")[0].loadEventEnd;
              if (took) tell(took); else setTimeout(look, 10);
            };
            look();
            """
        )
        return found

    def logged(self) -> list[str]:
        """Return what the page wrote to the console since it was last asked, violations of its policy included.

        Messages reach the driver one after the other: the page writes a last one, and all before it are there once that one is.
        """
        last = f"last message {next(_NUMBERS)}"
        self.script("console.log(arguments[0])", last)
        found: list[str] = []
        until = monotonic() + HANG
        while not any(last in message for message in found):
            if monotonic() > until:
                raise AssertionError(f"the console of the page is silent; it said {found}")
            found += [entry["message"] for entry in self._log("browser")]
        return [message for message in found if last not in message]

    def requests(self) -> list[str]:
        """Return what was asked for since it was last asked."""
        messages = (json.loads(entry["message"])["message"] for entry in self._log("performance"))
        return [found["params"]["request"]["url"] for found in messages if found["method"] == "Network.requestWillBeSent"]

    def _log(self, kind: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.driver.execute("getLog", {"type": kind})["value"]
        return found

    def find(self, path: str) -> WebElement:
        """Return the first element that a CSS path finds, as soon as there is one.

        A browser tells a page of some events (`toggle`, `hashchange`) only after the click that led to them has ended.
        """
        return WebDriverWait(self.driver, HANG).until(expected_conditions.presence_of_element_located((By.CSS_SELECTOR, path)))

    def all(self, path: str) -> list[WebElement]:
        """Return all elements that a CSS path finds."""
        return self.driver.find_elements(By.CSS_SELECTOR, path)

    def texts(self, path: str) -> list[str]:
        """Return the texts of the elements that a CSS path finds and a reader sees."""
        found: list[str] = self.script(
            "return [...document.querySelectorAll(arguments[0])]"
            ".filter((one) => one.checkVisibility() && one.getClientRects().length).map((one) => one.innerText.trim())",
            path,
        )
        return found

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        self.driver.switch_to.active_element.send_keys(*keys)

    def tab_to(self, element: WebElement, most: int = 200) -> None:
        """Press the tabulator until an element has the focus."""
        for _ in range(most):
            if self.driver.switch_to.active_element == element:
                return
            self.press(Keys.TAB)
        raise AssertionError(f"the keyboard does not reach {element.text}")

    def picture(self) -> bytes:
        """Return what is seen, as PNG."""
        return base64.b64decode(self.do("Page.captureScreenshot", format="png")["data"])

    def findings(self, rule: str = "") -> list[str]:
        """Return the serious and critical findings of axe-core, or of one of its rules: the rule and where it is broken."""
        if not self.script("return 'axe' in window"):
            self.script(AXE.read_text(encoding="utf-8"))
        options = {"resultTypes": ["violations"], **({"runOnly": [rule]} if rule else {})}
        found = self.driver.execute_async_script("axe.run(document, arguments[0]).then(arguments[1])", options)
        return list(_findings(found["violations"]))


def _findings(violations: Iterable[dict[str, Any]]) -> Iterable[str]:
    for violation in violations:
        if violation["impact"] in ("serious", "critical"):
            yield from (f"{violation['id']}: {node['html'][:200]} {node['failureSummary']}" for node in violation["nodes"][:3])
