"""How many labels and groups a document may have."""

from __future__ import annotations

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.labels.answers import Answers, Rows

MOST_LABELS, MOST_PAIRS = 1_000, 10_000


def check_number(names: set[str], log: ProblemLog) -> None:
    """Log that there are too many labels."""
    if len(names) > MOST_LABELS:
        message = f"there are {len(names):,} labels, at most {MOST_LABELS:,} are allowed; is it a column of texts or ids?"
        log.add("labels.too-many", message)


def pairs_of(answers: Answers, group: Rows) -> set[tuple[int, str]]:
    """Return the pairs of a group, by its place, and a label that occur."""
    of_entries = group[answers.rows]
    has_group = of_entries >= 0
    codes = set((of_entries[has_group] * len(answers.names) + answers.codes[has_group]).tolist())
    return {(code // len(answers.names), answers.names[code % len(answers.names)]) for code in codes}


def check_pairs(pairs: set[tuple[int, str]], log: ProblemLog) -> None:
    """Log that there are too many pairs of group and label."""
    if len(pairs) > MOST_PAIRS:
        message = f"there are {len(pairs):,} pairs of group and label, at most {MOST_PAIRS:,} are allowed; is it a column of texts or ids?"
        log.add("labels.too-many", message)
