"""Every pair of options of compare, explain, reconcile, audit and neighbor_recall together.

Expected values come from the oracle, from scipy, or from the formulas written out here.
"""

import itertools
import math
from typing import Any

import numpy as np
import pytest

import rankgain as rg
import reference
from pairwise import Row, name_of, rows_of
from sampling import sampled


def close(value: float) -> Any:
    return pytest.approx(value, rel=1e-12, abs=1e-12, nan_ok=True)


# ---- explain


EXPLAINED: dict[str, list[Any]] = {
    "measure": ["nDCG", "AP", "RR", "ERR"],
    "door": ["array", "list", "qid", "Truth", "qrels", "run of repeats"],
    "k": [None, 1, 3, 20],
    "ties": ["average", "stable", "worst", "best", "reverse"],
    "gain": ["linear", "exp2", "binary"],
    "discount": ["log2", "reciprocal"],
    "judged": [False, True],
    "rel": [1, 2],
    "longest": [1, 4, 8],
    "qid": ["text", "int", "date"],
}


def explainable(row: Row) -> bool:
    if row["measure"] != "nDCG" and (row["gain"], row["discount"]) != ("linear", "log2"):
        return False
    if row["measure"] in ("nDCG", "ERR") and row["rel"] != 1:
        return False
    if row["door"] in ("qrels", "run of repeats") and row["ties"] == "reverse":
        return False
    return row["qid"] == "text" or row["door"] == "qid"


@pytest.mark.parametrize("row", sampled(rows_of(EXPLAINED, explainable), one_in=2), ids=name_of)
def test_explain(row: Row) -> None:
    rng = np.random.default_rng(sum(map(ord, name_of(row))))
    size = int(rng.integers(1, row["longest"] + 1))
    labels, scores = rng.integers(0, 4, size), rng.integers(0, 4, size) / 4.0
    more = rng.integers(0, 4, 3).tolist() if row["judged"] else []
    pool = [*labels.tolist(), *more]
    options: Any = {"measure": row["measure"], "ties": row["ties"]}
    options |= {} if row["k"] is None else {"k": row["k"]}
    if row["measure"] == "nDCG":
        options |= {"gain": row["gain"], "discount": row["discount"]}
    elif row["rel"] != 1:
        options["convention"] = rg.conventions["rankgain"].replace(rel=2)
    beside = {"judged": pool} if more else {}
    if row["door"] in ("qrels", "run of repeats"):
        # Ids fall, so that the order of input is that of ids, the larger first.
        names = [f"d{99 - at}" for at in range(len(pool))]
        qrels = {"q": dict(zip(names, map(int, pool), strict=True)), "r": {"a": 1}}
        ids, values = names[:size], scores.tolist()
        if row["door"] == "run of repeats":  # each takes the lowest rank, where nothing is tied
            ids, values = [*ids, ids[0]], [*values, -1.0]
        rows = [
            {"query": "q", "document": one, "score": score}
            for one, score in zip(ids, values, strict=True)
        ]
        options.setdefault("convention", "rankgain")
        explanation: Any = rg.explain(
            qrels, rg.Run(rows, duplicates="in_place"), query="q", **options
        )
        if row["door"] == "run of repeats":
            labels, scores = np.append(labels, 0), np.append(scores, -1.0)
            pool = [*pool, 0]
        more = [0]  # the pool is that of the qrels
    elif row["door"] == "qid":
        kinds: Any = {"text": ["v", "u"], "int": [7, 3], "date": ["2024-05-01", "2023-01-02"]}
        one, other = kinds[row["qid"]]
        half = 1 + size // 2  # a row of the other list stands among those of this one
        ids = np.array([other, *[one] * (half - 1), other, *[one] * (size - half + 1)])
        ids = ids.astype("M8[D]") if row["qid"] == "date" else ids
        of_all = [np.insert(np.append(2, part), half, 1) for part in (labels, scores)]
        if more:
            beside["judged"] = [[2, 1], pool]
        query = ids[ids != ids[0]][0].item() if row["qid"] != "text" else one
        explanation = rg.explain(*of_all, qid=ids, query=query, **options, **beside)
        side = explanation.ranking if row["measure"] == "nDCG" else explanation
        assert (ids[side.document] != ids[0]).all()
        assert of_all[0][side.document].tolist() == side.label.tolist()
    elif row["door"] == "Truth":
        rows = [np.array([part[::-1], part]) for part in (labels, scores)]
        truth = rg.Truth(rows[0], judged=[pool, pool] if more else None)
        explanation = rg.explain(truth, rows[1], query=1, **options)
    else:
        kind = list if row["door"] == "list" else np.array
        explanation = rg.explain(kind(labels), kind(scores), **options, **beside)
    function = {"nDCG": "ndcg", "AP": "average_precision", "RR": "reciprocal_rank", "ERR": "err"}
    arguments: Any = {"ties": row["ties"], "judged": pool if more else None}
    names = {"nDCG": ("gain", "discount"), "AP": ("rel",), "RR": ("rel",)}
    arguments |= {name: row[name] for name in names.get(row["measure"], ())}
    oracle = getattr(reference, function[row["measure"]])
    places, values = labels.tolist(), scores.tolist()
    expected = oracle(places, values, k=row["k"], **arguments)
    value = explanation.ndcg if row["measure"] == "nDCG" else explanation.value
    assert value == close(0.0 if expected is None else float(expected))
    if row["measure"] == "nDCG":
        last = row["k"] or len(places)  # what ties beyond the cutoff adds nothing
        for k, running in enumerate(explanation.ranking.running_dcg, 1):
            wanted_dcg = reference.dcg(places, values, k=min(k, last), **arguments)
            assert running == close(float(wanted_dcg))
        for k, running in enumerate(explanation.ideal.running_dcg, 1):
            assert running == close(float(reference.idcg(places, values, k=k, **arguments)))
    elif expected is not None:
        assert math.fsum(explanation.term) == close(float(expected))


