"""Every source of a run gives the same evaluation and the same errors as the loaded objects."""

import gzip
import io
import os
import random
import subprocess
import sys
from collections import Counter, OrderedDict, UserDict, defaultdict
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

import numpy as np
import pytest

import rankgain as rg
from rankgain.trec import join as sources
from sampling import sampled

MEASURES = ["nDCG@10", "AP", "RR", "P@5", "R@20"]
LIKE_A_LIST = rg.conventions["trec"].replace(ideal="list")
DROPS = rg.conventions["trec"].replace(drop_scores_at_most=0.0)
SKIPS = rg.conventions["trec"].replace(missing="skip")


def made(seed, name=str, label=int, score=float):
    """Qrels and a run with ties, and with queries on one side only; ids and numbers as asked."""
    rng = random.Random(seed)
    names = rng.sample(range(200), 80)
    qrels = {
        name(q): {name(d): label(rng.randrange(-1, 4)) for d in rng.sample(names, 30)}
        for q in range(1, 12)
    }
    run = {
        name(q): {name(d): score(rng.randrange(40) / 8) for d in rng.sample(names, 60)}
        for q in range(3, 14)
    }
    run[name(5)], qrels[name(6)], run[name(20)] = {}, {}, {}
    return qrels, run


def loaded(qrels, run):
    return rg.Qrels(qrels), rg.Run(run)


def same(result, expected):
    assert result.queries == expected.queries
    assert result.counts == expected.counts
    np.testing.assert_equal(dict(result.means), dict(expected.means))
    for measure, values in expected.per_query.items():
        assert np.array_equal(result.per_query[measure], values, equal_nan=True)


NUMBERS = (int, float, np.float32, np.float64, np.int16, Fraction, Decimal)


@pytest.mark.parametrize(
    ("name", "number"),
    sampled([str, int, "é{}".format, "\U0001f388{}".format], NUMBERS, one_in=2),
)
def test_dicts_are_joined_as_they_are(name, number, monkeypatch):
    for seed in range(4):
        qrels, run = made(seed, name, number if number is not np.int16 else int)
        if number is not int:
            run = {q: {d: number(s) for d, s in documents.items()} for q, documents in run.items()}
        expected = rg.evaluate(*loaded(qrels, run), MEASURES)
        kept = rg.Qrels(qrels)
        with monkeypatch.context() as patched:
            if name is not int:  # ties of integers are ordered as text, by the objects
                patched.setattr(sources, "join", None)
            same(rg.evaluate(qrels, run, MEASURES), expected)
            for _ in range(2):
                same(rg.evaluate(kept, run, MEASURES), expected)


@pytest.mark.parametrize("convention", sampled(["trec", "pytrec_eval"], one_in=2))
def test_infinite_and_overflowing_scores_of_dicts_rank_as_they_do_in_a_run(convention):
    rng = random.Random(5)
    scores = [
        float("inf"),
        -float("inf"),
        0.0,
        -0.0,
        1.0,
        2.0,
        5e-324,
        1e-300,
        1e300,
        1e308,
        -1e308,
    ]
    for _ in range(600):
        few = rng.sample(scores, rng.randrange(1, 4))
        run = {"1": {str(d): rng.choice(few) for d in range(rng.randrange(1, 7))}}
        qrels = {"1": {str(rng.randrange(7)): 1, str(rng.randrange(7)): 2}}
        expected = rg.evaluate(*loaded(qrels, run), MEASURES, convention=convention)
        same(rg.evaluate(qrels, run, MEASURES, convention=convention), expected)


@pytest.mark.parametrize("ties", ["average", "best", "worst"])
def test_tied_documents_of_objects_are_those_of_arrays(ties):
    measures = ["nDCG", "AP", "RR@5", "P@10", "ERR", "RBP"]
    for seed, steps in enumerate((1, 3, 20, 200)):
        rng = random.Random(seed)
        run = {str(q): {str(d): rng.randrange(steps) / 8 for d in range(60)} for q in range(5)}
        qrels = {
            q: {d: rng.randrange(4) for d in rng.sample(sorted(run[q]), 25)}
            for q in rng.sample(sorted(run), 4)
        }
        y = [[qrels[q].get(d, 0) for d in run[q]] for q in qrels]
        x = [list(run[q].values()) for q in qrels]
        expected = rg.evaluate_arrays(y, x, measures, ties=ties)
        judged, ranked = loaded(qrels, run)
        for _ in range(2):
            result = rg.evaluate(judged, ranked, measures, ties=ties)
            for name, values in expected.per_query.items():
                assert np.array_equal(result.per_query[name], values, equal_nan=True), (name, seed)


