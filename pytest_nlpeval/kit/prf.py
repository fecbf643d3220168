"""Precision, recall and F as three measures of a task.

Sources: van Rijsbergen, Information Retrieval, 1979, chapter 7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Literal, TypeAlias

from pytest_nlpeval.measures import SHARE, Measure, Range, Sample, Triple, Values
from pytest_nlpeval.metrics.prf import f1, ratio

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from pytest_nlpeval.evidence import Evidence

Figure: TypeAlias = Literal["precision", "recall", "f1"]
FIGURES: tuple[Figure, ...] = ("precision", "recall", "f1")

Count: TypeAlias = str | Callable[[Sample], Values]
"""A number of things, or a sum of credits: the total of a column of this name, or a function that gives it, shape `(R,)`."""

Functions: TypeAlias = Callable[[Figure], Callable[[Sample], Values]]
"""Gives the function of a measure for each figure."""

Texts: TypeAlias = Mapping[Figure, tuple[str, str, str]]
"""For each figure, in the order in which they are shown: definition, formula, and why there may be no value."""

TextsOrReasons: TypeAlias = "Mapping[Figure, tuple[str, str, str | Callable[[Evidence], str]]]"
"""The same, where evidence may have to tell why there is no value."""


def texts_of(names: Mapping[Figure, str], definition: str, formula: str, missing: str) -> Texts:
    """Return texts that differ in the figure alone: in all three, `{figure}` stands for it, and `{name}` for what a sentence calls it.

    >>> texts_of({"f1": "F"}, "Mean {name} of the labels.", "Σ <label>.{figure} / labels", "there is no label")
    {'f1': ('Mean F of the labels.', 'Σ <label>.f1 / labels', 'there is no label')}
    """
    return {
        figure: (
            definition.format(figure=figure, name=name),
            formula.format(figure=figure, name=name),
            missing.format(figure=figure, name=name),
        )
        for figure, name in names.items()
    }


def figure_of(figure: Figure, correct: ArrayLike, system: ArrayLike, gold: ArrayLike) -> Values:
    """Return a figure of numbers, which broadcast to one shape; NaN where its denominator is 0.

    >>> [figure_of(figure, 2, 4, 2).item() for figure in FIGURES]
    [0.5, 1.0, 0.6666666666666666]
    """
    if figure == "f1":
        return f1(correct, system, gold)
    return ratio(correct, system if figure == "precision" else gold)


def ratios_of(correct: Count, system: Count, gold: Count) -> Functions:
    """Return, for each figure, the function of a measure: `correct / system`, `correct / gold` or `2 * correct / (system + gold)`.

    `correct` is how much of the system's is right, `system` how much it gives and `gold` how much there is. NaN for 0 / 0.
    """
    return lambda figure: lambda sample: figure_of(figure, *(_number(count, sample) for count in (correct, system, gold)))


def _number(count: Count, sample: Sample) -> Values:
    return sample.total(count) if isinstance(count, str) else count(sample)


def prf(
    name: str,
    values: Functions,
    texts: TextsOrReasons,
    *,
    group: str | None = None,
    range: Range = SHARE,  # noqa: A002 - it is what a measure calls it
    precision_of_nothing: float = 0.0,
) -> Iterator[Measure]:
    """Yield three measures, `<name>.precision` and so on, or `precision` if `name` is "".

    `values` are `ratios_of` counts, or functions of the task's own where figures are no ratios of totals. `group` is the
    name, unless said otherwise. `precision_of_nothing` is the precision of output that has nothing in it, where that has any.

    >>> texts = {figure: (f"The {figure}.", "correct / ...", "nothing") for figure in FIGURES}
    >>> [measure.name for measure in prf("PER", ratios_of("correct", "system", "gold"), texts)]
    ['PER.precision', 'PER.recall', 'PER.f1']
    """
    for figure, (definition, formula, missing) in texts.items():
        yield Measure(
            f"{name}.{figure}" if name else figure,
            definition,
            formula,
            values(figure),
            missing,
            range,
            group=name if group is None else group,
            empty=precision_of_nothing if figure == "precision" else 0.0,
            triple=Triple(name, figure),
        )
