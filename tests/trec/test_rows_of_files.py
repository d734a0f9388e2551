"""What a row of a file is: its separators, its rank, its number of fields, and what is no row."""

from __future__ import annotations

import gzip
import io
import random
import warnings
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg
from rankgain.cli import main

Write = Callable[..., str]

QRELS = {"q1": {"Paris": 1.0}, "blue shoes": {"d1": 1.0}}


@pytest.fixture
def write(tmp_path: Path) -> Iterator[Write]:
    """Write a text to a new file, and return its path."""
    numbers = count()

    def one(text: str, name: str = "{}.txt") -> str:
        path = tmp_path / name.format(next(numbers))
        path.write_text(text)
        return str(path)

    return one


def read_by_every_door(path: str) -> list[Callable[[], Any]]:
    """All ways to read a run."""
    data = Path(path).read_bytes()
    packed = Path(f"{path}.gz")
    packed.write_bytes(gzip.compress(data))
    return [
        lambda: rg.Run(path),
        lambda: rg.Run.read(io.BytesIO(data)),
        lambda: rg.Run(packed),
        lambda: rg.evaluate(QRELS, path, "AP"),
        lambda: rg.evaluate(QRELS, path, "AP", ties="average"),
        lambda: rg.evaluate(QRELS, path, "AP", threads=2),
        lambda: rg.evaluate(QRELS, io.BytesIO(data), "AP"),
        lambda: rg.evaluate_runs(QRELS, {"a": path}, "AP"),
    ]


# Separators


@pytest.mark.parametrize(("text", "expected"), [
    ("q1\tQ0\tNew York\t1\t9.5\tt\nq1\tQ0\tParis\t2\t8.5\tt\n",
     {"q1": {"New York": 9.5, "Paris": 8.5}}),
    ("blue shoes\tQ0\td1\t1\t9.5\tt\n", {"blue shoes": {"d1": 9.5}}),
    ("blue suede shoes\t\td1\t1\t9.5\tt\n", {"blue suede shoes": {"d1": 9.5}}),
    # by blanks, six fields too
    ("blue shoes\t\td1\t1\t9.5\tt\n", {"blue shoes": {"d1": 9.5}}),
    ("q1 \tQ0\t a  b\t 1\t9.5\t my own tag \r\n", {"q1": {"a  b": 9.5}}),
    ("q1\tQ0\ta b\t1\t9.5\tx y\nq1\tQ0\tc\t2\t8\tx y\nq1\tQ0\td e\t3\t7\tx y\n",) * 2,
    # not six fields between tabs
    ("q1\tQ0 a\t1 9.5\tt\n", {"q1": {"a": 9.5}}),
    ("\tq1\tQ0\ta\t1\t9.5\tt\n", {"q1": {"a": 9.5}}),
    ("q1\tQ0\t\ta\t1\t9.5\tt\t\n", {"q1": {"a": 9.5}}),
    ("q1 Q0 a\t1 9.5 t\nq1\tQ0 b 2 8 t\nq1 Q0\tc 3 7 t\n", {"q1": {"a": 9.5, "b": 8, "c": 7}}),
    # ranks that are whole numbers
    ("q1 Q0 a +1 9 t\nq1 Q0 b 2.0 8 t\nq1 Q0 c 00000000003 7 t\n",) * 2,
    ("q1 Q0 a -1 9 t\nq1 Q0 b 123456789012 8 t\n", {"q1": {"a": 9.0, "b": 8.0}}),
])  # fmt: skip
def test_rows_of_a_run(text: str, expected: Any, write: Write) -> None:
    if expected == text:
        by_tabs = (line.split("\t" if "\t" in text else None) for line in text.splitlines())
        expected = {"q1": {row[2]: float(row[4]) for row in by_tabs}}
    path = write(text)
    assert rg.Run(path).to_dict() == expected
    assert rg.Run(io.StringIO(text)).to_dict() == expected
    query = next(iter(expected))
    for relevant in expected[query]:
        rank = 1 + list(expected[query]).index(relevant)
        assert rg.evaluate({query: {relevant: 1}}, path, "RR").means == {"RR": 1 / rank}


@pytest.mark.parametrize(("text", "expected"), [
    ("q 1\t0\tNew York\t2\n", {"q 1": {"New York": 2}}),
    ("q 1\t\td\t2\n", {"q 1": {"d": 2}}),  # by blanks, four fields too
    ("q\t0\ta b\t2\nq\t0\tc\t1\nq\t0\td e\t0\n", {"q": {"a b": 2, "c": 1, "d e": 0}}),
    ("q 0\ta 2\n", {"q": {"a": 2}}),
    ("q\t0\t\ta\t2\n", {"q": {"a": 2}}),
])  # fmt: skip
def test_rows_of_qrels(text: str, expected: Any, write: Write) -> None:
    assert rg.Qrels(write(text)).to_dict() == expected
    assert rg.Qrels(write(text.replace("\n", "\r\n"), "{}.qrels")).to_dict() == expected


