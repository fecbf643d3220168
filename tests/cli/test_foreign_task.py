"""A task of another package: installed under the entry-point group, or only given to the Python interface."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import pytest

from pytest_nlpeval import Counted, Evidence, Explanation, Measure, NlpevalError, Role, Task, evaluate, load_suites, ratio
from pytest_nlpeval.config.adhoc import suite_of_paths
from pytest_nlpeval.run.case import WORTH_STORING
from tests.support import COMMAND, EAGER_COMMAND, Ended, apart, config_text, make_suite, outcomes, write

MODULE = '''
"""One number a line; a line is right if gold and system are equal. Nothing here can be pickled but by name."""
from dataclasses import dataclass
import numpy as np
from pytest_nlpeval import Counted, Evidence, Explanation, Kind, Measure, Role, Task, ratio

@dataclass(frozen=True)
class Options:
    pass

read = lambda source, documents, options, log: source.data.decode().split()

def explanations(gold, system):
    for rank, (one, other) in enumerate(zip(gold, system, strict=True), 1):
        if one != other:
            yield Explanation(str(rank), "wrong-value", f"{other}, in gold {one}", rank)

def count(documents, options, log):
    gold, system = documents["gold"], documents["system"]
    right = np.array([one == other for one, other in zip(gold, system, strict=True)], np.int8)
    units = [str(rank + 1) for rank in range(len(gold))]
    return Counted(Evidence.of(units, {"right": right, "all": np.ones_like(right)}), explanations(gold, system))

TASK = Task(
    name="numbers", summary="Numbers.", version="1",
    roles=(Role("gold", "gold", "numbers", read), Role("system", "system", "numbers", read)),
    options=Options, options_schema={"type": "object", "properties": {}, "additionalProperties": False}, problems={},
    count=count,
    measures=lambda options, columns: (
        Measure("accuracy", "Share.", "right / all", lambda sample: ratio(sample.total("right"), sample.total("all")), "nothing"),
    ),
    signature=lambda options, columns: {},
)
'''
BLANK = "\n" * WORTH_STORING

KEYWORDS = '''
"""Keywords: a line holds those of one text. The measures were called by other names in an earlier version."""
from dataclasses import dataclass, replace
import numpy as np
from pytest_nlpeval import Counted, Evidence, Explanation, Role, Task
from pytest_nlpeval.columns import narrow
from pytest_nlpeval.explanations import explain_in_order
from pytest_nlpeval.kit.prf import prf, ratios_of, texts_of
from pytest_nlpeval.kit.signatures import signature_of

@dataclass(frozen=True)
class Options:
    pass

def read(source, documents, options, log):
    return [set(line.split()) for line in source.data.decode().splitlines()]

def wrong(texts):
    for line, (gold, system) in enumerate(texts, 1):
        yield from (("missed", "", (line, word)) for word in sorted(gold - system))
        yield from (("spurious", "", (line, word)) for word in sorted(system - gold))

def explanation(reason, item):
    return Explanation(str(item[0]), reason, f"{item[1]} is {reason}", item[0], item=" ".join(map(str, item)))

def count(documents, options, log):
    texts = list(zip(documents["gold"], documents["system"], strict=True))
    sizes = np.array([(len(gold & system), len(gold), len(system)) for gold, system in texts]).reshape(-1, 3).T
    columns = dict(zip(("correct", "gold", "system"), map(narrow, sizes)))
    return Counted(Evidence.of([str(line + 1) for line in range(len(texts))], columns), explain_in_order(wrong(texts), explanation))

texts = texts_of({"precision": "Precision", "recall": "Recall", "f1": "F"}, "{name} of all.", "{figure} of sums", "nothing")
measures = prf("", ratios_of("correct", "system", "gold"), texts)
MEASURES = tuple(replace(measure, was=(f"old.{measure.name}",)) for measure in measures)
roles = (Role("gold", "gold", "keywords", read), Role("system", "system", "keywords", read))
TASK = Task(
    "keywords", "Keywords.", "1", roles, Options, {"type": "object", "properties": {}}, {}, count,
    measures=lambda options, columns: MEASURES, signature=signature_of(),
)
'''
"""A whole task, in less than forty lines."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a suite, beside an installed package that brings the task."""
    write(
        tmp_path,
        {
            "site/my_numbers.py": MODULE,
            "site/my_keywords.py": KEYWORDS,
            "site/my_numbers-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: my-numbers\nVersion: 1\n",
            "site/my_numbers-1.dist-info/entry_points.txt": "[nlpeval.tasks]\nnumbers = my_numbers:TASK\nkeywords = my_keywords:TASK\n",
        },
    )
    golds, runs = (dict.fromkeys("abc", text + BLANK) for text in ("1\n2\n3\n4\n", "1\n2\n3\n5\n"))
    make_suite(tmp_path / "repo", "accuracy: 0.9", golds=golds, runs=runs, task="numbers", gold="gold/{doc}.txt")
    return tmp_path


