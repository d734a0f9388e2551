"""Rows of the tables of refused calls, the arrays they use, and how a row is checked."""

import re

import numpy as np
import pytest

L = np.array([[3, 0, 1], [0, 2, 1]])
S = np.array([[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]])
EITHER = TypeError, ValueError
AT_1_0 = r"list 1\b.*document 0\b"
AT_1_2 = r"list 1\b.*document 2\b"


def put(array, value, *place, dtype=np.float64):
    changed = array.astype(dtype)
    changed[place] = value
    return changed


def csr(data, indices, indptr):
    return tuple(np.asarray(part) for part in (data, indices, indptr))


def bad(name, call, *parts, error=ValueError):
    """A row: the call, its error, and patterns that its message must match in any order."""
    return pytest.param(call, error, parts, id=name)


def check_refused(call, error, parts):
    with pytest.raises(error) as caught:
        call()
    message = str(caught.value)
    for part in parts:
        assert re.search(part, message, re.IGNORECASE | re.DOTALL), f"{part!r} not in {message!r}"
