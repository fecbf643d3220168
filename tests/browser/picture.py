"""The picture of the HTML report that docs/command.md shows. `python -m tests.browser.picture` takes it anew, after the page changed."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path

from lxml import html

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.document import report_document
from tests.browser.browser import Browser
from tests.support import write
from tests.test_contract import ROOT
from tests.unit.baselines.repositories import commit, start

PICTURE = ROOT / "docs/pictures/report.png"
WORDS = PICTURE.with_suffix(".txt")
"""What the picture shows, in words: they tell when it is out of date."""

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
WIDTH = 860
AREA = """
const box = document.querySelector("#g1s1").getBoundingClientRect();
const end = document.querySelector("#g1s1 .explanations li").getBoundingClientRect();
return [box.x, box.y + scrollY, box.width, end.bottom + 8 - box.y];
"""
"""From the suite's name to the end of its first explanation."""


def page(folder: Path) -> str:
    """Return the page of the example of exemplar in whose work tree the output became that of the weaker system."""
    example = ROOT / "examples/exemplar"
    files = {name: (example / name).read_bytes() for name in ("gold/sentences.tsv", "system/ours.tsv")}
    write(start(folder), {"nlpeval.yaml": CONFIG, **files})
    commit(folder)
    write(folder, {"system/ours.tsv": (example / "system/baseline.tsv").read_bytes()})
    suites = load_suites(folder / "nlpeval.yaml", root=folder)
    return render("html", report_document([evaluate(suite, explain=True) for suite in suites]))


def words(page: str) -> str:
    """Return what the pictured part of the page says, a line for each line of its source."""
    (section,) = html.document_fromstring(page).xpath("//section[@id='g1s1']")
    lines = (" ".join(line.split()) for line in section.text_content().splitlines())
    return "\n".join(filter(None, lines)) + "\n"


def main() -> None:
    """Take the picture, and write down its words."""
    with tempfile.TemporaryDirectory() as name:
        found = page(Path(name, "repository"))
        browser = Browser(Path(name))
        browser.width(WIDTH)
        browser.look()
        browser.open(found)
        box = browser.script(AREA)
        clip = dict(zip(("x", "y", "width", "height"), box, strict=True)) | {"scale": 1}
        data = browser.do("Page.captureScreenshot", format="png", clip=clip, captureBeyondViewport=True)["data"]
        browser.close()
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_bytes(base64.b64decode(data))
    WORDS.write_text(words(found), encoding="utf-8")


if __name__ == "__main__":
    main()
