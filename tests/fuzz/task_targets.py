"""A target for each task: options, and a file for each role, are read, validated, counted, measured and reported as in a run."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache
from pathlib import Path
from random import Random
from zlib import crc32

from pytest_nlpeval import ConfigError, SuiteResult, evaluate
from pytest_nlpeval.columns import Categorical
from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.config.content import Content
from pytest_nlpeval.config.suite import Case, File, Statistics, Suite
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import LONGEST, Problem
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.formats import formats_of
from pytest_nlpeval.reports.kinds import RUN
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.run.store import Entry, EvidenceStore
from pytest_nlpeval.runs import misfit
from pytest_nlpeval.tasks import load_task
from tests.fuzz.parts import joined, split
from tests.fuzz.variants import OF_LINES, same, shorter
from tests.tasks.cases import options_of

CASES = Path(__file__).parent.parent / "tasks"
NAME = "d"

ONE_IN = 4
"""Of how many results one is reported, in some format: that takes as long as reading and counting."""

TOLERANCE = 1e-12
"""By how much a score may miss a limit, as docs/configuration.md says."""

_NO_CHANCE = Statistics(confidence=None)


def seeds_of_task(task: str, cases: str = "*/*") -> Iterator[bytes]:
    """Yield the test cases of a task, or some of them, smallest first."""
    yield from sorted(map(_seed, (path.parent for path in CASES.glob(f"{task}/{cases}/expected.yaml"))), key=len)


def _seed(folder: Path) -> bytes:
    files = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != "expected.yaml"}
    return joined({"options": json.dumps(options_of(folder)).encode(), **files})


@lru_cache(maxsize=256)
def _suite(task: str, options: bytes, roles: frozenset[str]) -> Suite | None:
    """Return a suite without cases; None if the options are wrong, or the files not those of the task."""
    try:
        given = json.loads(options)
    except (ValueError, RecursionError):
        return None
    if not isinstance(given, dict):
        return None
    try:
        return replace(suite_of_paths(task, dict.fromkeys(roles, b""), given, Path.cwd()), statistics=_NO_CHANCE)
    except ConfigError as error:
        check_problems(tuple(replace(problem, line=None) for problem in error.problems), {})  # a call has no lines
        return None


def suite_of_input(task: str, data: bytes) -> Suite | None:
    """Return the suite that an input makes; None if it makes none."""
    parts = split(data)
    options = parts.pop("options", b"{}")
    names = {name.partition(".")[0]: name for name in parts}
    known = {role.name for role in load_task(task).roles}
    files = {role: File(name, role, Content(parts[name])) for role, name in names.items() if role in known}
    suite = _suite(task, options, frozenset(files))
    return suite and replace(suite, cases=(Case(NAME, files),))


def run_task(task: str, data: bytes) -> None:
    """Judge an input, and check what every result must hold to."""
    suite = suite_of_input(task, data)
    if suite is None:
        return
    result = evaluate(suite, explain=True)
    check_result(result, split(data))
    if result.evidence is not None and (reason := misfit(result.suite, result.evidence)):
        raise AssertionError(f"forged, it seems: {reason}")
    if result.outcome == "ok":
        check_variants(task, data, result)
    formats = sorted(formats_of(RUN.name))
    draw = crc32(data) % (ONE_IN * len(formats))
    if draw < len(formats):
        render(formats[draw], report_of([result]))


def check_variants(task: str, data: bytes, result: SuiteResult) -> None:
    """Check that a variant of an input that was accepted is counted alike, or that a line which is taken out of it is missed."""
    misses = task in OF_LINES and crc32(data) % 2 == 0
    variant = (shorter if misses else same)(split(data), Random(crc32(data)))
    suite = suite_of_input(task, joined(variant)) if variant else None
    if suite is None:
        return
    other = evaluate(suite, explain=True)
    if misses and _told(result, messages=True) == _told(other, messages=True):
        raise AssertionError("nobody misses a line")
    if not misses and _told(result) != _told(other):
        raise AssertionError("counted otherwise, though it says the same")


def _told(result: SuiteResult, *, messages: bool = False) -> object:
    """Return the numbers of each unit, and the problems, without those of how text is written; with their messages if wanted.

    Columns of categories are left out: they may list what was confused, in the order of the file.
    """
    problems = Counter(
        (problem.code, problem.line, problem.message if messages else "")
        for problem in result.all_problems()
        if not problem.code.startswith("text.")
    )
    if result.evidence is None:
        return problems, None
    numbers = {
        name: column
        for name, column in result.evidence.columns.items()
        if not (isinstance(column, Categorical) or name.startswith("@same"))  # which tells of files with the same bytes
    }
    return problems, replace(result.evidence, columns=numbers)


def check_result(result: SuiteResult, parts: Mapping[str, bytes]) -> None:
    """Check that a result has a score for each measure or says why not, and that problems stand where there are lines."""
    files = by_role(parts)
    for case in result.cases:
        for problems in case.problems.values():
            check_problems(problems, files)
    errors = [problem for problem in result.all_problems() if problem.severity == "error"]
    if result.outcome == "ok" and (errors or (result.evidence is None and not result.suite.judged_by_test)):
        raise AssertionError(f"passed with {errors}")
    if result.outcome != "ok" and not errors and not any(verdict.fails for verdict in result.verdicts):
        raise AssertionError("failed without an error")
    if result.failed_cases and any(score.value is not None for score in result.scores.values()):
        raise AssertionError("scored although a file was refused")
    check_verdicts(result)
    for name, score in result.scores.items():
        if score.value is None and not score.reason:
            raise AssertionError(f"{name} has no value and no reason")
        if score.value is not None and not math.isfinite(score.value):
            raise AssertionError(f"{name} is {score.value}")


def check_verdicts(result: SuiteResult) -> None:
    """Check that limits hold where the scores are within them and nowhere else, and that no gate passes where a file was refused."""
    for verdict in result.verdicts:
        score, condition = result.scores.get(verdict.measure), verdict.condition
        value = score.value if score else None
        if verdict.holds and (result.failed_cases or value is None):
            raise AssertionError(f"passed without a score: {verdict}")
        if value is not None and condition.name in ("min", "max") and verdict.verdict != "unjudged":
            beyond = condition.threshold - value if condition.name == "min" else value - condition.threshold
            if verdict.holds != (beyond <= TOLERANCE):
                raise AssertionError(f"{value} is {verdict.verdict} under {condition}")


def by_role(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return the files of an input by their roles, which are what problems call them."""
    return {name.partition(".")[0]: content for name, content in parts.items()}


