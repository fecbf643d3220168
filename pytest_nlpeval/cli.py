"""The `nlpeval` command.

Exit codes: 0, all gates hold and all files are valid; 1, a gate failed or a system file is bad; 2, usage, configuration, or a bad
file on the gold side; 130, interrupted.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from pytest_nlpeval import __version__
from pytest_nlpeval.config.adhoc import adhoc_suite
from pytest_nlpeval.config.checks import CONFIG_KINDS, ConfigError, checked_options, named_task, require_profile
from pytest_nlpeval.config.file import load_suites
from pytest_nlpeval.config.finding import find_configs
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.files import FILE_KINDS, Source, label, read_source
from pytest_nlpeval.formats.yaml import YAML_KINDS, read_yaml
from pytest_nlpeval.problems import NlpevalError, Problem, ProblemLog
from pytest_nlpeval.reports import FORMATS, FROM_JSON, ReportTarget, report_target
from pytest_nlpeval.reports.markdown import COMMENT_LIMIT, SUMMARY_LIMIT
from pytest_nlpeval.reports.stored import stored_report
from pytest_nlpeval.reports.tasks import task_lines, tasks_lines, template
from pytest_nlpeval.reports.text import text_report
from pytest_nlpeval.run.results import CaseResult, Outcome, SuiteResult
from pytest_nlpeval.run.store import EvidenceStore, ignored_by_git
from pytest_nlpeval.run.suite import evaluate
from pytest_nlpeval.tasks import load_task, task_names
from pytest_nlpeval.wording import plural, printable, problem_line

EXIT_CODES: Mapping[Outcome, int] = {"ok": 0, "failed": 1, "set-up": 2}
USAGE = 2
INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    try:
        options, rest = _parser().parse_known_args(arguments)
        options.roles = _roles(options, rest)
        return int(options.command(options))
    except NlpevalError as error:
        for problem in error.problems:
            print(problem_line(problem), file=sys.stderr)
        return USAGE
    except _UsageError as error:
        print(f"nlpeval: {printable(str(error))}", file=sys.stderr)
        return USAGE
    except BrokenProcessPool:
        print("nlpeval: a worker process died (out of memory?); try fewer --jobs", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        print("nlpeval: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:  # the reader of our output went away, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


class _UsageError(Exception):
    """A call that cannot be carried out; its text says what to do."""


class _Parser(argparse.ArgumentParser):
    """A parser whose messages obey nothing that stands in an argument."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="nlpeval", description="Validate, score and gate the output of NLP systems.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"pytest-nlpeval {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    run = _command(commands, "run", _run, "run the suites of nlpeval.yaml and judge their gates")
    run.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="configuration files or folders (default: this folder)")
    run.add_argument("--profile", help="choose a set of gates of the configuration")
    run.add_argument("--informational", action="store_true", help="report gates, but do not fail")
    _add_engine(run)
    score = _command(commands, "score", _score, "score files without a configuration")
    score.add_argument("task", help="the task's name; `nlpeval tasks` lists them")
    score.description = (
        "Each role of the task is an option (--gold, --system, …): a file, a {doc} pattern, or a folder paired by file name."
    )
    score.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the task")
    _add_engine(score)
    validate = _command(commands, "validate", _validate, "check files without judging gates")
    validate.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="configurations or folders; with --task, the files themselves"
    )
    validate.add_argument("--task", help="check files of this task without a configuration")
    validate.add_argument("--role", default="system", help="with --task: what the files are (default: system)")
    validate.add_argument("--option", action="append", default=[], metavar="K=V", help="with --task: an option of the task")
    validate.add_argument("--jobs", type=_jobs, default=1, metavar="N", help="worker processes (default: 1)")
    report = _command(commands, "report", _convert, "print a JSON report in another format")
    report.add_argument("format", choices=sorted(FROM_JSON), help="the format")
    report.add_argument("report", type=Path, metavar="report.json", help="the JSON report, as --report json:PATH writes it")
    report.add_argument("--limit", type=int, default=SUMMARY_LIMIT, metavar="N", help=_LIMIT_HELP)
    tasks = _command(commands, "tasks", _tasks, "list the tasks, or tell all about one")
    tasks.add_argument("task", nargs="?", help="the task to tell about")
    init = _command(commands, "init", _init, "write a configuration to start from")
    init.add_argument("folder", nargs="?", type=Path, default=Path(), help="where to (default: this folder)")
    init.add_argument("--task", default="rte", help="the task of its suite (default: rte)")
    return parser


