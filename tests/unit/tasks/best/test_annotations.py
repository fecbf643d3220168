from __future__ import annotations

import pytest

from tests.unit.tasks.best.files import KNOWN, Row, annotations_of, best, codes, ere_of, line_of, rows_of

ONE = best(rows_of("belief cb a1 h1"))


def test_annotations_in_the_order_of_the_file_with_lines() -> None:
    found, problems = annotations_of(best(rows_of("sentiment NEG - p1", "belief Cb a2 h1", "belief na b1 r1")))
    assert problems == ()
    assert found == [
        ("sentiment", "neg", "", "p1", 2, None),
        ("belief", "cb", "a2", "h1", 3, None),
        ("belief", "na", "b1", "r1", 4, None),
    ]


@pytest.mark.parametrize("root", ["committed_belief_doc", "belief_sentiment_doc"])
@pytest.mark.parametrize("key", ["ere_id", "id"])
@pytest.mark.parametrize("inside", ["<beliefs>{}</beliefs>", "{}"])
def test_both_layouts_roots_and_names_of_ids(root: str, key: str, inside: str) -> None:
    belief = inside.format(f'<belief type="cb"><source {key}="a1"/></belief>')
    text = f'<{root}><belief_annotations><events><event {key}="h1">{belief}</event></events></belief_annotations></{root}>'
    assert annotations_of(text) == ([("belief", "cb", "a1", "h1", 1, None)], ())


def test_ere_id_goes_before_id() -> None:
    text = ONE.replace('ere_id="a1"', 'id="x" ere_id="a1"').replace('ere_id="h1"', 'id="y" ere_id="h1"')
    assert annotations_of(text) == annotations_of(ONE)


@pytest.mark.parametrize(("row", "valid"), [
    *((Row("belief", value, "a1", "h1"), True) for value in ("cb", "ncb", "rob", "na", "CB", "nCb")),
    *((Row("belief", value, "a1", "h1"), False) for value in ("none", "pos", "", " cb", "c b")),
    *((Row("sentiment", value, "a1", "h1"), True) for value in ("pos", "neg", "none", "Pos")),
    *((Row("sentiment", value, "a1", "h1"), False) for value in ("na", "cb", "neutral", "")),
])  # fmt: skip
def test_values(row: Row, valid: bool) -> None:
    found, problems = annotations_of(best([row]))
    assert codes(problems) == ([] if valid else [("best.value", 2)])
    assert (found is not None) == valid


BOTH = best(rows_of("belief cb a1 h1", "sentiment neg a1 p1"))


def with_attributes(belief: str, sentiment: str = "") -> str:
    """BOTH with attributes added: the belief is on line 2, the sentiment on line 3."""
    text = BOTH.replace('type="cb"', f'type="cb" {belief}')
    return text.replace('polarity="neg"', f'polarity="neg" {sentiment}') if sentiment else text


@pytest.mark.parametrize(("attributes", "expected"), [
    ('polarity="pos" sarcasm="no"', ""), ('polarity="NEG" sarcasm="Yes"', ""), ("", ""),
    ('polarity="none"', "expected pos or neg"), ('polarity=""', "expected pos or neg"), ('polarity="cb"', "expected pos or neg"),
    ('sarcasm="maybe"', "expected yes or no"), ('sarcasm=" no"', "expected yes or no"), ('sarcasm="true"', "expected yes or no"),
])  # fmt: skip
def test_attributes_of_a_belief_that_no_score_depends_on(attributes: str, expected: str) -> None:
    found, problems = annotations_of(with_attributes(attributes))
    assert codes(problems) == ([("best.attribute", 2)] if expected else [])
    assert all(expected in problem.message and problem.severity == "warning" for problem in problems)
    assert found == annotations_of(BOTH)[0]


