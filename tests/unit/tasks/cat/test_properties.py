"""What holds for all documents, whatever they say."""

from __future__ import annotations

from random import Random

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.metrics.temporal import TemporalGraph, TemporalLink
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.standard.selection import type_of
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Relation, Tokens
from tests.unit.tasks.cat.judging import DOCUMENTS, EVERYTHING, PAIRS, PAIRS_WITHOUT_EMPTY, TOKENS, judge, selected, shares_of

CONFIGURATIONS = st.sampled_from(EVERYTHING)
SENTENCES = st.sampled_from((1, 2, "all"))
RELATIONS = ("TLINK", "PLOT", "LOOSE", "REFERS")
ROWS = [f"{name}.{row}" for name in ("EVENT", "TIMEX3", *RELATIONS) for row in ("strict", "relaxed")]
TEMPEVAL = "TLINK.tempeval"


@given(DOCUMENTS, CONFIGURATIONS, SENTENCES)
def test_gold_against_itself_scores_1(side: Document, configuration: Configuration, sentences: int | str) -> None:
    found = judge(configuration, side, side, sentences=sentences)
    assert set(shares_of(found.evidence).values()) <= {1, None}
    for row in (*ROWS, TEMPEVAL):
        tp, gold, system = found.row(row)
        assert tp == gold == system
        assert found.value(f"{row}.fp") == found.value(f"{row}.fn") == 0
        assert (found.value(f"{row}.f1") is None) == (gold == 0)
    assert found.explanations.counts.keys() <= {"tlink-inconsistent"}


@given(PAIRS, CONFIGURATIONS, SENTENCES)
def test_whatever_lowers_a_measure_is_explained_and_nothing_else(
    pair: tuple[Document, Document], configuration: Configuration, sentences: int | str
) -> None:
    found = judge(configuration, *pair, sentences=sentences)
    explanations = [entry for entry in found.explanations.first if entry.reason != "tlink-inconsistent"]
    for measure, score in found.scores.items():
        row, _, name = measure.rpartition(".")
        if name == "f1":
            is_explained = any(entry.bears_on(measure) for entry in explanations)
            assert is_explained == bool(found.value(f"{row}.fp") or found.value(f"{row}.fn")), measure
        elif row.endswith(".attribute") and score.value is not None:
            f1 = found.value(f"{row.removesuffix('.attribute')}.f1")
            assert score.value == f1 or any(entry.bears_on(measure) for entry in explanations), measure


@given(PAIRS, CONFIGURATIONS, SENTENCES)
def test_counts_are_ordered(pair: tuple[Document, Document], configuration: Configuration, sentences: int | str) -> None:
    found = judge(configuration, *pair, sentences=sentences)
    for row in ROWS:
        tp, ours, theirs = found.row(row)
        assert 0 <= tp <= min(ours, theirs)
    for name in ("EVENT", "TIMEX3", *RELATIONS):
        strict, relaxed = found.row(f"{name}.strict"), found.row(f"{name}.relaxed")
        assert strict[0] <= relaxed[0]
        assert strict[1:] == relaxed[1:]
    assert all(matched <= total for matched, total in found.sides(TEMPEVAL))
    for column, number in found.counts.items():
        row, separator, _ = column.partition(".attribute.")
        assert not separator or number <= found.counts[f"{row}.tp"]
    assert all(value is None or 0 <= value <= 1 for value in shares_of(found.evidence).values())


@given(PAIRS, CONFIGURATIONS)
def test_exchanging_the_sides_exchanges_what_they_have(pair: tuple[Document, Document], configuration: Configuration) -> None:
    """Not in the relaxed rows, where ties go by gold order first."""
    found, back = judge(configuration, *pair), judge(configuration, *pair[::-1])
    for row in (row for row in ROWS if row.endswith("strict")):
        tp, ours, theirs = found.row(row)
        assert back.row(row) == (tp, theirs, ours)
    assert found.sides(TEMPEVAL) == back.sides(TEMPEVAL)[::-1]


