"""The rows of RESULTS.md: what is made for each, which programs run on it, and which share of which other one the goal allows.

Workloads are fixed: whoever changes one says so in the changelog, and measures all sides anew.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import accumulate
from pathlib import Path
from typing import Literal, NamedTuple

import best_corpus
import cat_corpus
import failing_gates
import labels_million
import numpy as np
import qa_questions
import ranking_run
import spans_million


class Side(NamedTuple):
    """A program, the exit code that it ends with, and what is deleted before; or why it is absent."""

    name: str
    arguments: Sequence[str] = ()
    code: int = 0
    fresh: Sequence[str] = ()
    absent: str = ""


class Goal(NamedTuple):
    """How many times the seconds of some other sides a side may take at most.

    A goal that says how much faster a side is becomes one by that number: 1.66 times as fast is at most .602 times the seconds.
    """

    side: str
    beside: Sequence[str]
    most: float


class Row(NamedTuple):
    """A line of the table.

    Its seconds are those of processors, of the clock, or those that each program tells in its last line, such as of what it did twice.
    """

    name: str
    what: str
    make: Callable[[Path], object]
    sides: Callable[[Path], Sequence[Side]]
    goals: Sequence[Goal]
    seconds: Literal["of processors", "of the clock", "told"] = "of processors"


def nlpeval(name: str, *arguments: str, code: int = 0, fresh: Sequence[str] = ()) -> Side:
    """Return the command in one process, without an evidence store unless its arguments name one."""
    stored = () if any(argument.startswith("--cache-dir") for argument in arguments) else ("--no-cache",)
    stored = () if arguments[0] == "validate" else stored
    return Side(name, (sys.executable, "-m", "pytest_nlpeval", *arguments, *stored), code, fresh)


def python(name: str, program: str, *arguments: str, needs: Iterable[str] = ()) -> Side:
    """Return a Python program that needs some modules."""
    absent = [module for module in needs if find_spec(module) is None]
    return Side(name, (sys.executable, "-c", program, *arguments), absent=f"{', '.join(absent)} not installed" if absent else "")


def script(name: str, variable: str, file: str, *arguments: str) -> Side:
    """Return a script that an environment variable names, or the folder of which it names."""
    path = Path(os.environ.get(variable, ""), file) if file else Path(os.environ.get(variable, ""))
    if not path.is_file():
        return Side(name, absent=f"{variable} names no such script")
    return Side(name, ("perl" if path.suffix == ".pl" else sys.executable, str(path), *arguments))


PARSE = python(
    "lxml.parse", "import pathlib; from lxml import etree; [etree.parse(path) for path in pathlib.Path().glob('*/*.xml')]"
)
NUMPY = python("import numpy", "import numpy")
START = python("start-up", "import numpy, pytest_nlpeval.cli.commands")
SPLIT = python(
    "read and split", "import pathlib; [[line.split() for line in path.open()] for path in pathlib.Path().glob('*/*.conll')]"
)
LOADS = """
import json, pathlib, sys
[[json.loads(line) for line in path.open()] for path in pathlib.Path().glob(f"{sys.argv[1]}/*/*.jsonl")]
"""
ONE_PROCESS = "--jobs=1"


def configure(folder: Path, text: str) -> None:
    """Write a configuration of one suite."""
    (folder / "nlpeval.yaml").write_text(f"version: 1\nsuites:\n{text}")


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder as somebody."""
    who = ("-c", "user.name=A", "-c", "user.email=a@b.example")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path) -> None:
    """Commit all that is in a repository."""
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", "change")


def with_report(_folder: Path, code: int = 0) -> list[Side]:
    """Return the bare parse, a run, and a run with a JSON report, which end with this exit code."""
    run = nlpeval("run", "run", ONE_PROCESS, code=code)
    return [PARSE, run, nlpeval("run with JSON", "run", ONE_PROCESS, "--report=json:report.json", code=code)]


def make_many_cat(folder: Path) -> None:
    """Write 2,064 documents of 40 markables, no two alike, all of whose gates hold."""
    cat_corpus.make(folder, 2_064, (600, 40, 20), others=(5, 10))


