"""Reads JSON Lines: an object per document, its clusters lists of first and last token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Literal

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.json import Dialect, Entry, read_json_lines
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.coref.document import Document, Documents, named
from pytest_nlpeval.tasks.coref.gathering import Gathering
from pytest_nlpeval.tasks.coref.mentions import MOST_WORDS, STEP
from pytest_nlpeval.tasks.coref.options import Options
from pytest_nlpeval.wording import plural

Side = Literal["gold", "system"]

_DIALECT = Dialect.of("coref.json", objects=True, blank_start=True)


def read_jsonl(source: Source, options: Options, log: ProblemLog, side: Side) -> Documents:
    """Return the documents of a file; whatever is wrong is logged. A system's clusters are `predicted_clusters`, if it has them."""
    documents: list[Document] = []
    mentions = Gathering(options, log)
    predicted: dict[int, bool] = {}
    for entry in read_json_lines(source, log, _DIALECT):
        predicted[entry.line] = "predicted_clusters" in entry.value
        faults = list(_faults(entry.value, side))
        for fault in faults:
            log.add("coref.json", fault, entry.line)
        if not faults:
            documents.append(_document(entry, mentions, len(documents), side))
    if side == "system" and any(predicted.values()):
        for line in (line for line, is_predicted in predicted.items() if not is_predicted):
            message = "`predicted_clusters` is missing, which other documents of the file have: `clusters` may be gold's"
            log.add("coref.json", message, line)
    return Documents("jsonl", named(documents, log), mentions.in_order())


def _document(entry: Entry, mentions: Gathering, rank: int, side: Side) -> Document:
    line, record = entry
    tokens = _tokens(record)
    ranks = record.get("subtoken_map")
    number = len(tokens) if tokens is not None else None if ranks is None else len(ranks)
    _add_mentions(mentions, record, _key(record, side), number, line)
    name = record["doc_key"]
    if ranks is None:
        return Document(name, line, number, tokens, rank)
    words = None if tokens is None else _joined(tokens, ranks)
    return Document(name, line, ranks[-1] + 1 if ranks else 0, words, rank, has_subtokens=True)


def _joined(tokens: Sequence[str], ranks: Sequence[int]) -> list[str] | None:
    """Return the words that tokens are pieces of; None if the map leaves out words."""
    pieces = [
        (rank, "".join(tokens[place] for place in places)) for rank, places in groupby(range(len(ranks)), ranks.__getitem__)
    ]
    is_whole = all(place == rank for place, (rank, _) in enumerate(pieces))
    return [text for _, text in pieces] if is_whole else None


def _key(record: Mapping[str, Any], side: Side) -> str:
    return "predicted_clusters" if side == "system" and "predicted_clusters" in record else "clusters"


def _tokens(record: Mapping[str, Any]) -> list[str] | None:
    if "tokens" in record:
        return list(record["tokens"])
    return [token for sentence in record["sentences"] for token in sentence] if "sentences" in record else None


def _faults(record: Mapping[str, Any], side: Side) -> Iterator[str]:
    """Yield what is wrong with the keys of a record."""
    name = record.get("doc_key")
    if not isinstance(name, str) or not name:
        yield "expected the document's name in `doc_key`, a string that is not empty"
    if "tokens" in record:
        texts, is_right = "tokens", _is_list_of_texts(record["tokens"])
    else:
        sentences = record.get("sentences", [])
        texts, is_right = "sentences", isinstance(sentences, list) and all(map(_is_list_of_texts, sentences))
    if not is_right:
        yield f"`{texts}` must be a list of {'strings' if texts == 'tokens' else 'lists of strings'}"
    if side == "gold" and not {"tokens", "sentences"} & record.keys():
        yield "expected the words of the document in `tokens`, or in `sentences`"
    key = _key(record, side)
    if not _is_list_of_clusters(record.get(key)):
        missing = "" if key in record else "; it is missing"
        yield f"`{key}` must be a list of lists of [first, last], inclusive ranks of tokens{missing}"
    if is_right and record.get("subtoken_map") is not None:
        yield from _faults_of_map(record["subtoken_map"], _tokens(record))


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(text, str) for text in value)


def _is_list_of_clusters(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(cluster, list) and all(map(_is_span, cluster)) for cluster in value)


def _is_span(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and _is_whole(value)


def _is_whole(values: Iterable[object]) -> bool:
    return all(type(value) is int for value in values)


def _faults_of_map(ranks: object, tokens: Sequence[str] | None) -> Iterator[str]:
    if not isinstance(ranks, list) or not _is_whole(ranks):
        yield "`subtoken_map` must be a list of integers"
    elif tokens is not None and len(ranks) != len(tokens):
        yield f"`subtoken_map` has {plural(len(ranks), 'number')} for {plural(len(tokens), 'token')}; expected one each"
    elif any(earlier > later for earlier, later in zip([0, *ranks], ranks, strict=False)):
        yield "`subtoken_map` must not decrease, and must begin at 0 or above"
    elif ranks and ranks[-1] >= MOST_WORDS:
        yield f"`subtoken_map` must be below {MOST_WORDS:,}"


def _add_mentions(mentions: Gathering, record: Mapping[str, Any], key: str, number: int | None, line: int) -> None:
    """Add the mentions of a document, whose clusters have a key; `number` is that of the tokens, if it is known."""
    limit = MOST_WORDS if number is None else number
    ranks = record.get("subtoken_map")
    for entity, cluster in enumerate(record[key]):
        for first, last in cluster:
            if first > last or first < 0 or last >= limit:
                inside = "" if number is None and last < limit else f", both below {limit}"
                message = f"the mention [{first}, {last}]; expected the first token before the last{inside}"
                mentions.log.add("coref.offset", message, line)
            else:
                start, end = (first, last) if ranks is None else (ranks[first], ranks[last])
                mentions.add(entity, start * STEP, end * STEP, start * STEP, line)
    mentions.end_document()
