"""From a case to its result: its files are read, validated and counted, or their entry in the evidence store is taken."""

from __future__ import annotations

import gc
from collections.abc import Collection, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from itertools import groupby

from pytest_nlpeval.config.suite import Case, Kept, Recipe
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.files import Source
from pytest_nlpeval.foreign import TaskError, blamed
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.run.counting import Explaining, count_case, count_together, failed, outcome_of
from pytest_nlpeval.run.digest import digester
from pytest_nlpeval.run.postponed import Postponed
from pytest_nlpeval.run.reading import Read, read_all
from pytest_nlpeval.run.store import Entry, EvidenceStore
from pytest_nlpeval.runs import CaseResult, Part

WORTH_STORING = 512
"""How many bytes the files of a case have together, at least, if looking it up is to be quicker than counting it again."""

SMALL = 8 << 10
"""Below how many bytes of files a case is counted with its neighbours, if the task can: that is quicker than looking it up."""


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the garbage collector, which would walk documents again and again: they have no cycles, and reference counts free them."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@collector_paused()
def evaluate_cases(
    recipe: Recipe,
    cases: Sequence[Case],
    store: EvidenceStore | None = None,
    *,
    explain: bool = False,
    digests: bool = False,
    full: Container[Hashable] = (),
    postponed: Postponed | None = None,
) -> Part:
    """Return the results of some cases, with explanations if `explain`, and with digests of the files' bytes if `digests`.

    Of the sorts of explanations that are `full`, none need be there: the report of the suite has no room for them. `postponed` keeps what
    explains cases until somebody asks for it.

    Results for unchanged files come from the store. All files are read before the first is counted: cases come in batches of a bounded
    size.
    """
    explaining = Explaining(explain, full, None if postponed is None else {})
    try:
        with blamed(recipe.task):
            if explain and postponed and (part := postponed.explained(cases, full)):
                return part
            part = _evaluated(recipe, cases, store, explaining, digests=digests)
    except TaskError as error:
        nothing = (Part((CaseResult(case.name, {}, Explanations() if explain else None, "ok"),), None) for case in cases)
        return Part.of([failed(recipe, case, part, error) for case, part in zip(cases, nothing, strict=True)])
    if postponed and not explain:
        postponed.keep(cases, part, explaining)
    return part


def _evaluated(
    recipe: Recipe, cases: Sequence[Case], store: EvidenceStore | None, explaining: Explaining, *, digests: bool
) -> Part:
    files = read_all(recipe, cases)
    explaining.size = sum(len(source.data) for sources, _ in files for source in sources.values())
    of_files = [_digests(sources) for sources, _ in files] if digests else []  # counting drops the bytes
    digest = digester(recipe) if store is not None else None
    if store is None or digest is None:
        part = Part.of(list(_counted(recipe, cases, files, explaining)))
    else:
        keys = [b"" if unread or case.earlier else digest(sources) for case, (sources, unread) in zip(cases, files, strict=True)]
        part = _counted_or_stored(recipe, cases, files, keys, store, explaining)
    results = tuple(map(_located, part.cases, cases))
    if digests:
        results = tuple(replace(result, digests=own) for result, own in zip(results, of_files, strict=True))
    return replace(part, cases=results)


def _digests(sources: Mapping[str, Source]) -> dict[str, str]:
    return {role: sha256(source.data).hexdigest() for role, source in sources.items()}


def _located(result: CaseResult, case: Case) -> CaseResult:
    """Return a result whose problems stand where their content was given: those of records in memory at an element of a list."""
    if all(file.content is None for file in case.files.values()):
        return result
    problems = {
        role: tuple(map(case.files[role].located, of_role)) if role in case.files else of_role
        for role, of_role in result.problems.items()
    }
    return replace(result, problems=problems)


def _counted_or_stored(
    recipe: Recipe,
    cases: Sequence[Case],
    files: Sequence[Read],
    keys: Sequence[bytes],
    store: EvidenceStore,
    explaining: Explaining,
) -> Part:
    """Return the results of some cases, from the store as far as it has them; put all other results there.

    The store has an entry for all cases together, which is quick to look up, and an entry for each case, which serves when some files
    have changed. A case without a key is not stored, nor is a case that is quicker to count, alone or with its neighbours. Explanations
    that a result of this process has are not read again: those of a document that is today what it was in the baseline. An entry that
    lacks explanations serves only where the report has no room for them.
    """
    explain, full = explaining.at_once, explaining.full
    sizes = [sum(len(source.data) for source in sources.values()) for sources, _ in files]
    together = b""
    if len(cases) > 1 and all(keys) and sum(sizes) >= WORTH_STORING and not explain:
        together = sha256(repr([(case.name, key) for case, key in zip(cases, keys, strict=True)]).encode()).digest()
        entries = store.get([together])
        if together in entries and (part := _restored(recipe, cases, entries[together])):
            return part
    keys = [key if size >= WORTH_STORING else b"" for key, size in zip(keys, sizes, strict=True)]
    known = {key: kept for key, kept in store.explanations_of(keys).items() if _is_enough(kept, full)} if explain else {}
    entries = store.get([key for key in keys if key and key not in known], explain=explain)
    entries |= store.get(list(known)) if known else {}
    key_of = {case.name: key for case, key in zip(cases, keys, strict=True) if key}
    fresh: dict[bytes, Entry] = {}
    parts: list[Part] = []
    stored = (
        _restored(recipe, [case], entries[key], known.get(key), full) if key in entries else None
        for case, key in zip(cases, keys, strict=True)
    )
    for is_stored, run in groupby(zip(cases, files, stored, strict=True), key=lambda entry: entry[2] is not None):
        of_cases, of_files, restored = zip(*run, strict=True)
        if is_stored:
            parts += restored
            continue
        for part in _counted(recipe, of_cases, of_files, explaining, key_of):
            if len(part.cases) == 1 and part.cases[0].name in key_of and not _has_failed(part.cases):
                fresh[key_of[part.cases[0].name]] = entry_of(part)
            parts.append(part if explain else part.unexplained())  # what the store has must not show
    whole = Part.of(parts)
    of_documents = {
        case.name: case.explanations for case in whole.cases if case.explanations is not None and not _has_failed([case])
    }
    store.keep_explanations({key_of[name]: kept for name, kept in of_documents.items() if name in key_of})
    store.put(fresh | ({together: entry_of(whole)} if together and not _has_failed(whole.cases) else {}))
    return whole


