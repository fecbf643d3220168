"""What every format shows of a JSON report: rows, sentences and lines, worked out once.

All functions are pure functions of (parts of) the JSON report. Text in their results is as it is in the report: whoever shows it escapes it
for the place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from pytest_nlpeval.conditions import Standing, condition_of
from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.wording import from_here, number, plural, signed, whole

Json = Mapping[str, Any]

MOST_EXPLAINED = 5
"""How many explanations, or documents, a person is shown at once."""

MOST_COLUMNS = 4
"""How many figures of a document a person is shown at once."""


@dataclass(frozen=True, slots=True)
class Setting:
    """For whom a report is made: `limit` is the room in bytes; with `brief`, scores that no gate judges are left out.

    `roots` are the folders to which the paths of each suite are relative, in the order of the suites. Paths are then shown as seen
    from the current folder; without, as the report has them.
    """

    roots: Sequence[Path] = ()
    limit: int | None = None
    brief: bool = False

    def located(self, suites: Sequence[Json]) -> Sequence[Json]:
        """Return the suites of a report with their paths as they are shown."""
        if not self.roots:
            return suites
        return [located(suite, cache(partial(from_here, root=root))) for suite, root in zip(suites, self.roots, strict=True)]


def located(owner: Json, locate: Callable[[str], str]) -> Json:
    """Return a suite, or a report without its suites, in which every path is what `locate` makes of it, in reasons too."""

    def moved(entry: Json, key: str = "path") -> Json:
        return {**entry, key: locate(entry[key])} if entry.get(key) else entry

    found = {**moved(owner, "config"), "problems": [moved(problem) for problem in owner.get("problems", ())]}
    names = {
        _cited(old): _cited(new)
        for old, new in zip(owner.get("problems", ()), found["problems"], strict=True)
        if old["severity"] == "error"  # nothing else is cited
    }
    if "gates" in found:
        found["gates"] = [_reworded(gate, names) for gate in found["gates"]]
        found["scores"] = {name: _reworded(score, names) for name, score in found["scores"].items()}
    if "documents" in found.get("cases", {}):
        found["cases"] = {**found["cases"], "documents": [_renamed(entry, names) for entry in found["cases"]["documents"]]}
    if "explanations" in found:
        found["explanations"] = {**found["explanations"], "first": [moved(entry) for entry in found["explanations"]["first"]]}
    return found


def _cited(entry: Json) -> str:
    """Return how a reason cites a problem (see `run.conclusion`)."""
    problem = Problem.from_json(entry, entry["path"])
    return f"{problem.place}: {problem.code}"


def _renamed(document: Json, names: Mapping[str, str]) -> Json:
    if "problems" not in document:
        return document
    return {**document, "problems": [names.get(problem, problem) for problem in document["problems"]]}


def _reworded(entry: Json, names: Mapping[str, str]) -> Json:
    reason = entry.get("reason", "")
    cited = sorted((name for name in names if name in reason), key=len, reverse=True)
    if not cited:
        return entry
    return {**entry, "reason": re.sub("|".join(map(re.escape, cited)), lambda match: names[match.group()], reason)}


class GateRow(NamedTuple):
    """A condition of a suite as it is shown; `fails` says whether it makes the run fail, `place` is `path:line`.

    `low` and `high` are the ends of the value's interval, `baseline` and `drop` how it compares with the past; `-` where there is none.
    """

    measure: str
    value: str
    bound: str
    distance: str
    verdict: str
    is_informational: bool
    fails: bool
    reason: str
    place: str
    low: str
    high: str
    baseline: str
    drop: str

    @property
    def verdict_and_note(self) -> str:
        """The verdict, in capitals if it fails the run, and whether it is informational."""
        return (self.verdict.upper() if self.fails else self.verdict) + (" (informational)" if self.is_informational else "")


def bound_of(gate: Json) -> str:
    """Return what the condition demands: `>= 0.5`."""
    return condition_of(gate).bound


def distance_of(gate: Json) -> float | None:
    """Return how far the value is on the good side of the threshold; None without a value."""
    return whole(condition_of(gate).distance(Standing.from_json(gate)), gate["value"])


def fails(gate: Json) -> bool:
    """Whether a condition makes the run fail."""
    return gate["verdict"] != "passed" and not gate["informational"]


def gate_rows(suite: Json) -> list[GateRow]:
    """Return the rows of a suite's conditions in the order of the configuration's lines, those of one line in the report's order."""
    return [_gate_row(suite, gate) for gate in sorted(suite["gates"], key=lambda gate: int(gate["line"]))]


