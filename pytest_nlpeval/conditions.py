"""Conditions: what a score must fulfil, by itself or against a baseline.

A further condition is one more class below, and its entry in `CONDITIONS`. Its name is the key in `nlpeval.yaml`, and
`schemas/nlpeval.schema.json` says which values the key takes. `schemas/report.schema.json` lists the names.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import Score
from pytest_nlpeval.numbers import BEYOND_CHANCE, MAY_BE_CHANCE, TOLERANCE, difference, exactly, figure, p_equation

if TYPE_CHECKING:
    from pytest_nlpeval.falls import GroupFalls

NO_BASELINE = Score(
    None, "there is no baseline to compare with; name one in the configuration (`baseline: git:origin/main`), or for this run"
)


class Tested(NamedTuple):
    """What the test of one condition found: its p-value, that after Holm's adjustment, and what keeps it from ever being small.

    `limit` says what differs, in so few units that any drop may be chance: `3 units differ`; "" if not.
    """

    p: float | None
    p_adjusted: float | None
    limit: str = ""


@light_dataclass(frozen=True, slots=True)
class Standing:
    """What a condition is judged by: a score and, where there is a baseline, how the score compares with the baseline's.

    `baseline` is over the units that both runs have, `compared` is the value of today's run over these, and `drop` is by how much that is
    worse, negative if it is better. `p` is the p-value of the one-sided test of a drop above 0, `p_adjusted` that after Holm's
    adjustment; `tested` has those of each condition with a level, whose drop is tested against what it allows. `upper` is the upper end
    of the one-sided interval of the drop,
    infinite if there are too few units to say. `detectable` is the smallest drop that this suite shows with a power of 80 %, an
    estimate from this run alone if `is_estimate`. `is_new` says that the baseline does not have the suite, `is_same` that the two
    outputs are identical. `limit` is that of the condition's test. `is_counted` says that the score follows from counts: where it has no
    value, no file and no task is to blame. `was_counted` says the same of the baseline's.
    `falls` tells what became of the groups, if a condition asks.
    """

    score: Score
    baseline: Score = NO_BASELINE
    drop: float | None = None
    compared: float | None = None
    p: float | None = None
    p_adjusted: float | None = None
    upper: float | None = None
    detectable: float | None = None
    is_new: bool = False
    is_estimate: bool = False
    is_same: bool = False
    limit: str = ""
    is_counted: bool = False
    was_counted: bool = False
    tested: Mapping[str, Tested] = field(default_factory=dict)
    falls: GroupFalls | None = None

    def of(self, condition: str) -> Standing:
        """Return the standing with the test of one condition, if there is one."""
        test = self.tested.get(condition)
        return self if test is None else replace(self, p=test.p, p_adjusted=test.p_adjusted, limit=test.limit)

    @property
    def missing(self) -> str:
        """Why score and baseline cannot be compared."""
        return self.score.reason or self.baseline.reason


@light_dataclass(frozen=True, slots=True)
class Condition(ABC):
    """What a score must fulfil.

    `name` is the condition's key in a configuration. `needs_baseline` says that there is no verdict without the score of an accepted run,
    `bounds_value` that the threshold is itself a value of the measure. `alpha` is the level of significance, None for none.
    """

    threshold: float
    alpha: float | None = None

    name: ClassVar[str]
    needs_baseline: ClassVar[bool] = False
    bounds_value: ClassVar[bool] = False

    @property
    @abstractmethod
    def bound(self) -> str:
        """What is demanded, in short: `≥ 0.5`."""

    @abstractmethod
    def distance(self, standing: Standing) -> float | None:
        """Return how far a value is on the good side, in the unit of the threshold; None if that cannot be said."""

    def holds(self, standing: Standing) -> bool | None:
        """Whether a score fulfils the condition; None if it cannot be said, for `reason`."""
        if self.needs_baseline and standing.is_new and standing.score.value is not None:
            return True
        distance = self.distance(standing)
        return None if distance is None else distance >= -TOLERANCE

    def has_nothing_to_judge(self, standing: Standing) -> bool:
        """Whether all was counted, and there is no value to judge: none of now or, against a baseline, none that could have dropped."""
        if not standing.is_counted:
            return False
        if not self.needs_baseline:
            return standing.score.value is None
        before_is_missing = standing.was_counted and standing.baseline.value is None
        return before_is_missing or (standing.is_new and standing.score.value is None)

    @abstractmethod
    def reason(self, standing: Standing) -> str:
        """Return why the condition does not hold, cannot be judged, or holds for another reason than its threshold; "" otherwise."""


class Bound(Condition):
    """A value that the score must not go beyond: `sign` is how a value that passes is written, `beyond` what one that fails is."""

    __slots__ = ()
    bounds_value = True

    sign: ClassVar[str]
    beyond: ClassVar[str]

    @property
    def bound(self) -> str:
        """`≥ 0.5`, or `≤ 0.5`."""
        return f"{self.sign} {exactly(self.threshold)}"

    def reason(self, standing: Standing) -> str:
        """Say by how much the value is beyond the bound."""
        distance = self.distance(standing)
        if distance is None:
            return standing.score.reason
        if distance >= -TOLERANCE:
            return ""
        return f"{figure(standing.score.value, [self.threshold])} is {self.beyond} by {difference(-distance)}"


class Min(Bound):
    """The least value that passes."""

    __slots__ = ()
    name = "min"
    sign, beyond = "≥", "short"

    def distance(self, standing: Standing) -> float | None:
        """Return value - threshold."""
        value = standing.score.value
        return None if value is None else value - self.threshold


class Max(Bound):
    """The greatest value that passes."""

    __slots__ = ()
    name = "max"
    sign, beyond = "≤", "over"

    def distance(self, standing: Standing) -> float | None:
        """Return threshold - value."""
        value = standing.score.value
        return None if value is None else self.threshold - value


class MaxDrop(Condition):
    """The greatest drop against the baseline that passes; with `alpha`, a greater one fails only if it is more than chance explains."""

    __slots__ = ()
    name = "max_drop"
    needs_baseline = True

    @property
    def bound(self) -> str:
        """`drop ≤ 0.01`."""
        return f"drop ≤ {exactly(self.threshold)}{self._level}"

    @property
    def _level(self) -> str:
        return "" if self.alpha is None else f" (alpha {exactly(self.alpha)})"

    def allowed(self, standing: Standing) -> float | None:  # noqa: ARG002 - a relative drop depends on the baseline
        """Return the greatest drop that passes."""
        return self.threshold

    def distance(self, standing: Standing) -> float | None:
        """Return how much greater the drop might be."""
        allowed = self.allowed(standing)
        return None if standing.drop is None or allowed is None else allowed - standing.drop

    def holds(self, standing: Standing) -> bool | None:
        """Whether the drop is small enough, or may be chance."""
        is_small = super().holds(standing)
        return True if is_small is False and self._may_be_chance(standing) else is_small

    def _may_be_chance(self, standing: Standing) -> bool:
        return self.alpha is not None and standing.p_adjusted is not None and standing.p_adjusted > self.alpha

    def reason(self, standing: Standing) -> str:
        """Say how great the drop is, and whether it may be chance."""
        distance = self.distance(standing)
        if distance is None:
            return standing.missing
        if distance >= -TOLERANCE:
            return ""
        p = "" if standing.p_adjusted is None or self.alpha is None else f" ({p_equation(standing.p_adjusted)})"
        if self._may_be_chance(standing):
            few = f"; only {standing.limit}: no drop could have been {BEYOND_CHANCE}" if standing.limit else ""
            return f"the drop of {difference(standing.drop)} {MAY_BE_CHANCE}{p}{few}"
        before, now = standing.baseline.value, standing.score.value if standing.compared is None else standing.compared
        chance = f", {BEYOND_CHANCE}{p}" if p else ""
        return f"{figure(now)}, was {figure(before)}: the drop of {difference(standing.drop)} is over by {difference(-distance)}{chance}"


class MaxDropRelative(MaxDrop):
    """The greatest drop that passes, as a fraction of the baseline's value."""

    __slots__ = ()
    name = "max_drop_relative"

    @property
    def bound(self) -> str:
        """`drop ≤ 2 % of the baseline`."""
        return f"drop ≤ {exactly(round(100 * self.threshold, 10))} % of the baseline{self._level}"

    def allowed(self, standing: Standing) -> float | None:
        """Return the threshold times the baseline's value."""
        before = standing.baseline.value
        return None if before is None else self.threshold * abs(before)


