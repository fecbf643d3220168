"""A baseline file keeps digests of questions and answers: where gold changed, what asks and answers the same is compared."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.baselines.stored import read_baseline
from pytest_nlpeval.config.suite import File
from pytest_nlpeval.metrics.partners import DIGEST
from pytest_nlpeval.problems import NlpevalError
from pytest_nlpeval.run.baseline_update import updates
from pytest_nlpeval.run.items import items_to_keep
from tests.support import FOUR, RIGHT, Pair, config_text, write
from tests.unit.baselines.test_gold_changes import (
    CHANGED,
    FIFTH,
    NEW,
    SAID,
    SENTENCES,
    VANISHED,
    asked,
    codes,
    conll,
    edit,
    example,
    predictions,
    questions,
    records,
    rotated,
)
from tests.unit.baselines.test_like_with_like import WRONG, drop_of, today

FILE = "base.json"


def keep(folder: Path) -> None:
    """Write the baseline file of a configuration in a folder."""
    suites = load_suites(folder / "nlpeval.yaml", statistics={"confidence": None})  # a baseline keeps no intervals
    (update,) = updates([evaluate(suite, explain=True) for suite in suites])
    update.write()


@pytest.fixture
def rte(tmp_path: Path) -> Path:
    """A suite of one file, whose gold has four pairs and whose run is right in all, and its baseline file."""
    config = config_text("accuracy: {max_drop: 0}", gold="gold.xml", system="run.txt", baseline=FILE)
    folder = write(tmp_path, {"nlpeval.yaml": config, "gold.xml": asked([*FOUR]), "run.txt": RIGHT})
    keep(folder)
    return folder


def test_a_pair_that_gold_gained_is_no_drop(rte: Path) -> None:
    write(rte, {"gold.xml": asked([*FOUR, FIFTH]), "run.txt": RIGHT + "5 FALSE 0.9\n"})
    result, comparison = today(rte, explain=True)
    assert (drop_of(comparison), result.scores["accuracy"].value) == (0, 4 / 5)
    assert comparison.units == {"paired": 4, "added": 1, "removed": 0, "differing": 0}
    assert comparison.changes is not None
    assert set(comparison.changes.counts.values()) == {0}, "that the new pair is wrong is no change"
    assert (codes(result), result.outcome) == ({CHANGED: "warning"}, "ok")


def test_a_pair_that_gold_lost_is_told(rte: Path) -> None:
    write(rte, {"gold.xml": asked([*FOUR[:3]]), "run.txt": "".join(RIGHT.splitlines(keepends=True)[:3])})
    result, comparison = today(rte)
    assert (drop_of(comparison), codes(result)) == (0, {CHANGED: "warning", VANISHED: "error"})


CORRECTED: list[Pair] = [*FOUR[:3], ("4", "QA", "TRUE")]
MOVED: list[Pair] = [*FOUR[:3], ("4", "IR", FOUR[3][2])]


@pytest.mark.parametrize("pairs", [CORRECTED, MOVED], ids=["another answer", "another group"])
def test_a_pair_with_another_answer_or_group_is_left_out_and_counted(rte: Path, pairs: list[Pair]) -> None:
    """What the run said of pair 4 is not in the file: it cannot be scored with today's gold."""
    write(rte, {"gold.xml": asked(pairs)})
    result, comparison = today(rte)
    assert (comparison.standings["accuracy"].baseline.value, drop_of(comparison)) == (1, 0)
    assert (comparison.units or {})["paired"] == 3
    assert codes(result) == {CHANGED: "warning"}
    message = result.problems[0].message
    assert "of 4 items 3 are compared; 1 have another answer, with which the old output cannot be scored" in message
    assert message.endswith("to accept it: `nlpeval baseline update`")
    assert not any(words in message for words in ("are new", "are gone", "ask something else"))


def test_a_real_drop_is_seen_and_says_what_is_newly_wrong(rte: Path) -> None:
    write(rte, {"gold.xml": asked([FIFTH, *FOUR]), "run.txt": "5 TRUE 0.9\n" + WRONG})
    result, comparison = today(rte, explain=True)
    assert (drop_of(comparison), result.outcome) == (1, "failed")
    assert comparison.changes is not None
    assert comparison.changes.counts == {"newly_wrong": 4, "newly_right": 0, "otherwise_wrong": 0}


