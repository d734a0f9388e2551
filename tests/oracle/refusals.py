"""Arrays of labels and scores that calls which are refused change."""

import numpy as np

L = np.array([[3, 0, 1], [0, 2, 1]])
S = np.array([[0.3, 0.2, 0.1], [0.1, 0.2, 0.3]])


def put(array, value, *place, dtype=np.float64):
    changed = array.astype(dtype)
    changed[place] = value
    return changed


def csr(data, indices, indptr):
    return tuple(np.asarray(part) for part in (data, indices, indptr))
