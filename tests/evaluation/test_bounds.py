"""Bounds over ties and over unjudged documents, beside every choice that the oracle can make."""

import itertools
import pickle
from typing import Any

import numpy as np
import pytest

import rankgain as rg
import reference
from bound_cases import EVERY, close, values_of

sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")


def test_gains_that_overflow_for_an_unjudged_document_alone() -> None:
    labels = np.zeros((2, 30))
    labels[:, 0] = 1.0, 1023.9  # the gain of the second one is near the largest float64
    scores = np.random.default_rng(0).random((2, 30))
    judged = sparse.csr_matrix(labels)
    assert rg.evaluate_arrays(judged, scores, "nDCG(gain=exp2)").means
    with pytest.raises(ValueError, match=r"^bounds: the gains of list 0 overflow .* unjudged"):
        rg.evaluate_arrays(judged, scores, "nDCG(gain=exp2)", bounds="unjudged")


# ---- ties


def tied_lists(seed: int) -> list[tuple[list[int], list[float]]]:
    rng = np.random.default_rng(seed)
    lists = []
    for _ in range(25):
        n = int(rng.integers(1, 8))
        lists.append((rng.integers(0, 4, n).tolist(), (rng.integers(0, 3, n) / 2).tolist()))
    return [*lists, ([1, 0, 2, 0, 1], [0.5] * 5), ([0, 0, 0], [1.0] * 3)]


def orders_of(scores: list[float]) -> list[list[int]]:
    """Every ranking that the ties allow."""
    blocks = reference.tie_blocks(scores, len(scores))
    choices = itertools.product(*(itertools.permutations(block) for block in blocks))
    return [[at for block in choice for at in block] for choice in choices]


@EVERY
def test_tie_bounds_are_the_extremes_of_all_orders(name: str) -> None:
    lists = tied_lists(1)
    labels, scores = (np.concatenate(column) for column in zip(*lists, strict=True))
    sizes = [len(one) for one, _ in lists]
    result = rg.evaluate_arrays(labels, scores, name, group=sizes, bounds="ties", empty=0.0)
    for (mine, given), ends in zip(lists, result.bounds["ties"][name], strict=True):
        choices = [([mine[i] for i in order], None, None, "stable") for order in orders_of(given)]
        values = values_of(name, choices) or [0.0]
        close(ends, [min(values), max(values)])
    assert (np.diff(result.bounds["ties"][name], axis=1) > 0).any() == (
        name not in ("IDCG@4", "P(divisor=min)@9")  # which no order changes
    )
    close(result.bound_means["ties"][name], result.bounds["ties"][name].mean(axis=0))


@pytest.mark.parametrize("gain", [{0: 0, 1: 3, 2: 1, 3: 2}, {0: 1, 1: 0, 2: 3, 3: 3}])
def test_tie_bounds_follow_the_gain_where_labels_do_not(gain: dict[int, int]) -> None:
    for mine, given in tied_lists(2):
        result = rg.evaluate_arrays(mine, given, "DCG@3", gain=gain, bounds=["ties"])
        values = [
            float(reference.dcg([mine[i] for i in order], gain=gain, k=3))
            for order in orders_of(given)
        ]
        close(result.bounds["ties"]["DCG@3"][0], [min(values), max(values)])


def test_tie_bounds_take_negative_gains() -> None:
    mine, given = [-1, 2, 0, -2, 1], [1.0, 1.0, 1.0, 0.0, 0.0]
    for name, k in (("DCG@2", 2), ("DCG@4", 4), ("DCG", None)):
        result = rg.evaluate_arrays(mine, given, name, bounds="ties").bounds["ties"][name][0]
        values = [float(reference.dcg([mine[i] for i in o], k=k)) for o in orders_of(given)]
        close(result, [min(values), max(values)])


def test_measures_whose_extreme_orders_are_not_known() -> None:
    with pytest.raises(ValueError, match=r"infAP.*ties"):
        rg.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, ["AP", "infAP"], bounds="ties")


def test_the_tie_report_counts_lists_and_documents() -> None:
    scores = [[0.5, 0.5, 0.1, 0.1], [0.4, 0.3, 0.2, 0.1], [1.0, 1.0, 1.0, 0.0]]
    labels = [[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 1]]
    result = rg.evaluate_arrays(labels, scores, ["AP", "P@1"], bounds=("ties",))
    report = result.tie_report()
    assert (report.queries, report.tied_lists) == (3, 2)
    assert (report.documents, report.tied_documents, report.tie_blocks) == (12, 7, 3)
    assert [move.lists for move in report.moves] == [1, 1]
    assert [move.most for move in report.moves] == [0.5, 1.0]
    assert str(report).startswith("2 of 3 lists have ties: 7 of 12 documents in 3 groups\n")
    narrow = rg.evaluate_arrays([[1, 0]], [[1.0, 1 + 1e-9]], "AP", bounds="ties")
    assert narrow.tie_report().tied_lists == 0
    narrow = rg.evaluate_arrays(
        [[1, 0]], [[1.0, 1 + 1e-9]], "AP", bounds="ties", convention="xgboost"
    )
    assert narrow.tie_report().tied_documents == 2
    with pytest.raises(ValueError, match="bounds"):
        rg.evaluate_arrays([1, 0], [1.0, 0.0], "AP").tie_report()


# ---- refusals, exports


@pytest.mark.parametrize("bounds", ["tie", ("ties", "all"), [3], 3])
def test_unknown_kinds(bounds: Any) -> None:
    error, words = (
        (TypeError, "bounds") if bounds == 3 else (ValueError, 'hold "ties" or "unjudged"')
    )
    with pytest.raises(error, match=words):
        rg.evaluate_arrays([1, 0], [1.0, 0.0], "AP", bounds=bounds)


def example() -> rg.Evaluation:
    qrels = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
    run = {"q1": {"b": 0.9, "x": 0.8, "a": 0.8}, "q2": {"c": 1.0}}
    return rg.evaluate(qrels, run, ["nDCG@2", "AP"], bounds=("ties", "unjudged"))


def test_bounds_are_immutable_pickle_and_come_back_from_json(tmp_path: Any) -> None:
    result = example()
    with pytest.raises(ValueError, match="read-only"):
        result.bounds["ties"]["AP"][0, 0] = 1
    with pytest.raises(TypeError):
        result.bound_means["ties"] = {}  # type: ignore[index]
    result.to_json(tmp_path / "found.json")
    for other in (pickle.loads(pickle.dumps(result)), rg.Evaluation.read(tmp_path / "found.json")):
        assert other == result
        assert other.bound_means == result.bound_means
        np.testing.assert_array_equal(other.bounds["ties"]["AP"], result.bounds["ties"]["AP"])
        assert other.tie_report() == result.tie_report()
    assert result != rg.evaluate({"q1": {"a": 2}}, {"q1": {"a": 0.9}}, ["nDCG@2", "AP"])


def test_bounds_are_printed_and_written_as_columns() -> None:
    result = example()
    lines = str(result).splitlines()
    assert lines[0].split("  ")[-1].strip() == "unjudged high"
    assert len(lines[1].split()) == 6
    header, *rows = result.to_csv().splitlines()
    assert header.endswith("AP unjudged low,AP unjudged high")
    assert len(rows) == 3
    low, high = (float(cell) for cell in rows[-1].split(",")[-2:])
    assert (low, high) == result.bound_means["unjudged"]["AP"]
