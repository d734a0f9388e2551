"""Means of model's labels corrected by people's: coverage, width, and what is refused."""

import math

import numpy as np
import pytest

import rankgain as rg

stats = pytest.importorskip("scipy.stats")
NAMES = [f"q{at}" for at in range(2_000)]


def of(values, queries=NAMES, **more):
    values = np.asarray(values, float)
    return rg.Evaluation({"AP": values.mean()}, {"AP": values}, queries[: len(values)], **more)


def drawn(rng, n, others, noise):
    truth = rng.beta(2, 3, n + others)
    model = np.clip(truth + 0.1 + rng.normal(0, noise, n + others), 0, 1)
    return truth[:n], model


def test_the_formula_by_hand():
    rng = np.random.default_rng(1)
    people, model = drawn(rng, 40, 200, 0.2)
    f, rest = model[:40], model[40:]
    plain = rg.corrected_mean(of(model), of(people), "AP", tuned=False)
    assert plain.mean == pytest.approx(rest.mean() + (people - f).mean())
    error = math.sqrt((people - f).var(ddof=1) / 40 + rest.var(ddof=1) / 200)
    half = stats.t.ppf(0.975, 39) * error
    assert (plain.low, plain.high) == pytest.approx((plain.mean - half, plain.mean + half))
    weight = np.cov(people, f)[0, 1] / (1 + 40 / 200) / model.var(ddof=1)
    tuned = rg.corrected_mean(of(model), of(people), "AP")
    assert tuned.mean == pytest.approx(people.mean() + weight * (rest.mean() - f.mean()))
    residuals = (people - weight * f).var(ddof=1) * 39 / 38
    error = math.sqrt(residuals / 40 + weight**2 * rest.var(ddof=1) / 200)
    assert tuned.high - tuned.mean == pytest.approx(stats.t.ppf(0.975, 38) * error)
    order = rng.permutation(240)
    shuffled = of(model[order], [NAMES[at] for at in order])
    assert rg.corrected_mean(shuffled, of(people), "AP") == pytest.approx(tuned)


@pytest.mark.parametrize("tuned", [True, False])
def test_coverage_and_width(tuned):
    rng = np.random.default_rng(2)
    covered, narrower, repeats = 0, [], 1_500
    for _ in range(repeats):
        people, model = drawn(rng, 60, 600, 0.08)
        found = rg.corrected_mean(of(model), of(people), "AP", tuned=tuned)
        covered += found.low <= 0.4 <= found.high
        alone = 2 * 1.96 * people.std(ddof=1) / math.sqrt(60)
        narrower.append((found.high - found.low) / alone)
    assert abs(covered / repeats - 0.95) < 0.02
    assert np.mean(narrower) < 0.75


def test_labels_that_say_nothing_do_no_harm_when_tuned():
    rng = np.random.default_rng(3)
    people, model = rng.random(50), rng.random(500)
    alone = 2 * 1.96 * people.std(ddof=1) / math.sqrt(50)
    widths = [
        np.subtract(*rg.corrected_mean(of(model), of(people), "AP", tuned=tuned)[:0:-1])
        for tuned in (True, False)
    ]
    assert widths[0] < 1.05 * alone < 1.2 * widths[1]


@pytest.mark.parametrize("sign", [1, -1])
def test_the_weight_stays_inside_0_and_1(sign):
    model = np.array([0.1, 0.5, 0.2, 0.4, 0.3, 0.35, 0.25, 0.15])
    people = 0.3 + sign * 9 * (model[:6] - 0.3)
    found = rg.corrected_mean(of(model), of(people), "AP")
    weight = 1.0 if sign == 1 else 0.0
    f, rest = model[:6], model[6:]
    assert found.mean == pytest.approx(people.mean() + weight * (rest.mean() - f.mean()))
    variance = (people - weight * f).var(ddof=2) / 6 + weight * rest.var(ddof=1) / 2
    half = stats.t.ppf(0.975, 4) * math.sqrt(variance)
    assert (found.low, found.high) == pytest.approx((found.mean - half, found.mean + half))


def test_fewer_than_five_lists_of_people_are_refused():
    model = of(np.linspace(0, 1, 30))
    rg.corrected_mean(model, of(np.linspace(0, 1, 5)), "AP")
    with pytest.raises(ValueError, match=r"values for 4 lists.*at least 5 and one are needed"):
        rg.corrected_mean(model, of(np.linspace(0, 1, 4)), "AP")


def test_positions_stand_for_the_first_lists():
    rng = np.random.default_rng(4)
    people, model = drawn(rng, 20, 80, 0.1)
    named = rg.corrected_mean(of(model), of(people), "AP")
    plain = [
        rg.Evaluation({"AP": one.mean()}, {"AP": one}, range(len(one))) for one in (model, people)
    ]
    with pytest.warns(rg.RankgainWarning, match="the 20 of by_people are taken as the first"):
        assert rg.corrected_mean(*plain, "AP") == named


def test_what_is_refused():
    model, people = of(np.linspace(0, 1, 30)), of(np.linspace(0, 1, 10))
    with pytest.raises(ValueError, match="by_people has query 'x', which by_model lacks"):
        rg.corrected_mean(model, of([0.5, 0.5], ["x", "q1"]), "AP")
    with pytest.raises(ValueError, match="by_model for 0 others"):
        rg.corrected_mean(people, people, "AP")
    with pytest.raises(ValueError, match="has values for 1 lists"):
        rg.corrected_mean(model, of([0.5]), "AP")
    with pytest.raises(KeyError, match="nDCG was not evaluated"):
        rg.corrected_mean(model, people, "nDCG")
    with pytest.raises(ValueError, match="takes plain means"):
        rg.corrected_mean(of(np.ones(30), weights=np.ones(30)), people, "AP")
    with pytest.raises(TypeError, match="by_people must be an Evaluation"):
        rg.corrected_mean(model, [0.5], "AP")
    with pytest.raises(TypeError, match="tuned must be True or False"):
        rg.corrected_mean(model, people, "AP", tuned=0.5)
