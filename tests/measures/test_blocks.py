"""Grouped AUC, PR-AUC, lift, ranks of link prediction and PFound, against their definitions."""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import blocks
import rankgain as rg
from sampling import sampled

RANKS = ("optimistic", "realistic", "pessimistic")
# name -> (oracle, its arguments)
MEASURES: dict[str, tuple[Any, dict[str, Any]]] = {
    "PRAUC": (blocks.pr_auc, {}),
    "PRAUC(rel=2)": (blocks.pr_auc, {"rel": 2}),
    "MR": (blocks.mean_rank, {}),
    "AMR": (blocks.adjusted_mean_rank, {}),
    "AMRI": (blocks.adjusted_mean_rank_index, {}),
    "RankingLoss": (blocks.ranking_loss, {}),
    "CoverageError": (blocks.coverage_error, {}),
    "CoverageError(rel=2)": (blocks.coverage_error, {"rel": 2}),
    "MR(rel=2)": (blocks.mean_rank, {"rel": 2}),
    "AMRI(rel=2)": (blocks.adjusted_mean_rank_index, {"rel": 2}),
    "RankingLoss(rel=2)": (blocks.ranking_loss, {"rel": 2}),
    "RR(rank=realistic,rel=2)@3": (blocks.reciprocal_rank, {"rank": "realistic", "k": 3, "rel": 2}),
    "Gain(share=0.25,rel=2)": (blocks.captured, {"share": "0.25", "rel": 2}),
    "Lift": (blocks.lift, {}),
    "Lift@2": (blocks.lift, {"k": 2}),
    "Lift@50": (blocks.lift, {"k": 50}),
    "Lift(share=0.1)": (blocks.lift, {"share": "0.1"}),
    "Lift(share=0.35)": (blocks.lift, {"share": "0.35"}),
    "Lift(share=1)": (blocks.lift, {"share": "1"}),
    "Gain@3": (blocks.captured, {"k": 3}),
    "Gain(share=0.25)": (blocks.captured, {"share": "0.25"}),
}
for _rank in RANKS:
    MEASURES[f"MR(rank={_rank})"] = (blocks.mean_rank, {"rank": _rank})
    for _k in (None, 1, 2, 3, 5):
        _at = "" if _k is None else f"@{_k}"
        MEASURES[f"RR(rank={_rank}){_at}"] = (blocks.reciprocal_rank, {"rank": _rank, "k": _k})
        MEASURES[f"HitRate(rank={_rank}){_at}"] = (blocks.hit_rate, {"rank": _rank, "k": _k})
SKIPPED = ("MR", "AMR", "AMRI", "RankingLoss")


def draw(seed: int, n: int, values: int, share: float = 0.3) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    labels = rng.integers(1, 3, n) * (rng.random(n) < share)
    return labels, rng.integers(0, values, n) / 4


def wanted(name: str, labels: Any, scores: Any, **more: Any) -> float:
    oracle, arguments = MEASURES[name]
    lists = [None if one is None else np.asarray(one).tolist() for one in (labels, scores)]
    value = oracle(*lists, **arguments, **more)
    if value is None:
        return np.nan if name.partition("(")[0] in SKIPPED else 0.0
    return float(value)


def check(result: Any, expected: Any, context: str = "") -> None:
    np.testing.assert_allclose(result, expected, rtol=1e-12, atol=1e-15, err_msg=context)


# Lists of every kind: no ties, ties, all tied, one class, long ones that are selected or sorted.
SHAPES = [(1, 1), (2, 1), (6, 3), (7, 30), (8, 1), (9, 2), (40, 6), (300, 12), (1500, 200)]


@pytest.mark.parametrize(("shape", "share"), sampled(SHAPES, (0.0, 0.02, 0.3, 1.0), one_in=2))
def test_dense_lists(shape: tuple[int, int], share: float) -> None:
    lists = [draw(seed, *shape, share) for seed in range(3)]
    labels, scores = (np.array(side) for side in zip(*lists, strict=True))
    result = rg.evaluate_arrays(labels, scores, list(MEASURES))
    single = rg.evaluate_arrays(labels[1], scores[1].astype(np.float32), list(MEASURES))
    for name in MEASURES:
        expected = [wanted(name, *one) for one in lists]
        check(result.per_query[name], expected, name)
        check(single.per_query[name], expected[1:2], name)


