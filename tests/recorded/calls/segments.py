"""Groups of queries: a value for each query, by place, in a mapping, with and without an order."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
E = rg.evaluate_arrays([[1, 0, 2], [0, 1, 0], [2, 2, 0], [0, 0, 1]], [[3, 2, 1], [1, 2, 3], [1, 3, 2], [3, 1, 2]], ["RR", "nDCG@2"])
Q = rg.evaluate_arrays([1, 0, 0, 1, 2, 0, 0, 1], [1, 2, 3, 4, 1, 2, 1, 2], ["RR", "AP"], qid=["b", "b", "a", "a", "10", "10", "2", "2"])
N = rg.evaluate_arrays([1, 0, 0, 1, 2, 0, 0, 1], [1, 2, 3, 4, 1, 2, 1, 2], ["RR"], qid=[30, 30, 4, 4, 100, 100, 2**53 + 1, 2**53 + 1])
class Listed:
    def __init__(self, values): self.values = values
    def to_list(self): return list(self.values)
"""
BY = [
    "['x', 'y', 'x', 'y']", "('long', 'short', 'long', 'none')", "np.array(['b', 'a', 'b', 'b'])", "[2, 1, 2, 10]", "np.array([2**53 + 1, 2**53, 2**53 + 1, 3])", "[True, False, True, True]", "[0.0, -0.0, 1.5, 0.0]", "np.array([0.5, -0.0, 0.0, 0.5])",
    "['a\\0', 'a', 'a\\0', 'b']", "[b'x', b'y', b'x', b'x']", "Listed([3, 1, 3, 1])", "iter(['n', 'm', 'm', 'n'])", "np.array(['é', 'e', 'é', 'ee'], object)", "['x'] * 4",
    # refused
    "['x', 'y', 'x']", "['x'] * 5", "['x', None, 'x', 'y']", "['x', 'y', float('nan'), None]", "['x', 1, 'x', 2]", "[1, 2.5, 1, 2]", "[1, 1, 'a', None]", "{'x', 'y'}", "frozenset('abcd')", "'abcd'", "b'abcd'", "np.array(3)", "[]", "[1, True, 1, 1]", "np.array([1, np.nan, 2, 2])", "[2.0**53, 1.0, 2.0, 3.0]",
]
CALLS = [
    *each("{e}.by({b})", e=["E"], b=BY), *each("{e}.by({b})", e=["Q", "N"], b=BY[:12]),
    *each("Q.by({b})", b=["{'b': 1, 'a': 2, '10': 1, '2': 3}", "{'2': 'z', '10': 'y', 'a': 'z', 'b': 'x', 'c': 'w'}", "{'b': 1, 'a': 2, '10': 1}", "{'b': 1, 'a': None, '10': 1, '2': float('nan')}", "{}", "{'b': 1, 'a': 'x', '10': 1, '2': 2}"]),
    *each("N.by({b})", b=["{30: 'm', 4: 'n', 100: 'm', 2**53 + 1: 'o'}", "{30: 'm', 4: 'n', 100: 'm', 2**53: 'o'}", "{'30': 'm', '4': 'n', '100': 'm', '9007199254740993': 'o'}"]),
    *drawn(20, "rg.compare({{'s': {e}, 't': {e}}}, measures='RR', by={b})", e=["E", "Q", "N"], b=BY[:20]),
]