@pytest.mark.parametrize("kind", [
    OrderedDict, Counter, UserDict, MappingProxyType, lambda items: defaultdict(float, items),
])  # fmt: skip
def test_any_mapping_serves_as_a_dict(kind):
    qrels, run = made(3, score=int)
    expected = rg.evaluate(qrels, run, MEASURES)
    judged, ranked = ({q: kind(documents) for q, documents in one.items()} for one in (qrels, run))
    for one, other in [(qrels, ranked), (judged, run), (judged, ranked), loaded(judged, ranked)]:
        same(rg.evaluate(one, other, MEASURES), expected)
        if kind is not Counter and isinstance(one, dict):
            same(rg.evaluate(kind(one), kind(other), MEASURES), expected)


@pytest.mark.parametrize("query", [True, 1.0, np.bool_(True)])
def test_what_equals_the_id_of_a_query_is_none(query):
    with pytest.raises(TypeError, match="an id must be a string or an integer"):
        rg.evaluate({1: {"a": 1}}, {query: {"a": 1.0}}, "RR")


def test_integers_without_ties_are_joined_as_they_are():
    qrels, run = made(1, int)
    run = {q: {d: i + 0.5 for i, d in enumerate(documents)} for q, documents in run.items()}
    expected = rg.evaluate(*loaded(qrels, run), MEASURES)
    kept = rg.Qrels(qrels | {6: {"007": 3, "x": 2, "-0": 1}})
    again = rg.evaluate(kept, rg.Run(run), MEASURES)
    same(rg.evaluate(qrels, run, MEASURES), expected)
    same(rg.evaluate(kept, run, MEASURES), again)


@pytest.mark.parametrize(
    "change",
    [
        lambda run: run | {"3": {"a": 1.0, 10: 2.0, "b": 1.0}},
        lambda run: run | {"3": {10: 1.0, 11: 2.0}},
        lambda run: run | {99: {"a": 1.0}},
        lambda run: {int(query): documents for query, documents in run.items()},
        lambda run: {query: {int(d): s for d, s in run[query].items()} for query in run},
        lambda run: run | {"3": {"\udc80": 1.0, "é": 1.0, "\U0001f388": 1.0, "a": 1.0}},
    ],
)
def test_ids_of_both_kinds_mean_the_same(change):
    qrels, run = made(2)
    qrels["3"] |= {"10": 3, "a": 2, "\udc80": 2, "é": 1}
    run = change(run)
    expected = rg.evaluate(*loaded(qrels, run), MEASURES)
    same(rg.evaluate(qrels, run, MEASURES), expected)
    same(rg.evaluate(rg.Qrels(qrels), run, MEASURES), expected)


