"""Evaluations of several runs beside each other."""

from collections.abc import Iterator, Mapping
from typing import Any

from ..records.printable import printable
from .evaluation import Evaluation


class Evaluations(Mapping[str, Evaluation]):
    """Evaluations of several runs: a mapping name -> `Evaluation`, in the order given.

    Prints a table, runs as rows and measures as columns.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, Evaluation]) -> None:
        self._items = dict(items)

    def __getitem__(self, name: str) -> Evaluation:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return f"<Evaluations of {len(self)} runs: {', '.join(map(_shown, self))}>"

    def __str__(self) -> str:
        if not self._items:
            return "no runs"
        first = next(iter(self._items.values()))
        names = list(first.means)
        width = max(3, *(len(_shown(name)) for name in self))
        heads = "".join(f"  {name:>{max(6, len(name))}}" for name in names)
        lines = [f"{'run':<{width}}{heads}"]
        for run, found in self.items():
            cells = "".join(f"  {found.means[name]:>{max(6, len(name))}.4f}" for name in names)
            lines.append(f"{_shown(run):<{width}}{cells}")
        feet = [found.footer() for found in self.values()]
        if len(set(feet)) == 1:
            return "\n".join([*lines, feet[0]])
        return "\n".join(
            [*lines, *(f"{_shown(run)}: {foot}" for run, foot in zip(self, feet, strict=True))]
        )


def _shown(run: Any) -> str:
    return printable(str(run))
