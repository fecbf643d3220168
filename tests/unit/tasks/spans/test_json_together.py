"""Small JSON Lines files that are counted together: problems, evidence and explanations are those of one by one, whatever the files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval import cli
from tests.unit.tasks.spans.files import json_lines
from tests.unit.tasks.spans.together import Texts, counted, is_at_once

JSONL: dict[str, Any] = {"format": "jsonl"}
Record = dict[str, Any]

WORDS = st.sampled_from(["Ann", "\u00e9t\u00e9", "\U0001f600", "in", "Senn"])
LABELS = st.sampled_from([*"XXXXXX", *"YYYYYY", *"ZZZZZZ", "micro"])
SIZES = st.integers(1, 9)
TAGS = st.sampled_from(["O", "O", "B-X", "I-X", "I-Y", "S-Z"])
GROUPS = st.sampled_from(["news", "web", 3, None, ""])

ENTRIES: Mapping[str, Callable[[int, int, str], Any]] = {
    "spans": lambda start, end, label: [start, end, label],
    "entities": lambda start, end, label: {"label": label, "end": end, "start": start, "text": None},
    "labels": lambda start, end, label: {"start_offset": start, "end_offset": end, "labels": [label]},
}


@st.composite
def spans_of(draw: st.DrawFn, length: int) -> list[tuple[int, int, str]]:
    """Spans of a text, which may nest, cross, or have one extent."""
    span = st.builds(
        lambda start, size, label: (start, min(start + size, length), label), st.integers(0, max(1, length) - 1), SIZES, LABELS
    )
    return draw(st.lists(span, max_size=3))


@st.composite
def sentences(draw: st.DrawFn) -> tuple[Record, Record]:
    """A record of gold, and the system's answer to it."""
    words = draw(st.lists(WORDS, max_size=5))
    text = " ".join(words)
    match draw(st.sampled_from(["spans", "spans", "entities", "labels", "tags", "gliner", "none"])):
        case "tags":
            key = draw(st.sampled_from(["ner_tags", "tags"]))
            tags = st.lists(TAGS, min_size=len(words), max_size=len(words))
            return {"tokens": words, key: draw(tags)}, {key: draw(tags), "tokens": words}
        case "gliner":
            ner = [[0, len(words) - 1, draw(LABELS)]] if words else []
            return {"tokenized_text": words, "ner": ner}, {"ner": [], "tokenized_text": words}
        case "none":
            return {"text": text, "spans": []}, {"text": text}
        case key:
            gold, system = ([ENTRIES[key](*span) for span in draw(spans_of(len(text))) if text] for _ in range(2))
            if draw(st.booleans()):
                return {"text": text, key: gold}, {key: system}
            return {key: gold, "text": text}, {"meta": [1, {}], "text": text, key: system}


MORE: st.SearchStrategy[Record] = st.sampled_from(
    [
        *(
            {"spans": [[0, 99, "X"]]},
            {"id": 1.5},
            {"text": 1},
            {"answer": "reject"},
            {"label": [{"start": 0}]},
            {"tokens": ["a"]},
        ),
        *({"ner_tags": ["x"]}, {"spans": [{"start": 0, "end": 1, "label": "X", "text": "?"}]}),
    ]
)
CHANGES: Mapping[str, Callable[[str], str]] = {
    "blank start": lambda text: "\n" + text,
    "blank inside": lambda text: text.replace("\n", "\n \n", 1),
    "blank end": lambda text: text + "\n \n",
    "mark": lambda text: f"\ufeff{text}",
    "returns": lambda text: text.replace("\n", "\r\n"),
    "two returns": lambda text: text.replace("\n", "\r\r\n"),
    "open": lambda text: text.removesuffix("\n"),
    "broken": lambda text: text.replace(":", "", 1),
    "double key": lambda text: text.replace("{", '{"text":"",', 1),
    "nothing": lambda _: "",
    "conll": lambda _: "Ann\tB-X\n",
    "array": lambda text: f"[{text.strip().replace(chr(10), ',')}]",
    "lines of lists": lambda text: re.sub("^.*$", lambda line: f"[{line[0]}]", text.strip(), flags=re.MULTILINE),
    "indented": lambda text: re.sub("(?<=[{,])", "\n", text),
}
"""What is not as in other files."""


