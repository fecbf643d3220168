"""The kinds of problems of evidence files, for modules that read none."""

from __future__ import annotations

from pytest_nlpeval.problems import Kind

SHARD_KINDS = {
    "shard.changed": Kind("error", "documents, files or options are not what a shard has counted", fixed=True),
    "shard.foreign": Kind(
        "error", "evidence of another run: another commit, version or configuration, or other arguments", fixed=True
    ),
    "shard.invalid": Kind("error", "the file is no evidence of a shard, or not all of it", fixed=True),
    "shard.missing": Kind("error", "shards of the run are not among the files", fixed=True),
    "shard.twice": Kind("error", "two files are of one shard", fixed=True),
}
