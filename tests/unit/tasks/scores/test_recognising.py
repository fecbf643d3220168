"""What is recognised: the exports of tools as they are, records and lines with results; what nothing tells is never guessed."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.formats.samples import MOST_RECORDS, Sample, Samples
from pytest_nlpeval.run.recognition.deciding import Call, Decision, Given, recognised
from pytest_nlpeval.task import Guess
from pytest_nlpeval.tasks.scores.guessed_results import results_in, words_of
from pytest_nlpeval.tasks.scores.recognising import recognise
from tests.support import write
from tests.unit.tasks.scores.test_exports import FOLDER

OF_TWO_REPEATS = ["mean", "pass_rate", "pass@2", "pass^2", "flaky"]

HAS_EXPORTS = pytest.mark.skipif(not FOLDER.is_dir(), reason="no copy of the tools' exports")


def decided(gold: str, system: str, folder: Path = FOLDER, **given: Any) -> Decision:
    (decision,) = recognised(gold, system, folder, Given(options=given))
    return decision


def call(decision: Decision) -> Call:
    assert decision.chosen, decision
    assert decision.chosen.task == "scores"
    return decision.chosen


@HAS_EXPORTS
def test_a_log_of_inspect_is_its_own_gold() -> None:
    options = call(decided("inspect.json", "inspect.json")).options
    assert options == {
        "items": {"gold": "eval.dataset.sample_ids", "system": "samples"},
        "repeats": 2,
        "error": "error",
        "results": {
            "match": {
                "field": "scores.match.value",
                "values": {"C": 1, "P": 0.5, "I": 0, "N": 0},
                "pass": 1,
                "missing": 0,
                "measures": OF_TWO_REPEATS,
            }
        },
    }


@HAS_EXPORTS
@pytest.mark.parametrize("file", ["promptfoo.json", "promptfoo.jsonl"])
def test_of_several_prompts_of_promptfoo_the_user_names_one(file: str) -> None:
    calls = decided("promptfoo-tests.csv", file).rivals
    assert [one.options["where"] for one in calls] == [{"promptIdx": number} for number in range(4)]
    failing = call(decided("promptfoo-tests.csv", file, where={"promptIdx": 2})).options
    assert failing["error"] == {"failureReason": 2}
    assert failing["id"] == {"system": "vars.id"}
    assert failing["results"].keys() == {"success", "has_x", "same"}  # a request that failed has no latency
    assert call(decided("promptfoo-tests.csv", file, where={"promptIdx": 0})).options["results"].keys() == {
        "success",
        "has_x",
        "same",
        "latencyMs",
        "cost",
    }


@HAS_EXPORTS
def test_a_test_run_of_deepeval_tells_its_thresholds() -> None:
    options = call(decided("deepeval-items.json", "deepeval.json")).options
    assert options["results"] == {
        "Correctness_GEval": {"field": "metricsData[name=Correctness [GEval]].score", "pass": 0.5, "missing": 0},
        "Exact_Match": {"field": "metricsData[name=Exact Match].score", "pass": 1.0},
    }


@HAS_EXPORTS
def test_a_score_of_pydantic_evals_may_be_better_either_way() -> None:
    higher, lower = decided("pydantic-dataset.json", "pydantic-evals.json").rivals
    assert {"near", "same", "EqualsExpected"} == higher.options["results"].keys()
    assert {"same", "EqualsExpected"} == lower.options["results"].keys()  # what a missing one would count as is not known
    assert higher.options["repeats"] == 2


@HAS_EXPORTS
def test_of_several_filters_of_lm_eval_the_user_names_one() -> None:
    files = "lm-eval-dataset.jsonl", "lm-eval-samples.jsonl"
    assert [one.options["where"]["filter"] for one in decided(*files).rivals] == ["strict-match", "flexible-extract"]
    assert call(decided(*files, where={"filter": "strict-match"})).options == {
        "id": {"gold": "#0", "system": "doc_id"},
        "where": {"filter": "strict-match"},
        "text": "question",
        "results": ["exact_match"],
    }


@HAS_EXPORTS
def test_tables_of_ragas_and_documents_of_comet() -> None:
    ragas = call(decided("ragas-items.csv", "ragas.csv")).options
    assert ragas["results"] == {"faithfulness": "faithfulness", "answer_relevancy": {"missing": 0}}
    assert call(decided("comet.src", "comet.json")).options == {
        "items": {"system": "out/hyp.de"},
        "pair": "line",
        "results": ["COMET"],
    }


def lines(*records: dict[str, Any]) -> str:
    return "".join(f"{json.dumps(record)}\n" for record in records)


GOLD = lines({"id": "a", "question": "Why?"}, {"id": "b", "question": "How?"})


def test_records_with_repeats_an_error_and_a_latency(tmp_path: Path) -> None:
    system = [
        {"id": "a", "repeat": 0, "judge": {"right": True, "style": 0.5}, "seconds": 3},
        {"id": "a", "repeat": 1, "judge": {"right": False, "style": 1}, "seconds": 4.5},
        {"id": "b", "repeat": 0, "judge": {"right": True, "style": 0}, "seconds": 2},
        {"id": "b", "repeat": 1, "error": "time-out"},
    ]
    write(tmp_path, {"gold.jsonl": GOLD, "system.jsonl": lines(*system)})
    chosen = call(decided("gold.jsonl", "system.jsonl", tmp_path))
    assert chosen.options == {
        "error": "error",
        "repeats": 2,
        "text": "question",
        "results": {
            "right": {"field": "judge.right", "pass": True, "missing": 0, "measures": OF_TWO_REPEATS},
            "style": {"field": "judge.style", "missing": 0},
        },
    }
    assert "without seconds, which records lack" in chosen.why


def test_a_flag_that_nothing_tells_the_meaning_of_is_either(tmp_path: Path) -> None:
    write(tmp_path, {"gold.jsonl": GOLD, "system.jsonl": lines({"id": "a", "flagged": True}, {"id": "b", "flagged": None})})
    assert [one.options["results"] for one in decided("gold.jsonl", "system.jsonl", tmp_path).rivals] == [
        {"flagged": {"pass": True, "missing": 0}},
        {"flagged": {"better": "lower", "pass": False, "missing": 1}},
    ]


def test_numbers_on_lines_may_be_better_either_way(tmp_path: Path) -> None:
    write(tmp_path, {"gold.txt": "A mill stood there.\nIt burned.\n", "system.txt": "0.25\n0.5\n"})
    assert [one.options["results"] for one in decided("gold.txt", "system.txt", tmp_path).rivals] == [
        ["score"],
        {"score": {"better": "lower"}},
    ]


def guesses(gold: str, system: str, suffix: str = "jsonl") -> list[Guess]:
    return list(recognise(Samples(Sample(f"gold.{suffix}", gold.encode()), Sample(f"system.{suffix}", system.encode()))))


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        (GOLD, lines({"id": "a", "answer": "x"}, {"id": "b", "answer": "y"})),
        (lines({"id": "a", "score": 1}), lines({"id": "a", "score": 2})),
        (GOLD, lines({"id": "q", "right": True}, {"id": "r", "right": True}, {"id": "s", "right": True})),
        (GOLD, lines({"id": "a", "confidence": 0.5}, {"id": "b", "confidence": 1.0})),
        (GOLD, "{"),
        ("", ""),
    ],
    ids=["no numbers", "gold has them, too", "other ids", "numbers that are no results", "no JSON", "nothing"],
)
def test_what_is_none_of_the_task_is_not_recognised(gold: str, system: str) -> None:
    assert guesses(gold, system) == []


def test_lists_of_values_are_repeats() -> None:
    (guess,) = guesses(GOLD, lines({"id": "a", "right": [True, False, True]}, {"id": "b", "right": [True, True, None]}))
    assert guess.options["repeats"] == 3
    measures = ["mean", "pass_rate", "pass@3", "pass^3", "flaky"]
    assert guess.options["results"] == {"right": {"pass": True, "missing": 0, "measures": measures}}


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("seconds", [0.5, 3], {"better": "lower", "range": [0, None], "measures": ["mean", "p50", "p95"]}),
        ("cost_usd", [0, 2], {"better": "lower", "range": [0, None], "measures": ["mean", "sum"]}),
        ("edits", [0, 2], {"better": "lower", "range": [0, None]}),
        ("seconds", [-0.5, 3], {"better": "lower", "measures": ["mean", "p50", "p95"]}),
        ("faithful", [0, 0.5, 1] * 4, {"range": [0, 1]}),
        ("faithful", [0, 0.5, 1], None),
        ("faithful", [0, 1] * 10, None),
        ("faithful", [1, 0.5, 5] * 4, None),
        ("right", [True, False] * 10, {"pass": True}),
    ],
)
def test_names_and_values_tell_the_range_and_what_is_asked(
    name: str, values: list[float], expected: dict[str, Any] | None
) -> None:
    """Few shares, and whole ones, may be of another scale; true and false need no range."""
    gold = lines(*({"id": f"q{rank}"} for rank in range(len(values))))
    (guess,) = guesses(gold, lines(*({"id": f"q{rank}", name: value} for rank, value in enumerate(values))))
    assert guess.options["results"] == ({name: expected} if expected else [name])


def test_of_a_part_of_a_file_no_range_is_told() -> None:
    """What follows might lie outside, and the guess would be refused."""
    rows = range(MOST_RECORDS)
    gold = lines(*({"id": f"q{rank}"} for rank in rows))
    first, _ = guesses(gold, lines(*({"id": f"q{rank}", "seconds": 1} for rank in rows)))
    assert first.options["results"] == {"seconds": {"better": "lower", "measures": ["mean", "p50", "p95"]}}


@pytest.mark.parametrize(
    ("groups", "group"),
    [
        (["fr", "de"] * 5, "lang"),
        ([1, 2] * 5, "lang"),
        (["fr"] * 10, None),
        (["fr", "de"] * 4, None),
        (["fr", None] * 5, None),
        (["fr", " "] * 5, None),
        (["v1.0", "v2.0"] * 5, None),
        ([f"{rank}" for rank in range(30)] * 5, None),
        ([0.5, 1.5] * 5, None),
        (["fr", "d\te"] * 5, None),
    ],
)
def test_a_field_with_few_values_of_several_items_each_is_a_group(groups: list[object], group: str | None) -> None:
    gold = lines(*({"id": f"q{rank}", "other": value, "lang": value} for rank, value in enumerate(groups)))
    (guess,) = guesses(gold, lines(*({"id": f"q{rank}", "right": True} for rank in range(len(groups)))))
    assert guess.options.get("group") == group


def test_of_a_part_of_a_file_any_number_of_repeats_is_less_likely() -> None:
    gold = lines(*({"id": f"q{rank}"} for rank in range(MOST_RECORDS)))
    system = lines(*({"id": f"q{rank}", "right": True} for _ in range(2) for rank in range(MOST_RECORDS)))
    first, second = guesses(gold, system)
    assert "repeats" not in first.options  # the second round of all items is not seen
    assert second.options["repeats"] == "any"
    assert second.confidence < first.confidence


def test_names_of_results_are_different_and_can_be_names() -> None:
    (guess,) = guesses(
        GOLD, lines(*({"id": name, "judge": {"right": 1}, "unit": {"right": 0}, "all": {"score": 1}} for name in "ab"))
    )
    assert guess.options["results"] == {
        "right": "judge.right",
        "unit_right": "unit.right",
        "all_score": "all.score",
    }


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("exact_match", "higher"),
        ("latencyMs", "lower"),
        ("toxicity_score", "lower"),
        ("score", "higher"),
        ("pass_time", None),
        ("flavour", None),
        ("errors", "lower"),
    ],
)
def test_names_tell_which_end_is_better(name: str, better: str | None) -> None:
    (guess,) = results_in([{name: 2}], [name])
    assert guess.better == better
    assert guess.settled("lower").better == (better or "lower")


def test_words_of_names() -> None:
    assert words_of("a.b.timeToFirstToken") == ["time", "to", "first", "token"]
    assert words_of("metricsData[name=Answer Relevancy [GEval]].score")[:2] == ["answer", "relevancy"]


WORDS = (
    "eval samples scores error id value results promptIdx testIdx success vars namedScores failureReason "
    "doc_id metrics resps filter testCases metricsData name score threshold cases failures assertions source_case_name right"
)
KEYS = st.sampled_from(re.findall(r"\w+", WORDS))
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["C", "a", "1", "true", ""]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=20,
)
EXPORTS = st.sampled_from(
    [
        {"eval": 1, "samples": [{"scores": {"m": {"value": "C"}}}]},
        {"results": {"results": [{"promptIdx": 0, "testIdx": 0, "success": True}]}},
        {"testCases": [{"name": "a", "metricsData": [{"name": "m", "score": 1, "threshold": 0.5}]}]},
        {"cases": [{"name": "a", "scores": {}, "assertions": {"m": {"value": True}}}]},
        {"doc_id": 0, "metrics": ["acc"], "resps": [], "acc": 1},
    ]
)


def replaced(value: Any, path: list[int], by: Any) -> Any:
    """The value with one that lies inside, by the ranks of keys and elements, replaced."""
    if not path or not isinstance(value, dict | list) or not value:
        return by
    keys = list(value) if isinstance(value, dict) else range(len(value))
    key = keys[path[0] % len(keys)]
    inner = replaced(value[key], path[1:], by)
    return {**value, key: inner} if isinstance(value, dict) else [*value[:key], inner, *value[key + 1 :]]


@given(st.data())
@settings(deadline=None, max_examples=200)
def test_no_document_makes_it_fail(data: st.DataObject) -> None:
    document = replaced(data.draw(EXPORTS), data.draw(st.lists(st.integers(0, 9), min_size=1, max_size=6)), data.draw(VALUES))
    for gold in (GOLD, json.dumps(document), data.draw(VALUES.map(json.dumps))):
        for guess in guesses(gold, json.dumps(document)):
            assert guess.options["results"]