def _gate_row(suite: Json, gate: Json) -> GateRow:
    return GateRow(
        gate["measure"],
        number(gate["value"]),
        bound_of(gate),
        signed(distance_of(gate)),
        gate["verdict"],
        gate["informational"],
        fails(gate),
        gate["reason"],
        f"{suite['config']}:{gate['line']}",
        *chance_cells(suite.get("scores", {}).get(gate["measure"], {})),
    )


CHANCE = ("low", "high", "baseline", "drop")
"""What the cells of `chance_cells` are called."""


def chance_cells(score: Json) -> tuple[str, str, str, str]:
    """Return the ends of a score's interval, the baseline's value, and the drop from it, as they are shown."""
    score = of_count(score)
    low, high, baseline = (number(score.get(name)) for name in ("low", "high", "baseline"))
    return low, high, baseline, signed(score.get("drop"))


def of_count(score: Json) -> Json:
    """Return what is said of a score, or a gate; of a count, whole numbers beside the value as such: in the report they are floats."""
    return {name: whole(fact, score.get("value")) if name in CHANCE else fact for name, fact in score.items()}


def failure_lines(suite: Json, gate: Json, formula: str) -> list[str]:
    """Return what a condition that does not hold says: measure, value, threshold, distance, formula, and where the threshold is set."""
    distance = distance_of(gate)
    score = of_count(suite["scores"].get(gate["measure"], {}))
    value = f"no value: {gate['reason']}" if gate["value"] is None else _exact(gate["value"])
    facts = {
        "value": value,
        "interval": f"{_exact(score['low'])} to {_exact(score['high'])}" if "low" in score else "",
        "baseline": baseline_sentence(gate),
        "threshold": f"{bound_of(gate)} ({gate['condition']})",
        "distance": "" if distance is None else _exact(distance, "+"),
        "formula": formula,
        "set at": f"{suite['config']}:{gate['line']}",
    }
    return [
        f"{gate['measure']} of {suite['name']}: {gate['verdict']}",
        *(f"  {name:<10} {fact}" for name, fact in facts.items() if fact),
    ]


def _exact(value: float, sign: str = "") -> str:
    """Return a number with six decimals, a count without."""
    return f"{value:{sign}}" if isinstance(value, int) else f"{value:{sign}.6f}"


def baseline_sentence(gate: Json) -> str:
    """Return what a gate's baseline was, how great the drop is and how likely by chance; "" without one."""
    if gate.get("drop") is None:
        return ""
    gate = of_count(gate)
    chance = f", p = {gate['p']:.3g}" if "p" in gate else ""
    adjusted = f" ({gate['p_adjusted']:.3g} adjusted)" if "p_adjusted" in gate else ""
    word = "drop" if gate["drop"] > 0 else "gain" if gate["drop"] < 0 else "drop"
    return f"{_exact(gate['baseline'])}, {word} {_exact(abs(gate['drop']))}{chance}{adjusted}"


def verdict_sentence(report: Json) -> str:
    """Return one sentence: passed or failed, and how many gates and documents say so."""
    suites = report["suites"]
    word = "passed" if report["passed"] else "FAILED"
    problems = len(report.get("problems", ()))
    if problems and not suites:
        return f"{word}: no suite was run, {plural(problems, 'problem')}"
    gates = [gate for suite in suites for gate in suite["gates"]]
    bad = sum(map(fails, gates))
    documents, broken = (sum(suite["cases"][which] for suite in suites) for which in ("total", "failed"))
    return (
        f"{word}: {len(gates) - bad:,} of {plural(len(gates), 'gate')} hold or are informational, "
        f"{documents - broken:,} of {plural(documents, 'document')} valid, {plural(len(suites), 'suite')}"
    )


def problems_of(owner: Json) -> list[Problem]:
    """Return the problems of a suite, or those of the report that belong to no suite."""
    return [Problem.from_json(problem, problem["path"]) for problem in owner.get("problems", ())]


def note_lines(suites: Iterable[Json]) -> list[str]:
    """Return what must be known of suites besides their scores, a line each: `name: note`."""
    return [f"{suite['name']}: {note}" for suite in suites for note in suite.get("notes", ())]


def explanation_summary(suite: Json, measure: str = "") -> str:
    """Return how many things are wrong for which reason: `3 missed, 1 spurious`; "" if nothing is, or nobody asked.

    If a measure is given, these are the ones that bear on it; where the report does not have all of a reason, they are `at least` so many.
    """
    explained = suite.get("explanations", {"counts": {}, "first": ()})
    counts: Mapping[str, int] = explained["counts"]
    found = Counter(entry["reason"] for entry in explained["first"] if _bears_on(entry, measure)) if measure else counts
    cut = Counter(counts) - Counter(entry["reason"] for entry in explained["first"]) if measure else ()
    return ", ".join(f"{'at least ' * (reason in cut)}{count:,} {reason}" for reason, count in sorted(found.items()))


