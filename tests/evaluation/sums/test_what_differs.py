"""Parts that are not of one measure are refused, by `Evaluation.merge` and by an `Accumulator`."""

import json
import pickle
import re
from typing import Any

import numpy as np
import pytest

import rankgain as rg

LABELS, SCORES = [[0, 2, 1], [0, 0, 0]], [[0.1, 0.9, 0.4], [3.0, 1.0, 2.0]]
NAN = float("nan")
DEFAULT = "the convention's default"


def part(names: Any = "nDCG@2", labels: Any = LABELS, **given: Any) -> rg.Evaluation:
    """Of as many lists as there are rows of labels, none among them."""
    shape = len(labels), 3
    scores = np.array(SCORES[: shape[0]]).reshape(shape)
    return rg.evaluate_arrays(np.array(labels).reshape(shape), scores, names, **given)


def summed(*parts: Any, **drawn: Any) -> rg.Accumulator:
    total = rg.Accumulator(**drawn)
    for one in parts:
        total.add(one)
    return total


def cubes(labels: Any) -> Any:
    return labels**3


# Two calls whose values are of two measures, the setting, and what the error says of each.
OTHERS: list[tuple[str, Any, Any, str, str, str]] = [
    ("nDCG", {"gain": "exp2"}, {"gain": "linear"}, "gain", "'exp2'", DEFAULT),
    ("nDCG", {}, {"gain": "exp2"}, "gain", DEFAULT, "'exp2'"),
    ("nDCG", {"gain": "exp2"}, {"gain": dict(zip(range(60), range(60), strict=True))}, "gain",
     "'exp2'", "{0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8, 9: 9,..."),
    ("nDCG", {"gain": {1: 1, 2: 3}}, {"gain": {1: 1, 2: 4}}, "gain",
     "{1: 1, 2: 3}", "{1: 1, 2: 4}"),
    ("nDCG", {"gain": cubes}, {"gain": np.exp2}, "gain", f"'{__name__}.cubes'", "'numpy.exp2'"),
    ("nDCG", {"discount": [1, 0.5, 0.2]}, {"discount": [1, 0.5, 0]}, "discount",
     "[1, 0.5, 0.2]", "[1, 0.5, 0]"),
    ("nDCG", {"discount": "log", "log_base": 3}, {"discount": "log", "log_base": 4}, "log_base",
     "3", "4"),
    ("AP", {"rel": 2}, {"rel": 1.5}, "rel", "2", "1.5"),
    ("AP", {"ties": "worst"}, {"ties": "best"}, "ties", "'worst'", "'best'"),
    ("AP", {"ties": "random", "seed": 1}, {"ties": "random"}, "seed", "1", DEFAULT),
    ("AP", {"divisor": "min"}, {}, "divisor", "'min'", DEFAULT),
    ("F1", {"beta": 2}, {}, "beta", "2", DEFAULT),
    ("RBP", {"p": 0.5}, {"p": 0.9}, "p", "0.5", "0.9"),
    ("ERR", {"max_label": 2}, {"max_label": 3}, "max_label", "2", "3"),
    ("AP", {"empty": NAN}, {"empty": "skip"}, "empty", "nan", "'skip'"),
    ("nDCG", {"discount": np.ones(99)}, {"discount": np.repeat([1, 0], [88, 11])}, "discount",
     "a table with 1 at 88", "a table with 0 at 88"),
    ("nDCG", {"discount": np.ones(99)}, {"discount": np.ones(98)}, "discount",
     "a table with 1 at 98", "a table with nothing at 98"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "a", "b", "setting", "one", "other"), OTHERS)
def test_other_settings_are_refused(
    name: str, a: Any, b: Any, setting: str, one: str, other: str
) -> None:
    parts, empty = [part(name, **a), part(name, **b)], part(name, [])
    said = f"{one}, and {other}; evaluate all parts with the same {setting}="
    with pytest.raises(ValueError, match=re.escape(f"parts[1] and parts[2] differ: {said}")):
        rg.Evaluation.merge([empty, *parts])
    total, before = summed(parts[0]), summed(parts[0])
    for call, place in (
        (lambda: total.add(parts[1]), "what is added now"),
        (lambda: total.add({"a": parts[1]}), "what is added now"),
        (lambda: total.merge(summed(parts[1])), "the other accumulator"),
    ):
        words = f"{setting} of what was added before and {place} differ: {said}"
        with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
            call()
    with pytest.raises(ValueError, match=f"{setting} of what was added before and run 'b' differ"):
        rg.Accumulator().add({"a": parts[0], "b": parts[1]})
    assert total == before  # as it was
    total.add(parts[0])
    assert total.count == 4


def test_rows_of_arrow_are_refused_by_their_number() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    rows = [summed(part(gain=gain)).to_arrow() for gain in ("exp2", "exp2", "binary")]
    table = pyarrow.Table.from_batches(rows)
    with pytest.raises(ValueError, match="gain of what was added before and row 2 differ: 'exp2'"):
        rg.Accumulator.from_arrow(table)
    assert rg.Accumulator.from_arrow(table.slice(0, 2)).count == 4


