"""Runs with repeats that keep their ranks: what is said of a list agrees with its value."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from rankgain.trec.by_query import Run

MEASURES = ["nDCG", "nDCG@3", "AP", "RR", "ERR", "P@3"]
CONVENTIONS = ["trec", "rankgain", "sklearn", "pytrec_eval", "beir", "ranx"]


def drawn(seed: int) -> tuple[dict[str, dict[str, int]], Run]:
    """A list of few ids, so that some come two or three times, with ties between them."""
    rng = np.random.default_rng(seed)
    names = ["a", "b", "c", "é", "a\0", "10", "9"]
    judged = {name: int(label) for name, label in zip(names, rng.integers(0, 3, 7), strict=True)}
    del judged["c"]
    size = int(rng.integers(2, 12))
    rows = zip(rng.choice(names, size), rng.integers(0, 4, size), strict=True)
    text = [{"query": "q", "document": str(one), "score": float(s)} for one, s in rows]
    return {"q": judged}, rg.Run(text, duplicates="in_place")


@pytest.mark.parametrize("seed", range(40))
def test_an_explanation_has_the_value_of_the_list(seed: int) -> None:
    qrels, run = drawn(seed)
    rows = run.documents("q")
    for convention in CONVENTIONS:
        for ties in ("id_descending", "id", "stable", "average", "worst"):
            options: Any = {"convention": convention, "ties": ties}
            values = rg.evaluate(qrels, run, MEASURES, **options).to_dict()["q"]
            for measure in ("nDCG", "nDCG@3", "AP", "RR"):
                family, _, k = measure.partition("@")
                cut = {"k": int(k)} if k else {}
                explanation: Any = rg.explain(
                    qrels, run, query="q", measure=family, **cut, **options
                )
                value = explanation.ndcg if family == "nDCG" else explanation.value
                assert value == pytest.approx(values[measure], abs=1e-7, nan_ok=True)
                assert sorted(explanation.documents) == sorted(rows) or k
                for rank, document in enumerate(explanation.documents, 1):
                    assert (rank in explanation.unjudged) == (document not in qrels["q"])


@pytest.mark.parametrize("seed", range(20))
def test_the_documents_to_judge_are_those_of_first_rows(seed: int) -> None:
    """The effect of one judgment is the range of the mean, by evaluation with either label."""
    qrels, run = drawn(seed)
    best = rg.judge_next(qrels, run, "nDCG@3", 5, convention="rankgain")
    top = max([1, *qrels["q"].values()])
    effects = {}
    for document in set(run.documents("q")) - set(qrels["q"]):
        values = [
            rg.evaluate({"q": labels}, run, "nDCG@3", convention="rankgain")["nDCG@3"]
            for labels in (qrels["q"], {**qrels["q"], document: top})
        ]
        effects[document] = abs(values[1] - values[0])
    assert {document for _, document in best} <= {one for one, effect in effects.items() if effect}
