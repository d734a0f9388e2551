"""The arithmetic of the report and what it writes, on figures set by hand."""

import math
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy")  # the workloads are sparse in part

import chart
import figures
import pages
import report
from figures import Measured
from measuring import ONCE, Goal, Outcome, Side, Unit, faster, measure, share
from workloads import ALL, ProcessWorkload

START, END = "<!-- benchmarks:start -->", "<!-- benchmarks:end -->"


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
    row = pages.row("two threads", goal, {"avx2": Outcome(seconds)}, lists=1)
    assert row.cells == {"avx2": pages.Cell("1.5x faster, 0.476x", "met")}


def test_share_of_the_gain_that_two_threads_of_reading_have() -> None:
    goal = Goal(Unit.OF_THE_GAIN, 0.8, 1, ("read", "read, two"), ("one", "rankgain"))
    seconds = {"one": 3.0, "rankgain": 2.0, "read": 4.0, "read, two": 2.0}
    assert goal.measured(seconds, lists=1) == 0.75
    assert not goal.met_by(0.75)
    assert goal.measured({"one": 3.0, "rankgain": 2.0}, lists=1) is None


def test_a_goal_of_one_path_is_not_missed_on_another() -> None:
    goal = Goal(Unit.SHARE, 3, 2, ("read limit",), path="avx2")
    outcome = Outcome({"rankgain": 4.0, "read limit": 1.0})
    row = pages.row("deep", goal, {"avx512": outcome, "avx2": outcome}, lists=1)
    assert [cell.verdict for cell in row.cells.values()] == ["not required", "missed"]
    assert row.required == "≤ 3x (AVX2)"
    assert pages.losses([row]).count("\n- ") == 1


def test_of_difficult_inputs_the_worst_of_each_path_is_shown() -> None:
    goals = [Goal(Unit.SHARE, 3, 3, ("random",), (case,)) for case in ("equal", "distinct")]
    outcomes = {
        "avx512": Outcome({"random": 1.0, "equal": 4.0, "distinct": 2.0}),
        "avx2": Outcome({"random": 1.0, "distinct": 2.0}),
        "neon": Outcome(),
    }
    cells = pages.worst("cliffs", goals, outcomes, lists=1).cells
    assert cells["avx512"] == pages.Cell("4x (equal)", "missed")
    assert cells["avx2"] == pages.Cell("2x (distinct)", "stretch")
    assert cells["neon"] == pages.Cell("not measured", "not measured")


def measured(machine: str, **seconds: float) -> Measured:
    return Measured("chip", machine, {name: Outcome({"a": s}) for name, s in seconds.items()})


def test_new_figures_replace_those_of_the_same_workloads(tmp_path: Path) -> None:
    figures.store("avx2", measured("first", dense=1.0, deep=2.0), tmp_path)
    figures.store("avx512", measured("third", dense=9.0), tmp_path)
    figures.store("avx2", measured("second", dense=3.0), tmp_path)
    known = figures.load(tmp_path)
    assert list(known) == ["avx512", "avx2"]
    assert known["avx2"] == [measured("first", deep=2.0), measured("second", dense=3.0)]
    assert known["avx512"] == [measured("third", dense=9.0)]
    figures.store("avx2", measured("second", deep=4.0), tmp_path)
    assert figures.load(tmp_path)["avx2"] == [measured("second", dense=3.0, deep=4.0)]


def test_growth_is_stored_as_it_was(tmp_path: Path) -> None:
    grown = {"k": {1: {"rankgain": 1e-6}, 10: {"rankgain": 2.345e-6}}}
    figures.store("plain", Measured("chip", "one", grown=grown), tmp_path)
    assert figures.load(tmp_path)["plain"] == [Measured("chip", "one", grown=grown)]


def test_the_readme_leaves_out_a_path_of_which_it_shows_nothing() -> None:
    known = {"avx512": [measured("one", dense=1.0)], "neon": [measured("two", memory=1.0)]}
    text = pages.readme_text(known)
    assert "Measured on chip with AVX-512." in text
    assert "NEON" not in text


