"""No workload makes more calls than are stored of it, and none grows faster than its input.

CONTRIBUTING.md says how a change that is meant is stored.
"""

from __future__ import annotations

import gc
from collections import Counter
from functools import partial
from itertools import product

import pytest

from pytest_nlpeval.metrics.prf import ratio
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.tasks import TASKS
from pytest_nlpeval.wording import plural
from tests.budget.budget import SIZES, Cost, cost_of, counted, differences, growth, stored
from tests.budget.counting import Calls, count_calls
from tests.budget.workloads import WORKLOADS


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_workload_makes_as_many_calls_as_are_stored(name: str) -> None:
    calls = counted(name)
    said = [*differences(name, calls, stored()[name]), *growth(name, calls)]
    assert not said, "\n".join(said)


def test_every_task_has_a_workload_and_nothing_else_is_stored() -> None:
    assert set(TASKS) <= set(WORKLOADS) == set(stored())


def test_calls_of_the_package_and_calls_that_it_makes_count() -> None:
    assert count_calls(lambda: [ratio(1, 2) for _ in range(5)])["metrics.prf.ratio"] >= 5
    assert count_calls(lambda: [len("a") for _ in range(5)]) == Counter()
    assert set(count_calls(lambda: plural(1_000, "gate"))) == {"wording.plural"}


def test_the_same_work_makes_the_same_calls() -> None:
    assert counted("exemplar") == counted("exemplar")


def test_what_ends_objects_of_earlier_work_does_not_count() -> None:
    """The collector comes after every new object of the work, and would find a store in a circle, which closes itself."""

    def work() -> list[object]:
        gc.set_threshold(1)
        return [[ratio(1, 2)] for _ in range(5)]

    before = gc.get_threshold()
    try:
        work()  # imports what it needs
        expected = count_calls(work)
        gc.set_threshold(1_000_000)
        circle: list[object] = [EvidenceStore()]
        circle.append(circle)
        del circle
        assert count_calls(work) == expected
    finally:
        gc.set_threshold(*before)


def _calls(function: str, *numbers: int) -> list[Calls]:
    return [Calls({"always": 1_000, function: number}) for number in numbers]


def test_what_costs_more_is_named() -> None:
    budget = cost_of(_calls("count", 100, 200, 400))
    assert budget == Cost([1_100, 1_200, 1_400], {"always": 1_000, "count": 400})
    assert not differences("some", _calls("count", 110, 220, 440), budget)
    first, *_, where, _ = differences("some", _calls("count", 200, 400, 800), budget)
    assert first.startswith("some, size 2: 1,400 calls instead of 1,200 (+17%)")
    assert where == "  count: 800 instead of 400"


def test_what_costs_less_is_to_be_stored() -> None:
    said = differences("some", _calls("count", 0, 0, 0), cost_of(_calls("count", 200, 400, 800)))
    assert said[-2:] == ["  count: 0 instead of 800", "  always: 1,000 instead of 1000"]


def test_what_is_quadratic_is_named() -> None:
    linear, quadratic = ([factor * size**power for size in SIZES] for factor, power in ((100, 1), (20, 2)))
    assert not growth("some", _calls("count", *linear))
    first, where, *_ = growth("some", _calls("pair", *(one + many for one, many in zip(linear, quadratic, strict=True))))
    assert first == "some: 1,120, 1,280 and 1,720 calls at sizes 1, 2 and 4, which is 120 more than linear"
    assert where == "  pair: 120, 280, 720"


def test_a_loop_within_a_loop_is_seen_by_the_calls_in_it() -> None:
    def pairs(size: int) -> None:
        for _ in product(range(10 * size), repeat=2):
            ratio(1, 2)

    assert growth("pairs", [count_calls(partial(pairs, size)) for size in SIZES])
