"""torchmetrics and Lightning: a Metric whose states are sums over batches and processes."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import Accumulator
from ..engine.exact import Exact
from ..evaluation.sums.merging import make_terms
from .hosts import read_request, require, setting_text, to_numpy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..measures.types import Measures


torch = require("torch")
torchmetrics = require("torchmetrics", "torch")

# Sums are integers in units of 2**UNIT, a unit below any product of two doubles, in digits of 32
# bits. Integers have the same sum in any order.
UNIT = -2_200
DIGITS = 140
METRIC_OPTIONS = """
    compute_on_cpu dist_sync_on_step process_group dist_sync_fn distributed_available_fn
    sync_on_compute compute_with_cache
""".split()
REPEATED = (
    "{lists}: pass each list whole, in one update of one process, under an id of its own in all "
    "data. A sampler must hand out whole lists and repeat none to fill up (in Lightning "
    "Trainer(use_distributed_sampler=False) with a batch sampler of lists), states of the same "
    "lists must not be merged or loaded, and epochs have reset() between them"
)


class RankingMetric(torchmetrics.Metric):  # type: ignore[name-defined]
    """Measures of lists, for torchmetrics and `self.log` of Lightning.

    Parameters
    ----------
    measures : str, Measure, or a sequence of them
        One computes a tensor, several a dict of name -> tensor.
    options
        Of `rankgain.evaluate_arrays`, such as `convention="torchmetrics"`, `gain=` and `ties=`, and
        what torchmetrics' `Metric` takes, such as `dist_sync_on_step=`.

    Notes
    -----
    `update(preds, target, indexes)` takes scores, labels and the ids of lists as RetrievalMetric
    does. Each list must be complete in one update of one process. A list that comes again is a
    ValueError: at once in the same process, else in `compute()`, where the ids of all processes
    meet. So it is if a DistributedSampler cuts lists, or repeats some to fill up.

    States are exact sums, and 8 bytes for the id of each list. They are added over batches and
    processes, and the mean has the bits of one call of `evaluate_arrays`. `set_dtype` leaves them.

    Examples
    --------
    >>> metric = RankingMetric("RR")
    >>> metric.update(torch.tensor([0.2, 0.7]), torch.tensor([1, 0]), torch.tensor([5, 5]))
    >>> metric.compute()
    tensor(0.5000, dtype=torch.float64)
    """

    ids: Any
    is_differentiable = False
    full_state_update = False

    def __init__(self, measures: Measures, **options: object) -> None:
        options_of_host = {}
        for name in options.keys() & METRIC_OPTIONS:
            options_of_host[name] = options.pop(name)
        super().__init__(**options_of_host)
        self._requested = read_request(measures, options)
        self._known: set[int] = set()
        self._known_of = 0  # updates whose ids are known
        self._last_means: Mapping[str, float] = {}  # of the last update
        empty = Accumulator()
        empty.add(self._requested.of_arrays([], [], group=[]))
        self._empty = empty.to_dict()
        self._cells = len(self._empty["cells"])
        sums = torch.zeros((self._cells, 2, DIGITS), dtype=torch.int64)
        self.add_state("sums", sums, dist_reduce_fx="sum")
        self.add_state("not_finite", torch.zeros((self._cells, 2)), dist_reduce_fx="sum")
        self.add_state("ids", [], dist_reduce_fx="cat")
        # MetricCollection counts metrics with equal states as one; this name tells them apart.
        data = setting_text((measures, options)).encode("utf-8", "surrogatepass")
        name = f"settings_{hashlib.blake2b(data, digest_size=16).hexdigest()}"
        self.add_state(name, torch.zeros(()), dist_reduce_fx="sum")

    @property
    def higher_is_better(self) -> bool:
        """The direction of the first measure."""
        return self._requested.larger[0]

    def update(self, preds: Any, target: object, indexes: object) -> None:
        """Add lists: scores, labels, and an id of the list for each document, in any order."""
        qid = to_numpy(indexes).reshape(-1)
        ids = np.unique(qid)
        # The bits of floats serve as keys, as different floats have different bits.
        dtype = np.float64 if ids.dtype.kind == "f" else np.int64
        keys = ids.astype(dtype).view(np.int64)
        if self._known_of != len(self.ids):  # states were merged, loaded or restored
            self._known = set()
            for part in self.ids:
                self._known.update(part.tolist())
        new = keys.tolist()
        if not self._known.isdisjoint(new):
            is_known = [key in self._known for key in new]
            lists = f"list {ids[is_known][0]} came in an update before this one"
            raise ValueError(REPEATED.format(lists=lists))
        labels = to_numpy(target).reshape(-1)
        scores = to_numpy(preds).reshape(-1)
        evaluation = self._requested.of_arrays(labels, scores, qid=qid)
        digits = np.zeros((self._cells, 2, DIGITS), np.int64)
        for cell, name in enumerate(evaluation.means):
            terms = make_terms(evaluation, name)
            numerators = Exact.of(terms.values, terms.factors)
            divisors = Exact.of(terms.divisors, None)
            for side, total in enumerate((numerators, divisors)):
                if total.special:  # it is not finite
                    self.not_finite[cell, side] += total.special
                    continue
                # mantissa * 2**exponent as a whole number of units of 2**UNIT. Each of its digits,
                # of 32 bits, has its sign, so adding those of many updates is exact.
                number = total.mantissa << (total.exponent - UNIT)
                data = abs(number).to_bytes(4 * DIGITS, "little")
                digits[cell, side] = np.frombuffer(data, "<u4")
                if number < 0:
                    digits[cell, side] *= -1
        self.sums += torch.from_numpy(digits).to(self.sums.device)
        if new:
            self.ids.append(torch.from_numpy(keys).to(self.sums.device))
            self._known.update(new)
        self._known_of = len(self.ids)
        self._last_means = evaluation.means

    def forward(self, *args: object, **kwargs: object) -> Any:
        """Update, and the means of this batch."""
        if self.dist_sync_on_step or self._is_synced:
            return super().forward(*args, **kwargs)
        self.update(*args, **kwargs)
        self._forward_cache = self._tensors(self._last_means)
        return self._forward_cache

    def sync(self, *args: object, **kwargs: object) -> None:
        """Gather the states of all processes."""
        if not self.ids:  # the host would hand on an empty tensor of another type
            self.ids = [torch.zeros(0, dtype=torch.int64, device=self.sums.device)]
        super().sync(*args, **kwargs)

    def compute(self) -> Any:
        """The means over all lists so far."""
        ids = np.empty(0, np.int64)
        if len(self.ids):
            ids = torchmetrics.utilities.dim_zero_cat(self.ids).cpu().numpy()
        keys, counts = np.unique(ids, return_counts=True)
        if (counts > 1).any():
            repeated = keys[counts > 1]
            lists = (
                f"{len(repeated):,} of {len(keys):,} lists came more than once, such as "
                f"{repeated[0]}"
            )
            raise ValueError(REPEATED.format(lists=lists))
        data = {**self._empty, "cells": []}
        for number_of_cell, cell in enumerate(self._empty["cells"]):
            sums = dict(cell["sums"])
            for side, name in enumerate(("above", "below")):
                # The whole number that `update` divided into digits, in hexadecimal.
                number = 0
                for position, digit in enumerate(self.sums[number_of_cell, side].tolist()):
                    number += digit << (32 * position)
                special = float(self.not_finite[number_of_cell, side])
                sums[name] = str(special) if special else f"{number:x}p{UNIT}"
            data["cells"].append({**cell, "sums": sums})
        return self._tensors(Accumulator.from_dict(data).means)

    def _tensors(self, means: Mapping[str, float]) -> object:
        device = self.sums.device
        kind = torch.float64
        if device.type == "mps":  # which has no float64
            kind = torch.float32
        tensors = {}
        for name, mean in means.items():
            tensors[name] = torch.tensor(mean, dtype=kind, device=device)
        if len(tensors) > 1:
            return tensors
        return next(iter(tensors.values()))

    def reset(self) -> None:
        """Remove all lists."""
        super().reset()
        self._known = set()
        self._known_of = 0
        self._last_means = {}

    def _load_from_state_dict(self, *args: object) -> None:
        super()._load_from_state_dict(*args)
        self._known_of = -1

    def set_dtype(self, dst_type: object) -> RankingMetric:
        """Nothing: sums are exact in one type only."""
        return self
