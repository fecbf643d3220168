"""Formats and kinds of reports: what is added in one place works everywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval.reports import pieces, report_target
from pytest_nlpeval.reports.blocks import Block, Said, Table, numbers
from pytest_nlpeval.reports.formats import FORMATS, formats_of
from pytest_nlpeval.reports.kinds import COMPARE, Kind
from pytest_nlpeval.reports.view import Setting
from tests.support import Ended, command
from tests.unit.baselines.repositories import commit, start
from tests.unit.reports.compare.comparisons import comparison
from tests.unit.run.outputs import make_systems

GENERIC = ("csv", "html", "json", "markdown", "text")


def counted(kind: Kind[Any], document: Any, setting: Setting) -> Iterator[str]:
    yield f"{kind.name}: {len(kind.blocks(document, setting))} blocks\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with two systems as the current folder, and a further format."""
    top = make_systems(start(tmp_path / "repo"), ours=range(3), other=range(5))
    commit(top)
    monkeypatch.setitem(FORMATS, "counted", counted)
    monkeypatch.chdir(top)
    return top


def test_every_kind_has_the_generic_formats_and_some_have_more() -> None:
    assert formats_of("history") == formats_of("another") == GENERIC
    assert formats_of("compare") == tuple(sorted((*GENERIC, "latex", "wide")))
    assert formats_of("run") == tuple(sorted((*GENERIC, "benchmark", "benchmark-smaller", "changes", "codequality", "native")))


@pytest.mark.parametrize(
    "arguments",
    [
        ("run",),
        ("score", "rte", "--gold", "gold/a.xml", "--system", "ours/a.txt"),
        ("compare", "dev", "--resamples", "100"),
        ("history", "."),
    ],
)
def test_a_format_that_is_added_works_for_all_reports(
    folder: Path, capfd: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    def call(path: str) -> Ended:
        return command(capfd, *arguments, "--no-cache", "--report", f"counted:{path}")

    written, printed = call("out/counted.txt"), call("-")
    assert (written.code, written.err) == (0, ""), written.all
    assert (folder / "out/counted.txt").read_text() == printed.out
    assert printed.err == written.out, "what a person reads makes room for the report"
    kind = "run" if arguments[0] == "score" else arguments[0]
    assert printed.out.startswith(f"{kind}: ")


def test_a_format_that_is_added_shows_stored_reports(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert command(capfd, "run", "--no-cache", "--report", "json:r.json", "--report", "counted:counted.txt").code == 0
    assert command(capfd, "report", "counted", "r.json").out.startswith("run: ")
    assert command(capfd, "report", "nothing", "r.json").code == 2


def test_a_kind_that_is_added_has_all_formats() -> None:
    rows = [("a", "0.5")]
    blocks: list[Block] = [Said("Two.", "title"), Table(("name", *numbers("value")), rows)]
    kind: Kind[str] = Kind(
        "answers",
        to_json=lambda document: {"answer": document},
        blocks=lambda document, _: [*blocks, Said(document)],
        table=lambda document: (("name", "value"), [*rows, (document, "")]),
        page=lambda document: ("history", {"title": document, "tool": "t", "suites": []}),
    )
    shown = {name: "".join(pieces(name, kind, "b|c")) for name in formats_of(kind.name)}
    assert json.loads(shown["json"]) == {"answer": "b|c"}
    assert shown["csv"] == "name,value\na,0.5\nb|c,\n"
    assert shown["text"] == "Two.\nname  value\na       0.5\nb|c\n"
    assert shown["markdown"].startswith("### <code>Two.</code>\n\n| name | value |\n")
    assert "<h1>b|c</h1>" in shown["html"]
    assert len("".join(pieces("markdown", kind, "b|c" * 9_000, Setting(limit=2_000))).encode()) <= 2_000


def test_a_format_that_a_kind_does_not_have_is_refused() -> None:
    with pytest.raises(KeyError):
        pieces("native", COMPARE, comparison())
    with pytest.raises(ValueError, match=f"expected FORMAT:PATH with FORMAT one of {', '.join(formats_of('compare'))}"):
        report_target("native:x", formats_of("compare"))
