"""The `nlpeval` command.

Exit codes: 0, all gates hold and all files are valid; 1, a gate failed or a system file is bad; 2, usage, configuration, a bad file on
the gold side, or output that cannot be written; 128 + N, ended by signal N (130, interrupted).
"""

from __future__ import annotations

TYPE_CHECKING = False  # nothing is imported before signals have their handlers
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    Without `arguments` they are those of the process, whose signals and standard streams are then the command's.
    """
    if arguments is not None:
        return _run(arguments)
    import signal

    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until it has its handler: Python would show where the program was
    from pytest_nlpeval.cli.process import as_process

    return as_process(_run)


def _run(arguments: Sequence[str] | None = None) -> int:
    from pytest_nlpeval.cli.output import prepare, show, tell
    from pytest_nlpeval.cli.parser import parse
    from pytest_nlpeval.cli.progress import BAR
    from pytest_nlpeval.cli.streams import err
    from pytest_nlpeval.cli.usage import INTERRUPTED, USAGE, UsageError

    prepare()
    try:
        return _perform(parse(arguments), is_process=arguments is None)
    except UsageError as error:
        tell(f"nlpeval: {error}", "bad")
        for line in error.details:
            tell(f"  {line}")
        return USAGE
    except KeyboardInterrupt:  # in a process of somebody else's, or raised by a task
        show("nlpeval: interrupted\n", err())
        return INTERRUPTED
    finally:
        BAR.finish()


def _perform(options: Namespace, *, is_process: bool) -> int:
    """Do what was asked for; only now is what that needs imported, NumPy by the command's own process in one thread."""
    import os
    from contextlib import nullcontext
    from importlib import import_module

    from pytest_nlpeval.cli.output import present
    from pytest_nlpeval.cli.process import numpy_in_one_thread
    from pytest_nlpeval.cli.streams import err
    from pytest_nlpeval.cli.usage import USAGE, UsageError
    from pytest_nlpeval.foreign import blamed_on_any, said_of
    from pytest_nlpeval.foreign_process import BEFORE, kept_running
    from pytest_nlpeval.problems import NlpevalError, NoAnswerError, problem_line
    from pytest_nlpeval.task import Deferred

    try:
        os.getcwd()  # noqa: PTH109 - pathlib would have to be imported; without a folder numpy cannot be
    except OSError:
        raise UsageError("the current folder does not exist any more; change to one that does") from None
    if is_process:
        BEFORE.append(Deferred("pytest_nlpeval.cli.apart:go_on"))
    try:
        with numpy_in_one_thread() if is_process else nullcontext():
            module = import_module(f"pytest_nlpeval.cli.{options.module}")
        with kept_running(), blamed_on_any():  # tasks, sources of baselines, executors
            return int(getattr(module, options.command)(options))
    except NlpevalError as error:
        from pytest_nlpeval.reports.blocks import problem_blocks

        present([*problem_blocks(map(problem_line, error.problems))], err())
        return USAGE
    except NoAnswerError as error:
        raise UsageError(str(error)) from None
    except SystemExit as stop:
        raise UsageError(f"code of another package ended the run ({said_of(stop)}); nothing of it counts") from None
