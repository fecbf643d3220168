"""Reads the JSON report out of an artifact, which anybody may have made.

Nothing is unpacked: one entry is read, into memory, up to a limit. So it has no effect where other entries would lie, and what they are.
"""

from __future__ import annotations

import stat
import struct
import zlib
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

REPORT = "report.json"
"""The entry that is read: at the top of the artifact, where actions/upload-artifact puts it if its `path` is the report folder."""

MOST_BYTES = 1 << 25
"""Of the artifact."""

MOST_REPORT = 1 << 25
"""Bytes of the report, unpacked. To check a report takes about 1.3 seconds for each megabyte."""

MOST_ENTRIES = 10_000

_DIRECTORY_ENTRY = b"PK\x01\x02"
"""How each entry of a directory begins: the archive has no more entries than occurrences."""


class RefusedError(Exception):
    """An artifact that is not taken; the text says why and what to do."""


def report_in(archive: bytes) -> bytes:
    """Return the bytes of the report in a zip archive.

    Raises:
        RefusedError: if it is no zip archive, has not exactly one report, or the report is a link, is encrypted, damaged or too large.
    """
    if len(archive) > MOST_BYTES:
        raise RefusedError(f"has {len(archive):,} bytes; at most {MOST_BYTES:,} are read")
    if archive.count(_DIRECTORY_ENTRY) > MOST_ENTRIES:
        raise RefusedError(f"has more than {MOST_ENTRIES:,} entries")
    try:
        with ZipFile(BytesIO(archive)) as files:
            entry = _entry(files)
            with files.open(entry) as stream:
                data = stream.read(MOST_REPORT + 1)
    except (
        BadZipFile,
        EOFError,
        LookupError,
        NotImplementedError,
        OSError,
        RuntimeError,
        ValueError,
        struct.error,
        zlib.error,
    ) as error:
        raise RefusedError(f"is not a zip archive that can be read: {str(error) or type(error).__name__}") from None
    if len(data) > MOST_REPORT:
        raise RefusedError(_too_large("more than that"))
    return data


def _entry(files: ZipFile) -> ZipInfo:
    """Return the entry of the report; raise `RefusedError` if it may not be read."""
    entries = [entry for entry in files.infolist() if entry.filename == REPORT]
    if len(entries) != 1:
        has = f"has {REPORT} {len(entries)} times" if entries else f"has no {REPORT} at its top"
        raise RefusedError(f"{has}; let actions/upload-artifact have the report-dir alone as its path")
    (entry,) = entries
    mode = entry.external_attr >> 16
    if mode and not stat.S_ISREG(mode) and stat.S_IFMT(mode):
        raise RefusedError(f"has a link, or no regular file, as {REPORT}")
    if entry.compress_type not in (ZIP_STORED, ZIP_DEFLATED) or entry.flag_bits & 1:
        raise RefusedError(f"has {REPORT} encrypted, or packed otherwise than by deflate")
    if entry.file_size > MOST_REPORT:
        raise RefusedError(_too_large(f"{entry.file_size:,}"))
    return entry


def _too_large(size: str) -> str:
    return f"has a {REPORT} of {size} bytes; at most {MOST_REPORT:,} are read: let several workflows share the suites"
