"""What a suite's cases come to: in which order, with which gates, problems and notes, and why nothing is judged where nothing is."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import pytest

from pytest_nlpeval import load_suites
from pytest_nlpeval.config.meaning import gate_of
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.foreign import TaskError
from pytest_nlpeval.foreign_tasks import guarded
from pytest_nlpeval.formats.yaml import Place
from pytest_nlpeval.measures import Measure, Range, Sample, Values
from pytest_nlpeval.metrics.partners import GoldChange
from pytest_nlpeval.numbers import BEYOND_CHANCE
from pytest_nlpeval.run.case import evaluate_cases
from pytest_nlpeval.run.conclusion import (
    LEFT_TO_TESTS,
    VALIDATED_ONLY,
    checked,
    conclude,
    gates_to_judge,
    known_gates,
    unconcluded,
    with_changes,
)
from pytest_nlpeval.run.copies import COPIED
from pytest_nlpeval.runs import Part, Run
from tests.support import HALF, RIGHT, config_text, make_suite, write

BAD = "1 MAYBE\n"


def counted(folder: Path, *gates: str, runs: Mapping[str, str | bytes] | None = None, options: str = "{}") -> tuple[Suite, Part]:
    """A suite of the task rte with these outputs by document, and what became of its cases."""
    make_suite(folder, *gates, runs=runs or {"a": RIGHT, "b": HALF}, options=options)
    (suite,) = load_suites(folder / "nlpeval.yaml", root=folder)
    return suite, evaluate_cases(suite.recipe, suite.cases)


def with_measures(suite: Suite, *more: Measure) -> Suite:
    """The suite of a task that has further measures."""
    task = suite.recipe.task

    def measures(options: Any, columns: Any) -> tuple[Measure, ...]:
        return (*(task.measures(options, columns) or ()), *more)

    return replace(suite, recipe=replace(suite.recipe, task=replace(task, measures=measures)))


def with_gates(suite: Suite, **gates: Any) -> Suite:
    """The suite with these gates, from line 8 on, though its configuration could not know them."""
    entries = [
        gate_of(name, fields, lambda *_, line=line: Place(line, 7)) for line, (name, fields) in enumerate(gates.items(), 8)
    ]
    return replace(suite, layers=(tuple(entries),))


def one(sample: Sample) -> Values:
    return sample.total("correct") * 0 + 1


def fail(_sample: Sample) -> Values:
    raise ZeroDivisionError


BROKEN = Measure("broken", "", "", fail)


def test_cases_may_come_in_any_order(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path, "accuracy: 0.8")
    turned = replace(whole, cases=whole.cases[::-1])
    assert [case.name for case in conclude(suite, turned).cases] == ["a", "b"]
    assert conclude(suite, turned) == conclude(suite, whole)
    assert checked(suite, turned) == checked(suite, whole)


def test_a_suite_that_is_only_checked_has_no_scores_and_no_verdicts(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path, "accuracy: {min: 0.9, must_pass: ['a/7']}", "YES.f1: 0.5")
    found = checked(suite, whole)
    assert (found.scores, found.verdicts, found.intervals, found.comparison) == ({}, (), {}, None)
    assert [gate.measure for gate in found.gates] == ["accuracy"]
    assert [problem.code for problem in found.problems] == ["config.measure", "guard.no-such-item"]
    assert found.signature == conclude(suite, whole).signature
    assert found.evidence == whole.evidence


def test_items_that_fell_most_are_told_first_where_units_have_values(tmp_path: Path) -> None:
    gold, head = "id\na\nb\nc\n", "id\tstyle\n"
    config = config_text(task="scores", gold="gold.tsv", system="system.tsv", options="{results: {style: {pass: 4}}}")
    (suite,) = load_suites(write(tmp_path, {"nlpeval.yaml": config, "gold.tsv": gold, "system.tsv": ""}) / "nlpeval.yaml")
    parts = []
    for values in ((9, 4, 9), (3, 1, 2)):
        lines = (f"{name}\t{value}\n" for name, value in zip("abc", values, strict=True))
        write(tmp_path, {"system.tsv": head + "".join(lines)})
        parts.append(evaluate_cases(suite.recipe, suite.cases, explain=True))
    before, now = parts
    for falls, units in ((("mean",), "cab"), ((), "bca")):  # 7, 6 and 3 lower; or the lowest first, as the task tells them
        sorting = replace(suite, recipe=replace(suite.recipe, task=replace(suite.recipe.task, falls=falls)))
        comparison = conclude(sorting, now, Run.of("main", before)).comparison
        assert comparison is not None
        assert comparison.changes is not None
        assert [change.explanation.unit for change in comparison.changes.first] == list(units)


def test_a_baseline_without_evidence_has_no_changes(tmp_path: Path) -> None:
    suite, _ = counted(tmp_path, "accuracy: {max_drop: 1}")
    whole = evaluate_cases(suite.recipe, suite.cases, explain=True)
    found = conclude(suite, whole, replace(Run.of("main", whole), evidence=None, reason="it is another"))
    assert found.comparison is not None
    assert (found.comparison.changes, [verdict.verdict for verdict in found.verdicts]) == (None, ["unjudged"])


def test_no_list_of_units_is_read_where_files_have_errors(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path, "accuracy: {must_pass: ['a/7']}", runs={"a": RIGHT, "b": BAD})
    for found in (checked(suite, whole), conclude(suite, whole)):
        assert found.problems == ()
        assert [gate.measure for gate in found.gates] == ["accuracy"]


def reasons(suite: Suite, whole: Part) -> set[str]:
    """Why no gate is judged and no measure has a value: the same for all."""
    result = conclude(suite, whole)
    assert {verdict.verdict for verdict in result.verdicts} == {"unjudged"}
    assert "accuracy" in result.scores
    assert all(score.value is None for score in result.scores.values())
    assert (result.intervals, result.comparison) == ({}, None)
    return {verdict.reason for verdict in result.verdicts} | {score.reason for score in result.scores.values()}


def test_a_suite_without_documents_is_not_judged(tmp_path: Path) -> None:
    suite, _ = counted(tmp_path, "accuracy: 0.1")
    empty, nothing = replace(suite, cases=()), Part((), None)
    assert reasons(empty, nothing) == {"the suite has no documents"}
    assert checked(empty, nothing).signature == conclude(empty, nothing).signature


def test_errors_of_documents_are_cited_in_the_order_of_their_names(tmp_path: Path) -> None:
    """One for each document: its first error, no warning before it."""
    runs = {"a": RIGHT, "b": BAD, "c": RIGHT.replace(" ", "  ", 1) + BAD}
    suite, whole = counted(tmp_path, "accuracy: 0.1", "TRUE.f1: 0.1", runs=runs)
    assert whole.cases[2].all_problems()[0].severity == "warning"
    (reason,) = reasons(replace(suite, cases=suite.cases[::-1]), replace(whole, cases=whole.cases[::-1]))
    cited = [next(p.citation for p in case.all_problems() if p.severity == "error") for case in whole.cases[1:]]
    assert reason == f"2 of 3 documents have errors in their files ({', '.join(cited)})"
    assert conclude(suite, whole).outcome == "failed"


def test_what_a_test_judges_nobody_else_does(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path, "accuracy: 0.1")
    suite = replace(suite, judged_by_test=True)
    assert reasons(suite, whole) == {LEFT_TO_TESTS}
    assert conclude(suite, whole).notes == (LEFT_TO_TESTS,)
    assert LEFT_TO_TESTS not in conclude(replace(suite, judged_by_test=False), whole).notes


def test_a_selection_is_told(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path, "accuracy: 0.1", runs={"a": RIGHT})
    for find in (conclude, checked):
        (note,) = [note for note in find(replace(suite, selection="dev"), whole).notes if "dev" in note]
        assert note.endswith("(dev): it says nothing of any other")
        assert not any("it says nothing" in note for note in find(suite, whole).notes)


def test_notes_of_the_task_are_told_where_all_files_are_right(tmp_path: Path) -> None:
    def notes(evidence: Evidence, _options: Any, roles: Collection[str]) -> Iterator[str]:
        yield f"{len(evidence.units)} units of {', '.join(roles)}"

    for runs, expected in (({"a": RIGHT}, ["4 units of gold, system"]), ({"a": RIGHT, "b": BAD}, [])):
        suite, whole = counted(tmp_path, "accuracy: 0.1", runs=runs)
        suite = replace(suite, recipe=replace(suite.recipe, task=replace(suite.recipe.task, notes=notes)))
        for find in (conclude, checked):
            assert [note for note in find(suite, whole).notes if " units of " in note] == expected


OLD = Measure("one", "", "", one, was=("single", "alone"))
OTHER = Measure("another", "", "", one, was=("solo",))
RATE = Measure("rate", "", "", one, better="lower", range=Range(0.0, float("inf"), is_rate=True))


def test_a_gate_on_a_former_name_is_told_what_the_measure_is_called(tmp_path: Path) -> None:
    """A pattern that means several such measures is told of the first; one that matches a name of now is told nothing."""
    suite, whole = counted(tmp_path)
    gates = {"alone": 0.1, "s*l*": 0.1, "one": 0.2, "an*": 0.1, "rate": 5, "ra*": {"max": 1}}
    suite = with_gates(with_measures(suite, OTHER, OLD, RATE), **gates)
    found = conclude(suite, whole)
    assert [(p.code, p.severity, p.line, p.where) for p in found.problems] == [
        ("gate.renamed", "warning", 8, "gates of dev"),
        ("gate.renamed", "warning", 9, "gates of dev"),
        ("config.gate", "warning", 12, "gates of dev"),
    ]
    assert [p.message for p in found.problems[:2]] == [
        '"alone" is called "one" now; write that',
        '"s*l*" is called "another" now; write that',
    ]
    assert found.problems[2].message == "max 5 is very much for rate; values are fractions: 0.05?"
    assert found.outcome == "ok"


def test_entries_without_a_measure_or_a_bound_are_mistakes_where_they_stand(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path)
    gates = {"accuracy": 0.1, "acuracy": 0.1, "cws": {"informational": True}, "coverage": {"max": 80}}
    suite = with_gates(suite, **gates)
    found = conclude(suite, whole)
    assert [(p.code, p.severity, p.path, p.line) for p in found.problems] == [
        ("config.measure", "error", "nlpeval.yaml", 9),
        ("config.measure", "error", "nlpeval.yaml", 10),
        ("config.gate", "error", "nlpeval.yaml", 11),
    ]
    assert found.problems[0].message.startswith('these files have no measure "acuracy"; ')
    assert "accuracy" in found.problems[0].message.partition(";")[2]
    assert found.problems[1].message == '"cws" sets no bound, and its measures have none; give `min` or `max`'
    assert found.problems[2].message.startswith("max 80 is not between 0 and 1")
    assert (found.outcome, len({p.where for p in found.problems})) == ("set-up", 1)


def failing(suite: Suite, whole: Part) -> TaskError:
    """What a task of another package raises whose measure divides by zero."""
    assert whole.evidence is not None
    broken = with_measures(suite, BROKEN)
    task = guarded(broken.recipe.task)
    with pytest.raises(TaskError) as error:
        next(m for m in task.measures(suite.recipe.options, None) or () if m.name == "broken").score(Sample(whole.evidence))
    return error.value


def test_a_measure_that_fails_has_no_value_and_the_others_have_theirs(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path)
    suite = with_gates(with_measures(suite, BROKEN), accuracy=0.1, broken=0.1)
    foreign = replace(suite, recipe=replace(suite.recipe, task=guarded(suite.recipe.task)))
    found = conclude(foreign, whole)
    (problem,) = found.problems
    assert (problem.path, problem.line, problem.where) == ("nlpeval.yaml", 3, "dev")
    assert found.scores["broken"].reason == problem.message
    assert {verdict.measure: verdict.verdict for verdict in found.verdicts} == {"accuracy": "passed", "broken": "unjudged"}
    assert found.outcome == "set-up"
    nothing = conclude(replace(foreign, cases=()), Part((), None))
    assert {score.reason for score in nothing.scores.values()} == {"the suite has no documents"}, (
        "nothing is scored, so nothing fails"
    )


def test_a_task_that_fails_in_telling_its_measures_leaves_entries_as_gates(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path, "accuracy: 0.1", "'co*': 0.1")
    assert [gate.measure for gate in gates_to_judge(suite, whole)] == ["accuracy", "coverage"]
    error = failing(suite, whole)

    def measures(_options: Any, _columns: Any) -> tuple[Measure, ...]:
        raise error

    broken = replace(suite, recipe=replace(suite.recipe, task=replace(suite.recipe.task, measures=measures)))
    assert [gate.measure for gate in gates_to_judge(broken, whole)] == ["accuracy", "co*"]
    found = unconcluded(broken, replace(whole, cases=whole.cases[::-1]), error)
    assert [case.name for case in found.cases] == ["a", "b"]
    assert (found.scores, found.evidence, found.outcome) == ({}, None, "set-up")
    (problem,) = found.problems
    assert (problem.path, problem.line, problem.where) == ("nlpeval.yaml", 3, "dev")
    assert {(verdict.verdict, verdict.reason) for verdict in found.verdicts} == {("unjudged", problem.message)}
    (problem,) = unconcluded(replace(broken, line=0), whole, error).problems
    assert problem.line is None


def test_notes_that_fail_leave_the_scores(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path, "accuracy: 0.1")
    error = failing(suite, whole)

    def notes(*_given: Any) -> Iterator[str]:
        yield "one"
        raise error

    told = replace(suite, recipe=replace(suite.recipe, task=replace(suite.recipe.task, notes=notes)))
    found = conclude(told, whole)
    assert found.scores == conclude(suite, whole).scores
    assert (len(found.problems), found.notes, found.problems[0].where) == (1, (), "dev")


def test_changes_by_item_are_told_where_both_runs_say_why_units_are_wrong(tmp_path: Path) -> None:
    suite, _ = counted(tmp_path, "accuracy: {max_drop: 1}")
    before = evaluate_cases(suite.recipe, suite.cases, explain=True)
    _, _ = counted(tmp_path, "accuracy: {max_drop: 1}", runs={"a": HALF, "b": HALF})
    now = evaluate_cases(suite.recipe, suite.cases, explain=True)
    explained = conclude(suite, now, Run.of("main", before))
    assert explained.comparison is not None
    assert explained.comparison.changes is not None
    assert explained.comparison.changes.counts == {"newly_wrong": 2, "newly_right": 0, "otherwise_wrong": 0}
    assert with_changes(explained) == explained
    for mine, theirs in ((now, before.unexplained()), (now.unexplained(), before)):
        unexplained = conclude(suite, mine, Run.of("main", theirs)).comparison
        assert unexplained is not None
        assert unexplained.changes is None


def test_a_level_that_no_number_of_resamples_reaches_is_a_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The entry of the first measure is to blame, and the others are counted."""
    monkeypatch.setattr("pytest_nlpeval.run.hypotheses.MOST_RESAMPLES", 3000)
    gate = "{max_drop: 0, alpha: 1.0e-9}"
    for gates, others in (
        ((f"accuracy: {gate}",), ""),
        (("coverage: 0", f"accuracy: {gate}", f"cws: {gate}"), ", and of 1 other measure"),
        ((f"accuracy: {gate}", f"cws: {gate}", f"TRUE.f1: {gate}"), ", and of 2 other measures"),
    ):
        suite, whole = counted(tmp_path, *gates)
        found = conclude(suite, whole, Run.of("main", whole))
        (problem,) = [problem for problem in found.problems if problem.code == "config.alpha"]
        assert problem.message.startswith(
            f"no drop of accuracy{others} can be {BEYOND_CHANCE} at alpha 1e-09 after the adjustment"
        )
        assert (problem.path, problem.line, problem.where) == ("nlpeval.yaml", 9 + (gates[0] == "coverage: 0"), "gates of dev")
        assert found.outcome == "set-up"