def test_renumbered_pairs_are_not_compared_unless_a_rule_accepts_what_is_left(rte: Path) -> None:
    turned = {name: f"Text {5 - int(name)}." for name in "123"}
    write(rte, {"gold.xml": asked([*FOUR], turned)})
    result, comparison = today(rte)
    assert (codes(result), drop_of(comparison), result.verdicts[0].verdict) == ({CHANGED: "error"}, None, "unjudged")
    assert "3 ask something else; to accept it: `rules: {baseline.gold-changed: warning}`" in result.verdicts[0].reason
    config = (rte / "nlpeval.yaml").read_text()
    write(rte, {"nlpeval.yaml": config.replace("    gates:", f"    rules: {{{CHANGED}: warning}}\n    gates:")})
    keep_rules = json.loads((rte / FILE).read_text())
    keep_rules["suites"]["dev"]["rules"] = {CHANGED: "warning"}
    write(rte, {FILE: json.dumps(keep_rules)})
    result, comparison = today(rte)
    assert (codes(result), drop_of(comparison), (comparison.units or {})["paired"]) == ({CHANGED: "warning"}, 0, 1)


def test_a_file_without_digests_is_not_comparable_once_gold_changes(rte: Path) -> None:
    older = json.loads((rte / FILE).read_text())
    for document in older["suites"]["dev"]["documents"].values():
        del document["items"], document["by_place"]
    write(rte, {FILE: json.dumps(older)})
    assert today(rte)[0].outcome == "ok"
    write(rte, {"gold.xml": asked([*FOUR, FIFTH]), "run.txt": RIGHT + "5 FALSE 0.9\n"})
    reason = today(rte)[0].verdicts[0].reason
    assert reason == (
        "base.json is not comparable: the gold files of 1 document changed (gold); to accept it: `nlpeval baseline update`"
    )


def test_a_file_with_a_wrong_number_of_items_is_not_ours(rte: Path) -> None:
    damaged = json.loads((rte / FILE).read_text())
    del damaged["suites"]["dev"]["documents"]["gold"]["items"][0]
    write(rte, {FILE: json.dumps(damaged)})
    with pytest.raises(NlpevalError, match="3 items of 4 units"):
        read_baseline(File(str(rte / FILE), FILE))


def test_what_is_kept_comes_back_and_has_the_length_of_a_digest(rte: Path) -> None:
    (suite,) = load_suites(rte / "nlpeval.yaml")
    items = items_to_keep(suite.recipe, suite.cases[0])
    assert items is not None
    back = read_baseline(File(str(rte / FILE), FILE))["dev"].items["gold"]
    assert back == items._replace(names=tuple(items.names))
    assert {len(text) for text in (*items.questions, *items.answers)} == {DIGEST}
    assert len(set(items.questions)) == 4


@pytest.mark.parametrize(
    ("texts", "paired", "severity"),
    [("abcde", 4, "warning"), ("abcx", 3, "warning"), ("dcba", 0, "error")],
    ids=["gained", "one edited", "renumbered"],
)
def test_questions_are_compared_where_they_ask_the_same(tmp_path: Path, texts: str, paired: int, severity: str) -> None:
    config = config_text("exact: {max_drop: 0}", task="qa", gold="gold.jsonl", system="system.json", baseline=FILE)
    folder = write(tmp_path, {"nlpeval.yaml": config, "gold.jsonl": questions(*"abcd"), "system.json": predictions(*"abcd")})
    keep(folder)
    write(folder, {"gold.jsonl": questions(*texts), "system.json": predictions(*texts[:4], *("?" for _ in texts[4:]))})
    result, comparison = today(folder)
    assert codes(result)[CHANGED] == severity
    if paired:
        assert ((comparison.units or {})["paired"], drop_of(comparison, "exact")) == (paired, 0)
    else:
        assert result.verdicts[0].verdict == "unjudged"


@pytest.mark.parametrize(("form", "write_spans"), [("conll", conll), ("jsonl", records)])
def test_spans_are_compared_in_units_of_the_same_text(
    tmp_path: Path, form: str, write_spans: Callable[[tuple[str, ...]], str]
) -> None:
    """A sentence is new in front, one has another word: the other two are known by their text, under other numbers."""
    config = config_text(
        "micro.f1: {max_drop: 0}",
        task="spans",
        gold="gold.x",
        system="system.x",
        options=f"{{format: {form}}}",
        baseline=FILE,
    )
    folder = write(tmp_path, {"nlpeval.yaml": config, "gold.x": write_spans(SENTENCES), "system.x": write_spans(SAID)})
    keep(folder)
    edited = (NEW, SENTENCES[0].replace("sings", "hums"), *SENTENCES[1:])
    said = (NEW.replace("PER", "LOC"), SAID[0].replace("sings", "hums"), *SAID[1:])
    write(folder, {"gold.x": write_spans(edited), "system.x": write_spans(said)})
    result, comparison = today(folder, explain=True)
    assert (comparison.units or {})["paired"] == 2
    assert {standing.drop for standing in comparison.standings.values()} <= {0, None}
    assert codes(result) == {CHANGED: "warning"}
    assert comparison.changes is not None
    assert set(comparison.changes.counts.values()) == {0}, "explanations have the numbers that sentences have today"


