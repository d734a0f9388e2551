"""What must be equal in all evaluations that one accumulator adds up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ...engine.means import MeanRule
from ...engine.setting_values import are_equal, plain_value, refuse_others

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
            {name: _counted(value) for name, value in one.counts.get("undefined_as", {}).items()},
            one.mean_rule,
        )

    def joined(self, others: CommonRules, place: str) -> CommonRules:
        """Combine with the rules of a part; `place` names the part in errors."""
        for field in EQUAL:
            known_value, added = getattr(self, field), getattr(others, field)
            if known_value != added:
                raise ValueError(
                    f"{field} differ: {displayed(known_value)}, and {displayed(added)}"
                )
        refuse_others(self.settings, others.settings, "what was added before", place)
        return self._replace(
            weighted=self._weighted(others, place), undefined_as=self._undefined_as(others, place)
        )

    def _weighted(self, others: CommonRules, place: str) -> bool | None:
        known = [one for one in (self.weighted, others.weighted) if one is not None]
        if len(set(known)) > 1:
            known_value, added = ("weights" if one else "no weights" for one in known)
            raise ValueError(
                f"what was added before has {known_value}, but {place} has {added}; evaluate "
                "all parts with weight=, or all without"
            )
        return known[0] if known else None

    def _undefined_as(self, others: CommonRules, place: str) -> dict[str, Any]:
        for name, added in others.undefined_as.items():
            known_value = self.undefined_as.get(name, added)
            if not are_equal(known_value, added):
                raise ValueError(
                    undefined_differ(name, known_value, "what was added before", added, place)
                )
        both = {**self.undefined_as, **others.undefined_as}
        return {name: both[name] for name in self.measures if name in both}


def _counted(value: float | str) -> Any:
    """The value that undefined lists count; `Evaluation.counts` has inf and nan as text."""
    try:
        return plain_value(float(value))
    except ValueError:
        return value


def undefined_differ(name: str, first: object, a: str, second: object, b: str) -> str:
    """The error for parts whose undefined lists count different values."""
    one, other = (
        "are left out" if value == "skip" else f"count {value}" for value in (first, second)
    )
    return (
        f"{name}: undefined lists {one} in {a} and {other} in {b}; evaluate all parts with the "
        "same empty="
    )


def displayed(value: object) -> str:
    """A value as text, for an error."""
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else repr(value)
