"""A BeSt corpus: how long it takes to validate and score, against lxml's bare parse of the same files.

    python benchmarks/best_corpus.py [DOCUMENTS] [ANNOTATIONS]

Makes a corpus of that many documents with that many annotations each (default 500 of 400) in a temporary folder, then measures, five
times in turn in one process, the bare parse of all files and the whole suite without evidence store, and prints the medians and
their ratio; then the same for files stripped to ids and values, which cost more in relation.

Last, one target with 5,000 and with 10,000 annotations by 50 sources: the cost must grow linearly.
"""

from __future__ import annotations

import random
import re
import statistics
import sys
import tempfile
from functools import partial
from pathlib import Path

from lxml import etree
from timing import median_seconds, seconds

from pytest_nlpeval import evaluate, load_suites

CONFIG = """\
version: 1
suites:
  - name: corpus
    task: best
    gold: gold/{doc}.best.xml
    system: system/{doc}.best.xml
    ere: ere/{doc}.rich_ere.xml
    gates: {all.single.micro.f1: 0}
"""


def ere(objects: int, mentions: int) -> str:
    """Return an ERE file with this many entities, relations and hoppers of so many mentions each, as released files look."""
    offset = 0
    parts = ['<?xml version="1.0" encoding="UTF-8"?>\n<deft_ere kit_id="k" doc_id="d" source_type="multi_post">\n  <entities>\n']
    for rank in range(objects):
        parts.append(f'    <entity id="ent-{rank}" type="PER" specificity="specific">\n')
        for mention in range(mentions):
            offset += 9
            parts.append(
                f'      <entity_mention id="m-{rank}-{mention}" noun_type="NAM" source="d" offset="{offset}" length="5">\n'
                "        <mention_text>izzoh</mention_text>\n      </entity_mention>\n"
            )
        parts.append("    </entity>\n")
    for section, owner, tag, argument in (
        ("relations", "relation", "relation_mention", "rel_arg1"),
        ("hoppers", "hopper", "event_mention", "em_arg"),
    ):
        parts.append(f"  </{'entities' if section == 'relations' else 'relations'}>\n  <{section}>\n")
        for rank in range(objects):
            parts.append(f'    <{owner} id="{owner}-{rank}">\n')
            for mention in range(mentions):
                offset += 9
                parts.append(
                    f'      <{tag} id="{owner}m-{rank}-{mention}" realis="true">\n'
                    f'        <{argument} entity_id="ent-{rank}" entity_mention_id="m-{rank}-0" role="per">my parents</{argument}>\n'
                    f'        <trigger source="d" offset="{offset}" length="7">parents</trigger>\n      </{tag}>\n'
                )
            parts.append(f"    </{owner}>\n")
    parts.append("  </hoppers>\n</deft_ere>\n")
    return "".join(parts)


def annotation(chance: random.Random, tag: str, objects: int, mentions: int, indent: str = "          ") -> str:
    """Return a belief or sentiment with a source, as released files have them."""
    value = 'type="' + chance.choice(("cb", "ncb", "rob", "na")) + '" polarity="pos"'
    attributes = value if tag == "belief" else f'polarity="{chance.choice(("pos", "neg", "none"))}"'
    rank, mention = chance.randrange(objects), chance.randrange(mentions)
    offset = 9 * (rank * mentions + mention + 1)
    source = f'<source ere_id="m-{rank}-{mention}" offset="{offset}" length="5">izzoh</source>'
    return f'{indent}<{tag} {attributes} sarcasm="no">\n{indent}  {source}\n{indent}</{tag}>\n'


def target(chance: random.Random, kind: str, objects: int, mentions: int) -> str:
    """Return a target with one annotation; events come with a belief about an argument, which is never scored."""
    rank, mention = chance.randrange(objects), chance.randrange(mentions)
    block = {"entity": 0, "relation": 1, "event": 2}[kind] * objects * mentions
    offset = 9 * (block + rank * mentions + mention + 1)
    if kind == "entity":
        head = f'      <entity ere_id="m-{rank}-{mention}" offset="{offset}" length="5">\n        <text>izzoh</text>\n'
        return f"{head}        <sentiments>\n{annotation(chance, 'sentiment', objects, mentions)}        </sentiments>\n      </entity>\n"
    owner = "hopper" if kind == "event" else kind
    head = f'      <{kind} ere_id="{owner}m-{rank}-{mention}">\n        <trigger offset="{offset}" length="7">parents</trigger>\n'
    body = f"        <beliefs>\n{annotation(chance, 'belief', objects, mentions)}        </beliefs>\n"
    if kind == "event":
        inner = annotation(chance, "belief", objects, mentions, " " * 14)
        body += (
            f'        <arguments>\n          <arg ere_id="m-{rank}-0" offset="9" length="5">\n            <text>izzoh</text>\n'
        )
        body += f"            <beliefs>\n{inner}            </beliefs>\n          </arg>\n        </arguments>\n"
    return f"{head}{body}      </{kind}>\n"


