"""Repositories in which gates fail: texts of our own making, a baseline of good outputs, and outputs that became worse since."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import NamedTuple

from pytest_nlpeval import evaluate, load_suites
from pytest_nlpeval.baselines.checkout import checkout_of
from pytest_nlpeval.cli.since import with_steps
from pytest_nlpeval.cli.workers import engine_of
from pytest_nlpeval.reports.model import Report
from pytest_nlpeval.reports.run.document import report_of
from tests.support import write
from tests.test_contract import ROOT
from tests.unit.baselines.repositories import commit, start

THINGS = ("ferry", "tram", "lighthouse", "bridge", "mill", "library", "regatta", "harbour")
VERBS = ("bought", "closed", "opened", "renamed", "repaired", "sold", "praised")
NAMES = {
    "LOC": ("Senn", "Ostby", "Tarn", "Lunde", "Halden", "Port Ansel"),
    "ORG": ("Brill Group", "Quillbank", "Harrow Rail", "Corvid Labs"),
    "PER": ("Mira Olsen", "Joram Pike", "Tilda Rook", "Marlow"),
    "MISC": ("Winter Fair", "Orsa Cup"),
}
SETTINGS = ("IE", "IR", "MT", "QA")
DOMAINS = ("books", "films", "phones")
LABELS = ("negative", "neutral", "positive")
KINDS = ("who", "when", "where")

Files = Mapping[str, str]


class Outputs(NamedTuple):
    """The entry of a suite in the configuration, its gold files, and what its system's files have when it is good and when it is bad."""

    entry: str
    gold: Files
    good: Files
    bad: Files


def sentence(chance: Random) -> list[tuple[str, str]]:
    """Return a sentence as pairs of a name or word, and the name's label or ""."""
    label, second = chance.choice(tuple(NAMES)), chance.choice(tuple(NAMES))
    return [
        ("The", ""),
        (chance.choice(THINGS), ""),
        ("of", ""),
        (chance.choice(NAMES[label]), label),
        (",", ""),
        ("which", ""),
        (chance.choice(NAMES[second]), second),
        (chance.choice(VERBS), ""),
        (f"in {chance.randrange(1900, 2020)}", ""),
        (",", ""),
        (f"was {chance.choice(VERBS)}", ""),
        (f"after {chance.randrange(2, 40)} days", ""),
        (".", ""),
    ]


def plain(parts: list[tuple[str, str]]) -> str:
    """Return the text of a sentence."""
    return " ".join(words for words, _ in parts).replace(" ,", ",").replace(" .", ".")


def rte(chance: Random, worse: float) -> Outputs:
    """Pairs of text and hypothesis; what grew is TRUE judged FALSE, mostly of question answering."""
    pairs: list[str] = []
    runs: dict[str, list[str]] = {"good": [], "bad": []}
    for place in range(1, 121):
        parts, value, setting = sentence(chance), chance.choice(("TRUE", "FALSE")), SETTINGS[place % len(SETTINGS)]
        hypothesis = f"The {parts[1][0]} of {parts[3][0]} was {chance.choice(VERBS)}."
        body = f"<t>{plain(parts)} {plain(sentence(chance))}</t><h>{hypothesis}</h>"
        pairs.append(f'<pair id="{place}" value="{value}" task="{setting}">{body}</pair>')
        likely = {"good": 0.1, "bad": 0.1 + worse * (1.6 if value == "TRUE" and setting == "QA" else 1)}
        draw, sure = chance.random(), chance.uniform(0.3, 1)
        for run, share in likely.items():
            is_wrong = draw < share
            judged = {"TRUE": "FALSE", "FALSE": "TRUE"}[value] if is_wrong else value
            runs[run].append(f"{place} {judged} {sure * (0.6 if is_wrong else 1):.3f}")
    gold = '<?xml version="1.0" encoding="UTF-8"?>\n<entailment-corpus>\n' + "\n".join(pairs) + "\n</entailment-corpus>\n"
    entry = """
    task: rte
    gold: {name}/gold.xml
    system: {name}/run.txt
    options: {{edition: 1}}
    gates:
      accuracy: {{min: 0.8, max_drop: 0.01}}
      cws.expected: {{min: 0.5, max_drop: 0.02}}
      task.*.accuracy: 0.7
      TRUE.recall: {{max_drop: 0.05, informational: true}}
"""
    good, bad = ({"run.txt": "\n".join(lines) + "\n"} for lines in runs.values())
    return Outputs(entry, {"gold.xml": gold}, good, bad)


