"""Reads the gold standard: text-hypothesis pairs with their judgments."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import WINDOW_BYTES
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.rte.options import FIRST, Edition, Options
from pytest_nlpeval.tasks.rte.pairs import Pairs, check_settings, edition_by_judgments, gather, kept_pairs, setting_ranks


@light_dataclass(frozen=True, slots=True, eq=False)
class Gold(Pairs):
    """The pairs of a gold file. `entailing` has one entry per pair: 1 where entailment holds, else 0."""

    edition: Edition
    entailing: NDArray[np.int8]


def read_gold(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Gold | None:
    """Return the pairs of an `entailment-corpus` with their judgments, or None with all problems in the log."""
    pairs = gather(source, options, log)
    edition = edition_by_judgments(pairs, options, log, required=True) or FIRST
    check_settings(pairs, edition, log)
    ranks, kept = kept_pairs(pairs, log)
    if log.has_errors:
        return None
    judgments = pairs.values if edition is FIRST else pairs.entailments
    entailing = np.fromiter((judgment == edition.positive for judgment in judgments), np.int8, len(judgments))
    setting = setting_ranks(pairs.tasks, edition.settings)
    return Gold(
        edition, ranks, setting[kept], source.reader(WINDOW_BYTES), entailing[kept], clusters=pairs.clusters(options, kept)
    )
