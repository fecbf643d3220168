from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.cat.xml.document import Markable, Relation, Tokens
from tests.unit.tasks.cat.xml_files import LABELLED, UNLABELLED, codes, document, read

TOKENS = Tokens(("1", "2", "3", "4"), ("The", "ferry", "left", "Friday"), (0, 0, 1, 1))


@pytest.mark.parametrize("text", [LABELLED, UNLABELLED])
def test_everything_that_a_file_holds(text: str) -> None:
    found = document(text)
    assert found.tokens == TOKENS
    assert list(found.markables.values()) == [
        Markable("1", "EVENT", (2,), {"class": "MOTION"}, 7),
        Markable("2", "TIMEX3", (3, 1), {"type": "DATE", "value": "2014-W20-5"}, 8),
        Markable("7", "TIMEX3", (), {"type": "DATE", "value": "2014"}, 9),
    ]
    assert list(found.markables) == ["1", "2", "7"]
    assert found.relations == (
        Relation("9", "TLINK", ("1",), ("2",), {"relType": "IS_INCLUDED"}, 12),
        Relation("10", "REFERS_TO", ("1", "2"), ("7",), {}, 13),
        Relation("11", "TLINK", (), (), {}, 14),
    )


@pytest.mark.parametrize("text", [LABELLED, UNLABELLED, LABELLED.replace("<token ", "  <token  ")])
@pytest.mark.parametrize("gold", [LABELLED, UNLABELLED])
def test_the_system_has_the_tokens_of_the_gold_file(text: str, gold: str) -> None:
    tokens = document(gold)
    found, problems = read(text, tokens)
    assert problems == ()
    assert found is not None
    assert found.tokens is tokens.tokens
    assert (found.markables, found.relations) == (document(text).markables, document(text).relations)


def test_a_token_in_a_comment_is_not_one_of_the_gold_file() -> None:
    first, second = '<token t_id="1" sentence="0">a</token>', '<token t_id="2" sentence="0">b</token>'
    gold = document(f"<Document>{first}\n{second}</Document>")
    hidden = f'<Document>{first}<!--{second}--><token t_id="2" sentence="0"/></Document>'
    assert codes(read(hidden, gold)[1]) == [("cat.tokens", 1)]


@pytest.mark.parametrize("section", ["Markables", "Relations"])
def test_sections_may_be_missing(section: str) -> None:
    start, end = LABELLED.index(f"<{section}>"), LABELLED.index(f"</{section}>") + len(section) + 3
    relations = LABELLED.index("<Relations>")
    text = (
        LABELLED[:start] + LABELLED[end:]
        if section == "Relations"
        else LABELLED[:start] + LABELLED[end:relations] + "</Document>"
    )
    found = document(text)
    assert found.relations == ()
    assert bool(found.markables) == (section == "Relations")


def test_a_file_may_be_empty() -> None:
    found = document("<Document/>")
    assert (found.tokens, found.markables, found.relations) == (Tokens((), (), ()), {}, ())


@pytest.mark.parametrize(("written", "text"), [
    ("", ""), ("<![CDATA[a<b]]>", "a<b"), ("a&amp;b", "a&b"), ("a<!-- no -->b", "ab"), ("a<?x y?>b", "ab"), ("a b", "a b"),
    (" a ", " a "), ("&e;", "one"), ("&e;<![CDATA[ ]]>&e;", "one one"), ("\u00a0", "\u00a0"),
])  # fmt: skip
def test_texts_of_tokens(written: str, text: str) -> None:
    doctype = '<!DOCTYPE Document [<!ENTITY e "one">]>'
    gold = document(doctype + LABELLED.replace(">ferry<", f">{written}<"))
    assert gold.tokens.texts == ("The", text, "left", "Friday")
    assert codes(read(LABELLED, gold)[1]) == [("cat.tokens", 3)]


def test_self_closed_tokens_are_empty() -> None:
    text = LABELLED.replace(">ferry</token>", "/>")
    assert document(text).tokens.texts == ("The", "", "left", "Friday")
    assert read(text, document(text))[1] == ()


@pytest.mark.parametrize(("number", "value"), [("7", 7), ("-1", -1), ("007", 7), ("+3", 3)])
def test_sentence_numbers(number: str, value: int) -> None:
    text = LABELLED.replace('t_id="2" sentence="0"', f't_id="2" sentence="{number}"')
    assert document(text).tokens.sentences == (0, value, 1, 1)


