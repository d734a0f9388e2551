"""Evaluations as text: a table, separated values, JSON, Markdown and LaTeX."""

import math
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..names.catalogue import FAMILIES
from ..names.measure import parse_measure
from ..records.printable import printable, safe_cell
from .stored import name_of_means

if TYPE_CHECKING:
    from .evaluation import Evaluation

BOLD, PLAIN = "\033[1m", "\033[0m"
SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}
SEPARATORS = {"csv": ",", "tsv": "\t"}
Found: TypeAlias = "Mapping[str, Evaluation]"


class Row(NamedTuple):
    """A row of a table: what it is about, and a value for each measure."""

    head: tuple[str, ...]
    values: tuple[float, ...]


def formatted(
    found: Found, kind: str, *, per_query: bool = False, bold: bool = False, safe: bool = True
) -> str:
    """Evaluations by run in one of FORMATS, with a row for each query where these are asked.

    safe: no cell of separated values is a formula.
    """
    if kind in ("json", "jsonl"):
        return (_json if kind == "json" else _json_lines)(found, per_query)
    measures = list(next(iter(found.values())).means)
    heads = ["run", "query"] if per_query else ["run"]
    rows = list(_rows(found, per_query))
    if kind in SEPARATORS:
        if safe:
            rows = [row._replace(head=tuple(map(safe_cell, row.head))) for row in rows]
        return _separated(SEPARATORS[kind], [*heads, *measures], rows)
    rows = [row._replace(head=tuple(map(printable, row.head))) for row in rows]
    if kind == "table":
        return _table(found, heads, measures, rows, bold and not per_query)
    return {"markdown": _markdown, "latex": _latex}[kind](found, heads, measures, rows)


def _rows(found: Found, per_query: bool) -> Iterator[Row]:
    means = name_of_means(chain.from_iterable(one.queries for one in found.values()))
    for run, evaluation in found.items():
        if per_query:
            columns = [values.tolist() for values in evaluation.per_query.values()]
            for query, *values in zip(evaluation.queries, *columns, strict=True):
                yield Row((run, str(query)), tuple(values))
        head = (run, means) if per_query else (run,)
        yield Row(head, tuple(evaluation.means.values()))


def _footers(found: Found) -> list[str]:
    """What was counted: one line if it is the same for all runs."""
    feet = {run: one.footer() for run, one in found.items()}
    if len(set(feet.values())) == 1:
        return [next(iter(feet.values()))]
    return [f"{printable(run)}: {foot}" for run, foot in feet.items()]


def _best(rows: list[Row], measures: list[str]) -> list[str]:
    """The best value of each column as it is printed; nothing is best alone."""
    if len(rows) < 2:
        return []
    best = []
    for name, column in zip(measures, zip(*(row.values for row in rows), strict=True), strict=True):
        family = FAMILIES[parse_measure(name).family.lower()]
        choose = min if family.smaller_is_better else max
        best.append(choose((value for value in column if not math.isnan(value)), default=0.0))
    return [f"{value:.4f}" for value in best]


def _table(found: Found, heads: list[str], measures: list[str], rows: list[Row], bold: bool) -> str:
    widths = [max(map(len, column)) for column in zip(heads, *(r.head for r in rows), strict=True)]
    places = [max(6, len(name)) for name in measures]
    best = _best(rows, measures) if bold else []

    def line(left: tuple[str, ...] | list[str], right: list[str], strong: list[bool]) -> str:
        text = "  ".join(f"{cell:<{width}}" for cell, width in zip(left, widths, strict=True))
        for cell, width, marked in zip(right, places, strong, strict=True):
            padded = f"{cell:>{width}}"
            text += "  " + (f"{BOLD}{padded}{PLAIN}" if marked else padded)
        return text

    lines = [line(heads, measures, [False] * len(measures))]
    for row in rows:
        cells = [f"{value:.4f}" for value in row.values]
        strong = [a == b for a, b in zip(cells, best, strict=True)] if best else []
        lines.append(line(row.head, cells, strong or [False] * len(cells)))
    return "\n".join([*lines, *_footers(found)]) + "\n"


def _separated(separator: str, heads: list[str], rows: list[Row]) -> str:
    import csv
    import io

    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows([*row.head, *map(repr, row.values)] for row in rows)
    return text.getvalue()


def _markdown(found: Found, heads: list[str], measures: list[str], rows: list[Row]) -> str:
    def line(cells: list[str]) -> str:
        return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"

    lines = [line([*heads, *measures]), line(["---"] * len(heads) + ["---:"] * len(measures))]
    lines += [line([*row.head, *(f"{value:.4f}" for value in row.values)]) for row in rows]
    return "\n".join([*lines, "", *_footers(found)]) + "\n"


def _latex(found: Found, heads: list[str], measures: list[str], rows: list[Row]) -> str:
    def line(cells: list[str]) -> str:
        escaped = ("".join(SPECIAL.get(one, one) for one in cell) for cell in cells)
        return f"{' & '.join(escaped)} \\\\"

    lines = [f"% {foot}" for foot in _footers(found)]
    lines += [rf"\begin{{tabular}}{{{'l' * len(heads)}{'r' * len(measures)}}}", r"\hline"]
    lines += [line([*heads, *measures]), r"\hline"]
    lines += [line([*row.head, *(f"{value:.4f}" for value in row.values)]) for row in rows]
    return "\n".join([*lines, r"\hline", r"\end{tabular}"]) + "\n"


def _data(evaluation: "Evaluation", per_query: bool) -> dict[str, Any]:
    """What `Evaluation.to_json` writes, without the queries unless these are asked."""
    import json

    data: dict[str, Any] = json.loads(str(evaluation.to_json()))
    if not per_query:
        del data["queries"], data["per_query"]
    return data


def _dumped(data: Any, indent: int | None) -> str:
    import json

    return json.dumps(_finite(data), indent=indent, ensure_ascii=False, allow_nan=False) + "\n"


def _finite(data: Any) -> Any:
    """JSON has no nan: null stands for it."""
    if isinstance(data, dict):
        return {name: _finite(value) for name, value in data.items()}
    if isinstance(data, list):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data


def _json(found: Found, per_query: bool) -> str:
    runs = {run: _data(evaluation, per_query) for run, evaluation in found.items()}
    first = next(iter(runs.values()))
    head = {"rankgain": first["rankgain"], "convention": first["convention"]}
    return _dumped(head | {"runs": runs}, 1)


def _json_lines(found: Found, per_query: bool) -> str:
    lines = []
    for run, evaluation in found.items():
        if per_query:
            for query, values in evaluation.to_dict().items():
                lines.append(_dumped({"run": run, "query": query, **values}, None))
        else:
            lines.append(_dumped({"run": run, **_data(evaluation, False)}, None))
    return "".join(lines)


FORMATS = ("table", "csv", "tsv", "json", "jsonl", "markdown", "latex")
