"""Columns without a role that show that a table would be misread are errors that name them."""

from collections.abc import Callable
from typing import Any

import pytest

import rankgain as rg
from frame_forms import in_form

pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
pytest.importorskip("narwhals")
pa = pytest.importorskip("pyarrow")


# ---- a second key of the query

# Two sessions of one user, with the first relevant document at the ranks 2 and 1 of the session:
# RR 3/4. As one list the order of scores is d, a, b, c, so the first relevant one is at rank 3.
SESSIONS = {
    "user_id": [7, 7, 7, 7],
    "session_id": [1, 1, 2, 2],
    "item_id": ["a", "b", "c", "d"],
    "label": [0, 1, 1, 0],
    "score": [0.8, 0.7, 0.6, 0.1],
}

BY_SESSION, BY_USER = 3 / 4, 1 / 2

KEYS = (
    "session_id", "timestamp_window", "sessionId", "Session", "window", "topic", "uid",
    "search_term",
)  # fmt: skip


def sessions(key: str) -> Any:
    return pandas.DataFrame(SESSIONS).rename(columns={"session_id": key})


CALLS: dict[str, Callable[..., Any]] = {
    "evaluate_frame": lambda frame, **named: rg.evaluate_frame(frame, "RR", **named),
    "evaluate_ids": lambda frame, **named: rg.evaluate_ids(
        frame.drop(columns="label"), frame.drop(columns="score"), "RR", **named
    ),
    "from_frame": lambda frame, **named: rg.evaluate(
        rg.Qrels.from_frame(frame, **named), rg.Run.from_frame(frame, **named), "RR"
    ),
    "truth": lambda frame, **named: rg.evaluate_frame(
        frame.drop(columns="label"), "RR", truth=frame.drop(columns="score"), **named
    ),
}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("call", CALLS)
def test_a_second_key_is_an_error_until_it_is_settled(call: str, key: str) -> None:
    frame = sessions(key)
    pairs = CALLS[call](frame, query=["user_id", key])
    assert pairs["RR"] == BY_SESSION
    assert list(pairs.queries) == [(7, 1), (7, 2)]
    assert CALLS[call](frame, query=key)["RR"] == BY_SESSION
    assert CALLS[call](frame, query="user_id")["RR"] == BY_USER


def test_rows_with_names_are_looked_at_too() -> None:
    rows = sessions("query").to_dict("records")
    assert len(rg.Qrels([{**row, "user_id": row["query"]} for row in rows])) == 2


def test_a_key_that_is_constant_in_each_list_is_none() -> None:
    frame = sessions("session_id").assign(user_id=[1, 1, 2, 2])
    assert rg.evaluate_frame(frame, "RR")["RR"] == BY_SESSION
    missing = frame.assign(session_id=[1, None, 2, 2])
    assert rg.evaluate_frame(missing, "RR")["RR"] == BY_SESSION
    wide = frame.rename(columns={"session_id": "time_window"}).assign(time_window=1.7e18)
    assert rg.evaluate_frame(wide, "RR")["RR"] == BY_SESSION


def test_a_number_of_each_row_is_no_key() -> None:
    frame = sessions("impression_id")
    assert rg.evaluate_frame(frame.assign(impression_id=range(4)), "RR")["RR"] == BY_USER


# ---- labels under another name

RETRIEVED = pandas.DataFrame({"user_id": [1, 1], "item_id": ["a", "b"], "score": [0.9, 0.8]})

LIKED = {
    "is_bought": [0, 1],
    "liked_it": [False, True],
    "watched": [0.0, 1.0],
    "feedback": [-1, 1],
    "relevance_score": [0.25, 0.75],
    "binary": [0, 1],
    "converted": [None, True],
    "event": ["view", "buy"],
    "completed": ["no", "yes"],
    "verdict": ["Not relevant", "Relevant"],
    "what_they_did": ["impression", "purchase"],
    "bought": [None, "true"],
    "value": [0, 4],
}


@pytest.mark.parametrize("name", LIKED)
@pytest.mark.parametrize("door", ["evaluate_ids", "evaluate_catalogue"])
def test_labels_under_another_name_are_an_error_until_they_are_settled(
    door: str, name: str
) -> None:
    truth = pandas.DataFrame({"user_id": [1, 1], "item_id": ["a", "b"], name: LIKED[name]})

    def call(**named: Any) -> float:
        if door == "evaluate_ids":
            return rg.evaluate_ids(RETRIEVED, truth, "P@2", **named)["P@2"]
        nothing = {1: []}
        return rg.evaluate_catalogue(
            RETRIEVED, "Serendipity@2", relevant=truth, baseline=nothing, **named
        )["Serendipity@2"]

    assert call(label=None) == 1.0
    if name in ("is_bought", "liked_it", "watched", "feedback", "binary", "value"):
        assert call(label=name) == 0.5


def test_attributes_of_users_or_items_are_no_labels() -> None:
    truth = pandas.DataFrame({"user_id": [1, 1, 2, 2], "item_id": ["a", "b", "a", "b"]})
    retrieved = {1: ["a", "b"], 2: ["a", "b"]}
    for values in ([0, 0, 1, 1], [0, 1, 0, 1]):  # of the user, of the item
        described = truth.assign(is_local=values)
        assert rg.evaluate_ids(retrieved, described, "P@2")["P@2"] == 1.0
    named = truth.assign(colour=["red", "no", "blue", "yes"], note=["yes", "yes", "yes", "yes"])
    assert rg.evaluate_ids(retrieved, named, "P@2")["P@2"] == 1.0


