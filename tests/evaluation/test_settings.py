"""Evaluations know the settings that they were given, through every door and every form."""

import copy
import functools
import json
import math
import pickle
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import rankgain as rg

NAMES = ["nDCG@2", "AP", "AUC", "RBP", "ERR", "F1@2", "R@2"]
LABELS, SCORES = [[0, 2, 1], [0, 0, 0], [1, 0, 3]], [[0.1, 0.9, 0.4], [3.0, 1.0, 2.0], [1.0] * 3]
NAN = float("nan")


class Word(str):
    def __str__(self) -> str:  # as an Enum of text has it
        return "Word.BEST"


def cubes(labels: Any) -> Any:
    return labels**3


class Cubes:
    """Callable, and without a name of its own."""

    def __call__(self, labels: Any) -> Any:
        return labels**3


def evaluated(names: Any = NAMES, **given: Any) -> rg.Evaluation:
    return rg.evaluate_arrays(LABELS, SCORES, names, **given)


# What is given beside what is kept of it.
GIVEN: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"gain": "exp2"}, {"gain": "exp2"}),
    ({"gain": {2.0: np.float32(3), 1: 1, 3: Fraction(15, 2)}}, {"gain": {1: 1, 2: 3, 3: 7.5}}),
    ({"gain": np.array([0, 1, 3, 7.5])}, {"gain": [0, 1, 3, 7.5]}),
    ({"gain": cubes}, {"gain": f"{__name__}.cubes"}),
    ({"gain": np.exp2}, {"gain": "numpy.exp2"}),
    ({"gain": Cubes()}, {"gain": f"{__name__}.Cubes"}),
    ({"gain": functools.partial(np.power, 3)}, {"gain": "numpy.power(3)"}),
    ({"discount": (1, 0.5, 0.25)}, {"discount": [1, 0.5, 0.25]}),
    ({"discount": "log", "log_base": 3}, {"discount": "log", "log_base": 3}),
    ({"ties": "random", "seed": np.uint64(2**64 - 1)}, {"ties": "random", "seed": 2**64 - 1}),
    ({"ties": np.str_("worst")}, {"ties": "worst"}),
    ({"rel": np.float64(2.0)}, {"rel": 2}),
    ({"rel": 1.5}, {"rel": 1.5}),
    ({"divisor": "min"}, {"divisor": "min"}),
    ({"beta": 2, "p": 0.5, "max_label": 3.0}, {"beta": 2, "p": 0.5, "max_label": 3}),
    ({"empty": "skip"}, {"empty": "skip"}),
    ({"empty": NAN}, {"empty": math.nan}),
    ({"empty": -math.inf}, {"empty": -math.inf}),
]


@pytest.mark.parametrize(("given", "kept"), GIVEN, ids=lambda one: ",".join(one))
def test_settings_go_through_every_form(given: Any, kept: Any, tmp_path: Any) -> None:
    result = evaluated(**given)
    assert [result.settings] == [kept]
    result.to_json(tmp_path / "one.json")
    rg.Evaluations({"a": result}).to_json(tmp_path / "two.json")
    same = [
        rg.Evaluation.read(tmp_path / "one.json"),
        rg.Evaluations.read(tmp_path / "two.json")["a"],
        pickle.loads(pickle.dumps(result)),
        copy.deepcopy(result),
        rg.Evaluation.merge([result]),
        evaluated(**given),
    ]
    for one in same:
        assert [one.settings] == [kept]
        assert json.dumps(one.settings) == json.dumps(result.settings)
        assert one == result
    assert [rg.Evaluation.merge([result, result]).settings] == [kept]
    assert [result.by(["x", "y", "x"])["x"].settings] == [kept]


@pytest.mark.parametrize("convention", ["rankgain", "trec", "sklearn", "xgboost", "gdeval"])
def test_a_default_that_is_given_is_none(convention: str) -> None:
    rules = rg.conventions[convention]
    call: Any = {"convention": convention, "ids": [["a", "b", "c"]] * 3}
    nothing = evaluated(["nDCG@2"], **call)
    for name in ("gain", "discount", "log_base", "seed"):
        value = 0 if name == "seed" else getattr(rules, name)
        given = evaluated(["nDCG@2"], **call, **{name: value})
        assert given.settings == {}, name
        assert len(rg.Evaluation.merge([nothing, given])) == 2 * len(nothing)