def sides_of_processes(_folder: Path) -> list[Side]:
    """Return the command and pytest in one process and in two, without what hypothesis imports into each process as it ends."""
    pytest = [sys.executable, *failing_gates.COMMANDS["pytest"], "-p", "no:randomly", "-p", "no:hypothesispytest"]
    return [
        nlpeval("run", "run", ONE_PROCESS),
        nlpeval("run, --jobs 2", "run", "--jobs=2"),
        Side("pytest", pytest),
        Side("pytest, -n 2", [*pytest, "-n", "2"]),
    ]


def make_labels(folder: Path, items: int = 100_000) -> None:
    """Write labels with the probabilities of ten."""
    chance = np.random.default_rng(1)
    gold = chance.integers(0, 10, items)
    labels_million.write(folder / "gold.tsv", gold, np.arange(items), labels_million.LABELS)
    labels_million.write_probabilities(folder / "system.tsv", gold, chance)
    names = ", ".join(f"{label}: {label}" for label in labels_million.LABELS)
    configure(
        folder, f"  - {{name: s, task: labels, gold: gold.tsv, system: system.tsv, options: {{probability: {{{names}}}}}}}\n"
    )


SKLEARN = """
import numpy, pandas, warnings
from sklearn import metrics
warnings.simplefilter("ignore")
both = pandas.read_csv("gold.tsv", sep="\\t").merge(pandas.read_csv("system.tsv", sep="\\t"), on="id", suffixes=("_gold", ""))
gold, system, labels = both["label_gold"], both["label"], sorted(both["label_gold"].unique())
numbers = both[labels].to_numpy()
print(metrics.classification_report(gold, system), metrics.confusion_matrix(gold, system))
for of in (metrics.accuracy_score, metrics.balanced_accuracy_score, metrics.matthews_corrcoef, metrics.cohen_kappa_score):
    of(gold, system)
for average in (None, "micro", "macro", "weighted"):
    metrics.precision_recall_fscore_support(gold, system, average=average)
for place, label in enumerate(labels):
    for of in (metrics.roc_auc_score, metrics.average_precision_score, metrics.brier_score_loss):
        of(gold == label, numbers[:, place])
metrics.log_loss(gold, numbers, labels=labels)
"""


def sides_of_labels(_folder: Path) -> list[Side]:
    """Return the peer, and the command with intervals and without."""
    off = nlpeval("run without intervals", "run", ONE_PROCESS, "--confidence=off")
    return [python("pandas + scikit-learn", SKLEARN, needs=("pandas", "sklearn")), nlpeval("run", "run", ONE_PROCESS), off]


def make_questions(folder: Path) -> None:
    """Write questions and predictions."""
    qa_questions.make(folder, 6_000)
    (folder / "nlpeval.yaml").write_text(qa_questions.CONFIG.replace("CONFIDENCE", "0.95"))


def sides_of_questions(_folder: Path) -> list[Side]:
    """Return the official script, and the command with intervals and without."""
    official = script(
        "evaluate-v2.0.py", "NLPEVAL_SQUAD_SCRIPTS", "evaluate-v2.0.py", "gold.json", "system.json", "--na-prob-file", "na.json"
    )
    return [
        official,
        nlpeval("run", "run", ONE_PROCESS),
        nlpeval("run without intervals", "run", ONE_PROCESS, "--confidence=off"),
    ]


WITHIN = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from functools import partial
from pathlib import Path
from pytest_nlpeval import load_suites
from pytest_nlpeval.run.engine import Engine
from qa_questions import script_main, silently
from timing import seconds
if sys.argv[1:]:
    work = partial(silently, script_main(sys.argv[1], "gold.json", "system.json", "na.json"))
else:
    work = partial(Engine(only_gated=True).evaluate, *load_suites(Path("nlpeval.yaml")))
