"""What is drawn of labelled spans: which labels the system takes for which."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.graphs import Matrix
from pytest_nlpeval.tasks.spans.counting import BETWEEN
from pytest_nlpeval.tasks.spans.measures import labels_of, total
from pytest_nlpeval.tasks.spans.options import Options

NOTHING = "no span"


def graphs(evidence: Evidence, options: Options) -> Iterator[Matrix]:
    """Yield how often a span of each label in gold is paired with one of each label of the system, or with none.

    The pairs are those of the greatest matching of overlapping spans, whatever their boundaries. Nothing is drawn where there are no spans.
    """
    labels = options.labels or labels_of(evidence.columns)
    counts = Counter({(label, label): total(evidence, f"correct.{label}") for label in labels})
    for column in evidence.columns:
        prefix, _, both = column.partition(".")
        if prefix == "confused":
            gold, _, system = both.partition(BETWEEN)
            counts[gold, system] += total(evidence, column)
    in_gold, in_system = Counter[str](), Counter[str]()
    for (gold, system), number in counts.items():
        in_gold[gold] += number
        in_system[system] += number
    for label in labels:
        counts[label, NOTHING] = total(evidence, f"gold.{label}") - in_gold[label]
        counts[NOTHING, label] = total(evidence, f"system.{label}") - in_system[label]
    if counts.total():
        yield Matrix.of(
            "labels",
            "Labels of gold and system",
            "How often a span that is labelled as the row says in gold is paired with one that is labelled as the column says in the "
            "system's output: spans that overlap are pairs, whatever their boundaries.",
            "gold",
            "system",
            counts,
        )
