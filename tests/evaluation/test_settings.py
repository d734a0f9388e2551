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


def test_settings_of_ones_own() -> None:
    given: Any = {"rel": np.float32(2), "x": NAN, "ties": Word("best")}
    own = rg.Evaluation({"AP": 1.0}, {"AP": [1.0]}, ["q"], settings=given)
    assert [own.settings] == [{"rel": 2, "x": math.nan, "ties": "best"}]
    assert type(own.settings["ties"]) is str
    wrong: Any = {"rel": object()}
    with pytest.raises(TypeError, match=r"settings\['rel'\] is <object .*; give a word, a number"):
        rg.Evaluation({"AP": 1.0}, {"AP": [1.0]}, ["q"], settings=wrong)
