"""Groups of documents: what the option `group` tells of each document, as a column of the evidence."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from pytest_nlpeval.config.checks import SUITE_KINDS
from pytest_nlpeval.config.document_groups import KEY, DocumentGroups
from pytest_nlpeval.config.suite import File, Suite
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.files import FILE_KINDS
from pytest_nlpeval.group_measures import PREFIX
from pytest_nlpeval.kit import records
from pytest_nlpeval.kit.groups import groups_of
from pytest_nlpeval.problems import Problem, ProblemLog
from pytest_nlpeval.runs import CaseResult, Part
from pytest_nlpeval.wording import plural, quoted

_KINDS = {**FILE_KINDS, **records.record_kinds("group"), **SUITE_KINDS}


@dataclass(frozen=True, slots=True)
class Told:
    """The group of each document that has one, and what is wrong."""

    of_documents: Mapping[str, str]
    problems: tuple[Problem, ...]

    @property
    def error(self) -> str:
        """The first error, "" if there is none."""
        return next((problem.citation for problem in self.problems if problem.severity == "error"), "")


def told_groups(suite: Suite) -> Told:
    """Return the groups of the documents of a suite, none if it asks for none."""
    groups = suite.groups
    if groups is None:
        return Told({}, ())
    log = ProblemLog(groups.file.label if groups.file else suite.label, _KINDS, suite.recipe.rules)
    of_documents = _read(groups.file, suite, log) if groups.file else _given(groups, suite, log)
    if not log.has_errors:
        _check_documents(of_documents, [case.name for case in suite.cases], None if groups.file else suite.line or None, log)
    return Told({} if log.has_errors else of_documents, log.problems())


def with_groups(suite: Suite, whole: Part) -> Part:
    """Return what became of cases with the groups of the documents, and explanations that bear on the measures of their groups."""
    if suite.groups is None or whole.evidence is None:
        return whole
    from pytest_nlpeval.columns import GROUP, Categorical

    of_documents, evidence = told_groups(suite).of_documents, whole.evidence
    sizes = zip(evidence.documents, evidence.sizes, strict=True)
    column = Categorical.of(of_documents.get(document) for document, size in sizes for _ in range(size))
    cases = tuple(_bearing(case, of_documents.get(case.name)) for case in whole.cases)
    return replace(whole, cases=cases, evidence=replace(evidence, columns={**evidence.columns, GROUP: column}))


def _bearing(case: CaseResult, group: str | None) -> CaseResult:
    """Return a case whose explanations also bear on the measures of its group."""
    if case.explanations is None or group is None:
        return case
    first = tuple(
        explanation._replace(measures=(*explanation.measures, *(f"{PREFIX}{group}.{name}" for name in explanation.measures)))
        for explanation in case.explanations.first
    )
    return replace(case, explanations=Explanations(case.explanations.counts, first))


def _read(file: File, suite: Suite, log: ProblemLog) -> dict[str, str]:
    source = file.read(log, root=suite.recipe.root)
    if source is None:
        return {}
    items = (".",) if source.suffix == ".json" else ()
    of_file = records.File(source, records.Layout(id=("document",), items=items), records.Conventions.of("group"), log)
    if of_file.format == "lines":
        of_file.add("format", "is none of .tsv, .csv, .json and .jsonl; expected the columns document and group")
        return {}
    read = records.read_records(of_file, ["group", *(["value"] if items else [])])
    if read is None:
        return {}
    ids = records.read_ids(read, of_file)
    cells = read.cells("group")
    if items:  # an object of documents has each one's group as the value of its key
        cells = [cell if value is None else value for cell, value in zip(cells, read.cells("value"), strict=True)]
    return _named([name or "" for name in ids.names], cells, read.lines, log)


def _given(groups: DocumentGroups, suite: Suite, log: ProblemLog) -> dict[str, str]:
    return _named(list(groups.given), list(groups.given.values()), [suite.line] * len(groups.given), log)


def _named(names: Collection[str], cells: Collection[object], lines: Collection[int], log: ProblemLog) -> dict[str, str]:
    texts = [records.text_of(cell) for cell in cells]
    groups = groups_of(texts, list(lines), "group", "group.reserved", log)
    places = zip(names, groups.of_rows.tolist(), strict=True)
    return {name: groups.names[place] for name, place in places if place >= 0}


def _check_documents(of_documents: Collection[str], documents: Collection[str], line: int | None, log: ProblemLog) -> None:
    if unknown := sorted(set(of_documents) - set(documents)):
        message = f"{plural(len(unknown), 'document')} not in the suite: {_first(unknown)}"
        log.add("group.unknown-document", message, line, where=KEY)
    if lacking := sorted(set(documents) - set(of_documents)):
        message = f"{plural(len(lacking), 'document')} of the suite without a group, and in none: {_first(lacking)}"
        log.add("group.no-group", message, line, where=KEY)


def _first(names: Collection[str]) -> str:
    return ", ".join(map(quoted, list(names)[:3])) + (", …" if len(names) > 3 else "")