work()
print(seconds(work))
"""


def sides_within_a_process(_folder: Path) -> list[Side]:
    """Return the official functions, and what the command does, each done a second time in a process."""
    path = script("official functions", "NLPEVAL_SQUAD_SCRIPTS", "evaluate-v2.0.py")
    official = path if path.absent else python(path.name, WITHIN, path.arguments[1])
    return [official, python("counted and scored", WITHIN)]


SEQEVAL = """
import sys
from importlib import import_module
parts = [[part for part in open(f"{side}.conll").read().split("\\n\\n") if part.strip()] for side in ("gold", "system")]
sides = [[[line.split()[-1] for line in part.splitlines()] for part in side] for side in parts]
if sys.argv[1] == "seqeval":
    print(import_module("seqeval.metrics").classification_report(*sides, zero_division=0))
else:
    print(import_module("nervaluate").Evaluator(*sides, tags=["L00", "L01", "L02", "L03"], loader="list").evaluate()["overall"])
"""
CONLLEVAL = """
import subprocess, sys
rows = ((gold.split(), system.split()) for gold, system in zip(open("gold.conll"), open("system.conll")))
joined = "".join(f"{gold[0]} {gold[1]} {system[1]}\\n" if gold else "\\n" for gold, system in rows)
open("joined.conll", "w").write(joined)
"""


def make_tokens(folder: Path) -> None:
    """Write one document of 100,000 tokens, and gold and system side by side for conlleval."""
    spans_million.make(folder, 100_000, 4)
    subprocess.run([sys.executable, "-c", CONLLEVAL], cwd=folder, check=True)
    configure(folder, "  - {name: s, task: spans, gold: gold.conll, system: system.conll}\n")


def sides_of_tokens(folder: Path) -> list[Side]:
    """Return conlleval, seqeval, nervaluate, and the command with intervals and without."""
    official = script("conlleval", "NLPEVAL_CONLLEVAL", "")
    if not official.absent:
        official = official._replace(arguments=("sh", "-c", '"$@" < joined.conll', "sh", *official.arguments))
    peers = [python(name, SEQEVAL, name, needs=(name,)) for name in ("seqeval", "nervaluate")]
    return [official, *peers, *sides_of_labels(folder)[1:]]


def make_small(folder: Path, documents: int) -> None:
    """Write documents of 38 tokens."""
    chance = random.Random(1)
    for side in ("gold", "system"):
        (folder / side).mkdir()
    for rank in range(documents):
        tags = spans_million.tags_of(38, ["PER", "LOC", "ORG"], chance)
        said = [tag if chance.random() >= 0.03 else "O" for tag in tags]
        for side, its_tags in (("gold", tags), ("system", said)):
            (folder / side / f"d{rank}.conll").write_text("".join(f"word{place}\t{tag}\n" for place, tag in enumerate(its_tags)))
    configure(folder, "  - {name: s, task: spans, gold: 'gold/{doc}.conll', system: 'system/{doc}.conll'}\n")


def make_small_json(folder: Path, documents: int) -> None:
    """Write documents of two sentences of 19 tokens as JSON Lines: in `spans` as texts with offsets, in `tags` as tokens with tags."""
    chance = random.Random(1)
    for shape in ("spans", "tags"):
        for side in ("gold", "system"):
            (folder / shape / side).mkdir(parents=True)
        files = ", ".join(f"{side}: '{side}/{{doc}}.jsonl'" for side in ("gold", "system"))
        configure(folder / shape, f"  - {{name: s, task: spans, {files}, options: {{format: jsonl}}}}\n")
    tokens = [f"word{place}" for place in range(19)]
    for rank in range(documents):
        gold = [spans_million.tags_of(19, ["PER", "LOC", "ORG"], chance) for _ in range(2)]
        system = [[tag if chance.random() >= 0.03 else "O" for tag in tags] for tags in gold]
        for side, sentences in (("gold", gold), ("system", system)):
            tagged = [{"tokens": tokens, "ner_tags": tags} for tags in sentences]
            marked = [{"text": " ".join(tokens), "spans": spans_of(tokens, tags)} for tags in sentences]
            for shape, records in (("spans", marked), ("tags", tagged)):
                lines = "".join(f"{json.dumps(record)}\n" for record in records)
                (folder / shape / side / f"d{rank}.jsonl").write_text(lines)


def spans_of(tokens: Sequence[str], tags: Sequence[str]) -> list[dict[str, object]]:
    """Return the spans of tags as objects, as spaCy writes them."""
    spans: list[dict[str, object]] = []
    ends = list(accumulate(len(token) + 1 for token in tokens))
    for rank, tag in enumerate(tags):
        if tag[0] == "I" and rank and tags[rank - 1][2:] == tag[2:]:
            spans[-1]["end"] = ends[rank] - 1
        elif tag != "O":
            spans.append({"start": ends[rank] - 1 - len(tokens[rank]), "end": ends[rank] - 1, "label": tag[2:]})
    return spans


def make_cat_repository(folder: Path) -> None:
    """Commit 258 documents, then change 25 of the system's."""
    cat_corpus.make(folder, 258, (600, 40, 20), others=(5, 10))
    suite = cat_corpus.SUITE.replace("    gates:", "    baseline: git:HEAD\n    gates:")
    (folder / "nlpeval.yaml").write_text(suite)
    (folder / ".gitignore").write_text("store\nreport.*\n")
    git(folder, "init", "--quiet")
    commit(folder)
    for rank in range(25):
        path = folder / f"system/d{rank}.xml"
        path.write_text(path.read_text().replace('tense="PAST"', 'tense="FUTURE"', 5))


