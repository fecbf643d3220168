from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.spans import TASK
from pytest_nlpeval.tasks.spans.options import Options, make_options
from tests.unit.tasks.spans.files import Tagged, conll, read, scored, scores_of, tagged

GOLD = tagged("Anna/B-PER Kövér/I-PER left/O", "Ott/B-PER stayed/O")


def test_problems_have_lines_and_columns_in_code_points() -> None:
    _, problems = read("gold", "😀é\tNN\tper\n\na\tNN\tO\n", make_options())
    assert [problem.rpartition(": ")[0].partition(": spans.tag")[0] for problem in problems] == ["1:7"]


def test_every_tag_that_breaks_the_scheme_is_named_with_its_line() -> None:
    document, problems = read("gold", tagged("a/B-X b/I-Y c/O d/I-X", "e/S-X f/B-X"), make_options(scheme="IOB2"))
    assert document is not None
    assert [problem.split(": ")[0] for problem in problems] == ["2:3", "4:3", "6:3"]
    assert '"S-X" is no tag of IOB2, which has B, I and O' in problems[2]


def test_without_a_scheme_the_one_of_each_file_is_checked() -> None:
    _, problems = read("gold", tagged("a/I-X b/I-X", "c/I-X d/B-X"), make_options())
    assert problems == []
    _, problems = read("gold", tagged("a/B-X b/I-X", "c/I-X"), make_options())
    assert [problem.split(": ")[0] for problem in problems] == ["4:3"]
    assert "(IOB2)" in problems[0]


def test_rules_turn_the_warning_off() -> None:
    document, problems = read("gold", tagged("a/B-X c/O d/I-X"), make_options(), rules={"spans.scheme": "off"})
    assert document is not None
    assert problems == []


def test_what_is_tolerated_still_has_a_meaning() -> None:
    rules = {"spans.tag": "off", "spans.column-count": "off", "spans.tokens": "off"}
    gold, _ = read("gold", "Anna NN B-PER\nleft VB PER\nhere O\n", make_options(), rules=rules)
    assert gold is not None
    assert [(gold.spans.name(0), int(gold.spans.start[0]), int(gold.spans.end[0]))] == [("PER", 0, 1)]
    system, problems = read("system", "Anne B-PER\nleft O\nhere O\n", make_options(), {"gold": gold}, rules)
    assert system is not None
    assert problems == []


def test_a_tolerated_tag_is_no_o_for_the_accuracy() -> None:
    options = make_options()
    gold, _ = read("gold", tagged("a/O b/O"), options)
    system, _ = read("system", tagged("a/O b/o"), options, {"gold": gold}, {"spans.tag": "warning"})
    evidence = TASK.count({"gold": gold, "system": system}, options, ProblemLog("", TASK.problems)).evidence
    assert scores_of(evidence)["token.accuracy"] == 1 / 2


def test_a_system_file_alone_is_not_compared() -> None:
    document, problems = read("system", tagged("a/O"), make_options())
    assert document is not None
    assert problems == []


def test_the_first_other_sentence_is_named_where_their_numbers_differ() -> None:
    gold, _ = read("gold", GOLD, make_options())
    _, problems = read("system", tagged("Anna/B-PER Kövér/I-PER left/O", "Ott/B-PER", "stayed/O"), make_options(), {"gold": gold})
    assert [problem.split(": ")[0] for problem in problems] == ["5:None"]
    assert "on line 5 here and is on line 5 of gold" in problems[0]
    _, problems = read(
        "system", tagged("Anna/B-PER Kövér/I-PER left/O", "Anna/B-PER stayed/O", "He/O"), make_options(), {"gold": gold}
    )
    assert "on line 5 here and is on line 5 of gold" in problems[0]
    _, problems = read("system", GOLD + "\nHe\tO\n", make_options(), {"gold": gold})
    assert "is on line 8 here and is missing behind line 6 of gold" in problems[0]
    _, problems = read("system", "", make_options(), {"gold": gold})
    assert problems[0].startswith("None:None: spans.length")