@pytest.mark.parametrize(("value", "listed"), [("yes", True), ("NO", True), ("", False), ("none", False)])
def test_sarcasm_of_a_sentiment(value: str, listed: bool) -> None:
    found, problems = annotations_of(with_attributes("", f'sarcasm="{value}"'))
    assert codes(problems) == ([] if listed else [("best.attribute", 3)])
    assert found == annotations_of(BOTH)[0]


def test_rules_make_unlisted_attributes_and_confidences_errors() -> None:
    text = with_attributes('polarity="none" sarcasm="?"', 'confidence="high"')
    assert codes(annotations_of(text)[1]) == [("best.attribute", 2), ("best.attribute", 2), ("best.confidence", 3)]
    for code in ("best.attribute", "best.confidence"):
        assert annotations_of(text, rules={code: "error"})[0] is None
        assert code not in dict(codes(annotations_of(text, rules={code: "off"})[1]))


@pytest.mark.parametrize(("text", "value"), [
    ("0", 0), ("1", 1), ("0.8", 4 / 5), (".25", 1 / 4), ("1.", 1), ("1.000", 1), ("25e-2", 1 / 4),
    ("+0.5", 1 / 2), ("-0.0", 0), ("2E-400", 0),
])  # fmt: skip
def test_confidences(text: str, value: float) -> None:
    found, problems = annotations_of(with_attributes(f'confidence="{text}"', f'confidence="{text}"'))
    assert problems == ()
    assert found is not None
    assert [annotation[5] for annotation in found] == [value, value]
    assert not any(str(annotation[5]).startswith("-") for annotation in found)


@pytest.mark.parametrize("text", [
    "", " ", "nan", "NaN", "inf", "-inf", "Infinity", "1.01", "-0.1", "80", "1e1", "1e999", "80%", "0,8", "1/2", " 0.5",
    "0.5 ", "0_1", ".", "e-1", "0x0", "high", "\u0661", "0.\u0665", "\uff10",
])  # fmt: skip
def test_what_is_no_confidence(text: str) -> None:
    found, problems = annotations_of(with_attributes(f'confidence="{text}"', f'confidence="{text}"'))
    assert codes(problems) == [("best.confidence", 2), ("best.confidence", 3)]
    assert all("expected a number from 0 to 1" in problem.message and problem.severity == "warning" for problem in problems)
    assert found == annotations_of(BOTH)[0]


def test_another_confidence_is_still_a_duplicate() -> None:
    rows = best(rows_of("belief cb a1 h1", "belief cb a1 h1"))
    assert codes(annotations_of(rows.replace('type="cb"', 'type="cb" confidence="0.5"', 1))[1]) == [("best.duplicate", 3)]


def test_tolerated_annotations_of_the_other_section_are_left_out() -> None:
    text = ONE.replace(
        "</belief></event>", '</belief><sentiment polarity="neg"/><sentiments><sentiment polarity="pos"/></sentiments></event>'
    )
    assert codes(annotations_of(text)[1]) == [("best.section", 2), ("best.section", 2)]
    assert annotations_of(text, rules={"best.section": "off"}) == annotations_of(ONE)


def test_tolerated_beliefs_about_entities_count() -> None:
    row = Row("belief", "cb", "a1", "p1")
    text = f"<committed_belief_doc>{line_of(row).replace('entities', 'events').replace('entity ', 'event ').replace('/entity', '/event')}"
    text += "</committed_belief_doc>"
    assert codes(annotations_of(text)[1]) == [("best.target", 1)]
    found, problems = annotations_of(text, rules={"best.target": "warning"})
    assert codes(problems) == [("best.target", 1)]
    assert found == [(*row, 1, None)]


def test_duplicates_name_the_first_line() -> None:
    found, problems = annotations_of(best(rows_of("belief cb a1 h1", "belief rob a1 h1", "belief CB a1 h1", "belief cb a1 h1")))
    assert codes(problems) == [("best.duplicate", 4), ("best.duplicate", 5)]
    assert all("line 2" in problem.message and problem.severity == "warning" for problem in problems)
    assert found is not None
    assert len(found) == 4


