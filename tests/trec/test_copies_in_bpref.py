"""Bpref of lists with several copies of a document: trec_eval's formula, over documents."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rankgain as rg
from reference import all_orders, bpref, order_block, standing_of, tie_blocks

pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

RULES = ["average", "best", "worst", "stable", "reverse", "id", "id_descending"]
Rows = list[tuple[str, float]]
Judged = dict[str, int]


def bpref_of_documents(rows: Rows, judged: Judged, rule: str) -> float:
    """The oracle's value for the documents, each in the row of its best score.

    Of several such rows the first one under the rule counts.
    """
    if rule == "reverse":
        rows = rows[::-1]
    best: dict[str, float] = {}
    for document, score in rows:
        best[document] = max(best.get(document, score), score)
    # In the order of the rows that count.
    counting = [row for row in dict.fromkeys(rows) if best[row[0]] == row[1]]
    documents = [document for document, _ in counting]
    scores = [score for _, score in counting]
    standings = [standing_of(judged.get(document)) for document in documents]
    blocks = tie_blocks(scores, len(documents))
    pool = [standing_of(label) for label in judged.values()]
    if rule in ("average", "best", "worst"):
        values = [bpref.of_order(order, pool=pool) for order in all_orders(blocks, standings)]
        if rule == "best":
            return float(max(values))
        if rule == "worst":
            return float(min(values))
        return float(sum(values) / len(values))
    ties = "stable" if rule == "reverse" else rule
    order = [
        standings[index]
        for block in blocks
        for index in order_block(block, ties, standings, documents)
    ]
    return float(bpref.of_order(order, pool=pool))


def draw_lists(seed: int, *, all_judged: bool) -> tuple[Rows, Judged]:
    """Rows with copies and ties, and judgments of which one at least is relevant."""
    rng = np.random.default_rng(seed)
    names = [f"d{number}" for number in range(6)]
    documents = rng.choice(names, 10).tolist()
    scores = rng.integers(0, 5, 10).astype(float).tolist()
    judged = {"not retrieved": 1}
    for name in names:
        if all_judged or rng.random() < 0.8:
            judged[name] = int(rng.integers(0, 2))
    return list(zip(documents, scores, strict=True)), judged


def values_in_place(rows: Rows, judged: Judged, rule: str) -> dict[str, float]:
    """Bpref beside another measure, by the form of the input."""
    shared: Any = {"ties": rule}
    frame = pandas.DataFrame(rows, columns=["doc", "score"]).assign(query="q")
    run = rg.Run.from_frame(frame, duplicates="in_place")
    # Each row is a chunk of its document.
    chunks = {f"{document}#{row}": score for row, (document, score) in enumerate(rows)}
    of_chunks = rg.Run({"q": chunks}, documents="#", duplicates="in_place")
    qrels = {"q": judged}
    results = {
        "alone": rg.evaluate(qrels, run, "Bpref", **shared),
        "beside AP": rg.evaluate(qrels, run, ["AP", "Bpref", "P@2"], **shared),
        "truth": rg.evaluate_frame(
            frame, ["AP", "Bpref"], truth=qrels, duplicates="in_place", **shared
        ),
    }
    if rule not in ("id", "id_descending"):  # of one score, chunks are ordered by their own ids
        results["chunks"] = rg.evaluate(qrels, of_chunks, ["AP", "Bpref"], **shared)
    return {form: result["Bpref"] for form, result in results.items()}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(12))
def test_bpref_counts_documents_and_not_their_copies(seed: int, rule: str) -> None:
    rows, judged = draw_lists(seed, all_judged=False)
    expected = bpref_of_documents(rows, judged, rule)
    assert 0.0 <= expected <= 1.0
    for form, value in values_in_place(rows, judged, rule).items():
        assert value == pytest.approx(expected, rel=1e-12, abs=1e-15), form


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(12))
def test_bpref_of_tables_with_labels_counts_documents(seed: int, rule: str) -> None:
    rows, judged = draw_lists(seed, all_judged=True)
    retrieved = {document: judged[document] for document, _ in rows}
    if not any(retrieved.values()):
        retrieved = dict.fromkeys(retrieved, 1)
    frame = pandas.DataFrame(rows, columns=["doc", "score"])
    frame = frame.assign(query="q", label=frame["doc"].map(retrieved))
    result = rg.evaluate_frame(frame, ["AP", "Bpref"], duplicates="in_place", ties=rule)
    expected = bpref_of_documents(rows, retrieved, rule)
    assert result["Bpref"] == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_many_copies_of_one_nonrelevant_document_count_once() -> None:
    rows = [("n", 5.0), ("n", 4.0), ("n", 3.0), ("a", 2.0), ("a", 1.5), ("b", 1.0)]
    frame = pandas.DataFrame(rows, columns=["doc", "score"]).assign(query="q")
    run = rg.Run.from_frame(frame, duplicates="in_place")
    # One judged document that is not relevant stands above each relevant one: 1 - 1 / min(2, 2).
    qrels = {"q": {"n": 0, "m": 0, "a": 1, "b": 1}}
    result = rg.evaluate(qrels, run, ["Bpref", "GMBpref", "NumNonrelJudgedRet", "Judged@5"])
    assert result["Bpref"] == 0.5
    assert result["GMBpref"] == pytest.approx(0.5)
    # The others count ranks, where copies are judged and not relevant.
    assert result["NumNonrelJudgedRet"] == 4.0
    assert result["Judged@5"] == 1.0
    # Without a judged document that is not relevant, nothing stands above a relevant one.
    assert rg.evaluate({"q": {"a": 1, "b": 1}}, run, "Bpref")["Bpref"] == 1.0


def test_reconcile_takes_bpref_of_documents() -> None:
    rows = [("n", 5.0), ("n", 4.0), ("a", 2.0), ("b", 1.0)]
    frame = pandas.DataFrame(rows, columns=["doc", "score"]).assign(query="q")
    run = rg.Run.from_frame(frame, duplicates="in_place")
    qrels = {"q": {"n": 0, "a": 1, "b": 1}, "r": {"a": 1}}
    result = rg.reconcile_runs(qrels, run, "trec", "pytrec_eval", measure="Bpref")
    assert result.means == (0.0, 0.0)
