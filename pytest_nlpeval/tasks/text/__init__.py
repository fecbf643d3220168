"""Transcripts, translations and summaries against references.

Sources: the scorers jiwer (error rates), sacrebleu (BLEU, chrF, TER) and rouge-score (ROUGE), and what they cite; spelt out in the task's
page.
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.text.measures import measures, notes, remedy, signature
from pytest_nlpeval.tasks.text.native import native
from pytest_nlpeval.tasks.text.options import READING, options
from pytest_nlpeval.tasks.text.problems import PROBLEMS

_SUFFIXES = (".tsv", ".csv", ".jsonl", ".trn", ".txt")

STARTER = Starter(
    gates=(
        StarterGate("wer", 0.2, "errors per word of the references"),
        StarterGate("cer", 0.1, "errors per character of the references"),
        StarterGate("coverage", 0.99, "nearly every segment has a hypothesis"),
    ),
)

TASK = Task(
    name="text",
    summary="Transcripts, translations and summaries against references: WER, CER, BLEU, chrF, TER, ROUGE.",
    version="1",
    roles=(
        Role(
            "gold",
            "gold",
            "references: a segment per line, TSV, CSV or JSON Lines with an id and a text, or NIST's trn",
            Deferred("pytest_nlpeval.tasks.text.gold:read_gold"),
            suffixes=_SUFFIXES,
        ),
        *(
            Role(
                f"gold{number}",
                "gold",
                "one further reference for each segment, paired as the system's files are",
                Deferred("pytest_nlpeval.tasks.text.gold:read_further"),
                required=False,
                suffixes=_SUFFIXES,
            )
            for number in range(2, 9)
        ),
        Role(
            "system",
            "system",
            "the system's texts for the same segments; not necessarily in the same format",
            Deferred("pytest_nlpeval.tasks.text.system:read_system"),
            suffixes=_SUFFIXES,
        ),
    ),
    options=options,
    options_schema=json_schema("text.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.text.counting:count"),
    measures=measures,
    signature=signature,
    fixed_measures=False,
    native=native,
    notes=notes,
    graphs=Deferred("pytest_nlpeval.tasks.text.graphs:graphs"),
    starter=STARTER,
    remedy=remedy,
    reading=READING,
    asks=Deferred("pytest_nlpeval.tasks.text.asking:asks"),
    restate=Deferred("pytest_nlpeval.tasks.text.asking:restate"),
    recognise=Deferred("pytest_nlpeval.tasks.text.recognising:recognise"),
)
