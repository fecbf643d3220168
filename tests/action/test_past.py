"""The two commits that are compared: what pytest is told of at each, and the configurations of submodules."""

from __future__ import annotations

from pathlib import Path

import pytest
from bar import paired
from configurations import configured
from past import past
from pytest_settings import configuration_paths, settings_file
from work_tree import outside

from pytest_nlpeval.baselines.git import Repository
from pytest_nlpeval.baselines.tree import Tree
from tests.support import config_text, write
from tests.unit.baselines.repositories import commit, git, start


def tree_of(folder: Path, files: dict[str, str]) -> Tree:
    return Tree.of(Repository.around(start(folder)), commit(write(folder, files)))


@pytest.mark.parametrize(
    ("files", "places", "expected"),
    [
        ({}, ["."], ("", ())),
        ({"pytest.ini": "[pytest]\nnlpeval_files = a.yaml 'b c.yaml'\n"}, ["."], ("pytest.ini", ("a.yaml", "b c.yaml"))),
        ({"pytest.ini": "", "tox.ini": "[pytest]\nnlpeval_files = a.yaml\n"}, ["."], ("pytest.ini", ())),
        ({".pytest.ini": "[pytest]\nnlpeval_files = a\n"}, ["."], (".pytest.ini", ("a",))),
        ({"tox.ini": "[tox]\n", "setup.cfg": "[tool:pytest]\nnlpeval_files = a\n b\n"}, ["."], ("setup.cfg", ("a", "b"))),
        ({"pyproject.toml": "[tool.pytest.ini_options]\nnlpeval_files = ['a', 'b']\n"}, ["."], ("pyproject.toml", ("a", "b"))),
        ({"pyproject.toml": "[tool.pytest.ini_options]\nnlpeval_files = 'a b'\n"}, ["."], ("pyproject.toml", ("a", "b"))),
        ({"pyproject.toml": "[tool.pytest]\nnlpeval_files = ['a']\n"}, ["."], ("pyproject.toml", ("a",))),
        ({"pytest.toml": "[pytest]\nnlpeval_files = ['a']\n", "pytest.ini": ""}, ["."], ("pytest.toml", ("a",))),
        ({"pyproject.toml": "[project]\n", "x/pytest.ini": "[pytest]\nnlpeval_files = a\n"}, ["."], ("", ())),
        ({"pytest.ini": "", "x/pytest.ini": "[pytest]\nnlpeval_files = a\n"}, ["x"], ("x/pytest.ini", ("a",))),
        ({"pytest.ini": "", "x/y/z": "", "x/pytest.ini": "[pytest]\nnlpeval_files = a\n"}, ["x/y/z"], ("x/pytest.ini", ("a",))),
        ({"pytest.ini": "", "y/z": "", "x/pytest.ini": "[pytest]\nnlpeval_files = a\n"}, ["x", "y"], ("pytest.ini", ())),
        ({"pytest.ini": "[pytest]\nnlpeval_files = 'a\n"}, ["."], ("pytest.ini", ())),
        ({"pyproject.toml": f"[tool.pytest]\nx = {'9' * 4400}\n"}, ["."], ("pyproject.toml", ())),
        ({"pyproject.toml": "[tool.pytest", "setup.cfg": "[tool:pytest]\nnlpeval_files = a\n"}, ["."], ("pyproject.toml", ())),
    ],
)
def test_the_file_of_settings(tmp_path: Path, files: dict[str, str], places: list[str], expected: tuple[str, object]) -> None:
    assert settings_file(tree_of(tmp_path, {"nlpeval.yaml": "", **files}), places) == expected


def test_configurations_by_their_names_and_by_settings(tmp_path: Path) -> None:
    tree = tree_of(
        tmp_path, {"pytest.ini": "[pytest]\nnlpeval_files = e*.yaml\n", "x/eval.yaml": "", "y.yaml": "", "nlpeval.yml": ""}
    )
    assert configuration_paths(tree, ["."]) == ["nlpeval.yml", "x/eval.yaml"]


@pytest.fixture
def outer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, str]:
    """A repository whose submodule has a suite at the base, and another bar at the head; and the commit of the base."""
    inner, outer = start(tmp_path / "inner"), start(tmp_path / "outer")
    write(inner, {"nlpeval.yaml": config_text("accuracy: 0.8"), "gold/a.xml": "x"})
    commit(inner)
    git(outer, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner), "sub")
    base = commit(outer)
    write(outer / "sub", {"nlpeval.yaml": config_text("accuracy: 0.1"), "more.nlpeval.yaml": config_text(name="more")})
    commit(outer / "sub")
    commit(outer)
    monkeypatch.chdir(outer)
    return outer, base


def test_the_configurations_of_a_submodule_that_moved(outer: tuple[Path, str]) -> None:
    compared = past(outer[1], [])
    assert [(entry.config, entry.name, entry.settings["gates", "accuracy", "min"]) for entry in compared.old] == [
        ("sub/nlpeval.yaml", "dev", "0.8")
    ]
    assert [(entry.config, entry.name) for entry in compared.new] == [
        ("sub/more.nlpeval.yaml", "more"),
        ("sub/nlpeval.yaml", "dev"),
    ]
    assert set(compared.old[0].watched) == {"sub/nlpeval.yaml", "sub/gold/a.xml"}
    assert not compared.unknown


