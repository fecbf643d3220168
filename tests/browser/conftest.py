"""One window for all tests of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.browser import Browser, missing


@pytest.fixture(scope="session")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The window; tests are skipped where there is no browser."""
    if reason := missing():
        pytest.skip(reason)
    found = Browser(tmp_path_factory.mktemp("pages"))
    yield found
    found.close()


@pytest.fixture
def browser(window: Browser) -> Iterator[Browser]:
    """The window, as wide and light as it was at first, with scripts."""
    yield window
    window.scripts(run=True)
    window.look()
    window.width(1280)
