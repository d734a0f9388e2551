"""Comparisons for the tests of pages, and pages taken apart."""

from html.parser import HTMLParser
from typing import Any

import numpy as np

import rankgain as rg

HOSTILE = ['<script>alert("a")</script>', "b\"'><img src=x onerror=alert(1)>", "c & d</td>\u202e"]
QUERY = "<b>q{}</b>&amp;"
DOCUMENT = "d<i>{}</i>"


def sources(
    names: list[str],
    lists: int = 12,
    documents: int = 15,
    query: str = "q{}",
    document: str = "d{}",
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, dict[str, float]]]]:
    """Qrels and runs, the first run the best."""
    random = np.random.default_rng(3)
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, dict[str, float]]] = {name: {} for name in names}
    for at in range(lists):
        ids = [document.format(i) for i in range(documents)]
        labels = random.integers(0, 3, documents) * (random.random(documents) < 0.4)
        labels[0] = 2
        qrels[query.format(at)] = dict(zip(ids, labels.tolist(), strict=True))
        for place, name in enumerate(names):
            scores = labels * (1.2 - 0.5 * place) + random.random(documents)
            runs[name][query.format(at)] = dict(zip(ids, scores.tolist(), strict=True))
    return qrels, runs


def compared(names: list[str], measures: Any = ("nDCG@10", "AP"), **options: Any) -> Any:
    """A comparison of runs over twelve lists, or as many as `lists` says."""
    kinds = ("lists", "documents", "query", "document")
    given = {key: options.pop(key) for key in kinds if key in options}
    qrels, runs = sources(names, **given)
    return rg.compare(rg.evaluate_runs(qrels, runs, measures), **options)


class Page(HTMLParser):
    """A page taken apart: its tags with attributes, and its tables as texts of cells."""

    VOID = ("meta", "br", "input")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.tables: list[list[list[str]]] = []
        self.depth: list[list[list[str]]] = []  # tables inside tables
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)
        if tag == "table":
            self.depth.append([])
            self.tables.append(self.depth[-1])
        elif tag == "tr":
            self.depth[-1].append([])
        elif tag in ("td", "th"):
            self.depth[-1][-1].append("")

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop() != tag:
            pass
        if tag == "table":
            self.depth.pop()

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)
        if self.depth and self.depth[-1] and self.depth[-1][-1] and "caption" not in self.open[-1:]:
            self.depth[-1][-1][-1] += data

    def table(self, head: str) -> list[list[str]]:
        """The rows of the first table whose first head is this; heads first."""
        result = next(one for one in self.tables if one and one[0][0] == head)
        return [[cell.strip() for cell in row] for row in result]
