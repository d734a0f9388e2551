"""Names of C/W/L measures, of the cutoff R and of multiples of R, and what they must say."""

import pytest

import rankgain as rg
from rankgain.measures.measure import parse_measures

QRELS = {"q": {"a": 2, "b": 0, "c": 1, "d": 3}}
RUN = {"q": {"a": 5.0, "x": 4.0, "c": 3.0, "b": 2.0, "d": 1.0}}


@pytest.mark.parametrize(("name", "words"), [
    ("INSQ", r"add max_rel, .* as in INSQ\(max_rel=3\)"),
    ("BPM@10", r"add max_rel, .* as in BPM\(max_rel=3\)@10"),
    ("BPM(max_rel=3)", r"add a cutoff, as in BPM\(max_rel=3\)@10"),
    ("NERR10(max_rel=3)@10", "NERR10 has no cutoff"),
    ("NERR11(max_rel=3)@10", "NERR11 has no cutoff"),
    ("INSQ(max_rel=0)", "max_rel must be above min_rel, 0, not 0"),
    ("INSQ(max_rel=1,min_rel=2)", "max_rel must be above min_rel, 2, not 1"),
    ("nDCG@R", "nDCG does not take the cutoff R .* AP@R, P@R, R@R do"),
])  # fmt: skip
def test_an_error_says_what_is_missing(name: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_measures(name)


@pytest.mark.parametrize(("name", "canonical"), [
    ("AP@R", "AP@R"),
    ("mAP@R", "AP@R"),
    ("AP(rel=2)@R", "AP(rel=2)@R"),
    ("P@R", "RPrec"),
    ("recall@r", "RPrec"),
    ("Rprec_mult.0.2", "Rprec_mult_0.20"),
    ("Rprec_mult_0.20(rel=2)", "Rprec_mult_0.20(rel=2)"),
    ("INST(T=2,max_rel=3)", "INST(max_rel=3,T=2)"),
    ("Compat(normalize=False)", "Compat(normalize=False)"),
])  # fmt: skip
def test_names_are_read(name: str, canonical: str) -> None:
    assert [str(measure) for measure in parse_measures(name)] == [canonical]


def test_rprec_mult_alone_stands_for_ten_multiples() -> None:
    names = [str(measure) for measure in parse_measures("Rprec_mult")]
    assert names == [f"Rprec_mult_{i / 5:.2f}" for i in range(1, 11)]


def test_labels_above_max_rel_are_clipped_with_a_warning() -> None:
    with pytest.warns(rg.RankgainWarning, match="largest label is 3, above max_rel=2"):
        clipped = rg.evaluate(QRELS, RUN, "NERR8(max_rel=2)@5")
    lower = {"q": {document: min(label, 2) for document, label in QRELS["q"].items()}}
    assert rg.evaluate(lower, RUN, "NERR8(max_rel=2)@5").means == clipped.means
    rg.evaluate(QRELS, RUN, ["NERR8(max_rel=3)@5", "Q@5"])


@pytest.mark.parametrize("kind", ["ties", "unjudged"])
@pytest.mark.parametrize("name", ["INST(max_rel=3)", "Compat", "Q@5", "Accuracy@3"])
def test_measures_without_known_bounds_refuse_them(name: str, kind: str) -> None:
    with pytest.raises(ValueError, match="known"):
        rg.evaluate(QRELS, RUN, name, bounds=kind)
