"""Qrels and runs: reading, objects, and the join, against plain Python on files made here."""

import gzip
import io
import pickle
import random
import struct
import threading

import numpy as np
import pytest

import rankgain as rg
from decimals import read_decimals
from rankgain.trec.by_query import Qrels, Run
from rankgain.trec.join import join, join_dicts, join_file

QRELS = b"""1 0 a 1
1 0 b 0
1 0 c 2
2 0 a 1
"""
RUN = b"""1 Q0 b 1 0.5 tag
1 Q0 a 2 0.25 tag
2 Q0 z 1 7 tag
"""
EXPECTED = {"1": {"b": 0.5, "a": 0.25}, "2": {"z": 7.0}}


def many_rows(seed, queries=20, documents=200):
    """A run with ties, ids beyond ASCII and of every length, and qrels that overlap it."""
    rng = random.Random(seed)
    names = [
        "".join(rng.choices("abcAé日🎈-_#", k=rng.randint(1, 25))) for _ in range(4 * documents)
    ]
    names = sorted(set(names))
    run = {
        f"q{i}": {
            name: rng.choice([rng.random(), 0.5, -1.0, 0.0, -0.0])
            for name in rng.sample(names, documents)
        }
        for i in range(queries)
    }
    qrels = {
        f"q{i}": {name: rng.randint(-1, 3) for name in rng.sample(names, rng.randint(1, documents))}
        for i in range(3, queries + 2)
    }
    return qrels, run


def as_lines(run):
    return [f"{q} Q0 {d} 0 {s!r} tag" for q, documents in run.items() for d, s in documents.items()]


def canonical(documents):
    """Score descending, then id descending by its bytes."""
    return sorted(documents, key=lambda d: (documents[d] + 0.0, d.encode()), reverse=True)


@pytest.mark.parametrize(
    "text",
    [
        RUN,
        RUN.rstrip(b"\n"),
        RUN.replace(b"\n", b"\r\n"),
        RUN.replace(b" ", b"\t"),
        RUN.replace(b" ", b" \t  "),
        b"\n\n" + RUN.replace(b"\n", b"\n  \n"),
        b"# comment\n  # another one\n" + RUN + b"# end",
        b"\xef\xbb\xbf" + RUN,
        RUN.replace(b" ", b"\t").replace(b"tag", b"tag and more text"),
        RUN.replace(b" 1 0.5", b" 01 0.5").replace(b" 2 0.25", b" 2.0 0.25"),
        RUN.replace(b"0.5", b"5e-1").replace(b"0.25", b"+.25"),
        b"".join(line + b"\n" for line in [RUN.splitlines()[i] for i in (0, 2, 1)]),
    ],
)
def test_a_run_is_read_as_people_write_it(text, tmp_path):
    path = tmp_path / "run.txt"
    path.write_bytes(text)
    (tmp_path / "run.gz").write_bytes(gzip.compress(text))
    for source in (
        path,
        str(path),
        tmp_path / "run.gz",
        io.BytesIO(text),
        io.BytesIO(gzip.compress(text)),
    ):
        assert Run.read(source).to_dict() == EXPECTED
    with path.open(encoding="utf-8-sig", newline="") as stream:
        assert Run.read(stream).to_dict() == EXPECTED


def test_qrels_are_read_as_people_write_them():
    expected = {"1": {"a": 1, "b": 0, "c": 2}, "2": {"a": 1}}
    for text in (
        QRELS,
        QRELS.rstrip(),
        b"#x\n\n" + QRELS.replace(b" ", b"\t"),
        QRELS.replace(b"\n", b" \r\n"),
    ):
        assert Qrels.read(io.BytesIO(text)).to_dict() == expected
    assert Qrels.read(io.BytesIO(b"1 0 a 0.5\n1 0 b -2\n")).to_dict() == {
        "1": {"a": 0.5, "b": -2.0}
    }


