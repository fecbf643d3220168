from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval import ConfigError, load_suites
from pytest_nlpeval.conditions import Max, Min
from pytest_nlpeval.config.checks import require_profile
from pytest_nlpeval.config.finding import find_configs, is_config
from pytest_nlpeval.config.suite import Suite
from tests.support import config_text, write

SUITE = config_text(name="s", task="exemplar", gold="gold.tsv", system="system.tsv")


def load(folder: Path, text: str, **choices: str | bool) -> list[Suite]:
    (folder / "nlpeval.yaml").write_text(text)
    profile, informational = choices.get("profile"), choices.get("informational", False)
    return load_suites(folder / "nlpeval.yaml", profile=str(profile) if profile else None, informational=bool(informational))


def mistakes(folder: Path, text: str) -> list[str]:
    with pytest.raises(ConfigError) as caught:
        load(folder, text)
    return [f"{problem.line}:{problem.column} {problem.code.split('.', 1)[1]}" for problem in caught.value.problems]


def test_a_suite_is_read(tmp_path: Path) -> None:
    (suite,) = load(tmp_path, SUITE + "    options: {ignore_case: true}\n    gates: {f1: 0.4, precision: {max: 0.9}}\n")
    assert (suite.name, suite.system, suite.recipe.task.name, suite.line, suite.label) == ("s", "", "exemplar", 3, "nlpeval.yaml")
    assert suite.recipe.options.ignore_case
    assert [case.name for case in suite.cases] == ["gold"]
    gates, idle = suite.gates([measure.name for measure in suite.measures(None)])
    assert {gate.measure: (dict(gate.conditions), gate.line) for gate in gates} == {
        "f1": ({"min": Min(0.4)}, 8),
        "precision": ({"max": Max(0.9)}, 8),
    }
    assert not idle


def test_several_systems_make_several_suites(tmp_path: Path) -> None:
    suites = load(tmp_path, SUITE.replace("system.tsv", "{ours: a.tsv, theirs: b.tsv}"))
    assert [(suite.name, suite.system) for suite in suites] == [("s/ours", "ours"), ("s/theirs", "theirs")]
    (alone,) = load(tmp_path, SUITE.replace("system.tsv", "{ours: a.tsv}"))
    assert (alone.name, alone.system) == ("s", "ours")


def test_documents_pair_by_name(tmp_path: Path) -> None:
    write(tmp_path, dict.fromkeys(("gold/b.tsv", "gold/a.tsv", "out/b.tsv", "out/c.tsv", "out/readme.md"), ""))
    (suite,) = load(tmp_path, SUITE.replace("gold.tsv", "gold/{doc}.tsv").replace("system.tsv", "out/{doc}.tsv"))
    assert [case.name for case in suite.cases] == ["a", "b", "c"]
    assert suite.cases[0].files["system"].label == "out/a.tsv"
    assert suite.cases[2].files["gold"].path == str(tmp_path / "gold/c.tsv")


def test_profiles_add_and_replace(tmp_path: Path) -> None:
    text = SUITE + "    gates: {f1: 0.4}\n    profiles: {release: {f1: 0.6, recall: 0.1}, other: {}}\n"
    names = ["f1", "recall"]
    thresholds = {
        profile: {
            gate.measure: gate.conditions["min"].threshold for gate in load(tmp_path, text, profile=profile)[0].gates(names)[0]
        }
        for profile in ("", "release", "other", "unknown")
    }
    assert thresholds == {"": {"f1": 0.4}, "release": {"f1": 0.6, "recall": 0.1}, "other": {"f1": 0.4}, "unknown": {"f1": 0.4}}
    assert load(tmp_path, text)[0].profiles == ("release", "other")
    with pytest.raises(ConfigError, match='no suite has a profile "relase"; did you mean "release"'):
        require_profile("relase", ("release", "other"))


def test_informational_reaches_every_gate(tmp_path: Path) -> None:
    (suite,) = load(tmp_path, SUITE + "    gates: {'*': 0.4}\n", informational=True)
    assert all(gate.informational for gate in suite.gates(["f1", "recall"])[0])


