"""Files of query, document and rank without a header: gaps, and numbers that fall."""

import random
from pathlib import Path
from typing import Any

import pytest

import rankgain as rg

QRELS = {"u": {"a": 1}, "v": {"b": 1}}


def read(path: Path, text: str) -> Any:
    path.write_text(text.replace(" ", "\t").replace("/", "\n") + "\n")
    return rg.evaluate(QRELS, path, "RR").per_query["RR"].tolist()


@pytest.mark.parametrize("name", ["run.tsv", "run.txt"])
@pytest.mark.parametrize("text", [
    "u a 3/u x 2/u y 1", "u a 3/u x 2/u y 1/v b 1", "u a 2/v b 2/u x 1/v x 1",
    "u a 1/u x 0/v b 2/v x 1/v y 0", "u a 9/u x 4/u y 1",
])  # fmt: skip
def test_numbers_that_fall_are_an_error_with_both_readings(
    name: str, text: str, tmp_path: Path
) -> None:
    with pytest.raises(ValueError, match=r"line 1: .* falls to [01] .*score=\.\.\..*rank=\.\.\."):
        read(tmp_path / name, text)


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
