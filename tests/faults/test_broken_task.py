"""A task of another package that fails somewhere: an error with task, function and place, and never a run that passes."""

from __future__ import annotations

import csv
import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.problems import Problem
from pytest_nlpeval.tasks import load_task
from tests.cli.test_foreign_task import BLANK, MODULE
from tests.support import COMMAND, EAGER_COMMAND, Ended, apart, command, config_text, gold_xml, run_pytest, write
from tests.unit.baselines.repositories import commit, start

pytestmark = pytest.mark.skipif(os.name == "nt", reason="processes are started as on POSIX")

HOOKS = """
def _drawn(evidence, options):
    return []

def noted(evidence, options, roles):
    return []

def told(reported):
    return "a table\\n"

from dataclasses import replace
TASK = replace(TASK, notes=noted, graphs=_drawn, native=told)
"""
WHOLE = MODULE + HOOKS

HERE = {
    "import": ("# HERE", "# HERE"),
    "options": ("class Options:\n    pass", "class Options:\n    def __post_init__(self):\n        HERE"),
    "read": ("return read(", "HERE"),
    "count": (
        'gold, system = documents["gold"], documents["system"]\n    right',
        'HERE\n    gold, system = documents["gold"], 0\n    right',
    ),
    "explanations": (
        'yield Explanation(str(rank), "wrong-value"',
        'HERE\n            yield Explanation(str(rank), "wrong-value"',
    ),
    "measures": ("# measures", "HERE"),
    "values": ("# values", "HERE"),
    "signature": ("# signature", "HERE"),
    "notes": ("def noted(evidence, options, roles):", "def noted(evidence, options, roles):\n    HERE"),
    "graphs": ("def _drawn(evidence, options):", "def _drawn(evidence, options):\n    HERE"),
    "native": ("def told(reported):", "def told(reported):\n    HERE"),
}
"""For each function, what of the module is replaced, and by what, in which HERE stands for what fails."""

FUNCTIONS = """
def read(source, documents, options, log):
    return source.data.decode().split()

def _measures(options, columns):
    # measures
    return (Measure("accuracy", "Share.", "right / all", _values, "nothing"),)

def _values(sample):
    # values
    return ratio(sample.total("right"), sample.total("all"))

def _signature(options, columns):
    # signature
    return {}
"""


def whole() -> str:
    """The module with plain functions instead of `lambda`s."""
    start, rest = WHOLE.split("read = lambda source, documents, options, log: source.data.decode().split()\n")
    text = f"# HERE\n{start}{FUNCTIONS}{rest}"
    first, last = text.index("    measures=lambda"), text.index("    signature=lambda options, columns: {},\n")
    return text[:first] + "    measures=_measures,\n" + text[last:].replace("lambda options, columns: {}", "_signature", 1)


def broken(function: str, failure: str) -> str:
    before, after = HERE[function]
    if function == "read":
        before, after = "return source.data", "HERE\n    return source.data"
    if function == "import":
        after = "import sys\nHERE"
    text = whole()
    assert before in text
    return text.replace(before, after.replace("HERE", failure), 1)


