"""The report's own arithmetic and what it writes, on figures given by hand."""

import math
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import report
import tables
from chart import Panel, svg
from goals import Goal, Unit, faster, share
from measuring import ONCE, Outcome, Side, measure


@pytest.mark.parametrize(
    ("goal", "figure", "met"),
    [
        (faster(8, 11, "a"), 10.0, True),
        (faster(8, 11, "a", "b"), 6.0, False),
        (share(0.4, 0.2, "a"), 0.1, True),
        (share(0.15, 0.1, "b"), 1 / 6, False),
        (Goal(Unit.MICROSECONDS, 4, 2), 2e6, False),
        (Goal(Unit.NANOSECONDS_A_LIST, 5e8, 60), 4e8, True),
    ],
)
def test_goal(goal: Goal, figure: float, met: bool) -> None:
    measured = goal.measured({"rankgain": 2.0, "a": 20.0, "b": 12.0}, lists=5)
    assert measured is not None
    assert math.isclose(measured, figure)
    assert goal.met_by(measured) is met


def test_goal_without_its_peer_has_no_figure() -> None:
    assert faster(8, 11, "absent").measured({"rankgain": 1.0}, lists=1) is None


def test_either_way_of_meeting_a_goal() -> None:
    goal = Goal(Unit.FASTER, 1.6, 1.6, ("a",), or_else=share(0.5, 0.45, "b"))
    seconds = {"rankgain": 2.0, "a": 3.0, "b": 4.2}
    row = tables.row("threads", "two threads", goal, Outcome(seconds), lists=1)
    assert (row.measured, row.verdict) == ("1.5x faster, 0.476x", "met")


def test_wrong_values_are_not_timed() -> None:
    right, wrong = np.array([0.5, 0.25]), np.array([0.5, 0.26])
    outcome = measure(
        {
            "NumPy": Side(lambda: right, np.asarray),
            "mean": Side(lambda: right.mean(), np.float64),
            "rankgain": Side(lambda: wrong, np.asarray),
            "another shape": Side(lambda: right[:1], np.asarray),
            "broken": Side(lambda: 1 / 0),
            "absent": None,
        },
        ONCE,
    )
    assert set(outcome.seconds) == {"NumPy", "mean"}
    assert set(outcome.missing) == {"rankgain", "another shape", "broken", "absent"}


def test_same_bits_are_demanded_where_promised() -> None:
    values = np.array([0.1, 0.2])
    sides = {
        "one": Side(lambda: values, np.asarray),
        "two": Side(lambda: np.nextafter(values, 1), np.asarray, same_bits_as="one"),
    }
    assert measure(sides, ONCE).missing == {"two": "not the same bits as one"}


def test_only_the_text_between_the_markers_changes(tmp_path: Path) -> None:
    file = tmp_path / "README.md"
    file.write_text(f"before\n{tables.START}\nold\n{tables.END}\nafter\n", encoding="utf-8")
    tables.put_between_markers(file, "new\n")
    expected = f"before\n{tables.START}\nnew\n{tables.END}\nafter\n"
    assert file.read_text(encoding="utf-8") == expected


def test_markers_are_added_where_absent(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text("text\n", encoding="utf-8")
    tables.put_between_markers(file, "new")
    assert file.read_text(encoding="utf-8") == f"text\n\n{tables.START}\nnew\n{tables.END}\n"


def test_chart_is_well_formed_and_stays_inside() -> None:
    points = {10: {"rankgain": 1e-7, "NumPy": 4e-7}, 1_000: {"rankgain": 2e-6, "NumPy": 1e-5}}
    text = svg([Panel("title", "documents", points, ("rankgain", "read limit", "NumPy"))])
    root = ElementTree.fromstring(text)
    name = "{http://www.w3.org/2000/svg}"
    _, _, width, height = (float(n) for n in root.attrib["viewBox"].split())
    lines = root.findall(f".//{name}polyline")
    assert len(lines) == 2
    for line in lines:
        for pair in line.attrib["points"].split():
            x, y = map(float, pair.split(","))
            assert 0 <= x <= width
            assert 0 <= y <= height


def test_a_name_that_no_workload_begins_with_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["report.py", "--only", "length", "dense-deeper"])
    with pytest.raises(SystemExit):
        report.main()
    assert "--only dense-deeper: no workload begins so" in capsys.readouterr().err