class NoGroupFalls(MaxDrop):
    """The greatest drop of any group that passes; with `alpha`, a greater one fails only beyond chance among all groups."""

    __slots__ = ()
    name = "no_group_falls"

    @property
    def bound(self) -> str:
        """`drop of each group ≤ 0.01`."""
        return f"drop of each group ≤ {exactly(self.threshold)}{self._level}"

    def distance(self, standing: Standing) -> float | None:
        """Return how much greater the greatest drop might be."""
        worst = standing.falls and standing.falls.worst(self.threshold, self.alpha)
        return self.threshold - worst.drop if worst else None

    def holds(self, standing: Standing) -> bool | None:
        """Whether no group falls; None if there is no group, or one of those that had a value has none."""
        falls = standing.falls
        if falls is None:
            return True if standing.is_new and standing.score.value is not None else None
        if falls.falling(self.threshold, self.alpha):
            return False
        return None if falls.lost or not falls.groups else True

    def has_nothing_to_judge(self, standing: Standing) -> bool:  # noqa: ARG002 - a group without value is told, never left out
        """Whether there is nothing that could have dropped: never, for a group that lost its value has fallen."""
        return False

    def reason(self, standing: Standing) -> str:
        """Say which groups fall, and which were not compared."""
        return standing.falls.reason(self.threshold, self.alpha) if standing.falls else standing.missing


