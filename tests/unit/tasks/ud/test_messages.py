"""What problems of one code say, where there are several things that may be wrong, and at which column."""

from __future__ import annotations

import pytest

from pytest_nlpeval.files import Source
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.tasks.ud import TASK
from pytest_nlpeval.tasks.ud.options import Options
from tests.unit.tasks.ud.files import conllu, document
from tests.unit.tasks.ud.test_table_of_problems import DUNNO, GO, RAIN, deps, node, word


def told(text: str) -> list[tuple[int | None, str]]:
    """Return the column and the message of each problem of a file."""
    log = ProblemLog("", TASK.problems)
    TASK.role("gold").read(Source("", text.encode()), {}, Options(), log)
    return [(problem.column, problem.message) for problem in log.problems()]


NO_TREES = "; write `_` in every HEAD if there are no trees"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        (conllu(GO).replace("\t_\n", "\n"), None, "9 fields; expected ten, separated by single tabs"),
        (
            "1 Go go VERB _ _ 0 root _ _\n\n",
            None,
            "1 field; expected ten, separated by single tabs; there are blanks where tabs should be",
        ),
        (conllu(("2-1 dunno", *DUNNO[1:])), 1, "the range ends before it begins; expected 1-2 or so"),
        (conllu((DUNNO[0], "1-2 dunno", *DUNNO[1:])), 1, "the range overlaps the one before, which ends at 2"),
        (conllu(("2-3 dunno", *DUNNO[1:])), 1, "the range does not stand right before word 2; the next word is 1"),
        (conllu(("1-4 dunno", *DUNNO[1:])), 1, "the range ends at 4, the sentence at word 3"),
        (word("HEAD", "_"), 22, "the word has no head, and others have one; expected 0 or a word of the sentence, 1 to 2"),
        (word("HEAD", "3"), 22, '"3" is no head; expected 0 or a word of the sentence, 1 to 2'),
        (node("1.3 x _ _ _ _ _ _ 1:dep"), 1, "the empty node 1.3 is out of order; expected 1.1 here"),
        (deps("0:root", "1:dep|1"), 19, '"1" is no edge; expected head:label, or `_` for no edges'),
        (deps("0:root", "1:conj>"), 19, '"1:conj>" has an empty label; expected one in each place'),
        (deps("0:root", "3:dep"), 19, '"3:dep" has a head that is not in the sentence, which has words 1 to 2'),
        (deps("0:root", "2:foo|2:dep"), 19, 'an edge of "2:foo|2:dep" comes from the row itself; expected another head'),
        (
            deps("0:root", "1:dep|1:dep"),
            19,
            '"1:dep|1:dep" is out of order, or has an edge twice; expected edges by head, then label, each once',
        ),
        (word("FEATS", "Case"), 20, '"Case" is no feature; expected Name=Value, or Name=Value,Value'),
        (word("FEATS", "Case=Nom|Case=Gen"), 20, "the feature Case is repeated; expected each once"),
        (
            word("FEATS", "Case=Nom,Acc"),
            20,
            "the values of Case are repeated or unsorted; expected the order of letters, whatever their case, each once",
        ),
        (conllu(("1 Go go VERB _ _ 0 dep",)), 20, 'HEAD is 0 and the relation "dep"; expected root'),
        (word("DEPREL", "root"), 24, '"root" has another head than 0; expected root for HEAD 0 alone'),
        (
            "# text = Rain x\n" + conllu(RAIN),
            None,
            '`# text` has "x" where the tokens go on with "fell"; expected the tokens\' forms',
        ),
        ("# text = Rain fell x\n" + conllu(RAIN), None, '`# text` goes on behind the last token: "x"'),
        (
            "# sent_id = a\n# sent_id = b\n" + conllu(GO),
            None,
            "`# sent_id` stands twice in the sentence; the first one is on line 1",
        ),
        (
            conllu(("1 a a X _ _ 0 root", "2 b b X _ _ 3 dep", "3 c c X _ _ 2 dep")),
            None,
            "words do not reach HEAD 0, but go round in a circle: 2, 3",
        ),
        (conllu(("1 a a X _ _ 0 root", "2 b b X _ _ 0 root")), None, f"2 words have HEAD 0: 1, 2; expected one{NO_TREES}"),
        (
            conllu(("1 a a X _ _ 0 root", "2 b b X _ _ 0 root", "3 c c X _ _ 1 dep")),
            None,
            "2 words have HEAD 0: 1, 2; expected one",
        ),
    ],
)
def test_the_first_problem_says_what_is_wrong(text: str, column: int | None, message: str) -> None:
    assert told(text)[0] == (column, message)


@pytest.mark.parametrize(
    ("system", "message"),
    [
        ("a·b c", ""),
        ("a", '1: the characters end here, and on line 2 of gold "bc" follows'),
        ("a b c d", '4: the characters go on with "d", and those of gold end on line 3'),
        ("a x c", '2: the characters are "xc" and on line 2 of gold "bc"'),
    ],
)
def test_the_first_character_that_differs(system: str, message: str) -> None:
    def file(forms: str) -> str:
        return conllu([f"{rank} {form} {form} X" for rank, form in enumerate(forms.split(), 1)])

    log = ProblemLog("", TASK.problems, {"ud.unparsed": "off"})
    TASK.role("system").read(Source("", file(system).encode()), {"gold": document(file("a b c"))}, Options(), log)
    expected = [f"{message}; expected the same but for white space"] if message else []
    assert [f"{problem.line}: {problem.message}" for problem in log.problems()] == expected
