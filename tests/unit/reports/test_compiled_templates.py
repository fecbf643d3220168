from __future__ import annotations

import sys
from pathlib import Path

import pytest
from jinja2 import DictLoader, Environment

from pytest_nlpeval.reports import compiled_templates
from pytest_nlpeval.reports.compiled_templates import CompiledTemplates


@pytest.fixture(name="maker")
def the_maker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the module that makes an environment, beside which Python has kept what it compiled."""
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    (tmp_path / "__pycache__").mkdir()
    maker = tmp_path / "maker.py"
    maker.write_text("autoescape = True\n")
    return maker


def shown(maker: Path, template: str = "{{ 6 * 7 }} of {{ name }}") -> tuple[str, bool]:
    """Return what a process shows that has just started, and whether it compiled the template."""
    compiled_templates._compiler.cache_clear()
    compiled: list[object] = []

    class Counting(Environment):
        def compile(self, source: object, *arguments: object) -> object:  # type: ignore[override]
            compiled.append(source)
            return super().compile(source, *arguments)  # type: ignore[call-overload]

    environment = Counting(loader=DictLoader({"page": template}), bytecode_cache=CompiledTemplates(str(maker)))
    return environment.get_template("page").render(name="all"), bool(compiled)


def kept(maker: Path) -> list[Path]:
    return list((maker.parent / "__pycache__").iterdir())


def test_a_template_is_compiled_once(maker: Path) -> None:
    assert [shown(maker) for _ in range(3)] == [("42 of all", True), ("42 of all", False), ("42 of all", False)]


def test_another_text_or_another_environment_is_compiled_anew(maker: Path) -> None:
    shown(maker)
    assert shown(maker, "{{ name }}") == ("all", True)
    maker.write_text("autoescape = False\n")
    assert shown(maker, "{{ name }}") == ("all", True)


@pytest.mark.parametrize("place", [0, 31, 32, -1])
def test_a_file_with_a_wrong_byte_is_none(maker: Path, place: int) -> None:
    shown(maker)
    (file,) = kept(maker)
    data = bytearray(file.read_bytes())
    data[place] ^= 1
    file.write_bytes(data)
    assert shown(maker) == ("42 of all", True)
    assert shown(maker) == ("42 of all", False)  # it was written anew


@pytest.mark.parametrize("length", [0, 10, 32, 100])
def test_half_a_file_is_none(maker: Path, length: int) -> None:
    shown(maker)
    (file,) = kept(maker)
    file.write_bytes(file.read_bytes()[:length])
    assert shown(maker) == ("42 of all", True)


def test_a_page_is_shown_where_nothing_can_be_kept(maker: Path) -> None:
    (maker.parent / "__pycache__").rmdir()
    assert [shown(maker) for _ in range(2)] == [("42 of all", True)] * 2
    assert list(maker.parent.iterdir()) == [maker]


def test_nothing_is_kept_where_python_keeps_nothing(maker: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert shown(maker) == ("42 of all", True)
    assert not kept(maker)
