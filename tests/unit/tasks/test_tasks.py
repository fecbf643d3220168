"""The table of tasks: those of other packages, and what their code is."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from pytest_nlpeval import Counted, Evidence, Role, Task, libraries, tasks
from pytest_nlpeval.config.checks import ConfigError, require_task
from pytest_nlpeval.tasks import TASKS, code_digest, is_named, load_task

NOTHING = Counted(Evidence.of([], {}), ())


def task_of(function: Callable[..., Any]) -> Task:
    """A task all of whose code is that of one function."""
    roles = Role("gold", "gold", "g", function), Role("system", "system", "s", function)
    return Task("odd", "Odd.", "1", roles, function, {"type": "object"}, {}, function, function, function)


def module_at(path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The function `read` of a module or package of that name, imported from a folder."""
    monkeypatch.syspath_prepend(str(path))
    monkeypatch.delitem(sys.modules, name, raising=False)
    found: Callable[..., Any] = __import__(name).read
    return found


def test_the_tasks_of_this_package_are_known_by_their_version_alone() -> None:
    assert {code_digest(load_task(name)) for name in TASKS} == {""}
    assert all(is_named(load_task(name)) for name in TASKS)


def test_code_is_all_files_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package, part = tmp_path / "odd_package", b"PART = 1\n"
    package.mkdir()
    (package / "__init__.py").write_bytes(text := b"read = lambda *_: None\n")
    (package / "part.py").write_bytes(part)
    digest = hashlib.sha256(b"__init__.py %d " % len(text) + text + b"part.py %d " % len(part) + part).hexdigest()
    read = module_at(tmp_path, "odd_package", monkeypatch)
    assert code_digest(task_of(read)) == code_digest(task_of(partial(read, 1))) == digest


def test_code_is_the_file_of_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "odd_module.py").write_bytes(text := b"read = lambda *_: None\n")
    digest = hashlib.sha256(b"odd_module.py %d " % len(text) + text).hexdigest()
    assert code_digest(task_of(module_at(tmp_path, "odd_module", monkeypatch))) == digest


def test_code_that_is_in_no_file_has_no_digest() -> None:
    """As that of a task that is typed in."""
    names: dict[str, Any] = {"__name__": "typed_in"}
    exec("def read(*_): return None", names)
    typed = task_of(names["read"])
    assert code_digest(typed) is None
    assert not is_named(typed)


def test_an_entry_point_that_is_no_task_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = EntryPoint("odd", "json:loads", tasks.ENTRY_POINT_GROUP)
    monkeypatch.setattr(libraries.metadata, "entry_points", lambda **_: (odd,))
    with pytest.raises(ConfigError, match=r"its entry point leads to function, not to a pytest_nlpeval\.Task"):
        require_task("odd")
    assert not is_named(task_of(len))
