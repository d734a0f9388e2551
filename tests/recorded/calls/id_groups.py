"""Groups of relevant ids, of which any satisfies the group."""

from recorded.recording import drawn, each

# fmt: off

GIVEN = """
RANKED = [["b", "a", "c", "e"], ["x"], ["q", "p"], []]
GROUPED = [[["a", "b"], ["c"], ["z", "e"]], [["x", "y"], ["w"]], [["r"], ["s"]], [["t"]]]
BY_QUERY = {"u2": [["x", "y"], ["w"]], "u1": [["a", "b"], ["c"], ["z"]], "u4": [], "u5": [["q"]]}
LISTS = {"u1": ["b", "a", "c"], "u2": ["x", "w"], "u3": ["a"]}
NUMBERS, OF_NUMBERS = [[7, 3, 5], [1, 10, 9]], [[[3, 7], [9], [10, 5]], [[10, 1], [2]]]
MEASURES = ["alpha-nDCG@3", "StRecall@2", "ERR-IA@3", "P@1", "AP"]
def evaluate(retrieved, relevant, measures=MEASURES, **options): return rg.evaluate_ids(retrieved, relevant, measures, **options)
"""
CALLS = [
    *each("evaluate({r}, {w})", r=["RANKED"], w=["GROUPED", "[[tuple(g) and list(g) for g in row] for row in GROUPED]", "tuple(map(tuple, GROUPED))", "[[set(g) for g in row] for row in GROUPED]", "[[frozenset(g) for g in row] for row in GROUPED]", "[[*GROUPED[0], ['a', 'c']], *GROUPED[1:]]", "[GROUPED[0], [], GROUPED[2], []]"]),
    *each("evaluate(LISTS, {w})", w=["BY_QUERY", "{q: [set(g) for g in row] for q, row in BY_QUERY.items()}", "{'u1': BY_QUERY['u1']}", "{}"]), "evaluate(NUMBERS, OF_NUMBERS)", "evaluate(np.array(NUMBERS), OF_NUMBERS)", "evaluate(['b', 'a', 'c'], [['a', 'b'], ['c'], ['z']])", "evaluate([7, 3, 5], [[3, 7], [9], [10, 5]])", "evaluate(('b', 'a'), (['a', 'b'], {'c'}))",
    *drawn(30, "evaluate({r}, {w}, {m}, exclude={x}, duplicates={d!r})", r=["RANKED", "[['b', 'a', 'b', 'e'], ['x', 'x'], ['q', 'p'], []]"], w=["GROUPED", "[[set(g) for g in row] for row in GROUPED]"], m=["'StRecall@3'", "'alpha-nDCG'", "'ERR-IA@2'", "['P@2', 'StRecall@1']"], x=["None", "[['a'], [], ['r'], ['t']]", "[['b', 'c'], ['x'], [], []]"], d=["first", "in_place", "raise"]),
    *each("evaluate({r}, {w})", r=["RANKED[:2]"], w=["[[['a', 'b'], ['c']], ['x']]", "[['a'], [['x'], ['y']]]", "[[['a', 1], ['b', 2]], [['x', 1]]]", "[[['a', 1], ['b', 2]], ['x']]", "[[['a'], 'b'], [['x']]]", "[[['a'], 5], [['x']]]", "[[['a', 5], ['b']], [['x']]]", "[[[]], [['x']]]", "[[], [['x'], []]]", "[['a', 'b'], ['x']]", "{'u': [['a'], ['b']]}", "[[['a', ['b']]], [['x']]]", "[[('a', 'b')], [('x', 'y')]]"]),
    *each("evaluate({r}, {w}, 'P@2')", r=["RANKED[:2]"], w=["[[['a', 'b'], ['c']], [['x']]]", "[[['a', 1], ['b', 2]], [['x', 1]]]", "[[('a', 1), ('b', 0)], [('x', 2)]]", "[[['a', 1], ['b']], [['x', 1]]]", "[['a', 'b'], ['x']]"]), *each("evaluate({r}, {w}, {m!r})", r=["['a', 'b']"], w=["[['a'], ['b', 'c']]", "[['a', 1], ['b', 2]]"], m=["P@1", "StRecall@1"]),
    "evaluate({'u1': ['a']}, {'u1': {'a': {'x': 1}}})", "evaluate({'u1': ['a']}, rg.Qrels({'u1': {'a': {'x': 1}}}, subtopics=True))", "evaluate({'u1': ['a']}, {'u1': ['a'], 'u2': [['b']]})", "evaluate({'u1': ['a']}, {'u1': [['a']], 'u2': 5})", "evaluate({'u1': ['a']}, {'u1': [['a']], 7: [['b']]})", "evaluate([['a']], [[['a']], [['b']]])",
]
