"""Names of measures, and conventions: parsed and printed again, or refused."""

import pickle
from typing import Any

import rankgain as rg
from draws import Draws, Refused, agree, outcome
from rankgain.convention.fields import BY_FAMILY, FIELD_CHECKS

LABELS, SCORES = [[0, 2, 1, 0], [1, 0, 0, 3]], [[0.4, 0.1, 0.4, 0.2], [0.1, 0.4, 0.2, 0.3]]
PIECES = ["nDCG", "AP", "RR", "P", "R", "ERR", "RBP", "F1", "@", "@5", "@10", "(", ")", "=", ","]
PIECES += ["gain", "exp2", "rel", "p", "0.9", "divisor", "min", "beta", " ", "ties", "cut", "_"]
PIECES += ["ndcg_cut_10", "map", "recip_rank", "nan", "inf", "-1", "{", "}", ":", "1e400", "%", "é"]
WORDS = ["linear", "exp2", "binary", "log2", "log", "reciprocal", "average", "stable", "id", "zero"]
WORDS += ["keep", "raise", "any", "integer", "judged", "list", "ones", "k", "min", "skip", "nan"]
VALUES: list[Any] = [*WORDS, None, True, False, 0, 1, 2.5, -1, 10**400, float("nan"), float("inf")]
VALUES += [{}, {"*": 1}, {"ndcg": "keep"}, {"ndcg@k": 3, "*": "nan"}, [], [1, 2], (), {0: 0, 1: 3}]
VALUES += [b"x", {1: {2: 3}}, [None], {None: 1}, len, {"ndcg": {"a": 1}, 2: 0}, "", "\0", object]


def parse(data: bytes) -> None:
    """A name, of pieces or of any text: printed as it is parsed again, and evaluated or refused."""
    d = Draws(data)
    if d.chance(3):
        text = d.rest().decode("utf-8", "surrogateescape")
    else:
        text = "".join(d.pick(PIECES) for _ in range(d.below(12)))
    measure = outcome(lambda: rg.parse_measure(text))
    many = outcome(lambda: rg.parse_measures(text))
    if isinstance(measure, Refused):
        outcome(lambda: rg.evaluate_arrays(LABELS, SCORES, text))
        return
    agree(measure, rg.parse_measure(str(measure)), pickle.loads(pickle.dumps(measure)))
    agree(repr(measure), repr(rg.parse_measure(str(measure))))
    assert isinstance(many, Refused) or list(many) == [measure]
    result = outcome(lambda: dict(rg.evaluate_arrays(LABELS, SCORES, text).means))
    agree(result, outcome(lambda: dict(rg.evaluate_arrays(LABELS, SCORES, measure).means)))


def convene(data: bytes) -> None:
    """A convention of any values: a value among others, and one that evaluates or refuses."""
    d = Draws(data)
    fields = sorted({*FIELD_CHECKS, *BY_FAMILY})
    values: dict[str, Any] = {}
    for _ in range(d.below(4)):
        value = d.pick(VALUES)
        if d.chance(4):
            value = {d.pick(["ndcg", "*", "average_precision", "ndcg@k", 3]): value}
        values[d.pick(fields) if d.below(16) < 15 else d.text()] = value
    name = d.pick(["mine", "mine", "trec", "", "\ud800", "a b"])
    made = outcome(lambda: rg.Convention(name, **values))
    measures = d.pick([["nDCG@3", "AP"], ["RR", "P@2"], ["ERR", "RBP", "F1"]])
    if isinstance(made, Refused):
        return
    agree(made, rg.Convention(name, **values))
    agree(hash(made), hash(rg.Convention(name, **values)))
    assert str(made)
    assert repr(made)
    outcome(lambda: rg.evaluate_arrays(LABELS, SCORES, measures, convention=made))
    qrels, run = {"q": {"a": 1, "b": -1}}, {"q": {"a": 1.0, "b": 1.0, "c": 0.5}}
    outcome(lambda: rg.evaluate(qrels, run, measures, convention=made))
