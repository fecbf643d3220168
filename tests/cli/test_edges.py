"""The edges of the command: readers that go away, folders that cannot be read, broken tasks, mistakes that beginners make."""

from __future__ import annotations

import contextlib
import difflib
import importlib.metadata
import io
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import cli, libraries, load_suites, score, tasks, wording
from tests.support import COMMAND, GATE, HALF, HANG, RIGHT, apart, command, config_text, files_below, gold_xml, make_suite, write

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(folder: Path, capfd: Capture, config: str, code: int = 2) -> list[str]:
    """What `nlpeval run` says on the standard error of this configuration."""
    make_suite(folder, config=config)
    ended = command(capfd, "run")
    assert ended.code == code, ended.all
    return ended.err.splitlines()


# Files and folders


def test_an_empty_file_costs_no_memory(tmp_path: Path) -> None:
    write(tmp_path, {"gold.xml": gold_xml(), "run.txt": b""})
    score("rte", gold=tmp_path / "gold.xml", system=tmp_path / "run.txt")  # imports what it needs
    tracemalloc.start()
    try:
        score("rte", gold=tmp_path / "gold.xml", system=tmp_path / "run.txt")
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


@pytest.fixture
def unreadable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that the operating system does not let anybody read, not even the superuser."""
    secret = folder / "results" / "secret"
    secret.mkdir(parents=True)
    scandir = os.scandir

    def refuse(path: Any = ".") -> Any:
        if Path(os.fsdecode(path)).absolute() == secret:
            raise PermissionError(13, "Permission denied", os.fsdecode(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    return secret


def test_an_unreadable_folder_is_told_and_skipped(folder: Path, unreadable: Path, capfd: Capture) -> None:
    make_suite(folder)
    ended = command(capfd, "run")
    assert ended.code == 0
    assert str(unreadable.relative_to(folder)) in ended.err


@pytest.mark.parametrize("name", ["suites", "suites/dev", "suites/dev/nlpeval.yaml", "../dev"])
def test_a_path_that_leads_nowhere_is_told_as_it_is_given(folder: Path, capfd: Capture, name: str) -> None:
    """A last part of small letters alone is called like content in memory, such as `gold`, and is none."""
    for words in (["run"], ["validate"], ["history"], ["baseline", "show"]):
        ended = command(capfd, *words, name)
        assert (ended.code, ended.err) == (2, f"{name}: file.missing: does not exist\n")


@pytest.mark.parametrize("name", [".", "gold"])
def test_a_folder_with_other_files_never_becomes_a_store(folder: Path, capfd: Capture, name: str) -> None:
    make_suite(folder)
    before = files_below(folder)
    ended = command(capfd, "run", "--cache-dir", name)
    assert ended.code == 2
    assert f"--cache-dir {name} holds other files" in ended.err
    assert files_below(folder) == before


@pytest.mark.parametrize(
    "name",
    ["gold/.DS_Store", "gold/._a.xml", "gold/a.xml~", "gold/.a.xml.swp", "gold/a.xml.bak", "gold/#a.xml#", "gold/Thumbs.db"],
)
def test_litter_is_not_a_document(folder: Path, name: str) -> None:
    make_suite(
        folder, config=config_text(GATE).replace("gold/{doc}.xml", "gold/{doc}").replace("system/{doc}.txt", "system/{doc}")
    )
    write(folder, {"system/a.xml": RIGHT, "system/b.xml": HALF, name: b"\0"})
    for path in (folder / "system").glob("*.txt"):
        path.unlink()
    (suite,) = load_suites(folder / "nlpeval.yaml")
    assert [case.name for case in suite.cases] == ["a.xml", "b.xml"]


def test_what_looks_like_litter_is_a_document_if_the_pattern_says_so(folder: Path) -> None:
    make_suite(
        folder,
        config=config_text(GATE).replace("gold/{doc}.xml", "gold/.{doc}.bak").replace("system/{doc}.txt", "system/{doc}.bak"),
    )
    write(folder, {"gold/.a.bak": gold_xml(), "system/a.bak": RIGHT})
    (suite,) = load_suites(folder / "nlpeval.yaml")
    assert [case.name for case in suite.cases] == ["a"]


def test_a_current_folder_that_is_gone_is_a_usage_error(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    script = f"import os, sys; os.mkdir({str(gone)!r}); os.chdir({str(gone)!r}); os.rmdir({str(gone)!r})"
    for arguments in (["run"], ["score", "rte", "--gold", "a", "--system", "b"]):
        code = f"{script}; from pytest_nlpeval.cli import main; sys.exit(main({arguments}))"
        ended = apart(tmp_path, [sys.executable, "-c", code])
        assert (ended.code, ended.err.count("\n")) == (2, 1), ended.all


def test_a_folder_that_is_exchanged_between_two_runs_is_seen(folder: Path) -> None:
    for name, run in (("one", RIGHT), ("two", HALF)):
        make_suite(folder / name, runs={"a": run})
    (folder / "now").symlink_to("one")
    gold, system = folder / "now/gold/{doc}.xml", folder / "now/system/{doc}.txt"
    assert score("rte", gold=gold, system=system)["accuracy"] == 1
    (folder / "now").unlink()
    (folder / "now").symlink_to("two")
    assert score("rte", gold=gold, system=system)["accuracy"] == 0.5


# Streams


@pytest.mark.parametrize(("gate", "code"), [("accuracy: 0.9", 1), ("accuracy: 0.5", 0)])
def test_a_reader_that_goes_away_changes_no_verdict_and_loses_no_report(folder: Path, gate: str, code: int) -> None:
    make_suite(folder, gate)
    arguments = [*COMMAND, "run", "--report", "json:report.json", "--report", "text:report.txt"]
    read, written = os.pipe()
    os.close(read)  # the first thing that is printed finds no reader
    with open(written, "wb") as stdout:
        done = subprocess.run(arguments, cwd=folder, stdout=stdout, stderr=subprocess.PIPE, timeout=HANG, check=False)
    assert (done.returncode, done.stderr) == (code, b"")
    assert json.loads((folder / "report.json").read_text())["passed"] == (code == 0)
    assert (folder / "report.txt").read_text().splitlines()[-1] == ("✗ 1 of 1 gate failed" if code else "✓ the one gate passed")


def test_a_reader_that_goes_away_leaves_no_file_open(tmp_path: Path) -> None:
    script = """if True:
        import os, sys
        from pytest_nlpeval.cli.output import show
        read, written = os.pipe()
        os.close(read)
        os.dup2(written, 1)
        os.close(written)
        for _ in range(3):
            show("x" * 100_000)
        print("more:", os.dup(0) - read, file=sys.stderr)  # the first number that is free
    """
    assert apart(tmp_path, [sys.executable, "-c", script]).err == "more: 0\n"


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_an_output_that_cannot_show_a_name_spells_it(folder: Path, encoding: str) -> None:
    make_suite(folder, config=config_text(GATE).replace("name: dev", "name: 評価"))
    ended = apart(folder, [*COMMAND, "run"], {"PYTHONIOENCODING": encoding})
    assert (ended.code, ended.err) == (0, "")
    assert "\\u8a55\\u4fa1" in ended.out


def test_an_output_that_is_no_file_is_written_to(tmp_path: Path) -> None:
    """As a notebook's, or a caller's of its own."""
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        assert cli.main(["tasks"]) == 0
    assert "rte" in shown.getvalue()


# Tasks that cannot be loaded


@pytest.fixture
def broken_task(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An entry point of another package whose module raises when it is imported."""
    broken = importlib.metadata.EntryPoint("broken", "tests.no_such_module:TASK", tasks.ENTRY_POINT_GROUP)
    real = importlib.metadata.entry_points

    def entry_points(**chosen: str) -> Any:
        found = real(**chosen)
        return (*found, broken) if chosen.get("name", "broken") == "broken" else found

    monkeypatch.setattr(libraries.metadata, "entry_points", entry_points)
    return iter(["broken"])


