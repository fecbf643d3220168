"""What a person sees: on a terminal colours, its width and a progress bar, in a pipe the same bytes wherever it is."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from rich.console import Console

from pytest_nlpeval.cli import progress
from pytest_nlpeval.cli.progress import Bar
from pytest_nlpeval.cli.terminal import progress as terminal_progress
from pytest_nlpeval.reports.blocks import PROSE
from tests.cli.terminals import bare, on_terminal, width
from tests.pictures import TERMINAL, terminal, words
from tests.support import COMMAND, HALF, RIGHT, apart, assert_clean, command, config_text, make_suite, write
from tests.test_docs import of_commits, of_systems
from tests.unit.baselines.repositories import commit, start
from tests.unit.run.outputs import GOLD, run_wrong_on

COLOUR = re.compile(r"\x1b\[(?:\d;)?3\d")
GATES = ("accuracy: {min: 0.9, max_drop: 0.01}", "coverage: 0.5", "TRUE.recall: {min: 0.99, informational: true}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A suite that was better: pairs 3 to 6 became wrong, of 16."""
    make_suite(start(tmp_path), *GATES, golds={"a": GOLD}, runs={"a": run_wrong_on({1})}, baseline="git:HEAD")
    commit(tmp_path)
    return write(tmp_path, {"system/a.txt": run_wrong_on({1, 3, 4, 5, 6})})


def lines_of(folder: Path, *arguments: str, columns: int = 120, **environment: str) -> list[str]:
    _, text = on_terminal(folder, *arguments, columns=columns, environment=environment)
    assert_clean(bare(text))
    return bare(text).splitlines()


def test_value_interval_baseline_drop_verdict_and_what_is_newly_wrong(folder: Path) -> None:
    code, text = on_terminal(folder, "run", columns=140)
    lines = bare(text).splitlines()
    header = next(number for number, line in enumerate(lines) if line.startswith("measure"))
    assert lines[header].split()[:5] == ["measure", "today", "baseline", "drop", "interval"]
    row = lines[header + 1].split()
    assert row[:5] == ["✗", "accuracy", f"{11 / 16:.3f}", f"{15 / 16:.3f}", f"{4 / 16:.3f}"]
    assert code == 1
    newly = lines.index("  Newly wrong, 4 of 4")
    found = [re.findall(r"system/a.txt:\d+  (\d+) \(\w+\): gold (\w+), system (\w+)", line) for line in lines[newly:]]
    assert sorted(fact[0][0] for fact in found if fact) == ["3", "4", "5", "6"]
    assert lines[-1].startswith("✗ ")


def test_verdicts_have_colours_unless_nobody_wants_them(folder: Path) -> None:
    coloured = on_terminal(folder, "run", columns=140)[1]
    for verdict, code in (("✗ accuracy", "1;31"), ("✓ ", "32"), ("! ", "33")):
        assert f"\x1b[{code}m{verdict}" in coloured
    without = on_terminal(folder, "run", columns=140, environment={"NO_COLOR": "1"})[1]
    assert COLOUR.search(coloured)
    assert not COLOUR.search(without)
    assert bare(without) == bare(coloured)
    assert "\x1b" not in on_terminal(folder, "run", environment={"TERM": "dumb"})[1]


@pytest.mark.parametrize("subcommand", ["run", "validate"])
def test_errors_and_warnings_are_told_apart(tmp_path: Path, subcommand: str) -> None:
    make_suite(tmp_path, runs={"a": RIGHT.replace(" 0.9", "  0.9"), "b": "1 MAYBE 0.5\n"})
    code, text = on_terminal(tmp_path, subcommand, columns=200)
    assert code == 1
    assert re.search(r"\x1b\[33msystem/a\.txt:1: rte\.blanks: .* \[warning\]\x1b\[0m\n", text)
    assert re.search(r"\x1b\[1;31msystem/b\.txt:1: rte\.judgment: .*\x1b\[0m\n", text)


@pytest.mark.parametrize("columns", [40, 60, 80, 120])
@pytest.mark.parametrize("arguments", [("run",), ("score", "rte", "--gold", "gold/a.xml", "--system", "system/a.txt")])
def test_nothing_is_wider_than_the_terminal(folder: Path, columns: int, arguments: Sequence[str]) -> None:
    lines = lines_of(folder, *arguments, columns=columns)
    assert max(map(width, lines)) <= columns
    assert not any(line.endswith(" ") for line in lines)
    assert any(f"{11 / 16:.3f}" in line or f"{11 / 16:.4f}" in line for line in lines)


def test_a_narrow_terminal_leaves_out_what_matters_least_and_says_so(folder: Path) -> None:
    for columns in (60, 80):
        lines = lines_of(folder, "run", columns=columns)
        place = next(number for number, line in enumerate(lines) if line.startswith(("measure", "today", "  today")))
        assert {"today", "baseline", "drop", "limit"} <= set(lines[place].split())
        assert any(line.startswith("(left out, for want of room: p") for line in lines) == (columns == 60)
    assert not any("left out" in line for line in lines_of(folder, "run", columns=140))


