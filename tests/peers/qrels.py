"""Random qrels and runs: unjudged, unretrieved and tied documents, queries on one side only."""

from typing import Any

import numpy as np
import pytest

from peers.groups import draw_scores

Labels = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]


def draw_qrels(
    case: int,
    labels: tuple[int, ...] = (-1, 0, 1, 2, 3),
    *,
    one_sided: bool = True,
    distinct: bool = False,
) -> tuple[Labels, Scores]:
    """Return qrels and a run of one case; query ids are numbers, as gdeval wants."""
    rng = np.random.default_rng([case, 77])
    qrels: Labels = {}
    run: Scores = {}
    for query in map(str, range(1, 16)):
        pool = [f"d{i:03d}" for i in rng.permutation(120)]
        judged = pool[: rng.integers(2, 40)]
        qrels[query] = {doc: int(rng.choice(labels)) for doc in judged}
        retrieved = [pool[i] for i in rng.permutation(60)[: rng.integers(1, 50)]]
        n = len(retrieved)
        scores = rng.permutation(n) + 0.5 if distinct else draw_scores(rng, n)
        run[query] = dict(zip(retrieved, map(float, scores), strict=True))
    qrels["3"] = dict.fromkeys(qrels["3"], 0)
    if one_sided:
        del run["5"], qrels["7"]
    return qrels, run


def as_frames(qrels: Labels, run: Scores, library: str) -> tuple[Any, Any]:
    """Return the same as data frames of pandas or polars."""
    module = pytest.importorskip(library, reason=f"{library} is not installed")
    rows = [
        ("relevance", [(q, d, x) for q, docs in qrels.items() for d, x in docs.items()]),
        ("score", [(q, d, x) for q, docs in run.items() for d, x in docs.items()]),
    ]
    frames = []
    for last, values in rows:
        columns = map(list, zip(*values, strict=True))
        names = "query_id", "doc_id", last
        frames.append(module.DataFrame(dict(zip(names, columns, strict=True))))
    return frames[0], frames[1]
