"""Labels that two arguments share in another order: no public function pairs them by position.

The functions are those of the package whose parameters are arrays, read from their signatures, so a
new one is tried as well.
"""

import inspect
import itertools
import re

import numpy as np
import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")

# What a parameter holds for three documents, and for three lists (users) of two.
ARRAYS = {
    "y_true": ([1, 0, 2], [[1, 0], [2, 1], [0, 2]]),
    "y_score": ([0.3, 0.2, 0.9], [[0.1, 0.2], [0.9, 0.3], [0.4, 0.3]]),
    "ids": ([5, 6, 7], [[1, 2], [1, 2], [1, 2]]),
    "qid": ([3, 3, 4], None),
    "group": ([1, 1, 1], [2, 2, 2]),
    "lengths": (None, [2, 1, 2]),
    "judged": ([2, 1, 1], [[1, 2], [2, 1], [2, 2]]),
    "weight": (None, [1.0, 2.0, 4.0]),
    "sample_weight": ([1.0, 2.0, 4.0], [1.0, 2.0, 4.0]),
    "query": ([3, 3, 4], None),
    "score": ([0.3, 0.2, 0.9], None),
    "label": ([1, 3, 2], None),
    "retrieved": (None, [[1, 2], [3, 1], [2, 4]]),
    "relevant": (None, [[2], [3], [1]]),
    "gains": (None, [[2], [3], [1]]),
    "recommended": (None, [[1, 2], [3, 1], [2, 4]]),
    "found": (None, [[1, 2], [3, 1], [2, 4]]),
    "exact": (None, [[2, 3], [3, 1], [1, 4]]),
    "found_distances": (None, [[0.1, 0.2], [0.2, 0.3], [0.1, 0.5]]),
    "exact_distances": (None, [[0.1, 0.2], [0.2, 0.4], [0.3, 0.4]]),
    "user_factors": (None, [[1.0, 0.0], [0.5, 0.2], [0.1, 0.9]]),
    "item_factors": (None, [[1.0, 0.4], [0.5, 0.1], [0.3, 0.9]]),
    "item_bias": (None, [0.0, 0.7, 0.2]),
}
# Other arguments that are needed.
REST = {
    "measures": "nDCG@2",
    "measure": "nDCG@2",
    "a": "rankgain",
    "b": "trec_eval",
    "k": 2,
    "found": ARRAYS["found"][1],
    "exact": ARRAYS["exact"][1],
    "exact_distances": ARRAYS["exact_distances"][1],
}
# Pairs that belong to one side only: the rows of one are no rows of the other.
APART = {("user_factors", "item_factors"), ("user_factors", "item_bias")}
APART |= {("item_factors", one) for one in ("relevant", "weight")}
APART |= {("relevant", "item_bias"), ("item_bias", "weight")}
# What has the order of others; the rest may be found by label, but never by position.
IN_ORDER = {"y_true", "y_score", "ids", "qid", "group", "lengths", "judged", "sample_weight"}
IN_ORDER |= {"query", "score", "label", "found", "exact", "found_distances", "exact_distances"}
IN_ORDER |= {"user_factors", "item_factors", "item_bias"}


def parameters_of(function):
    return list(inspect.signature(function).parameters)


FUNCTIONS = {
    name: parameters_of(getattr(rg, name))
    for name in rg.__all__
    if inspect.isfunction(getattr(rg, name)) or name in ("Truth", "PartialRanks")
}
# What holds no arrays that stand in the order of others.
OTHERS = set(
    "measures measure k gain discount log_base ties seed rel divisor beta p max_label empty "
    "options convention threads bounds a b normalize labels ignore_ties tolerance duplicates "
    "qrels run runs frame by doc rank segment batches order keep progress function form "
    "evaluations baseline test correction resamples level queries by_model by_people tuned n "
    "catalogue popularity features categories text spec users batch pool judged_only scores "
    "exclude ignore table above equal size source systems truth dialect how better calls "
    "collections cutoff difference documents margin name power weights".split()
)


def test_every_parameter_is_known():
    """A new parameter is an array (then it is tried below) or none."""
    parameters = {one for names in FUNCTIONS.values() for one in names}
    assert not parameters - ARRAYS.keys() - OTHERS


