"""The kinds of problems of executors that a user names, for modules that start none."""

from __future__ import annotations

from pytest_nlpeval.problems import Kind

EXECUTOR_KINDS = {
    "executor.failed": Kind("error", "an executor lost documents: a worker died, or the executor itself went away", fixed=True),
    "executor.files": Kind("error", "workers do not see a file that is there", fixed=True),
    "executor.unavailable": Kind("error", "there is no executor where `--executor` says", fixed=True),
    "executor.version": Kind("error", "workers have another version of pytest-nlpeval or Python", fixed=True),
}
