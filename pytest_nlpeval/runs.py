"""Runs: what became of a suite's files at one time, now, at a revision of git, or when a baseline file was written."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal, Self

from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.foreign import is_guarded
from pytest_nlpeval.light_dataclasses import frozen_dataclass, light_dataclass
from pytest_nlpeval.problems import NlpevalError, Problem
from pytest_nlpeval.wording import plural

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence
    from pytest_nlpeval.metrics.partners import GoldChange, Items

Outcome = Literal["ok", "failed", "set-up"]
"""How a case or suite went: `failed` is the system's fault, `set-up` the user's (gold, configuration); the latter is worse."""


LONGEST_REASON = 300
"""How many code points of an exception's text `misfit` tells."""


@frozen_dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of one document: the problems by role, and why units are not right, None if nobody asked for that.

    `gold_change` says how the gold of an old output differs from today's, None where it does not. `digests` are those of the files that
    could be read, by role (SHA-256), if anybody asked for them.
    """

    name: str
    problems: Mapping[str, tuple[Problem, ...]]
    explanations: Explanations | None
    outcome: Outcome
    gold_change: GoldChange | None = None
    digests: Mapping[str, str] = field(default_factory=dict)

    def all_problems(self) -> tuple[Problem, ...]:
        """Return the problems of all files, in the order of the task's roles."""
        return tuple(problem for problems in self.problems.values() for problem in problems)

    def failures(self) -> tuple[Problem, ...]:
        """Return the errors of the task's own functions, which may be others next time."""
        return tuple(problem for problem in self.all_problems() if problem.code == "task.failed")

    def error_codes(self) -> tuple[str, ...]:
        """Return the codes of its errors, each once."""
        return tuple(dict.fromkeys(problem.code for problem in self.all_problems() if problem.severity == "error"))


@light_dataclass(frozen=True, slots=True)
class Part:
    """What became of some cases of a suite: `evidence` is that of all of them that have any, merged; None if none has.

    A case has none if a file has errors, or if files of some role were not given.
    """

    cases: tuple[CaseResult, ...]
    evidence: Evidence | None

    @classmethod
    def of(cls, parts: Collection[Part]) -> Self:
        """Return one part of all cases of the parts, in their order."""
        from pytest_nlpeval.evidence import Evidence

        tables = [part.evidence for part in parts if part.evidence is not None]
        cases = tuple(case for part in parts for case in part.cases)
        return cls(cases, Evidence.merge(tables) if tables else None)

    def numbered(self) -> Self:
        """Return the part with a key of its own for each item of a document that is explained."""
        numbered = [case.explanations and case.explanations.numbered() for case in self.cases]
        if all(own is case.explanations for own, case in zip(numbered, self.cases, strict=True)):
            return self
        cases = (replace(case, explanations=own) for case, own in zip(self.cases, numbered, strict=True))
        return replace(self, cases=tuple(cases))

    def unexplained(self) -> Self:
        """Return the part without explanations."""
        if all(case.explanations is None for case in self.cases):
            return self
        return replace(self, cases=tuple(replace(case, explanations=None) for case in self.cases))


@light_dataclass(frozen=True, slots=True)
class Circumstances:
    """What evidence depends on besides the system's files: two sets of evidence under the same circumstances can be compared.

    `options` and `rules` (the severity per problem code) go by name. `gold` has a digest of each document's gold-side files.
    """

    task: str
    scorer: str
    options: Mapping[str, Any]
    rules: Mapping[str, str]
    gold: Mapping[str, str] = field(default_factory=dict)

    def differences(self, now: Circumstances) -> list[str]:
        """Return in words what is another thing now; nothing if results can be compared. A document on one side only is no difference."""
        pairs = [("task", self.task, now.task), ("scorer's version", self.scorer, now.scorer)]
        pairs += _pairs("option", self.options, now.options) + _pairs("rule", self.rules, now.rules)
        facts = [
            f"the {name} was {json.dumps(before, sort_keys=True)[:60]} and is {json.dumps(after, sort_keys=True)[:60]}"
            for name, before, after in pairs
            if before != after
        ]
        if changed := self.changed_gold(now):
            more = ", …" if len(changed) > 3 else ""
            facts.append(f"the gold files of {plural(len(changed), 'document')} changed ({', '.join(changed[:3])}{more})")
        return facts

    def changed_gold(self, now: Circumstances) -> list[str]:
        """Return the documents of both whose gold-side files are others now."""
        return [name for name in self.gold if now.gold.get(name, self.gold[name]) != self.gold[name]]


