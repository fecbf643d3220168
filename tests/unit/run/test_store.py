from __future__ import annotations

import os
import pickle
import time
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_nlpeval.config.suite import Recipe
from pytest_nlpeval.files import Source, write_atomically
from pytest_nlpeval.run import store as module
from pytest_nlpeval.run.store import ABANDONED_SECONDS, EvidenceStore, NotAStoreError, digest, store_folder
from pytest_nlpeval.tasks import load_task

TASK = load_task("exemplar")
RECIPE = Recipe(TASK, TASK.options())


def sources(gold: bytes, system: bytes) -> dict[str, Source]:
    return {"gold": Source("g", gold), "system": Source("s", system)}


def test_a_key_depends_on_whatever_changes_a_result() -> None:
    recipes = [
        RECIPE,
        replace(RECIPE, options=TASK.options(ignore_case=True)),
        replace(RECIPE, rules={"exemplar.header": "off"}),
        replace(RECIPE, task=replace(TASK, version="other")),
        replace(RECIPE, task=replace(TASK, name="other")),
    ]
    files = [sources(b"a", b"b"), sources(b"ab", b""), sources(b"", b"ab"), sources(b"b", b"a"), {"gold": Source("g", b"ab")}]
    keys = {digest(recipe, sources(b"a", b"b")) for recipe in recipes} | {digest(RECIPE, file) for file in files}
    assert len(keys) == len(recipes) + len(files) - 1


def test_a_key_depends_on_what_a_name_ends_in() -> None:
    tables = [{"gold": Source(f"g{suffix}", b"a,b")} for suffix in ("", ".csv", ".tsv")]
    assert len({digest(RECIPE, files) for files in tables}) == 3


def test_a_key_does_not_depend_on_names_or_order() -> None:
    renamed = {"system": Source("x", b"b"), "gold": Source("y", b"a")}
    assert digest(RECIPE, renamed) == digest(RECIPE, sources(b"a", b"b"))


def test_entries_come_back_also_in_another_process(tmp_path: Path) -> None:
    first = EvidenceStore(tmp_path)
    first.put("ab12", {"x": [1, 2]})
    assert first.get("ab12") == {"x": [1, 2]}
    assert EvidenceStore(tmp_path).get("ab12") == {"x": [1, 2]}
    sent = pickle.loads(pickle.dumps(first))
    assert sent == first
    assert sent.get("ab12") == {"x": [1, 2]}
    assert EvidenceStore(tmp_path).get("ab13") is None


def test_without_folder_entries_stay_in_memory() -> None:
    store = EvidenceStore()
    store.put("ab", {"x": 1})
    assert store.get("ab") == {"x": 1}
    assert EvidenceStore().get("ab") is None
    store.prune()


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000])
def test_a_damaged_entry_is_no_entry(tmp_path: Path, content: bytes) -> None:
    EvidenceStore(tmp_path).put("ab12", {})
    (tmp_path / "ab/ab12.json").write_bytes(content)
    assert EvidenceStore(tmp_path).get("ab12") is None


def test_a_folder_that_cannot_be_written_costs_no_result(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = EvidenceStore(tmp_path / "file")
    store.put("ab", {"x": 1})
    assert store.get("ab") == {"x": 1}


def test_the_oldest_entries_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_ENTRIES", 2)
    store = EvidenceStore(tmp_path)
    for rank, key in enumerate(("aa1", "bb2", "cc3")):
        store.put(key, {})
        os.utime(tmp_path / key[:2] / f"{key}.json", (rank, rank))
    store.prune()
    assert sorted(path.stem for path in tmp_path.glob("??/*.json")) == ["bb2", "cc3"]


def test_files_are_written_whole_or_not_at_all(tmp_path: Path) -> None:
    write_atomically(tmp_path / "new/f", "ü\r\n")
    assert (tmp_path / "new/f").read_bytes() == "ü\r\n".encode()
    with pytest.raises(UnicodeEncodeError):
        write_atomically(tmp_path / "new/f", "\udcff")
    assert (tmp_path / "new/f").read_bytes() == "ü\r\n".encode()
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["f"]


def test_the_folder_ignores_itself(tmp_path: Path) -> None:
    folder = store_folder(store_folder(tmp_path / "cache"))
    assert (folder / ".gitignore").read_text() == "*\n"
    EvidenceStore(folder).put("ab12", {})
    assert store_folder(folder) == folder


@pytest.mark.parametrize("name", ["notes.txt", "src/a.py", ".git/config"])
def test_a_folder_with_other_files_is_not_a_store(tmp_path: Path, name: str) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(NotAStoreError):
        store_folder(tmp_path)
    assert not (tmp_path / ".gitignore").exists()


def test_pruning_removes_what_interrupted_writers_left_and_never_raises(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = EvidenceStore(tmp_path)
    store.put("ab12", {})
    old, new = tmp_path / "ab/.ab12.json.old", tmp_path / "ab/.ab12.json.new"
    for path, age in ((old, ABANDONED_SECONDS + 60), (new, 0)):
        path.write_text("{")
        os.utime(path, (time.time() - age,) * 2)
    store.prune()
    assert sorted(path.name for path in (tmp_path / "ab").iterdir()) == [".ab12.json.new", "ab12.json"]

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "refused")

    monkeypatch.setattr(module, "MAX_ENTRIES", 0)
    monkeypatch.setattr(Path, "unlink", refuse)
    store.prune()
    monkeypatch.setattr(Path, "glob", refuse)
    store.prune()
    assert store.get("ab12") == {}