INPUT = '<entailment-corpus><pair id="1" task="IR"><t>A text.</t><h>A claim.</h></pair></entailment-corpus>'


def test_what_is_validated_only_says_so_and_has_no_scores_but_what_files_tell(tmp_path: Path) -> None:
    config = "version: 1\nsuites:\n  - {name: dev, task: rte, input: 'input/{doc}.xml', system: 'system/{doc}.txt'}\n"
    (suite,) = load_suites(
        write(tmp_path, {"nlpeval.yaml": config, "input/a.xml": INPUT, "system/a.txt": "1 TRUE\n"}) / "nlpeval.yaml"
    )
    whole = evaluate_cases(suite.recipe, suite.cases)
    for find in (conclude, checked):
        found = find(suite, whole)
        assert (found.notes, found.outcome, found.verdicts) == ((VALIDATED_ONLY,), "ok", ())
    assert {name: score.value for name, score in conclude(suite, whole).scores.items()} == {"coverage": 1, "task.IR.coverage": 1}
    write(tmp_path, {"system/a.txt": BAD})
    broken = conclude(suite, evaluate_cases(suite.recipe, suite.cases))
    assert (broken.scores, broken.outcome) == ({}, "failed")


def test_a_suite_whose_groups_cannot_be_told_is_not_judged(tmp_path: Path) -> None:
    """The error is told once; a warning is told, and everything is judged."""
    write(tmp_path, {"groups.tsv": "document\tgroup\na\tnews\na\tweb\nb\tweb\n"})
    suite, whole = counted(tmp_path, "accuracy: {min: 0.1, must_pass: ['a/7']}", options="{group: {documents: groups.tsv}}")
    assert reasons(suite, whole) == {"groups.tsv:3: group.duplicate-id"}
    for find in (conclude, checked):
        assert [problem.code for problem in find(suite, whole).problems] == ["group.duplicate-id"]
        assert find(suite, whole).outcome == "set-up"
    write(tmp_path, {"groups.tsv": "document\tgroup\na\tnews\n"})
    for find in (conclude, checked):
        assert [problem.code for problem in find(suite, whole).problems] == ["group.no-group", "guard.no-such-item"]


