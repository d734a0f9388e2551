"""What must be equal in all evaluations that one accumulator adds up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.means import MeanRule
from ...engine.setting_values import are_equal, refuse_different, setting_value

if TYPE_CHECKING:
    from ..evaluation import Evaluation

EQUAL = ("convention", "version", "measures", "requested", "mean_rule")


class CommonRules(NamedTuple):
    """Convention, measures and settings of all evaluations in one accumulator."""

    convention: str
    version: str
    measures: tuple[str, ...]
    requested: tuple[tuple[str, str], ...]
    settings: Mapping[str, Any]
    weighted: bool | None  # None before the first list
    undefined_as: Mapping[str, Any]  # measure -> what its undefined lists count
    mean_rule: MeanRule

    @classmethod
    def of(cls, one: Evaluation) -> CommonRules:
        """The rules of an evaluation."""
        return cls(
            one.convention,
            one.versions["convention"],
            tuple(one.means),
            tuple(sorted(one.requested.items())),
            one.settings,
            one.weights is not None if len(one) else None,
            {
                name: _read_empty(value)
                for name, value in one.counts.get("undefined_as", {}).items()
            },
            one.mean_rule,
        )

    def joined(self, others: CommonRules, place: str) -> CommonRules:
        """Combine with the rules of a part; `place` names the part in errors."""
        for field in EQUAL:
            known_value, added = getattr(self, field), getattr(others, field)
            if known_value != added:
                raise ValueError(f"{field} differ: {display(known_value)}, and {display(added)}")
        before = "what was added before"
        refuse_different(self.settings, others.settings, before, place)
        if None not in (self.weighted, others.weighted) and self.weighted != others.weighted:
            has, has_not = ("weights", "no weights") if self.weighted else ("no weights", "weights")
            raise ValueError(
                f"{before} has {has}, but {place} has {has_not}; evaluate all parts with weight=, "
                "or all without"
            )
        for name, added in others.undefined_as.items():
            known_value = self.undefined_as.get(name, added)
            if not are_equal(known_value, added):
                raise ValueError(describe_difference(name, known_value, before, added, place))
        both = {**self.undefined_as, **others.undefined_as}
        return self._replace(
            weighted=others.weighted if self.weighted is None else self.weighted,
            undefined_as={name: both[name] for name in self.measures if name in both},
        )


def _read_empty(value: float | str) -> Any:
    """The value that undefined lists count; `Evaluation.counts` has inf and nan as text."""
    try:
        return setting_value(float(value))
    except ValueError:
        return value


def describe_difference(name: str, first: object, a: str, second: object, b: str) -> str:
    """The error for parts whose undefined lists count different values."""
    one, other = (
        "are left out" if value == "skip" else f"count {value}" for value in (first, second)
    )
    return (
        f"{name}: undefined lists {one} in {a} and {other} in {b}; evaluate all parts with the "
        "same empty="
    )


def display(value: object) -> str:
    """A value as text, for an error."""
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else repr(value)
