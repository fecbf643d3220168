"""Evidence of a document: a row per pronoun in subtask 1, one row in the others."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from pytest_nlpeval.evidence import Column, Evidence
from pytest_nlpeval.explanations import Explanation, Omitted
from pytest_nlpeval.metrics.alignment import MOST_PAIRS, pairs_to_sort
from pytest_nlpeval.metrics.muc import muc
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.are.chains import Chain
from pytest_nlpeval.tasks.are.inputs import NO_ENTITIES, Entities
from pytest_nlpeval.tasks.are.linking import link_ids, link_spans, spans_of
from pytest_nlpeval.tasks.are.options import Options
from pytest_nlpeval.tasks.are.resolution_errors import BEARING_OF_IDS, BEARING_OF_SPANS, explain_chains, explain_pronouns
from pytest_nlpeval.tasks.are.resolving import resolve_ids, resolve_spans


def count(documents: Documents, options: Options, log: ProblemLog) -> Counted:
    """Return the rows of a document.

    Columns of subtask 1, each 0 or 1 per pronoun: `resolved`, `half` (half credit), `answered`.
    Subtask 2: the links `correct`, `gold`, `system`.
    Subtask 3: `credit`, the sum of the pairs' scores; `pairs`; `pronouns`; `identified`, the pairs of a pronoun to be resolved.
    Subtask 4: the links `gold` and `system`, and the weight `correct`.

    `credit` of subtask 3 and `correct` of subtask 4 are floats: overlaps have any denominator. They are sums of quotients that are
    rounded once each, added exactly and rounded once (`math.fsum`), so that no order of pairs, chains or mentions matters.
    """
    return _COUNTERS[options.subtask](documents, options, log)


def _given_pronouns(documents: Documents, options: Options, _log: ProblemLog) -> Counted:
    entities, answers = documents["input"], documents["system"]
    resolution = resolve_ids(entities, documents["gold"], answers, options)
    halves = np.array([judgment.halves for judgment in resolution.judgments], np.int8)
    columns: dict[str, Column] = {
        "resolved": (halves == 2).astype(np.int8),
        "half": (halves == 1).astype(np.int8),
        "answered": np.array([name in answers.antecedents for name in entities.pronouns], np.int8),
    }
    return Counted(Evidence.of(entities.pronouns, columns), explain_pronouns(resolution, answers, entities, BEARING_OF_IDS))


def _given_chains(documents: Documents, _options: Options, _log: ProblemLog) -> Counted:
    gold, system = documents["gold"].linked, documents["system"].linked
    counts = muc((chain.mentions for chain in gold), (chain.mentions for chain in system))
    return Counted(_row(counts._asdict()), _explain_ids(gold, system, documents.get("input", NO_ENTITIES)))


def _explain_ids(gold: list[Chain[str]], system: list[Chain[str]], entities: Entities) -> Iterator[Explanation | Omitted]:
    """Compare the chains only when somebody asks: MUC's counts alone need no comparison."""
    yield from explain_chains(link_ids(gold, system), entities)


def _pronouns(documents: Documents, options: Options, _log: ProblemLog) -> Counted:
    words, gold, answers = documents["input"], documents["gold"], documents["system"]
    resolution = resolve_spans(words, gold, answers, options)
    to_be_resolved = set(gold.pronouns)
    row = {
        "credit": math.fsum(judgment.halves * judgment.overlap / 2 for judgment in resolution.judgments),
        "pairs": len(answers.antecedents),
        "pronouns": len(to_be_resolved),
        "identified": sum(span in to_be_resolved for span in answers.antecedents),
    }
    return Counted(_row(row), explain_pronouns(resolution, answers, words, BEARING_OF_SPANS))


def _chains(documents: Documents, _options: Options, log: ProblemLog) -> Counted:
    gold, system = documents["gold"].linked, documents["system"].linked
    pairs = pairs_to_sort(spans_of(gold), spans_of(system))
    if pairs > MOST_PAIRS:
        message = f"its mentions overlap those of gold in {pairs:,} pairs; expected {MOST_PAIRS:,} at most: nest fewer of them"
        log.add("are.excess", message)
        return Counted(_row(dict.fromkeys(("correct", "gold", "system"), 0)), ())
    linking = link_spans(gold, system)
    row = {
        "correct": linking.correct,
        "gold": sum(comparison.links for comparison in linking.gold),
        "system": sum(comparison.links for comparison in linking.system),
    }
    return Counted(_row(row), explain_chains(linking, documents["input"]))


_COUNTERS = {1: _given_pronouns, 2: _given_chains, 3: _pronouns, 4: _chains}


def _row(counts: Mapping[str, float]) -> Evidence:
    return Evidence.of([""], {name: np.array([number]) for name, number in counts.items()})
