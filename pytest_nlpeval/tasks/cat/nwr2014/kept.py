"""What scorer_CAT_NWR.py of 2014-06-18 reads of a file: markables and relations after its cuts (profile `nwr2014`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.rows import TLINK
from pytest_nlpeval.tasks.cat.xml.document import Document, Markable, Relation, Tokens

_TIMEX = "TIMEX3"
_EVENT = "EVENT_MENTION"
_CUT_RELATIONS = (TLINK, "CLINK")
_NUMBERED = ("EVENT", _TIMEX)


@light_dataclass(frozen=True, slots=True)
class Kept:
    """What is left of a file, in document order, by NAME of the configuration's lines.

    `spans` are markables with tokens, `instances` empty ones. `relations` are those of the one2one lines, with at least one source
    and one target. `highest` is the highest number that an EVENT or TIMEX3 of the file has as id, 0 without any.
    """

    spans: dict[str, list[Markable]]
    instances: dict[str, list[Markable]]
    relations: dict[str, list[Relation]]
    highest: int

    def counted(self, name: str) -> list[Relation]:
        """Return the relations of that NAME with exactly one source and one target."""
        return [relation for relation in self.relations[name] if len(relation.sources) == len(relation.targets) == 1]

    def timexes(self) -> set[str]:
        """Return the ids of the kept TIMEX3 markables; none if TIMEX3 is not a markable of the configuration."""
        return {markable.id for part in (self.spans, self.instances) for markable in part.get(_TIMEX, ())}


def type_attribute(configuration: Configuration) -> str:
    """Return the attribute that holds a TLINK's type, as the TLINK line writes it: `relType`, `reltype`; `relType` without one."""
    lines = (line for line in configuration.one2one if line.name == TLINK)
    return next((name for line in lines for name in line.attributes if name.lower() == "reltype"), "relType")


def keep(document: Document, configuration: Configuration, sentences: int | None) -> Kept:
    """Return what is scored of a file: points 1 and 8 of the profile, and of point 6 what is dropped from gold and system alike.

    `sentences` N keeps what begins in the sentences numbered 0 to N - 1; None keeps all.
    """
    markables = list(document.markables.values())
    if sentences is not None:
        markables = [markable for markable in markables if _survives(markable, document.tokens, sentences)]
    spans = _by_name(configuration, (each for each in markables if each.tokens and _adjoins(each, document.tokens)))
    comparable = {line.name for line in configuration.instances if line.specificity == "comparable"} & {_TIMEX}
    instances = _by_name(configuration, (each for each in markables if not each.tokens and each.name in comparable))
    ends = None if sentences is None else _possible_ends(markables, document.tokens)
    highest = max((_number(markable.id) or 0 for markable in markables if markable.name in _NUMBERED), default=0)
    return Kept(spans, instances, _relations(document.relations, configuration, ends), highest)


def _by_name(configuration: Configuration, markables: Iterable[Markable]) -> dict[str, list[Markable]]:
    """Return the markables of each NAME of the configuration."""
    by_name: dict[str, list[Markable]] = {line.name: [] for line in configuration.markables}
    for markable in markables:
        if markable.name in by_name:
            by_name[markable.name].append(markable)
    return by_name


def _survives(markable: Markable, tokens: Tokens, sentences: int) -> bool:
    """Whether the cut leaves a markable: it cuts EVENT_MENTION and TIMEX3 alone, and no empty TIMEX3."""
    if markable.name not in (_EVENT, _TIMEX):
        return True
    if not markable.tokens:
        return markable.name == _TIMEX
    return 0 <= tokens.sentences[markable.tokens[0]] < sentences


def _possible_ends(survivors: Iterable[Markable], tokens: Tokens) -> set[str]:
    """Return the ids that a TLINK or CLINK may have as end after the cut: no EVENT_MENTION of the title, sentence 0."""
    return {
        markable.id
        for markable in survivors
        if markable.name == _TIMEX or (markable.name == _EVENT and tokens.sentences[markable.tokens[0]] > 0)
    }


def _adjoins(markable: Markable, tokens: Tokens) -> bool:
    """Whether the second token follows the first by its id, which is a number, or else by its place; true of a single token."""
    if len(markable.tokens) < 2:
        return True
    first, second = markable.tokens[:2]
    numbers = _number(tokens.ids[first]), _number(tokens.ids[second])
    if numbers[0] is None or numbers[1] is None:
        return second == first + 1
    return numbers[1] == numbers[0] + 1


_LONGEST = 18


def _number(name: str) -> int | None:
    return int(name) if name.isascii() and name.isdigit() and len(name) <= _LONGEST else None


def _relations(
    relations: Iterable[Relation], configuration: Configuration, ends: Collection[str] | None
) -> dict[str, list[Relation]]:
    """Return the relations of the one2one lines that have sources and targets; of several with the same ends, the first one."""
    attribute = type_attribute(configuration)
    by_name: dict[str, dict[tuple[tuple[str, ...], tuple[str, ...]], Relation]] = {
        line.name: {} for line in configuration.one2one
    }
    for relation in relations:
        of_name = by_name.get(relation.name)
        if of_name is None or not relation.sources or not relation.targets:
            continue
        if relation.name == TLINK and relation.attributes.get(attribute) == "IDENTITY":
            continue
        if ends is None or relation.name not in _CUT_RELATIONS or _within(relation, ends):
            of_name.setdefault((relation.sources, relation.targets), relation)
    return {name: list(of_name.values()) for name, of_name in by_name.items()}


def _within(relation: Relation, ends: Collection[str]) -> bool:
    """Whether the cut leaves a relation. Its source must be left, and its target; several sources, or several targets, are not checked."""
    if len(relation.sources) > 1:
        return True
    return relation.sources[0] in ends and (len(relation.targets) > 1 or relation.targets[0] in ends)
