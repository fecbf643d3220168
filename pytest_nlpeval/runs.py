"""Runs: what became of a suite's files at one time, now, at a revision of git, or when a baseline file was written."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self

from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.problems import Problem

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

Outcome = Literal["ok", "failed", "set-up"]
"""How a case or suite went: `failed` is the system's fault, `set-up` the user's (gold, configuration); the latter is worse."""


@dataclass(frozen=True, slots=True)
class CaseResult:
    """What became of one document: the problems by role, and why units are not right, None if nobody asked for that."""

    name: str
    problems: Mapping[str, tuple[Problem, ...]]
    explanations: Explanations | None
    outcome: Outcome

    def all_problems(self) -> tuple[Problem, ...]:
        """Return the problems of all files, in the order of the task's roles."""
        return tuple(problem for problems in self.problems.values() for problem in problems)


@dataclass(frozen=True, slots=True)
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


@dataclass(frozen=True, slots=True)
class Run:
    """What became of a suite's files at one time.

    `source` is what the user calls the time: `git:origin/main`, a baseline file's path, a system's name. `commit` is a revision's in git.
    `evidence` is None where nothing can be compared, for the `reason`; `is_new` says that this is because the source does not have the
    suite. Against today's suite, documents in `added` are only in today's, those in `vanished` are not in today's and had results, and
    those in `broken` have errors in their files of that time. `wrong` says by document why units are not right, None if nobody asked.
    """

    source: str
    commit: str = ""
    evidence: Evidence | None = None
    reason: str = ""
    is_new: bool = False
    added: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    wrong: Mapping[str, Explanations] | None = None

    @classmethod
    def of(cls, source: str, part: Part) -> Self:
        """Return the run in which these cases are all of the suite's."""
        wrong = {case.name: case.explanations for case in part.cases if case.explanations is not None}
        broken = tuple(sorted(case.name for case in part.cases if case.outcome != "ok"))
        return cls(source, evidence=part.evidence, broken=broken, wrong=wrong if len(wrong) == len(part.cases) else None)
