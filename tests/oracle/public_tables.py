"""The columns of tables that people publish: 200 of them, with values made for each.

A line of the text file names tables of the same columns, the arguments that a reader would pass,
and the columns. Arguments are those of `evaluate_ids` for a table of what is relevant; a column of
ids that has no usual name must be named, as must labels that are called by a word of their own.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, NamedTuple

LINES = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8")


class PublicTable(NamedTuple):
    """A table of what is relevant: the arguments to read it, and its columns."""

    name: str
    arguments: dict[str, Any]
    columns: list[str]


def _read(line: str) -> list[PublicTable]:
    names, *parts = (part.strip() for part in line.split("|"))
    arguments: dict[str, Any] = {}
    for part in (parts[0], *parts[2:]):
        for pair in part.split():
            role, _, value = pair.partition("=")
            several = value.split(",")
            arguments[role] = None if value == "None" else several if several[1:] else value
    return [PublicTable(name, arguments, parts[1].split()) for name in names.split("; ")]


TABLES = [table for line in LINES.strip().splitlines() for table in _read(line)]

# Values by a word of the name of a column: what such a column holds in the published table.
FLAGS = (
    "click clicked like follow long read reordered verified bool clk nonclk sale correct active "
)
FLAGS += "is premium flag package mobile booking"
KINDS = {
    "time": "time timestamp ts date day dat utc start stop read reviewtime ms dt checkin checkout "
    "at milliseconds datetime timeframe eventdate unixreviewtime timestep",
    "text": "title text genres tag name summary comments comment review passage description "
    "locale brand code country city category occupation query keyword subcategory url type status "
    "platform device environment context zip class fit",
    "price": "price amount latitude longitude hours duration playtime playratio lat usd sum euro "
    "seconds propensity score variance paid sales discount disc value ratio weight height",
    "count": "plays count vote votes useful funny cool helpful quantity number step position pos "
    "adults children length age month year week points order rank n",
}


def rows_of(table: PublicTable, seed: int = 0) -> dict[str, list[Any]]:
    """Six users with four items each, all of them relevant, and what else the table tells."""
    draw = random.Random(f"{table.name} {seed}")
    users = [user for user in range(6) for _ in range(4)]
    items = [item for _ in range(6) for item in draw.sample(range(10), 4)]
    return {name: _values(name, table, users, items, draw) for name in table.columns}


def _values(
    name: str, table: PublicTable, users: list[int], items: list[int], draw: random.Random
) -> list[Any]:
    """The values of a column."""
    query, doc = key_columns(table)
    if name in query:
        return [f"u{user}" for user in users] if name == query[0] else list(users)
    if name == doc:
        return [f"i{item}" for item in items]
    if name == table.arguments.get("label"):
        return [draw.randint(1, 5) for _ in users]
    word = name.lower().removesuffix(":token").removesuffix(":float")
    words = set(word.replace("-", "_").split("_")) | {word}
    if words & {"rating", "relevance", "rel", "label", "grade"} or word == "score":
        return [draw.randint(1, 3) for _ in users]
    if words & {"gender", "members", "attr"}:  # of the user
        return [user % 2 for user in users]
    if word in {"query", "topic"}:
        return [f"text of {user}" for user in users]
    for kind, of_kind in KINDS.items():
        if words & set(of_kind.split()):
            return [_value(kind, draw) for _ in users]
    if words & set(FLAGS.split()):
        return [draw.randint(0, 1) for _ in users]
    if words & {"session", "sessionid", "user", "userid"}:  # one for each list
        return [f"s{user}" for user in users]
    if words & {"item", "artist", "track", "album", "asin", "parent", "product", "seller", "cat"}:
        return [f"{name} of {item}" for item in items]
    return [draw.randrange(10**6) for _ in users]


def _value(kind: str, draw: random.Random) -> Any:
    if kind == "time":
        return 1_600_000_000 + draw.randrange(10**7)
    if kind == "text":
        return draw.choice(["red", "green", "blue", "long words", "x"])
    if kind == "price":
        return round(draw.uniform(0.5, 90), 2)
    return draw.randint(0, 8)


USERS = "query_id qid topic topic_id query user_id userid user reviewerid customer_id "
USERS += "customerid session_id visitorid user_id:token"


def key_columns(table: PublicTable) -> tuple[list[str], str]:
    """The columns of lists and of documents: those that are named, or the first that could be."""
    query, doc = table.arguments.get("query"), table.arguments.get("doc")
    if query is None:
        known = USERS.split()
        spelled = {name.lower().replace("-", "_"): name for name in reversed(table.columns)}
        query = next(spelled[name] for name in known if name in spelled)
    if doc is None:
        from rankgain.inputs.tables.roles import DOCUMENTS

        doc = DOCUMENTS.matching(table.columns)[0]
    return [query] if isinstance(query, str) else query, doc
