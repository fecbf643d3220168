"""One budget of explanations for a suite: what a report has no room for is counted, and neither written nor stored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import SuiteResult, load_suites
from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.explanations import Entry, Explanation, Explanations, Omitted, explain_each, explain_in_order
from pytest_nlpeval.reports.run import document
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.run import budget, engine
from pytest_nlpeval.run.budget import evaluate_in_budget_of
from pytest_nlpeval.run.case import evaluate_cases
from pytest_nlpeval.run.engine import Engine, within
from pytest_nlpeval.run.store import EvidenceStore
from pytest_nlpeval.runs import CaseResult, Part
from pytest_nlpeval.shelf import SURE, Gathered, Shelf
from pytest_nlpeval.tasks import TASKS
from tests.budget.corpora import CORPORA
from tests.budget.workloads import SUFFIXES, configure, write
from tests.support import HALF, make_suite
from tests.tasks.cases import CASES, files_of, options_of

EXAMPLES = Path(__file__).parents[3] / "examples"

DOCUMENTS, WORDS = 6, 12
TAGS = ("B-PER", "B-LOC", "O")


def _suite(folder: Path, baseline: str = "") -> Suite:
    """Write a suite of spans: each document lacks other names, so that reasons and labels are many and differ from document to document."""
    for side in ("gold", "system"):
        (folder / side).mkdir(parents=True)
    for document_rank in range(DOCUMENTS):
        for side, shift in (("gold", 0), ("system", document_rank + 1)):
            rows = (f"w{rank} {TAGS[(rank + shift * (rank % 5)) % 3]}\n" for rank in range(WORDS * (document_rank + 1)))
            (folder / side / f"d{document_rank}.conll").write_text("".join(rows))
    text = f"version: 1\nsuites:\n  - {{name: s, task: spans, gold: 'gold/{{doc}}.conll', system: 'system/{{doc}}.conll'{baseline}}}\n"
    (folder / "nlpeval.yaml").write_text(text)
    (suite,) = load_suites(folder / "nlpeval.yaml")
    return suite


def _reported(suite: Suite, made: Engine) -> object:
    return report_of([made.evaluate(suite)]).to_json()["suites"]


@pytest.mark.parametrize("room", [1, 7, 20, 45, 10_000])
def test_a_report_is_the_same_however_its_explanations_came_to_be(
    room: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = _suite(tmp_path)
    whole = Engine(explain=True).evaluate(suite)  # every document with all that it has room for
    monkeypatch.setattr(document, "MOST", room)
    monkeypatch.setattr(engine, "MOST", room)
    report = report_of([whole]).to_json()["suites"]
    store = EvidenceStore(tmp_path / "store")
    with ThreadPoolExecutor(2) as executor:
        for made in (
            Engine(explain=True, only_reported=True),
            Engine(executor, explain=True, only_reported=True),
            Engine(store=store, explain=True, only_reported=True),
            Engine(store=store, explain=True, only_reported=True),  # from the store
        ):
            assert _reported(suite, made) == report
        # what the store lacks is made where all are wanted, and what it has beyond that serves a report
        assert Engine(store=store, explain=True).evaluate(suite).cases == whole.cases
        assert _reported(suite, Engine(store=store, explain=True, only_reported=True)) == report
    store.close()


def test_what_a_report_has_no_room_for_is_not_written() -> None:
    written: list[int] = []

    def write(rank: int) -> Explanation:
        written.append(rank)
        return Explanation(str(rank), "missed", "", measures=(f"m{rank % 3}",))

    entries = explain_each("missed", range(30), write, measures_of=lambda rank: (f"m{rank % 3}",))
    explanations = Explanations.of(entries, {("missed", ("m0",)), ("missed", ("m2",))})
    assert written == list(range(1, 30, 3)) == [int(entry.unit) for entry in explanations.first]
    assert (explanations.counts, explanations.cut) == ({"missed": 30}, 20)


def test_a_suite_with_a_baseline_has_all_explanations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "MOST", 1)
    suite = _suite(tmp_path, ", baseline: 'missing.json'")
    assert suite.baseline is not None
    wanted = Engine(explain=True).evaluate(suite).cases
    assert Engine(explain=True, only_reported=True).evaluate(suite).cases == wanted


@pytest.mark.parametrize("task", TASKS)
def test_a_task_leaves_out_just_the_sorts_that_are_full(task: str) -> None:
    """Be it all sorts or every second one, which is the same where there is one."""
    for folder in (folder for folder in CASES if folder.parts[-3:-1] == (task, "valid")):
        whole = _explained(task, folder, ())
        sorts = sorted({explanation.sort for explanation in whole.first})
        for full in {frozenset(sorts), frozenset(sorts[::2])}:
            kept = _explained(task, folder, full)
            assert kept.counts == whole.counts
            assert kept.first == tuple(entry for entry in whole.first if entry.sort not in full)
            assert kept.unkept == full


@pytest.mark.parametrize("task", TASKS)
def test_a_task_tells_which_measures_an_explanation_bears_on_before_it_is_written(task: str) -> None:
    """Each sort is asked for twice: before the explanation is written, and of what is written."""
    suites = [_suite_at(task, folder) for folder in CASES if folder.parts[-3:-1] == (task, "valid")]
    for suite in (*suites, *load_suites(EXAMPLES / task / "nlpeval.yaml")):
        asked = Asked([])
        cases = evaluate_cases(suite.recipe, suite.cases, explain=True, full=asked).cases
        sorts = [explanation.sort for case in cases if case.explanations for explanation in case.explanations.first]
        assert Counter(asked.sorts) == Counter(2 * sorts)


@pytest.mark.parametrize("task", TASKS)
def test_a_task_writes_nothing_that_a_report_has_no_room_for(task: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What a report has room for is asked at the beginning of each document: these are too few to be counted in batches."""
    suite = _suite_of(task, tmp_path, monkeypatch)
    whole = Engine(explain=True).evaluate(suite)
    for room in (1, 30, 50):
        _assert_what_has_no_room_is_not_written(suite, whole, room, monkeypatch)


