"""`nlpeval run --open`: which page opens, and what is said where none can."""

from __future__ import annotations

import sys
import tempfile
import webbrowser
from pathlib import Path

import pytest

from tests.support import command, make_suite

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the browser was asked to open; the current folder has a suite, and there is a screen."""
    monkeypatch.chdir(make_suite(tmp_path / "suite"))
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    found: list[str] = []

    def browser(address: str) -> bool:
        found.append(address)
        return True

    monkeypatch.setattr(webbrowser, "open", browser)
    monkeypatch.setenv("DISPLAY", ":0")
    return found


def test_the_page_that_was_asked_for_opens(opened: list[str], capfd: Capture) -> None:
    ended = command(capfd, "run", "--no-cache", "--report", "html:out/a b.html", "--open")
    path = Path("out/a b.html").resolve()
    assert ended.code == 0
    assert opened == [path.as_uri()]
    assert "wrong-judgment" in path.read_text(encoding="utf-8")
    assert ended.err == f"nlpeval: the report {path} opens in the browser\n"


def test_without_a_path_the_page_is_temporary_and_stays(opened: list[str], capfd: Capture, tmp_path: Path) -> None:
    ended = command(capfd, "run", "--no-cache", "--open", "--report", "html:-")
    (page,) = (tmp_path / "temporary").glob("nlpeval-*/report.html")
    assert opened == [page.as_uri()]
    assert ended.out == page.read_text(encoding="utf-8")


def test_a_run_that_fails_opens_it_too(opened: list[str], capfd: Capture) -> None:
    make_suite(Path.cwd(), "accuracy: 0.99")
    assert command(capfd, "run", "--no-cache", "--open").code == 1
    assert len(opened) == 1


@pytest.mark.parametrize("how", ["no screen", "no browser", "broken"])
def test_where_nothing_can_open_the_path_is_told(
    how: str, opened: list[str], capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def browser(address: str) -> bool:
        if how == "broken":
            raise webbrowser.Error(address)
        return False

    if how == "no screen":
        monkeypatch.setattr(sys, "platform", "linux")
        for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
            monkeypatch.delenv(name, raising=False)
    else:
        monkeypatch.setattr(webbrowser, "open", browser)
    ended = command(capfd, "run", "--no-cache", "--report", "html:a.html", "--open")
    assert ended.code == 0
    assert (
        ended.err == f"nlpeval: there is no browser here that could open a window; the report is in {Path('a.html').resolve()}\n"
    )
    assert opened == []


def test_nothing_opens_unasked(opened: list[str], capfd: Capture) -> None:
    assert command(capfd, "run", "--no-cache", "--report", "html:a.html").err == ""
    assert opened == []
