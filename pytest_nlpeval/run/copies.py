"""Suites whose output is a copy of their gold: a mistake in a path, or in what wrote the files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pytest_nlpeval.config.suite import File
from pytest_nlpeval.run.results import SuiteResult

COPIED = "gold and system are the same bytes, and nothing is wrong: is one a copy of the other?"


def copied_gold(result: SuiteResult) -> Iterator[str]:
    """Yield a sentence if the system's file of every document has the bytes of its gold file, and all scores are those of perfect output.

    One file that has gold and output in fields of its own is rarely perfect. A gold file that is only asked, and has no answers, may be
    the system's. Of what shards have read their digests are compared: the report is that of one run.
    """
    if any(role.name == "gold" and role.is_question for role in result.suite.recipe.task.roles):
        return
    if all(_are_same(*map(case.files.get, ("gold", "system"))) for case in result.suite.cases) and _is_perfect(result):
        yield COPIED


def _is_perfect(result: SuiteResult) -> bool:
    """Whether a suite has scores, and none of them is another than that of output which equals gold."""
    measures = result.suite.measures(tuple(result.evidence.columns)) if result.evidence else ()
    judged = [measure for measure in measures if measure.goal is not None and measure.name in result.scores]
    return bool(judged) and all(result.scores[measure.name].value in {None, measure.goal} for measure in judged)


def _are_same(gold: File | None, system: File | None) -> bool:
    """Whether two files, which no test gives, have the same bytes, and any."""
    if gold is None or system is None or gold.content is not None or system.content is not None:
        return False
    if gold.digest is not None and system.digest is not None:
        return gold.digest == system.digest != ""
    if not 0 < gold.size == system.size:
        return False
    if gold.path == system.path:
        return True
    try:
        return Path(gold.path).read_bytes() == Path(system.path).read_bytes()
    except OSError:
        return False
