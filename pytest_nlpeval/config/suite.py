"""Suites: what `nlpeval.yaml` asks for, with its cases found and its gates ready to be resolved."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self

from pytest_nlpeval import group_measures
from pytest_nlpeval.config.content import ABSENT, Content
from pytest_nlpeval.config.meaning import base_name, source_of
from pytest_nlpeval.config.production import Making, Production
from pytest_nlpeval.files import Source, label, read_source, size_of, with_few_parts
from pytest_nlpeval.gates import Entry, Gate, resolve
from pytest_nlpeval.light_dataclasses import frozen_dataclass, light_dataclass
from pytest_nlpeval.measures import Measure
from pytest_nlpeval.patterns import Pattern
from pytest_nlpeval.problems import Problem, ProblemLog, Rule
from pytest_nlpeval.task import Task
from pytest_nlpeval.tasks import is_named, load_task

if TYPE_CHECKING:  # what is kept needs NumPy, and a configuration does not
    from pytest_nlpeval.config.document_groups import DocumentGroups
    from pytest_nlpeval.evidence import Evidence
    from pytest_nlpeval.explanations import Explanations
    from pytest_nlpeval.metrics.partners import Items


@light_dataclass(frozen=True, slots=True)
class File:
    """A file of a case: where it lies, and what messages call it. Both are text: a suite may have very many files.

    With a `content` nothing is read from the path; what the path ends in may still tell the format. `digest` is that of the bytes which
    another process read there (SHA-256), "" if it could not read them, None if no other process did. `cure` is what messages say of a file
    that does not exist.
    """

    path: str
    label: str
    content: Content | None = None
    digest: str | None = None
    cure: str = ""

    def read(self, log: ProblemLog, where: str = "", root: Path | None = None) -> Source | None:
        """Return the file's bytes, or None with a problem in the log; see `files.read_source` and `files.with_few_parts`."""
        if self.content is None:
            source = read_source(self.path, log, where=where, root=root, cure=self.cure)
        elif self.content.data is None:
            log.add("file.missing", ABSENT, where=where)
            return None
        else:
            source = Source(self.label, self.content.data, format=self.content.format, name=self.path)
        return source and with_few_parts(source, log, where)

    @property
    def size(self) -> int:
        """How many bytes there are, 0 if it cannot be told."""
        return size_of(self.path) if self.content is None else len(self.content.data or b"")

    def located(self, problem: Problem) -> Problem:
        """Return a problem of the file with its place: of content that was made of Python objects, the element of the list, if any."""
        if self.content is None or not self.content.format:
            return problem
        return replace(problem, path=self.spot(problem.line)[0] or self.label, line=None, column=None)

    def spot(self, line: int | None) -> tuple[str, int | None]:
        r"""Return the path and the line that messages name for a line of the file; no path if the line is not known.

        Content that was made of a list has elements instead of lines, that of a mapping has neither.

        >>> File("", "system", Content(b"a\nb\n", "lines")).spot(2), File("", "a.tsv").spot(2)
        (('system[1]', None), ('a.tsv', 2))
        """
        if line is None or self.content is None or not self.content.format:
            return (self.label if line else ""), line
        return (f"{self.label}[{line - 1}]" if self.content.is_list else self.label), None


class Earlier(NamedTuple):
    """The gold side of an old output, where it is not today's: its files by role, and the options that all of then is read with."""

    files: Mapping[str, File]
    options: Any


class Kept(NamedTuple):
    """What a baseline file has of a document whose gold is not today's: its evidence, why units are wrong, and its items as digests."""

    evidence: Evidence
    wrong: Explanations
    items: Items


@light_dataclass(frozen=True, slots=True)
class Case:
    """One document of a suite: its files by role. They need not exist: reading them says so.

    The system's files of an old output may answer another gold than today's, which `earlier` has; or a baseline file has `Kept` what
    became of them, and there are no files of the system's. A `production` makes the system's file before it is read.
    """

    name: str
    files: Mapping[str, File]
    earlier: Earlier | Kept | None = None
    production: Production | None = None

    def with_cure(self, cure: str) -> Case:
        """Return the case with what messages say if the system's file does not exist."""
        return replace(self, files={**self.files, "system": replace(self.files["system"], cure=cure)})


@light_dataclass(frozen=True, slots=True)
class Recipe:
    """What is needed to score a case: task, options, rules, and `root`, the folder that no file may leave (None if any may).

    A recipe crosses to worker processes. A task that can be loaded by its name crosses as its name, so that its functions may be of any
    kind.
    """

    task: Task
    options: Any
    rules: Mapping[str, Rule] = field(default_factory=dict)
    root: Path | None = None

    def __reduce__(self) -> tuple[Callable[..., Recipe], tuple[Any, ...]]:
        """Pickle the name of a task that has one."""
        task = self.task.name if is_named(self.task) else self.task
        return _recipe, (task, self.options, dict(self.rules), self.root)


