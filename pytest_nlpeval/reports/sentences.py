"""The sentence that opens a suite, made of its data: the measure that failed most, by how much, by chance or not, how many items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pytest_nlpeval.numbers import BEYOND_CHANCE, MAY_BE_CHANCE, TOLERANCE, count, exactly, figure, interval, p_equation
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports.digest_parts import OF_SUITE, Limit, MeasureRow, errors_told, places_of
from pytest_nlpeval.reports.judged import measure_row
from pytest_nlpeval.reports.model import NO_SCORE, GateReport, SuiteReport
from pytest_nlpeval.wording import plural

MOST_NAMED = 5
"""How many measures a sentence names."""

MOST_CITED = 3
"""How many errors a sentence names."""


def suite_sentence(suite: SuiteReport, worst: MeasureRow | None, rows: Sequence[MeasureRow]) -> str:
    """Return what became of a suite; of one that failed, what failed first, by how much, and whether it may be chance."""
    is_told = worst is not None and worst.verdict == "unjudged" and suite.cases.failed  # by the reason why it is
    sentences = [
        "" if is_told else _of_files(suite),
        _of_failed(suite, worst, rows) if worst else _of_passed(suite, rows),
        _of_items(suite),
    ]
    return " ".join(filter(None, sentences))


def headline(worst: MeasureRow | None) -> str:
    """Return the measure that failed most in a few words, `micro.f1 0.654, was 0.877`; "" if none failed."""
    return f"{worst.measure} {'unjudged' if reason_of(worst) else _then_and_today(worst)}" if worst else ""


def reason_of(worst: MeasureRow | None) -> str:
    """Return why the measure that failed a suite most is unjudged; "" if it is judged."""
    limit = None if worst is None else next((limit for limit in worst.limits if limit.gate.fails), None)
    return limit.reason if limit is not None and limit.verdict == "unjudged" else ""


def _then_and_today(row: MeasureRow) -> str:
    return f"{row.value}, was {row.baseline}" if row.score.baseline is not None else row.value


def failure_in_brief(row: MeasureRow) -> str:
    """Return what does not hold of a measure, without its name: `0.725, was 0.917: ≥ 0.8, short by 0.075`; "" if all holds."""
    broken = row.broken_limits
    unjudged = dict.fromkeys(limit.reason for limit in broken if limit.verdict == "unjudged")
    if unjudged:
        return f"unjudged: {'; '.join(unjudged)}"
    return f"{_then_and_today(row)}: {'; '.join(limit.told for limit in broken)}" if broken else ""


def errors_of(suite: SuiteReport) -> list[Problem]:
    """Return the errors that are in no document's files, as far as anybody can say: none while documents have errors in theirs."""
    return [] if suite.cases.failed else [problem for problem in suite.problems if problem.severity == "error"]


def _of_files(suite: SuiteReport) -> str:
    if suite.cases.failed:
        have = "has" if suite.cases.failed == 1 else "have"
        return f"{count(suite.cases.failed)} of {plural(suite.cases.total, 'document')} {have} errors in files."
    errors = errors_of(suite)
    cited = ", ".join(error.citation for error in errors[:MOST_CITED]) + (", …" if len(errors) > MOST_CITED else "")
    return f"{errors_told(places_of(errors, OF_SUITE))} ({cited})." if errors else ""


def _of_failed(suite: SuiteReport, worst: MeasureRow, rows: Sequence[MeasureRow]) -> str:
    """Say how the measure that failed most failed; of one that is unjudged, which others are so for the same reason."""
    reason = reason_of(worst)
    if not reason:
        return _of_measure(suite, worst)
    alike = [row.measure for row in rows if any(limit.reason == reason and limit.gate.fails for limit in row.limits)]
    more = f" and {plural(len(alike) - MOST_NAMED, 'more measure')}" if len(alike) > MOST_NAMED else ""
    return f"{', '.join(alike[:MOST_NAMED])}{more} {'is' if len(alike) == 1 else 'are'} unjudged: {reason.rstrip('.')}."


def _of_measure(suite: SuiteReport, row: MeasureRow) -> str:
    """Say how a measure compares with its baseline, and with the first limit that it breaks."""
    limit = next(limit for limit in row.limits if limit.gate.fails)
    if limit.gate.is_guard:
        reason = f": {limit.reason}" if limit.reason else ""
        return f"{row.measure}: {limit.told}{reason}."
    drop = row.score.drop
    if drop is None:
        return f"{row.measure} is {row.value}: {limit.told}."
    if abs(drop) <= TOLERANCE:
        return f"{row.measure} is {row.value} as in the baseline: {limit.told}."
    if drop < 0:
        return f"{row.measure} went from {row.baseline} to {row.value}, which is better, but {limit.told}."
    went = "fell" if row.score.better == "higher" else "rose"
    return f"{row.measure} {went} from {row.baseline} to {row.value}: {_drop(suite, row)}{_chance(row)}.{_value_limit(row)}"


