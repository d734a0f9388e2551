"""Pages: what stands on them is what was compared, and no name can do anything to them."""

import base64
import hashlib
import re
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankgain as rg
from places import ROOT
from rankgain.output.report import page
from rankgain.output.report.charts import templates
from report_pages import DOCUMENT, HOSTILE, QUERY, Page, compared, sources
from systems import evaluations

pytest.importorskip("jinja2")

NAMES = ["good", "fair", "bad"]
TAGS = set(
    "html head meta title style body main script section h1 h2 p div table caption thead tbody tr "
    "th td small b sup abbr span details summary figure figcaption svg g path circle rect text dl "
    "dt dd".split()
)


def with_rankings(names: list[str], **options: Any) -> tuple[Any, str]:
    qrels, runs = sources(names, **options)
    result = rg.compare(rg.evaluate_runs(qrels, runs, ["nDCG@10", "AP"]))
    return result, page(result, qrels=qrels, runs=runs)


def test_no_name_becomes_a_tag_or_an_attribute() -> None:
    _, text = with_rankings(HOSTILE, query=QUERY, document=DOCUMENT)
    parsed = Page(text)
    assert {tag for tag, _ in parsed.tags} <= TAGS
    assert [tag for tag, _ in parsed.tags].count("script") == 1
    attributes = {name for _, result in parsed.tags for name in result}
    assert not {name for name in attributes if name.startswith("on")}
    assert attributes.isdisjoint({"src", "href", "style"})
    assert "\u202e" not in text  # which would turn the direction of what follows
    shown = "".join(parsed.texts["th"] + parsed.texts["span"] + parsed.texts["summary"])
    assert HOSTILE[0] in shown
    assert QUERY.format(3) in shown
    assert DOCUMENT.format(3) in "".join(parsed.texts["td"])


def test_a_title_is_escaped_too() -> None:
    text = page(compared(NAMES), title="</title><script>1</script>")
    assert "&lt;/title&gt;&lt;script&gt;" in text
    assert text.count("<script>") == 1


def test_nothing_is_asked_from_elsewhere() -> None:
    _, text = with_rankings(NAMES)
    assert not re.search(r"https?:|//|@import|url\(|<link|<iframe", text.replace("// ", ""))


