"""pool: the evaluations of several collections as one, in which each collection counts equally."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ..inputs.printable import describe
from ..measures.all_lists import is_over_all_lists
from .counting import mean_kind
from .evaluation import Evaluation
from .evaluations import Evaluations
from .sums.merging import EQUAL, CommonRules, add_counts, join_marks, refuse_other_rules, with_means


def pool(collections: Mapping[str, Mapping[str, Evaluation]]) -> Evaluations:
    """Pool the evaluations of several collections: each collection counts equally.

    Parameters
    ----------
    collections : mapping of name -> Evaluations
        The same systems and measures in each. Their queries may have equal ids: those of the result
        are pairs (collection, query).

    Returns
    -------
    Evaluations
        A mean is the plain mean of the collections' means, as in the averages of BEIR and MTEB.
        The table has a column for each collection and the mean.

    Raises
    ------
    ValueError
        If systems, measures or conventions differ; the message names the collection and the system.
        Also for weighted, micro and geometric means, and for numbers of all lists together.

    Notes
    -----
    In `compare`, intervals and `Comparison.ranks`, queries are drawn, and signs flipped, within
    each collection. "randomisation" weighs each query by 1 / (C n_c), with n_c queries in its
    collection and C collections. "t" has the degrees of freedom of Welch and Satterthwaite.
    "bootstrap" draws within each collection; if one has fewer than 40 queries, "randomisation" is
    used instead.
    "wilcoxon", "sign" and "tukey" are refused.

    Examples
    --------
    >>> import rankgain as rg
    >>> def given(**rows):
    ...     systems = {name: rg.Evaluation.from_values({"f1": row}) for name, row in rows.items()}
    ...     return rg.Evaluations(systems)
    >>> news = given(a=[0.5, 0.7], b=[0.4, 0.6])
    >>> wiki = given(a=[0.1, 0.2, 0.3], b=[0.2, 0.2, 0.2])
    >>> print(rg.pool({"news": news, "wiki": wiki}))
    run    news    wiki    mean
    a    0.6000  0.2000  0.4000
    b    0.5000  0.2000  0.3500
    f1; each of 2 collections counts equally
    5 queries
    """
    parts = _read_collections(collections)
    first = next(iter(parts.values()))
    pooled = {}
    for system in first:
        evaluations = {name: part[system] for name, part in parts.items()}
        pooled[system] = _pool_system(evaluations, system)
    return Evaluations(pooled)


def _read_collections(collections: object) -> dict[str, Mapping[str, Evaluation]]:
    """The collections by name, all with the same systems."""
    if not isinstance(collections, Mapping):
        raise TypeError(
            "collections must be a mapping of a name to Evaluations, not "
            f"{type(collections).__name__}"
        )
    if len(collections) < 2:
        raise ValueError(f"pool needs at least two collections, not {len(collections)}")
    parts: dict[str, Mapping[str, Evaluation]] = {}
    for name, part in collections.items():
        if not isinstance(name, str) or not name:
            raise TypeError(
                f"the name of a collection must be text that is not empty, not {describe(name)}"
            )
        if not isinstance(part, Mapping) or not part:
            raise TypeError(
                f"collection {name!r} must be the Evaluations of its systems, not "
                f"{type(part).__name__}"
            )
        for system, evaluation in part.items():
            if not isinstance(evaluation, Evaluation):
                raise TypeError(
                    f"collection {name!r}: {describe(system)} must be an Evaluation, not "
                    f"{type(evaluation).__name__}"
                )
        parts[name] = part
    # In both directions: a collection may lack a system of the first one, or have another.
    first_name = next(iter(parts))
    for name in parts:
        _refuse_missing_system(parts, name, first_name)
        _refuse_missing_system(parts, first_name, name)
    return parts


def _refuse_missing_system(
    parts: Mapping[str, Mapping[str, Evaluation]], name: str, other_name: str
) -> None:
    """Refuse a collection without a system that another collection has."""
    for system in parts[other_name]:
        if system not in parts[name]:
            raise ValueError(
                f"collection {name!r} has no system {system!r}, which {other_name!r} has; "
                "evaluate all systems on every collection"
            )


def _pool_system(parts: Mapping[str, Evaluation], system: str) -> Evaluation:
    """The evaluations of one system on all collections as one."""
    first_name, first = next(iter(parts.items()))
    for name, evaluation in parts.items():
        _refuse_other_means(evaluation, f"{system!r} on {name!r}")
        sides = f"{system!r} on {first_name!r}", f"{system!r} on {name!r}"
        refuse_other_rules(CommonRules.of(first), CommonRules.of(evaluation), EQUAL, *sides)
    evaluations = list(parts.values())
    collections: list[str] = []
    queries: list[tuple[str, object]] = []
    for name, evaluation in parts.items():
        collections += [name] * len(evaluation)
        queries += [(name, query) for query in evaluation.queries]
    columns = {}
    for measure in first.means:
        columns[measure] = np.concatenate([part.per_query[measure] for part in evaluations])
    pooled = first._replace(
        means=dict.fromkeys(first.means, 0.0),
        per_query=columns,
        queries=queries,
        counts=add_counts(dict(enumerate(evaluations))),
        marked=join_marks(evaluations),
        segments=None,
        bounds={},
        bound_means={},
        rules=None,
        collections=collections,
    )
    return with_means(pooled)


def _refuse_other_means(evaluation: Evaluation, place: str) -> None:
    """Refuse what has no plain mean of the values of its queries."""
    if evaluation.collections is not None:
        raise ValueError(f"{place} is pooled already; pool all collections in one call")
    if evaluation.weights is not None:
        raise ValueError(f"{place} has weighted means; pool takes plain means: leave weight= out")
    if not len(evaluation):
        raise ValueError(f"{place} has no queries; leave the collection out")
    for name in evaluation.means:
        is_plain = (
            not is_over_all_lists(name, evaluation.better)
            and name not in evaluation.shares
            and mean_kind(name, evaluation.better) == "mean"
        )
        if not is_plain:
            raise ValueError(
                f"{place}: {name} has no plain mean over queries; pool takes plain means"
            )
