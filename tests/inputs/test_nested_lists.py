"""Lists within lists: errors name only arguments of the function that was called."""

import inspect
import re

import numpy as np
import pytest

import rankgain as rg

ALS, POPULAR = [[1, 2, 3], [4, 5, 6]], [[1, 2, 3], [1, 2, 3]]
PAIRS = {"als": [[1, 2], [3, 4]], "pop": [[5, 6], [7, 8]]}
WORDS = "evaluate_catalogue evaluates one system: call it for each of them, or pass all to"


def error_of(call):
    with pytest.raises((TypeError, ValueError)) as caught:
        call()
    return str(caught.value)


@pytest.mark.parametrize("recommended", [
    {"als": ALS, "pop": POPULAR},
    PAIRS,
    {"als": [], "pop": POPULAR},
    {"als": np.array(ALS), "pop": np.array(POPULAR)},
    [ALS, POPULAR],
])  # fmt: skip
def test_evaluate_catalogue_says_how_several_systems_are_evaluated(recommended):
    words = error_of(lambda: rg.evaluate_catalogue(recommended, "Coverage", k=3, catalogue=10))
    assert WORDS in words
    assert "calls=" not in words


def test_the_two_ways_that_the_error_names_agree():
    systems = {"als": ALS, "pop": POPULAR}
    together = rg.evaluate_ids(systems, [[1], [2]], ["Coverage@3"], catalogue=10)
    for name, lists in systems.items():
        alone = rg.evaluate_catalogue(lists, "Coverage", k=3, catalogue=10)
        assert together[name].means["Coverage@3"] == alone.means["Coverage"]


def test_pairs_of_an_id_and_a_score_are_lists_of_one_system():
    recommended = {"u": [("a", 0.5), ("b", 0.4)], "v": [["c", 3], ["d", 2]]}
    result = rg.evaluate_catalogue(recommended, "Coverage", k=3, catalogue=8)
    assert result.means == {"Coverage": 0.5}


def test_searches_are_named_only_where_lists_may_be_searches():
    with_searches = [
        lambda: rg.evaluate_ids([[["a", "b"], ["c"]], [["d", "e"]]], [["a"], ["d"]], ["AP"]),
    ]
    without = [
        # A list beside an id is not a search, nor is one of relevant ids, or an id with its score.
        lambda: rg.evaluate_ids({"q": ["a", ["b"]]}, {"q": ["a"]}, ["AP"]),
        lambda: rg.evaluate_ids({"q": ["a"]}, {"q": ["a", ["b", "c"]]}, ["AP"]),
        lambda: rg.evaluate_ids({"q": ["a"], "r": [["b", 3]]}, {"q": ["a"], "r": ["b"]}, ["AP"]),
        lambda: rg.neighbor_recall([["a"], [["b"]]], [["a"], ["b"]], 1),
    ]
    for call in with_searches:
        assert 'for several searches of a query pass calls="in_order"' in error_of(call)
    for call in without:
        assert "calls=" not in error_of(call)


def test_errors_for_tables_name_only_arguments_of_the_function():
    pd = pytest.importorskip("pandas")
    pytest.importorskip("narwhals")
    repeated = pd.DataFrame({"user_id": [1, 1], "recs": [[1], [2]]})
    named = pd.DataFrame({"query": ["a", "b"], "found": ["c", "d"]})
    ignoring = rg.Truth([[1, 0], [0, -1]], ignore=-1)
    calls = [
        (rg.evaluate_catalogue, (repeated, "Coverage"), {"k": 1, "catalogue": 9}),
        (rg.evaluate_catalogue, ([[1]], "Serendipity"), {"k": 1, "baseline": repeated}),
        (rg.evaluate_catalogue, ([[1], [0]], "Serendipity"), {
            "k": 1, "baseline": [9], "relevant": ignoring,
        }),
        (rg.neighbor_recall, (named, [["a"], ["b"]], 1), {}),
    ]  # fmt: skip
    for function, arguments, options in calls:
        words = error_of(lambda: function(*arguments, **options))  # noqa: B023
        named_arguments = set(re.findall(r"(\w+)=", words)) - {"ignore"}  # which Truth has
        assert named_arguments <= set(inspect.signature(function).parameters), words
