"""Configurations made to break a YAML reader."""

from __future__ import annotations

import os

import pytest

from tests.hostile.run_both import both, shows
from tests.support import GATE, RIGHT, command, config_text, make_suite, run_pytest, write

Capture = pytest.CaptureFixture[str]

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGES = "a: &a {x: 1}\n" + "".join(f"{n}: &{n} {{<<: [*{b}, *{b}]}}\n" for b, n in zip("abcdefgh", "bcdefghi", strict=True))

CONFIGS: dict[str, tuple[str | bytes, str]] = {
    "bomb": (BOMB, "yaml.limit: more than 50,000 values after following its aliases"),
    "many aliases": ("a: &a 1\nb: [" + "*a, " * 600 + "]\n", "yaml.limit: more than 500 aliases"),
    "recursive alias": (
        "version: 1\nsuites: &a [*a]\n",
        "nlpeval.yaml:2:9: yaml.limit: an alias refers to a value that contains it",
    ),
    "recursive mapping": ("&a\nversion: *a\n", "yaml.limit: an alias refers to a value that contains it"),
    "recursive merge": ("&a\n<<: *a\nversion: 1\n", "nlpeval.yaml:"),
    "merges": (MERGES, "nlpeval.yaml:"),
    "deep list": ("[" * 10_000, "nlpeval.yaml:1:41: yaml.limit: nested more than 40 deep"),
    "deep mapping": ("{a: " * 10_000, "yaml.limit: nested more than 40 deep"),
    "deep blocks": ("".join(" " * depth + "a:\n" for depth in range(500)), "yaml.limit: nested more than 40 deep"),
    "deep dashes": ("- " * 10_000 + "x\n", "yaml.limit: nested more than 40 deep"),
    "many anchors": ("".join(f"k{n}: &a{n} x\n" for n in range(2_000)), "nlpeval.yaml:1:"),
    "huge": ("# " + "x" * (1 << 20), "nlpeval.yaml: yaml.limit: has 1,048,578 bytes; a configuration has at most 262,144"),
    "duplicate key": (
        config_text(GATE) + "version: 1\n",
        'nlpeval.yaml:9:1: yaml.duplicate-key: the key "version" appears on line 1',
    ),
    "duplicate key deep": (config_text("accuracy: {min: 0, min: 1}"), "nlpeval.yaml:8:26: yaml.duplicate-key"),
    "duplicate by quotes": (config_text("accuracy: 0", '"accuracy": 1'), "nlpeval.yaml:9:7: yaml.duplicate-key"),
    "python object": ("version: !!python/object/apply:os.system ['touch owned']\n", "nlpeval.yaml:1:10: yaml.syntax: the tag "),
    "python name": ("version: !!python/name:os.system\n", "nlpeval.yaml:1:10: yaml.syntax: the tag "),
    "custom tag": ("version: !own 1\n", "nlpeval.yaml:1:10: yaml.syntax: the tag !own is not allowed"),
    "custom tag on a list": ("version: 1\nsuites: !own []\n", "nlpeval.yaml:2:9: yaml.syntax: the tag !own is not allowed"),
    "binary": ("version: !!binary aGk=\n", "nlpeval.yaml:1:10: yaml.syntax: the tag "),
    "set": ("version: !!set {a, b}\n", "nlpeval.yaml:1:10: yaml.syntax: the tag "),
    "complex key": ("? [a, b]\n: 1\n", "nlpeval.yaml:1:3: yaml.syntax: a key must be a plain string"),
    "two documents": (config_text(GATE) + "---\nversion: 1\n", "nlpeval.yaml:9:1: yaml.syntax"),
    "tab": ("version: 1\nsuites:\n\t- name: x\n", "nlpeval.yaml:3:1: yaml.syntax"),
    "nul": (b"version: 1\0\n", "nlpeval.yaml:1"),
    "escape": (b"version: \x1b[31m1\n", "nlpeval.yaml:1"),
    "latin-1": ("version: ä\n".encode("latin-1"), "nlpeval.yaml:1"),
    "utf-16 garbage": (b"\xff\xfe\x00", "nlpeval.yaml:"),
    "unclosed": ('version: "1\n', "nlpeval.yaml:"),
    "directive": ("%YAML 9.9\n---\nversion: 1\n", "nlpeval.yaml:1"),
    "big number": (config_text(f"accuracy: {'9' * 5000}"), "nlpeval.yaml:8:"),
    "big float": (config_text("accuracy: 1e999"), "nlpeval.yaml:8:17: yaml.number: 1e999 would be rounded to infinity"),
    "infinity": (config_text("accuracy: .inf"), "nlpeval.yaml:8:7: config.gate: a limit must be a finite number"),
    "long key": (config_text(f"{'a' * 1000}: 1"), "nlpeval.yaml:8:7: config.measure"),
    "star bomb": (config_text(f"'{'*a' * 400}*b': 1"), "nlpeval.yaml:8:7: config.measure"),
    "workflow command as key": (
        config_text('"::error::x": 1'),
        'nlpeval.yaml:8:7: config.measure: no measure ":\\x3aerror:\\x3ax"',
    ),
    "break in a key": (config_text('"a\\n::error::x": 1'), "nlpeval.yaml:8:7: config.measure"),
    "escape as key": (config_text('"a\\e[31m\\u202e": 1'), "nlpeval.yaml:8:7: config.measure"),
    "escape as name": (config_text(GATE).replace("dev", '"a\\e[31m"'), "nlpeval.yaml:3:5: config.invalid"),
    "break in a name": (config_text(GATE).replace("dev", '"dev\\n"'), "nlpeval.yaml:3:5: config.invalid"),
    "colons in a name": (config_text(GATE).replace("dev", '"a::b"'), "nlpeval.yaml:3:5: config.invalid"),
    "bidi in a task": (config_text(GATE).replace("rte", '"\\u202ert"'), "nlpeval.yaml:4:5: config.task"),
    "task is a module": (config_text(GATE).replace("rte", "os:system"), "nlpeval.yaml:4:5: config.task"),
    "nul in a path": (config_text(GATE).replace("system/{doc}.txt", '"system/{doc}\\0"'), "nlpeval.yaml:6:5: config.path"),
    "escape in a path": (config_text(GATE).replace("gold/{doc}.xml", '"\\e[31m/{doc}"'), "nlpeval.yaml:5:5: config.path"),
    "endless placeholders": (config_text(GATE).replace("gold/{doc}", "gold/" + "{doc}" * 500), "nlpeval.yaml:5:5: config.path"),
    "long path": (config_text(GATE).replace("gold/{doc}", "g" * 5000 + "/{doc}"), "nlpeval.yaml:5:5: config.path"),
    "wrong types": (
        "version: 1\nsuites: [{name: [], task: {}, gold: 1, system: [], gates: [], options: 1, rules: 2}, 3]\n",
        "nlpeval.yaml:2:",
    ),
    "empty strings": (
        config_text(GATE).replace("gold/{doc}.xml", '""').replace("system/{doc}.txt", '""'),
        "nlpeval.yaml:5:5: config.invalid",
    ),
    "numbers as keys": ("1: 2\n~: 3\ntrue: 4\n", "nlpeval.yaml:1:1: config.invalid"),
}


