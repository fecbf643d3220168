"""The table of conll18_ud_eval.py -v; with enhanced edges, ELAS and EULAS as its successors print them."""

from __future__ import annotations

from pytest_nlpeval.task import Reported

_NAMES = (
    *("Tokens", "Sentences", "Words", "UPOS", "XPOS", "UFeats", "AllTags", "Lemmas", "UAS", "LAS", "CLAS", "MLAS", "BLEX"),
    *("ELAS", "EULAS"),
)
_FIGURES = ("precision", "recall", "f1", "aligned_accuracy")


def native(reported: Reported) -> str:
    """Return the lines that conll18_ud_eval.py -v prints, of all documents together; a figure without value is empty."""
    scores = reported.values
    lines = [
        "Metric     | Precision |    Recall |  F1 Score | AligndAcc",
        "-----------+-----------+-----------+-----------+-----------",
    ]
    for name in _NAMES:
        values = [scores.get(f"{name.lower()}.{figure}") for figure in _FIGURES]
        if name in {"ELAS", "EULAS"} and scores[f"{name.lower()}.f1"] is None:
            continue
        *cells, last = ("" if value is None else f"{100 * value:10.2f}" for value in values)
        lines.append("{:11}|{:>10} |{:>10} |{:>10} |{}".format(name, *cells, last))
    return "\n".join([*lines, ""])
