"""Evidence of a document, by either profile, and its explanations."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from pytest_nlpeval.evidence import Evidence
from pytest_nlpeval.problems import ProblemLog
from pytest_nlpeval.task import Counted, Documents
from pytest_nlpeval.tasks.cat.config_file import configuration_of
from pytest_nlpeval.tasks.cat.configuration import Configuration
from pytest_nlpeval.tasks.cat.nwr2014.matching import MOST_ADDED, match_nwr2014
from pytest_nlpeval.tasks.cat.nwr2014.nwr2014_errors import explain_nwr2014
from pytest_nlpeval.tasks.cat.options import Options
from pytest_nlpeval.tasks.cat.rows import config_column, rows_of
from pytest_nlpeval.tasks.cat.standard.matching import count_standard
from pytest_nlpeval.tasks.cat.standard.standard_errors import explain_standard


def count(documents: Documents, options: Options, log: ProblemLog) -> Counted:
    """Return one row for the document: the columns of every row of the evaluation (see `rows.Counts`), zero or not.

    A further column is named after the configuration's digest and always 0. By its name the signature of a score tells configurations
    apart.
    """
    configuration = configuration_of(documents, options)
    if configuration is None:
        raise ValueError("counting needs a document `config` or the option `annotations`")
    gold, system = documents["gold"], documents["system"]
    if options.profile == "nwr2014":
        matching = match_nwr2014(gold.document, system.document, configuration, options.limit)
        if matching.excess:
            message = (
                f"equal empty markables add {matching.excess:,} relations to the TLINKs here; expected {MOST_ADDED:,} at most"
            )
            log.add("cat.excess", f"{message}: drop the repeated ones, or use the profile `standard`")
        counts, explanations = matching.counts, explain_nwr2014(matching, configuration, gold.document, system.document)
    else:
        standard = count_standard(gold, system, configuration)
        counts, explanations = standard.counts, explain_standard(standard, configuration)
    names, its_own = _columns(configuration, options)
    columns = {column: np.array([counts[name]], np.int64) for column, name in names.items()}
    return Counted(Evidence.of([""], columns | {its_own: np.zeros(1, np.int8)}), explanations)


@lru_cache(maxsize=8)
def _columns(configuration: Configuration, options: Options) -> tuple[Mapping[str, str], str]:
    """Return the columns of the rows, each with its name among the counts, and the configuration's column: the same of all documents."""
    names = {column: name for row in rows_of(configuration, options) for column, name in row.columns()}
    return names, config_column(configuration)