def test_defaults_differ_between_measures() -> None:
    assert evaluated(["nDCG", "AP"], empty=0).settings == {}
    assert evaluated(["AUC"], empty="skip").settings == {}
    assert evaluated(["nDCG", "AUC"], empty=0).settings == {"empty": 0}
    assert evaluated(["nDCG", "AUC"], empty="skip").settings == {"empty": "skip"}
    assert evaluated(["RBP"], gain="binary").settings == {}
    assert evaluated(["RBP"], gain="linear").settings == {"gain": "linear"}
    assert evaluated(["nDCG", "RBP"], gain="linear").settings == {"gain": "linear"}
    assert evaluated(["R@2"], divisor="relevant").settings == {}
    assert evaluated(["R@2", "AP"], divisor="relevant").settings == {}
    assert evaluated(["P@2", "R@2"], divisor="min").settings == {"divisor": "min"}


def test_what_no_measure_looks_at_is_no_setting() -> None:
    assert evaluated(seed=5).settings == {}
    assert evaluated(log_base=3).settings == {}
    assert evaluated(["nDCG(gain=exp2)@2"], gain="linear").settings == {}
    assert evaluated(["nDCG(ties=random)@2"], seed=5).settings == {"seed": 5}


def test_a_strict_convention_tells_its_own_rel_from_one_that_is_given() -> None:
    strict = rg.Convention("strict", rel=1.0, rel_strict=True)
    assert evaluated(["AP"], convention=strict, rel=1).settings == {"rel": 1}
    assert evaluated(["AP"], convention=strict).settings == {}


def test_tables_are_compared_by_what_they_hold() -> None:
    rules = rg.Convention("graded", gain={1: 1, 2: 3, 3: 7})
    given = {3: 7.0, 2: np.int8(3), 1.0: 1}
    assert evaluated(["nDCG"], convention=rules, gain=given).settings == {}
    assert evaluated(["nDCG"], convention=rules, gain={**given, 2: 4}).settings != {}


def test_qrels_and_runs_whose_measures_are_read_apart() -> None:
    qrels = {"q": {"a": 1, "b": 0}, "r": {"c": 2}}
    run = {"q": {"a": 1.0, "b": 1.0}, "r": {"c": 1.0, "x": 2.0}}
    names = ["nDCG", "AP(ties=average)", "P(judged_only=true)@2"]
    assert rg.evaluate(qrels, run, names).settings == {}
    for given in ({"ties": "average"}, {"rel": 2}, {"gain": "exp2", "rel": 2}):
        for requested in (names, ["nDCG", "AP"]):
            result: rg.Evaluation = rg.evaluate(qrels, run, requested, **given)  # type: ignore[arg-type]
            assert result.settings == given
            assert rg.evaluate_runs(qrels, {"a": run}, requested, **given)["a"].settings == given
    for name, kept in (("RBP", {"gain": "linear"}), ("nDCG", {}), ("RBP", {"gain": "linear"})):
        assert rg.evaluate(qrels, run, name, gain="linear").settings == kept
    # "trec" says so itself, and what it says is not what one group of the measures is read with
    assert rg.evaluate(qrels, run, names, ties="id_descending").settings == {}
    assert rg.evaluate(qrels, run, names, judged_only=True, rel=2).settings == {"rel": 2}


def test_every_door_says_what_it_was_given() -> None:
    scores, relevant = np.array([[0.9, 0.1, 0.5], [0.2, 0.8, 0.4]]), [[2], [1]]
    given: Any = {"divisor": "min", "empty": "skip"}
    partial = rg.PartialRanks([1, 1], [0.5, 0.5], [1, 2])
    partial.add([1, 1], [0.5, 0.5])
    models = {"a": SCORES}
    for result in (
        rg.evaluate_ids([[2, 0], [0, 1]], relevant, "P@2", **given),
        rg.evaluate_ids([["c", "a"]], [["c"]], "P@2", **given),
        rg.evaluate_ids({"q": ["a", "c"]}, {"q": ["b"]}, "P@2", **given),
        rg.evaluate_scores(lambda users: scores[users], relevant, "P@2", **given),
        rg.evaluate_factors(np.eye(2), np.ones((3, 2)), relevant, "P@2", **given),
        rg.evaluate_models(LABELS, models, "P@2", **given)["a"],
        partial.finish("P@2", **given),
    ):
        assert result.settings == given


