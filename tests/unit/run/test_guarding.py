"""The guards of gates: the worked example, the lists, and what must hold of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.conditions import Standing
from pytest_nlpeval.config.checks import ConfigError
from pytest_nlpeval.config.meaning import gate_of
from pytest_nlpeval.config.suite import Recipe, Suite
from pytest_nlpeval.evidence import Column, Evidence
from pytest_nlpeval.formats.yaml import Place
from pytest_nlpeval.gates import Gate, Verdict, judge, resolve
from pytest_nlpeval.guards import CONDITIONS, GUARDS, GuardedUnit
from pytest_nlpeval.measures import COUNT, Measure, Sample, Score, Values
from pytest_nlpeval.metrics.pairing import pair
from pytest_nlpeval.problems import Rule
from pytest_nlpeval.reports.explanation_views import explained
from pytest_nlpeval.reports.formats import FORMATS
from pytest_nlpeval.reports.kinds import RUN
from pytest_nlpeval.reports.model import GateReport
from pytest_nlpeval.reports.run.document import report_of, suite_report
from pytest_nlpeval.reports.view import Setting, explanation_lines, ranks_by_guards
from pytest_nlpeval.run.guarding import Units, changed_verdicts, findings, newly_wrong
from pytest_nlpeval.runs import Run
from pytest_nlpeval.tasks import load_task
from tests.support import FOUR, HALF, RIGHT, config_text, gold_xml, write
from tests.unit.tasks.labels.files import scored
from tests.unit.tasks.labels.files import table as table_of

SUITE = Suite("s", "", Recipe(load_task("rte"), None), (), Path(), label="nlpeval.yaml")


def mean(sample: Sample) -> Values:
    sums, numbers = sample.total("value"), sample.total("items")
    values: Values = np.divide(sums, numbers, out=np.full(numbers.shape, np.nan), where=numbers > 0)
    return values


M = Measure("m", "", "", mean)
RATE = Measure("rate", "", "", mean, better="lower")

Items = Mapping[str, float | None]

BEFORE: Items = {"q1": 1, "q2": 1, "q3": 0, "q4": 0.6}
NOW: Items = {"q1": 1, "q2": 0.4, "q3": 1, "q4": 0.5, "q5": 0}


def table(items: Items, document: str = "d") -> Evidence:
    values = [0.0 if value is None else float(value) for value in items.values()]
    columns: dict[str, Column] = {
        "value": np.array(values, np.float64),
        "items": np.array([value is not None for value in items.values()], np.int8),
    }
    return Evidence.of(list(items), columns, document)


def gate_with(fields: Mapping[str, Any], measure: Measure = M) -> Gate:
    entry = gate_of(measure.name, dict(fields), lambda *_: Place(1, 1))
    ((gate,), _) = resolve([[entry]], [measure])
    return gate


def verdicts(
    fields: Mapping[str, Any], now: Evidence, before: Evidence | None, measures: Sequence[Measure] = (M,)
) -> tuple[tuple[Verdict, ...], tuple[str, ...]]:
    """What becomes of the guards of a gate on the first measure, and the codes of the problems of its lists."""
    gate = gate_with(fields, measures[0])
    found, problems = findings(SUITE, now, measures, [gate], None if before is None else Run("main", evidence=before))
    return judge(gate, Standing(Score(0.5)), found.get(gate.measure)), tuple(problem.code for problem in problems)


def the(fields: Mapping[str, Any], now: Items = NOW, before: Items | None = BEFORE) -> Verdict:
    ((verdict,), _) = verdicts(fields, table(now), None if before is None else table(before))
    return verdict


@pytest.mark.parametrize(
    ("fields", "word", "units"),
    [
        ({"max_newly_wrong": 0}, "failed", ["q2"]),
        ({"max_newly_wrong": 0, "right": 0.5}, "failed", ["q2"]),
        ({"max_newly_wrong": 0, "right": 0.4}, "passed", []),
        ({"max_newly_wrong": 1}, "passed", ["q2"]),
        ({"max_worse": 1}, "failed", ["q2", "q4"]),
        ({"max_worse": {"units": 1, "by": 0.2}}, "passed", ["q2"]),
        ({"must_pass": ["q1", "q3"]}, "passed", []),
        ({"must_pass": ["q5"]}, "failed", ["q5"]),
        ({"known_failures": ["q2", "q4", "q5"]}, "passed", []),
        ({"known_failures": ["q2", "q3", "q5"]}, "failed", ["q4"]),
        ({"known_failures": []}, "failed", ["q5", "q2", "q4"]),
    ],
)
def test_the_worked_example(fields: Mapping[str, Any], word: str, units: list[str]) -> None:
    verdict = the(fields)
    assert verdict.verdict == word
    assert verdict.finding is not None
    assert [unit.unit for unit in verdict.finding.units] == units
    assert verdict.finding.count == len(units)


def test_what_is_right_again_is_told_and_fails_if_strict() -> None:
    lenient, strict = (the({"known_failures": ["q2", "q3", "q4", "q5"], "strict": strict}) for strict in (False, True))
    for verdict in (lenient, strict):
        assert verdict.finding is not None
        assert verdict.finding.right_again == ("q3",)
        assert [unit.unit for unit in verdict.finding.known] == ["q5", "q2", "q4"]
        assert "right again: remove it from the list: q3" in verdict.reason
    assert (lenient.verdict, strict.verdict) == ("passed", "failed")
    assert lenient.to_json()["right_again"] == ["q3"]


def test_known_failures_are_left_out_of_the_comparison_with_the_baseline() -> None:
    fields = {"max_newly_wrong": 0, "max_worse": 0, "known_failures": ["q2", "q4", "q5"]}
    (found, _) = verdicts(fields, table(NOW), table(BEFORE))
    assert [verdict.verdict for verdict in found] == ["passed"] * 3


def test_what_was_reached_is_said() -> None:
    verdict = the({"must_pass": ["q4"]})
    assert "q4 has 0.5" in verdict.reason
    assert "right is 1" in verdict.reason


def test_units_that_one_run_alone_has_are_told() -> None:
    assert "1 unit of one run alone was left out" in the({"max_newly_wrong": 1}).reason


def test_without_a_baseline_a_guard_that_compares_is_unjudged() -> None:
    assert the({"max_newly_wrong": 0}, before=None).verdict == "unjudged"
    assert the({"must_pass": ["q1"]}, before=None).verdict == "passed"


def test_a_suite_that_is_new_against_the_baseline_holds_and_says_so() -> None:
    gate = gate_with({"max_worse": 0})
    found, _ = findings(SUITE, table(NOW), [M], [gate], Run("main", reason="not there", is_new=True))
    (verdict,) = judge(gate, Standing(Score(0.5)), found["m"])
    assert (verdict.verdict, "is new" in verdict.reason) == ("passed", True)


def test_a_baseline_in_which_no_unit_has_a_value_is_not_new() -> None:
    """Sentences without any span are right; all of them get a wrong one now."""
    nothing, wrong = {"s1": None, "s2": None}, {"s1": 0.0, "s2": None}
    verdict = the({"max_newly_wrong": 0}, wrong, nothing)
    assert (verdict.verdict, verdict.finding and [unit.unit for unit in verdict.finding.units]) == ("failed", ["s1"])


def test_a_baseline_that_cannot_be_had_is_no_new_suite() -> None:
    gate = gate_with({"max_worse": 0, "max_newly_wrong": 0})
    found, _ = findings(SUITE, table(NOW), [M], [gate], Run("main", reason="there is no commit main"))
    verdicts = judge(gate, Standing(Score(0.5)), found["m"])
    assert [(verdict.verdict, verdict.reason) for verdict in verdicts] == [("unjudged", "there is no commit main")] * 2


def test_a_measure_that_the_baseline_is_older_than_holds_and_says_so() -> None:
    measure = replace(M, since="items")
    older = table(BEFORE)
    older = replace(older, columns={"value": older.columns["value"]})
    (found, _) = verdicts({"max_newly_wrong": 0, "max_worse": 0}, table(NOW), older, [measure])
    assert [(verdict.verdict, "m is new against the baseline" in verdict.reason) for verdict in found] == [("passed", True)] * 2


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"must_pass": ["1", "2"]}, {"a.f1": "failed", "b.f1": "passed"}),
        ({"known_failures": []}, {"a.f1": "failed", "b.f1": "passed"}),
        ({"max_newly_wrong": 0}, {"a.f1": "failed", "b.f1": "passed"}),
        ({"max_newly_wrong": 1}, {"a.f1": "passed", "b.f1": "passed"}),
    ],
)
def test_an_item_that_is_not_answered_is_wrong_for_its_own_label(fields: Mapping[str, Any], words: Mapping[str, str]) -> None:
    """Items 1 and 3 are a, 2 is b; 1 was answered. No measure of a label has a value of what nobody answered."""
    gold, rules = table_of([(1, "a"), (2, "b"), (3, "a")]), dict[str, Rule]({"labels.missing-id": "off"})
    now, before = (scored(gold, table_of(answers), rules) for answers in ([(2, "b"), (3, "a")], [(1, "a"), (2, "b"), (3, "a")]))
    measures = list(now.measures().values())
    gates = [gate_with(fields, measure) for measure in measures if measure.name in words]
    assert now.evidence is not None
    found, _ = findings(SUITE, now.evidence, measures, gates, Run("main", evidence=before.evidence))
    assert {gate.measure: judge(gate, Standing(Score(0.5)), found[gate.measure])[0].verdict for gate in gates} == words


def test_what_is_skipped_is_wrong_and_what_has_nothing_to_find_is_right() -> None:
    coverage = Measure("coverage", "", "", lambda sample: sample.total("items"))
    items = {"q1": 1.0, "skipped": None}
    (found, _) = verdicts({"known_failures": []}, table(items), None, [M, coverage])
    assert found[0].verdict == "failed"
    assert the({"known_failures": []}, items).verdict == "passed"


def test_a_unit_that_is_not_answered_any_more_is_worse_by_any_difference() -> None:
    coverage = Measure("coverage", "", "", lambda sample: sample.total("items"))
    fields = {"max_worse": {"units": 0, "by": 5}}
    (found, _) = verdicts(fields, table({"q1": None}), table({"q1": 0.2}), [M, coverage])
    assert found[0].verdict == "unjudged"
    now, before = table({"q1": None, "q2": 1}), table({"q1": 0.2, "q2": 1})
    (found, _) = verdicts(fields, now, before, [M, coverage])
    assert found[0].verdict == "failed"


def test_where_less_is_better_a_unit_is_worse_that_has_more() -> None:
    now, before = table({"s1": 0.5, "s2": 0.1}), table({"s1": 0.1, "s2": 0.5})
    (found, _) = verdicts({"max_worse": {"units": 0, "by": 0.3}}, now, before, [RATE])
    assert found[0].finding is not None
    assert [unit.unit for unit in found[0].finding.units] == ["s1"]


def test_documents_are_part_of_names() -> None:
    now = Evidence.merge([table({"1": 0, "2": 1}, "a"), table({"1": 1}, "a/b"), table({"b/1": 0}, "a2")])
    (found, codes) = verdicts({"must_pass": ["a/b/1"]}, now, None)
    assert (found[0].verdict, codes) == ("passed", ())
    (found, codes) = verdicts({"must_pass": ["a/1"]}, now, None)
    assert "a/1" in found[0].reason
    (_, codes) = verdicts({"must_pass": ["1"]}, now, None)
    assert codes == ("guard.no-such-item",)


def test_problems_of_lists_are_told_all_at_once() -> None:
    fields = {"must_pass": ["q9", "q1", "q1"], "known_failures": ["q1", "q8"]}
    (_, codes) = verdicts(fields, table(NOW), None)
    assert sorted(codes) == ["guard.both", "guard.both", "guard.duplicate", "guard.no-such-item", "guard.no-such-item"]
    (found, codes) = verdicts({"must_pass": []}, table(NOW), None)
    assert codes == ("guard.empty",)
    reason = "there is no list of units to judge by: see the problem of that list"
    assert [(verdict.verdict, verdict.reason) for verdict in found] == [("unjudged", reason)]


def test_a_guard_is_judged_where_its_measure_says_what_it_needs() -> None:
    """Of a count nobody knows which is right, but which is worse; of a measure that is not there, nothing is known."""
    count = column("value", range=COUNT)
    fields = {"max_worse": 0, "max_newly_wrong": 0}
    gates, baseline = [gate_with(fields, count), gate_with(fields, column("gone"))], Run("main", evidence=table(BEFORE))
    found, _ = findings(SUITE, table(NOW), [count], gates, baseline)
    assert {name: list(conditions) for name, conditions in found.items()} == {"value": ["max_worse"]}
    found, _ = findings(SUITE, table(NOW), [count], [gate_with({**fields, "right": 1}, count)], baseline)
    assert list(found["value"]) == ["max_newly_wrong", "max_worse"]


values = st.sampled_from([0.0, 0.25, 0.5, 1.0])
runs = st.dictionaries(st.sampled_from("abcdef"), values, min_size=1)


@given(runs, runs, st.integers(0, 3), st.sampled_from(["max_newly_wrong", "max_worse"]))
def test_a_greater_number_never_fails_what_passed(now: Items, before: Items, most: int, name: str) -> None:
    gates = [gate_with({name: number}) for number in (most, most + 1)]
    found, _ = findings(SUITE, table(now), [M], gates[:1], Run("main", evidence=table(before)))
    less, more = (judge(gate, Standing(Score(0.5)), found["m"])[0].holds for gate in gates)
    assert more >= less


@given(runs)
def test_a_run_against_itself_holds_and_known_failures_of_all_wrong_units_do(now: Items) -> None:
    wrong = [name for name, value in now.items() if value is not None and value < 1]
    gate = gate_with({"max_newly_wrong": 0, "max_worse": 0, "known_failures": wrong, "strict": True})
    found, _ = findings(SUITE, table(now), [M], [gate], Run("main", evidence=table(dict(reversed(list(now.items()))))))
    assert all(verdict.holds for verdict in judge(gate, Standing(Score(0.5)), found["m"]))
    if wrong:
        gate = gate_with({"known_failures": wrong[1:], "strict": True})
        found, _ = findings(SUITE, table(now), [M], [gate], None)
        assert not judge(gate, Standing(Score(0.5)), found["m"])[0].holds


def test_what_the_report_says_is_read_back() -> None:
    verdict = the({"max_worse": {"units": 1, "by": 0.05}})
    data = verdict.to_json()
    assert (data["threshold"], data["value"], data["by"]) == (1, 2, 0.05)
    assert data["units"][0] == {"case": "d", "unit": "q2", "before": 1, "now": 0.4}
    report = GateReport.from_json(data)
    assert (report.to_json(), report.is_guard, report.distance) == (data, True, -1)


def test_the_table_has_all_conditions() -> None:
    assert list(CONDITIONS)[-len(GUARDS) :] == list(GUARDS)


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("cws: {max_newly_wrong: 0}", "no value of a single unit"),
        ("accuracy: {min: 0.5, right: 0.5}", "`right` is about"),
        ("accuracy: {min: 0.5, strict: true}", "`strict` is about"),
        ("accuracy: {max_newly_wrong: -1}", "max_newly_wrong"),
        ("accuracy: {max_worse: {by: 1}}", "units"),
        ("accuracy: {must_pass: [q1], right: .inf}", "finite"),
        ("accuracy: {must_pass: [q1], right: .nan}", "expected a number, got nan"),
    ],
)
def test_guards_that_cannot_be_are_mistakes_of_the_configuration(tmp_path: Path, gate: str, message: str) -> None:
    write(tmp_path, {"nlpeval.yaml": config_text(gate), "gold/a.xml": gold_xml(), "system/a.txt": RIGHT})
    with pytest.raises(ConfigError) as error:
        load_suites(tmp_path / "nlpeval.yaml")
    assert message in str(error.value)


def test_a_list_file(tmp_path: Path) -> None:
    files = {"gold/a.xml": gold_xml(FOUR), "system/a.txt": HALF, "golden.txt": "# must never break\n1\n\n 2\t\n9\n"}
    write(tmp_path, {"nlpeval.yaml": config_text("accuracy: {must_pass: golden.txt}"), **files})
    (suite,) = load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)
    result = evaluate(suite)
    assert [f"{problem.place}: {problem.code}" for problem in result.problems] == ["golden.txt:5: guard.no-such-item"]
    assert result.outcome == "set-up"
    assert result.verdicts[0].reason.startswith("1 unit is wrong and must pass (right is 1): 2")
    (tmp_path / "golden.txt").write_bytes(b"\xff\n")
    assert [problem.code for problem in evaluate(suite).problems] == ["text.encoding"]
    (tmp_path / "golden.txt").unlink()
    assert [problem.code for problem in evaluate(suite).problems] == ["file.missing"]


def of_columns(columns: Mapping[str, Sequence[float]]) -> Evidence:
    (units, *_) = columns.values()
    names = [f"u{rank}" for rank in range(len(units))]
    return Evidence.of(names, {name: np.array(numbers, np.float64) for name, numbers in columns.items()}, "d")


def column(name: str, **fields: Any) -> Measure:
    """A measure whose own value of a unit is what stands in a column."""
    return Measure(name, "", "", lambda sample: sample.total(name), **fields)


def test_a_unit_that_is_answered_in_part_is_not_answered() -> None:
    """Of the four none has a value: one was answered, one in part, one not, and one was not asked for."""
    evidence = of_columns({"value": [0] * 4, "items": [0] * 4, "coverage": [1, 0.5, 0, np.nan]})
    units = Units(evidence, [M, coverage := column("coverage")])
    assert units.answered(coverage).tolist() == [True, False, False, True]
    assert units.wrong(M, 1).tolist() == [False, True, True, False]


def test_the_nearest_coverage_says_what_was_answered() -> None:
    evidence = of_columns({"coverage": [1, 1, 0], "a.coverage": [1, 0, 1]})
    coverages = [column("coverage"), column("a.coverage")]
    near, far = (Units(evidence, coverages).answered(column(name)).tolist() for name in ("a.f1", "b.f1"))
    assert (near, far) == ([True, False, True], [True, True, False])
    assert Units(evidence, ()).answered(M).all(), "without any, all are answered"


@pytest.mark.parametrize(
    ("group", "belong"),
    [("macro", [True, True, True, True]), ("", [True, True, True, True]), ("a", [True, True, True, False])],
)
def test_which_units_are_of_a_group(group: str, belong: list[bool]) -> None:
    """A value of its own, one of another measure of the group, a count above 0; not a count of 0, another group, a ranking of one unit."""
    nan = np.nan
    columns: dict[str, Sequence[float]] = {
        "f1": [0, nan, nan, nan],
        "precision": [nan, 0, nan, nan],
        "found": [0, 0, 1, 0],
        "other": [1, 1, 1, 1],
    }
    f1, precision, found = (column(name, group=group) for name in ("f1", "precision", "found"))
    others = [column("other", group="b"), column("coverage", group="b"), column("ranked", group=group, needs="rows")]
    units = Units(
        of_columns({**columns, "ranked": [1] * 4, "coverage": [0] * 4}), [f1, precision, replace(found, range=COUNT), *others]
    )
    assert units.belong(f1).tolist() == belong
    assert units.wrong(f1, 1).tolist() == belong


@pytest.mark.parametrize("number", [3, 30])
def test_what_labels_share_is_worked_out_once_however_many_of_them_are_judged(number: int) -> None:
    """Once for today's units, and once for those of both runs; of measures that read rows, and of all of a label's group."""
    passes: list[Sample] = []

    def of_label(sample: Sample) -> Values:
        def of_all_labels() -> Values:
            passes.append(sample)
            return np.zeros(1)

        sample.require_rows()
        sample.shared("of all labels", of_all_labels)
        return mean(sample)

    measures = [
        Measure(f"l{rank}.{figure}", "", "", of_label, group=f"l{rank}") for rank in range(number) for figure in ("f1", "r")
    ]
    gates = [gate_with({"max_newly_wrong": 0, "must_pass": ["q1"]}, measure) for measure in measures[::2]]
    now, before = table({"q1": 1, "q2": 0}), table({"q1": 1, "q2": 1})
    found, _ = findings(SUITE, now, measures, gates, Run("main", evidence=before))
    assert [finding["max_newly_wrong"].count for finding in found.values()] == [1] * number
    assert len(passes) == 4, "the judged measures, then what else is of their groups"
    passes.clear()
    assert changed_verdicts(pair(now, before, "units"), measures) == 1
    assert newly_wrong(pair(now, before, "units"), gates, measures) == {measure.name: 1 for measure in measures[::2]}
    assert len(passes) == 3


def test_a_measure_of_rankings_has_no_value_of_a_unit() -> None:
    def ranked(sample: Sample) -> Values:
        sample.require_rows()
        return sample.total("value")

    units = Units(table({"q1": 1, "q2": 1}), ())
    assert np.isnan(units.own(Measure("ap", "", "", ranked, needs="rows"))).tolist() == [True, True]


@pytest.mark.parametrize(("measure", "wrong"), [(M, [0.2]), (RATE, [0.4])])
def test_a_value_that_rounding_alone_moved_off_the_least_right_one_is_right(measure: Measure, wrong: list[float]) -> None:
    """0.1 + 0.2 is a little more than 0.3."""
    sums = {0.3, 0.1 + 0.2}
    assert len(sums) == 2
    for least in sums:
        units = Units(table({str(rank): value for rank, value in enumerate([*sums, *wrong])}), [measure])
        assert units.right(measure, least).tolist() == [True, True, False]


def test_in_what_order_units_are_named() -> None:
    """Those without a value first, then the worst, then by name; the list says what is gone by name, too."""
    now = of_columns({"value": [0.2, 0.4, 0, 0.4], "items": [1, 1, 0, 1], "coverage": [1, 1, 0, 1]})
    for measure, order in ((M, ["u2", "u0", "u1", "u3"]), (RATE, ["u2", "u1", "u3", "u0"])):
        fields = {"known_failures": ["z", "y"], "right": 0.5 if measure is M else 0.1}
        ((verdict,), _) = verdicts(fields, now, None, [measure, column("coverage")])
        assert verdict.finding is not None
        assert [unit.unit for unit in verdict.finding.units] == order
        assert verdict.finding.gone == ("y", "z")


def test_what_is_said_of_units() -> None:
    assert the({"max_newly_wrong": 0}, {"q1": 0}, {"q1": 1}).reason == "1 unit is newly wrong: q1"
    assert the({"max_worse": 0}, {"q2": 0, "q1": 0}, {"q1": 1, "q2": 1}).reason == "2 units are worse: q1, q2"
    assert the({"known_failures": []}, {"q1": 0}).reason == "1 unit is wrong and not among the known failures: q1"
    assert the({"max_newly_wrong": 0}, {"q1": 1}, {"q1": 1}).reason == ""


def test_the_first_three_values_are_said_of_units_that_must_pass() -> None:
    items = {"q1": 0, "q2": 0.25, "q3": 0.5, "q4": 0.75}
    what, values = "4 units are wrong and must pass (right is 1): q1, q2, q3, q4", "q1 has 0; q2 has 0.25; q3 has 0.5"
    assert the({"must_pass": list(items)}, items).reason == f"{what}; {values}"
    evidence = of_columns({"value": [0], "items": [0], "coverage": [0]})
    ((verdict,), _) = verdicts(
        {"must_pass": ["d/u0"]}, Evidence.merge([evidence, table({"q": 1}, "e")]), None, [M, column("coverage")]
    )
    assert verdict.reason == "1 unit is wrong and must pass (right is 1): d/u0; u0 has no value"


def test_runs_without_a_unit_in_common_are_no_pass() -> None:
    verdict = the({"max_worse": 0}, {"q1": 1}, {"q2": 1})
    assert (verdict.verdict, verdict.reason) == ("unjudged", "today's run and the baseline have no unit in common")


def test_the_units_that_lost_most_are_named_first() -> None:
    """A value that is lost because nobody answered is the greatest loss; one that nobody had is none, and nor is one of an answer."""
    before: dict[str, Sequence[float]] = {
        "value": [0.5, 1, 1, 1, 0, 1, 1],
        "items": [1, 1, 1, 1, 0, 1, 1],
        "coverage": [1, 1, 1, 1, 0, 1, 1],
    }
    now: dict[str, Sequence[float]] = {
        "value": [0, 0, 0.9, 0, 0, 0, 0],
        "items": [1, 1, 1, 0, 0, 0, 1],
        "coverage": [1, 1, 1, 0, 0, 1, 1],
    }
    measures = [M, column("coverage")]
    ((verdict,), _) = verdicts({"max_worse": {"units": 0, "by": 0.2}}, of_columns(now), of_columns(before), measures)
    assert verdict.reason == "4 units are worse by more than 0.2: u3, u1, u6, u0"
    lost = GuardedUnit("d", "u3", 1, None)
    assert verdict.finding is not None
    assert verdict.finding.units[:2] == (lost, GuardedUnit("d", "u1", 1, 0))


def test_names_have_the_document_where_there_are_several() -> None:
    one, two = (Evidence.merge([table({"2": 0, "1": 0}, name) for name in names]) for names in ("a", "ab"))
    units = Units(one, [M])
    assert (units.usual_names(), units.names(units.flags(["2", "a/1"]))) == (["2", "1"], ("1", "2"))
    units = Units(two, [M])
    assert units.usual_names() == ["a/2", "a/1", "b/2", "b/1"]
    assert units.names(units.flags(["b/1", "1", "a/2"])) == ("a/2", "b/1")


def test_newly_wrong_units_are_counted_by_the_measures_that_have_guards() -> None:
    """A unit that becomes wrong is counted for a guarded measure alone, if it says what is right."""
    now, before = (of_columns(dict.fromkeys("abcd", numbers)) for numbers in ([0, 0.4, 1, 0], [1, 0.6, 0, 0]))
    measures = [column("a"), column("b"), column("c", range=COUNT), column("d")]
    guarded = [gate_with({"max_newly_wrong": 0}, measures[0]), gate_with({"must_pass": ["u0"], "right": 0.5}, measures[1])]
    others = [gate_with({"max_worse": 0}, measures[2]), gate_with({"min": 0.5}, measures[3])]
    assert newly_wrong(pair(now, before, "units"), [*guarded, *others], measures) == {"a": 1, "b": 2}


def test_what_has_no_value_before_and_after_has_not_changed() -> None:
    now, before = table({"q1": None, "q2": None, "q3": 1, "q4": 1}), table({"q1": None, "q2": 1, "q3": None, "q4": 1})
    assert changed_verdicts(pair(now, before, "units"), [M]) == 2


def test_from_which_file_to_remove_what_is_right_again(tmp_path: Path) -> None:
    files = {"gold/a.xml": gold_xml(FOUR), "system/a.txt": RIGHT, "known.txt": "1\n2\n"}
    write(tmp_path, {"nlpeval.yaml": config_text("accuracy: {known_failures: known.txt}"), **files})
    (suite,) = load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)
    assert evaluate(suite).verdicts[0].reason == "right again: remove them from known.txt: 1, 2"


def test_confidences_that_moved_are_told_apart_from_verdicts() -> None:
    measures = [Measure("right", "", "", lambda sample: sample.total("value"))]
    now, before = (table({"q1": 1, "q2": value, "q3": 0}) for value in (0, 1))
    moved = [
        replace(run, columns={**run.columns, "confidence": np.array(numbers)})
        for run, numbers in ((now, [0.1, 0.2, 0.3]), (before, [0.2, 0.3, 0.3]))
    ]
    pairs = pair(moved[0], moved[1], "units")
    assert (pairs.differing, changed_verdicts(pairs, measures)) == (2, 1)


def test_units_of_failing_guards_are_explained_first_and_known_failures_last(tmp_path: Path) -> None:
    wrong = "1 FALSE 0.9\n2 TRUE 0.8\n3 FALSE 0.7\n4 FALSE 0.6\n"
    gates = "accuracy: {must_pass: ['3'], known_failures: ['1', '2', '3x']}"
    write(tmp_path, {"nlpeval.yaml": config_text(gates), "gold/a.xml": gold_xml(FOUR), "system/a.txt": wrong})
    (suite,) = load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)
    report = suite_report(evaluate(suite, explain=True))
    lines = [line.split(": ")[-1] for line in explanation_lines(report, "accuracy") if not line.startswith(" ")]
    order = [entry.explanation.unit for entry in sorted(report.explained.first, key=ranks_by_guards(report, "accuracy"))]
    assert (order, len(lines)) == (["3", "1", "2"], 3)
    assert [gate.gone for gate in report.gates if gate.condition == "known_failures"] == [("3x",)]


def test_the_page_folds_known_failures(tmp_path: Path) -> None:
    """Of three wrong pairs two are known: they are behind a summary, and not among the first to be read."""
    wrong = "1 FALSE 0.9\n2 TRUE 0.8\n3 FALSE 0.7\n4 FALSE 0.6\n"
    gates = "accuracy: {known_failures: ['1', '2']}"
    write(tmp_path, {"nlpeval.yaml": config_text(gates), "gold/a.xml": gold_xml(FOUR), "system/a.txt": wrong})
    (suite,) = load_suites(tmp_path / "nlpeval.yaml", root=tmp_path)
    shown = explained(suite_report(evaluate(suite, explain=True)), 100, 10_000)
    assert [entry.message.split()[1] for entry in shown.entries] == ["3"]
    assert [entry.message.split()[1] for entry in shown.known] == ["1", "2"]
    assert (shown.unshown, shown.unshown_right) == (0, 0)
    page = FORMATS["html"](RUN, report_of([evaluate(suite, explain=True)]), Setting())
    folded = "".join(page).partition('<details class="known"><summary>2 known failures</summary>')[2].partition("</details>")[0]
    assert (folded.count("<article "), "pair 3" in folded) == (2, False)
