"""Normal forms: what values are compared by. Two values of one rule are identical if their forms are equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Mapping
from dataclasses import field
from decimal import MAX_EMAX, MAX_PREC, MIN_EMIN, Context, Decimal, Inexact
from typing import Any

from pytest_nlpeval.kit.normal_forms import folded, normal_form, stripped
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.tasks.records.numerals import Instant, date_in, number_in
from pytest_nlpeval.tasks.records.options import MILLION, Options
from pytest_nlpeval.tasks.records.rules import Rule

Form = Hashable

Codes = dict[Hashable, int]
"""A number for each identity of a field or an object in two records."""


def written(value: object) -> str:
    """Return a scalar as text: a number in its shortest decimal form without exponent, true, false and null by their names.

    >>> written(Decimal("1E+3")), written(Decimal("0.50")), written(True)
    ('1000', '0.5', 'true')
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or value is None:
        return "null" if value is None else "true" if value else "false"
    if isinstance(value, Decimal):
        digits = f"{value:f}"
        digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
        return "0" if digits == "-0" else digits
    return str(value)


@light_dataclass(frozen=True, slots=True)
class Forms:
    """Gives the normal forms of values; texts that come again are looked up.

    `unit` is the credit of fields that are equal: a million where words have credit, else 1. `codes` are those of the two records at hand.
    """

    options: Options
    unit: int = 1
    codes: Codes = field(default_factory=dict)
    _texts: dict[str, str] = field(default_factory=dict)
    _nothing: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, options: Options) -> Forms:
        """Return the forms by some options."""
        forms = cls(options, options.unit)
        forms._nothing.update(forms.text(text) for text in options.nothing)
        return forms

    def text(self, value: object) -> str:
        """Return the normal form of a scalar as text: its words after the steps of `normalise`, with single blanks between."""
        text = value if isinstance(value, str) else written(value)
        known = self._texts.get(text)
        if known is None:
            steps = self.options.normalise
            known = normal_form(stripped(folded(text, steps), steps) if steps else text)
            if len(self._texts) < _MOST_KEPT:
                self._texts[text] = known
        return known

    def is_nothing(self, value: object) -> bool:
        """Whether a value of JSON is nothing."""
        if isinstance(value, str):
            text = self.text(value)
            return (not text and not self.options.has_values) or text in self._nothing
        return not self.options.has_values and (value is None or value in ([], {}))

    def nothing_among(self, texts: Collection[str]) -> set[str]:
        """Return the texts that are nothing."""
        if self._nothing or self.options.normalise:
            return {text for text in set(texts) if self.is_nothing(text)}
        if self.options.has_values or all(map(str.strip, texts)):
            return set()
        return {text for text in texts if not text or text.isspace()}

    def of_scalar(self, value: object, rule: Rule) -> Form:
        """Return the form of a scalar."""
        return _FORMS[rule.value](self, value)

    def whole(self, value: Any) -> Form:
        """Return the form of a value with all that is in it: objects by key, lists in order, a list of one as its element."""
        if isinstance(value, dict):
            inner = {key: self.whole(held) for key, held in value.items() if not self.is_nothing(held)}
            return frozenset((key, form) for key, form in inner.items() if form != NOTHING) or self._empty(value)
        if isinstance(value, list):
            forms = tuple(form for held in value if not self.is_nothing(held) and (form := self.whole(held)) != NOTHING)
            return self._empty(value) if not forms else forms[0] if len(forms) == 1 else forms
        return self.text(value)

    def _empty(self, value: Any) -> Form:
        return NOTHING if value or not self.options.has_values else (type(value).__name__,)

    def credit(self, gold: Form, system: Form, rule: Rule) -> int:
        """Return the credit of two forms of one rule, in the unit."""
        if gold == system:
            return self.unit
        if rule.tolerance is not None and isinstance(gold, Number) and isinstance(system, Number):
            return self.unit if _is_near(gold, system, rule) else 0
        if rule.value == "tokens" and isinstance(gold, frozenset) and isinstance(system, frozenset):
            words, others = dict(gold), dict(system)
            both = sum(min(number, others.get(word, 0)) for word, number in words.items())
            credit: int = 2 * both * MILLION // (sum(words.values()) + sum(others.values()))
            return credit
        return 0


_MOST_KEPT = 1 << 20

NOTHING = ("nothing",)
"""The form of an object or list in which all is nothing."""


Number = int | Decimal
"""The form of a number that is compared by its value; that of any other value is none of the two."""


_EXACT = Context(prec=MAX_PREC, Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[Inexact])
"""Rounds nothing. Numbers have at most 400 characters and exponents near 0: so differences and products have few digits."""


def _is_near(gold: Number, system: Number, rule: Rule) -> bool:
    tolerance = rule.tolerance or Decimal()
    difference = _EXACT.abs(_EXACT.subtract(gold, system))
    return difference <= (_EXACT.multiply(tolerance, _EXACT.abs(gold)) if rule.is_share else tolerance)


def number_of(value: object) -> Number | None:
    """Return the number that a scalar can be read as; None of any other."""
    if isinstance(value, str):
        return number_in(value)
    return value if isinstance(value, int | Decimal) and not isinstance(value, bool) else None


def date_of(value: object) -> Instant | None:
    """Return the form of a scalar that can be read as a date; None of any other."""
    return None if isinstance(value, bool) or value is None else date_in(written(value))


READ: Mapping[str, Callable[[object], Form | None]] = {"number": number_of, "date": date_of}
"""How values are read by the rules that read them."""


def _exact(_forms: Forms, value: object) -> Form:
    """Return a type and the value: no type is in the form of a list as a whole, which is a tuple, too."""
    return Decimal if isinstance(value, int) and not isinstance(value, bool) else type(value), value


def _number(forms: Forms, value: object) -> Form:
    number = number_of(value)
    return forms.text(value) if number is None else number


def _date(forms: Forms, value: object) -> Form:
    return date_of(value) or forms.text(value)


def _tokens(forms: Forms, value: object) -> Form:
    return frozenset(Counter(forms.text(value).split()).items())


_FORMS: dict[str, Callable[[Forms, object], Form]] = {
    "text": Forms.text,
    "exact": _exact,
    "number": _number,
    "date": _date,
    "tokens": _tokens,
    "whole": Forms.text,
}
