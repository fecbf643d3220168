"""Evidence of coreference: a row per document."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np

from pytest_nlpeval.columns import narrow
from pytest_nlpeval.evidence import Column, Evidence
from pytest_nlpeval.explanations import Explanation, Omitted
from pytest_nlpeval.metrics.coreference import b_cubed, ceaf_e, ceaf_m, common_links, lea, links_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted
from pytest_nlpeval.task import Documents as Files
from pytest_nlpeval.tasks.coref.document import Documents
from pytest_nlpeval.tasks.coref.looking_up import pair_by_look_up
from pytest_nlpeval.tasks.coref.matching import greatest_overlaps, sum_of_each
from pytest_nlpeval.tasks.coref.mention_errors import explain
from pytest_nlpeval.tasks.coref.mentions import Mentions
from pytest_nlpeval.tasks.coref.options import COREFUD_1_2, Options
from pytest_nlpeval.tasks.coref.pairing import Pairing, each_document, pairings

FLOATS = frozenset(("bcub.gold", "bcub.system", "ceafe", "lea.gold", "lea.system"))


def count(files: Files, options: Options, _log: ProblemLog) -> Counted:
    """Return the rows of a case: a row per document of the gold file.

    A document that the system file lacks is one without mentions there. The columns are integers but for the five of `FLOATS`, each a
    sum of fractions, added exactly and rounded once:

    - `pairs`, `gold.mentions`, `system.mentions`, `gold.entities`, `system.entities`, `gold.places`, `system.places`, `overlap`;
    - `muc.recalled`, `muc.precise`: links of gold that the system has, and of the system that gold has; they differ in `corefud-1.2` alone;
    - `bcub.…`, `lea.…`: what gold's entities find in the system's, and the reverse; `ceafm`, `ceafe`: the greatest similarities;
    - `coreferent.…` and `other.…`: links of one and of different entities, `common`, `gold` and `system`;
    - `zeros.tp`, `.wl`, `.fn`, `.fp`; and `corefud` or `other-format`, 1 for all, which say in the signature how gold was read.
    """
    gold: Documents = files["gold"]
    system: Documents = files["system"]
    settled = options.settled(gold.format)
    sides = _settled(gold, system, list(gold.by_name), settled)
    number = len(gold.by_name)
    overlaps = greatest_overlaps(*sides, number)
    places = (sum_of_each(side.lengths(), side.documents, number).tolist() for side in sides)
    rows = [
        _row(pairing, shared, *numbers)
        for pairing, shared, *numbers in zip(_paired(*sides, number, settled), overlaps.tolist(), *places, strict=True)
    ]
    columns: dict[str, Column] = {
        name: np.array([row[name] for row in rows], np.float64) if name in FLOATS else _integers([row[name] for row in rows])
        for name in (rows[0] if rows else ())
    }
    columns["corefud" if gold.format == "corefud" else "other-format"] = np.ones(len(rows), np.int8)
    return Counted(Evidence.of(list(gold.by_name), columns), _explained(gold, system, settled))


def _integers(numbers: list[float]) -> Column:
    return narrow(np.array(numbers, np.int64))


def _settled(gold: Documents, system: Documents, names: Collection[str], options: Options) -> tuple[Mentions, Mentions]:
    """Return the mentions of documents of both sides that count, by settled options."""
    one, other = (side.mentions_of(names).settled(options.singletons) for side in (gold, system))
    return one, other


def _paired(gold: Mentions, system: Mentions, number: int, options: Options) -> Iterator[Pairing]:
    """Yield how the entities of each of so many documents meet."""
    if options.profile != COREFUD_1_2:
        yield from pairings(gold, system, number, options)
        return
    for one, other in zip(each_document(gold, number), each_document(system, number), strict=True):
        yield pair_by_look_up(one, other, options)


def _row(pairing: Pairing, overlap: int, *places: int) -> dict[str, float]:
    row: dict[str, float] = {"pairs": pairing.number, "muc.recalled": pairing.recalled, "muc.precise": pairing.precise}
    for name, number_of_places, shared in zip(("gold", "system"), places, (pairing.gold, pairing.system), strict=True):
        links = links_of(shared.sizes)
        row |= {
            f"{name}.mentions": sum(shared.sizes),
            f"{name}.entities": len(shared.sizes),
            f"{name}.places": number_of_places,
            f"bcub.{name}": b_cubed(shared),
            f"lea.{name}": lea(shared),
            f"coreferent.{name}": links.coreferent,
            f"other.{name}": links.other,
        }
    common = common_links(pairing.gold.counts)
    row |= {"coreferent.common": common.coreferent, "other.common": common.other}
    row |= {"ceafm": ceaf_m(pairing.both), "ceafe": ceaf_e(pairing.both)}
    row["overlap"] = overlap
    zeros = pairing.numbers_of_zeros()
    return row | {f"zeros.{name}": zeros[name] for name in ("tp", "wl", "fn", "fp")}


def _explained(gold: Documents, system: Documents, options: Options) -> Iterator[Explanation | Omitted]:
    """Pair mentions once more, and only when somebody asks: pairings of all documents would take much memory."""
    yield from explain(
        (document, system.by_name.get(name), pairing)
        for name, document in gold.by_name.items()
        for pairing in _paired(*_settled(gold, system, [name], options), 1, options)
    )
