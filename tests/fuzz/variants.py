"""Variants of an input that was accepted: those that must change nothing, and those whose change must be noticed.

The first is what the pages of tasks say of a byte order mark and CR LF, and JSON of the order of keys. The second finds readers that leave
out a line without a word: whoever takes a line out of a file of records must see other counts, or another problem.
"""

from __future__ import annotations

import json
from random import Random

from tests.fuzz.parts import Parts

MARK = b"\xef\xbb\xbf"

OF_LINES = ("labels", "text", "qa", "records", "rte", "exemplar")
"""The tasks whose files have a record, or a statement about one, in each line.

Others have comments, places that nobody asks for, or results that a missing one counts as.
"""

_ENDS = (".tsv", ".csv", ".jsonl", ".txt")


def same(parts: Parts, draws: Random) -> Parts | None:
    """Return an input of which every count is the same: gold or system begins with a mark, ends its lines in CR LF, or orders keys anew."""
    names = [name for name in parts if name.partition(".")[0] in ("gold", "system")]
    if not names:
        return None
    name = draws.choice(names)
    content = parts[name]
    change = draws.choice((_marked, _with_other_line_ends, _with_keys_reversed))
    changed = change(content)
    return None if changed in (None, content) else {**parts, name: changed or b""}


def _marked(content: bytes) -> bytes | None:
    starts_otherwise = content.startswith((MARK, b"\xff\xfe", b"\xfe\xff"))
    return None if starts_otherwise or b"encoding" in content[:200] else MARK + content  # it would contradict another encoding


def _with_other_line_ends(content: bytes) -> bytes | None:
    return None if b"\r" in content or b'"' in content or b"\0" in content else content.replace(b"\n", b"\r\n")


def _with_keys_reversed(content: bytes) -> bytes | None:
    """Return JSON Lines whose records have their keys in reverse; None if a line is none that the standard library would write so.

    A single line may be a document by itself, whose keys are ids of units, in an order that stays.
    """
    if content.strip().count(b"\n") == 0:
        return None
    lines = []
    for line in content.removeprefix(MARK).split(b"\n"):
        try:
            record = json.loads(line) if line.strip() else None
        except (ValueError, RecursionError):
            return None
        if isinstance(record, dict):
            if json.dumps(record, ensure_ascii=b"\\u" in line) != line.decode():
                return None
            line = json.dumps(dict(reversed(record.items())), ensure_ascii=b"\\u" in line).encode()  # noqa: PLW2901
        elif record is not None:
            return None
        lines.append(line)
    return b"\n".join(lines)


def shorter(parts: Parts, draws: Random) -> Parts | None:
    """Return an input without one of the lines of gold or system; None if lines may be left out there, or told twice."""
    names = [name for name in parts if name.startswith(("gold.", "system.")) and name.endswith(_ENDS)]
    if not names or any(word in parts.get("options", b"") for word in (b"where", b'"set"')):
        return None
    name = draws.choice(names)
    lines = parts[name].split(b"\n")
    rank = draws.randrange(len(lines))
    if not lines[rank].strip(b" \t\r" + MARK) or parts[name].lstrip(MARK + b" \t\r\n")[:1] == b"<" or b'""' in parts[name]:
        return None
    return {**parts, name: b"\n".join(lines[:rank] + lines[rank + 1 :])}