def test_tables_and_streams_say_what_they_were_given(tmp_path: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    pytest.importorskip("narwhals")
    from pyarrow import parquet

    table = pyarrow.table({"u": [1, 1, 2], "l": [1, 0, 2], "s": [0.5, 0.9, 0.5]})
    parquet.write_table(table, tmp_path / "rows.parquet")
    columns = {"query": "u", "label": "l", "score": "s"}
    for source in (table, tmp_path / "rows.parquet"):
        assert rg.evaluate_frame(source, "AP", **columns, rel=2).settings == {"rel": 2}
        for order in ("sorted", "any"):
            for given in ({"rel": 2}, {"gain": [0, 1, 3]}):
                name = "AP" if "rel" in given else "nDCG"
                result = rg.evaluate_batches(source, name, order=order, **columns, **given)  # type: ignore[arg-type]
                assert result.settings == given


def test_settings_cannot_be_changed() -> None:
    result = evaluated("nDCG", gain={1: 3, 2: 4, 3: 5}, discount=[1, 0.5, 0.25])
    changes: list[Any] = [
        lambda: result.settings.__setitem__("gain", "linear"),
        lambda: result.settings["gain"].pop(1),
        lambda: result.settings["discount"].append(0.1),
        lambda: result.settings["discount"].__setitem__(0, 2),
        lambda: result.settings["discount"].sort(),
    ]
    for change in changes:
        with pytest.raises(TypeError, match="results are immutable"):
            change()
    for same in (pickle.loads(pickle.dumps(result.settings)), copy.deepcopy(result.settings)):
        assert same == result.settings
    with pytest.raises(AttributeError, match="immutable"):
        result.settings = {}  # type: ignore[misc]
    assert result.settings == {"gain": {1: 3, 2: 4, 3: 5}, "discount": [1, 0.5, 0.25]}


def test_settings_are_part_of_what_is_equal() -> None:
    # no list is undefined for AP here, so both have the same values
    one, other = (rg.evaluate_arrays([[1, 0]], None, "AP", empty=empty) for empty in (0, "skip"))
    assert one.to_dict() == other.to_dict()
    assert one != other
    assert one == rg.evaluate_arrays([[1, 0]], None, "AP", empty=0.0)


def test_files_and_pickles_from_before_have_none(tmp_path: Any) -> None:
    result = evaluated(gain="exp2")
    data = json.loads(str(result.to_json()))
    assert data.pop("settings") == {"gain": "exp2"}
    (tmp_path / "old.json").write_text(json.dumps(data))
    assert rg.Evaluation.read(tmp_path / "old.json").settings == {}
    build, (values,) = result.__reduce__()
    del values["settings"]
    assert build(values).settings == {}
    assert "settings" not in json.loads(str(evaluated().to_json()))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (3, "an object is wanted, not 3"),
        ({"gain": {"x": 1}}, "gain: a number is wanted, not 'x'"),
        ({"gain": {"1": [1]}}, r"gain: a number is wanted, not \[1\]"),
        ({"discount": [1, True]}, "discount: a number is wanted, not True"),
    ],
)
def test_damaged_settings_are_refused(settings: Any, words: str, tmp_path: Any) -> None:
    data = json.loads(str(evaluated().to_json())) | {"settings": settings}
    (tmp_path / "one.json").write_text(json.dumps(data))
    with pytest.raises(ValueError, match=f"rankgain wrote: settings[,:] {words}"):
        rg.Evaluation.read(tmp_path / "one.json")


def test_settings_of_ones_own() -> None:
    given: Any = {"rel": np.float32(2), "x": NAN, "ties": Word("best")}
    own = rg.Evaluation({"AP": 1.0}, {"AP": [1.0]}, ["q"], settings=given)
    assert [own.settings] == [{"rel": 2, "x": math.nan, "ties": "best"}]
    assert type(own.settings["ties"]) is str
    wrong: Any = {"rel": object()}
    with pytest.raises(TypeError, match=r"settings\['rel'\] is <object .*; give a word, a number"):
        rg.Evaluation({"AP": 1.0}, {"AP": [1.0]}, ["q"], settings=wrong)


def test_settings_that_are_no_mapping_are_refused() -> None:
    with pytest.raises(TypeError, match="settings must be a mapping of argument -> value, not 3"):
        rg.Evaluation({"AP": 1.0}, {"AP": [1.0]}, ["q"], settings=3)  # type: ignore[arg-type]
