"""The table that the scorer of 2014 prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import ROUND_HALF_UP, Context, Decimal

from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.cat.rows import STRICTNESS, TEMPEVAL, TLINK, attribute_name
from pytest_nlpeval.wording import printable

_FIGURES = ("tp", "fp", "fn", "recall", "precision", "f1")
_HEADER = "TP\tFP\tFN\trecall\tprecision\tF1-score\t"

_ROUNDING = Context(prec=330, rounding=ROUND_HALF_UP, traps=[])
"""Has room for all digits of a float, the greatest of which has 309 before the point."""


def native(reported: Reported) -> str:
    """Return the tab-separated table: a block `Markables` and one `Relations`, each in the order of the configuration.

    Shares are rounded to three decimals, halves away from zero; a value that does not exist is left empty. Attributes have cells only in
    rows with true positives, and a relaxed row of relations is there only if it has some.
    """
    scores, signature = reported.values, reported.signature
    lines = [f"number of files: {reported.documents}", "", f"Markables\t{_HEADER}F1-score attribute\t"]
    for name, *attributes in _named(signature["markables"]):
        for row, title in zip(STRICTNESS, (name, f"{name}(relaxed match)"), strict=True):
            lines += _row(scores, title, f"{name}.{row}", attributes)
    lines += ["", "", f"Relations\t{_HEADER}"]
    for name, *_ in _named(signature["relations"]):
        relaxed = f"{name} (relaxed match)" if name == TLINK else f"{name}(relaxed match)"
        lines += _row(scores, f"{TLINK} (tempeval evaluation)", TEMPEVAL) if name == TLINK else ()
        lines += _row(scores, name, f"{name}.strict")
        lines += _row(scores, relaxed, f"{name}.relaxed") if scores.get(f"{name}.relaxed.tp") else ()
    return "\n".join([*lines, ""])


def _named(names: str) -> Iterator[list[str]]:
    """Yield each NAME with its attributes."""
    yield from (entry.split("+") for entry in printable(names).split(",") if entry)


def _row(scores: Mapping[str, float | None], title: str, row: str, attributes: Iterable[str] = ()) -> Iterator[str]:
    """Yield a row's two lines, title and figures; none if the row was not scored."""
    if f"{row}.tp" not in scores:
        return
    names = list(attributes)
    tp, *figures = (scores[f"{row}.{figure}"] for figure in _FIGURES)
    values = [*figures, *(scores[attribute_name(row, name)] for name in names if tp)]
    yield "\t".join([title, *[""] * 6, *names, ""])
    yield "\t".join(["", f"{tp or 0:.0f}", *map(_shown, values), ""])


def _shown(value: float | None) -> str:
    if value is None:
        return ""
    return str(float(Decimal(value).quantize(Decimal("0.001"), context=_ROUNDING)))
