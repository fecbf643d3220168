"""Evidence of coreference: a row per document."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pytest_nlpeval.columns import narrow
from pytest_nlpeval.evidence import Column, Evidence
from pytest_nlpeval.explanations import Explanation, Omitted
from pytest_nlpeval.metrics.coreference import b_cubed, ceaf_e, ceaf_m, common_links, lea, links_of
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted
from pytest_nlpeval.task import Documents as Files
from pytest_nlpeval.tasks.coref.document import Document, Documents, Side
from pytest_nlpeval.tasks.coref.looking_up import pair_by_look_up
from pytest_nlpeval.tasks.coref.matching import greatest_overlap, number_of_places
from pytest_nlpeval.tasks.coref.mention_errors import explain
from pytest_nlpeval.tasks.coref.options import COREFUD_1_2, Options
from pytest_nlpeval.tasks.coref.pairing import Pairing, pair

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
    rows = [_row(pairing_of(document, system.by_name.get(name), settled)) for name, document in gold.by_name.items()]
    columns: dict[str, Column] = {
        name: np.array([row[name] for row in rows], np.float64) if name in FLOATS else _integers([row[name] for row in rows])
        for name in (rows[0] if rows else ())
    }
    columns["corefud" if gold.format == "corefud" else "other-format"] = np.ones(len(rows), np.int8)
    return Counted(Evidence.of(list(gold.by_name), columns), _explained(gold, system, settled))


def _integers(numbers: list[float]) -> Column:
    return narrow(np.array(numbers, np.int64))


def pairing_of(gold: Document, system: Document | None, options: Options) -> Pairing:
    """Return how the entities of a document meet, by settled options."""
    sides = gold.side.settled(options), (system.side if system else Side.of(())).settled(options)
    return (pair_by_look_up if options.profile == COREFUD_1_2 else pair)(*sides, options)


def _row(pairing: Pairing) -> dict[str, float]:
    gold, system = pairing.sides
    row: dict[str, float] = {"pairs": pairing.number, "muc.recalled": pairing.recalled, "muc.precise": pairing.precise}
    for name, side, shared in (("gold", gold, pairing.gold), ("system", system, pairing.system)):
        links = links_of(side.sizes)
        row |= {
            f"{name}.mentions": len(side.mentions),
            f"{name}.entities": len(side.entities),
            f"{name}.places": number_of_places(side.mentions),
            f"bcub.{name}": b_cubed(shared),
            f"lea.{name}": lea(shared),
            f"coreferent.{name}": links.coreferent,
            f"other.{name}": links.other,
        }
    common = common_links(pairing.gold.counts)
    row |= {"coreferent.common": common.coreferent, "other.common": common.other}
    row |= {"ceafm": ceaf_m(pairing.both), "ceafe": ceaf_e(pairing.both)}
    row["overlap"] = greatest_overlap(gold.mentions, system.mentions, pairing.pairs)
    zeros = pairing.numbers_of_zeros()
    return row | {f"zeros.{name}": zeros[name] for name in ("tp", "wl", "fn", "fp")}


def _explained(gold: Documents, system: Documents, options: Options) -> Iterator[Explanation | Omitted]:
    """Pair mentions once more, and only when somebody asks: pairings of all documents would take much memory."""
    yield from explain(
        (document, other, pairing_of(document, other, options))
        for document in gold.by_name.values()
        for other in [system.by_name.get(document.name)]
    )
