"""The fixed lists of Universal Dependencies 2: parts of speech, relations and the features that the shared tasks compare."""

from __future__ import annotations

# fmt: off
UPOS = frozenset((
    "ADJ", "ADP", "ADV", "AUX", "CCONJ", "DET", "INTJ", "NOUN", "NUM", "PART", "PRON", "PROPN", "PUNCT", "SCONJ",
    "SYM", "VERB", "X",
))
"""The 17 universal parts of speech."""

FUNCTIONAL = frozenset(("aux", "case", "cc", "clf", "cop", "det", "mark"))
"""Relations of function words."""

CONTENT = frozenset((
    "acl", "advcl", "advmod", "amod", "appos", "ccomp", "compound", "conj", "csubj", "dep", "discourse", "dislocated",
    "expl", "fixed", "flat", "goeswith", "iobj", "list", "nmod", "nsubj", "nummod", "obj", "obl", "orphan",
    "parataxis", "reparandum", "root", "vocative", "xcomp",
))
"""Relations of content words."""

FEATURES = frozenset((
    "Abbr", "Animacy", "Aspect", "Case", "Definite", "Degree", "Evident", "Foreign", "Gender", "Mood", "NumType",
    "Number", "Person", "Polarity", "Polite", "Poss", "PronType", "Reflex", "Tense", "VerbForm", "Voice",
))
"""The 21 universal features that the CoNLL 2018 shared task compares."""
# fmt: on

RELATIONS = FUNCTIONAL | CONTENT | {"punct"}
"""The 37 universal relations."""