def test_the_readme_shows_the_last_path_that_was_measured() -> None:
    known = {"avx512": [measured("one", dense=1.0)], "avx2": [measured("two", dense=1.0)]}
    known["avx2"] = [replace(known["avx2"][0], processor="other")]
    text = pages.readme_text(known)
    assert "Measured on other with AVX2." in text
    assert "AVX-512" not in text


def test_the_pages_show_the_stored_figures() -> None:
    known = figures.load()
    docs = pages.ROOT / "docs"
    for page, text in (
        (pages.ROOT / "README.md", pages.readme_text(known)),
        (docs / "reference" / "benchmarks.md", pages.page_text(known)),
        (pages.HERE / "results.md", pages.results_text(known)),
        *(
            (docs / "reference" / f"benchmarks-{theme}.svg", pages.growth_picture(known, theme))
            for theme in chart.INKS
        ),
        *((docs / f"speed-{theme}.svg", pages.speed_picture(known, theme)) for theme in chart.INKS),
    ):
        written = page.read_text(encoding="utf-8")
        if START in written:
            written = written.partition(START)[2].partition(END)[0].strip()
        assert written == text, "python benchmarks/report.py --pages writes them"


def test_figures_are_stored_as_they_were_read(tmp_path: Path) -> None:
    for path, parts in figures.load().items():
        for part in parts:
            figures.store(path, part, tmp_path)
    assert figures.load(tmp_path) == figures.load()


def test_every_stored_time_stands_in_the_results() -> None:
    text = (pages.HERE / "results.md").read_text(encoding="utf-8")
    assert {
        name for parts in figures.load().values() for part in parts for name in part.outcomes
    } == {workload.name for workload in ALL}
    for workload in ALL:
        if not isinstance(workload, ProcessWorkload):
            section = text.split(f"\n**{workload.title}**\n")[1].split("\n**")[0]
            for outcome in pages.outcomes_of(figures.load(), workload.name).values():
                for side, seconds in outcome.seconds.items():
                    assert f"| {side} |" in section
                    assert f" {pages.seconds(seconds)} |" in section


def test_the_page_for_users_is_short() -> None:
    page = pages.ROOT / "docs" / "reference" / "benchmarks.md"
    assert len(page.read_text(encoding="utf-8").splitlines()) < 120


def test_the_page_says_where_others_are_ahead() -> None:
    name = ALL[0].name
    parts = [
        Measured("chip", "one", {name: Outcome({"rankgain": 2.0, "NumPy": 1.0, "torch": 3.0})})
    ]
    lines = list(pages.others_ahead({"avx2": parts}))
    assert lines == [f"- AVX2: {ALL[0].title}: NumPy takes 1 s, rankgain 2 s"]
    assert pages.user_cells(ALL[0], parts[0].outcomes[name]) == ("2 s", "NumPy 0.5x; torch 1.5x")


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
    file.write_text(f"before\n{START}\nold\n{END}\nafter\n", encoding="utf-8")
    pages.put_between_markers(file, "new\n")
    expected = f"before\n{START}\nnew\n{END}\nafter\n"
    assert file.read_text(encoding="utf-8") == expected


def test_markers_are_added_where_absent(tmp_path: Path) -> None:
    file = tmp_path / "page.md"
    file.write_text("text\n", encoding="utf-8")
    pages.put_between_markers(file, "new")
    assert file.read_text(encoding="utf-8") == f"text\n\n{START}\nnew\n{END}\n"


def test_chart_is_well_formed_and_stays_inside() -> None:
    points = {10: {"rankgain": 1e-7, "NumPy": 4e-7}, 1_000: {"rankgain": 2e-6, "NumPy": 1e-5}}
    text = chart.growth(
        [chart.Panel("title", "documents", points, ("rankgain", "read limit", "NumPy"))], "light"
    )
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


def test_every_workload_has_a_name_of_its_own() -> None:
    names = [workload.name for workload in ALL]
    assert len(set(names)) == len(names)