def _recipe(task: str | Task, options: Any, rules: Mapping[str, Rule], root: Path | None) -> Recipe:
    return Recipe(load_task(task) if isinstance(task, str) else task, options, rules, root)


@light_dataclass(frozen=True, slots=True)
class Baseline:
    """What a suite is compared with. `text` is what a configuration or a user calls it: `git:origin/main`, or a path.

    `source` is the word of the source that gives it (`git`), "" for a `file` of evidence, which may not leave the folder `root`, if any.
    """

    text: str
    source: str = ""
    file: File | None = None
    root: Path | None = None

    @classmethod
    def of(cls, text: str, folder: Path, root: Path) -> Self | None:
        """Return the baseline of this name, a path being relative to `folder`; None for `none`."""
        if text == "none":
            return None
        if source := source_of(text):
            return cls(text, source)
        file = _file(str(folder / text), root)
        return cls(file.label, file=file)

    @property
    def name(self) -> str:
        """What the source calls it: the text after the colon."""
        return self.text.partition(":")[2]


@frozen_dataclass(frozen=True, slots=True)
class Statistics:
    """How chance is judged: the `confidence` of intervals (None for none), the number of `resamples`, the `seed` of their random numbers.

    `resample` says what is drawn: units, whole documents, or `auto`: documents where a suite has at least
    8, else the clusters that an option `cluster` of the task tells, else units.
    """

    confidence: float | None = 0.95
    resamples: int = 10_000
    seed: int = 12_345
    resample: Literal["auto", "units", "documents"] = "auto"

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Self:
        """Return the statistics of these fields of a configuration, where `confidence: off` means none."""
        return cls(**{**fields, **({"confidence": None} if fields.get("confidence") == "off" else {})})


@light_dataclass(frozen=True, slots=True)
class Choices:
    """What a user chooses for a run in place of what the configurations say. None, or nothing in `statistics`, leaves it to them.

    `default_baseline` is for suites whose configuration names none. `outside` are the paths of the configurations whose `allow_outside`
    counts, None for all. With `produce`, commands make the systems' files.
    """

    profile: str | None = None
    informational: bool = False
    baseline: str | None = None
    default_baseline: str | None = None
    statistics: Mapping[str, Any] = field(default_factory=dict)
    outside: Collection[str] | None = None
    produce: Making | None = None

    @property
    def arguments(self) -> tuple[str, ...]:
        """The options of `nlpeval run` by which another run chooses the same; without those that decide what is read or made."""
        statistics = {name: "off" if value is None else str(value) for name, value in self.statistics.items()}
        given = {"profile": self.profile, "baseline": self.baseline, "default-baseline": self.default_baseline, **statistics}
        options = (word for name, value in given.items() if value is not None for word in (f"--{name}", value))
        return (*options, *(["--informational"] if self.informational else []))


