"""`nlpeval score GOLD SYSTEM` and `nlpeval init GOLD SYSTEM`: what files are is found out, told, and never guessed between equals."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from pytest_nlpeval import evaluate, load_suites, score
from pytest_nlpeval.config.suite import Suite
from pytest_nlpeval.run.recognition.deciding import Given, grouped, recognised
from pytest_nlpeval.tasks import TASKS, load_task
from tests.support import COMMAND, HANG, Ended, command, write

Capture = pytest.CaptureFixture[str]
EXAMPLES = Path(__file__).parents[2] / "examples"

CHOICES = {
    "are": {"pronouns"},
    "cat": {"profile", "sentences", "relaxed", "annotations"},
    "labels": {"labels", "group", "text"},
    "qa": {"threshold", "language"},
    "ranking": {"measures", "group", "text"},
    "records": {"compare", "normalise", "views", "group"},
    "rte": {"edition"},
    "scores": {"results", "error", "group", "text"},
    "spans": {"labels"},
    "text": {"measures", "normalise", "ignore", "group", "quote"},
    "ud": {"subtypes", "features"},
}
"""Options of the examples that no file tells: a user chooses them, or they say what is so anyway."""

BEFOREHAND = {"scores": {"where"}}
"""Options that a user must name: of several prompts in an export any may be meant."""


def example_suites() -> Iterator[Any]:
    """The suites of all examples, with their entries in the configuration."""
    for config in sorted(EXAMPLES.glob("*/nlpeval.yaml")):
        entries = {entry["name"]: entry for entry in yaml.safe_load(config.read_text())["suites"]}
        for suite in (one for one in load_suites(config) if one.recipe.task.recognise):
            yield pytest.param(suite, entries[suite.base], id=f"{config.parent.name}/{suite.name}")


def path_of(entry: dict[str, Any], role: str, system: str) -> str:
    paths: Any = entry[role]
    return str(paths[system] if isinstance(paths, dict) else paths)


@pytest.mark.parametrize(("suite", "entry"), [*example_suites()])
def test_an_example_is_recognised_as_what_its_configuration_says(suite: Suite, entry: dict[str, Any]) -> None:
    folder = suite.config.parent if suite.config else Path()
    gold = path_of(entry, "gold" if "gold" in entry else "input", suite.system)
    named = {name: value for name, value in suite.given.items() if name in BEFOREHAND.get(suite.recipe.task.name, ())}
    (decision,) = recognised(gold, path_of(entry, "system", suite.system), folder, Given(options=named))
    call = decision.chosen
    assert call is not None, decision
    assert call.task == suite.recipe.task.name
    choices = CHOICES.get(call.task, set())
    given = {name: value for name, value in suite.given.items() if name not in choices}
    assert {name: value for name, value in call.options.items() if name not in choices} == given
    roles = {role.name for role in suite.recipe.task.roles} & entry.keys()
    expected = {role: path_of(entry, role, suite.system) for role in roles}
    if "annotations" in suite.given:  # the configuration near is not used there
        expected["config"] = call.files["config"]
    assert dict(call.files) == expected
    if "config" in expected and "annotations" in suite.given:
        return
    options = {**call.options, **suite.given}
    files: dict[str, Any] = {role: folder / path for role, path in call.files.items()}
    found = score(call.task, options=options, **files)
    assert {name: each.value for name, each in found.scores.items()} == {
        name: each.value for name, each in evaluate(suite).scores.items()
    }


def test_every_task_is_recognised_in_some_example() -> None:
    assert {name for name in TASKS if load_task(name).recognise} <= {
        param.values[0].recipe.task.name for param in example_suites()
    }


RECOGNISED = sorted(path.parent.name for path in EXAMPLES.glob("*/gold") if load_task(path.parent.name).recognise)
"""The examples with a folder of gold, of tasks that recognise their files."""


@pytest.mark.parametrize("example", RECOGNISED)
def test_the_folders_of_an_example_hold_its_suites(example: str) -> None:
    """Both folders are given: systems that answer one gold in one way are one suite, files of other suites and roles are none of it."""
    folder = EXAMPLES / example
    expected: dict[str, set[str]] = defaultdict(set)
    for entry in yaml.safe_load((folder / "nlpeval.yaml").read_text())["suites"]:
        if entry["gold"].startswith("gold/"):
            paths = entry["system"].values() if isinstance(entry["system"], dict) else [entry["system"]]
            expected[entry["gold"]] |= set(paths)
    for gold, pattern in [(path, pattern) for path in expected for pattern in expected if covers(pattern, path)]:
        expected[gold] = {path for path in expected[gold] if not any(covers(other, path) for other in expected[pattern])}
    expected = {gold: systems for gold, systems in expected.items() if systems}  # not those whose files are another one's, too
    groups = grouped(recognised("gold", "system", folder))
    found: dict[str, set[str]] = defaultdict(set)
    for one in groups:
        found[one.calls[0].files["gold"]] |= {call.files["system"] for call in one.calls}
    if example == "scores":  # one of two systems has errors; and of two prompts in one file any may be meant
        del expected["gold/prompts.csv"]
        assert len(groups) == 2
    else:
        assert len(groups) == len(found)
    if example == "ranking":  # both golds ask the same topics, and each run answers them
        every = set().union(*expected.values())
        expected = dict.fromkeys(expected, every)
    assert found == expected


def covers(pattern: str, path: str) -> bool:
    """Whether a path is that of a document of another one, which is a pattern."""
    ahead, mark, behind = pattern.partition("{doc}")
    return bool(mark) and path != pattern and path.startswith(ahead) and path.endswith(behind)


AMBIGUOUS = {
    "whole numbers on lines": ("gold.txt", "3\n4\n5\n1\n", ["--option kind=score", ""]),
    "commas in labels": ("gold.csv", 'id,label\n1,"a,b"\n2,a\n', ["--option kind=labels --option label=label", ""]),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("case", AMBIGUOUS)
def test_what_may_be_two_things_is_an_error_with_both_calls(folder: Path, capfd: Capture, case: str) -> None:
    name, text, endings = AMBIGUOUS[case]
    system = name.replace("gold", "system")
    write(folder, {name: text, system: text})
    call = f"nlpeval score labels --gold {name} --system {system}"
    for verb in ("score", "init"):
        ended = command(capfd, verb, name, system)
        assert (ended.code, ended.out) == (2, "")
        shown = [line.strip() for line in ended.err.splitlines()[1:]]
        assert sorted(shown) == sorted(f"{call} {ending}".strip() for ending in endings)
        assert not (folder / "nlpeval.yaml").exists()
    for line in shown:
        assert command(capfd, *line.replace("nlpeval ", "", 1).split()).code == 0
    assert command(capfd, "score", name, system, "--option", endings[0].removeprefix("--option ").split()[0]).code == 0


SEVERAL_FIELDS = {
    "several fields": ("id\tcity\tday\n1\tBonn\tmon\n2\tRome\ttue\n", "id\tcity\tday\n1\tBonn\ttue\n2\tBonn\ttue\n", ["records"]),
    "of few values": (
        "id\tcity\tday\n" + "".join(f"{rank}\tBonn\tmon\n" for rank in range(9)),
        "id\tcity\tday\n" + "".join(f"{rank}\tBonn\tmon\n" for rank in range(8)) + "8\tRome\ttue\n",
        ["records"],
    ),
    "a label among them": (
        "id\tcategory\ttotal\n1\ta\t3.5\n2\tb\t4.5\n",
        "id\tcategory\ttotal\n1\ta\t3.0\n2\ta\t4.5\n",
        ["labels", "records"],
    ),
    "a label, and a text that is copied": (
        "id\ttext\tlabel\n1\tgood\ta\n2\tbad\tb\n",
        "id\ttext\tlabel\n1\tgood\ta\n2\tbad\ta\n",
        ["labels"],
    ),
    "a label, and a text, all right": (2 * ("id\ttext\tlabel\n1\tgood\ta\n2\tbad\tb\n",) + (["labels"],)),
    "all right": (2 * ("id\tcategory\ttotal\n1\ta\t3.5\n2\tb\t4.5\n",) + (["labels", "records"],)),
    "by line": ("category,total\na,3.5\nb,4.5\n", "category,total\nb,3.5\nb,4.0\n", ["labels", "records"]),
    "yes or no": ("id,paid,open\n1,0,1\n2,1,1\n", "id,paid,open\n1,1,1\n2,1,0\n", ["labels"]),
}
"""Tables of gold and of a system, and the tasks that are as likely as each other."""


@pytest.mark.parametrize("case", SEVERAL_FIELDS)
def test_a_table_whose_sides_differ_in_several_fields_may_be_records(tmp_path: Path, case: str) -> None:
    gold, system, tasks = SEVERAL_FIELDS[case]
    ending = "tsv" if "\t" in gold else "csv"
    write(tmp_path, {f"gold.{ending}": gold, f"system.{ending}": system})
    (decision,) = recognised(f"gold.{ending}", f"system.{ending}", tmp_path)
    likely = [decision.chosen] if decision.chosen else decision.rivals
    assert sorted({call.task for call in likely}) == tasks


DOCUMENTS = {
    "objects": ('{"a": {"b": 1}, "items": [{"sku": "x"}]}', {"format": "document"}),
    "objects of one level": ('{"vendor": "x", "total": 1}', {"format": "document"}),
    "objects with an id": ('{"id": "DOC", "vendor": "x", "total": 1}', {}),
}


@pytest.mark.parametrize("case", DOCUMENTS)
def test_files_that_are_a_record_each_are_recognised(tmp_path: Path, case: str) -> None:
    text, options = DOCUMENTS[case]
    others = text.replace("1", "2").replace('"y"', '"z"')
    files = {f"gold/{name}.json": text.replace("DOC", name) for name in "pq"}
    write(tmp_path, {**files, "system/p.json": text.replace("DOC", "p"), "system/q.json": others.replace("DOC", "q")})
    (decision,) = recognised("gold", "system", tmp_path)
    assert decision.chosen, decision
    assert (decision.chosen.task, decision.chosen.options) == ("records", options)


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        ('{"label": "x"}', ["labels", "records"]),
        ('{"label": "x", "size": 0.5}', ["labels", "records"]),
        ('[{"sku": "x"}, {"sku": "z"}, {"sku": "x"}, {"sku": "z"}]', ["labels", "records"]),
    ],
)
def test_a_file_that_may_be_a_record_or_labels_is_not_guessed(tmp_path: Path, text: str, tasks: list[str]) -> None:
    other = text.replace("x", "z")
    write(tmp_path, {f"{side}/{name}.json": text if side == "gold" else other for side in ("gold", "system") for name in "pq"})
    (decision,) = recognised("gold", "system", tmp_path)
    assert sorted({call.task for call in decision.rivals}) == tasks
    assert {"format": "document"} in [call.options for call in decision.rivals]


def test_two_tasks_that_are_equally_likely_are_told(folder: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two tasks that are as sure of the same files: whatever they are, none is taken."""
    write(folder, {"gold.tsv": "id\tlabel\n1\ta\n", "system.tsv": "id\tlabel\n1\ta\n"})
    labels, twin = load_task("labels"), "labels-twin"
    monkeypatch.setattr("pytest_nlpeval.run.recognition.deciding.task_names", lambda: ("labels", twin))
    monkeypatch.setattr("pytest_nlpeval.run.recognition.deciding.load_task", lambda _: labels)
    monkeypatch.setitem(TASKS, twin, TASKS["labels"])
    ended = command(capfd, "score", "gold.tsv", "system.tsv")
    assert ended.code == 2
    assert "nlpeval score labels " in ended.err
    assert f"nlpeval score {twin} " in ended.err


