"""How much a change of a setting loosens what suites are judged by: what loosens comes first, and most of all what loosens most."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from pytest_nlpeval.conditions import Condition
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.guards import CONDITIONS, Guard, KnownFailures, MustPass

Keys = tuple[str, ...]


class Weight(NamedTuple):
    """How a change weighs: the `rank` of its sort, 0 for what weighs most, and by how much it loosens. `NONE` loosens nothing."""

    rank: int
    amount: float = 0.0

    @property
    def loosens(self) -> bool:
        """Whether the change may let something pass that did not pass before."""
        return self.rank < NONE.rank


BOUND, ALPHA, STATISTICS, INFORMATIONAL, RULES, FILES, MEANING, NONE = map(Weight, range(8))
"""The sorts: bounds and guards; levels of significance; resampling; informational gates, and those that pass without a value; severities;
gold and baseline files; what is judged at all (options, paths, the baseline's name); and what loosens nothing."""

_RISING = (*(name for name in CONDITIONS if name != "min"), *("units", "by"))
"""Numbers that let more pass the greater they are: all thresholds but `min`, and the fields of `max_worse`."""


def weight_of(keys: Keys, old: str | None, new: str | None) -> Weight:
    """Return how a setting weighs that was `old` and is `new`, both JSON, None for nothing; `keys` lead to it."""
    if keys[0] == "statistics":
        return STATISTICS
    if keys[0] == "rules":
        return NONE if new == '"error"' else RULES
    return _of_gate(keys[-1], old, new) if keys[0] in ("gates", "profiles") else MEANING


def _of_gate(key: str, old: str | None, new: str | None) -> Weight:
    if key == "informational":
        return INFORMATIONAL if new == "true" else NONE
    if key == "if_no_value":
        return INFORMATIONAL if new == '"pass"' else NONE
    if key in (MustPass.name, KnownFailures.name):
        return _of_list(key, old, new)
    if key == "alpha" or (old is None and key in CONDITIONS):
        return ALPHA if key == "alpha" else NONE  # one more condition
    return _of_threshold(key, _number(old), _number(new))


def _of_threshold(key: str, old: float | None, new: float | None) -> Weight:
    if old is None or new is None:
        return Weight(BOUND.rank, math.inf)
    if key == "min":
        return _of_amount(old - new)
    return _of_amount(new - old) if key in _RISING else BOUND


def _of_amount(amount: float) -> Weight:
    return Weight(BOUND.rank, amount) if amount > 0 else NONE


def _of_list(key: str, old: str | None, new: str | None) -> Weight:
    before, now = (json.loads(text) if text else None for text in (old, new))
    if old is None:
        return NONE if key == MustPass.name else BOUND  # with known failures, changes against a baseline leave these out
    if not (isinstance(before, list) and isinstance(now, list)):
        return Weight(BOUND.rank, math.inf)
    lost = set(before) - set(now) if key == MustPass.name else set(now) - set(before)
    return _of_amount(len(lost))


def _number(text: str | None) -> float | None:
    value = json.loads(text) if text else None
    return float(value) if isinstance(value, (int, float)) else None


def loosened_gates(before: Mapping[str, Gate], after: Mapping[str, Gate]) -> Iterator[tuple[str, str, str, Weight]]:
    """Yield the settings of gates that are looser than they were: measure, key, what became of it, and its weight.

    The gates are those of one suite, by measure, with all entries applied: what the order of patterns or another name of the measure
    brings about is seen here only.
    """
    for measure, gate in before.items():
        now = after.get(measure)
        if now is None:
            continue
        if now.informational and not gate.informational:
            yield measure, "informational", "is informational", INFORMATIONAL
        if now.if_no_value == "pass" and gate.if_no_value != "pass":
            yield measure, "if_no_value", "passes without a value", INFORMATIONAL
        for key, weight in (("alpha", ALPHA), ("right", BOUND)):
            if getattr(now, key) != getattr(gate, key):
                yield measure, key, f"was {_said(getattr(gate, key))}, is {_said(getattr(now, key))}", weight
        if gate.strict and not now.strict:
            yield measure, "strict", "is gone", BOUND
        for name in gate.conditions.keys() & now.conditions.keys():
            became, weight = _of_conditions(gate.conditions[name], now.conditions[name])
            if weight.loosens:
                yield measure, name, became, weight


def _of_conditions(old: Condition, new: Condition) -> tuple[str, Weight]:
    """Return what became of a condition, and how that weighs."""
    if isinstance(old, Guard) and isinstance(new, Guard) and old.listing and new.listing:
        before, now = set(old.listing.ids), set(new.listing.ids)
        lost, gained = len(before - now), len(now - before)
        return f"changed: +{gained} \N{MINUS SIGN}{lost} units", _of_amount(lost if old.name == MustPass.name else gained)
    if isinstance(old, Guard) and isinstance(new, Guard) and new.by > old.by:
        return f"counts units that are worse by {new.by:g}, not by {old.by:g}", _of_amount(new.by - old.by)
    became = f"was {old.threshold:g}, is {new.threshold:g}"
    return became, _of_amount(old.threshold - new.threshold if old.name == "min" else new.threshold - old.threshold)


def _said(number: float | None) -> str:
    return "none" if number is None else f"{number:g}"