@pytest.mark.parametrize("name", CONFIGS)
def test_configurations(pytester: pytest.Pytester, capfd: Capture, name: str) -> None:
    config, message = CONFIGS[name]
    make_suite(pytester.path, config=config, runs={"a": RIGHT})
    ended = both(pytester, capfd, pytester.path, 2, collects=False)
    shows(ended, message)
    assert not (pytester.path / "owned").exists()


def test_encodings_that_yaml_may_have(pytester: pytest.Pytester, capfd: Capture) -> None:
    for encoding in ("utf-8-sig", "utf-16"):
        make_suite(pytester.path, config=config_text(GATE).encode(encoding), runs={"a": RIGHT})
        both(pytester, capfd, pytester.path, 0)


def test_line_ends_of_windows(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(pytester.path, config=config_text(GATE).replace("\n", "\r\n"), runs={"a": RIGHT})
    both(pytester, capfd, pytester.path, 0)


def test_a_folder_called_like_a_configuration(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(pytester.path / "nlpeval.yaml", runs={"a": RIGHT})
    os.chdir(pytester.path)
    assert command(capfd, "run").code == 0  # the one inside
    assert run_pytest(pytester).code == 0


def test_a_pipe_called_like_a_configuration(pytester: pytest.Pytester, capfd: Capture) -> None:
    os.mkfifo(pytester.path / "nlpeval.yaml")
    os.chdir(pytester.path)
    ended = command(capfd, "run")
    assert ended.code == 2
    named = command(capfd, "run", "nlpeval.yaml")
    assert named.code == 2
    assert "nlpeval.yaml: file.not-regular: is not a regular file" in named.err
    assert run_pytest(pytester).code in (2, 4)


def test_a_dangling_configuration(pytester: pytest.Pytester, capfd: Capture) -> None:
    (pytester.path / "nlpeval.yaml").symlink_to("nowhere.yaml")
    os.chdir(pytester.path)
    assert command(capfd, "run").code == 2
    assert run_pytest(pytester).code != 0


def test_options_on_the_command_line_are_no_way_in(pytester: pytest.Pytester, capfd: Capture) -> None:
    make_suite(pytester.path, runs={"a": RIGHT})
    os.chdir(pytester.path)
    for value in ("!!python/object/apply:os.system ['touch owned']", "[" * 1000, "&a [*a]", "\x1b[31m", "::error::", "\udcff"):
        ended = command(capfd, "score", "rte", "--gold", "gold/a.xml", "--system", "system/a.txt", "--option", f"edition={value}")
        assert ended.code == 2
    assert not (pytester.path / "owned").exists()


def test_a_hundred_mistakes(pytester: pytest.Pytester, capfd: Capture) -> None:
    write(pytester.path, {"nlpeval.yaml": config_text(*(f"nothing{number}: 1" for number in range(100)))})
    ended = both(pytester, capfd, pytester.path, 2, collects=False)
    shows(ended, "nlpeval.yaml:8:7: config.measure", "config.measure: and 80 more problems of this kind")
