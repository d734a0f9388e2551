"""Measure names: every spelling, the canonical print, round trips, and every error."""

import copy
import math
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgain.measures import (
    FAMILIES,
    Family,
    Measure,
    parse_measure,
    parse_measures,
    register,
)

GRADED = ("gain", "discount", "log_base", "ties", "rel", "min_label", "judged_only", "empty")
ROWS = [
    Family("CG", "cg", ("gain", "ties", "rel", "min_label", "judged_only", "empty")),
    Family("DCG", "dcg", GRADED, aliases=("dcg_burges(gain=exp2)",)),
    Family("IDCG", "idcg", GRADED, aliases=("ideal_dcg",)),
    Family("nDCG", "ndcg", GRADED, aliases=("ndcg_cut@required", "ndcg_burges(gain=exp2)")),
    Family(
        "AP",
        "average_precision",
        ("rel", "divisor", "ties", "judged_only", "empty"),
        aliases=("map", "map_cut@required", "averageprecision", "setap@none"),
        divisors=("relevant", "min", "hits"),
    ),
    Family(
        "RR",
        "reciprocal_rank",
        ("rel", "ties", "judged_only", "empty"),
        aliases=("mrr", "recip_rank", "reciprocalrank"),
    ),
    Family(
        "HitRate",
        "hit_rate",
        ("per", "rel", "ties", "judged_only", "empty"),
        aliases=("success@required",),
    ),
    Family(
        "P",
        "precision",
        ("rel", "divisor", "ties", "judged_only", "empty"),
        aliases=("pre", "precisionat", "set_p@none", "setp@none"),
        divisors=("k", "min"),
    ),
    Family(
        "R",
        "recall",
        ("rel", "divisor", "ties", "judged_only", "empty"),
        aliases=("recallat", "set_recall@none", "setr@none"),
        divisors=("relevant", "min"),
    ),
    Family(
        "F1",
        "f1",
        ("beta", "rel", "divisor", "ties", "judged_only", "empty"),
        aliases=("set_f@none", "setf@none"),
        divisors=("k", "min"),
    ),
    Family(
        "RPrec",
        "r_precision",
        ("rel", "ties", "judged_only", "empty"),
        cutoff="none",
        aliases=("rprecision",),
    ),
    Family("RBP", "rbp", ("p", "rel", "ties", "judged_only", "empty")),
    Family("ERR", "err", ("max_label", "ties", "judged_only", "empty")),
    Family("AUC", "auc", ("rel", "ties", "empty"), cutoff="none"),
]
for row in ROWS:
    if row.name.lower() not in FAMILIES:
        register(row)

CANONICAL = [
    "nDCG@10",
    "nDCG(gain=exp2)@10",
    "AP(rel=2)@100",
    "RR@10",
    "HitRate@5",
    "HitRate(per=item)@10",
    "P@5",
    "R@100",
    "F1@10",
    "RPrec",
    "RBP(p=0.8)",
    "ERR@20",
    "AUC",
    "DCG@10",
    "IDCG@10",
    "CG@10",
    "nDCG",
    "AP",
    "P",
    "R",
    "nDCG(gain={1:1,2:3})",
    "nDCG(empty=0)@5",
    "nDCG(min_label=2)@10",
    "AP(empty=nan)",
    "AP(empty=skip)",
    "AUC(empty=raise)",
    "F1(beta=0.5,divisor=min)@10",
    "ERR(max_label=3)@20",
    "DCG(discount=log,log_base=3)@10",
    "DCG(gain={-1:-0.5,0:0,1:2.5},discount=reciprocal,ties=worst)@7",
    "AP(judged_only=True)@10",
]

