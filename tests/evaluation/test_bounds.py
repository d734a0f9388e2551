"""Bounds over ties and over unjudged documents, beside every choice that the oracle can make."""

import itertools
import pickle
from typing import Any

import numpy as np
import pytest

import rankgain as rg
import reference
from bound_cases import EVERY, NAMES, close, values_of
from sampling import sampled

sparse = pytest.importorskip("scipy.sparse", reason="scipy is not installed")


def test_gains_that_overflow_for_an_unjudged_document_alone() -> None:
    labels = np.zeros((2, 30))
    labels[:, 0] = 1.0, 1023.9  # the gain of the second one is near the largest float64
    scores = np.random.default_rng(0).random((2, 30))
    judged = sparse.csr_matrix(labels)
    assert rg.evaluate_arrays(judged, scores, "nDCG(gain=exp2)").means


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


@pytest.mark.parametrize("gain", ["linear", "exp2"])
@pytest.mark.parametrize("measure", ["dcg", "ndcg", "idcg"])
def test_tie_bounds_follow_the_gain_below_a_negative_min_label(measure: str, gain: str) -> None:
    rules = rg.Convention("mine", min_label=-2.0, negative="keep", gain=gain)
    name = {"dcg": "DCG@2", "ndcg": "nDCG@2", "idcg": "IDCG@2"}[measure]
    for mine in itertools.product([-3, -2, -1, 0, 1], repeat=3):
        for given in ([1.0, 1.0, 1.0], [1.0, 0.0, 0.0]):
            result = rg.evaluate_arrays(
                mine, given, name, convention=rules, bounds="ties", empty=-9.0
            )
            values = []
            for order in orders_of(given):
                labels = [mine[i] for i in order]
                value = getattr(reference, measure)(labels, k=2, gain=gain, min_label=-2)
                values.append(-9.0 if value is None else float(value))
            close(result.bounds["ties"][name][0], [min(values), max(values)])


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
    shape = 60, 10_000
    excluded = np.random.default_rng(1).random(shape) < 0.1
    ties = rg.evaluate_arrays(
        np.ones(shape), np.ones(shape), "RR", exclude=excluded, bounds="ties"
    ).tie_report()
    assert ties.documents == ties.tied_documents == 600_000 - excluded.sum()


# ---- refusals, exports


def example() -> rg.Evaluation:
    qrels = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
    run = {"q1": {"b": 0.9, "x": 0.8, "a": 0.8}, "q2": {"c": 1.0}}
    return rg.evaluate(qrels, run, ["nDCG@2", "AP"], bounds=("ties", "unjudged"))


def test_bounds_are_immutable_pickle_and_come_back_from_json(tmp_path: Any) -> None:
    result = example()
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


# ---- unjudged documents


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


# Measures that a label in between may raise above the value of every choice, as it raises the gain
# of a document more than the ideal.
RAISED_BY_LABELS_BETWEEN = {
    "nDCG@3",
    "nDCG(gain=exp2)@5",
    "nDCG",
    "RBP(gain=linear,p=0.6)@4",
}


@pytest.mark.parametrize("ties", ["stable", "average"])
@pytest.mark.parametrize("name", NAMES)
def test_labels_between_0_and_the_top_never_lower_a_value(name: str, ties: str) -> None:
    lists = lists_with_holes(5, tied=True)
    result = rg.evaluate_arrays(
        **as_arrays(lists), measures=name, ties=ties, bounds="unjudged", empty=0.0
    )
    raised = 0
    for hole, (low, high) in zip(lists, result.bounds["unjudged"][name], strict=True):
        if hole[0].count(None) > 4:
            continue
        values = values_of(name, choices_of(hole, ties, worth=(0, 1, 2, 3)))
        assert min(values, default=low) >= low - 1e-12
        raised += max(values, default=high) > high + 1e-12
    assert (raised > 0) == (name in RAISED_BY_LABELS_BETWEEN)


