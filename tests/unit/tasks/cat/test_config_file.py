from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.cat.config_file import check_annotations, configuration_of
from pytest_nlpeval.tasks.cat.configuration import SPECIFICITIES, AnnotationType, Configuration
from pytest_nlpeval.tasks.cat.options import Options, make_options
from pytest_nlpeval.tasks.cat.problems import PROBLEMS
from tests.unit.tasks.cat.xml_files import config

TEXT = """\
# what is scored
EVENT\tmarkable\t0\tclass

TIMEX3\tmarkable\t0\ttype\tvalue
#TLINK\tone2one
TLINK\tone2one\tdirectional\trelType
GLINK\tone2one\tundirectional
REFERS_TO\tmany2one\tdirectional
TIMEX3\tinstance\tnon-comparable\ttype\tvalue
"""


def test_lines_in_their_order() -> None:
    found, problems = config(TEXT)
    assert problems == []
    assert found == Configuration(
        (
            AnnotationType("EVENT", "markable", "0", ("class",), 2),
            AnnotationType("TIMEX3", "markable", "0", ("type", "value"), 4),
            AnnotationType("TLINK", "one2one", "directional", ("relType",), 6),
            AnnotationType("GLINK", "one2one", "undirectional", (), 7),
            AnnotationType("REFERS_TO", "many2one", "directional", (), 8),
            AnnotationType("TIMEX3", "instance", "non-comparable", ("type", "value"), 9),
        )
    )
    assert [line.name for line in found.one2one + found.instances] == ["TLINK", "GLINK", "TIMEX3"]


@pytest.mark.parametrize("text", [
    TEXT.replace("\n", "\r\n"), TEXT.replace("\n", "\t\n"), TEXT.replace("\n", "  \n"), TEXT.replace("\tvalue", "\t\t \tvalue\t"),
    "\ufeff" + TEXT, TEXT + "\n \n\n", TEXT.rstrip("\n"), TEXT.replace("EVENT", " EVENT "),
])  # fmt: skip
def test_what_is_tolerated(text: str) -> None:
    assert config(text) == config(TEXT)


@pytest.mark.parametrize(("line", "problem"), [
    ("A", '1:None has one field; expected NAME, type, specificity and attributes, separated by tabs: "A"'),
    ("A markable 0", '1:None has one field; expected NAME, type, specificity and attributes, separated by tabs: "A markable 0"'),
    ("A b\tmarkable\t0", '1:1 "A b" is not a NAME: not an XML name; separate fields by tabs, not spaces'),
    ("1A\tmarkable\t0", '1:1 "1A" is not a NAME: not an XML name'),
    ("\tmarkable\t0", "1:1 nothing is not a NAME: not an XML name"),
    ("A:B\tmarkable\t0", '1:1 "A:B" is not a NAME: not an XML name'),
    ("A\tmarkabel\t0", '1:3 "markabel" is not a type; expected markable or one2one or many2one or instance; did you mean "markable"?'),
    ("A\t\tmarkable", "1:3 nothing is not a type; expected markable or one2one or many2one or instance"),
    ("A\tmarkable", "1:None nothing is not a specificity for markable; expected 0"),
    ("A\tmarkable\tclass", '1:12 "class" is not a specificity for markable; expected 0'),
    ("A\tmarkable\tcomparable", '1:12 "comparable" is not a specificity for markable; expected 0'),
    ("A\tone2one\t0", '1:11 "0" is not a specificity for one2one; expected directional or undirectional'),
    ("A\tmany2one\tundirectonal", (
        '1:12 "undirectonal" is not a specificity for many2one; expected directional or undirectional;'
        ' did you mean "undirectional" or "directional"?'
    )),
    ("A\tmany2one\tcomparable", '1:12 "comparable" is not a specificity for many2one; expected directional or undirectional'),
    ("A\tinstance\tdirectional", '1:12 "directional" is not a specificity for instance; expected comparable or non-comparable'),
    ("A\tmarkable\t0\ta\t2b", '1:16 "2b" is not an attribute: not an XML name'),
    ("A\tmarkable\t0\ta\tb\ta", '1:18 the attribute "a" appears twice; attributes are unique'),
    ("A\tmarkable\t0\ta\tA", '1:16 the attribute "A" appears twice; attributes are unique'),
])  # fmt: skip
def test_bad_lines(line: str, problem: str) -> None:
    found, problems = config(f"{line}\n")
    assert found is None
    assert problems == [problem]


