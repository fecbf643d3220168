"""What the command imports: nothing heavy to tell about itself and its tasks, and one task to run one."""

from __future__ import annotations

import gc
import json
import sys
from collections.abc import Collection, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from pytest_nlpeval.baselines.git import Repository
from pytest_nlpeval.cli import main
from pytest_nlpeval.tasks import TASKS, modules_of
from tests.support import HALF, RIGHT, THREADS, apart, command, make_suite, write
from tests.unit.baselines.repositories import commit, start

HEAVY = {"lxml", "numpy", "jsonschema", "sqlite3", "rich"}

IMPORTS = """
import json, sys
before = set(sys.modules)  # what starts with every process, such as what measures coverage
from pytest_nlpeval.cli import main
try:
    code = main(sys.argv[1:])
except SystemExit as stop:
    code = stop.code
print("\\nIMPORTED", json.dumps([code, sorted(set(sys.modules) - before)]))
"""

IMPORTS_OF_ALL = """
import json, sys
before = set(sys.modules)
from pytest_nlpeval.cli import main
for arguments in json.loads(sys.argv[1]):
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code
    print("\\nIMPORTED", json.dumps([arguments, code, sorted(set(sys.modules) - before)]))
"""

GOLD = (
    "Entity1\tRelation\tEntity2\tTrigger\tAnnotated Sentence\n"
    "Ada\tfounded\tOtt\tfounded\t[[[PER Ada]]] ---> {{{ founded }}} <--- [[[ORG Ott]]] .\n"
)
SYSTEM = "Entity1\tRelation\tEntity2\nAda\tfounded\tOtt\n"
CONFIG = """\
version: 1
suites:
  - {name: s, task: exemplar, gold: gold.tsv, system: system.tsv, gates: {f1: 1}}
"""


def imported(folder: Path, arguments: Sequence[str]) -> set[str]:
    """What a command that goes well has imported in the end."""
    ended = apart(folder, [sys.executable, "-c", IMPORTS, *arguments])
    code, modules = json.loads(ended.out.rpartition("IMPORTED ")[2])
    assert not code, ended.all
    return set(modules)


TELLING = (
    ["--version"],
    ["explain", "rte.ties"],
    ["--help"],
    ["run", "--help"],
    ["tasks"],
    ["explain"],
    *(["tasks", task] for task in TASKS),
)


def test_telling_about_the_command_and_its_tasks_needs_no_library(tmp_path: Path) -> None:
    """All in one process: what one of them imports stays, and is seen in its own line and all after it."""
    ended = apart(tmp_path, [sys.executable, "-c", IMPORTS_OF_ALL, json.dumps(TELLING)])
    found = [json.loads(line.removeprefix("IMPORTED ")) for line in ended.out.splitlines() if line.startswith("IMPORTED ")]
    assert [arguments for arguments, _, _ in found] == [*TELLING], ended.all
    assert [(arguments, code) for arguments, code, _ in found if code] == []
    assert [(arguments, heavy) for arguments, _, modules in found if (heavy := HEAVY & set(modules))] == []


def test_the_version_needs_little_of_the_standard_library(tmp_path: Path) -> None:
    costly = {"dataclasses", "inspect", "tempfile", "subprocess", "multiprocessing", "importlib.metadata", "difflib", "random"}
    code = "import argparse, sys\nargparse.ArgumentParser().format_usage()\nprint(*sys.modules)"
    python_s = set(apart(tmp_path, [sys.executable, "-c", code]).out.split())  # from 3.14 on, its parser colours usages
    assert not imported(tmp_path, ["--version"]) & (costly - python_s)


def test_the_collector_is_off_in_a_process_of_the_command_and_as_it_was_in_any_other(tmp_path: Path) -> None:
    program = "import gc; from pytest_nlpeval.cli.process import as_process; as_process(lambda: print(gc.isenabled()) or 0)"
    assert apart(tmp_path, [sys.executable, "-c", program]).out == "False\n"
    was_enabled = gc.isenabled()
    gc.unfreeze()  # of what is frozen since the tests were collected, something may be freed while the command runs
    try:
        assert main(["tasks"]) == 0
        assert (gc.isenabled(), gc.get_freeze_count()) == (was_enabled, 0)
    finally:
        gc.freeze()


