"""The same bits from every layout, dtype, memory order and way of asking."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

import rankgain as rg
import strategies
from grids import KS, LABELS, SCORES, asked, csr, same_bits
from rankgain.engine.columns import CALLS
from sampling import sampled

EVERY = pytest.mark.parametrize("measure", strategies.MEASURES)
RULES = [*strategies.TIES, "random"]
TIES = pytest.mark.parametrize("ties", RULES)

# ---- asked again: kept plans and the short way of plain arrays


@EVERY
@pytest.mark.parametrize("label", [np.float32, np.int8, np.int64, bool])
def test_rows_asked_again_have_the_same_bits(measure, label):
    """The second call on rows of plain arrays goes straight to the core, threads=2 never does."""
    function = getattr(rg, measure)
    cut = {} if measure in strategies.UNCUT else {"k": 7}
    for score, docs in itertools.product((np.float32, np.float64), (30, 12, 1)):
        labels, scores = LABELS[:, :docs].astype(label), SCORES[:, :docs].astype(score)
        for layout in (np.ascontiguousarray, np.asfortranarray):
            calls = [function(layout(labels), layout(scores), **cut) for _ in range(3)]
            whole = function(labels, scores, threads=2, **cut)
            single = [function(a, b, **cut) for a, b in zip(labels, scores, strict=True)]
            for result in (*calls, np.array(single)):
                same_bits(result, whole, (score, docs))


def test_empty_is_filled_in_rows_asked_again():
    labels, scores = np.array([[0, 0], [1, 0]]), np.array([[0.2, 0.1], [0.2, 0.1]])
    for empty in (0.25, float("nan"), 1.0):
        for _ in range(3):
            np.testing.assert_array_equal(rg.ndcg(labels, scores, empty=empty), [empty, 1.0])


def test_a_weight_table_too_short_for_later_rows_is_left():
    """Uncut, the plan of short rows does not reach the ranks of long ones."""
    for docs in (3, 500, 3):
        labels, scores = np.eye(2, docs, docs - 2), np.tile(-np.arange(docs) * 1.0, (2, 1))
        expected = 1 / np.log2([docs, docs + 1])
        np.testing.assert_allclose(rg.ndcg(labels, scores), expected, rtol=1e-15)


def test_a_plan_of_two_columns_is_not_kept_for_calls_of_one():
    """A micro mean has a second column, of what its values are shares of."""
    for labels, scores in ((LABELS, SCORES), (LABELS[0], SCORES[0])):
        result = [
            rg.precision(labels, scores, k=5, convention="implicit", empty=0.0) for _ in range(3)
        ]
        same_bits(result[1:], result[:1] * 2)
    plans = [call.plan for call in CALLS.values() if call.plan is not None]
    assert {plan.width for plan in plans} == {1}


@pytest.mark.parametrize("k", [np.array(3), np.int64(3), 3])
def test_a_cutoff_of_every_kind_of_integer(k):
    for labels, scores in ((LABELS, SCORES), (LABELS[0], SCORES[0])):
        for _ in range(2):
            same_bits(rg.ndcg(labels, scores, k=k), rg.ndcg(labels, scores, k=[3])[..., 0])


def test_measures_asked_again_serve_other_lists():
    """Plans are kept for the measures and the longest list; all else is looked at again."""
    names = ["nDCG@5", "AP", "R@3", "nDCG(gain=exp2)", "RR(ties=worst)"]
    for rows in (LABELS, LABELS[::-1], np.zeros_like(LABELS), 4 - LABELS):
        for form in (rows, csr(rows)):
            result = rg.evaluate_arrays(form, SCORES, names)
            for name in names:
                alone = rg.evaluate_arrays(rows, SCORES, name, threads=2)
                same_bits(result.per_query[name], alone.per_query[name], name)
        judged = np.hstack([rows, np.ones_like(rows)])
        result = rg.evaluate_arrays(rows, SCORES, names, judged=judged)
        same_bits(result.per_query["R@3"], rg.recall(rows, SCORES, k=3, judged=judged))


# ---- how lists are put together


@pytest.mark.parametrize(("measure", "ties"), sampled(strategies.MEASURES, RULES, one_in=6))
@settings(max_examples=25)
@given(batch=strategies.batches(max_size=20))
def test_ragged_layouts(measure: str, ties: str, batch: list[strategies.List]) -> None:
    function = getattr(rg, measure)
    arguments = asked(measure, ties=ties, **({"seed": 5} if ties == "random" else {}))
    sizes = [len(one[0]) for one in batch]
    labels = np.array([label for one in batch for label in one[0]], int)
    scores = np.array([score for one in batch for score in one[1]], float)
    by_group = function(labels, scores, group=sizes, **arguments)

    width = max(sizes, default=0) + 2
    padded = np.full((len(batch), width), np.inf), np.full((len(batch), width), np.nan)
    for i, one in enumerate(batch):
        padded[0][i, : sizes[i]], padded[1][i, : sizes[i]] = one
    same_bits(function(*padded, lengths=sizes, **arguments), by_group, "padded")
    truth = rg.Truth(labels, group=sizes)
    same_bits(function(truth, scores, **arguments), by_group, "Truth")
    if ties != "random":  # draws depend on the index of the list
        for i, one in enumerate(batch):
            same_bits(function(*one, **arguments), by_group[i], "alone")
        kept = [i for i, size in enumerate(sizes) if size]
        qid = np.repeat(np.arange(len(sizes)) * 7, sizes)
        same_bits(function(labels, scores, qid=qid, **arguments), by_group[kept], "qid")


@EVERY
@TIES
def test_rectangular_layouts(measure: str, ties: str) -> None:
    function = getattr(rg, measure)
    arguments = asked(measure, ties=ties, **({"seed": 5} if ties == "random" else {}))
    dense = function(LABELS, SCORES, **arguments)
    sizes, n = np.full(9, 30), LABELS.size
    flat = LABELS.ravel(), SCORES.ravel()
    same_bits(function(LABELS, SCORES, lengths=sizes, **arguments), dense, "lengths")
    for dtype in (np.int32, np.int64, np.uint8, np.uint64):
        same_bits(function(*flat, group=sizes.astype(dtype), **arguments), dense, dtype)
    ids: Any
    for ids in (np.arange(n) // 30, [f"q{9 - i}" for i in range(9) for _ in range(30)]):
        same_bits(function(*flat, qid=ids, **arguments), dense, "qid")
    same_bits(function(LABELS.tolist(), SCORES.tolist(), **arguments), dense, "nested lists")
    rows = [function(LABELS[i], SCORES[i], **arguments) for i in range(9)]
    if ties != "random":
        same_bits(np.array(rows), dense, "row by row")
    for index in (np.int32, np.int64):
        same_bits(function(csr(LABELS, index), SCORES, **arguments), dense, "CSR")
    truths = [
        rg.Truth(LABELS),
        rg.Truth(LABELS, lengths=sizes),
        rg.Truth(flat[0], group=sizes),
        rg.Truth(flat[0], qid=np.arange(n) // 30),
    ]
    for i, truth in enumerate(truths):
        shaped = flat[1] if i in (2, 3) else SCORES
        same_bits(function(truth, shaped, **arguments), dense, f"Truth {i}")


@EVERY
def test_given_orders(measure: str) -> None:
    function = getattr(rg, measure)
    order = np.argsort(-SCORES, axis=1, kind="stable")
    ranked = np.take_along_axis(LABELS, order, axis=1)
    dense = function(LABELS, SCORES, ties="stable", **asked(measure))
    same_bits(function(ranked, **asked(measure)), dense)
    same_bits(function(ranked, None, **asked(measure)), dense)
    same_bits(function(ranked.ravel(), group=[30] * 9, **asked(measure)), dense)
    same_bits(function(ranked, lengths=[30] * 9, **asked(measure)), dense)
    descending = np.broadcast_to(-np.arange(30), ranked.shape)
    same_bits(function(ranked, descending, **asked(measure)), dense)


@EVERY
def test_scipy_matrices(measure: str) -> None:
    sparse = pytest.importorskip("scipy.sparse")
    function = getattr(rg, measure)
    dense = function(LABELS, SCORES, **asked(measure))
    data, indices, indptr = csr(LABELS)
    turned = [np.arange(a, b)[::-1] for a, b in itertools.pairwise(indptr)]
    backwards = np.concatenate(turned)
    unsorted = data[backwards], indices[backwards], indptr
    with_zeros = sparse.csr_array(np.where(LABELS == 0, 99, LABELS))
    with_zeros.data[with_zeros.data == 99] = 0
    matrices = [sparse.csr_array(LABELS), sparse.csr_matrix(LABELS), with_zeros, unsorted]
    matrices.append(sparse.csr_array(unsorted, shape=LABELS.shape))
    for matrix in matrices:
        same_bits(function(matrix, SCORES, **asked(measure)), dense)
    for matrix in matrices[:3]:
        same_bits(function(rg.Truth(matrix), SCORES, **asked(measure)), dense)
    for matrix in matrices[:2]:
        for dtype in (np.float32, np.int8, bool):
            expected = function(LABELS.astype(dtype), SCORES, **asked(measure))
            same_bits(function(matrix.astype(dtype), SCORES, **asked(measure)), expected)


@pytest.mark.parametrize("measure", [m for m in strategies.MEASURES if m != "auc"])
def test_judged_layouts(measure: str) -> None:
    function = getattr(rg, measure)
    extra = np.zeros((9, 4), int)
    extra[::2, 1], extra[1] = 3, [4, 1, 2, 1]
    padded = np.concatenate([LABELS, extra], axis=1)[:, ::-1]
    rows = [row[row > 0] for row in padded]
    expected = function(LABELS, SCORES, judged=padded, **asked(measure))
    assert (expected != function(LABELS, SCORES, **asked(measure))).any() or measure in (
        "cg", "dcg", "precision", "reciprocal_rank", "hit_rate", "rbp", "err"
    )  # fmt: skip
    layouts: list[Any] = [rows, [row.astype(np.float32) for row in rows], csr(padded)]
    for judged in (*layouts, padded.astype(np.uint8), [list(map(float, row)) for row in rows]):
        same_bits(function(LABELS, SCORES, judged=judged, **asked(measure)), expected)
        truth = rg.Truth(LABELS, judged=judged)
        same_bits(function(truth, SCORES, **asked(measure)), expected)
    for i in range(9):
        alone = function(LABELS[i], SCORES[i], judged=rows[i], **asked(measure))
        same_bits(alone, expected[i])
    flat = LABELS.ravel(), SCORES.ravel()
    by_group = function(*flat, group=[30] * 9, judged=rows, **asked(measure))
    same_bits(by_group, expected)


# ---- what is asked


@pytest.mark.parametrize(
    "call", [c for c in strategies.CALLS if c[0] not in strategies.UNCUT], ids=strategies.label_of
)
def test_k_alone_or_in_a_sequence(call: Any) -> None:
    measure, arguments = call
    function, arguments = getattr(rg, measure), strategies.to_library(arguments)
    cutoffs = [*KS, None, 29, 30, 31]
    together = function(LABELS, SCORES, k=cutoffs, **arguments)
    for i, k in enumerate(cutoffs):
        same_bits(function(LABELS, SCORES, k=k, **arguments), together[:, i], k)


@TIES
def test_evaluate_arrays_equals_the_functions(ties: str) -> None:
    arguments: dict[str, Any] = {"ties": ties, **({"seed": 5} if ties == "random" else {})}
    names, expected = [], []
    for measure, name in strategies.NAMES.items():
        function = getattr(rg, measure)
        for k in [None] if measure in strategies.UNCUT else [None, *KS]:
            names.append(name if k is None else f"{name}@{k}")
            cut = {} if k is None else {"k": k}
            expected.append(function(LABELS, SCORES, **cut, **arguments))
    result = rg.evaluate_arrays(LABELS, SCORES, names, **arguments)
    by_group = rg.evaluate_arrays(
        LABELS.ravel(), SCORES.ravel(), names, group=[30] * 9, **arguments
    )
    for name, values in zip(names, expected, strict=True):
        same_bits(result.per_query[name], values, name)
        same_bits(by_group.per_query[name], values, name)
        alone = rg.evaluate_arrays(LABELS, SCORES, name, **arguments)
        same_bits(alone.per_query[name], values, name)


def test_evaluate_arrays_with_parameters() -> None:
    calls: dict[str, tuple[str, dict[str, Any]]] = {
        "nDCG(gain=exp2)@10": ("ndcg", {"gain": "exp2", "k": 10}),
        "AP(rel=2)@20": ("average_precision", {"rel": 2, "k": 20}),
        "RBP(p=0.5)": ("rbp", {"p": 0.5}),
        "F1@5": ("f1", {"k": 5}),
        "P(rel=3)@5": ("precision", {"rel": 3, "k": 5}),
    }
    result = rg.evaluate_arrays(LABELS, SCORES, list(calls))
    for name, (measure, arguments) in calls.items():
        same_bits(result.per_query[name], getattr(rg, measure)(LABELS, SCORES, **arguments), name)


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")  # a cutoff deeper than the rows
def test_evaluate_ids_equals_the_functions() -> None:
    recommended = np.array([[5, 2, 9, 0], [1, 3, -1, -1], [-1, -1, -1, -1], [4, 5, 6, 7]])
    relevant = [[2, 0, 7], [3], [1], []]
    names = ["nDCG@3", "AP", "RR@10", "HitRate@2", "R@4", "P@2", "nDCG", "RBP", "RPrec"]
    result = rg.evaluate_ids(recommended, relevant, names)
    ranked = [[int(i in truth) for i in row if i >= 0] for row, truth in zip(
        recommended.tolist(), relevant, strict=True)]  # fmt: skip
    judged = [[1] * len(truth) for truth in relevant]
    flat = [label for row in ranked for label in row]
    sizes = [len(row) for row in ranked]
    expected = rg.evaluate_arrays(flat, None, names, group=sizes, judged=judged)
    for name in names:
        same_bits(result.per_query[name], expected.per_query[name], name)
    indptr = np.cumsum([0, *map(len, relevant)])
    matrix = np.ones(indptr[-1], np.int8), np.concatenate(relevant).astype(int), indptr
    for form in (matrix, [np.array(truth, np.int32) for truth in relevant]):
        again = rg.evaluate_ids(recommended.astype(np.int32), form, names)
        for name in names:
            same_bits(again.per_query[name], expected.per_query[name], name)


@pytest.mark.parametrize(
    "options", [{}, {"bounds": "unjudged"}, {"convention": "torchmetrics"}], ids=str
)
def test_csr_may_have_room_for_more_entries(options: dict[str, Any]) -> None:
    """Where the last list ends, data and indices may go on."""

    def answer(room: int) -> rg.Evaluation:
        data, indices = np.array([2, 1, 1] + [9] * room), np.array([0, 2, 1] + [0] * room)
        out = np.ones(1 + room), np.array([1] + [0] * room), np.array([0, 1, 1])
        scores = np.array([[0.9, 0.5, 0.7], [0.3, 0.1, -1]])
        labels = data, indices, np.array([0, 2, 3])
        return rg.evaluate_arrays(labels, scores, ["nDCG", "AP"], exclude=out, **options)

    assert answer(2) == answer(0)
    assert answer(2).bound_means == answer(0).bound_means