def test_rndcg_may_be_lower_with_a_label_between_0_and_the_top() -> None:
    qrels = {"q": {"d0": 1, "d1": 2}}
    run = {"q": {"d0": 1.0, "d1": 1.0, "d2": 1.0, "d3": 0.0, "d4": 0.0}}
    low, _ = rg.evaluate(qrels, run, "RnDCG", bounds="unjudged").bounds["unjudged"]["RnDCG"][0]
    qrels["q"] |= {"d3": 1, "d4": 1}
    assert rg.evaluate(qrels, run, "RnDCG")["RnDCG"] < low


def test_a_skipped_err_may_be_lower_with_a_label_between_0_and_the_top() -> None:
    qrels = {"q": {"d0": 0}, "other": {"d0": 3}}
    run = {"q": {"d0": 2.0, "d1": 1.0}, "other": {"d0": 1.0}}
    ends = rg.evaluate(qrels, run, "ERR", bounds="unjudged", empty="skip").bounds["unjudged"]["ERR"]
    qrels["q"]["d1"] = 1
    assert rg.evaluate(qrels, run, "ERR", empty="skip").per_query["ERR"][0] < ends[0, 0]


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


@pytest.mark.parametrize(
    ("measure", "worth"), [("dcg", [-3, -1, 1]), ("idcg", [-3, -1, 1]), ("ndcg", [-3, 0, 1])]
)
def test_unjudged_bounds_follow_the_gain_below_a_negative_min_label(
    measure: str, worth: list[int]
) -> None:
    rules = rg.Convention("mine", min_label=-2.0, negative="keep")
    name = {"dcg": "DCG@2", "ndcg": "nDCG@2", "idcg": "IDCG@2"}[measure]
    lists: list[Hole] = []
    for mine in itertools.product([None, *worth], repeat=3):
        lists += [(list(mine), [3.0, 2.0, 1.0], pool) for pool in ([], worth)]
    result = rg.evaluate_arrays(
        **as_arrays(lists), measures=name, convention=rules, bounds="unjudged", empty=-9.0
    )
    for one, ends in zip(lists, result.bounds["unjudged"][name], strict=True):
        values = []
        for labels, scores, _, _ in choices_of(one, "stable", worth=(0, 1)):
            # Unjudged documents are not in the pool, unless they have the label 1.
            pool = one[2] + [
                v for v, label in zip(labels, one[0], strict=True) if label is not None or v
            ]
            value = getattr(reference, measure)(labels, scores, judged=pool, k=2, min_label=-2)
            values.append(-9.0 if value is None else float(value))
        close(ends, [min(values), max(values)])


# ---- gains of the label that unjudged documents may have


def bounds_of_a_table(table: dict[float, float], *, unjudged: int, rel: float = 1) -> rg.Evaluation:
    """The labels 0.25 and 0.5, and unjudged documents."""
    labels = sparse.csr_matrix([[0.25, 0.5] + [0.0] * unjudged])
    scores = np.arange(2.0 + unjudged)[::-1][None]
    rules = rg.Convention("mine", rel=rel)
    return rg.evaluate_arrays(
        labels, scores, "nDCG@3", gain=table, bounds="unjudged", convention=rules
    )


@pytest.mark.parametrize("rel", [1, 3])
def test_the_label_of_unjudged_documents_has_its_gain_from_the_table(rel: float) -> None:
    table = {0: 0, 0.25: 1, 0.5: 3, rel: 7}
    result = bounds_of_a_table(table, unjudged=2, rel=rel)
    values = []
    for worth in itertools.product([0, rel], repeat=2):
        labels = [0.25, 0.5, *worth]
        values.append(float(reference.ndcg(labels, k=3, gain=table)))
    close(result.bounds["unjudged"]["nDCG@3"][0], [min(values), max(values)])


def test_a_table_needs_no_label_of_unjudged_documents_where_all_are_judged() -> None:
    result = bounds_of_a_table({0: 0, 0.25: 1, 0.5: 3}, unjudged=0)
    value = float(reference.ndcg([0.25, 0.5], k=3, gain={0.25: 1, 0.5: 3}))
    close(result.bounds["unjudged"]["nDCG@3"][0], [value, value])


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
