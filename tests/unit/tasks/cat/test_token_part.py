"""The tokens that both files write alike: parsed once, and never so that it could be noticed."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_nlpeval.formats.source import Source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.cat import TASK, reading
from pytest_nlpeval.tasks.cat.document import Document
from pytest_nlpeval.tasks.cat.options import Options
from pytest_nlpeval.tasks.cat.token_part import without_tokens

OPTIONS = TASK.options()
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<Document doc_name="d">\n'
TOKENS = [
    f'<token t_id="{rank}" sentence="{rank // 3}" number="{rank % 3}">{word}</token>' for rank, word in enumerate("ab&é\u4e00")
]
TOKENS = [token.replace("&", "&amp;") for token in TOKENS]
REST = (
    '\n<Markables>\n<EVENT m_id="1" pred="go">\n<token_anchor t_id="1"/>\n</EVENT>\n<EVENT m_id="2">\n<token_anchor t_id="3"/>\n</EVENT>\n'
    '</Markables>\n<Relations>\n<TLINK r_id="9" relType="BEFORE">\n<source m_id="1"/>\n<target m_id="2"/>\n</TLINK>\n</Relations>\n'
    "</Document>\n"
)
GOLD = HEAD + "\n".join(TOKENS) + REST


def gold() -> Document:
    log = ProblemLog("gold.xml", TASK.problems)
    found = reading.read_gold(Source("gold.xml", GOLD.encode()), {}, OPTIONS, log)
    assert found is not None, log.problems()
    assert found.tokens.written == "\n".join(TOKENS).encode()
    return found


def read(data: bytes, document: Document, *, shared: bool) -> tuple[Document | None, tuple[object, ...]]:
    """Read a system file with the short cut or without it."""
    log = ProblemLog("system.xml", TASK.problems)
    with pytest.MonkeyPatch.context() as patch:
        if not shared:
            patch.setattr(reading, "without_tokens", lambda *_: b"")
        found = reading.read_system(Source("system.xml", data), {"gold": document}, OPTIONS, log)
    return found, log.problems()


def taken(data: bytes, document: Document) -> bool:
    return bool(without_tokens(data, document.tokens.written))


@pytest.mark.parametrize("space", ["\n", "\n  ", " ", "\r\n", "\n\n\n\t"])
def test_the_tokens_are_golds_and_the_lines_the_files_own(space: str) -> None:
    document = gold()
    data = (HEAD + space.join(TOKENS) + REST).encode()
    assert taken(data, document)
    found, problems = read(data, document, shared=True)
    assert (found, problems) == read(data, document, shared=False)
    assert found is not None
    assert found.tokens is document.tokens
    assert found.markables["1"].line == data[: data.index(b"<EVENT")].count(b"\n") + 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("</token>\n<token", "</token>\n<!-- <token t_id='7'>c</token> -->\n<token"),
        ("</token>\n<token", "</token>\n<?a b?>\n<token"),
        ("</token>\n<token", "</token>stray\n<token"),
        ("</token>\n<token", "</token><![CDATA[stray]]>\n<token"),
        (">a<", ">A<"),
        ("</token>\n\n<Mark", '</token>\n<token t_id="8" sentence="0"/>\n<Mark'),
        ("</token>\n\n<Mark", "</token>\n<!-- </token> --><Mark"),
        ("<Document", "<!-- <token t_id='0'>a</token> --><Document"),
        ("<Document", "<!DOCTYPE Document [<!ENTITY amp 'x'>]><Document"),
        ('<Document doc_name="d">', '<Document xmlns="urn:x">'),
        ('<Document doc_name="d">', "<Text>"),
        ('encoding="UTF-8"', 'encoding="latin-1"'),
        ('m_id="2">\n<token_anchor t_id="3"', 'm_id="1">\n<token_anchor t_id="7"'),
        ("</Relations>", "</Relations>\n<Relations/>"),
        ("</Relations>", ""),
        ("</Document>", "</Document>\n<token t_id='5'>c</token>"),
        ('<source m_id="1"/>', '<source id="1"/>'),
        ('<EVENT m_id="1"', '<EVENT id="1"'),
    ],
)
def test_whatever_else_differs_is_found_as_without_the_short_cut(old: str, new: str) -> None:
    document, text = gold(), GOLD.replace("</token>\n<Mark", "</token>\n\n<Mark")
    for data in (text.replace(old, new), text.replace(old, new, 1)):
        assert data != text
        assert read(data.encode(), document, shared=True) == read(data.encode(), document, shared=False)


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from(list('<>/token t_id="1"&;![]-?\n xa')), max_size=12), st.integers(0, len(GOLD)), st.integers(0, 9))
def test_any_change_is_found_as_without_the_short_cut(inserted: str, place: int, cut: int) -> None:
    document = gold()
    data = (GOLD[:place] + inserted + GOLD[place + cut :]).encode()
    assert read(data, document, shared=True) == read(data, document, shared=False)


def test_another_prefix_of_names_is_another_file() -> None:
    named = GOLD.replace("<Document", '<Document xmlns:x="urn:x"').replace("<token ", '<token x:y="z" ')
    log = ProblemLog("gold.xml", TASK.problems)
    document = reading.read_gold(Source("gold.xml", named.encode()), {}, Options(), log)
    assert document is not None
    assert not document.tokens.written


def test_a_single_token_and_none() -> None:
    for number in (0, 1):
        text = HEAD + "".join(TOKENS[:number]) + "</Document>"
        log = ProblemLog("gold.xml", TASK.problems)
        document = reading.read_gold(Source("gold.xml", text.encode()), {}, OPTIONS, log)
        assert document is not None
        assert taken(text.encode(), document) == bool(number)
        assert not taken(GOLD.encode(), document)
        found, problems = read(text.encode(), document, shared=True)
        assert (found, problems) == (document, ())