def test_a_baseline_whose_gold_is_another_leaves_what_compares_unjudged(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path, "accuracy: {min: 0.1, max_drop: 0}", runs={"a": RIGHT})
    change = GoldChange(before=4, paired=1, added=3)
    for paired, word in ((1, "unjudged"), (4, "passed")):
        found = conclude(suite, whole, replace(Run.of("main", whole), gold_changes={"a": change._replace(paired=paired)}))
        told = [problem.message for problem in found.problems if problem.code == "baseline.gold-changed"]
        assert len(told) == 1
        verdicts = {verdict.condition.name: verdict for verdict in found.verdicts}
        assert (verdicts["min"].verdict, verdicts["max_drop"].verdict) == ("passed", word)
        assert (told[0] in verdicts["max_drop"].reason) == (word == "unjudged")


def test_lists_of_units_are_read_where_something_is_judged(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path, "accuracy: {must_pass: ['a/7', 'b/2']}")
    found = conclude(suite, whole)
    assert [problem.code for problem in found.problems] == ["guard.no-such-item"]
    assert [verdict.verdict for verdict in found.verdicts] == ["failed"]


def test_gates_are_known_before_files_are_read_if_no_pattern_waits_for_them(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path, "accuracy: 0.1", "'co*': 0.1")
    assert known_gates(suite) == conclude(suite, whole).gates
    assert [gate.measure for gate in known_gates(suite, ())] == ["accuracy", "co*"]


