"""Searches in the built site, as a reader does who has it on a disk: `python -m tests.browser.site`, behind `mkdocs build`.

Exits with 1 where a search leads to no page, or a page asks another host for anything. Without a browser it says so, and exits with 0.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from tests.browser.browser import Browser, missing
from tests.support import HANG

SITE = Path(__file__).parents[2] / "dist/site"
SEARCHES = {"index.html": ("quadratic_kappa", "labels.html"), "developers/rte.html": ("merge-base", "regressions.html")}
"""What a reader of a page looks for, and a page that must be among the results."""

RESULTS = "return [...document.querySelectorAll('.md-search-result__link')].map(link => link.href)"


def results(browser: Browser, page: str, words: str) -> list[str]:
    """Return the addresses that a search on a page of the site leads to, as soon as there are any.

    Raises:
        TimeoutException: if there is none.
    """
    browser.visit((SITE / page).as_uri())
    browser.script("document.querySelector('#__search').click()")
    browser.driver.find_element(By.CSS_SELECTOR, "input.md-search__input").send_keys(words)
    addresses: list[str] = WebDriverWait(browser.driver, HANG).until(lambda _: browser.script(RESULTS))
    return addresses


def main() -> int:
    """Search on pages of the site, and return the exit code."""
    if reason := missing():
        sys.stderr.write(f"the site's search is not tried: {reason}\n")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(Path(folder))
        try:
            for page, (words, wanted) in SEARCHES.items():
                addresses = results(browser, page, words)
                elsewhere = [address for address in browser.requests() if not address.startswith(("file:", "data:", "about:"))]
                if elsewhere or not any(f"/{wanted}" in address for address in addresses):
                    sys.stderr.write(f"{page}: {words} leads to {addresses}, not to {wanted}; asked elsewhere: {elsewhere}\n")
                    return 1
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
