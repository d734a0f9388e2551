"""Qrels and runs in which much is tied or missing, and the comparison of two evaluations."""

import random

import numpy as np

import rankgain as rg

MEASURES = ["nDCG@10", "AP", "RR", "P@5", "R@20"]


def made(seed, name=str, label=int, score=float):
    """Qrels and a run with ties, and with queries on one side only; ids and numbers as asked."""
    rng = random.Random(seed)
    names = rng.sample(range(200), 80)
    qrels = {
        name(q): {name(d): label(rng.randrange(-1, 4)) for d in rng.sample(names, 30)}
        for q in range(1, 12)
    }
    run = {
        name(q): {name(d): score(rng.randrange(40) / 8) for d in rng.sample(names, 60)}
        for q in range(3, 14)
    }
    run[name(5)], qrels[name(6)], run[name(20)] = {}, {}, {}
    return qrels, run


def loaded(qrels, run):
    return rg.Qrels(qrels), rg.Run(run)


def same(result, expected):
    assert result.queries == expected.queries
    assert result.counts == expected.counts
    np.testing.assert_equal(dict(result.means), dict(expected.means))
    for measure, values in expected.per_query.items():
        assert np.array_equal(result.per_query[measure], values, equal_nan=True)
