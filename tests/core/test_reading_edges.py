"""Edges of the reader and the join: decimals half way, ids with one hash, repeated prefixes."""

import math
import random
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from decimals import read_decimals
from rankgain import _core
from rankgain.trec.by_query import Qrels, Run
from rankgain.trec.trec_eval import main

# ---- numbers


@pytest.mark.parametrize("power", range(-6, 27))
def test_decimals_half_way_between_two_doubles(power: int) -> None:
    """A number of 54 bits, the last one set, lies half way: digits * 5**power has them."""
    rng = random.Random(power)
    five = 5 ** abs(power)
    texts = []
    for _ in range(200):
        odd = rng.randrange(1 << 53, 1 << 54) | 1
        digits = odd * five if power < 0 else odd // five | 1
        texts += [f"{near}e{power}" for near in (digits - 1, digits, digits + 1)]
    texts.append(f"{5 if power < 23 else 1}e{power}")
    for text, number in zip(texts, read_decimals(texts), strict=True):
        assert number == float(text), text


def test_the_last_power_of_ten_that_can_lie_half_way() -> None:
    texts = ["1e23", "100000000000000000000000", "100000000000000000000001"]
    below, above = 9.999999999999999e22, 1.0000000000000001e23
    assert read_decimals(texts) == [below, below, above]


@pytest.mark.parametrize("count", range(15, 26))
def test_numbers_of_about_twenty_digits(count: int) -> None:
    """The first 19 digits are kept as an integer; one of 64 bits has 20 at most."""
    rng = random.Random(count)
    texts = ["9" * count, "1" + "0" * (count - 1), "0" * count + "1", "18446744073709551617"]
    texts += ["".join(rng.choices("0123456789", k=count)) for _ in range(200)]
    for text in texts:
        forms = [text, f"{text[:3]}.{text[3:]}", f"-{text}", f"{text}e-7"]
        assert read_decimals(forms) == [float(form) for form in forms]


# Of 64 bits, -18446744073709551615 would be 1; the program's atol stops at the least integer,
# and a negative label is no judgment.
LABELS = {
    "00000000000000000001": 1.0, "0000000000000000000000002": 2.0, "-00000000000000000003": 0.0,
    "-18446744073709551615": 0.0, "-18446744073709551614": 0.0,
}  # fmt: skip


@pytest.mark.parametrize("label", LABELS)
def test_labels_of_twenty_digits(label: str, tmp_path: Any, capfd: Any) -> None:
    (tmp_path / "qrels").write_text(f"q 0 a {label}\nq 0 b 5\n")
    (tmp_path / "run").write_text("q Q0 a 1 2 t\n")
    assert main(["-m", "dcg", str(tmp_path / "qrels"), str(tmp_path / "run")]) == 0
    assert float(capfd.readouterr().out.split()[-1]) == LABELS[label]
    assert dict(Qrels.read(tmp_path / "qrels")["q"]) == {"a": float(label), "b": 5}


# ---- sorts


@pytest.mark.parametrize("top", [46, 47, 48, 49, 60, 1000])
@pytest.mark.parametrize("low", [-15, -16, -17, -18, -40])
def test_labels_around_those_that_are_counted(top: int, low: int) -> None:
    rng = random.Random(top * 100 + low)
    for n in (2, 3, 5, 60, 200):
        labels = [float(rng.choice([top, low, 0, 1, 2])) for _ in range(n)]
        labels[-2:] = [float(low), float(top)]
        values = np.array(labels)
        _core.sort_descending(values, np.array([0, n]))
        assert values.tolist() == sorted(labels, reverse=True)


def test_fractional_labels_are_sorted_too() -> None:
    rng = random.Random(3)
    for n in (2, 9, 60, 400, 2000):
        labels = [rng.randrange(-64, 256) / 4 for _ in range(n)]
        values = np.array([*labels, *labels])
        _core.sort_descending(values, np.array([0, n, n, 2 * n]))
        assert values.tolist() == 2 * sorted(labels, reverse=True)


