"""The comment: where it goes, when it is made and changed, and what an artifact that anybody may have made can do to it: nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import comment
import pytest
from comment import Run

from tests.action.conftest import Reports, Tell
from tests.action.github_server import COMMIT, EVENT, FORK, NAME, TOKEN, GitHub
from tests.action.inert import assert_inert
from tests.action.runner import Runner
from tests.action.test_artifact import packed
from tests.support import write

MARKER = "<!-- pytest-nlpeval: nlpeval-report -->"


def body(github: GitHub) -> str:
    (only,) = github.comments
    assert isinstance(only["body"], str)
    return only["body"]


def test_a_comment_is_made_kept_and_brought_up_to_date(github: GitHub, tell: Tell, reports: Reports) -> None:
    github.artifact(1, packed(("report.json", reports["worse"]), ("report.md", b"forged")))
    assert tell() == "notice: #9: the comment is made"
    first = body(github)
    assert first.startswith(f"{MARKER}\n")
    assert "0.75" in first
    assert "forged" not in first
    assert f"https://github.example/{NAME}/pull/9/commits/{COMMIT}" in first
    assert tell() == "notice: #9: the comment is as it should be"
    github.artifact(2, packed(("report.json", reports["same"])))
    assert tell(conclusion="success") == "notice: #9: the comment is brought up to date"
    assert "0.75" not in body(github)
    assert github.changes() == [("POST", "issues/9/comments"), ("PATCH", "issues/comments/1")]


@pytest.mark.parametrize(("when", "made"), [("on-change", False), ("always", True), ("off", False)])
def test_when_nothing_changed(github: GitHub, tell: Tell, reports: Reports, when: str, made: bool) -> None:
    github.artifact(1, packed(("report.json", reports["same"])))
    told = tell(when, conclusion="success")
    assert bool(github.changes()) is made
    assert told.endswith("nothing changed: no comment is made") is (when == "on-change")
    assert bool(github.calls) is (when != "off")


def changed(report: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    data = json.loads(report)
    change(data["suites"][0])
    return json.dumps(data).encode()


@pytest.mark.parametrize(
    "change",
    [
        lambda suite: suite["scores"]["cws"].update(value=0.9, drop=0.1),
        lambda suite: suite["scores"]["cws"].update(baseline=0.9, drop=-0.1),
        lambda suite: suite["baseline"].update(new=True),
        lambda suite: suite["baseline"].update(documents_added=["c"]),
        lambda suite: suite["gates"][0].update(verdict="failed", informational=True),
        lambda suite: suite["problems"].append({"code": "a.b", "severity": "warning", "path": "", "message": "m"}),
        lambda suite: suite.update(changes={"counts": {"newly_wrong": 1, "newly_right": 1, "otherwise_wrong": 0}, "first": []}),
    ],
)
def test_what_counts_as_a_change(github: GitHub, tell: Tell, reports: Reports, change: Callable[[Any], object]) -> None:
    github.artifact(1, packed(("report.json", changed(reports["same"], change))))
    assert tell(conclusion="success") == "notice: #9: the comment is made"


def test_comments_of_others_are_never_touched(github: GitHub, tell: Tell, reports: Reports) -> None:
    """Neither those with the same marker, nor the bot's own ones without, nor those of another artifact."""
    others = [
        {"id": 1, "body": MARKER, "user": {"login": "mallory", "type": "User"}},
        {"id": 2, "body": MARKER, "user": {"login": "github-actions", "type": "User"}},
        {"id": 3, "body": MARKER, "user": {"login": "another[bot]", "type": "Bot"}},
        {"id": 4, "body": MARKER, "user": None},
        {"id": 5, "body": f"quoted: {MARKER}", "user": {"login": "github-actions[bot]", "type": "Bot"}},
        {"id": 6, "body": MARKER.replace("report", "report-2"), "user": {"login": "github-actions[bot]", "type": "Bot"}},
        {"id": 7, "body": MARKER, "user": {"login": "github-actions[bot]", "type": "User"}},
    ]
    github.comments = deepcopy(others)
    github.artifact(1, packed(("report.json", reports["worse"])))
    assert tell() == "notice: #9: the comment is made"
    assert github.comments[:-1] == others
    assert github.comments[-1]["body"].startswith(f"{MARKER}\n")


