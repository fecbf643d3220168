"""The report that scikit-learn prints: `classification_report`, without its last column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_nlpeval.wording import printable

_FIGURES = ("precision", "recall", "f1")
_HEADER = ("precision", "recall", "f1-score")
_AVERAGES = ("micro", "macro", "weighted", "samples")


def native(scores: Mapping[str, float | None], signature: Mapping[str, str], _documents: int) -> str:
    """Return precision, recall and F1 of each label and of the averages, in two decimals; of the kind score a line for each measure.

    What has no value is left empty. The column `support` is missing: numbers of items are no measures. Groups are left out.
    """
    own = {name: value for name, value in scores.items() if not name.startswith("group.")}
    if signature["kind"] == "score":
        width = max(map(len, own))
        return "".join(f"{name:>{width}} {'' if value is None else f'{value:.4f}'}\n" for name, value in own.items())
    rows = [name.removesuffix(f".{_FIGURES[0]}") for name in own if name.endswith(f".{_FIGURES[0]}")]
    labels, averages = ([row for row in rows if (row in _AVERAGES) is is_average] for is_average in (False, True))
    if "accuracy" in own:
        averages.remove("micro")
    averages.sort(key=_AVERAGES.index)
    titles = {**{label: printable(label) for label in labels}, **{average: f"{average} avg" for average in averages}}
    width = max(map(len, titles.values()))
    lines = [_row("", _HEADER, width), ""]
    lines += (_row(titles[label], _figures(own, label), width) for label in labels)
    lines += [""]
    if "accuracy" in own:
        lines.append(_row("accuracy", ["", "", _shown(own["accuracy"])], width))
    lines += (_row(titles[average], _figures(own, average), width) for average in averages)
    return "\n".join([*lines, ""])


def _figures(scores: Mapping[str, float | None], row: str) -> list[str]:
    return [_shown(scores[f"{row}.{figure}"]) for figure in _FIGURES]


def _row(title: str, cells: Sequence[str], width: int) -> str:
    return "".join([f"{title:>{width}} ", *(f" {cell:>9}" for cell in cells)]).rstrip()


def _shown(value: float | None) -> str:
    return "" if value is None else f"{value:0.2f}"
