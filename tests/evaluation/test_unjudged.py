"""Bounds over unjudged documents, beside every choice that the oracle can make."""

import itertools
import math
from typing import Any

import numpy as np
import pytest

import rankgain as rg
import reference
from bound_cases import NAMES, OVER_HITS, close, draw_run, values_of
from sampling import sampled

sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")

# labels (None: unjudged), scores, labels that are judged but not retrieved
Hole = tuple[list[Any], list[float], list[int]]


def lists_with_holes(seed: int, *, tied: bool) -> list[Hole]:
    rng = np.random.default_rng(seed)
    lists: list[Hole] = [([None], [1.0], []), ([0, None], [1.0, 0.5], []), ([], [], [1])]
    for _ in range(22):
        n = int(rng.integers(1, 8))
        labels = [None if rng.random() < 0.5 else int(rng.integers(0, 4)) for _ in range(n)]
        scores = rng.integers(0, 3, n) / 2 if tied else rng.permutation(n) / 1.0
        lists.append((labels, scores.tolist(), rng.integers(0, 4, rng.integers(0, 3)).tolist()))
    return lists


def as_arrays(lists: list[Hole]) -> dict[str, Any]:
    """CSR labels, flat scores, sizes and judged labels."""
    rows = [[(i, v) for i, v in enumerate(one[0]) if v is not None] for one in lists]
    data = np.array([v for row in rows for _, v in row], np.int64)
    indices = np.array([i for row in rows for i, _ in row], np.int64)
    indptr = np.cumsum([0, *map(len, rows)])
    judged = [np.array([v for _, v in row] + one[2]) for row, one in zip(rows, lists, strict=True)]
    return {
        "y_true": (data, indices, indptr),
        "y_score": np.concatenate([one[1] for one in lists]),
        "group": [len(one[1]) for one in lists],
        "judged": [one.astype(np.int64) for one in judged],
    }


def choices_of(one: Hole, ties: str, worth: Any = (0, 3)) -> Any:
    """Every way to give each unjudged document that is retrieved one of these labels."""
    labels, scores, others = one
    holes = [i for i, v in enumerate(labels) if v is None]
    for choice in itertools.product(worth, repeat=len(holes)):
        filled = [0 if v is None else v for v in labels]
        for i, label in zip(holes, choice, strict=True):
            filled[i] = label
        yield filled, scores, [*filled, *others], ties


def blocks(scores: list[float]) -> list[list[int]]:
    return reference.tie_blocks(scores, len(scores))


@pytest.mark.parametrize(
    ("name", "ties"), sampled(NAMES, ["stable", "reverse", "average", "best", "worst"], one_in=3)
)
def test_unjudged_bounds_are_the_extremes_of_all_choices(name: str, ties: str) -> None:
    lists = lists_with_holes(3, tied=True)
    result = rg.evaluate_arrays(
        **as_arrays(lists), measures=name, ties=ties, bounds="unjudged", empty=0.0
    )
    for one, ends in zip(lists, result.bounds["unjudged"][name], strict=True):
        values = values_of(name, choices_of(one, ties))
        if len(values) < len(list(choices_of(one, ties))):
            values.append(0.0)  # undefined in some of them
        close(ends, [min(values), max(values)])
    assert (np.diff(result.bounds["unjudged"][name], axis=1) > 0).any()
    close(result.bound_means["unjudged"][name], result.bounds["unjudged"][name].mean(axis=0))


def orders_of(one: Hole) -> Any:
    """The first and the last j unjudged documents relevant, for every j, where scores fall.

    With a cutoff the extremes may need those below it too: all of them, or one.
    """
    labels, scores, others = one
    holes = [i for i, v in enumerate(labels) if v is None]
    filled = [0 if v is None else v for v in labels]
    for j in range(len(holes) + 1):
        for low in range(j, len(holes) + 1):
            for top in (holes[:j] + holes[low:], holes[low - j : low], holes[len(holes) - j :]):
                chosen = [3 if i in top else v for i, v in enumerate(filled)]
                yield chosen, scores, [*chosen, *others], "stable"


