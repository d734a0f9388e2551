"""Queries that are users: which inputs say so, what is counted, and what is printed."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg

pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

ROWS = pandas.DataFrame({
    "list": [1, 1, 2, 2, 3, 3],
    "item_id": list("abacbc"),
    "label": [1, 0, 0, 1, 0, 0],
    "score": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4],
})  # fmt: skip


def rows_of(column: str) -> Any:
    return ROWS.rename(columns={"list": column})


@pytest.mark.parametrize("column", ["query_id", "session_id", "topic"])
def test_columns_of_other_queries_are_no_users(column: str) -> None:
    result: Any = rg.evaluate_frame(rows_of(column), "RR")
    assert "users" not in result.counts
    assert "\n3 queries (" in str(result)


def test_users_with_sessions_are_queries() -> None:
    rows = rows_of("user_id").assign(session_id=1)
    result: Any = rg.evaluate_frame(rows, "RR", query=["user_id", "session_id"])
    assert "\n3 queries (" in str(result)


@pytest.mark.parametrize("side", ["relevant", "retrieved", "both"])
def test_tables_of_ids_say_it_on_either_side(side: str) -> None:
    retrieved, relevant = rows_of("user_id")[["user_id", "item_id", "score"]], {1: ["a"], 2: ["c"]}
    other: Any = {1: ["a", "b"], 2: ["a", "c"]}
    truth = pandas.DataFrame({"user_id": [1, 2], "item_id": ["a", "c"]})
    sides: Any = {
        "relevant": (other, truth),
        "retrieved": (retrieved, relevant),
        "both": (retrieved, truth),
    }
    result: Any = rg.evaluate_ids(*sides[side], "RR")
    assert result.counts["users"] == result.counts["queries"] == 2
    assert "\n2 users" in str(result)


def test_models_and_catalogues_are_of_users() -> None:
    factors = rg.evaluate_factors(np.eye(3), np.eye(4, 3), [[0], [1], [0]], ["RR", "P@1"])
    assert "\n3 users (" in str(factors)
    scored: Any = rg.evaluate_scores(lambda users: np.ones((len(users), 2)), [[0], [1]], "RR")
    assert "\n2 users (" in str(scored)
    shown = rg.evaluate_catalogue([[1, 2], [2, 3]], "Coverage@2", catalogue=4)
    assert "\n2 users (" in str(shown)


def test_users_merged_with_queries_are_queries() -> None:
    users: Any = rg.evaluate_frame(rows_of("user_id"), "RR")
    queries: Any = rg.evaluate_frame(rows_of("query_id").assign(query_id=[7, 7, 8, 8, 9, 9]), "RR")
    merged = rg.Evaluation.merge([users, queries])
    assert merged.counts["users"] == 3
    assert "\n6 queries (" in str(merged)
