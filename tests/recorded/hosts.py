"""Stand-ins for the hosts of adapters, so that calls of an adapter need NumPy alone.

A stand-in has what the adapter uses of its host, and does with it what the host does. The tests of
`tests/integrations` and `tests/peers` show that the hosts themselves agree.
"""

import copy
import functools
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import ModuleType, SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

import rankgain.integrations


class Scorer:
    """scikit-learn's: the first method that the estimator has, and the sign."""

    def __init__(self, function: Any, response_method: Any, greater_is_better: bool) -> None:
        self.function, self.methods = function, response_method
        self.sign = 1 if greater_is_better else -1
        self.requested: dict[str, bool] = {}

    def set_score_request(self, **names: bool) -> "Scorer":
        self.requested = names
        return self

    def __call__(self, estimator: Any, x: Any, y: Any, **options: Any) -> float:
        name = next(name for name in self.methods if hasattr(estimator, name))
        value: float = self.sign * self.function(y, getattr(estimator, name)(x), **options)
        return value


class Ranker:
    """LightGBM's LGBMRanker, which keeps what it is fitted with."""

    def fit(self, x: Any, y: Any, **options: Any) -> "Ranker":
        self.fitted = x, y, options
        return self


class Workers:
    """XGBoost's collective: several workers, with the sums that the others broadcast."""

    def __init__(self) -> None:
        self.rank, self.others = 0, list[Any]()

    def get_world_size(self) -> int:
        return 1 + len(self.others)

    def get_rank(self) -> int:
        return self.rank

    def broadcast(self, value: Any, worker: int) -> Any:
        if worker == self.rank:
            return value
        assert value is None
        return self.others[worker - (worker > self.rank)]


class MetricValue(NamedTuple):
    """mlflow's: the values of rows, and those that are logged."""

    scores: list[Any]
    aggregate_results: dict[str, float]


class Made(NamedTuple):
    """mlflow's EvaluationMetric."""

    eval_fn: Any
    greater_is_better: bool
    name: str


def mlflow_scorer(name: str, aggregations: list[str]) -> Any:
    def decorate(function: Any) -> Any:
        function.name, function.aggregations = name, aggregations
        return function

    return decorate


class RetrievalMetric:
    """LlamaIndex's BaseRetrievalMetric: fields of a model."""

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)


class RetrievalMetricResult(NamedTuple):
    """LlamaIndex's result for one query."""

    score: float


class Parts:
    """A data frame of Dask, or a dataset of Ray: blocks of columns."""

    def __init__(self, blocks: Sequence[Mapping[str, Any]]) -> None:
        self.blocks = blocks
        self.columns = list(blocks[0])

    def __getitem__(self, names: list[str]) -> "Parts":
        return Parts([{name: block[name] for name in names} for block in self.blocks])

    select_columns = __getitem__

    def to_delayed(self) -> Sequence[Any]:
        return self.blocks

    def schema(self) -> Any:
        return SimpleNamespace(names=self.columns)

    def map_batches(self, function: Any, batch_format: str, batch_size: None) -> Any:
        assert batch_format == "numpy"
        rows = []
        for block in self.blocks:
            columns = function(block)
            for row in zip(*columns.values(), strict=True):
                rows.append(dict(zip(columns, row, strict=True)))
        return SimpleNamespace(take_all=lambda: rows)


