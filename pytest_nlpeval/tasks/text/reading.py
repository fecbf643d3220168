"""The segments of a file: how it is read, and its texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import Dialect
from pytest_nlpeval.kit.records import FAULT, Conventions, Field, File, Records, kind_of, read_records
from pytest_nlpeval.kit.records.layout import LINES
from pytest_nlpeval.metrics.translation_tokens import edit_tokens
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.text.options import KALDI, TRN, Options, Side, with_formats
from pytest_nlpeval.tasks.text.rouge_tokens import tokens_of
from pytest_nlpeval.tasks.text.transcripts import read_transcripts
from pytest_nlpeval.wording import plural

_CONVENTIONS = Conventions(
    "text",
    Dialect.of("text.json", objects=True, greatest=10**100),
    item="segment",
    answer="segment",
    advice="give each segment a text, if only an empty one",
    codes={"wrong-id": "value"},
)

MOST_CHARACTERS, MOST_WORDS = 200_000, 5_000


def file_of(source: Source, options: Options, side: Side, log: ProblemLog) -> File:
    """Return a file of one side."""
    return File(source, with_formats(options, side, source.label), _CONVENTIONS, log)


def has_columns(file: File) -> bool:
    """Whether a file has columns or keys besides ids and texts."""
    return file.format not in {LINES, TRN, KALDI}


def read_segments(file: File, fields: Sequence[Field], texts: Sequence[Field]) -> tuple[File, Records | None]:
    """Return the records of a file with the fields of its texts and some others, and how it turned out to be read."""
    if file.format in {TRN, KALDI}:
        return read_transcripts(file)
    return file, read_records(file, [*texts, *fields], lists=texts, needed=texts[:1])


class Texts(NamedTuple):
    """The texts of a field: none for null, or what is not there; several are those of a list. Of one that `is_wrong` a problem tells."""

    texts: tuple[str, ...]
    is_list: bool = False
    is_wrong: bool = False


def texts_of(records: Records, field: Field, file: File) -> list[Texts]:
    """Return the texts of a field in all records; what is neither a text nor a list of texts goes to the log."""
    cells = records.cells(field)
    if not records.is_json:
        return [Texts((cell,), is_wrong=cell == FAULT) for cell in cells]
    of_records = []
    for row, cell in enumerate(cells):
        texts = cell if isinstance(cell, list) else [cell]
        wrong = [text for text in texts if text is not None and not isinstance(text, str)]
        if wrong:
            message = f"the text is {kind_of(wrong[0])}; expected a string, or a list of strings"
            file.add("value", message, records.lines[row], records.place(row))
        strings = tuple(text for text in texts if isinstance(text, str))
        of_records.append(Texts(strings, isinstance(cell, list), bool(wrong)))
    return of_records


def check_lengths(texts: Sequence[str], line: int, file: File, options: Options) -> None:
    """Log the texts of a record that are too long."""
    for text in texts:
        if len(text) > MOST_CHARACTERS:
            message = (
                f"the text has {plural(len(text), 'character')}, at most {MOST_CHARACTERS:,} are allowed; split it into segments"
            )
            file.add("too-long", message, line)
        elif len(text) > MOST_WORDS and options.has("ter", "rougeLsum") and (words := _words(text, options)) > MOST_WORDS:
            names = " and ".join(name for name in ("ter", "rougeLsum") if options.has(name))
            message = f"the text has {words:,} words, at most {MOST_WORDS:,} are allowed with {names}; split it into segments"
            file.add("too-long", message, line)


def _words(text: str, options: Options) -> int:
    """Return how many tokens a text has for the measures that are slow on long texts."""
    numbers = [0]
    if options.has("ter"):
        switches = {name: name in options.ter for name in ("normalized", "no_punct", "case_sensitive")}
        numbers.append(len(edit_tokens([text], **switches)[0]))
    if options.has("rougeLsum"):
        numbers.append(len(tokens_of([text], is_published=options.is_published)[0]))
    return max(numbers)
