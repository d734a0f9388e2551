"""Inside CatBoost's training and early stopping."""

import warnings
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from integrations.ltr import Ltr, made

catboost = pytest.importorskip("catboost", reason="CatBoost is not installed")
from rankgain.integrations.catboost import catboost_metric  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
OWN = "NDCG:top=10;type=Base"


def pool(data: Ltr, **more: Any) -> Any:
    return catboost.Pool(data.x, data.y, group_id=data.qid, **more)


def model(metric: Any, **more: Any) -> Any:
    rules = {"loss_function": "YetiRank", "iterations": 6, "depth": 3, "verbose": False}
    rules |= {"thread_count": 2, "random_seed": 1, "allow_writing_files": False}
    return catboost.CatBoost({**rules, "eval_metric": metric, **more})


def recorded(fitted: Any, name: str = "nDCG@10") -> Any:
    return fitted.get_evals_result()["validation"][name]


@pytest.mark.parametrize("form", ["sizes", "ids"])
def test_a_training_run_records_the_host_s_own_numbers(form: str) -> None:
    one, other = made(1), made(2)
    train, valid = pool(one), pool(other)
    groups = [one.sizes, other.sizes] if form == "sizes" else [one.qid, other.qid.astype(str)]
    metric = catboost_metric(
        "nDCG@10",
        pools={"train": (train, groups[0]), "valid": (valid, groups[1])},
        convention="catboost",
    )
    ours = model(metric).fit(train, eval_set=valid)
    own = model(OWN).fit(train, eval_set=valid)
    np.testing.assert_allclose(recorded(ours), recorded(own, OWN), rtol=1e-12)


@pytest.mark.parametrize("per", ["row", "group"])
def test_weights_of_groups_are_used_as_by_the_host(per: str) -> None:
    one, other = made(1), made(2)
    of_groups = np.random.default_rng(0).integers(1, 9, len(other.sizes)) / 4
    of_rows = np.repeat(of_groups, other.sizes)
    train, valid = pool(one), pool(other, group_weight=of_rows)
    given = of_rows if per == "row" else of_groups
    pools = {"train": (train, one.sizes), "valid": (valid, other.qid, given)}
    metric = catboost_metric("nDCG@10", pools, convention="catboost")
    result = recorded(model(metric).fit(train, eval_set=valid))
    own = recorded(model(OWN).fit(train, eval_set=valid), OWN)
    np.testing.assert_allclose(result, own, rtol=1e-12)
    plain = {name: known[:2] for name, known in pools.items()}
    unweighted = catboost_metric("nDCG@10", plain, convention="catboost", weight=None)
    assert recorded(model(unweighted).fit(train, eval_set=valid)) != result


@pytest.mark.parametrize("kind", ["constant in each group", "of rows"])
def test_weights_of_rows_are_not_used_as_by_the_host(kind: str) -> None:
    """CatBoost passes weights of rows and of groups alike; its own nDCG uses those of groups."""
    one, other = made(1), made(2)
    rng = np.random.default_rng(0)
    weights = rng.integers(1, 9, len(other.y)) / 4
    if kind != "of rows":
        weights = np.repeat(rng.integers(1, 9, len(other.sizes)) / 4, other.sizes)
    train, valid = pool(one), pool(other, weight=weights)
    pools = {"train": (train, one.sizes), "valid": (valid, other.qid)}
    metric = catboost_metric("nDCG@10", pools, convention="catboost")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", rg.RankgainWarning)
        result = recorded(model(metric).fit(train, eval_set=valid))
    told = [one for one in caught if issubclass(one.category, rg.RankgainWarning)]
    assert len(told) == (kind != "of rows")
    own = recorded(model(OWN).fit(train, eval_set=valid), OWN)
    np.testing.assert_allclose(result, own, rtol=1e-12)


def test_weights_of_one_pool_are_not_those_of_the_next() -> None:
    weighted, unweighted = made(1), made(2)
    weights = np.arange(1.0, 1 + len(weighted.sizes))
    plain_pool = pool(unweighted)
    pools = {
        "weighted": (pool(weighted), weighted.sizes, weights),
        "unweighted": (plain_pool, unweighted.sizes),
    }
    call = [np.arange(len(unweighted.y), dtype=float)], plain_pool.get_label(), None
    alone = catboost_metric("RR", {"unweighted": pools["unweighted"]})
    assert catboost_metric("RR", pools).evaluate(*call) == alone.evaluate(*call)


def test_other_pools_are_refused_by_name() -> None:
    one, other = made(1), made(2)
    train, valid = pool(one), pool(other)
    metric = catboost_metric("nDCG@10", {"train": (train, one.sizes)})
    with pytest.raises(Exception, match=f"{len(other.y)} rows .*knows the pools 'train'"):
        model(metric).fit(train, eval_set=valid)


def test_what_is_not_a_pool_with_groups_is_refused_with_the_form() -> None:
    data = made(1)
    valid = pool(data)
    form = r"pools=\{'valid': \(pool, groups\)\}"
    with pytest.raises(TypeError, match=rf"pools\['valid'\] is a pool without groups.*{form}"):
        catboost_metric("RR", pools={"valid": valid})
    with pytest.raises(TypeError, match=rf"pools\['valid'\] must be .*not ndarray.*{form}"):
        catboost_metric("RR", pools={"valid": data.sizes})  # type: ignore[dict-item]
    swapped: list[Any] = [(valid,), (data.sizes, valid), (valid, data.sizes, None, None)]
    for values in swapped:
        with pytest.raises(TypeError, match=r"pools\['valid'\] must be \(pool, groups\) or "):
            catboost_metric("RR", pools={"valid": values})
    assert catboost_metric("RR", pools={"valid": [valid, data.sizes]}).is_max_optimal()
