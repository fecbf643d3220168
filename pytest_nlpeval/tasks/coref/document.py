"""What readers give: the documents of a file, each with its words and its entities in order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref.mentions import STEP, Key, Mention, have_gaps, order_of
from pytest_nlpeval.tasks.coref.options import Format, Options
from pytest_nlpeval.wording import quoted

Entity: TypeAlias = Sequence[Mention]
"""The mentions of an entity, in order."""


Keyed: TypeAlias = tuple[Key, Mention]
"""A mention behind its place in the order of mentions."""


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """The entities of one side, all its mentions in order, and the entity of each, by rank."""

    entities: Sequence[Entity]
    mentions: Sequence[Mention]
    owners: Sequence[int]

    @classmethod
    def of(cls, entities: Sequence[Entity]) -> Side:
        """Return the side; a mention of several entities stands there as often, in their order."""
        mentions, owners = in_order(entities)
        return cls(entities, mentions, owners)

    def settled(self, options: Options) -> Side:
        """Return the side, without entities of one mention if these do not count."""
        if options.singletons == "keep":
            return self
        ranks = {rank: new for new, rank in enumerate(rank for rank, entity in enumerate(self.entities) if len(entity) > 1)}
        kept = [(mention, ranks[owner]) for mention, owner in zip(self.mentions, self.owners, strict=True) if owner in ranks]
        return Side([self.entities[rank] for rank in ranks], [mention for mention, _ in kept], [owner for _, owner in kept])

    @property
    def sizes(self) -> list[int]:
        """How many mentions each entity has."""
        return list(map(len, self.entities))


def in_order(groups: Iterable[Sequence[Mention]]) -> tuple[list[Mention], list[int]]:
    """Return the mentions of all groups in order, and the group of each; those of one place and head in the order of groups."""
    ranked = [(mention, rank) for rank, group in enumerate(groups) for mention in group]
    has_gaps = have_gaps(mention for mention, _ in ranked)
    keys = [(order_of(mention, has_gaps=has_gaps), rank) for mention, rank in ranked]
    order = sorted(range(len(keys)), key=keys.__getitem__)
    return [ranked[place][0] for place in order], [ranked[place][1] for place in order]


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """A document: its name, the line where it begins, and its entities in order.

    `length` is the number of words, None if that is not known, and `words` has the word of each place w · STEP, None where it is not
    known. In CorefUD an empty text stands before each sentence, and `sentences` has the number of words of each. With `has_subtokens` a
    word was put together from tokens.
    """

    name: str
    line: int
    length: int | None
    words: Sequence[str | None] | None
    side: Side
    sentences: Sequence[int] = ()
    has_subtokens: bool = False

    @property
    def entities(self) -> Sequence[Entity]:
        """The entities in order."""
        return self.side.entities

    def text(self, mention: Mention) -> str:
        """Return the words of a mention as messages quote them, its places where they are not known; an empty node is `∅`."""
        shown = [self.word(place) for place in mention.places[:_SHOWN]]
        if None in shown:
            first, last = mention.places[0] // STEP, mention.places[-1] // STEP
            return f"token {first}" if first == last else f"tokens {first} to {last}"
        return quoted(" ".join(word for word in shown if word))

    def word(self, place: int) -> str | None:
        """Return the word at a place, `∅` for an empty node, None where it is not known."""
        word, empty = divmod(place, STEP)
        if empty:
            return "∅"
        return self.words[word] if self.words is not None and word < len(self.words) else None


_SHOWN = 60
"""How many words of a mention are looked up: a quotation has fewer."""


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """The documents of a file by their names, in its order, and its format."""

    format: Format
    by_name: Mapping[str, Document]


def entities_of(groups: Iterable[Sequence[Mention]], options: Options, log: ProblemLog) -> Side:
    """Return entities in order, their mentions in order; each mention that is in an entity twice, or in two, is logged.

    A mention is its places. Twice in an entity it counts once, with the first head; in two entities, the first of them keeps it. In the
    profile `corefud-1.2` mentions may stay in several entities.
    """
    mentions, owners = in_order(groups)
    entities: dict[
        int, list[Mention]
    ] = {}  # in the order of their first mentions, each of which nearly always is one entity's alone
    for mention, owner in zip(mentions, owners, strict=True):
        entities.setdefault(owner, []).append(mention)
    if len({mention.places for mention in mentions}) < len(mentions):
        return Side.of(_without_shared([entities[owner] for owner in sorted(entities)], options, log))
    ranks = {owner: rank for rank, owner in enumerate(entities)}
    return Side([*entities.values()], mentions, [ranks[owner] for owner in owners])


def _without_shared(groups: Sequence[Entity], options: Options, log: ProblemLog) -> list[Entity]:
    """Return entities in order, their mentions as often as they count."""
    has_gaps = have_gaps(chain(*groups))
    keyed = ([(order_of(mention, has_gaps=has_gaps), mention) for mention in group] for group in groups)
    entities = [_without_repeats(group, options, log) for group in keyed]
    entities.sort(key=lambda entity: [key for key, _ in entity])
    return [entity for entity in _disjoint([[mention for _, mention in entity] for entity in entities], options, log) if entity]


def _without_repeats(entity: Sequence[Keyed], options: Options, log: ProblemLog) -> list[Keyed]:
    lines: dict[object, int] = {}
    kept: dict[object, Keyed] = {}
    for key, mention in entity:
        if mention.places in lines:
            first = lines[mention.places]
            log.add("coref.duplicate", f"the entity has this mention on line {first} already; it counts once", mention.line)
        lines.setdefault(mention.places, mention.line)
        kept.setdefault((mention.places, mention.head) if options.keeps_heads_apart else mention.places, (key, mention))
    return list(kept.values())


def _disjoint(entities: Sequence[Entity], options: Options, log: ProblemLog) -> list[Entity]:
    owners: dict[object, tuple[int, int]] = {}
    disjoint: list[Entity] = []
    for rank, entity in enumerate(entities):
        own: list[Mention] = []
        for mention in entity:
            owner, line = owners.setdefault(mention.places, (rank, mention.line))
            if owner == rank:
                own.append(mention)
            else:
                message = f"another entity has this mention on line {line}; expected each mention in one entity"
                log.add("coref.shared", message, mention.line)
        disjoint.append(entity if options.profile == "corefud-1.2" else own)
    return disjoint


def named(documents: Collection[Document], log: ProblemLog) -> dict[str, Document]:
    """Return documents by their names; a name that two of them have is logged."""
    by_name: dict[str, Document] = {}
    for document in documents:
        first = by_name.setdefault(document.name, document)
        if first is not document:
            message = f"the document {quoted(document.name)} is on line {first.line} already; give each a name of its own"
            log.add("coref.document", message, document.line)
    return by_name
