"""Ten thousand generated inputs, the same on every platform and for every version of every library.

Draws come from a linear congruential generator of our own, scores and labels are small fractions of
two, and no measure but those of the group "log2" calls a function of C's mathematics.
"""

import hashlib
import math
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import rankgain as rg


class Draws:
    """Knuth's linear congruential generator of 64 bits, of which the upper ones are used."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def below(self, n: int) -> int:
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) & ((1 << 64) - 1)
        return (self.state >> 33) * n >> 31

    def one(self, words: Sequence[Any]) -> Any:
        return words[self.below(len(words))]

    def chance(self, percent: int) -> bool:
        return self.below(100) < percent


# Half of the lists are short, some have more documents than the core counts or sorts at once.
SIZES = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 31, 33, 40, 63, 64, 65, 90]
LONG = [97, 120, 129, 200, 257, 400, 700, 1025, 1500, 2100]
BINARY = "P@1 P@5 P(divisor=min)@7 R@3 R@20 R(divisor=min)@4 F1@6 F1(beta=2)@3".split()
BINARY += ["HitRate@2", "RR", "RR@4", "AP", "AP@5", "AP(divisor=min)@9", "AP(divisor=hits)@6"]
BINARY += ["RPrec", "RBP@10", "RBP(p=0.5)", "AUC", "P(rel=2)@5", "AP(rel=1.5)", "R@100", "P@150"]
GRADED = ["CG@4", "CG", "DCG@3", "DCG@20", "DCG", "IDCG@5", "IDCG", "nDCG@1", "nDCG@10", "nDCG"]
GRADED += ["nDCG(gain=exp2)@5", "DCG(gain=exp2)", "nDCG(gain=binary)@8", "ERR", "ERR@6", "nDCG@90"]
TIES = ["average", "average", "stable", "reverse", "best", "worst", "random"]
LABELS = ["f4", "f8", "f2", "i1", "i2", "i4", "i8", "u1", "u4", "u8"]
DISCOUNTS: list[Any] = [
    "reciprocal",
    "reciprocal",
    [2.0**-i if i < 40 else 0.0 for i in range(2200)],
]
GAINS: list[Any] = ["linear", "linear", "exp2", [0, 2, 3, 5, 8], {0: 0.25, 1: 1, 2: 2, 3: 3, 4: 4}]


GRADABLE = [name for name in BINARY if "RBP" not in name]  # RBP need not know gains


def size(draws: Draws, long: int = 3) -> int:
    return int(draws.one(LONG if draws.chance(long) else SIZES))


def labels_of(draws: Draws, n: int) -> list[int]:
    share, top = draws.one([2, 20, 50, 100]), draws.one([1, 2, 4, 4])
    return [1 + draws.below(top) if draws.chance(share) else 0 for _ in range(n)]


def scores_of(draws: Draws, n: int) -> list[float]:
    spread = draws.one([1, 2, 4, n, 8 * n, 1 << 20])
    return [(draws.below(spread) - spread // 2) / 8 for _ in range(n)]


def names_of(draws: Draws, most: int = 6, binary: Sequence[str] = BINARY) -> list[str]:
    """Different measures; two of them take, between them, every argument that is given."""
    names = [
        draws.one(GRADED if draws.chance(45) else binary) for _ in range(1 + draws.below(most))
    ]
    return list(
        dict.fromkeys([draws.one(["nDCG@10", "nDCG@3", "DCG"]), draws.one(["AP", "R@5"]), *names])
    )


def arguments(draws: Draws) -> dict[str, Any]:
    given = {
        "ties": draws.one(TIES),
        "discount": draws.one(DISCOUNTS),
        "empty": draws.one([0, 1, math.nan]),
    }
    if draws.chance(30):
        given["seed"] = draws.below(1 << 30)
    if draws.chance(25):
        given["rel"] = draws.one([0.5, 1, 1.5, 2])
    return given


def typed(draws: Draws, labels: Sequence[Any], scores: Sequence[Any]) -> tuple[Any, Any]:
    """Arrays of some types, now and then not as the core reads them."""
    y_true = np.array(labels, draws.one(LABELS))
    y_score = np.array(scores, draws.one(["f4", "f8"]))
    if draws.chance(10):
        y_true = np.repeat(y_true, 2, axis=-1)[..., ::2]
    if draws.chance(10):
        y_score = y_score.astype(y_score.dtype.newbyteorder())
    return y_true, y_score


def rows_of(draws: Draws, long: int = 3) -> tuple[list[list[int]], list[list[float]]]:
    n, lists = size(draws, long), 1 + draws.below(4)
    return [labels_of(draws, n) for _ in range(lists)], [scores_of(draws, n) for _ in range(lists)]


# ---- one input of each group, evaluated


def one_list(draws: Draws) -> Any:
    n = size(draws)
    arrays = typed(draws, labels_of(draws, n), scores_of(draws, n))
    return rg.evaluate_arrays(
        *arrays, names_of(draws, 6, GRADABLE), gain=draws.one(GAINS), **arguments(draws)
    )


def rows(draws: Draws) -> Any:
    return rg.evaluate_arrays(
        *typed(draws, *rows_of(draws)), names_of(draws, 12), **arguments(draws)
    )


def padded(draws: Draws) -> Any:
    arrays = typed(draws, *rows_of(draws))
    lengths = [draws.below(arrays[0].shape[1] + 1) for _ in range(len(arrays[0]))]
    return rg.evaluate_arrays(*arrays, names_of(draws), lengths=lengths, **arguments(draws))


def flat(draws: Draws) -> Any:
    sizes = [size(draws, 1) - draws.chance(20) for _ in range(1 + draws.below(6))]
    n = sum(sizes)
    arrays = typed(draws, labels_of(draws, n), scores_of(draws, n))
    where = {"group": sizes} if draws.chance(60) else {"qid": np.repeat(range(len(sizes)), sizes)}
    if n == 0:
        where = {"group": sizes}
    return rg.evaluate_arrays(*arrays, names_of(draws), **where, **arguments(draws))


def stored(draws: Draws, rows: list[list[int]]) -> tuple[Any, Any, Any]:
    """CSR: all labels other than 0, some zeros, in descending order where it is not ascending."""
    data: list[int] = []
    indices: list[int] = []
    indptr = [0]
    for row in rows:
        mine = [i for i, label in enumerate(row) if label or draws.chance(10)]
        mine = mine[::-1] if draws.chance(10) else mine
        indices += mine
        data += [row[i] for i in mine]
        indptr.append(len(indices))
    kind = draws.one(["i4", "i8"])
    return np.array(data, draws.one(["f4", "f8", "i4"])), np.array(indices, kind), np.array(indptr)


def sparse(draws: Draws) -> Any:
    labels, scores = rows_of(draws, 12)
    y_score = np.array(scores, draws.one(["f4", "f8"]))
    return rg.evaluate_arrays(stored(draws, labels), y_score, names_of(draws), **arguments(draws))


def judged(draws: Draws) -> Any:
    labels, scores = rows_of(draws)
    more = [row + labels_of(draws, draws.below(9)) for row in labels]
    arrays = typed(draws, labels, scores)
    pool = [np.array(row, "f8") for row in more]
    return rg.evaluate_arrays(*arrays, names_of(draws), judged=pool, **arguments(draws))


def truth(draws: Draws) -> Any:
    labels, scores = rows_of(draws)
    y_true, y_score = typed(draws, labels, scores)
    return rg.evaluate_arrays(rg.Truth(y_true), y_score, names_of(draws), **arguments(draws))


def given_order(draws: Draws) -> Any:
    y_true, _ = typed(draws, *rows_of(draws))
    return rg.evaluate_arrays(
        y_true, None, names_of(draws, 10, GRADABLE), gain=draws.one(GAINS), **arguments(draws)
    )


def long_lists(draws: Draws) -> Any:
    arrays = typed(draws, *rows_of(draws, 100))
    return rg.evaluate_arrays(*arrays, names_of(draws, 3), **arguments(draws))


def with_ids(draws: Draws) -> Any:
    labels, scores = rows_of(draws)
    n = len(labels[0])
    step = draws.one([7, 11, 13])
    ids = [
        [f"d{(i * step + at) % 1009 + 2000 * (i // 1009)}" for i in range(n)]
        for at in range(len(labels))
    ]
    given = arguments(draws) | {"ties": draws.one(["id", "id_descending"])}
    return rg.evaluate_arrays(*typed(draws, labels, scores), names_of(draws), ids=ids, **given)


def excluding(draws: Draws) -> Any:
    labels, scores = rows_of(draws)
    n = len(labels[0])
    out = [[i for i in range(n) if draws.chance(15)] for _ in labels]
    indptr = np.cumsum([0, *map(len, out)])
    indices = np.array([i for row in out for i in row], np.int64)
    left = np.ones(len(indices)), indices, indptr
    return rg.evaluate_arrays(
        *typed(draws, labels, scores), names_of(draws), exclude=left, **arguments(draws)
    )


def topk(draws: Draws) -> Any:
    k, items, users = draws.one([1, 3, 10, 20]), 60, 1 + draws.below(5)
    recommended, relevant, gains = [], [], []
    for _ in range(users):
        step, first = 1 + 2 * draws.below(20), draws.below(items)
        recommended.append([(first + i * step) % 64 for i in range(k)])
        mine = [i for i in range(items) if draws.chance(draws.one([2, 10, 40]))]
        relevant.append(np.array(mine, np.int64))
        gains.append(np.array([1 + draws.below(4) for _ in mine], float))
    given = arguments(draws)
    del given["ties"]
    given.pop("seed", None)
    kind = draws.one(["i4", "i8"])
    labels = gains if draws.chance(50) else None
    names = [name for name in names_of(draws) if name != "AUC"]
    return rg.evaluate_ids(np.array(recommended, kind), relevant, names, gains=labels, **given)


def runs(draws: Draws) -> Any:
    qrels, run = {}, {}
    for q in range(1 + draws.below(5)):
        pool = 3 + draws.below(40)
        result = [i for i in range(pool) if draws.chance(60)]
        spread = draws.one([2, 8, 1000])
        mine = {f"d{i}": draws.below(6) - 1 for i in range(pool) if draws.chance(50)}
        qrels[f"q{q}"] = mine | {"d0": draws.below(3)}
        if result and (q == 0 or draws.chance(85)):
            run[f"q{q}"] = {f"d{i}": draws.below(spread) / 8 for i in result}
    run = run or {"q0": {"d0": 1.0}}
    given = arguments(draws)
    if draws.chance(60):
        del given["ties"]
        given.pop("seed", None)
    names = [name for name in names_of(draws) if "ERR" not in name]
    rules = draws.one(["trec", "trec", "trec_eval-9", "pytrec_eval"])
    return rg.evaluate(qrels, run, names, convention=rules, **given)


def negative(draws: Draws) -> Any:
    n = size(draws)
    labels = [(draws.below(33) - 16) / 4 for _ in range(n)]
    y_true, y_score = np.array(labels, draws.one(["f4", "f8", "f2"])), np.array(scores_of(draws, n))
    names = ["DCG@5", "CG", "IDCG@7", "IDCG", "DCG"][draws.below(3) :]
    return rg.evaluate_arrays(y_true, y_score, names, **arguments(draws))


TOOLS = "rankgain sklearn catboost xgboost lightgbm jarvelin2002 torchmetrics ranklib".split()


def conventions(draws: Draws) -> Any:
    labels, scores = rows_of(draws)
    y_score = np.array(scores, draws.one(["f4", "f8"]))
    rules = rg.conventions[draws.one(TOOLS)]
    y_true = np.minimum(np.array(labels), 1)  # which every tool takes
    names = [name for name in names_of(draws) if "rel" not in name and "divisor" not in name]
    if rules.k is not None:  # its own cutoff would stand in the names
        names = ["nDCG@4", *(name for name in names if "@" in name)]
    return rg.evaluate_arrays(y_true, y_score, names, convention=rules, discount="reciprocal")


def bounds(draws: Draws) -> Any:
    labels, scores = rows_of(draws, 0)
    y_score = np.array(scores, draws.one(["f4", "f8"]))[:, :12]
    y_true = stored(draws, [row[:12] for row in labels])
    names = [name for name in names_of(draws, 3) if name != "AUC"]
    result = rg.evaluate_arrays(
        y_true, y_score, names, discount="reciprocal", bounds=["ties", "unjudged"]
    )
    return {kind: dict(columns) for kind, columns in result.bounds.items()}


FUNCTIONS = "ndcg dcg cg precision recall average_precision reciprocal_rank err f1".split()


def functions(draws: Draws) -> Any:
    """One measure's function, with one cutoff, several or none, on a list or on rows."""
    labels, scores = rows_of(draws)
    arrays = typed(draws, labels, scores)
    if draws.chance(50):
        arrays = arrays[0][0], arrays[1][0]
    name = draws.one(FUNCTIONS)
    k = draws.one([1, 5, 10, None, [1, 3, 10], [2, 500]])
    more = {"discount": "reciprocal"} if name in ("ndcg", "dcg") else {}
    return getattr(rg, name)(*arrays, k=k, ties=draws.one(TIES), **more)


