"""The arguments of the command."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from pytest_nlpeval import __version__
from pytest_nlpeval.cli.output import show
from pytest_nlpeval.cli.usage import UsageError
from pytest_nlpeval.reports import EVIDENCE, ReportTarget, report_target
from pytest_nlpeval.reports.formats import formats_of
from pytest_nlpeval.wording import printable

_LIMIT_HELP = "the room that there is, in bytes (markdown; default: 900,000, for a job summary; a comment has room for 65,536)"


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options; `command` names the function to call and `module` its module in `cli`, `roles` are the files of `score`, by role.

    Raises:
        UsageError: if something is left over.
        SystemExit: by argparse, after it told what is wrong, or showed what was asked for.
    """
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given[:1] == ["help"]:
        given = [*given[1:], "--help"]
    if arguments is None and "_ARGCOMPLETE" in os.environ:
        from pytest_nlpeval.cli.completion import complete

        complete(_parser())
    parser = _parser(given[0] if given else "")
    options, rest = parser.parse_known_args(given)
    options.roles = _roles(options, rest)
    return options


class _Parser(argparse.ArgumentParser):
    """A parser whose messages obey nothing that an argument holds."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))

    def _print_message(self, message: str, file: Any = None) -> None:
        show(message, file or sys.stderr)  # argparse itself says nothing of an output that cannot be written


def _parser(command: str = "") -> argparse.ArgumentParser:
    """Return the parser of one command, or of all if there is none of that name. Making all takes longer than reading a small suite."""
    parser = _Parser(prog="nlpeval", description="Validate, score and gate the output of NLP systems.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"pytest-nlpeval {__version__}")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    of_files = (_add_run, _add_score, _add_validate, _add_merge, _add_report, _add_baseline, _add_compare, _add_history)
    others = (_add_help, _add_tasks, _add_explain, _add_init, _add_doctor)
    by_command = {add.__name__.removeprefix("_add_"): add for add in (*of_files, *others)}
    for add in [by_command[command]] if command in by_command else by_command.values():
        add(subparsers)
    return parser


def _add_run(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    run = _command(subparsers, "run", "run the suites of nlpeval.yaml and judge their gates")
    run.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="configuration files or folders (default: this folder)")
    run.add_argument("--profile", help="choose a set of gates of the configuration")
    run.add_argument("--informational", action="store_true", help="report gates, but do not fail")
    run.add_argument(
        "--shard", type=_shard, metavar="I/N", help="count share I of N of the documents, for merge: with --report evidence:FILE"
    )
    run.add_argument("--produce", action="store_true", help="make the systems' files first, by the commands of `produce`")
    _add_judging(run)
    _add_suites(run)
    _add_statistics(run)
    run.add_argument("--default-baseline", metavar="B", help="the same as --baseline, for suites whose configuration names none")
    _add_reports(run, extra=(EVIDENCE,))
    _add_engine(run)
    _add_executor(run)


def _add_merge(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    merge = _command(subparsers, "merge", "judge the gates of a run that several machines counted", "sharding")
    merge.add_argument("parts", nargs="+", type=Path, metavar="PART", help="the evidence of all shards (`run --shard`)")
    _add_judging(merge)
    _add_reports(merge)
    _add_engine(merge)
    merge.set_defaults(executor="")  # all is counted


def _add_report(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    report = _command(subparsers, "report", "print a JSON report in another format", "reporting")
    report.add_argument("format", choices=formats_of("run"), help="the format")
    report.add_argument("report", type=Path, metavar="report.json", help="the JSON report, as --report json:PATH writes it")
    report.add_argument("--limit", type=int, metavar="N", help=_LIMIT_HELP)


def _add_judging(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--open", action="store_true", help="open the HTML report in the browser")
    parser.add_argument("--since", default="", metavar="REV", help="say at which commit after this one a failed measure fell")
    parser.add_argument(
        "--save-baseline",
        type=Path,
        metavar="FILE",
        help="write the evidence of the run to a baseline file, whatever the verdicts",
    )


def _add_validate(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    validate = _command(subparsers, "validate", "check files without judging gates", "checking")
    validate.add_argument(
        "paths", nargs="*", type=Path, metavar="PATH", help="configurations or folders; with --task, the files themselves"
    )
    validate.add_argument("--task", help="check files of this task without a configuration")
    validate.add_argument("--role", help="with --task: what the files are (default: system)")
    validate.add_argument("--option", action="append", default=[], metavar="K=V", help="with --task: an option of the task")
    _add_suites(validate)
    _add_jobs(validate)
    _add_executor(validate)


def _add_baseline(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    baseline = _command(
        subparsers, "baseline", "accept the results of now as the baseline, or show what was accepted", "baselining"
    )
    actions = baseline.add_subparsers(required=True, dest="action", metavar="{update,show}")
    summaries = {"update": "run all suites and write their baseline files", "show": "show what was accepted"}
    update, accepted = (
        actions.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".", allow_abbrev=False)
        for name, summary in summaries.items()
    )
    for action in (update, accepted):
        action.add_argument(
            "paths", nargs="*", type=Path, metavar="PATH", help="configurations or folders (default: this folder)"
        )
        _add_suites(action)
        _add_compared(action)
    _add_engine(update)
    _add_executor(update)
    _add_measures(accepted)


def _add_score(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    score = _command(subparsers, "score", "score files without a configuration")
    score.add_argument(
        "names",
        nargs="+",
        metavar="TASK | GOLD SYSTEM",
        help="the task's name; or gold and the system's files, to find out the task",
    )
    score.description = (
        "Each role of the task is an option (--gold, --system, …): a file, a {doc} pattern, or a folder paired by file name. "
        "Without a task: GOLD and SYSTEM, each a file, a {doc} pattern or a folder; what they are is found out, and told."
    )
    score.add_argument("--option", action="append", default=[], metavar="K=V", help="an option of the task")
    _add_reports(score)
    _add_engine(score)
    _add_executor(score)


def _add_help(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    told = subparsers.add_parser("help", help="show how a command is used: nlpeval help COMMAND")
    told.add_argument("command_told", nargs="?", metavar="COMMAND", help="the command (default: the list of all)")


def _add_tasks(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    tasks = _command(subparsers, "tasks", "list the tasks, or tell all about one", "about")
    tasks.add_argument("task", nargs="?", help="the task to tell about")


def _add_explain(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    explain = _command(subparsers, "explain", "tell what a problem means, and how it is mended", "explaining")
    explain.add_argument("code", nargs="?", metavar="CODE", help="the code, or the word before its dot (default: list all)")


def _add_doctor(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    doctor = _command(subparsers, "doctor", "tell what a bug report needs, and what to mend here", "doctor")
    doctor.add_argument(
        "--cache-dir", type=Path, default=Path(".nlpeval_cache"), metavar="DIR", help="evidence store (default: .nlpeval_cache)"
    )


def _add_init(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    init = _command(subparsers, "init", "write a configuration to start from", "about")
    init.add_argument(
        "names",
        nargs="*",
        metavar="FOLDER | GOLD SYSTEM",
        help="where to (default: this folder); or the files that it is to be about",
    )
    init.add_argument("--task", help="the task of its suite (default: what the files are; without any, rte)")
    init.add_argument("--option", action="append", default=[], metavar="K=V", help="with GOLD and SYSTEM: an option of the task")


def _add_compare(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    compare = _command(subparsers, "compare", "compare systems, revisions and baseline files of a suite", "comparing")
    compare.add_argument(
        "names",
        nargs="*",
        metavar="SUITE A",
        help="the suite's name, of one system's past `suite/system`, unless --suite gives it; then what is compared: "
        "a system's name, git:REVISION or a baseline file; one alone is compared with the system as it is (default: all systems)",
    )
    compare.set_defaults(paths=[])
    _add_suites(compare)
    _add_statistics(compare)
    _add_measures(compare)
    _add_reports(compare, "compare")
    _add_engine(compare)
    _add_executor(compare)


def _add_history(subparsers: argparse._SubParsersAction[_Parser]) -> None:
    history = _command(
        subparsers, "history", "show the scores of suites over the commits that changed their systems' files", "history"
    )
    history.add_argument("paths", nargs="*", type=Path, metavar="PATH", help="configurations or folders (default: this folder)")
    commits = partial(_number, things="commits")
    history.add_argument("--last", type=commits, default=20, metavar="N", help="how many commits (default: the last 20)")
    history.add_argument("--since", default="", metavar="REV", help="begin with the state at this revision")
    history.set_defaults(baseline="none")
    _add_suites(history)
    _add_chance(history)
    _add_measures(history)
    _add_reports(history, "history")
    _add_engine(history)


def _command(
    subparsers: argparse._SubParsersAction[_Parser],
    name: str,
    summary: str,
    module: str = "commands",
) -> argparse.ArgumentParser:
    parser = subparsers.add_parser(name, help=summary, description=summary[0].upper() + summary[1:] + ".", allow_abbrev=False)
    parser.set_defaults(command=name, module=module)
    return parser


def _add_reports(parser: argparse.ArgumentParser, kind: str = "run", extra: tuple[str, ...] = ()) -> None:
    formats = (*formats_of(kind), *extra)
    help_ = f"write a report, F one of {', '.join(formats)}; PATH - is the standard output; may be repeated"
    target = partial(_target, formats=formats)
    parser.add_argument("--report", action="append", default=[], type=target, metavar="F:PATH", help=help_)


def _add_engine(parser: argparse.ArgumentParser) -> None:
    _add_jobs(parser)
    parser.add_argument(
        "--cache-dir", type=Path, default=Path(".nlpeval_cache"), metavar="DIR", help="evidence store (default: .nlpeval_cache)"
    )
    parser.add_argument("--no-cache", action="store_true", help="keep no evidence on disk")


def _add_suites(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--suite",
        action="append",
        default=[],
        dest="suites",
        metavar="NAME[/SYSTEM]",
        help="a suite, or a pattern with *; may be repeated (default: all)",
    )


def _add_statistics(parser: argparse.ArgumentParser) -> None:
    _add_compared(parser)
    _add_chance(parser)


def _add_compared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--baseline", metavar="B", help="compare with git:REVISION, git:merge-base(REVISION), a baseline file, or none"
    )


def _add_chance(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--confidence", metavar="C", help="confidence of the intervals of scores, or off (default: 0.95)")
    parser.add_argument("--resamples", metavar="N", help="resamples for intervals and tests (default: 10,000)")
    parser.add_argument("--seed", metavar="N", help="seed of their random numbers (default: 12345)")


def _add_measures(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--measure",
        action="append",
        default=[],
        metavar="M",
        help="a measure, or a pattern with *; may be repeated (default: those with gates, or else the task's leading ones)",
    )


def _add_jobs(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--jobs", type=_jobs, default=1, metavar="N", help="processes, at most; auto for one per processor (default: 1)"
    )


def _add_executor(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--executor",
        default="",
        metavar="E",
        help="count with the workers of another engine: dask, dask://HOST:PORT, or MODULE:FACTORY",
    )


def _target(text: str, formats: Sequence[str]) -> ReportTarget:
    try:
        return report_target(text, formats)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _shard(text: str) -> tuple[int, int]:
    from pytest_nlpeval.config.sharding import Shard

    try:
        return Shard.parsed(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _number(text: str, things: str, alternative: str = "") -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'"{text}" is not a number of {things}; expected 1 or more{alternative}')
    return int(text)


def _jobs(text: str) -> int:
    return 0 if text == "auto" else _number(text, "workers", ", or auto")


def _roles(options: argparse.Namespace, rest: list[str]) -> dict[str, Path]:
    """Return the files of `score`, given as `--ROLE PATH` or `--ROLE=PATH`; anything else that is left over is a mistake."""
    roles: dict[str, Path] = {}
    words = iter(rest)
    for word in words:
        name, equals, value = word.removeprefix("--").partition("=")
        path = value if equals else next(words, None)
        if options.command != "score" or not word.startswith("--") or path is None or name in roles:
            raise UsageError(f"unrecognised or incomplete argument {word}; see `nlpeval --help`")
        roles[name] = Path(path)
    return roles
