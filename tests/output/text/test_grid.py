"""Which values of a table are best and second: those that look alike share their place."""

import json
import math

import numpy as np
import pytest

import rankgain as rg
from rankgain.output.text.comparison import probability
from rankgain.output.text.formats import format_all, make_grid

CASES = [
    # measure, means, decimals, places
    ("RR", [0.50001, 0.50002, 0.4], 4, [1, 1, 2]),
    ("RR", [0.50001, 0.50002, 0.4], 5, [2, 1, 0]),
    ("RR", [0.4, 0.5, 0.5, 0.45, 0.45001], 4, [0, 1, 1, 2, 2]),
    ("RR", [0.4, math.nan, 0.3, 0.2], 4, [1, 0, 2, 0]),
    ("RR", [0.4, 0.4], 4, [1, 1]),
    ("RR", [0.4], 4, [0]),
    ("RR", [math.nan, math.nan], 4, [0, 0]),
    ("Unjudged@5", [0.50001, 0.50002, 0.4, 0.40004], 4, [2, 2, 1, 1]),
    ("Unjudged@5", [0.5, math.nan, 0.4, 0.9], 4, [2, 0, 1, 0]),
    ("DCG", [-1.0, -0.0, 0.0, -2.0], 4, [2, 1, 1, 0]),
]


@pytest.mark.parametrize(("measure", "means", "precision", "places"), CASES)
def test_places(measure: str, means: list[float], precision: int, places: list[int]) -> None:
    grid = make_grid({f"r{i}": [one] for i, one in enumerate(means)}, [measure], precision)
    assert [row[0].place for row in grid.cells] == places


def test_bold_in_markdown_and_latex() -> None:
    runs = rg.Evaluations(
        {
            name: rg.Evaluation({"RR": mean}, {"RR": [mean]}, ["q"])
            for name, mean in (("a", 0.50001), ("b", 0.50002), ("c", 0.4))
        }
    )
    rows = (runs.to_markdown() or "").splitlines()
    assert [("**" in row) for row in rows[2:5]] == [True, True, False]
    latex = runs.to_latex(second=True) or ""
    assert latex.count(r"\textbf{0.5000}") == 2
    assert latex.count(r"\underline{0.4000}") == 1


def test_a_p_value_is_never_printed_as_0() -> None:
    printed = [probability(p) for p in (0.0, 0.0000499, 0.00005, 0.0123)]
    assert printed == ["<0.0001", "<0.0001", "0.0001", "0.0123"]


def test_wide_numbers_stand_under_the_name_of_their_measure() -> None:
    runs = {
        name: rg.Evaluation({"DCG": mean, "RR": math.nan}, {"DCG": [mean], "RR": [math.nan]}, ["q"])
        for name, mean in (("a", math.nan), ("b", 1234.5), ("c", 0.5))
    }
    text = format_all(runs, "table", bold=True)
    strong = text.replace("\033[1m", "<").replace("\033[0m", ">").splitlines()
    assert strong[:4] == [
        "run        DCG      RR",
        "a          nan     nan",
        "b    <1234.5000>     nan",
        "c       0.5000     nan",
    ]
    assert format_all(runs, "table").splitlines()[2] == "b    1234.5000     nan"


def test_lines_of_json_have_null_for_what_json_lacks():
    values = [1.0, float("inf"), float("-inf"), float("nan")]
    evaluation = rg.Evaluation({"AP": 1.0}, {"AP": np.array(values)}, list("abcd"))
    lines = format_all({"run": evaluation}, "jsonl", per_query=True).splitlines()
    assert [json.loads(line)["AP"] for line in lines] == [1.0, None, None, None]
    assert [json.loads(line)["query"] for line in lines] == list("abcd")
