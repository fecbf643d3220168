"""What tasks of other packages give that fits each by itself, and not what is done with it: an error of the task, never a traceback."""

from __future__ import annotations

import math
import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Thread
from typing import Any, cast

import numpy as np
import pytest

from pytest_nlpeval.columns import Categorical
from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.config.checks import ConfigError
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.foreign import LONGEST, TaskError, blamed, blamed_on_any, failure_of
from pytest_nlpeval.foreign_process import called
from pytest_nlpeval.foreign_tasks import guarded
from pytest_nlpeval.foreign_types import checked_explained, checked_notes, checked_task
from pytest_nlpeval.formats.samples import Sample as File
from pytest_nlpeval.formats.samples import Samples
from pytest_nlpeval.graphs import Axis, Bars
from pytest_nlpeval.measures import NotAdditiveError, OfGroup, Range, Sample
from pytest_nlpeval.metrics.partners import Items
from pytest_nlpeval.problems import LONGEST as LONGEST_MESSAGE
from pytest_nlpeval.run.engine import Engine
from pytest_nlpeval.samples import ByDocument
from pytest_nlpeval.task import SURE, Counted, Guess, OptionsError, Task
from tests.unit.test_foreign_results import DOCUMENTS, TASK, count, result_of, said

Function = Callable[..., Any]


def mixed(documents: Mapping[str, Any], options: Any, log: Any) -> Counted:
    """Count labels as numbers where there are none, as they are where there are some."""
    counted = count(documents, options, log)
    has_labels = documents["system"][-1] == b"6"
    labels = Categorical.of(list("abcd")) if has_labels else np.zeros(4, np.int8)
    return replace(counted, evidence=replace(counted.evidence, columns={**counted.evidence.columns, "label": labels}))


@pytest.mark.parametrize(
    ("names", "failed"), [(("d001",), ["d000", "d001"]), (("d128", "d129"), [*DOCUMENTS[:7], *DOCUMENTS[8:]])]
)
def test_evidence_that_cannot_be_merged_is_an_error_of_the_task(names: tuple[str, ...], failed: list[str]) -> None:
    """Two documents of one batch differ, or those of two batches; a mistake in a file is told, too."""
    result = result_of(replace(TASK, count=mixed), {**dict.fromkeys(names, b"1 2 3 6"), "d007": b"1 2 3 x"})
    (message,) = said(result)
    assert "what the task numbers gives cannot be worked with: ValueError: a column holds numbers in one document" in message
    assert result.scores["accuracy"].value is None
    assert [case.name for case in result.cases if case.outcome == "set-up"] == failed
    assert [case.error_codes() for case in result.cases if case.outcome == "failed"] == [("numbers.bad",)]


def test_the_same_columns_in_all_documents_are_merged() -> None:
    assert said(result_of(replace(TASK, count=mixed))) == set()


@pytest.mark.parametrize("is_foreign", [True, False])
def test_what_fails_in_the_work_with_a_task_is_blamed_on_that_of_another_package_alone(is_foreign: bool) -> None:
    """Where no line of the task was run, it may be a mistake of this package, too."""
    task = guarded(TASK) if is_foreign else TASK
    with pytest.raises(TaskError if is_foreign else AttributeError) as caught:
        blamed(task)(Evidence.merge)([cast("Any", None)])
    if is_foreign:
        assert "what the task numbers gives cannot be worked with: AttributeError: 'NoneType' " in str(caught.value)
        assert str(caught.value).endswith("tell whoever wrote it, or, if it gives what it should, whoever wrote pytest-nlpeval")
    with pytest.raises(KeyboardInterrupt), blamed(task):
        raise KeyboardInterrupt


class Odd(str):
    """A text that fails where it is compared or looked up, which nobody does at first."""

    __slots__ = ()

    def __hash__(self) -> int:
        """Fail."""
        raise RuntimeError("no hash")


def test_a_line_of_the_task_that_is_run_later_is_named_by_its_function() -> None:
    with pytest.raises(TaskError, match=r"the task numbers fails in __hash__: RuntimeError: no hash .*; tell whoever wrote it$"):
        blamed(guarded(TASK))(hash)(Odd("x"))
    with pytest.raises(TaskError, match=r"the task .*numbers.* fails in __hash__: RuntimeError: no hash"):
        blamed_on_any()(hash)(Odd("x"))
    with pytest.raises(AttributeError):
        blamed_on_any()(Evidence.merge)([cast("Any", None)])


