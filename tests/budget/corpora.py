"""Gold and system files of any size, one document for each task; one unit in seven is wrong.

Each function takes the number of units and returns the files by role.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

Texts = Mapping[str, str]

WORDS = ("the", "ferry", "left", "Hollin", "at", "dawn", "before", "storms", "came", "in")
LABELS = ("north", "south", "east", "west")


def _label(rank: int, *, is_wrong: bool = False) -> str:
    return LABELS[(rank * 3 + rank // 5 + is_wrong) % 4]


def _wrong(rank: int) -> bool:
    return rank % 7 == 3


def _lines(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _sentence(rank: int, size: int = 8) -> list[str]:
    return [WORDS[(rank * 7 + place * (1 + rank % 3)) % 10] for place in range(size)]


def labels(size: int) -> Texts:
    """One label an item, with a group."""
    gold = (f"i{rank}\t{_label(rank)}\tg{rank % 3}" for rank in range(size))
    system = (f"i{rank}\t{_label(rank, is_wrong=_wrong(rank))}" for rank in reversed(range(size)))
    return {"gold": "id\tlabel\tkind\n" + _lines(gold), "system": "id\tlabel\n" + _lines(system)}


def spans(size: int) -> Texts:
    """Sentences of eight tokens, each with a span of two."""

    def side(*, is_system: bool) -> Iterable[str]:
        for rank in range(size):
            name = _label(rank, is_wrong=is_system and _wrong(rank))
            tags = ["O", f"B-{name}", f"I-{name}", *["O"] * 5]
            yield _lines(f"{word}\t{tag}" for word, tag in zip(_sentence(rank), tags, strict=True))

    return {"gold": _lines(side(is_system=False)), "system": _lines(side(is_system=True))}


def text(size: int) -> Texts:
    """Segments of eight words."""
    gold = [_sentence(rank) for rank in range(size)]
    system = [[*words[:3], "rain", *words[4:]] if _wrong(rank) else words for rank, words in enumerate(gold)]
    return {"gold": _lines(map(" ".join, gold)), "system": _lines(map(" ".join, system))}


def qa(size: int) -> Texts:
    """Questions with two answers, five to a paragraph."""
    paragraphs: list[dict[str, Any]] = []
    for first in range(0, size, 5):
        words = _sentence(first, 30)
        qas = []
        for rank in range(first, min(first + 5, size)):
            start = rank % 5 * 3
            answers = [
                {"text": " ".join(words[start:end]), "answer_start": len(" ".join([*words[:start], ""]))}
                for end in (start + 1, start + 2)
            ]
            qas.append({"id": f"q{rank}", "question": f"Which is {rank}?", "answers": answers})
        paragraphs.append({"context": " ".join(words), "qas": qas})
    given = [(each["id"], each["answers"][0]["text"]) for paragraph in paragraphs for each in paragraph["qas"]]
    said = {name: "rain" if _wrong(rank) else answer for rank, (name, answer) in enumerate(given)}
    return {
        "gold": json.dumps({"version": "1.1", "data": [{"title": "t", "paragraphs": paragraphs}]}),
        "system": json.dumps(said),
    }


def scores(size: int) -> Texts:
    """Items with two results, each in two repeats."""
    gold = (json.dumps({"id": f"i{rank}", "kind": f"g{rank % 3}"}) for rank in range(size))
    system = (
        json.dumps({"id": f"i{rank}", "right": not _wrong(rank + repeat), "seconds": rank % 11 + repeat / 2})
        for rank in range(size)
        for repeat in range(2)
    )
    return {"gold": _lines(gold), "system": _lines(system)}


def records(size: int) -> Texts:
    """Records of three fields and a list of two objects."""

    def record(rank: int, *, is_wrong: bool) -> str:
        items = [{"sku": f"s{rank}-{place}", "count": place + is_wrong} for place in range(2)]
        return json.dumps(
            {"id": f"r{rank}", "city": _label(rank), "total": rank + is_wrong, "note": WORDS[rank % 10], "items": items}
        )

    gold = (record(rank, is_wrong=False) for rank in range(size))
    system = (record(rank, is_wrong=_wrong(rank)) for rank in range(size))
    return {"gold": _lines(gold), "system": _lines(system)}


def ranking(size: int) -> Texts:
    """Topics with ten results, of which three are relevant."""
    gold = (f"{topic} 0 d{topic * 2 + place} {place % 2 + 1}" for topic in range(size) for place in (0, 3, 5))
    system = (
        f"{topic} Q0 d{topic * 2 + place + _wrong(topic)} {place + 1} {10 - place} run"
        for topic in range(size)
        for place in range(10)
    )
    return {"gold": _lines(gold), "system": _lines(system)}


def coref(size: int) -> Texts:
    """One document of a mention a word, in chains of three."""

    def side(*, is_system: bool) -> Iterable[str]:
        yield "#begin document (a); part 000"
        for rank in range(size):
            chain = rank // 3 + (is_system and _wrong(rank))
            yield f"a\t0\t{rank}\tw{rank}\t({chain})"
        yield "#end document"

    return {"gold": _lines(side(is_system=False)), "system": _lines(side(is_system=True))}


def ud(size: int) -> Texts:
    """Sentences of six words."""
    tags = ("NOUN", "VERB", "DET", "ADJ")

    def sentence(rank: int, *, is_wrong: bool) -> str:
        rows = [f"# sent_id = s{rank}", f"# text = {' '.join(_sentence(rank, 6))}"]
        for place, word in enumerate(_sentence(rank, 6), 1):
            head, relation = (0, "root") if place == 1 else (1 if is_wrong and place == 4 else place - 1, "dep")
            rows.append(f"{place}\t{word}\t{word}\t{tags[place % 4]}\t_\t_\t{head}\t{relation}\t{head}:{relation}\t_")
        return _lines(rows)

    gold = (sentence(rank, is_wrong=False) for rank in range(size))
    return {"gold": _lines(gold), "system": _lines(sentence(rank, is_wrong=_wrong(rank)) for rank in range(size))}


def rte(size: int) -> Texts:
    """Pairs, and a run that is sure of all to a different degree."""
    values, settings = ("TRUE", "FALSE"), ("IR", "QA")
    gold = (
        f'<pair id="{rank}" task="{settings[rank % 2]}" value="{values[rank % 3 % 2]}"><t>A text.</t><h>A claim.</h></pair>'
        for rank in range(1, size + 1)
    )
    system = (f"{rank} {values[(rank % 3 + _wrong(rank)) % 2]} {1 - rank / (size + 1):.6f}" for rank in range(1, size + 1))
    return {"gold": f"<entailment-corpus>\n{_lines(gold)}</entailment-corpus>\n", "system": _lines(system)}


def cat(size: int) -> Texts:
    """One document of so many markables, with as many temporal links, each between neighbours."""

    def side(*, is_system: bool) -> Iterable[str]:
        yield '<?xml version="1.0" encoding="UTF-8"?>\n<Document doc_name="d.xml">'
        for rank in range(2 * size):
            yield f'<token t_id="{rank + 1}" sentence="{rank // 25}" number="{rank % 25}">{WORDS[rank % 10]}</token>'
        yield "<Markables>"
        for rank in range(size):
            first = 2 * rank + 1 + (is_system and _wrong(rank))
            yield f'<EVENT_MENTION m_id="{rank + 1}" pred="go" tense="PAST" comment=""><token_anchor t_id="{first}"/></EVENT_MENTION>'
        yield "</Markables>\n<Relations>"
        for rank in range(1, size):
            relation = "AFTER" if is_system and _wrong(rank) else "BEFORE"
            ends = f'<source m_id="{rank}"/><target m_id="{rank + 1}"/>'
            yield f'<TLINK r_id="{10**6 + rank}" relType="{relation}" comment="">{ends}</TLINK>'
        yield "</Relations>\n</Document>"

    config = "EVENT_MENTION\tmarkable\t0\tpred\ttense\nTLINK\tone2one\tdirectional\trelType\n"
    return {"config": config, "gold": _lines(side(is_system=False)), "system": _lines(side(is_system=True))}


def best(size: int) -> Texts:
    """One document of so many relations with a belief each, of sources that are entities."""

    def ere() -> Iterable[str]:
        yield '<?xml version="1.0" encoding="UTF-8"?>\n<deft_ere doc_id="d" source_type="multi_post">\n<entities>'
        for rank in range(size):
            mention = f'<entity_mention id="m{rank}" noun_type="NAM" source="d" offset="{9 * rank}" length="5">'
            text = "<mention_text>izzoh</mention_text></entity_mention>"
            yield f'<entity id="e{rank}" type="PER" specificity="specific">{mention}{text}</entity>'
        yield "</entities>\n<relations>"
        for rank in range(size):
            argument = f'<rel_arg1 entity_id="e{rank}" entity_mention_id="m{rank}" role="per">izzoh</rel_arg1>'
            trigger = f'<trigger source="d" offset="{9 * (size + rank)}" length="5">leads</trigger>'
            mention = f'<relation_mention id="rm{rank}" realis="true">{argument}{trigger}</relation_mention>'
            yield f'<relation id="r{rank}" type="orgaffiliation" subtype="leadership">{mention}</relation>'
        yield "</relations>\n<hoppers></hoppers>\n</deft_ere>"

    def side(*, is_system: bool) -> Iterable[str]:
        yield '<?xml version="1.0" encoding="UTF-8"?>\n<committed_belief_doc id="d">\n<belief_annotations>\n<relations>'
        for rank in range(size):
            value = "ncb" if is_system and _wrong(rank) else "cb"
            source = f'<source ere_id="m{rank}" offset="{9 * rank}" length="5">izzoh</source>'
            belief = f'<belief type="{value}" polarity="pos" sarcasm="no">{source}</belief>'
            yield f'<relation ere_id="rm{rank}"><beliefs>{belief}</beliefs></relation>'
        yield "</relations>\n</belief_annotations>\n</committed_belief_doc>"

    return {"ere": _lines(ere()), "gold": _lines(side(is_system=False)), "system": _lines(side(is_system=True))}


def are(size: int) -> Texts:
    """One text of so many mentions, in chains of three."""

    def side(*, is_system: bool) -> Iterable[str]:
        members: dict[int, list[int]] = {}
        for rank in range(size):
            members.setdefault(rank // 3 + (is_system and _wrong(rank)), []).append(rank)
        for chain in members.values():
            nodes = "".join(f'<node id="n{rank}"/>' for rank in chain)
            yield f"<chain>{nodes}</chain>"

    gold, system = (f"<chains>\n{_lines(side(is_system=is_system))}</chains>\n" for is_system in (False, True))
    return {"gold": gold, "system": system}


def exemplar(size: int) -> Texts:
    """Sentences with a relation each."""
    gold = ["Entity1\tRelation\tEntity2\tTrigger\tAnnotated Sentence"]
    system = ["Entity1\tRelation\tEntity2"]
    for rank in range(size):
        gold.append(f"Ada {rank}\tfounded\tOtt\tfounded\t[[[PER Ada {rank}]]] ---> {{{{{{ founded }}}}}} <--- [[[ORG Ott]]] .")
        system.append(f"Ada {rank}\t{'---' if _wrong(rank) else 'founded'}\tOtt")
    return {"gold": _lines(gold), "system": _lines(system)}


CORPORA: Mapping[str, Callable[[int], Texts]] = {
    make.__name__: make for make in (labels, spans, text, qa, scores, records, ranking, coref, ud, rte, cat, best, are, exemplar)
}
"""By task."""
