"""explain: its table, its numbers against the measures and against sums made here."""

import json
import math
from itertools import permutations

import numpy as np
import pytest

import rankgain as rg
import strategies
from sampling import sampled

TABLE = """\
nDCG@4 0.8455 = DCG@4 5.3463 / IDCG@4 6.3235
gain linear, discount log2, ties average, convention rankgain

      ranking                                     |  ideal
rank  doc  label  gain  discount    term     DCG  |  label  gain  discount    term    IDCG
   1    0      3     3    1.0000  3.0000  3.0000  |      3     3    1.0000  3.0000  3.0000
   2    2      1     1    0.6309  0.6309  3.6309  |      3     3    0.6309  1.8928  4.8928
   3    1      3     3    0.5000  1.5000  5.1309  |      2     2    0.5000  1.0000  5.8928
   4    3    0.5   0.5    0.4307  0.2153  5.3463  |      1     1    0.4307  0.4307  6.3235"""

TIED = """\
nDCG@3 0.6593 = DCG@3 3.8849 / IDCG@3 5.8928
gain linear, discount log2, ties average, convention rankgain

      ranking                                             |  ideal
rank  doc  label  gain    mean  discount    term     DCG  |  label  gain  discount    term    IDCG
   1    1      2     2       2    1.0000  2.0000  2.0000  |      3     3    1.0000  3.0000  3.0000
   2    0      3     3  1.6667    0.6309  1.0515  3.0515  |      3     3    0.6309  1.8928  4.8928
   3    2      2     2  1.6667    0.5000  0.8333  3.8849  |      2     2    0.5000  1.0000  5.8928
   4    3      0     0  1.6667    0.0000  0.0000  3.8849  |

tied ranks 2-4: all orders are equally likely, so each rank gets the mean gain of the tie"""


def test_the_table_that_textbooks_print():
    explanation = rg.explain([3, 2, 3, 0, 1, 2], k=6, judged=[3, 3, 3, 2, 2, 1, 0, 0])
    running = [3, 4.2619, 5.7619, 5.7619, 6.1487, 6.8611]
    assert explanation.ranking.running_dcg == pytest.approx(running, abs=5e-5)
    assert explanation.ideal.running_dcg[-1] == pytest.approx(8.3841, abs=5e-5)
    assert explanation.ideal.label.tolist() == [3, 3, 3, 2, 2, 1]
    first, *_, last = str(explanation).splitlines()
    assert first == "nDCG@6 0.8184 = DCG@6 6.8611 / IDCG@6 8.3841"
    assert last.split() == ["6", "5", "2", "2", "0.3562", "0.7124", "6.8611", "|",
                            "1", "1", "0.3562", "0.3562", "8.3841"]  # fmt: skip


def test_the_table_of_a_scored_list():
    explanation = rg.explain([3, 3, 1, 0.5, 2, 0], [9, 7, 8, 6, 1, 2.0], k=4)
    assert str(explanation) == TABLE


def test_the_table_of_ties():
    explanation = rg.explain([3, 2, 2, 0, 3], [0.5, 0.9, 0.5, 0.5, 0.1], k=3)
    assert str(explanation) == TIED


LABELS = np.array([3, 0, 2, 1, 0, 2, 3, 0])
SCORES = np.array([0.9, 0.5, 0.5, 0.5, 0.4, 0.4, 0.2, 0.1])
TIES = ["average", "stable", "reverse", "best", "worst", "random"]
CALLS = [
    {},
    {"gain": "exp2"},
    {"gain": {0: 0, 1: 1, 2: 5, 3: 20}},
    {"gain": lambda labels: labels / 3},
    {"discount": "reciprocal"},
    {"discount": 0.9 ** np.arange(20)},
    {"discount": lambda ranks: 1 / (1 + ranks)},
    {"judged": [3, 3, 3, 2, 2, 1, 0, 0, 0]},
    {"convention": "lightgbm"},
    {"convention": "xgboost"},
    {"convention": "torchmetrics"},
    {"convention": "catboost"},
    {"convention": "jarvelin2002"},
]


