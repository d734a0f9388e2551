"""Bounds over unjudged documents, beside every choice that the oracle can make."""

import itertools
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from bound_cases import NAMES, close, values_of
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


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize("names", [["AP"], ["AP@4"], ["AP", "AP(rel=3)"], ["AP", "nDCG"]])
def test_bounds_of_average_precision_are_those_of_the_first_and_of_the_last_documents(
    names: list[str], tied: bool
) -> None:
    """Of j relevant unjudged documents the first j are the best, the last j the worst."""
    rng = np.random.default_rng(len(names) + tied)
    for size in (1, 2, 45, *rng.integers(3, 13, 120).tolist()):
        blocks = np.arange(size) // (3 if tied else 1)  # judged or not as a whole
        is_judged = (rng.random(size) < rng.choice([0.3, 0.7]))[blocks]
        labels = [int(rng.integers(0, 4)) if judged else None for judged in is_judged]
        one: Hole = (labels, (-1.0 * blocks).tolist(), [3, 0, 1][: int(rng.integers(1, 4))])
        holes = np.flatnonzero(~is_judged)
        choices = []
        for number in range(len(holes) + 1):
            for chosen in (holes[:number], holes[len(holes) - number :]):
                filled: list[Any] = [3 if i in chosen else labels[i] for i in range(size)]
                choices.append((filled, one[1], one[2]))
        values = rg.evaluate_arrays(**as_arrays(choices), measures=names, ties="average")
        result = rg.evaluate_arrays(**as_arrays([one]), measures=names, bounds="unjudged")
        assert result.bounds is not None
        for name in names:
            low, high = result.bounds["unjudged"][name][0]
            column = values.per_query[name]
            assert (low, high) == (column.min(), column.max())


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


def test_what_is_excluded_is_no_hole() -> None:
    truth = sparse.csr_matrix([[0, 1, 0, 0]])
    scores = np.array([[4.0, 3.0, 2.0, 1.0]])
    train = sparse.csr_matrix([[1, 0, 0, 1]])
    result = rg.evaluate_arrays(truth, scores, "R@4", exclude=train, bounds="unjudged")
    assert result.bounds["unjudged"]["R@4"].tolist() == [[1.0, 1.0]]
    result = rg.evaluate_arrays(truth, scores, "P@4", exclude=train, bounds="unjudged")
    assert result.bounds["unjudged"]["P@4"].tolist() == [[0.25, 0.5]]


@pytest.mark.parametrize("name", ["Bpref", "infAP", "Judged@3"])
def test_measures_that_set_unjudged_documents_aside(name: str) -> None:
    with pytest.raises(ValueError, match=f"{name.split('@')[0]}.*unjudged"):
        rg.evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, name, bounds="unjudged")


def test_dense_labels_and_random_ranks_have_no_holes() -> None:
    with pytest.raises(ValueError, match="sparse labels"):
        rg.evaluate_arrays([1, 0], [1.0, 0.0], "AP", bounds="unjudged")
    labels = (np.array([1]), np.array([0]), np.array([0, 1]))
    with pytest.raises(ValueError, match="ties="):
        rg.evaluate_arrays(labels, [[1.0, 1.0]], "AP", ties="random", bounds="unjudged")


def test_scores_that_the_convention_drops_have_no_unjudged_bounds() -> None:
    rules = rg.conventions["trec"].replace(name="drops", drop_scores_at_most=0.0)
    labels = np.ones(1), np.array([0]), np.array([0, 1])
    words = 'bounds="unjudged": the convention drops scores of at most 0, and some scores are that'
    with pytest.raises(ValueError, match=words):
        rg.evaluate_arrays(labels, [[1.0, -1.0]], "P@1", bounds="unjudged", convention=rules)


@pytest.mark.parametrize("ties", ["average", "id", "reverse"])
def test_bounds_of_padded_rows_are_those_of_each_row_alone(ties: str) -> None:
    labels = sparse.csr_matrix([[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0]])
    scores = np.array([[3.0, 2, 2, 2, 2], [1, 2, 2, 1, 2], [2, 2, 3, 1, 1]])
    ids = np.array([list("edcba"), list("badec"), list("cbade")])
    lengths = [3, 4, 5]
    given: dict[str, Any] = {"ties": ties, "bounds": "unjudged"}
    padded = rg.evaluate_arrays(labels, scores, "AP@2", lengths=lengths, ids=ids, **given)
    for row, length in enumerate(lengths):
        part = slice(row, row + 1), slice(length)
        alone = rg.evaluate_arrays(labels[part], scores[part], "AP@2", ids=ids[part], **given)
        expected = alone.bounds["unjudged"]["AP@2"]
        np.testing.assert_array_equal(padded.bounds["unjudged"]["AP@2"][row : row + 1], expected)
