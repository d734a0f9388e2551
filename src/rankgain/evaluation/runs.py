"""Qrels and runs to evaluations: the join laid out as lists, one run or many."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from ..convention import UNSET, Convention, Unset, get_convention
from ..engine.arguments import documented
from ..engine.plan import row_of
from ..inputs.judged import prepare
from ..inputs.layouts import Layout, starts_of
from ..inputs.lists import Lists
from ..inputs.sparse import Sparse
from ..measures.catalogue import FAMILIES
from ..measures.measure import Measure
from ..measures.requested import measures_under, refuse_untaken, rereadable
from ..trec.choose import Sources, as_qrels
from ..trec.joins.joined import Joined
from .by_reading import merge, split
from .evaluation import Evaluation
from .evaluations import Evaluations, refuse_same_names
from .notices import warn_of_strangers
from .one_pass import evaluate_lists, with_settings
from .options import SeededOptions, settings_of

if TYPE_CHECKING:
    from ..inputs.types import Array, Records, Weight
    from ..measures.types import Bounds, Measures, Rules


@documented("trec")
def evaluate(
    qrels: Records,
    run: Records,
    measures: Measures,
    *,
    weight: Weight = None,
    convention: Rules | Unset = UNSET,
    threads: int | None = 1,
    bounds: Bounds = (),
    judged_only: bool | Unset = UNSET,
    **options: Unpack[SeededOptions],
) -> Evaluation:
    """Evaluate a run against qrels.

    Parameters
    ----------
    qrels, run : path, "-" for standard input, open file, dict, data frame, Qrels or Run
        Judgments and rankings by query. Files are TREC's, CSV or TSV, JSON, JSON lines or Parquet,
        by suffix; all but Parquet may be packed with gzip, bzip2, xz or zst. Dicts are query ->
        document -> number, or query -> list or set of ids; rows with names, as ir_datasets has
        them, and ranx's objects are taken, too. Run files and dicts are evaluated as they are
        read, where only ranks are wanted.
    weight : mapping query -> weight, or array, optional
        A mapping needs an entry for each query that is evaluated, an integer or its text.
    convention : str or Convention
        "trec" by default: ties by descending id, a judged query without results counts 0, a query
        without judgments is left out.

    Returns
    -------
    Evaluation
        Its queries are judged ones, in the order of the qrels: integers where a dict or a frame of
        qrels had integers, else text.

    A line or an entry that cannot be read, a NaN score, a label that is not finite and a document
    twice in a list are a ValueError that names the place. Where under half of the judged queries
    are in the run, a RankgainWarning shows ids of both.

    >>> import rankgain as rg
    >>> qrels = {"q1": {"a": 2, "b": 0, "c": 1}, "q2": {"d": 1}}
    >>> run = {"q1": {"b": 0.9, "a": 0.8, "x": 0.1}}
    >>> print(rg.evaluate(qrels, run, ["nDCG@10", "AP"]))
    measure   mean
    nDCG@10   0.2398
    AP        0.1250
    2 queries, 1 of them without results, counted 0 (convention trec)
    """
    settings = settings_of(options, SeededOptions, "evaluate")
    rules = _condensing(get_convention("trec" if convention is UNSET else convention), judged_only)
    requested = measures_under(measures, rules)
    refuse_untaken(requested.measures, settings)
    groups = split(requested.measures, rules, settings["ties"])
    sources = Sources(qrels, run, [reading for reading, _ in groups], threads, scored=bool(bounds))
    parts, warned = [], set[str]()
    call: dict[str, Any] = {"weight": weight, "threads": threads, "bounds": bounds}
    # `reading` has these options as its fields, so compare them with the original convention.
    call |= {"all_requested": with_settings(requested, settings, rules), "warned": warned}
    for reading, members in groups:
        joined = sources.joined(reading, _take_blocks(members, reading))
        pair = lists_of(joined, reading)._asdict()
        warn_of_strangers(joined, run, warned)
        parts.append(
            evaluate_lists(measures=members, options=settings, rules=reading, **pair, **call)
        )
    return merge(parts, requested.measures, rules)


def _take_blocks(measures: list[Measure], rules: Convention) -> bool:
    """Whether all can be computed where only the rank and the size of each tie block are known."""
    if rules.unjudged == "drop" or rules.ideal == "list":
        return False
    return all(row_of(FAMILIES[one.family.lower()]).averages for one in measures)


def _condensing(rules: Convention, judged_only: object) -> Convention:
    """The convention with `judged_only` applied to unjudged documents."""
    if judged_only is UNSET:
        return rules
    if not isinstance(judged_only, (bool, np.bool_)):
        raise TypeError(f"judged_only must be True or False, not {judged_only!r}")
    unjudged = "drop" if judged_only else "keep"
    return rules if rules.unjudged == unjudged else rules.replace(unjudged=unjudged)


def evaluate_runs(
    qrels: Records, runs: Mapping[str, Records], measures: Measures, **options: Any
) -> Evaluations:
    """Evaluate several runs against the same qrels, which are read and prepared once.

    Parameters
    ----------
    runs : mapping of name -> run
        Runs as `evaluate` takes them.
    measures and the others
        As in `evaluate`.

    Returns
    -------
    Evaluations

    >>> import rankgain as rg
    >>> qrels = {"q1": {"a": 1}}
    >>> runs = {"bm25": {"q1": {"a": 1.0}}, "dense": {"q1": {"b": 1.0}}}
    >>> print(rg.evaluate_runs(qrels, runs, "AP"))
    run        AP
    bm25   1.0000
    dense  0.0000
    1 query (convention trec)
    """
    if not isinstance(runs, Mapping):
        raise TypeError(f"runs must be a mapping name -> run, not {type(runs).__name__}")
    refuse_same_names(runs, "runs")
    judged, measures = as_qrels(qrels, runs.values()), rereadable(measures)
    return Evaluations(
        {name: evaluate(judged, run, measures, **options) for name, run in runs.items()}
    )


class Pair(NamedTuple):
    """Qrels and a run as lists, with the tie rule to use after reordering."""

    lists: Lists
    ties: str | None
    counts: dict[str, int]
    scored: Lists  # the same lists with scores; `lists` has none if ranks suffice
    displayed: tuple[Any, ...]  # query ids as given, integers or text


def lists_of(joined: Joined, rules: Convention) -> Pair:
    """Lay the judged documents out as sparse labels of lists in canonical order."""
    if rules.unjudged == "drop":
        # With negative="zero" a negative label means that the document was not judged.
        unjudged = rules.for_family("negative", "ndcg") == "zero"
        joined = joined.condensed(0.0 if unjudged else -np.inf)
    missing = int((~joined.in_run).sum())
    if missing and rules.missing == "raise":
        query = joined.queries[int(np.flatnonzero(~joined.in_run)[0])]
        raise ValueError(f"query {query!r} is judged, but has no results in the run")
    keep = joined.in_run if rules.missing == "skip" else np.ones(len(joined.in_run), bool)
    counts = {
        "queries": int(keep.sum()),
        "missing": missing if rules.missing == "zero" else 0,
        "skipped": missing if rules.missing == "skip" else 0,
        "unjudged": len(joined.unjudged),
    }
    lists, rule = _lists(joined, keep, rules)
    displayed = joined.displayed
    if counts["skipped"]:
        displayed = tuple(displayed[i] for i in np.flatnonzero(keep).tolist())
    return Pair(lists, rule, counts, lists.having(scores=joined.scores), displayed)


def _lists(joined: Joined, keep: Array, rules: Convention) -> tuple[Lists, str | None]:
    """The lists in canonical order (score, then id, both descending), and the tie rule on them."""
    scores: Any = joined.scores
    order, rule, truncate = None, rules.ties, rules.truncate_labels
    labels, sizes = np.trunc(joined.labels) if truncate else joined.labels, joined.sizes
    if sizes is not None:  # ranks of blocks, whose order is left to the measure
        rule = None
    elif scores is None or rule == "id_descending":
        scores, rule = None, "stable"
    elif rule == "id":
        rule = "reverse"
    elif rule in ("stable", "reverse") and joined.places is not None:
        places = joined.places if rule == "stable" else joined.places.max(initial=0) - joined.places
        order, rule = np.ascontiguousarray(places), "id"
    rows = np.flatnonzero(keep)
    indptr, indices = joined.indptr, joined.indices
    if len(rows) < len(keep):  # what is left out has no hits
        indptr = starts_of(np.diff(indptr)[rows])
    layout = Layout(
        np.ascontiguousarray(joined.starts[rows], np.int64),
        np.ascontiguousarray(joined.stops[rows], np.int64),
        False,
        [joined.queries[i] for i in rows.tolist()],
    )
    complete = len(rows) == len(keep)
    ideals = joined.prepared.ideals if joined.prepared is not None and complete else {}
    if truncate not in ideals:
        judged = np.trunc(joined.judged) if truncate else joined.judged
        firsts, stops = joined.judged_lists[:-1][rows], joined.judged_lists[1:][rows]
        ideals[truncate] = prepare(judged, firsts, stops, "qrels")
    runs = ideals[truncate]
    indptr, ranked = np.ascontiguousarray(indptr, np.int64), sizes is not None
    sparse = Sparse(labels, indices, indptr, None, ranked=ranked, sizes=sizes)
    lists = Lists(layout, sparse, scores, runs, True, None, order, pool=True, called="qrels")
    return lists.having(float32=ranked and rules.score_dtype == "float32"), rule