def test_only_gated_measures_have_intervals_if_nobody_asks_for_others(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path, "accuracy: 0.1")
    assert conclude(suite, whole, only_gated=True).intervals.keys() == {"accuracy"}
    assert conclude(suite, whole).intervals.keys() > {"accuracy", "TRUE.f1"}


def test_the_rules_of_a_suite_are_part_of_its_signature(tmp_path: Path) -> None:
    suite, whole = counted(tmp_path, "accuracy: 0.1")
    ruled = replace(suite, recipe=replace(suite.recipe, rules={"rte.ties": "error", "rte.format": "off"}))
    plain, told = str(conclude(suite, whole).signature), str(conclude(ruled, whole).signature)
    assert told.replace("|rule:rte.format:off|rule:rte.ties:error", "") == plain
    assert told != plain


@pytest.mark.parametrize(
    ("measure", "fields", "message"),
    [
        ("accuracy", {"min": 61}, "min 61 is not between 0 and 1"),
        ("cws", {"max_newly_wrong": 0}, "no value of a single unit"),
        ("TRUE.f1", {"no_group_falls": {"max_drop": 0.1}}, "TRUE.f1 has no groups"),
    ],
)
def test_what_no_measure_of_the_files_can_answer_to_is_a_mistake(
    tmp_path: Path, measure: str, fields: dict[str, Any], message: str
) -> None:
    """The first of an entry's mistakes is told."""
    suite, whole = counted(tmp_path)
    found = conclude(with_gates(suite, **{measure: fields}), whole)
    (problem,) = found.problems
    assert (problem.code, problem.severity, problem.line) == ("config.gate", "error", 8)
    assert message in problem.message


