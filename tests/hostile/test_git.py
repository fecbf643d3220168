"""Nothing in a repository makes git run a program, reach the network or lead elsewhere; what git cannot do is a sentence with a cure."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from pytest_nlpeval.baselines import git_process
from pytest_nlpeval.baselines.git import GitError, Repository, git_version, is_tracked
from pytest_nlpeval.problems import NoAnswerError
from tests.support import COMMAND, HALF, HANG, RIGHT, Ended, apart, command, make_suite, write
from tests.unit.baselines.repositories import commit, git, start


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository whose suite must not drop; its system is better at the first commit than at the second."""
    folder = start(tmp_path / "repo")
    make_suite(folder, "accuracy: {max_drop: 0}", runs={"a": RIGHT})
    commit(folder)
    write(folder, {"system/a.txt": HALF})
    commit(folder)
    return folder


@pytest.fixture
def trap(tmp_path: Path) -> str:
    """A program that leaves a file `pwned`, and does what git asks for not at all."""
    path = write(tmp_path, {"trap.sh": f"#!/bin/sh\ntouch '{tmp_path}/pwned'\nexit 1\n"}) / "trap.sh"
    path.chmod(0o755)
    return str(path)


def run(folder: Path, *arguments: str, environment: dict[str, str] | None = None) -> Ended:
    return apart(folder, [*COMMAND, *arguments], environment)


def fails_against(folder: Path, revision: str = "HEAD^1") -> str:
    """What `nlpeval run` says of a system that is worse than at a revision."""
    ended = run(folder, "run", "--baseline", f"git:{revision}")
    assert ended.code == 1, ended.all
    return " ".join(ended.all.split())  # lines are wrapped


RunHere = Callable[..., Ended]


