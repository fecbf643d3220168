"""The readings of tags against readings written down token by token, as docs/spans.md says them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.tasks.spans.options import Scheme
from pytest_nlpeval.tasks.spans.schemes import Marks, found_schemes, lenient, strict
from pytest_nlpeval.tasks.spans.tags import Meanings, parse_tag, say_no_tag

Found = set[tuple[int, int, str]]
"""Start, end and label of spans, by tokens of the whole file."""

SCHEMES: tuple[Scheme, ...] = ("IOB1", "IOB2", "IOE1", "IOE2", "IOBES")
TAGS = st.sampled_from(["O", *(f"{letter}-{label}" for letter in "BIES" for label in ("X", "Y"))])
FILES = st.lists(st.lists(TAGS, min_size=1, max_size=8), max_size=4)


def marks_of(sentences: list[list[str]]) -> tuple[Marks, tuple[str, ...]]:
    tags = [tag for sentence in sentences for tag in sentence]
    names = sorted(set(tags))
    meanings = Meanings.of(names)
    first = np.cumsum([0, *map(len, sentences)])[:-1]
    return meanings.marks(np.array([names.index(tag) for tag in tags], np.int64), first), meanings.labels


def found_scheme(marks: Marks) -> Scheme:
    (scheme,) = found_schemes(marks, np.zeros(len(marks), np.int64), 1)
    return scheme


def spans(sentences: list[list[str]], scheme: Scheme | None = None) -> Found:
    marks, labels = marks_of(sentences)
    groups = strict(marks, scheme) if scheme else lenient(marks)
    return {
        (start, end, labels[label]) for start, end, label in zip(*(part.tolist() for part in groups.spans(marks)), strict=True)
    }


def by_hand(sentences: list[list[str]], scheme: Scheme | None = None) -> Found:
    found: Found = set()
    offset = 0
    for sentence in sentences:
        parsed = [(tag[0], tag[2:]) for tag in sentence]
        found |= {(offset + start, offset + end, label) for start, end, label in _of_sentence(parsed, scheme)}
        offset += len(sentence)
    return found


def _of_sentence(tags: list[tuple[str, str]], scheme: Scheme | None) -> Found:
    match scheme:
        case None:
            return _lenient(tags)
        case "IOB1":
            return _iob1(tags)
        case "IOB2":
            return _iob2(tags)
        case "IOBES":
            return _iobes(tags)
        case _:
            mirrored = [({"B": "E", "E": "B"}.get(letter, letter), label) for letter, label in reversed(tags)]
            size = len(tags)
            found = _of_sentence(mirrored, "IOB1" if scheme == "IOE1" else "IOB2")
            return {(size - end, size - start, label) for start, end, label in found}


def _lenient(tags: list[tuple[str, str]]) -> Found:
    found: list[tuple[int, int, str]] = []
    before = ("O", "")
    for place, (letter, label) in enumerate(tags):
        if letter in "IE" and before[0] in "BI" and label == before[1]:
            start, _, _ = found.pop()
            found.append((start, place + 1, label))
        elif letter != "O":
            found.append((place, place + 1, label))
        before = letter, label
    return set(found)


def _iob1(tags: list[tuple[str, str]]) -> Found:
    found: list[tuple[int, int, str]] = []
    inside = ""  # the label of the span that the token before is in
    for place, (letter, label) in enumerate(tags):
        if letter == "I" and inside == label:
            start, _, _ = found.pop()
            found.append((start, place + 1, label))
        elif letter == "I" or (letter == "B" and inside == label):
            found.append((place, place + 1, label))
        else:
            inside = ""
            continue
        inside = label
    return set(found)


def _iob2(tags: list[tuple[str, str]]) -> Found:
    found: Found = set()
    for start, (letter, label) in enumerate(tags):
        if letter == "B":
            end = start + 1
            while end < len(tags) and tags[end] == ("I", label):
                end += 1
            found.add((start, end, label))
    return found


def _iobes(tags: list[tuple[str, str]]) -> Found:
    found: Found = set()
    for start, (letter, label) in enumerate(tags):
        if letter == "S":
            found.add((start, start + 1, label))
        if letter == "B":
            end = start + 1
            while end < len(tags) and tags[end] == ("I", label):
                end += 1
            if end < len(tags) and tags[end] == ("E", label):
                found.add((start, end + 1, label))
    return found


@settings(max_examples=500)
@given(FILES)
def test_lenient(sentences: list[list[str]]) -> None:
    assert spans(sentences) == by_hand(sentences)


@settings(max_examples=300)
@given(FILES, st.sampled_from(SCHEMES))
def test_strict(sentences: list[list[str]], scheme: Scheme) -> None:
    assert spans(sentences, scheme) == by_hand(sentences, scheme)


def test_no_span_goes_on_over_the_end_of_a_sentence() -> None:
    assert spans([["B-X", "I-X"], ["I-X"]]) == {(0, 2, "X"), (2, 3, "X")}
    assert spans([["B-X"], ["I-X"]], "IOB2") == {(0, 1, "X")}
    assert spans([["I-X"], ["E-X"]], "IOE2") == {(1, 2, "X")}


Chunk = tuple[str, int]
"""A label and the number of tokens."""


def written(sentences: list[list[Chunk]], scheme: Scheme) -> list[list[str]]:
    """Return the tags of sentences that consist of spans, and of tokens in none, whose label is ""."""
    return [_written(chunks, scheme) for chunks in sentences]


def _written(chunks: list[Chunk], scheme: Scheme) -> list[str]:
    tags: list[str] = []
    for place, (label, size) in enumerate(chunks):
        before, behind = (chunks[near][0] if 0 <= near < len(chunks) else "" for near in (place - 1, place + 1))
        letters = ["I"] * size
        if scheme == "IOB2" or (scheme == "IOB1" and before == label):
            letters[0] = "B"
        if scheme == "IOE2" or (scheme == "IOE1" and behind == label):
            letters[-1] = "E"
        if scheme == "IOBES":
            letters = ["B", *letters[1:-1], "E"] if size > 1 else ["S"]
        tags += [f"{letter}-{label}" if label else "O" for letter in letters]
    return tags


CHUNKS = st.lists(st.lists(st.tuples(st.sampled_from(["", "X", "Y"]), st.integers(1, 3)), min_size=1, max_size=6), max_size=4)


def meant(sentences: list[list[Chunk]]) -> Found:
    found: Found = set()
    place = 0
    for label, size in (chunk for chunks in sentences for chunk in chunks):
        if label:
            found.add((place, place + size, label))
        place += size
    return found


@settings(max_examples=300)
@given(CHUNKS, st.sampled_from(SCHEMES))
def test_valid_files_of_all_schemes_are_read_as_they_are_meant(sentences: list[list[Chunk]], scheme: Scheme) -> None:
    tags = written(sentences, scheme)
    assert spans(tags) == spans(tags, scheme) == meant(sentences)
    marks, _ = marks_of(tags)
    assert strict(marks, scheme).kept.all()
    assert strict(marks, found_scheme(marks)).kept.all()


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_scheme_of_a_file_is_found(scheme: Scheme) -> None:
    sentences = [[("X", 2), ("X", 1), ("", 1), ("X", 1), ("Y", 2), ("", 2)]]
    assert found_scheme(marks_of(written(sentences, scheme))[0]) == scheme


@pytest.mark.parametrize(
    ("tags", "scheme"),
    [
        (["O"], "IOB2"),
        (["I-X"], "IOB1"),
        (["B-X", "I-X"], "IOB2"),
        (["I-X", "B-X"], "IOB1"),
        (["I-X", "B-Y"], "IOB2"),
        (["B-X", "B-X"], "IOB2"),
        (["E-X", "I-X"], "IOE1"),
        (["E-X", "E-X"], "IOE2"),
        (["E-X", "I-Y"], "IOE2"),
        (["B-X", "E-X"], "IOBES"),
        (["S-X"], "IOBES"),
    ],
)
def test_how_a_scheme_is_found(tags: list[str], scheme: str) -> None:
    assert found_scheme(marks_of([tags])[0]) == scheme


def test_tags() -> None:
    letters = {tag: (parse_tag(tag) or (None, ""))[0] for tag in ("B", "I", "E", "S", "L", "U", "M")}
    assert letters["L"] == letters["E"]
    assert letters["U"] == letters["S"]
    assert letters["M"] == letters["I"]
    assert len(set(letters.values()) - {None}) == 4
    assert parse_tag("B") == (letters["B"], "_")
    assert parse_tag("I-creative-work") == (letters["I"], "creative-work")
    assert [
        tag for tag in ("", "o", "b-PER", "PER", "PER-B", "B-", "O-", "X-PER", "BPER", "OO", "O-PER", "-PER") if parse_tag(tag)
    ] == []


def test_what_was_meant_is_said() -> None:
    assert 'write "B-PER"' in say_no_tag("b-PER")
    assert '"B-PER"' in say_no_tag("PER-B")
    assert say_no_tag("o").endswith("write O")
    assert ";" not in say_no_tag("PER").partition("label")[2]


def test_meanings_of_different_tags_are_told_apart() -> None:
    meanings = Meanings.of(["B-a", "I-b", "nothing", "O"])
    assert meanings.labels == ("a", "b")
    assert meanings.bad.tolist() == [False, False, True, False]
    assert all(one != other for one, other in pairwise(meanings.letters[:3].tolist()))


@given(st.lists(FILES, max_size=4))
def test_each_of_several_files_has_the_scheme_that_it_has_alone(files: list[list[list[str]]]) -> None:
    marks, _ = marks_of([sentence for file in files for sentence in file])
    ends = np.cumsum([sum(map(len, file)) for file in files], dtype=np.int64)
    file_of = np.searchsorted(ends, marks.place, side="right")
    assert found_schemes(marks, file_of, len(files)) == [found_scheme(marks_of(file)[0]) for file in files]
