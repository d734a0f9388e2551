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


def values(result: Any) -> dict[str, float]:
    return {name: float(one) for name, one in result.items()}


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


def test_states_are_sums_of_one_size_and_ids() -> None:
    metric = RankingMetric(MEASURES)
    before = {name: one.shape for name, one in metric.metric_state.items() if name != "ids"}
    for batch in batches(*lists(2, 500), 50):
        metric.update(*batch)
    state = metric.metric_state
    assert {name: state[name].shape for name in before} == before
    assert sum(one.nbytes for one in state["ids"]) == 8 * 500


def few() -> list[Any]:
    """Batches of one list each; in the first all measures have one value."""
    rows = [([0.2, 0.7], [1, 0], 1), ([0.9, 0.1, 0.5], [0, 1, 2], 2), ([0.3, 0.8], [0, 0], 3)]
    return [
        (torch.tensor(preds), torch.tensor(target), torch.full((len(target),), at))
        for preds, target, at in rows
    ]


SEVERAL: list[Any] = [
    [("nDCG(gain={0: 0, 1: 1, 2: 2})@10", {}), ("RR@10", {}), ("HitRate@2", {})],
    [("RR", {"rel": 1}), ("RR", {"rel": 2}), ("RR", {"empty": "skip"})],
    [("nDCG", {"gain": lambda x: x}), ("nDCG", {"gain": lambda x: 2 * x * x})],
    [(["P@1", "P@2"], {}), (["P@1", "HitRate@1"], {}), ("P@1", {})],
]


@pytest.mark.parametrize("step", ["update", "forward"])
@pytest.mark.parametrize("members", SEVERAL)
def test_a_collection_keeps_measures_apart(members: Any, step: str) -> None:
    """Compute groups are on, and the states of all sums agree after the first batch."""
    metrics = {str(at): RankingMetric(one, **more) for at, (one, more) in enumerate(members)}
    collection = torchmetrics.MetricCollection(metrics)
    for _ in range(2):  # reset keeps them apart
        for batch in few():
            (collection if step == "forward" else collection.update)(*batch)
        result = [float(one) for one in collection.compute().values()]
        scores, labels, ids = (torch.cat(one).numpy() for one in zip(*few(), strict=True))
        want: list[float] = []
        for measures, more in members:
            want += rg.evaluate_arrays(labels, scores, measures, qid=ids, **more).means.values()
        if len({str(one) for one, _ in members}) == 4:  # names in two metrics come once
            want = want[:2]
        assert result[: len(want)] == want
        collection.reset()


def test_states_of_another_metric_are_not_merged() -> None:
    one, other = RankingMetric("RR"), RankingMetric("RR", rel=2)
    one.update(*few()[0])
    other.update(*few()[1])
    with pytest.raises(ValueError, match="settings_"):
        one.merge_state(other)


def test_states_of_one_setting_are_named_alike_in_every_process(tmp_path: Path) -> None:
    """So that a checkpoint loads in another process, also where a gain is a function."""
    code = """
import sys, torch
from rankgain.integrations.torch import RankingMetric
metric = RankingMetric("nDCG@10", gain=lambda label: 2 * label, convention="sklearn")
metric.persistent(True)
if sys.argv[2] == "save":
    metric.update(torch.tensor([0.2, 0.7]), torch.tensor([1, 0]), torch.tensor([5, 5]))
    torch.save(metric.state_dict(), sys.argv[1])
else:
    metric.load_state_dict(torch.load(sys.argv[1]))
    print(float(metric.compute()))
"""
    for step in ("save", "load"):
        command = [sys.executable, "-W", "ignore", "-c", code, str(tmp_path / "state"), step]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    assert float(done.stdout) == 1 / np.log2(3)


def test_states_of_other_settings_are_not_loaded() -> None:
    def gain(label: float) -> float:
        return 3 * label

    for one, other in [({"gain": gain}, {}), ({"gain": gain}, {"gain": lambda label: label})]:
        metric, source = RankingMetric("nDCG", **one), RankingMetric("nDCG", **other)
        source.persistent(True)
        with pytest.raises(RuntimeError, match=r"Unexpected key.* \"settings_"):
            metric.load_state_dict(source.state_dict())


def again(metric: Any, how: str, batch: Any) -> None:
    """The lists of a batch a second time, by the way of torchmetrics."""
    other = RankingMetric("RR")
    other.persistent(True)
    other.update(*batch)
    if how == "merge":
        metric.merge_state(other)
    elif how == "state":
        metric.merge_state(other.metric_state)
    else:
        metric.load_state_dict(other.state_dict())
        metric.update(*batch)


@pytest.mark.parametrize("how", ["merge", "state", "load"])
def test_lists_that_come_again_through_states(how: str) -> None:
    metric = RankingMetric("RR")
    metric.update(*few()[0])

    def whole() -> None:
        again(metric, how, few()[0])
        metric.compute()

    with pytest.raises(ValueError, match=r"1.*: pass each list whole, in one update of one"):
        whole()
    metric.reset()
    metric.update(*few()[0])
    metric.merge_state(copy.deepcopy(RankingMetric("RR")))
    assert float(metric.compute()) == 0.5


