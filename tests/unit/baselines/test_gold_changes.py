"""An old output is read with the gold that it answers, and scored with today's answers where both golds ask the same."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pytest_nlpeval.run.results import SuiteResult
from tests.support import FOUR, RIGHT, Pair, config_text, write
from tests.unit.baselines.repositories import commit, start
from tests.unit.baselines.test_like_with_like import SOURCES, WRONG, accept, drop_of, today

EXAMPLES = Path(__file__).parents[3] / "examples"

CHANGED, VANISHED = "baseline.gold-changed", "baseline.vanished"


def codes(result: SuiteResult) -> dict[str, str]:
    return {problem.code: problem.severity for problem in result.problems}


def asked(pairs: list[Pair], texts: Mapping[str, str] = {}) -> str:
    """A gold file of pairs, each with a text of its own."""
    lines = (
        f'<pair id="{name}" task="{task}" value="{value}"><t>{texts.get(name, f"Text {name}.")}</t><h>A claim.</h></pair>'
        for name, task, value in pairs
    )
    return "\n".join(["<entailment-corpus>", *lines, "</entailment-corpus>"]) + "\n"


FIFTH: Pair = ("5", "IR", "TRUE")


@pytest.fixture
def rte(tmp_path: Path) -> Path:
    """A repository with a suite of one file, whose gold has four pairs and whose run is right in all."""
    config = config_text("accuracy: {max_drop: 0}", gold="gold.xml", system="run.txt", baseline="git:HEAD")
    folder = write(start(tmp_path), {"nlpeval.yaml": config, "gold.xml": asked([*FOUR]), "run.txt": RIGHT})
    commit(folder)
    return folder


def test_a_pair_that_gold_gained_never_counts_against_the_old_output(rte: Path) -> None:
    write(rte, {"gold.xml": asked([*FOUR, FIFTH]), "run.txt": RIGHT + "5 FALSE 0.9\n"})
    result, comparison = today(rte, explain=True)
    assert (drop_of(comparison), result.scores["accuracy"].value) == (0, 4 / 5)
    assert comparison.units == {"paired": 4, "added": 1, "removed": 0, "differing": 0}
    assert comparison.changes is not None
    assert set(comparison.changes.counts.values()) == {0}, "that the new pair is wrong is no change"
    assert codes(result) == {CHANGED: "warning"}
    assert result.outcome == "ok"


def test_a_pair_that_gold_lost_is_told(rte: Path) -> None:
    write(rte, {"gold.xml": asked([*FOUR[:3]]), "run.txt": "".join(RIGHT.splitlines(keepends=True)[:3])})
    result, comparison = today(rte)
    assert (drop_of(comparison), codes(result)) == (0, {CHANGED: "warning", VANISHED: "error"})
    assert "1 item that git:HEAD has results of" in result.problems[1].message + result.problems[0].message


def test_a_corrected_pair_is_scored_with_todays_answer(rte: Path) -> None:
    """The system did not change: the correction makes both runs wrong in pair 4."""
    write(rte, {"gold.xml": asked([*FOUR[:3], ("4", "QA", "TRUE")])})
    result, comparison = today(rte)
    assert (comparison.standings["accuracy"].baseline.value, drop_of(comparison)) == (3 / 4, 0)
    assert comparison.units == {"paired": 4, "added": 0, "removed": 0, "differing": 0}
    assert "1 have another answer" in result.problems[0].message
    assert "to accept it" not in result.problems[0].message, "a warning needs nobody's leave"


def test_a_real_drop_is_seen_through_a_change_of_gold(rte: Path) -> None:
    write(rte, {"gold.xml": asked([FIFTH, *FOUR]), "run.txt": "5 TRUE 0.9\n" + WRONG})
    result, comparison = today(rte)
    assert (drop_of(comparison), result.outcome) == (1, "failed")


def test_renumbered_pairs_are_not_compared(rte: Path) -> None:
    """Number 1 asks what 4 asked: nothing is known of which answer is to which question, unless a rule accepts what is left."""
    turned = {name: f"Text {5 - int(name)}." for name in "1234"}
    write(rte, {"gold.xml": asked([*FOUR], turned)})
    result, comparison = today(rte)
    assert codes(result) == {CHANGED: "error"}
    assert (drop_of(comparison), [verdict.verdict for verdict in result.verdicts]) == (None, ["unjudged"])
    assert "4 ask something else; to accept it: `rules: {baseline.gold-changed: warning}`" in result.verdicts[0].reason


def test_a_rule_accepts_that_most_of_gold_changed(rte: Path) -> None:
    texts = {name: f"Another {name}." for name in "123"}
    write(rte, {"gold.xml": asked([*FOUR], texts)})
    assert codes(today(rte)[0]) == {CHANGED: "error"}
    config = (rte / "nlpeval.yaml").read_text()
    write(rte, {"nlpeval.yaml": config.replace("    gates:", f"    rules: {{{CHANGED}: warning}}\n    gates:")})
    result, comparison = today(rte)
    assert (codes(result), drop_of(comparison)) == ({CHANGED: "warning"}, 0)
    assert comparison.units == {"paired": 1, "added": 3, "removed": 3, "differing": 0}


def test_of_twenty_documents_those_that_gained_an_item_are_compared(tmp_path: Path) -> None:
    config = config_text("accuracy: {max_drop: 0}", baseline="git:HEAD")
    names = [f"d{rank:02}" for rank in range(20)]
    golds = {f"gold/{name}.xml": asked([*FOUR]) for name in names}
    folder = write(start(tmp_path), {"nlpeval.yaml": config, **golds, **{f"system/{name}.txt": RIGHT for name in names}})
    commit(folder)
    for name in names[:4]:
        write(folder, {f"gold/{name}.xml": asked([*FOUR, FIFTH]), f"system/{name}.txt": RIGHT + "5 FALSE 0.9\n"})
    result, comparison = today(folder)
    assert comparison.units == {"paired": 20, "added": 0, "removed": 0, "differing": 0}
    assert (comparison.rows, drop_of(comparison)) == ((4, 0), 0)
    assert "4 units added" in " ".join(result.notes)


def test_errors_of_then_are_named_by_their_codes(rte: Path) -> None:
    write(rte, {"run.txt": "1 MAYBE\n"})
    commit(rte)
    write(rte, {"run.txt": RIGHT})
    result, comparison = today(rte)
    assert comparison.baseline.codes == {"gold": ("rte.judgment",)}
    assert result.verdicts[0].reason == "git:HEAD: no document of then can be scored: rte.judgment"


Changing = Callable[[str], str]


def labels(folder: Path, gold: str, system: str, **options: str) -> Path:
    """A suite of the task labels, with these options."""
    suffix = options.pop("suffix", "tsv")
    given = ", ".join(f"{key}: {value}" for key, value in options.items())
    config = config_text(
        "accuracy: {max_drop: 0}",
        task="labels",
        gold=f"gold.{suffix}",
        system=f"sys.{suffix}",
        baseline="git:HEAD",
        options=f"{{{given}}}",
    )
    return write(folder, {"nlpeval.yaml": config, f"gold.{suffix}": gold, f"sys.{suffix}": system})


ROWS = [("the first", "a", "a"), ("the second", "b", "b"), ("the third", "a", "b"), ("the fourth", "c", "c")]


def by_line(rows: list[tuple[str, str, str]]) -> tuple[str, str]:
    """Gold and system files of rows (text, gold, system), paired by line."""
    gold = "".join(f"{text}\t{label}\n" for text, label, _ in rows)
    return "text\tlabel\n" + gold, "label\n" + "".join(f"{label}\n" for *_, label in rows)


@pytest.mark.parametrize(
    "rows",
    [ROWS[::-1], [*ROWS[1:], ("a new one", "a", "b")], [("one more", "c", "a"), *ROWS], ROWS[:3]],
    ids=["turned round", "one out, one in", "one in", "one out"],
)
def test_lines_with_a_text_are_found_wherever_they_stand(tmp_path: Path, rows: list[tuple[str, str, str]]) -> None:
    options = {"pair": "line", "text": "[text]"}
    folder = labels(start(tmp_path), *by_line(ROWS), **options)
    commit(folder)
    labels(folder, *by_line(rows), **options)
    result, comparison = today(folder)
    both = len({*ROWS} & {*rows})
    assert comparison.units == {"paired": both, "added": len(rows) - both, "removed": 4 - both, "differing": 0}
    assert drop_of(comparison) == 0
    assert codes(result)[CHANGED] == "warning" if len({*ROWS} ^ {*rows}) else not codes(result)


def test_bare_lines_that_moved_cannot_be_compared(tmp_path: Path) -> None:
    folder = labels(start(tmp_path), "a\nb\nc\nd\n", "a\nb\nc\nd\n", suffix="txt")
    commit(folder)
    labels(folder, "b\na\nc\nd\n", "b\na\nc\nd\n", suffix="txt")
    result, _ = today(folder)
    assert (codes(result)[CHANGED], result.verdicts[0].verdict) == ("error", "unjudged")


def test_a_bare_line_that_changed_in_place_is_a_correction(tmp_path: Path) -> None:
    folder = labels(start(tmp_path), "a\nb\nc\nd\n", "a\nb\nc\nd\n", suffix="txt")
    commit(folder)
    labels(folder, "a\ne\nc\nd\n", "a\nb\nc\nd\n", suffix="txt")
    result, comparison = today(folder)
    assert (codes(result), drop_of(comparison)) == ({CHANGED: "warning"}, 0)
    assert comparison.standings["accuracy"].baseline.value == 3 / 4


def test_old_files_are_read_with_the_options_of_their_time(tmp_path: Path) -> None:
    """The answers' column has another name by now, in gold and in the system's file."""
    gold, system = by_line(ROWS)
    folder = labels(start(tmp_path), gold, system, pair="line", text="[text]")
    commit(folder)
    gold, system = (text.replace("label", "intent", 1) for text in (gold, system))
    labels(folder, gold, system, pair="line", text="[text]", label="intent")
    result, comparison = today(folder)
    assert (codes(result), drop_of(comparison)) == ({}, 0)
    assert comparison.units == {"paired": 4, "added": 0, "removed": 0, "differing": 0}


def questions(*texts: str) -> str:
    return "".join(f'{{"id": {rank}, "question": "{text}?", "answers": ["{text}"]}}\n' for rank, text in enumerate(texts))


def predictions(*texts: str) -> str:
    return "{" + ", ".join(f'"{rank}": "{text}"' for rank, text in enumerate(texts)) + "}"


@pytest.mark.parametrize(
    ("texts", "paired", "severity"),
    [("abcde", 4, "warning"), ("abcx", 3, "warning"), ("dcba", 0, "error")],
    ids=["gained", "one edited", "renumbered"],
)
def test_questions_are_compared_where_they_ask_the_same(tmp_path: Path, texts: str, paired: int, severity: str) -> None:
    config = config_text("exact: {max_drop: 0}", task="qa", gold="gold.jsonl", system="system.json", baseline="git:HEAD")
    folder = write(
        start(tmp_path), {"nlpeval.yaml": config, "gold.jsonl": questions(*"abcd"), "system.json": predictions(*"abcd")}
    )
    commit(folder)
    write(folder, {"gold.jsonl": questions(*texts), "system.json": predictions(*texts[:4], *("?" for _ in texts[4:]))})
    result, comparison = today(folder)
    assert codes(result)[CHANGED] == severity
    if paired:
        assert ((comparison.units or {})["paired"], drop_of(comparison, "exact")) == (paired, 0)
    else:
        assert result.verdicts[0].verdict == "unjudged"


def example(folder: Path, task: str, suite: str) -> Path:
    """A repository with an example, of which only one suite stays; committed."""
    shutil.copytree(EXAMPLES / task, folder, dirs_exist_ok=True)
    start(folder)
    config = (folder / "nlpeval.yaml").read_text()
    blocks = re.split(r"(?m)^(?=  - name)", config)
    (block,) = (block for block in blocks if block.startswith(f"  - name: {suite} "))
    several = re.search(r"system:.*\n +ours: (\S+)\n.*\n", block)
    assert several
    block = block.replace(several[0], f"system: {several[1]}\n")
    write(folder, {"nlpeval.yaml": f"version: 1\ndefaults: {{baseline: git:HEAD}}\nsuites:\n{block}"})
    commit(folder)
    return folder


def edit(path: Path, change: Changing) -> None:
    path.write_text(change(path.read_text()))


def rotated(text: str) -> str:
    """Ids of mentions, each of which means now what another one meant."""
    return re.sub(r'"m-(\d+)"', lambda match: f'"m-{(int(match[1]) + 7) % 50}"', text)


def shifted(text: str) -> str:
    """Ids of nodes, or starts and ends, that are greater by two."""
    return re.sub(r'\b(id|start|end)="(\d+)"', lambda match: f'{match[1]}="{int(match[2]) + 2}"', text)


def lengthened(text: str) -> str:
    """An input after two words more at the beginning."""
    return shifted(text).replace('<node id="3"/>', '<node id="1"/>So <node id="2"/>then <node id="3"/>', 1)


def test_a_document_with_inserted_words_is_left_out(tmp_path: Path) -> None:
    folder = example(tmp_path, "are", "pronouns")
    edit(folder / "words/tug-input.xml", lengthened)
    for name in ("words/tug-key.xml", "system/3/ours/tug.xml"):
        edit(folder / name, shifted)
    result, comparison = today(folder)
    assert (codes(result), comparison.baseline.evidence) == ({CHANGED: "error"}, None)


def test_rotated_ids_of_mentions_are_another_question(tmp_path: Path) -> None:
    folder = example(tmp_path, "best", "gold-ere")
    for name in ("ere/forum-pool.rich_ere.xml", "gold/forum-pool.best.xml", "system/ours/forum-pool.best.xml"):
        edit(folder / name, rotated)
    result, comparison = today(folder)
    assert codes(result) == {CHANGED: "warning"}
    assert comparison.units == {"paired": 2, "added": 1, "removed": 1, "differing": 0}
    assert drop_of(comparison, "all.full.micro.f1") == 0


def test_documents_of_other_tokens_are_left_out_and_corrected_ones_scored(tmp_path: Path) -> None:
    folder = example(tmp_path, "cat", "standard")
    for name in ("gold", "system/ours"):
        edit(folder / name / "mill.xml", lambda text: text.replace(">Paper<", ">Wood<"))
    edit(folder / "gold/harbour.xml", lambda text: re.sub(r"<CLINK.*?</CLINK>", "", text, count=1, flags=re.DOTALL))
    result, comparison = today(folder)
    assert codes(result) == {CHANGED: "warning"}
    assert comparison.units == {"paired": 2, "added": 1, "removed": 1, "differing": 0}
    assert set(filter(None, (standing.drop for standing in comparison.standings.values()))) == set()


def test_sentences_of_a_repeated_entity_pair_are_told_apart_by_their_text(tmp_path: Path) -> None:
    header = "Entity1\tRelation\tEntity2\tTrigger\tAnnotated Sentence\n"
    sentences = {
        "buys": "A\tbuys\tB\tbuys\t[[[ORG A]]] {{{ buys }}} [[[ORG B]]] .\n",
        "sells": "A\tsells\tB\tsells\t[[[ORG A]]] {{{ sells }}} [[[ORG B]]] .\n",
        "meets": "A\t---\tB\t---\t[[[ORG A]]] then [[[ORG B]]] .\n",
    }

    def files(*order: str) -> dict[str, str]:
        answers = {"buys": "A\tbuys\tB\n", "sells": "A\towns\tB\n", "meets": "A\t---\tB\n"}
        system = "Entity1\tRelation\tEntity2\n" + "".join(map(answers.__getitem__, order))
        return {"gold.tsv": header + "".join(map(sentences.__getitem__, order)), "system.tsv": system}

    config = config_text("f1: {max_drop: 0}", task="exemplar", gold="gold.tsv", system="system.tsv", baseline="git:HEAD")
    folder = write(start(tmp_path), {"nlpeval.yaml": config, **files("buys", "sells", "meets")})
    commit(folder)
    write(folder, files("meets", "buys", "sells"))
    result, comparison = today(folder)
    assert comparison.units == {"paired": 3, "added": 0, "removed": 0, "differing": 0}
    assert (drop_of(comparison, "f1"), codes(result)) == (0, {})


SENTENCES = ("Ann B-PER\nsings O\n", "Rome B-LOC\nsleeps O\n", "Bo B-PER\nruns O\nhome O\n")
SAID = ("Ann B-PER\nsings O\n", "Rome B-PER\nsleeps O\n", "Bo B-PER\nruns O\nhome B-LOC\n")
NEW = "Kim B-PER\nwaits O\n"


def conll(sentences: tuple[str, ...]) -> str:
    return "\n".join(sentences)


def records(sentences: tuple[str, ...]) -> str:
    """Sentences as JSON Lines without ids."""
    lines = []
    for sentence in sentences:
        words, tags = zip(*(line.split() for line in sentence.splitlines()), strict=True)
        starts = [len(" ".join([*words[:rank], ""])) for rank in range(len(words))]
        spans = [
            f'{{"start": {start}, "end": {start + len(word)}, "label": "{tag[2:]}"}}'
            for word, tag, start in zip(words, tags, starts, strict=True)
            if tag != "O"
        ]
        lines.append(f'{{"text": "{" ".join(words)}", "spans": [{", ".join(spans)}]}}\n')
    return "".join(lines)


@pytest.mark.parametrize(("form", "write_spans"), [("conll", conll), ("jsonl", records)])
def test_spans_are_compared_in_units_of_the_same_text(
    tmp_path: Path, form: str, write_spans: Callable[[tuple[str, ...]], str]
) -> None:
    """A sentence is new in front, one has another word, and the system says what it said."""
    config = config_text(
        "micro.f1: {max_drop: 0}",
        task="spans",
        gold="gold.x",
        system="system.x",
        options=f"{{format: {form}}}",
        baseline="git:HEAD",
    )
    folder = write(start(tmp_path), {"nlpeval.yaml": config, "gold.x": write_spans(SENTENCES), "system.x": write_spans(SAID)})
    commit(folder)
    edited = (NEW, SENTENCES[0].replace("sings", "hums"), *SENTENCES[1:])
    said = (NEW.replace("PER", "LOC"), SAID[0].replace("sings", "hums"), *SAID[1:])
    write(folder, {"gold.x": write_spans(edited), "system.x": write_spans(said)})
    result, comparison = today(folder)
    assert comparison.units == {"paired": 2, "added": 2, "removed": 1, "differing": 0}
    assert comparison.standings["micro.f1"].baseline.value == pytest.approx(2 * 1 / (2 + 3)), "of 2 spans and 3 said one is right"
    assert {standing.drop for standing in comparison.standings.values()} <= {0, None}
    assert codes(result) == {CHANGED: "warning"}


@pytest.mark.parametrize("has_text", [True, False])
def test_a_corrected_span_of_brat_needs_the_text(tmp_path: Path, has_text: bool) -> None:
    roles = {"text": "a.txt"} if has_text else {}
    config = config_text(
        "micro.f1: {max_drop: 0}",
        task="spans",
        gold="g.ann",
        system="s.ann",
        options="{format: brat}",
        baseline="git:HEAD",
        **roles,
    )
    ann = "T1\tPER 0 3\tAnn\n"
    folder = write(start(tmp_path), {"nlpeval.yaml": config, "a.txt": "Ann met Bo\n", "g.ann": ann, "s.ann": ann})
    commit(folder)
    write(folder, {"g.ann": ann + "T2\tPER 8 10\tBo\n"})
    result, comparison = today(folder)
    assert (codes(result)[CHANGED], drop_of(comparison, "micro.f1")) == (("warning", 0) if has_text else ("error", None))
    write(folder, {"a.txt": "Ann hit Bo\n"})
    assert codes(today(folder)[0])[CHANGED] == "error"


@pytest.mark.parametrize("source", SOURCES)
def test_the_reason_names_the_first_lines_that_are_the_same(tmp_path: Path, source: str) -> None:
    """Which of two equal lines is which nobody knows once lines move; of a baseline file only digests are known."""

    def transcripts(*lines: str) -> None:
        text = "".join(f"{line}\n" for line in lines)
        config = config_text("wer: {max_drop: 0}", task="text", gold="g.txt", system="s.txt", baseline=source)
        write(folder, {"nlpeval.yaml": config, "g.txt": text, "s.txt": text})

    folder = start(tmp_path)
    transcripts("a mill", "it rains", "a mill")
    accept(folder, source)
    transcripts("new", "it rains", "a mill", "a mill")
    result, _ = today(folder)
    assert result.verdicts[0].verdict == "unjudged"
    content = ': "a mill"' if source == "git:HEAD" else ""
    assert f"which item is which cannot be told, as 3 and 4 are the same{content};" in result.verdicts[0].reason


def test_nothing_is_said_of_lines_that_are_the_same_where_most_are_compared(tmp_path: Path) -> None:
    options = {"pair": "line", "text": "[text]"}
    rows = [*ROWS, ROWS[0]]
    folder = labels(start(tmp_path), *by_line(rows), **options)
    commit(folder)
    labels(folder, *by_line([*ROWS[1:], ROWS[0], ROWS[0], ("one more", "c", "a")]), **options)
    result, _ = today(folder)
    assert codes(result)[CHANGED] == "warning"
    assert "cannot be told" not in result.problems[0].message