@pytest.mark.usefixtures("broken_task")
def test_a_broken_task_stops_no_other(folder: Path, capfd: Capture) -> None:
    make_suite(folder)
    listed = command(capfd, "tasks")
    assert listed.code == 0
    assert "broken" in listed.out
    assert "rte" in listed.out
    assert command(capfd, "score", "rte", "--gold", "gold/a.xml", "--system", "system/a.txt").code == 0
    assert command(capfd, "init", "--task", "rte", "new").code == 2  # the folder does not exist
    assert command(capfd, "run").code == 0


@pytest.mark.usefixtures("broken_task")
@pytest.mark.parametrize(
    "arguments", [["tasks", "broken"], ["init", "--task", "broken"], ["score", "broken", "--gold", "a", "--system", "b"]]
)
def test_a_broken_task_says_why(folder: Path, capfd: Capture, arguments: list[str]) -> None:
    assert folder.exists()
    ended = command(capfd, *arguments)
    assert ended.code == 2
    assert "no_such_module" in ended.err


# What beginners mistype


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("accuracy: 61.0", "min 61 is not between 0 and 1, where accuracy lies; values are fractions: 0.61?"),
        ("accuracy: {max: -0.1}", "max -0.1 is not between 0 and 1, where accuracy lies"),
        ("cws: {min: 0.5, max: 50}", "max 50 is not between 0 and 1, where cws lies; values are fractions: 0.5?"),
    ],
)
def test_a_threshold_beyond_the_measures_range(folder: Path, capfd: Capture, gate: str, message: str) -> None:
    (line,) = said(folder, capfd, config_text(gate))
    assert line.startswith(f"nlpeval.yaml:8:7: config.gate: {message}")


