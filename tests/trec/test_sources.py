"""Dicts and other objects give the same evaluation and the same errors as the loaded ones."""

import random

import pytest

import rankgain as rg
from joined import MEASURES, loaded, made, same
from sampling import sampled

LIKE_A_LIST = rg.conventions["trec"].replace(ideal="list")
DROPS = rg.conventions["trec"].replace(drop_scores_at_most=0.0)
SKIPS = rg.conventions["trec"].replace(missing="skip")


@pytest.mark.parametrize("convention", sampled(["trec", "pytrec_eval"], one_in=2))
def test_infinite_and_overflowing_scores_of_dicts_rank_as_they_do_in_a_run(convention):
    rng = random.Random(5)
    scores = [
        float("inf"), -float("inf"), 0.0, -0.0, 1.0, 2.0, 5e-324, 1e-300, 1e300, 1e308, -1e308,
    ]  # fmt: skip
    for _ in range(600):
        few = rng.sample(scores, rng.randrange(1, 4))
        run = {"1": {str(d): rng.choice(few) for d in range(rng.randrange(1, 7))}}
        qrels = {"1": {str(rng.randrange(7)): 1, str(rng.randrange(7)): 2}}
        expected = rg.evaluate(*loaded(qrels, run), MEASURES, convention=convention)
        same(rg.evaluate(qrels, run, MEASURES, convention=convention), expected)


@pytest.mark.parametrize("options", [{}, {"bounds": "ties"}, {"judged_only": True}])
@pytest.mark.parametrize("ties", [
    "id_descending", "id", "stable", "reverse", "average", "best", "worst",
])  # fmt: skip
def test_documents_with_scores_up_to_the_limit_are_not_relevant(ties, options, tmp_path):
    scores = {"low": 1.0, "b": 2.0, "a": 2.0, "c": 2.0, "lower": 0.5, "d": 3.0}
    run = {"p": {"a": 1.0}, "q": scores}
    qrels = {"p": {"a": 1}, "q": {"low": 1, "lower": 1, "a": 1, "b": 0, "c": 0, "d": 0}}
    expected = {"p": {"a": 0}, "q": {**qrels["q"], "low": 0, "lower": 0}}
    rules = rg.conventions["trec"].replace(ties=ties, drop_scores_at_most=1.0)
    path = tmp_path / "run"
    path.write_text("p Q0 a 1 1 t\n" + "".join(f"q Q0 {d} 1 {x} t\n" for d, x in scores.items()))
    names = ["RR", "NumRelRet", "P@2", "SetP"]
    values = rg.evaluate(expected, run, names, ties=ties, **options)
    for judged in (qrels, rg.Qrels(qrels)):
        for ranked in (run, rg.Run(run), path):
            result = rg.evaluate(judged, ranked, names, convention=rules, **options)
            assert result.to_dict() == values.to_dict()


def test_records_serve_conventions_with_other_judged_documents_in_turn():
    qrels, run = rg.Qrels({"q": {"a": -1, "b": 1}}), rg.Run({"q": ["a", "x", "b"]})
    for negative, value in (("zero", 1.0), ("keep", 0.5), ("zero", 1.0)):
        rules = rg.conventions["trec"].replace(unjudged="drop", negative=negative)
        assert rg.evaluate(qrels, run, "RR", convention=rules)["RR"] == value


def tied(form):
    """Qrels and a run with blocks of ties in each list, in a form of dicts."""
    qrels, run = made(11)
    few = random.Random(11)
    run = {q: {d: few.choice([0.5, 0.25, -1.0]) for d in docs} for q, docs in run.items()}
    qrels = {q: {d: few.randrange(-1, 3) for d in docs} for q, docs in qrels.items()}
    if form == "many":  # hits of a list
        names = [f"é{at}" for at in range(150)]
        qrels = {"q": {d: few.randrange(-1, 3) for d in names[:120]}}
        run = {"q": {d: few.choice([0.5, few.random()]) for d in few.sample(names, 150)}}
    elif form == "integers":
        qrels, run = (
            {q: {int(d): x for d, x in docs.items()} for q, docs in data.items()}
            for data in (qrels, run)
        )
    elif form == "one score":
        run = {q: dict.fromkeys(docs, 1) for q, docs in run.items()}
    elif form == "one float":
        run = {q: {d: x + few.random() * 1e-9 for d, x in docs.items()} for q, docs in run.items()}
    elif form in ("sets", "frozensets", "lists", "tuples"):
        kind = {"sets": set, "frozensets": frozenset, "lists": list, "tuples": tuple}[form]
        qrels = {q: kind(docs) for q, docs in qrels.items()}
    elif form == "rankings":
        run = {q: list(docs) for q, docs in run.items()}
    return qrels, run


@pytest.mark.parametrize(("measures", "options", "fails"), [
    ("11pt_avg", {"ties": "average"}, True),
    ("11pt_avg", {"ties": "worst"}, False),
    (["AP", "nDCG"], {"ties": "random", "seed": 3}, False),
    (["AP", "nDCG"], {"ties": "average", "judged_only": True}, False),
    (["AP", "nDCG"], {"convention": LIKE_A_LIST, "ties": "average"}, False),
    ("Bpref", {"convention": LIKE_A_LIST, "ties": "average"}, True),
    (["AP", "RR"], {"convention": DROPS, "ties": "stable"}, False),
    (["AP", "AP(ties=id)", "RR(ties=worst)"], {"ties": "stable"}, False),
    (["nDCG", "P@3"], {"convention": "lenskit", "ties": "worst"}, False),
    (["nDCG", "AP"], {"convention": SKIPS, "ties": "average"}, False),
    ("AP", {"ties": "average", "bounds": "ties"}, False),
])  # fmt: skip
def test_ties_that_need_the_scores_are_those_of_objects(measures, options, fails):
    qrels, run = tied("dicts")
    qrels = {q: {d: max(x, 0) for d, x in docs.items()} for q, docs in qrels.items()}

    def outcome(*sources):
        try:
            return rg.evaluate(*sources, measures, **options)
        except ValueError as error:
            return str(error)

    result, expected = outcome(qrels, run), outcome(*loaded(qrels, run))
    assert isinstance(expected, str) == fails
    if fails:
        assert result == expected
    else:
        same(result, expected)