def check_problems(problems: Iterable[Problem], files: Mapping[str, bytes]) -> None:
    """Check that problems say something, and stand on lines of their `files`, which go by the paths in the problems."""
    for problem in problems:
        if not problem.message or not problem.code:
            raise AssertionError(f"says nothing: {problem!r}")
        if max(len(problem.message), len(problem.where)) > LONGEST + 1:
            raise AssertionError("tells too much")
        if problem.line is None:
            continue
        content = files.get(problem.path)
        if content is not None and problem.line > 1 + content.count(b"\n") and problem.line > lines_of(content):
            raise AssertionError(f"stands behind the end: {problem!r}")
        if problem.line < 1 or (problem.column is not None and problem.column < 1):
            raise AssertionError(f"stands before the beginning: {problem!r}")
        if content is not None and problem.column is not None and problem.column > 1 + _length_of_line(content, problem.line):
            raise AssertionError(f"stands behind the end of its line: {problem!r}")


def _length_of_line(content: bytes, line: int) -> float:
    """Return how many bytes the line of a number has; without bound where readers see other lines than editors do, which end them at LF.

    An XML file with a NUL may be one in two or four bytes a character.
    """
    if b"\0" in content:
        return math.inf
    lines = content.replace(b"\r\n", b"\n").split(b"\n")
    return len(lines[line - 1]) if lines_of(content) == len(lines) + content.count(b"\r\n") and line <= len(lines) else math.inf


def lines_of(content: bytes) -> int:
    """Return how many lines bytes can have, by any reading of line ends."""
    text = content.decode("utf-8", "replace")
    return 1 + sum(text.count(sign) for sign in "\n\r\v\f\x1c\x1d\x85\u2028\u2029")


@light_dataclass(frozen=True, slots=True)
class _Planted(EvidenceStore):
    """A store that has the same entry for every key, if any, and notes what is put there."""

    entry: Entry | None = None
    noted: dict[bytes, Entry] = field(default_factory=dict)

    def get(self, keys: Sequence[bytes], *, explain: bool = False) -> dict[bytes, Entry]:  # noqa: ARG002 - it has them or not
        """Return the entry for each key."""
        return {} if self.entry is None else dict.fromkeys(keys, self.entry)

    def put(self, entries: Mapping[bytes, Entry]) -> None:
        """Note the entries."""
        self.noted.update(entries)


_FILES = {
    "gold": b"id\tlabel\n" + b"".join(b"%d\t%s\n" % (unit, b"ab"[unit % 2 :][:1]) for unit in range(100)),
    "system": b"id\tlabel\n" + b"".join(b"%d\t%s\n" % (unit, b"ab"[unit % 3 // 2 :][:1]) for unit in range(100)),
}


def run_entry(data: bytes) -> None:
    """Judge a suite whose stored entry is the input: it is either of use or none."""
    try:
        entry = json.loads(data)
    except (ValueError, RecursionError):
        return
    if not isinstance(entry, dict):
        return
    store = _Planted(entry={"explanations": None, **entry})
    suite = suite_of_input("labels", joined({f"{role}.tsv": content for role, content in _FILES.items()}))
    if suite is not None:
        check_result(evaluate(suite, store=store), {})


def seeds_of_entries() -> Iterator[bytes]:
    """Yield what the store keeps of a suite, with explanations and without."""
    suite = suite_of_input("labels", joined({f"{role}.tsv": content for role, content in _FILES.items()}))
    for explain in (False, True):
        store = _Planted()
        if suite is not None:
            evaluate(suite, explain=explain, store=store)
        yield from (json.dumps(entry).encode() for entry in store.noted.values())
