"""The checks that a configuration and a call without one share: task, roles, options, paths."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from pytest_nlpeval.config.document_groups import own_options, schema_with_groups
from pytest_nlpeval.config.suite import Contents
from pytest_nlpeval.files import FILE_KINDS, Source, json_schema
from pytest_nlpeval.foreign import said_of
from pytest_nlpeval.formats.json_schema import check_schema, is_valid
from pytest_nlpeval.formats.yaml import YAML_KINDS, Marked, Steps, read_yaml
from pytest_nlpeval.patterns import Pattern
from pytest_nlpeval.problems import Kind, NlpevalError, Problem, ProblemLog
from pytest_nlpeval.task import OptionsError, Task
from pytest_nlpeval.tasks import load_task, task_names
from pytest_nlpeval.wording import nearest, quoted

CONFIG_KINDS = {
    **FILE_KINDS,
    **YAML_KINDS,
    "config.empty": Kind("error", "the configuration is empty", fixed=True),
    "config.invalid": Kind("error", "the configuration does not have the structure it must have", fixed=True),
    "config.key": Kind("error", "a key that neither the configuration nor the task knows, or one that is missing", fixed=True),
    "config.name": Kind("error", "two suites have the same name", fixed=True),
    "config.task": Kind("error", "no task of that name is installed", fixed=True),
    "config.option": Kind("error", "the task has no option of this name, or not with this value", fixed=True),
    "config.rule": Kind("error", "the task knows no problem of this code, or it cannot be changed", fixed=True),
    "config.content": Kind("error", "what is given in memory is nothing that a file could hold", fixed=True),
    "config.path": Kind("error", "a path leaves the root folder, matches nothing, or has a wrong placeholder", fixed=True),
    "config.gate": Kind("error", "a gate has no condition, or one that nothing can meet", fixed=True),
    "config.measure": Kind("error", "a gate's measure does not exist", fixed=True),
    "config.suite": Kind("error", "no suite has the name that was asked for", fixed=True),
    "config.profile": Kind("error", "no suite has the profile that was asked for", fixed=True),
}

SUITE_KINDS = {
    "config.alpha": Kind(
        "error", "a gate's level is so low, or the gates so many, that no number of resamples shows a drop", fixed=True
    ),
    "guard.no-such-item": Kind(
        "error", "no unit of gold has the name that a guard's list gives; of `known_failures` a warning", fixed=True
    ),
    "guard.duplicate": Kind("warning", "an id is twice in the list of a guard", fixed=True),
    "guard.both": Kind("error", "an id is in both lists of a gate", fixed=True),
    "guard.empty": Kind("error", "`must_pass` without any id", fixed=True),
    "baseline.gold-changed": Kind(
        "warning", "the gold asks or answers other things than at the baseline; an error if most of it does"
    ),
    "baseline.renamed": Kind("error", "the baseline has the suite's files under another name"),
    "baseline.vanished": Kind("error", "documents or items that the baseline has results of are no longer in the suite"),
    "config.gate": Kind(
        "warning",
        "a limit is very great for its measure: in per cent, perhaps; an error, whatever `rules` say, if a gate has no condition, or one "
        "that nothing can meet",
    ),
    "gate.renamed": Kind("warning", "a gate calls its measure by a name that it had"),
    **{
        f"group.{name}": Kind("error", f"of the file of groups: {summary}", fixed=True)
        for name, summary in {
            "format": "its name does not tell the format",
            "quotes": "a quotation mark where CSV has none, or one without its partner",
            "fields": "a row has not as many fields as the first line",
            "header": "it is empty, or its header names a needed column twice",
            "column": "a column `document` or `group` is not there",
            "json": "it, or a line, is no JSON or no object, or has a key twice or half a surrogate pair",
            "items": "its JSON is neither a list of objects nor an object",
            "no-id": "a document is missing, or no text",
            "duplicate-id": "a document stands twice in it",
            "reserved": "a group has a name that measures cannot have",
            "too-many": "there are more than 200 groups",
        }.items()
    },
    "group.no-group": Kind("warning", "a document has no group; it is in none"),
    "group.unknown-document": Kind("warning", "the option `group` tells the group of a document that the suite does not have"),
}
"""Problems of a suite as a whole, whatever its task."""


class ConfigError(NlpevalError):
    """A configuration, or a call, that cannot be used; `problems` holds every mistake, each with its place.

    `root` is the folder that the paths of the problems are relative to, None for those of a call.
    """

    def __init__(self, problems: tuple[Problem, ...], root: Path | None = None) -> None:
        super().__init__(problems)
        self.root = root


class Say(Protocol):
    """Logs a mistake at the place that `steps` lead to, from the suite on: the key `options`, then the option's name, say."""

    def __call__(self, code: str, message: str, *steps: str | int | None) -> None:
        """Log it."""


def may_lead_outside(config: Path, outside: Collection[str] | None) -> bool:
    """Whether files outside the root may be read for a configuration: None says any, otherwise it must be among the paths."""
    return outside is None or str(config) in outside


