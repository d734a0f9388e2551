"""ids=: the ids of documents, which order ties, in arrays of all types."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
from collections import UserList
NAN = float("nan")
LABELS = [[1, 0, 2, 0], [0, 1, 0, 3]]
SCORES = [[2.0, 1.0, 2.0, 2.0], [0.5, 0.5, 0.5, 0.5]]
FLAT, FLAT_SCORES, QID = [1, 0, 2, 0, 1, 3], [1.0, 1.0, 1.0, 2.0, 2.0, 1.0], [4, 4, 9, 4, 9, 9]
RAGGED, RAGGED_SCORES = [[1, 0, 2], [0], [3, 0]], [[1.0, 1.0, 1.0], [5.0], [2.0, 2.0]]
MEASURES = ["nDCG@2", "AP", "RR"]
def evaluate(labels=LABELS, scores=SCORES, ids=None, **options): return rg.evaluate_arrays(labels, scores, MEASURES, ids=ids, **options)
"""
IDS = ["[['b', 'a', 'd', 'c'], ['x', 'z', 'w', 'y']]", "[[10, 9, 2, 100], [3, 21, -1, 7]]", "np.array([[10, 9, 2, 100], [3, 21, 1, 7]], 'u8')", "[['é', 'z', 'a', 'ü'], ['Z', 'a', 'B', 'b']]", "np.array([['10', '9', '2', '100'], ['3', '21', '-1', '7']])", "[[b'b', b'a', b'\\xff', b'c'], [b'x', b'z', b'w', b'']]",
       "[[2**53, 2**53 + 1, 2**53 + 2, 5], [2**62, 2**62 + 1, -(2**62), 1]]", "[[2**63, 2**63 + 1, 2**64 - 1, 5], [1, 2, 3, 2**63]]", "[['a\\0', 'a', 'b', 'b\\0'], ['a', 'a\\0', 'a\\0\\0', 'c']]", "np.array([['b', 'a', 'd', 'c'], ['x', 'z', 'w', 'y']], object)", "np.array([[10, 9, 2, 100], [3, 21, -1, 7]], '>i2')",
       "(('b', 'a', 'd', 'c'), ('x', 'z', 'w', 'y'))", "[['😀', '\\uffff', 'z', 'a'], ['\\ue000', '😀', 'b', 'c']]", "[[2**64, 2**64 + 1, 3, 4], [2**64 + 3, 2, 1, 0]]", "np.array([[b'b', b'a', b'd', b'c'], [b'x', b'z', b'w', b'y']])"]
