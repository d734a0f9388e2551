"""Qrels and runs: reading, objects, and the join, against plain Python on files made here."""

import gzip
import io
import pickle
import random
import struct
import threading

import numpy as np
import pytest

from decimals import read_decimals
from rankgain.trec.by_query import Qrels, Run
from rankgain.trec.join import join, join_dicts

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


@pytest.mark.parametrize("text", [
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
])  # fmt: skip
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


def test_standard_input(standard_input):
    standard_input(gzip.compress(RUN))
    assert Run.read("-").to_dict() == EXPECTED


def test_blocks_may_end_anywhere():
    _, run = many_rows(1, queries=3, documents=30)
    rows = [f"{q} Q0 {d} 0 {s!r} tag" for q, docs in run.items() for d, s in docs.items()]
    text = "\n".join(rows).encode()
    expected = Run(run)
    for end in range(1000, 1100):  # of the first block, at each byte of several lines
        assert Run.read(io.BytesIO(b"#" + b"x" * (1100 - end) + b"\n" + text)) == expected


def test_numbers_are_those_of_strtod():
    rng = random.Random(2)
    texts = "0 -0.0 5. .5 1e400 1e-400 4.9e-324 2.4703282292062328e-324 inf -Infinity".split()
    texts += [
        "9007199254740993", "9007199254740992.99999999999999999999", "0" * 40 + "1.5", "1" * 60,
    ]  # fmt: skip
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


@pytest.mark.parametrize(("records", "text"), [
    (Qrels({"q": {"b": 1, "a": 2.5, "c": -1}, "r": {"x": 1e20, "y": 1e-7}}),
     "q 0 b 1\nq 0 a 2.5\nq 0 c -1\nr 0 x 100000000000000000000\nr 0 y 1e-07\n"),
    (Qrels({"q": {"b": {"y": 1, "x": 2}, "a": {"x": 0}}, "p": {"c": {}}}),
     "q x b 2\nq y b 1\nq x a 0\n"),
    (Run({"q": {"a": 1, "b": 2.5, "c": 1e300}, "p": {}, "r": {"x": -0.0}}),
     "q Q0 c 1 1e+300 my\nq Q0 b 2 2.5 my\nq Q0 a 3 1.0 my\nr Q0 x 1 -0.0 my\n"),
])  # fmt: skip
def test_the_written_text(records, text):
    target = io.StringIO()
    records.write(target, *["my"] * isinstance(records, Run))
    assert target.getvalue() == text


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
