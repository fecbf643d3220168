"""Every answer of docs/faq.md holds: a test for each question, named in `ANSWERS`, which has the questions of the page and no others."""

from __future__ import annotations

import re
import socket
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_nlpeval import cli
from tests.support import Ended, write
from tests.support import command as run_command
from tests.unit.baselines.repositories import commit, start

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/faq.md").read_text(encoding="utf-8")
ITEMS = 400

Run = Callable[..., Ended]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in a new repository, without a store."""
    start(tmp_path)
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: run_command(capfd, *arguments)


def judged(run: Run, *arguments: str) -> Ended:
    return run("run", "--no-cache", *arguments)


def items(wrong: Iterable[int] = (), number: int = ITEMS) -> str:
    """A table of items, all labelled `a` but for the wrong ones."""
    spoilt = set(wrong)
    return "id\tlabel\n" + "".join(f"{name}\t{'b' if name in spoilt else 'a'}\n" for name in range(number))


def suite(gates: str, output: str = "", **entries: Any) -> None:
    """Write a suite of labels with these gates (YAML), all of its items right unless an output says otherwise."""
    entry = {"name": "s", "task": "labels", "gold": "gold.tsv", "system": "out.tsv", "gates": yaml.safe_load(gates), **entries}
    config = yaml.safe_dump({"version": 1, "suites": [entry]})
    write(Path.cwd(), {"nlpeval.yaml": config, "gold.tsv": items(), "out.tsv": output or items()})


def worse(gates: str, number: int) -> None:
    """Commit a suite whose items are all right but for forty, and make this number of others wrong, too."""
    suite(gates, items(range(40)), baseline="git:HEAD")
    commit(Path.cwd())
    write(Path.cwd(), {"out.tsv": items(range(40 + number))})


def without_the_option_the_plugin_does_nothing(run: Run) -> None:
    suite("accuracy: 0.99", items(range(40)))
    alone = ["-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--rootdir=."]
    assert pytest.main(alone) == pytest.ExitCode.NO_TESTS_COLLECTED
    assert pytest.main([*alone, "--nlpeval", "--nlpeval-no-cache"]) == pytest.ExitCode.TESTS_FAILED
    write(Path.cwd(), {"pytest.ini": "[pytest]\naddopts = --nlpeval --nlpeval-no-cache\n"})
    assert pytest.main(alone) == pytest.ExitCode.TESTS_FAILED


def git_knows_the_baseline_of_what_is_committed(run: Run) -> None:
    worse("accuracy: {max_drop: 0}", 1)
    assert judged(run).code == 1


def percentages_are_refused(run: Run) -> None:
    suite("accuracy: 61.0")
    ended = judged(run)
    assert (ended.code, "0.61" in ended.all) == (2, True), ended


def a_bare_number_is_the_worst_value_that_passes(run: Run) -> None:
    suite("{accuracy: 0.9, a.f1: 0.9}", items(range(40)))
    assert judged(run).code == 0
    suite("accuracy: 0.91", items(range(40)))
    assert judged(run).code == 1
    score = {"results": {"seconds": {"better": "lower"}}}
    for limit, code in ((2, 0), (0.5, 1)):
        suite(f"seconds.mean: {limit}", task="scores", options=score)
        times = "id\tseconds\n" + "".join(f"{name}\t1\n" for name in range(ITEMS))
        write(Path.cwd(), {"out.tsv": times})
        assert judged(run).code == code


def a_drop_that_chance_explains_passes(run: Run) -> None:
    """Some items are wrong now that were right, and nearly as many the other way round."""
    suite("accuracy: {max_drop: 0, alpha: 0.05}", items(range(20)), baseline="git:HEAD")
    commit(Path.cwd())
    write(Path.cwd(), {"out.tsv": items(range(12, 40))})
    ended = judged(run, "--report", "json:report.json")
    (verdict,) = yaml.safe_load(Path("report.json").read_text(encoding="utf-8"))["suites"][0]["gates"]
    assert ended.code == 0
    assert "'p'" in str(verdict) or "'p_value'" in str(verdict), verdict
    assert "detectable" in str(verdict), verdict


def a_gate_without_alpha_fails_by_chance(run: Run) -> None:
    worse("accuracy: {max_drop: 0}", 1)
    assert judged(run).code == 1
    worse("accuracy: {max_drop: 0, alpha: 0.05}", 1)
    assert judged(run).code == 0


def formulas_and_profiles_are_told(run: Run) -> None:
    told = run("tasks", "labels").out
    assert "accuracy: c / n" in told
    assert "sklearn" in told


def a_measure_without_value_can_be_left_out(run: Run) -> None:
    suite('"*.recall": 0.4', items(range(1)))
    assert judged(run).code == 1
    suite('"*.recall": {min: 0.4, if_no_value: pass}', items(range(1)))
    assert judged(run).code == 0


def both_outputs_are_scored_with_the_gold_of_today(run: Run) -> None:
    worse("accuracy: {max_drop: 0}", 0)
    write(Path.cwd(), {"gold.tsv": items(range(10))})
    ended = judged(run)
    assert ended.code == 0
    assert re.search(r"10\b.*gold|gold.*\b10\b", ended.all), ended.all


def a_renamed_suite_says_what_it_was(run: Run) -> None:
    worse("accuracy: {max_drop: 0}", 0)
    config = Path("nlpeval.yaml").read_text(encoding="utf-8").replace("name: s\n", "name: t\n")
    write(Path.cwd(), {"nlpeval.yaml": config})
    assert judged(run).code != 0
    write(Path.cwd(), {"nlpeval.yaml": config.replace("name: t\n", "name: t\n  was: s\n")})
    assert judged(run).code == 0


def an_unjudged_gate_did_not_pass(run: Run) -> None:
    suite("accuracy: {max_drop: 0}", baseline="lost.json")
    ended = judged(run)
    assert ended.code != 0
    assert "lost.json" in ended.all


def four_times_as_many_items_find_half_of_the_drop(run: Run) -> None:
    found = []
    for number in (300, 1200):
        suite("accuracy: {max_drop: 0, alpha: 0.05}", baseline="git:HEAD")
        first, second = range(0, number, 5), range(1, number, 5)
        write(Path.cwd(), {"gold.tsv": items(number=number), "out.tsv": items(first, number)})
        commit(Path.cwd())
        half = [*first[: len(first) // 2], *second[: len(second) // 2]]
        write(Path.cwd(), {"out.tsv": items(half, number)})
        judged(run, "--report", "json:report.json")
        told = re.findall(r'"detectable": ([0-9.]+)', Path("report.json").read_text(encoding="utf-8"))
        found.append(float(told[0]))
    assert found[0] == pytest.approx(2 * found[1], rel=0.1)
    assert 0.03 < found[0] < 0.09


def an_update_accepts_a_worse_result(run: Run) -> None:
    suite("accuracy: {max_drop: 0}", baseline="base.json")
    assert run("baseline", "update", "--no-cache").code == 0
    write(Path.cwd(), {"out.tsv": items(range(9))})
    assert judged(run).code == 1
    assert run("baseline", "update", "--no-cache").code == 0
    assert judged(run).code == 0
    assert run("baseline", "show").code == 0


def the_action_refuses_looser_limits_where_told(run: Run) -> None:
    """What the summary begins with: `tests/action/test_loosening.py`."""
    assert "strict-config" in yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]


def no_connection_is_opened(run: Run) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a connection")

    suite("accuracy: 0.9")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", refuse)
        patch.setattr(socket, "getaddrinfo", refuse)
        assert cli.main(["run", "--no-cache"]) == 0


def the_tests_run_where_the_page_says(run: Run) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"
    workflows = "".join(path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").glob("*.yml"))
    assert {"ubuntu", "macos"} <= set(re.findall(r"\b(ubuntu|macos|windows)-", workflows))


ANSWERS: dict[str, Callable[[Run], None]] = {
    "I ran pytest, and no gate ran.": without_the_option_the_plugin_does_nothing,
    "Must I commit the system's output?": git_knows_the_baseline_of_what_is_committed,
    "Why is `accuracy: 61.0` refused?": percentages_are_refused,
    "Is `accuracy: 0.80` a minimum or a maximum?": a_bare_number_is_the_worst_value_that_passes,
    "My score fell by two points, and the gate passes. Why?": a_drop_that_chance_explains_passes,
    "My gate fails at random.": a_gate_without_alpha_fails_by_chance,
    "My figure differs from my script's.": formulas_and_profiles_are_told,
    'A measure "has no value". What now?': a_measure_without_value_can_be_left_out,
    "I corrected gold. Is that a regression?": both_outputs_are_scored_with_the_gold_of_today,
    "I renamed a suite, and it is an error.": a_renamed_suite_says_what_it_was,
    'A gate is "unjudged". Did it pass?': an_unjudged_gate_did_not_pass,
    "How many items do I need?": four_times_as_many_items_find_half_of_the_drop,
    "How do I accept a worse result?": an_update_accepts_a_worse_result,
    "Can a pull request lower its own limits?": the_action_refuses_looser_limits_where_told,
    "Does it call a model?": no_connection_is_opened,
    "Does it send my data anywhere?": no_connection_is_opened,
    "Which Python?": the_tests_run_where_the_page_says,
}


@pytest.mark.parametrize("question", ANSWERS)
def test_an_answer_holds(question: str, run: Run) -> None:
    ANSWERS[question](run)


def test_every_question_is_tried() -> None:
    assert re.findall(r"^\*\*(.+?)\*\*", PAGE, re.MULTILINE) == list(ANSWERS)
