"""Question answering: how long a run takes to validate and score, against the official script of SQuAD 2.0.

    python benchmarks/qa_questions.py [QUESTIONS] [SCRIPT]

Makes a gold file as SQuAD 2.0's development set is (default 6,000 questions, ten to a paragraph of 120 words; half of them without answer,
the others with three to five answers of one to five words, which often are the same), predictions of which half are an answer, and a file
of no-answer numbers, in a temporary folder. Prints the medians of five rounds, each with all sides in turn: in one process, a suite of this
project (profile `squad2`; reading, validating, counting, all measures) without intervals, which the script has not, and with them, and
`main` of SCRIPT, evaluate-v2.0.py, without its image folder; then the same for whole processes, `nlpeval run` without evidence store and
SCRIPT. Without SCRIPT there are only this project's.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from timing import seconds

from pytest_nlpeval import evaluate, load_suites

ROUNDS = 5
CONFIG = """\
version: 1
defaults:
  statistics: {confidence: CONFIDENCE}
suites:
  - name: squad
    task: qa
    gold: gold.json
    system: system.json
    na_prob: na.json
    options: {profile: squad2}
"""
COMMAND = "import sys; from pytest_nlpeval.cli import main; sys.exit(main())"
WORDS = [
    f"{start}{middle}{end}"
    for start in ("Or", "the ", "Ma", "St. ")
    for middle in ("lin", "ro", "ve")
    for end in ("a", "dt", "-on", "'s")
]


def make(folder: Path, questions: int) -> None:
    """Write `gold.json`, `system.json` and `na.json`."""
    chance = random.Random(1)
    paragraphs = [_paragraph(chance, first, min(10, questions - first)) for first in range(0, questions, 10)]
    predictions = {qa["id"]: _prediction(chance, qa, part["context"]) for part in paragraphs for qa in part["qas"]}
    numbers = {name: round(chance.random(), 4) for name in predictions}
    gold = {"version": "v2.0", "data": [{"title": "Orlin", "paragraphs": paragraphs}]}
    for name, value in (("gold", gold), ("system", predictions), ("na", numbers)):
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")


def _paragraph(chance: random.Random, first: int, number: int) -> dict[str, Any]:
    words = chance.choices(WORDS, k=120)
    context = " ".join(words)
    qas = []
    for rank in range(first, first + number):
        starts = [0] if rank % 2 else []
        answers = []
        for _ in starts * chance.randint(3, 5):
            low = chance.choice((20, 20, 21))
            text = " ".join(words[low : low + chance.randint(1, 5)])
            answers.append({"text": text, "answer_start": len(" ".join(words[:low])) + 1})
        qas.append(
            {
                "id": f"{rank:024x}",
                "question": f"Which of them is number {rank}?",
                "answers": answers,
                "is_impossible": not answers,
            }
        )
    return {"context": context, "qas": qas}


def _prediction(chance: random.Random, question: dict[str, Any], context: str) -> str:
    if chance.random() < 0.5:
        return str(question["answers"][0]["text"]) if question["answers"] else ""
    start = chance.randrange(len(context) - 40)
    return context[start : start + chance.randint(5, 40)]


def times_of_process(arguments: list[str]) -> float:
    """Return the seconds of the processor that a process takes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], capture_output=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def script_main(script: str, gold: str, system: str, numbers: str) -> Callable[[], object]:
    """Return `main` of the official script, with its options set to the files."""
    spec = importlib.util.spec_from_file_location("official", script)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{script} is no Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    options = {"na_prob_thresh": 1.0, "out_file": None, "out_image_dir": None, "verbose": False}
    module.__dict__["OPTS"] = Namespace(data_file=gold, pred_file=system, na_prob_file=numbers, **options)
    found: Callable[[], object] = module.__dict__["main"]
    return found


def silently(function: Callable[[], object]) -> None:
    """Call a function and swallow what it prints."""
    with contextlib.redirect_stdout(io.StringIO()):
        function()


def rounds(what: str, sides: dict[str, Callable[[], float]]) -> None:
    """Print the medians of all sides, measured in turn, and each as a share of the last."""
    found: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(ROUNDS):
        for side, measure in sides.items():
            found[side].append(measure())
    medians = {side: statistics.median(times) for side, times in found.items()}
    *_, last = medians.values()
    for side, median in medians.items():
        each = " ".join(f"{time:.3f}" for time in found[side])
        print(f"{what}, {side:<22} {median:6.3f} s  {median / last:5.2f}   ({each})")


def main() -> None:
    """Run the benchmark."""
    questions = int(sys.argv[1]) if len(sys.argv) > 1 else 6_000
    script = sys.argv[2] if len(sys.argv) > 2 else None
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, questions)
        inside: dict[str, Callable[[], float]] = {}
        whole: dict[str, Callable[[], float]] = {}
        for side, confidence in (("without intervals", "off"), ("with intervals", "0.95")):
            config = folder / f"{confidence}.nlpeval.yaml"
            config.write_text(CONFIG.replace("CONFIDENCE", confidence))
            (suite,) = load_suites(config)
            inside[side] = partial(seconds, partial(evaluate, suite))
            whole[side] = partial(times_of_process, ["-c", COMMAND, "run", str(config), "--no-cache"])
        if script:
            files = [str(folder / f"{file}.json") for file in ("gold", "system", "na")]
            inside["official script"] = partial(seconds, partial(silently, script_main(script, *files)))
            whole["official script"] = partial(times_of_process, [script, *files[:2], "--na-prob-file", files[2]])
        rounds("in one process", inside)
        rounds("whole processes", whole)


if __name__ == "__main__":
    main()
