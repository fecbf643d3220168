"""The pictures of HTML pages that the docs show. `python -m tests.browser.picture` takes them anew, after a page changed."""

from __future__ import annotations

import base64
import os
import re
import tempfile
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from lxml import html

from pytest_nlpeval import cli, evaluate, load_suites
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.run.document import report_of
from tests.browser.browser import Browser
from tests.support import write
from tests.test_contract import ROOT
from tests.test_docs import of_commits, of_systems
from tests.unit.baselines.repositories import commit, start

FOLDER = ROOT / "docs/pictures"
WIDTH = 860

CONFIG = """\
version: 1
defaults: {baseline: "git:HEAD"}
suites:
  - name: relations
    task: exemplar
    gold: gold/sentences.tsv
    system: system/ours.tsv
    gates:
      f1: {min: 0.70, max_drop: 0.02}
      precision: 0.55
"""


def report(folder: Path) -> str:
    """Return the page of the example of exemplar in whose work tree the output became that of the weaker system."""
    example = ROOT / "examples/exemplar"
    files = {name: (example / name).read_bytes() for name in ("gold/sentences.tsv", "system/ours.tsv")}
    write(start(folder), {"nlpeval.yaml": CONFIG, **files})
    commit(folder)
    write(folder, {"system/ours.tsv": (example / "system/baseline.tsv").read_bytes()})
    suites = load_suites(folder / "nlpeval.yaml", root=folder)
    return render("html", report_of([evaluate(suite, explain=True) for suite in suites]))


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
    """A picture: what makes its page, the id of the section that it shows, and the CSS path of the last thing in it."""

    page: Callable[[Path], str]
    section: str
    end: str

    def words(self, page: str) -> str:
        """Return what the section says, a line for each piece of text; the names of commits say nothing."""
        (section,) = html.document_fromstring(page).xpath("//section[@id=$name]", name=self.section)
        lines = (" ".join(text.split()) for text in section.itertext())
        return re.sub(r"\b([0-9a-f]{12}|[0-9a-f]{7})\b", "0000000", "\n".join(filter(None, lines)) + "\n")


PICTURES = {
    "report": Pictured(report, "g1s1", ".explanations li"),
    "history": Pictured(history, "h1", "figure"),
    "comparison": Pictured(comparison, "overview", "table"),
}
"""By name; beside each lies a file with its words, which tell when the picture is out of date."""

AREA = """
const section = document.getElementById(arguments[0]);
const box = section.getBoundingClientRect();
return [box.x, box.y + scrollY, box.width, section.querySelector(arguments[1]).getBoundingClientRect().bottom + 12 - box.y];
"""


def main() -> None:
    """Take the pictures, and write down their words."""
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        browser = Browser(Path(name))
        browser.width(WIDTH)
        browser.look()
        for key, picture in PICTURES.items():
            page = picture.page(Path(name, key))
            browser.open(page)
            box = browser.script(AREA, picture.section, picture.end)
            clip = dict(zip(("x", "y", "width", "height"), box, strict=True)) | {"scale": 1}
            data = browser.do("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
            (FOLDER / f"{key}.png").write_bytes(base64.b64decode(data))
            (FOLDER / f"{key}.txt").write_text(picture.words(page), encoding="utf-8")
        browser.close()


if __name__ == "__main__":
    main()
