"""Records read one by one are those of the tree of the whole file, and so are the problems: the tree reader is the reference here."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats import xml
from pytest_nlpeval.formats.xml import XML_KINDS, read_records, read_xml
from pytest_nlpeval.problems import Problem, ProblemLog

Record = tuple[dict[str, str], list[tuple[str, str]]]
HEAD = '<!DOCTYPE entailment-corpus [<!ENTITY who "Mara &#38;#38; Tilda">]>\n<entailment-corpus>'
ROOT = "entailment-corpus"

PARTS = (
    "<t>Rain fell.</t>",
    "<t>&who; sing &lt;\n loud.</t>",
    "<t><![CDATA[a < b]]></t>",
    "<t>\u00e9\u4e2d\n\n</t>",
    "<t>no<!-- c --> end</t>",
)
GAPS = ("", "\n", "\n\n  ", "<!-- <pair> -->\n", "<?x y?>")
GOOD = ('id="1" task="IE"', 'task="IE"\n  id="2" value="TRUE"', 'id="3" task="QA" entailment="NO" length="short"')
BAD = ('id="4"', 'id="5" task="IE" value="true"', 'id="6" task="IE" colour="red"', "")
CONTENT = (
    "<t>A.</t>",
    "<h>B.</h>",
    "<t>A.</t><t>A.</t><h>B.</h>",
    "<t>A.</t><h>B.</h>loose",
    '<t x="1">A.</t><h>B.</h>',
    "<t>A<b/></t><h>B</h>",
    "",
)

good = st.tuples(st.sampled_from(GOOD), st.sampled_from(GAPS), st.sampled_from(PARTS), st.booleans(), st.sampled_from(GAPS)).map(
    lambda drawn: (
        f"<pair {drawn[0]}>{drawn[1]}{('{}<h>It rained.</h>' if drawn[3] else '<h>It rained.</h>{}').format(drawn[2])}</pair>{drawn[4]}"
    )
)
bad = st.one_of(
    st.tuples(st.sampled_from(BAD), st.sampled_from(GAPS)).map(
        lambda drawn: f"<pair {drawn[0]}><t>A.</t>{drawn[1]}<h>B.</h></pair>{drawn[1]}"
    ),
    st.tuples(st.sampled_from(GAPS), st.sampled_from(CONTENT)).map(
        lambda drawn: f'<pair id="7" task="IE">{drawn[0]}{drawn[1]}</pair>\n'
    ),
)
ill_formed = st.sampled_from(
    ("<pair", "<t>", "&nobody;", "</pair>", "\x01", "a & b", "<pair id='1' id='2'/>", "</entailment-corpus>")
)
windows = st.sampled_from((1, 2, 7, 64, 1000, 1 << 18))


def texts_of(pair: etree._Element) -> Record:
    return {str(name): str(value) for name, value in pair.attrib.items()}, [(str(part.tag), part.text or "") for part in pair]


def by_tree(text: str) -> tuple[list[Record], tuple[Problem, ...]]:
    log = ProblemLog("f.xml", XML_KINDS)
    root = read_xml(Source("f.xml", text.encode()), "rte.dtd", (ROOT,), log)
    return [texts_of(pair) for pair in root] if root is not None else [], log.problems()


def by_records(text: str, window: int) -> tuple[list[Record], tuple[Problem, ...]]:
    log = ProblemLog("f.xml", XML_KINDS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(xml, "WINDOW_BYTES", window)
        found = [texts_of(pair) for _, pair in read_records(Source("f.xml", text.encode()), "rte.dtd", ROOT, "pair", log)]
    return found, log.problems()


@settings(max_examples=60)
@given(st.lists(good, max_size=8), windows)
def test_valid_files_give_the_records_of_the_tree(pairs: list[str], window: int) -> None:
    text = f"{HEAD}{''.join(pairs)}</{ROOT}>\n"
    assert by_records(text, window) == by_tree(text)
    assert by_tree(text)[1] == ()


@settings(max_examples=60)
@given(st.lists(st.one_of(good, bad), max_size=8), windows)
def test_invalid_records_have_the_problems_of_the_tree(pairs: list[str], window: int) -> None:
    text = f"{HEAD}{''.join(pairs)}</{ROOT}>\n"
    assert by_records(text, window)[1] == by_tree(text)[1]


@settings(max_examples=60)
@given(st.lists(st.one_of(good, bad), max_size=6), ill_formed, st.lists(good, max_size=3), windows)
def test_what_is_not_well_formed_is_told_as_by_the_tree(before: list[str], broken: str, after: list[str], window: int) -> None:
    text = f"{HEAD}{''.join(before)}{broken}{''.join(after)}</{ROOT}>\n"
    syntax = [problem for problem in by_records(text, window)[1] if problem.code == "xml.syntax"]
    expected = [problem for problem in by_tree(text)[1] if problem.code == "xml.syntax"]
    assert syntax == expected
    assert len(by_records(text, window)[1]) >= len(expected)


@settings(max_examples=60)
@given(st.lists(good, max_size=5), st.integers(0, 400), windows)
def test_files_that_are_cut_off_are_told_as_by_the_tree(pairs: list[str], length: int, window: int) -> None:
    text = f"{HEAD}{''.join(pairs)}</{ROOT}>"[:length]
    assert [problem.code for problem in by_records(text, window)[1]] == [problem.code for problem in by_tree(text)[1]]


@settings(max_examples=60)
@given(st.lists(st.one_of(good, bad), min_size=1, max_size=8), st.integers(0, 7), windows)
def test_windows_do_not_matter(pairs: list[str], stray: int, window: int) -> None:
    """Also where text stands between records, of which the tree reader says less."""
    pairs.insert(stray % (len(pairs) + 1), "stray &who;")
    text = f"{HEAD}{''.join(pairs)}</{ROOT}>\n"
    assert by_records(text, window) == by_records(text, 1 << 18)
    assert "xml.invalid" in {problem.code for problem in by_records(text, window)[1]}
