"""The report of the field's scorers: jiwer's summary, sacrebleu's lines, rouge-score's figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pytest_nlpeval import score
from pytest_nlpeval.reports import render
from pytest_nlpeval.reports.run.document import report_of
from tests.support import write

FILES = {"g.txt": "the cat sat on the mat\n", "s.txt": "the cat sat on a mat\n"}


def native(folder: Path, **options: Any) -> str:
    write(folder, FILES)
    return render("native", report_of([score("text", options=options, gold=folder / "g.txt", system=folder / "s.txt")]))


def test_transcripts_have_jiwers_summary(tmp_path: Path) -> None:
    assert native(tmp_path) == (
        "=== SUMMARY ===\nnumber of sentences: 1\nsubstitutions=1 deletions=0 insertions=0 hits=5\n\n"
        "mer=16.67%\nwil=30.56%\nwip=69.44%\nwer=16.67%\n\n"
        "substitutions=1 deletions=2 insertions=0 hits=19\n\ncer=13.64%\n"
    )


def test_translations_have_sacrebleus_lines(tmp_path: Path) -> None:
    *_, bleu, chrf, ter = native(tmp_path, measures=["bleu", "chrf", "ter"]).splitlines()
    assert bleu == (
        "BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp = 53.7 83.3/60.0/50.0/33.3 "
        "(BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)"
    )
    assert chrf == "chrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no = 66.0"
    assert ter == "TER|nrefs:1|case:lc|tok:tercom|norm:no|punct:yes|asian:no = 16.7"


def test_summaries_have_their_figures(tmp_path: Path) -> None:
    assert native(tmp_path, measures="rouge2") == "rouge2: Score(precision=0.6, recall=0.6, fmeasure=0.6)\n"
