"""The hardened reader, by way of the smallest DTD there is (rte)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.files import Source
from pytest_nlpeval.formats.xml import WINDOW_BYTES, XML_KINDS, read_records, read_xml, read_xml_of_any_root
from pytest_nlpeval.problems import ProblemLog

ROOT = "entailment-corpus"


def pair(name: object = 1, text: str = "a") -> str:
    return f'<pair id="{name}" task="IR" value="TRUE"><t>{text}</t><h>b</h></pair>'


def corpus(*pairs: str, prolog: str = "") -> bytes:
    return f"{prolog}<{ROOT}>\n{chr(10).join(pairs)}\n</{ROOT}>".encode()


def records(data: bytes) -> tuple[list[tuple[str, str]], list[str]]:
    log = ProblemLog("f", XML_KINDS)
    found = [
        (str(record.get("id")), record.findtext("t") or "")
        for _, record in read_records(Source("f", data), "rte.dtd", ROOT, "pair", log)
    ]
    return found, [f"{problem.line} {problem.code.removeprefix('xml.')}" for problem in log.problems()]


def whole(data: bytes) -> tuple[bool, list[str]]:
    log = ProblemLog("f", XML_KINDS)
    root = read_xml(Source("f", data), "rte.dtd", (ROOT,), log)
    return root is not None, [f"{problem.line} {problem.code.removeprefix('xml.')}" for problem in log.problems()]


def test_records_come_in_document_order() -> None:
    data = corpus(*(pair(rank) for rank in range(5000)))
    assert len(data) > WINDOW_BYTES
    assert records(data) == ([(str(rank), "a") for rank in range(5000)], [])
    assert whole(data) == (True, [])


@pytest.mark.parametrize("reader", [records, whole])
@pytest.mark.parametrize(
    ("data", "problems"),
    [
        (corpus(pair(), "<pair/>", pair()), {"3 invalid"}),
        (corpus(pair().replace("TRUE", "true")), {"2 invalid"}),
        (corpus(pair(), "<other/>"), {"1 invalid", "3 invalid"}),
        (corpus(pair(pair())), {"2 syntax"}),
        (f"<pair id='1'>{pair()}</pair>".encode(), {"1 root"}),
        (b"<x/>", {"1 root"}),
        (corpus(pair()) + b"<x/>", {"4 syntax"}),
        (corpus(pair())[:-5], {"4 syntax"}),
        (b"", {"None syntax"}),
        (b" \n", {"None syntax"}),
        (b"\x1f\x8b\x08\0", {"None syntax"}),
        (corpus(pair(text="a\0b")), {"2 syntax"}),
        (corpus(pair(text="é")).replace("é".encode(), b"\xe9"), {"2 syntax"}),
        (corpus(pair(text="&nbsp;"), prolog=f'<!DOCTYPE {ROOT} SYSTEM "nobody-has.dtd">\n'), {"3 syntax"}),
        (corpus("<t>" * 300 + "</t>" * 300), {"2 syntax"}),
    ],
)
def test_problems_have_their_lines(reader: object, data: bytes, problems: set[str]) -> None:
    found = records(data)[1] if reader is records else whole(data)[1]
    assert found
    assert set(found) >= problems or {line.split()[1] for line in found} == {line.split()[1] for line in problems}


def test_lines_are_right_beyond_65535_and_across_windows() -> None:
    lines = 70_000
    data = corpus(*(pair(rank) for rank in range(lines)), "<pair/>")
    assert records(data)[1][0].startswith(f"{lines + 2} ")


def test_a_legal_internal_entity_keeps_the_text_after_it() -> None:
    prolog = f'<!DOCTYPE {ROOT} [<!ENTITY co "Comp &amp; Co">]>'
    data = corpus(pair(text="at &co; today"), prolog=prolog)
    assert records(data) == ([("1", "at Comp & Co today")], [])


def test_a_doctype_that_names_a_dtd_is_ignored() -> None:
    assert records(corpus(pair(), prolog=f'<!DOCTYPE {ROOT} SYSTEM "http://example.org/rte.dtd">'))[1] == []


def test_what_was_read_before_leaves_no_trace() -> None:
    entity = f'<!DOCTYPE {ROOT} [<!ENTITY e "x"><!ATTLIST pair extra CDATA "y">]>'
    files = [
        corpus(pair()),
        corpus(pair(text="&e;"), prolog=entity),
        corpus(pair(text="&e;")),
        corpus(pair(pair())),
        corpus(pair())[:-5],
        b"",
        corpus(pair(text="é")).decode().encode("utf-16"),
        corpus(pair(), "<pair/>"),
    ]
    for before in files:
        for data in files:
            with ThreadPoolExecutor(1) as fresh:
                alone = fresh.submit(whole, data).result()
            whole(before)
            assert whole(data) == alone


UTF_16 = "<?xml version='1.0' encoding='UTF-16'?>"
INVALID = corpus(pair(), "<pair/>").decode()
BOMS = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff", "utf-32-le": b"\xff\xfe\0\0", "utf-32-be": b"\0\0\xfe\xff"}


@pytest.mark.parametrize("more", [b"", b"\n", b"\n\0\0", b"<", b"\xd8\0"])
@pytest.mark.parametrize("declared", ["", "UTF-16", "UTF-32", "UTF-8", "nope"])
@pytest.mark.parametrize("has_mark", [True, False])
@pytest.mark.parametrize("encoding", BOMS)
def test_bytes_after_the_last_whole_character_are_a_problem(encoding: str, has_mark: bool, declared: str, more: bytes) -> None:
    prolog = f"<?xml version='1.0' encoding='{declared}'?>\n" if declared else ""
    data = (BOMS[encoding] if has_mark else b"") + (prolog + INVALID).encode(encoding) + more
    for reader in (records, whole):
        problems = reader(data)[1]
        assert problems
        assert encoding.startswith("utf-32") or all(problem.split()[0].isdigit() for problem in problems)


def test_lines_of_records_are_known_in_utf_16() -> None:
    for mark, encoding in ((b"", "utf-16-le"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        data = mark + corpus(pair(), pair() + "text", prolog=UTF_16).decode().encode(encoding)
        assert "3 invalid" in records(data)[1]


def test_comments_and_instructions_do_not_split_text() -> None:
    assert records(corpus(pair(text="a<!-- x -->b<?y z?>c<![CDATA[<d>]]>"))) == ([("1", "abc<d>")], [])


@pytest.mark.parametrize(
    "prolog",
    [
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE r [<!ENTITY x SYSTEM "http://localhost:1/">]>',
        '<!DOCTYPE r [<!ENTITY % p SYSTEM "file:///etc/hostname"> %p;]>',
        "<!DOCTYPE r ["
        '<!ENTITY x0 "xxxxxxxxxx">'
        + "".join(f'<!ENTITY x{n + 1} "{f"&x{n};" * 10}">' for n in range(9))
        + '<!ENTITY x "&x9;">]>',
        f'<!DOCTYPE r [<!ENTITY q "{"x" * 100_000}"><!ENTITY x "{"&q;" * 2000}">]>',
    ],
    ids=["file", "http", "parameter", "laughs", "quadratic"],
)
def test_external_and_exploding_entities_are_errors(prolog: str) -> None:
    found, problems = records(corpus(pair(text="&x;"), prolog=prolog))
    assert found in ([], [("1", "")])  # records may come before the error is known; nothing from outside is in them
    assert {problem.split()[1] for problem in problems} == {"syntax"}


@given(
    st.lists(
        st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs"), exclude_characters="<&\ufffe\uffff"), min_size=1),
        max_size=5,
    )
)
def test_texts_come_back(texts: list[str]) -> None:
    found, problems = records(corpus(*(pair(rank, text.replace("]]>", "")) for rank, text in enumerate(texts))))
    assert problems == []
    assert [text for _, text in found] == [text.replace("]]>", "") for text in texts]


@pytest.mark.parametrize("size", [WINDOW_BYTES - 300, WINDOW_BYTES, 3 * WINDOW_BYTES])
def test_text_between_records_may_cross_windows(size: int) -> None:
    blank = " " * size
    data = f"<{ROOT}>\n{blank.join(pair(rank) for rank in range(4))}\n{blank}</{ROOT}>".encode()
    assert records(data) == ([(str(rank), "a") for rank in range(4)], [])


@pytest.mark.parametrize("place", range(4))
def test_text_between_records_is_invalid_wherever_it_appears(place: int) -> None:
    parts = [pair(rank) for rank in range(3)]
    parts.insert(place, "stray")
    for gap in ("\n", " " * WINDOW_BYTES):
        found, problems = records(f"<{ROOT}>{gap}{gap.join(parts)}</{ROOT}>".encode())
        assert [problem.split()[1] for problem in problems] == ["invalid"], found


def open_root(data: str) -> tuple[list[str] | None, list[str]]:
    """The names of the root's children, and the problems, of a file with pairs of an open root."""
    log = ProblemLog("f", XML_KINDS)
    root = read_xml_of_any_root(Source("f", data.encode()), "are_pairs.dtd", ("pair",), log)
    found = None if root is None else [str(child.tag) for child in root]
    return found, [f"{problem.line} {problem.code.removeprefix('xml.')}" for problem in log.problems()]


