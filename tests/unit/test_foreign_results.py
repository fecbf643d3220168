"""What functions of other packages' tasks give: each result that does not fit is an error of the task, with function and file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from pytest_nlpeval import ratio
from pytest_nlpeval.columns import Categorical, Sparse
from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanation, Link, Omitted, Passage, Right
from pytest_nlpeval.foreign import TaskError
from pytest_nlpeval.foreign_tasks import guarded
from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.problems import Kind, ProblemLog
from pytest_nlpeval.run.engine import evaluate
from pytest_nlpeval.run.results import SuiteResult
from pytest_nlpeval.task import SURE, Counted, Guess, Role, Task, Together

DOCUMENTS = [f"d{rank:03}" for rank in range(130)]
"""So many that two at least are one batch."""


def read(source: Any, _documents: Any, _options: Any, log: ProblemLog) -> Any:
    numbers = source.data.split()
    for line, number in enumerate(numbers, 1):
        if not number.isdigit():
            log.add("numbers.bad", "is no number", line)
    return None if log.has_errors else numbers


def count(documents: Mapping[str, Any], _options: Any, _log: Any) -> Counted:
    right = np.array([one == other for one, other in zip(documents["gold"], documents["system"], strict=True)], np.int8)
    wrong = (Explanation(str(rank + 1), "wrong-value", "is wrong", int(rank + 1)) for rank in np.flatnonzero(right == 0))
    return Counted(Evidence.of(list(map(str, range(1, len(right) + 1))), {"right": right, "all": np.ones_like(right)}), wrong)


Files = Mapping[str, Mapping[str, Any]]


def together(files: Files, options: Any, logs: Files) -> Together:
    """Count at once, careless of files with errors: it should give None for them."""
    counted = {}
    for name, of_case in files.items():
        documents = {role: read(source, {}, options, logs[name][role]) for role, source in of_case.items()}
        counted[name] = count(documents if all(documents.values()) else {"gold": [], "system": []}, options, None)
    evidence = Evidence.merge(each.evidence.named(name) for name, each in counted.items())
    return Together(evidence, {name: each.explanations for name, each in counted.items()})


@dataclass(frozen=True)
class Options:
    """There are none."""


ACCURACY = Measure(
    "accuracy", "Share.", "right / all", lambda sample: ratio(sample.total("right"), sample.total("all")), "nothing"
)
TASK = Task(
    name="numbers",
    summary="Numbers.",
    version="1",
    roles=(Role("gold", "gold", "numbers", read), Role("system", "system", "numbers", read)),
    options=Options,
    options_schema={"type": "object", "properties": {}, "additionalProperties": False},
    problems={"numbers.bad": Kind("error", "no number"), "numbers.odd": Kind("warning", "an odd one")},
    count=count,
    measures=lambda *_: (ACCURACY,),
    signature=lambda *_: {},
)


def result_of(
    task: Task, system: Mapping[str, bytes] = {}, *, explain: bool = True, documents: Sequence[str] = DOCUMENTS
) -> SuiteResult:
    """Of each document one of four lines is wrong; `system` has other output of some."""
    sides = {"gold": dict.fromkeys(documents, b"1 2 3 4"), "system": dict.fromkeys(documents, b"1 2 3 5") | dict(system)}
    return evaluate(suite_of_paths(guarded(task), sides, {}, Path("none")), explain=explain)


def said(result: SuiteResult) -> set[str]:
    """The messages of the errors of the task, each of which has the path of a file."""
    failures = [problem for problem in result.all_problems() if problem.code == "task.failed"]
    assert all(problem.path for problem in failures)
    assert (result.outcome == "set-up") == bool(failures)
    return {problem.message for problem in failures}


def changed(**changes: Any) -> Task:
    return replace(TASK, **changes)


def then(change: Callable[[Together], Any]) -> Task:
    """The task that counts at once, and gives something else instead."""
    return changed(count_together=lambda *given: change(together(*given)))


def test_the_whole_task_counts_at_once_as_one_by_one() -> None:
    alone, at_once = result_of(TASK), result_of(changed(count_together=together))
    assert said(alone) == set()
    assert alone.scores["accuracy"].value == 3 / 4
    assert (alone.cases, alone.evidence) == (at_once.cases, at_once.evidence)


def with_evidence(change: Callable[[Evidence], Evidence]) -> Task:
    return then(lambda whole: replace(whole, evidence=change(whole.evidence)))


def with_column(column: Any) -> Callable[[Evidence], Evidence]:
    return lambda evidence: replace(evidence, columns={**evidence.columns, "right": column(len(evidence.units))})


def end(*_given: Any) -> Any:
    raise SystemExit(0)


def half_of(explanations: Iterable[Any]) -> Any:
    yield from explanations
    raise GeneratorExit


NOT_FINITE = "it gives evidence whose column right has a number that is not finite; a sum of it would be none"
OTHERS = "it gives evidence of other documents, or in another order, than it was given"
NO_MAPPING = "it gives no mapping of explanations that has each document it was given, and no other"
NO_TEXT = "it gives evidence whose units or columns have names that are no text"
AT_ONCE: dict[str, tuple[Task, str]] = {
    "the end": (changed(count_together=end), "SystemExit: 0"),
    "another type": (then(lambda _: 3), "TypeError: it gives int, expected Together"),
    "no evidence": (
        then(lambda whole: replace(whole, evidence=cast("Any", None))),
        "TypeError: it gives NoneType, expected Evidence",
    ),
    "too few documents": (with_evidence(lambda all_: all_.split([0])[0]), OTHERS),
    "too many documents": (with_evidence(lambda all_: Evidence.merge([all_, all_.split([0])[0].named("z")])), OTHERS),
    "none": (with_evidence(lambda _: Evidence.merge([])), OTHERS),
    "another order": (with_evidence(lambda all_: replace(all_, documents=all_.documents[::-1])), OTHERS),
    "no explanations": (then(lambda whole: replace(whole, explanations={})), NO_MAPPING),
    "a list of explanations": (then(lambda whole: replace(whole, explanations=cast("Any", []))), NO_MAPPING),
    "units that are no text": (with_evidence(lambda all_: replace(all_, units=(cast("str", 1), *all_.units[1:]))), NO_TEXT),
    "no number": (with_evidence(with_column(lambda size: np.full(size, np.nan))), NOT_FINITE),
    "half the explanations": (
        then(lambda whole: replace(whole, explanations={name: half_of(each) for name, each in whole.explanations.items()})),
        "GeneratorExit",
    ),
}


@pytest.mark.parametrize("name", AT_ONCE)
def test_what_fails_in_counting_at_once_is_told_of_each_document(name: str) -> None:
    """Counted one by one, they would be judged: nobody would hear of it."""
    task, says = AT_ONCE[name]
    result = result_of(task, {"d000": b"1 2 3 x"})
    (message,) = said(result)
    assert says in message
    by_name = {case.name: case for case in result.cases}
    assert by_name["d000"].error_codes() == ("numbers.bad",), "a mistake in a file is told, too"
    assert {by_name[name].outcome for name in DOCUMENTS[2:]} == {"set-up"}
    assert result.scores["accuracy"].value is None


def test_a_file_with_an_error_is_counted_by_itself_whatever_counting_at_once_gives() -> None:
    """It had the outcome `ok`, and its gates passed."""

    result = result_of(changed(count_together=together), {"d000": b"1 2 3 x"})
    assert (result.outcome, len(result.failed_cases)) == ("failed", 1)
    assert [problem.code for problem in result.all_problems()] == ["numbers.bad"]


def test_what_counting_at_once_takes_away_is_its_own() -> None:
    def greedy(files: Any, options: Any, logs: Any) -> Together:
        whole = together(files, options, logs)
        for each in (files, logs):
            for of_case in each.values():
                of_case.clear()
            each.clear()
        return whole

    assert result_of(changed(count_together=greedy)).cases == result_of(TASK).cases


def counting(change: Callable[[Counted], Any]) -> Task:
    return changed(count=lambda *given: change(count(*given)))


def evidence_of(**columns: Any) -> Task:
    ones = {"right": np.ones(4, np.int8), "all": np.ones(4, np.int8)}
    return counting(lambda _: Counted(Evidence.of(list("1234"), {**ones, **columns})))


COUNTS: dict[str, tuple[Task, str]] = {
    "two documents": (
        counting(lambda one: Counted(Evidence.merge([one.evidence.named("a"), one.evidence.named("b")]))),
        "it gives evidence of 2 documents, expected that of one (Evidence.of)",
    ),
    "no document": (counting(lambda _: Counted(Evidence.merge([]))), "it gives evidence of 0 documents"),
    "a unit that is no text": (counting(lambda one: Counted(replace(one.evidence, units=(cast("str", 1), *"234")))), NO_TEXT),
    "no number": (evidence_of(right=np.array([1, 1, 1, np.nan])), NOT_FINITE),
    "infinity": (evidence_of(right=np.array([1, 1, 1, np.inf])), NOT_FINITE),
    "infinity among few": (evidence_of(right=Sparse.of([1], [np.inf], 4)), NOT_FINITE),
    "categories that are no text": (
        evidence_of(label=Categorical(np.zeros(4, np.int8), cast("Any", (7,)))),
        "it gives evidence whose column label has categories that are no text",
    ),
}


@pytest.mark.parametrize("name", COUNTS)
def test_evidence_that_is_no_documents_is_an_error_of_the_task(name: str) -> None:
    task, says = COUNTS[name]
    (message,) = said(result_of(task))
    assert says in message


WHOLE: dict[type, tuple[Any, ...]] = {
    Explanation: (
        "1",
        "missed",
        "m",
        1,
        "missed",
        "i",
        "g",
        "s",
        ("accuracy",),
        Passage("t", ((0, 1),)),
        (Link("a", "b", "c"),),
        ("x", "y"),
        "h",
        2,
    ),
    Omitted: ("missed", 3, ("accuracy",)),
    Right: ("1", "i", "m"),
}
ODD: tuple[Any, ...] = (b"x", 1.5, -1, ("a", 1), [["accuracy"]], object())


@pytest.mark.parametrize(("kind", "field"), [(kind, field) for kind in WHOLE for field in cast("Any", kind)._fields])
def test_a_field_of_an_explanation_that_is_of_another_type_is_an_error_of_the_task(kind: Any, field: str) -> None:
    """A report would fail where it is written, far from there."""

    def said_with(entry: Any) -> set[str]:
        return said(result_of(counting(lambda one: replace(one, explanations=[entry])), documents=DOCUMENTS[:2]))

    whole = kind(*WHOLE[kind])
    assert said_with(whole) == set()
    for odd in ODD:
        (message,) = said_with(whole._replace(**{field: odd}))
        assert (
            f"explanations of `count`: TypeError: `{field}` of the {kind.__name__} is {type(odd).__name__}, expected" in message
        )


@pytest.mark.parametrize(
    "entry",
    [
        7,
        ("1", "missed", "m"),
        Explanation("1", "missed", "m", kind=cast("Any", "odd")),
        Explanation("1", "missed", "m", passage=cast("Any", ("t", (), ()))),
    ],
)
def test_what_is_no_explanation_is_an_error_of_the_task(entry: Any) -> None:
    (message,) = said(result_of(counting(lambda one: replace(one, explanations=[entry]))))
    assert "TypeError" in message


def reading(change: Callable[..., Any]) -> Task:
    return changed(roles=(TASK.role("gold"), replace(TASK.role("system"), read=change)))


def test_a_file_is_not_left_out_without_a_word() -> None:
    """The other documents would be judged as if they were all."""

    def silent(source: Any, documents: Any, options: Any, log: ProblemLog) -> Any:
        return None if source.data.endswith(b"x") else read(source, documents, options, log)

    result = result_of(reading(silent), {"d007": b"1 2 3 x"})
    (message,) = said(result)
    assert "it gives None, and the log has no error" in message
    assert [case.name for case in result.cases if case.outcome != "ok"] == ["d007"]


def test_a_reader_changes_no_documents_but_its_own() -> None:
    def greedy(source: Any, documents: Any, options: Any, log: ProblemLog) -> Any:
        documents["gold"] = documents["system"] = ["1"]
        documents.clear()
        return read(source, documents, options, log)

    assert result_of(reading(greedy)).cases == result_of(TASK).cases


@pytest.mark.parametrize("place", [("x",), (1.5,), (1, "x"), (None, b"x")])
def test_a_place_of_a_problem_that_is_no_number_is_an_error_of_the_task(place: tuple[Any, ...]) -> None:
    """Problems are sorted by their places."""

    def odd(source: Any, documents: Any, options: Any, log: ProblemLog) -> Any:
        log.add("numbers.odd", "is odd", *place)
        return read(source, documents, options, log)

    (message,) = said(result_of(reading(odd)))
    assert "cannot be interpreted as an integer" in message


def test_the_place_of_a_failure_is_the_tasks_own_line() -> None:
    """A dataclass checks its fields in code that has no file."""
    (message,) = said(
        result_of(counting(lambda one: Counted(Evidence.of(one.evidence.units, {"right": np.array([object()] * 4)}))))
    )
    assert "test_foreign_results.py, line " in message


FILE = Sample("gold.txt", b"1\n")
GUESSES: list[tuple[Any, str]] = [
    (None, "'NoneType' object is not iterable"),
    ([None], "it gives NoneType, expected Guess"),
    ([(0.9, {}, "w", {})], "it gives tuple, expected Guess"),
    ([Guess(float("nan"), {}, "w")], "`confidence` of the Guess is float, expected a number from 0 to 1"),
    ([Guess(2, {}, "w")], "`confidence` of the Guess is int"),
    ([Guess(SURE, cast("Any", None), "w")], "`options` of the Guess is NoneType, expected a mapping of names"),
    ([Guess(SURE, cast("Any", {7: 1}), "w")], "`options` of the Guess is dict"),
    ([Guess(SURE, {"a": object()}, "w")], "Object of type object is not JSON serializable"),
    ([Guess(SURE, {}, cast("Any", 7))], "`why` of the Guess is int, expected text"),
    ([Guess(SURE, {}, "w", cast("Any", 7))], "`files` of the Guess is int, expected a mapping of roles to samples"),
    ([Guess(SURE, {}, "w", cast("Any", {7: FILE}))], "`files` of the Guess is dict"),
    ([Guess(SURE, {}, "w", cast("Any", {"gold": "x"}))], "`files` of the Guess is dict"),
]


@pytest.mark.parametrize(("guesses", "says"), GUESSES)
def test_what_is_no_guess_is_an_error_of_the_task(guesses: Any, says: str) -> None:
    task = guarded(changed(recognise=lambda _: guesses))
    assert task.recognise is not None
    with pytest.raises(TaskError, match="the task numbers fails in `recognise`: TypeError: ") as caught:
        task.recognise(Samples(FILE, FILE, ()))
    assert says in str(caught.value)


def test_guesses_may_come_from_a_generator() -> None:
    guess = Guess(SURE, {"a": [1]}, "w", {"gold": FILE})
    task = guarded(changed(recognise=lambda _: iter([guess])))
    assert task.recognise is not None
    assert task.recognise(Samples(FILE, FILE, ())) == [guess]