class NonInferior(Condition):
    """The margin that the system must be shown not to be worse by: the one-sided interval of the drop must end below it."""

    __slots__ = ()
    name = "non_inferior"
    needs_baseline = True

    @property
    def bound(self) -> str:
        """`drop < 0.005 for certain`."""
        return f"drop < {exactly(self.threshold)} for certain (alpha {exactly(self.alpha or DEFAULT_ALPHA)})"

    def distance(self, standing: Standing) -> float | None:
        """Return margin - upper end of the interval."""
        return None if standing.upper is None else self.threshold - standing.upper

    def holds(self, standing: Standing) -> bool | None:
        """Whether the interval ends below the margin."""
        distance = self.distance(standing)
        return super().holds(standing) if distance is None else distance > 0

    def reason(self, standing: Standing) -> str:
        """Say how great the drop may be."""
        if standing.is_same and standing.drop is not None:
            return "the outputs are identical"
        if standing.upper is None:
            return standing.missing
        if standing.upper < self.threshold:
            return ""
        if math.isinf(standing.upper):
            return "too few units to say how great the drop may be"
        sure = 100 * (1 - (self.alpha or DEFAULT_ALPHA))
        return f"the drop of {difference(standing.drop)} may be as great as {difference(standing.upper)} ({sure:g} % one-sided)"


DEFAULT_ALPHA = 0.05
"""The level of `non_inferior` where none is given."""

CONDITIONS: Mapping[str, type[Condition]] = {
    condition.name: condition for condition in (Min, Max, MaxDrop, MaxDropRelative, NoGroupFalls, NonInferior)
}
"""The conditions by their keys, in the order in which a gate shows them."""