def test_a_class_of_texts_runs_no_code_of_its_own_later() -> None:
    def odd(*given: Any) -> Counted:
        counted = count(*given)
        texts = {name: Odd("x") for name in ("unit", "reason", "message", "item", "gold", "system", "group")}
        units = tuple(map(Odd, counted.evidence.units))
        explanations = (entry._replace(**texts) for entry in cast("Any", counted.explanations))
        return Counted(replace(counted.evidence, units=units), explanations)

    result = result_of(replace(TASK, count=odd))
    assert (result.outcome, said(result)) == ("ok", set())
    explanations, evidence = result.cases[0].explanations, result.evidence
    assert explanations is not None
    assert evidence is not None
    assert {type(text) for entry in explanations.first for text in entry if isinstance(text, str)} == {str}
    assert {*map(type, evidence.units)} == {str}


def test_explanations_that_fail_are_told_beside_the_scores() -> None:
    def odd(*given: Any) -> Counted:
        return replace(count(*given), explanations=(Explanation("1", "wrong-value", str(1 / 0)) for _ in range(1)))

    result = result_of(replace(TASK, count=odd), explain=False)
    assert result.outcome == "ok"
    explained = Engine().explained(result)
    assert explained.scores == result.scores
    assert any("the task numbers fails in explanations of `count`: ZeroDivisionError" in message for message in said(explained))


def test_what_an_explanation_says_is_cut_and_what_it_is_told_by_is_not() -> None:
    long = "z" * 10_000_000
    explanation = Explanation(long, "wrong-value", long, 1, item=long, gold=long, system=long)
    kept = checked_explained(explanation)
    cut = f"{long[:LONGEST_MESSAGE]}…"
    assert kept == explanation._replace(message=cut, gold=cut, system=cut)


def test_notes_beyond_a_hundred_are_counted() -> None:
    assert checked_notes(["a"] * 100) == ("a",) * 100
    assert checked_notes(["a"] * 100_000) == (*("a",) * 100, "the task gives 99,900 more notes, which are left out")


@pytest.mark.parametrize("name", ["name", "gates", "options", "produce"])
def test_a_role_that_is_called_like_a_key_of_suites_is_told(name: str) -> None:
    roles = (*TASK.roles, replace(TASK.role("gold"), name=name))
    with pytest.raises(
        ValueError, match=f"the role {name} of the task is called like a key of every suite; give it another name"
    ):
        checked_task(replace(TASK, roles=roles))


def with_measures(**changes: Any) -> Task:
    (own,) = TASK.measures(None, None) or ()
    return replace(TASK, measures=lambda *_: (replace(own, **changes),))


def test_of_two_measures_of_one_name_none_is_judged() -> None:
    """The last one was, with whatever it said."""
    (own,) = TASK.measures(None, None) or ()
    best = replace(own, values=lambda sample: np.ones(sample.size))
    with pytest.raises(TaskError, match="`measures`: ValueError: two measures are called accuracy; give each a name of its own"):
        guarded(replace(TASK, measures=lambda *_: (own, best))).measures(None, None)


@pytest.mark.parametrize("names", [("gold", "gold", "system"), ("gold", "system", "system")])
def test_two_roles_of_one_name_are_told(names: tuple[str, ...]) -> None:
    role = TASK.role("gold")
    with pytest.raises(ValueError, match=r"two roles are called (gold|system); give each a name of its own"):
        checked_task(replace(TASK, roles=tuple(replace(role, name=name) for name in names)))


@pytest.mark.parametrize("names", [("gold",), ("system",), ("reference", "answer")])
def test_a_task_without_gold_or_system_is_told(names: tuple[str, ...]) -> None:
    role = TASK.role("gold")
    with pytest.raises(ValueError, match="no role gold or no role system"):
        checked_task(replace(TASK, roles=tuple(replace(role, name=name) for name in names)))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("range", Range(cast("Any", "a"), 1)),
        ("range", Range(1, 0)),
        ("range", Range(math.nan, 1)),
        ("of_group", 7),
        ("of_group", OfGroup(cast("Any", 1), "b")),
    ],
)
def test_the_range_and_the_group_of_a_measure_are_looked_into(field: str, value: Any) -> None:
    with pytest.raises(TaskError, match=f"`measures`: TypeError: `{field}` of the measure is "):
        guarded(with_measures(**{field: value})).measures(None, None)