def _command(
    commands: argparse._SubParsersAction[_Parser],
    name: str,
    function: Callable[[argparse.Namespace], int],
    summary: str,
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".", allow_abbrev=False)
    parser.set_defaults(command=function)
    return parser


def _add_engine(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--report", action="append", default=[], type=_report, metavar="F:PATH", help=_REPORT_HELP)
    parser.add_argument("--jobs", type=_jobs, default=1, metavar="N", help="worker processes (default: 1)")
    parser.add_argument(
        "--cache-dir", type=Path, default=Path(".nlpeval_cache"), metavar="DIR", help="evidence store (default: .nlpeval_cache)"
    )
    parser.add_argument("--no-cache", action="store_true", help="keep no evidence on disk")


_LIMIT_HELP = f"markdown: bytes at most (default: {SUMMARY_LIMIT:,}, for a job summary; a comment has room for {COMMENT_LIMIT:,})"
_REPORT_HELP = f"write a report, F one of {', '.join(sorted(FORMATS))}; PATH - is the standard output; may be repeated"


def _report(text: str) -> ReportTarget:
    try:
        return report_target(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _jobs(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'"{text}" is no number of workers; expected 1 or more')
    return int(text)


def _roles(options: argparse.Namespace, rest: list[str]) -> dict[str, str]:
    """Return the files of `score`, given as `--ROLE PATH` or `--ROLE=PATH`; anything else that is left over is a mistake."""
    found: dict[str, str] = {}
    words = iter(rest)
    for word in words:
        name, equals, value = word.removeprefix("--").partition("=")
        path = value if equals else next(words, None)
        if options.command is not _score or not word.startswith("--") or path is None or name in found:
            raise _UsageError(f"unrecognised or incomplete argument {word}; see `nlpeval --help`")
        found[name] = path
    return found


def _task_options(pairs: Sequence[str]) -> dict[str, Any]:
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name or name in options:
            raise _UsageError(f"--option {pair}: expected K=V, each K once")
        log = ProblemLog(f"--option {pair}", YAML_KINDS)
        document = read_yaml(Source(log.path, value.encode("utf-8", "surrogateescape")), log)
        if document is None:
            raise ConfigError(log.problems())
        options[name] = document.value
    return options


def _load(options: argparse.Namespace, *, profile: str | None = None, informational: bool = False) -> list[Suite]:
    """Return all suites of the paths given, or raise with every mistake of every configuration."""
    suites: list[Suite] = []
    problems: list[Problem] = []
    for config in dict.fromkeys(config for path in options.paths or [Path()] for config in find_configs(path)):
        try:
            suites += load_suites(config, profile=profile, informational=informational)
        except ConfigError as error:
            problems += error.problems
    if problems:
        raise ConfigError(tuple(problems))
    if not suites:
        raise _UsageError("no nlpeval.yaml found here; `nlpeval init` writes one")
    require_profile(profile, {name for suite in suites for name in suite.profiles})
    return suites


@contextmanager
def _executor(jobs: int) -> Iterator[Executor | None]:
    if jobs == 1:
        yield None
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn")) as pool:
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # the workers inherit it: an interrupt is for this process alone
        try:
            for _ in range(jobs):
                pool.submit(_start_worker)
        finally:
            signal.signal(signal.SIGINT, before)
        yield pool


def _start_worker() -> None:
    """Do nothing, in a worker that has to be started for it."""


def _evaluate(suites: Sequence[Suite], jobs: int, store: EvidenceStore | None) -> list[SuiteResult]:
    with _executor(jobs) as executor:
        return [evaluate(suite, executor, store=store, progress=_progress(suite.name)) for suite in suites]


def _progress(name: str) -> Callable[[int, int], None] | None:
    """Return what shows how many documents are done, on a terminal only; it says nothing in the first half second."""
    if not sys.stderr.isatty():
        return None
    started = shown = time.monotonic()

    def show(done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if done == total:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        elif now - started > 0.5 and now - shown > 0.1:
            shown = now
            print(f"\r{printable(name)}: {done:,} of {total:,} documents\x1b[K", end="", file=sys.stderr, flush=True)

    return show


def _store(options: argparse.Namespace) -> EvidenceStore:
    if options.no_cache:
        return EvidenceStore()
    try:
        return EvidenceStore(ignored_by_git(options.cache_dir))
    except OSError as error:
        print(f"nlpeval: no evidence store in {printable(str(options.cache_dir))}: {error.strerror}", file=sys.stderr)
        return EvidenceStore()


def _finish(results: Sequence[SuiteResult], options: argparse.Namespace, *, scores: bool) -> int:
    to_stdout = any(str(target.path) == "-" for target in options.report)
    print(text_report(results, scores=scores), end="", file=sys.stderr if to_stdout else sys.stdout)
    for target in options.report:
        try:
            if str(target.path) == "-":
                print(FORMATS[target.format](results), end="")
            else:
                target.write(results)
        except OSError as error:
            raise _UsageError(f"the report {target.path} cannot be written: {error.strerror}") from None
    return max(EXIT_CODES[result.outcome] for result in results)


def _run(options: argparse.Namespace) -> int:
    suites = _load(options, profile=options.profile, informational=options.informational)
    store = _store(options)
    results = _evaluate(suites, options.jobs, store)
    store.prune()
    return _finish(results, options, scores=False)


def _score(options: argparse.Namespace) -> int:
    suite = adhoc_suite(options.task, options.roles, _task_options(options.option), Path.cwd())
    results = _evaluate([suite], options.jobs, _store(options))
    return _finish(results, options, scores=True)


def _validate(options: argparse.Namespace) -> int:
    if options.task:
        return _validate_files(options)
    results = _evaluate(_load(options), options.jobs, None)
    cases: list[CaseResult] = [case for result in results for case in result.cases]
    for result in results:
        for problem in result.all_problems():
            print(problem_line(problem, result.suite.root))
    bad = sum(case.outcome != "ok" for case in cases)
    print(f"{plural(len(cases), 'document')} checked, {bad:,} with errors")
    outcomes = [EXIT_CODES[case.outcome] for case in cases] + [USAGE for result in results if result.problems]
    return max(outcomes, default=0)


def _validate_files(options: argparse.Namespace) -> int:
    """Check files one by one, without what they would be compared with."""
    log = ProblemLog("validate", CONFIG_KINDS)
    task = named_task(options.task, log)
    values = checked_options(task, _task_options(options.option), log) if task else None
    if task is None or log.has_errors:
        raise ConfigError(log.problems())
    roles = {role.name: role for role in task.roles}
    if options.role not in roles or not options.paths:
        raise _UsageError(f"expected files to check, and --role one of {', '.join(roles)}")
    role = roles[options.role]
    bad = 0
    for path in options.paths:
        file_log = ProblemLog(label(path, Path.cwd()), {**FILE_KINDS, **task.problems})
        source = read_source(path, file_log)
        if source is not None:
            role.read(source, {}, values, file_log)
        for problem in file_log.problems():
            print(problem_line(problem))
        bad += file_log.has_errors
    print(f"{plural(len(options.paths), f'{role.name} file')} of {task.name} checked, {bad:,} with errors")
    return 0 if not bad else EXIT_CODES["set-up" if role.side == "gold" else "failed"]


def _convert(options: argparse.Namespace) -> int:
    print(FROM_JSON[options.format](stored_report(options.report), options.limit), end="")
    return 0


def _tasks(options: argparse.Namespace) -> int:
    if options.task is None:
        print("\n".join(tasks_lines(load_task(name) for name in task_names())))
        return 0
    log = ProblemLog("tasks", CONFIG_KINDS)
    task = named_task(options.task, log)
    if task is None:
        raise ConfigError(log.problems())
    print("\n".join(task_lines(task)))
    return 0


def _init(options: argparse.Namespace) -> int:
    log = ProblemLog("init", CONFIG_KINDS)
    task = named_task(options.task, log)
    if task is None:
        raise ConfigError(log.problems())
    path = options.folder / "nlpeval.yaml"
    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(template(task))
    except FileExistsError:
        raise _UsageError(f"{path} exists already; nothing was written") from None
    except OSError as error:
        raise _UsageError(f"{path} cannot be written: {error.strerror}") from None
    print(
        f"{printable(str(path))} written. Put your files where it says, or change the paths; then `nlpeval run` or `pytest --nlpeval`."
    )
    return 0
