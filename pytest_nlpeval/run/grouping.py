"""Groups of documents: what the option `group` tells of each document, as a column of the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.group_measures import PREFIX
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.runs import CaseResult, Part

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence


class Told(NamedTuple):
    """The group of each document that has one, and what is wrong.

    Where gold is one file of several documents, as in CoNLL-2012, these are units: `by_unit` says that the names are those of units.
    """

    of_names: Mapping[str, str]
    problems: tuple[Problem, ...] = ()
    by_unit: bool = False

    @property
    def error(self) -> str:
        """The first error, "" if there is none."""
        return next((problem.citation for problem in self.problems if problem.severity == "error"), "")

    def of_rows(self, evidence: Evidence) -> Iterator[str | None]:
        """Yield the group of each row."""
        if self.by_unit:
            return map(self.of_names.get, evidence.units)
        sizes = zip(evidence.documents, evidence.sizes, strict=True)
        return (self.of_names.get(document) for document, size in sizes for _ in range(size))


def told_groups(suite: Suite, evidence: Evidence | None) -> Told:
    """Return the groups of the documents of a suite, none if it asks for none; without evidence nobody knows of its units."""
    if suite.groups is None:
        return Told({})
    from pytest_nlpeval.run.group_reading import groups_of_documents  # few suites have groups

    return groups_of_documents(suite, suite.groups, evidence)


def with_groups(suite: Suite, whole: Part) -> Part:
    """Return what became of cases with the groups of the documents, and explanations that tell their groups and bear on their measures."""
    if whole.evidence is None:
        return whole
    from pytest_nlpeval.columns import GROUP, Categorical

    evidence = whole.evidence
    if suite.groups is not None:
        column = Categorical.of(told_groups(suite, evidence).of_rows(evidence))
        evidence = replace(evidence, columns={**evidence.columns, GROUP: column})
    bears = bool(evidence.categories(GROUP))  # explanations of a task that counts its groups itself name the measures already
    explained = {case.name for case in whole.cases if case.explanations is not None}
    if not explained or not (bears or _own_groups(evidence)):
        return replace(whole, evidence=evidence)
    names = {part.documents[0]: dict(_by_unit(part)) for part in evidence.split() if part.documents[0] in explained}
    cases = tuple(_grouped(case, names[case.name], bears=bears) if case.name in names else case for case in whole.cases)
    return replace(whole, cases=cases, evidence=evidence)


def _own_groups(evidence: Evidence) -> list[str]:
    """Return the groups of a task that counts them in columns `group.<name>`, which are 1 in the rows of the group."""
    names = (name.removeprefix(PREFIX) for name in evidence.columns if name.startswith(PREFIX))
    return [name for name in names if "." not in name]


def _by_unit(document: Evidence) -> Iterator[tuple[str, str | None]]:
    """Yield each unit of a document with its group; "" stands for any other name: the group that all units are in, if they are in one."""
    from pytest_nlpeval.columns import GROUP

    if document.categories(GROUP):
        groups = document.columns[GROUP].tolist()
    else:
        groups = [None] * len(document.units)
        for name in _own_groups(document):
            for row in document.column(f"{PREFIX}{name}").nonzero()[0].tolist():
                groups[row] = name
    yield "", groups[0] if len(set(groups)) == 1 else None
    yield from zip(document.units, groups, strict=True)


def _grouped(case: CaseResult, groups: Mapping[str, str | None], *, bears: bool) -> CaseResult:
    """Return a case whose explanations tell their groups and, if `bears`, also bear on the measures of these."""
    if case.explanations is None:
        return case
    first = tuple(
        _with_group(explanation, groups.get(explanation.unit, groups[""]), bears=bears) for explanation in case.explanations.first
    )
    return replace(case, explanations=replace(case.explanations, first=first))


def _with_group(explanation: Explanation, group: str | None, *, bears: bool) -> Explanation:
    if group is None:
        return explanation
    own = tuple(f"{PREFIX}{group}.{name}" for name in explanation.measures) if bears else ()
    return explanation._replace(group=group, measures=(*explanation.measures, *own))
