"""Labels and scores of any type and layout, beside the same values as plain lists."""

from itertools import pairwise
from typing import Any

import numpy as np

import memory
import rankgain as rg
from draws import DTYPES, Draws, Refused, agree, outcome

FAMILIES = ["nDCG", "AP", "RR", "R", "RBP", "ERR", "F1", "P", "DCG", "RPrec", "AUC", "HitRate"]
FAMILIES += ["nDCG(gain=exp2)", "AP(divisor=hits)", "Bpref", "IDCG", "Judged"]
UNCUT = ("RPrec", "AUC", "Bpref")
TIES = ["average", "stable", "reverse", "best", "worst", "random"]


def measures(d: Draws) -> list[str]:
    """Some measures, most with a cutoff."""
    result = []
    for _ in range(1 + d.below(3)):
        family, k = d.pick(FAMILIES), d.pick([1, 3, 10, 50, 0])
        k = k or (5 if family in ("P", "HitRate", "Judged") else 0)
        result.append(family if not k or family in UNCUT else f"{family}@{k}")
    return result


VIEWS: list[Any] = [
    lambda array: array, memory.strided, memory.misaligned, memory.backwards, np.asfortranarray,
    memory.byte_swapped, memory.nested_lists, lambda array: array.astype(object),
]  # fmt: skip


def evaluate(data: bytes) -> None:
    """Any layout: the values of one call for each list; any types: refused, or some values."""
    d = Draws(data)
    names, ties = measures(d), d.pick(TIES)
    sizes = d.sizes(longest=d.pick([8, 40, 200])) or [3]
    n = sum(sizes)
    labels, scores = (d.array(n, d.pick(DTYPES)) for _ in range(2))
    layout = d.pick(["group", "qid", "lengths", "csr", "rows", "hostile"])
    if layout == "hostile":
        hostile(d, names, labels, scores)
        return
    view = d.pick(VIEWS)
    starts = np.cumsum([0, *sizes])
    lists = [(labels[a:b], scores[a:b]) for a, b in pairwise(starts)]
    options: dict[str, Any] = {"ties": ties} if ties != "random" else {}
    if layout in ("group", "qid"):
        given = view(labels), view(scores)
        codes = np.repeat(np.arange(len(sizes)), sizes)
        options[layout] = sizes if layout == "group" else codes
        if layout == "qid":
            lists = [one for one in lists if len(one[0])]
    elif layout == "rows":
        given = tuple([one[at] for one in lists] for at in range(2))
    else:
        width = max(sizes)
        padded = [np.zeros((len(sizes), width), one.dtype) for one in (labels, scores)]
        for at, pair in enumerate(lists):
            for row, one in zip(padded, pair, strict=True):
                row[at, : len(one)] = one
        if layout == "lengths":
            given = tuple(map(view, padded))
            options["lengths"] = sizes
        else:
            given = memory.csr(padded[0]), view(padded[1])
            lists = list(zip(*padded, strict=True))
    answer = outcome(lambda: rg.evaluate_arrays(*given, names, threads=1 + d.below(2), **options))
    plain = {"ties": options.get("ties", "average")}
    single = [outcome(lambda p=pair: alone(p, names, plain)) for pair in lists]
    if isinstance(answer, Refused) or any(isinstance(one, Refused) for one in single):
        if layout not in ("csr", "rows") and view not in VIEWS[-2:] and len(lists) == len(sizes):
            refused = any(isinstance(one, Refused) for one in single)
            assert refused or not lists or isinstance(answer, Refused), (answer, single)
        return
    for name in answer.per_query:
        agree(answer.per_query[name].tolist(), [one[name] for one in single])


def alone(pair: Any, names: list[str], options: dict[str, Any]) -> dict[str, float]:
    """The values of one list, as plain doubles where they hold what the type holds."""
    labels, scores = pair
    result = rg.evaluate_arrays(np.array(labels)[None], np.array(scores)[None], names, **options)
    return {name: float(one[0]) for name, one in result.per_query.items()}


def hostile(d: Draws, names: list[str], labels: Any, scores: Any) -> None:
    """Arguments of which nothing is right: refused, or answered, without a crash."""
    n = len(labels)
    integers = d.array(d.below(12), "i8")
    bad = [integers, d.array(4, "f4"), None, "text", 3, [[1], [2, 3]], labels, {"a": 1}, [], [None]]
    bad += [np.zeros((2, 0)), np.array(5), np.ma.masked_array([1, 2], [0, 1]), [2**63, -1], [n]]
    if d.chance():
        labels = d.array(n, "f8"), d.array(n, d.pick(["i4", "i8", "u4"])), integers
        scores = scores.reshape(1, -1)
    elif d.chance():
        labels = d.pick(bad)
    options: dict[str, Any] = {"ties": d.pick(TIES)}
    for name in ("group", "qid", "lengths", "judged", "exclude", "weight", "ids", "seed", "bounds"):
        if d.chance(4):
            options[name] = d.pick(bad)
    for name in ("rel", "beta", "p", "max_label", "log_base", "gain", "discount", "empty"):
        if d.chance(8):
            options[name] = d.pick([d.number(), [1, 2, 3], {0: 0, 1: 1}, "exp2", "reciprocal", len])
    outcome(lambda: rg.evaluate_arrays(labels, scores, names, **options))
    outcome(
        lambda: rg.Truth(labels, **{k: options[k] for k in ("group", "judged") & options.keys()})
    )
