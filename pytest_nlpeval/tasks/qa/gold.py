"""Reads questions with their answers: SQuAD JSON, or JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import read_json, read_json_lines
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.qa.matching import accepted
from pytest_nlpeval.tasks.qa.normalising import normaliser
from pytest_nlpeval.tasks.qa.options import Options
from pytest_nlpeval.tasks.qa.records import DOCUMENT, LINES, Node, is_json_lines, where
from pytest_nlpeval.wording import quoted


class Answer(NamedTuple):
    """An answer, and the place in the context, in code points from 0, that gold says it has; None if it says none."""

    text: str
    start: int | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its answers, none if it is not answerable, and of each answer that counts the normal form (`matching.accepted`)."""

    text: str
    context: str
    answers: tuple[Answer, ...]
    accepted: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The questions of a file by id, in the file's order."""

    questions: Mapping[str, Question]


def read_gold(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Gold | None:
    """Return the questions of a gold file, or None with all problems in the log."""
    reader = _Reader(options, log)
    if is_json_lines(source, ("answers",)):
        for line, value in read_json_lines(source, log, LINES):
            reader.take_record(Node(value, log, line))
    elif entry := read_json(source, log, DOCUMENT):
        reader.take_document(Node(entry.value, log))
    if not reader.questions and not log.has_errors:
        log.add("qa.no-questions", "has no question")
    return None if log.has_errors else Gold(reader.questions)


class _Reader:
    """Gathers questions, and logs what is wrong with them."""

    def __init__(self, options: Options, log: ProblemLog) -> None:
        self.log = log
        self.questions: dict[str, Question] = {}
        self._profile = options.profile
        self._normal_form = normaliser(options.language)
        self._forms: dict[str, str] = {}

    def take_document(self, document: Node) -> None:
        """Take the questions of SQuAD JSON."""
        for article in document["data"].items() if document.has("data") else ():
            for paragraph in article["paragraphs"].items() if article.has("paragraphs") else ():
                if not paragraph.has("context", "qas"):
                    continue
                context = paragraph["context"].text()
                for question in paragraph["qas"].items():
                    self._take(question, context)

    def take_record(self, record: Node) -> None:
        """Take the question of a line of JSON Lines."""
        self._take(record, None)

    def _take(self, node: Node, context: str | None) -> None:
        if not node.has("id", "answers"):
            return
        name = node["id"].name()
        answers = list(_answers(node["answers"]))
        question = node["question"].text() if "question" in node.value else ""
        if name is None:
            return
        if name in self.questions:
            self.log.add(
                "qa.duplicate-id", f"the question {quoted(name)} appears twice; ids are unique", node.line, where=where(name)
            )
            return
        forms = [self._form(answer.text) for answer in answers]
        self.questions[name] = Question(question or "", context or "", tuple(answers), accepted(forms, self._profile))
        self._check_impossible(node, name, answers)
        self._check_answers(answers, forms, context, name, node.line)

    def _form(self, text: str) -> str:
        """Return the normal form of an answer; people often give the same one."""
        found = self._forms.get(text)
        if found is None:
            found = self._forms[text] = self._normal_form(text)
        return found

    def _check_impossible(self, node: Node, name: str, answers: list[Answer]) -> None:
        if not answers and self._profile == "squad1":
            message = "has no answer, which evaluate-v1.1.py cannot score; take another profile, or leave it out"
            self.log.add("qa.no-answers", message, node.line, where=where(name))
        if "is_impossible" not in node.value:
            return
        impossible = node["is_impossible"]
        if not isinstance(impossible.value, bool):
            impossible.refuse("true or false")
        elif impossible.value == bool(answers):
            has = "there are answers" if answers else "there is no answer"
            message = f"`is_impossible` is {str(impossible.value).lower()}, but {has}; the answers count"
            self.log.add("qa.impossible", message, node.line, where=where(name))

    def _check_answers(self, answers: list[Answer], forms: list[str], context: str | None, name: str, line: int | None) -> None:
        for answer, form in dict(zip(answers, forms, strict=True)).items():
            if not form:
                message = f"nothing is left of the answer {quoted(answer.text)} when it is normalised; only an empty prediction matches it"
                self.log.add("qa.empty-answer", message, line, where=where(name))
            if answer.start is not None and context is not None and not stands_at(answer.text, answer.start, context):
                found = quoted(context[answer.start :][: len(answer.text)] if answer.start >= 0 else "")
                message = f"`answer_start` is {answer.start}, where the context has {found}, not {quoted(answer.text)}"
                self.log.add("qa.span", message, line, where=where(name))


def stands_at(text: str, start: int, context: str) -> bool:
    """Whether a text stands at a place of the context, in code points from 0."""
    return start >= 0 and context.startswith(text, start)


def _answers(node: Node) -> Iterator[Answer]:
    """Yield the answers of a question: of a list of texts or objects, or of an object with a list of texts."""
    if isinstance(node.value, dict):
        yield from _texts(node["text"]) if node.has("text") else ()
        return
    for place, value in enumerate(node.value) if isinstance(node.value, list) else ():
        if isinstance(value, str):
            yield Answer(value)
        elif node[place].has("text"):
            yield from _answer(node[place])
    if not isinstance(node.value, list):
        node.refuse("a list of answers, empty where there is none")


def _texts(node: Node) -> Iterator[Answer]:
    yield from (Answer(text) for item in node.items() if (text := item.text()) is not None)


def _answer(node: Node) -> Iterator[Answer]:
    start = node.value.get("answer_start")
    if start is not None and (not isinstance(start, int) or isinstance(start, bool)):
        node["answer_start"].refuse("a whole number")
        start = None
    text = node["text"].text()
    if text is not None:
        yield Answer(text, start)
