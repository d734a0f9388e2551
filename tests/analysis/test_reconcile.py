"""reconcile: the steps sum to the difference, and each is what the conventions on the way give."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg


def groups(seed: int, binary: bool = False) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 20, 40)
    labels = rng.integers(0, 2 if binary else 4, sizes.sum())
    labels[: sizes[0]] = 0
    scores = rng.integers(-1, 5, sizes.sum()) / 4
    return labels, scores, sizes


def test_the_most_affected_lists_come_first_with_their_tables() -> None:
    data = groups(4)
    result = rg.reconcile(data[0], data[1], "sklearn", "catboost", measure="nDCG@5", group=data[2])
    *others, undefined = result.lists
    moves = [abs(after - before) for _, before, after in others]
    assert moves == sorted(moves, reverse=True)
    assert undefined == (0, 0.0, 1.0)  # nothing is relevant there
    query, before, after = result.lists[0]
    assert [one.ndcg for one in result.explained if one] == [before, after]
    assert f"list {query} under sklearn" in str(result)


def test_undefined_lists_are_shown_where_no_other_differs() -> None:
    labels, scores = [[0, 0], [2, 1], [1, 0]], [[2.0, 1.0]] * 3
    result = rg.reconcile(labels, scores, "rankgain", "lightgbm", measure="nDCG(gain=linear)")
    assert result.lists == ((0, 0.0, 1.0),)
    assert result.explained[0] is not None
    both = rg.reconcile([*labels, [1, 2]], [[2.0, 1.0]] * 4, "sklearn", "lightgbm", measure="nDCG")
    assert [one[0] for one in both.lists] == [3, 0]
    assert "list 3 under sklearn" in str(both)
    (gain,) = (step for step in both.steps if step.fields[0] == "gain")
    assert [query for query, _ in gain.worst] == [3]


def test_undefined_lists_come_last_where_queries_are_missing_too() -> None:
    qrels = {"q1": {"a": 0, "b": 0}, "q2": {"a": 1, "b": 2}, "q3": {"a": 1}}
    run = {"q1": {"a": 1.0}, "q2": {"a": 2.0, "b": 1.0}}
    rules = rg.conventions["pytrec_eval"].replace(gain="exp2", empty=1.0)
    result = rg.reconcile_runs(qrels, run, "trec", rules, measure="nDCG")
    assert [one[0] for one in result.lists] == ["q2", "q3", "q1"]


@pytest.mark.parametrize(("b", "words"), [
    ({"round": 2}, "round: None -> 2"),
    ({"result_dtype": "float32"}, "result_dtype: float64 -> float32"),
    ({"log_base": 10.0}, "log_base: 2.0 -> 10.0"),
    ({"rel_strict": True}, "rel: >= 1 -> > 1"),
    ({"undiscounted_below_base": True}, "undiscounted_below_base: False -> True"),
])  # fmt: skip
def test_a_step_names_the_field_that_moves_the_number(b: Any, words: str) -> None:
    a = rg.conventions["rankgain"].replace(discount="log", log_base=2.0, name="a")
    measure = "P@2" if "rel_strict" in b else "DCG"
    result = rg.reconcile([[2, 1, 1]], None, a, a.replace(name="b", **b), measure=measure)
    lines = [line for line in str(result).splitlines() if line.startswith(words)]
    assert len(lines) == 1, str(result)
    assert words.split(":")[0] == result.steps[0].fields[0]
    assert result.steps[0].change != 0


def test_the_rounding_of_recall_is_a_choice() -> None:
    """Half of three relevant documents are one or two of them."""
    rules = rg.conventions["trec"]
    both = [rules.replace(name=f"rounds {one}", recall_rounding=one) for one in (0.0, 0.9)]
    result = rg.reconcile([1, 0, 0, 1, 1], [5, 4, 3, 2, 1], *both, measure="IPrec@0.5")
    assert result.means == (1.0, 0.6)
    assert [step.fields for step in result.steps] == [("recall_rounding",)]


def test_a_cutoff_that_a_convention_has_by_itself_is_a_step() -> None:
    labels, scores = np.eye(40)[34], np.arange(40.0, 0, -1)
    result = rg.reconcile(labels, scores, "sklearn", "xgboost", measure="nDCG")
    (step,) = [step for step in result.steps if step.change]
    assert (step.fields, step.before, step.after) == (("k",), (None,), (32,))
    assert "nDCG under sklearn" in str(result)
    assert "nDCG@32 under xgboost" in str(result)


def test_everything_is_in_the_dict() -> None:
    data = groups(6)
    result = rg.reconcile(data[0], data[1], "sklearn", "lightgbm", measure="nDCG@5", group=data[2])
    data_of = result.to_dict()
    assert data_of["difference"] == result.difference
    assert len(data_of["steps"]) == len(result.steps)
    assert data_of["conventions"] == ["sklearn", "lightgbm"]


def test_ties_by_id_without_ties_need_no_ids() -> None:
    labels, scores = [[0, 2, 1, 3]], [[0.4, 0.3, 0.2, 0.1]]
    result = rg.reconcile(labels, scores, "trec", "sklearn", measure="nDCG")
    for mean, name in zip(result.means, ("trec", "sklearn"), strict=True):
        want = rg.evaluate_arrays(labels, scores, "nDCG", ids=[[0, 1, 2, 3]], convention=name)
        assert mean == want.means["nDCG"]


def test_an_ideal_of_k_ones_has_no_table() -> None:
    ones = rg.Convention("ones", ideal="ones")
    result = rg.reconcile([[0, 1, 0]], [[0.1, 0.2, 0.3]], ones, "rankgain", measure="nDCG@2")
    assert result.means == pytest.approx((0.630930 / 1.630930, 0.630930), abs=1e-6)
    assert "ideal" in str(result)


def test_a_mean_that_stays_undefined_does_not_change():
    """No list has a relevant document: AUC has no value under either convention."""
    for result in (
        rg.reconcile([[0, 0]], [[1, 2]], "rankgain", "xgboost", measure="MR"),
        rg.reconcile_runs({"q": {"a": 0}}, {"q": {"a": 1.0}}, "trec", "trec_eval", measure="AUC"),
    ):
        assert [step.change for step in result.steps] == [0.0] * len(result.steps)
        assert np.isnan(result.means).all()
        assert result.difference == 0.0
        assert "+nan" not in str(result)


@pytest.mark.parametrize("scores", [[1 + 1e-9, 1.0, 0.5], [0.25, 7 + 1e-9, 7.0]])
def test_scores_that_tie_in_single_precision_need_ids(scores):
    ids = [["b", "a", "c"]]
    result = rg.reconcile([[1, 0, 2]], [scores], "rankgain", "trec_eval-9", measure="nDCG", ids=ids)
    qrels = {"q": {"b": 1, "a": 0, "c": 2}}
    run = {"q": dict(zip("bac", scores, strict=True))}
    expected = rg.evaluate(qrels, run, "nDCG", convention="trec_eval-9")["nDCG"]
    assert result.means[1] == pytest.approx(expected)


@pytest.mark.parametrize("measure", ["nDCG@5", "AP"])
def test_the_worst_lists_of_a_step_have_the_sign_of_its_change(measure: str) -> None:
    labels, scores = np.array([[1, 2, 0, 1]]), np.array([[1.0, 1.0, 1.0, 2.0]])
    for a, b in (("sklearn", "lightgbm"), ("lightgbm", "sklearn")):
        result = rg.reconcile(
            np.minimum(labels, 1 if measure == "AP" else 2), scores, a, b, measure=measure
        )
        for step in result.steps:
            changes = [change for _, change in step.worst]
            assert changes == pytest.approx([step.change][: step.lists])
    assert any(step.lists for step in result.steps)