@pytest.mark.parametrize("number", ["", "x", "1.0", "1_0", "\u0663", " 1", "9" * 19])
def test_sentences_that_are_no_integers(number: str) -> None:
    found, problems = read(LABELLED.replace('t_id="2" sentence="0"', f't_id="2" sentence="{number}"'))
    assert found is None
    assert codes(problems) == [("cat.sentence", 3)]
    assert problems[0].where == "token 2"


def test_a_missing_sentence() -> None:
    assert codes(read(LABELLED.replace(' sentence="1" number="1"', ""))[1]) == [("cat.sentence", 5)]


@pytest.mark.parametrize(("old", "new", "expected"), [
    ('<token t_id="2"', "<token", [("cat.no-id", 3), ("cat.reference", 8)]),
    ('<token t_id="2"', '<token id="2"', [("cat.no-id", 3), ("cat.reference", 8)]),
    ('<token t_id="2"', '<token t_id="1"', [("cat.duplicate-id", 3), ("cat.reference", 8)]),
    ('EVENT m_id="1"', 'EVENT m_id=""', [("cat.no-id", 7), ("cat.reference", 12), ("cat.reference", 13)]),
    ('TIMEX3 m_id="7"', 'TIMEX3 m_id="2"', [("cat.duplicate-id", 9), ("cat.reference", 13)]),
    ('r_id="11"', "", [("cat.relation-id", 14)]),
    ('r_id="11"', 'r_id="9"', [("cat.relation-id", 14)]),
    ('<token_anchor t_id="3"/>', '<token_anchor t_id="5"/>', [("cat.reference", 7)]),
    ('<token_anchor t_id="3"/>', '<token_anchor m_id="3"/>', [("cat.no-id", 7)]),
    ('<source m_id="2"/>', '<source m_id="9"/>', [("cat.reference", 13)]),
    ('<source m_id="2"/>', "<source/>", [("cat.no-id", 13)]),
    ('<target m_id="7"/>', '<target m_id="8"/>', [("cat.reference", 13)]),
])  # fmt: skip
@pytest.mark.parametrize("is_system", [False, True])
def test_ids(old: str, new: str, expected: list[tuple[str, int]], is_system: bool) -> None:
    assert old in LABELLED
    found, problems = read(LABELLED.replace(old, new), document() if is_system else None)
    assert found is None
    assert codes(problems) == expected


def test_messages_name_line_id_and_the_nearest_known() -> None:
    (problem,) = read(LABELLED.replace('<source m_id="2"/>', '<source m_id="22"/>'))[1]
    assert problem.where == "<source> of REFERS_TO 10"
    assert problem.message == 'no markable "22"; did you mean "2"?'
    (problem,) = read(LABELLED.replace('TIMEX3 m_id="7"', 'TIMEX3 m_id="2"').replace('target m_id="7"', 'target m_id="2"'))[1]
    assert problem.message == 'the m_id "2" appears on line 8 already; ids are unique in the file'


def test_ids_are_unique_among_tokens_among_markables_and_among_relations() -> None:
    assert document(UNLABELLED.replace('id="9"', 'id="1"')).relations[0].id == "1"


def test_the_first_token_tells_how_ids_are_called() -> None:
    mixed = UNLABELLED.replace('<token id="1"', '<token t_id="1"')
    found, problems = read(mixed)
    assert found is None
    assert {code for code, _ in codes(problems)} == {"cat.no-id", "cat.relation-id"}
    assert "the file's first token tells" in problems[0].message
    both = LABELLED.replace("t_id=", 'id="x" t_id=')
    assert document(both).tokens == TOKENS


def test_an_id_in_a_labelled_file_is_an_attribute_like_others() -> None:
    assert document(LABELLED.replace('EVENT m_id="1"', 'EVENT id="x" m_id="1"')).markables["1"].attributes["id"] == "x"


def test_tolerated_relation_ids() -> None:
    found, problems = read(LABELLED.replace('r_id="11"', 'r_id="9"'), rules={"cat.relation-id": "warning"})
    assert codes(problems) == [("cat.relation-id", 14)]
    assert found is not None
    assert [relation.id for relation in found.relations] == ["9", "10", "9"]


