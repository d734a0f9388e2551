"""`Evaluations.merge`: parts with the same systems over disjoint queries."""

import re

import numpy as np
import pytest

import rankgain as rg

pd = pytest.importorskip("pandas")
pytest.importorskip("narwhals")

MEASURES = ["nDCG@10", "RR", "AP"]


def frame(queries: range, systems: tuple[str, ...] = ("old", "new")) -> pd.DataFrame:
    rows = []
    for system in systems:
        for query in queries:
            random = np.random.default_rng([len(system), ord(system[0]), query])
            for place in range(5):
                label, score = int(random.integers(0, 3)), float(random.random())
                rows.append((system, f"q{query}", f"d{place}", label, score))
    return pd.DataFrame(rows, columns=["system", "query", "doc", "label", "score"])


def evaluate(queries: range, *systems: str, measures: object = MEASURES, **options: object):
    table = frame(queries, systems or ("old", "new"))
    return rg.evaluate_frame(table, measures, run="system", **options)


@pytest.mark.parametrize("turned", [False, True])
def test_a_missing_system_is_named(turned: bool) -> None:
    parts = [evaluate(range(3)), evaluate(range(3, 6), "old")]
    if turned:
        parts.reverse()
    lacks, has = (0, 1) if turned else (1, 0)
    message = f"parts[{lacks}] has no system 'new', which parts[{has}] has"
    with pytest.raises(ValueError, match=re.escape(message)):
        rg.Evaluations.merge(parts)


@pytest.mark.parametrize(("other", "message"), [
    ({"measures": "RR"}, "run 'old': measures of parts[0] and parts[1] differ"),
    ({"convention": "trec"}, "run 'old': convention of parts[0] and parts[1] differ"),
    ({"rel": 2}, "run 'old': "),
    ({"bounds": "ties"}, "run 'old': parts[1] has bounds"),
])  # fmt: skip
def test_what_differs_is_said_with_the_system(other: dict[str, object], message: str) -> None:
    parts = [evaluate(range(3)), evaluate(range(3, 6), **other)]
    with pytest.raises(ValueError, match=re.escape(message)):
        rg.Evaluations.merge(parts)


def test_a_query_of_two_parts_is_refused() -> None:
    with pytest.raises(
        ValueError, match=r"run 'old': query 'q2' is in parts\[0\] and in parts\[1\]"
    ):
        rg.Evaluations.merge([evaluate(range(3)), evaluate(range(2, 5))])


def test_a_convention_makes_the_means_again() -> None:
    parts = [evaluate(range(3)), evaluate(range(3, 6))]
    merged = rg.Evaluations.merge(parts, convention=rg.conventions["rankgain"])
    assert merged["old"] == evaluate(range(6))["old"]
    with pytest.raises(ValueError, match="run 'old': convention is 'trec'"):
        rg.Evaluations.merge(parts, convention=rg.conventions["trec"])


def test_other_types_are_refused_with_the_function_that_takes_them() -> None:
    several = evaluate(range(3))
    for merge, parts, message in (
        (rg.Evaluation.merge, [several], "Evaluations.merge merges them"),
        (rg.Evaluation.merge, several, "parts is Evaluations, whose evaluations are of several"),
        (rg.Evaluation.merge, dict(several), "parts is dict, whose evaluations are of several"),
        (rg.Evaluation.merge, [dict(several)], "parts[0] is dict, the evaluations of several"),
        (rg.Evaluations.merge, [several["old"]], "Evaluation.merge merges them"),
        (rg.Evaluations.merge, several, "sequence of Evaluations over different queries, not Eva"),
        (rg.Evaluations.merge, several["old"], "sequence of Evaluations over different queries"),
        (rg.Evaluations.merge, [several, dict(several)], "parts[1] must be Evaluations, not dict"),
        (rg.Evaluations.merge, 3, "sequence of Evaluations over different queries, not int"),
    ):
        with pytest.raises(TypeError, match=re.escape(message)):
            merge(parts)  # type: ignore[operator]
    with pytest.raises(ValueError, match="there are no parts to merge"):
        rg.Evaluations.merge([])