def test_another_mention_value_or_attitude_is_no_duplicate() -> None:
    rows = rows_of(
        "belief cb a1 h1", "belief cb a2 h1", "belief cb a1 h2", "belief ncb a1 h1", "belief cb - h1", "sentiment pos a1 h1"
    )
    assert annotations_of(best(rows))[1] == ()


def test_without_ere_references_are_not_checked() -> None:
    text = best(rows_of("belief cb x h9", "belief oh x h9"))
    assert codes(annotations_of(text, None)[1]) == [("best.value", 3)]
    assert annotations_of(ONE, None) == annotations_of(ONE, KNOWN)


def test_an_unknown_mention_gets_a_hint() -> None:
    (problem,) = annotations_of(best(rows_of("belief cb a1 h9")))[1]
    assert (problem.code, problem.where) == ("best.unknown-id", "<event>")
    assert '"h9"' in problem.message
    assert "h1" in problem.message


def test_source_types() -> None:
    ere, _ = ere_of()
    assert ere is not None
    for source, expected in (
        ("a1", []),
        ("c1", []),
        ("p1", ["best.source-type"]),
        ("h2", ["best.source"]),
        ("r3", ["best.source"]),
    ):
        assert [code for code, _ in codes(annotations_of(best([Row("belief", "cb", source, "h1")]), ere)[1])] == expected, source


@pytest.mark.parametrize(("attributes", "text", "agrees"), [
    ("", "", True), ("", "Ann", True), ("", "\n Ann ", True), ("", " ", True), ('offset="10" length="3"', "Ann", True),
    ('offset="11"', "", False), ('length="4"', "", False), ("", "Anne", False), ('offset="10" length="3"', "ann", False),
])  # fmt: skip
def test_what_a_source_repeats(attributes: str, text: str, agrees: bool) -> None:
    found, problems = annotations_of(ONE.replace('<source ere_id="a1"/>', f'<source ere_id="a1" {attributes}>{text}</source>'))
    assert codes(problems) == ([] if agrees else [("best.repeated", 2)])
    assert found == annotations_of(ONE)[0]


@pytest.mark.parametrize(("inside", "agrees"), [
    ("<trigger/>", True), ("<trigger>vote</trigger>", True), ('<trigger offset="60" length="4">vote</trigger>', True),
    ('<trigger offset="61"/>', False), ("<trigger>votes</trigger>", False), ('<trigger length="5">vote</trigger>', False),
])  # fmt: skip
def test_what_a_trigger_repeats(inside: str, agrees: bool) -> None:
    _, problems = annotations_of(ONE.replace('<event ere_id="h1">', f'<event ere_id="h1">{inside}'))
    assert codes(problems) == ([] if agrees else [("best.repeated", 2)])


def test_each_wrong_repetition_is_reported_once_where_it_stands() -> None:
    rows = best(rows_of("belief cb a1 h1", "belief rob a1 h1", "belief cb a1 h2", "belief cb b1 h1"))
    text = rows.replace('<source ere_id="a1"/>', '<source ere_id="a1">Ana</source>')
    assert codes(annotations_of(text)[1]) == [("best.repeated", 2), ("best.repeated", 3), ("best.repeated", 4)]
    right_first = rows.replace('"rob"><source ere_id="a1"/>', '"rob"><source ere_id="a1" offset="9"/>')
    assert codes(annotations_of(right_first)[1]) == [("best.repeated", 3)]


def test_arguments_are_not_looked_at() -> None:
    belief = '<belief type="who knows" sarcasm="?" confidence="2"/>'
    argument = f'<arguments><arg ere_id="nobody" offset="x"><beliefs>{belief}</beliefs></arg></arguments>'
    assert annotations_of(ONE.replace("</event>", f"{argument}</event>")) == annotations_of(ONE)


def test_an_empty_document() -> None:
    assert annotations_of("<committed_belief_doc/>") == ([], ())