TIES = ["id", "id_descending"]
CALLS = [
    *each("evaluate(ids={i}, ties={t!r})", i=IDS, t=TIES), *each("evaluate(FLAT, FLAT_SCORES, {i}, qid=QID, ties={t!r})", i=["list('cabedf')", "[3, 1, 20, 2, 100, -5]", "np.array(['c', 'a', 'b', 'é', 'd', 'f'], object)", "('c', 'a', 'a', 'b', 'b', 'c')", "UserList('cabedf')", "[2**63 + 1, 2**63, 1, 2, 3, 4]"], t=TIES),
    *each("evaluate(RAGGED, RAGGED_SCORES, {i}, ties={t!r})", i=["[['b', 'c', 'a'], ['b'], ['z', 'y']]", "[[10, 9, 2], [1], [20, 3]]", "[np.array([10, 9, 2]), np.array([1]), np.array([20, 3])]", "list('bcabzy')", "np.array([10, 9, 2, 1, 20, 3])", "np.array([['b', 'c', 'a'], ['b'], ['z', 'y']], object)"], t=TIES),
    *drawn(60, "evaluate({y}, {s}, {i}, ignore={g}, exclude={x}, ties={t!r})", y=["[[1, -1, 2, -1], [0, 1, -1, 3]]", "np.array([[1, -1, 2, 0], [0, -1, 0, 3]], 'f4')"], s=["SCORES", "np.array(SCORES, 'f4')"], i=[*IDS[:11], "[['b', 'pad', 'd', 'pad'], ['x', 'z', 'pad', 'y']]", "[['b', None, 'd', None], ['x', 'z', None, 'y']]", "[[10, NAN, 2, NAN], [3, 21, NAN, 7]]"],
           g=["-1", "[-1, 0]", "None"], x=["None", "[[False, True, False, False], [True, False, False, False]]"], t=TIES),
    *drawn(30, "evaluate([1, -1, 2, -1, 1, 3], FLAT_SCORES, {i}, qid={q}, ignore=-1, ties={t!r})", i=["['c', None, 'b', None, 'd', 'f']", "['c', 'c', 'b', 'c', 'd', 'f']", "[3, 3, 20, 3, 100, -5]", "np.array([3, np.nan, 20, np.nan, 100, 5])", "[[3, 1], [0, 4], [5, 2]]", "np.array(['c', None, 'b', 0, 'd', 'f'], object)"], q=["QID", "[4, 4, 9, 9, 2, 2]"], t=TIES),
    *each("evaluate([-1] * 6, FLAT_SCORES, {i}, qid=QID, ignore=-1, ties='id')", i=["[None] * 6", "['a'] * 6", "[NAN, 'b', 1, 2, 3, 4]"]), "rg.ndcg([1, 0, 2], [1, 1, 1], ids=[3, 20, 1], ties='id')", "rg.ndcg([1, 0, 2], [1, 1, 1], ids=['3', '20', '1'], ties='id_descending')", "rg.ndcg(rg.Truth([1, 0, -2], ignore=-2), [1, 1, 1], ids=['b', 'a', None], ties='id')",
    "rg.ndcg(rg.Truth([[1, 0, -2, 2], [-2, -2, 1, 0]], ignore=-2), SCORES, ids=[['b', 'a', None, 'c'], [None, None, 'x', 'w']], ties='id')", "rg.ndcg(rg.Truth(FLAT, qid=QID), FLAT_SCORES, ids=list('cabedf'), ties='id')", "rg.ndcg(LABELS, ids=[['b', 'a', 'd', 'c'], ['x', 'z', 'w', 'y']])",
    *each("evaluate(ids={i}, ties={t!r})", t=["id", "average"], i=["[['a', 'b', 'c', 'a'], ['x', 'x', 'y', 'y']]", "[['a', 'b', 'c', 'd'], ['x', 'y', 'y', 'x']]", "[[1, 2, 3, 4], [7, 8, 7, 8]]", "np.array([[1, 2, 3, 4], [7, 8, 7, 8]], 'i4')", "[['a', 'b', None, 'd'], ['x', None, 'y', 'z']]", "[['a', 'b', 'c', 'd'], ['x', 'w', 'y', NAN]]", "[['a', 'b', 'c', 'd'], ['x', 1, 'y', 2]]",
         "[[1, 2, 3, 4], [5, 6, 'x', None]]", "[[1.5, 2, 3, 4], [5, 6, 7, 8]]", "np.array([[1.0, 2, 3, 4], [5, 6, 7, 8]])", "[[1.0, 2.0, 2.0**53, 4.0], [5.0, 6.0, 7.0, 8.0]]", "[['a', 'b', 'c'], ['x', 'y', 'z']]", "['a', 'b', 'c', 'd']", "list('abcdefgh')", "[[True, False, True, False]] * 2", "np.array([[1j, 2, 3, 4], [5, 6, 7, 8]])", "'abcd'", "5",
         "np.array([['a', 'b', 'c', 'd'], ['x', None, 'y', 'z']], object)", "np.array([['a', 'b', 'c', 'd'], ['x', 3, 'y', None]], object)", "np.array(['2020-01-01', '2020-01-02', '2020-01-03', '2020-01-04'] * 2, 'M8[D]').reshape(2, 4)", "[['a\\0', 'a', 'a\\0', 'b'], ['x', 'y', 'z', 'w']]", "[[(1, 2), (1, 3), (1, 4), (1, 5)], [(1, 2), (1, 3), (1, 4), (1, 5)]]", "[]"]),
    *each("evaluate(FLAT, FLAT_SCORES, {i}, qid=QID, ties='id')", i=["['a', 'b', 'a', 'a', 'c', 'd']", "['a', 'b', 'c', 'd', 'e', 'c']", "[1, 2, 3, 4, 5]", "[1, 2, None, 4, 5, 6]", "[1, 2, 3, 4, 'x', NAN]", "[[1, 2, 4], [3, 5, 6]]", "[[1, 2], [3, 4]]", "[[1, 2, 3], [3, 4, 4]]"]),
    *each("evaluate(RAGGED, RAGGED_SCORES, {i}, ties='id')", i=["[['b', 'c', 'a'], ['b'], ['z', 'z']]", "[['b', 'c', 'a'], ['b', 'd'], ['z', 'y']]", "[['b', 'c', 'a'], ['b']]", "[['b', None, 'a'], ['b'], ['z', 1]]", "[['b', 'c', 'a'], ['b'], ['z', 1]]", "[['b', 'c', 'a'], 'b', ['z', 'y']]", "list('bcabz')"]),
    *each("evaluate({y}, SCORES, {i}, ties={t!r})", y=["(np.array([1, 2, 1, 3]), np.array([0, 2, 1, 3]), np.array([0, 2, 4]))", "rg.Truth(LABELS)", "rg.Truth([[1, -1, 2, 0], [0, 1, 0, 3]], ignore=-1)"], i=["[['b', 'a', 'd', 'c'], ['x', 'z', 'w', 'y']]", "[['b', 'a', 'd', 'b'], ['x', 'z', 'w', 'y']]", "[['b', 'a', 'd'], ['x', 'z', 'w']]"], t=TIES),
]
