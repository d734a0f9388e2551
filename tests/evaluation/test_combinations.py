"""Every pair of choices together: the bits of untidy data are those of the same lists made tidy.

Tidy are lists one after the other in contiguous doubles, each query alone, in the order of the
qrels. What such a call refuses, the untidy one must refuse too.
"""

import re
import warnings
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from memory import strided
from pairwise import Row, name_of, rows_of
from sampling import sampled

CONVENTIONS = list(rg.conventions)
ORDERING = ("stable", "reverse", "random", "id", "id_descending")  # of tied documents
TIES = ["average", "stable", "reverse", "best", "worst", "random", "id", "id_descending"]
MEASURES = "nDCG@5 nDCG AP AP@3 RR@10 P@4 R@4 HitRate@2 RPrec RBP ERR".split()
MEASURES += ["F1@3", "AUC"]
MEASURES += "GAUC(weight=documents) PRAUC Lift@3 Lift(share=0.3) Gain(share=0.2) MR".split()
MEASURES += ["RR(rank=realistic)@4", "HitRate(rank=pessimistic)@2", "AMRI", "RankingLoss"]
MEASURES += ["CoverageError", "PFound@4"]
OWN = rg.measure(
    "own", lambda x, k: x.labels[:k].sum() + 100 * x.relevant() + 1000 * x.judged.sum(), cutoff=True
)


def outcome(call: Any) -> Any:
    """Values and bounds of an evaluation, or the kind of its error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = call()
    except (ValueError, TypeError) as error:
        return type(error), re.sub(r" \(id [^)]*\)", "", str(error))  # the tidy ones have none
    return dict(result.per_query), {kind: dict(ends) for kind, ends in result.bounds.items()}


def same(result: Any, expected: Any) -> None:
    if isinstance(expected[0], type) or isinstance(result[0], type):
        assert result == expected
        return
    assert result[0].keys() == expected[0].keys()
    for name, values in expected[0].items():
        np.testing.assert_array_equal(result[0][name], values, err_msg=name)
    assert result[1].keys() == expected[1].keys()
    for kind, ends in expected[1].items():
        for name, values in ends.items():
            np.testing.assert_array_equal(result[1][kind][name], values, err_msg=f"{kind} {name}")


def taken(ask: Any, measures: list[str]) -> list[str]:
    """The measures that the other choices take; a refusal of one must not hide the others."""
    names = [name for name in measures if not isinstance(outcome(lambda: ask(name))[0], type)]  # noqa: B023
    return names or ["nDCG@5"]


TINY = np.array([1, 0, 1, 0]), np.array([0.4, 0.3, 0.2, 0.1])


# ---- arrays

ARRAYS: dict[str, list[Any]] = {
    "convention": CONVENTIONS,
    "ties": [None, *TIES],
    "bounds": [(), "ties", "unjudged"],
    "layout": ["rows", "lengths", "group", "qid", "qid, mixed", "lists"],
    "labels": ["dense", "csr", "csr, unsorted", "Truth", "Truth of csr", "strided"],
    "scores": ["f8", "f4", "<f8", ">f8", "i8", "f2", "strided"],
    "judged": [None, "more", "padded"],
    "exclude": [False, True],
    "ignore": [None, "call", "Truth"],
    "weight": [False, True],
    "empty": [None, "skip", 0.5],
    "threads": [1, 3],
    "longest": ["as judged", "longer than judged", "some empty"],
}


IGNORED = 3  # the label of documents that are left out; no other document has it


def possible(row: Row) -> bool:
    if row["ignore"] == "Truth" and "Truth" not in row["labels"]:
        return False
    truth, csr = "Truth" in row["labels"], "csr" in row["labels"]
    if row["longest"] == "some empty" and row["layout"] in ("rows", "qid", "qid, mixed"):
        return False
    if csr and truth and row["layout"] in ("group", "qid", "qid, mixed", "lists"):
        return False  # CSR labels of a Truth have rows of their own
    return not (row["exclude"] and row["ties"] == "random")  # draws count all positions


class Lists:
    """The lists of a row, as lists of arrays, and what is asked of them."""

    def __init__(self, row: Row) -> None:
        rng = np.random.default_rng(len(name_of(row)))
        count, width = 12, 20
        self.sizes = np.full(count, width)
        if row["layout"] != "rows":
            low = 0 if row["longest"] == "some empty" else 1
            self.sizes = rng.integers(low, width + 1, count)
        share = 0.15 if row["longest"] == "longer than judged" else 0.6
        cells = rng.integers(1, 2, (count, width)) * (rng.random((count, width)) < share)
        self.labels = [cells[i, :n] for i, n in enumerate(self.sizes)]
        self.ignored = [np.zeros(n, bool) for n in self.sizes]
        if row["ignore"]:
            self.ignored = [rng.random(n) < 0.25 for n in self.sizes]
            self.labels = [
                np.where(out, IGNORED, part)
                for out, part in zip(self.ignored, self.labels, strict=True)
            ]
        self.scores = [rng.integers(1, 9, n) / 4.0 for n in self.sizes]
        if row["scores"] == "i8":
            self.scores = [4 * one for one in self.scores]
        self.out = [np.flatnonzero(rng.random(n) < 0.3) for n in self.sizes]
        self.judged = None
        if row["judged"]:
            more = [np.append(one, [1] * int(rng.integers(0, 40))) for one in self.labels]
            longest = max(map(len, more))
            fill = row["judged"] == "padded"
            self.judged = [np.pad(one, (0, longest - len(one))) for one in more] if fill else more
        self.ids = [rng.permutation(n) for n in self.sizes]
        self.weight = rng.integers(0, 3, count) / 2.0
        self.rng = rng


def padded(parts: list[Any], fill: float, width: int = 20) -> Any:
    kind = np.result_type(*parts, type(fill)) if parts else float
    out = np.full((len(parts), width), fill, kind)
    for i, part in enumerate(parts):
        out[i, : len(part)] = part
    return out


def csr_of(parts: list[Any], order: Any = None, index: Any = np.int64) -> tuple[Any, Any, Any]:
    """The labels above 0 as (data, indices, indptr), in an order of one's own inside each list."""
    places = [np.flatnonzero(part) for part in parts]
    if order is not None:
        places = [order.permutation(place) for place in places]
    data = [part[place] for part, place in zip(parts, places, strict=True)]
    indptr = np.cumsum([0, *map(len, places)])
    return np.concatenate(data), np.concatenate(places).astype(index), indptr.astype(index)


