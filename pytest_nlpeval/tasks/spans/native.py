"""The report of conlleval.pl: the numbers of tokens and spans, then precision, recall and F of all labels and of each."""

from __future__ import annotations

from collections.abc import Mapping

from pytest_nlpeval.task import Reported
from pytest_nlpeval.wording import printable


def native(reported: Reported) -> str:
    """Return the lines that conlleval.pl prints; a share without value is 0.00 there, too.

    The other formats have no tokens: their report has neither the number of tokens nor the accuracy. The last number of a label's line is
    that of the system's spans.
    """
    scores = reported.values
    right, wrong, missed = (int(scores[f"micro.{count}"] or 0) for count in ("tp", "fp", "fn"))
    has_tokens = "token.number" in scores
    tokens = f"{scores['token.number'] or 0:.0f} tokens with " if has_tokens else ""
    accuracy = f"accuracy: {_percent(scores['token.accuracy'])}%; " if has_tokens else ""
    lines = [
        f"processed {tokens}{right + missed} phrases; found: {right + wrong} phrases; correct: {right}.",
        f"{accuracy}{_shares(scores, 'micro')}",
    ]
    for label in sorted(name.removesuffix(".partial.f1") for name in scores if name.endswith(".partial.f1")):
        if label != "semeval":
            number = int((scores[f"{label}.tp"] or 0) + (scores[f"{label}.fp"] or 0))
            lines.append(f"{printable(label):>17}: {_shares(scores, label)}  {number}")
    return "\n".join([*lines, ""])


def _shares(scores: Mapping[str, float | None], name: str) -> str:
    precision, recall, f1 = (_percent(scores[f"{name}.{figure}"]) for figure in ("precision", "recall", "f1"))
    return f"precision: {precision}%; recall: {recall}%; FB1: {f1}"


def _percent(value: float | None) -> str:
    return f"{100 * (value or 0):6.2f}"
