"""What a sentence asks, and a system's extractions restated for the sentences of another gold file."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pytest_nlpeval.formats.text import lines_of
from pytest_nlpeval.metrics.partners import Items
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.exemplar.gold import Gold
from pytest_nlpeval.tasks.exemplar.options import Options
from pytest_nlpeval.tasks.exemplar.sentence import read_sentence
from pytest_nlpeval.tasks.exemplar.system import System
from pytest_nlpeval.tasks.exemplar.table import FIRST_ROW, SENTENCE


def asks(documents: Documents, _options: Options) -> Items:
    """Return the sentences: each asks for the relation of its entity pair; marks, trigger and windows aside, it is shown to the system."""
    gold: Gold = documents["gold"]
    names = [str(rank + FIRST_ROW) for rank in range(len(gold.pairs))]
    sentences = (line.split("\t")[SENTENCE] for line in lines_of(gold.text)[1:])
    questions = [f"{pair}\t{_plain(sentence)}" for pair, sentence in zip(gold.pairs, sentences, strict=True)]
    answers = [f"{trigger}\t{window}" for trigger, window in zip(gold.triggers, gold.windows, strict=True)]
    return Items(names, questions, answers, by_place=True)


def _plain(sentence: str) -> str:
    """Return the text of an annotated sentence without its marks."""
    return " ".join("".join(read_sentence(sentence).parts[::2]).split())


def restate(earlier: Documents, today: Documents, partners: NDArray[np.int64]) -> Documents:
    """Return today's gold with the extractions of an earlier output for the sentences that are still there, and none for the others."""
    system: System = earlier["system"]
    return {**today, "system": System(tuple(system.extractions[rank] if rank >= 0 else "" for rank in partners.tolist()))}
