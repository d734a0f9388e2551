"""Tables with the columns of public data sets are read as they are meant, without a warning."""

import warnings
from typing import Any

import pytest

import rankgain as rg
from public_tables import TABLES, PublicTable, key_columns, rows_of

pandas = pytest.importorskip("pandas")
pytest.importorskip("narwhals")


def test_there_are_two_hundred() -> None:
    assert len(TABLES) >= 200
    assert len({table.name for table in TABLES}) == len(TABLES)


def ranked_of(table: PublicTable, frame: Any) -> dict[Any, list[str]]:
    """A ranking with all relevant items of each user, and one more at its end."""
    query, doc = key_columns(table)
    users = frame[query[0]] if len(query) == 1 else list(zip(*map(frame.get, query), strict=True))
    ranked: dict[Any, list[str]] = {}
    for user, item in zip(users, frame[doc], strict=True):
        ranked.setdefault(user, []).append(item)
    return {user: [*items, "another"] for user, items in ranked.items()}


@pytest.mark.parametrize("table", TABLES, ids=[table.name for table in TABLES])
@pytest.mark.parametrize("seed", range(3))
def test_a_public_table_is_read_without_a_warning(table: PublicTable, seed: int) -> None:
    frame = pandas.DataFrame(rows_of(table, seed))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = rg.evaluate_ids(ranked_of(table, frame), frame, ["P@4", "R@4"], **table.arguments)
    assert result.means == {"P@4": 1.0, "R@4": 1.0}
