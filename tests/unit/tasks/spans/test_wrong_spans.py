from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.explanations import LONGEST_PASSAGE, Explanation, Explanations, Omitted, Passage, Span
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.shelf import ROOM, SURE
from pytest_nlpeval.tasks.spans import TASK
from pytest_nlpeval.tasks.spans.options import make_options
from pytest_nlpeval.tasks.spans.sentences import Sentences
from pytest_nlpeval.tasks.spans.strings import Strings
from pytest_nlpeval.tasks.spans.wrong_spans import Reason, bearing
from tests.unit.tasks.spans.files import Tagged, conll, counted, evidence_of, explained, json_lines, read, scores_of, tagged

JSONL = make_options(format="jsonl")


def test_every_error_with_label_and_text_of_both() -> None:
    gold = tagged("a/B-X b/I-X c/O d/B-Y e/O f/B-X", "g/B-Y h/I-Y i/B-X")
    system = tagged("a/B-X b/O c/O d/B-X e/B-Z f/O", "g/B-X h/O i/B-X")
    found = explained(gold, system)
    assert [(entry.unit, entry.line, entry.reason, entry.message) for entry in found] == [
        ("1", 1, "boundary", 'X "a b" is X "a"'),
        ("1", 4, "label", 'Y "d" is X "d"'),
        ("1", 5, "spurious", 'Z "e" is not in gold'),
        ("1", 6, "missed", 'X "f" is missed'),
        ("8", 8, "label-and-boundary", 'Y "g h" is X "g"'),
    ]
    assert [(entry.gold, entry.system) for entry in found[:3]] == [('X "a b"', 'X "a"'), ('Y "d"', 'X "d"'), ("", 'Z "e"')]
    assert [entry.kind for entry in found] == ["boundary", "wrong-value", "spurious", "missed", "wrong-value"]


def test_passages_mark_both_sides_in_their_sentence() -> None:
    _, *_, last = explained(
        tagged("x/O", "Anna/B-P Kövér/I-P left/O", "b/B-P"), tagged("x/B-P", "Anna/O Kövér/B-P left/O", "b/B-P")
    )
    assert last.passage is not None
    assert last.passage._asdict() == {"text": "Anna Kövér left", "gold": ((0, 10),), "system": ((5, 10),)}


SENTENCES = st.lists(
    st.lists(st.tuples(st.text("aö€😀", min_size=1, max_size=9), st.sampled_from(["O", "B-X", "I-X"])), min_size=1, max_size=9),
    min_size=1,
    max_size=4,
)


@given(SENTENCES)
def test_a_passage_is_the_sentence_and_marks_the_tokens_of_the_span(sentences: Tagged) -> None:
    nothing = [[(word, "O") for word, _ in sentence] for sentence in sentences]
    expected = [(" ".join(word for word, _ in sentence), [run]) for sentence in sentences for run in runs_of(sentence)]
    missed = [entry.passage for entry in explained(conll(sentences), conll(nothing))]
    spurious = [entry.passage for entry in explained(conll(nothing), conll(sentences))]
    assert [(passage.text, marked(passage, passage.gold)) for passage in missed if passage] == expected
    assert [(passage.text, marked(passage, passage.system)) for passage in spurious if passage] == expected


PLACES = st.integers(0, 1_200)


@given(
    st.lists(st.sampled_from(["a", "ö€", "b" * 500]), min_size=1_201, max_size=1_201),
    st.lists(st.tuples(PLACES, PLACES, st.booleans())),
)
@settings(max_examples=50)
def test_the_passage_of_a_long_sentence_is_that_of_all_its_tokens(words: list[str], marks: list[tuple[int, int, bool]]) -> None:
    sides = [[(min(a, b), max(a, b) + 1) for a, b, is_gold in marks if is_gold is side] for side in (True, False)]
    whole = " ".join(words)
    before = [0, *accumulate(len(word) + 1 for word in words)]
    expected = Passage.cut(whole, *([(before[low], before[high] - 1) for low, high in side] for side in sides))
    gold, system = map(tuple, sides)
    assert sentence_of(words).passage(0, gold, system) == expected


def test_no_passage_looks_at_all_tokens_of_a_long_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    between = Strings.between

    def counted_between(strings: Strings, low: int, high: int) -> list[str]:
        sizes.append(high - low)
        return between(strings, low, high)

    monkeypatch.setattr(Strings, "between", counted_between)
    page = sentence_of(["word"] * 5_000)
    for place in range(0, 5_000, 100):
        page.passage(0, ((place, place + 1),), ())
    assert max(sizes) == 2 * LONGEST_PASSAGE


def sentence_of(words: list[str]) -> Sentences:
    """A sentence of these words, as a file has it with one on each line."""
    encoded = [word.encode() for word in words]
    lengths = np.array([len(word) for word in encoded])
    starts = np.cumsum(lengths + 1) - lengths - 1
    return Sentences(Strings(b"\n".join(encoded), starts, lengths), np.arange(len(words)) + 1, np.zeros(1, np.int64))