TELL_THREADS = f"""
import os, sys
import {{}}
from threadpoolctl import threadpool_info
threads = [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]
print("\\nTHREADS", threads, os.environ.get("{THREADS}"))
"""
OWN, CALLED = (f"pytest_nlpeval.cli\nassert pytest_nlpeval.cli.main({given}) == 0" for given in ("", "sys.argv[1:]"))


@pytest.mark.parametrize(
    ("program", "given", "like", "chosen"),
    [(OWN, {}, "1", None), (OWN, {THREADS: "2"}, "2", "2"), (CALLED, {}, None, None)],
    ids=["own", "chosen", "called"],
)
def test_a_process_of_the_command_has_numpy_in_one_thread_and_tells_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, given: Mapping[str, str], like: str | None, chosen: str | None
) -> None:
    """As many threads as NumPy alone has if that is told to have so many, and the variable that tells it is as it was before."""
    write(tmp_path, {"nlpeval.yaml": CONFIG, "gold.tsv": GOLD, "system.tsv": SYSTEM})
    monkeypatch.delenv(THREADS)
    told = {THREADS: like} if like else {}
    alone = (
        apart(tmp_path, [sys.executable, "-c", TELL_THREADS.format("numpy")], told).out.split("THREADS ")[1].rpartition(" ")[0]
    )
    ended = apart(tmp_path, [sys.executable, "-c", TELL_THREADS.format(program), "run", "--no-cache"], given)
    assert ended.out.split("THREADS ")[1] == f"{alone} {chosen}\n", ended.all


def test_a_new_configuration_needs_no_library(tmp_path: Path) -> None:
    assert not imported(tmp_path, ["init"]) & HEAVY
    assert (tmp_path / "nlpeval.yaml").is_file()


def test_a_run_imports_its_own_task_only(tmp_path: Path) -> None:
    write(tmp_path, {"nlpeval.yaml": CONFIG, "gold.tsv": GOLD, "system.tsv": SYSTEM})
    found = imported(tmp_path, ["run", "--no-cache"])
    assert "pytest_nlpeval.tasks.exemplar.counting" in found
    assert not {name for task in TASKS if task != "exemplar" for name in found if name.startswith(f"pytest_nlpeval.tasks.{task}")}
    assert not found & {"lxml", "pytest", "rich"}
    of_baselines = ("against_baseline", "falls", "gold_changes", "hypotheses", "items", "kept_results", "old_output")
    assert not found & {f"pytest_nlpeval.run.{name}" for name in (*of_baselines, "group_reading")}


@pytest.mark.parametrize(
    ("output", "arguments", "is_asked"),
    [
        (RIGHT, [], False),
        (RIGHT, ["--report=json:report.json"], True),
        (RIGHT, ["--baseline=git:HEAD"], True),
        (HALF, [], True),
    ],
    ids=["passing", "reported", "compared", "failing"],
)
def test_git_is_asked_for_the_commit_only_where_somebody_reads_of_it(
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    output: str,
    arguments: Sequence[str],
    *,
    is_asked: bool,
) -> None:
    make_suite(start(tmp_path), "accuracy: 0.9", runs={"a": output})
    commit(tmp_path)
    monkeypatch.chdir(tmp_path)
    asked: list[Repository] = []

    def branch(repository: Repository) -> str:
        asked.append(repository)
        return "main"

    monkeypatch.setattr(Repository, "branch", branch)
    ended = command(capfd, "run", "--no-cache", *arguments)
    assert ended.code == int(output == HALF), ended.all
    assert bool(asked) == is_asked
    assert ("today: working copy on" in ended.out) == (output == HALF)


def test_a_history_that_the_store_has_needs_no_library_but_the_stores(tmp_path: Path) -> None:
    """In another process, whose sets have another order: what the first one kept is found there."""
    make_suite(start(tmp_path))
    for output in (HALF, RIGHT):
        write(tmp_path, {"system/a.txt": output})
        commit(tmp_path)
    arguments = ["history", "--cache-dir", ".cache", "--measure", "accuracy", "--measure", "cws"]
    first, second = (imported(tmp_path, arguments) & (HEAVY | {"pytest_nlpeval.run.engine"}) for _ in range(2))
    assert (first, second) == ({"lxml", "numpy", "sqlite3", "pytest_nlpeval.run.engine"}, {"sqlite3"})


