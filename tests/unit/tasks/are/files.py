"""Builds input, key and output files of the four subtasks, reads and scores them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.explanations import Explanations
from pytest_nlpeval.files import Source
from pytest_nlpeval.measures import Sample
from pytest_nlpeval.metrics.alignment import Span
from pytest_nlpeval.problems import Problem, ProblemLog, Rule
from pytest_nlpeval.task import Counted
from pytest_nlpeval.tasks.are import PROBLEMS, TASK
from pytest_nlpeval.tasks.are.options import Options

IdChains = Sequence[Sequence[str]]
SpanChains = Sequence[Sequence[Span]]
Rules = Mapping[str, Rule]


def candidates(names: Iterable[str], pronouns: Iterable[str], texts: Mapping[str, str] | None = None) -> str:
    """An input of subtasks 1 and 2 whose entities have their ids as words, unless `texts` says otherwise."""
    entities = "".join(f'<entity id="{name}">{(texts or {}).get(name, name)}</entity>\n' for name in names)
    listed = "".join(f'<pronoun id="{name}"/>\n' for name in pronouns)
    return f"<input>\n<text>\n{entities}</text>\n<anaphoric_pronouns>\n{listed}</anaphoric_pronouns>\n</input>\n"


def words(number: int | Sequence[str]) -> str:
    """An input of subtasks 3 and 4; node i has the id i."""
    texts = [f"w{rank}" for rank in range(number)] if isinstance(number, int) else number
    nodes = "".join(f'<node id="{rank}"/>{text}\n' for rank, text in enumerate(texts))
    return f'<input>\n<text>\n{nodes}<node id="{len(texts)}"/>\n</text>\n</input>\n'


def id_chains(chains: IdChains) -> str:
    """A key or output with one chain per line, from line 2."""
    return _lines(f"<chain>{''.join(f'<node id={name!r}/>' for name in chain)}</chain>" for chain in chains)


def span_chains(chains: SpanChains, pronouns: Iterable[Span] = ()) -> str:
    marked = set(pronouns)
    return _lines(
        "<chain>" + "".join(f"<node {_at(span)}{_MARK if span in marked else ''}/>" for span in chain) + "</chain>"
        for chain in chains
    )


_MARK = ' pronoun="true"'


def id_pairs(answers: Mapping[str, str]) -> str:
    return _lines(f"<pair><pronoun id={one!r}/><antecedent id={other!r}/></pair>" for one, other in answers.items())


def span_pairs(answers: Mapping[Span, Span]) -> str:
    return _lines(f"<pair><pronoun {_at(one)}/><antecedent {_at(other)}/></pair>" for one, other in answers.items())


def _at(span: Span) -> str:
    return f'start="{span[0]}" end="{span[1]}"'


def _lines(elements: Iterable[str]) -> str:
    return "<r>\n" + "".join(f"{element}\n" for element in elements) + "</r>\n"


def read(
    role: str, text: str, options: Options, documents: Mapping[str, Any] | None = None, rules: Rules | None = None
) -> tuple[Any, tuple[Problem, ...]]:
    log = ProblemLog(f"{role}.xml", PROBLEMS, rules)
    return TASK.role(role).read(Source(f"{role}.xml", text.encode()), documents or {}, options, log), log.problems()


def codes(problems: Iterable[Problem]) -> list[tuple[str, int | None]]:
    return [(problem.code, problem.line) for problem in problems]


def counted(subtask: int, gold: str, system: str, source: str | None = None, pronouns: Sequence[str] = ()) -> Counted:
    """What counting gives for files without errors."""
    options, documents = Options(subtask, pronouns), dict[str, Any]()
    for role, text in (("input", source), ("gold", gold), ("system", system)):
        if text is not None:
            found, problems = read(role, text, options, documents)
            assert found is not None, problems
            documents[role] = found
    return TASK.count(documents, options, ProblemLog("system.xml", PROBLEMS))


def explanations(*files: Any, **more: Any) -> Explanations:
    return Explanations.of(counted(*files, **more).explanations)


def row(evidence: Evidence) -> dict[str, float]:
    """The only row, by column."""
    assert len(evidence.units) == 1
    return {name: evidence.column(name).tolist()[0] for name in evidence.columns}


def values(subtask: int, evidence: Evidence) -> dict[str, float | None]:
    sample = Sample(evidence)
    return {measure.name: measure.score(sample).value for measure in TASK.measures(Options(subtask), None) or ()}


MENTIONS = tuple("abcdefgh")


@st.composite
def disjoint_ids(draw: st.DrawFn) -> list[list[str]]:
    """Chains over some of the mentions, in any order."""
    owners = draw(st.lists(st.integers(-1, 2), min_size=len(MENTIONS), max_size=len(MENTIONS)))
    chains: dict[int, list[str]] = {}
    for rank in draw(st.permutations(range(len(MENTIONS)))):
        if owners[rank] >= 0:
            chains.setdefault(owners[rank], []).append(MENTIONS[rank])
    return list(chains.values())


PLACES = 10


@st.composite
def disjoint_spans(draw: st.DrawFn) -> list[list[Span]]:
    """Chains of different spans of a text of `PLACES` words."""
    span = st.tuples(st.integers(0, PLACES - 1), st.integers(1, 4)).map(lambda found: (found[0], min(sum(found), PLACES)))
    chains: dict[int, list[Span]] = {}
    for mention in draw(st.lists(span, max_size=9, unique=True)):
        chains.setdefault(draw(st.integers(0, 2)), []).append(mention)
    return list(chains.values())