def sides_of_repository(_folder: Path) -> list[Side]:
    """Return the bare parse, and a run with three reports that finds nothing in a store, and one that finds all."""
    arguments = (
        "run",
        ONE_PROCESS,
        "--cache-dir=store",
        *(f"--report={name}:report.{name}" for name in ("html", "json", "markdown")),
    )
    return [PARSE, nlpeval("cold", *arguments, fresh=("store",)), nlpeval("warm", *arguments)]


def make_one(folder: Path, items: int = 200, name: str = "gold.tsv") -> None:
    """Write a suite of one document of labels."""
    codes = np.random.default_rng(1).integers(0, 4, items)
    for path in (name, "system.tsv"):
        labels_million.write(folder / path, codes, np.arange(items), ["a", "b", "c", "d"])
    configure(folder, f"  - {{name: s, task: labels, gold: {name}, system: system.tsv, gates: {{accuracy: 0.5}}}}\n")


def make_history(folder: Path) -> None:
    """Commit twenty outputs of a system of 5,000 items."""
    make_one(folder, 5_000)
    (folder / ".gitignore").write_text("store\n")
    git(folder, "init", "--quiet")
    lines = (folder / "system.tsv").read_text().splitlines(keepends=True)
    for rank in range(20):
        changed = [line.replace("\ta", "\tb") if place < 50 * rank else line for place, line in enumerate(lines)]
        (folder / "system.tsv").write_text("".join(changed))
        (folder / "made-by").write_text(f"model {rank}\n")
        commit(folder)


def sides_of_history(_folder: Path) -> list[Side]:
    """Return a history that finds nothing in a store, and one that finds all."""
    arguments = ("history", "--cache-dir=store")
    return [nlpeval("first", *arguments, fresh=("store",)), nlpeval("second", *arguments)]


def sides_of_gates(_folder: Path) -> list[Side]:
    """Return the command and pytest, with gates that pass and that fail."""
    ways: Mapping[str, Sequence[str]] = failing_gates.COMMANDS
    inside = 'cd "$0" && exec "$@"'
    return [
        Side(f"{way}, {name}", ("sh", "-c", inside, name, sys.executable, *arguments), code)
        for way, arguments in ways.items()
        for name, code in (("passing", 0), ("failing", 1))
    ]


def sides_of_validate(_folder: Path) -> list[Side]:
    """Return a run without intervals, and validation."""
    return [
        nlpeval("run without intervals", "run", ONE_PROCESS, "--confidence=off"),
        nlpeval("validate", "validate", ONE_PROCESS),
    ]


