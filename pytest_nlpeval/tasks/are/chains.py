"""Reads coreference chains: all keys, and the output of subtasks 2 and 4."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

from lxml import etree

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import line_of, read_xml_of_any_root
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.are.inputs import is_new
from pytest_nlpeval.tasks.are.mentions import M, finder, said
from pytest_nlpeval.tasks.are.options import Options
from pytest_nlpeval.wording import quoted


@light_dataclass(frozen=True, slots=True)
class Chain(Generic[M]):
    """The mentions of one thing, in the file's order.

    `name` is the chain's id, or else its number in the file, and `line` is where the chain begins.
    """

    name: str
    line: int | None
    mentions: tuple[M, ...]


@light_dataclass(frozen=True, slots=True)
class Chains(Generic[M]):
    """The chains of a file, which share no mention; `pronouns` are the mentions to be resolved (the key of subtask 3)."""

    chains: tuple[Chain[M], ...]
    pronouns: tuple[M, ...]

    @property
    def linked(self) -> list[Chain[M]]:
        """The chains of two mentions or more: those that have links."""
        return [chain for chain in self.chains if len(chain.mentions) > 1]


def read_chains(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Chains[Any] | None:
    """Return the chains of a file, of ids (subtasks 1, 2) or spans (3, 4), or None with all problems in the log.

    Without the input among the documents, ids and positions are not checked.
    """
    root = read_xml_of_any_root(source, "are_span_chains.dtd" if options.has_spans else "are_chains.dtd", ("chain",), log)
    if root is None:
        return None
    chains = _chains(root, finder(documents, options, log), log)
    return None if log.has_errors else chains


def _chains(root: etree._Element, find: Callable[[etree._Element], M | None], log: ProblemLog) -> Chains[M]:
    chains: list[Chain[M]] = []
    pronouns: list[M] = []
    names: dict[str, None] = {}
    seen: dict[M, str] = {}
    for number, element in enumerate(root, 1):
        name = element.get("id", "")
        if "id" in element.attrib and is_new(element, names, log):
            names[name] = None
        name = name or str(number)
        mentions = []
        for node in element:
            mention = find(node)
            if mention is None or not _is_free(node, mention, name, seen, log):
                continue
            mentions.append(mention)
            if node.get("pronoun") == "true":
                pronouns.append(mention)
        chains.append(Chain(name, line_of(element), tuple(mentions)))
        if len(element) == 1:
            message = "has one mention and so no link; it is left out where links are counted"
            log.add("are.singleton", message, line_of(element), where=f"chain {name}")
    return Chains(tuple(chains), tuple(pronouns))


def _is_free(node: etree._Element, mention: M, chain: str, seen: dict[M, str], log: ProblemLog) -> bool:
    """Whether a mention is in no chain yet; one that is, is logged. `seen` maps each mention to the name of its chain."""
    if mention not in seen:
        seen[mention] = chain
        return True
    message = f"{said(node)} is in chain {quoted(seen[mention])} already; a mention belongs to one chain, once"
    log.add("are.repeated", message, line_of(node), where=f"chain {chain}")
    return False