FOREIGN = {
    # trec_eval and pytrec_eval
    "ndcg": "nDCG",
    "ndcg_cut_10": "nDCG@10",
    "ndcg_cut.5,10": "nDCG@5 nDCG@10",
    "ndcg_cut_5,10": "nDCG@5 nDCG@10",
    "ndcg.1=3.5,2=9": "nDCG(gain={1:3.5,2:9})",
    "map": "AP",
    "map_cut_10": "AP@10",
    "map_cut.10": "AP@10",
    "recip_rank": "RR",
    "P_10": "P@10",
    "P.5,10": "P@5 P@10",
    "P": "P",
    "recall": "R",
    "recall_100": "R@100",
    "success_5": "HitRate@5",
    "success.1,5,10": "HitRate@1 HitRate@5 HitRate@10",
    "Rprec": "RPrec",
    "set_P": "P",
    "set_recall": "R",
    "set_F": "F1",
    "set_F.0.5": "F1(beta=0.5)",
    "dcg": "DCG",
    "ideal_dcg": "IDCG",
    "rbp": "RBP",
    "rbp.p=0.9": "RBP(p=0.9)",
    # ir_measures
    "nDCG(dcg='exp-log2')@10": "nDCG(gain=exp2)@10",
    'nDCG(dcg="exp-log2")@10': "nDCG(gain=exp2)@10",
    "nDCG(dcg='log2')@10": "nDCG(gain=linear)@10",
    "nDCG(gains={1:1,2:3})": "nDCG(gain={1:1,2:3})",
    "nDCG(gains={2: 3, 1: 1}, judged_only=True)@20": "nDCG(gain={1:1,2:3},judged_only=True)@20",
    "nDCG(cutoff=10)": "nDCG@10",
    "AP(rel=2)": "AP(rel=2)",
    "AP(rel=2)@100": "AP(rel=2)@100",
    "MAP@100": "AP@100",
    "Success@5": "HitRate@5",
    "Success(rel=2)@5": "HitRate(rel=2)@5",
    "R@100": "R@100",
    "Recall@100": "R@100",
    "RR@10": "RR@10",
    "MRR@10": "RR@10",
    "Precision@5": "P@5",
    "RPrec": "RPrec",
    "RBP(p=0.8)": "RBP(p=0.8)",
    "RBP(rel=1,p=0.8)@10": "RBP(p=0.8,rel=1)@10",
    "SetP": "P",
    "SetR": "R",
    "SetF(beta=2)": "F1(beta=2)",
    "SetAP": "AP",
    "ERR@20": "ERR@20",
    # ranx
    "hit_rate@5": "HitRate@5",
    "map@100": "AP@100",
    "map-l2": "AP(rel=2)",
    "recall@10-l2": "R(rel=2)@10",
    "ndcg@10-l2": "nDCG(min_label=2)@10",
    "ndcg_burges@10": "nDCG(gain=exp2)@10",
    "ndcg_burges@10-l2": "nDCG(gain=exp2,min_label=2)@10",
    "dcg_burges": "DCG(gain=exp2)",
    "rbp.95": "RBP(p=0.95)",
    "rbp.8": "RBP(p=0.8)",
    "rbp.95-l2": "RBP(p=0.95,rel=2)",
    "mrr@10": "RR@10",
    "precision@5": "P@5",
    "r-precision": "RPrec",
    "r-precision-l2": "RPrec(rel=2)",
    "f1@10": "F1@10",
    # MTEB
    "ndcg_at_10": "nDCG@10",
    "map_at_100": "AP@100",
    "recall_at_5": "R@5",
    "mrr_at_10": "RR@10",
    "precision_at_1": "P@1",
    "hit_rate_at_5": "HitRate@5",
    # XGBoost and LightGBM
    "ndcg@5": "nDCG@5",
    "ndcg@5-": "nDCG(empty=0)@5",
    "ndcg-": "nDCG(empty=0)",
    "map@10-": "AP(empty=0)@10",
    "pre@5": "P@5",
    "auc": "AUC",
    # CatBoost
    "NDCG:top=5;type=Exp": "nDCG(gain=exp2)@5",
    "NDCG:top=5;type=Base": "nDCG(gain=linear)@5",
    "NDCG:type=Exp": "nDCG(gain=exp2)",
    "NDCG:top=-1": "nDCG",
    "NDCG:top=5;denominator=Position": "nDCG(discount=reciprocal)@5",
    "DCG:top=10;type=Exp;denominator=LogPosition": "DCG(gain=exp2,discount=log2)@10",
    "MAP:top=10": "AP@10",
    "MRR:top=5": "RR@5",
    "PrecisionAt:top=5": "P@5",
    "RecallAt:top=5": "R@5",
    "DCG:top=10": "DCG@10",
    "ERR:top=10": "ERR@10",
    # the functions' names, blanks
    "average_precision@10": "AP@10",
    "reciprocal_rank": "RR",
    "r_precision": "RPrec",
    " nDCG ( gain = exp2 ) @ 10 ": "nDCG(gain=exp2)@10",
    "AP(empty=NaN)": "AP(empty=nan)",
    "AP(rel=2.0)": "AP(rel=2)",
    "AP()": "AP",
}


