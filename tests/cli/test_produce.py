"""`nlpeval run --produce`: commands make the systems' files, once for what they depend on, and their failures are problems."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.support import apart, command, config_text, write

MAKE = """\
import pathlib, sys, time
with open("log", "a") as log:
    print(sys.argv[1:], file=log)
text = pathlib.Path(sys.argv[1]).read_text()
if text == "fail":
    sys.exit("no luck\\nat all")
if text == "wait":
    time.sleep(3600)
if text != "nothing":
    pathlib.Path(sys.argv[2]).write_text(text)
"""
ONCE = 'import pathlib\nopen("log", "a").write("once\\n")\nfor name in ("d1", "d2"): pathlib.Path(f"out/{name}.txt").write_text("a\\n")\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    words = f'["{sys.executable}", make.py, "{{input}}", "{{output}}"]'
    produce = f'{{command: {words}, input: "in/{{doc}}.txt", depends: [src/**], timeout: 900}}'
    entries = {"task": "labels", "gold": '"gold/{doc}.txt"', "system": '"out/{doc}.txt"', "produce": produce}
    texts = {f"{side}/{name}.txt": "a\nb\n" for side in ("gold", "in") for name in ("d1", "d2")}
    write(tmp_path, {"make.py": MAKE, "src/deep/model": "1", "nlpeval.yaml": config_text("accuracy: 0.9", **entries), **texts})
    return tmp_path


def calls(folder: Path) -> int:
    log = folder / "log"
    return len(log.read_text().splitlines()) if log.exists() else 0


def test_nothing_is_made_unless_it_is_asked_for(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    ended = command(capfd, "run")
    message = "out/d1.txt: file.missing: does not exist; the suite's command writes it with `nlpeval run --produce`"
    assert (ended.code, message in ended.out, calls(folder)) == (1, True, 0)


def test_what_is_up_to_date_is_not_made_again(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert (command(capfd, "run", "--produce").code, calls(folder)) == (0, 2)
    assert (command(capfd, "run", "--produce").code, calls(folder)) == (0, 2)
    assert (command(capfd, "run").code, calls(folder)) == (0, 2)
    write(folder, {"in/d1.txt": "b\nb\n"})  # the input of one
    assert (command(capfd, "run", "--produce").code, calls(folder)) == (1, 3)
    write(folder, {"out/d2.txt": "somebody's own\n"})  # an output that was changed
    assert (command(capfd, "run", "--produce").code, calls(folder)) == (1, 4)
    assert (folder / "out/d2.txt").read_text() == "a\nb\n"
    write(folder, {"src/deep/model": "2"})  # what both depend on
    assert (command(capfd, "run", "--produce").code, calls(folder)) == (1, 6)
    assert (command(capfd, "run", "--produce", "--no-cache").code, calls(folder)) == (1, 8)
    assert sorted(path.name for path in (folder / "out").iterdir()) == ["d1.txt", "d2.txt"]
    assert (folder / ".nlpeval_produced/.gitignore").read_text() == "*\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("fail", "out/d1.txt: produce.exit: the command ended with exit code 1, and said: no luck | at all"),
        ("nothing", "out/d1.txt: produce.no-output: the command ended well, but wrote no file"),
    ],
)
def test_an_old_output_never_stands_for_one_that_failed(
    folder: Path, capfd: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    write(folder, {"in/d1.txt": text, "out/d1.txt": "a\nb\n"})
    ended = command(capfd, "run", "--produce")
    assert (ended.code, message in ended.out, "1 of 2 documents" in ended.out) == (1, True, True), ended.out
    assert (folder / "out/d1.txt").read_text() == "a\nb\n"
    assert command(capfd, "run", "--produce").code == 1, "a failure is not kept"
    assert calls(folder) == 2 + 1
    assert (
        apart(folder, [sys.executable, "-m", "pytest", "-p", "no:hypothesispytest", "--nlpeval", "--nlpeval-produce"]).code == 1
    )
    assert calls(folder) == 2 + 1 + 1, "nor is it asked for twice in one run of pytest"


def test_a_command_that_takes_too_long_or_is_not_there(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(
        folder,
        {"in/d1.txt": "wait", "nlpeval.yaml": (folder / "nlpeval.yaml").read_text().replace("timeout: 900", "timeout: 0.5")},
    )
    assert "produce.timeout: the command took more than 0.5 s" in command(capfd, "run", "--produce").out
    write(folder, {"nlpeval.yaml": (folder / "nlpeval.yaml").read_text().replace(sys.executable, "no-such-program")})
    assert "produce.start: the command cannot be started" in command(capfd, "run", "--produce").out


def test_one_command_for_all_documents_runs_once(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    entries = {"task": "labels", "gold": '"gold/{doc}.txt"', "system": '"out/{doc}.txt"'}
    entries["produce"] = f'{{command: ["{sys.executable}", once.py], depends: [once.py]}}'
    write(folder, {"once.py": ONCE, "out/other": "", "nlpeval.yaml": config_text("accuracy: 0.1", **entries)})
    assert "labels.length" in command(capfd, "run", "--produce").out
    assert calls(folder) == 1
    write(folder, {"once.py": ONCE + "raise SystemExit(3)\n"})
    ended = command(capfd, "run", "--produce")
    assert ended.out.count("produce.exit: the command ended with exit code 3, and said nothing") == 2
    assert calls(folder) == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes among files here")
@pytest.mark.usefixtures("never_waits")
def test_an_input_that_is_a_pipe_or_device_is_not_waited_for(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """The command decides what it makes of it."""
    for name in ("d1", "d2"):
        (folder / f"in/{name}.txt").unlink()
    os.mkfifo(folder / "in/d1.txt")
    (folder / "in/d2.txt").symlink_to("/dev/zero")
    write(folder, {"make.py": "import sys\nopen(sys.argv[2], 'w').write('a\\nb\\n')\n"})
    assert command(capfd, "run", "--produce").code == 0