def _assert_what_has_no_room_is_not_written(suite: Suite, whole: SuiteResult, room: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(document, "MOST", room)
    monkeypatch.setattr(engine, "MOST", room)
    shelf, wanted = Shelf(room), 0
    for case in whole.cases:
        assert case.explanations is not None
        sorts, full = [explanation.sort for explanation in case.explanations.first], shelf.full
        wanted += sum(sort not in full for sort in sorts)
        for sort in sorts:
            shelf.takes_sort(sort)
    assert shelf.number <= wanted < sum(len(case.explanations.first) for case in whole.cases if case.explanations)
    with counting_explanations(monkeypatch) as written:
        report = _reported(suite, Engine(explain=True, only_reported=True))
    assert len(written) == wanted
    assert report == report_of([whole]).to_json()["suites"]


def _suite_of(task: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """Write a suite of some documents, each larger than the one before it, a seventh of whose units are wrong."""
    monkeypatch.chdir(folder)
    suffix = SUFFIXES.get(task, "")
    for rank in range(DOCUMENTS):
        write(texts := CORPORA[task](4 * WORDS * (rank + 1)), f"/d{rank}{suffix}")
    configure(task, {role: f"{role}/{{doc}}{suffix}" for role in texts})
    (suite,) = load_suites(Path("nlpeval.yaml"))
    return suite


@contextmanager
def counting_explanations(monkeypatch: pytest.MonkeyPatch) -> Iterator[Sequence[Explanation]]:
    """Give a list to which each explanation that is written is added."""
    written: list[Explanation] = []
    make = Explanation.__new__

    def made(cls: type[Explanation], *values: Any, **named: Any) -> Explanation:
        written.append(make(cls, *values, **named))
        return written[-1]

    with monkeypatch.context() as patched:
        patched.setattr(Explanation, "__new__", made)
        yield written


@dataclass
class Asked:
    """Contains nothing, and keeps the sorts for which it was asked."""

    sorts: list[object]

    def __contains__(self, sort: object) -> bool:
        """Say no."""
        self.sorts.append(sort)
        return False


def _explained(task: str, folder: Path, full: Container[Hashable]) -> Explanations:
    """Return the explanations of a case, as its task tells them."""
    suite = _suite_at(task, folder)
    (case,) = evaluate_cases(suite.recipe, suite.cases, explain=True, full=full).cases
    assert case.explanations is not None
    return case.explanations


def _suite_at(task: str, folder: Path) -> Suite:
    """Return the suite of a case."""
    return suite_of_paths(task, files_of(folder), options_of(folder), Path.cwd())


Items = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), max_size=60)


def _part(items: Sequence[tuple[str, str]], rank: int, full: Container[Hashable]) -> Part:
    """Return what becomes of a document of which these items, with reason and label, are wrong."""
    entries = [
        explain_in_order(((reason, what, what) for reason, what in items), lambda reason, what: _told(reason, what, rank)),
        explain_in_order(
            ((f"{reason} asked", what, what) for reason, what in items),
            lambda reason, what: _told(reason, what, rank),
            lambda _, what: (what,),
        ),
        explain_each("each", items, lambda item: _told("each", item[1], rank), measures_of=lambda item: (item[1],)),
    ]
    explained = Explanations.of(chain.from_iterable(entries), full)
    return Part((CaseResult(f"{rank}", {}, explained, "ok"),), None)


@given(documents=st.lists(Items, max_size=6), room=st.integers(1, 50))
def test_documents_one_after_the_other_keep_what_all_of_them_keep_at_once(
    documents: Sequence[Sequence[tuple[str, str]]], room: int
) -> None:
    everything = within(Shelf(room), Part.of([_part(items, rank, ()) for rank, items in enumerate(documents)])).numbered()
    shelf = Shelf(room)
    parts = [within(shelf, _part(items, rank, shelf.full)) for rank, items in enumerate(documents)]
    step_by_step = within(Shelf(room), Part.of(parts)).numbered()
    assert [case.explanations and (case.explanations.first, case.explanations.counts) for case in step_by_step.cases] == [
        case.explanations and (case.explanations.first, case.explanations.counts) for case in everything.cases
    ]
    for case, stored in zip(step_by_step.cases, map(_through_json, step_by_step.cases), strict=True):
        assert case.explanations == stored


