"""Which fields of a system's records are results, and whether more of each is better: by their values, and by their names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isnan
from typing import Any, NamedTuple

from pytest_nlpeval.kit.recognition import is_number
from pytest_nlpeval.kit.records import text_of

Cells = Mapping[str, Any]
"""The fields of a record by their paths."""

_LETTERS = {"C": 1, "P": 0.5, "I": 0, "N": 0}
"""What the grades of inspect_ai mean: correct, partly correct, incorrect, no answer."""

_TIMES = "s|ms|secs?|seconds?|latenc.*|durations?|time"
_COSTS = "cost|price|usd|eur|tokens?"
_COUNTS = "errors?|failures?|violations?|edits"
_BETTER_LOWER = re.compile(
    rf"{_TIMES}|{_COSTS}|{_COUNTS}|loss|perplexity|ppl|nll|toxic.*|bias|hallucinat.*|harm.*|distance|wer|cer|ter|mer|wil|mae|mse|rmse|brier"
)
_AMOUNT = re.compile(f"{_TIMES}|{_COSTS}|{_COUNTS}")
"""What numbers from 0 up are called."""

_MEASURES = ((re.compile(_TIMES), ["mean", "p50", "p95"]), (re.compile(_COSTS), ["mean", "sum"]))
"""What is asked of times, whose tail counts, and of what adds up."""

_FEWEST_SHARES = 10
"""So many values from 0 to 1, of which some lie between, are a scale."""
_BETTER_HIGHER = re.compile(
    r"right|correct.*|pass|passed|passes|success.*|accura.*|acc|exact.*|em|match.*|f1|precision|recall|quality|faithful.*|relevan.*|polite.*|"
    r"fluen.*|coheren.*|consisten.*|adequa.*|helpful.*|complete.*|style|comet.*|bleurt|bertscore|bleu|chrf|rouge.*|meteor|similar.*|solved|"
    r"resolved|satisf.*|win|wins|reward|grounded.*|agree.*|valid|ok|includes?|equals?.*"
)
_NEUTRAL = re.compile(r"scores?|ratings?|grades?|points?")
"""What a number is called of which more is better, unless another word of the name says otherwise."""

_NO_RESULT = re.compile(
    r"id|ids|idx|index|repeats?|epochs?|trials?|runs?|attempts?|seed|rank|order|version|step|timestamp|position|line|number|"
    r"confidences?|prob|probs|probability|probabilities|logprobs?|logits?|thresholds?"
)
NAMED_SCORES = "namedScores."
"""Where promptfoo has the scores of assertions; behind it a name is one step, dots included."""

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,49}")
_RESERVED = ("all", "group", "macro", "coverage", "errors")


class GuessedResult(NamedTuple):
    """A field of results: `better` is None if nothing tells it; `settings` are those besides.

    `is_flag` says that its values are true and false, `is_share` that they are numbers from 0 to 1. It `lacks` values in some records.
    `range` is the scale that its name or its values show, None for none.
    """

    field: str
    better: str | None
    settings: Mapping[str, Any] = {}
    is_flag: bool = False
    is_share: bool = False
    lacks: bool = False
    range: Sequence[int | None] | None = None

    def measured(self, repeats: int, *, has_range: bool) -> GuessedResult:
        """Return the result with the measures that its name asks for, or its repeats; and with its range, if values show it.

        >>> GuessedResult("ms", "lower", range=[0, None]).measured(1, has_range=True).settings
        {'range': [0, None], 'measures': ['mean', 'p50', 'p95']}
        >>> GuessedResult("ok", "higher", {"pass": True}).measured(3, has_range=True).settings
        {'pass': True, 'measures': ['mean', 'pass_rate', 'pass@3', 'pass^3', 'flaky']}
        """
        bounds = {"range": self.range} if has_range and self.range else {}
        of_name = next((asked for form, asked in _MEASURES if any(map(form.fullmatch, words_of(self.field)))), None)
        if "pass" in self.settings:
            of_name = ["mean", "pass_rate", f"pass@{repeats}", f"pass^{repeats}", "flaky"] if repeats > 1 else None
        return self._replace(settings={**self.settings, **bounds, **({"measures": of_name} if of_name else {})})

    def settled(self, untold: str) -> GuessedResult:
        """Return the result with a direction, `untold` if nothing tells it, and with what a missing value counts as, if that is known.

        It is 0 of shares of which more is better. The worst of other numbers is not known.
        """
        better = self.better or untold
        worst = 0 if better == "higher" and (self.is_flag or self.is_share) else 1 if self.is_flag else None
        missing = {"missing": worst} if self.lacks and worst is not None else {}
        passing = {"pass": better == "higher"} if self.is_flag else {}
        return self._replace(better=better, settings={**passing, **self.settings, **missing}, lacks=self.lacks and worst is None)


def results_in(records: Sequence[Cells], fields: Iterable[str], failed: int = 0) -> list[GuessedResult]:
    """Return the results among some fields of records; with records that have `failed` besides, all lack values.

    >>> [(guess.field, guess.better) for guess in results_in([{"ok": True, "ms": 7, "who": "x", "id": 1}], ["ok", "ms", "who", "id"])]
    [('ok', 'higher'), ('ms', 'lower')]
    """
    return [guess for field in fields if (guess := _result_in(field, [record.get(field) for record in records], failed))]


def _result_in(field: str, cells: Sequence[Any], failed: int) -> GuessedResult | None:
    words = words_of(field)
    repeats = [value for cell in cells for value in (cell if isinstance(cell, list) else [cell])]
    values = [value for value in repeats if value is not None and not (isinstance(value, float) and isnan(value))]
    if not values or not words or _NO_RESULT.fullmatch(words[-1]):
        return None
    lacks = len(values) < len(repeats) or failed > 0
    direction = _direction([*words, *(["score"] if field.endswith(".score") else [])])
    if all(isinstance(value, bool | str) and text_of(value).lower() in ("true", "false") for value in values):
        return GuessedResult(field, direction, is_flag=True, lacks=lacks)
    if all(isinstance(value, str) and value in _LETTERS for value in values):
        return GuessedResult(field, "higher", {"values": _LETTERS, "pass": 1}, is_share=True, lacks=lacks)
    if not all(map(is_number, values)):
        return None
    numbers = list(map(float, values))
    is_share = all(0 <= number <= 1 for number in numbers)
    return GuessedResult(field, direction, is_share=is_share, lacks=lacks, range=_range(words, numbers, is_share=is_share))


def _range(words: Sequence[str], numbers: Sequence[float], *, is_share: bool) -> Sequence[int | None] | None:
    """Return the scale of numbers: from 0 up of amounts, 0 to 1 of many shares; None if nothing shows it."""
    if any(map(_AMOUNT.fullmatch, words)):
        return [0, None] if min(numbers) >= 0 else None
    return [0, 1] if is_share and len(numbers) >= _FEWEST_SHARES and any(0 < number < 1 for number in numbers) else None


def _direction(words: Sequence[str]) -> str | None:
    """Return which end of a result is better, from the words of its name; None if these say nothing, or both."""
    says = [any(map(form.fullmatch, words)) for form in (_BETTER_LOWER, _BETTER_HIGHER, _NEUTRAL)]
    match says:
        case [True, False, _]:
            return "lower"
        case [False, True, _] | [False, False, True]:
            return "higher"
    return None


def words_of(path: str) -> list[str]:
    """Return the words of a path's last step that is no mere `value` or `score`, in lower case.

    >>> words_of("judge.isRight"), words_of("scores.exact_match.value"), words_of("latencyMs")
    (['is', 'right'], ['exact', 'match'], ['latency', 'ms'])
    """
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+", _step(path))]


def _step(path: str) -> str:
    """Return the last step of a path that is no mere `value` or `score`; of the element of a list the name that picks it."""
    picked = re.search(r"\[name=(.*)\](?:\.|$)", path)
    if picked:
        return picked[1]
    if path.startswith(NAMED_SCORES):
        return path.removeprefix(NAMED_SCORES)
    steps = path.split(".")
    while len(steps) > 1 and steps[-1] in ("value", "score"):
        steps.pop()
    return steps[-1]


def settings_of(guesses: Iterable[GuessedResult]) -> dict[str, Any] | list[str]:
    """Return the option `results`.

    >>> settings_of([GuessedResult("judge.ok", "higher", {"pass": True}), GuessedResult("ms", "lower")])
    {'ok': {'field': 'judge.ok', 'pass': True}, 'ms': {'better': 'lower'}}
    >>> settings_of([GuessedResult("score", "higher")])
    ['score']
    """
    results: dict[str, Any] = {}
    for guess in guesses:
        name = next(name for name in _names(guess.field) if name not in results and name not in _RESERVED)
        better = {"better": "lower"} if guess.better == "lower" else {}
        field = {} if name == guess.field else {"field": guess.field}
        results[name] = {**field, **better, **guess.settings} if better or guess.settings else guess.field
    return list(results) if all(name == settings for name, settings in results.items()) else results


def _names(field: str) -> Iterator[str]:
    """Yield names for a result: the last step of its path, all steps, and these with a number."""
    for text in (_step(field), field):
        name = re.sub(r"[^A-Za-z0-9_-]+", "_", text).strip("_")[:50]
        if _NAME.fullmatch(name):
            yield name
    yield from (f"result{number}" for number in range(1, 1_000))