@pytest.mark.parametrize(("old", "new", "line", "said"), [
    (">left<", ">goes<", 4, 'here "goes" with the id "3" in sentence 1, in the gold file "left" with the id "3" in sentence 1'),
    ('t_id="3" sentence="1"', 't_id="3" sentence="2"', 4, 'here "left" with the id "3" in sentence 2'),
    ('<token t_id="1"', '<token t_id="5"', 2, 'here "The" with the id "5"'),
    ('<token t_id="1" sentence="0" number="0">The</token>\n', "", 2, 'here "ferry" with the id "2"'),
    ("<Markables>", '<token t_id="5" sentence="1">.</token><Markables>', 6, "in the gold file no token after 4"),
])  # fmt: skip
def test_other_tokens_than_gold(old: str, new: str, line: int, said: str) -> None:
    found, problems = read(LABELLED.replace(old, new), document())
    assert found is None
    assert codes(problems) == [("cat.tokens", line)]
    assert said in problems[0].message


def test_tokens_that_are_missing_at_the_end() -> None:
    text = '<Document><token t_id="1" sentence="0">The</token></Document>'
    (problem,) = read(text, document())[1]
    assert (problem.code, problem.line) == ("cat.tokens", 1)
    assert problem.message.startswith('here no token after 1, in the gold file "ferry"')
    assert codes(read("<Document/>", document())[1]) == [("cat.tokens", None)]


@pytest.mark.parametrize(("old", "new", "lines"), [
    ("</Document>", "<Notes/></Document>", [16]),
    ("</Document>", "<Markables/><Relations/></Document>", [16, 16]),
    (">ferry<", ">fer<b>r</b>y<", [3]),
    ("<EVENT ", '<source m_id="1"/><EVENT ', [7]),
    ('<token_anchor t_id="3"/>', '<source m_id="2"/>', [7]),
    ('<token_anchor t_id="3"/>', '<token_anchor t_id="3"><x/></token_anchor>', [7]),
    ('<source m_id="2"/>', '<token_anchor t_id="3"/>', [13]),
    ("<Relations>", '<Relations><token t_id="8" sentence="1">x</token>', [11]),
    ("<Relations>", "<Relations>oh", [11]),
    ("</TLINK>", "</TLINK>oh", [12]),
    ("</token>\n<Mark", "</token>oh\n<Mark", [5]),
    ('<Document doc_name="ferry">', "<Document>oh", [1]),
    ('<token_anchor t_id="3"/>', '<token_anchor t_id="3">oh</token_anchor>', [7]),
    ("<Markables>", "<Markables><m:x xmlns:m='urn:m'><m:token_anchor t_id='1'/></m:x>", [6]),
])  # fmt: skip
def test_what_does_not_belong_there(old: str, new: str, lines: list[int]) -> None:
    assert old in LABELLED
    found, problems = read(LABELLED.replace(old, new, 1))
    assert found is None
    assert [(code, line) for code, line in codes(problems) if code == "xml.invalid"] == [("xml.invalid", line) for line in lines]


def test_all_problems_of_a_file_come_together() -> None:
    text = LABELLED.replace("</Document>", "<Notes/>oh</Document>").replace('t_id="2" sentence="0"', 't_id="2" sentence="x"')
    text = text.replace('source m_id="1"', 'source m_id="x"').replace('<token_anchor t_id="3"/>', '<token_anchor t_id="x"/>')
    assert codes(read(text)[1]) == [
        ("cat.sentence", 3), ("cat.reference", 7), ("cat.reference", 12), ("cat.reference", 13), ("xml.invalid", 16), ("xml.invalid", 16),
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "code"), [("<Document>", "xml.syntax"), ("<document/>", "xml.root"), ("", "xml.syntax")])
def test_other_files(text: str, code: str) -> None:
    found, problems = read(text)
    assert found is None
    assert {problem.code for problem in problems} == {code}


def test_attributes_that_differ_only_in_case() -> None:
    text = LABELLED.replace('class="MOTION"', 'Class="X" class="MOTION"').replace('relType="', 'reltype="" RELTYPE="" relType="')
    found, problems = read(text)
    assert found is not None
    assert codes(problems) == [("cat.attribute", 7), ("cat.attribute", 12)]
    assert problems[1].where == "TLINK 9"
    assert "reltype and RELTYPE and relType" in problems[1].message
    assert read(text, profile="nwr2014")[1] == ()


def test_annotations_of_the_options_are_checked_with_the_gold_file() -> None:
    line = {"name": "EVENT", "type": "markable", "attributes": ["class", "Class"]}
    _, problems = read(LABELLED, annotations=[line, line])
    assert [problem.where for problem in problems] == ["options.annotations.1", "options.annotations.0", "options.annotations.1"]
    assert {problem.code for problem in problems} == {"cat.config"}
    assert read(LABELLED, document(), annotations=[line])[1] == ()


