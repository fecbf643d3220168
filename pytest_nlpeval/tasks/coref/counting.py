"""Evidence of coreference: a row per document."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.columns import Column, narrow
from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanation, Omitted
from pytest_nlpeval.metrics.coreference import b_cubed, ceaf_e, ceaf_m, common_links, lea, links_of, sums_of_each
from pytest_nlpeval.metrics.muc import correct_links
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted
from pytest_nlpeval.task import Documents as Files
from pytest_nlpeval.tasks.coref.document import Documents, Side
from pytest_nlpeval.tasks.coref.looking_up import pair_by_look_up
from pytest_nlpeval.tasks.coref.matching import NOBODY, greatest_overlaps
from pytest_nlpeval.tasks.coref.mention_errors import Compared, explain
from pytest_nlpeval.tasks.coref.mentions import Mentions, Numbers
from pytest_nlpeval.tasks.coref.options import COREFUD_1_2, Options
from pytest_nlpeval.tasks.coref.pairing import Pairing, Sides, entities_of, numbers_of_zeros, owners_of, pair

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
    number = len(gold.by_name)
    sides = _settled(gold, system, list(gold.by_name), settled)
    pairing = _paired(sides, number, settled)
    columns: dict[str, Column] = {
        name: numbers if name in FLOATS else narrow(numbers) for name, numbers in _numbers(sides, pairing, number).items()
    }
    columns["corefud" if gold.format == "corefud" else "other-format"] = np.ones(number, np.int8)
    return Counted(Evidence.of(list(gold.by_name), columns), _explained(gold, system, sides, pairing.partners))


def _settled(gold: Documents, system: Documents, names: Collection[str], options: Options) -> tuple[Mentions, Mentions]:
    """Return the mentions of documents of both sides that count, by settled options."""
    one, other = (side.mentions_of(names).settled(options.singletons) for side in (gold, system))
    return one, other


def _paired(sides: Sides, number: int, options: Options) -> Pairing:
    return (pair_by_look_up if options.profile == COREFUD_1_2 else pair)(sides, number, options)


def _numbers(sides: Sides, pairing: Pairing, number: int) -> dict[str, NDArray[Any]]:
    """Return all columns, of so many documents."""
    columns: dict[str, NDArray[Any]] = {"pairs": pairing.numbers}
    for name, shared in (("recalled", pairing.gold), ("precise", pairing.system)):
        mentions = sums_of_each(shared.counts, shared.documents, number)
        columns[f"muc.{name}"] = correct_links(mentions, np.bincount(shared.documents, minlength=number))
    for name, side, shared in zip(("gold", "system"), sides, (pairing.gold, pairing.system), strict=True):
        entities = entities_of(side, owners_of(side, number))
        links = links_of(number, entities)
        columns |= {
            f"{name}.mentions": np.bincount(side.documents, minlength=number),
            f"{name}.entities": np.bincount(entities.documents[entities.sizes > 0], minlength=number),
            f"{name}.places": sums_of_each(side.lengths(), side.documents, number),
            f"bcub.{name}": b_cubed(shared),
            f"lea.{name}": lea(shared),
            f"coreferent.{name}": links.coreferent,
            f"other.{name}": links.other,
        }
    common = common_links(pairing.gold)
    columns |= {"coreferent.common": common.coreferent, "other.common": common.other}
    columns |= {"ceafm": ceaf_m(pairing.both), "ceafe": ceaf_e(pairing.both), "overlap": greatest_overlaps(*sides, number)}
    zeros = numbers_of_zeros(sides, pairing.partners, number)
    return columns | {f"zeros.{name}": zeros[name] for name in ("tp", "wl", "fn", "fp")}


def _explained(gold: Documents, system: Documents, sides: Sides, partners: Numbers) -> Iterator[Explanation | Omitted]:
    """Yield why documents are not right; mentions become objects only when the turn of their document comes."""
    bounds = (pairwise(side.bounds(len(gold.by_name)).tolist()) for side in sides)

    def compared() -> Iterator[Compared]:
        for (name, document), own, other in zip(gold.by_name.items(), *bounds, strict=True):
            of_own = enumerate(partners[slice(*own)].tolist())
            pairs = {rank: partner - other[0] for rank, partner in of_own if partner != NOBODY}
            mentions, answers = (Side.of(side.picked(slice(*rows))) for side, rows in zip(sides, (own, other), strict=True))
            yield Compared(document, system.by_name.get(name), mentions, answers, pairs)

    yield from explain(compared())
