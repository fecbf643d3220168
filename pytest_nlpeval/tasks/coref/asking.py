"""What a document asks, its words, and a system's entities restated for the documents of another gold file."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.metrics.partners import Items
from pytest_nlpeval.task import Documents as Files
from pytest_nlpeval.tasks.coref.document import Document, Documents, Side
from pytest_nlpeval.tasks.coref.options import Options


def asks(files: Files, _options: Options) -> Items:
    """Return the documents: each asks for the entities of its words, by its name."""
    gold: Documents = files["gold"]
    documents = gold.by_name.values()
    return Items(list(gold.by_name), list(map(_question, documents)), [repr(_answer(gold.side(name))) for name in gold.by_name])


def _question(document: Document) -> str:
    words = document.words or ()
    return "\n".join((str(document.length), " ".join(map(str, document.sentences)), *(word or "" for word in words)))


def _answer(side: Side) -> list[list[object]]:
    return [[(mention.places, mention.head, mention.zero) for mention in entity] for entity in side.entities]


def restate(earlier: Files, today: Files, partners: NDArray[np.int64]) -> Files:
    """Return today's gold with what an earlier output says of the documents that are still there."""
    gold: Documents = today["gold"]
    system: Documents = earlier["system"]
    names = list(earlier["gold"].by_name)
    kept = {
        name: system.by_name[names[rank]]
        for name, rank in zip(gold.by_name, partners.tolist(), strict=True)
        if rank >= 0 and names[rank] in system.by_name
    }
    return {**today, "system": Documents(system.format, kept, system.mentions)}