def _counted(
    recipe: Recipe,
    cases: Sequence[Case],
    files: Sequence[Read],
    explaining: Explaining,
    keeps: Collection[str] = (),
) -> Iterator[Part]:
    """Yield what becomes of cases that are not taken from the store: of each, or of small neighbours at once, if the task can.

    Of what is counted at once no case is worth an entry of its own. `keeps` names the cases that are to have one otherwise.
    """
    for may_be_together, run in groupby(zip(cases, files, strict=True), key=lambda entry: _may_be_together(*entry)):
        of_run = list(run)
        at_once, failure = None, None
        if may_be_together and len(of_run) > 1:
            of_cases, of_files = zip(*of_run, strict=True)
            try:
                at_once = count_together(recipe, of_cases, of_files, explaining)
            except TaskError as error:
                failure = error
        if at_once is not None:
            yield at_once
            continue
        for case, read in of_run:
            part = _count(recipe, case, read, explaining, keeps=case.name in keeps)
            yield failed(recipe, case, part, failure) if failure else part


def _may_be_together(case: Case, read: Read) -> bool:
    return not case.earlier and sum(len(source.data) for source in read[0].values()) < SMALL


def _count(recipe: Recipe, case: Case, files: Read, explaining: Explaining, *, keeps: bool) -> Part:
    if isinstance(case.earlier, Kept):
        from pytest_nlpeval.run.kept_results import kept_results  # as what follows: only baselines have such cases

        return kept_results(recipe, case, case.earlier)
    if case.earlier:
        from pytest_nlpeval.run.old_output import count_old_output

        return count_old_output(recipe, case, case.earlier, explain=explaining.at_once)
    return count_case(recipe, case, files, explaining, keeps=keeps)


def _has_failed(cases: Iterable[CaseResult]) -> bool:
    """Whether a function of the task failed, which may be different next time."""
    return any(case.failures() for case in cases)


def entry_of(part: Part) -> Entry:
    """Return what is kept of some cases, in their order, without names and paths, which `results_of` takes from its cases."""
    explanations = [result.explanations.to_json() for result in part.cases if result.explanations is not None]
    return {
        "evidence": part.evidence.to_json() if part.evidence else None,
        "problems": [
            {role: [problem.to_json() for problem in problems] for role, problems in result.problems.items()}
            for result in part.cases
        ],
        "explanations": explanations or None,
    }


def _is_enough(explanations: Explanations, full: Container[Hashable]) -> bool:
    """Whether explanations lack only what is full."""
    return all(sort in full for sort in explanations.unkept)


def _restored(
    recipe: Recipe, cases: Sequence[Case], entry: Entry, explanations: Explanations | None = None, full: Container[Hashable] = ()
) -> Part | None:
    """Rebuild the cases from a stored entry, with these explanations if given.

    Returns:
        None if the entry is malformed (another program's, say), or lacks explanations of sorts that are not full.
    """
    try:
        results = results_of(recipe, cases, entry)
        if explanations is not None:
            results = tuple(replace(result, explanations=explanations) for result in results)
        if not all(_is_enough(result.explanations, full) for result in results if result.explanations is not None):
            return None
        counted = sorted(result.name for result in results if result.outcome == "ok")
        evidence = Evidence.from_json(entry["evidence"] | {"documents": counted}) if entry["evidence"] else None
    except (KeyError, TypeError, ValueError, AttributeError):
        return None
    return Part(results, evidence) if (evidence is None) == (not counted) else None


def results_of(recipe: Recipe, cases: Sequence[Case], entry: Entry) -> tuple[CaseResult, ...]:
    """Rebuild what became of cases from an entry, but for their evidence.

    Raises:
        KeyError, TypeError, ValueError, AttributeError: if it is malformed.
    """
    problems = [
        {role: tuple(Problem.from_json(facts, case.files[role].label) for facts in entries) for role, entries in by_role.items()}
        for case, by_role in zip(cases, entry["problems"], strict=True)
    ]
    stored = entry["explanations"]
    explanations = [None] * len(cases) if stored is None else list(map(Explanations.from_json, stored))
    return tuple(
        CaseResult(case.name, by_role, explained, outcome_of(recipe, by_role))
        for case, by_role, explained in zip(cases, problems, explanations, strict=True)
    )