def common(row: Row, lists: Lists) -> dict[str, Any]:
    given: dict[str, Any] = {"convention": row["convention"], "bounds": row["bounds"]}
    if row["ties"]:
        given["ties"] = row["ties"]
    if row["ties"] == "random":
        given["seed"] = 3
    if row["empty"] is not None:
        given["empty"] = row["empty"]
    return given


def tidy(row: Row, lists: Lists, names: list[str]) -> Any:
    """Lists one after the other, without what is excluded, in doubles."""
    kept = [np.delete(np.arange(n), out) for n, out in zip(lists.sizes, lists.out, strict=True)]
    if not row["exclude"]:
        kept = [np.arange(n) for n in lists.sizes]
    kept = [keep[~out[keep]] for keep, out in zip(kept, lists.ignored, strict=True)]
    labels, scores, ids = (
        [part[keep] for part, keep in zip(parts, kept, strict=True)]
        for parts in (lists.labels, lists.scores, lists.ids)
    )
    flat = np.concatenate(labels).astype(np.float64)
    given = common(row, lists)
    if lists.judged is not None:
        given["judged"] = [part[part != IGNORED] for part in lists.judged]
    if row["weight"]:
        given["weight"] = lists.weight
    given |= {"group": [len(keep) for keep in kept], "ids": np.concatenate(ids)}
    y_true = csr_of(labels) if "csr" in row["labels"] else flat
    return rg.evaluate_arrays(y_true, np.concatenate(scores).astype(np.float64), names, **given)