HOSTILE = r'raise ValueError("\x1b]0;title\x07 \u202e ##[error]x\n::error::y" + "z" * 10_000)'
AT_ONCE = "__import__('os')._exit(0)"
FAILURES = {
    "an exception": "1 / 0",
    "the end of the process": "sys.exit(0)",
    "the end of the process at once": AT_ONCE,
    "hostile text": HOSTILE,
    "an exception of its own": "raise type('Odd', (BaseException,), {'__str__': lambda self: 1 / 0})()",
    "the end of the process in a text": "raise type('Odd', (Exception,), {'__str__': lambda self: sys.exit(0)})()",
    "the end of the process at once, in a text": f"raise type('Odd', (Exception,), {{'__str__': lambda self: {AT_ONCE}}})()",
    "the end of a generator": "raise GeneratorExit",
    "an exception without attributes": "raise type('Odd', (Exception,), {'__getattribute__': lambda self, name: 1 / 0})()",
    "an exception of a class without attributes": "raise type('Kind', (type,), {'__getattribute__': lambda self, name: 1 / 0})"
    "('Odd', (Exception,), {})()",
    "an exception with a long name": "raise type('Odd' * 100_000, (Exception,), {})()",
    "an error without problems": "raise __import__('pytest_nlpeval').problems.NlpevalError(())",
}
SAID = {
    "an exception": "ZeroDivisionError",
    "the end of the process": "SystemExit: 0",
    "the end of the process at once": "SystemExit: 0",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with a suite of the task, of which one answer is wrong, and a suite of a task of this package, which passes."""
    entries = {"gold": "gold/{doc}.txt", "system": "system/{doc}.txt"}
    rte = config_text("accuracy: 1", name="whole", gold="rte/gold.xml", system="rte/run.txt").partition("suites:\n")[2]
    return write(
        tmp_path,
        {
            "site/my_numbers-1.dist-info/METADATA": "Metadata-Version: 2.1\nName: my-numbers\nVersion: 1\n",
            "site/my_numbers-1.dist-info/entry_points.txt": "[nlpeval.tasks]\nnumbers = my_numbers:TASK\n",
            "repo/nlpeval.yaml": config_text("accuracy: 0.5", name="theirs", task="numbers", **entries) + rte,
            "repo/gold/a.txt": "1\n2\n3\n4\n" + BLANK,
            "repo/system/a.txt": "1\n2\n3\n5\n" + BLANK,
            "repo/rte/gold.xml": gold_xml(),
            "repo/rte/run.txt": "1 TRUE 0.9\n2 FALSE 0.8\n3 TRUE 0.7\n4 FALSE 0.6\n",
        },
    )


@pytest.fixture
def installed(folder: Path, no_end: type[BaseException], monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The repository, where this process finds the package too."""
    monkeypatch.setattr(
        sys, "dont_write_bytecode", True
    )  # a module of the same size, written in the same second, would be the old one
    monkeypatch.syspath_prepend(str(folder / "site"))
    monkeypatch.chdir(folder / "repo")
    forget()
    yield folder
    forget()


def forget() -> None:
    """Forget the module, so that it is imported anew."""
    sys.modules.pop("my_numbers", None)
    load_task.cache_clear()


def install(folder: Path, module: str) -> None:
    write(folder, {"site/my_numbers.py": module.replace("import numpy as np", "import sys\nimport numpy as np", 1)})
    forget()


def run_apart(folder: Path, module: str, *arguments: str) -> Ended:
    install(folder, module)
    path = os.pathsep.join(filter(None, (str(folder / "site"), os.environ.get("PYTHONPATH"))))
    return apart(folder / "repo", arguments, {"PYTHONPATH": path})


def suites_of(folder: Path) -> Any:
    document = json.loads((folder / "repo/report.json").read_bytes())
    assert document["passed"] == all(suite["outcome"] == "ok" for suite in document["suites"])
    return document["suites"]


ALL = ("--report", "json:report.json", "--report", "native:native.txt", "--report", "html:report.html")
RUN = ("run", "--cache-dir", "cache", *ALL)


def test_the_whole_task_passes(installed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    install(installed, whole())
    assert command(capfd, *RUN).code == 0
    assert [suite["outcome"] for suite in suites_of(installed)] == ["ok", "ok"]


@pytest.mark.parametrize("function", HERE)
@pytest.mark.parametrize("failure", FAILURES)
def test_the_command_ends_with_2_and_says_where_it_failed(
    installed: Path, capfd: pytest.CaptureFixture[str], function: str, failure: str
) -> None:
    install(installed, broken(function, FAILURES[failure]))
    ended = command(capfd, *RUN)
    assert ended.code == 2, ended.all
    assert SAID.get(failure, "") in ended.all
    assert "numbers" in ended.all
    assert len(ended.all) < 20_000  # what an exception says is cut
    if function in ("import", "options", "measures"):  # the configuration cannot be read then
        assert "nlpeval.yaml:4:" in ended.all
        return
    assert "my_numbers.py, line " in ended.all
    theirs, ours = suites_of(installed)
    assert [gate["verdict"] for gate in ours["gates"]] == ["passed"]
    if function in ("notes", "graphs", "native"):
        assert theirs["scores"]["accuracy"]["value"] == 3 / 4
    else:
        assert [gate["verdict"] for gate in theirs["gates"]] == ["unjudged"]
    install(installed, whole())
    again = command(capfd, *RUN)  # nothing of the failure was kept
    assert again.code == 0, again.all


@pytest.mark.usefixtures("no_end")
@pytest.mark.parametrize("failure", ["sys.exit(0)", AT_ONCE])
@pytest.mark.parametrize("function", HERE)
def test_pytest_fails_without_an_error_of_its_own(
    folder: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, function: str, failure: str
) -> None:
    monkeypatch.syspath_prepend(str(folder / "site"))
    install(folder, broken(function, failure))
    reports = [f"--nlpeval-report={target}" for target in ALL[1::2]]
    ended = run_pytest(pytester, f"--rootdir={folder / 'repo'}", str(folder / "repo"), *reports)
    assert ended.code in (1, 2, 4), ended.all
    assert "SystemExit: 0" in ended.all, ended.all
    forget()


def test_a_task_that_fails_in_resampling_alone_fails_the_gates_of_a_pattern(
    folder: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(folder / "site"))
    install(folder, broken("values", "\n    if np.size(sample.total('all')) > 1: 1 / 0"))
    text = (folder / "repo/nlpeval.yaml").read_text()
    write(folder, {"repo/nlpeval.yaml": text.replace("accuracy: 0.5", "acc*: 0.5", 1)})
    ended = run_pytest(pytester, f"--rootdir={folder / 'repo'}", str(folder / "repo"))
    assert ended.code == 1, ended.all
    assert "nlpeval.yaml::theirs::accuracy" in ended.out.partition("short test summary")[2]
    assert "ZeroDivisionError" in ended.all
    assert "IndexError" not in ended.all
    forget()


@pytest.mark.parametrize(
    ("function", "failure"), [("read", "sys.exit(0)"), ("count", AT_ONCE), ("explanations", "sys.exit(0)"), ("import", AT_ONCE)]
)
def test_workers_and_xdist_tell_the_same(folder: Path, function: str, failure: str) -> None:
    module = broken(function, failure)
    ended = run_apart(folder, module, *EAGER_COMMAND, "run", "--jobs", "2", "--no-cache", *ALL)
    assert (ended.code, "SystemExit: 0" in ended.all) == (2, True), ended.all
    arguments = ["--nlpeval", "-n", "2", "-p", "no:cacheprovider", "--nlpeval-report=json:report.json"]
    ended = run_apart(folder, module, sys.executable, "-m", "pytest", *arguments)
    assert (ended.code, "SystemExit: 0" in ended.all) == (1, True), ended.all


LATER = {
    "a thread": "__import__('threading').Thread(target=lambda: __import__('os')._exit(0)).start(); __import__('time').sleep(3600)",
    "a thread, from where os has it": "__import__('threading').Thread(target=lambda: __import__('posix')._exit(0)).start(); "
    "__import__('time').sleep(3600)",
    "the end": "__import__('atexit').register(lambda: __import__('os')._exit(0))",
    "another program": "__import__('os').execlp(sys.executable, sys.executable, '-c', '')",
}


@pytest.mark.parametrize("program", [("run", "--no-cache"), ("pytest",)], ids=["command", "pytest"])
@pytest.mark.parametrize("who", LATER)
def test_nor_does_anything_else_of_a_task_end_a_run_with_0(folder: Path, who: str, program: tuple[str, ...]) -> None:
    text = (folder / "repo/nlpeval.yaml").read_text()
    write(folder, {"repo/nlpeval.yaml": text.replace("accuracy: 0.5", "accuracy: 0.9", 1)})
    words = (
        (sys.executable, "-m", "pytest", "--nlpeval", "-p", "no:cacheprovider") if "pytest" in program else (*COMMAND, *program)
    )
    assert run_apart(folder, broken("count", LATER[who]), *words).code in (1, 2)


IN_C = {
    "_exit": "__import__('ctypes').CDLL(None)._exit(0)",
    "exit": "__import__('ctypes').CDLL(None).exit(0)",
    "exec": "__import__('ctypes').CDLL(None).execl(b'/bin/true', b'true', None)",
    "a thread": "__import__('threading').Thread(target=__import__('ctypes').CDLL(None)._exit, args=(0,)).start(); "
    "__import__('time').sleep(3600)",
    "a signal": "__import__('os').kill(__import__('os').getpid(), 9)",
}
ENDED = re.compile(
    r"nlpeval: the process ended in the middle of the run \((exit code 0|signal 9, Killed)\); nothing of it counts\. It ran code of "
    r"other packages, .*: numbers\. Upgrade that, .*\n"
)


@pytest.mark.parametrize(
    ("function", "how"), [*(("count", how) for how in IN_C), *((function, "_exit") for function in HERE if function != "count")]
)
def test_what_ends_the_process_in_c_is_no_run_that_passes(folder: Path, function: str, how: str) -> None:
    ended = run_apart(folder, broken(function, IN_C[how]), *COMMAND, *RUN)
    assert ended.code == 2
    assert ENDED.fullmatch(ended.err), ended.all


OTHERS = {
    "baseline": "baseline update --baseline base.json",
    "compare": "compare theirs git:HEAD",
    "doctor": "doctor",
    "history": "history",
    "init": "init gold --task numbers",
    "merge": "merge evidence.json",
    "native": "report native report.json",
    "recognised": "score gold/a.txt system/a.txt",
    "score": "score numbers --gold gold/a.txt --system system/a.txt",
    "shard": "run --shard 1/2 --report evidence:evidence.json",
    "tasks": "tasks numbers",
    "validate": "validate",
}
BEFORE = {
    "merge": "run --shard 1/1 --report evidence:evidence.json",
    "native": "run --no-cache --report json:report.json",
}
"""What writes the files that a command needs."""


@pytest.mark.parametrize("name", OTHERS)
def test_nor_is_it_of_another_command(folder: Path, name: str) -> None:
    if name in BEFORE:
        assert run_apart(folder, whole(), *COMMAND, *BEFORE[name].split()).code == 0
    ended = run_apart(folder, broken("import", IN_C["_exit"]), *COMMAND, *OTHERS[name].split())
    assert (ended.code, ended.out) == (2, "")
    assert ENDED.fullmatch(ended.err), ended.all


FORKED = "__import__('os').fork()"


@pytest.mark.parametrize("how", [FORKED, f"{FORKED} or 1 / 0"], ids=["which goes on", "which fails"])
@pytest.mark.parametrize("function", ["import", "count", "explanations", "values", "notes"])
def test_a_process_that_a_task_forks_does_not_judge_as_well(folder: Path, function: str, how: str) -> None:
    """Both would tell verdicts, and write the reports."""
    ended = run_apart(folder, broken(function, how), *COMMAND, *RUN)
    assert len(re.findall("(of|all) 2 gates", ended.out)) == 1, ended.all
    assert (ended.code, ended.err) == (2 if function == "count" else 0, ""), ended.all


def test_an_interrupt_in_a_task_is_the_users(installed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    install(installed, broken("count", "raise KeyboardInterrupt"))
    assert command(capfd, "run", "--no-cache") == Ended(130, "", "nlpeval: interrupted\n")


COUNT = 'gold, system = documents["gold"], documents["system"]\n    right'
DONE = {
    "closes the output": "sys.stdout.close()",
    "closes both streams": "sys.stdout.close(); sys.stderr.close()",
    "closes the handles": "__import__('os').close(1); __import__('os').close(2)",
    "has no streams": "sys.stdout = sys.stderr = None",
    "keeps what is printed": "sys.stdout = sys.stderr = __import__('io').StringIO()",
    "prints": r"print('\x1b[31m::error::x\r##[error]y'); print('\x00', file=sys.stderr)",
    "prints bytes": r"sys.stdout.buffer.write(b'\x1b[2J\xff')",
    "prints by its handle": "__import__('os').write(1, b'raw')",
    "lets a program print": "__import__('os').system('echo raw')",
    "goes elsewhere": "__import__('os').chdir('/')",
    "lowers the limit of recursion": "sys.setrecursionlimit(len(__import__('inspect').stack()) + 60)",
}
OF_PYTEST = ["keeps what is printed", "has no streams", "goes elsewhere", "lowers the limit of recursion"]
"""What pytest, whose streams are its own to give, goes on after."""


@pytest.mark.parametrize("jobs", [(), ("--jobs", "2")], ids=["alone", "workers"])
@pytest.mark.parametrize("what", DONE)
def test_what_a_task_does_to_its_process_changes_nothing_of_the_run(folder: Path, what: str, jobs: tuple[str, ...]) -> None:
    """The JSON on the standard output is that of the task which does nothing, and so is the report."""
    words = [*EAGER_COMMAND, "run", "--no-cache", *jobs, "--report", "json:-", "--report", "csv:report.csv"]
    expected = run_apart(folder, whole(), *words)
    report = (folder / "repo/report.csv").read_bytes()
    (folder / "repo/report.csv").unlink()
    assert COUNT in whole()
    ended = run_apart(folder, whole().replace(COUNT, f"{DONE[what]}\n    {COUNT}"), *words)
    assert (ended.code, ended.out) == (expected.code, expected.out) == (0, expected.out), ended.err
    assert (folder / "repo/report.csv").read_bytes() == report
    if what == "prints":
        assert {r"\x1b[31m:\x3aerror:\x3ax", r"#\x23[error]y", r"\x00"} <= set(ended.err.splitlines())
    if what == "prints bytes":
        assert r"\x1b[2J\xff" in ended.err


@pytest.mark.parametrize("what", OF_PYTEST)
def test_nor_of_a_run_of_pytest(folder: Path, what: str) -> None:
    words = [sys.executable, "-m", "pytest", "--nlpeval", "-p", "no:cacheprovider", "--nlpeval-report=csv:report.csv"]
    assert run_apart(folder, whole(), *words).code == 0
    report = (folder / "repo/report.csv").read_bytes()
    (folder / "repo/report.csv").unlink()
    ended = run_apart(folder, whole().replace(COUNT, f"{DONE[what]}\n    {COUNT}"), *words)
    assert ended.code == 0, ended.all
    assert (folder / "repo/report.csv").read_bytes() == report


WRONG_TYPES = {
    "count": "return None",
    "measures": "return [1]",
    "values": "return [[1, 2]]",
    "notes": "return [7]",
    "graphs": "return [object()]",
    "native": "return 7",
    "signature": "return 7",
}


@pytest.mark.parametrize("function", WRONG_TYPES)
def test_what_is_of_the_wrong_type_is_told(installed: Path, capfd: pytest.CaptureFixture[str], function: str) -> None:
    install(installed, broken(function, WRONG_TYPES[function]))
    ended = command(capfd, *RUN)
    assert ended.code == 2, ended.all
    assert "the task numbers fails in" in ended.all


TOGETHER = """
from pytest_nlpeval.task import Together

def together(files, options, logs):
    # together
    counted = {
        name: count({role: read(source, {}, options, None) for role, source in each.items()}, options, None) for name, each in files.items()
    }
    whole = Evidence.merge(one.evidence.named(name) for name, one in counted.items())
    return Together(whole, {name: one.explanations for name, one in counted.items()})

TASK = replace(TASK, count_together=together)
"""
RECOGNISE = """
from pytest_nlpeval.task import SURE, Guess

def recognise(samples):
    yield Guess(SURE, {}, "numbers")
    # recognise

TASK = replace(TASK, recognise=recognise)
"""


@pytest.mark.parametrize(
    "program",
    [("run", "--no-cache", *ALL), ("run", "--no-cache", "--jobs", "2"), ("validate",), ("pytest",), ("pytest", "-n", "2")],
)
@pytest.mark.parametrize("failure", ["sys.exit(0)", AT_ONCE, "files.clear(); files = {}"])
def test_a_task_that_fails_in_counting_at_once_is_told(folder: Path, program: tuple[str, ...], failure: str) -> None:
    """Of 130 documents two at least are one batch. The last failure leaves out all documents of one."""
    sides = {side: (folder / f"repo/{side}/a.txt").read_bytes() for side in ("gold", "system")}
    write(folder, {f"repo/{side}/d{rank:03}.txt": sides[side] for side in sides for rank in range(130)})
    if "pytest" in program:
        words = [sys.executable, "-m", "pytest", "--nlpeval", "-p", "no:cacheprovider", *program[1:]]
    else:
        words = [*EAGER_COMMAND, *program]
    assert run_apart(folder, whole() + TOGETHER, *words).code == 0
    ended = run_apart(folder, whole() + TOGETHER.replace("# together", failure), *words)
    assert ended.code == (1 if "pytest" in program else 2), ended.all
    assert re.search(r"system/\w+\.txt: task\.failed: the task numbers fails in `count_together`: ", ended.all), ended.all
    assert "ended the process" not in ended.all
    assert "INTERNALERROR" not in ended.all


RECOGNISING = {
    "score": "score gold/a.txt system/a.txt",
    "init": "init gold/a.txt system/a.txt",
    "init where files lie": "init",
}


@pytest.mark.parametrize("failure", ["an exception", "the end of the process", "the end of the process at once", "hostile text"])
@pytest.mark.parametrize("name", RECOGNISING)
def test_files_that_no_other_task_surely_has_are_not_recognised_where_one_fails_in_it(
    installed: Path, capfd: pytest.CaptureFixture[str], name: str, failure: str
) -> None:
    """They might be that task's."""
    (installed / "repo/nlpeval.yaml").unlink()
    (installed / "repo/rte/gold.xml").unlink()
    words = RECOGNISING[name].split()
    install(installed, whole() + RECOGNISE.replace("# recognise", FAILURES[failure]))
    ended = command(capfd, *words)
    assert (ended.code, ended.out) == (2, "")
    (line,) = [line for line in ended.err.splitlines() if "task.failed" in line]
    place, _, said = line.strip().partition(": task.failed: the task numbers fails in `recognise`: ")
    assert place.startswith("gold")
    assert SAID.get(failure, "") in said
    assert "my_numbers.py, line " in said
    assert "name the task of these files meanwhile: nlpeval score TASK " in said
    assert not (installed / "repo/nlpeval.yaml").exists()
    install(installed, whole() + RECOGNISE)
    assert command(capfd, *words).code == 0


OF_OTHERS = {
    "recognise": (
        whole() + RECOGNISE.replace("# recognise", "1 / 0"),
        "the task numbers fails in `recognise`: ZeroDivisionError",
    ),
    "import": (broken("import", "1 / 0"), 'the task "numbers" cannot be loaded: '),
    "read": (broken("read", "1 / 0") + RECOGNISE, "the task numbers fails in `read` of gold: ZeroDivisionError"),
    "count": (broken("count", "1 / 0") + RECOGNISE, "the task numbers fails in `count`: "),
}
"""Modules in which a function fails for files of another task, with what is said of it."""


@pytest.mark.parametrize("words", ["score rte/gold.xml rte/system.txt", "init rte/gold.xml rte/system.txt", "init"])
@pytest.mark.parametrize("function", OF_OTHERS)
def test_a_task_that_fails_costs_only_what_it_would_have_recognised(
    installed: Path, capfd: pytest.CaptureFixture[str], function: str, words: str
) -> None:
    """Files of other tasks are scored, or have a configuration."""
    repo = installed / "repo"
    (repo / "nlpeval.yaml").unlink()
    (repo / "rte/run.txt").rename(repo / "rte/system.txt")
    module, said = OF_OTHERS[function]
    install(installed, module)
    ended = command(capfd, *words.split())
    assert ended.code == 2, ended.all
    assert ended.err.count(said) == 1, ended.all
    if words.startswith("init"):
        written = (repo / "nlpeval.yaml").read_text()
        assert [line.split()[1] for line in written.splitlines() if "task:" in line] == ["rte"]
    else:
        assert "accuracy          1.0000" in ended.out


def test_no_configuration_is_written_for_a_task_that_fails_in_scoring(installed: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (installed / "repo/nlpeval.yaml").unlink()
    install(installed, broken("values", "1 / 0") + RECOGNISE)
    ended = command(capfd, "init", "gold/a.txt", "system/a.txt")
    assert ended.code == 2
    assert ended.err.startswith("task.failed: the task numbers fails in the measure accuracy: ZeroDivisionError")
    assert not (installed / "repo/nlpeval.yaml").exists()


def with_commits(folder: Path) -> list[str]:
    """Make the folder a repository of two commits, of which `a` has other bytes in each; return their short names."""
    top = start(folder / "repo")
    write(top, {"gold/b.txt": "1\n2\n" + BLANK, "system/b.txt": "1\n3\n" + BLANK})
    first = commit(top, "First")
    write(top, {"system/a.txt": "1\n2\n9\n5\n" + BLANK})
    return [first[:7], commit(top, "Second")[:7]]


@pytest.mark.parametrize("failure", ["an exception", "the end of the process at once"])
@pytest.mark.parametrize("function", ["read", "count", "values"])
def test_a_history_in_which_the_task_fails_ends_with_2(
    installed: Path, capfd: pytest.CaptureFixture[str], function: str, failure: str
) -> None:
    commits = with_commits(installed)
    install(installed, broken(function, FAILURES[failure]))
    ended = command(
        capfd,
        "history",
        "--cache-dir",
        "cache",
        *(word for kind in ("html", "json", "csv") for word in ("--report", f"{kind}:history.{kind}")),
    )
    assert ended.code == 2, ended.all
    places = ["nlpeval.yaml:3"]
    if function != "values":
        roles = ["gold/a.txt", "gold/b.txt"] if function == "read" else []
        files = [f"{commits[1]}:system/b.txt", f"{commits[0]}:system/a.txt", f"{commits[1]}:system/a.txt"]
        places = roles or files
    said = ": task.failed: the task numbers fails in "
    told = [line.partition(said) for line in ended.out.splitlines() if said in line]
    assert sorted(place for place, _, _ in told) == sorted(places)
    assert all("my_numbers.py, line " in rest and SAID[failure] in rest for _, _, rest in told)
    page = (installed / "repo/history.html").read_text()
    assert page.count("no score fell beyond chance; the task fails in 1 suite") == page.count("no score fell beyond chance") > 0
    assert page.count("task.failed: ") == len(told)
    document = json.loads((installed / "repo/history.json").read_bytes())
    jsonschema.Draft202012Validator(json_schema("history.schema.json")).validate(document)
    theirs, ours = document["suites"]
    assert "problems" not in ours
    problems = [Problem.from_json(problem) for problem in theirs["problems"]]
    assert [str(problem) for problem in problems] == [line.strip() for line in ended.out.splitlines() if said in line]
    with (installed / "repo/history.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["reason"] for row in rows if not row["commit"]] == [str(problem) for problem in problems]
    assert [point["scores"] for point in theirs["points"]] == [{}, {}]
    assert all(point["reason"] for point in theirs["points"])
    assert [point["scores"]["accuracy"]["value"] for point in ours["points"]] == [1.0]
    install(installed, whole())
    again = command(capfd, "history", "--cache-dir", "cache")  # nothing of the failure was kept
    assert (again.code, again.err) == (0, "")


@pytest.mark.parametrize("arguments", ["history", "run --baseline git:HEAD~1", "compare theirs git:HEAD~1"])
def test_a_task_that_fails_in_one_earlier_file_ends_with_2(
    installed: Path, capfd: pytest.CaptureFixture[str], arguments: str
) -> None:
    """What is compared would be less than was asked for."""
    first, _ = with_commits(installed)
    install(installed, broken("read", "if b'5' in source.data and b'9' not in source.data: 1 / 0"))
    ended = command(capfd, *arguments.split(), "--no-cache")
    assert ended.code == 2, ended.all
    said = f"{first}:system/a.txt: task.failed: the task numbers fails in `read` of system: ZeroDivisionError: "
    assert ended.all.count(said) == 1
    if arguments == "history":
        assert "0.5000" in ended.out, "the other point, and the other document of this one, are scored"
    if arguments.startswith("run"):
        assert "all 2 gates passed" in ended.out, "everything else is judged"


@pytest.mark.parametrize("words", ["compare theirs git:HEAD~1", "baseline update --baseline base.json"])
def test_a_failure_beside_the_counts_is_told_by_what_compares_or_keeps_these(
    installed: Path, capfd: pytest.CaptureFixture[str], words: str
) -> None:
    with_commits(installed)
    install(installed, broken("notes", "sys.exit(0)"))
    ended = command(capfd, *words.split(), "--no-cache")
    assert ended.code == 2, ended.all
    assert "the task numbers fails in `notes`: SystemExit: 0 (" in ended.all
    assert not (installed / "repo/base.json").exists()


ODD = """
class Odd(str):
    pass

for name in ("hash", "eq", "str", "repr", "format", "len", "iter", "reduce_ex", "getattribute"):
    setattr(Odd, f"__{name}__", lambda *_: sys.exit(0))

_explanations = explanations

def explanations(gold, system):
    for each in _explanations(gold, system):
        texts = {name: Odd(getattr(each, name)) for name in ("unit", "reason", "message", "item", "gold", "system", "group")}
        yield each._replace(**texts, measures=(Odd("accuracy"),))

def noted(evidence, options, roles):
    return [Odd("a note")]

def signed(options, columns):
    return {"a fact": Odd("x")}

def told(reported):
    return Odd("a table\\n")

def measures(options, columns):
    return [replace(each, definition=Odd(each.definition), formula=Odd(each.formula), missing=Odd(each.missing))
            for each in _measures(options, columns)]

TASK = replace(TASK, summary=Odd(TASK.summary), version=Odd(TASK.version), notes=noted, native=told, signature=signed, measures=measures)
"""
PLAIN = ODD.replace("sys.exit(0)", "1").replace("Odd(", "str(").replace("class str(str)", "class Odd(str)")


IN_TEST = """
def test_it(nlpeval):
    result = nlpeval.score("numbers", gold="gold/a.txt", system="system/a.txt", explain=True)
    assert 0, result.all_problems()
"""


@pytest.mark.parametrize("program", ["command", "pytest", "fixture"])
def test_a_class_of_texts_with_code_of_its_own_changes_nothing(
    folder: Path, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], program: str
) -> None:
    """Nobody would say whose code it is that fails, or ends the process, where a text is looked up, compared or printed."""
    repo = folder / "repo"
    monkeypatch.syspath_prepend(str(folder / "site"))
    monkeypatch.chdir(repo)
    text = (repo / "nlpeval.yaml").read_text()
    write(repo, {"nlpeval.yaml": text.replace("accuracy: 0.5", "accuracy: 0.9", 1), "test_it.py": IN_TEST})
    targets = ALL[1::2] if program != "fixture" else ()
    words = (
        (str(repo / "test_it.py"),) if program == "fixture" else (str(repo), *(f"--nlpeval-report={each}" for each in targets))
    )
    reports: list[list[bytes]] = []
    for more in (PLAIN, ODD):
        install(folder, whole() + more)
        ended = command(capfd, *RUN) if program == "command" else run_pytest(pytester, f"--rootdir={repo}", *words)
        assert (ended.code, "INTERNALERROR" in ended.all) == (1, False), ended.all
        assert "5, in gold 4" in ended.all
        reports.append([(repo / target.partition(":")[2]).read_bytes() for target in targets])
    assert reports[0] == reports[1]
    forget()


@pytest.mark.skipif(sys.platform != "linux", reason="pytest goes on in a process of its own")
@pytest.mark.parametrize("function", [function for function in HERE if function not in ("import", "options", "measures")])
def test_an_interrupt_in_a_task_ends_pytest_without_a_traceback(folder: Path, function: str) -> None:
    """Pytest tells of one in its items; of one behind them it is one line."""
    words = ("-m", "pytest", "--nlpeval", "-p", "no:cacheprovider", *(f"--nlpeval-report={target}" for target in ALL[1::2]))
    ended = run_apart(folder, broken(function, "raise KeyboardInterrupt"), sys.executable, *words)
    of_items = function in ("read", "count", "explanations")
    assert (ended.code, ended.err) == ((2, "") if of_items else (130, "nlpeval: interrupted\n"))
    assert "Traceback" not in ended.out


@pytest.mark.parametrize(
    "function", [function for function in HERE if function not in ("import", "explanations", "graphs", "native")]
)
def test_half_a_surrogate_pair_comes_from_a_worker(folder: Path, function: str) -> None:
    """Which cannot send it as it is."""
    words = (sys.executable, "-m", "pytest", "--nlpeval", "-n", "1", "-p", "no:cacheprovider")
    ended = run_apart(folder, broken(function, r'raise ValueError("half \ud800 of a pair")'), *words)
    assert (ended.code, "INTERNALERROR" in ended.all) in ((1, False), (2, False)), ended.all
    assert r"ValueError: half \ud800 of a pair" in ended.out
    ended = run_apart(folder, whole().replace("return []", r'return ["half \ud800 of a pair"]'), *words)
    assert (ended.code, r"theirs: half \ud800 of a pair" in ended.out) == (0, True), ended.all


@pytest.mark.parametrize(("function", "code"), [("import", 2), ("count", 2), ("values", 130)])
def test_an_interrupt_in_a_task_of_a_worker_is_told_with_its_place(folder: Path, function: str, code: int) -> None:
    """Of which xdist says that the worker crashed. The controller works scores out as well, and is interrupted there."""
    words = ("-m", "pytest", "--nlpeval", "-p", "no:cacheprovider", "-n", "2", "--max-worker-restart=0")
    ended = run_apart(folder, broken(function, "raise KeyboardInterrupt"), sys.executable, *words)
    assert ended.code == code, ended.all
    said = r"ERROR: a worker was interrupted, .*: KeyboardInterrupt \(.*my_numbers\.py, line \d+\); run again"
    assert len(re.findall(said, ended.out)) == 1, ended.all
