"""The report of `nlpeval compare` (schemas/comparison.schema.json), and what is made of it for people and programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pytest_nlpeval import __version__
from pytest_nlpeval.reports.blocks import OUTLINE, Block, Said, Table, joined
from pytest_nlpeval.reports.change_sentences import change_lines, changes_sentence
from pytest_nlpeval.reports.table import cell, csv_table
from pytest_nlpeval.reports.view import MOST_EXPLAINED, Json, of_count
from pytest_nlpeval.run.item_changes import Changes
from pytest_nlpeval.run.side_by_side import SideBySide
from pytest_nlpeval.wording import number, plural, signed, whole

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


def comparison_blocks(report: Json) -> list[Block]:
    """Return what a person reads: scores with the best of each measure, differences of each pair, and what changed."""
    several = len(report["systems"]) > 2
    title = f"{report['suite']}: {plural(len(report['systems']), 'system')}; {chance_sentence(report['statistics'])}"
    resampled, most = report["statistics"]["resampled"], 0 if several else MOST_EXPLAINED
    parts: list[Sequence[Block]] = [
        [Said(title, "title"), *(Said(note) for system in report["systems"] for note in system_notes(system))],
        [Table((*SCORES, "groups" if several else ""), list(_score_rows(report, several=several)), (OUTLINE, ("low", "high")))],
        [Table(DIFFERENCES, list(_difference_rows(report)), (OUTLINE, ("low", "high"), ("p",)))],
        [line for pair in report["pairs"] for line in _pair_lines(pair, resampled, most)],
    ]
    if several:
        parts.append([Said(group_sentence(report["statistics"]))])
    return joined(parts)


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


def _score_rows(report: Json, *, several: bool) -> Iterator[tuple[Said | str, ...]]:
    for measure in report["measures"]:
        head = measure["measure"]
        for score in map(of_count, measure["scores"]):
            best = Said("best", "good") if score.get("best") else ""
            last = score.get("reason", " ".join(score["groups"]) if several else "")
            yield head, score["system"], number(score["value"]), best, number(score.get("low")), number(score.get("high")), last
            head = ""


def _difference_rows(report: Json) -> Iterator[tuple[Said | str, ...]]:
    for measure in report["measures"]:
        head = measure["measure"]
        for found in measure["differences"]:
            facts = [signed(fact) for fact in difference_of(measure, found)]
            chances = [p_value(found.get(name)) for name in ("p", "p_adjusted")]
            significant = Said("significant", "warning") if found.get("p_adjusted", 1) <= report["statistics"]["alpha"] else ""
            yield head, found["first"], found["second"], *facts, *chances, significant
            head = ""


def difference_of(measure: Json, found: Json) -> list[float | None]:
    """Return the difference of two systems and the ends of its interval; of a count, whole numbers."""
    like = next((score["value"] for score in measure["scores"] if score["value"] is not None), None)
    return [whole(found.get(name), like) for name in ("difference", "low", "high")]


def p_value(p: float | None) -> str:
    """Return a p-value as shown: three digits, `-` for none."""
    return "-" if p is None else f"{p:.3g}"


def _pair_lines(pair: Json, resampled: str, most: int) -> Iterator[Said]:
    """Yield how many units and items changed between two systems, then the first of them."""
    yield Said(f"from {pair['first']} to {pair['second']}: {pair_sentence(pair, resampled)}")
    yield from (Said(f"  {line}") for line in change_lines(Changes.from_json(pair["changes"]), most))


def pair_sentence(pair: Json, resampled: str) -> str:
    """Return how many units, and how many items, differ between two systems."""
    units = pair["units"]
    facts = [f"{units['differing']:,} of {plural(units['paired'], resampled[:-1])} differ"]
    facts += [f"{units[name]:,} {name}" for name in ("added", "removed") if units[name]]
    return f"{', '.join(facts)}, {changes_sentence(Changes.from_json(pair['changes']))}"


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
