"""Lists of ids by user, read from frames with a row for each retrieved or relevant id."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ..grouping import Groups, group_rows
from .columns import choose, collect, keys, numbers, open_table, values_at
from .frames import DOCUMENTS, LABELS, QUERIES, RANKS, SCORES, scores_as_labels

if TYPE_CHECKING:
    from ..types import Integers, Series


# Columns in words, and their usual names.
USER, ITEM = ("the user", QUERIES), ("the item", DOCUMENTS)


def is_table(value: object) -> bool:
    """Whether a value is a frame with a row for each id: it has a column of users or queries."""
    names = _columns_of(value)
    return bool(QUERIES.fitting(name for name in names if isinstance(name, str)))


def is_frame(value: object) -> bool:
    """Whether a value is a frame of any columns."""
    return bool(len(_columns_of(value)))


def _columns_of(value: Any) -> Any:
    """The names of the columns of a frame; none for other values."""
    if isinstance(value, (np.ndarray, list, tuple, dict)):
        return ()
    if hasattr(value, "collect_schema"):
        return value.collect_schema().names()
    names = getattr(value, "column_names", None)
    names = getattr(value, "columns", None) if names is None else names
    return () if names is None or callable(names) else names


def count_interactions(frame: object, name: str) -> dict[Any, int]:
    """How many rows each item has in a frame of users and items."""
    table, _ = open_table(frame)
    names = table.collect_schema().names()
    selected = [choose(names, None, word, usual, name) for word, usual in (USER, ITEM)]
    items = collect(table, selected, name)[1]
    groups = group_rows(keys(items))
    return dict(zip(values_at(items, groups.first), groups.sizes.tolist(), strict=True))


def read_retrieved_frame(frame: object, name: str) -> tuple[list[Any], list[list[Any]], str | None]:
    """Users and their ids, best first: by rank if there is such a column, else by score.

    Equal scores stay in the order of the rows; equal ranks of a user are an error. The third is
    what to warn about: ranks that order the ids in another way than a column of scores.
    """
    table, _ = open_table(frame)
    names = table.collect_schema().names()
    by_rank = bool(RANKS.fitting(names))
    last = ("the rank or score", RANKS if by_rank else SCORES)
    selected = [choose(names, None, word, usual, name) for word, usual in (USER, ITEM, last)]
    users, items, ranks = collect(table, selected, name)
    order = numbers(ranks, name)
    groups = group_rows(keys(users))
    if by_rank:
        by_user = np.lexsort((order, groups.codes))
        same = (np.diff(groups.codes[by_user]) == 0) & (np.diff(order[by_user]) == 0)
        if same.any():
            row = int(by_user[int(same.argmax()) + 1])
            user = values_at(users, np.array([row]))[0]
            raise ValueError(
                f"{name}, row {row + 1}: {user!r} has the rank {order[row]} a second time"
            )
    else:
        order = 0.0 - order if order.dtype.kind == "f" else ~order  # descending
    rows = np.lexsort((order, groups.codes))  # stable
    result = values_at(users, groups.first), _cut(items, rows, groups)
    scores = SCORES.fitting(names) if by_rank else []
    return *result, _disagreement(table, selected[2], scores, rows, groups, result[0], name)


def _disagreement(
    table: Any,
    rank: str,
    scores: list[str],
    rows: Integers,
    groups: Groups,
    users: list[Any],
    name: str,
) -> str | None:
    """Where the ranks order the ids of a user in another way than the scores; None: nowhere."""
    if not scores:
        return None
    try:
        values = numbers(collect(table, scores[:1], name)[0], name)[rows]
    except (TypeError, ValueError):  # no scores
        return None
    rises = (values[1:] > values[:-1]) & (np.diff(groups.codes[rows]) == 0)
    if not rises.any():
        return None
    user = users[groups.codes[rows[int(rises.argmax())]]]
    return (
        f"{name} has the columns {rank!r} and {scores[0]!r}, whose orders disagree for {user!r}: "
        f"{rank!r} was taken; leave one of the columns out"
    )


def read_relevant_frame(frame: object, name: str) -> tuple[list[Any], list[Any]]:
    """Users and their relevant ids, with labels if there is a column of labels."""
    table, _ = open_table(frame)
    names = table.collect_schema().names()
    result = [choose(names, None, word, usual, name) for word, usual in (USER, ITEM)]
    if LABELS.fitting(names):
        result.append(choose(names, None, "the label", LABELS, name))
    else:
        result += scores_as_labels(names)
    users, items, *labels = collect(table, result, name)
    groups = group_rows(keys(users))
    rows = groups.order()
    lists = _cut(items, rows, groups)
    who = values_at(users, groups.first)
    if not labels:
        return who, lists
    values = numbers(labels[0], name)[rows].tolist()
    with_labels, at = [], 0
    for user, ids in zip(who, lists, strict=True):
        labelled = dict(zip(ids, values[at : at + len(ids)], strict=True))
        if len(labelled) < len(ids):
            twice = next(one for i, one in enumerate(ids) if one in ids[:i])
            raise ValueError(f"{name}: {user!r} has the id {twice!r} in two rows; keep one of them")
        with_labels.append(labelled)
        at += len(ids)
    return who, with_labels


def _cut(items: Series, rows: Integers, groups: Groups) -> list[list[Any]]:
    """The ids of each user."""
    ids = values_at(items, rows)
    ends = [0, *np.cumsum(groups.sizes).tolist()]
    return [ids[a:b] for a, b in pairwise(ends)]
