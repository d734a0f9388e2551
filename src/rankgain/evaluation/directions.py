"""Which values of a measure are better: higher or lower ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..inputs.printable import describe
from ..measures.measure import DIRECTIONS, is_smaller_better

if TYPE_CHECKING:
    from .evaluation import Evaluation


def read_directions(better: object, names: list[str]) -> dict[str, str]:
    """The direction of each name, from `better=` of `Evaluation.from_values`."""
    if isinstance(better, str):
        _check_direction(better, "better")
        return dict.fromkeys(names, better)
    if not isinstance(better, Mapping):
        raise TypeError(
            'better must be "higher", "lower" or a mapping of a name to one of them, not '
            f"{describe(better)}"
        )
    for name, direction in better.items():
        if name not in names:
            known_names = ", ".join(map(repr, names))
            raise ValueError(
                f"better names {describe(name)}, which has no values; there are {known_names}"
            )
        _check_direction(direction, f"better[{describe(name)}]")
    return {name: better.get(name, "higher") for name in names}


def _check_direction(direction: object, argument: str) -> None:
    if direction not in DIRECTIONS:
        raise ValueError(f'{argument} must be "higher" or "lower", not {describe(direction)}')


def join_directions(evaluations: Mapping[str, Evaluation]) -> dict[str, str]:
    """The directions of all free names; an error if two evaluations disagree about a name."""
    better: dict[str, str] = {}
    system_of: dict[str, str] = {}
    for system, evaluation in evaluations.items():
        for name, direction in evaluation.better.items():
            if better.setdefault(name, direction) != direction:
                _refuse_disagreement(name, system, direction, system_of[name], better[name])
            system_of.setdefault(name, system)
    if not better:
        return better
    for system, evaluation in evaluations.items():
        for name in evaluation.means:
            if name not in better or name in evaluation.better:
                continue
            # Here the name is that of a measure of rankgain, which has a direction of its own.
            direction = "higher"
            if is_smaller_better(name):
                direction = "lower"
            if better[name] != direction:
                _refuse_disagreement(name, system, direction, system_of[name], better[name])
    return better


def _refuse_disagreement(
    name: str, system: str, direction: str, other_system: str, other_direction: str
) -> None:
    raise ValueError(
        f"{name!r}: {other_direction} values are better in {other_system!r}, {direction} ones in "
        f"{system!r}; give both evaluations the same better="
    )
