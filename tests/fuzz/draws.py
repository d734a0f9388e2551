"""What every target of the fuzzer shares: a decoder of bytes, and what a refusal is."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")

INF = float("inf")
NUMBERS = [0.0, 1.0, 2.0, 3.0, 0.5, -1.0, -0.0, 1e-30, 1e30, 1e308, 5e-324, 2.0**53, 0.1]
ODD_NUMBERS = [float("nan"), INF, -INF, 2**53 + 1, 2**63, 2**64, -(2**63), 10**400, True, None, "1"]
LETTERS = ["a", "b", "1", "0", "q", "é", "\0", " ", "#", "\n", "\udc80", "\ufeff", "漢", "-", ","]
DTYPES = ["f4", "f8", "f2", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", ">f4", ">i8", "g"]


class Draws:
    """Choices, numbers and texts, read from bytes; after their end all choices are the first."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        """The next byte."""
        self.at += 1
        return self.data[self.at - 1] if self.at <= len(self.data) else 0

    def below(self, n: int) -> int:
        """A number of 0 .. n-1."""
        return (self.byte() if n <= 256 else self.byte() << 8 | self.byte()) % n

    def pick(self, options: Sequence[T]) -> T:
        """One of some options."""
        return options[self.below(len(options))]

    def chance(self, one_in: int = 2) -> bool:
        """Whether something rare happens; False after the end."""
        return self.below(one_in) == one_in - 1

    def rest(self) -> bytes:
        """All bytes that are left."""
        rest, self.at = self.data[self.at :], len(self.data)
        return rest

    def number(self) -> Any:
        """A number, mostly a small one; now and then what is none."""
        kind = self.byte()
        if kind < 160:
            return float(kind % 8)
        return self.pick(NUMBERS if kind < 248 else ODD_NUMBERS)

    def text(self) -> str:
        """A text of up to three letters, mostly one."""
        size = self.pick([1, 1, 1, 1, 2, 3, 0])
        return "".join(self.pick(LETTERS) for _ in range(size))

    def id(self) -> Any:
        """An id: a short text, an integer, now and then another object."""
        kind = self.byte()
        if kind < 128:
            return f"d{kind % 8}"
        if kind < 200:
            return self.text()
        if kind < 250:
            return self.pick([0, 1, 2, 3, -1, 2**31, 2**63 - 1, 2**63, 10**30])
        return self.pick([b"d1", np.int64(3), np.str_("d2"), 1.5, None, True, ("a",)])

    def sizes(self, most: int = 5, longest: int = 40) -> list[int]:
        """The lengths of some lists."""
        return [self.below(longest) for _ in range(self.below(most))]

    def array(self, n: int, dtype: str) -> Any:
        """n numbers of a type, from few bytes or from one for each number."""
        if self.chance(4):
            values = np.array([self.byte() for _ in range(n)], np.float64)
        else:
            seed = self.below(65536)
            values = np.random.default_rng(seed).integers(0, self.pick([2, 5, 60, 1000]), n) * 1.0
        if dtype.strip("<>") in ("f4", "f8", "g") and self.chance(3):
            values = values / 7
        for _ in range(self.below(4)):
            if n:
                odd = self.pick([*NUMBERS, INF, -INF, float("nan"), -1.0, 255.0, 1e10])
                values[self.below(n)] = odd
        with np.errstate(all="ignore"):
            return values.astype(dtype)


class Refused:
    """What a call refused, in an ordinary way."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __repr__(self) -> str:
        return f"{type(self.error).__name__}: {self.error}"


def outcome(call: Callable[[], Any]) -> Any:
    """What a call returns, or how it refuses; any other error is a finding."""
    try:
        return call()
    except (ValueError, TypeError) as error:
        return Refused(error)
    except ImportError as error:
        if "pip install" not in str(error):  # an extra that is not there, as zstd
            raise
        return Refused(error)


def same(a: Any, b: Any) -> bool:
    """Whether two outcomes are equal to the last bit; two refusals are, whatever they say."""
    if isinstance(a, Refused) or isinstance(b, Refused):
        return isinstance(a, Refused) and isinstance(b, Refused)
    if isinstance(a, np.ndarray):
        return isinstance(b, np.ndarray) and np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(same, a, b))
    return bool(a == b) or (a != a and b != b)


def agree(*outcomes: Any) -> None:
    """Fail where outcomes differ."""
    for other in outcomes[1:]:
        assert same(outcomes[0], other), f"{outcomes[0]!r}\n{other!r}"
