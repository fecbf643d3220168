"""Enhanced edges: which words a path from 0 reaches, how many edges a word may have, and what is told of whole files."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.ud import enhanced
from tests.unit.tasks.ud import naive
from tests.unit.tasks.ud.files import conllu, document, read
from tests.unit.tasks.ud.test_definitions import with_empty_nodes
from tests.unit.tasks.ud.test_messages import told
from tests.unit.tasks.ud.test_properties import characters, random_file, seeds
from tests.unit.tasks.ud.test_table_of_problems import GO, deps

HEADS = st.lists(st.sets(st.integers(0, 6), max_size=3), min_size=1, max_size=6)


def sentence(heads: list[set[int]]) -> str:
    """Return a sentence of a word for each set of heads."""
    number = len(heads)
    edges = ("|".join(f"{head}:{'dep' if head else 'root'}" for head in sorted(own) if head <= number) or "_" for own in heads)
    return deps(*edges)


def unreached(heads: list[set[int]]) -> list[int]:
    """Return the words that no path from 0 reaches, step by step."""
    reached = {0}
    while more := {word for word, own in enumerate(heads, 1) if own & reached} - reached:
        reached |= more
    return [word for word in range(1, len(heads) + 1) if word not in reached]


@given(st.lists(HEADS, min_size=1, max_size=3))
@example([[{0}, {3, 4}, {2}, {1}]])
@example([[{0}, {3}, {2}, {1}, {4}], [{2}, {1}], [{0}]])
def test_the_first_word_of_each_sentence_that_no_path_from_0_reaches_is_told(sentences: list[list[set[int]]]) -> None:
    """Where the sentence has any edge: one without is told once, if others have some."""
    own = [[{head for head in heads if head <= len(words)} for heads in words] for words in sentences]
    expected, line, missing = [], 0, []
    for words in own:
        if not any(words):
            missing.append(f"{line + 1}: ud.deps-missing")
        elif lost := unreached(words):
            expected.append(f"{line + lost[0]}: ud.deps-graph")
        line += len(words) + 1
    expected += missing[:1] if len(missing) < len(own) else []
    _, problems = read("gold", "".join(map(sentence, own)))
    found = [problem for problem in problems if problem.endswith(("graph", "missing"))]
    assert sorted(found) == sorted(expected)


def test_an_empty_node_leads_on_and_is_told_if_nothing_leads_to_it() -> None:
    rows = ("1 a a X _ _ 0 root 0:root", "1.1 x _ _ _ _ _ _ 2:dep", "2 b b X _ _ 1 dep 1.1:dep")
    assert read("gold", conllu(rows))[1] == ["2: ud.deps-graph"], "both are in a circle, and the node stands first"
    assert read("gold", conllu((*rows, "3 c c X _ _ 1 dep 1:dep")))[1] == ["2: ud.deps-graph"], "whatever is reached behind them"
    assert read("gold", conllu((rows[0], "1.1 x _ _ _ _ _ _ 1:dep|2:dep", rows[2])))[1] == []
    assert read("gold", conllu(GO, ("0.1 x _ _ _ _ _ _ _", GO[0])))[1] == ["1: ud.deps-missing", "3: ud.deps-graph"]


@pytest.mark.parametrize(("number", "codes"), [(3, []), (4, ["5: ud.paths"])])
def test_a_word_has_a_bounded_number_of_edges(monkeypatch: pytest.MonkeyPatch, number: int, codes: list[str]) -> None:
    monkeypatch.setattr(enhanced, "MOST_PATHS", 3)
    edges = "|".join(f"{head}:dep" for head in range(1, 5) if head <= number)
    assert read("gold", deps("0:root", "1:dep", "1:dep", "1:dep", edges))[1] == codes


def edges_of(text: str) -> list[tuple[int, int, str]]:
    """Return word, head and labels of each edge of a file, in the order of words."""
    edges = document(text).edges
    assert edges.word.tolist() == sorted(edges.word.tolist())
    labels = map(edges.paths.text, edges.path.tolist())
    return list(zip(edges.word.tolist(), edges.head.tolist(), labels, strict=True))


def test_edges_are_those_that_are_written_each_once() -> None:
    """A subtype is part of the label."""
    text = deps("0:root", "_") + deps("0:root", "0:root>conj|1:dep:x|1:obj|1:obj", "10:dep", *["1:dep"] * 7)
    root = 2 + 10
    expected = [(0, root, "root"), (2, root, "root"), (3, root, "root>conj"), (3, 2, "dep:x"), (3, 2, "obj"), (4, 11, "dep")]
    assert edges_of(deps("_", "_")) == []
    assert sorted(edges_of(text)) == sorted([*expected, *((word, 2, "dep") for word in range(5, 12))])


@given(characters, seeds, st.randoms(use_true_random=False))
def test_edges_lead_through_empty_nodes(text: str, seed: int, chance: random.Random) -> None:
    """As paths that pass each node at most once."""
    written = with_empty_nodes(random_file(seed, text), chance)
    words = naive.read(written).words
    place: dict[naive.Word | None, int] = {word: rank for rank, word in enumerate(words)} | {None: len(words)}
    expected = [(rank, place[head], label) for rank, word in enumerate(words) for head, label in word.edges]
    assert sorted(edges_of(written)) == sorted(expected)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("x:dep", '"x:dep" is no edge; expected head:label, or `_` for no edges'),
        ("1:", '"1:" is no edge; expected head:label, or `_` for no edges'),
        ("1:dep|01:dep", '"01:dep" is no edge; expected head:label, or `_` for no edges'),
    ],
)
def test_the_edge_that_cannot_be_read_is_told(written: str, message: str) -> None:
    assert told(deps("0:root", written))[0] == (19, message)


@pytest.mark.parametrize("written", ["1:conj|1:dep>foo:x", "1:foo", "1:foo:x>conj", "1:conj>dep|1:foo"])
def test_the_relation_that_is_unknown_is_told_without_its_subtype(written: str) -> None:
    ((column, message),) = told(deps("0:root", written))
    assert (column, message.partition(";")[0]) == (19, '"foo" is no universal relation')
