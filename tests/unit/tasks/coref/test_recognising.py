"""Which files are recognised: each format with itself, CoNLL columns with JSON Lines, and CorefUD with CorefUD alone."""

from __future__ import annotations

from itertools import product

import pytest

from pytest_nlpeval.formats.samples import Sample, Samples
from pytest_nlpeval.task import SURE
from pytest_nlpeval.tasks import TASKS, load_task
from pytest_nlpeval.tasks.coref.recognising import recognise

ROW = "1\tMira\t_\t_\t_\t_\t0\troot\t_\t{misc}\n\n"
FILES = {
    "conll": "#begin document (a); part 000\na 0 0 Mira (1)\na 0 1 left -\n#end document\n",
    "jsonl": '{"doc_key": "a", "tokens": ["Mira", "left"], "clusters": [[[0, 0]]]}\n',
    "predicted": '{"doc_key": "a", "predicted_clusters": [[[0, 0]]]}\n',
    "corefud": "# global.Entity = eid-etype-head-other\n" + ROW.format(misc="Entity=(e1-person-1-)"),
    "conllu": ROW.format(misc="_"),
    "text": "Mira left.\n",
}
RECOGNISED = {
    *product(("conll", "jsonl"), ("conll", "jsonl", "predicted")),
    *product(("corefud", "conllu"), ("corefud", "conllu")),
} - {("conllu", "conllu")}


@pytest.mark.parametrize(("gold", "system"), [*product(FILES, FILES)])
def test_pairs_of_formats(gold: str, system: str) -> None:
    samples = Samples(Sample("gold", FILES[gold].encode()), Sample("system", FILES[system].encode()))
    found = list(recognise(samples))
    assert len(found) == ((gold, system) in RECOGNISED)
    assert all(guess.options == {} for guess in found)
    assert all((guess.confidence == SURE) == ("conllu" not in (gold, system)) for guess in found)


def test_files_with_entities_are_more_likely_meant_for_them_than_for_their_trees() -> None:
    sample = Sample("a.conllu", FILES["corefud"].encode())
    guesses = {
        name: [guess.confidence for guess in load_task(name).recognise(Samples(sample, sample))]  # type: ignore[misc]
        for name in TASKS
        if load_task(name).recognise
    }
    others = [confidence for name, confidences in guesses.items() if name != "coref" for confidence in confidences]
    assert max(guesses["coref"]) > max(others)
    assert guesses["ud"]
