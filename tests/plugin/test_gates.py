"""Gates in pytest: their order, what they judge, what they say, informational ones, profiles."""

from __future__ import annotations

import re

import pytest

from tests.support import HALF, RIGHT, make_suite, outcomes, run_pytest, run_pytest_with, write

ALL = "nlpeval.yaml::dev::"
TABLE = re.compile(r"^dev, (\d+) documents? .*\n(?:. coverage .*\n)*(.) accuracy +(\S+) .*≥ ([\d.]+), (.*)", re.MULTILINE)


def row(text: str) -> tuple[str, ...]:
    """The number of documents of dev, and of accuracy the mark of the verdict, the value, the limit and the distance."""
    found = TABLE.findall(text)
    assert len(found) == 1, text
    return tuple(found[0])


@pytest.mark.parametrize("seed", ["1", "7", "1234"])
def test_gates_come_last_in_any_order(pytester: pytest.Pytester, seed: str) -> None:
    make_suite(pytester.path, "accuracy: 0.25", "coverage: 0.25", runs=dict.fromkeys("abcdef", RIGHT))
    pytester.makepyfile("def test_x(): pass\ndef test_y(): pass\n")
    result = pytester.runpytest_inprocess(
        "--nlpeval", "-v", "-p", "no:xdist", "-p", "no:hypothesispytest", "-p", "randomly", f"--randomly-seed={seed}"
    )
    order = list(outcomes(result.stdout.str()))
    assert len(order) == 10
    assert {name.rpartition("::")[2] for name in order[-2:]} == {"accuracy", "coverage"}


def test_gates_come_last_behind_tests_that_are_collected_later(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path)
    write(pytester.path, {"zoo/test_z.py": "def test_z(): pass\n"})
    make_suite(pytester.path / "zoo")
    order = list(outcomes(run_pytest(pytester, "-v").out))
    assert order[-2:] == ["nlpeval.yaml::dev::accuracy", "zoo/nlpeval.yaml::dev::accuracy"]
    assert "zoo/test_z.py::test_z" in order[:-2]


@pytest.mark.parametrize(
    "arguments",
    [
        ["-k", "accuracy"],
        ["-k", "a and not b"],
        ["-x"],
        ["-p", "no:cacheprovider"],
        ["--nlpeval-no-cache"],
        ["nlpeval.yaml::dev::accuracy"],
        ["--deselect", "nlpeval.yaml::dev::b"],
    ],
)
def test_a_gate_judges_its_whole_suite(pytester: pytest.Pytester, arguments: list[str]) -> None:
    make_suite(pytester.path, "accuracy: 0.8")  # (4 + 2) / 8; of a alone it is 1
    ended = run_pytest(pytester, "-v", *arguments)
    assert outcomes(ended.out)[f"{ALL}accuracy"] == "failed"
    assert row(ended.out) == ("2", "✗", "0.750", "0.8", "short by 0.050")
    assert ended.code == 1


