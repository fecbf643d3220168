"""Keeps one comment on a pull request up to date with the report of a workflow that has ended.

Reads the environment: NLPEVAL_COMMENT and _ARTIFACT (inputs), NLPEVAL_WORK (a folder for the report), GITHUB_TOKEN, and the runner's
GITHUB_API_URL, GITHUB_SERVER_URL, GITHUB_REPOSITORY and GITHUB_EVENT_PATH.

The job runs with the rights of the repository, and the report was made by the code of a pull request. So nothing of the report decides
where the comment goes, and its text is rendered here, from the JSON.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.github import Annotation, Level, command
from pytest_nlpeval.reports.model import Report, SuiteReport
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.stored import stored_report
from pytest_nlpeval.reports.view import Setting
from pytest_nlpeval.wording import printable

sys.path.insert(0, str(Path(__file__).parent))  # an isolated Python does not look beside its script

from artifact import MOST_BYTES, REPORT, RefusedError, report_in
from github_api import ApiError, Repository, TooLargeError
from report import with_problems

WHEN = ("on-change", "always", "off")
"""The values of the input `comment`."""

AUTHOR = "github-actions[bot]"
"""Who writes with the token of a job: comments of anybody else are never touched."""

MOST_CHARACTERS = 65_536
"""Of a comment."""

NOT_RUN = ("skipped", "action_required", "stale")
"""Conclusions of a workflow that judged nothing."""

_ARTIFACT = re.compile(r"[\w. -]+", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40,64}")


class MistakeError(Exception):
    """A mistake in the workflow; the text says what to do."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a workflow for a pull request, as GitHub tells it: none of its fields comes from an artifact.

    `branch` is in the repository `head`, the fork's perhaps, of which `head_owner` is the owner.
    """

    number: int
    commit: str
    conclusion: str
    head: int
    head_owner: str
    branch: str

    @classmethod
    def from_event(cls, event: Mapping[str, Any]) -> Self | None:
        """Return the run that the event `workflow_run` is about; None if it judged no pull request whose repository is still there.

        Raises:
            MistakeError: if it is another event.
        """
        run = event.get("workflow_run")
        if not isinstance(run, dict):
            raise MistakeError("no event workflow_run; let the workflow run on it, as examples/workflows/comment.yml does")
        head = run["head_repository"]
        if run["event"] != "pull_request" or run["conclusion"] in NOT_RUN or head is None:
            return None
        if not _COMMIT.fullmatch(run["head_sha"]):
            raise MistakeError("the event has no commit")
        return cls(
            number=int(run["id"]),
            commit=run["head_sha"],
            conclusion=str(run["conclusion"]),
            head=int(head["id"]),
            head_owner=str(head["owner"]["login"]),
            branch=str(run["head_branch"]),
        )


def pull_requests(repository: Repository, run: Run) -> list[int]:
    """Return the numbers of the open pull requests whose head is the run's commit, in the run's repository and branch.

    A commit alone may be the head of anybody's pull request.
    """
    pulls = repository.every("pulls", state="open", head=f"{run.head_owner}:{run.branch}")
    return [
        int(pull["number"])
        for pull in pulls
        if pull["state"] == "open"
        and pull["head"]["sha"] == run.commit
        and pull["head"]["ref"] == run.branch
        and (pull["head"]["repo"] or {}).get("id") == run.head
    ]


def read_artifact(repository: Repository, run: Run, name: str) -> bytes:
    """Return the report in the newest artifact of that name.

    Raises:
        RefusedError: if there is none, or it is not taken.
    """
    artifacts = repository.every(f"actions/runs/{run.number}/artifacts", "artifacts", name=name)
    kept = [artifact for artifact in artifacts if artifact["name"] == name and not artifact["expired"]]
    if not kept:
        raise RefusedError(f"is not there: the workflow ended ({run.conclusion}) before it was uploaded, or it has another name")
    newest = max(kept, key=lambda artifact: int(artifact["id"]))
    if int(newest["size_in_bytes"]) > MOST_BYTES:
        raise RefusedError(f"has {int(newest['size_in_bytes']):,} bytes; at most {MOST_BYTES:,} are read")
    try:
        archive = repository.download(f"actions/artifacts/{int(newest['id'])}/zip", MOST_BYTES)
    except TooLargeError as error:
        raise RefusedError(f"has {error}; at most {MOST_BYTES:,} are read") from None
    return report_in(archive)


def read_report(repository: Repository, run: Run, name: str, work: Path) -> Report:
    """Return the report of a run, with what the run's conclusion says against it; one that failed if it cannot be had."""
    try:
        (work / REPORT).write_bytes(read_artifact(repository, run, name))
        os.chdir(work)  # so that problems call it by its name
        report = stored_report(Path(REPORT))
    except RefusedError as error:
        return report_of([], [_problem("comment.refused", f'no report: the artifact "{name}" {error}')])
    except NlpevalError as error:
        return report_of([], error.problems)
    if report.passed and run.conclusion != "success":
        message = f"the workflow ended with `{run.conclusion}`, although its report passed: its log says why"
        return with_problems(report, [_problem("comment.conclusion", message)], [])
    return report


