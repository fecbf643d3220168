"""What GitHub Actions reads: workflow commands that make annotations, and step outputs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Literal, NamedTuple

from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports.model import Report, SuiteReport
from pytest_nlpeval.reports.view import Locate, located, located_problems, named_suites
from pytest_nlpeval.wording import printable

Level = Literal["error", "warning", "notice"]
LEVELS: tuple[Level, ...] = ("error", "warning", "notice")

MAX_ANNOTATIONS = 10
"""Of each level: GitHub drops what a step adds to that."""

MAX_MESSAGE = 1_000
MAX_SCORES = 250_000
"""Characters of the output `scores`: GitHub allows a job 1 MB of outputs, and takes a character for two bytes."""


class Annotation(NamedTuple):
    """A message at a line of a file; `path` is "" and `line` None where there is none.

    `identity` is what stays where values and lines change, "" if that is the message.
    """

    level: Level
    path: str
    line: int | None
    column: int | None
    title: str
    message: str
    identity: str = ""


def workflow_commands(report: Report, locate: Locate = str, *, informs: bool = False) -> Iterator[str]:
    """Yield the annotations of a report as workflow commands, ten of a level at most, then how many there are besides.

    Gates that do not hold are shown at their lines in the configuration, problems at theirs in the files. `locate` turns a path of the
    report into one relative to the repository. With `informs`, a failed gate is a warning.
    """
    suites = tuple(located(suite, locate) for suite in report.suites)
    here = replace(report, problems=located_problems(report.problems, locate), suites=suites)
    annotations = dict.fromkeys(all_annotations(here, informs=informs))
    counts = Counter(annotation.level for annotation in annotations)
    extra = {level: counts[level] - MAX_ANNOTATIONS for level in LEVELS if counts[level] > MAX_ANNOTATIONS}
    room = dict.fromkeys(LEVELS, MAX_ANNOTATIONS)
    if extra:
        room["notice"] -= 1  # the last one tells the counts
        extra |= {"notice": counts["notice"] - room["notice"]} if counts["notice"] > room["notice"] else {}
    for annotation in annotations:
        if room[annotation.level]:
            room[annotation.level] -= 1
            yield command(annotation)
    if extra:
        more = ", ".join(f"{count:,} more of level {level}" for level, count in extra.items())
        yield command(Annotation("notice", "", None, None, "nlpeval", f"{more}: the job summary and the report have them all"))


def all_annotations(report: Report, *, informs: bool = False) -> Iterator[Annotation]:
    """Yield what is wrong, the causes before what follows from them: the run, failed gates, files, gates left unjudged.

    Last comes what the baseline had right.
    """
    yield from told_annotations(report, informs=informs)
    yield from _newly_wrong(report)


def told_annotations(report: Report, *, informs: bool = False) -> Iterator[Annotation]:
    """Yield what `all_annotations` yields, without single items."""
    yield from map(_of_problem, report.problems)
    yield from _of_gates(report, "failed", informs=informs)
    yield from (_of_problem(problem) for suite in report.suites for problem in suite.problems)
    yield from _of_gates(report, "unjudged", informs=informs)


def _newly_wrong(report: Report) -> Iterator[Annotation]:
    for suite in report.suites:
        for entry in suite.explained.first:
            if entry.change == "newly_wrong":
                message = f"newly wrong: {entry.explanation.message} ({suite.name})"
                yield Annotation("notice", entry.path, entry.explanation.line or None, None, "nlpeval: newly wrong", message)


def _of_problem(problem: Problem) -> Annotation:
    where = f" ({problem.where})" if problem.where else ""
    title = f"nlpeval: {problem.code}"
    return Annotation(problem.severity, problem.path, problem.line, problem.column, title, f"{problem.message}{where}")


def _of_gates(report: Report, verdict: str, *, informs: bool) -> Iterator[Annotation]:
    for suite in report.suites:
        for gate in suite.gates:
            if gate.verdict == verdict:
                level: Level = "notice" if gate.informational else "warning" if informs else "error"
                message = f"{gate.measure} {gate.bound} {verdict} for {suite.name}: {gate.reason}"
                identity = f"{suite.name} {gate.measure} {gate.condition}"
                yield Annotation(level, suite.config, gate.line, None, f"nlpeval: gate {verdict}", message, identity)


def command(annotation: Annotation) -> str:
    """Return the workflow command of an annotation, one line of which no part can be taken for another."""
    properties = {
        "file": _path(annotation.path),
        "line": str(annotation.line or ""),
        "col": str(annotation.column or "") if annotation.line else "",
        "title": printable(annotation.title),
    }
    given = ",".join(f"{name}={_property(value)}" for name, value in properties.items() if value)
    return f"::{annotation.level} {given}::{_data(printable(annotation.message[:MAX_MESSAGE]))}"


def _path(path: str) -> str:
    """Return a path as GitHub must see it to find the file; only what could do harm is spelt out."""
    return path if path.isprintable() and "##[" not in path else printable(path)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def scores(report: Report) -> str:
    """Return all values as one line of JSON: by suite, by measure, null where there is none.

    A name that several configurations give to a suite is preceded by the file's, as in pytest. If there are too many for an output, only
    gated measures are told, and none at all if these are too many.
    """
    every = _scores(report, lambda suite: suite.scores)
    if len(every) > MAX_SCORES:
        every = _scores(report, lambda suite: (gate.measure for gate in suite.gates))
    return every if len(every) <= MAX_SCORES else "{}"


def _scores(report: Report, measures: Callable[[SuiteReport], Iterable[str]]) -> str:
    values = {title: {name: suite.score(name).value for name in measures(suite)} for title, suite in named_suites(report)}
    return json.dumps(values)


def output(name: str, value: str, delimiter: str) -> str:
    """Return a step output as `GITHUB_OUTPUT` takes it; `delimiter` must be a word that nobody can guess."""
    if delimiter in value:
        raise ValueError("the value contains the delimiter")
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"
