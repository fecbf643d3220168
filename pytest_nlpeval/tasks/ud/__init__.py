"""Tokens, tags, lemmas and dependencies in CoNLL-U (Universal Dependencies).

Sources: conll18_ud_eval.py 1.2 (CoNLL 2018 shared task), iwpt20_xud_eval.py (IWPT 2020), eval.py of udtools; levels 1 and 2 of the UD
validator.
"""

from __future__ import annotations

from pytest_nlpeval.files import json_schema
from pytest_nlpeval.kit.signatures import signature_of
from pytest_nlpeval.task import Deferred, Role, Starter, StarterGate, Task
from pytest_nlpeval.tasks.ud.measures import measures
from pytest_nlpeval.tasks.ud.native import native
from pytest_nlpeval.tasks.ud.options import Options
from pytest_nlpeval.tasks.ud.problems import PROBLEMS

STARTER = Starter(
    gates=(
        StarterGate("las.f1", 0.5, "words with the right head and relation"),
        StarterGate("upos.f1", 0.7, "words with the right part of speech"),
        StarterGate("tokens.f1", 0.9, "tokens with the right boundaries"),
        StarterGate("elas.f1", 0.5, "the same as las.f1 of enhanced dependencies", only="if the files have DEPS"),
    ),
)

TASK = Task(
    name="ud",
    summary="Tokens, tags, lemmas and dependencies in CoNLL-U: the CoNLL 2018 and IWPT shared tasks.",
    version="1",
    roles=(
        Role(
            "gold", "gold", "a treebank in CoNLL-U", Deferred("pytest_nlpeval.tasks.ud.reading:read_gold"), suffixes=(".conllu",)
        ),
        Role(
            "system",
            "system",
            "the same text in CoNLL-U, with the system's sentences, tokens, words, tags and trees",
            Deferred("pytest_nlpeval.tasks.ud.reading:read_system"),
            suffixes=(".conllu",),
        ),
    ),
    options=Options,
    options_schema=json_schema("ud.options.schema.json"),
    problems=PROBLEMS,
    count=Deferred("pytest_nlpeval.tasks.ud.counting:count"),
    measures=measures,
    signature=signature_of(),
    fixed_measures=False,
    native=native,
    starter=STARTER,
    asks=Deferred("pytest_nlpeval.tasks.ud.asking:asks"),
    restate=Deferred("pytest_nlpeval.tasks.ud.restating:restate"),
    recognise=Deferred("pytest_nlpeval.tasks.ud.recognising:recognise"),
)
