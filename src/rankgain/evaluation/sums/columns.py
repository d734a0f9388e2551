"""Columns of numerators and divisors of an evaluation, and hashes of its queries."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ... import _core
from ...engine.exact import Exact
from ...engine.means import Column, Terms
from ...trec.rows import utf8_of
from ..counting import mean_kind

if TYPE_CHECKING:
    from ..evaluation import Evaluation


def column_of(evaluation: "Evaluation", name: str) -> tuple[Column, Any]:
    """The shares of the lists in a mean, with 0 for lists that do not count, and which count.

    Lists with the value nan do not count, unless `empty` is nan.
    """
    shares = evaluation.shares.get(name)
    if shares is None:
        kind = mean_kind(name)
        values = evaluation.per_query[name]
        factors = divisors = evaluation.weights
    else:
        kind, values, divisors = shares
        factors = None
    keep = ~np.isnan(values)
    if evaluation.counts.get("undefined_as", {}).get(name) == "nan":
        keep[:] = True
    if divisors is None or kind == "sum":  # for sums: the number of lists
        divisors = np.ones(len(values))
    if not keep.all():
        values, divisors = np.where(keep, values, 0.0), np.where(keep, divisors, 0.0)
    return Column(kind, values, factors, divisors), keep


def terms_of(evaluation: "Evaluation", name: str) -> Terms:
    """The shares of the lists in a mean, with the rule of the mean."""
    return Terms(*column_of(evaluation, name), evaluation.mean_rule, evaluation.queries)


def codes_of(queries: Sequence[Any]) -> Any:
    """A 64-bit hash of each query id; an integer has the hash of its decimal text."""
    texts = [query if type(query) is str else str(query) for query in queries]
    data, starts = utf8_of(texts)
    codes = np.empty(len(texts), np.uint64)
    _core.id_codes(data, starts, codes)
    return codes


def drawn_sums(columns: list[Column], queries: Sequence[Any], replicates: int, seed: int) -> Any:
    """For each column the sums of numerators and divisors in each bootstrap replicate."""
    if not replicates:
        return [((), ())] * len(columns)
    pairs: list[tuple[Any, Any]] = []
    for one in columns:
        factors = None if one.factors is None else np.ascontiguousarray(one.factors)
        pairs.append((np.ascontiguousarray(one.values), factors))
        pairs.append((np.ascontiguousarray(one.divisors), None))
    result = _core.poisson_sums(pairs, codes_of(queries), replicates, seed)
    sums = [tuple(Exact.reduced(*one) for one in column) for column in result]
    return list(zip(sums[::2], sums[1::2], strict=True))
