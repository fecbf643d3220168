"""Makes the examples of codes, from the cases of tasks and from the suites below, and the page of codes.

`python -m tests.codes` writes both: `pytest_nlpeval/reports/mending/*.json`, whose sentences on mending stay as they are, and
docs/codes.md.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from pytest_nlpeval import Problem
from pytest_nlpeval.reports.problem_codes import FOLDER, Code, codes
from pytest_nlpeval.tasks import TASKS
from pytest_nlpeval.wording import harmless
from tests.action_scenes import of_action, of_comments, of_workers
from tests.code_scenes import GATE, SCENES, SUITE, Scene, of_content, of_formats, of_links_and_sizes, of_tasks
from tests.support import score_quickly

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs/codes.md"

LONGEST = 160
"""How many characters an example's line has, at most; of a longer one only the message is shown."""

SUITES: tuple[dict[str, str], ...] = (
    {"nlpeval.yaml": ""},
    {"nlpeval.yaml": "version: 1\nsuites: 3\n"},
    {"nlpeval.yaml": f"{SUITE}    golds: x.csv\n"},
    {"nlpeval.yaml": f"{SUITE}  - name: dev\n    task: labels\n    gold: gold.csv\n    system: system.csv\n"},
    {"nlpeval.yaml": SUITE.replace("labels", "label")},
    {"nlpeval.yaml": f"{SUITE}    options: {{lable: intent}}\n"},
    {"nlpeval.yaml": f"{SUITE}    rules: {{labels.lenght: off}}\n"},
    {"nlpeval.yaml": SUITE.replace("gold.csv", "gold/*.csv")},
    {"nlpeval.yaml": f"{GATE}{{min: 0.9, max: 0.1}}\n"},
    {"nlpeval.yaml": f"{SUITE}    gates: {{acuracy: 0.9}}\n"},
    {"nlpeval.yaml": f"{SUITE}    gates: [accuracy\n"},
    {"nlpeval.yaml": f"{SUITE}    gates: {{accuracy: 0.66666666666666666667}}\n"},
    {"nlpeval.yaml": f"{SUITE}    task: labels\n"},
    {"nlpeval.yaml": SUITE, "pyproject.toml": '[tool.nlpeval]\ntask = "labels"\n'},
    {"nlpeval.yaml": SUITE.replace("system.csv", "sytem.csv")},
    {"nlpeval.yaml": SUITE.replace("system.csv", "out"), "out/a.csv": ""},
    {"nlpeval.yaml": f"{GATE}{{must_pass: ['1', '7']}}\n"},
    {"nlpeval.yaml": f"{GATE}{{must_pass: ['1', '1']}}\n"},
    {"nlpeval.yaml": f"{GATE}{{must_pass: ['1'], known_failures: ['1']}}\n"},
    {"nlpeval.yaml": f"{GATE}{{must_pass: ids.txt}}\n", "ids.txt": "# none yet\n"},
    {"nlpeval.yaml": f"{SUITE}    baseline: b.json\n    gates: {{accuracy: {{max_drop: 0}}}}\n", "b.json": "{}\n"},
    {"nlpeval.yaml": f"{SUITE}    produce: {{command: [sh, -c, 'echo no model >&2; exit 3']}}\n"},
    {"nlpeval.yaml": f"{SUITE}    produce: {{command: [no-such-program]}}\n"},
    {"nlpeval.yaml": f"{SUITE}    produce: {{command: ['true']}}\n".replace("system.csv", "new.csv")},
    {"nlpeval.yaml": f"{SUITE}    produce: {{command: [sleep, '9'], timeout: 0.01}}\n"},
    {
        "nlpeval.yaml": SUITE.replace("labels", "qa").replace("csv", "jsonl"),
        "gold.jsonl": '{"id": "a", "prediction": "Senn"}\n',
        "system.jsonl": '{"id": "a", "question": "Where?", "answers": ["Senn"]}\n',
    },
)
"""Suites that each have something wrong with them, whatever their task."""

Examples = dict[str, dict[str, str]]


def examples() -> Examples:
    """Return an example of each code that a case or a suite shows: of several the shortest, its message and its line."""
    found: dict[str, list[dict[str, str]]] = {}
    for code, example in (*_of_cases(), *_of_suites()):
        found.setdefault(code, []).append(example)
    return {
        code: min(every, key=lambda example: (sum(map(len, example.values())), *example.values()))
        for code, every in found.items()
    }


