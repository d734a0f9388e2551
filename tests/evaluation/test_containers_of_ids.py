"""Ids in every container, in every function that takes them: the values of the oracle."""

from typing import Any

import numpy as np
import pytest

import rankgain as rg
import reference
from containers import BY_USER, CAN_BE_FILLED, FORMS, KINDS, UNIQUE, Rows, filled
from pairwise import Row, name_of, rows_of
from sampling import sampled

pytestmark = pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
WIDTH = 6
MEASURES: dict[str, Any] = {
    "P(divisor=min)@4": lambda result, pool: reference.precision(
        result, judged=pool, k=4, divisor="min"
    ),
    "R@4": lambda result, pool: reference.recall(result, judged=pool, k=4),
    "AP": lambda result, pool: reference.average_precision(result, judged=pool),
    "nDCG@5": lambda result, pool: reference.ndcg(result, judged=pool, k=5),
    "RR": lambda result, pool: reference.reciprocal_rank(result, judged=pool),
}
AXES: dict[str, list[Any]] = {
    "retrieved": list(FORMS),
    "relevant": [*FORMS, "sets", "dicts"],
    "kind": list(KINDS),
    "filled": [False, True],
    "duplicates": ["raise", "first", "in_place"],
    "excluded": [None, "lists", "arrays", "sets"],
    "gains": [False, True],
}


def allowed(row: Row) -> bool:
    users = [row[side] in BY_USER for side in ("retrieved", "relevant")]
    unordered = row["relevant"] in ("sets", "dicts", *UNIQUE)
    if users[0] != users[1] and row["relevant"] not in ("sets", "dicts"):
        return False
    if users[0] and (row["excluded"] or unordered):
        return False
    if row["gains"] and (unordered or users[1] or "gener" in row["relevant"]):
        return False
    if row["filled"] and row["kind"] not in CAN_BE_FILLED:
        return False
    if row["retrieved"] in UNIQUE and (row["filled"] or row["duplicates"] != "raise"):
        return False
    return not (row["relevant"] in UNIQUE and row["filled"])


def draw(row: Row) -> tuple[Rows, Rows, Rows]:
    """Retrieved, relevant and excluded ids; of one length where rows are not filled."""
    rng = np.random.default_rng(sum(map(ord, str(row))))
    make = KINDS[row["kind"]]
    sides = []
    for most in (WIDTH, 4, 2):
        sizes = rng.integers(0, most + 1, 9) if row["filled"] else np.full(9, most)
        sides.append([[make(i) for i in rng.permutation(12)[:n].tolist()] for n in sizes])
    if row["duplicates"] != "raise":
        for ids in sides[0]:
            if len(ids) > 2:
                ids[-1], ids[1] = ids[0], ids[2]
    return sides[0], sides[1], sides[2]


def placed(ids: Rows, form: str, row: Row, width: int) -> Any:
    rows = filled(ids, width) if row["filled"] else ids
    if form == "sets":
        return [set(one) for one in rows]
    if form == "dicts":
        return [dict.fromkeys(one, 1) for one in ids]
    return FORMS[form](rows)


def expected(row: Row, sides: tuple[Rows, Rows, Rows]) -> dict[str, list[float]]:
    values: dict[str, list[float]] = {name: [] for name in MEASURES}
    for ids, wanted, out in zip(*sides, strict=True):
        labels = {one: 1 + (i % 3 if row["gains"] else 0) for i, one in enumerate(wanted)}
        gone = set(out) if row["excluded"] else set()
        labels = {one: label for one, label in labels.items() if one not in gone}
        ids = [one for one in ids if one not in gone]
        if row["duplicates"] == "first":
            ids = list(dict.fromkeys(ids))
        again = [one in ids[:at] for at, one in enumerate(ids)]
        result = [0 if twice else labels.get(one, 0) for one, twice in zip(ids, again, strict=True)]
        for name, measure in MEASURES.items():
            value = measure(result, list(labels.values()))
            values[name].append(0.0 if value is None else float(value))
    return values


@pytest.mark.parametrize("row", sampled(rows_of(AXES, allowed), one_in=2), ids=name_of)
def test_evaluate_ids(row: Row) -> None:
    sides = draw(row)
    options: dict[str, Any] = {"duplicates": row["duplicates"]}
    if row["excluded"]:
        options["exclude"] = placed(sides[2], row["excluded"], row, 2)
    if row["gains"]:
        width = 4 if row["filled"] else 0
        options["gains"] = [[1 + i % 3 for i in range(max(len(one), width))] for one in sides[1]]
    retrieved = placed(sides[0], row["retrieved"], row, WIDTH)
    relevant = placed(sides[1], row["relevant"], row, 4)
    result = rg.evaluate_ids(retrieved, relevant, list(MEASURES), **options)
    for name, values in expected(row, sides).items():
        np.testing.assert_allclose(result.per_query[name], values, rtol=1e-14, err_msg=name)


def test_minus_one_is_an_id_among_negative_ones() -> None:
    for form in ("lists", "an array", "arrays", "a tensor", "by user"):
        retrieved, relevant = FORMS[form]([[-3, -1], [5, -1]]), FORMS[form]([[-1], [-2]])
        assert rg.evaluate_ids(retrieved, relevant, "RR").per_query["RR"].tolist() == [0.5, 0.0]
        result = rg.evaluate_ids(retrieved, relevant, "P(divisor=min)@9").per_query
        assert result["P(divisor=min)@9"].tolist() == [0.5, 0.0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("form", [form for form in FORMS if form not in UNIQUE])
@pytest.mark.parametrize("side", ["retrieved", "relevant"])
def test_an_id_twice_is_refused_in_every_container(side: str, form: str, kind: str) -> None:
    make = KINDS[kind]
    once, twice = [[make(0), make(1), make(2)]] * 2, [[make(0), make(1), make(2)], [make(1)] * 3]
    sides = (twice, once) if side == "retrieved" else (once, twice)
    container = FORMS[form]
    result = rg.evaluate_ids(*map(container, sides), ["RR", "R"], duplicates="first")
    assert result["R"] == (2 / 3 if side == "retrieved" else 1.0)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("side", ["retrieved", "relevant", "exclude"])
def test_a_user_twice_in_an_index_is_refused(side: str, kind: str) -> None:
    make = KINDS[kind]
    series = pytest.importorskip("pandas").Series
    given: dict[str, Any] = {
        "retrieved": {"u": [make(0), make(1)]},
        "relevant": {"u": [make(1)]},
        "exclude": {"u": [make(2)]},
    }
    given[side] = series([[make(0)], [make(1)]], index=["u", "u"])
    with pytest.raises(ValueError, match=f"^{side} has the query 'u' twice; give one list each$"):
        rg.evaluate_ids(measures="RR", **given)


def test_tensors_of_one_id_are_no_ids() -> None:
    one = FORMS["a tensor"]([[1, 2]])
    with pytest.raises(TypeError, match=r"retrieved: list 0, position 0 is .*not Tensor"):
        rg.evaluate_ids([[cell for row in one for cell in row]], [["a"]], "RR")


def test_what_filled_a_row_that_became_a_set_is_no_id() -> None:
    for duplicates in ("raise", "first", "in_place"):
        for wanted in ([{3, -1}], {"u": {3, -1}}, [frozenset({3, -1})]):
            retrieved = [[3, 4]] if isinstance(wanted, list) else {"u": [3, 4]}
            result = rg.evaluate_ids(retrieved, wanted, "R", duplicates=duplicates)  # type: ignore[arg-type]
            assert result["R"] == 1.0
