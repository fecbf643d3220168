"""Files as teams have them: what is taken, what is asked, and what is said where nothing fits."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.support import command, write

Capture = pytest.CaptureFixture[str]
GOLD, SAID = "aabbab", "abbbaa"
RIGHT = 4 / 6  # all but the second and the last


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def json_lines(records: Iterable[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def table(labels: str, header: str = "", mark: str = "\t") -> str:
    return header + "".join(f"item {number}{mark}{label}\n" for number, label in enumerate(labels))


HEADERLESS = {
    "neither has a header": ("g.tsv", table(GOLD), "s.tsv", table(SAID), "--option id=1 --option label=2"),
    "gold has one": (
        "g.csv",
        table(GOLD, "name,label\n", ","),
        "s.csv",
        table(SAID, "", ","),
        "--option 'id={gold: name, system: 1}' --option 'label={gold: label, system: 2}'",
    ),
    "the system has one": (
        "g.tsv",
        table(GOLD),
        "s.tsv",
        "index\tprediction\n" + "".join(f"{number}\t{label}\n" for number, label in enumerate(SAID)),
        "--option pair=line --option 'label={gold: 2, system: prediction}'",
    ),
}


@pytest.mark.parametrize("case", HEADERLESS)
def test_the_first_item_of_a_table_without_header_is_an_item(folder: Path, capfd: Capture, case: str) -> None:
    gold, of_gold, system, of_system, options = HEADERLESS[case]
    write(folder, {gold: of_gold, system: of_system})
    ended = command(capfd, "score", gold, system, "--no-cache", "--report", "json:-")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["suites"][0]["scores"]["accuracy"]["value"] == RIGHT
    assert f"--gold {gold} --system {system} {options}\n" in ended.err


def test_numbers_that_pandas_writes_above_columns_are_a_header(folder: Path, capfd: Capture) -> None:
    """The name `1` of a column of flags is not the flag 1."""
    rows = "0,1\n1,0\n0,1\n1,1\n"
    write(folder, {"g.csv": rows, "s.csv": rows})
    ended = command(capfd, "score", "g.csv", "s.csv", "--no-cache", "--report", "json:-")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["suites"][0]["cases"]["documents"][0]["values"]["subset_accuracy"] == 1
    assert "'label=['\"'\"'0'\"'\"', '\"'\"'1'\"'\"']'" in ended.err


TEXTS = ["Mira sold two eggs", "the old bridge fell down", "it rained all day"]
UTTERANCES = [f"utt-{number} {text}" for number, text in enumerate(TEXTS)]


def test_ids_of_kaldi_are_no_words(folder: Path, capfd: Capture) -> None:
    """Nor are lines in another order other words."""
    said = [UTTERANCES[2], UTTERANCES[1].replace("old", "new"), UTTERANCES[0]]
    write(folder, {"g/text": "\n".join(UTTERANCES) + "\n", "s/text": "\n".join(said) + "\n"})
    ended = command(capfd, "score", "g/text", "s/text", "--no-cache", "--report", "json:-")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["suites"][0]["scores"]["wer"]["value"] == 1 / (4 + 5 + 4)
    assert "--option format=kaldi" in ended.err


def test_years_that_begin_lines_may_be_ids_or_words(folder: Path, capfd: Capture) -> None:
    lines = "".join(f"{1990 + number} {text}\n" for number, text in enumerate(TEXTS))
    write(folder, {"g.txt": lines, "s.txt": lines})
    ended = command(capfd, "score", "g.txt", "s.txt", "--no-cache")
    assert ended.code == 2
    assert "may be one thing as well as another" in ended.err
    assert ended.err.count("nlpeval score text ") == 2


def test_times_of_subtitles_are_no_texts(folder: Path, capfd: Capture) -> None:
    """They are right in any output, and would hide what is wrong."""
    lines = "".join(
        f"{number}\n00:00:0{number},000 --> 00:00:0{number},900\n{text} today\n\n" for number, text in enumerate(TEXTS, 1)
    )
    write(folder, {"g.srt": lines, "s.srt": lines})
    ended = command(capfd, "score", "g.srt", "s.srt", "--no-cache")
    assert (ended.code, ended.out) == (2, "")


@pytest.mark.parametrize(("lines", "code"), [(TEXTS, "text.length"), (["yes", "no", "yes", "no"], "labels.length")])
def test_a_line_too_few_is_told_as_what_it_is(folder: Path, capfd: Capture, lines: list[str], code: str) -> None:
    write(folder, {"g.txt": "\n".join(lines) + "\n", "s.txt": "\n".join(lines[:-1]) + "\n"})
    ended = command(capfd, "score", "g.txt", "s.txt", "--no-cache")
    assert (ended.code, ended.out) == (2, "")
    assert f"s.txt: {code}: has {len(lines) - 1} " in ended.err


def samples_of_filters() -> str:
    return json_lines(
        {
            "doc_id": number,
            "target": "4",
            "resps": [["4"]],
            "filtered_resps": ["4"],
            "filter": name,
            "metrics": ["exact_match"],
            "exact_match": float(number >= misses),
        }
        for misses, name in enumerate(["flexible-extract", "strict-match"])
        for number in range(4)
    )


def test_filters_of_one_file_are_never_mixed(folder: Path, capfd: Capture) -> None:
    write(folder, {"samples.jsonl": samples_of_filters()})
    asked = command(capfd, "score", "samples.jsonl", "samples.jsonl", "--no-cache")
    assert asked.code == 2
    assert asked.err.count("nlpeval score ") == 2
    assert "score labels" not in asked.err
    where = "where={gold: {filter: strict-match}, system: {filter: strict-match}}"
    assert f"'{where}' --option id=doc_id" in asked.err
    ended = command(capfd, "score", "samples.jsonl", "samples.jsonl", "--option", where, "--no-cache", "--report", "json:-")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["suites"][0]["scores"]["exact_match.mean"]["value"] == 3 / 4


def calls(city: str, made_up: str) -> list[dict[str, Any]]:
    function = {"name": "weather", "arguments": json.dumps({"city": city, "unit": "C"})}
    return [{"id": f"call_{made_up}", "type": "function", "function": function}]


def test_made_up_ids_of_tool_calls_are_not_compared(folder: Path, capfd: Capture) -> None:
    gold = [{"id": number, "tool_calls": calls(city, f"g{number}")} for number, city in enumerate(["Senn", "Ohm"])]
    system = [{"id": number, "tool_calls": calls("Senn", f"s{number}")} for number in range(2)]
    write(folder, {"g.jsonl": json_lines(gold), "s.jsonl": json_lines(system)})
    ended = command(capfd, "score", "g.jsonl", "s.jsonl", "--no-cache", "--report", "json:-")
    assert ended.code == 0, ended.err
    scores = json.loads(ended.out)["suites"][0]["scores"]
    assert scores["exact"]["value"] == 1 / 2
    assert scores["micro.f1"]["value"] == 7 / 8  # of type, name, city and unit, twice each
    assert "'ignore=[tool_calls.id]' --option 'compare={tool_calls.function.arguments: map}'" in ended.err


def test_objects_without_a_common_key_are_no_records(folder: Path, capfd: Capture) -> None:
    """The choices that an annotator had are not compared with the scores of labels."""
    gold = [{"text": f"text {n}", "options": [{"id": "a", "text": "a"}], "accept": ["a"]} for n in range(3)]
    system = [{"text": f"text {n}", "cats": {"a": 0.75, "b": 0.25}} for n in range(3)]
    write(folder, {"g.jsonl": json_lines(gold), "s.jsonl": json_lines(system)})
    assert "score records" not in command(capfd, "score", "g.jsonl", "s.jsonl", "--no-cache").err


def test_an_index_of_pandas_is_no_field_of_a_record(folder: Path, capfd: Capture) -> None:
    gold = ",total,day\n0,5,Monday\n1,7,Friday\n"
    write(folder, {"g.csv": gold, "s.csv": gold.replace("7", "8")})
    ended = command(
        capfd,
        "score",
        "records",
        "--gold",
        "g.csv",
        "--system",
        "s.csv",
        "--option",
        "id='#0'",
        "--no-cache",
        "--report",
        "json:-",
    )
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["suites"][0]["scores"]["micro.f1"]["value"] == 3 / 4


def test_probabilities_of_labels_are_no_indicators(folder: Path, capfd: Capture) -> None:
    write(folder, {"g.csv": "id,toxic,spam\n1,0,1\n2,1,0\n", "s.csv": "id,toxic,spam\n1,0.25,0.75\n2,0.5,0.125\n"})
    ended = command(capfd, "score", "g.csv", "s.csv", "--no-cache")
    assert (ended.code, ended.out) == (2, "")
    expected = "expected 0, 1, false or true; of a probability write 1 where it is high enough"
    assert f's.csv:2: labels.value: "0.25" in column toxic; {expected}' in ended.err


def test_items_without_a_label_of_their_own_are_told(folder: Path, capfd: Capture) -> None:
    gold = [{"pairID": f"p{number}", "gold_label": label} for number, label in enumerate(["a", "b", "-", "a"])]
    system = [{"pairID": f"p{number}", "prediction": "a"} for number in range(4)]
    write(folder, {"g.jsonl": json_lines(gold), "s.jsonl": json_lines(system)})
    ended = command(capfd, "score", "g.jsonl", "s.jsonl", "--no-cache")
    assert ended.code == 0, ended.err
    assert '"-" is a label like others, and 1 of gold have it: leave these out of both files' in ended.err


def test_predictions_of_a_json_list_are_named(folder: Path, capfd: Capture) -> None:
    write(
        folder,
        {
            "g.json": json.dumps([{"id": "q1", "answers": {"text": ["Mira"], "answer_start": [0]}}]),
            "s.json": json.dumps([{"id": "q1", "prediction_text": "Mira"}]),
        },
    )
    ended = command(capfd, "score", "g.json", "s.json", "--no-cache")
    assert ended.code == 0, ended.err
    assert "--option prediction=prediction_text" in ended.err


def test_records_in_another_order_do_not_pair_by_line(folder: Path, capfd: Capture) -> None:
    """The texts tell the order, and are no ids, since one stands twice."""
    texts = ["ok", "good food", "bad bed", "ok"]
    rows = [f"{text}\t{label}\n" for text, label in zip(texts, "abba", strict=True)]
    write(folder, {"g.tsv": "".join(["text\tlabel\n", *rows]), "s.tsv": "".join(["text\tprediction\n", *rows[2:], *rows[:2]])})
    ended = command(capfd, "score", "g.tsv", "s.tsv", "--no-cache")
    assert (ended.code, ended.out) == (2, "")
    assert '"text" has the same values in another order, some of them twice: give the records ids\n' in ended.err


def test_results_of_ragas_are_scores(folder: Path, capfd: Capture) -> None:
    """Beside them stand a reference and a response, whose word error rate nobody asked for; one file may be both sides."""
    rows = "".join(f"Who built bridge {n}?,a b c d,it was Mira,they were Bo,0.{n}5\n" for n in range(3))
    write(folder, {"r.csv": "user_input,retrieved_contexts,reference,response,faithfulness\n" + rows})
    ended = command(capfd, "score", "r.csv", "r.csv", "--no-cache", "--report", "json:-")
    assert ended.code == 0, ended.err
    assert "read as scores: results of ragas" in ended.err
    assert json.loads(ended.out)["suites"][0]["scores"]["faithfulness.mean"]["value"] == pytest.approx((0.05 + 0.15 + 0.25) / 3)


EXCHANGED: dict[str, tuple[str, str, str, str]] = {
    "named so": ("pred.txt", "a\nb\na\nb\n", "gold.txt", "a\nb\nb\nb\n"),
    "fields": ("one.tsv", "id\tprediction\n1\ta\n2\tb\n", "two.tsv", "id\tlabel\n1\ta\n2\ta\n"),
    "a run": ("one", "q1 Q0 d1 1 2.5 bm25\nq1 Q0 d2 2 1.5 bm25\n", "two", "q1 0 d1 1\n"),
}


@pytest.mark.parametrize("case", EXCHANGED)
def test_exchanged_paths_are_told(folder: Path, capfd: Capture, case: str) -> None:
    """Precision would be called recall."""
    first, of_first, second, of_second = EXCHANGED[case]
    write(folder, {first: of_first, second: of_second})
    ended = command(capfd, "score", first, second, "--no-cache")
    assert (ended.code, ended.out) == (2, "")
    assert "name gold first" in ended.err
    assert command(capfd, "score", second, first, "--no-cache").code == 0


UNREADABLE = {
    "gzip": (gzip.compress(b"id,label\n1,a\n"), "is gzip-compressed data; decompress it first"),
    "UTF-16": ("id,label\n1,a\n".encode("utf-16"), "is UTF-16 text; save it as UTF-8"),
    "Latin-1": ("id,label\n1,é\n".encode("latin-1"), ":2:3: text.encoding: byte 0xe9 is not UTF-8; save the file as UTF-8"),
    "Git LFS": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "is a pointer of Git LFS"),
    "Excel": (b"PK\x03\x04\x14\x00[Content_Types].xml", "is an Office document; save it as CSV, or as text, in UTF-8"),
    "Parquet": (b"PAR1\x15\x04\xff", "is Parquet data; write it as CSV or JSON Lines"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_what_is_no_text_is_told_with_its_cure(folder: Path, capfd: Capture, case: str) -> None:
    data, message = UNREADABLE[case]
    write(folder, {"g.csv": "id,label\n1,a\n"})
    (folder / "s.csv").write_bytes(data)
    ended = command(capfd, "score", "g.csv", "s.csv")
    assert (ended.code, ended.out) == (2, "")
    assert "g.csv and s.csv cannot be read:\n" in ended.err
    assert "s.csv" in ended.err
    assert message in ended.err


def test_what_nobody_recognises_is_described(folder: Path, capfd: Capture) -> None:
    write(folder, {"g.jsonl": json_lines([{"document": "x", "gist": "y"}]), "s.xml": "<TEI><p>x</p></TEI>", "s.txt": "x\ny\n"})
    for system, form in (("s.xml", "XML with the root element TEI"), ("s.txt", "2 lines")):
        ended = command(capfd, "score", "g.jsonl", system)
        assert ended.code == 2
        assert "  g.jsonl: records with the fields document, gist\n" in ended.err
        assert f"  {system}: {form}\n" in ended.err


@pytest.mark.parametrize(
    ("gold", "system"),
    [
        ("y_true.txt", "y_pred.txt"),
        ("test.groundtruth.txt", "test.generated.txt"),
        ("targets.txt", "submission.txt"),
        ("ref.txt", "hypothesis.txt"),
    ],
)
def test_usual_names_of_two_files_are_gold_and_output(folder: Path, capfd: Capture, gold: str, system: str) -> None:
    write(folder, {gold: "yes\nno\n" * 20, system: "yes\nno\nno\nno\n" * 10})
    assert command(capfd, "init").code == 0
    assert f"gold: {gold}\n    system: {system}\n" in (folder / "nlpeval.yaml").read_text(encoding="utf-8")


def test_init_says_why_it_writes_of_no_file_that_lies_there(folder: Path, capfd: Capture) -> None:
    write(folder, {"a.txt": "yes\n", "b.txt": "yes\n"})
    ended = command(capfd, "init")
    assert ended.code == 0
    assert "It is for the task rte: no files here that are called like gold" in ended.out
    assert "`nlpeval init GOLD SYSTEM`" in ended.out
