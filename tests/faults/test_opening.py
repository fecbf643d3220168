"""Large pages open soon."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.browser import Browser
from tests.browser.conftest import browser, window
from tests.browser.pages import of_a_thousand_documents, of_twenty_five_thousand_measures

__all__ = ["browser", "window"]


@pytest.mark.parametrize(("page", "most"), [(of_a_thousand_documents, 1000), (of_twenty_five_thousand_measures, 1500)])
def test_a_large_page_opens_soon(browser: Browser, page: Callable[[], str], most: float) -> None:
    """The time, in milliseconds, is that of the processor: a machine that does other things, too, must not fail it."""
    assert browser.milliseconds(page()) < most
