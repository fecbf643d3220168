"""Documents of coreference as files, made of entities."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted
from pytest_nlpeval.tasks.coref import TASK

WORDS = 9

Span = tuple[int, int]
Entities = Sequence[Sequence[Span]]

SPANS = st.tuples(st.integers(0, WORDS - 1), st.integers(0, 3)).map(lambda span: (span[0], min(WORDS - 1, sum(span))))


@st.composite
def entities(draw: st.DrawFn) -> list[list[Span]]:
    """Draw some disjoint entities."""
    spans = draw(st.lists(SPANS, unique=True, max_size=9))
    groups: dict[int, list[Span]] = {}
    for span in spans:
        groups.setdefault(draw(st.integers(0, 3)), []).append(span)
    return list(groups.values())


def as_json(documents: Mapping[str, Entities]) -> bytes:
    """Return JSON Lines with a line per document of `WORDS` words."""
    words = [f"w{rank}" for rank in range(WORDS)]
    records = ({"doc_key": name, "tokens": words, "clusters": clusters} for name, clusters in documents.items())
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def as_conll(documents: Mapping[str, Entities]) -> bytes:
    """Return CoNLL columns; mentions of one entity must not cross."""
    lines: list[str] = []
    for name, clusters in documents.items():
        pieces: list[list[str]] = [[] for _ in range(WORDS)]
        for rank, cluster in enumerate(clusters):
            for first, last in sorted(cluster, key=lambda span: (span[0], -span[1])):
                pieces[first].append(f"({rank})" if first == last else f"({rank}")
                if first < last:
                    pieces[last].append(f"{rank})")
        lines += [
            f"#begin document {name}",
            *(f"w{rank} {'|'.join(sorted(column)) or '-'}" for rank, column in enumerate(pieces)),
        ]
        lines.append("#end document")
    return "".join(f"{line}\n" for line in lines).encode()


def counted(gold: bytes, system: bytes, rules: Mapping[str, Any] | None = None, **options: Any) -> Counted:
    """Return what counting gives; there may be no errors."""
    chosen = TASK.options(**options)
    files: dict[str, Any] = {}
    for role, data in (("gold", gold), ("system", system)):
        log = ProblemLog(role, TASK.problems, rules)
        files[role] = TASK.role(role).read(Source(role, data), files, chosen, log)
        assert not log.has_errors, log.problems()
    return TASK.count(files, chosen, ProblemLog("", TASK.problems))


def values(evidence: Evidence, **options: Any) -> dict[str, float | None]:
    """Return the values of all measures."""
    sample = Sample(evidence)
    return {measure.name: measure.score(sample).value for measure in TASK.measures(TASK.options(**options), None) or ()}


def scores(gold: bytes, system: bytes, rules: Mapping[str, Any] | None = None, **options: Any) -> dict[str, float | None]:
    """Return the values of all measures for two files."""
    return values(counted(gold, system, rules, **options).evidence, **options)
