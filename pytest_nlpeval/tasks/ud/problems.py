"""The kinds of problems of CoNLL-U files: what the shared tasks' scorer or levels 1 and 2 of the UD validator find."""

from __future__ import annotations

from pytest_nlpeval.formats.text import text_kinds
from pytest_nlpeval.problems import Kind

PROBLEMS = {
    **text_kinds("warning"),
    "text.blank-end": Kind("off", "the file ends in blank lines; a good file ends in one, and `ud.blank-line` tells of more"),
    "ud.columns": Kind("error", "a line that is no comment and not blank has not ten fields between single tabs", fixed=True),
    "ud.id": Kind("error", "an ID is none of a word, a range or an empty node", fixed=True),
    "ud.id-order": Kind("error", "a word's ID is not the next number", fixed=True),
    "ud.range": Kind(
        "error", "a range is reversed, not before its first word, overlaps one, or ends beyond the sentence", fixed=True
    ),
    "ud.form": Kind("error", "the FORM of a token is empty or only of spaces", fixed=True),
    "ud.head": Kind(
        "error", "HEAD is no numeral or of no word of the sentence, or there is none while others have one", fixed=True
    ),
    "ud.no-sentence": Kind("error", "the file has no sentence, or none with a word", fixed=True),
    "ud.paths": Kind("error", "a word has more than 1,000 enhanced edges, paths through empty nodes counted", fixed=True),
    "ud.text": Kind("error", "the system's characters differ from gold's", fixed=True),
    "ud.roots": Kind("error", "more than one word of a sentence has HEAD 0; if tolerated, all are roots"),
    "ud.cycle": Kind("error", "words do not reach HEAD 0; if tolerated, heads count as they stand"),
    "ud.deps": Kind(
        "error", "DEPS cannot be read, or has an empty label or a head that does not exist; if tolerated, read as `_`"
    ),
    "ud.empty-node": Kind(
        "error",
        "an empty node is out of order, or between a range and its first word; if tolerated, it is read, of two the later",
    ),
    "ud.empty-field": Kind("error", "a field other than ID, HEAD and a token's FORM is empty; if tolerated, read as `_`"),
    "ud.white-space": Kind("error", "white space where a field must have none; if tolerated, it is kept"),
    "ud.comment": Kind("error", "a comment stands between the rows of a sentence; if tolerated, it is ignored"),
    "ud.blank-line": Kind("error", "a blank line ends no sentence, or is of white space; if tolerated, it ends rows, if any"),
    "ud.end": Kind("error", "no blank line stands after the last sentence; if tolerated, the file's end ends it"),
    "ud.unparsed": Kind("warning", "every HEAD is `_`: measures of trees have no value"),
    "ud.upos": Kind("warning", "UPOS is none of the 17"),
    "ud.feats": Kind("warning", "an item of FEATS is malformed, out of order or repeated"),
    "ud.deprel": Kind("warning", "DEPREL is malformed, or its first part none of the 37"),
    "ud.root-label": Kind("warning", "HEAD 0 without the relation root, or the other way round; the same in DEPS"),
    "ud.deps-form": Kind("warning", "edges in DEPS are out of order or repeated, from the word itself, or of no known relation"),
    "ud.deps-missing": Kind("warning", "some sentences have DEPS or empty nodes, others none"),
    "ud.deps-graph": Kind("warning", "a sentence with DEPS has words or empty nodes that no path from 0 reaches"),
    "ud.fields": Kind("warning", "a range has more than FORM and MISC, or an empty node has HEAD or DEPREL; they are ignored"),
    "ud.space-after": Kind("warning", "SpaceAfter is not No, or on an empty node or a word in a range; ignored"),
    "ud.text-comment": Kind("warning", "`# text` stands twice, or is not the tokens' FORMs; ignored"),
    "ud.sent-id": Kind("warning", "`# sent_id` stands twice, or has white space; units get numbers"),
    "ud.nfc": Kind("warning", "a line is not in Unicode normal form C; it counts as it stands"),
    "ud.end-comment": Kind("warning", "comments stand between the last sentence and the end of the file; ignored"),
    "ud.no-sent-id": Kind("off", "a sentence has no `# sent_id`"),
    "ud.no-text": Kind("off", "a sentence has no `# text`"),
}
