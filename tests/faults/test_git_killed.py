"""Where a git that is asked is killed, that is told, and nothing is told of a repository that would have been otherwise."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import COMMAND, HALF, HANG, RIGHT, make_suite, write
from tests.unit.baselines.repositories import commit, start

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="git is a script here, and no signal ends a process there")

SCRIPT = """#!/bin/sh
rank=$(($(cat "$RANK" 2>/dev/null) + 1))
echo $rank >"$RANK"
test $rank != "$KILLED" || kill -9 $$
exec "{git}" "$@"
"""
"""A git that counts how often it is started, and is killed once."""

PYTEST = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--nlpeval")
REPORT = "written.json"

RUNS = {
    "against a commit": (*COMMAND, "run", "--baseline", "git:HEAD^1", "--report", f"json:{REPORT}"),
    "since a commit": (*COMMAND, "run", "--since", "HEAD^1", "--no-cache", "--report", f"json:{REPORT}"),
    "against a file": (*COMMAND, "run", "--baseline", "baseline.json", "--report", f"json:{REPORT}"),
    "saves a baseline": (*COMMAND, "run", "--save-baseline", REPORT),
    "counts a shard": (*COMMAND, "run", "--shard", "1/1", "--report", f"evidence:{REPORT}"),
    "merge": (*COMMAND, "merge", "part.json", "--report", f"json:{REPORT}"),
    "history": (*COMMAND, "history", "--report", f"json:{REPORT}"),
    "compare": (*COMMAND, "compare", "dev", "git:HEAD^1", "git:HEAD", "--report", f"json:{REPORT}"),
    "baseline update": (*COMMAND, "baseline", "update", "--baseline", REPORT),
    "doctor": (*COMMAND, "doctor"),
    "pytest against a commit": (*PYTEST, "--nlpeval-baseline=git:HEAD^1", f"--nlpeval-report=json:{REPORT}"),
    "pytest saves a baseline": (*PYTEST, f"--nlpeval-save-baseline={REPORT}"),
    "pytest counts a shard": (*PYTEST, "--nlpeval-shard=1/1", f"--nlpeval-report=evidence:{REPORT}"),
}


@pytest.mark.parametrize("name", RUNS)
def test_whichever_git_is_killed_that_is_told(tmp_path: Path, name: str) -> None:
    """One run for each git that a run starts: what it writes and its exit code are those of a run with git, or it says so."""
    folder = start(tmp_path / "repo")
    make_suite(folder, "accuracy: {max_drop: 0.75}", runs={"a": RIGHT})
    write(folder, {".gitignore": f"{REPORT}\n.nlpeval*\n__pycache__\n"})
    commit(folder)
    write(folder, {"system/a.txt": HALF})
    for arguments in (("--save-baseline", "baseline.json"), ("--shard", "1/1", "--report", "evidence:part.json")):
        subprocess.run([*COMMAND, "run", "--no-cache", *arguments], cwd=folder, capture_output=True, check=False)
    commit(folder)
    (write(tmp_path, {"bin/git": SCRIPT.replace("{git}", str(shutil.which("git")))}) / "bin/git").chmod(0o755)

    def run(killed: int) -> tuple[int, str, bytes | None, int]:
        """How a run ends, what it says, what it writes, and how often it starts git."""
        (folder / REPORT).unlink(missing_ok=True)
        (tmp_path / "rank").unlink(missing_ok=True)
        there = os.environ | {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"}
        there |= {"RANK": str(tmp_path / "rank"), "KILLED": str(killed)}
        ended = subprocess.run(RUNS[name], cwd=folder, env=there, capture_output=True, text=True, timeout=HANG, check=False)
        written = (folder / REPORT).read_bytes() if (folder / REPORT).exists() else None
        return ended.returncode, ended.stdout + ended.stderr, written, int((tmp_path / "rank").read_text())

    run(0)  # a first run fills the store: with it the others ask git the same
    code, said, written, number = run(0)
    assert "ended" not in said, said
    for killed in range(1, number + 1):
        code_then, said_then, written_then, _ = run(killed)
        told = " ".join(said_then.split())  # lines are wrapped
        assert "Traceback" not in told, told
        assert "INTERNALERROR" not in told, told
        assert "signal 9" in told or "git ended" in told, (killed, number, told)
        if code_then == code and name != "doctor":
            assert written_then == written, (killed, told)