def packed(names: list[bytes]) -> tuple[Any, Any]:
    """Bytes of ids and where each starts."""
    text = np.frombuffer(b"".join(names) + bytes(16), np.uint8).copy()
    return text, np.cumsum([0, *map(len, names)]).astype(np.int64)


@pytest.mark.parametrize("n", [2, 8, 9, 16, 17, 40, 100, 333])
def test_rows_with_one_score_and_one_id_keep_their_order(n: int) -> None:
    """Of a document that comes twice with one score the first row stays the first."""
    rng = random.Random(n)
    for _ in range(20):
        names = [b"%d" % rng.randrange(4) for _ in range(n)]
        scores = [rng.randrange(3) / 2 for _ in range(n)]
        order = np.arange(n)
        _core.order_lists(np.array(scores), *packed(names), np.array([0, n]), order)
        # Score and id descend; of equal rows the earlier one comes first.
        expected = sorted(range(n), key=lambda i: (scores[i], names[i]), reverse=True)
        groups: dict[Any, list[int]] = {}
        for i in expected:
            groups.setdefault((scores[i], names[i]), []).append(i)
        assert order.tolist() == [i for group in groups.values() for i in sorted(group)]


@pytest.mark.parametrize("n", [300, 3000, 20_000])
def test_few_judged_documents_of_a_long_list_in_any_order(n: int, tmp_path: Any) -> None:
    """They are sorted by rank, not marked: with rising, falling and mixed ranks, gaps and all."""
    rng = random.Random(n)
    ranks = sorted(rng.sample(range(n), n // 1000 + 3))
    run = Run({"q": {f"d{i}": float(-i) for i in range(n)}})
    path = tmp_path / "run"
    path.write_text("".join(f"q Q0 d{i} {i} {-i} t\n" for i in range(n)))
    for order in (ranks, ranks[::-1], rng.sample(ranks, len(ranks))):
        qrels = {"q": {f"d{i}": 1 + i % 3 for i in order}}
        expected = math.fsum((1 + i % 3) / math.log2(i + 2) for i in ranks)
        first, hits = 1 / (ranks[0] + 1), math.fsum((j + 1) / (i + 1) for j, i in enumerate(ranks))
        for source in (run, path, {"q": dict(run["q"])}):
            for convention in ("rankgain", "trec"):
                result = rg.evaluate(qrels, source, ["DCG", "RR", "AP"], convention=convention)
                assert result["DCG"] == pytest.approx(expected, rel=1e-13)
                assert result["RR"] == first
                assert result["AP"] == pytest.approx(hits / len(ranks), rel=1e-13)


# ---- ids


Pairs = list[tuple[str, str]]


@pytest.fixture(scope="module")
def one_hash() -> Pairs:
    """Pairs of ids of which the upper halves of the hashes agree, and the lowest four bits.

    Tables see no more. The key of the hash is the process's own, so pairs are looked for anew.
    """
    names = [f"d{i}" for i in range(1_200_000)]
    codes = np.empty(len(names), np.uint64)
    _core.hash_ids(*packed([name.encode() for name in names]), codes)
    seen = (codes >> np.uint64(32)) << np.uint64(4) | codes & np.uint64(15)
    order = np.argsort(seen, kind="stable")
    same = np.flatnonzero(seen[order][1:] == seen[order][:-1])
    assert same.size, "a hash of 36 bits leaves ten such pairs among 1.2 million ids"
    return [(names[order[i]], names[order[i + 1]]) for i in same[:8].tolist()]


def test_ids_with_one_hash_are_two_documents(one_hash: Pairs, tmp_path: Any) -> None:
    for pair in one_hash:
        for here, other in (pair, pair[::-1]):
            two_documents(here, other, tmp_path / "run")


def two_documents(here: str, other: str, path: Any) -> None:
    for more in (0, 3, 6):
        fill = {f"x{i}": 0.5 for i in range(more)}
        for run, result in (({here: 3.0, **fill, other: 1.0}, 1.0), ({other: 3.0, **fill}, 0.0)):
            path.write_text("".join(f"q Q0 {d} 1 {s} t\n" for d, s in run.items()))
            rank = 2 if result else 1
            for source in ({"q": run}, Run({"q": run}), path, Run.read(path)):
                for convention in ("rankgain", "trec"):
                    one = rg.evaluate({"q": {here: 1}}, source, "RR", convention=convention)
                    assert one["RR"] == result
                    two = rg.evaluate(
                        {"q": {here: 0, other: 2}}, source, "DCG", convention=convention
                    )
                    assert two["DCG"] == 2 / math.log2(rank + 1)


def test_queries_with_one_hash_are_two_queries(one_hash: Pairs, tmp_path: Any) -> None:
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    for first, second in one_hash:
        qrels.write_text(f"{first} 0 a 1\n{second} 0 a 2\n")
        run.write_text(f"{first} Q0 a 1 1 t\n{second} Q0 a 1 1 t\n")
        result = rg.evaluate(qrels, run, "DCG", convention="trec")
        assert result.to_dict() == {first: {"DCG": 1.0}, second: {"DCG": 2.0}}


@pytest.mark.parametrize("blank", ["  ", " \t", "\t "])
@pytest.mark.parametrize("convention", ["rankgain", "trec"])
def test_a_prefix_that_repeats_may_be_followed_by_more_blanks(
    blank: str, convention: str, tmp_path: Any
) -> None:
    """The start of a line is known from the line before; what follows it need not be the id."""
    (tmp_path / "qrels").write_text(f"q 0 a 1\nq 0 b 0\nq 0{blank}c 2\nq 0 d 0\n")
    (tmp_path / "run").write_text(f"q Q0 a 1 9 t\nq Q0 b 1 8 t\nq Q0{blank}c 1 7 t\nq Q0 d 1 6 t\n")
    assert dict(Qrels.read(tmp_path / "qrels")["q"]) == {"a": 1, "b": 0, "c": 2, "d": 0}
    assert list(Run.read(tmp_path / "run")["q"]) == ["a", "b", "c", "d"]
    result = rg.evaluate(tmp_path / "qrels", tmp_path / "run", "DCG", convention=convention)
    assert result["DCG"] == 1 + 2 / math.log2(4)


def test_of_repeated_documents_the_least_id_is_named(tmp_path: Any, capfd: Any) -> None:
    """In rank order z stands twice before b does."""
    (tmp_path / "qrels").write_text("q 0 z 1\n")
    rows = [("z", 9), ("z", 8), ("m", 7), ("m", 6), ("b", 5), ("b", 4), ("c", 3), ("c", 2)]
    (tmp_path / "run").write_text("".join(f"q Q0 {d} 1 {s} t\n" for d, s in rows))
    assert main([str(tmp_path / "qrels"), str(tmp_path / "run")]) != 0
    message = capfd.readouterr().err
    assert "duplicate docs btrec_eval:" in message  # the program writes no line end either


# ---- what lies beyond a table

BEYOND = """
import sys
from rankgain.trec.trec_eval import main
sys.exit(main(["-q", "-m", "bpref", "-l", "100000000", sys.argv[1], sys.argv[2]]))
"""


def test_a_relevance_level_far_above_all_labels(tmp_path: Any) -> None:
    """Labels are counted up to the largest one only; none is relevant."""
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 b 0\n")
    (tmp_path / "run").write_text("q Q0 a 1 2 t\nq Q0 b 1 1 t\n")
    command = [sys.executable, "-c", BEYOND, str(tmp_path / "qrels"), str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, (done.returncode, done.stderr)
    values = [line.split() for line in done.stdout.splitlines()]
    assert values == [["bpref", "q", "0.0000"], ["bpref", "all", "0.0000"]]
