"""What a suite's rules tolerate still has a meaning."""

from __future__ import annotations

import math
from typing import Any

import pytest

from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.problems import Rule
from tests.unit.tasks.labels.files import Scored, objects, scored, table

GOLD = table([(1, "a"), (2, "b"), (3, "c")])


def tolerated(code: str, gold: str, system: str, **options: Any) -> Scored:
    """Return what becomes of files with a rule that makes the code a warning, without which they have an error."""
    assert scored(gold, system, **options).evidence is None
    rules: dict[str, Rule] = {f"labels.{code}": "warning"}
    found = scored(gold, system, rules, **options)
    assert {problem.rpartition(" ")[2] for problem in found.problems} == {code}
    return found


def test_of_an_id_that_stands_twice_the_first_row_counts() -> None:
    system = table([(1, "a"), (2, "b"), (2, "c"), (3, "c")])
    assert tolerated("duplicate-id", GOLD, system).values()["accuracy"] == 1
    again = tolerated("duplicate-id", table([(1, "a"), (2, "b"), (1, "c")]), table([(2, "b"), (1, "a")]))
    assert again.evidence is not None
    assert again.evidence.units == ("1", "2")
    assert again.values()["accuracy"] == 1


def test_a_row_of_an_unknown_id_is_left_out() -> None:
    found = tolerated("unknown-id", GOLD, table([(1, "a"), (2, "b"), (3, "c"), (4, "x")]))
    assert found.values()["accuracy"] == 1
    assert "x.f1" not in found.values()


def test_an_item_without_row_is_unjudged() -> None:
    found = tolerated("missing-id", GOLD, table([(3, "c"), (1, "b")]))
    values = found.values()
    assert (values["coverage"], values["accuracy"]) == (2 / 3, 1 / 2)
    assert math.isnan(values["b.recall"])  # of judged items none has it
    assert values["b.precision"] == 0
    assert [found[:2] for found in found.explanations] == [("1", "wrong-label"), ("2", "unjudged")]
    assert [entry.gold_line for entry in found.explanations if isinstance(entry, Explanation)] == [None, 3]


def test_an_item_without_label_is_none_and_its_answer_is_left_out() -> None:
    gold = "id\tlabel\n1\ta\n2\t\n3\tc\n"
    found = tolerated("empty", gold, GOLD)
    assert found.problems == ["g:3: empty"]
    assert found.evidence is not None
    assert found.evidence.units == ("1", "3")
    assert found.values()["coverage"] == 1


def test_an_answer_without_label_is_none() -> None:
    found = tolerated("empty", GOLD, "id\tlabel\n1\ta\n2\t\n3\tb\n")
    assert found.problems == ["s:3: empty"]
    assert (found.values()["coverage"], found.values()["accuracy"]) == (2 / 3, 1 / 2)


def test_rows_without_label_still_count_as_rows() -> None:
    found = tolerated("empty", "label\na\n \nc\n", "label\na\nb\nc\n", pair="line")
    assert found.evidence is not None
    assert found.evidence.units == ("1", "3")
    assert found.values()["accuracy"] == 1


def test_an_unknown_label_counts_as_it_stands_and_has_no_measures() -> None:
    gold, system = table([(1, "a"), (2, "b"), (3, "x"), (4, "x")]), table([(1, "x"), (2, "b"), (3, "x"), (4, "a")])
    found = tolerated("unknown-label", gold, system, labels=["a", "b"], ordinal=True)
    values = found.values()
    assert values["accuracy"] == 2 / 4
    assert not [name for name in values if name.startswith("x.")]
    assert values["macro.f1"] == (0 + 1) / 2
    assert values["balanced_accuracy"] == (0 + 1) / 2
    assert values["micro.precision"] == 1 / 2
    assert math.isnan(values["quadratic_kappa"])
    assert values["kappa"] == pytest.approx((2 * 4 - (1 * 1 + 1 * 1 + 2 * 2)) / (16 - (1 + 1 + 4)))


def test_an_unknown_label_of_an_unjudged_item_does_not_spoil_the_scale() -> None:
    gold, system = table([(1, 1), (2, 2), (3, 9)]), table([(1, 1), (2, 2)])
    rules: dict[str, Rule] = {"labels.unknown-label": "warning", "labels.missing-id": "off"}
    assert scored(gold, system, rules, labels=[1, 2], ordinal=True).values()["quadratic_kappa"] == 1


def test_an_unknown_label_is_left_out_of_its_set() -> None:
    gold, system = "id\tlabels\n1\ta,x\n2\tx\n", "id\tlabels\n1\ta\n2\t\n"
    found = tolerated("unknown-label", gold, system, kind="labels", labels=["a", "b"])
    assert found.values()["subset_accuracy"] == 1


def test_probabilities_that_do_not_add_up_count_as_they_stand() -> None:
    gold = table([(1, "a"), (2, "b")])
    system = objects([{"id": 1, "label": "a", "p": {"a": 0.5}}, {"id": 2, "label": "b", "p": {"a": 0.5, "b": 0.75}}])
    rules: dict[str, Rule] = {"labels.probability-sum": "warning"}
    found = scored(gold, system, rules, ("g.tsv", "s.jsonl"), probability="p")
    assert found.problems == ["s:1: probability-sum", "s:2: probability-sum"]
    assert found.values()["brier"] == pytest.approx((0.5**2 + 0.5**2 + 0.25**2) / 2)
    assert found.values()["log_loss"] == pytest.approx(-(math.log(0.5) + math.log(0.75)) / 2)


def test_an_unjudged_item_needs_no_probability() -> None:
    rules: dict[str, Rule] = {"labels.empty": "off", "labels.missing-id": "off"}
    system = objects([{"id": 1, "label": "a", "p": 0.75}, {"id": 2, "p": None}])
    found = scored(GOLD.replace("\tc", "\ta"), system, rules, ("g.tsv", "s.jsonl"), probability="p", positive="a")
    assert found.problems == []
    assert found.values()["a.brier"] == 0.25**2
