"""The table of arguments: their order, their help, and what each option of measures may be.

Docstrings and signatures have the order and the help. Calls, names of measures and conventions are
checked by the kinds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import inf
from typing import Any

from .kinds import (
    DIVISOR_WORDS,
    RANK_RULES,
    TIES,
    UNSET,
    Discount,
    Empty,
    Flag,
    Gain,
    Kind,
    Number,
    Seed,
    Value,
    Word,
)

TEXT = """\
y_true : array of shape (documents,) or (lists, documents), lists of different lengths,
    scipy.sparse CSR, or Truth
    Labels; any finite numbers, if the measure does not say otherwise.
y_score : array of the same shape, optional
    Scores, larger is better; without scores, documents are ranked in input order.
relevant : scipy.sparse CSR of shape (users, items), or a sequence of arrays of item ids
    What is relevant to each user. Stored values are labels; a stored 0 is not relevant.
measures : str, Measure, or a sequence of them
    Names in any known spelling, such as ["nDCG@10", "AP", "RR@10"]; cutoffs stand in them.
k : int, None, or a sequence of them
    Cutoff; later ranks do not count. None is the whole list. A sequence adds a last axis to
    the result.
gain : "linear", "exp2", "binary", mapping, array or callable
    The gain of a label: the label, 2**label - 1, or 1 for labels >= `rel`; or a mapping
    label -> gain, an array indexed by label, a callable on a float64 array of labels.
discount : "log2", "log", "reciprocal", array or callable
    The weight of rank i: 1 / log2(i + 1); log(b) / log(i + 1) with log_base b; 1 / i; or a
    non-increasing array of weights, a callable on a float64 array of ranks from 1.
log_base : float above 1
    Base of discount="log".
ties : "average", "stable", "reverse", "worst", "best", "random", "id", "id_descending"
    Order of documents with equal scores. "average" is the exact expectation over all orders;
    "stable" is input order and "reverse" its reverse; "best" and "worst" order by gain;
    "random" draws from `seed`, the list's index and the position; "id" needs ids.
seed : int from 0 to 2**64 - 1
    Used only with ties="random".
ids : array of str or int, shaped as the documents, optional
    Used only with ties="id" and "id_descending"; compared as bytes of UTF-8.
judged : labels of all judged documents of each list, those of y_true included, optional
    1-D for one list; else 2-D padded with 0, CSR, or a sequence of 1-D arrays. By default
    those of y_true.
rel : float
    Labels >= rel are relevant.
divisor : "k", "min", "min_relevant", "relevant" or "hits"
    The divisor. Allowed values are listed in each measure's help.
beta : float of at least 0
    Used only by F1: recall counts beta times as much as precision.
p : float inside (0, 1)
    Used only by RBP: the probability that a reader continues to the next rank.
max_label : float above 0
    Used only by ERR: the top of the label scale.
group : sizes of the lists, optional
    For flat arrays: the number of documents of each list.
qid : an id (int, str, date, UUID) for each document, optional
    For flat arrays: the list of each document, in any order; lists are in the order in which
    they first appear.
lengths : documents of each row, optional
    For padded rows; later cells are not read.
exclude : scipy.sparse CSR, or array of bool in the shape of the documents, optional
    Documents to leave out of each list, such as a recommender's training items.
empty : float, nan, "skip" or "raise"
    Value where the measure is undefined ("skip": nan for the list, left out of means).
weight : array, or mapping query -> weight, optional
    One finite weight >= 0 per list, for the means. A Series with an index of queries is a mapping.
convention : str or Convention
    Supplies the defaults of arguments; see `rankgain.conventions`. The signature shows those
    of the default convention.
threads : int of at least 1, -1 or None
    Threads to use; -1 and None for all usable cores. Values do not depend on it.
bounds : "ties", "unjudged", or a sequence of them
    Also find the lowest and highest value, for `Evaluation.bounds`: over all orders of equal
    scores, or over all choices of unjudged documents with the top label.
judged_only : bool
    Leave retrieved documents without a judgment out before ranking (condensed lists, Sakai
    2007).
"""
ARGUMENTS = {entry.partition(" : ")[0]: entry for entry in re.split(r"\n(?=\S)", TEXT.strip())}

# Option -> its kind, and its default where conventions have none.
OPTIONS: dict[str, tuple[Kind, Any]] = {
    "gain": (Gain(), UNSET),
    "discount": (Discount(), UNSET),
    "log_base": (Number("a finite number above 1", lambda v: 1 < v < inf), UNSET),
    "ties": (Word(*TIES), UNSET),
    "seed": (Seed(), 0),
    "rel": (Number("a finite number"), UNSET),
    "min_label": (Number("a finite number"), UNSET),
    "max_label": (Number("a number above 0 and at most 1023", lambda v: 0 < v <= 1023), UNSET),
    "divisor": (Word(*DIVISOR_WORDS), UNSET),
    "beta": (Number("a finite number of at least 0", lambda v: 0 <= v < inf), 1.0),
    "p": (Number("a number inside (0, 1)", lambda v: 0 < v < 1), 0.8),
    "recall": (Number("a number in [0, 1]", lambda v: 0 <= v <= 1), 0.0),
    "per": (Word("user", "item"), "user"),
    "rank": (Word(*RANK_RULES), None),
    "share": (Number("a number above 0 and at most 1", lambda v: 0 < v <= 1), None),
    "decay": (Number("a number inside (0, 1)", lambda v: 0 < v < 1), 0.85),
    "weight": (Word("documents", "positives"), None),  # of a list, in a name
    "judged_only": (Flag(), False),
    "empty": (Empty(), UNSET),
}
KINDS = {name: kind for name, (kind, _) in OPTIONS.items()}
DEFAULTS = {name: value for name, (_, value) in OPTIONS.items() if value is not UNSET}
# Parameters that exist in names only.
NAME_ONLY = ("min_label", "recall", "judged_only", "per", "rank", "share", "decay", "weight")
# The options of the `evaluate...` functions, in the order of their arguments.
SETTINGS = tuple(name for name in ARGUMENTS if name in KINDS and name not in NAME_ONLY)


def parse_option(name: str, value: object) -> Value:
    """Check a parameter of a name and return its canonical form."""
    kind = KINDS[name]
    try:
        return kind.parse(value)
    except ValueError:
        raise ValueError(f"{name} must be {kind.words}, not {value!r}") from None


def format_option(value: Value) -> str:
    """The text of a checked value; parsing it gives the same value."""
    if isinstance(value, Mapping):
        pairs = ",".join(f"{label}:{gain}" for label, gain in value.items())
        return f"{{{pairs}}}"
    return str(value)