MIXED = {
    "system": ["a", "a", "b", "b"],
    "query": [1, 1, 1, 1],
    "label": [0, 1, 0, 1],
    "score": [0.5, 0.4, 0.3, 0.9],
}


def test_systems_of_retrieved_ids_are_not_mixed() -> None:
    frame = pandas.DataFrame({**MIXED, "doc_id": list("abcd")}).drop(columns="label")
    assert rg.evaluate_ids(frame, {1: ["b"]}, "RR", run="system")["a"]["RR"] == 0.5


@pytest.mark.parametrize(("add", "words"), [
    ({"rating": [1, 1, 1, 1]}, "'label' and 'rating' both fit label="),
    ({"prediction": [1.0, 2, 3, 4]}, "'score' and 'prediction' both fit score="),
    ({"doc_id": ["k", "l", "m", "k"]}, "both fit doc="),
])  # fmt: skip
def test_two_columns_of_one_role_are_an_error_everywhere(add: Any, words: str) -> None:
    frame = pandas.DataFrame(SESSIONS).drop(columns="session_id")
    both = frame.assign(**add, item_id=["a", "b", "a", "c"], user_id=[1, 1, 2, 2])
    role = next(iter(add))
    reads: list[Callable[[Any], Any]] = [rg.Qrels] if role == "rating" else [rg.Run]
    if role == "doc_id":
        reads = [rg.Qrels, rg.Run]
    for read in reads:
        with pytest.raises(ValueError, match=words):
            read(both)


def test_catalogue_and_popularity_take_frames() -> None:
    items = pandas.DataFrame({"item_id": [7, 8, 9], "title": list("xyz")})
    assert rg.evaluate_catalogue([[7], [8]], "Coverage@1", catalogue=items)["Coverage@1"] == 2 / 3
    counts = pandas.DataFrame({"item_id": [7, 8], "plays": [3, 5]})
    for popularity in (counts, polars.from_pandas(counts)):
        shown = rg.evaluate_catalogue([[7], [8]], "Popularity@1", popularity=popularity)
        assert shown["Popularity@1"] == 4.0
    log = pandas.DataFrame({"user": [1, 2, 3], "thing": [7, 7, 8]})
    named = rg.evaluate_catalogue([[7], [8]], "Popularity@1", popularity=log, doc="thing")
    assert named["Popularity@1"] == 1.5


FORMS = ["arrow", "data set", "parquet", "csv", "pandas", "polars", "batches", "function"]


@pytest.mark.parametrize("source", FORMS)
@pytest.mark.parametrize("order", ["sorted", "any"])
@pytest.mark.parametrize("value", ["score", "rank"])
def test_systems_of_streams_are_not_mixed(
    source: str, order: str, value: str, tmp_path: Any
) -> None:
    arrow = pytest.importorskip("pyarrow")
    columns: Any = {"query": "query", "label": "label", value: value, "order": order}
    frame = pandas.DataFrame(MIXED | {"rank": [1, 2, 2, 1]})
    # Batches of one row, so that none holds two systems.
    batches = arrow.Table.from_pandas(frame).to_batches(max_chunksize=1)
    rows: Any = batches
    if source == "function":
        rows = batches.__iter__
    elif source != "batches":
        rows = in_form(frame, source, tmp_path)
    assert rg.evaluate_batches(rows, "RR", **columns, run=None)["RR"] == (
        1.0 if value == "score" else 0.75
    )
    assert rg.evaluate_batches(rows, "RR", **columns, run="system")["a"]["RR"] == 0.5


def test_arrow_dictionaries_whose_codes_share_a_value_or_have_none() -> None:
    pa = pytest.importorskip("pyarrow")
    pytest.importorskip("narwhals")

    def coded(*values: str | None) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array([0, 1], pa.int8()), pa.array(values))

    rest = {"label": [0, 1], "score": [1.0, 2.0]}
    names: Any = {"query": "q", "label": "label", "score": "score"}
    one = pa.table({"q": ["u", "u"], "g": coded("x", "x"), **rest})
    assert rg.evaluate_frame(one, "RR", segment="g", **names)["RR"] == 1.0


def test_labels_behind_an_attribute_of_the_users_are_noticed() -> None:
    truth = pandas.DataFrame({"user_id": [*"uuvv"], "item_id": [*"abac"], "tier": [1, 1, 2, 2]})
    retrieved = {"u": ["b", "a"], "v": ["a", "c"]}
    assert rg.evaluate_ids(retrieved, truth, "P@2")["P@2"] == 1.0


@pytest.mark.parametrize("order", ["sorted", "any"])
def test_queries_of_different_systems_are_no_mixture(order: str) -> None:
    arrow = pytest.importorskip("pyarrow")
    rows = arrow.table(MIXED | {"query": [1, 1, 2, 2]})
    columns: Any = {"query": "query", "label": "label", "score": "score", "order": order}
    assert rg.evaluate_batches(rows.to_batches(max_chunksize=1), "RR", **columns)["RR"] == 0.75