def test_a_submodule_whose_past_is_not_here_is_told(outer: tuple[Path, str], tmp_path: Path) -> None:
    folder, base = outer
    git(folder, "submodule", "--quiet", "deinit", "--force", "sub")
    assert not past(base, []).unknown, "no step checks it out"
    write(folder, {".gitmodules": (folder / ".gitmodules").read_text() + "\tupdate = none\n"})
    commit(folder)
    (sentence,) = past(base, []).unknown
    assert sentence.startswith("the submodule sub was at ")
    git(folder, "rm", "--quiet", "--force", "sub")
    commit(folder)
    assert past(base, []).unknown == ["the submodule sub is gone"]


def test_a_configuration_that_no_commit_can_follow_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = write(start(tmp_path / "workspace"), {"real.yaml": config_text("accuracy: 0.8"), "x/y": ""})
    (folder / "nlpeval.yaml").symlink_to(folder / "real.yaml")
    base = commit(folder)
    commit(write(folder, {"real.yaml": config_text("accuracy: 0.1")}))
    monkeypatch.chdir(folder)
    (sentence,) = past(base, []).unknown
    assert sentence.startswith("the configuration nlpeval.yaml led along links that cannot be followed in a commit, leads along ")
    assert not past(base, ["x"]).unknown, "the inputs leave it out"


def test_a_submodule_in_a_submodule_that_moved(outer: tuple[Path, str], tmp_path: Path) -> None:
    folder, _ = outer
    deepest = start(tmp_path / "deepest")
    commit(write(deepest, {"nlpeval.yaml": config_text("accuracy: 0.8")}))
    git(folder / "sub", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(deepest), "deep")
    commit(folder / "sub")
    base = commit(folder)
    commit(write(folder / "sub/deep", {"nlpeval.yaml": config_text("accuracy: 0.1")}))
    commit(folder / "sub")
    commit(folder)
    compared = past(base, [])
    bars = [
        [entry.settings["gates", "accuracy", "min"] for entry in entries if entry.config == "sub/deep/nlpeval.yaml"]
        for entries in (compared.old, compared.new)
    ]
    assert bars == [["0.8"], ["0.1"]]
    git(folder / "sub", "rm", "--quiet", "--force", "deep")
    commit(folder / "sub")
    commit(folder)
    assert past(base, []).unknown == ["the submodule sub/deep is gone"]


def test_no_configuration_leads_outside_where_a_submodule_moved(outer: tuple[Path, str]) -> None:
    """Its new commit may have links that lead anywhere."""
    folder, _ = outer
    write(folder, {"nlpeval.yaml": config_text("accuracy: 0.8").replace("version: 1", "version: 1\nallow_outside: true")})
    base = commit(folder)
    write(folder, {"more": ""})
    commit(folder)
    for moves, allowed in ((False, ["nlpeval.yaml"]), (True, [])):
        if moves:
            (folder / "sub/link").symlink_to("/")
            commit(folder / "sub")
            commit(folder)
        compared = past(base, [])
        trees = compared.before, compared.after
        assert outside(paired(compared.old, compared.new), compared.new, trees).allowed == allowed


WITHIN = config_text("accuracy: 0.8")
LEADING = WITHIN.replace("version: 1", "version: 1\nallow_outside: true")


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ({"nlpeval.yaml": LEADING}, {"more": ""}, ""),
        ({"nlpeval.yaml": LEADING, "link": "x"}, {"link": "y"}, ""),
        ({"nlpeval.yaml": WITHIN}, {"nlpeval.yaml": LEADING}, "allow_outside is new"),
        ({"more": ""}, {"nlpeval.yaml": LEADING}, "allow_outside is new"),
        ({"x/nlpeval.yaml": LEADING}, {"x/nlpeval.yaml": "", "nlpeval.yaml": LEADING}, "allow_outside is new"),
        (
            {"nlpeval.yaml": LEADING},
            {"nlpeval.yaml": LEADING.replace("system/", "../system/")},
            "allow_outside is set, and the suite's paths are not those of the base",
        ),
        ({"nlpeval.yaml": LEADING}, {"a/link": "@.."}, "allow_outside is set, and there are links that the base does not have"),
        (
            {"nlpeval.yaml": LEADING, "link": "@a"},
            {"link": "@b"},
            "allow_outside is set, and there are links that the base does not have",
        ),
    ],
)
def test_why_a_configuration_may_not_lead_outside(
    tmp_path: Path, before: dict[str, str], after: dict[str, str], why: str
) -> None:
    """A text that begins with `@` is a link."""
    folder = start(tmp_path)
    trees = []
    for files in (before, after):
        for name, text in files.items():
            write(folder, {name: text})
            if text.startswith("@"):
                (folder / name).unlink()
                (folder / name).symlink_to(text[1:])
        trees.append(Tree.of(Repository.around(folder), commit(folder)))
    old, new = map(configured, trees)
    found = outside(paired(old, new), new, (trees[0], trees[1]))
    cure = "take it out, or set the input `allow-outside: true`"
    assert [reason for _, _, reason in found.refused] == ([f"dev: {why}; {cure}"] if why else [])
    assert list(found.allowed) == ([] if why else ["nlpeval.yaml"])
    assert [reason for _, _, reason in outside([], new, None).refused] == [
        f"dev: allow_outside is set, and no base is known that had it; {cure}"
    ]