class Tensor(np.ndarray):  # type: ignore[type-arg]
    """A tensor of torch on the CPU."""

    device = SimpleNamespace(type="cpu")

    def detach(self) -> "Tensor":
        return self

    def to(self, device: Any) -> "Tensor":
        assert device is self.device
        return self

    def cpu(self) -> "Tensor":
        return self

    def float(self) -> "Tensor":
        return tensor(self, np.float32)

    def is_floating_point(self) -> bool:
        return self.dtype.kind == "f"

    def numpy(self) -> Any:
        return np.asarray(self)

    def double(self) -> "Tensor":
        return tensor(self, np.float64)

    def index_select(self, axis: int, rows: Any) -> "Tensor":
        return tensor(np.take(np.asarray(self), np.asarray(rows), axis))

    def expand(self, shape: Any) -> "Tensor":
        return tensor(np.broadcast_to(np.asarray(self), shape))

    def gather(self, axis: int, places: Any) -> "Tensor":
        return tensor(np.take_along_axis(np.asarray(self), np.asarray(places), axis))

    def amin(self, axis: int, keepdim: bool) -> "Tensor":
        return tensor(np.asarray(self).min(axis, keepdims=keepdim))

    def argsort(self) -> "Tensor":  # type: ignore[override]
        return tensor(np.argsort(np.asarray(self), kind="stable"))

    def sort(self, axis: int) -> Any:  # type: ignore[override]
        places = np.argsort(np.asarray(self), axis, kind="stable")
        return Sorted(self.gather(axis, places), tensor(places))

    def topk(self, k: int, sorted: bool = True, largest: bool = True) -> Any:
        numbers = -np.asarray(self) if largest else np.asarray(self)
        places = np.argsort(numbers, 1, kind="stable")[:, :k]
        return Sorted(self.gather(1, places), tensor(places))

    def split(self, sizes: list[int]) -> list[Any]:
        return np.split(self, np.cumsum(sizes)[:-1])

    def flatten(self) -> "Tensor":  # type: ignore[override]
        return tensor(np.asarray(self).reshape(-1))


class Sorted(NamedTuple):
    """Values of torch's sort and topk, and their places."""

    values: Any
    indices: Any


def tensor(values: Any, dtype: Any = None, device: Any = None) -> Tensor:
    return np.array(values, dtype).view(Tensor)


class Metric:
    """torchmetrics': states with defaults, which reset restores."""

    dist_sync_on_step = _is_synced = False

    def __init__(self, **options: Any) -> None:
        self.options = options
        self.defaults: dict[str, tuple[Any, str]] = {}

    def add_state(self, name: str, default: Any, dist_reduce_fx: str) -> None:
        self.defaults[name] = default, dist_reduce_fx
        setattr(self, name, copy.copy(default))

    def reset(self) -> None:
        for name, (default, _) in self.defaults.items():
            setattr(self, name, copy.copy(default))

    def sync(self) -> None:
        self.synced = [len(part) for part in getattr(self, "ids", [])]

    def _load_from_state_dict(self, state: dict[str, Any]) -> None:
        for name in self.defaults.keys() & state.keys():
            setattr(self, name, copy.copy(state[name]))


class Logger:
    """A logger that prints."""

    def info(self, words: str) -> None:
        print(words)


class Evaluator:
    """An evaluator of sentence-transformers, with what its constructor keeps."""

    corpus_ids: Any

    def __init__(self, **fields: Any) -> None:
        self.__dict__.update(fields)
        self.shown: list[Any] = []

    def embed_inputs(self, model: Any, texts: Any, *names: Any, **options: Any) -> Tensor:
        self.shown.append((list(texts), names, options))
        return tensor([model[text] for text in texts])

    def get_corpus_id_ranks(self) -> Tensor:
        order = sorted(range(len(self.corpus_ids)), key=self.corpus_ids.__getitem__)
        return tensor(np.argsort(order))

    def output_scores(self, scores: Any) -> None:
        self.shown.append(scores)

    def compute_all_metrics(self, *arguments: Any) -> str:
        return f"of the host, with {arguments}"


def delayed(value: Any) -> Any:
    return (lambda *arguments: (value, arguments)) if callable(value) else value


def compute(*tasks: Any) -> tuple[Any, ...]:
    return tuple(function(*arguments) for function, arguments in tasks)


