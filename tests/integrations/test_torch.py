"""Inside torchmetrics, Lightning, and two processes that add up."""

import copy
import json
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from places import ROOT

torch = pytest.importorskip("torch", reason="torch is not installed")
torchmetrics = pytest.importorskip("torchmetrics", reason="torchmetrics is not installed")
from rankgain.integrations.torch import RankingMetric  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
MEASURES = ["nDCG@5", "AP", "RR@10", "HitRate(per=item)@3", "GMAP", "NumRel"]


def lists(seed: int = 0, n: int = 60) -> tuple[Any, Any, Any]:
    """Labels, scores that tie, and ids of lists."""
    rng = np.random.default_rng(seed)
    ids = np.repeat(np.arange(n), rng.integers(1, 20, n))
    labels = rng.integers(0, 3, len(ids)) * (ids % 7 > 0)  # some without anything relevant
    return labels, rng.random(len(ids)).astype(np.float32).round(1), ids


def batches(labels: Any, scores: Any, ids: Any, size: int) -> Any:
    """(preds, target, indexes) of whole lists, `size` lists each."""
    for first in range(0, ids.max() + 1, size):
        rows = (ids >= first) & (ids < first + size)
        yield tuple(torch.from_numpy(one[rows]) for one in (scores, labels, ids))


def values(found: Any) -> dict[str, float]:
    return {name: float(one) for name, one in found.items()}


@pytest.mark.parametrize("size", [1, 7, 60])
@pytest.mark.parametrize("options", [{}, {"gain": "exp2", "empty": "skip"}, {"ties": "worst"}])
def test_any_batches_give_the_bits_of_one_call(size: int, options: Any) -> None:
    labels, scores, ids = lists()
    measures = MEASURES if "gain" not in options else ["nDCG@5", "AP", "AUC"]
    metric, stepped = RankingMetric(measures, **options), RankingMetric(measures, **options)
    for batch in batches(labels, scores, ids, size):
        metric.update(*batch)
        step = stepped(*batch)  # forward: the means of the batch
    want = dict(rg.evaluate_arrays(labels, scores, measures, qid=ids, **options).means)
    assert values(metric.compute()) == want
    assert values(stepped.compute()) == want
    last = rg.evaluate_arrays(
        *(one.numpy() for one in (batch[1], batch[0])), measures, qid=batch[2].numpy(), **options
    )
    np.testing.assert_array_equal(list(values(step).values()), list(last.means.values()))


def test_beside_torchmetrics_own() -> None:
    labels, scores, ids = lists(1)
    tensors = next(batches(labels, scores, ids, 10_000))
    ours = RankingMetric("nDCG@5", convention="torchmetrics")
    theirs = torchmetrics.retrieval.RetrievalNormalizedDCG(top_k=5)
    for metric in (ours, theirs):
        metric.update(*tensors)
    assert float(ours.compute()) == pytest.approx(float(theirs.compute()), abs=1e-6)


def test_states_are_sums_of_one_size() -> None:
    metric = RankingMetric(MEASURES)
    assert set(metric._reductions.values()) == {torchmetrics.utilities.dim_zero_sum}
    before = {name: one.shape for name, one in metric.metric_state.items()}
    size = len(pickle.dumps(metric))
    for batch in batches(*lists(2, 500), 50):
        metric.update(*batch)
    assert {name: one.shape for name, one in metric.metric_state.items()} == before
    assert len(pickle.dumps(metric)) < size + 1_000


def test_merging_copying_and_collections() -> None:
    labels, scores, ids = lists()
    parts = list(batches(labels, scores, ids, 30))
    one, other = RankingMetric(MEASURES), RankingMetric(MEASURES)
    one.update(*parts[0])
    other.update(*parts[1])
    one = pickle.loads(pickle.dumps(copy.deepcopy(one)))
    one.merge_state(other)
    want = dict(rg.evaluate_arrays(labels, scores, MEASURES, qid=ids).means)
    assert values(one.compute()) == want
    collection = torchmetrics.MetricCollection({"a": RankingMetric("AP"), "b": RankingMetric("RR")})
    for part in parts:
        collection.update(*part)
    want = dict(rg.evaluate_arrays(labels, scores, ["AP", "RR"], qid=ids).means)
    assert list(values(collection.compute()).values()) == list(want.values())


@pytest.mark.parametrize("step", ["update", "forward"])
@pytest.mark.parametrize(
    ("first", "second", "named"),
    [([1, 1, 2], [2, 3, 3], 2), ([5, 5, 1], [9, 1, 9], 1), ([1, 2, 3, 4], [0, 3, 7, 7], 3)],
)
def test_a_list_that_comes_back(step: str, first: Any, second: Any, named: int) -> None:
    metric = RankingMetric("RR")
    call = metric if step == "forward" else metric.update

    def update(ids: Any) -> None:
        call(torch.rand(len(ids)), torch.ones(len(ids)), torch.tensor(ids))

    update(first)
    update([20, 21])
    with pytest.raises(ValueError, match=f"list {named} came in an update before.*whole"):
        update(second)
    metric.reset()
    update(second)


