"""The public surface is the stored one: a name, argument or default changes only on purpose.

`python tests/house/test_surface.py` stores it: names, arguments and attributes, one a line.
"""

import enum
import inspect
from pathlib import Path

import rankgain
from rankgain.measures.families import FAMILIES

STORED = Path(__file__).with_name("public_surface.txt")


def described(name: str, value: object) -> list[str]:
    """The lines of a name and, if it is a class, of what an instance has."""
    if inspect.isclass(value):
        lines = [f"{name}({arguments(value)})"]
        members = {key: part for cls in reversed(value.__mro__) for key, part in vars(cls).items()}
        foreign = [cls for cls in value.__mro__ if not cls.__module__.startswith("rankgain")]
        fields = [*getattr(value, "_fields", ()), *getattr(value, "__dataclass_fields__", ())]
        for member in sorted({*members, *fields}):
            inherited = any(member in vars(cls) for cls in foreign)
            if member.startswith("_") or (inherited and not isinstance(value, enum.EnumMeta)):
                continue
            part = inspect.getattr_static(value, member, None)
            part = part.__func__ if isinstance(part, (classmethod, staticmethod)) else part
            call = f"({arguments(part)})" if inspect.isroutine(part) else ""
            lines.append(f"{name}.{member}{call}")
        return lines
    if callable(value):
        return [f"{name}({arguments(value)})"]
    return [name]


def arguments(function: object) -> str:
    """Names and defaults, without types."""
    try:
        parameters = inspect.signature(function).parameters.values()  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return "..."
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in parameters]
    return str(inspect.Signature(plain))[1:-1]


def surface() -> list[str]:
    lines = [f"convention {name}" for name in rankgain.conventions]
    lines += [f"measure {name}" for name in FAMILIES]
    for name in rankgain.__all__:
        if name != "conventions":
            lines += described(name, getattr(rankgain, name))
    return sorted(lines)


def test_the_surface_is_the_stored_one():
    stored = STORED.read_text(encoding="utf-8").splitlines()
    gone = sorted(set(stored) - set(surface()))
    new = sorted(set(surface()) - set(stored))
    assert not gone, "these change what users call: CONTRIBUTING.md says when that may be"
    new = [name for name in new if not name.startswith("measure ")]  # measures may be added
    assert not new, "new names: run tests/house/test_surface.py, and name them in the changelog"


if __name__ == "__main__":
    STORED.write_text("\n".join(surface()) + "\n", encoding="utf-8")
