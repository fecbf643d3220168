"""Which files belong together by their names."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval.run.recognition.sides import Paths, pairs_of
from tests.support import write


def made(folder: Path, *names: str) -> Path:
    return write(folder, dict.fromkeys(names, ""))


@pytest.mark.parametrize(
    ("golds", "systems", "expected"),
    [
        (["a.x", "b.x"], ["a.x", "b.x"], [("gold/{doc}.x", "out/{doc}.x", "")]),
        (["a-key.x", "b-key.x"], ["a.y", "b.y"], [("gold/{doc}-key.x", "out/{doc}.y", "")]),
        (["gold_1.x", "gold_2.x"], ["pred_1.x", "pred_2.x"], [("gold/gold_{doc}.x", "out/pred_{doc}.x", "")]),
        (["a.b.x", "c.b.x"], ["a.b.x", "c.b.x"], [("gold/{doc}.b.x", "out/{doc}.b.x", "")]),
        (["n-1.x", "n-2.x", "m-1.x"], ["n-1.x", "n-2.x", "m-1.x"], [("gold/{doc}.x", "out/{doc}.x", "")]),
        (["a.x", "b.x", ".hidden", "a.x~"], ["a.x", "b.x", "README.md"], [("gold/{doc}.x", "out/{doc}.x", "")]),
        (["a.x", "b.x"], ["ours/a.x", "ours/b.x", "old/a.x", "old/b.x"],
         [("gold/{doc}.x", "out/old/{doc}.x", "old"), ("gold/{doc}.x", "out/ours/{doc}.x", "ours")]),
        (["t.x"], ["t-ours.x", "t-old.x"], [("gold/t.x", "out/t-old.x", "old"), ("gold/t.x", "out/t-ours.x", "ours")]),
        (["t.x"], ["one.y", "two.y"], [("gold/t.x", "out/one.y", "one"), ("gold/t.x", "out/two.y", "two")]),
        (["dev/a.x", "dev/b.x", "test/a.x", "test/b.x"],
         ["dev/a.x", "dev/b.x", "test/a.x", "test/b.x"],
         [("gold/dev/{doc}.x", "out/dev/{doc}.x", ""), ("gold/test/{doc}.x", "out/test/{doc}.x", "")]),
        ([], ["a.x"], []),
    ],
)  # fmt: skip
def test_pairs_in_folders(tmp_path: Path, golds: list[str], systems: list[str], expected: list[tuple[str, str, str]]) -> None:
    made(tmp_path, *(f"gold/{name}" for name in golds), *(f"out/{name}" for name in systems))
    (tmp_path / "gold").mkdir(exist_ok=True)
    found = pairs_of("gold", "out/", tmp_path)
    assert sorted((pair.gold, pair.system) for pair in found) == sorted((gold, system) for gold, system, _ in expected)
    if any(name for _, _, name in expected):
        assert {pair.system: pair.name for pair in found} == {system: name for _, system, name in expected}


def test_two_files_are_a_pair_whatever_they_are_called(tmp_path: Path) -> None:
    assert pairs_of("a.x", "b.y", made(tmp_path, "a.x", "b.y")) == [Paths("a.x", "b.y")]


def test_patterns_are_taken_as_they_are(tmp_path: Path) -> None:
    made(tmp_path, "g/a-1.x", "g/b-1.x", "s/a.x", "s/b.x", "s/c.x")
    assert pairs_of("g/{doc}-1.x", "s/{doc}.x", tmp_path)[0][:3] == ("g/{doc}-1.x", "s/{doc}.x", ("a", "b"))
    assert [pair[:2] for pair in pairs_of("g/{doc}-1.x", "s", tmp_path)] == [("g/{doc}-1.x", "s/{doc}.x")]


def test_the_files_of_one_folder_never_pair_with_themselves(tmp_path: Path) -> None:
    made(tmp_path, "a.x", "b.x")
    assert pairs_of(".", ".", tmp_path) == []


def test_many_files_are_one_pair(tmp_path: Path) -> None:
    names = [f"wsj_{number:04}.x" for number in range(600)]
    made(tmp_path, *(f"g/{name}" for name in names), *(f"s/{name}" for name in names))
    (pair,) = pairs_of("g", "s", tmp_path)
    assert (pair.gold, pair.system, len(pair.docs)) == ("g/{doc}.x", "s/{doc}.x", 600)


def test_names_that_mean_something_in_patterns_are_left_alone(tmp_path: Path) -> None:
    made(tmp_path, "g/{doc}.x", "g/a*.x", "g/a.x", "s/{doc}.x", "s/a*.x", "s/a.x")
    assert [pair[:2] for pair in pairs_of("g", "s", tmp_path)] == [("g/a.x", "s/a.x")]