@pytest.mark.parametrize("name", CANONICAL)
def test_canonical_names_print_as_they_are_written(name: str) -> None:
    assert str(parse_measure(name)) == name


@pytest.mark.parametrize("name", FOREIGN)
def test_spellings_in_any_case(name: str) -> None:
    for spelled in (name, name.upper(), name.lower()):
        assert " ".join(map(str, parse_measures(spelled))) == FOREIGN[name]


@pytest.mark.parametrize("name", CANONICAL)
def test_measures_are_immutable_values(name: str) -> None:
    measure = parse_measure(name)
    assert parse_measure(str(measure)) == measure
    for twin in (pickle.loads(pickle.dumps(measure)), copy.deepcopy(measure), copy.copy(measure)):
        assert twin == measure
        assert hash(twin) == hash(measure)
        assert repr(twin) == repr(measure)
    assert eval(repr(measure), {"Measure": Measure}) == measure
    assert measure != name
    with pytest.raises(AttributeError, match="immutable"):
        measure.k = 3
    with pytest.raises(AttributeError, match="immutable"):
        del measure.k
    with pytest.raises(TypeError):
        measure.params["rel"] = 1  # type: ignore[index]


def test_parts_of_a_measure() -> None:
    measure = parse_measure("nDCG(empty=nan, gain={2:3.5, 1:1}, rel=2.0)@10")
    assert (measure.family, measure.k) == ("nDCG", 10)
    assert list(measure.params) == ["gain", "rel", "empty"]
    assert measure.params["gain"] == {1: 1, 2: 3.5}
    assert type(measure.params["rel"]) is int
    assert math.isnan(float(str(measure.params["empty"])))
    assert repr(measure) == "Measure('nDCG', k=10, gain={1: 1, 2: 3.5}, rel=2, empty='nan')"


def test_a_measure_is_made_from_numbers_of_any_kind() -> None:
    assert Measure("ndcg", k=np.int64(10), gain={np.int64(1): np.float32(2)}) == parse_measure(
        "nDCG(gain={1:2})@10"
    )
    assert (
        Measure("AP", empty=math.nan)
        == Measure("AP", empty="nan")
        == parse_measure("AP(empty=NAN)")
    )
    assert Measure("AP", rel=2.0) == Measure("AP", rel=2) != Measure("AP", rel=2, k=5)
    assert Measure("nDCG", gain="linear") != Measure("nDCG")


def test_collections_keep_the_order_asked_and_each_measure_once() -> None:
    asked: list[str | Measure] = ["P@5", Measure("nDCG", k=5), "ndcg_cut.5,10", "map", "AP", "p_5"]
    assert list(map(str, parse_measures(asked))) == ["P@5", "nDCG@5", "nDCG@10", "AP"]
    assert parse_measures(iter(asked)) == parse_measures(tuple(asked)) == parse_measures(asked)
    assert parse_measures("P.5,5") == parse_measures(Measure("P", k=5)) == (Measure("P", k=5),)
    assert list(map(str, parse_measures({"map", "ndcg", "P_5"}))) == ["AP", "P@5", "nDCG"]


