"""Numbers and dates that texts hold, and which texts are nothing, against the standard library and tables."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.tasks.records.forms import Forms
from pytest_nlpeval.tasks.records.numerals import date_in, number_in
from pytest_nlpeval.tasks.records.options import options

ZONES = st.integers(-23 * 60 - 59, 23 * 60 + 59).map(lambda minutes: timezone(timedelta(minutes=minutes)))
YEARS = st.datetimes(datetime.fromisoformat("0002-01-01"), datetime.fromisoformat("9998-12-31"))


@pytest.mark.parametrize("year", [1, 4, 100, 1900, 2000, 2023, 2024, 9999])
def test_days_are_those_of_the_calendar(year: int) -> None:
    for month in range(14):
        for day in range(33):
            try:
                expected = ("day", date(year, month, day).toordinal())
            except ValueError:
                expected = None
            assert date_in(f"{year:04}-{month:02}-{day:02}") == expected
            assert date_in(f"{year:04}{month:02}{day:02}") == expected


@given(YEARS, ZONES, ZONES)
def test_an_instant_is_the_same_in_each_zone(moment: datetime, zone: timezone, other: timezone) -> None:
    aware = moment.replace(tzinfo=zone)
    assert date_in(aware.isoformat()) == date_in(aware.astimezone(other).isoformat(sep=" "))
    assert date_in(aware.isoformat()) == date_in(aware.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z")
    later = aware + timedelta(microseconds=1)
    assert date_in(later.isoformat()) != date_in(aware.isoformat())


@given(YEARS, YEARS)
def test_instants_are_as_far_apart_as_they_are(one: datetime, other: datetime) -> None:
    numbers = []
    for moment in (one, other):
        instant = date_in(f"{moment.isoformat()}Z")
        assert instant is not None
        assert instant[0] == "second"
        numbers.append(instant[1])
    assert (numbers[0] - numbers[1]) * 10**6 == (one - other) // timedelta(microseconds=1)


def test_months_ascend_by_one_from_month_to_month() -> None:
    found = [date_in(f"{year:04}-{month:02}") for year in (0, 1, 2) for month in range(1, 13)]
    numbers = [instant[1] for instant in found if instant is not None and instant[0] == "month"]
    assert numbers == list(range(int(numbers[0]), int(numbers[0]) + 36))
    assert [date_in(f"2024-{month}") for month in ("00", "13")] == [None, None]


@pytest.mark.parametrize("time", ["01:00", "00:01", "00:00:01", "00:00:00.5"])
def test_any_time_but_0_00_makes_a_day_an_instant(time: str) -> None:
    local = date_in(f"2024-03-01T{time}")
    assert local is not None
    assert local[0] == "local second"


@given(YEARS)
def test_a_time_without_zone_is_no_instant_and_0_00_is_none(moment: datetime) -> None:
    midnight = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    assert date_in(midnight.isoformat()) == date_in(midnight.date().isoformat()) == ("day", midnight.toordinal())
    assert date_in(moment.isoformat() + "Z") != date_in(moment.isoformat())
    whole = moment.replace(second=0, microsecond=0)
    assert date_in(whole.isoformat(timespec="minutes")) == date_in(whole.isoformat())


def test_the_precision_must_agree() -> None:
    values = [date_in(text) for text in ("2024", "2024-01", "2024-01-01", "2024-01-01T00:01", "2024-01-01T00:00Z")]
    assert None not in values
    assert len(set(values)) == len(values)


@pytest.mark.parametrize(
    "text",
    [
        *("", "24", "02024", "2024-", "2024-0", "2024-00", "2024-13", "2024-3-1", "202403", "2024/03/01", "01-03-2024", "٢٠٢٤"),
        *("2024T10:30", "2024-03T10:30", "2024-03-01T10", "2024-03-01T24:00", "2024-03-01T10:60", "2024-03-01T10:30:60"),
        *("2024-03-01T10:30+1", "2024-03-01T10:30+24:00", "2024-03-01T10:30+01:60", "2024-03-01Z", "2024-03-01T10:30z"),
        *("2024-02-30T10:30", "2024-03-01  10:30", "1 March 2024"),
    ],
)
def test_other_texts_are_no_dates(text: str) -> None:
    assert date_in(text) is None


@given(st.decimals(-(10**12), 10**12, allow_nan=False, places=4))
def test_a_number_is_read_however_it_is_written(number: Decimal) -> None:
    for text in (f"{number:f}", f"{number:,f}", f" {number:f} €", f"{number:e}"):
        assert number_in(text) == number
    sign, digits = ("-", f"{-number:,f}") if number < 0 else ("+", f"{number:,f}")
    assert number_in(f"{sign}${digits}") == number_in(f"$ {sign} {digits}") == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1e400", Decimal("1e400")),
        ("1E-400", Decimal("1e-400")),
        ("1" * 400, Decimal("1" * 400)),
        ("¥007", Decimal(7)),
        ("7€", Decimal(7)),
        ("7 €£", Decimal(7)),
        ("-0", Decimal(0)),
        *(
            (text, None)
            for text in ("", "$", "-", "about 5", "5 kg", "12 %", "(5)", "--5", "٥", "1/2", "0x10", "inf", "nan", "1_000")
        ),
        *(
            (text, None)
            for text in ("1,23", "12,34", "1,2345", "1234,567", ",123", "1,,234", "1 234", "1.2.3", "1e", "e5", "1e1.5")
        ),
        *((text, None) for text in ("1e401", "1e-401", "1" * 401)),
    ],
)
def test_a_text_is_a_number_or_none(text: str, number: Decimal | None) -> None:
    assert number_in(text) == number


@pytest.mark.parametrize(
    "given_options", [{}, {"empty": "value"}, {"nothing": ["none"]}, {"normalise": ["lower", "punctuation"]}]
)
@given(texts=st.lists(st.sampled_from(["", " ", "\u2003", "a", "none", "NONE", "-", " none "]), unique=True))
def test_of_many_texts_those_are_nothing_that_are_alone(given_options: dict[str, Any], texts: list[str]) -> None:
    forms = Forms.of(options(**given_options))
    assert forms.nothing_among(texts) == {text for text in texts if forms.is_nothing(text)}


@pytest.mark.parametrize(
    ("given_options", "nothing"),
    [
        ({}, ["", " "]),
        ({"empty": "value"}, []),
        ({"empty": "value", "nothing": ["none"]}, ["none"]),
        ({"nothing": ["none"], "normalise": ["lower"]}, ["", " ", "none", "None"]),
        ({"normalise": ["punctuation"]}, ["", " ", "-"]),
    ],
)
def test_which_texts_are_nothing(given_options: dict[str, Any], nothing: list[str]) -> None:
    forms = Forms.of(options(**given_options))
    assert [text for text in ("", " ", "none", "None", "-", "a") if forms.is_nothing(text)] == nothing
