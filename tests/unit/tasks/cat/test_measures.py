from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.tasks.cat import TASK
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.options import make_options
from pytest_nlpeval.tasks.cat.xml.document import Document
from tests.unit.tasks.cat.judging import Judged, judge, scores_of, shares_of
from tests.unit.tasks.cat.nwr2014_documents import config, document

CONFIG = config(
    "EVENT markable 0 class", "TIMEX3 markable 0 Type", "TLINK one2one directional relType", "REFERS many2one directional"
)
ANNOTATIONS = [
    {"name": line.name, "type": line.kind, "specificity": line.specificity, "attributes": list(line.attributes)}
    for line in CONFIG.types
]
SIX = ("precision", "recall", "f1", "tp", "fp", "fn")


def figures(found: Judged, row: str) -> list[float | None]:
    return [found.value(f"{row}.{name}") for name in SIX]


def near(*values: Fraction | int | None) -> list[object]:
    return [None if value is None else pytest.approx(float(value), abs=1e-12) for value in values]


GOLD = document(
    [
        *("a EVENT 1 class=X", "b EVENT 2 class=X", "c EVENT 3,4 class=X", "d EVENT 5 class=X", "e EVENT 6 class=X"),
        "t TIMEX3 7",
        "p ENTITY -",
    ],
    ["TLINK a>b relType=BEFORE", "TLINK b>t relType=BEFORE", "REFERS a,b,c,d>p"],
)
SYSTEM = document(
    ["a EVENT 1 class=x", "b EVENT 2 class=Y", "c EVENT 3 class=X", "t TIMEX3 7", "p ENTITY -"],
    ["TLINK a>t relType=BEFORE", "REFERS a,b>p"],
)


def test_the_measures_of_each_row() -> None:
    rows: dict[str, tuple[str, ...]] = dict.fromkeys(
        ("TLINK.tempeval", "TLINK.strict", "TLINK.relaxed", "REFERS.strict", "REFERS.relaxed"), SIX
    )
    rows |= {f"EVENT.{row}": (*SIX, "attribute.class") for row in ("strict", "relaxed")}
    rows |= {f"TIMEX3.{row}": (*SIX, "attribute.Type") for row in ("strict", "relaxed")}
    found = judge(CONFIG, GOLD, SYSTEM)
    assert set(found.scores) == {f"{row}.{name}" for row, names in rows.items() for name in names}
    assert shares_of(found.evidence).keys() == {name for name in found.scores if not name.endswith((".tp", ".fp", ".fn"))}


@pytest.mark.parametrize("profile", ["standard", "nwr2014"])
def test_that_the_order_of_tlinks_matters_is_said_with_the_figures_for_which_it_does(profile: str) -> None:
    found = TASK.measures(make_options(profile=profile, annotations=ANNOTATIONS), None)
    assert found is not None
    told = {measure.name for measure in found if "their order in it can change the figure" in measure.definition}
    assert told == {f"TLINK.tempeval.{name}" for name in ("precision", "recall", "f1", "tp")}


NOTE = "where TLINKs of a file follow from each other, their order in it can change TLINK.tempeval"


@pytest.mark.parametrize(
    ("gold", "system", "notes"),
    [
        (GOLD, SYSTEM, [NOTE]),
        (GOLD, document(["a EVENT 1"]), [NOTE]),
        (document(["a EVENT 1"]), SYSTEM, [NOTE]),
        (document(["a EVENT 1"]), document(["a EVENT 1"]), []),
    ],
)
def test_and_in_a_note_to_every_report_with_tlinks(gold: Document, system: Document, notes: list[str]) -> None:
    assert notes_of(CONFIG, gold, system) == notes
    assert notes_of(config("EVENT markable 0", "TLINK many2one directional"), gold, system) == []
    assert notes_of(CONFIG, gold, system, profile="nwr2014", sentences="all") == []  # whose native report is the original's


