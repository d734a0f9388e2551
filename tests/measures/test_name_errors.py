"""Measure names that cannot be read: each error repeats the name and says the remedy."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgain.engine.settings import Family
from rankgain.measures.families import FAMILIES, SPELLINGS, register
from rankgain.measures.measure import Measure, parse_measure, parse_measures


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