@pytest.mark.parametrize("gate", ["accuracy: 0", "accuracy: {min: 0.0, max: 1.0}", "accuracy: 1"])
def test_the_ends_of_the_range_are_thresholds(folder: Path, gate: str) -> None:
    make_suite(folder, gate)
    assert len(load_suites(folder / "nlpeval.yaml")) == 1


def test_mistakes_in_another_folder_are_shown_from_where_the_user_is(
    folder: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_suite(folder / "sub", config=config_text("acuracy: 0.5"))
    make_suite(folder / "bad", runs={"a": b"x\n"})
    (folder / "aside").mkdir()
    for here, path in ((folder, ""), (folder / "sub", "../"), (folder / "aside", "../")):
        monkeypatch.chdir(here)
        ended = command(capfd, "run", folder / "sub")
        where = "nlpeval.yaml:8:7: config.measure" if here.name == "sub" else f"{path}sub/nlpeval.yaml:8:7: config.measure"
        assert ended.err.startswith(where)
        ended = command(capfd, "run", folder / "bad", "--no-cache")
        assert f"{path}bad/system/a.txt:1: rte.line" in ended.out.splitlines()[0]


def test_the_reason_of_an_unjudged_gate_names_the_file_from_where_the_user_is(
    folder: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_suite(folder / "sub", "accuracy: 0.5", runs={"a": RIGHT, "b": b"x\n"})
    (folder / "aside").mkdir()
    for here, path in ((folder, "sub/"), (folder / "sub", ""), (folder / "aside", "../sub/")):
        monkeypatch.chdir(here)
        ended = command(capfd, "run", folder / "sub", "--no-cache", "--report", f"json:{folder}/report.json")
        place = f"{path}system/b.txt:1: rte.line"
        told = " ".join(ended.out.split())
        assert f"accuracy is unjudged: 1 of 2 documents has errors in its files ({place})" in told
        (suite,) = json.loads((folder / "report.json").read_text())["suites"]
        assert suite["gates"][0]["reason"].endswith("(system/b.txt:1: rte.line)")


def test_files_of_one_name_in_two_folders_are_told_apart(folder: Path, capfd: Capture) -> None:
    make_suite(folder / "one", runs={"a": HALF})
    make_suite(folder / "two", "accuracy: 0.9", runs={"a": b"1 TRUE\n2 TRUE\nx\n"})
    make_suite(folder / "three", "accuracy: 0.9", runs={"a": HALF})
    ended = command(capfd, "run", "one", "two", "three")
    told = " ".join(ended.out.split())
    assert told.startswith("two/system/a.txt:3: ")
    assert "accuracy is unjudged: 1 of 1 document has errors in its files (two/system/a.txt:3" in told
    assert told.index("three/nlpeval.yaml:3") < told.index("three/system/a.txt:2 2 (") < told.index("three/system/a.txt:4 4 (")


@pytest.mark.parametrize(
    ("old", "new", "start"),
    [
        ("gates:", "gate:", 'nlpeval.yaml:7:5: config.key: unknown key "gate"; did you mean "gates"?'),
        ("task: rte", "task: RTE", 'nlpeval.yaml:4:5: config.task: no task "RTE"; did you mean "rte"?'),
        ("gold/{doc}.xml", "gold/*.xml", 'nlpeval.yaml:5:5: config.path: write {doc} for the document\'s name: "gold/{doc}.xml"'),
        ("accuracy", "acuracy", 'nlpeval.yaml:8:7: config.measure: no measure "acuracy" in rte; did you mean "accuracy"'),
        ("accuracy", "Accuracy", 'nlpeval.yaml:8:7: config.measure: no measure "Accuracy" in rte; did you mean "accuracy"'),
    ],
)
def test_the_cure_comes_first(folder: Path, capfd: Capture, old: str, new: str, start: str) -> None:
    assert said(folder, capfd, config_text(GATE).replace(old, new))[0].startswith(start)


def test_a_mistyped_key_is_the_only_mistake(folder: Path, capfd: Capture) -> None:
    """`gate:` is not also a suite without gates, and what is below it is not looked at."""
    assert len(said(folder, capfd, config_text("acuracy: 2").replace("gates:", "gate:"))) == 1


def test_a_folder_in_the_place_of_a_file_mentions_doc(folder: Path, capfd: Capture) -> None:
    make_suite(folder, config=config_text(GATE).replace("gold/{doc}.xml", "gold").replace("system/{doc}.txt", "system"))
    ended = command(capfd, "run")
    assert ended.code == 2
    assert ended.out.startswith("gold: file.not-regular: is a folder; expected a file; for one file per document, write {doc}")


def test_swapped_paths_are_recognised(folder: Path, capfd: Capture) -> None:
    config = (
        config_text(GATE)
        .replace("gold/{doc}.xml", "@")
        .replace("system/{doc}.txt", "gold/{doc}.xml")
        .replace("@", "system/{doc}.txt")
    )
    make_suite(folder, config=config)
    ended = command(capfd, "run")
    assert ended.code == 2
    message = "file.swapped: gold and system are each readable as the other; are their paths swapped?"
    assert ended.out.splitlines()[:3] == [f"system/a.txt: {message}", f"system/b.txt: {message}", ""]


def test_files_that_are_bad_in_either_place_are_not_swapped(folder: Path, capfd: Capture) -> None:
    make_suite(folder, runs={"a": b"x\n"})
    write(folder, {"gold/a.xml": b"<x/>"})
    ended = command(capfd, "run")
    assert ended.code == 2
    assert "file.swapped" not in ended.out


def test_a_file_that_fails_every_gate_is_named_for_all_of_them(folder: Path, capfd: Capture) -> None:
    make_suite(folder, "accuracy: 0.5", "cws: 0.5", runs={"a": RIGHT, "b": b"x\n"})
    ended = command(capfd, "run")
    assert " ".join(ended.out.split()).count("accuracy, cws are unjudged: 1 of 2 documents has errors in its files") == 1


# What a failed gate shows


def test_a_failed_suite_shows_the_items_of_the_failed_measure(folder: Path, capfd: Capture) -> None:
    """Pairs 1 and 2 are of setting IR, 3 and 4 of QA; one of each is wrong."""
    make_suite(folder, "task.QA.accuracy: 0.9", runs={"a": HALF})
    ended = command(capfd, "run")
    shown = ended.out.partition("  Wrong, 1 of 2\n")[2]
    assert [line.strip() for line in shown.splitlines()[:2]] == [
        "system/a.txt:4  4 (QA): gold FALSE, system TRUE",
        "A text. ⊢ A claim.",
    ]
    assert shown.splitlines()[2] == ""


def test_failed_informational_gates_are_told_apart(folder: Path, capfd: Capture) -> None:
    make_suite(folder, "accuracy: 0.9", "cws: {min: 0.99, informational: true}", runs={"a": HALF})
    ended = command(capfd, "run")
    assert [line.split()[:2] for line in ended.out.splitlines() if line[:1] in "✗!" and "≥" in line][:2] == [
        ["✗", "accuracy"],
        ["!", "cws"],
    ]
    assert ended.out.splitlines()[-1] == "✗ 1 of 1 gate failed; 1 informational gate failed"


# What costs time


HEAVY = ("numpy", "lxml", "yaml", "jsonschema", "pytest")


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["run", "--help"], ["tasks", "--help"], ["run", "--no-such"]])
def test_help_and_version_import_nothing_heavy(tmp_path: Path, arguments: list[str]) -> None:
    code = (
        "import sys\nfrom pytest_nlpeval.cli import main\n"
        f"try: main({arguments})\nexcept SystemExit: pass\n"
        f"print('heavy:', sorted(set({HEAVY}) & sys.modules.keys()))"
    )
    assert apart(tmp_path, [sys.executable, "-c", code]).out.splitlines()[-1] == "heavy: []"


