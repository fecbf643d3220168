from __future__ import annotations

from pytest_nlpeval.explanations import Explanations
from tests.unit.tasks.are.files import candidates, explanations, id_chains, id_pairs, span_chains, span_pairs, words

TEXTS = {"a": "Ada", "b": "she", "c": "her", "d": "Olaf", "e": "hers"}
SOURCE = candidates(TEXTS, "bce", TEXTS)
GOLD = id_chains([["a", "b", "c"]])


def ways(answers: dict[str, str], gold: str = GOLD) -> dict[str, tuple[str, str]]:
    """Reason and message by unit."""
    found = explanations(1, gold, id_pairs(answers), SOURCE)
    return {entry.unit: (entry.reason, entry.message) for entry in found.first}


def test_the_way_the_chain_and_the_credit() -> None:
    found = ways({"b": "c", "c": "a"})
    chain = 'gold chain: a "Ada", b "she", c "her"'
    assert found['b "she"'] == ("resolved", f'b "she" → c "her" → a "Ada"; {chain}; credit 1')
    assert found['c "her"'] == ("resolved", f'c "her" → a "Ada"; {chain}; credit 1')
    assert found['e "hers"'] == ("unanswered", 'e "hers" → no answer; in no gold chain; credit 0')


def test_the_ends_of_half_ways() -> None:
    assert ways({"b": "c"})['b "she"'][1].startswith('b "she" → c "her" → no answer; ')
    assert ways({"b": "c", "c": "d"})['b "she"'][1].startswith('b "she" → c "her" → d "Olaf", which is not in the chain; ')
    found = ways({"b": "c", "c": "b"})['b "she"']
    assert found[0] == "half-cycle"
    assert found[1].startswith('b "she" → c "her" → b "she" again; ')
    assert found[1].endswith("credit 0.5")


def test_what_scores_nothing() -> None:
    assert ways({"b": "d"})['b "she"'][1].startswith('b "she" → d "Olaf", which is not in the chain; gold chain')
    assert ways({"e": "d"})['e "hers"'] == ("no-chain", 'e "hers" → d "Olaf": the pronoun is in no gold chain; credit 0')


def test_what_scores_least_comes_first_and_lines_are_the_systems() -> None:
    found = explanations(1, GOLD, id_pairs({"b": "c", "e": "a"}), SOURCE)
    assert [(entry.reason, entry.line) for entry in found.first] == [
        ("unanswered", None),
        ("no-chain", 3),
        ("half-unanswered", 2),
    ]


def test_spans_that_stand_for_others() -> None:
    gold = span_chains([[(0, 3), (4, 5), (6, 7)]], [(4, 5), (6, 7)])
    found = explanations(3, gold, span_pairs({(4, 5): (0, 2), (6, 7): (4, 6), (8, 9): (0, 1)}), words(9))
    chain = 'gold chain: 0-3 "w0 w1 w2", 4-5 "w4", 6-7 "w6"'
    part = '0-2 "w0 w1" (stands for 0-3 "w0 w1 w2")'
    assert [entry[1:] for entry in found.first] == [
        ("not-a-pronoun", '8-9 "w8" → 0-1 "w0": no pronoun to be resolved in gold; credit 0', 4),
        ("inexact", f'6-7 "w6" → 4-6 "w4 w5" (stands for 4-5 "w4") → {part}; {chain}; credit 1 · 0.5', 3),
        ("inexact", f'4-5 "w4" → {part}; {chain}; credit 1 · 0.6667', 2),
    ]


def test_long_ways_and_chains_are_cut_short() -> None:
    names = [f"n{rank:02}" for rank in range(30)]
    answers = dict(zip(names[1:], names, strict=False))
    found = explanations(1, id_chains([names]), id_pairs(answers), candidates(names, names[1:]))
    message = next(entry.message for entry in found.first if entry.unit == 'n29 "n29"')
    assert message.count("→") == 9
    assert "→ …; gold chain: " in message
    assert ", … (30 in all); credit 1" in message


def test_missing_and_wrong_links() -> None:
    found = explanations(2, id_chains(["abc", "de"]), id_chains(["ab", "cde"]), None)
    assert found.first == (
        ("gold chain 1", "missing-links", "1 of 2 links are missing, between the parts a, b | c", None),
        ("system chain 2", "wrong-links", "1 of 2 links are wrong, between the parts c | d, e", 3),
    )


def test_mentions_that_merely_overlap() -> None:
    found = explanations(4, span_chains([[(0, 4), (5, 6)]]), span_chains([[(0, 2), (5, 6)]]), words(6))
    (entry,) = found.first
    assert (entry.unit, entry.reason, entry.line) == ("gold chain 1", "inexact-mentions", None)
    assert entry.message == (
        'all links are there, but mentions differ: 0-4 "w0 w1 w2 w3" (0-2 "w0 w1" there, overlap 0.5), 5-6 "w5"'
    )


def test_many_parts_are_cut_short() -> None:
    names = [f"n{rank:02}" for rank in range(30)]
    (entry,) = explanations(2, id_chains([names]), "<r/>", None).first
    assert entry.message.startswith("29 of 29 links are missing, between the parts n00 | n01 | ")
    assert entry.message.endswith(" | … (30 in all)")


def test_all_are_counted_and_the_first_are_kept() -> None:
    names = [f"n{rank}" for rank in range(2 * Explanations.SHOWN)]
    found = explanations(1, id_chains([names]), "<r/>", candidates(names, names))
    assert found.counts == {"unanswered": len(names)}
    assert len(found.first) == Explanations.SHOWN