def untidy(row: Row, lists: Lists, names: list[str]) -> Any:
    two = row["layout"] in ("rows", "lengths")
    together = padded if two else (lambda parts, fill: np.concatenate(parts))
    given = common(row, lists)
    place: dict[str, Any] = {}
    if row["layout"] == "lengths":
        place["lengths"] = lists.sizes
    elif row["layout"] == "group":
        place["group"] = lists.sizes
    elif row["layout"] in ("qid", "qid, mixed"):
        place["qid"] = np.repeat(np.arange(len(lists.sizes)) * 3, lists.sizes)
    judged: dict[str, Any] = {}
    if lists.judged is not None:
        judged["judged"] = np.array(lists.judged) if row["judged"] == "padded" else lists.judged
    labels = together(lists.labels, 7 if row["layout"] == "lengths" else 0)
    if row["labels"] == "strided":
        labels = strided(labels)
    if "csr" in row["labels"]:
        order = lists.rng if row["labels"] == "csr, unsorted" else None
        labels = csr_of(lists.labels, order, np.int32)
    if row["labels"] == "Truth of csr":
        sparse = pytest.importorskip("scipy.sparse")
        labels = sparse.csr_matrix(labels, shape=(len(lists.sizes), 20))
    parts = lists.scores
    if row["ignore"]:  # the scores and ids of what is left out are not read
        fill = 10**6 if row["scores"] == "i8" else np.nan
        parts = [np.where(out, fill, x) for out, x in zip(lists.ignored, parts, strict=True)]
    scores = together(parts, np.nan)
    if row["scores"] == "strided":
        scores = strided(scores)
    elif row["scores"] == "i8":
        scores = np.nan_to_num(scores).astype(np.int64)
    else:
        scores = scores.astype(row["scores"])
    if row["scores"] == "<f8":
        scores = scores.view(scores.dtype.newbyteorder("<"))
    beside: dict[str, Any] = {}
    if row["exclude"]:
        marks = [np.isin(np.arange(n), out) for n, out in zip(lists.sizes, lists.out, strict=True)]
        beside["exclude"] = csr_of(marks, lists.rng)
    if row["weight"]:
        beside["weight"] = lists.weight
    ids = together(
        [np.where(out, 0, x) for out, x in zip(lists.ignored, lists.ids, strict=True)], 0
    )
    if row["layout"] == "qid, mixed":
        labels, scores, ids, place = mixed(labels, scores, ids, place, lists)
    elif row["layout"] == "lists":
        ends = np.cumsum(lists.sizes)[:-1]
        scores, ids = ([one.tolist() for one in np.split(side, ends)] for side in (scores, ids))
        if isinstance(labels, np.ndarray):
            labels = np.split(labels, ends)
    if row["ignore"] == "call":
        beside["ignore"] = IGNORED
    if "Truth" in row["labels"]:
        ignore = IGNORED if row["ignore"] == "Truth" else None
        labels, place = rg.Truth(labels, **place, **judged, ignore=ignore), {}
    else:
        place |= judged
    return rg.evaluate_arrays(
        labels, scores, names, ids=ids, threads=row["threads"], **beside, **place, **given
    )


def mixed(labels: Any, scores: Any, ids: Any, place: Any, lists: Lists) -> Any:
    """Documents of different lists among one another; lists still begin in the same order."""
    place_in_list = np.concatenate([np.arange(n) for n in lists.sizes])
    order = np.argsort(place_in_list, kind="stable")
    if isinstance(labels, np.ndarray):
        labels = labels[order]
    return labels, scores[order], ids[order], {"qid": place["qid"][order]}


ARRAY_ROWS = sampled(rows_of(ARRAYS, possible), one_in=4)


@pytest.mark.parametrize("row", ARRAY_ROWS, ids=name_of)
def test_arrays(row: Row) -> None:
    lists = Lists(row)
    given = {k: v for k, v in common(row, lists).items() if k != "bounds"}
    names = taken(lambda name: rg.evaluate_arrays(*TINY, name, ids=[3, 1, 2, 0], **given), MEASURES)
    if row["ties"] in ORDERING and not row["bounds"]:
        names = [*names, OWN @ 4]
    expected = outcome(lambda: tidy(row, lists, names))
    result = outcome(lambda: untidy(row, lists, names))
    same(result, expected)


# ---- qrels and runs

JOINS: dict[str, list[Any]] = {
    "convention": CONVENTIONS,
    "ties": [None, *TIES],
    "bounds": [(), "ties", "unjudged"],
    "order": ["as judged", "reversed", "shuffled"],
    "missing": ["none", "first", "last", "several", "without results"],
    "others": [False, True, "nothing judged"],
    "source": ["dicts", "sets", "lists", "objects", "qrels", "frames", "files", "numpy scores"],
    "ids": ["text", "integers"],
    "documents": ["few", "more than judged", "judged alone"],
    "scores": ["distinct", "tied", "one float"],
    "weight": [False, True],
    "threads": [1, 3],
    "judged_only": [None, True, False],
    "empty": [None, "skip", 0.5],
    "exclude": [None, "query", "some", "Qrels"],
}