def test_the_comment_is_found_on_a_later_page_and_is_the_only_one(github: GitHub, tell: Tell, reports: Reports) -> None:
    for number in range(1, 251):
        github.comment(number, "a word", {"login": "someone", "type": "User"})
    github.comment(251, f"{MARKER}\nan older report")
    github.comment(252, f"{MARKER}\nmade at the same time")
    github.artifact(1, packed(("report.json", reports["worse"])))
    assert tell() == "notice: #9: the comment is brought up to date"
    assert github.changes() == [("DELETE", "issues/comments/252"), ("PATCH", "issues/comments/251")]
    assert "0.75" in github.comments[250]["body"]


def test_a_page_of_no_more_than_it_may_have(github: GitHub, tell: Tell, reports: Reports) -> None:
    """A full page is followed by another, which is empty."""
    for number in range(1, 101):
        github.comment(number, "a word", {"login": "someone", "type": "User"})
    github.artifact(1, packed(("report.json", reports["worse"])))
    assert tell() == "notice: #9: the comment is made"
    assert [call.query["page"] for call in github.calls if call.path == "issues/9/comments" and call.method == "GET"] == [
        "1",
        "2",
    ]


@pytest.mark.parametrize(
    "facts",
    [
        {"state": "closed"},
        {"head": {"sha": "f" * 40}},
        {"head": {"ref": "another"}},
        {"head": {"repo": {"id": FORK + 1}}},
        {"head": {"repo": None}},
    ],
    ids=["closed", "a newer commit", "another branch", "the same commit in another fork", "a fork that is gone"],
)
def test_a_pull_request_that_the_run_did_not_judge(github: GitHub, tell: Tell, reports: Reports, facts: dict[str, Any]) -> None:
    github.pulls.clear()
    github.pull(9, **facts)
    github.artifact(1, packed(("report.json", reports["worse"])))
    assert tell() == f"notice: no open pull request has {COMMIT[:10]} as its head any more: no comment is made"
    assert github.changes() == []


def test_two_pull_requests_of_one_head(github: GitHub, tell: Tell, reports: Reports) -> None:
    """The run judged one of them, merged with its base, and nothing says which: no verdict goes to the wrong one."""
    github.pull(10)
    github.artifact(1, packed(("report.json", reports["same"])))
    told = tell("always", conclusion="success")
    assert told.startswith("warning: #9 and #10 have the same head, and the run does not say which of them it judged")
    assert github.changes() == []


def test_the_artifact_does_not_say_where_the_comment_goes(github: GitHub, tell: Tell, reports: Reports) -> None:
    """Numbers of pull requests, events and comments beside the report are not read."""
    forged = [("pr_number", b"1"), ("event.json", b'{"number": 1}'), ("comment.md", b"forged")]
    github.artifact(1, packed(("report.json", reports["worse"]), *forged))
    tell()
    assert github.changes() == [("POST", "issues/9/comments")]
    assert "forged" not in body(github)


@pytest.mark.parametrize(
    "facts",
    [
        {"event": "push"},
        {"event": "workflow_dispatch"},
        {"conclusion": "skipped"},
        {"conclusion": "action_required"},
        {"head_repository": None},
    ],
)
def test_a_run_that_judged_no_pull_request(github: GitHub, tell: Tell, facts: dict[str, Any]) -> None:
    assert tell("always", **facts) == "notice: The run judged no pull request: no comment is made."
    assert github.calls == []


@pytest.mark.parametrize(
    ("when", "name"), [("yes", "nlpeval-report"), ("", "nlpeval-report"), ("always", "a-->b"), ("always", "")]
)
def test_a_mistake_in_the_workflow(github: GitHub, tell: Tell, when: str, name: str) -> None:
    assert tell(when, name=name).startswith("error: The input ")
    assert github.calls == []


def test_another_event() -> None:
    with pytest.raises(comment.MistakeError, match=r"examples/workflows/comment\.yml"):
        Run.from_event({"pull_request": {}})
    with pytest.raises(comment.MistakeError, match="no commit"):
        Run.from_event({"workflow_run": {**EVENT, "head_sha": "../../x"}})


def test_a_green_report_of_a_red_run_is_not_believed(github: GitHub, tell: Tell, reports: Reports) -> None:
    github.artifact(1, packed(("report.json", reports["same"])))
    tell(conclusion="failure")
    assert "❌" in body(github)
    assert "although its report passed" in body(github)