def not_additive(_sample: Any) -> Any:
    raise NotAdditiveError


EVIDENCE = Evidence.of(["1", "2"], {"right": np.array([1, 0], np.int8), "all": np.ones(2, np.int8)})


@pytest.mark.parametrize(
    ("values", "says"),
    [
        (lambda sample: np.full(sample.size, 1j), "it gives an array of complex128, expected numbers"),
        (lambda sample: np.full(sample.size, "1"), "it gives an array of <U1, expected numbers"),
        (lambda sample: [None] * sample.size, "it gives an array of object, expected numbers"),
    ],
)
def test_values_of_another_kind_are_an_error_of_the_task(values: Function, says: str) -> None:
    (measure,) = guarded(with_measures(values=values)).measures(None, None) or ()
    with pytest.raises(TaskError, match=says):
        measure.values(Sample(EVIDENCE))


def test_a_measure_without_values_of_the_whole_is_an_error_of_the_task() -> None:
    """Only figures of parts need not be there."""
    result = result_of(with_measures(values=not_additive))
    (problem,) = result.problems
    assert problem.message.startswith("the task numbers fails in not_additive: NotAdditiveError")
    assert result.outcome == "set-up"


def hostile(*_: object) -> Any:
    raise ValueError("\x1b[2J\n::error::of a task")


TOLD = re.escape(r"ValueError: \x1b[2J\n:\x3aerror:\x3aof a task")


def test_exceptions_tell_what_a_task_says_without_commands_for_terminals_and_runners() -> None:
    """Failing tests of systems print them."""
    result = result_of(with_measures(values=hostile))
    (name,) = result.scores
    with pytest.raises(ValueError, match=TOLD):
        result[name]
    with pytest.raises(TaskError, match=TOLD):
        guarded(replace(TASK, measures=hostile)).measures(None, None)


def test_figures_of_documents_are_finite_or_there_are_none() -> None:
    """A report could not be written with infinity."""
    measured = (
        guarded(with_measures(values=values)).measures(None, None) or () for values in (not_additive, lambda _: [math.inf])
    )
    (none,), (infinite,) = measured
    assert none.of_documents(ByDocument(EVIDENCE)) is None
    with pytest.raises(TaskError, match="an infinite number"):
        infinite.of_documents(ByDocument(EVIDENCE))


FILE = File("gold.txt", b"1\n")
HALF = "\ud800"
LONG = "x" * 10_000_000


def drawing(**changes: Any) -> Any:
    facts = Bars("b", "B", "m", Axis("x", 0, 1), (("a", 0.5),)).to_json() | changes
    return type("Drawn", (), {"to_json": lambda _: facts})()


def drawn(given: Any) -> Mapping[str, Any]:
    return {"graphs": lambda *_: [given]}


ODD: dict[str, tuple[Mapping[str, Any], tuple[Any, ...], str]] = {
    "a drawing whose axis is none": (drawn(drawing(axis={})), (None, None), "`graphs`: TypeError"),
    "a drawing that is none": (drawn(type("D", (), {"to_json": lambda _: 7})()), (None, None), "`graphs`: TypeError"),
    "a number that is none": (drawn(drawing(bars=[{"name": "a", "value": math.nan}])), (None, None), "`graphs`: ValueError"),
    "half a pair in a table": ({"native": lambda _: HALF}, (None,), "`native`: UnicodeEncodeError"),
    "half a pair in a fact": ({"signature": lambda *_: {"a": HALF}}, (None, ()), "`signature`: UnicodeEncodeError"),
    "a fact that is no text": ({"signature": lambda *_: {"a": 1}}, (None, ()), "`signature`: TypeError"),
    "no items": ({"asks": lambda *_: None}, ({}, None), "`asks`: TypeError: it gives NoneType, expected Items"),
    "items that are no texts": ({"asks": lambda *_: Items(["a"], ["b"], cast("Any", [3]))}, ({}, None), "`asks`: TypeError"),
    "items without answers": (
        {"asks": lambda *_: Items(["a"], ["b"], [])},
        ({}, None),
        "`asks`: ValueError: it gives Items of 1",
    ),
}


@pytest.mark.parametrize("name", ODD)
def test_what_would_fail_far_from_there_is_told_with_its_function(name: str) -> None:
    changes, given, says = ODD[name]
    (function,) = changes
    with pytest.raises(TaskError, match=f"the task numbers fails in {says}"):
        getattr(guarded(replace(TASK, **changes)), function)(*given)