def make_similarities(folder: Path) -> None:
    """Commit scores of 2,000 items, then change a tenth."""
    chance = np.random.default_rng(1)
    gold = chance.random(2_000)
    system = np.clip(gold + chance.normal(0, 0.2, 2_000), 0, 1)

    def write(name: str, numbers: Iterable[float]) -> None:
        rows = (f"item-{rank}\t{number:.3f}\n" for rank, number in enumerate(numbers))
        (folder / name).write_text("id\tscore\n" + "".join(rows))

    write("gold.tsv", gold)
    write("system.tsv", system)
    configure(
        folder,
        "  - {name: s, task: labels, gold: gold.tsv, system: system.tsv, options: {kind: score}, gates: {spearman: {max_drop: 0.9}}}\n",
    )
    git(folder, "init", "--quiet")
    commit(folder)
    write("system.tsv", np.where(chance.random(2_000) < 0.1, chance.random(2_000), system))
    other = (folder / "nlpeval.yaml").read_text().replace("max_drop: 0.9", "min: 0.1")
    (folder / "plain.nlpeval.yaml").write_text(other)


def sides_of_similarities(_folder: Path) -> list[Side]:
    """Return a run without a baseline, and one with."""
    return [nlpeval("run", "run", "plain.nlpeval.yaml"), nlpeval("with a baseline", "run", "nlpeval.yaml", "--baseline=git:HEAD")]


TEXTS = """
import sys
gold, system = (open(f"{side}.txt").read().splitlines() for side in ("gold", "system"))
if sys.argv[1] == "jiwer":
    import jiwer; jiwer.process_words(gold, system); jiwer.process_characters(gold, system)
else:
    import sacrebleu; print(sacrebleu.corpus_bleu(system, [gold]), sacrebleu.corpus_chrf(system, [gold]))
"""


def make_texts(folder: Path, measures: str) -> None:
    """Write 10,000 segments of 20 words."""
    chance = random.Random(1)
    words = [f"w{chance.randrange(10**rank):x}" for rank in range(1, 6) for _ in range(1_000)]
    gold = [chance.choices(words, k=20) for _ in range(10_000)]
    system = [[word if chance.random() >= 0.1 else chance.choice(words) for word in segment] for segment in gold]
    for name, texts in (("gold", gold), ("system", system)):
        (folder / f"{name}.txt").write_text("".join(" ".join(text) + "\n" for text in texts))
    configure(
        folder,
        f"  - {{name: s, task: text, gold: gold.txt, system: system.txt, options: {{measures: [{measures}], profile: published}}}}\n",
    )


def sides_of_texts(_folder: Path, peer: str) -> list[Side]:
    """Return a peer, and the command without intervals, which the peer has not."""
    return [python(peer, TEXTS, peer, needs=(peer,)), nlpeval("run without intervals", "run", ONE_PROCESS, "--confidence=off")]


def make_rankings(folder: Path) -> None:
    """Write 1,000 topics with 1,000 results each."""
    ranking_run.make(folder, 1_000, 1_000)
    configure(folder, "  - {name: s, task: ranking, gold: gold.qrels, system: run.trec}\n")


def sides_of_rankings(_folder: Path) -> list[Side]:
    """Return pytrec_eval, and the command."""
    return [
        python("pytrec_eval", ranking_run.PYTREC_EVAL, "gold.qrels", "run.trec", needs=("pytrec_eval",)),
        nlpeval("run", "run", ONE_PROCESS),
    ]


def small_documents(number: int) -> Row:
    """Return the row of so many documents of 38 tokens."""
    return Row(
        f"documents-{number}",
        f"{number:,} documents of 38 tokens",
        partial(make_small, documents=number),
        lambda _: [SPLIT, START, nlpeval("run", "run", ONE_PROCESS)],
        [Goal("run", ["read and split", "start-up"], 8)],
    )


