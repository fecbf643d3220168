"""The lists of units that guards have: where they are, what is wrong with them, and how bad that is."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.config.suite import Recipe, Suite
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.guards import Guard, KnownFailures, Listing, MaxNewlyWrong, MustPass
from pytest_nlpeval.problems import SHOWN_PER_CODE, Problem
from pytest_nlpeval.run import guard_lists
from pytest_nlpeval.run.guard_lists import Listed, ReadList, problems_of, read_lists
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.tasks import load_task
from tests.support import FOUR, HALF, config_text, gold_xml, write

FILES = {"gold/a.xml": gold_xml(FOUR), "system/a.txt": HALF}
"""A gold of the units 1 to 4, of which the system is wrong in 2 and 4."""


def result_of(folder: Path, *lines: str, **lists: str) -> SuiteResult:
    """The result with a gate on accuracy of these lines, from line 9 on, and lists in files."""
    gates = ["accuracy:", *(f"  {line}" for line in lines)]
    write(folder, {**FILES, "nlpeval.yaml": config_text(*gates), **{f"{name}.txt": text for name, text in lists.items()}})
    (suite,) = load_suites(folder / "nlpeval.yaml", root=folder)
    return evaluate(suite)


def told(result: SuiteResult) -> list[tuple[str, str, str]]:
    """Where each problem is, how bad it is, and what it says, in the order of the places."""
    return sorted((problem.citation, problem.severity, problem.message) for problem in result.problems)


BOTH = '"1" must pass and is a known failure; take it out of one of the lists'
TWICE = '"{}" is there twice'
NOWHERE = 'no unit of gold is called "{}"; known are 1, 2, 3, 4'


def test_what_is_wrong_with_lists_in_the_configuration_is_told_at_their_lines(tmp_path: Path) -> None:
    """An id in a list that must pass and is nowhere is an error, one that is a known failure may be gone; twice is but a warning."""
    result = result_of(tmp_path, "must_pass: ['9', '1', '3', '3']", "known_failures: ['8', '1', '2', '4', '4']")
    assert told(result) == [
        ("nlpeval.yaml:10: guard.duplicate", "warning", TWICE.format(4)),
        ("nlpeval.yaml:10: guard.no-such-item", "warning", NOWHERE.format(8)),
        ("nlpeval.yaml:9: guard.both", "error", BOTH),
        ("nlpeval.yaml:9: guard.duplicate", "warning", TWICE.format(3)),
        ("nlpeval.yaml:9: guard.no-such-item", "error", NOWHERE.format(9)),
    ]
    assert {problem.where for problem in result.problems} == {"must_pass of accuracy", "known_failures of accuracy"}


def test_what_is_wrong_with_lists_in_files_is_told_at_the_lines_of_the_files(tmp_path: Path) -> None:
    result = result_of(tmp_path, "must_pass: one.txt", "known_failures: two.txt", one="3\n\n3\n1\n", two="4\n# more\n2\n4\n1\n")
    assert told(result) == [
        ("one.txt:3: guard.duplicate", "warning", '"3" is already on line 1'),
        ("one.txt:4: guard.both", "error", BOTH),
        ("two.txt:4: guard.duplicate", "warning", '"4" is already on line 1'),
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("must_pass: []", "nlpeval.yaml:9: guard.empty"),
        ("must_pass: list.txt", "list.txt: guard.empty"),
        ("must_pass: none.txt", "none.txt: file.missing"),
    ],
)
def test_a_list_of_no_unit_that_must_pass_is_an_error(tmp_path: Path, line: str, expected: str) -> None:
    """It is told once, and nothing is judged by it."""
    result = result_of(tmp_path, line, list="# none\n")
    (problem,) = result.problems
    assert (problem.citation, problem.severity) == (expected, "error")
    assert [verdict.verdict for verdict in result.verdicts] == ["unjudged"]


@pytest.mark.parametrize("line", ["known_failures: []", "known_failures: list.txt"])
def test_there_may_be_no_known_failure(tmp_path: Path, line: str) -> None:
    """Then all that is wrong is unknown; a file that cannot be read is another matter."""
    result = result_of(tmp_path, line, list="# none\n")
    assert (result.problems, [verdict.verdict for verdict in result.verdicts]) == ((), ["failed"])


@pytest.mark.parametrize("content", [None, "\ud800"])
def test_known_failures_in_a_file_that_cannot_be_read_are_not_judged(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        write(tmp_path, {"list.txt": content.encode("utf-8", "surrogatepass")})
    result = result_of(tmp_path, "known_failures: list.txt")
    assert [problem.severity for problem in result.problems] == ["error"]
    assert [verdict.verdict for verdict in result.verdicts] == ["unjudged"]


def test_a_list_of_too_many_lines_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Eleven lines, where ten are allowed; the files of the suite have fewer."""
    monkeypatch.setattr("pytest_nlpeval.files.MOST_PARTS", 10)
    result = result_of(tmp_path, "must_pass: list.txt", list="1\n" * 11)
    assert [problem.citation for problem in result.problems] == ["list.txt: file.too-many-parts"]
    assert [verdict.verdict for verdict in result.verdicts] == ["unjudged"]


