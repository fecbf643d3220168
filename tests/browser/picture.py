"""The pictures of HTML pages that the docs show. `python -m tests.browser.picture` takes them anew, after a page changed."""

from __future__ import annotations

import base64
import os
import re
import tempfile
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Literal, NamedTuple

from lxml import html

from pytest_nlpeval import cli
from pytest_nlpeval.reports import render
from tests.browser import failing
from tests.browser.browser import Browser
from tests.test_contract import ROOT
from tests.test_docs import of_commits, of_systems
from tests.unit.baselines.repositories import start

FOLDER = ROOT / "docs/pictures"
WIDTH = 860


def failing_page(*suites: str) -> Callable[[Path], str]:
    """Return what makes the page of a repository with these suites, of those that `failing.FEW` names."""

    def page(folder: Path) -> str:
        return render("html", failing.evaluated(failing.repository(folder, {name: failing.FEW[name] for name in suites})))

    return page


def many_page(folder: Path) -> str:
    """Return the page of 44 suites, of which some fail."""
    return render("html", failing.evaluated(failing.repository(folder, failing.MANY), resamples=1_000))


def history(folder: Path) -> str:
    """Return the page of the history that docs/regressions.md shows."""
    of_commits(start(folder))
    return _command(folder, "history")


def comparison(folder: Path) -> str:
    """Return the page of the comparison that docs/regressions.md shows."""
    of_systems(start(folder))
    return _command(folder, "compare", "dev", "--measure", "*accuracy")


def _command(folder: Path, *arguments: str) -> str:
    with Path(os.devnull).open("w") as nowhere, chdir(folder), redirect_stdout(nowhere), redirect_stderr(nowhere):
        cli.main([*arguments, "--report", "html:page.html", "--no-cache"])
    return (folder / "page.html").read_text(encoding="utf-8")


class Pictured(NamedTuple):
    """A picture: what makes its page, the id of the part that it shows, and the CSS path of the last thing in it.

    `top` is the CSS path of the first thing, the part itself if it is "". `width` is that of the window in pixels, and the reader looks at
    the page as `scheme` and `medium` say.
    """

    page: Callable[[Path], str]
    section: str
    end: str
    top: str = ""
    width: int = WIDTH
    scheme: Literal["light", "dark"] = "light"
    medium: Literal["", "print"] = ""

    def words(self, page: str) -> str:
        """Return what the section says, a line for each piece of text; the names of commits say nothing."""
        (section,) = html.document_fromstring(page).xpath("//*[@id=$name]", name=self.section)
        lines = (" ".join(text.split()) for text in section.itertext())
        return re.sub(r"\b([0-9a-f]{12}|[0-9a-f]{7})\b", "0000000", "\n".join(filter(None, lines)) + "\n")


PICTURES = {
    "report-many": Pictured(many_page, "overview", "p.key", top="header", width=1400),
    "report-spans": Pictured(failing_page("spans"), "spans", ".cols", top=".story", width=1400),
    "report-labels": Pictured(failing_page("labels"), "labels", ".cols", top=".story", width=1400, scheme="dark"),
    "report-rte": Pictured(failing_page("rte"), "rte.items", ".item:nth-child(2)", top=".itembox", width=800),
    "report-cat": Pictured(failing_page("cat"), "cat.items", ".item:nth-child(3)", top=".itembox", width=800, scheme="dark"),
    "report-narrow": Pictured(failing_page("spans"), "spans.items", ".item:nth-child(2)", top=".itembox", width=380),
    "report-print": Pictured(failing_page("rte"), "rte", ".cols", top="header", width=800, medium="print"),
    "history": Pictured(history, "h1", "figure"),
    "comparison": Pictured(comparison, "overview", "table"),
}
"""By name; beside each lies a file with its words, which tell when the picture is out of date."""

AREA = """
const section = document.getElementById(arguments[0]);
const box = section.getBoundingClientRect();
const top = arguments[2] ? document.querySelector(arguments[2]).getBoundingClientRect().top : box.top;
const left = arguments[2] ? 0 : box.x;
const bottom = section.querySelector(arguments[1]).getBoundingClientRect().bottom;
return [left, top + scrollY, arguments[2] ? arguments[3] : box.width, bottom + 12 - top];
"""


def main() -> None:
    """Take the pictures, and write down their words."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        browser = Browser(Path(name))
        for key, picture in PICTURES.items():
            page = picture.page(Path(name, key))
            browser.width(picture.width)
            browser.look(picture.scheme, picture.medium)
            browser.open(page)
            box = browser.script(AREA, picture.section, picture.end, picture.top, picture.width)
            clip = dict(zip(("x", "y", "width", "height"), box, strict=True)) | {"scale": 1}
            data = browser.do("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
            (FOLDER / f"{key}.png").write_bytes(base64.b64decode(data))
            (FOLDER / f"{key}.txt").write_text(picture.words(page), encoding="utf-8")
        browser.close()


if __name__ == "__main__":
    main()
