"""Recognising Textual Entailment: judgments on text-hypothesis pairs, editions 1 to 3 of the PASCAL challenge.

Source: the challenge's published instructions (Dagan, Glickman, Magnini, 2005; Bar-Haim et al., 2006; Giampiccolo et al., 2007).
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.formats.xml import XML_KINDS
from pytest_nlpeval.problems import Kind
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.rte.measures import measures, notes, signature
from pytest_nlpeval.tasks.rte.native import native
from pytest_nlpeval.tasks.rte.options import Options

PROBLEMS = {
    **XML_KINDS,
    **text_kinds("warning"),
    "rte.no-pairs": Kind("error", "the gold or task file has no pair", fixed=True),
    "rte.id": Kind("error", "a pair's id is not a numeral", fixed=True),
    "rte.task": Kind("error", "a pair's task is not an application setting of the edition", fixed=True),
    "rte.blank-text": Kind("error", "a text or hypothesis is blank"),
    "rte.edition": Kind("error", "the gold or task file mixes editions, or is not of the edition in the options", fixed=True),
    "rte.no-judgment": Kind("error", "a gold pair has neither `value` nor `entailment`: it is a test pair", fixed=True),
    "rte.duplicate-id": Kind("error", "an id appears twice in a file; if tolerated, the first counts"),
    "rte.ranked": Kind("error", "a run of editions 2 and 3 does not begin with `ranked: yes` or `ranked: no`", fixed=True),
    "rte.line": Kind("error", "a line of a run lacks a field or has too many", fixed=True),
    "rte.judgment": Kind("error", "a judgment is not one of the edition's two words", fixed=True),
    "rte.confidence": Kind("error", "a confidence is not a number from 0 to 1 of at most 8 characters", fixed=True),
    "rte.mixed-confidence": Kind("error", "some lines have a confidence and others do not; if tolerated, cws has no value"),
    "rte.unknown-id": Kind("error", "a judged pair is not in the gold or task file; if tolerated, the line is left out"),
    "rte.order": Kind("error", "the pairs of an edition 1 run are not in the order of the gold or task file"),
    "rte.ranking": Kind("warning", "a ranked run has a YES after a NO"),
    "rte.blanks": Kind("warning", "fields are separated or followed by tabs or several blanks"),
    "rte.empty-run": Kind("warning", "the run judges no pair"),
    "rte.ties": Kind(
        "warning", "more than a tenth of the pairs have tied confidences, and their order changes cws by more than 0.01"
    ),
}

STARTER = Starter(
    gates=(
        StarterGate("accuracy", 0.55, "of the judged pairs; one answer for all gives about 0.5"),
        StarterGate("coverage", 0.9, "how many pairs the run judges"),
        StarterGate("cws", 0.55, "confidence-weighted score", only="edition 1, runs with confidences"),
        StarterGate("average_precision", 0.55, "how early pairs that entail appear", only="editions 2 and 3, one ranked run"),
    ),
)

TASK = Task(
    name="rte",
    summary="Recognising Textual Entailment (PASCAL RTE 1-3): does the text entail the hypothesis?",
    version="1",
    roles=(
        Role(
            "gold",
            "gold",
            "XML: <entailment-corpus> of <pair id task value|entailment> with <t> and <h>",
            Deferred("pytest_nlpeval.tasks.rte.gold:read_gold"),
        ),
        Role(
            "input",
            "gold",
            "instead of gold, to check runs before there is any: the task file, as gold but without judgments",
            Deferred("pytest_nlpeval.tasks.rte.task_file:read_task_file"),
            required=False,
            instead_of_gold=True,
        ),
        Role(
            "system",
            "system",
            "run file: `id TRUE|FALSE [confidence]`; editions 2, 3: `ranked: yes|no`, then `id YES|NO`",
            Deferred("pytest_nlpeval.tasks.rte.run:read_run"),
            suffixes=(".txt",),
        ),
    ),
    options=Options,
    options_schema=json_schema("rte.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.rte.counting:count"),
    measures=measures,
    signature=signature,
    native=native,
    fixed_measures=False,
    notes=notes,
    graphs=Deferred("pytest_nlpeval.tasks.rte.graphs:graphs"),
    starter=STARTER,
    asks=Deferred("pytest_nlpeval.tasks.rte.asking:asks"),
    restate=Deferred("pytest_nlpeval.tasks.rte.asking:restate"),
    recognise=Deferred("pytest_nlpeval.tasks.rte.recognising:recognise"),
)
