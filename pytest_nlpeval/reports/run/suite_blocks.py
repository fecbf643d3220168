"""A suite as lines and tables: its sentence, its gated measures, what grew most, and examples."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from pytest_nlpeval.reports.blocks import OUTLINE, Block, Look, Said, Table, numbers
from pytest_nlpeval.reports.digest import MOST_EXAMPLES, SuiteDigest
from pytest_nlpeval.reports.digest_parts import Example, Growth, Limit, MeasureRow
from pytest_nlpeval.reports.model import ScoreReport, SuiteReport
from pytest_nlpeval.reports.sentences import reason_of
from pytest_nlpeval.reports.uncertainty import fewer_of_scores
from pytest_nlpeval.reports.view import passage_lines, worst_documents
from pytest_nlpeval.wording import plural

MARKS: Mapping[bool, str] = {True: "✓", False: "✗"}
"""What passed, and what failed."""

MARKS_OF_ROWS: Mapping[str, tuple[str, Look]] = {
    "failed": ("✗", "bad"),
    "unjudged": ("✗", "bad"),
    "informational": ("!", "warning"),
    "passed": ("✓", "good"),
}

MOST_KINDS = 4
"""How many kinds of a sort are told in a line."""

MARKED = 30
"""Code points around what is marked in a passage."""


def failed_suite(digest: SuiteDigest) -> Iterator[Block]:
    """Yield what is told of a suite that failed."""
    yield Said(f"{MARKS[False]} {_title(digest)}", "bad")
    yield Said(f"  {digest.sentence}", "", 0)
    yield from (Said(f"  {line}", "", 2) for line in since_lines(digest))
    if digest.failing:
        yield Said("")
        yield from measures_tables(digest, digest.failing)
    yield from _within(digest)
    yield from reason_lines(digest, told=reason_of(digest.worst))
    for block in item_blocks(digest):
        yield from ((Said(""), block) if block.look == "title" else (block,))


def item_blocks(digest: SuiteDigest, where: str = "") -> Iterator[Said]:
    """Yield what grew most, then examples, each below a title; `where` says that they are of a suite, beside what is of one gate."""
    yield from growth_lines(digest, where)
    if digest.examples:
        yield Said(f"  {digest.examples_title(where)}", "title")
        for example in digest.examples[:MOST_EXAMPLES]:
            yield from example_lines(example)


def passed_suite(digest: SuiteDigest) -> Iterator[Block]:
    """Yield what is told of a suite that passed: its measures, why gates hold that nobody would expect to, and what changed."""
    yield Said(f"{MARKS[True]} {_title(digest)}", "good")
    if digest.rows:
        yield from measures_tables(digest, digest.rows)
    yield from reason_lines(digest)
    if digest.newly_wrong or digest.newly_right:
        yield from item_blocks(digest)


def _title(digest: SuiteDigest) -> str:
    suite = digest.suite
    place = f"  {suite.config}:{suite.line}" if suite.config else ""
    documents = "" if digest.fails else f", {digest.documents}"
    return f"{digest.name} ({suite.task}): {digest.verdict.text or 'no gates'}{documents}{place}"


def since_lines(digest: SuiteDigest) -> list[str]:
    """Return the lines that say since when: the baseline, and the commit where the measure fell."""
    facts = {"baseline": digest.baseline, "since": digest.since}
    return [f"{name:<9} {fact}" for name, fact in facts.items() if fact]


def measures_tables(digest: SuiteDigest, rows: Sequence[MeasureRow]) -> Iterator[Block]:
    """Yield a row for each measure of a suite, and a line below if some of what is shown is of fewer resamples than the statistics say."""
    yield measures_table(rows)
    yield from fewer_lines(digest.suite, [row.score for row in rows])


def fewer_lines(suite: SuiteReport, scores: Collection[ScoreReport]) -> Iterator[Said]:
    """Yield a line if intervals or p-values of some scores are of fewer resamples than the statistics of their suite say."""
    fewer = fewer_of_scores(scores)
    if fewer and suite.statistics:
        yield Said(f"  {suite.statistics.resamples:,} resamples{fewer}", "faint", 2)


def measures_table(rows: Iterable[MeasureRow]) -> Table:
    """Return a row for each measure; of one that fails the limits that do not hold, each on a row."""
    today, baseline, drop, p = numbers("today", "baseline", "drop", "p")
    header = ("measure", today, baseline, drop, "interval", p, "limit")
    cells = [row for measure in rows for row in _cells(measure)]
    return Table(header, cells, ((p,), ("interval",), OUTLINE, (baseline,))).compact(baseline, drop, "interval", p)


def _cells(row: MeasureRow) -> Iterator[Sequence[Said | str]]:
    mark, look = MARKS_OF_ROWS[row.verdict]
    first, *others = list(map(_told, row.broken_limits or row.limits)) or [""]
    compared = (row.baseline, row.drop) if row.score.drop is not None else ("", "")
    yield (Said(f"{mark} {row.measure}", look), row.value, *compared, row.interval, row.p, first)
    yield from (("", "", "", "", "", "", told) for told in others)


def _told(limit: Limit) -> str:
    word = limit.verdict if limit.verdict == "unjudged" else ""
    note = "informational" if limit.is_informational else ""
    notes = ", ".join(filter(None, (word, note)))
    return limit.told + (f" ({notes})" if notes else "")


def _within(digest: SuiteDigest) -> Iterator[Said]:
    """Yield one line on the measures within their limits, and one on those that moved."""
    if digest.within:
        their = "its limits" if len(digest.within) == 1 else "their limits"
        yield Said(f"{MARKS[True]} {plural(len(digest.within), 'measure')} within {their}", "good")
    if digest.moved:
        told = ", ".join(f"{row.measure} {row.baseline} → {row.value}" for row in digest.moved[:MOST_KINDS])
        more = f", {len(digest.moved) - MOST_KINDS} more" if len(digest.moved) > MOST_KINDS else ""
        yield Said(f"  of these dropped, more than chance explains: {told}{more}", "", 2)


def reason_lines(digest: SuiteDigest, told: str = "") -> Iterator[Said]:
    """Yield a line for each reason that a limit has besides its distance, with the measures: why it is unjudged, or holds all the same.

    What is `told` already is left out.
    """
    reasons: dict[tuple[str, str], list[tuple[MeasureRow, Limit]]] = {}
    for row in digest.rows:
        for limit in row.limits:
            if limit.reason and limit.reason != told:
                reasons.setdefault((limit.verdict, limit.reason), []).append((row, limit))
    for (verdict, reason), judged in reasons.items():
        names = ", ".join(dict.fromkeys(f"{row.measure} {limit.text}" for row, limit in judged))
        place = f"{digest.suite.config}:{judged[0][1].gate.line}"
        yield Said(f"  {place}: {names}: {verdict}: {reason}", "" if verdict == "passed" else "bad", 2)


def growth_lines(digest: SuiteDigest, where: str = "") -> list[Said]:
    """Return what grew most, a line for each sort of kinds; without a baseline what is wrong, and the worst documents."""
    lines = [line for growth in digest.growth if (line := growth_line(growth))]
    is_compared = any(kind.then is not None for growth in digest.growth for kind in growth.kinds)
    told = [Said(f"    {line}", "", 2) for line in lines]
    if not is_compared and (worst := worst_documents(digest.suite)):
        told.append(Said(f"    {worst}", "", 2))
    title = f"What grew most{where} (wrong then → today)" if is_compared else f"What is wrong{where}"
    return [Said(f"  {title}", "title"), *told] if told else []


def growth_line(growth: Growth) -> str:
    """Return `reason: label 0 → 73, missed 58 → 73, 2 more`; "" if nothing grew."""
    grown = growth.grown
    if not grown:
        return ""
    more = f", {len(grown) - MOST_KINDS} more" if len(grown) > MOST_KINDS else ""
    return f"{growth.title}: {', '.join(kind.text for kind in grown[:MOST_KINDS])}{more}"


def example_lines(example: Example) -> Iterator[Said]:
    """Yield place, id and what is said of an item, then the text around what is marked in it."""
    yield Said(f"    {example.head}: {example.said}", "", 2)
    explanation = example.entry.explanation
    if text := marked_text(example):
        yield Said(f"      {text}", "faint", 0)
    else:
        yield from (Said(f"      {line.strip()}", "faint", 0) for line in passage_lines(explanation)[:2])


def marked_text(example: Example) -> str:
    """Return the text around what gold marks, or else the system, in brackets; "" if nothing is marked.

    >>> from pytest_nlpeval.explanations import Explanation, Passage
    >>> from pytest_nlpeval.reports.model import ExplanationReport
    >>> passage = Passage("The tunnel of Senn was renamed.", gold=((14, 18),))
    >>> marked_text(Example(ExplanationReport("d", Explanation("1", "missed", "", passage=passage)), "", ""))
    'The tunnel of [Senn] was renamed.'
    """
    passage = example.entry.explanation.passage
    if passage is None or not (passage.gold or passage.system):
        return ""
    start, end = min(passage.system or passage.gold)
    text = passage.text
    before, after = text[max(0, start - MARKED) : start], text[end : end + MARKED]
    head, tail = "…" * (start > MARKED), "…" * (end + MARKED < len(text))
    return " ".join(f"{head}{before}[{text[start:end]}]{after}{tail}".split())
