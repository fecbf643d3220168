"""XML that would read other files, fetch from the network, or grow without end; and legal entities, which keep their text."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import pytest_nlpeval
from tests.hostile.run_both import both, shows
from tests.support import RIGHT, gold_xml, make_suite, write

Capture = pytest.CaptureFixture[str]

SECRET = "do-not-show-7f3a"


class _Counting(http.server.BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        self.send_response(200)
        self.end_headers()
        self.wfile.write(SECRET.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the library's name
        """Say nothing."""


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """A web server: its address, and what it was asked for."""
    asked: list[str] = []
    handler = type("Handler", (_Counting,), {"asked": asked})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}", asked
        served.shutdown()
        thread.join()


def corpus(subset: str, text: str, external: str = "") -> str:
    """A gold file with a DOCTYPE and `text` in its first pair."""
    doctype = (
        f"<!DOCTYPE entailment-corpus {external} [\n{subset}\n]>\n" if subset else f"<!DOCTYPE entailment-corpus {external}>\n"
    )
    return f'<?xml version="1.0"?>\n{doctype}' + gold_xml().replace("A text.", text, 1)


REFUSED = {
    "file": ('<!ENTITY x SYSTEM "{file}">', "&x;"),
    "relative file": ('<!ENTITY x SYSTEM "../secret.txt">', "&x;"),
    "http": ('<!ENTITY x SYSTEM "{http}/secret">', "&x;"),
    "public": ('<!ENTITY x PUBLIC "-//A//B" "{http}/secret">', "&x;"),
    "external parameter entity": ('<!ENTITY % p SYSTEM "{http}/p.dtd"> %p;', "&x;"),
    "parameter entity of a file": ('<!ENTITY % p SYSTEM "{file}"> %p;', "&x;"),
    "undeclared": ("", "&nbsp;"),
    "recursive": ('<!ENTITY x "&y;"><!ENTITY y "&x;">', "&x;"),
    "self": ('<!ENTITY x "a&x;b">', "&x;"),
    "unbalanced": ('<!ENTITY x "</t></pair>">', "&x;"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(pytester: pytest.Pytester, capfd: Capture, server: tuple[str, list[str]], name: str) -> None:
    address, asked = server
    subset, text = (part.format(file=(pytester.path / "secret.txt").as_uri(), http=address) for part in REFUSED[name])
    make_suite(pytester.path, runs={"a": RIGHT})
    write(pytester.path, {"secret.txt": SECRET, "gold/a.xml": corpus(subset, text)})
    ended = both(pytester, capfd, pytester.path, 2)
    shows(ended, "gold/a.xml:", "xml.syntax")
    assert asked == []
    assert all(SECRET not in one.all for one in ended)


def test_an_external_dtd_is_neither_fetched_nor_needed(
    pytester: pytest.Pytester, capfd: Capture, server: tuple[str, list[str]]
) -> None:
    address, asked = server
    make_suite(pytester.path, "accuracy: 1", runs={"a": RIGHT, "b": RIGHT, "c": RIGHT})
    write(
        pytester.path,
        {
            "gold/a.xml": corpus("", "A text.", f'SYSTEM "{address}/rte.dtd"'),
            "gold/b.xml": corpus("", "A text.", 'SYSTEM "rte.dtd"'),
            "gold/c.xml": corpus(f'<!ENTITY % unused SYSTEM "{address}/p.dtd">', "A text.", f'PUBLIC "x" "{address}/rte.dtd"'),
            "gold/rte.dtd": "<!ELEMENT nothing EMPTY>",
        },
    )
    both(pytester, capfd, pytester.path, 0)
    assert asked == []


def test_an_internal_dtd_cannot_add_attributes_or_elements(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(pytester.path, "accuracy: 1", runs={"a": RIGHT})
    no_value = gold_xml().replace(' value="TRUE"', "")
    write(
        pytester.path,
        {"gold/a.xml": f'<!DOCTYPE entailment-corpus [<!ATTLIST pair value CDATA "TRUE">]>\n{no_value}'},
    )
    shows(both(pytester, capfd, pytester.path, 2), "gold/a.xml:3: rte.no-judgment")


def laughs(levels: int, width: int) -> str:
    """`width ** levels` copies of a word in entities that refer to each other."""
    names = [f"l{level}" for level in range(levels)]
    entities = ['<!ENTITY l "lol">'] + [
        f'<!ENTITY {name} "{f"&{inner};" * width}">' for name, inner in zip(names, ["l", *names], strict=False)
    ]
    return corpus("\n".join(entities), f"&{names[-1]};")


BOMBS = {
    "billion laughs": laughs(9, 10),
    "wide laughs": laughs(3, 1000),
    "in an attribute": laughs(9, 10).replace('id="1"', 'id="&l8;"').replace("<t>&l8;</t>", "<t>x</t>"),
    "quadratic": corpus(f'<!ENTITY x "{"x" * 50_000}">', "&x;" * 20_000),
    "parameter entities": corpus(
        '<!ENTITY % a "x"><!ENTITY % b "&#37;a;&#37;a;&#37;a;">' * 1 + "<!ENTITY % c '<!ENTITY d \"&#37;b;\">'> %c;", "&d;"
    ),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs(pytester: pytest.Pytester, capfd: Capture, name: str) -> None:
    make_suite(pytester.path, runs={"a": RIGHT})
    write(pytester.path, {"gold/a.xml": BOMBS[name]})
    shows(both(pytester, capfd, pytester.path, 2), "gold/a.xml:", "xml.syntax")


def test_the_text_of_legal_internal_entities_survives(pytester: pytest.Pytester, capfd: Capture) -> None:
    """With `resolve_entities=False` the text would vanish, and so would the reason for `rte.blank-text`."""
    make_suite(pytester.path, "accuracy: 1", runs={"a": RIGHT})
    subset = '<!ENTITY company "Acme &amp; Sons"><!ENTITY both "&company;, &company;"><!ENTITY one "1">'
    gold = corpus(subset, "&both;").replace('id="1"', 'id="&one;"')
    write(pytester.path, {"gold/a.xml": gold})
    both(pytester, capfd, pytester.path, 0)
    blank = corpus('<!ENTITY nothing " ">', "&nothing;")
    write(pytester.path, {"gold/a.xml": blank})
    shows(both(pytester, capfd, pytester.path, 2), "rte.blank-text")


def test_comments_and_instructions_do_not_split_a_text(tmp_path: Path) -> None:
    text = "<!-- no --><?php exit() ?>A<!-- b --> text<![CDATA[ <>&]]>"
    write(tmp_path, {"a.xml": gold_xml().replace("A text.", text, 1), "a.txt": RIGHT})
    result = pytest_nlpeval.score("rte", gold=tmp_path / "a.xml", system=tmp_path / "a.txt")
    assert (result["accuracy"], result.all_problems()) == (1.0, ())
