"""Retrieved and relevant ids in lists, dicts and sets, matched by their hash or as numbers of columns."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
import datetime
import uuid
from array import array
from collections import UserList, deque
NAN = float("nan")
RANKED = [["b", "a", "c"], ["x"], [], ["d", "c", "b", "a"], ["q", "p"]]
WANTED = [["a", "z"], ["x", "y", "w"], ["c"], ["a", "b"], []]
GRADED = [{"a": 2, "z": 1}, {"x": 1, "y": 3}, {"c": 1}, {"a": 0, "b": 4}, {}]
BY_USER = {"u1": ["b", "a", "c"], "u2": ["x"], "u9": ["d", "c", "b", "a"], "u3": []}
JUDGED = {"u9": ["a", "b"], "u1": ["a", "z"], "u3": ["c"], "u7": ["q"], "u5": []}
GAINS = {"u9": {"a": 1, "b": 3}, "u1": {"a": 2, "z": 1}, "u3": {"c": 0.5}, "u7": {"q": 1}, "u5": {}}
NUMBERS = [[7, 3, 5], [1], [], [4, 2, 0, 9], [6, 8]]
RELEVANT = [[3, 5], [0, 1, 2], [4], [9, 4], []]
FILLED = np.array([[7, 3, 5, -1], [1, -1, -1, -1], [-1, -1, -1, -1], [4, 2, 0, 9], [6, 8, -1, -1]])
WANTED_ROWS = np.array([[3, 5, -1], [0, 1, 2], [4, -1, -1], [9, 4, -1], [-1, -1, -1]])
MEASURES = ["nDCG@2", "AP", "P@2", "R@3", "RR", "success@1"]
def evaluate(retrieved, relevant, **options): return rg.evaluate_ids(retrieved, relevant, MEASURES, **options)
def big(rows, start): return [[start + i for i in row] for row in rows]
def csr(data, indices, indptr): return np.array(data), np.array(indices), np.array(indptr)
"""
RANKED = ["RANKED", "tuple(map(tuple, RANKED))", "[np.array(row, 'U3') for row in RANKED]", "UserList(RANKED)", "iter(RANKED)", "[deque(row) and list(row) for row in RANKED]", "[iter(row) for row in RANKED]", "np.array([*map(list, RANKED), None], object)[:-1]", "(row for row in RANKED)", "dict(enumerate(RANKED)).values()"]
WANTED = ["WANTED", "list(map(set, WANTED))", "GRADED", "[frozenset(row) for row in WANTED]", "tuple(map(tuple, WANTED))", "[dict.fromkeys(row, 2) for row in WANTED]", "[np.array(row, 'U3') for row in WANTED]", "iter(WANTED)", "[dict.fromkeys(row).keys() for row in WANTED]", "[WANTED[0], set(WANTED[1]), GRADED[2], tuple(WANTED[3]), []]"]
NUMBERS = ["NUMBERS", "FILLED", "[np.array(row, 'i8') for row in NUMBERS]", "FILLED.astype('i4')", "FILLED.astype('i1')", "FILLED.astype('>i8')", "np.where(FILLED < 0, 99, FILLED).astype('u2')[:, :2]", "tuple(map(tuple, NUMBERS))", "iter(NUMBERS)", "big(NUMBERS, 0)", "[array('q', row) for row in NUMBERS]", "FILLED.tolist()", "np.asfortranarray(FILLED)", "[UserList(row) for row in NUMBERS]",
           "big(NUMBERS, -20)", "big(NUMBERS, 2**53)", "big(NUMBERS, 2**62)", "big(NUMBERS, 2**63)", "big(NUMBERS, 2**70)"]
RELEVANT = ["RELEVANT", "WANTED_ROWS", "list(map(set, RELEVANT))", "[dict.fromkeys(row, 2) for row in RELEVANT]", "[{3: 2, 5: 1}, {0: 1, 1: 0, 2: 3}, {4: 1}, {9: 0.5, 4: 0.25}, {}]", "[np.array(row, 'i8') for row in RELEVANT]", "csr([1, 2, 1, 1, 3, 1, 0.5, 2], [3, 5, 0, 1, 2, 4, 9, 4], [0, 2, 5, 6, 8, 8])", "WANTED_ROWS.tolist()", "tuple(map(tuple, RELEVANT))",
            "iter(RELEVANT)", "WANTED_ROWS.astype('i2')", "[RELEVANT[0], {1, 0, 2}, {4: 2}, (9, 4), []]", "[frozenset(row) | {-1} for row in RELEVANT]"]
