"""Reconciliation: the result of `reconcile`, as data and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..convention import Convention
from ..inputs.printable import printable
from ..text import TextTable, align, preformat
from .explanation import Explanation

if TYPE_CHECKING:
    from ..inputs.types import Bools, Floats

PRINTED_LISTS = 5


class Step(NamedTuple):
    """One choice that was changed: `fields` of Convention, their values, and the effect."""

    fields: tuple[str, ...]
    before: tuple[Any, ...]
    after: tuple[Any, ...]
    mean: float  # after this step
    change: float  # of the mean
    lists: int  # how many lists' values change
    worst: tuple[tuple[Any, float], ...]  # the lists that change most, with their change


@dataclass(frozen=True, eq=False, repr=False)
class Reconciliation:
    """The steps from one convention's mean to another's; print it for the table.

    Attributes
    ----------
    measure : canonical name.
    conventions : names of a and b.
    names : the measure's name under a and under b, with the cutoff of each.
    means : the means under a and under b.
    steps : the choices that differ, in the order of the changes, which sum to `difference`.
    queries : number of lists under a.
    lists : (query, value under a, value under b) of all lists that differ, most affected first;
        lists with nothing relevant come last.
    explained : the `Explanation` of the most affected list under a and b, or None.
    """

    measure: str
    conventions: tuple[str, str]
    names: tuple[str, str]
    means: tuple[float, float]
    steps: tuple[Step, ...]
    queries: int
    lists: tuple[tuple[Any, float, float], ...]
    explained: tuple[Explanation | None, ...]

    @property
    def difference(self) -> float:
        """b's mean minus a's; 0 where neither is defined."""
        return change(*self.means)

    def to_dict(self) -> dict[str, Any]:
        """All numbers as plain data."""
        return {
            "measure": self.measure,
            "conventions": list(self.conventions),
            "names": list(self.names),
            "means": list(self.means),
            "difference": self.difference,
            "steps": [step._asdict() for step in self.steps],
            "queries": self.queries,
            "lists": [list(one) for one in self.lists],
        }

    def __repr__(self) -> str:
        a, b = self.conventions
        return (
            f"<Reconciliation of {self.measure}: {a} {self.means[0]:.6f}, {b} {self.means[1]:.6f}>"
        )

    def _repr_html_(self) -> str:
        return preformat(str(self))

    def __str__(self) -> str:
        a, b = self.conventions
        rows = [(f"{self.names[0]} under {a}", "", f"{self.means[0]:.6f}", "")]
        unused = [step for step in self.steps if step.change == 0 and not step.lists]
        for step in self.steps:
            if step not in unused:
                words = (
                    f"{step.fields[0]}: {_words(step, step.before)} -> {_words(step, step.after)}"
                )
                rows.append((words, _change(step.change), f"{step.mean:.6f}", f"{step.lists}"))
        rows.append(
            (f"{self.names[1]} under {b}", _change(self.difference), f"{self.means[1]:.6f}", "")
        )
        lines = align(TextTable(("", "change", "mean", "lists"), rows, 1))
        if unused:
            lines.append(f"no effect here: {', '.join(step.fields[0] for step in unused)}")
        if not self.lists:
            return "\n".join([*lines, f"no list of {self.queries} differs"])
        lines += ["", f"{len(self.lists)} of {self.queries} lists differ; most affected:"]
        lists = [
            (printable(f"{one[0]}"), f"{one[1]:.6f}", f"{one[2]:.6f}")
            for one in self.lists[:PRINTED_LISTS]
        ]
        lines += align(TextTable(("list", a, b), lists, 1))
        for name, one in zip(self.conventions, self.explained, strict=False):
            if one is not None:
                lines += ["", f"list {lists[0][0]} under {name}:", str(one)]
        return "\n".join(lines)


def _change(change: float) -> str:
    """Six decimals, or one significant digit if all decimals would be 0."""
    return f"{change:+.6f}" if not 0 < abs(change) < 5e-7 else f"{change:+.0e}"


def _words(step: Step, values: tuple[Any, ...]) -> str:
    """The value of a choice as text: its first field, and others where they matter."""
    if step.fields[0] == "rel":
        return f"{'>' if values[1] else '>='} {values[0]:g}"
    if step.fields[0] == "empty" and len(set(step.before[1:] + step.after[1:])) > 1:
        return f"{values[0]} {'with' if values[1] else 'without'} its weight"
    text = str(values[0])
    return text if len(text) <= 30 else f"{text[:27]}..."


class Point(NamedTuple):
    """The values of the measure under one convention."""

    rules: Convention
    mean: float
    values: Floats
    queries: Sequence[Any]
    undefined: Bools  # lists where nothing is relevant


def change(before: float, after: float) -> float:
    """after - before; 0 where neither mean is defined, nan where only one is."""
    return 0.0 if before != before and after != after else after - before


def progress(here: float, there: float, goal: float) -> tuple[bool, float]:
    """Sort key of a choice: how much it reduces the distance to the goal, else how far it moves."""
    nearer = _distance(here, goal) - _distance(there, goal)
    return (True, nearer) if nearer > 0 else (False, _distance(here, there))


def _distance(a: float, b: float) -> float:
    """How far two means are apart; an undefined one is as far as can be from one that is not."""
    distance = abs(change(a, b))
    return distance if distance == distance else np.inf


class Moves(NamedTuple):
    """Lists whose values differ between two points, the largest differences first.

    Undefined lists come last, because their value is a choice.
    """

    queries: list[Any]
    before: Floats  # nan if the list is left out
    after: Floats


def moves(a: Point, b: Point) -> Moves:
    """The lists whose values differ between two points."""
    queries, x, y, differ = a.queries, a.values, b.values, False
    empty = a.undefined, b.undefined
    if a.queries != b.queries:
        queries = list(dict.fromkeys((*a.queries, *b.queries)))
        (x, here, *_), (y, there, *_) = ends = _on(queries, a), _on(queries, b)
        differ = here != there
        empty = ends[0][2], ends[1][2]
    differ = differ | ~((x == y) | (np.isnan(x) & np.isnan(y)))
    at = np.flatnonzero(differ)
    at = at[np.lexsort((-np.abs(y[at] - x[at]), (empty[0] | empty[1])[at]))]
    return Moves([queries[i] for i in at.tolist()], x[at], y[at])


def _on(queries: list[Any], point: Point) -> tuple[Floats, Bools, Bools]:
    """A point's values for a superset of its queries, and masks: queries it has, undefined ones."""
    place = {query: at for at, query in enumerate(queries)}
    at = [place[query] for query in point.queries]
    values = np.full(len(queries), np.nan)
    has, undefined = np.zeros((2, len(queries)), bool)
    values[at], has[at], undefined[at] = point.values, True, point.undefined
    return values, has, undefined