WRONG = [
    {"3": None},
    {"3": [("a", 1.0)]},
    {"3": {"a": "1.0"}},
    {"3": {"a": None}},
    {"3": {"a": float("nan")}},
    {"3": {"x": float("nan")}},
    {"3": {1.5: 1.0}},
    {"3": {None: 1.0}},
    {"3": {"a": 10**400}},
    {None: {"a": 1.0}},
    {"unjudged": {"a": "x"}},
    {"unjudged": {None: 1.0}},
    {"unjudged": None},
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
def test_errors_are_those_of_the_objects(wrong):
    qrels, run = made(3)
    run |= wrong
    with pytest.raises((TypeError, ValueError, OverflowError)) as expected:
        rg.Run(run)
    for judged in (qrels, rg.Qrels(qrels)):
        with pytest.raises(type(expected.value)) as result:
            rg.evaluate(judged, run, MEASURES)
        assert str(result.value) == str(expected.value)


@pytest.mark.parametrize("wrong", [{"3": {"a": float("inf")}}, {"3": None}, {"3": {"a": "x"}}])
def test_errors_of_qrels_are_those_of_the_objects(wrong):
    qrels, run = made(3)
    qrels |= wrong
    with pytest.raises((TypeError, ValueError)) as expected:
        rg.Qrels(qrels)
    with pytest.raises(type(expected.value)) as result:
        rg.evaluate(qrels, run, MEASURES)
    assert str(result.value) == str(expected.value)


class Wrapped(dict):
    """A dict of another class, as some readers return."""


@pytest.mark.filterwarnings("ignore::rankgain.RankgainWarning")  # the qrels alone have a query
@pytest.mark.parametrize("empty", [({}, {}), ({"1": {"a": 1}}, {}), ({}, {"1": {"a": 1.0}})])
def test_nothing_to_join(empty):
    expected = rg.evaluate(*loaded(*empty), MEASURES)
    same(rg.evaluate(*empty, MEASURES), expected)
    same(rg.evaluate(Wrapped(empty[0]), Wrapped(empty[1]), MEASURES), expected)


def written(tmp_path, seed, shuffled=False):
    qrels, run = made(seed)
    text = io.StringIO()
    rg.Run(run).write(text)
    lines = text.getvalue().splitlines(keepends=True)
    if shuffled:
        random.Random(1).shuffle(lines)
    path = tmp_path / "run.txt"
    path.write_text("".join(lines))
    (tmp_path / "run.gz").write_bytes(gzip.compress(path.read_bytes()))
    return qrels, path


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("convention", ["trec", "trec_eval-9", "ir_measures", "ranx"])
def test_files_are_streamed(shuffled, convention, tmp_path):
    qrels, path = written(tmp_path, 5, shuffled)
    options = {"convention": convention}
    expected = rg.evaluate(rg.Qrels(qrels), rg.Run.read(path), MEASURES, **options)
    same(rg.evaluate(qrels, path, MEASURES, **options), expected)
    same(rg.evaluate(qrels, str(path), MEASURES, threads=2, **options), expected)
    same(rg.evaluate(qrels, tmp_path / "run.gz", MEASURES, **options), expected)
    with path.open("rb") as file:
        same(rg.evaluate(qrels, file, MEASURES, **options), expected)
    with path.open() as file:
        same(rg.evaluate(qrels, file, MEASURES, **options), expected)


class Pipe(io.RawIOBase):
    """A stream that cannot go back."""

    def __init__(self, data):
        self.inner = io.BytesIO(data)

    def readable(self):
        return True

    def readinto(self, block):
        return self.inner.readinto(block)


@pytest.mark.parametrize("shuffled", [False, True])
def test_pipes_are_streamed(shuffled, tmp_path):
    qrels, path = written(tmp_path, 6, shuffled)
    expected = rg.evaluate(rg.Qrels(qrels), rg.Run.read(path), MEASURES)
    for file in (path, tmp_path / "run.gz"):
        same(rg.evaluate(qrels, Pipe(file.read_bytes()), MEASURES), expected)


@pytest.mark.parametrize("redirected", [False, True])
@pytest.mark.parametrize("bad", ["", "3 Q0 x\n"])
def test_standard_input_is_streamed(redirected, bad, tmp_path):
    qrels, path = written(tmp_path, 7)
    path.write_text(path.read_text() + bad)
    code = f"import rankgain as rg; print(rg.evaluate({qrels!r}, '-', 'AP').means['AP'])"
    data = path.read_bytes()
    command = [sys.executable, "-c", code]
    if redirected:
        with path.open("rb") as file:
            done = subprocess.run(command, stdin=file, capture_output=True)
    else:
        done = subprocess.run(command, input=data, capture_output=True)
    if bad:
        line = data.count(b"\n")
        words = f"standard input, line {line}: too few fields: 3, but a run has six"
        assert words in done.stderr.decode()
    else:
        assert float(done.stdout) == rg.evaluate(qrels, path, "AP").means["AP"]


@pytest.mark.parametrize("options", [{"ties": "average"}, {"ties": "id"}, {"bounds": "ties"}, {}])
def test_scores_are_there_where_they_are_wanted(options, tmp_path):
    qrels, path = written(tmp_path, 8)
    run = rg.Run.read(path)
    expected = rg.evaluate(rg.Qrels(qrels), run, MEASURES, **options)
    same(rg.evaluate(qrels, path, MEASURES, **options), expected)
    same(rg.evaluate(qrels, run.to_dict(), MEASURES, **options), expected)


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


@pytest.mark.parametrize(
    "ties", ["id", "id_descending", "stable", "reverse", "average", "best", "worst"]
)
@pytest.mark.parametrize(
    "form",
    "dicts,many,integers,Qrels,sets,frozensets,lists,tuples,rankings,one score,one float".split(
        ","
    ),
)
def test_dicts_are_evaluated_as_they_are_by_every_rule_of_ties(ties, form):
    qrels, run = tied(form)
    rules = rg.conventions["trec"]
    options = {
        "ties": ties,
        "convention": rules.replace(score_dtype="float32") if form == "one float" else rules,
    }
    expected = rg.evaluate(*loaded(qrels, run), MEASURES, **options)
    qrels = rg.Qrels(qrels) if form == "Qrels" else qrels
    same(rg.evaluate(qrels, run, MEASURES, **options), expected)


@pytest.mark.parametrize(
    ("measures", "options", "fails"),
    [
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
    ],
)
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


@pytest.mark.parametrize("ties", ["average", "random", "id"])
def test_dicts_without_ties_need_no_rule(ties):
    qrels, run = made(12)
    run = {q: {d: 3.0 * at for at, d in enumerate(docs)} for q, docs in run.items()}
    run["unjudged"] = dict.fromkeys("abc", 1.0)
    expected = rg.evaluate(*loaded(qrels, run), MEASURES, ties=ties)
    same(rg.evaluate(qrels, run, MEASURES, ties=ties), expected)


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({"q": ["a"]}, {"q": ["a", "b", "b"]}),
        ({"q": {"a"}}, {"q": {"a", "b"}}),
        ({"q": {"a", 1.5}}, {"q": ["a"]}),
        ({"q": [["a"]]}, {"q": ["a"]}),
        ({"q": {"a"}, "r": None}, {"q": ["a"]}),
        ({"q": {True}}, {"q": {True: 1.0}}),
        ({"q": {"a"}}, {"q": ["a"], "r": ["b", "b"]}),
    ],
)
def test_sets_and_lists_that_are_wrong_are_refused_by_the_objects(qrels, run):
    with pytest.raises((TypeError, ValueError)) as expected:
        rg.evaluate(*loaded(qrels, run), "AP")
    with pytest.raises(type(expected.value)) as result:
        rg.evaluate(qrels, run, "AP")
    assert str(result.value) == str(expected.value)


