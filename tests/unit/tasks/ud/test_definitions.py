"""Every number of CoNLL-U files is that of the definitions, with multiword tokens, empty nodes, and circles of these."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.measures import Sample
from tests.unit.tasks.ud.files import counted
from tests.unit.tasks.ud.naive import numbers, read
from tests.unit.tasks.ud.test_properties import FEATS, RELATIONS, UPOS, characters, random_file, seeds


def with_empty_nodes(text: str, chance: random.Random) -> str:
    """Return a file with one to three empty nodes in some sentences, behind their first word, and edges of words to them."""
    blocks = []
    for block in text.strip("\n").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n")]
        behind = next(rank for rank, row in enumerate(rows) if row[0] == "1")
        names = [f"1.{rank}" for rank in range(1, chance.randint(1, 4))]
        heads = ["0", "1", *names]
        words = [row for row in rows if "-" not in row[0]]
        for row in chance.sample(words, chance.randint(0, len(words))) if names else ():
            row[8] = "|".join(sorted({*row[8].split("|"), f"{chance.choice(names)}:{chance.choice(RELATIONS)}"}))
        for name in reversed(names):
            edges = {f"{head}:{chance.choice(RELATIONS)}" for head in chance.sample(heads, chance.randint(0, 3)) if head != name}
            rows.insert(behind + 1, [name, *"_______", "|".join(sorted(edges)) or "_", "_"])
        blocks.append("".join("\t".join(row) + "\n" for row in rows))
    return "".join(f"{block}\n" for block in blocks)


def changed(text: str, chance: random.Random) -> str:
    """Return a file with some fields of some rows changed: what it says of other words is as it was."""
    lines = []
    for line in text.splitlines():
        row = line.split("\t")
        if line and "-" not in row[0]:
            for place, values in ((3, UPOS), (5, FEATS), (7, RELATIONS), (8, row[8].split("|"))):
                if chance.random() < 0.1 and ("." not in row[0] or place == 8):
                    row[place] = chance.choice(values)
        lines.append("\t".join(row))
    return "".join(f"{line}\n" for line in lines)


@given(characters, seeds, seeds | st.none(), st.randoms(use_true_random=False))
def test_numbers_are_those_of_the_definitions(text: str, first: int, second: int | None, chance: random.Random) -> None:
    gold = with_empty_nodes(random_file(first, text), chance)
    system = changed(gold, chance) if second is None else with_empty_nodes(random_file(second, text), chance)
    sample = Sample(counted(gold, system).evidence)

    def total(name: str) -> int:
        return int(sample.total(name)[0])

    for name, expected in numbers(read(gold), read(system)).items():
        of, right = name, name
        if name in ("words", "tokens", "sentences"):
            right = f"{name}.correct"
        else:
            of = "content" if name in ("clas", "mlas", "blex") else "edges" if name in ("elas", "eulas") else "words"
        assert (total(f"{of}.gold"), total(f"{of}.system"), total(right)) == expected, name