def _problem(code: str, message: str) -> Problem:
    return Problem(code, "error", "", None, None, "", message)


def tells_something(report: Report) -> bool:
    """Whether a report has more to tell than that all is as it was at the baseline: a failure, a warning, a change."""
    return not report.passed or bool(report.problems) or any(map(_suite_tells_something, report.suites))


def _suite_tells_something(suite: SuiteReport) -> bool:
    is_sound = not suite.problems and all(gate.verdict == "passed" for gate in suite.gates)
    has_moved = any(score.drop for score in suite.scores.values()) or any(
        (suite.changes.counts if suite.changes else {}).values()
    )
    base = suite.baseline
    is_new = base is not None and (base.new or bool(base.documents_added or base.documents_vanished))
    return not is_sound or has_moved or is_new


def text_of(report: Report, marker: str, origin: str) -> str:
    """Return the text of a comment: the marker by which it is found again, the report, and where that comes from."""
    room = MOST_CHARACTERS - len(f"{marker}\n\n{origin}".encode())
    return f"{marker}\n{render('markdown', report, Setting(limit=room))}\n{origin}"


def origin_of(run: Run, repository: Repository, server: str, pull: int) -> str:
    """Return the line that says which commit and which run a report is of."""
    home = f"{server}/{repository.name}"
    commit = f"[{run.commit[:10]}]({home}/pull/{pull}/commits/{run.commit})"
    return f"<sub>Made of {commit} by [this run]({home}/actions/runs/{run.number}), with the pull request's own code.</sub>"


def own_comments(repository: Repository, pull: int, marker: str) -> Iterator[dict[str, Any]]:
    """Yield the comments that this script has made, the oldest first; a comment of somebody else may have the same marker."""
    for entry in repository.every(f"issues/{pull}/comments"):
        user = entry.get("user") or {}
        if user.get("login") == AUTHOR and user.get("type") == "Bot" and str(entry.get("body")).startswith(marker):
            yield entry


def keep(repository: Repository, pull: int, marker: str, text: str, *, create: bool) -> str:
    """Make the pull request have one comment with this text, and return what was done; without `create` only one that is there."""
    own = list(own_comments(repository, pull, marker))
    if not own and not create:
        return "nothing changed: no comment is made"
    if not own:
        repository.send("POST", f"issues/{pull}/comments", {"body": text})
        return "the comment is made"
    first, *more = own
    for twin in more:
        repository.send("DELETE", f"issues/comments/{int(twin['id'])}")
    if _as_kept(str(first["body"])) == _as_kept(text):
        return "the comment is as it should be"
    repository.send("PATCH", f"issues/comments/{int(first['id'])}", {"body": text})
    return "the comment is brought up to date"


def _as_kept(text: str) -> str:
    return text.replace("\r\n", "\n").strip()


def comment(repository: Repository, run: Run, when: str, name: str, work: Path) -> tuple[Level, str]:
    """Comment on the pull request of a run, and return what to tell.

    Where several have the run's commit as their head, nobody can say which of them the run judged: each merges it with another base.
    """
    pulls = pull_requests(repository, run)
    if not pulls:
        return "notice", f"no open pull request has {run.commit[:10]} as its head any more: no comment is made"
    if len(pulls) > 1:
        numbers = " and ".join(f"#{number}" for number in pulls)
        return "warning", f"{numbers} have the same head, and the run does not say which of them it judged: no comment is made"
    (pull,) = pulls
    report = read_report(repository, run, name, work)
    marker = f"<!-- pytest-nlpeval: {name} -->"
    text = text_of(report, marker, origin_of(run, repository, os.environ["GITHUB_SERVER_URL"], pull))
    done = keep(repository, pull, marker, text, create=when == "always" or tells_something(report))
    return "notice", f"#{pull}: {done}"


def run_of(when: str, name: str) -> Run | None:
    """Return the run that is to be commented on, None for none; `MistakeError` if an input or the event is wrong."""
    if when not in WHEN:
        raise MistakeError(f"The input comment must be one of {', '.join(WHEN)}.")
    if not _ARTIFACT.fullmatch(name):
        raise MistakeError("The input artifact must be a name of letters, digits, blanks, dots and hyphens.")
    return None if when == "off" else Run.from_event(json.loads(Path(os.environ["GITHUB_EVENT_PATH"]).read_bytes()))


def main() -> int:
    """Comment as the environment says, tell what was done, and return the exit code."""
    when, name = os.environ["NLPEVAL_COMMENT"], os.environ["NLPEVAL_ARTIFACT"]
    repository = Repository(os.environ["GITHUB_API_URL"], os.environ["GITHUB_REPOSITORY"], os.environ["GITHUB_TOKEN"])
    level: Level = "notice"
    message = "The run judged no pull request: no comment is made."
    try:
        if run := run_of(when, name):
            level, message = comment(repository, run, when, name, Path(os.environ["NLPEVAL_WORK"]))
    except (ApiError, MistakeError) as error:
        level, message = "error", str(error)
    print(command(Annotation(level, "", None, None, "nlpeval", printable(message))))
    return int(level == "error")


if __name__ == "__main__":
    sys.exit(main())
