"""`if_no_value`: what becomes of gates on measures without value, and what never passes so."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.config.checks import ConfigError
from pytest_nlpeval.run.baseline_update import updates
from pytest_nlpeval.run.results import SuiteResult
from tests.support import write

HEAD = "id\tlabel\n"
GOLD = HEAD + "1\ta\n2\tb\n3\ta\n"
INVENTS = HEAD + "1\ta\n2\tz\n3\ta\n"  # gold has no z: no recall of it


def judged(folder: Path, gates: str, gold: str = GOLD, system: str = INVENTS, baseline: str = "") -> SuiteResult:
    keys = f"version: 1\nsuites:\n  - name: t\n    task: labels\n    gold: g.tsv\n    system: s.tsv\n{baseline}"
    write(folder, {"g.tsv": gold, "s.tsv": system, "nlpeval.yaml": f"{keys}    gates: {gates}\n"})
    return evaluate(load_suites(folder / "nlpeval.yaml")[0])


def verdicts(result: SuiteResult) -> dict[str, str]:
    return {verdict.measure: verdict.verdict for verdict in result.verdicts}


def notes(result: SuiteResult) -> str:
    return "\n".join(result.notes)


def test_without_the_field_the_reason_says_how_the_gate_passes(tmp_path: Path) -> None:
    result = judged(tmp_path, '{"*.recall": {min: 0}}')
    assert verdicts(result)["z.recall"] == "unjudged"
    reason = next(verdict.reason for verdict in result.verdicts if verdict.measure == "z.recall")
    assert reason == "gold does not have z; if that is no fault, set `if_no_value: pass` on the gate"
    assert result.outcome == "failed"


def test_several_measures_without_value_are_named_with_the_cure(tmp_path: Path) -> None:
    result = judged(tmp_path, '{"*.recall": {min: 0}}', system=HEAD + "1\ty\n2\tz\n3\ta\n")
    assert "line 7: 2 measures have no value: y.recall, z.recall; to leave out all of them, set `if_no_value: pass`" in notes(
        result
    )
    cured = judged(tmp_path, '{"*.recall": {min: 0}, z.recall: {informational: true}}')
    assert cured.outcome == "ok"
    with pytest.raises(ConfigError, match="has no condition"):
        judged(tmp_path, '{"*.f1": {min: 0}, z.recall: {informational: true}}')


def test_what_passes_so_is_reported(tmp_path: Path) -> None:
    result = judged(tmp_path, '{"*.recall": {min: 0, if_no_value: pass}}')
    assert verdicts(result)["z.recall"] == "passed"
    assert [verdict.reason for verdict in result.verdicts if verdict.reason] == [
        "gold does not have z; passes, for `if_no_value: pass`"
    ]
    assert "1 measure has no value and passes so: z.recall" in notes(result)
    assert result.outcome == "ok"


def test_a_value_that_is_too_low_fails_all_the_same(tmp_path: Path) -> None:
    result = judged(tmp_path, '{"*.recall": {min: 0.5, if_no_value: pass}}')
    assert verdicts(result)["b.recall"] == "failed"


def test_a_plain_name_takes_the_permission_back(tmp_path: Path) -> None:
    result = judged(tmp_path, '{"*.recall": {min: 0, if_no_value: pass}, z.recall: {if_no_value: fail}}')
    assert verdicts(result)["z.recall"] == "unjudged"


def test_where_no_gate_has_a_value_none_passes(tmp_path: Path) -> None:
    result = judged(tmp_path, "{z.recall: {min: 0.5, if_no_value: pass}}")
    assert verdicts(result) == {"z.recall": "unjudged"}
    assert "counts only beside a gate that has a value" in result.verdicts[0].reason
    assert judged(tmp_path, "{accuracy: 0, z.recall: {min: 0.5, if_no_value: pass}}").outcome == "ok"


@pytest.mark.parametrize("system", [HEAD + "1\ta\n", "nothing of the kind\n", ""])
def test_files_with_errors_never_pass(tmp_path: Path, system: str) -> None:
    result = judged(tmp_path, '{"*": {min: 0, if_no_value: pass}}', system=system)
    assert set(verdicts(result).values()) == {"unjudged"}
    assert result.outcome == "failed"


def test_a_measure_that_the_files_do_not_have_never_passes(tmp_path: Path) -> None:
    result = judged(tmp_path, "{accuracy: 0, q.recall: {min: 0, if_no_value: pass}}")
    assert "q.recall" not in verdicts(result)
    assert [problem.code for problem in result.problems] == ["config.measure"]
    assert result.outcome == "set-up"


def test_a_baseline_that_cannot_be_had_never_passes(tmp_path: Path) -> None:
    result = judged(
        tmp_path, "{accuracy: {min: 0}, a.recall: {max_drop: 0.1, if_no_value: pass}}", baseline="    baseline: none.json\n"
    )
    assert verdicts(result) == {"accuracy": "passed", "a.recall": "unjudged"}


def against(folder: Path, before: str, now: str, gates: str) -> SuiteResult:
    line = "    baseline: base.json\n"
    for update in updates([judged(folder, gates, system=before, baseline=line)]):
        update.write()
    return judged(folder, gates, system=now, baseline=line)


def test_a_value_of_the_baseline_that_is_gone_fails(tmp_path: Path) -> None:
    gates = '{accuracy: {min: 0}, "*.precision": {max_drop: 1, if_no_value: pass}}'
    assert verdicts(against(tmp_path, GOLD, HEAD + "1\ta\n2\ta\n3\ta\n", gates))["b.precision"] == "unjudged"


def test_what_the_baseline_has_no_value_of_cannot_drop(tmp_path: Path) -> None:
    gates = '{accuracy: {min: 0}, "*.precision": {max_drop: 1, if_no_value: pass}}'
    assert verdicts(against(tmp_path, HEAD + "1\ta\n2\ta\n3\ta\n", GOLD, gates))["b.precision"] == "passed"
    gates = gates.replace(", if_no_value: pass", "")
    assert verdicts(against(tmp_path, HEAD + "1\ta\n2\ta\n3\ta\n", GOLD, gates))["b.precision"] == "unjudged"