WARNING, ERROR = (Problem("text.bom", severity, "l", None, None, "", "") for severity in ("warning", "error"))


@pytest.mark.parametrize(
    ("guard", "entries", "problems", "is_usable"),
    [
        (MustPass, ("1",), (), True),
        (MustPass, (), (), False),
        (MustPass, (), (ERROR,), False),
        (KnownFailures, ("1",), (), True),
        (KnownFailures, (), (), True),
        (KnownFailures, (), (WARNING,), True),
        (KnownFailures, (), (WARNING, ERROR), False),
    ],
)
def test_a_guard_is_judged_by_a_list_that_says_something(
    guard: type[Guard], entries: tuple[str, ...], problems: tuple[Problem, ...], is_usable: bool
) -> None:
    listed = tuple(Listed(name, 1) for name in entries)
    assert ReadList(Gate("m", 9), guard(0.0), listed, "l", problems).is_usable == is_usable


@pytest.mark.parametrize("config", ["sub/nlpeval.yaml", None])
def test_the_path_of_a_list_begins_at_its_configuration_or_else_at_the_root(tmp_path: Path, config: str | None) -> None:
    write(tmp_path, {"list.txt": "at the root\n", "sub/list.txt": "beside the configuration\n"})
    recipe = Recipe(load_task("rte"), None, root=tmp_path)
    suite = Suite("s", "", recipe, (), tmp_path, config=tmp_path / config if config else None, label="nlpeval.yaml")
    listed = MustPass(0.0, listing=Listing(path="list.txt"))
    gate = Gate("m", 9, {MustPass.name: listed, MaxNewlyWrong.name: MaxNewlyWrong(0.0)})  # of these two one has a list
    (read,) = read_lists(suite, [gate])
    assert [entry.name for entry in read.entries] == ["beside the configuration" if config else "at the root"]
    assert read.path == ("sub/list.txt" if config else "list.txt")


def test_lists_of_two_gates_may_name_the_same_unit() -> None:
    suite = Suite("s", "", Recipe(load_task("rte"), None), (), Path(), label="nlpeval.yaml")
    lists = [
        ReadList(Gate(measure, 9), guard(0.0), (Listed("1", 9),), "nlpeval.yaml", ())
        for measure, guard in (("a", MustPass), ("b", KnownFailures))
    ]
    assert not list(problems_of(suite, lists, {"1"}, ["1"]))


def test_a_hint_is_worked_out_for_the_first_unknown_units_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks at the names of all units, so a list of as many units that gold has not would take the square of their number."""
    asked: list[str] = []

    def nearest(name: str, _: object) -> str:
        asked.append(name)
        return "did you mean another?"

    monkeypatch.setattr(guard_lists, "nearest", nearest)
    suite = Suite("s", "", Recipe(load_task("rte"), None), (), Path(), label="nlpeval.yaml")
    names = [f"unknown {rank}" for rank in range(3 * SHOWN_PER_CODE)]
    read = ReadList(Gate("accuracy", 1), MustPass(0.0), tuple(Listed(name, 1) for name in names), "nlpeval.yaml", ())
    problems = list(problems_of(suite, [read], {"1"}, ["1"]))
    assert [f'"{name}"' in problem.message for name, problem in zip(names, problems, strict=True)] == [True] * len(names)
    assert asked == names[:SHOWN_PER_CODE]
