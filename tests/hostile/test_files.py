"""Gold and system files that are no such thing: encodings, NUL bytes, folders, pipes, a million mistakes."""

from __future__ import annotations

import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.run_both import both, shows
from tests.support import GATE, RIGHT, command, config_text, gold_xml, make_suite, write

Capture = pytest.CaptureFixture[str]

LATIN = gold_xml().replace("A text.", "Ein Käfer.")
RUN, GOLD = "system/a.txt", "gold/a.xml"

SYSTEM: dict[str, tuple[bytes, str]] = {
    "latin-1": ("1 TRUE 0.9\n2 WÄHR 0.8\n".encode("latin-1"), "system/a.txt:2:4: text.encoding: byte 0xc4 is not UTF-8"),
    "utf-16": (RIGHT.encode("utf-16"), "system/a.txt: text.encoding: is UTF-16 text; save it as UTF-8"),
    "utf-16 without mark": (RIGHT.encode("utf-16-le"), "system/a.txt:1:2: text.nul: "),
    "utf-32": (RIGHT.encode("utf-32"), "system/a.txt: text.encoding: is UTF-16 text"),
    "truncated utf-8": ("1 TRUE 0.9\n2 TRUE é".encode()[:-1], "system/a.txt:2:8: text.encoding: byte 0xc3"),
    "overlong utf-8": (b"1 TRUE \xc0\xb1\n", "system/a.txt:1:8: text.encoding: byte 0xc0"),
    "surrogate": (b"1 TRUE \xed\xa0\x80\n", "system/a.txt:1:8: text.encoding: byte 0xed"),
    "nul": (b"1 TRUE 0.9\n2 FALSE\0 0.8\n", "system/a.txt:2:8: text.nul: 1 NUL byte;"),
    "only nul": (b"\0" * 4096, "system/a.txt:1:1: text.nul: 4,096 NUL bytes"),
    "gzip": (gzip.compress(RIGHT.encode()), "system/a.txt: text.encoding: is gzip-compressed data; decompress it first"),
    "zip": (b"PK\x03\x04" + bytes(range(200)), "system/a.txt: text.encoding: is a zip archive"),
    "pdf": (b"%PDF-1.7\n\xe2\xe3", "system/a.txt: text.encoding: is a PDF document"),
    "random": (bytes(range(256)) * 40, "system/a.txt:"),
    "one long line": (b"1 TRUE " + b"9" * 3_000_000, 'system/a.txt:1: rte.confidence: confidence "999'),
    "long id": (b"9" * 3_000_000 + b" TRUE 1\n", "system/a.txt:1: rte.unknown-id: "),
    "long word": (b"1 " + b"T" * 3_000_000 + b"\n", 'system/a.txt:1: rte.judgment: judgment "TTT'),
    "many fields": (b"1 " * 1_000_000 + b"\n", "system/a.txt:1: rte.line: 1000000 fields in "),
    "carriage returns": (b"1 TRUE 0.9\r2 FALSE 0.8\r", "system/a.txt:1: rte.line"),
    "unicode digits": ("\u0661 TRUE 0.9\n".encode(), "system/a.txt:1: rte.line"),
    "unicode blanks": ("1\u00a0TRUE\u00a00.9\n".encode(), "system/a.txt:1: rte.line"),
    "line separators": ("1 TRUE 0.9\u20282 FALSE 0.8\n".encode(), "system/a.txt:1: rte.line"),
    "vertical tabs": (b"1 TRUE 0.9\x0b2 FALSE 0.8\x0c\n", "system/a.txt:1: rte.line"),
}


@pytest.mark.parametrize("name", SYSTEM)
def test_system_files(pytester: pytest.Pytester, capfd: Capture, name: str) -> None:
    content, message = SYSTEM[name]
    make_suite(pytester.path, runs={"a": content, "b": RIGHT})
    ended = both(pytester, capfd, pytester.path, 1)
    shows(ended, message, "unjudged")