def labels(chance: Random, worse: float) -> Outputs:
    """Reviews with one of three labels, of several domains; what grew is among those of phones."""
    gold, runs = ["id\tlabel\tdomain\ttext"], {"good": ["id\tlabel"], "bad": ["id\tlabel"]}
    for place in range(150):
        label, domain = chance.choice(LABELS), DOMAINS[place % len(DOMAINS)]
        gold.append(f"r{place:03}\t{label}\t{domain}\t{plain(sentence(chance))}")
        draw, wrong = chance.random(), chance.choice([name for name in LABELS if name != label])
        for run, share in {"good": 0.12, "bad": 0.12 + worse * (2 if domain == "phones" else 0.7)}.items():
            runs[run].append(f"r{place:03}\t{wrong if draw < share else label}")
    entry = """
    task: labels
    gold: {name}/gold.tsv
    system: {name}/reviews.tsv
    options: {{labels: [negative, neutral, positive], group: domain, text: text}}
    gates:
      accuracy: {{min: 0.75, max_drop: 0.02}}
      macro.f1: 0.7
      group.*.accuracy: 0.6
"""
    good, bad = ({"reviews.tsv": "\n".join(lines) + "\n"} for lines in runs.values())
    return Outputs(entry, {"gold.tsv": "\n".join(gold) + "\n"}, good, bad)


def _columns(parts: list[tuple[str, str]]) -> str:
    lines = []
    for words, label in parts:
        for rank, word in enumerate(words.split()):
            lines.append(f"{word}\t{('I-' if rank else 'B-') + label if label else 'O'}")
    return "\n".join(lines) + "\n\n"


def _mistaken(parts: list[tuple[str, str]], chance: Random, share: float) -> list[tuple[str, str]]:
    """Return a sentence in which some names have another label, none, or lack their first word."""
    mistaken: list[tuple[str, str]] = []
    for words, label in parts:
        draw = chance.random()
        first, _, rest = words.partition(" ")
        if not label or draw >= share:
            mistaken.append((words, label))
        elif draw < 0.6 * share:
            mistaken.append((words, {"LOC": "ORG", "ORG": "PER", "PER": "LOC", "MISC": "PER"}[label]))
        elif draw < 0.75 * share and rest:
            mistaken += [(first, ""), (rest, label)]
        else:
            mistaken.append((words, ""))
    return mistaken


def spans(chance: Random, worse: float) -> Outputs:
    """Sentences with names in four documents; what grew are names of another label."""
    gold: dict[str, str] = {}
    good: dict[str, str] = {}
    bad: dict[str, str] = {}
    for document in range(4):
        sentences = [sentence(chance) for _ in range(24)]
        file, seed = f"n{document}.conll", chance.random()
        gold[f"gold/{file}"] = "".join(map(_columns, sentences))
        share = worse * (1.6 if document == 2 else 1)
        for run, wrong in ((good, 0.12), (bad, 0.12 + share)):
            same = Random(seed)  # what is wrong in the good output is wrong in the bad one
            run[f"system/{file}"] = "".join(_columns(_mistaken(parts, same, wrong)) for parts in sentences)
    entry = """
    task: spans
    gold: {name}/gold/{{doc}}.conll
    system: {name}/system/{{doc}}.conll
    gates:
      micro.f1: {{min: 0.75, max_drop: 0.01}}
      ORG.recall: {{min: 0.7, max_drop: 0.05}}
      PER.recall: 0.6
      LOC.f1: 0.5
"""
    return Outputs(entry, gold, good, bad)


def cat(_chance: Random, worse: float) -> Outputs:
    """The documents of the example of cat, and its two systems."""
    folder = ROOT / "examples/cat"

    def files(below: str) -> Files:
        to = below.partition("/")[0]
        return {f"{to}/{path.name}": path.read_text("utf-8") for path in sorted((folder / below).glob("*.xml"))}

    entry = """
    task: cat
    config: {name}/config.txt
    gold: {name}/gold/{{doc}}.xml
    system: {name}/system/{{doc}}.xml
    gates:
      EVENT_MENTION.strict.f1: {{min: 0.6, max_drop: 0.02}}
      EVENT_MENTION.relaxed.f1: 0.55
      REFERS_TO.strict.f1: {{min: 0.5, max_drop: 0.02}}
      TLINK.tempeval.f1: {{min: 0.2, max_drop: 0.02}}
"""
    gold = {**files("gold"), "config.txt": (folder / "config.txt").read_text("utf-8")}
    good = files("system/ours")
    return Outputs(entry, gold, good, files("system/baseline") if worse else good)