def test_a_gate_judges_its_whole_suite_with_last_failed(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.8", "coverage: 0.5")
    assert len(outcomes(run_pytest(pytester, "-v").out)) == 4
    again = run_pytest(pytester, "-v", "--lf")
    assert outcomes(again.out) == {f"{ALL}accuracy": "failed"}
    assert row(again.out)[:3] == ("2", "✗", "0.750")
    write(pytester.path, {"system/b.txt": RIGHT})
    mended = run_pytest(pytester, "-v", "--lf")
    assert (mended.code, outcomes(mended.out)) == (0, {f"{ALL}accuracy": "passed"})


def test_a_gate_is_not_judged_on_the_good_documents_alone(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, runs={"a": RIGHT, "b": "nonsense\n"})
    ended = run_pytest(pytester, "-v", "-k", "accuracy")
    assert (ended.code, outcomes(ended.out)) == (1, {f"{ALL}accuracy": "failed"})
    assert "unjudged" in ended.out
    assert "1 of 2 documents has errors in its files (system/b.txt:1: rte.line)" in ended.out


def test_no_cache_leaves_nothing_behind(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    temporary = pytester.mkdir("temporary")
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    make_suite(pytester.path)
    assert run_pytest(pytester, "--nlpeval-no-cache").code == 0
    assert list(temporary.iterdir()) == []
    assert not (pytester.path / ".pytest_cache" / "d" / "nlpeval").exists()


def test_a_failing_gate_says_all(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "coverage: 0.5", "accuracy: {min: 0.8, max: 0.9}")
    ended = run_pytest(pytester)
    assert ended.code == 1
    shown = ended.out.partition("= FAILURES =")[2]
    assert re.search(
        r"accuracy of dev: failed\n"
        r"  today      0\.750 \[0\.\d{3}, [01]\.\d{3}\]\n"
        r"  limit      ≥ 0\.8 \(min\), short by 0\.050\n"
        r"  formula    .*\n"
        r"  set at     nlpeval\.yaml:9\n",
        shown,
    )
    assert ".py:" not in shown  # no code of ours


def test_a_malformed_file_shows_its_problems(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, runs={"a": "1 TRUE 0.5\n2 MAYBE 0.4\n9 TRUE 0.3\n3 TRUE 7\n"})
    ended = run_pytest(pytester, "-v")
    assert ended.code == 1
    assert outcomes(ended.out) == {f"{ALL}a": "failed", f"{ALL}accuracy": "failed"}
    assert "1 document of dev with errors in the system's files: a" in ended.out
    for place in ("system/a.txt:2: rte.judgment", "system/a.txt:3: rte.unknown-id", "system/a.txt:4: rte.confidence"):
        assert place in ended.out
    assert ".py:" not in ended.out


def test_missing_partners_are_errors_of_their_cases(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, runs={"a": RIGHT, "b": RIGHT})
    (pytester.path / "system/a.txt").unlink()
    write(pytester.path, {"system/c.txt": RIGHT})
    ended = run_pytest(pytester, "-v")
    assert ended.code == 1
    assert outcomes(ended.out) == {f"{ALL}a": "failed", f"{ALL}b": "passed", f"{ALL}c": "failed", f"{ALL}accuracy": "failed"}
    assert "system/a.txt: file.missing" in ended.out
    assert "gold/c.xml: file.missing" in ended.out


INFORMATIONAL = "accuracy: {min: 0.8, informational: true}"


def test_an_informational_gate_that_does_not_hold_is_xfailed(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, INFORMATIONAL, "coverage: {min: 0.1, informational: true}")
    ended = run_pytest(pytester, "-v", "-rx")
    assert ended.code == 0
    assert outcomes(ended.out)[f"{ALL}accuracy"] == "xfail"
    assert outcomes(ended.out)[f"{ALL}coverage"] == "passed"
    assert row(ended.out)[-1] == "short by 0.050 (informational)"
    told = r"informational: 0\.750: ≥ 0\.8, short by 0\.050"
    assert re.search(rf"^XFAIL nlpeval\.yaml::dev::accuracy - (reason: )?{told}$", ended.out, re.MULTILINE)


def test_informational_by_option(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.8")
    ended = run_pytest(pytester, "-v", "--nlpeval-informational")
    assert (ended.code, outcomes(ended.out)[f"{ALL}accuracy"]) == (0, "xfail")


def test_informational_does_not_excuse_bad_files(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.8", runs={"a": "nonsense\n"})
    ended = run_pytest(pytester, "-v", "--nlpeval-informational")
    assert (ended.code, outcomes(ended.out)) == (1, {f"{ALL}a": "failed", f"{ALL}accuracy": "xfail"})


def test_runxfail_takes_informational_gates_seriously(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, INFORMATIONAL)
    ended = run_pytest(pytester, "-v", "--runxfail")
    assert (ended.code, outcomes(ended.out)[f"{ALL}accuracy"]) == (1, "failed")


def test_strict_xfail_does_not_touch_informational_gates(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: {min: 0.1, informational: true}")
    ended = run_pytest(pytester, "-v", "-o", "xfail_strict=true")
    assert (ended.code, outcomes(ended.out)[f"{ALL}accuracy"]) == (0, "passed")


def test_a_gate_with_two_conditions_is_one_item(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: {min: 0.1, max: 0.7}")
    ended = run_pytest(pytester, "-v")
    assert outcomes(ended.out)[f"{ALL}accuracy"] == "failed"
    assert re.search(r"✗ accuracy +0\.750 .+ ≤ 0\.7, over by 0\.050", ended.out)


PROFILES = "{release: {accuracy: 0.8, coverage: {min: 1, informational: true}}}"


def test_profiles(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, profiles=PROFILES)
    assert run_pytest(pytester).code == 0
    ended = run_pytest(pytester, "-v", "--nlpeval-profile=release")
    assert ended.code == 1
    assert outcomes(ended.out)[f"{ALL}accuracy"] == "failed"
    assert outcomes(ended.out)[f"{ALL}coverage"] == "passed"
    assert row(ended.out)[3] == "0.8"


def test_an_unknown_profile_is_a_usage_error(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, profiles=PROFILES)
    pytester.makepyfile("def test_own(): assert False")
    ended = run_pytest(pytester, "--nlpeval-profile=relase")
    assert ended.code == 4
    assert 'no suite has a profile "relase"; did you mean "release"?' in ended.all


def test_a_profile_is_known_even_if_its_suite_is_not_selected(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, profiles=PROFILES)
    pytester.makepyfile("def test_own(): assert False")
    assert run_pytest(pytester).code == 1
    ended = run_pytest(pytester, "--nlpeval-profile=release", "--lf")  # the last run failed in test_own alone
    assert "config.profile" not in ended.all
    assert ended.code == 1


def test_the_same_file_in_two_places_has_its_own_threshold(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.25", runs={"a": HALF})
    make_suite(pytester.path / "strict", "accuracy: 0.75", runs={"a": HALF})
    ended = run_pytest(pytester, "-v")
    assert outcomes(ended.out)[f"{ALL}accuracy"] == "passed"
    assert outcomes(ended.out)["strict/nlpeval.yaml::dev::accuracy"] == "failed"


def test_a_document_may_be_called_like_a_measure(pytester: pytest.Pytester) -> None:
    make_suite(pytester.path, "accuracy: 0.25", runs={"accuracy": RIGHT + "\n"})
    ended = run_pytest(pytester)
    assert "2 passed" in ended.out
    assert row(ended.out)[1] == "✓"
    ids = outcomes(run_pytest(pytester, "-v").out)
    assert list(ids) == [f"{ALL}accuracy (document)", f"{ALL}accuracy"]
    assert "text.blank-end" in ended.out  # the case's warning is not lost behind the gate


@pytest.mark.parametrize(("workers", "arguments"), [((), ()), ((), ("-k", "coverage")), (("-n2",), ())])
def test_the_first_gate_that_fails_names_the_worst_documents(
    pytester: pytest.Pytester, workers: tuple[str, ...], arguments: tuple[str, ...]
) -> None:
    make_suite(pytester.path, "accuracy: 0.1", "FALSE.recall: 1", "coverage: {max: 0.5}", runs={"a": RIGHT, "b": HALF})
    ended = run_pytest_with(pytester, workers, *arguments)
    assert ended.code == 1
    assert ended.out.count("worst documents by") == 1
    assert "\n    worst documents by FALSE.recall: b 0.0000\n" in ended.out
