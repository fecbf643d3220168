"""Options: what a configuration may say, and what a gate on a measure that is not worked out is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import NlpevalError, load_suites, score
from pytest_nlpeval.tasks.text.measures import remedy
from pytest_nlpeval.tasks.text.options import FAMILIES, of_signature, options
from tests.support import write

FILES = {"g.txt": "a b c d\n", "s.txt": "a b c d\n"}


def refused(folder: Path, given: str, gates: str = "{}") -> str:
    text = f"version: 1\nsuites:\n  - {{name: s, task: text, gold: g.txt, system: s.txt, options: {given}, gates: {gates}}}\n"
    with pytest.raises(NlpevalError) as caught:
        load_suites(write(folder, {**FILES, "nlpeval.yaml": text}) / "nlpeval.yaml", root=folder)
    return str(caught.value)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ("{tokenize: intl}", "config.option"),
        ("{tokenize: intl, measures: [wer, ter]}", "config.option"),
        ("{tokenize: intl, measures: wer}", "config.option"),
        ("{ter: normalized, measures: bleu}", "config.option"),
        ("{text: {system: [a, b]}}", "config.option"),
        ("{measures: rouge3}", "rouge3"),
        ("{measures: []}", "config.option"),
        ("{normalise: lowercase}", "lowercase"),
        ("{ignore: ['a b']}", "is no word"),
        ("{format: docx}", "docx"),
    ],
)
def test_options_that_do_not_fit_are_told(tmp_path: Path, given: str, named: str) -> None:
    assert named in refused(tmp_path, given)


@pytest.mark.parametrize(
    "given",
    [
        "{ter: asian_support, measures: ter}",
        "{tokenize: flores200, measures: bleu}",
        "{smooth: floor, measures: bleu}",
        "{max_order: 3, measures: bleu}",
        "{use_stemmer: true, measures: rouge1}",
    ],
)
def test_what_is_not_given_is_refused(tmp_path: Path, given: str) -> None:
    assert "config.option" in refused(tmp_path, given)


def test_a_gate_on_another_measure_says_which_to_add(tmp_path: Path) -> None:
    assert "add bleu to the option measures" in refused(tmp_path, "{}", "{bleu.mean: 0.3}")
    assert "did you mean" in refused(tmp_path, "{}", "{werr: 0.3}")


def test_every_measure_has_its_family() -> None:
    assert remedy(options(measures="wer"), "rougeL.recall") == "add rougeL to the option measures"
    assert remedy(options(measures="wer"), "group.x.chrf++.mean") == "add chrf++ to the option measures"
    assert remedy(options(measures=list(FAMILIES)), "bleu") == ""
    assert remedy(options(), "nonsense") == ""


@pytest.mark.parametrize(
    "given",
    [{}, {"ignore": "[noise]"}, {"measures": "bleu", "tokenize": "zh"}, {"ter": ["normalized"], "measures": ["ter", "cer"]}],
)
def test_a_signature_tells_the_options_that_change_scores(given: dict[str, Any]) -> None:
    made = options(**given)
    again = of_signature(dict(made.signature))
    assert (again.measures, again.ignore, again.tokenize, again.ter) == (made.measures, made.ignore, made.tokenize, made.ter)


def test_the_order_of_lists_is_not_in_the_signature_of_measures(tmp_path: Path) -> None:
    folder = write(tmp_path, FILES)
    signatures = {
        score("text", options={"measures": own}, gold=folder / "g.txt", system=folder / "s.txt").signature
        for own in (["wer", "bleu"], ["bleu", "wer"])
    }
    assert len(signatures) == 1
