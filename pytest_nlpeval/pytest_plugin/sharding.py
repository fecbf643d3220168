"""Writes the evidence of a shard at the end of a run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.problems import NoAnswerError
from pytest_nlpeval.pytest_plugin.state import State
from pytest_nlpeval.pytest_plugin.update_baseline import RefusedError
from pytest_nlpeval.wording import plural
from pytest_nlpeval.writing import write_atomically


def write_evidence(state: State, suites: Sequence[Suite], path: Path, *, is_whole: bool) -> str:
    """Write what became of the documents of the state's shard, and return the line that tells of it.

    Raises:
        RefusedError: if the run was to leave documents out, or if the file cannot be written.
    """
    from pytest_nlpeval.run.evidence_file import evidence_pieces
    from pytest_nlpeval.run.sharding import Selection

    shard = state.options.shard
    if shard is None or not is_whole:
        raise RefusedError("no evidence written: the run was of chosen documents; run without -k, --lf, -x and the like")
    parts = [state.counted(suite) for suite in suites]
    try:
        write_atomically(path, evidence_pieces(shard, suites, parts, Selection(state.choices, state.options.suites, state.root)))
    except NoAnswerError as error:
        raise RefusedError(f"no evidence written: {error}") from None
    except OSError as error:
        raise RefusedError(f"--nlpeval-report: {path} cannot be written: {error.strerror}") from None
    documents = plural(sum(len(suite.cases) for suite in suites), "document")
    return f"shard {shard}: {documents} counted, {path} written; `nlpeval merge` judges the gates, from that of all {shard.of} shards"
