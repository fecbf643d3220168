"""What GitHub Actions reads: workflow commands that make annotations, and step outputs. Pure functions of the JSON report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports.view import bound_of, located, problems_of
from pytest_nlpeval.wording import printable

Level = Literal["error", "warning", "notice"]
LEVELS: tuple[Level, ...] = ("error", "warning", "notice")

MAX_ANNOTATIONS = 10
"""Of each level: GitHub drops what a step adds to that."""

MAX_MESSAGE = 1_000
MAX_SCORES = 250_000
"""Characters of the output `scores`: GitHub allows a job 1 MB of outputs, and takes a character for two bytes."""


class Annotation(NamedTuple):
    """A message at a line of a file; `path` is "" and `line` None where there is none."""

    level: Level
    path: str
    line: int | None
    column: int | None
    title: str
    message: str


def workflow_commands(document: Mapping[str, Any], locate: Callable[[str], str] = str, *, informs: bool = False) -> Iterator[str]:
    """Yield the annotations of a JSON report as workflow commands, ten of a level at most, then how many there are besides.

    Gates that do not hold are shown at their lines in the configuration, problems at theirs in the files. `locate` turns a path of the
    report into one relative to the repository. With `informs`, a failed gate is a warning.
    """
    here = {**located(document, locate), "suites": [located(suite, locate) for suite in document["suites"]]}
    found = dict.fromkeys(all_annotations(here, informs=informs))
    counts = Counter(annotation.level for annotation in found)
    extra = {level: counts[level] - MAX_ANNOTATIONS for level in LEVELS if counts[level] > MAX_ANNOTATIONS}
    most = dict.fromkeys(LEVELS, MAX_ANNOTATIONS)
    if extra:
        most["notice"] -= 1  # the last one tells the counts
        extra |= {"notice": counts["notice"] - most["notice"]} if counts["notice"] > most["notice"] else {}
    for annotation in found:
        if most[annotation.level]:
            most[annotation.level] -= 1
            yield command(annotation)
    if extra:
        more = ", ".join(f"{count:,} more of level {level}" for level, count in extra.items())
        yield command(Annotation("notice", "", None, None, "nlpeval", f"{more}: the job summary and the report have them all"))


def all_annotations(document: Mapping[str, Any], *, informs: bool = False) -> Iterator[Annotation]:
    """Yield what is wrong, the causes before what follows from them: the run, failed gates, files, gates left unjudged.

    Last comes what the baseline had right.
    """
    yield from map(_of_problem, problems_of(document))
    yield from _of_gates(document, "failed", informs=informs)
    yield from (_of_problem(problem) for suite in document["suites"] for problem in problems_of(suite))
    yield from _of_gates(document, "unjudged", informs=informs)
    yield from _newly_wrong(document)


def _newly_wrong(document: Mapping[str, Any]) -> Iterator[Annotation]:
    for suite in document["suites"]:
        for entry in suite.get("explanations", {}).get("first", ()):
            if entry.get("change") == "newly_wrong":
                path, line = entry.get("path", ""), entry["line"] or None
                yield Annotation(
                    "notice", path, line, None, "nlpeval: newly wrong", f"newly wrong: {entry['message']} ({suite['name']})"
                )


def _of_problem(problem: Problem) -> Annotation:
    where = f" ({problem.where})" if problem.where else ""
    title = f"nlpeval: {problem.code}"
    return Annotation(problem.severity, problem.path, problem.line, problem.column, title, f"{problem.message}{where}")


def _of_gates(document: Mapping[str, Any], verdict: str, *, informs: bool) -> Iterator[Annotation]:
    for suite in document["suites"]:
        for gate in suite["gates"]:
            if gate["verdict"] == verdict:
                level: Level = "notice" if gate["informational"] else "warning" if informs else "error"
                message = f"{gate['measure']} {bound_of(gate)} {verdict} for {suite['name']}: {gate['reason']}"
                yield Annotation(level, suite["config"], gate["line"], None, f"nlpeval: gate {verdict}", message)


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


def scores(document: Mapping[str, Any]) -> str:
    """Return all values as one line of JSON: by suite, by measure, null where there is none.

    A name that several configurations give to a suite is preceded by the file's, as in pytest. If there are too many for an output, only
    gated measures are told, and none at all if these are too many.
    """
    every = _scores(document, lambda suite: suite["scores"])
    if len(every) > MAX_SCORES:
        every = _scores(document, lambda suite: (gate["measure"] for gate in suite["gates"]))
    return every if len(every) <= MAX_SCORES else "{}"


def _scores(document: Mapping[str, Any], measures: Callable[[Mapping[str, Any]], Iterable[str]]) -> str:
    names = Counter(suite["name"] for suite in document["suites"])
    values = {
        suite["name"] if names[suite["name"]] == 1 else f"{suite['config']}::{suite['name']}": {
            name: suite["scores"].get(name, {}).get("value") for name in measures(suite)
        }
        for suite in document["suites"]
    }
    return json.dumps(values)


def output(name: str, value: str, delimiter: str) -> str:
    """Return a step output as `GITHUB_OUTPUT` takes it; `delimiter` must be a word that nobody can guess."""
    if delimiter in value:
        raise ValueError("the value contains the delimiter")
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"
