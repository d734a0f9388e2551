"""ir_measures, and PyTerrier's experiments with it: import this module to compute values here.

`import rankgain.integrations.ir_measures` puts `provider` before the other providers. It computes,
for `calc_aggregate`, `iter_calc` and `calc`, the measures of pytrec_eval, pyndeval, gdeval,
`judged`, `msmarco`, cwl-eval, `compat` and `accuracy`, with the same values; those of pyndeval at
any cutoff. To remove it, call
`ir_measures.DefaultPipeline.providers.remove(provider)`.
`python -m rankgain.integrations.ir_measures` is `python -m ir_measures` with this provider.
"""

import math
from collections.abc import Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from .. import Qrels, evaluate
from .hosts import require

if TYPE_CHECKING:
    from ..inputs.types import Array

ir_measures = require("ir_measures")
_READERS = []  # cwl-eval's other measures are those of trec_eval
for _measure in ir_measures.cwl_eval.SUPPORTED_MEASURES:
    if _measure.NAME not in ("P", "RR", "AP"):
        _READERS.append(_measure)
_LAST_READ = 1000  # the last rank that cwl-eval sees


class HostMeasure(Protocol):
    """A measure of ir_measures."""

    NAME: str
    params: dict[str, Any]

    def __getitem__(self, key: str) -> Any: ...


class _Options(NamedTuple):
    """How a call evaluates its measures."""

    convention: str
    ties: str | None = None  # None: the convention's
    gains: tuple[tuple[float, float], ...] = ()  # of labels
    reads_parts: bool = False  # labels for subtopics

    def as_keywords(self) -> dict[str, Any]:
        keywords: dict[str, object] = {"convention": self.convention}
        if self.ties is not None:
            keywords["ties"] = self.ties
        if self.gains:
            keywords["gain"] = partial(_map_gains, gains=dict(self.gains))
        return keywords


def _name_and_options(measure: HostMeasure) -> tuple[str, _Options]:
    """The name of a measure of the host, and the options that give the values of its provider."""
    if measure.NAME == "nDCG" and measure["dcg"] == "exp-log2":  # only gdeval has it, with rounding
        return f"nDCG@{measure['cutoff']}", _Options("gdeval")
    if measure.params.get("gains"):
        params = dict(measure.params)
        gains = tuple(params.pop("gains").items())
        return str(type(measure)(**params)), _Options("ir_measures", gains=gains)
    if is_of_subtopics(measure):  # pyndeval orders tied documents by ascending id
        return str(measure), _Options("ir_measures", ties="id", reads_parts=True)
    if measure.NAME == "RBP":
        return f"{measure}@{_LAST_READ}", _Options("trec", ties="stable")
    if measure.NAME == "Compat":
        return str(measure), _Options("trec", ties="id")
    if measure.NAME == "Accuracy" or any(measure.NAME == reader.NAME for reader in _READERS):
        return str(measure), _Options("trec", ties="stable")
    return str(measure), _Options("ir_measures")


class RankgainEvaluator(ir_measures.providers.Evaluator):  # type: ignore[name-defined]
    """Measures and qrels that are read once, for many runs."""

    def __init__(
        self,
        measures: Iterable[Any],
        records: Any,
        queries: set[str],
        part_qrels: Qrels | None = None,
    ) -> None:
        super().__init__(list(measures), queries)
        self._records = records
        self._qrels = records if isinstance(records, dict) else Qrels(records)
        self._part_qrels = part_qrels
        self._parts: dict[_Options, dict[str, Any]] = {}
        for measure in self.measures:
            name, options = _name_and_options(measure)
            self._parts.setdefault(options, {})[name] = measure

    def iter_calc(self, run: object) -> Iterator[Any]:
        """As the host's, without a default for queries that have no Accuracy."""
        computed = set()
        for metric in self._iter_calc(run):
            computed.add((metric.measure, metric.query_id))
            yield metric
        for measure in sorted(self.measures, key=str):
            if measure.NAME != "Accuracy":
                for query in sorted(self.qrel_qids):
                    if (measure, query) not in computed:
                        yield ir_measures.Metric(query, measure, measure.DEFAULT)

    def _iter_calc(self, run: object) -> Iterator[Any]:
        for measure, values in self._values(run):
            for query, value in values.items():
                yield ir_measures.Metric(query, measure, value)

    def calc_aggregate(self, run: object) -> dict[Any, float]:
        """The means, as the host computes them, without an object for each value."""
        means = {}
        for measure, values in self._values(run):
            total = measure.aggregator()
            for value in values.values():
                total.add(value)
            if measure.NAME != "Accuracy":
                for _ in range(len(self.qrel_qids) - len(values)):
                    total.add(measure.DEFAULT)
            means[measure] = total.result()
        return means

    def _values(self, run: object) -> Iterator[tuple[Any, dict[Any, float]]]:
        """The values of each measure, without undefined ones, for which the host has a default."""
        records = _records(ir_measures.util.RunConverter(run))
        for options, names in self._parts.items():
            qrels = self._part_qrels if options.reads_parts else self._qrels
            assert qrels is not None  # given with measures of subtopics
            evaluation = evaluate(qrels, records, list(names), **options.as_keywords())
            for name, measure in names.items():
                values = evaluation.per_query[evaluation.key_of(name)].tolist()
                # The host's weights of RBP add up to 1 at the last rank that it reads.
                scale = 1.0
                if measure.NAME == "RBP":
                    scale = 1 - measure["p"] ** _LAST_READ
                of_query = {}
                for query, value in zip(evaluation.queries, values, strict=True):
                    if not math.isnan(value):
                        of_query[query] = value / scale
                if measure.NAME == "Compat":
                    of_query |= self._compat_with_low_scores(measure, records)
                yield measure, of_query

    def _compat_with_low_scores(self, measure: HostMeasure, records: object) -> dict[Any, float]:
        """Compat of queries with a score of 0 or less, as the host computes it.

        The host scores unretrieved documents as 0, so they rank above such documents.
        """
        run = ir_measures.util.RunConverter(records).as_dict_of_dict()
        affected = [query for query, documents in run.items() if min(documents.values()) <= 0]
        if not affected:
            return {}
        qrels = ir_measures.util.QrelsConverter(self._records).as_dict_of_dict()
        function = ir_measures.providers.compat_provider.compatibility
        p, normalize = measure["p"], measure["normalize"]
        values = {}
        for query in affected:
            if query in qrels:
                values[query] = function(qrels[query], run[query], p, normalize)
        return values


