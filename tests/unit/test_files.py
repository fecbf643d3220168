from __future__ import annotations

from pathlib import Path

import pytest

from pytest_nlpeval import files
from pytest_nlpeval.files import (
    FILE_KINDS,
    LFS,
    MOST_PARTS,
    Source,
    is_inside,
    label,
    read_source,
    repository_root,
    schema_path,
    with_few_parts,
)
from pytest_nlpeval.patterns import Pattern
from pytest_nlpeval.problems import ProblemLog


def make(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("g/{doc}.xml", {"a": "g/a.xml", "b.c": "g/b.c.xml"}),
        ("{doc}/x.xml", {"p": "p/x.xml", "q": "q/x.xml"}),
        ("{doc}/{doc}.tsv", {"p": "p/p.tsv"}),
        ("g/{doc}-{doc}.txt", {"u": "g/u-u.txt"}),
        ("none/{doc}", {}),
        ("g/a.xml/{doc}", {}),
        ("g/[{doc}.xml", {}),
        ("g/*{doc}", {"z": "g/*z"}),
        ("./g/../g/{doc}.xml", {"a": "g/../g/a.xml", "b.c": "g/../g/b.c.xml"}),
    ],
)
def test_doc_matches_one_component_and_is_the_same_everywhere(tmp_path: Path, pattern: str, expected: dict[str, str]) -> None:
    make(tmp_path, "g/a.xml", "g/b.c.xml", "g/.xml", "g/u-u.txt", "g/u-v.txt", "g/*z", "p/x.xml", "q/x.xml", "p/p.tsv", "p/q.tsv")
    found = Pattern(tmp_path, pattern)
    assert sorted(found.documents()) == sorted(expected)
    assert all(Path(found.path(doc)).samefile(tmp_path / path) for doc, path in expected.items())


def test_a_pointer_of_git_lfs_is_no_file(tmp_path: Path) -> None:
    """Its words would be scored: those of gold and of the output differ in the digest and perhaps in the size alone."""
    (tmp_path / "gold.txt").write_bytes(LFS + b"v1\noid sha256:" + b"0" * 64 + b"\nsize 12345\n")
    log = ProblemLog("gold.txt", FILE_KINDS)
    assert read_source(tmp_path / "gold.txt", log) is None
    (problem,) = log.problems()
    assert str(problem).startswith(
        "gold.txt: file.missing: is a pointer of Git LFS, and the file itself is not here; fetch it with"
    )


def test_a_folder_or_a_broken_link_matches_too(tmp_path: Path) -> None:
    (tmp_path / "a.xml").mkdir()
    (tmp_path / "b.xml").symlink_to("nowhere")
    assert set(Pattern(tmp_path, "{doc}.xml").documents()) == {"a", "b"}


def test_what_a_pattern_says_of_itself(tmp_path: Path) -> None:
    assert Pattern(tmp_path, "a/b{doc}/c").fixed_folder == tmp_path / "a"
    assert Pattern(tmp_path, "a/b/c.xml").fixed_folder == tmp_path / "a/b"
    assert Pattern(tmp_path, "a/{dok}/{doc}/{}").unknown_placeholders == ["{dok}", "{}"]
    assert not Pattern(tmp_path, "a").has_doc


def test_links_are_followed_before_a_path_counts_as_inside(tmp_path: Path) -> None:
    root = tmp_path / "root"
    make(tmp_path, "root/in.xml", "out.xml")
    (root / "link.xml").symlink_to(tmp_path / "out.xml")
    (root / "back").symlink_to(root)
    (root / "loop").symlink_to(root / "loop")
    assert is_inside(root / "in.xml", root)
    assert is_inside(root / "back/in.xml", root)
    assert is_inside(root / "not-there.xml", root)
    assert not is_inside(root / "link.xml", root)
    assert not is_inside(root / "../out.xml", root)
    assert not is_inside(root / "nul\0", root)
    assert not is_inside(tmp_path / "root-2/in.xml", root)
    assert is_inside(str(root), root)
    assert is_inside("/anything", Path("/"))


def test_labels_are_relative_where_they_can_be(tmp_path: Path) -> None:
    assert label(tmp_path / "a/../b.xml", tmp_path) == "b.xml"
    assert label(tmp_path / "a/c/b.xml", tmp_path) == "a/c/b.xml"
    assert label(Path("/elsewhere/b.xml"), tmp_path) == "/elsewhere/b.xml"
    assert label(Path("/b.xml"), tmp_path) == "/b.xml"
    assert label("/a/b.xml", Path("/")) == "a/b.xml"
    assert label(f"{tmp_path}-2/b.xml", tmp_path) == f"{tmp_path.as_posix()}-2/b.xml"


def test_the_repository_is_the_nearest_folder_with_git(tmp_path: Path) -> None:
    make(tmp_path, "r/.git/HEAD", "r/a/b/nlpeval.yaml", "w/.git", "w/c/nlpeval.yaml")
    assert repository_root(tmp_path / "r/a/b/nlpeval.yaml") == tmp_path / "r"
    assert repository_root(tmp_path / "w/c/nlpeval.yaml") == tmp_path / "w"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs a file whose size is not known before it is read")
def test_a_file_that_is_longer_than_it_says_is_read_up_to_the_limit() -> None:
    path, log = Path("/proc/self/status"), ProblemLog("f", FILE_KINDS)
    assert path.stat().st_size == 0
    found = read_source(path, log)
    assert found is not None
    assert found.data.startswith(b"Name:")
    assert read_source(path, log, limit=10) is None
    assert [problem.code for problem in log.problems()] == ["file.too-large"]


def test_a_schema_that_is_not_there_is_a_broken_installation() -> None:
    with pytest.raises(FileNotFoundError, match=r"schema none\.dtd is not part of this installation"):
        schema_path("none.dtd")


@pytest.mark.parametrize(
    ("data", "counted"),
    [
        (b"a\nb\nc\n", ""),
        (b"a\nb\nc\nd\n", "4 lines"),
        (b"\n" * 5, "5 lines"),
        (b'{"a": [1, 2, 3, 4, 5]}', ""),
        (b'{"a": [[], [{}]]}', "5 objects and lists"),
        (b"\xef\xbb\xbf \r\n[[], [], []]", "4 objects and lists"),
        (b"a [[[[[[ {{{{ b\n", ""),
    ],
)
def test_a_file_of_too_many_parts_is_not_scored(monkeypatch: pytest.MonkeyPatch, data: bytes, counted: str) -> None:
    """Three lines are allowed here, and three objects and lists, which count in what begins as JSON alone."""
    monkeypatch.setattr(files, "MOST_PARTS", 3)
    source, log = Source("a.json", data), ProblemLog("a.json", FILE_KINDS)
    cure = "split it into documents, one file each, and write {doc} into the path"
    told = [f"a.json: file.too-many-parts: has {counted}; at most 3 are read; {cure} (gold of a)"] if counted else []
    assert with_few_parts(source, log, "gold of a") == (None if counted else source)
    assert list(map(str, log.problems())) == told


def test_as_many_lines_as_fit_into_the_memory_of_a_runner_are_scored() -> None:
    assert MOST_PARTS * 1_250 < 16e9
