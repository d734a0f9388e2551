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


def test_ties_need_a_rule_that_orders() -> None:
    tied = {"q": {"a": 1.0, "d": 1.0}}
    explained = rg.explain(JUDGED, tied, query="q", measure="StRecall@1")
    assert explained.documents == ("d",)
    with pytest.raises(ValueError, match="does not order them for measures of subtopics"):
        rg.explain(JUDGED, tied, query="q", measure="StRecall@1", ties="average")
