"""Measure names: every spelling, the canonical print, and round trips."""

import contextlib
import copy
import json
import math
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgain as rg
import rankgain.measures  # registers the families
from rankgain.measures.families import FAMILIES
from rankgain.measures.measure import Measure, parse_measure, parse_measures

SPELLINGS = json.loads(Path(__file__).with_name("spellings.json").read_text(encoding="utf-8"))
CANONICAL, FOREIGN = SPELLINGS["canonical"], SPELLINGS["of tools"]


@pytest.mark.parametrize("name", CANONICAL)
def test_canonical_names_print_as_they_are_written(name: str) -> None:
    assert str(parse_measure(name)) == name


@pytest.mark.parametrize("name", FOREIGN)
def test_spellings_in_any_case(name: str) -> None:
    for spelled in (name, name.upper(), name.lower()):
        assert " ".join(map(str, parse_measures(spelled))) == FOREIGN[name]


def read_or_none(text: str) -> tuple[Measure, ...]:
    """The measures of a name; none where it is refused, with the whole name in the error."""
    with contextlib.suppress(ValueError):
        return parse_measures(text)
    with pytest.raises(ValueError, match=f"^measure {re.escape(repr(text))}: "):
        parse_measures(text)
    return ()


@pytest.mark.parametrize("name", [*CANONICAL, *FOREIGN])
def test_a_name_has_its_own_cutoff_whatever_was_read_before(name: str) -> None:
    """A cutoff after the name is the number itself: no other cutoff of that name changes it."""
    for text in (f"{name}@5", name.rpartition("@")[0] + "@5"):
        measures = read_or_none(text)
        for cut, k in (("7", 7), ("010", 10), (str(2**63 - 1), 2**63 - 1), ("5", 5)):
            again = read_or_none(f"{text.rpartition('@')[0]}@{cut}")
            assert len(again) == len(measures)
            for one, other in zip(again, measures, strict=True):
                assert (one.family, dict(one.params)) == (other.family, dict(other.params)) or (
                    "recall" in one.params
                )
                if other.k == 5 and "recall" not in one.params:
                    assert one == Measure(one.family, k=k, **one.params)
                    assert repr(one) == repr(Measure(one.family, k=k, **one.params))
        for cut in ("0", "00", "-1", str(2**63), "9" * 25, "\u0663"):
            if measures and all(one.k == 5 for one in measures):
                with pytest.raises(ValueError, match="invalid cutoff"):
                    parse_measures(f"{text.rpartition('@')[0]}@{cut}")


@pytest.mark.parametrize("name", CANONICAL)
def test_measures_are_immutable_values(name: str) -> None:
    measure = parse_measure(name)
    assert parse_measure(str(measure)) == measure
    for twin in (pickle.loads(pickle.dumps(measure)), copy.deepcopy(measure), copy.copy(measure)):
        assert twin == measure
        assert hash(twin) == hash(measure)
        assert repr(twin) == repr(measure)
    assert eval(repr(measure), {"Measure": Measure}) == measure
    assert ("k=" in repr(measure)) == (measure.k is not None)
    assert measure != name
    with pytest.raises(AttributeError, match="immutable"):
        measure.k = 3
    with pytest.raises(AttributeError, match="immutable"):
        del measure.k
    with pytest.raises(TypeError):
        measure.params["rel"] = 1  # type: ignore[index]


NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**70), 2**70)
VALUES: dict[str, st.SearchStrategy[object]] = {
    "gain": st.sampled_from(["linear", "exp2", "binary"])
    | st.dictionaries(st.integers(-5, 9) | st.floats(0, 9), NUMBERS, min_size=1, max_size=4),
    "discount": st.sampled_from(["log2", "log", "reciprocal"]),
    "log_base": st.floats(1.5, 1e300),
    "ties": st.sampled_from(["average", "stable", "id_descending"]),
    "rel": NUMBERS,
    "min_label": NUMBERS,
    "max_label": st.floats(1e-300, 1023),
    "divisor": st.just("min"),
    "seed": st.integers(0, 2**53),
    "recall": st.floats(0, 1),
    "beta": st.floats(0, 1e300),
    "p": st.floats(1e-300, 1, exclude_max=True),
    "per": st.sampled_from(["user", "item"]),
    "rank": st.sampled_from(["optimistic", "realistic", "pessimistic"]),
    "share": st.floats(0, 1, exclude_min=True),
    "decay": st.floats(0, 1, exclude_min=True, exclude_max=True),
    "weight": st.sampled_from(["documents", "positives"]),
    "alpha": st.floats(0, 1),
    "gamma": st.floats(0, 1),
    "judged_only": st.booleans(),
    "max_rel": st.floats(2, 1e300),
    "min_rel": st.floats(0, 1),
    "T": st.floats(1e-300, 1e300),
    "normalize": st.booleans(),
    "multiple": st.floats(1e-300, 1e300),
    "empty": NUMBERS | st.sampled_from(["nan", "skip", "raise", math.nan]),
}
CUTOFFS: dict[str, st.SearchStrategy[int | None]] = {
    "none": st.none(),
    "recall": st.none(),
    "multiple": st.none(),
    "required": st.integers(1, 2**63 - 1),
    "optional": st.none() | st.integers(1, 2**63 - 1),
}


@given(st.data())
def test_every_measure_reads_back_from_its_name(data: st.DataObject) -> None:
    row = FAMILIES[data.draw(st.sampled_from(sorted(FAMILIES)))]
    names = data.draw(st.sets(st.sampled_from(row.params))) if row.params else set()
    if row.cutoff in ("recall", "multiple"):
        names = names | {row.cutoff}
    names |= row.required.keys()
    if "rank" in names:  # which says how ties count
        names = names - {"ties", "seed", "per"}
    params = {name: data.draw(VALUES[name]) for name in names}
    k = None if "share" in names else data.draw(CUTOFFS[row.cutoff])
    measure = Measure(row.name, k=k, **params)
    assert list(measure.params) == [name for name in row.params if name in names]
    for text in (str(measure), str(measure).upper(), str(measure).lower()):
        again = parse_measure(text)
        assert again == measure
        assert (str(again), hash(again)) == (str(measure), hash(measure))
    assert repr(pickle.loads(pickle.dumps(measure))) == repr(measure)
    assert eval(repr(measure), {"Measure": Measure}) == measure


def test_reading_names_loads_nothing_heavy() -> None:
    code = (
        "import sys, rankgain.measures.measure as m;"
        "from rankgain.measures.families import Family, register; register(Family('X', '', ()));"
        "m.parse_measures('x_5'); assert 'difflib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_names_are_known_before_any_measure_was_used() -> None:
    code = (
        "import rankgain as rg, pickle;"
        "assert str(rg.parse_measure('map')) == 'AP'; assert rg.Measure('AP').family == 'AP'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
    one = pickle.dumps(Measure("AP"))
    code = f"import pickle; assert str(pickle.loads({one!r})) == 'AP'"
    subprocess.run([sys.executable, "-c", code], check=True)


# ---- names of C/W/L measures, of the cutoff R and of multiples of R


QRELS = {"q": {"a": 2, "b": 0, "c": 1, "d": 3}}
RUN = {"q": {"a": 5.0, "x": 4.0, "c": 3.0, "b": 2.0, "d": 1.0}}


def test_labels_above_max_rel_are_clipped_with_a_warning() -> None:
    with pytest.warns(rg.RankgainWarning, match="largest label is 3, above max_rel=2"):
        clipped = rg.evaluate(QRELS, RUN, "NERR8(max_rel=2)@5")
    lower = {"q": {document: min(label, 2) for document, label in QRELS["q"].items()}}
    assert rg.evaluate(lower, RUN, "NERR8(max_rel=2)@5").means == clipped.means
    rg.evaluate(QRELS, RUN, ["NERR8(max_rel=3)@5", "Q@5"])
    for limits in ((2, 3), (3, 2)):
        with pytest.warns(rg.RankgainWarning, match="above max_rel=2"):
            rg.evaluate(QRELS, RUN, [f"NERR8(max_rel={limit})@5" for limit in limits])
