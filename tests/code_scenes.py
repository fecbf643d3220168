"""Scenes that show codes of problems: small folders in which something is wrong, some with a commit before, some with a command."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import chdir, redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from typing import Any

from pytest_nlpeval import NlpevalError, Problem, Task, cli, evaluate, load_suites, score
from pytest_nlpeval.config.production import Making
from pytest_nlpeval.files import MOST_PARTS, Source
from pytest_nlpeval.foreign_tasks import guarded
from pytest_nlpeval.formats import CSV_KINDS, JSON_KINDS, read_csv, read_json
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted
from pytest_nlpeval.tasks import load_task
from tests.support import COMMAND, apart, write
from tests.unit.baselines.repositories import commit, start

GOLD = "id,label\n1,alarm\n2,music\n"
FILES = {"gold.csv": GOLD, "system.csv": "id,label\n1,alarm\n2,alarm\n"}
SUITE = "version: 1\nsuites:\n  - name: dev\n    task: labels\n    gold: gold.csv\n    system: system.csv\n"
GATE = f"{SUITE}    gates:\n      accuracy: "
DROP = f"{SUITE}    baseline: git:HEAD\n    gates: {{accuracy: {{max_drop: 0}}}}\n"
TO_FILE = f"{SUITE}    baseline: b.json\n"
PYTEST = (
    sys.executable,
    "-m",
    "pytest",
    "-q",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:randomly",
    "-p",
    "no:hypothesispytest",
    "--nlpeval",
)


@dataclass(frozen=True)
class Scene:
    """Files in a folder; with `later`, these are written after a commit of the others.

    What is wrong is told by a `command`, or else by the suites' results.
    """

    files: Mapping[str, str]
    later: Mapping[str, str] | None = None
    command: tuple[str, ...] = ()

    def problems(self, folder: Path) -> list[Problem]:
        """Return what is wrong in the scene, played in an empty folder."""
        write(folder, {**FILES, **self.files})
        if self.later is not None:
            start(folder)
            commit(folder, "first")
            write(folder, dict(self.later))
        if self.command[: len(COMMAND)] == COMMAND:
            return list(_told(_said(folder, self.command[len(COMMAND) :])))
        if self.command:
            ended = apart(folder, list(self.command))
            return list(_told(ended.out + ended.err))
        return of_suites(folder / "nlpeval.yaml")


def _said(folder: Path, arguments: Sequence[str]) -> str:
    """Return what the command says, run in this process in a folder."""
    said = StringIO()
    with chdir(folder), redirect_stdout(said), redirect_stderr(said), suppress(SystemExit):
        cli.main(arguments)
    return said.getvalue()


def of_suites(config: Path) -> list[Problem]:
    """Return what is wrong with a configuration and the files of its suites."""
    try:
        suites = load_suites(config, produce=Making("example"))
        return [problem for suite in suites for problem in evaluate(suite).all_problems()]
    except NlpevalError as error:
        return list(error.problems)


_TOLD = re.compile(
    r"^(?:ERROR: )?(?:(?P<path>[\w./-]+\.\w+)(?::(?P<line>\d+))?(?::(?P<column>\d+))?: )?"
    r"(?P<code>[a-z]+\.[a-z][a-z-]*): (?P<message>.*?)( \[warning\])?$",
    re.MULTILINE,
)


def _told(output: str) -> Iterator[Problem]:
    """Yield the problems that a command told."""
    for told in _TOLD.finditer(output):
        line, column = (int(told[name]) if told[name] else None for name in ("line", "column"))
        yield Problem(told["code"], "error", told["path"] or "", line, column, "", told["message"])


def _grouped(name: str, groups: str) -> Scene:
    return Scene({"nlpeval.yaml": f"{SUITE}    options: {{group: {{documents: {name}}}}}\n", name: groups})


_HEADER = "document\tgroup\n"

OF_GROUPS = (
    _grouped("groups.txt", "1 news\n"),
    _grouped("groups.csv", 'document,group\n1,news "late"\n'),
    _grouped("groups.tsv", f"{_HEADER}1 news\n"),
    _grouped("groups.tsv", "document\tgenre\n1\tnews\n2\tweb\n"),
    _grouped("groups.tsv", ""),
    _grouped("groups.jsonl", '{"document": "1", "group": "news"\n'),
    _grouped("groups.json", "3\n"),
    _grouped("groups.tsv", f"{_HEADER}1\tnews\n\tweb\n"),
    _grouped("groups.tsv", f"{_HEADER}1\tnews\n1\tweb\n"),
    _grouped("groups.tsv", f"{_HEADER}1\tnews.late\n2\tweb\n"),
    _grouped("groups.tsv", _HEADER + "".join(f"{number}\tg{number}\n" for number in range(201))),
    _grouped("groups.tsv", f"{_HEADER}1\tnews\n"),
    _grouped("groups.tsv", f"{_HEADER}1\tnews\n2\tweb\n3\tweb\n"),
)

_UD = "1\tRain\train\tNOUN\t_\t_\t0\troot\t_\t_\n\n"
_BOMB = "".join(f"b{step}: &b{step} [{', '.join([f'*b{step - 1}'] * 9)}]\n" for step in range(1, 8))

OF_FILES = (
    Scene({"nlpeval.yaml": SUITE.replace("system.csv", "../system.csv")}),
    Scene({"nlpeval.yaml": f"{_BOMB.replace('*b0', 'x')}{SUITE}"}),
    Scene(
        {
            "nlpeval.yaml": SUITE.replace("labels", "ud").replace("csv", "conllu")
            + "    rules: {ud.no-text: warning, ud.no-sent-id: warning}\n",
            "gold.conllu": _UD,
            "system.conllu": _UD,
        }
    ),
)

_MANY = json.dumps({"version": 1, "tool": "pytest-nlpeval 0.1.0", "passed": True, "suites": [{}] * 1_001})

OF_RUNS = (
    Scene({"nlpeval.yaml": DROP}, {"gold.csv": GOLD.replace("music", "radio"), "system.csv": GOLD}),
    Scene({"nlpeval.yaml": DROP}, {"gold.csv": "id,label\n1,alarm\n", "system.csv": "id,label\n1,alarm\n"}),
    Scene({"nlpeval.yaml": DROP}, {"nlpeval.yaml": DROP.replace("dev", "intents")}),
    Scene({"nlpeval.yaml": DROP.replace("0}", "0, alpha: 1.0e-9}")}, {"system.csv": GOLD}),
    Scene({"nlpeval.yaml": TO_FILE, "b.json": "[]\n"}, command=(*COMMAND, "baseline", "show")),
    Scene({"nlpeval.yaml": SUITE}, command=(*COMMAND, "baseline", "update")),
    Scene({"nlpeval.yaml": TO_FILE, "system.csv": "id\n"}, command=(*COMMAND, "baseline", "update")),
    Scene({"nlpeval.yaml": TO_FILE, "other.nlpeval.yaml": TO_FILE}, command=(*COMMAND, "run")),
    Scene({"nlpeval.yaml": TO_FILE, "other.nlpeval.yaml": TO_FILE}, command=(*COMMAND, "baseline", "update")),
    Scene({"test_intents.py": ""}, command=PYTEST),
    Scene({"nlpeval.yaml": SUITE}, command=(*COMMAND, "run", "--profile", "release")),
    Scene({"nlpeval.yaml": SUITE}, command=(*COMMAND, "run", "--suite", "test")),
    Scene({"report.json": "{}\n"}, command=(*COMMAND, "report", "text", "report.json")),
    Scene({"report.json": '{"version": 2, "tool": "pytest-nlpeval 9.0"}\n'}, command=(*COMMAND, "report", "text", "report.json")),
    Scene({"report.json": _MANY}, command=(*COMMAND, "report", "text", "report.json")),
    Scene({"nlpeval.yaml": SUITE.replace("    system: system.csv\n", "    judged_by: test\n")}, command=PYTEST),
)


def _one_after_the_other(*lines: str) -> tuple[str, ...]:
    """Return a command that runs several of the program, or writes a file: `system.csv < text`."""
    program = (
        "import pathlib; from pytest_nlpeval.cli import main\n"
        f"for line in {lines!r}:\n"
        "    name, writes, text = line.partition(' < ')\n"
        "    pathlib.Path(name).write_text(text) if writes else main(line.split())"
    )
    return sys.executable, "-c", program


_SHARDS = [f"run --shard {number}/2 --report evidence:{number}.json" for number in (1, 2)]
_TEAM = """\
from concurrent.futures import Executor


