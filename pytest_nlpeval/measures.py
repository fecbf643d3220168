"""Measures: named functions of evidence, vectorised over weights, and the scores they give."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from pytest_nlpeval.light_dataclasses import frozen_dataclass
from pytest_nlpeval.samples import Blocks, ByDocument, NotAdditiveError, Sample, Values

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

__all__ = [
    "COUNT",
    "SHARE",
    "Blocks",
    "ByDocument",
    "Measure",
    "NotAdditiveError",
    "OfGroup",
    "Range",
    "Sample",
    "Score",
    "Triple",
    "Values",
    "leading_share",
]


class Range(NamedTuple):
    """Where values lie: in [low, high]; they may be whole numbers, or rates: fractions that may exceed 1, such as errors per word."""

    low: float
    high: float
    is_whole: bool = False
    is_rate: bool = False


SHARE = Range(0.0, 1.0)
COUNT = Range(0.0, math.inf, is_whole=True)


class Triple(NamedTuple):
    """Precision, recall and F that belong together: all three have one `name`, and each says which `figure` it is."""

    name: str
    figure: Literal["precision", "recall", "f1"]


class OfGroup(NamedTuple):
    """What a measure of a group is of: the group, and the `measure` of the whole suite that it has the name of.

    Where a task has groups of its own, `column` has the rows of the group, 0 in all others; "" stands for `columns.GROUP`.
    """

    group: str
    measure: str
    column: str = ""


@frozen_dataclass(frozen=True, slots=True)
class Measure:
    """A named function of evidence.

    `name` is what gates, reports and the command call it. `definition` is one sentence, `formula` the value in terms of counts.
    `values` maps a `Sample` to shape `(R,)`, NaN meaning no value; `missing` then says why, or computes the reason from the
    evidence. Values lie in `range`; `better` says whether a higher or a lower one is better. Measures of one `group` (an annotation, a
    label, an application setting) are shown together; "" is the suite as a whole.

    The rest is for tests of a task. Most measures need none of it. `perfect` is the value of output that equals gold: the `end` of the
    range where values are better, or a number, or None where there is no such value (half credits, a threshold). `empty` is the value of
    output that has nothing in it, where that has any. `needs` says what the values follow from: `totals` alone (`Sample.total`), the
    single `rows` (rankings, bins), or also which rows are one document (`documents`: a mean over documents, ties that go by document).
    `triple` is for precision, recall or F. `was` are former names, still known. `right` is from what value units are right, if not the end.
    A run whose evidence has no column `since` is older than the measure, which is then new against it. `of_group` is for a measure of a
    group: a task sets it where it has groups of its own, for all others see `group_measures`. `asked` is the column that is not 0 in the
    rows whose gold is of the measure's `group`, for a task that has no value of a row that the system does not answer.
    """

    name: str
    definition: str
    formula: str
    values: Callable[[Sample], Values]
    missing: str | Callable[[Evidence], str] = ""
    range: Range = SHARE
    better: Literal["higher", "lower"] = "higher"
    group: str = ""
    perfect: float | Literal["end"] | None = "end"
    empty: float = 0.0
    needs: Literal["totals", "rows", "documents"] = "totals"
    triple: Triple | None = None
    was: tuple[str, ...] = ()
    right: float | None = None
    since: str = ""
    of_group: OfGroup | None = None
    asked: str = ""

    @property
    def best_end(self) -> float | None:
        """The end of the range where values are better, None if the range has none there."""
        end = self.range.high if self.better == "higher" else self.range.low
        return end if math.isfinite(end) else None

    @property
    def goal(self) -> float | None:
        """The value of output that equals gold, as `perfect` says; None if there is none, or if the range has no such end.

        >>> Measure("wer", "", "", lambda sample: sample.total("errors"), better="lower").goal
        0.0
        """
        return self.best_end if self.perfect == "end" else self.perfect

    def is_new_against(self, baseline: Evidence) -> bool:
        """Whether the evidence of a baseline is older than the measure."""
        return bool(self.since) and self.since not in baseline.columns

    def score(self, sample: Sample) -> Score:
        """Return the score of a sample without weights: a value, or the reason why there is none."""
        value = self.number(float(self.values(sample)[0]))
        if value is not None:
            return Score(value)
        return Score(None, self.missing if isinstance(self.missing, str) else self.missing(sample.evidence))

    def number(self, value: float) -> float | None:
        """Return one of its values as reports have it: None for NaN, a number of things as an integer."""
        if math.isnan(value):
            return None
        return int(value) if self.range.is_whole and value.is_integer() else value

    def of_documents(self, sample: ByDocument) -> Values | None:
        """Return the figure of each document, shape `(documents,)`; None if the measure is not additive."""
        try:
            values = self.values(sample)
        except NotAdditiveError:
            return None
        return values if values.shape == (len(sample.evidence.documents),) else None


@frozen_dataclass(frozen=True, slots=True)
class Score:
    """A measure's value, unrounded, or None with the `reason`; a number of things is an integer."""

    value: float | None
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the JSON report's form."""
        return {"value": self.value} if self.value is not None else {"value": None, "reason": self.reason}


def leading_share(measures: Iterable[Measure]) -> list[Measure]:
    """Return the first measure that is a share of which more is better, alone; none if there is none."""
    return [measure for measure in measures if measure.range == SHARE and measure.better == "higher"][:1]
