"""neighbor_recall: arrays, lists and ids of any kind, with and without distances."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
FOUND = np.array([[3, 1, 7, -1], [2, 5, 6, 9], [4, -1, -1, -1], [8, 0, 3, 1]])
EXACT = np.array([[1, 3, 4], [5, 2, 6], [-1, -1, -1], [7, 3, -1]], np.int32)
FOUND_DISTANCES = np.array([[.1, .2, .7, np.nan], [.1, .2, .3, .9], [.5, 0, 0, 0], [.1, .2, .2, .4]])
EXACT_DISTANCES = np.array([[.1, .2, .2], [.1, .1, .1], [0, 0, 0], [.1, .3, 9]], "f4")
ROWS, TRUE = [[3, 1, 7], [2, 5, 6, 9], [4], []], [[1, 3, 4], [5], [4, 9], [7, 3]]
OF_ROWS, OF_TRUE = [[.1, .2, .3], [.1, .2, .3, .4], [.5], []], [[.1, .2, .3], [.2], [.5, .5], [0, 1]]
WORDS, NAMED = [["c", "a", "g"], ["b", "e"], []], [("a", "c", "d"), ("e", "b", "f"), ("z",)]
BIG = [[2**53 + 1, 4], [-9, 2**53]], [[2**53, 2**53 + 1], [-9, 4]]
"""
CALLS = [
    *drawn(
        120,
        "rg.neighbor_recall({p}, k={k}, {d})",
        p=["FOUND, EXACT", "ROWS, TRUE", "FOUND.tolist(), EXACT", "FOUND, EXACT.tolist()"],
        k=["1", "2", "3", "4", "100", "np.int8(2)"],
        d=["tolerance=0", "exact_distances=EXACT_DISTANCES", "exact_distances=EXACT_DISTANCES, tolerance=0.1", "exact_distances=OF_TRUE", "exact_distances=OF_TRUE, found_distances=OF_ROWS",
           "exact_distances=EXACT_DISTANCES, found_distances=FOUND_DISTANCES", "exact_distances=EXACT_DISTANCES, found_distances=FOUND_DISTANCES, tolerance=0.25",
           "exact_distances=OF_TRUE, found_distances=OF_ROWS, tolerance=0.15"],
    ),
    *each(
        "rg.neighbor_recall({p}, {k})",
        p=["WORDS, NAMED", "*BIG", "FOUND[0], EXACT[0]", "iter(ROWS), map(list, TRUE)", "np.array([['a', 'b'], ['c', 'd']]), [['b'], ['d', 'c']]", "[3, 1, 7], [1, 3, 4]",
           "['a', 'b'], ['b', 'c']"],
        k=["1", "2", "3"],
    ),
    *each(
        "rg.neighbor_recall(WORDS, NAMED, 2, exact_distances={d}, tolerance={t})",
        d=["[[1, 1, 1], [1, 2, 2], [0]]", "[[1, 2, 3], [1, 1, 1], [0]]", "[[1, 2, 3], [1, 1], [0]]", "[[1, 3, 2], [1, 1, 1], [0]]", "[[1, 2, 3], [1, float('nan'), 1], [0]]"],
        t=["0", "1", "0.5"],
    ),
    *each(
        "rg.neighbor_recall(WORDS, NAMED, 2, exact_distances=[[1, 2, 3], [1, 1, 1], [0]], found_distances={d})",
        d=["[[1, 2, 3], [1, 1], []]", "[[1, 2, 3], [5, 1], []]", "[[1, 2], [1, 1], []]", "[[1, 2, 3], [1, float('nan')], []]"],
    ),
    *each(
        "rg.neighbor_recall({a})",
        a=["FOUND, EXACT[:3], 2", "ROWS[:2], TRUE, 2", "FOUND, EXACT, 0", "FOUND, EXACT, 2.5", "FOUND, EXACT, True", "FOUND, EXACT, None", "FOUND, EXACT, 2, tolerance=-1",
           "FOUND, EXACT, 2, tolerance=float('nan')", "FOUND, EXACT, 2, tolerance=float('inf')", "FOUND, EXACT, 2, tolerance=[0.1]", "FOUND, EXACT, 2, found_distances=FOUND_DISTANCES",
           "[[1, 2, 2]], [[1, 2, 3]], 3", "[[1, 2, 2]], [[1, 2, 3]], 2", "[[5], [1, 2, 2]], [[4], [1, 2, 3]], 3", "[[1, 2, 3]], [[1, 3, 3]], 3", "[['a', 'b']], [[1, 2]], 2",
           "[[1, 'b']], [[1, 2]], 2", "{'q': [1]}, {'q': [1]}, 2", "[[1]], {'q': [1]}, 2", "[[1.5]], [[1]], 2", "[[1, -1, 2]], [[1, 2, 3]], 3", "[[1, 2, 3]], [[-1, 2, 3]], 3",
           "[[-3, 2]], [[2, -3]], 2", "[[1, 2]], [[-3, 2]], 2", "[[None]], [[1]], 2", "3, 4", "[], []", "[[]], [[]]", "np.zeros((2, 0), int), np.zeros((2, 0), int)",
           "np.zeros((0, 2), int), np.zeros((0, 2), int)", "np.zeros((2, 2), int), np.zeros((2, 0), int), 1", "FOUND, EXACT, 2, exact_distances=EXACT_DISTANCES[:2]",
           "FOUND, EXACT, 2, exact_distances=EXACT_DISTANCES[:, :2]", "FOUND, EXACT, 2, exact_distances={'a': [1]}",
           "FOUND, EXACT, 2, exact_distances=[[1, 2, 3], [1, 2, 1], [1, 2, 3], [3, 2, 9]]", "FOUND, EXACT, 3, exact_distances=np.full((4, 3), np.nan)",
           "FOUND, EXACT, 3, exact_distances=EXACT_DISTANCES, found_distances=FOUND_DISTANCES[:3]",
           "FOUND, EXACT, 4, exact_distances=EXACT_DISTANCES, found_distances=np.where(FOUND == 9, np.nan, FOUND_DISTANCES)", "FOUND, EXACT, 2, exact_distances='abc'",
           "[{'a': 1.0}], [['a']], 1", "[[('a', 1.0)]], [['a']], 1", "np.array([[0.5, 0.2]]), EXACT[:1], 1", "EXACT_DISTANCES, EXACT, 1",
           "[[4]], [[3, 4, 9]], 1, exact_distances=[[0.5, 0.5, 0.7]]", "[4, 2], [3, 4, 9], 1, exact_distances=[0.5, 0.5, 0.7]",
           "[4, 2], [3, 4, 9], 1, exact_distances=[0.5, 0.5, 0.7], found_distances=[0.5, 2]"],
    ),
    *each(
        'rg.neighbor_recall({a})',
        a=['[[1, 1]], [[1, 2]], 2', '[[1, 2]], [[2, 2]], 2', "[['a', 'a']], [['a', 'b']], 2", "[['1']], [[1]], 1", '[[1]], [[1], [2]], 1', '[[-1, 1]], [[1, 2]], 2',
           "[[-1, 'a']], [['a']], 2", '[[1]], [[1]], 0', '[[1]], [[1]], None', "'ab', [[1]], 1"],
    ),
    *each(
        'rg.neighbor_recall([[3, 4]], [[4, 5]], 2, {d})',
        d=['found_distances=[[1.0, 2.0]]', 'exact_distances=[[2.0, 1.0]]', 'exact_distances=[[1.0, np.nan]]', 'exact_distances=[[1.0]]',
           'exact_distances=[[1.0, 2]], found_distances=[[np.nan, 2]]', 'exact_distances=[[1.0, 2]] * 2', 'tolerance=-1.0'],
    ),
    *each(
        'rg.neighbor_recall(np.array([[3, 4]]), np.array([[4, 5]]), 2, {d})',
        d=['found_distances=np.array([[1.0, 2.0]])', 'exact_distances=np.array([[2.0, 1.0]])', 'exact_distances=np.array([[1.0, np.nan]])', 'exact_distances=np.array([[1.0]])',
           'exact_distances=np.array([[1.0, 2]]), found_distances=np.array([[np.nan, 2]])', 'exact_distances=np.array([[1.0, 2]]) * 2', 'tolerance=-1.0'],
    ),
]
