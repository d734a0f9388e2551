"""The means and intervals of an accumulator, as rows and as a table."""

from typing import Any, NamedTuple

from ...inputs.printable import printable
from ...text import TextTable, aligned
from ..counting import footer


class SummaryRow(NamedTuple):
    """One mean. run is None for a single run without a name, segment is None for all lists."""

    run: str | None
    segment: Any
    measure: str
    mean: float
    low: float
    high: float
    lists: int
    undefined: int


class Summary(NamedTuple):
    """Rows of means with their intervals; print it for a table."""

    rows: tuple[SummaryRow, ...]
    lists: int
    convention: str

    def to_dict(self) -> list[dict[str, Any]]:
        """A dict for each row."""
        return [row._asdict() for row in self.rows]

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with the rows; needs pandas."""
        import pandas

        return pandas.DataFrame(self.to_dict(), columns=list(SummaryRow._fields))

    def __str__(self) -> str:
        if not self.convention:
            return "nothing was added yet"
        displayed = [
            one
            for one in ("run", "segment")
            if any(getattr(row, one) is not None for row in self.rows)
        ]
        rows = []
        for row in self.rows:
            names = [_named(getattr(row, one)) for one in displayed]
            numbers = [f"{value:.4f}" for value in (row.mean, row.low, row.high)]
            rows.append([*names, row.measure, *numbers, str(row.lists)])
        heads = [*displayed, "measure", "mean", "low", "high", "lists"]
        lines = aligned(TextTable(heads, rows, len(displayed) + 1))
        return "\n".join([*lines, footer({"queries": self.lists}, 0, printable(self.convention))])


def _named(one: object) -> str:
    return "all" if one is None else printable(str(one))
