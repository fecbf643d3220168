"""Which measures a group has, which rows they are of, and why one has no value."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

import numpy as np
import pytest

from pytest_nlpeval.columns import GROUP, Categorical, Column
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.group_measures import groups_in, of_group, of_groups, own_rows, rows_of
from pytest_nlpeval.measures import COUNT, Measure, OfGroup, Sample, Triple, Values
from pytest_nlpeval.metrics.prf import ratio

FLAGS: dict[str, Column] = {"group.old.flags": np.array([0, 2, 1, 0], np.int8), "group.none": np.zeros(4, np.int8)}
EVIDENCE = Evidence.of(
    "1234",
    {
        GROUP: Categorical.of(["news", "news", "web", "web"]),
        "kind": Categorical.of([None, None, "x", None]),
        "a": np.array([1, 0, 0, 0], np.int8),
        "b": np.array([0, 0, 0, 1], np.int8),
        **FLAGS,
    },
)


def total(name: str, sample: Sample) -> Values:
    return sample.total(name)


def share(name: str, sample: Sample) -> Values:
    return ratio(sample.total(name), sample.total(name))


def nothing(sample: Sample) -> Values:
    return np.full(sample.total("a").shape, np.nan)


TASKS_OWN = Measure("old.a", "", "", partial(total, "a"), of_group=OfGroup("old", "a", "group.old.flags"))


def named(columns: Collection[str]) -> list[Measure]:
    """The measures of some columns: a count and a share of each, one that never has a value, and one of a group of the task's own."""
    summed = [name for name in ("a", "b") if name in columns]
    counts = [Measure(f"{name}.count", "", "", partial(total, name), range=COUNT) for name in summed]
    shares = [Measure(f"{name}.share", "", "", partial(share, name)) for name in summed]
    return [
        *counts,
        *shares,
        *(Measure(f"{name}.nothing", "", "", nothing) for name in ("a", "b", "kind") if name in columns),
        TASKS_OWN,
    ]


def test_a_group_has_the_measures_that_it_has_alone_and_those_with_a_value_in_it() -> None:
    """In news there is no b and no kind, in the web no a: its count there is 0, and there is no share of it."""
    names = [measure.name.removeprefix("group.") for measure in of_groups(EVIDENCE, named)]
    news = ["a.count", "b.count", "a.share", "a.nothing"]
    web = ["a.count", "b.count", "b.share", "b.nothing", "kind.nothing"]
    assert names == [*(f"news.{name}" for name in news), *(f"web.{name}" for name in web)]


def test_why_a_measure_has_no_value_in_a_group() -> None:
    of_units = Measure("m", "", "", nothing, lambda evidence: f"{len(evidence.units)} units have none")
    for group, reason in (("news", "2 units have none in group news"), ("wab", "group wab has no units")):
        assert of_group(of_units, group).score(Sample(EVIDENCE)).reason == reason
    assert of_group(Measure("m", "", "", nothing, "nothing is judged"), "web").score(Sample(EVIDENCE)).reason == (
        "nothing is judged in group web"
    )


@pytest.mark.parametrize(("own", "name"), [("", "group.news"), ("a", "group.news.a")])
def test_what_belongs_together_does_so_in_a_group(own: str, name: str) -> None:
    measure = of_group(Measure("f1", "", "", nothing, group=own, triple=Triple(own, "f1"), was=("f",)), "news")
    assert (measure.group, measure.triple, measure.was) == (name, Triple(name, "f1"), ("group.news.f",))
    assert of_group(Measure("f1", "", "", nothing), "news").triple is None


def test_of_which_rows_measures_are() -> None:
    """Those of a group are those of its category, or those in which a column of the task's own is not 0."""
    plain = Measure("a", "", "", partial(total, "a"))
    rows = [rows_of(EVIDENCE, measure).tolist() for measure in (plain, of_group(plain, "web"), of_group(plain, "x"), TASKS_OWN)]
    every, none = [True] * 4, [False] * 4
    assert rows == [every, [False, False, True, True], none, [False, True, True, False]]
    sample = Sample(EVIDENCE)
    assert own_rows(plain, sample) is own_rows(TASKS_OWN, sample) is sample
    assert own_rows(of_group(plain, "web"), sample).evidence.units == ("3", "4")
    assert groups_in(EVIDENCE) == {"news", "web", "old", "none"}