def test_an_empty_run_is_a_run_of_no_coverage(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(pytester.path, "coverage: 0.1", runs={"a": b""})
    shows(both(pytester, capfd, pytester.path, 1), "rte.empty-run", "0.000  [0.000, 0.490]  ≥ 0.1, short by 0.100")


GOLDS: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "gold/a.xml: xml.syntax: is empty; expected an XML document"),
    "blank": (b" \n\n", "gold/a.xml: xml.syntax: is empty"),
    "latin-1": (LATIN.encode("latin-1"), "gold/a.xml:2:"),
    "truncated": (gold_xml().encode()[:-30], "gold/a.xml:"),
    "truncated utf-8": (gold_xml().replace("A claim.", "é").partition("é")[0].encode() + b"\xc3", "gold/a.xml:2:"),
    "nul": (gold_xml().encode().replace(b"A text", b"A\0text"), "gold/a.xml:2:"),
    "only nul": (bytes(4096), "gold/a.xml:1:"),
    "gzip": (gzip.compress(gold_xml().encode()), "gold/a.xml: xml.syntax: is not XML but gzip-compressed data"),
    "text": (RIGHT.encode(), "gold/a.xml:1:1: xml.syntax"),
    "another root": (b"<html><body/></html>", "gold/a.xml:1: xml.root: the root element is <html>; expected <entailment-corpus>"),
    "two roots": (gold_xml().encode() * 2, "gold/a.xml:7:"),
    "unknown encoding": (b'<?xml version="1.0" encoding="klingon"?>' + gold_xml().encode(), "gold/a.xml:1:"),
    "a lie about the encoding": (b'<?xml version="1.0" encoding="UTF-16"?>' + gold_xml().encode(), "gold/a.xml:"),
    "character that is none": (gold_xml().encode().replace(b"A text", b"A&#0;text"), "gold/a.xml:2:"),
    "300 deep": (b"<entailment-corpus>" + b"<t>" * 300 + b"</t>" * 300 + b"</entailment-corpus>", "gold/a.xml:1:"),
    "100,000 deep": (b"<entailment-corpus>" + b"<t>" * 100_000, "gold/a.xml:1:"),
    "a long name": (b"<" + b"x" * 100_000 + b"/>", "gold/a.xml:1:"),
    "a long attribute": (gold_xml().encode().replace(b'id="1"', b'id="' + b"1" * 11_000_000 + b'"'), "Resource limit exceeded"),
    "many attributes": (
        b"<entailment-corpus>\n<pair " + b" ".join(b'a%d="1"' % n for n in range(20_000)) + b"/></entailment-corpus>",
        "gold/a.xml:2",
    ),
}


@pytest.mark.parametrize("name", GOLDS)
def test_gold_files(pytester: pytest.Pytester, capfd: Capture, name: str) -> None:
    content, message = GOLDS[name]
    make_suite(pytester.path, runs={"a": RIGHT, "b": RIGHT})
    write(pytester.path, {GOLD: content})
    ended = both(pytester, capfd, pytester.path, 2)
    shows(ended, message)


