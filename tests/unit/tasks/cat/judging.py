"""Judges one document against another by the whole task, and generates documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from random import Random
from typing import Any

from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.measures import Sample, Score
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.cat import TASK
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.options import make_options
from pytest_nlpeval.tasks.cat.rows import CONFIG
from pytest_nlpeval.tasks.cat.standard.selection import Selection, select
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Relation, Tokens
from tests.unit.tasks.cat.nwr2014_documents import config

Said = list[tuple[str, str]]
"""Problems as (code, where)."""


@dataclass(frozen=True)
class Judged:
    """The evidence of one document, its scores, what was said of gold and system, and the explanations."""

    evidence: Evidence
    scores: Mapping[str, Score]
    said: tuple[Said, Said]
    explanations: Explanations

    @property
    def items(self) -> list[tuple[str, str]]:
        """What is not right, by reason and key."""
        return [(entry.reason, entry.item) for entry in self.explanations.first]

    @cached_property
    def counts(self) -> dict[str, int]:
        """The numbers by row and field, such as `EVENT.strict.tp`."""
        return {
            name.rpartition(":")[2].replace("@", ".attribute."): int(self.evidence.column(name)[0])
            for name in self.evidence.columns
            if not name.startswith(CONFIG)
        }

    def row(self, name: str) -> tuple[int, int, int]:
        """tp, gold and system of a row in which both sides match as many."""
        numbers = [self.counts[f"{name}.{field}"] for field in ("tp", "gold_matched", "system_matched", "gold", "system")]
        assert len(set(numbers[:3])) == 1
        return numbers[0], numbers[3], numbers[4]

    def sides(self, name: str) -> tuple[tuple[int, int], tuple[int, int]]:
        """(matched, all) of gold and of the system."""
        numbers = [self.counts[f"{name}.{field}"] for field in ("gold_matched", "gold", "system_matched", "system")]
        return (numbers[0], numbers[1]), (numbers[2], numbers[3])

    def value(self, measure: str) -> float | None:
        return self.scores[measure].value


def selected(side: Document, configuration: Configuration, **options: Any) -> tuple[Selection, Said]:
    """What is scored of a file, and what is said about the rest."""
    chosen = make_options(**options)
    log = ProblemLog("file", TASK.problems)
    found = Selection(side) if chosen.profile == "nwr2014" else select(side, configuration, chosen.limit, log)
    return found, [(problem.code, problem.where) for problem in log.problems()]


def judge(configuration: Configuration, gold: Document, system: Document, **options: Any) -> Judged:
    ours, theirs = (selected(side, configuration, **options) for side in (gold, system))
    documents = {"config": configuration, "gold": ours[0], "system": theirs[0]}
    counted = TASK.count(documents, make_options(**options), ProblemLog("file", TASK.problems))
    scores = scores_of(counted.evidence, **options)
    return Judged(counted.evidence, scores, (ours[1], theirs[1]), Explanations.of(counted.explanations))


def scores_of(evidence: Evidence, **options: Any) -> dict[str, Score]:
    sample = Sample(evidence)
    return {measure.name: measure.score(sample) for measure in TASK.measures(make_options(**options), evidence.columns) or ()}


def shares_of(evidence: Evidence, **options: Any) -> dict[str, float | None]:
    """The values of all measures that are no counts."""
    sample = Sample(evidence)
    measures = TASK.measures(make_options(**options), evidence.columns) or ()
    return {measure.name: measure.score(sample).value for measure in measures if not measure.range.is_whole}


EVERYTHING = tuple(
    config(
        "EVENT markable 0 class",
        "TIMEX3 markable 0 type Value",
        "TIMEX3 instance comparable type",
        "ENTITY instance non-comparable type",
        f"TLINK one2one {direction} relType",
        f"PLOT one2one {direction} relType contextual",
        "LOOSE one2one undirectional",
        f"REFERS many2one {direction} type",
    )
    for direction in ("directional", "undirectional")
)
"""Configurations with all that there is."""

NAMES = ("EVENT", "EVENT", "TIMEX3", "ROLE", "ENTITY")
RELATIONS = ("TLINK", "TLINK", "TLINK", "PLOT", "LOOSE", "REFERS", "REFERS")
TYPES = ("BEFORE", "before", "AFTER", "INCLUDES", "IS_INCLUDED", "SIMULTANEOUS", "IDENTITY", "DURING", "IBEFORE", "ENDS", "X", "")
VALUES = ("", "A", "a", "b")
NUMBER_OF_TOKENS = 8
TOKENS = Tokens(
    tuple(f"t{rank}" for rank in range(NUMBER_OF_TOKENS)), tuple("abcdefgh"), tuple(rank // 2 for rank in range(NUMBER_OF_TOKENS))
)


class Maker:
    """Makes documents by chance: discontinuous extents, several markables on one, instances, relations of all kinds with any ends.

    Hypothesis would draw each number apart; a seed makes many more documents in the same time.
    """

    def __init__(self, seed: int, *, empty: bool = True) -> None:
        self.chance = Random(seed)
        self.empty = empty

    def document(self, markables: int, relations: int) -> Document:
        ids = [str(rank) for rank in range(markables)]
        rows = {name: self.markable(name) for name in ids}
        return Document(TOKENS, rows, tuple(self.relation(ids) for _ in range(relations if ids else 0)))

    def altered(self, side: Document, relations: int) -> Document:
        """What a system could make of a document: other ids, a part of the markables and relations changed, others besides."""
        names = {name: f"s{name}" for name in side.markables}
        markables = {
            names[name]: self.markable(names[name]) if self.sometimes() else markable._replace(id=names[name])
            for name, markable in side.markables.items()
            if not self.sometimes()
        }
        ids = list(markables)
        kept = [
            relation._replace(
                sources=tuple(names[end] for end in relation.sources), targets=tuple(names[end] for end in relation.targets)
            )
            for relation in side.relations
            if all(names[end] in markables for end in (*relation.sources, *relation.targets)) and not self.sometimes()
        ]
        more = [self.relation(ids) for _ in range(relations if ids else 0)]
        return Document(side.tokens, markables, tuple(kept + more))

    def sometimes(self) -> bool:
        return self.chance.random() < 1 / 5

    def markable(self, name: str) -> Markable:
        number = self.chance.choice((0, 1, 1, 2, 3) if self.empty else (1, 1, 2, 3))
        extent = tuple(self.chance.choices(range(NUMBER_OF_TOKENS), k=number))
        return Markable(name, self.chance.choice(NAMES), extent, self.attributes("class", "type", "VALUE"), None)

    def relation(self, ids: Sequence[str]) -> Relation:
        name = self.chance.choice(RELATIONS)
        numbers = (0, 1, 1, 1, 1, 1, 2) if name != "REFERS" else (0, 1, 2, 3)
        sources, targets = (self.chance.choices(ids, k=self.chance.choice(some)) for some in (numbers, (0, 1, 1, 1, 1, 1, 1)))
        attributes = {"relType": self.chance.choice(TYPES), **self.attributes("type", "contextual")}
        return Relation(self.chance.choice("rs"), name, tuple(sources), tuple(targets), attributes, None)

    def attributes(self, *names: str) -> dict[str, str]:
        return {name: self.chance.choice(VALUES) for name in names if not self.sometimes()}


_SEEDS, _MARKABLES, _RELATIONS = st.integers(0, 2**32), st.integers(0, 12), st.integers(0, 20)
DOCUMENTS = st.builds(lambda seed, *numbers: Maker(seed).document(*numbers), _SEEDS, _MARKABLES, _RELATIONS)


def _pair(seed: int, markables: int, relations: int, *, empty: bool) -> tuple[Document, Document]:
    maker = Maker(seed, empty=empty)
    gold = maker.document(markables, relations)
    return gold, maker.altered(gold, relations // 3)


PAIRS = st.builds(partial(_pair, empty=True), _SEEDS, _MARKABLES, _RELATIONS)
"""A document, and what a system makes of it."""

PAIRS_WITHOUT_EMPTY = st.builds(partial(_pair, empty=False), _SEEDS, _MARKABLES, _RELATIONS)
