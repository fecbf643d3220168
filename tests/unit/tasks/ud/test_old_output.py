"""An old output is compared over the sentences of both golds, wherever these stand, with today's analyses."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.metrics.partners import NO_PARTNER, partners
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ud import TASK
from pytest_nlpeval.tasks.ud.asking import asks
from pytest_nlpeval.tasks.ud.options import Options
from pytest_nlpeval.tasks.ud.restating import GONE, restate
from tests.support import config_text, write
from tests.unit.baselines.repositories import start
from tests.unit.baselines.test_gold_changes import CHANGED, VANISHED, codes
from tests.unit.baselines.test_like_with_like import SOURCES, accept, drop_of, today
from tests.unit.tasks.ud.files import conllu, document
from tests.unit.tasks.ud.test_properties import random_file, random_sentence

seeds = st.integers(0, 10**6)


def analysed(texts: Sequence[str], seed: int) -> list[list[str]]:
    """An analysis of each sentence."""
    return [random_sentence(text, random.Random(f"{seed} {text}"), ranges=True) for text in texts]


@given(st.lists(st.text("abAB", min_size=1, max_size=9), min_size=1, max_size=6), seeds, st.data())
def test_the_old_output_is_scored_with_todays_analyses_of_what_is_still_asked(
    texts: list[str], seed: int, data: st.DataObject
) -> None:
    """As if the gold of then had today's analyses of these sentences: whatever the output cuts otherwise than gold."""
    before = analysed(texts, seed)
    kept = data.draw(st.lists(st.sampled_from(range(len(texts))), unique=True), label="kept, in today's order")
    corrected = {rank: analysed([texts[rank]], seed + 1)[0] for rank in kept if data.draw(st.booleans())}
    now = [*(corrected.get(rank, before[rank]) for rank in kept), *analysed(["new"], seed)]
    system = document(random_file(seed + 2, "".join(texts)))
    ranks = np.array([*kept, NO_PARTNER])
    earlier = {"gold": document(conllu(*before)), "system": system}
    restated = restate(earlier, {"gold": document(conllu(*now))}, ranks)
    found = TASK.count(restated, Options(), ProblemLog("", TASK.problems)).evidence
    composed = conllu(*(corrected.get(rank, rows) for rank, rows in enumerate(before)))
    expected = TASK.count({"gold": document(composed), "system": system}, Options(), ProblemLog("", TASK.problems)).evidence
    assert set(found.columns) == set(expected.columns)
    for name in found.columns:
        assert found.column(name).tolist() == expected.column(name).tolist(), name
    names = {rank: str(place) for place, rank in enumerate(kept, 1)}
    assert list(found.units) == [names.get(rank, f"{GONE}{rank}") for rank in range(len(texts))]


@given(st.lists(st.text("abAB", min_size=1, max_size=9), min_size=2, max_size=6), seeds)
def test_what_a_sentence_asks_and_answers_is_the_same_whatever_stands_around_it(texts: list[str], seed: int) -> None:
    sentences = analysed(texts, seed)
    together = asks({"gold": document(conllu(*sentences))}, Options())
    alone = [asks({"gold": document(conllu(rows))}, Options()) for rows in sentences]
    assert list(together.questions) == [items.questions[0] for items in alone]
    assert list(together.answers) == [items.answers[0] for items in alone]


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ("abc", "abc", [0, 1, 2]),
        ("abc", "zcab", [NO_PARTNER, 2, 0, 1]),
        ("aab", "baa", [2, 0, 1]),
        ("aab", "ab", [NO_PARTNER, 2]),
    ],
    ids=["the same", "re-ordered and one more", "two alike in order", "one of two alike"],
)
def test_sentences_without_ids_pair_by_their_characters(before: str, now: str, expected: list[int]) -> None:
    earlier, later = (asks({"gold": document(conllu(*([f"1 {text}"] for text in texts)))}, Options()) for texts in (before, now))
    ranks = partners(earlier, later).tolist()
    assert ranks == expected


def rows(number: int, *, is_right: bool = True) -> str:
    """A sentence of two words of its own, analysed rightly or not."""
    relation, upos = ("nsubj", "NOUN") if is_right else ("obj", "X")
    return f"1\tN{number}\tn\t{upos}\t_\t_\t2\t{relation}\t_\t_\n2\truns\trun\tVERB\t_\t_\t0\troot\t_\t_\n\n"


def treebank(numbers: Sequence[int], wrong: Sequence[int] = (), *, ids: Sequence[str] = ()) -> str:
    names = [f"# sent_id = {name}\n" for name in ids] or [""] * len(numbers)
    return "".join(name + rows(number, is_right=number not in wrong) for name, number in zip(names, numbers, strict=True))


def suite(folder: Path, source: str, gold: str, system: str) -> Path:
    config = config_text("las.f1: {max_drop: 0}", task="ud", gold="g.conllu", system="s.conllu", baseline=source)
    return write(folder, {"nlpeval.yaml": config, "g.conllu": gold, "s.conllu": system})


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("numbers", [[4, 2, 1, 3], [9, 1, 2, 3, 4], [1, 2, 4]], ids=["re-ordered", "renumbered", "one out"])
def test_the_same_output_for_sentences_that_moved_is_no_change(tmp_path: Path, source: str, numbers: list[int]) -> None:
    folder = suite(start(tmp_path), source, treebank([1, 2, 3, 4]), treebank([1, 2, 3, 4], wrong=[2]))
    accept(folder, source)
    suite(folder, source, treebank(numbers), treebank(numbers, wrong=[2, 9]))
    result, comparison = today(folder, explain=True)
    both = len({1, 2, 3, 4} & {*numbers})
    assert comparison.units == {"paired": both, "added": len(numbers) - both, "removed": 4 - both, "differing": 0}
    assert drop_of(comparison, "las.f1") == 0
    assert comparison.changes is not None
    assert set(comparison.changes.counts.values()) == {0}
    assert codes(result).get(CHANGED) == (None if sorted(numbers) == [1, 2, 3, 4] else "warning")
    assert (VANISHED in codes(result)) == (both < 4)


@pytest.mark.parametrize("source", SOURCES)
def test_sentences_with_ids_that_moved_are_found_by_them(tmp_path: Path, source: str) -> None:
    folder = suite(start(tmp_path), source, treebank([1, 1, 2], ids="abc"), treebank([1, 1, 2]))
    accept(folder, source)
    suite(folder, source, treebank([2, 1, 1], ids="cba"), treebank([2, 1, 1], wrong=[2]))
    result, comparison = today(folder, explain=True)
    assert comparison.units == {"paired": 3, "added": 0, "removed": 0, "differing": 1}
    assert drop_of(comparison, "las.f1") == pytest.approx(1 / 6)
    assert codes(result) == {}


def test_a_corrected_sentence_is_scored_with_todays_analysis(tmp_path: Path) -> None:
    """The output did not change, and with the correction it is right in what it was wrong in then."""
    folder = suite(start(tmp_path), "git:HEAD", treebank([1, 2, 3]), treebank([1, 2, 3], wrong=[2]))
    accept(folder, "git:HEAD")
    suite(folder, "git:HEAD", treebank([3, 2, 1], wrong=[2]), treebank([3, 2, 1], wrong=[2]))
    result, comparison = today(folder)
    assert (comparison.standings["las.f1"].baseline.value, drop_of(comparison, "las.f1")) == (1, 0)
    assert codes(result) == {CHANGED: "warning"}