TABLES = "evaluate_frame", "evaluate_batches", "evaluate_counts", "sql", "explain"
TABLES += ("evaluate_scores",)
TABLES_OF_IDS = "evaluate_ids", "evaluate_catalogue"


def cases():
    for name, parameters in FUNCTIONS.items():
        arrays = [one for one in parameters if one in ARRAYS]
        if name in TABLES:
            arrays = [one for one in arrays if one in ("y_true", "y_score", "judged")]
        if name in TABLES_OF_IDS:  # these name columns
            arrays = [one for one in arrays if one not in ("query", "label", "score")]
        if name == "PartialRanks":  # what is judged has queries of its own
            arrays.remove("judged")
        for a, b in itertools.combinations(arrays, 2):
            for form in (0, 1):
                if ARRAYS[a][form] is None or ARRAYS[b][form] is None or {(a, b), (b, a)} & APART:
                    continue
                if not (name == "explain" and form):
                    yield pytest.param(name, a, b, form, id=f"{name}-{a}-{b}-{form}")


def called(name, form, **arrays):
    """The values of a call, or the error."""
    parameters = FUNCTIONS[name]
    rest = {one: value for one, value in REST.items() if one in parameters}
    rest["k"] = rest["k"] if name != "explain" and "k" in parameters else None
    signature = inspect.signature(getattr(rg, name)).parameters
    for one in parameters:
        if signature[one].default is inspect.Parameter.empty and one in ARRAYS:
            rest[one] = ARRAYS[one][form] or ARRAYS[one][1 - form]
    if "y_score" in parameters:
        rest["y_score"] = ARRAYS["y_score"][form]
    if "scores" in parameters:
        rest["scores"] = {"m": ARRAYS["y_score"][form]}
    rest = {one: value for one, value in rest.items() if value is not None}
    if name == "neighbor_recall" and "found_distances" not in arrays:
        del rest["exact_distances"]
    try:
        result = getattr(rg, name)(**(rest | arrays))
    except (ValueError, TypeError) as error:
        return error
    if hasattr(result, "rename"):  # evaluations of models
        result = result["m"]
    return getattr(result, "per_query", getattr(result, "means", result))


def labelled(values, index):
    """Rows of numbers as a frame (one of ids as a Series of lists), others as a Series."""
    if np.ndim(values) == 2 and len(values[0]) == 2:
        return pandas.DataFrame(values, index=index)
    return pandas.Series(values, index=index)


@pytest.mark.parametrize(("name", "a", "b", "form"), list(cases()))
def test_labels_in_another_order_are_refused(name, a, b, form):
    first = labelled(ARRAYS[a][form], list("xyz"))
    second = labelled(ARRAYS[b][form], list("xyz"))
    turned = second.iloc[[2, 0, 1]]
    result = called(name, form, **{a: first, b: turned})
    aligned = called(name, form, **{a: first, b: second})
    if {a, b} <= IN_ORDER:
        assert isinstance(result, Exception), result
        if not (name == "coverage_error" and not form):  # which refuses one list before
            assert "same labels in another order" in str(result), result
            assert {a, b} <= set(re.findall(r"\w+", str(result)))
    elif not isinstance(result, Exception):  # by label
        np.testing.assert_equal(result, aligned)
    assert "another order" not in str(aligned)


FIRST, SECOND = [1, 0, 0], [0.2, 0.9, 0.4]


def test_other_labels_and_one_order_stay_by_position():
    labels = pandas.Series(FIRST, [*"abc"])
    by_place = rg.ndcg(FIRST, SECOND)
    for index in ([*"abc"], range(3), [*"xyz"], [np.nan, "d", "e"], [2.5, 1.5, 0.5]):
        assert rg.ndcg(labels, pandas.Series(SECOND, index)) == by_place
        assert rg.ndcg(rg.Truth(labels), pandas.Series(SECOND, index)) == by_place
    repeated = [*"aab"]
    assert rg.ndcg(labels.set_axis(repeated), pandas.Series(SECOND, repeated)) == by_place
    assert rg.ndcg(labels.set_axis([*"aac"]), pandas.Series(SECOND, [*"caa"][::-1])) == by_place
    assert rg.ndcg(labels.set_axis([7, 8, 9]), pandas.Series(SECOND)) == by_place
    assert rg.ndcg(labels.reset_index(drop=True), pandas.Series(SECOND, [1, 2, 3])) == by_place
    several = pandas.MultiIndex.from_tuples([("u", 1), ("u", 2), ("v", 1)])
    assert rg.ndcg(labels.set_axis(several), pandas.Series(SECOND, several)) == by_place
    assert rg.ndcg(labels[:0], pandas.Series([], dtype=float)) == 0.0