ERRORS = {
    "nDCG@0": r"k must be a whole number of at least 1 .*not '0'",
    "nDCG@-1": r"k must be .*not '-1'",
    "nDCG@1.5": r"k must be .*not '1\.5'",
    "nDCG@True": r"k must be .*not 'True'",
    "nDCG@1_0": r"k must be .*not '1_0'",
    "nDCG@²": r"k must be .*not '²'",
    "nDCG@9223372036854775808": r"below 2\*\*63",
    "nDCG@" + "9" * 5000: r"below 2\*\*63",
    "nDCG@10 foo": r"k must be .*not '10 foo'",
    "nDCG@5,10": r"several measures are a list of names",
    "nDCG@10,AP": r"several measures are a list of names",
    "ndcg_cut_0": r"k must be .*not '0'",
    "P.5,x": r"k must be .*not 'x'",
    "P.5,": r"k must be .*not ''",
    "nDCG@": r"the cutoff is missing after '@'",
    "nDCG@5@10": r"'@' is repeated",
    "@10": r"a name is missing",
    "": r"a name is missing",
    "  ": r"a name is missing",
    "P_5@10": r"k is given twice",
    "nDCG(k=5)@10": r"k is given twice",
    "nDCG@10(gain=exp2)": r"parameters stand before the cutoff",
    "nDCG(gain=exp2": r"closing '\)' is missing",
    "nDCG(gain=exp2)10": r"'10' after the '\)'",
    "nDCG(gain=exp2)@10)": r"k must be .*not '10\)'",
    "nDCG(exp2)": r"written key=value, not 'exp2'",
    "nDCG(gain=)": r"written key=value, not 'gain='",
    "nDCG(gain=exp2,)": r"written key=value, not ''",
    "nDCG(gain=exp2,gain=linear)": r"gain is given twice",
    "ndcg_burges(gain=linear)@10": r"gain is given twice",
    "nDCG(gain=exp2,dcg='log2')": r"gain is given twice",
    "nDCG(dcg=ln)": r"dcg must be log2 or exp-log2, not 'ln'",
    "nDCG(colour=red)": r"unknown parameter 'colour'; nDCG takes gain, discount",
    "AP(gain=exp2)": r"unknown parameter 'gain'; AP takes rel, divisor",
    "RR(p=0.8)": r"unknown parameter 'p'; RR takes",
    "nDCG(gain=cubic)": r"gain must be linear, exp2, binary or a table .*not 'cubic'",
    "nDCG(gain={1:1,1.0:2})": r"gain must be .*each label once",
    "nDCG(gain={1:x})": r"gain must be",
    "nDCG(gain={1})": r"gain must be",
    "nDCG(gain={})": r"gain must be",
    "nDCG(gain={1:nan})": r"gain must be",
    "nDCG(discount=sqrt)": r"discount must be log2, log or reciprocal, not 'sqrt'",
    "DCG(log_base=1)": r"log_base must be a finite number above 1, not '1'",
    "RBP(p=2)": r"p must be a number inside \(0, 1\), not '2'",
    "RBP(p=1)": r"p must be a number inside \(0, 1\)",
    "RBP(p=0)": r"p must be a number inside \(0, 1\)",
    "rbp.0": r"p must be a number inside \(0, 1\)",
    "AP(rel=nan)": r"rel must be a finite number, not 'nan'",
    "AP(rel=inf)": r"rel must be a finite number, not 'inf'",
    "AP(rel=high)": r"rel must be a finite number, not 'high'",
    "AP(rel=1_0)": r"rel must be a finite number, not '1_0'",
    "AP(rel=1e999)": r"rel must be a finite number",
    "F1(beta=-1)": r"beta must be a finite number of at least 0",
    "ERR(max_label=0)": r"max_label must be a finite number above 0",
    "P(divisor=hits)": r"divisor must be k or min, not 'hits'",
    "R(divisor=k)": r"divisor must be relevant or min, not 'k'",
    "AP(divisor=all)": r"divisor must be one of k, min, relevant, hits, not 'all'",
    "HitRate(per=list)@5": r"per must be user or item, not 'list'",
    "AP(ties=coin)": r"ties must be one of average, .*not 'coin'",
    "AP(empty=one)": r"empty must be a finite number, nan, skip or raise, not 'one'",
    "AP(empty=inf)": r"empty must be a finite number",
    "AP(judged_only=2)": r"judged_only must be True or False",
    "ndcg_cut": r"add a cutoff, as in nDCG@10",
    "success": r"add a cutoff, as in HitRate@10",
    "map_cut": r"add a cutoff, as in AP@10",
    "Success": r"add a cutoff",
    "AUC@10": r"AUC takes no cutoff: leave 10 out",
    "RPrec@10": r"RPrec takes no cutoff: leave 10 out",
    "set_P@10": r"set_P takes no cutoff",
    "hits@10": r"ask for HitRate@10",
    "hits_5": r"ask for HitRate@5",
    "hits": r"ask for HitRate@10",
    "ndgc@10": r"unknown measure 'ndgc'; the nearest known are nDCG",
    "ndcg_cot_10": r"unknown measure 'ndcg_cot'; the nearest known are nDCG",
    "avg_precision": r"unknown measure 'avg_precision'; the nearest known are .*AP",
    "accuracy?!": r"unknown measure 'accuracy\?!'",
    "zzz": r"unknown measure 'zzz'; known are .*nDCG.*AUC",
    "err@10-l2": r"unknown parameter 'rel'; ERR takes",
    "NDGC:top=5": r"unknown measure 'NDGC'; the nearest known are nDCG",
    "NDCG:top=0": r"k must be .*not '0'",
    "NDCG:top=5;top=6": r"k is given twice",
    "NDCG:top=5;type=Log": r"type must be base or exp, not 'Log'",
    "NDCG:denominator=Rank": r"denominator must be position or logposition",
    "PrecisionAt:top=5;border=2": r"border is a strict threshold",
    "NDCG:hints=x": r"unknown parameter 'hints'; top, type and denominator",
    "MAP:type=Exp": r"unknown parameter 'gain'; AP takes",
}


