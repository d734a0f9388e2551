"""The shared arguments as text: their help and their order, for docstrings and signatures.

A function's docstring describes only its special arguments; the others are added from the table. A
signature shows the values of the default convention.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from ..convention import UNSET, Convention, get_convention
from ..convention.fields import Frozen
from .settings import resolve

Function = TypeVar("Function", bound=Callable[..., Any])

# Every function has its arguments in this order.
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
qid : an id for each document, optional
    For flat arrays: the list of each document, in any order; lists are in the order in which
    they first appear.
lengths : documents of each row, optional
    For padded rows; later cells are not read.
exclude : scipy.sparse CSR, optional
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
ORDER = {name: place for place, name in enumerate(ARGUMENTS)}
SETTINGS = (
    *("gain", "discount", "log_base", "ties", "seed", "rel", "divisor"),
    *("beta", "p", "max_label", "empty"),
)


class Word:
    """A default in a signature that is not one value."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


BY_MEASURE = Word("by measure")


def defaults(rules: Convention, function: str | None = None) -> dict[str, Any]:
    """The defaults of arguments: of a measure function, or of a function that takes any measure."""
    result = resolve(function or "ndcg", {}, rules)._asdict()
    if function is None:
        result |= {name: BY_MEASURE for name in result if type(getattr(rules, name, 0)) is Frozen}
    return {**result, "judged_only": rules.unjudged == "drop", "convention": rules.name}


def described(names: Iterable[str], doc: str) -> str:
    """Add the shared arguments to the section Parameters of a docstring."""
    section = re.search(r"(?<=\nParameters\n----------\n).*?(?=\n\n\S)", doc, re.DOTALL)
    entries = re.split(r"\n(?=\S)", section[0]) if section else []
    described_names = {name for one in entries for name in one.partition(" : ")[0].split(", ")}
    entries += [ARGUMENTS[name] for name in names if name in ORDER and name not in described_names]
    entries.sort(key=lambda entry: ORDER.get(re.split(r"\W", entry)[0], -1))
    if section is None:
        raise ValueError("the docstring has no section Parameters")
    return doc[: section.start()] + "\n".join(entries) + doc[section.end() :]


def documented(convention: str) -> Callable[[Function], Function]:
    """Add shared arguments to a docstring, and a convention's values to the signature.

    Keywords from a TypedDict (`**options: Unpack[...]`) are listed one by one in the signature.
    """

    def complete(function: Function) -> Function:
        signature = inspect.signature(function)
        values = defaults(get_convention(convention))
        parameters: list[inspect.Parameter] = []
        for one in signature.parameters.values():
            if one.default is UNSET:
                kind = str(one.annotation).removesuffix(" | Unset")
                one = one.replace(default=values[one.name], annotation=kind)
            if one.kind is one.VAR_KEYWORD:
                parameters += _unpacked(function, one, values)
            else:
                parameters.append(one)
        # Special parameters come first, then the shared ones in the order of the table.
        parameters.sort(key=lambda one: (one.kind, ORDER.get(one.name, -1)))
        function.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        if function.__doc__ is not None:  # python -OO has none
            taken = {one.name for one in parameters}
            names = [name for name in ORDER if name in taken]
            function.__doc__ = described(names, inspect.cleandoc(function.__doc__))
        return function

    return complete


def _unpacked(
    function: Callable[..., object], keywords: inspect.Parameter, values: dict[str, Any]
) -> list[inspect.Parameter]:
    """The keywords of a TypedDict as parameters with these defaults."""
    kind = keywords.annotation.removeprefix("Unpack[").removesuffix("]")
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=values[name],
            annotation=getattr(one, "__forward_arg__", one),
        )
        for name, one in function.__globals__[kind].__annotations__.items()
    ]
