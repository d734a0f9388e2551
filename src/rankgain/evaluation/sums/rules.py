"""Properties that must be equal in all evaluations of one accumulator."""

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
    fates: Mapping[str, Any]  # measure -> what its undefined lists count
    mean_rule: MeanRule

    @classmethod
    def of(cls, one: Evaluation) -> CommonRules:
        """Those of an evaluation."""
        return cls(
            one.convention,
            one.versions["convention"],
            tuple(one.means),
            tuple(sorted(one.requested.items())),
            one.settings,
            one.weights is not None if len(one) else None,
            {name: _fate(fate) for name, fate in one.counts.get("undefined_as", {}).items()},
            one.mean_rule,
        )

    def joined(self, others: CommonRules, place: str) -> CommonRules:
        """Combine with those of a part; `place` names the part in errors."""
        for field in EQUAL:
            known_value, added = getattr(self, field), getattr(others, field)
            if known_value != added:
                raise ValueError(
                    f"{field} differ: {displayed(known_value)}, and {displayed(added)}"
                )
        refuse_others(self.settings, others.settings, "what was added before", place)
        return self._replace(
            weighted=self._weighted(others, place), fates=self._fates(others, place)
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

    def _fates(self, others: CommonRules, place: str) -> dict[str, Any]:
        for name, added in others.fates.items():
            known_value = self.fates.get(name, added)
            if not are_equal(known_value, added):
                raise ValueError(
                    other_fate(name, known_value, "what was added before", added, place)
                )
        both = {**self.fates, **others.fates}
        return {name: both[name] for name in self.measures if name in both}


def _fate(counted: float | str) -> Any:
    """Read what undefined lists count from `Evaluation.counts`, which has inf and nan as text."""
    try:
        return plain_value(float(counted))
    except ValueError:
        return counted


def other_fate(name: str, first: object, a: str, second: object, b: str) -> str:
    """Error text for parts whose undefined lists count differently."""
    one, other = ("are left out" if fate == "skip" else f"count {fate}" for fate in (first, second))
    return (
        f"{name}: undefined lists {one} in {a} and {other} in {b}; evaluate all parts with the "
        "same empty="
    )


def displayed(value: object) -> str:
    """Text of a value for an error."""
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else repr(value)
