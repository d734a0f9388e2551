"""Of the copies of a document that a run keeps in place, that at the best rank counts."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import rankgain as rg

Rows = list[tuple[str, float]]  # documents and scores, in the order of the source
ORDERED = ("stable", "reverse", "id", "id_descending")


def keep(rows: Rows, query: str = "q") -> rg.Run:
    """A run of one query that keeps its copies."""
    records = [{"query": query, "document": name, "score": score} for name, score in rows]
    return rg.Run(records, duplicates="in_place")


def orders(rows: Rows, judged: dict[str, int], rule: str) -> Iterator[list[str]]:
    """All rankings that a rule allows; judged: the documents whose copies lose ties."""
    numbered = list(enumerate(rows))
    if rule in ORDERED:
        keys: dict[str, Any] = {
            "stable": lambda row: row[0],
            "reverse": lambda row: -row[0],
            "id": lambda row: row[1][0].encode(),
            "id_descending": lambda row: [-byte for byte in row[1][0].encode()],
        }
        numbered.sort(key=keys[rule])
        numbered.sort(key=lambda row: -row[1][1])
        yield [name for _, (name, _) in numbered]
        return
    blocks = []
    seen: dict[str, float] = {}
    for score in sorted({score for _, score in rows}, reverse=True):
        tied, last = [], []
        for name, of_row in rows:
            if of_row == score:
                again = seen.setdefault(name, score) == score and name in tied
                (last if again and judged.get(name, 0) else tied).append(name)
        blocks += [tied, last]
    for choice in itertools.product(*map(itertools.permutations, blocks)):
        yield list(itertools.chain(*choice))


def dcg(ranking: list[str], judged: dict[str, int]) -> float:
    """The first copy of each document has its label."""
    ranks = {name: rank for rank, name in reversed(list(enumerate(ranking, 1)))}
    return sum(judged.get(name, 0) / math.log2(rank + 1) for name, rank in ranks.items())


def drawn(seed: int) -> tuple[Rows, dict[str, int]]:
    """Few documents and scores, so that copies tie with each other and with other documents."""
    rng = np.random.default_rng(seed)
    size = int(rng.integers(2, 7))
    names, scores = rng.choice(list("abcd"), size), rng.integers(0, 3, size)
    rows = [(str(name), float(score)) for name, score in zip(names, scores, strict=True)]
    return rows, {"a": int(rng.integers(0, 2)), "b": 1, "e": 1}


@pytest.mark.parametrize("seed", range(40))
def test_a_random_order_is_one_of_the_possible(seed: int) -> None:
    rows, judged = drawn(seed)
    possible = {round(dcg(ranking, judged), 12) for ranking in orders(rows, judged, "random")}
    value = rg.evaluate({"q": judged}, keep(rows), "DCG", ties="random", seed=seed)["DCG"]
    assert round(value, 12) in possible


@pytest.mark.parametrize("rule", [*ORDERED, "average", "best", "worst", "random"])
@pytest.mark.parametrize("convention", ["pytrec_eval", "trec_eval-9"])
def test_copies_may_tie_only_as_float32(rule: str, convention: str) -> None:
    for first, second in ((1.0, 1.0 + 1e-12), (1.0 + 1e-12, 1.0)):
        run = keep([("a", first), ("a", second), ("b", 0.5)])
        options: Any = {"ties": rule, "convention": convention}
        assert rg.evaluate({"q": {"a": 1}}, run, "RR", **options)["RR"] == 1.0
        assert rg.evaluate({"q": {"b": 1}}, run, "RR", **options)["RR"] == 1 / 3


def test_a_copy_of_a_judged_document_is_judged() -> None:
    run = keep([("n", 3.0), ("n", 2.0), ("x", 1.5), ("r", 1.0), ("r", 0.5)])
    qrels = {"q": {"n": 0, "r": 1}}
    condensed = rg.evaluate(qrels, run, ["RR", "NumRet", "P@3"], judged_only=True)
    assert condensed.means == {"RR": 1 / 3, "NumRet": 4.0, "P@3": 1 / 3}
    assert rg.evaluate(qrels, run, "Judged@5")["Judged@5"] == 4 / 5
    assert rg.evaluate(qrels, run, "NumRelRet")["NumRelRet"] == 1.0
