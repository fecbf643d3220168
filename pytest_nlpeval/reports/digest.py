"""The digest of a run's report: what every format tells, in the same order, with the same words and digits.

How to use it. `digest_of(report)` returns a `Digest`; a format only lays it out. All texts are ready to be shown, but for escaping:
they may hold names and text from files. Numbers are texts made by `numbers`; the numbers themselves stay in `MeasureRow.score`,
`Limit.gate` and `SuiteDigest.suite`.

- The `text` of `Digest.verdict` counts what failed: `4 of 11 gates failed in 1 of 2 suites`. `Digest.failed` are suites that failed, the
  worst first; `Digest.passed` the others, by name. `Digest.worst` is the first failed suite's headline for an alert.
- `SuiteDigest.sentence` opens a suite. `rows` has one row for each gated measure: failed, then informational ones that fail, then
  passed; within these, measures of everything before those of a group, and the greatest drop first. `failing` are the first two
  kinds, `within` the passed ones, `moved` those of them that dropped more than chance explains.
- `SuiteDigest.growth` tells what became worse by kind: `reason`, `pair` (gold → system), `group`, `document`, each with counts
  `then` (None without a baseline) and `today`, `newly_wrong` and `newly_right`; the greatest growth first.
- `SuiteDigest.examples` are the items to show, the commonest kind of the growth first, spread over documents. Take the first five.
- `SuiteDigest.baseline` and `today` say since when; `since` the commit where the measure fell, if anybody asked for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from pytest_nlpeval.numbers import count, day, figure, short_commit
from pytest_nlpeval.reports.digest_parts import OF_SUITE, Example, Growth, MeasureRow, Verdict, places_of
from pytest_nlpeval.reports.examples import examples_of
from pytest_nlpeval.reports.growth import growth_of
from pytest_nlpeval.reports.judged import badness, counts_of, measure_rows
from pytest_nlpeval.reports.model import BaselineReport, Report, SuiteReport
from pytest_nlpeval.reports.sentences import errors_of, headline, reason_of, suite_sentence
from pytest_nlpeval.reports.since import SinceReport
from pytest_nlpeval.wording import plural

MOST_EXAMPLES = 5
"""How many examples of a suite stand open."""


class SuiteDigest(NamedTuple):
    """What is told of a suite; `verdict` has the counts of its gates."""

    name: str
    suite: SuiteReport
    verdict: Verdict
    sentence: str
    rows: Sequence[MeasureRow]
    growth: Sequence[Growth]
    examples: Sequence[Example]
    baseline: str
    since: str

    @property
    def fails(self) -> bool:
        """Whether the suite makes the run fail."""
        return self.suite.outcome != "ok"

    @property
    def documents(self) -> str:
        """How many documents the suite has: `3 documents`."""
        return plural(self.suite.cases.total, "document")

    @property
    def in_brief(self) -> str:
        """A suite that passed in a line: `3 documents: All gates passed; …`; of one without gates how many documents are valid."""
        return f"{self.documents}: {self.sentence}" if self.sentence else self.verdict.text

    @property
    def failing(self) -> list[MeasureRow]:
        """The rows of measures that fail, informational ones last."""
        return [row for row in self.rows if row.verdict != "passed"]

    @property
    def within(self) -> list[MeasureRow]:
        """The rows of measures that are within their limits."""
        return [row for row in self.rows if row.verdict == "passed"]

    @property
    def moved(self) -> list[MeasureRow]:
        """The rows of measures within their limits that are worse than chance explains."""
        return [row for row in self.within if row.has_dropped]

    @property
    def worst(self) -> MeasureRow | None:
        """The row that fails the suite most, None if no gate fails it."""
        return next((row for row in self.rows if row.fails), None)

    @property
    def newly_wrong(self) -> int | None:
        """How many items are newly wrong, None if nobody can say."""
        return self.suite.changes.counts.get("newly_wrong", 0) if self.suite.changes else None

    @property
    def newly_right(self) -> int | None:
        """How many items are newly right, None if nobody can say."""
        return self.suite.changes.counts.get("newly_right", 0) if self.suite.changes else None

    @property
    def headline(self) -> str:
        """The worst measure in a few words: `micro.f1 0.654, was 0.877`; "" if no gate fails the suite, as the verdict then says why."""
        return headline(self.worst)

    @property
    def grown_most(self) -> str:
        """The kinds that grew most, of two sorts: `group QA 12 → 25, gold → system TRUE → FALSE 19 → 54`; "" if nothing grew."""
        return ", ".join([f"{growth.title} {growth.grown[0].text}" for growth in self.growth if growth.grown][:2])

    @property
    def closing(self) -> str:
        """What a tired reader wants of a failed suite: what failed, by how much, by chance or not, which items, since when."""
        facts = [self.verdict.text, self.headline]
        if self.worst is not None:
            drop = f"drop {self.worst.drop}" if self.worst.score.drop else ""
            p = f"p {self.worst.p.removeprefix('p ')}" if self.worst.p[:1] in ("<", ">") else f"p = {self.worst.p}"
            limits = ", ".join(limit.told for limit in self.worst.broken_limits)
            is_judged = not reason_of(self.worst)
            facts[1:] = [", ".join(filter(None, (self.headline, drop, p if self.worst.p else "", limits if is_judged else "")))]
        if self.newly_wrong:
            facts.append(f"{plural(self.newly_wrong, 'item')} newly wrong")
        if self.grown_most:
            facts.append(f"most: {self.grown_most}")
        if self.baseline:
            facts.append(f"baseline {self.baseline}")
        return "; ".join(filter(None, facts))

    def examples_title(self, where: str = "") -> str:
        """Return what the examples are: `Newly wrong, 5 of 237 (95 newly right)`, or `Newly wrong in news, 5 of 237`."""
        if self.newly_wrong:
            right = f" ({count(self.newly_right or 0)} newly right)" if self.newly_right else ""
            if not self.examples:
                return f"Newly wrong{where}: {count(self.newly_wrong)}{right}"
            return f"Newly wrong{where}, {min(MOST_EXAMPLES, len(self.examples))} of {count(self.newly_wrong)}{right}"
        wrong = sum(self.suite.explained.counts.values())
        return f"Wrong{where}, {min(MOST_EXAMPLES, len(self.examples))} of {count(wrong)}"


class Digest(NamedTuple):
    """What is told of a run; `today` says what was judged."""

    report: Report
    verdict: Verdict
    failed: Sequence[SuiteDigest]
    passed: Sequence[SuiteDigest]
    today: str

    @property
    def suites(self) -> list[SuiteDigest]:
        """All suites, the worst first."""
        return [*self.failed, *self.passed]

    @property
    def worst(self) -> SuiteDigest | None:
        """The suite that failed most."""
        return next(iter(self.failed), None)


def digest_of(report: Report, suites: Sequence[SuiteReport] | None = None) -> Digest:
    """Return the digest of a report; `suites` are its suites where paths are shown in another way than the report has them."""
    today = report.checkout.date if report.checkout else ""
    digests = [suite_digest(suite, today) for suite in (report.suites if suites is None else suites)]
    failed = sorted((digest for digest in digests if digest.fails), key=lambda digest: (badness(digest.rows), digest.name))
    passed = sorted((digest for digest in digests if not digest.fails), key=lambda digest: digest.name)
    return Digest(report, verdict_of(report), failed, passed, today_of(report))


def suite_digest(suite: SuiteReport, today: str = "") -> SuiteDigest:
    """Return what is told of a suite; `today` is the day of the commit that was judged, "" if nobody knows."""
    rows = measure_rows(suite)
    growth = growth_of(suite)
    worst = next((row for row in rows if row.fails), None)
    return SuiteDigest(
        suite.name,
        suite,
        _suite_verdict(suite),
        suite_sentence(suite, worst, rows),
        rows,
        growth,
        examples_of(suite, growth),
        baseline_of(suite.baseline, today),
        since_of(suite.since),
    )


def _suite_verdict(suite: SuiteReport) -> Verdict:
    gates = counts_of(suite.gates)
    failed = int(suite.outcome != "ok")
    return Verdict(
        not failed, gates, suite.cases.total, suite.cases.failed, 1, failed, errors=places_of(errors_of(suite), OF_SUITE)
    )


def verdict_of(report: Report) -> Verdict:
    """Return the verdict on all suites of a report."""
    suites = report.suites
    of_suites = OF_SUITE if len(suites) == 1 else "of suites themselves"
    return Verdict(
        report.passed,
        counts_of(gate for suite in suites for gate in suite.gates),
        sum(suite.cases.total for suite in suites),
        sum(suite.cases.failed for suite in suites),
        len(suites),
        sum(suite.outcome != "ok" for suite in suites),
        errors=[
            *places_of((problem for problem in report.problems if problem.severity == "error"), "of the run itself"),
            *(place for suite in suites for place in places_of(errors_of(suite), of_suites)),
        ],
        warnings=sum(problem.severity == "warning" for problem in report.problems),
    )


def baseline_of(baseline: BaselineReport | None, today: str = "") -> str:
    """Return what a suite was compared with: `a32c40b Good, Ann, 1 Nov 2026 (git:HEAD)`, or that it was not; "" without a baseline.

    The age of a file is told, and how much older or younger than the commit of `today` a commit is, if the days differ.
    """
    if baseline is None:
        return ""
    if baseline.reason:
        return f"{baseline.source}, not compared"
    when = day(baseline.date or baseline.written)
    age = plural(baseline.age_days, "day") + " old" if baseline.age_days else _apart(baseline.date, today)
    facts = _commit_text(baseline.commit, baseline.subject, baseline.author, when)
    named = f"{facts} ({baseline.source})" if facts else baseline.source
    return f"{named}, {age}" if age else named


def _apart(then: str, today: str) -> str:
    """Return how many days lie between two commits: `24 days before today's commit`; "" for none, and for what is no day."""
    try:
        days = (date.fromisoformat(today[:10]) - date.fromisoformat(then[:10])).days
    except ValueError:
        return ""
    return f"{plural(abs(days), 'day')} {'before' if days > 0 else 'after'} today's commit" if days else ""


def since_of(since: SinceReport | None) -> str:
    """Return since when a measure is as low as it is; "" if nobody asked."""
    if since is None:
        return ""
    fell = f"{since.measure} went from {figure(since.before)} to {figure(since.value)}"
    if not since.commit:
        return f"{fell} in files that are not committed"
    return f"{fell} at {_commit_text(since.commit, since.subject, since.author, day(since.date))}"


def today_of(report: Report) -> str:
    """Return what was judged: files that lie on the commit at HEAD, and the branch; "" outside of a repository."""
    checkout = report.checkout
    if checkout is None:
        return ""
    facts = _commit_text(checkout.commit, checkout.subject, checkout.author, day(checkout.date))
    branch = f" ({checkout.branch})" if checkout.branch else ""
    return f"working copy on {facts}{branch}"


def _commit_text(name: str, subject: str, author: str, when: str) -> str:
    head = " ".join(filter(None, (short_commit(name), subject)))
    return ", ".join(filter(None, (head, author, when)))