@frozen_dataclass(frozen=True, slots=True)
class Suite:
    """A task, its options, files and gates, for one system.

    `name` is the suite's name, with `/<system>` appended where the configuration names several systems; `system` is "" where it
    names none. `config` is the configuration file, `label` what messages call it, `line` the suite's line in it (0 if there is
    no file). `root` is the folder that labels are relative to. `layers` are the gates' entries, the suite's first, then the
    profile's. `given` are the options of the task as they are written, `groups` tells the groups of documents, and `was` is the
    name that the configuration gave the suite before, "" if it had no other. With `by_document`, gold has a file for each
    document. A suite that is `judged_by_test` waits for the output that a test gives. `selection` has the names that the user
    chose it by, "" if all are wanted. `arguments` are the options of `nlpeval run` that choose what the user chose.
    """

    name: str
    system: str
    recipe: Recipe
    cases: tuple[Case, ...]
    root: Path
    config: Path | None = None
    label: str = ""
    line: int = 0
    layers: tuple[tuple[Entry, ...], ...] = ()
    profiles: tuple[str, ...] = ()
    informational: bool = False
    baseline: Baseline | None = None
    statistics: Statistics = Statistics()
    was: str = ""
    given: Mapping[str, Any] = field(default_factory=dict)
    by_document: bool = False
    judged_by_test: bool = False
    groups: DocumentGroups | None = None
    selection: str = ""
    arguments: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names that a baseline may have the suite under, the likeliest first: its own, and those that `was` gives."""
        return (
            self.name,
            *([f"{self.was}/{self.system}", self.was] if self.was and self.system else [self.was] if self.was else []),
        )

    def measures(self, columns: Collection[str] | None) -> tuple[Measure, ...]:
        """Return the measures for evidence with these columns; with None, all that are known before any file is read."""
        return tuple(self.recipe.task.measures(self.recipe.options, columns) or ())

    def measures_of(self, *tables: Evidence) -> tuple[Measure, ...]:
        """Return the measures for tables of evidence together, those of groups last."""
        own = self.measures(tuple(dict.fromkeys(name for table in tables for name in table.columns)))
        names = {measure.name for measure in own}
        of_groups = {measure.name: measure for table in tables for measure in group_measures.of_groups(table, self.measures)}
        return (*own, *(measure for name, measure in of_groups.items() if name not in names))

    def gates(self, measures: Sequence[Measure | str]) -> tuple[tuple[Gate, ...], tuple[Entry, ...]]:
        """Return the gates of these measures, and the entries that set nothing in any of these gates."""
        gates, idle = resolve(self.layers, measures)
        return tuple(replace(gate, informational=True) for gate in gates) if self.informational else gates, idle

    @property
    def is_of_test(self) -> bool:
        """Whether a test gives what the system says, so that no command can evaluate the suite."""
        return self.config is None or any(file.content is not None for case in self.cases[:1] for file in case.files.values())

    @property
    def owner(self) -> str:
        """What a baseline file belongs to: the configuration, or the module of the test that made the suite."""
        return self.label or str(self.config or "")

    @property
    def acceptance(self) -> str:
        """The command that writes the suite's baseline file."""
        return "pytest --nlpeval --nlpeval-update-baseline" if self.is_of_test else "nlpeval baseline update"

    @property
    def base(self) -> str:
        """The name that the configuration gives the suite, without its system's."""
        return base_name(self.name, self.system)

    @property
    def only_validates(self) -> bool:
        """Whether the system's files are checked without gold, against what stands instead of it: nothing can be judged then."""
        given = self.cases[0].files if self.cases else {}
        return "system" in given and self.recipe.task.reference(given) != "gold"

    @property
    def gates_depend_on_files(self) -> bool:
        """Whether only the files tell which gates there are: a pattern, and measures that depend on the gold files."""
        depend = not self.recipe.task.fixed_measures or self.groups or getattr(self.recipe.options, "group", None) is not None
        return bool(depend) and any(entry.is_pattern for layer in self.layers for entry in layer)


@light_dataclass(frozen=True, slots=True)
class Contents:
    """What is given in memory for a role, in place of a pattern: one content, or one for each document by name.

    `path` is that of a file which they stand for, "" if there is none: how its name ends may tell the format.
    """

    role: str
    given: Content | Mapping[str, Content]
    path: str = ""

    @property
    def text(self) -> str:
        """What a case without `{doc}` is called after."""
        return self.role

    @property
    def has_doc(self) -> bool:
        """Whether there is a content for each document."""
        return not isinstance(self.given, Content)

    def documents(self) -> Iterator[str]:
        """Yield the names of the documents."""
        return iter(() if isinstance(self.given, Content) else self.given)

    def file(self, document: str) -> File:
        """Return the content of a document as a file; one without data if nothing is given for it."""
        if isinstance(self.given, Content):
            return File(self.path, self.role, self.given)
        return File(self.path, f'{self.role}["{document}"]', self.given.get(document, Content(None)))


def find_cases(task: Task, patterns: Mapping[str, Pattern | Contents], root: Path) -> tuple[Case, ...]:
    """Return the cases of a suite, sorted by name: one per document that gold (or what stands instead of it) or the system has a file for.

    Without `{doc}` in the gold pattern there is one case, named after the gold file. A document that only one of the two sides has is a
    case all the same: reading it says what is missing. A suite whose system is not known yet has the documents of gold.
    """
    gold, system = patterns[task.reference(patterns)], patterns.get("system")
    names = (
        sorted({*gold.documents(), *(system.documents() if system else ())}) if gold.has_doc else [Path(gold.text).stem or "case"]
    )
    return tuple(Case(name, {role: file_of(pattern, name, root) for role, pattern in patterns.items()}) for name in names)


def file_of(pattern: Pattern | Contents, document: str, root: Path) -> File:
    """Return the file of a document: what a pattern leads to, or what is given in its place."""
    return pattern.file(document) if isinstance(pattern, Contents) else _file(pattern.path(document), root)


def _file(path: str, root: Path) -> File:
    return File(path, label(path, root))
