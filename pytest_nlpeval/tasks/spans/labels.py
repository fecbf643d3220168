"""Which labels spans may have: measures are named after those that are scored."""

from __future__ import annotations

import re
from collections.abc import Collection

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.spans.options import Options
from pytest_nlpeval.wording import quoted

RESERVED = ("micro", "macro", "weighted", "unlabelled", "semeval", "token")
ENDINGS = (".relaxed", ".partial")

MOST_LABELS = 1_000

_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f*]")


def fault_of(label: str, options: Options) -> str:
    """Say why measures cannot be named after a label that is scored, and what to do; "" if they can."""
    if options.labels is not None and label not in options.labels:
        return ""
    fault = _fault_of(label)
    return f"{fault}; rename it in gold and system, or leave it out with the option `labels`" if fault else ""


def check_number(names: Collection[str], options: Options, log: ProblemLog) -> None:
    """Log that there are too many labels, of those that are scored: each has measures of its own."""
    number = len(names) if options.labels is None else 0
    if number > MOST_LABELS:
        message = (
            f"there are {number:,} labels, at most {MOST_LABELS:,} are allowed; name those to score with the option `labels`"
        )
        log.add("spans.too-many", message)


def _fault_of(label: str) -> str:
    if not label:
        return "the label is empty"
    if label.strip() != label:
        return f"the label {quoted(label)} has white space at an end"
    if forbidden := _FORBIDDEN.search(label):
        return f"the label {quoted(label)} has {'an asterisk' if forbidden.group() == '*' else 'a control character'}"
    if label.partition(".")[0] in RESERVED or label.endswith(ENDINGS):
        return f"the label {quoted(label)} is what other measures are called"
    return ""
