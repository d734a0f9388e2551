"""Labels below 0 in arrays, and long flat arrays: a warning where they are probably a mistake."""

import warnings

import numpy as np
import pytest

import rankgain as rg

PADDED, SCORES = [[-100, 1, 0], [0, 1, -100]], [[0.9, 0.1, 0.05], [0.2, 0.1, 0.3]]


def warnings_of(call):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        call()
    return [str(one.message) for one in caught]


@pytest.mark.parametrize("measure", ["AP", "RR", "P@2", "R@2", "HitRate@1", "AUC", "RBP"])
def test_a_measure_that_does_not_use_them_warns_once(measure):
    truth, arrays = rg.Truth(PADDED), (np.array(PADDED), np.array(SCORES))
    for call in (
        lambda: rg.evaluate_arrays(PADDED, SCORES, [measure, "DCG"]),
        lambda: rg.evaluate_arrays(truth, SCORES, measure),
        lambda: rg.evaluate_models(PADDED, {"a": SCORES, "b": SCORES}, measure),
        lambda: rg.evaluate_arrays(*arrays, [measure, measure.lower()], threads=2),
    ):
        (message,) = warnings_of(call)
        words = message.removeprefix("model 'a': ")  # the first of several models
        assert words.startswith("y_true: list 0, document 0 has the label -100, and ")
        assert "pass ignore=-100" in message


@pytest.mark.parametrize("call", [
    lambda: rg.evaluate_arrays(PADDED, SCORES, ["DCG", "CG", "IDCG"]),
    lambda: rg.evaluate_arrays(PADDED, SCORES, ["AP", "RR"], ignore=-100),
    lambda: rg.evaluate_arrays(rg.Truth(PADDED, ignore=-100), SCORES, ["AP", "RR"]),
    lambda: rg.evaluate_arrays(PADDED, SCORES, "AP", exclude=np.array(PADDED) < 0),
    lambda: rg.evaluate_arrays([[1, 0, -9]], [[1, 2, 3]], "AP", lengths=[2]),
    lambda: rg.evaluate_arrays(PADDED, SCORES, "AP(rel=-200)"),
    lambda: rg.evaluate_arrays(PADDED, SCORES, ["AP", "RR"], convention="keras_rs"),
    lambda: rg.evaluate_arrays([[0, 1]], [[1, 2]], ["AP"], judged=[[0, 1, -2]]),
    lambda: rg.evaluate({"q": {"a": -2, "b": 1}}, {"q": {"a": 1.0, "b": 2.0}}, "AP"),
    lambda: rg.evaluate_ids([["a", "b"]], [{"a": -2, "b": 1}], "AP"),
    lambda: rg.average_precision([1, -1, 1, -1], [1, 2, 3, 4]),  # two classes
    lambda: rg.evaluate_arrays([1, -1, 1, -1], [1, 2, 3, 4], "AUC", qid=[1, 1, 2, 2]),
])  # fmt: skip
def test_what_does_not_warn(call):
    assert warnings_of(call) == []


def test_a_refused_negative_label_may_be_a_score_or_padding():
    with pytest.raises(ValueError, match=r"DCG does\. If -1 is padding, pass ignore=-1$"):
        rg.ndcg([1, -1], [0.5, 0.2])
    with pytest.raises(ValueError, match="Did you swap y_true and y_score"):
        rg.ndcg([0.3, -0.185], [1, 0])
    with pytest.raises(ValueError, match=r"DCG does$"):
        rg.ndcg([0.3, -0.185], [0.1, 0.7])


def drawn(grades, share, n=768):
    draw = np.random.default_rng(5)
    rest = (1 - share[0]) / (grades - 1)
    return draw.choice(grades, n, p=[share[0], *[rest] * (grades - 1)]), draw.random(n)


def test_a_long_flat_list_of_grades_may_be_several_queries():
    labels, scores = drawn(5, [0.5])
    (message,) = warnings_of(lambda: rg.evaluate_arrays(labels, scores, ["nDCG", "AP"]))
    assert message == (
        "y_true is one list of 768 documents with labels 0 to 4; if these are the documents of "
        "several queries, give group= or qid="
    )
    models = {"a": scores, "b": scores}
    assert len(warnings_of(lambda: rg.evaluate_models(labels, models, "nDCG"))) == 1


@pytest.mark.parametrize(("labels", "options"), [
    (drawn(5, [0.9])[0], {}),  # as a pool of one query
    (drawn(3, [0.5])[0], {}),
    (drawn(5, [0.5], 300)[0], {}),
    (drawn(40, [0.5])[0], {}),
    (drawn(5, [0.5])[0] * 1.5, {}),
    (drawn(5, [0.5])[0], {"group": [68, 700]}),
    (drawn(5, [0.5])[0], {"qid": [0] * 768}),
])  # fmt: skip
def test_other_long_lists_say_nothing(labels, options):
    scores = np.random.default_rng(2).random(len(labels))
    assert warnings_of(lambda: rg.evaluate_arrays(labels, scores, "nDCG", **options)) == []


@pytest.mark.parametrize("call", [rg.evaluate_arrays, rg.evaluate_models])
def test_groups_is_group(call):
    scores = [2, 1] if call is rg.evaluate_arrays else {"m": [2, 1]}
    with pytest.raises(TypeError, match=r"'groups'; did you mean group=\?"):
        call([1, 0], scores, "RR", groups=[2])
