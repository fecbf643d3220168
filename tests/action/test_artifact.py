"""What is read of an artifact that anybody may have made: one entry, up to a limit, and nothing is unpacked."""

from __future__ import annotations

import stat
import struct
import warnings
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import artifact
import pytest
from artifact import RefusedError, report_in
from hypothesis import given
from hypothesis import strategies as st

DATA = b'{"version": 1}'


def packed(*entries: tuple[str | ZipInfo, bytes], packing: int = ZIP_DEFLATED) -> bytes:
    target = BytesIO()
    with warnings.catch_warnings(action="ignore"), ZipFile(target, "w") as files:  # of a name twice
        for name, data in entries:
            files.writestr(name, data, packing)
    return target.getvalue()


def of_mode(name: str, mode: int) -> ZipInfo:
    entry = ZipInfo(name)
    entry.external_attr = mode << 16
    return entry


@pytest.mark.parametrize("packing", [ZIP_STORED, ZIP_DEFLATED])
def test_the_report_is_read_among_others(packing: int) -> None:
    assert report_in(packed(("report.md", b"# x"), ("report.json", DATA), ("junit.xml", b"<a/>"), packing=packing)) == DATA


def test_entries_that_lead_elsewhere_have_no_effect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No entry is unpacked, whatever its name, and a link beside the report leads nowhere."""
    monkeypatch.chdir(tmp_path)
    entries = ("../report.json", "/etc/report.json", "..\\report.json", "a/../../report.json", "REPORT.JSON", "./report.json")
    link = (of_mode("link", stat.S_IFLNK | 0o777), b"/etc/passwd")
    assert report_in(packed(*((name, b"{}") for name in entries), link, ("report.json", DATA))) == DATA
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(RefusedError, match=r"has no report\.json at its top"):
        report_in(packed(*((name, b"{}") for name in entries)))


def with_flag(data: bytes, flag: int) -> bytes:
    """The archive of one entry, in whose two headers a flag is set."""
    changed = bytearray(data)
    for sign, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.index(sign) + offset
        struct.pack_into("<H", changed, place, struct.unpack_from("<H", data, place)[0] | flag)
    return bytes(changed)


@pytest.mark.parametrize(
    ("archive", "says"),
    [
        (b"", "is not a zip archive"),
        (b"PK\x05\x06", "is not a zip archive"),
        (DATA, "is not a zip archive"),
        (packed(("report.json", DATA))[:-30], "is not a zip archive"),
        (packed(("report.json", DATA), packing=ZIP_STORED).replace(DATA, DATA[::-1]), "Bad CRC-32"),
        (packed(), "has no report.json"),
        (packed(("report.json/", b"")), "has no report.json"),
        (packed(("report.json", DATA), ("report.json", b"{}")), "has report.json 2 times"),
        (packed((of_mode("report.json", stat.S_IFLNK | 0o777), b"/etc/passwd")), "has a link"),
        (packed((of_mode("report.json", stat.S_IFIFO | 0o666), b"")), "has a link, or no regular file"),
        (packed(("report.json", DATA), packing=ZIP_BZIP2), "packed otherwise than by deflate"),
        (with_flag(packed(("report.json", DATA)), 1), "encrypted"),
        (with_flag(packed(("report.json", DATA)), 1 << 5), "is not a zip archive that can be read"),
    ],
)
def test_an_archive_that_is_not_taken(archive: bytes, says: str) -> None:
    with pytest.raises(RefusedError) as refused:
        report_in(archive)
    assert says in str(refused.value)


def test_a_bomb_is_not_unpacked() -> None:
    """The size that its directory tells is refused; if it lies, what is beyond is not read."""
    bomb = packed(("report.json", bytes(artifact.MOST_REPORT + 1)))
    assert len(bomb) < artifact.MOST_REPORT / 500
    with pytest.raises(RefusedError, match=r"has a report\.json of 33,554,433 bytes; at most 33,554,432 are read"):
        report_in(bomb)
    size = struct.pack("<L", artifact.MOST_REPORT + 1)
    with pytest.raises(RefusedError, match="Bad CRC-32"):
        report_in(bomb.replace(size, struct.pack("<L", 100)))


def test_the_limits_of_an_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    data = packed(("report.json", DATA), ("a", b""))
    monkeypatch.setattr(artifact, "MOST_BYTES", len(data))
    monkeypatch.setattr(artifact, "MOST_ENTRIES", 2)
    monkeypatch.setattr(artifact, "MOST_REPORT", len(DATA))
    assert report_in(data) == DATA
    for name, value, says in (
        ("MOST_BYTES", len(data) - 1, "bytes; at most"),
        ("MOST_ENTRIES", 1, "more than 1 entries"),
        ("MOST_REPORT", len(DATA) - 1, "a report.json of 14 bytes; at most 13"),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(artifact, name, value)
            with pytest.raises(RefusedError, match=says):
                report_in(data)


@given(st.data())
def test_a_damaged_archive_is_read_or_refused(data: st.DataObject) -> None:
    """Whatever bytes are changed or cut, there is the report or a refusal, and no other exception."""
    archive = bytearray(packed(("report.json", DATA), ("b", b"b" * 50)))
    for place in data.draw(st.lists(st.integers(0, len(archive) - 1), max_size=4)):
        archive[place] = data.draw(st.integers(0, 255))
    cut = data.draw(st.integers(0, len(archive)))
    with suppress(RefusedError):
        assert isinstance(report_in(bytes(archive[cut:])), bytes)
