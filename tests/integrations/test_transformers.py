"""Inside Hugging Face's Trainer, with a tiny model that is made here."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg

torch = pytest.importorskip("torch", reason="torch is not installed")
transformers = pytest.importorskip("transformers", reason="transformers is not installed")
pytest.importorskip("accelerate", reason="accelerate is not installed")
from rankgain.integrations.transformers import compute_ranking_metrics  # noqa: E402

pytestmark = pytest.mark.filterwarnings("default")
RNG = np.random.default_rng(0)
SIZES = RNG.integers(1, 9, 12)
IDS = np.repeat(np.arange(12), SIZES)
LABELS = RNG.integers(0, 3, len(IDS))
TOKENS = [RNG.integers(5, 40, RNG.integers(3, 9)).tolist() for _ in IDS]
MEASURES = ["nDCG@3", "AP", "RR@5"]


class Rows(torch.utils.data.Dataset):  # type: ignore[misc]
    """Rows of tokens, a label, and the id of the list."""

    def __init__(self, binary: bool) -> None:
        self.labels = (LABELS > 0).astype(int) if binary else LABELS.astype(np.float32)

    def __len__(self) -> int:
        return len(IDS)

    def __getitem__(self, at: int) -> dict[str, Any]:
        tokens = TOKENS[at] + [0] * (9 - len(TOKENS[at]))
        return {
            "input_ids": torch.tensor(tokens),
            "attention_mask": torch.tensor([int(token > 0) for token in tokens]),
            "labels": torch.tensor(self.labels[at]),
            "query_id": torch.tensor(IDS[at]),
        }


def tiny(outputs: int) -> Any:
    torch.manual_seed(1)
    small = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2}
    config = transformers.BertConfig(
        vocab_size=40, intermediate_size=8, num_labels=outputs, **small
    )
    return transformers.BertForSequenceClassification(config)


def trainer(folder: Path, compute: Any, outputs: int = 1, **arguments: Any) -> Any:
    settings = transformers.TrainingArguments(
        str(folder),
        per_device_eval_batch_size=7,
        report_to="none",
        use_cpu=True,
        remove_unused_columns=False,
        **arguments,
    )
    rows = Rows(outputs == 2)
    return transformers.Trainer(
        tiny(outputs), settings, train_dataset=rows, eval_dataset=rows, compute_metrics=compute
    )


def wanted(one: Any, **options: Any) -> dict[str, float]:
    """The measures of what the model says, batch by batch, without the host."""
    rows, model = one.eval_dataset, one.model.eval()
    batch = {
        key: torch.stack([rows[at][key] for at in range(len(rows))])
        for key in ("input_ids", "attention_mask")
    }
    with torch.no_grad():
        scores = model(**batch).logits.numpy()
    scores = scores[:, 0] if scores.shape[1] == 1 else scores[:, 1] - scores[:, 0]
    result = rg.evaluate_arrays(rows.labels, scores, MEASURES, qid=IDS, **options)
    return {f"eval_{name}": value for name, value in result.means.items()}


KEYS: list[dict[str, Any]] = [
    {"label_names": ["labels", "query_id"]},
    {"label_names": ["labels", "query_id"], "batch_eval_metrics": True},
    {"include_for_metrics": ["inputs"], "batch_eval_metrics": True},
]


@pytest.mark.parametrize("outputs", [1, 2])
@pytest.mark.parametrize("arguments", KEYS)
def test_evaluate_with_a_key(arguments: Any, outputs: int, tmp_path: Path) -> None:
    one = trainer(tmp_path, compute_ranking_metrics(MEASURES), outputs, **arguments)
    for _ in range(2):  # nothing is left from the first time
        result = one.evaluate()
        ours = {name: result[name] for name in result if name[5:] in MEASURES}
        assert ours == pytest.approx(wanted(one), rel=1e-5)


@pytest.mark.parametrize("batched", [False, True])
def test_evaluate_with_an_array(batched: bool, tmp_path: Path) -> None:
    compute = compute_ranking_metrics(MEASURES, groups=IDS, gain="exp2")
    one = trainer(tmp_path, compute, batch_eval_metrics=batched)
    result = one.evaluate()
    ours = {name: result[name] for name in result if name[5:] in MEASURES}
    assert ours == pytest.approx(wanted(one, gain="exp2"), rel=1e-5)


@pytest.mark.parametrize(
    ("measure", "options", "key", "best"),
    [("nDCG@3", {}, "nDCG@3", max), ("MR", {"name": "mean_rank"}, "mean_rank", min)],
)
def test_the_best_model_is_that_of_the_best_value(
    measure: str, options: Any, key: str, best: Any, tmp_path: Path
) -> None:
    one = trainer(
        tmp_path,
        compute_ranking_metrics(measure, **options),
        label_names=["labels", "query_id"],
        eval_strategy="epoch",
        save_strategy="epoch",
        num_train_epochs=3,
        load_best_model_at_end=True,
        metric_for_best_model=f"eval_{key}",
        greater_is_better=best is max,
        learning_rate=0.05,
        disable_tqdm=True,
    )
    one.train()
    values = [row[f"eval_{key}"] for row in one.state.log_history if f"eval_{key}" in row]
    assert len(values) == 3
    assert min(values) < max(values)
    assert one.state.best_metric == best(values)


class Interrupted(RuntimeError):
    """Raised in the middle of an evaluation."""


@pytest.mark.parametrize("workers", [0, 1])
@pytest.mark.parametrize("times", [1, 2])
def test_rows_of_an_interrupted_evaluation_are_left_out(
    times: int, workers: int, tmp_path: Path
) -> None:
    """Also where the loader is the same one, as it is with persistent workers."""
    arguments: dict[str, Any] = {"label_names": ["labels", "query_id"], "batch_eval_metrics": True}
    if workers:
        arguments |= {"dataloader_num_workers": 1, "dataloader_persistent_workers": True}
    one = trainer(tmp_path, compute_ranking_metrics(MEASURES), **arguments)
    step, steps = one.prediction_step, []

    def stopped(*args: Any, **more: Any) -> Any:
        steps.append(1)
        if len(steps) == 4:
            raise Interrupted
        return step(*args, **more)

    one.prediction_step = stopped
    for _ in range(times):
        steps.clear()
        with pytest.raises(Interrupted):
            one.evaluate()
    result = one.evaluate()
    ours = {name: result[name] for name in result if name[5:] in MEASURES}
    assert ours == pytest.approx(wanted(one), rel=1e-5)


def test_without_ids_the_ways_are_named(tmp_path: Path) -> None:
    for arguments in ({}, {"include_for_metrics": ["inputs"]}):
        one = trainer(tmp_path, compute_ranking_metrics("RR"), **arguments)
        with pytest.raises(ValueError, match=r"label_names=\['labels', 'query_id'\].*groups=ids"):
            one.evaluate()
    one = trainer(tmp_path, compute_ranking_metrics("RR", groups=IDS[:-1]))
    with pytest.raises(ValueError, match=f"{len(IDS) - 1} ids, but {len(IDS)} rows"):
        one.evaluate()
