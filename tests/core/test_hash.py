"""The hash of ids: no one can choose ids that collide, and no result shows the key."""

import io
import os
import pickle
import subprocess
import sys

import numpy as np
import pytest

import rankgain as rg
from rankgain import _core

START, FACTOR = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93
LARGEST = 2**64 - 1


def step(value):
    """A word of the hash without a key, which was once used here."""
    value = value * np.uint64(FACTOR)
    return value ^ (value >> np.uint64(32))


def crafted(count):
    """Ids of 16 bytes, all with one value of that hash: the second word undoes the first."""
    first = np.random.default_rng(1).integers(0, LARGEST, 12 * count, np.uint64)
    size = np.uint64(16 * START & LARGEST)
    second = step(size ^ first) ^ np.uint64(0x1234567812345678)
    ids = np.column_stack((first, second)).view(np.uint8)
    free = np.all((ids > 32) & (ids != 35), axis=1)  # neither blanks nor comments
    return np.unique(ids[free], axis=0)[:count]


def hashes(ids):
    ids = np.ascontiguousarray(ids)
    codes = np.empty(len(ids), np.uint64)
    _core.hash_ids(ids.ravel(), np.arange(len(ids) + 1, dtype=np.int64) * ids.shape[1], codes)
    return codes


def aligned(count):
    """Words that differ in the upper bits alone, as multiples of one number, and in two places."""
    numbers = np.arange(count, dtype=np.uint64)
    for shift in (0, 8, 20, 40, 47):
        yield numbers << np.uint64(shift)
    yield numbers * np.uint64(FACTOR)
    yield numbers << np.uint64(32) ^ numbers


def test_crafted_ids_have_hashes_of_their_own():
    ids = crafted(100_000)
    assert len(ids) == 100_000
    assert len(np.unique(hashes(ids))) == len(ids)
    assert len(np.unique(hashes(ids) & np.uint64(2**18 - 1))) > 70_000  # of 83,000 by chance


@pytest.mark.parametrize("family", range(7))
def test_no_slot_is_crowded(family):
    """Two words for a slot, or a dozen, and hundreds with one key in some hundred.

    The key of the process is random. As multiples of one number, all words may share a slot.
    """
    words = list(aligned(1 << 17))[family]
    for upper in (0, 32):
        slots = hashes(words.view(np.uint8).reshape(-1, 8)) >> np.uint64(upper) & np.uint64(65535)
        counts = np.bincount(slots.astype(np.int64), minlength=65536)
        assert counts.max() < 4_000


def test_a_run_of_crafted_ids_is_read_and_joined():
    names = [bytes(one) for one in crafted(100_000)]
    text = b"".join(b"1 Q0 %s 1 %d t\n" % (name, i) for i, name in enumerate(names))
    judged = b"".join(b"1 0 %s %d\n" % (name, i % 2) for i, name in enumerate(names))
    qrels, run = rg.Qrels(io.BytesIO(judged)), rg.Run(io.BytesIO(text))
    expected = np.mean([(i + 1) / (2 * i + 1) for i in range(50_000)])  # the last one is relevant
    assert rg.evaluate(qrels, run, "AP").means["AP"] == pytest.approx(expected, rel=1e-12)
    assert rg.evaluate(qrels, io.BytesIO(text), "AP").means["AP"] == pytest.approx(expected)


PROGRAM = """
import pickle, sys
import numpy as np, rankgain as rg
from rankgain import _core
codes = np.empty(1, np.uint64)
_core.hash_ids(np.frombuffer(b"document", np.uint8), np.array([0, 8]), codes)
qrels = rg.Qrels({"q": {"a": 1, "b": 2, "c": 0, "longer than a word": 3}, "r": {"a": 1}})
run = rg.Run({"q": {"longer than a word": 1.0, "b": 1.0, "x": 1.5}, "r": {"a": 1.0, "b": 2.0}})
means = rg.evaluate(qrels, run, ["AP", "nDCG@10"]).means  # so that all is there which is kept
sys.stdout.buffer.write(pickle.dumps((int(codes[0]), dict(means), qrels, run)))
"""


def process(seed):
    """The hash of an id in a process of its own, values, and a Qrels and a Run of it."""
    environment = os.environ | {"PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", PROGRAM]
    result = subprocess.run(command, capture_output=True, check=True, env=environment)
    return pickle.loads(result.stdout)


def test_the_key_is_of_the_process_and_changes_no_value():
    seen = [process(seed) for seed in ("1", "2", "1", "random")]
    codes = [code for code, *_ in seen]
    assert codes[0] == codes[2]
    assert len(set(codes)) == 3
    for _, means, qrels, run in seen:
        assert means == seen[0][1]
        assert (qrels, run) == (seen[0][2], seen[0][3])
        # Hashes of the other process would find nothing here.
        assert dict(rg.evaluate(qrels, run, ["AP", "nDCG@10"]).means) == means
        for again in (pickle.loads(pickle.dumps(qrels)), qrels):
            assert dict(rg.evaluate(again, run, ["AP", "nDCG@10"]).means) == means
