"""torchmetrics and Lightning: a Metric whose states are sums over batches and processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import Accumulator
from .hosts import larger_is_better, requested, required

if TYPE_CHECKING:
    from ..inputs.types import Array, Integers
    from ..measures.types import Measures


torch = required("torch")
torchmetrics = required("torchmetrics", "torch")

# Sums are integers in units of 2**UNIT, a unit below any product of two doubles, in digits of 32
# bits. Integers have the same sum in any order.
UNIT = -2_200
DIGITS = 140
METRIC_OPTIONS = """
    compute_on_cpu dist_sync_on_step process_group dist_sync_fn distributed_available_fn
    sync_on_compute compute_with_cache
""".split()
NOTHING = np.zeros((2, 0), np.int64)


class RankingMetric(torchmetrics.Metric):  # type: ignore[name-defined]
    """Measures of lists, for torchmetrics and `self.log` of Lightning.

    Parameters
    ----------
    measures : str, Measure, or a sequence of them
        One computes a tensor, several a dict of name -> tensor.
    options
        Of `rankgain.evaluate_arrays`, such as `convention="torchmetrics"`, `gain=` and `ties=`, and
        what torchmetrics' `Metric` takes, such as `dist_sync_on_step=`.

    `update(preds, target, indexes)` takes scores, labels and the ids of lists as RetrievalMetric
    does. Each list must be complete in one update of one process; a list in two updates is a
    ValueError. A DistributedSampler that pads repeats samples, which no process can detect.

    States are exact sums, whose size does not grow with the data. They are added over batches and
    processes, and the mean has the bits of one call of `evaluate_arrays`.

    >>> metric = RankingMetric("RR")
    >>> metric.update(torch.tensor([0.2, 0.7]), torch.tensor([1, 0]), torch.tensor([5, 5]))
    >>> metric.compute()
    tensor(0.5000, dtype=torch.float64)
    """

    is_differentiable = False
    full_state_update = False

    def __init__(self, measures: Measures, **options: object) -> None:
        super().__init__(**{name: options.pop(name) for name in METRIC_OPTIONS if name in options})
        self._requested = requested(measures, options)
        self._id_runs = NOTHING
        empty = Accumulator()
        empty.add(self._requested.of_arrays([], [], group=[]))
        self._empty = empty.to_dict()
        cells = len(self._empty["cells"])
        sums = torch.zeros((cells, 2, DIGITS), dtype=torch.int64)
        self.add_state("sums", sums, dist_reduce_fx="sum")
        self.add_state("not_finite", torch.zeros((cells, 2)), dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool:
        """The direction of the first measure."""
        return larger_is_better(self._requested.names[0])

    def update(self, preds: Any, target: object, indexes: object) -> None:
        """Add lists: scores, labels, and an id of the list for each document, in any order."""
        ids = _array(indexes)
        self._id_runs = _joined(self._id_runs, ids)
        evaluation = self._requested.of_arrays(_array(target), _array(preds), qid=ids)
        part = Accumulator()
        part.add(evaluation)
        for at, cell in enumerate(part.to_dict()["cells"]):
            for side, name in enumerate(("above", "below")):
                digits, special = _digits(cell["sums"][name])
                self.sums[at, side] += digits.to(self.sums.device)
                self.not_finite[at, side] += special

    def compute(self) -> Any:
        """The means over all lists so far."""
        data = {**self._empty, "cells": []}
        for at, cell in enumerate(self._empty["cells"]):
            sums = dict(cell["sums"])
            for side, name in enumerate(("above", "below")):
                sums[name] = _text(self.sums[at, side], float(self.not_finite[at, side]))
            data["cells"].append({**cell, "sums": sums})
        means = Accumulator.from_dict(data).means
        kind = torch.float32 if self.sums.device.type == "mps" else torch.float64  # no float64
        tensors = {
            name: torch.tensor(mean, dtype=kind, device=self.sums.device)
            for name, mean in means.items()
        }
        return tensors if len(tensors) > 1 else next(iter(tensors.values()))

    def reset(self) -> None:
        """Remove all lists."""
        super().reset()
        self._id_runs = NOTHING

    def forward(self, *args: object, **kwargs: object) -> Any:
        """Update, and the means of this batch."""
        before = self._id_runs
        means = super().forward(*args, **kwargs)  # resets, and updates with this batch only
        ids = np.concatenate([np.arange(*run) for run in self._id_runs.T] or [NOTHING[0]])
        self._id_runs = _joined(before, ids)
        return means


def _array(values: Any) -> Any:
    values = values.detach().cpu().flatten()
    return (values.float() if values.dtype == torch.bfloat16 else values).numpy()


def _joined(known: Integers, ids: Integers) -> Any:
    """Add ids to ranges of consecutive ids (first, end); an id that is there is an error."""
    ids = np.unique(ids)
    if not len(ids):
        return known
    cuts = np.flatnonzero(np.diff(ids) != 1) + 1
    runs = np.array([ids[[0, *cuts]], ids[[*(cuts - 1), -1]] + 1])
    runs = np.concatenate([known, runs], axis=1)
    first, end = runs[:, np.argsort(runs[0], kind="stable")]
    if (again := first[1:] < end[:-1]).any():
        raise ValueError(
            f"list {first[1:][again][0]} came in an update before this one: give each list whole, "
            "in one update (batches of whole lists), and call reset() between epochs"
        )
    apart = first[1:] > end[:-1]
    return np.array([first[[True, *apart]], end[[*apart, True]]])


def _digits(text: str) -> tuple[Any, float]:
    """Digits of 32 bits of an exact sum as text, and the sum itself if it is not finite."""
    mantissa, point, exponent = text.partition("p")
    if not point:
        return torch.zeros(DIGITS, dtype=torch.int64), float(text)
    number = int(mantissa, 16) << (int(exponent) - UNIT)
    digits = np.frombuffer(abs(number).to_bytes(4 * DIGITS, "little"), "<u4").astype(np.int64)
    return torch.from_numpy(-digits if number < 0 else digits), 0.0


def _text(digits: Array, special: float) -> str:
    if special:
        return str(special)
    number = sum(digit << (32 * at) for at, digit in enumerate(digits.tolist()) if digit)
    return f"{number:x}p{UNIT}"
