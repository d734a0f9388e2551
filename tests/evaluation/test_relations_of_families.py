"""Every family alone, beside all others, in another order, and at each cutoff of a sequence."""

from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.measures.families import ROWS

TIES = ["average", "stable", "reverse", "best", "worst", "random", "id", "id_descending"]
CONVENTIONS = {ties: rg.conventions["rankgain"].replace(ties=ties) for ties in TIES}
CUTOFFS = (1, 2, 3, 5, 9, 20)
CUTOFF_TEXTS = {
    "optional": ["", *(f"@{k}" for k in CUTOFFS)],
    "required": [f"@{k}" for k in CUTOFFS],
    "recall": ["@0.1", "@0.5", "@1"],
    "multiple": ["_0.20", "_0.60", "_1.00"],
    "none": [""],
}


@cache
def lists_of(documents: int) -> tuple[Any, dict[str, Any]]:
    """Judgments, some scores of each query tied, and documents that nobody judged."""
    rng = np.random.default_rng(documents)
    qrels, run = {}, {}
    for query in ("q1", "q2", "q3"):
        ids = [f"d{number:04}" for number in rng.permutation(documents)]
        is_judged = rng.random(documents) < 0.7
        labels = rng.choice([0, 0, 0, 1, 2], documents)
        scores = rng.integers(0, documents // 2, documents) / 2
        qrels[query] = {
            document: int(label)
            for document, label, judged in zip(ids, labels, is_judged, strict=True)
            if judged
        }
        qrels[query]["not retrieved"] = 1
        run[query] = dict(zip(ids, scores.tolist(), strict=True))
    return rg.Qrels(qrels), rg.Run(run)


def evaluate(documents: int, names: Any, ties: str) -> dict[str, bytes]:
    """The values of each measure as bits; the tie rule is that of the convention."""
    result = rg.evaluate(*lists_of(documents), names, convention=CONVENTIONS[ties])
    return {name: column.tobytes() for name, column in result.per_query.items()}


def accepted_names(ties: str) -> dict[str, list[str]]:
    """The names of each family, at all its cutoffs, that a call with this tie rule accepts."""
    names = {}
    for row in ROWS:
        texts = [row.example + cutoff for cutoff in CUTOFF_TEXTS[row.cutoff]]
        with suppress(ValueError):
            evaluate(8, texts, ties)
            names[row.name] = texts
    return names


@pytest.mark.parametrize("documents", [8, 40, 1100])
@pytest.mark.parametrize("ties", TIES)
@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
def test_alone_and_together(ties: str, documents: int) -> None:
    names = accepted_names(ties)
    every = [name for family in names.values() for name in family]
    together = evaluate(documents, every, ties)
    assert evaluate(documents, every[::-1], ties) == together
    for family in names.values():
        for requested in [family, *family]:
            for key, column in evaluate(documents, requested, ties).items():
                assert column == together[key], (key, requested)


ARRAYS: dict[str, dict[str, Any]] = {
    "arrays": {"gain": np.array([0.0, 1.0, 5.0]), "discount": 1.0 / np.arange(1.0, 51.0)},
    "lists": {"gain": [0, 3, 4], "discount": [1.0, 0.8, 0.8, *[0.1] * 40]},
    "below zero": {"gain": [0.0, -1.0, 2.0], "discount": [1.0] * 41},
    "functions": {"gain": np.sqrt, "discount": lambda ranks: 1.0 / np.sqrt(ranks)},
}


@pytest.mark.parametrize("options", ARRAYS.values(), ids=list(ARRAYS))
@pytest.mark.parametrize("ties", ["average", "stable", "best"])
def test_arrays_of_gains_and_weights_alone_and_together(ties: str, options: Any) -> None:
    names = [f"{name}{cutoff}" for name in ("nDCG", "DCG") for cutoff in CUTOFF_TEXTS["optional"]]
    judged = lists_of(40)
    shared = {"convention": CONVENTIONS[ties], **options}
    every = [*names, "nDCG(discount=log2)@7", "nDCG(gain=linear)@3", "nDCG(gain={0:0,1:2,2:2})@3"]
    together = rg.evaluate(*judged, every, **shared).per_query
    reversed_order = rg.evaluate(*judged, every[::-1], **shared).per_query
    for name in every:
        alone = rg.evaluate(*judged, name, **shared).per_query[name]
        assert alone.tobytes() == together[name].tobytes()
        assert alone.tobytes() == reversed_order[name].tobytes()


def test_families_that_the_relation_does_not_reach() -> None:
    """PFound takes chances as labels; averaged ties need a closed form."""
    without_average = {row.name for row in ROWS if not row.row.averages}
    for ties in TIES:
        refused = {row.name for row in ROWS} - accepted_names(ties).keys()
        assert refused == {"PFound"} | (without_average if ties == "average" else set())