def test_judged_labels_and_sizes_have_rows_of_their_own():
    labels, judged = pandas.Series(FIRST, [*"abc"]), pandas.Series([1, 2, 0], [*"abd"])
    assert rg.ndcg(labels, SECOND, judged=judged) == rg.ndcg(FIRST, SECOND, judged=[1, 2, 0])
    sizes = pandas.Series([1, 1, 1], [*"abd"])
    assert rg.reciprocal_rank(labels, None, group=sizes).tolist() == [1.0, 0.0, 0.0]


def test_columns_of_other_libraries():
    polars, pyarrow = pytest.importorskip("polars"), pytest.importorskip("pyarrow")
    labels, scores = {"a": [1, 0], "b": [0, 1]}, {"b": [0.1, 0.2], "a": [0.5, 0.1]}
    for make in (polars.DataFrame, pyarrow.table, pandas.DataFrame):
        same = {name: scores[name] for name in labels}
        assert rg.ndcg(make(labels), make(same)).tolist() == [1.0, 1.0]
        with pytest.raises(ValueError, match="label 0 of the columns is 'b' in y_score and 'a'"):
            rg.ndcg(make(labels), make(scores))


def test_dimensions_and_coordinates_of_xarray():
    xarray = pytest.importorskip("xarray")
    place = {"user": ["u", "v"], "item": ["a", "b"]}
    labels = xarray.DataArray([[1, 0], [0, 1]], place, ("user", "item"))
    scores = xarray.DataArray([[0.5, 0.1], [0.3, 0.2]], place, ("user", "item"))
    by_place = rg.ndcg(labels.values, scores.values).tolist()
    assert rg.ndcg(labels, scores).tolist() == by_place
    assert rg.ndcg(labels, scores.drop_vars(["user", "item"])).tolist() == by_place
    for turned in (scores[::-1], scores[:, ::-1], scores.T):
        with pytest.raises(ValueError, match=r"label 0 of the (index|columns|dims) is"):
            rg.ndcg(labels, turned)


# ---- a Series whose index holds queries says which value is whose


FOUND = rg.evaluate_arrays([1, 0, 0, 1], [2, 1, 2, 1], "RR", qid=["a", "a", "b", "b"])
BY_NAME = {"b": 3.0, "a": 1.0}


def weighted(weight, qid=("a", "a", "b", "b")):
    return rg.evaluate_arrays([1, 0, 0, 1], [2, 1, 2, 1], "RR", qid=list(qid), weight=weight)


def test_weights_of_a_series_belong_to_its_index():
    series = pandas.Series(BY_NAME)
    assert weighted(series) == weighted(BY_NAME) == weighted([1.0, 3.0])
    assert weighted(series.reset_index(drop=True)) == weighted([3.0, 1.0])
    numbered = pandas.Series([3.0, 1.0], [1, 0]).sort_index()
    assert weighted(numbered, [1, 1, 0, 0]) == weighted({0: 1.0, 1: 3.0}, [1, 1, 0, 0])


def test_labels_of_a_series_belong_to_its_index():
    labels = pandas.Series({"b": "long", "a": "short"})
    assert FOUND.by(labels) == FOUND.by(dict(labels)) == FOUND.by(["short", "long"])
    wide = rg.evaluate_arrays(np.eye(6), None, "RR")
    groups = pandas.Series([0, 0, 1, 1, 2, 2], [0, 5, 1, 4, 2, 3])
    assert wide.interval("RR", by=groups) == wide.interval("RR", by=dict(groups))
    assert wide.interval("RR", by=groups) != wide.interval("RR", by=groups.to_numpy())
    runs = rg.Evaluations({"x": FOUND, "y": FOUND})
    rows = runs.compare(by=labels, test="bootstrap", resamples=100).rows
    assert [(row.segment, row.mean_a) for row in rows] == [("short", 1.0), ("long", 0.5)]
