"""What configurations say at a commit, and what became of the bar between two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import configurations
import pytest
from bar import Comparison, changed, gone, paired
from configurations import Configured, configured

from pytest_nlpeval.baselines.git import Repository
from pytest_nlpeval.baselines.tree import Tree
from pytest_nlpeval.config.finding import config_paths
from pytest_nlpeval.foreign_tasks import guarded
from pytest_nlpeval.guards import Listing
from pytest_nlpeval.reports.model import SuiteReport
from pytest_nlpeval.tasks import load_task
from tests.support import RIGHT, config_text, gold_xml, write
from tests.unit.baselines.repositories import commit, git, start
from tests.unit.reports import documents

FILES = {"gold/a.xml": gold_xml(), "system/a.txt": RIGHT}


def at(folder: Path, files: Mapping[str, str | bytes]) -> list[Configured]:
    """What the configurations say after these files were committed."""
    name = commit(write(start(folder), files))
    return configured(Tree.of(Repository.around(folder), name))


def lost(before: Sequence[Configured], after: Sequence[Configured], suites: Sequence[SuiteReport] = ()) -> list[str]:
    judged = {(suite.config, suite.name): suite for suite in suites}
    return [f"{found.place}: {found.message}" for found in gone(paired(before, after), Comparison(judged, "base"))]


def told(before: Sequence[Configured], after: Sequence[Configured]) -> list[str]:
    return [f"{found.place}: {found.message}" for found in changed(paired(before, after), Comparison({}, "base"))]


def judged(
    *gates: tuple[str, str], config: str = "nlpeval.yaml", scores: Sequence[str] = ("accuracy", "cws", "coverage")
) -> SuiteReport:
    listed = [documents.gate(measure=measure, condition=condition) for measure, condition in gates]
    (suite,) = documents.report(
        documents.suite(config=config, name="dev", gates=listed, scores={name: {"value": 0.5} for name in scores})
    ).suites
    return suite


def test_all_configurations_of_a_commit_are_read_by_one_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    contents = Repository.contents

    def noted(repository: Repository, names: Iterable[str]) -> Iterator[bytes]:
        asked.append([*names])
        return contents(repository, asked[-1])

    monkeypatch.setattr(Repository, "contents", noted)
    entries = at(tmp_path, {**FILES, **{f"{name}/nlpeval.yaml": config_text("accuracy: 0.5", name=name) for name in "abc"}})
    assert [entry.name for entry in entries] == ["a", "b", "c"]
    assert list(map(len, asked)) == [3]


def test_configurations_lie_anywhere() -> None:
    assert config_paths(["a.yaml", "x/nlpeval.yaml", ".h/b.nlpeval.yml", "build/nlpeval.yml", "nlpeval.yaml/x"]) == [
        "x/nlpeval.yaml",
        ".h/b.nlpeval.yml",
        "build/nlpeval.yml",
    ]


def test_an_entry_with_what_it_takes_from_around_it(tmp_path: Path) -> None:
    text = config_text("accuracy: 0.8", "c*: {max: 1, informational: true}", system="{x: 'x/{doc}', y: 'y/{doc}'}")
    head = "version: 1\nallow_outside: true\ndefaults: {baseline: b.json, statistics: {seed: 1}}\n"
    (entry,) = at(
        tmp_path / "repo",
        {**FILES, "sub/nlpeval.yaml": text.replace("version: 1\n", head), "sub/gold/b.xml": "x", "sub/b.json": "{}"},
    )
    assert (entry.config, entry.line, entry.names) == ("sub/nlpeval.yaml", 5, ("dev/x", "dev/y"))
    assert entry.settings == {
        ("allow_outside",): "true",
        ("baseline",): '"b.json"',
        ("statistics", "seed"): "1",
        ("name",): '"dev"',
        ("task",): '"rte"',
        ("gold",): '"gold/{doc}.xml"',
        ("system", "x"): '"x/{doc}"',
        ("system", "y"): '"y/{doc}"',
        ("gates", "accuracy", "min"): "0.8",
        ("gates", "c*", "max"): "1.0",
        ("gates", "c*", "informational"): "true",
    }
    assert {role: sorted(files) for role, files in entry.files.items() if files} == {
        "gold": ["sub/gold/b.xml"],
        "baseline": ["sub/b.json"],
    }
    assert entry.conditions(None, {"cws": "higher", "f1": "higher"}) == {("accuracy", "min"): 0.8, ("cws", "max"): 1.0}


def test_a_profile_adds_conditions(tmp_path: Path) -> None:
    text = config_text("accuracy: 0.8") + "    profiles: {release: {accuracy: {max: 1}, cws: 0.5}}\n"
    (entry,) = at(tmp_path / "repo", {"nlpeval.yaml": text})
    release = {("accuracy", "min"): 0.8, ("accuracy", "max"): 1.0, ("cws", "min"): 0.5}
    assert entry.conditions("release", {}) == release
    assert entry.conditions("other", {}) == {("accuracy", "min"): 0.8}


def test_of_the_defaults_an_entry_takes_the_baseline_and_the_statistics_alone(tmp_path: Path) -> None:
    """Nothing else is one: what stands there decides nothing, and what an entry says itself counts."""
    head = "version: 1\ndefaults: {baseline: b.json, statistics: {seed: 1}, gates: {accuracy: 0.1}, rules: {rte.ties: off}}\n"
    text = config_text("accuracy: 0.8", statistics="{seed: 2}").replace("version: 1\n", head)
    (entry,) = at(tmp_path / "repo", {"nlpeval.yaml": text})
    assert entry.settings["baseline",] == '"b.json"'
    assert entry.settings["statistics", "seed"] == "2"
    assert not any("rules" in keys for keys in entry.settings)
    assert entry.conditions(None, {}) == {("accuracy", "min"): 0.8}


def test_the_patterns_of_each_group_of_gates_have_an_order(tmp_path: Path) -> None:
    profiles = "    profiles: {release: {z*: 1, accuracy: 1, '*a': 1}, empty: {}}\n"
    (entry,) = at(tmp_path / "repo", {"nlpeval.yaml": config_text("y*: 1", "cws: 1", "c*: 1") + profiles})
    assert entry.orders == {("gates",): ["y*", "c*"], ("profiles", "release"): ["z*", "*a"], ("profiles", "empty"): []}


def test_the_gates_of_an_entry_have_the_units_of_their_files(tmp_path: Path) -> None:
    """Of each group of gates; the path stays where there is no file."""
    gate = "{must_pass: golden.txt, known_failures: none.txt, min: 0.5}"
    text = config_text(f"accuracy: {gate}", "cws: 0.5") + "    profiles: {release: {coverage: {must_pass: lists/more.txt}}}\n"
    files = {"sub/golden.txt": "2\n1\n", "sub/lists/more.txt": "7\n", "golden.txt": "9\n"}
    (entry,) = at(tmp_path / "repo", {**files, "sub/nlpeval.yaml": text})
    gates = entry.gates("release", {"cws": "higher"})
    assert list(gates) == ["cws", "accuracy", "coverage"], "the measures that are known, then the others by name"
    assert [guard.listing for guard in gates["accuracy"].guards()] == [Listing(ids=("1", "2")), Listing(path="none.txt")]
    assert [guard.listing for guard in gates["coverage"].guards()] == [Listing(ids=("7",))]
    assert gates["accuracy"].conditions["min"].threshold == 0.5
    assert sorted(path for path in entry.watched if path.endswith(".txt")) == ["sub/golden.txt", "sub/lists/more.txt"]


def test_the_paths_of_an_entry_are_those_of_files_and_of_lists_in_files(tmp_path: Path) -> None:
    gates = ("accuracy: {min: 0.5, must_pass: golden.txt, known_failures: ['1']}", "cws: {min: 0.5, if_no_value: pass}")
    profiles = "    profiles: {release: {accuracy: {known_failures: more.txt, min: 0.1}}}\n"
    entries = {
        "statistics": "{seed: 1}",
        "rules": "{rte.ties: error}",
        "options": "{edition: 1}",
        "was": "old",
        "baseline": "b.json",
    }
    text = config_text(*gates, system="{x: 'x/{doc}', y: y.txt}", **entries) + profiles
    (entry,) = at(tmp_path / "repo", {"nlpeval.yaml": text})
    assert entry.places == {
        ("gold",): "gold/{doc}.xml",
        ("system", "x"): "x/{doc}",
        ("system", "y"): "y.txt",
        ("baseline",): "b.json",
        ("gates", "accuracy", "must_pass"): "golden.txt",
        ("profiles", "release", "accuracy", "known_failures"): "more.txt",
    }
    assert not entry.leads_outside


@pytest.mark.parametrize(("said", "leads"), [("true", True), ("false", False), ("1", False), ("'true'", False)])
def test_only_true_allows_files_outside(tmp_path: Path, said: str, leads: bool) -> None:
    text = config_text().replace("version: 1\n", f"version: 1\nallow_outside: {said}\n")
    (entry,) = at(tmp_path / "repo", {"nlpeval.yaml": text})
    assert entry.leads_outside is leads


@pytest.mark.parametrize(
    ("task", "options", "gate", "settings"),
    [
        ("rte", None, "0.5", {("min",): "0.5"}),
        ("labels", None, "0.5", {(): "0.5"}),
        ("labels", "{labels: [a]}", "0.5", {("min",): "0.5"}),
        ("labels", "{labels: 3}", "0.5", {(): "0.5"}),
        ("labels", "3", "0.5", {(): "0.5"}),
        ("rte", None, "true", {(): "true"}),
        ("rte", None, "{min: 0.5}", {("min",): "0.5"}),
        ("nowhere", None, "0.5", {(): "0.5"}),
        ("are", None, "0.5", {(): "0.5"}),
    ],
)
def test_a_bare_number_stays_where_nobody_knows_what_it_bounds(
    tmp_path: Path, task: str, options: str | None, gate: str, settings: dict[tuple[str, ...], str]
) -> None:
    """A task that cannot be without options has no measures as long as they are missing, or wrong."""
    entries = {"task": task} | ({"options": options} if options else {})
    (entry,) = at(tmp_path / "repo", {"nlpeval.yaml": config_text(f"accuracy: {gate}", **entries)})
    assert {keys[2:]: value for keys, value in entry.settings.items() if keys[0] == "gates"} == settings


def test_a_bare_number_is_a_bound_where_options_say_which_measures_there_are(tmp_path: Path) -> None:
    text = config_text("muc.f1: 0.5", "success_rate: 0.5", task="are", options="{subtask: 2}")
    (entry,) = at(tmp_path / "repo", {"nlpeval.yaml": text})
    assert [keys for keys in entry.settings if keys[0] == "gates"] == [("gates", "muc.f1", "min"), ("gates", "success_rate")]


def test_what_an_entry_is_judged_by_is_gold_of_each_of_its_systems(tmp_path: Path) -> None:
    golds, systems = (", ".join(f"{name}: {side}/{name}" for name in "dbfaec") for side in ("gold", "system"))
    text = config_text(gold=f"{{{golds}}}", system=f"{{{systems}}}")
    (entry,) = at(tmp_path / "repo", {"sub/nlpeval.yaml": text})
    assert entry.paths == {"gold": [f"sub/gold/{name}" for name in "abcdef"], "input": [], "list": []}


def test_a_path_back_from_a_link_goes_on_from_where_the_link_leads(tmp_path: Path) -> None:
    gold = ["sub/../gold.xml", "link/../gold.xml", "none/../gold.xml"]
    text = "version: 1\nsuites:\n" + "".join(
        config_text(name=f"s{rank}", gold=path).partition("suites:\n")[2] for rank, path in enumerate(gold)
    )
    folder = write(
        start(tmp_path / "repo"), {"nlpeval.yaml": text, "gold.xml": "1", "sub/x": "", "far/off/x": "", "far/gold.xml": "2"}
    )
    (folder / "link").symlink_to("far/off")
    assert [entry.paths["gold"] for entry in at(folder, {})] == [["gold.xml"], ["link/../gold.xml"], ["gold.xml"]]
    assert [len(entry.files["gold"]) for entry in at(folder, {})] == [1, 1, 1]


def test_lists_have_their_ids_in_order_or_their_path_if_they_cannot_be_read(tmp_path: Path) -> None:
    gates = (
        "accuracy: {must_pass: none.txt, known_failures: [2, b, a]}",
        "cws: {must_pass: bytes.txt, known_failures: empty.txt}",
    )
    files: dict[str, str | bytes] = {"bytes.txt": b"\xff\n", "empty.txt": "# nobody\n", "nlpeval.yaml": config_text(*gates)}
    (entry,) = at(tmp_path / "repo", files)
    listed = {keys[1:]: value for keys, value in entry.settings.items() if keys[-1] in configurations.LISTS}
    assert listed == {
        ("accuracy", "must_pass"): '"none.txt"',
        ("accuracy", "known_failures"): '["2", "a", "b"]',
        ("cws", "must_pass"): '"bytes.txt"',
        ("cws", "known_failures"): "[]",
    }


def test_values_are_as_they_are_written_whatever_the_order_of_their_keys(tmp_path: Path) -> None:
    options = ("{a: [{y: 1, x: é}]}", "{a: [{x: é, y: 1}]}")
    for number, text in enumerate(config_text("accuracy: {must_pass: [é]}", options=each) for each in options):
        (entry,) = at(tmp_path / f"repo{number}", {"nlpeval.yaml": text})
        assert entry.settings["options", "a"] == '[{"x": "é", "y": 1}]'
        assert entry.settings["gates", "accuracy", "must_pass"] == '["é"]'


def test_a_list_that_is_none_hinders_no_other_condition(tmp_path: Path) -> None:
    (entry,) = at(tmp_path / "repo", {"nlpeval.yaml": config_text("accuracy: {must_pass: {}, min: 0.5}")})
    assert entry.conditions(None, {})["accuracy", "min"] == 0.5


def test_gates_on_measures_that_nobody_knows_are_in_the_order_of_their_names() -> None:
    names = [f"m{rank}" for rank in range(10)]
    assert list(entry_at("a.yaml", gates=dict.fromkeys(reversed(names), 0.5)).gates(None, {})) == names


@pytest.mark.parametrize("text", ["", "suites: 7", "suites: [7, {name: 3}]", "- x", "a: [", "suites:\n- {name: x}\n  y: ]"])
def test_what_is_no_configuration_has_no_entries(tmp_path: Path, text: str) -> None:
    assert at(tmp_path / "repo", {"nlpeval.yaml": text}) == []


def test_odd_values_are_settings_all_the_same(tmp_path: Path) -> None:
    text = "suites:\n- {name: x, task: nowhere, gates: {f1: high, p: {min: true}}, profiles: 3, options: {a: [1, {b: 2}]}}\n"
    (entry,) = at(tmp_path / "repo", {"nlpeval.yaml": text})
    assert entry.files == {}
    assert entry.conditions(None, {"f1": "higher", "p": "lower"}) == {}
    assert entry.settings["gates", "f1"] == '"high"'
    assert entry.settings["options", "a"] == '[1, {"b": 2}]'


def test_gold_behind_links_and_in_submodules(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    write(
        start(folder),
        {"real/a.xml": "1", "real/c.txt": "1", "nlpeval.yaml": config_text(), "x/nlpeval.yaml": config_text(gold="g.xml")},
    )
    (folder / "gold").symlink_to("real")
    (folder / "real/b.xml").symlink_to("c.txt")
    (folder / "x/g.xml").symlink_to("../out")
    (folder / "out").symlink_to("../nowhere")
    (folder / "link.nlpeval.yaml").symlink_to("nlpeval.yaml")
    (folder / "loop.nlpeval.yaml").symlink_to("loop.nlpeval.yaml")
    found = {entry.config: entry for entry in at(folder, {})}
    assert set(found) == {"nlpeval.yaml", "x/nlpeval.yaml", "link.nlpeval.yaml"}
    assert sorted(found["nlpeval.yaml"].files["gold"]) == ["gold/a.xml", "gold/b.xml"]
    assert len(set(found["nlpeval.yaml"].files["gold"].values())) == 1  # all are "1"
    assert found["x/nlpeval.yaml"].files["gold"] == {}
    other = start(tmp_path / "other")
    name = commit(write(other, {"a.xml": "1"}))
    git(folder, "rm", "--quiet", "gold")
    git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), "gold")
    (entry,) = (entry for entry in at(folder, {}) if entry.config == "nlpeval.yaml")
    assert entry.files["gold"] == {"gold": name}


@pytest.mark.parametrize("gold", ["m9/{doc}.xml", "m9/a.xml", "links/{doc}.xml", "links/a.xml", "'{doc}/a.xml'"])
def test_of_gold_in_submodules_their_commits_are_watched(tmp_path: Path, gold: str) -> None:
    """Whatever leads there."""
    other = start(tmp_path / "other")
    name = commit(write(other, {"a.xml": "1"}))
    folder = start(tmp_path / "repo")
    for module in ("m9", "m1", "m5"):
        git(folder, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(other), module)
    (folder / "links").mkdir()
    (folder / "links/a.xml").symlink_to("../m9/a.xml")
    (entry,) = at(folder, {"nlpeval.yaml": config_text(gold=gold)})
    modules = ["m1", "m5", "m9"] if gold.startswith("'") else ["m9"]
    assert list(entry.files["gold"].items()) == [(module, name) for module in modules]


def test_a_file_of_groups_is_watched(tmp_path: Path) -> None:
    """Whoever moves the documents that fell into another group lowers the bar."""
    files = {**FILES, "nlpeval.yaml": config_text(options="{group: {documents: groups.tsv}}")}
    before = at(tmp_path / "repo", {**files, "groups.tsv": "document\tgroup\na\tnews\n"})
    after = at(tmp_path / "repo", {**files, "groups.tsv": "document\tgroup\na\tweb\n"})
    assert told(before, after) == ["nlpeval.yaml:3: dev: groups: 1 file changed (groups.tsv) (base: base)"]


@pytest.mark.parametrize("name", ["none.json", "git.json", "nonesuch", "git"])
def test_a_baseline_file_is_watched_whatever_it_is_called(tmp_path: Path, name: str) -> None:
    config = config_text("accuracy: 1", baseline=name)
    before = at(tmp_path / "repo", {**FILES, "nlpeval.yaml": config, name: "{}"})
    after = at(tmp_path / "repo", {name: '{"another": 1}'})
    assert told(before, after) == [f"nlpeval.yaml:3: dev: baseline: 1 file changed ({name}) (base: base)"]


@pytest.mark.parametrize("reference", ["none", "git:HEAD"])
def test_a_baseline_that_is_no_file_is_not_watched(tmp_path: Path, reference: str) -> None:
    (entry,) = at(tmp_path / "repo", {**FILES, "nlpeval.yaml": config_text(baseline=reference), "none": "x"})
    assert "baseline" not in entry.files


def test_a_linked_folder_of_gold_that_leads_elsewhere_changes_its_files(tmp_path: Path) -> None:
    folder = start(tmp_path / "repo")
    (folder / "gold").symlink_to("gold-1")
    before = at(folder, {"gold-1/a.xml": "1", "gold-2/a.xml": "2", "gold-2/b.xml": "2", "nlpeval.yaml": config_text()})
    (folder / "gold").unlink()
    (folder / "gold").symlink_to("gold-2")
    assert told(before, at(folder, {})) == [
        "nlpeval.yaml:3: dev: gold: 1 file changed (gold/a.xml), 1 file new (gold/b.xml) (base: base)"
    ]


def test_nothing_changes_nothing_is_told(tmp_path: Path) -> None:
    before = at(tmp_path / "repo", {**FILES, "nlpeval.yaml": config_text("accuracy: 1")})
    after = at(tmp_path / "repo", {"nlpeval.yaml": config_text("accuracy: {min: 1.0}  # the same")})
    assert (told(before, after), lost(before, after, [judged(("accuracy", "min"))])) == ([], [])


def test_lists_of_units_are_compared_by_their_ids(tmp_path: Path) -> None:
    folder, gate = tmp_path / "repo", "accuracy: {must_pass: golden.txt, known_failures: %s}"
    before = at(folder, {**FILES, "golden.txt": "1\n2\n", "nlpeval.yaml": config_text(gate % "['3']")})
    after = at(folder, {"golden.txt": "# sorted\n2\n1\n", "nlpeval.yaml": config_text(gate % "['3', '4', '5']")})
    assert told(before, after) == [
        "nlpeval.yaml:8: dev: gates accuracy known_failures changed: +2 \N{MINUS SIGN}0 known failures (base: base)"
    ]
    shorter = at(folder, {"golden.txt": "2\n"})
    assert told(after, shorter) == [
        "nlpeval.yaml:8: dev: gates accuracy must_pass changed: +0 \N{MINUS SIGN}1 units that must pass (base: base)"
    ]


def test_a_bare_number_is_the_bound_that_it_is(tmp_path: Path) -> None:
    text = config_text("ece: 0.05", "accuracy: 0.5", task="labels", options="{labels: [a, b], probability: p}")
    (entry,) = at(tmp_path / "repo", {**FILES, "nlpeval.yaml": text})
    assert entry.conditions(None, {"ece": "lower", "accuracy": "higher"}) == {("ece", "max"): 0.05, ("accuracy", "min"): 0.5}
    spans = config_text("PER.fp: 5", "micro.f1: 0.5", task="spans", options="{labels: [PER]}")
    (entry,) = at(tmp_path / "repo", {"nlpeval.yaml": spans})
    assert entry.settings["gates", "PER.fp", "max"] == "5.0"
    assert entry.settings["gates", "micro.f1", "min"] == "0.5"


def test_every_change_is_told_at_its_line(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    before = at(
        folder, {**FILES, "gold/b.xml": "x", "nlpeval.yaml": config_text("accuracy: 0.8", "cws: 0.5", options="{edition: 1}")}
    )
    (folder / "gold/b.xml").unlink()
    files = {"gold/a.xml": gold_xml() + "\n", "gold/c.xml": "x"}
    after = at(folder, {**files, "nlpeval.yaml": config_text("accuracy: 0.7", options="{edition: 2}", rules="{rte.ties: error}")})
    assert told(before, after) == [
        "nlpeval.yaml:3: dev: gates cws min was 0.5, and is gone (base: base)",
        "nlpeval.yaml:10: dev: gates accuracy min was 0.8, is 0.7 (base: base)",
        "nlpeval.yaml:3: dev: gold: 1 file changed (gold/a.xml), 1 file new (gold/c.xml), 1 file gone (gold/b.xml) (base: base)",
        "nlpeval.yaml:7: dev: options edition was 1, is 2 (base: base)",
        'nlpeval.yaml:8: dev: rules rte.ties is new: "error" (base: base)',
    ]


def test_long_values_and_lists_are_cut(tmp_path: Path) -> None:
    folder, text = tmp_path / "repo", config_text(options="{}")
    before = at(folder, {"nlpeval.yaml": text})
    after = at(
        folder,
        {**{f"gold/{number:02}.xml": "x" for number in range(23)}, "nlpeval.yaml": config_text(options=f"{{a: {'x' * 200}}}")},
    )
    second, first = told(before, after)
    assert first == f'nlpeval.yaml:7: dev: options a is new: "{"x" * 79}… (base: base)'
    assert second.endswith("gold/19.xml, … 3 more) (base: base)")


def test_a_suite_that_moves_is_the_same_one_only_once(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    before = at(folder, {"a/nlpeval.yaml": config_text("accuracy: 1"), "b/nlpeval.yaml": config_text("accuracy: 1")})
    git(folder, "mv", "a", "c")
    git(folder, "rm", "--quiet", "-r", "b")
    after = at(folder, {})
    assert told(before, after) == ["c/nlpeval.yaml:3: dev: was in a/nlpeval.yaml at base"]
    missing = "b/nlpeval.yaml: the suite dev, which b/nlpeval.yaml has at base, is gone: nothing judges it any more; restore it"
    assert lost(before, after, [judged(("accuracy", "min"), config="c/nlpeval.yaml")]) == [missing]
    moved = (
        "c/nlpeval.yaml:3: the suite dev was moved from a/nlpeval.yaml to c/nlpeval.yaml, where nothing judges it; move it back"
    )
    assert lost(before, after) == [moved, missing]


def test_a_condition_counts_for_every_measure_that_it_was_for(tmp_path: Path) -> None:
    folder = tmp_path / "repo"
    before = at(folder, {"nlpeval.yaml": config_text("c*: 0.5", "accuracy: {min: 0.5, max: 1}")})
    after = at(folder, {"nlpeval.yaml": config_text("cws: 0.5", "accuracy: 0.5")})
    assert lost(before, after, [judged(("cws", "min"), ("coverage", "min"), ("accuracy", "min"), ("accuracy", "max"))]) == []
    assert lost(before, after, [judged(("cws", "min"), ("accuracy", "min"))]) == [
        "nlpeval.yaml:3: the gate accuracy (max: 1) of dev, which base has, is gone; restore it",
        "nlpeval.yaml:3: the gate coverage (min: 0.5) of dev, which base has, is gone; restore it",
    ]


def entry_at(
    config: str, name: str = "dev", task: str = "rte", systems: Sequence[str] = (), gates: Mapping[str, float] | None = None
) -> Configured:
    """An entry as it would be read, without a commit."""
    names = tuple(f"{name}/{system}" for system in systems) or (name,)
    return Configured(config, 1, name, task, names, {}, {}, {}, {}, {}, {"gates": gates or {}})


def test_a_suite_is_gone_although_another_one_of_its_name_is_there() -> None:
    one, other = entry_at("a.yaml"), entry_at("b.yaml")
    assert paired([one, other], [other]) == [(one, None), (other, other)]
    for unlike in (entry_at("a.yaml", "test"), entry_at("c.yaml", task="spans")):
        assert paired([one], [unlike]) == [(one, None)]
    moved = entry_at("c.yaml")
    assert paired([one], [unlike, moved]) == [(one, moved)]


def test_a_system_that_is_gone_and_suites_where_nothing_judges_them() -> None:
    before, after = entry_at("a.yaml", systems=["ours", "old"]), entry_at("a.yaml", systems=["ours"])

    def losses(now: Configured, expected: Sequence[str] | None) -> list[str]:
        return [problem.message for problem in gone([(before, now)], Comparison({}, "base", expected=expected))]

    old = "the suite dev/old, which a.yaml has at base, is gone: nothing judges it any more; restore it"
    left_out = "the suite dev/ours of a.yaml is not judged any more: no path that pytest is given leads there now; restore it"
    assert losses(after, None) == [old], "what the inputs select is no loss"
    assert losses(after, ["a.yaml"]) == [old]
    assert losses(after, ["b.yaml"]) == [left_out, old]


def test_changes_of_the_same_weight_are_in_the_order_of_their_keys() -> None:
    keys = [f"key{number:02}" for number in range(20)]
    before, after = (
        replace(entry_at("a.yaml"), settings={("options", key): value for key in keys}) for value in ("[{}, 1]", "[{}, 2]")
    )
    assert told([before], [after]) == [f"a.yaml:1: dev: options {key} was [{{}}, 1], is [{{}}, 2] (base: base)" for key in keys]


def test_another_profile_that_is_looser_hides_no_entry_that_loosens_this_run() -> None:
    nightly = ("profiles", "nightly", "accuracy", "min")
    before = replace(entry_at("nlpeval.yaml", gates={"acc*": 0.8}), settings={nightly: "0.9"})
    after = replace(entry_at("nlpeval.yaml", gates={"acc*": 0.8, "accuracy": 0.1}), settings={nightly: "0.2"})
    suites = {("nlpeval.yaml", "dev"): judged(("accuracy", "min"))}
    assert [problem.message for problem in changed([(before, after)], Comparison(suites, "base"))] == [
        "dev: the gate accuracy min was 0.8, is 0.1, by another entry that applies to it (base: base)",
        "dev: profiles nightly accuracy min was 0.9, is 0.2 (base: base)",
    ]


def test_another_order_of_patterns_and_roles_whose_files_come_and_go() -> None:
    groups = [("gates",), ("profiles", "a"), ("profiles", "b"), ("profiles", "c")]
    before = replace(entry_at("a.yaml"), orders={keys: ["c*", "*e", "gone*"] for keys in groups}, files={"gold": {"g": "1"}})
    after = replace(
        entry_at("a.yaml"), orders={keys: ["*e", "c*"] for keys in groups}, files={"groups": {"t": "1"}, "baseline": {"b": "1"}}
    )
    changes = changed([(before, after)], Comparison({}, "base"))
    assert [problem.code for problem in changes] == ["action.loosened"] * 7
    order = "the order of patterns was c*, *e, is *e, c*; the last that matches counts"
    files = ["baseline: 1 file new (b)", "gold: 1 file gone (g)", "groups: 1 file new (t)"]
    told_first = [f"dev: gates: {order}", *(f"dev: {role}" for role in files)]
    of_other_profiles = [f"dev: profiles {name}: {order}" for name in "abc"]
    assert [problem.message for problem in changes] == [f"{text} (base: base)" for text in (*told_first, *of_other_profiles)]
    assert told([before], [replace(before, orders={("gates",): ["c*", "new*", "*e"]})]) == [], (
        "patterns that one side lacks have no order"
    )


def test_a_longer_number_and_a_list_that_is_gone_are_told() -> None:
    number, units = ("gates", "accuracy", "min"), ("gates", "accuracy", "must_pass")
    before = replace(entry_at("a.yaml"), settings={number: "0.85", units: '["a"]'})
    after = replace(entry_at("a.yaml"), settings={number: "0.8"})
    assert told([before], [after]) == [
        'a.yaml:1: dev: gates accuracy must_pass was ["a"], and is gone (base: base)',
        "a.yaml:1: dev: gates accuracy min was 0.85, is 0.8 (base: base)",
    ]
    unreadable = replace(before, settings={number: "0.85", units: '""'})
    assert told([before], [unreadable]) == ['a.yaml:1: dev: gates accuracy must_pass was ["a"], is "" (base: base)']


def test_a_gate_of_several_systems_that_another_entry_loosens_is_told_once() -> None:
    before, after = (entry_at("nlpeval.yaml", systems=["x", "y"], gates=gates) for gates in ({"*": 0.8}, {"*": 0.8, "cws": 0.1}))
    suites = {("nlpeval.yaml", name): judged(("cws", "min")) for name in before.names}
    (problem,) = changed([(before, after)], Comparison(suites, "base"))
    assert problem.message == "dev: the gate cws min was 0.8, is 0.1, by another entry that applies to it (base: base)"


@pytest.fixture
def acc_was_renamed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the task rte be one whose measure `accuracy` was called `acc`."""
    rte = load_task("rte")
    measures = [
        replace(each, was=("acc",) if each.name == "accuracy" else ()) for each in rte.measures(rte.options(), None) or ()
    ]
    renamed = replace(rte, measures=lambda _options, _columns: measures)
    monkeypatch.setattr(configurations, "find_task", lambda *_: renamed)


