"""pytrec_eval's module, computed here: `import rankgain.integrations.pytrec_eval as pytrec_eval`.

Its classes and functions, with its names of measures and its values, from float32 scores.
pytrec_eval itself is not needed. `supported_measures` lacks `G`, `Rprec_mult`, `binG`, `ndcg_rel`,
`relstring`, `runid` and `utility`, which `rankgain trec_eval` has.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import evaluate
from ..trec.trec_eval.options import Stop, with_parameters
from ..trec.trec_eval.table import MEASURES, NICKNAMES

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
WITHOUT_LEVEL = {"num_q", "num_ret"}  # counts that no level of relevance changes
supported_measures = set(_SUPPORTED.split())
supported_nicknames = {
    name: supported_measures.intersection(members) for name, members in NICKNAMES.items()
}


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


def _named(measures: Iterable[str]) -> dict[str, str]:
    """Names of values, in trec_eval's order, and the names of their measures here."""
    parameters: dict[str, set[str]] = defaultdict(set)
    for one in measures:
        for name in supported_nicknames.get(one, [one]):
            base = next((base for base in supported_measures if _begins(base, name)), None)
            if base is None:
                word = re.split(r"[._]\d", name)[0]
                there = f"; `rankgain trec_eval -m {name}` has it" if word in MEASURES else ""
                raise ValueError(f"unsupported measure {name}{there}")
            parameters[base].update(filter(None, name[len(base) + 1 :].split(",")))
    names = {}
    for base in filter(parameters.__contains__, MEASURES):
        text = ",".join(sorted(parameters[base])) or None
        if base == "set_F":  # its name has no parameter, and it takes only the first one
            names[base] = f"set_F_{(text or '1').partition(',')[0]}"
            continue
        if text is not None and MEASURES[base].takes not in ("cutoffs", "fractions"):
            raise ValueError(f"unsupported measure {base}.{text}: {base} takes no parameter here")
        try:
            names.update({name: name for name in with_parameters(MEASURES[base], text).names})
        except Stop as stop:
            raise ValueError(f"unsupported measure {base}.{text}: {stop.lines[0]}") from None
    return names


def _begins(base: str, name: str) -> bool:
    numbers = r"[._]\d+(\.\d+)?(,\d+(\.\d+)?)*"
    return base == name or re.fullmatch(re.escape(base) + numbers, name) is not None


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
        self._names = _named(measures)
        if not isinstance(relevance_level, int):
            raise TypeError(f"relevance_level must be an int, not {relevance_level!r}")
        _check_queries(query_relevance, "query_relevance")
        for query, labels in query_relevance.items():
            if not all(isinstance(label, (int, np.integer)) for label in labels.values()):
                raise TypeError(f"query_relevance: query {query!r}: labels must be integers")
        # A copy, as the caller may change the judgments. Evaluating the dicts is as fast as Qrels.
        self._qrels = {query: dict(one) for query, one in query_relevance.items() if one}
        self._options: dict[str, Any] = {"judged_only": bool(judged_docs_only_flag)}
        if relevance_level != 1 and not self._names.keys() <= WITHOUT_LEVEL:
            self._options["rel"] = relevance_level

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """{query: {measure: value}} of the judged queries, in the order of the run."""
        if not scores:
            return {}
        _check_queries(scores, "scores")
        judged = [query for query in scores if query in self._qrels]
        if not judged or not self._names:
            return {query: {} for query in judged}
        options = self._options
        evaluation = evaluate(
            self._qrels, scores, list(self._names.values()), convention="pytrec_eval", **options
        )
        columns = [
            evaluation.per_query[evaluation.key_of(one)].tolist() for one in self._names.values()
        ]
        rows = dict(zip(evaluation.queries, zip(*columns, strict=True), strict=True))
        return {query: dict(zip(self._names, rows[query], strict=True)) for query in judged}


def _check_queries(lists: object, name: str) -> None:
    if not isinstance(lists, Mapping):
        raise TypeError(f"{name} must be a mapping of queries, not {type(lists).__name__}")
    for query, documents in lists.items():
        if not isinstance(query, str):
            raise TypeError(f"{name}: a query must be text, not {query!r}")
        if not isinstance(documents, Mapping):
            kind = type(documents).__name__
            raise TypeError(f"{name}: query {query!r} must be a mapping of documents, not {kind}")