def renamed(side: Document, prefix: str) -> Document:
    """The same document with other ids, whose order is the reverse."""
    names = {name: f"{prefix}{len(side.markables) - rank:02}" for rank, name in enumerate(side.markables)}
    markables = {names[name]: markable._replace(id=names[name]) for name, markable in side.markables.items()}
    relations = (
        relation._replace(
            id=f"q{rank}",
            sources=tuple(names[end] for end in relation.sources),
            targets=tuple(names[end] for end in relation.targets),
        )
        for rank, relation in enumerate(side.relations)
    )
    return Document(side.tokens, markables, tuple(relations))


@given(PAIRS, CONFIGURATIONS, SENTENCES)
def test_ids_do_not_matter(pair: tuple[Document, Document], configuration: Configuration, sentences: int | str) -> None:
    found = judge(configuration, *pair, sentences=sentences)
    other = judge(configuration, *(renamed(side, "m") for side in pair), sentences=sentences)
    assert found.counts == other.counts
    assert found.explanations.counts == other.explanations.counts
    assert found.items == other.items


def consistent(side: Document, configuration: Configuration) -> bool:
    """Whether no TLINK contradicts the others."""
    links = [TemporalLink(link.source, link.target, type_of(link.relation)) for link in selected(side, configuration)[0].tlinks]
    known = [link for link in links if link.type not in {"X", ""} and link.source != link.target]
    return not TemporalGraph(known).violated


def overlapping_groups(side: Document) -> bool:
    """Whether a mention may stand in the groups of several targets."""
    targets: dict[str, set[str]] = {}
    for relation in side.relations:
        for source in relation.sources if relation.name == "REFERS" else ():
            targets.setdefault(source, set()).update(relation.targets)
    return any(len(of_source) > 1 for of_source in targets.values())


@given(PAIRS, CONFIGURATIONS, st.integers(0, 1000))
def test_the_order_of_relations_does_not_matter(pair: tuple[Document, Document], configuration: Configuration, seed: int) -> None:
    """But for TLINKs that contradict each other, and for mentions of two groups: there the first one stays."""
    gold, system = pair
    relations = list(system.relations)
    Random(seed).shuffle(relations)
    found, other = (
        judge(configuration, gold, side).counts for side in (system, Document(system.tokens, system.markables, tuple(relations)))
    )
    free = set[str]()
    if not consistent(system, configuration):
        free |= {column for column in found if column.startswith(TEMPEVAL)}
    if overlapping_groups(system):
        free |= {column for column in found if column.startswith("REFERS")}
    assert {column: number for column, number in found.items() if column not in free} == {
        column: number for column, number in other.items() if column not in free
    }


def alike(side: Document) -> bool:
    """Whether two markables of a NAME have the same extent, or are both empty."""
    places = [(markable.name, frozenset(markable.tokens)) for markable in side.markables.values()]
    return len(set(places)) < len(places)


@given(PAIRS, CONFIGURATIONS, st.integers(0, 1000))
def test_the_order_of_markables_does_not_matter_to_strict_matches(
    pair: tuple[Document, Document], configuration: Configuration, seed: int
) -> None:
    """How many markables match strictly never depends on it; the strict rows of relations do not, without markables alike."""
    gold, system = pair
    markables = list(system.markables.items())
    Random(seed).shuffle(markables)
    found, other = (
        judge(configuration, gold, side).counts for side in (system, Document(system.tokens, dict(markables), system.relations))
    )
    compared = [column for column in found if ".attribute." not in column and "relaxed" not in column]
    if alike(gold) or alike(system):
        compared = [column for column in compared if column.startswith(("EVENT", "TIMEX3"))]
    assert [found[column] for column in compared] == [other[column] for column in compared]


def joined(one: Document, other: Document) -> Document:
    """Two documents as one: the tokens of the second behind those of the first."""
    number = len(one.tokens.ids)
    tokens = Tokens(
        (*one.tokens.ids, *(f"x{name}" for name in other.tokens.ids)),
        one.tokens.texts + other.tokens.texts,
        one.tokens.sentences + other.tokens.sentences,
    )
    moved = renamed(other, "x")
    markables = {
        name: markable._replace(tokens=tuple(number + rank for rank in markable.tokens))
        for name, markable in moved.markables.items()
    }
    return Document(tokens, {**one.markables, **markables}, one.relations + moved.relations)