@pytest.mark.parametrize("text", [
    LABELLED.replace("<token ", "<!-- <token ", 1).replace("</token>\n<token", "</token> -->\n<token", 1),
    LABELLED.replace("<Markables>", '<token t_id="5" sentence="1"/><Markables>'),
    LABELLED.replace("</token>\n<Mark", '</token><token\nt_id="5" sentence="1">x</token\n><Mark'),
    LABELLED.replace("</token>\n<Mark", "</token>oh<Mark"),
    "<Document><Markables><X>" + LABELLED[LABELLED.index("<token") : LABELLED.index("<Markables>")] + "</X></Markables></Document>",
    LABELLED.replace("<Document", "<?xml version='1.0' encoding='iso-8859-1'?><Document").replace("ferry<", "f\u00e9rry<"),
])  # fmt: skip
def test_the_same_bytes_elsewhere_are_not_the_same_tokens(text: str) -> None:
    assert read(text, document(LABELLED.replace("ferry<", "f\u00e9rry<") if "iso" in text else LABELLED))[0] is None


_PIECES = st.sampled_from(["a", "bc", "", " ", "é", "&amp;", "<!--c-->", "<![CDATA[<]]>", "<?p i?>"])


@given(
    st.lists(st.tuples(st.lists(_PIECES, max_size=3).map("".join), st.integers(0, 3)), max_size=6),
    st.sampled_from(["", "\n", "<!-- -->"]),
)
def test_tokens_are_the_same_however_they_are_written(rows: list[tuple[str, int]], space: str) -> None:
    tokens = [f'<token t_id="{rank}" sentence="{sentence}">{text}</token>' for rank, (text, sentence) in enumerate(rows)]
    plain, other = (f"<Document>{between.join(tokens)}</Document>" for between in ("\n", space))
    gold = document(plain)
    assert gold.tokens.texts == tuple(
        text.replace("<!--c-->", "").replace("<?p i?>", "").replace("<![CDATA[<]]>", "<").replace("&amp;", "&")
        for text, _ in rows
    )
    assert gold.tokens.sentences == tuple(sentence for _, sentence in rows)
    for text in (plain, other):
        found, problems = read(text, gold)
        assert problems == ()
        assert found is not None
        assert found.tokens is gold.tokens


@given(st.integers(0, 3), st.sampled_from(["other", "", "a&lt;b"]))
def test_one_changed_token_is_found(rank: int, text: str) -> None:
    old = f">{TOKENS.texts[rank]}<"
    assert codes(read(LABELLED.replace(old, f">{text}<"), document())[1]) == [("cat.tokens", rank + 2)]
    assert codes(read(LABELLED, document(LABELLED.replace(old, f">{text}<")))[1]) == [("cat.tokens", rank + 2)]


CORPUS = Path(os.environ.get("NLPEVAL_CAT_ESL") or Path(__file__).parents[6] / "shared/data/cat-esl")


@pytest.mark.skipif(not CORPUS.is_dir(), reason="no copy of the Event StoryLine documents")
def test_real_documents() -> None:
    golds = sorted(CORPUS.glob("gold/*.xml"))
    pairs = [(document(path.read_bytes()), document((CORPUS / "system" / path.name).read_bytes())) for path in golds]
    assert len(pairs) == 20
    for (gold, _), path in zip(pairs, golds, strict=True):
        found, problems = read((CORPUS / "system" / path.name).read_bytes(), gold)
        assert problems == ()
        assert found is not None
        assert found.tokens is gold.tokens
    assert sum(len(gold.tokens.ids) for gold, _ in pairs) == 5579
    assert sum(len(found.relations) for pair in pairs for found in pair) == 1880


def test_elements_that_do_not_belong_are_told_in_document_order() -> None:
    """All are on one line, where only the order in which they are found tells which comes first."""
    token = '<token t_id="1" sentence="0"><b/></token>'
    markables = '<Markables><A m_id="1"><c/><token_anchor t_id="1"><d/></token_anchor><e/></A><token/></Markables>'
    _, problems = read(f"<Document><a/>{token}{markables}<Markables/><f/></Document>")
    assert [problem.message.split(">")[0] for problem in problems if problem.code == "xml.invalid"] == [
        *("<a", "<b", "<c", "<d", "<e", "<token", "a second <Markables", "<f")
    ]