def _of_cases() -> Iterator[tuple[str, dict[str, str]]]:
    for task in TASKS:
        for path in sorted((ROOT / "tests/tasks" / task).glob("*valid/*/expected.yaml")):
            expected = yaml.safe_load(path.read_text(encoding="utf-8")) or {}
            if expected.get("problems"):
                files: dict[str, Any] = {file.stem: file for file in path.parent.iterdir() if file != path}
                yield from _shown(score_quickly(task, expected.get("options") or {}, **files).all_problems(), Path("/"))


def _of_suites() -> Iterator[tuple[str, dict[str, str]]]:
    for scene in (*map(Scene, SUITES), *SCENES):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            yield from list(_shown(scene.problems(folder), folder))
    for play in (of_links_and_sizes, of_tasks, of_action, of_comments, of_workers):
        with tempfile.TemporaryDirectory() as name:
            yield from list(_shown(play(Path(name).resolve()), Path("/")))
    yield from _shown([*of_formats(), *of_content()], Path("/"))


def _shown(problems: Iterable[Problem], root: Path) -> Iterator[tuple[str, dict[str, str]]]:
    for problem in problems:
        if re.fullmatch(r"and [\d,]+ more problems? of this kind", problem.message):
            continue
        message = harmless(str(replace(problem, path=Path(problem.path).name)))
        line = _line(root / problem.path, problem.line)
        yield problem.code, {"message": message} | ({"line": line} if line else {})


def _line(path: Path, number: int | None) -> str:
    if number is None or not path.is_file():
        return ""
    lines = path.read_bytes().decode(errors="replace").split("\n")
    line = harmless(lines[number - 1]).strip() if number <= len(lines) else ""
    return line if len(line) <= LONGEST else ""


def mending(found: Examples) -> dict[str, str]:
    """Return the text of each file of mending, with these examples and the sentences that it has now, sorted by code."""
    texts: dict[str, str] = {}
    for path in sorted(FOLDER.glob("*.json")):
        now: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        names = sorted({*now, *(code for code in found if code.partition(".")[0] == path.stem)})
        new = {
            name: {"mend": now.get(name, {}).get("mend", "")} | ({"example": found[name]} if name in found else {})
            for name in names
        }
        texts[path.name] = json.dumps(new, indent=2, ensure_ascii=False) + "\n"
    return texts


HEAD = """# Codes

What each code of a problem means, an example with its line, and how it is mended; `nlpeval explain CODE` tells the same. `rules` of a
suite [change the severity](configuration.md#rules) of those that are not fixed. The page is made from what the program tells.
"""


def page() -> str:
    """Return the page of codes."""
    parts, prefix = [HEAD], ""
    for name, code in codes().items():
        if name.partition(".")[0] != prefix:
            prefix = name.partition(".")[0]
            parts.append(f"\n## {prefix}\n")
        parts.append(_entry(code))
    return "".join(parts)


def _entry(code: Code) -> str:
    fixed = ", fixed" if code.kind.fixed else ""
    lines = [f"\n### `{code.name}`\n\n{_plain(code.kind.summary)}. Severity: {code.severity}{fixed}.\n"]
    if code.example:
        shown = [code.example["message"], *([code.example["line"]] if "line" in code.example else [])]
        lines.append("\n```text\n" + "\n".join(shown) + "\n```\n")
    lines.append(f"\n{_plain(code.mend)}\n" if code.mend else "")
    return "".join(lines)


def _plain(text: str) -> str:
    """Return a sentence with a capital letter, in which `<` and `*` mean nothing to Markdown outside of code."""
    pieces = re.split(r"(`[^`]*`)", text[0].upper() + text[1:] if not text.startswith("`") else text)
    return "".join(piece if piece.startswith("`") else re.sub(r"([<*_|\[\]])", r"\\\1", piece) for piece in pieces)


def main() -> None:
    """Write the examples, then the page."""
    from pytest_nlpeval.reports import problem_codes

    for name, text in mending(examples()).items():
        (FOLDER / name).write_text(text, encoding="utf-8")
    problem_codes._of_prefix.cache_clear()
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