@pytest.mark.parametrize("blob", [300 << 20, None], ids=["as it says", "and says otherwise"])
def test_an_artifact_of_300_megabytes(github: GitHub, tell: Tell, blob: int | None) -> None:
    """Where GitHub tells the size, nothing is fetched; where it does not, no more is read than the limit."""
    github.artifact(1, 300 << 20)
    github.artifacts[1]["size_in_bytes"] = blob or 1000
    assert tell() == "notice: #9: the comment is made"
    assert "comment.refused" in body(github)
    assert "at most 33,554,432 are read" in body(github)
    assert len(github.fetched) == (0 if blob else 1)


def deep(depth: int) -> bytes:
    return b"[" * depth + b"]" * depth


@pytest.mark.parametrize(
    ("blob", "says"),
    [
        (b"PK", "is not a zip archive"),
        (packed(("report.json", bytes((1 << 25) + 1))), "at most 33,554,432 are read"),
        (packed(("../report.json", b"{}")), "has no report.json at its top"),
        (packed(("report.json", b"")), "report.invalid"),
        (packed(("report.json", b"\xff")), "report.json"),
        (packed(("report.json", deep(10_000))), "nested more than 100 deep"),
        (packed(("report.json", b'{"version": 2, "tool": "x"}')), "report.version"),
        (packed(("report.json", b'{"version": 1, "version": 1}')), "report.invalid"),
        (
            packed(("report.json", b'{"version": 1, "tool": "<img src=x>@someone", "suites": "[a](http://evil.example)"}')),
            "report.invalid",
        ),
    ],
)
def test_an_artifact_that_is_no_report(github: GitHub, tell: Tell, blob: bytes, says: str) -> None:
    """The comment says so, in place of an older verdict."""
    github.comment(1, f"{MARKER}\n## ✅ passed")
    github.artifact(1, blob)
    assert tell() == "notice: #9: the comment is brought up to date"
    assert says in body(github)
    assert "✅" not in body(github)
    assert_inert(body(github))


def test_no_artifact(github: GitHub, tell: Tell, reports: Reports) -> None:
    """One that is gone, or another one's, is none; the newest of the name counts."""
    github.artifact(1, packed(("report.json", reports["worse"])), expired=True)
    github.artifact(2, packed(("report.json", reports["worse"])), name="another")
    assert tell(conclusion="cancelled") == "notice: #9: the comment is made"
    assert "the workflow ended (cancelled) before it was uploaded" in body(github)
    github.artifact(4, packed(("report.json", reports["worse"])))
    github.artifact(3, packed(("report.json", reports["same"])))
    tell()
    assert "0.75" in body(github)


def test_the_token_goes_to_the_api_alone(github: GitHub, tell: Tell, reports: Reports) -> None:
    github.artifact(1, packed(("report.json", reports["worse"])))
    tell()
    (headers,) = github.fetched
    assert "Authorization" not in headers
    assert not [value for value in headers.values() if TOKEN in value]


def test_the_action(tmp_path: Path, github: GitHub, installed: dict[str, str], reports: Reports) -> None:
    """Every step of the action, as the runner takes it: the environment has the token in the last one alone."""
    github.artifact(1, packed(("report.json", reports["worse"])))
    (tmp_path / "work").mkdir()
    event = write(tmp_path, {"event.json": json.dumps({"workflow_run": EVENT})}) / "event.json"
    environment = {
        "GITHUB_API_URL": github.api,
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_REPOSITORY": NAME,
        "GITHUB_SERVER_URL": "https://github.example",
    }
    runner = Runner(write(tmp_path / "workspace", {"json.py": "open('pwned', 'w')\n"}), tmp_path / "scratch", environment)
    seed = {"install": {**installed, "work": str(tmp_path / "work")}}
    job = runner.action(only=["comment"], seed=seed, place="action/comment")
    assert (job.succeeded, [annotation.message for annotation in job.annotations]) == (True, ["#9: the comment is made"]), job.log
    assert "0.75" in body(github)
    assert list(runner.workspace.iterdir()) == [runner.workspace / "json.py"]
    calls = len(github.calls)
    assert runner.action({"comment": "off"}, place="action/comment").succeeded
    assert len(github.calls) == calls
    wrong = runner.action({"comment": "yes"}, only=["comment"], seed=seed, place="action/comment")
    assert not wrong.succeeded
    assert "must be one of on-change, always, off" in wrong.log


def test_the_action_installs_itself_without_the_token(tmp_path: Path) -> None:
    """The first step needs no input but `python`: a Python that is none is told as by the other action."""
    runner = Runner(tmp_path, tmp_path / "scratch")
    job = runner.action({"python": "/bin/false"}, only=["install"], place="action/comment")
    assert not job.succeeded
    assert "No Python 3.11 or later" in job.log