def test_drawings_are_those_that_a_report_has() -> None:
    whole = Bars("b", "B", "m", Axis("x", 0, 1), (("a", 0.5),))
    assert guarded(replace(TASK, graphs=lambda *_: [drawing()])).graphs(EVIDENCE, None) == (whole,)  # type: ignore[misc]


def test_half_a_pair_in_a_sentence_which_is_shown_as_text_is_none_of_the_tasks_errors() -> None:
    task: Any = guarded(replace(TASK, notes=lambda *_: [HALF]))
    assert task.notes(None, None, ()) == (r"\ud800",)


def test_sentences_of_a_task_are_cut_where_they_are_long() -> None:
    cut = "x" * LONGEST_MESSAGE + "…"
    task: Any = guarded(
        replace(
            with_measures(missing=lambda _: LONG, values=lambda sample: np.full(sample.size, np.nan)),
            notes=lambda *_: [LONG],
            remedy=lambda *_: LONG,
            recognise=lambda _: [Guess(SURE, {}, LONG)],
        )
    )
    (measure,) = task.measures(None, None)
    assert measure.score(Sample(EVIDENCE)).reason == cut
    assert (task.notes(None, None, ()), task.remedy(None, "")) == ((cut,), cut)
    assert [guess.why for guess in task.recognise(Samples(FILE, FILE, ()))] == [cut]


@pytest.mark.parametrize("mistakes", [(), [((object(),), "m")], [(("a",), 3)], [3], [("a", "m")]])
def test_options_that_are_refused_without_a_mistake_are_an_error_of_the_task(mistakes: Any) -> None:
    error = OptionsError([])
    error.mistakes = mistakes

    def refuse(**_: Any) -> Any:
        raise error

    with pytest.raises(TaskError, match="`options`: "):
        guarded(replace(TASK, options=refuse)).options()


def test_a_task_that_needs_options_and_does_not_say_so_is_a_mistake_of_the_call() -> None:
    def refuse(**_: Any) -> Any:
        raise OptionsError([((), "give one")])

    sides: dict[str, Any] = {"gold": {"a": b"1"}, "system": {"a": b"1"}}
    with pytest.raises(ConfigError, match=r"config\.option: give one"):
        suite_of_paths(guarded(replace(TASK, options=refuse)), sides, {}, Path("none"))


def bare(*_: object) -> Any:
    raise ZeroDivisionError


HOSTILE: dict[str, type[Exception]] = {
    "its attributes": type("Odd", (Exception,), {"__getattribute__": bare}),
    "those of its class": cast("Any", type("Kind", (type,), {"__getattribute__": bare}))("Odd", (Exception,), {}),
    "its text": type("Odd", (Exception,), {"__str__": bare}),
}


@pytest.mark.parametrize("what", HOSTILE)
def test_an_exception_that_tells_nothing_of_itself_is_told(what: str) -> None:
    def fail(**_: Any) -> Any:
        raise HOSTILE[what]

    with pytest.raises(TaskError, match=r"fails in `options`: Odd.* \(.*test_foreign_work\.py, line "):
        guarded(replace(TASK, options=fail)).options()


def test_a_long_name_of_an_exception_is_cut() -> None:
    assert failure_of(cast("Exception", type("x" * 1_000_000, (Exception,), {})())) == "x" * LONGEST + "…"


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another folder than the current one, to which tests return."""
    monkeypatch.chdir(Path.cwd())
    return tmp_path


def test_the_current_folder_is_the_runs(elsewhere: Path) -> None:
    before = Path.cwd()
    with called():
        with called():
            os.chdir(elsewhere)
        with called():  # the outer call goes on, elsewhere
            assert Path.cwd() == elsewhere
    assert Path.cwd() == before


def test_it_is_so_behind_the_last_of_several_threads(elsewhere: Path) -> None:
    before, both = Path.cwd(), Barrier(2)

    def move() -> None:
        with called():
            both.wait()
            os.chdir(elsewhere)
            both.wait()

    threads = [Thread(target=move) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Path.cwd() == before


@pytest.mark.parametrize("change", [-50, 50])
def test_the_limit_of_recursion_is_at_least_what_it_was(change: int, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sys.getrecursionlimit()
    try:
        with called():
            sys.setrecursionlimit(before + change)
        assert sys.getrecursionlimit() == before + max(change, 0)
    finally:
        sys.setrecursionlimit(before)
