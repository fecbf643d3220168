"""Measures over other evidence than that which they were made for, and of suites with very many of them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from pytest_nlpeval import score
from pytest_nlpeval.measures import ByDocument, Sample
from pytest_nlpeval.metrics.draws import Draws
from pytest_nlpeval.metrics.own_values import own_values
from pytest_nlpeval.metrics.pairing import pair
from pytest_nlpeval.metrics.resampling import bootstrap, bootstrap_drops, randomise
from pytest_nlpeval.tasks.labels import tally
from tests.support import write
from tests.unit.tasks.labels.files import Scored, objects, scored, table

NOW = scored(
    table([(1, "a", "x"), (2, "b", "y"), (3, "c", "y")], "id label group"), table([(1, "a"), (2, "c"), (3, "c")]), group="group"
)
THEN = scored(table([(1, "a", "x"), (2, "b", "x")], "id label group"), table([(1, "a"), (2, "d")]), group="group")


def test_a_baseline_may_lack_labels_and_groups() -> None:
    assert THEN.evidence is not None
    sample = Sample(THEN.evidence)
    found = {name: measure.values(sample)[0] for name, measure in NOW.measures().items()}
    assert found["a.f1"] == 1
    assert math.isnan(found["c.f1"])
    assert math.isnan(found["group.y.accuracy"])
    assert math.isnan(found["group.y.c.f1"])
    assert found["group.x.accuracy"] == found["accuracy"] == 1 / 2
    assert NOW.measures()["group.y.accuracy"].score(sample).reason == "no item is judged in group y"


def test_runs_with_other_labels_and_groups_compare() -> None:
    assert NOW.evidence is not None
    assert THEN.evidence is not None
    pairs = pair(NOW.evidence, THEN.evidence, "units")
    every = list(NOW.measures().values())
    tests = randomise(pairs, every, Draws(50))
    assert tests["accuracy"].drop == 0, "one of the two common items is right in either"
    assert bootstrap_drops(pairs, every, Draws(50)).keys() == tests.keys()


def test_what_is_additive_and_what_is_not() -> None:
    system = objects({"id": row, "label": "a", "p": {"a": 1}} for row in (1, 2, 3))
    gold = table([(1, "a", "x"), (2, "b", "y"), (3, "c", "y")], "id label group")
    found = scored(gold, system, {"labels.zero-probability": "off"}, ("g.tsv", "s.jsonl"), group="group", probability="p")
    assert found.evidence is not None
    others = {name for name, measure in found.measures().items() if measure.of_documents(ByDocument(found.evidence)) is None}
    rankings = {f"{label}.{figure}" for label in "abc" for figure in ("roc_auc", "average_precision")}
    rankings |= {"macro.roc_auc", "macro.average_precision", "ece"}
    assert others == rankings | {name for name in found.measures() if name.startswith("group.")}


def test_of_very_many_items_each_has_the_value_that_it_has_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sums of labels are made in another way then: guards, which look at single items, must not notice."""
    assert NOW.evidence is not None
    of_totals = {name: measure for name, measure in NOW.measures().items() if measure.needs == "totals"}
    few = {name: own_values(measure, NOW.evidence) for name, measure in of_totals.items()}
    monkeypatch.setattr(tally, "MOST_TOTALS", 0)
    for name, measure in of_totals.items():
        np.testing.assert_array_equal(own_values(measure, NOW.evidence), few[name], err_msg=name)


def test_intervals_of_all_measures() -> None:
    chance = np.random.default_rng(1)
    rows = [(row, f"l{chance.integers(3)}") for row in range(60)]
    found = scored(table(rows), table([(row, label if chance.random() < 0.7 else "l0") for row, label in rows]))
    assert found.evidence is not None
    ends = bootstrap(found.evidence, list(found.measures().values()), Draws(400), "units")
    values = found.values()
    for name in ("accuracy", "macro.f1", "mcc", "l1.recall"):
        interval = ends[name].interval(0.95)
        assert interval.low < values[name] < interval.high


def test_very_many_labels_and_groups(tmp_path: Path) -> None:
    """10,000 pairs of group and label are allowed, and have 3 measures each."""
    rows = [(f"{group}-{label}", f"l{label}", f"g{group}") for group in range(200) for label in range(50)]
    write(tmp_path, {"gold.tsv": table(rows, "id label group"), "system.tsv": table([(name, label) for name, label, _ in rows])})
    result = score("labels", options={"group": "group"}, gold=tmp_path / "gold.tsv", system=tmp_path / "system.tsv")
    assert result.outcome == "ok"
    assert len(result.scores) > 30_000
    assert result["group.g7.l3.f1"] == 1


@pytest.mark.parametrize("name", ["*", "a.b", "[x]", "ü ö", "<b>", "f1", "a|b", "::error"])
def test_labels_may_be_nearly_anything(name: str) -> None:
    found = scored(table([("1", "a"), ("2", name)]).replace(" ", " "), table([("1", "a"), ("2", name)]))
    assert found.values()[f"{name}.f1"] == 1


def test_no_item_judged_has_no_value_in_either_profile() -> None:
    for profile in ("standard", "sklearn"):
        found = scored(table([(1, "a")]), "id\tlabel\n", {"labels.missing-id": "off"}, profile=profile)
        values = found.values()
        assert values.pop("coverage") == 0
        assert all(map(math.isnan, values.values()))


def test_resampling_keeps_the_labels_of_the_suite() -> None:
    """Hamming loss divides by all labels; a macro average is over those that occur in the resample."""
    found: Scored = scored("id\tlabels\n1\ta\n2\tb\n", "id\tlabels\n1\tb\n2\tb\n", kind="labels")
    values = found.values(np.array([[1, 0]]))
    assert values["hamming_loss"] == 2 / 2
    assert values["macro.f1"] == (0 + 0) / 2
    assert found.values(np.array([[0, 1]]))["macro.f1"] == 1
