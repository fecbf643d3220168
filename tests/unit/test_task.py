from __future__ import annotations

import pytest

from pytest_nlpeval.task import Role
from pytest_nlpeval.tasks import load_task


@pytest.mark.parametrize(
    ("task", "given", "needed"),
    [
        ("rte", (), ("gold", "system")),
        ("rte", ("gold",), ("gold", "system")),
        ("rte", ("input", "system"), ("input", "system")),
        ("exemplar", ("input",), ("gold", "system")),
    ],
)
def test_a_role_that_stands_instead_of_gold_makes_gold_needless(
    task: str, given: tuple[str, ...], needed: tuple[str, ...]
) -> None:
    found = load_task(task)
    assert found.needed(found.options(), given) == needed
    assert found.reference(given) == needed[0]


def test_what_a_task_needs_is_no_matter_of_its_input_unless_that_stands_instead_of_gold() -> None:
    are = load_task("are")
    assert are.needed(are.options(1), ("input", "gold", "system")) == ("input", "gold", "system")
    assert are.reference(("input", "system")) == "gold"


def test_roles_by_name() -> None:
    task = load_task("rte")
    assert isinstance(task.role("input"), Role)
    with pytest.raises(KeyError):
        task.role("ere")
