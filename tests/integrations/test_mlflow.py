"""Inside mlflow's evaluate, of retrievers and of generative applications."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg

mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed")
pandas = pytest.importorskip("pandas", reason="pandas is not installed")
from rankgain.integrations.mlflow import ranking_metric, ranking_scorer  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
RETRIEVED = [["a"], ["a", "x", "b"], ["x", "y"], []]
RELEVANT = [list("abcde"), ["a", "b"], ["z"], ["a"]]
IDEAL = sum(1 / np.log2(rank + 1) for rank in range(1, 6))


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(f"sqlite:///{tmp_path}/store.db")
    yield
    mlflow.set_tracking_uri("")


def evaluated(*metrics: Any, relevant: Any = RELEVANT) -> Any:
    frame = pandas.DataFrame({"retrieved": RETRIEVED, "relevant": relevant})
    with mlflow.start_run():
        return mlflow.models.evaluate(
            data=frame, predictions="retrieved", targets="relevant", extra_metrics=list(metrics)
        )


def own() -> Any:
    """mlflow's own nDCG@5 of retrieved and relevant ids."""
    function = mlflow.metrics.ndcg_at_k(5).eval_fn
    return lambda retrieved, relevant: function(pandas.Series(retrieved), pandas.Series(relevant))


def test_metrics_of_a_retriever() -> None:
    result = evaluated(ranking_metric("nDCG@5"), ranking_metric("R@2"))
    ours = rg.evaluate_ids(RETRIEVED, RELEVANT, ["nDCG@5", "R@2"])
    assert result.metrics["nDCG_at_5/mean"] == ours["nDCG@5"]
    assert result.metrics["R_at_2/mean"] == ours["R@2"]
    values = ours.per_query["nDCG@5"]
    assert result.metrics["nDCG_at_5/variance"] == pytest.approx(np.var(values))
    assert result.metrics["nDCG_at_5/p90"] == pytest.approx(np.percentile(values, 90))
    table = result.tables["eval_results_table"]
    np.testing.assert_allclose(table["nDCG_at_5/score"], values, atol=1e-9)  # in text between


def test_it_is_right_where_mlflow_is_wrong() -> None:
    """The ideal of mlflow's own nDCG is taken from what was retrieved."""
    theirs = own()
    ours = ranking_metric("nDCG@5").eval_fn
    assert theirs([["a"]], [list("abcde")]).scores == [1.0]
    assert ours([["a"]], [list("abcde")]).scores == [pytest.approx(1 / IDEAL)]
    assert theirs([["x", "b", "b"]], [["b"]]).scores[0] == pytest.approx(0.693, abs=1e-3)
    with pytest.raises(ValueError, match="'b' a second time"):
        ours([["x", "b", "b"]], [["b"]])
    first = ranking_metric("nDCG@5", duplicates="first").eval_fn
    assert first([["x", "b", "b"]], [["b"]]).scores == [pytest.approx(1 / np.log2(3))]


@pytest.mark.skipif("mlflow" not in rg.conventions, reason="there is no such convention yet")
def test_the_convention_gives_mlflow_s_number() -> None:
    theirs = own()(RETRIEVED, RELEVANT)
    ours = ranking_metric("nDCG@5", convention="mlflow").eval_fn(RETRIEVED, RELEVANT)
    np.testing.assert_allclose(ours.scores, theirs.scores, atol=1e-12)
    assert ours.aggregate_results["mean"] == pytest.approx(theirs.aggregate_results["mean"])


def test_scorers_of_an_application() -> None:
    data = [
        {
            "inputs": {"question": str(at)},
            "outputs": {"retrieved": retrieved},
            "expectations": {"relevant": relevant},
        }
        for at, (retrieved, relevant) in enumerate(zip(RETRIEVED, RELEVANT, strict=True))
    ]
    result = mlflow.genai.evaluate(
        data=data, scorers=[ranking_scorer("nDCG@5"), ranking_scorer("RR")]
    )
    ours = rg.evaluate_ids(RETRIEVED, RELEVANT, ["nDCG@5", "RR"])
    assert result.metrics["nDCG_at_5/mean"] == pytest.approx(ours["nDCG@5"], rel=1e-12)
    assert result.metrics["RR/mean"] == pytest.approx(ours["RR"], rel=1e-12)
    if hasattr(result, "tables"):  # not yet in mlflow 3.4
        column = result.tables["eval_results"]["nDCG_at_5/value"]
        assert sorted(column) == sorted(ours.per_query["nDCG@5"].tolist())


def test_scorers_find_ids_under_other_keys() -> None:
    score = ranking_scorer("nDCG(gain=exp2)@3", retrieved="docs", relevant="truth")
    assert score.name == "nDCG_gain_exp2_at_3"
    value = score(outputs={"docs": ["b", "a"]}, expectations={"truth": {"a": 2, "b": 1}})
    assert value == pytest.approx((1 + 3 / np.log2(3)) / (3 + 1 / np.log2(3)))
    assert ranking_scorer("RR")(outputs=["x", "a"], expectations={"relevant": ["a"]}) == 0.5
    with pytest.raises(ValueError, match="outputs has no key 'docs'; there are 'retrieved'"):
        score(outputs={"retrieved": ["a"]}, expectations={"truth": ["a"]})


def test_rows_without_a_value_are_left_out() -> None:
    relevant = [*RELEVANT[:2], [], ["a"]]
    values = rg.evaluate_ids(RETRIEVED, relevant, "nDCG@5", empty="skip")
    result = evaluated(ranking_metric("nDCG@5", empty="skip"), relevant=relevant)
    assert result.metrics["nDCG_at_5/mean"] == values["nDCG@5"]
    column = result.tables["eval_results_table"]["nDCG_at_5/score"]
    np.testing.assert_allclose(
        column.astype(float), values.per_query["nDCG@5"], atol=1e-9, equal_nan=True
    )
    result = ranking_metric("RR", empty="skip").eval_fn([["a"]], [[]])
    assert (result.scores, result.aggregate_results) == ([None], {})
    data = [
        {"inputs": {"at": at}, "outputs": outputs, "expectations": {"relevant": expected}}
        for at, (outputs, expected) in enumerate(zip(RETRIEVED, relevant, strict=True))
    ]
    result = mlflow.genai.evaluate(data=data, scorers=[ranking_scorer("RR", empty="skip")])
    want = rg.evaluate_ids(RETRIEVED, relevant, "RR", empty="skip")["RR"]
    assert result.metrics["RR/mean"] == pytest.approx(want)