def test_the_policy_allows_the_one_script() -> None:
    _, text = with_rankings(NAMES)
    script = re.search(r"<script>(.*)</script>", text, re.DOTALL)
    assert script is not None
    digest = base64.b64encode(hashlib.sha256(script[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in text


@pytest.mark.parametrize("baseline", [None, "fair"])
def test_comparisons_are_the_rows(baseline: str | None) -> None:
    result = compared(NAMES, baseline=baseline)
    shown = Page(page(result)).table("measure")[1:]
    assert len(shown) == len(result.rows)
    for cells, row in zip(shown, result.rows, strict=True):
        assert cells[:3] == [row.measure, row.a, row.b]
        numbers = [float(cell.split()[0]) for cell in cells[3:8]]
        expected = [row.mean_a, row.mean_b, row.difference, row.low, row.high]
        assert numbers == [float(f"{value:.4f}") for value in expected]
        assert float(cells[8]) == float(f"{row.effect:.2f}")
        assert [float(cell.replace("<", "")) for cell in cells[9:11]] == [
            max(float(f"{p:.4f}"), 0.0001) for p in (row.p, row.p_corrected)
        ]
        assert [int(c) for c in cells[11:]] == [row.wins, row.ties, row.losses, row.lists]
        marked = {"▲": 1, "▼": -1}.get(cells[5].split()[-1], 0)
        assert marked == (np.sign(row.difference) if row.p_corrected < 0.05 else 0)


def test_means_are_those_of_the_evaluations() -> None:
    result = compared(NAMES)
    _, *rows = Page(page(result)).table("system")
    for row in rows:
        one = result.evaluations[row[0].split()[0]]
        for measure, cell in zip(result.measures, row[1:], strict=True):
            assert cell.startswith(f"{one.means[measure]:.4f}")
            low, high = one.interval(measure)
            assert cell.endswith(f"{low:.4f} to {high:.4f}")


def test_means_of_systems_whose_lists_count_differently() -> None:
    qrels, runs = sources(NAMES)
    for at, query in enumerate(qrels):
        runs["fair"][query] = dict(list(runs["fair"][query].items())[: 1 + at % 3])
    micro = rg.Convention("micro", mean={"precision": "micro"}, divisor={"precision": "min"})
    result = rg.compare(rg.evaluate_runs(qrels, runs, "P@3", convention=micro))
    means = {row[0].split()[0]: row[1] for row in Page(page(result)).table("system")[1:]}
    for name, one in result.evaluations.items():
        assert means[name].startswith(f"{one.means['P@3']:.4f}")
        low, high = one.interval("P@3")
        assert means[name].endswith(f"{low:.4f} to {high:.4f}")


def test_letters_name_those_that_a_mean_is_better_than() -> None:
    result = compared(NAMES)
    heads, *rows = Page(page(result)).table("system")
    letter = dict(row[0].split() for row in rows)
    for row in rows:
        name = row[0].split()[0]
        for measure, cell in zip(heads[1:], row[1:], strict=True):
            beaten = {
                letter[r.b if r.a == name else r.a]
                for r in result.rows
                if r.measure == measure
                and r.p_corrected < 0.05
                and ((r.a == name and r.difference > 0) or (r.b == name and r.difference < 0))
            }
            assert set(re.findall(r"[a-z]+", cell)) - {"to"} == beaten
    assert any(word != "a" for word in letter.values())


def test_triangles_stand_beside_a_baseline() -> None:
    result = compared(NAMES, baseline="bad")
    _, *rows = Page(page(result)).table("system")
    better = {row.a for row in result.rows if row.measure == "nDCG@10" and row.p_corrected < 0.05}
    assert better
    assert {row[0] for row in rows if "▲" in row[1]} == better


def test_lists_have_their_values_and_the_greatest_differences_first() -> None:
    result = compared(NAMES)
    heads, *rows = Page(page(result)).table("query")
    assert heads == ["query", "a - b", "a: good", "b: fair", "bad"]
    columns = [result.evaluations[name].per_query["nDCG@10"] for name in NAMES]
    queries = result.evaluations["good"].queries
    assert sorted(row[0] for row in rows) == sorted(queries)
    for row in rows:
        values = [float(column[queries.index(row[0])]) for column in columns]
        assert row[1:] == [f"{values[0] - values[1]:+.4f}", *(f"{v:.4f}" for v in values)]
    sizes = [abs(float(row[1])) for row in rows]
    assert sizes == sorted(sizes, reverse=True)


def test_each_measure_has_its_own_greatest_differences_first() -> None:
    measures = ["P@1", "RR", "AP", "nDCG@10"]
    result = compared(NAMES, measures)
    parsed = Page(page(result))
    tables = [table for table in parsed.tables if table[0][0] == "query"]
    assert len(tables) == len(measures)
    orders = set()
    for table in tables:
        rows = [[cell.strip() for cell in row] for row in table[1:]]
        sizes = [abs(float(row[1])) for row in rows]
        assert sizes == sorted(sizes, reverse=True)
        orders.add(tuple(row[0] for row in rows))
    assert len(orders) > 1


@pytest.mark.parametrize(("measure", "class_of_positive"), [("AP", "better"), ("MR", "worse")])
def test_differences_are_marked_by_what_is_better(measure: str, class_of_positive: str) -> None:
    text = page(compared(NAMES, [measure]))
    (table,) = re.findall(
        r"<caption>\S+ of [^<]*, largest differences first.*?</table>", text, re.S
    )
    marked = set(re.findall(r'<td class="(\w+)">([-+])[\d.]+', table))
    class_of_negative = {"better": "worse", "worse": "better"}[class_of_positive]
    assert marked
    assert marked <= {(class_of_positive, "+"), (class_of_negative, "-")}


OURS = rg.conventions["trec"].replace(gain="exp2", unjudged="drop", name="ours")


@pytest.mark.parametrize(("measures", "options", "explained"), [
    ("nDCG(gain=exp2)@5", {}, "nDCG(gain=exp2)@5"),
    ("nDCG@5", {"convention": OURS}, "nDCG@5"),
    ("nDCG@5", {"gain": "exp2", "ties": "worst"}, "nDCG@5"),
    (["P@5", "nDCG@5", "AP"], {"convention": OURS}, "nDCG@5"),
    (["AP@5", "nDCG@5"], {"rel": 2}, "AP@5"),
    ("RR", {"convention": "pytrec_eval"}, "RR"),
    (["Judged@5", "ERR@5"], {"judged_only": True}, "ERR@5"),
])  # fmt: skip
def test_what_is_explained_is_what_was_compared(
    measures: Any, options: dict[str, Any], explained: str
) -> None:
    qrels, runs = sources(NAMES)
    for judged in qrels.values():
        del judged["d1"], judged["d2"]
    evaluations = rg.evaluate_runs(qrels, runs, measures, **options)
    text = page(rg.compare(evaluations), qrels=qrels, runs=runs)
    parsed = Page(text)
    tables = [one for one in parsed.tables if one[0][0] == "rank"]
    # A table of queries for each measure; explanations stand in that of the explained one.
    tables_of_queries = [table for table in parsed.tables if table[0][0] == "query"]
    position = list(evaluations["good"].means).index(explained)
    order = [row[0].strip() for row in tables_of_queries[position][1:]]
    assert len(tables) == 2 * len(order) == 24
    titles = [one for one in parsed.texts["caption"] if one.partition(": ")[0] in NAMES]
    # What evaluate takes as an argument stands in the name here.
    inside = {"rel": "rel=2", "judged_only": "judged_only=True"}
    words = [word for key, word in inside.items() if key in options]
    measure = explained.replace("@", f"({words[0]})@") if words else explained
    own = {key: one for key, one in options.items() if key not in inside}
    for at, (table, title) in enumerate(zip(tables, titles, strict=True)):
        name, query = NAMES[at % 2], order[at // 2].split("…")[0]
        shown = rg.explain(qrels, runs[name], query=query, measure=measure, **own)
        value = evaluations[name].per_query[explained][evaluations[name].queries.index(query)]
        assert title.split(" = ")[0] == f"{name}: {explained} {value:.4f}"
        assert [row[1] for row in table[1:] if row[1]] == list(shown.documents)[:10]
        graded = isinstance(shown, rg.Explanation)
        running, column = (shown.ranking.running_dcg, 6) if graded else (shown.running, 4)
        assert [row[column] for row in table[1:] if row[1]] == [f"{v:.4f}" for v in running[:10]]
    assert f"see its {explained} rank by rank" in text


def test_the_picture_of_many_differences_does_not_depend_on_the_order_of_queries(
    tmp_path: Path,
) -> None:
    names, values = np.array([f"q{i:03}" for i in range(500)]), np.random.default_rng(1).random(500)
    pictures = []
    for order in (np.arange(500), np.argsort(values)):
        pair = {
            system: rg.Evaluation({"AP": 0.5}, {"AP": of_lists[order]}, names[order].tolist())
            for system, of_lists in (("a", values), ("b", values[::-1]))
        }
        rg.compare(pair, test="t").report(tmp_path / "page.html")
        text = (tmp_path / "page.html").read_text(encoding="utf-8")
        pictures.append(re.findall(r'd="(M[^"]*Z)"', text))  # the closed areas
    assert pictures[0] == pictures[1]
    assert len(pictures[0]) == 2


@pytest.mark.parametrize("short", ["<short>", ""])
def test_segments_stand_beside_the_result_on_all_lists(short: str) -> None:
    labels = ["long"] * 9 + [short] * 3
    result = compared(NAMES, by=labels, baseline="bad")
    over_all = compared(NAMES, baseline="bad")
    parsed = Page(page(result))
    plain, segmented = (one for one in parsed.tables if one[0][0] == "measure")
    assert [row[:3] for row in plain[1:]] == [[r.measure, r.a, r.b] for r in over_all.rows]
    assert [row[3] for row in plain[1:]] == [f"{row.mean_a:.4f}" for row in over_all.rows]
    assert segmented[0][:4] == ["measure", "segment", "a", "b"]
    assert [row[1] for row in segmented[1:]] == [row.segment for row in result.rows]
    assert [row[-1].strip() for row in segmented[1:]] == [f"{row.lists} few" for row in result.rows]
    assert {"all lists", "long (9, few)", f"{short} (3, few)"} <= set(parsed.texts["text"])
    said = " ".join(" ".join(parsed.texts["p"]).split())
    assert " are significantly better than the baseline" in said
    assert "in long (only 9 queries)" in said
    assert "Holm-corrected for 4 comparisons on all queries, and separately for 8" in said
    means = Page(page(over_all)).table("system")
    assert parsed.table("system") == means


def test_segments_of_many_lists_are_not_marked() -> None:
    text = page(compared(NAMES, lists=53, by=["x"] * 28 + ["y"] * 25))
    assert "x (28)" in text
    assert [word for word in ("few)", " few<", "(only") if word in text] == []
    text = page(compared(NAMES, lists=53, by=["x"] * 29 + ["y"] * 24))
    assert "y (24, few)" in text
    assert "in segments of fewer than 25 queries: y." in text


def test_systems_whose_names_differ_only_in_the_middle_or_at_the_end_are_told_apart() -> None:
    names = [f"msmarco-distilbert-{a}-colbertv2-lr{b}e-5" for a in ("cls", "max") for b in (1, 3)]
    for systems in (names, [f"{one:>70}" for one in names]):
        parsed = Page(page(compared(systems, "AP")))
        drawn = [one for one in parsed.texts["text"] if "lr" in one]
        assert len(set(drawn)) == 4
        assert len(drawn) == 4 + 3  # means, and differences from the best


def test_the_smallest_p_values_are_not_always_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankgain.output.report.view.COMPARED", 3)
    random = np.random.default_rng(1)
    base = random.random(30)
    columns = [*(base + random.normal(0, 0.01, 30) for _ in range(3)), base - 0.5]
    result = rg.compare(evaluations(np.column_stack(columns)))
    rows = Page(page(result)).table("measure")[1:]
    assert [row[1:3] for row in rows] == [[f"s{i}", "s3"] for i in range(3)]


def test_how_it_was_made() -> None:
    result = compared(NAMES, test="bootstrap", resamples=500, seed=7, correction="bh")
    said = Page(page(result)).texts["dd"]
    assert "500, seed 7" in said
    assert f"rankgain {rg.__version__}" in said
    assert "12 queries (convention trec)" in said
    assert "bh" in said


def test_twenty_runs_of_250_lists_stay_under_two_megabytes() -> None:
    names = [f"run-{at}" for at in range(20)]
    qrels, runs = sources(names, lists=250, document="FBIS3-{:06d}")
    measures = ["nDCG@10", "AP", "P@10", "RR", "R@10"]
    result = rg.compare(rg.evaluate_runs(qrels, runs, measures), test="t")
    text = page(result, qrels=qrels, runs=runs)
    assert len(text.encode()) < 2_000_000
    assert text.count("<th scope=row><details>") == 250
    assert text.count("<tr><td class=name>") == len(result.rows) == 950


def test_more_than_a_page_holds_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rankgain.output.report.view.CELLS", 75)
    monkeypatch.setattr("rankgain.output.report.view.COMPARED", 2)
    result = compared(NAMES, "nDCG@10", lists=40)
    text = page(result)
    assert "The 25 queries of 40 on which they differ most." in text
    assert text.count("<th scope=row>") == 25
    assert "2 of 3 comparisons, those with the smallest p-values" in text
    least = sorted(result.rows, key=lambda row: row.p)[:2]
    shown = Page(text).table("measure")[1:]
    assert [row[1:3] for row in shown] == [[row.a, row.b] for row in least]


def test_equal_comparisons_give_equal_pages(tmp_path: Path) -> None:
    result = compared(NAMES)
    result.report(tmp_path / "a.html")
    compared(NAMES).report(tmp_path / "b.html")
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_queries_that_are_integers_and_runs_without_them() -> None:
    qrels = {1: {"a": 1, "b": 0}, 2: {"a": 1}, 3: {"c": 1}}
    runs: dict[str, Any] = {
        "x": {1: {"a": 1.0}, 2: {"a": 2.0}, 3: {"c": 1.0}},
        "y": {1: {"b": 1.0, "a": 0.5}, 2: {"z": 1.0}},
    }
    result = rg.compare(rg.evaluate_runs(qrels, runs, "nDCG@10"))
    text = page(result, qrels=qrels, runs=runs)
    assert text.count("<th scope=row><details>") == 3


def test_without_jinja2_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    result = compared(NAMES)
    templates.cache_clear()
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(ImportError, match=r'pip install "rankgain\[report\]"'):
        page(result)


def test_templates_escape_everything_and_know_no_undefined_names() -> None:
    from jinja2 import UndefinedError

    drawn = templates().from_string('<b id="{{ name }}">{{ name }}').render(name="\"<'\x1b\u202e")
    assert drawn == '<b id="&#34;&lt;&#39;\\x1b\\u202e">&#34;&lt;&#39;\\x1b\\u202e'
    with pytest.raises(UndefinedError, match="'nmae' is undefined"):
        templates().from_string("{{ nmae }}").render(name="x")
    for name in templates().list_templates(["html", "svg", "css", "js"]):
        text = templates().loader.get_source(templates(), name)[0]
        assert not re.search(r"\|\s*(safe|forceescape)|autoescape|Markup", text), name


def test_the_templates_are_in_the_wheel_and_the_sdist() -> None:
    """An installed package has them: its tests make pages. Here, what the build is told."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packaged = project["tool"]["setuptools"]["package-data"]["rankgain.output.report"]
    sdist = (ROOT / "MANIFEST.in").read_text(encoding="utf-8").split()
    folder = ROOT / "src" / "rankgain" / "output" / "report"
    files = [
        one.name for one in folder.iterdir() if one.suffix not in (".py", "") and one.is_file()
    ]
    assert len(files) == 6
    for name in files:
        assert any(fnmatch(name, pattern) for pattern in packaged), name
        assert any(fnmatch(name, pattern) for pattern in sdist), name
