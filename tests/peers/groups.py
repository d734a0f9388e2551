"""Random groups for comparing with real tools: what they disagree about is in every draw."""

from dataclasses import dataclass
from typing import Any

import numpy as np

import rankgain as rg

CASES = range(12)
CUTOFFS = (1, 2, 3, 5, 10, 100)


@dataclass(frozen=True)
class Groups:
    """Lists of labels and scores with one weight per list."""

    labels: list[np.ndarray[Any, Any]]
    scores: list[np.ndarray[Any, Any]]
    weights: np.ndarray[Any, Any]

    @property
    def sizes(self) -> list[int]:
        return [len(one) for one in self.labels]

    @property
    def flat_labels(self) -> np.ndarray[Any, Any]:
        return np.concatenate(self.labels)

    @property
    def flat_scores(self) -> np.ndarray[Any, Any]:
        return np.concatenate(self.scores)

    @property
    def flat_weights(self) -> np.ndarray[Any, Any]:
        return np.repeat(self.weights, self.sizes)

    @property
    def qid(self) -> np.ndarray[Any, Any]:
        return np.repeat(np.arange(len(self.labels)), self.sizes)


def draw_scores(rng: np.random.Generator, n: int) -> np.ndarray[Any, Any]:
    """Return n scores: distinct, tied in small or large blocks, all tied, or float32-close."""
    kind = rng.integers(5)
    if kind == 0:
        return rng.permutation(n) + rng.random()
    if kind == 1:
        return rng.integers(1, 4, n) / 4
    if kind == 2:
        return np.full(n, 0.5)
    if kind == 3:
        return 1 + rng.permutation(n) * 1e-9
    return rng.normal(size=n).round(1)


def draw(
    case: int,
    labels: tuple[float, ...] = (0, 1, 2, 3),
    *,
    distinct: bool = False,
    low: int = 1,
    high: int = 40,
) -> Groups:
    """Return the groups of one case: short and long ones, some without anything relevant."""
    rng = np.random.default_rng([case, len(labels)])
    sizes = rng.integers(low, high, 20)
    drawn = [rng.choice(np.array(labels), n) for n in sizes]
    for empty in rng.integers(20, size=3):
        drawn[empty] = np.zeros_like(drawn[empty])
    drawn[rng.integers(20)][:] = max(labels)
    if distinct:
        scores = [rng.permutation(n) / (n + 1) + 0.01 for n in sizes]
    else:
        scores = [draw_scores(rng, n) for n in sizes]
    weights = rng.integers(4, 13, 20) / 8  # exact in float32
    return Groups(drawn, scores, weights)


def ours(groups: Groups, measures: list[str], convention: Any, **arguments: Any) -> Any:
    """Return our evaluation of the groups."""
    return rg.evaluate_arrays(
        groups.flat_labels,
        groups.flat_scores,
        measures,
        group=groups.sizes,
        convention=convention,
        **arguments,
    )


def sound(groups: Groups, gain: str, ks: Any) -> Groups:
    """Leave out groups whose ideal is almost 0 under negative labels, where float32 loses it."""
    keep = []
    for at, labels in enumerate(groups.labels):
        ideals = [rg.idcg(labels, k=k, gain=gain) for k in ks]
        if all(ideal == 0 or abs(ideal) > 0.1 for ideal in ideals):
            keep.append(at)
    parts = [groups.labels[i] for i in keep], [groups.scores[i] for i in keep]
    return Groups(*parts, groups.weights[keep])


def close(a: Any, b: Any, tolerance: float = 1e-12) -> None:
    """Assert equality within an absolute and relative tolerance, nan equal to nan."""
    np.testing.assert_allclose(a, b, rtol=tolerance, atol=tolerance)