@pytest.mark.parametrize("dist_sync_on_step", [False, True])
def test_lists_may_come_in_any_order(dist_sync_on_step: bool) -> None:
    labels, scores, ids = lists()
    order = np.random.default_rng(0).permutation(ids.max() + 1)
    metric = RankingMetric("nDCG", dist_sync_on_step=dist_sync_on_step)
    for one in order:
        rows = np.flatnonzero(ids == one)
        metric(*(torch.from_numpy(column[rows]) for column in (scores, labels, ids)))
    assert metric._id_runs.shape == (2, 1)  # all of them are one run of ids
    want = rg.evaluate_arrays(labels, scores, "nDCG", qid=ids)["nDCG"]
    assert float(metric.compute()) == want


def test_a_batch_without_lists_changes_nothing() -> None:
    metric = RankingMetric("nDCG")
    first, empty, second = (
        (torch.rand(n), torch.ones(n, dtype=torch.int64), torch.full((n,), n)) for n in (2, 0, 3)
    )
    values = [metric(*batch) for batch in (first, empty, second)]
    assert [float(one) for one in values[::2]] == [1.0, 1.0]
    assert float(metric.compute()) == 1.0
    assert metric._id_runs.tolist() == [[2], [4]]


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float64"])
def test_scores_of_other_types(dtype: str) -> None:
    labels, scores, ids = lists()
    metric = RankingMetric("AP")
    kind = getattr(torch, dtype)
    scored = torch.from_numpy(scores).to(kind).requires_grad_()
    metric.update(scored, torch.from_numpy(labels), torch.from_numpy(ids))
    want = rg.evaluate_arrays(labels, scored.detach().double().numpy(), "AP", qid=ids)["AP"]
    assert float(metric.compute()) == want


def test_the_direction_and_mistakes() -> None:
    assert RankingMetric("nDCG").higher_is_better
    assert not RankingMetric("NumNonrelJudgedRet").higher_is_better
    with pytest.raises(ValueError, match="did you mean nDCG"):
        RankingMetric("nDGC@10")
    with pytest.raises(ValueError, match="NaN"):
        RankingMetric("RR").update(torch.tensor([float("nan")]), torch.ones(1), torch.zeros(1))


RANK = """
import json, sys
import torch, torch.distributed as dist
sys.path[:0] = {paths!r}
from integrations.test_torch import MEASURES, batches, lists
from rankgain.integrations.torch import RankingMetric
rank = int(sys.argv[1])
dist.init_process_group("gloo", init_method="file://" + sys.argv[2], rank=rank, world_size=2)
metric = RankingMetric(MEASURES)
for at, batch in enumerate(batches(*lists(), 7)):
    if at % 3 % 2 == rank:  # one of them has twice as many updates
        metric.update(*batch)
found = {{name: float(one).hex() for name, one in metric.compute().items()}}
print(json.dumps(found))
dist.destroy_process_group()
"""


def test_two_processes_give_the_bits_of_one(tmp_path: Path) -> None:
    code = RANK.format(
        paths=[str(ROOT / "tests"), str(ROOT / "tests" / "oracle"), str(ROOT / "src")]
    )
    command = [sys.executable, "-W", "ignore", "-c", code]
    ranks = [
        subprocess.Popen(
            [*command, str(rank), str(tmp_path / "meet")], stdout=subprocess.PIPE, text=True
        )
        for rank in (0, 1)
    ]
    found = [one.communicate(timeout=120)[0] for one in ranks]
    labels, scores, ids = lists()
    means = rg.evaluate_arrays(labels, scores, MEASURES, qid=ids).means
    want = {name: mean.hex() for name, mean in means.items()}
    assert [json.loads(one.splitlines()[-1]) for one in found] == [want, want]


def test_inside_lightning(tmp_path: Path) -> None:
    lightning = pytest.importorskip("lightning", reason="Lightning is not installed")
    labels, scores, ids = lists()
    parts = torch.utils.data.DataLoader(list(batches(labels, scores, ids, 13)), batch_size=None)

    class Model(lightning.LightningModule):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.ndcg = RankingMetric("nDCG@5")
            self.several = RankingMetric(["AP", "RR"])
            self.scale = torch.nn.Parameter(torch.ones(1))

        def validation_step(self, batch: Any, at: int) -> None:
            preds, target, indexes = batch
            self.ndcg.update(preds * self.scale, target, indexes)
            self.several.update(preds * self.scale, target, indexes)
            self.log("ndcg", self.ndcg, on_epoch=True, batch_size=1)

        def on_validation_epoch_end(self) -> None:
            self.log_dict(self.several.compute())
            self.several.reset()

    trainer = lightning.Trainer(
        accelerator="cpu",
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=tmp_path,
    )
    model = Model()
    for _ in range(2):  # an epoch does not remember the one before
        (found,) = trainer.validate(model, parts, verbose=False)
        want = rg.evaluate_arrays(labels, scores, ["nDCG@5", "AP", "RR"], qid=ids).means
        assert list(found.values()) == pytest.approx(list(want.values()), rel=1e-6)