def _pairs(kind: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
    return [(f"{kind} {name}", before.get(name), after.get(name)) for name in sorted({*before, *after})]


@light_dataclass(frozen=True, slots=True)
class Run:
    """What became of a suite's files at one time.

    `source` is what the user calls the time: `git:origin/main`, a baseline file's path, a system's name. `commit` is a revision's in git,
    or that at which a file was `written`, on that day in UTC;
    `subject`, `author` and `day` are the commit's, "" if nobody knows. `evidence` is None where nothing can be compared, for the `reason`;
    `is_new` says that this is because the source does not have the suite, and `former` names the one that has its files there, if any.
    Against today's suite, documents in `added` are only in today's, those in `vanished` are not in today's and had results, and those in
    `broken` have errors in their files of that time, of the kinds that `codes` names by document, and `failures` has the errors of the
    task's own functions among them, with task, function and place. `gold_changes` has the documents whose
    gold of that time is not today's: their evidence is over what both golds ask. `wrong` says by document why units are not right, None
    if nobody asked. `circumstances` are those that a baseline file tells, None where the evidence was counted under today's; `items` are
    those of its documents, with digests of what they ask and answer, as far as the file keeps them. `outputs` has a digest of each
    document's system files, and `unchanged` names the documents whose system files are the same bytes today, both as far as anybody
    needs to know.
    """

    source: str
    commit: str = ""
    evidence: Evidence | None = None
    reason: str = ""
    is_new: bool = False
    former: str = ""
    added: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    codes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    failures: Mapping[str, tuple[Problem, ...]] = field(default_factory=dict)
    gold_changes: Mapping[str, GoldChange] = field(default_factory=dict)
    wrong: Mapping[str, Explanations] | None = None
    circumstances: Circumstances | None = None
    items: Mapping[str, Items] = field(default_factory=dict)
    outputs: Mapping[str, str] = field(default_factory=dict)
    unchanged: frozenset[str] = frozenset()
    written: str = ""
    subject: str = ""
    author: str = ""
    day: str = ""

    @classmethod
    def of(cls, source: str, part: Part) -> Self:
        """Return the run in which these cases are all of the suite's."""
        wrong = {case.name: case.explanations for case in part.cases if case.explanations is not None}
        codes = {case.name: case.error_codes() for case in part.cases if case.outcome != "ok"}
        failures = {case.name: failed for case in part.cases if case.outcome != "ok" and (failed := case.failures())}
        changes = {case.name: case.gold_change for case in part.cases if case.gold_change is not None}
        whole = wrong if len(wrong) == len(part.cases) else None
        broken = tuple(sorted(codes))
        return cls(
            source, evidence=part.evidence, broken=broken, codes=codes, failures=failures, gold_changes=changes, wrong=whole
        )

    @property
    def problems(self) -> tuple[Problem, ...]:
        """The failures of the task in all documents."""
        return tuple(problem for failures in self.failures.values() for problem in failures)

    @property
    def why_none(self) -> str:
        """Why none of its documents has evidence, with the codes of their errors; "" if one has any."""
        if self.evidence:
            return ""
        if self.gold_changes and not self.codes:
            return f"{self.source}: the gold asks other things than it did then, in {plural(len(self.gold_changes), 'document')}"
        codes = sorted({code for codes in self.codes.values() for code in codes} | {problem.code for problem in self.problems})
        return f"{self.source}: no document of then can be scored" + (f": {', '.join(codes)}" if codes else "")


Evaluate = Callable[[Suite], Run]
"""Evaluates the cases of an earlier suite. The run has the evidence, and tells the documents that are broken and why units are wrong."""


def misfit(suite: Suite, evidence: Evidence) -> str:
    """Return why evidence that was read from a file cannot have been counted for a suite; "" if it can.

    Measures, notes or graphs of the suite's task cannot be worked out of it, a measure has a value beyond its range (see `check_values`),
    or a count is negative. A task of another package may count below 0, and no run holds its measures to their ranges; if it fails, it
    tells so itself when it is asked again.
    """
    from pytest_nlpeval.metrics.possible_values import check_counts, check_values

    task, options = suite.recipe.task, suite.recipe.options
    try:
        measures = suite.measures_of(evidence)
        if not is_guarded(task):
            check_counts(evidence)
            check_values(measures, evidence)
        list(task.notes(evidence, options, tuple(suite.cases[0].files) if suite.cases else ()) if task.notes else ())
        list(task.graphs(evidence, options) if task.graphs else ())
    except NlpevalError:
        return ""
    except Exception as error:  # noqa: BLE001 - measures raise anything for counts of another shape than the task's
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        return f"the counts are not of the task {suite.recipe.task.name}: {kind}{str(error)[:LONGEST_REASON]}"
    return ""
