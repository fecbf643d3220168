"""Characters by their Unicode category, as `str.translate` and patterns need them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable


class Translation(dict[int, str]):
    """A table for `str.translate` in which a function gives the text of each character, asked once a character.

    >>> "a1".translate(Translation(str.upper))
    'A1'
    """

    def __init__(self, text_of: Callable[[str], str]) -> None:
        super().__init__()
        self._text_of = text_of

    def __missing__(self, code: int) -> str:
        """Return the text of a character that was not asked for before."""
        text = self[code] = self._text_of(chr(code))
        return text


def has_category(character: str, starts: tuple[str, ...]) -> bool:
    """Whether the category of a character, by Python's Unicode tables, begins with one of some letters.

    >>> has_category("é", ("L", "M")), has_category("-", ("L", "M"))
    (True, False)
    """
    return unicodedata.category(character).startswith(starts)


def class_of(characters: Iterable[str]) -> str:
    r"""Return the class of a pattern that some characters are, `(?!)` for none.

    >>> class_of("a]"), class_of("")
    ('[a\\]]', '(?!)')
    """
    inside = "".join(map(re.escape, characters))
    return f"[{inside}]" if inside else "(?!)"
