from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.qa.matching import accepted, score, token_f1


class Looking(dict[str, int]):
    """Counts of tokens that count how often somebody looks at one, whole passes over all of them included."""

    looks = 0

    def __contains__(self, token: object) -> bool:
        self.looks += 1
        return super().__contains__(token)

    def __iter__(self) -> Iterator[str]:
        self.looks += len(self)
        return super().__iter__()


TOKENS = st.lists(st.sampled_from("abc"), max_size=6)
FORMS = TOKENS.map(" ".join)


@given(one=TOKENS, other=TOKENS)
def test_f1_is_twice_what_is_common_by_what_there_is(one: list[str], other: list[str]) -> None:
    common = sum(min(Counter(one)[token], Counter(other)[token]) for token in "abc")
    expected = Fraction(2 * common, len(one) + len(other)) if one or other else 0
    assert token_f1(Counter(one), len(one), other) == pytest.approx(float(expected), abs=1e-15)
    assert token_f1(Counter(one), len(one), other) == token_f1(Counter(other), len(other), one)


def test_a_long_prediction_with_many_answers_takes_as_long_as_the_file_is() -> None:
    def looked_at(number: int) -> int:
        counts = Looking({f"p{rank}": 1 for rank in range(number)})
        for rank in range(number):
            token_f1(counts, number, [f"p{rank}", "other"])
        return counts.looks

    assert looked_at(2000) == 2 * looked_at(1000)


@given(prediction=FORMS, answers=st.lists(FORMS, max_size=4))
def test_both_scores_are_the_greatest_over_the_answers(prediction: str, answers: list[str]) -> None:
    kept = accepted(answers, "standard")
    exact, f1 = score(prediction, kept, "standard")
    each = [score(prediction, (answer,), "standard") for answer in kept]
    assert (exact, f1) == (max(one for one, _ in each), max(one for _, one in each))
    assert f1 >= exact
    assert (f1 == 1) >= exact


@given(answers=st.lists(FORMS, max_size=4))
def test_what_is_accepted_is_never_empty_beside_something_else(answers: list[str]) -> None:
    assert accepted(answers, "standard") == (tuple(dict.fromkeys(filter(None, answers))) or ("",))
    assert accepted(answers, "squad1") == tuple(dict.fromkeys(answers))


@pytest.mark.parametrize(
    ("prediction", "answers", "standard", "squad1"),
    [
        ("", ("",), (True, 1.0), (True, 0.0)),
        ("x", ("",), (False, 0.0), (False, 0.0)),
        ("", ("x",), (False, 0.0), (False, 0.0)),
        ("x", ("x", "y"), (True, 1.0), (True, 1.0)),
        ("x y", ("x", "z"), (False, 2 * 1 / (2 + 1)), (False, 2 * 1 / (2 + 1))),
    ],
)
def test_texts_without_tokens(
    prediction: str, answers: tuple[str, ...], standard: tuple[bool, float], squad1: tuple[bool, float]
) -> None:
    assert score(prediction, answers, "standard") == pytest.approx(standard, abs=1e-15)
    assert score(prediction, answers, "squad1") == pytest.approx(squad1, abs=1e-15)