@pytest.mark.parametrize("name", ERRORS)
def test_a_bad_name_is_repeated_with_the_remedy(name: str) -> None:
    with pytest.raises(ValueError, match=ERRORS[name]) as caught:
        parse_measures(name)
    assert str(caught.value).startswith(f"measure {name!r}: ")
    with pytest.raises(ValueError, match=ERRORS[name]):
        parse_measures(["AP", name])


def test_one_measure_is_not_several() -> None:
    with pytest.raises(ValueError, match=r"measure 'P\.5,10': several .*P@5, P@10.*parse_measures"):
        parse_measure("P.5,10")
    with pytest.raises(ValueError, match="no measure is named"):
        parse_measures([])


def _parse_list_of(item: Any) -> object:
    return parse_measures([item])


@pytest.mark.parametrize("bad", [None, 10, b"AP", 1.5, object()])
def test_only_names_and_measures(bad: object) -> None:
    calls: list[Callable[[Any], object]] = [parse_measure, parse_measures, _parse_list_of]
    for call in calls:
        with pytest.raises(TypeError, match="name"):
            call(bad)
    with pytest.raises(TypeError, match="string"):
        Measure(bad)  # type: ignore[arg-type]


BAD_VALUES: list[tuple[dict[str, object], type[Exception], str]] = [
    ({"k": 0}, ValueError, "k must be at least 1"),
    ({"k": 2**63}, ValueError, "k must be at least 1 and below"),
    ({"k": True}, TypeError, "k must be an int, not True"),
    ({"k": 10.0}, TypeError, "k must be an int"),
    ({"k": "10"}, TypeError, "k must be an int"),
    ({"rel": True}, ValueError, "rel must be a finite number, not True"),
    ({"rel": [1]}, ValueError, "rel must be a finite number"),
    ({"rel": 10**400}, ValueError, "rel must be a finite number"),
    ({"gain": [0, 1, 3]}, ValueError, "gain must be"),
    ({"gain": {}}, ValueError, "gain must be"),
    ({"empty": None}, ValueError, "empty must be"),
    ({"judged_only": 1}, ValueError, "judged_only must be"),
    ({"colour": 1}, ValueError, "unknown parameter 'colour'"),
]


@pytest.mark.parametrize(("said", "kind", "message"), BAD_VALUES)
def test_a_measure_checks_its_parts(
    said: dict[str, object], kind: type[Exception], message: str
) -> None:
    with pytest.raises(kind, match=f"^measure 'nDCG': {message}"):
        Measure("nDCG", **said)  # type: ignore[arg-type]


def test_a_measure_is_made_of_a_family_not_of_a_spelling() -> None:
    for name in ("map", "ndcg_burges", "nDCG@10"):
        with pytest.raises(ValueError, match=f"measure '{name}': unknown measure"):
            Measure(name)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """Families that a test registers go away with it."""
    from rankgain import measures

    monkeypatch.setattr(measures, "FAMILIES", dict(FAMILIES))
    monkeypatch.setattr(measures, "_SPELLINGS", dict(measures._SPELLINGS))


