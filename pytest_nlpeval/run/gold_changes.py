"""Problems of documents and items that only the baseline was asked, or only today's suite is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pytest_nlpeval.config.checks import SUITE_KINDS
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.metrics.partners import GoldChange
from pytest_nlpeval.problems import Kind, Problem, ProblemLog
from pytest_nlpeval.runs import Run
from pytest_nlpeval.wording import plural, quoted

CHANGED, RENAMED, VANISHED = "baseline.gold-changed", "baseline.renamed", "baseline.vanished"


def gold_problems(suite: Suite, baseline: Run) -> tuple[Problem, ...]:
    """Return the problems of a baseline whose documents are gone, or whose gold is not today's."""
    change = sum(baseline.gold_changes.values(), GoldChange())
    is_other = _is_other_gold(baseline, change)
    kinds = {**SUITE_KINDS, CHANGED: Kind("error", "")} if is_other else SUITE_KINDS
    log = ProblemLog(suite.label, kinds, suite.recipe.rules)
    for code, message in (*_renamed(baseline), *_changed(baseline, change, is_other=is_other), *_vanished(baseline, change)):
        log.add(code, message, suite.line or None, None, suite.name)
    return log.problems()


def unless_incomparable(baseline: Run, problems: Iterable[Problem]) -> Run:
    """Return the baseline; without evidence if a problem of its gold is an error, since both runs were asked too little in common."""
    reasons = [problem.message for problem in problems if problem.code == CHANGED and problem.severity == "error"]
    return replace(baseline, evidence=None, reason=reasons[0]) if reasons else baseline


def gold_sentence(run: Run) -> str:
    """Return how the gold of a run differs from today's, in words; "" if what is compared does not."""
    change = sum(run.gold_changes.values(), GoldChange())
    return next((message for _, message in _changed(run, change, is_other=False)), "")


def _is_other_gold(baseline: Run, change: GoldChange) -> bool:
    """Whether less than half of the items of the old gold are still asked."""
    same = 0
    if baseline.evidence is not None:
        sizes = zip(baseline.evidence.documents, baseline.evidence.sizes, strict=True)
        same = sum(max(1, size) for document, size in sizes if document not in baseline.gold_changes)
    return 2 * (change.paired + same) < change.before + same


def _changed(baseline: Run, change: GoldChange, *, is_other: bool) -> Iterator[tuple[str, str]]:
    if not (change.added or change.corrected or change.before > change.paired):
        return
    facts = (
        (change.corrected, "have another answer, today's counts"),
        (change.outdated, "have another answer, with which the old output cannot be scored"),
        (change.added - change.outdated - _edited(change), "are new"),
        (change.gone, "are gone"),
        (_edited(change), "ask something else"),
    )
    told = ", ".join(f"{number:,} {what}" for number, what in facts if number > 0)
    names = sorted(baseline.gold_changes)
    where = f"{plural(len(names), 'document')} ({', '.join(names[:3])}{', …' if len(names) > 3 else ''})"
    compared = f"of {plural(change.before, 'item')} {change.paired:,} are compared"
    message = f"the gold of {where} changed since {baseline.source}: {compared}; {told}"
    if is_other and change.doubles:
        content, first, second = change.doubles
        message += f"; which item is which cannot be told, as {first} and {second} are the same"
        message += f": {quoted(content.strip())}" if content else ""
    cures = ["`nlpeval baseline update`"] if change.outdated else []
    cures += [f"`rules: {{{CHANGED}: warning}}`"] if is_other else []
    yield CHANGED, f"{message}; to accept it: {' or '.join(cures)}" if cures else message


def _renamed(baseline: Run) -> Iterator[tuple[str, str]]:
    if baseline.former:
        what = f"the suite is new in name only: {baseline.source} has its files under the name {quoted(baseline.former)}"
        yield (
            RENAMED,
            f"{what}; write `was: {baseline.former}` to compare with that, or accept it with `rules: {{{RENAMED}: warning}}`",
        )


def _edited(change: GoldChange) -> int:
    """Return how many items stand where a different item stood before."""
    return max(0, change.before - change.paired - change.outdated - change.gone)


def _vanished(baseline: Run, change: GoldChange) -> Iterator[tuple[str, str]]:
    if baseline.vanished:
        names = ", ".join(baseline.vanished[:3]) + (", …" if len(baseline.vanished) > 3 else "")
        what = f"{plural(len(baseline.vanished), 'document')} of {baseline.source} ({names}) had results and are no longer in the suite"
        yield VANISHED, f"{what}; restore them, or accept it with `rules: {{{VANISHED}: warning}}`"
    if change.gone:
        names = ", ".join(sorted(name for name, own in baseline.gold_changes.items() if own.gone)[:3])
        what = f"{plural(change.gone, 'item')} that {baseline.source} has results of are no longer in the gold ({names})"
        yield VANISHED, f"{what}; restore them, or accept it with `rules: {{{VANISHED}: warning}}`"