@pytest.mark.parametrize(("make", "words"), [(of_systems, ("compare", "dev")), (of_commits, ("history",))])
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_comparisons_and_histories_fit_too(tmp_path: Path, make: object, words: Sequence[str], columns: int) -> None:
    assert callable(make)
    make(start(tmp_path))
    lines = lines_of(tmp_path, *words, columns=columns)
    assert max(map(width, lines)) <= columns
    assert any(re.search(r"\|-+o-+\|", line) for line in lines) == (words == ("history",))


def test_a_chart_leaves_room_for_what_is_beside_it(tmp_path: Path) -> None:
    of_commits(start(tmp_path))
    narrow, wide = (lines_of(tmp_path, "history", columns=columns) for columns in (120, 200))
    subjects = ("First model", "More training data", "Prune the model", "Prune less")
    for lines in (narrow, wide):
        (start_of_table,) = (number for number, line in enumerate(lines) if line.startswith("commit"))
        assert [line.endswith(subject) for line, subject in zip(lines[start_of_table + 1 :], subjects, strict=False)] == [
            True
        ] * 4
    charts = [next(re.findall(r"\|-+o-+\|", line)[0] for line in lines if "Prune the" in line) for lines in (narrow, wide)]
    assert len(charts[0]) < len(charts[1])
    piped = apart(tmp_path, [*COMMAND, "history"]).out
    assert charts[1] in piped


ABOUT = (("tasks",), ("tasks", "rte"), ("tasks", "cat"))


@pytest.mark.parametrize("arguments", ABOUT)
@pytest.mark.parametrize("columns", [60, 80, 120])
def test_tasks_are_told_as_wide_as_the_terminal(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], columns: int, arguments: Sequence[str]
) -> None:
    lines = lines_of(tmp_path, *arguments, columns=columns)
    assert columns - 10 < max(map(width, lines)) <= columns
    piped = command(capfd, *arguments).out
    assert sorted("".join(lines).replace(" ", "")) == sorted(re.sub(r"\s", "", piped))  # nothing is lost


def test_what_is_told_of_a_task_has_titles_columns_and_colours(tmp_path: Path) -> None:
    _, text = on_terminal(tmp_path, "tasks", "cat", columns=100)
    for title in ("Files", "Options", "Measures", "Problems"):
        assert f"\n\x1b[1m{title}\x1b[0m\n" in text
    assert re.search(r"\x1b\[1;31merror, fixed\x1b\[0m", text)
    assert re.search(r"\x1b\[33mwarning *\x1b\[0m", text)


def test_what_becomes_of_a_baseline_file_is_told_in_colours(folder: Path) -> None:
    (folder / "nlpeval.yaml").write_text((folder / "nlpeval.yaml").read_text("utf-8").replace("git:HEAD", "main.json"), "utf-8")
    _, text = on_terminal(folder, "baseline", "update")
    assert text == "dev: is new, with 1 document\n\x1b[32mmain.json written; commit it\x1b[0m\n"
    edit = (folder / "nlpeval.yaml").read_text("utf-8").replace("    gates:", "    options: {edition: 1}\n    gates:")
    write(folder, {"nlpeval.yaml": edit})
    _, text = on_terminal(folder, "baseline", "show", columns=200)
    title, hindrance, accuracy, *_ = text.splitlines()
    assert title == "\x1b[1mdev: 1 document, 16 units in main.json\x1b[0m"
    assert re.fullmatch(r"\x1b\[33m  not comparable: the option edition was null and is 1\x1b\[0m", hindrance)
    assert accuracy == f"  accuracy {11 / 16:.4f}"
    assert bare(text) == apart(folder, [*COMMAND, "baseline", "show"]).out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("run", "nowhere"), "nowhere"),
        (("score", "rte"), "config.key: "),
        (("compare", "dev", "gone", "system"), "nlpeval: "),
        (("tasks", "rt"), "config.task: "),
    ],
)
def test_what_cannot_be_done_is_told_in_red(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], arguments: Sequence[str], said: str
) -> None:
    code, text = on_terminal(folder, *arguments, columns=300)
    assert code == 2
    assert re.search(rf"^\x1b\[1;31m.*{said}.*\x1b\[0m$", text, re.MULTILINE)
    monkeypatch.chdir(folder)
    assert bare(text) == command(capfd, *arguments).err


def test_what_is_done_is_told_in_green(tmp_path: Path) -> None:
    assert on_terminal(tmp_path, "init")[1].startswith("\x1b[32mnlpeval.yaml written. ")
    make_suite(tmp_path, runs={"a": RIGHT})
    assert on_terminal(tmp_path, "validate")[1] == "\x1b[32m1 document checked, 0 with errors\x1b[0m\n"