def test_lists_are_condensed_without_scores():
    qrels, run = made(9)
    rules = rg.conventions["trec"].replace(unjudged="drop", name="condensed")
    expected = rg.evaluate(*loaded(qrels, run), MEASURES, convention=rules)
    same(rg.evaluate(qrels, run, MEASURES, convention=rules), expected)
    judged = {
        q: {d: s for d, s in result.items() if qrels.get(q, {}).get(d, -1) >= 0}
        for q, result in run.items()
    }
    assert expected.means == rg.evaluate(qrels, judged, MEASURES).means


def test_qrels_are_taken_in_once():
    qrels, run = made(10)
    reads = []

    class Counted(dict):
        def items(self):
            reads.append(1)
            return super().items()

    rg.Qrels(Counted(qrels))
    once, kept = len(reads), [rg.Qrels(qrels)]
    result = rg.evaluate_runs(Counted(qrels), {"a": run, "b": run, "c": rg.Run(run)}, MEASURES)
    assert len(reads) == 2 * once
    same(result["a"], result["b"])
    same(result["a"], result["c"])
    same(result["a"], rg.evaluate(kept[0], run, MEASURES))
    ids = [one for one in kept[0].prepared.keys[False] if one]
    rg.evaluate(kept[0], run, MEASURES)
    assert all(a is b for a, b in zip(ids, filter(None, kept[0].prepared.keys[False]), strict=True))


def test_what_is_kept_of_a_join_is_of_these_qrels_and_rules():
    qrels, run = made(11)
    kept, others = rg.Run(run), {q: dict.fromkeys(result, 3) for q, result in qrels.items()}
    half = {q: {d: n / 2 for d, n in result.items()} for q, result in qrels.items()}
    judged = [rg.Qrels(one) for one in (qrels, others, half)]
    for rules in ("trec", "trec_eval-9", "ranx", "trec"):
        for one in (*judged, *reversed(judged)):
            expected = rg.evaluate(rg.Qrels(one.to_dict()), rg.Run(run), MEASURES, convention=rules)
            same(rg.evaluate(one, kept, MEASURES, convention=rules), expected)