@pytest.mark.usefixtures("fresh")
def test_one_call_adds_a_family() -> None:
    register(Family("Bend", "", ("rel", "empty"), cutoff="none", aliases=("bending",)))
    register(Family("Seen", "", (), cutoff="required", aliases=("seen_docs",)))
    register(Family("IPrecX", "", ("recall", "rel"), cutoff="none", aliases=("iprecx_at_recall",)))
    assert str(parse_measure("BENDING(rel=3)")) == "Bend(rel=3)"
    assert str(parse_measure("seen_docs_10")) == "Seen@10"
    for name in ("IPrecX@0.1", "iprecx_at_recall_0.10", "iprecx_at_recall.0.1"):
        assert str(parse_measure(name)) == "IPrecX(recall=0.1)"
    assert list(map(str, parse_measures("iprecx_at_recall.0.0,0.1"))) == [
        "IPrecX(recall=0)",
        "IPrecX(recall=0.1)",
    ]
    with pytest.raises(ValueError, match="'Seen': add a cutoff, as in Seen@10"):
        parse_measure("Seen")
    with pytest.raises(ValueError, match="'Seen': add a cutoff, as in Seen@10"):
        Measure("Seen")
    with pytest.raises(ValueError, match="'Bend': Bend takes no cutoff"):
        Measure("Bend", k=3)
    with pytest.raises(ValueError, match="Seen takes no parameter"):
        parse_measure("Seen(rel=1)@10")


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(
    ("row", "message"),
    [
        (Family("nDCG", "", ()), "'ndcg' is a spelling of nDCG already"),
        (Family("New", "", (), aliases=("MAP",)), "'map' is a spelling of AP already"),
        (Family("New", "rbp", ()), "'rbp' is a spelling of RBP already"),
        (Family("New", "", (), aliases=("old", "old@none")), "'old' is a spelling of New already"),
        (Family("New", "", ("colour",)), "'colour' has no row in PARAMETERS"),
    ],
)
def test_clashes_are_refused_whole(row: Family, message: str) -> None:
    from rankgain import measures

    before = dict(measures.FAMILIES)
    with pytest.raises(ValueError, match=message):
        register(row)
    assert before == measures.FAMILIES


NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**70), 2**70)
VALUES: dict[str, st.SearchStrategy[object]] = {
    "gain": st.sampled_from(["linear", "exp2", "binary"])
    | st.dictionaries(st.integers(-5, 9) | st.floats(0, 9), NUMBERS, min_size=1, max_size=4),
    "discount": st.sampled_from(["log2", "log", "reciprocal"]),
    "log_base": st.floats(1.5, 1e300),
    "ties": st.sampled_from(["average", "stable", "id_descending"]),
    "rel": NUMBERS,
    "min_label": NUMBERS,
    "max_label": st.floats(1e-300, 1e300),
    "divisor": st.just("min"),
    "beta": st.floats(0, 1e300),
    "p": st.floats(1e-300, 1, exclude_max=True),
    "per": st.sampled_from(["user", "item"]),
    "judged_only": st.booleans(),
    "empty": NUMBERS | st.sampled_from(["nan", "skip", "raise", math.nan]),
}


@given(st.data())
def test_every_measure_reads_back_from_its_name(data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(ROWS))
    names = data.draw(st.sets(st.sampled_from(row.params)))
    params = {name: data.draw(VALUES[name]) for name in names}
    k = None if row.cutoff == "none" else data.draw(st.none() | st.integers(1, 2**63 - 1))
    measure = Measure(row.name, k=k, **params)
    assert list(measure.params) == [name for name in row.params if name in names]
    for text in (str(measure), str(measure).upper(), str(measure).lower()):
        again = parse_measure(text)
        assert again == measure
        assert (str(again), hash(again)) == (str(measure), hash(measure))
    assert repr(pickle.loads(pickle.dumps(measure))) == repr(measure)
    assert eval(repr(measure), {"Measure": Measure}) == measure


@given(st.text(alphabet="ndcgNDCGapmr_@.,-()={}:;15l '\"", max_size=24))
def test_any_text_is_a_measure_or_a_clear_error(text: str) -> None:
    try:
        measures = parse_measures(text)
    except ValueError as error:
        message = str(error)
        measures = ()
    else:
        message = f"measure {text!r}: "
    assert message.startswith(f"measure {text!r}: ")
    assert all(parse_measure(str(measure)) == measure for measure in measures)


def test_reading_names_loads_nothing_heavy() -> None:
    code = (
        "import sys, rankgain.measures as m; m.register(m.Family('X', '', ()));"
        "m.parse_measures('x_5'); assert 'difflib' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
