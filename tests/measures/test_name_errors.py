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
    "precison": r"did you mean P\?",
    "nDCG@0": r"invalid cutoff '0': expected a positive integer",
    "nDCG@1_0": r"invalid cutoff '1_0': expected",
    "nDCG@5,": r"invalid cutoff '': expected a positive integer",
    "map,ndcg_cut": r"pass several measures as a list: \['map', 'ndcg_cut'\]",
    "nDCG@10 AP": r"pass several measures as a list: \['nDCG@10', 'AP'\]",
    "ndcg_cut_0": r"invalid cutoff '0': expected",
    "nDCG@": r"the cutoff is missing after '@'",
    "nDCG@5@10": r"'@' is repeated",
    "": r"a name is missing",
    "nDCG(k=5)@10": r"k is given twice",
    "nDCG@10(gain=exp2)": r"parameters stand before the cutoff",
    "nDCG(gain=exp2": r"closing '\)' is missing",
    "nDCG(exp2)": r"written key=value, not 'exp2'",
    "ndcg_burges(gain=linear)@10": r"gain is given twice",
    "nDCG(colour=red)": r"unknown parameter 'colour'; nDCG takes .*gain, discount",
    "nDCG(gain={1:x})": r"gain must be",
    "RBP(p=1)": r"p must be a number above 0 and below 1",
    "AP(rel=1_0)": r"rel must be a finite number, not '1_0'",
    "IPrec": r"add a level of recall, as in IPrec@0\.1",
    "IPrec@10": r"recall must be a number from 0 to 1, not '10'",
    "NumQ(rel=1)": r"NumQ takes no parameter",
    "R(divisor=k)": r"divisor must be relevant or min, not 'k'",
    "AP(empty=one)": r'empty must be a number \(.*\), "skip" or "raise", not .one.',
    "ndcg_cut": r"add a cutoff, as in nDCG@10",
    "RPrec@10": r"RPrec has no cutoff: remove 10",
    "hits@10": r"the latter is HitRate@10",
    "ndgc@10": r"unknown name 'ndgc'; did you mean nDCG",
    "err@10-l2": r"unknown parameter 'rel'; ERR takes",
    "NDCG:top=5;top=6": r"k is given twice",
    "NDCG:hints=x": r"unknown parameter 'hints'; top, type, denominator and decay",
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