def test_a_sentence_whose_tags_are_written_otherwise_is_left_out(tmp_path: Path) -> None:
    """The span is the same, but `token.accuracy` compares tags."""
    config = config_text(
        "token.accuracy: {max_drop: 0}", task="spans", gold="g.x", system="s.x", options="{format: conll}", baseline=FILE
    )
    sentences = ("Ann B-PER\nsings O\n", "Rome B-LOC\nsleeps O\n", "Bo B-PER\nruns O\n")
    folder = write(tmp_path, {"nlpeval.yaml": config, "g.x": conll(sentences), "s.x": conll(sentences)})
    keep(folder)
    write(folder, {"g.x": conll((*sentences[:2], "Bo I-PER\nruns O\n"))})
    result, comparison = today(folder)
    assert ((comparison.units or {})["paired"], drop_of(comparison, "token.accuracy")) == (2, 0)
    assert "1 have another answer" in result.problems[0].message


def test_documents_that_stand_or_fall_together_are_left_out_as_a_whole(tmp_path: Path) -> None:
    folder = example(tmp_path, "best", "gold-ere")
    edit(folder / "nlpeval.yaml", lambda text: text.replace("git:HEAD", FILE))
    keep(folder)
    for name in ("ere/forum-pool.rich_ere.xml", "gold/forum-pool.best.xml", "system/ours/forum-pool.best.xml"):
        edit(folder / name, rotated)
    result, comparison = today(folder)
    assert codes(result) == {CHANGED: "warning"}
    assert comparison.units == {"paired": 2, "added": 1, "removed": 1, "differing": 0}
    assert drop_of(comparison, "all.full.micro.f1") == 0


class Row(NamedTuple):
    """An item of gold, and whether the system is right: its id, its text, its label and its group."""

    name: str
    text: str
    label: str
    group: str
    is_right: bool


def labels(folder: Path, rows: Sequence[Row]) -> None:
    """Write the gold and system files of rows."""
    gold = "".join(f"{row.name}\t{row.text}\t{row.label}\t{row.group}\n" for row in rows)
    system = "".join(f"{row.name}\t{row.label if row.is_right else 'neither'}\n" for row in rows)
    write(folder, {"gold.tsv": "id\ttext\tlabel\tpart\n" + gold, "sys.tsv": "id\tlabel\n" + system})


def rows_of(number: int) -> st.SearchStrategy[list[Row]]:
    """Rows with ids of their own, in any order."""
    row = st.builds(
        Row,
        st.integers(1, number).map(str),
        st.sampled_from(["one", "two"]),
        st.sampled_from("ab"),
        st.sampled_from("xy"),
        st.booleans(),
    )
    return st.lists(row, min_size=1, max_size=number, unique_by=lambda row: row.name)


@given(rows_of(5), rows_of(5))
@settings(max_examples=30, deadline=None)
def test_the_drop_is_over_what_asks_and_answers_the_same(before: list[Row], now: list[Row]) -> None:
    config = config_text(
        "accuracy: {max_drop: 0}",
        task="labels",
        gold="gold.tsv",
        system="sys.tsv",
        baseline=FILE,
        options="{text: [text], group: part}",
        rules=f"{{{CHANGED}: warning, {VANISHED}: warning}}",
    )
    with tempfile.TemporaryDirectory() as name:
        folder = write(Path(name), {"nlpeval.yaml": config})
        labels(folder, before)
        keep(folder)
        labels(folder, now)
        _, comparison = today(folder)
    earlier = {row[:4]: row.is_right for row in before}
    pairs = [(earlier[row[:4]], row.is_right, row.group) for row in now if row[:4] in earlier]
    for measure, groups in (("accuracy", "xy"), ("group.x.accuracy", "x")):
        of_group = [(old, new) for old, new, group in pairs if group in groups]
        if measure in comparison.standings and of_group:
            expected = (sum(old for old, _ in of_group) - sum(new for _, new in of_group)) / len(of_group)
            assert drop_of(comparison, measure) == pytest.approx(expected)
        elif measure in comparison.standings:
            assert drop_of(comparison, measure) is None


def test_worker_processes_compare_what_is_kept(rte: Path) -> None:
    write(rte, {"gold.xml": asked([*FOUR, FIFTH]), "run.txt": RIGHT + "5 FALSE 0.9\n"})
    (suite,) = load_suites(rte / "nlpeval.yaml")
    with ProcessPoolExecutor(1) as executor:
        result = evaluate(suite, executor)
    assert result.comparison is not None
    assert (drop_of(result.comparison), result.comparison.units) == (0, {"paired": 4, "added": 1, "removed": 0, "differing": 0})