def _drop(suite: SuiteReport, row: MeasureRow) -> str:
    """Return the drop, whether it is over a part of the items, its interval, and what is allowed."""
    score = row.score
    is_over_common = (
        score.drop is not None
        and score.baseline is not None
        and score.value is not None
        and abs(abs(score.value - score.baseline) - abs(score.drop)) > 1e-9
    )
    told = f"a drop of {row.drop}" + (" over what both runs have" if is_over_common else "")
    facts = []
    confidence = suite.statistics.confidence if suite.statistics else None
    if score.drop_low is not None and score.drop_high is not None:
        level = f"{100 * confidence:g} % " if confidence else ""
        facts.append(f"{level}interval {figure(score.drop_low)} to {figure(score.drop_high)}")
    allowed = next((limit for limit in row.limits if limit.gate.condition == "max_drop"), None)
    if allowed:
        facts.append(f"{exactly(allowed.gate.threshold)} is allowed")
    return f"{told} ({'; '.join(facts)})" if facts else told


def _chance(row: MeasureRow) -> str:
    judged = next((limit.gate.p_adjusted for limit in row.limits if limit.gate.p_adjusted is not None), row.score.p)
    if row.is_beyond_chance is None or judged is None:
        return ""
    words = BEYOND_CHANCE if row.is_beyond_chance else f"which {MAY_BE_CHANCE}"
    return f", {words} ({p_equation(judged)})"


def _value_limit(row: MeasureRow) -> str:
    """Return by how much the value itself is beyond what a gate asks; "" if it is not."""
    broken = [limit for limit in row.limits if limit.gate.fails and limit.gate.bounds_value]
    return f" It is {_of_limit(broken[0])}." if broken else ""


def _of_limit(limit: Limit) -> str:
    return (
        f"{limit.distance} of the limit {limit.text}"
        if limit.gate.condition == "min"
        else f"{limit.distance}; the limit is {limit.text}"
    )


def _of_passed(suite: SuiteReport, rows: Sequence[MeasureRow]) -> str:
    """Say that all gates passed, and which value is nearest to its limit."""
    near = [
        (limit.gate.distance, row.measure, limit)
        for row in rows
        for limit in row.limits
        if limit.gate.distance is not None and limit.verdict == "passed" and not limit.gate.is_guard and row.score.kind == "share"
    ]
    if suite.outcome != "ok" or not rows:
        return ""
    if not near:
        return "All gates passed."
    _, measure, limit = min(near, key=lambda fact: fact[:2])
    return f"All gates passed; the nearest to its limit is {measure}, {limit.distance} ({limit.text})."


def _of_items(suite: SuiteReport) -> str:
    if suite.changes is None:
        return ""
    wrong, right = (suite.changes.counts.get(sort, 0) for sort in ("newly_wrong", "newly_right"))
    if not wrong and not right:
        return ""
    least = "At least " if suite.changes.uncertain else ""
    return f"{least}{plural(wrong, 'item')} {'is' if wrong == 1 else 'are'} newly wrong, {count(right)} newly right."


def failure_lines(suite: SuiteReport, measure: str, gates: Sequence[GateReport], formula: str) -> list[str]:
    """Return what conditions of a measure that do not hold say: value, baseline, each limit, formula, and where the limits are set."""
    row = measure_row(measure, suite.score(measure) if measure in suite.scores else NO_SCORE, gates)
    value = row.value if row.score.value is not None else f"no value: {row.score.reason}" if row.score.reason else ""
    baseline = f"{row.baseline}: {_drop(suite, row)}{_chance(row)}" if row.score.drop else row.baseline
    interval_of_value = interval(row.score.shown("low"), row.score.shown("high"))
    facts = [
        ("today", f"{value} {interval_of_value}".rstrip()),
        ("baseline", baseline if row.score.baseline is not None else ""),
        *(("limit", told) for told in limit_sentences(row)),
        ("formula", formula),
        ("set at", ", ".join(dict.fromkeys(f"{suite.config}:{gate.line}" for gate in gates))),
    ]
    verdict = next((gate.verdict for gate in gates if gate.fails), gates[0].verdict)
    return [f"{measure} of {suite.name}: {verdict}", *(f"  {name:<10} {fact}" for name, fact in facts if fact)]


def limit_sentences(row: MeasureRow) -> Iterator[str]:
    """Yield each limit with its condition's name, the distance, and the reason for its verdict: `≥ 0.8 (min), short by 0.146`.

    A reason that several limits share is told once, and not at all if it is why there is no value.
    """
    told = {"", row.score.reason if row.score.value is None else ""}
    for limit in row.limits:
        facts = [f"{limit.text} ({limit.gate.condition})", limit.distance, limit.verdict if limit.verdict == "unjudged" else ""]
        reason = "" if limit.reason in told else f": {limit.reason}"
        told.add(limit.reason)
        yield ", ".join(filter(None, facts)) + reason