def find_task(task: str | Task, say: Say) -> Task | None:
    """Return the task of that name, or the task itself; None after saying why there is none."""
    if isinstance(task, Task):
        return task
    try:
        return load_task(task)
    except KeyError:
        say("config.task", f'no task "{task}"; {nearest(task, task_names())}', "task")
    except Exception as error:  # noqa: BLE001 - another package's code may raise anything
        say("config.task", f'the task "{task}" cannot be loaded: {said_of(error)}', "task")
    return None


def require_task(name: str) -> Task:
    """Return the task of that name.

    Raises:
        ConfigError: if there is none.
    """
    log = ProblemLog("", CONFIG_KINDS)
    task = find_task(name, lambda code, message, *_: log.add(code, message))
    if task is None:
        raise ConfigError(log.problems())
    return task


def check_options(task: Task, document: Marked, steps: Steps, given: Mapping[str, Any], log: ProblemLog) -> Any:
    """Return the task's options; None with problems in the log if those at `steps` of a document do not fit the task."""
    check_schema(document, schema_with_groups(task.options_schema, given), steps, "config.option", log)
    if log.count("config.option"):
        return None
    try:
        return task.options(**own_options(given))
    except OptionsError as error:
        for inner, message in error.mistakes:
            place = document.place((*steps, *inner))
            log.add("config.option", message, place.line, place.column, ".".join(map(str, (*steps, *inner))))
        return None


def check_roles(task: Task, options: Any | None, given: Iterable[str], say: Say, others: Collection[str] = ()) -> None:
    """Say which keys are not roles of the task, and which roles are missing; `others` are keys that mean something else."""
    names = set(given)
    possible = {role.name for role in task.roles} | set(others)
    for name in sorted(names - possible):
        what = f'unknown key "{name}"' if others else f'the task {task.name} has no role "{name}"'
        say("config.key", f"{what}; {nearest(name, possible)}", name)
    for name in task.needed(options, names):
        if name not in names:
            say("config.key", f'the task {task.name} needs "{name}": {task.role(name).summary}')
    if "gold" in names and (instead := task.reference(names)) != "gold":
        message = f'"{instead}" stands instead of "gold"; leave "{instead}" out, or "gold" to check files without scores'
        say("config.key", message, instead)


def check_pattern(
    role: str, pattern: Pattern | Contents, reference: tuple[str, Pattern | Contents], say: Say, *steps: str | None
) -> None:
    """Say what is wrong with the pattern of a role's files, or with the content in its place; at most one thing.

    `reference` is the role gold, or the one that stands instead of it, with its pattern.
    """
    if isinstance(pattern, Contents):
        if message := _mistake_of_contents(role, pattern, *reference):
            say("config.content", message, *steps)
    elif message := _mistake(role, pattern, *reference):
        say("config.path", message, *steps)


def _mistake_of_contents(role: str, contents: Contents, reference: str, gold: Pattern | Contents) -> str:
    if role == "system" and gold.has_doc and not contents.has_doc:
        return f"system is one content, but {reference} has one for each document; give a mapping from the names of documents to contents"
    return ""


def _mistake(role: str, pattern: Pattern, reference: str, gold: Pattern | Contents) -> str:
    message = ""
    if "\0" in pattern.text:
        message = "has a NUL character; no file is called so"
    elif "*" in pattern.text:
        advice = pattern.text.replace("*", "{doc}", 1)
        message = f'write {{doc}} for the document\'s name: "{advice}"; * is a character like others'
    elif unknown := pattern.unknown_placeholders:
        message = f"unknown placeholder {unknown[0]}; the only one is {{doc}}"
    elif pattern.has_doc and not gold.has_doc:
        message = f"{role} names a file for each document, but {reference} only one file; use {{doc}} in both or in none"
    elif role == "system" and gold.has_doc and not pattern.has_doc:
        message = f"system names only one file, but {reference} one for each document; use {{doc}} in both"
    elif role == reference and gold.has_doc and next(pattern.documents(), None) is None:
        message = f'no file matches "{pattern.text}"'
    return message


def require_profile(profile: str | None, profiles: Collection[str]) -> None:
    """Raise `ConfigError` if a profile was asked for that is not among those of the suites."""
    if profile is not None and profile not in profiles:
        message = f'no suite has a profile "{profile}"; {nearest(profile, profiles)}'
        raise ConfigError((Problem("config.profile", "error", "", None, None, "", message),))


def chosen_statistics(given: Mapping[str, str | None]) -> dict[str, Any]:
    """Return the settings that a user gave as text, in their types; `ValueError` with a message that begins with the name of a bad one."""
    wanted = json_schema("nlpeval.schema.json")["properties"]["defaults"]["properties"]["statistics"]["properties"]
    chosen: dict[str, Any] = {}
    for name, text in given.items():
        if text is None:
            continue
        log = ProblemLog(name, YAML_KINDS)
        document = read_yaml(Source(name, text.encode("utf-8", "surrogateescape")), log)
        value = document.value if document else None
        if not is_valid(value, wanted[name]):
            bounds = "a number between 0 and 1, or off"
            if "minimum" in wanted[name]:
                bounds = f"a whole number from {wanted[name]['minimum']:,} to {wanted[name]['maximum']:,}"
            raise ValueError(f"{name}: expected {bounds}, got {quoted(text)}")
        chosen[name] = value
    return chosen
