"""Groups of documents: what the option `group` tells of each document, as a column of the evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pytest_nlpeval.config.checks import SUITE_KINDS
from pytest_nlpeval.config.document_groups import KEY
from pytest_nlpeval.config.suite import File, Suite
from pytest_nlpeval.explanations import Explanation
from pytest_nlpeval.files import FILE_KINDS
from pytest_nlpeval.group_measures import PREFIX
from pytest_nlpeval.kit import records
from pytest_nlpeval.kit.groups import GroupCodes, groups_of
from pytest_nlpeval.problems import Problem, ProblemLog
from pytest_nlpeval.runs import CaseResult, Part
from pytest_nlpeval.wording import plural, quoted

if TYPE_CHECKING:
    from pytest_nlpeval.evidence import Evidence

_KINDS = {**FILE_KINDS, **records.record_kinds("group"), **SUITE_KINDS}


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
    groups = suite.groups
    if groups is None:
        return Told({})
    log = ProblemLog(groups.file.label if groups.file else suite.label, _KINDS, suite.recipe.rules)
    line = None if groups.file else suite.line or None
    if groups.file:
        of_names = _read(groups.file, suite, log)
    else:
        of_names = _named(list(groups.given), list(groups.given.values()), [line] * len(groups.given), log)
    documents = [case.name for case in suite.cases]
    by_unit = len(documents) == 1 and documents[0] not in of_names
    if log.has_errors:
        return Told({}, log.problems())
    if not by_unit or evidence:
        _check_names(of_names, evidence.units if by_unit and evidence else documents, line, log)
    return Told(of_names, log.problems(), by_unit)


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


def _read(file: File, suite: Suite, log: ProblemLog) -> dict[str, str]:
    source = file.read(log, root=suite.recipe.root)
    if source is None:
        return {}
    items = (".",) if source.suffix == ".json" else ()
    layout = records.Layout(id=("document",), items=items)
    listed = records.File(source, layout, replace(records.Conventions.of("group"), has_options=False), log)
    if listed.format == "lines":
        listed.add("format", "is none of .tsv, .csv, .json and .jsonl; expected the columns document and group")
        return {}
    read = records.read_records(listed, ["group", *(["value"] if items else [])])
    if read is None:
        return {}
    ids = records.read_ids(read, listed)
    cells = read.cells("group")
    if items:  # an object of documents has each one's group as the value of its key
        cells = [cell if value is None else value for cell, value in zip(cells, read.cells("value"), strict=True)]
    return _named([name or "" for name in ids.names], cells, read.lines, log)


def _named(names: Sequence[str], cells: Sequence[object], lines: Sequence[int | None], log: ProblemLog) -> dict[str, str]:
    texts = [records.text_of(cell) for cell in cells]
    groups = groups_of(texts, lines, GroupCodes.of("group", unfit="group.reserved"), log)
    places = zip(names, groups.of_rows.tolist(), strict=True)
    return {name: groups.names[place] for name, place in places if place >= 0}


def _check_names(of_names: Collection[str], names: Collection[str], line: int | None, log: ProblemLog) -> None:
    """Log the documents that only the groups have, and those that have no group."""
    if unknown := sorted(set(of_names) - set(names)):
        log.add("group.unknown-document", f"{_said(unknown)} not in the suite", line, where=KEY)
    if lacking := sorted(set(names) - set(of_names)):
        log.add("group.no-group", f"{_said(lacking)} of the suite without a group, and in none", line, where=KEY)


def _said(names: Sequence[str]) -> str:
    more = ", …" if len(names) > 3 else ""
    return f"{plural(len(names), 'document')} ({', '.join(map(quoted, names[:3]))}{more})"
