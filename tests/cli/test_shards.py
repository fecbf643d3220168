"""`run --shard I/N` and `merge`: byte for byte the report, the verdicts and the exit code of one run; anything else is refused."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pytest_nlpeval.columns import decoded, encoded
from pytest_nlpeval.run.copies import COPIED
from tests.support import HALF, RIGHT, command, gold_xml, make_suite, write
from tests.unit.baselines.repositories import commit, start

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
FORMATS = ("csv", "html", "json", "markdown", "native", "text")

RUNS = {name: HALF if name in "bdfh" else RIGHT for name in "abcdefghij"}

Capture = pytest.CaptureFixture[str]


def shards(capfd: Capture, of: int, *arguments: str) -> list[str]:
    """Count all shards of a run in the current folder, and return the names of their evidence files."""
    names = [f"part{number}.json" for number in range(1, of + 1)]
    for number, name in enumerate(names, 1):
        ended = command(capfd, "run", f"--shard={number}/{of}", f"--report=evidence:{name}", "--no-cache", *arguments)
        assert f"shard {number}/{of}: " in ended.out, ended.all
    return names


def reports(folder: str) -> list[str]:
    return [f"--report={name}:{folder}/report.{name}" for name in FORMATS]


def assert_same(folder: Path, merged: str = "merged", one: str = "one") -> None:
    for path in sorted((folder / one).iterdir()):
        assert (folder / merged / path.name).read_bytes() == path.read_bytes(), path.name


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return make_suite(tmp_path, "accuracy: 0.9", "coverage: 0.5", runs=RUNS)


@pytest.mark.parametrize("task", sorted(path.parent.name for path in EXAMPLES.glob("*/nlpeval.yaml")))
def test_an_example_in_shards_is_the_example_in_one_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture, task: str
) -> None:
    shutil.copytree(EXAMPLES / task, tmp_path / task, ignore=shutil.ignore_patterns(".nlpeval*"))
    monkeypatch.chdir(tmp_path / task)
    parts = shards(capfd, 3)
    merged = command(capfd, "merge", *reversed(parts), *reports("merged"), "--save-baseline=merged/base.json", "--no-cache")
    one = command(capfd, "run", *reports("one"), "--save-baseline=one/base.json", "--no-cache")
    assert merged.code == one.code == 0, merged.all
    assert (merged.out, merged.err.replace("merged/", "one/")) == (one.out, one.err)
    assert_same(tmp_path / task)


@pytest.mark.parametrize("of", [1, 2, 3, 7, 10, 16])
def test_any_number_of_shards_gives_the_same(folder: Path, capfd: Capture, of: int) -> None:
    parts = shards(capfd, of)
    documents = [name for part in parts for suite in json.loads(Path(part).read_bytes())["suites"] for name in suite["documents"]]
    assert sorted(documents) == sorted(RUNS)
    plain, one = command(capfd, "merge", *parts), command(capfd, "run")
    assert (plain.code, plain.out) == (one.code, one.out) == (1, one.out)
    assert command(capfd, "merge", *parts, *reports("merged")).code == 1
    assert command(capfd, "run", *reports("one")).code == 1
    assert_same(folder)


def test_shares_of_several_suites_are_spread(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: Capture) -> None:
    """Suites of one document each: no shard has all of them."""
    entries = "".join(
        f"  - {{name: s{number}, task: labels, gold: gold.csv, system: system.csv, gates: {{accuracy: 0.5}}}}\n"
        for number in range(20)
    )
    table = "id,label\n1,alarm\n2,music\n"
    write(tmp_path, {"nlpeval.yaml": f"version: 1\nsuites:\n{entries}", "gold.csv": table, "system.csv": table})
    monkeypatch.chdir(tmp_path)
    parts = shards(capfd, 4)
    numbers = [sum(len(suite["documents"]) for suite in json.loads(Path(part).read_bytes())["suites"]) for part in parts]
    assert sum(numbers) == 20
    assert max(numbers) <= 10
    assert command(capfd, "merge", *parts).out == command(capfd, "run").out


class TestWithAPast:
    """Statistics, gates on drops, guards and baselines are of the whole."""

    @pytest.fixture
    def repo(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        gates = (
            "accuracy: {min: 0.5, max_drop: 0.01, alpha: 0.05, max_newly_wrong: 2, must_pass: must.txt}",
            "coverage: {non_inferior: 0.1}",
        )
        folder = make_suite(start(tmp_path / "repo"), *gates, runs=dict.fromkeys(RUNS, RIGHT), options="{group: task}")
        write(folder, {"must.txt": "a/1\nb/2\n", ".gitignore": "part*\none/\nmerged/\n.nlpeval_cache/\n*.json\n"})
        commit(folder)
        write(folder, {f"system/{name}.txt": text for name, text in RUNS.items()})
        commit(folder)
        monkeypatch.chdir(folder)
        return folder

    @pytest.mark.parametrize("baseline", ["git:HEAD^", "base.json"])
    def test_a_run_against_a_baseline(self, repo: Path, capfd: Capture, baseline: str) -> None:
        if baseline == "base.json":
            subprocess.run(["git", "checkout", "-q", "HEAD^", "--", "system"], check=True)
            assert command(capfd, "run", "--baseline=none", "--save-baseline=base.json").code == 1
            subprocess.run(["git", "checkout", "-q", "HEAD", "--", "system"], check=True)
        parts = shards(capfd, 3, f"--baseline={baseline}", "--resamples=500", "--seed=7")
        merged = command(
            capfd, "merge", *parts, *reports("merged"), "--report=changes:merged/changes.csv", "--save-baseline=merged/b.json"
        )
        one = command(
            capfd, "run", f"--baseline={baseline}", "--resamples=500", "--seed=7", *reports("one"),
            "--report=changes:one/changes.csv", "--save-baseline=one/b.json",
        )  # fmt: skip
        assert (merged.code, merged.out) == (one.code, one.out)
        assert merged.code == 1
        assert "newly wrong" in merged.out
        assert_same(repo)

    def test_output_that_is_elsewhere_is_taken_from_the_evidence(self, repo: Path, capfd: Capture) -> None:
        """Also in the baseline file, which has digests of it."""
        parts = shards(capfd, 2, "--baseline=git:HEAD^")
        one = command(capfd, "run", "--baseline=git:HEAD^", "--save-baseline=one/b.json", *reports("one"))
        shutil.rmtree(repo / "system")
        merged = command(capfd, "merge", *parts, "--save-baseline=merged/b.json", *reports("merged"))
        assert (merged.code, merged.out) == (one.code, one.out)
        assert_same(repo)

    def test_another_commit(self, repo: Path, capfd: Capture) -> None:
        parts = shards(capfd, 2)
        commit(write(repo, {"notes.txt": "later\n"}))
        ended = command(capfd, "merge", *parts)
        assert (ended.code, ended.out) == (2, "")
        assert "part1.json: shard.foreign: its run was another than here: the commit " in ended.err
        command(capfd, "run", "--shard=2/2", "--report=evidence:part2.json")
        ended = command(capfd, "merge", *parts)
        assert "part2.json: shard.foreign: is of another run than part1.json: the commit " in ended.err


def test_choices_of_the_shards_are_those_of_the_merge(folder: Path, capfd: Capture) -> None:
    config = (folder / "nlpeval.yaml").read_text() + "    profiles: {strict: {accuracy: 0.99}}\n"
    write(folder, {"nlpeval.yaml": config})
    parts = shards(capfd, 2, "--profile=strict", "--informational", "--confidence=0.9", "--suite=d*")
    merged = command(capfd, "merge", *parts)
    one = command(capfd, "run", "--profile=strict", "--informational", "--confidence=0.9", "--suite=d*")
    assert (merged.code, merged.out) == (one.code, one.out) == (0, one.out)
    assert "0.99" in merged.out
    assert "the run is of chosen suites alone" in merged.out


def test_groups_of_documents_are_told_of_the_whole(folder: Path, capfd: Capture) -> None:
    write(folder, {"groups.csv": "document,group\n" + "".join(f"{name},{'x' if name < 'f' else 'y'}\n" for name in RUNS)})
    config = (folder / "nlpeval.yaml").read_text()
    write(folder, {"nlpeval.yaml": config.replace("    gates:", "    options: {group: {documents: groups.csv}}\n    gates:")})
    parts = shards(capfd, 4)
    merged = command(capfd, "merge", *parts, *reports("merged"))
    one = command(capfd, "run", *reports("one"))
    assert (merged.code, merged.out) == (one.code, one.out)
    assert "group.x.accuracy" in (folder / "merged/report.json").read_text()
    assert_same(folder)


def test_a_copy_of_gold_that_is_elsewhere_is_told(tmp_path: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    entry = {"name": "s", "task": "spans", "gold": "gold/{doc}.txt", "system": "system/{doc}.txt", "gates": {"micro.f1": 0.9}}
    write(tmp_path, {f"{side}/{name}.txt": f"{name} B-X\n" for side in ("gold", "system") for name in "abc"})
    write(tmp_path, {"nlpeval.yaml": json.dumps({"version": 1, "suites": [entry]})})
    parts = shards(capfd, 2)
    one = command(capfd, "run", "--no-cache", *reports("one"))
    shutil.rmtree("system")
    merged = command(capfd, "merge", *parts, "--no-cache", *reports("merged"))
    assert (merged.code, merged.out) == (one.code, one.out)
    assert COPIED in one.out.replace("\n  ", " ")
    assert_same(tmp_path)


def test_workers_and_the_store_count_the_same_shard(folder: Path, capfd: Capture) -> None:
    command(capfd, "run", "--shard=1/2", "--report=evidence:plain.json", "--no-cache")
    for _ in range(2):
        command(capfd, "run", "--shard=1/2", "--report=evidence:stored.json", "--jobs=2")
        assert Path("stored.json").read_bytes() == Path("plain.json").read_bytes()


def test_a_suite_that_is_left_to_tests_passes_nowhere(folder: Path, capfd: Capture) -> None:
    config = (folder / "nlpeval.yaml").read_text().replace("    system: system/{doc}.txt\n", "    judged_by: test\n")
    write(folder, {"nlpeval.yaml": config})
    merged, one = command(capfd, "merge", *shards(capfd, 2)), command(capfd, "run")
    assert (merged.code, merged.out) == (one.code, one.out)
    assert merged.code != 0


@pytest.mark.parametrize(("text", "code"), [("1 MAYBE 0.9\n", 1), (None, 1)])
def test_a_bad_system_file_is_told_by_its_shard_and_by_the_merge(
    folder: Path, capfd: Capture, text: str | None, code: int
) -> None:
    if text is None:
        (folder / "system/c.txt").unlink()
    else:
        write(folder, {"system/c.txt": text})
    codes = {}
    for number in (1, 2):
        ended = command(capfd, "run", f"--shard={number}/2", f"--report=evidence:part{number}.json")
        codes[number] = ended.code
        assert ("system/c.txt" in ended.out) == (ended.code == code)
    assert sorted(codes.values()) == [0, code]
    merged, one = command(capfd, "merge", "part1.json", "part2.json"), command(capfd, "run")
    assert (merged.code, merged.out) == (one.code, one.out) == (code, one.out)


def test_a_bad_gold_file_is_a_mistake_of_the_set_up(folder: Path, capfd: Capture) -> None:
    write(folder, {"gold/c.xml": "<x"})
    codes = [command(capfd, "run", f"--shard={number}/2", f"--report=evidence:part{number}.json").code for number in (1, 2)]
    assert sorted(codes) == [0, 2]
    merged, one = command(capfd, "merge", "part1.json", "part2.json"), command(capfd, "run")
    assert (merged.code, merged.out) == (one.code, one.out) == (2, one.out)


def _refused(capfd: Capture, parts: Sequence[str], *said: str) -> None:
    ended = command(capfd, "merge", *parts, "--report=json:merged.json")
    assert (ended.code, ended.out) == (2, ""), ended.all
    for text in said:
        assert text in ended.err
    assert not Path("merged.json").exists()


@pytest.mark.usefixtures("folder")
class TestRefused:
    """A sentence each, exit code 2, and no report."""

    def test_a_missing_shard(self, capfd: Capture) -> None:
        parts = shards(capfd, 6)
        _refused(capfd, parts[:5], "shard.missing: 1 shard of 6 missing: 6/6; give the evidence of all")
        _refused(capfd, parts[:1], "shard.missing: 5 shards of 6 missing: 2/6, 3/6, 4/6, …")

    def test_a_shard_twice(self, capfd: Capture) -> None:
        parts = shards(capfd, 2)
        shutil.copy("part1.json", "again.json")
        _refused(capfd, [*parts, "again.json"], "again.json: shard.twice: is the shard 1/2, as part1.json is")
        _refused(capfd, ["part1.json", "part1.json"], "shard.twice")

    def test_shards_of_two_runs_are_foreign_and_none_is_there_twice(self, capfd: Capture) -> None:
        parts = shards(capfd, 3)
        command(capfd, "run", "--shard=1/2", "--report=evidence:half.json")
        ended = command(capfd, "merge", *parts, "half.json")
        assert ended.code == 2
        assert "half.json: shard.foreign: is of another run than part1.json: the shard 1/2 beside 1/3" in ended.all
        assert "shard.twice" not in ended.all

    def test_another_number_of_shards(self, capfd: Capture) -> None:
        shards(capfd, 3)
        command(capfd, "run", "--shard=1/2", "--report=evidence:part1.json")
        _refused(capfd, ["part1.json", "part2.json"], "part2.json: shard.foreign: is of another run", "the shard 2/3 beside 1/2")

    def test_other_arguments(self, capfd: Capture) -> None:
        parts = shards(capfd, 2)
        command(capfd, "run", "--shard=2/2", "--report=evidence:part2.json", "--informational")
        _refused(capfd, parts, "informational true instead of false")

    def test_another_configuration(self, folder: Path, capfd: Capture) -> None:
        parts = shards(capfd, 2)
        config = (folder / "nlpeval.yaml").read_text()
        write(folder, {"nlpeval.yaml": config.replace("0.9", "0.1")})
        _refused(capfd, parts, "part1.json: shard.foreign: its run was another than here: another nlpeval.yaml")
        command(capfd, "run", "--shard=2/2", "--report=evidence:part2.json")
        _refused(capfd, parts, "part2.json: shard.foreign: is of another run than part1.json: another nlpeval.yaml")

    def test_another_version(self, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        parts = shards(capfd, 2)
        monkeypatch.setattr("pytest_nlpeval.run.sharding.__version__", "9.9")
        _refused(capfd, parts, "instead of 9.9")

    def test_another_folder(self, folder: Path, capfd: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
        shards(capfd, 1)
        (folder / "sub").mkdir()
        monkeypatch.chdir(folder / "sub")
        _refused(capfd, ["../part1.json"], "its configuration nlpeval.yaml is not here")

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            ({"gold/c.xml": gold_xml() + "<!-- -->\n"}, "gold/c.xml: shard.changed: changed since a shard counted it"),
            ({"system/c.txt": HALF}, "system/c.txt: shard.changed: changed since"),
            ({"gold/z.xml": gold_xml()}, "they differ: "),
        ],
    )
    def test_files_that_changed_meanwhile(self, folder: Path, capfd: Capture, change: dict[str, str], said: str) -> None:
        parts = shards(capfd, 3)
        _refused(capfd, parts[:2], "shard.missing")
        write(folder, change)
        _refused(capfd, parts, said)

    def test_files_that_are_gone(self, folder: Path, capfd: Capture) -> None:
        parts = shards(capfd, 3)
        (folder / "system/d.txt").unlink()
        _refused(capfd, parts, "system/d.txt: shard.changed: is not here, where other files of the system are; run")

    def test_a_file_that_came_meanwhile(self, folder: Path, capfd: Capture) -> None:
        (folder / "system/d.txt").unlink()
        parts = shards(capfd, 3)
        write(folder, {"system/d.txt": RIGHT})
        _refused(capfd, parts, "system/d.txt: shard.changed: is new since a shard counted it")


def resealed(text: str) -> str:
    """An evidence file with the digest that it should have: forged, not damaged."""
    body = text[: text.rstrip("\n").rindex("\n") + 1]
    return f'{body}"sha256": "{hashlib.sha256(body.encode()).hexdigest()}"}}\n'


def forged(change: Callable[[Any], object]) -> str:
    data = json.loads(Path("part1.json").read_bytes())
    change(data)
    suites = ",\n".join(json.dumps(suite) for suite in data["suites"])
    head = (
        f'{{"version": {json.dumps(data["version"])},\n"shard": {json.dumps(data["shard"])},\n"run": {json.dumps(data["run"])},'
    )
    return resealed(f'{head}\n"suites": [\n{suites}],\n"sha256": ""}}\n')


@pytest.mark.usefixtures("folder")
class TestForged:
    """A file is data: whatever it holds, the merge ends with a sentence."""

    @pytest.mark.parametrize(
        "content",
        [
            b"",
            b"{}",
            b"\x00\xff",
            b'{"version": 1,\n"shard": [1, 2]}\n',
            resealed('{"version": 1,\n"shard": [1, 2],\n"sha256": ""}\n').encode(),
            resealed('{"version": 2,\n"shard": [3, 2],\n"run": 3, "suites": [null],\n"sha256": ""}\n').encode(),
            resealed("[" * 100_000 + '\n"sha256": ""}\n').encode(),
        ],
    )
    def test_what_is_no_evidence(self, capfd: Capture, content: bytes) -> None:
        parts = shards(capfd, 2)
        Path("part2.json").write_bytes(content)
        _refused(capfd, parts, "part2.json", "shard.invalid")

    def test_a_report_in_its_place(self, capfd: Capture) -> None:
        command(capfd, "run", "--report=json:r.json")
        _refused(capfd, ["r.json"], "r.json: shard.invalid: is not the evidence of a shard")
        _refused(capfd, ["none.json"], "none.json: file.missing")
        Path("parts").mkdir()
        message = "parts: file.not-regular: is a folder; name the evidence files of all shards in it, such as parts/*.json"
        _refused(capfd, ["parts"], message)

    def test_every_cut_and_every_changed_byte_is_known(self, capfd: Capture) -> None:
        (part,) = shards(capfd, 1)
        data = Path(part).read_bytes()
        for place in range(0, len(data) - 1, max(1, len(data) // 12)):
            Path(part).write_bytes(data[:place])
            _refused(capfd, [part], "shard.invalid")
            Path(part).write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
            _refused(capfd, [part], "shard.invalid")

    @pytest.mark.parametrize(
        "change",
        [
            lambda data: data["suites"][0]["evidence"]["documents"].pop(),
            lambda data: data["suites"][0]["evidence"]["sizes"].append(1),
            lambda data: data["suites"][0]["evidence"]["units"].pop(),
            lambda data: data["suites"][0]["evidence"].update(columns=[[["x"], "int8", "????"]]),
            lambda data: data["suites"][0]["evidence"].update(columns=[[["x"], "object", ""]]),
            lambda data: data["suites"][0]["evidence"].update(columns=[3]),
            lambda data: data["suites"][0]["evidence"].update(documents=["zz"] * len(data["suites"][0]["documents"])),
            lambda data: data["suites"][0]["problems"].pop(),
            lambda data: data["suites"][0]["problems"][0].update(nobody=[]),
            lambda data: data["suites"][0]["files"][0].update(nobody="0" * 64),
            lambda data: data["suites"][0]["problems"][0].update(
                nobody=[{"code": "x", "severity": "error", "path": "", "message": ""}]
            ),
            lambda data: data["suites"][0]["files"].pop(),
            lambda data: data["suites"][0]["explanations"].pop(),
            lambda data: data["suites"][0]["explanations"][0].update(first=[{"unit": 3}]),
            lambda data: data["suites"][0]["problems"][0].update(
                system=[{"code": "x", "severity": "warning", "path": "", "message": "m", "line": 0}]
            ),
            lambda data: data["suites"].clear(),
            lambda data: data["suites"][0].update(evidence=None),
            lambda data: data["suites"][0].update(settings="0"),
            lambda data: data["run"].update(configurations=[]),
            lambda data: data["run"]["arguments"].update(statistics={"seed": "x"}),
            lambda data: data["run"]["arguments"].update(root="/"),
            lambda data: data["run"]["arguments"].update(profile="none"),
            lambda data: data["run"]["arguments"].update(suites=["none"]),
        ],
    )
    def test_what_does_not_fit_is_refused(self, capfd: Capture, change: Callable[[Any], object]) -> None:
        shards(capfd, 1)
        Path("part1.json").write_text(forged(change))
        ended = command(capfd, "merge", "part1.json")
        assert ended.code == 2, ended.all

    def test_a_number_that_is_whole_may_be_written_as_a_fraction(self, capfd: Capture) -> None:
        one = command(capfd, "run")
        shards(capfd, 1)
        Path("part1.json").write_text(forged(lambda data: data.update(shard=[1.0, 1.0])))
        assert command(capfd, "merge", "part1.json") == one

    @pytest.mark.parametrize(
        ("change", "said"),
        [
            (lambda columns: {**columns, "correct": -columns["correct"]}, "correct is -1, and counts something"),
            (lambda columns: {**columns, "correct": columns["correct"] * 2}, "accuracy is 1.6; it lies between 0 and 1"),
            (lambda columns: {**columns, "correct": columns["correct"] + 0.5}, "accuracy is 1.3; it lies between 0 and 1"),
            (lambda columns: {**columns, "correct": np.full(len(columns["correct"]), np.inf)}, "accuracy is inf"),
        ],
    )
    def test_counts_that_no_files_have_are_refused(self, capfd: Capture, change: Callable[[Any], Any], said: str) -> None:
        def recount(data: Any) -> None:
            evidence = data["suites"][0]["evidence"]
            evidence["columns"] = encoded(change(decoded(evidence["columns"], len(evidence["units"]))))

        shards(capfd, 1)
        Path("part1.json").write_text(forged(recount))
        _refused(capfd, ["part1.json"], "part1.json: shard.invalid: ", said)

    def test_an_unchanged_file_that_is_resealed_is_taken(self, capfd: Capture) -> None:
        shards(capfd, 1)
        Path("part1.json").write_text(forged(lambda _: None))
        assert command(capfd, "merge", "part1.json").out == command(capfd, "run").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--shard=1/2"], "--shard needs --report evidence:FILE"),
        (["--shard=0/2", "--report=evidence:p.json"], '"0/2" is no shard'),
        (["--shard=1/99999", "--report=evidence:p.json"], "N at most 10,000"),
        (["--report=evidence:p.json"], "add --shard I/N"),
        (["--shard=1/2", "--report=evidence:-"], "--shard needs --report evidence:FILE"),
        (["--shard=1/2", "--report=evidence:p.json", "--report=json:r.json"], "no other report"),
        (["--shard=1/2", "--report=evidence:p.json", "--since=HEAD"], "--since is of a whole run"),
        (["--shard=1/2", "--report=evidence:p.json", "--save-baseline=b.json"], "--save-baseline is of a whole run"),
        (["--shard=1/2", "--report=evidence:nlpeval.yaml/p.json"], "cannot be written"),
    ],
)
def test_what_a_shard_cannot_do(folder: Path, capfd: Capture, arguments: list[str], said: str) -> None:
    ended = command(capfd, "run", *arguments)
    assert (ended.code, said in ended.err) == (2, True), ended.all
    assert not Path("p.json").exists()
