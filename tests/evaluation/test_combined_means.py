"""Every pair of choices of how means are made: those of all lists, of segments, parts and files.

The values come from the oracle, and the means are written out as sums of fractions.
"""

import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rankgain as rg
import reference
from pairwise import Row, name_of, rows_of

LEAST = 1e-5  # of a geometric mean
AXES: dict[str, list[Any]] = {
    "way": ["whole", "by", "merged", "by of merged", "merged of by", "read", "pickled", "compared"],
    "empty": [0.0, 0.5, math.nan, "skip"],
    "mean": ["macro", "micro", "geometric"],
    "summation": ["exact", "pairwise", "by_id"],
    "round_mean": [None, 0, 2],
    "weight": [None, "fractions", "some 0", "all 0"],
    "weighted": [True, False],
    "empty_has_weight": [True, False],
    "lists": [1, 2, 3, 17],
    "undefined": ["none", "some", "all"],
    "segments": [1, 2, 5],
    "ids": ["rising", "falling", "of two lengths"],
}
NAMES = {
    "nDCG@3": ("ndcg", {"k": 3}),
    "AP": ("average_precision", {}),
    "P@2": ("precision", {"k": 2, "divisor": "min"}),
    "RR@2": ("reciprocal_rank", {"k": 2}),
}


def possible(row: Row) -> bool:
    return row["way"] != "compared" or row["weight"] != "all 0"


class Case:
    """The lists of a row, with the oracle's values; None where a measure is undefined."""

    def __init__(self, row: Row) -> None:
        rng = np.random.default_rng(sum(map(ord, name_of(row))))
        n = row["lists"]
        sizes = rng.integers(1, 5, n)
        share = {"none": 0.0, "some": 0.4, "all": 1.0}[row["undefined"]]
        self.labels = []
        for size in sizes.tolist():
            one = rng.integers(0, 3, size)
            one[int(rng.integers(0, size))] = 1
            self.labels.append(one * (rng.random() >= share))
        self.scores = [rng.permutation(int(size)) + 1.0 for size in sizes]
        self.weight = None
        if row["weight"] is not None:
            keep = {"fractions": 0.0, "some 0": 0.4, "all 0": 1.0}[row["weight"]]
            self.weight = rng.integers(1, 9, n) / 8 * (rng.random(n) >= keep)
        ids = [f"q{i:02}" for i in range(n)]
        if row["ids"] == "falling":
            ids.reverse()
        elif row["ids"] == "of two lengths":
            ids = [f"q{7 * i % 23}" for i in range(n)]
        self.ids, self.row = ids, row
        self.codes = rng.integers(0, row["segments"], n)
        asked = ("empty", "summation", "round_mean", "weighted", "empty_has_weight")
        fields = {name: row[name] for name in asked} | {"divisor": {"precision": "min"}}
        mean = {"precision": "micro"} if row["mean"] == "micro" else row["mean"]
        self.rules = rg.conventions["rankgain"].replace(name="mine", mean=mean, **fields)

    def evaluated(self, at: Any) -> rg.Evaluation:
        return rg.evaluate_arrays(
            np.concatenate([self.labels[i] for i in at]),
            np.concatenate([self.scores[i] for i in at]),
            list(NAMES),
            qid=np.repeat([self.ids[i] for i in at], [len(self.labels[i]) for i in at]),
            weight=None if self.weight is None else self.weight[at],
            convention=self.rules,
        )

    def mean(self, name: str, at: Any) -> float:
        """The mean over some lists, as the documentation of conventions has it."""
        above, below = Fraction(0), Fraction(0)
        log = 0.0
        function, given = NAMES[name]
        for i in at:
            labels, scores = self.labels[i].tolist(), self.scores[i].tolist()
            value = getattr(reference, function)(labels, scores, **given)
            undefined = value is None
            if undefined and self.row["empty"] == "skip":
                continue
            if undefined and self.row["empty"] != self.row["empty"]:
                return math.nan
            worth = Fraction(self.row["empty"]) if undefined else Fraction(float(value))
            weight = Fraction(1)
            if self.weight is not None and self.row["weighted"]:
                weight = Fraction(self.weight[i])
            counts = weight
            if undefined and not self.row["empty_has_weight"]:
                counts = Fraction(1)
            if self.row["mean"] == "micro" and name == "P@2":
                items = min(2, len(labels))
                weight, counts = weight * items, counts * items
            above, below = above + counts * worth, below + weight
            log += float(counts) * math.log(max(float(worth), LEAST))
        if not below > 0:
            return math.nan
        result = math.exp(log / float(below)) if self.row["mean"] == "geometric" else above / below
        digits = self.row["round_mean"]
        return float(result) if digits is None else round(float(result), digits)


def outcomes(case: Case, path: Any) -> dict[Any, Any]:
    """The means that the way gives, by the places of their lists."""
    every = np.arange(case.row["lists"])
    groups = [every[case.codes == code] for code in dict.fromkeys(case.codes.tolist())]
    order = np.concatenate(groups)
    way, whole = case.row["way"], case.evaluated(every)
    if way == "by":
        parts = whole.by(case.codes)
        return {tuple(at): parts[str(case.codes[at[0]])].means for at in groups}
    if way == "merged":
        return {tuple(order): rg.Evaluation.merge(case.evaluated(at) for at in groups).means}
    if way == "by of merged":
        merged = rg.Evaluation.merge(case.evaluated(at) for at in groups)
        parts = merged.by(case.codes[order])
        return {tuple(at): parts[str(case.codes[at[0]])].means for at in groups}
    if way == "merged of by":
        return {tuple(order): rg.Evaluation.merge(whole.by(case.codes).values()).means}
    if way == "read":
        whole.to_json(path)
        parts = rg.Evaluation.read(path).by(case.codes)
        return {tuple(at): parts[str(case.codes[at[0]])].means for at in groups}
    if way == "pickled":
        merged = rg.Evaluation.merge([pickle.loads(pickle.dumps(whole))])
        return {tuple(every): merged.means}
    if way == "compared":
        return compared(case, whole, groups)
    return {tuple(every): whole.means}


def compared(case: Case, whole: rg.Evaluation, groups: list[Any]) -> dict[Any, Any]:
    try:
        result = rg.compare(
            {"a": whole, "b": whole}, by=case.codes, correction=None, resamples=99, test="bootstrap"
        )
    except ValueError as error:
        assert "nan" in str(error)  # noqa: PT017  # of some lists, and so of the mean
        return {}
    means: dict[Any, dict[str, float]] = {tuple(at): {} for at in groups}
    for row in result.rows:
        (at,) = (one for one in means if str(case.codes[one[0]]) == row.segment)
        assert row.mean_a == row.mean_b or row.mean_a != row.mean_a
        means[at][row.measure] = row.mean_a
    return means


@pytest.mark.parametrize("row", rows_of(AXES, possible), ids=name_of)
def test_means_of_every_way(row: Row, tmp_path: Any) -> None:
    case = Case(row)
    result = outcomes(case, tmp_path / "one.json")
    for at, means in result.items():
        for name, mean in means.items():
            expected = case.mean(name, at)
            assert mean == pytest.approx(expected, rel=1e-12, abs=1e-15, nan_ok=True), (name, at)
