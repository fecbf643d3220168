"""Runs pytest as planned, and notes in the work folder what its exit code does not tell. Exits as pytest does.

Imports nothing of pytest-nlpeval: that is pytest's to do, as for any plugin.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator
    from types import TracebackType
    from typing import Any


def _tell(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
    """Tell of an interrupt in one line, such as that of a job that is cancelled; Python then ends the process as SIGINT does."""
    if issubclass(kind, KeyboardInterrupt):
        os.write(2, b"nlpeval: interrupted\n")
    else:
        sys.__excepthook__(kind, error, traceback)


sys.excepthook = _tell  # before the rest is imported

import json  # noqa: E402
import secrets  # noqa: E402, F401 - numpy wants the standard one, and a repository may have a module of that name
import signal  # noqa: E402
from pathlib import Path  # noqa: E402

import pytest  # noqa: E402

WORK = Path(os.environ["NLPEVAL_WORK"])
INPUTS = "nlpeval_inputs"


class Recorder:
    """A plugin that notes what pytest's exit code does not tell.

    That is the rootdir, how many tests failed besides gates, what kept the suites from being run, which configurations were collected, and
    what the inputs leave out; and the exit code itself, for something else may end the process with another.
    """

    def __init__(self) -> None:
        self.notes: dict[str, Any] = {"root": str(Path.cwd()), "status": None, "failed_besides_gates": 0, "problems": []}

    def pytest_configure(self, config: pytest.Config) -> None:
        """Note the rootdir, and what the inputs leave out."""
        inputs: Any = config.pluginmanager.get_plugin("nlpeval-inputs")
        self.notes |= {"root": str(config.rootpath), **inputs.left_out()}

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Count what could not be collected."""
        self.notes["failed_besides_gates"] += report.failed

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Count a failed test that is not a gate."""
        kind = report.__dict__.get("nlpeval", {}).get("kind")
        self.notes["failed_besides_gates"] += report.failed and kind != "GateItem"

    @pytest.hookimpl(wrapper=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> Generator[None]:
        """Ask the plugin, once all workers have told what they found."""
        yield
        state: Any = session.config.pluginmanager.get_plugin("nlpeval-session")
        if state is not None:
            self.notes["collected"] = [str(path) for path in state.configurations()]
            if session.exitstatus != pytest.ExitCode.OK:
                self.notes["problems"] = [problem.to_json() for problem in state.problems()]


def main() -> int:
    """Run pytest and return its exit code."""
    plan = json.loads((WORK / "plan.json").read_text())
    recorder = Recorder()
    sys.path.insert(0, str(Path.cwd()))  # as `python -m pytest` has it: the repository's tests may rely on it
    sys.path.insert(0, str(Path(__file__).parent / "plugin"))
    try:
        status = int(pytest.main(["-p", INPUTS, *plan["arguments"]], plugins=[recorder]))
        recorder.notes["status"] = status
        return status
    finally:
        (WORK / "notes.json").write_text(json.dumps(recorder.notes))


if __name__ == "__main__":
    code = main()
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # all is told: while Python ends, it would show where it was
    sys.exit(code)
