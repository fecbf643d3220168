"""Runs action.yml and the example workflows as GitHub's runner does, as far as they need it, in a scratch repository.

Expressions, inputs, outputs, `if`, the files behind GITHUB_OUTPUT and the like, and workflow commands in the log follow GitHub's
documentation. What the runner would obey and this one does not know is an error.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.support import HANG, THREADS

ROOT = Path(__file__).parent.parent.parent
REPOSITORY = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["urls"]["Repository"].removeprefix(
    "https://github.com/"
)
SHELL = ("bash", "--noprofile", "--norc", "-eo", "pipefail")
FILES = ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE")

_EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}", re.DOTALL)
_EQUATION = re.compile(r"(\S+)\s*(==|!=)\s*'([^']*)'")
_COMMAND = re.compile(r"\s*::([\w-]+)(?: ([^:]*(?::(?!:)[^:]*)*))?::(.*)")


@dataclass(frozen=True)
class Annotation:
    """What GitHub shows at a line of a file."""

    level: str
    message: str
    file: str = ""
    line: str = ""
    col: str = ""
    title: str = ""


@dataclass
class Job:
    """What became of a job: the log, and all that the runner took from its steps."""

    folder: Path
    succeeded: bool = True
    log: str = ""
    annotations: list[Annotation] = field(default_factory=list)
    summary: str = ""
    outputs: dict[str, str] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    """What a job of a workflow tells the jobs after it."""
    steps: dict[str, dict[str, str]] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)
    leftovers: dict[str, str] = field(default_factory=dict)
    """What steps wrote to GITHUB_ENV, GITHUB_PATH, GITHUB_STATE."""

    def of_level(self, level: str) -> list[Annotation]:
        return [annotation for annotation in self.annotations if annotation.level == level]


class Runner:
    """A runner with a workspace: a folder that a test has filled."""

    token = "a-token-of-the-job"
    """What a step gets that asks for the job's token."""

    def __init__(self, workspace: Path, scratch: Path, environment: Mapping[str, str] | None = None) -> None:
        self.workspace = workspace
        self.scratch = scratch
        self.cache = scratch / "cache"
        scratch.mkdir(parents=True, exist_ok=True)
        kept = ("PATH", "HOME", "LANG", "TMPDIR", "SSL_CERT_FILE")
        self.environment = {
            **{name: value for name, value in os.environ.items() if name in kept or name.startswith("PIP_")},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "CI": "true",
            "GITHUB_ACTIONS": "true",
            "GITHUB_WORKSPACE": str(workspace),
            "RUNNER_TEMP": str(scratch),
            THREADS: "1",
            **(environment or {}),
        }

    def action(
        self,
        inputs: Mapping[str, str] | None = None,
        *,
        only: Iterable[str] = (),
        seed: Mapping[str, Mapping[str, str]] | None = None,
        place: str = "",
    ) -> Job:
        """Run the action, or the one in the folder `place`.

        `only` some of its steps, by id or name, with the outputs of others given by `seed`.
        """
        folder = ROOT / place
        action = yaml.safe_load((folder / "action.yml").read_text())
        given = dict(inputs or {})
        unknown = set(given) - set(action["inputs"])
        assert not unknown, f"the action has no inputs {unknown}"
        values = {name: given.get(name, str(declared.get("default", ""))) for name, declared in action["inputs"].items()}
        job = Job(self.workspace, steps={name: dict(outputs) for name, outputs in (seed or {}).items()})
        github = {"action_path": str(folder), "workspace": str(self.workspace), "token": self.token}
        context = {"inputs": values, "github": github, "steps": job.steps}
        chosen = set(only)
        for step in action["runs"]["steps"]:
            name = step.get("id") or step["name"]
            if not chosen or name in chosen:
                self._step(step, name, context, job, {"GITHUB_ACTION_PATH": str(folder)})
        outputs = action.get("outputs", {})
        job.outputs = {name: substituted(declared["value"], context) for name, declared in outputs.items()}
        return job

    def workflow(
        self,
        path: Path,
        name: str,
        seed: Mapping[str, Mapping[str, str]],
        github: Mapping[str, Any] | None = None,
        needs: Mapping[str, Mapping[str, str]] | None = None,
    ) -> Job:
        """Run a job of a workflow: its own steps, this action, and the cache; what else it uses of others is taken to have been done.

        `needs` has the outputs of the jobs before it, as their `told` says.
        """
        declared = yaml.safe_load(path.read_text())["jobs"][name]
        steps = declared["steps"]
        job = Job(self.workspace)
        before = {other: {"outputs": outputs} for other, outputs in (needs or {}).items()}
        context = {"steps": job.steps, "outcomes": job.outcomes, "github": github or {}, "needs": before}
        for number, step in enumerate(steps):
            used = step.get("uses", "").partition("@")[0]
            if used.startswith("actions/cache/") and holds(step.get("if", "success()"), context, succeeded=job.succeeded):
                self._cache(used, {key: substituted(value, context) for key, value in step["with"].items()})
            if used == REPOSITORY:
                inner = self.action(step.get("with", {}), only=["test", "report", "Judge"], seed=seed)
                job.steps[step["id"]] = job.outputs = inner.outputs
                job.succeeded &= inner.succeeded
                job.log, job.summary, job.annotations = inner.log, inner.summary, inner.annotations
            elif not used:
                self._step({"shell": "bash", **step}, step.get("id", f"step{number}"), context, job, {})
        job.told = {key: substituted(value, context) for key, value in declared.get("outputs", {}).items()}
        return job

    def _cache(self, used: str, given: Mapping[str, str]) -> None:
        """Restore or save one file. What has been saved under a key stays; a key is of the path, too."""
        here = self.workspace / given["path"]
        kept = self.cache / given["key"] / given["path"]
        source, target = (here, kept) if used == "actions/cache/save" else (kept, here)
        if source.exists() and not (target is kept and kept.exists()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)

    def _step(self, step: Mapping[str, Any], name: str, context: Mapping[str, Any], job: Job, extra: Mapping[str, str]) -> None:
        condition = str(step.get("if", "success()"))
        if not holds(condition, context, succeeded=job.succeeded):
            return
        assert step["shell"] == "bash"
        files = {variable: self.scratch / f"{name}-{variable}" for variable in FILES}
        for path in files.values():
            path.write_bytes(b"")
        script = self.scratch / f"{name}.sh"
        script.write_text(step["run"])
        variables = {key: substituted(str(value), context) for key, value in step.get("env", {}).items()}
        environment = {**self.environment, **{key: str(path) for key, path in files.items()}, **extra, **variables}
        done = subprocess.run(
            [*SHELL, str(script)],
            cwd=self.workspace,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=HANG,
            check=False,
        )
        job.log += done.stdout.decode()
        job.annotations += obeyed(done.stdout.decode())
        job.summary += files["GITHUB_STEP_SUMMARY"].read_text()
        job.steps[name] = {**job.steps.get(name, {}), **assignments(files["GITHUB_OUTPUT"].read_text())}
        for variable in ("GITHUB_ENV", "GITHUB_PATH", "GITHUB_STATE"):
            if text := files[variable].read_text():
                job.leftovers[variable] = text
        job.outcomes[name] = "failure" if done.returncode else "success"
        job.succeeded &= done.returncode == 0


