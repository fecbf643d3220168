r"""An input of a target that reads several files: each part is a record separator (0x1E), the part's name, a line feed and its bytes.

>>> joined({"options": b"{}", "gold.tsv": b"1\ta\n"})
b'\x1eoptions\n{}\x1egold.tsv\n1\ta\n'
>>> split(b"\x1eoptions\n{}\x1egold.tsv\n1\ta\n")
{'options': b'{}', 'gold.tsv': b'1\ta\n'}
"""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from typing import Any

SIGN = b"\x1e"

Parts = Mapping[str, bytes]

_NUMBERS = "0 -0 -1 1e400 1e-400 1e308 -1e308 NaN -Infinity 0x1 1_0 99999999999999999999 ١ ² Ⅷ"
_JSON = r'null true [] {} "" "\ud800" "\u0000" [[]] {"":""} [null] \ " , '
_MARKUP = "&amp; &#0; &x; <!-- ]]> <![CDATA[ &a !!python/object *a | ' %s {doc} ../.. __proto__ * #"
_LETTERS = "ß ﬁ İ 中文 \u0e01\u0e33 e\u0301 \u200b \u202e \ufeff \uffff \U0010ffff \U0001f469\u200d"
_SPACES = ("", " ", "\t", "\r", "\r\n", "\v", "\x00", "\x1c", "\x85", "\xa0", "\u2028")
WORDS = (
    *(word.encode() for words in (_NUMBERS, _JSON, _MARKUP, _LETTERS) for word in words.split(" ")),
    *(word.encode() for word in _SPACES),
    *(b"\xff", b"\x85", b"9" * 4400, b"[" * 1200, b'{"a":' * 600),
)
"""What readers have stumbled over: numbers out of bounds, surrogates, nesting, characters that may count as line ends or digits."""

_KEYS = ("", "id", "__proto__", "a.b", "\ud800", "İ", "0")
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -0.0, -1, 0.5, 1.5, 1e308, 5e-324, math.nan, math.inf, 2**53 + 1, 10**30, 10**400, 99),
    *(
        "",
        " ",
        "a",
        "1",
        "nan",
        "\ud800",
        "\x00",
        "\u202e",
        "a\nb",
        "é",
        "e\u0301",
        [],
        {},
        [[]],
        [None],
        {"": ""},
        ["a", "a"],
        {"id": 1},
    ),
)
"""What the values of a JSON document become: of other types, out of bounds, empty."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[-+.\w]+|[^\w\s]')


def joined(parts: Parts) -> bytes:
    """Return the parts as one input."""
    return b"".join(SIGN + name.encode() + b"\n" + content for name, content in parts.items())


def split(data: bytes) -> dict[str, bytes]:
    """Return the parts of an input: of several of one name the last, none where there is no separator."""
    heads = (part.partition(b"\n") for part in data.split(SIGN)[1:])
    return {name.decode("ascii", "replace"): content for name, _, content in heads}


def mutated(data: bytes, size: int, seed: int, mutate: Callable[[bytes, int], bytes]) -> bytes:
    """Return an input of at most `size` bytes in which one part is changed, seldom the options; an input without parts is one.

    The names of the parts stay, but for one input in fifty: `mutate` changes that one as a whole.
    """
    parts, draws = split(data), random.Random(seed)
    if not parts:
        return _changed(data, size, draws, mutate)[:size]
    if draws.random() < 0.02:
        return mutate(data, size)
    names = [name for name in parts if name != "options"] or list(parts)
    name = "options" if "options" in parts and draws.random() < 0.05 else draws.choice(names)
    room = size - len(joined({**parts, name: b""}))
    if room <= 0:
        return data[:size]
    content = _changed(parts[name], room, draws, mutate)
    return joined({**parts, name: content.replace(SIGN, b"")})[:size]


def crossed(one: bytes, other: bytes, size: int, seed: int) -> bytes:
    """Return an input of at most `size` bytes that has each part from either of two inputs, or the lines of both in one part."""
    first, second, draws = split(one), split(other), random.Random(seed)
    if not first:
        return _spliced(one, other, draws)[:size] or one[:size]
    parts = {}
    for name, content in first.items():
        theirs = second.get(name, content)
        choice = draws.randrange(4)
        parts[name] = content if choice < 2 else theirs if choice == 2 else _spliced(content, theirs, draws)
    return joined(parts)[:size] or one[:size]


def _spliced(one: bytes, other: bytes, draws: random.Random) -> bytes:
    first, second = one.splitlines(keepends=True), other.splitlines(keepends=True)
    return b"".join(first[: draws.randint(0, len(first))] + second[draws.randint(0, len(second)) :])


def _changed(content: bytes, size: int, draws: random.Random, mutate: Callable[[bytes, int], bytes]) -> bytes:
    """Return a file that `mutate` has changed, or in which a token, a line or a value of JSON is another."""
    draw = draws.random()
    if draw < 0.3 and (changed := restructured(content, draws)) is not None:
        return changed
    return _reworded(content, draws) if draw < 0.6 else mutate(content, size)


def restructured(content: bytes, draws: random.Random) -> bytes | None:
    """Return JSON, or JSON Lines, in which a value is another, is gone, or stands under another key; None if the file has none."""
    if content.lstrip()[:1] not in (b"{", b"["):
        return None
    lines = [content] if b"\n" not in content.strip() else content.splitlines(keepends=True)
    rank = draws.randrange(len(lines))
    for first, last in ((rank, rank + 1), (0, len(lines))):  # a line, or the whole
        try:
            document = json.loads(b"".join(lines[first:last]))
            _change_a_value(document, draws)
            text = json.dumps(document, ensure_ascii=draws.random() < 0.5).encode("utf-8", "surrogatepass")
        except (ValueError, RecursionError):
            continue
        return b"".join([*lines[:first], text, b"\n", *lines[last:]])
    return None


def _change_a_value(document: Any, draws: random.Random) -> None:
    """Change one value of a JSON document: it becomes a word or another value of the document, goes, or gets a copy under another key."""
    places = list(_places(document))
    if not places:
        return
    parent, key = draws.choice(places)
    match draws.randrange(5):
        case 0:
            del parent[key]
        case 1 if isinstance(parent, list):
            parent.insert(key, parent[key])
        case 1:
            parent[draws.choice(_KEYS) if draws.random() < 0.5 else draws.choice(list(parent))] = parent[key]
        case 2:
            other, place = draws.choice(places)
            parent[key] = deepcopy(other[place])  # which may contain its new parent
        case _:
            parent[key] = deepcopy(draws.choice(_VALUES))


def _places(document: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the list or object, and the index or key, of each value within a JSON document, whatever its depth."""
    waiting = [document]
    while waiting:
        parent = waiting.pop()
        for key in list(parent) if isinstance(parent, dict) else range(len(parent)) if isinstance(parent, list) else ():
            yield parent, key
            waiting.append(parent[key])


def _reworded(content: bytes, draws: random.Random) -> bytes:
    """Return a file in which a token is replaced by a word or by another of its tokens, or a line is repeated, left out or moved."""
    if draws.random() < 0.3:
        lines = content.splitlines(keepends=True) or [b""]
        line = lines.pop(draws.randrange(len(lines)))
        for _ in range(draws.randrange(3)):
            lines.insert(draws.randint(0, len(lines)), line)
        return b"".join(lines)
    tokens = list(_TOKEN.finditer(content))
    start, end = draws.choice(tokens).span() if tokens else (0, 0)
    word = draws.choice(WORDS) if draws.random() < 0.7 or not tokens else draws.choice(tokens)[0]
    return content[:start] + word + content[start if draws.random() < 0.3 else end :]