def small_json_documents(number: int) -> Row:
    """Return the row of so many documents of 38 tokens in JSON Lines, as texts with offsets and as tokens with tags."""
    shapes = ("spans", "tags")
    floors = [python(f"json.loads, {shape}", LOADS, shape) for shape in shapes]
    runs = [nlpeval(f"run, {shape}", "run", shape, ONE_PROCESS) for shape in shapes]
    return Row(
        f"json-documents-{number}",
        f"{number:,} documents of 38 tokens in JSON Lines",
        partial(make_small_json, documents=number),
        lambda _: [*floors, START, *runs],
        [Goal(f"run, {shape}", [f"json.loads, {shape}", "start-up"], 8) for shape in shapes],
    )


_REPORTED = Goal("run with JSON", ["run"], 1.5)

ROWS: Sequence[Row] = (
    Row(
        "start",
        "One document of labels",
        make_one,
        lambda _: [NUMPY, nlpeval("run", "run")],
        [Goal("run", ["import numpy"], 2.1)],
    ),
    Row(
        "gates",
        "80 gates on labels of 2,000 items",
        lambda folder: failing_gates.make(folder, 80),
        sides_of_gates,
        [Goal(f"{way}, failing", [f"{way}, passing"], 1.3) for way in ("command", "pytest")],
    ),
    Row(
        "validate",
        "100,000 tokens in one document, checked",
        make_tokens,
        sides_of_validate,
        [Goal("validate", ["run without intervals"], 1.0)],
    ),
    Row("history", "20 commits of 5,000 labels", make_history, sides_of_history, [Goal("second", ["first"], 0.25)]),
    Row("qa", "6,000 questions", make_questions, sides_of_questions, [Goal("run", ["evaluate-v2.0.py"], 1.0)]),
    Row(
        "qa-within",
        "6,000 questions, without the start of programs",
        make_questions,
        sides_within_a_process,
        [Goal("counted and scored", ["official functions"], 0.5)],
        seconds="told",
    ),
    Row("spans", "100,000 tokens in one document", make_tokens, sides_of_tokens, [Goal("run", ["conlleval"], 0.5)]),
    small_documents(1_000),
    small_json_documents(1_000),
    Row(
        "labels",
        "100,000 labels with ten probabilities",
        make_labels,
        sides_of_labels,
        [Goal("run", ["pandas + scikit-learn"], 0.5)],
    ),
    Row(
        "spearman",
        "Spearman's correlation of 2,000 items",
        make_similarities,
        sides_of_similarities,
        [Goal("with a baseline", ["run"], 3)],
    ),
    Row(
        "repository",
        "258 CAT documents, 25 changed since the baseline in git; HTML, JSON and Markdown",
        make_cat_repository,
        sides_of_repository,
        [Goal("cold", ["lxml.parse"], 5.1), Goal("warm", ["lxml.parse"], 2.8)],
    ),
    Row("ranking", "1,000 topics with 1,000 results", make_rankings, sides_of_rankings, [Goal("run", ["pytrec_eval"], 1)]),
    Row(
        "wer", "10,000 segments: WER and CER", partial(make_texts, measures="wer, cer"), partial(sides_of_texts, peer="jiwer"), []
    ),
    Row(
        "bleu",
        "10,000 segments: BLEU and chrF",
        partial(make_texts, measures="bleu, chrf"),
        partial(sides_of_texts, peer="sacrebleu"),
        [],
    ),
    Row(
        "cat",
        "60 CAT documents of 3,000 markables",
        lambda folder: cat_corpus.make(folder, 60, (10_000, 3_000, 300)),
        partial(with_report, code=1),  # two of its gates are of annotations that neither side has
        [_REPORTED],
    ),
    Row(
        "best",
        "120 BeSt documents of 400 annotations",
        lambda folder: best_corpus.make(folder, 120, 400),
        with_report,
        [Goal("run", ["lxml.parse"], 2.9), _REPORTED],
    ),
    small_documents(10_000),
    small_json_documents(10_000),
    Row(
        "processes",
        "2,064 CAT documents of 40 markables, on the clock",
        make_many_cat,
        sides_of_processes,
        [Goal("run, --jobs 2", ["run"], 0.602), Goal("pytest, -n 2", ["pytest"], 0.671)],
        seconds="of the clock",
    ),
)
