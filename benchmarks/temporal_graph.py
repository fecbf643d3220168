"""Temporal graphs: how long the reductions and the mutual entailment of two lists of relations take, by shape.

    python benchmarks/temporal_graph.py [SHAPE…]

For each shape, makes a gold and a system list (of 5,000 relations, of 2,000 where they contradict each other) and prints, as medians
of three runs: the seconds for temporal awareness as the profile `standard` computes it (both graphs, canonical reductions, verdicts of
each graph on the other's reduction), for both lists in file order as the profile `nwr2014` reads them (the searches of the incremental
graph), and for 300 explanations; last, the peak memory in MiB so far.
"""

from __future__ import annotations

import random
import resource
import sys
from collections.abc import Callable
from functools import partial

from timing import median_seconds

from pytest_nlpeval.metrics.temporal import CONSTRAINTS, TemporalGraph, TemporalLink
from pytest_nlpeval.tasks.cat.nwr2014.tempeval import FileGraph, IntervalLink

Links = list[TemporalLink]
TYPES = sorted(CONSTRAINTS)


def chain(number: int, type_: str = "BEFORE") -> Links:
    """Return relations of neighbours."""
    return [TemporalLink(f"e{rank}", f"e{rank + 1}", type_) for rank in range(number)]


def star(number: int, type_: str) -> Links:
    """Return relations of one interval to many."""
    return [TemporalLink("e", f"e{rank}", type_) for rank in range(number)]


def true_type(x: tuple[int, int], y: tuple[int, int], chance: random.Random) -> str | None:
    """Return a type that holds between two intervals; None if they overlap."""
    holds = {
        "BEFORE": x[1] < y[0],
        "AFTER": y[1] < x[0],
        "IBEFORE": x[1] == y[0],
        "IAFTER": y[1] == x[0],
        "BEGINS": x[0] == y[0] and x[1] < y[1],
        "BEGUN_BY": x[0] == y[0] and y[1] < x[1],
        "ENDS": x[1] == y[1] and y[0] < x[0],
        "ENDED_BY": x[1] == y[1] and x[0] < y[0],
        "INCLUDES": x[0] < y[0] and y[1] < x[1],
        "IS_INCLUDED": y[0] < x[0] and x[1] < y[1],
        "SIMULTANEOUS": x == y,
        "DURING": x == y,
    }
    found = [name for name, is_so in holds.items() if is_so]
    return chance.choice(found) if found else None


def timeline(seed: int, number: int, intervals: int, instants: int, longest: int) -> Links:
    """Return relations of random pairs of intervals on a hidden timeline, the same for all seeds."""
    hidden, chance = random.Random(intervals), random.Random(seed)
    starts = [hidden.randrange(instants) for _ in range(intervals)]
    spans = [(start, start + 1 + hidden.randrange(longest)) for start in starts]
    links: Links = []
    while len(links) < number:
        x, y = chance.randrange(intervals), chance.randrange(intervals)
        if x != y and (name := true_type(spans[x], spans[y], chance)):
            links.append(TemporalLink(f"e{x}", f"e{y}", name))
    return links


def near(seed: int, number: int, intervals: int, reach: int) -> Links:
    """Return BEFORE of intervals of a chain to one of the next few, as annotators write them."""
    chance = random.Random(seed)
    firsts = [chance.randrange(intervals) for _ in range(number)]
    return [TemporalLink(f"e{first}", f"e{first + 1 + chance.randrange(reach)}", "BEFORE") for first in firsts]


def braid(seed: int, number: int, strands: int) -> Links:
    """Return parallel chains, then relations across them in agreement with the ranks."""
    chance, length = random.Random(seed), number // 2 // strands
    links = [TemporalLink((strand, rank), (strand, rank + 1), "BEFORE") for strand in range(strands) for rank in range(length)]
    while len(links) < number:
        first, second = sorted(chance.sample(range(length), 2))
        links.append(TemporalLink((chance.randrange(strands), first), (chance.randrange(strands), second), "BEFORE"))
    return links


def noise(seed: int, number: int, intervals: int) -> Links:
    """Return relations of any type between random intervals."""
    chance = random.Random(seed)
    pairs = [chance.sample(range(intervals), 2) for _ in range(number)]
    return [TemporalLink(f"e{x}", f"e{y}", chance.choice(TYPES)) for x, y in pairs]


def spoiled(seed: int, links: Links, share: float) -> Links:
    """Return the relations with a share of random types."""
    chance = random.Random(seed)
    return [link._replace(type=chance.choice(TYPES)) if chance.random() < share else link for link in links]


def mixed(seed: int, links: Links) -> Links:
    """Return the relations in random order."""
    return random.Random(seed).sample(links, len(links))


def all_pairs(seed: int, intervals: int) -> Links:
    """Return BEFORE of all pairs of a chain, in random order."""
    return mixed(seed, [TemporalLink(x, y, "BEFORE") for x in range(intervals) for y in range(x + 1, intervals)])


