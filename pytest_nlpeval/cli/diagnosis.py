"""What a bug report needs to know of a machine and a project: versions, root, configurations, plugins, git, the evidence store, encodings.

Nothing here tells a secret: of environment variables only the names are told, of git no address of a remote.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, PackageNotFoundError, entry_points, requires, version
from pathlib import Path

from pytest_nlpeval import __version__
from pytest_nlpeval.baselines.git import GitError, Repository, git_version
from pytest_nlpeval.cli.streams import err, out
from pytest_nlpeval.config.finding import find_configs
from pytest_nlpeval.config.meaning import SOURCE_GROUP, SOURCES, load_source
from pytest_nlpeval.config.pyproject import FILE, misplaced_tables
from pytest_nlpeval.files import git_folder, label, repository_root
from pytest_nlpeval.foreign import said_of
from pytest_nlpeval.light_dataclasses import light_dataclass
from pytest_nlpeval.numbers import short_commit
from pytest_nlpeval.problems import NlpevalError, NoAnswerError
from pytest_nlpeval.run.store_folder import UnfitStoreError
from pytest_nlpeval.tasks import ENTRY_POINT_GROUP, TASKS, load_task
from pytest_nlpeval.wording import plural

DISTRIBUTION = "pytest-nlpeval"

PLUGIN = "nlpeval"
"""The name under which pytest finds the plugin."""

MOST_CONFIGURATIONS = 20
"""How many configurations are read."""

_BESIDE = ("pytest-xdist", "pytest-randomly", "pytest-cov", "pytest-rerunfailures", "pytest-timeout")
"""Plugins that meet this one in many projects."""

_VARIABLES = re.compile(
    "NLPEVAL_.*|PYTEST_.*|PYTHON(UTF8|IOENCODING|PATH|WARNINGS|OPTIMIZE)|NO_COLOR|TERM|LANG|LC_ALL|LC_CTYPE|CI|GITHUB_ACTIONS"
)
"""The environment variables whose presence is told."""


@light_dataclass(frozen=True, slots=True)
class Fact:
    """Something that is so. With a `cure` it should not be, and the cure says what to do."""

    about: str
    said: str
    cure: str = ""


def facts(folder: Path, store: Path) -> Iterator[Fact]:
    """Yield all facts of a folder, and of the evidence store that lies or would lie at `store`."""
    yield from _versions()
    yield from _plugins()
    yield from _tasks()
    yield from _project(folder)
    yield from _git(folder)
    yield from _store(store)
    yield from _terminal()


def _versions() -> Iterator[Fact]:
    yield Fact("pytest-nlpeval", f"{__version__} in {Path(__file__).parent.parent}")
    installed = _version(DISTRIBUTION)
    if installed is None:
        yield Fact(
            "installed as", "nothing", f"pytest finds no plugin of a package that is not installed; `pip install {DISTRIBUTION}`"
        )
    elif installed != __version__:
        cure = f"two copies are there; `pip uninstall {DISTRIBUTION}` until it says that none is left, then install it anew"
        yield Fact("installed as", installed, cure)
    yield Fact(
        "Python", f"{platform.python_version()} ({platform.python_implementation()}), {platform.system()} {platform.machine()}"
    )
    names = (
        [re.split(r"[^\w.-]", text, maxsplit=1)[0] for text in requires(DISTRIBUTION) or () if "extra ==" not in text]
        if installed
        else []
    )
    versions = {name: _version(name) for name in names}
    if there := [f"{name} {found}" for name, found in sorted(versions.items()) if found]:
        yield Fact("libraries", ", ".join(there))
    if missing := [name for name, found in sorted(versions.items()) if not found]:
        yield Fact("libraries", f"{', '.join(missing)} missing", f"`pip install {' '.join(missing)}`")


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _plugins() -> Iterator[Fact]:
    if beside := [f"{name} {found}" for name in _BESIDE if (found := _version(name))]:
        yield Fact("beside it", ", ".join(beside))
    for point in entry_points(group="pytest11", name=PLUGIN):
        if point.value != "pytest_nlpeval.plugin":
            yield Fact(
                "plugin",
                f"{_package_of(point)} has one of the same name",
                f"`pip uninstall {_package_of(point)}`, or `-p no:{PLUGIN}` is needed",
            )
    if os.environ.get("PYTEST_DISABLE_PLUGIN_AUTOLOAD"):
        cure = "`pytest -p pytest_nlpeval.plugin --nlpeval`, or unset the variable"
        yield Fact("plugin", "PYTEST_DISABLE_PLUGIN_AUTOLOAD is set: pytest loads no plugin by itself", cure)
    if names := sorted(name for name in os.environ if _VARIABLES.fullmatch(name)):
        yield Fact("variables set", ", ".join(names))


def _package_of(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.value


def _tasks() -> Iterator[Fact]:
    """Yield what other packages add, and where two of them add the same."""
    for group, what, own in ((ENTRY_POINT_GROUP, "task", TASKS), (SOURCE_GROUP, "source of baselines", SOURCES)):
        points = list(entry_points(group=group))
        names = [point.name for point in points]
        for point in points:
            package, cure = _package_of(point), ""
            if point.name in own:
                cure = f"pytest-nlpeval has one of this name, which is used; ask the authors of {package} for another name"
            elif names.count(point.name) > 1:
                cure = f"another package has one of this name; uninstall {package} or that"
            elif failure := _failure(point, group):
                cure = f"it cannot be loaded ({failure}); upgrade or uninstall {package}"
            yield Fact(what, f"{point.name} of {package}", cure)


def _failure(point: EntryPoint, group: str) -> str:
    try:
        load_task(point.name) if group == ENTRY_POINT_GROUP else load_source(point.name)
    except Exception as error:  # noqa: BLE001 - another package's code may raise anything
        return said_of(error)
    return ""


def _project(folder: Path) -> Iterator[Fact]:
    from pytest_nlpeval.config.file import load_suites

    root = repository_root(folder / FILE)
    yield Fact("folder", str(folder))
    yield Fact("root", f"{root}, the folder that no file may lie outside of")
    unread: list[OSError] = []
    configs = list(find_configs(folder, unread.append))
    for error in unread:
        yield Fact(
            "folder", f"{error.filename} cannot be read ({error.strerror})", "whatever lies there is skipped; allow reading it"
        )
    if not configs:
        yield from (
            Fact("configuration", str(problem), "then `nlpeval doctor` again") for problem in misplaced_tables(folder, root)
        )
        yield Fact("configuration", "none found here", "`nlpeval init` writes one; or change to the folder that has one")
    for config in configs[:MOST_CONFIGURATIONS]:
        try:
            suites = load_suites(config)
        except NlpevalError as error:
            said = f"{label(config, root)} has {plural(len(error.problems), 'mistake')}: {error.problems[0]}"
            yield Fact("configuration", said, f"mend it; `nlpeval validate {label(config, folder)}` tells all")
        else:
            tasks = ", ".join(sorted({suite.recipe.task.name for suite in suites}))
            yield Fact("configuration", f"{label(config, root)}: {plural(len(suites), 'suite')} of {tasks}")
    if more := configs[MOST_CONFIGURATIONS:]:
        yield Fact("configuration", f"and {len(more):,} more, which are not read here")


def _git(folder: Path) -> Iterator[Fact]:
    try:
        yield Fact("git", git_version(folder))
    except (GitError, NoAnswerError) as error:
        yield Fact("git", "cannot be used", str(error))
        return
    if git_folder(folder) is None:
        yield Fact("repository", "none around this folder: baselines can be files only")
        return
    try:
        repository = Repository.around(folder)
        commits = repository.commits(last=1)
        yield Fact("repository", f"{repository.top}, at {short_commit(commits[0].name)} of {commits[0].day}")
        if repository.is_shallow():
            yield Fact(
                "repository",
                "a shallow clone: revisions of `git:` baselines may be missing (`git fetch --unshallow` fetches them)",
            )
    except (GitError, NoAnswerError) as error:
        said, _, cure = str(error).partition("; ")
        yield Fact("repository", said, cure or "mend it, then `nlpeval doctor` again")


def _store(folder: Path) -> Iterator[Fact]:
    """Yield whether evidence can be kept. No folder is made; the key of this machine is, as it would be in a run."""
    from pytest_nlpeval.run.store import FILE as DATABASE
    from pytest_nlpeval.run.store_folder import usable_folder

    name = os.path.relpath(folder)
    try:
        import sqlite3

        usable_folder(folder, DATABASE)
    except UnfitStoreError as error:
        said, _, cure = str(error).partition("; ")
        yield Fact("evidence store", f"{name} is not used: {said}", cure or "without it everything is counted anew in each run")
        return
    except ImportError:
        yield Fact("evidence store", "this Python has no SQLite: everything is counted anew in each run")
        return
    nearest = next((place for place in (folder, *folder.parents) if place.exists()), folder)
    if not (nearest.is_dir() and os.access(nearest, os.W_OK | os.X_OK)):
        yield Fact(
            "evidence store", f"{name} cannot be written", "`--cache-dir DIR` names another folder, `--no-cache` does without"
        )
        return
    yield Fact("evidence store", f"{name} is usable (SQLite {sqlite3.sqlite_version})")


def _terminal() -> Iterator[Fact]:
    streams = {"standard output": out(), "standard error": err()}
    encodings = {name: str(getattr(stream, "encoding", None) or "unknown") for name, stream in streams.items()}
    encodings["file names"] = sys.getfilesystemencoding()
    poor = [name for name, encoding in encodings.items() if not _is_utf8(encoding)]
    said = ", ".join(f"{name} {encoding}" for name, encoding in encodings.items())
    cure = f"what {' and '.join(poor)} cannot show is spelt out as \\u2026; set PYTHONUTF8=1, or a UTF-8 locale" if poor else ""
    yield Fact("encodings", said, cure)
    yield Fact("terminal", ", ".join(f"{name} {'is one' if stream.isatty() else 'is none'}" for name, stream in streams.items()))


def _is_utf8(encoding: str) -> bool:
    return encoding.casefold().replace("-", "").replace("_", "") == "utf8"


def cures(told: Iterable[Fact]) -> list[str]:
    """Return a sentence for each fact that should not be so."""
    return [f"{fact.about}: {fact.said}; {fact.cure}" for fact in told if fact.cure]