def notes_of(configuration: Configuration, gold: Document, system: Document, **options: Any) -> list[str]:
    assert TASK.notes is not None
    return list(TASK.notes(judge(configuration, gold, system, **options).evidence, make_options(**options), ()))


@pytest.mark.parametrize("profile", ["standard", "nwr2014"])
def test_measures_are_grouped_by_name_and_fewer_mistakes_are_better(profile: str) -> None:
    options = make_options(profile=profile)
    found = TASK.measures(options, judge(CONFIG, GOLD, SYSTEM, profile=profile).evidence.columns)
    assert found is not None
    assert all(measure.name.startswith(f"{measure.group}.") for measure in found)
    assert {measure.group for measure in found} <= {line.name for line in CONFIG.types}
    assert all((measure.better == "lower") == measure.name.endswith((".fp", ".fn")) for measure in found)


def test_by_hand() -> None:
    found = judge(CONFIG, GOLD, SYSTEM)
    assert figures(found, "EVENT.strict") == near(Fraction(2, 3), Fraction(2, 5), Fraction(2 * 2, 5 + 3), 2, 3 - 2, 5 - 2)
    assert figures(found, "EVENT.relaxed") == near(Fraction(3, 3), Fraction(3, 5), Fraction(2 * 3, 5 + 3), 3, 0, 5 - 3)
    assert figures(found, "TIMEX3.strict") == near(1, 1, 1, 1, 0, 0)
    assert figures(found, "TLINK.strict") == near(0, 0, 0, 0, 1, 2)
    assert figures(found, "REFERS.strict") == near(1, Fraction(1, 3), Fraction(2, 1 + 3), 1, 0, 3 - 1)
    assert figures(found, "TLINK.tempeval") == near(1, 0, 0, 0, 1 - 1, 2 - 0)


def test_an_attribute_is_the_share_of_the_matches_that_agree_times_f() -> None:
    found = judge(CONFIG, GOLD, SYSTEM)
    strict, relaxed = Fraction(2 * 2, 5 + 3), Fraction(2 * 3, 5 + 3)
    values = [found.value(f"EVENT.{row}.attribute.class") for row in ("strict", "relaxed")]
    assert values == near(Fraction(1, 2) * strict, Fraction(2, 3) * relaxed)
    assert found.value("TIMEX3.strict.attribute.Type") == 1


def test_shares_of_nothing_have_no_value_but_a_reason() -> None:
    found = judge(CONFIG, document(), document())
    for name, score in found.scores.items():
        assert (score.value, bool(score.reason)) == ((0, False) if name.endswith((".tp", ".fp", ".fn")) else (None, True)), name


@pytest.mark.parametrize(("gold", "system", "figures_"), [
    (GOLD, document(), (None, 0, 0)),
    (document(), SYSTEM, (0, None, 0)),
    (document(), document(), (None, None, None)),
])  # fmt: skip
def test_one_empty_side(gold: Document, system: Document, figures_: tuple[int | None, ...]) -> None:
    found = judge(CONFIG, gold, system)
    for row in ("EVENT.strict", "EVENT.relaxed", "TLINK.strict", "TLINK.tempeval", "REFERS.strict"):
        assert figures(found, row)[:3] == near(*figures_)
    assert found.value("EVENT.strict.attribute.class") is None
    original = judge(CONFIG, gold, system, profile="nwr2014")
    for row in ("EVENT.strict", "EVENT.relaxed", "TLINK.strict", "TLINK.tempeval"):
        assert figures(original, row)[:3] == [0, 0, 0]
    assert original.value("EVENT.strict.attribute.class") is None


def test_tempeval_takes_both_numerators() -> None:
    links = [["a>b", "b>c", "d>e"], ["a>c", "d>e", "a>d"]]
    marks = [f"{name} EVENT {rank}" for rank, name in enumerate("abcde", 1)]
    gold, system = (document(marks, [f"TLINK {ends} relType=BEFORE" for ends in side]) for side in links)
    found = judge(CONFIG, gold, system)
    precision, recall = Fraction(2, 3), Fraction(1, 3)
    assert figures(found, "TLINK.tempeval") == near(
        precision, recall, 2 * precision * recall / (precision + recall), 1, 3 - 2, 3 - 1
    )


