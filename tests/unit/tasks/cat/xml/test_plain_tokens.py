"""Plain tokens are read without the XML parser, and never so that anybody could notice."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import Problem, ProblemLog
from pytest_nlpeval.tasks.cat import TASK
from pytest_nlpeval.tasks.cat.xml import reader
from pytest_nlpeval.tasks.cat.xml.document import Document
from pytest_nlpeval.tasks.cat.xml.plain_tokens import take_tokens

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<Document doc_name="d">\n'
WORDS = ["a", "b c", "&amp;&quot;", "é'\"", "\u4e00"]
TOKENS = [f'<token t_id="{rank}" sentence="{rank // 3}" number="{rank % 3}">{word}</token>' for rank, word in enumerate(WORDS)]
REST = (
    '\n<Markables>\n<EVENT m_id="1" pred="go">\n<token_anchor t_id="1"/>\n</EVENT>\n<EVENT m_id="2">\n<token_anchor t_id="3"/>\n</EVENT>\n'
    '</Markables>\n<Relations>\n<TLINK r_id="9" relType="BEFORE">\n<source m_id="1"/>\n<target m_id="2"/>\n</TLINK>\n</Relations>\n'
    "</Document>\n"
)
TEXT = HEAD + "\n".join(TOKENS) + "\n" + REST

Read = tuple[Document | None, tuple[Problem, ...]]


def read(data: str | bytes, gold: Document | None = None, *, plainly: bool = True) -> Read:
    """Read a file as usual, or with the XML parser alone."""
    source = Source("d.xml", data.encode() if isinstance(data, str) else data)
    log = ProblemLog("d.xml", TASK.problems)
    with pytest.MonkeyPatch.context() as patch:
        if not plainly:
            patch.setattr(reader, "take_tokens", lambda *_: None)
        found = reader.read_document(source, log, gold.tokens if gold else None)
    return found, log.problems()


def document_of(text: str) -> Document:
    found, problems = read(text)
    assert found is not None, problems
    return found


def is_taken(text: str) -> bool:
    return take_tokens(text.encode(), None) is not None


@pytest.mark.parametrize("space", ["", "\n", "\n  ", " ", "\r\n", "\n\n\n\t"])
def test_plain_tokens_are_what_the_parser_reads(space: str) -> None:
    text = HEAD + space.join(TOKENS) + REST
    assert is_taken(text)
    assert read(text) == read(text, plainly=False)
    found = document_of(text)
    assert found.tokens.texts == ("a", "b c", '&"', "é'\"", "\u4e00")
    assert found.markables["1"].line == text[: text.index("<EVENT")].count("\n") + 1


@pytest.mark.parametrize("space", ["\n", "\n  ", " ", "\r\n", "\n\n\n\t"])
def test_the_tokens_of_both_files_are_held_once(space: str) -> None:
    gold = document_of(TEXT)
    for tokens in (TOKENS, [token.replace("token t_id", 'token lemma="x" t_id') for token in TOKENS]):
        found, problems = read(HEAD + space.join(tokens) + REST, gold)
        assert problems == ()
        assert found is not None
        assert found.tokens is gold.tokens


@pytest.mark.parametrize(
    "head",
    [
        "<Document>",
        "<Document >",
        "\ufeff<Document>",
        "<?xml version='1.0'?><Document\ta='b'>",
        '<?xml version="1.0" standalone="yes"?>\n\n<Document>\n\n',
    ],
)
def test_the_start_of_a_file_may_be_written_in_many_ways(head: str) -> None:
    text = head + "\n".join(TOKENS) + REST
    assert is_taken(text)
    assert read(text) == read(text, plainly=False)
    assert document_of(text).tokens.written


CHANGES = [
    ("</token>\n<token", "</token>\n<!-- <token t_id='7'>c</token> -->\n<token"),
    ("</token>\n<token", "</token>\n<?a b?>\n<token"),
    ("</token>\n<token", "</token>stray\n<token"),
    ("</token>\n<token", "</token>\nstray\n<token"),
    ("</token>\n<token", "</token>\u00a0<token"),
    ("</token>\n<token", "</token><![CDATA[stray]]>\n<token"),
    ("</token>\n<token", "</token>\n</Document>\n<token"),
    (">a<", ">A<"),
    (">a<", "><"),
    (">a<", "> <"),
    (">a<", ">a]]><"),
    (">a<", ">a>b<"),
    (">a<", ">a & b<"),
    (">a<", ">&unknown;<"),
    (">a<", ">&#97;<"),
    (">a<", ">a\rb<"),
    (">a<", ">a\x01<"),
    (">a<", ">a\uffff<"),
    (">a<", ">a\x85\u2028\x7f<"),
    (">a<", "><b>a</b><"),
    ("</token>\n\n<Mark", '</token>\n<token t_id="8" sentence="0"/>\n<Mark'),
    ("</token>\n\n<Mark", "</token>\n<!-- </token> --><Mark"),
    ("</token>\n\n<Mark", "</token>\nstray<Mark"),
    ("<Document", "<!-- <token t_id='0'>a</token> --><Document"),
    ("<Document", "<!DOCTYPE Document [<!ENTITY amp 'x'>]><Document"),
    ("<Document", "stray<Document"),
    ('<Document doc_name="d">', '<Document xmlns="urn:x">'),
    ('<Document doc_name="d">', '<Document doc_name="d"/>'),
    ('<Document doc_name="d">', "<Document doc_name='>'>"),
    ('<Document doc_name="d">', '<Document a="1" a="2">'),
    ('<Document doc_name="d">', "<Text>"),
    ('encoding="UTF-8"', 'encoding="latin-1"'),
    ('encoding="UTF-8"', 'encoding="ascii"'),
    ('encoding="UTF-8"', 'encoding="utf-16"'),
    ('<?xml version="1.0"', '<?xml version="9.9"'),
    ('t_id="', 'id="'),
    ('t_id="', 'x="'),
    ('t_id="1"', 't_id="0"'),
    ('t_id="1"', 't_id=""'),
    ('t_id="1"', "t_id='1'"),
    ('t_id="1"', 't_id="1&amp;"'),
    ('t_id="1"', 't_id="1\n"'),
    ('t_id="1"', 't_id="1" t_id="2"'),
    ('t_id="1"', 't_id="1"  '),
    ('t_id="1"', 'xml:lang="en" t_id="1"'),
    ('t_id="1"', 'x:y="en" t_id="1"'),
    (' sentence="', ' number="'),
    ('sentence="0" ', ""),
    ('sentence="0"', 'sentence="x"'),
    ('sentence="0"', 'sentence="-0007"'),
    ('sentence="0"', 'sentence=""'),
    ('sentence="0"', 'sentence="99999999999999999999"'),
    ('number="0"', 'number="<"'),
    ('<token_anchor t_id="3"', '<token_anchor t_id="7"'),
    ('m_id="2"', 'm_id="1"'),
    ("</Relations>", "</Relations>\n<Relations/>"),
    ("</Relations>", ""),
    ("</Document>", "</Document>\n<token t_id='5'>c</token>"),
    ('<source m_id="1"/>', '<source id="1"/>'),
    ('<EVENT m_id="1"', '<EVENT id="1"'),
]


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_whatever_is_different_is_read_as_by_the_parser(old: str, new: str) -> None:
    gold = document_of(TEXT)
    for changed in (TEXT.replace(old, new), TEXT.replace(old, new, 1)):
        assert changed != TEXT
        for other in (None, gold):
            assert read(changed, other) == read(changed, other, plainly=False)


@settings(max_examples=300)
@given(st.text(st.sampled_from(list('<>/token t_id="1"&;![]-?\n xa')), max_size=12), st.integers(0, len(TEXT)), st.integers(0, 9))
def test_any_change_is_read_as_by_the_parser(inserted: str, place: int, cut: int) -> None:
    changed = TEXT[:place] + inserted + TEXT[place + cut :]
    for other in (None, document_of(TEXT)):
        assert read(changed, other) == read(changed, other, plainly=False)


@settings(max_examples=300)
@given(st.binary(min_size=1, max_size=3), st.integers(0, len(TEXT.encode())))
def test_any_bytes_are_read_as_by_the_parser(inserted: bytes, place: int) -> None:
    changed = TEXT.encode()[:place] + inserted + TEXT.encode()[place:]
    assert read(changed) == read(changed, plainly=False)


@given(st.lists(st.text(max_size=4), min_size=1, max_size=4))
def test_any_words(words: list[str]) -> None:
    tokens = "\n".join(f'<token t_id="{rank}" sentence="0">{word}</token>' for rank, word in enumerate(words))
    data = f"<Document>{tokens}</Document>".encode("utf-8", "surrogatepass")
    assert read(data) == read(data, plainly=False)


def test_a_text_that_the_parser_refuses_for_its_length_is_left_to_it() -> None:
    text = TEXT.replace(">a<", f">{'a' * 10_000_001}<")
    assert not is_taken(text)
    assert [problem.code for problem in read(text)[1]] == ["xml.syntax"]


def test_a_single_token_and_none() -> None:
    for number in (0, 1):
        text = HEAD + "".join(TOKENS[:number]) + "</Document>"
        assert is_taken(text) == bool(number)
        assert read(text) == read(text, plainly=False)
        gold = document_of(text)
        assert read(text, gold) == (gold, ())
        assert [problem.code for problem in read(TEXT, gold)[1]][:1] == ["cat.tokens"]
