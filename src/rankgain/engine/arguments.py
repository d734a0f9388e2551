"""What each argument means, written once, and the help and signatures that are completed from it.

A function's own docstring says what is special to it; the arguments that it shares with others are
added from the table. A signature shows the values that hold where an argument is left out and no
convention is named.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from ..convention import UNSET, Convention, get_convention
from ..convention.fields import Frozen
from .settings import resolve

Function = TypeVar("Function", bound=Callable[..., Any])

# In the one order in which all functions have them.
TEXT = """\
y_true : array of shape (documents,) or (lists, documents), lists of different lengths,
    scipy.sparse CSR, or Truth
    Labels; any finite numbers, if the measure does not say otherwise.
y_score : array of the same shape, optional
    Scores, larger is better; without them the order given is the ranking.
measures : str, Measure, or a sequence of them
    Names in any known spelling, such as ["nDCG@10", "AP", "RR@10"]; cutoffs stand in them.
k : int, None, or a sequence of them
    Cutoff; ranks after it count nothing. None is the whole list. A sequence adds a last axis
    to the result.
gain : "linear", "exp2", "binary", mapping, array or callable
    What a label is worth: itself, 2**label - 1, or 1 from `rel` on; or a mapping
    label -> gain, an array indexed by label, a callable on a float64 array of labels.
discount : "log2", "log", "reciprocal", array or callable
    What rank i is worth: 1 / log2(i + 1); log(b) / log(i + 1) with log_base b; 1 / i; or a
    non-increasing array of weights, a callable on a float64 array of ranks from 1.
log_base : float above 1
    Base of discount="log".
ties : "average", "stable", "reverse", "worst", "best", "random", "id", "id_descending"
    Order of documents with equal scores. "average" is the exact expectation over all orders;
    "stable" is input order and "reverse" its reverse; "best" and "worst" order by gain;
    "random" draws from `seed`, the list's index and the position; "id" needs ids.
seed : int from 0 to 2**64 - 1
    Of ties="random".
ids : array of str or int, shaped as the documents, optional
    Of ties="id" and "id_descending"; compared as bytes of UTF-8.
judged : labels of all judged documents of each list, those of y_true included, optional
    1-D for one list; else 2-D padded with 0, CSR, or a sequence of 1-D arrays. Left out, they
    are those of y_true.
rel : float
    Labels >= rel are relevant.
divisor : "k", "min", "min_relevant", "relevant" or "hits"
    By what is divided; which words a measure knows, its own help says.
beta : float of at least 0
    Of F1: recall counts beta times as much as precision.
p : float inside (0, 1)
    Of RBP: the chance to read on.
max_label : float above 0
    Of ERR: the top of the label scale.
group : sizes of the lists, optional
    For flat arrays: how many documents each list has.
qid : an id for each document, optional
    For flat arrays: the list that each document is of, in any order; lists stand as they first
    appear.
lengths : documents of each row, optional
    For padded rows; cells beyond are not read.
exclude : scipy.sparse CSR, optional
    Documents left out of each list, such as a recommender's training items.
empty : float, nan, "skip" or "raise"
    Value where the measure is undefined ("skip": nan for the list, left out of means).
weight : array, or mapping query -> weight, optional
    One finite weight >= 0 per list, for the means. A Series with an index of queries is a mapping.
convention : str or Convention
    Where the arguments that are left out take their values from; see `rankgain.conventions`.
    The values that the signature shows are those of its default.
threads : int of at least 1, -1 or None
    Threads to use; -1 and None for all usable cores. Values do not depend on it.
bounds : "ties", "unjudged", or a sequence of them
    Also find how far each value could move, for `Evaluation.bounds`: over all orders of equal
    scores, or over which unjudged documents may have the top label.
judged_only : bool
    Leave retrieved documents without a judgment out before ranking (condensed lists, Sakai
    2007).
"""
ARGUMENTS = {entry.partition(" : ")[0]: entry for entry in re.split(r"\n(?=\S)", TEXT.strip())}
ORDER = {name: place for place, name in enumerate(ARGUMENTS)}
SETTINGS = (
    *("gain", "discount", "log_base", "ties", "seed", "rel", "divisor"),
    *("beta", "p", "max_label", "empty"),
)


def settings_among(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Those of a function's arguments (its `locals()` at the start) that settings are made of."""
    return {name: arguments[name] for name in SETTINGS if name in arguments}


class Word:
    """A default that is no single value, as a signature shows it."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


BY_MEASURE = Word("by measure")


def defaults(rules: Convention, function: str | None = None) -> dict[str, Any]:
    """What arguments are where they are left out: of one measure, or of functions that take any."""
    result = resolve(function or "ndcg", {}, rules)._asdict()
    if function is None:
        result |= {name: BY_MEASURE for name in result if type(getattr(rules, name, 0)) is Frozen}
    return {**result, "judged_only": rules.unjudged == "drop", "convention": rules.name}


def described(names: Iterable[str], doc: str) -> str:
    """A docstring with the arguments that it does not describe itself, before what it returns."""
    own = re.search(r"(?<=\nParameters\n----------\n).*?(?=\n\n\S)", doc, re.DOTALL)
    entries = re.split(r"\n(?=\S)", own[0]) if own else []
    said = {name for one in entries for name in one.partition(" : ")[0].split(", ")}
    entries += [ARGUMENTS[name] for name in names if name in ORDER and name not in said]
    entries.sort(key=lambda entry: ORDER.get(re.split(r"\W", entry)[0], -1))
    if own is None:
        raise ValueError("the docstring has no section Parameters")
    return doc[: own.start()] + "\n".join(entries) + doc[own.end() :]


def documented(convention: str) -> Callable[[Function], Function]:
    """Complete the docstring of a function, and its signature with a convention's values."""

    def complete(function: Function) -> Function:
        signature = inspect.signature(function)
        values = defaults(get_convention(convention))
        displayed = []
        for one in signature.parameters.values():
            if one.default is UNSET:
                kind = str(one.annotation).removesuffix(" | Unset")
                one = one.replace(default=values[one.name], annotation=kind)
            displayed.append(one)
        function.__signature__ = signature.replace(parameters=displayed)  # type: ignore[attr-defined]
        if function.__doc__ is not None:  # python -OO has none
            names = [name for name in ORDER if name in signature.parameters]
            function.__doc__ = described(names, inspect.cleandoc(function.__doc__))
        return function

    return complete
