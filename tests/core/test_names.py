"""Every shape and finish of the core has a branch of its own; a new one is refused until it has."""

import re

import numpy as np
import pytest

from places import ROOT
from rankgain import _core
from rankgain._core.ranking import plan
from rankgain.inputs.lists import raise_fault

CORE = ROOT / "src/rankgain/_core"
NEW = 1000  # a number that no name has
GAIN = _core.Gain("linear")
WEIGHTS = _core.Weights(np.ones(8))


def evaluate(shape: str, finish: str) -> object:
    """The flags, or the fault, of one list through a row of the core."""
    row = _core.PlanRow(
        shape, finish, GAIN, WEIGHTS, 1.0, 1.0, 2, judged=1.0, unit_weights=WEIGHTS, level=0.5
    )
    scores, labels = np.arange(4.0), _core.LabelArray(np.array([0.0, 1.0, 0.0, 1.0]))
    starts, stops, out = np.array([0]), np.array([4]), np.zeros((1, 1))
    return _core.evaluate(_core.Plan([row]), scores, labels, starts, stops, None, None, out, 0, 1)


@pytest.mark.parametrize("shape", sorted(plan.SHAPES))
def test_each_shape_has_a_walk(shape: str) -> None:
    assert evaluate(shape, "value") == 0


@pytest.mark.parametrize("finish", sorted(plan.FINISHES))
def test_each_finish_has_a_branch(finish: str) -> None:
    assert evaluate("above", finish) in (0, 1)


@pytest.mark.parametrize("table", ["SHAPES", "FINISHES"])
def test_a_new_name_is_refused(table: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(getattr(plan, table), "new", NEW)
    fault = evaluate("new", "value") if table == "SHAPES" else evaluate("count", "new")
    assert isinstance(fault, tuple), fault
    with pytest.raises(ValueError, match=f"{NEW}.*please report"):
        raise_fault(fault)


@pytest.mark.parametrize(
    ("enum", "table"), [("Shape", "SHAPES"), ("Finish", "FINISHES"), ("Ties", "TIES")]
)
def test_nothing_depends_on_the_order_of_names(enum: str, table: str) -> None:
    """No name is compared by < or >, whose answer another name in the list would change."""
    types = (CORE / "ranking/types.pxd").read_text(encoding="utf-8")
    body = re.search(rf"cdef enum {enum}:\n((?: .*\n)+)", types)
    assert body is not None
    names = set(re.findall(r"\b[A-Z][A-Z0-9_]*\b", re.sub("#.*", "", body[1])))
    # Every name has a word; two words may have one name.
    assert len(names) == len(set(getattr(plan, table).values()))
    for file in sorted([*CORE.rglob("*.pyx"), *CORE.rglob("*.pxd")]):
        text = file.read_text(encoding="utf-8")
        for left, right in re.findall(r"(\w+) (?:<|>|<=|>=) (\w+)", text):
            assert not {left, right} & names, f"{file.name}: {left}, {right}"