def marked(passage: Passage, spans: Iterable[Span]) -> list[str]:
    return [passage.text[start:end] for start, end in spans]


def runs_of(sentence: list[tuple[str, str]]) -> list[str]:
    """The words of each span; `B` always begins one, `I` goes on with one, or begins one."""
    runs: list[list[str]] = []
    before = "O"
    for word, tag in sentence:
        if tag == "B-X" or (tag == "I-X" and before == "O"):
            runs.append([])
        if tag != "O":
            runs[-1].append(word)
        before = tag
    return [" ".join(run) for run in runs]


def test_offsets_in_passages_are_those_of_the_record() -> None:
    gold = json_lines({"text": "Anna", "spans": []}, {"text": "so Ott", "spans": [[3, 6, "A"]]})
    (entry,) = explained(gold, json_lines({"spans": []}, {"spans": [[0, 4, "A"]]}), JSONL)
    assert entry.passage is not None
    assert entry.passage._asdict() == {"text": "so Ott", "gold": ((3, 6),), "system": ((0, 4),)}
    assert (entry.unit, entry.line) == ("2", 2)


def test_what_a_record_misses_has_its_line_and_a_missing_record_none() -> None:
    gold = json_lines({"id": "a", "text": "Anna", "spans": [[0, 4, "A"]]}, {"id": "b", "text": "Ott", "spans": [[0, 3, "A"]]})
    documents: dict[str, object] = {}
    for role, text in (("gold", gold), ("system", json_lines({"id": "b", "spans": []}))):
        documents[role], _ = read(role, text, JSONL, documents, {"spans.missing": "off"})
    found = TASK.count(documents, JSONL, ProblemLog("", TASK.problems)).explanations
    assert [(entry.unit, entry.line) for entry in found if isinstance(entry, Explanation)] == [("a", None), ("b", 1)]


def test_items_are_the_same_whatever_the_system_says_of_them() -> None:
    gold = tagged("a/B-X b/I-X c/O")
    one, other = (explained(gold, tagged(system))[0] for system in ("a/B-X b/O c/O", "a/O b/O c/O"))
    assert one.item == other.item == "1 0-2 X"
    (spurious,) = explained(tagged("a/O b/O"), tagged("a/O b/B-X"))
    assert spurious.item == "1 1-2 X spurious"


def test_spans_of_one_extent_and_label_are_paired_first() -> None:
    gold = json_lines({"text": "abcdef", "spans": [[0, 4, "A"], [0, 4, "B"]]})
    (entry,) = explained(gold, json_lines({"spans": [[0, 4, "B"], [3, 6, "A"]]}), JSONL)
    assert entry.message == 'A "abcd" is A "def"'


def test_of_very_many_the_first_are_written_out_and_some_of_each_reason() -> None:
    size = ROOM + 3 * SURE
    gold = tagged(*["a/B-X b/O"] * size, *["a/B-X b/I-X"] * 2 * SURE)
    system = tagged(*["a/O b/O"] * size, *["a/B-X b/O"] * 2 * SURE)
    found = list(counted(gold, system).explanations)
    assert [entry for entry in found if isinstance(entry, Omitted)] == [Omitted("missed", 3 * SURE), Omitted("boundary", SURE)]
    assert Explanations.of(found).counts == {"missed": size, "boundary": 2 * SURE}


REASONS: dict[Reason, tuple[list[str], list[str]]] = {
    "label": (["B-X", "O"], ["B-Y", "O"]),
    "boundary": (["B-X", "I-X"], ["B-X", "O"]),
    "label-and-boundary": (["B-X", "I-X"], ["B-Y", "O"]),
    "missed": (["B-X", "O"], ["O", "O"]),
    "spurious": (["O", "O"], ["B-Y", "O"]),
}


@pytest.mark.parametrize("why", REASONS)
def test_measures_that_an_error_bears_on_are_those_that_are_better_without_it(why: Reason) -> None:
    """In a file with right spans of both labels, the error is put right as far as it can be: the system says what gold says."""
    before = ["c/B-X d/O e/B-Y", "c/B-Y d/B-X e/O"]
    gold, system = (" ".join(f"{token}/{tag}" for token, tag in zip("ab", tags, strict=True)) for tags in REASONS[why])
    (entry,) = explained(tagged(*before, gold), tagged(*before, system))
    assert entry.reason == why
    wrong, right = (scores_of(evidence_of(tagged(*before, gold), tagged(*before, said))) for said in (system, gold))
    assert {name for name in wrong if entry.bears_on(name)} == {name for name, value in wrong.items() if value != right[name]}


@given(st.sampled_from(["a[b]", "a?", "!x", "a.b"]))
@settings(max_examples=10)
def test_labels_in_patterns_stand_for_themselves(label: str) -> None:
    patterns = bearing("missed", label, "")
    assert any(fnmatchcase(f"{label}.recall", pattern) for pattern in patterns)
    assert not any(fnmatchcase("ab.recall", pattern) for pattern in patterns)