@pytest.mark.parametrize(("n", "grades", "levels"), [(1, 3, 1), (2, 3, 2), (3, 3, 2), (4, 2, 2)])
def test_every_small_list(n: int, grades: int, levels: int) -> None:
    """Among them lists of one class, with one document of a class, and of one tie block."""
    sides = [itertools.product(range(each), repeat=n) for each in (grades, levels)]
    lists = list(itertools.product(*sides))
    labels, scores = (np.array(side, float) for side in zip(*lists, strict=True))
    result = rg.evaluate_arrays(labels, scores, list(MEASURES), empty=np.nan)
    for name, (oracle, arguments) in MEASURES.items():
        values = [oracle(*map(list, one), **arguments) for one in lists]
        expected = [np.nan if one is None else float(one) for one in values]
        check(result.per_query[name], expected, name)


def test_other_forms_have_the_same_bits() -> None:
    labels = np.array([draw(seed, 60, 9, 0.1)[0] for seed in range(5)])
    scores = np.array([draw(seed, 60, 9)[1] for seed in range(5)])
    names = list(MEASURES)
    expected = rg.evaluate_arrays(labels, scores, names)
    sparse = pytest.importorskip("scipy.sparse").csr_matrix(labels)
    flat = labels.reshape(-1), scores.reshape(-1)
    forms = [
        rg.evaluate_arrays(sparse, scores, names),
        rg.evaluate_arrays(*flat, names, group=[60] * 5, threads=2),
        rg.evaluate_arrays(*flat, names, qid=np.repeat(np.arange(5), 60)),
        rg.evaluate_scores(lambda users: scores[users], sparse, names),
    ]
    qrels = {str(q): {f"d{i}": int(y) for i, y in enumerate(row)} for q, row in enumerate(labels)}
    run = {str(q): {f"d{i}": s for i, s in enumerate(row.tolist())} for q, row in enumerate(scores)}
    blocked = [name for name in names if not name.startswith(("Lift", "Gain"))]
    forms.append(rg.evaluate(qrels, run, blocked))
    for form in forms:
        for name in form:
            np.testing.assert_array_equal(form.per_query[name], expected.per_query[name], name)


def test_means_are_ratios_of_sums() -> None:
    lists = [draw(seed, 5 + seed, 4) for seed in range(20)]
    lists = [(labels, scores) for labels, scores in lists if 0 < (labels > 0).sum() < len(labels)]
    flat = [np.concatenate(side) for side in zip(*lists, strict=True)]
    sizes = [len(labels) for labels, _ in lists]
    weight = np.arange(len(lists)) % 3
    for weights in (None, weight):
        result = rg.evaluate_arrays(*flat, ["MR", "AMR", "AMRI"], group=sizes, weight=weights)
        each = [1] * len(lists) if weights is None else weights.tolist()
        ranks = [w * blocks.mean_rank(*one) for w, one in zip(each, lists, strict=True)]
        expected = [w * blocks.expected_rank(one[0]) for w, one in zip(each, lists, strict=True)]
        check(result.means["MR"], float(sum(ranks) / sum(each)))
        check(result.means["AMR"], float(sum(ranks) / sum(expected)))
        index = 1 - (sum(ranks) - sum(each)) / (sum(expected) - sum(each))
        check(result.means["AMRI"], float(index))


@pytest.mark.parametrize("seed", range(8))
def test_ranking_loss_of_relevant_documents_that_were_not_retrieved(seed: int) -> None:
    """They stand below the list, through every door that knows of them."""
    rng = np.random.default_rng(seed)
    labels, scores = draw(seed, int(rng.integers(1, 7)), 3, 0.4)
    missing = seed % 4
    expected = blocks.ranking_loss(labels.tolist(), scores.tolist(), missing=missing)
    value = np.nan if expected is None else float(expected)
    judged = [*labels, *[2] * missing]
    result = rg.evaluate_arrays([labels], [scores], "RankingLoss", judged=[judged])
    check(result["RankingLoss"], value)
    qrels = {"q": {f"d{i}": int(y) for i, y in enumerate(judged)}}
    run = {"q": {f"d{i}": float(s) for i, s in enumerate(scores)}}
    options = {"empty": "skip"}
    check(rg.evaluate(qrels, run, "RankingLoss", **options)["RankingLoss"], value)
    hits, every = labels > 0, np.zeros(len(labels), int)
    pool = (np.zeros(len(judged), int), judged)
    counted = rg.PartialRanks(every[hits], scores[hits], labels[hits], judged=pool)
    counted.add(every, scores)
    check(counted.finish("RankingLoss", **options)["RankingLoss"], value)


