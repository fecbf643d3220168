"""`nlpeval doctor` tells what a bug report needs, no secret among it, and ends with 1 if there is anything to mend."""

from __future__ import annotations

import importlib.metadata
import os
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from pytest_nlpeval import __version__
from pytest_nlpeval.cli import diagnosis
from tests.support import COMMAND, Ended, apart, command, config_text, files_below, make_suite, write
from tests.unit.baselines.repositories import commit, start

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the variables of this very run would add."""
    for name in [name for name in os.environ if name.startswith(("PYTEST_DISABLE", "NLPEVAL_"))]:
        monkeypatch.delenv(name)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    make_suite(start(tmp_path))
    commit(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def mended(capfd: Capture, *arguments: str) -> Ended:
    """What the command tells, with the folds of lines taken out."""
    ended = command(capfd, "doctor", *arguments)
    return Ended(ended.code, " ".join(ended.out.split()), ended.err)


def of_facts(folder: Path) -> list[str]:
    return diagnosis.cures(diagnosis.facts(folder, folder / ".nlpeval_cache"))


def test_all_is_well(folder: Path, capfd: Capture) -> None:
    before = files_below(folder)
    ended = mended(capfd)
    assert ended.code == 0, ended.out
    assert ended.out.endswith("All is well.")
    for said in (
        f"{__version__} in ",
        sys.version.split()[0],
        f"pytest {pytest.__version__}",
        str(folder),
        "nlpeval.yaml: 1 suite of rte",
        "git version",
        ", at ",
        ".nlpeval_cache is usable",
        "utf-8",
    ):
        assert said in ended.out, said
    assert files_below(folder) == before


def test_no_value_of_a_variable_and_no_remote_is_told(folder: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLPEVAL_STORE_KEY", "a-secret-of-this-machine")
    monkeypatch.setenv("PYTEST_ADDOPTS", "--secret=a-secret-option")
    monkeypatch.setenv("GITHUB_TOKEN", "a-secret-token")
    with (folder / ".git/config").open("a") as stream:
        stream.write('[remote "origin"]\n\turl = https://me:a-secret-password@host/x\n')
    ended = mended(capfd)
    assert "NLPEVAL_STORE_KEY" in ended.out
    assert "PYTEST_ADDOPTS" in ended.out
    assert "a-secret" not in ended.out + ended.err
    assert "GITHUB_TOKEN" not in ended.out


def test_without_a_configuration_one_is_to_be_written(tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    ended = mended(capfd)
    assert ended.code == 1
    assert "none found here; `nlpeval init` writes one" in ended.out
    assert "none around this folder" in ended.out
    write(tmp_path, {"pyproject.toml": "[tool.nlpeval]\n"})
    assert "nothing reads [tool.nlpeval]" in mended(capfd).out


def test_mistakes_of_configurations_are_told_with_the_place(folder: Path, capfd: Capture) -> None:
    write(folder, {"nlpeval.yaml": config_text("acuracy: 1", "coverage: {}")})
    ended = mended(capfd)
    assert ended.code == 1
    assert "nlpeval.yaml has 2 mistakes: nlpeval.yaml:8:7: config.measure" in ended.out
    assert "`nlpeval validate nlpeval.yaml` tells all" in ended.out


def test_of_many_configurations_the_first_are_read(folder: Path) -> None:
    write(folder, {f"{rank}/nlpeval.yaml": "" for rank in range(25)})
    told = [fact.said for fact in diagnosis.facts(folder, folder) if fact.about == "configuration"]
    assert len(told) == diagnosis.MOST_CONFIGURATIONS + 1
    assert told[-1] == "and 6 more, which are not read here"


def test_a_store_that_is_not_used_is_told_with_the_reason(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / ".nlpeval_cache").symlink_to(folder / "elsewhere")
    assert [text for text in of_facts(folder) if "is a link; put a folder in its place" in text]
    (folder / ".nlpeval_cache").unlink()
    monkeypatch.setenv("NLPEVAL_STORE_KEY", "short")
    assert [text for text in of_facts(folder) if "NLPEVAL_STORE_KEY has fewer than 16 characters; `openssl" in text]
    monkeypatch.delenv("NLPEVAL_STORE_KEY")
    (folder / ".nlpeval_cache").write_text("")
    assert [text for text in of_facts(folder) if ".nlpeval_cache cannot be written" in text]


def test_plugins_in_the_way_are_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def points(group: str, name: str | None = None) -> Iterator[EntryPoint]:
        every = {
            "pytest11": [
                EntryPoint("nlpeval", "pytest_nlpeval.plugin", "pytest11"),
                EntryPoint("nlpeval", "theirs:plugin", "pytest11"),
            ],
            "nlpeval.tasks": [
                EntryPoint("rte", "theirs:TASK", "nlpeval.tasks"),
                EntryPoint("gone", "no_such_module:TASK", "nlpeval.tasks"),
                EntryPoint("two", "one:TASK", "nlpeval.tasks"),
                EntryPoint("two", "other:TASK", "nlpeval.tasks"),
            ],
        }
        return (point for point in every.get(group, ()) if name in (None, point.name))

    monkeypatch.setattr(diagnosis, "entry_points", points)
    monkeypatch.setattr("pytest_nlpeval.libraries.metadata.entry_points", points)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    told = "\n".join(of_facts(folder))
    for said in (
        "theirs:plugin has one of the same name",
        "pytest-nlpeval has one of this name, which is used",
        "it cannot be loaded (ImportError: importing no_such_module raises ModuleNotFoundError: No module named 'no_such_module')",
        "uninstall one:TASK or that",
        "uninstall other:TASK or that",
        "`pytest -p pytest_nlpeval.plugin --nlpeval`",
    ):
        assert said in told, said


@pytest.mark.parametrize(
    ("installed", "said"), [(None, "`pip install pytest-nlpeval`"), ("0.0.9", "two copies are there")], ids=["none", "another"]
)
def test_a_package_that_is_not_the_one_installed_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, installed: str | None, said: str
) -> None:
    def version(name: str) -> str:
        if name in ("pytest-nlpeval", "lxml"):
            if installed is None or name == "lxml":
                raise importlib.metadata.PackageNotFoundError(name)
            return installed
        return importlib.metadata.version(name)

    monkeypatch.setattr(diagnosis, "version", version)
    told = of_facts(folder)
    assert [text for text in told if said in text]
    assert [text for text in told if "lxml missing; `pip install lxml`" in text] or installed is None


def test_git_that_cannot_be_used_and_a_shallow_clone_are_told(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    write(folder, {"more.txt": ""})
    commit(folder)
    clone = tmp_path_factory.mktemp("clone") / "c"
    done = apart(folder, ["git", "clone", "--quiet", "--depth", "1", folder.as_uri(), str(clone)])
    assert done.code == 0, done.all
    assert [fact for fact in diagnosis.facts(clone, clone) if "a shallow clone" in fact.said]
    without = apart(folder, [*COMMAND, "doctor"], {"PATH": str(folder)})
    assert without.code == 1
    assert "git is not installed" in without.out


def test_encodings_that_cannot_show_all_are_told(folder: Path) -> None:
    ended = apart(folder, [*COMMAND, "doctor"], {"PYTHONIOENCODING": "latin-1"})
    assert ended.code == 1
    assert "set PYTHONUTF8=1" in " ".join(ended.out.split())


def test_a_current_folder_that_is_gone_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    ended = command(capfd, "doctor")
    assert ended.code == 2
    assert "does not exist any more" in ended.err
