"""Integer ids in each plain form, beside the same ids as text, with every option of the call."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rankgain as rg

RETRIEVED = [[7, 3, 12, 5, 9, 1], [4, 2, 11, 8, 6, 0], [10, 13, 1, 3, 2, 5]]
RELEVANT = [[12, 30, 7], [0, 31, 32], [13, 5, 33]]
MEASURES = ["nDCG@2", "RR", "R@3"]


def as_matrix(rows: Any) -> Any:
    return np.array(rows, np.int32)


def as_arrays(rows: Any) -> Any:
    return [np.array(row) for row in rows]


def as_lists(rows: Any) -> Any:
    return rows


def as_text(rows: Any) -> Any:
    return [[str(identifier) for identifier in row] for row in rows]


def first_items(form: Any) -> Any:
    return list(form([list(range(14))])[0])


FORMS = [as_matrix, as_arrays, as_lists]
Form = Callable[[Any], Any]


def outcome(form: Form, measures: Any = MEASURES, **options: Any) -> Any:
    """The values of a call, or the type of its error."""
    relevant = form(options.pop("relevant", RELEVANT))
    retrieved = form(options.pop("retrieved", RETRIEVED))
    options = {name: make(form) if callable(make) else make for name, make in options.items()}
    try:
        result = rg.evaluate_ids(retrieved, relevant, measures, **options)
    except (TypeError, ValueError) as error:
        return type(error)
    if isinstance(result, rg.Evaluation):
        return repr(result.to_dict()), repr(result.means)  # as text NaN equals NaN
    return {name: evaluation.to_dict() for name, evaluation in result.items()}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"threads": 2},
        {"weight": np.array([1.0, 5.0, 0.5])},
        {"bounds": "unjudged"},
        {"exclude": lambda form: form([[3, 7, 40], [4, 0, 41], [1, 3, 2]])},
        {"gains": [[1.0, 2.0, 3.0], [4.0, 1.0, 1.0], [2.0, 3.0, 1.0]]},
        {"duplicates": "first", "retrieved": [[7, 7, 12, 3], [4, 2, 4, 0], [1, 1, 5, 13]]},
        {"duplicates": "in_place", "retrieved": [[7, 7, 12, 3], [4, 2, 4, 0], [1, 1, 5, 13]]},
        {"systems": True},
        {"run": "system"},
        {"run": None},
        {"query": "user"},
        {"doc": "item"},
        {"relevant": RELEVANT[:2]},
        {"relevant": [[12, 30, 12], [0, 31, 32], [13, 5, 33]]},
        {"retrieved": [[7, 3, 3], [4, 2, 11], [10, 13, 1]]},
        {"convention": "sklearn"},
        {"measures": ["StRecall@2"]},
        {"measures": ["StRecall@2"], "relevant": [[12, 30]], "retrieved": [[30, 4]]},
        {"measures": ["nDCG@3", "Coverage@3"], "catalogue": first_items},
        {"measures": ["Coverage@3"], "catalogue": first_items},
        {"catalogue": 14},
    ],
)
def test_values_and_errors_are_those_of_text(form: Form, options: dict[str, Any]) -> None:
    assert outcome(form, **options) == outcome(as_text, **options)


@pytest.mark.parametrize("form", FORMS)
def test_exclusions_and_gains_may_be_read_once(form: Form) -> None:
    exclude, gains = [[7], [2], [10]], [[1.0, 2.0, 3.0], [4.0, 1.0, 1.0], [2.0, 3.0, 1.0]]
    sides = form(RETRIEVED), form(RELEVANT)
    expected = rg.evaluate_ids(*sides, MEASURES, exclude=exclude).to_dict()
    assert rg.evaluate_ids(*sides, MEASURES, exclude=iter(exclude)).to_dict() == expected
    expected = rg.evaluate_ids(*sides, MEASURES, gains=gains).to_dict()
    rows = iter(gains)
    assert rg.evaluate_ids(*sides, MEASURES, gains=rows).to_dict() == expected


@pytest.mark.parametrize("form", FORMS)
def test_chunks_are_ranked_as_documents(form: Form) -> None:
    retrieved = form([[70, 31, 72, 50], [40, 20, 41, 11]])
    relevant = form([[7, 5], [4, 9]])
    found = rg.evaluate_ids(retrieved, relevant, MEASURES, documents=lambda chunk: chunk // 10)
    expected = rg.evaluate_ids([[7, 3, 5], [4, 2, 1]], relevant, MEASURES)
    assert found.to_dict() == expected.to_dict()


@pytest.mark.parametrize("calls", ["in_order", "round_robin"])
def test_searches_are_joined(calls: Any) -> None:
    searches = [[[7, 3], [12, 7]], [[4, 2], [0, 1]]]
    found = rg.evaluate_ids(searches, RELEVANT[:2], MEASURES, calls=calls)
    joined = {"in_order": [[7, 3, 12], [4, 2, 0, 1]], "round_robin": [[7, 12, 3], [4, 0, 2, 1]]}
    expected = rg.evaluate_ids(joined[calls], RELEVANT[:2], MEASURES)
    assert found.to_dict() == expected.to_dict()


def test_ids_below_the_padding_are_ids() -> None:
    """Where an id is below -1, -1 is an id like others, wherever it stands."""
    for retrieved, relevant in [
        ([[-1, 5, -7], [3, -1, 4]], [[-7, 30, -1], [4, 31, 32]]),
        ([[5, -1, 9], [3, 4, 8]], [[-7, 9, 30], [4, 31, -1]]),
        ([[-7, -1, 9], [3, 4, 8]], [[1, -1, 9], [4, 31, 32]]),
    ]:
        found = outcome(as_lists, retrieved=retrieved, relevant=relevant)
        assert found == outcome(as_text, retrieved=retrieved, relevant=relevant)
        assert isinstance(found, tuple)


@pytest.mark.parametrize("form", FORMS)
def test_a_matrix_of_labels_is_refused(form: Form) -> None:
    with pytest.raises(ValueError, match="matrix of labels"):
        rg.evaluate_ids(form(RETRIEVED), form([[0, 1, 1], [1, 0, 0], [1, 1, 0]]), MEASURES)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "relevant",
    [
        [[0, 1], [1, 0], [1, -1]],
        [[0, 1], [1, 0], [0, 1]],
        [[0, 1, -1], [1, 0, -1], [1, -1, -1]],
        [[0, 1, 2], [1, 0, 2], [0, 1, 3]],
    ],
)
def test_ids_0_and_1_are_ids(form: Form, relevant: list[list[int]]) -> None:
    ids = [[identifier for identifier in row if identifier >= 0] for row in relevant]
    assert outcome(form, relevant=relevant) == outcome(as_text, relevant=ids)


def test_rows_of_0_and_1_of_different_lengths_are_no_matrix() -> None:
    relevant = [[0, 1], [1], [0]]
    for form in (as_arrays, as_lists):
        assert outcome(form, relevant=relevant) == outcome(as_text, relevant=relevant)
    with pytest.raises(ValueError, match="twice"):
        rg.evaluate_ids(RETRIEVED, [[0, 1, 1], [1], [0]], MEASURES)


@pytest.mark.parametrize("form", FORMS)
def test_rankings_are_given_once(form: Form) -> None:
    with pytest.raises(TypeError, match="twice"):
        rg.evaluate_ids(form(RETRIEVED), form(RELEVANT), MEASURES, retrieved=form(RETRIEVED))


@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.uint8, np.uint32, np.uint64, ">i4", ">i8"])
def test_every_integer_dtype(dtype: Any) -> None:
    expected = outcome(as_lists)
    assert outcome(lambda rows: np.array(rows, dtype)) == expected
    assert outcome(lambda rows: [np.array(row, dtype) for row in rows]) == expected
    assert outcome(lambda rows: np.asfortranarray(np.array(rows, dtype))) == expected


@pytest.mark.parametrize("wide", [2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1])
@pytest.mark.parametrize("form", FORMS)
def test_large_ids(form: Form, wide: int) -> None:
    def of_wide(rows: Any) -> Any:
        if form is as_matrix:
            return np.array(rows, np.int64)
        return form(rows)

    retrieved, relevant = [[3, wide, 5], [wide - 1, 8, wide]], [[wide, 6, 9], [wide, 7, 9]]
    assert outcome(of_wide, retrieved=retrieved, relevant=relevant) == outcome(
        as_text, retrieved=retrieved, relevant=relevant
    )


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("first", [0, 20, 36])
def test_a_repeat_behind_the_deepest_cutoff_is_refused(form: Form, first: int) -> None:
    rows = [list(range(40)), list(range(40))]
    rows[1][first + 3] = rows[1][first]
    with pytest.raises(ValueError, match=f"list 1, place {first + 3} has the id {first} a second"):
        rg.evaluate_ids(form(rows), form([[3, 50], [4, 51]]), "nDCG@2")


@pytest.mark.parametrize("form", FORMS)
def test_a_measure_of_ones_own_sees_the_whole_list(form: Form) -> None:
    def count_relevant(ranking: Any, k: int) -> float:
        return float(ranking.labels[k:].sum())

    below = rg.measure("below", count_relevant, cutoff=True)
    for width in (4, 40):
        retrieved, relevant = form([[*range(width)]] * 2), form([[width - 1], [1]])
        result = rg.evaluate_ids(retrieved, relevant, [below @ 2, "P@1"])
        assert result.per_query["below@2"].tolist() == [1.0, 0.0]


@pytest.mark.parametrize("form", FORMS)
def test_a_repeated_relevant_id_is_named(form: Form) -> None:
    relevant = [[12, 30, 7], [31, 0, 31], [13, 5, 33]]
    with pytest.raises(ValueError, match="relevant: list 1 has index 31 twice"):
        rg.evaluate_ids(form(RETRIEVED), form(relevant), MEASURES)
    relevant[1] = [0, 31, 31]
    with pytest.raises(ValueError, match="relevant: list 1 has index 31 twice"):
        rg.evaluate_ids(form(RETRIEVED), form(relevant), MEASURES)


@pytest.mark.parametrize("form", FORMS)
def test_lists_of_ids_are_no_searches(form: Form) -> None:
    with pytest.raises(TypeError, match="calls= needs a list"):
        rg.evaluate_ids(form(RETRIEVED), form(RELEVANT), MEASURES, calls="in_order")


@pytest.mark.parametrize("values", [[[1.0, 2.0], [3.0, 4.0]], [[True, False], [False, True]]])
def test_floats_and_flags_are_not_ids(values: Any) -> None:
    for rows in (values, np.array(values), [np.array(row) for row in values]):
        for sides in ((rows, [[1, 9], [0, 8]]), ([[1, 9], [0, 8]], rows)):
            with pytest.raises(TypeError):
                rg.evaluate_ids(*sides, "P@2")


@pytest.mark.parametrize("retrieved", [[[2**63 + 5, 7], [3, 1]], [[7, 2**64 - 1], [3, 1]]])
def test_ids_beyond_int64(retrieved: Any) -> None:
    relevant = [[2**63 + 5, 8, 2**64 - 1], [2**63 - 1, 4, 3]]
    expected = outcome(as_text, "P@2", retrieved=retrieved, relevant=relevant)
    for form in (
        lambda rows: np.array(rows, np.uint64),
        lambda rows: [np.array(row, np.uint64) for row in rows],
        as_lists,
    ):
        assert outcome(form, "P@2", retrieved=retrieved, relevant=relevant) == expected


def test_lists_without_ids() -> None:
    assert rg.evaluate_ids([], [], "RR").to_dict() == {0: {"RR": 0.0}}
    assert rg.evaluate_ids([], [3], "RR").to_dict() == {0: {"RR": 0.0}}
    with pytest.raises(TypeError, match="1-D array"):
        rg.evaluate_ids([], [[1], [3]], "RR")
    for empty in ([], np.zeros(0, np.int32), np.zeros(0)):
        result = rg.evaluate_ids([empty, empty], [[1], [2]], "RR")
        assert result.to_dict() == {0: {"RR": 0.0}, 1: {"RR": 0.0}}
        result = rg.evaluate_ids([[1], [2]], [empty, [2]], "RR")
        assert result.to_dict() == {0: {"RR": 0.0}, 1: {"RR": 1.0}}


def test_three_arrays_in_a_tuple_are_a_sparse_matrix() -> None:
    """Labels, columns and starts, not three lists."""
    triple = np.array([1, 2, 1]), np.array([12, 0, 13]), np.array([0, 1, 2, 3])
    found = rg.evaluate_ids(RETRIEVED, triple, MEASURES)
    expected = rg.evaluate_ids(RETRIEVED, [{12: 1}, {0: 2}, {13: 1}], MEASURES)
    assert found.to_dict() == expected.to_dict()


def test_labels_of_matches_in_long_rows() -> None:
    """Which relevant id a hit is matters where labels differ; hits of any depth then count."""
    rows = np.random.default_rng(3).permuted(np.tile(np.arange(60), (4, 1)), axis=1)
    labels = [{int(row[place]): 1.0 + place % 3 for place in (1, 30, 59)} for row in rows]
    found = rg.evaluate_ids(rows, labels, ["nDCG@2", "AP"])
    texts = [{str(key): label for key, label in row.items()} for row in labels]
    expected = rg.evaluate_ids(
        [[str(item) for item in row] for row in rows], texts, ["nDCG@2", "AP"]
    )
    assert found.to_dict() == expected.to_dict()


@pytest.mark.parametrize("relevant", [[[[1, 2], [3]], [[4]]], [([1, 2], [3]), ([4],)]])
def test_groups_in_lists_and_tuples(relevant: Any) -> None:
    found = rg.evaluate_ids([[1, 5, 3], [6, 4, 7]], relevant, "StRecall@2")
    assert found.to_dict() == {0: {"StRecall@2": 0.5}, 1: {"StRecall@2": 1.0}}