def joinable(row: Row) -> bool:
    rule = rg.conventions[row["convention"]].ties if row["ties"] is None else row["ties"]
    return rule != "random"  # draws depend on the index of the list


def qrels_and_run(row: Row) -> tuple[dict[str, Any], dict[str, Any]]:
    rng = np.random.default_rng(len(name_of(row)))
    queries = [f"q{i}" for i in range(6)]
    qrels, run = {}, {}
    for query in queries:
        judged = [f"d{i}" for i in rng.permutation(12)[:8]]
        qrels[query] = {d: int(x) for d, x in zip(judged, rng.integers(0, 2, 8), strict=True)}
        qrels[query][judged[0]] = 1
        docs = judged[: int(rng.integers(1, 9))]
        if row["documents"] != "judged alone":
            more = 60 if row["documents"] == "more than judged" else 4
            docs += [f"u{i}" for i in range(more)]
        scores = rng.permutation(len(docs)) + 1.0
        if row["scores"] == "tied":
            scores = np.ceil(scores / 3)
        elif row["scores"] == "one float":
            scores = 1.0 + scores * 2.0**-40
        run[query] = dict(
            zip([docs[i] for i in rng.permutation(len(docs))], scores.tolist(), strict=True)
        )
    gone = {"first": queries[:1], "last": queries[-1:], "several": queries[1::2]}
    for query in gone.get(row["missing"], []):
        del run[query]
    if row["missing"] == "without results":
        run["q1"] = {}
        if row["source"] in ("frames", "files"):  # have no rows for it
            del run["q1"]
    if row["others"]:
        run = {"q7": {"d1": 1.0, "d2": 2.0}, **run}
    if row["others"] == "nothing judged":
        qrels = {"q7": {}, **qrels}
    if row["source"] in ("sets", "lists"):
        qrels = {q: {d: 1 for d, x in docs.items() if x} for q, docs in qrels.items()}
    if row["source"] == "lists":
        run = {q: dict(zip(docs, range(len(docs), 0, -1), strict=True)) for q, docs in run.items()}
    if row["ids"] == "integers":
        qrels, run = (
            {int(q[1:]): {number(d): x for d, x in docs.items()} for q, docs in data.items()}
            for data in (qrels, run)
        )
    order = list(run)
    if row["order"] == "reversed":
        order.reverse()
    elif row["order"] == "shuffled":
        order = [order[i] for i in rng.permutation(len(order))]
    return qrels, {query: run[query] for query in order}


def left_out(row: Row, qrels: Any, run: Any) -> Any:
    """exclude= of a row; documents of both get the id of their query where that is excluded."""
    if row["exclude"] in ("some", "Qrels"):
        result = {q: list(docs)[::3] for q, docs in [*run.items(), *qrels.items()] if docs}
        result |= {q: [*result[q], *list(run[q])[::4]] for q in result if q in run}
        return rg.Qrels(result, duplicates="first") if row["exclude"] == "Qrels" else result
    if row["exclude"] == "query":
        for data in (qrels, run):
            for query, docs in data.items():
                if docs and query not in docs:
                    at = min(len(docs) - 1, int(str(query).strip("q")))
                    data[query] = {query if i == at else d: docs[d] for i, d in enumerate(docs)}
    return row["exclude"]


def without(data: Any, excluded: Any) -> Any:
    """The rest of qrels or of a run, as dicts."""
    result = {}
    for query, docs in data.items():
        gone = [query] if excluded == "query" else excluded.get(query, [])
        gone = set(map(str, gone))
        result[query] = {d: x for d, x in docs.items() if str(d) not in gone}
    return result


def number(document: str) -> int:
    return int(document[1:]) + (100 if document[0] == "u" else 5)  # of one digit and of two


