"""What becomes of segments whose problems a suite's rules tolerate."""

from __future__ import annotations

import math

from pytest_nlpeval.problems import Rule
from tests.unit.tasks.text.files import EVERY, of_texts, scored

GOLD = ("g.tsv", "id\ttext\n1\tthe old mill\n2\t\n")


def test_a_segment_without_hypothesis_is_wrong_everywhere() -> None:
    rules: dict[str, Rule] = {"text.missing-id": "warning", "text.empty-reference": "off"}
    case = scored({"gold": GOLD, "system": ("s.tsv", "id\ttext\n")}, rules, measures=EVERY)
    assert case.problems == ["system:: missing-id"] * 2
    values = case.values()
    zeros = ("exact", "coverage", "bleu.mean", "chrf.mean", "chrf++.mean", "rouge1", "rouge2", "rougeL", "rougeLsum")
    assert [values[name] for name in zeros] == [0] * len(zeros)
    ones = ("wer", "wer.mean", "cer", "cer.mean", "ser", "ter", "ter.mean", "mer", "wil")
    assert [values[name] for name in ones] == [1] * len(ones)
    assert [explanation.reason for explanation in case.explained()] == ["missing", "missing"]
    assert sorted(explanation.gold_line or 0 for explanation in case.explained()) == [2, 3]
    assert all(explanation.bears_on("coverage") for explanation in case.explained())


def test_a_null_is_no_hypothesis_and_an_empty_text_is_one() -> None:
    values = of_texts([["a"], ["a"], [""]], [None, "", None], measures=EVERY).values()
    assert values["coverage"] == 1 / 3
    assert values["wer.mean"] == values["ser"] == 1
    assert values["rouge1"] == 0
    assert of_texts([[""]], [""], measures=EVERY).values()["rouge1"] == 1


def test_of_equal_ids_the_first_counts_and_unknown_ones_are_left_out() -> None:
    rules: dict[str, Rule] = {"text.duplicate-id": "warning", "text.unknown-id": "warning"}
    gold = ("g.tsv", "id\ttext\n1\ta\n1\tb\n")
    case = scored({"gold": gold, "system": ("s.tsv", "id\ttext\n1\ta\n1\tc\n2\td\n")}, rules)
    assert case.problems == ["gold:3: duplicate-id", "system:3: duplicate-id", "system:4: unknown-id"]
    assert case.values()["exact"] == 1
    assert case.evidence is not None
    assert case.evidence.units == ("1",)


def test_alternatives_count_as_words() -> None:
    rules: dict[str, Rule] = {"text.alternatives": "off"}
    case = scored({"gold": ("g.trn", "{ yes / yeah } sir (u)\n"), "system": ("s.trn", "yes sir (u)\n")}, rules)
    assert case.values()["wer"] == 4 / 6
    assert math.isclose(case.values()["wer.deletions"], 4)


def test_a_warning_that_rules_make_an_error_fails_the_file() -> None:
    case = scored({"gold": ("g.txt", "a\n"), "system": ("s.txt", "\n")}, {"text.empty": "error"})
    assert case.problems == ["system:1: empty"]
    assert case.evidence is None


def test_what_ignoring_leaves_empty_is_no_problem() -> None:
    gold = ("g.txt", "[noise]\nyes\n")
    case = scored({"gold": gold, "system": ("s.txt", "\n\n")}, ignore=["[noise]"])
    assert case.problems == ["system:2: empty"]
    assert case.values()["exact"] == 1 / 2