def test_wide_characters_stay_in_their_columns(tmp_path: Path) -> None:
    label = "東京の評価𗀀"
    config = config_text(f"{label}.f1: 0.5", "accuracy: 0.5", task="labels", gold="gold.tsv", system="system.tsv")
    rows = f"id\tlabel\na\t{label}\nb\tother\n"
    write(tmp_path, {"nlpeval.yaml": config, "gold.tsv": rows, "system.tsv": rows})

    def assert_aligned(lines: Sequence[str]) -> None:
        header = next(number for number, line in enumerate(lines) if line.startswith("measure"))
        rows = lines[header + 1 : header + 3]
        assert sorted(row.split()[1] for row in rows) == ["accuracy", f"{label}.f1"]
        for row in rows:
            assert width(row[: row.index("1.000")]) == width(lines[header][: lines[header].index("today")])

    assert_aligned(lines_of(tmp_path, "run"))
    for environment in ({}, {"UNICODE_VERSION": "4.1.0"}):  # for terminals that draw new characters narrow
        assert_aligned(apart(tmp_path, [*COMMAND, "run"], environment).out.splitlines())


def test_a_stored_report_is_shown_as_the_run_was(folder: Path) -> None:
    apart(folder, [*COMMAND, "run", "--report", "json:r.json"])
    run = lines_of(folder, "run")
    stored = lines_of(folder, "report", "text", "r.json")
    assert [line for line in run if line not in stored] == []


def test_a_pipe_gets_the_same_bytes_wherever_it_is(folder: Path) -> None:
    arguments = [*COMMAND, "run", "--no-cache"]
    shown = apart(folder, arguments)
    assert max(map(len, shown.out.splitlines())) == PROSE
    for environment in ({"COLUMNS": "20"}, {"FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"}, {"TERM": "dumb"}, {}):
        assert apart(folder, arguments, environment) == shown, environment


WAITS = """
import sys, time
from pytest_nlpeval.cli import main, progress
from pytest_nlpeval.run import engine
progress.PATIENCE = 0
evaluate_cases = engine.evaluate_cases
def waiting(*arguments, **keywords):
    while progress.BAR._shown is None:
        time.sleep(0.01)
    progress.BAR._shown.refresh()
    return evaluate_cases(*arguments, **keywords)
engine.evaluate_cases = waiting
sys.exit(main())
"""


@pytest.mark.parametrize("baseline", ["none", "git:HEAD"])
def test_what_lasts_has_a_bar_that_goes_away(folder: Path, baseline: str) -> None:
    write(
        folder,
        {f"{side}/{n}.{end}": text for n in range(9) for side, end, text in (("gold", "xml", GOLD), ("system", "txt", HALF))},
    )
    program = (sys.executable, "-c", WAITS)
    code, text = on_terminal(folder, "run", "--no-cache", "--baseline", baseline, columns=100, program=program)
    before, shown, after = text.partition("\x1b[?25h")  # the cursor is there again
    assert shown
    assert re.search(r"dev +━+.* [1-9] of 10 documents", bare(before))
    assert "dev: scores, intervals, tests" in bare(before)
    assert "suite" not in bare(before)
    assert after.startswith("\r\x1b[1A\x1b[2K")  # the line of the bar is empty
    assert "documents" in bare(after)
    assert code == 1


def test_a_bar_goes_away_when_the_user_interrupts(folder: Path) -> None:
    program = (sys.executable, "-c", WAITS.replace("return evaluate_cases(*arguments, **keywords)", "raise KeyboardInterrupt"))
    code, text = on_terminal(folder, "run", "--no-cache", program=program)
    assert code == 130
    assert text.rpartition("\x1b[?25h")[2].endswith("nlpeval: interrupted\n")


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_a_terminal_that_cannot_move_its_cursor_has_none(monkeypatch: pytest.MonkeyPatch, term: str) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", term)
    bar = Bar()
    assert (bar.watch("dev") is None) == (term == "dumb")
    bar.finish()


def test_the_picture_in_the_docs_is_what_a_terminal_shows() -> None:
    assert words(TERMINAL.read_text("utf-8")) == words(terminal())


def test_the_bar_moves_while_intervals_and_tests_are_worked_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has an end while documents are counted, and none behind them; a suite that follows, or a baseline, has one again."""
    clock = iter(range(10_000))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "PATIENCE", 10_000)
    bar = Bar()
    tell = bar.watch("dev")
    assert tell is not None
    shown = terminal_progress(io.StringIO())
    shown.get_time = lambda: next(clock) / 7
    shown.add_task("dev", total=None, documents="")
    bar._shown = shown

    def pictures() -> set[str]:
        stream = io.StringIO()
        console = Console(file=stream, force_terminal=True, width=120, color_system="truecolor")
        for _ in range(5):
            console.print(shown.make_tasks_table(shown.tasks))
        return set(stream.getvalue().splitlines())

    tell(3, 10)
    assert (shown.tasks[0].total, shown.tasks[0].completed) == (10, 3)
    tell(10, 10)
    assert shown.tasks[0].total is None
    assert len(pictures()) > 1
    assert all("scores, intervals, tests" in bare(line) and "10 of 10 documents" in bare(line) for line in pictures())
    tell(1, 10)
    assert [(task.total, task.completed) for task in shown.tasks] == [(10, 1)]
    bar._shown = None
    bar.finish()
