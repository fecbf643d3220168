"""Extractive and short-answer question answering: SQuAD 1.1 and 2.0, MLQA, XQuAD.

Source: evaluate-v1.1.py and evaluate-v2.0.py (Rajpurkar et al., SQuAD: 100,000+ Questions, EMNLP 2016; Rajpurkar, Jia, Liang, Know What
You Don't Know: Unanswerable Questions for SQuAD, ACL 2018); mlqa_evaluation_v1.py (Lewis et al., MLQA, ACL 2020).
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.formats.json import MAX_DEPTH
from pytest_nlpeval.kit.groups import group_kinds
from pytest_nlpeval.kit.records import record_kinds
from pytest_nlpeval.problems import Kind
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.qa.measures import measures, notes, signature
from pytest_nlpeval.tasks.qa.native import native
from pytest_nlpeval.tasks.qa.options import READING, make_options

PROBLEMS = {
    **record_kinds("qa", but=("no-items", "length", "format")),
    "qa.json": Kind(
        "error",
        f"no JSON, NaN, Infinity, half a surrogate pair, more than {MAX_DEPTH} levels, a key twice, or a blank line amid JSON Lines",
        fixed=True,
    ),
    "qa.shape": Kind("error", "a value is of another type than it must be, or a key is missing", fixed=True),
    "qa.no-questions": Kind("error", "gold has no question", fixed=True),
    "qa.duplicate-id": Kind("error", "a question stands twice in a file; if tolerated, the first counts"),
    "qa.unknown-id": Kind("error", "a prediction or number for a question that gold has not; if tolerated, it is left out"),
    "qa.missing-id": Kind("error", "a question has no prediction; if tolerated, it scores 0"),
    "qa.na-prob": Kind(
        "error",
        "a predicted question has no no-answer number though others have, or there are numbers in both places",
        fixed=True,
    ),
    **group_kinds("qa"),
    "qa.no-answers": Kind("error", "a question without answers, in the profile squad1", fixed=True),
    "qa.impossible": Kind("warning", "`is_impossible` says the opposite of `answers`; the answers count"),
    "qa.span": Kind("warning", "`answer_start` is not where the answer stands in the context; does not change scores"),
    "qa.empty-answer": Kind("warning", "nothing is left of an answer when it is normalised: only an empty prediction matches it"),
}

STARTER = Starter(
    gates=(
        StarterGate("f1", 0.7, "mean token F1 of all questions"),
        StarterGate("exact", 0.6, "exact match of all questions"),
        StarterGate("NoAns.exact", 0.6, "questions without answer that are left unanswered", only="data with such questions"),
    ),
)

TASK = Task(
    name="qa",
    summary="Extractive and short-answer question answering (SQuAD 1.1 and 2.0, MLQA, XQuAD)",
    version="1",
    roles=(
        Role(
            "gold",
            "gold",
            "questions and answers: SQuAD JSON, or JSON Lines with `id` and `answers`",
            Deferred("pytest_nlpeval.tasks.qa.gold:read_gold"),
            suffixes=(".json", ".jsonl"),
        ),
        Role(
            "na_prob",
            "system",
            "how sure the system is that there is no answer: a JSON object, question id to number",
            Deferred("pytest_nlpeval.tasks.qa.system:read_numbers"),
            required=False,
            suffixes=(".json",),
        ),
        Role(
            "system",
            "system",
            "predictions: a JSON object, question id to text, or JSON Lines with `id` and `prediction`",
            Deferred("pytest_nlpeval.tasks.qa.system:read_system"),
            suffixes=(".json", ".jsonl"),
        ),
    ),
    options=make_options,
    options_schema=json_schema("qa.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.qa.counting:count"),
    measures=measures,
    signature=signature,
    native=native,
    notes=notes,
    graphs=Deferred("pytest_nlpeval.tasks.qa.graphs:graphs"),
    starter=STARTER,
    reading=READING,
    asks=Deferred("pytest_nlpeval.tasks.qa.asking:asks"),
    restate=Deferred("pytest_nlpeval.tasks.qa.asking:restate"),
    recognise=Deferred("pytest_nlpeval.tasks.qa.recognising:recognise"),
)