@pytest.mark.parametrize(("line", "words"), [
    ("q1 Q0 New York 1 9.5", "the rank is 'York', which is not a whole .*separate .* tabs"),
    ("0 11 12 13 14 15 16", "too many fields: 7, but a run has six: query, Q0, .*tabs"),
    ("q1 Q0 a 1 9.5 my tag", "too many fields: 7, but a run has six"),
    ("q1 Q0 b 9.5 1 t", "the rank is '9.5', .*are rank and score exchanged?"),
    ("q1 Q0 b - 9.5 t", "the rank is '-', which is not a whole number"),
    ("q1 Q0 b 1e-3 9.5 t", "the rank is '1e-3', which is not a whole number"),
    ("q1 Q0 b nan 9.5 t", "the rank is 'nan', which is not a whole number"),
    ("q1\tQ0\tArea 51\t\t9.5\tt", "the rank is '', which is not a whole number"),
    ("q1\tQ0\tA 1\t9.5\t2\tt", "the rank is '9.5', .*are rank and score exchanged?"),
    ("q1\tQ0\t\t1\t9.5\tt x", "an empty field in place of an id"),
    ("\tQ0\td\t1\t9.5\tt x", "an empty field in place of an id"),
    ("q1\tQ0\ta b\t1\t\tt", "expected a number as the score"),
    ("x " * 40, "too many fields: more than twelve, but a run has six"),
])  # fmt: skip
@pytest.mark.parametrize("before", [0, 1, 30_000])
def test_what_is_no_row_of_a_run(line: str, words: str, before: int, write: Write) -> None:
    """The line, its text and the remedy, wherever it stands."""
    rows = "".join(f"q{i // 100} Q0 d{i} {i % 100} {-i % 100} t\n" for i in range(before))
    path = write(f"{rows}{line}\nq1 Q0 z 2 1 t\n")
    doors = read_by_every_door(path)
    for door in doors if before < 2 else doors[::3]:
        with pytest.raises(ValueError, match=f", line {before + 1}: {words}") as caught:
            door()
        assert repr(line.rstrip())[1:-1] in str(caught.value)


def test_the_row_of_the_c_program_stays(write: Write, capsys: Any) -> None:
    """`rankgain trec_eval` splits at blanks, and looks at no rank and at nothing after the tag."""
    qrels = write("q1 0 New 1\nq1 0 b 1\n")
    run = write("q1\tQ0\tNew York\t1\t9.5\tt\nq1 Q0 b x 8.5 t and more\n")
    assert main(["trec_eval", "-m", "num_rel_ret", "-m", "P.1", qrels, run]) == 0
    assert capsys.readouterr().out.split() == ["num_rel_ret", "all", "2", "P_1", "all", "1.0000"]


# Ranks against scores


def run_of(*queries: list[tuple[float, float]]) -> str:
    """A run: rank and score of the documents of each query."""
    return "".join(
        f"query-number-{q} Q0 d{i} {rank} {score} t\n"
        for q, rows in enumerate(queries)
        for i, (rank, score) in enumerate(rows)
    )


@pytest.mark.parametrize(("text", "warned"), [
    (run_of([(1, 0.1), (2, 0.2), (3, 0.5)], [(0, 1), (1, 1), (2, 3)]), True),
    (run_of([(3, 0.5), (1, 0.1), (2, 0.2)]), True),
    (run_of([(1, 0.1), (2, 0.2)], [(1, 5), (2, 4)]), False),  # one query is in order
    (run_of([(1, 5), (2, 4)], [(1, 0.1), (2, 0.2)]), False),
    (run_of([(1, 0.1), (2, 0.2), (3, 0.15)]), False),
    (run_of([(1, 0.5)], [(2, 0.9)]), False),  # one row each
    (run_of([(1, 0.5), (1, 0.9)], [(0, 1), (1, 1)]), False),  # equal ranks, equal scores
    (run_of([(1, 5), (2, 4)]), False),
    (run_of([(1, "1e-400"), (2, "1e400")], [(1, 1), (2, 2)]), True),
    (run_of([(1, 0.1), (2, 0.2)]).replace(" ", "\t").replace("d0", "d 0"), True),
    ("q 10 1 0.1\nq 11 2 0.2\n", True),  # query, document, rank, score
    ("q 10 1 0.2\nq 11 2 0.1\n", False),
])  # fmt: skip
def test_ranks_that_run_against_the_scores(text: str, warned: bool, write: Write) -> None:
    path = write(text)
    relevant = {text.split()[0]: {"d0": 1, "d1": 1, "d 0": 1, "10": 1}}
    doors: list[Callable[[], Any]] = [
        lambda: rg.Run(path),
        lambda: rg.Run(io.StringIO(text)),
        lambda: rg.evaluate(relevant, path, "AP"),
        lambda: rg.evaluate(relevant, path, "AP", ties="average"),
    ]
    for door in doors:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            door()
        messages = [str(one.message) for one in caught if "ranks contradict" in str(one.message)]
        assert len(messages) == warned
        assert all("negate them" in one for one in messages)