def written(records: list[Record]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n" for record in records)


def with_ids(draw: st.DrawFn, gold: list[Record], system: list[Record], mode: str) -> tuple[list[Record], list[Record]]:
    """Records of which all, some or none have ids, which are those of other files, too."""
    match mode:
        case "none":
            return gold, system
        case "some":
            return gold, [record | {"id": f"{rank}"} for rank, record in enumerate(system)]
        case "twice":
            return [record | {"id": "0"} for record in gold], system
    sides = [[{"id": rank if rank % 2 else f"{rank}"} | record for rank, record in enumerate(side)] for side in (gold, system)]
    return sides[0], draw(st.permutations(sides[1]))


def changed(draw: st.DrawFn, text: str, rarely: st.SearchStrategy[bool]) -> str:
    return CHANGES[draw(st.sampled_from(sorted(CHANGES)))](text) if draw(rarely) else text


@st.composite
def documents(draw: st.DrawFn) -> Texts:
    texts: Texts = {}
    usual = draw(st.sampled_from(["all", "none"]))
    rarely: st.SearchStrategy[bool] = st.sampled_from([True, *[False] * 29])
    for name in "abcd"[: draw(st.integers(2, 4))]:
        pairs: list[tuple[Record, Record]] = draw(st.lists(sentences(), max_size=3))
        mode = usual if draw(st.integers(0, 9)) else draw(st.sampled_from(["all", "none", "some", "twice"]))
        gold, system = with_ids(draw, [gold for gold, _ in pairs], [system for _, system in pairs], mode)
        gold = [record | {"kind": draw(GROUPS), "split": draw(st.sampled_from("ab"))} for record in gold]
        system = system[1:] if draw(rarely) else system
        if draw(rarely) and system:
            system = [*system[:-1], system[-1] | draw(MORE)]
        texts[name] = changed(draw, written(gold), rarely), changed(draw, written(system), rarely)
    return texts


OPTIONS = st.sampled_from(
    [
        *[{}] * 4,
        {"labels": ["X"]},
        {"group": "kind"},
        {"group": "kind", "labels": ["Y", "Z"]},
        {"id": "id"},
        {"id": "#0"},
        {"where": {"gold": {"split": "a"}}},
        {"items": "."},
        {"spans": "entities", "text": "text"},
    ]
)
RULES = st.sampled_from(
    [
        {"spans.no-list": "off", "spans.duplicate": "error"},
        {"spans.no-list": "warning", "spans.answer": "off", "text.line-ends": "warning", "text.blank-end": "warning"},
        {
            **dict.fromkeys(("spans.no-list", "spans.text", "spans.answer", "spans.tag", "spans.missing"), "warning"),
            **dict.fromkeys(("spans.unknown-id", "text.byte-order-mark", "text.line-ends"), "warning"),
        },
        {"spans.no-list": "off", "spans.missing": "off", "spans.unknown-id": "off", "spans.no-group": "off"},
    ]
)


@given(documents(), OPTIONS, RULES)
def test_files_counted_at_once_have_the_results_of_one_by_one(
    texts: Texts, options: dict[str, Any], rules: Mapping[str, Any]
) -> None:
    at_once, alone = counted(texts, JSONL | options, rules)
    assert at_once.cases == alone.cases
    assert (at_once.evidence and at_once.evidence.to_json()) == (alone.evidence and alone.evidence.to_json())


TEXT = {"text": "Ann in Senn"}
MARKED = json_lines(TEXT | {"spans": [[0, 3, "X"]]}, TEXT | {"entities": [{"start": 7, "end": 11, "label": "Y"}]})
TAGGED = json_lines(
    {"tokens": ["Ann", "in", "Senn"], "ner_tags": ["B-X", "O", "O"]},
    {"tokenized_text": ["Ann", "in", "Senn"], "ner": [[2, 2, "Y"]]},
)
NAMED = json_lines(TEXT | {"id": 1, "spans": []}, TEXT | {"id": "2", "spans": [[0, 3, "X"], [0, 3, "X"]]})
GROUPED = json_lines(TEXT | {"spans": [], "kind": "news"}, TEXT | {"spans": [[0, 3, "X"]], "kind": None})


@pytest.mark.parametrize("change", [str, lambda text: f"\ufeff{text}", lambda text: text.replace("\n", "\r\n") + " \n"])
@pytest.mark.parametrize(
    ("texts", "options", "codes"),
    [
        ({"a": (MARKED, TAGGED), "b": (TAGGED, TAGGED), "c": (MARKED, MARKED)}, {}, set()),
        (
            {"a": (NAMED, NAMED), "b": (NAMED, json_lines({"id": 2, "spans": []}, {"id": 1, "spans": []}))},
            {},
            {"spans.duplicate"},
        ),
        ({"a": (NAMED, NAMED), "b": ("", ""), "c": (NAMED, NAMED)}, {"id": "id"}, {"spans.duplicate"}),
        (
            {"a": (GROUPED, MARKED), "b": (GROUPED, GROUPED), "c": ("", "")},
            {"group": "kind", "labels": ["X"]},
            {"spans.no-group"},
        ),
    ],
)
def test_what_has_no_errors_is_counted_at_once(
    texts: Texts, options: dict[str, Any], codes: set[str], change: Callable[[str], str]
) -> None:
    texts = {name: (change(gold), change(system)) for name, (gold, system) in texts.items()}
    assert is_at_once(texts, JSONL | options)
    at_once, alone = counted(texts, JSONL | options, {})
    assert at_once.evidence is not None
    assert at_once.cases == alone.cases
    assert at_once.evidence.to_json() == (alone.evidence and alone.evidence.to_json())
    assert {problem.code for case in at_once.cases for problem in case.all_problems()} == codes


@pytest.mark.parametrize(
    ("more", "options"),
    [
        ((MARKED, json_lines(TEXT | {"spans": []})), {}),
        ((NAMED, NAMED), {}),
        ((MARKED, MARKED.replace("Senn", "Sinn")), {}),
        ((json_lines([TEXT | {"spans": []}]), MARKED), {}),
        ((MARKED, "Ann\tB-X\n"), {}),
        ((MARKED, MARKED.replace("Y", "micro")), {}),
        ((MARKED.replace("\n", "\r\r\n"), MARKED), {}),
        ((MARKED, MARKED), {"group": "kind"}),
        ((MARKED, MARKED), {"id": "#0"}),
        ((MARKED, MARKED), {"where": {"text": "Ann in Senn"}}),
        ((MARKED, MARKED), {"items": "."}),
    ],
)
def test_what_would_be_read_otherwise_alone_is_counted_one_by_one(more: tuple[str, str], options: dict[str, Any]) -> None:
    others = {"a": (GROUPED, GROUPED), "b": (GROUPED, GROUPED)}
    assert is_at_once(others, JSONL)
    assert not is_at_once({**others, "c": more}, JSONL | options)


def test_a_record_that_the_neighbour_has_is_missed() -> None:
    one, three = json_lines(TEXT | {"spans": []}), MARKED + json_lines(TEXT | {"spans": []})
    assert not is_at_once({"a": (MARKED, three), "b": (MARKED, one)}, JSONL)
    first, second = (json_lines(TEXT | {"id": rank, "spans": []}) for rank in "12")
    assert not is_at_once({"a": (first, second), "b": (second, first)}, JSONL)


def test_a_warning_that_has_no_line_is_told_of_the_document_that_lacks_a_record() -> None:
    texts = {"a": (NAMED, NAMED), "b": (NAMED, NAMED.splitlines()[0])}
    rules = {"spans.missing": "warning"}
    assert is_at_once(texts, JSONL, {"spans.missing": "off"})
    assert not is_at_once(texts, JSONL, rules)
    at_once, alone = counted(texts, JSONL, rules)
    assert at_once.cases == alone.cases
    assert [problem.code for problem in at_once.cases[1].problems["system"]] == ["spans.missing"]


def test_the_report_does_not_depend_on_how_small_files_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {"a": (MARKED, TAGGED), "b": (GROUPED, MARKED), "c": (NAMED, NAMED), "d": (NAMED, MARKED), "e": ("", "")}
    for rank in range(130):
        for side, text in zip(("gold", "system"), texts["cbb"[rank % 3] if rank < 70 else "abcde"[rank % 5]], strict=True):
            path = Path(side, f"d{rank:03}.jsonl")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
    suite = (
        "{name: s, task: spans, gold: 'gold/{doc}.jsonl', system: 'system/{doc}.jsonl', options: {format: jsonl, group: kind}}"
    )
    Path("nlpeval.yaml").write_text(f"version: 1\nsuites: [{suite}]\n", encoding="utf-8")

    def report(*arguments: str) -> bytes:
        assert cli.main(["run", "--jobs=1", "--report=json:report.json", *arguments]) == 2
        return Path("report.json").read_bytes()

    whole = report("--no-cache")
    assert {report("--cache-dir=store"), report("--cache-dir=store")} == {whole}
    monkeypatch.setattr("pytest_nlpeval.run.case.SMALL", 0)
    assert {report("--no-cache"), report("--cache-dir=store"), report("--cache-dir=other"), report("--cache-dir=other")} == {
        whole
    }
