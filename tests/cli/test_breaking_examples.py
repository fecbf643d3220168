"""What the pages of examples say under "Break it": a passing suite fails, for the reason that is said there, and passes again."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.support import command, write

Capture = pytest.CaptureFixture[str]
Edit = Callable[[str], str]
EXAMPLES = Path(__file__).parents[2] / "examples"


class Step(NamedTuple):
    """An edit of a file of an example; the exit code of the run then, and what it tells, with one blank for all blanks and line ends."""

    example: str
    file: str
    edit: Edit
    code: int
    told: tuple[str, ...]


def deleted(line: int) -> Edit:
    """Delete a line, counted from 1."""

    def edit(text: str) -> str:
        lines = text.splitlines(keepends=True)
        return "".join(lines[: line - 1] + lines[line:])

    return edit


def replaced(old: str, new: str, *lines: int) -> Edit:
    """Write `new` for the first `old` of each of some lines, counted from 1; without any, of the text."""

    def edit(text: str) -> str:
        if not lines:
            return changed(text)
        parts = text.splitlines(keepends=True)
        return "".join(changed(part) if number in lines else part for number, part in enumerate(parts, 1))

    def changed(text: str) -> str:
        assert old in text, (old, text)
        return text.replace(old, new, 1)

    return edit


def said_of(line: int, text: str) -> Edit:
    """Replace the last field of a row."""
    return lambda whole: "".join(
        part.rpartition("\t")[0] + f"\t{text}\n" if number == line else part
        for number, part in enumerate(whole.splitlines(keepends=True), 1)
    )


def without_lines(start: str) -> Edit:
    return lambda text: "".join(line for line in text.splitlines(keepends=True) if not line.startswith(start))


def as_distances(text: str) -> str:
    """The lines of a run with scores of which less is better."""
    rows = [line.split() for line in text.splitlines()]
    return "".join(" ".join([*row[:4], f"{100 - float(row[4]):.4f}", row[5]]) + "\n" for row in rows)


STEPS = [
    Step("text", "system/commands-ours.tsv", deleted(4), 1, ("text.missing-id", "ana-03")),
    Step(
        "text",
        "system/commands-ours.tsv",
        said_of(2, "pleas open a mill"),
        1,
        (
            "✗ commands/ours (text): 1 of 5 gates failed",
            "1 unit is wrong and must pass (right is 0): ana-01; ana-01 has 0.777778",
        ),
    ),
    Step("text", "system/commands-previous.trn", replaced("(ana-02)", "", 2), 1, ("commands-previous.trn:2", "text.trn")),
    Step(
        "text",
        "nlpeval.yaml",
        replaced("chrf: 0.50", "chrf: 0.70"),
        1,
        ("✗ notices/word-by-word (text): 1 of 2 gates failed", "chrf is 0.605: ≥ 0.7, short by 0.095."),
    ),
    Step(
        "ranking",
        "system/bm25.trec",
        without_lines("q02 "),
        1,
        (
            "ranking.missing-topic",
            "✗ search/bm25 (ranking): 3 of 3 gates failed",
            "✗ nDCG@10 0.791 ",
            "✗ R@10 0.917 ",
            "✗ coverage 0.857 ",
        ),
    ),
    Step("ranking", "system/bm25.trec", as_distances, 1, ("ranking.rank-order",)),
    Step(
        "ranking",
        "system/retriever.jsonl",
        lambda text: re.sub(r'(?m)^(.*"q06".*"ranking": )\[.*?\]', r'\1["d01"]', text),
        1,
        ("✗ passages/retriever (ranking): 1 of 3 gates failed", "must pass (right is 1): q06; q06 has 0.", "✗ Success@5 0.917 "),
    ),
    Step("scores", "system/ours.jsonl", deleted(1), 0, ("scores.imputed: 1 of 18 items lack right",)),
    Step(
        "scores", "nlpeval.yaml", replaced("right: {pass: true, missing: 0,", "right: {pass: true,"), 1, ("scores.missing", "q17")
    ),
    Step(
        "scores",
        "nlpeval.yaml",
        replaced("right.pass_rate: 0.60", "right.pass_rate: 0.70"),
        1,
        ("✗ answers/small (scores): 1 of 8 gates failed", "right.pass_rate is 0.667: ≥ 0.7, short by 0.033."),
    ),
    Step("scores", "system/ours.jsonl", replaced("true", '"yes"', 4), 1, ("ours.jsonl:4", "scores.number")),
    Step(
        "ud",
        "system/ours/news.conllu",
        replaced("\t1\t", "\t2\t", 4),
        1,
        ("ours/news.conllu:3: ud.cycle: words do not reach HEAD 0, but go round in a circle: 2",),
    ),
    Step(
        "ud",
        "system/ours/news.conllu",
        replaced("Senn", "Sen", 9),
        1,
        ("ours/news.conllu:10: ud.text:", 'and on line 9 of gold "n.'),
    ),
    Step(
        "ud",
        "system/ours/news.conllu",
        replaced("PROPN", "NOUN", 3, 4),
        0,
        ("✓ parser/ours (ud): all 3 gates passed", "✓ las.f1 0.918 "),
    ),
    Step(
        "ud",
        "system/tagger/notes.conllu",
        replaced("VERB", "NOUN", 14),
        1,
        ("✗ tagger (ud): 1 of 3 gates failed", "upos.f1 is 0.882: ≥ 0.9, short by 0.018."),
    ),
    Step("coref", "system/ours.conll", deleted(3), 1, ("coref.tokens",)),
    Step(
        "coref",
        "system/ours.conll",
        lambda text: re.sub(r"(?m)^(.*\bShe\b.*)\(1\)$", r"\1-", text, count=1),
        0,
        ("✓ stories/ours (coref): all 2 gates passed", "! mentions.recall 0.870 "),
    ),
    Step(
        "coref",
        "system/zeros.conllu",
        lambda text: re.sub(r"(?m)^(1\.1\t.*)\(a-person-1-\)", r"\1(c-thing-1-)", text, count=1),
        1,
        ("✗ zeros (coref): 1 of 2 gates failed", "conll.f1 is 0.709: ≥ 0.75, short by 0.041."),
    ),
]


@pytest.mark.parametrize("step", [pytest.param(step, id=f"{step.example} {step.told[0]}") for step in STEPS])
def test_a_broken_example_fails_as_its_page_says_and_passes_again(
    step: Step, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture
) -> None:
    shutil.copytree(EXAMPLES / step.example, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    before = (tmp_path / step.file).read_bytes()
    broken = step.edit(before.decode())
    assert broken.encode() != before
    write(tmp_path, {step.file: broken})
    ended = command(capfd, "run", "--no-cache")
    assert ended.code == step.code, ended.all
    said = " ".join(ended.all.split())
    for text in step.told:
        assert text in said, ended.all
    write(tmp_path, {step.file: before})
    again = command(capfd, "run", "--no-cache")
    assert again.code == 0, again.all


@pytest.mark.parametrize("example", sorted({step.example for step in STEPS}))
def test_every_step_of_a_page_is_tried(example: str) -> None:
    page = (EXAMPLES / example / "README.md").read_text(encoding="utf-8").partition("## Break it")[2]
    assert len(re.findall(r"(?m)^\d+\. ", page)) == sum(step.example == example for step in STEPS)
