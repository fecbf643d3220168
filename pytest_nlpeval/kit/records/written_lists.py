"""Lists as programs write them into one cell of a table."""

from __future__ import annotations

import ast
import re

_TEXT = r"'(?:[^'\\]|\\.)*+'|\"(?:[^\"\\]|\\.)*+\""
_ELEMENT = rf"(?:{_TEXT}|-?[0-9]++)"
_BRACKETS = {"[": "]", "(": ")", "{": "}"}
_LIST = re.compile(rf"\s*+(?:{_ELEMENT}(?:\s*+,\s*+{_ELEMENT})*+\s*+,?+)?+\s*+")
_ELEMENTS = re.compile(_ELEMENT)


def listed_in(text: str) -> list[str] | None:
    """Return the elements of a list, tuple or set of texts and whole numbers as Python or JSON writes it, None if the text is none.

    pandas writes a column of lists so. numpy writes no commas, and two texts without a comma are one in Python: such text is no list here.

    >>> listed_in("['toxic', 'spam']"), listed_in("[]"), listed_in("['toxic' 'spam']"), listed_in("[CLS]")
    (['toxic', 'spam'], [], None, None)
    """
    if len(text) < 2 or _BRACKETS.get(text[0]) != text[-1] or not _LIST.fullmatch(text, 1, len(text) - 1):
        return None
    if text[0] == "(" and "," not in text:  # a text or number in parentheses is no tuple
        return None
    try:
        return [str(ast.literal_eval(element)) for element in _ELEMENTS.findall(text, 1, len(text) - 1)]
    except (SyntaxError, ValueError):  # half an escape, such as '\x4'
        return None