def test_every_mistake_is_told_at_its_place(tmp_path: Path) -> None:
    text = """\
version: 2
defaults: {baseline: x, other: 1}
extra: 1
suites:
  - name: a
    task: exemplr
    gold: g
    system: s
  - name: a
    task: exemplar
    gold: ../../{doc}
    system: {}
    systm: x
    options: {ignore_case: 3, nope: 1}
    rules: {exemplar.nope: off, xml.syntax: off, text.nul: warning}
    gates:
      f2: 0.5
      f1: {min: .nan}
      recall: {informational: true}
      precision: {min: 0.9, max: 0.1}
      correct: {min: 1, alpha: 0.05}
      "z*": 1
    profiles: {release: {f3: 1}, "a/b": {}}
  - name: b
    task: exemplar
    gold: gold/{dok}.tsv
    system: x/{doc}.tsv
  - just text
"""
    expected = {
        "1:1 invalid",
        "2:25 invalid",
        "3:1 invalid",
        "6:5 task",
        "9:5 name",
        "11:5 path",
        "12:5 invalid",
        "13:5 key",
        "14:15 option",
        "14:31 option",
        "15:13 rule",
        "15:33 rule",
        "15:50 rule",
        "17:7 measure",
        "18:7 gate",
        "18:12 invalid",
        "19:7 gate",
        "20:7 gate",
        "21:25 gate",
        "22:7 measure",
        "23:26 measure",
        "26:5 path",
        "27:5 path",
        "28:5 invalid",
    }
    found = set(mistakes(tmp_path, text))
    assert expected <= found
    assert found - expected <= {
        "23:34 invalid",
        "23:16 invalid",
        "23:5 invalid",
    }  # the place of a bad key is its own, or its parent's


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("", ["1:None empty"]),
        ("[]", ["1:1 invalid"]),
        ("text", ["1:1 invalid"]),
        ("version: 1\nsuites: []", ["2:1 invalid"]),
        ("version: 1", ["1:1 invalid"]),
        ("version: 1\nversion: 1", ["2:1 duplicate-key"]),
        (SUITE + "    gates: {f1: true}\n", ["7:13 invalid"]),
        (SUITE + "    gates: {f1: '0.5'}\n", ["7:13 invalid"]),
        (SUITE.replace("gold.tsv", "/etc/hosts"), ["5:5 path"]),
        (SUITE.replace("gold.tsv", "none/{doc}.tsv").replace("system.tsv", "s/{doc}"), ["5:5 path"]),
        (SUITE.replace("system.tsv", "s/{doc}"), ["6:5 path"]),
        (SUITE.replace("name: s", 'name: "s\\n"'), ["3:5 invalid"]),
        (SUITE.replace("name: s", "name: '::error::'"), ["3:5 invalid"]),
        (SUITE.replace("name: s", "name: a/b"), ["3:5 invalid"]),
    ],
)
def test_single_mistakes(tmp_path: Path, text: str, problems: list[str]) -> None:
    assert mistakes(tmp_path, text) == problems


def test_a_path_may_leave_the_root_only_if_allowed(tmp_path: Path) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    outside = SUITE.replace("gold.tsv", "../gold.tsv")
    assert mistakes(folder, outside) == ["5:5 path"]
    assert load(folder, outside + "    allow_outside: true\n")
    assert load(folder, "allow_outside: true\n" + outside)[0].recipe.root is None
    (tmp_path / ".git").mkdir()
    assert load(folder, outside)[0].recipe.root == tmp_path


def test_configurations_are_found(tmp_path: Path) -> None:
    found = ("nlpeval.yaml", "a/x.nlpeval.yml")
    others = ("a/other.yaml", ".hidden/nlpeval.yaml", "venv/nlpeval.yaml", "env/nlpeval.yaml", "env/pyvenv.cfg")
    write(tmp_path, dict.fromkeys((*found, *others), ""))
    assert list(find_configs(tmp_path)) == [tmp_path / name for name in found]
    assert list(find_configs(tmp_path / "a/other.yaml")) == [tmp_path / "a/other.yaml"]
    assert is_config("x.nlpeval.yaml")
    assert not is_config("xnlpeval.yaml")


def test_a_missing_configuration_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"none.yaml: file.missing: does not exist"):
        load_suites(tmp_path / "none.yaml")


ARE = config_text(task="are", gold="gold.xml", system="{ours: a.xml, theirs: b.xml}", options="{subtask: 1}", input="INPUT")


def test_a_further_role_may_differ_by_system(tmp_path: Path) -> None:
    suites = load(tmp_path, ARE.replace("INPUT", "{ours: i.xml, theirs: j.xml}"))
    assert [suite.cases[0].files["input"].label for suite in suites] == ["i.xml", "j.xml"]
    suites = load(tmp_path, ARE.replace("INPUT", "i.xml"))
    assert [suite.cases[0].files["input"].label for suite in suites] == ["i.xml", "i.xml"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("{ours: i.xml}", "8:5: config.path: lacks a path for theirs"),
        ("{ours: i.xml, theirs: j.xml, thiers: k.xml}", '8:41: config.path: there is no system "thiers"; did you mean "theirs"?'),
        ("{ours: i.xml, theirs: ../j.xml}", "8:26: config.path: leaves the root folder"),
        ("{ours: i.xml, theirs: '{doc}.xml'}", "8:26: config.path: input names a file for each document"),
        ("{ours: [i.xml], theirs: j.xml}", "8:13: config.invalid: expected a string"),
        ("{}", "8:5: config.invalid: is empty"),
    ],
)
def test_paths_by_system_are_checked_one_by_one(tmp_path: Path, given: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(tmp_path, ARE.replace("INPUT", given))
    assert f"nlpeval.yaml:{message}" in str(caught.value)


def test_gold_is_the_same_for_all_systems(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="gold"):
        load(tmp_path, ARE.replace("INPUT", "i.xml").replace("gold: gold.xml", "gold: {ours: g.xml, theirs: h.xml}"))
