"""explain_query: the nDCG of one query of a run, rank by rank, with the ids of the documents."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..convention import UNSET, Convention
from ..records.by_query import Run
from ..results.explanation import Explanation
from .explain import explain


def explain_query(
    qrels: Mapping[Any, Mapping[str, float]],
    run: Run,
    query: Any,
    convention: Convention,
    *,
    k: Any = UNSET,
    gain: Any = UNSET,
    discount: Any = UNSET,
    ties: Any = UNSET,
) -> tuple[Explanation, list[str]]:
    """The explanation, and the id of the document at each of its ranks.

    A query without results has a ranking without documents. Arguments as in `rankgain.explain`.
    """
    asked = convention.for_family("ties", "ndcg") if ties is UNSET else ties
    judged, scores = qrels[query], run.get(query, {})
    documents, rule = _ordered(list(scores), run, query, asked)
    shown = explain(
        [judged.get(document, 0.0) for document in documents],
        [scores[document] for document in documents],
        k=k,
        gain=gain,
        discount=discount,
        ties=rule,
        judged=[*judged.values(), *(0.0 for name in documents if name not in judged)],
        convention=convention,
    )
    shown = replace(shown, settings=shown.settings | {"ties": asked})
    return shown, [documents[place] for place in shown.ranking.document.tolist()]


def _ordered(documents: list[str], run: Any, query: Any, rule: str) -> tuple[list[str], str]:
    """The documents in an order in which `rule` needs no ids, and the rule in terms of it."""
    if rule in ("id", "id_descending"):
        documents.sort(key=_bytes, reverse=rule == "id_descending")
        return documents, "stable"
    places = run._places
    if places is not None:
        i = run._index[str(query)] if query in run else -1
        mine = places[run._arrays.lists[i] : run._arrays.lists[i + 1]] if i >= 0 else ()
        documents = [name for _, name in sorted(zip(mine, documents, strict=True))]
    return documents, rule


def _bytes(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")