def _told(reason: str, what: str, rank: int) -> Explanation:
    return Explanation(f"{rank} {what}", reason, "", kind="other", item=what, measures=(what,))


def _through_json(case: CaseResult) -> Explanations | None:
    return case.explanations and Explanations.from_json(case.explanations.to_json())


def test_what_is_full_stays_full() -> None:
    shelf = Shelf(SURE)
    assert [shelf.takes_sort("a") for _ in range(SURE + 1)] == [True] * SURE + [False]
    assert "a" in shelf.full
    assert "b" not in shelf.full
    assert [shelf.takes_sort("b") for _ in range(SURE + 1)] == [True] * SURE + [False]
    assert "c" in shelf.full  # 2 * room are taken
    assert not shelf.takes_sort("c")


def test_explanations_without_room_are_counted_one_by_one() -> None:
    entries: list[Entry] = [Omitted("missed", 1, ("f1",)), Omitted("missed", 3), Explanation("1", "missed", "", measures=("f1",))]
    explanations = Explanations.of(entries, {("missed", ("f1",))})
    assert (explanations.counts, explanations.first, explanations.cut) == ({"missed": 5}, (), 5)
    assert explanations.unkept == {("missed", ("f1",))}


@given(
    documents=st.lists(Items, max_size=6),
    processes=st.lists(st.integers(0, 1), min_size=6, max_size=6),
    order=st.permutations(range(6)),
    room=st.integers(1, 50),
)
def test_documents_of_several_processes_keep_what_all_of_them_keep_at_once(
    documents: Sequence[Sequence[tuple[str, str]]], processes: Sequence[int], order: Sequence[int], room: int
) -> None:
    """No process knows what the other explains, and documents come in any order."""
    everything = within(Shelf(room), Part.of([_part(items, rank, ()) for rank, items in enumerate(documents)]))
    gathered = Gathered(room), Gathered(room)
    parts: list[Part] = []
    for rank in (rank for rank in order if rank < len(documents)):
        own = gathered[processes[rank]]
        part = _part(documents[rank], rank, own.full_at(f"{rank}"))
        own.add(f"{rank}", (each.sort for case in part.cases if case.explanations for each in case.explanations.first))
        parts.append(part)
    apart = within(Shelf(room), Part.of(parts))
    assert [case.explanations and (case.explanations.first, case.explanations.counts) for case in apart.cases] == [
        case.explanations and (case.explanations.first, case.explanations.counts) for case in everything.cases
    ]


def test_a_shelf_that_is_full_with_some_documents_may_have_room_for_a_new_sort_with_all_of_them() -> None:
    """Documents in between take the first places for sorts that would have had some anyway."""
    room = 2 * SURE
    between = ["b"] * SURE + ["c"] * SURE
    own = ["a"] * room + between
    gathered, some, whole = Gathered(room), Shelf(room), Shelf(room)
    gathered.add("m", own)
    assert [some.takes_sort(sort) for sort in own] == [True] * 2 * room
    assert "d" in some.full
    assert [whole.takes_sort(sort) for sort in between] == [True] * room
    assert [whole.takes_sort(sort) for sort in own] == [True] * SURE + [False] * (2 * room - SURE)
    assert [sort for sort in "abcd" if sort in whole.full] == ["a", "b", "c"]
    assert [sort for sort in "abcd" if sort in gathered.full_at("n")] == ["a", "b", "c"]


def test_a_process_of_several_makes_no_more_of_a_sort_than_the_suite_keeps(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each document is a batch of its own, with two pairs wrong of a sort each."""
    make_suite(tmp_path, runs={f"d{rank:02}": HALF for rank in range(2 * SURE)})
    (suite,) = load_suites(tmp_path / "nlpeval.yaml")
    monkeypatch.setattr(budget, "Gathered", partial(Gathered, room=1))
    with ThreadPoolExecutor(1) as executor:
        cases = Engine(executor, explain=True, only_reported=True).merged(suite).cases
    made = Counter(explanation.sort for case in cases if case.explanations for explanation in case.explanations.first)
    assert list(made.values()) == [SURE, SURE]


def test_a_process_remembers_the_last_suites_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    suite = _suite(tmp_path)
    monkeypatch.setattr(budget, "_gathered", {})
    for name in "abc" * budget.MOST_SUITES, *map(str, range(2 * budget.MOST_SUITES)):
        evaluate_in_budget_of(name, suite.recipe, suite.cases[:1])
        assert list(budget._gathered)[-1] == name
        assert len(budget._gathered) <= budget.MOST_SUITES
