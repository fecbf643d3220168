"""Evidence of predictions: one row per question."""

from __future__ import annotations

import numpy as np

from pytest_nlpeval.columns import CLUSTER, GROUP, Column, Sparse
from pytest_nlpeval.evidence import Categorical, Evidence
from pytest_nlpeval.kit.records import left_out_columns
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.qa.gold import Gold
from pytest_nlpeval.tasks.qa.matching import score
from pytest_nlpeval.tasks.qa.normalising import normaliser
from pytest_nlpeval.tasks.qa.options import Options
from pytest_nlpeval.tasks.qa.system import Numbers, System
from pytest_nlpeval.tasks.qa.wrong_answers import explain


def count(documents: Documents, options: Options, _log: ProblemLog) -> Counted:
    """Return one row per question, named by its id; predictions that are not right are explained.

    Columns of 0 and 1: `answerable` (gold has an answer), `predicted`, `exact`, and where there are no-answer numbers `numbered` (the
    prediction has one) and `over` (it is greater than the threshold). `f1` is in [0, 1]; it and `exact` are of the prediction as it is,
    whatever its number. `number` is the no-answer number, `rank` its place in its file, from 0. `wordless` (sparse) is 1 where the
    prediction is not the empty text, though its normal form is.
    """
    gold: Gold = documents["gold"]
    system: System = documents["system"]
    normal_form = normaliser(options.language)
    forms = {name: normal_form(text) for name, text in system.texts.items()}
    names = tuple(gold.questions)
    scores = [
        score(forms[name], question.accepted, options.profile) if name in forms else (False, 0.0)
        for name, question in gold.questions.items()
    ]
    exact, f1 = zip(*scores, strict=True)
    columns: dict[str, Column] = {
        "answerable": np.array([bool(question.answers) for question in gold.questions.values()], np.int8),
        "predicted": np.array([name in forms for name in names], np.int8),
        "exact": np.array(exact, np.int8),
        "f1": np.array(f1, np.float64),
        "wordless": Sparse.from_dense(np.array([bool(system.texts.get(name)) and not forms[name] for name in names], np.int8)),
    }
    numbers: Numbers = system.numbers or documents.get("na_prob") or {}
    if options.cluster is not None:
        columns[CLUSTER] = Categorical.of(question.cluster for question in gold.questions.values())
    if gold.groups is not None:
        columns[GROUP] = Categorical.of(gold.groups)
    if numbers:
        columns |= _of_numbers(numbers, names, options)
    columns |= left_out_columns(gold.left_out + system.left_out, len(names))
    evidence = Evidence.of(names, columns)
    return Counted(evidence, explain(gold, system, numbers, evidence))


def _of_numbers(numbers: Numbers, names: tuple[str, ...], options: Options) -> dict[str, Column]:
    number = np.array([numbers.get(name, 0.0) for name in names], np.float64)
    ranks = {name: rank for rank, name in enumerate(numbers)}
    numbered = np.array([name in numbers for name in names], np.int8)
    return {
        "numbered": numbered,
        "over": numbered & (number > options.threshold),
        "number": number,
        "rank": np.array([ranks.get(name, 0) for name in names], np.int32),
    }