def substituted(text: str, context: Mapping[str, Any]) -> str:
    """The text with its expressions replaced by their values."""
    return _EXPRESSION.sub(lambda match: str(value_of(match[1].strip(), context)), text)


def value_of(expression: str, context: Mapping[str, Any]) -> str:
    """The value of a path such as `inputs.mode` or `steps.test.outputs.status`; what does not exist is empty."""
    parts = expression.split(".")
    assert all(re.fullmatch(r"[A-Za-z_][\w-]*", part) for part in parts), f"unknown expression {expression}"
    assert parts[0] in context, f"unknown context {expression}"
    if parts[0] == "steps":
        if parts[2:] == ["outcome"]:
            return str(context["outcomes"].get(parts[1], "skipped"))
        assert parts[2] == "outputs"
        return str(context["steps"].get(parts[1], {}).get(parts[3], ""))
    value: Any = context
    for part in parts:
        value = value.get(part, "") if isinstance(value, Mapping) else ""
    return str(value)


def holds(condition: str, context: Mapping[str, Any], *, succeeded: bool) -> bool:
    """Whether a step with this `if` runs; without a status function it needs success so far."""
    inner = condition.strip().removeprefix("${{").removesuffix("}}").strip()
    terms = [term.strip() for term in inner.split("&&")]
    equations = [_EQUATION.fullmatch(term) for term in terms if not term.endswith("()")]
    functions = [term for term in terms if term.endswith("()")]
    assert all(equations), f"unknown condition {condition}"
    assert set(functions) <= {"always()", "success()", "!cancelled()"}, f"unknown condition {condition}"
    reached = succeeded or bool({"always()", "!cancelled()"} & set(functions))
    return reached and all((value_of(match[1], context) == match[3]) is (match[2] == "==") for match in equations if match)


def assignments(text: str) -> dict[str, str]:
    """What a file of `name=value` lines and `name<<word` blocks sets."""
    found: dict[str, str] = {}
    lines = iter(re.split(r"\r\n|\n|\r", text))
    for line in lines:
        if not line:
            continue
        heredoc = re.fullmatch(r"([^=]*?)<<(.+)", line)
        if heredoc:
            block: list[str] = []
            for inner in lines:
                if inner == heredoc[2]:
                    break
                block.append(inner)
            else:
                raise AssertionError(f"no end of {heredoc[1]}")
            found[heredoc[1]] = "\n".join(block)
        else:
            name, equals, value = line.partition("=")
            assert equals, f"no assignment: {line!r}"
            found[name] = value
    return found


def obeyed(log: str) -> list[Annotation]:
    """The annotations of a log; any other command that the runner would obey is an error."""
    found: list[Annotation] = []
    stopped = ""
    for line in re.split(r"\r\n|\n|\r", log):
        match = _COMMAND.match(line)
        if stopped:
            if match and match[1] == stopped:
                stopped = ""
            continue
        assert "##[" not in line, line
        if match is None:
            assert not line.lstrip().startswith("::"), line
        elif match[1] == "stop-commands":
            stopped = match[3]
        else:
            assert match[1] in ("error", "warning", "notice"), line
            given = dict(part.partition("=")[::2] for part in (match[2] or "").split(",") if part)
            found.append(Annotation(match[1], _decoded(match[3]), **{key: _decoded(value) for key, value in given.items()}))
    assert not stopped, "commands were never resumed"
    return found


def _decoded(text: str) -> str:
    for code, sign in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, sign)
    return text
