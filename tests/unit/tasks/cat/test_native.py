from __future__ import annotations

import pytest

from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.cat.native import native

SIGNATURE = {"markables": "TIMEX3+type+value,EVENT", "relations": "TLINK,CLINK"}
FIGURES = ("tp", "fp", "fn", "recall", "precision", "f1")


def values(row: str, *numbers: float | None) -> dict[str, float | None]:
    return {f"{row}.{figure}": number for figure, number in zip(FIGURES, numbers, strict=True)}


SCORES = {
    **values("TIMEX3.strict", 8, 1, 3, 8 / 11, 8 / 9, 0.8),
    "TIMEX3.strict.attribute.type": 0.8,
    "TIMEX3.strict.attribute.value": 7 / 8 * 0.8,
    **values("TIMEX3.relaxed", 9, 0, 2, 9 / 11, 1.0, 0.9),
    "TIMEX3.relaxed.attribute.type": 0.9,
    "TIMEX3.relaxed.attribute.value": 0.0,
    **values("EVENT.strict", 3, -1, 0, 1.0, 1.5, 1.2),
    **values("EVENT.relaxed", 0, 0, 0, None, None, None),
    **values("TLINK.tempeval", 1, 1, 1, 0.5, 0.5, 0.5),
    **values("TLINK.strict", 1, 2, 1, 0.5, 1 / 3, 0.4),
    **values("TLINK.relaxed", 2, 1, 0, 1.0, 2 / 3, 0.8),
    **values("CLINK.strict", 0, 1, 1, 0.0, 0.0, 0.0),
    **values("CLINK.relaxed", 0, 1, 1, 0.0, 0.0, 0.0),
}


def test_the_table_is_the_originals() -> None:
    lines = native(Reported(SCORES, SIGNATURE, 2, {})).split("\n")
    assert lines == [
        "number of files: 2",
        "",
        "Markables\tTP\tFP\tFN\trecall\tprecision\tF1-score\tF1-score attribute\t",
        "TIMEX3\t\t\t\t\t\t\ttype\tvalue\t",
        "\t8\t1.0\t3.0\t0.727\t0.889\t0.8\t0.8\t0.7\t",
        "TIMEX3(relaxed match)\t\t\t\t\t\t\ttype\tvalue\t",
        "\t9\t0.0\t2.0\t0.818\t1.0\t0.9\t0.9\t0.0\t",
        "EVENT\t\t\t\t\t\t\t",
        "\t3\t-1.0\t0.0\t1.0\t1.5\t1.2\t",
        "EVENT(relaxed match)\t\t\t\t\t\t\t",
        "\t0\t0.0\t0.0\t\t\t\t",
        "",
        "",
        "Relations\tTP\tFP\tFN\trecall\tprecision\tF1-score\t",
        "TLINK (tempeval evaluation)\t\t\t\t\t\t\t",
        "\t1\t1.0\t1.0\t0.5\t0.5\t0.5\t",
        "TLINK\t\t\t\t\t\t\t",
        "\t1\t2.0\t1.0\t0.5\t0.333\t0.4\t",
        "TLINK (relaxed match)\t\t\t\t\t\t\t",
        "\t2\t1.0\t0.0\t1.0\t0.667\t0.8\t",
        "CLINK\t\t\t\t\t\t\t",
        "\t0\t1.0\t1.0\t0.0\t0.0\t0.0\t",
        "",
    ]


@pytest.mark.parametrize(("profile", "missing"), [("nwr2014", 0.0), ("standard", None)])
def test_without_true_positives_attributes_have_no_cells(profile: str, missing: float | None) -> None:
    """The original writes nothing behind F then: six figures, each with its tab; `standard` has no P, R and F besides."""
    scores = {
        **values("TIMEX3.strict", 0, 2, 0, missing, missing, missing),
        "TIMEX3.strict.attribute.type": None,
        "TIMEX3.strict.attribute.value": None,
    }
    shown = "" if missing is None else "0.0"
    signature = {"profile": profile, "markables": "TIMEX3+type+value", "relations": ""}
    assert native(Reported(scores, signature, 1, {})).split("\n")[3:5] == [
        "TIMEX3\t\t\t\t\t\t\ttype\tvalue\t",
        f"\t0\t2.0\t0.0\t{shown}\t{shown}\t{shown}\t",
    ]


@pytest.mark.parametrize(
    ("value", "shown"), [(0.0625, "0.063"), (0.0624, "0.062"), (-0.0625, "-0.063"), (2 / 3, "0.667"), (0.78, "0.78")]
)
def test_halves_are_rounded_away_from_zero(value: float, shown: str) -> None:
    scores = {**values("EVENT.strict", 1, value, 0, 0, 0, 0)}
    assert native(Reported(scores, {"markables": "EVENT", "relations": ""}, 1, {})).split("\n")[4].split("\t")[2] == shown


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (2**53, "9007199254740992.0"),
        (10**30, "1e+30"),
        (1e300, "1e+300"),
        (-1.7976931348623157e308, "-1.7976931348623157e+308"),
        (5e-324, "0.0"),
        (-1, "-1.0"),
        (0.1, "0.1"),
        (float("nan"), "nan"),
        (None, ""),
    ],
)
def test_a_stored_value_of_any_size_is_shown(value: float | None, shown: str) -> None:
    scores = values("EVENT.strict", value, value, value, value, value, value)
    assert native(Reported(scores, {"markables": "EVENT", "relations": ""}, 1, {})).split("\n")[4].split("\t")[2:7] == [shown] * 5


def test_rows_that_were_not_scored_are_not_there() -> None:
    scores = values("EVENT.strict", 1, 0, 0, 1.0, 1.0, 1.0)
    assert "relaxed" not in native(Reported(scores, {"markables": "EVENT", "relations": ""}, 1, {}))
