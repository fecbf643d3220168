"""Guards: conditions of a gate that look at single units, beside those that look at a score.

A guard's threshold is the greatest number of units that passes. `run.guarding` counts the units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, ClassVar, NamedTuple, Self

from pytest_nlpeval.conditions import CONDITIONS as OF_SCORES
from pytest_nlpeval.conditions import Condition, Standing
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.numbers import exactly
from pytest_nlpeval.wording import plural

MOST_UNITS = 100
"""How many units of a guard a report names; all are counted."""


class Listing(NamedTuple):
    """A list of units: their `ids`, or the `path` of a file that has one on each line."""

    ids: tuple[str, ...] = ()
    path: str = ""

    @classmethod
    def of(cls, value: object) -> Self:
        """Return the list that a configuration gives, as a list or as a path."""
        return cls(tuple(map(str, value))) if isinstance(value, list) else cls((), str(value))


@light_dataclass(frozen=True, slots=True)
class Guard(Condition):
    """What single units must fulfil.

    `right` is the own value from which a unit is right, None for what the measure says. `by` is by how much a unit must be worse to count.
    `listing` are the units that the guard is about. With `strict`, known failures that are right fail, too.
    """

    right: float | None = None
    by: float = 0.0
    listing: Listing | None = None
    strict: bool = False

    compares: ClassVar[bool] = False
    needs_right: ClassVar[bool] = True
    counted: ClassVar[str]

    @classmethod
    def of(cls, value: Any) -> Guard:
        """Return the guard that a configuration gives: a number of units, or a list of units of which none may be wrong."""
        return cls(float(value)) if cls.compares else cls(0.0, listing=Listing.of(value))

    @property
    def bound(self) -> str:
        """`newly wrong units ≤ 0`."""
        return f"{self.counted} ≤ {exactly(self.threshold)}"

    def distance(self, standing: Standing) -> float | None:
        """Return how many more units might be so."""
        count = standing.score.value
        return None if count is None else self.threshold - count

    def reason(self, standing: Standing) -> str:
        """Return why the units cannot be counted."""
        return standing.score.reason


class MaxNewlyWrong(Guard):
    """How many units may be wrong that were right in the baseline."""

    __slots__ = ()
    name = "max_newly_wrong"
    compares = True
    counted = "newly wrong units"


class MaxWorse(Guard):
    """How many units may have a worse value than in the baseline."""

    __slots__ = ()
    name = "max_worse"
    compares = True
    needs_right = False
    counted = "worse units"

    @classmethod
    def of(cls, value: Any) -> Guard:
        """Return the guard of a number of units, or of one with the difference that counts."""
        if isinstance(value, Mapping):
            return cls(float(value.get("units", 0)), by=float(value.get("by", 0)))
        return cls(float(value))

    @property
    def bound(self) -> str:
        """`worse units ≤ 0 (by more than 0.2)`."""
        return f"{self.counted} ≤ {exactly(self.threshold)}" + (f" (by more than {exactly(self.by)})" if self.by else "")


class MustPass(Guard):
    """Units of which none may be wrong."""

    __slots__ = ()
    name = "must_pass"
    counted = "wrong units that must pass"


class KnownFailures(Guard):
    """Units that may be wrong, and no others."""

    __slots__ = ()
    name = "known_failures"
    counted = "wrong units that are not listed"


GUARDS: Mapping[str, type[Guard]] = {guard.name: guard for guard in (MaxNewlyWrong, MaxWorse, MustPass, KnownFailures)}
"""The guards by their keys."""

CONDITIONS: Mapping[str, type[Condition]] = {**OF_SCORES, **GUARDS}
"""All conditions of gates by their keys, in the order in which a gate shows them."""


class GuardedUnit(NamedTuple):
    """A unit that a guard counts: its own value in the baseline and now, None for none or where the guard does not look at it."""

    case: str
    unit: str
    before: float | None
    now: float | None

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form."""
        return self._asdict()

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GuardedUnit:
        """Read back what `to_json` wrote."""
        return cls(**data)


@light_dataclass(frozen=True, slots=True)
class Finding:
    """What a guard comes to: how many units count (None for the `reason`), the first of these units, and which entries of its list can go.

    `known` are the first known failures that are wrong, `right_again` those that are right, `gone` those that gold does not have.
    """

    count: int | None
    reason: str = ""
    units: tuple[GuardedUnit, ...] = ()
    right_again: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    known: tuple[GuardedUnit, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return what the JSON report says besides the count and the reason."""
        units, known = ([unit.to_json() for unit in named] for named in (self.units, self.known))
        facts = {"units": units, "known": known, "right_again": self.right_again, "gone": self.gone}
        return {name: list(fact) for name, fact in facts.items() if fact}


def least_right(measure: Measure, right: float | None) -> float | None:
    """Return the own value from which a unit is right: what a gate sets, what the task says, or the best end of the range; None for none.

    >>> least_right(Measure("wer", "", "", lambda sample: sample.total("errors"), better="lower"), None)
    0.0
    """
    return next((value for value in (right, measure.right, measure.best_end) if value is not None), None)


def mistake(guards: Sequence[Guard], measure: Measure, right: float | None, measures: Sequence[Measure]) -> str:
    """Return why guards cannot be of a measure; "" if they can."""
    names = ", ".join(guard.name for guard in guards)
    if measure.needs != "totals":
        others = [other.name for other in measures if other.needs == "totals" and least_right(other, right) is not None]
        return f"{measure.name} has no value of a single unit, which {names} needs; such measures are {', '.join(others[:12]) or 'none'}"
    unset = [guard.name for guard in guards if guard.needs_right]
    if unset and least_right(measure, right) is None:
        return (
            f"{', '.join(unset)} of {measure.name} needs `right`, the value from which a unit is right: its range has no best end"
        )
    return ""


def naming(units: Sequence[GuardedUnit], count: int, *, by_case: bool) -> str:
    """Return the names of the first units: `q17, q23, …`."""
    shown = ", ".join(unit_name(unit.case, unit.unit, by_case=by_case) for unit in units[:10])
    return shown + (f", … ({plural(count - 10, 'more unit')})" if count > 10 else "")


def unit_name(case: str, unit: str, *, by_case: bool) -> str:
    """Return what a unit is called in lists: `document/id` where there are several documents."""
    return f"{case}/{unit}" if by_case else unit


def settings_of(condition: Condition) -> dict[str, Any]:
    """Return what the JSON report says of a guard besides its threshold: what is not as usual. No other condition has such a setting."""
    return {name: value for name, value in asdict(condition).items() if name in ("by", "right") and value}
