"""A convention's own names and its cutoff reach the measures that they are for, and no others."""

import subprocess
import sys

import numpy as np
import pytest

import rankgain as rg
from places import DOCS

LABELS, SCORES = [[1, 0, 2, 0, 1, 0]], [[6.0, 5.0, 4.0, 3.0, 2.0, 1.0]]


def values(name: str, convention: object) -> dict[str, list[float]]:
    result = rg.evaluate_arrays(LABELS, SCORES, name, convention=convention)  # type: ignore[arg-type]
    return {one: column.tolist() for one, column in result.per_query.items()}


@pytest.mark.parametrize("name", ["Lift(share=0.5)", "Gain(share=0.5)"])
def test_a_share_is_the_cutoff_under_a_convention_with_one(name: str) -> None:
    two = rg.conventions["rankgain"].replace(k=2)
    assert values(name, two) == values(name, "rankgain")
    assert values("Lift", two) == {"Lift@2": values("Lift@2", "rankgain")["Lift@2"]}


def test_a_name_of_a_tool_is_for_its_own_measure() -> None:
    plain = rg.conventions["rankgain"]
    rules = plain.replace(names={"rbp": "RBP(gain=linear,p=0.9)"})
    assert values("rbp", rules) == values("RBP(gain=linear,p=0.9)", plain)
    for name in ("RBP", "RBPResidual(p=0.7)", "rbp_residual"):
        assert values(name, rules) == values(name, plain), name
    (result,) = values("rbp(p=0.5)", rules).values()
    (expected,) = values("RBP(gain=linear,p=0.5)", plain).values()
    np.testing.assert_array_equal(result, expected)
    # A cutoff of the convention is a part of what the name means, and the name stays a key.
    rules = rules.replace(k=2)
    cut = rg.evaluate_arrays([[1, 0, 1]], [[3, 1, 2]], ["rbp", "P", "P@1"], convention=rules)
    assert list(cut.means) == ["RBP(gain=linear,p=0.9)@2", "P@2", "P@1"]
    assert (cut["rbp"], cut["P"], cut["P@1"]) == (pytest.approx(0.19), 1.0, 1.0)


@pytest.mark.parametrize("convention", ["sentence_transformers", "beir", "mteb"])
@pytest.mark.parametrize("name", [
    "accuracy@2", "Accuracy@2", "accuracy_at_2", "accuracy_2", rg.Measure("Accuracy", k=2),
])  # fmt: skip
def test_accuracy_is_refused_where_a_tool_means_a_hit_rate(convention: str, name: object) -> None:
    rules = rg.conventions[convention]
    pattern = "'Accuracy@2' is not what the convention .* which is HitRate@2 here; write HitRate@2"
    changed = rules.replace(gain="exp2")
    for same in (convention, rules, changed):
        with pytest.raises(ValueError, match=pattern):
            rg.evaluate_ids([[1, 2], [3, 4]], [[2], [5]], ["P@2", name], convention=same)  # type: ignore[list-item]
        with pytest.raises(ValueError, match=pattern):
            rg.evaluate_arrays(LABELS, SCORES, name, convention=same)  # type: ignore[arg-type]
    assert values("Accuracy@2", "trec") == values("Accuracy@2", "rankgain")
    hits = rg.evaluate_ids([[1, 2], [3, 4]], [[2], [5]], "HitRate@2", convention=convention)
    assert hits["HitRate@2"] == 0.5


def test_a_name_that_means_another_measure_says_so_without_a_cutoff() -> None:
    with pytest.raises(ValueError, match=r"'Accuracy' .* write HitRate@10"):
        rg.evaluate_arrays(LABELS, SCORES, "Accuracy", convention="sentence_transformers")


SIX = ["0.9854", "0.8675", "0.8069", "0.6913", "0.6834", "0.6138"]


def test_the_page_is_up_to_date() -> None:
    command = [sys.executable, str(DOCS / "make_conventions.py"), "--check"]
    assert subprocess.run(command).returncode == 0, "run docs/make_conventions.py"


def test_one_tied_list_has_six_values() -> None:
    page = (DOCS / "reference" / "conventions.md").read_text(encoding="utf-8")
    part = page.split("## One list with equal scores, six values")[1].split("##")[0]
    values = [line.split("|")[1].strip() for line in part.splitlines() if line.startswith("| 0")]
    assert values == SIX
