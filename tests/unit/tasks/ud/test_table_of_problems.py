"""The table of problems, row by row: what brings a code forth, at which line, and what comes close and is right."""

from __future__ import annotations

import pytest

from pytest_nlpeval.tasks.ud import TASK
from tests.unit.tasks.ud.files import conllu, read

RAIN = ("1 Rain rain NOUN _ _ 2 nsubj", "2 fell fall VERB _ _ 0 root")
GO = ("1 Go go VERB _ _ 0 root",)
NODES = ("1 a a X _ _ 0 root 0:root",)
DUNNO = ("1-2 dunno", "1 du do VERB _ _ 0 root", "2 nno not PART _ _ 1 advmod", "3 ! ! PUNCT _ _ 1 punct")


def word(name: str, value: str) -> str:
    """Return `RAIN`, the first word of which has a value in one field; blanks of the value are `·`."""
    names = ["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"]
    fields = [*RAIN[0].split(" "), "_", "_"]
    fields[names.index(name)] = value
    return conllu((" ".join(fields), RAIN[1]))


def ranged(name: str, value: str) -> str:
    """Return `DUNNO`, whose range has a value in one field."""
    fields = ["1-2", "dunno", *["_"] * 8]
    fields[["ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"].index(name)] = value
    return conllu((" ".join(fields), *DUNNO[1:]))


def deps(*written: str) -> str:
    """Return a sentence of a word for each DEPS, which all hang on the first, the root."""
    rows = [
        f"{rank} w w X _ _ {1 if rank > 1 else 0} {'dep' if rank > 1 else 'root'} {text}" for rank, text in enumerate(written, 1)
    ]
    return conllu(rows)


def node(row: str, *others: str) -> str:
    """Return a sentence with an empty node, or more rows, between two words."""
    return conllu(("1 a a X _ _ 0 root 0:root", row, *others, "2 b b X _ _ 1 dep 1:dep"))