def _map_gains(labels: "Array", gains: dict[float, float]) -> "Array":
    """The gain of each label; by default the label itself."""
    return np.array([gains.get(label, label) for label in labels.tolist()], float)


class RankgainProvider(ir_measures.providers.Provider):  # type: ignore[name-defined]
    """What the host's own providers compute from binary and graded labels."""

    NAME = "rankgain"
    SUPPORTED_MEASURES = [  # noqa: RUF012
        *ir_measures.pytrec_eval.SUPPORTED_MEASURES,
        *ir_measures.msmarco.SUPPORTED_MEASURES,
        *ir_measures.judged.SUPPORTED_MEASURES,
        *ir_measures.gdeval.SUPPORTED_MEASURES,
        *ir_measures.pyndeval.SUPPORTED_MEASURES,
        *_READERS,
        *ir_measures.compat.SUPPORTED_MEASURES,
        *ir_measures.accuracy.SUPPORTED_MEASURES,
    ]

    def _evaluator(self, measures: Iterable[Any], qrels: object) -> RankgainEvaluator:
        measures = list(measures)
        if any(map(is_of_subtopics, measures)):
            rows = list(ir_measures.util.QrelsConverter(qrels).as_namedtuple_iter())
            records = ir_measures.util.QrelsConverter(iter(rows)).as_dict_of_dict()
            by_subtopic = Qrels(_by_subtopic(rows), subtopics=True)
            return RankgainEvaluator(measures, records, set(records), by_subtopic)
        records = _records(ir_measures.util.QrelsConverter(qrels))
        if isinstance(records, dict):
            return RankgainEvaluator(measures, records, set(records))
        return RankgainEvaluator(measures, records, set(records["query_id"].unique()))


class JudgedRow(Protocol):
    """A row of the host's qrels."""

    query_id: str
    doc_id: str
    relevance: float
    iteration: str


def is_of_subtopics(measure: object) -> bool:
    """Whether a measure of the host reads labels for subtopics."""
    supported = ir_measures.pyndeval.SUPPORTED_MEASURES
    return any(getattr(measure, "NAME", None) == reader.NAME for reader in supported)


def _by_subtopic(rows: Iterable[JudgedRow]) -> dict[str, dict[str, dict[str, float]]]:
    """The labels of rows by query, document and subtopic, which the host calls iteration."""
    result: dict[str, dict[str, dict[str, float]]] = {}
    for row in rows:
        labels = result.setdefault(row.query_id, {}).setdefault(row.doc_id, {})
        labels[str(row.iteration)] = row.relevance
    return result


def _records(converter: Any) -> Any:
    """Convert to a frame, if narwhals can read it, else to a dict of dicts."""
    kind, _ = converter.predict_type()
    if kind == "pd_dataframe" and find_spec("narwhals"):
        return converter.as_pd_dataframe()
    return converter.as_dict_of_dict()


provider = RankgainProvider()
providers = ir_measures.DefaultPipeline.providers
if all(provider.NAME != registered.NAME for registered in providers):
    # After "runtime", whose measures are functions of the user.
    providers.insert(1, provider)
    ir_measures.providers.register(provider)

if __name__ == "__main__":
    require("ir_measures.__main__").main_cli()
