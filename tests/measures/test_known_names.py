"""Names of other tools: each row of the table holds, and an unknown name gets its row."""

import re

import pytest

from rankgain.measures.families import FAMILIES
from rankgain.measures.known_names import TABLE, KnownName, read_table
from rankgain.measures.measure import parse_measures

ROWS = read_table(TABLE)
ACCEPTED = [row for row in ROWS if row.is_read]
REFUSED = [row for row in ROWS if not row.is_read]


def label(row: KnownName) -> str:
    return f"{row.name} of {row.tools}"


def test_the_table_is_large_and_has_each_name_of_a_tool_once() -> None:
    assert len(ROWS) >= 150
    assert len({(row.name, row.tools) for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ACCEPTED, ids=label)
def test_an_accepted_name_is_the_measure_of_its_row(row: KnownName) -> None:
    assert parse_measures(row.name) == parse_measures(row.measure)


@pytest.mark.parametrize("row", REFUSED, ids=label)
def test_another_name_is_an_error_with_its_line_or_its_reason(row: KnownName) -> None:
    with pytest.raises(ValueError, match="is not a measure here") as caught:
        parse_measures(row.name)
    message = str(caught.value)
    assert "did you mean" not in message
    assert (row.measure or row.note) in message
    assert row.note in message


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("recall_cap@5", "write R(divisor=min)@5"),
        ("recall_cap_at_5", "write R(divisor=min)@5"),
        ("hole_at_20", "write Unjudged@20"),
        ("Hole@20", "write Unjudged@20"),
        ("mapk@7", "write AP(divisor=min)@7"),
        ("NCRR@20", "write nDCG(discount=reciprocal)@20"),
        ("hole_at_k", "write Unjudged@10"),
    ],
)
def test_the_line_has_the_cutoff_that_was_asked(name: str, line: str) -> None:
    with pytest.raises(ValueError, match=re.escape(line)):
        parse_measures(name)


def test_a_name_with_two_meanings_names_both() -> None:
    with pytest.raises(ValueError, match="2 meanings") as caught:
        parse_measures("ARP")
    message = str(caught.value)
    for part in ("TensorFlow Ranking", "average relevance position", "RecTools", "Popularity@10"):
        assert part in message


def test_no_row_refuses_a_spelling_of_ours() -> None:
    stems = {row.name.partition("@")[0].lower().replace("-", "_") for row in REFUSED}
    assert stems & FAMILIES.keys() == set()