def qa(chance: Random, worse: float) -> Outputs:
    """Questions of three kinds; what grew are wrong answers to those that ask when."""
    gold: list[str] = []
    runs: dict[str, list[str]] = {"good": [], "bad": []}
    for place in range(150):
        kind, thing, name = KINDS[place % len(KINDS)], chance.choice(THINGS), chance.choice(NAMES["PER"])
        answers = {"who": name, "when": f"in {chance.randrange(1900, 2020)}", "where": f"in {chance.choice(NAMES['LOC'])}"}
        question = {"who": f"Who sold the {thing}?", "when": f"When was the {thing} sold?", "where": f"Where is the {thing}?"}
        gold.append(json.dumps({"id": place, "question": question[kind], "answers": [answers[kind]], "kind": kind}))
        draw, wrong = chance.random(), answers[chance.choice([each for each in KINDS if each != kind])]
        for run, share in {"good": 0.12, "bad": 0.12 + worse * (2 if kind == "when" else 0.5)}.items():
            runs[run].append(json.dumps({"id": place, "prediction": wrong if draw < share else answers[kind]}))
    entry = """
    task: qa
    gold: {name}/gold.jsonl
    system: {name}/answers.jsonl
    options: {{group: kind}}
    gates:
      f1: {{min: 0.75, max_drop: 0.02}}
      exact: {{min: 0.7, max_drop: 0.02}}
      group.when.f1: 0.6
      group.who.f1: 0.6
"""
    good, bad = ({"answers.jsonl": "\n".join(lines) + "\n"} for lines in runs.values())
    return Outputs(entry, {"gold.jsonl": "\n".join(gold) + "\n"}, good, bad)


TASKS: Mapping[str, Callable[[Random, float], Outputs]] = {"rte": rte, "labels": labels, "spans": spans, "cat": cat, "qa": qa}

WORSE = {"rte": 0.2, "labels": 0.15, "spans": 0.25, "cat": 1.0, "qa": 0.2}
"""How much more often the bad output of a task is wrong."""


def repository(folder: Path, suites: Mapping[str, tuple[str, bool]]) -> Path:
    """Make a repository of suites, each of a task; those that are to be bad became so since the last commit.

    In the commit before the last one they were about half as bad.
    """
    start(folder)

    def outputs_of(share: float) -> dict[str, Outputs]:
        return {
            name: TASKS[task](Random(name), share * WORSE[task] if is_bad else 0.0) for name, (task, is_bad) in suites.items()
        }

    made = outputs_of(1.0)
    entries = "".join(f"  - name: {name}{outputs.entry.format(name=name)}" for name, outputs in made.items())
    write(folder, {"nlpeval.yaml": f'version: 1\ndefaults: {{baseline: "git:HEAD"}}\nsuites:\n{entries}'})
    for name, outputs in outputs_of(0.5).items():
        write(folder, {f"{name}/{file}": text for file, text in {**outputs.gold, **outputs.bad}.items()})
    commit(folder, "First model")
    for name, outputs in made.items():
        write(folder, {f"{name}/{file}": text for file, text in {**outputs.gold, **outputs.good}.items()})
    commit(folder, "Good outputs")
    for name, outputs in made.items():
        write(folder, {f"{name}/{file}": text for file, text in outputs.bad.items()})
    return folder


def evaluated(folder: Path, resamples: int = 10_000) -> Report:
    """Return the report of a repository's suites, with explanations and intervals, the commit, and since when they are as bad."""
    loaded = load_suites(folder / "nlpeval.yaml", root=folder)
    suites = [replace(suite, statistics=replace(suite.statistics, resamples=resamples)) for suite in loaded]
    results = [evaluate(suite, explain=True) for suite in suites]
    with engine_of(suites, 1, None, explain=False) as engine:
        return with_steps(report_of(results, checkout=checkout_of([folder])), results, "HEAD~1", engine)


FEW = {task: (task, True) for task in TASKS}
"""A suite of each task, all of which fail."""

MANY = {
    f"{task}-{rank:02}": (task, rank % 4 == 3 and task != "cat")
    for rank in range(11)
    for task in ("rte", "labels", "spans", "cat")
}
"""44 suites, of which six fail."""
