"""The pictures of HTML pages that the docs show.

`python -m tests.browser.picture` takes them anew after a page changed, `python -m tests.browser.picture NAME…` those of some pages.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Collection
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Literal, NamedTuple

from lxml import html

from pytest_nlpeval import cli
from pytest_nlpeval.reports import render
from tests.browser import failing
from tests.browser.browser import Browser
from tests.browser.small_png import small_png
from tests.test_contract import ROOT
from tests.test_docs import of_commits, of_systems
from tests.transcripts import Place, ran, shown, stories
from tests.unit.baselines.repositories import start

FOLDER = ROOT / "docs/pictures"
DIGESTS = FOLDER / "tutorials.json"
"""What the pictures of tutorials were taken of: the digests that `digests_of` returns, by tutorial."""

WIDTH = 860

Scheme = Literal["light", "dark"]


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


def of_tutorial(name: str) -> Callable[[Path], str]:
    """Return what runs a tutorial from its first line to its last, and returns the page that the tutorial writes."""

    def page(folder: Path) -> str:
        folder.mkdir()
        (story,) = stories(ROOT / f"docs/{name}.md")
        if shown(story, ran(story, folder, Place.here()), Place.here()) != story:
            raise SystemExit(f"docs/{name}.md says something else than its commands print here; do they find what they need?")
        return written_page(folder)

    return page


def digests_of(name: str) -> dict[str, str]:
    """Return digests (SHA-256) of what the picture of a tutorial shows, and of the picture.

    `story` is of all blocks of the page: its commands, files and outputs. `words` is of the words of the report beside the picture.
    """
    page = (ROOT / f"docs/{name}.md").read_text(encoding="utf-8")
    story = "".join(re.findall(r"^```.*?^```$", page, re.MULTILINE | re.DOTALL))
    parts = {
        "story": story.encode(),
        "words": (FOLDER / f"{name}.txt").read_bytes(),
        "picture": (FOLDER / f"{name}.png").read_bytes(),
    }
    return {part: hashlib.sha256(data).hexdigest() for part, data in parts.items()}


def written_page(folder: Path) -> str:
    """Return the page that a tutorial has written in its folder."""
    return (folder / "report.html").read_text(encoding="utf-8")


def _command(folder: Path, *arguments: str) -> str:
    with Path(os.devnull).open("w") as nowhere, chdir(folder), redirect_stdout(nowhere), redirect_stderr(nowhere):
        cli.main([*arguments, "--report", "html:page.html", "--no-cache"])
    return (folder / "page.html").read_text(encoding="utf-8")


class Page(NamedTuple):
    """A page: what makes it, and the id of the part whose words tell when pictures of the page are out of date."""

    make: Callable[[Path], str]
    section: str

    def words(self, page: str) -> str:
        """Return what the section says, a line for each piece of text; the names of commits say nothing."""
        (section,) = html.document_fromstring(page).xpath("//*[@id=$name]", name=self.section)
        lines = (" ".join(text.split()) for text in section.itertext())
        return re.sub(r"\b([0-9a-f]{12}|[0-9a-f]{7})\b", "0000000", "\n".join(filter(None, lines)) + "\n")


PAGES = {
    "rte": Page(failing_page("rte"), "rte"),
    "labels": Page(failing_page("labels"), "labels"),
    "spans": Page(failing_page("spans"), "spans"),
    "cat": Page(failing_page("cat"), "cat"),
    "many": Page(many_page, "overview"),
    "history": Page(history, "h1"),
    "comparison": Page(comparison, "overview"),
}
"""By name; docs/pictures has a file with the words of each."""

TUTORIALS = {
    name: Page(of_tutorial(name), suite)
    for name, suite in (
        ("tutorial-classifier", "support"),
        ("tutorial-tagger", "names/fast"),
        ("tutorial-shared-task", "entailment"),
    )
}
"""The same of tutorials. `tests/test_transcripts.py`, which runs them anyway, looks whether their words are current."""


class Picture(NamedTuple):
    """A picture of a page: the CSS paths of the first and the last thing in it; the top of the page and `height` pixels if they are "".

    `width` is that of the window in pixels, and the reader looks at the page as `scheme` and `medium` say. The picture is as wide as the
    window, or as what begins it if `is_part`.
    """

    page: str
    top: str = ""
    end: str = ""
    width: int = WIDTH
    height: int = 0
    scheme: Scheme = "light"
    medium: Literal["", "print"] = ""
    is_part: bool = False


SIZES = {1400: 950, 800: 1100, 380: 1300}
"""The heights of pictures by width of the window, in pixels."""

PAPER = 800, 1130
"""As wide to high as A4."""

REPORTS = ("rte", "labels", "spans", "cat", "many")
"""The pages that docs/report-pictures.md shows in all sizes, light, dark and on paper."""


def _gallery(page: str) -> dict[str, Picture]:
    schemes: tuple[Scheme, ...] = ("light", "dark")
    screens = {
        f"{page}-{width}-{scheme}": Picture(page, width=width, height=height, scheme=scheme)
        for width, height in SIZES.items()
        for scheme in schemes
    }
    return screens | {f"{page}-print": Picture(page, width=PAPER[0], height=PAPER[1], medium="print")}


PICTURES = {name: picture for page in REPORTS for name, picture in _gallery(page).items()} | {
    "report-rte": Picture("rte", ".itembox", ".itembox .item:nth-child(2)", width=800),
    "report-cat": Picture("cat", ".itembox", ".itembox .item:nth-child(3)", width=800, scheme="dark"),
    "report-narrow": Picture("spans", ".itembox", ".itembox .item:nth-child(2)", width=380),
    "report-heat": Picture("labels", "[id='labels.graphs']", ".matrix", width=800),
    "history": Picture("history", "#h1", "#h1 figure", is_part=True),
    "comparison": Picture("comparison", "#overview", "#overview table", is_part=True),
    **{name: Picture(name, width=WIDTH, height=1000) for name in TUTORIALS},
}
"""By name."""

AREA = """
const [top, end, width, height, isPart] = arguments;
if (!top) return [0, 0, width, Math.min(height, document.documentElement.scrollHeight)];
const box = document.querySelector(top).getBoundingClientRect();
const bottom = document.querySelector(end).getBoundingClientRect().bottom;
return [isPart ? box.x : 0, box.top + scrollY, isPart ? box.width : width, bottom + 12 - box.top];
"""


def main(names: Collection[str]) -> None:
    """Take the pictures of some pages, or of all, write down the words of their pages, and tell how large they are together."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        browser = Browser(Path(name))
        for key, page in {**PAGES, **TUTORIALS}.items():
            if names and key not in names:
                continue
            text = page.make(Path(name, key))
            (FOLDER / f"{key}.txt").write_text(page.words(text), encoding="utf-8")
            for picture_name, picture in PICTURES.items():
                if picture.page == key:
                    (FOLDER / f"{picture_name}.png").write_bytes(taken(browser, text, picture))
        browser.close()
    taken_before = json.loads(DIGESTS.read_text(encoding="utf-8"))
    digests = {name: taken_before[name] if names and name not in names else digests_of(name) for name in TUTORIALS}
    DIGESTS.write_text(json.dumps(digests, indent=2) + "\n", encoding="utf-8")
    size = sum((FOLDER / f"{name}.png").stat().st_size for name in PICTURES)
    sys.stdout.write(f"{len(PICTURES)} pictures, {size:,} bytes\n")


def taken(browser: Browser, page: str, picture: Picture) -> bytes:
    """Return a picture of a page, as PNG."""
    browser.width(picture.width)
    browser.look(picture.scheme, picture.medium)
    browser.open(page)
    box = browser.script(AREA, picture.top, picture.end, picture.width, picture.height, picture.is_part)
    clip = dict(zip(("x", "y", "width", "height"), box, strict=True)) | {"scale": 1}
    data = browser.do("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
    return small_png(browser, data)


if __name__ == "__main__":
    main(sys.argv[1:])