CALLS = [
    *drawn(60, "evaluate({r}, {w})", r=RANKED, w=WANTED), *drawn(80, "evaluate({r}, {w})", r=NUMBERS[:14], w=RELEVANT), *each("evaluate(big(NUMBERS, {b}), {w})", b=["-20", "2**31", "2**53", "2**62", "2**63", "2**70"], w=["big(RELEVANT, {b})", "[dict.fromkeys(row, 2) for row in big(RELEVANT, {b})]", "[set(row) for row in big(RELEVANT, {b})]"])[:0],
    *[f"evaluate(big(NUMBERS, {b}), {w.format(b=b)})" for b in ["-20", "2**31", "2**53", "2**62", "2**63", "2**70"] for w in ["big(RELEVANT, {b})", "[dict.fromkeys(row, 2) for row in big(RELEVANT, {b})]", "[set(row) for row in big(RELEVANT, {b})]"]],
    *each("evaluate({r}, {w})", r=["BY_USER", "{u: iter(row) for u, row in BY_USER.items()}", "dict(reversed(BY_USER.items()))"], w=["JUDGED", "GAINS", "{u: set(row) for u, row in JUDGED.items()}", "{'u1': 'a', 'u9': 'b', 'u3': 'z'}", "{u: tuple(row) for u, row in GAINS.items()}"]),
    *each("evaluate({r}, {w})", r=["['b', 'a', 'c']", "('b', 'a', 'c')", "np.array(['b', 'a', 'c'])", "iter('bac')", "[]"], w=["['a', 'z']", "{'a', 'z'}", "{'a': 2, 'z': 1, 'c': 3}", "['z']", "[]", "('c', 'a')"]), *each("evaluate({r}, {w})", r=["[7, 3, 5]", "np.array([7, 3, 5])", "(7, 3, 5, -1)", "range(7, 2, -2)"], w=["[3, 5]", "{3, 9}", "{3: 2, 9: 1}", "np.array([5, 3])", "csr([1, 2], [3, 5], [0, 2])", "[5, -1]"]),
    # One relevant id for each list, joined forms, gains.
    *each("evaluate({r}, {w})", r=["NUMBERS", "FILLED"], w=["[3, 1, 4, 9, 5]", "np.array([3, 1, 4, 9, 5])", "(3, 1, 4, 9, 5)", "[[3], [1], [4], [9], [5]]"]), *each("evaluate({r}, {w})", r=["RANKED"], w=["['a', 'x', 'c', 'b', 'p']", "('a', 'x', 'c', 'b', 'p')", "np.array(['a', 'x', 'c', 'b', 'p'])"]),
    *drawn(30, "evaluate({r}, {w}, gains={g})", r=["NUMBERS", "FILLED", "[np.array(row, 'i8') for row in NUMBERS]"], w=["RELEVANT", "[np.array(row, 'i8') for row in RELEVANT]"], g=["[[2, 1], [1, 0, 3], [1], [0.5, 4], []]", "[np.array(row) for row in ([2, 1], [1, 0, 3], [1], [0.5, 4], [])]", "[[2, 1], [1, 1, 1], [1], [0, 0], []]", "([2, 1], (1, 0, 3), [1], [0.5, 4], [])"]),
    *each("evaluate({r}, {w}, gains={g})", r=["RANKED"], w=["WANTED"], g=["[[2, 1], [1, 0, 3], [1], [0.5, 4], []]", "iter([[2, 1], [1, 0, 3], [1], [0.5, 4], []])"]), "evaluate(FILLED, WANTED_ROWS, gains=[[2, 1, 9], [1, 0, 3], [1, 9, 9], [0.5, 4, 9], [9, 9, 9]])", "evaluate(FILLED, WANTED_ROWS, gains=np.array([[2, 1, 9], [1, 0, 3], [1, 9, 9], [0.5, 4, 9], [9, 9, 9]], 'f4'))", "evaluate(['b', 'a'], ['a', 'z'], gains=[3, 1])",
    "evaluate([7, 3], [3, 5], gains=[2, 1])", "evaluate(NUMBERS, [3, 1, 4, 9, 5], gains=[1, 2, 3, 4, 5])", "evaluate(big(NUMBERS, -20), big(RELEVANT, -20), gains=[[2, 1], [1, 0, 3], [1], [0.5, 4], []])", "evaluate([[7, 3, -1]], [[3, 5, -1]], gains=[[2, 1, 0]])", "evaluate(['b', 'a', 'c'], ['c', 'a', 'z'], gains=np.array([3, 1, 2]))",
    # Duplicates and exclusions.
    *drawn(60, "evaluate({r}, {w}, duplicates={d!r}, exclude={x})", r=["[['a', 'b', 'a'], ['x'], [], ['d', 'd', 'b'], ['p']]", "RANKED"], w=["WANTED", "GRADED", "list(map(set, WANTED))"], d=["raise", "first", "in_place"], x=["None", "[['b'], [], ['c'], ['d', 'a'], []]", "[{'b', 'z'}, (), [], ['b'], ['p']]", "[['zz'], ['x'], [], [], []]"]),
    *drawn(60, "evaluate({r}, {w}, duplicates={d!r}, exclude={x})", r=["[[7, 3, 7], [1], [], [4, 4, 9], [6]]", "NUMBERS", "FILLED", "np.array([[7, 3, 7, -1], [1, -1, -1, -1], [-1, -1, -1, -1], [4, 4, 9, 9], [6, -1, -1, -1]])"], w=["RELEVANT", "[{3: 2, 5: 1}, {0: 1, 1: 0, 2: 3}, {4: 1}, {9: 0.5, 4: 0.25}, {}]", "WANTED_ROWS", "list(map(set, RELEVANT))"], d=["raise", "first", "in_place"],
           x=["None", "[[7], [], [4], [4, 2], []]", "[[3, 5], [1], [], [], [6]]", "np.array([[7, -1], [-1, -1], [4, -1], [4, 2], [-1, -1]])", "csr([1, 1, 1], [7, 4, 6], [0, 1, 1, 1, 2, 3])", "[{7}, set(), {4}, {9, -1}, set()]"]),
    *drawn(30, "evaluate({r}, {w}, duplicates={d!r}, exclude={x})", r=["BY_USER", "{'u1': ['b', 'a', 'b'], 'u9': ['d', 'c', 'd', 'a']}"], w=["JUDGED", "GAINS"], d=["first", "in_place", "raise"], x=["{'u1': ['b'], 'u9': ['a']}", "{'u9': {'d', 'c'}, 'u7': ['q'], 'zz': ['b']}", "{'u1': 'b'}", "{}", "{'u9': ['a', 'zz'], 'u1': []}"]),
    *each("evaluate({r}, {w}, exclude={x})", r=["['b', 'a', 'c']"], w=["['a', 'z']"], x=["['b']", "['a', 'c']", "{'c'}", "[]"]), *each("evaluate([7, 3, 5], [3, 9], exclude={x})", x=["[7]", "np.array([3, 9])", "[]", "{5}", "csr([1, 1], [5, 7], [0, 2])"]),
    *drawn(40, "rg.evaluate_ids({r}, {w}, {m}, weight={e}, empty={z!r}, threads={n})", r=["NUMBERS", "RANKED"], w=["RELEVANT", "WANTED", "[[], [], [], [], []]"], m=["'AP'", "['P@1', 'R@2']", "['nDCG', 'RR@1']"], e=["None", "[1, 2, 3, 4, 5]", "[0, 0, 1, 0.5, 2]"], z=[0.0, "omit", 1.0], n=[1, 2]),
    # Ids of other kinds.
    *each("evaluate([[{a}, {b}], [{b}]], [[{b}], [{a}]])", a=["datetime.date(2024, 1, 2)", "uuid.UUID(int=5)", "(1, 'a')", "b'a'", "np.int64(4)", "np.str_('a')"], b=["datetime.date(2024, 1, 3)", "uuid.UUID(int=7)", "(2, 'a')", "b'b'", "5", "'b'"][:1]),
    *each("evaluate([[{a}, {b}], [{b}]], [[{b}], [{a}]])", a=["'a'", "2**70", "-3", "frozenset('a')", "uuid.UUID(int=5)", "(1, 'a')", "b'a'", "np.int64(4)", "np.str_('a')"], b=["uuid.UUID(int=7)", "b'b'", "5", "'b'", "1.5", "NAN", "True"]), "evaluate([[(1, 'a'), (2, 'a')], [(3, 'b')]], [[(2, 'a')], [(3, 'b')]])", "evaluate([[b'a', b'b']], [[b'b']])",
    # Rows of more than 32 ids.
    *drawn(40, "rg.evaluate_ids({r}, {w}, ['nDCG@35', 'AP', 'P@34', 'RR', 'R@2'], exclude={x})", r=["[[n * 7 % 41 for n in range(41)], [n * 3 % 37 for n in range(37)]]", "np.array([[n * 7 % 41 for n in range(40)], [n * 3 % 47 for n in range(40)]])", "[[n * 7 % 41 for n in range(41)], [3, 1]]", "np.array([[n * 7 % 41 for n in range(40)], [n * 3 % 47 for n in range(38)] + [-1, -1]], 'i4')"], w=["[[34, 2, 99], [33, 30, 1]]", "[{34: 3, 2: 1, 99: 2}, {33: 2, 30: 0, 1: 1}]", "[{34, 6}, {1}]", "csr([1, 1, 2], [34, 20, 30], [0, 2, 3])"], x=["None", "[[7, 2], [33]]"]),
    *drawn(12, "rg.evaluate_ids({r}, [[34], [1]], 'RR')", r=["[[n % 40 for n in range(41)], [1]]", "np.array([list(range(35)), [*range(20), -1, *range(20, 34)]])", "np.array([list(range(35)), [*range(20), 7, *range(20, 34)]])", "np.array([list(range(35)), [*range(33), 90, 90]])"]),
]