SHAPES: dict[str, Callable[[int], Links]] = {
    "chain": lambda _: chain(5000),
    "chain reversed": lambda _: chain(5000)[::-1],
    "chain shuffled": lambda seed: mixed(seed, chain(5000)),
    "chain AFTER": lambda _: chain(5000, "AFTER"),
    "chain IBEFORE shuffled": lambda seed: mixed(seed, chain(5000, "IBEFORE")),
    "SIMULTANEOUS star": lambda seed: mixed(seed, star(5000, "SIMULTANEOUS")),
    "SIMULTANEOUS chain": lambda seed: mixed(seed, chain(5000, "SIMULTANEOUS")),
    "BEFORE star": lambda seed: mixed(seed, star(5000, "BEFORE")),
    "BEGINS star": lambda seed: mixed(seed, star(5000, "BEGINS")),
    "INCLUDES nesting": lambda _: chain(5000, "INCLUDES"),
    "INCLUDES nesting shuffled": lambda seed: mixed(seed, chain(5000, "INCLUDES")),
    "bipartite": lambda seed: mixed(seed, [TemporalLink(x, -y, "BEFORE") for x in range(70) for y in range(1, 72)]),
    "bipartite through one": lambda _: chain(2500) + [TemporalLink(f"e{x}", f"e{x + 2500}", "BEFORE") for x in range(2500)],
    "all pairs of 100": lambda seed: all_pairs(seed, 101),
    "timeline of 64": lambda seed: timeline(seed, 5000, 64, 100, 10),
    "timeline of 500": lambda seed: timeline(seed, 5000, 500, 800, 100),
    "timeline of 2,000": lambda seed: timeline(seed, 5000, 2000, 3000, 30),
    "timeline of 5,000": lambda seed: timeline(seed, 5000, 5000, 5000, 300),
    "timeline of 10,000": lambda seed: timeline(seed, 5000, 10000, 30000, 100),
    "timeline of 2,000, coarse": lambda seed: timeline(seed, 5000, 2000, 40, 5),
    "near neighbours of 5,000": lambda seed: near(seed, 5000, 5000, 10),
    "near neighbours of 1,000": lambda seed: near(seed, 5000, 1000, 50),
    "braid of 2": lambda seed: braid(seed, 5000, 2),
    "braid of 10": lambda seed: braid(seed, 5000, 10),
    "braid of 50": lambda seed: braid(seed, 5000, 50),
    "braid of 2 shuffled": lambda seed: mixed(seed, braid(seed, 5000, 2)),
    "noise over 64": lambda seed: noise(seed, 2000, 64),
    "noise over 200": lambda seed: noise(seed, 2000, 200),
    "noise over 1,000": lambda seed: noise(seed, 2000, 1000),
    "noise over 2,000, 5,000 links": lambda seed: noise(seed, 5000, 2000),
    "timeline of 64, spoiled": lambda seed: spoiled(seed, timeline(seed, 2000, 64, 100, 10), 0.1),
    "timeline of 2,000, spoiled, 5,000 links": lambda seed: spoiled(seed, timeline(seed, 5000, 2000, 3000, 30), 0.01),
    "timeline of 5,000, spoiled, 5,000 links": lambda seed: spoiled(seed, timeline(seed, 5000, 5000, 5000, 300), 0.01),
    "near neighbours of 1,000, spoiled, 5,000 links": lambda seed: spoiled(seed, near(seed, 5000, 1000, 50), 0.01),
    "INCLUDES nesting, spoiled, 5,000 links": lambda _: [*chain(4999, "INCLUDES"), TemporalLink("e9", "e3", "INCLUDES")],
    "chain reversed, spoiled, 5,000 links": lambda _: [*chain(4999)[::-1], TemporalLink("e9", "e3", "BEFORE")],
    "braid of 2, spoiled, 5,000 links": lambda seed: spoiled(seed, braid(seed, 5000, 2), 0.01),
}


def compare(gold: Links, system: Links) -> None:
    """Reduce both lists, and ask each graph for the other's relations, as the profile `standard` does."""
    ours, theirs = TemporalGraph(gold), TemporalGraph(system)
    for one, other in ((ours, theirs), (theirs, ours)):
        for link in one.canonical:
            other.verdict(link)


def read(gold: Links, system: Links) -> None:
    """Read both lists in file order, and ask the system's graph for gold's relations, as the profile `nwr2014` does."""
    ours, theirs = (
        FileGraph([IntervalLink(str(link.source), str(link.target), link.type) for link in side]) for side in (gold, system)
    )
    for link in ours.reduced:
        theirs.entails(link)


def explain(graph: TemporalGraph, queries: Links) -> None:
    """Explain every query."""
    for link in queries:
        graph.explain(link)


def main() -> None:
    """Run the benchmark."""
    print(f"{'':48} standard   nwr2014  300 explained")
    for name in sys.argv[1:] or SHAPES:
        gold, system = SHAPES[name](1), SHAPES[name](2)
        standard = median_seconds(partial(compare, gold, system))
        nwr2014 = median_seconds(partial(read, gold, system))
        graph = TemporalGraph(gold)
        queries = [link for link in [*system, *gold] if graph.entails(link)][-300:]
        explained = median_seconds(partial(explain, graph, queries))
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{name:48}{standard:9.3f} {nwr2014:9.3f} {explained:9.3f} {memory:9.0f} MiB", flush=True)


if __name__ == "__main__":
    main()