def test_what_was_decided_is_told_beside_the_scores(folder: Path, capfd: Capture) -> None:
    write(folder, {"g.tsv": "id\ty\n1\t3\n2\t4\n3\t5\n", "s.tsv": "id\ty\n1\t3\n2\t4\n3\t4\n"})
    ended = command(capfd, "score", "g.tsv", "s.tsv", "--report", "json:-", "--no-cache")
    assert json.loads(ended.out)["suites"][0]["scores"]["accuracy"]["value"] == 2 / 3
    assert "nlpeval: read as labels: " in ended.err
    assert "  nlpeval score labels --gold g.tsv --system s.tsv --option label=y\n" in ended.err
    assert "less likely:\n  nlpeval score labels --gold g.tsv --system s.tsv --option kind=score --option label=y\n" in ended.err


def test_the_page_shows_what_is_told(capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    page = (EXAMPLES.parent / "docs/command.md").read_text()
    call, _, told = page.partition("```text\n$ nlpeval score ")[2].partition("\n```")[0].partition("\n")
    monkeypatch.chdir(EXAMPLES / "qa")
    assert command(capfd, "score", *call.split(), "--no-cache").err == told + "\n"


def test_several_systems_are_scored_side_by_side(capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES / "exemplar")
    ended = command(capfd, "score", "gold", "system", "--report", "json:-", "--no-cache")
    assert [suite["name"] for suite in json.loads(ended.out)["suites"]] == ["exemplar/baseline", "exemplar/ours"]


def test_several_suites_are_told_call_by_call(capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES / "labels")
    ended = command(capfd, "score", "gold", "system", "--no-cache")
    assert ended.code == 2
    assert "hold 3 suites; score one of them:" in ended.err
    assert ended.err.count("  nlpeval score labels --gold gold/") == 4


def test_a_role_that_is_given_is_taken(capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES / "best")
    ended = command(capfd, "score", "gold", "system/ours", "--ere", "ere-predicted/{doc}.rich_ere.xml", "--no-cache")
    assert ended.code == 2  # which is another file's: the ids of gold are not in it
    assert "--ere 'ere-predicted/{doc}.rich_ere.xml'" in ended.err


TOO = """name the system's, too:
  nlpeval COMMAND g.tsv SYSTEM
  nlpeval COMMAND g.tsv g.tsv   if it holds gold and the system's in columns or keys
"""
MISTAKES: dict[str, tuple[Sequence[str], str]] = {
    "a file alone": (["score", "g.tsv"], f"g.tsv is no task but a path; {TOO.replace('COMMAND', 'score')}"),
    "a folder alone": (["score", "empty"], "empty is no task but a path; name the system's, too:\n  nlpeval score empty SYSTEM\n"),
    "a file alone for a configuration": (["init", "g.tsv"], f"g.tsv is no folder but a path; {TOO.replace('COMMAND', 'init')}"),
    "three files": (["score", "g.tsv", "s.tsv", "s.tsv"], "expected two paths, gold's and the system's, but got 3"),
    "files behind a task": (
        ["score", "labels", "g.tsv", "my s.tsv"],
        "the task labels are named by their roles:\n  nlpeval score labels --gold g.tsv --system 'my s.tsv'\n",
    ),
    "a file behind a task": (["score", "labels", "g.tsv"], "  nlpeval score labels --gold g.tsv --system SYSTEM\n"),
    "a folder that is none": (["init", "none"], "there is no folder none to write nlpeval.yaml into"),
    "a path that is none": (["score", "none.tsv", "s.tsv"], "none.tsv does not exist"),
    "a role twice": (["score", "g.tsv", "s.tsv", "--gold", "g.tsv"], "--gold is given, and g.tsv and s.tsv besides"),
    "nothing known": (["score", "t.txt", "g.tsv"], "nothing that a task recognises"),
    "no pair": (["score", "empty", "empty2"], "no file of empty belongs to one of empty2 by its name"),
    "errors": (["score", "g.tsv", "twice.tsv"], 'twice.tsv:3: labels.duplicate-id: the id "1" stands on line 2 already'),
    "an option without files": (["init", "--option", "kind=score"], "--option goes with the files"),
}  # fmt: skip


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_are_told_with_their_cure(folder: Path, capfd: Capture, case: str) -> None:
    table = "id\tlabel\n1\ta\n2\tb\n"
    write(
        folder,
        {"g.tsv": table, "s.tsv": table, "twice.tsv": "id\tlabel\n1\ta\n1\tb\n", "t.txt": "A cat sat.\nIt rained all day.\n"},
    )
    (folder / "empty").mkdir()
    (folder / "empty2").mkdir()
    arguments, message = MISTAKES[case]
    ended = command(capfd, *arguments)
    assert (ended.code, ended.out) == (2, "")
    assert message in ended.err
    assert not (folder / "nlpeval.yaml").exists()


BRAT = {
    "d1": ("Mira Olsen lives in Senn.\n", "T1\tPER 0 10\tMira Olsen\nT2\tLOC 20 24\tSenn\n"),
    "d2": ("Ott left.\n", "T1\tPER 0 3\tOtt\n"),
}


@pytest.mark.parametrize("with_texts", ["gold", "gold system"])
def test_a_brat_folder_is_read_as_a_folder(folder: Path, capfd: Capture, with_texts: str) -> None:
    for side in ("gold", "system"):
        for name, (text, spans) in BRAT.items():
            write(folder, {f"{side}/{name}.ann": spans.splitlines()[0] + "\n" if side == "system" else spans})
            write(folder, {f"{side}/{name}.txt": text} if side in with_texts else {})
    report = ("--report", "json:-", "--no-cache")
    named = command(capfd, "score", "spans", "--gold", "gold", "--system", "system", "--option", "format=brat", *report)
    found = command(capfd, "score", "gold", "system", *report)
    assert (named.code, found.code) == (0, 0)
    for ended in (named, found):
        (suite,) = json.loads(ended.out)["suites"]
        assert [document["name"] for document in suite["cases"]["documents"]] in (["d1", "d2"], ["d2", "d1"])
        assert suite["scores"]["micro.recall"]["value"] == 2 / 3
    assert "--text 'gold/{doc}.txt'" in found.err


def test_a_brat_folder_with_a_mistake_is_not_read_as_its_texts(folder: Path, capfd: Capture) -> None:
    """The texts are the same on both sides: scored as texts, the worst annotations are perfect."""
    for side in ("gold", "system"):
        for name, (text, spans) in BRAT.items():
            write(folder, {f"{side}/{name}.txt": text, f"{side}/{name}.ann": spans if side == "gold" else f"{spans}T\n"})
    ended = command(capfd, "score", "gold", "system", "--no-cache")
    assert (ended.code, ended.out) == (2, "")
    assert "cannot be read as what they seem to be" in ended.err
    assert 'system/d1.ann:3: spans.line: "T" is no T line' in ended.err


SPAN = {"start": 0, "end": 4, "entity_type": "PER"}
GOLD_SPANS = '{"id": 1, "text": "Mira sold eggs in Senn.", "ents": [{"start": 0, "end": 4, "label": "PER"}]}\n'
SAID_SPANS = {
    "under a name of one's own": ({"id": 1, "text": "Mira sold eggs in Senn.", "results": [SPAN]}, "'spans={system: results}'"),
    "a list for each text": ([SPAN], "--option format=jsonl"),
}


@pytest.mark.parametrize("case", SAID_SPANS)
def test_lists_of_spans_are_found_wherever_they_stand(folder: Path, capfd: Capture, case: str) -> None:
    """Nor is the text of the records, which is the input, taken for the output."""
    record, option = SAID_SPANS[case]
    write(folder, {"g.jsonl": GOLD_SPANS, "s.json": json.dumps([record])})
    ended = command(capfd, "score", "g.jsonl", "s.json", "--no-cache")
    assert ended.code == 0, ended.err
    assert "read as spans" in ended.err
    assert option in ended.err


def tagged(*fields: str) -> str:
    return json.dumps(
        {"id": 1, "tokens": ["Mira", "left"], **{key: ["B-PER", "O"] for key in fields}, fields[-1]: ["B-PER", "B-PER"]}
    )


def marked(*fields: str) -> str:
    other = SPAN | {"start": 5, "end": 9}
    return json.dumps({"id": 1, "text": "Mira sold eggs.", **{key: [SPAN] for key in fields}, fields[-1]: [SPAN, other]})


IN_ONE_FILE = {
    "columns": ("f.conll", "Mira X B-PER B-PER\nleft Y O B-PER\n", "'columns={gold: 3, system: 4}'"),
    "tags, output told": ("f.jsonl", tagged("ner_tags", "pred_tags"), "'tags={gold: ner_tags, system: pred_tags}'"),
    "tags, gold told": ("f.jsonl", tagged("true_tags", "tags"), "'tags={gold: true_tags, system: tags}'"),
    "spans": ("f.jsonl", marked("spans", "predicted_spans"), "'spans={gold: spans, system: predicted_spans}'"),
    "records in a list": ("f.json", f"[{marked('gold_spans', 'spans')}]", "'spans={gold: gold_spans, system: spans}'"),
}


@pytest.mark.parametrize("case", IN_ONE_FILE)
def test_gold_and_output_are_found_in_one_file(folder: Path, capfd: Capture, case: str) -> None:
    """Of two spans that the system gives gold has one."""
    name, text, option = IN_ONE_FILE[case]
    write(folder, {name: f"{text}\n"})
    ended = command(capfd, "score", name, name, "--no-cache", "--report=json:-")
    assert ended.code == 0, ended.err
    assert f"nlpeval score spans --gold {name} --system {name} " in ended.err
    assert option in ended.err
    scores = json.loads(ended.out)["suites"][0]["scores"]
    assert [scores[measure]["value"] for measure in ("micro.precision", "micro.recall")] == [0.5, 1]


IN_NO_ORDER = {
    "tags": ("f.jsonl", tagged("tags_a", "tags_b"), 2),
    "two of a system": ("f.jsonl", tagged("pred_a", "pred_b"), 2),
    "spans": ("f.jsonl", marked("one", "other"), 2),
    "chunks before names": ("f.conll", "Mira NNP B-NP B-PER\nleft VBD O O\n", 0),
    "three lists": ("f.jsonl", marked("a", "b", "c"), 0),
    "gold's alone": ("f.jsonl", tagged("tags"), 0),
}


@pytest.mark.parametrize("case", IN_NO_ORDER)
def test_nothing_is_guessed_where_one_file_does_not_tell_which_is_gold(folder: Path, capfd: Capture, case: str) -> None:
    name, text, calls = IN_NO_ORDER[case]
    write(folder, {name: f"{text}\n"})
    ended = command(capfd, "score", name, name, "--no-cache")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.count("  nlpeval score spans") == calls
    assert ("may be one thing as well as another" in ended.err) == bool(calls)


def test_the_input_is_no_output(folder: Path, capfd: Capture) -> None:
    """A text that is the same on both sides, beside what only the system says, is what was asked."""
    asked = {"id": 1, "text": "Mira sold eggs in Senn."}
    write(folder, {"g.jsonl": json.dumps(asked), "s.jsonl": json.dumps(asked | {"verdict": {"a": 1}})})
    ended = command(capfd, "score", "g.jsonl", "s.jsonl", "--no-cache")
    assert "read as text" not in ended.err


def test_one_file_with_both_is_never_compared_with_itself(folder: Path, capfd: Capture) -> None:
    samples = [
        {"doc_id": n, "target": gold, "filtered_resps": [said]} for n, (gold, said) in enumerate(zip("aabb", "baba", strict=True))
    ]
    write(folder, {"s.jsonl": "".join(json.dumps(sample) + "\n" for sample in samples), "g.tsv": "id\tlabel\n1\ta\n2\ta\n"})
    ended = command(capfd, "score", "s.jsonl", "s.jsonl", "--no-cache", "--report", "json:-")
    assert ended.code == 0, ended.err
    assert json.loads(ended.out)["suites"][0]["scores"]["accuracy"]["value"] == 2 / 4
    assert command(capfd, "score", "g.tsv", "g.tsv", "--no-cache").code == 2


def test_fields_between_other_marks_are_told_not_scored_as_one_column(folder: Path, capfd: Capture) -> None:
    """Whole rows that are compared as labels are nearly never equal, or equal by chance."""
    write(folder, {"g.csv": "id;label\n1;a\n2;a\n3;b\n", "s.csv": "id;label\n3;b\n1;a\n2;a\n"})
    ended = command(capfd, "score", "g.csv", "s.csv", "--no-cache")
    assert (ended.code, ended.out) == (2, "")
    assert "its fields seem to have semicolons between them; write the file with commas" in ended.err


def test_the_configuration_that_is_written_passes_and_guards(folder: Path, capfd: Capture) -> None:
    """All examples in a repository without configurations: each suite is found, holds as it is, and fails when its output becomes worse."""
    for example in RECOGNISED:
        shutil.copytree(EXAMPLES / example, folder / example, ignore=shutil.ignore_patterns("nlpeval.yaml"))
    assert command(capfd, "init").code == 0
    suites = load_suites(folder / "nlpeval.yaml")
    assert {suite.recipe.task.name for suite in suites} == set(RECOGNISED)
    assert len({suite.base for suite in suites}) > len(RECOGNISED)
    for suite in suites:
        result = evaluate(suite)
        assert result.outcome == "ok"
        assert any(suite.layers)
        for verdict in result.verdicts:
            interval = result.intervals[verdict.measure]
            threshold = verdict.condition.threshold
            assert threshold < interval.low < interval.high or interval.low < interval.high < threshold
    shutil.copy(folder / "spans/gold/news.conll", folder / "spans/system/ours/news.conll")
    assert command(capfd, "run", "--no-cache").code == 0
    text = (folder / "spans/gold/news.conll").read_text()
    write(folder, {"spans/system/ours/news.conll": text.replace("\tB-", "\tB-X").replace("\tI-", "\tI-X")})
    assert command(capfd, "run", "--no-cache").code == 1


def test_init_of_named_files_never_overwrites(folder: Path, capfd: Capture) -> None:
    table = "id\tlabel\n" + "".join(f"{number}\t{'ab'[number % 2]}\n" for number in range(40))
    write(folder, {"g.tsv": table, "s.tsv": table.replace("\tb", "\ta", 3)})
    ended = command(capfd, "init", "g.tsv", "s.tsv")
    assert ended.code == 0
    assert "read as labels" in ended.out
    before = (folder / "nlpeval.yaml").read_text()
    assert command(capfd, "init", "g.tsv", "s.tsv").code == 2
    assert (folder / "nlpeval.yaml").read_text() == before
    (suite,) = yaml.safe_load(before)["suites"]
    assert suite["gates"]["accuracy"] < 37 / 40
    assert command(capfd, "run", "--no-cache").code == 0


BY_NUMBER = {
    "several of gold": (
        ["1.gold.tsv", "2.gold.tsv", "10.gold.tsv", "gold_2024.tsv"],
        {"1.pred.tsv": [0], "1.run.tsv": [0], "2.pred.tsv": [1], "system.tsv": [2, 3]},
    ),
    "one of gold": (["gold-2024.tsv"], {"run-1.tsv": [0], "run-2.tsv": [0], "run-2024.tsv": [0]}),
    "other numbers": (["gold-2023.tsv", "gold-2024.tsv"], {"run-1.tsv": [0, 1], "run-2.tsv": [0, 1]}),
}


@pytest.mark.parametrize("case", BY_NUMBER)
def test_files_of_one_folder_go_together_by_numbers_that_tell_gold_apart(folder: Path, capfd: Capture, case: str) -> None:
    golds, systems = BY_NUMBER[case]
    write(folder, dict.fromkeys([*golds, *systems], "id\tlabel\n1\ta\n2\tb\n"))
    assert command(capfd, "init").code == 0
    suites = yaml.safe_load((folder / "nlpeval.yaml").read_text())["suites"]
    pairs = [
        (suite["gold"], system)
        for suite in suites
        for system in (suite["system"].values() if isinstance(suite["system"], dict) else [suite["system"]])
    ]
    assert sorted(pairs) == sorted((golds[rank], system) for system, ranks in systems.items() for rank in ranks)


def test_init_takes_only_the_task_that_is_named(folder: Path, capfd: Capture) -> None:
    write(folder, {"g.tsv": "id\tlabel\n1\ta\n", "s.tsv": "id\tlabel\n1\ta\n"})
    assert command(capfd, "init", "g.tsv", "s.tsv", "--task", "spans").code == 2
    assert command(capfd, "init", "g.tsv", "s.tsv", "--task", "labels").code == 0


def test_what_is_not_recognised_in_a_repository_is_told(folder: Path, capfd: Capture) -> None:
    write(folder, {"gold/a.txt": "One sentence here.\n", "system/a.txt": "Another sentence there.\nAnd one more.\n"})
    ended = command(capfd, "init")
    assert ended.code == 0
    assert "gold and system are left out" in ended.err
    assert "task: rte" in (folder / "nlpeval.yaml").read_text()


def test_off_a_terminal_what_may_be_two_things_is_left_out_with_both_calls(folder: Path, capfd: Capture) -> None:
    numbers = "3\n4\n5\n1\n"
    write(
        folder,
        {"a/gold.txt": numbers, "a/pred.txt": numbers, "b/gold.tsv": "id\tlabel\n1\ta\n", "b/pred.tsv": "id\tlabel\n1\ta\n"},
    )
    ended = command(capfd, "init")
    assert ended.code == 0
    assert ended.err.count("nlpeval score labels --gold a/gold.txt") == 2
    assert [suite["gold"] for suite in yaml.safe_load((folder / "nlpeval.yaml").read_text())["suites"]] == ["b/gold.tsv"]


def on_terminal(folder: Path, answers: str) -> Ended:
    """Run `nlpeval init` in a terminal where somebody types."""
    ours, theirs = pty.openpty()
    os.write(ours, answers.encode())
    process = subprocess.Popen([*COMMAND, "init"], cwd=folder, stdin=theirs, stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    sent = b""
    try:
        while piece := os.read(ours, 1 << 16):
            sent += piece
    except OSError:  # the terminal is closed
        pass
    _, errors = process.communicate(timeout=HANG)
    os.close(ours)
    return Ended(process.returncode, sent.decode(), errors.decode())


@pytest.mark.parametrize("answers", ["y\n\n", "n\ny\n", "n\nn\n"])
def test_on_a_terminal_each_suite_is_asked_about(tmp_path: Path, answers: str) -> None:
    table = "id\tlabel\n1\ta\n2\tb\n"
    write(tmp_path, {"a/gold.tsv": table, "a/pred.tsv": table, "b/gold.tsv": table, "b/pred.tsv": table})
    ended = on_terminal(tmp_path, answers)
    assert ended.out.count("Put it into the configuration? [Y/n]") == 2
    expected = {"y\n\n": ["a/gold.tsv", "b/gold.tsv"], "n\ny\n": ["b/gold.tsv"]}.get(answers)
    assert ended.code == (0 if expected else 2), ended.all
    config = tmp_path / "nlpeval.yaml"
    assert config.exists() == bool(expected)
    if expected:
        assert [suite["gold"] for suite in yaml.safe_load(config.read_text())["suites"]] == expected


def test_on_a_terminal_one_of_two_calls_is_chosen(tmp_path: Path) -> None:
    write(tmp_path, {"gold.txt": "3\n4\n5\n1\n", "pred.txt": "3\n4\n5\n1\n"})
    ended = on_terminal(tmp_path, "2\ny\n")
    assert ended.code == 0, ended.all
    (suite,) = yaml.safe_load((tmp_path / "nlpeval.yaml").read_text())["suites"]
    assert suite["options"] == {"kind": "score"}


def test_options_that_are_given_replace_those_that_are_found(folder: Path) -> None:
    write(folder, {"g.tsv": "id\ty\n1\t3\n", "s.tsv": "id\ty\n1\t3\n"})
    (decision,) = recognised("g.tsv", "s.tsv", folder, Given(options={"kind": "score"}))
    assert decision.chosen
    assert decision.chosen.options["kind"] == "score"
    assert decision.others == ()  # the two guesses are the same call now
