"""Reads questions with their answers: SQuAD JSON, or JSON Lines."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import read_json, read_json_lines
from pytest_nlpeval.kit.groups import group_column
from pytest_nlpeval.kit.records import Ids, distinct_ids
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Documents
from pytest_nlpeval.tasks.qa.mapped import counting_rows, is_mapped, mapped_records
from pytest_nlpeval.tasks.qa.matching import accepted
from pytest_nlpeval.tasks.qa.normalising import normaliser
from pytest_nlpeval.tasks.qa.options import Options
from pytest_nlpeval.tasks.qa.records import CONVENTIONS, DOCUMENT, LINES, Node, file_of, is_json_lines
from pytest_nlpeval.wording import quoted


class Answer(NamedTuple):
    """An answer, and the place in the context, in code points from 0, that gold says it has; None if it says none."""

    text: str
    start: int | None = None


class Question(NamedTuple):
    """A question: its answers, none if it is not answerable, and of each answer that counts the normal form (`matching.accepted`).

    `cluster` is what it belongs to, by the option of that name.
    """

    text: str
    context: str
    answers: tuple[Answer, ...]
    accepted: tuple[str, ...]
    cluster: str | None = None


@light_dataclass(frozen=True, slots=True, eq=False)
class Gold:
    """The questions of a file by id, in the file's order; all ids of the file, how many records `where` left out, and each one's group."""

    questions: Mapping[str, Question]
    ids: Ids
    left_out: int = 0
    groups: Sequence[str | None] | None = None


def read_gold(source: Source, _documents: Documents, options: Options, log: ProblemLog) -> Gold | None:
    """Return the questions of a gold file, or None with all problems in the log."""
    reader = _Reader(options, log)
    ids: Ids | None = None
    left_out = 0
    if is_mapped(source, options.gold):
        if mapped := mapped_records(source, options.gold, ("answers", "question"), log, (options.cluster, options.group)):
            ids, left_out = mapped.ids, mapped.left_out
            for _, node in counting_rows(mapped):
                reader.take(node)
    elif is_json_lines(source, ("answers",)):
        for line, value in read_json_lines(source, log, LINES):
            reader.take(Node(value, log, line))
    elif entry := read_json(source, log, DOCUMENT):
        reader.take_document(Node(entry.value, log))
    if not reader.questions and not log.has_errors:
        log.add("qa.no-questions", "has no question")
    ids = ids or distinct_ids(reader.names, reader.lines, file_of(source, log))
    groups = None if options.group is None else reader.named_groups()
    return None if log.has_errors else Gold(reader.questions, ids, left_out, groups)


class _Reader:
    """Gathers questions, of each id the first, and all ids with their lines; logs what is wrong with the questions."""

    def __init__(self, options: Options, log: ProblemLog) -> None:
        self.log = log
        self.questions: dict[str, Question] = {}
        self.names: list[str] = []
        self.lines: list[int | None] = []
        self._profile = options.profile
        self._normal_form = normaliser(options.language)
        self._forms: dict[str, str] = {}
        self._cluster = options.cluster
        self._group = options.group
        self.groups: list[object] = []

    def take_document(self, document: Node) -> None:
        """Take the questions of SQuAD JSON."""
        if not (isinstance(document.value, dict) and "data" in document.value):
            document.refuse("SQuAD JSON, an object with the list `data`, or JSON Lines with `id` and `answers`")
            return
        for article in document.items("data"):
            for paragraph in article.items("paragraphs") if article.has("paragraphs") else ():
                if paragraph.has("context", "qas"):
                    context = paragraph.text("context")
                    for question in paragraph.items("qas"):
                        self.take(question, context, (paragraph, article))

    def take(self, node: Node, context: str | None = None, around: Collection[Node] = ()) -> None:
        """Take a question; `context` is the text that it is about, if there is one, `around` is what it stands in, the nearest first."""
        if not node.has("id", "answers"):
            return
        name = node.name("id")
        node = Node(node.value, node.log, node.line, node.path, CONVENTIONS.where(name) if name is not None else "")
        answers = tuple(_answers(node))
        question = node.text("question") if "question" in node.value else None
        if name is None:
            return
        self.names.append(name)
        self.lines.append(node.line)
        if name in self.questions:
            return
        forms = [self._form(answer.text) for answer in answers]
        cluster = self._cluster_of((node, *around))
        holder = _holder(self._group, (node, *around))
        self.groups.append(holder and holder.value[self._group])
        self.questions[name] = Question(question or "", context or "", answers, accepted(forms, self._profile), cluster)
        self._check_impossible(node, name, answers)
        self._check_answers(answers, forms, context, name, node.line)

    def _cluster_of(self, nodes: Collection[Node]) -> str | None:
        """Return what a question belongs to: the value of the key in the nearest object that has it, None if none has."""
        key = self._cluster
        holder = _holder(key, nodes)
        if holder is None or key is None:
            return None
        value = holder.value[key]
        return (holder.name(key) if isinstance(value, int) else holder.text(key)) or None

    def named_groups(self) -> list[str | None]:
        """Return the group of each question; that no question has any is logged."""
        lines = [line for line, is_first in zip(self.lines, _first(self.names), strict=True) if is_first]
        if self.groups and all(group is None for group in self.groups):
            self.log.add("qa.group", f"no question has the key `{self._group}`, nor what it stands in; name another in `group`")
            return [None for _ in self.groups]
        return group_column(self.groups, lines, "qa", self.log)

    def _form(self, text: str) -> str:
        """Return the normal form of an answer; people often give the same one."""
        form = self._forms.get(text)
        if form is None:
            form = self._forms[text] = self._normal_form(text)
        return form

    def _check_impossible(self, node: Node, name: str, answers: Collection[Answer]) -> None:
        if not answers and self._profile == "squad1":
            message = "has no answer, which evaluate-v1.1.py cannot score; take another profile, or leave it out"
            self.log.add("qa.no-answers", message, node.line, where=CONVENTIONS.where(name))
        if "is_impossible" not in node.value:
            return
        impossible = node.value["is_impossible"]
        if not isinstance(impossible, bool):
            node.refuse("true or false", "is_impossible")
        elif impossible == bool(answers):
            has = "there are answers" if answers else "there is no answer"
            message = f"`is_impossible` is {str(impossible).lower()}, but {has}; the answers count"
            self.log.add("qa.impossible", message, node.line, where=CONVENTIONS.where(name))

    def _check_answers(
        self, answers: Collection[Answer], forms: Collection[str], context: str | None, name: str, line: int | None
    ) -> None:
        for answer, form in dict(zip(answers, forms, strict=True)).items():
            text, start = answer
            if not form:
                message = f"nothing is left of the answer {quoted(text)} in normal form: only an empty prediction matches it"
                self.log.add("qa.empty-answer", message, line, where=CONVENTIONS.where(name))
            if start is not None and context is not None and not stands_at(text, start, context):
                there = quoted(context[start : start + len(text)]) if 0 <= start < len(context) else "nothing"
                message = f"`answer_start` is {start}, where the context has {there}, not {quoted(text)}"
                self.log.add("qa.span", message, line, where=CONVENTIONS.where(name))


def _first(names: Iterable[str]) -> Iterator[bool]:
    """Yield for each name whether no earlier one is the same."""
    seen: set[str] = set()
    for name in names:
        yield name not in seen
        seen.add(name)


def _holder(key: str | None, nodes: Collection[Node]) -> Node | None:
    """Return the nearest object that has a value of a key, None if there is none."""
    return None if key is None else next((node for node in nodes if node.value.get(key) is not None), None)


def stands_at(text: str, start: int, context: str) -> bool:
    """Whether a text stands at a place of the context, in code points from 0."""
    return start >= 0 and context.startswith(text, start)


def _answers(question: Node) -> Iterator[Answer]:
    """Yield the answers of a question: of a list of texts or objects, or of an object with a list of texts."""
    answers = question.value["answers"]
    if isinstance(answers, dict):
        yield from _texts(Node(answers, question.log, question.line, question.path_of("answers"), question.where))
    elif isinstance(answers, list):
        path = question.path_of("answers")
        for place, value in enumerate(answers):
            if (answer := _answer(value)) is not None:
                yield answer
            else:
                _refuse_answer(Node(value, question.log, question.line, f"{path}[{place}]", question.where))
    else:
        question.refuse("a list of answers, empty where there is none", "answers")


def _answer(value: object) -> Answer | None:
    """Return the answer that a text is, or an object with a text, whose place is a whole number if it is told; None for anything else."""
    if isinstance(value, dict):
        text, start = value.get("text"), value.get("answer_start")
        return Answer(text, start) if isinstance(text, str) and (start is None or type(start) is int) else None
    return Answer(value) if isinstance(value, str) else None


def _refuse_answer(node: Node) -> None:
    """Log what is wrong with the object of an answer, which `_answer` does not take."""
    if not node.has("text"):
        return
    node.text("text")
    start = node.value.get("answer_start")
    if start is not None and type(start) is not int:  # a truth value is none
        node.refuse("a whole number", "answer_start")


def _texts(answers: Node) -> Iterator[Answer]:
    """Yield the answers of an object with a list of texts."""
    if answers.has("text"):
        if isinstance(answers.value["text"], list):
            texts = Node(answers.value["text"], answers.log, answers.line, answers.path_of("text"), answers.where)
            yield from (Answer(text) for place in range(len(texts.value)) if (text := texts.text(place)) is not None)
        else:
            answers.refuse("a list of texts", "text")
