"""Which labels spans may have: measures are named after those that are scored."""

from __future__ import annotations

import re

from pytest_nlpeval.tasks.spans.options import Options
from pytest_nlpeval.wording import quoted

RESERVED = ("micro", "macro", "weighted", "unlabelled", "semeval", "token")
ENDINGS = (".relaxed", ".partial")

_FORBIDDEN = re.compile(r"[\x00-\x1f\x7f-\x9f*]")


def fault_of(label: str, options: Options) -> str:
    """Say why measures cannot be named after a label that is scored, and what to do; "" if they can."""
    if options.labels is not None and label not in options.labels:
        return ""
    fault = _fault_of(label)
    return f"{fault}; rename it in gold and system, or leave it out with the option `labels`" if fault else ""


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