EXAMPLES = Path(__file__).parents[2] / "examples"

OF_EVERY_RUN = {"numpy", "threadpoolctl", "yaml"}
OF_RUNS = {"are": {"lxml"}, "best": {"lxml"}, "cat": {"lxml"}, "rte": {"lxml"}, "text": {"rapidfuzz"}}
"""The libraries that a run needs, besides what these need themselves."""


@pytest.mark.parametrize("task", TASKS)
def test_a_run_imports_what_it_uses(tmp_path: Path, task: str) -> None:
    """Neither the other tasks, nor the kinds and formats of reports that nobody asked for, nor what another task's files need."""
    modules = imported(tmp_path, ["run", "--no-cache", str(EXAMPLES / task / "nlpeval.yaml")])
    own = {name for name in modules if name.startswith("pytest_nlpeval.")}
    assert {".".join(name.split(".")[2:3]) for name in own if name.startswith("pytest_nlpeval.tasks.")} <= {task}
    others = (
        "reports.compare",
        "baselines.stored",
        "reports.history",
        "reports.html",
        "reports.markup",
        "reports.stored",
        "run.history",
        "run.side_by_side",
        "run.recognition",
    )
    assert not [name for name in own if name.removeprefix("pytest_nlpeval.").startswith(others)]
    assert not modules & {"email", "importlib.metadata"}
    assert "numpy.ma" not in modules, "NumPy imports it for a median, and for `unique` without counts or places"
    libraries = {name.partition(".")[0] for name in modules} & (
        HEAVY | OF_EVERY_RUN | {"jinja2", "multiprocessing", "pytest", "rapidfuzz"}
    )
    assert libraries == OF_EVERY_RUN | OF_RUNS.get(task, set())


def test_files_are_checked_without_what_reports_scores(tmp_path: Path) -> None:
    """Of the reports, `validate` needs what shows problems; graphs and groups that fell are for scores."""
    write(tmp_path, {"nlpeval.yaml": CONFIG, "gold.tsv": GOLD, "system.tsv": SYSTEM})
    own = {
        name.removeprefix("pytest_nlpeval.") for name in imported(tmp_path, ["validate"]) if name.startswith("pytest_nlpeval.")
    }
    assert {name for name in own if name.startswith("reports.")} == {"reports.blocks", "reports.formats", "reports.table"}
    assert not {"cli.commands", "cli.delivery", "falls", "graphs", "run.item_changes"} & own


OF_CHANCE = {"run.chance", "run.remembered_chance", "metrics.resampling", "metrics.weighting"}
OF_GUARDS = {"run.guarding", "metrics.resampling", "metrics.weighting"}
OF_GIT = {"baselines.git"}
OF_WORKERS = {"cli.pool"}
OF_OTHERS = {"foreign_tasks", "foreign_types", "run.executors"}
NEEDED_AT_TIMES = set().union(OF_CHANCE, OF_GUARDS, OF_GIT, OF_WORKERS, OF_OTHERS)
"""Modules of the package that a run of one passing document does without, unless it is asked for what they are for."""

GATES = "    gates: {micro.f1: 1}\n"


@pytest.mark.parametrize(
    ("gates", "arguments", "needed"),
    [
        ("", ["--no-cache"], set()),
        (GATES, ["--no-cache", "--confidence=off"], set()),
        (GATES, ["--no-cache"], OF_CHANCE),
        ("", ["--no-cache", "--report=json:report.json"], OF_CHANCE | OF_GIT),
        ("    gates: {micro.f1: {known_failures: known.txt}}\n", ["--no-cache", "--confidence=off"], OF_GUARDS),
        ("", ["--no-cache", "--jobs=2"], OF_WORKERS),
    ],
    ids=["alone", "without intervals", "gate", "report", "guard", "jobs"],
)
def test_a_run_imports_of_the_package_what_it_is_asked_for(
    tmp_path: Path, gates: str, arguments: Sequence[str], needed: Collection[str]
) -> None:
    """`concurrent.futures` is imported with workers alone, which a single document never has; `statistics` with intervals alone."""
    documents = "ab" if "--jobs=2" in arguments else "a"
    files = {f"{side}/{name}.conll": "Ada B-PER\nmet O\n" for side in ("gold", "system") for name in documents}
    suite = f"  - name: s\n    task: spans\n    gold: gold/{{doc}}.conll\n    system: system/{{doc}}.conll\n{gates}"
    write(tmp_path, files | {"known.txt": "", "nlpeval.yaml": f"version: 1\nsuites:\n{suite}"})
    modules = imported(tmp_path, ["run", *arguments])
    own = {name.removeprefix("pytest_nlpeval.") for name in modules if name.startswith("pytest_nlpeval.")}
    assert own & NEEDED_AT_TIMES == needed
    assert ("concurrent.futures" in modules) == (needed is OF_WORKERS)
    assert ("statistics" in modules) == (needed >= OF_CHANCE)
    assert not {"formats.json", "formats.csv"} & own


