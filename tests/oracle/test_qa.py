"""The task qa against the official scripts of SQuAD and MLQA, if the variable NLPEVAL_SQUAD_SCRIPTS names a folder that has them."""

from __future__ import annotations

import importlib.util
import json
import os
import warnings
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.qa.measures import SCORES, signature
from pytest_nlpeval.tasks.qa.native import native
from pytest_nlpeval.tasks.qa.options import Options
from tests.unit.tasks.qa.files import evidence_of, squad, values_of

SCRIPTS = os.environ.get("NLPEVAL_SQUAD_SCRIPTS", "")

pytestmark = pytest.mark.skipif(not SCRIPTS, reason="the official scripts are not at hand")

LANGUAGES = ("ar", "de", "en", "es", "hi", "vi", "zh")

Run = tuple[dict[str, list[str]], dict[str, str], dict[str, float]]

WORDS = [
    *(
        "the",
        "a",
        "An",
        "The",
        "Orlin",
        "bridge",
        "1,000",
        "U.S.",
        "the-cat",
        "…",
        "–",
        "“x”",
        ".",
        "x'the",
        "_a",
        "a_",
        "é",
        "ß",
        "İ",
        "ﬁ",
    ),
    *(
        "Σας",
        "ΣΑΣ",
        "las",
        "El",
        "der",
        "ein",
        "của",
        "الكتاب",
        "قال",
        "在1066年",
        "「日本」。",
        "か",
        "पुल।",
        "\u200bthe",
        "\x1c",
        "\u00a0",
    ),
]
TEXTS = st.lists(st.sampled_from(WORDS) | st.text(max_size=4), max_size=5).flatmap(
    lambda words: st.sampled_from((" ", "  ", "\t", "")).map(lambda blank: blank.join(words))
)
NUMBERS = st.sampled_from((-3.5, 0.0, 0.1, 0.2, 0.5, 0.9, 1.0)) | st.floats(0, 1)


@st.composite
def runs(draw: st.DrawFn, least: int = 0) -> Run:
    """Answers, predictions and numbers of some questions, each with at least so many answers."""
    names = [str(number) for number in range(draw(st.integers(1, 25)))]
    answers = {name: draw(st.lists(TEXTS, min_size=least, max_size=3)) for name in names}
    predictions = {name: draw(st.sampled_from([*answers[name], ""]) | TEXTS) for name in names}
    return answers, predictions, {name: draw(NUMBERS) for name in draw(st.permutations(names))}


def script(name: str) -> Any:
    """Import a script; its name is no module's."""
    spec = importlib.util.spec_from_file_location(f"official_{len(name)}", Path(SCRIPTS) / name)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # theirs
        spec.loader.exec_module(module)
    return module


def ours(run: Run, options: Options, *, numbers: bool = True) -> dict[str, float | None]:
    """Return the native report."""
    answers, predictions, given = run
    values = values_of(evidence_of(answers, predictions, given if numbers else None, options), options)
    found: dict[str, float | None] = json.loads(native(Reported(values, signature(options, ()), 1, {})))
    return found


def data_of(answers: dict[str, list[str]]) -> Any:
    return squad(answers)["data"]


def figures_of_squad2(official: Any, run: Run, threshold: float) -> dict[str, float]:
    """Do what `main` of evaluate-v2.0.py does between reading and printing."""
    answers, predictions, numbers = run
    kinds = official.make_qid_to_has_ans(data_of(answers))
    exact, f1 = official.get_raw_scores(data_of(answers), predictions)
    above = [official.apply_no_ans_threshold(scores, numbers, kinds, threshold) for scores in (exact, f1)]
    found: dict[str, float] = official.make_eval_dict(*above)
    for name, has_answer in (("HasAns", True), ("NoAns", False)):
        if of_kind := [question for question, kind in kinds.items() if kind is has_answer]:
            official.merge_eval(found, official.make_eval_dict(*above, qid_list=of_kind), name)
    official.find_all_best_thresh(found, predictions, exact, f1, numbers, kinds)
    return found


@settings(max_examples=300)
@given(run=runs(), threshold=st.sampled_from((1.0, 0.5, 0.1, -1.0)))
def test_squad2(run: Run, threshold: float) -> None:
    expected = figures_of_squad2(script("evaluate-v2.0.py"), run, threshold)
    options = Options(threshold=threshold, profile="squad2")
    found = ours(run, options)
    assert found == pytest.approx(expected, rel=1e-12)
    for score in SCORES:  # to the last digit
        assert found[f"best_{score}_thresh"] == expected[f"best_{score}_thresh"]


@settings(max_examples=200)
@given(run=runs(least=1))
def test_squad1(run: Run) -> None:
    answers, predictions, _ = run
    options = Options(profile="squad1")
    expected = script("evaluate-v1.1.py").evaluate(data_of(answers), predictions)
    assert ours(run, options, numbers=False) == pytest.approx(expected, rel=1e-12)


@pytest.fixture(scope="module")
def mlqa() -> Any:
    return script("mlqa_evaluation_v1.py")


@pytest.mark.parametrize("language", LANGUAGES)
def test_mlqa(language: str, mlqa: Any) -> None:
    options = Options(profile="squad1", language=language)

    @settings(max_examples=100)
    @given(run=runs(least=1))
    def check(run: Run) -> None:
        answers, predictions, _ = run
        expected = mlqa.evaluate(data_of(answers), predictions, language)
        assert ours(run, options, numbers=False) == pytest.approx(expected, rel=1e-12)

    check()