def test_all_bad_lines_come_together() -> None:
    assert [said.split()[0] for said in config("1\tx\n\n# \nA\tmarkable\tx\ty z\nB\tmarkable\t0\nB\tmarkable\t0\n")[1]] == [
        "1:1", "1:3", "4:12", "4:14", "6:1",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n"])
def test_a_configuration_names_something(text: str) -> None:
    found, problems = config(text)
    assert found is None
    assert ["names no annotation" in problem for problem in problems] == [True]


@pytest.mark.parametrize("first", SPECIFICITIES)
@pytest.mark.parametrize("second", SPECIFICITIES)
def test_only_a_markable_and_an_instance_may_share_a_name(first: str, second: str) -> None:
    _, problems = config("".join(f"A\t{kind}\t{SPECIFICITIES[kind][0]}\n" for kind in (first, second)))
    if {first, second} == {"markable", "instance"}:
        assert problems == []
    else:
        assert [problem.partition(",")[0] for problem in problems] == ["2:1 A appears on line 1 already"]


def test_attributes_that_differ_in_case_are_two_in_the_profile_that_looks_at_case() -> None:
    found, problems = config("A\tmarkable\t0\ta\tA\n", profile="nwr2014")
    assert problems == []
    assert found is not None
    assert found.types[0].attributes == ("a", "A")


def test_a_file_that_is_no_text() -> None:
    assert config(b"\xff\xfeA\0")[0] is None
    assert config("A\tmarkable\t0\tcaf\xe9".encode("latin-1"))[0] is None


ENTRY = {"name": "EVENT", "type": "markable", "attributes": ["class"]}


def test_one_configuration_applies() -> None:
    ours, options = Configuration((AnnotationType("EVENT", "markable", "0", ("class",)),)), make_options(annotations=[ENTRY])
    assert configuration_of({}, options) == ours
    assert configuration_of({"config": ours}, Options()) is ours
    assert configuration_of({}, Options()) is None


def test_two_configurations_are_an_error() -> None:
    found, problems = config(TEXT, annotations=[ENTRY])
    assert found is None
    assert problems == ["None:None is a second configuration besides `options.annotations`; give one of the two"]


ALONE = "no line makes A a markable, so that its empty markables are not scored, and {}; add `A markable 0`, with attributes, to score them"


@pytest.mark.parametrize(("profile", "specificity", "use"), [
    ("standard", "comparable", "the line only lets relations end on them"),
    ("standard", "non-comparable", "the line changes nothing"),
    ("nwr2014", "comparable", "the line changes nothing"),
    ("nwr2014", "non-comparable", "the line changes nothing"),
])  # fmt: skip
def test_an_instance_without_markable_is_told(profile: str, specificity: str, use: str) -> None:
    found, problems = config(f"B\tmarkable\t0\nA\tinstance\t{specificity}\nB\tinstance\t{specificity}\n", profile=profile)
    assert problems == [f"2:1 {ALONE.format(use)}"]
    assert found is not None
    assert len(found.types) == 3


def test_an_instance_without_markable_in_the_options_is_told() -> None:
    log = ProblemLog("gold.xml", PROBLEMS)
    check_annotations(make_options(annotations=[ENTRY, {"name": "A", "type": "instance", "specificity": "comparable"}]), log)
    (problem,) = log.problems()
    assert (problem.code, problem.severity, problem.line) == ("cat.instance-alone", "warning", None)
    assert problem.where == "options.annotations.1"
    assert problem.message == ALONE.format("the line only lets relations end on them")


def test_nothing_is_said_of_instances_where_the_markable_s_line_may_be_wrong() -> None:
    _, problems = config("A\tinstance\tcomparable\nA\tmarkable\t1\n")
    assert [problem.partition(" ")[0] for problem in problems] == ["2:12"]


@given(st.text(alphabet=st.sampled_from("A1 \t\n#0-é"), max_size=30) | st.text(max_size=30))
def test_nothing_is_both_read_and_wrong(text: str) -> None:
    found, problems = config(text.encode("utf-8", "surrogatepass"))
    assert (found is None) == bool(problems)


def test_a_file_that_was_read_before_has_the_same_problems() -> None:
    for text in (TEXT, TEXT.replace("one2one", "one2two")):
        assert config(text) == config(text)
        assert bool(config(text)[1]) == ("one2two" in text)