PROBLEMS: dict[str, list[tuple[str, list[str]]]] = {
    "ud.columns": [
        (conllu(GO).replace("\t_\n", "\n"), ["1: ud.columns"]),  # nine fields
        (conllu(GO).replace("\t_\n", "\t_\t_\n"), ["1: ud.columns"]),  # eleven
        (conllu(RAIN).replace("\t_\n2", "\n2"), ["1: ud.columns"]),  # and nothing of the sentence's heads
        ("1 Go go VERB _ _ 0 root _ _\n\n", ["1: ud.columns"]),
        (conllu(GO).replace("\tgo\t", "\t\tgo\t"), ["1: ud.columns"]),
    ],
    "ud.id": [
        (conllu([RAIN[0].replace("1", identifier, 1), RAIN[1]]), ["1: ud.id"])
        for identifier in (
            "",
            "x",
            "01",
            "+1",
            "-1",
            "0",
            "1-",
            "-2",
            "01-2",
            "1-02",
            "1.0",
            "1.01",
            "01.1",
            "1.1.1",
            "1-2-3",
            "٣",
            "１",
            "1.",
            ".1",
        )
    ],
    "ud.id-order": [
        (conllu(["2" + RAIN[0][1:], RAIN[1]]), ["1: ud.id-order", "2: ud.id-order"]),
        (conllu([RAIN[0], "1" + RAIN[1][1:]]), ["2: ud.id-order"]),
        (conllu([RAIN[0], "3" + RAIN[1][1:]]), ["2: ud.id-order"]),
        (conllu(GO, ("2 on on ADV _ _ 0 root",)), ["3: ud.id-order"]),  # each sentence begins at 1
        (conllu(GO, GO), []),
    ],
    "ud.range": [
        (conllu(("2-1 dunno", *DUNNO[1:])), ["1: ud.range"]),
        (conllu(("1-4 dunno", *DUNNO[1:])), ["1: ud.range"]),
        (conllu(("2-3 dunno", *DUNNO[1:])), ["1: ud.range"]),
        (conllu((*DUNNO[1:2], "1-2 dunno", *DUNNO[2:])), ["2: ud.range"]),
        (conllu((DUNNO[0], "1-2 dunno", *DUNNO[1:])), ["2: ud.range"]),
        (conllu((DUNNO[0], DUNNO[1], "2-3 nno!", *DUNNO[2:])), ["3: ud.range"]),
        (conllu((*DUNNO, "4-5 x")), ["5: ud.range"]),
        (conllu((DUNNO[0], *DUNNO[1:3], "3-3 !", DUNNO[3])), []),  # a range of one word, and one that touches
        (conllu(("1-99999999999999999999 dunno", *DUNNO[1:])), ["1: ud.range"]),
    ],
    "ud.form": [
        (word("FORM", ""), ["1: ud.form"]),
        (word("FORM", "\u00a0"), ["1: ud.white-space", "1: ud.form"]),
        (ranged("FORM", ""), ["1: ud.form"]),
        (ranged("FORM", "\u3000"), ["1: ud.white-space", "1: ud.form"]),
        (word("FORM", "\u200b"), []),  # of category Cf
        (word("FORM", "_"), []),
        (conllu((DUNNO[0], "1  do VERB _ _ 0 root", *DUNNO[2:])), ["2: ud.empty-field"]),  # no token
    ],
    "ud.head": [
        *((word("HEAD", head), ["1: ud.head"]) for head in ("_", "", "3", "-1", "02", "x", "2.1", "1-2", "²", "٢", "9" * 30)),
        (conllu((*RAIN, "2.1 x _ _ _ _ _ _ 2:dep")), ["1: ud.deps-graph"]),
        (conllu(RAIN, ("1 Go go VERB _ _ _ root",)), ["4: ud.head"]),  # of the file, not of the sentence
    ],
    "ud.no-sentence": [
        ("", ["None: ud.no-sentence"]),
        ("# a\n", ["None: ud.no-sentence", "1: ud.end-comment"]),
        (conllu(("0.1 x _ _ _ _ _ _ 0:root",)), ["1: ud.no-sentence"]),
    ],
    "ud.paths": [],  # `invalid/too-many-paths`
    "ud.text": [],  # `invalid/other-characters` and others
    "ud.roots": [
        (conllu(GO, ("1 a a X _ _ 0 root", "2 b b X _ _ 0 root")), ["3: ud.roots"]),
        (conllu(GO, GO), []),
    ],
    "ud.cycle": [
        (conllu(("1 a a X _ _ 1 dep", "2 b b X _ _ 0 root")), ["1: ud.cycle"]),
        (conllu(GO, ("1 a a X _ _ 0 root", "2 b b X _ _ 3 dep", "3 c c X _ _ 2 dep", "4 d d X _ _ 4 dep")), ["3: ud.cycle"]),
        (conllu(("1 a a X _ _ 3 dep", "2 b b X _ _ 1 dep", "3 c c X _ _ 2 dep")), ["1: ud.cycle"]),
        (conllu(("1 a a X _ _ 2 dep", "2 b b X _ _ 3 dep", "3 c c X _ _ 0 root")), []),
    ],
    "ud.deps": [
        *(
            (deps("0:root", text), ["2: ud.deps", "2: ud.deps-graph"])
            for text in ("1", "1:", ":dep", "x:dep", "01:dep", "3:dep", "1.1:dep", "1-2:dep", "1:dep|", "|1:dep", "1:dep||1:obj")
        ),
        *((deps("0:root", text), ["2: ud.deps", "2: ud.deps-graph"]) for text in ("1:conj>", "1:>dep", "1:conj>>dep", "-1:dep")),
        (deps("0:root", "1:dep:é"), []),
        (deps("0:root", "1:dep::x"), []),
        (deps("0:root", "1:conj>dep"), []),
    ],
    "ud.empty-node": [
        (node("1.2 x _ _ _ _ _ _ 1:dep"), ["2: ud.empty-node"]),
        (node("2.1 x _ _ _ _ _ _ 1:dep"), ["2: ud.empty-node"]),
        (node("0.1 x _ _ _ _ _ _ 1:dep"), ["2: ud.empty-node"]),
        (node("1.1 x _ _ _ _ _ _ 1:dep", "1.1 y _ _ _ _ _ _ 1:dep"), ["3: ud.empty-node"]),
        (node("1.1 x _ _ _ _ _ _ 1:dep", "1.3 y _ _ _ _ _ _ 1:dep"), ["3: ud.empty-node"]),
        (node("1.1 x _ _ _ _ _ _ 1:dep", "1.2 y _ _ _ _ _ _ 1:dep"), []),
        (
            conllu(("1-2 ab", "0.1 x _ _ _ _ _ _ 1:dep", "1 a a X _ _ 0 root 0:root", "2 b b X _ _ 1 dep 1:dep")),
            ["2: ud.empty-node"],
        ),
        (
            conllu(
                (
                    "0.1 x _ _ _ _ _ _ 1:dep",
                    "1-2 ab",
                    "1 a a X _ _ 0 root 0:root",
                    "1.1 y _ _ _ _ _ _ 1:dep",
                    "2 b b X _ _ 1 dep 1:dep",
                )
            ),
            [],
        ),
    ],
    "ud.empty-field": [
        *((word(name, ""), ["1: ud.empty-field"]) for name in ("LEMMA", "XPOS", "FEATS", "DEPS", "MISC")),
        (word("UPOS", ""), ["1: ud.empty-field", "1: ud.upos"]),  # as `_` is none of the 17
        *((ranged(name, ""), ["1: ud.empty-field"]) for name in ("LEMMA", "UPOS", "XPOS", "FEATS", "DEPREL", "DEPS", "MISC")),
        (ranged("HEAD", ""), ["1: ud.fields"]),
        (node("1.1  _ _ _ _ _ _ 1:dep"), ["2: ud.empty-field"]),  # an empty node is no token
    ],
    "ud.white-space": [
        (word("XPOS", "X·X"), ["1: ud.white-space"]),
        (word("UPOS", "NO·UN"), ["1: ud.white-space", "1: ud.upos"]),
        (word("ID", "1·"), ["1: ud.id", "1: ud.white-space"]),
        *(
            (word(name, value), ["1: ud.white-space"])
            for name in ("FORM", "LEMMA", "MISC")
            for value in ("·a", "a·", "a··b", "a\u00a0·b", "a\u2003")
        ),
        *((word(name, "a·b"), []) for name in ("FORM", "LEMMA", "MISC")),
        (ranged("FORM", "dun·no"), ["1: ud.white-space"]),
        (ranged("LEMMA", "dun·no"), ["1: ud.white-space", "1: ud.fields"]),
        (ranged("MISC", "a·b"), []),
        (word("XPOS", "a\x0bb"), ["1: ud.white-space"]),
        (word("XPOS", "a\u0085b"), ["1: ud.white-space"]),
    ],
    "ud.comment": [
        (conllu(RAIN).replace("2\tfell", "# x\n2\tfell"), ["2: ud.comment"]),
        (conllu(RAIN).replace("\n\n", "\n# x\n\n"), ["3: ud.comment"]),
        ("# x\n#y\n" + conllu(RAIN), []),
    ],
    "ud.blank-line": [
        ("\n" + conllu(GO), ["1: ud.blank-line"]),
        (conllu(GO) + "\n", ["3: ud.blank-line"]),
        (conllu(GO) + "\n" + conllu(GO), ["3: ud.blank-line"]),
        ("# a\n\n" + conllu(GO), ["2: ud.blank-line"]),
        (conllu(GO)[:-1] + " \n", ["2: ud.blank-line"]),
        (conllu(GO)[:-1] + "\u2003\t\n" + conllu(GO), ["2: ud.blank-line"]),
    ],
    "ud.end": [
        (conllu(GO)[:-1], ["1: ud.end"]),
        (conllu(GO)[:-2], ["1: ud.end"]),
        (conllu(GO, RAIN)[:-1], ["4: ud.end"]),
        (conllu(GO), []),
    ],
    "ud.unparsed": [
        (conllu(("1 a a X",), ("1 b b X",)), ["1: ud.unparsed"]),
        (conllu(("1 a a X _ _ _ nonsense",)), ["1: ud.unparsed"]),
    ],
    "ud.upos": [
        *((word("UPOS", value), ["1: ud.upos"]) for value in ("_", "N", "noun", "PROPN2")),
        *(
            (word("UPOS", value), [])
            for value in [
                "ADJ",
                "ADP",
                "ADV",
                "AUX",
                "CCONJ",
                "DET",
                "INTJ",
                "NOUN",
                "NUM",
                "PART",
                "PRON",
                "PROPN",
                "PUNCT",
                "SCONJ",
                "SYM",
                "VERB",
                "X",
            ]
        ),
        (node("1.1 x x N _ _ _ _ 1:dep"), ["2: ud.upos"]),
        (node("1.1 x x NOUN _ _ _ _ 1:dep"), []),
    ],
    "ud.feats": [
        *(
            (word("FEATS", value), ["1: ud.feats"])
            for value in (
                "Case",
                "Case=",
                "=Nom",
                "case=Nom",
                "Case=nom",
                "Case=Nom|",
                "Case=Nom,",
                "Case=Nom,Nom",
                "Case=Nom,Acc",
                "Number=Sing|Case=Nom",
                "Case=Nom|Case=Nom",
                "Case=Nom|Case=Gen",
                "NumType=Card|Number=Sing",
                "Number[Psor]=Sing",
                "Number[]=Sing",
                "Case=N-m",
                "_|Case=Nom",
            )
        ),
        *(
            (word("FEATS", value), [])
            for value in (
                "Case=Nom",
                "Case=Acc,Nom",
                "Case=Nom|Number=Sing",
                "Number=Sing|NumType=Card",
                "NumForm=1",
                "Number[psor]=Sing",
                "Number=Sing|Number[psor]=Plur",
            )
        ),
        (node("1.1 x x X _ Case _ _ 1:dep"), ["2: ud.feats"]),
    ],
    "ud.deprel": [
        *(
            (word("DEPREL", value), ["1: ud.deprel"])
            for value in ("_", "sbj", "NSUBJ", "nsubj:Pass", "nsubj:", "nsubj:a:b", "nsubj2", "ref", "nsubj>obj")
        ),
        *((word("DEPREL", value), []) for value in ("nsubj:pass", "punct", "obl:foo")),
    ],
    "ud.root-label": [
        (word("DEPREL", "root"), ["1: ud.root-label"]),
        (word("DEPREL", "root:x"), ["1: ud.root-label"]),
        (conllu(("1 Go go VERB _ _ 0 dep",)), ["1: ud.root-label"]),
        (conllu(("1 Go go VERB _ _ 0 root:x",)), []),
        (deps("0:dep"), ["1: ud.root-label"]),
        (deps("0:root", "1:root"), ["2: ud.root-label"]),
        (deps("0:root", "1:conj>root"), ["2: ud.root-label"]),
        (deps("0:root", "0:root>dep"), []),
    ],
    "ud.deps-form": [
        (deps("0:root", "1:obj|0:root"), ["2: ud.deps-form"]),
        (deps("0:root", "1:obj|1:dep"), ["2: ud.deps-form"]),
        (deps("0:root", "1:dep|1:dep"), ["2: ud.deps-form"]),
        (deps("0:root", "1:dep|2:dep"), ["2: ud.deps-form"]),
        (deps("0:root", "1:foo"), ["2: ud.deps-form"]),
        (deps("0:root", "1:conj>foo"), ["2: ud.deps-form"]),
        (deps("0:root", "1:foo", *["1:dep"] * 6, "1:foo"), ["2: ud.deps-form", "9: ud.deps-form"]),
        (deps("0:root", "1:dep|1:obj"), []),
        (deps("0:root", "1:ref"), []),
        (deps("0:root", *["1:dep"] * 9, "2:dep|10:dep"), []),  # by number: 2 before 10
        (node("1.1 x _ _ _ _ _ _ 1:dep|1.1:dep"), ["2: ud.deps-form"]),
    ],
    "ud.deps-missing": [
        (conllu(("1 a a X _ _ 0 root 0:root",), GO, GO), ["3: ud.deps-missing"]),
        (conllu(GO, ("1 a a X _ _ 0 root 0:root",)), ["1: ud.deps-missing"]),
        (conllu(GO, GO), []),
        *(
            (conllu(*some).replace("\t_\n", "\n", 1), ["1: ud.columns"]) for some in ((GO, NODES), (GO, NODES, NODES))
        ),  # who knows?
        (conllu(GO, GO, NODES).replace("\t_\n", "\n", 1), ["1: ud.columns", "3: ud.deps-missing"]),
    ],
    "ud.deps-graph": [
        (deps("0:root", "_", "_"), ["2: ud.deps-graph"]),
        (deps("0:root", "3:dep", "2:dep"), ["2: ud.deps-graph"]),
        (node("1.1 x _ _ _ _ _ _ _"), ["2: ud.deps-graph"]),
        (deps("0:root", "1:dep|3:dep", "2:dep"), []),  # a circle that a path reaches
    ],
    "ud.fields": [
        *((ranged(name, "X"), ["1: ud.fields"]) for name in ("LEMMA", "UPOS", "XPOS", "HEAD", "DEPREL", "DEPS")),
        (ranged("FEATS", "Case=Nom"), ["1: ud.fields"]),
        (ranged("FEATS", "Typo=Yes"), []),
        (ranged("MISC", "Gloss=x"), []),
        (node("1.1 x _ _ _ _ 1 _ 1:dep"), ["2: ud.fields"]),
        (node("1.1 x _ _ _ _ _ dep 1:dep"), ["2: ud.fields"]),
        (node("1.1 x x X x Case=Nom _ _ 1:dep"), []),
    ],
    "ud.space-after": [
        *(
            (word("MISC", value), ["1: ud.space-after"])
            for value in ("SpaceAfter=Yes", "SpaceAfter=", "SpaceAfter=no", "A=b|SpaceAfter=Yes", "SpaceAfter=No|SpaceAfter=Yes")
        ),
        *((word("MISC", value), []) for value in ("SpaceAfter=No", "A=b|SpaceAfter=No|C=d", "NoSpaceAfter=Yes")),
        (node("1.1 x _ _ _ _ _ _ 1:dep SpaceAfter=No"), ["2: ud.space-after"]),
        (conllu((DUNNO[0], DUNNO[1] + " _ SpaceAfter=No", *DUNNO[2:])), ["2: ud.space-after"]),
        (ranged("MISC", "SpaceAfter=No"), []),
    ],
    "ud.text-comment": [
        *(
            (f"# text = {text}\n" + conllu(RAIN), ["1: ud.text-comment"])
            for text in ("", "Rain", "Rainfell", "Rain fel", "Rain fell x", "Rain  fellx", "rain fell")
        ),
        *(
            (f"# text{text}\n" + conllu(RAIN), [])
            for text in (" = Rain fell", "=Rain fell", " = Rain \u3000 fell", " =  Rain fell ")
        ),
        ("# text = Rain fell\n# text = Rain fell\n" + conllu(RAIN), ["2: ud.text-comment"]),
        ("# text = Rainfell\n" + word("MISC", "SpaceAfter=No"), []),
        ("# text = Rain fell\n" + word("MISC", "SpaceAfter=No"), ["1: ud.text-comment"]),
        ("# text = dunno !\n" + conllu(DUNNO), []),
        ("# text = du nno !\n" + conllu(DUNNO), ["1: ud.text-comment"]),
        ("# text_en = other\n# texts = other\n" + conllu(RAIN), []),
    ],
    "ud.sent-id": [
        ("# sent_id = a b\n" + conllu(GO), ["1: ud.sent-id"]),
        ("# sent_id = a\n# sent_id = b\n" + conllu(GO), ["2: ud.sent-id"]),
        (("# sent_id = a\n" + conllu(GO)) * 2, ["4: ud.sent-id"]),
        ("# sent_id = a\n" + conllu(GO) + "# sent_id = A\n" + conllu(GO), []),
    ],
    "ud.nfc": [
        (word("LEMMA", "e\u0301"), ["1: ud.nfc"]),
        ("# e\u0301\n" + conllu(GO), ["1: ud.nfc"]),
        (word("LEMMA", "é"), []),
    ],
    "ud.end-comment": [
        (conllu(GO) + "# a\n# b\n", ["3: ud.end-comment"]),
        (conllu(GO) + "# a\n\n", ["4: ud.blank-line"]),
    ],
    "ud.no-sent-id": [(conllu(GO), []), ("# sent_id =\n" + conllu(GO), [])],
    "ud.no-text": [(conllu(GO), [])],
}

CASES = [(code, text, problems) for code, cases in PROBLEMS.items() for text, problems in cases]


@pytest.mark.parametrize(("code", "text", "problems"), CASES, ids=[f"{code}-{rank}" for rank, (code, *_) in enumerate(CASES)])
def test_what_brings_it_forth_and_what_does_not(code: str, text: str, problems: list[str]) -> None:
    found, told = read("gold", text)
    assert told == problems
    assert (found is None) == any(TASK.problems[problem.partition(": ")[2]].fixed for problem in problems)


def test_every_row_is_here() -> None:
    assert set(PROBLEMS) == {code for code in TASK.problems if code.startswith("ud.")}