def rows(number: int, label: str) -> str:
    return "id\tlabel\n" + "".join(f"{rank}\t{label}\n" for rank in range(number))


@pytest.mark.parametrize(
    ("by", "of_resamples"), [("documents", "the document a holds 60% of the units"), ("units", "this suite shows a drop of")]
)
def test_notes_say_what_must_be_known_besides_the_scores(
    tmp_path: Path, by: Literal["documents", "units"], of_resamples: str
) -> None:
    """Of the comparison, of a copy, of a document that outweighs the others, of measures without a value, and of bounds."""
    gates = ("accuracy: {min: 0.1, max_drop: 0.001}", "'y.*': {max: 1, if_no_value: pass}", "coverage: {min: 0.1}")
    sizes = {"a": 120, **dict.fromkeys("bcdefghi", 10)}
    files = {f"{side}/{name}.tsv": rows(number, "x") for side in ("gold", "system") for name, number in sizes.items()}
    config = config_text(*gates, task="labels", gold="gold/{doc}.tsv", system="system/{doc}.tsv", options="{labels: [x, y]}")
    (suite,) = load_suites(write(tmp_path, {"nlpeval.yaml": config, **files}) / "nlpeval.yaml")
    write(tmp_path, {"system/b.tsv": rows(10, "y")})
    before = Run.of("main", evaluate_cases(suite.recipe, suite.cases))
    write(tmp_path, files)
    suite = replace(suite, statistics=replace(suite.statistics, resample=by))
    found = conclude(suite, evaluate_cases(suite.recipe, suite.cases), before)
    said = ["compared with main: ", COPIED, "3 measures have no value and pass so: y.", "limits that values clear"]
    said.insert(2 if by == "documents" else 3, of_resamples)
    assert len(found.notes) == len(said), found.notes
    assert all(words in note for words, note in zip(said, found.notes, strict=True)), found.notes
    write(tmp_path, {"system/b.tsv": "nonsense"})
    assert conclude(suite, evaluate_cases(suite.recipe, suite.cases), before).notes == ()
