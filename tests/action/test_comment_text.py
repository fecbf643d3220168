"""The text of a comment: whatever stands in a report is shown as text, and it fits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

import comment
import pytest
from artifact import REPORT
from comment import Run, text_of
from github_api import Repository

from pytest_nlpeval.problems import NlpevalError
from pytest_nlpeval.reports.stored import stored_report
from tests.action.conftest import Reports, Tell
from tests.action.github_server import COMMIT, FORK, NAME, GitHub
from tests.action.inert import assert_inert
from tests.action.test_artifact import packed

HOSTILE = (
    "@someone",
    "<img src=x onerror=pwned>",
    "![i](https://evil.example/i.png)",
    "[l](javascript:pwned)",
    "https://evil.example www.evil.example mailto:pwned",
    "#1 GH-1 gh-2 someone/project#1",
    "</details></pre></code></table><script>pwned</script>",
    "--> <!-- ",
    "```\n\n# title\n\n- item\n\n<a href=x>",
    "| x | y |\n| - | - |\n> [!TIP]\n> passed",
    "&lt;img src=x&gt; &#64;someone &commat;someone",
    "<!-- pytest-nlpeval: nlpeval-report -->",
)
Place = tuple[str | int, ...]


def texts(value: Any, place: Place = ()) -> Iterator[Place]:
    """Where texts and keys stand in JSON; of a list the first two elements."""
    if isinstance(value, str):
        yield place
    for key, inner in value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ():
        yield from texts(inner, (*place, key))


def with_text(report: Any, place: Place, text: str) -> Any:
    changed = deepcopy(report)
    *way, last = place
    inner = changed
    for step in way:
        inner = inner[step]
    inner[last] = text
    return changed


def rendered(report: Any, folder: Path) -> str:
    """The comment of a report; "" if it does not follow the schema."""
    (folder / REPORT).write_text(json.dumps(report))
    try:
        return text_of(stored_report(folder / REPORT), "<!-- m -->", "<sub>origin</sub>")
    except NlpevalError:
        return ""


@pytest.mark.parametrize("name", ["worse", "broken"])
def test_no_text_of_a_report_is_more_than_text(tmp_path: Path, reports: Reports, name: str) -> None:
    """All texts of a report that may be anything are, in turn, each that GitHub would make something of."""
    report = json.loads(reports[name])
    free = [place for place in texts(report) if rendered(with_text(report, place, "pwned"), tmp_path)]
    assert len(free) > 10
    for hostile in HOSTILE:
        changed = report
        for place in free:
            changed = with_text(changed, place, hostile)
        text = rendered(changed, tmp_path)
        assert text.count("pwned") >= 3 * ("pwned" in hostile)
        assert_inert(text)


def test_no_name_of_a_report_is_more_than_text(tmp_path: Path, reports: Reports) -> None:
    """Names of measures, of facts and of reasons are keys in JSON."""
    worse = json.loads(reports["worse"])
    for hostile in HOSTILE:
        report = deepcopy(worse)
        (suite,) = report["suites"]
        suite["scores"][hostile] = suite["scores"]["cws"]
        suite["gates"][0]["measure"] = hostile
        suite["explanations"]["counts"][hostile] = 3
        for document in suite["cases"]["documents"]:
            document["values"][hostile] = 0.5
        text = rendered(report, tmp_path)
        assert text
        assert_inert(text)


def test_a_checker_that_sees() -> None:
    """What `assert_inert` is asked for is there to be found."""
    for hostile in ("@someone", "<img src=x>", "![i](x)", "[l](x)", "see #1", "www.evil.example", "<!-- --><a href=x>x</a>"):
        with pytest.raises(AssertionError):
            assert_inert(f"a {hostile} b")


def test_names_that_the_api_tells_are_text(github: GitHub, tell: Tell, reports: Reports) -> None:
    """A branch may be called like an attack, and is asked for as it is."""
    run = Run(number=5, commit=COMMIT, conclusion="failure", head=FORK, head_owner="someone", branch="a&state=closed#<x>")
    assert run.branch not in comment.origin_of(run, Repository("https://api.example", NAME, ""), "https://github.example", 9)
    github.artifact(1, packed(("report.json", reports["worse"])))
    assert "no comment is made" in tell(head_branch="topic&state=closed")


def test_a_comment_has_the_length_that_it_may_have(tmp_path: Path, reports: Reports) -> None:
    """Of a report with very much to tell, the verdict and where it comes from stay."""
    report = json.loads(reports["worse"])
    (suite,) = report["suites"]
    suite["problems"] = [
        {"code": "a.b", "severity": "warning", "path": f"file-{rank}", "message": f"{rank}{'ü' * 900}"} for rank in range(500)
    ]
    text = rendered(report, tmp_path)
    assert 0.5 * comment.MOST_CHARACTERS < len(text.encode()) <= comment.MOST_CHARACTERS
    assert "❌" in text[:200]
    assert text.endswith("<sub>origin</sub>")
