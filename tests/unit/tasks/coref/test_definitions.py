"""CorefUD by the definitions: heads, parts, zeros and all pairings of mentions, against what is read, paired and measured of a file."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.tasks.coref.files import counted, values
from tests.unit.tasks.coref.naive import Entities, Mention, Node, blanc, in_order, match, one_side, overlap, zeros

MOST = 4
"""How many mentions a side has at most: all pairings of them are tried."""

DEPENDENCIES = ("_", "1:nsubj", "1:obj", "2:nsubj", "1:nsubj|2:obj", "0.1:dep")


def nodes_of(words: Sequence[int], chance: random.Random) -> list[list[Node]]:
    """Return the nodes of sentences with so many words; the empty ones are chance's."""
    sentences: list[list[Node]] = []
    for sentence, number in enumerate(words):
        nodes: list[Node] = []
        for word in range(number + 1):
            nodes += [Node(sentence, word, 0, "_")] if word else []
            nodes += [Node(sentence, word, empty, chance.choice(DEPENDENCIES)) for empty in range(1, chance.choice((1, 1, 2, 3)))]
        sentences.append(nodes)
    return sentences


def pieces_of(mention: Mention, nodes: Sequence[Node]) -> list[tuple[int, int]]:
    """Return the first and the last rank of each run of a mention's nodes."""
    ranks = [nodes.index(node) for node in mention.nodes]
    starts = [rank for rank in ranks if rank - 1 not in ranks]
    return list(zip(starts, [rank for rank in ranks if rank + 1 not in ranks], strict=True))


def can_join(entity: Sequence[Mention], mention: Mention, sentences: Sequence[Sequence[Node]]) -> bool:
    """Whether an entity with one more mention can be written: of one sentence one mention has gaps, and the others do not cross."""
    nodes = sentences[mention.head.sentence]
    own = pieces_of(mention, nodes)
    others = [pieces_of(other, nodes) for other in entity if other.head.sentence == mention.head.sentence]
    if len(own) > 1:
        return all(len(pieces) == 1 for pieces in others)
    ((first, last),) = own
    return not any(
        first < pieces[0][0] <= last < pieces[0][1] or pieces[0][0] < first <= pieces[0][1] < last
        for pieces in others
        if len(pieces) == 1
    )


def side_of(words: Sequence[int], chance: random.Random) -> tuple[list[list[Node]], Entities]:
    """Return the nodes and the entities of one side at random."""
    sentences = nodes_of(words, chance)
    entities: list[list[Mention]] = [[], [], []]
    places: set[object] = set()
    for _ in range(chance.randint(0, 2 * MOST)):
        nodes = chance.choice(sentences)
        start = chance.randrange(len(nodes))
        near = nodes[start : start + chance.randint(1, 4)]
        if chance.random() < 0.4:
            near = sorted(chance.sample(near, chance.randint(1, len(near))))
        mention = Mention(tuple(near), chance.choice(near))
        entity = chance.choice(entities)
        if mention.places not in places and len(places) < MOST and can_join(entity, mention, sentences):
            entity.append(mention)
            places.add(mention.places)
    return sentences, [entity for entity in entities if entity]


def written(sentences: Sequence[Sequence[Node]], entities: Entities, chance: random.Random) -> bytes:
    """Return a side as CorefUD; a head that is the first node is at times not written."""
    lines = ["# newdoc id = a", "# global.Entity = eid-etype-head-other"]
    for rank, nodes in enumerate(sentences):
        openings: dict[Node, list[tuple[int, str]]] = {node: [] for node in nodes}
        endings: dict[Node, list[tuple[int, str]]] = {node: [] for node in nodes}
        for number, entity in enumerate(entities):
            for mention in entity:
                if mention.head.sentence != rank:
                    continue
                head = mention.nodes.index(mention.head) + 1
                fields = "" if head == 1 and chance.random() < 0.3 else f"-x-{head}-"
                pieces = pieces_of(mention, nodes)
                for part, (first, last) in enumerate(pieces, 1):
                    name = f"e{number}" + (f"[{part}/{len(pieces)}]" if len(pieces) > 1 else "")
                    whole = ")" if first == last else ""
                    openings[nodes[first]].append((-last if first < last else -len(nodes), f"({name}{fields}{whole}"))
                    if first < last:
                        endings[nodes[last]].append((-first, f"{name})"))
        for node in nodes:
            name = f"{node.word}.{node.empty}" if node.empty else str(node.word)
            chunks = "".join(text for side in (endings, openings) for _, text in sorted(side[node]))
            entity_field = f"Entity={chunks}" if chunks else "_"
            lines.append("\t".join([name, "w", *"______", node.dependencies, entity_field]))
        lines.append("")
    return "".join(f"{line}\n" for line in lines).encode()


def share(above: Fraction | int, below: int) -> float | None:
    return float(Fraction(above) / below) if below else None


@given(
    st.lists(st.integers(1, 4), min_size=1, max_size=2),
    st.randoms(use_true_random=False),
    st.sampled_from(["head", "partial", "exact"]),
    st.sampled_from(["keep", "remove"]),
)
def test_corefud_is_paired_and_measured_as_defined(words: list[int], chance: random.Random, how: str, singletons: str) -> None:
    (gold_nodes, all_gold), (system_nodes, all_system) = (side_of(words, chance) for _ in range(2))
    files = written(gold_nodes, all_gold, chance), written(system_nodes, all_system, chance)
    evidence = counted(*files, match=how, singletons=singletons).evidence
    gold, system = ([e for e in side if singletons == "keep" or len(e) > 1] for side in (all_gold, all_system))
    mentions = [in_order([mention for entity in side for mention in entity]) for side in (gold, system)]
    pairs = match(mentions[0], mentions[1], how)
    count = {name: evidence.column(name).item() for name in evidence.columns}
    assert (count["pairs"], count["gold.mentions"], count["system.mentions"]) == (len(pairs), *map(len, mentions))
    assert count["overlap"] == overlap(*mentions)
    assert {name: count[f"zeros.{name}"] for name in ("tp", "wl", "fn", "fp")} == zeros(gold, system, pairs)
    partners = {own: other for other, own in pairs.items()}
    named: list[list[set[object]]] = [
        [{("gold", mention) for mention in entity} for entity in gold],
        [{("gold", partners[m]) if m in partners else ("system", m) for m in entity} for entity in system],
    ]
    found = values(evidence, match=how, singletons=singletons)
    for figure, (own, other) in (("recall", named), ("precision", named[::-1])):
        for name, value in one_side(own, other).items():
            assert found[f"{name}.{figure}"] == (None if value is None else pytest.approx(float(value), abs=1e-12)), name
    expected = blanc(*named)
    for rank, figure in enumerate(("precision", "recall", "f1")):
        assert found[f"blanc.{figure}"] == (pytest.approx(float(expected[rank]), abs=1e-12) if expected else None), figure
