"""explain of measures of subtopics: what each rank adds."""

import pytest

import rankgain as rg

JUDGED = {
    "q": {
        "a": {"price": 1, "range": 2},
        "b": {"price": 0},
        "c": {"price": 1},
        "d": {"warranty": 1},
    },
    "p": {"a": {"price": 1}},
}
RUN = {"q": ["a", "x", "c", "b", "d"], "p": ["x"]}
MEASURES = [
    "alpha_nDCG@3", "alpha_nDCG@10", "alpha_DCG@1", "ERR_IA@5", "nERR_IA@2", "NRBP", "nNRBP",
    "AP_IA", "P_IA@5", "StRecall@3", "D_nDCG@5", "D#_nDCG@5", "StRecall(rel=2)@5",
]  # fmt: skip


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("query", JUDGED)
def test_the_terms_add_up_to_the_value(measure: str, query: str) -> None:
    explained = rg.explain(JUDGED, RUN, query=query, measure=measure)
    [value] = rg.evaluate(JUDGED, RUN, measure).to_dict()[query].values()
    assert explained.value == value
    assert explained.term.sum() == pytest.approx(value)
    assert explained.running[-1] == value


def test_each_rank_says_which_parts_it_adds() -> None:
    explained = rg.explain(JUDGED, RUN, query="q", measure="alpha_nDCG@10")
    assert explained.parts == (("price", "range"), (), ("price",), (), ("warranty",))
    assert explained.new_parts == (("price", "range"), (), (), (), ("warranty",))
    assert [row["new_parts"] for row in explained.rows()] == list(map(list, explained.new_parts))
    lines = str(explained).splitlines()
    assert lines[3].split() == ["rank", "document", "label", "term", "alpha_nDCG", "adds"]
    assert lines[4].endswith("price, range")
    assert lines[6].endswith("0.7810")
    with_rel = rg.explain(JUDGED, RUN, query="q", measure="StRecall(rel=2)@10")
    assert with_rel.parts == (("range",), (), (), (), ())


def test_repeats_in_place_add_nothing() -> None:
    run = rg.Run({"q": ["a", "a", "d"]}, duplicates="in_place")
    explained = rg.explain(JUDGED, run, query="q", measure="StRecall@3")
    assert explained.parts == (("price", "range"), (), ("warranty",))
    assert explained.value == rg.evaluate({"q": JUDGED["q"]}, run, "StRecall@3")["StRecall@3"]


def test_ties_need_a_rule_that_orders() -> None:
    tied = {"q": {"a": 1.0, "d": 1.0}}
    explained = rg.explain(JUDGED, tied, query="q", measure="StRecall@1")
    assert explained.documents == ("d",)
    with pytest.raises(ValueError, match="does not order them for measures of subtopics"):
        rg.explain(JUDGED, tied, query="q", measure="StRecall@1", ties="average")


def test_judgments_without_parts_and_arrays_are_refused() -> None:
    with pytest.raises(ValueError, match="StRecall is a measure of subtopics"):
        rg.explain({"q": {"a": 1}}, {"q": ["a"]}, query="q", measure="StRecall@1")
    with pytest.raises(ValueError, match="StRecall is a measure of subtopics"):
        rg.explain([1, 0], [0.5, 0.1], measure="StRecall@1")