@pytest.mark.parametrize(
    ("name", "function", "k"),
    [
        ("AP", "average_precision", None),
        ("AP@12", "average_precision", 12),
        ("RR", "reciprocal_rank", None),
        ("R", "recall", None),
        ("R@9", "recall", 9),
        ("nDCG", "ndcg", None),
        ("nDCG@8", "ndcg", 8),
        ("F1@7", "f1", 7),
        ("ERR", "err", None),
        ("RPrec", "r_precision", None),
        ("AUC", "auc", None),
    ],
)
def test_unjudged_bounds_of_longer_lists(name: str, function: str, k: int | None) -> None:
    arguments = {} if k is None else {"k": k}
    rng = np.random.default_rng(8)
    lists: list[Hole] = []
    for n, chance in [(18, 0.8), (20, 0.6), (16, 1.0), (18, 0.9), (14, 0.5), (20, 0.8)]:
        labels = [None if rng.random() < chance else int(rng.integers(0, 4)) for _ in range(n)]
        others = rng.integers(0, 4, rng.integers(0, 9)).tolist()
        lists.append((labels, list(np.arange(n, 0, -1) / 1.0), others))
    result = rg.evaluate_arrays(
        **as_arrays(lists), measures=name, ties="stable", bounds="unjudged", empty=0.0
    )
    for one, ends in zip(lists, result.bounds["unjudged"][name], strict=True):
        values = []
        for labels, scores, judged, ties in orders_of(one):
            value = getattr(reference, function)(
                labels, scores, judged=judged, ties=ties, **arguments
            )
            values.append(0.0 if value is None else float(value))
        close(ends, [min(values), max(values)])


def average_precision(labels: np.ndarray[Any, Any], k: int, others: int) -> float:
    """Of labels 0 and 1 in rank order; others: relevant documents that are not retrieved."""
    ranks = np.arange(1, len(labels) + 1)
    above = (np.cumsum(labels) / ranks * labels)[:k].sum()
    return float(above / max(1, labels.sum() + others))


def share_of_relevant(labels: np.ndarray[Any, Any], k: int, others: int) -> float:
    return float(labels[:k].sum() / max(1, labels.sum() + others))


@pytest.mark.parametrize(("name", "formula"), [("AP", average_precision), ("R", share_of_relevant)])
@pytest.mark.parametrize("k", [20, 1000])
def test_unjudged_bounds_where_judged_and_unjudged_documents_alternate(
    name: str, formula: Any, k: int
) -> None:
    rng = np.random.default_rng(k)
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    expected = []
    for query in range(150):
        n = int(rng.integers(20, 90))
        holes = np.cumsum(rng.random(n) < 0.12) % 2 == 0  # stretches
        labels = np.where(holes, 0, rng.random(n) < rng.random() ** 2).astype(int)
        others = int(rng.integers(0, 4))
        run[f"q{query}"] = {f"d{at:02}": float(n - at) for at in range(n)}
        judged = {f"d{at:02}": int(labels[at]) for at in range(n) if not holes[at]}
        qrels[f"q{query}"] = judged | {f"x{at}": 1 for at in range(others)} | {"x": 0}
        places = np.flatnonzero(holes)
        inside, below = places[places < k], places[places >= k]
        values = []
        for j in range(len(inside) + 1):
            for top in (inside[:j], inside[len(inside) - j :]):
                for also in {0, min(1, len(below)), len(below)}:
                    filled = labels.copy()
                    filled[top] = 1
                    filled[below[:also]] = 1
                    values.append(formula(filled, k, others))
        expected.append([min(values), max(values)])
    measure = name if k == 1000 else f"{name}@{k}"
    result = rg.evaluate(qrels, run, measure, bounds="unjudged")
    close(result.bounds["unjudged"][measure], expected)