def test_standard_input(standard_input):
    standard_input(gzip.compress(RUN))
    assert Run.read("-").to_dict() == EXPECTED


def test_blocks_may_end_anywhere():
    _, run = many_rows(1, queries=3, documents=30)
    text = ("\n".join(as_lines(run))).encode()
    expected = Run(run)
    for end in range(1000, 1100):  # of the first block, at each byte of several lines
        assert Run.read(io.BytesIO(b"#" + b"x" * (1100 - end) + b"\n" + text)) == expected


def test_numbers_are_those_of_strtod():
    rng = random.Random(2)
    texts = [
        "0",
        "-0.0",
        "5.",
        ".5",
        "1e400",
        "1e-400",
        "4.9e-324",
        "2.4703282292062328e-324",
        "inf",
        "-Infinity",
    ]
    texts += [
        "9007199254740993",
        "9007199254740992.99999999999999999999",
        "0" * 40 + "1.5",
        "1" * 60,
    ]
    for _ in range(20_000):
        bits = struct.unpack("d", struct.pack("Q", rng.getrandbits(64)))[0]
        half_way = (2 * (rng.getrandbits(53) | 1 << 52) + 1) * 2 ** rng.randint(0, 60)
        texts += [
            repr(bits) if bits == bits else "1",
            f"{rng.getrandbits(64)}e{rng.randint(-345, 310)}",
            f"{rng.uniform(-100, 100):.{rng.randint(0, 30)}f}",
            str(half_way),
        ]
    for text, number in zip(texts, read_decimals(texts), strict=True):
        assert struct.pack("d", number) == struct.pack("d", float(text)), text