def _modules() -> dict[str, dict[str, Any]]:
    """The names in the modules of the hosts, new in each call."""
    config = {"enable_metadata_routing": True}
    scorers = SimpleNamespace(scorers=SimpleNamespace(scorer=mlflow_scorer))
    base = "llama_index.core.evaluation.retrieval.metrics_base"
    return {
        "sklearn": {"get_config": lambda: config, "config": config},
        "sklearn.metrics": {"make_scorer": Scorer},
        "lightgbm": {"LGBMRanker": Ranker},
        "xgboost": {"collective": Workers()},
        "catboost": {},
        "transformers": {},
        "mlflow": {
            "metrics": SimpleNamespace(MetricValue=MetricValue),
            "models": SimpleNamespace(make_metric=Made),
            "genai": scorers,
        },
        base: {
            "BaseRetrievalMetric": RetrievalMetric,
            "RetrievalMetricResult": RetrievalMetricResult,
        },
        "dask": {"delayed": delayed, "compute": compute},
        "dask.dataframe": {},
        "ray": {"put": lambda value: [value], "get": lambda held: held[0]},
        "ray.data": {},
        "torch": {
            "int64": np.int64,
            "float32": np.float32,
            "float64": np.float64,
            "tensor": tensor,
            "from_numpy": tensor,
            "arange": lambda *numbers, device=None: tensor(np.arange(*numbers)),
            "where": lambda *parts: tensor(np.where(*map(np.asarray, parts))),
            "hstack": lambda parts: tensor(np.hstack(parts)),
            "argsort": lambda values: values.argsort(),
            "zeros": lambda shape, dtype=np.float32, device=None: tensor(np.zeros(shape, dtype)),
        },
        "torchmetrics": {
            "Metric": Metric,
            "utilities": SimpleNamespace(dim_zero_cat=lambda parts: tensor(np.concatenate(parts))),
        },
        "tqdm": {"trange": lambda *numbers, desc, disable: range(*numbers)},
        "sentence_transformers.sentence_transformer.evaluation": {
            "InformationRetrievalEvaluator": Evaluator,
            "RerankingEvaluator": Evaluator,
            "information_retrieval": SimpleNamespace(logger=Logger()),
        },
        "pyspark": {},
        "pyspark.sql": {},
        "pyspark.sql.functions": {},
        "pyspark.sql.types": {},
    }


@contextmanager
def standing_in() -> Iterator[dict[str, ModuleType]]:
    """Stand-ins in the place of all hosts, in this block only."""
    hosts = {}
    for name, values in _modules().items():
        hosts[name] = ModuleType(name)
        hosts[name].__dict__.update(values)
    before = {name: sys.modules.get(name) for name in hosts}
    sys.modules.update(hosts)
    try:
        yield hosts
    finally:
        for name, module in before.items():
            if module is None:
                del sys.modules[name]
            else:
                sys.modules[name] = module


def fresh(name: str) -> tuple[Any, dict[str, ModuleType]]:
    """A copy of an adapter that was imported beside stand-ins, and these."""
    path = f"rankgain.integrations.{name}"
    module = sys.modules.pop(path, None)
    attribute = getattr(rankgain.integrations, name, None)
    try:
        with standing_in() as hosts:
            return importlib.import_module(path), hosts
    finally:
        sys.modules.pop(path, None)
        if module is not None:
            sys.modules[path] = module
        if attribute is not None:
            setattr(rankgain.integrations, name, attribute)


@functools.cache
def adapter(name: str) -> Any:
    """The same adapter in all calls, which must not change its hosts."""
    module, _ = fresh(name)
    return module


def refusal(name: str, host: str) -> str:
    """What the import of an adapter says if its host is not installed."""
    path = f"rankgain.integrations.{name}"
    before = {key: sys.modules.pop(key, None) for key in (path, host)}
    sys.modules[host] = None  # type: ignore[assignment]
    try:
        importlib.import_module(path)
    except ImportError as error:
        return str(error)
    finally:
        del sys.modules[host]
        for key, module in before.items():
            if module is not None:
                sys.modules[key] = module
    return "it was imported"
