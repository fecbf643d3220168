"""What is said of a baseline whose gold is not today's, and when too little of it is left to be compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_nlpeval.config.suite import Recipe, Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.metrics.partners import Doubles, GoldChange
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.run.gold_changes import CHANGED, RENAMED, VANISHED, gold_problems, gold_sentence, unless_incomparable
from pytest_nlpeval.runs import Run
from pytest_nlpeval.tasks import load_task

SUITE = Suite("dev", "", Recipe(load_task("rte"), None), (), Path(), label="nlpeval.yaml", line=3)

EVERY = GoldChange(before=1020, paired=1009, corrected=2, gone=3, added=12, outdated=1)
"""Of 1,020 old items 1,009 + 1 + 3 are told by themselves; 7 others have another item in their place, and 12 - 1 - 7 are new."""

TOLD = (
    "2 have another answer, today's counts",
    "1 have another answer, with which the old output cannot be scored",
    "4 are new",
    "3 are gone",
    "7 ask something else",
)


def baseline(changes: Mapping[str, GoldChange], sizes: Mapping[str, int] | None = None) -> Run:
    """A run with these changes of gold; `sizes` are the rows of each document of its evidence."""
    tables = [Evidence.of(list(map(str, range(size))), {"a": np.ones(size)}, name) for name, size in (sizes or {}).items()]
    return Run("main", evidence=Evidence.merge(tables) if sizes else None, gold_changes=changes)


def the(run: Run) -> Problem:
    (problem,) = gold_problems(SUITE, run)
    return problem


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)).map(lambda pair: (max(pair), min(pair))), min_size=1, max_size=3),
    st.lists(st.integers(0, 4), max_size=3),
)
@example([(7, 2)], [1])
@example([(4, 1)], [1])
@example([(3, 1)], [0])
def test_a_gold_of_which_less_than_half_is_still_asked_is_another(changed: list[tuple[int, int]], same: list[int]) -> None:
    """A document whose gold is the same is asked as a whole: a question at least, whether it has rows or not."""
    changes = {f"c{rank}": GoldChange(before, paired, added=1) for rank, (before, paired) in enumerate(changed)}
    sizes = {f"s{rank}": size for rank, size in enumerate(same)}
    whole = sum(max(size, 1) for size in same)
    asked, of_all = sum(paired for _, paired in changed) + whole, sum(before for before, _ in changed) + whole
    is_other = of_all > 0 and Fraction(asked, of_all) < Fraction(1, 2)
    run = baseline(changes, sizes and {**sizes, **{name: change.paired for name, change in changes.items()}})
    problem = the(run)
    assert (problem.code, problem.severity) == (CHANGED, "error" if is_other else "warning")
    assert (problem.path, problem.line, problem.where) == ("nlpeval.yaml", 3, "dev")
    assert ("to accept it" in problem.message) == is_other
    left = unless_incomparable(run, [problem])
    assert left == (replace(run, evidence=None, reason=problem.message) if is_other else run)


def test_a_problem_of_a_suite_without_a_line_has_none() -> None:
    assert [problem.line for problem in gold_problems(replace(SUITE, line=0), baseline({"d": EVERY}))] == [None] * 2


def test_only_an_error_that_the_gold_changed_forbids_to_compare() -> None:
    run = replace(baseline({"d": EVERY}, {"d": 2}), vanished=("gone",), former="old")
    problems = gold_problems(SUITE, run)
    assert [(problem.code, problem.severity) for problem in problems] == [
        (RENAMED, "error"),
        (CHANGED, "warning"),
        (VANISHED, "error"),
        (VANISHED, "error"),
    ]
    assert unless_incomparable(run, problems) is run


@pytest.mark.parametrize("change", [GoldChange(), GoldChange(before=5, paired=5)])
def test_nothing_is_said_where_all_is_compared_and_nothing_else_is_asked(change: GoldChange) -> None:
    run = baseline({"d": change}, {"d": 5})
    assert (gold_problems(SUITE, run), gold_sentence(run)) == ((), "")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (GoldChange(5, 5, added=1), "of 5 items 5 are compared; 1 are new"),
        (GoldChange(5, 5, corrected=1), "of 5 items 5 are compared; 1 have another answer, today's counts"),
        (GoldChange(1, 1, added=1), "of 1 item 1 are compared; 1 are new"),
        (GoldChange(5, 4, added=1), "of 5 items 4 are compared; 1 ask something else"),
        (GoldChange(5, 4, gone=1), "of 5 items 4 are compared; 1 are gone"),
        (EVERY, f"of 1,020 items 1,009 are compared; {', '.join(TOLD)}"),
    ],
)
def test_each_item_that_is_not_as_it_was_is_told_once(change: GoldChange, told: str) -> None:
    assert gold_sentence(baseline({"d": change})) == (
        f"the gold of 1 document (d) changed since main: {told}"
        + ("; to accept it: `nlpeval baseline update`" if change.outdated else "")
    )


@pytest.mark.parametrize(
    ("names", "told"),
    [("ba", "2 documents (a, b)"), ("cba", "3 documents (a, b, c)"), ("dcba", "4 documents (a, b, c, …)")],
)
def test_three_documents_are_named(names: Sequence[str], told: str) -> None:
    run = baseline(dict.fromkeys(names, GoldChange(2, 2, added=1)))
    assert gold_sentence(run).startswith(f"the gold of {told} changed since main: of {2 * len(names)} items")
    gone = replace(run, vanished=tuple(sorted(names)), gold_changes={})
    assert the(gone).message.startswith(
        f"{told.replace('(', 'of main (')} had results and are no longer in the suite; restore them"
    )


def test_items_that_are_gone_are_told_with_the_documents_that_had_them() -> None:
    changes = {name: GoldChange(9, 9 - gone, gone=gone) for name, gone in {"d": 1, "c": 2, "b": 0, "a": 3, "e": 1}.items()}
    _, problem = gold_problems(SUITE, baseline(changes))
    assert (problem.code, problem.severity) == (VANISHED, "error")
    assert problem.message.startswith("7 items that main has results of are no longer in the gold (a, c, d); restore them")


@pytest.mark.parametrize(("content", "told"), [(" a ", ': "a"'), ("", "")])
def test_what_is_twice_is_told_where_it_is_why_little_is_compared(content: str, told: str) -> None:
    change = GoldChange(4, 1, added=3, outdated=1, doubles=Doubles(content, "2", "5"))
    assert the(baseline({"d": change})).message.endswith(
        f"; which item is which cannot be told, as 2 and 5 are the same{told}; to accept it: "
        f"`nlpeval baseline update` or `rules: {{{CHANGED}: warning}}`"
    )
    assert "cannot be told" not in the(baseline({"d": change}, {"d": 1, "e": 2})).message, "enough is compared: 3 of 6"


def test_a_suite_under_another_name_is_told_with_what_to_write() -> None:
    problem = the(replace(baseline({}), former="old"))
    assert (problem.code, problem.severity) == (RENAMED, "error")
    assert "main has its files under the name" in problem.message
    assert '"old"; write `was: old`' in problem.message