def test_a_loaded_state_brings_its_lists() -> None:
    metric, other = RankingMetric("RR"), RankingMetric("RR")
    metric.update(*few()[0])
    other.persistent(True)
    other.update(*few()[1])
    metric.load_state_dict(other.state_dict())
    metric.update(*few()[0])  # it has forgotten that one
    with pytest.raises(ValueError, match="list 2 came in an update before"):
        metric.update(*few()[1])
    assert float(metric.compute()) == 0.5


@pytest.mark.parametrize("kind", ["uint8", "int32", "int64", "uint64", "float32"])
def test_ids_at_the_end_of_their_type(kind: str) -> None:
    kind_of = getattr(torch, kind)
    largest, least = 2**24 - 1, 1 - 2**24  # of float32; beyond, integers become one float
    if not kind_of.is_floating_point:
        largest, least = torch.iinfo(kind_of).max, torch.iinfo(kind_of).min
    metric = RankingMetric("RR")
    for end in (largest, least, 3):
        ids = torch.tensor([end, end], dtype=kind_of)
        metric.update(torch.tensor([0.2, 0.7]), torch.tensor([1, 0]), ids)
    assert float(metric.compute()) == 0.5
    with pytest.raises(ValueError, match="came in an update before"):
        metric.update(torch.ones(1), torch.ones(1), torch.tensor([largest], dtype=kind_of))


def test_an_update_that_fails_leaves_nothing() -> None:
    metric = RankingMetric("RR")
    scores, labels, ids = few()[0]
    with pytest.raises(ValueError, match="NaN"):
        metric.update(scores * float("nan"), labels, ids)
    metric.update(scores, labels, ids)
    with pytest.raises(ValueError, match="NaN"):
        metric.update(scores * float("nan"), labels, ids + 1)
    assert float(metric.compute()) == 0.5


def test_set_dtype_leaves_exact_sums() -> None:
    labels, scores, ids = lists()
    metric = RankingMetric(["nDCG", "AP"])
    one, other = batches(labels, scores, ids, 30)
    metric.update(*one)
    metric.set_dtype(torch.float16).half()
    metric.update(*other)
    assert values(metric.compute()) == dict(
        rg.evaluate_arrays(labels, scores, ["nDCG", "AP"], qid=ids).means
    )


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


RANK = """
import json, sys
import numpy as np, torch, torch.distributed as dist
sys.path[:0] = {paths!r}
from integrations.test_torch import MEASURES, batches, lists
from rankgain.integrations.torch import RankingMetric
rank = int(sys.argv[1])
dist.init_process_group("gloo", init_method="file://" + sys.argv[2], rank=rank, world_size=2)
data = list(batches(*lists(), 7))  # nine
ways = {{
    "whole": [batch for at, batch in enumerate(data) if at % 3 % 2 == rank],  # one has more updates
    "idle": data * (rank == 0),
    "padded": [data[at] for at in torch.utils.data.DistributedSampler(data, shuffle=False)],
    "rows": [[torch.cat(column)[rank::2] for column in zip(*data)]],
}}
found = {{}}
for way, batches in ways.items():
    metric = RankingMetric(MEASURES)
    for batch in batches:
        metric.update(*batch)
    try:
        found[way] = {{name: float(one).hex() for name, one in metric.compute().items()}}
    except ValueError as error:
        found[way] = str(error)
print(json.dumps(found))
dist.destroy_process_group()
"""


def test_two_processes(tmp_path: Path) -> None:
    """They give the bits of one, or say that lists are cut or repeated."""
    code = RANK.format(paths=[str(ROOT / "tests"), str(ROOT / "tests" / "oracle")])
    command = [sys.executable, "-W", "ignore", "-c", code]
    ranks = [
        subprocess.Popen(
            [*command, str(rank), str(tmp_path / "meet")], stdout=subprocess.PIPE, text=True
        )
        for rank in (0, 1)
    ]
    result = [json.loads(one.communicate(timeout=120)[0].splitlines()[-1]) for one in ranks]
    assert result[0] == result[1]
    labels, scores, ids = lists()
    means = rg.evaluate_arrays(labels, scores, MEASURES, qid=ids).means
    want = {name: mean.hex() for name, mean in means.items()}
    assert (result[0]["whole"], result[0]["idle"]) == (want, want)
    for way, number in (("padded", 7), ("rows", sum(np.bincount(ids) > 1))):
        assert f"{number} of 60 lists came more than once, such as" in result[0][way]
        assert "use_distributed_sampler=False" in result[0][way]


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

        def training_step(self, batch: Any, at: int) -> Any:
            return (batch[0] * self.scale).sum()

        def configure_optimizers(self) -> Any:
            return torch.optim.SGD(self.parameters(), lr=0.0)

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
        max_epochs=2,
        num_sanity_val_steps=2,  # the epochs forget these
        logger=False,
        enable_checkpointing=False,
        enable_progress_bar=False,
        enable_model_summary=False,
        default_root_dir=tmp_path,
    )
    model = Model()
    want = rg.evaluate_arrays(labels, scores, ["nDCG@5", "AP", "RR"], qid=ids).means
    trainer.fit(model, parts, parts)
    epochs = [{name: float(one) for name, one in trainer.callback_metrics.items()}]
    epochs += [trainer.validate(model, parts, verbose=False)[0] for _ in range(2)]
    for result in epochs:  # none remembers the one before
        assert list(result.values()) == pytest.approx(list(want.values()), rel=1e-6)
