"""Anaphora Resolution Exercise (ARE, DAARC 2007): pronouns and coreference chains, with given and with system mentions.

Source: the organisers' published descriptions of data and evaluation; MUC after Vilain, Burger, Aberdeen, Connolly and Hirschman:
A model-theoretic coreference scoring scheme, MUC-6, 1995.
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.formats.xml import XML_KINDS
from pytest_nlpeval.problems import Kind
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.are.measures import measures, signature
from pytest_nlpeval.tasks.are.native import native
from pytest_nlpeval.tasks.are.options import Options, needs_input

PROBLEMS = {
    **XML_KINDS,
    "are.duplicate-id": Kind("error", "an id appears twice in a file; if tolerated, the first counts"),
    "are.no-pronouns": Kind("error", "the input of subtask 1 does not list the pronouns to be resolved", fixed=True),
    "are.unknown-id": Kind("error", "an id or position is not in the input", fixed=True),
    "are.span": Kind("error", "a mention does not start before its end", fixed=True),
    "are.repeated": Kind("error", "a mention appears twice in the chains of a file", fixed=True),
    "are.words": Kind("warning", "not one word between two nodes of the input, or words before the first or after the last"),
    "are.singleton": Kind("warning", "a chain has one mention: no link, and none is counted"),
    "are.answered-twice": Kind("error", "a pronoun has two answers; if tolerated, the first counts"),
    "are.own-antecedent": Kind("error", "a pronoun is its own antecedent", fixed=True),
    "are.excess": Kind(
        "error", "in subtask 4, mentions of gold and system overlap in more pairs than can be aligned", fixed=True
    ),
}

STARTER = Starter(
    options={"subtask": 1},
    gates=(
        StarterGate("success_rate", 0.5, "pronouns that lead to a mention of their chain, half credits included"),
        StarterGate("answered", 0.9, "pronouns that have an answer"),
        StarterGate("muc.f1", 0.5, "F of the links of chains", only="subtask 2"),
        StarterGate("f1", 0.5, "F of resolved pronouns", only="subtask 3"),
        StarterGate("muc_overlap.f1", 0.5, "F of the links of chains, weighted by overlap", only="subtask 4"),
    ),
)

TASK = Task(
    name="are",
    summary="Anaphora Resolution Exercise (DAARC 2007): whom does a pronoun refer to, which mentions corefer?",
    version="1",
    roles=(
        Role(
            "input",
            "gold",
            "the text with its candidates and pronouns (subtasks 1, 2), or with a node between all words (3, 4); optional in 2",
            Deferred("pytest_nlpeval.tasks.are.inputs:read_input"),
            required=needs_input,
            suffixes=("-input.xml",),
            is_question=True,
        ),
        Role(
            "gold",
            "gold",
            "the key: <chain> of <node id> (1, 2) or <node start end> (3, 4; in 3 also pronoun)",
            Deferred("pytest_nlpeval.tasks.are.chains:read_chains"),
            suffixes=("-key.xml",),
        ),
        Role(
            "system",
            "system",
            "<pair> of <pronoun> and <antecedent> (1, 3), or chains as in gold (2, 4)",
            Deferred("pytest_nlpeval.tasks.are.answers:read_system"),
        ),
    ),
    options=Options,
    options_schema=json_schema("are.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.are.counting:count"),
    measures=measures,
    signature=signature,
    native=native,
    starter=STARTER,
    recognise=Deferred("pytest_nlpeval.tasks.are.recognising:recognise"),
)
