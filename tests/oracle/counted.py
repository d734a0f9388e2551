"""Counts of ranks, written out: what a query of `rg.sql` must return."""

import random
from collections.abc import Mapping
from typing import Any

Judged = dict[str, dict[str, float]]
Row = tuple[Any, ...]
NAMES = ("query", "doc", "label", "above", "equal", "size", "retrieved")


def counts_of(qrels: Mapping[Any, Any], run: Mapping[Any, Any], ties: str) -> list[Row]:
    """A row for each judged document; by id, a document of the same score may be above."""
    rows: list[Row] = []
    for query, labels in qrels.items():
        scores = run.get(query, {})
        for doc, label in labels.items():
            if doc not in scores:
                rows.append((query, doc, label, None, None, len(scores), False))
                continue
            same = [str(one).encode() for one in scores if scores[one] == scores[doc]]
            above = sum(score > scores[doc] for score in scores.values())
            equal, here = len(same), str(doc).encode()
            if ties in ("id", "id_descending"):
                above += sum(one > here if ties == "id_descending" else one < here for one in same)
                equal = 1
            rows.append((query, doc, label, above, equal, len(scores), True))
    return rows


def drawn(rng: random.Random, labels: list[float] | None = None) -> tuple[Judged, Judged]:
    """Small qrels and a run with many ties, judged queries without results, and others."""
    qrels, run = {}, {}
    for at in range(rng.randint(2, 5)):
        docs = rng.sample(["a", "B", "b", "é", "z", "Z", "10", "9", "d1", "d10", "ab"], 9)
        some = labels or rng.choice([[0, 1], [0, 1, 2, 3], [0, 0, 0, 2], [0, 0.5, 1.5]])
        judged = {doc: rng.choice(some) for doc in docs if rng.random() < 0.6}
        qrels[f"q{at}"] = judged or {docs[0]: 1}
        scores = {doc: rng.randrange(rng.choice([2, 4, 90])) / 4 for doc in docs}
        listed = {doc: score for doc, score in scores.items() if rng.random() < 0.8}
        if listed and (at == 0 or rng.random() < 0.85):
            run[f"q{at}"] = listed
    run["unjudged"] = {"a": 1.0}
    return qrels, run
