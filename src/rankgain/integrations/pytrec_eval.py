"""pytrec_eval's module, computed here: `import rankgain.integrations.pytrec_eval as pytrec_eval`.

Its classes and functions, with its names of measures and its values, from float32 scores.
pytrec_eval itself is not needed.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import Qrels, Run, evaluate
from ..trec.join import join
from ..trec.stream import StreamedRun
from ..trec.trec_eval import options as trec
from ..trec.trec_eval.values import calculate

if TYPE_CHECKING:
    from collections.abc import Sequence


__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

_SUPPORTED = """
    num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank iprec_at_recall P recall
    infAP gm_bpref 11pt_avg ndcg Rndcg ndcg_cut map_cut relative_P success set_P set_relative_P
    set_recall set_map set_F num_nonrel_judged_ret
"""
WITHOUT_VALUE = {"runid", "relstring"}  # texts in trec_eval, 0.0 here as there
OF_PROGRAM = {"G", "Rprec_mult", "binG", "ndcg_rel", "utility"}  # in the arithmetic of trec_eval
NUMBERS = r"([._]\d+(\.\d+)?(,\d+(\.\d+)?)*)?"  # the parameters in a name
WITHOUT_LEVEL = {"num_q", "num_ret"}  # counts that no level of relevance changes
supported_measures = set(_SUPPORTED.split()) | OF_PROGRAM | WITHOUT_VALUE
supported_nicknames: dict[str, set[str]] = {}
for _nickname, _members in trec.NICKNAMES.items():
    supported_nicknames[_nickname] = supported_measures.intersection(_members)


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """{query: {document: score}} of the lines of a run file; a document twice fails an assertion.

    >>> parse_run(["q1 Q0 d1 1 2.5 tag"])["q1"]
    {'d1': 2.5}
    """
    run: dict[str, dict[str, float]] = defaultdict(dict)
    for line in f_run:
        query, _, document, _, score, _ = line.strip().split()
        assert document not in run[query], f"{document!r} is twice in {query!r}"
        run[query][document] = float(score)
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """{query: {document: label}} of the lines of a qrels file; a document twice fails an assertion.

    >>> parse_qrel(["q1 0 d1 2"])["q1"]
    {'d1': 2}
    """
    qrels: dict[str, dict[str, int]] = defaultdict(dict)
    for line in f_qrel:
        query, _, document, label = line.strip().split()
        assert document not in qrels[query], f"{document!r} is twice in {query!r}"
        qrels[query][document] = int(label)
    return qrels


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """The mean of a measure over queries; the sum of counts, the geometric mean of `gm_...`."""
    if measure.startswith("num_"):
        return float(np.sum(values))
    if measure.startswith("gm_"):
        return float(np.exp(np.sum(values) / len(values)))
    return float(np.mean(values))


class RelevanceEvaluator:
    """Judgments and measures for many runs, as pytrec_eval's class of this name.

    >>> RelevanceEvaluator({"q": {"a": 1}}, {"map", "P.1"}).evaluate({"q": {"b": 2.0, "a": 1.0}})
    {'q': {'map': 0.5, 'P_1': 0.0}}
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, int]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,
    ) -> None:
        parameters: dict[str, set[str]] = defaultdict(set)
        for measure in measures:
            for name in supported_nicknames.get(measure, [measure]):
                base = _find_base(name)
                numbers = name[len(base) + 1 :].split(",")
                parameters[base].update(filter(None, numbers))
        # Names of values, in trec_eval's order, with those of their measures here; "" is 0.0.
        self._names: dict[str, str] = {}
        self._requests = []  # of measures that only the program has, whose names are the same
        for base in filter(parameters.__contains__, trec.MEASURES):
            text = ",".join(sorted(parameters[base])) or None
            if base == "set_F":  # its name has no parameter, and it takes only the first one
                first_number = (text or "1").partition(",")[0]
                self._names[base] = f"set_F_{first_number}"
                continue
            if text is not None and trec.MEASURES[base].takes not in ("cutoffs", "fractions"):
                raise ValueError(f"unsupported measure {base}.{text}: {base} has no parameter here")
            try:
                request = trec.with_parameters(trec.MEASURES[base], text)
            except trec.Stop as stop:
                raise ValueError(f"unsupported measure {base}.{text}: {stop.lines[0]}") from None
            if base in OF_PROGRAM:
                self._requests.append(request)
            if base in WITHOUT_VALUE:
                self._names[base] = ""
                continue
            for name in request.names:
                self._names[name] = name
        if not isinstance(relevance_level, int):
            raise TypeError(f"relevance_level must be an int, not {relevance_level!r}")
        if relevance_level < 1:  # a TypeError also in pytrec_eval
            raise TypeError(f"relevance_level must be positive, not {relevance_level}")
        _check_queries(query_relevance, "query_relevance")
        for query, labels in query_relevance.items():
            if not all(isinstance(label, (int, np.integer)) for label in labels.values()):
                raise TypeError(f"query_relevance: query {query!r}: labels must be integers")
        # A copy, as the caller may change the judgments. Evaluating the dicts is as fast as Qrels.
        self._qrels = {query: dict(labels) for query, labels in query_relevance.items() if labels}
        self._level = relevance_level
        self._judged_only = bool(judged_docs_only_flag)

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """{query: {measure: value}} of the judged queries, in the order of the run."""
        if not scores:
            return {}
        _check_queries(scores, "scores")
        judged = [query for query in scores if query in self._qrels]
        if not judged or not self._names:
            return {query: {} for query in judged}
        # By the name here, query -> value; "" is the value of texts.
        columns = {"": dict.fromkeys(judged, 0.0)}
        if self._requests:
            columns |= self._values_of_program(scores)
        names = [name for name in self._names.values() if name not in columns]
        if names:
            call: dict[str, Any] = {"judged_only": self._judged_only}
            if self._level != 1 and not WITHOUT_LEVEL.issuperset(names):
                call["rel"] = self._level
            evaluation = evaluate(self._qrels, scores, names, convention="pytrec_eval", **call)
            for name in names:
                values = evaluation.per_query[evaluation.key_of(name)].tolist()
                columns[name] = dict(zip(evaluation.queries, values, strict=True))
        result = {}
        for query in judged:
            values_of_query = {}
            for key, name in self._names.items():
                values_of_query[key] = columns[name][query]
            result[query] = values_of_query
        return result

    def _values_of_program(
        self, scores: Mapping[str, Mapping[str, float]]
    ) -> dict[str, dict[str, float]]:
        """{measure: {query: value}} of measures in the arithmetic of trec_eval."""
        options = trec.Options([])
        options.level = self._level
        options.judged_only = self._judged_only
        joined = join(Qrels(self._qrels), Run(scores), float32=True)
        # Of each query: its documents (-1: it is not in the run), its first hit, and its hits.
        sizes = np.where(joined.in_run, joined.stops - joined.starts, -1)
        first_hits = joined.indptr[:-1]
        spans = np.column_stack((sizes, first_hits, np.diff(joined.indptr)))
        # The program stops at a query without a label from 0 on, unless one with such came before.
        highest = joined.judged[joined.judged_lists[:-1]]
        order = np.argsort(highest < 0, kind="stable")
        rows = order[joined.in_run[order]].tolist()
        run = StreamedRun(spans, joined.indices, joined.labels, {}, (), b"", 0, 0, 0, 0)
        table, _ = calculate(options, self._requests, joined.judged, joined.judged_lists, run, rows)
        queries = [joined.queries[row] for row in rows]
        names: list[str] = []
        for request in self._requests:
            names += request.names
        columns = {}
        for name, values in zip(names, table[rows].T.tolist(), strict=True):
            columns[name] = dict(zip(queries, values, strict=True))
        return columns


def _find_base(name: str) -> str:
    """The measure of a name, without parameters."""
    for base in supported_measures:
        if re.fullmatch(re.escape(base) + NUMBERS, name):
            return base
    raise ValueError(f"unsupported measure {name}")


def _check_queries(lists: object, name: str) -> None:
    if not isinstance(lists, Mapping):
        raise TypeError(f"{name} must be a mapping of queries, not {type(lists).__name__}")
    for query, documents in lists.items():
        if not isinstance(query, str):
            raise TypeError(f"{name}: a query must be text, not {query!r}")
        if not isinstance(documents, Mapping):
            kind = type(documents).__name__
            raise TypeError(f"{name}: query {query!r} must be a mapping of documents, not {kind}")
        if isinstance(next(iter(documents.values()), None), str):  # rankgain reads numbers of text
            raise TypeError(f"{name}: query {query!r} has text in place of numbers")