def nlpeval(folder: Path, *arguments: str, command: Sequence[str] = COMMAND) -> Ended:
    path = os.pathsep.join(filter(None, (str(folder / "site"), os.environ.get("PYTHONPATH"))))
    return apart(folder / "repo", [*command, *arguments], {"PYTHONPATH": path})


def test_an_installed_task_crosses_to_workers_by_its_name(folder: Path) -> None:
    alone = nlpeval(folder, "run", "--no-cache", "--report", "json:-")
    workers = nlpeval(folder, "run", "--no-cache", "--report", "json:-", "--jobs", "2", command=EAGER_COMMAND)
    assert (alone.code, workers.code) == (1, 1)
    assert alone.err == workers.err, "workers end without a word"
    assert alone.out == workers.out
    suite = json.loads(alone.out)["suites"][0]
    assert {name: score["value"] for name, score in suite["scores"].items()} == {"accuracy": 9 / 12}
    first = suite["explanations"]["first"][0]
    assert (first["kind"], first["item"], first["path"], first["line"]) == ("wrong-value", "4", "system/a.txt", 4)


def test_stored_evidence_is_of_the_code_that_counted_it(folder: Path) -> None:
    assert '"accuracy": {\n          "value": 0.75' in nlpeval(folder, "run", "--report", "json:-").out
    write(folder, {"site/my_numbers.py": MODULE.replace("one == other for", "True for")})  # the version is the same
    assert '"accuracy": {\n          "value": 1.0' in nlpeval(folder, "run", "--report", "json:-").out


def numbers(*_: object) -> list[str]:
    return []


def count(*_: object) -> Counted:
    return Counted(Evidence.of([], {}), (Explanation("1", "missed", "m") for _ in range(3)))


UNNAMED = Task(
    name="unnamed",
    summary="Nobody can load it by its name.",
    version="1",
    roles=(Role("gold", "gold", "g", numbers), Role("system", "system", "s", lambda *_: [])),
    options=dict,
    options_schema={"type": "object"},
    problems={},
    count=count,
    measures=lambda *_: (Measure("accuracy", "Share.", "0 / 0", lambda sample: ratio(sample.total("x"), 0), "nothing"),),
    signature=lambda *_: {},
)


def test_a_task_that_cannot_cross_is_told_so(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder / "repo")
    suite = suite_of_paths(UNNAMED, {"gold": "gold/{doc}.txt", "system": "system/{doc}.txt"}, {}, Path.cwd())
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool, pytest.raises(NlpevalError) as caught:
        evaluate(suite, pool)
    assert "the task unnamed cannot cross to worker processes" in str(caught.value)
    assert "nlpeval.tasks" in str(caught.value)
    with ThreadPoolExecutor(1) as threads:
        assert evaluate(suite, threads).outcome == evaluate(suite).outcome == "ok"
    explained = evaluate(suite, explain=True)
    assert [case.explanations.counts for case in explained.cases if case.explanations] == [{"missed": 3}] * 3


def test_the_package_itself_needs_no_task_of_others(folder: Path) -> None:
    code = "from pytest_nlpeval import load_suites; load_suites('nlpeval.yaml')"
    with pytest.raises(Exception, match='no task "numbers"'):
        load_suites(folder / "repo/nlpeval.yaml")
    path = os.pathsep.join(filter(None, (str(folder / "site"), os.environ.get("PYTHONPATH"))))
    assert apart(folder / "repo", [sys.executable, "-c", code], {"PYTHONPATH": path}).code == 0