class Full(Executor):
    def submit(self, *given, **named):
        raise RuntimeError("the queue is full")
"""

OF_MACHINES = (
    Scene({"nlpeval.yaml": SUITE}, command=_one_after_the_other(_SHARDS[0], "merge 1.json")),
    Scene({"nlpeval.yaml": SUITE}, command=_one_after_the_other(_SHARDS[0], "merge 1.json 1.json")),
    Scene({"nlpeval.yaml": SUITE}, command=_one_after_the_other("1.json < {}", "merge 1.json")),
    Scene(
        {"nlpeval.yaml": SUITE}, command=_one_after_the_other(_SHARDS[0], _SHARDS[1].replace("/2", "/3"), "merge 1.json 2.json")
    ),
    Scene({"nlpeval.yaml": SUITE}, command=_one_after_the_other(*_SHARDS, "system.csv < id,label", "merge 1.json 2.json")),
    Scene({"nlpeval.yaml": SUITE, "team.py": _TEAM}, command=_one_after_the_other("run --executor team:none")),
    Scene({"nlpeval.yaml": SUITE, "team.py": _TEAM}, command=_one_after_the_other("run --executor team:Full")),
)

SCENES = (*OF_GROUPS, *OF_FILES, *OF_RUNS, *OF_MACHINES)


def of_links_and_sizes(folder: Path) -> list[Problem]:
    """Return what is said of a file that cannot be opened, of one that is too large, of which the disk holds nothing, and of many lines."""
    write(folder, FILES | {"nlpeval.yaml": SUITE})
    system = folder / "system.csv"
    os.truncate(system, (1 << 30) + 1)
    problems = of_suites(folder / "nlpeval.yaml")
    system.write_bytes(b"\n" * (MOST_PARTS + 1))
    problems += of_suites(folder / "nlpeval.yaml")
    for target in (folder.parent, "system.csv"):  # outside, and to itself
        system.unlink()
        system.symlink_to(target)
        problems += of_suites(folder / "nlpeval.yaml")
    return [replace(problem, message=problem.message.replace(str(folder), "/home/ada/project")) for problem in problems]


def of_formats() -> list[Problem]:
    """Return what readers say that another package's task has of the package's formats, without codes of its own."""
    log = ProblemLog("gold.json", {**JSON_KINDS, **CSV_KINDS})
    deep = "[" * 101 + "]" * 101
    for text in ('{"a": 1,}', '{"a": 1, "a": 2}', '{"a": NaN}', '{"a": "\\ud83d"}', deep):
        read_json(Source("gold.json", text.encode()), log)
    list(read_csv(Source("gold.json", b'id,text\n1,said "no"\n'), log))
    return [replace(problem, path="gold.csv") if problem.code == "csv.quotes" else problem for problem in log.problems()]


def _fail(*_given: object) -> Counted:
    raise ValueError("no such label")


class _InMemory:
    """Measures that hold what cannot be pickled."""

    def __call__(self, *given: Any) -> Any:
        return load_task("labels").measures(*given)

    def __reduce__(self) -> str:
        raise TypeError("a model in memory cannot be pickled")


def of_tasks(folder: Path) -> list[Problem]:
    """Return what is said of tasks of other packages that fail, cannot cross to a worker, or have another name for a measure."""
    write(folder, FILES | {"nlpeval.yaml": GATE.replace("accuracy", "acc") + "0.5\n"})
    (suite,) = load_suites(folder / "nlpeval.yaml")
    labels = load_task("labels")

    def tried(task: Task) -> list[Problem]:
        changed = replace(suite, recipe=replace(suite.recipe, task=task))
        with ProcessPoolExecutor(1) as executor:
            try:
                return list(evaluate(changed, executor if task.name == "intents" else None).all_problems())
            except NlpevalError as error:
                return list(error.problems)

    def renamed(*given: Any) -> list[Measure]:
        return [replace(each, was=("acc",)) if each.name == "accuracy" else each for each in labels.measures(*given) or ()]

    failing = guarded(replace(labels, name="theirs", count=_fail))
    here_alone = replace(labels, name="intents", measures=_InMemory())
    problems = [*tried(failing), *tried(here_alone), *tried(replace(labels, measures=renamed))]
    return [
        replace(each, message=re.sub(r"\(\S+, line \d+\)", "(theirs/counting.py, line 12)", each.message)) for each in problems
    ]


def of_content() -> list[Problem]:
    """Return what is said of content that no file could hold."""
    try:
        score("labels", gold=["alarm", "music"], system=3)
    except NlpevalError as error:
        return list(error.problems)
    return []