@pytest.mark.parametrize("shuffled", [False, True])
def test_single_precision_ties_what_it_cannot_tell_apart(shuffled, tmp_path):
    qrels, run = made(12)
    run = {query: result for query, result in run.items() if result}  # a file has no empty lists
    rng = random.Random(3)
    for result in run.values():
        result.update({d: s + rng.randrange(9) * 1e-10 for d, s in result.items()})
    run["3"] |= {"huge": 1e300, "larger": 2e300}
    kept = rg.Run(run)
    expected = rg.evaluate(rg.Qrels(qrels), kept, MEASURES, convention="pytrec_eval")
    double = rg.conventions["pytrec_eval"].replace(score_dtype="float64", name="double")
    assert expected.means != rg.evaluate(qrels, run, MEASURES, convention=double).means
    for _ in range(2):
        same(rg.evaluate(qrels, kept, MEASURES, convention="pytrec_eval"), expected)
    text = io.StringIO()
    kept.write(text)
    lines = text.getvalue().splitlines(keepends=True)
    if shuffled:
        rng.shuffle(lines)
    path = tmp_path / "run"
    path.write_text("".join(lines))
    same(rg.evaluate(qrels, path, MEASURES, convention="pytrec_eval"), expected)
    same(rg.evaluate(qrels, run, MEASURES, convention="pytrec_eval"), expected)
    same(rg.evaluate(rg.Qrels(qrels), run, MEASURES, convention="pytrec_eval"), expected)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(FileNotFoundError) as result:
        rg.evaluate({"1": {"a": 1}}, tmp_path / "none", "AP")
    assert result.value.filename == os.fspath(tmp_path / "none")
    with pytest.raises(TypeError, match="Run cannot be read from int"):
        rg.evaluate({"1": {"a": 1}}, 5, "AP")


def long_run(path, queries, documents, order):
    """A run of many rows: document i of a query has rank i; order: of the rows of each query."""
    with open(path, "w") as file:
        for query in range(queries):
            file.writelines(
                f"{query} Q0 d{i} 0 {documents - (i - 1) // 2 * 2} t\n" for i in order(documents)
            )


@pytest.mark.parametrize("order", ["as ranked", "reversed"])
def test_a_long_run_is_joined_block_by_block(order, tmp_path):
    # Documents 2i - 1 and 2i tie, and the greater id comes first: d2 before d1, d10 after d9.
    reverse = order == "reversed"
    n = 30_000
    long_run(tmp_path / "run", 7, n, lambda n: range(n, 0, -1) if reverse else range(1, n + 1))
    relevant = [1, 2, 10, 5_000, n - 1, 77, 4]
    qrels = {str(q): {f"d{i}": 1} for q, i in enumerate(relevant)}
    ranks = []
    for i in relevant:
        other = i + 1 if i % 2 else i - 1
        first = i - 1 if i % 2 == 0 else i
        ranks.append(first + (f"d{other}" > f"d{i}"))
    result = rg.evaluate(qrels, tmp_path / "run", "RR").per_query["RR"]
    assert np.array_equal(result, 1 / np.array(ranks))


@pytest.mark.parametrize("where", [0, 3, 6])
def test_rows_of_a_query_apart_in_a_long_run(where, tmp_path):
    n = 30_000
    long_run(tmp_path / "run", 7, n, lambda n: range(1, n + 1))
    with open(tmp_path / "run", "a") as file:
        file.write(f"{where} Q0 e 0 {n + 1} t\n")
    qrels = {str(q): {"d3": 1, "e": 0} for q in range(7)}  # d4 stands above d3
    result = rg.evaluate(qrels, tmp_path / "run", "RR").per_query["RR"]
    assert np.array_equal(result, [1 / (5 if q == where else 4) for q in range(7)])


def test_a_document_twice_in_the_last_block_is_named(tmp_path):
    long_run(tmp_path / "run", 4, 30_000, lambda n: [*range(1, n + 1), 9])
    with pytest.raises(ValueError, match="line 30001: document 'd9' comes twice in query '0'"):
        rg.evaluate({"3": {"d1": 1}}, tmp_path / "run", "RR")


def test_one_query_longer_than_a_block(tmp_path):
    n = 150_000
    long_run(tmp_path / "run", 2, n, lambda n: range(1, n + 1))
    result = rg.evaluate({"0": {f"d{n}": 1}, "1": {"d2": 1}}, tmp_path / "run", "RR")
    assert result.per_query["RR"].tolist() == [1 / n if f"d{n}" < f"d{n - 1}" else 1 / (n - 1), 1.0]