PAIR = '<pair><pronoun id="1"/><antecedent id="2"/></pair>'


@pytest.mark.parametrize(
    "root",
    [
        "root",
        "x",
        "pair",
        "pronoun",
        'x lang="en"',
        'x xmlns:a="http://example.org" a:b="c"',
        "répons",
        "a:x xmlns:a='http://example.org'",
    ],
)
def test_an_open_root_may_have_any_name_and_attributes(root: str) -> None:
    name = root.split(maxsplit=1)[0]
    assert open_root(f"<{root}>\n{PAIR}\n{PAIR}</{name}>") == (["pair", "pair"], [])
    assert open_root(f"<{root}/>") == ([], [])


@pytest.mark.parametrize(
    ("data", "problems"),
    [
        (f"<x>{PAIR}\n<pair/></x>", {"2 invalid"}),
        (f"\n<x>{PAIR}text</x>", {"2 invalid"}),
        (f"<x>{PAIR}\n<y/></x>", {"1 invalid", "2 invalid"}),
        (f'<x xmlns="http://example.org">{PAIR}</x>', {"1 root"}),
        (f'<x xmlns:a="http://example.org">{PAIR}<a:y/></x>', {"1 invalid"}),
        (f"<x>\n<y>{PAIR}</y><z/></x>", {"1 root"}),
        (PAIR, {"1 root"}),
        ("<x>", {"1 syntax"}),
        ("", {"None syntax"}),
    ],
)
def test_the_content_of_an_open_root_is_checked(data: str, problems: set[str]) -> None:
    found, shown = open_root(data)
    assert found is None
    assert set(shown) == problems


def test_an_open_root_is_read_as_safely_as_any() -> None:
    external = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>\n'
    assert open_root(f"{external}<x>{PAIR}&e;</x>") == (None, ["2 syntax"])
    assert open_root("<x>" + "<pair>" * 300 + "</pair>" * 300 + "</x>")[1][0].endswith("syntax")


def test_another_kind_of_file_is_said_once() -> None:
    log = ProblemLog("f", XML_KINDS)
    data = "<x>" + "<a/><b/><c/><d/>" * 50 + "</x>"
    assert read_xml_of_any_root(Source("f", data.encode()), "are_pairs.dtd", ("pair",), log) is None
    (problem,) = log.problems()
    assert problem.message == "the root element holds <a> and <b> and <c>; expected <pair>"


def test_a_document_that_is_too_large_for_the_parser_is_told_with_a_cure() -> None:
    log = ProblemLog("f", XML_KINDS)
    assert read_xml(Source("f", corpus(" " * 10_000_001)), "rte.dtd", (ROOT,), log) is None
    (problem,) = log.problems()
    assert problem.code == "xml.syntax"
    assert problem.message == (
        "Resource limit exceeded: the document, or one text or attribute of it, has more than 10,000,000 bytes; "
        "split it into documents, one file each"
    )
