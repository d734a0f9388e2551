"""Requests that are prepared once: whatever went before, a call has its own options."""

import itertools

import pytest

import rankgain as rg
from rankgain.engine.plan import Cache
from rankgain.evaluation import runs

QRELS = {"q": {"a": 2, "b": 1, "c": 0, "d": 0}, "p": {"a": 1}, "r": {"x": 2}}
RUN = {"q": {"e": 0.9, "b": 0.5, "a": 0.5, "c": 0.4}, "p": {"f": 2.0, "a": 1.0}}
MEASURES = ["nDCG@2", "AP", "RR"]
OPTIONS = [
    *(
        {},
        {"judged_only": True},
        {"judged_only": False},
        {"rel": 2},
        {"rel": 2.0},
        {"empty": "skip"},
    ),
    *({"ties": ties} for ties in ("average", "stable", "best", "id")),
    *({"convention": one} for one in ("ir_measures", "pytrec_eval", "beir", "rankgain")),
    {"convention": "ir_measures", "judged_only": True},
    {"convention": rg.conventions["trec"].replace(rel=2)},
    {"convention": rg.conventions["trec"].replace(missing="skip")},
]


def alone(monkeypatch, options, names=MEASURES):
    """The result of a call that finds nothing prepared, by a convention that nobody has used."""
    with monkeypatch.context() as patch:
        patch.setattr(runs, "REQUESTS", Cache(8))
        given = dict(options)
        if isinstance(given.get("convention"), str):
            rules = rg.conventions[given["convention"]]
            given["convention"] = rules.replace(name=rules.name)
        return rg.evaluate(QRELS, RUN, names, **given)


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
def test_calls_one_after_the_other(monkeypatch):
    expected = [alone(monkeypatch, options) for options in OPTIONS]
    assert len({str(one.to_dict()) for one in expected}) > 6
    for (one, first), (other, second) in itertools.product(
        zip(OPTIONS, expected, strict=True), repeat=2
    ):
        assert rg.evaluate(QRELS, RUN, MEASURES, **one) == first
        result = rg.evaluate(QRELS, RUN, tuple(MEASURES), **other)
        assert result == second
        assert (result.settings, result.convention) == (second.settings, second.convention)


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
def test_measures_that_are_read_once(monkeypatch):
    expected = alone(monkeypatch, {}, ["AP", "RR"])
    for names in (iter(["AP", "RR"]), map(str, ["AP", "RR"]), dict.fromkeys(["AP", "RR"])):
        assert rg.evaluate(QRELS, RUN, names) == expected
    assert rg.evaluate(QRELS, RUN, "AP").means.keys() == {"AP"}


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")
def test_a_gain_without_a_hash_is_read_anew():
    class Gain:
        __hash__ = None

        def __init__(self, factor):
            self.factor = factor

        def __call__(self, labels):
            return self.factor * (labels > 0)

    for factor in (1.0, 3.0):
        result = rg.evaluate(QRELS, RUN, "DCG", gain=Gain(factor))
        assert result["DCG"] == pytest.approx(
            factor * rg.evaluate(QRELS, RUN, "DCG", gain="binary")["DCG"]
        )


@pytest.mark.parametrize("name", ["Coverage", "ILD", "Gini", "Novelty"])
@pytest.mark.parametrize(
    "call",
    [
        lambda name: rg.evaluate(QRELS, RUN, name),
        lambda name: rg.evaluate(QRELS, RUN, ["AP", name], bounds="ties"),
        lambda name: rg.evaluate(rg.Qrels(QRELS), rg.Run(RUN), name),
        lambda name: rg.evaluate_runs(QRELS, {"one": RUN}, name),
        lambda name: rg.reconcile_runs(QRELS, RUN, "trec", "beir", measure=name),
        lambda name: rg.judge_next(QRELS, {"q": {"a": 1.0}}, name, 2),
        lambda name: rg.evaluate_arrays([1, 0], [0.5, 0.2], name),
    ],
)
def test_measures_of_all_items_are_sent_elsewhere(call, name):
    words = f"measure '{name}' is of the items of all lists; use evaluate_catalogue"
    for _ in range(2):
        with pytest.raises(ValueError, match=words):
            call(name)