def approx(values):
    return pytest.approx(values, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize(
    ("call", "ties", "k"), sampled(CALLS, TIES, [None, 1, 3, 5, 8, 20]), ids=strategies.short
)
def test_the_values_are_the_measures(call, ties, k):
    call = call | {"ties": ties, "k": k}
    explanation = rg.explain(LABELS, SCORES, **call)
    assert explanation.ndcg == rg.ndcg(LABELS, SCORES, **call)
    assert explanation.dcg == rg.dcg(LABELS, SCORES, **call)
    assert explanation.idcg == rg.idcg(LABELS, SCORES, **call)
    for side, total in (
        (explanation.ranking, explanation.dcg),
        (explanation.ideal, explanation.idcg),
    ):
        assert side.term == approx(side.expected_gain * side.discount)
        assert side.running_dcg == approx(np.cumsum(side.term))
        assert side.running_dcg[-1] == approx(total)
    assert (LABELS[explanation.ranking.document] == explanation.ranking.label).all()
    assert explanation.k == k
    assert explanation.settings["ties"] == ties


@pytest.mark.parametrize("name", rg.conventions)
@pytest.mark.parametrize("k", [3, 8, 12])
def test_the_table_adds_up_under_every_convention(name, k):
    scores = np.array([9, 8, 7, 6, 5, 4, 3, 2.5])  # distinct: some conventions ask for ids
    for judged in (None, [3, 3, 3, 2, 2, 1, 0, 0, 0]):
        call = {"k": k, "convention": name, "judged": judged}
        explanation = rg.explain(LABELS, scores, **call)
        assert explanation.ndcg == rg.ndcg(LABELS, scores, **call)
        for side, total in (
            (explanation.ranking, explanation.dcg),
            (explanation.ideal, explanation.idcg),
        ):
            assert side.running_dcg == approx(np.cumsum(side.term))
            assert side.running_dcg[-1] == pytest.approx(total, abs=1e-5)


def test_left_out_arguments_are_the_conventions():
    labels, scores = np.arange(40) % 4, -np.arange(40.0)
    explanation = rg.explain(labels, scores, convention="xgboost")
    assert explanation.k == 32
    assert len(explanation.ranking) == 32
    assert explanation.settings["gain"] == "exp2"
    assert explanation.ndcg == rg.ndcg(labels, scores, convention="xgboost")
    assert rg.explain(labels, scores, convention="xgboost", k=None).k is None


def test_tied_documents_take_their_mean_and_the_block_ends_exactly():
    explanation = rg.explain(LABELS, SCORES)
    assert explanation.tied == ((2, 4), (5, 6))
    assert explanation.ranking.expected_gain.tolist() == [3, 1, 1, 1, 1, 1, 3, 0]
    assert explanation.ranking.gain.tolist() == [3, 0, 2, 1, 0, 2, 3, 0]
    for _, last in explanation.tied:
        sums = [
            sum(gain / math.log2(rank + 2) for rank, gain in enumerate([3, *a, *b][:last]))
            for a in permutations([0, 2, 1])
            for b in permutations([0, 2])
        ]
        assert explanation.ranking.running_dcg[last - 1] == pytest.approx(
            sum(sums) / len(sums), rel=1e-14
        )
        assert explanation.ranking.running_dcg[last - 1] == rg.dcg(LABELS, SCORES, k=last)


def test_a_block_that_straddles_the_cutoff_is_shown_whole():
    explanation = rg.explain(LABELS, SCORES, k=2)
    assert explanation.ranking.document.tolist() == [0, 1, 2, 3]
    assert explanation.ranking.discount[2:].tolist() == [0, 0]
    assert explanation.ranking.running_dcg[1:].tolist() == [explanation.dcg] * 3
    assert len(explanation.ideal) == 2
    assert len(rg.explain(LABELS, SCORES, k=2, ties="stable").ranking) == 2
    assert rg.explain(LABELS, SCORES, k=4).tied == ((2, 4),)  # the next one begins below it


def test_values_are_rounded_and_sums_are_not():
    rules = rg.conventions["rankgain"].replace(name="ours", round=1)
    explanation, exact = rg.explain(LABELS, SCORES, convention=rules), rg.explain(LABELS, SCORES)
    assert explanation.dcg == round(exact.dcg, 1) != exact.dcg
    assert explanation.ranking.running_dcg.tolist() == exact.ranking.running_dcg.tolist()


@pytest.mark.parametrize(
    ("ties", "documents"),
    [
        ("average", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("stable", [0, 1, 2, 3, 4, 5, 6, 7]),
        ("reverse", [0, 3, 2, 1, 5, 4, 6, 7]),
        ("best", [0, 2, 3, 1, 5, 4, 6, 7]),
        ("worst", [0, 1, 3, 2, 4, 5, 6, 7]),
    ],
)
def test_the_order_of_ties(ties, documents):
    explanation = rg.explain(LABELS, SCORES, ties=ties)
    assert explanation.ranking.document.tolist() == documents
    assert explanation.tied == ((2, 4), (5, 6))


def test_scores_that_tie_in_float32_only():
    scores = [1 + 1e-9, 1.0, 0.5]
    assert rg.explain([1, 0, 2], scores).tied == ()
    assert rg.explain([1, 0, 2], scores, convention="torchmetrics").tied == ((1, 2),)


def test_more_judged_than_retrieved():
    explanation = rg.explain([1, 0], judged=[1, 0, 2, 2])
    assert len(explanation.ranking) == 2
    assert len(explanation.ideal) == 4
    assert explanation.rows()[3]["label"] is None
    assert explanation.rows()[3]["ideal_label"] == 0
    assert len(rg.explain([1, 0], judged=[1, 0, 2, 2], k=3).ideal) == 3


def test_as_data():
    explanation = rg.explain(LABELS, SCORES, k=5, gain="exp2")
    rows = explanation.rows()
    assert [row["rank"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert rows[0] == {
        "rank": 1, "document": 0, "label": 3.0, "gain": 7.0, "expected_gain": 7.0, "discount": 1.0,
        "term": 7.0, "running_dcg": 7.0, "ideal_label": 3.0, "ideal_gain": 7.0,
        "ideal_discount": 1.0, "ideal_term": 7.0, "ideal_running_dcg": 7.0,
    }  # fmt: skip
    assert json.loads(json.dumps(explanation.to_dict()))["rows"] == rows
    assert explanation.to_dict()["ndcg"] == explanation.ndcg
    assert explanation.to_dict()["tied"] == [[2, 4], [5, 6]]
    with pytest.raises(ValueError, match="read-only"):
        explanation.ranking.term[0] = 5
    with pytest.raises(AttributeError):
        explanation.ndcg = 1.0
    assert "nDCG@5" in repr(explanation)
    assert "\n" not in repr(explanation)


def test_lists_worth_nothing():
    assert "undefined" in str(rg.explain([0, 0], [1, 2]))
    nothing = rg.explain([], [])
    assert nothing.ndcg == 0.0
    assert nothing.rows() == []
    assert "undefined" in str(nothing)
    assert rg.explain([], judged=[2, 1]).idcg == rg.idcg([], judged=[2, 1])
    assert rg.explain([0, 0], convention="lightgbm").ndcg == 1.0


def test_a_truth_is_taken_for_its_labels():
    judged = [3, 3, 3, 2, 2, 1, 0, 0, 0]
    explanation = rg.explain(rg.Truth(LABELS, judged=judged), SCORES, k=5)
    assert explanation.rows() == rg.explain(LABELS, SCORES, k=5, judged=judged).rows()
    with pytest.raises(TypeError, match="judged"):
        rg.explain(rg.Truth(LABELS), SCORES, judged=judged)


@pytest.mark.parametrize("ties", TIES)
def test_a_cutoff_in_a_catalogue(ties):
    rng = np.random.default_rng(3)
    labels, scores = rng.integers(0, 2, 20_000), rng.integers(0, 5_000, 20_000)
    explanation = rg.explain(labels, scores, k=20, ties=ties)
    assert explanation.ranking.running_dcg[-1] == explanation.dcg
    assert explanation.ranking.running_dcg == approx(np.cumsum(explanation.ranking.term))


def test_a_long_list_prints_its_top():
    explanation = rg.explain(np.arange(3000) % 3, -np.arange(3000.0))
    assert len(str(explanation).splitlines()) < 60
    assert "2950 more ranks" in str(explanation)
    assert len(explanation.rows()) == 3000


def test_inputs_are_unchanged():
    labels, scores = LABELS.copy(), SCORES.copy()
    labels.setflags(write=False)
    rg.explain(labels, scores, k=3)
    assert (labels == LABELS).all()
    assert (scores == SCORES).all()
    assert labels.flags.owndata
    assert not labels.flags.writeable
    assert scores.flags.writeable


@pytest.mark.parametrize(
    ("args", "kwargs", "words"),
    [
        (([[1, 0]], [[1, 2]]), {}, "one list"),
        (([1, 0], [1, 2]), {"k": [1, 2]}, "one cutoff"),
        (([1, -1], [1, 2]), {}, "y_true.*negative"),
        (([1, 0], [1, np.nan]), {}, "y_score.*NaN"),
        (([1, 0], [1, 1]), {"convention": "trec"}, "ties="),
        (([1, 0], [1, 2]), {"gain": "log"}, "gain"),
        (([1, 0], [1, 2]), {"k": 0}, "k"),
    ],
)
def test_refused(args, kwargs, words):
    with pytest.raises(ValueError, match=words):
        rg.explain(*args, **kwargs)
    with pytest.raises(TypeError):
        rg.explain(*args, rel=1, **kwargs)


QRELS = {"q": {"a": 2, "b": 0, "c": 1, "z": 3}, "r": {"a": 1}}
RUN = {"q": {"b": 3.0, "x": 2.0, "a": 2.0, "c": 1.0}}


@pytest.mark.parametrize("measure", ["nDCG", "nDCG@3", "AP", "AP@3", "RR", "ERR", "ERR@2", "RR@1"])
@pytest.mark.parametrize("ties", ["id_descending", "id", "average", "stable", "worst", "best"])
@pytest.mark.parametrize("query", ["q", "r"])
def test_a_query_has_the_value_of_evaluate(measure, ties, query):
    result = rg.evaluate(QRELS, RUN, measure, ties=ties)
    expected = dict(zip(result.queries, result.per_query[measure], strict=True))[query]
    explanation = rg.explain(QRELS, RUN, query=query, measure=measure, ties=ties)
    assert (explanation.ndcg if measure.startswith("nDCG") else explanation.value) == pytest.approx(
        expected
    )
    assert f"{measure} {expected:.4f}" in str(explanation)
    if not measure.startswith("nDCG"):
        assert explanation.term.sum() == pytest.approx(expected, abs=1e-15)


def test_unjudged_documents_are_told_from_those_judged_0():
    explanation = rg.explain(QRELS, RUN, query="q")
    assert explanation.documents == ("b", "x", "a", "c")
    assert explanation.unjudged == (2,)
    assert explanation.ranking.label.tolist() == [0, 0, 2, 1]
    assert [line.split()[2] for line in str(explanation).splitlines()[5:7]] == ["0", "-"]
    assert "label -: unjudged, counted as 0" in str(explanation)
    assert json.loads(json.dumps(explanation.to_dict()))["unjudged"] == [2]


def test_the_documents_of_the_ideal_are_named():
    explanation = rg.explain(QRELS, RUN, query="q")
    assert explanation.ideal_documents[:3] == ("z", "a", "c")
    heads, first = (line.split("|") for line in str(explanation).splitlines()[4:6])
    assert [heads[0].split()[:2], heads[1].split()[:1]] == [["rank", "document"], ["document"]]
    assert [first[0].split()[:2], first[1].split()[:1]] == [["1", "b"], ["z"]]
    assert " doc " not in "|".join(heads)
    alone = rg.explain([0, 2, 1], [3, 2, 1])
    assert alone.ideal.document.tolist() == [1, 2, 0]


def test_what_each_rank_adds_to_ap_rr_and_err():
    ap = rg.explain([1, 0, 1], measure="AP")
    assert ap.term.tolist() == pytest.approx([1 / 2, 0, 1 / 3])
    assert rg.explain([0, 1, 1], measure="RR").term.tolist() == [0, 0.5, 0]
    err = rg.explain([4, 1], measure="ERR")
    assert err.term.tolist() == pytest.approx([15 / 16, 1 / 16 * 1 / 16 / 2])
    least = rg.explain([1, 0, 1, 1], measure="AP(divisor=min)@2")
    assert least.term.tolist() == pytest.approx([1 / 2, 0])
    assert rg.explain([0, 0], measure="AP").value == 0.0
    assert [row["rank"] for row in ap.rows()] == [1, 2, 3]
    assert json.loads(json.dumps(ap.to_dict()))["value"] == ap.value
    assert repr(ap) == "<Contributions AP = 0.8333; print it to see the table>"


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        (
            (QRELS, RUN),
            {"query": "none"},
            ValueError,
            "'none' has no judgments; there are 'q'",
        ),
        ((QRELS, RUN), {"query": "q", "judged": [1]}, TypeError, "the qrels say what is judged"),
        (([1, 0],), {"measure": "P@5"}, ValueError, "one of nDCG, AP, RR, ERR"),
        (([1, 0],), {"measure": "AP@2", "k": 2}, TypeError, "has its cutoff already"),
        (([1, 0],), {"measure": "AP", "gain": "exp2"}, TypeError, "gain is not taken by AP"),
        (([[1, 0]],), {"measure": "AP"}, ValueError, "takes one list"),
    ],
)
def test_what_cannot_be_explained(arguments, options, error, words):
    with pytest.raises(error, match=words):
        rg.explain(*arguments, **options)


# ---- one list of several, by its query

ROWS = ([1, 0, 1, 0, 2], [0.9, 0.2, 0.1, 0.5, 0.5])
QUERIES = [[6, 7, 7, 9, 9], np.array([6, 7, 7, 9, 9]), ["6", "7", "7", "9", "9"]]


@pytest.mark.parametrize("qid", QUERIES, ids=["list", "array", "text"])
@pytest.mark.parametrize("at", [0, 1, 2])
@pytest.mark.parametrize("judged", [None, [[1, 2, 0], [1, 0, 3], [0, 2, 1]]])
@pytest.mark.parametrize("convention", ["rankgain", "lightgbm"])
@pytest.mark.parametrize("measure", ["nDCG", "nDCG@1", "AP", "RR", "ERR"])
def test_a_list_of_several_is_explained_as_alone(qid, at, judged, convention, measure):
    first, last = [(0, 1), (1, 3), (3, 5)][at]
    beside = {"measure": measure, "convention": convention}
    one = {} if judged is None else {"judged": judged[at]}
    alone = rg.explain(ROWS[0][first:last], ROWS[1][first:last], **beside, **one)
    explanation = rg.explain(*ROWS, qid=qid, query=qid[first], judged=judged, **beside)
    assert explanation.settings == alone.settings
    if not measure.startswith("nDCG"):
        assert explanation.document.tolist() == (alone.document + first).tolist()
        assert (explanation.value, explanation.term.tolist()) == (alone.value, alone.term.tolist())
        return
    assert (explanation.ndcg, explanation.dcg, explanation.idcg) == (
        alone.ndcg,
        alone.dcg,
        alone.idcg,
    )
    assert explanation.ranking.document.tolist() == (alone.ranking.document + first).tolist()
    offset = first if judged is None else 0
    assert explanation.ideal.document.tolist() == (alone.ideal.document + offset).tolist()
    assert explanation.ideal.term.tolist() == alone.ideal.term.tolist()
    truth = rg.Truth(ROWS[0], qid=qid, judged=judged)
    assert str(rg.explain(truth, ROWS[1], query=qid[first], **beside)) == str(explanation)


def test_rows_of_a_list_need_not_follow_each_other():
    explanation = rg.explain(*ROWS, qid=[6, 7, 6, 9, 9], query=6)
    assert explanation.ranking.document.tolist() == [0, 2]
    assert explanation.ranking.label.tolist() == [1, 1]


def test_a_row_of_a_truth_is_explained():
    truth = rg.Truth([[1, 0, 2], [0, 1, 3]])
    explanation = rg.explain(truth, [[3, 2, 1], [3, 2, 1]], query=1)
    assert str(explanation) == str(rg.explain([0, 1, 3], [3, 2, 1]))


@pytest.mark.parametrize(
    ("arguments", "options", "error", "words"),
    [
        (ROWS, {"query": 7}, TypeError, "query= of arrays needs qid="),
        ((np.array(ROWS[0]), ROWS[1]), {"query": 7}, TypeError, "query= of arrays needs qid="),
        (ROWS, {"qid": QUERIES[0]}, TypeError, "give query="),
        ((rg.Truth(ROWS[0], qid=QUERIES[0]), ROWS[1]), {}, TypeError, "give query="),
        (ROWS, {"qid": QUERIES[0], "query": 8}, ValueError, "8 is no id of a list; there are 6, 7"),
        (ROWS, {"qid": [6, 7, 7], "query": 6}, ValueError, "qid"),
    ],
)
def test_which_list_is_to_be_said(arguments, options, error, words):
    with pytest.raises(error, match=words):
        rg.explain(*arguments, **options)


@pytest.mark.parametrize("rank", ["optimistic", "realistic", "pessimistic"])
@pytest.mark.parametrize("k", [None, 1, 2, 3])
def test_ranks_of_ties_in_the_name(rank, k):
    measure = f"RR(rank={rank})" + ("" if k is None else f"@{k}")
    labels, scores = [0, 0, 1, 1], [0.9, 0.5, 0.5, 0.5]
    first, last = 2, 3  # the block of the first hits has two of them: ranks 2 to 4 and 2 to 3
    expected = {"optimistic": first, "pessimistic": last, "realistic": (first + last) / 2}[rank]
    value = 1 / expected if k is None or expected <= k else 0.0
    explanation = rg.explain(labels, scores, measure=measure)
    assert explanation.value == pytest.approx(value)
    assert explanation.term.sum() == pytest.approx(value)
    by_query = rg.explain(
        {"q": {"c": 1, "d": 1}},
        {"q": {"a": 0.9, "b": 0.5, "c": 0.5, "d": 0.5}},
        query="q",
        measure=measure,
    )
    qrels_value = rg.evaluate(
        {"q": {"c": 1, "d": 1}}, {"q": {"a": 0.9, "b": 0.5, "c": 0.5, "d": 0.5}}, measure
    )
    assert by_query.value == pytest.approx(qrels_value[measure])


def test_the_ideal_is_as_short_as_what_was_returned():
    """Convention elasticsearch cuts the ideal at the number of documents returned."""
    rules = rg.conventions["trec"].replace(name="ours", ideal="returned")
    qrels = {"q": {"a": 1, "b": 2, "c": 3}}
    for run, sizes in (({"a": 2.0, "x": 1.0}, 2), ({"a": 2.0}, 1)):
        explanation = rg.explain(qrels, {"q": run}, query="q", convention=rules)
        assert len(explanation.ideal) == sizes
        assert explanation.ideal.label.tolist() == [3, 2, 1][:sizes]
        assert explanation.ideal.term.sum() == pytest.approx(explanation.idcg)
        expected = rg.evaluate(qrels, {"q": run}, "nDCG", convention=rules)
        assert explanation.ndcg == pytest.approx(expected["nDCG"])


def test_the_measure_may_stand_third():
    assert rg.explain([0, 1], [0.9, 0.2], "RR").value == 0.5
    assert str(rg.explain([0, 1], [0.9, 0.2], "AP@1")) == str(
        rg.explain([0, 1], [0.9, 0.2], measure="AP@1")
    )