def test_other_encodings_that_xml_may_have(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(pytester.path, "accuracy: 1", runs={"a": RIGHT, "b": RIGHT})
    write(pytester.path, {GOLD: ('<?xml version="1.0" encoding="ISO-8859-1"?>\n' + LATIN).encode("latin-1")})
    write(pytester.path, {"gold/b.xml": ('<?xml version="1.0" encoding="UTF-16"?>\n' + LATIN).encode("utf-16")})
    both(pytester, capfd, pytester.path, 0)


def _folder(path: Path) -> None:
    path.mkdir()


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _dangling(path: Path) -> None:
    path.symlink_to("nowhere")


KINDS: dict[str, tuple[Callable[[Path], None], str]] = {
    "folder": (_folder, "file.not-regular: is a folder; expected a file"),
    "pipe": (os.mkfifo, "file.not-regular: is not a regular file"),
    "missing": (lambda _: None, "file.missing: does not exist"),
    "dangling link": (_dangling, "file.missing: does not exist"),
    "loop": (_loop, "file.unreadable: cannot be read"),
}


@pytest.mark.usefixtures("never_waits")
@pytest.mark.parametrize("role", [RUN, GOLD])
@pytest.mark.parametrize("name", KINDS)
def test_what_is_no_file(pytester: pytest.Pytester, capfd: Capture, name: str, role: str) -> None:
    make_suite(pytester.path, runs={"a": RIGHT, "b": RIGHT})
    make, message = KINDS[name]
    (pytester.path / role).unlink()
    make(pytester.path / role)
    code = 1 if role == RUN else 2
    shows(both(pytester, capfd, pytester.path, code), f"{role}: {message}")


def test_a_device(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(
        pytester.path, config=config_text(GATE).replace("version: 1", "version: 1\nallow_outside: true"), runs={"a": RIGHT}
    )
    (pytester.path / RUN).unlink()
    (pytester.path / RUN).symlink_to("/dev/zero")
    shows(both(pytester, capfd, pytester.path, 1), f"{RUN}: file.not-regular: is not a regular file")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(pytester.path, runs={"a": RIGHT})
    (pytester.path / RUN).chmod(0)
    shows(both(pytester, capfd, pytester.path, 1), f"{RUN}: file.unreadable: cannot be read: Permission denied (EACCES)")


MILLION = 1_000_000


def test_a_million_problems_in_a_run(pytester: pytest.Pytester, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    make_suite(pytester.path, runs={"a": b"x\n" * MILLION})
    monkeypatch.chdir(pytester.path)
    ended = command(capfd, "run", "--no-cache")
    assert ended.code == 1
    assert f"{RUN}:1: rte.line" in ended.out
    assert "rte.line: and 999,980 more problems of this kind" in ended.out
    lines = [line for line in ended.out.splitlines() if line.startswith(f"{RUN}:")]
    assert len(lines) == 5 + 1  # of the first 20 that all say the same, and the number of the rest
    assert ended.out.count(f"({RUN}:1: rte.line)") == 1  # the reason, in the verdict's sentence
    assert ended.out.count(f"{RUN}:") == 5 + 1 + 1
    assert "rte.line: 15 more problems that say the same, in 1 file" in ended.out


@pytest.mark.parametrize(
    ("line", "code"), [(b"x\n", "rte.line"), (b"1 MAYBE 0.5\n", "rte.judgment"), (b"9 TRUE 0.5\n", "rte.unknown-id")]
)
def test_very_many_problems_in_a_run(pytester: pytest.Pytester, capfd: Capture, line: bytes, code: str) -> None:
    make_suite(pytester.path, runs={"a": line * 10_000})
    ended = both(pytester, capfd, pytester.path, 1)
    shows(ended, f"{RUN}:1: {code}", f"{code}: and 9,980 more problems of this kind")
    for one in ended:  # five of the first twenty, which say the same, and the number of all others
        assert sum(line.startswith(f"{RUN}:") for line in one.all.splitlines()) == 5 + 1
        assert f"{code}: 15 more problems that say the same, in 1 file" in one.all


def test_very_many_bad_pairs_in_gold(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(pytester.path, runs={"a": RIGHT})
    pair = '<pair id="x" task="ZZ" value="TRUE"><t> </t><h>B</h></pair>\n'
    write(pytester.path, {GOLD: "<entailment-corpus>\n" + pair * 2_000 + "</entailment-corpus>\n"})
    ended = both(pytester, capfd, pytester.path, 2)
    shows(ended, f"{GOLD}:2: rte.id", f"{GOLD}:2: rte.blank-text", f"{GOLD}:2: rte.task", "rte.id: and 1,980 more problems")


def test_many_bad_files_are_all_named(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(pytester.path, runs={f"d{number}": b"%d\n" % number for number in range(60)})
    ended = both(pytester, capfd, pytester.path, 1)
    shows(ended, *(f"system/d{number}.txt:1: rte.line" for number in range(60)))


def test_what_is_wrong_with_many_files_in_the_same_way_is_told_once_with_its_number(
    pytester: pytest.Pytester, capfd: Capture
) -> None:
    make_suite(pytester.path, runs={f"d{number:02}": b"x\n" for number in range(60)})
    ran, tested = both(pytester, capfd, pytester.path, 1)
    assert [f"system/d{number:02}.txt:1: rte.line" in ran.all for number in range(6)] == [True] * 5 + [False]
    assert "rte.line: 55 more problems that say the same, in 55 files" in ran.all
    assert all(f"system/d{number:02}.txt:1: rte.line" in tested.all for number in range(60))  # each is a test of its own


TEXTS = {
    "escape": b"1 TRUE \x1b[31mred\x1b[0m\n",
    "bell and backspace": b"1 \x07\x08\x7f TRUE\n",
    "c1 controls": "1 \u009b31m 0.5\n".encode(),
    "workflow command": b"::error file=a::b TRUE 0.5\n",
    "workflow command behind blanks": b"  ::set-output name=x::y TRUE\n",
    "old workflow command": b"##[error]x TRUE 0.5\n",
    "bidi": "1 TR\u202eUE 0.5\n".encode(),
    "isolates": "1 TRUE 0.5\u2066x\u2069\n".encode(),
    "carriage return": b"1 TRUE 0.5 \r::error::x\n",
    "zero width": "\u200b1 TRUE 0.5\n".encode(),
    "tags": "1 TRUE\U000e0041 0.5\n".encode(),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_of_system_files_is_shown_escaped(pytester: pytest.Pytester, capfd: Capture, name: str) -> None:
    make_suite(pytester.path, runs={"a": TEXTS[name]})
    ended = both(pytester, capfd, pytester.path, 1)
    shows(ended, f"{RUN}:1: rte.")


def corpus(name: str = "1", task: str = "IR", value: str = "TRUE") -> str:
    return f'<entailment-corpus><pair id="{name}" task="{task}" value="{value}"><t>a</t><h>b</h></pair></entailment-corpus>'


XML_TEXTS = {
    "escape in a name": corpus("&#x9b;31m", "::error::", "##[error]"),
    "line break": corpus("1&#10;::error::x"),
    "element": "<entailment-corpus><\u202eevil/></entailment-corpus>",
    "root": "<\u00e9\u200d\u0661/>",
    "entity": "<entailment-corpus>&amp\x9b;&\u2066x;</entailment-corpus>",
    "long": corpus("x" * 100_000),
    "long task": corpus(task="x" * 100_000),
}


@pytest.mark.parametrize("name", XML_TEXTS)
def test_text_of_gold_files_is_shown_escaped(pytester: pytest.Pytester, capfd: Capture, name: str) -> None:
    make_suite(pytester.path, runs={"a": RIGHT})
    write(pytester.path, {GOLD: XML_TEXTS[name]})
    shows(both(pytester, capfd, pytester.path, 2), "gold/a.xml:1")