def as_source(row: Row, data: dict[Any, Any], kind: str, folder: Any) -> Any:
    if row["source"] in ("objects", kind):
        return (rg.Qrels if kind == "qrels" else rg.Run)(data)
    if row["source"] == "sets" and kind == "qrels":
        return {q: set(docs) for q, docs in data.items()}
    if row["source"] == "lists":
        return {q: list(docs) for q, docs in data.items()}
    if row["source"] == "numpy scores" and kind == "run":
        return {q: {d: np.float64(x) for d, x in docs.items()} for q, docs in data.items()}
    if row["source"] == "files":
        path = folder / kind
        lines = [
            f"{q} 0 {d} {x}" if kind == "qrels" else f"{q} Q0 {d} 0 {x!r} tag"
            for q, docs in data.items()
            for d, x in docs.items()
        ]
        path.write_text("\n".join(lines))
        return path
    if row["source"] == "frames":
        pandas = pytest.importorskip("pandas")
        name = "relevance" if kind == "qrels" else "score"
        rows = [(q, d, x) for q, docs in data.items() for d, x in docs.items()]
        return pandas.DataFrame(rows, columns=["query_id", "doc_id", name])
    return data


JOIN_ROWS = sampled(rows_of(JOINS, joinable), one_in=5)


@pytest.mark.parametrize("row", JOIN_ROWS, ids=name_of)
def test_joins(row: Row, tmp_path: Any) -> None:
    qrels, run = qrels_and_run(row)
    excluded = left_out(row, qrels, run)
    given: dict[str, Any] = {"convention": row["convention"], "bounds": row["bounds"]}
    for name in ("ties", "empty", "judged_only"):
        if row[name] is not None:
            given[name] = row[name]
    tiny = {"q": {"a": 1, "b": 0}}, {"q": {"a": 2.0, "b": 1.0}}
    requested = [*MEASURES, "Bpref", "Judged@5"]
    names = taken(lambda name: rg.evaluate(*tiny, name, **given), requested)
    weight = None
    if row["weight"]:
        name = str if row["source"] == "files" else (lambda query: query)
        weight = {name(query): 0.5 * (i % 3) for i, query in enumerate(qrels)}
    sources = [
        as_source(row, data, kind, tmp_path) for data, kind in ((qrels, "qrels"), (run, "run"))
    ]
    options = {"weight": weight, "threads": row["threads"], "exclude": excluded}
    result = outcome(lambda: rg.evaluate(*sources, names, **options, **given))
    if excluded is not None:
        qrels, run = (without(data, excluded) for data in (qrels, run))
    expected = one_by_one(qrels, run, names, given)
    tops = {max(labels.values()) for labels in qrels.values() if labels}
    # The error is of the first query, which another may be named before. Unjudged documents may
    # have the largest label of the call, which a query alone may not have.
    if isinstance(expected[0], type) or (row["bounds"] == "unjudged" and len(tops) > 1):
        expected = outcome(lambda: rg.evaluate(rg.Qrels(qrels), rg.Run(run), names, **given))
    same(result, expected)


def one_by_one(qrels: Any, run: Any, names: list[str], given: dict[str, Any]) -> Any:
    """Each judged query alone, with its results or with none, joined as objects."""
    parts = []
    for query, judged in qrels.items():
        if not judged:
            continue
        mine = rg.Run({query: run[query]} if query in run else {"other": {"x": 1.0}})
        part = outcome(
            lambda j=judged, q=query, m=mine: rg.evaluate(rg.Qrels({q: j}), m, names, **given)
        )
        if isinstance(part[0], type):
            return part
        parts.append(part)
    values = {n: np.concatenate([part[0][n] for part in parts]) for n in parts[0][0]}
    ends = {
        kind: {n: np.concatenate([part[1][kind][n] for part in parts]) for n in parts[0][0]}
        for kind in parts[0][1]
    }
    return values, ends


@pytest.mark.parametrize("cases", [ARRAY_ROWS, JOIN_ROWS], ids=["arrays", "joins"])
def test_rows_that_are_not_slow_meet_every_choice(cases: Any) -> None:
    """Rows repeat the choices of an axis in turn, so that some steps through them miss a few."""
    every = [case.values[0] for case in cases]
    quick = [case.values[0] for case in cases if not case.marks]
    for axis in every[0]:
        assert {str(row[axis]) for row in quick} == {str(row[axis]) for row in every}
