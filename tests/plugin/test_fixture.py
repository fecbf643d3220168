"""The fixture `nlpeval` in hand-written tests, with and without the flag."""

from __future__ import annotations

import pytest

from tests.support import make_suite, run_pytest, write

TEST = """\
import pytest

def test_value(nlpeval):
    result = nlpeval.score("rte", gold="gold/b.xml", system="system/b.txt")
    assert result["accuracy"] == 0.5
    assert not result.all_problems()

def test_folder(nlpeval):
    assert nlpeval.score("rte", gold="gold/{doc}.xml", system="system/{doc}.txt")["accuracy"] == 0.75

def test_path(nlpeval, pytestconfig):
    root = pytestconfig.rootpath
    assert nlpeval.score("rte", gold=root / "gold/a.xml", system=root / "system/a.txt")["accuracy"] == 1.0

def test_no_value(nlpeval, pytestconfig):
    (pytestconfig.rootpath / "plain.txt").write_text("1 TRUE\\n")
    result = nlpeval.score("rte", gold="gold/a.xml", system="plain.txt")
    with pytest.raises(ValueError, match="cws has no value: "):
        result["cws"]
    with pytest.raises(KeyError):
        result["no such measure"]

def test_mistakes(nlpeval):
    with pytest.raises(Exception, match='no task "ret"; did you mean "rte"'):
        nlpeval.score("ret", gold="gold/a.xml", system="system/a.txt")
    with pytest.raises(Exception, match='"system"'):
        nlpeval.score("rte", gold="gold/a.xml")

def test_missing(nlpeval):
    result = nlpeval.score("rte", gold="gold/a.xml", system="system/none.txt")
    assert [problem.code for problem in result.all_problems()] == ["file.missing"]
    assert result.outcome == "failed"
"""


@pytest.mark.parametrize("flag", ["-v", "--nlpeval"])
def test_the_fixture(pytester: pytest.Pytester, flag: str) -> None:
    make_suite(pytester.path)
    write(pytester.path, {"pytest.ini": "[pytest]\n", "tests/test_own.py": TEST})
    ended = run_pytest(pytester, "tests", "-k", "own", flag=flag)
    assert ended.code == 0, ended.out
    assert "6 passed" in ended.out
