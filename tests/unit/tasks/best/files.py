"""Builds ERE and best files from rows, reads and scores them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample, Score
from pytest_nlpeval.problems import Problem, ProblemLog, Rule
from pytest_nlpeval.tasks.best import PROBLEMS, TASK
from pytest_nlpeval.tasks.best.annotations import Annotation, read_annotations
from pytest_nlpeval.tasks.best.ere import Ere, read_ere
from pytest_nlpeval.tasks.best.options import Options
from pytest_nlpeval.tasks.best.quotes import SourceText, find_quotes

Rules = Mapping[str, Rule]


class Row(NamedTuple):
    """One annotation: `source` "" for none."""

    attitude: str
    value: str
    source: str
    target: str


ERE = """\
<deft_ere>
<entities>
<entity id="a" type="PER">
<entity_mention id="a1" offset="10" length="3"><mention_text>Ann</mention_text></entity_mention>
<entity_mention id="a2" offset="20" length="1"><mention_text>I</mention_text></entity_mention>
</entity>
<entity id="b" type="PER"><entity_mention id="b1" offset="30" length="3"><mention_text>Bob</mention_text></entity_mention></entity>
<entity id="c" type="ORG"><entity_mention id="c1" offset="40" length="5"><mention_text>co-op</mention_text></entity_mention></entity>
<entity id="p" type="FAC"><entity_mention id="p1" offset="50" length="4"><mention_text>pool</mention_text></entity_mention></entity>
</entities>
<fillers><filler id="f1" offset="5" length="2">ex</filler></fillers>
<relations><relation id="r">
<relation_mention id="r1"><rel_arg1 entity_id="b" entity_mention_id="b1"/><rel_arg2 entity_mention_id="c1"/></relation_mention>
<relation_mention id="r2"><rel_arg1 entity_id="b" entity_mention_id="b1"/><rel_arg2 filler_id="f1"/></relation_mention>
<relation_mention id="r3"/>
</relation></relations>
<hoppers>
<hopper id="h">
<event_mention id="h1"><trigger offset="60" length="4">vote</trigger><em_arg entity_mention_id="a1"/></event_mention>
<event_mention id="h2"><trigger offset="70" length="4">vote</trigger></event_mention>
<event_mention id="h3"><trigger offset="80" length="6">ballot</trigger></event_mention>
</hopper>
<hopper id="k"><event_mention id="k1"><trigger offset="90" length="5">close</trigger></event_mention></hopper>
</hoppers>
</deft_ere>
"""
"""Entities a, b, c, p; relation r; hoppers h and k; their mentions are numbered."""

SOURCES = ("", "a1", "a2", "b1", "c1")
BELIEFS = ("cb", "ncb", "rob", "na")
SENTIMENTS = ("pos", "neg", "none")


def kind_of(target: str) -> str:
    return {"r": "relation", "h": "event", "k": "event"}.get(target[0], "entity")


def best(rows: Iterable[Row]) -> str:
    """A best file with one line per annotation, in the order of the rows; the first one is on line 2."""
    return "<committed_belief_doc>\n" + "".join(map(line_of, rows)) + "</committed_belief_doc>\n"


def line_of(row: Row) -> str:
    kind, key = kind_of(row.target), "type" if row.attitude == "belief" else "polarity"
    group = "entities" if kind == "entity" else f"{kind}s"
    source = f'<source ere_id="{row.source}"/>' if row.source else ""
    annotation = f'<{row.attitude} {key}="{row.value}">{source}</{row.attitude}>'
    section = f"{row.attitude}_annotations"
    return f'<{section}><{group}><{kind} ere_id="{row.target}">{annotation}</{kind}></{group}></{section}>\n'


def rows_of(*texts: str) -> list[Row]:
    """Rows from texts such as `belief cb a1 h1`, with `-` for no source."""
    return [Row(attitude, value, source.strip("-"), target) for attitude, value, source, target in map(str.split, texts)]


def ere_of(text: str = ERE, rules: Rules | None = None) -> tuple[Ere | None, tuple[Problem, ...]]:
    log = ProblemLog("ere.xml", PROBLEMS, rules)
    return read_ere(Source("ere.xml", text.encode()), {}, Options(), log), log.problems()


def known() -> Ere:
    ere, problems = ere_of()
    assert ere is not None, problems
    return ere


KNOWN = known()


def annotations_of(
    text: str, ere: Ere | None = KNOWN, rules: Rules | None = None
) -> tuple[list[Annotation] | None, tuple[Problem, ...]]:
    log = ProblemLog("best.xml", PROBLEMS, rules)
    documents = {} if ere is None else {"ere": ere}
    return read_annotations(Source("best.xml", text.encode()), documents, Options(), log), log.problems()


def codes(problems: Iterable[Problem]) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in problems]


def documents_of(gold: Sequence[Row], system: Sequence[Row], text: str | None = None, ere: Ere = KNOWN) -> dict[str, Any]:
    documents: dict[str, Any] = {"ere": ere}
    for role, rows in (("gold", gold), ("system", system)):
        found, problems = annotations_of(best(rows), ere)
        assert found is not None, problems
        documents[role] = found
    return documents if text is None else documents | {"source": SourceText(text, find_quotes(text))}


def evidence_of(gold: Sequence[Row], system: Sequence[Row], text: str | None = None, ere: Ere = KNOWN) -> Evidence:
    return TASK.count(documents_of(gold, system, text, ere), Options(), ProblemLog("best.xml", PROBLEMS)).evidence


def explanations_of(gold: Sequence[Row], system: Sequence[Row], text: str | None = None) -> Explanations:
    counted = TASK.count(documents_of(gold, system, text), Options(), ProblemLog("best.xml", PROBLEMS))
    return Explanations.of(counted.explanations)


def scores_of(evidence: Evidence) -> dict[str, Score]:
    sample = Sample(evidence)
    return {measure.name: measure.score(sample) for measure in TASK.measures(Options(), tuple(evidence.columns)) or ()}


def values_of(evidence: Evidence) -> dict[str, float]:
    """The values of all measures; all have one."""
    found = {name: score.value for name, score in scores_of(evidence).items()}
    return {name: value for name, value in found.items() if value is not None}


def counts_of(evidence: Evidence) -> dict[str, float]:
    """The only row, by column."""
    assert len(evidence.units) == 1
    return {name: evidence.column(name).tolist()[0] for name in evidence.columns}


_BELIEF = st.builds(
    Row, st.just("belief"), st.sampled_from(BELIEFS), st.sampled_from(SOURCES), st.sampled_from(("h1", "h2", "h3", "k1", "r1"))
)
_SENTIMENT = st.builds(
    Row, st.just("sentiment"), st.sampled_from(SENTIMENTS), st.sampled_from(SOURCES), st.sampled_from(("h1", "h2", "p1", "r3"))
)
ROWS = st.lists(st.one_of(_BELIEF, _BELIEF, _SENTIMENT), max_size=10)


def distinct(rows: Sequence[Row]) -> list[Row]:
    """The rows without repetitions, sorted."""
    return [row for row, _ in groupby(sorted(rows))]
