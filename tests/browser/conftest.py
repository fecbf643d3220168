"""One window for all tests of a process, and one of its own for each test without scripts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.browser.browser import Browser, missing

WITHOUT = (
    """<!doctype html><title>without</title><p>before</p><script>document.querySelector("p").textContent = "after"</script>"""
)


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
    """The window, as wide and light as it was at first."""
    yield window
    window.look()
    window.width(1280)


@pytest.fixture
def without_scripts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A window of its own in which no script of a page runs, closed after the test: no other test ever sees it."""
    if reason := missing():
        pytest.skip(reason)
    found = Browser(tmp_path_factory.mktemp("without"))
    try:
        found.stop_scripts()
        found.open(WITHOUT)
        assert found.texts("p") == ["before"], "scripts run in a window in which none should"
        yield found
    finally:
        found.close()
