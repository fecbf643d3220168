r"""An input of a target that reads several files: each part is a record separator (0x1E), the part's name, a line feed and its bytes.

>>> joined({"options": b"{}", "gold.tsv": b"1\ta\n"})
b'\x1eoptions\n{}\x1egold.tsv\n1\ta\n'
>>> split(b"\x1eoptions\n{}\x1egold.tsv\n1\ta\n")
{'options': b'{}', 'gold.tsv': b'1\ta\n'}
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

SIGN = b"\x1e"

Parts = Mapping[str, bytes]


def joined(parts: Parts) -> bytes:
    """Return the parts as one input."""
    return b"".join(SIGN + name.encode() + b"\n" + content for name, content in parts.items())


def split(data: bytes) -> dict[str, bytes]:
    """Return the parts of an input: of several of one name the last, none where there is no separator."""
    heads = (part.partition(b"\n") for part in data.split(SIGN)[1:])
    return {name.decode("ascii", "replace"): content for name, _, content in heads}


def mutated(data: bytes, size: int, seed: int, mutate: Callable[[bytes, int], bytes]) -> bytes:
    """Return an input of at most `size` bytes in which `mutate` has changed one part, seldom the options; their names stay."""
    parts, draws = split(data), random.Random(seed)
    if not parts or draws.random() < 0.02:
        return mutate(data, size)
    names = [name for name in parts if name != "options"] or list(parts)
    name = "options" if "options" in parts and draws.random() < 0.05 else draws.choice(names)
    room = size - len(joined({**parts, name: b""}))
    if room <= 0:
        return data[:size]
    content = mutate(parts[name], room)
    return joined({**parts, name: content.replace(SIGN, b"")})[:size]


def crossed(one: bytes, other: bytes, size: int, seed: int) -> bytes:
    """Return an input of at most `size` bytes that has each part from either of two inputs, or the lines of both in one part."""
    first, second, draws = split(one), split(other), random.Random(seed)
    parts = {}
    for name, content in first.items():
        theirs = second.get(name, content)
        choice = draws.randrange(4)
        parts[name] = content if choice < 2 else theirs if choice == 2 else _spliced(content, theirs, draws)
    return joined(parts)[:size] or one[:size]


def _spliced(one: bytes, other: bytes, draws: random.Random) -> bytes:
    first, second = one.splitlines(keepends=True), other.splitlines(keepends=True)
    return b"".join(first[: draws.randint(0, len(first))] + second[draws.randint(0, len(second)) :])