# ---- compare


COMPARED: dict[str, list[Any]] = {
    "test": ["randomisation", "t", "bootstrap", "wilcoxon", "sign", "tukey", "randomised_tukey"],
    "correction": ["holm", "bonferroni", "bh", None],
    "baseline": [None, "s1"],
    "measures": [None, "AP", ["RR", "AP"]],
    "queries": ["same", "common"],
    "by": [None, "array", "mapping"],
    "weight": [False, True],
    "lists": [8, 45],
    "systems": [2, 4],
    "level": [0.9, 0.95],
    "margin": [None, 0.1],
    "values": ["measured", "given", "given, lower is better"],
}


def comparable(row: Row) -> bool:
    if row["weight"] and (row["test"] in ("wilcoxon", "sign", "tukey") or row["margin"]):
        return False
    return not (row["weight"] and row["values"] != "measured")


def corrected(values: list[float], kind: str | None) -> list[float]:
    """Holm 1979; Bonferroni; Benjamini and Hochberg 1995."""
    n, order = len(values), sorted(range(len(values)), key=values.__getitem__)
    out = [0.0] * n
    if kind is None:
        return values
    if kind == "bonferroni":
        return [min(1.0, n * p) for p in values]
    if kind == "holm":
        for at, i in enumerate(order):
            out[i] = min(1.0, max((n - at) * values[i], out[order[at - 1]] if at else 0.0))
        return out
    for at, i in reversed(list(enumerate(order))):
        out[i] = min(n * values[i] / (at + 1), out[order[at + 1]] if at + 1 < n else 1.0)
    return out


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", sampled(rows_of(COMPARED, comparable), one_in=2), ids=name_of)
def test_compare(row: Row) -> None:
    stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(sum(map(ord, name_of(row))))
    n, names = row["lists"], [f"s{at}" for at in range(row["systems"])]
    tables = {
        name: {m: rng.integers(0, 6, n) / 5 + 0.1 * at for m in ("AP", "RR")}
        for at, name in enumerate(names)
    }
    weight = rng.integers(1, 4, n) / 2 if row["weight"] else None
    queries = [f"q{at:02}" for at in range(n)]
    evaluations = {}
    for at, (name, table) in enumerate(tables.items()):
        # Under "common" each system but the first lacks a list of its own.
        left = [i for i in range(n) if not (at and row["queries"] == "common" and i == at)]
        weights = None if weight is None else weight[left]
        if row["values"] != "measured":
            better = "higher" if row["values"] == "given" else "lower"
            values = {m: one[left] for m, one in table.items()}
            ids = [queries[i] for i in left]
            evaluations[name] = rg.Evaluation.from_values(values, ids, better=better)
            continue
        means = {m: float(np.average(one[left], weights=weights)) for m, one in table.items()}
        evaluations[name] = rg.Evaluation(
            means, {m: one[left] for m, one in table.items()}, [queries[i] for i in left],
            weights=weights,
        )  # fmt: skip
    lists = [i for i in range(n) if row["queries"] == "same" or not 0 < i < len(names)]
    segment = ["x" if i % 3 else "y" for i in range(n)]
    options: Any = {
        name: row[name] for name in ("test", "correction", "baseline", "queries", "level", "margin")
    }
    if row["measures"] is not None:
        options["measures"] = row["measures"]
    if row["by"] == "mapping":
        options["by"] = dict(zip(queries, segment, strict=True))
    elif row["by"] == "array":
        options["by"] = segment
    result = rg.compare(evaluations, resamples=499, **options)
    measures = [row["measures"]] if isinstance(row["measures"], str) else row["measures"]
    measures = measures or ["AP", "RR"]
    pairs = list(itertools.combinations(names, 2))
    if row["baseline"]:
        pairs = [(name, "s1") for name in names if name != "s1"]
    segments = [None] if row["by"] is None else list(dict.fromkeys(segment[i] for i in lists))
    assert {(r.measure, r.segment, r.a, r.b) for r in result.rows} == {
        (measure, part, *pair) for measure in measures for part in segments for pair in pairs
    }
    for r in result.rows:
        some = [i for i in lists if r.segment is None or segment[i] == r.segment]
        a, b = (tables[one][r.measure][some] for one in (r.a, r.b))
        w = None if weight is None else weight[some]
        assert r.mean_a == close(float(np.average(a, weights=w)))
        assert r.mean_b == close(float(np.average(b, weights=w)))
        assert r.difference == close(r.mean_a - r.mean_b)
        above, below = sum(a > b), sum(a < b)
        if row["values"] == "given, lower is better":
            above, below = below, above
        assert (r.wins, r.ties, r.losses) == (above, sum(a == b), below)
        if row["margin"] is None:
            assert math.isnan(r.p_equivalent)
        elif np.std(a - b) > 1e-9:
            ends = [
                stats.ttest_1samp(a - b, end, alternative=side).pvalue
                for end, side in ((-row["margin"], "greater"), (row["margin"], "less"))
            ]
            assert r.p_equivalent == pytest.approx(max(ends), rel=1e-9)
        assert 0 <= r.p <= 1 or r.p != r.p
        if row["test"] == "t" and w is None and np.std(a - b) > 1e-9:
            assert r.p == pytest.approx(stats.ttest_rel(a, b).pvalue, rel=1e-9)
        if row["test"] == "sign" and (a != b).any():
            expected = stats.binomtest(int(sum(a > b)), int(sum(a != b))).pvalue
            assert r.p == pytest.approx(expected, rel=1e-9)
        if row["test"] == "randomisation" and 2 ** len(some) <= 499:
            signs = np.array(list(itertools.product((1, -1), repeat=len(some))))
            d = (a - b) * (1 if w is None else w)
            totals = np.abs(signs @ d)
            assert r.p == close(float(np.mean(totals >= abs(d.sum()) - 1e-9)))
    if row["test"] not in ("tukey", "randomised_tukey"):
        defined = [r for r in result.rows if r.p == r.p]
        expected = corrected([r.p for r in defined], row["correction"])
        assert [r.p_corrected for r in defined] == [close(one) for one in expected]
    else:
        assert all(r.p_corrected == r.p for r in result.rows if r.p == r.p)


