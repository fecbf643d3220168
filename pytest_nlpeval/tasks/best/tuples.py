"""Private state tuples: from annotations of mentions to attitudes of entities towards objects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from pytest_nlpeval.tasks.best.annotations import Annotation, Attitude
from pytest_nlpeval.tasks.best.ere import Ere
from pytest_nlpeval.tasks.best.quotes import Quotes

NO_SOURCE = "NONE"
NO_ATTITUDE = frozenset(("na", "none"))


Holding = tuple[str, str]
"""Who holds what: the source's entity (`NONE` without source) and the value. Unique per attitude and target."""

Target = tuple[Attitude, str]
"""An attitude, and the id of the object (entity, relation, hopper) that it is towards."""


@dataclass(slots=True)
class Provenance:
    """Where a tuple comes from: the set of target mention ids, and the line of its first annotation.

    `confidences` are those of its annotations, as far as they have one. No score depends on them.
    """

    line: int | None
    mentions: set[str]
    confidences: list[float] = field(default_factory=list)


Holdings = dict[Holding, Provenance]


Tuples = dict[Target, Holdings]
"""All private state tuples of a file, by target."""


def tuples_of(annotations: Iterable[Annotation], ere: Ere, quotes: Quotes | None) -> Tuples:
    """Return the tuples of a file.

    Annotations with the same source entity, target object and value are one tuple; its provenance is the set of their target
    mentions. Belief type `na` and polarity `none` make none, nor does an annotation whose target or source mention begins inside
    a quote.
    """
    mentions = ere.mentions
    by_target: Tuples = {}
    for attitude, value, source, target, line, confidence in annotations:
        if value in NO_ATTITUDE:
            continue
        mention = mentions[target]
        if quotes and (quotes.contain(mention.begin) or (source and quotes.contain(mentions[source].begin))):
            continue
        key = attitude, mention.owner
        holdings = by_target.get(key)
        if holdings is None:
            holdings = by_target[key] = {}
        holding = mentions[source].owner if source else NO_SOURCE, value
        provenance = holdings.get(holding)
        if provenance is None:
            provenance = holdings[holding] = Provenance(line, {target})
        else:
            provenance.mentions.add(target)
        if confidence is not None:
            provenance.confidences.append(confidence)
    return by_target
