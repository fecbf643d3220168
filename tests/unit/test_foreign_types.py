"""What tasks of other packages are made of: a field of another type is told where the task is loaded, with what was expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

import pytest

from pytest_nlpeval.foreign import TaskError
from pytest_nlpeval.foreign_tasks import guarded
from pytest_nlpeval.foreign_types import check_measure, checked_task
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.problems import LONGEST
from pytest_nlpeval.task import Task
from pytest_nlpeval.tasks import TASKS, load_task

ANY_TYPE = {"fixed_measures"}
"""The fields of a task that are only asked whether they are true."""

OF_MEASURES = {"perfect", "empty", "needs", "triple", "of_group"}
"""The fields of a measure that only tests of a task read, or that only tasks of this package have."""


@pytest.mark.parametrize("name", TASKS)
def test_every_task_of_this_package_and_its_measures_fit(name: str) -> None:
    task = load_task(name)
    checked_task(task)
    if not task.options_schema.get("required"):
        for measure in task.measures(task.options(), None) or ():
            assert check_measure(measure) is measure


@pytest.mark.parametrize("name", [field.name for field in fields(Task) if field.name not in ANY_TYPE])
@pytest.mark.parametrize("value", [3, (3,), b"x"])
def test_a_field_of_another_type_is_told_with_what_was_expected(name: str, value: object) -> None:
    changes: Mapping[str, Any] = {name: value}
    with pytest.raises(TypeError, match=f"`{name}` of the task is .*, expected"):
        checked_task(replace(load_task("rte"), **changes))


@pytest.mark.parametrize("name", ["name", "roles", "options", "count", "measures", "signature", "options_schema", "problems"])
def test_what_a_task_must_have_is_not_left_out(name: str) -> None:
    changes: Mapping[str, Any] = {name: None}
    with pytest.raises(TypeError, match=f"`{name}` of the task is NoneType, expected"):
        checked_task(replace(load_task("rte"), **changes))


def test_a_task_without_roles_and_a_role_without_reader_are_told() -> None:
    task = load_task("rte")
    with pytest.raises(TypeError, match="expected a tuple of Role, with one at least"):
        checked_task(replace(task, roles=()))
    wrong: Mapping[str, Any] = {"read": None}
    with pytest.raises(TypeError, match="`read` of the role gold of the task is NoneType, expected a function"):
        checked_task(replace(task, roles=(replace(task.role("gold"), **wrong),)))


@pytest.mark.parametrize("name", [field.name for field in fields(Measure) if field.name not in OF_MEASURES])
def test_a_field_of_a_measure_that_is_of_another_type_is_an_error_of_the_task(name: str) -> None:
    task = load_task("rte")
    changes: Mapping[str, Any] = {name: (3,)}

    def measures(*given: Any) -> list[Measure]:
        return [replace(measure, **changes) for measure in task.measures(*given) or ()]

    with pytest.raises(TaskError, match=f"`measures`: TypeError: `{name}` of the measure is tuple, expected"):
        guarded(replace(task, measures=measures)).measures(task.options(), None)


@pytest.mark.parametrize("name", ["name", "group", "definition", "formula"])
def test_what_a_measure_is_called_is_not_as_long_as_a_file(name: str) -> None:
    """A gate with a pattern prints the name of each measure."""
    changes: Mapping[str, Any] = {name: "x" * (LONGEST + 1)}
    (measure, *_) = load_task("rte").measures(load_task("rte").options(), None) or ()
    with pytest.raises(TypeError, match=f"`{name}` of the measure is str, expected text of at most 2,000 characters"):
        check_measure(replace(measure, **changes))
