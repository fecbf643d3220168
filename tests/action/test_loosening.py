"""How much a change loosens: what may let more pass weighs, most of all what is lowered most."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest
from bar import Comparison, changed, paired
from loosening import ALPHA, BOUND, FILES, INFORMATIONAL, MEANING, NONE, RULES, STATISTICS, Weight, loosened_gates, weight_of

from pytest_nlpeval.conditions import Max, Min
from pytest_nlpeval.gates import Gate
from pytest_nlpeval.guards import CONDITIONS, GUARDS, KnownFailures, Listing, MaxWorse, MustPass
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.run.document import report_of
from pytest_nlpeval.reports.view import Setting
from tests.action.test_configurations import FILES as BOTH
from tests.action.test_configurations import at
from tests.action.test_configurations import judged as suite_of
from tests.support import config_text


@pytest.mark.parametrize(
    ("keys", "old", "new", "weight"),
    [
        ("gates accuracy min", "0.8", "0.1", Weight(0, 0.8 - 0.1)),
        ("gates accuracy min", "0.1", "0.8", NONE),
        ("gates accuracy min", "0.8", None, Weight(0, math.inf)),
        ("gates accuracy min", None, "0.8", NONE),
        ("gates accuracy min", "0.8", '"high"', Weight(0, math.inf)),
        ("profiles release accuracy min", "0.8", "0.1", Weight(0, 0.8 - 0.1)),
        ("gates wer max", "0.1", "0.8", Weight(0, 0.8 - 0.1)),
        ("gates wer max", "0.8", "0.1", NONE),
        ("gates accuracy max_drop", "0", "0.5", Weight(0, 0.5)),
        ("gates accuracy non_inferior", "0.01", "0.05", Weight(0, 0.05 - 0.01)),
        ("gates accuracy max_newly_wrong", "0", "9", Weight(0, 9)),
        ("gates accuracy max_worse by", "0.1", "0.3", Weight(0, 0.3 - 0.1)),
        ("gates accuracy max_worse units", "3", "1", NONE),
        ("gates accuracy max_worse units", None, "3", Weight(0, math.inf)),  # instead of a number alone, which is gone
        ("gates accuracy must_pass", '["a", "b"]', '["b"]', Weight(0, 1)),
        ("gates accuracy must_pass", '["b"]', '["a", "b"]', NONE),
        ("gates accuracy must_pass", '["b"]', '""', Weight(0, math.inf)),
        ("gates accuracy must_pass", '""', '["b"]', Weight(0, math.inf)),
        ("gates accuracy must_pass", '["b"]', None, Weight(0, math.inf)),
        ("gates accuracy must_pass", None, '["b"]', NONE),
        ("gates accuracy known_failures", '["b"]', '["a", "b", "c"]', Weight(0, 2)),
        ("gates accuracy known_failures", '["a", "b"]', '["b"]', NONE),
        ("gates accuracy known_failures", None, '["b"]', BOUND),
        ("gates accuracy right", "0.5", "0.4", BOUND),
        ("gates accuracy right", "0.4", "0.5", BOUND),
        ("gates accuracy strict", "true", "false", BOUND),
        ("gates accuracy if_no_value", None, '"pass"', INFORMATIONAL),
        ("gates accuracy if_no_value", '"pass"', '"fail"', NONE),
        ("gates accuracy if_no_value", '"pass"', None, NONE),
        ("gates accuracy alpha", "0.05", "0.0001", ALPHA),
        ("gates accuracy alpha", None, "0.05", ALPHA),
        ("gates accuracy informational", None, "true", INFORMATIONAL),
        ("gates accuracy informational", "true", None, NONE),
        ("statistics resamples", "10000", "100", STATISTICS),
        ("rules rte.ties", None, '"off"', RULES),
        ("rules rte.ties", '"error"', None, RULES),
        ("rules rte.ties", '"warning"', '"error"', NONE),
        ("options edition", "1", "2", MEANING),
        ("system", '"a"', '"b"', MEANING),
        ("baseline", None, '"git:HEAD"', MEANING),
        ("was", None, '"x"', MEANING),
    ],
)
def test_what_a_change_weighs(keys: str, old: str | None, new: str | None, weight: Weight) -> None:
    found = weight_of(tuple(keys.split()), old, new)
    assert found.rank == weight.rank
    assert found.amount == (pytest.approx(weight.amount) if weight.amount else found.amount)


def test_the_sorts_in_their_order() -> None:
    order = [BOUND, ALPHA, STATISTICS, INFORMATIONAL, RULES, FILES, MEANING, NONE]
    assert [weight.rank for weight in order] == list(range(8))
    assert [weight.loosens for weight in order] == [*[True] * 7, False]


@pytest.mark.parametrize("name", sorted(CONDITIONS.keys() - GUARDS.keys()))
def test_every_threshold_has_a_direction(name: str) -> None:
    """Exactly one of the two ways loosens, and the other does not."""
    ways = [weight_of(("gates", "x", name), old, new).loosens for old, new in (("0.2", "0.1"), ("0.1", "0.2"))]
    assert sorted(ways) == [False, True]


def test_what_loosens_most_is_first(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    before = at(folder, {**BOTH, "nlpeval.yaml": config_text("accuracy: 0.8", "cws: 0.5", "coverage: {min: 0.5, alpha: 0.1}")})
    text = config_text(
        "accuracy: 0.7", "cws: 0.1", "coverage: {min: 0.6, alpha: 0.01, informational: true}", rules="{rte.ties: off}"
    )
    after = at(folder, {"nlpeval.yaml": text, "gold/a.xml": "x"})
    found = changed(paired(before, after), Comparison({}, "base"))
    assert [(problem.code.partition(".")[2], problem.message.split(" ")[1:4]) for problem in found] == [
        ("loosened", ["gates", "cws", "min"]),
        ("loosened", ["gates", "accuracy", "min"]),
        ("loosened", ["gates", "coverage", "alpha"]),
        ("loosened", ["gates", "coverage", "informational"]),
        ("loosened", ["rules", "rte.ties", "is"]),
        ("loosened", ["gold:", "1", "file"]),
        ("changed", ["gates", "coverage", "min"]),
    ]


def test_what_loosens_this_run_comes_before_profiles_that_it_does_not_have(tmp_path: Path) -> None:
    bar = "accuracy: {0}\n    profiles: {{nightly: {{accuracy: {1}}}, release: {{accuracy: {2}}}}}"
    before = at(tmp_path / "repo", {**BOTH, "nlpeval.yaml": config_text(bar.format(0.8, 0.9, 0.9))})
    after = at(tmp_path / "repo", {"nlpeval.yaml": config_text(bar.format(0.7, 0.1, 0.7))})
    found = changed(paired(before, after), Comparison({}, "base", "release"))
    assert [problem.message.split(" min ")[0] for problem in found] == [
        "dev: profiles release accuracy",
        "dev: gates accuracy",
        "dev: profiles nightly accuracy",
    ]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("'acc*': 0.8", "accuracy: 0.1", "min was 0.8, is 0.1"),
        ("accuracy: {max_drop: 0.1}", "'*': 0", ""),
        ("accuracy: {informational: false}\n      '*': {min: 0.8, informational: true}", "", "informational is informational"),
        ("'acc*': {must_pass: [a, b, c]}", "accuracy: {must_pass: [c]}", "must_pass changed: +0 \N{MINUS SIGN}2 units"),
        ("'acc*': {must_pass: [a]}", "accuracy: {must_pass: [a, b]}", ""),
        ("'acc*': {must_pass: golden.txt}", "accuracy: {must_pass: lax.txt}", "must_pass changed: +0 \N{MINUS SIGN}1 units"),
        ("'acc*': {must_pass: lax.txt}", "accuracy: {must_pass: golden.txt}", ""),
        ("'acc*': {known_failures: [a, b]}", "accuracy: {known_failures: [b]}", ""),
    ],
)
@pytest.mark.parametrize("key", ["gates", "profiles"])
def test_an_entry_that_is_new_and_takes_the_place_of_a_stricter_one(
    tmp_path: Path, key: str, before: str, after: str, told: str
) -> None:
    """Of two entries that set the same condition the later one counts; those of a profile come after those of the suite."""
    files = {**BOTH, "golden.txt": "a\nb\n", "lax.txt": "b\n"}
    old = config_text(before)
    removed = old.replace("accuracy: {informational: false}\n      ", "")
    in_profile = f"{old}    profiles: {{release: {{{after}}}}}\n" if after else removed
    new = in_profile if key == "profiles" else config_text(*filter(None, (before, after))) if after else removed
    folder = tmp_path / "repo"
    pairs = paired(at(folder, {**files, "nlpeval.yaml": old}), at(folder, {"nlpeval.yaml": new}))
    judged = {("nlpeval.yaml", "dev"): suite_of(scores=["accuracy", "cws"])}
    found = changed(pairs, Comparison(judged, "base", "release"))
    loosened = [
        problem.message for problem in found if problem.code == "action.loosened" and "by another entry" in problem.message
    ]
    assert [told in message for message in loosened] == ([True] if told else []), found


WORSE = Gate("m", 1, {"max_worse": MaxWorse(2.0)})
LISTED = Gate(
    "m",
    1,
    {"must_pass": MustPass(0.0, listing=Listing(("a", "b"))), "known_failures": KnownFailures(0.0, listing=Listing(("c",)))},
)


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (Gate("m", 1, {"min": Min(0.8)}), Gate("m", 1, {"min": Min(0.7)}), ("min", "was 0.8, is 0.7", 0.8 - 0.7)),
        (Gate("m", 1, {"min": Min(0.7)}), Gate("m", 1, {"min": Min(0.8)}), None),
        (Gate("m", 1, {"max": Max(0.1)}), Gate("m", 1, {"max": Max(0.3)}), ("max", "was 0.1, is 0.3", 0.3 - 0.1)),
        (Gate("m", 1, {"max": Max(0.3)}), Gate("m", 1, {"max": Max(0.1)}), None),
        (Gate("m", 1), Gate("m", 1, informational=True), ("informational", "is informational", 0)),
        (Gate("m", 1, informational=True), Gate("m", 1, informational=True), None),
        (Gate("m", 1), Gate("m", 1, if_no_value="pass"), ("if_no_value", "passes without a value", 0)),
        (Gate("m", 1, if_no_value="pass"), Gate("m", 1, if_no_value="pass"), None),
        (Gate("m", 1, if_no_value="pass"), Gate("m", 1), None),
        (
            LISTED,
            replace(LISTED, conditions={"must_pass": MustPass(0.0, listing=Listing(("b", "x", "y")))}),
            ("must_pass", "changed: +2 \N{MINUS SIGN}1 units", 1),
        ),
        (
            LISTED,
            replace(LISTED, conditions={"known_failures": KnownFailures(0.0, listing=Listing(("x", "y")))}),
            ("known_failures", "changed: +2 \N{MINUS SIGN}1 units", 2),
        ),
        (LISTED, replace(LISTED, alpha=0.01), ("alpha", "was none, is 0.01", 0)),
        (LISTED, replace(LISTED, right=0.5), ("right", "was none, is 0.5", 0)),
        (replace(LISTED, strict=True), LISTED, ("strict", "is gone", 0)),
        (LISTED, replace(LISTED, strict=True), None),
        (
            WORSE,
            replace(WORSE, conditions={"max_worse": MaxWorse(2.0, by=0.25)}),
            ("max_worse", "counts units that are worse by 0.25, not by 0", 0.25),
        ),
        (replace(WORSE, conditions={"max_worse": MaxWorse(2.0, by=0.25)}), WORSE, None),
    ],
)
def test_what_is_looser_with_all_entries_applied(before: Gate, after: Gate, told: tuple[str, str, float] | None) -> None:
    """A gate that is gone is told elsewhere, and hides nothing of those after it."""
    found = list(loosened_gates({"gone": LISTED, "m": before}, {"m": after, "new": LISTED}))
    assert [(measure, condition, became) for measure, condition, became, _ in found] == ([("m", *told[:2])] if told else [])
    assert [weight.amount for *_, weight in found] == ([pytest.approx(told[2])] if told else [])


def test_the_place_where_long_values_differ_is_shown(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    before = at(folder, {"nlpeval.yaml": config_text(system=f"'{'x' * 200}/a'")})
    after = at(folder, {"nlpeval.yaml": config_text(system=f"'{'x' * 200}/b'")})
    (problem,) = changed(paired(before, after), Comparison({}, "base"))
    assert problem.message == f'dev: system was …{"x" * 19}/a", is …{"x" * 19}/b" (base: base)'


@pytest.mark.parametrize("limit", [900_000, 65_536, 10_000])
def test_what_loosens_is_never_folded(limit: int) -> None:
    loosened = [Problem("action.loosened", "warning", "c", 1, None, "", f"loosened {number}.") for number in range(15)]
    harmless = [Problem("action.changed", "warning", "c", 1, None, "", f"harmless {number}.") for number in range(1_200)]
    text = render("markdown", report_of([], [*harmless, *loosened]), Setting(limit=limit))
    top = text.partition("<details>")[0]
    assert all(problem.message in top for problem in loosened), json.dumps(top)
    assert "harmless" not in top
    assert len(text.encode()) <= limit