@pytest.mark.parametrize(("gold", "system"), [("1", "2"), ("last", "2")])
def test_columns(gold: str, system: str) -> None:
    options = make_options(columns={"token": 3, "gold": gold if gold == "last" else int(gold), "system": int(system)})
    text = "B-A O w1\nI-A B-A w2\n" if gold == "1" else "x O B-A\n"
    document, _ = read("gold", text, options)
    assert document is not None
    assert len(document.spans) == 1
    assert document.page.text(document.spans, 0) == ("w1 w2" if gold == "1" else "B-A")


def test_labels_that_are_not_scored_may_be_called_anything() -> None:
    text = tagged("a/B-micro b/B-PER")
    assert read("gold", text, make_options())[0] is None
    assert read("gold", text, make_options(labels=["PER"]))[0] is not None


def test_labels_may_have_other_characters() -> None:
    text = tagged("a/B-creative-work b/B-[x]?", "c/B-Straße")
    values = scored(text, text)
    assert values["creative-work.f1"] == values["[x]?.partial.f1"] == values["Straße.relaxed.recall"] == 1


LETTERS = st.sampled_from(["O", *(f"{letter}-{label}" for letter in "BIESLUM" for label in "XY")])
FILES = st.lists(
    st.lists(st.tuples(st.sampled_from(["a", "b", "-", "#a"]), LETTERS, LETTERS), min_size=1, max_size=6), min_size=1, max_size=5
)


def halves(sentences: list[list[tuple[str, str, str]]]) -> tuple[Tagged, Tagged]:
    gold = [[(token, tag) for token, tag, _ in sentence] for sentence in sentences]
    return gold, [[(token, tag) for token, _, tag in sentence] for sentence in sentences]


@given(FILES)
def test_gold_against_itself_is_perfect(sentences: list[list[tuple[str, str, str]]]) -> None:
    gold, _ = halves(sentences)
    counts = {"tp", "fp", "fn", "correct", "incorrect", "partial", "missing", "spurious", "number"}
    for name, value in scored(conll(gold), conll(gold)).items():
        if name.rpartition(".")[2] not in counts:
            assert value in (None, 1), name


@given(FILES)
def test_exchanging_gold_and_system_exchanges_precision_and_recall(sentences: list[list[tuple[str, str, str]]]) -> None:
    gold, system = (conll(side) for side in halves(sentences))
    there, back = scored(gold, system), scored(system, gold)
    exchanged = {
        "precision": "recall",
        "recall": "precision",
        "fp": "fn",
        "fn": "fp",
        "missing": "spurious",
        "spurious": "missing",
    }
    for name, value in there.items():
        start, _, figure = name.rpartition(".")
        if start != "weighted":
            assert back[f"{start}.{exchanged.get(figure, figure)}"] == value, name


@given(FILES)
def test_renaming_labels_changes_only_names(sentences: list[list[tuple[str, str, str]]]) -> None:
    gold, system = (conll(side) for side in halves(sentences))
    renamed = scored(*(text.replace("-X", "-Z") for text in (gold, system)))
    for name, value in scored(gold, system).items():
        assert renamed[f"Z{name.removeprefix('X')}" if name.startswith("X.") else name] == pytest.approx(value), name


@given(FILES)
def test_what_is_bounded_by_what(sentences: list[list[tuple[str, str, str]]]) -> None:
    values = scored(*(conll(side) for side in halves(sentences)))
    c, x, r = (values[f"semeval.{schema}.correct"] or 0 for schema in ("strict", "exact", "type"))
    b, t = x + (values["semeval.exact.incorrect"] or 0), r + (values["semeval.type.incorrect"] or 0)
    assert c <= x <= b <= t
    assert c <= r <= t
    same = [("semeval.strict", "micro"), ("semeval.exact", "unlabelled"), ("semeval.type", "micro.relaxed")]
    assert all(values[f"{one}.f1"] == values[f"{other}.f1"] for one, other in same)


def test_options_are_values() -> None:
    assert make_options() == Options()
    assert make_options(labels=["A"], columns={"gold": "last", "system": 3}).columns.system == 3
