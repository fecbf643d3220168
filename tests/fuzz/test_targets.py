"""Every target bears its seeds and whatever once made it fail: a file in `findings/<target>/` is a test."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from zlib import crc32

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pytest_nlpeval import evaluate
from pytest_nlpeval.measures import Score
from pytest_nlpeval.problems import Problem
from tests.fuzz import task_targets
from tests.fuzz.parts import SIGN, crossed, joined, mutated, restructured, split
from tests.fuzz.targets import TARGETS
from tests.fuzz.task_targets import check_result, check_variants, suite_of_input
from tests.fuzz.variants import same, shorter

FINDINGS = Path(__file__).parent / "findings"
FOUND = sorted(path for path in FINDINGS.glob("*/*") if path.is_file())

STEP = 5
"""Of the test cases, which are seeds, every fifth: tests of their own run them all."""

PARTS = st.dictionaries(
    st.sampled_from(["options", "gold.tsv", "gold2.txt", "system.jsonl"]), st.binary().filter(lambda data: SIGN not in data)
)


@pytest.mark.parametrize("name", TARGETS)
def test_a_target_bears_its_seeds(name: str) -> None:
    seeds = list(TARGETS[name].seeds())
    assert seeds
    for seed in seeds[::STEP]:
        TARGETS[name].run(seed)


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.relative_to(FINDINGS).as_posix())
def test_what_was_found_does_not_come_back(path: Path) -> None:
    TARGETS[path.parent.name].run(path.read_bytes())


def test_findings_are_of_targets() -> None:
    assert {path.parent.name for path in FOUND} <= TARGETS.keys()


def test_a_result_that_breaks_a_promise_is_a_failure() -> None:
    parts = {"gold.tsv": b"id\tlabel\n1\ta\n", "system.tsv": b"id\tlabel\n1\ta\n"}
    suite = suite_of_input("labels", joined(parts))
    assert suite is not None
    result = evaluate(suite)
    assert result.outcome == "ok"
    check_result(result, parts)
    (case,) = result.cases
    behind = Problem("x", "warning", "gold", 4, None, "", "a message")
    for broken in (
        replace(result, scores={"accuracy": Score(None)}),
        replace(result, scores={"accuracy": Score(float("nan"))}),
        replace(result, evidence=None),
        replace(result, cases=(replace(case, outcome="failed"),)),
        replace(result, cases=(replace(case, problems={"gold": (behind,)}),)),
        replace(result, cases=(replace(case, problems={"gold": (replace(behind, line=1, message=""),)}),)),
    ):
        with pytest.raises(AssertionError):
            check_result(broken, parts)


LINES = {
    "options": b"{}",
    "gold.jsonl": b'{"id": "1", "label": "a"}\n{"id": "2", "label": "b"}\n',
    "system.tsv": b"id\tlabel\n1\ta\n2\ta\n",
}


def test_variants_of_an_input() -> None:
    variants = {json.dumps([content.decode() for content in (same(LINES, Random(seed)) or {}).values()]) for seed in range(40)}
    expected = [
        {"gold.jsonl": b"\xef\xbb\xbf" + LINES["gold.jsonl"]},
        {"system.tsv": b"\xef\xbb\xbf" + LINES["system.tsv"]},
        {"system.tsv": LINES["system.tsv"].replace(b"\n", b"\r\n")},
        {"gold.jsonl": b'{"label": "a", "id": "1"}\n{"label": "b", "id": "2"}\n'},
    ]
    assert variants == {json.dumps([content.decode() for content in {**LINES, **change}.values()]) for change in expected} | {
        "[]"
    }
    lengths = {sum(map(len, (shorter(LINES, Random(seed)) or {}).values())) for seed in range(40)}
    whole = sum(map(len, LINES.values()))
    assert lengths == {0, whole - len(LINES["gold.jsonl"]) // 2, whole - len(b"id\tlabel\n"), whole - len(b"1\ta\n")}


@pytest.mark.parametrize(("variant", "message"), [(same, "counted otherwise"), (shorter, "misses a line")])
def test_a_variant_that_is_counted_as_it_must_not_be_is_a_failure(
    variant: Callable[..., object], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    suite = suite_of_input("labels", joined(LINES))
    assert suite is not None
    result = evaluate(suite, explain=True)
    other = {**LINES, "system.tsv": LINES["system.tsv"].replace(b"1\ta", b"1\tb")} if variant is same else LINES
    monkeypatch.setattr(task_targets, variant.__name__, lambda *_: other)
    drawn = [data for filler in range(8) if crc32(data := joined({**LINES, "filler": b"%d" % filler})) % 2 == (variant is same)]
    with pytest.raises(AssertionError, match=message):
        check_variants("labels", drawn[0], result)


@given(PARTS)
def test_parts_come_back(parts: dict[str, bytes]) -> None:
    assert split(joined(parts)) == parts


def test_json_is_changed_by_its_values() -> None:
    lines = b'{"a": [1, {"b": 2}]}\n{"c": "x"}\n'
    changed = [restructured(lines, Random(seed)) or b"" for seed in range(50)]
    assert len(set(changed)) > 20
    assert all(len([json.loads(line) for line in text.splitlines()]) == 2 for text in changed)
    assert [restructured(content, Random(0)) for content in (b"a\t1\n", b"", b"[" * 2000, b"{")] == [None] * 4


@given(PARTS, PARTS, st.integers(0, 2**32), st.integers(1, 200))
@example({"options": b"\0", "gold.tsv": b""}, {}, 31, 11)  # the draw of this seed changes the input as a whole
def test_mutation_and_crossing_keep_to_the_size_and_to_the_names(
    one: dict[str, bytes], other: dict[str, bytes], seed: int, size: int
) -> None:
    given_to_mutate = []

    def reverse(data: bytes, most: int) -> bytes:
        given_to_mutate.append(data)
        return data[::-1][:most]

    changed = mutated(joined(one), size, seed, reverse)
    both = crossed(joined(one), joined(other), size, seed)
    assert len(changed) <= size
    assert len(both) <= size
    assert all(any(name.startswith(part) for name in one) for part in split(both)) or not one
    if given_to_mutate != [joined(one)]:
        assert all(any(name.startswith(part) for name in one) for part in split(changed)) or not one