@given(PAIRS_WITHOUT_EMPTY, PAIRS_WITHOUT_EMPTY, CONFIGURATIONS, SENTENCES)
def test_documents_add_up(
    one: tuple[Document, Document], other: tuple[Document, Document], configuration: Configuration, sentences: int | str
) -> None:
    """Also as one document, if no empty markable can be taken for one of the other part."""
    first, second = (judge(configuration, *pair, sentences=sentences) for pair in (one, other))
    together = judge(configuration, joined(one[0], other[0]), joined(one[1], other[1]), sentences=sentences)
    sums = {column: number + second.counts[column] for column, number in first.counts.items()}
    assert together.counts == sums
    merged = Evidence.merge([first.evidence.named("a"), second.evidence.named("b")])
    assert shares_of(merged) == shares_of(together.evidence)


# The profile `nwr2014`


@st.composite
def tame(draw: st.DrawFn) -> Document:
    """Documents in which the profiles do not differ: no two markables on a token, no relation said twice or of another NAME."""
    extents = draw(st.lists(st.sampled_from(((0,), (1,), (2, 3), (4,), (5,))), min_size=1, unique=True))
    names = [draw(st.sampled_from(("EVENT", "TIMEX3"))) for _ in extents]
    values = st.sampled_from(("", "A", "b"))
    markables = {
        str(rank): Markable(str(rank), name, extent, {"class" if name == "EVENT" else "type": draw(values)}, None)
        for rank, (name, extent) in enumerate(zip(names, extents, strict=True))
    }
    ends = st.tuples(st.sampled_from(list(markables)), st.sampled_from(list(markables))).filter(lambda pair: pair[0] != pair[1])
    pairs = draw(st.lists(ends, unique_by=frozenset, max_size=8)) if len(markables) > 1 else []
    kinds = st.sampled_from(("BEFORE", "AFTER", "INCLUDES", "IBEFORE", "ENDS"))
    relations = [
        Relation(f"r{rank}", draw(st.sampled_from(("TLINK", "PLOT"))), (one,), (other,), {"relType": draw(kinds)}, None)
        for rank, (one, other) in enumerate(pairs)
    ]
    return Document(TOKENS, markables, tuple(relations))


def between_times(side: Document) -> bool:
    return any({side.markables[end].name for end in (*r.sources, *r.targets)} == {"TIMEX3"} for r in side.relations)


@given(tame(), CONFIGURATIONS)
def test_perfect_output_has_the_same_figures_in_both_profiles(side: Document, configuration: Configuration) -> None:
    assume(not between_times(side))
    standard, original = (judge(configuration, side, side, profile=p, sentences="all") for p in ("standard", "nwr2014"))
    for row in (row for row in ROWS if not row.startswith("REFERS")):
        assert original.row(row) == standard.row(row)
    tp, gold, system = original.row(TEMPEVAL)
    assert tp == gold == system >= standard.row(TEMPEVAL)[0]  # the reduction in file order may keep more
    assert set(shares_of(original.evidence, profile="nwr2014").values()) <= {1, 0, None}


@given(tame(), tame(), CONFIGURATIONS)
def test_markables_one_to_one_by_nature_have_the_same_figures_in_both_profiles(
    gold: Document, system: Document, configuration: Configuration
) -> None:
    standard, original = (judge(configuration, gold, system, profile=p, sentences="all").counts for p in ("standard", "nwr2014"))
    columns = [column for column in standard if column.startswith(("EVENT", "TIMEX3"))]
    assert {column: original[column] for column in columns} == {column: standard[column] for column in columns}


@settings(max_examples=50)
@given(PAIRS, CONFIGURATIONS)
def test_the_original_finds_something_wherever_the_standard_does(
    pair: tuple[Document, Document], configuration: Configuration
) -> None:
    """Whatever is not one-to-one there finds at least as much, of markables that it keeps."""
    contiguous = [Document(side.tokens, {n: m for n, m in side.markables.items() if len(m.tokens) == 1}, ()) for side in pair]
    standard, original = (judge(configuration, *contiguous, profile=p, sentences="all").counts for p in ("standard", "nwr2014"))
    for name in ("EVENT", "TIMEX3"):
        for row in ("strict", "relaxed"):
            assert original[f"{name}.{row}.gold_matched"] >= standard[f"{name}.{row}.gold_matched"]