def test_names_to_suggest_are_compared_in_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []
    real = difflib.get_close_matches

    def counting(word: str, possibilities: Any, *rest: Any, **more: Any) -> list[str]:
        names = list(possibilities)
        compared.extend(names)
        return real(word, names, *rest, **more)

    monkeypatch.setattr(difflib, "get_close_matches", counting)
    wording.nearest("t60001", (f"t{number}" for number in range(60_000)))
    assert len(compared) <= 1_000


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ("wer: 12", "max 12 is very much for wer; values are fractions: 0.12?"),
        ("wer: {max: 2}", ""),
        ("wer.mean: {max: 2.5}", "max 2.5 is very much for wer.mean; values are fractions: 0.025?"),
        ("wer.insertions: 12", ""),
        ("'*.mean': {max: 3}", "max 3 is very much for wer.mean; values are fractions: 0.03?"),
        ("exact: {max_drop: 1}", "max_drop 1 is very much for exact; values are fractions: 0.01?"),
        ("exact: {max_drop: 0.2}", ""),
        ("cer: {max_drop: 0.5}", "max_drop 0.5 is very much for cer; values are fractions: 0.005?"),
        ("exact: {max_drop_relative: 0.5}", ""),
    ],
)
def test_a_threshold_that_seems_to_be_in_per_cent(folder: Path, capfd: Capture, gate: str, message: str) -> None:
    write(
        folder, {"g.txt": "a b\n", "s.txt": "a b\n", "nlpeval.yaml": config_text(gate, task="text", gold="g.txt", system="s.txt")}
    )
    told = command(capfd, "run", "--no-cache").all
    expected = [f"nlpeval.yaml:8:7: config.gate: {message} (gates of dev) [warning]"] if message else []
    assert [line for line in told.splitlines() if "config.gate" in line] == expected
    config = (folder / "nlpeval.yaml").read_text()
    write(folder, {"nlpeval.yaml": config.replace("    gates:", "    rules: {config.gate: off}\n    gates:")})
    assert "config.gate" not in command(capfd, "run", "--no-cache").all