def test_ranks_against_scores_in_two_threads(write: Write) -> None:
    """Both halves are looked at."""
    along, against = [(1, 5.0), (2, 4.0)], [(1, 4.0), (2, 5.0)]
    qrels = {f"query-number-{q}": {"d0": 1} for q in range(200)}
    for first, second in ((along, against), (against, along)):
        rg.evaluate(qrels, write(run_of(*[first] * 100, *[second] * 100)), "AP", threads=2)
    with pytest.warns(rg.RankgainWarning, match="ranks contradict the scores"):
        rg.evaluate(qrels, write(run_of(*[against] * 200)), "AP", threads=2)


@pytest.mark.parametrize("place", [10, 190, 210, 399])
def test_the_line_of_a_comment_in_two_threads(place: int, write: Write) -> None:
    """Comments and empty lines of both halves count."""
    lines = run_of(*[[(1, 5.0), (2, 4.0)]] * 200).splitlines()
    lines[place] = f"#{lines[place]}\n\n# later"
    text = "\n# a comment\n\n" + "\n".join(lines) + "\n"
    qrels = {f"query-number-{q}": {"d0": 1} for q in range(200)}
    for threads in (1, 2):
        words = f"line {place + 4} begins with #.*: '#query-number-{place // 2} Q0 d"
        with pytest.warns(rg.RankgainWarning, match=words):
            rg.evaluate(qrels, write(text), "AP", threads=threads)


# Fewer fields


TRIPLES = [("1", "10", 1), ("1", "11", 2), ("2", "20", 1), ("2", "10", 2), ("2", "11", 3)]
RANKED = {"1": ["10", "11"], "2": ["20", "10", "11"]}


@pytest.mark.parametrize("separator", ["\t", " ", "  \t"])
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("name", ["{}.tsv", "{}.txt", "{}", "{}.run"])
@pytest.mark.parametrize("scores", [False, True])
def test_runs_of_ms_marco(
    separator: str, first: int, name: str, scores: bool, write: Write
) -> None:
    """Query, document, rank, and perhaps a score, which then orders the documents."""
    order = (3, 0, 2, 4, 1)
    for rows in (TRIPLES, [TRIPLES[i] for i in order]):
        lines = [[q, d, str(n - 1 + first), *([f"{9.5 - n}"] * scores)] for q, d, n in rows]
        path = write("".join(f"{separator.join(line)}\n" for line in lines), name)
        run = rg.Run(path)
        assert {query: run.documents(query) for query in RANKED} == RANKED
        value = rg.evaluate({"1": {"11": 1}, "2": {"20": 1, "11": 1}}, path, ["RR", "P@2"])
        assert value.means == {"RR": 0.75, "P@2": 0.5}


@pytest.mark.parametrize("name", ["{}.tsv", "{}"])
@pytest.mark.parametrize("ids", ["10 11 7", "D10 D11 msmarco_7"])
def test_references_of_two_columns(name: str, ids: str, write: Write) -> None:
    """Every row is relevant."""
    a, b, c = ids.split()
    path = write(f"1\t{a}\n1\t{b}\n2\t{c}\n", name)
    assert rg.Qrels(path).to_dict() == {"1": {a: 1, b: 1}, "2": {c: 1}}
    assert rg.evaluate(path, {"1": {a: 1.0}, "2": {c: 1.0}}, "R@5").means == {"R@5": 0.75}


def test_a_large_file(tmp_path: Path) -> None:
    rng, lines, ranks = random.Random(2), [], {}
    for q in range(400):
        places = sorted(rng.sample(range(1, 60), rng.randint(1, 20)))
        ranks[f"q{q}"] = rng.choice(places)
        lines += [f"q{q}\t{'a' if p == ranks[f'q{q}'] else f'd{p}'}\t{p}" for p in places]
    (tmp_path / "run.tsv").write_text("\n".join(lines))
    qrels = {q: {"a": 1} for q in ranks}
    first = min(int(line.split("\t")[2]) for line in lines)
    assert first == 1
    result = rg.evaluate(qrels, tmp_path / "run.tsv", ["RR", "AP"], threads=2)
    assert result.per_query["RR"].tolist() == [1 / rank for rank in ranks.values()]
