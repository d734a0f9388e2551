"""Measure names that cannot be read: each error repeats the name and says the remedy."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgain as rg
from rankgain.engine.settings import Family
from rankgain.measures.families import FAMILIES, SPELLINGS, register
from rankgain.measures.measure import Measure, parse_measure, parse_measures

ERRORS = {
    "nDCG10": r"did you mean nDCG@10\?",
    "kendall": r"unknown name 'kendall'\. Known names: CG, DCG",
    "pearson": r"unknown name 'pearson'\. Known names: CG, DCG",
    "precison": r"did you mean P\?",
    "AUC3": r"did you mean AUC\?",
    "nDCG@0": r"invalid cutoff '0': expected a positive integer",
    "nDCG@-1": r"invalid cutoff '-1': expected",
    "nDCG@1.5": r"invalid cutoff '1\.5': expected",
    "nDCG@True": r"invalid cutoff 'True': expected",
    "nDCG@1_0": r"invalid cutoff '1_0': expected",
    "nDCG@²": r"invalid cutoff '²': expected",
    "nDCG@9223372036854775808": r"invalid cutoff .*positive integer",
    "nDCG@" + "9" * 5000: r"invalid cutoff .*positive integer",
    "nDCG@10 foo": r"invalid cutoff '10 foo': expected",
    "nDCG@5,": r"invalid cutoff '': expected a positive integer",
    "nDCG@5,0": r"invalid cutoff '0': expected a positive integer",
    "nDCG@10,AP": r"pass several measures as a list: \['nDCG@10', 'AP'\]",
    "P(rel=2)@5, nDCG(gain=exp2,rel=2)@3": (
        r"pass several measures as a list: \['P\(rel=2\)@5', 'nDCG\(gain=exp2,rel=2\)@3'\]"
    ),
    "map,ndcg_cut": r"pass several measures as a list: \['map', 'ndcg_cut'\]",
    "nDCG@10; AP(rel=2)@5": r"pass several measures as a list: \['nDCG@10', 'AP\(rel=2\)@5'\]",
    "nDCG@10 AP": r"pass several measures as a list: \['nDCG@10', 'AP'\]",
    "['nDCG@10', 'AP']": r"pass several measures as a list: \['nDCG@10', 'AP'\]",
    "nDCG@10,nothing": r"invalid cutoff 'nothing'",
    "ndcg_cut_0": r"invalid cutoff '0': expected",
    "P.5,x": r"invalid cutoff 'x': expected",
    "P.5,": r"invalid cutoff '': expected",
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
    "nDCG(gain=exp2)@10)": r"invalid cutoff '10\)': expected",
    "nDCG(exp2)": r"written key=value, not 'exp2'",
    "nDCG(gain=)": r"written key=value, not 'gain='",
    "nDCG(gain=exp2,)": r"written key=value, not ''",
    "nDCG(gain=exp2,gain=linear)": r"gain is given twice",
    "ndcg_burges(gain=linear)@10": r"gain is given twice",
    "nDCG(gain=exp2,dcg='log2')": r"gain is given twice",
    "nDCG(dcg=ln)": r"dcg must be log2 or exp-log2, not 'ln'",
    "nDCG(colour=red)": r"unknown parameter 'colour'; nDCG takes .*gain, discount",
    "AP(gain=exp2)": r"unknown parameter 'gain'; AP takes .*rel, divisor",
    "RR(p=0.8)": r"unknown parameter 'p'; RR takes",
    "nDCG(gain=cubic)": r"gain must be linear, exp2, binary or a table .*not 'cubic'",
    "nDCG(gain={1:1,1.0:2})": r"gain must be .*each label once",
    "nDCG(gain={1:x})": r"gain must be",
    "nDCG(gain={1})": r"gain must be",
    "nDCG(gain={})": r"gain must be",
    "nDCG(gain={1:nan})": r"gain must be",
    "nDCG(gain={1:23)": r"gain must be",
    "nDCG(discount=sqrt)": r"discount must be log2, log or reciprocal, not 'sqrt'",
    "DCG(log_base=1)": r"log_base must be a finite number above 1, not '1'",
    "RBP(p=2)": r"p must be a number above 0 and below 1, not '2'",
    "RBP(p=1)": r"p must be a number above 0 and below 1",
    "RBP(p=0)": r"p must be a number above 0 and below 1",
    "rbp.0": r"p must be a number above 0 and below 1",
    "AP(rel=nan)": r"rel must be a finite number, not 'nan'",
    "AP(rel=inf)": r"rel must be a finite number, not 'inf'",
    "AP(rel=high)": r"rel must be a finite number, not 'high'",
    "AP(rel=1_0)": r"rel must be a finite number, not '1_0'",
    "AP(rel=1e999)": r"rel must be a finite number",
    "F1(beta=-1)": r"beta must be a finite number of at least 0",
    "ERR(max_label=0)": r"max_label must be a number above 0 and at most 1023, not '0'",
    "SetP(relative=1)": r"relative must be true or false, not '1'",
    "SetP(relative=True)@5": r"has no cutoff",
    "IPrec": r"add a level of recall, as in IPrec@0\.1",
    "iprec_at_recall": r"add a level of recall",
    "IPrec@10": r"recall must be a number from 0 to 1, not '10'",
    "IPrec@0.1x": r"recall must be",
    "unj": r"add a cutoff",
    "Bpref@10": r"has no cutoff",
    "NumQ(rel=1)": r"NumQ takes no parameter",
    "P(divisor=hits)": r"divisor must be k or min or min_relevant, not 'hits'",
    "R(divisor=k)": r"divisor must be relevant or min, not 'k'",
    "AP(divisor=all)": r"divisor must be one of k, min, min_relevant, relevant, hits, not 'all'",
    "HitRate(per=list)@5": r"per must be one of user, item, not 'list'",
    "AP(ties=coin)": r"ties must be one of average, .*not 'coin'",
    "AP(empty=one)": r'empty must be a number \(.*\), "skip" or "raise", not .one.',
    "AP(judged_only=2)": r"judged_only must be True or False",
    "ndcg_cut": r"add a cutoff, as in nDCG@10",
    "success": r"add a cutoff, as in HitRate@10",
    "map_cut": r"add a cutoff, as in AP@10",
    "Success": r"add a cutoff",
    "AUC@10": r"AUC has no cutoff: remove 10",
    "RPrec@10": r"RPrec has no cutoff: remove 10",
    "set_P@10": r"set_P has no cutoff",
    "hits@10": r"the latter is HitRate@10",
    "hits_5": r"the latter is HitRate@5",
    "hits": r"the latter is HitRate@10",
    "ndgc@10": r"unknown name 'ndgc'; did you mean nDCG",
    "ndcg_cot_10": r"unknown name 'ndcg_cot_10'; did you mean nDCG",
    "avr_precision": r"unknown name 'avr_precision'; did you mean .*AP",
    "accuracy?!": r"unknown name 'accuracy\?!'",
    "nDCG(gain=1:1)": r"gain must be .*not '1:1'",
    "NDCG[5]": r"unknown name 'NDCG\[5\]'; did you mean nDCG",
    "Diversity@10": r"measure 'Diversity@10': .* write ILD@10 .*alpha_nDCG@10",
    "recall10": r"unknown name 'recall10'; did you mean R@10",
    "zzz": r"unknown name 'zzz'\. Known names: .*nDCG.*AUC",
    "err@10-l2": r"unknown parameter 'rel'; ERR takes",
    "NDGC:top=5": r"unknown name 'NDGC'; did you mean nDCG",
    "NDCG:top=0": r"invalid cutoff '0': expected",
    "NDCG:top=5;top=6": r"k is given twice",
    "NDCG:top=5;type=Log": r"type must be base or exp, not 'Log'",
    "NDCG:denominator=Rank": r"denominator must be position or logposition",
    "PrecisionAt:top=5;border=2": r"border is a strict threshold",
    "NDCG:hints=x": r"unknown parameter 'hints'; top, type, denominator and decay",
    "MAP:type=Exp": r"unknown parameter 'gain'; AP takes",
}


@pytest.mark.parametrize("name", ERRORS)
def test_a_bad_name_is_repeated_with_the_remedy(name: str) -> None:
    with pytest.raises(ValueError, match=ERRORS[name]) as caught:
        parse_measures(name)
    assert str(caught.value).startswith(f"measure {name!r}"[:90])  # long names are cut
    assert "measure" in str(caught.value).partition(": ")[0]
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
    ({"k": 2**63}, ValueError, r"k must be at least 1 \(and below"),
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


# Several faults of a measure: the first of these is named, whatever the order of the arguments.
FIRST_FAULTS: list[tuple[str, dict[str, object], str]] = [
    ("HitRate", {"colour": 1, "size": 2, "rank": "x", "k": 0},
     "unknown parameter 'colour'; HitRate takes per, rank, ties, seed, rel, judged_only, empty"),
    ("HitRate", {"k": 0, "per": "item", "seed": -1, "ties": "coin", "rank": "realistic"},
     "ties must be one of average, stable, reverse, worst, best, random, id, id_descending, "
     "not 'coin'"),
    ("R", {"k": 0, "divisor": "k"}, "divisor must be relevant or min, not 'k'"),
    ("HitRate", {"per": "item", "seed": 1, "ties": "best", "rank": "realistic"},
     "rank cannot be combined with ties: leave ties out"),
    ("HitRate", {"per": "item", "seed": 1, "rank": "realistic"},
     "rank cannot be combined with seed: leave seed out"),
    ("HitRate", {"per": "item", "rank": "realistic"},
     "rank cannot be combined with per: leave per out"),
    ("BPM", {"k": 0}, "add max_rel, the label of a perfect document, as in BPM(max_rel=3)@10"),
    ("INSQ", {"k": 0}, "add max_rel, the label of a perfect document, as in INSQ(max_rel=3)"),
    ("BPM", {"max_rel": 1, "min_rel": 2}, "max_rel must be above min_rel, 2, not 1"),
    ("Lift", {"share": 0.5, "k": 0}, "share is the cutoff: leave k = 0 out"),
    ("BPM", {"max_rel": 3}, "add a cutoff, as in BPM(max_rel=3)@10"),
    ("AUC", {"k": 0}, "AUC has no cutoff: remove k = 0"),
    ("IPrec", {"k": 0}, "IPrec has no cutoff: remove k = 0"),
    ("IPrec", {}, "add a level of recall, as in IPrec@0.1"),
    ("Rprec_mult", {}, "add a multiple of R, as in Rprec_mult_0.20"),
    ("P", {"k": -3},
     "k must be at least 1 (and below 2**63), got -3. Omit k to use the whole list"),
]  # fmt: skip


@pytest.mark.parametrize(("family", "options", "message"), FIRST_FAULTS)
def test_the_first_fault_of_a_measure_is_named(
    family: str, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ValueError, match=r"^measure") as caught:
        Measure(family, **options)
    assert str(caught.value) == f"measure {family!r}: {message}"


def test_a_measure_is_made_of_a_family_not_of_a_spelling() -> None:
    for name in ("map", "ndcg_burges", "nDCG@10"):
        with pytest.raises(ValueError, match=f"measure '{name}': unknown name"):
            Measure(name)


@pytest.fixture
def fresh() -> Iterator[None]:
    """Families that a test registers go away with it."""
    before = dict(FAMILIES), dict(SPELLINGS)
    yield
    for registry, known in zip((FAMILIES, SPELLINGS), before, strict=True):
        registry.clear()
        registry.update(known)


@pytest.mark.usefixtures("fresh")
def test_one_call_adds_a_family() -> None:
    register(Family("Bend", "", ("rel", "empty"), cutoff="none"), "bending")
    register(Family("Seen", "", (), cutoff="required"), "seen_docs")
    register(Family("IPrecX", "", ("recall", "rel"), cutoff="none"), "iprecx_at_recall")
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
    with pytest.raises(ValueError, match="'Bend': Bend has no cutoff"):
        Measure("Bend", k=3)
    with pytest.raises(ValueError, match="Seen takes no parameter"):
        parse_measure("Seen(rel=1)@10")


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize(("row", "aliases", "message"), [
    (Family("nDCG", "", ()), (), "'ndcg' is a spelling of nDCG already"),
    (Family("New", "", ()), ("MAP",), "'map' is a spelling of AP already"),
    (Family("New", "rbp", ()), (), "'rbp' is a spelling of RBP already"),
    (Family("New", "", ()), ("old", "old@none"), "'old' is a spelling of New already"),
    (Family("New", "", ("colour",)), (), "'colour' is not an option"),
])  # fmt: skip
def test_clashes_are_refused_whole(row: Family, aliases: tuple[str, ...], message: str) -> None:
    before = dict(FAMILIES)
    with pytest.raises(ValueError, match=message):
        register(row, *aliases)
    assert before == FAMILIES


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


@pytest.mark.parametrize("k", [2**63, 10**400, 10**5000], ids=["2**63", "10**400", "10**5000"])
def test_cutoffs_beyond_every_list_are_refused_in_words(k):
    for call in (
        lambda: rg.ndcg([1, 0], [1, 2], k=k),
        lambda: rg.ndcg([1, 0], [1, 2], k=[1, k]),
        lambda: rg.precision([1, 0], [1, 2], k=k),
        lambda: rg.explain([1, 0], [1, 2], k=k),
        lambda: rg.neighbor_recall([[1]], [[1]], k=k),
        lambda: rg.evaluate_catalogue([[1]], "Coverage", k=k, catalogue=[1, 2]),
    ):
        with pytest.raises(ValueError, match=r"k(\[1\])? must be below 2\*\*63"):
            call()
    assert rg.ndcg([1, 0], [1, 2], k=2**63 - 1) == rg.ndcg([1, 0], [1, 2])