def best(chance: random.Random, annotations: int, objects: int, mentions: int) -> str:
    """Return a best file: beliefs towards relations and events and sentiments towards entities, a third each."""
    numbers = [annotations // 3, annotations // 3, annotations - 2 * (annotations // 3)]
    relations, events, entities = (
        "".join(target(chance, kind, objects, mentions) for _ in range(number))
        for kind, number in zip(("relation", "event", "entity"), numbers, strict=True)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<committed_belief_doc id="t">\n  <belief_annotations>\n'
        f"    <relations>\n{relations}    </relations>\n    <events>\n{events}    </events>\n  </belief_annotations>\n"
        f"  <sentiment_annotations>\n    <entities>\n{entities}    </entities>\n  </sentiment_annotations>\n</committed_belief_doc>\n"
    )


def make(folder: Path, documents: int, annotations: int, objects: int = 40, mentions: int = 5) -> Path:
    """Write a corpus and its configuration, and return the configuration's path."""
    chance = random.Random(1)
    for role in ("ere", "gold", "system"):
        (folder / role).mkdir(parents=True)
    for rank in range(documents):
        (folder / f"ere/d{rank}.rich_ere.xml").write_text(ere(objects, mentions))
        for role in ("gold", "system"):
            (folder / f"{role}/d{rank}.best.xml").write_text(best(chance, annotations, objects, mentions))
    (folder / "nlpeval.yaml").write_text(CONFIG)
    return folder / "nlpeval.yaml"


def one_target(chance: random.Random, annotations: int) -> str:
    """Return a best file with one relation and 50 possible sources."""
    mentions = annotations // 50
    parts = []
    for _ in range(annotations):
        belief = annotation(chance, "belief", 50, mentions)
        parts.append(f'<relation ere_id="relationm-0-{chance.randrange(mentions)}"><beliefs>\n{belief}</beliefs></relation>\n')
    return (
        "<committed_belief_doc><belief_annotations><relations>"
        + "".join(parts)
        + "</relations></belief_annotations></committed_belief_doc>"
    )


def strip(folder: Path) -> None:
    """Leave nothing in the gold and system files but ids and values: the least that a system may write."""
    for path in (*folder.glob("gold/*.xml"), *folder.glob("system/*.xml")):
        text = re.sub(r"\s*<arguments>.*?</arguments>", "", path.read_text(), flags=re.DOTALL)
        text = re.sub(r"\s*<(trigger|text)[^>]*>.*?</\1>", "", text)
        path.write_text(re.sub(r' (offset|length)="\d+"', "", text))


def bare_parse(folder: Path) -> None:
    """Parse every file and do nothing else."""
    for path in folder.glob("*/*.xml"):
        etree.fromstring(path.read_bytes())


def main() -> None:
    """Run the benchmark."""
    documents, annotations = (int(text) for text in (sys.argv[1:] + ["500", "400"][len(sys.argv) - 1 :]))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "corpus"
        (suite,) = load_suites(make(folder, documents, annotations))
        for what in ("as released", "ids and values only"):
            pairs = [(seconds(lambda: bare_parse(folder)), seconds(lambda: evaluate(suite))) for _ in range(5)]
            parse, whole = (statistics.median(column) for column in zip(*pairs, strict=True))
            ratio = statistics.median(suite_time / parse_time for parse_time, suite_time in pairs)
            print(
                f"{documents} documents of {annotations} annotations, {what}: parse {parse:.2f} s, suite {whole:.2f} s, ratio {ratio:.2f}"
            )
            strip(folder)
        for number in (5_000, 10_000):
            small, chance = Path(name) / str(number), random.Random(2)
            (suite,) = load_suites(make(small, 1, 3))
            (small / "ere/d0.rich_ere.xml").write_text(ere(50, number // 50))
            for role in ("gold", "system"):
                (small / f"{role}/d0.best.xml").write_text(one_target(chance, number))
            took = median_seconds(partial(evaluate, suite))
            print(f"one target, {number:,} annotations, 50 sources: {took:.2f} s")


if __name__ == "__main__":
    main()