@pytest.mark.parametrize("weight", [None, "documents", "positives", [0.5, 2, 0, 1, 3, 1]])
def test_gauc(weight: Any) -> None:
    lists = [draw(seed, n, 4, 0.4) for seed, n in enumerate((5, 3, 9, 12, 1, 7))]
    lists[1] = (lists[1][0] * 0, lists[1][1])  # left out
    lists = [(labels.tolist(), scores.tolist()) for labels, scores in lists]
    flat = [np.concatenate(side) for side in zip(*lists, strict=True)]
    sizes = [len(labels) for labels, _ in lists]
    expected = float(blocks.gauc(lists, weight))
    check(rg.gauc(*flat, group=sizes, weight=weight), expected)
    order = np.random.default_rng(0).permutation(len(flat[0]))
    qid = np.repeat([9, 4, 7, 1, 2, 3], sizes)
    if not isinstance(weight, list):
        check(rg.gauc(*[side[order] for side in flat], qid=qid[order], weight=weight), expected)
        name = "GAUC" if weight is None else f"GAUC(weight={weight})"
        result = rg.evaluate_arrays(*flat, name, group=sizes)
        check(result.means[name], expected)
        assert result.counts["undefined"][name] == 2
        assert "2 undefined, skipped" in str(result)
        parts = [
            rg.evaluate_arrays(*[np.concatenate(side) for side in zip(*part, strict=True)], name,
                               group=[len(one[0]) for one in part])
            for part in (lists[:2], lists[2:])
        ]  # fmt: skip
        check(rg.Evaluation.merge(parts).means[name], expected)
        low, high = result.interval(name)
        assert low <= expected <= high


TIES = ("average", "stable", "reverse", "best", "worst")


@pytest.mark.parametrize(("ties", "k"), list(itertools.product(TIES, (None, 1, 2, 3, 9))))
def test_pfound(ties: str, k: int | None) -> None:
    at = "" if k is None else f"@{k}"
    lists = [
        ([0.5, 0, 0.25, 1, 0.125], [3, 3, 3, 2, 2]),
        ([0, 0, 0, 0, 0], [1, 1, 1, 1, 1]),
        ([0.25, 0.75, 0.5, 0, 1], [1, 5, 2, 4, 3]),
    ]
    labels, scores = zip(*lists, strict=True)
    for decay in (0.85, 0.5):
        name = f"PFound(decay={decay}){at}"
        result = rg.evaluate_arrays(labels, scores, name, ties=ties)
        expected = [
            float(blocks.pfound(*one, k=k, decay=Fraction(str(decay)), ties=ties)) for one in lists
        ]
        check(next(iter(result.per_query.values())), expected, name)


def test_a_ratio_of_sums_without_a_cutoff_divides_by_all_documents() -> None:
    micro = rg.conventions["rankgain"].replace(mean="micro")
    names = ["P", "P(divisor=min)", "P@3", "P(divisor=min)@3"]
    call = {"group": [4, 2], "convention": micro}
    result = rg.evaluate_arrays([1, 0, 0, 0, 1, 1], [4.0, 3, 2, 1, 2, 1], names, **call)
    # 3 of 6 documents; at 3 the divisor k is 3 in both lists, the divisor min 3 and 2.
    assert [result[name] for name in names] == [3 / 6, 3 / 6, 3 / 6, 3 / 5]


def test_a_number_for_undefined_values_counts_in_a_ratio_of_sums() -> None:
    """As often as the list adds to the divisor."""
    labels, scores = [[0, 1, 0], [0, 0, 0], [1, 1, 1]], [[0.1, 0.9, 0.3]] * 3
    means = rg.evaluate_arrays(labels, scores, "GAUC(weight=documents)", empty=-2.0).means
    assert list(means.values()) == [(3 * 1 - 2 * 3 - 2 * 3) / 9]
    means = rg.evaluate_arrays(labels[::2], scores[::2], "GAUC(weight=positives)", empty=-2.0).means
    assert list(means.values()) == [(1 - 2 * 3) / 4]
