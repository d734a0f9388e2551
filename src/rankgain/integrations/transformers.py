"""Hugging Face's Trainer: measures for `compute_metrics`."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from .hosts import read_request, require, to_numpy

if TYPE_CHECKING:
    from ..inputs.types import Group
    from ..measures.types import Measures
    from .hosts import HostOptions


transformers = require("transformers")

NO_GROUPS = (
    "the ids of the lists did not reach compute_metrics: the key {key!r} is neither among the "
    "inputs nor beside the labels. Name it in TrainingArguments(label_names=['labels', {key!r}]), "
    "or with batch_eval_metrics=True in include_for_metrics=['inputs'] and "
    "remove_unused_columns=False, or give the ids as an array: groups=ids"
)


class ComputeRankingMetrics:
    """A `compute_metrics`; with batch_eval_metrics=True it stores rows until the last batch.

    Rows of an evaluation that was interrupted are left out when another begins.
    """

    def __init__(self, measures: Measures, groups: object, options: HostOptions) -> None:
        self._requested = read_request(measures, options)
        self._groups = groups if isinstance(groups, str) else np.asarray(groups)
        self._rows: list[tuple[object, ...]] = []
        self._reading: object = None

    def __call__(self, eval_pred: object, compute_result: bool = True) -> dict[str, float]:
        # The loader that the Trainer reads, by Accelerate's state, and how often one was begun: one
        # whose reading was interrupted stays in that state, so the next evaluation differs from it.
        state = sys.modules.get("accelerate.state")
        loaders: list[object] = [None]
        if state is not None:
            loaders = state.GradientState().dataloader_references
        loader = loaders[-1]
        reading = len(loaders), None if loader is None else weakref.ref(loader)
        if reading != self._reading:
            self._rows = []
            self._reading = reading
        self._rows.append(self._read(eval_pred))
        if not compute_result:
            return {}
        columns = list(map(np.concatenate, zip(*self._rows, strict=True)))
        self._rows = []
        scores, labels = columns[:2]
        qid = self._groups
        if len(columns) > 2:
            qid = columns[2]
        if len(qid) != len(scores):
            raise ValueError(f"groups has {len(qid)} ids, but {len(scores)} rows were evaluated")
        evaluation = self._requested.of_arrays(labels, scores, qid=qid)
        return dict(zip(self._requested.labels, evaluation.means.values(), strict=True))

    def _read(self, eval_pred: Any) -> tuple[object, ...]:
        """Scores, labels, and ids if they are there."""
        predictions, labels = eval_pred.predictions, eval_pred.label_ids
        ids = None
        if isinstance(predictions, tuple):  # hidden states and the like follow the scores
            predictions = predictions[0]
        if isinstance(self._groups, str):
            if isinstance(eval_pred.inputs, Mapping):
                ids = eval_pred.inputs.get(self._groups)
            if ids is None and isinstance(labels, tuple) and len(labels) > 1:
                ids = labels[1]
            if ids is None:
                raise ValueError(NO_GROUPS.format(key=self._groups))
        if isinstance(labels, tuple):
            labels = labels[0]
        columns = [predictions, labels]
        if ids is not None:
            columns.append(ids)
        arrays = list(map(to_numpy, columns))
        scores, labels = arrays[:2]
        if scores.ndim == 2 and scores.shape[1] == 2 and labels.ndim == 1:
            arrays[0] = scores[:, 1] - scores[:, 0]  # two logits
        rows = len(labels)
        return tuple(array.reshape(rows) for array in arrays)


def compute_ranking_metrics(
    measures: Measures, *, groups: str | Group = "query_id", **options: Unpack[HostOptions]
) -> ComputeRankingMetrics:
    """Measures for `Trainer(compute_metrics=)`, with batch_eval_metrics=True or without.

    Parameters
    ----------
    measures : str, Measure, or a sequence of them
        Each is a number in the log, "eval_nDCG@10", which metric_for_best_model can name; where
        smaller values are better, as of MR, give greater_is_better=False with it, or the Trainer
        keeps the worst checkpoint. name= is the name of a single measure.
    groups : str or array
        Where the ids of the lists are: a key of the rows, or an array with an id for each row of
        the evaluated set, in its order. A key is passed beside the labels, as in
        TrainingArguments(label_names=["labels", "query_id"]), or among the inputs with
        batch_eval_metrics=True and include_for_metrics=["inputs"]. Without batch_eval_metrics the
        host passes only the main input of the model.
    options
        Of `rankgain.evaluate_arrays`, such as `convention=`, `gain=` and `ties=`.

    Notes
    -----
    Rows have one score, or the two logits of a classifier, whose difference is the score. With
    several processes the host gathers all rows.

    Examples
    --------
    >>> compute = compute_ranking_metrics("RR", groups=[1, 1])
    >>> compute(transformers.EvalPrediction(np.array([[0.2], [0.7]]), np.array([1, 0])))
    {'RR': 0.5}
    """
    return ComputeRankingMetrics(measures, groups, options)
