"""The report of `nlpeval compare` (schemas/comparison.schema.json), and what is made of it for people and programs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from pytest_nlpeval import __version__
from pytest_nlpeval.reports.table import cell, csv_table, table
from pytest_nlpeval.reports.view import MOST_EXPLAINED, Json, passage_lines
from pytest_nlpeval.run.comparing import SideBySide
from pytest_nlpeval.wording import number, plural, printable

SCORES = ("measure", "system", "value", "", "low", "high")
DIFFERENCES = ("measure", "from", "to", "difference", "low", "high", "p", "adjusted", "")
CSV = ("suite", "measure", "system", "minus", "value", "low", "high", "p", "p_adjusted", "best", "groups", "reason")

_NOTES = {
    "missing": "without a file",
    "broken": "with errors in their files",
    "vanished": "no longer in the suite, left out",
}


def comparison_document(comparison: SideBySide) -> dict[str, Any]:
    """Return the report as a JSON document."""
    return {"version": 1, "tool": f"pytest-nlpeval {__version__}", **comparison.to_json()}


def comparison_text(report: Json) -> str:
    """Return what a person reads: scores with the best of each measure, differences of each pair, and what changed."""
    several = len(report["systems"]) > 2
    lines = [printable(f"{report['suite']}: {plural(len(report['systems']), 'system')}; {chance_sentence(report['statistics'])}")]
    lines += [printable(note) for system in report["systems"] for note in system_notes(system)]
    lines += [
        "",
        *table((*SCORES, "groups" if several else ""), _score_rows(report, several=several)),
        "",
        *table(DIFFERENCES, _difference_rows(report)),
        "",
    ]
    for pair in report["pairs"]:
        lines += map(printable, _change_lines(pair, report["statistics"]["resampled"], 0 if several else MOST_EXPLAINED))
    if several:
        lines += ["", group_sentence(report["statistics"])]
    return "\n".join(lines) + "\n"


def comparison_csv(report: Json) -> str:
    """Return a line for each measure and system, then for each two systems one with the difference of the first from the second."""
    return csv_table(CSV, (row for measure in report["measures"] for row in _csv_rows(report["suite"], measure)))


def group_sentence(statistics: Json) -> str:
    """Return what the letters of groups mean."""
    alpha = statistics["alpha"]
    return f"Systems of a measure that share a group's letter do not differ significantly (adjusted p above {alpha:g})."


def chance_sentence(statistics: Json) -> str:
    """Return in short how chance was judged."""
    confidence = statistics.get("confidence")
    interval = f"{100 * confidence:g} % intervals, " if confidence else ""
    return f"{interval}{statistics['resamples']:,} resamples of {statistics['resampled']}, seed {statistics['seed']}"


def system_notes(system: Json) -> Iterator[str]:
    """Yield which documents of a system could not be compared, and why."""
    for key, what in _NOTES.items():
        if names := system.get(key):
            shown = ", ".join(names[:3]) + (", …" if len(names) > 3 else "")
            yield f"{system['name']}: {plural(len(names), 'document')} {what}: {shown}"


def _score_rows(report: Json, *, several: bool) -> Iterator[tuple[str, ...]]:
    for measure in report["measures"]:
        head = measure["measure"]
        for score in measure["scores"]:
            best = "best" if score.get("best") else ""
            last = score.get("reason", " ".join(score["groups"]) if several else "")
            yield head, score["system"], number(score["value"]), best, number(score.get("low")), number(score.get("high")), last
            head = ""


def _difference_rows(report: Json) -> Iterator[tuple[str, ...]]:
    for measure in report["measures"]:
        head = measure["measure"]
        for found in measure["differences"]:
            facts = [signed(found[name]) if name in found else "-" for name in ("difference", "low", "high")]
            chances = [p_value(found.get(name)) for name in ("p", "p_adjusted")]
            significant = "significant" if found.get("p_adjusted", 1) <= report["statistics"]["alpha"] else ""
            yield head, found["first"], found["second"], *facts, *chances, significant
            head = ""


def signed(value: float | None) -> str:
    """Return a difference as shown, with its sign; `-` for none."""
    return "-" if value is None else f"{value:+.4f}"


def p_value(p: float | None) -> str:
    """Return a p-value as shown: three digits, `-` for none."""
    return "-" if p is None else f"{p:.3g}"


def _change_lines(pair: Json, resampled: str, most: int) -> Iterator[str]:
    """Yield how many units and items changed between two systems, then the first of them, newly wrong ones before all others."""
    changes = pair["changes"]
    yield f"from {pair['first']} to {pair['second']}: {pair_sentence(pair, resampled)}"
    order = list(changes["counts"])
    for change in islice(sorted(changes["first"], key=lambda change: order.index(change["change"])), most):
        yield from _change(change)
    total = sum(changes["counts"].values())
    if 0 < most < total:
        yield f"  … and {plural(total - most, 'more change')}: a JSON report has them"


def pair_sentence(pair: Json, resampled: str) -> str:
    """Return how many units, and how many items, differ between two systems."""
    units, changes = pair["units"], pair["changes"]
    facts = [f"{units['differing']:,} of {plural(units['paired'], resampled[:-1])} differ"]
    facts += [f"{units[name]:,} {name}" for name in ("added", "removed") if units[name]]
    facts += [f"{count:,} {sort.replace('_', ' ')}" for sort, count in changes["counts"].items()]
    uncertain = changes.get("uncertain", 0)
    return ", ".join(facts) + (f"; more is wrong in {plural(uncertain, 'document')} than is kept" if uncertain else "")


def _change(change: Json) -> Iterator[str]:
    sort, now, before = change["change"].replace("_", " "), change["now"], change["before"]
    sides = [side for side in (now, before) if side]
    place = ", ".join(filter(None, (change["case"], f"unit {change['unit']}" if change["unit"] else "")))
    told = " (before: ".join(f"{side['reason']}: {side['message']}" for side in sides) + (")" if len(sides) > 1 else "")
    yield f"  {sort}: {place}: {told}"
    yield from passage_lines(sides[0])


def _csv_rows(suite: str, measure: Json) -> Iterator[tuple[str, ...]]:
    for score in measure["scores"]:
        ends = cell(score.get("low")), cell(score.get("high"))
        best = "best" if score.get("best") else ""
        value = cell(score["value"])
        yield (
            suite,
            measure["measure"],
            score["system"],
            "",
            value,
            *ends,
            "",
            "",
            best,
            " ".join(score["groups"]),
            score.get("reason", ""),
        )
    for found in measure["differences"]:
        facts = [cell(found.get(name)) for name in ("difference", "low", "high", "p", "p_adjusted")]
        yield suite, measure["measure"], found["second"], found["first"], *facts, "", "", ""