@pytest.mark.usefixtures("acc_was_renamed")
def test_a_gate_under_a_former_name_is_there(tmp_path: Path) -> None:
    before, after = (at(tmp_path / name, {**FILES, "nlpeval.yaml": config_text(f"{name}: 0.8")}) for name in ("acc", "accuracy"))
    for now in (before, after):
        assert lost(before, now, [judged(("accuracy", "min"))]) == []
        (message,) = lost(before, now, [judged(("accuracy", "max"))])
        assert "the gate accuracy (min: 0.8) of dev, which base has, is gone" in message


@pytest.mark.usefixtures("acc_was_renamed")
@pytest.mark.parametrize("changes", [("acc: 0.9", "accuracy: 0.1"), ("accuracy: 0.9", "acc: 0.1")])
def test_the_order_of_two_names_of_a_measure(tmp_path: Path, changes: tuple[str, str]) -> None:
    """The later one counts: the bar was 0.9, and is 0.1."""
    one, two = (
        at(tmp_path / name, {**FILES, "nlpeval.yaml": config_text(*gates)})
        for name, gates in (("a", changes), ("b", changes[::-1]))
    )
    suite = judged(("accuracy", "min"))
    comparison = Comparison({("nlpeval.yaml", "dev"): suite}, "base")
    (looser,) = changed(paired(two, one), comparison)
    assert (looser.code, looser.message) == (
        "action.loosened",
        "dev: the gate accuracy min was 0.9, is 0.1, by another entry that applies to it (base: base)",
    )
    assert changed(paired(one, two), comparison) == []  # stricter


@pytest.mark.parametrize("function", ["options", "measures"])
def test_a_task_of_another_package_that_fails_is_told_by_who_judges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str
) -> None:
    """Its measures are unknown here, and so is what a bare number bounds."""

    def fail(*_: object) -> NoReturn:
        raise ValueError

    failing: dict[str, Any] = {function: fail}
    task = guarded(replace(load_task("rte"), name="theirs", **failing))
    monkeypatch.setattr(configurations, "find_task", lambda *_: task)
    (entry,) = at(tmp_path / "repo", {**FILES, "nlpeval.yaml": config_text("accuracy: 0.8", task="theirs")})
    assert entry.settings["gates", "accuracy"] == "0.8"
    assert list(entry.files["gold"]) == ["gold/a.xml"]