# ---- reconcile


RECONCILED: dict[str, list[Any]] = {
    "a": ["rankgain", "sklearn", "lightgbm", "torchmetrics", "catboost"],
    "b": ["rankgain", "xgboost-", "rax", "ranklib", "burges2005"],
    "measure": ["nDCG", "nDCG@3", "AP@5", "RR"],
    "door": ["group", "qid", "rows", "lists", "Truth"],
    "weight": [False, True],
    "exclude": [False, True],
    "qid": ["text", "date"],
}


def reconcilable(row: Row) -> bool:
    if row["exclude"] and row["door"] in ("group", "Truth"):
        return False
    return row["qid"] == "text" or row["door"] == "qid"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", sampled(rows_of(RECONCILED, reconcilable), one_in=2), ids=name_of)
def test_reconcile(row: Row) -> None:
    rng = np.random.default_rng(sum(map(ord, name_of(row))))
    n, width = 12, 7
    labels = rng.integers(0, 2, (n, width)) * (rng.random((n, width)) < 0.6)
    scores = rng.integers(1, 6, (n, width)) / 4.0
    out = rng.random((n, width)) < 0.2
    options: Any = {"measure": row["measure"]}
    if row["weight"]:
        options["weight"] = rng.integers(1, 4, n) / 2
    y, s = labels, scores
    if row["door"] in ("group", "Truth"):
        y, s, options["group"] = labels.ravel(), scores.ravel(), [width] * n
    elif row["door"] == "qid":
        numbers = np.repeat(np.arange(n), width)
        ids = np.array([f"q{at}" for at in range(n)])[numbers]
        if row["qid"] == "date":
            ids = np.datetime64("2024-01-01") + numbers
        y, s, options["qid"] = labels.ravel(), scores.ravel(), ids
    elif row["door"] == "lists":
        y, s = list(labels), list(scores)
    if row["exclude"]:
        options["exclude"] = out.ravel() if row["door"] == "qid" else out
        if row["door"] == "lists":
            options["exclude"] = list(out)
    if row["door"] == "Truth":
        y = rg.Truth(y, group=options.pop("group"))
    result = rg.reconcile(y, s, row["a"], row["b"], **options)
    kept = [np.flatnonzero(~one) if row["exclude"] else np.arange(width) for one in out]
    tidy = [[part[at][some] for at, some in enumerate(kept)] for part in (labels, scores)]
    weight = options.get("weight")
    expected = [
        rg.evaluate_arrays(*tidy, row["measure"], convention=rules, weight=weight)
        for rules in (row["a"], row["b"])
    ]
    for mean, one in zip(result.means, expected, strict=True):
        assert mean == close(next(iter(one.means.values())))
    if result.steps:
        assert result.steps[-1].mean == close(result.means[1])
        change = math.fsum(step.change for step in result.steps)
        assert result.means[0] + change == close(result.means[1])
    here, there = (next(iter(one.per_query.values())) for one in expected)
    if not np.array_equal(here, there, equal_nan=True):
        assert any(step.lists for step in result.steps)


