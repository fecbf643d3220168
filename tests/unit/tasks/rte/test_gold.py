from __future__ import annotations

import pytest

from pytest_nlpeval.formats import xml
from pytest_nlpeval.tasks.rte.options import FIRST, LATER, Options
from tests.unit.tasks.rte.files import codes, corpus, gold_of, pair


def test_a_gold_file_of_edition_1() -> None:
    gold, problems = gold_of(corpus(pair("30", "QA", 'value="TRUE"'), pair("7", "PP", 'value="FALSE"')))
    assert gold is not None
    assert problems == ()
    assert gold.edition is FIRST
    assert gold.ranks == {"30": 0, "7": 1}
    assert gold.entailing.tolist() == [1, 0]
    assert [FIRST.settings[rank] for rank in gold.setting] == ["QA", "PP"]


@pytest.mark.parametrize("length", ["", ' length="short"'])
def test_editions_2_and_3(length: str) -> None:
    gold, problems = gold_of(corpus(pair("1", "SUM", f'entailment="NO"{length}'), pair("2", "IE", 'entailment="YES"')))
    assert gold is not None
    assert problems == ()
    assert gold.edition is LATER
    assert gold.entailing.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("attribute", "edition", "good"),
    [
        ('value="TRUE"', 1, True),
        ('value="TRUE"', 2, False),
        ('value="TRUE"', 3, False),
        ('entailment="YES"', 1, False),
        ('entailment="YES"', 2, True),
        ('entailment="YES"', 3, True),
    ],
)
def test_the_option_and_the_file_agree(attribute: str, edition: int, good: bool) -> None:
    gold, problems = gold_of(corpus(pair("1", "IR", attribute)), Options(edition))
    assert (gold is not None) == good
    assert codes(problems) == ([] if good else [("rte.edition", 2)])


def test_a_contradiction_says_what_it_contradicts() -> None:
    _, problems = gold_of(corpus(pair("1", "IR", 'value="TRUE"')), Options(2))
    assert "the options ask for" in problems[0].message
    _, problems = gold_of(corpus(pair("1", "IR", 'value="TRUE"'), pair("2", "IR", 'entailment="YES"')))
    assert "the file begins as" in problems[0].message
    assert problems[0].where == "pair 2"


def test_a_tolerated_duplicate_counts_once_as_it_stands_first() -> None:
    text = corpus(pair("1", "IR", 'value="TRUE"'), pair("2", "QA", 'value="TRUE"'), pair("1", "PP", 'value="FALSE"'))
    gold, problems = gold_of(text, rules={"rte.duplicate-id": "warning"})
    assert gold is not None
    assert codes(problems) == [("rte.duplicate-id", 4)]
    assert gold.ranks == {"1": 0, "2": 1}
    assert gold.entailing.tolist() == [1, 1]
    assert [FIRST.settings[rank] for rank in gold.setting] == ["IR", "QA"]


def test_a_tolerated_blank_text() -> None:
    gold, problems = gold_of(corpus(pair("1", "IR", 'value="TRUE"', text=" ")), rules={"rte.blank-text": "off"})
    assert gold is not None
    assert problems == ()


def test_a_misspelt_setting_gets_a_hint() -> None:
    _, problems = gold_of(corpus(pair("1", "SUMM", 'entailment="YES"')))
    assert 'did you mean "SUM"?' in problems[0].message


def test_the_same_problem_many_times_is_shown_twenty_times_and_counted() -> None:
    _, problems = gold_of(corpus(*(pair(f"x{rank}", "IR", 'value="TRUE"') for rank in range(25))))
    assert len(problems) == 21
    assert problems[-1].message == "and 5 more problems of this kind"


@pytest.mark.parametrize("window", [1, 7, 64, 1000])
def test_the_windows_in_which_a_file_is_read_do_not_matter(window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    head = '<!DOCTYPE entailment-corpus SYSTEM "rte.dtd" [<!ENTITY who "Mara">]>\n'
    pairs = [pair(str(rank), "IR", f'value="{"TRUE" if rank % 3 else "FALSE"}"', text="&who; sings.") for rank in range(20)]
    whole, problems = gold_of(head + corpus(*pairs))
    monkeypatch.setattr(xml, "WINDOW_BYTES", window)
    windowed, more = gold_of(head + corpus(*pairs))
    assert whole is not None
    assert windowed is not None
    assert problems == more == ()
    assert whole.ranks == windowed.ranks
    assert whole.entailing.tolist() == windowed.entailing.tolist()


@pytest.mark.parametrize("window", [1, 7, 64, 1000, 1 << 18])
def test_one_faulty_pair_does_not_hide_the_others(window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(xml, "WINDOW_BYTES", window)
    bad = [
        pair("1", "IR", 'value="TRUE"'),
        '<pair id="2" task="IR" value="TRUE"><t>Mara sings.</t></pair>\n',
        pair("3", "SUM", 'value="TRUE"'),
        pair("1", "IR", 'value="TRUE"'),
        pair("5", "IR", 'value="TRUE"', text=""),
        pair("6", "IR", ""),
    ]
    gold, problems = gold_of(corpus(*bad))
    assert gold is None
    expected = ["xml.invalid", "rte.task", "rte.duplicate-id", "rte.blank-text", "rte.no-judgment"]
    assert codes(problems) == [(code, line) for line, code in enumerate(expected, 3)]


def test_problems_of_one_file_do_not_turn_up_in_the_next() -> None:
    broken = corpus(pair("1", "IR", 'value="TRUE"', text="Fish &chips; here."))
    assert codes(gold_of(broken)[1]) == codes(gold_of(broken)[1]) == [("xml.syntax", 2)]