def keywords(folder: Path, *gates: str, module: str = KEYWORDS) -> Path:
    """Make the repository one of the task `keywords`; of 5 keywords in gold and 4 of the system's, 3 are right."""
    write(folder, {"site/my_keywords.py": module})
    golds, runs = {"a": "storm flood\nvote\n\nwind rain\n"}, {"a": "flood storm\nelection\n\nwind\n"}
    sides = {"gold": "words/{doc}.txt", "system": "{ours: 'ours/{doc}.txt', other: 'words/{doc}.txt'}"}
    make_suite(folder / "repo", golds={}, runs={}, config=config_text(*gates, name="dev", task="keywords", **sides))
    return write(folder / "repo", {f"{side}/a.txt": files["a"] for side, files in (("words", golds), ("ours", runs))})


def test_a_whole_task_in_less_than_forty_lines_is_scored_gated_and_explained(folder: Path) -> None:
    assert len(KEYWORDS.strip().splitlines()) < 40
    keywords(folder, "f1: 0.6", "precision: 0.8")
    ended = nlpeval(folder, "run", "--no-cache", "--report", "json:-")
    ours, other = json.loads(ended.out)["suites"]
    precision, recall = 3 / 4, 3 / 5
    values = {name: score["value"] for name, score in ours["scores"].items()}
    assert values == {
        "precision": precision,
        "recall": recall,
        "f1": pytest.approx(2 * precision * recall / (precision + recall)),
    }
    assert {name: score["value"] for name, score in other["scores"].items()} == dict.fromkeys(values, 1.0)
    assert {gate["measure"]: gate["verdict"] for gate in ours["gates"]} == {"f1": "passed", "precision": "failed"}
    assert ours["explanations"]["counts"] == {"missed": 2, "spurious": 1}
    assert ours["explanations"]["first"][0]["message"] == "vote is missed"
    assert ended.code == 1


TOLD_BY_FILES = KEYWORDS.replace(": MEASURES, sig", ": columns and MEASURES, fixed_measures=False, sig")


@pytest.mark.parametrize(
    ("module", "recall", "items"),
    [
        (KEYWORDS, "'*d.recall'", {"f1": "passed", "recall": "failed"}),
        (TOLD_BY_FILES, "old.recall", {"old.f1": "passed", "old.recall": "failed"}),  # nothing is read before items have names
    ],
)
def test_a_former_name_of_a_measure_still_gates_it(folder: Path, module: str, recall: str, items: dict[str, str]) -> None:
    """The command and pytest judge the measure as it is called now, and say so."""
    repo = keywords(folder, "old.f1: 0.6", f"{recall}: 0.7", module=module)
    ended = nlpeval(folder, "run", "--no-cache", "--report", "json:-")
    ours, _ = json.loads(ended.out)["suites"]
    assert {gate["measure"]: gate["verdict"] for gate in ours["gates"]} == {"f1": "passed", "recall": "failed"}
    warned = [(problem["code"], problem["line"], problem["message"]) for problem in ours["problems"]]
    pattern = recall.strip("'")
    assert warned == [
        ("gate.renamed", 8, '"old.f1" is called "f1" now; write that'),
        ("gate.renamed", 9, f'"{pattern}" is called "recall" now; write that'),
    ]
    path = os.pathsep.join(filter(None, (str(folder / "site"), os.environ.get("PYTHONPATH"))))
    arguments = [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", "--nlpeval", "-v", "-p", "no:cacheprovider"]
    judged = outcomes(apart(repo, arguments, {"PYTHONPATH": path}).out)
    assert {name.rpartition("::")[2]: outcome for name, outcome in judged.items() if "ours" in name} == {"a": "passed", **items}


def test_a_former_name_chooses_the_measure_in_comparisons(folder: Path) -> None:
    keywords(folder, "f1: 0.5")
    ended = nlpeval(folder, "compare", "dev", "ours", "other", "--measure", "old.recall", "--no-cache", "--report", "json:-")
    assert [row["measure"] for row in json.loads(ended.out)["measures"]] == ["recall"]
