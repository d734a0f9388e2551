"""ir_measures, and PyTerrier's experiments with it: import this module to compute values here.

`import rankgain.integrations.ir_measures` puts `provider` before the other providers. It computes,
for `calc_aggregate`, `iter_calc` and `calc`, the measures of pytrec_eval, pyndeval, gdeval,
`judged` and `msmarco`, with the same values; those of pyndeval at any cutoff. To remove it, call
`ir_measures.DefaultPipeline.providers.remove(provider)`.
`python -m rankgain.integrations.ir_measures` is `python -m ir_measures` with this provider.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from .. import Qrels, evaluate
from .hosts import require

if TYPE_CHECKING:
    from ..inputs.types import Array

ir_measures = require("ir_measures")
_HOSTS = ("pytrec_eval", "msmarco", "judged", "gdeval", "pyndeval")
OF_SUBTOPICS = "subtopics"  # the group of measures that read labels for subtopics


class RankgainEvaluator(ir_measures.providers.Evaluator):  # type: ignore[name-defined]
    """Measures and qrels that are read once, for many runs."""

    def __init__(
        self,
        measures: Iterable[Any],
        qrels: Any,
        queries: set[Any],
        part_qrels: Qrels | None = None,
    ) -> None:
        super().__init__(list(measures), queries)
        self._qrels = qrels
        self._part_qrels = part_qrels
        self._parts: dict[Any, tuple[Any, dict[str, Any]]] = {}
        for one in self.measures:
            name, rules = str(one), ("ir_measures", None)
            if is_of_subtopics(one):
                rules = (OF_SUBTOPICS, None)
            elif (
                one.NAME == "nDCG" and one["dcg"] == "exp-log2"
            ):  # only gdeval has it, with rounding
                name, rules = f"nDCG@{one['cutoff']}", ("gdeval", None)
            elif gains := one.params.get("gains"):
                others = {key: value for key, value in one.params.items() if key != "gains"}
                name, rules = str(type(one)(**others)), ("ir_measures", gains)
            self._parts.setdefault((rules[0], str(rules[1])), (rules, {}))[1][name] = one

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
            for _ in range(len(self.qrel_qids) - len(values)):
                total.add(measure.DEFAULT)
            means[measure] = total.result()
        return means

    def _values(self, run: object) -> Iterator[tuple[Any, dict[Any, float]]]:
        """The values of each measure, without undefined ones, for which the host has a default."""
        records = _records(ir_measures.util.RunConverter(run))
        for (convention, gains), names in self._parts.values():
            qrels: Any = self._qrels
            options: dict[str, Any] = {"convention": convention}
            if gains:
                options["gain"] = partial(_map_gains, gains=gains)
            if convention == OF_SUBTOPICS:  # pyndeval orders tied documents by ascending id
                qrels, options = self._part_qrels, {"convention": "ir_measures", "ties": "id"}
            evaluation = evaluate(qrels, records, list(names), **options)
            for name, measure in names.items():
                values = evaluation.per_query[evaluation.key_of(name)].tolist()
                pairs = zip(evaluation.queries, values, strict=True)
                yield measure, {query: value for query, value in pairs if value == value}


def _map_gains(labels: "Array", gains: dict[float, float]) -> Any:
    """The gain of each label; by default the label itself."""
    return np.array([gains.get(label, label) for label in labels.tolist()], float)


class RankgainProvider(ir_measures.providers.Provider):  # type: ignore[name-defined]
    """What the host's own providers compute from binary and graded labels."""

    NAME = "rankgain"
    SUPPORTED_MEASURES = [  # noqa: RUF012
        one for host in _HOSTS for one in getattr(ir_measures, host).SUPPORTED_MEASURES
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
        return RankgainEvaluator(measures, Qrels(records), set(records["query_id"].unique()))


class JudgedRow(Protocol):
    """A row of the host's qrels."""

    query_id: str
    doc_id: str
    relevance: float
    iteration: str


def is_of_subtopics(measure: object) -> bool:
    """Whether a measure of the host reads labels for subtopics."""
    known = ir_measures.pyndeval.SUPPORTED_MEASURES
    return any(getattr(measure, "NAME", None) == one.NAME for one in known)


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
if not any(one.NAME == provider.NAME for one in ir_measures.DefaultPipeline.providers):
    # After "runtime", whose measures are functions of the user.
    ir_measures.DefaultPipeline.providers.insert(1, provider)
    ir_measures.providers.register(provider)

if __name__ == "__main__":
    require("ir_measures.__main__").main_cli()