def log2(draws: Draws) -> Any:
    """The logarithmic discount; only where C's log2 gives the values that it had."""
    arrays = typed(draws, *rows_of(draws, 5))
    given = arguments(draws) | {"discount": "log2"}
    return rg.evaluate_arrays(
        *arrays, names_of(draws, 6, GRADABLE), gain=draws.one(GAINS[:3]), **given
    )


GROUPS: dict[str, Callable[[Draws], Any]] = {
    one.__name__: one
    for one in (
        one_list, rows, padded, flat, sparse, judged, truth, given_order, long_lists, with_ids,
        excluding, topk, runs, negative, conventions, bounds, functions, log2,
    )
}  # fmt: skip
SHARE = {"long_lists": 150, "bounds": 250}
EACH = 600


def numbers(result: Any) -> list[Any]:
    """All values of a result; means of few lists only, as sums of many depend on the processor."""
    if isinstance(result, rg.Evaluation):
        means = list(result.means.values()) if len(result) < 8 else []
        return [*result.per_query.values(), means]
    if isinstance(result, dict):
        return [number for one in result.values() for number in numbers(one)]
    return [result]


def digest(group: str) -> str:
    """Of all values of a group, bit for bit; NaN has many bits and is made one."""
    draws, total = Draws(sum(map(ord, group))), hashlib.sha256()
    for _ in range(SHARE.get(group, EACH)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an argument may change nothing
            result = GROUPS[group](draws)
        for one in numbers(result):
            values = np.asarray(one, "f8")
            values = np.where(np.isnan(values), math.nan, values)  # in the order of the machine
            total.update(values.astype("<f8").tobytes())
    return total.hexdigest()[:16]


def log2_table() -> str:
    """Of C's log2, which may differ in its last bit from one system to another."""
    table = np.array([math.log2(i) for i in range(2, 4096)], "<f8")
    return hashlib.sha256(table.tobytes()).hexdigest()[:16]


if __name__ == "__main__":
    for name in GROUPS:
        print(name, digest(name), flush=True)
    print(log2_table(), sum(SHARE.get(name, EACH) for name in GROUPS))
