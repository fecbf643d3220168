"""What a measure is, without the group that it may be of."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Literal, TypeAlias

from pytest_nlpeval.kit.prf import Figure
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.measures import COUNT, SHARE, Measure, OfGroup, Range, Sample, Triple, Values
from pytest_nlpeval.tasks.text.columns import GROUP
from pytest_nlpeval.tasks.text.options import Options
from pytest_nlpeval.tasks.text.view import View

RATE = Range(0.0, math.inf, is_rate=True)

Statistic: TypeAlias = Callable[[View, Options], Values]
"""The values of a measure, shape `(R,)`; NaN for none."""

NO_SEGMENT = "there is no segment"


@light_dataclass(frozen=True, slots=True)
class TextFigure:
    """A measure of all segments, or of a group of them. `triple` is for a precision, a recall or an F."""

    name: str
    definition: str
    formula: str
    statistic: Statistic
    missing: str = NO_SEGMENT
    range: Range = SHARE
    better: Literal["higher", "lower"] = "higher"
    triple: tuple[str, Figure] | None = None
    empty: float = 0.0

    def measure(self, options: Options, group: str | None) -> Measure:
        """Return the measure, of a group if there is one."""
        prefix, words, inside = (
            ("", "", "") if group is None else (f"{GROUP}{group}.", f" Segments of group {group} alone.", f" in group {group}")
        )
        return Measure(
            f"{prefix}{self.name}",
            f"{self.definition}{words}",
            self.formula,
            partial(_values, self.statistic, options, group),
            f"{self.missing}{inside}",
            self.range,
            self.better,
            prefix.rstrip("."),
            empty=self.empty,
            triple=Triple(f"{prefix}{self.triple[0]}", self.triple[1]) if self.triple else None,
            of_group=None if group is None else OfGroup(group, self.name, f"{GROUP}{group}"),
        )


def _values(statistic: Statistic, options: Options, group: str | None, sample: Sample) -> Values:
    return statistic(View(sample, group), options)


def number_of(column: str, name: str, definition: str, better: Literal["higher", "lower"]) -> TextFigure:
    """Return a measure that is the sum of a column of whole numbers."""
    return TextFigure(name, definition, f"Σ {column}", partial(_total, column), "", COUNT, better)


def _total(column: str, view: View, _options: Options) -> Values:
    return view.total(column)