def test_weights_beside_none_are_refused() -> None:
    weighted, plain = part(weight=[1.0, 2.0]), part()
    text = "evaluate all parts with weight=, or all without"
    with pytest.raises(ValueError, match=rf"parts\[2\] has no weights, others have; {text}"):
        rg.Evaluation.merge([part(labels=[]), weighted, plain])
    for one, other, has, lacks in (
        (weighted, plain, "weights", "no weights"),
        (plain, weighted, "no weights", "weights"),
    ):
        before = f"what was added before has {has}, but "
        with pytest.raises(ValueError, match=f"{before}what is added now has {lacks}; {text}"):
            summed(one, other)
        with pytest.raises(ValueError, match=f"{before}the other accumulator has {lacks}"):
            summed(one).merge(pickle.loads(pickle.dumps(summed(other))))
        with pytest.raises(ValueError, match=f"{before}run 'b' has {lacks}"):
            rg.Accumulator().add({"a": one, "b": other})
        # no list, no weight: nothing is known of it
        for order in ([part(labels=[]), one], [one, part(labels=[])]):
            assert summed(*order, one).count == 4
            assert summed(*order).to_dict()["rules"]["weighted"] is (one is weighted)
    nothing = rg.Accumulator.from_dict(summed(part(labels=[])).to_dict())
    assert nothing.merge(summed(plain)).count == 2


def test_undefined_lists_that_count_otherwise_are_refused() -> None:
    # two conventions of one name, as no setting says what undefined lists count
    rules = [rg.Convention("mine", empty=empty) for empty in (0, "skip", NAN)]
    defined = [part("AP", [[1, 0, 0]], convention=one) for one in rules]
    undefined = [part("AP", [[1, 0, 0], [0, 0, 0]], convention=one) for one in rules]
    remedy = "evaluate all parts with the same empty="
    words = ["count as 0", "are skipped", "count as nan"]
    for a in range(3):
        for b in range(3):
            pair = [undefined[a], undefined[b]]
            if a == b:
                assert summed(*pair).means.keys() == {"AP"}
                assert rg.Evaluation.merge(pair, convention=rules[a]).counts["undefined"]["AP"] == 2
                continue
            two = f"{words[a]}.* in parts\\[1\\] and {words[b]}.* in parts\\[2\\]; {remedy}"
            with pytest.raises(ValueError, match=f"AP: undefined lists {two}"):
                rg.Evaluation.merge([defined[a], *pair], convention=rules[a])
            two = f"{words[a]} in what was added before and {words[b]} in"
            with pytest.raises(ValueError, match=f"{two} what is added now; {remedy}"):
                summed(defined[b], *pair)
            with pytest.raises(ValueError, match=f"{two} the other accumulator"):
                summed(pair[0]).merge(pickle.loads(pickle.dumps(summed(pair[1]))))
            with pytest.raises(ValueError, match=f"{two} run 'b'"):
                rg.Accumulator().add({"a": pair[0], "b": pair[1]})


def test_what_undefined_lists_count_is_in_one_order() -> None:
    names = ["AP", "AUC"]
    parts = [part(names, [[0, 0, 0]]), part(names, [[1, 1, 1]]), part(names, [[1, 0, 0]])]
    result = [json.dumps(summed(*(parts[at] for at in order)).to_dict()) for order in
             ([0, 1, 2], [1, 0, 2], [2, 1, 0])]  # fmt: skip
    assert len(set(result)) == 1
    assert json.loads(result[0])["rules"]["undefined_as"] == {"AP": 0, "AUC": "skip"}


@pytest.mark.parametrize(
    "name", "convention version measures requested settings weighted undefined_as mean_rule".split()
)
def test_rules_that_lack_a_field_are_refused(name: str) -> None:
    data = summed(part(weight=[1.0, 2.0])).to_dict()
    del data["rules"][name]
    with pytest.raises(ValueError, match=f"rankgain wrote: rules: it lacks '{name}'"):
        rg.Accumulator.from_dict(data)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("settings", 3), ("settings", {"gain": ["x"]}), ("weighted", "no"), ("weighted", 1),
     ("undefined_as", [1]), ("undefined_as", {"AP": [None, "x"]})],
)  # fmt: skip
def test_damaged_rules_are_refused(name: str, wrong: Any) -> None:
    data = summed(part()).to_dict()
    data["rules"][name] = wrong
    with pytest.raises(ValueError, match="not an accumulator that rankgain wrote"):
        rg.Accumulator.from_dict(data)


def test_a_failed_merge_changes_nothing() -> None:
    total = summed(part("AP", [[1, 0, 0]]))
    data = summed(part("AP")).to_dict()
    data["cells"][0]["kind"] = "sum"
    before = total.to_dict()
    with pytest.raises(ValueError, match="do not merge"):
        total.merge(rg.Accumulator.from_dict(data))
    assert total.to_dict() == before


def test_a_stream_is_added_to_sums_of_the_same_settings() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"u": [1, 1, 2], "l": [1, 0, 2], "s": [0.5, 0.9, 0.5], "w": [1.0, 1, 2]})
    columns: Any = {"query": "u", "label": "l", "score": "s"}
    total = rg.evaluate_batches(table, "nDCG", gain="exp2", keep="sums", **columns)
    rg.evaluate_batches(table, "nDCG", gain="exp2", keep=total, **columns)
    assert total.count == 4
    for other in ({"gain": "linear"}, {"gain": "exp2", "weight": "w"}):
        with pytest.raises(ValueError, match=r"(gain|weights?).*the stream"):
            rg.evaluate_batches(table, "nDCG", keep=total, **columns, **other)
    assert total.count == 4
    nothing = table.slice(0, 0)  # which has no weights, nor lists without
    weighted = rg.evaluate_batches(table, "nDCG", keep="sums", weight="w", **columns)
    rg.evaluate_batches(nothing, "nDCG", keep=weighted, weight="w", **columns)
    assert weighted.count == 2
