"""What a measure's name may say in parentheses: the values of each parameter, and their print."""

from collections.abc import Callable, Mapping
from math import isfinite, isnan, nan
from types import MappingProxyType

TIES = ("average", "stable", "reverse", "worst", "best", "random", "id", "id_descending")
Value = bool | float | str | Mapping[float, float]


def number(value: object) -> float:
    """`value` as a finite number; a whole one as an int, so that 2 and 2.0 print alike."""
    if isinstance(value, bool) or (isinstance(value, str) and "_" in value):
        raise ValueError
    try:
        read = float(value)  # type: ignore[arg-type]  # whatever has no float raises here
    except (TypeError, OverflowError):
        raise ValueError from None
    if not isfinite(read):
        raise ValueError
    return int(read) if read.is_integer() and abs(read) <= 2**53 else read


def _number_where(holds: Callable[[float], bool]) -> Callable[[object], Value]:
    def check(value: object) -> Value:
        read = number(value)
        if not holds(read):
            raise ValueError
        return read

    return check


def _word_of(*words: str) -> Callable[[object], Value]:
    def check(value: object) -> Value:
        if not isinstance(value, str) or value.lower() not in words:
            raise ValueError
        return value.lower()

    return check


def _flag(value: object) -> Value:
    if isinstance(value, str) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if not isinstance(value, bool):
        raise ValueError
    return value


def _gain(value: object) -> Value:
    if isinstance(value, str) and value.startswith("{") and value.endswith("}"):
        pairs = [pair.split(":") for pair in value[1:-1].split(",")]
        if any(len(pair) != 2 for pair in pairs):
            raise ValueError
        table = [(number(label), number(gain)) for label, gain in pairs]
    elif isinstance(value, Mapping):
        table = [(number(label), number(gain)) for label, gain in value.items()]
    else:
        return _word_of("linear", "exp2", "binary")(value)
    if not table or len(dict(table)) < len(table):
        raise ValueError
    return MappingProxyType(dict(sorted(table)))


def _empty(value: object) -> Value:
    if isinstance(value, str) and value.lower() in ("skip", "raise"):
        return value.lower()
    if isinstance(value, str) and value.lower() == "nan":
        return nan
    if isinstance(value, float) and isnan(value):
        return nan
    return number(value)


_DIVISORS = ("k", "min", "relevant", "hits")

# Each parameter's name: what it must be, as an error says it, and the function that checks it.
PARAMETERS: dict[str, tuple[str, Callable[[object], Value]]] = {
    "gain": ("linear, exp2, binary or a table such as {1:1,2:3} with each label once", _gain),
    "discount": ("log2, log or reciprocal", _word_of("log2", "log", "reciprocal")),
    "log_base": ("a finite number above 1", _number_where(lambda base: base > 1)),
    "ties": ("one of " + ", ".join(TIES), _word_of(*TIES)),
    "seed": (
        "a whole number of at least 0",
        _number_where(lambda seed: seed >= 0 and isinstance(seed, int)),
    ),
    "rel": ("a finite number", number),
    "min_label": ("a finite number", number),
    "max_label": ("a finite number above 0", _number_where(lambda label: label > 0)),
    "divisor": ("one of " + ", ".join(_DIVISORS), _word_of(*_DIVISORS)),
    "beta": ("a finite number of at least 0", _number_where(lambda beta: beta >= 0)),
    "p": ("a number inside (0, 1)", _number_where(lambda p: 0 < p < 1)),
    "recall": ("a number in [0, 1]", _number_where(lambda level: 0 <= level <= 1)),
    "per": ("user or item", _word_of("user", "item")),
    "judged_only": ("True or False", _flag),
    "empty": ("a finite number, nan, skip or raise", _empty),
}


def check(name: str, value: object) -> Value:
    """`value` in the one form that its parameter keeps, or an error that says what it must be."""
    wanted, checked = PARAMETERS[name]
    try:
        return checked(value)
    except ValueError:
        raise ValueError(f"{name} must be {wanted}, not {value!r}") from None


def show(value: Value) -> str:
    """The text of a checked value, which reads back as the same value."""
    if isinstance(value, Mapping):
        pairs = ",".join(f"{label}:{gain}" for label, gain in value.items())
        return f"{{{pairs}}}"
    return str(value)
