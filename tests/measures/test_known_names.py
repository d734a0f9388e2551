"""Names of other tools: each row of the table holds, and an unknown name gets its row."""

import math
import re

import pytest

import rankgain as rg
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
    if not row.measure and "meanings" not in message:
        stem = row.name.partition("@")[0]
        assert message == f"measure {row.name!r}: {stem!r} is not a measure here: {row.note}"


# Labels 2, 0, -, 1 in rank order, and two more judged documents, of labels 1 and 1, that are not
# retrieved. The values are those of the tools' own definitions, by hand.
QRELS = {"q": {"a": 2, "b": 0, "d": 1, "e": 1, "f": 1}}
RUN = {"q": {"a": 4.0, "b": 3.0, "c": 2.0, "d": 1.0}}


@pytest.mark.parametrize(("name", "value"), [
    ("recall_cap@3", 1 / 3),  # of min(relevant, k)
    ("CalibratedRecall@3", 1 / 3),
    ("CalibratedPrecision@5", 2 / 4),  # of min(k, relevant)
    ("hole@3", 1 / 3),
    ("top_k_accuracy@3", 1.0),
    ("NCRR@4", (2 + 1 / 4) / (2 + 1 / 2 + 1 / 3 + 1 / 4)),
    ("nDCGRendle2020@3", 1 / (1 + 1 / math.log2(3) + 1 / 2)),  # whether relevant, not how much
    ("apk@3", 1 / 3),
    ("mapk@4", (1 + 2 / 4) / 4),
    ("context_precision", (1 + 2 / 4) / 2),  # of the relevant documents that are retrieved
    ("context_recall", 2 / 4),
    ("count_of_ranks", 4.0),
    ("MSnDCG@2", 2 / (2 + 1 / math.log2(3))),
    ("RetrievalPrecision@4", 2 / 4),
    ("RetrievalRecall@4", 2 / 4),
    ("RetrievalHitRate@1", 1.0),
    ("RetrievalRPrecision", 2 / 4),
    ("RetrievalMRR", 1.0),
    ("CMC@1", 1.0),
    ("dcg_score", 2 + 1 / math.log2(5)),
    ("QueryAUC", 0.5),  # of the pairs (a, b), (a, c), (d, b) and (d, c), two are in order
    ("average_precision_score", (1 + 2 / 4) / 4),
])  # fmt: skip
def test_the_line_has_the_value_of_the_tool(name: str, value: float) -> None:
    with pytest.raises(ValueError, match="write ") as caught:
        parse_measures(name)
    (line,) = re.findall(r"write (\S+?)(?:;|$| \()", str(caught.value))
    assert rg.evaluate(QRELS, RUN, line).means[line] == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize(("name", "written_out"), [
    ("Compat", "Compat(p=0.95)"),
    ("NERR10(max_rel=2)", "NERR10(max_rel=2,p=0.9)"),
    ("RBP", "RBP(p=0.8)"),
])  # fmt: skip
def test_a_parameter_that_is_not_given_has_the_default_of_the_tool(
    name: str, written_out: str
) -> None:
    short, full = (rg.evaluate(QRELS, RUN, line).means for line in (name, written_out))
    assert list(short.values()) == list(full.values())


def test_no_row_refuses_a_spelling_of_ours() -> None:
    stems = {row.name.partition("@")[0].lower().replace("-", "_") for row in REFUSED}
    assert stems & FAMILIES.keys() == set()