@pytest.fixture
def run_here(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> RunHere:
    """Runs the command in a folder as `run` does, in this process, which takes less time."""

    def run_in(folder: Path, *arguments: str) -> Ended:
        monkeypatch.chdir(folder)
        return command(capfd, *arguments)

    return run_in


PROGRAMS = (
    "core.fsmonitor",
    "core.sshCommand",
    "core.pager",
    "pager.rev-list",
    "core.editor",
    "core.askPass",
    "core.gitProxy",
    "core.alternateRefsCommand",
    "credential.helper",
    "diff.external",
    "diff.x.textconv",
    "filter.x.smudge",
    "filter.x.clean",
    "filter.x.process",
    "gpg.program",
    "interactive.diffFilter",
    "uploadpack.packObjectsHook",
    "trace2.eventTarget",
)
"""Settings that name a program (a file, in the last case)."""


@pytest.mark.parametrize(
    "command", [("run", "--baseline", "git:HEAD^1"), ("history",), ("compare", "dev", "git:HEAD^1", "git:HEAD")]
)
def test_no_setting_of_a_repository_runs_a_program(folder: Path, trap: str, command: tuple[str, ...]) -> None:
    plain = run(folder, *command)
    assert ("1.000" in plain.out, plain.err) == (True, ""), "git is asked for the better system"
    for name in PROGRAMS:
        git(folder, "config", name, trap)
    for name in ("rev-parse", "rev-list", "ls-tree", "cat-file", "merge-base", "check-ignore"):
        git(folder, "config", f"alias.{name}", f"!{trap}")
    write(folder, {".git/more": f"[core]\n\thooksPath = {Path(trap).parent}\n", ".git/info/attributes": "* filter=x diff=x\n"})
    git(folder, "config", "include.path", "more")
    git(folder, "config", "includeIf.gitdir:/.path", "more")
    for hook in ("post-index-change", "reference-transaction", "post-checkout"):
        shutil.copy(trap, folder / ".git/hooks" / hook)
    assert run(folder, *command) == plain
    assert not (Path(trap).parent / "pwned").exists()


@pytest.mark.parametrize("asked", [("status",), ("diff",), ("update-index", "--refresh")])
def test_whatever_git_is_asked_no_setting_runs_a_program(folder: Path, trap: str, asked: tuple[str, ...]) -> None:
    """These commands would ask the file monitor, and write the index, which has a hook."""
    (folder / "hooks").mkdir()
    shutil.copy(trap, folder / "hooks/post-index-change")
    git(folder, "config", "core.fsmonitor", trap)
    git(folder, "config", "core.hooksPath", str(folder / "hooks"))
    os.utime(folder / "system/a.txt", (0, 0))
    assert git_process.run_git(folder, *asked).returncode == 0
    assert not (Path(trap).parent / "pwned").exists()


def test_whatever_git_is_asked_it_does_not_write_the_index(folder: Path) -> None:
    os.utime(folder / "system/a.txt", (0, 0))
    before = (folder / ".git/index").read_bytes()
    assert git_process.run_git(folder, "status").returncode == 0
    assert (folder / ".git/index").read_bytes() == before


def test_git_speaks_english_and_asks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Messages of git are compared with English ones; what git would ask on a terminal nobody answers."""
    (write(tmp_path, {"bin/git": "#!/bin/sh\necho $LC_ALL $GIT_TERMINAL_PROMPT\n"}) / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert git_version(tmp_path) == "C 0"


@pytest.mark.parametrize("guard", ["GIT_NO_LAZY_FETCH", "GIT_ALLOW_PROTOCOL"])
def test_a_partial_clone_fetches_nothing(folder: Path, trap: str, monkeypatch: pytest.MonkeyPatch, guard: str) -> None:
    """A git that knows GIT_NO_LAZY_FETCH does not try; one that does not may use no protocol. Each guard is tried without the other."""
    missing = git(folder, "rev-parse", "HEAD^1:system/a.txt")
    (folder / ".git/objects" / missing[:2] / missing[2:]).unlink()
    for name, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::{trap}",
        "remote.origin.uploadpack": trap,
        "protocol.ext.allow": "always",
    }.items():
        git(folder, "config", name, value)
    without = {"GIT_NO_LAZY_FETCH": "0", "GIT_ALLOW_PROTOCOL": "ext"}
    monkeypatch.setattr(git_process, "SETTINGS", {**git_process.SETTINGS, **without, guard: git_process.SETTINGS[guard]})
    repository = Repository.around(folder)
    with pytest.raises(GitError, match=f"the object {missing} is not in this clone; fetch it"):
        list(repository.contents([missing]))
    assert not (Path(trap).parent / "pwned").exists()
    assert "is not in this clone" in fails_against(folder)


def test_a_work_tree_elsewhere_is_refused(folder: Path, tmp_path: Path) -> None:
    for place in (str(tmp_path), "/", str(make_suite(tmp_path / "elsewhere"))):
        git(folder, "config", "core.worktree", place)
        with pytest.raises(GitError, match=r"git takes .* for the work tree of .*; take `core.worktree` out"):
            Repository.around(folder)
        assert "core.worktree" in fails_against(folder)


@pytest.fixture
def disguised(folder: Path, tmp_path: Path) -> Path:
    """A folder of the repository with a worse system, and with the files of another repository, in which it was never better.

    Files named HEAD, objects, refs and config: git takes such a folder for a bare repository.
    """
    make_suite(folder / "eval", "accuracy: {max_drop: 0}", runs={"a": RIGHT})
    commit(folder)
    write(folder, {"eval/system/a.txt": HALF})
    worse = make_suite(start(tmp_path / "worse/eval").parent, "accuracy: {max_drop: 0}", runs={"a": HALF})
    git(worse, "init", "--quiet", "--initial-branch=main")
    shutil.rmtree(worse / "eval")
    commit(worse)
    commit(worse)
    for name in ("HEAD", "objects", "refs", "config"):
        source = worse / ".git" / name
        (shutil.copytree if source.is_dir() else shutil.copy)(source, folder / "eval" / name)
    write(folder, {"eval/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n"})
    return folder / "eval"


def test_a_checked_in_folder_that_looks_like_a_repository_is_none(disguised: Path) -> None:
    assert Repository.around(disguised).top == disguised.parent
    assert "accuracy" in fails_against(disguised, "HEAD")


def test_a_repository_that_says_it_has_no_work_tree_is_refused(folder: Path) -> None:
    git(folder, "config", "core.bare", "true")
    with pytest.raises(GitError, match=r"without work tree; `git config core.bare false` mends that"):
        Repository.around(folder)


def test_nor_is_it_one_beside_a_git_folder_that_is_none(disguised: Path) -> None:
    """A program leaves an empty folder `.git`, or a damaged one: git then looks at what lies around it."""
    (disguised / ".git").mkdir()
    with pytest.raises(GitError, match="bare repository"):
        Repository.around(disguised)


def test_nor_does_it_hide_what_is_tracked(disguised: Path) -> None:
    for name in ("store", "a*b"):
        write(disguised, {f"{name}/x": "x"})
        assert not is_tracked(disguised / name)
        git(disguised.parent, "add", "--force", f"eval/{name}")
        assert is_tracked(disguised / name)
    write(disguised, {"*/x": "x"})
    assert not is_tracked(disguised / "*"), "a name is no pattern"


def graft(folder: Path, child: str, _good: str, false: str) -> None:
    (folder / ".git/info").mkdir(exist_ok=True)
    write(folder, {".git/info/grafts": f"{child} {false}\n"})


def replace(folder: Path, _child: str, good: str, false: str) -> None:
    git(folder, "replace", good, false)


def forge_graph(folder: Path, child: str, _good: str, false: str) -> None:
    """Write git's list of commits and their parents, as gitformat-commit-graph describes it, with a false parent."""
    git(folder, "commit-graph", "write", "--reachable")
    path = folder / ".git/objects/info/commit-graph"
    data = bytearray(path.read_bytes())
    chunks = {bytes(data[at : at + 4]): int.from_bytes(data[at + 4 : at + 12], "big") for at in range(8, 8 + 12 * data[6], 12)}
    count = (chunks[b"CDAT"] - chunks[b"OIDL"]) // 20
    names = [data[at : at + 20].hex() for at in range(chunks[b"OIDL"], chunks[b"OIDL"] + 20 * count, 20)]
    parent = chunks[b"CDAT"] + names.index(child) * 36 + 20
    data[parent : parent + 4] = names.index(false).to_bytes(4, "big")
    path.unlink()
    path.write_bytes(data)


@pytest.mark.parametrize("deceive", [graft, replace, forge_graph])
def test_parents_are_those_of_the_commits(folder: Path, deceive: Callable[[Path, str, str, str], None]) -> None:
    """Neither a graft, nor an object put in place of another, nor a file that lists parents decides what the base is."""
    child, good, tree = git(folder, "rev-parse", "HEAD", "HEAD^1", "HEAD^{tree}").split()
    git(folder, "branch", "side", git(folder, "commit-tree", tree, "-m", "x"))
    deceive(folder, child, good, git(folder, "rev-parse", "side"))
    assert git(folder, "log", "--format=%T").split() == [tree, tree], "git alone is deceived"
    repository = Repository.around(folder)
    assert repository.commit("HEAD^1") == good
    assert [commit.name for commit in repository.commits()] == [child, good]
    (blob,) = (blob for path, blob in repository.files(good).items() if path == "system/a.txt")
    assert list(repository.contents([blob.name])) == [RIGHT.encode()]


@pytest.mark.parametrize(
    "revision", ["^HEAD", "^HEAD^1", "HEAD..HEAD", "HEAD^@", "HEAD^!", "HEAD:system", "--all", "", " ", "@{-1}"]
)
def test_what_names_no_commit_is_a_sentence(folder: Path, run_here: RunHere, revision: str) -> None:
    ended = run_here(folder, "run", "--baseline", f"git:{revision}")
    assert (ended.code, "there is no commit" in " ".join(ended.all.split())) == (1, True), ended.all


def test_a_git_that_cannot_be_run_is_a_sentence(folder: Path, tmp_path: Path) -> None:
    only = tmp_path / "bin"
    write(only, {"git": "not a program"})
    for mode, reason in ((0o644, r""), (0o755, "Exec format error")):
        (only / "git").chmod(mode)
        ended = run(folder, "run", "--baseline", "git:HEAD^1", environment={"PATH": str(only)})
        assert ended.code == 1
        told = " ".join(ended.all.split())  # lines are wrapped
        assert f"git cannot be run: {reason}" in told
        assert "install it anew, or name a baseline file" in told


def test_a_git_that_ends_at_once_is_a_sentence(folder: Path, tmp_path: Path) -> None:
    only = (
        write(tmp_path / "bin", {"git": f"#!{sys.executable}\nimport os, sys\nif 'cat-file' in sys.argv: sys.exit(3)\n"}) / "git"
    )
    real = shutil.which("git")
    only.write_text(only.read_text() + f"os.execv({real!r}, [{real!r}, *sys.argv[1:]])\n")
    only.chmod(0o755)
    path = f"{only.parent}{os.pathsep}{os.environ['PATH']}"
    ended = run(folder, "run", "--baseline", "git:HEAD^1", environment={"PATH": path})
    assert ended.code == 1
    told = " ".join(ended.all.split())
    assert "accuracy is unjudged: git:HEAD^1: git ended with exit code 3 when it was asked for the object" in told


@pytest.mark.parametrize("name", ["a\nb", "end\n", "end\n\n", "\nstart", " blank ", "größe", "-x"])
def test_a_folder_of_any_name_is_compared(tmp_path: Path, run_here: RunHere, name: str) -> None:
    folder = start(tmp_path / name)
    make_suite(folder, "accuracy: {max_drop: 0}", runs={"a": RIGHT})
    commit(folder)
    assert Repository.around(folder).top == folder
    assert run_here(folder, "run", "--baseline", "git:HEAD").code == 0
    write(folder, {"system/a.txt": HALF})
    worse = run_here(folder, "run", "--baseline", "git:HEAD")
    assert (worse.code, "0.5" in worse.all) == (1, True), worse.all
    assert run_here(folder, "history").code == 0


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(git_process, "PATIENCE", 0.2)


def pipe(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def device(path: Path) -> None:
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero")


pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes among files here")


@pipes
@pytest.mark.parametrize("put", [pipe, device])
@pytest.mark.parametrize("name", ["HEAD", "config", "index", "packed-refs", "shallow", "info/exclude", "objects/info/alternates"])
@pytest.mark.usefixtures("never_waits")
def test_a_pipe_or_device_that_git_would_read_is_a_sentence(folder: Path, name: str, put: Callable[[Path], None]) -> None:
    repository = Repository.around(folder)
    put(folder / ".git" / name)
    with pytest.raises(GitError, match=rf"{name} is a pipe or a device, for which git would wait for ever; take it away"):
        repository.commit("HEAD")
    assert not is_tracked(folder / "store")


@pipes
def test_an_empty_device_is_an_empty_file(folder: Path) -> None:
    (folder / ".git/info").mkdir(exist_ok=True)
    (folder / ".git/info/exclude").unlink(missing_ok=True)
    (folder / ".git/info/exclude").symlink_to(os.devnull)
    assert not Repository.around(folder).ignores("system/a.txt")


def running(folder: Path) -> list[str]:
    """The processes of git that work in a folder, where processes can be seen."""
    seen = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            if os.path.realpath(process / "cwd") == str(folder) and (process / "cmdline").read_bytes().startswith(b"git\0"):
                seen.append(process.name)
    return seen


@pipes
@pytest.mark.usefixtures("impatient", "never_waits")
def test_a_git_that_does_not_answer_is_ended_and_told(folder: Path) -> None:
    repository = Repository.around(folder)
    (blob, *_) = repository.files("HEAD").values()
    git(folder, "config", "include.path", "more")
    pipe(folder / ".git/more")
    for ask in (lambda: repository.commit("HEAD"), lambda: list(repository.contents([blob.name]))):
        with pytest.raises(NoAnswerError, match="git has not answered for 10 minutes; perhaps its configuration includes a pipe"):
            ask()
    assert running(folder) == []


@pipes
@pytest.mark.usefixtures("impatient", "never_waits")
def test_an_object_that_is_a_pipe_is_told(folder: Path) -> None:
    repository = Repository.around(folder)
    right, half = (repository.files(commit)["system/a.txt"].name for commit in ("HEAD^1", "HEAD"))
    pipe(folder / ".git/objects" / right[:2] / right[2:])
    objects = repository.contents([half, right])
    assert next(objects) == HALF.encode()
    with pytest.raises(NoAnswerError, match="git has not answered"):
        next(objects)
    assert running(folder) == []


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("name = sys.stdin.readline().strip(); print(name, 'blob 9', end='\\n1 TRUE')", "git ended in the middle of the object"),
        ("os.close(1); time.sleep(3600)", "git has not answered"),
    ],
    ids=["half an object", "nothing, and it stays"],
)
def test_an_object_that_does_not_come_whole_is_none(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, program: str, told: str
) -> None:
    """Git is killed, for want of memory, say: half a file is no file of then."""
    repository = Repository.around(folder)
    (write(tmp_path, {"bin/git": f"#!{sys.executable}\nimport os, sys, time\n{program}\n"}) / "bin/git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(NoAnswerError, match=told):
        list(repository.contents(["0" * 40]))


SIGNALLED = """
import os, signal, subprocess, sys
from pytest_nlpeval.cli import main

class Signalled(subprocess.Popen):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        os.kill(os.getpid(), signal.SIGTERM)

subprocess.Popen = Signalled
sys.exit(main())
"""
"""The command, which is terminated as soon as a process has started."""

IN_A_THREAD = """
import os, signal, subprocess, sys, time
from pathlib import Path
from threading import Thread
from pytest_nlpeval.baselines.git import Repository
from pytest_nlpeval.cli.process import as_process

class Signalled(subprocess.Popen):
    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(0.3)  # meanwhile the main thread ends what it knows of

def command():
    Thread(target=Repository.around, args=(Path.cwd(),), daemon=True).start()
    time.sleep(3600)

subprocess.Popen = Signalled
sys.exit(as_process(command))
"""
"""A process of the command, which is terminated as soon as another thread than the main one has started git."""


@pipes
@pytest.mark.skipif(not Path("/proc").exists(), reason="processes cannot be seen here")
@pytest.mark.usefixtures("never_waits")
@pytest.mark.parametrize("program", [SIGNALLED, IN_A_THREAD], ids=["main", "thread"])
def test_nor_does_one_that_comes_while_git_starts(folder: Path, program: str) -> None:
    git(folder, "config", "include.path", "more")
    pipe(folder / ".git/more")
    assert apart(folder, [sys.executable, "-c", program, "history"]).code == 128 + signal.SIGTERM
    while running(folder):  # as long as it takes to die of being killed
        time.sleep(0.02)


@pipes
@pytest.mark.skipif(not Path("/proc").exists(), reason="processes cannot be seen here")
@pytest.mark.usefixtures("never_waits")
def test_a_signal_leaves_no_git_that_waits(folder: Path) -> None:
    git(folder, "config", "include.path", "more")
    pipe(folder / ".git/more")
    process = subprocess.Popen([*COMMAND, "history"], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while not running(folder):
            assert process.poll() is None
            time.sleep(0.02)
        process.terminate()
        assert process.wait(HANG) == 128 + signal.SIGTERM
    finally:
        process.kill()
    while running(folder):  # as long as it takes to die of being killed
        time.sleep(0.02)