def test_documents_are_added_before_shares_are_taken() -> None:
    parts = judge(CONFIG, GOLD, SYSTEM), judge(CONFIG, GOLD, GOLD), judge(CONFIG, document(), SYSTEM)
    merged = Evidence.merge([found.evidence.named(f"d{rank}") for rank, found in enumerate(parts)])
    scores = scores_of(merged)
    tp, gold, system = 2 + 5 + 0, 5 + 5 + 0, 3 + 5 + 3
    f1 = Fraction(2 * tp, gold + system)
    names = ("precision", "recall", "f1", "attribute.class")
    assert [scores[f"EVENT.strict.{name}"].value for name in names] == near(
        Fraction(tp, system), Fraction(tp, gold), f1, Fraction(1 + 5, tp) * f1
    )
    entailed, reduced = (0 + 2 + 0, 2 + 2 + 0), (1 + 2 + 0, 1 + 2 + 1)
    precision, recall = Fraction(*reduced), Fraction(*entailed)
    assert [scores[f"TLINK.tempeval.{name}"].value for name in SIX] == near(
        precision, recall, 2 * precision * recall / (precision + recall), entailed[0], reduced[1] - reduced[0], 4 - 2
    )


def test_the_relaxed_row_of_the_original_prints_another_tp_than_it_counts() -> None:
    configuration = config("TIMEX3 markable 0 type", "TIMEX3 instance comparable type")
    gold = document(["a TIMEX3 - type=X", "b TIMEX3 1,2 type=Y", "c TIMEX3 5"])
    system = document(["a TIMEX3 - type=X", "b TIMEX3 1 type=Y", "c TIMEX3 2"])
    found = judge(configuration, gold, system, profile="nwr2014")
    precision, recall = Fraction(2, 3), Fraction(1, 3)
    f1 = 2 * precision * recall / (precision + recall)
    assert figures(found, "TIMEX3.relaxed") == near(precision, recall, f1, 1 + 1, 3 - 2, 3 - 1)
    assert found.value("TIMEX3.relaxed.attribute.type") == near(Fraction(2, 2) * f1)[0]


def test_f_of_the_original_is_of_precision_and_recall_even_above_1() -> None:
    gold, system = document(["a EVENT 1", "b EVENT 1"]), document(["x EVENT 1"])
    found = judge(CONFIG, gold, system, profile="nwr2014")
    assert figures(found, "EVENT.strict") == near(2, 1, Fraction(2 * 2 * 1, 2 + 1), 2, 1 - 2, 0)


def test_before_anything_is_read_the_options_tell_the_measures() -> None:
    for profile in ("standard", "nwr2014"):
        options = make_options(profile=profile, annotations=ANNOTATIONS)
        known = TASK.measures(options, None)
        assert known is not None
        assert [measure.name for measure in known] == list(judge(CONFIG, GOLD, SYSTEM, profile=profile, sentences="all").scores)
    assert TASK.measures(make_options(), None) is None


def test_the_signature_tells_what_changes_a_score() -> None:
    columns = judge(CONFIG, GOLD, SYSTEM).evidence.columns
    found = dict(TASK.signature(make_options(), columns))
    assert (found.pop("profile"), found.pop("sentences")) == ("standard", "all")
    digest = found.pop("config")
    assert found == {"markables": "EVENT+class,TIMEX3+Type", "relations": "TLINK,REFERS"}
    assert TASK.signature(make_options(profile="nwr2014"), columns)["sentences"] == "6"
    other = judge(config("EVENT markable 0 class"), GOLD, SYSTEM).evidence.columns
    assert TASK.signature(make_options(), other)["config"] not in (digest, "")
    assert TASK.signature(make_options(profile="nwr2014", sentences="all"), columns)["sentences"] == "all"
    assert TASK.signature(make_options(sentences=3), columns)["sentences"] == "3"