@pytest.mark.parametrize("interleave", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_lists_and_join_against_python(seed, interleave):
    qrels, run = many_rows(seed)
    lines = as_lines(run)
    if interleave:
        random.Random(seed).shuffle(lines)
    read = Run.read(io.StringIO("\n".join(lines)))
    assert read == Run(run)
    assert read.to_dict() == run
    joined = join(Qrels(qrels), read)
    assert joined.queries == tuple(qrels)
    assert set(joined.unjudged) == set(run) - set(qrels)
    for i, query in enumerate(joined.queries):
        order = canonical(run.get(query, {}))
        assert joined.in_run[i] == (query in run)
        hits = slice(joined.indptr[i], joined.indptr[i + 1])
        expected = [
            (rank, float(qrels[query][d])) for rank, d in enumerate(order) if d in qrels[query]
        ]
        assert list(zip(joined.indices[hits], joined.labels[hits], strict=True)) == expected
        scores = joined.scores[joined.starts[i] : joined.stops[i]]
        assert scores.tolist() == [run[query][d] for d in order]
        if order:
            assert read.documents(query) == order
            places = joined.places[joined.starts[i] : joined.stops[i]]
            source = [line.split()[2] for line in lines if line.startswith(f"{query} ")]
            assert [source[place] for place in places] == order
        judged = joined.judged[joined.judged_lists[i] : joined.judged_lists[i + 1]]
        assert judged.tolist() == sorted(qrels[query].values(), reverse=True)


def test_condensed_lists_hold_the_judged_documents_alone():
    qrels, run = many_rows(9)
    whole = join(Qrels(qrels), Run(run))
    kept = {q: {d: s for d, s in run[q].items() if d in qrels.get(q, {})} for q in run}
    expected = join(Qrels(qrels), Run(kept))
    condensed = whole.condensed()
    assert np.array_equal(condensed.indices, expected.indices)
    assert np.array_equal(condensed.labels, expected.labels)
    assert np.array_equal(condensed.stops - condensed.starts, expected.stops - expected.starts)


@pytest.mark.parametrize("kind", [Qrels, Run])
def test_objects(kind):
    data = {"b": {"x": 1.0, "y": 2.0}, "a": {"x": 0.5}}
    lists = kind(data)
    assert len(lists) == 2
    assert list(lists) == ["b", "a"]
    assert "a" in lists
    assert "c" not in lists
    assert lists["b"] == data["b"]
    assert repr(lists).startswith(f"{kind.__name__}(2 queries, 3 ")
    assert kind(lists) == lists
    assert hash(kind(lists)) == hash(lists)
    assert kind(dict(reversed(data.items()))) == lists
    assert kind({**data, "a": {"x": 0.25}}) != lists
    assert pickle.loads(pickle.dumps(lists)) == lists
    target = io.StringIO()
    lists.write(target)
    assert kind.read(io.StringIO(target.getvalue())) == lists


def test_dicts_take_numbers_of_any_kind():
    run = Run({1: {2: np.float32(0.5), "x": 3, "y": True}, "e": {}})
    assert run.to_dict() == {"1": {"x": 3.0, "y": 1.0, "2": 0.5}, "e": {}}
    assert Qrels({"1": {"a": np.int64(2)}, "2": {}}).to_dict() == {"1": {"a": 2.0}}


@pytest.mark.parametrize(
    ("policy", "kept"), [("first", [1.0, 5.0]), ("last", [2.0, 3.0]), ("best", [4.0, 5.0])]
)
def test_duplicates_by_policy(policy, kept):
    rows = ["1 0 a 1", "2 0 b 5", "1 0 c 0", "1 0 a 4", "1 0 a 2", "2 0 b 3"]
    text = "\n".join(rows)
    qrels = Qrels.read(io.StringIO(text), duplicates=policy)
    assert qrels.to_dict() == {"1": {"a": kept[0], "c": 0.0}, "2": {"b": kept[1]}}
    lines = [f"{q} Q0 {d} 1 {value} tag" for q, _, d, value in map(str.split, rows)]
    run = Run.read(io.StringIO("\n".join(lines)), duplicates=policy)
    assert run.to_dict() == qrels.to_dict()


def test_the_remedy_for_a_duplicate_can_be_taken(tmp_path):
    """Neither evaluate nor a convention has an option for it; Qrels and Run have."""
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 2\n1 0 a 3\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2 t\n1 Q0 b 1 1 t\n1 Q0 a 1 0.5 t\n")
    good = {"qrels": {"1": {"a": 1}}, "run": {"1": {"a": 1.0}}}
    for name, kind in (("qrels", Qrels), ("run", Run)):
        sources = good | {name: tmp_path / name}
        with pytest.raises(ValueError, match="comes twice") as caught:
            rg.evaluate(sources["qrels"], sources["run"], "AP")
        remedy = f'rankgain.{kind.__name__}(source, duplicates="first")'
        assert remedy in str(caught.value)
        sources[name] = eval(remedy, {"rankgain": rg, "source": tmp_path / name})
        rg.evaluate(sources["qrels"], sources["run"], "AP")
    with pytest.raises(TypeError, match="no field 'duplicates'"):
        rg.Convention("mine", duplicates="first")


def test_objects_are_shared_between_threads():
    qrels, run = (kind(data) for kind, data in zip((Qrels, Run), many_rows(3), strict=True))
    expected = join(qrels, run)
    fresh = Qrels(qrels.to_dict())
    results = []
    threads = [threading.Thread(target=lambda: results.append(join(fresh, run))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8
    assert all(np.array_equal(result.indices, expected.indices) for result in results)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("change", ["none", "interleaved", "other queries", "comments"])
def test_a_streamed_join_is_that_of_the_run(threads, change, tmp_path):
    qrels, run = many_rows(4)
    lines = as_lines(run)
    if change == "interleaved":
        random.Random(1).shuffle(lines)
    elif change == "other queries":
        qrels = dict(random.Random(1).sample(list(qrels.items()), 5))
    elif change == "comments":
        lines = [text for line in lines for text in (line, "", "# comment")]
    path = tmp_path / "run"
    path.write_text("\n".join(lines))
    judged = Qrels(qrels)
    expected = join(judged, Run.read(path))
    for source in (path, io.BytesIO(path.read_bytes()), path.open()):
        joined = join_file(judged, source, threads=threads)
        assert joined.queries == expected.queries
        assert joined.unjudged == expected.unjudged
        assert np.array_equal(joined.stops - joined.starts, expected.stops - expected.starts)
        for name in ("in_run", "indptr", "indices", "labels", "judged", "judged_lists"):
            assert np.array_equal(getattr(joined, name), getattr(expected, name)), name
        if not isinstance(source, type(path)):
            source.close()


@pytest.mark.parametrize("query", ["1", "without judgments"])
@pytest.mark.parametrize("line", ["{} Q0 b 2 0.5", "{} Q0 a 2 1 tag", "{} Q0 b 2 x tag"])
def test_a_streamed_join_refuses_what_a_run_does(query, line, tmp_path):
    path = tmp_path / "run"
    path.write_text("\n".join(["{} Q0 a 1 1 tag", "2 Q0 a 1 1 tag", line]).replace("{}", query[0]))
    with pytest.raises(ValueError, match="run, line 3") as streamed:
        join_file(Qrels({"1": {"a": 1}}), path)
    with pytest.raises(ValueError, match="run, line 3") as read:
        Run.read(path)
    assert str(streamed.value) == str(read.value)


@pytest.mark.parametrize("seed", range(5))
def test_a_join_of_dicts_is_that_of_the_objects(seed):
    qrels, run = many_rows(seed)
    run["all tied"] = dict.fromkeys(run["q5"], 1)
    qrels["all tied"] = qrels["q5"]
    run["nothing judged"], qrels["nothing judged"] = {"a": 1.0}, {}
    run["no results"], qrels["no results"] = {}, {"a": 1.0}
    joined, expected = join_dicts(qrels, run), join(Qrels(qrels), Run(run))
    assert joined.queries == expected.queries
    assert set(joined.unjudged) == set(expected.unjudged)
    assert np.array_equal(joined.stops - joined.starts, expected.stops - expected.starts)
    for name in ("in_run", "indptr", "indices", "labels", "judged", "judged_lists"):
        assert np.array_equal(getattr(joined, name), getattr(expected, name)), name


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({1: {"a": 1}}, {"1": {"a": 1.0}}),
        ({"1": {2: 1}}, {"1": {"2": 1.0}}),
        ({"1": {"a": 1}}, {"1": {"a": 1.0, 2: 0.5}}),
        ({1: {9: 1}}, {1: {9: 1.0, 10: 1.0}}),
        ({"1": {"a": 1}}, {"1": None}),
        ({"1": {"a": 1}}, {"1": {"a": "high"}}),
        ({"1": {"a": 1}}, {"1": {"b": float("nan")}}),
        ({"1": {"a": float("inf")}}, {"1": {"a": 1.0}}),
        ({"1": {"a": 1}}, {"1": {"a": 1.0}, "2": {"b": float("nan")}}),
        ({"1": {"a": 1}}, {"1": [("a", 1.0)]}),
    ],
)
def test_dicts_of_another_kind_are_left_to_the_objects(qrels, run):
    assert join_dicts(qrels, run) is None


def test_a_dict_that_changes_while_it_is_read_is_no_crash():
    run = {"1": {f"d{i}": float(i) for i in range(1000)}}
    qrels = {"1": {f"d{i}": 1 for i in range(0, 1000, 10)}}
    stop = threading.Event()

    def change():
        while not stop.is_set():
            run["1"].pop(f"d{random.randrange(1000)}", None)
            run["1"][f"d{random.randrange(1000)}"] = random.random()

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(300):
            joined = join_dicts(qrels, run)
            assert joined is None or joined.indices.max(initial=0) < 1001
    finally:
        stop.set()
        thread.join()