def explanation_lines(suite: Json, measure: str = "", most: int = MOST_EXPLAINED) -> list[str]:
    """Return the first explanations, of those that bear on a measure if one is given: `place: reason: message`.

    Those that the baseline does not have come first. A passage in which nothing is marked, such as the text and hypothesis of a pair,
    is a line of its own after them. If there are more explanations, the last line says so.
    """
    found = [entry for entry in suite.get("explanations", {}).get("first", ()) if not measure or _bears_on(entry, measure)]
    lines: list[str] = []
    for entry in sorted(found, key=lambda entry: "change" not in entry)[:most]:
        new = {"newly_wrong": "newly wrong: ", "otherwise_wrong": "in another way: "}.get(entry.get("change"), "")
        lines.append(f"{place_of(entry)}: {new}{entry['reason']}: {entry['message']}")
        lines += passage_lines(entry)
    if len(found) > most:
        lines.append(f"… and {plural(len(found) - most, 'more explanation')}: a JSON report has them")
    return lines


def passage_lines(entry: Json) -> list[str]:
    """Return the passage of an explanation, if it has one in which nothing is marked, as a line of its own."""
    passage = entry.get("passage")
    return [f"    {passage['text']}"] if passage and not (passage["gold"] or passage["system"]) else []


class DocumentRow(NamedTuple):
    """A document as it is shown: its figures in the order of the table's measures, or the errors in its files."""

    name: str
    figures: tuple[float | None, ...]
    explanations: int | None
    problems: Sequence[str]


class DocumentTable(NamedTuple):
    """The worst documents of a suite: the `measures` that are shown, the `rows`, and a sentence on those `left_out`, or ""."""

    measures: tuple[str, ...]
    rows: list[DocumentRow]
    left_out: str


def document_table(suite: Json, most: int, columns: int = MOST_COLUMNS) -> DocumentTable:
    """Return the worst documents of a suite of several; of a single one there is nothing to show that the scores do not."""
    cases = suite["cases"]
    listed = cases.get("documents", ())[:most] if cases["total"] > 1 else []
    scored = (entry["values"] for entry in listed if "values" in entry)
    measures = tuple(islice(next(scored, {}), columns))
    rows = [
        DocumentRow(
            entry["name"],
            tuple(entry.get("values", {}).get(measure) for measure in measures),
            entry.get("explanations"),
            entry.get("problems", ()),
        )
        for entry in listed
    ]
    more = len(cases.get("documents", ())) - len(rows) + cases.get("cut", 0) if rows else 0
    verb = "is" if more == 1 else "are"
    return DocumentTable(measures, rows, f"{plural(more, 'better document')} {verb} left out" if more else "")


def worst_documents(suite: Json, most: int = MOST_EXPLAINED) -> str:
    """Return the documents with the worst figures in one line: `worst documents by f1: d7 0.1200, d3 0.2500`; "" without any."""
    by = suite["cases"].get("by")
    if by is None:
        return ""
    rows = (entry for entry in suite["cases"]["documents"] if entry.get("values", {}).get(by) is not None)
    shown = [f"{entry['name']} {number(entry['values'][by])}" for entry in islice(rows, most)]
    return f"worst documents by {by}: {', '.join(shown)}" if suite["cases"]["total"] > 1 else ""


def _bears_on(entry: Json, measure: str) -> bool:
    return Explanation("", "", "", measures=tuple(entry.get("measures", ()))).bears_on(measure)


def place_of(entry: Json) -> str:
    """Return where an explanation is: `path:line`, or the document and the unit."""
    if entry["line"] and entry.get("path"):
        return f"{entry['path']}:{entry['line']}"
    parts = (entry["case"], f"line {entry['line']}" if entry["line"] else f"unit {entry['unit']}" if entry["unit"] else "")
    return ", ".join(filter(None, parts))


def failed_measures(suite: Json) -> Iterator[str]:
    """Yield the measures of the conditions that have a value and do not hold, each once, in the order of the rows."""
    failed = (row.measure for row in gate_rows(suite) if row.verdict == "failed")
    yield from dict.fromkeys(failed)


def has_gates(suites: Iterable[Json]) -> bool:
    """Whether the suites come from a configuration, so that there are gates to be shown."""
    return any(suite["config"] for suite in suites)
