"""The reports of the field's scorers: jiwer's summary, sacrebleu's lines with their signatures, rouge-score's figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pytest_nlpeval.task import Reported
from pytest_nlpeval.tasks.text.columns import KINDS
from pytest_nlpeval.tasks.text.measures import scorer_signatures
from pytest_nlpeval.tasks.text.options import of_signature


def native(reported: Reported) -> str:
    """Return what the scorers print of the families that are there; a figure without value is `nan`."""
    blocks = (_of_errors, _of_characters, _of_translations, _of_summaries)
    return "\n".join("".join(f"{line}\n" for line in lines) for block in blocks if (lines := list(block(reported))))


def _counts(values: Mapping[str, float | None], family: str) -> str:
    order = (KINDS[1], KINDS[2], KINDS[3], KINDS[0])
    return " ".join(f"{kind}={values[f'{family}.{kind}']:.0f}" for kind in order)


def _percent(value: float | None, digits: int = 2) -> str:
    return "nan" if value is None else f"{100 * value:.{digits}f}"


def _of_errors(reported: Reported) -> Iterator[str]:
    values = reported.values
    if "wer" not in values:
        return
    segments = sum(bar["value"] for bar in reported.graphs["references"]["bars"])
    yield from ("=== SUMMARY ===", f"number of sentences: {segments:.0f}", _counts(values, "wer"), "")
    lost = values["wil"]
    figures = {"mer": values["mer"], "wil": lost, "wip": None if lost is None else 1 - lost, "wer": values["wer"]}
    yield from (f"{name}={_percent(value)}%" for name, value in figures.items())


def _of_characters(reported: Reported) -> Iterator[str]:
    if "cer" in reported.values:
        yield from (_counts(reported.values, "cer"), "", f"cer={_percent(reported.values['cer'])}%")


_NAMES = {"bleu": "BLEU", "chrf": "chrF2", "chrf++": "chrF2++", "ter": "TER"}


def _of_translations(reported: Reported) -> Iterator[str]:
    signatures = scorer_signatures(of_signature(reported.signature), reported.signature["nrefs"])
    for family, name in _NAMES.items():
        if family in reported.values:
            signature = signatures[family]
            line = f"{name}|{signature} = {_percent(reported.values[family], 1)}"
            yield f"{line} {_of_bleu(reported)}" if family == "bleu" else line


def _of_bleu(reported: Reported) -> str:
    precisions = [bar["value"] for bar in reported.graphs["bleu.precisions"]["bars"]]
    h, r = (bar["value"] for bar in reported.graphs["bleu.lengths"]["bars"])
    penalty = reported.values["bleu.bp"] or 0.0
    shown = "/".join(_percent(value, 1) for value in precisions)
    return f"{shown} (BP = {penalty:.3f} ratio = {h / r if r else 0:.3f} hyp_len = {h:.0f} ref_len = {r:.0f})"


def _of_summaries(reported: Reported) -> Iterator[str]:
    for family in ("rouge1", "rouge2", "rougeL", "rougeLsum"):
        if family in reported.values:
            values = (reported.values[f"{family}{end}"] for end in (".precision", ".recall", ""))
            precision, recall, fmeasure = ("nan" if value is None else repr(value) for value in values)
            yield f"{family}: Score(precision={precision}, recall={recall}, fmeasure={fmeasure})"
