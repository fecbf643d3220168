"""Exact match and F1 of a prediction against the answers of a question, all in normal form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pytest_nlpeval.tasks.qa.options import Profile


def accepted(forms: Iterable[str], profile: Profile) -> tuple[str, ...]:
    """Return the normal forms that a prediction is compared with, each once.

    Those without tokens are left out, and the empty one is the only one if none is left; `squad1` keeps all.

    >>> accepted(["orlin bridge", "", "orlin bridge"], "standard"), accepted([], "standard")
    (('orlin bridge',), ('',))
    """
    distinct = dict.fromkeys(forms)
    if profile == "squad1":
        return tuple(distinct)
    return tuple(form for form in distinct if form) or ("",)


def score(prediction: str, answers: Sequence[str], profile: Profile) -> tuple[bool, float]:
    """Return exact match and F1 of a prediction: the greatest over the answers, each by itself.

    A text without tokens has F1 1 with another such, in `squad1` 0.

    >>> score("bridge at orlin", ["orlin bridge", "orlin"], "standard")
    (False, 0.8)
    """
    exact = prediction in answers
    if exact or not prediction:
        return exact, float(exact and bool(prediction or profile != "squad1"))
    tokens = prediction.split()
    counts = Counter(tokens)
    return False, max(token_f1(counts, len(tokens), answer.split()) for answer in answers)


def token_f1(prediction: Mapping[str, int], size: int, answer: Sequence[str]) -> float:
    """Return 2c / (tokens of the prediction + tokens of the answer), c being the size of the intersection of the two multisets.

    `prediction` says how often each token is in the prediction, `size` is how many tokens it has in all. The F is worked out by precision
    and recall, as the original scripts do it: which threshold is best may hang on the last digit. That takes as long as the answer is, not
    the prediction, which may have many answers.
    """
    common = sum(min(number, prediction[token]) for token, number in Counter(answer).items() if token in prediction)
    if not common:
        return 0.0
    precision, recall = common / size, common / len(answer)
    return (2 * precision * recall) / (precision + recall)
