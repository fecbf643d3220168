"""Reads a system's answers: an antecedent for each pronoun, the output of subtasks 1 and 3."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic

from lxml import etree

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import line_of, read_xml_of_any_root
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.are.chains import Chains, read_chains
from pytest_nlpeval.tasks.are.inputs import is_new
from pytest_nlpeval.tasks.are.mentions import M, finder, said
from pytest_nlpeval.tasks.are.options import Options


@light_dataclass(frozen=True, slots=True)
class Answers(Generic[M]):
    """The antecedent that a system gives for each pronoun, in the file's order, and the line of each answer."""

    antecedents: dict[M, M]
    lines: dict[M, int | None]


def read_system(source: Source, documents: Documents, options: Options, log: ProblemLog) -> Answers[Any] | Chains[Any] | None:
    """Return a system's answers (subtasks 1, 3) or chains (2, 4), or None with all problems in the log.

    Without the input among the documents, ids and positions are not checked.
    """
    if options.subtask % 2 == 0:
        return read_chains(source, documents, options, log)
    root = read_xml_of_any_root(source, "are_span_pairs.dtd" if options.has_spans else "are_pairs.dtd", ("pair",), log)
    if root is None:
        return None
    answers = _answers(root, finder(documents, options, log), log)
    return None if log.has_errors else answers


def _answers(root: etree._Element, find: Callable[[etree._Element], M | None], log: ProblemLog) -> Answers[M]:
    answers: Answers[M] = Answers({}, {})
    names: dict[str, None] = {}
    for element in root:
        if "id" in element.attrib and is_new(element, names, log):
            names[element.get("id", "")] = None
        pronoun, antecedent = map(find, element)
        if pronoun is None or antecedent is None:
            continue
        if pronoun == antecedent:
            message = f"{said(element[0])} is its own antecedent; name another mention, or leave the pair out"
            log.add("are.own-antecedent", message, line_of(element), where="<pair>")
        elif pronoun in answers.antecedents:
            message = f"{said(element[0])} has an answer on line {answers.lines[pronoun] or '?'} already; give one"
            log.add("are.answered-twice", message, line_of(element), where="<pair>")
        else:
            answers.antecedents[pronoun] = antecedent
            answers.lines[pronoun] = line_of(element)
    return answers