# ---- audit


AUDITED: dict[str, list[Any]] = {
    "measure": ["nDCG", "AP", "RR", "P", "R", "HitRate", "MR", "IDCG"],
    "form": ["arrays", "dicts", "ids"],
    "k": [1, 5, 10, None],
}


def auditable(row: Row) -> bool:
    return row["measure"] != "MR" or (row["k"] is None and row["form"] != "ids")


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("row", sampled(rows_of(AUDITED, auditable), one_in=2), ids=name_of)
def test_audit_accuses_no_right_function(row: Row) -> None:
    name, k = row["measure"], row["k"]
    name = name if k is None else f"{name}@{k}"

    def arrays(y_true: Any, y_score: Any) -> float:
        return float(rg.evaluate_arrays(y_true, y_score, name)[name])

    def dicts(qrels: Any, run: Any) -> float:
        return float(rg.evaluate(qrels, run, name)[name])

    def ids(retrieved: Any, relevant: Any) -> float:
        return float(rg.evaluate_ids([retrieved], [relevant], name)[name])

    function: Any = {"arrays": arrays, "dicts": dicts, "ids": ids}[row["form"]]
    result = rg.audit(function, form=row["form"], k=k, measure=row["measure"])
    assert not result.errors, result


# ---- neighbours


NEIGHBOURS: dict[str, list[Any]] = {
    "found": ["array", "lists", "text", "int32", "filled"],
    "exact": ["array", "lists", "filled"],
    "k": [1, 3, 10],
    "distances": [None, "array", "lists"],
    "tolerance": [0.0, 0.5],
    "exact_distances": [False, True],
}


def neighbourly(row: Row) -> bool:
    if row["distances"] and not row["exact_distances"]:
        return False
    if row["tolerance"] and not row["distances"]:
        return False
    if (row["found"], row["exact"]) == ("text", "filled"):  # -1 fills integers alone
        return False
    return not ("filled" in (row["found"], row["exact"]) and row["exact_distances"])


@pytest.mark.parametrize("row", sampled(rows_of(NEIGHBOURS, neighbourly), one_in=1), ids=name_of)
def test_neighbor_recall(row: Row) -> None:
    rng = np.random.default_rng(sum(map(ord, name_of(row))))
    n, width, k = 9, 6, row["k"]
    result = [rng.permutation(20)[:width].tolist() for _ in range(n)]
    exact = [rng.permutation(12)[:width].tolist() for _ in range(n)]
    near = [sorted((rng.integers(0, 5, width) / 2).tolist()) for _ in range(n)]
    far = [sorted((rng.integers(0, 9, width) / 2).tolist()) for _ in range(n)]
    for name, rows in (("found", result), ("exact", exact)):
        if row[name] == "filled":
            for at in range(n):
                rows[at] = rows[at][: at % width + 1]

    def placed(rows: Any, form: str) -> Any:
        if form == "filled":
            return np.array([[*one, *[-1] * (width - len(one))] for one in rows])
        if row["found"] == "text":
            rows = [[f"d{one}" for one in ids] for ids in rows]
        dtypes = {"int32": np.int32, "array": None}
        return np.array(rows, dtypes[form]) if form in dtypes else rows

    options: Any = {}
    if row["exact_distances"]:
        options["exact_distances"] = near if row["distances"] == "lists" else np.array(near)
    if row["distances"]:
        options["found_distances"] = far if row["distances"] == "lists" else np.array(far)
        options["tolerance"] = row["tolerance"]
    sides = placed(result, row["found"]), placed(exact, row["exact"])
    values = rg.neighbor_recall(*sides, k, **options)
    for at in range(n):
        first = exact[at][:k]
        m = min(k, len(exact[at]))
        if row["distances"]:
            hits = sum(one <= near[at][m - 1] + row["tolerance"] for one in far[at][:k])
        else:
            if row["exact_distances"]:
                first = [
                    one for one, d in zip(exact[at], near[at], strict=True) if d <= near[at][m - 1]
                ]
            hits = len(set(result[at][:k]) & set(first))
        assert values[at] == close(min(1.0, hits / m))
