from __future__ import annotations

import pytest

from pytest_nlpeval.tasks.rte.confidence import NONE, confidence_key
from pytest_nlpeval.tasks.rte.gold import Gold
from pytest_nlpeval.tasks.rte.options import LATER, Options
from pytest_nlpeval.tasks.rte.run import Run
from tests.unit.tasks.rte.files import FIVE, RUN, codes, gold_of, gold_text, run_of


@pytest.fixture(scope="module")
def five() -> Gold:
    gold, _ = gold_of(gold_text(FIVE))
    assert gold is not None
    return gold


@pytest.fixture(scope="module")
def later() -> Gold:
    gold, _ = gold_of(gold_text((("1", "IE", True), ("2", "IR", False), ("3", "QA", True)), LATER))
    assert gold is not None
    return gold


def rows(run: Run | None) -> list[tuple[int, int, bool]]:
    """Line, rank in the gold file, judgment."""
    assert run is not None
    return list(zip(run.lines.tolist(), run.ranks.tolist(), run.positive.tolist(), strict=True))


def test_the_worked_example(five: Gold) -> None:
    run, problems = run_of(RUN, five)
    assert problems == ()
    assert rows(run) == [(1, 0, True), (2, 1, False), (3, 2, False), (4, 3, True), (5, 4, False)]
    assert run is not None
    assert not run.ranked
    assert run.confidence.tolist() == [confidence_key(text) for text in ("0.348", "0.221", "0.873", "1", "0.003")]


def test_without_confidences(five: Gold) -> None:
    run, problems = run_of("2 TRUE\n5 TRUE\n", five)
    assert problems == ()
    assert rows(run) == [(1, 1, True), (2, 4, True)]
    assert run is not None
    assert run.confidence.tolist() == [NONE, NONE]


@pytest.mark.parametrize("ranked", [True, False])
def test_editions_2_and_3(later: Gold, ranked: bool) -> None:
    run, problems = run_of(f"ranked: {'yes' if ranked else 'no'}\n3 YES\n1 NO\n", later)
    assert problems == ()
    assert rows(run) == [(2, 2, True), (3, 0, False)]
    assert run is not None
    assert run.ranked is ranked


def test_tolerated_duplicates_the_first_counts(five: Gold) -> None:
    run, problems = run_of("1 TRUE 0.5\n1 FALSE 1\n2 TRUE 0.5\n", five, rules={"rte.duplicate-id": "warning"})
    assert codes(problems) == [("rte.duplicate-id", 2)]
    assert rows(run) == [(1, 0, True), (3, 1, True)]


def test_tolerated_unknown_ids_are_left_out(five: Gold) -> None:
    run, problems = run_of("1 TRUE\n9 TRUE\n12345678901234567890 TRUE\n2 TRUE\n", five, rules={"rte.unknown-id": "off"})
    assert problems == ()
    assert rows(run) == [(1, 0, True), (4, 1, True)]


def test_a_tolerated_order_is_that_of_the_file(five: Gold) -> None:
    run, problems = run_of("5 TRUE 1\n1 TRUE 1\n3 TRUE 1\n", five, rules={"rte.order": "warning"})
    assert codes(problems) == [("rte.order", 2)]
    assert rows(run) == [(1, 4, True), (2, 0, True), (3, 2, True)]


def test_the_order_of_unknown_and_repeated_pairs_says_nothing(five: Gold) -> None:
    _, problems = run_of("9 TRUE\n1 TRUE\n3 TRUE\n1 TRUE\n4 TRUE\n", five)
    assert codes(problems) == [("rte.unknown-id", 1), ("rte.duplicate-id", 4)]


def test_the_order_of_the_gold_file_is_no_matter_in_editions_2_and_3(later: Gold) -> None:
    assert run_of("ranked: no\n3 YES\n2 YES\n1 YES\n", later)[1] == ()


def test_a_tolerated_mixture_of_confidences(five: Gold) -> None:
    run, problems = run_of("1 TRUE 1\n2 TRUE\n", five, rules={"rte.mixed-confidence": "warning"})
    assert codes(problems) == [("rte.mixed-confidence", 2)]
    assert run is not None
    assert run.confidence.tolist() == [confidence_key("1"), NONE]


def test_an_empty_run_may_be_made_an_error(five: Gold) -> None:
    run, problems = run_of("", five)
    assert rows(run) == []
    assert codes(problems) == [("rte.empty-run", None)]
    run, problems = run_of("", five, rules={"rte.empty-run": "error"})
    assert run is None


def test_lines_with_errors_do_not_make_a_run_empty(five: Gold) -> None:
    assert codes(run_of("1 maybe\n", five)[1]) == [("rte.judgment", 1)]


def test_a_ranking_is_checked_from_the_first_no_on(later: Gold) -> None:
    _, problems = run_of("ranked: yes\n3 NO\n2 YES\n1 YES\n", later)
    assert codes(problems) == [("rte.ranking", 3), ("rte.ranking", 4)]


def test_without_gold_the_first_line_tells_the_edition() -> None:
    run, problems = run_of("ranked: yes\n3 YES\n1 NO\n")
    assert problems == ()
    assert rows(run) == [(2, 0, True), (3, 1, False)]
    run, problems = run_of("3 TRUE 0.5\n1 FALSE 0.25\n")
    assert problems == ()
    assert rows(run) == [(1, 0, True), (2, 1, False)]


def test_without_gold_the_options_tell_the_edition() -> None:
    assert codes(run_of("3 YES\n", options=Options(2))[1]) == [("rte.ranked", 1)]
    assert codes(run_of("3 YES\n", options=Options(1))[1]) == [("rte.judgment", 1)]


def test_without_gold_repeated_ids_are_found() -> None:
    text = "7 TRUE\n07 TRUE\n12345678901234567890 TRUE\n12345678901234567891 TRUE\n07 TRUE\n12345678901234567890 TRUE\n"
    assert codes(run_of(text)[1]) == [("rte.duplicate-id", 5), ("rte.duplicate-id", 6)]


def test_messages_name_the_pair_also_after_a_byte_order_mark(five: Gold) -> None:
    _, problems = run_of("\ufeff9\tTRUE\r\n", five)
    assert [problem.where for problem in problems if problem.code == "rte.unknown-id"] == ["pair 9"]