@pytest.mark.parametrize("module", sorted(NEEDED_AT_TIMES))
def test_what_a_run_does_without_is_there(module: str) -> None:
    """A module that goes by another name now would be missed by no run."""
    assert find_spec(f"pytest_nlpeval.{module}")


def test_a_right_report_is_read_without_a_library(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "report.json"
    assert command(capfd, "run", "--no-cache", f"--report=json:{path}", EXAMPLES / "labels").code == 0
    assert not imported(tmp_path, ["report", "markdown", "report.json"]) & {*HEAVY, "yaml"}


PREPARED = """
import json, sys
from importlib import import_module
from pytest_nlpeval.tasks import load_task, modules_of
for name in modules_of(sys.argv[1]):
    import_module(name)
before = set(sys.modules)
task = load_task(sys.argv[1])
for function in (task.count, *(role.read for role in task.roles)):
    function.load()
print("IMPORTED", json.dumps([0, sorted(set(sys.modules) - before)]))
"""


RECORDS_OF_SPANS = '{"text": "Ada met Ott", "spans": [{"start": 0, "end": 3, "label": "PER"}]}\n'
OF_FORMATS = {
    "conll": ("Ada B-PER\nmet O\n", {"conll"}),
    "jsonl": (RECORDS_OF_SPANS, {"records", "json_records"}),
    "brat": ("T1\tPER 0 3\tAda\n", {"brat"}),
}
"""Files of each format of spans, and the modules of the task that read it."""


@pytest.mark.parametrize("documents", [1, 3])
@pytest.mark.parametrize("name", OF_FORMATS)
def test_a_run_of_spans_imports_the_readers_of_its_format_alone(tmp_path: Path, name: str, documents: int) -> None:
    text, readers = OF_FORMATS[name]
    sides = ("gold", "system")
    files = {f"{side}/d{rank}.{name}": text for side in sides for rank in range(documents)}
    files |= {f"text/d{rank}.txt": "Ada met Ott" for rank in range(documents)} if name == "brat" else {}
    entries = "".join(f"    {side}: {side}/{{doc}}.{name}\n" for side in sides)
    entries += "    text: text/{doc}.txt\n" if name == "brat" else ""
    suite = f"  - name: s\n    task: spans\n{entries}    options: {{format: {name}}}\n"
    write(tmp_path, files | {"nlpeval.yaml": f"version: 1\nsuites:\n{suite}"})
    modules = imported(tmp_path, ["run", "--no-cache", str(tmp_path)])
    start = "pytest_nlpeval.tasks.spans."
    its = {module.removeprefix(start) for module in modules if module.startswith(start)}
    assert its & set().union(*(readers for _, readers in OF_FORMATS.values())) == readers
    assert ("pytest_nlpeval.kit.records.reading" in modules) == (name == "jsonl")


@pytest.mark.parametrize("task", TASKS)
def test_a_process_that_imports_a_tasks_modules_imports_nothing_later(tmp_path: Path, task: str) -> None:
    ended = apart(tmp_path, [sys.executable, "-c", PREPARED, task])
    assert json.loads(ended.out.rpartition("IMPORTED ")[2]) == [0, []]


def test_only_tasks_of_this_package_name_their_modules() -> None:
    assert modules_of("another") == []
    assert modules_of("rte")[0] == "pytest_nlpeval.tasks.rte"


@pytest.mark.parametrize("arguments", [["-n2"], ["-n2", "--nlpeval-no-cache"]])
def test_the_controller_of_workers_imports_no_library(tmp_path: Path, arguments: list[str]) -> None:
    pytest.importorskip("xdist")
    write(tmp_path, {"nlpeval.yaml": CONFIG, "gold.tsv": GOLD, "system.tsv": SYSTEM})
    program = (
        "import json, sys, pytest; code = pytest.main(sys.argv[1:]); print('IMPORTED', json.dumps([code, sorted(sys.modules)]))"
    )
    plain = ["-p", "no:randomly", "-p", "no:hypothesispytest"]
    ended = apart(tmp_path, [sys.executable, "-c", program, "--nlpeval", *plain, *arguments])
    code, modules = json.loads(ended.out.rpartition("IMPORTED ")[2])
    assert code == 0, ended.all
    assert not set(modules) & ({*HEAVY, "yaml"} - {"sqlite3"})


NOTING = """
import json, sys
from pathlib import Path

def pytest_unconfigure(config):
    name = getattr(config, "workerinput", {}).get("workerid", "controller")
    Path(f"{name}.json").write_text(json.dumps(sorted(sys.modules)))
"""


@pytest.mark.parametrize(("system", "code"), [(SYSTEM, 0), (SYSTEM.replace("founded", "left"), 1)], ids=["passing", "failing"])
def test_only_a_worker_in_which_a_gate_fails_imports_what_tells_of_it(tmp_path: Path, system: str, code: int) -> None:
    pytest.importorskip("xdist")
    write(tmp_path, {"nlpeval.yaml": CONFIG, "gold.tsv": GOLD, "system.tsv": system, "conftest.py": NOTING})
    plain = ["-p", "no:randomly", "-p", "no:hypothesispytest", "-n2"]
    ended = apart(tmp_path, [sys.executable, "-m", "pytest", "--nlpeval", *plain])
    assert ended.code == code, ended.all
    imported = {path.stem: {*json.loads(path.read_text())} for path in tmp_path.glob("*.json")}
    assert imported.keys() == {"controller", "gw0", "gw1"}
    telling = {name for name, modules in imported.items() if "pytest_nlpeval.reports.digest" in modules}
    assert "controller" in telling
    assert len(telling) == 1 + code


LOADERS = """
import json, sys
from pathlib import Path

def pytest_unconfigure(config):
    loaders = {name: type(module.__loader__).__name__ for name, module in sys.modules.items() if hasattr(module, "__loader__")}
    Path("loaders.json").write_text(json.dumps(loaders))
"""


def test_pytest_rewrites_the_assertions_of_others_and_no_module_of_this_package(tmp_path: Path) -> None:
    """But for what is imported until the plugin says so: the package and what it needs, and the plugin."""
    test = "def test_one():\n    one = 1\n    assert one == 2\n"
    write(tmp_path, {"nlpeval.yaml": CONFIG, "gold.tsv": GOLD, "system.tsv": SYSTEM, "conftest.py": LOADERS, "test_one.py": test})
    ended = apart(tmp_path, [sys.executable, "-m", "pytest", "--nlpeval", "-p", "no:randomly"])
    assert ended.code == 1, ended.all
    assert "assert 1 == 2" in ended.out
    loaders: dict[str, str] = json.loads((tmp_path / "loaders.json").read_text())
    rewritten = {name for name, loader in loaders.items() if loader == "AssertionRewritingHook"}
    assert {"conftest", "test_one"} <= rewritten
    before = {"", ".lazy_names", ".plugin", ".pytest_plugin", ".pytest_plugin.own_modules"}
    own = {name.removeprefix("pytest_nlpeval") for name in rewritten if name.startswith("pytest_nlpeval")}
    assert own <= before
    assert loaders["pytest_nlpeval.run.engine"] == "SourceFileLoader"


def test_help_is_a_command_and_the_package_is_one(tmp_path: Path) -> None:
    module = [sys.executable, "-m", "pytest_nlpeval"]
    of_help, of_option = (apart(tmp_path, [*module, *words]) for words in (["help", "run"], ["run", "--help"]))
    assert (of_help.code, of_help.out) == (0, of_option.out)
    assert "usage: nlpeval run" in of_help.out
    assert "usage: nlpeval [-h]" in apart(tmp_path, [*module, "help"]).out
    assert apart(tmp_path, [*module, "help", "nothing"]).code == 2