def test_unjudged_bounds_over_hits() -> None:
    lists = lists_with_holes(4, tied=False)
    (name,) = OVER_HITS
    result = rg.evaluate_arrays(**as_arrays(lists), measures=name, bounds="unjudged")
    for one, ends in zip(lists, result.bounds["unjudged"][name], strict=True):
        values = values_of(name, choices_of(one, "stable"))
        if len(values) < len(list(choices_of(one, "stable"))):
            values.append(0.0)
        close(ends, [min(values), max(values)])


@pytest.mark.parametrize("name", ["nDCG", "AP@3", "RR@3"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_mean_leaves_out_what_may_be_undefined_where_that_is_further(
    name: str, weighted: bool
) -> None:
    lists = lists_with_holes(6, tied=False)[:9]
    weights = np.arange(1.0, 10.0) if weighted else np.ones(9)
    result = rg.evaluate_arrays(
        **as_arrays(lists), measures=name, bounds="unjudged", empty="skip", weight=weights
    )
    options = []
    for one in lists:
        choices = list(choices_of(one, "stable"))
        values = values_of(name, choices)
        options.append([min(values), max(values)] if values else [])
        if len(values) < len(choices):
            options[-1].append(np.nan)
    means = []
    for chosen in itertools.product(*options):
        kept = ~np.isnan(chosen)
        if kept.any():
            means.append(np.average(np.array(chosen)[kept], weights=weights[kept]))
    close(result.bound_means["unjudged"][name], [min(means), max(means)])


def test_unjudged_bounds_of_a_micro_mean() -> None:
    recommended, relevant = [[0, 1, 2], [3, 4, 5]], [[1, 9], [7]]
    result = rg.evaluate_ids(recommended, relevant, "P@3", convention="implicit", bounds="unjudged")
    assert result.means["P@3"] == 1 / 3  # of min(3, 2) + min(3, 1) items
    assert result.bound_means["unjudged"]["P@3"] == (1 / 3, 6 / 6)


def test_unjudged_bounds_of_a_run() -> None:
    qrels = {"q1": {"a": 2, "b": 0, "z": 1}, "q2": {"a": 0}}
    run = {"q1": {"x": 3.0, "a": 2.0, "y": 2.0, "b": 1.0}, "q2": {"a": 2.0, "w": 1.0}}
    result = rg.evaluate(qrels, run, ["nDCG@3", "AP"], bounds=("unjudged", "ties"))
    assert list(result.bounds) == ["ties", "unjudged"]
    holes: list[Hole] = [
        ([None, None, 2, 0], [4.0, 3.0, 2.0, 1.0], [1]),  # y before a: ids descend
        ([0, None], [2.0, 1.0], []),
    ]
    for name in ("nDCG@3", "AP"):
        for one, ends in zip(holes, result.bounds["unjudged"][name], strict=True):
            values = values_of(name, choices_of(one, "stable", (0, 2)))
            if len(values) < len(list(choices_of(one, "stable", (0, 2)))):
                values.append(0.0)
            close(ends, [min(values), max(values)])


def test_the_top_label_is_the_largest_judged_one_and_relevant() -> None:
    run = {"q": {"x": 1.0}, "r": {"y": 1.0}}
    for qrels, top in (
        ({"q": {"a": 0}, "r": {"y": 3}}, 3.0),
        ({"q": {"a": 0}, "r": {"y": 0}}, 1.0),
    ):
        result = rg.evaluate(qrels, run, "CG@1", bounds="unjudged")
        assert result.bounds["unjudged"]["CG@1"][0].tolist() == [0.0, top]
    result = rg.evaluate({"q": {"a": 1}}, run, "CG@1", rel=2, bounds="unjudged")
    assert result.bounds["unjudged"]["CG@1"].tolist() == [[0.0, 2.0]]


def test_what_is_excluded_is_no_hole() -> None:
    truth = sparse.csr_matrix([[0, 1, 0, 0]])
    scores = np.array([[4.0, 3.0, 2.0, 1.0]])
    train = sparse.csr_matrix([[1, 0, 0, 1]])
    result = rg.evaluate_arrays(truth, scores, "R@4", exclude=train, bounds="unjudged")
    assert result.bounds["unjudged"]["R@4"].tolist() == [[1.0, 1.0]]
    result = rg.evaluate_arrays(truth, scores, "P@4", exclude=train, bounds="unjudged")
    assert result.bounds["unjudged"]["P@4"].tolist() == [[0.25, 0.5]]


def test_no_holes_where_unjudged_documents_are_dropped() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": {"x": 2.0, "a": 1.0}}
    dropping = rg.conventions["trec"].replace(unjudged="drop")
    result = rg.evaluate(qrels, run, "RR", convention=dropping, bounds="unjudged")
    assert result.bounds["unjudged"]["RR"].tolist() == [[1.0, 1.0]]


def test_the_ideal_of_what_is_returned_has_room_for_no_more() -> None:
    returned = rg.Convention("returned", ideal="returned", ties="stable")
    lists: list[Hole] = [([None, 1, 0], [3.0, 2.0, 1.0], [3, 2])]
    result = rg.evaluate_arrays(
        **as_arrays(lists), measures="nDCG@2", convention=returned, bounds="unjudged"
    ).bounds["unjudged"]["nDCG@2"]
    values = [
        float(reference.ndcg([first, 1, 0], judged=pool, k=2))
        for first, pool in ((0, [3, 2, 1]), (3, [3, 3, 2]))
    ]
    close(result, [[min(values), max(values)]])


@pytest.mark.parametrize("name", ["Bpref", "infAP", "Judged@3"])
def test_measures_that_set_unjudged_documents_aside(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name.split('@')[0]}.*unjudged"):
        rg.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, name, bounds="unjudged")


@pytest.mark.parametrize("name", ["RnDCG", "GMAP", "IPrec@0.5", "IPrecAvg", "RelP@3"])
def test_unjudged_bounds_of_measures_of_runs(name: str) -> None:
    rng = np.random.default_rng(18)
    moved = False
    for _ in range(12):
        judged, run = draw_run(rng)
        judged["d99"] = 2
        result = rg.evaluate({"q": judged}, {"q": run}, name, bounds="unjudged")
        ranking = sorted(run, key=lambda one: (run[one], one.encode()), reverse=True)
        holes = [one for one in ranking if one not in judged]
        values = []
        for choice in itertools.product((0, 2), repeat=len(holes)):
            new = judged | {one: label for one, label in zip(holes, choice, strict=True) if label}
            values.append(rg.evaluate({"q": new}, {"q": run}, name).per_query[name][0])
        close(result.bounds["unjudged"][name][0], [min(values), max(values)])
        moved |= min(values) < max(values)
    assert moved


def test_dense_labels_have_no_holes() -> None:
    with pytest.raises(ValueError, match="sparse labels"):
        rg.evaluate_arrays([1, 0], [1.0, 0.0], "AP", bounds="unjudged")


def test_random_ranks_have_no_holes() -> None:
    labels = (np.array([1]), np.array([0]), np.array([0, 1]))
    with pytest.raises(ValueError, match="ties="):
        rg.evaluate_arrays(labels, [[1.0, 1.0]], "AP", ties="random", bounds="unjudged")


def test_the_ideal_grows_by_unjudged_documents_beyond_the_judged_ones() -> None:
    """Fifty judged, none of them retrieved, and fifty others: all of these may be relevant."""
    data, judged = (np.zeros(0), np.zeros(0, int), np.array([0, 0])), [np.ones(50)]
    weights = [1 / math.log2(rank + 1) for rank in range(1, 101)]
    for name, ideal in (("nDCG@100", 100), ("nDCG", 100), ("nDCG@60", 60)):
        result = rg.evaluate_arrays(
            data, -np.arange(50.0), name, group=[50], judged=judged, bounds="unjudged"
        )
        high = math.fsum(weights[:50]) / math.fsum(weights[:ideal])
        close(result.bounds["unjudged"][name][0], [0.0, high])
    qrels = {"q": dict.fromkeys(map(str, range(50)), 1)}
    run = {"q": {f"u{i}": 1.0 - i for i in range(50)}}
    high = math.fsum(weights[:50]) / math.fsum(weights)
    result = rg.evaluate(qrels, run, "nDCG@100", bounds="unjudged")
    close(result.bounds["unjudged"]["nDCG@100"][0], [0.0, high])


def test_documents_below_the_cutoff_raise_the_ideal() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": {one: -float(i) for i, one in enumerate("abcde")}}
    result = rg.evaluate(qrels, run, ["nDCG@3", "R@3", "P@3"], bounds="unjudged").bounds["unjudged"]
    third = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    close(result["nDCG@3"][0], [1 / third, 1.0])
    close(result["R@3"][0], [1 / 3, 1.0])
    close(result["P@3"][0], [1 / 3, 1.0])


# Measures whose denominator is greater where labels are, so that labels in between give more.
RATIOS = {"nDCG@3", "nDCG(gain=exp2)@5", "nDCG", "RBP(gain=linear,p=0.6)@4"}


@pytest.mark.parametrize("name", [*NAMES, *OVER_HITS])
def test_no_labels_of_unjudged_documents_lead_outside(name: str) -> None:
    """Of labels in between, too; above the highest only measures go that are shares of an ideal."""
    moved = outside = 0
    for one in lists_with_holes(8, tied=False):
        if one[0].count(None) > 4:
            continue
        result = rg.evaluate_arrays(
            **as_arrays([one, ([3], [1.0], [])]), measures=name, bounds="unjudged", empty=0.0
        ).bounds["unjudged"][name][0]
        values = [*values_of(name, choices_of(one, "stable", (0, 1, 2, 3)))]
        low, high = result[0] - 1e-12, result[1] + 1e-12
        assert all(low <= value for value in values)
        outside += sum(value > high for value in values)
        moved += low + 1e-9 < high
    assert moved
    assert (outside > 0) == (name in RATIOS)


@pytest.mark.parametrize("name", ["nDCG@2", "R@2", "AP@2", "F1@2", "RR@2", "P@2", "IDCG@2"])
@pytest.mark.parametrize("kept", ["keep", "zero"])
def test_bounds_with_labels_below_0(name: str, kept: str) -> None:
    """A negative sum comes nearer to 0 as the ideal grows."""
    rules = rg.conventions["rankgain"].replace(negative=kept)
    rng = np.random.default_rng(5)
    for _ in range(40):
        docs = [f"d{i}" for i in range(5)]
        judged = {one: int(rng.integers(-2, 2)) for one in docs if rng.random() < 0.5}
        run = {one: float(x) for one, x in zip(docs, rng.permutation(5), strict=True)}
        qrels = {"q": {**judged, "not retrieved": int(rng.integers(-1, 2))}, "other": {"x": 2}}
        given = {"q": run, "other": {"x": 1.0}}
        call: dict[str, Any] = {"measures": name, "convention": rules, "ties": "id"}
        result = rg.evaluate(qrels, given, bounds="unjudged", **call)
        values = []
        holes = [one for one in docs if one not in judged]
        for choice in itertools.product((0, 2), repeat=len(holes)):
            # What stays without a label is not judged: a label of 0 is worth as much.
            new = {one: label for one, label in zip(holes, choice, strict=True) if label}
            whole = {**qrels, "q": qrels["q"] | new}
            values.append(rg.evaluate(whole, given, **call).per_query[name][0])
        close(result.bounds["unjudged"][name][0], [min(values), max(values)])


def test_scores_that_the_convention_drops_have_no_unjudged_bounds() -> None:
    rules = rg.conventions["trec"].replace(name="drops", drop_scores_at_most=0.0)
    labels = np.ones(1), np.array([0]), np.array([0, 1])
    words = (
        'bounds="unjudged": the convention drops scores of at most 0, and some scores are that low'
    )
    with pytest.raises(ValueError, match=words):
        rg.evaluate_arrays(labels, [[1.0, -1.0]], "P@1", bounds="unjudged", convention=rules)
